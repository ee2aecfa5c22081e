"""Expectimax: its definition, by recursion (test_search.py has what all searches share)."""

import numpy as np
import pytest

from hopenvs.agents.expectimax import Expectimax
from hopenvs.agents.expectimax_kernel import SOON
from hopenvs.agents.greedy import Greedy
from hopenvs.agents.greedy_kernel import END_WORTH
from hopenvs.core import jit
from hopenvs.core.options import parse_options
from hopenvs.core.walk import Walk
from tests.agents.conftest import CARDS, IGEL, TICKS, decide, streams_of, under_way

PLAIN = jit.BACKEND == "plain"


@pytest.fixture
def game(searched_game):
    """Each game in turn; what takes long to compile is slow."""
    return searched_game


def worth_now(walk):
    """[P] what a position is worth to every seat as it stands."""
    if walk.is_over:
        walk.batch.start(-4)  # the result
    seats = list(range(walk.spec.num_players))
    evaluated = np.array([walk.batch.evaluate([0], [seat])[0] for seat in seats], float)
    return evaluated + (END_WORTH * walk.states["rewards"][0, seats] if walk.is_over else 0.0)


def look(walk, depth):
    """[P] what a position is worth to every seat, `depth` decisions ahead."""
    if walk.is_over or (depth == 0 and not walk.is_chance):
        return worth_now(walk)
    before = walk.states.copy()
    if walk.is_chance:
        weights, total = walk.outcomes(), 0.0
        for k, weight in enumerate(weights):
            walk.batch.load(before)
            walk.happen(k)
            total = total + weight * look(walk, depth)
        return total / sum(weights)
    values = values_of(walk, depth)
    best = max(values.values(), key=lambda value: value[int(before["current_player"][0])])
    walk.batch.load(before)
    return best + SOON * worth_now(walk)


def values_of(walk, depth):
    """{action: [P]}, the first of equals first."""
    before, values = walk.states.copy(), {}
    for action in walk.legal():
        walk.batch.load(before)
        walk.play(action)
        values[action] = look(walk, depth - 1)
        walk.batch.load(before)
    return values


@pytest.mark.parametrize(
    ("game", "depth"),
    [
        pytest.param(IGEL, 1, marks=pytest.mark.slow, id="igel_aergern-1"),
        pytest.param(IGEL, 2, marks=pytest.mark.slow, id="igel_aergern-2"),
        pytest.param(CARDS, 2, id="card_game-2"),
        pytest.param(CARDS, 3, id="card_game-3"),
    ],
)
def test_values_are_those_of_the_definition(game, depth):
    options = parse_options(game, {"players": 3} if game is CARDS else {})
    n = 2 if PLAIN or depth == 3 or game is IGEL else 8
    batch = under_way(game, options, n, seed=5, most=4 if game is CARDS else 60)
    streams = streams_of(n, 100)
    imagined = batch.copy()  # what the one world of the player below holds
    imagined.resample_hidden(batch.seat.astype(np.int32), streams.copy())
    masks = np.ascontiguousarray(batch.mask[:, 0])
    player = Expectimax(game, options, depth, worlds=1, outcomes=10**6)
    actions, found = player.search(masks, batch.states.copy(), batch.seat.astype(np.int32), streams)
    for row in range(n):
        walk, seat = Walk(game, options), int(batch.seat[row])
        walk.batch.load(imagined.states[row : row + 1])
        values = {action: value[seat] for action, value in values_of(walk, depth).items()}
        assert found[row, list(values)] == pytest.approx(list(values.values()))
        assert values[int(actions[row])] == pytest.approx(max(values.values()))
        assert not found[row, masks[row] == 0].any()


def test_one_decision_ahead_it_is_the_greedy_player(game, options):
    batch = under_way(game, options, 10, seed=5, most=5)
    mine, yours = streams_of(10), streams_of(10)
    player, greedy = Expectimax(game, options, 1), Greedy(game, options)
    np.testing.assert_array_equal(decide(player, batch, mine), decide(greedy, batch, yours))
    np.testing.assert_array_equal(mine, yours)


@pytest.mark.parametrize("outcomes", [1, 2, 3, 5])
def test_with_few_outcomes_chance_is_drawn_and_choices_stay_legal(game, options, outcomes):
    batch = under_way(game, options, 6, seed=3, most=5)
    chosen = decide(Expectimax(game, options, 2, outcomes=outcomes), batch, streams_of(6))
    assert batch.mask[np.arange(6), 0, chosen].all()


def test_outcomes_that_are_drawn_come_near_the_average():
    """Of the three things that can happen to a card two are looked at."""
    options = parse_options(CARDS, {})
    batch = under_way(CARDS, options, 6, seed=3, most=3)
    masks, seats = np.ascontiguousarray(batch.mask[:, 0]), batch.seat.astype(np.int32)

    def mean(outcomes):
        player = Expectimax(CARDS, options, 1, outcomes=outcomes)
        tries = 40 if PLAIN else 600
        found = [player.search(masks, batch.states, seats, streams_of(6, 10 * seed))[1] for seed in range(tries)]
        assert len({each.tobytes() for each in found}) > 1
        return np.mean(found, axis=0)

    np.testing.assert_allclose(mean(2), mean(1000), rtol=0.2 if PLAIN else 0.05, atol=1.0 if PLAIN else 0.15)


@pytest.mark.slow
def test_in_a_tick_the_others_do_anything_that_is_legal():
    """The mean over many joint actions comes near that over all of them."""
    options = parse_options(TICKS, {})
    batch = under_way(TICKS, options, 1, seed=3, most=1)
    masks, seats = np.ascontiguousarray(batch.mask[:, 0]), np.zeros(1, np.int32)
    few = [
        Expectimax(TICKS, options, 1, worlds=1).search(masks, batch.states, seats, streams_of(1, seed))[1]
        for seed in range(30 if PLAIN else 400)
    ]
    many = Expectimax(TICKS, options, 1, worlds=1, ways=100 if PLAIN else 2000)
    found = many.search(masks, batch.states, seats, streams_of(1))[1]
    np.testing.assert_allclose(found, np.mean(few, axis=0), atol=1.0 if PLAIN else 0.3)


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"depth": 0}, "depth=0: expected 1 to 8"),
        ({"depth": 9}, "depth=9"),
        ({"worlds": 0}, "worlds=0"),
        ({"outcomes": 0}, "outcomes=0"),
        ({"ways": -1}, "ways=-1"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings, told):
    with pytest.raises(ValueError, match=told):
        Expectimax(IGEL, parse_options(IGEL, {}), **settings)
