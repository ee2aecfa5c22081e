"""How far an agent is from optimal play: what a best response takes from it, and what its decisions lose.

NashConv and exploitability as in M. Lanctot et al., "A unified game-theoretic approach to multiagent reinforcement
learning", NeurIPS 2017.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hopenvs.solve.asking import ASKS, Policy, ask
from hopenvs.solve.values import (
    PRECISION,
    TIE,
    Bounds,
    Solution,
    chances_of,
    find_bounds,
    roles_of,
)
from hopenvs.solve.values_kernel import AVERAGE

if TYPE_CHECKING:
    from hopenvs.agents.agent import Agent

# Games against optimal play, and after how many decisions and outcomes one is left as level.
GAMES = 4_000
LONGEST_GAME = 2_000


@dataclass(frozen=True)
class Side:
    """What an agent comes to in one seat, by the reward it can expect (C-7, by wins).

    Attributes:
        seat: which.
        value: what optimal play gets there, whatever the other seat does.
        low: what the agent gets against a best response, at least.
        high: the same, at most: equal to `low` but for rounding, unless play against the agent can be kept up for ever.
        against_optimal: the mean of what it got in games against optimal play.
    """

    seat: int
    value: float
    low: float
    high: float
    against_optimal: float

    @property
    def loss(self) -> float:
        """How much less than the value it gets against a best response."""
        return max(0.0, self.value - (self.low + self.high) / 2)


@dataclass(frozen=True)
class Decisions:
    """How good an agent's decisions are, where it matters: where some action loses some of the value.

    Attributes:
        count: how many decisions were looked at.
        optimal: the share of them that loses nothing.
        loss: how much of the value a decision loses, on average.
    """

    count: int
    optimal: float
    loss: float


@dataclass(frozen=True)
class Distance:
    """How far an agent is from optimal play.

    Attributes:
        sides: for each seat.
        everywhere: its decisions in all positions, each counted once.
        in_play: its decisions in games against optimal play, from both seats.
        exact: whether its chances are known; else they were counted from its answers.
    """

    sides: tuple[Side, Side]
    everywhere: Decisions
    in_play: Decisions
    exact: bool

    @property
    def nash_conv(self) -> float:
        """What it loses to best responses in both seats together."""
        return self.sides[0].loss + self.sides[1].loss

    @property
    def exploitability(self) -> float:
        """What it loses to a best response, in the mean of both seats."""
        return self.nash_conv / 2

    def as_dict(self) -> dict[str, Any]:
        """JSON-able."""
        return {
            "exploitability": self.exploitability,
            "nash_conv": self.nash_conv,
            "exact": self.exact,
            "seats": [asdict(side) | {"loss": side.loss} for side in self.sides],
            "everywhere": asdict(self.everywhere),
            "in_play": asdict(self.in_play),
        }


def find_distance(
    solution: Solution,
    agent: Agent,
    *,
    asks: int = ASKS,
    games: int = GAMES,
    seed: int = 0,
    tell: Callable[[str], Any] | None = None,
) -> Distance:
    """How far an agent is from optimal play.

    Args:
        solution: the solved game.
        agent: who is measured.
        asks: how often it is asked about a position, if it draws.
        games: how many games against optimal play are looked at from each seat.
        seed: of what the agent draws, and of these games.
        tell: is told now and then, in words, how far it is.
    """
    policy = ask(solution.graph, agent, asks=asks, seed=seed, tell=tell)
    sides, visits = [], np.zeros(solution.graph.num_nodes, np.int64)
    for seat in range(2):
        bounds = best_response(solution, policy, seat, tell=tell)
        mean, seen = play_optimal(solution, policy, seat, games, seed)
        visits += seen
        ends = sorted((_to(seat, float(bounds.low[0])), _to(seat, float(bounds.high[0]))))
        sides.append(Side(seat, _to(seat, solution.value), ends[0], ends[1], mean))
    once = (solution.graph.kinds >= 0).astype(np.int64)
    everywhere = judge(solution, policy, once)
    return Distance((sides[0], sides[1]), everywhere, judge(solution, policy, visits), policy.exact)


def best_response(solution: Solution, policy: Policy, seat: int, *, tell: Callable[[str], Any] | None = None) -> Bounds:
    """What seat 0 gets from every node if an agent has `seat` and the other seat makes the most of that.

    The other seat gets at least what optimal play does, which is where value iteration begins.

    Args:
        solution: the solved game.
        policy: how the agent plays.
        seat: the agent's.
        tell: is told now and then, in words, how far it is.
    """
    graph = solution.graph
    roles = roles_of(graph)
    roles[graph.kinds == seat] = AVERAGE
    chances = chances_of(graph) + policy.chances
    known = {"high": solution.bounds.high} if seat == 0 else {"low": solution.bounds.low}
    bounds = find_bounds(graph, roles, chances, **known, tell=tell)
    if bounds.error <= PRECISION:
        middle = (bounds.low + bounds.high) / 2
        return Bounds(middle, middle, bounds.steps)
    return bounds


def play_optimal(solution: Solution, policy: Policy, seat: int, games: int, seed: int) -> tuple[float, np.ndarray]:
    """Games of an agent against optimal play, which draws among the best actions.

    Args:
        solution: the solved game.
        policy: how the agent plays.
        seat: the agent's.
        games: how many.
        seed: of all that is drawn.

    Returns:
        (what the agent got, on average; [N] int64 how often it decided in each node).
    """
    graph = solution.graph
    best = solution.best().astype(np.float64)
    kinds = graph.kinds[graph.sources]
    optimal = np.where(kinds == 1 - seat, graph.share(np.where(kinds >= 0, best, 1.0)), 0.0)
    chances = chances_of(graph) + np.where(kinds == seat, policy.chances, 0.0) + optimal
    reached = np.cumsum(chances)  # every node that isn't an end adds 1
    generator = np.random.default_rng((seed, seat))
    visits = np.zeros(graph.num_nodes, np.int64)
    nodes = np.zeros(games, np.int64)
    going = np.arange(games)
    for _ in range(LONGEST_GAME):
        going = going[graph.first_edge[nodes[going] + 1] > graph.first_edge[nodes[going]]]
        if not len(going):
            break
        here = nodes[going]
        np.add.at(visits, here[graph.kinds[here] == seat], 1)
        first, last = graph.first_edge[here], graph.first_edge[here + 1] - 1
        before = np.where(first > 0, reached[first - 1], 0.0)
        drawn = before + generator.random(len(here)) * (reached[last] - before)
        nodes[going] = graph.successors[np.clip(np.searchsorted(reached, drawn, side="right"), first, last)]
    return _to(seat, float(graph.rewards[nodes].mean())), visits


def judge(solution: Solution, policy: Policy, visits: np.ndarray) -> Decisions:
    """How good decisions are where it matters, each node counted as often as `visits` [N] says."""
    graph, losses = solution.graph, solution.losses()
    worst = np.zeros(graph.num_nodes)
    np.maximum.at(worst, graph.sources, losses)
    mean = np.bincount(graph.sources, policy.chances * losses, graph.num_nodes)
    optimal = np.bincount(graph.sources, policy.chances * (losses <= TIE), graph.num_nodes)
    counted = visits * (worst > TIE)
    total = int(counted.sum())
    if not total:
        return Decisions(0, 1.0, 0.0)
    return Decisions(total, float((counted * optimal).sum() / total), float((counted * mean).sum() / total))


def _to(seat: int, value: float) -> float:
    """What seat 0 gets, seen from a seat."""
    return value if seat == 0 else -value
