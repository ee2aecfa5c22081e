"""Checks by hand that the slow walker of Hedgehog Hop's battles reads the rules as the rule page means them."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from tests.oracles import hedgehog_hop_battle as oracle
from tests.oracles.hedgehog_hop_puzzler import CARDS, COLOURS, STYLES, all_of, in_index_order, move_of, whole_deck

SAMPLE = Path(__file__).resolve().parents[1] / "records" / "hedgehog_hop-battle-4p.jsonl"

# Crews that are not In Sync (the hops of the first one touch at a corner only)
DULL = [
    ["green-retro-hop", "red-rave-groove", "blue-spicy-slide", "green-street-hop"],
    ["red-retro-groove", "green-spicy-slide", "red-street-slide", "blue-retro-groove"],
    ["blue-rave-hop", "red-spicy-slide", "green-rave-groove", "blue-street-slide"],
    ["red-rave-hop", "green-street-groove", "blue-retro-groove", "blue-rave-slide"],
    ["blue-street-groove", "red-retro-slide", "green-rave-slide", "red-spicy-groove"],
    ["green-spicy-groove", "blue-retro-slide", "red-street-hop", "green-retro-groove"],
]
LINE = ["green-rave-hop", "red-spicy-hop", "blue-street-hop", "blue-rave-groove"]


def decision(node: oracle.Node) -> oracle.Position:
    assert isinstance(node, oracle.Position)
    return node


def draw(node: oracle.Node, card: str) -> oracle.Node:
    """The node after this card comes up at a chance point."""
    assert isinstance(node, oracle.Chance)
    return next(following for _, drawn, following in oracle.named_outcomes(node) if drawn == card)


def play_all(node: oracle.Node, *names: str) -> oracle.Node:
    for name in names:
        node = oracle.play(decision(node), name)
    return node


def hands_of(players: int, first: str = "", fill: int = 3) -> list[list[str]]:
    """Seat 0 has these cards, the others some that don't matter."""
    return [first.split(), *(["red-retro-hop"] * fill for _ in range(players - 1))]


def crews_after(players: int, mover: int, card: str, line: str, in_sync: set[int]) -> list[list[str]]:
    """Crews of which exactly the named ones are In Sync once the card has been pushed; found by trial."""
    rng = random.Random(players)
    cards = [other for other in whole_deck(players) if other != card]
    while True:
        rng.shuffle(cards)
        crews = [cards[4 * seat : 4 * seat + 4] for seat in range(players)]
        pushed, _ = oracle.push(crews, mover, card, line)
        if {seat for seat in range(players) if oracle.crew_in_sync(pushed[seat])} == in_sync:
            return crews


# --- HH-58: the most pairs -----------------------------------------------------------------------------------------


def group(table: str) -> list[str]:
    """A group of hops: rows green/red/blue, columns styles, copies."""
    return [
        f"{colour}-{style}-hop"
        for colour, counts in zip(COLOURS, table.split("/"), strict=True)
        for style, copies in zip(STYLES, counts, strict=True)
        for _ in range(int(copies))
    ]


@pytest.mark.parametrize(
    ("table", "pairs"),
    [
        ("1000/0000/0000", 0),
        ("1100/0000/0000", 1),
        ("1000/1000/0000", 1),
        ("1000/0100/0000", 0),
        ("2000/0000/0000", 1),
        ("1110/0000/0000", 2),  # three of one colour never touch all at once
        ("1111/0000/0000", 4),
        ("1110/1000/0000", 3),
        ("1111/1111/1111", 17),
        ("1111/1111/1000", 11),
        ("1111/1110/1100", 11),
        ("0000/1100/0112", 6),
        ("2121/0011/0200", 12),
        ("2200/1010/0002", 7),
        ("2200/0021/0020", 9),
        ("2210/2210/0002", 14),
        ("2200/2200/0022", 14),
        ("2100/1200/0021", 8),
        ("1121/2220/0000", 15),
        ("2020/1212/0002", 16),
        ("1220/2101/0122", 20),
        ("2222/0222/1210", 27),
        ("2222/2222/2222", 38),
    ],
)
def test_the_most_pairs_of_a_group(table: str, pairs: int) -> None:
    cards = group(table)
    assert oracle.most_pairs(cards) == pairs
    random.Random(table).shuffle(cards)
    assert oracle.most_pairs(cards) == pairs
    if len(cards) <= 5:
        assert oracle.most_pairs_by_trial(cards) == pairs


def test_small_groups_agree_with_plain_trial() -> None:
    rng = random.Random(1)
    slides = [card for card in whole_deck(4) if move_of(card) == "slide"]
    for size in (1, 2, 3, 4, 4, 5, 5, 5, 5, 6):
        cards = rng.sample(slides, size)
        assert oracle.most_pairs(cards) == oracle.most_pairs_by_trial(cards), cards


def test_the_shapes_that_are_tried() -> None:
    assert [len(oracle.connected_shapes(size)) for size in range(1, 7)] == [1, 1, 2, 5, 12, 35]


def test_parts_without_a_common_pair_add_up() -> None:
    cards = group("2200/1010/0002")
    parts = oracle.linked_parts(cards)
    assert sorted(map(len, parts)) == [2, 6]
    assert sum(oracle.most_pairs(part) for part in parts) == oracle.most_pairs(cards)


def test_a_group_that_is_too_large_to_try_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(oracle, "MOST_SHAPES", 1)
    with pytest.raises(ValueError, match="too large"):
        oracle.most_pairs(group("1220/2101/0122"))


def test_two_finales() -> None:
    five = ["green-retro-hop", "green-rave-hop", "green-spicy-hop", "red-street-hop", "blue-street-hop"]
    others = ["green-rave-groove", "red-rave-groove", "blue-street-slide"]
    assert oracle.final_score([*five, *others]) == 5 + 4
    six = ["green-retro-hop", "green-rave-hop", "green-spicy-hop", "green-street-hop", "red-retro-hop", "blue-rave-hop"]
    others = ["green-rave-slide", "green-spicy-slide", "red-rave-groove"]
    assert oracle.final_score([*six, *others]) == 6 + 7


def test_a_counter_of_pairs_can_be_passed_in() -> None:
    seen = []

    def count(cards: Any) -> int:
        seen.append(list(cards))
        return 10

    cards = ["green-retro-hop", "green-rave-groove", "red-rave-groove"]
    assert oracle.final_score(cards, count) == 2 + 10 + 10  # an empty group is not asked for
    assert seen == [cards[:1], cards[1:]]


# --- HH-40, HH-41: the set-up --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "pile"), [(3, 8), (4, 37), (5, 30), (6, 23)])
def test_the_set_up(players: int, pile: int) -> None:
    node = oracle.start(players)
    rng = random.Random(players)
    dealt: list[str] = []
    for _ in range(7 * players):
        assert isinstance(node, oracle.Chance)
        assert node.kind == "deal"
        bag = node.before["draw"]
        index = rng.randrange(len(bag))
        dealt.append(bag[index])
        node = oracle.outcomes_card_by_card(node)[index]
    hands = [in_index_order(dealt[7 * seat : 7 * seat + 7]) for seat in range(players)]
    for seat in range(players):
        laid: list[str] = []
        for number in range(4):
            position = decision(node)
            assert (position["phase"], position["to_play"]) == ("crew", seat)
            assert position["crews"][seat] == [*laid, *[None] * (4 - number)]
            left = list(hands[seat])
            for card in laid:
                left.remove(card)
            assert position["hands"][seat] == left
            assert oracle.legal(position) == [f"crew {card}" for card in dict.fromkeys(left)]
            laid.append(rng.choice(left))
            node = oracle.play(position, f"crew {laid[-1]}")
    for number in range(7):
        assert isinstance(node, oracle.Chance)
        assert (node.kind, len(node.before["audition"])) == ("line", number)
        node = rng.choice(oracle.outcomes_card_by_card(node))
    position = decision(node)
    assert (len(position["audition"]), len(position["draw"]), position["discard"]) == (7, pile, [])
    assert [len(hand) for hand in position["hands"]] == [3] * players
    assert (position["phase"], position["to_play"]) == ("play" if players == 3 else "plan", 0)
    assert (position["start"], position["round"], position["turn"], position["pending"]) == (0, 0, 0, None)
    assert (position["planned"], position["acted"]) == ([None] * players, [False] * players)
    assert (position["known"], position["last_turn"], position["must_discard"]) == ([[]] * players, False, False)
    assert position.max_turns == 150
    assert "options" not in position
    assert "truncated" not in position


# --- HH-42 to HH-46: pushes and crews ------------------------------------------------------------------------------


def test_a_slide_bumps_round_the_table_to_the_left() -> None:
    # Logan 0, Bob to his left 1, Wendy 2
    logan = ["red-retro-groove", "green-street-slide", "blue-rave-hop", "red-spicy-groove"]
    position = oracle.set_up([logan, DULL[1], DULL[2]], hands=hands_of(3, "green-retro-slide"), round_number=0)
    node = oracle.play(position, "hand green-retro-slide r0")
    assert isinstance(node, oracle.Chance)  # two touching green slides: a card from the draw pile
    assert (node.kind, node.before["pending"], node.before["to_play"]) == ("draw", "end", 0)
    assert node.before["crews"] == [
        ["green-street-slide", "green-retro-slide", "blue-rave-hop", "red-spicy-groove"],
        ["green-spicy-slide", "red-retro-groove", *DULL[1][2:]],
        ["red-spicy-slide", "red-retro-groove", *DULL[2][2:]],
    ]
    assert node.before["hands"][0] == node.before["known"][0] == ["blue-rave-hop"]
    after = decision(draw(node, "red-spicy-hop"))
    assert after["hands"][0] == ["red-spicy-hop", "blue-rave-hop"]
    assert after["known"][0] == ["blue-rave-hop"]  # the drawn card is the owner's secret
    assert (after["phase"], after["to_play"], after["turn"], after["round"]) == ("play", 1, 1, 0)


def test_a_groove_goes_round_to_the_right_as_the_rule_text_says() -> None:
    # Wendy is seat 0 here: to her right sits Bob, seat 2, then Logan, seat 1
    wendy = ["green-retro-hop", "red-rave-groove", "blue-spicy-slide", "red-street-slide"]
    line = ["red-street-groove", *LINE]
    position = oracle.set_up(
        [wendy, DULL[1], DULL[2]], hands=hands_of(3, "red-retro-hop"), audition=line, round_number=0
    )
    asked = decision(oracle.play(position, "audition red-street-groove r0"))
    assert asked["crews"] == [
        ["red-street-groove", "green-retro-hop", *wendy[2:]],
        ["red-spicy-slide", "red-retro-groove", *DULL[1][2:]],
        ["red-rave-groove", "blue-rave-hop", *DULL[2][2:]],
    ]
    # a hot mess; the card came from the audition line, so one is discarded, and the line isn't refilled
    assert (asked["phase"], asked["to_play"], asked["must_discard"]) == ("discard", 0, True)
    assert asked["audition"] == in_index_order(LINE)
    assert oracle.legal(asked) == ["discard red-retro-hop", "discard green-spicy-slide"]
    after = decision(oracle.play(asked, "discard green-spicy-slide"))
    assert (after["discard"], after["hands"][0], after["known"][0]) == (["green-spicy-slide"], ["red-retro-hop"], [])
    assert (after["to_play"], after["must_discard"]) == (1, False)


@pytest.mark.parametrize(("column", "facing"), [(0, 1), (1, 0)])
@pytest.mark.parametrize("k", [1, 2])
def test_a_hop_against_a_neighbour_enters_the_column_that_faces(column: int, facing: int, k: int) -> None:
    position = oracle.set_up(DULL[:3], hands=hands_of(3, "red-spicy-hop"), draw=[])
    after = decision(oracle.play(position, f"hand red-spicy-hop c{column} left{k}"))
    far, near = DULL[0][column], DULL[0][2 + column]
    own, target = after["crews"][0], after["crews"][k]
    assert (own[column], own[2 + column]) == (near, "red-spicy-hop")
    assert (own[1 - column], own[3 - column]) == (DULL[0][1 - column], DULL[0][3 - column])
    assert (target[facing], target[2 + facing]) == (far, DULL[k][facing])
    assert (target[1 - facing], target[3 - facing]) == (DULL[k][1 - facing], DULL[k][3 - facing])
    assert after["hands"][0] == after["known"][0] == [DULL[k][2 + facing]]
    assert after["crews"][3 - k] == DULL[3 - k]  # no other crew is touched


def test_the_right_column_hops_into_the_left_one_of_the_opponent() -> None:
    # Bob 0 hops against Logan 2 (Wendy 1) and has two touching blue hops then
    bob = ["green-retro-groove", "red-rave-groove", "blue-spicy-slide", "blue-street-hop"]
    position = oracle.set_up([bob, DULL[1], DULL[2]], hands=hands_of(3, "blue-retro-hop"))
    node = oracle.play(position, "hand blue-retro-hop c1 left2")
    assert isinstance(node, oracle.Chance)
    assert node.before["crews"][0] == ["green-retro-groove", "blue-street-hop", "blue-spicy-slide", "blue-retro-hop"]
    assert node.before["crews"][2] == ["red-rave-groove", "red-spicy-slide", "blue-rave-hop", "blue-street-slide"]
    assert node.before["hands"][0] == ["green-rave-groove"]


@pytest.mark.parametrize(("players", "targets"), [(3, [1, 2]), (4, [2]), (5, [2, 3]), (6, [3])])
def test_the_targets_of_a_hop(players: int, targets: list[int]) -> None:
    aims = [f"c{column} left{k}" for column in (0, 1) for k in targets]
    if players == 3:
        position = oracle.set_up(DULL[:3], hands=hands_of(3, "red-spicy-hop"))
        assert oracle.legal(position) == [f"hand red-spicy-hop {aim}" for aim in aims]
    else:
        planned = ["red-spicy-hop", *[None] * (players - 1)]
        position = oracle.set_up(DULL[:players], hands=hands_of(players), planned=planned)
        assert oracle.legal(position) == [f"push {aim}" for aim in aims]


@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("line", ["r0", "r1"])
@pytest.mark.parametrize("move", ["slide", "groove"])
def test_every_crew_is_pushed_once_and_no_card_is_lost(players: int, line: str, move: str) -> None:
    card = f"red-spicy-{move}"
    crews, bumped = oracle.push(DULL[:players], 1, card, line)
    row = slice(0, 2) if line == "r0" else slice(2, 4)
    other = slice(2, 4) if line == "r0" else slice(0, 2)
    carried = card
    for k in range(players):
        seat = (1 + k) % players if move == "slide" else (1 - k) % players
        left, right = DULL[seat][row]
        assert crews[seat][row] == ([right, carried] if move == "slide" else [carried, left])
        assert crews[seat][other] == DULL[seat][other]
        carried = left if move == "slide" else right
    assert bumped == carried


@pytest.mark.parametrize(
    ("one", "other", "expected"), [(0, 1, True), (2, 3, True), (0, 2, True), (1, 3, True), (0, 3, False), (1, 2, False)]
)
def test_a_crew_is_in_sync_by_touching_pairs_only(one: int, other: int, expected: bool) -> None:
    crew = ["green-retro-groove", "red-rave-slide", "blue-spicy-slide", "red-street-groove"]
    assert not oracle.crew_in_sync(crew)
    crew[one], crew[other] = "blue-rave-hop", "blue-spicy-hop"
    assert oracle.crew_in_sync(crew) == expected
    crew[other] = "red-spicy-hop"
    assert not oracle.crew_in_sync(crew)


def test_a_check_gives_one_card_at_most() -> None:
    crew = ["green-retro-hop", "red-rave-slide", "blue-street-groove", "green-street-hop"]
    position = oracle.set_up([crew, *DULL[1:3]], hands=hands_of(3, "green-spicy-hop"), round_number=0)
    node = oracle.play(position, "hand green-spicy-hop c1 left1")
    assert isinstance(node, oracle.Chance)  # three green hops in a corner: two pairs
    after = decision(draw(node, "red-rave-hop"))
    assert (after["to_play"], len(after["hands"][0])) == (1, 2)


# --- HH-47 to HH-53: three players ---------------------------------------------------------------------------------


def three(*crews: list[str], hand: str = "red-spicy-hop blue-rave-groove", **more: Any) -> oracle.Position:
    """Seat 0 is to play. Crews that aren't named are dull."""
    more.setdefault("hands", hands_of(3, hand))
    more.setdefault("audition", LINE)
    return oracle.set_up([*crews, *DULL[len(crews) : 3]], **more)


def quiet(position: oracle.Position) -> oracle.Node:
    """Seat 0 plays its groove into row 1, which nothing follows from in these situations."""
    return oracle.play(position, "hand blue-rave-groove r1")


def test_the_start_check_draws_a_secret_card_but_not_in_the_first_round() -> None:
    crews = [DULL[0], ["blue-retro-hop", "blue-spicy-hop", *DULL[1][2:]]]
    node = quiet(three(*crews, round_number=0))
    assert (decision(node)["phase"], decision(node)["to_play"], decision(node)["pending"]) == ("play", 1, None)
    node = quiet(three(*crews, round_number=1))
    assert isinstance(node, oracle.Chance)
    assert (node.kind, node.before["to_play"], node.before["pending"]) == ("draw", 1, "start")
    after = decision(draw(node, "red-rave-hop"))
    assert (after["phase"], after["to_play"], after["pending"]) == ("play", 1, None)
    assert ("red-rave-hop" in after["hands"][1], after["known"][1]) == (True, [])


def test_the_second_round_begins_with_seat_0() -> None:
    hands = [["red-retro-hop"] * 3, ["red-retro-hop"] * 3, ["red-retro-groove"] * 3]
    crews = [["blue-retro-hop", "blue-spicy-hop", *DULL[0][2:]], DULL[1], DULL[2]]
    position = oracle.set_up(crews, hands=hands, audition=LINE, to_play=2, round_number=0)
    assert position["turn"] == 2
    node = oracle.play(position, "hand red-retro-groove r1")
    assert isinstance(node, oracle.Chance)
    assert (node.before["to_play"], node.before["turn"], node.before["round"]) == (0, 3, 1)


def test_cards_come_from_the_hand_the_line_or_the_top_of_the_discard_pile() -> None:
    position = three(
        hand="red-street-slide",
        audition=["red-street-slide"],
        discard=["blue-rave-hop", "red-spicy-slide"],
        round_number=0,
    )
    assert oracle.legal(position) == [
        *("hand red-street-slide r0", "hand red-street-slide r1"),
        *("audition red-street-slide r0", "audition red-street-slide r1"),
        *("pile red-spicy-slide r0", "pile red-spicy-slide r1"),
    ]
    asked = decision(oracle.play(position, "pile red-spicy-slide r0"))
    assert (asked["phase"], asked["discard"], asked["must_discard"]) == ("discard", ["blue-rave-hop"], True)
    after = decision(oracle.play(asked, "discard red-street-slide"))
    assert after["discard"] == ["blue-rave-hop", "red-street-slide"]
    assert not any(name.startswith("pile") for name in oracle.legal(three()))


def test_the_bumped_card_may_be_discarded_at_once() -> None:
    position = three(hand="red-spicy-hop", audition=["red-street-slide", *LINE])
    asked = decision(oracle.play(position, "audition red-street-slide r0"))
    assert asked["hands"][0] == ["red-spicy-hop", "blue-rave-hop"]
    assert decision(oracle.play(asked, "discard blue-rave-hop"))["discard"] == ["blue-rave-hop"]


def test_a_card_due_from_an_empty_pile_must_be_collected_from_the_line() -> None:
    crews = [DULL[0], ["blue-retro-hop", "blue-spicy-hop", *DULL[1][2:]]]
    asked = decision(quiet(three(*crews, draw=[])))
    assert (asked["phase"], asked["to_play"], asked["pending"]) == ("collect", 1, "start")
    assert oracle.legal(asked) == [f"collect {card}" for card in in_index_order(LINE)]  # not optional
    after = decision(oracle.play(asked, "collect blue-street-hop"))
    assert (after["phase"], after["to_play"], after["pending"], after["last_turn"]) == ("play", 1, None, False)
    assert after["known"][1] == ["blue-street-hop"]
    assert after["hands"][1] == ["red-retro-hop"] * 3 + ["blue-street-hop"]


def test_the_end_check_comes_before_the_discard() -> None:
    own = ["green-retro-hop", "green-street-slide", *DULL[0][2:]]
    position = three(own, audition=["green-rave-slide", *LINE], draw=[])
    asked = decision(oracle.play(position, "audition green-rave-slide r0"))
    assert (asked["phase"], asked["pending"], asked["must_discard"]) == ("collect", "end", True)
    asked = decision(oracle.play(asked, "collect blue-street-hop"))
    assert (asked["phase"], asked["pending"], asked["must_discard"]) == ("discard", None, True)
    assert "discard blue-street-hop" in oracle.legal(asked)
    after = decision(oracle.play(asked, "discard blue-street-hop"))
    assert (after["discard"], after["to_play"]) == (["blue-street-hop"], 1)
    assert "blue-street-hop" not in after["known"][0]


def test_with_pile_and_line_empty_a_check_gives_nothing() -> None:
    # the last card of the line is played into a crew that is In Sync afterwards
    own = ["blue-retro-slide", "green-retro-groove", "red-street-groove", "red-rave-hop"]
    position = three(own, audition=["red-spicy-hop"], draw=[])
    asked = decision(oracle.play(position, "audition red-spicy-hop c1 left1"))
    assert oracle.crew_in_sync(asked["crews"][0])
    assert (asked["phase"], asked["pending"], asked["last_turn"]) == ("discard", None, True)


# HH-52: the line becomes empty in three ways.


def test_the_last_card_of_the_line_is_played() -> None:
    position = three(hand="red-spicy-hop", audition=["red-street-slide"])
    asked = decision(oracle.play(position, "audition red-street-slide r0"))
    assert (asked["phase"], asked["last_turn"], asked["audition"]) == ("discard", True, [])
    end = decision(oracle.play(asked, "discard red-spicy-hop"))
    assert (end["phase"], end["to_play"], end["last_turn"]) == ("over", None, True)
    assert (end["turn"], end["round"], end["discard"]) == (4, 1, ["red-spicy-hop"])
    assert "truncated" not in end
    assert oracle.legal(end) == []


def test_the_push_of_the_last_card_has_its_check() -> None:
    own = ["green-retro-hop", "green-street-slide", *DULL[0][2:]]
    position = three(own, audition=["green-rave-slide"], draw=["red-rave-hop"])
    node = oracle.play(position, "audition green-rave-slide r0")
    assert isinstance(node, oracle.Chance)
    asked = decision(draw(node, "red-rave-hop"))
    assert (asked["phase"], asked["last_turn"]) == ("discard", True)
    assert decision(oracle.play(asked, "discard red-rave-hop"))["phase"] == "over"


def test_the_last_card_of_the_line_is_collected_at_the_end_check() -> None:
    own = ["green-retro-hop", "green-street-slide", *DULL[0][2:]]
    position = three(own, hand="green-rave-slide red-spicy-hop", audition=["red-rave-hop"], draw=[])
    asked = decision(oracle.play(position, "hand green-rave-slide r0"))
    assert (asked["phase"], asked["last_turn"]) == ("collect", False)
    end = decision(oracle.play(asked, "collect red-rave-hop"))
    assert (end["phase"], end["last_turn"], end["pending"], end["turn"]) == ("over", True, None, 4)


def test_the_last_card_of_the_line_is_collected_at_the_start_check() -> None:
    crews = [DULL[0], ["blue-retro-hop", "blue-spicy-hop", *DULL[1][2:]]]
    position = three(*crews, audition=["red-rave-hop"], draw=[], discard=["blue-rave-slide"])
    node = play_all(quiet(position), "collect red-rave-hop")
    mover = decision(node)
    assert (mover["phase"], mover["to_play"], mover["last_turn"]) == ("play", 1, True)
    # the whole turn is still played, also with a discard
    asked = decision(oracle.play(mover, "pile blue-rave-slide r1"))
    assert (asked["phase"], asked["must_discard"]) == ("discard", True)
    end = decision(oracle.play(asked, "discard red-rave-hop"))
    assert (end["phase"], end["turn"]) == ("over", 5)


def test_the_cap_truncates_after_its_turn() -> None:
    end = decision(quiet(three(max_turns=4)))
    assert (end["phase"], end["to_play"], end["turn"], end["winners"], end["truncated"]) == ("over", None, 4, [], True)
    assert end["round"] == 1
    result = oracle.result(end)
    assert result["rewards"] == {"win": [0.0] * 3, "rank": [0.0] * 3, "score": [0.0] * 3}
    assert result["winners"] == []
    assert (min(result["ranks"]), min(result["scores"]) > 0) == (1, True)
    node = quiet(three(max_turns=5))
    assert "truncated" not in (node.before if isinstance(node, oracle.Chance) else node)
    assert decision(oracle.play(three(), "hand blue-rave-groove r1", max_turns=1))["truncated"] is True


def test_a_finale_in_the_capped_turn_counts() -> None:
    position = three(hand="red-spicy-hop", audition=["red-street-slide"], max_turns=4)
    end = decision(play_all(position, "audition red-street-slide r0", "discard red-spicy-hop"))
    assert "truncated" not in end
    assert end["phase"] == "over"


# --- HH-54 to HH-57: four to six players ---------------------------------------------------------------------------


def test_plans_are_laid_from_the_starting_player_on_and_hidden() -> None:
    hands = [["green-rave-hop"], ["red-spicy-hop", "red-spicy-hop"], ["blue-street-hop"], ["blue-rave-groove"]]
    known = [[], ["red-spicy-hop"], [], []]
    position = oracle.set_up(DULL[:4], hands=hands, known=known, phase="plan", to_play=1, draw=[])
    assert position["start"] == 1
    assert oracle.legal(position) == ["plan red-spicy-hop"]
    node = oracle.play(position, "plan red-spicy-hop")
    after = decision(node)
    assert (after["planned"], after["to_play"]) == ([None, "red-spicy-hop", None, None], 2)
    assert (after["hands"][1], after["known"][1]) == (["red-spicy-hop"], ["red-spicy-hop"])
    after = decision(play_all(after, "plan blue-street-hop", "plan blue-rave-groove", "plan green-rave-hop"))
    # revealed when its turn comes: one of the known cards is no longer in the hand, counted per card
    assert (after["phase"], after["to_play"], after["hands"][1]) == ("play", 1, ["red-spicy-hop"])
    assert after["planned"] == ["green-rave-hop", "red-spicy-hop", "blue-street-hop", "blue-rave-groove"]
    assert after["known"][1] == []
    assert oracle.legal(after) == ["push c0 left2", "push c1 left2"]


def test_a_planned_card_stays_hidden_in_the_start_check_and_shows_at_the_reveal() -> None:
    crews = [["blue-retro-hop", "blue-spicy-hop", *DULL[0][2:]], *DULL[1:4]]
    known = [["red-spicy-hop"], [], [], []]
    hands = [[], ["red-spicy-hop"], ["blue-street-hop"], ["blue-rave-groove"]]
    planned = [None, "green-spicy-slide", "green-spicy-slide", "green-spicy-slide"]
    position = oracle.set_up(
        crews,
        hands=[["red-spicy-hop"], *hands[1:]],
        known=known,
        planned=planned,
        phase="plan",
        to_play=0,
        round_number=4,
        audition=LINE,
        draw=[],
    )
    asked = decision(oracle.play(position, "plan red-spicy-hop"))
    assert (asked["phase"], asked["pending"], asked["to_play"]) == ("collect", "start", 0)
    assert asked["known"][0] == ["red-spicy-hop"]
    assert oracle.public_view(asked, 1)["planned"] == ["green-spicy-slide", "hidden", "hidden", "hidden"]
    assert oracle.public_view(asked, 0)["planned"] == ["red-spicy-hop", "hidden", "hidden", "hidden"]
    after = decision(oracle.play(asked, "collect green-rave-hop"))
    assert (after["phase"], after["known"][0], after["planned"][0]) == ("play", ["green-rave-hop"], "red-spicy-hop")
    assert oracle.public_view(after, 1)["planned"] == ["green-spicy-slide", "hidden", "hidden", "red-spicy-hop"]


def test_a_groove_goes_round_four_players_and_the_line_is_refilled() -> None:
    # Bob 0; to his right Logan 3, then 2, and Andrew 1
    bob = ["green-retro-hop", "red-rave-slide", "red-spicy-groove", "green-street-hop"]
    position = oracle.set_up(
        [bob, DULL[1], DULL[2], DULL[3]],
        hands=hands_of(4),
        planned=["blue-spicy-groove", "red-retro-slide", "red-retro-slide", "red-retro-slide"],
        audition=LINE,
        draw=["blue-spicy-hop"] * 2 + ["red-rave-groove"] * 2,
        round_number=0,
    )
    asked = decision(oracle.play(position, "push r1"))
    assert [crew[2:] for crew in asked["crews"]] == [
        ["blue-spicy-groove", "red-spicy-groove"],
        ["blue-street-slide", "red-street-slide"],
        ["blue-rave-slide", "green-rave-groove"],
        ["green-street-hop", "blue-retro-groove"],
    ]
    assert asked["hands"][0] == ["blue-retro-groove"]
    # two touching spicy grooves: a card of the line, and then the line is refilled
    assert (asked["phase"], asked["pending"], asked["to_play"], asked["acted"]) == ("collect", "end", 0, [False] * 4)
    assert asked["planned"][0] is None
    node = oracle.play(asked, "collect red-spicy-hop")
    for left in (4, 3, 2, 1):
        assert isinstance(node, oracle.Chance)
        assert (node.kind, len(node.before["draw"]), node.before["acted"]) == ("line", left, [False] * 4)
        node = oracle.outcomes_card_by_card(node)[0]
    after = decision(node)
    assert (len(after["audition"]), after["draw"]) == (7, [])
    assert (after["phase"], after["to_play"], after["acted"]) == ("play", 1, [True, False, False, False])
    assert (after["turn"], after["known"][0]) == (1, ["red-spicy-hop", "blue-retro-groove"])


def round_about_to_end(*in_sync: int, players: int = 4, round_number: int = 1, **more: Any) -> oracle.Position:
    """The last seat of a round is about to push a groove into row 1; then these crews will be In Sync."""
    mover = (round_number - 1) % players
    planned = ["red-spicy-groove" if seat == mover else None for seat in range(players)]
    more.setdefault("audition", LINE)
    more.setdefault("draw", [])
    return oracle.set_up(
        crews_after(players, mover, "red-spicy-groove", "r1", set(in_sync)),
        hands=hands_of(players, "red-retro-hop"),
        planned=planned,
        to_play=mover,
        acted=[seat for seat in range(players) if seat != mover],
        round_number=round_number,
        **more,
    )


def test_the_end_of_a_round_draws_from_the_pile_in_turn_order() -> None:
    line = [*LINE, "red-retro-slide", "red-retro-slide", "blue-street-groove"]
    # start 1: the turn order is 1, 2, 3, 0
    position = round_about_to_end(2, 3, audition=line, draw=["red-rave-slide", "green-retro-slide"])
    node = oracle.play(position, "push r1")
    assert isinstance(node, oracle.Chance)
    assert (node.kind, node.before["pending"], node.before["to_play"]) == ("draw", "round", 2)
    assert (node.before["acted"], node.before["turn"], node.before["round"]) == ([True] * 4, 8, 1)
    node = draw(node, "green-retro-slide")
    assert isinstance(node, oracle.Chance)
    assert node.before["to_play"] == 3
    after = decision(draw(node, "red-rave-slide"))
    assert (after["hands"][2][-1], after["hands"][3][-1]) == ("green-retro-slide", "red-rave-slide")
    assert after["known"][2] == after["known"][3] == []
    assert (after["phase"], after["start"], after["to_play"], after["round"]) == ("plan", 2, 2, 2)
    assert (after["acted"], after["pending"], after["turn"]) == ([False] * 4, None, 8)


def test_the_end_of_a_round_takes_from_the_line_when_the_pile_is_empty() -> None:
    asked = decision(oracle.play(round_about_to_end(1, 3), "push r1"))
    assert (asked["phase"], asked["pending"], asked["to_play"], asked["acted"]) == ("collect", "round", 1, [True] * 4)
    asked = decision(oracle.play(asked, "collect blue-rave-groove"))
    assert (asked["phase"], asked["pending"], asked["to_play"]) == ("collect", "round", 3)
    assert (asked["known"][1], len(asked["audition"])) == (["blue-rave-groove"], 3)
    after = decision(oracle.play(asked, "collect green-rave-hop"))
    assert (after["phase"], after["to_play"], after["round"], len(after["audition"])) == ("plan", 2, 2, 2)


def test_the_end_of_a_round_gives_what_there_is() -> None:
    # the last card of the pile, then one of the line
    line = [*LINE, "red-retro-slide", "red-retro-slide", "blue-street-groove"]
    node = oracle.play(round_about_to_end(1, 2, audition=line, draw=["red-rave-slide"]), "push r1")
    asked = decision(draw(node, "red-rave-slide"))
    assert (asked["phase"], asked["pending"], asked["to_play"]) == ("collect", "round", 2)
    # one card in the line for two players
    asked = decision(oracle.play(round_about_to_end(1, 3, audition=LINE[:1]), "push r1"))
    after = decision(oracle.play(asked, f"collect {LINE[0]}"))
    assert (after["phase"], after["audition"], after["last_turn"]) == ("plan", [], False)
    # nothing at all
    after = decision(oracle.play(round_about_to_end(1, 3, audition=[]), "push r1"))
    assert (after["phase"], after["round"]) == ("plan", 2)


def test_an_empty_line_gives_nothing_at_the_checks_of_a_turn() -> None:
    crews = crews_after(4, 0, "blue-rave-groove", "r1", {0, 1})
    planned = ["blue-rave-groove", *["red-retro-slide"] * 3]
    position = oracle.set_up(crews, hands=hands_of(4), planned=planned, round_number=4, draw=[])
    after = decision(oracle.play(position, "push r1"))
    assert (after["phase"], after["to_play"], after["pending"], after["turn"]) == ("play", 1, None, 17)


@pytest.mark.parametrize(("players", "rounds"), [(4, 8), (5, 5), (6, 6)])
def test_the_game_ends_after_its_rounds(players: int, rounds: int) -> None:
    position = round_about_to_end(players=players, round_number=rounds - 1)
    assert position["start"] == (rounds - 1) % players
    end = decision(oracle.play(position, "push r1"))
    assert (end["phase"], end["to_play"], end["pending"]) == ("over", None, None)
    assert (end["round"], end["start"], end["turn"]) == (rounds, rounds % players, rounds * players)
    assert (end["acted"], end["planned"]) == ([False] * players, [None] * players)
    before = decision(oracle.play(round_about_to_end(players=players, round_number=rounds - 2), "push r1"))
    assert (before["phase"], before["round"]) == ("plan", rounds - 1)


def test_the_last_round_has_its_check_too() -> None:
    position = round_about_to_end(1, round_number=7)
    asked = decision(oracle.play(position, "push r1"))
    assert (asked["phase"], asked["pending"], asked["round"]) == ("collect", "round", 7)
    assert decision(oracle.play(asked, "collect green-rave-hop"))["phase"] == "over"


# --- HH-59: who wins -----------------------------------------------------------------------------------------------


def finale(hands: list[list[str]], crew: list[str] | None = None) -> oracle.Position:
    """A finished game for three in which all have the same crew."""
    crew = crew or DULL[0]
    position = oracle.set_up([crew] * 3, hands=hands, phase="over", round_number=5)
    return oracle._finale(position)


APART = ["green-retro-hop", "red-rave-groove", "blue-spicy-slide", "red-street-slide"]


@pytest.mark.parametrize(
    ("hands", "scores", "ranks", "winners"),
    [
        (["red-spicy-hop"] * 3, [4, 4, 4], [1, 1, 1], []),
        (["blue-rave-hop blue-street-hop", "red-spicy-hop", "blue-rave-hop blue-street-hop"], [7, 4, 7], [1, 3, 1], []),
        (["red-spicy-hop", "blue-rave-hop blue-street-hop", "red-spicy-hop"], [4, 7, 4], [2, 1, 2], [1]),
    ],
)
def test_draws_have_no_winner(hands: list[str], scores: list[int], ranks: list[int], winners: list[int]) -> None:
    # the crew has two green hops, so 2 + 1; a hop that fits nothing makes it 3 + 1, two that go on 4 + 3
    end = finale([hand.split() for hand in hands])
    result = oracle.result(end)
    assert (result["scores"], result["ranks"], result["winners"]) == (scores, ranks, winners)
    assert end["winners"] == winners
    share = [1.0 if winners == [seat] else -0.5 for seat in range(3)]
    assert result["rewards"]["win"] == (share if winners else [0.0] * 3)
    assert sum(result["rewards"]["rank"]) == sum(result["rewards"]["score"]) == 0


def test_ties_are_broken_by_cards_then_one_colour_then_one_style() -> None:
    # crew APART: 2 slides (no pair), so every hand below leaves the score at 2 + 0
    def outcome(*hands: str) -> dict[str, Any]:
        return oracle.result(finale([hand.split() for hand in hands], APART))

    plain = outcome("", "", "")
    assert (plain["scores"], plain["winners"]) == ([2, 2, 2], [])
    # more cards
    result = outcome("", "blue-street-hop", "")
    assert (result["scores"], result["winners"], result["ranks"]) == ([2, 2, 2], [1], [2, 1, 2])
    # as many cards, more of one colour: the crew has two red ones
    result = outcome("blue-street-hop", "green-street-groove", "red-spicy-hop")
    assert (result["scores"], result["winners"]) == ([2, 2, 2], [2])
    # .. more of one style: one of each in the crew
    result = outcome("blue-street-hop green-spicy-groove", "blue-street-hop green-street-groove", "")
    assert (result["scores"], result["winners"], result["ranks"]) == ([2, 2, 2], [1], [2, 1, 3])
    # .. all alike: a draw, though the third is behind
    result = outcome("blue-street-hop", "green-spicy-groove", "")
    assert (result["scores"], result["winners"], result["ranks"]) == ([2, 2, 2], [], [1, 1, 3])
    assert result["rewards"]["win"] == [0.0, 0.0, 0.0]
    assert result["rewards"]["rank"] == [0.5, 0.5, -1.0]
    assert result["rewards"]["score"] == [0.0, 0.0, 0.0]


# --- options and catalogue -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("named", "players", "options"),
    [
        ("players", 2, {}),
        ("players", 7, {}),
        ("max_turns", 3, {"max_turns": 0}),
        ("max_turns", 3, {"max_turns": True}),
        ("max_turns", 4, {"max_turns": 150}),
        ("family", 3, {"family": "puzzler"}),
        ("promo", 3, {"promo": "unicorn"}),
        ("push", 3, {"push": "rigid"}),
    ],
)
def test_impossible_options_are_refused_by_name(named: str, players: int, options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=named):
        oracle.check_options(players, **options)


def test_options_are_recorded_in_the_header_only() -> None:
    rules = oracle.check_options(3, max_turns=20, family=None)
    assert oracle.recorded_options(rules) == {}
    assert oracle.header_options(rules, 20) == {"family": "battle", "max_turns": 20}
    assert oracle.header_options(rules, 150) == oracle.header_options(rules) == {"family": "battle"}
    oracle.check_options(5, max_turns=None, family="battle")
    node = oracle.start(3, max_turns=20)
    assert isinstance(node, oracle.Chance)
    assert node.before.max_turns == 20


@pytest.mark.parametrize(("players", "count"), [(3, 396), (4, 112), (5, 114), (6, 112)])
def test_the_catalogue(players: int, count: int) -> None:
    names = oracle.catalogue(players)
    assert len(names) == len(set(names)) == count
    assert names[:36] == [f"crew {card}" for card in CARDS]
    if players == 3:
        assert names[36:42] == [
            *("hand green-retro-hop c0 left1", "hand green-retro-hop c0 left2", "hand green-retro-hop c1 left1"),
            *("hand green-retro-hop c1 left2", "hand green-rave-hop c0 left1", "hand green-rave-hop c0 left2"),
        ]
        assert names[36 + 48 : 36 + 50] == ["hand green-retro-groove r0", "hand green-retro-groove r1"]
        sources = [names[36 + 96 * k].split()[0] for k in range(4)]
        assert sources == ["hand", "audition", "pile", "collect"]
        assert names[-36:] == [f"discard {card}" for card in CARDS]
    else:
        assert names[36:72] == [f"plan {card}" for card in CARDS]
        assert names[-36:] == [f"collect {card}" for card in CARDS]
        aims = {4: ["left2"], 5: ["left2", "left3"], 6: ["left3"]}[players]
        hops = [f"push c{column} {aim}" for column in (0, 1) for aim in aims]
        assert names[72:-36] == ["push r0", "push r1", *hops]


# --- what a seat knows ---------------------------------------------------------------------------------------------


def test_crews_in_the_making_are_hidden_from_the_others() -> None:
    crews: list[list[str | None]] = [list(DULL[0]), ["red-retro-groove", "green-spicy-slide", None, None], [None] * 4]
    position = oracle.set_up(crews, hands=hands_of(3), phase="crew", to_play=1, round_number=0)
    assert oracle.public_view(position, 2)["crews"] == [[None] * 4, ["hidden"] * 4, ["hidden", "hidden", None, None]]
    assert oracle.public_view(position, 1)["crews"] == [crews[1], [None] * 4, ["hidden"] * 4]
    position["phase"] = "play"
    assert oracle.public_view(position, 1)["crews"] == [crews[1], crews[2], crews[0]]


def test_a_view_shows_the_known_cards_of_the_opponents_and_counts() -> None:
    hands = [["green-rave-hop", "red-spicy-hop"], ["blue-street-hop"], ["blue-rave-groove"], ["green-spicy-hop"]]
    known = [["red-spicy-hop"], [], ["blue-rave-groove"], []]
    position = oracle.set_up(
        DULL[:4], hands=hands, known=known, phase="plan", to_play=3, audition=LINE, draw=["blue-spicy-hop"], starter=3
    )
    view = oracle.public_view(position, 1)
    assert (view["hand"], view["hand_counts"]) == (["blue-street-hop"], [1, 1, 1, 2])
    assert view["known"] == [["blue-rave-groove"], [], ["red-spicy-hop"]]
    assert (view["to_play"], view["start"], view["draw_count"]) == (2, 2, 1)
    assert not any(card in json.dumps(view) for card in ("blue-spicy-hop", "green-spicy-hop"))
    # what can't be told apart: who has the unknown cards
    other = oracle._copy(position)
    other["hands"][0] = ["red-spicy-hop", "blue-spicy-hop"]
    other["draw"] = ["green-rave-hop"]
    assert oracle.public_view(other, 1) == view
    other["known"][0] = []
    assert oracle.public_view(other, 1) != view


# --- games ---------------------------------------------------------------------------------------------------------


def test_the_sample_record_is_played_line_by_line() -> None:
    header, *events = (json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines())
    assert header["env"] == "hedgehog_hop-battle-4p-v0"
    node = oracle.start(header["players"], **header["options"])
    assert oracle.header_options(oracle.check_options(header["players"], **header["options"])) == header["options"]
    compared = 0
    for event in events[:-1]:
        if isinstance(node, oracle.Chance):
            pile = node.before["draw"]
            assert len(pile) == event["of"]
            node = oracle._happened(node, pile[event["chance"]])
        else:
            assert node["to_play"] == event["seat"]
            node = oracle.play(node, event["action"])
        if "position" in event:
            assert node == event["position"]
            compared += 1
        if "legal" in event:
            assert oracle.legal(decision(node)) == event["legal"]
    assert compared == 108
    end = oracle.result(decision(node))
    assert events[-1] == {**end, "rewards": end["rewards"]["win"]}


def check_what_always_holds(position: oracle.Position) -> None:
    rules = oracle.rules_of(position)
    players = rules.players
    cards = all_of(position["crews"]) + all_of(position["hands"]) + position["planned"]
    cards += position["audition"] + position["draw"] + position["discard"]
    assert in_index_order([card for card in cards if card]) == whole_deck(players)
    for held in (*position["hands"], *position["known"], position["draw"], position["audition"]):
        assert held == in_index_order(held)
    for seat in range(players):
        own = list(position["hands"][seat])
        if position["planned"][seat] and not (position["phase"] == "play" and seat == position["to_play"]):
            own.append(position["planned"][seat])
        for card in position["known"][seat]:
            own.remove(card)
    assert (position["pending"] is not None) == (position["phase"] == "collect")
    assert len(position["audition"]) <= 7
    if position["phase"] == "crew":
        assert position["audition"] == position["discard"] == []
        return
    assert None not in all_of(position["crews"])
    if players == 3:
        assert position["round"] == position["turn"] // 3
        assert position["last_turn"] == (position["audition"] == [])
        assert (position["start"], position["acted"], position["planned"]) == (0, [False] * 3, [None] * 3)
        assert position["phase"] == "over" or position["to_play"] == position["turn"] % 3
        assert position["must_discard"] == (position["phase"] == "discard") or position["pending"] == "end"
    else:
        assert position["turn"] == position["round"] * players + sum(position["acted"])
        assert position["start"] == position["round"] % players
        assert position["discard"] == []
        assert position["must_discard"] is position["last_turn"] is False
        if position["phase"] in ("play", "plan"):
            assert not position["acted"][position["to_play"]]
        missing = 7 - len(position["audition"])
        assert missing == 0 or position["draw"] == [] or (missing == 1 and position["phase"] in ("play", "collect"))


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_random_games_keep_the_order_of_the_catalogue_and_what_always_holds(players: int) -> None:
    names = oracle.catalogue(players)
    rng = random.Random(players)
    phases = set()
    for node, choice in oracle.random_game(players, rng, most_pairs=oracle._no_pairs):
        if isinstance(node, oracle.Chance):
            continue
        phases.add(node["phase"])
        assert json.loads(json.dumps(node)) == node
        check_what_always_holds(node)
        legal = oracle.legal(node)
        assert bool(legal) == (choice is not None)
        assert [name for name in names if name in legal] == legal
        for seat in range(players if choice is not None else 0):
            other = oracle.reshuffled(node, seat, rng)
            check_what_always_holds(other)
            assert oracle.public_view(other, seat) == oracle.public_view(node, seat)
            if seat == node["to_play"]:
                assert oracle.legal(other) == legal
    assert phases >= {"crew", "play", "over"} | ({"discard"} if players == 3 else {"plan", "collect"})
    if players > 3:
        assert node["turn"] == players * {4: 8, 5: 5, 6: 6}[players]  # type: ignore[index]


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_random_positions_fit_and_can_be_played_on(players: int) -> None:
    rng = random.Random(7)
    phases, pending = set(), set()
    for position in oracle.random_positions(players, rng, 60):
        check_what_always_holds(position)
        phases.add(position["phase"])
        pending.add(position["pending"])
        position.most_pairs = oracle._no_pairs
        node: oracle.Node = position
        for _ in range(6):
            if isinstance(node, oracle.Chance):
                node = rng.choice(oracle.outcomes_card_by_card(node))
            elif node["phase"] != "over":
                node = oracle.play(node, rng.choice(oracle.legal(node)))
            if isinstance(node, oracle.Position):
                check_what_always_holds(node)
    assert phases == ({"play", "collect", "discard"} if players == 3 else {"plan", "play", "collect"})
    assert pending == {None, "start", "end"} | ({"round"} if players > 3 else set())
    first, second = (list(oracle.random_positions(players, random.Random(3), 6)) for _ in range(2))
    assert first == second


def test_the_frozen_counts_still_hold_where_they_are_cheap() -> None:
    frozen = json.loads(oracle.COUNTS_FILE.read_text(encoding="utf-8"))
    for entry in frozen["starts"]:
        for depth, count in zip(entry["depths"], entry["counts"], strict=True):
            if count <= 100:
                assert oracle.perft(entry["players"], depth) == count
    assert len(frozen["positions"]) >= 20
    for entry in frozen["positions"]:
        position = oracle.Position(entry["position"])
        position.max_turns = entry.get("max_turns", oracle.DEFAULT_MAX_TURNS)
        distinct = entry.get("distinct", entry["counts"])
        for depth, *both in zip(entry["depths"], entry["counts"], distinct, strict=True):
            if both[0] <= 400:
                assert oracle.perft_both_ways(position, depth) == tuple(both), entry["about"]


def test_illegal_actions_are_refused_and_leave_the_position_alone() -> None:
    position = three(discard=["red-street-hop"])
    before = json.dumps(position)
    for name in (
        "hand red-spicy-hop r0",
        "pile red-spicy-hop c0 left1",
        "collect green-rave-hop",
        "plan red-spicy-hop",
    ):
        with pytest.raises(ValueError, match="not legal"):
            oracle.play(position, name)
    quiet(position)
    assert json.dumps(position) == before
