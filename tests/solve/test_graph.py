import numpy as np
import pytest

from hopenvs import registry
from hopenvs.core.errors import OptionError
from hopenvs.core.options import parse_options
from hopenvs.core.state import CHANCE, TERMINAL
from hopenvs.core.walk import walk_of
from hopenvs.solve import CORNERS, default_corner, find_positions
from tests.solve.conftest import IGEL, SMALLEST


def test_nodes_are_those_that_play_leads_to(smallest):
    graph = smallest.graph
    assert graph.num_nodes == graph.num_positions + graph.num_chance_points + int((graph.kinds == TERMINAL).sum())
    reached = np.zeros(graph.num_nodes, np.bool_)
    reached[0] = True
    reached[graph.successors] = True
    assert reached.all()
    assert (graph.find(graph.states) == np.arange(graph.num_nodes)).all()
    sums = np.bincount(graph.sources, graph.share(graph.weights), graph.num_nodes)
    np.testing.assert_allclose(sums[graph.kinds != TERMINAL], 1.0)
    assert (np.abs(graph.rewards[graph.kinds == TERMINAL]) == 1).all()
    assert not graph.rewards[graph.kinds != TERMINAL].any()
    assert (graph.kinds == CHANCE).any()


@pytest.mark.clause("C-8")
def test_the_cap_of_turns_is_not_played_by(smallest):
    capped = find_positions(IGEL, parse_options(IGEL, SMALLEST | {"max_turns": 1}))
    assert capped.num_nodes == smallest.graph.num_nodes
    assert (capped.kinds == smallest.graph.kinds).all()


def test_a_game_under_way_is_found_whatever_the_turn(smallest):
    walk = walk_of(IGEL, smallest.graph.options)
    walk.start(3)
    for _ in range(20):
        walk.draw_all()
        walk.play(walk.legal()[-1])
        if walk.is_over:
            break
        (node,) = smallest.graph.find(walk.states)
        assert smallest.graph.kinds[node] == walk.current_player


def test_a_record_that_play_doesnt_lead_to_is_refused(smallest):
    walk = walk_of(IGEL, smallest.graph.options)
    walk.states["die"] = 2  # before the race
    with pytest.raises(ValueError, match="record 0: play from the start doesn't lead there"):
        smallest.graph.find(walk.states)


def test_too_many_positions_are_refused():
    with pytest.raises(OptionError, match="igel_aergern: more than 500 positions and chance points"):
        find_positions(IGEL, parse_options(IGEL, {}), most=500)


@pytest.mark.parametrize(
    ("env", "why"),
    [
        ("igel_aergern-3p-v0", "has 3 players"),
        ("hexx_hopp-2p-v0", "all act at once"),
        ("hedgehog_hop-2p-v0", "seats can't know everything"),
    ],
)
def test_games_that_cant_be_solved_are_refused_in_words(env, why):
    with pytest.raises(OptionError, match=f"{why}: only games of two players who take turns and see everything"):
        find_positions(*registry.resolve(env, {}))


@pytest.mark.parametrize("corner", CORNERS, ids=lambda corner: f"{corner.env} {corner.flags}")
def test_corners_are_options_that_their_id_takes(corner):
    registry.resolve(corner.env, corner.options)
    assert default_corner(corner.env).env == corner.env
