"""What games are like: their length, choices, scores and winners, and how often each kind of action is taken.

    python benchmarks/play_statistics.py hop-4p-v0 hop-6p-v0 [--agent uniform] [--games 1000] [--seed 0]

All seats of an id are played by the same agent. For every id it prints decisions and turns a game (median, with the
5th and 95th percentile), the mean and largest number of legal actions, scores, wins by seat (a win that k share counts
1/k), and how many actions of each kind (the first word of their name) a game has.
"""

from __future__ import annotations

import argparse
from collections import Counter
from typing import Any

import numpy as np

from hopenvs import registry
from hopenvs.agents.specs import make_agent
from hopenvs.core import kernels, rng
from hopenvs.core.batch import Batch
from hopenvs.core.state import NOT_TRUNCATED, SIMULTANEOUS, TERMINAL


def play(
    env_id: str, agent_name: str, games: int, seed: int
) -> tuple[Batch, np.ndarray, np.ndarray, int, Counter[str]]:
    """Play games to the end.

    Returns:
        the batch, with every game's last record; the number of decisions and of legal actions of each game, [games];
        the most legal actions at a decision; how often each kind of action was taken in all.
    """
    game, options = registry.resolve(env_id, {})
    agent = make_agent(agent_name, game, options)
    batch = Batch(game, options, games)
    batch.start(kernels.NEW_SEED, [seed + row for row in range(games)])
    streams = np.array([rng.generator(seed + row, rng.OPPONENTS) for row in range(games)])
    other_chance = np.array([rng.generator(seed + row, rng.PLAYOUT) for row in range(games)])
    kind_of = [game.action_name(options, action).split()[0] for action in range(batch.spec.num_actions)]
    decisions, choices = np.zeros(games, np.int64), np.zeros(games, np.int64)
    kinds: Counter[str] = Counter()
    widest = 0
    while len(rows := np.flatnonzero(batch.seat != TERMINAL)):
        orders = np.full((games, batch.seats_asked), kernels.SKIP, np.int32)
        for place in range(batch.seats_asked):
            seats = batch.seat[rows].astype(np.int32)
            seats[seats == SIMULTANEOUS] = place
            states, masks, drawn = batch.states[rows], batch.mask[rows, place], streams[rows]
            states["rng"] = other_chance[rows]
            actions = agent.act(batch.observation[rows, place], masks, states=states, seats=seats, streams=drawn)
            streams[rows], orders[rows, place] = drawn, actions
            kinds.update(kind_of[action] for action in actions)
            legal = masks.sum(axis=1)
            decisions[rows] += 1
            choices[rows] += legal
            widest = max(widest, int(legal.max()))
        batch.step(orders)
    return batch, decisions, choices, widest, kinds


def spread(values: np.ndarray) -> str:
    """The median of values, with the 5th and 95th percentile."""
    low, middle, high = np.percentile(values, (5, 50, 95))
    return f"{middle:.0f} [{low:.0f}, {high:.0f}]"


def report(env_id: str, agent_name: str, games: int, seed: int) -> None:
    """Play games of one id and print what they were like."""
    batch, decisions, choices, widest, kinds = play(env_id, agent_name, games, seed)
    states: Any = batch.states
    players = batch.spec.num_players
    won = states["winners"][:, :players]
    sharing = won.sum(axis=1)
    shares = won / np.maximum(1, sharing)[:, None]
    print(f"{env_id}, {agent_name}, {games} games")
    print(f"  decisions {spread(decisions)}   turns {spread(states['turn'])}", end="   ")
    print(f"legal actions {choices.sum() / decisions.sum():.1f} (at most {widest})")
    print(f"  wins by seat {' '.join(f'{100 * share:.1f} %' for share in shares.mean(axis=0))}", end="   ")
    print(f"shared {100 * (sharing > 1).mean():.1f} %   nobody's {100 * (sharing == 0).mean():.1f} %", end="   ")
    print(f"truncated {int((states['truncated'] != NOT_TRUNCATED).sum())}")
    if batch.spec.score_range is not None:
        scores = states["scores"][:, :players]
        print(f"  scores {spread(scores)}, mean {scores.mean():.2f}", end="   ")
        print(f"the winners' {(scores * won).sum() / max(1, won.sum()):.2f}")
    print("  a game: " + ", ".join(f"{kind} {count / games:.2f}" for kind, count in kinds.most_common()))


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="What games are like.")
    parser.add_argument("ids", nargs="+", help="registered ids")
    parser.add_argument("--agent", default="uniform", help="who plays all seats")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0, help="of the first game")
    args = parser.parse_args()
    for env_id in args.ids:
        report(env_id, args.agent, args.games, args.seed)


if __name__ == "__main__":
    main()
