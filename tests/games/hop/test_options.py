"""Options of HOP!: decks of one's own and skills, and what is refused."""

import json
import pickle

import numpy as np
import pytest

from hopenvs.core.errors import OptionError
from hopenvs.core.options import changed_options
from hopenvs.games.hop.dares import DARES, Dare, read_deck
from tests.games.hop.table import GAME, deck, new_game, options_of, play, stage, table

clause = pytest.mark.clause

ONE = {"id": 0, "base": 0.5, "assister": False, "turbulator": False}


# ---- decks -----------------------------------------------------------------------------------------------------------
@clause("HP-3", "HP-5")
@pytest.mark.parametrize(("wrong", "match"), [
    ({"id": 1}, r"dare 0: id 1: expected 0"),
    ({"id": "0"}, r"dare 0: id '0': expected 0"),
    ({"id": False}, r"dare 0: id False: expected 0"),
    ({"base": 1.01}, r"dare 0: base 1\.01: expected a number from 0 to 1"),
    ({"base": -0.01}, r"dare 0: base -0\.01"),
    ({"base": "easy"}, r"dare 0: base 'easy'"),
    ({"base": True}, r"dare 0: base True"),
    ({"base": float("nan")}, r"dare 0: base nan"),
    ({"base": None}, r"dare 0: base None"),
    ({"assister": 1}, r"dare 0: assister 1: expected true or false"),
    ({"turbulator": None}, r"dare 0: turbulator None: expected true or false"),
    ({"name": 7}, r"dare 0: name 7: expected a text"),
    ({"text": ["throw"]}, r"dare 0: text .*expected a text"),
    ({"name": "two\nlines"}, r"dare 0: name 'two\\nlines': expected a text in one line"),
    ({"text": "\ud800"}, r"dare 0: text .*expected a text in one line"),
    ({"difficulty": "mad"}, r"dare 0: difficulty 'mad': expected one of easy, medium, hard"),
    ({"binds": "turbulator"}, r"dare 0: binds 'turbulator': expected one of hurler, skewerer, both"),
    ({"asister": True}, r"dare 0: unknown key 'asister' \(did you mean assister"),
])  # fmt: skip
def test_a_malformed_dare_is_refused_by_its_number_and_what_is_wrong(wrong, match):
    with pytest.raises(OptionError, match=match):
        options_of(dares=[ONE | wrong])
    behind = {"id": 1, **{key: value for key, value in wrong.items() if key != "id"}}
    if "id" not in wrong:
        with pytest.raises(OptionError, match=match.replace("dare 0", "dare 1")):
            options_of(dares=[ONE, ONE | behind])


@clause("HP-3")
@pytest.mark.parametrize("key", sorted(ONE))
def test_a_dare_that_lacks_a_key_is_refused(key):
    with pytest.raises(OptionError, match=f"dare 1: '{key}' is missing"):
        options_of(dares=[ONE, {name: value for name, value in (ONE | {"id": 1}).items() if name != key}])


@clause("HP-3")
@pytest.mark.parametrize("wrong", [
    [], 7, True, {"0": ONE}, [ONE | {"id": number} for number in range(101)], [7], [None], [[ONE]],
])  # fmt: skip
def test_what_is_no_list_of_1_to_100_dares_is_refused(wrong):
    with pytest.raises(OptionError, match="option dares"):
        options_of(dares=wrong)


@clause("HP-3")
def test_a_deck_may_have_100_dares():
    walk = new_game(dares="- " * 99 + "a")
    assert walk.position()["deck"] == list(range(100))
    assert len(play(walk, "skewerer left1").outcomes()) == 100
    walk.happen(99)
    assert stage(walk) == ("assister", 0)


@clause("HP-5")
@pytest.mark.parametrize(("players", "dares", "playable"), [
    (3, "at", False), (3, "at at at", False), (3, "at a", True), (3, "t", True), (4, "at", True), (6, "at", True),
])  # fmt: skip
def test_a_deck_without_a_playable_dare_is_refused(players, dares, playable):
    if playable:
        assert stage(new_game(players=players, dares=dares)) == ("skewerer", 0)
    else:
        with pytest.raises(OptionError, match="option dares: no dare can be played by 3"):
            options_of(players=players, dares=dares)


@clause("HP-3")
def test_a_deck_can_be_read_from_a_file(tmp_path):
    path = tmp_path / "deck.json"
    path.write_text(json.dumps([ONE | {"name": "Plain", "text": "Just throw."}]), encoding="utf-8")
    o = options_of(dares=[ONE])
    for given in (path, str(path)):
        assert GAME.OPTIONS[2].encode(given) == o.dares
        assert read_deck(given)[0].name == "Plain"


@clause("HP-3")
@pytest.mark.parametrize("content", [None, "no JSON", "{}", "7", '[{"id": 0}]', '["x"]', "\xff"])
def test_a_file_that_holds_no_deck_is_refused(tmp_path, content):
    path = tmp_path / "deck.json"
    if content is not None:
        path.write_bytes(content.encode("latin-1"))
    with pytest.raises(OptionError, match="option dares"):
        GAME.OPTIONS[2].encode(path)


@clause("HP-3")
def test_words_of_a_deck_change_no_rule_and_no_record_of_options():
    words = [dare.as_dict() | {"name": f"Number {dare.id}", "text": "Whatever."} for dare in DARES]
    o = options_of(dares=words)
    assert o == options_of()
    assert o.dares.dares[7].name == "Number 7"
    assert changed_options(GAME, o, for_position=True) == {}


@clause("HP-3", "C-13")
def test_records_state_the_deck_in_any_case_and_positions_one_of_ones_own():
    o = options_of()
    assert changed_options(GAME, o)["dares"] == [dare.as_dict() for dare in DARES]
    own = options_of(dares="- a60")
    for for_position in (True, False):
        stated = changed_options(GAME, own, for_position=for_position)["dares"]
        assert stated == deck("- a60")
        assert options_of(dares=json.loads(json.dumps(stated))) == own


@clause("HP-3")
def test_a_deck_of_a_deck_is_the_same():
    o = options_of(dares=[ONE | {"name": "Plain", "difficulty": "easy", "binds": "both"}])
    assert options_of(dares=o.dares).dares.dares == o.dares.dares
    assert options_of(dares=list(o.dares.dares)).dares.dares == o.dares.dares
    assert pickle.loads(pickle.dumps(o)).dares.dares == o.dares.dares
    assert o.dares.dares == (Dare(0, 50, False, False, "easy", "both", "Plain"),)


@clause("HP-5", "HP-6")
@pytest.mark.parametrize("players", [4, 5, 6])
def test_a_deck_of_dares_with_both_helpers_is_played(players):
    walk = table(players, dares="at at", names=["skewerer left1", "dare 1", "assister left2", "turbulator left3"])
    for _ in range(players - 4):
        play(walk, "bet happy")
    play(walk, "success", "cloud 1", "cloud 2")
    assert walk.position()["clouds"] == [[], [1], [2], *[[]] * (players - 3)]


# ---- skills ----------------------------------------------------------------------------------------------------------
@clause("HP-8")
@pytest.mark.parametrize(("wrong", "match"), [
    ("even", "skills='even'"),
    (0, "skills=0"),
    ([], "skills: 0 rows: expected 3"),
    ([[0.1] * 4] * 2, "skills: 2 rows: expected 3"),
    ([[0.1] * 4] * 4, "skills: 4 rows: expected 3"),
    ([[0] * 4] * 4, "skills: 4 rows: expected 3"),
    ([[0] * 4] * 7, "skills: 7 rows"),
    ([[0.1] * 4, [0.1] * 3, [0.1] * 4], "skills: .*for seat 1"),
    ([[0.1] * 4, [0.1] * 4, 0.1], "skills: 0.1 for seat 2"),
    ([[0.1, 0.1, 0.1, 1.01], *[[0] * 4] * 2], "skills: seat 0: 1.01: expected a number from -1 to 1"),
    ([[0.1, 0.1, 0.1, "0"], *[[0] * 4] * 2], "skills: seat 0: '0'"),
    ([*[[0] * 4] * 2, [0.1, None, 0.1, 0]], "skills: seat 2: None"),
    ([*[[0] * 4] * 2, [0.1, float("inf"), 0.1, 0]], "skills: seat 2: inf"),
    ([*[[0] * 4] * 2, [0.1, True, 0.1, 0]], "skills: seat 2: True"),
])  # fmt: skip
def test_malformed_skills_are_refused(wrong, match):
    with pytest.raises(OptionError, match=match):
        options_of(skills=wrong)


@clause("HP-8", "C-13")
def test_numbers_of_numpy_are_numbers():
    rows = np.full((3, 4), 0.1)
    expected = options_of(players=3, skills=rows.tolist())
    for given in (rows, rows.astype(np.float32), [list(row) for row in rows]):
        assert options_of(players=3, skills=given) == expected
    base = options_of(players=3, dares=[ONE | {"base": np.float32(0.5)}])
    assert base == options_of(players=3, dares=[ONE])


@clause("HP-8")
def test_given_skills_stand_in_records_and_not_among_a_positions_options():
    rows = [[0.1, -0.2, 0.0, 1.0], [0.0] * 4, [0.29, 0.57, -0.58, -1.0]]
    o = options_of(skills=rows)
    assert changed_options(GAME, o)["skills"] == rows
    assert "skills" not in changed_options(GAME, o, for_position=True)
    assert changed_options(GAME, options_of(skills="sampled"))["skills"] == "sampled"
    assert options_of(skills=json.loads(json.dumps(rows))) == o


# ---- others ----------------------------------------------------------------------------------------------------------
@clause("HP-1", "HP-16")
@pytest.mark.parametrize("wrong", [
    {"players": 2}, {"players": 7}, {"players": True}, {"max_turns": 0}, {"throws": "robot"}, {"clouds": 3},
])  # fmt: skip
def test_other_options_that_are_wrong_are_refused(wrong):
    with pytest.raises(OptionError, match=next(iter(wrong))):
        options_of(**wrong)
