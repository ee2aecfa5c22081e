"""The compiled sweeps over a graph: each gives every node the value that its successors' values make it worth.

Letters of shapes: N nodes, E edges. They need no game.
"""

from __future__ import annotations

import functools
from typing import Any

from hopenvs.core.jit import instantiate

# What a node does with the values of its successors.
LARGEST, SMALLEST, AVERAGE, END = 0, 1, 2, 3

_CONSTANTS = dict(LARGEST=LARGEST, SMALLEST=SMALLEST, AVERAGE=AVERAGE)


# mypy: disable-error-code="name-defined"


def worth(i: int, role: int, first_edge: Any, successors: Any, chances: Any, values: Any) -> float:
    """What node `i` is worth, by the `values` [N] of its successors."""
    first = first_edge[i]
    last = first_edge[i + 1]
    if role == AVERAGE:
        total = 0.0
        for edge in range(first, last):
            if chances[edge] > 0.0:
                total += chances[edge] * values[successors[edge]]
        return total
    best = values[successors[first]]
    for edge in range(first + 1, last):
        value = values[successors[edge]]
        if (role == LARGEST and value > best) or (role == SMALLEST and value < best):
            best = value
    return best


def sweep_range(
    lo: int, hi: int, roles: Any, first_edge: Any, successors: Any, chances: Any, low: Any, high: Any, close: float
) -> float:  # fmt: skip
    """Bring the bounds `low` and `high` [N] up to date in place, from node hi - 1 down to lo; the largest change.

    `roles` [N] int8, `chances` [E] float64 (of the edges of averages). Late nodes lie near the ends of games, so that
    values travel far in one sweep. Bounds that are no more than `close` apart are left alone: they hold the value, and
    bounds that follow from them lie no further apart.
    """
    change = 0.0
    for back in range(hi - lo):
        i = hi - 1 - back
        if roles[i] <= AVERAGE and high[i] - low[i] > close:
            value = worth(i, roles[i], first_edge, successors, chances, low)
            change = max(change, abs(value - low[i]))
            low[i] = value
            value = worth(i, roles[i], first_edge, successors, chances, high)
            change = max(change, abs(value - high[i]))
            high[i] = value
    return change


def layer_range(
    lo: int, hi: int, roles: Any, first_edge: Any, successors: Any, chances: Any, before: Any, after: Any, steps: Any,
    layer: int,
) -> int:  # fmt: skip
    """Decide in `after` what can be won or lost in `layer` steps, from what can be in one less, `before` (both [N]).

    `steps` [N] int32 is written where that is so. Returns how many nodes it is so of. For graphs in which nothing is
    left to chance: `chances` are 0 or 1, values -1, 0 or 1, and what is won or lost stays so.
    """
    decided = 0
    for i in range(lo, hi):
        if roles[i] <= AVERAGE and steps[i] == 0:
            value = worth(i, roles[i], first_edge, successors, chances, before)
            if value != 0.0:
                steps[i] = layer
                after[i] = value
                decided += 1
    return decided


@functools.cache
def _kernel(template: Any) -> Any:
    names: dict[str, Any] = dict(_CONSTANTS)
    names["worth"] = instantiate(worth, names, "solve_worth", entry=False)
    return instantiate(template, names, f"solve_{template.__name__}", entry=True)


def sweep_kernel() -> Any:
    """The compiled `sweep_range`."""
    return _kernel(sweep_range)


def layer_kernel() -> Any:
    """The compiled `layer_range`."""
    return _kernel(layer_range)
