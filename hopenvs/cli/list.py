"""`hopenvs list`: the ids and what they are."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from hopenvs import registry
from hopenvs.cli import terminal
from hopenvs.cli.arguments import Modules, register_modules
from hopenvs.core.errors import OptionError, nearest

EXAMPLES = ("hopenvs list", "hopenvs list igel_aergern", "hopenvs list --json")


def command(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="Only this game's ids.")] = None,
    json: Annotated[bool, typer.Option("--json", help="As JSON, with more facts.")] = False,
    module: Modules = None,
) -> None:
    """List the ids.

    Beside each: players, actions, size of the observation, and the cap on turns (- for none). In a pipe each id is a
    line of these, separated by tabs.
    """
    register_modules(module)
    games = list(dict.fromkeys(i.split("-")[0] for i in registry.list_envs()))
    if game is not None and game not in games:
        raise OptionError(f"unknown game {game!r}{nearest(game, games)}: expected one of {', '.join(games)}")
    found = [facts(env) for env in registry.list_envs(game)]
    if json:
        terminal.as_json(found)
        return
    keys = ("id", "players", "actions", "observation", "max_turns")
    rows = [["-" if fact[key] is None else fact[key] for key in keys] for fact in found]
    terminal.table(("id", "players", "actions", "observation", "cap"), rows)


def facts(env: str) -> dict[str, Any]:
    """What there is to know of an id, JSON-able."""
    game, options = registry.resolve(env, {})
    spec = game.spec(options)
    return {
        "id": env,
        "game": game.ID,
        "players": spec.num_players,
        "actions": spec.num_actions,
        "observation": spec.observation_size,
        "max_turns": spec.max_turns,
        "options": dict(registry.entry_of(env).options),
        "simultaneous": spec.simultaneous,
        "perfect_information": spec.perfect_information,
        "chance": spec.has_chance,
        "scores": None if spec.score_range is None else list(spec.score_range),
    }
