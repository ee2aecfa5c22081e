from fractions import Fraction

import numpy as np
import pytest

from hopenvs.core import jit
from hopenvs.core.options import parse_options
from hopenvs.core.walk import walk_of
from hopenvs.solve import find_positions, solve
from tests.oracles import igel_aergern as walker
from tests.solve.conftest import IGEL, SMALLEST
from tests.solve.slow_igel import looks, nodes_from, values_from, without_turn

OTHERS = [
    SMALLEST | {"setup": "random"},
    SMALLEST | {"columns": 4, "pits": [1, 2], "shallow_pits": True},
]


def compare(solution, keywords):
    """Every position of the slow solver has the value that the solution gives it, and there are no others."""
    graph = solution.graph
    found = values_from(walker.start(2, **keywords))
    positions = {look: (node, value) for look, (node, value) in found.items() if decides(node)}
    assert graph.num_positions == len(positions)
    walk = walk_of(graph.game, graph.options)
    for node, value in positions.values():
        walk.start_from(node)
        assert solution.values[graph.find(walk.states)[0]] == pytest.approx(value, abs=1e-9), node
    assert solution.value == pytest.approx(found[looks(without_turn(walker.start(2, **keywords)))][1], abs=1e-9)


def decides(node):
    return not isinstance(node, walker.Chance) and node["phase"] != "over"


@pytest.mark.clause("IA-28")
def test_all_values_are_those_of_an_independent_slow_solver(smallest):
    compare(smallest, SMALLEST)


@pytest.mark.slow
@pytest.mark.parametrize("keywords", OTHERS, ids=["random setup", "shallow pits"])
def test_so_are_they_under_other_options(keywords):
    compare(solve(find_positions(IGEL, parse_options(IGEL, keywords))), keywords)


def test_the_smallest_corner_is_worth_17_48ths(smallest):
    assert Fraction(smallest.value).limit_denominator(10_000) == Fraction(17, 48)
    assert smallest.value == pytest.approx(17 / 48, abs=1e-12)
    assert smallest.error <= 1e-12


def test_the_bounds_hold_the_values(smallest):
    bounds = smallest.bounds
    assert (bounds.low <= smallest.values).all()
    assert (smallest.values <= bounds.high).all()
    assert bounds.steps is None


def test_edges_lead_where_the_slow_walker_goes(smallest):
    graph = smallest.graph
    walk = walk_of(IGEL, graph.options)
    nodes = list(nodes_from(walker.start(2, **SMALLEST)).values())
    for node, ways in nodes[:: 1 if jit.BACKEND == "numba" else 10]:
        if not decides(node):
            continue
        walk.start_from(node)
        (found,) = graph.find(walk.states)
        edges = slice(graph.first_edge[found], graph.first_edge[found + 1])
        assert walk.legal() == graph.actions[edges].tolist()
        assert len(ways) == len(walk.legal())


@pytest.mark.skipif(jit.BACKEND == "plain", reason="121,344 positions take minutes in plain Python")
def test_a_corner_of_more_than_100_000_positions_is_solved():
    keywords = {"tracks": 3, "columns": 5, "pieces": 2, "pits": (2, 1, 3)}
    solution = solve(find_positions(IGEL, parse_options(IGEL, keywords)))
    assert solution.graph.num_positions == 121_344
    assert solution.value == pytest.approx(-0.018587626149, abs=1e-11)
    assert solution.error <= 1e-12
    assert np.abs(solution.values).max() == 1.0
