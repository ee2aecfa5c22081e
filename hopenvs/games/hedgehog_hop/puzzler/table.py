"""The table of the Puzzlers: its size, the starting mob and the deal, by number of players (HH-10 to HH-12, HH-21).

Tables have a *size* as their first axis: 0 for two players, 1 for three, 2 for four to six. Cells are counted from the
table's left and lower edge: cell (x, y) of the rules is column x - LEFT, row y - BOTTOM.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hopenvs.core.jit import rule


@dataclass(frozen=True)
class Size:
    """What depends on the number of players.

    Attributes:
        seats: the greatest number of players of this size.
        decks: HH-1.
        hand: cards a player (HH-10).
        left: the smallest x; the largest is -left (HH-21).
        bottom: the smallest y.
        top: the largest y.
        start: the cells of the starting mob in reading order (HH-11).
    """

    seats: int
    decks: int
    hand: int
    left: int
    bottom: int
    top: int
    start: tuple[tuple[int, int], ...]

    @property
    def columns(self) -> int:
        """How many columns the table has."""
        return 1 - 2 * self.left

    @property
    def rows(self) -> int:
        """How many rows it has."""
        return self.top - self.bottom + 1

    @property
    def turns(self) -> int:
        """How many turns a game has with all seats taken (HH-19)."""
        return self.seats * (self.hand - 1)

    @property
    def mob(self) -> int:
        """How many cards the mob can come to hold."""
        return len(self.start) + self.turns


SQUARE = tuple((x, y) for y in (1, 0, -1) for x in (-1, 0, 1))
PLUS = ((0, 1), (-1, 0), (0, 0), (1, 0), (0, -1))  # a house ruling: the rulebook's figure is lost
DIAMOND = tuple((x, y) for y in (2, 1, 0, -1, -2) for x in range(abs(y) - 2, 3 - abs(y)))  # a house ruling too

SIZES = (
    Size(seats=2, decks=1, hand=7, left=-13, bottom=-1, top=13, start=SQUARE),
    Size(seats=3, decks=1, hand=6, left=-16, bottom=-1, top=16, start=PLUS),
    Size(seats=6, decks=2, hand=6, left=-10, bottom=-2, top=13, start=DIAMOND),
)

MOST_START_CELLS = max(len(size.start) for size in SIZES)

HAND = np.array([size.hand for size in SIZES], np.int16)
DECKS = np.array([size.decks for size in SIZES], np.int16)
COLUMNS = np.array([size.columns for size in SIZES], np.int16)
ROWS = np.array([size.rows for size in SIZES], np.int16)
START_CELLS = np.array([len(size.start) for size in SIZES], np.int16)
START_COLUMN = np.zeros((len(SIZES), MOST_START_CELLS), np.int16)  # [size, k] of the k-th cell in reading order
START_ROW = np.zeros((len(SIZES), MOST_START_CELLS), np.int16)
CENTRE = np.array([size.start.index((0, 0)) for size in SIZES], np.int16)  # which of the cells is the centre
for _number, _size in enumerate(SIZES):
    for _k, (_x, _y) in enumerate(_size.start):
        START_COLUMN[_number, _k] = _x - _size.left
        START_ROW[_number, _k] = _y - _size.bottom

LIMIT = 6  # HH-20: with four players or more a line holds no more cards after it was chosen


@rule
def size_of(o: Any) -> int:
    """Which of SIZES it is."""
    return 0 if o.players == 2 else 1 if o.players == 3 else 2


def size_for(players: int) -> Size:
    """The table for a number of players."""
    return SIZES[0 if players == 2 else 1 if players == 3 else 2]
