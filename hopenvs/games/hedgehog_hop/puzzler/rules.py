"""The rules of the Puzzlers, compiled. Clauses are those of README.md one folder up; `push.py` moves the mob.

Hands, backup dancers and the face-down pile are counts of cards; the face-up cards below the pile are a queue.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hopenvs.core.bits import bit_number, lowest_bit
from hopenvs.core.counts import total
from hopenvs.core.jit import rule
from hopenvs.core.state import CHANCE, TERMINAL
from hopenvs.games.hedgehog_hop.cards import CARDS, COLOUR_FEATURE, HAS, HOP, IN_SYNC, take
from hopenvs.games.hedgehog_hop.puzzler.groups import lead_score
from hopenvs.games.hedgehog_hop.puzzler.options import NO_PROMO, UNICORN_PROMO
from hopenvs.games.hedgehog_hop.puzzler.push import NONE, UNICORN, ZOMBIE, add, can_push, push
from hopenvs.games.hedgehog_hop.puzzler.table import (
    CENTRE,
    COLUMNS,
    DECKS,
    HAND,
    ROWS,
    START_CELLS,
    START_COLUMN,
    START_ROW,
    size_for,
    size_of,
)

DEAL, PLAY, DRAW, STEAL, DISCARD = range(5)  # phases; chance deals and draws

MOST_DUE = 3  # HH-16: nothing lies beyond the line's end, where the new card is
HOPS = 12  # cards 0 .. 11 enter a column, the others a row


def fields_for(players: int) -> list[tuple[Any, ...]]:
    """The record's fields for a number of players: two and three players don't pay for six."""
    size = size_for(players)
    return [
        ("mob_card", np.int8, (size.mob,)),  # the mob's cards in no order, UNICORN or ZOMBIE among them
        ("mob_column", np.int8, (size.mob,)),
        ("mob_row", np.int8, (size.mob,)),
        ("hand", np.int8, (size.seats, CARDS)),  # how many of each card
        ("backup", np.int8, (size.seats, CARDS)),
        ("draw", np.int8, (CARDS,)),  # the face-down part of the draw pile
        ("queue", np.int8, (size.turns,)),  # its face-up part, next to be drawn first
        ("discard", np.int8, (size.turns,)),  # pushed out by HH-20, bottom first
        ("removed", np.int8, (size.turns,)),  # eaten by the zombie, in order
        ("mob_count", np.int8),
        ("queue_count", np.int8),
        ("discard_count", np.int8),
        ("removed_count", np.int8),
        ("dealt", np.int16),  # cards dealt in the set-up, the promo card's cell counted
        ("phase", np.int8),
        ("mover", np.int8),
        ("due", np.int8),  # backup dancers still due (HH-16)
        ("must_discard", np.int8),
    ]


# [card, card of the mob] 1 where a card just played earns a backup dancer: HH-2; HH-25: the unicorn; HH-26: no zombie.
EARNS = np.zeros((CARDS, CARDS + 2), np.int8)
EARNS[:, :CARDS] = IN_SYNC
EARNS[:, UNICORN] = 1

INTERCHANGEABLE = ("mob_card", "mob_column", "mob_row")  # the mob's list is in no order


# ---- the action catalogue: plays from the hand | from the backups | discards | steals | no steal ---------------------
@rule
def plays(o: Any) -> int:
    """How many plays there are from one source: hops by column, grooves and slides by row."""
    size = size_of(o)
    return HOPS * COLUMNS[size] + (CARDS - HOPS) * ROWS[size]


@rule
def first_play(o: Any, card: int) -> int:
    """The index of a card's first play from the hand."""
    size = size_of(o)
    if card < HOPS:
        return card * COLUMNS[size]
    return HOPS * COLUMNS[size] + (card - HOPS) * ROWS[size]


@rule
def first_discard(o: Any) -> int:
    """The index of the first `discard`."""
    return 2 * plays(o)


@rule
def first_steal(o: Any) -> int:
    """The index of the first `steal left1`."""
    return first_discard(o) + CARDS


@rule
def no_steal(o: Any) -> int:
    """The index of `no steal`."""
    return first_steal(o) + (o.players - 1) * CARDS


# ---- what may be done ------------------------------------------------------------------------------------------------
@rule
def action_mask(o: Any, s: Any, seat: int, mask: Any) -> None:
    """Set the legal actions of the seat to move; `mask` [A]."""
    if s.phase == PLAY:
        mask_plays(o, s, seat, mask)
    elif s.phase == DISCARD:
        first = first_discard(o)
        for card in range(CARDS):
            mask[first + card] = s.hand[seat, card] > 0
    else:
        mask_steals(o, s, seat, mask)


@rule
def mask_plays(o: Any, s: Any, seat: int, mask: Any) -> None:
    """HH-14, HH-21: every play into every line that takes it."""
    size = size_of(o)
    columns, rows = lines_of_mob(s)
    edges = 1 | 1 << (COLUMNS[size] - 1)
    at_the_edge = columns & edges != 0 or (rows >> (ROWS[size] - 1)) & 1 == 1
    for move in range(3):
        lines = columns if move == HOP else rows
        if at_the_edge:  # seldom: each line has to be looked at
            lines = open_lines(o, s, move, lines)
        mask_moves(o, s, seat, move, lines, mask)


@rule
def mask_moves(o: Any, s: Any, seat: int, move: int, lines: int, mask: Any) -> None:
    """HH-13: every card of a move, in the hand or before the seat, into every one of some lines, given as bits."""
    size = size_of(o)
    count = COLUMNS[size] if move == HOP else ROWS[size]
    hand = 0
    backup = 0
    for k in range(HOPS):  # which cards there are, as bits: no guess at each of them
        hand |= (s.hand[seat, HOPS * move + k] > 0) << k
        backup |= (s.backup[seat, HOPS * move + k] > 0) << k
    cards = hand | backup << HOPS
    first_of_hand = first_play(o, HOPS * move)
    first_of_backups = plays(o) + first_of_hand - HOPS * count
    while cards != 0:
        card = lowest_bit(cards)
        cards ^= card
        k = bit_number(card)
        first = (first_of_hand if k < HOPS else first_of_backups) + k * count
        left = lines
        while left != 0:
            line = lowest_bit(left)
            left ^= line
            mask[first + bit_number(line)] = 1


@rule
def lines_of_mob(s: Any) -> tuple[int, int]:
    """The columns and the rows with a card, as bits."""
    columns = 0
    rows = 0
    for slot in range(s.mob_count):
        columns |= 1 << s.mob_column[slot]
        rows |= 1 << s.mob_row[slot]
    return columns, rows


@rule
def open_lines(o: Any, s: Any, move: int, lines: int) -> int:
    """HH-14, HH-21: those of some lines, as bits, that a move may enter."""
    left = lines
    while left != 0:
        lowest = lowest_bit(left)
        left ^= lowest
        if not can_push(o, s, move, bit_number(lowest)):
            lines ^= lowest
    return lines


@rule
def mask_steals(o: Any, s: Any, seat: int, mask: Any) -> None:
    """HH-17: any backup dancer of an opponent, or none."""
    for left in range(1, o.players):
        other = (seat + left) % o.players
        first = first_steal(o) + CARDS * (left - 1)
        for card in range(CARDS):
            mask[first + card] = s.backup[other, card] > 0
    mask[no_steal(o)] = 1


# ---- set-up ----------------------------------------------------------------------------------------------------------
@rule
def setup(o: Any, s: Any) -> None:
    """HH-12: all cards are in the pile, and chance deals."""
    for card in range(CARDS):
        s.draw[card] = DECKS[size_of(o)]
    s.phase = DEAL
    s.current_player = CHANCE


@rule
def deal(o: Any, s: Any, card: int) -> None:
    """HH-11, HH-12: the hands seat by seat, then the mob; HH-24: the promo card lies in the centre."""
    size = size_of(o)
    hands = o.players * HAND[size]
    if s.dealt < hands:
        s.hand[s.dealt // HAND[size], card] += 1
    else:
        place(o, s, s.dealt - hands, card)
    s.dealt += 1
    if o.promo != NO_PROMO and s.dealt == hands + CENTRE[size]:
        place(o, s, CENTRE[size], UNICORN if o.promo == UNICORN_PROMO else ZOMBIE)
        s.dealt += 1
    if s.dealt == hands + START_CELLS[size]:
        s.phase = PLAY
        s.current_player = s.mover


@rule
def place(o: Any, s: Any, cell: int, card: int) -> None:
    """A card onto a cell of the starting mob."""
    size = size_of(o)
    add(s, card, START_COLUMN[size, cell], START_ROW[size, cell])


# ---- a turn ----------------------------------------------------------------------------------------------------------
@rule
def apply(o: Any, s: Any, action: int) -> None:
    """Carry out a legal decision of the mover."""
    if s.phase == PLAY:
        play(o, s, action)
    elif s.phase == STEAL:
        if action != no_steal(o):
            code = action - first_steal(o)
            s.backup[(s.mover + 1 + code // CARDS) % o.players, code % CARDS] -= 1
            s.backup[s.mover, code % CARDS] += 1
        s.due -= 1
        collect(o, s)
    else:  # HH-18
        card = action - first_discard(o)
        s.hand[s.mover, card] -= 1
        s.queue[s.queue_count] = card
        s.queue_count += 1
        s.must_discard = 0
        end_turn(o, s)


@rule
def play(o: Any, s: Any, action: int) -> None:
    """HH-13 to HH-16: a card goes into the mob, and earns a backup dancer for every neighbour In Sync."""
    size = size_of(o)
    source = 1 if action >= plays(o) else 0
    code = action - source * plays(o)
    hops = HOPS * COLUMNS[size]
    first = 0 if code < hops else HOPS
    lines = COLUMNS[size] if code < hops else ROWS[size]
    code -= 0 if code < hops else hops
    card = code // lines
    line = code - card * lines
    card += first
    s.hand[s.mover, card] -= 1 - source
    s.backup[s.mover, card] -= source
    s.must_discard |= source
    push(o, s, card, line)
    s.due = neighbours_in_sync(s)
    collect(o, s)


@rule
def neighbours_in_sync(s: Any) -> int:
    """HH-16, HH-25: how many neighbours of the card just played are In Sync with it; HH-26: the zombie never is."""
    new = s.mob_count - 1
    card = s.mob_card[new]
    column = s.mob_column[new]
    row = s.mob_row[new]
    count = 0
    for slot in range(new):  # without a guess at each card
        apart = abs(s.mob_column[slot] - column) + abs(s.mob_row[slot] - row)
        count += EARNS[card, s.mob_card[slot]] & (apart == 1)
    return count


@rule
def collect(o: Any, s: Any) -> None:
    """HH-17: what is due comes from the pile, then from its face-up part, then from opponents; then the turn ends."""
    while s.due > 0:
        if total(s.draw) > 0:
            s.phase = DRAW
            s.current_player = CHANCE
            return
        if s.queue_count > 0:
            s.backup[s.mover, next_of_queue(s)] += 1
            s.due -= 1
        elif any_to_steal(o, s):
            s.phase = STEAL
            s.current_player = s.mover
            return
        else:
            s.due = 0
    if s.must_discard:
        s.phase = DISCARD
        s.current_player = s.mover
    else:
        end_turn(o, s)


@rule
def next_of_queue(s: Any) -> int:
    """Take the first card of the pile's face-up part."""
    card = s.queue[0]
    s.queue_count -= 1
    for k in range(s.queue_count):
        s.queue[k] = s.queue[k + 1]
    s.queue[s.queue_count] = 0
    return card


@rule
def any_to_steal(o: Any, s: Any) -> bool:
    """Whether an opponent of the mover has a backup dancer."""
    for seat in range(o.players):
        if seat != s.mover and backups(s, seat) > 0:
            return True
    return False


@rule
def backups(s: Any, seat: int) -> int:
    """How many backup dancers a seat has."""
    count = 0
    for card in range(CARDS):
        count += s.backup[seat, card]
    return count


@rule
def end_turn(o: Any, s: Any) -> None:
    """HH-19: the game ends when everybody has one card in hand."""
    s.turn += 1
    if s.turn == o.players * (HAND[size_of(o)] - 1):
        s.current_player = TERMINAL
        return
    s.mover = (s.mover + 1) % o.players
    s.phase = PLAY
    s.current_player = s.mover


# ---- chance ----------------------------------------------------------------------------------------------------------
@rule
def num_outcomes(o: Any, s: Any) -> int:
    """HH-12, C-2: every card left in the face-down pile."""
    return total(s.draw)


@rule
def outcome_weight(o: Any, s: Any, k: int) -> int:
    """All cards left are equally likely."""
    return 1


@rule
def apply_chance(o: Any, s: Any, k: int) -> None:
    """A card is dealt, or a backup dancer is drawn."""
    card = take(s.draw, k)
    if s.phase == DEAL:
        deal(o, s, card)
    else:
        s.backup[s.mover, card] += 1
        s.due -= 1
        collect(o, s)


# ---- the finale ------------------------------------------------------------------------------------------------------
@rule
def lead(s: Any, seat: int) -> int:
    """HH-22: the card left in a hand, or NONE."""
    for card in range(CARDS):
        if s.hand[seat, card] > 0:
            return card
    return NONE


@rule
def most_of_a_colour(s: Any, seat: int) -> int:
    """HH-23: the most backup dancers of one colour that a seat has."""
    most = 0
    for colour in range(3):
        count = 0
        for card in range(CARDS):
            if HAS[card, COLOUR_FEATURE + colour] == 1:
                count += s.backup[seat, card]
        if count > most:
            most = count
    return most


@rule
def result(o: Any, s: Any, scores: Any, ranks: Any, winners: Any) -> None:
    """HH-22: scores; HH-23: ties are broken by backup dancers, then those of one colour, then the earlier seat."""
    for seat in range(o.players):
        scores[seat] = backups(s, seat) + lead_score(s, lead(s, seat))
    for seat in range(o.players):
        better = 0
        for other in range(o.players):
            if other != seat and is_ahead(s, scores, other, seat):
                better += 1
        ranks[seat] = 1 + better
        winners[seat] = 1 if better == 0 else 0


@rule
def is_ahead(s: Any, scores: Any, one: int, other: int) -> bool:
    """Whether a seat has done better than another."""
    if scores[one] != scores[other]:
        return scores[one] > scores[other]
    if backups(s, one) != backups(s, other):
        return backups(s, one) > backups(s, other)
    if most_of_a_colour(s, one) != most_of_a_colour(s, other):
        return most_of_a_colour(s, one) > most_of_a_colour(s, other)
    return one < other


@rule
def key(o: Any, s: Any, out: Any) -> int:
    """Who is to do what, the mob cell by cell, hands, backup dancers and piles."""
    over = s.current_player == TERMINAL
    out[0] = o.players if over else s.mover
    out[1] = 0 if over else s.phase
    out[2] = s.due
    out[3] = s.must_discard
    out[4] = s.mob_count
    n = 5
    last = -1
    for _ in range(s.mob_count):  # in the order of the cells, whatever the order of the list
        following = 1 << 20
        found = 0
        for slot in range(s.mob_count):
            cell = s.mob_row[slot] * COLUMNS[size_of(o)] + s.mob_column[slot]
            if last < cell < following:
                following = cell
                found = slot
        last = following
        out[n] = s.mob_column[found]
        out[n + 1] = s.mob_row[found]
        out[n + 2] = s.mob_card[found]
        n += 3
    for seat in range(o.players):
        for card in range(CARDS):
            out[n] = s.hand[seat, card] + 4 * s.backup[seat, card]
            n += 1
    for card in range(CARDS):
        out[n] = s.draw[card]
        n += 1
    for k in range(s.queue_count):
        out[n + 1 + k] = s.queue[k]
    out[n] = s.queue_count
    n += 1 + s.queue_count
    for k in range(s.discard_count):
        out[n + 1 + k] = s.discard[k]
    out[n] = s.discard_count
    n += 1 + s.discard_count
    for k in range(s.removed_count):
        out[n + 1 + k] = s.removed[k]
    out[n] = s.removed_count
    return n + 1 + s.removed_count
