"""The compiled rules against the slow walker of tests/oracles, which shares nothing with them but the clauses."""

import json
import random
from typing import Any

import pytest

from hopenvs.core.jit import BACKEND
from hopenvs.core.options import changed_options
from hopenvs.core.tree import perft
from tests.games.against_walker import compare_the_end, keep_apart
from tests.games.hedgehog_hop.mob import GAME, new_game, options_of, set_up
from tests.oracles import hedgehog_hop_puzzler as oracle

PLAIN = BACKEND == "plain"
LEAVES = 1_500 if PLAIN else 10_000  # of a perft count that is still checked
GAMES = 1 if PLAIN else 2  # of each kind that are walked along
POSITIONS = 14  # of each kind whose moves are compared
MOVES = 6  # that are played from each of them

SETS: list[dict[str, Any]] = [
    {"players": 2},
    {"players": 3},
    {"players": 4},
    {"players": 5},
    {"players": 6},
    {"players": 2, "push": "contact"},
    {"players": 3, "push": "contact"},
    {"players": 5, "push": "contact"},
    {"players": 2, "promo": "unicorn"},
    {"players": 4, "promo": "unicorn", "push": "contact"},
    {"players": 2, "promo": "zombie"},
    {"players": 2, "promo": "zombie", "push": "contact"},
    {"players": 3, "promo": "vegan_zombie"},
    {"players": 4, "promo": "zombie"},
    {"players": 6, "promo": "vegan_zombie", "push": "contact"},
]


def name_of(options):
    return "-".join(f"{name}={value}" for name, value in options.items())


def others(options):
    """All but the number of players."""
    return {name: value for name, value in options.items() if name != "players"}


every_set = pytest.mark.parametrize("options", SETS, ids=name_of)


@every_set
def test_random_games_agree_with_the_slow_walker_at_every_step(options):
    seen: dict[bytes, str] = {}
    for number in range(GAMES):
        play_along(options, random.Random(f"{name_of(options)} {number}"), seen)


def play_along(options, rng, seen):
    """One game on both sides; now and then it is set up anew and goes on in the same way."""
    o = options_of(**options)
    games = [new_game(**options)]
    node: Any = oracle.start(**options)
    for ply in range(1_000):
        if isinstance(node, oracle.Chance):
            bag = node.before["draw"]
            k = rng.randrange(len(bag))
            following = oracle.outcomes_card_by_card(node)[k]
            for game in games:
                compare_chance(game, node, k)
                keep_apart(seen, game.batch.keys()[0], in_order({"chance": node.kind, **node.before}))
                game.happen(k)
        elif node["phase"] == "over":
            for game in games:
                compare_the_end(oracle, game, node)
            return
        else:
            if ply % 4 == 0:
                games = [games[0], set_up(node)]
            names = oracle.legal(node)
            for game in games:
                assert game.position() == node
                assert game.legal_names() == names
                assert game.current_player == node["to_play"]
                keep_apart(seen, game.batch.keys()[0], in_order(node))
            # backup dancers are played more often than chance would: then piles run out
            later = [name for name in names if name.startswith("backup")]
            name = rng.choice(later if later and rng.random() < 0.4 else names)
            compare_description(o, games[0], node, name)
            following = oracle.play(node, name)
            for game in games:
                game.play_named(name)
        node = following
    raise AssertionError("a game without an end")


def compare_chance(game, node, k):
    """Every card left in the bag is an outcome, copies side by side (C-2)."""
    bag = node.before["draw"]
    assert game.is_chance
    assert game.outcomes() == [1] * len(bag)
    assert GAME.outcome_name(game.options, game.record, k) == f"{node.kind} {bag[k]}"


def compare_description(o, game, node, name):
    """Steals are described with the seat, all other actions as they are called."""
    told = GAME.describe(o, game.record, GAME.parse_action(o, name))
    if name.startswith("steal"):
        _, left, card = name.split()
        assert told == f"steal {card} of player {(node['to_play'] + int(left[4:])) % node['players']}"
    else:
        assert told == name


def in_order(node):
    """The mob's cells in one order."""
    return {name: sorted(value.items()) if name == "mob" else value for name, value in node.items()}


@every_set
def test_scattered_positions_agree_with_the_slow_walker(options):
    """Mobs anywhere on the table, empty piles, steals: what random play seldom comes to."""
    rng = random.Random(name_of(options))
    for position in oracle.random_positions(options["players"], rng, POSITIONS, **others(options)):
        walk = set_up(position)
        assert walk.position() == position
        names = oracle.legal(position)
        assert walk.legal_names() == names
        for name in rng.sample(names, min(MOVES, len(names))):
            walk.start_from(position)
            walk.play_named(name)
            node = oracle.play(position, name)
            while isinstance(node, oracle.Chance):
                k = rng.randrange(len(node.before["draw"]))
                compare_chance(walk, node, k)
                walk.happen(k)
                node = oracle.outcomes_card_by_card(node)[k]
            if node["phase"] == "over":
                compare_the_end(oracle, walk, node)
            else:
                assert walk.position() == node


@every_set
def test_catalogue_and_recorded_options_agree_with_the_slow_walker(options):
    o = options_of(**options)
    names = [GAME.action_name(o, action) for action in range(GAME.spec(o).num_actions)]
    assert names == oracle.catalogue(**options)
    rules = oracle.check_options(**options)
    assert changed_options(GAME, o, for_position=True) == oracle.recorded_options(rules)
    assert {"family": GAME.FAMILY, **changed_options(GAME, o)} == oracle.header_options(rules)


FROZEN = json.loads(oracle.COUNTS_FILE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("number", range(len(FROZEN["starts"])))
def test_the_tree_from_the_start_has_the_frozen_counts(number):
    entry = FROZEN["starts"][number]
    compare_counts(entry, options_of(players=entry["players"], **entry["options"]))


@pytest.mark.parametrize("number", range(len(FROZEN["positions"])))
def test_the_tree_from_a_position_has_the_frozen_counts(number):
    entry = FROZEN["positions"][number]
    position = entry["position"]
    stated = {"players": position["players"], "promo": position["promo"], **position.get("options", {})}
    compare_counts(entry, options_of(**stated), position)


def compare_counts(entry, o, position=None):
    frozen = {depth: n for depth, n in zip(entry["depths"], entry["counts"], strict=True) if n <= LEAVES}
    if frozen:
        counts = perft(GAME, o, max(frozen), position)
        assert {depth: counts[depth] for depth in frozen} == frozen
