"""Crews of two by two cards: pushing through them, and whether one is In Sync (HH-42 to HH-46).

Cells are numbered r0c0, r0c1, r1c0, r1c1: 2 * row + column, row 0 the far one, as the owner sees them.
"""

from __future__ import annotations

from typing import Any

from hopenvs.core.jit import rule
from hopenvs.games.hedgehog_hop.cards import IN_SYNC

NONE = -1
CELLS = 4


@rule
def push_row(o: Any, s: Any, seat: int, row: int, card: int, from_right: bool) -> int:
    """HH-42, HH-43: through this row of all crews, slides to the left, grooves to the right; the last card bumped."""
    near = 2 * row + (1 if from_right else 0)  # the cell the card enters
    far = 2 * row + (0 if from_right else 1)
    for _ in range(o.players):
        bumped = s.crew[seat, far]
        s.crew[seat, far] = s.crew[seat, near]
        s.crew[seat, near] = card
        card = bumped
        seat = (seat + (1 if from_right else o.players - 1)) % o.players
    return card


@rule
def push_column(s: Any, seat: int, column: int, target: int, card: int) -> int:
    """HH-44: up through the own column and on into the column of the crew across; the card bumped out there."""
    bumped = s.crew[seat, column]
    s.crew[seat, column] = s.crew[seat, 2 + column]
    s.crew[seat, 2 + column] = card
    out = s.crew[target, 3 - column]
    s.crew[target, 3 - column] = s.crew[target, 1 - column]
    s.crew[target, 1 - column] = bumped
    return out


@rule
def is_in_sync(s: Any, seat: int) -> bool:
    """HH-46: whether any two cards of a crew that touch at a side are In Sync."""
    a = s.crew[seat, 0]
    b = s.crew[seat, 1]
    c = s.crew[seat, 2]
    d = s.crew[seat, 3]
    return IN_SYNC[a, b] == 1 or IN_SYNC[c, d] == 1 or IN_SYNC[a, c] == 1 or IN_SYNC[b, d] == 1
