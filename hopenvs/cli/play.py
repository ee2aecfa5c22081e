"""`hopenvs play`: a person at the table, in the terminal."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hopenvs import registry
from hopenvs.cli import cold, terminal
from hopenvs.cli.adviser import Adviser
from hopenvs.cli.arguments import (
    LARGEST_SEED,
    Modules,
    Options,
    read_options,
    refuse_idle,
    register_modules,
    writable,
)
from hopenvs.cli.clock import Clock
from hopenvs.cli.players import Trust, seat_agents
from hopenvs.cli.record import chooser
from hopenvs.cli.story import Moment, Teller, verdict
from hopenvs.core.errors import OptionError

if TYPE_CHECKING:
    from hopenvs.core.record import GameRecord
    from hopenvs.core.walk import Walk

Chooser = Callable[["Walk"], tuple[int, ...]]

PERSON = "human"  # as in agents/specs.py, which takes long to load

EXAMPLES = (
    "hopenvs play igel_aergern-2p-v0 --against greedy",
    "hopenvs play igel_aergern-3p-v0 --seat 2 --seed 5 --out my_game.jsonl",
    "hopenvs play igel_aergern-2p-v0 --agent human --agent human",
    "hopenvs play hooop-2p-v0 --against trained --adviser mcts:400",
    "hopenvs play hexx_hopp-3p-1r-v0 --against greedy --clock 0.1",
)


def command(
    env: Annotated[str, typer.Argument(metavar="ENV", help="An id, such as igel_aergern-2p-v0 (`hopenvs list`).")],
    seat: Annotated[int | None, typer.Option("--seat", min=0, help="Where you sit (0).")] = None,
    against: Annotated[
        str | None, typer.Option("--against", metavar="AGENT", help="Who sits on the other seats (uniform).")
    ] = None,
    agent: Annotated[
        list[str] | None,
        typer.Option("--agent", metavar="AGENT", help="Who plays, once a seat, instead of --seat and --against."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", min=0, max=LARGEST_SEED, help="Fixes chance; by default it differs.")
    ] = None,
    option: Options = None,
    clock: Annotated[
        float | None,
        typer.Option(
            "--clock",
            metavar="TICKS",
            min=0.001,
            max=1000,
            help="Where all act at once: so many ticks a second. Who is too late takes the first legal action.",
        ),
    ] = None,
    adviser: Annotated[
        str | None,
        typer.Option(
            "--adviser",
            metavar="AGENT",
            help="Before you decide, show what greedy, expectimax:N or mcts:N considers, with values.",
        ),
    ] = None,
    out: Annotated[
        str | None, typer.Option("--out", metavar="FILE", help="Write the game down, also an unfinished one.")
    ] = None,
    trust: Trust = False,
    module: Modules = None,
) -> None:
    """Play in the terminal.

    Actions are given by name or by a part of it that fits only one; ? lists what is legal, quit or Ctrl-D leaves.
    Hidden things stay hidden: with several people at one table the screen shows what the person to act may see.
    """
    from hopenvs.core import rng
    from hopenvs.core.batch import refuse_outside_chance
    from hopenvs.core.record import GameRecord, play_record
    from hopenvs.core.walk import Walk

    register_modules(module)
    game, options = registry.resolve(env, read_options(option))
    refuse_outside_chance(game.spec(options))
    players = game.spec(options).num_players
    names = _table(players, seat, against, agent)
    agents = seat_agents(names, players, game, options, trust=trust)
    people = [k for k, name in enumerate(names if len(names) > 1 else names * players) if name == PERSON]
    if clock is not None and not game.spec(options).simultaneous:
        raise OptionError(f"--clock {clock:g}: {env} has no ticks, it asks one player at a time")
    if clock is not None and len(people) > 1:
        raise OptionError(f"--clock {clock:g}: expected one person at the table, not {len(people)}")
    if clock is not None and adviser is not None:
        raise OptionError("--adviser: with --clock there is no time for advice: expected one or the other")
    if not people:
        raise OptionError(f"nobody at the table is {PERSON!r}: `hopenvs watch` shows a game of agents")
    file = None if out is None else Path(out)
    if file is not None:
        writable(file)
    chance = rng.fresh_seed() if seed is None else seed
    counsel = None if adviser is None else Adviser(adviser, game, options, chance)
    cold.announce(game)
    walk = Walk(game, options)
    walk.start(chance)
    teller = Teller(walk, people[0] if len(people) == 1 else None)
    record = GameRecord(registry.record_header(env, game, options, chance))

    def note(event: dict[str, Any]) -> None:
        record.events.append(event)
        teller.after(event)

    try:
        choose = _shown_first(chooser(agents, chance), teller, people, counsel, clock is not None)
        if clock is not None:
            choose = _timed(choose, Clock(clock, sys.stdin), [agents[seat] for seat in people])
        play_record(walk, record.header, choose, visit=note)
    except (EOFError, KeyboardInterrupt) as left:
        terminal.remark("\nThe game is left unfinished" + _written(record, file))
        raise typer.Exit(130 if isinstance(left, KeyboardInterrupt) else 0) from None
    record.result = walk.result()
    _show(teller.moment())
    print(verdict(record))
    if file is not None:
        terminal.remark("The game is over" + _written(record, file))


def _table(players: int, seat: int | None, against: str | None, agents: list[str] | None) -> list[str]:
    """Who sits where, by name."""
    if agents:
        refuse_idle({"--seat": seat, "--against": against}, "--agent says who plays: expected one or the other")
        return agents
    if seat is not None and seat >= players:
        raise typer.BadParameter(f"{seat}: expected 0 to {players - 1}", param_hint="'--seat'")
    return [PERSON if k == (seat or 0) else against or "uniform" for k in range(players)]


def _written(record: GameRecord, file: Path | None) -> str:
    """Write the record, if a file was asked for; the end of a sentence that says so."""
    if file is None:
        return "."
    file.write_text("\n".join(record.lines()) + "\n", encoding="utf-8")
    return f", and stands in {file}: `{terminal.program()} watch {shlex.quote(str(file))}`"


def _timed(choose: Chooser, clock: Clock, people: Sequence[Any]) -> Chooser:
    """A tick lasts as long as the clock says, whether an answer has come or not."""
    for person in people:
        person.read = clock.read

    def in_time(walk: Walk) -> tuple[int, ...]:
        actions = choose(walk)
        clock.wait_for_end()
        return actions

    return in_time


def _shown_first(
    choose: Chooser, teller: Teller, people: list[int], counsel: Adviser | None, in_place: bool
) -> Chooser:
    """Show the table, and advice, before a person decides; `in_place`: on a terminal, where it was shown before."""
    from hopenvs.core.state import SIMULTANEOUS

    def shown(walk: Walk) -> tuple[int, ...]:
        acting = people if walk.current_player == SIMULTANEOUS else [walk.current_player]
        for seat in acting:
            if seat in people:
                if in_place and terminal.is_terminal(sys.stdout):
                    terminal.clear()
                _show(teller.moment(seat))
                for line in counsel.advice(walk, seat) if counsel is not None else ():
                    print(line)
        return choose(walk)

    return shown


def _show(moment: Moment) -> None:
    from hopenvs.render.text import scene_to_text

    for line in moment.said:
        print(line)
    print()
    print(scene_to_text(moment.scene, colour=terminal.in_colour(sys.stdout)), flush=True)
