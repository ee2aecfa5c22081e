import numpy as np
import pytest

from hopenvs.agents import Agent, FunctionAgent, Uniform, make_agent
from hopenvs.agents.greedy import Greedy
from hopenvs.agents.match import play_match
from hopenvs.core import jit
from hopenvs.core.errors import IllegalActionError
from hopenvs.solve import Optimal, find_distance
from hopenvs.solve.asking import ask
from hopenvs.solve.distance import best_response, play_optimal

GAMES = 4_000 if jit.BACKEND == "numba" else 200


class Drawing:
    """Uniform, but it doesn't say so."""

    def act(self, observations, masks, **others):
        return Uniform().act(observations, masks, **others)


def first_legal(observations, masks):
    return masks.argmax(axis=1)


def test_optimal_play_cant_be_exploited(smallest):
    distance = find_distance(smallest, Optimal(smallest), games=GAMES)
    assert distance.exact
    assert distance.exploitability == pytest.approx(0, abs=1e-9)
    for side in distance.sides:
        assert side.low == side.high == pytest.approx(side.value, abs=1e-9)
        assert side.against_optimal == pytest.approx(side.value, abs=4 / np.sqrt(GAMES))
    for decisions in (distance.everywhere, distance.in_play):
        assert decisions.count > 0
        assert decisions.optimal == 1.0
        assert decisions.loss == pytest.approx(0, abs=1e-9)


def test_optimal_play_against_itself_comes_to_the_value(smallest):
    graph, policy = smallest.graph, ask(smallest.graph, Optimal(smallest))
    for seat, sign in ((0, 1), (1, -1)):
        mean, visits = play_optimal(smallest, policy, seat, GAMES, seed=3)
        assert mean == pytest.approx(sign * smallest.value, abs=4 / np.sqrt(GAMES))
        assert not visits[graph.kinds != seat].any()


def test_optimal_play_wins_matches_by_its_value_or_more(smallest):
    graph = smallest.graph
    agents: list[Agent] = [Optimal(smallest), Uniform()]
    match = play_match(graph.game, graph.options, agents, 1_000 if jit.BACKEND == "numba" else 60, 1)
    assert match.standings[0].reward > 0.3


@pytest.mark.parametrize("word", ["uniform", "greedy"])
def test_other_players_can_be_exploited(smallest, word):
    graph = smallest.graph
    distance = find_distance(smallest, make_agent(word, graph.game, graph.options), games=GAMES)
    assert distance.exact
    assert distance.exploitability > 0.1
    assert distance.nash_conv == pytest.approx(2 * distance.exploitability)
    for side in distance.sides:
        assert side.loss > 0
        assert side.against_optimal >= side.low - 4 / np.sqrt(GAMES), "a best response isn't the best"
    assert 0 < distance.everywhere.optimal < 1
    assert distance.everywhere.loss > 0


def test_a_best_response_gets_no_less_than_optimal_play_anywhere(smallest):
    policy = ask(smallest.graph, Uniform())
    assert (best_response(smallest, policy, 0).high <= smallest.values + 1e-9).all()
    assert (best_response(smallest, policy, 1).low >= smallest.values - 1e-9).all()


def test_a_best_response_to_a_player_that_draws_nothing_beats_it_by_what_is_said(smallest):
    """Its own best response, found by hand: for each seat the optimum against the first legal action."""
    graph, agent = smallest.graph, FunctionAgent(first_legal)
    policy = ask(graph, agent)
    assert policy.exact
    assert set(np.unique(policy.chances)) == {0.0, 1.0}
    values = best_response(smallest, policy, 0).low
    for node in np.flatnonzero(graph.kinds >= 0):
        after = values[graph.successors[graph.first_edge[node] : graph.first_edge[node + 1]]]
        assert values[node] == pytest.approx(after[0] if graph.kinds[node] == 0 else after.min(), abs=1e-9)


def test_chances_of_a_player_that_draws_are_counted(smallest):
    graph = smallest.graph
    counted, known = ask(graph, Drawing(), asks=100), ask(graph, Uniform())
    assert known.exact
    assert not counted.exact
    decided = graph.kinds[graph.sources] >= 0
    for policy in (counted, known):
        sums = np.bincount(graph.sources[decided], policy.chances[decided], graph.num_nodes)
        np.testing.assert_allclose(sums[graph.kinds >= 0], 1.0)
        assert not policy.chances[~decided].any()
    usual = np.abs(counted.chances - known.chances) < 0.25  # five standard deviations
    assert usual.mean() > 0.97  # but for pairs that gave equal answers at first


def test_greedy_plays_by_the_chances_that_it_tells(smallest):
    class Silent:
        """Greedy, but it doesn't tell them."""

        act = Greedy(smallest.graph.game, smallest.graph.options).act

    graph = smallest.graph
    told = ask(graph, Greedy(graph.game, graph.options))
    counted = ask(graph, Silent(), asks=60 if jit.BACKEND == "numba" else 8)
    assert told.exact
    assert not counted.exact
    assert not counted.chances[told.chances == 0].any()
    assert (counted.chances[told.chances == 1] == 1).all()


def test_an_illegal_answer_is_told_with_the_agents_name(smallest):
    def wrong(observations, masks):
        return np.full(len(masks), masks.shape[1])

    with pytest.raises(IllegalActionError, match=r"agent 'wrong': player_\d: there is no action"):
        ask(smallest.graph, FunctionAgent(wrong))
    with pytest.raises(ValueError, match="asks=0"):
        ask(smallest.graph, Uniform(), asks=0)
