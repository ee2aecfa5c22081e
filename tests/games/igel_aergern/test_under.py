"""How many pieces lie under each: kept as pieces come and go, and never taken from somebody else's record."""

import random

import numpy as np
import pytest

import hopenvs
from hopenvs.games.igel_aergern import rules
from tests.games.igel_aergern.board_text import new_game


def counted(record):
    """The pieces under each piece, found by going down."""
    found = []
    for piece in range(len(record.below)):
        pieces, below = 0, record.below[piece]
        while below != rules.NONE:
            pieces, below = pieces + 1, record.below[below]
        found.append(pieces)
    return found


@pytest.mark.clause("IA-2", "IA-8", "IA-9", "IA-24", "IA-26")
@pytest.mark.parametrize(
    "options", [{}, {"players": 4, "anarchy": True, "doping": True}, {"players": 3, "repelling_pits": True}], ids=str
)
def test_it_is_what_going_down_finds_after_every_decision(options):
    walk = new_game(**options)
    generator = random.Random(str(options))
    highest = 0
    for _ in range(250):
        if walk.is_over:
            break
        if walk.is_chance:
            walk.happen(generator.randrange(len(walk.outcomes())))
        else:
            walk.play_named(generator.choice(walk.legal_names()))
        assert list(walk.record.under) == counted(walk.record)
        highest = max(highest, *walk.record.under)
    assert highest > 1


@pytest.mark.clause("C-6")
@pytest.mark.parametrize("steps", [3, 12, 60])  # pieces in hand; all placed; the race
def test_a_state_that_says_otherwise_is_refused(steps):
    env = hopenvs.make("igel_aergern-4p-v0")
    env.reset(seed=3)
    for _ in range(steps):
        env.step(env.legal_actions()[0])
    record = env._batch.states
    before = record.tobytes()
    pieces = record["under"].shape[1]
    forgeries = [{"under": wrong} for wrong in (-1, 5, -128, 77)] + [{"track": 5, "column": 8, "under": -128}]
    for piece in range(pieces):
        for forgery in [*forgeries, {"track": 0}, {"column": 0}, {"below": piece}]:
            forged = record.copy()
            for field, wrong in forgery.items():
                forged[field][0, piece] = wrong
            if forged.tobytes() == before:
                continue
            with pytest.raises(ValueError, match="no state of igel_aergern"):
                env.set_state(forged.view(np.uint8)[16:])
            assert record.tobytes() == before
    swapped = record.copy()
    low, high = (int(k) for k in (np.argmin(record["under"][0]), np.argmax(record["under"][0])))
    swapped["under"][0, [low, high]] = swapped["under"][0, [high, low]]
    if swapped.tobytes() != before:
        with pytest.raises(ValueError, match="no state of igel_aergern"):
            env.set_state(swapped.view(np.uint8)[16:])
    env.set_state(record.copy().view(np.uint8)[16:])
