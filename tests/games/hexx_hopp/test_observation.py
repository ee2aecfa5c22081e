"""What seats see of Hexx & Hopp and what stays hidden (C-9), against slow definitions made from positions."""

import copy
import functools
import json
import random
from collections import Counter

import numpy as np
import pytest

from hopenvs.core import rng as streams
from hopenvs.core.errors import PositionError
from hopenvs.core.jit import BACKEND
from hopenvs.core.walk import Walk
from tests.games.hexx_hopp.figures import (
    GAME,
    HOLE,
    HOLE_TILE,
    START,
    TIP,
    TIP_TILE,
    around,
    barren,
    deal,
    happen,
    new_game,
    options_of,
    position_of,
    scattered,
    table,
    tick,
    tiles_of,
)
from tests.games.seats import section, seen
from tests.oracles import hexx_hopp as oracle
from tests.relabelled import relabelled

clause = pytest.mark.clause
every_number = pytest.mark.parametrize("players", [2, 3, 4, 5])

PLAIN = BACKEND == "plain"
POSITIONS = 15 if PLAIN else 30  # scattered ones
COLOURS = "RYBW"


@functools.cache
def walk_for(options, which):
    """A walk that is used again and again."""
    walk = Walk(GAME, options)
    walk.start(0)
    return walk


def at(position, which="one"):
    """A game at a position; whatever else was made with this name is at this position then."""
    stated = {"rounds": 10, "players": position["players"], **position.get("options", {})}
    walk = walk_for(options_of(**stated), which)
    walk.start_from(position)
    return walk


def positions_of_a_game(players, seed, every=3):
    """The positions of a random game, some of them, and the last one."""
    walk = Walk(GAME, options_of(players=players, rounds=2, max_ticks=40, table_radius=4))
    walk.start(0)
    rng = random.Random(seed)
    number = 0
    while not walk.is_over:
        if walk.is_chance:
            walk.happen(rng.randrange(len(walk.outcomes())))
            continue
        if number % every == 0:
            yield walk.position()
        number += 1
        walk.play(*(rng.choice(walk.legal(seat)) for seat in range(players)))
    yield walk.position()


def some_positions(players, seed):
    """Of a game, and scattered ones."""
    yield from positions_of_a_game(players, seed)
    yield from scattered(random.Random(seed), POSITIONS, players=players, rounds=3, table_radius=4)


# ---- the sections ----------------------------------------------------------------------------------------------------
def expected_view(o, position, seat):
    """The sections of the README, filled from a position: {name: array}."""
    n, cells = o.players, oracle.table(o.table_radius)
    view = {part.name: np.zeros(part.shape, np.int8) for part in GAME.spec(o).sections}
    lying = {oracle.cell_called(name): tile for name, tile in position["figure"].items()}
    for k, cell in enumerate(cells):
        if cell in lying:
            tile, rotation = lying[cell]
            view["sides"][:, k] = [1 + COLOURS.index(oracle.colour_at(tile, rotation, side)) for side in range(6)]
        else:
            view["contacts"][k] = len(oracle.asked_at(lying, cell))
    for k in range(n):
        other = (seat + k) % n
        if position["up"][other] is not None:
            view["face_up"][k] = [1 + COLOURS.index(colour) for colour in oracle.TILES[position["up"][other]]]
        view["stacks"][k] = len(position["stacks"][other])
        view["discards"][k] = len(position["discards"][other])
        view["gift_due"][k] = position["gift_due"][other]
        view["penalties"][k] = divmod(position["penalties"][other], 64)
    for k, tile in enumerate(position["discards"][seat]):
        view["own_discards"][tile] = k + 1
    view["round"][0] = position["round"]
    view["tick"][:] = divmod(position["tick"], 64)
    return view


def compare_views(walk):
    position = walk.position()
    low, high = walk.spec.bounds()
    for seat in range(walk.options.players):
        obs, view = seen(walk, seat), expected_view(walk.options, position, seat)
        for name, (part, shape) in walk.spec.layout.items():
            assert np.array_equal(obs[part].reshape(shape), view[name]), (seat, name, position)
        assert sum(cells.size for cells in view.values()) == len(obs)
        assert ((obs >= low) & (obs <= high)).all()


@clause("C-9", "C-10")
@every_number
def test_every_seat_sees_the_position_from_its_own_place(players):
    for position in some_positions(players, 1):
        compare_views(at(position))


@clause("C-9", "HX-1", "HX-2")
def test_a_small_table_by_hand():
    walk = table([HOLE_TILE, 12], figure=START | {"1,1": [TIP_TILE, 4]}, table_radius=2, tick=130, rounds=3,
                 stacks=[[30, 31]], discards=[[70, 7]], gift_due=[0, 2], number=1, penalties=[3, 27])  # fmt: skip
    names = [f"{q},{r}" for q, r in oracle.table(2)]
    sides = section(walk, 1, "sides")
    assert sides[:, names.index("0,0")].tolist() == [3, 3, 2, 2, 4, 1]  # BBYYWR
    assert sides[:, names.index("1,1")].tolist() == [2, 2, 3, 4, 1, 1]  # RRYYBW turned by four: YYBWRR
    assert not sides[:, names.index("0,1")].any()
    assert section(walk, 0, "contacts").reshape(-1).tolist() == [
        0, 2, 0,
        2, 0, 3, 2,
        0, 3, 0, 0, 0,
        2, 0, 4, 0,
        0, 2, 1,
    ]  # fmt: skip
    assert section(walk, 1, "face_up").tolist() == [[3, 3, 3, 1, 2, 4], [3, 3, 3, 2, 4, 1]]  # BBBRYW, BBBYWR
    assert section(walk, 0, "stacks").tolist() == [2, 30 - 1 - 2 - 1 - 2 - 1]
    assert section(walk, 0, "discards").tolist() == [2, 0]
    assert section(walk, 1, "discards").tolist() == [0, 2]
    assert np.flatnonzero(section(walk, 0, "own_discards")).tolist() == [7, 70]
    assert section(walk, 0, "own_discards")[[70, 7]].tolist() == [1, 2]
    assert not section(walk, 1, "own_discards").any()
    assert section(walk, 0, "gift_due").tolist() == [0, 2]
    assert section(walk, 1, "gift_due").tolist() == [2, 0]
    assert section(walk, 1, "penalties").tolist() == [[0, 27], [0, 3]]
    assert section(walk, 1, "round").tolist() == [1]
    assert section(walk, 1, "tick").tolist() == [2, 2]


@clause("HX-12", "HX-14", "C-9")
def test_the_largest_numbers_have_room():
    o = {"rounds": 100, "max_ticks": 8000}
    walk = table([HOLE_TILE], number=99, tick=7999, penalties=[2970, 0], **o)
    compare_views(walk)
    most = 100 * 5 * 13
    walk = table([HOLE_TILE], players=5, number=99, tick=0, penalties=[99 * 65], **o)
    compare_views(walk)
    assert GAME.spec(walk.options).score_range == (-most, 0)


# ---- blindness -------------------------------------------------------------------------------------------------------
def redealt(walk, seat, number):
    """The same game with all that this seat can't know dealt anew."""
    twin = walk.batch.copy()
    twin.resample_hidden(np.array([seat]), streams.generator(number, streams.PLAYOUT)[None])
    other = walk_for(walk.options, "dealt anew")
    other.batch.take_back(twin)
    return other


@clause("C-9")
@every_number
def test_what_is_dealt_anew_looks_the_same(players):
    rng = random.Random(players)
    changed = looked = 0
    for position in some_positions(players, 2):
        if position["phase"] == "over":
            continue
        walk, seat = at(position), rng.randrange(players)
        twin = redealt(walk, seat, looked)
        after = twin.position()
        for ours, theirs in zip(*(game.batch.view((0,), (seat,)) for game in (walk, twin)), strict=True):
            assert np.array_equal(ours, theirs)
        assert walk.batch.evaluate((0,), (seat,)) == twin.batch.evaluate((0,), (seat,))
        assert oracle.public_view(after, seat) == oracle.public_view(position, seat)
        tiles = [tile for other in range(players) for tile in oracle.tiles_of(after, other)]
        tiles += [tile for tile, _ in after["figure"].values()]
        assert len(tiles) == len(set(tiles))
        left = [tile for tile in range(72) if tile not in tiles]
        assert left == [tile for tile in range(72) if twin.record.boxed[tile]]
        assert at(after, "other").position() == after  # as play goes on, some tile fits (HX-12)
        changed += after != position
        looked += 1
    assert changed > looked / 2


@clause("C-9")
@every_number
def test_what_the_slow_walker_deals_anew_looks_the_same(players):
    rng = random.Random(players)
    for position in some_positions(players, 3):
        if position["phase"] == "play":
            seat = rng.randrange(players)
            other = at(oracle.reshuffled(position, seat, rng), "other")
            for ours, theirs in zip(*(g.batch.view((0,), (seat,)) for g in (at(position), other)), strict=True):
                assert np.array_equal(ours, theirs)


@clause("C-9", "HX-5")
def test_unseen_tiles_are_dealt_in_every_way_alike():
    """Of 54 unseen tiles, one is under seat 0's stack, one among seat 1's discards; 25 of them in the box."""
    walk = table([HOLE_TILE, 12], stacks=[[30]], discards=[[40], [41]], rest=1)
    own: Counter[int] = Counter()
    theirs: Counter[int] = Counter()
    count = 800 if PLAIN else 2_000
    for number in range(count):
        twin = redealt(walk, 0, number).position()
        assert twin["discards"][0] == [40]
        own[twin["stacks"][0][0]] += 1
        theirs[twin["discards"][1][0]] += 1
    known = {HOLE_TILE, 12, 40} | {tile for tile, _ in START.values()}
    for found in (own, theirs):
        assert set(found) == set(range(72)) - known
        assert max(found.values()) < 2.5 * count / len(found)


@clause("C-9", "HX-12")
def test_that_play_goes_on_tells_that_some_tile_fits():
    """All that seat 0 knows of fits nowhere, so the one tile of its stack does; in the box are many that don't."""
    figure = START | {"1,1": [TIP_TILE, 4]}
    tiles = barren(figure, table_radius=2)
    walk = table(tiles[:2], figure=figure, stacks=[[25]], discards=[tiles[2:28]], table_radius=2)
    found = {redealt(walk, 0, number).position()["stacks"][0][0] for number in range(60)}
    assert found.isdisjoint(tiles)
    assert len(found) > 10


# ---- completeness ----------------------------------------------------------------------------------------------------
def public(position, seat):
    """All that a seat knows, as text; who has won, and that it is over, is no part of it."""
    view = {k: v for k, v in oracle.public_view(position, seat).items() if k not in ("winners", "phase", "truncated")}
    return json.dumps(view, sort_keys=True)


@clause("C-9")
@every_number
def test_equal_views_are_equal_observations_and_the_other_way_round(players):
    rng = random.Random(players)
    view_of: dict[bytes, str] = {}
    look_of: dict[str, bytes] = {}
    for position in some_positions(players, 4):
        alike = [oracle.reshuffled(position, rng.randrange(players), rng)] if position["phase"] == "play" else []
        for one in (position, *alike, *changed_positions(position, rng)):
            try:
                game = at(one)
            except PositionError:
                continue  # nothing fits any more, or colours no longer match
            for seat in range(players):
                options = json.dumps(one.get("options"))  # of another table or game the sections are others
                look, view = options.encode() + seen(game, seat).tobytes(), options + public(one, seat)
                assert view_of.setdefault(look, view) == view
                assert look_of.setdefault(view, look) == look
    assert len(view_of) > 50


def changed_positions(position, rng):
    """Positions that differ in little."""
    for key, seat in (("gift_due", 0), ("penalties", -1), ("penalties", 0)):
        one = copy.deepcopy(position)
        one[key][seat] = 2 if one[key][seat] != 2 else 0
        yield one
    yield position | {"tick": position["tick"] + 1}
    yield position | {"round": (position["round"] + 1) % 2, "dealer": (position["round"] + 1) % 2}
    one = copy.deepcopy(position)
    piles = [pile for key in ("stacks", "discards") for pile in one[key] if len(pile) > 1]
    if piles:
        rng.shuffle(rng.choice(piles))
        yield one
    if len(piles) > 1:
        first, second = rng.sample(piles, 2)
        second.append(first.pop())
        yield one
    swap = copy.deepcopy(position)
    seat = rng.randrange(len(swap["up"]))
    for key in ("stacks", "discards"):
        if swap[key][seat] and swap["up"][seat] is not None:
            swap["up"][seat], swap[key][seat][-1] = swap[key][seat][-1], swap["up"][seat]
            yield swap


BASE = position_of([HOLE_TILE, 12], stacks=[[30, 31]], discards=[[40, 41], [50, 51]], figure=around(5), rounds=3)
DIFFERENT = [
    {"tick": 6},
    {"round": 1, "dealer": 1},
    {"gift_due": [0, 2]},
    {"gift_due": [2, 0]},
    {"discards": [[41, 40], [50, 51]]},  # the own ones; the other seat sees no difference
    {"stacks": [[31, 30], BASE["stacks"][1]]},
    {"discards": [[40, 41], [51, 50]]},
]


@clause("C-9")
@pytest.mark.parametrize("change", DIFFERENT, ids=str)
def test_a_seat_sees_what_is_public_and_its_own_discards(change):
    one, other = at(BASE), at(BASE | change, "other")
    for seat in (0, 1):
        alike = public(BASE, seat) == public(BASE | change, seat)
        assert np.array_equal(seen(one, seat), seen(other, seat)) == alike
    assert one.batch.keys() != at(BASE | change, "other").batch.keys()
    if "stacks" in change:
        assert np.array_equal(seen(one, 0), seen(other, 0))  # not even the own stack
    if change == {"discards": [[41, 40], [50, 51]]}:
        assert not np.array_equal(seen(one, 0), seen(other, 0))
        assert np.array_equal(seen(one, 1), seen(other, 1))


@clause("C-9", "HX-10")
def test_given_tiles_are_not_seen_by_the_giver_nor_the_receiver():
    looks = []
    for top in ([30, 31, 32], [36, 37, 32]):
        fill = [tile for tile in range(72) if tile not in (30, 31, 36, 37)]
        walk = table([27, 12], stacks=[top], gift_due=[2, 0], figure=around(5), fill=fill)
        tick(walk, "give 2")
        looks.append([seen(walk, seat).tobytes() for seat in (0, 1)])
    assert looks[0] == looks[1]


@clause("C-9", "HX-8")
def test_a_discard_is_seen_by_its_owner_where_it_lies():
    walk = table([12, 24], stacks=[[30, 31]], discards=[[40]])
    tick(walk, "next")
    assert section(walk, 0, "own_discards")[[40, 12]].tolist() == [1, 2]
    tick(walk, "recall 40")
    assert section(walk, 0, "own_discards")[[12, 30]].tolist() == [1, 2]
    assert section(walk, 1, "discards").tolist() == [0, 2]
    assert not section(walk, 1, "own_discards").any()


# ---- seats -----------------------------------------------------------------------------------------------------------
@clause("C-10", "HX-5")
@every_number
def test_all_seats_are_alike(players):
    """Turned seats see and may do the same; who deals has no bearing."""
    for position in some_positions(players, 5):
        walk = at(position)
        for shift in range(1, players):
            turned = at(relabelled(position, shift), "turned")
            for seat in range(players):
                views = walk.batch.view((0,), (seat,)), turned.batch.view((0,), ((seat + shift) % players,))
                for ours, theirs in zip(*views, strict=True):
                    assert np.array_equal(ours, theirs)


# ---- what is told ----------------------------------------------------------------------------------------------------
@clause("HX-4", "HX-5", "C-9")
def test_stacks_are_dealt_face_down_and_a_tile_of_the_star_is_told_of_when_it_is_turned():
    def told(walk, k=0):
        return {GAME.told_outcome(walk.options, walk.record, seat, k) for seat in range(walk.options.players)}

    walk = new_game()
    assert told(walk, 39) == {"tile 39 in the figure"}
    happen(walk, "tile 39 in the figure")
    assert told(walk, 5) == {"a tile for the figure"}
    happen(walk, "tile 0 in the figure")
    assert told(walk) == {"tile 0 turned by 5"}
    walk = deal(new_game())
    assert told(walk, 30) == {"a tile for player 0"}
    tiles = [tile for tile in range(72) if tile not in [lying for lying, _ in START.values()]]
    walk = deal(new_game(), *tiles[:15])
    assert told(walk, 7) == {"a tile for player 1"}
    walk = table([HOLE_TILE])
    walk.play_named("wait", "wait")
    assert told(walk, 0) == told(walk, 1) == {"all act"}  # who came first shows only where it matters


@clause("HX-7", "HX-11", "HX-13", "C-9")
def test_how_a_round_ends_is_told_to_all_with_the_tick_that_ends_it():
    walk = table([TIP_TILE, 12], stacks=[[], []], rest=1, rounds=2, tick=20)
    tiles = len(tiles_of(walk, 1))
    walk.play_named(TIP, "wait")
    for k in range(2):
        heard = {GAME.told_outcome(walk.options, walk.record, seat, k) for seat in range(2)}
        assert heard == {f"all act; the round is over, player 0 wins it; penalty points 0, {tiles}"}
    assert GAME.outcome_name(walk.options, walk.record, 0) == "order 0,1"
    before = walk.record.round
    walk.happen(0)
    assert (before, walk.record.round, walk.record.penalties[1]) == (0, 1, tiles)


@clause("HX-12", "HX-13", "C-9")
def test_a_round_that_nobody_wins_is_told_too():
    walk = table([12], rounds=2, max_ticks=6)
    points = [len(tiles_of(walk, seat)) for seat in range(2)]
    walk.play_named("wait", "wait")
    told = "all act; the round is over, nobody wins it; penalty points {}, {}".format(*points)
    assert GAME.told_outcome(walk.options, walk.record, 0, 1) == told


# ---- evaluation ------------------------------------------------------------------------------------------------------
def worth(seat=0, **keywords):
    walk = at(position_of(**keywords))
    return float(walk.batch.evaluate((0,), (seat,))[0])


@clause("HX-13")
@every_number
def test_fewer_tiles_and_points_are_worth_more(players):
    few = {"up": [12], "players": players}
    many = few | {"stacks": [list(range(30, 36))]}
    assert worth(**few) > worth(**many)
    assert worth(**many, rounds=2, number=1) > worth(**many, rounds=2, number=1, penalties=[5])
    assert worth(players - 1, **few) < worth(players - 1, **many)  # what seat 0 lacks, the last seat has


@clause("HX-9", "HX-10")
def test_a_gift_and_a_tile_that_fits_are_worth_something():
    base = {"up": [12], "stacks": [[30, 31, 32, 33, 34, 35]], "figure": around(5)}
    values = [worth(**base, gift_due=[due]) for due in (0, 2, 4, 6)]
    assert [value - values[0] for value in values] == [0, 4, 8, 12]  # what one has less, the other has more
    assert worth(**base, gift_due=[0, 2]) == values[0] - 4
    fits = [worth(up=[tile], stacks=[[70, 71]]) for tile in (12, TIP_TILE, HOLE_TILE)]
    assert fits == sorted(set(fits))  # nowhere, with two contacts, with three


@clause("HX-9")
def test_the_value_doesnt_hang_on_what_the_seat_cant_see():
    """Whether another's tile fits is seen, what is in stacks is not."""
    tiles = barren(START)[-8:]
    one = worth(up=[HOLE_TILE, 12], stacks=[tiles[:2]], fill=[t for t in range(72) if t not in tiles])
    other = worth(up=[HOLE_TILE, 12], stacks=[tiles[2:4]], fill=[t for t in range(72) if t not in tiles])
    assert one == other


@clause("HX-13")
@every_number
def test_placing_a_tile_is_worth_more_than_waiting(players):
    for up, name in ((TIP_TILE, TIP), (HOLE_TILE, HOLE)):
        given = {"up": [up], "stacks": [[12, 13]], "players": players}
        waited, placed = tick(table(**given)), tick(table(**given), name)
        values = [float(walk.batch.evaluate((0,), (0,))[0]) for walk in (waited, placed)]
        assert values[0] < values[1]
