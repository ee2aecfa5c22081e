"""Bytes from outside: what is no state of the game is refused before any rule sees it."""

import json

import numpy as np
import pytest

from hopenvs.core import kernels, state
from hopenvs.core.batch import Batch
from hopenvs.core.options import parse_options
from hopenvs.core.state import CHANCE, NOT_CHOSEN, SIMULTANEOUS, TERMINAL
from hopenvs.core.trust import check_record
from tests.core.conftest import pick
from tests.games_for_tests import card_game, tick_game

RUN = "import json, sys; from tests.core.mangled_records import main; print(json.dumps(main(int(sys.argv[1]))))"


@pytest.mark.slow
def test_mangled_records_are_refused_or_play_on_without_a_fault(run_python):
    """In plain Python, where an index out of bounds or a store out of range raises instead of hurting memory."""
    found = json.loads(run_python(RUN, "200", HOPENVS_BACKEND="plain"))
    assert found["faults"] == []
    assert found["refused"] > 300
    assert found["accepted"] > 50, "counters, and games that have ended"


def begun(game, **keywords):
    batch = Batch(game, parse_options(game, {}), 1, **keywords)
    batch.start(kernels.NEW_SEED, [4])
    return batch


def changed(batch, **fields):
    """A copy of the record with some fields set."""
    record = state.copy_states(batch.states)
    for name, value in fields.items():
        record[name][0] = value
    return record


def test_every_state_of_a_game_is_accepted_to_its_end(game):
    batch = begun(game)
    chooser = np.random.default_rng(0)
    for _ in range(1000):
        check_record(batch, batch.states)
        if batch.seat[0] == TERMINAL:
            return
        batch.step(pick(batch.mask, chooser))
    raise AssertionError("no end")


@pytest.mark.parametrize("steps", [1, 2, 3])
def test_the_end_by_a_limit_on_decisions_is_a_state_too(game, steps):
    """Even where the rules know no such end, as while pieces are placed."""
    batch = begun(game, step_limit=steps)
    while batch.seat[0] != TERMINAL:
        batch.step(pick(batch.mask, np.random.default_rng(0)))
    check_record(batch, batch.states)


def test_a_forfeited_game_is_a_state_too(game):
    batch = begun(game, forfeit=True)
    batch.step(np.full((1, batch.seats_asked), batch.spec.num_actions, np.int32))
    assert batch.states["forfeit"][0] == 1
    check_record(batch, batch.states)


@pytest.mark.parametrize(
    "fields",
    [
        {"current_player": 5},
        {"current_player": -3},
        {"current_player": CHANCE},
        {"turn": -1},
        {"plies": -1},
        {"truncated": 1},
        {"truncated": 3},
        {"forfeit": 1},
        {"forfeit": 9, "current_player": TERMINAL},
        {"forfeit": -1, "current_player": TERMINAL},
        {"rewards": 1.0},
        {"rewards": np.nan},
        {"scores": 1},
        {"ranks": 1},
        {"winners": 1},
        {"pending": -2},
        {"pending": 30000},
    ],
    ids=str,
)
def test_a_header_that_play_cannot_make_is_refused(game, fields):
    batch = begun(game)
    with pytest.raises(ValueError, match=f"^no state of {game.ID} under these options: "):
        check_record(batch, changed(batch, **fields))


def test_the_kind_of_turn_must_be_the_games(game):
    batch = begun(game)
    wrong = 0 if batch.spec.simultaneous else SIMULTANEOUS
    with pytest.raises(ValueError, match="no state of"):
        check_record(batch, changed(batch, current_player=wrong))


def test_pending_choices_of_a_tick_must_be_legal_and_not_all_made():
    """Else nobody would be asked, or a tick be due that the rules refuse."""
    batch = begun(tick_game)
    batch.step(np.array([[1, 2, 3]], np.int32))  # seat 0 has bid its 1
    for pending in ([2, NOT_CHOSEN, NOT_CHOSEN], [NOT_CHOSEN, 0, 4], [0, NOT_CHOSEN, 2]):
        check_record(batch, changed(batch, pending=pending))
    for pending in ([1, NOT_CHOSEN, NOT_CHOSEN], [NOT_CHOSEN, NOT_CHOSEN, 5], [2, 1, 1]):
        with pytest.raises(ValueError, match="pending choice"):
            check_record(batch, changed(batch, pending=pending))


def test_a_pending_choice_that_forfeits_is_taken_where_it_forfeits():
    batch = begun(tick_game, forfeit=True)
    check_record(batch, changed(batch, pending=[5, NOT_CHOSEN, NOT_CHOSEN]))


def test_the_games_own_fields_must_be_those_of_the_position():
    batch = begun(card_game)
    for fields in ({"phase": 2}, {"mover": 1}, {"card": 1}, {"bag": 9}, {"hand": 3}, {"points": 1}):
        with pytest.raises(ValueError, match="no state of card_game"):
            check_record(batch, changed(batch, **fields))


def test_loading_a_record_writes_its_results_anew(game):
    """Rewards and ranks of an ended record are never taken on trust."""
    batch = begun(game)
    while batch.seat[0] != TERMINAL:
        batch.step(pick(batch.mask, np.random.default_rng(0)))
    expected = batch.states.tobytes()
    record = state.copy_states(batch.states)
    for name, value in (("rewards", 99.0), ("ranks", 9), ("scores", 99)):
        record[name][0, : batch.spec.num_players] = value
    check_record(batch, record)
    batch.load(record)
    assert batch.states.tobytes() == expected


def test_results_of_seats_that_do_not_play_are_refused():
    batch = begun(card_game)  # two players, room for four
    while batch.seat[0] != TERMINAL:
        batch.step(pick(batch.mask, np.random.default_rng(0)))
    for name in ("rewards", "scores", "ranks", "winners"):
        record = state.copy_states(batch.states)
        record[name][0, 3] = 1
        with pytest.raises(ValueError, match=f"{name} before the end, or of a seat that doesn't play"):
            check_record(batch, record)
