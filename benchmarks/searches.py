"""How many simulations a second Monte-Carlo tree search makes, beside OpenSpiel's search on Connect Four.

    pip install -c constraints-peers.txt -e ".[peers]"
    python benchmarks/searches.py [ID ...] [--simulations 400] [--repeats 5] [--json FILE]

Of each id (by default the default set) searches of that many simulations begin in 20 positions of random games, after
up to 60 decisions: with evaluations at once, as the agent `mcts:N` plays, and with random play to the end. In the same
run OpenSpiel's own MCTS (C++, one random rollout a simulation) searches 20 such positions of `connect_four`, whose
random games are shorter than those of most ids here: said is how many decisions are left from the searched positions,
and how many of those a second of random play takes.

Rates are CPU time of one thread: the median of the repeats, with the lowest and the highest. Every search asserts how
many simulations it made.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import hopenvs
from hopenvs import registry
from hopenvs.agents.mcts import MCTS
from hopenvs.agents.uniform import uniform_actions
from hopenvs.core import kernels, rng
from hopenvs.core.batch import Batch

POSITIONS = 20
EXPLORATION = 1.0  # with random play: rewards are -1 to 1


def positions_of(env_id: str) -> Batch:
    """Row k: a random game after 3 k decisions, or where it ended, the game that followed."""
    game, options = registry.resolve(env_id, {})
    batch = Batch(game, options, POSITIONS, autoreset=kernels.SAME_STEP)
    batch.start(kernels.NEW_SEED, list(range(POSITIONS)))
    streams = np.stack([rng.generator(k, rng.OPPONENTS) for k in range(POSITIONS)])
    for taken in range(3 * POSITIONS):
        orders = [uniform_actions(np.ascontiguousarray(batch.mask[:, p]), streams) for p in range(batch.seats_asked)]
        going = (3 * np.arange(POSITIONS) > taken)[:, None]
        batch.step(np.where(going, np.stack(orders, axis=1), kernels.SKIP).astype(np.int32))
    return batch


def decisions_left(batch: Batch) -> float:
    """The mean of how many decisions random play takes from these positions to the end."""
    streams = np.stack([rng.generator(k, rng.PLAYOUT) for k in range(POSITIONS)])
    return batch.copy().playout(streams, 10**9) / POSITIONS


def search_of(batch: Batch, simulations: int, **settings: Any) -> Callable[[], int]:
    """A round of searches, one for each position: how many simulations it makes."""
    agent = MCTS(batch.game, batch.options, simulations, **settings)
    seats = np.maximum(batch.seat, 0).astype(np.int32)
    streams = np.stack([rng.generator(k, rng.OPPONENTS) for k in range(POSITIONS)])

    def search() -> int:
        visits, _ = agent.search(batch.states.copy(), seats, streams, batch.spec.num_actions)
        assert (visits.sum(axis=1) == simulations).all()
        return int(visits.sum())

    return search


def search_of_openspiel(simulations: int) -> tuple[Callable[[], int], float]:
    """The same for OpenSpiel's search of Connect Four, and the mean of the decisions that are left."""
    import pyspiel

    game = pyspiel.load_game("connect_four")
    chooser = random.Random(0)
    states, left = [], []
    while len(states) < POSITIONS:
        state = game.new_initial_state()
        for _ in range(len(states)):
            if not state.is_terminal():
                state.apply_action(chooser.choice(state.legal_actions()))
        if state.is_terminal():
            continue
        states.append(state)
        other = state.clone()
        while not other.is_terminal():
            other.apply_action(chooser.choice(other.legal_actions()))
        left.append(other.move_number() - state.move_number())
    evaluator = pyspiel.RandomRolloutEvaluator(1, 0)
    bot = pyspiel.MCTSBot(game, evaluator, EXPLORATION, simulations, 1000, False, 0, False)

    def search() -> int:
        made = 0
        for state in states:
            root = bot.mcts_search(state)
            made += root.explore_count
        assert made == simulations * POSITIONS, "solved positions would end a search before its time"
        return made

    return search, statistics.mean(left)


def rate(search: Callable[[], int], repeats: int) -> list[float]:
    """Simulations a second of CPU time: lowest, median, highest."""
    search()  # compiles
    rates = []
    for _ in range(repeats):
        made, begun = 0, time.process_time()
        while time.process_time() - begun < 0.5:
            made += search()
        rates.append(made / (time.process_time() - begun))
    return [min(rates), statistics.median(rates), max(rates)]


def default_set() -> tuple[str, ...]:
    """The ids of `hopenvs baselines`."""
    from hopenvs.train.baselines import DEFAULT_SET

    return DEFAULT_SET


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ids", nargs="*", help="ids; by default the default set, which takes the extra train to know")
    parser.add_argument("--simulations", type=int, default=400)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    print(f"hopenvs {hopenvs.__version__}, Python {platform.python_version()}, {os.cpu_count()} cores, one thread")
    print(f"simulations a second, {given.simulations} a search: median [lowest, highest]\n")
    search, left = search_of_openspiel(given.simulations)
    theirs = rate(search, given.repeats)
    found: dict[str, Any] = {"connect_four (OpenSpiel)": {"random": theirs, "decisions": left}}
    print(f"{'connect_four (OpenSpiel)':28s} random play {_shown(theirs)}; {_decisions(theirs, left)}", flush=True)
    for env_id in given.ids or default_set():
        batch = positions_of(env_id)
        left = decisions_left(batch)
        at_once = rate(search_of(batch, given.simulations), given.repeats)
        to_the_end = rate(search_of(batch, given.simulations, cut=-1, exploration=EXPLORATION), given.repeats)
        found[env_id] = {"evaluated": at_once, "random": to_the_end, "decisions": left}
        ratio = f"({to_the_end[1] / theirs[1]:.2f} of OpenSpiel's)"
        print(f"{env_id:28s} evaluated {_shown(at_once)}; random play {_shown(to_the_end)} {ratio}; ", end="")
        print(_decisions(to_the_end, left), flush=True)
    if given.json is not None:
        given.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


def _decisions(rates: list[float], left: float) -> str:
    return f"{left:.0f} decisions to the end, {rates[1] * left / 1e6:.2f} M a second"


def _shown(rates: list[float]) -> str:
    return f"{rates[1]:9,.0f} [{rates[0]:,.0f}, {rates[2]:,.0f}]"


if __name__ == "__main__":
    main()
