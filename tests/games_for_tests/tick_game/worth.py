"""What a seat holds is worth: a rule in a file of its own, called by rules in another."""

from typing import Any

from hopenvs.core.jit import rule

from .tables import CARD_WORTH, CARDS


@rule
def cards_held(s: Any, seat: int) -> int:
    """How many cards a seat still has."""
    count = 0
    for card in range(CARDS):
        count += s.hand[seat, card]
    return count


@rule
def worth(s: Any, seat: int) -> float:
    """Points, and a little for each card in hand."""
    return s.points[seat] + CARD_WORTH * cards_held(s, seat)
