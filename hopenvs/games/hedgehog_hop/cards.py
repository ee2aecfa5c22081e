"""The cards of Hedgehog Hop (HH-1, HH-2): `green-rave-hop` and so on, as numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hopenvs.core.counts import kth
from hopenvs.core.errors import PositionError, nearest
from hopenvs.core.jit import rule
from hopenvs.core.position import items

MOVES = ("hop", "groove", "slide")
COLOURS = ("green", "red", "blue")
STYLES = ("retro", "rave", "spicy", "street")
HOP, GROOVE, SLIDE = range(3)
CARDS = 36  # of one deck; a card is 12 * move + 4 * colour + style
MOST_DECKS = 2  # that are shuffled (HH-1)

NAMES: tuple[str, ...] = tuple(f"{colour}-{style}-{move}" for move in MOVES for colour in COLOURS for style in STYLES)
NUMBERS: dict[str, int] = {name: card for card, name in enumerate(NAMES)}

# What a card has, as one list of features: three moves, three colours, four styles.
FEATURES = 10
MOVE_FEATURE, COLOUR_FEATURE, STYLE_FEATURE = 0, 3, 6


def _features() -> NDArray[np.int8]:
    """[card, feature] 1 where a card has it."""
    table = np.zeros((CARDS, FEATURES), np.int8)
    for card in range(CARDS):
        for feature in (MOVE_FEATURE + card // 12, COLOUR_FEATURE + card // 4 % 3, STYLE_FEATURE + card % 4):
            table[card, feature] = 1
    return table


HAS = _features()


def _pairs() -> NDArray[np.int8]:
    """[card, card] 1 where the two are In Sync (HH-2): the same move, and the same colour or style."""
    same = HAS.astype(np.int64)
    moves, colours, styles = (
        same[:, first:last] @ same[:, first:last].T for first, last in ((0, 3), (3, 6), (6, FEATURES))
    )
    return (moves * np.maximum(colours, styles)).astype(np.int8)


IN_SYNC = _pairs()


@rule
def move_of(card: int) -> int:
    """HOP, GROOVE or SLIDE."""
    return card // 12


@rule
def decks(players: int) -> int:
    """HH-1: four or more players shuffle two decks."""
    return 2 if players >= 4 else 1


@rule
def take(pile: Any, k: int) -> int:
    """Take the k-th card left out of a pile of counts [CARDS], copies side by side (C-2); returns which one it is."""
    card = kth(pile, k)
    pile[card] -= 1
    return card


# ---- for positions ---------------------------------------------------------------------------------------------------
def read_card(name: Any, key: str) -> int:
    """The number of a card's name; PositionError naming the key."""
    if not isinstance(name, str) or name not in NUMBERS:
        hint = nearest(name, NUMBERS) if isinstance(name, str) else ""
        raise PositionError(f"key '{key}': {name!r}{hint}: expected a card such as 'green-rave-hop'")
    return NUMBERS[name]


def read_cards(value: Any, key: str, *, in_order: bool = True) -> list[int]:
    """A list of cards, sorted by number unless their order means something; PositionError naming the key."""
    found = [read_card(name, key) for name in items(value, key, None, "cards")]
    for card, copies in Counter(found).items():
        if copies > MOST_DECKS:
            raise PositionError(f"key '{key}': {copies} times {NAMES[card]}: expected {MOST_DECKS} at most (HH-1)")
    if in_order and found != sorted(found):
        raise PositionError(f"key '{key}': {value!r}: expected the cards sorted by index")
    return found


def check_all_there(position: Mapping[str, Any], found: Counter[int], decks: int) -> None:
    """Every card of the decks is somewhere, once a deck; PositionError naming the keys that hold it, or "draw".

    Args:
        position: where they were looked for.
        found: how often each was.
        decks: how many are shuffled (HH-1).
    """
    for card in range(CARDS):
        if found[card] != decks:
            held = [key for key, value in position.items() if NAMES[card] in str(value)] or ["draw"]
            keys = ", ".join(f"'{key}'" for key in held)
            raise PositionError(f"key {keys}: {NAMES[card]} is there {found[card]} times in all: expected {decks}")


def names_before(piles: Any, seat: int) -> list[str]:
    """The names in a seat's pile of counts [seat, CARDS]."""
    return [NAMES[card] for card in range(CARDS) for _ in range(piles[seat, card])]


def names_of(pile: Any) -> list[str]:
    """The names in a pile of counts [CARDS]."""
    return [NAMES[card] for card in range(CARDS) for _ in range(pile[card])]
