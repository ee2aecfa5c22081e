"""Checks by hand that the slow walker of HOP! reads the rules as the rule page means them."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from tests.oracles import hop as oracle

SAMPLE = Path(__file__).resolve().parents[1] / "records" / "hop-3p.jsonl"

PLAIN, ASSISTED, HINDERED, BOTH = 0, 1, 2, 3  # ids of the deck below
FOUR = [
    {"id": PLAIN, "base": 0.5, "assister": False, "turbulator": False},
    {"id": ASSISTED, "base": 0.3, "assister": True, "turbulator": False},
    {"id": HINDERED, "base": 0.7, "assister": False, "turbulator": True},
    {"id": BOTH, "base": 0.6, "assister": True, "turbulator": True},
]
BETS = ["bet happy", "bet unhappy"]
EASY_DARE, MEDIUM_DARE, HARD_DARE, ASSISTED_DARE, HINDERED_DARE = 0, 5, 10, 30, 40  # ids of the default deck

every_number = pytest.mark.parametrize("players", [3, 4, 5, 6])


def decision(node: oracle.Node) -> oracle.Position:
    assert isinstance(node, oracle.Position)
    return node


def chance(node: oracle.Node, kind: str) -> oracle.Chance:
    assert isinstance(node, oracle.Chance)
    assert node.kind == kind
    return node


def happen(node: oracle.Node, name: str) -> oracle.Node:
    """The node after the (first) outcome of this name."""
    assert isinstance(node, oracle.Chance)
    return next(following for _, drawn, following in oracle.named_outcomes(node) if drawn == name)


def go(node: oracle.Node, *names: str) -> oracle.Node:
    """Choices and outcomes by name, one after the other."""
    for name in names:
        node = happen(node, name) if isinstance(node, oracle.Chance) else oracle.play(node, name)
    return node


def weights(node: oracle.Node) -> list[int]:
    assert isinstance(node, oracle.Chance)
    return [weight for weight, _ in oracle.outcomes(node)]


def names_of(node: oracle.Node) -> list[str]:
    assert isinstance(node, oracle.Chance)
    return [name for _, name, _ in oracle.named_outcomes(node)]


def about_to_throw(players: int = 6, *, dare: int = BOTH, **parts: Any) -> oracle.Position:
    """Seat 0 hurls to seat 1, seat 2 assists, seat 3 hinders, as far as the dare asks; the last seat is to bet.

    The others have bet happy.
    """
    row = FOUR[dare]
    helpers = [seat for seat, role in ((2, "assister"), (3, "turbulator")) if row[role]]
    bets: list[str | None] = [None] * players
    for seat in range(2, players - 1):
        if seat not in helpers:
            bets[seat] = "happy"
    given: dict[str, Any] = {
        "phase": "bet",
        "to_play": players - 1,
        "skewerer": 1,
        "assister": 2 if row["assister"] else None,
        "turbulator": 3 if row["turbulator"] else None,
        "dare": dare,
        "bets": bets,
        "dares": FOUR,
        "turn": 2 * players,
    }
    return oracle.set_up(players, **given | parts)


# --- HP-1, HP-2, HP-8: the set-up ----------------------------------------------------------------------------------


@every_number
def test_the_start(players: int) -> None:
    node = decision(oracle.start(players))
    nothing = [None] * players
    assert node == {
        "game": "hop",
        "players": players,
        "phase": "skewerer",
        "to_play": 0,
        "hurler": 0,
        "skewerer": None,
        "assister": None,
        "turbulator": None,
        "dare": None,
        "bets": nothing,
        "levels": [1] * players,
        "balloons": [5] * players,
        "doves": [0] * players,
        "crows": [0] * players,
        "clouds": [[]] * players,
        "cloud_pool": [12, 12, 12],
        "deck": list(range(50)),
        "put_away": [],
        "skills": [[0.0, 0.0, 0.0, 0.0]] * players,
        "turn": 0,
        "last_throw": None,
        "winners": [],
    }
    assert node.max_turns == 500
    assert oracle.start(players, skills="equal", dares=None, max_turns=None) == node


def test_skills_are_sampled_seat_by_seat_at_the_start() -> None:
    node = oracle.start(3, skills="sampled", max_turns=9)
    numbers = [0, 1, 2, 3, 4, 5, 6, 6, 5, 4, 3, 2]
    for number in numbers:
        assert weights(node) == [1] * 7
        assert names_of(node) == [f"skill {skill}" for skill in (-0.15, -0.1, -0.05, 0.0, 0.05, 0.1, 0.15)]
        node = oracle.outcome(chance(node, "skill"), number)
    position = decision(node)
    assert position["skills"] == [[-0.15, -0.1, -0.05, 0.0], [0.05, 0.1, 0.15, 0.15], [0.1, 0.05, 0.0, -0.05]]
    assert (position["phase"], position["to_play"], position["turn"], position.max_turns) == ("skewerer", 0, 0, 9)
    assert "options" not in position


def test_given_skills_are_rounded_to_hundredths_a_half_to_the_even_one() -> None:
    rows = [[0.125, 0.135, -0.125, -0.135], [0.575, 0.155, 0.145, 0.005], [1, -1, 0, 0.9949]]
    position = decision(oracle.start(3, skills=rows))
    assert position["skills"] == [[0.12, 0.14, -0.12, -0.14], [0.58, 0.16, 0.14, 0.0], [1.0, -1.0, 0.0, 0.99]]


# --- HP-3: the deck ------------------------------------------------------------------------------------------------


def test_the_default_deck() -> None:
    deck = oracle.DEFAULT_DECK
    assert [dare["id"] for dare in deck] == list(range(50))
    bases = [5, 5, 5, 3, 4, 3, 2, 1, 2, 4, 3, 3, 3, 3, 4]  # easy, medium, hard of each of the five kinds
    expected = [base for count, base in zip(bases, [0.75, 0.6, 0.4] * 5, strict=True) for _ in range(count)]
    assert [dare["base"] for dare in deck] == expected
    assert [dare["id"] for dare in deck if dare["assister"]] == list(range(30, 40))
    assert [dare["id"] for dare in deck if dare["turbulator"]] == list(range(40, 50))
    assert sum(dare["base"] for dare in deck) == pytest.approx(50 * 0.583)


def test_a_deck_of_ones_own_is_kept_by_id_with_rounded_bases() -> None:
    deck = [
        {"id": 7, "base": 0.575, "assister": False, "turbulator": True, "name": "from behind"},
        {"id": 4, "base": 1, "assister": True, "turbulator": False, "difficulty": "easy"},
    ]
    position = decision(oracle.start(3, dares=deck))
    assert position["deck"] == [4, 7]
    assert position["options"] == {
        "dares": [
            {"id": 4, "base": 1.0, "assister": True, "turbulator": False},
            {"id": 7, "base": 0.58, "assister": False, "turbulator": True},
        ]
    }
    node = go(position, "skewerer left1", "dare 7", "turbulator left2", "success", "cloud 0")
    node = go(node, "skewerer left1", "dare 4", "assister left2", "failure", "skewerer left1")
    assert names_of(node) == ["dare 4", "dare 7"]  # refilled (HP-5)


# --- HP-4: the skewerer --------------------------------------------------------------------------------------------


@every_number
def test_the_hurler_chooses_among_all_others_before_the_dare_is_known(players: int) -> None:
    for hurler in range(players):
        position = oracle.set_up(players, hurler=hurler)
        assert oracle.legal(position) == [f"skewerer left{k}" for k in range(1, players)]
        for k in range(1, players):
            drawn = chance(oracle.play(position, f"skewerer left{k}"), "dare")
            assert decision(happen(drawn, "dare 0"))["skewerer"] == (hurler + k) % players


# --- HP-5: the dares -----------------------------------------------------------------------------------------------


def test_one_outcome_for_each_dare_left_by_id() -> None:
    position = oracle.set_up(3, put_away=[0, 3, 49])
    node = oracle.play(position, "skewerer left1")
    assert weights(node) == [1] * 47
    assert names_of(node) == [f"dare {number}" for number in range(50) if number not in (0, 3, 49)]
    after = decision(oracle.outcome(chance(node, "dare"), 2))
    assert after["dare"] == 4
    assert after["deck"] == [number for number in range(50) if number not in (0, 3, 4, 49)]
    assert after["put_away"] == [0, 3, 49]  # the dare in play comes there at the end of the turn


def test_a_dare_for_too_many_is_put_away_and_the_next_drawn() -> None:
    position = oracle.set_up(3, dares=FOUR, put_away=[HINDERED])
    node = oracle.play(position, "skewerer left2")
    assert names_of(node) == ["dare 0", "dare 1", "dare 3"]
    node = happen(node, "dare 3")
    assert names_of(node) == ["dare 0", "dare 1"]
    after = decision(happen(node, "dare 1"))
    assert (after["dare"], after["deck"], after["put_away"]) == (ASSISTED, [PLAIN], [HINDERED, BOTH])
    assert (after["phase"], after["to_play"]) == ("assister", 0)


def test_four_players_can_play_a_dare_for_two_helpers() -> None:
    after = decision(go(oracle.set_up(4, dares=FOUR), "skewerer left2", "dare 3"))
    assert (after["dare"], after["put_away"], after["phase"]) == (BOTH, [], "assister")


def test_the_deck_is_refilled_only_when_a_dare_must_be_drawn() -> None:
    position = oracle.set_up(4, dares=FOUR, put_away=[PLAIN, ASSISTED, BOTH])
    node = oracle.play(position, "skewerer left1")
    assert names_of(node) == ["dare 2"]  # a single outcome is a chance point, too (C-2)
    after = decision(go(node, "dare 2"))
    assert (after["deck"], after["put_away"]) == ([], [PLAIN, ASSISTED, BOTH])
    ended = decision(go(after, "turbulator left2", "bet happy", "success", "cloud 0"))
    assert (ended["phase"], ended["deck"], ended["put_away"]) == ("skewerer", [], [0, 1, 2, 3])
    node = oracle.play(ended, "skewerer left1")
    assert names_of(node) == ["dare 0", "dare 1", "dare 2", "dare 3"]
    after = decision(go(node, "dare 0"))
    assert (after["deck"], after["put_away"]) == ([1, 2, 3], [])


def test_a_refill_may_come_between_two_draws_with_the_dare_just_put_away() -> None:
    position = oracle.set_up(3, dares=FOUR, put_away=[PLAIN, ASSISTED, HINDERED])
    node = go(position, "skewerer left1", "dare 3")
    assert names_of(node) == ["dare 0", "dare 1", "dare 2", "dare 3"]
    node = happen(node, "dare 3")  # drawn again, and put away again
    assert names_of(node) == ["dare 0", "dare 1", "dare 2"]
    after = decision(happen(node, "dare 0"))
    assert (after["dare"], after["deck"], after["put_away"]) == (PLAIN, [ASSISTED, HINDERED], [BOTH])


# --- HP-6: the helpers ---------------------------------------------------------------------------------------------


def test_helpers_are_named_among_those_without_a_role() -> None:
    position = oracle.set_up(5, hurler=3, dares=FOUR)
    node = decision(go(position, "skewerer left2", "dare 3"))  # seat 0
    assert (node["phase"], node["to_play"], node["skewerer"]) == ("assister", 3, 0)
    assert oracle.legal(node) == ["assister left1", "assister left3", "assister left4"]
    node = decision(oracle.play(node, "assister left3"))  # seat 1
    assert (node["phase"], node["to_play"], node["assister"], node["turbulator"]) == ("turbulator", 3, 1, None)
    assert oracle.legal(node) == ["turbulator left1", "turbulator left4"]
    node = decision(oracle.play(node, "turbulator left4"))  # seat 2
    assert (node["phase"], node["to_play"], node["turbulator"]) == ("bet", 4, 2)


@pytest.mark.parametrize(("dare", "role"), [(ASSISTED, "assister"), (HINDERED, "turbulator")])
def test_only_the_helper_the_dare_asks_for_is_named_even_if_there_is_one_choice(dare: int, role: str) -> None:
    position = oracle.set_up(3, hurler=1, dares=FOUR)
    node = decision(go(position, "skewerer left1", f"dare {dare}"))
    assert (node["phase"], node["to_play"]) == (role, 1)
    assert oracle.legal(node) == [f"{role} left2"]
    assert chance(oracle.play(node, f"{role} left2"), "throw").before[role] == 0


# --- HP-7: the bets ------------------------------------------------------------------------------------------------


def test_bets_are_asked_clockwise_from_the_hurlers_left() -> None:
    position = oracle.set_up(6, hurler=3, dares=FOUR)
    node = decision(go(position, "skewerer left3", "dare 2", "turbulator left1"))  # seats 0 and 4
    for seat, choice in ((5, "happy"), (1, "unhappy")):
        assert (node["phase"], node["to_play"], node["bets"][seat]) == ("bet", seat, None)
        assert oracle.legal(node) == BETS
        node = decision(oracle.play(node, f"bet {choice}"))
        assert node["bets"][seat] == choice
    assert (node["phase"], node["to_play"]) == ("bet", 2)
    thrown = chance(oracle.play(node, "bet happy"), "throw")
    assert thrown.before["bets"] == [None, "unhappy", "happy", None, None, "happy"]


def test_without_anybody_to_bet_the_throw_comes_at_once() -> None:
    node = go(oracle.set_up(4, dares=FOUR), "skewerer left1", "dare 3", "assister left2", "turbulator left3")
    assert chance(node, "throw").before["bets"] == [None] * 4


# --- HP-8: the throw -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dare", "success"), [(EASY_DARE, 75), (MEDIUM_DARE, 60), (HARD_DARE, 40), (ASSISTED_DARE, 75), (49, 40)]
)
def test_equal_skills_leave_the_base(dare: int, success: int) -> None:
    position = oracle.set_up(3)
    node = go(position, "skewerer left1", f"dare {dare}")
    assert isinstance(node, oracle.Position)
    node = oracle.play(node, oracle.legal(node)[0])
    assert weights(chance(node, "throw")) == [success, 100 - success]
    assert names_of(node) == ["success", "failure"]
    assert [oracle.outcome(chance(node, "throw"), k) for k in (0, 1)] == [happen(node, n) for n in names_of(node)]


SKILLS = [
    # throw, catch, help, hinder: powers of two, so that every wrong skill gives another sum
    [0.01, 0.16, 0.16, 0.16],
    [0.16, 0.02, 0.16, 0.16],
    [0.16, 0.16, 0.04, 0.16],
    [0.16, 0.16, 0.16, 0.08],
    [0.16, 0.16, 0.16, 0.16],
]


@pytest.mark.parametrize(
    ("dare", "success"),
    [(PLAIN, 50 + 1 + 2), (ASSISTED, 30 + 1 + 2 + 4), (HINDERED, 70 + 1 + 2 - 8), (BOTH, 60 + 1 + 2 + 4 - 8)],
)
def test_each_role_brings_its_own_skill(dare: int, success: int) -> None:
    node = oracle.play(about_to_throw(5, dare=dare, skills=SKILLS), "bet happy")
    assert weights(node) == [success, 100 - success]


def test_a_bad_hinderer_helps() -> None:
    skills = [[0.0] * 4 for _ in range(5)]
    skills[3] = [0, 0, 0, -0.15]
    assert weights(oracle.play(about_to_throw(5, dare=HINDERED, skills=skills), "bet happy")) == [85, 15]


@pytest.mark.parametrize(("skill", "success"), [(0.44, 94), (0.45, 95), (0.46, 95), (-0.44, 6), (-0.45, 5), (-0.46, 5)])
def test_the_chance_is_clipped(skill: float, success: int) -> None:
    skills = [[skill, 0, 0, 0], *([[0.0] * 4] * 4)]
    assert weights(oracle.play(about_to_throw(5, dare=PLAIN, skills=skills), "bet happy")) == [success, 100 - success]


def test_the_sum_is_exact() -> None:
    deck = [{"id": 0, "base": 0.29, "assister": False, "turbulator": False}]  # as binary fractions 0.28999..
    skills = [[0.07, 0, 0, 0], [0, 0.21, 0, 0], [0.0] * 4]
    node = go(oracle.set_up(3, dares=deck, skills=skills), "skewerer left1", "dare 0", "bet happy")
    assert weights(node) == [57, 43]


# --- HP-9, HP-10: rewards ------------------------------------------------------------------------------------------


def test_a_success() -> None:
    position = about_to_throw(6, levels=[2] * 6, balloons=[3] * 6, last_throw=False)
    thrown = go(position, "bet unhappy", "success")
    assert chance(thrown, "cloud").receivers == (1, 2)  # skewerer, then assister (HP-11)
    after = decision(go(thrown, "cloud 2", "cloud 0"))
    assert after == {
        **position,
        "phase": "skewerer",
        "to_play": 1,
        "hurler": 1,
        "skewerer": None,
        "assister": None,
        "turbulator": None,
        "dare": None,
        "bets": [None] * 6,
        "levels": [3, 2, 2, 2, 2, 2],
        "doves": [0, 0, 0, 0, 1, 0],
        "crows": [0, 0, 0, 0, 0, 1],
        "clouds": [[], [2], [0], [], [], []],
        "cloud_pool": [11, 12, 11],
        "put_away": [BOTH],
        "turn": 13,
        "last_throw": {"success": True},
    }


def test_a_failure() -> None:
    position = about_to_throw(6, levels=[2] * 6, balloons=[3] * 6, last_throw=True)
    thrown = go(position, "bet unhappy", "failure")
    assert chance(thrown, "cloud").receivers == (3,)
    after = decision(go(thrown, "cloud 1"))
    assert after == {
        **position,
        "phase": "skewerer",
        "to_play": 1,
        "hurler": 1,
        "skewerer": None,
        "assister": None,
        "turbulator": None,
        "dare": None,
        "bets": [None] * 6,
        "balloons": [2, 3, 3, 3, 3, 3],
        "doves": [0, 0, 0, 0, 0, 1],
        "crows": [0, 0, 0, 0, 1, 0],
        "clouds": [[], [], [], [1], [], []],
        "cloud_pool": [12, 11, 12],
        "put_away": [BOTH],
        "turn": 13,
        "last_throw": {"success": False},
    }


def test_the_skewerer_alone_is_rewarded_without_an_assister() -> None:
    for dare in (PLAIN, HINDERED):
        thrown = chance(go(about_to_throw(5, dare=dare), "bet happy", "success"), "cloud")
        assert thrown.receivers == (1,)
        assert decision(happen(thrown, "cloud 1"))["clouds"] == [[], [1], [], [], []]


def test_nobody_gets_a_cloud_for_a_failure_without_a_turbulator() -> None:
    for dare in (PLAIN, ASSISTED):
        after = decision(go(about_to_throw(5, dare=dare), "bet happy", "failure"))
        assert after["clouds"] == [[]] * 5


# --- HP-11: the clouds ---------------------------------------------------------------------------------------------


def test_one_outcome_for_each_token_left_by_value() -> None:
    clouds = [[0, 2], [1], [], [], []]
    position = about_to_throw(5, clouds=clouds, cloud_pool=[2, 1, 3])
    node = go(position, "bet happy", "success")
    assert weights(node) == [1] * 6
    assert names_of(node) == ["cloud 0", "cloud 0", "cloud 1", "cloud 2", "cloud 2", "cloud 2"]
    node = oracle.outcome(chance(node, "cloud"), 1)
    assert names_of(node) == ["cloud 0", "cloud 1", "cloud 2", "cloud 2", "cloud 2"]
    after = decision(oracle.outcome(chance(node, "cloud"), 4))
    assert after["clouds"] == [[0, 2], [0, 1], [2], [], []]  # values ascending
    assert after["cloud_pool"] == [1, 1, 2]


def test_with_one_token_left_the_skewerer_gets_it() -> None:
    position = about_to_throw(5, cloud_pool=[0, 0, 1])
    node = go(position, "bet happy", "success")
    assert names_of(node) == ["cloud 2"]
    after = decision(happen(node, "cloud 2"))
    assert (after["clouds"], after["cloud_pool"]) == ([[], [2], [], [], []], [0, 0, 0])


@pytest.mark.parametrize("throw", ["success", "failure"])
def test_without_tokens_none_is_gained(throw: str) -> None:
    after = decision(go(about_to_throw(5, cloud_pool=[0, 0, 0]), "bet happy", throw))
    assert (after["clouds"], after["phase"], after["hurler"]) == ([[]] * 5, "skewerer", 1)


# --- HP-12: birds --------------------------------------------------------------------------------------------------


def test_three_doves_are_a_level_and_three_crows_a_balloon_and_all_birds_go_back() -> None:
    # seat 2 has bet happy, seat 3, too, seat 4 bets unhappy
    position = about_to_throw(
        5, dare=PLAIN, levels=[1, 2, 3, 4, 5], balloons=[5, 4, 3, 4, 5], doves=[2, 2, 2, 0, 1], crows=[2, 2, 1, 2, 2]
    )
    won = decision(go(position, "bet unhappy", "success", "cloud 0"))
    assert won["levels"] == [2, 2, 4, 4, 5]
    assert won["balloons"] == [5, 4, 3, 4, 4]
    assert won["doves"] == [2, 2, 0, 1, 0]
    assert won["crows"] == [2, 2, 0, 2, 0]
    lost = decision(go(position, "bet unhappy", "failure"))
    assert lost["levels"] == [1, 2, 3, 4, 5]
    assert lost["balloons"] == [4, 4, 3, 3, 5]
    assert lost["doves"] == [2, 2, 2, 0, 2]
    assert lost["crows"] == [2, 2, 2, 0, 2]


def test_levels_balloons_and_birds_settle_before_the_clouds_are_drawn() -> None:
    position = about_to_throw(5, dare=PLAIN, doves=[0, 0, 2, 0, 0], crows=[0, 0, 0, 0, 2])
    before = chance(go(position, "bet unhappy", "success"), "cloud").before
    assert (before["levels"], before["balloons"]) == ([2, 1, 2, 1, 1], [5, 5, 5, 5, 4])
    assert (before["doves"], before["crows"]) == ([0, 0, 0, 1, 0], [0, 0, 0, 0, 0])


# --- HP-13, HP-14: the end -----------------------------------------------------------------------------------------


def test_the_last_balloon_of_the_hurler_ends_the_game_after_the_clouds() -> None:
    position = about_to_throw(
        6, levels=[6, 3, 3, 3, 3, 3], balloons=[1, 2, 2, 2, 2, 2], clouds=[[2, 2], [], [], [], [], []]
    )
    thrown = chance(go(position, "bet unhappy", "failure"), "cloud")
    after = decision(happen(thrown, "cloud 1"))
    assert (after["phase"], after["to_play"], after["hurler"], after["turn"]) == ("over", None, 0, 13)
    assert (after["levels"], after["balloons"]) == ([0, 3, 3, 3, 3, 3], [0, 2, 2, 2, 2, 2])
    assert [after[key] for key in ("skewerer", "assister", "turbulator", "dare")] == [None] * 4
    assert (after["bets"], after["put_away"], after["last_throw"]) == ([None] * 6, [BOTH], {"success": False})
    assert after["winners"] == [3]  # by the cloud
    assert "truncated" not in after
    assert oracle.legal(after) == []
    result = oracle.result(after)
    # seat 0 ties with nobody: 0 + 4
    assert result["scores"] == [4, 3, 3, 4, 3, 3]
    assert result["ranks"] == [2, 3, 3, 1, 3, 3]


def test_the_last_balloon_of_a_bettor_ends_the_game() -> None:
    position = about_to_throw(4, dare=PLAIN, balloons=[5, 5, 5, 1], crows=[0, 0, 0, 2], levels=[1, 1, 1, 5])
    after = decision(go(position, "bet unhappy", "success", "cloud 0"))
    assert (after["phase"], after["levels"], after["balloons"]) == ("over", [2, 1, 1, 0], [5, 5, 5, 0])
    assert (after["crows"], after["winners"]) == ([0] * 4, [0])


def test_level_seven_ends_the_game_whoever_reaches_it() -> None:
    position = about_to_throw(4, dare=PLAIN, levels=[6, 1, 1, 1])
    over = decision(go(position, "bet unhappy", "success", "cloud 2"))
    assert (over["phase"], over["levels"], over["winners"]) == ("over", [7, 1, 1, 1], [0])
    position = about_to_throw(4, dare=PLAIN, levels=[1, 1, 1, 6], doves=[0, 0, 0, 2])
    over = decision(go(position, "bet unhappy", "failure"))
    assert (over["phase"], over["levels"], over["winners"]) == ("over", [1, 1, 1, 7], [3])
    assert over["balloons"] == [4, 5, 5, 5]
    going_on = decision(go(position, "bet happy", "failure"))
    assert (going_on["phase"], going_on["levels"]) == ("skewerer", [1, 1, 1, 6])


def test_several_may_reach_the_top_or_lose_all_in_one_turn() -> None:
    position = about_to_throw(
        5, dare=PLAIN, levels=[6, 2, 6, 3, 6], balloons=[1, 1, 1, 1, 1], doves=[0, 0, 2, 0, 0], crows=[0, 0, 0, 1, 2]
    )
    over = decision(go(position, "bet unhappy", "success", "cloud 0"))
    assert (over["levels"], over["balloons"]) == ([7, 2, 7, 3, 0], [1, 1, 1, 1, 0])
    assert (over["phase"], over["winners"]) == ("over", [0, 2])


def test_level_six_and_one_balloon_do_not_end_the_game() -> None:
    position = about_to_throw(4, dare=PLAIN, levels=[5, 6, 6, 6], balloons=[2, 1, 1, 1], hurler=0)
    for throw, levels, balloons in (
        (["success", "cloud 0"], [6, 6, 6, 6], [2, 1, 1, 1]),
        (["failure"], [5, 6, 6, 6], [1, 1, 1, 1]),
    ):
        after = decision(go(position, "bet happy", *throw))
        assert (after["phase"], after["levels"], after["balloons"]) == ("skewerer", levels, balloons)
        assert after["winners"] == []


def test_the_next_seat_hurls_round_the_table() -> None:
    position = oracle.set_up(3, hurler=2, turn=5)
    after = decision(go(position, "skewerer left1", "dare 10", "bet happy", "failure"))
    assert (after["hurler"], after["to_play"], after["turn"]) == (0, 0, 6)


# --- HP-15, HP-16: scores, ranks, the cap --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("levels", "clouds", "scores", "ranks", "winners"),
    [
        # the sample's end: who reached the top first need not win
        ([7, 5, 4], [[], [1, 2], []], [7, 8, 4], [2, 1, 3], [1]),
        # a tie of scores: the higher figurine
        ([7, 5, 6], [[0], [2], [1]], [7, 7, 7], [1, 3, 2], [0]),
        ([7, 6, 6], [[], [0, 2], [2, 0, 0]], [7, 8, 8], [3, 1, 1], [1, 2]),
        ([7, 7, 7], [[1], [1], [0, 1, 0]], [8, 8, 8], [1, 1, 1], [0, 1, 2]),
        # beside the board one has the clouds alone
        ([0, 3, 1], [[2, 2, 2], [1], [2, 2]], [6, 4, 5], [1, 3, 2], [0]),
        ([0, 2, 2], [[2, 2], [2], [2]], [4, 4, 4], [3, 1, 1], [1, 2]),
    ],
)
def test_who_wins(
    levels: list[int], clouds: list[list[int]], scores: list[int], ranks: list[int], winners: list[int]
) -> None:
    # play a turn that changes none of this: seat 0 is on level 6 before it climbs, or has a balloon before it falls
    throw = "success" if levels[0] == 7 else "failure"
    position = oracle.set_up(
        3,
        phase="bet",
        to_play=2,
        skewerer=1,
        dare=0,
        levels=[6 if throw == "success" else 4, *levels[1:]],
        balloons=[1, 5, 5],
        clouds=clouds,
        cloud_pool=[0, 0, 0],
        turn=3,
    )
    over = decision(go(position, "bet happy", throw))
    assert (over["phase"], over["levels"], over["winners"]) == ("over", levels, winners)
    result = oracle.result(over)
    assert (result["scores"], result["ranks"], result["winners"]) == (scores, ranks, winners)
    share = [1 / len(winners) if seat in winners else 0 for seat in range(3)]
    assert result["rewards"]["win"] == pytest.approx([1.5 * (s - 1 / 3) for s in share])
    assert result["rewards"]["score"] == pytest.approx([1.5 * own - sum(scores) / 2 for own in scores])
    places = {(2, 1, 3): [0, 1, -1], (1, 3, 2): [1, -1, 0], (3, 1, 1): [-1, 0.5, 0.5], (1, 1, 1): [0, 0, 0]}
    assert result["rewards"]["rank"] == places[tuple(ranks)]  # type: ignore[index]


def test_the_cap_truncates_when_its_turn_is_completed() -> None:
    position = oracle.set_up(3, hurler=1, levels=[3, 2, 3], clouds=[[2], [], [1]], turn=7, max_turns=9)
    after = decision(go(position, "skewerer left1", "dare 10", "bet happy", "failure"))
    assert (after["phase"], after["turn"], after.max_turns) == ("skewerer", 8, 9)
    node = oracle.play(after, "skewerer left1", max_turns=9)
    end = decision(go(node, "dare 11", "bet unhappy", "failure"))
    assert (end["phase"], end["to_play"], end["hurler"], end["turn"]) == ("over", None, 2, 9)
    assert (end["winners"], end["truncated"], end["dare"]) == ([], True, None)
    assert end["put_away"] == [10, 11]
    result = oracle.result(end)
    assert (result["scores"], result["ranks"], result["winners"]) == ([5, 2, 4], [1, 3, 2], [])
    assert set(result["rewards"]) == {"win", "rank", "score"}
    assert all(rewards == [0.0] * 3 for rewards in result["rewards"].values())


def test_a_game_that_ends_with_the_last_turn_before_the_cap_is_not_truncated() -> None:
    position = oracle.set_up(3, levels=[6, 1, 1], turn=8, max_turns=9)
    end = decision(go(position, "skewerer left1", "dare 0", "bet happy", "success", "cloud 1"))
    assert (end["phase"], end["winners"]) == ("over", [0])
    assert "truncated" not in end


def test_the_default_cap_holds_for_plain_dicts_and_can_be_overridden() -> None:
    position = dict(oracle.set_up(3, turn=500))
    names = ("skewerer left1", "dare 10", "bet happy", "failure")
    assert decision(go(oracle.play(position, names[0]), *names[1:]))["truncated"]
    node = oracle.play(position, names[0], max_turns=502)
    assert decision(go(node, *names[1:]))["phase"] == "skewerer"
    position["turn"] = 498
    assert decision(go(oracle.play(position, names[0]), *names[1:]))["phase"] == "skewerer"


# --- options and catalogue -----------------------------------------------------------------------------------------


def a_dare(**changes: Any) -> dict[str, Any]:
    return {"id": 0, "base": 0.5, "assister": False, "turbulator": False} | changes


@pytest.mark.parametrize(
    ("named", "players", "options"),
    [
        ("players", 2, {}),
        ("players", 7, {}),
        ("players", True, {}),
        ("max_turns", 3, {"max_turns": 0}),
        ("max_turns", 3, {"max_turns": True}),
        ("promo", 3, {"promo": "unicorn"}),
        ("skills", 3, {"skills": "random"}),
        ("skills", 3, {"skills": [[0, 0, 0, 0]] * 4}),
        ("skills", 3, {"skills": [[0, 0, 0]] * 3}),
        ("skills", 3, {"skills": [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, "0", 0]]}),
        ("skills", 3, {"skills": [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, float("nan")]]}),
        ("skills", 3, {"skills": [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 1.01]]}),
        ("dares", 3, {"dares": []}),
        ("dares", 3, {"dares": "all"}),
        ("dares", 3, {"dares": [{"id": 0, "base": 0.5, "assister": False}]}),
        ("dares", 3, {"dares": [a_dare(base=1.01)]}),
        ("dares", 3, {"dares": [a_dare(base=True)]}),
        ("dares", 3, {"dares": [a_dare(assister=1)]}),
        ("dares", 3, {"dares": [a_dare(id=-1)]}),
        ("dares", 3, {"dares": [a_dare(), a_dare()]}),
        ("dares", 3, {"dares": [a_dare(assister=True, turbulator=True)]}),  # HP-5: nobody could play it
    ],
)
def test_impossible_options_are_refused_by_name(named: str, players: int, options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=named):
        oracle.check_options(players, **options)


def test_a_deck_of_dares_for_two_helpers_is_fine_with_four() -> None:
    assert oracle.check_options(4, dares=[a_dare(assister=True, turbulator=True)]).players == 4


def test_what_is_recorded() -> None:
    rules = oracle.check_options(4)
    assert oracle.recorded_options(rules) == {}
    assert oracle.header_options(rules) == oracle.header_options(rules, 500) == {"dares": oracle.DEFAULT_DECK}
    with_text = [dare | {"name": "a text"} for dare in oracle.DEFAULT_DECK]
    assert oracle.recorded_options(oracle.check_options(4, dares=with_text, skills="sampled")) == {}
    short = oracle.DEFAULT_DECK[:49]
    assert oracle.recorded_options(oracle.check_options(4, dares=short)) == {"dares": short}
    rules = oracle.check_options(3, skills=[[0, 0, 0, 0.333]] * 3, dares=FOUR)
    assert oracle.recorded_options(rules) == {"dares": FOUR}
    assert oracle.header_options(rules, 20) == {"dares": FOUR, "skills": [[0.0, 0.0, 0.0, 0.33]] * 3, "max_turns": 20}
    sampled = oracle.header_options(oracle.check_options(3, skills="sampled"))
    assert sampled == {"dares": oracle.DEFAULT_DECK, "skills": "sampled"}


def test_the_catalogue() -> None:
    assert oracle.catalogue(3) == [
        *("skewerer left1", "skewerer left2", "assister left1", "assister left2"),
        *("turbulator left1", "turbulator left2", "bet happy", "bet unhappy"),
    ]
    for players in range(3, 7):
        names = oracle.catalogue(players, skills="sampled")
        assert len(names) == len(set(names)) == 3 * players - 1
        assert names[players - 2 :: players - 1][:3] == [
            f"{role} left{players - 1}" for role in ("skewerer", "assister", "turbulator")
        ]
        assert names[-2:] == BETS


def test_illegal_actions_are_refused_and_leave_the_position_alone() -> None:
    position = oracle.set_up(4, phase="turbulator", hurler=2, skewerer=3, dare=HINDERED, dares=FOUR)
    before = json.dumps(position)
    for name in ("turbulator left1", "turbulator left4", "assister left2", "skewerer left2", "bet happy", ""):
        with pytest.raises(ValueError, match="not legal"):
            oracle.play(position, name)
    assert oracle.legal(position) == ["turbulator left2", "turbulator left3"]
    go(position, "turbulator left2", "bet happy", "failure", "cloud 1")
    assert json.dumps(position) == before
    with pytest.raises(ValueError, match="phase"):
        oracle.legal(position | {"phase": "throw"})
    with pytest.raises(ValueError, match="not over"):
        oracle.result(position)


# --- what a seat knows ---------------------------------------------------------------------------------------------


def test_a_view_is_seen_from_the_own_seat() -> None:
    position = about_to_throw(
        6,
        levels=[1, 2, 3, 4, 5, 6],
        balloons=[5, 4, 3, 2, 1, 5],
        doves=[0, 1, 2, 0, 1, 2],
        crows=[2, 1, 0, 2, 1, 0],
        clouds=[[0], [1, 1], [], [2], [0, 2, 2], [1]],
        skills=[[seat / 10] * 4 for seat in range(6)],
        put_away=[PLAIN],
        last_throw=True,
    )
    view = oracle.public_view(position, 4)
    assert view == {
        "players": 6,
        "phase": "bet",
        "to_play": 1,
        "hurler": 2,
        "skewerer": 3,
        "assister": 4,
        "turbulator": 5,
        "dare": BOTH,
        "bets": ["happy", None, None, None, None, None],
        "levels": [5, 6, 1, 2, 3, 4],
        "balloons": [1, 5, 5, 4, 3, 2],
        "doves": [1, 2, 0, 1, 2, 0],
        "crows": [1, 0, 2, 1, 0, 2],
        "clouds": [[0, 2, 2]],
        "cloud_counts": [3, 1, 1, 2, 0, 1],
        "clouds_left": 28,
        "deck": [ASSISTED, HINDERED],
        "put_away": [PLAIN],
        "skills": [[0.4] * 4, [0.5] * 4, [0.0] * 4, [0.1] * 4, [0.2] * 4, [0.3] * 4],
        "turn": 12,
        "last_throw": {"success": True},
        "winners": [],
        "truncated": False,
    }
    assert oracle.public_view(position, 5)["bets"] == [None, None, None, None, None, "hidden"]


def test_bets_and_the_clouds_of_others_are_hidden() -> None:
    position = about_to_throw(5, dare=PLAIN, clouds=[[0, 1], [2], [], [], [1]])
    for bet in ("happy", "unhappy"):
        other = oracle._copy(position, bets=[None, None, bet, "happy", None], clouds=[[1, 2], [0], [], [], [1]])
        for seat in range(5):
            same = oracle.public_view(other, seat) == oracle.public_view(position, seat)
            assert same == (seat in (3, 4) or (seat == 2 and bet == "happy"))
    one_more = oracle._copy(position, clouds=[[0, 1], [2, 2], [], [], [1]], cloud_pool=[11, 10, 10])
    assert oracle.public_view(one_more, 4) != oracle.public_view(position, 4)
    not_yet = oracle._copy(position, bets=[None, None, "happy", None, None], to_play=3)
    assert oracle.public_view(not_yet, 4)["bets"] == [None, None, None, "hidden", None]


def test_clouds_are_shown_at_the_end() -> None:
    position = about_to_throw(4, dare=PLAIN, levels=[6, 1, 1, 1], clouds=[[2], [], [0, 1], []])
    over = decision(go(position, "bet happy", "success", "cloud 1"))
    assert oracle.public_view(over, 1)["clouds"] == [[1], [0, 1], [], [2]]
    assert oracle.public_view(over, 1)["winners"] == [3]


# --- the sample record ---------------------------------------------------------------------------------------------


def test_the_sample_record_is_played_line_by_line() -> None:
    header, *events, end = [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]
    assert (header["env"], header["players"], set(header["options"])) == ("hop-3p-v0", 3, {"dares"})
    assert oracle.check_options(3, **header["options"]).dares == oracle.DEFAULT_DECK
    node = oracle.start(3, **header["options"])
    assert node == header["position"]
    seen = set()
    for event in events:
        if "chance" in event:
            assert isinstance(node, oracle.Chance)
            assert len(oracle.outcomes(node)) == event["of"]
            seen.add(node.kind)
            node = oracle.outcome(node, event["chance"])
        else:
            position = decision(node)
            assert position["to_play"] == event["seat"]
            seen.add(position["phase"])
            node = oracle.play(position, event["action"])
        if "position" in event:
            assert node == event["position"]
            assert oracle.legal(decision(node)) == event.get("legal", [])
        else:
            assert isinstance(node, oracle.Chance)
    assert seen == {"skewerer", "assister", "turbulator", "bet", "dare", "throw", "cloud"}
    result = oracle.result(decision(node))
    assert end == result | {"rewards": result["rewards"]["win"]}


# --- what always holds ---------------------------------------------------------------------------------------------


def check_what_always_holds(position: oracle.Position) -> None:
    players = position["players"]
    dares = oracle.dares_of(position)
    in_play = [] if position["dare"] is None else [position["dare"]]
    assert sorted([*position["deck"], *position["put_away"], *in_play]) == [dare["id"] for dare in dares]
    for pile in (position["deck"], position["put_away"], *position["clouds"]):
        assert pile == sorted(pile)
    values = [value for row in position["clouds"] for value in row]
    assert [values.count(k) + position["cloud_pool"][k] for k in (0, 1, 2)] == [12, 12, 12]
    over = position["phase"] == "over"
    assert all(0 <= birds <= 2 for birds in position["doves"] + position["crows"])
    for level, balloons in zip(position["levels"], position["balloons"], strict=True):
        assert (level == 0) == (balloons == 0)
        assert 0 <= level <= 7
        assert 0 <= balloons <= 5
    ended = 7 in position["levels"] or 0 in position["balloons"]
    assert ended == (over and not position.get("truncated"))
    assert bool(position["winners"]) == ended
    roles = [position[role] for role in ("hurler", "skewerer", "assister", "turbulator")]
    taken = [seat for seat in roles if seat is not None]
    assert len(taken) == len(set(taken))
    phase = position["phase"]
    if phase in ("skewerer", "over"):
        assert roles[1:] == [None] * 3
        assert position["dare"] is None
        assert position["bets"] == [None] * players
    else:
        dare = next(row for row in dares if row["id"] == position["dare"])
        assert dare["assister"] + dare["turbulator"] <= players - 2
        assert position["skewerer"] is not None
        assert (position["assister"] is not None) == (dare["assister"] and phase != "assister")
        assert (position["turbulator"] is not None) == (dare["turbulator"] and phase == "bet")
    if phase == "bet":
        clockwise = [(position["hurler"] + k) % players for k in range(1, players)]
        bettors = [seat for seat in clockwise if seat not in taken]
        number = bettors.index(position["to_play"])
        assert [position["bets"][seat] is not None for seat in bettors] == [k < number for k in range(len(bettors))]
        assert all(position["bets"][seat] is None for seat in taken)
    elif not over:
        assert position["to_play"] == position["hurler"]
        assert position["bets"] == [None] * players
    assert (position["last_throw"] is None) == (position["turn"] == 0)


GAMES: list[tuple[int, dict[str, Any]]] = [
    *((players, {}) for players in range(3, 7)),
    *((players, {"skills": "sampled", "dares": FOUR}) for players in range(3, 7)),
    (5, {"max_turns": 6, "dares": FOUR}),
]


def name_of_game(game: tuple[int, dict[str, Any]]) -> str:
    return "-".join([str(game[0]), *game[1]])


@pytest.mark.parametrize("game", GAMES, ids=name_of_game)
def test_random_games_keep_the_order_of_the_catalogue_and_what_always_holds(game: tuple[int, dict[str, Any]]) -> None:
    players, options = game
    names = oracle.catalogue(players, **options)
    rng = random.Random(players)
    phases = set()
    for _ in range(5):
        for node, choice in oracle.random_game(players, rng, **options):
            if isinstance(node, oracle.Chance):
                assert isinstance(choice, int)
                assert weights(node)[choice] > 0
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
                assert oracle.legal(other) == legal
        assert node["phase"] == "over"  # type: ignore[index]
        assert node["turn"] <= min(9 * players + 1, options.get("max_turns", 500))  # type: ignore[index]
        assert node["hurler"] == (node["turn"] - 1) % players  # type: ignore[index]
    assert phases == {"skewerer", "assister", "turbulator", "bet", "over"}


def test_a_reshuffle_changes_what_is_hidden_and_only_that() -> None:
    position = about_to_throw(5, dare=PLAIN, clouds=[[0, 1], [2], [1, 1], [], [1]])
    others = [oracle.reshuffled(position, 0, random.Random(seed)) for seed in range(40)]
    assert all(other["clouds"][0] == [0, 1] for other in others)
    assert {tuple(other["clouds"][1]) for other in others} == {(0,), (1,), (2,)}
    bets = ("happy", "unhappy")
    assert {tuple(other["bets"][2:4]) for other in others} == {(a, b) for a in bets for b in bets}
    own = oracle.reshuffled(position, 3, random.Random(1))
    assert own["bets"][3] == "happy"


@pytest.mark.parametrize("game", GAMES, ids=name_of_game)
def test_random_positions_fit_and_can_be_played_on(game: tuple[int, dict[str, Any]]) -> None:
    players, options = game
    rng = random.Random(7)
    phases, left = set(), set()
    for position in oracle.random_positions(players, random.Random(1), 60, **options):
        check_what_always_holds(position)
        phases.add(position["phase"])
        left.add(min(sum(position["cloud_pool"]), 3))
        node: oracle.Node = position
        for _ in range(12):
            if isinstance(node, oracle.Chance):
                node = rng.choice(oracle.outcomes(node))[1]
            elif node["phase"] != "over":
                node = oracle.play(node, rng.choice(oracle.legal(node)))
            if isinstance(node, oracle.Position):
                check_what_always_holds(node)
    assert phases == {"skewerer", "assister", "turbulator", "bet"}
    assert left >= {0, 3}
    first, second = (list(oracle.random_positions(players, random.Random(3), 6, **options)) for _ in range(2))
    assert first == second


# --- counts --------------------------------------------------------------------------------------------------------


def test_counts_by_hand() -> None:
    # one dare, so: 2 skewerers, the dare, 2 bets, the throw; then a cloud of 36 after a success and the next skewerer
    one = [a_dare()]
    expected = [1, 2, 2, 4, 8, 4 * 36 + 4 * 2, 4 * 36 * 2 + 4 * 2]
    assert [oracle.perft(3, depth, dares=one) for depth in range(7)] == expected
    # a finished game is one leaf
    assert [oracle.perft(3, depth, dares=one, max_turns=1) for depth in (4, 5, 6, 9)] == [8, 148, 148, 148]
    assert [oracle.perft(3, depth, skills="sampled") for depth in (1, 2, 3)] == [7, 49, 343]


def test_the_frozen_counts_still_hold_where_they_are_cheap() -> None:
    frozen = json.loads(oracle.COUNTS_FILE.read_text(encoding="utf-8"))
    for entry in frozen["starts"]:
        for depth, count in zip(entry["depths"], entry["counts"], strict=True):
            if count <= 3000:
                found = oracle.perft(entry["players"], depth, max_turns=entry.get("max_turns"), **entry["options"])
                assert found == count
    assert len(frozen["positions"]) >= 20
    for entry in frozen["positions"]:
        position = oracle.Position(entry["position"])
        position.max_turns = entry.get("max_turns", oracle.DEFAULT_MAX_TURNS)
        check_what_always_holds(position)
        for depth, count in zip(entry["depths"], entry["counts"], strict=True):
            if count <= 3000:
                assert oracle.perft_from(position, depth) == count, entry["about"]
