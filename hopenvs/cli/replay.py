"""`hopenvs replay`: records played again, every line checked against the rules (C-13)."""

from __future__ import annotations

import contextlib
import enum
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any

import typer

from hopenvs import registry
from hopenvs.cli import cold, terminal
from hopenvs.cli.arguments import Modules, register_modules
from hopenvs.core.errors import OptionError, RecordError, UnknownIdError

if TYPE_CHECKING:
    from hopenvs.core.record import GameRecord
    from hopenvs.core.walk import Walk

EXAMPLES = (
    "hopenvs replay games.jsonl",
    "hopenvs record igel_aergern-2p-v0 | hopenvs replay -",
    "hopenvs replay games.jsonl --render ansi",
)


NO_GAME = "no game: expected a header with the key 'env' in line 1"


class Picture(enum.StrEnum):
    """How positions are shown."""

    ANSI = "ansi"


@dataclass
class Counts:
    """What has been checked in a file."""

    games: int = 0
    decisions: int = 0
    positions: int = 0

    def __str__(self) -> str:
        counts = {"game": self.games, "decision": self.decisions, "position": self.positions}
        return ", ".join(f"{n} {word}{'' if n == 1 else 's'}" for word, n in counts.items()) + " checked"


def command(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Records; - is stdin.")],
    render: Annotated[Picture | None, typer.Option("--render", help="Show every position.")] = None,
    module: Modules = None,
) -> None:
    """Replay records and check every line.

    Checked are moves, chance, positions, legal actions and results. Prints a line for each file. An error names the
    file, the line, and what the rules say.
    """
    register_modules(module)
    broken = False
    for name in files:
        counts = Counts()
        try:
            check_file(name, counts, _show if render else None)
        except RecordError as error:
            terminal.error(f"{name}: {error}")
            broken = True
        else:
            print(f"{name}: {counts}")
    if broken:
        raise typer.Exit(2)


def check_file(name: str, counts: Counts, show: Callable[[Walk, dict[str, Any]], None] | None = None) -> None:
    """Replay every game of a file, counting into `counts`.

    Args:
        name: the file; - is stdin.
        counts: grows game by game.
        show: called after every line with what it says.

    Raises:
        RecordError: naming the line and what was expected.
    """
    from hopenvs.core.record import read_records

    walks: dict[str, Walk] = {}
    with _open(name) as file, terminal.progress(f"replaying {name}", _size(name)) as advance:
        for record in read_records(utf8_lines(file, advance)):
            header = record.header
            rules = json.dumps([header[key] for key in ("env", "options", "players")], sort_keys=True)
            if rules not in walks:
                walks[rules] = _walk(record)
            record.replay(walks[rules], _visitor(record, show))
            if record.result is None:
                last_line = record.line_numbers[-1] if record.line_numbers else record.first_line
                raise RecordError(f"line {last_line}: unfinished: expected more events, or the result (with 'rewards')")
            counts.games += 1
            counts.decisions += sum("action" in event or "joint" in event for event in record.events)
            counts.positions += sum("position" in line for line in (header, *record.events))
    if not counts.games:
        raise RecordError(NO_GAME)


def _walk(record: GameRecord) -> Walk:
    from hopenvs.core.walk import Walk

    try:
        game, options, payoff = registry.resolve_header(record.header)
    except (UnknownIdError, OptionError) as error:
        raise RecordError(f"line {record.first_line}: {error}") from None
    cold.announce(game)
    return Walk(game, options, payoff=payoff)


def _open(name: str) -> contextlib.AbstractContextManager[IO[bytes]]:
    return contextlib.nullcontext(sys.stdin.buffer) if name == "-" else Path(name).open("rb")


def _size(name: str) -> int | None:
    return None if name == "-" else Path(name).stat().st_size


def utf8_lines(file: IO[bytes], advance: Callable[[int, str], None] | None = None) -> Iterator[str]:
    """The lines of a file as text.

    Args:
        file: opened for bytes.
        advance: called with the length of every line.

    Raises:
        RecordError: naming the line that is no UTF-8.
    """
    for number, line in enumerate(file, 1):
        if advance is not None:
            advance(len(line), "")
        try:
            yield line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            raise RecordError(f"line {number}: no UTF-8 text: {error}") from None


def _visitor(record: GameRecord, show: Callable[[Walk, dict[str, Any]], None] | None) -> Callable[[Walk], None] | None:
    if show is None:
        return None
    lines = iter([record.header, *record.events])
    return lambda walk: show(walk, next(lines))


def _show(walk: Walk, line: dict[str, Any]) -> None:
    """What a line says and, if it leaves a decision or the end, the position."""
    from hopenvs.render.text import scene_to_text

    print(json.dumps({key: value for key, value in line.items() if key not in ("position", "legal")}))
    if not walk.is_chance:
        scene = walk.game.scene(walk.options, walk.record)
        print(scene_to_text(scene, colour=terminal.in_colour(sys.stdout)))
