"""Ratings from games of every two players, against what is known of them."""

import itertools
import math

import numpy as np
import pytest

from hopenvs.train.arena import tables_of
from hopenvs.train.ratings import ELO, PRIOR, Encounters, fit, rate


def duels(wins, games, units=None):
    """Encounters of two players at a table of two: so many wins of the first one."""
    units = games if units is None else units
    won = (np.arange(games) < wins).astype(float)
    return Encounters(np.array([[0, 1]]), np.array([[1, 1]]), games // units, won.reshape(units, -1).sum(1)[:, None])


def kinds_of(players, seats):
    """(sides, seats) of the encounters of every two of `players` at tables of `seats`."""
    tables = tables_of(seats)
    sides = [pair for pair in itertools.combinations(range(players), 2) for _ in tables]
    shared = [[table.count(0), table.count(1)] for table in tables]
    return np.array(sides), np.array(shared * (len(sides) // len(tables)))


def drawn(ratings, seats, units, seed):
    """Encounters of players of known ratings at tables of `seats`, drawn at random."""
    sides, shared = kinds_of(len(ratings), seats)
    strengths = np.exp(np.array(ratings) / ELO)[sides] * shared
    share = strengths[:, 0] / strengths.sum(axis=1)
    wins = np.random.default_rng(seed).binomial(seats, share, size=(units, len(sides)))
    return Encounters(sides, shared, seats, wins.astype(float))


@pytest.mark.parametrize(("wins", "games"), [(50, 100), (64, 100), (909, 1000), (0, 10), (400, 400)])
def test_of_two_players_the_rating_is_the_logarithm_of_the_odds(wins, games):
    found = rate(duels(wins, games), 2, anchor=1, samples=10)
    odds = (wins + PRIOR / 2) / (games - wins + PRIOR / 2)
    assert found.rating[0] == pytest.approx(400 * math.log10(odds))
    assert found.rating[1] == found.low[1] == found.high[1] == 0


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [  # quantiles of the beta distributions of wins + 1/2 and losses + 1/2
        (0, 20, 0.0000241, 0.1167),
        (8, 20, 0.2106, 0.6161),
        (99, 100, 0.9542, 0.9989),
    ],
)
def test_of_two_players_the_interval_is_jeffreys(wins, games, low, high):
    found = rate(duels(wins, games), 2, anchor=1, samples=20_000)
    shares = [1 / (1 + 10 ** (-rating / 400)) for rating in (found.low[0], found.high[0])]
    assert shares == pytest.approx([low, high], rel=0.015, abs=2e-5)


def test_games_that_do_not_count_change_nothing():
    some = duels(13, 40)
    more = np.concatenate([some.wins, np.zeros((60, 1))])
    counted = np.concatenate([np.ones((40, 1)), np.zeros((60, 1))])
    found = rate(Encounters(some.sides, some.seats, counted, more), 2, anchor=1, samples=20_000)
    expected = rate(some, 2, anchor=1, samples=20_000)
    assert found.rating == pytest.approx(expected.rating)
    assert found.low == pytest.approx(expected.low, abs=3)
    assert found.high == pytest.approx(expected.high, abs=3)


def test_who_wins_everything_has_a_finite_rating_and_nobody_is_sure_of_it():
    found = rate(duels(500, 500, units=250), 2, anchor=1)
    assert 1000 < found.rating[0] < 1300
    assert found.low[0] < 1100
    assert 2000 < found.high[0] < 10_000


def test_seats_count_a_player_with_more_of_them_has_to_win_more():
    sides, seats = kinds_of(2, 3)
    assert seats.tolist() == [[2, 1], [1, 2]]
    even = Encounters(sides, seats, 3, np.tile([2.0, 1.0], (100, 1)))
    assert rate(even, 2, samples=10).rating == pytest.approx([0, 0])
    twice = Encounters(sides, seats, 30, np.tile([24.0, 15.0], (100, 1)))  # 2 * 2 : 1 and 2 : 2
    assert rate(twice, 2, anchor=1, samples=10).rating[0] == pytest.approx(400 * math.log10(2), abs=0.1)


def test_the_likelihood_is_greatest_there():
    encounters = drawn([0, 300, -200, 700], seats=3, units=40, seed=2)
    won = np.stack([encounters.wins.sum(0), (encounters.games - encounters.wins).sum(0)], axis=1)

    def likelihood(strengths):
        worth = np.log(encounters.seats) + strengths[encounters.sides]
        return (won * (worth - np.logaddexp(*worth.T)[:, None])).sum()

    found = fit(encounters, won[None], 4)[0]
    assert found.mean() == pytest.approx(0)
    nearby = [likelihood(found + 0.01 * (sign * np.eye(4)[k])) for k in range(4) for sign in (-1, 1)]
    assert likelihood(found) > max(nearby)


def test_players_far_apart_are_rated_too():
    true = [0, 10, 1500, 1510, 3000]
    sides, seats = kinds_of(5, 2)
    share = 1 / (1 + np.exp(-(np.array(true)[sides] / ELO) @ [1, -1]))
    exact = Encounters(sides, seats, 10**7, np.full((3, 1), 10**7) * share)
    assert rate(exact, 5, samples=10).rating == pytest.approx(true, abs=2)


def test_the_order_of_players_does_not_matter():
    true = np.array([0, 100, 350, 800])
    encounters = drawn(true, seats=5, units=60, seed=4)
    order = np.array([2, 0, 3, 1])  # who was called order[k] is called k
    called = np.argsort(order)
    back = Encounters(called[encounters.sides], encounters.seats, encounters.games, encounters.wins)
    flipped = Encounters(back.sides[:, ::-1], back.seats[:, ::-1], back.games, back.games - back.wins)
    found = rate(encounters, 4)
    for other in (rate(back, 4, anchor=1), rate(flipped, 4, anchor=1)):
        assert other.rating == pytest.approx(found.rating[order])
        assert other.low == pytest.approx(found.low[order], abs=8)
        assert other.high == pytest.approx(found.high[order], abs=8)


def test_intervals_become_narrower_with_the_root_of_the_games():
    few, many = (rate(drawn([0, 200], 2, units, 1), 2) for units in (200, 3200))
    assert (few.high - few.low)[1] / (many.high - many.low)[1] == pytest.approx(4, rel=0.15)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("true", "seats", "units"),
    [([0, 400], 2, 100), ([0, 900], 2, 100), ([0, -150, 300, 500], 2, 100), ([0, 100, 600], 3, 60)],
)
def test_intervals_cover_the_truth_about_as_often_as_they_say(true, seats, units):
    times = 200
    covered, ratings = np.zeros(len(true)), np.zeros(len(true))
    for seed in range(times):
        found = rate(drawn(true, seats, units, seed), len(true), samples=200)
        covered += (found.low <= true) & (true <= found.high)
        ratings += found.rating
    assert (covered[1:] >= 0.9 * times).all()
    assert ((covered[1:] < 0.99 * times) | (np.abs(true[1:]) > 700)).all(), "wins everything now and then: wider there"
    assert ratings / times == pytest.approx(true, abs=40)


def test_seeds_in_common_are_heeded():
    """Two pairs that play the same deals with the same luck: the anchor's luck is that of both, so it's no news."""
    sides, seats = kinds_of(3, 2)
    wins = np.random.default_rng(0).binomial(2, 0.5, size=(400, 1)).astype(float)
    alike = Encounters(sides, seats, 2, np.concatenate([wins, wins, np.ones((400, 1))], axis=1))
    apart = Encounters(sides, seats, 2, np.concatenate([wins, wins[::-1], np.ones((400, 1))], axis=1))
    one, other = (rate(games, 3) for games in (alike, apart))
    assert (one.high - one.low)[1] > 1.1 * (other.high - other.low)[1]
