"""Checks by hand that the slow walker of Hedgehog Hop's puzzlers reads the rules as the rule page means them."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.oracles import hedgehog_hop_puzzler as oracle

SAMPLE = Path(__file__).resolve().parents[1] / "records" / "hedgehog_hop-puzzler-2p.jsonl"
UNICORN, ZOMBIE = oracle.UNICORN, oracle.ZOMBIE
CONTACT: dict[str, Any] = {"push": "contact"}
GAMES: list[tuple[int, dict[str, Any]]] = [
    (2, {}),
    (3, {}),
    (4, {}),
    (5, {}),
    (6, {}),
    (2, {"promo": "unicorn"}),
    (3, {"promo": "zombie", **CONTACT}),
    (4, {"promo": "vegan_zombie"}),
    (5, {"promo": "unicorn", **CONTACT}),
    (6, {"promo": "zombie"}),
    (2, CONTACT),
]


def name_of_game(game: tuple[int, dict[str, Any]]) -> str:
    return "-".join([f"{game[0]}p", *(f"{name}={value}" for name, value in game[1].items())])


def decision(node: oracle.Node) -> oracle.Position:
    assert isinstance(node, oracle.Position)
    return node


def draw(node: oracle.Node, card: str) -> oracle.Node:
    """The node after this card comes up at a chance point."""
    assert isinstance(node, oracle.Chance)
    return next(following for _, drawn, following in oracle.named_outcomes(node) if drawn == card)


def row(y: int, cards: str, x: int = 0) -> dict[str, str]:
    """A row of the mob from x on, cards from left to right; ``.`` is a gap."""
    return {f"{x + k},{y}": card for k, card in enumerate(cards.split()) if card != "."}


def column(x: int, cards: str, y: int = 0) -> dict[str, str]:
    """A column of the mob from y on, cards from the bottom to the top; ``.`` is a gap."""
    return {f"{x},{y + k}": card for k, card in enumerate(cards.split()) if card != "."}


def situation(mob: dict[str, str], hand: str, *, players: int = 2, backup: str = "", **more: Any) -> oracle.Position:
    """Seat 0 is to play with these cards; the others have hands that don't matter."""
    others = [["red-retro-hop", "red-rave-hop", "red-spicy-hop"] for _ in range(players - 1)]
    more.setdefault("draw", ["blue-street-hop"] * 5)
    more.setdefault("backups", [backup.split(), *([] for _ in range(players - 1))])
    return oracle.set_up(players, mob, hands=[hand.split(), *others], **more)


# --- HH-1, HH-2: cards ---------------------------------------------------------------------------------------------


def test_the_index_of_a_card() -> None:
    assert len(set(oracle.CARDS)) == 36
    for m, move in enumerate(["hop", "groove", "slide"]):
        for c, colour in enumerate(["green", "red", "blue"]):
            for s, style in enumerate(["retro", "rave", "spicy", "street"]):
                assert oracle.CARDS[12 * m + 4 * c + s] == f"{colour}-{style}-{move}"


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("green-rave-hop", "green-spicy-hop", True),  # same move, same colour
        ("green-rave-hop", "red-rave-hop", True),  # same move, same style
        ("green-rave-hop", "red-spicy-hop", False),  # same move only
        ("green-rave-hop", "green-rave-slide", False),  # same colour and style only
        ("green-rave-hop", "green-rave-hop", True),  # two copies
        ("green-rave-hop", UNICORN, True),
        ("red-street-hop", ZOMBIE, False),
        (UNICORN, ZOMBIE, False),
    ],
)
def test_in_sync(one: str, other: str, expected: bool) -> None:
    assert oracle.in_sync(one, other) == oracle.in_sync(other, one) == expected


# --- HH-10 to HH-12, HH-24: the set-up -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "hand", "mob", "pile"), [(2, 7, 9, 13), (3, 6, 5, 13), (4, 6, 13, 35), (5, 6, 13, 29), (6, 6, 13, 23)]
)
@pytest.mark.parametrize("promo", [None, "unicorn", "zombie", "vegan_zombie"])
def test_the_set_up_is_dealt_hand_by_hand_and_then_the_mob(
    players: int, hand: int, mob: int, pile: int, promo: str | None
) -> None:
    node = oracle.start(players, promo=promo)
    rng = random.Random(players)
    dealt: list[str] = []
    while isinstance(node, oracle.Chance):
        assert node.kind == "deal"
        bag = node.before["draw"]
        assert len(bag) == len(oracle.whole_deck(players)) - len(dealt)
        index = rng.randrange(len(bag))
        dealt.append(bag[index])
        node = oracle.outcomes_card_by_card(node)[index]
    for seat, cards in enumerate(node["hands"]):
        assert cards == oracle.in_index_order(dealt[hand * seat : hand * (seat + 1)])
    cells = oracle.check_options(players, promo=promo).dealt_cells()
    assert [node["mob"][f"{x},{y}"] for x, y in cells] == dealt[hand * players :]
    assert len(node["mob"]) == mob
    assert len(node["draw"]) == pile + (promo is not None)
    assert node["mob"]["0,0"] == {None: dealt[hand * players + mob // 2], "unicorn": UNICORN}.get(promo, ZOMBIE)
    assert (node["phase"], node["to_play"], node["turn"], node["promo"]) == ("play", 0, 0, promo)
    assert (node["draw_face_up"], node["steals_due"], node["must_discard"]) == ([], 0, False)
    assert "options" not in node
    assert json.loads(json.dumps(node)) == node


def test_the_cells_of_the_starting_mob_in_reading_order() -> None:
    square = [(-1, 1), (0, 1), (1, 1), (-1, 0), (0, 0), (1, 0), (-1, -1), (0, -1), (1, -1)]
    assert oracle.check_options(2).first_cells() == square
    plus = [(0, 1), (-1, 0), (0, 0), (1, 0), (0, -1)]
    assert oracle.check_options(3).first_cells() == plus
    diamond = oracle.check_options(6).first_cells()
    assert Counter(y for _, y in diamond) == {2: 1, 1: 3, 0: 5, -1: 3, -2: 1}
    assert diamond[:4] == [(0, 2), (-1, 1), (0, 1), (1, 1)]


def test_copies_are_outcomes_side_by_side() -> None:
    node = oracle.start(4)
    assert isinstance(node, oracle.Chance)
    assert [weight for weight, _ in oracle.outcomes(node)] == [2] * 36
    one_by_one = oracle.outcomes_card_by_card(node)
    assert len(one_by_one) == 72
    assert one_by_one[44] == one_by_one[45] == oracle.outcomes(node)[22][1]
    assert one_by_one[44].before["hands"][0] == [oracle.CARDS[22]]  # type: ignore[union-attr]


# --- HH-13 to HH-15: plays -----------------------------------------------------------------------------------------

GAPPY_ROW = "green-retro-hop green-rave-hop . green-spicy-hop"


def test_lines_that_hold_a_card_can_be_chosen_also_one_with_nothing_but_a_promo_card() -> None:
    mob = {"0,0": UNICORN, "2,1": "blue-rave-groove", "2,3": "blue-retro-groove"}
    position = situation(mob, "green-rave-hop red-rave-hop green-retro-slide", backup="red-retro-groove")
    assert oracle.legal(position) == [
        *("hand green-rave-hop c0", "hand green-rave-hop c2", "hand red-rave-hop c0", "hand red-rave-hop c2"),
        *("hand green-retro-slide r0", "hand green-retro-slide r1", "hand green-retro-slide r3"),
        *("backup red-retro-groove r0", "backup red-retro-groove r1", "backup red-retro-groove r3"),
    ]


def test_copies_in_a_hand_are_one_action_and_two_sources_are_two() -> None:
    position = situation(row(0, "red-rave-groove"), "red-rave-hop red-rave-hop", players=4, backup="red-rave-hop")
    assert oracle.legal(position) == ["hand red-rave-hop c0", "backup red-rave-hop c0"]


PUSHES = [
    # card, line, the mob before, the mob after under rigid and under contact (None: the same)
    ("red-street-groove", "r0", row(0, GAPPY_ROW), row(0, f"red-street-groove {GAPPY_ROW}"), None),
    ("red-street-slide", "r0", row(0, GAPPY_ROW), row(0, f"{GAPPY_ROW} red-street-slide", x=-1), None),
    ("red-street-hop", "c0", column(0, GAPPY_ROW), column(0, f"red-street-hop {GAPPY_ROW}"), None),
]


@pytest.mark.parametrize(("card", "line", "before", "rigid", "_"), PUSHES, ids=["groove", "slide", "hop"])
def test_a_rigid_push_moves_the_whole_line_with_its_gaps(
    card: str, line: str, before: dict[str, str], rigid: dict[str, str], _: None
) -> None:
    beside = {"5,5": "blue-rave-slide"}
    after = oracle.play(situation(before | beside, f"{card} red-rave-hop"), f"hand {card} {line}")
    assert decision(after)["mob"] == rigid | beside


def test_a_contact_push_is_absorbed_by_the_first_gap() -> None:
    more: dict[str, Any] = CONTACT
    hand = "red-street-groove red-street-slide red-street-hop"
    position = situation(row(0, GAPPY_ROW), hand, **more)
    after = decision(oracle.play(position, "hand red-street-groove r0"))
    assert after["mob"] == row(0, "red-street-groove green-retro-hop green-rave-hop green-spicy-hop")
    after = decision(oracle.play(position, "hand red-street-slide r0"))
    assert after["mob"] == row(0, "green-retro-hop green-rave-hop green-spicy-hop red-street-slide")
    position = situation(column(0, GAPPY_ROW), hand, **more)
    after = decision(oracle.play(position, "hand red-street-hop c0"))
    # (the hop is a hop among hops: its neighbour doesn't share colour or style)
    assert after["mob"] == column(0, "red-street-hop green-retro-hop green-rave-hop green-spicy-hop")
    assert after["options"] == {"push": "contact"}


def test_a_contact_push_moves_the_end_card_alone_if_a_gap_follows() -> None:
    mob = row(0, "green-retro-hop . . green-rave-hop green-spicy-hop")
    after = oracle.play(situation(mob, "red-street-groove red-rave-hop", **CONTACT), "hand red-street-groove r0")
    expected = row(0, "red-street-groove green-retro-hop . green-rave-hop green-spicy-hop")
    assert decision(after)["mob"] == expected


def test_a_card_may_be_pushed_into_touch_with_another_line() -> None:
    mob = row(0, "green-retro-hop") | row(1, "blue-rave-hop", x=1)
    after = decision(oracle.play(situation(mob, "red-street-groove red-rave-hop"), "hand red-street-groove r0"))
    assert after["mob"] == {"0,0": "red-street-groove", "1,0": "green-retro-hop", "1,1": "blue-rave-hop"}


# --- HH-16 to HH-18: backup dancers --------------------------------------------------------------------------------


def test_five_places_for_one_hop() -> None:
    mob = {
        **row(-1, "green-retro-groove blue-rave-hop red-retro-groove", x=-1),
        **row(0, "red-retro-slide red-spicy-slide red-street-groove green-spicy-hop red-rave-hop", x=-2),
        **row(1, "blue-retro-slide blue-spicy-slide blue-street-slide", x=-1),
    }
    position = situation(mob, "green-rave-hop green-retro-slide")
    hops = [name for name in oracle.legal(position) if "hop" in name]
    assert hops == [f"hand green-rave-hop c{x}" for x in (-2, -1, 0, 1, 2)]
    earned = []
    for name in hops:
        node = oracle.play(position, name)
        earned.append(node.before["steals_due"] if isinstance(node, oracle.Chance) else 0)
    assert earned == [0, 1, 1, 1, 2]  # one place earns nothing, three earn one, one earns two
    # two, for she is next to another green hop and another rave hop
    node = draw(oracle.play(position, hops[-1]), "blue-street-hop")
    after = decision(draw(node, "blue-street-hop"))
    assert (after["backups"][0], after["to_play"], after["turn"]) == (["blue-street-hop"] * 2, 1, 1)
    assert (after["steals_due"], after["draw"]) == (0, ["blue-street-hop"] * 3)


def test_a_backup_dancer_is_played_two_are_won_and_a_card_is_discarded() -> None:
    mob = row(0, "red-retro-slide green-rave-hop green-spicy-hop")
    hand = "red-retro-slide blue-rave-groove"
    pile = ["blue-retro-groove", "blue-retro-slide", "red-spicy-hop"]
    position = situation(mob, hand, backup="green-street-hop blue-spicy-hop", draw=pile)
    # column 1 pushes the green rave hop up: only that one beside and above it
    node = oracle.play(position, "backup green-street-hop c1")
    assert isinstance(node, oracle.Chance)
    assert (node.kind, node.before["steals_due"], node.before["must_discard"]) == ("draw", 2, True)
    assert [weight for weight, _ in oracle.outcomes(node)] == [1, 1, 1]
    asked = decision(draw(draw(node, "red-spicy-hop"), "blue-retro-groove"))
    assert (asked["phase"], asked["to_play"], asked["must_discard"], asked["steals_due"]) == ("discard", 0, True, 0)
    assert asked["backups"][0] == ["red-spicy-hop", "blue-spicy-hop", "blue-retro-groove"]
    assert oracle.legal(asked) == ["discard blue-rave-groove", "discard red-retro-slide"]
    after = decision(oracle.play(asked, "discard red-retro-slide"))
    assert after["hands"][0] == ["blue-rave-groove"]
    assert (after["draw"], after["draw_face_up"]) == (["blue-retro-slide"], ["red-retro-slide"])
    assert (after["must_discard"], after["turn"], after["to_play"]) == (False, 1, 1)


def test_a_card_played_from_the_hand_is_followed_by_no_discard() -> None:
    position = situation(row(0, "green-retro-hop"), "red-street-groove red-rave-hop", backup="red-retro-hop")
    after = decision(oracle.play(position, "hand red-street-groove r0"))
    assert (after["phase"], after["to_play"], after["draw_face_up"]) == ("play", 1, [])


def test_each_in_sync_neighbour_counts_and_no_other_one() -> None:
    above, left, right = "green-retro-hop", "green-rave-hop", "red-street-hop"
    mob = {"1,0": above, "0,0": left, "2,0": right, "2,1": "green-spicy-hop"}
    for place, card, due in (("", "", 3), ("0,0", "green-rave-slide", 2), ("2,0", "red-spicy-hop", 2)):
        changed = mob | ({place: card} if place else {})
        node = oracle.play(situation(changed, "green-street-hop blue-rave-hop"), "hand green-street-hop c1")
        assert isinstance(node, oracle.Chance)
        assert node.before["mob"]["1,1"] == above
        assert node.before["steals_due"] == due


def test_the_pile_is_drawn_face_down_cards_first_then_those_discarded_in_their_order() -> None:
    mob = {"0,0": "green-retro-hop", "-1,0": "green-rave-hop", "1,0": "green-spicy-hop"}
    known = ["red-retro-slide", "blue-retro-slide", "red-rave-slide"]
    position = situation(mob, "green-street-hop blue-rave-hop", draw=["blue-spicy-groove"], draw_face_up=known)
    node = oracle.play(position, "hand green-street-hop c0")
    assert isinstance(node, oracle.Chance)  # one outcome, but still a chance point
    assert oracle.outcomes(node)[0][0] == 1
    after = decision(oracle.outcomes(node)[0][1])  # the known ones are no chance points
    assert after["backups"][0] == ["blue-spicy-groove", "red-retro-slide", "blue-retro-slide"]
    assert (after["draw"], after["draw_face_up"]) == ([], ["red-rave-slide"])


def test_a_discard_goes_below_all_that_lies_there() -> None:
    more: dict[str, Any] = {"draw": ["blue-rave-hop"], "draw_face_up": ["red-rave-slide", "green-retro-hop"]}
    position = situation({}, "red-street-groove blue-rave-groove", phase="discard", must_discard=True, **more)
    after = decision(oracle.play(position, "discard red-street-groove"))
    assert after["draw_face_up"] == ["red-rave-slide", "green-retro-hop", "red-street-groove"]
    assert (after["draw"], after["discard"]) == (["blue-rave-hop"], [])


def stealing(players: int, backups: list[list[str]], *, backup: str = "", face_up: int = 0) -> oracle.Position:
    """Seat 0 plays with a pile of known cards only and gets three dancers due."""
    mob = {"0,0": "green-retro-hop", "-1,0": "green-rave-hop", "1,0": "green-spicy-hop"}
    return situation(
        mob,
        "green-street-hop blue-rave-hop",
        players=players,
        backups=[backup.split(), *backups],
        draw=[],
        draw_face_up=["red-retro-slide"] * face_up,
    )


def test_an_empty_pile_means_stealing_from_anybody_or_not() -> None:
    position = stealing(3, [["red-rave-hop", "blue-street-slide"], ["blue-retro-hop"]])
    asked = decision(oracle.play(position, "hand green-street-hop c0"))
    assert (asked["phase"], asked["to_play"], asked["steals_due"], asked["must_discard"]) == ("steal", 0, 3, False)
    assert oracle.legal(asked) == [
        *("steal left1 red-rave-hop", "steal left1 blue-street-slide", "steal left2 blue-retro-hop", "no steal"),
    ]
    # one is declined: the next is asked for
    second = decision(oracle.play(asked, "no steal"))
    assert (second["phase"], second["steals_due"]) == ("steal", 2)
    third = decision(oracle.play(second, "steal left2 blue-retro-hop"))
    assert third["backups"] == [["blue-retro-hop"], ["red-rave-hop", "blue-street-slide"], []]
    assert oracle.legal(third) == ["steal left1 red-rave-hop", "steal left1 blue-street-slide", "no steal"]
    after = decision(oracle.play(third, "no steal"))
    assert (after["phase"], after["to_play"], after["steals_due"], after["turn"]) == ("play", 1, 0, 1)


def test_stealing_ends_when_nobody_has_a_dancer_left() -> None:
    position = stealing(2, [["red-rave-hop"]], backup="blue-street-hop")
    asked = decision(oracle.play(position, "hand green-street-hop c0"))
    after = decision(oracle.play(asked, "steal left1 red-rave-hop"))
    assert after["backups"] == [["red-rave-hop", "blue-street-hop"], []]
    assert (after["phase"], after["to_play"], after["steals_due"]) == ("play", 1, 0)
    # and nobody is asked if there is none from the first
    after = decision(oracle.play(stealing(2, [[]], backup="blue-street-hop"), "hand green-street-hop c0"))
    assert (after["phase"], after["to_play"], after["steals_due"]) == ("play", 1, 0)


def test_a_pile_that_gives_out_in_the_middle_leaves_the_rest_to_be_stolen() -> None:
    position = stealing(2, [["red-rave-hop"]], face_up=1)
    asked = decision(oracle.play(position, "hand green-street-hop c0"))
    assert (asked["phase"], asked["steals_due"], asked["backups"][0]) == ("steal", 2, ["red-retro-slide"])
    assert asked["draw_face_up"] == []


def test_the_discard_comes_after_stealing_and_can_be_drawn_in_the_next_turn() -> None:
    position = stealing(2, [["red-rave-hop"]], backup="green-street-hop")
    asked = decision(oracle.play(position, "backup green-street-hop c0"))
    assert (asked["phase"], asked["must_discard"]) == ("steal", True)
    asked = decision(oracle.play(asked, "steal left1 red-rave-hop"))
    assert (asked["phase"], asked["must_discard"]) == ("discard", True)
    after = decision(oracle.play(asked, "discard blue-rave-hop"))
    assert after["draw_face_up"] == ["blue-rave-hop"]
    # the opponent's red spicy hop meets the green spicy hop
    after = decision(oracle.play(after, "hand red-spicy-hop c1"))
    assert (after["backups"][1], after["draw_face_up"], after["to_play"]) == (["blue-rave-hop"], [], 0)


# --- HH-19: the end ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES, ids=name_of_game)
def test_a_game_lasts_as_many_turns_as_the_hands_say(game: tuple[int, dict[str, Any]]) -> None:
    players, options = game
    *_, (end, choice) = oracle.random_game(players, random.Random(3), **options)
    assert choice is None
    end = decision(end)
    assert (end["phase"], end["to_play"]) == ("over", None)
    assert end["turn"] == (12 if players == 2 else 5 * players)
    assert [len(hand) for hand in end["hands"]] == [1] * players
    assert oracle.legal(end) == []


def test_the_last_turn_with_a_backup_dancer_ends_with_its_discard() -> None:
    hands = [["green-retro-hop"], ["blue-retro-groove", "blue-rave-groove"]]
    position = oracle.set_up(
        2, row(0, "red-retro-slide"), hands=hands, backups=[[], ["red-rave-groove"]], to_play=1, turn=11
    )
    asked = decision(oracle.play(position, "backup red-rave-groove r0"))
    assert asked["phase"] == "discard"
    end = decision(oracle.play(asked, "discard blue-rave-groove"))
    assert (end["phase"], end["to_play"], end["turn"]) == ("over", None, 12)
    assert end["draw_face_up"] == ["blue-rave-groove"]
    assert end["must_discard"] is False


# --- HH-20, HH-21: limits ------------------------------------------------------------------------------------------

SIX = "green-retro-hop green-rave-hop green-spicy-hop blue-retro-hop blue-rave-hop blue-spicy-hop"
FIVE = SIX.rsplit(" ", 1)[0]


def test_a_seventh_card_pushes_out_the_one_at_the_far_end() -> None:
    hand = "red-street-groove red-street-slide red-street-hop"
    position = situation(row(0, SIX), hand, players=4, discard=["red-rave-slide"])
    after = decision(oracle.play(position, "hand red-street-groove r0"))
    assert after["mob"] == row(0, f"red-street-groove {FIVE}")
    assert after["discard"] == ["red-rave-slide", "blue-spicy-hop"]
    after = decision(oracle.play(position, "hand red-street-slide r0"))
    assert after["mob"] == row(0, f"{SIX} red-street-slide".split(" ", 1)[1])
    assert after["discard"] == ["red-rave-slide", "green-retro-hop"]
    position = situation(column(2, SIX), hand, players=6)
    after = decision(oracle.play(position, "hand red-street-hop c2"))
    assert (after["mob"], after["discard"]) == (column(2, f"red-street-hop {FIVE}"), ["blue-spicy-hop"])


def test_a_sixth_card_pushes_nothing_out_and_two_or_three_players_know_no_limit() -> None:
    after = decision(
        oracle.play(situation(row(0, FIVE), "red-street-groove red-rave-hop", players=5), "hand red-street-groove r0")
    )
    assert (len(after["mob"]), after["discard"]) == (6, [])
    for players in (2, 3):
        position = situation(row(0, SIX), "red-street-groove red-rave-hop", players=players)
        after = decision(oracle.play(position, "hand red-street-groove r0"))
        assert (len(after["mob"]), after["discard"]) == (7, [])


def test_contact_pushes_the_far_card_out_even_if_the_push_does_not_reach_it() -> None:
    mob = row(0, "green-retro-hop . green-rave-hop green-spicy-hop blue-retro-hop blue-rave-hop blue-spicy-hop")
    position = situation(mob, "red-street-groove red-rave-hop", players=4, **CONTACT)
    after = decision(oracle.play(position, "hand red-street-groove r0"))
    assert after["mob"] == row(0, f"red-street-groove {FIVE}")
    assert after["discard"] == ["blue-spicy-hop"]
    # with a gap before the last card the others stay where they are
    mob = row(0, "green-retro-hop . green-rave-hop green-spicy-hop blue-retro-hop . blue-rave-hop blue-spicy-hop")
    after = decision(
        oracle.play(situation(mob, "red-street-groove red-rave-hop", players=4, **CONTACT), "hand red-street-groove r0")
    )
    assert after["mob"] == row(
        0, "red-street-groove green-retro-hop green-rave-hop green-spicy-hop blue-retro-hop . blue-rave-hop"
    )


def test_exactly_one_card_is_pushed_out_of_a_line_that_crosslines_made_longer() -> None:
    eight = f"{SIX} red-retro-hop red-rave-hop"
    position = situation(row(0, eight), "red-street-groove red-spicy-hop", players=4)
    after = decision(oracle.play(position, "hand red-street-groove r0"))
    assert after["mob"] == row(0, f"red-street-groove {SIX} red-retro-hop")
    assert after["discard"] == ["red-rave-hop"]


def test_only_the_chosen_line_is_looked_at() -> None:
    # the hop lifts a card into a row that then holds seven
    mob = row(1, SIX) | {"6,0": "red-rave-slide"}
    after = decision(oracle.play(situation(mob, "red-street-hop red-spicy-hop", players=4), "hand red-street-hop c6"))
    assert [place for place in after["mob"] if place.endswith(",1")] == [f"{x},1" for x in range(7)]
    assert after["discard"] == []


def test_promo_cards_count_and_can_be_pushed_out() -> None:
    mob = row(0, f"{FIVE} {UNICORN}")
    position = situation(mob, "red-street-groove red-rave-hop", players=4, promo="unicorn")
    after = decision(oracle.play(position, "hand red-street-groove r0"))
    assert (after["mob"], after["discard"]) == (row(0, f"red-street-groove {FIVE}"), [UNICORN])


@pytest.mark.parametrize(
    ("players", "columns", "rows"),
    [(2, (-13, 13), (-1, 13)), (3, (-16, 16), (-1, 16)), (4, (-10, 10), (-2, 13)), (6, (-10, 10), (-2, 13))],
)
def test_a_play_that_would_move_a_card_off_the_table_is_illegal(
    players: int, columns: tuple[int, int], rows: tuple[int, int]
) -> None:
    hand = "red-street-hop red-street-groove red-street-slide"
    far = columns[1]
    mob = {f"{far},{rows[1]}": "green-retro-hop", f"{-far},{rows[0]}": "green-rave-hop"}
    position = situation(mob, hand, players=players)
    assert oracle.legal(position) == [
        f"hand red-street-hop c{-far}",
        f"hand red-street-groove r{rows[0]}",
        f"hand red-street-slide r{rows[1]}",
    ]
    # under contact a gap on the way makes it legal
    mob |= {f"{far - 2},{rows[1]}": "blue-retro-hop", f"{far},{rows[1] - 2}": "blue-rave-hop"}
    contact = situation(mob, hand, players=players, **CONTACT)
    added = {f"hand red-street-groove r{rows[1]}", f"hand red-street-hop c{far}"}
    assert added <= set(oracle.legal(contact))
    assert not added & set(oracle.legal(situation(mob, hand, players=players)))


def test_a_card_pushed_out_does_not_leave_over_the_edge() -> None:
    position = situation(row(0, SIX, x=5), "red-street-groove red-rave-slide", players=4)
    assert "hand red-street-groove r0" in oracle.legal(position)
    after = decision(oracle.play(position, "hand red-street-groove r0"))
    assert (after["mob"], after["discard"]) == (row(0, f"red-street-groove {FIVE}", x=5), ["blue-spicy-hop"])
    # with eight cards the second last would still leave
    eight = f"{SIX} red-retro-hop red-rave-hop"
    inside = situation(row(0, eight, x=3), "red-street-groove red-spicy-hop", players=4)
    assert decision(oracle.play(inside, "hand red-street-groove r0"))["mob"].get("10,0") == "red-retro-hop"


def test_without_a_legal_play_there_is_a_fault() -> None:
    with pytest.raises(ValueError, match="mob"):
        oracle.legal(situation({"10,0": "green-retro-hop"}, "red-street-groove", players=4))


# --- HH-22, HH-23: Grand Finale ------------------------------------------------------------------------------------


def finale(mob: dict[str, str], leads: list[str], backups: list[str], **options: Any) -> oracle.Position:
    """A finished game."""
    position = oracle.set_up(
        len(leads),
        mob,
        hands=[[lead] for lead in leads],
        backups=[cards.split() for cards in backups],
        phase="over",
        **options,
    )
    standings = oracle._standings(position)
    position["winners"] = [standings.index(max(standings))]
    return position


def test_a_finale_of_twelve_points() -> None:
    mob = {
        **row(0, "green-street-hop red-street-hop green-street-slide red-street-slide green-street-groove"),
        **column(4, "red-retro-groove green-rave-groove", y=1),
        "7,0": "blue-spicy-hop",  # the only blue
        "8,1": "green-street-hop",  # another street, but only touching at a corner of nothing
        "0,2": "green-spicy-groove",  # a groove apart
    }
    position = finale(mob, ["blue-street-groove", "green-rave-slide"], ["red-retro-hop red-rave-hop blue-rave-hop", ""])
    assert [oracle.largest_group(oracle.cells_of(position), value) for value in ("groove", "blue", "street")] == [
        3,
        1,
        5,
    ]
    assert oracle.final_scores(position)[0] == 12


def test_what_the_mob_has_none_of_scores_nothing() -> None:
    position = finale(row(0, "green-retro-hop green-rave-hop"), ["red-street-slide", "green-spicy-hop"], ["", ""])
    assert oracle.final_scores(position) == [0, 2 + 2]


def test_groups_do_not_touch_at_corners_or_across_gaps() -> None:
    mob = {"0,0": "green-retro-hop", "1,1": "green-rave-hop", "3,1": "green-spicy-hop", "3,2": "green-street-hop"}
    assert oracle.largest_group(oracle.cells_of({"mob": mob}), "green") == 2


@pytest.mark.parametrize(
    ("leads", "backups", "scores", "ranks"),
    [
        # the higher score
        (["green-retro-hop", "red-spicy-slide"], ["", "red-rave-hop"], [3, 1], [1, 2]),
        # equal scores: more backup dancers
        (["green-retro-hop", "red-spicy-slide"], ["", "red-rave-hop blue-rave-hop red-street-hop"], [3, 3], [2, 1]),
        # .. then more of one colour, then the earlier seat
        (["red-spicy-slide"] * 2, ["red-rave-hop blue-rave-hop", "red-rave-hop red-street-hop"], [2, 2], [2, 1]),
        (["red-spicy-slide"] * 2, ["red-rave-hop red-street-hop", "blue-rave-hop blue-street-hop"], [2, 2], [1, 2]),
        (["red-spicy-slide"] * 3, ["", "", ""], [0, 0, 0], [1, 2, 3]),
    ],
)
def test_ties_always_end(leads: list[str], backups: list[str], scores: list[int], ranks: list[int]) -> None:
    position = finale({"0,0": "green-retro-hop"}, leads, backups)
    result = oracle.result(position)
    assert (result["scores"], result["ranks"]) == (scores, ranks)
    assert result["winners"] == [ranks.index(1)]
    players = len(leads)
    assert result["rewards"]["win"] == [1.0 if rank == 1 else -1 / (players - 1) for rank in ranks]
    assert result["rewards"]["rank"] == [1 - 2 * (rank - 1) / (players - 1) for rank in ranks]
    means = [(sum(scores) - own) / (players - 1) for own in scores]
    assert result["rewards"]["score"] == [own - mean for own, mean in zip(scores, means, strict=True)]


# --- HH-24 to HH-26: promo cards -----------------------------------------------------------------------------------


def test_a_card_next_to_the_unicorn_is_in_sync_with_it() -> None:
    mob = row(0, f"red-retro-slide {UNICORN}")
    position = situation(mob, "green-rave-hop blue-street-groove", promo="unicorn")
    for name, due in (("hand green-rave-hop c1", 1), ("hand green-rave-hop c0", 1), ("hand blue-street-groove r0", 0)):
        node = oracle.play(position, name)
        assert (node.before["steals_due"] if isinstance(node, oracle.Chance) else 0) == due


def test_the_unicorn_belongs_to_every_group_and_joins_two() -> None:
    mob = row(0, f"green-retro-hop {UNICORN} green-rave-groove green-spicy-slide red-street-slide")
    cells = oracle.cells_of({"mob": mob})
    assert oracle.largest_group(cells, "green") == 4
    assert oracle.largest_group(cells, "hop") == 2
    assert oracle.largest_group(cells, "slide") == 2
    assert oracle.largest_group(cells, "blue") == 1  # by itself
    assert oracle.largest_group(cells, "street") == 1


def test_the_zombie_is_red_and_street_and_has_no_move() -> None:
    mob = row(0, f"red-retro-hop {ZOMBIE} green-street-groove")
    cells = oracle.cells_of({"mob": mob})
    values = ("red", "street", "hop", "groove", "slide", "green")
    assert [oracle.largest_group(cells, value) for value in values] == [2, 2, 1, 1, 0, 1]
    position = situation({"0,0": ZOMBIE}, "red-street-hop red-rave-hop", promo="zombie")
    assert isinstance(oracle.play(position, "hand red-street-hop c0"), oracle.Position)  # nothing due


MEALS = [
    # what lies in row 0, what lies there after a groove, eaten, push
    ("A Z B C", "G A Z C", "B", "rigid"),
    ("A Z B C", "G A Z C", "B", "contact"),
    ("Z A", "G Z", "A", "rigid"),
    ("A B Z", "G A B Z", None, "rigid"),
    ("A Z . B C", "G A Z . B C", None, "rigid"),
    ("A Z . B C", "G A Z B C", None, "contact"),
    ("A . Z B C", "G A . Z C", "B", "rigid"),
    ("A . Z B C", "G A Z B C", None, "contact"),
    ("A Z B . C D", "G A Z . C D", "B", "rigid"),
    ("A Z B . C D", "G A Z . C D", "B", "contact"),
]
LETTERS = {
    "G": "red-street-groove",
    "Z": ZOMBIE,
    ".": ".",
    "A": "green-retro-hop",
    "B": "green-rave-slide",
    "C": "blue-spicy-hop",
    "D": "blue-rave-hop",
    "E": "red-rave-slide",
    "F": "red-spicy-hop",
    "H": "red-retro-hop",
}


def spelled(letters: str) -> str:
    return " ".join(LETTERS[letter] for letter in letters.split())


@pytest.mark.parametrize(("before", "after", "eaten", "push"), MEALS)
def test_the_zombie_eats_what_it_is_pushed_into(before: str, after: str, eaten: str | None, push: str) -> None:
    for promo in ("zombie", "vegan_zombie"):
        mob = row(0, spelled(before))
        position = situation(mob, "red-street-groove red-rave-hop", promo=promo, push=push, removed=["red-retro-slide"])
        left = decision(oracle.play(position, "hand red-street-groove r0"))
        assert left["mob"] == row(0, spelled(after))
        assert left["removed"] == ["red-retro-slide", *([LETTERS[eaten]] if eaten else [])]
        assert left["promo"] == promo


def test_the_zombie_eats_in_every_direction_but_not_across() -> None:
    position = situation(column(0, spelled("Z A B")), "red-street-hop red-street-slide", promo="zombie")
    after = decision(oracle.play(position, "hand red-street-hop c0"))
    assert after["mob"] == column(0, f"red-street-hop {ZOMBIE} green-rave-slide")
    after = decision(oracle.play(position, "hand red-street-slide r0"))
    assert (after["removed"], after["mob"]["-1,0"], after["mob"]["0,0"]) == ([], ZOMBIE, "red-street-slide")
    position = situation(row(0, spelled("A Z B")), "red-street-slide red-street-hop", promo="zombie")
    after = decision(oracle.play(position, "hand red-street-slide r0"))
    assert after["mob"] == {"0,0": ZOMBIE, "1,0": "green-rave-slide", "2,0": "red-street-slide"}
    assert after["removed"] == ["green-retro-hop"]


@pytest.mark.parametrize(
    ("before", "after", "eaten", "out"),
    [
        ("A B Z C D E", "G A B Z D E", "C", None),  # the meal makes room
        ("A B C D E Z", "G A B C D E", None, "Z"),  # nothing to eat: the zombie is at the far end
        ("A B Z C D E F", "G A B Z D E", "C", "F"),  # seven are still too many
        ("A B C D E Z F", "G A B C D E", "F", "Z"),  # it eats the far card and is then the far one itself
        ("A B Z C D E F H", "G A B Z D E F", "C", "H"),  # exactly one
        ("A Z . B C D E", "G A Z . B C D", None, "E"),
    ],
)
def test_the_limit_is_checked_after_the_meal(before: str, after: str, eaten: str | None, out: str | None) -> None:
    position = situation(row(0, spelled(before)), "red-street-groove red-rave-hop", players=4, promo="zombie")
    left = decision(oracle.play(position, "hand red-street-groove r0"))
    assert left["mob"] == row(0, spelled(after))
    assert left["removed"] == ([LETTERS[eaten]] if eaten else [])
    assert left["discard"] == ([LETTERS[out]] if out else [])


def test_a_meal_at_the_edge_moves_nothing_off_the_table() -> None:
    mob = row(0, spelled("A Z B C"), x=7)
    position = situation(mob, "red-street-groove red-rave-hop", players=4, promo="zombie")
    assert "hand red-street-groove r0" in oracle.legal(position)
    plain = situation(row(0, spelled("A D B C"), x=7), "red-street-groove red-rave-hop", players=4)
    assert "hand red-street-groove r0" not in oracle.legal(plain)


# --- options and catalogue -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("named", "players", "options"),
    [
        ("players", 1, {}),
        ("players", 7, {}),
        ("players", True, {}),
        ("promo", 2, {"promo": "dragon"}),
        ("promo", 2, {"promo": ["unicorn", "zombie"]}),
        ("promo", 2, {"promo": True}),
        ("push", 2, {"push": "hard"}),
        ("family", 3, {"family": "battle"}),
        ("max_turns", 2, {"max_turns": 100}),
        ("colour", 2, {"colour": "red"}),
    ],
)
def test_impossible_options_are_refused_by_name(named: str, players: int, options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=named):
        oracle.check_options(players, **options)


@pytest.mark.parametrize(
    ("options", "in_position", "in_header"),
    [
        ({}, {}, {"family": "puzzler"}),
        ({"promo": None, "push": None, "family": None, "max_turns": None}, {}, {"family": "puzzler"}),
        ({"promo": "unicorn", "push": "rigid"}, {}, {"family": "puzzler", "promo": "unicorn"}),
        ({"family": "puzzler", **CONTACT}, CONTACT, {"family": "puzzler", **CONTACT}),
    ],
)
def test_options_that_are_not_default_are_recorded(
    options: dict[str, Any], in_position: dict[str, Any], in_header: dict[str, Any]
) -> None:
    rules = oracle.check_options(4, **options)
    assert oracle.recorded_options(rules) == in_position
    assert oracle.header_options(rules) == in_header
    node = oracle.start(4, **options)
    assert isinstance(node, oracle.Chance)
    assert node.before.get("options", {}) == in_position
    assert oracle.rules_of(node.before) == rules


@pytest.mark.parametrize(("players", "count"), [(2, 1441), (3, 1765), (4, 1417), (5, 1453), (6, 1489)])
def test_the_catalogue(players: int, count: int) -> None:
    names = oracle.catalogue(players)
    assert len(names) == len(set(names)) == count
    columns, rows = oracle.check_options(players).columns(), oracle.check_options(players).rows()
    assert names[0] == f"hand green-retro-hop c{columns[0]}"
    per_source = 12 * len(columns) + 24 * len(rows)
    assert names[12 * len(columns)] == f"hand green-retro-groove r{rows[0]}"
    assert names[per_source - 1] == f"hand blue-street-slide r{rows[-1]}"
    assert names[per_source] == f"backup green-retro-hop c{columns[0]}"
    assert names[2 * per_source : 2 * per_source + 37 : 36] == [
        "discard green-retro-hop",
        "steal left1 green-retro-hop",
    ]
    assert names[-2:] == [f"steal left{players - 1} blue-street-slide", "no steal"]


# --- what a seat knows ---------------------------------------------------------------------------------------------


def test_a_view_begins_with_the_own_seat_and_hides_hands_and_pile() -> None:
    position = oracle.set_up(
        3,
        row(0, "green-retro-hop"),
        hands=[["red-rave-hop"], ["red-spicy-hop", "red-street-hop"], ["blue-retro-hop"]],
        backups=[[], ["blue-rave-hop"], []],
        draw=["green-rave-slide"],
        draw_face_up=["green-spicy-slide"],
        to_play=1,
    )
    view = oracle.public_view(position, 2)
    assert (view["seat"], view["to_play"], view["hand"]) == (2, 2, ["blue-retro-hop"])
    assert (view["hand_counts"], view["backups"]) == ([1, 1, 2], [[], [], ["blue-rave-hop"]])
    assert (view["draw_count"], view["draw_face_up"]) == (1, ["green-spicy-slide"])
    text = json.dumps(view)
    assert not any(card in text for card in ("red-rave-hop", "red-spicy-hop", "red-street-hop", "green-rave-slide"))
    other = oracle._copy(
        position, hands=[["red-street-hop"], ["red-spicy-hop", "green-rave-slide"], ["blue-retro-hop"]]
    )
    other["draw"] = ["red-rave-hop"]
    assert oracle.public_view(other, 2) == view
    assert oracle.public_view(other, 0) != oracle.public_view(position, 0)


# --- games ---------------------------------------------------------------------------------------------------------


def test_the_sample_record_is_played_line_by_line() -> None:
    header, *events = (json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines())
    assert header["env"] == "hedgehog_hop-2p-v0"
    node = oracle.start(header["players"], **header["options"])
    assert oracle.header_options(oracle.check_options(header["players"], **header["options"])) == header["options"]
    compared = 0
    for event in events[:-1]:
        if "chance" in event:
            following = oracle.outcomes_card_by_card(node)  # type: ignore[arg-type]
            assert len(following) == event["of"]
            node = following[event["chance"]]
        else:
            node = decision(node)
            assert node["to_play"] == event["seat"]
            node = oracle.play(node, event["action"])
        if "position" in event:
            assert node == event["position"]
            compared += 1
        if "legal" in event:
            assert oracle.legal(decision(node)) == event["legal"]
    assert compared == 14
    end = oracle.result(decision(node))
    assert events[-1] == {**end, "rewards": end["rewards"]["win"]}


def check_what_always_holds(position: oracle.Position) -> None:
    rules = oracle.rules_of(position)
    cards = [card for card in position["mob"].values() if card != rules.promo_card]
    cards += oracle.all_of(position["hands"]) + oracle.all_of(position["backups"])
    cards += position["draw"] + position["draw_face_up"] + position["removed"]
    cards += [card for card in position["discard"] if card != rules.promo_card]
    assert oracle.in_index_order(cards) == oracle.whole_deck(rules.players)
    promos = [*position["mob"].values(), *position["discard"]]
    assert not rules.promo_card or promos.count(rules.promo_card) == 1
    for held in (*position["hands"], *position["backups"], position["draw"]):
        assert held == oracle.in_index_order(held)
    assert oracle.stays_on_the_table(rules, oracle.cells_of(position))
    sizes = [rules.hand_size - len(range(seat, position["turn"], rules.players)) for seat in range(rules.players)]
    if position["phase"] == "steal" and not position["must_discard"]:
        sizes[position["to_play"]] -= 1
    assert [len(hand) for hand in position["hands"]] == sizes
    played = len(rules.first_cells()) + position["turn"] + (position["phase"] in ("steal", "discard"))
    assert len(position["mob"]) + len(position["discard"]) + len(position["removed"]) == played
    assert (position["steals_due"] > 0) == (position["phase"] == "steal")
    assert position["phase"] != "steal" or not position["draw"] + position["draw_face_up"]
    assert position["phase"] != "discard" or position["must_discard"]
    if position["phase"] != "over":
        assert position["to_play"] == position["turn"] % rules.players


@pytest.mark.parametrize("game", GAMES, ids=name_of_game)
def test_random_games_keep_the_order_of_the_catalogue_and_what_always_holds(game: tuple[int, dict[str, Any]]) -> None:
    players, options = game
    names = oracle.catalogue(players, **options)
    rng = random.Random(players)
    for node, choice in oracle.random_game(players, rng, **options):
        if isinstance(node, oracle.Chance):
            continue
        assert json.loads(json.dumps(node)) == node
        check_what_always_holds(node)
        legal = oracle.legal(node)
        assert bool(legal) == (choice is not None)
        in_legal = set(legal)
        assert [name for name in names if name in in_legal] == legal
        for seat in range(players if choice is not None and rng.random() < 0.3 else 0):
            assert oracle.public_view(oracle.reshuffled(node, seat, rng), seat) == oracle.public_view(node, seat)
    result = oracle.result(decision(node))
    assert sorted(result["ranks"]) == list(range(1, players + 1))
    assert result["winners"] == [result["ranks"].index(1)]


@pytest.mark.parametrize("game", GAMES, ids=name_of_game)
def test_random_positions_fit_and_can_be_played_on(game: tuple[int, dict[str, Any]]) -> None:
    players, options = game
    rng = random.Random(7)
    phases = set()
    for position in oracle.random_positions(players, rng, 20, **options):
        check_what_always_holds(position)
        phases.add(position["phase"])
        node = oracle.play(position, rng.choice(oracle.legal(position)))
        if isinstance(node, oracle.Chance):
            node = rng.choice(oracle.outcomes_card_by_card(node))
        if isinstance(node, oracle.Position):
            check_what_always_holds(node)
    assert phases == {"play", "steal", "discard"}
    first, second = (list(oracle.random_positions(players, random.Random(3), 6, **options)) for _ in range(2))
    assert first == second


def test_the_frozen_counts_still_hold_where_they_are_cheap() -> None:
    frozen = json.loads(oracle.COUNTS_FILE.read_text(encoding="utf-8"))
    for entry in frozen["starts"]:
        for depth, count in zip(entry["depths"], entry["counts"], strict=True):
            if count <= 100:
                assert oracle.perft(entry["players"], depth, **entry["options"]) == count
    assert len(frozen["positions"]) >= 20
    for entry in frozen["positions"]:
        distinct = entry.get("distinct", entry["counts"])
        for depth, *both in zip(entry["depths"], entry["counts"], distinct, strict=True):
            if both[0] <= 150:
                assert oracle.perft_both_ways(entry["position"], depth) == tuple(both), entry["about"]


def test_illegal_actions_are_refused_and_leave_the_position_alone() -> None:
    position = situation(row(0, "green-retro-hop"), "red-street-groove red-rave-hop")
    before = json.dumps(position)
    for name in ("hand red-street-groove r1", "hand blue-street-groove r0", "backup red-street-groove r0", "no steal"):
        with pytest.raises(ValueError, match="not legal"):
            oracle.play(position, name)
    oracle.play(position, "hand red-street-groove r0")
    assert json.dumps(position) == before
