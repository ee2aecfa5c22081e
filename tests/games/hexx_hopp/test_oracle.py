"""The compiled rules against the slow walker of tests/oracles, which shares nothing with them but the clauses."""

import json
import random
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hopenvs.core import state
from hopenvs.core.jit import BACKEND, plain_twin
from hopenvs.core.options import changed_options, parse_options
from hopenvs.core.record import read_records
from hopenvs.core.tree import children, perft
from hopenvs.core.walk import Walk, walk_of
from hopenvs.games.hexx_hopp import figure as figures
from hopenvs.games.hexx_hopp import piles, rules
from hopenvs.games.hexx_hopp.table import cells_of
from tests.games.against_walker import compare_the_end, keep_apart
from tests.games.hexx_hopp.figures import GAME, scattered
from tests.oracles import hexx_hopp as oracle

PLAIN = BACKEND == "plain"
LEAVES = 800 if PLAIN else 8_000  # of a perft count that is checked in the short suite
POSITIONS = 12 if PLAIN else 30  # of every number of players that are played on from
ORDERS = 12  # of a tick that are played in the short suite, at most
FIGURES = 60  # scattered ones
MANY_FIGURES = 3_000
MANY_LEAVES = 8_000 if PLAIN else 100_000  # the largest takes a few hundred MB: a leaf has a record and a mask

SETS: list[dict[str, Any]] = [
    {"players": 2, "rounds": 1},
    {"players": 2, "rounds": 2, "max_ticks": 15, "table_radius": 2},
    {"players": 3, "rounds": 1},
    {"players": 3, "rounds": 2, "max_ticks": 12},
    {"players": 4, "rounds": 1, "max_ticks": 40, "table_radius": 3},
    {"players": 5, "rounds": 1, "max_ticks": 25},
    {"players": 5, "rounds": 2, "max_ticks": 6, "table_radius": 2},
    {"players": 2},
]
SAMPLE = Path(__file__).resolve().parents[2] / "records" / "hexx_hopp-2p-1r.jsonl"


def name_of(options):
    return "-".join(f"{name}={value}" for name, value in options.items())


def options_for(options):
    """The options as they are: nothing but the game's own defaults."""
    return parse_options(GAME, options)


every_set = pytest.mark.parametrize("options", SETS, ids=name_of)
every_number = pytest.mark.parametrize("players", [2, 3, 4, 5])


def tick_of(node, rng):
    """A random joint choice: names that place and give rather than wait."""
    names = []
    for known in oracle.legal(node):
        better = [name for name in known if name.startswith(("place", "give"))]
        names.append(rng.choice(better if better and rng.random() < 0.6 else known))
    return names


def compare_chance(games, node, number):
    """As many outcomes as the walker knows, of one weight, and the chosen one has the walker's name."""
    names = [name for _, name, _ in oracle.named_outcomes(node)] if node.kind != "order" else None
    for game in games:
        assert game.is_chance
        assert game.outcomes() == [1] * oracle.outcome_count(node)
        said = GAME.outcome_name(game.options, game.record, number)
        if node.kind == "order":
            order = list(permutations(range(game.options.players)))[number]
            assert said == "order " + ",".join(map(str, order))
        elif node.kind == "rotation":
            assert names is not None
            assert said == f"tile {node.tile} turned by {names[number]}"
        else:
            assert names is not None
            assert said.startswith(f"tile {names[number]} ")


def compare_tick(game, node):
    assert game.current_player == state.SIMULTANEOUS
    assert game.position() == node
    assert game.legal_names() == oracle.legal(node)


@every_set
def test_random_games_agree_with_the_slow_walker_at_every_step(options):
    o = options_for(options)
    walk, again = Walk(GAME, o), Walk(GAME, o)
    walk.start(0)
    again.start(0)
    games = [walk]
    seen: dict[bytes, str] = {}
    rng = random.Random(name_of(options))
    node: oracle.Node = oracle.start(**options)
    ticks = 0
    while True:
        if isinstance(node, oracle.Chance):
            number = rng.randrange(oracle.outcome_count(node))
            compare_chance(games, node, number)
            for game in games:
                game.happen(number)
            node = oracle.happen(node, number)
            continue
        if node["phase"] == "over":
            break
        if ticks % 8 == 0:
            again.start_from(node)  # set up anew, a game goes on in the same way
            games = [walk, again]
        for game in games:
            compare_tick(game, node)
            keep_apart(seen, game.batch.keys()[0], node)
        names = tick_of(node, rng)
        node = oracle.play(node, names)
        for game in games:
            game.play_named(*names)
        ticks += 1
    for game in games:
        compare_the_end(oracle, game, node)
    assert walk_of(GAME, o, node).position() == node
    assert ticks >= options.get("rounds", 10)


@pytest.mark.parametrize("players", [2, 3, *(pytest.param(k, marks=pytest.mark.slow) for k in (4, 5))])
def test_the_orders_of_a_tick_agree_with_the_slow_walker(players):
    compare_orders(players, POSITIONS, ORDERS)


@pytest.mark.slow
@every_number
def test_every_order_of_a_tick_agrees_with_the_slow_walker(players):
    compare_orders(players, POSITIONS, 120)


def compare_orders(players, count, most):
    """Scattered positions: collisions, gifts of all kinds, last tiles, rounds about to end."""
    options = {"players": players, "rounds": 2}
    walk = Walk(GAME, options_for(options))
    walk.start(0)
    rng = random.Random(players)
    ends = 0
    for position in scattered(rng, count, **options):
        walk.start_from(position)
        compare_tick(walk, position)
        for _ in range(2):
            names = tick_of(position, rng)
            chance = oracle.play(position, names)
            every = range(oracle.outcome_count(chance))
            for number in every if len(every) <= most else rng.sample(every, most):
                walk.start_from(position)
                walk.play_named(*names)
                compare_chance([walk], chance, number)
                walk.happen(number)
                node = oracle.happen(chance, number)
                if isinstance(node, oracle.Chance):  # the next round is dealt
                    assert walk.is_chance
                    assert list(walk.record.penalties)[:players] == node.before["penalties"]
                    assert walk.record.round == node.before["round"]
                    ends += 1
                elif node["phase"] == "over":
                    compare_the_end(oracle, walk, node)
                    ends += 1
                else:
                    compare_tick(walk, node)
    assert ends


@every_number
def test_play_from_scattered_positions_agrees_with_the_slow_walker(players):
    options = {"players": players, "rounds": 1, "table_radius": 3}
    walk = Walk(GAME, options_for(options))
    walk.start(0)
    rng = random.Random(players)
    for position in scattered(rng, POSITIONS, **options):
        walk.start_from(position)
        node: oracle.Node = oracle.Position(position)
        for _ in range(6):
            assert isinstance(node, oracle.Position)
            if node["phase"] == "over":
                compare_the_end(oracle, walk, node)
                assert walk_of(GAME, walk.options, node).position() == node
                break
            compare_tick(walk, node)
            names = tick_of(node, rng)
            node = oracle.play(node, names)
            walk.play_named(*names)
            number = rng.randrange(oracle.outcome_count(node))
            node = oracle.happen(node, number)
            walk.happen(number)


# ---- the fast legality -----------------------------------------------------------------------------------------------
def record_of(o, figure):
    """A record with any tiles on any cells, matching or not, touching or not."""
    given = state.new_states(1, Walk(GAME, o).states.dtype)
    s = state.people_view(given)
    plain_twin(figures.clear_figure)(o, s)
    plain_twin(piles.box_all)(s)
    number = {f"{q},{r}": k for k, (q, r) in enumerate(cells_of(o.table_radius))}
    for name, (tile, rotation) in figure.items():
        plain_twin(figures.put)(o, s, number[name], 6 * tile + rotation)
        s.boxed[tile] = 0
    return s


def compare_figures(seed, count):
    """Open cells, places and `is_stuck` against the slow definition."""
    rng = random.Random(seed)
    stuck = 0
    for _ in range(count):
        radius = rng.choice([2, 3, 4])
        o = options_for({"players": 2, "table_radius": radius})
        most = min(len(oracle.table(radius)) - 1, 40)
        figure = oracle.scattered_figure(rng, rng.randint(1, most), radius)
        s = record_of(o, figure)
        where = oracle.openings(figure, radius)
        cells = cells_of(radius)
        assert [cells[s.open_cell[k]] for k in range(s.num_open)] == [cell for cell, _ in where]
        assert sorted(s.placed[k] for k in range(s.num_placed)) == list(s.placed)[: s.num_placed]
        free = [tile for tile in range(72) if s.boxed[tile]]
        rng.shuffle(free)
        held = free[: rng.randint(1, 5)]
        for tile in held:
            placements = oracle.placements(figure, tile, radius)
            assert plain_twin(figures.fits_anywhere)(s, tile) == bool(placements)
            most_contacts = max((oracle.contacts(figure, (q, r)) for q, r, _ in placements), default=0)
            assert plain_twin(figures.most_contacts)(s, tile) == most_contacts
            s.up[0] = tile
            mask = np.zeros(GAME.spec(o).num_actions, np.int8)
            plain_twin(rules.action_mask)(o, s, 0, mask)
            names = [GAME.action_name(o, int(action)) for action in np.flatnonzero(mask)]
            assert names == ["wait", *(f"place {q},{r} {rotation}" for q, r, rotation in placements)]
        s.up[0] = held[0]
        for tile in held[1:]:
            plain_twin(piles.append)(s, rng.randrange(2), rng.randrange(2), tile)
        nothing = not any(oracle.placements(figure, tile, radius) for tile in held)
        assert plain_twin(rules.is_stuck)(o, s) == nothing
        stuck += nothing
        s.gift_due[1] = 2
        assert not plain_twin(rules.is_stuck)(o, s)
    assert 0 < stuck < count


def test_places_in_scattered_figures_agree_with_the_slow_definition():
    compare_figures(1, FIGURES)


@pytest.mark.slow
def test_places_in_thousands_of_scattered_figures_agree_with_the_slow_definition():
    compare_figures(2, MANY_FIGURES)


# ---- tables and counts -----------------------------------------------------------------------------------------------
@every_set
def test_catalogue_and_recorded_options_agree_with_the_slow_walker(options):
    o = options_for(options)
    names = [GAME.action_name(o, action) for action in range(GAME.spec(o).num_actions)]
    assert names == oracle.catalogue(**options)
    assert [GAME.parse_action(o, name) for name in names] == list(range(len(names)))
    resolved = oracle.check_options(**options)
    assert changed_options(GAME, o, for_position=True) == oracle.recorded_options(resolved)
    assert changed_options(GAME, o) == oracle.header_options(resolved)


FROZEN = json.loads(oracle.COUNTS_FILE.read_text(encoding="utf-8"))

every_start = pytest.mark.parametrize("number", range(len(FROZEN["starts"])))
every_position = pytest.mark.parametrize("number", range(len(FROZEN["positions"])))


def compare_start(number, most):
    entry = FROZEN["starts"][number]
    walk = Walk(GAME, options_for({"players": entry["players"], **entry["options"]}))
    walk.start(0)
    for k in entry.get("choices", []):
        walk.happen(k)
    compare_counts(entry, most, walk)


def compare_counts(entry, most, walk):
    """Those up to a size, ply by ply: from the midst of a deal, too, which no position describes."""
    states, ended = walk.states.copy(), 0
    for count in entry["counts"]:
        if count > most:
            return
        over = states["current_player"] == state.TERMINAL
        ended += int(over.sum())
        states = children(GAME, walk.options, states[~over])[0]
        assert ended + len(states) == count


@every_start
def test_the_tree_from_a_deal_has_the_frozen_counts(number):
    compare_start(number, LEAVES)


@every_position
def test_the_tree_from_a_position_has_the_frozen_counts(number):
    compare_position(number, LEAVES)


@pytest.mark.slow
@every_start
def test_the_larger_counts_from_a_deal_are_right_too(number):
    compare_start(number, MANY_LEAVES)


@pytest.mark.slow
@every_position
def test_the_larger_counts_from_a_position_are_right_too(number):
    compare_position(number, MANY_LEAVES)


def compare_position(number, most):
    entry = FROZEN["positions"][number]
    position = entry["position"]
    stated = {"players": position["players"], **position.get("options", {})}
    compare_counts(entry, most, walk_of(GAME, options_for(stated), position))


def test_the_counts_of_a_whole_tree_add_up_ended_games():
    entry = next(entry for entry in FROZEN["positions"] if entry["about"].startswith("the last tick with a gift due"))
    o = options_for({"players": entry["position"]["players"], **entry["position"]["options"]})
    assert perft(GAME, o, 4, entry["position"]) == [1, *entry["counts"]]


def test_the_sample_record_replays():
    (record,) = read_records(SAMPLE.read_text(encoding="utf-8").splitlines())
    assert record.header["options"] == {"rounds": 1}
    walk = record.replay(Walk(GAME, options_for({"players": record.header["players"], **record.header["options"]})))
    assert walk.is_over
    assert sum("position" in event for event in record.events) == 48
