"""Runs in PufferLib's own environment (examples/12_pufferlib_environment.sh)."""

from typing import Any

import numpy as np
import pytest

pytest.importorskip("pufferlib")

import pufferlib.vector
import torch

from hopenvs.agents.uniform import uniform_actions
from hopenvs.core import kernels, rng
from hopenvs.core.batch import Batch
from hopenvs.core.errors import OptionError, UnknownIdError
from hopenvs.core.jit import plain_twin
from hopenvs.core.state import TERMINAL
from hopenvs.integrations.counts import Tally
from hopenvs.integrations.pufferlib import SEEDS, MaskedPolicy, PufferGames
from hopenvs.registry import resolve
from tests.integrations.examples import run

TURNS, TICKS = "igel_aergern-2p-v0", "hexx_hopp-2p-1r-v0"
IDS = (TURNS, "hooop-3p-v0", "hedgehog_hop-2p-v0", "hop-3p-v0", TICKS)  # one of every game

pytestmark = pytest.mark.filterwarnings("ignore")  # the library warns about itself and what it stands on


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    """Small products are only slowed down by many threads."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def pick(mask, k):
    """A legal action, the same for the same decision."""
    legal = np.flatnonzero(mask)
    return legal[(7 * k + 3) % len(legal)]


def legal_actions(games, k):
    return np.array([pick(row[games.observation_size :], k) for row in games.observations])


def played_by_the_core(env_id, seed, most):
    """The game of `seed`: what its learner sees at up to `most` decisions, and what it is paid (None: it goes on)."""
    batch = Batch(*resolve(env_id, {}), 1)
    batch.start(kernels.NEW_SEED, [seed])
    players = batch.spec.num_players
    learner = plain_twin(rng.below)(rng.generator(seed, rng.SEATING).data, players)
    stream = rng.generator(seed, rng.OPPONENTS)[None]
    rows: list[np.ndarray] = []
    while batch.seat[0] != TERMINAL:
        clockwise = [(learner + offset) % players for offset in range(players)]
        asked = clockwise if batch.spec.simultaneous else [int(batch.seat[0])]
        actions = np.zeros((1, batch.seats_asked), np.int32)
        for seat in asked:
            column = seat if batch.spec.simultaneous else 0
            mask = batch.mask[0, column]
            if seat != learner:
                actions[0, column] = uniform_actions(mask[None], stream)[0]
            elif len(rows) == most:
                return rows, None
            else:
                actions[0, column] = pick(mask, len(rows))
                rows.append(np.concatenate([batch.observation[0, column], mask]))
        batch.step(actions)
    return rows, batch.states["rewards"][0, learner]


@pytest.mark.parametrize("env_id", IDS)
def test_every_row_plays_the_cores_game_of_its_seed(env_id):
    most, n = 60, 3
    games = PufferGames(env_id, n)
    games.reset(seed=5)
    expected = [played_by_the_core(env_id, 5 * SEEDS + row, most) for row in range(n)]
    running = set(range(n))
    for k in range(most):
        for row in running:
            np.testing.assert_array_equal(games.observations[row], expected[row][0][k])
            assert games.single_observation_space.contains(games.observations[row])
        _, rewards, terminals, truncations, _ = games.step(legal_actions(games, k))
        for row in sorted(running):
            assert terminals[row] == (expected[row][1] is not None and k + 1 == len(expected[row][0]))
            assert rewards[row] == (expected[row][1] if terminals[row] else 0)
            assert not truncations[row]
        running -= set(np.flatnonzero(terminals).tolist())
    assert games.tally.illegal == 0
    assert games.tally.decisions == most * n


def history(env_id, seed, **keywords):
    games = PufferGames(env_id, 4, **keywords)
    games.reset(seed=seed)
    steps = [[array.copy() for array in games.step(legal_actions(games, k))[:4]] for k in range(30)]
    return [np.stack(arrays) for arrays in zip(*steps, strict=True)]


@pytest.mark.parametrize(("env_id", "opponents"), [(TURNS, "uniform"), (TURNS, "greedy"), (TICKS, "uniform")])
def test_the_same_seed_gives_the_same_games_and_another_seed_others(env_id, opponents):
    first, again, other = (history(env_id, seed, opponents=opponents) for seed in (3, 3, 4))
    for one, two in zip(first, again, strict=True):
        np.testing.assert_array_equal(one, two)
    assert (first[0] != other[0]).any()


def test_a_reset_without_a_seed_takes_the_environments_and_later_goes_on():
    games = PufferGames(TURNS, 4, seed=3)
    first = games.reset()[0].copy()
    np.testing.assert_array_equal(first, PufferGames(TURNS, 4).reset(seed=3)[0])
    games.reset()
    later = [games.step(legal_actions(games, k))[0].copy() for k in range(5)]
    games.reset(seed=3)
    assert any((games.step(legal_actions(games, k))[0] != later[k]).any() for k in range(5))


def test_several_environments_share_pufferlibs_buffers_and_no_game():
    vector = pufferlib.vector.make(
        PufferGames, [TURNS], {"num_games": 4}, backend=pufferlib.vector.Serial, num_envs=2, seed=0
    )
    observations, _ = vector.reset(seed=7)
    for number in range(2):
        alone, _ = PufferGames(TURNS, 4).reset(seed=7 + number)
        np.testing.assert_array_equal(observations[4 * number : 4 * number + 4], alone)
    mask = slice(vector.driver_env.observation_size, None)
    observations, rewards, terminals, _, _ = vector.step(np.array([pick(row, 0) for row in observations[:, mask]]))
    assert observations.shape == (8, *vector.single_observation_space.shape)
    assert rewards.shape == terminals.shape == (8,)
    assert sum((env.tally for env in vector.envs), Tally()) == Tally(decisions=8)
    vector.close()


@pytest.mark.clause("C-11")
@pytest.mark.parametrize("env_id", [TURNS, TICKS])
def test_an_illegal_action_forfeits_its_game_alone_and_is_counted(env_id):
    games = PufferGames(env_id, 3)
    games.reset(seed=0)
    first = games.observations.copy()
    actions = legal_actions(games, 0)
    actions[1] = np.flatnonzero(first[1, games.observation_size :] == 0)[0]
    actions[2] = -5  # there is no such action
    _, rewards, terminals, truncations, infos = games.step(actions)
    assert terminals.tolist() == [False, True, True]
    assert rewards[1:].max() < 0
    assert not truncations.any()
    assert infos == [
        {"episode_return": rewards[1:].tolist(), "episode_length": [1, 1], "won": [0, 0], "illegal": [1, 1]}
    ]
    assert games.tally == Tally(decisions=3, games=2, illegal=2)
    assert games.observations[:, games.observation_size :].any(axis=1).all(), "new games have begun"


def test_games_cut_off_by_a_limit_are_parted_from_the_next_ones_too():
    games = PufferGames(TURNS, 4, max_turns=4)
    games.reset(seed=0)
    ends = 0
    for k in range(40):
        _, _, terminals, truncations, infos = games.step(legal_actions(games, k))
        assert (terminals == truncations).all(), "none comes to its own end as soon as that"
        assert [len(info["episode_length"]) for info in infos] == [terminals.sum()] * bool(terminals.any())
        ends += terminals.sum()
    assert games.tally == Tally(decisions=160, games=ends, illegal=0)
    assert ends > 10


def test_rewards_by_rank_lie_within_what_pufferl_keeps():
    games = PufferGames("hooop-3p-v0", 2, reward="rank")
    games.reset(seed=1)
    paid = []
    for k in range(400):
        _, rewards, terminals, _, _ = games.step(legal_actions(games, k))
        paid += rewards[terminals].tolist()
    assert set(paid) & {-0.5, 0.0, 0.5}, "neither won nor lost"
    assert max(map(abs, paid)) <= 1


@pytest.mark.parametrize("env_id", [TURNS, TICKS])
def test_the_policy_gives_illegal_actions_no_chance(env_id):
    torch.manual_seed(0)
    games = PufferGames(env_id, 16)
    rows = torch.from_numpy(games.reset(seed=0)[0])
    policy = MaskedPolicy(games, widths=(16,))
    seen, legal = policy.split(rows)
    assert seen.abs().max() <= 1
    np.testing.assert_array_equal(legal, games.observations[:, games.observation_size :] == 1)
    logits, values = policy(rows)
    assert (logits.shape, values.shape) == ((16, games.single_action_space.n), (16, 1))
    assert (logits.softmax(dim=1)[~legal] < 1e-30).all()
    for one, two in zip(policy.forward_eval(rows, {}), (logits, values), strict=True):
        torch.testing.assert_close(one, two)


@pytest.mark.parametrize(
    ("keywords", "error", "said"),
    [
        ({"num_games": 0}, OptionError, "num_games=0: expected a positive integer"),
        ({"num_games": True}, OptionError, "num_games=True"),
        ({"reward": "score"}, OptionError, "reward='score': expected one of 'win', 'rank'"),
        ({"opponents": "gready"}, OptionError, "greedy"),
        ({"opponents": ["uniform", "uniform"]}, OptionError, "expected one agent or 1 of them"),
        ({"threads": 0}, ValueError, "threads=0"),
        ({"seed": -1}, ValueError, "seed -1: expected an integer from 0 to"),
        ({"players": 3}, OptionError, "contradicts the id"),
        ({"pilars": True}, OptionError, "pilars"),
        ({"env_id": "igel-2p-v0"}, UnknownIdError, "unknown id"),
    ],
)
def test_what_is_wrong_is_named(keywords, error, said):
    with pytest.raises(error, match=said):
        PufferGames(**({"env_id": TURNS, "num_games": 2} | keywords))


def test_wrong_actions_and_seeds_are_refused_and_a_reset_comes_first():
    games = PufferGames(TURNS, 2)
    with pytest.raises(ValueError, match="reset"):
        games.step(np.zeros(2, np.int32))
    seeds: list[Any] = [2**32, 1.0, True]
    for seed in seeds:
        with pytest.raises(ValueError, match="expected an integer from 0 to"):
            games.reset(seed=seed)
    games.reset()
    for actions in (np.zeros(3, np.int32), np.zeros(2), 0):
        with pytest.raises(ValueError, match="expected integers of shape"):
            games.step(actions)
    assert games.tally == Tally()


@pytest.mark.parametrize("env_id", [TURNS, TICKS])
def test_the_example_learns_without_an_illegal_move_and_would_see_one(env_id):
    common = ["12_pufferlib.py", env_id, "--steps", 400, "--games", 2]
    line = run(*common, GAMES=8)
    assert (line["library"], line["env"], line["illegal"]) == ("pufferlib", env_id, 0)
    assert line["steps"] >= 400
    assert run(*common, "--ignore-masks", GAMES=8)["illegal"] > 50
