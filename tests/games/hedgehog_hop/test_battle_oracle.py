"""The compiled rules against the slow walker of tests/oracles, which shares nothing with them but the clauses."""

import functools
import json
import random
from pathlib import Path

import pytest

from hopenvs.core.jit import BACKEND, plain_twin
from hopenvs.core.options import changed_options
from hopenvs.core.record import read_records
from hopenvs.core.tree import perft
from hopenvs.core.walk import Walk, walk_of
from hopenvs.games.hedgehog_hop.finale import pairs_of
from tests.games.against_walker import compare_the_end, keep_apart
from tests.games.hedgehog_hop.crew_table import COLOURS, GAME, STYLES, options_of
from tests.oracles import hedgehog_hop_battle as oracle

PLAIN = BACKEND == "plain"
LEAVES = 600 if PLAIN else 30_000  # of a perft count that is still checked
GAMES = 2 if PLAIN else 3  # of every kind that are walked along
POSITIONS = 30 if PLAIN else 45  # of every number of players that are played on from

SETS = [{"players": 3}, {"players": 4}, {"players": 5}, {"players": 6}, {"players": 3, "max_turns": 7}]
SAMPLE = Path(__file__).resolve().parents[2] / "records" / "hedgehog_hop-battle-4p.jsonl"

BY_TRIAL = 5  # cards of a group; the pairs of larger ones are looked up in the table, which has tests of its own


def name_of(options):
    return "-".join(f"{name}={value}" for name, value in options.items())


every_set = pytest.mark.parametrize("options", SETS, ids=name_of)
every_number = pytest.mark.parametrize("players", [3, 4, 5, 6])


@functools.cache
def by_trial(cards):
    return oracle.most_pairs(cards)


def most_pairs(cards):
    """The most pairs of cards of one move, for the walker."""
    if len(cards) <= BY_TRIAL:
        return by_trial(tuple(cards))
    codes = [0] * len(STYLES)
    for card in cards:
        colour, style, _ = card.split("-")
        codes[STYLES.index(style)] += (9, 3, 1)[COLOURS.index(colour)]
    return plain_twin(pairs_of)(*codes)


@every_set
@pytest.mark.parametrize("number", range(GAMES))
def test_random_games_agree_with_the_slow_walker_at_every_step(options, number):
    o = options_of(**options)
    walk, again = Walk(GAME, o), Walk(GAME, o)
    walk.start(0)
    games = [walk]
    seen: dict[bytes, str] = {}
    rng = random.Random(f"{name_of(options)} {number}")
    for ply, (node, choice) in enumerate(oracle.random_game(**options, rng=rng, most_pairs=most_pairs)):
        if choice is None:
            for game in games:
                end(game, node)
            return
        if isinstance(node, oracle.Chance):
            assert isinstance(choice, int)
            compare_chance(games, node, choice)
            for game in games:
                game.happen(choice)
            continue
        if ply % 8 == 0:
            again.start_from(node)  # set up anew, a game goes on in the same way
            games = [walk, again]
        names = oracle.legal(node)
        for game in games:
            assert game.position() == node
            assert game.legal_names() == names
            keep_apart(seen, game.batch.keys()[0], what_matters(node))
        for game in games:
            game.play_named(str(choice))
    raise AssertionError("a game ends")


def compare_chance(games, node, choice):
    """As many outcomes as cards are left, and the chosen one is the card of that number."""
    verb = {"deal": "deal", "line": "audition", "draw": "draw"}[node.kind]
    for game in games:
        assert game.is_chance
        assert game.outcomes() == [1] * len(node.before["draw"])
        assert GAME.outcome_name(game.options, game.record, choice) == f"{verb} {node.before['draw'][choice]}"


def what_matters(node):
    """Of three players' turns only the first three matter."""
    return node | {"turn": None, "round": node["round"] > 0} if node["players"] == 3 else node


def end(walk, node):
    """The end, which can be set up too."""
    compare_the_end(oracle, walk, node)
    assert walk_of(GAME, walk.options, node).position() == node


@every_number
def test_play_from_scattered_positions_agrees_with_the_slow_walker(players):
    """Piles about to run out, crews In Sync, plans of every kind: what random games seldom come to."""
    o = options_of(players=players)
    walk = Walk(GAME, o)
    walk.start(0)
    rng = random.Random(players)
    ends = 0
    for position in oracle.random_positions(players, rng, POSITIONS):
        position.most_pairs = most_pairs
        walk.start_from(position)
        node: oracle.Node = position
        for _ in range(4 * players):
            if isinstance(node, oracle.Chance):
                k = rng.randrange(len(node.before["draw"]))
                compare_chance([walk], node, k)
                walk.happen(k)
                node = oracle.outcomes_card_by_card(node)[k]
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
    assert ends


@every_set
def test_catalogue_and_recorded_options_agree_with_the_slow_walker(options):
    o = options_of(**options)
    names = [GAME.action_name(o, a) for a in range(GAME.spec(o).num_actions)]
    assert names == oracle.catalogue(**options)
    rules = oracle.check_options(**options)
    assert changed_options(GAME, o, for_position=True) == oracle.recorded_options(rules) == {}
    given = {name: value for name, value in changed_options(GAME, o).items() if name != "players"}
    assert given | {"family": "battle"} == oracle.header_options(rules, options.get("max_turns"))


FROZEN = json.loads(oracle.COUNTS_FILE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("number", range(len(FROZEN["starts"])))
def test_the_tree_from_the_start_has_the_frozen_counts(number):
    entry = FROZEN["starts"][number]
    compare_counts(entry, options_of(players=entry["players"]))


@pytest.mark.parametrize("number", range(len(FROZEN["positions"])))
def test_the_tree_from_a_position_has_the_frozen_counts(number):
    entry = FROZEN["positions"][number]
    position = entry["position"]
    compare_counts(entry, options_of(players=position["players"], max_turns=entry.get("max_turns")), position)


def compare_counts(entry, o, position=None):
    frozen = {depth: n for depth, n in zip(entry["depths"], entry["counts"], strict=True) if n <= LEAVES}
    counts = perft(GAME, o, max(frozen), position)
    assert {depth: counts[depth] for depth in frozen} == frozen


def test_the_sample_record_replays():
    (record,) = read_records(SAMPLE.read_text(encoding="utf-8").splitlines())
    assert record.header["options"] == {"family": "battle"}
    walk = record.replay(Walk(GAME, options_of(players=record.header["players"])))
    assert walk.is_over
    assert sum("position" in event for event in record.events) > 100
