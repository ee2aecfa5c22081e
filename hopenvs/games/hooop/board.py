"""The boards of Hooop! as tables (HO-0 to HO-3).

A *layout* is a board with its homes; all tables have it as their first axis. Leaves, edges and homes are numbered as
on the absolute board. A *spoke* is one of the ways from a leaf to a neighbouring leaf, an *arc* an edge in one of its
two directions. A *view* is the board as a seat sees it, turned so that its own home lies at the bottom or left (HO-0).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hopenvs.games.hooop.options import MAX_PLAYERS, SQUARE3, SQUARE5, TRIANGLE5, TRIANGLE6

NONE = -1

SQUARE5_FOR_FOUR = 4  # the layout after those that are numbered like the boards


@dataclass(frozen=True)
class Layout:
    """A board with homes.

    Attributes:
        rows: for every row from the top, its leaves from left to right.
        edges: the pairs (a, b) of neighbouring leaves, a < b, in the catalogue's order.
        homes: the leaf in front of each home, clockwise from the bottom or the left corner.
        turned: leaf of the absolute board -> leaf in the view of seat 1.
    """

    rows: tuple[tuple[int, ...], ...]
    edges: tuple[tuple[int, int], ...]
    homes: tuple[int, ...]
    turned: tuple[int, ...]

    @property
    def leaves(self) -> int:
        """How many leaves it has."""
        return sum(map(len, self.rows))

    def view(self, seat: int) -> tuple[int, ...]:
        """Leaf of the absolute board -> leaf in the view of a seat: seat 1's map, applied once for every seat."""
        leaves = tuple(range(self.leaves))
        for _ in range(seat):
            leaves = tuple(self.turned[leaf] for leaf in leaves)
        return leaves


def _square(size: int, players: int) -> Layout:
    """Leaf = size * row + col, row 0 at the top; orthogonal neighbours (HO-1, HO-21)."""
    rows = tuple(tuple(range(size * row, size * (row + 1))) for row in range(size))
    pairs = [(leaf, leaf + 1) for row in rows for leaf in row[:-1]]
    pairs += [(leaf, leaf + size) for row in rows[:-1] for leaf in row]
    middle, last = size // 2, size - 1
    bottom, left, top, right = rows[last][middle], rows[middle][0], rows[0][middle], rows[middle][last]
    if players == 2:
        turned = tuple(size * size - 1 - leaf for row in rows for leaf in row)
        return Layout(rows, tuple(sorted(pairs)), (bottom, top), turned)
    turned = tuple(rows[last - col][row] for row in range(size) for col in range(size))
    return Layout(rows, tuple(sorted(pairs)), (bottom, left, top, right), turned)


def _triangle(size: int) -> Layout:
    """Leaf = row * (row + 1) / 2 + col, row 0 is the apex; up to six neighbours (HO-2)."""
    rows = tuple(tuple(range(row * (row + 1) // 2, (row + 1) * (row + 2) // 2)) for row in range(size))
    pairs = [(leaf, leaf + 1) for row in rows for leaf in row[:-1]]
    pairs += [(rows[row][col], rows[row + 1][col + right]) for row in range(size - 1) for col in range(row + 1)
              for right in range(2)]  # fmt: skip
    turned = tuple(rows[size - 1 - col][row - col] for row in range(size) for col in range(row + 1))
    return Layout(rows, tuple(sorted(pairs)), (rows[-1][0], 0, rows[-1][-1]), turned)


_by_code = {
    SQUARE5: _square(5, 2),
    TRIANGLE5: _triangle(5),
    TRIANGLE6: _triangle(6),
    SQUARE3: _square(3, 2),
    SQUARE5_FOR_FOUR: _square(5, 4),
}
LAYOUTS: tuple[Layout, ...] = tuple(_by_code[code] for code in range(len(_by_code)))

MAX_LEAVES = max(layout.leaves for layout in LAYOUTS)
MAX_EDGES = max(len(layout.edges) for layout in LAYOUTS)
MAX_SPOKES = 6


def _table(*shape: int) -> NDArray[np.int16]:
    """A table full of NONE, one part a layout."""
    return np.full((len(LAYOUTS), *shape), NONE, np.int16)


LEAVES = np.array([layout.leaves for layout in LAYOUTS], np.int16)
EDGES = np.array([len(layout.edges) for layout in LAYOUTS], np.int16)
HOME_LEAF = _table(MAX_PLAYERS)  # [layout, home] the leaf in front of it
HOME_AT = _table(MAX_LEAVES)  # [layout, leaf] the home behind it, or NONE

SPOKES = _table(MAX_LEAVES)  # [layout, leaf] how many neighbours it has
MOST_SPOKES = np.zeros(len(LAYOUTS), np.int16)  # [layout] of any leaf
NEIGHBOUR = _table(MAX_LEAVES, MAX_SPOKES)  # [layout, leaf, spoke] the leaf at the other end (*)
EDGE = _table(MAX_LEAVES, MAX_SPOKES)  # [layout, leaf, spoke]
ENDS = _table(MAX_EDGES, 2)  # [layout, edge, ...] its two leaves, the smaller first
BACK = _table(MAX_LEAVES, MAX_SPOKES)  # [layout, leaf, spoke] the spoke of the neighbour that leads back here

VIEW_LEAF = _table(MAX_PLAYERS, MAX_LEAVES)  # [layout, view, leaf] the leaf's number in the view
VIEW_EDGE = _table(MAX_PLAYERS, MAX_EDGES)  # [layout, view, edge] the edge's number in the view
VIEW_ARC = _table(MAX_PLAYERS, MAX_LEAVES, MAX_SPOKES)  # [layout, view, leaf, spoke] its number in the view (*)

VIEW_ARC_TO = _table(MAX_PLAYERS, MAX_LEAVES, MAX_LEAVES)  # [layout, view, leaf, neighbour] the same
# (*) From SPOKES to MOST_SPOKES the first spoke is said again: loops that may do a thing twice run equally often.

EDGE_IN_VIEW = _table(MAX_PLAYERS, MAX_EDGES)  # [layout, view, edge of the view] the absolute edge
ARC_LEAF = _table(MAX_PLAYERS, 2 * MAX_EDGES)  # [layout, view, arc of the view] the absolute leaf it starts from
ARC_SPOKE = _table(MAX_PLAYERS, 2 * MAX_EDGES)  # [layout, view, arc of the view] the spoke of that leaf


def _fill(code: int, layout: Layout) -> None:
    """Write a layout into the tables."""
    SPOKES[code, : layout.leaves] = 0
    for edge, ends in enumerate(layout.edges):
        ENDS[code, edge] = ends
        spokes = [int(SPOKES[code, leaf]) for leaf in ends]
        for here, there in ((0, 1), (1, 0)):
            NEIGHBOUR[code, ends[here], spokes[here]] = ends[there]
            EDGE[code, ends[here], spokes[here]] = edge
            BACK[code, ends[here], spokes[here]] = spokes[there]
            SPOKES[code, ends[here]] += 1
    for home, leaf in enumerate(layout.homes):
        HOME_LEAF[code, home] = leaf
        HOME_AT[code, leaf] = home
    number = {ends: edge for edge, ends in enumerate(layout.edges)}
    for view in range(len(layout.homes)):
        seen = layout.view(view)
        VIEW_LEAF[code, view, : layout.leaves] = seen
        for leaf in range(layout.leaves):
            for spoke in range(SPOKES[code, leaf]):
                start, end = seen[leaf], seen[NEIGHBOUR[code, leaf, spoke]]
                edge = number[min(start, end), max(start, end)]
                arc = 2 * edge + (start > end)
                VIEW_EDGE[code, view, EDGE[code, leaf, spoke]] = edge
                EDGE_IN_VIEW[code, view, edge] = EDGE[code, leaf, spoke]
                VIEW_ARC[code, view, leaf, spoke] = arc
                VIEW_ARC_TO[code, view, leaf, NEIGHBOUR[code, leaf, spoke]] = arc
                ARC_LEAF[code, view, arc] = leaf
                ARC_SPOKE[code, view, arc] = spoke
    MOST_SPOKES[code] = SPOKES[code].max()
    for leaf in range(layout.leaves):
        again = slice(SPOKES[code, leaf], MOST_SPOKES[code])
        NEIGHBOUR[code, leaf, again] = NEIGHBOUR[code, leaf, 0]
        VIEW_ARC[code, :, leaf, again] = VIEW_ARC[code, :, leaf, :1]


for _code, _layout in enumerate(LAYOUTS):
    _fill(_code, _layout)
