"""Connected groups in the mob (HH-22, HH-25, HH-26): what a lead dancer counts in the finale."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hopenvs.core.bits import bit_number, lowest_bit
from hopenvs.core.jit import rule
from hopenvs.games.hedgehog_hop.cards import (
    CARDS,
    COLOUR_FEATURE,
    COLOURS,
    FEATURES,
    HAS,
    STYLE_FEATURE,
    STYLES,
)
from hopenvs.games.hedgehog_hop.puzzler.push import UNICORN, ZOMBIE


def _belongs() -> NDArray[np.int8]:
    """[card of the mob, feature] 1 where it belongs: the unicorn to all, the zombie to red and street."""
    table = np.zeros((CARDS + 2, FEATURES), np.int8)
    table[:CARDS] = HAS
    table[UNICORN] = 1
    table[ZOMBIE, COLOUR_FEATURE + COLOURS.index("red")] = 1
    table[ZOMBIE, STYLE_FEATURE + STYLES.index("street")] = 1
    return table


BELONGS = _belongs()


@rule
def lead_score(s: Any, card: int) -> int:
    """HH-22: the sizes of the largest groups with the card's move, colour and style, summed."""
    score = 0
    for feature in range(FEATURES):
        if HAS[card, feature] == 1:
            score += largest_group(s, feature)
    return score


@rule
def largest_group(s: Any, feature: int) -> int:
    """The size of the mob's largest orthogonally connected group with a feature; 0 if no card has it."""
    left = 0  # cards of the feature that no group has reached yet, as bits
    for slot in range(s.mob_count):
        left |= BELONGS[s.mob_card[slot], feature] << slot
    largest = 0
    while left != 0:
        reached = lowest_bit(left)
        left ^= reached
        size = 0
        while reached != 0:
            bit = lowest_bit(reached)
            reached ^= bit
            size += 1
            slot = bit_number(bit)
            others = left
            while others != 0:
                other = lowest_bit(others)
                others ^= other
                if are_neighbours(s, slot, bit_number(other)):
                    left ^= other
                    reached |= other
        if size > largest:
            largest = size
    return largest


@rule
def are_neighbours(s: Any, one: int, other: int) -> bool:
    """Whether two cards of the mob touch at a side."""
    return abs(s.mob_column[one] - s.mob_column[other]) + abs(s.mob_row[one] - s.mob_row[other]) == 1
