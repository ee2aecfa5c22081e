"""`check_game` passes the tiny games in every option, and finds one fault in each of many variants of them."""

import json

import pytest

from hopenvs.core import check
from hopenvs.core.check import GameCheckError, check_game, missing_members, option_sets
from tests.core import faulty_games
from tests.core.conftest import GAMES, finish, start_python
from tests.games_for_tests import card_game, tick_game

# What the check must say of each fault, in part: which promise is broken, and where it can tell, at what decision.
EXPECTED = {
    "member_missing": "members of the contract are missing: evaluate",
    "two_actions_share_a_name": "two actions have the same name",
    "names_parse_as_other_actions": "action 0 is named 'play 1', which parses as 1",
    "any_name_parses": "parse_action takes an unknown name",
    "describe_fails": "decision 1: IndexError",
    "outcome_name_changes_the_record": "chance after decision 0: ",
    "outcome_name_is_no_text": "outcome 0 is named 0: expected text",
    "scene_shows_other_hands": "the picture for seat 0 shows what it can't know",
    "observation_shows_another_hand": "seat 0 sees what it can't know",
    "mask_depends_on_the_bag": "the mask of seat 0 tells what it can't know",
    "observation_out_of_bounds": "section bag is out of bounds at [20]",
    "observation_out_of_bounds_at_the_end": "the end: seat 0 sees values out of bounds",
    "observation_longer_than_its_sections": "IndexError: index out of bounds",
    "sections_share_a_name": "sections share a name",
    "section_bounds_beyond_a_byte": "section hand: bounds 0 to 200 aren't int8",
    "observing_changes_the_record": "decision 1: set up again, the key differs",
    "mask_holds_a_two": "a mask holds other values than 0 and 1",
    "nothing_is_legal": "nothing is legal in {",
    "redealing_changes_the_own_hand": "resample_hidden for seat 0 makes no state of card_game",
    "redealing_loses_a_card": "resample_hidden for seat 0 makes no state of card_game",
    "redealing_does_nothing": "resample_hidden never changes anything",
    "redealing_draws_from_the_games_generator": "resample_hidden draws from the record's generator",
    "others_are_told_which_card_is_buried": "sees the same after 'swap 2' and 'swap 3', but is told which it was",
    "others_are_told_which_card_is_drawn": "sees the same after 'deal 1' and 'deal 2', but is told which it was",
    "a_hidden_game_calls_itself_open": "resample_hidden changes a game of perfect information",
    "no_outcome_has_any_weight": "weights [0, 0, 0",
    "a_weight_is_negative": "weights [-1, 5, 5",
    "there_is_no_outcome": "a chance point without outcomes",
    "chance_never_ends": "no decision after 100 outcomes",
    "a_game_of_chance_calls_itself_one_without": "a chance point, but spec says has_chance=False",
    "there_are_more_outcomes_than_the_facts_say": "outcomes, but spec says 7",
    "there_are_more_decisions_than_the_facts_say": "decisions, but spec says at most 3",
    "a_decision_draws": "a rule draws from the record's generator",
    "setting_up_depends_on_the_global_generator": "played again",
    "play_depends_on_what_was_played_before": "seed 0, decision",
    "positions_forget_the_turn": "the position says another turn than 1",
    "reading_a_position_forgets_the_points": "set up again, {",
    "positions_of_the_end_cannot_be_read": "the end: PositionError: key 'phase': 'over': expected 'turn'",
    "positions_hold_numpy_numbers": "TypeError: Object of type int64 is not JSON serializable",
    "the_end_is_called_otherwise": "expected phase 'over' and nobody to play: {",
    "a_position_may_hold_anything_else": "a position with an unknown key is taken: expected PositionError",
    "a_missing_key_is_no_position_error": "a position without the key 'turn' ends in KeyError: expected PositionError",
    "key_leaves_out_the_hands": "another position has the same key",
    "value_is_not_a_number": "evaluate gives nan for seat 0",
    "evaluating_changes_the_record": "looking at the record changed it",
    "ranks_are_dense": "aren't of the form 1, 2, 2, 4",
    "ranks_are_upside_down": "the end: winner",
    "score_out_of_its_range": "are out of [-11.0, 11.0]",
    "play_never_ends": "no end after 300 decisions",
    "truncation_without_a_stated_cap": "truncated, but the game states no cap",
    "truncation_before_the_cap": "truncated after turn 2 of 100",
    "a_seat_that_does_not_play_is_asked": "decision 2: current_player is 2",
    "a_turn_game_asks_all_at_once": "decision 2: current_player is -2",
    "a_tick_game_asks_one_seat": "decision 1: current_player is 0",
    "the_facts_say_turns_and_the_rules_ticks": "spec says simultaneous=False",
    "the_record_has_no_room_for_all_seats": "3 players, but the record has room for 2",
    "there_are_more_actions_than_a_pending_choice_can_hold": "40000 actions: expected some, and fewer than 32768",
    "a_field_is_unsigned": "field bag: uint8: expected signed numbers",
    "a_rule_stores_out_of_range": "ValueError: memoryview: invalid value",
    "a_rule_reads_out_of_bounds": "IndexError: index out of bounds",
}
RUN = "import json; from tests.core.faulty_games import main; print(json.dumps(main()))"


@pytest.fixture(scope="module")
def said():
    """What the check says of every fault: in plain Python, so that no variant is compiled."""
    return json.loads(finish(start_python(RUN, HOPENVS_BACKEND="plain")))


@pytest.mark.slow
@pytest.mark.parametrize("name", EXPECTED)
def test_a_fault_is_found_and_named(said, name):
    assert said[name] is not None, "the check passes"
    assert EXPECTED[name] in said[name]


def test_every_fault_has_its_message_here():
    assert list(faulty_games.FAULTS) == list(EXPECTED)


@pytest.mark.parametrize("game_", [tick_game, card_game], ids=lambda game: game.ID)
def test_the_games_themselves_pass_in_every_option(game_):
    sets = list(option_sets(game_))
    assert {"players": game_.OPTIONS[0].low} in sets
    for keywords in ({}, {"max_turns": 2}, *sets):
        assert check_game(game_, games=4, seed=10, **keywords) > 0


def test_more_games_are_looked_at_on_demand():
    one, ten = check_game(card_game, games=1), check_game(card_game, games=10)
    assert ten > 5 * one > 0


def test_every_so_many_decisions_are_looked_at_on_demand(monkeypatch):
    looked = []
    look = check._Checks.position

    def note(self, walk, where):
        looked.append(where)
        look(self, walk, where)

    monkeypatch.setattr(check._Checks, "position", note)
    made = check_game(card_game, games=1, every=3)
    assert looked == [f"seed 0, decision {number}" for number in range(1, made + 1, 3)]


def test_the_check_takes_options_and_refuses_unknown_ones():
    assert check_game(card_game, games=1, players=4) > 0
    with pytest.raises(ValueError, match="unknown option 'plyers' of card_game"):
        check_game(card_game, plyers=4)


def test_members_of_the_contract_are_listed_by_name():
    assert [missing_members(game) for game in GAMES.values()] == [[], [], []]
    without = faulty_games.variant(card_game, "bare", {"apply": None, "scene": None, "ID": None})
    assert missing_members(without) == ["ID", "scene", "apply (or apply_joint)"]
    with pytest.raises(GameCheckError, match="ID, scene, apply"):
        check_game(without)
