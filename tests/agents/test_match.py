import itertools
from fractions import Fraction

import numpy as np
import pytest

from hopenvs.agents import FunctionAgent, Uniform, make_agent
from hopenvs.agents.match import fill_table, play_match, seatings, wilson
from hopenvs.core import jit, rng
from hopenvs.core.errors import IllegalActionError, OptionError
from hopenvs.core.options import parse_options
from hopenvs.core.state import SIMULTANEOUS, Payoff
from hopenvs.core.walk import Walk
from tests.agents.conftest import CARDS, IGEL

OPTIONS = parse_options(IGEL, {})
GAMES = 60 if jit.BACKEND == "numba" else 6


# ---- intervals ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("wins", "count", "low", "high"),
    [  # R. G. Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17 (1998)
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilsons_interval_is_that_of_the_literature(wins, count, low, high):
    found = wilson(wins / count, count)
    assert (round(found.low, 4), round(found.high, 4)) == (low, high)
    assert found.share == wins / count


def test_an_interval_stays_within_0_and_1_and_ends_there_exactly():
    assert wilson(0.0, 37).low == 0.0
    assert wilson(1.0, 37).high == 1.0
    assert str(wilson(0.5, 100)) == "50.0 % [40.4, 59.6]"


def test_nothing_played_means_nothing_known():
    found = wilson(float("nan"), 0)
    assert (found.low, found.high) == (0.0, 1.0)


def test_an_interval_covers_the_truth_about_as_often_as_it_says():
    drawn = np.random.default_rng(3).binomial(200, 0.9, 2000)
    covered = [found.low <= 0.9 <= found.high for found in (wilson(k / 200, 200) for k in drawn)]
    assert 0.935 < np.mean(covered) < 0.965


# ---- seats ----------------------------------------------------------------------------------------------------------
def test_the_last_player_takes_the_seats_that_are_left():
    assert fill_table(1, 3) == [0, 0, 0]
    assert fill_table(2, 4) == [0, 1, 1, 1]
    assert fill_table(3, 3) == [0, 1, 2]
    with pytest.raises(OptionError, match="3 agents: expected 1 to 2"):
        fill_table(3, 2)


@pytest.mark.parametrize(("count", "players"), [(1, 2), (2, 2), (2, 4), (3, 3), (4, 4), (3, 5)])
def test_every_round_gives_each_player_each_seat_equally_often(count, players):
    table = fill_table(count, players)
    sat = np.zeros((count, players))
    for k, seating in enumerate(itertools.islice(seatings(table), 6 * players), 1):
        for seat, who in enumerate(seating):
            sat[who, seat] += 1
        if k % players == 0:
            assert (sat == k / players * np.bincount(table)[:, None]).all()


def test_neighbours_change_from_round_to_round():
    orders = set(itertools.islice(seatings([0, 1, 2]), 6))
    assert orders == set(itertools.permutations(range(3)))


def test_seats_and_games_add_up():
    options = parse_options(IGEL, {"players": 3})
    match = play_match(IGEL, options, [Uniform(), Uniform()], 7, 0, names=["a", "b"])
    assert match.games == 9, "brought up to a multiple of the seats"
    assert match.standings[0].played.tolist() == [3, 3, 3]
    assert match.standings[1].played.tolist() == [6, 6, 6]
    assert [standing.name for standing in match.standings] == ["a", "b"]
    assert sum(standing.shares.sum() for standing in match.standings) == pytest.approx(9)
    assert match.decisions > 9


# ---- games ----------------------------------------------------------------------------------------------------------
def same(one, other):
    return one.as_dict() == other.as_dict()


def test_the_result_depends_on_the_seed_and_not_on_the_batch(game, options):
    agents = [make_agent(word, game, options) for word in ("greedy", "uniform")]
    matches = [play_match(game, options, agents, GAMES, 5, rows=rows) for rows in (1, 7, 512)]
    assert same(matches[0], matches[1])
    assert same(matches[0], matches[2])
    assert not same(matches[0], play_match(game, options, agents, GAMES, 6))


@pytest.mark.clause("C-14")
def test_game_k_is_the_game_of_seed_and_k(game, options):
    players = game.spec(options).num_players
    match = play_match(game, options, [Uniform()], players, 11)
    rewards = np.zeros(players)
    walk = Walk(game, options)
    for k in range(players):
        walk.start(11 + k)
        streams = rng.generator(11 + k, rng.OPPONENTS)[None]
        while not walk.is_over:
            if walk.is_chance:
                walk.draw_all()
                continue
            asked = range(players) if walk.current_player == SIMULTANEOUS else [0]
            unseen = {"states": walk.states.copy(), "seats": np.zeros(1, np.int32), "streams": streams}
            walk.play(*(int(Uniform().act(walk.batch.mask[:, row], walk.batch.mask[:, row], **unseen)[0])
                        for row in asked))  # fmt: skip
        rewards += walk.states["rewards"][0, :players]
    np.testing.assert_allclose(match.standings[0].rewards, rewards)


@pytest.mark.clause("C-7")
def test_a_shared_win_counts_in_parts():
    options = parse_options(CARDS, {"players": 4})
    match = play_match(CARDS, options, [Uniform()], 40 * 4, 0)
    standing = match.standings[0]
    assert standing.won.sum() > match.games, "no win was shared"
    assert Fraction(float(standing.shares.sum())).limit_denominator(100) <= match.games
    by_reward = standing.rewards.sum()
    assert by_reward == pytest.approx(0)


def test_payoffs_and_ranks_are_counted():
    agents = [make_agent(word, IGEL, OPTIONS) for word in ("greedy", "uniform")]
    match = play_match(IGEL, OPTIONS, agents, GAMES, 5, payoff=Payoff.SCORE)
    ahead, behind = match.standings
    assert ahead.reward > 1 > -1 > behind.reward
    assert ahead.reward == pytest.approx(-behind.reward)
    assert ahead.rank < behind.rank
    assert 0 < ahead.reward_error < 1


def test_games_that_are_cut_off_are_told():
    options = parse_options(IGEL, {"max_turns": 5})
    match = play_match(IGEL, options, [Uniform()], 6, 5)
    assert match.truncated == 6
    assert match.standings[0].shares.sum() == 0


def test_an_agent_that_plays_illegally_is_named():
    wrong = FunctionAgent(lambda observations, masks: np.full(len(masks), 102))
    with pytest.raises(IllegalActionError, match=r"agent 'stubborn', game \d+: player_\d: action 102 \('stay'\)"):
        play_match(IGEL, OPTIONS, [Uniform(), wrong], 4, 0, names=["uniform", "stubborn"])
    with pytest.raises(IllegalActionError, match="'stubborn': expected integers"):
        play_match(IGEL, OPTIONS, [FunctionAgent(lambda o, m: np.zeros(1))], 4, 0, names=["stubborn"])
    beyond = FunctionAgent(lambda observations, masks: np.full(len(masks), -1))
    with pytest.raises(IllegalActionError, match="there is no action -1"):
        play_match(IGEL, OPTIONS, [beyond], 4, 0)


def test_progress_counts_every_game_once():
    told: list[int] = []
    play_match(IGEL, OPTIONS, [Uniform()], 10, 0, rows=4, progress=told.append)
    assert sum(told) == 10
