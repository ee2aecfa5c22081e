"""`hopenvs play`: a person at the table, in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hopenvs import registry
from hopenvs.cli import cold, terminal
from hopenvs.cli.arguments import Modules, Options, read_options, register_modules
from hopenvs.cli.record import chooser, seat_agents
from hopenvs.cli.story import Moment, Teller, verdict

if TYPE_CHECKING:
    from hopenvs.core.walk import Walk

EXAMPLES = (
    "hopenvs play igel_aergern-2p-v0 --against greedy",
    "hopenvs play igel_aergern-3p-v0 --seat 2 --seed 5 --out my_game.jsonl",
    "hopenvs play igel_aergern-2p-v0 --agent human --agent human",
)


def command(
    env: Annotated[str, typer.Argument(metavar="ENV", help="An id, such as igel_aergern-2p-v0 (`hopenvs list`).")],
    seat: Annotated[int, typer.Option("--seat", min=0, help="Where you sit.")] = 0,
    against: Annotated[
        str, typer.Option("--against", metavar="AGENT", help="Who sits on the other seats.")
    ] = "uniform",
    agent: Annotated[
        list[str] | None,
        typer.Option("--agent", metavar="AGENT", help="Who plays, once a seat, instead of --seat and --against."),
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", min=0, help="Fixes chance; by default it differs.")] = None,
    option: Options = None,
    out: Annotated[str | None, typer.Option("--out", metavar="FILE", help="Write the game down.")] = None,
    module: Modules = None,
) -> None:
    """Play in the terminal.

    Actions are given by name or by a part of it that fits only one; ? lists what is legal. Hidden things stay hidden:
    with several people at one table the screen shows what the person to act may see.
    """
    from hopenvs.core import rng
    from hopenvs.core.record import play_record
    from hopenvs.core.walk import Walk

    register_modules(module)
    game, options = registry.resolve(env, read_options(option))
    players = game.spec(options).num_players
    if seat >= players:
        raise typer.BadParameter(f"{seat}: expected 0 to {players - 1}", param_hint="'--seat'")
    names = agent or ["human" if k == seat else against for k in range(players)]
    agents = seat_agents(names, players, game, options)
    people = [k for k, name in enumerate(names if len(names) > 1 else names * players) if name == "human"]
    chance = rng.fresh_seed() if seed is None else seed
    cold.announce(game)
    walk = Walk(game, options)
    walk.start(chance)
    teller = Teller(walk, people[0] if len(people) == 1 else None)
    choose = _shown_first(chooser(agents, chance), teller, people)
    header = registry.record_header(env, game, options, chance)
    try:
        record = play_record(walk, header, choose, visit=teller.after)
    except (EOFError, KeyboardInterrupt):
        terminal.remark("\nThe game is left unfinished.")
        raise typer.Exit(1) from None
    _show(teller.moment())
    print(verdict(record))
    if out is not None:
        Path(out).write_text("\n".join(record.lines()) + "\n", encoding="utf-8")


def _shown_first(
    choose: Callable[[Walk], tuple[int, ...]], teller: Teller, people: list[int]
) -> Callable[[Walk], tuple[int, ...]]:
    """Show the table before a person decides."""
    from hopenvs.core.state import SIMULTANEOUS

    def shown(walk: Walk) -> tuple[int, ...]:
        acting = people if walk.current_player == SIMULTANEOUS else [walk.current_player]
        for seat in acting:
            if seat in people:
                _show(teller.moment(seat))
        return choose(walk)

    return shown


def _show(moment: Moment) -> None:
    from hopenvs.render.text import scene_to_text

    for line in moment.said:
        print(line)
    print()
    print(scene_to_text(moment.scene, colour=terminal.in_colour(sys.stdout)), flush=True)
