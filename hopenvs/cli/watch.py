"""`hopenvs watch`: a game in pictures, from a record or played by agents."""

from __future__ import annotations

import contextlib
import enum
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hopenvs import registry
from hopenvs.cli import terminal
from hopenvs.cli.arguments import (
    LARGEST_SEED,
    Modules,
    Options,
    read_options,
    refuse_idle,
    register_modules,
    writable,
)
from hopenvs.cli.players import Trust
from hopenvs.cli.record import play
from hopenvs.cli.replay import NO_GAME, utf8_lines
from hopenvs.cli.story import Moment, moments, verdict
from hopenvs.core.errors import OptionError, RecordError, UnknownIdError

if TYPE_CHECKING:
    from hopenvs.core.record import GameRecord

EXAMPLES = (
    "hopenvs watch igel_aergern-2p-v0 --agent greedy --agent uniform --seed 3",
    "hopenvs watch games.jsonl --game 2 --delay 0.3",
    "hopenvs watch igel_aergern-4p-v0 --out game.gif",
    "hopenvs watch igel_aergern-2p-v0 --out game.svg --dark --last 20",
)


PICTURES = (".gif", ".svg", ".png")
# Seconds a picture: usually; the least that viewers of a GIF heed; and a third of what a GIF can say, as the last
# picture is held three times as long.
DELAY, SHORTEST, LONGEST = 0.7, 0.02, 200.0


class Look(enum.StrEnum):
    """Where the pictures appear."""

    TERMINAL = "terminal"
    WINDOW = "window"


def command(
    what: Annotated[str, typer.Argument(metavar="ENV|FILE", help="An id (`hopenvs list`), or a record.")],
    agent: Annotated[
        list[str] | None,
        typer.Option("--agent", metavar="AGENT", help="Who plays an id: once for all seats, or once a seat (uniform)."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", min=0, max=LARGEST_SEED, help="The seed of the game of an id (0).")
    ] = None,
    game: Annotated[int | None, typer.Option("--game", min=1, help="Which game of a record (1).")] = None,
    seat: Annotated[int | None, typer.Option("--seat", min=0, help="Hide what this seat can't know.")] = None,
    look: Annotated[Look | None, typer.Option("--in", help="Where to show it (terminal).")] = None,
    delay: Annotated[float | None, typer.Option("--delay", help=f"Seconds a picture ({DELAY}).")] = None,
    last: Annotated[int | None, typer.Option("--last", min=1, help="Only the last so many pictures.")] = None,
    dark: Annotated[bool, typer.Option("--dark", help="Dark pictures.")] = False,
    out: Annotated[
        str | None, typer.Option("--out", metavar="FILE", help="Write a .gif, an animated .svg, or the last .png.")
    ] = None,
    option: Options = None,
    trust: Trust = False,
    module: Modules = None,
) -> None:
    """Watch a game.

    Shows a record, or a game that agents play now, picture by picture: in the terminal, in a window, or as a file.
    """
    register_modules(module)
    file = None if out is None else Path(out)
    _check_pictures(look, file, delay, dark)
    seconds = DELAY if delay is None else delay
    record = _record(what, game, agent, seed, option, trust)
    players = record.header["players"]
    if seat is not None and seat >= players:
        raise typer.BadParameter(f"{seat}: expected 0 to {players - 1}", param_hint="'--seat'")
    with _named_in_errors(what):
        seen = list(moments(record, seat))[-(last or 0) :]
    theme = "dark" if dark else "light"
    if file is not None:
        count = _write(seen, file, seconds, theme)
        terminal.remark(f"{out}: {count} picture{'' if count == 1 else 's'}")
    elif look == Look.WINDOW:
        _in_window(seen, what, seconds, theme)
    else:
        _in_terminal(seen, seconds)
    print(verdict(record))


def _check_pictures(look: Look | None, out: Path | None, delay: float | None, dark: bool) -> None:
    """Refuse what can't be shown, before a game is played for it."""
    if out is not None:
        refuse_idle({"--in": look}, "with --out the pictures go to a file alone")
        if out.suffix.lower() not in PICTURES:
            raise typer.BadParameter(f"{out}: expected a name ending in .gif, .svg or .png", param_hint="'--out'")
        if out.suffix.lower() == ".png":
            refuse_idle({"--delay": delay}, "a .png is a single picture")
        writable(out)
    elif look != Look.WINDOW:
        refuse_idle({"--dark": dark}, "the terminal has its own colours: for a file (--out) or a window (--in window)")
    shortest = SHORTEST if out is not None else 0.0
    if delay is not None and not shortest <= delay <= LONGEST:  # nor is "not a number" between them
        raise OptionError(f"--delay {delay:g}: expected {shortest:g} to {LONGEST:g} seconds")


@contextlib.contextmanager
def _named_in_errors(what: str) -> Iterator[None]:
    """Let complaints about a record name its file."""
    try:
        yield
    except (RecordError, UnknownIdError, OptionError) as error:
        raise RecordError(f"{what}: {error}") from None


def _record(
    what: str,
    number: int | None,
    agents: list[str] | None,
    seed: int | None,
    option: list[str] | None,
    trust: bool,
) -> GameRecord:
    """The game of an id, played now, or the `number`-th of a file."""
    try:
        registry.entry_of(what)
    except UnknownIdError as error:
        if not Path(what).exists() and not Path(what).suffix and Path(what).name == what:  # not meant as a file
            raise UnknownIdError(f"{error}; nor is there a file of that name") from None
    else:
        refuse_idle({"--game": number}, f"{what} is an id: its game is played now, with --seed")
        return next(play(what, seed or 0, 1, agents or ["uniform"], read_options(option), trust=trust))
    given = {"--agent": agents, "--seed": seed, "--option": option, "--trust": trust}
    refuse_idle(given, f"{what} is a record: players, chance and options stand in it")
    with _named_in_errors(what):
        return _game_of(Path(what), number or 1)


def _game_of(path: Path, number: int) -> GameRecord:
    """The `number`-th game of a file."""
    from hopenvs.core.record import read_records

    count = 0
    with path.open("rb") as file:
        for record in read_records(utf8_lines(file)):
            count += 1
            if count == number:
                return record
    raise RecordError(f"there is no game {number}: the file holds {count}" if count else NO_GAME)


def _in_terminal(seen: Sequence[Moment], delay: float) -> None:
    """One picture after another; on a terminal each takes the place of the one before."""
    from hopenvs.render.text import scene_to_text

    alive = terminal.is_terminal(sys.stdout)
    colour = terminal.in_colour(sys.stdout)
    for k, moment in enumerate(seen):
        if alive:
            terminal.clear()
        print(scene_to_text(moment.scene, colour=colour))
        for line in moment.said:
            print(line)
        print(flush=True)
        if alive and k < len(seen) - 1:
            time.sleep(delay)


def _in_window(seen: Sequence[Moment], title: str, delay: float, theme: str) -> None:
    from hopenvs.render.theme import theme_of
    from hopenvs.render.window import Window

    window = Window(title, 1 / max(delay, SHORTEST), theme_of(theme))  # type: ignore[arg-type]
    try:
        for moment in seen:
            if not window.show(moment.scene):
                return
    except (ImportError, RuntimeError) as error:  # the extra isn't installed; there is no display (pygame.error)
        raise OptionError(f"--in window: {error}") from None
    while window.pump():
        time.sleep(0.05)
    window.close()


def _write(seen: Sequence[Moment], out: Path, delay: float, theme: str) -> int:
    """Write the pictures as a file of the kind its name says; how many there are."""
    from hopenvs.render import raster, svg
    from hopenvs.render.theme import theme_of

    scenes, chosen = [moment.scene for moment in seen], theme_of(theme)  # type: ignore[arg-type]
    kind = out.suffix.lower()
    try:
        if kind == ".gif":
            raster.gif(scenes, out, delay, chosen, 0.6)
        elif kind == ".svg":
            out.write_text(svg.animate(scenes, delay, chosen), encoding="utf-8")
        else:
            out.write_bytes(raster.scene_to_png(scenes[-1], chosen))
            return 1
    except ImportError as error:  # the extra isn't installed
        raise OptionError(f"--out {out}: {error}") from None
    return len(scenes)
