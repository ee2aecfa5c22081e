"""What the tests of players share: games under way."""

from typing import Any

import numpy as np
import pytest

from hopenvs.agents.uniform import uniform_actions
from hopenvs.core import kernels, rng
from hopenvs.core.batch import Batch
from hopenvs.core.options import parse_options
from hopenvs.games import hooop, igel_aergern
from tests.games_for_tests import card_game, tick_game

# Modules, as far as mypy can tell no games.
IGEL: Any = igel_aergern
HOOOP: Any = hooop
CARDS: Any = card_game
TICKS: Any = tick_game
GAMES = {"tick_game": TICKS, "card_game": CARDS, "igel_aergern": IGEL}


def streams_of(n, seed=0):
    """[n, 4] generators for players."""
    return np.stack([rng.generator(seed + k, rng.OPPONENTS) for k in range(n)])


def under_way(game, options, n, seed=0, most=60):
    """A batch of n games, row k after k uniform decisions (modulo `most`), the next one due."""
    batch = Batch(game, options, n, autoreset=kernels.SAME_STEP)
    batch.start(kernels.NEW_SEED, [seed + k for k in range(n)])
    streams = streams_of(n, seed)
    for k in range(most):
        orders = np.full((n, batch.seats_asked), kernels.SKIP, np.int32)
        going = np.arange(n) % most > k
        for place in range(batch.seats_asked):
            chosen = uniform_actions(np.ascontiguousarray(batch.mask[:, place]), streams)
            orders[going, place] = chosen[going]
        batch.step(orders)
    return batch


def decide(agent, batch, streams, place=0):
    """What an agent does in every row of a batch, for the seat asked (in a tick: seat `place`)."""
    seats = np.where(batch.seat >= 0, batch.seat, place).astype(np.int32)
    return agent.act(
        np.ascontiguousarray(batch.observation[:, place]),
        np.ascontiguousarray(batch.mask[:, place]),
        states=batch.states.copy(),
        seats=seats,
        streams=streams,
    )


@pytest.fixture(params=GAMES)
def game(request):
    """Each game in turn: simultaneous and open, in turns and hidden, in turns and open."""
    return GAMES[request.param]


@pytest.fixture(
    params=[CARDS, *(pytest.param(of, marks=pytest.mark.slow) for of in (TICKS, IGEL))], ids=lambda of: of.ID
)
def searched_game(request):
    """Each game in turn, for kernels that take long to compile."""
    return request.param


@pytest.fixture
def options(game):
    return parse_options(game, {})
