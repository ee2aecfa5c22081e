"""Game records: written, read and replayed without a generator; each fault is named with its line."""

import itertools
import json

import numpy as np
import pytest

from hopenvs.core import state
from hopenvs.core.errors import RecordError
from hopenvs.core.options import parse_options
from hopenvs.core.record import GameRecord, play_record, read_records
from hopenvs.core.walk import Walk
from tests.core.conftest import GAMES, pick
from tests.games_for_tests import card_game, tick_game


def recorded(game, seed=1, positions=True, **options):
    walk = Walk(game, parse_options(game, options))
    chooser = np.random.default_rng(seed)
    header = {"env": game.ID, "options": options, "players": walk.spec.num_players, "seed": seed}
    choose = lambda walk: tuple(map(int, pick(walk.batch.mask, chooser)[0]))  # noqa: E731
    return walk, play_record(walk, header, choose, positions=positions)


def replayed(game, lines, **options):
    walk = Walk(game, parse_options(game, options))
    GameRecord.of(lines).replay(walk)
    return walk


@pytest.mark.parametrize("positions", [True, False])
def test_a_record_replays_to_the_same_bytes_without_its_seed(game, positions):
    walk, record = recorded(game, positions=positions)
    lines = list(record.lines())
    lines[0] = json.dumps({**json.loads(lines[0]), "seed": 987_654})
    again = replayed(game, lines)
    assert state.body(again.states).tobytes() == state.body(walk.states).tobytes()
    assert again.result() == walk.result() == json.loads(lines[-1])


def test_the_same_seed_and_decisions_make_the_same_record(game):
    assert list(recorded(game)[1].lines()) == list(recorded(game)[1].lines())
    assert list(recorded(game)[1].lines()) != list(recorded(game, seed=2)[1].lines())


def test_a_tick_is_recorded_as_a_joint_line_and_an_outcome_by_number():
    _, record = recorded(tick_game)
    assert record.events[0]["joint"] == [name for name in record.events[0]["joint"] if name in tick_game.NAMES]
    assert len(record.events[0]["joint"]) == 3
    assert len(record.header["legal"]) == 3, "a list per seat"
    chances = [event for event in record.events if "chance" in event]
    assert all(event["of"] == 3 and event["position"]["game"] == "tick_game" for event in chances)
    before_chance = [a for a, b in itertools.pairwise(record.events) if "chance" in b]
    assert before_chance
    assert not any("position" in event for event in before_chance), "a chance point has no position"


def test_a_dealt_card_has_an_outcome_for_each_card_left():
    _, record = recorded(card_game)
    deal = record.events[:4]
    assert [event["of"] for event in deal] == [12, 11, 10, 9]
    assert "position" not in record.header, "chance comes first"


def test_every_line_is_visited(game):
    walk, record = recorded(game)
    visits = []
    record.replay(Walk(game, walk.options), lambda w: visits.append(w.is_over))
    assert visits == [False] * len(record.events) + [True]


def test_positions_and_legal_lists_may_stand_on_some_lines_only(game):
    _, record = recorded(game)
    thinned = [json.loads(line) for line in record.lines()]
    for line in thinned[1::2]:
        line.pop("position", None)
    for line in thinned[::3]:
        line.pop("legal", None)
    replayed(game, thinned)


def test_a_record_may_break_off_or_lack_its_result(game):
    _, record = recorded(game)
    lines = list(record.lines())
    assert not replayed(game, lines[:-2]).is_over
    assert replayed(game, lines[:-1]).is_over


def test_a_record_may_begin_anywhere(game):
    walk, record = recorded(game)
    middle = [event for event in record.events if "position" in event and event["position"]["phase"] != "over"][2]
    header = {"env": game.ID, "options": {}, "players": walk.spec.num_players, "seed": 5}
    chooser = np.random.default_rng(1)
    choose = lambda walk: tuple(map(int, pick(walk.batch.mask, chooser)[0]))  # noqa: E731
    again = Walk(game, walk.options)
    if again.spec.has_chance and game is card_game:
        again.start(5)
        with pytest.raises(RecordError, match="line 1: a position, but chance comes first"):
            replayed(game, [header | {"position": middle["position"]}])
        return
    later = play_record(again, header, choose, position=middle["position"])
    assert later.header["position"] == middle["position"]
    assert replayed(game, list(later.lines())).result() == again.result()


def test_several_games_in_a_file_are_told_apart():
    lines = [line for seed in (1, 2) for line in recorded(tick_game, seed)[1].lines()]
    records = list(read_records(["", *lines, "  "]))
    assert [record.header["seed"] for record in records] == [1, 2]
    assert records[1].first_line == 2 + len(records[0].events) + 2
    with pytest.raises(RecordError, match="expected one game, found 2"):
        GameRecord.of(lines)
    with pytest.raises(RecordError, match="expected one game, found 0"):
        GameRecord.of([])


def test_a_record_comes_from_text_lines_or_dicts():
    _, record = recorded(card_game)
    text = "\n".join(record.lines())
    for given in (record, text, text.splitlines(), [json.loads(line) for line in record.lines()]):
        assert GameRecord.of(given).events == record.events


def test_a_forfeit_ends_a_record(game):
    walk, record = recorded(game, positions=False)
    lines = [json.loads(line) for line in record.lines()]
    first = next(k for k, line in enumerate(lines) if "action" in line or "joint" in line)
    players = walk.spec.num_players
    result = {
        "rewards": [-1.0] + [1 / (players - 1)] * (players - 1),
        "ranks": [players] + [1] * (players - 1),
        "scores": [0] * players,
        "winners": list(range(1, players)),
    }
    again = replayed(game, [*lines[:first], {"forfeit": 0}, result])
    assert again.is_over
    assert again.record.forfeit == 1


# ---- what is refused ------------------------------------------------------------------------------------------------
HEADER = {"env": "tick_game", "options": {}, "players": 3, "seed": 0}
BIDS = {"joint": ["bid 1", "bid 2", "bid 3"]}
PRIZE = {"chance": 0, "of": 3}


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([{}], "line 1: expected a header with the key 'env' first"),
        (["not json"], "line 1: no JSON"),
        ([b"\xff"], "line 1: no JSON"),
        ([5], "line 1: expected a JSON object, not int"),
        (["[1]"], "line 1: expected a JSON object, not list"),
        ([HEADER | {"players": "3"}], "line 1: header key 'players': '3': expected int"),
        ([HEADER | {"players": True}], "line 1: header key 'players': True: expected int"),
        ([HEADER | {"options": []}], r"line 1: header key 'options': \[\]: expected dict"),
        ([HEADER | {"players": 2}], "line 1: players 2: expected 3"),
        (
            [HEADER, {"move": 1}],
            r"line 2: keys \['move'\]: expected one of action, joint, chance, forfeit or 'rewards'",
        ),
        ([HEADER, {"joint": ["bid 1", "bid 2"]}], "line 2: joint: expected one action a seat"),
        ([HEADER, {"joint": 5}], "line 2: joint: expected one action a seat"),
        ([HEADER, {"joint": None}], "line 2: joint: expected one action a seat"),
        ([HEADER, {"joint": ["bid 1", "bid 2", 3]}], "line 2: unknown action 3"),
        ([HEADER, {"joint": ["bid 1", "bid 2", "bid 9"]}], "line 2: unknown action 'bid 9'"),
        ([HEADER, {"seat": 0, "action": "bid 1"}], "line 2: seat 0: it is the turn of -2"),
        ([HEADER, PRIZE], "line 2: chance, but a decision is due"),
        ([HEADER, BIDS, BIDS], "line 3: a decision, but chance comes first"),
        ([HEADER, BIDS, PRIZE | {"of": 4}], "line 3: chance of 4 outcomes: by the rules there are 3"),
        ([HEADER, BIDS, {"chance": 0}], "line 3: chance of None outcomes: by the rules there are 3"),
        ([HEADER, BIDS, PRIZE | {"chance": 3}], "line 3: outcome 3: expected 0 to 2"),
        ([HEADER, BIDS, PRIZE | {"chance": -1}], "line 3: outcome -1: expected 0 to 2"),
        ([HEADER, BIDS, PRIZE | {"chance": "0"}], "line 3: outcome '0': expected an integer"),
        ([HEADER, BIDS, PRIZE | {"chance": True}], "line 3: .*True: expected"),
        ([HEADER, BIDS, PRIZE, BIDS], "line 4: .*'bid 1'.* is illegal"),
        ([HEADER, {"forfeit": 3}], "line 2: forfeit of 3: expected a seat"),
        ([HEADER, {"forfeit": True}], "line 2: .*True: expected"),
        ([HEADER, {"forfeit": 0}, BIDS], "line 3: the game is over: expected the result"),
        ([HEADER, {"rewards": [0, 0, 0]}], "line 2: a result, but the game goes on: tick"),
        ([HEADER, BIDS, {"rewards": [0, 0, 0]}], "line 3: a result, but the game goes on"),
        ([HEADER, {"forfeit": 0}, {"rewards": [1, 0, -1]}], "line 3: rewards"),
        ([HEADER, {"forfeit": 0}, {"rewards": "x"}], "line 3: rewards"),
        ([HEADER, {"forfeit": 0}, {"rewards": [-1, 0.5, 0.5]}], "line 3: ranks None: by the rules it is"),
        ([HEADER | {"legal": [[], [], []]}], "line 1: legal: "),
        ([HEADER | {"position": {}}], "line 1: "),
        ([HEADER | {"position": 7}], "line 1: "),
        ([HEADER, BIDS | {"position": {}}], "line 2: a position at a chance point"),
        ([HEADER, BIDS, PRIZE | {"position": {"turn": 2}}], "line 3: position: .*turn: 2, by the rules 1"),
        ([HEADER, BIDS, PRIZE | {"position": 5}], "line 3: position: 5"),
    ],
    ids=str,
)
def test_a_fault_is_named_with_its_line(lines, message):
    with pytest.raises(RecordError, match=f"^{message}"):
        replayed(tick_game, lines)


@pytest.mark.parametrize(
    ("event", "message"),
    [
        ({"seat": 1, "action": "play 1"}, "line 6: seat 1: it is the turn of 0"),
        ({"action": "play 1"}, "line 6: seat None: it is the turn of 0"),
        ({"seat": 0, "action": "play 9"}, "line 6: unknown action 'play 9'"),
        ({"seat": 0, "action": 0}, "line 6: unknown action 0"),
        ({"seat": 0, "action": None}, "line 6: unknown action None"),
        ({"joint": ["play 1", "play 1"]}, "line 6: joint: expected one action a seat, in a simultaneous game"),
    ],
    ids=str,
)
def test_a_fault_in_a_turn_game_is_named_too(event, message):
    header = {"env": "card_game", "options": {}, "players": 2, "seed": 0}
    deal = [{"chance": 0, "of": n} for n in (12, 11, 10, 9)]
    with pytest.raises(RecordError, match=f"^{message}"):
        replayed(card_game, [header, *deal, event])


def test_lines_keep_their_numbers_among_blank_lines():
    lines = ["", json.dumps(HEADER), "", "", json.dumps(BIDS), json.dumps(BIDS)]
    with pytest.raises(RecordError, match=r"^line 6: a decision, but chance comes first"):
        replayed(tick_game, lines)


def test_what_stands_after_a_result_must_be_the_next_game():
    lines = list(recorded(tick_game)[1].lines())
    with pytest.raises(RecordError, match=f"^line {len(lines) + 1}: after a result"):
        list(read_records([*lines, json.dumps(BIDS)]))


def test_all_games_of_these_tests_are_recorded():
    assert {recorded(game, positions=False)[1].header["env"] for game in GAMES.values()} == set(GAMES)
