import runpy

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

from tests.integrations.examples import EXAMPLES, run

EXAMPLE = runpy.run_path(str(EXAMPLES / "10_ppo_selfplay.py"), run_name="example")
TURNS, TICKS = "igel_aergern-2p-v0", "hexx_hopp-2p-1r-v0"
T, N, P = 40, 6, 3


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    """Small products are only slowed down by many threads."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(params=[1, P], ids=["turns", "ticks"])
def rollout(request):
    """Made-up games: random seats, values, ends and rewards."""
    random, seats_asked = np.random.default_rng(request.param), request.param
    over = random.random((T, N)) < 0.1
    seats = random.integers(P, size=(T + 1, N, 1)) if seats_asked == 1 else np.tile(np.arange(P), (T + 1, N, 1))
    values = random.random((T + 1, N, seats_asked)).astype(np.float32)
    rewards = np.where(over[:, :, None], random.random((T, N, P)), 0).astype(np.float32)
    unused = np.zeros(0)
    return EXAMPLE["Rollout"](
        unused, unused, seats[:T], unused, unused, values[:T], rewards, over, seats[T], values[T]
    )  # fmt: skip


def slowly(rollout, gamma, trace):
    """The same by following every seat of every game from decision to decision: {(t, row, place): advantage}."""
    found = {}
    for row in range(N):
        for seat in range(P):
            own = [(t, k) for t in range(T) for k in np.flatnonzero(rollout.seats[t, row] == seat)]
            later = None  # (t, value, advantage) of the seat's next decision; its advantage may be unknown
            for k in np.flatnonzero(rollout.next_seats[row] == seat):
                later = (T, rollout.next_values[row, k], 0.0)
            for t, place in reversed(own):
                until = T if later is None else later[0]
                ends = [step for step in range(t, until) if rollout.over[step, row]]
                value = rollout.values[t, row, place]
                if ends:
                    advantage = rollout.rewards[ends[0], row, seat] - value
                elif later is None:
                    later = (t, value, 0.0)
                    continue
                else:
                    advantage = gamma * later[1] - value + gamma * trace * later[2]
                found[t, row, place] = advantage
                later = (t, value, advantage)
    return found


def test_advantages_follow_every_seat_from_decision_to_decision(rollout):
    advantages, complete = EXAMPLE["advantages_of"](rollout)
    expected = slowly(rollout, EXAMPLE["GAMMA"], EXAMPLE["LAMBDA"])
    assert {tuple(map(int, index)) for index in np.argwhere(complete)} == set(expected)
    for index, advantage in expected.items():
        assert advantages[index] == pytest.approx(advantage, abs=1e-5)


def test_nothing_is_complete_without_what_follows(rollout):
    rollout.over[:] = False
    _, complete = EXAMPLE["advantages_of"](rollout)
    for row in range(N):
        for seat in range(P):
            own = complete[:, row][rollout.seats[:, row] == seat]
            assert own[:-1].all()
            assert own[-1] == (seat in rollout.next_seats[row])


def test_rewards_are_those_of_the_seat_that_acted_when_real_games_are_played():
    selfplay = EXAMPLE["SelfPlay"](TURNS, 5)
    games = selfplay.games
    network = EXAMPLE["Network"](games.single_observation_space["observation"], games.single_action_space.n)
    rollout = selfplay.play(network, 20)
    legal = np.take_along_axis(rollout.masks, rollout.actions[..., None], axis=-1)
    assert legal.all()
    assert rollout.observations.shape == (20, 64, 1, len(network.scale))
    assert (rollout.log_probabilities < 0).any()
    assert np.isfinite(rollout.log_probabilities).all()
    assert selfplay.tally.decisions == 20 * 64


@pytest.mark.parametrize("env_id", [TURNS, pytest.param(TICKS, marks=pytest.mark.slow)])
def test_the_example_learns_without_an_illegal_move_and_would_see_one(env_id, tmp_path):
    common = ["10_ppo_selfplay.py", env_id, "--steps", 500, "--games", 2, "--out", tmp_path / "weights.pt"]
    small = {"NUM_ENVS": 16, "ROLLOUT": 16}
    line = run(*common, **small)
    assert (line["env"], line["illegal"]) == (env_id, 0)
    assert line["steps"] >= 500
    assert torch.load(tmp_path / "weights.pt", weights_only=True)["actor.bias"].isfinite().all()
    assert run(*common, "--ignore-masks", **small)["illegal"] > 100
