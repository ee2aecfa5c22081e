"""The value of every position: what seat 0 gets when both play as well as can be (seat 1 gets the opposite).

A game pays 1 to its winner and -1 to the loser (C-7, by wins); play that goes on for ever pays 0. Such a game has a
value, and both seats have a best way to play that looks at nothing but the position (for games with chance see
A. Condon, "The complexity of stochastic games", Information and Computation 96, 1992).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from hopenvs.core import jit, plain
from hopenvs.core.errors import OptionError
from hopenvs.core.state import CHANCE, TERMINAL
from hopenvs.solve.graph import Graph, described
from hopenvs.solve.values_kernel import AVERAGE, END, LARGEST, SMALLEST, layer_kernel, sweep_kernel

# Bounds as close as this are one value: what is left is rounding.
PRECISION = 1e-12
# Bounds that move less than this in a sweep have come to rest.
STANDSTILL = 1e-15
MOST_SWEEPS = 20_000
# Values as close as this are equal: they are sums of the same numbers, perhaps in another order.
TIE = 1e-9


@dataclass(frozen=True)
class Bounds:
    """Between what each node's value lies, for seat 0.

    Attributes:
        low: [N] float64.
        high: [N] float64.
        steps: [N] int32, in how many decisions the game is over if the winner hurries and the loser delays; 0 at the
            end, and where nobody can win. None where chance has a say.
    """

    low: np.ndarray
    high: np.ndarray
    steps: np.ndarray | None = None

    @property
    def error(self) -> float:
        """How far they lie apart, at most."""
        return float((self.high - self.low).max())


@dataclass(frozen=True)
class Solution:
    """A solved game.

    Attributes:
        graph: its positions.
        values: [N] float64, each node's value for seat 0, off by no more than `error`.
        bounds: between what they lie.
    """

    graph: Graph
    values: np.ndarray
    bounds: Bounds

    @property
    def value(self) -> float:
        """The value of the game, for seat 0."""
        return float(self.values[0])

    @property
    def error(self) -> float:
        """How far a value may be off."""
        return self.bounds.error

    def losses(self) -> np.ndarray:
        """[E] float64: what the seat that decides loses of the value by an action; 0 at chance points."""
        graph = self.graph
        seat = graph.kinds[graph.sources]
        gained = self.values[graph.successors] - self.values[graph.sources]
        return np.maximum(0.0, np.select([seat == 0, seat == 1], [-gained, gained], 0.0))

    def best(self) -> np.ndarray:
        """[E] bool: the actions to take: those that lose nothing, and win soonest or lose latest if that is known."""
        graph, steps = self.graph, self.bounds.steps
        best = (graph.kinds[graph.sources] >= 0) & (self.losses() <= TIE)
        if steps is None:
            return best
        expected = np.maximum(steps[graph.sources] - 1, 0)
        return best & ((steps[graph.successors] == expected) | (steps[graph.sources] == 0))


def solve(graph: Graph, *, tell: Callable[[str], Any] | None = None) -> Solution:
    """The values of all nodes of a graph.

    Without chance they are found by retrograde analysis (K. Thompson, "Retrograde analysis of certain endgames", ICCA
    Journal 9, 1986) and exact. With chance by value iteration from below and from above (S. Haddad, B. Monmege,
    "Interval iteration algorithm for MDPs and IMDPs", Theoretical Computer Science 735, 2018), until the bounds meet.

    Args:
        graph: the graph.
        tell: is told now and then, in words, how far it is.

    Raises:
        OptionError: if the bounds don't meet, as chance has a say and yet play may be kept up for ever.
    """
    bounds = find_bounds(graph, roles_of(graph), chances_of(graph), tell=tell)
    if bounds.error > PRECISION:
        raise OptionError(
            f"{described(graph.game, graph.options)}: the bounds of the values stay {bounds.error:.3g} apart: expected "
            f"options under which nobody can keep a game up for ever"
        )
    return Solution(graph, (bounds.low + bounds.high) / 2, bounds)


def roles_of(graph: Graph) -> np.ndarray:
    """[N] int8: seat 0 takes the largest value, seat 1 the smallest, chance the average."""
    roles = np.full(graph.num_nodes, AVERAGE, np.int8)
    roles[graph.kinds == 0] = LARGEST
    roles[graph.kinds == 1] = SMALLEST
    roles[graph.kinds == TERMINAL] = END
    return roles


def chances_of(graph: Graph) -> np.ndarray:
    """[E] float64: how likely each outcome is; 0 for actions."""
    return np.where(graph.kinds[graph.sources] == CHANCE, graph.share(graph.weights), 0.0)


def find_bounds(
    graph: Graph,
    roles: np.ndarray,
    chances: np.ndarray,
    *,
    low: np.ndarray | None = None,
    high: np.ndarray | None = None,
    tell: Callable[[str], Any] | None = None,
) -> Bounds:
    """Between what the values of all nodes lie, given what each does with those of its successors.

    Where nothing is left to chance, the bounds are the values. Elsewhere they hold the values even if they don't meet,
    which happens where play can be kept up for ever.

    Args:
        graph: the graph.
        roles: [N] int8, LARGEST, SMALLEST, AVERAGE or END.
        chances: [E] float64, how likely the edges of averages are.
        low: [N] known lower bounds that one sweep can only raise; -1 by default.
        high: [N] known upper bounds that one sweep can only lower; 1 by default.
        tell: is told now and then, in words, how far it is.
    """
    averaged = chances[roles[graph.sources] == AVERAGE]
    if ((averaged == 0.0) | (averaged == 1.0)).all():
        return _decide(graph, roles, chances, tell)
    ended = roles == END
    found = []
    for known, extreme in ((low, -1.0), (high, 1.0)):
        values = np.full(graph.num_nodes, extreme) if known is None else known.copy()
        values[ended] = graph.rewards[ended]
        found.append(values)
    arrays: tuple[Any, ...] = (roles, graph.first_edge, graph.successors, chances, *found)
    if jit.BACKEND == "plain":
        arrays = tuple(map(plain.wrap, arrays))
    for _ in range(MOST_SWEEPS):
        moved = sweep_kernel()(0, graph.num_nodes, *arrays, PRECISION / 2)
        gap = float((found[1] - found[0]).max())
        if tell is not None:
            tell(f"bounds of the values: {gap:.1e} apart")
        if gap <= PRECISION or moved <= STANDSTILL:
            break
    return Bounds(found[0], found[1])


def _decide(graph: Graph, roles: np.ndarray, chances: np.ndarray, tell: Callable[[str], Any] | None) -> Bounds:
    """Retrograde analysis: what is won or lost in 1, 2, 3 .. decisions; the rest is kept up for ever."""
    before = np.where(roles == END, graph.rewards, 0.0)
    after = before.copy()
    steps = np.zeros(graph.num_nodes, np.int32)
    arrays: tuple[Any, ...] = (roles, graph.first_edge, graph.successors, chances, before, after, steps)
    if jit.BACKEND == "plain":
        arrays = tuple(map(plain.wrap, arrays))
    layer = decided = 0
    while True:
        layer += 1
        found = layer_kernel()(0, graph.num_nodes, *arrays, layer)
        if not found:
            return Bounds(after, after, steps)
        decided += found
        before[...] = after
        if tell is not None:
            tell(f"{decided:,} positions decided in up to {layer} decisions")
