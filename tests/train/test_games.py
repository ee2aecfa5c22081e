from typing import Any

import numpy as np
import pytest

from hopenvs import registry
from hopenvs.agents.policy import describe_model, weight_shapes
from hopenvs.core import jit
from hopenvs.envs.gym import SeatEnv

torch = pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")

from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported  # noqa: E402
from stable_baselines3.common.monitor import Monitor  # noqa: E402

from hopenvs.train.games import SelfPlayGames  # noqa: E402
from hopenvs.train.opponents import Opponents  # noqa: E402
from hopenvs.train.shaping import Potential, usual_size  # noqa: E402

needs_numba = pytest.mark.skipif(jit.BACKEND == "plain", reason="many games of a greedy player")
STEPS = 150 if jit.BACKEND == "numba" else 40


def games_of(env_id, num_envs=6, mix=None, seed=5, keywords=None, **more):
    game, options = registry.resolve(env_id, keywords or {})
    about = describe_model(env_id, game, options, trunk=[8], heads=[4], activation="relu")
    opponents = Opponents(game, options, about, mix=mix or {"uniform": 1.0}, pool_size=2, seed=1)
    return SelfPlayGames(game, options, num_envs, opponents, seed=seed, **more)


def some_weights(games, seed=0):
    generator = torch.Generator().manual_seed(seed)
    shapes = weight_shapes(games.opponents.description)
    return {name: 0.3 * torch.randn(shape, generator=generator) for name, shape in shapes.items()}


def choose(masks, chooser):
    return np.argmax(masks * (1 + chooser.random(masks.shape)), axis=1)


def play(games, steps=STEPS, seed=0):
    """Random decisions of the learner; (observations before, actions, what the step gave), step by step."""
    chooser = np.random.default_rng(seed)
    seen = games.reset()
    for _ in range(steps):
        actions = choose(games.action_masks(), chooser)
        games.step_async(actions)
        result = games.step_wait()
        yield seen, actions, result
        seen = result[0]


IDS = ["igel_aergern-2p-v0", "igel_aergern-3p-v0", "card_game-v0", "tick_game-v0"]


@pytest.mark.parametrize("env_id", IDS)
@pytest.mark.usefixtures("ids")
def test_a_row_plays_the_games_of_a_single_environment_move_for_move(env_id):
    games = games_of(env_id, 6)
    players = games.players
    alone = [registry.make_gym(env_id, seat=row % players, opponents="uniform") for row in range(6)]
    first = [env.reset(seed=5 + row) for row, env in enumerate(alone)]
    seats: list[Any] = [row % players for row in range(6)]
    ended = 0
    for step, (seen, actions, (after, rewards, dones, infos)) in enumerate(play(games)):
        if step == 0:
            np.testing.assert_array_equal(seen, [observation for observation, _ in first])
        for row, env in enumerate(alone):
            observation, reward, terminated, truncated, info = env.step(actions[row])
            assert (reward, terminated or truncated) == (rewards[row], dones[row])
            if dones[row]:
                ended += 1
                np.testing.assert_array_equal(observation, infos[row]["terminal_observation"])
                assert infos[row]["TimeLimit.truncated"] == truncated
                assert infos[row]["episode"]["r"] == reward
                seats[row] = (seats[row] + 1) % players
                env.unwrapped._games.seat = seats[row]
                observation, info = env.reset()
            else:
                assert infos[row] == {}
            np.testing.assert_array_equal(observation, after[row])
            np.testing.assert_array_equal(info["action_mask"], games.action_masks()[row])
            assert env.unwrapped.learner == games.learner[row]
    assert ended > 0 or jit.BACKEND == "plain"
    assert games.games == ended


def test_masks_are_where_maskable_ppo_looks_for_them():
    games = games_of("igel_aergern-2p-v0")
    games.reset()
    assert is_masking_supported(games)
    masks = get_action_masks(games)
    np.testing.assert_array_equal(masks, games.batch.mask[:, 0])
    assert masks.shape == (6, games.action_space.n)
    assert len(games.env_method("action_masks", indices=[2, 3])) == 2
    assert games.get_attr("num_envs", indices=0) == [6]
    assert games.env_is_wrapped(Monitor) == [True] * 6
    assert not any(games.env_is_wrapped(SeatEnv))


def test_observations_are_fresh_and_of_their_space():
    games = games_of("igel_aergern-2p-v0", 4)
    kept = None
    for seen, _, (after, rewards, dones, _) in play(games, 10):
        assert kept is None or np.array_equal(kept, seen), "an observation given out has changed"
        kept = after.copy()
        assert games.observation_space.contains(after[0])
        assert (rewards.dtype, dones.dtype, after.dtype) == (np.float32, np.bool_, np.int8)


@pytest.mark.usefixtures("ids")
def test_the_learner_takes_every_seat_in_turn():
    games = games_of("card_game-v0", 4, keywords={"players": 3})
    seats: list[list[int]] = [[] for _ in range(4)]
    before: Any = None
    for _, _, (_, _, dones, _) in play(games, 60):
        for row in np.flatnonzero(dones).tolist():
            seats[row].append(row % 3 if before is None else int(before[row]))
        before = games.learner.copy()
    for first, taken in enumerate(seats):
        assert len(taken) > 5
        assert taken == [(first + k) % 3 for k in range(len(taken))]


def test_a_game_that_is_cut_off_says_so():
    games = games_of("igel_aergern-2p-v0", 4, keywords={"max_turns": 6})
    cut = [info for _, _, (_, _, _, infos) in play(games, 40) for info in infos if info]
    assert len(cut) > 5
    assert all(info["TimeLimit.truncated"] and info["episode"]["r"] == 0 for info in cut)


@pytest.mark.usefixtures("ids")
def test_opponents_are_drawn_by_their_weights():
    games = games_of("card_game-v0", 8, mix={"self": 1.0, "pool": 2.0, "uniform": 1.0})
    opponents = games.opponents
    opponents.learner_is(some_weights(games))
    assert set(opponents.draw(100).tolist()) == {0, 1}, "without snapshots the learner plays itself instead"
    for seed in range(3):
        opponents.add_snapshot(some_weights(games, seed))
    assert len(opponents.snapshots) == 2, "the oldest has gone"
    torch.testing.assert_close(opponents.snapshots[-1], some_weights(games, 2))
    drawn = np.bincount(opponents.draw(8000), minlength=4) / 8000
    np.testing.assert_allclose(drawn, [0.25, 0.25, 0.25, 0.25], atol=0.03)
    for _ in play(games, 40):
        pass
    assert set(games.record) == {"self", "pool", "uniform"}
    assert sum(count for count, _ in games.record.values()) == games.games
    assert sum(shares for _, shares in games.record.values()) <= games.games


@pytest.mark.usefixtures("ids")
@pytest.mark.parametrize("env_id", ["card_game-v0", "tick_game-v0", "igel_aergern-3p-v0"])
def test_restored_games_go_on_as_they_would_have(env_id):
    def made():
        games = games_of(env_id, 5, mix={"self": 1.0, "uniform": 1.0})
        games.opponents.learner_is(some_weights(games))
        return games

    games = made()
    going = play(games, 60)
    for _ in range(30):
        next(going)
    arrays = {name: array.copy() for name, array in games.arrays().items()}
    chooser = games.opponents.chooser.bit_generator.state
    again = made()
    again.restore(arrays)
    again.opponents.chooser.bit_generator.state = chooser
    np.testing.assert_array_equal(again.reset(), games._observations())
    for _, actions, (after, rewards, dones, infos) in going:
        again.step_async(actions)
        other = again.step_wait()
        np.testing.assert_array_equal(after, other[0])
        np.testing.assert_array_equal(rewards, other[1])
        np.testing.assert_array_equal(dones, other[2])
        assert [info.get("episode") for info in infos] == [info.get("episode") for info in other[3]]
        np.testing.assert_array_equal(games.action_masks(), again.action_masks())


def test_arrays_of_another_run_are_refused():
    arrays = games_of("igel_aergern-2p-v0", 5).arrays()
    with pytest.raises(ValueError, match="states: "):
        games_of("igel_aergern-2p-v0", 6).restore(arrays)


# ---- shaping --------------------------------------------------------------------------------------------------------
@needs_numba
@pytest.mark.usefixtures("ids")
@pytest.mark.parametrize("env_id", ["igel_aergern-2p-v0", "card_game-v0"])
def test_what_the_potential_pays_adds_up_to_the_same_whatever_is_done(env_id):
    game, options = registry.resolve(env_id, {})
    games = games_of(env_id, 6, potential=Potential(game, options, 1.0))
    paid, ended = np.zeros(6), 0
    games.reset()
    first = games.phi.copy()
    for _, _, (_, rewards, dones, infos) in play(games):
        paid += rewards
        for row in np.flatnonzero(dones):
            assert paid[row] == pytest.approx(infos[row]["episode"]["r"] - first[row], abs=1e-5)
            paid[row], first[row], ended = 0.0, games.phi[row], ended + 1
    assert ended > 0


@needs_numba
def test_a_game_that_is_cut_off_keeps_its_potential():
    game, options = registry.resolve("igel_aergern-2p-v0", {"max_turns": 8})
    potential = Potential(game, options, 1.0)
    games = games_of("igel_aergern-2p-v0", 4, keywords={"max_turns": 8}, potential=potential)
    paid = np.zeros(4)
    kept = []
    for _, _, (_, rewards, dones, _) in play(games, 40):
        paid += rewards
        kept += paid[dones].tolist()
        paid[dones] = 0.0
    assert any(abs(value) > 0.01 for value in kept)


@needs_numba
def test_the_size_of_the_evaluation_is_the_same_every_time():
    game, options = registry.resolve("igel_aergern-2p-v0", {})
    size = usual_size(game, options)
    assert size == usual_size(game, options)
    assert 1 < size < 20


def test_the_evaluation_is_squeezed_into_the_weight():
    games = games_of("igel_aergern-2p-v0", 4)
    games.reset()
    potential = Potential.__new__(Potential)
    potential.weight, potential.scale = 0.5, 1e-3
    phi = potential.of(games.batch, np.arange(4), games.learner)
    assert phi.dtype == np.float32
    assert (np.abs(phi) <= 0.5).all()
