"""Every id through the conformance suite, the stock tests of PettingZoo and Gymnasium, and learning with masks.

Runs on the oldest and the newest supported versions, with and without the extras for pictures and learning.
"""

import importlib.util
import inspect
import warnings
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env as gymnasium_check_env
from pettingzoo.test import (
    api_test,
    parallel_api_test,
    parallel_seed_test,
    render_test,
    seed_test,
    state_test,
)

import hopenvs
from hopenvs import igel_aergern_v0, testing
from hopenvs.core import jit
from hopenvs.registry import entry_of
from hopenvs.testing import CHECKS, KINDS, POINTS, POINTS_ELSEWHERE
from hopenvs.testing.processes import run_python
from tests import conformance_workers
from tests.relabelled import relabelled

IDS = hopenvs.list_envs()
GAMES = list(dict.fromkeys(entry_of(env_id).module for env_id in IDS))
PLAIN = jit.BACKEND == "plain"


def ids_of(game):
    return [env_id for env_id in IDS if entry_of(env_id).module == game]


# Each game's shortest id for the fewest players goes through all checks, and so does one with three players.
SHORT = {"hopenvs.games.hexx_hopp": "hexx_hopp-2p-1r-v0"}
WHOLE = [SHORT.get(game, ids_of(game)[0]) for game in GAMES] + ([] if PLAIN else ["igel_aergern-3p-v0"])
# The others through those that look at the game. In plain Python that's every third. Ten rounds of Hexx & Hopp are ten
# times as many positions as one: those of two players are enough.
# A game with a die, one in which all act at once, one with hidden hands; the others are slow tests.
KINDS_OF_GAMES = ("igel_aergern-2p-v0", "hexx_hopp-2p-1r-v0", "hedgehog_hop-2p-v0")
LONG = [f"hexx_hopp-{players}p-v0" for players in (3, 4, 5)]
OTHERS = [env_id for env_id in IDS if env_id not in (*WHOLE, *LONG)][:: 3 if PLAIN else 1]
every_whole = pytest.mark.parametrize(
    "env_id",
    [pytest.param(env_id, marks=[] if env_id in KINDS_OF_GAMES else [pytest.mark.slow]) for env_id in WHOLE],
)
# What others test takes every id, most of them in the slow tests.
every_id = pytest.mark.parametrize(
    "env_id", [pytest.param(env_id, marks=[] if env_id in WHOLE else [pytest.mark.slow]) for env_id in IDS]
)
OTHER_CHAPTERS = ("rewards_and_endings", "masks", "observations", "agreement")

PICTURES = all(importlib.util.find_spec(name) for name in ("PIL", "pypdfium2"))
WINDOWS = PICTURES and importlib.util.find_spec("pygame") is not None
needs_pictures = pytest.mark.skipif(not PICTURES, reason="needs the extra render")
needs_learning = pytest.mark.skipif(importlib.util.find_spec("sb3_contrib") is None, reason="needs the extra train")


# ---- the suite ------------------------------------------------------------------------------------------------------
# Rules are checked by tests of their own (test_every_game.py), pictures below.
@pytest.mark.parametrize("face", testing.FACES)
@every_whole
def test_the_suite_passes(env_id, face):
    chapters = [chapter for chapter in testing.CHAPTERS if chapter not in ("rendering", "rules")]
    assert testing.check_env(env_id, games=1, faces=[face], chapters=chapters)


@pytest.mark.parametrize(
    "env_id",
    [pytest.param(env_id, marks=[pytest.mark.slow] * (k % 8 > 0)) for k, env_id in enumerate(OTHERS)],
)
def test_the_suite_passes_in_short(env_id):
    done = testing.check_env(env_id, games=1, faces=["aec", "id"], chapters=OTHER_CHAPTERS)
    assert len(done) > 20
    assert testing.check_vector(partial(hopenvs.make_vec, env_id), games=1, chapters=["conversions", "agreement"]) == []


@needs_pictures
@pytest.mark.parametrize("face", ["aec", "parallel", "gym"])
@every_whole
def test_pictures_pass(env_id, face):
    assert testing.check_env(env_id, games=1, faces=[face], chapters=["rendering"])


@pytest.mark.slow
@pytest.mark.parametrize("env_id", [ids_of(game)[0] for game in GAMES])
@pytest.mark.parametrize("name", [entry.name for entry in CHECKS.values() if entry.slow])
def test_slow_checks_pass(env_id, name):
    if name == "check_human_mode" and not WINDOWS:
        pytest.skip("needs the extra window")
    if name == "check_pictures_need_no_display" and not PICTURES:
        pytest.skip("needs the extra render")
    CHECKS[name].run(env_id)


@pytest.mark.parametrize("env_id", [env_id for env_id in IDS if env_id.startswith("igel_aergern")])
def test_all_seats_are_alike(env_id):
    assert testing.check_seats_turn(env_id, relabelled, every=20 if PLAIN else 9) > 2


@pytest.mark.parametrize("name", ["card_game", "tick_game"])
def test_the_suite_passes_on_games_of_others(name):
    """Hidden cards, and seats that act at the same time: in plain Python, where nothing has to be compiled."""
    said = run_python(
        """
import importlib
import hopenvs
from hopenvs import testing
env_id = hopenvs.register(importlib.import_module(given[0]))
chapters = [chapter for chapter in testing.CHAPTERS if chapter not in ("rendering", "rules")]
print(json.dumps(len(testing.check_env(env_id, games=1, chapters=chapters))))
""",
        f"tests.games_for_tests.{name}",
        HOPENVS_BACKEND="plain",
    )
    assert said > 100


def test_every_kind_of_fault_has_a_check_or_a_reason():
    assert list(KINDS) == list(range(1, 74))
    for number, kind in KINDS.items():
        assert kind.number == number
        assert kind.title.endswith(".")
        assert kind.checks or kind.elsewhere, kind
    cited = {number for entry in CHECKS.values() for number in entry.kinds}
    assert cited <= set(KINDS)


def test_every_point_has_a_check_or_a_reason():
    assert list(POINTS) == list(range(1, 15))
    proved = {number for entry in CHECKS.values() for number in entry.points}
    assert proved | set(POINTS_ELSEWHERE) == set(POINTS)


def test_every_check_says_what_it_proves():
    for entry in CHECKS.values():
        assert entry.kinds or entry.points or entry.clauses, entry.name
        assert entry.faces
        assert set(entry.faces) <= set(testing.FACES)
        assert inspect.getdoc(entry.run), entry.name


def test_unknown_faces_and_chapters_are_refused():
    with pytest.raises(ValueError, match="nonsense"):
        testing.check_env(IDS[0], faces=["nonsense"])
    with pytest.raises(ValueError, match="nonsense"):
        testing.check_env(IDS[0], chapters=["nonsense"])


# ---- PettingZoo's tests ---------------------------------------------------------------------------------------------
@pytest.fixture
def quietly():
    """PettingZoo's tests warn of what is meant so: dict observations, masks of zeros for idle agents."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Observation is not a NumPy array")
        warnings.filterwarnings("ignore", message="Observation space for each agent probably should be")
        warnings.filterwarnings("ignore", message=".*all zeros.*")
        yield


@every_id
def test_pettingzoos_tests_pass(env_id, quietly):
    make = partial(hopenvs.make, env_id)
    api_test(make(), num_cycles=100, verbose_progress=False)
    seed_test(make, num_cycles=20)
    parallel = partial(hopenvs.make, env_id, "parallel", illegal="forfeit")
    parallel_api_test(parallel(), num_cycles=60)
    parallel_seed_test(parallel, num_cycles=20)
    state_test(hopenvs.make(env_id, illegal="forfeit"), parallel(), num_cycles=3)


def test_pettingzoos_modules_pass(quietly):
    for players in (2, 3, 6):
        api_test(igel_aergern_v0.env(players=players), num_cycles=50)
        api_test(igel_aergern_v0.raw_env(players=players), num_cycles=50)
        parallel_api_test(igel_aergern_v0.parallel_env(players=players), num_cycles=30)


@needs_pictures
def test_pettingzoos_render_test_passes():
    render_test(partial(hopenvs.make, IDS[0]))


@pytest.mark.parametrize("api", ["aec", "parallel"])
def test_pettingzoos_make_knows_the_ids(api):
    if not hasattr(pettingzoo, "make"):
        pytest.skip("PettingZoo has a registry from 1.27 on")
    inner: Any = pettingzoo.make(api, f"hopenvs/{IDS[0]}", max_cycles=3).unwrapped
    assert inner.env_id == IDS[0]
    assert isinstance(inner, pettingzoo.AECEnv if api == "aec" else pettingzoo.ParallelEnv)


# ---- Gymnasium's tests ----------------------------------------------------------------------------------------------
@every_id
def test_gymnasiums_check_passes(env_id):
    # The check plays random actions, so that illegal ones must end the game, and wants no render mode skipped.
    for keywords in ({}, {"mask_in_observation": True}, {"seat": "random"}):
        env = gymnasium.make(f"hopenvs/{env_id}", illegal="forfeit", **keywords)
        gymnasium_check_env(env.unwrapped, skip_render_check=True)


@pytest.mark.parametrize("how", ["id", "module and id"])
def test_gymnasium_makes_by_id(how):
    prefix = "hopenvs:hopenvs/" if how == "module and id" else "hopenvs/"
    env: Any = gymnasium.make(prefix + IDS[0], seat=1, max_episode_steps=2, disable_env_checker=False)
    _, info = env.reset(seed=1)
    assert env.unwrapped.learner == 1
    truncated = False
    for _ in range(2):
        _, _, _, truncated, info = env.step(int(np.argmax(info["action_mask"])))
    assert truncated


def test_make_vec_takes_options():
    env = gymnasium.make_vec(f"hopenvs/{IDS[0]}", num_envs=3, seat=1, illegal="forfeit", max_episode_steps=4)
    _, infos = env.reset(seed=5)
    assert infos["active"].tolist() == [1, 1, 1]
    _, rewards, terminated, _, _ = env.step(np.full(3, -1))
    assert rewards.tolist() == [-1.0] * 3
    assert terminated.all()
    with pytest.raises(hopenvs.OptionError, match="nonsense"):
        gymnasium.make_vec(f"hopenvs/{IDS[0]}", num_envs=3, nonsense=1)


@pytest.mark.slow
@pytest.mark.parametrize("mask_in_observation", [False, True])
def test_gymnasiums_vectors_agree_sync_and_async(mask_in_observation):
    keywords = {"num_envs": 2, "mask_in_observation": mask_in_observation, "max_episode_steps": 7}
    batches = [
        gymnasium.make_vec(f"hopenvs:hopenvs/{IDS[0]}", vectorization_mode="sync", **keywords),
        gymnasium.make_vec(
            f"hopenvs:hopenvs/{IDS[0]}",
            vectorization_mode="async",
            vector_kwargs={"context": "spawn", "shared_memory": True},
            **keywords,
        ),
        gymnasium.make_vec(f"hopenvs/{IDS[0]}", **keywords),
    ]
    given = [env.reset(seed=3) for env in batches]
    for _ in range(20):
        for observations, infos in given[1:]:
            expected = given[0][0]
            for key in ("observation", "action_mask") if mask_in_observation else (...,):
                np.testing.assert_array_equal(observations[key], expected[key])
            np.testing.assert_array_equal(infos["action_mask"], given[0][1]["action_mask"])
        actions = np.asarray(given[0][1]["action_mask"]).argmax(1)
        results = [env.step(actions) for env in batches]
        for result in results[1:]:
            for part in (1, 2, 3):
                np.testing.assert_array_equal(result[part], results[0][part])
        given = [(result[0], result[4]) for result in results]
    for env in batches:
        env.close()


# ---- learning with masks --------------------------------------------------------------------------------------------
@needs_learning
@pytest.mark.parametrize("env_id", WHOLE)
def test_stable_baselines3s_check_passes(env_id):
    from stable_baselines3.common.env_checker import check_env

    check_env(hopenvs.make_gym(env_id, illegal="forfeit"), skip_render_check=True)


class _Counting(gymnasium.Wrapper):
    """Counts a learner's steps; an illegal one would raise."""

    env: Any
    steps = 0

    def step(self, action):
        self.steps += 1
        assert self.env.unwrapped.action_masks()[action], "an illegal action"
        return self.env.step(action)

    def action_masks(self):
        return self.env.unwrapped.action_masks()


@needs_learning
@pytest.mark.parametrize("game", GAMES)
def test_maskable_ppo_plays_legally_on_the_largest_board(game):
    from sb3_contrib import MaskablePPO
    from sb3_contrib.common.maskable.evaluation import evaluate_policy

    def size(env_id):
        env = hopenvs.make_gym(env_id)
        return env.action_space.n, env.observation_space.shape

    env_id = max(ids_of(game), key=size)
    env = _Counting(hopenvs.make_gym(env_id, illegal="raise", max_episode_steps=150))
    model = MaskablePPO("MlpPolicy", env, n_steps=100, batch_size=50, n_epochs=1, seed=1, device="cpu")
    model.learn(300)
    assert env.steps >= 300
    learnt = env.steps
    evaluate_policy(model, env, n_eval_episodes=1, warn=False)
    assert env.steps > learnt


@needs_learning
@pytest.mark.slow
def test_maskable_ppo_plays_legally_in_spawned_workers():
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.vec_env import SubprocVecEnv

    workers = SubprocVecEnv(
        [partial(conformance_workers.make_env, WHOLE[0], seed) for seed in (1, 2)], start_method="spawn"
    )
    try:
        model = MaskablePPO("MlpPolicy", workers, n_steps=75, batch_size=50, n_epochs=1, seed=1, device="cpu")
        model.learn(300)  # an illegal action raises in its worker
        masks = np.stack(workers.env_method("action_masks"))
        assert masks.dtype == np.bool_
        assert masks.any(1).all()
    finally:
        workers.close()
