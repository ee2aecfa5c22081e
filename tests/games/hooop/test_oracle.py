"""The compiled rules against the slow walker of tests/oracles, which shares nothing with them but the clauses."""

import json
import random
from typing import Any

import pytest

from hopenvs.core.jit import BACKEND
from hopenvs.core.options import changed_options
from hopenvs.core.tree import perft
from hopenvs.core.walk import Walk
from tests.games.against_walker import compare_the_end, keep_apart
from tests.games.hooop.pond import GAME, options_of
from tests.oracles import hooop as oracle

PLAIN = BACKEND == "plain"
LEAVES = 800 if PLAIN else 10_000_000  # of a perft count that is still checked
PLIES = 60 if PLAIN else 400  # of a game that is walked along
POSITIONS = 20 if PLAIN else 40  # of every kind whose masks are compared
MANY_POSITIONS = 300  # of every kind, when there is time

SETS: list[dict[str, Any]] = [
    {"players": 2},
    {"players": 3},
    {"players": 4},
    {"players": 2, "cards": False},
    {"players": 3, "cards": False},
    {"players": 4, "cards": False},
    {"players": 3, "board": "triangle6"},
    {"players": 3, "board": "triangle6", "cards": False},
    {"players": 2, "board": "square3"},
    {"players": 2, "board": "square3", "frogs": 1},
    {"players": 2, "board": "square3", "frogs": 2, "cards": False},
    {"players": 2, "frogs": 1},
    {"players": 2, "frogs": 2},
    {"players": 2, "max_turns": 30},
    {"players": 4, "max_turns": 51},
]


def name_of(options):
    return "-".join(f"{name}={value}" for name, value in options.items())


every_set = pytest.mark.parametrize("options", SETS, ids=name_of)


@every_set
def test_random_games_agree_with_the_slow_walker_at_every_step(options):
    o = options_of(**options)
    walk, again = Walk(GAME, o), Walk(GAME, o)
    walk.start(0)
    games = [walk]
    rng = random.Random(name_of(options))
    seen: dict[bytes, str] = {}
    node = oracle.start(**options)
    for ply in range(PLIES):
        if node["phase"] == "over":
            for game in games:
                compare_the_end(oracle, game, node)
            return
        if ply % 8 == 0:
            again.start_from(node)  # set up anew, a game goes on in the same way
            games = [walk, again]
        names = oracle.legal(node)
        for game in games:
            assert game.position() == node
            assert game.legal_names() == names
            keep_apart(seen, game.batch.keys()[0], without_turn(node))
        name = rng.choice(names)
        action = GAME.parse_action(o, name)
        assert GAME.describe(o, walk.record, action) == oracle.describe(node, name)
        node = oracle.play(node, name)
        for game in games:
            game.play_named(name)


def without_turn(node):
    """What matters for play: `turn` doesn't."""
    return {name: value for name, value in node.items() if name != "turn"}


@pytest.mark.parametrize("sparse", [False, True], ids=["dense", "sparse"])
@every_set
def test_masks_of_scattered_positions_agree_with_brute_force(options, sparse):
    """Few bridges, many frogs, homes near their quota: where chains are long, and where they have no end."""
    compare_masks(options, sparse, POSITIONS)


@pytest.mark.slow
@pytest.mark.parametrize("sparse", [False, True], ids=["dense", "sparse"])
@every_set
def test_masks_of_thousands_of_scattered_positions_agree_with_brute_force(options, sparse):
    compare_masks(options, sparse, MANY_POSITIONS)


def compare_masks(options, sparse, count):
    given = {name: value for name, value in options.items() if name not in ("players", "max_turns")}
    walk = Walk(GAME, options_of(**{name: value for name, value in options.items() if name != "max_turns"}))
    walk.start(0)
    rng = random.Random(f"{name_of(options)} {sparse}")
    for position in oracle.random_positions(rng, options["players"], count, sparse, **given):
        walk.start_from(position)
        assert walk.position() == position
        assert walk.legal_names() == oracle.legal(position)


@every_set
def test_catalogue_and_recorded_options_agree_with_the_slow_walker(options):
    o = options_of(**options)
    names = [GAME.action_name(o, a) for a in range(GAME.spec(o).num_actions)]
    assert names == oracle.catalogue(**options)
    given = {name: value for name, value in options.items() if name != "max_turns"}
    assert changed_options(GAME, o, for_position=True) == oracle.recorded_options(oracle.check_options(**given))


FROZEN = json.loads(oracle.COUNTS_FILE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("number", range(len(FROZEN["starts"])))
def test_the_tree_from_the_start_has_the_frozen_counts(number):
    entry = FROZEN["starts"][number]
    compare_counts(entry, options_of(players=entry["players"], max_turns=entry.get("max_turns"), **entry["options"]))


@pytest.mark.parametrize("number", range(len(FROZEN["positions"])))
def test_the_tree_from_a_position_has_the_frozen_counts(number):
    entry = FROZEN["positions"][number]
    position = entry["position"]
    stated = {"players": position["players"], "board": position["board"], **position.get("options", {})}
    compare_counts(entry, options_of(max_turns=entry.get("max_turns"), **stated), position)


def compare_counts(entry, o, position=None):
    frozen = {depth: n for depth, n in zip(entry["depths"], entry["counts"], strict=True) if n <= LEAVES}
    if frozen:
        counts = perft(GAME, o, max(frozen), position)
        assert {depth: counts[depth] for depth in frozen} == frozen
