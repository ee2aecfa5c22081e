"""Each player's tiles: a stack, discards and the tile face up (HX-5, HX-8, HX-10).

Stack and discards are lists linked through `after`: a tile is in one of them at most, so one link a tile is enough and
nothing is moved when a pile changes. A stack runs from its top down, discards from the oldest on.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hopenvs.core.counts import kth, total
from hopenvs.core.jit import rule
from hopenvs.games.hexx_hopp.options import MAX_PLAYERS
from hopenvs.games.hexx_hopp.table import NUM_TILES

NO_TILE = -1

STACK, DISCARDS = 0, 1  # which pile of a seat

FIELDS = [
    ("boxed", np.int8, (NUM_TILES,)),  # 1 in the box
    ("after", np.int8, (NUM_TILES,)),  # the next tile of the same pile, or NO_TILE
    ("first", np.int8, (MAX_PLAYERS, 2)),  # of each pile: top of the stack, oldest of the discards
    ("last", np.int8, (MAX_PLAYERS, 2)),
    ("count", np.int8, (MAX_PLAYERS, 2)),
    ("up", np.int8, (MAX_PLAYERS,)),  # the tile face up
]


@rule
def box_all(s: Any) -> None:
    """All tiles in the box, all piles empty."""
    for tile in range(NUM_TILES):
        s.boxed[tile] = 1
        s.after[tile] = NO_TILE
    for seat in range(MAX_PLAYERS):
        s.up[seat] = NO_TILE
        for pile in range(2):
            s.first[seat, pile] = NO_TILE
            s.last[seat, pile] = NO_TILE
            s.count[seat, pile] = 0


@rule
def take_from_box(s: Any, k: int) -> int:
    """Take the k-th tile left out of the box; returns its number."""
    tile = kth(s.boxed, k)
    s.boxed[tile] = 0
    return tile


@rule
def in_box(s: Any) -> int:
    """How many tiles are left in the box."""
    return total(s.boxed)


@rule
def append(s: Any, seat: int, pile: int, tile: int) -> None:
    """A tile goes under a stack, or onto the discards as the newest."""
    if s.count[seat, pile] == 0:
        s.first[seat, pile] = tile
    else:
        s.after[s.last[seat, pile]] = tile
    s.after[tile] = NO_TILE
    s.last[seat, pile] = tile
    s.count[seat, pile] += 1


@rule
def take_first(s: Any, seat: int, pile: int) -> int:
    """Take the top of a stack, or the oldest discard."""
    tile = s.first[seat, pile]
    s.first[seat, pile] = s.after[tile]
    s.after[tile] = NO_TILE
    s.count[seat, pile] -= 1
    if s.count[seat, pile] == 0:
        s.last[seat, pile] = NO_TILE
    return tile


@rule
def take_discard(s: Any, seat: int, tile: int) -> None:
    """Take a tile out of the discards."""
    if s.first[seat, DISCARDS] == tile:
        take_first(s, seat, DISCARDS)
        return
    before = s.first[seat, DISCARDS]
    while s.after[before] != tile:
        before = s.after[before]
    s.after[before] = s.after[tile]
    s.after[tile] = NO_TILE
    s.count[seat, DISCARDS] -= 1
    if s.last[seat, DISCARDS] == tile:
        s.last[seat, DISCARDS] = before


@rule
def turn_up(s: Any, seat: int) -> None:
    """HX-8: the top of the stack is turned up, or the oldest discard, or there is no tile left."""
    if s.count[seat, STACK] > 0:
        s.up[seat] = take_first(s, seat, STACK)
    elif s.count[seat, DISCARDS] > 0:
        s.up[seat] = take_first(s, seat, DISCARDS)
    else:
        s.up[seat] = NO_TILE


@rule
def tiles_of(s: Any, seat: int) -> int:
    """How many unplaced tiles a seat has."""
    return s.count[seat, STACK] + s.count[seat, DISCARDS] + (0 if s.up[seat] == NO_TILE else 1)


@rule
def give_one(s: Any, giver: int, receiver: int) -> None:
    """HX-10: from the stack, then the discards, then the tile face up, under the receiver's stack."""
    if s.count[giver, STACK] > 0:
        tile = take_first(s, giver, STACK)
    elif s.count[giver, DISCARDS] > 0:
        tile = take_first(s, giver, DISCARDS)
    else:
        tile = s.up[giver]
        s.up[giver] = NO_TILE
    append(s, receiver, STACK, tile)
