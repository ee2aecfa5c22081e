"""The rules of Dance Battle Royale, compiled. Clauses are those of README.md one folder up; crews move in `crews.py`.

Three players play cards in turn until the audition line is used up; four to six plan a card each, and then carry out
their plans in turn, for a fixed number of rounds. Hands, the pile and the audition line are counts of cards.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hopenvs.core.counts import total
from hopenvs.core.jit import rule
from hopenvs.core.state import CHANCE, TERMINAL, finish_turn
from hopenvs.games.hedgehog_hop.battle.crews import CELLS, NONE, is_in_sync, push_column, push_row
from hopenvs.games.hedgehog_hop.battle.finale import finale_score, is_ahead
from hopenvs.games.hedgehog_hop.battle.options import MAX_PLAYERS, MIN_PLAYERS
from hopenvs.games.hedgehog_hop.battle.phases import (
    COLLECT,
    CREW,
    DEAL,
    DISCARD,
    DRAW,
    END,
    LINE,
    NOTHING,
    PLAN,
    PLAY,
    REFILL,
    ROUND,
    START,
)
from hopenvs.games.hedgehog_hop.cards import CARDS, HOP, SLIDE, decks, move_of, take

WAIT, AT_START, AT_PLAY, AT_END, AT_CLOSE, AT_ROUND, AT_PASS = range(7)  # what follows, see `go_on`
HAND, AUDITION, PILE = range(3)  # where three players play from

HAND_SIZE = 7  # HH-40, the crew included
LINE_SIZE = 7  # HH-41, HH-55
ROUNDS = np.array([0, 0, 0, 0, 8, 5, 6], np.int16)  # [players] HH-57
HOPS = 12  # cards 0 .. 11
PLAYS = 96  # of three players from one source: 12 hops of 2 columns and 2 targets, 24 others of 2 rows

# HH-45, HH-57: [players] of the targets a hop may have, how many there are and the first, counted to the left
TARGETS = np.array([0, 0, 0, 2, 1, 2, 1], np.int16)
FIRST_TARGET = np.array([0, 0, 0, 1, 2, 2, 3], np.int16)


def seats_for(players: int) -> int:
    """How many seats the record has room for: three players don't pay for six."""
    return MIN_PLAYERS if players == MIN_PLAYERS else MAX_PLAYERS


def fields_for(players: int) -> list[tuple[Any, ...]]:
    """The record's fields for a number of players."""
    seats = seats_for(players)
    return [
        ("crew", np.int8, (seats, CELLS)),  # the card on each cell, or NONE
        ("hand", np.int8, (seats, CARDS)),  # how many of each card
        ("known", np.int8, (seats, CARDS)),  # of a hand and a hidden plan: what everybody has seen go there
        ("planned", np.int8, (seats,)),  # the card planned, or NONE
        ("acted", np.int8, (seats,)),  # 1 once the seat's turn of this round is over
        ("audition", np.int8, (CARDS,)),
        ("draw", np.int8, (CARDS,)),
        ("discard", np.int8, (LINE_SIZE,)),  # three players: bottom first; grows only when the audition line shrinks
        ("discard_count", np.int8),
        ("dealt", np.int16),  # cards dealt in the set-up
        ("phase", np.int8),
        ("mover", np.int8),
        ("start", np.int8),  # the seat that begins the round
        ("round", np.int16),  # rounds completed (four to six players)
        ("check", np.int8),  # the check that is being settled
        ("must_discard", np.int8),
        ("last_turn", np.int8),
    ]


INTERCHANGEABLE = ()


# ---- the action catalogue --------------------------------------------------------------------------------------------
# Three players: crew | plays from the hand, the audition line, the pile | collect | discard.
# Four to six: crew | plan | push r0, r1, c0 by target, c1 by target | collect.
@rule
def first_play(o: Any) -> int:
    """The index of the first play (three players) or push."""
    return CARDS if o.players == MIN_PLAYERS else 2 * CARDS


@rule
def first_collect(o: Any) -> int:
    """The index of the first `collect`."""
    return first_play(o) + (3 * PLAYS if o.players == MIN_PLAYERS else 2 + 2 * TARGETS[o.players])


@rule
def first_discard(o: Any) -> int:
    """The index of the first `discard` (three players)."""
    return first_collect(o) + CARDS


@rule
def play_of(source: int, card: int) -> int:
    """Three players: a card's first play from a source, counted from the first play."""
    return PLAYS * source + (4 * card if card < HOPS else 4 * HOPS + 2 * (card - HOPS))


# ---- what may be done ------------------------------------------------------------------------------------------------
@rule
def action_mask(o: Any, s: Any, seat: int, mask: Any) -> None:
    """Set the legal actions of the seat to move; `mask` [A]."""
    if s.phase == CREW:
        mask_hand(s, seat, 0, mask)
    elif s.phase == PLAN:
        mask_hand(s, seat, CARDS, mask)
    elif s.phase == DISCARD:
        mask_hand(s, seat, first_discard(o), mask)
    elif s.phase == COLLECT:
        first = first_collect(o)
        for card in range(CARDS):
            mask[first + card] = 1 if s.audition[card] > 0 else 0
    elif o.players == MIN_PLAYERS:
        mask_plays(o, s, seat, mask)
    elif move_of(s.planned[seat]) == HOP:
        for k in range(2 * TARGETS[o.players]):
            mask[first_play(o) + 2 + k] = 1
    else:
        mask[first_play(o)] = 1
        mask[first_play(o) + 1] = 1


@rule
def mask_hand(s: Any, seat: int, first: int, mask: Any) -> None:
    """Any card in hand. All cells are written, as that takes no branch for a card."""
    for card in range(CARDS):
        mask[first + card] = 1 if s.hand[seat, card] > 0 else 0


@rule
def mask_plays(o: Any, s: Any, seat: int, mask: Any) -> None:
    """HH-48: a card of the hand, of the audition line, or the top of the discard pile, along any of its lines."""
    # Cells of cards that aren't there are written too: nothing foretells which are, so a branch a card costs more.
    hand = first_play(o)
    audition = hand + PLAYS * AUDITION
    for card in range(HOPS):
        in_hand = 1 if s.hand[seat, card] > 0 else 0
        in_line = 1 if s.audition[card] > 0 else 0
        for k in range(4):
            mask[hand + 4 * card + k] = in_hand
            mask[audition + 4 * card + k] = in_line
    hand += 4 * HOPS
    audition += 4 * HOPS
    for card in range(CARDS - HOPS):
        in_hand = 1 if s.hand[seat, HOPS + card] > 0 else 0
        in_line = 1 if s.audition[HOPS + card] > 0 else 0
        for k in range(2):
            mask[hand + 2 * card + k] = in_hand
            mask[audition + 2 * card + k] = in_line
    if s.discard_count > 0:
        top = s.discard[s.discard_count - 1]
        for k in range(4 if top < HOPS else 2):
            mask[first_play(o) + play_of(PILE, top) + k] = 1


# ---- set-up ----------------------------------------------------------------------------------------------------------
@rule
def setup(o: Any, s: Any) -> None:
    """HH-40, HH-41: all cards are in the pile, and chance deals."""
    for card in range(CARDS):
        s.draw[card] = decks(o.players)
    for seat in range(o.players):
        s.planned[seat] = NONE
        for cell in range(CELLS):
            s.crew[seat, cell] = NONE
    s.phase = DEAL
    s.current_player = CHANCE


@rule
def lay(o: Any, s: Any, card: int) -> None:
    """HH-40: a card into the next cell of the mover's crew; seat after seat, then the audition line is dealt."""
    seat = s.mover
    s.hand[seat, card] -= 1
    cell = 0
    while s.crew[seat, cell] != NONE:
        cell += 1
    s.crew[seat, cell] = card
    if cell == CELLS - 1:
        s.mover = (seat + 1) % o.players
        if s.mover == 0:
            s.phase = LINE
            s.current_player = CHANCE
            return
    s.current_player = s.mover


# ---- what happens then -----------------------------------------------------------------------------------------------
@rule
def apply(o: Any, s: Any, action: int) -> None:
    """Carry out a legal decision of the seat to move."""
    if s.phase == CREW:
        lay(o, s, action)
    elif s.phase == PLAN:
        plan(o, s, action - CARDS)
    elif s.phase == COLLECT:
        card = action - first_collect(o)
        s.audition[card] -= 1
        if s.check == START:
            forget_plan(o, s)  # before this card comes: it can't be the planned one
        take_face_up(s, s.mover, card)
        if o.players == MIN_PLAYERS and total(s.audition) == 0:
            s.last_turn = 1  # HH-52
        go_on(o, s, after_card(s))
    elif s.phase == DISCARD:  # HH-50
        card = action - first_discard(o)
        give_away(s, s.mover, card)
        s.discard[s.discard_count] = card
        s.discard_count += 1
        s.must_discard = 0
        go_on(o, s, AT_CLOSE)
    elif o.players == MIN_PLAYERS:
        play(o, s, action - first_play(o))
    else:
        reveal(o, s, action - first_play(o))


@rule
def take_face_up(s: Any, seat: int, card: int) -> None:
    """A card that all have seen comes into a hand."""
    s.hand[seat, card] += 1
    s.known[seat, card] += 1


@rule
def give_away(s: Any, seat: int, card: int) -> None:
    """A card leaves a hand for all to see."""
    s.hand[seat, card] -= 1
    forget(s, seat, card)


@rule
def forget(s: Any, seat: int, card: int) -> None:
    """A card that was known to be in a hand has been seen to leave it."""
    if s.known[seat, card] > 0:
        s.known[seat, card] -= 1


# ---- the course of a turn and a round --------------------------------------------------------------------------------
@rule
def go_on(o: Any, s: Any, step: int) -> None:
    """Go through what follows until a seat is asked, chance acts or the game is over."""
    while step != WAIT:
        if step == AT_START:
            step = at_start(o, s)
        elif step == AT_PLAY:
            step = at_play(o, s)
        elif step == AT_END:
            step = at_end(o, s)
        elif step == AT_CLOSE:
            step = at_close(o, s)
        elif step == AT_ROUND:
            step = at_round(o, s)
        else:
            step = at_pass(o, s)


@rule
def after_card(s: Any) -> int:
    """What follows a card that a check has given."""
    if s.check == START:
        return AT_PLAY
    return AT_CLOSE if s.check == END else AT_PASS


@rule
def is_given_a_card(o: Any, s: Any) -> bool:
    """A check (HH-46): whether the mover is In Sync, and a card can be drawn or chosen (HH-51, HH-55, HH-56)."""
    if not is_in_sync(s, s.mover):
        return False
    from_pile = o.players == MIN_PLAYERS or s.check == ROUND
    if from_pile and total(s.draw) > 0:
        s.phase = DRAW
        s.current_player = CHANCE
        return True
    if total(s.audition) > 0:
        s.phase = COLLECT
        s.current_player = s.mover
        return True
    return False


@rule
def at_start(o: Any, s: Any) -> int:
    """HH-47, HH-55: the start check, but in the first round."""
    s.check = START
    if s.turn >= o.players and is_given_a_card(o, s):
        return WAIT
    forget_plan(o, s)
    return AT_PLAY


@rule
def forget_plan(o: Any, s: Any) -> None:
    """HH-55: with its reveal the planned card, if it was known, is no longer a known card of the hand."""
    if o.players > MIN_PLAYERS:
        forget(s, s.mover, s.planned[s.mover])


@rule
def at_play(o: Any, s: Any) -> int:
    """HH-48, HH-55: a card is played; a planned one lies open before its line is chosen."""
    s.check = NOTHING
    s.phase = PLAY
    s.current_player = s.mover
    return WAIT


@rule
def at_end(o: Any, s: Any) -> int:
    """HH-49, HH-55: the end check."""
    s.check = END
    if is_given_a_card(o, s):
        return WAIT
    return AT_CLOSE


@rule
def at_close(o: Any, s: Any) -> int:
    """The end of a turn: HH-50, HH-52, HH-53 with three players; with more the line is refilled (HH-55)."""
    s.check = NOTHING
    if o.players == MIN_PLAYERS:
        if s.must_discard:
            s.phase = DISCARD
            s.current_player = s.mover
            return WAIT
        return end_turn(o, s)
    if total(s.audition) < LINE_SIZE and total(s.draw) > 0:
        s.phase = REFILL
        s.current_player = CHANCE
        return WAIT
    s.acted[s.mover] = 1
    s.turn += 1
    s.mover = (s.mover + 1) % o.players
    return AT_ROUND if s.mover == s.start else AT_START


@rule
def end_turn(o: Any, s: Any) -> int:
    """Three players: the finale (HH-52), the cap (HH-53), or the left neighbour's turn."""
    if s.last_turn:
        s.turn += 1
        s.current_player = TERMINAL
        return WAIT
    if finish_turn(o, s):
        return WAIT
    s.mover = (s.mover + 1) % o.players
    return AT_START


@rule
def at_round(o: Any, s: Any) -> int:
    """HH-56: the mover's check at the end of the round."""
    s.check = ROUND
    if is_given_a_card(o, s):
        return WAIT
    return AT_PASS


@rule
def at_pass(o: Any, s: Any) -> int:
    """HH-56, HH-57: the next seat's check; after the last one the start passes on, or comes the finale."""
    s.check = NOTHING
    s.mover = (s.mover + 1) % o.players
    if s.mover != s.start:
        return AT_ROUND
    s.round += 1
    s.start = (s.start + 1) % o.players
    for seat in range(o.players):
        s.acted[seat] = 0
    if s.round == ROUNDS[o.players]:
        s.current_player = TERMINAL
    else:
        s.mover = s.start
        s.phase = PLAN
        s.current_player = s.mover
    return WAIT


# ---- playing a card --------------------------------------------------------------------------------------------------
@rule
def target(o: Any, s: Any, k: int) -> int:
    """HH-45: the k-th seat that the mover's hop may be against."""
    return (s.mover + FIRST_TARGET[o.players] + k) % o.players


@rule
def play(o: Any, s: Any, code: int) -> None:
    """Three players: a card from where it is, along a line (HH-48); HH-52: the line's last card ends the game."""
    source = code // PLAYS
    code = code % PLAYS
    card = code // 4
    way = code % 4
    if code >= 4 * HOPS:
        card = HOPS + (code - 4 * HOPS) // 2
        way = code % 2
    if source == HAND:
        give_away(s, s.mover, card)
    elif source == AUDITION:
        s.audition[card] -= 1
        s.must_discard = 1
        if total(s.audition) == 0:
            s.last_turn = 1
    else:
        s.discard_count -= 1
        s.discard[s.discard_count] = 0
        s.must_discard = 1
    if card < HOPS:
        bump(o, s, push_column(s, s.mover, way // 2, target(o, s, way % 2), card))
    else:
        bump(o, s, push_row(o, s, s.mover, way, card, move_of(card) == SLIDE))


@rule
def plan(o: Any, s: Any, card: int) -> None:
    """HH-54: a hand card face down; when all have planned, the starting player's turn begins."""
    s.hand[s.mover, card] -= 1
    s.planned[s.mover] = card
    s.mover = (s.mover + 1) % o.players
    s.current_player = s.mover
    if s.mover == s.start:
        go_on(o, s, AT_START)


@rule
def reveal(o: Any, s: Any, way: int) -> None:
    """HH-55: the planned card is pushed along the line chosen."""
    card = s.planned[s.mover]
    s.planned[s.mover] = NONE
    if card < HOPS:
        column = (way - 2) // TARGETS[o.players]
        against = target(o, s, (way - 2) % TARGETS[o.players])
        bump(o, s, push_column(s, s.mover, column, against, card))
    else:
        bump(o, s, push_row(o, s, s.mover, way, card, move_of(card) == SLIDE))


@rule
def bump(o: Any, s: Any, card: int) -> None:
    """HH-48, HH-55: the card bumped out last comes to the mover's hand, for all to see."""
    take_face_up(s, s.mover, card)
    go_on(o, s, AT_END)


# ---- chance ----------------------------------------------------------------------------------------------------------
@rule
def num_outcomes(o: Any, s: Any) -> int:
    """HH-41, C-2: every card left in the pile."""
    return total(s.draw)


@rule
def outcome_weight(o: Any, s: Any, k: int) -> int:
    """All cards left are equally likely."""
    return 1


@rule
def apply_chance(o: Any, s: Any, k: int) -> None:
    """A card is dealt, drawn for the mover's eyes only, or laid into the audition line."""
    card = take(s.draw, k)
    if s.phase == DEAL:
        s.hand[s.dealt // HAND_SIZE, card] += 1
        s.dealt += 1
        if s.dealt == HAND_SIZE * o.players:
            s.phase = CREW
            s.current_player = 0
    elif s.phase == LINE:
        s.audition[card] += 1
        s.dealt += 1
        if s.dealt == HAND_SIZE * o.players + LINE_SIZE:
            if o.players == MIN_PLAYERS:
                go_on(o, s, AT_START)
            else:
                s.phase = PLAN
                s.current_player = s.mover
    elif s.phase == REFILL:
        s.audition[card] += 1
        go_on(o, s, AT_CLOSE)
    else:
        s.hand[s.mover, card] += 1
        go_on(o, s, after_card(s))


# ---- the finale ------------------------------------------------------------------------------------------------------
@rule
def result(o: Any, s: Any, scores: Any, ranks: Any, winners: Any) -> None:
    """HH-58: scores; HH-59: ties are broken by cards, those of one colour, those of one style, or stay draws."""
    for seat in range(o.players):
        scores[seat] = finale_score(s, seat, False)
    for seat in range(o.players):
        better = 0
        for other in range(o.players):
            if other != seat and is_ahead(s, scores, other, seat):
                better += 1
        ranks[seat] = 1 + better
    first = 0
    for seat in range(o.players):
        first += 1 if ranks[seat] == 1 else 0
    for seat in range(o.players):
        winners[seat] = 1 if ranks[seat] == 1 and first == 1 else 0


@rule
def key(o: Any, s: Any, out: Any) -> int:
    """Who is to do what, crews, hands with what is known of them, plans, the line, the pile and the discards."""
    over = s.current_player == TERMINAL
    out[0] = o.players if over else s.mover
    out[1] = 0 if over else s.phase
    out[2] = s.check
    out[3] = s.must_discard
    out[4] = s.last_turn
    out[5] = s.start
    out[6] = s.round & 255
    out[7] = 1 if s.turn >= o.players else 0
    n = 8
    for seat in range(o.players):
        for cell in range(CELLS):
            out[n] = 1 + s.crew[seat, cell]
            n += 1
        for card in range(CARDS):
            out[n] = s.hand[seat, card] + 4 * s.known[seat, card]
            n += 1
        out[n] = 1 + s.planned[seat]
        out[n + 1] = s.acted[seat]
        n += 2
    for card in range(CARDS):
        out[n] = s.draw[card] + 4 * s.audition[card]
        n += 1
    for k in range(s.discard_count):
        out[n + 1 + k] = s.discard[k]
    out[n] = s.discard_count
    return n + 1 + s.discard_count
