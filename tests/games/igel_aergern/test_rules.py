"""The rules of Igel Ärgern, clause by clause (hopenvs/games/igel_aergern/README.md): IA-1 to IA-13.

Boards are written as in `board_text`: `"2:4 RB"` is red under blue on track 2, column 4; pieces that aren't named have
arrived in the goal.
"""

import pytest

from hopenvs.core import kernels
from hopenvs.core.state import Payoff
from tests.games.igel_aergern.board_text import (
    GAME,
    SEATS,
    B,
    G,
    R,
    before_roll,
    board,
    goal,
    new_game,
    options_of,
    place_all,
    places,
    placing,
    race,
    roll,
    sides,
    stack,
    stacks,
    steps,
)

PITS = {1: 3, 2: 6, 3: 4, 4: 5, 5: 2, 6: 7}
PLAYERS = range(2, 7)

clause = pytest.mark.clause


# ---- board and set-up -----------------------------------------------------------------------------------------------
@clause("IA-1")
def test_the_board_has_six_tracks_of_nine_columns_and_starts_empty():
    assert new_game().position()["stacks"] == [[[]] * 9] * 6


@clause("IA-1", "IA-7")
@pytest.mark.parametrize("track", range(1, 7))
def test_the_pit_of_a_track_is_the_only_field_on_it_that_holds_a_piece(track):
    other = track % 6 + 1
    held = []
    for column in range(1, 8):
        walk = roll(before_roll(f"{track}:{column} R, {other}:0 RBB", to_play=R), other)
        if walk.position()["phase"] == "forward":  # red has no sidestep
            held.append(column)
    assert held == [PITS[track]]


@clause("IA-2")
@pytest.mark.parametrize("players", PLAYERS)
def test_four_pieces_each_are_placed_one_a_turn_clockwise_from_seat_0(players):
    walk = new_game(players=players)
    assert place_all(walk) == list(range(players)) * 4
    placed = "".join(stack(walk, f"{track}:0") for track in range(1, 7))
    assert [placed.count(SEATS[seat]) for seat in range(players)] == [4] * players


@clause("IA-3")
def test_example_a_all_six_stacks_are_lowest():
    assert placing("R B R B R B").legal_names() == places(1, 2, 3, 4, 5, 6)


@clause("IA-3")
def test_example_b_the_only_lowest_stack_holds_the_movers_colour():
    walk = placing("RB BR G GR BG RB", players=3)
    assert walk.current_player == G
    assert walk.legal_names() == places(1, 2, 3, 4, 5, 6)


@clause("IA-3")
def test_example_c_two_lowest_stacks_of_other_colours():
    walk = placing("RB GB G RB RG R", players=3)
    assert walk.current_player == B
    assert walk.legal_names() == places(3, 6)


@clause("IA-3")
@pytest.mark.parametrize(
    ("start", "players", "legal"),
    [
        ("- - - - - -", 2, (1, 2, 3, 4, 5, 6)),
        ("R - - - - -", 2, (2, 3, 4, 5, 6)),
        ("R B - R - B", 2, (3, 5)),
        ("R - - - - B", 2, (2, 3, 4, 5)),
        ("R B R B R -", 2, (6,)),  # one empty stack, and it holds nobody
        ("RB R B R B R", 2, (2, 3, 4, 5, 6)),  # blue places: its piece on track 1 is on a higher stack
        ("RB GR B G R -", 3, (6,)),
    ],
)
def test_a_piece_goes_on_a_lowest_stack(start, players, legal):
    assert placing(start, players=players).legal_names() == places(*legal)


@clause("IA-3")
def test_one_lowest_stack_without_the_movers_colour_keeps_the_higher_ones_closed():
    walk = placing("RB GR RG BR B G", players=3)
    assert walk.current_player == B
    assert walk.legal_names() == places(5, 6)


@clause("IA-3")
@pytest.mark.parametrize(
    ("start", "players", "legal"),
    [
        ("RB BR GGGRB", 3, (1, 2, 3)),
        ("BRG RGB YYYBRG", 4, (1, 2, 3)),
        ("BRG GBY YYBRRG", 4, (1, 2)),  # none of red's on track 2
    ],
)
def test_the_movers_colour_counts_wherever_it_lies_in_a_lowest_stack(start, players, legal):
    walk = placing(start, players=players, tracks=3)
    assert walk.current_player == R
    assert walk.legal_names() == places(*legal)


@clause("IA-3")
def test_a_piece_placed_lies_on_top_of_its_start_field():
    walk = placing("R B R B R B")
    walk.play_named("place 4")
    assert board(walk) == "1:0 R, 2:0 B, 3:0 R, 4:0 BR, 5:0 R, 6:0 B"


@clause("IA-4")
@pytest.mark.parametrize("players", PLAYERS)
def test_seat_0_begins_the_race_after_the_last_placement(players):
    walk = new_game(players=players)
    place_all(walk)
    assert roll(walk, 1).current_player == 0
    assert walk.position()["turn"] == 0


# ---- the roll -------------------------------------------------------------------------------------------------------
@clause("IA-5", "C-2")
def test_the_die_has_six_equally_likely_sides_and_outcome_k_shows_track_k_plus_1():
    for k in range(6):
        walk = new_game()
        place_all(walk)
        assert walk.outcomes() == [1] * 6
        assert GAME.outcome_name(walk.options, walk.record, k) == f"roll {k + 1}"
        walk.happen(k)
        assert walk.position()["die"] == k + 1


@clause("IA-5")
@pytest.mark.parametrize("players", PLAYERS)
def test_the_die_is_rolled_before_any_choice_and_everybody_sees_it(players):
    walk = new_game(players=players)
    place_all(walk)
    assert walk.is_chance
    roll(walk, 4)
    assert walk.position()["phase"] == "sidestep"
    part = walk.spec.layout["die"][0]
    for seat in range(players):
        assert walk.batch.view((0,), (seat,))[1][0, part].tolist() == [0, 0, 0, 1, 0, 0]


# ---- free pieces and pits -------------------------------------------------------------------------------------------
@clause("IA-6")
def test_only_the_top_piece_of_a_stack_is_free():
    walk = race("2:4 RB, 6:3 RBR, 1:2 B", to_play=R, die=2)
    assert sides(walk) == ["6.3 up"]
    assert steps(walk) == ["step 4"]


@clause("IA-6", "IA-8")
def test_a_piece_in_the_goal_is_out_of_play():
    walk = race("1:8 R, 2:8 R, 3:2 B, 3:7 B, 2:4 RR", to_play=R, die=1)
    assert sides(walk) == ["2.4 up", "2.4 down"]
    assert steps(walk) == []


@clause("IA-7")
@pytest.mark.parametrize("behind", ["6:2 B", "6:2 R", "1:0 B", "2:1 R", "5:2 B"])
def test_a_pit_holds_its_piece_while_any_piece_stands_in_a_lower_column_on_any_track(behind):
    walk = race(f"1:3 R, {behind}, 4:7 R, 5:7 BB", to_play=R, die=1)
    assert not any(name.startswith("1.3") for name in sides(walk))
    assert "step 3" not in steps(walk)


@clause("IA-7")
@pytest.mark.parametrize("level", ["6:3 B", "2:3 RB", "4:4 B", "1:4 B", "5:7 B"])
def test_pieces_level_with_a_pit_or_beyond_it_leave_it_idle(level):
    walk = race(f"1:3 R, {level}, 4:7 R, 5:7 B", to_play=R, die=1)
    assert "1.3 down" in sides(walk)
    assert "step 3" in steps(walk)


@clause("IA-7")
def test_the_pieces_of_the_pits_own_stack_do_not_make_it_active():
    walk = race("1:3 BBR, 4:7 R", to_play=R, die=1)
    assert "1.3 down" in sides(walk)
    assert steps(walk) == ["step 3"]


@clause("IA-7")
@pytest.mark.parametrize("die", [1, 3])
@pytest.mark.parametrize(("mover", "free"), [(R, ["2.7 up", "2.7 down"]), (B, ["6.2 up"])])
def test_a_piece_on_an_active_pit_cannot_move_for_anybody(mover, free, die):
    walk = race("1:3 R, 3:4 B, 6:2 RB, 2:7 R", to_play=mover, die=die)
    assert sides(walk) == free
    assert steps(walk) == []


@clause("IA-7")
def test_the_nearer_pits_are_idle_while_the_farther_ones_hold():
    walk = race("5:2 R, 1:3 R, 3:4 R, 2:3 B, 6:7 B, 6:2 B", to_play=R, die=1)
    assert sides(walk) == ["5.2 up", "5.2 down"]  # level with the rearmost piece; 1:3 and 3:4 are held


@clause("IA-7")
def test_a_pit_lets_go_as_soon_as_the_last_piece_behind_it_has_come_level():
    walk = race("1:3 R, 6:2 B, 4:7 R, 5:7 B", to_play=B, die=6, phase="forward")
    walk.play_named("step 2")
    assert sides(roll(walk, 1)) == ["1.3 down", "4.7 up", "4.7 down"]


@clause("IA-7", "IA-9")
def test_situation_1_a_held_piece_gives_no_forward_move_until_the_last_one_behind_is_level():
    walk = race("1:3 R, 6:2 B, 4:7 R, 5:7 B", to_play=R, die=1)
    assert sides(walk) == ["4.7 up", "4.7 down"]
    walk.play_named("stay")
    assert walk.is_chance  # nothing else on track 1
    roll(walk, 6).play_named("stay")
    walk.play_named("step 2")
    roll(walk, 1).play_named("stay")
    assert walk.legal_names() == ["step 3"]


# ---- the sidestep ---------------------------------------------------------------------------------------------------
@clause("IA-8")
def test_an_own_free_piece_may_go_to_either_track_beside_it():
    walk = race("3:2 R, 6:6 BBR", to_play=R, die=1)
    assert sides(walk) == ["3.2 up", "3.2 down", "6.6 up"]
    walk.play_named("side 3.2 up")
    assert (stack(walk, "2:2"), stack(walk, "3:2")) == ("R", "")
    walk = race("3:2 R, 6:6 BBR", to_play=R, die=1)
    walk.play_named("side 3.2 down")
    assert (stack(walk, "4:2"), stack(walk, "3:2")) == ("R", "")


@clause("IA-8")
def test_the_outer_tracks_have_one_neighbour():
    assert sides(race("1:2 R, 6:2 R, 3:6 BB", to_play=R, die=3)) == ["1.2 down", "6.2 up"]


@clause("IA-8")
def test_the_sidestep_takes_only_own_pieces():
    walk = race("2:4 B, 3:4 B, 4:3 R, 4:4 RB", to_play=R, die=3)
    assert sides(walk) == ["4.3 up", "4.3 down"]


@clause("IA-8")
def test_a_sidestepping_piece_lands_on_top_of_what_stands_there():
    walk = race("2:4 BR, 3:4 RB", to_play=R, die=5)
    walk.play_named("side 2.4 down")
    assert (stack(walk, "2:4"), stack(walk, "3:4")) == ("B", "RBR")


@clause("IA-8")
def test_a_sidestep_may_lead_into_an_active_pit_which_then_holds_the_piece():
    walk = race("2:3 R, 6:1 B, 1:1 R, 6:6 B", to_play=R, die=1)
    assert "2.3 up" in sides(walk)
    walk.play_named("side 2.3 up")
    assert stack(walk, "1:3") == "R"
    assert walk.legal_names() == ["step 1"]


@clause("IA-8")
def test_a_sidestep_may_start_from_the_start_column():
    walk = race("2:0 R, 3:5 RBB", to_play=R, die=3)
    assert sides(walk) == ["2.0 up", "2.0 down"]
    walk.play_named("side 2.0 up")
    assert stack(walk, "1:0") == "R"


@clause("IA-8", "C-3")
def test_there_is_at_most_one_sidestep_and_the_same_seat_then_steps():
    walk = race("3:2 R, 4:3 R, 5:5 BB", to_play=R, die=4)
    walk.play_named("side 3.2 down")
    assert walk.current_player == R
    assert walk.position()["phase"] == "forward"
    assert walk.legal_names() == ["step 2", "step 3"]


@clause("IA-8")
def test_the_sidestep_may_be_declined():
    walk = race("3:2 R, 4:3 R, 5:5 BB", to_play=R, die=4)
    before = board(walk)
    walk.play_named("stay")
    assert board(walk) == before
    assert walk.legal_names() == ["step 3"]


@clause("IA-8", "IA-6")
@pytest.mark.parametrize(("mover", "free"), [(R, ["6.3 up"]), (B, ["2.4 up", "2.4 down", "6.5 up"])])
def test_situation_3_a_covered_piece_cannot_sidestep_but_anyone_may_step_the_one_on_top(mover, free):
    walk = race("2:4 RB, 6:3 R, 6:5 B", to_play=mover, die=2)
    assert sides(walk) == free
    assert steps(walk) == ["step 4"]
    walk.play_named("step 4")
    assert (stack(walk, "2:4"), stack(walk, "2:5")) == ("R", "B")


# ---- the step forward -----------------------------------------------------------------------------------------------
@clause("IA-9")
def test_any_free_piece_of_any_colour_on_the_rolled_track_may_be_stepped():
    walk = race("4:1 R, 4:2 RB, 4:3 B, 4:7 BR, 3:1 R, 5:1 B", to_play=R, die=4)
    assert steps(walk) == ["step 1", "step 2", "step 3", "step 7"]


@clause("IA-9")
def test_a_step_leads_one_column_forward_onto_the_top():
    walk = race("4:2 RB, 4:3 BR", to_play=R, die=4, phase="forward")
    walk.play_named("step 2")
    assert board(walk) == "4:2 R, 4:3 BRB"


@clause("IA-9")
def test_the_step_is_mandatory():
    walk = race("4:2 RB, 4:3 BR", to_play=R, die=4, phase="forward")
    assert walk.legal_names() == ["step 2", "step 3"]  # neither `stay` nor a sidestep


@clause("IA-9")
def test_a_piece_that_has_just_sidestepped_may_be_stepped():
    walk = race("3:2 R, 2:7 RBB", to_play=R, die=4)
    walk.play_named("side 3.2 down")
    walk.play_named("step 2")
    assert stack(walk, "4:3") == "R"


@clause("IA-9", "IA-7")
def test_a_step_may_lead_into_a_pit():
    walk = race("5:1 R, 6:1 R, 2:7 BB", to_play=R, die=5, phase="forward")
    walk.play_named("step 1")
    assert stack(walk, "5:2") == "R"


@clause("IA-9")
def test_a_step_from_the_last_column_but_one_brings_the_piece_into_the_goal():
    walk = race("5:7 BR, 6:1 R, 2:7 B", to_play=B, die=5, phase="forward", goal_count=4)
    walk.play_named("step 7")
    assert stack(walk, "5:8") == "R"
    assert goal(walk) == [3, 2]


@clause("IA-10", "C-4")
def test_nothing_moves_forward_if_no_free_piece_stands_on_the_rolled_track():
    walk = race("2:4 RB, 6:3 BR", to_play=R, die=1)
    walk.play_named("stay")
    assert walk.is_chance
    assert board(walk) == "2:4 RB, 6:3 BR"
    assert roll(walk, 2).position()["turn"] == 31


@clause("IA-10")
@pytest.mark.parametrize(("direction", "to"), [("up", "4:1"), ("down", "6:1")])
def test_situation_2_a_piece_must_enter_the_pit_unless_it_is_sidestepped_away(direction, to):
    walk = race("5:1 R, 2:7 RBB", to_play=R, die=5)
    assert steps(walk) == ["step 1"]
    walk.play_named("step 1")
    assert stack(walk, "5:2") == "R"
    walk = race("5:1 R, 2:7 RBB", to_play=R, die=5)
    walk.play_named(f"side 5.1 {direction}")
    assert walk.is_chance
    assert board(walk) == f"2:7 RBB, {to} R"


@clause("IA-11")
@pytest.mark.parametrize("players", PLAYERS)
def test_the_next_seat_clockwise_rolls(players):
    walk = new_game(players=players)
    place_all(walk)
    movers = []
    for turn in range(2 * players):
        roll(walk, 1 + turn % 6)
        assert walk.position()["turn"] == turn
        movers.append(walk.current_player)
        while not walk.is_chance:
            assert walk.current_player == movers[-1]
            walk.play_named(walk.legal_names()[-1])
    assert movers == list(range(players)) * 2


# ---- the end --------------------------------------------------------------------------------------------------------
@clause("IA-12")
def test_the_third_piece_in_the_goal_ends_the_game_at_once():
    walk = race("3:7 R, 5:3 R, 4:2 BB", to_play=R, die=3, phase="forward", turn=40)
    walk.play_named("step 7")
    assert walk.is_over
    assert walk.legal_names() == []
    position = walk.position()
    assert (position["phase"], position["to_play"], position["winners"]) == ("over", None, [R])
    assert (position["die"], position["turn"]) == (3, 40)  # the turn was cut short
    assert position["stacks"] == stacks(walk.options, "1:8 RRBB, 3:8 R, 5:3 R, 4:2 BB")


@clause("IA-12")
def test_the_second_piece_in_the_goal_does_not_end_it():
    walk = race("3:7 R, 5:3 RR, 4:2 BB", to_play=R, die=3, phase="forward")
    walk.play_named("step 7")
    assert goal(walk) == [2, 2]
    assert walk.is_chance


@clause("IA-12")
def test_it_makes_no_difference_on_which_tracks_the_pieces_arrive():
    walk = race("2:8 R, 6:8 BR, 4:7 R, 1:3 R, 1:4 BB", to_play=R, die=4, phase="forward")
    walk.play_named("step 7")
    assert walk.position()["winners"] == [R]


@clause("IA-12")
def test_situation_4_a_player_can_be_made_to_win_by_another():
    walk = race("3:7 R, 5:6 R, 4:2 BB", to_play=B, die=3)
    assert steps(walk) == ["step 7"]  # the only free piece there: blue must step it
    walk.play_named("step 7")
    assert walk.position()["winners"] == [R]
    assert walk.result() == {"rewards": [1.0, -1.0], "ranks": [1, 2], "scores": [3, 2], "winners": [R]}


@clause("IA-12", "C-12")
@pytest.mark.parametrize(
    ("text", "players", "scores", "ranks"),
    [
        ("1:8 RR, 3:7 R, 2:3 RBBBB", 2, [3, 0], [1, 2]),
        ("1:8 RRBG, 3:7 R, 2:3 RBBBGGG", 3, [3, 1, 1], [1, 2, 2]),
        ("1:8 RRBGYY, 3:7 R, 2:3 RBBBGGGYY", 4, [3, 1, 1, 2], [1, 3, 3, 2]),
        ("1:8 RRBG, 3:7 R, 2:3 RBBBGGGYYYY", 4, [3, 1, 1, 0], [1, 2, 2, 4]),
        ("1:8 RRGPP, 3:7 R, 2:3 RBBBBGGGYYYYPP", 5, [3, 0, 1, 0, 2], [1, 4, 3, 4, 2]),
        ("1:8 RR, 3:7 R, 2:3 RBBBBGGGGYYYYPPPPWWWW", 6, [3, 0, 0, 0, 0, 0], [1, 2, 2, 2, 2, 2]),
    ],
)
def test_ranks_go_by_pieces_in_the_goal_and_ties_share_a_rank(text, players, scores, ranks):
    walk = race(text, players=players, to_play=B, die=3, phase="forward")
    walk.play_named("step 7")
    result = walk.result()
    assert (result["winners"], result["scores"], result["ranks"]) == ([R], scores, ranks)


@clause("IA-13", "C-8")
def test_the_cap_is_2000_turns_if_nothing_else_is_said():
    assert options_of().max_turns == 2000
    text = "3:5 R, 5:3 R, 4:2 BB"
    assert not step_turn(race(text, die=3, phase="forward", turn=1998)).is_over
    assert step_turn(race(text, die=3, phase="forward", turn=1999)).is_over


def step_turn(walk):
    walk.play_named(walk.legal_names()[0])
    return walk


@clause("IA-13", "C-8", "C-6")
def test_a_truncated_game_has_no_winner_pays_nothing_and_keeps_its_position():
    for payoff in Payoff:
        walk = race("3:5 R, 5:3 RR, 4:2 BBB", die=3, phase="forward", turn=6, max_turns=7)
        before = walk.position()
        walk.batch.settings[kernels.PAYOFF] = payoff
        walk.play_named("step 5")
        assert walk.is_over
        assert walk.result() == {
            "truncated": True,
            "rewards": [0.0, 0.0],
            "ranks": [1, 1],
            "scores": [1, 1],
            "winners": [],
        }
        expected = {"phase": "over", "to_play": None, "turn": 7, "truncated": True}
        moved = stacks(walk.options, "3:6 R, 5:3 RR, 4:2 BBB")
        assert walk.position() == before | expected | {"stacks": moved}
        assert "options" not in walk.position()  # the cap is no part of a position


@clause("IA-13", "C-8")
def test_ranks_and_scores_of_a_truncated_game_are_those_of_the_last_position():
    walk = race("3:7 R, 5:3 RR, 4:2 BBBB", die=3, phase="forward", turn=6, max_turns=7)
    walk.play_named("step 7")
    assert walk.result()["truncated"]
    assert (walk.result()["scores"], walk.result()["ranks"]) == ([2, 0], [1, 2])


@clause("IA-13")
def test_a_turn_in_which_nothing_moves_counts_for_the_cap():
    walk = race("2:4 RB, 6:3 BR", to_play=R, die=1, turn=6, max_turns=7)
    walk.play_named("stay")
    assert walk.position()["truncated"]


@clause("IA-12", "IA-13")
def test_a_win_in_the_last_turn_is_a_win():
    walk = race("3:7 R, 5:3 R, 4:2 BB", to_play=R, die=3, phase="forward", turn=6, max_turns=7)
    walk.play_named("step 7")
    assert walk.position()["winners"] == [R]
    assert "truncated" not in walk.position()
