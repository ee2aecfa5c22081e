"""One number for many games: the same in every back end, on every platform, and until a version changes."""

import hashlib

import numpy as np
import pytest

from hopenvs.agents.uniform import uniform_actions
from hopenvs.core import kernels, rng
from hopenvs.core.batch import Batch
from hopenvs.core.options import parse_options
from hopenvs.core.state import SIMULTANEOUS, TERMINAL
from hopenvs.games import igel_aergern
from tests.games_for_tests import card_game, tick_game

# Of 8 seeded random games each. The digest of a game changes with its record, catalogue, observation or rules: with any
# of them its version changes too, and this line is written anew from what the test says.
FROZEN = {
    "tick_game": "5a2c28fc4d92af02",
    "card_game": "ab31542788dc8290",
    "card_game of 4": "5ccdeac78d52c7b7",
    "igel_aergern": "37598713e23baff3",
    "igel_aergern of 4, anarchy": "7f00ded59c0cec4c",
}
PLAYED = {
    "tick_game": (tick_game, {}),
    "card_game": (card_game, {}),
    "card_game of 4": (card_game, {"players": 4}),
    "igel_aergern": (igel_aergern, {}),
    "igel_aergern of 4, anarchy": (igel_aergern, {"players": 4, "anarchy": True}),
}
GAMES = 8


def digest_of(game, keywords):
    """States, masks, observations, rewards and flags of whole games, played at random from streams of their own."""
    batch = Batch(game, parse_options(game, keywords), GAMES)
    batch.start(kernels.NEW_SEED, range(GAMES))
    seats = batch.seats_asked
    streams = np.array([rng.generator(seed, rng.PLAYOUT) for seed in range(GAMES * seats)])
    digest = hashlib.sha256()
    for _ in range(10_000):
        for buffer in (batch.states, batch.mask, batch.observation, batch.rewards, batch.flags[: kernels.CAPPED]):
            digest.update(np.ascontiguousarray(buffer).tobytes())
        if (batch.seat == TERMINAL).all():
            return digest.hexdigest()[:16]
        masks = batch.mask.reshape(GAMES * seats, -1)
        actions = uniform_actions(masks, streams).reshape(GAMES, seats)
        actions[batch.seat == TERMINAL] = kernels.SKIP
        assert set(batch.seat.tolist()) <= {TERMINAL, SIMULTANEOUS, *range(batch.spec.num_players)}
        batch.step(actions)
    raise AssertionError("some game has no end")


@pytest.mark.parametrize("name", PLAYED)
def test_seeded_games_have_the_frozen_digest(name):
    assert digest_of(*PLAYED[name]) == FROZEN[name]
