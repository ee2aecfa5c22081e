"""Pushing a card into the mob (HH-14, HH-15, HH-20, HH-21, HH-26).

The mob is a list of cards with their cells. A line is a column or a row; along it cells are counted from the table's
lower or left edge. A hop comes from below and pushes up, a groove from the left and pushes right, a slide from the
right and pushes left. Which cells of a line are taken is one integer's bits.
"""

from __future__ import annotations

from typing import Any

from hopenvs.core.bits import bit_number, count_bits, lowest_bit
from hopenvs.core.jit import rule
from hopenvs.games.hedgehog_hop.cards import CARDS, HOP, SLIDE, move_of
from hopenvs.games.hedgehog_hop.puzzler.options import CONTACT, UNICORN_PROMO
from hopenvs.games.hedgehog_hop.puzzler.table import COLUMNS, LIMIT, ROWS, size_of

NONE = -1
UNICORN = CARDS  # the promo cards' numbers in the mob
ZOMBIE = CARDS + 1


@rule
def along(s: Any, slot: int, move: int) -> int:
    """Where on its line a card of the mob lies."""
    return s.mob_row[slot] if move == HOP else s.mob_column[slot]


@rule
def is_on_line(s: Any, slot: int, move: int, line: int) -> bool:
    """Whether a card of the mob lies on a line."""
    return (s.mob_column[slot] if move == HOP else s.mob_row[slot]) == line


@rule
def cells_of_line(s: Any, move: int, line: int) -> int:
    """The cells of a line that are taken."""
    cells = 0
    for slot in range(s.mob_count):
        cells |= is_on_line(s, slot, move, line) << along(s, slot, move)
    return cells


@rule
def lowest_cell(cells: int) -> int:
    """The first taken cell of a line."""
    return bit_number(lowest_bit(cells))


@rule
def highest_cell(cells: int) -> int:
    """The last taken cell of a line."""
    for step in (1, 2, 4, 8, 16, 32):  # set every bit below the highest, without a guess
        cells |= cells >> step
    return count_bits(cells) - 1


@rule
def zombie_cell(s: Any, move: int, line: int) -> int:
    """Where on a line the zombie lies, or NONE."""
    for slot in range(s.mob_count):
        if s.mob_card[slot] == ZOMBIE:
            return along(s, slot, move) if is_on_line(s, slot, move, line) else NONE
    return NONE


@rule
def last_moved(o: Any, cells: int, zombie: int, entry: int, far: int, step: int) -> int:
    """The last cell, seen from the entry side, whose card moves; HH-15, HH-26.

    Args:
        o: the options.
        cells: the line's taken cells.
        zombie: the zombie's cell on it, or NONE.
        entry: the end cell on the entry side.
        far: the end cell on the other side.
        step: 1 or -1, away from the entry side.
    """
    last = far
    if o.push == CONTACT:
        last = entry
        while last != far and (cells >> (last + step)) & 1 == 1:
            last += step
    moves = zombie != NONE and zombie != far and (zombie - entry) * step <= (last - entry) * step
    if moves and (cells >> (zombie + step)) & 1 == 1:
        return zombie  # the meal stops the push
    return last


@rule
def can_push(o: Any, s: Any, move: int, line: int) -> bool:
    """HH-14: only into a line with a card; HH-21: no card may leave the table."""
    cells = cells_of_line(s, move, line)
    if cells == 0:
        return False
    step = -1 if move == SLIDE else 1
    entry = highest_cell(cells) if step < 0 else lowest_cell(cells)
    far = lowest_cell(cells) if step < 0 else highest_cell(cells)
    size = size_of(o)
    edge = 0 if step < 0 else (ROWS[size] if move == HOP else COLUMNS[size]) - 1
    if far != edge:
        return True
    zombie = zombie_cell(s, move, line) if o.promo > UNICORN_PROMO else NONE
    if last_moved(o, cells, zombie, entry, far, step) != far:
        return True
    return o.players >= 4 and count_bits(cells) >= LIMIT  # then the card on the edge is pushed out instead (HH-20)


@rule
def push(o: Any, s: Any, card: int, line: int) -> None:
    """The card takes the cell of the line's end card on the entry side, and the line makes room.

    The new card is the last of the mob's list.
    """
    move = move_of(card)
    cells = cells_of_line(s, move, line)
    step = -1 if move == SLIDE else 1
    entry = highest_cell(cells) if step < 0 else lowest_cell(cells)
    far = lowest_cell(cells) if step < 0 else highest_cell(cells)
    zombie = zombie_cell(s, move, line) if o.promo > UNICORN_PROMO else NONE
    last = last_moved(o, cells, zombie, entry, far, step)
    if zombie != NONE and last == zombie and zombie != far:  # HH-26: it eats whatever card is ahead
        ahead = slot_at(s, move, line, zombie + step)
        if ahead != NONE:
            s.removed[s.removed_count] = s.mob_card[ahead]
            s.removed_count += 1
            drop(s, ahead)
    for slot in range(s.mob_count):  # without a guess at each card
        moves = is_on_line(s, slot, move, line) & ((last - along(s, slot, move)) * step >= 0)
        s.mob_row[slot] += moves * step * (move == HOP)
        s.mob_column[slot] += moves * step * (move != HOP)
    if o.players >= 4 and on_line(s, move, line) + 1 > LIMIT:  # HH-20
        push_out(s, move, line, step)
    add(s, card, line if move == HOP else entry, entry if move == HOP else line)


@rule
def on_line(s: Any, move: int, line: int) -> int:
    """How many cards a line holds."""
    count = 0
    for slot in range(s.mob_count):
        if is_on_line(s, slot, move, line):
            count += 1
    return count


@rule
def push_out(s: Any, move: int, line: int, step: int) -> None:
    """HH-20: the card at the far end of a line goes onto the discard pile."""
    farthest = NONE
    for slot in range(s.mob_count):
        if not is_on_line(s, slot, move, line):
            continue
        if farthest == NONE or (along(s, slot, move) - along(s, farthest, move)) * step > 0:
            farthest = slot
    s.discard[s.discard_count] = s.mob_card[farthest]
    s.discard_count += 1
    drop(s, farthest)


@rule
def slot_at(s: Any, move: int, line: int, cell: int) -> int:
    """The card on a cell of a line, or NONE."""
    for slot in range(s.mob_count):
        if is_on_line(s, slot, move, line) and along(s, slot, move) == cell:
            return slot
    return NONE


@rule
def add(s: Any, card: int, column: int, row: int) -> None:
    """A card more in the mob."""
    s.mob_card[s.mob_count] = card
    s.mob_column[s.mob_count] = column
    s.mob_row[s.mob_count] = row
    s.mob_count += 1


@rule
def drop(s: Any, slot: int) -> None:
    """A card less in the mob: the last of the list takes its place in it."""
    s.mob_count -= 1
    last = s.mob_count
    s.mob_card[slot] = s.mob_card[last]
    s.mob_column[slot] = s.mob_column[last]
    s.mob_row[slot] = s.mob_row[last]
    s.mob_card[last] = 0
    s.mob_column[last] = 0
    s.mob_row[last] = 0
