"""Every seat sees the board from its own side (HO-0), by a geometry that shares nothing with the tables of the game."""

import random

import numpy as np
import pytest

from hopenvs.core.walk import walk_of
from hopenvs.testing import check_seats_turn
from tests.games.hooop.pond import GAME, options_of, pond
from tests.relabelled import relabelled

clause = pytest.mark.clause

BOARDS = [{"players": 2}, {"players": 3}, {"players": 4}, {"players": 3, "board": "triangle6"}]
IDS = ["hooop-2p-v0", "hooop-3p-v0", "hooop-4p-v0", "hooop-3p-triangle6-v0", "hooop-4p-nocards-v0"]


@clause("HO-0", "C-10")
@pytest.mark.parametrize("env_id", IDS)
def test_turning_the_seats_turns_observations_and_masks(env_id):
    assert check_seats_turn(env_id, relabelled, games=2) > 50


@clause("HO-0")
@pytest.mark.parametrize(
    "options", [{"players": 2}, {"players": 3}, {"players": 4}, {"players": 3, "board": "triangle6"}]
)
def test_turning_the_seats_turns_the_game_but_not_the_names(options):
    """Played by the same names, the turned game stays the turned game."""
    o = options_of(**options)
    for shift in range(1, o.players):
        rng = random.Random(shift)
        walk = walk_of(GAME, o)
        turned = walk_of(GAME, o, relabelled(walk.position(), shift))
        for _ in range(200):
            if walk.is_over:
                break
            assert turned.legal_names() == walk.legal_names()
            name = rng.choice(walk.legal_names())
            walk.play_named(name)
            turned.play_named(name)
            assert turned.position() == relabelled(walk.position(), shift)


@clause("HO-0")
def test_the_maps_of_the_rules_page():
    assert [new_name(4, leaf) for leaf in range(25)] == [
        20, 15, 10, 5, 0, 21, 16, 11, 6, 1, 22, 17, 12, 7, 2, 23, 18, 13, 8, 3, 24, 19, 14, 9, 4,
    ]  # fmt: skip
    assert [new_name(2, leaf) for leaf in range(25)] == [24 - leaf for leaf in range(25)]
    assert [new_name(3, leaf) for leaf in range(15)] == [10, 11, 6, 12, 7, 3, 13, 8, 4, 1, 14, 9, 5, 2, 0]


def new_name(players, leaf):
    """What seat 1 calls a leaf: its frog stands there and the observation shows where."""
    frogs = [f"H{seat} H{seat} H{seat}" for seat in range(players)]
    frogs[1] = f"{leaf} H1 H1"
    walk = pond(*frogs, to_play=1)
    layout = GAME.spec(walk.options).layout
    part, shape = layout["frogs"]
    observation = walk.batch.view((0,), (1,))[1][0][part].reshape(shape)
    return int(np.flatnonzero(observation[0])[0])


@clause("HO-0", "HO-1")
def test_the_left_neighbours_home_is_called_h1():
    entries = {}
    for leaf, home in ((22, 0), (10, 1), (2, 2), (14, 3)):
        frogs = [f"H{seat} H{seat} H{seat}" for seat in range(4)]
        frogs[1] = f"{leaf} H1 H1"
        walk = pond(*frogs, to_play=1)
        (entry,) = [name for name in walk.legal_names() if ">H" in name]
        entries[home] = entry
        assert (
            GAME.describe(walk.options, walk.record, GAME.parse_action(walk.options, entry)) == f"jump {leaf}>H{home}"
        )
    assert entries == {1: "jump 22>H0", 2: "jump 10>H1", 3: "jump 2>H2", 0: "jump 14>H3"}


@clause("HO-0")
@pytest.mark.parametrize("options", BOARDS)
def test_a_seat_is_told_of_moves_by_the_names_it_uses_itself(options):
    o = options_of(**options)
    for mover in range(o.players):
        walk = pond(*[f"H{s} H{s} H{s}" for s in range(o.players)], to_play=mover,
                    **{k: v for k, v in options.items() if k != "players"})  # fmt: skip
        for action in range(GAME.spec(o).num_actions):
            name = GAME.action_name(o, action)
            assert GAME.told_action(o, walk.record, mover, action) == name
            assert GAME.told_action(o, walk.record, 0, action) == GAME.describe(o, walk.record, action)
        told = GAME.told_action(o, walk.record, (mover + 1) % o.players, GAME.parse_action(o, walk.legal_names()[0]))
        assert told.startswith(f"jump H{o.players - 1}>")  # the right neighbour's frog leaves its home


@clause("HO-0", "C-5")
@pytest.mark.parametrize(
    "options", [{"players": 2}, {"players": 3}, {"players": 4}, {"players": 3, "board": "triangle6"}]
)
def test_absolute_names_are_names_and_differ(options):
    o = options_of(**options)
    for seat in range(o.players):
        walk = pond(*[f"H{s} H{s} H{s}" for s in range(o.players)], to_play=seat,
                    **{k: v for k, v in options.items() if k != "players"})  # fmt: skip
        names = [GAME.describe(o, walk.record, action) for action in range(GAME.spec(o).num_actions)]
        assert len(set(names)) == len(names)
        assert {name.split(" ")[0] for name in names} == {"jump", "chute", "bridge", "remove", "end"}
        if seat == 0:
            assert names == [GAME.action_name(o, action) for action in range(GAME.spec(o).num_actions)]
