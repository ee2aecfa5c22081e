import numpy as np
import pytest

pytest.importorskip("tianshou")

import torch
from tianshou.data import Batch

import hopenvs
from hopenvs.integrations.tianshou import Critic, MaskedActor, QNetwork
from tests.integrations.examples import run

ENV = "igel_aergern-2p-v0"


pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of the library, about itself


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    """Small products are only slowed down by many threads."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def env():
    return hopenvs.make_gym_vec(ENV, 16, mask_in_observation=True)


@pytest.fixture(scope="module")
def seen(env):
    return env.reset(seed=4)[0]


def test_an_actor_gives_illegal_actions_no_chance(env, seen):
    logits, state = MaskedActor(env.single_observation_space, env.single_action_space.n, widths=(16,))(Batch(seen))
    assert state is None
    np.testing.assert_array_equal(logits.isfinite().numpy(), seen["action_mask"] > 0)


def test_values_have_the_shapes_that_tianshou_expects(env, seen):
    values, _ = QNetwork(env.single_observation_space, env.single_action_space.n, widths=(16,))(seen["observation"])
    assert values.shape == seen["action_mask"].shape
    assert Critic(env.single_observation_space, widths=(16,))(Batch(seen)).shape == (16, 1)


@pytest.mark.parametrize("algorithm", ["dqn", "ppo"])
def test_the_example_learns_without_an_illegal_move_and_would_see_one(algorithm):
    common = ["08_tianshou.py", ENV, "--algorithm", algorithm, "--steps", 320, "--games", 2]
    line = run(*common, GAME=20)
    assert (line["env"], line["illegal"]) == (ENV, 0)
    assert line["steps"] >= 320
    assert run(*common, "--ignore-masks", GAME=20)["illegal"] > 50
