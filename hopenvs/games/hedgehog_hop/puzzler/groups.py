"""Connected groups in the mob (HH-22, HH-25, HH-26): what a lead dancer counts in the finale."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hopenvs.core.bits import MAX_BITS, bit_number, count_bits, lowest_bit
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

# The same as lists: how many features a card of the mob has, and which.
NUM_FEATURES = BELONGS.sum(axis=1).astype(np.int8)  # [card of the mob]
FEATURES_OF = np.argsort(1 - BELONGS, axis=1, kind="stable").astype(np.int8)  # [card of the mob, k] of them k counts

# [feature] one card in so many has it: of 3 moves and 3 colours each is a third, of 4 styles a fourth.
ONE_IN = CARDS / HAS.sum(axis=0)


# Sizes of groups, a feature each, as digits of one integer: a mob holds fewer than 64 cards.
_DIGIT = 6
_LARGEST_DIGIT = 2**_DIGIT - 1


@rule
def lead_score(s: Any, card: int) -> int:
    """HH-22: the sizes of the largest groups with the card's move, colour and style, summed."""
    score = 0
    for feature in range(FEATURES):
        if HAS[card, feature] == 1:
            score += largest_group(s, feature)
    return score


@rule
def group_sizes(s: Any) -> int:
    """The sizes of all features' largest groups, as digits."""
    sizes = 0
    for feature in range(FEATURES):
        sizes |= largest_group(s, feature) << (_DIGIT * feature)
    return sizes


@rule
def best_lead(s: Any, seat: int, sizes: int) -> int:
    """The greatest `lead_score` of the cards in a hand, from `group_sizes`."""
    best = 0
    for card in range(CARDS):
        if s.hand[seat, card] > 0:
            score = 0
            for feature in range(FEATURES):
                if HAS[card, feature] == 1:
                    score += (sizes >> (_DIGIT * feature)) & _LARGEST_DIGIT
            if score > best:
                best = score
    return best


@rule
def mean_lead(sizes: int) -> float:
    """The mean `lead_score` of the 36 cards, from `group_sizes`."""
    total = 0.0
    for feature in range(FEATURES):
        total += ((sizes >> (_DIGIT * feature)) & _LARGEST_DIGIT) / ONE_IN[feature]
    return total


@rule
def largest_group(s: Any, feature: int) -> int:
    """The size of the mob's largest orthogonally connected group with a feature; 0 if no card has it.

    The rectangle round the cards is laid out row by row in two integers, with an empty column beside it that keeps its
    rows apart, so that all cells of a group grow at once. Too large a rectangle is looked at card by card.
    """
    left = 1 << 20
    right = -1
    bottom = 1 << 20
    top = -1
    for slot in range(s.mob_count):
        if BELONGS[s.mob_card[slot], feature] == 1:
            left = min(left, s.mob_column[slot])
            right = max(right, s.mob_column[slot])
            bottom = min(bottom, s.mob_row[slot])
            top = max(top, s.mob_row[slot])
    if right < 0:
        return 0
    width = right - left + 2
    rows = MAX_BITS // width  # in each integer
    if top - bottom + 1 > 2 * rows:
        return largest_group_by_card(s, feature)
    low = 0
    high = 0
    for slot in range(s.mob_count):
        if BELONGS[s.mob_card[slot], feature] == 1:
            row = s.mob_row[slot] - bottom
            if row < rows:
                low |= 1 << (row * width + s.mob_column[slot] - left)
            else:
                high |= 1 << ((row - rows) * width + s.mob_column[slot] - left)
    return largest_region(low, high, width, (rows - 1) * width)


@rule
def largest_region(low: int, high: int, width: int, seam: int) -> int:
    """The size of the largest connected region of cells.

    Args:
        low: the cells of the lower rows, as bits, `width` a row; the last cell of a row is always empty.
        high: those of the upper rows.
        width: how many bits a row takes.
        seam: how far the last row of `low` lies from its first: what touches the first row of `high`.
    """
    largest = 0
    while low | high != 0:
        reached_low = lowest_bit(low)
        reached_high = lowest_bit(high) if low == 0 else 0
        grown = True
        while grown:
            more_low = reached_low | reached_low << 1 | reached_low >> 1 | reached_low >> width
            more_low |= (reached_low & ((1 << seam) - 1)) << width | (reached_high & ((1 << width) - 1)) << seam
            more_high = reached_high | reached_high << 1 | reached_high >> 1 | reached_high >> width
            more_high |= (reached_high & ((1 << seam) - 1)) << width | reached_low >> seam
            more_low &= low
            more_high &= high
            grown = more_low != reached_low or more_high != reached_high
            reached_low = more_low
            reached_high = more_high
        low ^= reached_low
        high ^= reached_high
        size = count_bits(reached_low) + count_bits(reached_high)
        if size > largest:
            largest = size
    return largest


@rule
def largest_group_by_card(s: Any, feature: int) -> int:
    """`largest_group`, however far apart the cards lie."""
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
