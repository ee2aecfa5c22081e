"""`hopenvs record`: games written down as they are played (C-13)."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any

import typer

from hopenvs import registry
from hopenvs.cli import cold, terminal
from hopenvs.cli.arguments import LARGEST_SEED, Env, Modules, Options, Seed, read_options, register_modules
from hopenvs.cli.players import Trust, seat_agents

if TYPE_CHECKING:
    from hopenvs.agents import Agent
    from hopenvs.core.record import GameRecord
    from hopenvs.core.walk import Walk

EXAMPLES = (
    "hopenvs record igel_aergern-2p-v0 --seed 7 --games 100 --positions --out games.jsonl",
    "hopenvs record igel_aergern-4p-v0 --option anarchy=true --option pits=[3,6,4,5,2,6] --reward rank",
    "hopenvs record igel_aergern-2p-v0 --agent uniform --agent uniform | hopenvs replay -",
)


def command(
    env: Env,
    seed: Seed = 0,
    games: Annotated[int, typer.Option("--games", min=1, help="How many; their seeds are SEED, SEED + 1, ...")] = 1,
    agent: Annotated[
        list[str] | None,
        typer.Option(
            "--agent", metavar="AGENT", help="Who plays: once for all seats (uniform by default), or once a seat."
        ),
    ] = None,
    option: Options = None,
    reward: Annotated[str, typer.Option("--reward", metavar="win|rank|score", help="How a game pays.")] = "win",
    positions: Annotated[bool, typer.Option("--positions", help="Write positions and legal actions too.")] = False,
    out: Annotated[str, typer.Option("--out", metavar="FILE", help="Where to write; - is stdout.")] = "-",
    trust: Trust = False,
    module: Modules = None,
) -> None:
    """Play games and write them down.

    A game is JSON lines, which `hopenvs replay` checks. The same arguments write the same file on every machine.
    """
    register_modules(module)
    played = play(env, seed, games, agent or ["uniform"], read_options(option), reward, positions, trust)
    shown = out != "-" or not terminal.is_terminal(sys.stdout)
    with _writer(out) as file, terminal.progress(f"recording {env}", games, shown=shown) as advance:
        for record in played:
            file.writelines(f"{line}\n" for line in record.lines())
            file.flush()
            advance(1, "")


def play(
    env: str,
    seed: int,
    games: int,
    agents: Sequence[str],
    keywords: dict[str, Any],
    reward: str = "win",
    positions: bool = False,
    trust: bool = False,
) -> Iterator[GameRecord]:
    """Games played one after another; game k has the seed `seed` + k. Arguments are checked before the first."""
    from hopenvs.core.batch import refuse_outside_chance
    from hopenvs.core.record import play_record
    from hopenvs.core.walk import Walk
    from hopenvs.envs.table import payoff_named

    game, options = registry.resolve(env, keywords)
    refuse_outside_chance(game.spec(options))
    payoff = payoff_named(game, options, reward)
    seats = seat_agents(agents, game.spec(options).num_players, game, options, trust=trust, people=False)
    cold.announce(game)
    walk = Walk(game, options, payoff=payoff)

    def game_of(seed: int) -> GameRecord:
        header = registry.record_header(env, game, options, seed, reward)
        return play_record(walk, header, chooser(seats, seed), positions=positions)

    return (game_of((seed + k) % (LARGEST_SEED + 1)) for k in range(games))


def chooser(agents: Sequence[Agent], seed: int) -> Callable[[Walk], tuple[int, ...]]:
    """Decisions of `agents` in the game of `seed`; they draw from a stream of their own, never the game's (C-14)."""
    import numpy as np

    from hopenvs.core import rng
    from hopenvs.core.state import SIMULTANEOUS

    streams = rng.generator(seed, rng.OPPONENTS)[None]
    other_chance = rng.generator(seed, rng.PLAYOUT)

    def choose(walk: Walk) -> tuple[int, ...]:
        tick = walk.current_player == SIMULTANEOUS
        actions = []
        for row, seat in enumerate(range(len(agents)) if tick else [walk.current_player]):
            states = walk.states.copy()
            states["rng"] = other_chance  # nobody sees coming dice (C-14)
            chosen = agents[seat].act(
                walk.batch.observation[:, row].copy(),
                walk.batch.mask[:, row].copy(),
                states=states,
                seats=np.array([seat], np.int32),
                streams=streams,
            )
            actions.append(int(chosen[0]))
        return tuple(actions)

    return choose


@contextlib.contextmanager
def _writer(out: str) -> Iterator[IO[str]]:
    """The file, or stdout for `-`."""
    if out == "-":
        yield sys.stdout
    else:
        with Path(out).open("w", encoding="utf-8", newline="\n") as file:
            yield file
