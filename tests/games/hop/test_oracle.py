"""The compiled rules against the slow walker of tests/oracles, which shares nothing with them but the clauses."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from hopenvs.core.jit import BACKEND
from hopenvs.core.options import changed_options
from hopenvs.core.record import read_records
from hopenvs.core.tree import perft
from hopenvs.core.walk import Walk, walk_of
from tests.games.against_walker import compare_the_end, keep_apart
from tests.games.hop.table import GAME, deck, options_of
from tests.oracles import hop as oracle

PLAIN = BACKEND == "plain"
LEAVES = 3_000 if PLAIN else 30_000  # of a perft count that is checked at once
GAMES = 2  # of every kind that are walked along
POSITIONS = 30  # of every kind that are played on from
STEPS = 12
MANY_POSITIONS = 120  # when there is time

GIVEN = [[0.3, -0.2, 0.07, 0], [-0.5, 0.11, 0.2, 0.4], [0.01, 0.02, -0.03, 0.04]]
SETS: list[dict[str, Any]] = [
    {"players": 3},
    {"players": 4},
    {"players": 5},
    {"players": 6},
    {"players": 3, "skills": "sampled"},
    {"players": 6, "skills": "sampled"},
    {"players": 3, "skills": GIVEN},
    {"players": 3, "skills": [[0.575, 0.125, 0.135, -0.005], [1, -1, 0.294, 0.296], [0, 0, 0, 0]]},
    {"players": 3, "skills": [[0.0] * 4] * 3},
    {"players": 3, "dares": deck("at - at a t")},
    {"players": 4, "dares": deck("at a t")},
    {"players": 5, "dares": deck("at60 t3 a99 at")},
    {"players": 6, "dares": deck("at"), "skills": "sampled"},
    {"players": 3, "dares": deck("-")},
    {"players": 3, "max_turns": 5},
    {"players": 5, "max_turns": 1, "dares": deck("- at")},
    {"players": 4, "max_turns": 30},
]
SAMPLE = Path(__file__).resolve().parents[2] / "records" / "hop-3p.jsonl"
WORDS = ("difficulty", "binds", "name", "text")  # of a dare, for people only


def name_of(options):
    return "-".join(f"{name}={len(value) if isinstance(value, list) else value}" for name, value in options.items())


every_set = pytest.mark.parametrize("options", SETS, ids=[f"{number}-{name_of(o)}" for number, o in enumerate(SETS)])


@every_set
@pytest.mark.parametrize("number", range(GAMES))
def test_random_games_agree_with_the_slow_walker_at_every_step(options, number):
    o = options_of(**options)
    walk, again = Walk(GAME, o), Walk(GAME, o)
    walk.start(0)
    games = [walk]
    seen: dict[bytes, str] = {}
    rng = random.Random(f"{name_of(options)} {number}")
    decisions = 0
    for node, choice in oracle.random_game(**options, rng=rng):
        if isinstance(node, oracle.Chance):
            assert isinstance(choice, int)
            for game in games:
                compare_chance(game, node, choice)
                game.happen(choice)
            continue
        for game in games:
            assert game.position() == node
            assert game.legal_names() == oracle.legal(node)
            keep_apart(seen, game.batch.keys()[0], without_turn(node))
        if choice is None:
            for game in games:
                end(game, node)
            return
        if decisions % 5 == 0:
            again.start_from(node)  # set up anew, a game goes on in the same way
            games = [walk, again]
        decisions += 1
        for game in games:
            game.play_named(str(choice))
    raise AssertionError("a game ends")


def compare_chance(game, node, choice):
    """Outcomes, their weights, and what the chosen one is."""
    assert game.is_chance
    assert game.outcomes() == [weight for weight, _ in oracle.what_can_happen(node)]
    what = oracle.what_can_happen(node)[choice][1]
    name = GAME.outcome_name(game.options, game.record, choice)
    if node.kind == "skill":
        assert float(name.split()[-1]) == what
    elif node.kind == "dare":
        assert name.split()[:2] == ["dare", str(what)]
    elif node.kind == "throw":
        assert name == ("success" if what else "failure")
    else:
        assert name == f"player {node.receivers[0]} cloud {what}"


def without_turn(node):
    """What matters for play: `turn` doesn't."""
    return {name: value for name, value in node.items() if name not in ("turn", "winners", "truncated")}


def end(walk, node):
    """The end, which can be set up too."""
    compare_the_end(oracle, walk, node)
    assert walk_of(GAME, walk.options, node).position() == node


def play_on(options, count):
    """Play on from scattered positions with the walker; how many of those games have ended."""
    given = {name: value for name, value in options.items() if name not in ("players", "max_turns")}
    walk = Walk(GAME, options_of(players=options["players"], **given))
    walk.start(0)
    rng = random.Random(name_of(options))
    ends = 0
    for position in oracle.random_positions(options["players"], rng, count, **given):
        walk.start_from(position)
        node: oracle.Node = position
        for _ in range(STEPS):
            if isinstance(node, oracle.Chance):
                k = rng.randrange(len(oracle.what_can_happen(node)))
                compare_chance(walk, node, k)
                walk.happen(k)
                node = oracle.outcome(node, k)
                continue
            assert walk.position() == node
            assert walk.legal_names() == oracle.legal(node)
            if node["phase"] == "over":
                end(walk, node)
                ends += 1
                break
            name = rng.choice(oracle.legal(node))
            walk.play_named(name)
            node = oracle.play(node, name)
    return ends


@every_set
def test_play_from_scattered_positions_agrees_with_the_slow_walker(options):
    """Clouds and dares that run out, seats about to reach the top or to fall: what random games seldom come to."""
    assert play_on(options, POSITIONS) > 0


@pytest.mark.slow
@every_set
def test_play_from_many_scattered_positions_agrees_with_the_slow_walker(options):
    assert play_on(options, MANY_POSITIONS) > MANY_POSITIONS / 10


def reduced(options):
    """The deck without its words."""
    dares = [{key: value for key, value in dare.items() if key not in WORDS} for dare in options["dares"]]
    return options | {"dares": dares}


@every_set
def test_catalogue_and_recorded_options_agree_with_the_slow_walker(options):
    o = options_of(**options)
    names = [GAME.action_name(o, a) for a in range(GAME.spec(o).num_actions)]
    assert names == oracle.catalogue(**options)
    rules = oracle.check_options(**options)
    assert changed_options(GAME, o, for_position=True) == oracle.recorded_options(rules)
    given = reduced({name: value for name, value in changed_options(GAME, o).items() if name != "players"})
    expected = oracle.header_options(rules, options.get("max_turns"))
    if options.get("skills") == [[0.0] * 4] * 3:
        del expected["skills"]  # RULING: skills that are all 0 are equal ones
    assert given == expected


FROZEN = json.loads(oracle.COUNTS_FILE.read_text(encoding="utf-8"))
every_start = pytest.mark.parametrize("number", range(len(FROZEN["starts"])))
every_position = pytest.mark.parametrize("number", range(len(FROZEN["positions"])))


@every_start
def test_the_tree_from_the_start_has_the_frozen_counts(number):
    entry, o, position = start_of(number)
    compare_counts(entry, o, position, LEAVES)


@every_position
def test_the_tree_from_a_position_has_the_frozen_counts(number):
    entry, o, position = position_of(number)
    compare_counts(entry, o, position, LEAVES)


@pytest.mark.slow
@every_start
def test_the_tree_from_the_start_has_all_frozen_counts(number):
    compare_counts(*start_of(number))


@pytest.mark.slow
@every_position
def test_the_tree_from_a_position_has_all_frozen_counts(number):
    compare_counts(*position_of(number))


def start_of(number):
    entry = FROZEN["starts"][number]
    return entry, options_of(players=entry["players"], max_turns=entry.get("max_turns"), **entry["options"]), None


def position_of(number):
    """The entry, its options and its position; skills of a position are given ones, unless all are 0."""
    entry = FROZEN["positions"][number]
    position = entry["position"]
    given = {"players": position["players"], "skills": position["skills"], **position.get("options", {})}
    return entry, options_of(max_turns=entry.get("max_turns"), **given), position


def compare_counts(entry, o, position, most=None):
    frozen = {
        depth: count
        for depth, count in zip(entry["depths"], entry["counts"], strict=True)
        if most is None or count <= most
    }
    counts = perft(GAME, o, max(frozen), position)
    assert {depth: counts[depth] for depth in frozen} == frozen


def test_the_sample_record_replays():
    (record,) = read_records(SAMPLE.read_text(encoding="utf-8").splitlines())
    o = options_of(players=record.header["players"], **record.header["options"])
    assert o == options_of(players=3)
    walk = record.replay(Walk(GAME, o))
    assert walk.is_over
    assert sum("position" in event for event in record.events) > 10
