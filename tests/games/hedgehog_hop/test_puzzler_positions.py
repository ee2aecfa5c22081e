"""Positions of the Puzzlers back and forth, and what is refused (C-6)."""

import json
import random
from typing import Any

import pytest

from hopenvs.core.errors import PositionError
from hopenvs.core.walk import walk_of
from tests.games.hedgehog_hop.mob import (
    GAME,
    cards,
    dance,
    legal,
    long,
    new_game,
    options_of,
    play,
    position_of,
    set_up,
)

clause = pytest.mark.clause

EVERY_OPTION = [
    {"players": players, "promo": promo, "push": ("rigid", "contact")[(players + number) % 2]}
    for players in range(2, 7)
    for number, promo in enumerate(("none", "unicorn", "zombie", "vegan_zombie"))
]


def refused(position, match, **options):
    """Setting it up is an error that names the key, and changes nothing."""
    walk = new_game(**options)
    before = walk.states.tobytes()
    with pytest.raises(PositionError, match=match):
        walk.start_from(position)
    assert walk.states.tobytes() == before


def refused_as_it_is(position, match):
    """`refused` under the options that it states."""
    refused(position, match, players=position["players"], promo=position["promo"], **position.get("options", {}))


# ---- back and forth --------------------------------------------------------------------------------------------------
@clause("C-6")
@pytest.mark.parametrize("given", [
    position_of("gah . bts / reg", ["geh", "beh"], backups=["rph bas"], queue="rtg"),
    position_of("gah", ["gth gph"], turn=0),
    position_of("gah", to_play=1, push="contact"),
    position_of("gah . bts / reg uni", at=(-3, 9), promo="unicorn", players=3),
    position_of("gah zom", promo="zombie", removed="rtg geh", turn=2),
    position_of("gah zom", promo="vegan_zombie", removed="rtg", players=5, discard="gah geh"),
    position_of("gah", discard="rtg zom rtg", promo="zombie", players=4),
    position_of("gah", discard="uni", promo="unicorn", players=6, to_play=5),
    position_of("gah", phase="steal", due=2, backups=["", "reh"], rest=0),
    position_of("gah", phase="steal", due=3, must_discard=True, backups=["", "reh"], rest=0, turn=5, players=3),
    position_of("gah", phase="discard", must_discard=True, queue="bts bas geh", players=6),
    position_of("gah", ["geh", "reh"], phase="over", winners=[0]),
    position_of("gah", turn=7, phase="over") | {"truncated": True},
    position_of("gah", turn=7, phase="over", must_discard=True, due=2) | {"truncated": True},
])  # fmt: skip
def test_a_position_is_set_up_and_read_back(given):
    assert set_up(given).position() == json.loads(json.dumps(given))


@clause("C-6")
@pytest.mark.parametrize("options", EVERY_OPTION, ids=lambda options: "-".join(map(str, options.values())))
def test_play_goes_on_in_the_same_way_from_every_position_of_a_game(options):
    o = options_of(**options)
    rng = random.Random(str(options))
    walk = new_game(**options)
    walk.draw_all()
    while True:
        position = walk.position()
        assert json.loads(json.dumps(position)) == position
        again = walk_of(GAME, o, position)
        assert again.position() == position
        assert again.legal_names() == walk.legal_names()
        assert again.batch.keys() == walk.batch.keys()
        if walk.is_over:
            assert again.result() == walk.result()
            return
        name = rng.choice(walk.legal_names())
        for one in (walk, again):
            one.play_named(name)
        assert again.is_chance == walk.is_chance
        while walk.is_chance:
            k = rng.randrange(len(walk.outcomes()))
            walk.happen(k)
            again.happen(k)
        assert again.position() == walk.position()


@clause("C-6", "HH-24")
def test_the_promo_card_has_a_key_of_its_own_and_the_push_is_an_option():
    position = position_of("uni", promo="unicorn", push="contact")
    assert position["promo"] == "unicorn"
    assert position["options"] == {"push": "contact"}
    assert set_up(position).position() == position
    for key, value in (("promo", "unicorn"), ("family", "puzzler"), ("players", 2), ("max_turns", 7)):
        stated = {"push": "contact", key: value}
        refused(position | {"options": stated}, f"'options'.*{key}", promo="unicorn", push="contact")


@clause("C-6")
def test_the_order_of_the_cells_does_not_matter():
    position = position_of("gah . bts / reg")
    other = position | {"mob": dict(reversed(position["mob"].items()))}
    assert set_up(other).position() == position
    assert set_up(other).batch.keys() == set_up(position).batch.keys()


@clause("C-6")
def test_a_chance_point_has_no_position():
    walk = new_game()
    with pytest.raises(PositionError, match="chance"):
        walk.position()
    walk = play(dance("geh", "gth"), "hand gth c0")
    with pytest.raises(PositionError, match="chance"):
        walk.position()


@clause("C-6", "HH-11")
def test_any_mob_can_be_set_up_whether_or_not_play_can_reach_it():
    walk = dance("geh . . . . . bts", "rth rtg", at=(-3, 13))
    assert walk.position()["mob"] == {"-3,13": long("geh"), "3,13": long("bts")}


# ---- malformed or impossible -----------------------------------------------------------------------------------------
TWO = position_of("gah . bts / reg", ["geh bah", "beh res"], backups=["gph"], queue="rtg")
DRAW = TWO["draw"]


@clause("C-6")
@pytest.mark.parametrize(("wrong", "match"), [
    ({"game": "hedgehog"}, "'game'"),
    ({"family": "battle"}, "'family'"),
    ({"family": None}, "'family'"),
    ({"players": 3}, "'players'"),
    ({"players": "2"}, "'players'"),
    ({"promo": "unicorn"}, "'promo'"),
    ({"promo": "none"}, "'promo'"),
    ({"promo": False}, "'promo'"),
    ({"phase": "draw"}, "'phase'"),
    ({"phase": None}, "'phase'"),
    ({"phase": ["play"]}, "'phase'"),
    ({"phase": "steal"}, "'hands'|'steals_due'"),
    ({"phase": "discard"}, "'must_discard'"),
    ({"phase": "over"}, "'turn'"),
    ({"to_play": 1}, "'to_play'"),
    ({"to_play": 2}, "'to_play'"),
    ({"to_play": None}, "'to_play'"),
    ({"to_play": False}, "'to_play'"),
    ({"to_play": "0"}, "'to_play'"),
    ({"turn": 9}, "'to_play'"),
    ({"turn": 8}, "'hands'"),
    ({"turn": 12}, "'turn'"),
    ({"turn": -2}, "'turn'"),
    ({"turn": 10.0}, "'turn'"),
    ({"turn": None}, "'turn'"),
    ({"mob": {}}, "'mob'"),
    ({"mob": []}, "'mob'"),
    ({"mob": None}, "'mob'"),
    ({"mob": {"0;0": "green-rave-hop"}}, "'mob'"),
    ({"mob": {"0,0 ": "green-rave-hop"}}, "'mob'"),
    ({"mob": {"00,0": "green-rave-hop"}}, "'mob'"),
    ({"mob": {"-0,0": "green-rave-hop"}}, "'mob'"),
    ({"mob": {"+1,0": "green-rave-hop"}}, "'mob'"),
    ({"mob": {"0,\u0661": "green-rave-hop"}}, "'mob'"),  # a digit, but none of ours
    ({"mob": {(0, 0): "green-rave-hop"}}, "'mob'"),
    ({"mob": {"14,0": "green-rave-hop"}}, "'mob'.*table"),
    ({"mob": {"-14,0": "green-rave-hop"}}, "'mob'.*table"),
    ({"mob": {"0,14": "green-rave-hop"}}, "'mob'.*table"),
    ({"mob": {"0,-2": "green-rave-hop"}}, "'mob'.*table"),
    ({"mob": {"0,0": "green-rave"}}, "'mob'.*green-rave-hop"),
    ({"mob": {"0,0": "rave-green-hop"}}, "'mob'"),
    ({"mob": {"0,0": "unicorn"}}, "'mob'"),
    ({"mob": {"0,0": None}}, "'mob'"),
    ({"mob": {"0,0": 1}}, "'mob'"),
    ({"mob": {f"{x},{y}": "green-rave-hop" for x in range(10) for y in range(2)}}, "'mob'.*19"),
    ({"mob": TWO["mob"] | {"5,5": long("reg")}}, "'mob'.*red-retro-groove"),
    ({"mob": {"0,0": long("gah")}}, "'draw'.*red-retro-groove is there 0"),
    ({"hands": [cards("geh bah")]}, "'hands'"),
    ({"hands": [cards("geh bah"), cards("beh res"), []]}, "'hands'"),
    ({"hands": None}, "'hands'"),
    ({"hands": "geh"}, "'hands'"),
    ({"hands": [cards("geh"), cards("beh res")]}, "'hands'"),
    ({"hands": [cards("geh gph bah"), cards("beh res")]}, "'hands'"),
    ({"hands": [cards("geh bah"), cards("beh")]}, "'hands'"),
    ({"hands": [cards("bah geh"), cards("beh res")]}, r"'hands\[0\]'.*sorted"),
    ({"hands": [cards("geh bah"), "green"]}, r"'hands\[1\]'"),
    ({"hands": [cards("geh bah"), [1, 2]]}, r"'hands\[1\]'"),
    ({"hands": [cards("geh bah"), ["zombie", "unicorn"]]}, r"'hands\[1\]'"),
    ({"hands": [cards("geh bah"), cards("geh bah")]}, "'hands'"),
    ({"backups": [cards("gph")]}, "'backups'"),
    ({"backups": None}, "'backups'"),
    ({"backups": [cards("gph"), None]}, r"'backups\[1\]'"),
    ({"backups": [[], cards("gph geh")]}, r"'backups\[1\]'.*sorted"),
    ({"backups": [cards("gph gph"), []]}, "'backups'"),
    ({"backups": [["green-spicy-hop"] * 200, []]}, "'backups"),
    ({"draw": DRAW[1:]}, "'draw'"),
    ({"draw": [*DRAW, DRAW[-1]]}, "'draw'"),
    ({"draw": [DRAW[0]] * 200}, "'draw'"),
    ({"draw": DRAW[::-1]}, "'draw'.*sorted"),
    ({"draw": [*DRAW, "zombie"]}, "'draw'"),
    ({"draw": None}, "'draw'"),
    ({"draw_face_up": cards("rtg rtg")}, "'draw_face_up'"),
    ({"draw_face_up": ["red"]}, "'draw_face_up'"),
    ({"draw_face_up": {}}, "'draw_face_up'"),
    ({"draw_face_up": [*cards("rtg"), *DRAW[:10]], "draw": DRAW[10:]}, "'draw_face_up'.*11"),
    ({"discard": DRAW[:1], "draw": DRAW[1:]}, "'discard'.*HH-20"),
    ({"discard": ["unicorn"]}, "'discard'"),
    ({"discard": None}, "'discard'"),
    ({"removed": DRAW[:1], "draw": DRAW[1:]}, "'removed'.*HH-26"),
    ({"removed": 7}, "'removed'"),
    ({"steals_due": 1}, "'steals_due'"),
    ({"steals_due": -1}, "'steals_due'"),
    ({"steals_due": 5}, "'steals_due'"),
    ({"steals_due": False}, "'steals_due'"),
    ({"must_discard": True}, "'must_discard'"),
    ({"must_discard": 0}, "'must_discard'"),
    ({"must_discard": None}, "'must_discard'"),
    ({"winners": [0]}, "'winners'"),
    ({"winners": [2]}, "'winners'"),
    ({"winners": None}, "'winners'"),
    ({"truncated": True}, "'truncated'"),
    ({"truncated": 1}, "'truncated'"),
    ({"options": {"push": "contact"}}, "push"),
    ({"options": {"push": 1}}, "push"),
    ({"options": {"family": "puzzler"}}, "family"),
    ({"options": {"players": 2}}, "players"),
    ({"options": []}, "'options'"),
    ({"weather": "rain"}, "weather"),
])  # fmt: skip
def test_a_malformed_or_impossible_position_is_refused_by_key(wrong, match):
    refused(TWO | wrong, match)


@pytest.mark.parametrize("key", sorted(TWO))
def test_every_key_is_needed(key):
    given = dict(TWO)
    del given[key]
    refused(given, f"'{key}' is missing")


@pytest.mark.parametrize("given", [None, [], "position", 7])
def test_what_is_no_dict_is_no_position(given):
    refused(given, "dict")


STEAL: dict[str, Any] = {"phase": "steal", "due": 2, "backups": ["", "reh"], "rest": 0}


@clause("C-6", "C-4")
@pytest.mark.parametrize(("given", "match"), [
    # a phase that would have been skipped
    (position_of("gah", phase="steal", due=0, backups=["", "reh"], rest=0), "'steals_due'"),
    (position_of("gah", phase="steal", due=2, backups=["", "reh"]), "'phase'.*pile"),
    (position_of("gah", phase="steal", due=2, backups=["", "reh"], queue="bts", rest=0), "'phase'.*pile"),
    (position_of("gah", phase="steal", due=2, rest=0), "'phase'.*opponent"),
    (position_of("gah", phase="discard", due=1, must_discard=True), "'steals_due'"),
    (position_of("gah", phase="discard"), "'must_discard'"),
    # hands that contradict turn and phase
    (position_of("gah", **STEAL) | {"hands": [cards("bps bts"), cards("bas bes")]}, "'hands'"),
    (position_of("gah", ["bps bts"], must_discard=True, **STEAL) | {"must_discard": False}, "'hands'"),
    (position_of("gah", phase="over") | {"hands": [cards("bps bts"), cards("bas")]}, "'hands'"),
    # piles that are larger than turns were played
    (position_of("gah", turn=0, players=4, discard="beh"), "'discard'.*1 card"),
    (position_of("gah zom", turn=3, promo="zombie", removed="beh bah bph bth"), "'removed'.*4"),
    (position_of("gah", turn=1, queue="beh bah"), "'draw_face_up'.*2"),
    (position_of("gah", turn=1, queue="beh bah", phase="discard", must_discard=True), "'draw_face_up'.*2"),
    # a promo card that isn't there once
    (position_of("gah", promo="unicorn"), "'mob'.*unicorn.*0 times"),
    (position_of("uni uni", promo="unicorn"), "'mob'.*unicorn.*2 times"),
    (position_of("uni", discard="uni", promo="unicorn", players=4), "unicorn.*2 times"),
    (position_of("zom", promo="unicorn"), "'mob'.*zombie"),
    (position_of("uni", promo="unicorn", removed="bts"), "'removed'"),
    (position_of("zom", promo="zombie", removed="zom"), "'removed'"),
    (position_of("gah", promo="zombie", discard="zom"), "'discard'"),
    # the end
    (position_of("gah", ["geh", "reh"], phase="over", winners=[1]), "'winners'.*0"),
    (position_of("gah", ["geh", "reh"], phase="over", winners=[0, 1]), "'winners'"),
    (position_of("gah", ["geh", "reh"], phase="over"), "'winners'"),
    (position_of("gah", ["geh", "reh"], phase="over", winners=[0], due=1), "'steals_due'"),
    (position_of("gah", ["geh", "reh"], phase="over", winners=[0], must_discard=True), "'must_discard'"),
    (position_of("gah", ["geh", "reh"], phase="over", winners=[0], turn=11), "'turn'|'hands'"),
    (position_of("gah", ["geh", "reh"], phase="over", winners=[0]) | {"truncated": True}, "'turn'"),
    (position_of("gah", phase="over", winners=[0], turn=7) | {"truncated": True}, "'winners'"),
    (position_of("gah", phase="over", turn=7) | {"truncated": True, "to_play": 1}, "'to_play'"),
    (position_of("gah", phase="over", turn=7) | {"truncated": 1}, "'truncated'"),
])  # fmt: skip
def test_what_contradicts_its_phase_is_refused(given, match):
    refused_as_it_is(given, match)


@clause("HH-21", "C-6")
def test_a_position_without_a_legal_play_is_refused():
    corner = {"10,13": long("geh")}
    with pytest.raises(PositionError, match=r"'mob'.*HH-21"):
        dance(corner, "rth rtg", players=4)
    with pytest.raises(PositionError, match=r"'mob'.*HH-21"):
        dance({"10,0": long("geh")}, "rpg rtg", players=4)  # a hop could be played, but there is none
    assert legal(dance({"10,0": long("geh")}, "rpg rtg", backups=["rth"], players=4)) == ["backup rth c10"]


@clause("HH-18", "C-6")
def test_the_known_cards_of_the_pile_may_be_as_many_as_turns_were_played():
    """Six players, the last turn: the discard that follows is the thirtieth."""
    queue = " ".join(["beh", "bah", "bph", "bth"] * 2 + ["reh", "rah", "rph", "rth"] * 2
                     + ["geh", "gah", "gph", "gth"] * 2 + ["beg", "bag", "bpg", "btg", "reg"])  # fmt: skip
    walk = dance("gas", *[""] * 5, "res ras", players=6, turn=29, queue=queue, phase="discard", must_discard=True)
    play(walk, "discard ras")
    assert walk.is_over
    assert walk.position()["draw_face_up"] == cards(f"{queue} ras")


@clause("HH-1", "C-6")
def test_two_decks_hold_every_card_twice():
    position = position_of("gah", players=4)
    assert position["draw"][:3] == ["green-retro-hop", "green-retro-hop", "green-rave-hop"]
    refused_as_it_is(position | {"draw": position["draw"][1:]}, "green-retro-hop is there 1 times")
    refused_as_it_is(position | {"backups": [cards("geh"), [], [], []]}, "green-retro-hop is there 3 times")
