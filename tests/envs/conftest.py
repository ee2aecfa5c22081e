"""The tiny games under ids of their own, as long as a module of tests needs them; players whose play is known."""

import zlib

import gymnasium
import numpy as np
import pettingzoo
import pytest

import hopenvs
from hopenvs import registry
from tests.games_for_tests import card_game, tick_game

TINY = {"tick_game-v0": tick_game, "card_game-v0": card_game, "card_game-4p-v0": card_game}
IDS = ["igel_aergern-2p-v0", "igel_aergern-4p-anarchy-v0", *TINY]


@pytest.fixture(scope="module", autouse=True)
def registered():
    """Ids for the tiny games, taken back at the end: no other test should meet them in a list."""
    hopenvs.register(tick_game)
    hopenvs.register(card_game)
    hopenvs.register(card_game, "card_game-4p-v0", players=4)
    yield
    for env_id in TINY:
        del registry._entries[env_id]
        name = f"hopenvs/{env_id}"
        gymnasium.registry.pop(name)
        for api in ("aec", "parallel"):
            getattr(pettingzoo, f"{api}_registry", {}).pop(name, None)


@pytest.fixture(params=IDS)
def env_id(request):
    return request.param


def by_what_is_seen(observation, mask, seat=0):
    """A legal action that depends on nothing but what a seat sees, and on which seat it is.

    Seats differ in taste: in the tick game all of them begin with the same view, and would only ever bid alike.
    """
    legal = np.flatnonzero(mask)
    return int(legal[(zlib.crc32(observation.tobytes()) + 31 * seat) % len(legal)])


def players_by_what_is_seen(learner, num_players):
    """The same as opponents of a learner: one function for each other seat, clockwise."""

    def player(seat):
        return lambda seen, masks: np.array([by_what_is_seen(o, m, seat) for o, m in zip(seen, masks, strict=True)])

    return [player((learner + offset) % num_players) for offset in range(1, num_players)]


def all_by_what_is_seen(observations, masks):
    """One opponent for all other seats."""
    return np.array([by_what_is_seen(o, m) for o, m in zip(observations, masks, strict=True)])
