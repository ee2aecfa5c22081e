"""Values of graphs small enough to be checked by hand, drawn up without a game."""

import numpy as np
import pytest

from hopenvs.core.errors import OptionError
from hopenvs.core.options import parse_options
from hopenvs.core.state import CHANCE, TERMINAL
from hopenvs.solve import solve
from hopenvs.solve.graph import Graph
from hopenvs.solve.values import chances_of, find_bounds, roles_of
from hopenvs.solve.values_kernel import AVERAGE
from tests.solve.conftest import IGEL


def drawn_up(*nodes):
    """A graph from (whose node, [successors]) and, for ends, (TERMINAL, reward of seat 0)."""
    graph = object.__new__(Graph)
    graph.game, graph.options = IGEL, parse_options(IGEL, {})
    graph.kinds = np.array([kind for kind, _ in nodes], np.int8)
    graph.rewards = np.array([what if kind == TERMINAL else 0.0 for kind, what in nodes], np.float64)
    ways = [[] if kind == TERMINAL else what for kind, what in nodes]
    graph.first_edge = np.cumsum([0, *map(len, ways)]).astype(np.int64)
    graph.successors = np.array([node for row in ways for node in row], np.int32)
    graph.actions = np.array([k for row in ways for k in range(len(row))], np.int16)
    graph.weights = np.ones(len(graph.successors), np.int32)
    return graph


WIN, LOSS = (TERMINAL, 1.0), (TERMINAL, -1.0)


def test_who_would_lose_otherwise_keeps_play_up_for_ever():
    solution = solve(drawn_up((0, [1, 3]), (1, [0, 2]), WIN, LOSS))
    assert solution.values.tolist() == [0.0, 0.0, 1.0, -1.0]
    assert solution.best().tolist() == [True, False, True, False]
    assert solution.bounds.steps is not None
    assert solution.bounds.steps.tolist() == [0, 0, 0, 0]


def test_the_winner_hurries_and_the_loser_delays():
    # 0 may win at once or by way of 1; 3 loses by way of 0 and of 4, which is later
    solution = solve(drawn_up((0, [1, 2]), (1, [2]), WIN, (1, [0, 4]), (0, [1])))
    assert solution.values.tolist() == [1.0] * 5
    assert solution.bounds.steps is not None
    assert solution.bounds.steps.tolist() == [1, 1, 0, 3, 2]
    assert solution.best().tolist() == [False, True, True, False, True, True]


def test_chance_that_sends_players_back_is_averaged_over_all_time():
    # half the time back to the start, else won; seat 0 does better there than by a level throw
    solution = solve(drawn_up((0, [1, 2]), (CHANCE, [0, 3]), (CHANCE, [3, 4]), WIN, LOSS))
    np.testing.assert_allclose(solution.values, [1.0, 1.0, 0.0, 1.0, -1.0], atol=1e-12)
    assert solution.best().tolist() == [True, False, False, False, False, False]


def test_losses_are_what_the_deciding_seat_gives_away():
    solution = solve(drawn_up((0, [2, 3]), (1, [2, 3]), WIN, LOSS))
    assert solution.losses().tolist() == [0.0, 2.0, 2.0, 0.0]


def test_where_chance_has_a_say_and_play_may_go_on_for_ever_no_value_is_made_up():
    graph = drawn_up((CHANCE, [1, 3]), (0, [2, 4]), (1, [1, 3]), WIN, LOSS)
    with pytest.raises(OptionError, match="bounds of the values stay 2 apart"):
        solve(graph)
    bounds = find_bounds(graph, roles_of(graph), chances_of(graph))
    assert bounds.low.tolist() == [0.0, -1.0, -1.0, 1.0, -1.0]
    assert bounds.high.tolist() == [1.0, 1.0, 1.0, 1.0, -1.0]


def test_a_seat_that_plays_by_chances_is_averaged():
    graph = drawn_up((0, [1, 2]), (1, [3, 4]), (1, [3]), WIN, LOSS)
    roles, chances = roles_of(graph), chances_of(graph)
    roles[graph.kinds == 0] = AVERAGE
    chances[:2] = 0.25, 0.75
    bounds = find_bounds(graph, roles, chances)
    assert bounds.low[0] == bounds.high[0] == -0.25 + 0.75
