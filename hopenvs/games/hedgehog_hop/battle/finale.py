"""The finale: what crews and hands are worth (HH-58, HH-59)."""

from __future__ import annotations

from typing import Any

from hopenvs.core.jit import rule
from hopenvs.games.hedgehog_hop.battle.crews import CELLS
from hopenvs.games.hedgehog_hop.battle.phases import CREW, PLAY
from hopenvs.games.hedgehog_hop.cards import CARDS, COLOUR_FEATURE, FEATURES, HAS, STYLE_FEATURE
from hopenvs.games.hedgehog_hop.finale import pairs_of

CARDS_OF_A_MOVE = 12


@rule
def owned(s: Any, seat: int, card: int, public: bool) -> int:
    """How often a seat has a card, in its crew, hand and plan; with `public`, what everybody knows of that."""
    count = s.known[seat, card] if public else s.hand[seat, card]
    if s.planned[seat] == card and (not public or (s.phase == PLAY and s.mover == seat)):
        count += 1
    if not public or s.phase != CREW:
        for cell in range(CELLS):
            if s.crew[seat, cell] == card:
                count += 1
    return count


@rule
def style_code(s: Any, seat: int, move: int, style: int, public: bool) -> int:
    """A seat's cards of a move and a style: 9 * green + 3 * red + blue, at most two of each."""
    first = CARDS_OF_A_MOVE * move + style
    green = owned(s, seat, first, public)
    red = owned(s, seat, first + 4, public)
    blue = owned(s, seat, first + 8, public)
    return 9 * green + 3 * red + blue


@rule
def cards_in(code: int) -> int:
    """How many cards a style code counts."""
    return code // 9 + code // 3 % 3 + code % 3


@rule
def finale_score(s: Any, seat: int, public: bool) -> int:
    """HH-58: the size of the largest move group, and the most In Sync pairs that each group can be laid out with."""
    score = 0
    largest = 0
    for move in range(3):
        retro = style_code(s, seat, move, 0, public)
        rave = style_code(s, seat, move, 1, public)
        spicy = style_code(s, seat, move, 2, public)
        street = style_code(s, seat, move, 3, public)
        size = cards_in(retro) + cards_in(rave) + cards_in(spicy) + cards_in(street)
        if size > largest:
            largest = size
        score += pairs_of(retro, rave, spicy, street)
    return score + largest


@rule
def most_with(s: Any, seat: int, first: int, last: int) -> int:
    """The most cards of a seat that have one of the features [first, last)."""
    most = 0
    for feature in range(first, last):
        count = 0
        for card in range(CARDS):
            if HAS[card, feature] == 1:
                count += owned(s, seat, card, False)
        if count > most:
            most = count
    return most


@rule
def is_ahead(s: Any, scores: Any, one: int, other: int) -> bool:
    """HH-59: whether a seat has done better than another."""
    if scores[one] != scores[other]:
        return scores[one] > scores[other]
    a = 0
    b = 0
    for card in range(CARDS):
        a += owned(s, one, card, False)
        b += owned(s, other, card, False)
    if a == b:
        a = most_with(s, one, COLOUR_FEATURE, STYLE_FEATURE)
        b = most_with(s, other, COLOUR_FEATURE, STYLE_FEATURE)
    if a == b:
        a = most_with(s, one, STYLE_FEATURE, FEATURES)
        b = most_with(s, other, STYLE_FEATURE, FEATURES)
    return a > b
