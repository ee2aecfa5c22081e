"""Positions of HOP! back and forth, and what is refused (C-6)."""

import copy
import json
import random
from typing import Any

import pytest

from hopenvs.core.errors import PositionError
from hopenvs.core.jit import BACKEND
from hopenvs.core.position import position_options
from hopenvs.core.walk import walk_of
from tests.games.hop.table import GAME, KINDS, deck, new_game, options_of, position_of, table
from tests.oracles import hop as oracle

clause = pytest.mark.clause

PLAIN = BACKEND == "plain"
MANGLED = 250 if PLAIN else 600  # positions, of every number of players

GIVEN_SKILLS = [[0.1, -0.2, 0.0, 0.29], [0.57, -0.58, 1.0, -1.0], [0.0, 0.01, 0.02, 0.03]]

GIVEN = {
    "the start": position_of(5),
    "a later turn": position_of(
        4, hurler=2, turn=10, levels=[3, 1, 6, 2], balloons=[1, 5, 2, 3], doves=[2, 0, 1, 0], crows=[0, 2, 2, 0],
        clouds="012 - 22 1", put_away=[1, 3], success=False,
    ),
    "an assister": position_of(4, phase="assister", hurler=3, skewerer=1, dare=1),
    "an assister before a turbulator": position_of(4, phase="assister", hurler=3, skewerer=1, dare=3),
    "a turbulator": position_of(3, phase="turbulator", hurler=1, skewerer=0, dare=2),
    "a turbulator after an assister": position_of(5, phase="turbulator", skewerer=4, assister=2, dare=3),
    "the first bet": position_of(6, phase="bet", hurler=1, skewerer=3, dare=0),
    "a later bet": position_of(6, phase="bet", hurler=1, skewerer=3, dare=0, bets="- - h - u -", to_play=5),
    "a bet beside both helpers": position_of(6, phase="bet", hurler=5, skewerer=0, assister=2, turbulator=3, dare=3),
    "no cloud left": position_of(3, left=[0, 0, 0]),
    "an empty deck": position_of(3, put_away=[0, 1, 2, 3]),
    "the default deck": position_of(3, dares=None, put_away=[7, 49]),
    "given skills": position_of(3, skills=GIVEN_SKILLS),
    "the end by a level": position_of(3, phase="over", levels=[7, 1, 1], clouds="- 2 1", winners=[0], put_away=[0]),
    "the end by a balloon": position_of(
        3, phase="over", levels=[0, 2, 2], balloons=[0, 5, 5], winners=[1, 2], success=False
    ),
    "cut off": position_of(3, phase="over", turn=500) | {"truncated": True},
}  # fmt: skip


def begun(given, **options):
    """A game of the position's options, with a turn played."""
    players = given.get("players", 3)
    if players not in range(3, 7):
        players = 3
    stated = given["options"] if isinstance(given.get("options"), dict) else {}
    walk = new_game(**{"players": players, "dares": stated.get("dares"), **options})
    walk.draw_all()
    walk.play(0)
    return walk


def refused(given, match, **options):
    """Setting it up is an error that names the key, and changes nothing."""
    walk = begun(given, **options)
    before = walk.states.tobytes()
    with pytest.raises(PositionError, match=match):
        walk.start_from(given)
    assert walk.states.tobytes() == before


@clause("C-6")
@pytest.mark.parametrize("name", GIVEN)
def test_a_position_is_set_up_and_read_back(name):
    given = GIVEN[name]
    skills = GIVEN_SKILLS if name == "given skills" else None
    o = options_of(players=given["players"], dares=given.get("options", {}).get("dares"), skills=skills)
    walk = walk_of(GAME, o, given)
    assert walk.position() == json.loads(json.dumps(given)) == given
    assert walk.is_over == (given["phase"] == "over")


@clause("C-6")
def test_a_position_tells_the_options_it_belongs_to():
    o = options_of(players=3, skills=GIVEN_SKILLS, dares=KINDS)
    told = json.loads(json.dumps(walk_of(GAME, o).position()))
    assert position_options(GAME, told) == {"players": 3, "skills": GIVEN_SKILLS, "dares": deck(KINDS)}
    assert options_of(**position_options(GAME, told)) == o


@clause("C-6")
@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("dares", [None, "- at a t"])
def test_play_goes_on_in_the_same_way_from_every_position_of_a_game(players, dares):
    o = options_of(players=players, dares=dares, skills="sampled")
    rng = random.Random(players)
    walk = walk_of(GAME, o)
    while not walk.is_over:
        if walk.is_chance:
            walk.happen(rng.randrange(len(walk.outcomes())))
            continue
        again = walk_of(GAME, o, walk.position())
        assert again.batch.keys() == walk.batch.keys()
        assert again.legal() == walk.legal()
        action = rng.choice(walk.legal())
        for game in (walk, again):
            game.play(action)
        assert again.batch.keys() == walk.batch.keys()
        assert again.current_player == walk.current_player
    assert walk_of(GAME, o, walk.position()).result() == walk.result()


PLAY = GIVEN["a later turn"]
BET = GIVEN["a later bet"]


# ---- what is refused -------------------------------------------------------------------------------------------------
@clause("C-6")
@pytest.mark.parametrize("name", ["a later turn", "a later bet", "the end by a level"])
@pytest.mark.parametrize("key", sorted(position_of(3) | {"players": 3}))
def test_every_key_is_needed(name, key):
    given = dict(GIVEN[name])
    del given[key]
    refused(given, "'options'" if key == "options" else f"'{key}' is missing", players=GIVEN[name]["players"],
            dares=deck(KINDS))  # fmt: skip


@clause("C-6")
@pytest.mark.parametrize("value", [None, [], "bet", 3])
def test_what_is_no_dict_is_refused(value):
    with pytest.raises(PositionError, match="dict"):
        new_game().start_from(value)


@clause("C-6")
@pytest.mark.parametrize(("wrong", "match"), [
    ({"game": "hooop"}, "'game'"),
    ({"players": 5}, "'players'"),
    ({"players": "4"}, "'players'"),
    ({"weather": "rain"}, "unknown key 'weather'"),
    ({"phase": "throw"}, "'phase'"),
    ({"phase": None}, "'phase'"),
    ({"phase": 0}, "'phase'"),
    ({"phase": "over"}, "'to_play'"),
    ({"phase": "over", "to_play": None}, "'phase'"),
    ({"phase": "assister"}, "'dare'"),
    ({"phase": "bet"}, "'dare'"),
    ({"to_play": 1}, "'to_play'"),
    ({"to_play": None}, "'to_play'"),
    ({"to_play": 4}, "'to_play'"),
    ({"to_play": True, "hurler": 1}, "'to_play'"),
    ({"hurler": 3}, "'to_play'"),
    ({"hurler": None}, "'hurler'"),
    ({"hurler": 4}, "'hurler'"),
    ({"hurler": -1}, "'hurler'"),
    ({"skewerer": 1}, "'skewerer'"),
    ({"assister": 1}, "'assister'"),
    ({"turbulator": 1}, "'turbulator'"),
    ({"skewerer": 4}, "'skewerer'"),
    ({"skewerer": "left1"}, "'skewerer'"),
    ({"skewerer": 2}, "'skewerer'"),
    ({"dare": 0}, "'deck'|'dare'"),
    ({"dare": 0, "deck": [2]}, "'dare'"),
    ({"dare": 4}, "'dare'"),
    ({"dare": "0"}, "'dare'"),
    ({"bets": [None] * 3}, "'bets'"),
    ({"bets": None}, "'bets'"),
    ({"bets": ["happy", None, None, None]}, r"'bets\[0\]'"),
    ({"bets": [None, "glad", None, None]}, r"'bets\[1\]'"),
    ({"bets": [None, None, [], None]}, r"'bets\[2\]'"),
    ({"levels": [3, 1, 6]}, "'levels'"),
    ({"levels": "3162"}, "'levels'"),
    ({"levels": [3, 1, 8, 2]}, r"'levels\[2\]'"),
    ({"levels": [3, -1, 6, 2]}, r"'levels\[1\]'"),
    ({"levels": [3, 1.0, 6, 2]}, r"'levels\[1\]'"),
    ({"levels": [3, 0, 6, 2]}, r"'levels\[1\]'.*HP-13"),
    ({"levels": [3, 1, 7, 2]}, "'phase'"),
    ({"balloons": [1, 6, 2, 3]}, r"'balloons\[1\]'"),
    ({"balloons": [1, 0, 2, 3]}, r"'levels\[1\]'.*HP-13"),
    ({"balloons": [1, 0, 2, 3], "levels": [3, 0, 6, 2]}, "'phase'"),
    ({"balloons": [1, 5, True, 3]}, r"'balloons\[2\]'"),
    ({"doves": [3, 0, 0, 0]}, r"'doves\[0\]'"),
    ({"crows": [0, 0, 0, 3]}, r"'crows\[3\]'"),
    ({"crows": {}}, "'crows'"),
    ({"clouds": [[0, 1, 2], [], [2, 2]]}, "'clouds'"),
    ({"clouds": [[0, 2, 1], [], [2, 2], [1]]}, r"'clouds\[0\]'.*ascending"),
    ({"clouds": [[0, 1, 2], [], [2, 3], [1]]}, r"'clouds\[2\]'"),
    ({"clouds": [[0, 1, 2], [], [2, 2], 1]}, r"'clouds\[3\]'"),
    ({"clouds": [[0, 1, 2], [], [2, 2], [1, 1]]}, r"'cloud_pool\[1\]'"),
    ({"clouds": [[0] * 13, [], [], []], "cloud_pool": [0, 12, 12]}, r"'clouds\[0\]'.*12"),
    ({"clouds": [[0] * 200, [], [], []]}, r"'clouds\[0\]'.*12"),
    ({"clouds": [[0] * 7, [0] * 7, [], []], "cloud_pool": [0, 12, 12]}, "'clouds'.*12"),
    ({"cloud_pool": [11, 10]}, "'cloud_pool'"),
    ({"cloud_pool": [12, 10, 9]}, r"'cloud_pool\[0\]'.*expected 11"),
    ({"cloud_pool": [11, 10, -9]}, r"'cloud_pool\[2\]'"),
    ({"cloud_pool": None}, "'cloud_pool'"),
    ({"deck": [0]}, "'deck': dare 2 is nowhere"),
    ({"deck": [0, 2, 3]}, "'put_away': dare 3"),
    ({"deck": [2, 0]}, "'deck'.*ascending"),
    ({"deck": [0, 0, 2]}, "'deck'.*once"),
    ({"deck": [0, 2, 4]}, "'deck'"),
    ({"deck": "02"}, "'deck'"),
    ({"put_away": [3, 1]}, "'put_away'.*ascending"),
    ({"put_away": [1, None]}, "'put_away'"),
    ({"put_away": [1]}, "'deck': dare 3 is nowhere"),
    ({"skills": [[0.0] * 4] * 3}, "'skills'"),
    ({"skills": [[0.0] * 4] * 3 + [[0.0] * 3]}, r"'skills\[3\]'"),
    ({"skills": [[0.0] * 4] * 3 + [[0.05, 0, 0, 0]]}, r"'skills\[3\]'"),
    ({"skills": [[0.0] * 4] * 3 + [[0, 0, 0, "0"]]}, r"'skills\[3\]'"),
    ({"skills": [[0.0] * 4] * 3 + [[0, 0, 0, 7]]}, r"'skills\[3\]'"),
    ({"skills": "equal"}, "'skills'"),
    ({"turn": -1}, "'turn'"),
    ({"turn": 2.0}, "'turn'"),
    ({"turn": 2**31 - 1}, "'turn'"),
    ({"turn": 0}, "'last_throw'"),
    ({"last_throw": None}, "'last_throw'"),
    ({"last_throw": True}, "'last_throw'"),
    ({"last_throw": {"success": 1}}, "'last_throw'"),
    ({"last_throw": {}}, "'last_throw'"),
    ({"last_throw": {"success": True, "by": 0}}, "'last_throw'"),
    ({"winners": [0]}, "'winners'"),
    ({"winners": None}, "'winners'"),
    ({"winners": [1, 0]}, "'winners'"),
    ({"winners": [4]}, "'winners'"),
    ({"truncated": True}, "'truncated'"),
    ({"truncated": 1}, "'truncated'"),
    ({"options": None}, "'options'"),
    ({"options": []}, "'options'"),
    ({"options": {}}, "'options'"),
    ({"options": {"dares": deck("- a t at -")}}, "'options'"),
    ({"options": {"dares": deck("- a t at60")}}, "'options'"),
    ({"options": {"dares": deck(KINDS)[1:]}}, "'options'.*dare 0"),
    ({"options": {"dares": "nothing.json"}}, "'options'"),
    ({"options": {"dares": deck(KINDS), "skills": "equal"}}, "'options'.*skills"),
    ({"options": {"dares": deck(KINDS), "throws": "external"}}, "'options'.*throws"),
    ({"options": {"dares": deck(KINDS), "players": 4}}, "'options'.*players"),
    ({"options": {"dares": deck(KINDS), "birds": 3}}, "'options'.*birds"),
])  # fmt: skip
def test_a_malformed_or_impossible_position_is_refused_by_key(wrong, match):
    refused(PLAY | wrong, match, players=4, dares=deck(KINDS))


ASSISTER, TURBULATOR = GIVEN["an assister"], GIVEN["a turbulator after an assister"]
END, FALL = GIVEN["the end by a level"], GIVEN["the end by a balloon"]


@clause("C-6", "HP-5", "HP-6", "HP-7")
@pytest.mark.parametrize(("given", "match"), [
    (ASSISTER | {"to_play": 0}, "'to_play'"),
    (ASSISTER | {"skewerer": None}, "'skewerer'"),
    (ASSISTER | {"skewerer": 3}, "'skewerer'"),
    (ASSISTER | {"assister": 0}, "'assister'"),
    (ASSISTER | {"turbulator": 0}, "'turbulator'"),
    (ASSISTER | {"phase": "turbulator"}, "'phase'"),
    (ASSISTER | {"phase": "skewerer"}, "'dare'|'skewerer'"),
    (ASSISTER | {"phase": "bet", "to_play": 0}, "'assister'"),
    (ASSISTER | {"dare": None, "deck": [0, 1, 2, 3]}, "'dare'"),
    (ASSISTER | {"dare": 0, "deck": [1, 2, 3]}, "'phase'"),
    (ASSISTER | {"bets": ["happy", None, None, None]}, r"'bets\[0\]'"),
    (TURBULATOR | {"assister": None}, "'assister'"),
    (TURBULATOR | {"assister": 4}, "'assister'"),
    (TURBULATOR | {"turbulator": 1}, "'turbulator'"),
    (TURBULATOR | {"to_play": 1}, "'to_play'"),
    (TURBULATOR | {"dare": 1, "deck": [0, 2, 3]}, "'phase'"),
    (TURBULATOR | {"dare": 2, "deck": [0, 1, 3]}, "'assister'"),
    (TURBULATOR | {"phase": "bet", "to_play": 1}, "'turbulator'"),
    (position_of(3, phase="assister", skewerer=1, dare=3), "'dare'.*HP-5"),
    (position_of(3, phase="bet", skewerer=1, assister=2, dare=3, to_play=0), "'dare'.*HP-5"),
    (position_of(3, phase="bet", skewerer=1, assister=2, dare=1, to_play=0), "'to_play'"),
    (position_of(3, phase="bet", skewerer=1, assister=2, dare=1, to_play=2), "'to_play'"),
    (position_of(4, phase="bet", skewerer=1, assister=2, turbulator=3, dare=3, to_play=1), "'to_play'"),
    (BET | {"to_play": 1}, "'to_play'"),
    (BET | {"to_play": 3}, "'to_play'"),
    (BET | {"to_play": 2}, r"'bets\[2\]'.*null"),
    (BET | {"to_play": 4}, r"'bets\[4\]'.*null"),
    (BET | {"to_play": 0}, r"'bets\[5\]'.*happy or unhappy"),
    (BET | {"bets": [None, None, None, None, "happy", None]}, r"'bets\[2\]'.*happy or unhappy"),
    (BET | {"bets": [None, "happy", "happy", None, "happy", None]}, r"'bets\[1\]'.*null"),
    (BET | {"bets": [None, None, "happy", "happy", "happy", None]}, r"'bets\[3\]'.*null"),
    (BET | {"bets": ["happy", None, "happy", None, "happy", None]}, r"'bets\[0\]'.*null"),
    (BET | {"assister": 0}, "'assister'"),
    (BET | {"turn": 0}, "'last_throw'"),
])  # fmt: skip
def test_what_contradicts_its_phase_is_refused(given, match):
    refused(given, match)


@clause("C-6", "HP-14", "HP-15", "HP-16")
@pytest.mark.parametrize(("given", "match"), [
    (END | {"winners": []}, "'winners'"),
    (END | {"winners": [1]}, "'winners'"),
    (END | {"winners": [0, 1]}, "'winners'"),
    (END | {"truncated": True, "winners": []}, "'phase'"),
    (END | {"truncated": True}, "'phase'"),
    (END | {"to_play": 0}, "'to_play'"),
    (END | {"levels": [6, 1, 1]}, "'phase'.*HP-14"),
    (END | {"turn": 0, "last_throw": None}, "'turn'"),
    (END | {"skewerer": 1}, "'skewerer'"),
    (END | {"hurler": None}, "'hurler'"),
    (END | {"dare": 1, "deck": [2, 3]}, "'dare'"),
    (END | {"bets": [None, "happy", None]}, r"'bets\[1\]'"),
    (END | {"phase": "skewerer", "to_play": 0, "winners": []}, "'phase'"),
    (FALL | {"winners": [1]}, "'winners'"),
    (FALL | {"levels": [1, 2, 2]}, r"'levels\[0\]'"),
    (FALL | {"levels": [1, 2, 2], "balloons": [1, 5, 5]}, "'phase'"),
    (GIVEN["cut off"] | {"truncated": False}, "'phase'"),
    (GIVEN["cut off"] | {"winners": [0]}, "'winners'"),
    (GIVEN["cut off"] | {"levels": [7, 1, 1]}, "'phase'"),
])  # fmt: skip
def test_what_contradicts_the_end_is_refused(given, match):
    refused(given, match)


@clause("HP-8", "C-6")
@pytest.mark.parametrize("number", [0.01, 0.2, -0.16, 0.125, -1, 1, None, True, "0.1", float("nan")])
def test_skills_that_cannot_be_sampled_are_refused(number):
    given = position_of(3)
    given["skills"][1][2] = number
    refused(given, r"'skills\[1\]'", skills="sampled")


@clause("HP-8", "C-6")
def test_skills_that_can_be_sampled_are_set_up():
    rows = [[-0.15, -0.1, -0.05, 0.0], [0.05, 0.1, 0.15, 0], [0.0, -0.0, 0.15, -0.15]]
    walk = new_game(players=3, skills="sampled", dares=KINDS)
    walk.start_from(position_of(3) | {"skills": rows})
    assert walk.position()["skills"] == rows


@clause("HP-8", "C-6")
def test_skills_that_are_not_the_given_ones_are_refused():
    given = position_of(3, skills=GIVEN_SKILLS)
    refused(given | {"skills": GIVEN_SKILLS[::-1]}, r"'skills\[0\]'.*0\.1", skills=GIVEN_SKILLS)
    refused(given, r"'skills\[0\]'")


@clause("HP-16", "C-6")
@pytest.mark.parametrize("turn", [500, 501, 2**31 - 2])
def test_a_turn_beyond_the_cap_can_be_set_up_and_ends_the_game(turn):
    """C-6: whether play can reach a position isn't asked."""
    walk = table(3, turn=turn, names=["skewerer left1", "dare 0", "bet happy", "failure"])
    assert walk.is_over
    assert walk.position()["truncated"] is True
    assert walk.position()["turn"] == turn + 1


# ---- mangled at random -----------------------------------------------------------------------------------------------
SOME_VALUES: tuple[Any, ...] = (
    *(None, True, False, -1, 0, 1, 2, 3, 5, 7, 12, 36, 127, 128, 2**31, 2**70, 0.5, float("nan"), "", "happy", "bet"),
    *("over", "assister", "skewerer", [], {}, [[]], [None], {"success": False}),
)
SLOTS = ("players", "to_play", "hurler", "skewerer", "assister", "turbulator", "dare", "phase", "bets", "levels",
         "balloons", "doves", "crows", "clouds", "cloud_pool", "deck", "put_away", "skills", "turn", "last_throw",
         "winners", "truncated", "options")  # fmt: skip


def mangled(given, rng):
    """The position with a part or two changed: some value, a neighbouring number, or an item gone or doubled."""
    changed = copy.deepcopy(dict(given))
    for _ in range(rng.choice((1, 1, 2, 3))):
        holder, key = changed, rng.choice(SLOTS)
        while isinstance(holder.get(key) if isinstance(holder, dict) else holder[key], (list, dict)):
            inner = holder[key]
            if not inner or rng.random() < 0.3:
                break
            holder = inner
            key = rng.choice(list(inner)) if isinstance(inner, dict) else rng.randrange(len(inner))
        value = holder.get(key) if isinstance(holder, dict) else holder[key]
        what = rng.random()
        if isinstance(value, list) and value and what < 0.6:
            k = rng.randrange(len(value))
            action = rng.choice(("lose", "double", "shuffle"))
            if action == "lose":
                del value[k]
            elif action == "double":
                value.insert(k, copy.deepcopy(value[k]))
            else:
                rng.shuffle(value)
        elif isinstance(value, int) and not isinstance(value, bool) and what < 0.7:
            holder[key] = value + rng.choice((-1, 1))
        else:
            holder[key] = copy.deepcopy(rng.choice(SOME_VALUES))
    return changed


@clause("C-6")
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_a_mangled_position_is_refused_or_can_be_played_to_the_end(players):
    """Refused without a change, or a game: never an empty mask, never another error."""
    rng = random.Random(players)
    dares = deck("- at a t - a60")
    walk = new_game(players=players, dares=dares)
    messages, taken = [], 0
    positions = list(oracle.random_positions(players, rng, 40, dares=dares))
    for _ in range(MANGLED):
        before = walk.states.tobytes()
        given = mangled(rng.choice(positions), rng)
        try:
            walk.start_from(given)
        except PositionError as error:
            messages.append(str(error))
            assert walk.states.tobytes() == before
            continue
        taken += 1
        assert {"truncated": False} | walk.position() == {"truncated": False} | given
        play_to_the_end(walk, rng)
    assert all("key" in message for message in messages)
    assert len(messages) > MANGLED / 2
    assert taken > MANGLED / 50


def play_to_the_end(walk, rng):
    for _ in range(2000):
        if walk.is_over:
            assert len(walk.result()["ranks"]) == walk.options.players
            return
        if walk.is_chance:
            weights = walk.outcomes()
            assert sum(weights) > 0
            walk.happen(rng.choices(range(len(weights)), weights)[0])
        else:
            legal = walk.legal()
            assert legal
            for seat in range(walk.options.players):
                walk.batch.view((0,), (seat,))
            walk.play(rng.choice(legal))
    raise AssertionError("a game ends")
