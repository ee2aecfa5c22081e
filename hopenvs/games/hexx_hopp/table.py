"""Cells of the table and tiles on them, as tables (HX-1 to HX-4, HX-6).

Cells of a table are numbered by r, then q. What touches an empty cell is one integer: bit d says whether the neighbour
in direction d is occupied, two bits from 6 + 2 * d on hold the colour that lies there. A *turned tile* is 6 * tile + k
for a tile turned by k; its colours are packed likewise, from bit 0 on.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hopenvs.core.jit import rule
from hopenvs.games.hexx_hopp.options import MAX_RADIUS
from hopenvs.games.hexx_hopp.tiles import COLOURS, DIRECTIONS, TILES

SIDES = 6
NUM_TILES = len(TILES)
OFF = -1  # no cell: beyond the table


def cells_of(radius: int) -> list[tuple[int, int]]:
    """The cells (q, r) of a table, in order of their numbers."""
    span = range(-radius, radius + 1)
    return [(q, r) for r in span for q in span if abs(q + r) <= radius]


MAX_CELLS = len(cells_of(MAX_RADIUS))

NUM_CELLS = np.array([len(cells_of(radius)) for radius in range(MAX_RADIUS + 1)], np.int16)  # [radius]


def _neighbours() -> NDArray[np.int16]:
    """[radius, cell, direction] the neighbour's number, or OFF."""
    table = np.full((MAX_RADIUS + 1, MAX_CELLS, SIDES), OFF, np.int16)
    for radius in range(MAX_RADIUS + 1):
        number = {cell: k for k, cell in enumerate(cells_of(radius))}
        for (q, r), k in number.items():
            for d, (dq, dr) in enumerate(DIRECTIONS):
                table[radius, k, d] = number.get((q + dq, r + dr), OFF)
    return table


NEIGHBOUR = _neighbours()

# HX-4: the star, the centre and then each arm from the inside out; and the direction from each tile to the one it
# touches.
ARMS = (0, 2, 4)
STAR = [(0, 0)] + [(step * DIRECTIONS[d][0], step * DIRECTIONS[d][1]) for d in ARMS for step in (1, 2)]
STAR_SIZE = len(STAR)
INWARDS = np.array([OFF] + [(d + 3) % SIDES for d in ARMS for _ in (1, 2)], np.int16)  # [k]


def _star() -> NDArray[np.int16]:
    """[radius, k] the number of the star's k-th cell."""
    table = np.zeros((MAX_RADIUS + 1, STAR_SIZE), np.int16)
    for radius in range(2, MAX_RADIUS + 1):
        cells = cells_of(radius)
        table[radius] = [cells.index(cell) for cell in STAR]
    return table


STAR_CELL = _star()


def _colours() -> NDArray[np.int32]:
    """[turned tile] the colours of its sides, packed: side d shows segment d - k (HX-2)."""
    table = np.zeros(SIDES * NUM_TILES, np.int32)
    for tile, segments in enumerate(TILES):
        for k in range(SIDES):
            for d in range(SIDES):
                table[SIDES * tile + k] |= COLOURS.index(segments[(d - k) % SIDES]) << (2 * d)
    return table


COLOURS_OF = _colours()

# [occupied sides] the packed colours of those sides as ones.
ASKED = np.array([sum(3 << (2 * d) for d in range(SIDES) if bits >> d & 1) for bits in range(2**SIDES)], np.int32)
ALL_SIDES = 2**SIDES - 1


@rule
def colour_at(turned: int, side: int) -> int:
    """The colour of a side of a turned tile."""
    return (COLOURS_OF[turned] >> (2 * side)) & 3


@rule
def matches(touching: int, turned: int) -> bool:
    """HX-6: every touching pair of segments has the same colour."""
    return ((touching >> SIDES) ^ COLOURS_OF[turned]) & ASKED[touching & ALL_SIDES] == 0
