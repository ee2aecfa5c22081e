"""A game that asks somebody who has no legal action breaks its contract, and says so (HH-21, HO-17)."""

import sys
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest

import hopenvs
from hopenvs import registry
from hopenvs.core import kernels
from hopenvs.core.batch import Batch
from hopenvs.core.errors import GameError, PositionError
from hopenvs.core.jit import rule
from hopenvs.core.options import parse_options
from tests.core.faulty_games import variant
from tests.games_for_tests import card_game, tick_game

STUCK = "player_1 is asked and has no legal action"


def stuck(game: Any) -> Any:
    """The game, but that player_1 is never offered anything."""
    right = game.action_mask

    @rule
    def action_mask(o: Any, s: Any, seat: int, mask: Any) -> None:
        if seat != 1:
            right(o, s, seat, mask)

    return variant(game, f"stuck_{game.ID}", {"action_mask": action_mask})


@pytest.fixture(scope="module", autouse=True)
def faulty():
    """Both faulty games under ids of their own."""
    games = {game.ID: stuck(game) for game in (card_game, tick_game)}
    for game in games.values():
        sys.modules[game.__name__] = game
        hopenvs.register(game, f"stuck_{game.ID}-v0")
    yield games
    for game in games.values():
        del sys.modules[game.__name__]
        env_id = f"stuck_{game.ID}-v0"
        del registry._entries[env_id]
        gymnasium.registry.pop(f"hopenvs/{env_id}", None)
        for api in ("aec", "parallel"):
            getattr(pettingzoo, f"{api}_registry", {}).pop(f"hopenvs/{env_id}", None)


def test_the_step_that_leads_there_names_the_game_the_row_and_the_seat(faulty):
    game = faulty["card_game"]
    batch = Batch(game, parse_options(game, {}), 3)
    batch.start(kernels.NEW_SEED, [0, 1, 2])
    orders = batch.mask.argmax(axis=-1).astype(np.int32)
    orders[[0, 2]] = kernels.SKIP
    with pytest.raises(GameError, match=f"card_game: {STUCK} in row 1"):
        batch.step(orders)


def test_a_tick_names_the_seat_that_is_offered_nothing(faulty):
    game = faulty["tick_game"]
    batch = Batch(game, parse_options(game, {}), 1)
    with pytest.raises(GameError, match=f"tick_game: {STUCK} here"):
        batch.start(kernels.NEW_SEED, [0])


@pytest.mark.parametrize("illegal", ["raise", "forfeit"])
def test_single_environments_say_so(illegal):
    env = hopenvs.make("stuck_card_game-v0", illegal=illegal)
    env.reset(seed=1)
    with pytest.raises(GameError, match=STUCK):
        env.step(env.legal_actions()[0])
    with pytest.raises(GameError, match=STUCK):
        hopenvs.make("stuck_tick_game-v0", api="parallel").reset(seed=1)


def test_vectors_say_so():
    env = hopenvs.make_vec("stuck_card_game-v0", 4)
    seen, _ = env.reset(seed=1)
    with pytest.raises(GameError, match=f"{STUCK} in row 0"):
        env.step(seen["action_mask"].argmax(axis=-1))


def test_such_a_position_is_refused_and_nothing_changes():
    env = hopenvs.make("stuck_card_game-v0")
    env.reset(seed=1)
    position = env.position()
    before = env.state()
    with pytest.raises(PositionError, match=f"impossible position.*{STUCK}"):
        env.reset(seed=2, options={"position": position | {"to_play": 1}})
    assert (env.state() == before).all()
    assert env.agent_selection == "player_0"
