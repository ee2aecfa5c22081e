"""Piles as counts: what lies where in a pile whose cards of a kind are side by side."""

import random

import numpy as np
import pytest

from hopenvs.core.counts import BLOCK, kth, total
from hopenvs.core.jit import plain_twin


@pytest.mark.parametrize("kinds", [1, BLOCK - 1, BLOCK, 36, 72, 75])
def test_every_card_of_a_pile_is_found(kinds):
    generator = random.Random(kinds)
    for most in (1, 2, 9):
        pile = np.array([generator.randint(0, most) for _ in range(kinds)], np.int8)
        cards = np.repeat(np.arange(kinds), pile)
        assert plain_twin(total)(pile.data) == len(cards)
        assert [plain_twin(kth)(pile.data, k) for k in range(len(cards))] == cards.tolist()


def test_counts_that_pass_127_together_are_added_up():
    assert plain_twin(total)(np.full(36, 100, np.int8).data) == 3600
