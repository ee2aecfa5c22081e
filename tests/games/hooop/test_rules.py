"""The rules of Hooop!, clause by clause (hopenvs/games/hooop/README.md). Positions are written as in `pond`."""

import pytest

from hopenvs.core.errors import OptionError
from tests.games.hooop.pond import ALL, CARDS, GAME, jumps, leaps, new_game, options_of, play, pond, position_of

RED, BLUE, GREEN, PINK = range(4)

clause = pytest.mark.clause


def number_of_edges(**options):
    return len(new_game(**options).position()["bridges"])


# ---- board and set-up ------------------------------------------------------------------------------------------------
@clause("HO-1")
@pytest.mark.parametrize("players", [2, 4])
def test_two_and_four_play_on_25_leaves_with_40_edges(players):
    bridges = new_game(players=players).position()["bridges"]
    assert new_game(players=players).position()["board"] == "square5"
    pairs = {(a, b) for a in range(25) for b in range(a + 1, 25)
             if (b == a + 1 and b % 5) or b == a + 5}  # fmt: skip
    assert bridges == [f"{a}-{b}" for a, b in sorted(pairs)]


@clause("HO-1", "HO-0")
def test_the_homes_of_four_lie_clockwise_outside_the_middle_of_a_side():
    walk = pond("H0 H0 H0", "H1 H1 H1", "H2 H2 H2", "H3 H3 H3")
    for seat, leaf in enumerate((22, 10, 2, 14)):
        assert walk.current_player == seat
        assert walk.legal_names() == ["jump H0>22"]
        walk.play_named("jump H0>22")
        assert walk.position()["frogs"][seat][0] == leaf


@clause("HO-1", "HO-0")
def test_the_homes_of_two_lie_at_the_bottom_and_the_top():
    walk = play(pond("H0 H0 H0", "H1 H1 H1"), "jump H0>22", "jump H0>22")
    assert [seat[0] for seat in walk.position()["frogs"]] == [22, 2]


@clause("HO-2")
@pytest.mark.parametrize(("board", "leaves", "edges", "homes"), [
    ("triangle5", 15, 30, (10, 0, 14)), ("triangle6", 21, 45, (15, 0, 20)),
])  # fmt: skip
def test_three_play_on_a_triangle_with_homes_at_its_corners(board, leaves, edges, homes):
    walk = new_game(players=3, board=board)
    bridges = walk.position()["bridges"]
    assert len(bridges) == edges
    assert {int(leaf) for edge in bridges for leaf in edge.split("-")} == set(range(leaves))
    row = [r for r in range(6) for _ in range(r + 1)]
    for a, b in (map(int, edge.split("-")) for edge in bridges):
        across, down = b - a, row[b] - row[a]
        assert (across, down) == (1, 0) or (down == 1 and across in (row[a] + 1, row[a] + 2))
    for seat, leaf in enumerate(homes):
        play(walk, f"jump H0>{homes[0]}", "end")
        assert walk.position()["frogs"][seat][0] == leaf


@clause("HO-2")
def test_three_play_on_triangle5_unless_told_otherwise():
    assert new_game(players=3).position()["board"] == "triangle5"


@clause("HO-2", "HO-21")
@pytest.mark.parametrize(("players", "board"), [
    (2, "triangle5"), (2, "triangle6"), (3, "square5"), (3, "square3"), (4, "triangle5"), (4, "triangle6"),
    (4, "square3"),
])  # fmt: skip
def test_any_other_board_is_an_error(players, board):
    with pytest.raises(OptionError, match=rf"board='{board}'.*players={players}"):
        options_of(players=players, board=board)


@clause("HO-3")
@pytest.mark.parametrize(("options", "edges"), [
    ({"players": 2}, 40), ({"players": 3}, 30), ({"players": 4}, 40), ({"players": 3, "board": "triangle6"}, 45),
    ({"players": 2, "board": "square3"}, 12),
])  # fmt: skip
def test_at_the_start_every_edge_has_a_bridge(options, edges):
    assert number_of_edges(**options) == edges


@clause("HO-3", "HO-6")
def test_a_homes_bridge_is_permanent():
    walk = pond("H0 H0 H0", "12 H1 H1", names=["jump H0>22"])
    assert walk.position()["bridges"] == position_of("22 H0 H0", "12 H1 H1")["bridges"]
    play(walk, "jump 12>7", "jump 22>H0")  # and back again
    assert walk.position()["frogs"][RED] == ["H0", "H0", "H0"]
    play(walk, walk.legal_names()[0])
    assert jumps(walk) == ["jump H0>22"]


@clause("HO-4")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_each_has_three_frogs_at_home_and_four_cards(players):
    position = new_game(players=players).position()
    assert position["frogs"] == [[f"H{seat}"] * 3 for seat in range(players)]
    assert position["cards"] == [list(CARDS)] * players


@clause("HO-4")
def test_a_card_serves_once_a_game():
    walk = pond("22 H0 H0", "2 H1 H1", hands=["remove_bridge", ""])
    play(walk, "jump 22>17", "remove 0-1")
    assert walk.position()["cards"] == [[], []]
    play(walk, "bridge 23-24", "jump 17>12")
    assert walk.current_player == BLUE  # nothing was asked: no card is left


@clause("HO-4")
def test_one_card_a_turn_at_most():
    walk = pond("22 H0 H0", "2 H1 H1", hands=[ALL, ALL], without="17-22")
    play(walk, "chute 22>17")
    assert walk.current_player == BLUE
    assert walk.position()["cards"] == [["extra_jump", "extra_bridge", "remove_bridge"], list(CARDS)]
    play(walk, "jump 22>17", "jump 17>16")  # blue's extra jump
    assert walk.current_player == RED


# ---- a turn ----------------------------------------------------------------------------------------------------------
@clause("HO-5")
def test_the_mover_jumps_with_an_own_frog_or_places_a_bridge():
    walk = pond("12 17 H0", "2 7 H1", without="12-13 0-1 23-24")
    own = {"12>7", "12>11", "12>17", "17>12", "17>16", "17>18", "17>22", "H0>22"}
    placed = {"bridge 0-1", "bridge 12-13", "bridge 23-24"}
    assert set(walk.legal_names()) == {f"jump {arc}" for arc in own} | placed


@clause("HO-5")
def test_a_placed_bridge_is_there_and_the_turn_passes():
    walk = play(pond("22 H0 H0", "2 H1 H1", without="0-1 23-24"), "bridge 0-1")
    assert walk.current_player == BLUE
    assert walk.position()["bridges"] == position_of("22 H0 H0", "2 H1 H1", without="23-24")["bridges"]
    assert walk.position()["turn"] == 11


@clause("HO-6")
def test_a_jump_takes_its_bridge_away():
    walk = play(pond("17 H0 H0", "2 H1 H1"), "jump 17>12")
    assert walk.position()["frogs"][RED] == [12, "H0", "H0"]
    assert walk.position()["bridges"] == position_of("12 H0 H0", "2 H1 H1", without="12-17")["bridges"]


@clause("HO-6")
def test_there_is_no_jump_without_a_bridge():
    walk = pond("12 H0 H0", "2 H1 H1", only="12-13 11-12 0-1")
    assert jumps(walk) == ["jump 12>11", "jump 12>13", "jump H0>22"]


@clause("HO-7")
def test_a_pushed_frog_jumps_on_where_the_mover_chooses():
    walk = play(pond("12 H0 H0", "7 H1 H1"), "jump 12>7")
    position = walk.position()
    assert position["phase"] == "push"
    assert position["to_play"] == RED
    assert position["pushed"] == {"leaf": 7, "owner": BLUE}
    assert position["frogs"] == [[7, "H0", "H0"], [7, "H1", "H1"]]
    assert walk.legal_names() == ["jump 7>2", "jump 7>6", "jump 7>8"]  # not back: 7-12 is gone
    play(walk, "jump 7>8")
    assert walk.position()["frogs"] == [[7, "H0", "H0"], [8, "H1", "H1"]]
    assert walk.current_player == BLUE


@clause("HO-7")
def test_a_chain_goes_on_as_long_as_frogs_are_pushed():
    walk = play(pond("6 12 H0", "7 8 H1"), "jump 12>7", "jump 7>8")
    assert walk.position()["pushed"] == {"leaf": 8, "owner": BLUE}
    play(walk, "jump 8>3")
    assert walk.position()["frogs"] == [[6, 7, "H0"], [3, 8, "H1"]]
    gone = "7-12 7-8 3-8"
    assert walk.position()["bridges"] == position_of("6 7 H0", "3 8 H1", without=gone)["bridges"]


@clause("HO-7")
def test_a_frog_of_the_movers_own_is_pushed_too():
    walk = play(pond("12 17 H0", "2 H1 H1"), "jump 12>17")
    assert walk.position()["pushed"] == {"leaf": 17, "owner": RED}
    assert walk.legal_names() == ["jump 17>16", "jump 17>18", "jump 17>22"]


@clause("HO-7")
def test_a_chain_may_end_on_the_leaf_that_its_first_frog_has_left():
    walk = pond("12 H0 H0", "7 8 13", names=["jump 12>7", "jump 7>8", "jump 8>13"])
    play(walk, "jump 13>12")  # round the square, back to the leaf that red has left
    assert walk.position()["frogs"] == [[7, "H0", "H0"], [8, 12, 13]]


@clause("HO-7")
def test_a_leaf_may_be_visited_twice():
    walk = pond("11 13 17", "7 8 12", names=["jump 11>12", "jump 12>7", "jump 7>8", "jump 8>13", "jump 13>12"])
    assert walk.position()["pushed"] == {"leaf": 12, "owner": RED}
    assert walk.legal_names() == ["jump 12>17"]  # of four bridges three are used


@clause("HO-8")
def test_homes_hold_any_number_of_frogs_of_any_colours():
    walk = pond("7 H1 H1", "2 H0 H0", names=["jump 7>2"])
    assert walk.legal_names() == ["jump 2>1", "jump 2>3", "jump 2>H1"]
    play(walk, "jump 2>H1")  # blue's frog is at home again, among two red ones: nobody is pushed
    assert walk.position()["frogs"] == [[2, "H1", "H1"], ["H0", "H0", "H1"]]


@clause("HO-9")
def test_a_frog_in_an_opponents_home_stays():
    walk = pond("2 12 H1", "H1 H1 H1", without="0-1", names=["jump 2>H1", "jump H0>22"])
    assert walk.current_player == RED
    assert walk.position()["frogs"][RED] == [12, "H1", "H1"]
    assert jumps(walk) == ["jump 12>7", "jump 12>11", "jump 12>13", "jump 12>17"]


@clause("HO-9")
def test_it_counts_for_its_owner_whoever_brought_it_there():
    walk = play(pond("17 H0 H0", "22 H0 H1"), "jump 17>22", "jump 22>H0")
    assert walk.position()["frogs"][BLUE] == ["H0", "H0", "H1"]
    assert walk.current_player == BLUE


@clause("HO-10")
@pytest.mark.parametrize(("frogs", "may"), [
    (["0 H1 H2", "H1 H1 H1", "H2 H2 H2"], True), (["0 H1 H1", "H1 H1 H1", "H2 H2 H2"], False),
    (["2 H1 H3", "H1 H1 H1", "H2 H2 H2", "H3 H3 H3"], True), (["2 H0 H2", "H1 H1 H1", "H2 H2 H2", "H3 H3 H3"], False),
])  # fmt: skip
def test_one_colour_fills_two_places_of_a_home_with_three_players_one_with_four(frogs, may):
    walk = pond(*frogs)
    home = {3: "jump 0>H1", 4: "jump 2>H2"}[len(frogs)]
    assert (home in walk.legal_names()) == may


@clause("HO-10")
def test_a_push_into_a_full_home_is_illegal_too():
    walk = pond("1 H0 H0", "H1 H1 H1", "0 H1 H1", names=["jump 1>0"])  # green has two frogs in H1, one before it
    assert walk.legal_names() == ["jump 0>2"]
    walk = pond("1 H0 H0", "H1 H1 H1", "0 H1 H2", names=["jump 1>0"])
    assert walk.legal_names() == ["jump 0>2", "jump 0>H1"]


@clause("HO-10")
def test_two_players_put_all_three_into_the_one_home():
    walk = play(pond("2 H1 H1", "H1 H1 H1"), "jump 2>H1")
    assert walk.position()["winners"] == [RED]


@clause("HO-11")
def test_a_frog_goes_home_and_leaves_again():
    walk = pond("22 H0 H0", "12 H1 H1", names=["jump 22>H0", "jump 12>7", "jump H0>22"])
    assert walk.position()["frogs"][RED] == [22, "H0", "H0"]


@clause("HO-11")
def test_a_frog_is_pushed_home():
    walk = play(pond("17 22 H0", "2 H1 H1"), "jump 17>22", "jump 22>H0")
    assert walk.position()["frogs"][RED] == [22, "H0", "H0"]


@clause("HO-12")
def test_a_jump_whose_chain_has_no_end_is_illegal():
    walk = pond("12 H0 H0", "7 H1 H1", only="7-12 12-13")
    assert jumps(walk) == ["jump 12>13", "jump H0>22"]  # on 7 blue would have no bridge left


@clause("HO-12")
def test_a_pushed_frog_cannot_come_back_over_the_bridge_just_used():
    walk = pond("12 H0 H0", "7 H1 H1", only="7-12 2-7", names=["jump 12>7"])
    assert walk.legal_names() == ["jump 7>2"]


@clause("HO-12")
def test_over_a_homes_bridge_it_can_come_back():
    walk = pond("22 H0 H0", "H1 H1 H1", only="", names=["jump H0>22"])
    assert walk.position()["pushed"] == {"leaf": 22, "owner": RED}
    assert walk.legal_names() == ["jump 22>H0"]


@clause("HO-12")
def test_a_choice_in_mid_chain_is_looked_ahead_too():
    walk = pond("12 H0 H0", "7 8 H1", only="7-12 7-8 6-7", names=["jump 12>7"])
    assert walk.legal_names() == ["jump 7>6"]  # on 8 the next frog would be stuck


@clause("HO-12")
def test_the_leaf_that_the_jumping_frog_leaves_is_empty():
    walk = pond("12 H0 H0", "7 8 13", only="7-12 7-8 8-13 12-13")
    assert jumps(walk) == ["jump 12>7", "jump 12>13", "jump H0>22"]


@clause("HO-12", "HO-10")
def test_only_a_chain_that_comes_back_may_bring_another_frog_before_the_home():
    """Pink has filled its place in H2. Pushed off the leaf before it, it goes round and pushes red, who may enter."""
    frogs = ["1 H0 H0", "H1 H1 H1", "H2 H2 H2", "2 3 H2"]
    ring = "1-2 2-3 2-7 3-8 7-8"
    walk = pond("1 H0 H0", "7 H1 H1", "8 H2 H2", "2 3 H2", only=ring, names=["jump 1>2"])
    assert walk.legal_names() == ["jump 2>3", "jump 2>7"]
    play(walk, "jump 2>3", "jump 3>8", "jump 8>7", "jump 7>2")
    assert walk.position()["pushed"] == {"leaf": 2, "owner": RED}
    assert walk.legal_names() == ["jump 2>H2"]
    assert "jump 1>2" not in pond(*frogs, only="1-2 2-3").legal_names()


# ---- cards -----------------------------------------------------------------------------------------------------------
@clause("HO-13")
def test_a_parachute_crosses_where_no_bridge_is_and_takes_none_away():
    walk = pond("12 H0 H0", "2 H1 H1", without="7-12 12-13", hands=["parachute", ""])
    assert leaps(walk) == ["chute 12>7", "chute 12>13"]
    play(walk, "chute 12>7")
    position = walk.position()
    assert position["frogs"][RED] == [7, "H0", "H0"]
    assert position["bridges"] == position_of("7 H0 H0", "2 H1 H1", without="7-12 12-13")["bridges"]
    assert position["cards"][RED] == []
    assert walk.current_player == BLUE


@clause("HO-13")
def test_a_parachute_starts_and_ends_on_leaves():
    walk = pond("22 H0 H0", "2 H1 H1", only="", hands=["parachute", ""])
    assert leaps(walk) == ["chute 22>17", "chute 22>21", "chute 22>23"]


@clause("HO-13")
def test_a_parachute_pushes_but_the_pushed_frog_has_none():
    walk = pond("12 H0 H0", "7 H1 H1", only="6-7", hands=["parachute", "parachute"], names=["chute 12>7"])
    assert walk.position()["card_used"] is True
    assert walk.position()["action_kind"] == "chute"
    assert walk.legal_names() == ["jump 7>6"]
    stuck = pond("12 H0 H0", "7 H1 H1", only="", hands=["parachute", "parachute"])
    assert "chute 12>7" not in stuck.legal_names()


@clause("HO-13")
def test_whoever_has_used_the_parachute_has_none():
    walk = pond("12 H0 H0", "2 H1 H1", only="", hands=["extra_jump", "parachute"])
    assert leaps(walk) == []


@clause("HO-14")
def test_the_same_frog_jumps_again_and_both_bridges_go():
    walk = pond("12 17 H0", "2 H1 H1", hands=["extra_jump", ""], names=["jump 12>7"])
    assert walk.position()["last_jump"] == 7
    assert walk.legal_names() == ["jump 7>2", "jump 7>6", "jump 7>8", "end"]
    play(walk, "jump 7>8")
    assert walk.position()["frogs"][RED] == [8, 17, "H0"]
    assert walk.position()["cards"] == [[], []]
    assert walk.position()["bridges"] == position_of("8 17 H0", "2 H1 H1", without="7-12 7-8")["bridges"]
    assert walk.current_player == BLUE


@clause("HO-14")
def test_after_a_push_there_is_no_extra_jump():
    walk = pond("12 H0 H0", "7 H1 H1", hands=["extra_jump", ""], names=["jump 12>7", "jump 7>8"])
    assert walk.current_player == BLUE
    walk = pond("12 H0 H0", "7 H1 H1", hands=["extra_jump remove_bridge", ""], names=["jump 12>7", "jump 7>8"])
    assert jumps(walk) == []
    assert walk.position()["last_jump"] is None


@clause("HO-14")
def test_the_second_jump_may_push():
    walk = pond("12 H0 H0", "2 H1 H1", hands=["extra_jump", ""], names=["jump 12>7", "jump 7>2"])
    assert walk.position()["phase"] == "push"
    assert walk.position()["card_used"] is True
    assert walk.position()["cards"] == [[], []]
    assert walk.legal_names() == ["jump 2>1", "jump 2>3", "jump 2>H1"]
    play(walk, "jump 2>3")
    assert walk.current_player == BLUE


@clause("HO-14")
def test_the_second_jump_may_enter_a_home_and_win():
    walk = pond("7 H1 H1", "12 H1 H1", hands=["extra_jump", ""], names=["jump 7>2", "jump 2>H1"])
    assert walk.is_over
    assert walk.position()["winners"] == [RED]
    assert walk.position()["card_used"] is True


@clause("HO-14")
def test_the_second_jump_may_go_back_over_a_homes_bridge():
    walk = pond("H0 H0 H0", "2 H1 H1", hands=["extra_jump", ""], names=["jump H0>22"])
    assert "jump 22>H0" in walk.legal_names()
    play(walk, "jump 22>H0")
    assert walk.position()["frogs"][RED] == ["H0", "H0", "H0"]


@clause("HO-14")
def test_after_a_jump_into_a_home_there_is_no_extra_jump():
    walk = pond("22 H0 H0", "2 H1 H1", hands=["extra_jump", ""], names=["jump 22>H0"])
    assert walk.current_player == BLUE


@clause("HO-14")
def test_after_a_parachute_or_a_bridge_there_is_no_extra_jump():
    walk = pond("12 H0 H0", "2 H1 H1", without="7-12", hands=["extra_jump parachute", ""], names=["chute 12>7"])
    assert walk.current_player == BLUE
    walk = pond("12 H0 H0", "2 H1 H1", without="7-12", hands=["extra_jump", ""], names=["bridge 7-12"])
    assert walk.current_player == BLUE


@clause("HO-15")
def test_a_second_bridge_elsewhere():
    walk = pond("12 H0 H0", "2 H1 H1", without="0-1 1-2", hands=["extra_bridge", ""], names=["bridge 0-1"])
    assert walk.legal_names() == ["bridge 1-2", "end"]
    play(walk, "bridge 1-2")
    assert walk.position()["bridges"] == position_of("12 H0 H0", "2 H1 H1")["bridges"]
    assert walk.position()["cards"] == [[], []]
    assert walk.current_player == BLUE


@clause("HO-15")
def test_after_a_jump_there_is_no_extra_bridge():
    walk = pond("12 H0 H0", "2 H1 H1", without="0-1 1-2", hands=["extra_bridge", ""], names=["jump 12>7"])
    assert walk.current_player == BLUE


@clause("HO-16")
def test_any_bridge_is_removed_after_the_whole_action():
    walk = pond("12 H0 H0", "7 H1 H1", only="7-12 7-8 0-1", hands=["remove_bridge", ""], names=["jump 12>7"])
    assert walk.position()["phase"] == "push"  # not before the chain has ended
    play(walk, "jump 7>8")
    assert walk.legal_names() == ["remove 0-1", "end"]
    play(walk, "remove 0-1")
    assert walk.position()["bridges"] == []
    assert walk.position()["cards"] == [[], []]
    assert walk.current_player == BLUE


@clause("HO-16")
def test_a_bridge_placed_this_turn_can_be_removed():
    walk = pond("12 H0 H0", "2 H1 H1", only="", hands=["remove_bridge", ""], names=["bridge 0-1"])
    assert walk.legal_names() == ["remove 0-1", "end"]


@clause("HO-16")
def test_homes_bridges_cannot_be_removed():
    walk = pond("22 H0 H0", "2 H1 H1", only="", hands=["remove_bridge", ""], names=["jump 22>H0"])
    assert walk.current_player == BLUE  # no other bridge is there: nothing is asked


@clause("HO-16")
def test_after_a_parachute_no_bridge_is_removed():
    walk = pond("12 H0 H0", "2 H1 H1", without="7-12", hands=["parachute remove_bridge", ""], names=["chute 12>7"])
    assert walk.current_player == BLUE


@clause("HO-17")
def test_a_card_alone_is_no_turn():
    walk = pond("12 H0 H0", "2 H1 H1", hands=[ALL, ALL])
    assert all(name.split()[0] in ("jump", "chute", "bridge") for name in walk.legal_names())


@clause("HO-17")
@pytest.mark.parametrize(
    "options", [{"players": 2}, {"players": 3}, {"players": 4}, {"players": 3, "board": "triangle6"}]
)
def test_with_every_bridge_there_some_frog_can_jump(options):
    o = options_of(**options)
    n, leaves = o.players, {"square5": 25, "triangle5": 15, "triangle6": 21}[new_game(**options).position()["board"]]
    crowd = [f"{3 * s} {3 * s + 1} {3 * s + 2}" for s in range(n)]
    walk = pond(*crowd, **{k: v for k, v in options.items() if k != "players"})
    assert jumps(walk)
    corner = [
        " ".join(str(leaves - 1 - p) for p in sorted((3 * s, 3 * s + 1, 3 * s + 2), reverse=True)) for s in range(n)
    ]
    assert jumps(pond(*corner, **{k: v for k, v in options.items() if k != "players"}))


# ---- the end ---------------------------------------------------------------------------------------------------------
@clause("HO-18")
def test_the_third_frog_in_opponents_homes_wins_at_once_before_any_card():
    walk = pond("2 H1 H1", "12 H1 H1", hands=[ALL, ALL], turn=8, names=["jump 2>H1"])
    assert walk.is_over
    assert walk.result() == {"rewards": [1.0, -1.0], "ranks": [1, 2], "scores": [3, 0], "winners": [RED]}
    assert walk.position()["turn"] == 8  # it isn't completed
    assert walk.position()["action_kind"] == "jump"


@clause("HO-18")
def test_a_player_wins_in_anothers_turn():
    walk = pond("17 H0 H0", "22 H0 H0", names=["jump 17>22", "jump 22>H0"])
    assert walk.result()["winners"] == [BLUE]
    assert walk.result()["ranks"] == [2, 1]


@clause("HO-18")
def test_the_others_rank_by_frogs_in_opponents_homes_and_share_ranks():
    walk = pond("0 H1 H2", "1 H0 H1", "2 H0 H2", names=["jump 0>H1"])
    assert walk.result() == {"rewards": [1.0, -0.5, -0.5], "ranks": [1, 2, 2], "scores": [3, 1, 1], "winners": [RED]}
    walk = pond("2 H1 H3", "7 8 9", "0 1 H0", "3 H0 H1", names=["jump 2>H2"])
    assert walk.result()["ranks"] == [1, 4, 3, 2]
    assert walk.result()["scores"] == [3, 0, 1, 2]


@clause("HO-18", "HO-10")
@pytest.mark.parametrize(("last", "home", "winner"), [
    (["H0 H0 H0", "22 H0 H0"], "jump 2>H1", BLUE),  # figure 17
    (["H0 H0 H0", "14 H0 H2", "H2 H2 H2"], "jump 10>H1", BLUE),  # figure 18, but for who has entered which home
    (["H0 H0 H0", "14 H0 H2", "H2 H2 H2", "H3 H3 H3"], "jump 2>H2", BLUE),  # figure 19
])  # fmt: skip
def test_the_patterns_of_a_win(last, home, winner):
    walk = pond(*last, to_play=winner)
    entry = [name for name in jumps(walk) if ">H" in name]
    play(walk, *entry)
    assert walk.result()["winners"] == [winner]


@clause("HO-19")
def test_a_game_is_cut_off_after_max_turns():
    walk = pond("12 H0 H0", "2 H1 H1", hands=["", ""], turn=11, max_turns=12, names=["jump 12>7"])
    assert walk.is_over
    position = walk.position()
    assert position["truncated"] is True
    assert (position["turn"], position["winners"], position["last_jump"]) == (12, [], None)
    assert (position["action_kind"], position["card_used"]) == ("jump", False)
    assert walk.result()["rewards"] == [0.0, 0.0]


@clause("HO-19")
def test_the_default_is_2000_turns():
    assert options_of().max_turns == 2000
    assert GAME.spec(options_of()).has_chance is False


# ---- options ---------------------------------------------------------------------------------------------------------
@clause("HO-20")
@pytest.mark.parametrize(("options", "with_cards", "without"), [
    ({"players": 2}, 245, 124), ({"players": 4}, 249, 128), ({"players": 3}, 187, 96),
    ({"players": 3, "board": "triangle6"}, 277, 141), ({"players": 2, "board": "square3"}, 77, 40),
])  # fmt: skip
def test_without_cards_the_catalogue_has_no_chute_remove_and_end(options, with_cards, without):
    assert GAME.spec(options_of(**options)).num_actions == with_cards
    o = options_of(**options, cards=False)
    names = [GAME.action_name(o, a) for a in range(GAME.spec(o).num_actions)]
    assert len(names) == without
    assert {name.split()[0] for name in names} == {"jump", "bridge"}


@clause("HO-20")
def test_without_cards_nobody_is_asked_for_one():
    walk = new_game(cards=False)
    assert walk.position()["cards"] == [[], []]
    assert walk.position()["options"] == {"cards": False}
    play(walk, "jump H0>22")
    assert walk.current_player == BLUE


@clause("HO-21")
@pytest.mark.parametrize("frogs", [1, 2, 3])
@pytest.mark.parametrize("board", ["square3", "square5"])
def test_fewer_frogs_win_sooner(board, frogs):
    walk = new_game(board=board, frogs=frogs)
    assert walk.position()["frogs"] == [["H0"] * frogs, ["H1"] * frogs]
    leaf = {"square3": 1, "square5": 2}[board]
    walk = pond(" ".join([str(leaf), *["H1"] * (frogs - 1)]), " ".join(["H1"] * frogs), board=board, frogs=frogs)
    play(walk, f"jump {leaf}>H1")
    assert walk.is_over
    assert walk.result()["scores"] == [frogs, 0]


@clause("HO-21")
def test_the_small_square():
    walk = new_game(board="square3")
    assert walk.position()["bridges"] == [
        "0-1", "0-3", "1-2", "1-4", "2-5", "3-4", "3-6", "4-5", "4-7", "5-8", "6-7", "7-8",
    ]  # fmt: skip
    play(walk, "jump H0>7", "end", "jump H0>7")
    assert [seat[0] for seat in walk.position()["frogs"]] == [7, 1]


@clause("HO-21")
@pytest.mark.parametrize("players", [3, 4])
def test_more_than_two_have_three_frogs(players):
    with pytest.raises(OptionError, match="frogs=2"):
        options_of(players=players, frogs=2)


# ---- the situation at the end of the rules page: the rulebook's figures 7 to 12 --------------------------------------
def situation():
    """Red is seat 3 here, blue seat 1 on 13, green seat 2 on 8 with only 8-13 left, pink is on 18."""
    return pond("18 H0 H0", "13 H1 H1", "8 H2 H2", "14 H3 H3", without="3-8 7-8 8-9", to_play=PINK)


@clause("HO-0", "HO-7", "HO-12")
def test_the_situation_of_the_rules_page():
    walk = situation()
    play(walk, "jump H0>22")  # H3 > 14, whose frog must go
    assert walk.position()["pushed"] == {"leaf": 14, "owner": PINK}
    play(walk, "jump 22>17")  # 14 > 13
    assert walk.position()["pushed"] == {"leaf": 13, "owner": BLUE}
    legal = walk.legal_names()
    assert "jump 17>18" not in legal  # 13 > 8: green couldn't leave
    assert "jump 17>22" not in legal  # 13 > 14: that bridge is gone
    assert legal == ["jump 17>12", "jump 17>16"]  # 13 > 12 and 13 > 18
    play(walk, "jump 17>16")
    assert walk.position()["pushed"] == {"leaf": 18, "owner": RED}
    play(walk, "jump 16>21")  # 18 > 19
    assert walk.position()["frogs"] == [[19, "H0", "H0"], [18, "H1", "H1"], [8, "H2", "H2"], [13, 14, "H3"]]


@clause("HO-0")
def test_names_have_an_absolute_form():
    walk = play(situation(), "jump H0>22")
    o, record = walk.options, walk.record
    told = [GAME.describe(o, record, GAME.parse_action(o, name)) for name in ("jump 22>17", "bridge 17-18", "end")]
    assert told == ["jump 14>13", "bridge 8-13", "end"]
