"""Positions of Igel Ärgern: what is refused, with the key that is wrong, and what goes round (C-6)."""

import copy
import json
import re
from typing import Any

import pytest

import hopenvs
from hopenvs.core.errors import PositionError
from hopenvs.core.walk import walk_of
from tests.games.igel_aergern.board_text import (
    GAME,
    B,
    R,
    board,
    new_game,
    options_of,
    placing_position,
    position_of,
    race,
    stack,
    stacks,
)

RACE = "1:3 R, 6:2 B, 4:7 R, 5:7 B"


def in_the_race(**given):
    return position_of(RACE, **given)


def while_placing(text="R B - - - -", **given):
    return placing_position(text, **given)


def ended(**given):
    return position_of("1:8 RRR, 3:2 R, 4:2 BBBB", phase="over", to_play=None, winners=(R,), **given)


def truncated(**given):
    return position_of(RACE, phase="over", to_play=None, **given) | {"truncated": True}


def field(position, track, column, owners):
    """The position with another stack on a field."""
    changed = copy.deepcopy(position)
    changed["stacks"][track - 1][column] = owners
    return changed


def without(position, key):
    return {name: value for name, value in position.items() if name != key}


def refuses(position, key, **options):
    """The game refuses a position, names the key, and stays as it was."""
    walk = new_game(**options)
    walk.play_named("place 2")
    before = walk.states.tobytes(), walk.batch.mask.tobytes(), walk.batch.seat.tobytes()
    with pytest.raises(PositionError, match=re.escape(key)):
        walk.start_from(position)
    assert (walk.states.tobytes(), walk.batch.mask.tobytes(), walk.batch.seat.tobytes()) == before


clause = pytest.mark.clause
KEYS = ("game", "players", "phase", "to_play", "die", "stacks", "turn", "winners")


# ---- malformed ------------------------------------------------------------------------------------------------------
@clause("C-6")
@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("position", [in_the_race(), while_placing(), ended()], ids=["race", "place", "over"])
def test_a_missing_key_is_named(position, key):
    refuses(without(position, key), f"key '{key}' is missing")


@clause("C-6")
@pytest.mark.parametrize("key", ["turns", "Stacks", "max_turns", "reward", "illegal", "forfeit", ""])
def test_an_unknown_key_is_named(key):
    refuses(in_the_race() | {key: 1}, f"unknown key '{key}'")


@clause("C-6")
@pytest.mark.parametrize("given", [None, [], "position", 3, [in_the_race()]])
def test_what_is_no_dict_is_no_position(given):
    refuses(given, "a position is a dict")


@clause("C-6")
@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("game", "hooop"),
        ("game", None),
        ("game", 1),
        ("players", 3),
        ("players", "2"),
        ("players", None),
        ("players", True),
        ("phase", "roll"),
        ("phase", "Sidestep"),
        ("phase", None),
        ("phase", 2),
        ("phase", ["sidestep"]),
        ("to_play", -1),
        ("to_play", 2),
        ("to_play", "0"),
        ("to_play", 0.0),
        ("to_play", True),
        ("to_play", [0]),
        ("die", -1),
        ("die", 7),
        ("die", 1.0),
        ("die", "1"),
        ("die", True),
        ("die", None),
        ("turn", -1),
        ("turn", 2**31 - 1),  # one more turn wouldn't fit the record
        ("turn", 10**30),
        ("turn", 3.0),
        ("turn", True),
        ("turn", None),
        ("winners", None),
        ("winners", 0),
        ("winners", {}),
        ("winners", "0"),
        ("winners", [True]),
        ("winners", [2]),
        ("winners", [-1]),
        ("winners", ["0"]),
        ("stacks", None),
        ("stacks", {}),
        ("stacks", "stacks"),
        ("stacks", []),
        ("options", 3),
        ("options", "anarchy"),
        ("options", ["anarchy"]),
        ("truncated", 1),
        ("truncated", "true"),
        ("truncated", None),
        ("truncated", True),  # not in the middle of a game
    ],
    ids=repr,
)
def test_a_value_of_the_wrong_kind_or_out_of_range_is_refused_by_its_key(key, value):
    refuses(in_the_race() | {key: value}, f"'{key}'")


@clause("C-6")
@pytest.mark.parametrize(
    ("position", "key"),
    [
        (in_the_race() | {"stacks": in_the_race()["stacks"][:5]}, "stacks"),
        (in_the_race() | {"stacks": [*in_the_race()["stacks"], [[]] * 9]}, "stacks"),
        (in_the_race() | {"stacks": [*in_the_race()["stacks"][:5], [[]] * 8]}, "stacks[5]"),
        (in_the_race() | {"stacks": [*in_the_race()["stacks"][:5], [[]] * 10]}, "stacks[5]"),
        (in_the_race() | {"stacks": [*in_the_race()["stacks"][:5], None]}, "stacks[5]"),
        (field(in_the_race(), 2, 3, None), "stacks[1][3]"),
        (field(in_the_race(), 2, 3, 0), "stacks[1][3]"),
        (field(in_the_race(), 2, 3, "0"), "stacks[1][3]"),
        (field(in_the_race(), 2, 3, {}), "stacks[1][3]"),
        (field(in_the_race(), 2, 3, [None]), "stacks[1][3]"),
        (field(in_the_race(), 2, 3, [True]), "stacks[1][3]"),
        (field(in_the_race(), 2, 3, [0.0]), "stacks[1][3]"),
        (field(in_the_race(), 2, 3, ["R"]), "stacks[1][3]"),
        (field(in_the_race(), 2, 3, [2]), "stacks[1][3]"),
        (field(in_the_race(), 2, 3, [-1]), "stacks[1][3]"),
        (field(in_the_race(), 2, 3, [[0]]), "stacks[1][3]"),
    ],
)
def test_a_board_of_the_wrong_shape_is_refused_by_its_place(position, key):
    refuses(position, f"'{key}'")


# ---- impossible: pieces ---------------------------------------------------------------------------------------------
@clause("C-6", "IA-2")
@pytest.mark.parametrize(
    "position",
    [
        field(in_the_race(), 1, 3, [0, 0]),  # five red ones
        field(in_the_race(), 1, 3, []),  # three red ones
        field(in_the_race(), 1, 3, [1]),  # three and five
        field(ended(), 3, 2, []),
        field(truncated(), 1, 3, []),
    ],
)
def test_every_player_has_four_pieces_on_the_board_in_the_race_and_after_it(position):
    refuses(position, "key 'stacks'")


@clause("C-6", "IA-28")
def test_a_study_board_has_its_own_number_of_pieces():
    small: dict[str, Any] = dict(pieces=2)
    position = position_of("1:2 RR, 2:2 BB", **small)
    assert walk_of(GAME, options_of(**small), position).position() == position
    refuses(field(position, 1, 2, [0, 0, 0]), "key 'stacks'", **small)


@clause("C-6", "IA-12")
@pytest.mark.parametrize("phase", ["sidestep", "forward", "over"])
def test_two_seats_cannot_both_have_reached_the_goal(phase):
    position = position_of("1:8 RRRBBB, 3:2 R, 4:2 B", phase=phase, die=3, to_play=None if phase == "over" else R)
    refuses(position | {"winners": [0, 1]}, "key 'stacks'")
    refuses(position, "key 'stacks'")


@clause("C-6", "IA-12")
def test_nobody_has_more_pieces_in_the_goal_than_end_the_game():
    refuses(position_of("1:8 RRRR, 4:2 BBBB", phase="over", to_play=None, winners=(R,)), "key 'stacks'")
    four: dict[str, Any] = dict(goal_count=4)
    position = position_of("1:8 RRRR, 4:2 BBBB", phase="over", to_play=None, winners=(R,), **four)
    assert walk_of(GAME, options_of(**four), position).position() == position


@clause("C-6", "IA-23", "IA-24")
@pytest.mark.parametrize("option", ["pillars", "repelling_pits"])
def test_no_piece_lies_on_a_pit_that_nothing_can_enter(option):
    closed: dict[str, Any] = {option: True}
    refuses(position_of(RACE, **closed), "key 'stacks'", **closed)
    moved = position_of(RACE.replace("1:3", "1:4"), **closed)
    assert walk_of(GAME, options_of(**closed), moved).position() == moved


@clause("C-6", "IA-26")
@pytest.mark.parametrize(("red", "blue"), [(2, 4), (4, 2), (3, 3), (0, 4)])
def test_doping_takes_only_one_piece_out_of_the_game(red, blue):
    position = position_of("3:2 RRRR, 4:2 BBBB", doping=True)
    refuses(field(field(position, 3, 2, [R] * red), 4, 2, [B] * blue), "key 'stacks'", doping=True)


@clause("C-6", "IA-26")
def test_under_doping_nothing_lies_in_the_goal_before_a_piece_was_taken_out():
    refuses(position_of("3:2 RRR, 4:2 BBBB", doping=True), "key 'stacks'", doping=True)
    for position in (
        position_of("3:2 RRRR, 4:2 BBBB", doping=True),
        position_of("3:2 RRR, 4:2 BBBB", doping=True, gone=R),
        position_of("3:2 RRR, 4:2 BBB", doping=True, gone=R),
        position_of("3:2 RRR, 4:2 BBB", doping=True, gone=B),
    ):
        assert walk_of(GAME, options_of(doping=True), position).position() == position


# ---- impossible: phases, turns, winners -----------------------------------------------------------------------------
@clause("C-6", "IA-2")
@pytest.mark.parametrize(
    ("start", "counts"),
    [
        ("R R - - - -", 2),
        ("B - - - - -", 2),
        ("R G - - - -", 3),
        ("RB BG G BG GR BG", 3),
    ],
)
def test_pieces_are_placed_in_turn(start, counts):
    position = while_placing("- - - - - -", players=counts)
    laid = [[["RBG".index(letter) for letter in text if letter != "-"]] + [[]] * 8 for text in start.split(" ")]
    for seat in range(counts):
        refuses(position | {"stacks": laid, "to_play": seat}, "key 'stacks'", players=counts)


@clause("C-6", "IA-2")
@pytest.mark.parametrize(
    ("start", "players", "to_play"), [("- - - - - -", 3, 0), ("R - - - - -", 3, 1), ("R B G R B -", 3, 2)]
)
def test_only_the_seat_whose_turn_it_is_places(start, players, to_play):
    position = while_placing(start, players=players)
    assert position["to_play"] == to_play
    for other in {0, 1, 2} - {to_play}:
        refuses(position | {"to_play": other}, "key 'to_play'", players=players)


@clause("C-6", "IA-4")
def test_there_is_no_placement_when_all_pieces_are_placed():
    everything = {"stacks": stacks(options_of(), "1:0 RB, 2:0 RB, 3:0 RB, 4:0 RB")}
    for seat in (R, B):
        refuses(while_placing() | everything | {"to_play": seat}, "key 'to_play'")


@clause("C-6", "IA-2")
def test_while_placing_no_piece_lies_beyond_the_start():
    position = field(while_placing(), 2, 0, [])
    refuses(field(position, 2, 1, [B]), "key 'stacks'")
    refuses(field(position, 2, 8, [B]), "key 'stacks'")


@clause("C-6")
@pytest.mark.parametrize("key", ["die", "turn"])
def test_while_placing_die_and_turn_are_0(key):
    refuses(while_placing() | {key: 1}, f"key '{key}'")


@clause("C-6", "IA-27")
def test_nobody_is_asked_to_place_if_chance_does():
    with pytest.raises(PositionError, match="key 'phase'"):
        race(RACE, setup="random").start_from(while_placing() | {"options": {"setup": "random"}})


@clause("C-6", "IA-5")
@pytest.mark.parametrize("phase", ["sidestep", "forward"])
def test_in_the_race_the_die_shows_something(phase):
    refuses(in_the_race(phase=phase, die=0), "key 'die'")


@clause("C-6", "C-4")
def test_a_phase_that_would_have_been_skipped_is_refused():
    refuses(position_of("2:4 RB, 6:3 RB", to_play=R, die=2), "key 'phase'")  # red has no sidestep
    refuses(position_of("2:4 RB, 6:3 RB", to_play=R, die=1, phase="forward"), "key 'phase'")  # nothing on track 1
    refuses(position_of("1:3 R, 6:2 BR, 5:3 B", die=1, phase="forward"), "key 'phase'")  # held by the pit
    refuses(position_of("5:1 R, 2:7 RBB", die=5, phase="forward", pillars=True), "key 'phase'", pillars=True)
    refuses(position_of("5:2 R, 1:0 RBB", to_play=R, die=1, shallow_pits=True), "key 'phase'", shallow_pits=True)


@clause("C-6")
@pytest.mark.parametrize("position", [in_the_race(), while_placing()])
def test_a_game_that_goes_on_has_a_seat_to_play(position):
    refuses(position | {"to_play": None}, "key 'to_play'")


@clause("C-6")
@pytest.mark.parametrize("position", [ended(), truncated()])
def test_when_over_nobody_is_to_play(position):
    refuses(position | {"to_play": 0}, "key 'to_play'")


@clause("C-6", "IA-12")
@pytest.mark.parametrize(
    ("position", "key"),
    [
        (ended() | {"winners": []}, "winners"),
        (ended() | {"winners": [B]}, "winners"),
        (ended() | {"winners": [R, B]}, "winners"),
        (ended() | {"winners": [R, R]}, "winners"),
        (ended() | {"phase": "sidestep", "to_play": R}, "phase"),
        (ended() | {"phase": "forward", "to_play": B, "die": 3, "winners": []}, "phase"),
        (in_the_race() | {"winners": [R]}, "winners"),
        (while_placing() | {"winners": [R]}, "winners"),
        (without(truncated(), "truncated"), "winners"),
        (truncated() | {"truncated": False}, "winners"),
        (ended() | {"die": 0}, "die"),
    ],
)
def test_winners_are_those_who_have_reached_the_goal(position, key):
    refuses(position, f"key '{key}'")


@clause("C-6", "C-8")
@pytest.mark.parametrize(
    ("position", "key"),
    [
        (truncated() | {"winners": [R]}, "winners"),
        (truncated() | {"truncated": 1}, "truncated"),
        (truncated() | {"die": 0}, "stacks"),  # all pieces are placed, in the race
        (while_placing() | {"phase": "over", "to_play": None}, "stacks"),  # not while placing
        (ended() | {"truncated": True}, "truncated"),
        (ended() | {"truncated": True, "winners": []}, "truncated"),
        (while_placing() | {"truncated": True}, "truncated"),
        (while_placing() | {"phase": "over", "to_play": None, "truncated": True, "turn": 1}, "die"),
    ],
)
def test_a_truncated_game_is_over_and_nobody_has_won(position, key):
    refuses(position, f"key '{key}'")


# ---- options --------------------------------------------------------------------------------------------------------
@clause("C-6")
@pytest.mark.parametrize(
    ("stated", "options"),
    [
        ({}, {"anarchy": True}),
        ({"anarchy": True}, {}),
        ({"anarchy": False}, {"anarchy": True}),
        ({"goal_count": 2}, {}),
        ({"goal_count": 2, "anarchy": True}, {"goal_count": 2}),
        ({"pits": [3, 6, 4, 5, 2, 6]}, {}),
        ({"setup": "random"}, {}),
        ({"anarchy": 1}, {"anarchy": True}),
        ({"setup": 1}, {"setup": "random"}),
        ({"anarchi": True}, {"anarchy": True}),
        ({"cylinder": True}, {"anarchy": True}),
    ],
)
def test_the_options_are_those_of_the_game_it_is_set_up_in(stated, options):
    position = in_the_race() | {"options": stated}
    walk = new_game(**options)
    before = walk.states.tobytes()
    with pytest.raises(PositionError, match="key 'options'"):
        walk.start_from(position)
    assert walk.states.tobytes() == before


@clause("C-6")
@pytest.mark.parametrize("options", [{"anarchy": None}, {"goal_count": None, "pits": None}, {"anarchy": False}, {}])
def test_a_null_option_counts_as_not_given_and_a_default_may_be_stated(options):
    assert walk_of(GAME, options_of(), in_the_race() | {"options": options}).position() == in_the_race()


@clause("C-6")
def test_the_options_that_an_id_implies_stand_in_the_position():
    env = hopenvs.make("igel_aergern-2p-anarchy-v0", goal_count=2, pits=[3, 6, 4, 5, 2, 6], reward="score", max_turns=9)
    env.reset(seed=1)
    assert env.position()["options"] == {"goal_count": 2, "anarchy": True, "pits": [3, 6, 4, 5, 2, 6]}


@clause("C-6")
def test_an_environment_that_refuses_a_position_goes_on_as_it_was():
    env = hopenvs.make("igel_aergern-2p-v0")
    env.reset(seed=4)
    env.step(env.parse_action("place 3"))
    before = env.position(), env.agent_selection, env.state().tobytes()
    with pytest.raises(PositionError, match="key 'die'"):
        env.reset(seed=5, options={"position": in_the_race(die=0)})
    assert (env.position(), env.agent_selection, env.state().tobytes()) == before
    env.step(env.parse_action("place 1"))
    assert env.position()["stacks"][0][0] == [1]


# ---- round trips ----------------------------------------------------------------------------------------------------
@clause("C-6")
@pytest.mark.parametrize(
    "position",
    [
        while_placing("- - - - - -"),
        while_placing("R B R - - -"),
        while_placing("RB GR BG RB GR B", players=3),
        in_the_race(),
        in_the_race(phase="forward", die=4),
        in_the_race(turn=2**31 - 2),
        ended(),
        ended(turn=0),
        truncated(),
        position_of("1:0 RBGYPW, 2:0 RBGYPW, 3:0 WPYGBR, 4:7 WP", players=6, to_play=5),
    ],
)
def test_a_position_goes_in_and_comes_out(position):
    walk = walk_of(GAME, options_of(players=position["players"]), json.loads(json.dumps(position)))
    assert walk.position() == position
    assert json.loads(json.dumps(walk.position())) == position


@clause("C-6", "C-8")
def test_a_game_that_a_limit_on_steps_has_cut_short_goes_round_too():
    for steps in range(1, 14):  # while placing, and in the first turns
        env = hopenvs.make("igel_aergern-2p-v0", max_cycles=steps)
        env.reset(seed=steps)
        while env.agents and not env.truncations[env.agent_selection]:
            env.step(env.legal_actions()[0])
        assert env.position()["truncated"]
        again = walk_of(GAME, options_of(), env.position())
        assert again.position() == env.position()
        env.set_state(env.state())


@clause("C-6", "IA-2")
def test_a_game_set_up_while_placing_goes_on_like_the_one_it_was_taken_from():
    played = new_game(players=3)
    for k in range(12):
        again = walk_of(GAME, options_of(players=3), played.position())
        names = again.legal_names()
        assert names == played.legal_names()
        for walk in (played, again):
            walk.play_named(names[k % len(names)])
        assert board(again) == board(played)
        assert again.batch.keys() == played.batch.keys()


@clause("C-6")
def test_a_game_set_up_in_the_race_goes_on_by_its_stacks():
    walk = race("2:4 RBR, 3:3 BR, 1:2 B", die=2, phase="forward")
    walk.play_named("step 4")
    assert (stack(walk, "2:4"), stack(walk, "2:5")) == ("RB", "R")
    assert board(walk) == "1:2 B, 2:4 RB, 2:5 R, 3:3 BR"


@clause("C-6")
def test_lists_and_tuples_are_taken_alike():
    as_tuples = in_the_race()
    as_tuples["stacks"] = tuple(tuple(tuple(stack) for stack in track) for track in as_tuples["stacks"])
    as_tuples["winners"] = ()
    assert walk_of(GAME, options_of(), as_tuples).position() == in_the_race()
