"""Positions: any situation as a JSON-able dict and back (C-6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hopenvs.core.errors import PositionError
from hopenvs.core.jit import plain_twin
from hopenvs.core.position import check_keys, integer, items, seats, word
from hopenvs.core.state import SIMULTANEOUS, TERMINAL
from hopenvs.games.hexx_hopp import rules
from hopenvs.games.hexx_hopp.figure import clear_figure, put
from hopenvs.games.hexx_hopp.options import Options
from hopenvs.games.hexx_hopp.piles import DISCARDS, NO_TILE, STACK, append, box_all, tiles_of
from hopenvs.games.hexx_hopp.table import NEIGHBOUR, NUM_TILES, OFF, SIDES, STAR, cells_of, matches

KEYS = (
    "game", "players", "phase", "round", "tick", "figure", "up", "stacks", "discards", "gift_due", "penalties",
    "dealer", "winners",
)  # fmt: skip
PILES = {"stacks": STACK, "discards": DISCARDS}
GIFTS = (0, 2, 4, 6)  # HX-9


def to_position(o: Options, s: Any) -> dict[str, Any]:
    """The position of a tick or a finished game."""
    if s.current_player not in (SIMULTANEOUS, TERMINAL):
        raise ValueError("a chance point has no position (C-6)")
    players, cells = range(o.players), cells_of(o.table_radius)
    position: dict[str, Any] = {
        "game": "hexx_hopp",
        "players": o.players,
        "phase": "over" if s.current_player == TERMINAL else "play",
        "round": s.round,
        "tick": s.turn,
        "figure": {f"{q},{r}": list(divmod(s.turned[k], SIDES)) for k, (q, r) in enumerate(cells) if s.turned[k] >= 0},
        "up": [None if s.up[seat] == NO_TILE else s.up[seat] for seat in players],
        **{name: [_pile(s, seat, pile) for seat in players] for name, pile in PILES.items()},
        "gift_due": [s.gift_due[seat] for seat in players],
        "penalties": [s.penalties[seat] for seat in players],
        "dealer": s.round % o.players,
        "winners": [seat for seat in players if s.winners[seat]],
    }
    return position | {"truncated": True} if s.truncated else position


def _pile(s: Any, seat: int, pile: int) -> list[int]:
    tiles, tile = [], s.first[seat, pile]
    for _ in range(s.count[seat, pile]):
        tiles.append(tile)
        tile = s.after[tile]
    return tiles


def from_position(o: Options, position: Mapping[str, Any], s: Any) -> None:
    """Set the blank record `s` to a position.

    Raises:
        PositionError: naming the key that is malformed, or contradicts the rules or another key.
    """
    check_keys(position, KEYS, optional=("options", "truncated"))
    over = word(position, "phase", ("play", "over")) == "over"
    truncated = position.get("truncated", False)
    if not isinstance(truncated, bool) or (truncated and not over):
        raise PositionError(f"key 'truncated': {truncated!r}: expected true, and only when over")
    last = o.rounds - 1
    s.round = integer(position["round"], "round", last if over and not truncated else 0, last)
    s.turn = integer(position["tick"], "tick", 0, o.max_ticks if over and not truncated else o.max_ticks - 1)
    integer(position["dealer"], "dealer", s.round % o.players, s.round % o.players)
    plain_twin(clear_figure)(o, s)
    plain_twin(box_all)(s)
    for seat in range(len(s.chosen)):
        s.chosen[seat] = rules.NO_ACTION
    s.held = NO_TILE
    s.phase = rules.PLAY
    s.dealt = rules.STAR_SIZE + o.players * plain_twin(rules.tiles_each)(o)
    s.current_player = TERMINAL if over else SIMULTANEOUS
    s.truncated = int(truncated)
    _read_figure(o, position, s)
    _read_tiles(o, position, s)
    _read_gifts(o, position, s)
    _read_penalties(o, position, s)
    _check_end(o, position, s, over, truncated)


def _take(s: Any, tile: Any, key: str) -> int:
    """A tile out of the box: each is in one place only."""
    number = integer(tile, key, 0, NUM_TILES - 1)
    if not s.boxed[number]:
        raise PositionError(f"key '{key}': tile {number} is elsewhere too: expected each tile in one place")
    s.boxed[number] = 0
    return number


def _read_figure(o: Options, position: Mapping[str, Any], s: Any) -> None:
    """HX-3, HX-4, HX-6: the star and what grew on it, all in one piece, all colours matching."""
    given = position["figure"]
    if not isinstance(given, Mapping):
        raise PositionError(f"key 'figure': {given!r}: expected {{'q,r': [tile, rotation], ..}}")
    cells = cells_of(o.table_radius)
    number = {f"{q},{r}": k for k, (q, r) in enumerate(cells)}
    for name in given:
        if name not in number:
            raise PositionError(f"key 'figure': {name!r}: expected cells 'q,r' of the table of radius {o.table_radius}")
    star = [f"{q},{r}" for q, r in STAR]
    for name in star:
        if name not in given:
            raise PositionError(f"key 'figure': nothing at {name}: expected the star of HX-4 in it")
    turned = {}
    for name, tile in given.items():
        tile_number, rotation = items(tile, f"figure[{name}]", 2, "a tile and its rotation")
        taken = _take(s, tile_number, f"figure[{name}]")
        if name == star[0] and rotation != 0:
            raise PositionError(f"key 'figure[{name}]': rotation {rotation!r}: expected 0 (HX-5)")
        turned[number[name]] = SIDES * taken + integer(rotation, f"figure[{name}]", 0, SIDES - 1)
    reached, frontier = {number[star[0]]}, [number[star[0]]]
    while frontier:
        for side in range(SIDES):
            cell = NEIGHBOUR[o.table_radius][frontier[0]][side]
            if cell != OFF and cell in turned and cell not in reached:
                reached.add(int(cell))
                frontier.append(int(cell))
        frontier.pop(0)
    for name in given:
        if number[name] not in reached:
            raise PositionError(f"key 'figure': {name} doesn't hang together with the star")
    for cell in [number[name] for name in star] + sorted(set(turned) - {number[name] for name in star}):
        if not plain_twin(matches)(s.touching[cell], turned[cell]):
            q, r = cells[cell]
            raise PositionError(f"key 'figure': the colours at {q},{r} don't match its neighbours' (HX-6)")
        plain_twin(put)(o, s, cell, turned[cell])


def _read_tiles(o: Options, position: Mapping[str, Any], s: Any) -> None:
    """HX-5: the players' tiles; with those they placed there are as many as were dealt."""
    for key, pile in PILES.items():
        for seat, tiles in enumerate(items(position[key], key, o.players, "a list of tiles a seat")):
            for tile in items(tiles, f"{key}[{seat}]", None, "tiles"):
                plain_twin(append)(s, seat, pile, _take(s, tile, f"{key}[{seat}]"))
    for seat, tile in enumerate(items(position["up"], "up", o.players, "a tile or null a seat")):
        if tile is not None:
            s.up[seat] = _take(s, tile, f"up[{seat}]")
        elif s.count[seat, STACK] or s.count[seat, DISCARDS]:
            raise PositionError(f"key 'up[{seat}]': null, but there are tiles to turn up (HX-8)")
    dealt = s.dealt - sum(plain_twin(tiles_of)(s, seat) for seat in range(o.players))
    most = rules.STAR_SIZE + s.turn * o.players
    if s.num_placed > most:
        raise PositionError(f"key 'figure': {s.num_placed} tiles: expected {most} at most after {s.turn} ticks")
    if not s.turn and any(s.count[seat, DISCARDS] for seat in range(o.players)):
        raise PositionError("key 'discards': there are tiles in tick 0 (HX-8)")
    if s.num_placed != dealt:
        raise PositionError(
            f"key 'figure': {s.num_placed} tiles, but with the players' tiles it takes {dealt} to make the {s.dealt} "
            "that were dealt (HX-5)"
        )


def _read_gifts(o: Options, position: Mapping[str, Any], s: Any) -> None:
    """HX-9: 2, 4 or 6 tiles may be given after a placement."""
    for seat, gift in enumerate(items(position["gift_due"], "gift_due", o.players, "0, 2, 4 or 6 a seat")):
        s.gift_due[seat] = integer(gift, f"gift_due[{seat}]", 0, max(GIFTS))
        if gift not in GIFTS:
            raise PositionError(f"key 'gift_due[{seat}]': {gift}: expected 0, 2, 4 or 6")
    due = sum(s.gift_due[seat] > 0 for seat in range(o.players))
    if due > s.num_placed - rules.STAR_SIZE:
        raise PositionError(f"key 'gift_due': {due} gifts, but so many tiles haven't been placed")


def _read_penalties(o: Options, position: Mapping[str, Any], s: Any) -> None:
    """HX-13: at most all dealt tiles a round."""
    rounds = s.round + (s.current_player == TERMINAL and not s.truncated)
    most = rounds * (s.dealt - rules.STAR_SIZE)
    for seat, points in enumerate(items(position["penalties"], "penalties", o.players, "points a seat")):
        s.penalties[seat] = integer(points, f"penalties[{seat}]", 0, most)
    total = sum(s.penalties[seat] for seat in range(o.players))
    if total > most:
        raise PositionError(f"key 'penalties': {total} in all, but {rounds} rounds have at most {most} tiles")


def _check_end(o: Options, position: Mapping[str, Any], s: Any, over: bool, truncated: bool) -> None:
    """HX-11, HX-12, HX-14: a round that goes on isn't decided; when over, the fewest points have won."""
    tileless = [seat for seat in range(o.players) if plain_twin(tiles_of)(s, seat) == 0]
    if tileless and (not over or truncated):
        raise PositionError(f"key 'up': seat {tileless[0]} has no tile left: the round would be over (HX-11)")
    if len(tileless) > 1:
        raise PositionError(f"key 'up': seats {tileless} have no tile left: the first one ends the round (HX-11)")
    if (not over or truncated) and plain_twin(rules.is_stuck)(o, s):
        raise PositionError("key 'figure': no tile fits anywhere: the round would be over (HX-12)")
    if over and not truncated:
        _check_last_round(o, s, tileless)
        plain_twin(rules.result)(o, s, s.scores, s.ranks, s.winners)
    stated = seats(position["winners"], "winners", o.players)
    found = [seat for seat in range(o.players) if s.winners[seat]]
    if stated != found:
        raise PositionError(f"key 'winners': {stated}, but by the penalty points it is {found}")


def _check_last_round(o: Options, s: Any, tileless: list[int]) -> None:
    """HX-13: who hasn't won the last round has paid for the tiles that are left."""
    if s.round == 0:
        paid = [s.penalties[seat] == plain_twin(tiles_of)(s, seat) for seat in range(o.players)]
        free = [seat for seat in range(o.players) if not s.penalties[seat] and not paid[seat]]
        if not all(paid[seat] or seat in free for seat in range(o.players)) or len(free) > (0 if tileless else 1):
            stated = [s.penalties[seat] for seat in range(o.players)]
            raise PositionError(
                f"key 'penalties': {stated}: expected as many as each has tiles left, but 0 for the round's winner "
                "(HX-13)"
            )
    unpaid = [seat for seat in range(o.players) if s.penalties[seat] < plain_twin(tiles_of)(s, seat)]
    if len(unpaid) > 1 or (unpaid and tileless):
        raise PositionError(
            f"key 'penalties[{unpaid[-1]}]': {s.penalties[unpaid[-1]]}: expected a point at least for each tile left, "
            "but for the round's winner (HX-13)"
        )
    if not tileless and not unpaid and s.turn < o.max_ticks and not plain_twin(rules.is_stuck)(o, s):
        free = [seat for seat in range(o.players) if s.round > 0 or s.penalties[seat] == 0]
        if not free:
            raise PositionError("key 'phase': 'over', but nobody has won the round, and it has ticks left (HX-12)")
