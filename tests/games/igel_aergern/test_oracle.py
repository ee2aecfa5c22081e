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
from tests.games.igel_aergern.board_text import GAME, options_of
from tests.oracles import igel_aergern as oracle

PLAIN = BACKEND == "plain"
LEAVES = 800 if PLAIN else 10_000_000  # of a perft count that is still checked
PLIES = 60 if PLAIN else 700  # of a game that is walked along; only repelling pits make longer ones

TINY: dict[str, Any] = {"tracks": 2, "columns": 3, "pieces": 2, "pits": [1, 1]}
SMALL: dict[str, Any] = {"tracks": 3, "columns": 5, "pieces": 3, "pits": [2, 1, 3]}
OPTION_SETS: list[dict[str, Any]] = [
    {},
    {"goal_count": 2},
    {"goal_count": 4},
    {"cylinder": True},
    {"anarchy": True},
    {"pillars": True},
    {"repelling_pits": True},
    {"shallow_pits": True},
    {"doping": True},
    {"setup": "random"},
    {"max_turns": 20},
    TINY,
    {**TINY, "doping": True, "anarchy": True},
    SMALL,
    {**SMALL, "cylinder": True, "anarchy": True, "doping": True},
    {**SMALL, "setup": "random", "shallow_pits": True, "goal_count": 2},
    {"tracks": 5, "columns": 8, "shallow_pits": True, "cylinder": True},
    {"tracks": 4, "pits": [2, 3, 4, 4], "pillars": True, "cylinder": True},
    {"tracks": 2, "pits": [3, 5], "repelling_pits": True, "anarchy": True},
    {"pillars": True, "repelling_pits": True, "shallow_pits": True, "anarchy": True},
    {"repelling_pits": True, "shallow_pits": True, "cylinder": True},
    {"shallow_pits": True, "anarchy": True, "cylinder": True, "doping": True},
    {"doping": True, "goal_count": 4, "repelling_pits": True},
    {"setup": "random", "pillars": True, "cylinder": True, "goal_count": 2, "pieces": 2},
    {"columns": 9, "pits": [1, 1, 1, 1, 1, 1], "shallow_pits": True},
    {"columns": 9, "pits": [7, 7, 7, 7, 7, 7], "anarchy": True},
]


# Every set with one number of players, the first with all of them.
GAMES = [(n, OPTION_SETS[0]) for n in range(2, 7)] + [(2 + i % 5, given) for i, given in enumerate(OPTION_SETS[1:])]


def name_of(options):
    return "-".join(f"{name}={value}" for name, value in options.items()).replace("=True", "") or "default"


@pytest.mark.parametrize(
    ("players", "options"), GAMES, ids=lambda given: str(given) if type(given) is int else name_of(given)
)
def test_random_games_agree_with_the_slow_walker_at_every_step(players, options):
    o = options_of(players=players, **options)
    walk, again = Walk(GAME, o), Walk(GAME, o)
    walk.start(0)
    games = [walk]
    rng = random.Random(f"{players} {name_of(options)}")
    seen: dict[bytes, str] = {}
    node = oracle.start(players, **options)
    for ply in range(PLIES):
        if isinstance(node, oracle.Chance):
            following = oracle.outcomes(node)
            k = rng.randrange(len(following))
            node = following[k][1]
            for game in games:
                assert game.is_chance
                assert game.outcomes() == [weight for weight, _ in following]
                game.happen(k)
        elif node["phase"] == "over":
            for game in games:
                compare_the_end(oracle, game, node)
            return
        else:
            if ply % 8 == 0:
                again.start_from(node)  # set up anew, a game goes on in the same way
                games = [walk, again]
            names = oracle.legal(node)
            for game in games:
                assert game.position() == node
                assert game.legal_names() == names
                keep_apart(seen, game.batch.keys()[0], without_turn(node))
            name = rng.choice(names)
            node = oracle.play(node, name)
            for game in games:
                game.play_named(name)
    assert PLAIN or "repelling_pits" in options, "the game has no end"


def without_turn(node):
    """What matters for play: `turn` doesn't."""
    return {name: value for name, value in node.items() if name != "turn"}


@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("options", OPTION_SETS, ids=name_of)
def test_catalogue_and_recorded_options_agree_with_the_slow_walker(options, players):
    o = options_of(players=players, **options)
    names = [GAME.action_name(o, a) for a in range(GAME.spec(o).num_actions)]
    assert names == oracle.catalogue(players, **options)
    given = {name: value for name, value in options.items() if name != "max_turns"}
    recorded = oracle.recorded_options(oracle.check_options(players, **given))
    assert changed_options(GAME, o, for_position=True) == recorded


FROZEN = json.loads(oracle.COUNTS_FILE.read_text(encoding="utf-8"))


def entry_name(entry):
    return entry.get("about") or name_of(entry["options"] | {"max_turns": entry.get("max_turns")})


@pytest.mark.parametrize("number", range(len(FROZEN["starts"])))
def test_the_tree_from_the_start_has_the_frozen_counts(number):
    entry = FROZEN["starts"][number]
    compare_counts(entry, options_of(players=entry["players"], max_turns=entry.get("max_turns"), **entry["options"]))


@pytest.mark.parametrize("number", range(len(FROZEN["positions"])))
def test_the_tree_from_a_position_has_the_frozen_counts(number):
    entry = FROZEN["positions"][number]
    position = entry["position"]
    stated = {"players": position["players"], "max_turns": entry.get("max_turns"), **position.get("options", {})}
    compare_counts(entry, options_of(**stated), position)


def compare_counts(entry, o, position=None):
    frozen = {depth: n for depth, n in zip(entry["depths"], entry["counts"], strict=True) if n <= LEAVES}
    counts = perft(GAME, o, max(frozen), position)
    assert {depth: counts[depth] for depth in frozen} == frozen
