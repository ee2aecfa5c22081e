"""Positions of Hooop! back and forth, and what is refused (C-6)."""

import json
import random

import pytest

from hopenvs.core.errors import PositionError
from hopenvs.core.walk import walk_of
from tests.games.hooop.pond import ALL, GAME, new_game, options_of, pond, position_of

TWO = ("12 17 H0", "2 7 H1")
THREE = ("0 H0 H1", "7 H1 H1", "12 14 H2")

clause = pytest.mark.clause


def refused(position, match, **options):
    """Setting it up is an error that names the key, and changes nothing."""
    walk = new_game(players=position.get("players", 2), **options)
    before = walk.states.tobytes()
    with pytest.raises(PositionError, match=match):
        walk.start_from(position)
    assert walk.states.tobytes() == before


@clause("C-6")
@pytest.mark.parametrize("given", [
    position_of(*TWO, hands=[ALL, "parachute"], without="0-1"),
    position_of(*THREE, hands=["", ALL, "remove_bridge"]),
    position_of(*THREE, board="triangle6", to_play=2),
    position_of("12 17 H0", "2 17 H1", phase="push", pushed=(17, 1), kind="jump", hands=["extra_jump", ""]),
    position_of("12 17 H0", "2 17 H1", phase="push", pushed=(17, 1), kind="jump", card_used=True),
    position_of("12 17 H0", "2 17 H1", phase="push", pushed=(17, 0), kind="chute", card_used=True),
    position_of("12 17 17", "2 7 H1", phase="push", pushed=(17, 0), kind="jump"),
    position_of(*TWO, phase="extra", last_jump=12, kind="jump", hands=["remove_bridge", ""]),
    position_of(*TWO, phase="extra", kind="bridge", hands=["extra_bridge", ""], without="0-1"),
    position_of("H1 H1 H1", "2 7 H1", phase="over", to_play=None, winners=[0], kind="jump", card_used=True),
    position_of(*TWO, phase="over", to_play=None, kind="bridge") | {"truncated": True},
    position_of("4", "7", frogs=1, board="square3"),
    position_of(*TWO, cards=False),
])  # fmt: skip
def test_a_position_is_set_up_and_read_back(given):
    options = {"players": given["players"], "board": given["board"], **given.get("options", {})}
    walk = walk_of(GAME, options_of(**options), given)
    assert walk.position() == json.loads(json.dumps(given))


@clause("C-6")
@pytest.mark.parametrize(("wrong", "match"), [
    ({"board": "square3"}, "board"),
    ({"board": None}, "board"),
    ({"phase": "jump"}, "phase"),
    ({"phase": "push"}, "pushed"),
    ({"phase": "over"}, "to_play"),
    ({"phase": "over", "to_play": None}, "winners"),
    ({"to_play": 2}, "to_play"),
    ({"to_play": None}, "to_play"),
    ({"to_play": True}, "to_play"),
    ({"turn": -1}, "turn"),
    ({"turn": 1.0}, "turn"),
    ({"frogs": [[12, 17, "H0"]]}, "frogs"),
    ({"frogs": [[12, 17], [2, 7, "H1"]]}, r"frogs\[0\]"),
    ({"frogs": [[17, 12, "H0"], [2, 7, "H1"]]}, "frogs"),
    ({"frogs": [["H0", 12, 17], [2, 7, "H1"]]}, "frogs"),
    ({"frogs": [[12, 25, "H0"], [2, 7, "H1"]]}, "frogs"),
    ({"frogs": [[12, -1, "H0"], [2, 7, "H1"]]}, "frogs"),
    ({"frogs": [[12, 17, "H2"], [2, 7, "H1"]]}, "frogs"),
    ({"frogs": [[12, 17, True], [2, 7, "H1"]]}, "frogs"),
    ({"frogs": [[12, 17, "H0"], [2, 12, "H1"]]}, "two frogs on leaf 12"),
    ({"frogs": [[12, 12, "H0"], [2, 7, "H1"]]}, "two frogs on leaf 12"),
    ({"frogs": [["H1", "H1", "H1"], [2, 7, "H1"]]}, "winners"),
    ({"frogs": [["H1", "H1", "H1"], ["H0", "H0", "H0"]]}, "frogs"),
    ({"frogs": "12"}, "frogs"),
    ({"bridges": ["0-2"]}, "bridges"),
    ({"bridges": ["1-0"]}, "bridges"),
    ({"bridges": ["0-5", "0-1"]}, "bridges"),
    ({"bridges": ["0-1", "0-1"]}, "bridges"),
    ({"bridges": ["22-H0"]}, "bridges"),
    ({"bridges": [7]}, "bridges"),
    ({"bridges": None}, "bridges"),
    ({"cards": [[]]}, "cards"),
    ({"cards": [["jump"], []]}, "cards"),
    ({"cards": [["parachute", "extra_jump"], []]}, "cards"),
    ({"cards": [["parachute", "parachute"], []]}, "cards"),
    ({"cards": [[1], []]}, "cards"),
    ({"card_used": 1}, "card_used"),
    ({"card_used": True}, "card_used"),
    ({"pushed": {"leaf": 12, "owner": 0}}, "pushed"),
    ({"last_jump": 12}, "last_jump"),
    ({"last_jump": "H0"}, "last_jump"),
    ({"action_kind": "jump"}, "action_kind"),
    ({"action_kind": "leap"}, "action_kind"),
    ({"winners": [0]}, "winners"),
    ({"winners": None}, "winners"),
    ({"truncated": True}, "truncated"),
    ({"truncated": 1}, "truncated"),
    ({"options": {"cards": False}}, "cards"),
    ({"options": {"board": "square5"}}, "board"),
    ({"weather": "rain"}, "weather"),
    ({"players": 3}, "players"),
    ({"game": "hop"}, "game"),
])  # fmt: skip
def test_a_malformed_or_impossible_position_is_refused_by_key(wrong, match):
    given = position_of(*TWO)
    if "players" in wrong:
        with pytest.raises(PositionError, match=match):
            new_game().start_from(given | wrong)
    else:
        refused(given | wrong, match)


@pytest.mark.parametrize("key", sorted(position_of(*TWO)))
def test_every_key_is_needed(key):
    given = position_of(*TWO)
    del given[key]
    with pytest.raises(PositionError, match=f"'{key}' is missing"):
        new_game().start_from(given)


@clause("C-6")
@pytest.mark.parametrize(("given", "match"), [
    (position_of("12 17 H0", "2 7 H1", phase="push", pushed=(17, 1), kind="jump"), "pushed"),
    (position_of("12 17 H0", "2 17 H1", phase="push", pushed=(12, 0), kind="jump"), "pushed|two frogs"),
    (position_of("12 17 H0", "2 17 H1", phase="push", pushed=(17, 1), kind="bridge"), "action_kind"),
    (position_of("12 17 H0", "2 17 H1", phase="push", pushed=(17, 1)), "action_kind"),
    (position_of("12 17 H0", "2 17 H1", phase="push", pushed=(17, 1), kind="chute"), "card_used"),
    (position_of("12 17 H0", "2 17 H1", phase="push", pushed=(17, 1), kind="chute", card_used=True,
                 hands=["parachute", ""]), "parachute"),
    (position_of("12 17 H0", "2 17 H1", phase="push", pushed=(17, 1), kind="jump", card_used=True,
                 hands=["extra_jump", ""]), "extra_jump"),
    (position_of("12 17 H0", "2 17 H1", phase="push", pushed=(17, 1), kind="jump", only="0-1"), "can't jump on"),
    (position_of("12 17 17", "2 17 H1", phase="push", pushed=(17, 1), kind="jump"), "two frogs on leaf 17"),
    (position_of(*TWO, phase="extra", kind="jump", last_jump=12), "skipped"),
    (position_of(*TWO, phase="extra", kind="chute", card_used=True, hands=["remove_bridge", ""]), "action_kind"),
    (position_of(*TWO, phase="extra", hands=["remove_bridge", ""]), "action_kind"),
    (position_of(*TWO, phase="extra", kind="jump", last_jump=2, hands=["remove_bridge", ""]), "last_jump"),
    (position_of(*TWO, phase="extra", kind="jump", last_jump=11, hands=["remove_bridge", ""]), "last_jump"),
    (position_of(*TWO, phase="extra", kind="bridge", last_jump=12, hands=["remove_bridge", ""]), "last_jump"),
    (position_of(*TWO, phase="extra", kind="bridge", card_used=True, hands=["remove_bridge", ""]), "card_used"),
    (position_of(*TWO, phase="extra", kind="bridge", hands=["extra_bridge", ""]), "skipped"),
    (position_of(*TWO, phase="extra", kind="jump", hands=["extra_jump remove_bridge", ""], only=""), "skipped"),
    (position_of("H1 H1 H1", "2 7 H1", phase="over", to_play=None, winners=[0]) | {"truncated": True}, "truncated"),
    (position_of("H1 H1 H1", "2 7 H1", phase="over", to_play=None, winners=[1]), "winners"),
    (position_of("H1 H1 H1", "2 7 H1", phase="over", to_play=None, winners=[0]), "action_kind"),
    (position_of("H1 H1 H1", "2 7 H1", phase="over", to_play=None, winners=[0], kind="bridge"), "action_kind"),
    (position_of("H1 H1 H1", "2 7 H1", phase="over", to_play=None, winners=[0], kind="chute"), "card_used"),
    (position_of("H1 H1 H1", "2 7 H1", phase="over", to_play=None, winners=[0], kind="jump", card_used=True,
                 hands=[ALL, ALL]), "cards"),
    (position_of(*TWO, phase="extra", kind="bridge", hands=["extra_bridge", ""], only=""), "bridges"),
])  # fmt: skip
def test_what_contradicts_its_phase_is_refused(given, match):
    refused(given, match)


@clause("HO-10", "C-6")
def test_more_frogs_in_a_home_than_its_quota_are_refused():
    refused(position_of("12 H1 H1", "7 H1 H1", "8 H2 H2", "9 H3 H3"), "HO-10")
    assert pond("12 H1 H1", "7 H1 H1", "8 H2 H2").position()["frogs"][0] == [12, "H1", "H1"]


@clause("HO-20", "C-6")
@pytest.mark.parametrize(("kind", "used"), [("chute", True), ("jump", True), ("chute", False)])
def test_without_cards_none_was_used(kind, used):
    given = position_of("12 17 H0", "2 17 H1", phase="push", pushed=(17, 1), kind=kind, card_used=used, cards=False)
    refused(given, "HO-20", cards=False)


@clause("HO-20", "C-6")
def test_without_cards_a_hand_is_refused():
    refused(position_of(*TWO, cards=False) | {"cards": [["parachute"], []]}, "cards", cards=False)


@clause("C-6")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_play_goes_on_in_the_same_way_from_every_position_of_a_game(players):
    o = options_of(players=players)
    rng = random.Random(players)
    walk = walk_of(GAME, o)
    for _ in range(150):
        if walk.is_over:
            break
        again = walk_of(GAME, o, walk.position())
        assert again.legal_names() == walk.legal_names()
        assert again.batch.keys() == walk.batch.keys()
        name = rng.choice(walk.legal_names())
        walk.play_named(name)
        again.play_named(name)
        assert again.position() == walk.position()
