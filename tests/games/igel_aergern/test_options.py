"""The options of Igel Ärgern, clause by clause: IA-20 to IA-28 (boards as in `board_text`)."""

from typing import Any

import pytest

from hopenvs.core.errors import OptionError
from hopenvs.core.options import changed_options
from tests.games.igel_aergern.board_text import (
    GAME,
    B,
    R,
    before_roll,
    board,
    goal,
    new_game,
    options_of,
    place_all,
    places,
    race,
    roll,
    sides,
    stack,
    steps,
)

clause = pytest.mark.clause


@clause("IA-20")
@pytest.mark.parametrize(("given", "goal_count"), [({}, 3), ({"pieces": 3}, 3), ({"pieces": 2}, 2)])
def test_three_pieces_win_or_all_if_there_are_fewer(given, goal_count):
    assert options_of(**given).goal_count == goal_count


@clause("IA-20", "IA-12")
@pytest.mark.parametrize(("goal_count", "arrived"), [(2, 0), (2, 1), (3, 0), (3, 1), (3, 2), (4, 1), (4, 2), (4, 3)])
def test_as_many_pieces_in_the_goal_as_goal_count_says_win(goal_count, arrived):
    rest = "R" * (3 - arrived)
    goal_stack = f"1:8 {'R' * arrived}, " if arrived else ""
    walk = race(f"{goal_stack}3:7 R, 4:3 {rest}BBBB", die=3, phase="forward", goal_count=goal_count)
    walk.play_named("step 7")
    assert walk.is_over == (arrived + 1 == goal_count)


@clause("IA-20", "IA-28")
@pytest.mark.parametrize(
    "given", [{"goal_count": 1}, {"goal_count": 5}, {"goal_count": 3, "pieces": 2}, {"goal_count": 4, "pieces": 3}]
)
def test_goal_count_is_2_to_4_and_at_most_pieces(given):
    with pytest.raises(OptionError, match="goal_count"):
        options_of(**given)


@clause("IA-21")
def test_on_a_cylinder_the_first_and_the_last_track_are_neighbours():
    walk = race("1:2 R, 6:4 BR, 3:6 B", to_play=R, die=6, cylinder=True)
    assert sides(walk) == ["1.2 up", "1.2 down", "6.4 up", "6.4 down"]
    walk.play_named("side 1.2 up")
    assert stack(walk, "6:2") == "R"
    assert walk.legal_names() == ["step 2", "step 4"]
    walk = race("1:2 R, 6:4 BR, 1:4 B", to_play=R, die=6, cylinder=True)
    walk.play_named("side 6.4 down")
    assert stack(walk, "1:4") == "BR"


@clause("IA-21", "IA-28")
def test_a_cylinder_of_three_tracks_wraps_at_its_own_last_track():
    walk = race("1:2 R, 3:2 R, 2:5 BB", to_play=R, die=2, cylinder=True, tracks=3, pieces=3)
    assert sides(walk) == ["1.2 up", "1.2 down", "3.2 up", "3.2 down"]
    walk.play_named("side 3.2 down")
    assert stack(walk, "1:2") == "RR"


@clause("IA-21")
def test_a_cylinder_needs_three_tracks():
    with pytest.raises(OptionError, match="cylinder"):
        options_of(cylinder=True, tracks=2)
    options_of(cylinder=True, tracks=3)


@clause("IA-22")
def test_under_anarchy_the_sidestep_may_take_any_free_piece():
    text = "2:2 B, 4:3 R, 6:6 RB"
    assert sides(race(text, to_play=R, die=4)) == ["4.3 up", "4.3 down"]
    walk = race(text, to_play=R, die=4, anarchy=True)
    assert sides(walk) == ["2.2 up", "2.2 down", "4.3 up", "4.3 down", "6.6 up"]
    walk.play_named("side 2.2 down")
    assert stack(walk, "3:2") == "B"
    assert walk.current_player == R
    assert walk.legal_names() == ["step 3"]


@clause("IA-22", "C-4")
def test_under_anarchy_a_seat_without_a_free_piece_of_its_own_is_asked_for_a_sidestep():
    assert roll(before_roll("2:4 RB, 6:3 RB", to_play=R), 1).is_chance
    walk = roll(before_roll("2:4 RB, 6:3 RB", to_play=R, anarchy=True), 1)
    assert sides(walk) == ["2.4 up", "2.4 down", "6.3 up"]


@clause("IA-22", "IA-7")
def test_anarchy_does_not_free_what_a_pit_holds_or_a_piece_covers():
    walk = race("1:3 B, 3:4 RB, 6:2 BR", to_play=R, die=1, anarchy=True)
    assert sides(walk) == ["6.2 up"]


@clause("IA-23")
def test_a_piece_before_a_pillar_cannot_step():
    walk = race("5:1 R, 5:3 B, 2:7 RB", to_play=R, die=5, pillars=True)
    assert steps(walk) == ["step 3"]
    walk = race("5:1 R, 2:7 RBB", to_play=R, die=5, pillars=True)
    assert steps(walk) == []  # IA-10


@clause("IA-23")
def test_nothing_sidesteps_into_a_pillar_but_away_from_before_it():
    walk = race("4:2 R, 6:2 R, 5:1 R, 2:7 BB", to_play=R, die=1, pillars=True)
    assert sides(walk) == ["4.2 up", "5.1 up", "5.1 down"]


@clause("IA-23", "IA-21", "IA-22")
def test_pillars_stand_on_a_cylinder_under_anarchy_too():
    walk = race("6:3 B, 2:3 B, 3:5 RR", to_play=R, die=1, pillars=True, cylinder=True, anarchy=True)
    assert sides(walk) == ["2.3 down", "3.5 up", "6.3 up"]  # 1:3 is closed, from 6 round the cylinder and from 2; 4:5


@clause("IA-23", "IA-24")
@pytest.mark.parametrize("closed", ["pillars", "repelling_pits"])
@pytest.mark.parametrize(
    ("given", "fits"),
    [
        ({"pits": [4] * 6}, False),
        ({"tracks": 2, "pits": [3, 3]}, False),
        ({"tracks": 2, "pits": [3, 4]}, False),
        ({"tracks": 2, "pits": [3, 5]}, True),
        ({"tracks": 4, "pits": [5, 4, 3, 4]}, False),
        ({"tracks": 4, "pits": [2, 3, 4, 4]}, False),
        ({"tracks": 4, "pits": [2, 3, 4, 4], "cylinder": True}, True),
        ({"tracks": 3, "columns": 3, "pits": [1, 1, 1]}, False),
        ({}, True),
    ],
)
def test_pits_that_leave_no_way_round_them_are_refused(closed, given, fits):
    options_of(**given)
    if fits:
        options_of(**given, **{closed: True})
    else:
        with pytest.raises(OptionError, match=f"{closed}.*no path"):
            options_of(**given, **{closed: True})


@clause("IA-24")
def test_a_repelling_pit_sends_a_stepping_piece_back_to_the_start_of_its_track():
    walk = race("5:1 BR, 5:0 B, 2:7 R", to_play=R, die=5, phase="forward", repelling_pits=True)
    assert walk.legal_names() == ["step 0", "step 1"]
    walk.play_named("step 1")
    assert board(walk) == "2:7 R, 5:0 BR, 5:1 B"


@clause("IA-24")
def test_a_repelling_pit_sends_a_sidestepping_piece_back_to_the_start_of_the_pits_track():
    walk = race("4:2 R, 5:0 B, 2:7 RB", to_play=R, die=5, repelling_pits=True)
    walk.play_named("side 4.2 down")
    assert board(walk) == "2:7 RB, 5:0 BR"
    assert walk.legal_names() == ["step 0"]


@clause("IA-24")
@pytest.mark.parametrize("move", ["side 4.2 down", "step 1"])
def test_a_repelling_pit_repels_also_when_nobody_is_behind_it(move):
    if move == "step 1":
        walk = race("5:1 R, 2:7 RBB", to_play=R, die=5, phase="forward", repelling_pits=True)
    else:
        walk = race("4:2 R, 2:7 RBB", to_play=R, die=5, repelling_pits=True)
    walk.play_named(move)
    assert stack(walk, "5:0") == "R"


@clause("IA-24", "IA-7")
def test_a_repelled_piece_may_be_stepped_in_the_same_turn():
    walk = race("4:2 R, 2:7 RBB", to_play=R, die=5, repelling_pits=True)
    walk.play_named("side 4.2 down")
    walk.play_named("step 0")
    assert board(walk) == "2:7 RBB, 5:1 R"


@clause("IA-25")
def test_a_shallow_pit_holds_the_lowest_piece_alone():
    walk = race("5:2 BR, 1:0 RB", to_play=R, die=5, shallow_pits=True)
    assert sides(walk) == ["5.2 up", "5.2 down"]
    assert steps(walk) == ["step 2"]


@clause("IA-25", "C-4")
def test_a_single_piece_in_an_active_shallow_pit_is_held():
    walk = roll(before_roll("5:2 R, 1:0 RBB", to_play=R, shallow_pits=True), 5)
    assert walk.is_chance  # neither a sidestep nor a step
    assert stack(walk, "5:2") == "R"


@clause("IA-25")
@pytest.mark.parametrize(("shallow", "free"), [(True, True), (False, False)])
def test_without_the_option_an_active_pit_holds_the_whole_stack(shallow, free):
    walk = race("5:2 BBR, 1:0 R", to_play=R, die=5, shallow_pits=shallow)
    assert ("5.2 up" in sides(walk)) == free


@clause("IA-25", "IA-7")
def test_an_idle_shallow_pit_holds_nothing():
    walk = race("5:2 R, 1:3 RBB", to_play=R, die=5, shallow_pits=True)
    assert steps(walk) == ["step 2"]


@clause("IA-25")
def test_the_pieces_of_a_shallow_pit_leave_one_by_one_until_the_lowest():
    walk = race("5:2 RBR, 1:0 BR", to_play=R, die=5, shallow_pits=True, phase="forward")
    walk.play_named("step 2")
    assert (stack(walk, "5:2"), stack(walk, "5:3")) == ("RB", "R")
    roll(walk, 5).play_named("stay")
    assert walk.legal_names() == ["step 2", "step 3"]
    walk.play_named("step 2")
    assert stack(walk, "5:2") == "R"
    assert not any(name.startswith("5.2") for name in sides(roll(walk, 5)))


@clause("IA-23", "IA-24", "IA-25")
def test_pillars_make_the_other_pits_idle_and_repelling_pits_make_shallow_ones_idle():
    walk = race("5:1 R, 4:2 R, 2:7 BB", die=5, pillars=True, repelling_pits=True, shallow_pits=True)
    assert sides(walk) == ["4.2 up", "5.1 up", "5.1 down"]
    assert steps(walk) == []
    walk = race("5:1 R, 4:2 R, 2:7 BB", die=5, repelling_pits=True, shallow_pits=True)
    walk.play_named("side 4.2 down")
    assert board(walk) == "2:7 BB, 5:0 R, 5:1 R"


@clause("IA-26")
def test_the_first_piece_that_reaches_the_goal_is_taken_out_of_the_game():
    walk = race("3:7 RR, 4:2 BBBBRR", to_play=B, die=3, phase="forward", doping=True)
    walk.play_named("step 7")
    assert goal(walk) == [0, 0]
    assert board(walk) == "3:7 R, 4:2 BBBBRR"
    roll(walk, 3).play_named("stay")
    walk.play_named("step 7")  # the second one counts, and stays
    assert goal(walk) == [1, 0]
    assert walk.is_chance


@clause("IA-26", "IA-11")
def test_the_turn_ends_after_a_piece_was_taken_out():
    walk = race("3:7 RR, 4:2 BBBBRR", to_play=B, die=3, phase="forward", doping=True)
    walk.play_named("step 7")
    position = roll(walk, 1).position()
    assert (position["to_play"], position["turn"]) == (R, 31)


@clause("IA-26")
@pytest.mark.parametrize("gone", [R, B])
def test_only_one_piece_of_the_whole_game_is_taken_out(gone):
    text = "3:7 R, 4:2 RRBBBB" if gone == R else "3:7 R, 4:2 RRRBBB"
    walk = race(text, to_play=B, die=3, phase="forward", doping=True, gone=gone)
    walk.play_named("step 7")
    assert goal(walk) == [1, 0]


@clause("IA-26")
def test_without_doping_the_first_piece_counts():
    walk = race("3:7 RR, 4:2 BBBBRR", to_play=B, die=3, phase="forward")
    walk.play_named("step 7")
    assert goal(walk) == [1, 0]


@clause("IA-26", "IA-20")
def test_with_goal_count_equal_to_pieces_the_owner_of_the_piece_taken_out_cannot_win_any_more():
    rules: dict[str, Any] = dict(doping=True, goal_count=4)
    walk = race("1:8 RRBBB, 3:7 RB", to_play=B, die=3, phase="forward", gone=R, **rules)
    walk.play_named("step 7")
    assert goal(walk) == [2, 4]
    assert walk.position()["winners"] == [B]
    walk = race("1:8 RRBB, 3:7 R, 2:7 BB", to_play=B, die=3, phase="forward", gone=R, **rules)
    walk.play_named("step 7")
    assert goal(walk) == [3, 2]  # all that red has
    assert not walk.is_over


@clause("IA-26", "IA-12")
def test_the_piece_taken_out_counts_for_no_score():
    walk = race("1:8 RRB, 3:7 R, 4:2 RBB", to_play=B, die=3, phase="forward", doping=True, gone=B)
    walk.play_named("step 7")
    assert walk.result()["scores"] == [3, 1]


@clause("IA-27", "C-2")
def test_a_random_setup_places_every_piece_in_turn_by_chance():
    walk = new_game(players=3, setup="random")
    for placed in range(12):
        assert walk.is_chance
        assert walk.record.mover == placed % 3
        walk.happen(len(walk.outcomes()) - 1)
        assert len(board(walk).replace(", ", " ").split(" ")[1::2]) <= 6
    assert sum(len(stack(walk, f"{track}:0")) for track in range(1, 7)) == 12
    assert roll(walk, 2).position()["to_play"] == 0
    assert walk.position()["options"] == {"setup": "random"}


@clause("IA-27", "IA-3")
def test_outcome_k_of_a_random_setup_is_the_kth_track_that_is_allowed():
    walk = new_game(setup="random")
    name = GAME.outcome_name
    for k, left, track in [(2, 6, 3), (0, 5, 1), (3, 4, 6), (1, 3, 4), (0, 2, 2)]:
        assert walk.outcomes() == [1] * left
        assert name(walk.options, walk.record, k) == f"place {track}"
        before = stack(walk, f"{track}:0")
        walk.happen(k)
        assert len(stack(walk, f"{track}:0")) == len(before) + 1
    assert walk.outcomes() == [1]  # only track 5: a single outcome is still a chance point (C-2)
    walk.happen(0)
    assert board(walk) == "1:0 B, 2:0 R, 3:0 R, 4:0 B, 5:0 B, 6:0 R"
    assert walk.outcomes() == [1] * 6


@clause("IA-27")
def test_the_players_place_if_nothing_else_is_said():
    assert options_of() == options_of(setup="choice")
    assert new_game().legal_names() == places(1, 2, 3, 4, 5, 6)


@clause("IA-28", "C-5")
@pytest.mark.parametrize(
    "given",
    [
        {"tracks": 2, "columns": 3, "pieces": 2, "pits": [1, 1]},
        {"tracks": 3, "columns": 5, "pieces": 3, "pits": [2, 1, 3]},
        {"tracks": 5, "columns": 8},
        {"tracks": 6, "columns": 9, "pits": [1, 2, 3, 4, 5, 6]},
    ],
)
def test_a_study_board_has_its_own_size_catalogue_and_die(given):
    walk = new_game(**given)
    tracks, columns = given["tracks"], given["columns"]
    names = [GAME.action_name(walk.options, a) for a in range(walk.spec.num_actions)]
    expected = places(*range(1, tracks + 1))
    expected += [
        f"side {t}.{c} {way}" for t in range(1, tracks + 1) for c in range(columns - 1) for way in ("up", "down")
    ]
    assert names == [*expected, "stay", *(f"step {c}" for c in range(columns - 1))]
    assert walk.position()["stacks"] == [[[]] * columns] * tracks
    assert place_all(walk) == [0, 1] * given.get("pieces", 4)
    assert walk.outcomes() == [1] * tracks


@clause("IA-28")
def test_the_pits_of_a_study_board_hold_and_its_goal_ends_the_game():
    tiny: dict[str, Any] = dict(tracks=2, columns=3, pieces=2, pits=[1, 1])
    walk = race("1:0 B, 1:1 R, 2:1 R, 2:0 B", to_play=R, die=2, phase="forward", **tiny)
    assert walk.legal_names() == ["step 0"]  # 2:1 is held
    walk = race("1:1 R, 2:1 B", to_play=R, die=1, **tiny)
    assert sides(walk) == ["1.1 down"]
    walk.play_named("stay")
    walk.play_named("step 1")
    assert walk.position()["winners"] == [R]


@clause("IA-28")
@pytest.mark.parametrize(
    ("given", "pits"),
    [
        ({}, [3, 6, 4, 5, 2, 7]),
        ({"tracks": 3}, [3, 6, 4]),
        ({"tracks": 5, "columns": 8}, [3, 6, 4, 5, 2]),
        ({"tracks": 4, "columns": 8}, [3, 6, 4, 5]),
        ({"tracks": 6, "columns": 9, "pits": None}, [3, 6, 4, 5, 2, 7]),
    ],
)
def test_the_printed_pits_are_the_default_if_they_fit(given, pits):
    o = options_of(**given)
    assert [p for p in o.pits if p > 0] == pits
    assert "pits" not in changed_options(GAME, o)


@clause("IA-28")
@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"columns": 8}, "pits is required"),
        ({"tracks": 2, "columns": 7}, "pits is required"),
        ({"tracks": 2, "columns": 3}, "pits is required"),
        ({"pits": []}, "pits"),
        ({"pits": [3, 6, 4, 5, 2]}, "pits"),
        ({"pits": [3, 6, 4, 5, 2, 7, 1]}, "pits"),
        ({"pits": [3, 6, 4, 5, 2, 8]}, "pits"),
        ({"pits": [3, 6, 4, 5, 2, 0]}, "pits"),
        ({"columns": 8, "pits": [3, 6, 4, 5, 2, 7]}, "pits"),
        ({"pits": 3}, "pits"),
        ({"pits": [True, 6, 4, 5, 2, 7]}, "pits"),
        ({"tracks": 1}, "tracks"),
        ({"tracks": 7}, "tracks"),
        ({"columns": 2}, "columns"),
        ({"columns": 10}, "columns"),
        ({"pieces": 1}, "pieces"),
        ({"pieces": 5}, "pieces"),
        ({"players": 1}, "players"),
        ({"players": 7}, "players"),
        ({"max_turns": 0}, "max_turns"),
        ({"max_turns": 2.0}, "max_turns"),
        ({"anarchy": 1}, "anarchy"),
        ({"setup": "chance"}, "setup"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_impossible_options_are_refused_by_name(given, named):
    with pytest.raises(OptionError, match=named):
        options_of(**given)


@clause("IA-28", "C-6")
def test_required_pits_stand_in_the_position():
    tiny: dict[str, Any] = dict(tracks=2, columns=3, pieces=2, pits=[1, 1])
    assert new_game(**tiny).position()["options"] == tiny
