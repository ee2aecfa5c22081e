"""Checks by hand that the slow walker of Hooop! reads the rules as the rule page means them."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from tests.oracles import hooop as oracle

SAMPLE = Path(__file__).resolve().parents[1] / "records" / "hooop-2p.jsonl"
ALL_CARDS = list(oracle.CARDS)
EXTRA_JUMP, PARACHUTE, EXTRA_BRIDGE, REMOVE_BRIDGE = ALL_CARDS
GAMES: list[tuple[int, dict[str, Any]]] = [
    (2, {}),
    (3, {}),
    (4, {}),
    (2, {"cards": False}),
    (3, {"board": "triangle6"}),
    (4, {"cards": False}),
    (2, {"board": "square3"}),
    (2, {"board": "square3", "frogs": 1, "cards": False}),
    (2, {"frogs": 2}),
]


def name_of_game(game: tuple[int, dict[str, Any]]) -> str:
    return "-".join([f"{game[0]}p", *(f"{name}={value}" for name, value in game[1].items())])


def with_verb(position: dict[str, Any], verb: str) -> list[str]:
    return [name for name in oracle.legal(position) if name.split()[0] == verb]


def jumps(position: dict[str, Any], source: int | str | None = None) -> list[str]:
    """The places to which a frog (from ``source``) may jump: the legal jumps without their common beginning."""
    names = with_verb(position, "jump")
    return [name for name in names if source is None or name.startswith(f"jump {source}>")]


def play_all(position: oracle.Position, *names: str) -> oracle.Position:
    for name in names:
        position = oracle.play(position, name)
    return position


def near(board: str, leaf: int) -> list[str]:
    """All pairs of neighbours to which a leaf belongs."""
    return [f"{a}-{b}" for a, b in oracle.EDGES[board] if leaf in (a, b)]


# --- HO-0 to HO-3: boards and views --------------------------------------------------------------------------------

EDGES_OF = {
    "square5": (
        "0-1 0-5 1-2 1-6 2-3 2-7 3-4 3-8 4-9 5-6 5-10 6-7 6-11 7-8 7-12 8-9 8-13 9-14 10-11 10-15 11-12 11-16 12-13 "
        "12-17 13-14 13-18 14-19 15-16 15-20 16-17 16-21 17-18 17-22 18-19 18-23 19-24 20-21 21-22 22-23 23-24"
    ),
    "triangle5": (
        "0-1 0-2 1-2 1-3 1-4 2-4 2-5 3-4 3-6 3-7 4-5 4-7 4-8 5-8 5-9 6-7 6-10 6-11 7-8 7-11 7-12 8-9 8-12 8-13 9-13 "
        "9-14 10-11 11-12 12-13 13-14"
    ),
    "triangle6": (
        "0-1 0-2 1-2 1-3 1-4 2-4 2-5 3-4 3-6 3-7 4-5 4-7 4-8 5-8 5-9 6-7 6-10 6-11 7-8 7-11 7-12 8-9 8-12 8-13 9-13 "
        "9-14 10-11 10-15 10-16 11-12 11-16 11-17 12-13 12-17 12-18 13-14 13-18 13-19 14-19 14-20 15-16 16-17 17-18 "
        "18-19 19-20"
    ),
    "square3": "0-1 0-3 1-2 1-4 2-5 3-4 3-6 4-5 4-7 5-8 6-7 7-8",
}


@pytest.mark.parametrize(("board", "leaves"), [("square5", 25), ("triangle5", 15), ("triangle6", 21), ("square3", 9)])
def test_the_edges_are_those_of_the_board_data_in_its_order(board: str, leaves: int) -> None:
    assert len(oracle.BOARDS[board].leaves()) == leaves
    assert [f"{a}-{b}" for a, b in oracle.EDGES[board]] == EDGES_OF[board].split()


@pytest.mark.parametrize(
    ("players", "board", "home_leaves"),
    [
        (2, "square5", [22, 2]),
        (4, "square5", [22, 10, 2, 14]),
        (3, "triangle5", [10, 0, 14]),
        (3, "triangle6", [15, 0, 20]),
        (2, "square3", [7, 1]),
    ],
)
def test_homes_lie_clockwise_from_the_bottom(players: int, board: str, home_leaves: list[int]) -> None:
    rules = oracle.check_options(players, board=board)
    assert [rules.home_leaf(home) for home in rules.homes()] == home_leaves


SEEN_BY_SEAT_1 = [
    (
        4,
        "square5",
        [20, 15, 10, 5, 0, 21, 16, 11, 6, 1, 22, 17, 12, 7, 2, 23, 18, 13, 8, 3, 24, 19, 14, 9, 4],
    ),
    (2, "square5", [24 - leaf for leaf in range(25)]),
    (2, "square3", [8 - leaf for leaf in range(9)]),
    (3, "triangle5", [10, 11, 6, 12, 7, 3, 13, 8, 4, 1, 14, 9, 5, 2, 0]),
    (3, "triangle6", [15, 16, 10, 17, 11, 6, 18, 12, 7, 3, 19, 13, 8, 4, 1, 20, 14, 9, 5, 2, 0]),
]


@pytest.mark.parametrize(("players", "board", "table"), SEEN_BY_SEAT_1)
def test_seat_1_sees_the_board_as_the_tables_say(players: int, board: str, table: list[int]) -> None:
    rules = oracle.check_options(players, board=board)
    assert [oracle.seen_by(rules, 1, leaf) for leaf in rules.board.leaves()] == table


@pytest.mark.parametrize(("players", "board", "table"), SEEN_BY_SEAT_1)
def test_each_seat_sees_its_own_home_as_h0_and_the_same_bridges(players: int, board: str, table: list[int]) -> None:
    rules = oracle.check_options(players, board=board)
    pairs = {frozenset(edge) for edge in rules.edges}
    for seat in range(players):
        for home in rules.homes():
            seen = oracle.seen_by(rules, seat, home)
            assert seen == f"H{(int(str(home)[1:]) - seat) % players}"
            assert oracle.seen_by(rules, seat, rules.home_leaf(home)) == rules.home_leaf(seen)
        assert {frozenset(oracle.seen_by(rules, seat, leaf) for leaf in edge) for edge in rules.edges} == pairs
        for place in rules.places():
            assert oracle.absolute(rules, seat, oracle.seen_by(rules, seat, place)) == place
        last = oracle.seen_by(rules, 1, oracle.seen_by(rules, players - 1, 0))
        assert last == 0  # once more round, and the board lies as at first
    assert [oracle.seen_by(rules, 0, leaf) for leaf in rules.board.leaves()] == list(rules.board.leaves())


def test_the_start() -> None:
    position = oracle.start(3)
    assert position == {
        "game": "hooop",
        "players": 3,
        "board": "triangle5",
        "phase": "turn",
        "to_play": 0,
        "turn": 0,
        "frogs": [["H0"] * 3, ["H1"] * 3, ["H2"] * 3],
        "bridges": EDGES_OF["triangle5"].split(),
        "cards": [ALL_CARDS] * 3,
        "card_used": False,
        "pushed": None,
        "last_jump": None,
        "action_kind": None,
        "winners": [],
    }
    assert position.max_turns == 2000


# --- options -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("named", "players", "options"),
    [
        ("players", 1, {}),
        ("players", 5, {}),
        ("board", 2, {"board": "triangle5"}),
        ("board", 3, {"board": "square5"}),
        ("board", 3, {"board": "square3"}),
        ("board", 4, {"board": "square3"}),
        ("board", 4, {"board": "triangle6"}),
        ("board", 2, {"board": "square4"}),
        ("cards", 2, {"cards": 0}),
        ("cards", 2, {"cards": "no"}),
        ("frogs", 2, {"frogs": 0}),
        ("frogs", 2, {"frogs": 4}),
        ("frogs", 2, {"frogs": True}),
        ("frogs", 3, {"frogs": 2}),
        ("frogs", 4, {"frogs": 1}),
        ("max_turns", 2, {"max_turns": 0}),
        ("colour", 2, {"colour": "red"}),
    ],
)
def test_impossible_options_are_refused_by_name(named: str, players: int, options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=named):
        oracle.check_options(players, **options)


@pytest.mark.parametrize(
    ("players", "options", "recorded"),
    [
        (2, {"board": None, "cards": None, "frogs": None}, {}),
        (2, {"board": "square5", "cards": True, "frogs": 3}, {}),
        (2, {"board": "square3"}, {}),
        (2, {"board": "square3", "frogs": 1, "cards": False}, {"cards": False, "frogs": 1}),
        (3, {"board": "triangle6", "frogs": 3}, {}),
        (4, {"board": "square5", "cards": False}, {"cards": False}),
    ],
)
def test_options_that_are_not_default_are_recorded(
    players: int, options: dict[str, Any], recorded: dict[str, Any]
) -> None:
    assert oracle.recorded_options(oracle.check_options(players, **options)) == recorded
    position = oracle.start(players, **options)
    assert position.get("options", {}) == recorded
    assert oracle.rules_of(position) == oracle.check_options(players, **options)


@pytest.mark.parametrize(
    ("players", "options", "count"),
    [
        (2, {}, 245),
        (4, {}, 249),
        (3, {}, 187),
        (3, {"board": "triangle6"}, 277),
        (2, {"cards": False}, 124),
        (2, {"board": "square3"}, 77),
        (2, {"board": "square3", "cards": False, "frogs": 1}, 40),
    ],
)
def test_the_catalogue_has_its_names_in_order(players: int, options: dict[str, Any], count: int) -> None:
    names = oracle.catalogue(players, **options)
    assert len(names) == len(set(names)) == count
    assert all(oracle.name_of(oracle.action_called(name)) == name for name in names)
    verbs = [name.split()[0] for name in names]
    wanted = ["jump", "chute", "bridge", "remove", "end"] if options.get("cards", True) else ["jump", "bridge"]
    assert list(dict.fromkeys(verbs)) == wanted
    assert verbs == sorted(verbs, key=wanted.index)


def test_the_names_of_the_catalogue_of_two_players() -> None:
    names = oracle.catalogue(2)
    assert names[:5] == ["jump 0>1", "jump 1>0", "jump 0>5", "jump 5>0", "jump 1>2"]
    assert names[78:86] == [
        *("jump 23>24", "jump 24>23", "jump H0>22", "jump 22>H0", "jump H1>2", "jump 2>H1"),
        *("chute 0>1", "chute 1>0"),
    ]
    assert names[163:166] == ["chute 24>23", "bridge 0-1", "bridge 0-5"]
    assert names[203:206] == ["bridge 23-24", "remove 0-1", "remove 0-5"]
    assert names[243:] == ["remove 23-24", "end"]


# --- the situation of the page, and the rulebook's figures ---------------------------------------------------------


def test_the_situation_of_the_page() -> None:
    position = oracle.situation_of_the_page()
    red = 3
    assert position["frogs"] == [[13, "H0", "H0"], [8, "H1", "H1"], [18, "H2", "H2"], [14, "H3", "H3"]]
    assert "jump H0>22" in oracle.legal(position)
    assert oracle.describe(position, "jump H0>22") == "jump H3>14"

    pushed = oracle.play(position, "jump H0>22")
    assert (pushed["phase"], pushed["to_play"]) == ("push", red)
    assert pushed["pushed"] == {"leaf": 14, "owner": red}
    assert pushed["frogs"][red] == [14, 14, "H3"]
    assert pushed["bridges"] == position["bridges"]  # the home bridge stays, and is none of these
    assert oracle.describe(pushed, "jump 22>17") == "jump 14>13"
    assert "jump 22>17" in oracle.legal(pushed)
    assert "jump 22>H0" in oracle.legal(pushed)  # back over the home bridge

    blue = oracle.play(pushed, "jump 22>17")
    assert blue["pushed"] == {"leaf": 13, "owner": 0}
    assert sorted(set(pushed["bridges"]) - set(blue["bridges"])) == ["13-14"]
    assert {oracle.describe(blue, name) for name in oracle.legal(blue)} == {"jump 13>12", "jump 13>18"}
    assert set(oracle.legal(blue)) == {"jump 17>12", "jump 17>16"}
    assert oracle.describe(blue, "jump 17>18") == "jump 13>8"  # refused: green could not leave
    assert oracle.describe(blue, "jump 17>22") == "jump 13>14"  # refused: that bridge is gone
    for refused in ("jump 17>18", "jump 17>22"):
        with pytest.raises(ValueError, match="not legal"):
            oracle.play(blue, refused)

    pink = oracle.play(blue, "jump 17>16")
    assert pink["pushed"] == {"leaf": 18, "owner": 2}
    assert oracle.describe(pink, "jump 16>21") == "jump 18>19"
    end = oracle.play(pink, "jump 16>21")
    assert end["frogs"] == [[18, "H0", "H0"], [8, "H1", "H1"], [19, "H2", "H2"], [13, 14, "H3"]]
    assert sorted(set(position["bridges"]) - set(end["bridges"])) == ["13-14", "13-18", "18-19"]
    assert (end["phase"], end["to_play"], end["turn"], end["pushed"]) == ("turn", 0, 31, None)


def test_figures_4_to_6_a_jump_needs_a_bridge_and_uses_it_up() -> None:
    position = oracle.set_up(2, [[12], []], without=["12-13"])
    assert jumps(position, 12) == ["jump 12>7", "jump 12>11", "jump 12>17"]
    after = oracle.play(position, "jump 12>11")
    assert after["frogs"][0] == [11, "H0", "H0"]
    assert after["bridges"] == [pair for pair in position["bridges"] if pair != "11-12"]
    with pytest.raises(ValueError, match="not legal"):
        oracle.play(position, "jump 12>13")


def test_figures_7_to_12_a_chain_through_four_colours() -> None:
    """Red's home hangs at the right side, at leaf 14; 13 is left of it, with 8 above, 12 left and 18 below."""
    red, blue, green, pink = 3, 0, 1, 2
    position = oracle.situation_of_the_page()

    def absolute_names(position: oracle.Position) -> set[str]:
        return {oracle.describe(position, name) for name in oracle.legal(position)}

    def jump(position: oracle.Position, name: str) -> oracle.Position:
        (own_name,) = [own for own in oracle.legal(position) if oracle.describe(position, own) == name]
        return oracle.play(position, own_name)

    figure_8 = jump(position, "jump H3>14")
    assert figure_8["frogs"][red].count(14) == 2
    figure_9 = jump(figure_8, "jump 14>13")
    assert (figure_9["pushed"], "13-14" in figure_9["bridges"]) == ({"leaf": 13, "owner": blue}, False)
    assert absolute_names(figure_9) == {"jump 13>12", "jump 13>18"}  # figure 10: up, onto green, is illegal
    figure_11 = jump(figure_9, "jump 13>18")
    assert (figure_11["pushed"], "13-18" in figure_11["bridges"]) == ({"leaf": 18, "owner": pink}, False)
    figure_12 = jump(figure_11, "jump 18>19")
    assert [figure_12["frogs"][seat][0] for seat in (red, blue, green, pink)] == [13, 18, 8, 19]
    assert figure_12["frogs"][red] == [13, 14, "H3"]
    # with one bridge more, green could leave, and up is legal too
    open_end = oracle.set_up(4, [[13], [8], [18], [14]], to_play=red, without=["3-8", "7-8"])
    assert absolute_names(jump(jump(open_end, "jump H3>14"), "jump 14>13")) == {
        *("jump 13>8", "jump 13>12", "jump 13>18"),
    }


def test_figure_17_three_frogs_in_the_one_opponents_home() -> None:
    position = oracle.set_up(2, [["H1", "H1", 2], ["H0", "H0", 22]])
    end = oracle.play(position, "jump 2>H1")
    assert end["frogs"] == [["H1", "H1", "H1"], [22, "H0", "H0"]]
    assert (end["phase"], end["to_play"], end["winners"], end["turn"]) == ("over", None, [0], 30)
    assert oracle.legal(end) == []
    assert oracle.result(end) == {
        "winners": [0],
        "ranks": [1, 2],
        "scores": [3, 2],
        "rewards": {"win": [1.0, -1.0], "rank": [1.0, -1.0], "score": [1.0, -1.0]},
    }


def test_figure_18_two_frogs_in_one_home_and_one_in_the_other() -> None:
    position = oracle.set_up(3, [["H2", "H2", 0], ["H0", 5], [1, 2, 3]])
    end = oracle.play(position, "jump 0>H1")
    assert (end["phase"], end["winners"], end["frogs"][0]) == ("over", [0], ["H1", "H2", "H2"])
    result = oracle.result(end)
    assert (result["ranks"], result["scores"]) == ([1, 2, 3], [3, 1, 0])
    assert result["rewards"]["win"] == pytest.approx([1, -0.5, -0.5])
    assert result["rewards"]["rank"] == pytest.approx([1, 0, -1])
    assert result["rewards"]["score"] == pytest.approx([2.5, -0.5, -2])


def test_figure_19_one_frog_in_each_of_three_homes() -> None:
    position = oracle.set_up(4, [["H1", "H3", 2], ["H0"], ["H3"], []])
    end = oracle.play(position, "jump 2>H2")
    assert (end["phase"], end["winners"], end["frogs"][0]) == ("over", [0], ["H1", "H2", "H3"])
    result = oracle.result(end)
    assert (result["ranks"], result["scores"]) == ([1, 2, 2, 4], [3, 1, 1, 0])
    assert result["rewards"]["win"] == pytest.approx([1, -1 / 3, -1 / 3, -1 / 3])
    assert result["rewards"]["rank"] == pytest.approx([1, 0, 0, -1])


# --- HO-5 to HO-12: jumps and pushes -------------------------------------------------------------------------------


def test_a_turn_is_a_jump_with_an_own_frog_or_a_bridge() -> None:
    position = oracle.set_up(2, [[0], [24, 3]], without=["1-2", "22-23"])
    assert oracle.legal(position) == ["jump 0>1", "jump 0>5", "jump H0>22", "bridge 1-2", "bridge 22-23"]
    after = oracle.play(position, "bridge 22-23")
    assert after["bridges"] == [pair for pair in EDGES_OF["square5"].split() if pair != "1-2"]
    assert (after["to_play"], after["turn"], after["action_kind"]) == (1, 31, None)


def test_from_the_full_start_the_only_action_is_to_leave_home() -> None:
    for players in (2, 3, 4):
        rules = oracle.check_options(players)
        assert oracle.legal(oracle.start(players)) == [f"jump H0>{rules.home_leaf('H0')}"]


def test_home_bridges_stay() -> None:
    position = oracle.set_up(2, [[], []])
    after = oracle.play(position, "jump H0>22")
    assert after["bridges"] == position["bridges"]
    back = play_all(after, "jump H0>22", "jump 22>H0")
    assert back["bridges"] == position["bridges"]
    assert (back["frogs"][0], back["turn"], back["to_play"]) == (["H0"] * 3, 33, 1)


def test_the_mover_chooses_where_an_opponents_frog_goes() -> None:
    position = oracle.set_up(2, [[12], [13]], only=["12-13", "13-18", "8-13", "0-1"])
    push = oracle.play(position, "jump 12>13")
    assert (push["phase"], push["to_play"], push["pushed"]) == ("push", 0, {"leaf": 13, "owner": 1})
    assert push["frogs"] == [[13, "H0", "H0"], [13, "H1", "H1"]]
    assert (push["last_jump"], push["action_kind"], push["card_used"], push["turn"]) == (None, "jump", False, 30)
    assert oracle.legal(push) == ["jump 13>8", "jump 13>18"]
    after = oracle.play(push, "jump 13>8")
    assert after["frogs"] == [[13, "H0", "H0"], [8, "H1", "H1"]]
    assert after["bridges"] == ["0-1", "13-18"]
    assert (after["phase"], after["to_play"], after["pushed"]) == ("turn", 1, None)


def test_a_pushed_frog_cannot_come_straight_back_over_a_leaf_bridge() -> None:
    position = oracle.set_up(2, [[12], [13]], only=["12-13"])
    assert jumps(position) == ["jump H0>22"]
    assert with_verb(oracle.set_up(2, [[12], [13]], only=["12-13", "8-13"]), "jump") == ["jump 12>13", "jump H0>22"]


def test_an_own_frog_is_pushed_too() -> None:
    position = oracle.set_up(2, [[22], []], only=["21-22"])
    push = oracle.play(position, "jump H0>22")
    assert push["pushed"] == {"leaf": 22, "owner": 0}
    assert push["frogs"][0] == [22, 22, "H0"]
    assert oracle.legal(push) == ["jump 22>21", "jump 22>H0"]
    assert oracle.play(push, "jump 22>21")["frogs"][0] == [21, 22, "H0"]
    assert oracle.play(push, "jump 22>H0")["frogs"][0] == [22, "H0", "H0"]  # HO-11, back over a home bridge


def test_a_push_over_the_own_home_leaf_can_bring_an_opponents_frog_in() -> None:
    position = oracle.set_up(2, [[], [22]], only=[])
    push = oracle.play(position, "jump H0>22")
    assert oracle.legal(push) == ["jump 22>H0"]
    after = oracle.play(push, "jump 22>H0")
    assert after["frogs"] == [[22, "H0", "H0"], ["H0", "H1", "H1"]]
    assert oracle.frogs_in_opponents_homes(after) == [0, 1]
    # HO-9: it never leaves again; seat 1 sees H0 as H1
    assert oracle.legal(after) == ["jump H0>22", *with_verb(after, "bridge")]


def test_two_plies_ahead_the_dead_end_shows_at_the_first_jump() -> None:
    # 12 > 13 pushes, the pushed frog could only go to 14, whose frog has no other bridge
    only = ["12-13", "13-14"]
    assert jumps(oracle.set_up(2, [[12], [13, 14]], only=only), 12) == []
    assert jumps(oracle.set_up(2, [[12], [13, 14]], only=[*only, "9-14"]), 12) == ["jump 12>13"]
    assert jumps(oracle.set_up(2, [[12], [13]], only=only), 12) == ["jump 12>13"]


def test_the_leaf_that_the_mover_left_is_empty_for_the_chain() -> None:
    # round the square 11, 12, 17, 16 back to where the mover came from
    position = oracle.set_up(2, [[11], [12, 16, 17]], only=["11-12", "12-17", "16-17", "11-16"])
    push = play_all(position, "jump 11>12", "jump 12>17", "jump 17>16")
    assert oracle.legal(push) == ["jump 16>11"]
    after = oracle.play(push, "jump 16>11")
    assert after["frogs"] == [[12, "H0", "H0"], [11, 16, 17]]
    assert after["bridges"] == []


def test_a_chain_can_push_its_first_frog_again() -> None:
    position = oracle.chain_round_a_square()
    push = play_all(position, "jump 11>12", "jump 12>13", "jump 13>18", "jump 18>17")
    assert oracle.legal(push) == ["jump 17>12"]
    again = oracle.play(push, "jump 17>12")
    assert again["pushed"] == {"leaf": 12, "owner": 0}
    assert again["bridges"] == ["7-12"]
    assert again["frogs"] == [[12, 12, 18], [13, 17, "H1"]]
    assert oracle.legal(again) == ["jump 12>7"]
    assert oracle.play(again, "jump 12>7")["frogs"] == [[7, 12, 18], [13, 17, "H1"]]
    closed = oracle.set_up(2, [[11, 13, 17], [12, 18]], only=["11-12", "12-13", "13-18", "17-18", "12-17"])
    assert jumps(closed, 11) == []  # whichever way round, the frog from 11 would be pushed with no bridge left
    assert jumps(closed, 13) == ["jump 13>12", "jump 13>18"]  # into the leaf that was left


def test_the_owner_tells_which_of_two_frogs_on_a_leaf_goes_on() -> None:
    position = oracle.set_up(
        2, [[12], [12, 13]], only=["7-12"], phase="push", pushed={"leaf": 12, "owner": 1}, action_kind="jump"
    )
    assert oracle.play(position, "jump 12>7")["frogs"] == [[12, "H0", "H0"], [7, 13, "H1"]]
    position["pushed"]["owner"] = 0
    assert oracle.play(position, "jump 12>7")["frogs"] == [[7, "H0", "H0"], [12, 13, "H1"]]


def test_homes_never_push() -> None:
    position = oracle.set_up(2, [[2, "H1"], ["H1", "H1", "H0"]])
    after = oracle.play(position, "jump 2>H1")
    assert (after["phase"], after["pushed"], after["frogs"][0]) == ("turn", None, ["H0", "H1", "H1"])


def test_a_frog_in_an_opponents_home_stays() -> None:
    position = oracle.set_up(4, [["H1", "H2"], [], [], []], without=["0-1"])
    assert oracle.legal(position) == ["jump H0>22", "bridge 0-1"]
    all_gone = oracle.set_up(3, [["H1", "H2", 12], [], []])
    assert jumps(all_gone) == jumps(all_gone, 12)


def test_the_quota_by_jump() -> None:
    assert "jump 2>H2" in oracle.legal(oracle.set_up(4, [[2], ["H2"], [], ["H2"]]))
    assert "jump 2>H2" not in oracle.legal(oracle.set_up(4, [[2, "H2"], [], [], []]))
    assert "jump 0>H1" in oracle.legal(oracle.set_up(3, [[0, "H1"], ["H0"], ["H1"]]))
    assert "jump 0>H1" not in oracle.legal(oracle.set_up(3, [[0, "H1", "H1"], [], []]))
    assert "jump 2>H1" in oracle.legal(oracle.set_up(2, [[2, "H1", "H1"], []]))


def test_the_own_home_has_no_quota() -> None:
    position = oracle.set_up(4, [[22], ["H0"], ["H0"], ["H0"]])
    assert position["frogs"][0].count("H0") == 2
    assert "jump 22>H0" in oracle.legal(position)
    assert oracle.play(position, "jump 22>H0")["frogs"][0] == ["H0"] * 3


def test_the_quota_by_push_is_that_of_the_pushed_colour() -> None:
    # seat 0 pushes seat 3's frog on leaf 2: into H2 or on to leaf 1
    may = oracle.set_up(4, [[7, "H2"], [], [], [2]], only=["2-7", "1-2"])
    assert oracle.legal(oracle.play(may, "jump 7>2")) == ["jump 2>1", "jump 2>H2"]
    may_not = oracle.set_up(4, [[7], [], [], [2, "H2"]], only=["2-7", "1-2"])
    assert oracle.legal(oracle.play(may_not, "jump 7>2")) == ["jump 2>1"]
    # the owner of the home is always let in
    owner = oracle.set_up(4, [[7, "H2"], [], [2], []], only=["2-7"])
    assert oracle.legal(oracle.play(owner, "jump 7>2")) == ["jump 2>H2"]


def test_looking_ahead_knows_the_quota() -> None:
    # the only way on for the pushed frog is a home that takes no more of its colour
    assert jumps(oracle.set_up(4, [[7], [], [], [2]], only=["2-7"]), 7) == ["jump 7>2"]
    assert jumps(oracle.set_up(4, [[7], [], [], [2, "H2"]], only=["2-7"]), 7) == []
    # from the own home: seat 1's frog on 22 has a frog in H0 already, and no bridge
    assert jumps(oracle.set_up(4, [[], [22], [], []], only=[])) == ["jump H0>22"]
    assert jumps(oracle.set_up(4, [[], [22, "H0"], [], []], only=[])) == []


@pytest.mark.parametrize(("board", "leaf"), [("square5", 2), ("square3", 1)])
@pytest.mark.parametrize("frogs", [1, 2, 3])
def test_two_players_quota_and_need_are_all_their_frogs(frogs: int, board: str, leaf: int) -> None:
    for arrived in range(frogs):
        places: list[list[oracle.Place]] = [["H1"] * arrived + [leaf], []]
        after = oracle.play(oracle.set_up(2, places, options={"board": board, "frogs": frogs}), f"jump {leaf}>H1")
        assert after["winners"] == ([0] if arrived == frogs - 1 else [])
        assert oracle.frogs_in_opponents_homes(after) == [arrived + 1, 0]


# --- HO-13: parachute ----------------------------------------------------------------------------------------------


def test_a_parachute_needs_a_gap_and_removes_no_bridge() -> None:
    held = [[PARACHUTE, REMOVE_BRIDGE], []]
    position = oracle.set_up(2, [[12], []], without=["12-13", "7-12"], held=held)
    assert with_verb(position, "chute") == ["chute 12>7", "chute 12>13"]
    after = oracle.play(position, "chute 12>13")
    assert after["frogs"][0] == [13, "H0", "H0"]
    assert after["bridges"] == position["bridges"]
    assert after["cards"] == [[REMOVE_BRIDGE], []]
    # one card a turn: no removal afterwards
    assert (after["phase"], after["to_play"], after["card_used"], after["action_kind"]) == ("turn", 1, False, None)


def test_only_frogs_on_leaves_with_the_card_fly() -> None:
    without = ["12-13", *near("square5", 22)]
    assert with_verb(oracle.set_up(2, [[], [12]], without=without, held=[[PARACHUTE], []]), "chute") == []
    assert with_verb(oracle.set_up(2, [[12], []], without=without, held=[[EXTRA_JUMP], [PARACHUTE]]), "chute") == []
    # not between a home and its leaf, which are always connected
    position = oracle.set_up(2, [[22], []], without=without, held=[[PARACHUTE], []])
    assert with_verb(position, "chute") == ["chute 22>17", "chute 22>21", "chute 22>23"]


def test_a_flight_pushes_and_is_refused_where_the_chain_cannot_end() -> None:
    held = [ALL_CARDS, []]
    only = ["13-14"]
    push = oracle.play(oracle.set_up(2, [[12], [13]], only=only, held=held), "chute 12>13")
    assert (push["phase"], push["pushed"]) == ("push", {"leaf": 13, "owner": 1})
    assert (push["card_used"], push["action_kind"], push["last_jump"]) == (True, "chute", None)
    assert push["cards"][0] == [EXTRA_JUMP, EXTRA_BRIDGE, REMOVE_BRIDGE]  # gone from the moment of use
    assert oracle.legal(push) == ["jump 13>14"]  # a pushed frog has no parachute
    after = oracle.play(push, "jump 13>14")
    assert (after["phase"], after["to_play"], after["card_used"]) == ("turn", 1, False)
    dead_end = oracle.set_up(2, [[12], [13]], only=["0-1"], held=held)
    assert with_verb(dead_end, "chute") == ["chute 12>7", "chute 12>11", "chute 12>17"]


# --- HO-14: extra jump ---------------------------------------------------------------------------------------------


def test_the_same_frog_jumps_again_from_an_empty_leaf() -> None:
    position = oracle.set_up(2, [[12, 3], []], held=[[EXTRA_JUMP], []])
    extra = oracle.play(position, "jump 12>13")
    assert (extra["phase"], extra["to_play"], extra["turn"]) == ("extra", 0, 30)
    assert (extra["last_jump"], extra["action_kind"], extra["card_used"]) == (13, "jump", False)
    assert oracle.legal(extra) == ["jump 13>8", "jump 13>14", "jump 13>18", "end"]
    after = oracle.play(extra, "jump 13>14")
    assert after["frogs"][0] == [3, 14, "H0"]
    assert sorted(set(position["bridges"]) - set(after["bridges"])) == ["12-13", "13-14"]
    assert (after["cards"][0], after["to_play"], after["turn"], after["last_jump"]) == ([], 1, 31, None)
    kept = oracle.play(extra, "end")
    assert (kept["cards"][0], kept["to_play"], kept["turn"]) == ([EXTRA_JUMP], 1, 31)


def test_the_second_jump_may_push_and_then_the_turn_ends() -> None:
    position = oracle.set_up(2, [[12], [14]], held=[[EXTRA_JUMP, REMOVE_BRIDGE], []])
    extra = oracle.play(position, "jump 12>13")
    push = oracle.play(extra, "jump 13>14")
    assert (push["phase"], push["pushed"]) == ("push", {"leaf": 14, "owner": 1})
    assert (push["card_used"], push["action_kind"], push["cards"][0]) == (True, "jump", [REMOVE_BRIDGE])
    assert push["last_jump"] is None
    assert oracle.legal(push) == ["jump 14>9", "jump 14>19"]
    after = oracle.play(push, "jump 14>9")
    assert (after["phase"], after["to_play"], after["turn"]) == ("turn", 1, 31)
    # looking ahead: the frog on 14 can't go on
    blocked = oracle.set_up(2, [[12], [14]], held=[[EXTRA_JUMP], []], without=["9-14", "14-19"])
    assert oracle.legal(oracle.play(blocked, "jump 12>13")) == ["jump 13>8", "jump 13>18", "end"]


def test_looking_ahead_before_the_second_jump() -> None:
    position = oracle.second_jump_with_dead_ends()
    assert [oracle.describe(position, name) for name in oracle.legal(position)] == ["jump 12>11", "jump 12>7", "end"]
    winning = oracle.second_jump_to_win()
    assert "jump 14>H2" in [oracle.describe(winning, name) for name in jumps(winning)]
    (name,) = [name for name in jumps(winning) if oracle.describe(winning, name) == "jump 14>H2"]
    assert oracle.play(winning, name)["winners"] == [1]


def test_after_a_push_there_is_no_second_jump() -> None:
    position = oracle.set_up(2, [[12], [13]], held=[[EXTRA_JUMP], []])
    after = play_all(position, "jump 12>13", "jump 13>14")
    assert (after["phase"], after["to_play"]) == ("turn", 1)
    with_removal = oracle.set_up(2, [[12], [13]], held=[[EXTRA_JUMP, REMOVE_BRIDGE], []])
    extra = play_all(with_removal, "jump 12>13", "jump 13>14")
    assert (extra["phase"], extra["last_jump"]) == ("extra", None)
    assert jumps(extra) == []
    assert len(with_verb(extra, "remove")) == 38


def test_the_second_jump_may_go_back_over_a_home_bridge() -> None:
    position = oracle.set_up(2, [[], []], held=[[EXTRA_JUMP], []])
    extra = oracle.play(position, "jump H0>22")
    assert oracle.legal(extra) == ["jump 22>17", "jump 22>21", "jump 22>23", "jump 22>H0", "end"]
    after = oracle.play(extra, "jump 22>H0")
    assert (after["frogs"][0], after["cards"][0], after["bridges"]) == (["H0"] * 3, [], position["bridges"])


def test_there_is_no_second_jump_from_a_home() -> None:
    for place, name in ((22, "jump 22>H0"), (2, "jump 2>H1")):
        position = oracle.set_up(2, [[place], []], held=[[EXTRA_JUMP], []])
        after = oracle.play(position, name)
        assert (after["phase"], after["to_play"], after["cards"][0]) == ("turn", 1, [EXTRA_JUMP])
        removal = oracle.set_up(2, [[place], []], held=[[EXTRA_JUMP, REMOVE_BRIDGE], []])
        extra = oracle.play(removal, name)
        assert (extra["phase"], extra["last_jump"], jumps(extra)) == ("extra", None, [])


def test_a_second_jump_is_no_reason_to_ask_where_none_is_possible() -> None:
    position = oracle.set_up(2, [[12], [8]], held=[[EXTRA_JUMP], []], only=["12-13", "8-13"])
    after = oracle.play(position, "jump 12>13")  # the frog on 8 could not go on
    assert (after["phase"], after["to_play"], after["cards"][0]) == ("turn", 1, [EXTRA_JUMP])
    with pytest.raises(ValueError, match="phase"):
        oracle.legal({**after, "phase": "extra", "to_play": 0, "last_jump": 13, "action_kind": "jump"})


def test_last_jump_shows_even_without_the_card() -> None:
    position = oracle.set_up(2, [[12], []], held=[[REMOVE_BRIDGE], []])
    extra = oracle.play(position, "jump 12>13")
    assert (extra["phase"], extra["last_jump"], jumps(extra)) == ("extra", 13, [])


def test_the_second_jump_can_win() -> None:
    position = oracle.set_up(2, [[7, "H1", "H1"], []], held=[[EXTRA_JUMP], []])
    extra = oracle.play(position, "jump 7>2")
    assert "jump 2>H1" in oracle.legal(extra)
    end = oracle.play(extra, "jump 2>H1")
    assert (end["phase"], end["winners"], end["turn"]) == ("over", [0], 30)
    assert (end["cards"][0], end["card_used"], end["action_kind"], end["last_jump"]) == ([], True, "jump", None)


# --- HO-15, HO-16: extra bridge and bridge removal -----------------------------------------------------------------


def test_a_second_bridge_elsewhere() -> None:
    position = oracle.set_up(2, [[], []], without=["0-1", "5-6", "7-8"], held=[[EXTRA_BRIDGE, EXTRA_JUMP], []])
    extra = oracle.play(position, "bridge 5-6")
    assert (extra["phase"], extra["action_kind"], extra["last_jump"]) == ("extra", "bridge", None)
    assert oracle.legal(extra) == ["bridge 0-1", "bridge 7-8", "end"]
    after = oracle.play(extra, "bridge 7-8")
    assert after["bridges"] == [pair for pair in EDGES_OF["square5"].split() if pair != "0-1"]
    assert (after["cards"][0], after["to_play"], after["turn"]) == ([EXTRA_JUMP], 1, 31)


def test_without_another_gap_or_after_a_jump_no_second_bridge_is_asked_for() -> None:
    held = [[EXTRA_BRIDGE], []]
    after = oracle.play(oracle.set_up(2, [[], []], without=["5-6"], held=held), "bridge 5-6")
    assert (after["phase"], after["to_play"], after["cards"][0]) == ("turn", 1, [EXTRA_BRIDGE])
    after = oracle.play(oracle.set_up(2, [[], []], without=["5-6"], held=held), "jump H0>22")
    assert (after["phase"], after["to_play"]) == ("turn", 1)


def test_removal_after_a_bridge_also_of_the_one_just_placed() -> None:
    position = oracle.set_up(2, [[], []], only=["0-1"], held=[[REMOVE_BRIDGE], []])
    extra = oracle.play(position, "bridge 5-6")
    assert oracle.legal(extra) == ["remove 0-1", "remove 5-6", "end"]
    after = oracle.play(extra, "remove 5-6")
    assert (after["bridges"], after["cards"][0], after["to_play"]) == (["0-1"], [], 1)


def test_removal_after_a_chain_and_never_without_a_bridge() -> None:
    held = [[REMOVE_BRIDGE], []]
    position = oracle.set_up(2, [[12], [13]], only=["12-13", "13-14", "0-1"], held=held)
    extra = play_all(position, "jump 12>13", "jump 13>14")
    assert oracle.legal(extra) == ["remove 0-1", "end"]
    bare = oracle.set_up(2, [[12], [13]], only=["12-13", "13-14"], held=held)
    after = play_all(bare, "jump 12>13", "jump 13>14")
    assert (after["phase"], after["to_play"], after["bridges"], after["cards"][0]) == ("turn", 1, [], [REMOVE_BRIDGE])


def test_one_card_a_turn_and_no_card_of_somebody_else() -> None:
    position = oracle.set_up(2, [[12], []], without=["0-1", "5-6", "7-8"], held=[ALL_CARDS, []])
    extra = oracle.play(position, "bridge 5-6")
    assert with_verb(extra, "bridge") == ["bridge 0-1", "bridge 7-8"]
    assert len(with_verb(extra, "remove")) == 38
    for name in ("bridge 0-1", "remove 23-24"):
        after = oracle.play(extra, name)
        assert (after["phase"], after["to_play"], len(after["cards"][0])) == ("turn", 1, 3)
    other = oracle.set_up(2, [[12], []], without=["0-1", "5-6"], held=[[], ALL_CARDS])
    after = oracle.play(other, "bridge 5-6")
    assert (after["phase"], after["to_play"]) == ("turn", 1)


def test_a_card_is_gone_for_the_rest_of_the_game() -> None:
    position = oracle.set_up(2, [[], []], without=["0-1", "5-6", "7-8"], held=[[EXTRA_BRIDGE], []])
    after = play_all(position, "bridge 0-1", "bridge 5-6", "jump H0>22", "bridge 7-8")
    assert (after["phase"], after["to_play"], after["cards"]) == ("turn", 1, [[], []])


# --- HO-17: there is always an action ------------------------------------------------------------------------------


def test_a_frog_wedged_in_with_all_bridges_there_can_still_move() -> None:
    position = oracle.set_up(4, [["H1", "H2", 12], [7, 11, 13], [17, 6, 8], [16, 18, 2]])
    assert jumps(position) == [f"jump 12>{leaf}" for leaf in (7, 11, 13, 17)]


def test_without_any_bridge_there_are_gaps() -> None:
    position = oracle.set_up(2, [[12, 3, 4], [5]], only=[])
    assert oracle.legal(position) == [f"bridge {pair}" for pair in EDGES_OF["square5"].split()]


def test_positions_that_cannot_be_are_noticed() -> None:
    stuck = oracle.set_up(2, [[12], [12]], only=[], phase="push", pushed={"leaf": 12, "owner": 1}, action_kind="jump")
    with pytest.raises(ValueError, match="pushed"):
        oracle.legal(stuck)


# --- HO-18, HO-19: the end -----------------------------------------------------------------------------------------


def test_a_win_comes_before_any_card() -> None:
    position = oracle.set_up(2, [[2, "H1", "H1"], []], held=[ALL_CARDS, []])
    end = oracle.play(position, "jump 2>H1")
    assert (end["phase"], end["winners"], end["cards"][0], end["card_used"]) == ("over", [0], ALL_CARDS, False)
    assert (end["action_kind"], end["pushed"], end["last_jump"]) == ("jump", None, None)


def test_a_player_can_be_made_to_win_on_anothers_turn() -> None:
    position = oracle.set_up(2, [[], [22, "H0", "H0"]], only=[], held=[ALL_CARDS, []])
    end = play_all(position, "jump H0>22", "jump 22>H0")
    assert (end["phase"], end["winners"], end["to_play"], end["turn"]) == ("over", [1], None, 30)
    assert (end["action_kind"], end["card_used"], end["pushed"]) == ("jump", False, None)
    assert oracle.result(end)["rewards"]["win"] == [-1.0, 1.0]


def test_looking_ahead_counts_a_chain_that_ends_the_game_as_completed() -> None:
    # the only way on for the pushed frog is to win for its owner
    position = oracle.set_up(2, [[], [22, "H0", "H0"]], only=[])
    assert jumps(position) == ["jump H0>22"]
    third = oracle.set_up(4, [[7], [2, "H0", "H3"], [], []], only=["2-7"])
    assert oracle.legal(oracle.play(third, "jump 7>2")) == ["jump 2>H2"]
    end = play_all(third, "jump 7>2", "jump 2>H2")
    assert end["winners"] == [1]
    assert oracle.result(end)["ranks"] == [2, 1, 2, 2]


def test_a_flight_can_push_a_player_into_its_win() -> None:
    position = oracle.set_up(2, [[17], [22, "H0", "H0"]], only=[], held=[ALL_CARDS, []])
    end = play_all(position, "chute 17>22", "jump 22>H0")
    assert (end["winners"], end["card_used"], end["action_kind"]) == ([1], True, "chute")
    assert end["cards"][0] == [EXTRA_JUMP, EXTRA_BRIDGE, REMOVE_BRIDGE]


def test_two_frogs_in_opponents_homes_and_one_in_the_own_do_not_win() -> None:
    position = oracle.set_up(2, [[22, "H1", "H1"], []])
    after = oracle.play(position, "jump 22>H0")
    assert (after["phase"], after["frogs"][0]) == ("turn", ["H0", "H1", "H1"])
    assert oracle.frogs_in_opponents_homes(after) == [2, 0]


def test_the_cap_truncates_when_its_turn_is_completed() -> None:
    position = oracle.set_up(2, [[12], ["H0"]], held=[[EXTRA_JUMP], []], max_turns=31)
    extra = oracle.play(position, "jump 12>13")
    assert extra["phase"] == "extra"
    end = oracle.play(extra, "end")
    assert (end["phase"], end["to_play"], end["turn"], end["winners"]) == ("over", None, 31, [])
    assert end["truncated"] is True
    assert (end["last_jump"], end["card_used"], end["action_kind"], end["pushed"]) == (None, False, "jump", None)
    result = oracle.result(end)
    assert (result["ranks"], result["scores"], result["winners"]) == ([2, 1], [0, 1], [])
    assert result["rewards"] == {"win": [0.0] * 2, "rank": [0.0] * 2, "score": [0.0] * 2}
    with_card = oracle.play(extra, "jump 13>14")
    assert (with_card["truncated"], with_card["card_used"], with_card["cards"][0]) == (True, True, [])
    assert (with_card["last_jump"], with_card["action_kind"]) == (None, "jump")
    assert oracle.legal(with_card) == []


def test_a_win_with_the_last_turn_before_the_cap_is_a_win() -> None:
    position = oracle.set_up(2, [[2, "H1", "H1"], []], max_turns=31)
    end = oracle.play(position, "jump 2>H1")
    assert (end["winners"], end["turn"], "truncated" in end) == ([0], 30, False)


def test_the_cap_comes_along_through_play_and_can_be_overridden() -> None:
    position = oracle.start(3, max_turns=1)
    assert oracle.play(position, "jump H0>10")["phase"] == "extra"
    assert play_all(position, "jump H0>10", "end")["phase"] == "over"
    assert oracle.play(oracle.play(position, "jump H0>10"), "end", max_turns=5)["phase"] == "turn"


# --- HO-20, HO-21: options -----------------------------------------------------------------------------------------


def test_without_cards_a_turn_has_no_extra() -> None:
    position = oracle.start(4, cards=False)
    assert position["cards"] == [[], [], [], []]
    assert position["options"] == {"cards": False}
    after = oracle.play(position, "jump H0>22")
    assert (after["phase"], after["to_play"], after["turn"]) == ("turn", 1, 1)
    assert not any(name.split()[0] in ("chute", "remove", "end") for name in oracle.catalogue(4, cards=False))


@pytest.mark.parametrize("frogs", [1, 2, 3])
def test_the_small_square(frogs: int) -> None:
    position = oracle.start(2, board="square3", frogs=frogs, cards=False)
    assert position["frogs"] == [["H0"] * frogs, ["H1"] * frogs]
    assert position.get("options") == {"cards": False, **({"frogs": frogs} if frogs != 3 else {})}
    assert oracle.legal(position) == ["jump H0>7"]
    assert jumps(oracle.play(position, "jump H0>7")) == ["jump H0>7"]


def test_seat_1_of_the_small_square_sees_it_turned() -> None:
    position = oracle.set_up(2, [[4], [1]], only=["1-4", "0-1", "3-4"], options={"board": "square3"}, to_play=1)
    assert oracle.legal(position) == [
        *("jump 7>4", "jump 7>8", "jump H0>7", "jump 7>H0"),
        *(f"bridge {pair}" for pair in ("0-1", "0-3", "1-2", "1-4", "2-5", "3-4", "3-6", "5-8", "6-7")),
    ]
    assert oracle.describe(position, "jump 7>H0") == "jump 1>H1"
    assert oracle.describe(position, "bridge 0-1") == "bridge 7-8"


# --- games ---------------------------------------------------------------------------------------------------------


def test_the_sample_record_is_played_line_by_line() -> None:
    header, *events = (json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines())
    assert header["env"] == "hooop-2p-v0"
    position = oracle.start(header["players"], **header["options"])
    assert position == header["position"]
    assert oracle.legal(position) == header["legal"]
    compared = 0
    for event in events[:-1]:
        assert position["to_play"] == event["seat"]
        position = oracle.play(position, event["action"])
        if "position" in event:
            assert position == event["position"]
            compared += 1
        if "legal" in event:
            assert oracle.legal(position) == event["legal"]
    assert compared > 30
    end = oracle.result(position)
    assert events[-1] == {**end, "rewards": end["rewards"]["win"]}


@pytest.mark.parametrize("game", GAMES, ids=name_of_game)
def test_random_games_keep_the_order_of_the_catalogue_and_what_always_holds(game: tuple[int, dict[str, Any]]) -> None:
    players, options = game
    rules = oracle.check_options(players, **options)
    names = oracle.catalogue(players, **options)
    cap = 60
    held = [len(cards) for cards in oracle.start(players, **options)["cards"]]
    phases = set()
    for position, choice in oracle.random_game(players, random.Random(players), max_turns=cap, **options):
        phases.add(position["phase"])
        assert json.loads(json.dumps(position)) == position
        check_what_always_holds(rules, position)
        now_held = [len(cards) for cards in position["cards"]]
        assert all(now <= before for now, before in zip(now_held, held, strict=True))
        held = now_held
        legal = oracle.legal(position)
        assert [name for name in names if name in legal] == legal
        assert bool(legal) == (choice is not None)
        for name in legal:
            described = oracle.describe(position, name)
            assert described in names
            assert position["to_play"] != 0 or described == name
    assert position["phase"] == "over"
    assert position.get("truncated", False) == (position["winners"] == [])
    assert phases >= {"turn", "over"}
    assert ("extra" in phases) == rules.cards


def check_what_always_holds(rules: oracle.Rules, position: dict[str, Any]) -> None:
    every_pair = [f"{a}-{b}" for a, b in rules.edges]
    assert position["bridges"] == [pair for pair in every_pair if pair in position["bridges"]]
    for leaf in rules.board.leaves():
        here = oracle.owners_at(position, leaf)
        on_pushed_leaf = position["phase"] == "push" and position["pushed"]["leaf"] == leaf
        assert len(here) == 2 if on_pushed_leaf else len(here) <= 1
        assert not on_pushed_leaf or position["pushed"]["owner"] in here
    for seat, places in enumerate(position["frogs"]):
        leaves = [place for place in places if isinstance(place, int)]
        homes = [place for place in places if isinstance(place, str)]
        assert places == [*sorted(leaves), *sorted(homes)]
        assert len(places) == rules.frogs
        for home in rules.homes():
            assert home == f"H{seat}" or places.count(home) <= rules.quota
    scores = oracle.frogs_in_opponents_homes(position)
    assert [seat for seat, score in enumerate(scores) if score == rules.frogs] == position["winners"]
    assert (position["pushed"] is not None) == (position["phase"] == "push")
    assert position["last_jump"] is None or position["phase"] == "extra"
    if position["phase"] == "turn":
        assert (position["card_used"], position["action_kind"]) == (False, None)
    if position["phase"] == "extra":
        assert not position["card_used"]
        assert position["action_kind"] in ("jump", "bridge")
    assert (position["to_play"] is None) == (position["phase"] == "over")


@pytest.mark.parametrize("sparse", [False, True], ids=["along a game", "sparse"])
@pytest.mark.parametrize("game", GAMES, ids=name_of_game)
def test_random_positions_are_decisions_of_all_phases(game: tuple[int, dict[str, Any]], sparse: bool) -> None:
    players, options = game
    rules = oracle.check_options(players, **options)
    phases = set()
    refused = 0
    for position in oracle.random_positions(random.Random(7), players, 60, sparse, **options):
        check_what_always_holds(rules, position)
        assert oracle.legal(position)
        phases.add(position["phase"])
        refused += oracle._looking_ahead_matters(position)
    if sparse:
        assert phases >= ({"turn", "push", "extra"} if rules.cards else {"turn", "push"})
        assert refused >= (1 if rules.frogs > 1 else 0)


def test_random_positions_follow_their_seed() -> None:
    first, second = (list(oracle.random_positions(random.Random(3), 3, 12, True)) for _ in range(2))
    assert first == second
    assert len(first) == 12


def test_the_frozen_counts_still_hold_where_they_are_cheap() -> None:
    frozen = json.loads(oracle.COUNTS_FILE.read_text(encoding="utf-8"))
    for entry in frozen["starts"]:
        for depth, count in zip(entry["depths"], entry["counts"], strict=True):
            if count <= 400:
                cap = entry.get("max_turns")
                assert oracle.perft(entry["players"], depth, max_turns=cap, **entry["options"]) == count
    for entry in frozen["positions"]:
        position = oracle.Position(entry["position"])
        position.max_turns = entry.get("max_turns", oracle.DEFAULT_MAX_TURNS)
        assert oracle.perft_from(position, 1) == len(oracle.legal(position)) == entry["counts"][0], entry["about"]
        for depth, count in zip(entry["depths"], entry["counts"], strict=True):
            if count <= 400:
                assert oracle.perft_from(position, depth) == count, entry["about"]
