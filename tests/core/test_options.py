"""Options: people's words to compiled numbers and back, and messages that name what was wrong."""

from typing import Any

import numpy as np
import pytest

from hopenvs.core.errors import OptionError, PositionError, nearest
from hopenvs.core.game import Section, Spec
from hopenvs.core.options import UNUSED, Option, changed_options, options_record, parse_options
from hopenvs.core.position import check_keys, integer, items, read_position, seats, word
from hopenvs.core.walk import Walk
from hopenvs.games import igel_aergern as igel
from tests.games_for_tests import card_game, tick_game

igel_aergern: Any = igel
FLAG = Option("flag", False, "A flag.")
COUNT = Option("count", 3, "A count.", 1, 9)
KIND = Option("kind", "small", "A kind.", choices=("small", "large"))
ROW = Option("row", None, "A row.", 0, 5, length=4)


# ---- one option -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("option", "value", "code"),
    [
        (FLAG, True, 1),
        (FLAG, np.False_, 0),
        (COUNT, 9, 9),
        (COUNT, np.int8(1), 1),
        (KIND, "large", 1),
        (ROW, (1, 2), (1, 2)),
        (ROW, [0, 5, 5], (0, 5, 5)),
        (ROW, np.array([4]), (4,)),
    ],
)
def test_a_value_is_coded_and_read_back(option, value, code):
    found = option.encode(value)
    assert found == code
    assert type(found) in (int, tuple)
    back = option.decode(option.fill(found))
    assert back == (value if isinstance(value, (bool, str)) else list(code) if isinstance(code, tuple) else code)
    assert option.encode(back) == code


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        (FLAG, 1, "option flag=1: expected True or False"),
        (FLAG, "yes", "option flag='yes': expected True or False"),
        (COUNT, 0, "option count=0: expected an integer from 1 to 9"),
        (COUNT, 10, "option count=10: expected an integer from 1 to 9"),
        (COUNT, True, "option count=True: expected an integer from 1 to 9"),
        (COUNT, 3.0, "option count=3.0: expected an integer from 1 to 9"),
        (COUNT, "3", "option count='3': expected an integer from 1 to 9"),
        (KIND, "Large", "option kind='Large': expected one of 'small', 'large'"),
        (KIND, 1, "option kind=1: expected one of 'small', 'large'"),
        (ROW, 3, "option row=3: expected a sequence of at most 4 integers from 0 to 5"),
        (ROW, (1, 6), "option row=(1, 6): expected a sequence of at most 4 integers from 0 to 5"),
        (ROW, (1, True), "option row=(1, True): expected a sequence of at most 4 integers from 0 to 5"),
        (ROW, (1,) * 5, "option row=(1, 1, 1, 1, 1): expected a sequence of at most 4 integers from 0 to 5"),
        (ROW, np.array(3), "option row=array(3): expected a sequence of at most 4 integers from 0 to 5"),
        (ROW, "12", "option row='12': expected a sequence of at most 4 integers from 0 to 5"),
    ],
)
def test_a_value_that_does_not_fit_is_named_with_what_was_expected(option, value, message):
    with pytest.raises(OptionError) as caught:
        option.encode(value)
    assert str(caught.value) == message


def test_tuples_are_filled_to_their_length():
    assert ROW.fill((1, 2)) == (1, 2, UNUSED, UNUSED)
    assert COUNT.fill(3) == 3


# ---- all of a game's ------------------------------------------------------------------------------------------------
def test_defaults_come_from_the_table_and_what_follows_from_them(game):
    assert parse_options(game, {}) == game.Options()
    everything_none = dict.fromkeys((option.name for option in game.OPTIONS), None)
    assert parse_options(game, everything_none) == game.Options(), "None counts as not given"


def test_the_table_and_the_compiled_options_have_the_same_names_in_the_same_order(game):
    assert [option.name for option in game.OPTIONS] == list(game.Options._fields)
    assert game.OPTIONS[0].name == "players"


def test_an_unknown_option_is_refused_with_a_suggestion_and_the_list():
    with pytest.raises(OptionError) as caught:
        parse_options(igel_aergern, {"piller": True})
    message = str(caught.value)
    assert message.startswith("unknown option 'piller' of igel_aergern (did you mean pillars")
    assert "it takes players, goal_count" in message


def test_suggestions_are_close_words_or_none():
    assert nearest("plyers", ["players", "ticks"]) == " (did you mean players?)"
    assert nearest("zzz", ["players", "ticks"]) == ""


def test_changed_options_are_what_a_person_would_have_to_say(game):
    assert changed_options(game, parse_options(game, {})) == {}
    for option in game.OPTIONS:
        if option.name != "players" and not option.length and not option.choices and option.default is not None:
            value = True if option.default is False else option.low
            try:
                options = parse_options(game, {option.name: value})
            except OptionError:  # impossible without further options
                continue
            changed = changed_options(game, options)
            assert changed[option.name] == value
            assert parse_options(game, changed) == options
            assert (option.name in changed_options(game, options, for_position=True)) == option.in_position


def test_a_derived_option_counts_as_changed_only_against_what_would_follow():
    options = parse_options(igel_aergern, {"pieces": 2})
    assert changed_options(igel_aergern, options) == {"pieces": 2}, "goal_count 2 follows from it"
    options = parse_options(igel_aergern, {"tracks": 3, "columns": 5, "pits": (2, 3, 1)})
    assert changed_options(igel_aergern, options) == {"tracks": 3, "columns": 5, "pits": [2, 3, 1]}


def test_the_record_of_options_holds_what_the_tuple_does(game):
    options = parse_options(game, {})
    record = options_record(options)
    assert record.shape == (1,)
    for name in options._fields:
        value = getattr(options, name)
        assert record[name][0].tolist() == (list(value) if isinstance(value, tuple) else value)
        assert record.dtype[name].base == np.int32


# ---- the facts ------------------------------------------------------------------------------------------------------
def test_a_layout_lists_sections_in_order_without_gaps():
    spec = Spec(
        num_players=2,
        num_actions=3,
        sections=(Section("a", (2, 3), 0, 1, "."), Section("b", (), -1, 5, "."), Section("c", (4,), 0, 9, ".")),
        record_seats=2,
    )
    assert spec.observation_size == 11
    assert spec.layout == {"a": (slice(0, 6), (2, 3)), "b": (slice(6, 7), ()), "c": (slice(7, 11), (4,))}
    low, high = spec.bounds()
    assert low.dtype == high.dtype == np.int8
    assert low.tolist() == [0] * 6 + [-1] + [0] * 4
    assert high.tolist() == [1] * 6 + [5] + [9] * 4


# ---- positions ------------------------------------------------------------------------------------------------------
def a_position(game, **options):
    walk = Walk(game, parse_options(game, options))
    walk.start(1)
    walk.draw_all()
    return walk, walk.position()


@pytest.mark.parametrize("wrong", [None, [], "x", 5, {}], ids=repr)
def test_what_is_no_position_is_refused(game, wrong):
    walk, _ = a_position(game)
    before = walk.states.tobytes()
    with pytest.raises(PositionError, match=r"a position is a dict|key 'game' is missing"):
        walk.start_from(wrong)
    assert walk.states.tobytes() == before


def test_every_key_is_needed_and_no_other_is_taken(game):
    walk, position = a_position(game)
    before = walk.states.tobytes()
    for key in position:
        with pytest.raises(PositionError, match=f"key '{key}'"):
            walk.start_from({k: v for k, v in position.items() if k != key})
    with pytest.raises(PositionError, match="unknown key 'wether'"):
        walk.start_from(position | {"wether": 1})
    with pytest.raises(PositionError, match=r"unknown key 'trun' \(did you mean turn"):
        walk.start_from({("trun" if k == "turn" else k): v for k, v in position.items()} | {"turn": 0})
    assert walk.states.tobytes() == before


@pytest.mark.parametrize("wrong", [None, True, 1.5, "x", -(10**9), 10**9, [], {}, [None], [[[]]]], ids=repr)
def test_a_wrong_value_names_its_key_or_fits(game, wrong):
    """No value, however odd, ends in another exception than PositionError."""
    walk, position = a_position(game)
    messages = []
    for key in position:
        try:
            walk.start_from(position | {key: wrong})
        except PositionError as error:
            messages.append(str(error))
    assert messages
    assert all("key " in message for message in messages)


def test_a_position_of_another_game_or_table_is_refused():
    walk, position = a_position(card_game, players=3)
    for change, message in (
        ({"game": "tick_game"}, "key 'game': 'tick_game': expected 'card_game'"),
        ({"players": 2}, "key 'players': 2: expected "),
        ({"players": True}, "key 'players': True: expected "),
        ({"options": {"goal": 9}}, "key 'options': goal=9: this environment has 6"),
        ({"options": {"gaol": 9}}, "key 'options': unknown option 'gaol' (did you mean goal?)"),
        ({"options": {"goal": "x"}}, "key 'options': option goal='x': expected an integer from 2 to 12"),
        ({"options": [1]}, "key 'options': [1]: expected a dict"),
    ):
        with pytest.raises(PositionError) as caught:
            walk.start_from(position | change)
        assert str(caught.value).startswith(message)
    walk.start_from(position | {"options": {"goal": None}})
    walk.start_from(position | {"options": {"goal": 6}})


def test_a_position_states_options_that_are_not_the_games_default():
    walk, position = a_position(tick_game, ticks=3, max_turns=7)
    assert position["options"] == {"ticks": 3}, "max_turns is no part of a position"
    with pytest.raises(PositionError, match="key 'options': ticks='the default': this environment has 3"):
        walk.start_from({k: v for k, v in position.items() if k != "options"})


def test_parts_of_positions_are_read_strictly():
    assert integer(3, "turn", 0, 9) == 3
    assert word({"phase": "play"}, "phase", ("play", "over")) == "play"
    assert items((1, 2), "row", 2, "cells") == [1, 2]
    assert seats([0, 2], "winners", 3) == [0, 2]
    check_keys({"a": 1}, ("a",), optional=("b",))
    for read, message in (
        (lambda: integer(True, "turn", 0, 9), "key 'turn': True: expected an integer from 0 to 9"),
        (lambda: integer(np.int64(3), "turn", 0, 9), "key 'turn'"),
        (lambda: word({"phase": 1}, "phase", ("play", "over")), "key 'phase': 1: expected one of play, over"),
        (lambda: items([1], "row", 2, "cells"), r"key 'row': \[1\]: expected a list of 2: cells"),
        (lambda: items("ab", "row", 2, "cells"), "key 'row': 'ab': expected a list of 2"),
        (lambda: seats([1, 0], "winners", 3), r"key 'winners': \[1, 0\]: expected seats in ascending order"),
        (lambda: seats([0, 0], "winners", 3), "expected seats in ascending order, each once"),
        (lambda: seats([3], "winners", 3), "key 'winners': 3: expected an integer from 0 to 2"),
    ):
        with pytest.raises(PositionError, match=message):
            read()


def test_positions_that_contradict_the_options_are_refused_before_the_game_reads_them():
    walk, position = a_position(tick_game)
    blank = walk.states.copy()
    with pytest.raises(PositionError):
        read_position(tick_game, walk.options, position | {"players": 4}, walk.record)
    assert walk.states.tobytes() == blank.tobytes()
