"""Checks by hand that the slow walker of Igel Ärgern reads the rules as the rule page means them."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from tests.oracles import igel_aergern as oracle

RED, BLUE, GREEN = 0, 1, 2


def make_position(
    pieces: dict[str, list[int]], *, players: int = 2, die: int, to_play: int, phase: str = "sidestep", **options: Any
) -> oracle.Position:
    """A position of the race from ``{"track:column": owners from bottom to top}``."""
    rules = oracle.check_options(players, **options)
    stacks: list[list[list[int]]] = [[[] for _ in range(rules.columns)] for _ in rules.all_tracks()]
    for field, owners in pieces.items():
        track, column = (int(number) for number in field.split(":"))
        stacks[track - 1][column] = list(owners)
    position = oracle.Position(
        game=oracle.GAME,
        players=players,
        phase=phase,
        to_play=to_play,
        die=die,
        stacks=stacks,
        turn=30,
        winners=[],
    )
    if oracle.recorded_options(rules):
        position["options"] = oracle.recorded_options(rules)
    return position


def make_placement(stacks: list[list[int]], *, players: int, to_play: int) -> oracle.Position:
    """A placement position from the start stacks of track 1, 2, .. 6."""
    pieces = {f"{track}:0": owners for track, owners in enumerate(stacks, start=1)}
    position = make_position(pieces, players=players, die=0, to_play=to_play, phase="place")
    position["turn"] = 0
    return position


def places(*tracks: int) -> list[str]:
    return [f"place {track}" for track in tracks]


def roll(node: oracle.Node, number: int) -> oracle.Node:
    """The node after this number comes up at a chance point."""
    assert isinstance(node, oracle.Chance)
    assert node.kind == "roll"
    return oracle.outcomes(node)[number - 1][1]


def decision(node: oracle.Node) -> oracle.Position:
    assert isinstance(node, oracle.Position)
    return node


# --- IA-3: the three examples -------------------------------------------------------------------------------------


def test_example_a_six_lowest_stacks_of_which_three_hold_no_red() -> None:
    position = make_placement([[RED], [BLUE], [RED], [BLUE], [RED], [BLUE]], players=2, to_play=RED)
    assert oracle.legal(position) == places(1, 2, 3, 4, 5, 6)


def test_example_b_the_only_lowest_stack_holds_the_movers_colour() -> None:
    red, green, blue = 0, 1, 2
    stacks = [[red, green], [green, red], [blue], [blue, red], [green, blue], [red, green]]
    assert sum(map(len, stacks)) == 11
    position = make_placement(stacks, players=3, to_play=blue)
    assert oracle.legal(position) == places(1, 2, 3, 4, 5, 6)


def test_example_c_only_the_two_lowest_tracks() -> None:
    red, green, blue = 0, 1, 2
    stacks = [[red, green], [green, blue], [blue], [blue, red], [green, blue], [red]]
    assert sum(map(len, stacks)) == 10
    position = make_placement(stacks, players=3, to_play=green)
    assert oracle.legal(position) == places(3, 6)


def test_own_colour_counts_anywhere_in_the_lowest_stack() -> None:
    stacks = [[0, 1], [0, 1], [1, 0], [1, 2, 0], [2, 1, 0], [2, 0, 2]]
    position = make_placement(stacks, players=3, to_play=0)
    assert oracle.legal(position) == places(1, 2, 3, 4, 5, 6)
    position["to_play"] = 2
    assert oracle.legal(position) == places(1, 2, 3)


# --- the four situations of the page ------------------------------------------------------------------------------


def test_situation_1_a_pit_holds_until_nobody_is_behind_it() -> None:
    pieces = {"1:3": [BLUE], "6:2": [RED], "2:7": [RED, BLUE, RED, BLUE], "3:7": [BLUE, RED]}
    # roll 1: the only piece on track 1 is held, so the turn ends after the sidestep phase
    position = make_position(pieces, die=1, to_play=RED)
    assert "side 1.3 down" not in oracle.legal(position)
    node = oracle.play(position, "stay")
    assert isinstance(node, oracle.Chance)
    assert node.before["turn"] == 31
    assert node.before["to_play"] == BLUE

    # blue, too, cannot move its own held piece
    assert not any(name.startswith("side 1.3") for name in oracle.legal(decision(roll(node, 1))))

    # the piece on 6:2 moves to 6:3: level with the pit does not count, so the pit is free
    node = oracle.play(decision(oracle.play(make_position(pieces, die=6, to_play=RED), "stay")), "step 2")
    position = decision(roll(node, 1))
    assert position["stacks"][5][3] == [RED]
    assert [name for name in oracle.legal(position) if "1.3" in name] == ["side 1.3 down"]
    position = decision(oracle.play(position, "stay"))
    assert oracle.legal(position) == ["step 3"]


def test_situation_2_into_the_pit_unless_sidestepped_first() -> None:
    pieces = {"5:1": [RED], "2:7": [RED, BLUE, RED, BLUE], "3:7": [BLUE, RED, BLUE]}
    position = make_position(pieces, die=5, to_play=RED)
    assert oracle.legal(position) == ["side 5.1 up", "side 5.1 down", "stay"]
    forward = decision(oracle.play(position, "stay"))
    assert forward["phase"] == "forward"
    assert oracle.legal(forward) == ["step 1"]
    node = oracle.play(forward, "step 1")
    assert isinstance(node, oracle.Chance)
    assert node.before["stacks"][4][2] == [RED]
    for direction, track in (("up", 4), ("down", 6)):
        node = oracle.play(position, f"side 5.1 {direction}")
        assert isinstance(node, oracle.Chance)  # no forward move: the turn is over
        assert node.before["stacks"][track - 1][1] == [RED]
        assert node.before["stacks"][4] == [[] for _ in range(9)]
        assert node.before["turn"] == 31


def test_situation_3_only_the_top_piece_of_a_stack_moves() -> None:
    pieces = {"2:4": [RED, BLUE], "6:3": [RED, RED, RED], "5:3": [BLUE, BLUE, BLUE]}
    position = make_position(pieces, die=2, to_play=RED)
    assert oracle.legal(position) == ["side 6.3 up", "stay"]
    for mover in (RED, BLUE):
        position["to_play"] = mover
        forward = decision(oracle.play(position, "stay"))
        assert oracle.legal(forward) == ["step 4"]
        node = oracle.play(forward, "step 4")
        assert isinstance(node, oracle.Chance)
        assert node.before["stacks"][1][4:6] == [[RED], [BLUE]]


def test_situation_4_a_player_can_be_made_to_win_by_another() -> None:
    pieces = {"1:8": [RED], "4:8": [BLUE, RED], "3:7": [RED], "5:6": [RED, BLUE], "2:4": [BLUE, BLUE]}
    position = make_position(pieces, die=3, to_play=BLUE)
    forward = decision(oracle.play(position, "stay"))
    assert oracle.legal(forward) == ["step 7"]
    end = decision(oracle.play(forward, "step 7"))
    assert (end["phase"], end["to_play"], end["winners"]) == ("over", None, [RED])
    assert (end["die"], end["turn"]) == (3, 30)
    assert "truncated" not in end
    assert oracle.legal(end) == []
    assert oracle.result(end) == {
        "winners": [RED],
        "ranks": [1, 2],
        "scores": [3, 1],
        "rewards": {"win": [1.0, -1.0], "rank": [1.0, -1.0], "score": [2.0, -2.0]},
    }


# --- options ------------------------------------------------------------------------------------------------------

OPTION_PIECES = {"5:1": [RED], "5:2": [BLUE, RED], "1:1": [BLUE], "2:7": [RED, BLUE, RED, BLUE]}


def test_a_cylinder_joins_the_first_and_the_last_track() -> None:
    pieces = {"1:2": [RED], "6:2": [RED], "2:7": [RED, BLUE, RED, BLUE], "3:7": [BLUE, BLUE]}
    flat = oracle.legal(make_position(pieces, die=1, to_play=RED))
    assert flat == ["side 1.2 down", "side 6.2 up", "stay"]
    position = make_position(pieces, die=1, to_play=RED, cylinder=True)
    assert oracle.legal(position) == ["side 1.2 up", "side 1.2 down", "side 6.2 up", "side 6.2 down", "stay"]
    after = decision(oracle.play(position, "side 6.2 down"))
    assert after["stacks"][0][2] == [RED, RED]


def test_anarchy_lets_the_sidestep_take_any_free_piece() -> None:
    assert "side 1.1 down" not in oracle.legal(make_position(OPTION_PIECES, die=5, to_play=RED))
    assert "side 1.1 down" in oracle.legal(make_position(OPTION_PIECES, die=5, to_play=RED, anarchy=True))


def test_pillars_close_the_pits() -> None:
    pieces = {"5:1": [RED], "4:2": [RED], "2:7": [RED, BLUE, RED, BLUE], "3:7": [BLUE, BLUE]}
    position = make_position(pieces, die=5, to_play=RED, pillars=True)
    assert oracle.legal(position) == ["side 4.2 up", "side 5.1 up", "side 5.1 down", "stay"]
    assert isinstance(oracle.play(position, "stay"), oracle.Chance)


def test_repelling_pits_send_back_to_the_start_of_their_track() -> None:
    pieces = {"5:1": [RED], "4:2": [RED], "5:0": [BLUE], "2:7": [RED, BLUE, RED, BLUE], "3:7": [BLUE]}
    position = make_position(pieces, die=5, to_play=RED, repelling_pits=True)
    after_side = decision(oracle.play(position, "side 4.2 down"))
    assert after_side["stacks"][4][:3] == [[BLUE, RED], [RED], []]
    assert oracle.legal(after_side) == ["step 0", "step 1"]
    node = oracle.play(after_side, "step 1")
    assert isinstance(node, oracle.Chance)
    assert node.before["stacks"][4][:3] == [[BLUE, RED, RED], [], []]


def test_a_repelling_pit_repels_when_nobody_is_behind_it() -> None:
    pieces = {"4:2": [RED], "2:7": [RED, BLUE, RED, BLUE], "3:7": [BLUE, RED, BLUE]}
    position = make_position(pieces, die=5, to_play=RED, repelling_pits=True)
    after_side = decision(oracle.play(position, "side 4.2 down"))
    assert after_side["stacks"][4][0] == [RED]


def test_shallow_pits_hold_only_the_lowest_piece() -> None:
    deep = make_position(OPTION_PIECES, die=5, to_play=RED)
    assert not any(name.startswith("side 5.2") for name in oracle.legal(deep))
    shallow = make_position(OPTION_PIECES, die=5, to_play=RED, shallow_pits=True)
    assert {"side 5.2 up", "side 5.2 down"} <= set(oracle.legal(shallow))
    node = oracle.play(decision(oracle.play(shallow, "stay")), "step 2")
    assert isinstance(node, oracle.Chance)
    second = decision(roll(node, 5))  # blue's last piece in the pit is held now
    assert not any(name.startswith("side 5.2") for name in oracle.legal(second))


def test_doping_removes_the_first_arrival_only() -> None:
    pieces = {"3:7": [RED, RED], "2:7": [RED, BLUE, RED, BLUE], "4:7": [BLUE, BLUE]}
    position = make_position(pieces, die=3, to_play=BLUE, phase="forward", doping=True)
    node = oracle.play(position, "step 7")
    assert isinstance(node, oracle.Chance)
    assert (oracle.goals(node.before), oracle.pieces_on_board(node.before)) == ([0, 0], 7)
    assert node.before["turn"] == 31
    node = oracle.play(decision(oracle.play(decision(roll(node, 3)), "stay")), "step 7")
    assert isinstance(node, oracle.Chance)
    assert (oracle.goals(node.before), oracle.pieces_on_board(node.before)) == ([1, 0], 7)


def test_a_random_setup_is_all_chance() -> None:
    node = oracle.start(2, setup="random")
    for _ in range(8):
        assert isinstance(node, oracle.Chance)
        assert node.kind == "place"
        node = oracle.outcomes(node)[0][1]
    assert isinstance(node, oracle.Chance)
    assert node.kind == "roll"
    position = decision(oracle.outcomes(node)[0][1])
    assert position["options"] == {"setup": "random"}
    assert position["to_play"] == 0


@pytest.mark.parametrize(
    ("named", "players", "options"),
    [
        ("players", 1, {}),
        ("players", 7, {}),
        ("goal_count", 2, {"goal_count": 1}),
        ("goal_count", 2, {"goal_count": 5}),
        ("goal_count", 2, {"goal_count": 3, "pieces": 2}),
        ("pieces", 2, {"pieces": 5}),
        ("tracks", 2, {"tracks": 1}),
        ("columns", 2, {"columns": 10}),
        ("pits", 2, {"columns": 8}),  # track 6's default pit is column 7
        ("pits", 2, {"pits": [3, 6, 4, 5, 2]}),
        ("pits", 2, {"pits": [3, 6, 4, 5, 2, 8]}),
        ("pits", 2, {"pits": [3, 6, 4, 5, 2, 0]}),
        ("cylinder", 2, {"cylinder": True, "tracks": 2}),
        ("cylinder", 2, {"cylinder": 1}),
        ("setup", 2, {"setup": "chance"}),
        ("pillars", 2, {"pillars": True, "pits": [4] * 6}),
        ("repelling_pits", 2, {"repelling_pits": True, "pits": [4] * 6}),
        ("pillars", 2, {"pillars": True, "tracks": 2, "pits": [3, 3]}),
        ("pillars", 2, {"pillars": True, "tracks": 2, "pits": [3, 4]}),  # diagonal neighbours leave no gap
        ("pillars", 2, {"pillars": True, "tracks": 4, "pits": [5, 4, 3, 4]}),
        ("repelling_pits", 2, {"repelling_pits": True, "tracks": 3, "columns": 3, "pits": [1, 1, 1]}),
        ("max_turns", 2, {"max_turns": 0}),
        ("colour", 2, {"colour": "red"}),
    ],
)
def test_impossible_options_are_refused_by_name(named: str, players: int, options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=named):
        oracle.check_options(players, **options)


@pytest.mark.parametrize(
    ("players", "options"),
    [
        (2, {"tracks": 2, "pits": [3, 5], "pillars": True}),  # a gap of one column to change tracks
        (2, {"tracks": 5, "columns": 8}),
        (2, {"pieces": 2}),
        (2, {"goal_count": None, "pits": None}),
        # the wall 2, 3, 4, 4 is closed; on a cylinder tracks 1 and 4 are neighbours, with a gap between 2 and 4
        (2, {"tracks": 4, "pits": [2, 3, 4, 4], "pillars": True, "cylinder": True}),
    ],
)
def test_possible_options_are_accepted(players: int, options: dict[str, Any]) -> None:
    oracle.check_options(players, **options)


def test_the_cylinder_opens_a_wall_that_is_closed_on_the_flat_board() -> None:
    wall: dict[str, Any] = {"tracks": 4, "pits": [2, 3, 4, 4], "pillars": True}
    with pytest.raises(ValueError, match="pillars"):
        oracle.check_options(2, **wall)
    oracle.check_options(2, cylinder=True, **wall)


# --- catalogue, cap, counts ---------------------------------------------------------------------------------------


def test_the_catalogue_has_111_unique_names_in_order() -> None:
    names = oracle.catalogue(4)
    assert len(names) == len(set(names)) == 111
    assert names[:8] == [*places(1, 2, 3, 4, 5, 6), "side 1.0 up", "side 1.0 down"]
    assert names[101:] == ["side 6.7 down", "stay", *(f"step {column}" for column in range(8))]


def test_the_cap_truncates_right_after_its_turn() -> None:
    *_, (end, choice) = oracle.random_game(3, random.Random(5), max_turns=7)
    assert isinstance(end, oracle.Position)
    assert choice is None
    assert (end["phase"], end["to_play"], end["turn"], end["truncated"], end["winners"]) == ("over", None, 7, True, [])
    assert end["die"] in range(1, 7)
    assert oracle.result(end)["rewards"] == {"win": [0.0] * 3, "rank": [0.0] * 3, "score": [0.0] * 3}


@pytest.mark.parametrize("options", [{}, {"anarchy": True, "doping": True}, {"pillars": True, "cylinder": True}])
@pytest.mark.parametrize("players", [2, 4, 6])
def test_random_games_keep_the_order_of_the_catalogue_and_all_pieces(players: int, options: dict[str, Any]) -> None:
    names = oracle.catalogue(players, **options)
    for node, choice in oracle.random_game(players, random.Random(players), **options):
        if isinstance(node, oracle.Position) and choice is not None:
            legal = oracle.legal(node)
            assert legal
            assert [name for name in names if name in legal] == legal
            assert json.loads(json.dumps(node)) == node
            if node["phase"] != "place":
                assert oracle.pieces_on_board(node) >= players * 4 - bool(options.get("doping"))
    assert isinstance(node, oracle.Position)
    assert len(node["winners"]) == 1
    assert max(oracle.goals(node)) == 3


def test_tied_ranks_share_their_rewards() -> None:
    pieces = {"1:8": [0, 0], "2:8": [1, 2], "3:7": [0, 3], "4:7": [0], "5:7": [1, 2, 3, 1, 2, 3, 1, 2, 3]}
    position = make_position(pieces, players=4, die=4, to_play=1, phase="forward")
    result = oracle.result(decision(oracle.play(position, "step 7")))
    assert (result["winners"], result["ranks"], result["scores"]) == ([0], [1, 2, 2, 4], [3, 1, 1, 0])
    assert result["rewards"]["win"] == pytest.approx([1, -1 / 3, -1 / 3, -1 / 3])
    assert result["rewards"]["rank"] == pytest.approx([1, 0, 0, -1])
    assert result["rewards"]["score"] == pytest.approx([3 - 2 / 3, 1 - 4 / 3, 1 - 4 / 3, -5 / 3])


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
        for depth, count in zip(entry["depths"], entry["counts"], strict=True):
            if count <= 400:
                assert oracle.perft_from(position, depth) == count, entry["about"]
