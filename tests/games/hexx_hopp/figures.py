"""Positions of Hexx & Hopp in a few words.

Every position is made from one start figure, whose tiles lie so that each of its nine open cells asks for something
simple, and every tile that was dealt is somewhere: what isn't named fills the stack of one seat.

    cells with two contacts, the tips of the star: (1,-2) (-1,-1) (2,-1) (-2,1) (1,1) (-1,2): red, red
    cells with three, between its arms: (0,1) blue, blue, yellow; (-1,0) yellow, yellow, white; (1,-1) white, red, blue
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Any

from hopenvs.core.options import changed_options, parse_options
from hopenvs.core.walk import Walk, walk_of
from hopenvs.games import hexx_hopp
from tests.oracles import hexx_hopp as oracle

GAME: Any = hexx_hopp  # Any: a package's imported names count as its own here

Figure = dict[str, list[int]]  # as in a position: "q,r" -> [tile, rotation]

START: Figure = {
    "0,0": [39, 0], "1,0": [0, 5], "2,0": [1, 2], "-1,1": [4, 1], "-2,2": [2, 4], "0,-1": [3, 3], "0,-2": [5, 0],
}  # fmt: skip
TIPS = ["1,-2", "-1,-1", "2,-1", "-2,1", "1,1", "-1,2"]
BETWEEN = ["0,1", "-1,0", "1,-1"]

# BBBYWR fits at (0,1), turned by two, and still does when these come round it one by one: RRYYBW, RRBBYW, RYBYRW.
HOLE_TILE, HOLE = 15, "place 0,1 2"
RING: Figure = {"1,1": [24, 4], "-1,2": [26, 3], "0,2": [50, 2]}

TIP_TILE, TIP = 24, "place 1,1 4"  # RRYYBW with its red to the tip of the star; it goes with HOLE
WRONG_TIP_TILE, WRONG_TIP = 25, "place 1,1 4"  # RRYYWB there shows blue to (0,1), where BBBYWR has white


def around(contacts: int) -> Figure:
    """The start figure and so much of the ring that (0,1) has so many contacts: three to six."""
    return START | dict(list(RING.items())[: contacts - 3])


def barren(*figures: Mapping[str, Sequence[int]], table_radius: int = 10) -> list[int]:
    """The tiles that lie in none of these figures and fit nowhere in any of them."""
    return [
        tile
        for tile in range(len(oracle.TILES))
        if all(tile not in [lying for lying, _ in figure.values()] for figure in figures)
        and not any(oracle.placements(figure, tile, table_radius) for figure in figures)
    ]


def options_of(**keywords: Any) -> Any:
    """Compiled options; one round if nothing else is said."""
    return parse_options(GAME, {"rounds": 1, **keywords})


def new_game(**keywords: Any) -> Walk:
    """The start of a game, before the first tile is dealt."""
    return walk_of(GAME, options_of(**keywords))


def hand_size(players: int) -> int:
    """HX-5."""
    return 13 if players == 5 else 15


def position_of(
    up: Sequence[int | None] = (),
    *,
    figure: Mapping[str, Sequence[int]] = START,
    stacks: Sequence[Sequence[int]] = (),
    discards: Sequence[Sequence[int]] = (),
    rest: int | None = None,
    fill: Sequence[int] | None = None,
    gift_due: Sequence[int] = (),
    penalties: Sequence[int] = (),
    number: int = 0,
    tick: int = 5,
    phase: str = "play",
    winners: Sequence[int] = (),
    players: int = 2,
    **options: Any,
) -> dict[str, Any]:
    """A position in which every tile that was dealt is somewhere.

    Args:
        up: a tile a seat; seats that aren't named get one that is named nowhere.
        figure: all that lies on the table.
        stacks: from the top down; missing seats have none.
        discards: from the oldest on; missing seats have none.
        rest: the seat under whose stack come as many tiles as are missing; by default the last one.
        fill: the tiles that these are taken from, in order, as far as they are named nowhere; by default all.
        gift_due: 0 where nothing is said.
        penalties: 0 where nothing is said.
        number: `round`.
        tick: as in the position.
        phase: as in the position.
        winners: as in the position.
        players: how many.
        **options: of the game; one round if nothing else is said.
    """
    o = options_of(players=players, **options)

    def padded(given: Sequence[Any], value: Any) -> list[Any]:
        return [given[seat] if seat < len(given) else value for seat in range(players)]

    piles = {"stacks": padded(stacks, ()), "discards": padded(discards, ())}
    piles = {key: [list(pile) for pile in some] for key, some in piles.items()}
    named = {tile for tile, _ in figure.values()} | {tile for tile in up if tile is not None}
    named |= {tile for some in piles.values() for pile in some for tile in pile}
    free = [tile for tile in (range(len(oracle.TILES)) if fill is None else fill) if tile not in named]
    faces = [*up, *(free.pop(0) for _ in range(len(up), players))]
    held = sum(len(pile) for some in piles.values() for pile in some) + sum(tile is not None for tile in faces)
    missing = len(START) + players * hand_size(players) - len(figure) - held
    assert 0 <= missing <= len(free), f"{missing} tiles are missing, {len(free)} are left"
    piles["stacks"][players - 1 if rest is None else rest] += free[:missing]
    position = {
        "game": "hexx_hopp",
        "players": players,
        "phase": phase,
        "round": number,
        "tick": tick,
        "figure": {name: list(figure[name]) for name in figure},
        "up": faces,
        **piles,
        "gift_due": padded(gift_due, 0),
        "penalties": padded(penalties, 0),
        "dealer": number % players,
        "winners": list(winners),
    }
    changed = changed_options(GAME, o, for_position=True)
    return position | {"options": changed} if changed else position


def set_up(position: Mapping[str, Any]) -> Walk:
    """A game at a position, whatever its options."""
    stated = {"rounds": 10, "players": position["players"], **position.get("options", {})}
    return walk_of(GAME, options_of(**stated), position)


def table(up: Sequence[int | None] = (), **keywords: Any) -> Walk:
    """A game at a position: see `position_of`."""
    return set_up(position_of(up, **keywords))


def tick(walk: Walk, *names: str, order: str = "") -> Walk:
    """A tick: an action a seat by name (seats that aren't named wait), then the order of the seats; the same walk.

    Args:
        walk: a game at a tick.
        names: of the actions.
        order: the seats, as in `"10"`; by default ascending.
    """
    seats = range(walk.options.players)
    walk.play_named(*names, *["wait"] * (len(seats) - len(names)))
    first = [int(seat) for seat in order] or list(seats)
    walk.happen(list(permutations(seats)).index(tuple(first)))
    return walk


def legal(walk: Walk, seat: int, verb: str = "") -> list[str]:
    """The legal actions of a seat whose names begin with a word."""
    names: list[str] = walk.legal_names()[seat]
    return [name for name in names if name.startswith(verb)]


def outcomes(walk: Walk) -> list[str]:
    """The names of the outcomes of a chance point, in the order of their numbers."""
    return [GAME.outcome_name(walk.options, walk.record, k) for k in range(len(walk.outcomes()))]


def happen(walk: Walk, *names: str) -> Walk:
    """Outcomes of chance by name; the same walk."""
    for name in names:
        walk.happen(outcomes(walk).index(name))
    return walk


def deal(walk: Walk, *tiles: int) -> Walk:
    """Deal the start figure, and then these tiles to the stacks; the same walk."""
    for k, (tile, rotation) in enumerate(START.values()):
        happen(walk, f"tile {tile} in the figure", *([f"tile {tile} turned by {rotation}"] if k else []))
    for k, tile in enumerate(tiles):
        happen(walk, f"tile {tile} for player {k // hand_size(walk.options.players)}")
    return walk


def tiles_of(walk: Walk, seat: int) -> list[int]:
    """All tiles of a seat: stack, discards, face up."""
    return oracle.tiles_of(walk.position(), seat)


def scattered(rng: random.Random, count: int, **options: Any) -> list[dict[str, Any]]:
    """Positions with holes, gifts of all kinds and seats with few tiles, whether or not play leads there."""
    found: list[dict[str, Any]] = []
    while len(found) < count:
        (position,) = oracle.random_positions(rng=rng, count=1, **options)
        gifts = sum(gift > 0 for gift in position["gift_due"])
        # each gift came with a placement, and the walker may have taken tiles out that held others
        if gifts <= len(position["figure"]) - len(START) and hangs_together(position["figure"]):
            found.append(position)
    return found


def hangs_together(figure: Mapping[str, Sequence[int]]) -> bool:
    """Whether every tile can be reached from the centre, tile by tile."""
    left = {oracle.cell_called(name) for name in figure} - {(0, 0)}
    reached = [(0, 0)]
    for q, r in reached:
        beside = {(q + dq, r + dr) for dq, dr in oracle.DIRECTIONS} & left
        reached += beside
        left -= beside
    return not left
