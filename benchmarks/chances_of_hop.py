"""Whether HOP!'s chance is as stated: throws (HP-8) and the values of clouds (HP-2, HP-11), in games that are played.

    python benchmarks/chances_of_hop.py [--throws 1000000] [--players 4] [--seed 0]

Uniform random games run side by side, once with equal and once with sampled skills. The stated chance of every throw is
worked out here from the dare and the skills of those who take part, not by the engine. Chi-square statistics are told
with their degrees of freedom and with how many standard deviations they lie above what fair chance gives (Wilson and
Hilferty's approximation): within -3 and 3 is fair.
"""

from __future__ import annotations

import argparse
import itertools
import math
from collections import Counter, defaultdict
from typing import Any

import numpy as np

from hopenvs import registry
from hopenvs.agents.uniform import uniform_actions
from hopenvs.core import kernels, rng
from hopenvs.core.batch import Batch

ROWS = 4_000  # games side by side
TOKENS = (12, 12, 12)  # HP-2
RARE = 5  # cells in which fewer are expected are counted together


def stated_chances(o: Any, states: np.ndarray) -> np.ndarray:
    """HP-8: [n] hundredths for records before the throw; skills are throw, catch, help, hinder."""
    dares = [o.dares.dares[dare] for dare in states["dare"]]
    rows = np.arange(len(states))
    skills = states["skill"].astype(np.int64)
    return np.clip(
        [dare.base for dare in dares]
        + skills[rows, states["hurler"], 0]
        + skills[rows, states["skewerer"], 1]
        + skills[rows, states["assister"], 2] * [dare.assister for dare in dares]
        - skills[rows, states["turbulator"], 3] * [dare.turbulator for dare in dares],
        5,
        95,
    )


def deviations(statistic: float, freedom: int) -> float:
    """How far a chi-square statistic lies above what fair chance gives, in standard deviations."""
    spread = 2 / (9 * freedom)
    return float(((statistic / freedom) ** (1 / 3) - (1 - spread)) / math.sqrt(spread))


def tell(what: str, statistic: float, freedom: int, count: int) -> None:
    """One line of the result."""
    print(f"  {what}: {count:,} drawn, chi-square {statistic:.1f} with {freedom} degrees of freedom", end=", ")
    print(f"{deviations(statistic, freedom):+.2f} standard deviations")


def tell_throws(found: dict[int, list[int]]) -> None:
    """`found`: for every stated chance, the failures and the successes."""
    statistic = 0.0
    for chance, (failures, successes) in sorted(found.items()):
        count = failures + successes
        expected = count * chance / 100
        part = (successes - expected) ** 2 / (expected * (1 - chance / 100))
        statistic += part
        print(f"    {chance:3d} %: {successes:,} of {count:,}, {100 * successes / count:.2f} %  ({part:.2f})")
    tell("throws", statistic, len(found), sum(map(sum, found.values())))


def hands(clouds: int) -> dict[tuple[int, ...], float]:
    """HP-11: the chance of every collection of so many tokens (of value 0, 1 and 2): hypergeometric."""
    ways = {
        counts: math.prod(math.comb(have, taken) for have, taken in zip(TOKENS, counts, strict=True))
        for counts in itertools.product(*(range(have + 1) for have in TOKENS))
        if sum(counts) == clouds
    }
    return {counts: way / math.comb(sum(TOKENS), clouds) for counts, way in ways.items()}


def tell_clouds(found: Counter[tuple[int, ...]]) -> None:
    """`found`: how many players ended with so many clouds of value 0, 1 and 2 (nothing is told of too few)."""
    players: Counter[int] = Counter()
    for counts, times in found.items():
        players[sum(counts)] += times
    statistic, freedom = 0.0, 0
    for clouds in sorted(set(players) - {0}):
        cells = [(found[counts], players[clouds] * chance) for counts, chance in hands(clouds).items()]
        likely = [cell for cell in cells if cell[1] >= RARE]
        rare = [cell for cell in cells if cell[1] < RARE]
        if rare and sum(expected for _, expected in rare) >= RARE:
            likely.append((sum(times for times, _ in rare), sum(expected for _, expected in rare)))
        if len(likely) > 1:
            statistic += sum((times - expected) ** 2 / expected for times, expected in likely)
            freedom += len(likely) - 1
    if freedom:
        tell("players' clouds", statistic, freedom, sum(players.values()))


def measure(env_id: str, throws: int, seed: int) -> None:
    """Play until so many throws have been made, and tell what was found."""
    game, options = registry.resolve(env_id, {})
    batch = Batch(game, options, ROWS, autoreset=kernels.SAME_STEP)
    batch.start(kernels.NEW_SEED, range(seed, seed + ROWS))
    streams = np.array([rng.generator(seed + row, rng.OPPONENTS) for row in range(ROWS)])
    found: dict[int, list[int]] = defaultdict(lambda: [0, 0])
    clouds: Counter[tuple[int, ...]] = Counter()
    players = batch.spec.num_players
    made = 0
    while made < throws:
        before = batch.states.copy()
        batch.step(uniform_actions(batch.mask[:, 0], streams)[:, None])
        over = batch.terminated
        after = np.where(over, batch.finals[:ROWS], batch.states)
        thrown = np.flatnonzero(over | (after["turn"] > before["turn"]))
        made += len(thrown)
        for chance, success in zip(stated_chances(options, before[thrown]), after["last_throw"][thrown], strict=True):
            found[int(chance)][success] += 1
        for row in np.flatnonzero(over):  # one player a game: two hold tokens of the same 36
            clouds[tuple(after["clouds"][row, row % players].tolist())] += 1
    print(f"{env_id}, uniform random play, {made:,} throws")
    tell_throws(found)
    tell_clouds(clouds)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="Whether HOP!'s chance is as stated.")
    parser.add_argument("--throws", type=int, default=1_000_000)
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--seed", type=int, default=0, help="of the first game")
    args = parser.parse_args()
    for suffix in ("", "-sampled"):
        measure(f"hop-{args.players}p{suffix}-v0", args.throws, args.seed)


if __name__ == "__main__":
    main()
