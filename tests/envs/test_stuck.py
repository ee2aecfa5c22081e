"""A game that asks somebody who has no legal action breaks its contract, and says so (HH-21, HO-17)."""

import sys
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest

import hopenvs
from hopenvs import registry
from hopenvs.agents.match import play_match
from hopenvs.agents.uniform import Uniform
from hopenvs.core import kernels, rng
from hopenvs.core.batch import Batch
from hopenvs.core.errors import GameError, PositionError
from hopenvs.core.jit import rule
from hopenvs.core.options import parse_options
from tests.core.faulty_games import variant
from tests.games_for_tests import card_game, tick_game

STUCK = "player_1 is asked in phase '[a-z]+' and has no legal action"


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


def begun(game: Any, n: int, **keywords: Any) -> Batch:
    batch = Batch(game, parse_options(game, {}), n, **keywords)
    batch.start(kernels.NEW_SEED, range(n))
    return batch


def first_legal(batch: Batch) -> np.ndarray:
    return batch.mask.argmax(axis=-1).astype(np.int32)


@pytest.mark.parametrize(("forfeit", "action"), [(False, 0), (False, 7), (False, kernels.SKIP), (True, 0), (True, 7)])
def test_no_step_leads_on_and_the_error_names_game_row_and_seat(faulty, forfeit, action):
    batch = begun(faulty["card_game"], 3, forfeit=forfeit)
    orders = first_legal(batch)
    orders[[0, 2]] = kernels.SKIP
    batch.step(orders)
    assert batch.seat.tolist() == [0, 1, 0]
    orders[1] = action
    before = batch.states.tobytes()
    with pytest.raises(GameError, match=rf"row 1, {STUCK}: a fault of card_game"):
        batch.step(orders)
    assert batch.states.tobytes() == before


def test_a_tick_names_the_seat_that_is_offered_nothing(faulty):
    with pytest.raises(GameError, match=f"^{STUCK}: a fault of tick_game"):
        begun(faulty["tick_game"], 1)


def test_random_play_stops_there(faulty):
    batch = begun(faulty["card_game"], 2)
    streams = np.array([rng.generator(seed, rng.PLAYOUT) for seed in (0, 1)], np.uint32)
    assert batch.playout(streams, 1) == 2
    with pytest.raises(GameError, match="card_game: row 0: a seat is asked that has no legal action"):
        batch.playout(streams, 1)
    assert batch.states["plies"].tolist() == [1, 1]


def test_matches_say_so(faulty):
    with pytest.raises(GameError, match=STUCK):
        play_match(faulty["card_game"], parse_options(card_game, {}), [Uniform()], games=2, seed=0)


@pytest.mark.parametrize("illegal", ["raise", "forfeit"])
@pytest.mark.parametrize("api", ["aec", "parallel"])
def test_single_environments_say_so(illegal, api):
    env = hopenvs.make("stuck_card_game-v0", api=api, illegal=illegal)
    env.reset(seed=1)
    first = env.legal_actions()[0]
    env.step(first if api == "aec" else {"player_0": first})
    before = env.state()
    with pytest.raises(GameError, match=STUCK):
        env.step(0 if api == "aec" else {"player_1": 0})
    assert (env.state() == before).all()
    with pytest.raises(GameError, match=STUCK):
        hopenvs.make("stuck_tick_game-v0", api=api).reset(seed=1)


@pytest.mark.parametrize("illegal", ["raise", "forfeit"])
def test_vectors_say_so(illegal):
    env = hopenvs.make_vec("stuck_card_game-v0", 4, illegal=illegal)
    seen, _ = env.reset(seed=1)
    env.step(seen["action_mask"].argmax(axis=-1))
    for action in (0, -1):
        with pytest.raises(GameError, match=f"row 0, {STUCK}"):
            env.step(np.full(4, action))


@pytest.mark.parametrize("illegal", ["raise", "forfeit"])
def test_one_seat_against_others_says_so(illegal):
    env = hopenvs.make_gym("stuck_card_game-v0", seat=0, illegal=illegal)
    env.reset(seed=1)
    with pytest.raises(GameError, match=STUCK):
        env.step(int(env.action_masks().argmax()))


def test_such_a_position_is_refused_and_nothing_changes():
    env = hopenvs.make("stuck_card_game-v0")
    env.reset(seed=1)
    position = env.position()
    before = env.state()
    with pytest.raises(PositionError, match=f"impossible position.*{STUCK}"):
        env.reset(seed=2, options={"position": position | {"to_play": 1}})
    assert (env.state() == before).all()
    assert env.agent_selection == "player_0"
