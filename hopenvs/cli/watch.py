"""`hopenvs watch`: a game in pictures, from a record or played by agents."""

from __future__ import annotations

import enum
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hopenvs import registry
from hopenvs.cli import terminal
from hopenvs.cli.arguments import Modules, Options, Seed, read_options, register_modules
from hopenvs.cli.record import play
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


class Look(enum.StrEnum):
    """Where the pictures appear."""

    TERMINAL = "terminal"
    WINDOW = "window"


def command(
    what: Annotated[str, typer.Argument(metavar="ENV|FILE", help="An id (`hopenvs list`), or a record.")],
    agent: Annotated[
        list[str] | None,
        typer.Option("--agent", metavar="AGENT", help="Who plays an id: once for all seats, or once a seat."),
    ] = None,
    seed: Seed = 0,
    game: Annotated[int, typer.Option("--game", min=1, help="Which game of a record.")] = 1,
    seat: Annotated[int | None, typer.Option("--seat", min=0, help="Hide what this seat can't know.")] = None,
    look: Annotated[Look, typer.Option("--in", help="Where to show it.")] = Look.TERMINAL,
    delay: Annotated[float, typer.Option("--delay", min=0.0, help="Seconds a picture.")] = 0.7,
    last: Annotated[int | None, typer.Option("--last", min=1, help="Only the last so many pictures.")] = None,
    dark: Annotated[bool, typer.Option("--dark", help="Dark pictures.")] = False,
    out: Annotated[
        str | None, typer.Option("--out", metavar="FILE", help="Write a .gif, an animated .svg, or the last .png.")
    ] = None,
    option: Options = None,
    module: Modules = None,
) -> None:
    """Watch a game.

    Shows a record, or a game that agents play now, picture by picture: in the terminal, in a window, or as a file.
    """
    register_modules(module)
    record = _record(what, game, agent or ["uniform"], seed, option)
    players = record.header["players"]
    if seat is not None and seat >= players:
        raise typer.BadParameter(f"{seat}: expected 0 to {players - 1}", param_hint="'--seat'")
    seen = list(moments(record, seat))[-(last or 0) :]
    theme = "dark" if dark else "light"
    if out is not None:
        _write(seen, Path(out), delay, theme)
        terminal.remark(f"{out}: {len(seen)} pictures")
    elif look == Look.WINDOW:
        _in_window(seen, what, delay, theme)
    else:
        _in_terminal(seen, delay)
    print(verdict(record))


def _record(what: str, number: int, agents: Sequence[str], seed: int, option: Sequence[str] | None) -> GameRecord:
    """The game of an id, played now, or the `number`-th of a file."""
    from hopenvs.core.record import read_records

    try:
        registry.entry_of(what)
    except UnknownIdError:
        if not Path(what).exists():
            raise
    else:
        return next(play(what, seed, 1, agents, read_options(option), "win", False))
    if option:
        raise OptionError("--option: a record's options stand in its header")
    with Path(what).open(encoding="utf-8") as file:
        for k, record in enumerate(read_records(file), 1):
            if k == number:
                return record
    raise RecordError(f"{what}: there is no game {number}")


def _in_terminal(seen: Sequence[Moment], delay: float) -> None:
    """One picture after another; on a terminal each takes the place of the one before."""
    from hopenvs.render.text import scene_to_text

    alive = terminal.is_terminal(sys.stdout)
    colour = terminal.in_colour(sys.stdout)
    for k, moment in enumerate(seen):
        if alive:
            print("\x1b[2J\x1b[H", end="")  # clear the screen, cursor home
        print(scene_to_text(moment.scene, colour=colour))
        for line in moment.said:
            print(line)
        print(flush=True)
        if alive and k < len(seen) - 1:
            time.sleep(delay)


def _in_window(seen: Sequence[Moment], title: str, delay: float, theme: str) -> None:
    from hopenvs.render.theme import theme_of
    from hopenvs.render.window import Window

    window = Window(title, 1 / max(delay, 0.02), theme_of(theme))  # type: ignore[arg-type]
    for moment in seen:
        if not window.show(moment.scene):
            return
    while window.pump():
        time.sleep(0.05)
    window.close()


def _write(seen: Sequence[Moment], out: Path, delay: float, theme: str) -> None:
    """The pictures as a file of the kind its name says."""
    from hopenvs.render import raster, svg
    from hopenvs.render.theme import theme_of

    scenes, chosen = [moment.scene for moment in seen], theme_of(theme)  # type: ignore[arg-type]
    if out.suffix == ".gif":
        raster.gif(scenes, out, delay, chosen, 0.6)
    elif out.suffix == ".svg":
        out.write_text(svg.animate(scenes, delay, chosen), encoding="utf-8")
    elif out.suffix == ".png":
        out.write_bytes(raster.scene_to_png(scenes[-1], chosen))
    else:
        raise typer.BadParameter(f"{out}: expected a name ending in .gif, .svg or .png", param_hint="'--out'")
