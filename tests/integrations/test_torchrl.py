import pytest

pytest.importorskip("torchrl")

import torch
from torchrl.envs.utils import check_env_specs

import hopenvs
from hopenvs.integrations.torchrl import GROUP, as_torchrl
from tests.integrations.examples import run

TURNS, TICKS = "igel_aergern-2p-v0", "hexx_hopp-2p-1r-v0"


pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of the library, about itself


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    """Small products are only slowed down by many threads."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(params=[TURNS, TICKS])
def env(request):
    return as_torchrl(hopenvs.make(request.param, "parallel"))


def test_torchrls_own_check_passes(env):
    check_env_specs(env)


def test_random_play_is_legal_and_rows_tell_who_was_asked(env):
    torch.manual_seed(0)
    rollout = env.rollout(40)  # illegal moves raise
    active, masks = rollout[GROUP, "info", "active"], rollout[GROUP, "action_mask"]
    simultaneous = env._env.unwrapped._spec.simultaneous
    assert (active.sum(dim=1) == (2 if simultaneous else 1)).all()
    assert masks[active == 0].all(), "idle seats have a mask of ones"
    assert masks.any(dim=-1).all()
    actions = rollout[GROUP, "action"]
    assert masks.gather(-1, actions[..., None]).all()


def test_the_reward_at_the_end_reaches_all_seats():
    torch.manual_seed(0)
    rollout = as_torchrl(hopenvs.make(TURNS, "parallel")).rollout(3000)
    rewards, done = rollout["next", GROUP, "reward"], rollout["next", "done"]
    assert done[-1].all()
    assert not rewards[:-1].any()
    assert sorted(rewards[-1].flatten().tolist()) == [-1, 1]


@pytest.mark.parametrize("env_id", [TURNS, TICKS])
def test_the_example_learns_without_an_illegal_move_and_would_see_one(env_id):
    common = ["07_torchrl.py", env_id, "--steps", 250, "--games", 2]
    line = run(*common)
    assert (line["env"], line["illegal"]) == (env_id, 0)
    assert line["steps"] >= 250
    assert run(*common, "--ignore-masks")["illegal"] > 50
