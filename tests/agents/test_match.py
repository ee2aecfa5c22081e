import itertools
from fractions import Fraction

import numpy as np
import pytest

from hopenvs.agents import FunctionAgent, Uniform, make_agent
from hopenvs.agents.hall import fill_table, play_games, seatings
from hopenvs.agents.match import Standing, count, play_match, wilson
from hopenvs.core import jit, rng
from hopenvs.core.errors import IllegalActionError, OptionError
from hopenvs.core.options import parse_options
from hopenvs.core.state import SIMULTANEOUS, Payoff
from hopenvs.core.walk import Walk
from tests.agents.conftest import CARDS, HOOOP, IGEL

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


def test_of_a_player_on_several_seats_a_game_is_the_trial():
    """Of three seats at most one wins: over many matches the intervals hold the truth as often as they say."""
    seats, games = 3, 150
    drawn = np.random.default_rng(5)
    covered, widths = [], []
    for _ in range(1000):
        wins = drawn.binomial(games, 0.6)  # of the table's 4 seats it has 3; each of them wins one game in five
        by_seat = drawn.multinomial(wins, [1 / 3] * 3).astype(float)
        unused = np.zeros(3)
        standing = Standing("a", games, np.full(3, games), by_seat, by_seat, unused, unused, 0.0)
        found = standing.win_rate
        assert standing.seats == seats
        assert found.share == pytest.approx(wins / games / seats)
        assert 0 <= found.low <= found.share <= found.high <= 1 / seats
        covered.append(found.low <= 0.2 <= found.high)
        widths.append(found.high - found.low)
    assert 0.935 < np.mean(covered) < 0.965
    naive = wilson(0.2, seats * games)
    assert np.mean(widths) < 0.75 * (naive.high - naive.low), "as if seats were independent: too wide here"


def test_who_has_every_seat_wins_its_share_without_a_doubt():
    options = parse_options(IGEL, {"players": 3})
    (standing,) = play_match(IGEL, options, [Uniform()], GAMES, 0).standings
    rate = standing.win_rate
    assert (standing.games, standing.seats) == (GAMES, 3)
    assert rate.share == pytest.approx(1 / 3)
    assert 0.3 - 1 / GAMES < rate.low < rate.share == rate.high
    assert standing.reward_error == pytest.approx(0), "what one seat is paid another pays"
    assert standing.as_dict()["games"] == GAMES
    assert standing.as_dict()["seats"] == 3


def test_the_error_of_a_mean_reward_is_that_of_the_games_means():
    options = parse_options(CARDS, {"players": 4})
    outcomes = play_games(CARDS, options, [make_agent("greedy", CARDS, options), Uniform()], 80, 3)
    standing = count(outcomes, ["greedy", "uniform"]).standings[1]
    means = [rewards[own].mean() for rewards, own in zip(outcomes.rewards, outcomes.players == 1, strict=True)]
    assert standing.reward == pytest.approx(np.mean(means))
    assert standing.reward_error == pytest.approx(np.std(means, ddof=1) / len(means) ** 0.5)


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


def test_tables_take_turns_and_each_goes_through_all_its_orders():
    few, many = [0, 1, 1], [0, 0, 1]
    seated = list(itertools.islice(seatings(few, many), 12 * 3))
    rounds = [seated[k : k + 3] for k in range(0, len(seated), 3)]
    assert [sorted(turns[0]) for turns in rounds] == [few, many] * 6
    own = list(itertools.islice(seatings(many), 6 * 3))
    assert [seating for turns in rounds[1::2] for seating in turns] == own
    assert list(itertools.islice(seatings(few, many, first=9), 3)) == seated[9:12]


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


def test_games_can_be_played_in_parts(game, options):
    agents = [make_agent(word, game, options) for word in ("greedy", "uniform")]
    players = game.spec(options).num_players
    whole = play_games(game, options, agents, 4 * players, 5)
    for first, games in ((0, players), (players, 3 * players)):
        part = play_games(game, options, agents, games, 5, first=first)
        own = slice(first, first + games)
        assert (part.first, len(part)) == (first, games)
        for name in ("players", "winners", "rewards", "ranks", "truncated"):
            np.testing.assert_array_equal(getattr(part, name), getattr(whole, name)[own])
    with pytest.raises(OptionError, match=f"first=1: expected a multiple of {players}"):
        play_games(game, options, agents, players, 5, first=1)


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


def test_where_all_games_are_one_and_the_same_no_more_are_played_than_there_are_seatings():
    draws, first = (
        FunctionAgent(lambda observations, masks: masks.argmax(axis=1), deterministic=flag) for flag in (False, True)
    )
    game = HOOOP
    options = parse_options(game, {"board": "square3", "frogs": 1, "cards": False, "max_turns": 50})
    assert play_match(game, options, [first, draws], 10, 0).games == 10, "who doesn't say that it never draws may do so"
    assert play_match(game, options, [first, first], 10, 0).games == 2
    assert play_match(game, options, [first, Uniform()], 10, 0).games == 10
    assert play_match(IGEL, OPTIONS, [first, first], 10, 0).games == 10, "a die is thrown"
    four = parse_options(game, {"players": 4, "max_turns": 5})
    assert play_match(game, four, [first, first, first], 100, 0).games == 4 * 3
