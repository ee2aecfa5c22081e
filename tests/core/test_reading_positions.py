"""What every game's positions share is read by the core, which names the key that is wrong (C-6)."""

import pytest

from hopenvs.core.errors import PositionError
from hopenvs.core.options import parse_options
from hopenvs.core.walk import Walk
from hopenvs.games import igel_aergern


def a_walk():
    walk = Walk(igel_aergern, parse_options(igel_aergern, {}))
    walk.start(0)
    return walk


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"players": 2.0}, "key 'players'"),
        ({"players": True}, "key 'players'"),
        ({"players": 3}, "key 'players'"),
        ({"game": "hooop"}, "key 'game'"),
        ({"options": []}, "key 'options'"),
        ({"options": ""}, "key 'options'"),
        ({"options": 0}, "key 'options'"),
        ({"options": False}, "key 'options'"),
        ({"options": {"max_turns": 2000}}, "'max_turns' is no part of a position"),
        ({"options": {"players": 2}}, "'players' is no part of a position"),
        ({"options": {"anarchyy": True}}, "did you mean anarchy"),
        ({"options": {"anarchy": True}}, "this environment has False"),
    ],
    ids=str,
)
@pytest.mark.clause("C-6")
def test_a_position_of_something_else_is_refused(change, told):
    walk = a_walk()
    before = walk.states.tobytes()
    with pytest.raises(PositionError, match=told):
        walk.start_from({**walk.position(), **change})
    assert walk.states.tobytes() == before


@pytest.mark.clause("C-6")
def test_an_option_that_is_null_counts_as_not_given():
    walk = a_walk()
    position = walk.position()
    walk.start_from({**position, "options": {"anarchy": None}})
    assert walk.position() == position


@pytest.mark.clause("C-6")
def test_a_chance_point_has_no_position():
    walk = a_walk()
    while not walk.is_chance:
        walk.play(walk.legal()[0])
    with pytest.raises(PositionError, match="chance point"):
        walk.position()
