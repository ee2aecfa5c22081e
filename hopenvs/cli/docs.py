"""`hopenvs docs`: the parts of the games' READMEs that are printed from code, and their pictures, made anew.

Such a part stands between two markers, so that options, actions, observation and ids are told once, in code:

    <!-- generated: options -->
    <!-- end -->
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hopenvs.cli.pictures import drawn
from hopenvs.core.options import Option, parse_options
from hopenvs.registry import entry_of, list_envs

if TYPE_CHECKING:
    from hopenvs.core.game import Game, Spec

NO_BOUND = 2**31 - 1  # as large as an option can be at all
LONGEST_DEFAULT = 60  # characters: a table has to stay readable

EXAMPLES = ("hopenvs docs --check",)
BLOCK = re.compile(r"^<!-- generated: (\S+) -->\n(.*?)^<!-- end -->$", re.MULTILINE | re.DOTALL)


def command(
    only_check: Annotated[
        bool, typer.Option("--check", help="Change nothing; exit code 1 if a README is stale.")
    ] = False,
) -> None:
    """Bring the games' READMEs and their pictures up to date.

    Prints the path of each file that is stale. For a checkout: an installed package has READMEs of its own.
    """
    stale = {path: text for game, readme in documented_games() for path, text in stale_files(game, readme).items()}
    for path, text in stale.items():
        print(path)
        if not only_check:
            path.write_text(text, encoding="utf-8")
    if only_check and stale:
        raise typer.Exit(1)


def stale_files(game: Game, readme: Path) -> dict[Path, str]:
    """The README and the pictures of a game that aren't what they should be, with what they should be."""
    wanted = {readme: updated(readme.read_text(encoding="utf-8"), game)}
    wanted |= drawn(game, readme.with_name("pictures"))
    return {path: text for path, text in wanted.items() if not path.exists() or path.read_text("utf-8") != text}


def documented_games() -> list[tuple[Game, Path]]:
    """Every registered game that has a README, with it."""
    games = {entry.module: entry.game() for entry in map(entry_of, list_envs())}
    return [(game, readme_of(game)) for game in games.values() if readme_of(game).exists()]


def readme_of(game: Game) -> Path:
    """Where the README of a game lies."""
    return Path(str(vars(game)["__file__"])).with_name("README.md")


def updated(text: str, game: Game) -> str:
    """A README's text with every generated part as it should be.

    Raises:
        ValueError: if a part has no marker or two, or a marker is no part's.
    """
    parts = generated_sections(game)
    found = [match[1] for match in BLOCK.finditer(text)]
    if sorted(found) != sorted(parts):
        raise ValueError(f"README.md of {game.ID}: generated parts {found}: expected each of {list(parts)} once")
    return BLOCK.sub(lambda match: f"<!-- generated: {match[1]} -->\n\n{parts[match[1]]}\n<!-- end -->", text)


def generated_sections(game: Game) -> dict[str, str]:
    """The text of every part that is printed from code, by the name in its marker."""
    return {
        "options": _options(game),
        "actions": _actions(game),
        "observation": _observation(game),
        "ids": _ids(game),
    }


# ---- the parts ------------------------------------------------------------------------------------------------------
def _table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |\n" for line in lines)


def _options(game: Game) -> str:
    usual = parse_options(game, {})
    rows = []
    for option in game.OPTIONS:
        default = f"`{option.decode(getattr(usual, option.name))!r}`"
        if len(default) > LONGEST_DEFAULT:
            default = "see there"
        rows.append((f"`{option.name}`", _values(option), default, option.text, option.clause))
    return _table(("option", "values", "default", "meaning", "clause"), rows)


def _values(option: Option) -> str:
    if type(option) is not Option:  # it reads values of its own kind
        return option.expected()
    if option.choices:
        return ", ".join(f"`{choice!r}`" for choice in option.choices)
    if isinstance(option.default, bool):
        return "`True`, `False`"
    if option.high == NO_BOUND:
        return f"{option.low} or more"
    return f"{option.low} to {option.high}" + (", a list" if option.length else "")


def _actions(game: Game) -> str:
    o = parse_options(game, {})
    names = [game.action_name(o, a) for a in range(game.spec(o).num_actions)]
    rows, first = [], 0
    for _, group in groupby(names, key=lambda name: name.split(" ")[0]):
        alike = list(group)
        last = first + len(alike) - 1
        named = f"`{alike[0]}`" if len(alike) == 1 else f"`{alike[0]}` .. `{alike[-1]}`"
        rows.append((str(first) if first == last else f"{first} .. {last}", named, len(alike)))
        first = last + 1
    table = _table(("index", "names", "how many"), rows)
    sizes = _by_players(game, lambda spec: spec.num_actions)
    others = f"\nActions (players): {sizes}.\n" if len({size.split(" ")[0] for size in sizes.split(", ")}) > 1 else ""
    return f"{len(names)} actions with the default options:\n\n{table}{others}"


def _by_players(game: Game, size: Callable[[Spec], int]) -> str:
    """A size for every number of players: `661 (2), 987 (3)`."""
    players = next(option for option in game.OPTIONS if option.name == "players")
    seats = range(players.low, players.high + 1)
    return ", ".join(f"{size(game.spec(parse_options(game, {'players': n})))} ({n})" for n in seats)


def _observation(game: Game) -> str:
    o = parse_options(game, {})
    spec, rows = game.spec(o), []
    for section in spec.sections:
        part, shape = spec.layout[section.name]
        size = " × ".join(map(str, shape))
        cells, values = f"{part.start} .. {part.stop - 1}", f"{section.low} .. {section.high}"
        rows.append((f"`{section.name}`", cells, size, values, section.text))
    table = _table(("section", "cells", "shape", "values", "meaning"), rows)
    sizes = _by_players(game, lambda spec: spec.observation_size)
    return f"With the default options ({o.players} players):\n\n{table}\nCells (players): {sizes}.\n"


def _ids(game: Game) -> str:
    rows = []
    for env_id in list_envs():
        entry = entry_of(env_id)
        if entry.module == game.__name__:
            implied = ", ".join(f"`{name}={value!r}`" for name, value in entry.options.items())
            rows.append((f"`{env_id}`", implied))
    return _table(("id", "stands for"), rows)
