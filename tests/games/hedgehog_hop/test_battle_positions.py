"""Positions of Dance Battle Royale back and forth, and what is refused (C-6)."""

import copy
import functools
import json
import random

import pytest

from hopenvs.core.errors import PositionError
from hopenvs.core.jit import BACKEND
from hopenvs.core.walk import Walk, walk_of
from tests.games.hedgehog_hop.crew_table import (
    DULL,
    GAME,
    IN_SYNC,
    LONG,
    SHORT,
    new_game,
    options_of,
    position_of,
    table,
)

clause = pytest.mark.clause
every_number = pytest.mark.parametrize("players", [3, 4, 5, 6])

GIVEN = {
    "three play": position_of(players=3, hands=["rah", "rth res", ""], known=["", "res"], discard="beh gph"),
    "three lay crews": position_of("beh bah / - -", "- - / - -", "- - / - -", phase="crew"),
    "three draw no more": position_of(IN_SYNC, *DULL[1:3], draw="", phase="collect", pending="start", audition="rth"),
    "three settle the end": position_of(IN_SYNC, *DULL[1:3], draw="", phase="collect", pending="end", round=0,
                                        audition="rth bes", must_discard=True, discard="beh rah"),
    "three discard": position_of(players=3, phase="discard", must_discard=True, hands=["rah"], to_play=0),
    "the line is gone": position_of(players=3, hands=["rah"], audition=""),
    "the finale of three": position_of(players=3, hands=["beh"], phase="over", winners=[0]),
    "a draw of three": position_of("rah gpg / reg bas", "rph gtg / gts ras", "rth beh / beg rps", phase="over"),
    "three are cut off": position_of(players=3, phase="over", audition="rah res", round=50) | {"truncated": True},
    "three are cut off while they lay crews": position_of("beh bah / - -", "- - / - -", "- - / - -", phase="crew")
    | {"phase": "over", "to_play": None, "truncated": True},
    "four lay crews": position_of("beh bah / beh bah", "rah - / - -", players=4, phase="crew", to_play=1),
    "four plan": position_of(players=4, phase="plan", round=2, to_play=0, planned="- - rah beh"),
    "four play": position_of(players=4, round=5, to_play=3, known=["", "", "", ""], hands=["", "", "", "beh beh"]),
    "four start a turn": position_of(*DULL[:3], IN_SYNC, phase="collect", pending="start", round=5, to_play=3,
                                     planned="gah - - rah", known=["gah", "", "", "rah"]),
    "four end a turn": position_of(*DULL[:3], IN_SYNC, phase="collect", pending="end", round=5, to_play=3),
    "four end a round": position_of(*DULL[:3], IN_SYNC, phase="collect", pending="round", to_play=3, draw="", rest=0),
    "four are done": position_of(players=4, hands=["beh beh bah"], phase="over", round=8, winners=[0]),
    "four are cut off": position_of(players=4, phase="over", planned="rah gah - -", round=2) | {"truncated": True},
    "five play": position_of(players=5, round=4, to_play=0, planned="rph ? ? ? -"),
    "six plan": position_of(players=6, phase="plan", round=5, to_play=5),
}  # fmt: skip


begun = functools.cache(new_game)  # for trying positions out


def refused(position, match):
    """Setting it up is an error that names the key, and changes nothing."""
    walk = begun(position["players"])
    before = walk.states.tobytes()
    with pytest.raises(PositionError, match=match):
        walk.start_from(position)
    assert walk.states.tobytes() == before


@clause("C-6")
@pytest.mark.parametrize("name", GIVEN)
def test_a_position_is_set_up_and_read_back(name):
    given = GIVEN[name]
    walk = walk_of(GAME, options_of(players=given["players"]), json.loads(json.dumps(given)))
    assert walk.position() == given
    assert walk.is_over == (given["phase"] == "over")
    assert walk.current_player == (-4 if walk.is_over else given["to_play"])


@clause("C-6")
@every_number
def test_play_goes_on_in_the_same_way_from_every_position_of_a_game(players):
    o = options_of(players=players)
    rng = random.Random(players)
    walk, again = walk_of(GAME, o), walk_of(GAME, o)
    phases = set()
    for _ in range(1 if BACKEND == "plain" else 2):
        walk.start(0)
        while not walk.is_over:
            if walk.is_chance:
                walk.happen(rng.randrange(len(walk.outcomes())))
                continue
            again.start_from(walk.position())
            assert again.position() == walk.position()
            assert again.legal_names() == walk.legal_names()
            assert again.batch.keys() == walk.batch.keys()
            for seat in range(players):
                assert (again.batch.view((0,), (seat,))[1] == walk.batch.view((0,), (seat,))[1]).all()
            phases.add((walk.position()["phase"], walk.position()["pending"]))
            name = rng.choice(walk.legal_names())
            walk.play_named(name)
            again.play_named(name)
            assert again.batch.keys() == walk.batch.keys()
        again.start_from(walk.position())
        assert again.position() == walk.position()
        assert again.result() == walk.result()
    assert {phase for phase, _ in phases} >= ({"crew", "play", "discard"} if players == 3 else {"crew", "plan", "play"})


# ---- keys ------------------------------------------------------------------------------------------------------------
THREE, FOUR = GIVEN["three play"], GIVEN["four play"]


@clause("C-6")
@pytest.mark.parametrize("given", [THREE, FOUR], ids=["three", "four"])
@pytest.mark.parametrize("key", sorted(THREE))
def test_every_key_is_needed(given, key):
    with pytest.raises(PositionError, match=f"'{key}' is missing"):
        begun(3 if given is THREE else 4).start_from({name: value for name, value in given.items() if name != key})


@clause("C-6")
@pytest.mark.parametrize(("wrong", "match"), [
    ({"game": "hop"}, "'game'"),
    ({"family": "puzzler"}, "'family'"),
    ({"family": None}, "'family'"),
    ({"players": 2}, "'players'"),
    ({"players": "4"}, "'players'"),
    ({"players": True}, "'players'"),
    ({"phase": "dance"}, "'phase'"),
    ({"phase": None}, "'phase'"),
    ({"phase": ["play"]}, "'phase'"),
    ({"phase": "over"}, "'to_play'"),
    ({"to_play": None}, "'to_play'"),
    ({"to_play": True}, "'to_play'"),
    ({"to_play": -1}, "'to_play'"),
    ({"to_play": 6}, "'to_play'"),
    ({"crews": None}, "'crews'"),
    ({"crews": []}, "'crews'"),
    ({"crews": [[None] * 4] * 4}, "'crews'"),
    ({"crews": "crews"}, "'crews'"),
    ({"hands": None}, "'hands'"),
    ({"hands": [[]]}, "'hands'"),
    ({"planned": None}, "'planned'"),
    ({"planned": [None]}, "'planned'"),
    ({"planned": {}}, "'planned'"),
    ({"audition": None}, "'audition'"),
    ({"audition": ["green-rave"]}, "'audition'"),
    ({"audition": [3]}, "'audition'"),
    ({"draw": None}, "'draw'"),
    ({"draw": [None]}, "'draw'"),
    ({"discard": None}, "'discard'"),
    ({"discard": "green-rave-hop"}, "'discard'"),
    ({"discard": ["green-rave-jump"]}, "'discard'.*green-rave-hop"),
    ({"start": None}, "'start'"),
    ({"start": 4}, "'start'"),
    ({"start": False}, "'start'"),
    ({"round": None}, "'round'"),
    ({"round": -1}, "'round'"),
    ({"round": 2.0}, "'round'"),
    ({"turn": None}, "'turn'"),
    ({"turn": -1}, "'turn'"),
    ({"turn": 2**31 - 1}, "'turn'"),
    ({"turn": "3"}, "'turn'"),
    ({"acted": None}, "'acted'"),
    ({"acted": [True]}, "'acted'"),
    ({"acted": [0, 0, 0, 0]}, "'acted'"),
    ({"pending": "now"}, "'pending'"),
    ({"pending": False}, "'pending'"),
    ({"pending": ["start"]}, "'pending'"),
    ({"pending": "start"}, "'pending'"),
    ({"pending": "end"}, "'pending'"),
    ({"pending": "round"}, "'pending'"),
    ({"must_discard": 1}, "'must_discard'"),
    ({"must_discard": None}, "'must_discard'"),
    ({"must_discard": True}, "'must_discard'"),
    ({"last_turn": 0}, "'last_turn'"),
    ({"last_turn": True}, "'last_turn'"),
    ({"known": None}, "'known'"),
    ({"known": [[], []]}, "'known'"),
    ({"winners": None}, "'winners'"),
    ({"winners": [0]}, "'winners'"),
    ({"winners": [1, 0]}, "'winners'"),
    ({"winners": [9]}, "'winners'"),
    ({"truncated": True}, "'truncated'"),
    ({"truncated": None}, "'truncated'"),
    ({"truncated": 1}, "'truncated'"),
    ({"options": []}, "'options'"),
    ({"options": {"max_turns": 150}}, "max_turns"),
    ({"options": {"family": "battle"}}, "family"),
    ({"options": {"promo": "unicorn"}}, "promo"),
    ({"promo": None}, "promo"),
    ({"weather": "rain"}, "weather"),
], ids=str)  # fmt: skip
@pytest.mark.parametrize("given", [THREE, FOUR], ids=["three", "four"])
def test_a_malformed_key_is_refused_by_its_name(given, wrong, match):
    walk = begun(given["players"])
    if wrong == {"acted": [0, 0, 0, 0]}:
        wrong = {"acted": [0] * given["players"]}
    with pytest.raises(PositionError, match=match):
        walk.start_from(given | wrong)


@clause("C-6")
@pytest.mark.parametrize("value", [None, [], "play", 3])
def test_what_is_no_dict_is_refused(value):
    with pytest.raises(PositionError, match="dict"):
        begun(3).start_from(value)


@clause("C-6")
@pytest.mark.parametrize("key", ["hands", "known", "audition", "draw"])
def test_piles_without_an_order_are_sorted_by_index(key):
    given = position_of(players=4, phase="plan", hands=["rah bes"], known=["rah bes"])
    pile = given[key][0] if key in ("hands", "known") else given[key]
    pile.reverse()
    refused(given, f"'{key}.*sorted by index")


@clause("C-6")
def test_the_discard_pile_keeps_its_order():
    for discard in ("beh gph", "gph beh"):
        walk = table(players=3, discard=discard, hands=["rah"])
        assert [SHORT[card] for card in walk.position()["discard"]] == discard.split()


# ---- cards -----------------------------------------------------------------------------------------------------------
def moved(given, source, target, card=0):
    """The position with a card moved from one list, by its path, to another; sorted where it has to be."""
    given = copy.deepcopy(given)
    lists = []
    for path in (source, target):
        value = given
        for step in path:
            value = value[step]
        lists.append(value)
    lists[1].append(lists[0].pop(card))
    if target[0] != "discard":
        lists[1].sort(key=list(LONG.values()).index)
    return given


@clause("HH-1", "C-6")
@every_number
def test_all_cards_are_there_once_a_deck(players):
    given = position_of(players=players, hands=["rah beh"] + ["gts"] * (players > 3))
    del given["draw"][3]
    refused(given, "'draw'|'crews'")
    given = position_of(players=players, hands=["rah beh"] + ["gts"] * (players > 3))
    given["draw"].append(given["draw"][-1])
    refused(given, "expected")


@clause("HH-1", "C-6")
def test_a_card_that_is_there_too_often_is_told_with_the_keys_that_hold_it():
    given = position_of(players=3, hands=["rah"])
    given["hands"][1] = [LONG["geh"]]  # which lies in seat 0's crew
    refused(given, "'crews', 'hands'.*green-retro-hop")


@clause("HH-40", "C-6")
@pytest.mark.parametrize(("crews", "to_play"), [
    (["beh bah / - -", "rah - / - -", "- - / - -"], 0),  # seat 1 hasn't had its turn
    (["beh bah / - -", "rah - / - -", "- - / - -"], 1),  # seat 0 has had it
    (["beh - / bah -", "- - / - -", "- - / - -"], 0),  # a cell was left out
    (["- beh / - -", "- - / - -", "- - / - -"], 0),
    (["beh bah / bph bth", "- - / - -", "- - / - -"], 0),  # it is complete
    (["- - / - -", "- - / - -", "- - / - -"], 2),
])  # fmt: skip
def test_crews_are_laid_in_order(crews, to_play):
    refused(position_of(*crews, phase="crew", to_play=to_play), "'crews'")


@clause("HH-40", "C-6")
@pytest.mark.parametrize("given", [THREE, FOUR, GIVEN["the finale of three"], GIVEN["four plan"]])
def test_after_that_no_cell_is_empty(given):
    given = copy.deepcopy(given)
    given["crews"][1][3] = None
    refused(given, "'crews'")


@clause("HH-40", "C-6")
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_while_crews_are_laid_everybody_has_seven_cards(seat):
    given = GIVEN["three lay crews"]
    refused(moved(given, ("hands", seat), ("draw",)), "'hands'.*7")
    refused(moved(given, ("draw",), ("hands", seat)), "'hands'.*7")


@clause("HH-40", "HH-41", "C-6")
@pytest.mark.parametrize(("wrong", "match"), [
    ({"turn": 1}, "'turn'"), ({"round": 1}, "in round 1|'round'"), ({"start": 1}, "'start'"),
    ({"known": [["blue-retro-hop"], [], []]}, "'known'"),
    ({"last_turn": True}, "'last_turn'"), ({"must_discard": True}, "'must_discard'"), ({"pending": "end"}, "'pending'"),
])  # fmt: skip
def test_while_crews_are_laid_nothing_else_has_happened(wrong, match):
    refused(position_of("- - / - -", "- - / - -", "- - / - -", phase="crew", hands=["beh"]) | wrong, match)
    wrong = {key: [*value, []] if key == "known" else value for key, value in wrong.items()}
    refused(position_of("- - / - -", players=4, phase="crew", hands=["beh"]) | wrong, match)


@clause("HH-41", "C-6")
@pytest.mark.parametrize("players", [3, 4])
def test_while_crews_are_laid_there_is_no_line(players):
    given = position_of("- - / - -", players=players, phase="crew")
    refused(moved(given, ("draw",), ("audition",)), "'phase'|'audition'")


@clause("HH-41", "C-6")
@every_number
def test_the_line_has_seven_cards_at_most(players):
    given = position_of(players=players)
    assert len(given["audition"]) == 7
    refused(moved(given, ("draw",), ("audition",)), "'audition'")


@clause("HH-50", "C-6")
def test_the_discard_pile_is_no_larger_than_what_the_line_has_lost():
    given = position_of(players=3, audition="rah rth", discard="beh gah gph bth res")
    assert table(players=3, audition="rah rth", discard="beh gah gph bth res").position() == given
    refused(moved(given, ("draw",), ("discard",)), "'discard'")
    refused(position_of(players=3, audition="rah rth", discard="beh gah gph bth res", hands=["reh"], phase="discard",
                        must_discard=True), "'discard'")  # fmt: skip


@clause("C-6")
@pytest.mark.parametrize(("given", "card"), [
    (position_of(players=3, hands=["rah"]), "rth"),  # not in hand
    (position_of(players=4, hands=["rah"]), "bts"),  # in the own crew, or planned
    (position_of(players=4, planned="rah", hands=["res"]), "rah"),  # revealed
])  # fmt: skip
def test_what_is_known_to_be_in_a_hand_is_there(given, card):
    seat = given["to_play"]
    refused(given | {"known": [[LONG[card]] if s == seat else [] for s in range(given["players"])]}, "'known'")


@clause("C-6", "HH-55")
def test_a_card_is_known_as_often_as_hand_and_hidden_plan_have_it():
    given = position_of(players=4, planned="? rth ? ?", to_play=0, start=0, round=4, hands=["", "rth"])
    twice = given | {"known": [[], [LONG["rth"]] * 2, [], []]}
    assert walk_of(GAME, options_of(players=4), twice).position() == twice
    once = position_of(players=4, planned="? beh ? ?", to_play=0, start=0, round=4, hands=["", "rth"])
    refused(once | {"known": [[], [LONG["rth"]] * 2, [], []]}, "'known'")


# ---- three players ---------------------------------------------------------------------------------------------------
SETTLING = GIVEN["three settle the end"]


@clause("C-6")
@pytest.mark.parametrize(("given", "match"), [
    (position_of(players=3, hands=["rah"]) | {"to_play": 1}, "'to_play'"),
    (THREE | {"round": 2}, "'round'"),
    (THREE | {"turn": 6}, "'round'"),
    (THREE | {"turn": 4}, "'to_play'"),
    (THREE | {"start": 1}, "'start'"),
    (THREE | {"acted": [True, False, False]}, "'acted'"),
    (THREE | {"phase": "plan"}, "'phase'"),
    (THREE | {"phase": "discard"}, "'must_discard'"),
    (THREE | {"must_discard": True}, "'must_discard'"),
    (THREE | {"last_turn": True}, "'last_turn'"),
    (moved(THREE, ("hands", 0), ("draw",)) | {"planned": ["red-rave-hop", None, None]}, "'planned'"),
    (GIVEN["the line is gone"] | {"last_turn": False}, "'last_turn'"),
    (position_of(players=3, audition=""), "'hands'"),  # nothing to play
    (position_of(players=3, phase="discard", must_discard=True), "'hands'"),  # nothing to discard
    (GIVEN["three discard"] | {"must_discard": False}, "'must_discard'"),
    (GIVEN["three discard"] | {"pending": "end"}, "'pending'"),
    (SETTLING | {"pending": None}, "'pending'"),
    (SETTLING | {"pending": "round"}, "'pending'"),
    (SETTLING | {"pending": "start", "turn": 3, "round": 1}, "'must_discard'"),
    (GIVEN["three draw no more"] | {"turn": 0, "round": 0}, "'pending'"),  # no start check in the first round
    (position_of(players=3, draw="", phase="collect", pending="end"), "'phase'.*In Sync"),
    (position_of(IN_SYNC, players=3, phase="collect", pending="end"), "'phase'.*draw pile"),
    (position_of(IN_SYNC, players=3, draw="", phase="collect", pending="end", audition=""), "'phase'.*line"),
])  # fmt: skip
def test_what_contradicts_the_phase_of_three_is_refused(given, match):
    refused(given, match)


# ---- four to six players ---------------------------------------------------------------------------------------------
@clause("C-6")
@pytest.mark.parametrize(("given", "match"), [
    (FOUR | {"phase": "discard"}, "'phase'"),
    (FOUR | {"start": 2}, "'start'"),
    (FOUR | {"round": 4}, "'start'|'turn'"),
    (FOUR | {"round": 8}, "'round'"),
    (FOUR | {"turn": 21}, "'turn'"),
    (FOUR | {"to_play": 1}, "'acted'|'planned'"),
    (FOUR | {"acted": [False, False, True, False], "turn": 21}, "'acted'"),
    (FOUR | {"must_discard": True}, "'must_discard'"),
    (FOUR | {"last_turn": True}, "'last_turn'"),
    (position_of(players=4, planned="- ? ? ?"), "'planned'"),
    (position_of(players=4, planned="? ? ? -", round=0), "'planned'"),
    (position_of(players=4, planned="? ? - -", phase="plan", to_play=3, round=2), "'planned'"),
    (position_of(players=4, planned="- - - -", phase="plan", to_play=3, round=2), "'planned'"),
    (position_of(players=4, planned="- - ? ?", phase="plan", to_play=3, round=2), "'planned'"),
    (position_of(players=4, planned="? - - -", phase="crew") | {"crews": [[None] * 4] * 4}, "'planned'|'hands'|hand"),
    (moved(GIVEN["four plan"], ("hands", 1), ("draw",)), "'hands'"),  # it can't plan
    (moved(GIVEN["four plan"], ("hands", 0), ("draw",)), "'hands'"),
    (moved(position_of(players=4, to_play=3, round=2), ("hands", 2), ("draw",)), "'hands'"),  # it has been bumped one
    (moved(GIVEN["four end a turn"], ("hands", 3), ("draw",)), "'hands'"),
    (position_of(players=4, phase="collect", pending="end"), "'phase'.*In Sync"),
    (position_of(players=4, phase="collect", pending="start"), "'phase'.*In Sync"),
    (position_of(IN_SYNC, players=4, phase="collect", pending="start", round=0), "'pending'"),
    (position_of(IN_SYNC, players=4, phase="collect", pending="end", round=0, audition="", draw="", rest=3), "'phase'"),
    (position_of(*DULL[:3], IN_SYNC, phase="collect", pending="round", to_play=3), "'phase'.*draw pile"),
    (GIVEN["four start a turn"] | {"pending": "end"}, "'planned'"),
    (GIVEN["four end a turn"] | {"pending": "start"}, "'planned'"),
    (GIVEN["four end a turn"] | {"pending": "round"}, "'acted'|'planned'"),
    (GIVEN["four end a turn"] | {"pending": None}, "'pending'"),
    (GIVEN["four end a round"] | {"acted": [False] * 4, "turn": 4}, "'acted'"),
])  # fmt: skip
def test_what_contradicts_the_phase_of_four_is_refused(given, match):
    refused(given, match)


# ---- the end ---------------------------------------------------------------------------------------------------------
DONE, ENDED = GIVEN["four are done"], GIVEN["the finale of three"]


@clause("C-6")
@pytest.mark.parametrize(("given", "match"), [
    (DONE | {"round": 7, "start": 3, "turn": 28}, "'round'"),
    (DONE | {"round": 9, "start": 1, "turn": 36}, "'round'"),
    (DONE | {"start": 1}, "'start'"),
    (DONE | {"acted": [True] * 4, "turn": 36}, "'acted'"),
    (DONE | {"pending": "round"}, "'pending'"),
    (DONE | {"winners": []}, "'winners'"),
    (DONE | {"winners": [1]}, "'winners'"),
    (DONE | {"winners": [0, 1]}, "'winners'"),
    (DONE | {"truncated": True}, "'round'|'winners'"),
    (GIVEN["four are cut off"] | {"truncated": False}, "'round'"),
    (GIVEN["four are cut off"] | {"winners": [0]}, "'winners'"),
    (moved(DONE, ("hands", 0), ("draw",)) | {"planned": [LONG["beh"], None, None, None]}, "'planned'"),
    (ENDED | {"pending": "end"}, "'pending'"),
    (ENDED | {"must_discard": True}, "'must_discard'"),
    (ENDED | {"last_turn": False}, "'last_turn'"),
    (moved(ENDED, ("draw",), ("audition",)) | {"last_turn": False}, "'audition'"),
    (moved(ENDED, ("draw",), ("audition",)), "'last_turn'"),
    (ENDED | {"winners": [1]}, "'winners'"),
    (ENDED | {"to_play": 0}, "'to_play'"),
    (ENDED | {"truncated": True}, "'winners'"),
])  # fmt: skip
def test_what_contradicts_the_end_is_refused(given, match):
    refused(given, match)


@clause("C-6", "C-9")
def test_a_game_cut_short_shows_no_more_than_before():
    """Plans and crews that nobody has seen stay unseen when such a position is set up."""
    walk = Walk(GAME, options_of(players=4))
    walk.start(0)
    layout = walk.spec.layout
    walk.start_from(GIVEN["four are cut off"])
    for seat in range(4):
        seen = walk.batch.view((0,), (seat,))[1][0]
        assert not seen[layout["revealed"][0]].any()
        assert seen[layout["own_plan"][0]].sum() == (seat < 2)
    walk = walk_of(GAME, options_of(players=3), GIVEN["three are cut off while they lay crews"])
    part, shape = walk.spec.layout["crews"]
    crews = [walk.batch.view((0,), (seat,))[1][0][part].reshape(shape).sum() for seat in range(3)]
    assert crews == [6, 0, 0]
