import pickle

import numpy as np
import pytest

from hopenvs.agents import make_agent
from hopenvs.agents.greedy import Greedy
from hopenvs.agents.greedy_kernel import END_WORTH
from hopenvs.agents.match import play_match
from hopenvs.core import jit, state
from hopenvs.core.options import parse_options
from hopenvs.core.walk import Walk, walk_of
from tests.agents.conftest import CARDS, IGEL, TICKS, decide, streams_of, under_way

MANY = 200 if jit.BACKEND == "numba" else 6


def slow_worth(walk, seat):
    """What a walk is worth to a seat, averaged over chance up to the next decision: the definition, by recursion."""
    if walk.is_over:
        walk.batch.start(-4)  # the result
        return END_WORTH * float(walk.states["rewards"][0, seat]) + float(walk.batch.evaluate([0], [seat])[0])
    if not walk.is_chance:
        return float(walk.batch.evaluate([0], [seat])[0])
    weights, before = walk.outcomes(), walk.states.copy()
    total = 0.0
    for k, weight in enumerate(weights):
        walk.batch.load(before)
        walk.happen(k)
        total += weight * slow_worth(walk, seat)
    return total / sum(weights)


def slow_values(game, options, states, seat):
    """{action: worth} in the world of `states` [1]."""
    walk = Walk(game, options)
    walk.batch.load(states)
    values = {}
    for action in walk.legal():
        walk.batch.load(states)
        walk.play(action)
        values[action] = slow_worth(walk, seat)
    return values


@pytest.mark.parametrize("game", [IGEL, CARDS], ids=["igel_aergern", "card_game"])
def test_it_takes_the_action_of_the_best_expectation(game):
    options = parse_options(game, {})
    n = 24 if jit.BACKEND == "numba" else 6
    batch = under_way(game, options, n, seed=5, most=4 if game is CARDS else 60)
    streams = streams_of(n, 100)
    imagined = batch.copy()  # what the one world of the player below holds
    imagined.resample_hidden(batch.seat.astype(np.int32), streams.copy())
    chosen = decide(Greedy(game, options, worlds=1), batch, streams)
    several = 0
    for row in range(n):
        values = slow_values(game, options, imagined.states[row : row + 1], int(batch.seat[row]))
        best = max(values.values())
        assert values[int(chosen[row])] == pytest.approx(best), (row, values)
        several += len(values) > 1
    assert several > n // 2


@pytest.mark.parametrize("players", [2, 4])
def test_it_beats_uniform_play_by_far(players):
    options = parse_options(IGEL, {"players": players})
    agents = [make_agent(word, IGEL, options) for word in ("greedy", "uniform")]
    match = play_match(IGEL, options, agents, MANY, 3)
    assert match.standings[0].win_rate.share > (0.95 if players == 2 else 0.8)
    assert match.truncated == 0


def test_it_beats_uniform_play_where_things_are_hidden_or_all_act_at_once(game, options):
    agents = [make_agent(word, game, options) for word in ("greedy", "uniform")]
    games = 4 * MANY
    standings = play_match(game, options, agents, games, 3).standings
    assert standings[0].win_rate.share > standings[1].win_rate.share


@pytest.mark.clause("C-9")
def test_it_never_sees_what_its_seat_cant_know():
    options = parse_options(CARDS, {"players": 3})
    n = 60
    batch = under_way(CARDS, options, n, seed=9, most=5)
    other = batch.copy()
    other.resample_hidden(batch.seat.astype(np.int32), streams_of(n, 700))
    assert batch.keys() != other.keys(), "nothing hidden differs"
    greedy = Greedy(CARDS, options)
    mine, yours = streams_of(n, 50), streams_of(n, 50)
    np.testing.assert_array_equal(decide(greedy, batch, mine), decide(greedy, other, yours))
    np.testing.assert_array_equal(mine, yours)


@pytest.mark.clause("C-14")
def test_it_never_sees_coming_chance(game, options):
    batch = under_way(game, options, 30, seed=4, most=5)
    other = batch.copy()
    other.states["rng"] = streams_of(30, 900)
    greedy = Greedy(game, options)
    np.testing.assert_array_equal(decide(greedy, batch, streams_of(30)), decide(greedy, other, streams_of(30)))


def test_a_choice_depends_neither_on_the_batch_nor_on_other_rows(game, options):
    batch = under_way(game, options, 12, seed=2, most=5)
    greedy = Greedy(game, options)
    streams = streams_of(12)
    together = decide(greedy, batch, streams)
    for row in range(12):
        alone = under_way(game, options, 1)
        alone.load(batch.states[row : row + 1])
        one = streams_of(12)[row : row + 1]
        assert decide(greedy, alone, one)[0] == together[row]
        np.testing.assert_array_equal(one[0], streams[row])


def test_looking_changes_no_record(game, options):
    batch = under_way(game, options, 12, seed=2, most=5)
    before = batch.states.copy()
    states = batch.states.copy()
    masks = np.ascontiguousarray(batch.mask[:, 0])
    seats = np.maximum(batch.seat, 0).astype(np.int32)
    Greedy(game, options).act(batch.observation[:, 0], masks, states=states, seats=seats, streams=streams_of(12))
    assert states.tobytes() == before.tobytes()


def test_equally_good_actions_are_drawn_by_the_rows_streams():
    options = parse_options(IGEL, {})
    batch = under_way(IGEL, options, 60, most=1)  # the first placement: every track is as good
    chosen = decide(Greedy(IGEL, options), batch, streams_of(60))
    assert set(chosen.tolist()) == set(range(6))


def test_it_wins_at_once_if_it_can():
    options = parse_options(IGEL, {})
    greedy, walk = Greedy(IGEL, options), walk_of(IGEL, options)
    found = 0
    for seed in range(20):
        walk.start(seed)
        while not walk.is_over:
            walk.draw_all()
            seat, before = walk.current_player, walk.states.copy()
            chosen = int(decide(greedy, walk.batch, streams_of(1, seed))[0])
            wins = set()
            for action in walk.legal():
                walk.batch.load(before)
                walk.play(action)
                if walk.states["winners"][0, seat]:
                    wins.add(action)
            found += len(wins) > 0
            assert not wins or chosen in wins
            walk.batch.load(before)
            walk.play(chosen)
            if jit.BACKEND == "plain" and found:
                return
    assert found > 5


def test_with_few_leaves_chance_is_drawn_and_play_stays_legal(game, options):
    agents = [Greedy(game, options, leaves=1, worlds=1), make_agent("uniform")]
    match = play_match(game, options, agents, 8, 3)
    assert match.games >= 8


def test_payoffs_count_at_the_end():
    options = parse_options(TICKS, {"ticks": 1})
    batch = under_way(TICKS, options, 8, most=1)
    for payoff in state.Payoff:
        chosen = decide(Greedy(TICKS, options, payoff=payoff), batch, streams_of(8))
        assert batch.mask[np.arange(8), 0, chosen].all()


def test_it_can_be_pickled(game, options):
    batch = under_way(game, options, 6, most=5)
    greedy = Greedy(game, options)
    again = pickle.loads(pickle.dumps(greedy))
    np.testing.assert_array_equal(decide(greedy, batch, streams_of(6)), decide(again, batch, streams_of(6)))


def test_impossible_bounds_are_refused():
    options = parse_options(IGEL, {})
    with pytest.raises(ValueError, match="leaves=0"):
        Greedy(IGEL, options, leaves=0)
