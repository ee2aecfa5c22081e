import random
from typing import Any

import numpy as np
import pytest

from hopenvs.core import jit
from hopenvs.core.walk import walk_of
from hopenvs.games.hooop.chain import HOME as HOME_CODE
from hopenvs.games.hooop.table import PUSH
from tests.oracles import hooop as walker
from tests.solve import slow_hooop as slow
from tests.solve.conftest import HOOOP

CORNER = {"board": "square3", "frogs": 1, "cards": False}

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(jit.BACKEND == "plain", reason="800,000 positions"),
    pytest.mark.clause("HO-21"),
]


def as_slow(position: Any) -> Any:
    """A position of the slow walker, as the slow solver has it."""
    me = position["to_play"]
    pairs = [pair.split("-") for pair in position["bridges"]]
    bridges = sum(slow.BIT[int(a), int(b)] for a, b in pairs)
    mine, yours = (places[0] if isinstance(places[0], int) else slow.HOME for places in
                   (position["frogs"][me], position["frogs"][1 - me]))  # fmt: skip
    if me == 1:
        bridges, mine, yours = slow.TURNED_BRIDGES[bridges], slow.TURNED[mine], slow.TURNED[yours]
    return bridges, mine, yours, position["phase"] == "push"


def seen_from(position, after):
    """What `after`, a successor in the slow walker, is called among `slow.successors`."""
    if after["phase"] != "over":
        return as_slow(after)
    return slow.WON if after["winners"] == [position["to_play"]] else slow.LOST


def some_positions(count):
    for sparse in (False, True):
        yield from walker.random_positions(random.Random(7), 2, count, sparse, **CORNER)


def test_the_slow_solver_moves_as_the_slow_walker_does():
    pushes = 0
    for position in some_positions(300):
        expected = sorted(map(str, (seen_from(position, after) for after in walker.children(position))))
        assert sorted(map(str, slow.successors(as_slow(position)))) == expected, position
        pushes += position["phase"] == "push"
    assert pushes > 10


def test_all_values_and_distances_are_those_of_the_slow_solver(hooop_corner):
    graph, steps = hooop_corner.graph, hooop_corner.bounds.steps
    known, seen = slow.solve()
    states = graph.states
    met = set()
    columns = (
        *(states["bridges"].tolist(), states["place"][:, 0].tolist(), states["place"][:, 3].tolist()),
        *((states["phase"] == PUSH).tolist(), graph.kinds.tolist(), hooop_corner.values.tolist(), steps.tolist()),
    )
    for bridges, first, second, pushed, seat, value, length in zip(*columns, strict=True):
        if seat < 0:
            continue
        mine, yours = (min(place, slow.HOME) if place < HOME_CODE else slow.HOME for place in (first, second))
        if seat == 1:
            bridges, mine, yours, _ = slow.turned(bridges, mine, yours)
            value = -value
        position = slow.one_of_two((bridges, mine, yours, pushed))
        assert known.get(position, (0, 0)) == (value, length), position
        met.add(position)
    assert met == seen


def test_seat_0_wins_in_26_decisions_and_play_never_ends_from_some_positions(hooop_corner):
    graph, decided = hooop_corner.graph, hooop_corner.graph.kinds >= 0
    assert graph.num_positions == 796_670
    assert hooop_corner.value == 1.0
    assert hooop_corner.error == 0.0
    assert hooop_corner.bounds.steps[0] == 26
    assert [int((hooop_corner.values[decided] == value).sum()) for value in (1, 0, -1)] == [364_612, 67_446, 364_612]


def test_a_value_follows_from_those_of_the_slow_walkers_successors(hooop_corner):
    graph, steps = hooop_corner.graph, hooop_corner.bounds.steps
    walk = walk_of(HOOOP, graph.options)

    def look_up(position):
        if position["phase"] == "over":
            return walker.result(position)["rewards"]["win"][0], 0
        walk.start_from({**position, "turn": 0})
        (node,) = graph.find(walk.states)
        return hooop_corner.values[node], steps[node]

    for position in some_positions(40):
        try:
            value, length = look_up(position)
        except ValueError:  # set up at random: play doesn't lead there
            continue
        after = [look_up(child) for child in walker.children(position)]
        best = (max, min)[position["to_play"]](v for v, _ in after)
        assert value == best
        if value == (1, -1)[position["to_play"]]:
            assert length == 1 + min(n for v, n in after if v == value)
        elif value:
            assert length == 1 + max(n for _, n in after)


def test_the_better_side_wins_in_the_given_number_of_decisions(hooop_corner):
    graph, best = hooop_corner.graph, hooop_corner.best()
    generator = np.random.default_rng(5)
    for node in generator.integers(graph.num_nodes, size=50).tolist():
        left = int(hooop_corner.bounds.steps[node])
        value = hooop_corner.values[node]
        for _ in range(left):
            edges = np.arange(graph.first_edge[node], graph.first_edge[node + 1])
            node = int(graph.successors[generator.choice(edges[best[edges]])])
            assert hooop_corner.values[node] == value
        assert value == 0 or graph.rewards[node] == value
