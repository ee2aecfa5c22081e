import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")

import torch
from stable_baselines3 import PPO

import hopenvs
from hopenvs.integrations.sb3 import WORST, MaskedDQN, MaskedDQNPolicy, MaskedPPOPolicy
from tests.integrations.examples import run, run_as_program

ENV = "igel_aergern-2p-v0"
SMALL = {"net_arch": [16]}


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    """Small products are only slowed down by many threads."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def env():
    return hopenvs.make_gym(ENV, mask_in_observation=True)


@pytest.fixture(scope="module")
def dqn(env):
    return MaskedDQN(MaskedDQNPolicy, env, buffer_size=200, learning_starts=50, policy_kwargs=SMALL, seed=0)


@pytest.fixture(scope="module")
def ppo(env):
    return PPO(MaskedPPOPolicy, env, n_steps=32, batch_size=16, policy_kwargs=SMALL, seed=0)


@pytest.fixture(scope="module")
def seen(env):
    """What the learner sees at 40 decisions, as one dict of arrays."""
    rows = []
    observation, _ = env.reset(seed=3)
    for _ in range(40):
        rows.append(observation)
        observation, _, terminated, truncated, _ = env.step(int(np.flatnonzero(observation["action_mask"])[-1]))
        if terminated or truncated:
            observation, _ = env.reset()
    return {key: np.stack([row[key] for row in rows]) for key in rows[0]}


def legal(seen, actions):
    return seen["action_mask"][np.arange(len(actions)), actions].all()


def test_the_best_of_dqn_and_of_its_target_are_legal(dqn, seen):
    observations, _ = dqn.policy.obs_to_tensor(seen)
    for network in (dqn.q_net, dqn.q_net_target):
        values = network(observations).detach().numpy()
        assert ((values == WORST) == (seen["action_mask"] == 0)).all()
        assert (values.max(axis=1) > WORST).all()
        assert legal(seen, values.argmax(axis=1))


@pytest.mark.parametrize("rate", [0.0, 0.5, 1.0])
def test_dqn_explores_by_legal_actions(dqn, seen, rate):
    dqn.exploration_rate = rate
    best, _ = dqn.predict(seen, deterministic=True)
    drawn = np.stack([dqn.predict(seen)[0] for _ in range(30)])
    for actions in (best, *drawn):
        assert actions.shape == (40,)
        assert legal(seen, actions)
    assert (drawn == best).all() == (rate == 0)
    if rate == 1:  # every legal action is drawn, where there are few
        few = np.flatnonzero(seen["action_mask"].sum(axis=1) == 2)[:5]
        assert all(len(set(drawn[:, row])) == 2 for row in few)
    one = {key: value[0] for key, value in seen.items()}
    assert dqn.predict(one)[0].shape == ()


def test_before_it_learns_dqn_plays_legally_too(dqn, seen):
    dqn._last_obs = seen
    for _ in range(20):
        actions, stored = dqn._sample_action(learning_starts=50)
        assert legal(seen, actions)
        assert actions is stored


def test_ppos_distribution_has_no_illegal_action(ppo, seen):
    observations, _ = ppo.policy.obs_to_tensor(seen)
    actions, values, log_probabilities = ppo.policy(observations)
    assert legal(seen, actions.numpy())
    probabilities = ppo.policy.get_distribution(observations).distribution.probs.detach().numpy()
    assert (probabilities[seen["action_mask"] == 0] == 0).all()
    assert (probabilities[seen["action_mask"] == 1] > 0).all()
    np.testing.assert_allclose(probabilities.sum(axis=1), 1, rtol=1e-5)
    again, repeated, entropy = ppo.policy.evaluate_actions(observations, actions)
    np.testing.assert_allclose(repeated.detach(), log_probabilities.detach(), rtol=1e-5)
    np.testing.assert_allclose(again.detach(), values.detach(), rtol=1e-5)
    (entropy.mean() + repeated.mean() + again.mean()).backward()
    assert all(p.grad is None or p.grad.isfinite().all() for p in ppo.policy.parameters())


def test_ppo_refuses_an_empty_mask(ppo, seen):
    observations, _ = ppo.policy.obs_to_tensor({**seen, "action_mask": np.zeros_like(seen["action_mask"])})
    with pytest.raises((ValueError, RuntimeError)):  # the second where another library has turned off checks
        ppo.policy(observations)


def test_models_can_be_saved_and_loaded(dqn, ppo, seen, tmp_path):
    for model in (dqn, ppo):
        model.save(tmp_path / "model")
        again = type(model).load(tmp_path / "model")
        there, _ = again.predict(seen, deterministic=True)
        np.testing.assert_array_equal(model.predict(seen, deterministic=True)[0], there)


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param("04_maskable_ppo.py --workers 1", marks=pytest.mark.slow),
        "05_dqn_and_ppo.py --algorithm dqn",
        "05_dqn_and_ppo.py --algorithm ppo",
    ],
)
def test_an_example_learns_without_an_illegal_move_and_would_see_one(arguments):
    common = [*arguments.split(), ENV, "--steps", 400, "--games", 2]
    line = run(*common)
    assert (line["env"], line["illegal"]) == (ENV, 0)
    assert line["steps"] >= 400
    assert run(*common, "--ignore-masks")["illegal"] > 100


@pytest.mark.slow
def test_workers_count_too():
    line = run_as_program("04_maskable_ppo.py", ENV, "--steps", 400, "--games", 2, "--workers", 2)
    assert (line["steps"], line["illegal"]) == (400, 0)
