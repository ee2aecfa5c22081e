"""The rules, compiled: in every tick all seats bid a card or wait; the highest card that nobody else bid takes a prize.

What the prize is, chance decides after the bids. Bid cards are gone. The game ends after `ticks` ticks, or at once when
a seat has GOAL points. Everything is open but the bids of a tick under way.
"""

from typing import Any

import numpy as np

from hopenvs.core.jit import rule
from hopenvs.core.state import CHANCE, SIMULTANEOUS, TERMINAL, finish_turn, rank_by

from .tables import CARDS, GOAL, PRIZES, SEATS, WEIGHTS
from .worth import worth

NOBODY = -1
WAIT = 0  # the actions: wait, or 1 + the index of the card that is bid

FIELDS = [
    ("hand", np.int8, (SEATS, CARDS)),  # 1 where the seat still has the card
    ("points", np.int8, (SEATS,)),
    ("claimant", np.int8),  # who gets the prize that chance decides, else NOBODY
]


@rule
def setup(o: Any, s: Any) -> None:
    """All cards in hand."""
    for seat in range(SEATS):
        for card in range(CARDS):
            s.hand[seat, card] = 1
    s.claimant = NOBODY
    s.current_player = SIMULTANEOUS


@rule
def action_mask(o: Any, s: Any, seat: int, mask: Any) -> None:
    """Waiting is always possible."""
    mask[WAIT] = 1
    for card in range(CARDS):
        if s.hand[seat, card]:
            mask[1 + card] = 1


@rule
def highest_bidder(actions: Any) -> int:
    """The seat with the highest bid that no other seat made, or NOBODY."""
    for bid in range(CARDS, 0, -1):
        bidders = 0
        bidder = NOBODY
        for seat in range(SEATS):
            if actions[seat] == bid:
                bidders += 1
                bidder = seat
        if bidders == 1:
            return bidder
    return NOBODY


@rule
def apply_joint(o: Any, s: Any, actions: Any) -> None:
    """A tick: bids are laid down, and a prize is due or not."""
    for seat in range(SEATS):
        if actions[seat] != WAIT:
            s.hand[seat, actions[seat] - 1] = 0
    s.claimant = highest_bidder(actions)
    if s.claimant == NOBODY:
        end_tick(o, s)
    else:
        s.current_player = CHANCE


@rule
def num_outcomes(o: Any, s: Any) -> int:
    """One a prize."""
    return len(PRIZES)


@rule
def outcome_weight(o: Any, s: Any, k: int) -> int:
    """Small prizes come more often."""
    return WEIGHTS[k]


@rule
def apply_chance(o: Any, s: Any, k: int) -> None:
    """The claimant gets prize k."""
    s.points[s.claimant] += PRIZES[k]
    s.claimant = NOBODY
    end_tick(o, s)


@rule
def is_decided(o: Any, s: Any, turn: int) -> bool:
    """Whether the game has ended after so many ticks."""
    for seat in range(SEATS):
        if s.points[seat] >= GOAL:
            return True
    return turn >= o.ticks


@rule
def end_tick(o: Any, s: Any) -> None:
    """The next tick, or the end."""
    if is_decided(o, s, s.turn + 1):
        s.turn += 1
        s.current_player = TERMINAL
    elif not finish_turn(o, s):
        s.current_player = SIMULTANEOUS


@rule
def observe(o: Any, s: Any, seat: int, obs: Any) -> None:
    """Hands and points, counted from the observer, and the tick."""
    n = 0
    for offset in range(SEATS):
        for card in range(CARDS):
            obs[n] = s.hand[(seat + offset) % SEATS, card]
            n += 1
    for offset in range(SEATS):
        obs[n] = s.points[(seat + offset) % SEATS]
        n += 1
    obs[n] = s.turn


@rule
def result(o: Any, s: Any, scores: Any, ranks: Any, winners: Any) -> None:
    """Most points win; without any point nobody does."""
    for seat in range(SEATS):
        scores[seat] = s.points[seat]
    rank_by(SEATS, scores, ranks)
    for seat in range(SEATS):
        winners[seat] = 1 if ranks[seat] == 1 and s.points[seat] > 0 else 0


@rule
def evaluate(o: Any, s: Any, seat: int) -> float:
    """The lead over the best other seat, in points."""
    best = -1.0
    for other in range(SEATS):
        if other != seat:
            best = max(best, worth(s, other))
    return worth(s, seat) - best


@rule
def resample_hidden(o: Any, s: Any, seat: int, rng: Any) -> None:
    """Nothing in the record is hidden but the bids of a tick under way, which no rule reads."""


@rule
def key(o: Any, s: Any, out: Any) -> int:
    """Hands, points, tick and claimant."""
    n = 0
    for seat in range(SEATS):
        for card in range(CARDS):
            out[n] = s.hand[seat, card]
            n += 1
        out[n] = s.points[seat]
        n += 1
    out[n] = s.turn
    out[n + 1] = 1 + s.claimant
    return n + 2
