"""Names of actions and outcomes: one table gives the catalogue, its length and its documentation."""

from __future__ import annotations

import functools
from itertools import permutations
from typing import Any

from hopenvs.core.errors import nearest
from hopenvs.core.jit import plain_twin
from hopenvs.core.plain import copy_of
from hopenvs.core.state import TERMINAL
from hopenvs.games.hexx_hopp import rules
from hopenvs.games.hexx_hopp.gifts import WAYS
from hopenvs.games.hexx_hopp.options import Options
from hopenvs.games.hexx_hopp.table import NUM_TILES, SIDES, cells_of


def catalogue(o: Options) -> tuple[str, ...]:
    """Every action's name, in order of its index (HX: Decisions)."""
    return _catalogue(o.players, o.table_radius)


@functools.cache
def _catalogue(players: int, radius: int) -> tuple[str, ...]:
    return (
        "wait",
        "next",
        *(f"recall {tile}" for tile in range(NUM_TILES)),
        *(f"place {q},{r} {k}" for q, r in cells_of(radius) for k in range(SIDES)),
        *("give " + ",".join(map(str, way)) for way in WAYS[players]),
    )


@functools.cache
def _index(players: int, radius: int) -> dict[str, int]:
    return {name: action for action, name in enumerate(_catalogue(players, radius))}


def action_name(o: Options, action: int) -> str:
    """The catalogue's name of an action."""
    return catalogue(o)[action]


def parse_action(o: Options, name: str) -> int:
    """The action of a name; ValueError if there is none."""
    try:
        return _index(o.players, o.table_radius)[name]
    except (KeyError, TypeError):
        gift = ",".join("abcd"[: o.players - 1])
        raise ValueError(
            f"unknown action {name!r}{nearest(str(name), catalogue(o))}: expected wait, next, recall TILE, place Q,R K "
            f"(a cell of the table, and a rotation from 0 to 5) or give {gift} (tiles for left1 and so on, 6 at most)"
        ) from None


def describe(o: Options, s: Any, action: int) -> str:
    """The name says it all: in a tick names stand in the order of the seats."""
    return action_name(o, action)


def outcome_name(o: Options, s: Any, k: int) -> str:
    """The tile that is dealt, how it is turned, or the order of the seats."""
    if s.phase == rules.ORDER:
        order = list(permutations(range(o.players)))[k]
        return "order " + ",".join(map(str, order))
    if s.phase == rules.DEAL_ROTATION:
        return f"tile {s.held} turned by {plain_twin(rules.kth_rotation)(o, s, k)}"
    tile = [tile for tile in range(NUM_TILES) if s.boxed[tile]][k]
    if s.phase == rules.DEAL_TILE:
        return f"tile {tile} in the figure"
    return f"tile {tile} for player {_receiver(o, s)}"


def told_outcome(o: Options, s: Any, seat: int, k: int) -> str:
    """HX-5: stacks are dealt face down; a tile of the star is told of when it lies, turned (HX-4)."""
    if s.phase == rules.DEAL_STACK:
        return f"a tile for player {_receiver(o, s)}"
    if s.phase == rules.DEAL_TILE and s.dealt > 0:
        return "a tile for the figure"
    if s.phase == rules.ORDER:  # who came first shows only where it matters
        return "all act" + _round_told(o, s, k)
    return outcome_name(o, s, k)


def _round_told(o: Options, s: Any, k: int) -> str:
    """How the round ended, if the tick ends it: its last position is gone when the next round is dealt."""
    then = copy_of(s)
    plain_twin(rules.apply_chance)(o, then, k)
    if then.current_player != TERMINAL and then.round == s.round:
        return ""
    points = [then.penalties[seat] - s.penalties[seat] for seat in range(o.players)]
    won = next((f"player {seat} wins it" for seat, given in enumerate(points) if not given), "nobody wins it")
    return f"; the round is over, {won}; penalty points {', '.join(map(str, points))}"


def _receiver(o: Options, s: Any) -> int:
    return (s.dealt - rules.STAR_SIZE) // plain_twin(rules.tiles_each)(o)
