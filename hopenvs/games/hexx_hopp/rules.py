"""The rules of Hexx & Hopp, compiled. Clauses are those of README.md beside this file.

In a tick every seat acts, and then chance says in which order the actions are carried out. `turn` counts the ticks of
the round.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hopenvs.core.jit import rule
from hopenvs.core.state import CHANCE, SIMULTANEOUS, TERMINAL, rank_by
from hopenvs.games.hexx_hopp import figure, piles
from hopenvs.games.hexx_hopp.figure import EMPTY, can_place, clear_figure, fits_anywhere, put
from hopenvs.games.hexx_hopp.gifts import FIRST_WAY, GIFT_FOR, GIVEN
from hopenvs.games.hexx_hopp.options import MAX_PLAYERS
from hopenvs.games.hexx_hopp.piles import (
    DISCARDS,
    NO_TILE,
    STACK,
    append,
    box_all,
    give_one,
    take_discard,
    take_from_box,
    tiles_of,
    turn_up,
)
from hopenvs.games.hexx_hopp.table import (
    INWARDS,
    NEIGHBOUR,
    NUM_CELLS,
    NUM_TILES,
    SIDES,
    STAR_CELL,
    STAR_SIZE,
    colour_at,
    matches,
)

PLAY, DEAL_TILE, DEAL_ROTATION, DEAL_STACK, ORDER = range(5)  # phases; all but the first are chance's

WAIT, NEXT, RECALL = 0, 1, 2  # the first actions; RECALL + tile
PLACE = RECALL + NUM_TILES  # PLACE + 6 * cell + rotation; after the last of them the gifts

NOBODY = -1
NO_ACTION = -1
ALL_CONTACTS = 6  # HX-9: they win the round

FIELDS = [
    *figure.FIELDS,
    *piles.FIELDS,
    ("chosen", np.int16, (MAX_PLAYERS,)),  # this tick's actions while their order is drawn, else NO_ACTION
    ("penalties", np.int16, (MAX_PLAYERS,)),
    ("gift_due", np.int8, (MAX_PLAYERS,)),
    ("round", np.int8),
    ("phase", np.int8),
    ("dealt", np.int8),  # tiles dealt so far in this round
    ("held", np.int8),  # the tile of the start figure that is being turned, or NO_TILE
]


@rule
def tiles_each(o: Any) -> int:
    """HX-5: the stack a player gets, the tile that is turned up counted."""
    return 13 if o.players == 5 else 15


@rule
def first_gift(o: Any) -> int:
    """The first action that is a gift."""
    return PLACE + SIDES * NUM_CELLS[o.table_radius]


# ---- a round begins --------------------------------------------------------------------------------------------------
@rule
def setup(o: Any, s: Any) -> None:
    """The first round."""
    start_round(o, s)


@rule
def start_round(o: Any, s: Any) -> None:
    """HX-5: all tiles are shuffled anew; chance deals."""
    clear_figure(o, s)
    box_all(s)
    for seat in range(MAX_PLAYERS):
        s.chosen[seat] = NO_ACTION
        s.gift_due[seat] = 0
    s.turn = 0
    s.dealt = 0
    s.held = NO_TILE
    s.phase = DEAL_TILE
    s.current_player = CHANCE


@rule
def deal_tile(o: Any, s: Any, tile: int) -> None:
    """HX-4: the next tile of the star; the first isn't turned, of the others chance draws the rotation."""
    s.held = tile
    if s.dealt == 0:
        deal_rotation(o, s, 0)
    else:
        s.phase = DEAL_ROTATION


@rule
def star_matches(o: Any, s: Any, rotation: int) -> bool:
    """Whether the held tile, so turned, matches the one it touches."""
    cell = STAR_CELL[o.table_radius, s.dealt]
    side = INWARDS[s.dealt]
    inner = s.turned[NEIGHBOUR[o.table_radius, cell, side]]
    return colour_at(SIDES * s.held + rotation, side) == colour_at(inner, (side + 3) % SIDES)


@rule
def deal_rotation(o: Any, s: Any, rotation: int) -> None:
    """The held tile comes onto the table."""
    put(o, s, STAR_CELL[o.table_radius, s.dealt], SIDES * s.held + rotation)
    s.held = NO_TILE
    s.dealt += 1
    s.phase = DEAL_TILE if s.dealt < STAR_SIZE else DEAL_STACK


@rule
def deal_to_stack(o: Any, s: Any, tile: int) -> None:
    """HX-5: seat 0's stack from the top down, seat 1's and so on; then every top tile is turned up."""
    append(s, (s.dealt - STAR_SIZE) // tiles_each(o), STACK, tile)
    s.dealt += 1
    if s.dealt == STAR_SIZE + o.players * tiles_each(o):
        for seat in range(o.players):
            turn_up(s, seat)
        s.phase = PLAY
        next_tick(o, s)


# ---- a tick ----------------------------------------------------------------------------------------------------------
@rule
def action_mask(o: Any, s: Any, seat: int, mask: Any) -> None:
    """HX-8: waiting, turning up, placing; while a gift is due, only giving (HX-10)."""
    if s.gift_due[seat] > 0:
        gift = first_gift(o)
        mask[gift] = 1  # all zeros: the gift is declined
        total = min(s.gift_due[seat], tiles_of(s, seat))
        for way in range(FIRST_WAY[o.players, total], FIRST_WAY[o.players, total + 1]):
            mask[gift + way] = 1
        return
    mask[WAIT] = 1
    if s.count[seat, STACK] > 0 or s.count[seat, DISCARDS] > 0:
        mask[NEXT] = 1
    tile = s.first[seat, DISCARDS]
    for _ in range(s.count[seat, DISCARDS]):
        mask[RECALL + tile] = 1
        tile = s.after[tile]
    turned = SIDES * s.up[seat]
    for k in range(s.num_open):
        cell = s.open_cell[k]
        touching = s.touching[cell]
        for rotation in range(SIDES):
            mask[PLACE + SIDES * cell + rotation] = matches(touching, turned + rotation)


@rule
def apply_joint(o: Any, s: Any, actions: Any) -> None:
    """HX-7: everybody has chosen; the order is chance's."""
    for seat in range(o.players):
        s.chosen[seat] = actions[seat]
    s.phase = ORDER
    s.current_player = CHANCE


@rule
def orders(o: Any) -> int:
    """How many orders of the seats there are."""
    count = 1
    for k in range(2, o.players + 1):
        count *= k
    return count


@rule
def carry_out_all(o: Any, s: Any, k: int) -> None:
    """HX-7: the actions in the k-th order of the seats, lexicographically; a win ends the round there and then."""
    waiting = (1 << o.players) - 1
    block = orders(o)
    winner = NOBODY
    for left in range(o.players, 0, -1):
        block //= left
        seat = kth_seat(waiting, k // block)
        k %= block
        waiting ^= 1 << seat
        if carry_out(o, s, seat, s.chosen[seat]):
            winner = seat
            break
    for seat in range(o.players):
        s.chosen[seat] = NO_ACTION
    s.turn += 1
    s.phase = PLAY
    if winner != NOBODY or s.turn >= o.max_ticks:
        end_round(o, s, winner)
    else:
        next_tick(o, s)


@rule
def kth_seat(seats: int, k: int) -> int:
    """The k-th seat of a set, as bits."""
    seat = 0
    while k > 0 or seats >> seat & 1 == 0:
        k -= seats >> seat & 1
        seat += 1
    return seat


@rule
def carry_out(o: Any, s: Any, seat: int, action: int) -> bool:
    """One seat's action, on the table as it is now; True if it wins the round (HX-9, HX-11)."""
    if action == WAIT:
        return False
    if action == NEXT:
        append(s, seat, DISCARDS, s.up[seat])
        turn_up(s, seat)
    elif action < PLACE:
        append(s, seat, DISCARDS, s.up[seat])
        s.up[seat] = action - RECALL
        take_discard(s, seat, s.up[seat])
    elif action < first_gift(o):
        return place(o, s, seat, (action - PLACE) // SIDES, (action - PLACE) % SIDES)
    else:
        give(o, s, seat, action - first_gift(o))
    return tiles_of(s, seat) == 0


@rule
def place(o: Any, s: Any, seat: int, cell: int, rotation: int) -> bool:
    """HX-6, HX-9: the tile face up comes onto a cell, if it still can; True if that wins the round.

    A ruling: a gift becomes due also if the seat's last tile makes the contacts, and is void at once.
    """
    turned = SIDES * s.up[seat] + rotation
    if not can_place(s, cell, turned):
        return False
    touched = s.contacts[cell]
    put(o, s, cell, turned)
    turn_up(s, seat)
    s.gift_due[seat] = GIFT_FOR[touched]
    return touched == ALL_CONTACTS or tiles_of(s, seat) == 0


@rule
def give(o: Any, s: Any, seat: int, way: int) -> None:
    """HX-10: left1 gets its whole number first, then left2 and so on."""
    s.gift_due[seat] = 0
    for k in range(o.players - 1):
        for _ in range(GIVEN[o.players, way, k]):
            give_one(s, seat, (seat + 1 + k) % o.players)


@rule
def next_tick(o: Any, s: Any) -> None:
    """HX-12: the next tick, or the round's end if no tile fits."""
    if is_stuck(o, s):
        end_round(o, s, NOBODY)
    else:
        s.current_player = SIMULTANEOUS


@rule
def is_stuck(o: Any, s: Any) -> bool:
    """HX-12: no gift is due, and no tile of any player fits anywhere."""
    for seat in range(o.players):
        if s.gift_due[seat] > 0:
            return False
    for seat in range(o.players):
        if s.up[seat] != NO_TILE and fits_anywhere(s, s.up[seat]):
            return False
    for seat in range(o.players):
        for pile in range(2):
            tile = s.first[seat, pile]
            for _ in range(s.count[seat, pile]):
                if fits_anywhere(s, tile):
                    return False
                tile = s.after[tile]
    return True


# ---- chance ----------------------------------------------------------------------------------------------------------
@rule
def num_outcomes(o: Any, s: Any) -> int:
    """HX-5: the tiles in the box, or the rotations that match; HX-7: the orders of the seats."""
    if s.phase == ORDER:
        return orders(o)
    if s.phase == DEAL_ROTATION:
        count = 0
        for rotation in range(SIDES):
            if star_matches(o, s, rotation):
                count += 1
        return count
    return NUM_TILES - s.dealt


@rule
def outcome_weight(o: Any, s: Any, k: int) -> int:
    """All are equally likely."""
    return 1


@rule
def apply_chance(o: Any, s: Any, k: int) -> None:
    """A tile is dealt or turned, or the tick is carried out in the k-th order."""
    if s.phase == ORDER:
        carry_out_all(o, s, k)
    elif s.phase == DEAL_ROTATION:
        deal_rotation(o, s, kth_rotation(o, s, k))
    elif s.phase == DEAL_TILE:
        deal_tile(o, s, take_from_box(s, k))
    else:
        deal_to_stack(o, s, take_from_box(s, k))


@rule
def kth_rotation(o: Any, s: Any, k: int) -> int:
    """The k-th rotation of the held tile that matches."""
    rotation = -1
    for _ in range(k + 1):
        rotation += 1
        while not star_matches(o, s, rotation):
            rotation += 1
    return rotation


# ---- the end ---------------------------------------------------------------------------------------------------------
@rule
def end_round(o: Any, s: Any, winner: int) -> None:
    """HX-13: a penalty point for each unplaced tile, but for the winner; HX-14: the next round, or the end."""
    for seat in range(o.players):
        if seat != winner:
            s.penalties[seat] += tiles_of(s, seat)
    if s.round + 1 == o.rounds:
        s.current_player = TERMINAL
    else:
        s.round += 1
        start_round(o, s)


@rule
def result(o: Any, s: Any, scores: Any, ranks: Any, winners: Any) -> None:
    """HX-14: fewest penalty points win, ties share."""
    for seat in range(o.players):
        scores[seat] = -s.penalties[seat]
    rank_by(o.players, scores, ranks)
    for seat in range(o.players):
        winners[seat] = 1 if ranks[seat] == 1 else 0


@rule
def key(o: Any, s: Any, out: Any) -> int:
    """Figure cell by cell, piles in order, tiles face up, gifts due, penalties, round and tick."""
    out[0] = s.current_player - TERMINAL
    out[1] = s.phase
    out[2] = s.round
    out[3] = s.turn & 255
    out[4] = s.turn >> 8
    out[5] = s.dealt
    out[6] = 1 + s.held
    n = 7
    for seat in range(o.players):
        out[n] = s.penalties[seat] & 255
        out[n + 1] = s.penalties[seat] >> 8
        out[n + 2] = s.gift_due[seat]
        out[n + 3] = 1 + s.up[seat]
        out[n + 4] = (1 + s.chosen[seat]) & 255
        out[n + 5] = (1 + s.chosen[seat]) >> 8
        n += 6
        for pile in range(2):
            out[n] = s.count[seat, pile]
            n += 1
            tile = s.first[seat, pile]
            for _ in range(s.count[seat, pile]):
                out[n] = tile
                n += 1
                tile = s.after[tile]
    for cell in range(NUM_CELLS[o.table_radius]):
        if s.turned[cell] != EMPTY:
            out[n] = cell & 255
            out[n + 1] = cell >> 8
            out[n + 2] = s.turned[cell] // SIDES
            out[n + 3] = s.turned[cell] % SIDES
            n += 4
    return n
