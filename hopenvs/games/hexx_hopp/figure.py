"""The figure on the table: which cells are taken, what touches the free ones, and where a tile fits (HX-2 to HX-6)."""

from __future__ import annotations

from typing import Any

import numpy as np

from hopenvs.core.jit import rule
from hopenvs.games.hexx_hopp.table import (
    MAX_CELLS,
    NEIGHBOUR,
    NUM_CELLS,
    NUM_TILES,
    OFF,
    SIDES,
    colour_at,
    matches,
)

EMPTY = -1
CONTACTS_NEEDED = 2  # HX-6

# A connected figure of n tiles has at least n - 1 pairs that touch, so at most 6n - 2(n - 1) of its sides are free, and
# an open cell takes two of them: 4 * 72 + 2 sides are enough for 145 cells.
MOST_OPEN = (4 * NUM_TILES + 2) // CONTACTS_NEEDED

FIELDS = [
    ("turned", np.int16, (MAX_CELLS,)),  # the turned tile on a cell, or EMPTY
    ("touching", np.int32, (MAX_CELLS,)),  # what touches it (see table.py)
    ("contacts", np.int8, (MAX_CELLS,)),  # how many neighbours of a free cell are occupied; 0 of a taken one
    ("placed", np.int16, (NUM_TILES,)),  # the cells of the figure's tiles, ascending
    ("num_placed", np.int16),
    ("open_cell", np.int16, (MOST_OPEN,)),  # free cells with two contacts or more, ascending
    ("num_open", np.int16),
]


@rule
def clear_figure(o: Any, s: Any) -> None:
    """No tile lies on the table."""
    for cell in range(NUM_CELLS[o.table_radius]):
        s.turned[cell] = EMPTY
        s.touching[cell] = 0
        s.contacts[cell] = 0
    for k in range(NUM_TILES):
        s.placed[k] = 0
    for k in range(MOST_OPEN):
        s.open_cell[k] = 0
    s.num_placed = 0
    s.num_open = 0


@rule
def put(o: Any, s: Any, cell: int, turned: int) -> None:
    """A turned tile comes onto a free cell."""
    if s.contacts[cell] >= CONTACTS_NEEDED:
        leave_out(s.open_cell, s.num_open, cell)
        s.num_open -= 1
    s.contacts[cell] = 0
    s.turned[cell] = turned
    insert(s.placed, s.num_placed, cell)
    s.num_placed += 1
    for side in range(SIDES):
        neighbour = NEIGHBOUR[o.table_radius, cell, side]
        if neighbour != OFF:
            there = (side + 3) % SIDES  # HX-2
            s.touching[neighbour] |= (1 << there) | (colour_at(turned, side) << (SIDES + 2 * there))
            if s.turned[neighbour] == EMPTY:
                s.contacts[neighbour] += 1
                if s.contacts[neighbour] == CONTACTS_NEEDED:
                    insert(s.open_cell, s.num_open, neighbour)
                    s.num_open += 1


@rule
def insert(cells: Any, count: int, cell: int) -> None:
    """A cell comes into an ascending list of `count` cells."""
    k = count
    while k > 0 and cells[k - 1] > cell:
        cells[k] = cells[k - 1]
        k -= 1
    cells[k] = cell


@rule
def leave_out(cells: Any, count: int, cell: int) -> None:
    """A cell leaves an ascending list of `count` cells."""
    k = 0
    while cells[k] != cell:
        k += 1
    while k < count - 1:
        cells[k] = cells[k + 1]
        k += 1
    cells[k] = 0


@rule
def can_place(s: Any, cell: int, turned: int) -> bool:
    """HX-6: the cell is free, has two contacts or more, and all colours match."""
    return s.contacts[cell] >= CONTACTS_NEEDED and matches(s.touching[cell], turned)


@rule
def fits_anywhere(s: Any, tile: int) -> bool:
    """Whether a tile can be placed somewhere, turned somehow."""
    for k in range(s.num_open):
        touching = s.touching[s.open_cell[k]]
        for rotation in range(SIDES):
            if matches(touching, SIDES * tile + rotation):
                return True
    return False


@rule
def most_contacts(s: Any, tile: int) -> int:
    """The most contacts a tile can be placed with; 0 if it fits nowhere."""
    most = 0
    for k in range(s.num_open):
        cell = s.open_cell[k]
        if s.contacts[cell] > most:
            for rotation in range(SIDES):
                if matches(s.touching[cell], SIDES * tile + rotation):
                    most = s.contacts[cell]
                    break
    return most
