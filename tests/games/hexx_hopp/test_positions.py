"""Positions of Hexx & Hopp back and forth, and what is refused (C-6)."""

import copy
import functools
import json
import random
from typing import Any

import pytest

from hopenvs.core.errors import PositionError
from hopenvs.core.jit import BACKEND
from hopenvs.core.state import SIMULTANEOUS, TERMINAL
from hopenvs.core.walk import Walk, walk_of
from tests.games.hexx_hopp.figures import (
    GAME,
    HOLE_TILE,
    RING,
    START,
    TIP_TILE,
    around,
    barren,
    new_game,
    options_of,
    position_of,
    scattered,
    set_up,
)

clause = pytest.mark.clause
every_number = pytest.mark.parametrize("players", [2, 3, 4, 5])

PLAIN = BACKEND == "plain"
MANGLED = 150 if PLAIN else 400  # positions for each number of players

ONE_PLACED = START | {"1,1": [TIP_TILE, 4]}
WON: dict[str, Any] = {"up": [None, 12], "figure": ONE_PLACED, "phase": "over", "penalties": [0, 29], "winners": [0]}
GIVEN = {
    "a first tick": position_of([HOLE_TILE], tick=0, rest=0),
    "two play": position_of([HOLE_TILE], stacks=[[30, 31]], discards=[[40, 41], [50]]),
    "a gift is due": position_of([12], gift_due=[0, 6], figure=around(5)),
    "two gifts are due": position_of([12], gift_due=[2, 4], figure=around(5)),
    "a later round": position_of([HOLE_TILE], rounds=10, number=7, penalties=[90, 3]),
    "a small table": position_of([HOLE_TILE], table_radius=2, max_ticks=6),
    "three play": position_of([HOLE_TILE, 12, 13], players=3, discards=[[], [60]]),
    "four play": position_of([HOLE_TILE], players=4, figure=around(6), gift_due=[0, 0, 2, 2]),
    "five play": position_of([HOLE_TILE], players=5, rounds=3, number=2),
    "the last tile is placed": position_of(**WON),
    "the last tile made three contacts": position_of([None, 12], figure=START | {"0,1": [15, 2]}, phase="over",
                                                     gift_due=[2, 0], penalties=[0, 29], winners=[0]),
    "won by six contacts": position_of([30, 12], stacks=[[31]], figure=around(6) | {"0,1": [15, 2]}, phase="over",
                                       penalties=[0, 24], winners=[0]),
    "time is up": position_of([12], tick=9, max_ticks=9, phase="over", penalties=[1, 29], winners=[0]),
    "nothing fits": position_of([12], fill=barren(START), tick=8, phase="over", penalties=[1, 29], winners=[0]),
    "nothing fits, a draw": position_of([12, 13], stacks=[barren(START)[-14:]], fill=barren(START), tick=0,
                                        phase="over", penalties=[15, 15], winners=[0, 1]),
    "cut off": position_of([HOLE_TILE], phase="over") | {"truncated": True},
}  # fmt: skip


@functools.cache
def begun(number):
    """A walk with the options of a given position."""
    return set_up(GIVEN[number])


def refused(position, match, like="two play"):
    """Setting it up is an error that names the key, and changes nothing."""
    walk = begun(like)
    before = walk.states.tobytes()
    with pytest.raises(PositionError, match=match):
        walk.start_from(position)
    assert walk.states.tobytes() == before


# ---- round trips -----------------------------------------------------------------------------------------------------
@clause("C-6")
@pytest.mark.parametrize("name", GIVEN)
def test_a_position_is_set_up_and_read_back(name):
    given = GIVEN[name]
    walk = set_up(json.loads(json.dumps(given)))
    assert walk.position() == given
    assert walk.current_player == (TERMINAL if given["phase"] == "over" else SIMULTANEOUS)
    assert list(walk.position()["figure"]) == sorted(given["figure"], key=by_cell)


def by_cell(name):
    q, r = map(int, name.split(","))
    return r, q


@clause("C-6")
@every_number
def test_play_goes_on_in_the_same_way_from_every_position_of_a_game(players):
    o = options_of(players=players, rounds=2, max_ticks=30, table_radius=4)
    rng = random.Random(players)
    walk, again = walk_of(GAME, o), walk_of(GAME, o)
    while not walk.is_over:
        if walk.is_chance:
            walk.happen(rng.randrange(len(walk.outcomes())))
            continue
        again.start_from(walk.position())
        assert again.position() == walk.position()
        assert again.batch.keys() == walk.batch.keys()
        for seat in range(players):
            for ours, theirs in zip(*(game.batch.view((0,), (seat,)) for game in (walk, again)), strict=True):
                assert (ours == theirs).all()
        joint = [rng.choice(walk.legal(seat)) for seat in range(players)]
        number = None
        for game in (walk, again):
            game.play(*joint)
            number = rng.randrange(len(game.outcomes())) if number is None else number
            game.happen(number)
        assert again.batch.keys() == walk.batch.keys()
    again.start_from(walk.position())
    assert again.position() == walk.position()
    assert again.result() == walk.result()


@clause("C-6")
def test_a_chance_point_has_no_position():
    with pytest.raises(PositionError, match="chance"):
        new_game().position()


# ---- keys ------------------------------------------------------------------------------------------------------------
TWO = GIVEN["two play"]


@clause("C-6")
@pytest.mark.parametrize("key", sorted(set(TWO) - {"options"}))
def test_every_key_is_needed(key):
    refused({name: value for name, value in TWO.items() if name != key}, f"'{key}' is missing")


@clause("C-6")
@pytest.mark.parametrize(("wrong", "match"), [
    ({"game": "hop"}, "'game'"),
    ({"players": 3}, "'players'"),
    ({"players": True}, "'players'"),
    ({"phase": "tick"}, "'phase'"),
    ({"phase": None}, "'phase'"),
    ({"phase": "over"}, "'tick'|'phase'|'penalties|'winners'"),
    ({"round": -1}, "'round'"),
    ({"round": 1}, "'round'"),
    ({"round": True}, "'round'"),
    ({"round": None}, "'round'"),
    ({"tick": -1}, "'tick'"),
    ({"tick": 300}, "'tick'"),
    ({"tick": "5"}, "'tick'"),
    ({"tick": 5.0}, "'tick'"),
    ({"figure": None}, "'figure'"),
    ({"figure": []}, "'figure'"),
    ({"figure": {}}, "'figure'"),
    ({"figure": START | {"1,1": None}}, r"'figure\[1,1\]'"),
    ({"figure": START | {"1,1": [24]}}, r"'figure\[1,1\]'"),
    ({"figure": START | {"1,1": [24, 6]}}, r"'figure\[1,1\]'"),
    ({"figure": START | {"1,1": [24, -1]}}, r"'figure\[1,1\]'"),
    ({"figure": START | {"1,1": [72, 0]}}, r"'figure\[1,1\]'"),
    ({"figure": START | {"1,1": ["24", 4]}}, r"'figure\[1,1\]'"),
    ({"figure": START | {"1,1": [0, 5]}}, r"'figure\[1,1\]'.*elsewhere"),
    ({"figure": START | {"11,0": [24, 4]}}, "'figure'.*11,0"),
    ({"figure": START | {"1, 1": [24, 4]}}, "'figure'.*1, 1"),
    ({"figure": START | {"01,1": [24, 4]}}, "'figure'.*01,1"),
    ({"figure": START | {(1, 1): [24, 4]}}, "'figure'"),
    ({"up": None}, "'up'"),
    ({"up": [15]}, "'up'"),
    ({"up": [15, 72]}, r"'up\[1\]'"),
    ({"up": [15, True]}, r"'up\[1\]'"),
    ({"up": [15, 15]}, r"'up\[1\]'"),
    ({"up": [None, TWO["up"][1]]}, r"'up\[0\]'"),
    ({"stacks": None}, "'stacks'"),
    ({"stacks": [[]]}, "'stacks'"),
    ({"stacks": [[], "30"]}, r"'stacks\[1\]'"),
    ({"stacks": [[], [None]]}, r"'stacks\[1\]'"),
    ({"stacks": [[], [-1]]}, r"'stacks\[1\]'"),
    ({"stacks": [[30, 30], []]}, r"'stacks\[0\]'.*elsewhere"),
    ({"discards": {}}, "'discards'"),
    ({"discards": [[], [30]]}, r"'discards\[1\]'.*elsewhere"),
    ({"gift_due": None}, "'gift_due'"),
    ({"gift_due": [0]}, "'gift_due'"),
    ({"gift_due": [0, 1]}, r"'gift_due\[1\]'"),
    ({"gift_due": [8, 0]}, r"'gift_due\[0\]'"),
    ({"gift_due": [2, 0]}, "'gift_due'"),
    ({"gift_due": [False, 0]}, r"'gift_due\[0\]'"),
    ({"penalties": None}, "'penalties'"),
    ({"penalties": [0]}, "'penalties'"),
    ({"penalties": [0, -1]}, r"'penalties\[1\]'"),
    ({"penalties": [1, 0]}, r"'penalties\[0\]'"),
    ({"dealer": 1}, "'dealer'"),
    ({"dealer": None}, "'dealer'"),
    ({"winners": [0]}, "'winners'"),
    ({"winners": [2]}, "'winners'"),
    ({"winners": None}, "'winners'"),
    ({"truncated": True}, "'truncated'"),
    ({"truncated": 1}, "'truncated'"),
    ({"to_play": None}, "to_play"),
    ({"turn": 3}, "turn"),
    ({"options": {"rounds": 1, "table_radius": 3}}, "table_radius"),
    ({"options": {}}, "rounds"),
    ({"options": {"rounds": 1, "cards": True}}, "cards"),
], ids=str)  # fmt: skip
def test_a_malformed_key_is_refused_by_its_name(wrong, match):
    refused(TWO | wrong, match)


@clause("C-6")
@pytest.mark.parametrize("value", [None, [], "play", 3])
def test_what_is_no_dict_is_refused(value):
    refused(value, "dict")


# ---- the figure ------------------------------------------------------------------------------------------------------
@clause("HX-4", "C-6")
@pytest.mark.parametrize("cell", START)
def test_the_star_is_in_the_figure(cell):
    figure = {name: tile for name, tile in around(4).items() if name != cell}
    refused(TWO | {"figure": figure}, f"'figure'.*{cell}")


@clause("HX-6", "C-6")
@pytest.mark.parametrize("figure", [
    around(4) | {"1,1": [TIP_TILE, 3]},
    around(6) | {"0,1": [15, 3]},
], ids=str)  # fmt: skip
def test_all_colours_match(figure):
    position = position_of([12], figure=figure)
    refused(position, "'figure'.*match")


@clause("HX-5", "C-6")
def test_the_centre_is_never_turned():
    refused(position_of([12], figure=START | {"0,0": [39, 1]}), r"'figure\[0,0\]': rotation 1: expected 0")


@clause("HX-7", "C-6")
def test_no_more_tiles_lie_there_than_ticks_allow():
    placed = START | RING
    assert set_up(position_of([12], figure=placed, tick=2)).position()["tick"] == 2
    refused(position_of([12], figure=placed, tick=1), "'figure': 10 tiles: expected 9 at most after 1 ticks")


@clause("HX-8", "C-6")
def test_nothing_is_discarded_in_tick_0():
    given = position_of([12], discards=[[30]], tick=1)
    assert set_up(given).position() == given
    refused(given | {"tick": 0}, "'discards'")


@clause("HX-6", "C-6")
def test_the_figure_hangs_together():
    refused(position_of([12], figure=START | {"5,5": [30, 0], "-6,5": [31, 0]}), "'figure'.*5,5.*hang")


@clause("HX-3", "C-6")
def test_the_figure_lies_on_the_table():
    position = position_of([12], figure=ONE_PLACED | {"2,1": [8, 1]}, table_radius=3)
    assert set_up(position).position() == position
    refused(position | {"options": {"rounds": 1, "table_radius": 2, "max_ticks": 6}}, "'figure'.*2,1", "a small table")


# ---- tiles -----------------------------------------------------------------------------------------------------------
@clause("HX-5", "C-6")
@pytest.mark.parametrize("name", ["two play", "three play", "five play"])
def test_figure_and_players_have_as_many_tiles_as_were_dealt(name):
    given = copy.deepcopy(GIVEN[name])
    gone = given["stacks"][-1].pop()
    refused(given, "'figure'.*dealt", name)
    if name != "five play":  # whose box is empty
        given["stacks"][-1] += [gone, next(tile for tile in range(71, 0, -1) if tile not in all_tiles(GIVEN[name]))]
        refused(given, "'figure'.*dealt", name)


def all_tiles(position):
    piles = [*position["stacks"], *position["discards"], position["up"]]
    return {tile for pile in piles for tile in pile} | {tile for tile, _ in position["figure"].values()}


@clause("HX-8", "C-6")
@pytest.mark.parametrize("key", ["stacks", "discards"])
def test_a_seat_with_tiles_has_one_face_up(key):
    given = copy.deepcopy(TWO)
    given[key][1].append(given["up"][1])
    given["up"][1] = None
    refused(given, r"'up\[1\]'")


@clause("HX-11", "C-6")
def test_a_seat_without_tiles_has_won():
    given = position_of([None], figure=ONE_PLACED)
    refused(given, r"'up'.*seat 0.*over")
    refused(position_of([None], figure=ONE_PLACED, phase="over") | {"truncated": True}, r"'up'.*seat 0.*over")
    refused(position_of([None, None, 12], players=3, figure=around(6), phase="over", penalties=[0, 0, 42],
                        winners=[0, 1]), "'up'.*seats", "three play")  # fmt: skip


@clause("HX-12", "C-6")
def test_something_fits_while_the_round_goes_on_but_when_a_gift_is_due():
    refused(position_of([12], fill=barren(START)), "'figure'.*fits")
    figure = START | {"0,1": [15, 2]}
    refused(position_of([12], fill=barren(figure), figure=figure), "'figure'.*fits")
    given = position_of([12], fill=barren(figure), figure=figure, gift_due=[2])
    assert set_up(given).position() == given


# ---- the end ---------------------------------------------------------------------------------------------------------
@clause("HX-14", "C-6")
def test_the_last_round_is_played_when_the_game_is_over():
    given = position_of(**WON, rounds=10, number=8)
    walk = Walk(GAME, options_of(rounds=10))
    walk.start(0)
    with pytest.raises(PositionError, match="'round'"):
        walk.start_from(given)


@clause("HX-14", "C-6")
@pytest.mark.parametrize("winners", [[], [1], [0, 1]])
def test_the_fewest_points_have_won(winners):
    refused(position_of(**WON | {"winners": winners}), "'winners'")


@clause("HX-13", "C-6")
@pytest.mark.parametrize(("penalties", "match"), [
    ([0, 28], "'penalties': .*as many as each has tiles left"),  # of 29 tiles
    ([0, 30], "'penalties'"),
    ([0, 31], r"'penalties\[1\]'"),  # more than were dealt
    ([2, 29], "'penalties'"),
])  # fmt: skip
def test_the_round_has_been_paid_for(penalties, match):
    refused(position_of(**WON | {"penalties": penalties}), match)


@clause("HX-13", "C-6")
def test_only_one_seat_may_be_spared():
    refused(position_of([12], tick=9, phase="over", winners=[0], penalties=[0, 3]), "'penalties")


@clause("HX-12", "C-6")
def test_a_round_that_nobody_won_is_over_only_if_time_is_up_or_nothing_fits():
    refused(position_of([HOLE_TILE], tick=9, phase="over", winners=[0], penalties=[1, 29]), "'phase'")


@clause("C-6", "C-8")
def test_a_truncated_game_has_no_winners():
    refused(GIVEN["cut off"] | {"winners": [0]}, "'winners'")


# ---- mangled ---------------------------------------------------------------------------------------------------------
VALUES: list[Any] = [None, True, -1, 0, 1, 2, 3, 4, 5, 6, 7, 14, 15, 29, 30, 71, 72, 127, 128, 299, 300, 2**31, 2.0,
                     "play", "over", "0,0", [], {}, [0], [0, 1], [0, 0], [[], []], [24, 4]]  # fmt: skip


def places(value):
    """Every (container, key) within a position."""
    keys = list(value) if isinstance(value, dict) else range(len(value))
    for key in keys:
        yield value, key
        if isinstance(value[key], (dict, list)):
            yield from places(value[key])


def mangle(position, rng):
    """Change, swap, drop or move something."""
    spots = list(places(position))
    container, key = rng.choice(spots)
    kind = rng.randrange(6)
    if kind == 0:
        container[key] = copy.deepcopy(rng.choice(VALUES))
    elif kind == 1:
        other, where = rng.choice(spots)
        container[key], other[where] = copy.deepcopy(other[where]), copy.deepcopy(container[key])
    elif kind == 2 and isinstance(container, list):
        del container[key]
    elif kind == 3 and isinstance(container[key], int):
        container[key] += rng.choice([-1, 1, 2])
    elif kind == 4:
        position[rng.choice(["gift_due", "penalties"])] = [rng.choice([0, 2, 4, 6, 30]) for _ in position["up"]]
    else:
        move_a_tile(position, rng)


def move_a_tile(position, rng):
    """A tile comes to another pile, which few checks can see."""
    piles = [pile for name in ("stacks", "discards") for pile in position.get(name) or [] if isinstance(pile, list)]
    full = [pile for pile in piles if pile]
    if full:
        tile = rng.choice(full).pop()
        rng.choice(piles).insert(0, tile)


@clause("C-6", "C-4")
@every_number
def test_a_mangled_position_is_refused_or_can_be_played(players):
    options = {"players": players, "rounds": 2, "max_ticks": 40, "table_radius": 3}
    walk = Walk(GAME, options_of(**options))
    walk.start(0)
    rng = random.Random(players)
    taken = 0
    for position in scattered(rng, MANGLED // 10, **options):
        for number in range(10):
            given = copy.deepcopy(position)
            for _ in range(1 + number // 4):
                if all(isinstance(given.get(name), list) for name in ("up", "stacks", "discards")):
                    mangle(given, rng)
            before = walk.states.tobytes()
            try:
                walk.start_from(given)
            except PositionError:
                assert walk.states.tobytes() == before
                continue
            taken += 1
            assert walk.position() == json.loads(json.dumps(given))
            if taken % 6 == 0:
                play_to_the_end(walk, rng)
    assert taken > MANGLED / 30


def play_to_the_end(walk, rng):
    """Nobody that is asked has an empty mask."""
    while not walk.is_over:
        if walk.is_chance:
            walk.happen(rng.randrange(len(walk.outcomes())))
        else:
            walk.play(*(rng.choice(walk.legal(seat)) for seat in range(walk.options.players)))
            walk.batch.keys()
    assert walk.result()["scores"] == [-points for points in walk.position()["penalties"]]
