"""What rounds of Hexx & Hopp are like: ticks, contacts, collisions, how they end, and how far the figure reaches.

    python benchmarks/rounds_of_hexx_hopp.py [--agent uniform] [--players 2 3 4 5] [--rounds 1000] [--seed 0]

All seats are played by the same agent, one round a game. A placement that became impossible before its turn came in the
tick counts as a collision (HX-7).
"""

from __future__ import annotations

import argparse
from collections import Counter
from typing import Any

import numpy as np

from hopenvs import registry
from hopenvs.agents.specs import make_agent
from hopenvs.core import kernels, rng, state
from hopenvs.core.batch import Batch
from hopenvs.core.state import TERMINAL

START = 7  # tiles of the start figure (HX-4)
CONTACTS = {2: 3, 4: 4, 6: 5}  # of a gift of so many tiles (HX-9)


def reach(cell: str) -> int:
    """How far a cell lies from the middle."""
    q, r = map(int, cell.split(","))
    return max(abs(q), abs(r), abs(q + r))


def ending(position: dict[str, Any]) -> str:
    """How the round was won, or that nobody won it (HX-9, HX-11, HX-12)."""
    for seat, penalty in enumerate(position["penalties"]):
        if penalty == 0:
            left = position["stacks"][seat] or position["discards"][seat] or position["up"][seat] is not None
            return "by six contacts" if left else "without tiles"
    return "stuck"


def report(players: int, agent_name: str, rounds: int, seed: int) -> None:
    """Play rounds and print what they were like."""
    env_id = f"hexx_hopp-{players}p-1r-v0"
    game, o = registry.resolve(env_id, {})
    agent = make_agent(agent_name, game, o)
    batch = Batch(game, o, rounds)
    batch.start(kernels.NEW_SEED, range(seed, seed + rounds))
    streams = np.array([rng.generator(seed + row, rng.OPPONENTS) for row in range(rounds)])
    other_chance = np.array([rng.generator(seed + row, rng.PLAYOUT) for row in range(rounds)])
    is_placement = np.array([game.action_name(o, a).startswith("place") for a in range(batch.spec.num_actions)])
    found: Counter[int] = Counter()
    tried = 0
    while len(rows := np.flatnonzero(batch.seat != TERMINAL)):
        orders = np.full((rounds, players), kernels.SKIP, np.int32)
        for seat in range(players):
            states, masks, drawn = batch.states[rows], batch.mask[rows, seat], streams[rows]
            states["rng"] = other_chance[rows]
            seats = np.full(len(rows), seat, np.int32)
            orders[rows, seat] = agent.act(
                batch.observation[rows, seat], masks, states=states, seats=seats, streams=drawn
            )
            streams[rows] = drawn
        tried += int(is_placement[orders[rows]].sum())
        batch.step(orders)
        found.update(batch.states["gift_due"][rows][:, :players].ravel().tolist())
    positions = [game.to_position(o, state.people_view(batch.states, row)) for row in range(rounds)]
    ticks = np.array([position["tick"] for position in positions])
    placed = sum(len(position["figure"]) - START for position in positions)
    ends = Counter(map(ending, positions))
    contacts = {CONTACTS[gift]: count for gift, count in sorted(found.items()) if gift}
    contacts[6] = ends["by six contacts"]
    contacts = {2: placed - sum(contacts.values()), **contacts}
    low, middle, high = np.percentile(ticks, (5, 50, 95))
    print(f"{env_id}, {agent_name}, {rounds} rounds")
    print(f"  ticks {middle:.0f} [{low:.0f}, {high:.0f}]", end="   ")
    print("placed a round, by contacts: " + ", ".join(f"{k} {count / rounds:.2f}" for k, count in contacts.items()))
    print(f"  collisions {100 * (tried - placed) / tried:.1f} % of the placements tried", end="   ")
    print("rounds ended " + ", ".join(f"{how} {100 * count / rounds:.1f} %" for how, count in ends.most_common()))
    far = [max(map(reach, position["figure"])) for position in positions]
    print(f"  the figure's radius {np.mean(far):.2f} on average, {max(far)} at most")


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="What rounds of Hexx & Hopp are like.")
    parser.add_argument("--agent", default="uniform", help="who plays all seats")
    parser.add_argument("--players", type=int, nargs="+", default=[2, 3, 4, 5])
    parser.add_argument("--rounds", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0, help="of the first round")
    args = parser.parse_args()
    for players in args.players:
        report(players, args.agent, args.rounds, args.seed)


if __name__ == "__main__":
    main()
