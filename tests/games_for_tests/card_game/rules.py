"""The rules, compiled: two hidden cards a seat, played or swapped in turn; luck decides what a played card is worth.

On its turn a seat plays a card face up, or buries it face down and draws another from the bag, which nobody looks into.
A played card of value v is lost (weight v), counts v (weight 3) or counts twice (weight 1). The game ends at once when
a seat has `goal` points, else when all hands are empty; seats with an empty hand are skipped.
"""

from typing import Any

import numpy as np

from hopenvs.core.jit import rule
from hopenvs.core.rng import below
from hopenvs.core.state import CHANCE, TERMINAL, finish_turn, rank_by

MAX_SEATS = 4
VALUES = 3
COPIES = (5, 4, 3)  # of the cards of value 1, 2, 3
HAND = 2
LUCK_OUTCOMES = 3  # lost, counts, counts twice

DEAL, PLAY, LUCK, DRAW = 0, 1, 2, 3  # phases; all but PLAY are chance's

FIELDS = [
    ("hand", np.int8, (MAX_SEATS, VALUES)),  # cards of each value; the index is the value less 1
    ("buried", np.int8, (MAX_SEATS, VALUES)),  # face down: only the seat itself knows them
    ("played", np.int8, (MAX_SEATS, VALUES)),  # face up
    ("bag", np.int8, (VALUES,)),
    ("points", np.int8, (MAX_SEATS,)),
    ("phase", np.int8),
    ("mover", np.int8),
    ("card", np.int8),  # the card that luck decides about, else 0
]


@rule
def total(cards: Any, seat: int) -> int:
    """How many cards a seat has there."""
    count = 0
    for card in range(VALUES):
        count += cards[seat, card]
    return count


@rule
def in_bag(s: Any) -> int:
    """How many cards are left in the bag."""
    count = 0
    for card in range(VALUES):
        count += s.bag[card]
    return count


@rule
def take_from_bag(s: Any, k: int) -> int:
    """Take the k-th card left out of the bag, copies side by side; returns which one it is."""
    card = 0
    while k >= s.bag[card]:
        k -= s.bag[card]
        card += 1
    s.bag[card] -= 1
    return card


# ---- play -----------------------------------------------------------------------------------------------------------
@rule
def setup(o: Any, s: Any) -> None:
    """All cards are in the bag, and chance deals."""
    for card in range(VALUES):
        s.bag[card] = COPIES[card]
    s.phase = DEAL
    s.mover = 0
    s.current_player = CHANCE


@rule
def action_mask(o: Any, s: Any, seat: int, mask: Any) -> None:
    """Play a card, or swap it while there is another in the bag."""
    left = in_bag(s)
    for card in range(VALUES):
        if s.hand[seat, card] > 0:
            mask[card] = 1
            if left > 0:
                mask[VALUES + card] = 1


@rule
def apply(o: Any, s: Any, action: int) -> None:
    """A card leaves the hand: face up, and luck decides; or face down, and another is drawn."""
    card = action % VALUES
    s.hand[s.mover, card] -= 1
    if action < VALUES:
        s.played[s.mover, card] += 1
        s.card = card
        s.phase = LUCK
    else:
        s.buried[s.mover, card] += 1
        s.phase = DRAW
    s.current_player = CHANCE


@rule
def num_outcomes(o: Any, s: Any) -> int:
    """Luck has three faces; a draw has an outcome for each card left."""
    return LUCK_OUTCOMES if s.phase == LUCK else in_bag(s)


@rule
def outcome_weight(o: Any, s: Any, k: int) -> int:
    """High cards are lost more often; cards in the bag are alike."""
    if s.phase != LUCK:
        return 1
    if k == 0:
        return s.card + 1
    return 3 if k == 1 else 1


@rule
def apply_chance(o: Any, s: Any, k: int) -> None:
    """A card is dealt or drawn, or points are made."""
    if s.phase == LUCK:
        s.points[s.mover] += k * (s.card + 1)
        s.card = 0
        end_turn(o, s)
    elif s.phase == DRAW:
        s.hand[s.mover, take_from_bag(s, k)] += 1
        end_turn(o, s)
    else:
        s.hand[s.mover, take_from_bag(s, k)] += 1
        s.mover = (s.mover + 1) % o.players
        if total(s.hand, s.mover) == HAND:
            s.phase = PLAY
            s.current_player = s.mover


@rule
def is_decided(o: Any, s: Any) -> bool:
    """Whether a seat has `goal` points or no seat has a card."""
    cards = 0
    for seat in range(o.players):
        if s.points[seat] >= o.goal:
            return True
        cards += total(s.hand, seat)
    return cards == 0


@rule
def end_turn(o: Any, s: Any) -> None:
    """The next seat that has a card, or the end."""
    s.phase = PLAY
    if is_decided(o, s):
        s.turn += 1
        s.current_player = TERMINAL
    elif not finish_turn(o, s):
        s.mover = (s.mover + 1) % o.players
        while total(s.hand, s.mover) == 0:
            s.mover = (s.mover + 1) % o.players
        s.current_player = s.mover


@rule
def result(o: Any, s: Any, scores: Any, ranks: Any, winners: Any) -> None:
    """Most points win, together if need be; without any point nobody does."""
    for seat in range(o.players):
        scores[seat] = s.points[seat]
    rank_by(o.players, scores, ranks)
    for seat in range(o.players):
        winners[seat] = 1 if ranks[seat] == 1 and s.points[seat] > 0 else 0


# ---- what seats see -------------------------------------------------------------------------------------------------
@rule
def observe(o: Any, s: Any, seat: int, obs: Any) -> None:
    """Own cards; then what lies open, counted from the observer."""
    players = o.players
    for card in range(VALUES):
        obs[card] = s.hand[seat, card]
        obs[VALUES + card] = s.buried[seat, card]
    n = 2 * VALUES
    for offset in range(players):
        other = (seat + offset) % players
        for card in range(VALUES):
            obs[n] = s.played[other, card]
            n += 1
    for offset in range(players):
        other = (seat + offset) % players
        obs[n + offset] = total(s.hand, other)
        obs[n + players + offset] = total(s.buried, other)
        obs[n + 2 * players + offset] = s.points[other]
        if s.current_player == other:
            obs[n + 3 * players + offset] = 1
    obs[n + 4 * players] = in_bag(s)


@rule
def resample_hidden(o: Any, s: Any, seat: int, rng: Any) -> None:
    """Shuffle what lies in the bag, in other hands and face down before others."""
    for other in range(o.players):
        if other == seat:
            continue
        in_hand = total(s.hand, other)
        under = total(s.buried, other)
        for card in range(VALUES):
            s.bag[card] += s.hand[other, card] + s.buried[other, card]
            # How many cards there are to redraw stays in the cells of the first value, where counts fit.
            s.hand[other, card] = in_hand if card == 0 else 0
            s.buried[other, card] = under if card == 0 else 0
    for other in range(o.players):
        if other == seat:
            continue
        in_hand = s.hand[other, 0]
        under = s.buried[other, 0]
        s.hand[other, 0] = 0
        s.buried[other, 0] = 0
        for _ in range(in_hand):
            s.hand[other, take_from_bag(s, below(rng, in_bag(s)))] += 1
        for _ in range(under):
            s.buried[other, take_from_bag(s, below(rng, in_bag(s)))] += 1


@rule
def evaluate(o: Any, s: Any, seat: int) -> float:
    """The lead over the best other seat, in points; a card in hand counts its value by half."""
    best = -1.0
    for other in range(o.players):
        if other != seat:
            best = max(best, 1.0 * s.points[other] + total(s.hand, other))
    held = 0.0
    for card in range(VALUES):
        held += 0.5 * (card + 1) * s.hand[seat, card]
    return s.points[seat] + held - best


@rule
def key(o: Any, s: Any, out: Any) -> int:
    """Everything but the number of the turn."""
    out[0] = s.phase
    out[1] = s.mover
    out[2] = s.card
    n = 3
    for card in range(VALUES):
        out[n] = s.bag[card]
        n += 1
    for seat in range(o.players):
        for card in range(VALUES):
            out[n] = s.hand[seat, card]
            out[n + 1] = s.buried[seat, card]
            out[n + 2] = s.played[seat, card]
            n += 3
        out[n] = s.points[seat]
        n += 1
    return n
