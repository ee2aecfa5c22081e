"""Beside the table: where the game stands, and every player's tiles, the viewer's first."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Final, Literal

from hopenvs.games.hexx_hopp.draw.faces import corners, face, hexagon, pile
from hopenvs.games.hexx_hopp.draw.marks import chip, chip_width, cup, gift, penalty, player
from hopenvs.games.hexx_hopp.draw.view import SIDES, View, footnote, headline, ordinal
from hopenvs.render.scene import Group, Path, Polygon, Rect, Shape, Text, seat_colour, text_width

WIDTH: Final = 430.0
HEIGHT: Final = 868.0  # of all cards together; it doesn't depend on the position

_STATUS: Final = 106.0
_SPACE: Final = 9.0
_EDGE: Final = 18.0
_PAD: Final = 12.0  # above and below a player's tile
_STRIP: Final = 76.0  # the viewer's tile in all turns
_LARGEST: Final = 82.0  # tile, from its middle to a corner
_TALLEST: Final = 244.0  # card
_OWN: Final = {2: 372.0, 3: 336.0, 4: 292.0, 5: 262.0}  # players -> height of the viewer's card
_SMALL: Final = 13.5
_CHIP: Final = 11.5

Box = tuple[float, float, float, float]  # left, top, width, height


def panel(view: View) -> tuple[Shape, ...]:
    """Return the cards, the first one at (0, 0)."""
    shapes: list[Shape] = [_status(view)]
    y = _STATUS + _SPACE
    for seat in view.seats():
        height = _heights(view)[seat == view.seat]
        shapes.append(_player(view, seat, y, height))
        y += height + _SPACE
    return tuple(shapes)


def _heights(view: View) -> tuple[float, float]:
    """Return how high a player's card is, and the viewer's."""
    room = HEIGHT - _STATUS
    if view.seat is None:
        return min(_TALLEST, room / view.players - _SPACE), 0.0
    own = _OWN[view.players]
    return min(_TALLEST, (room - own - _SPACE) / (view.players - 1) - _SPACE), own


def _status(view: View) -> Group:
    who, what = headline(view)
    winner = view.winners[0] if view.over and view.winners else None
    shapes: list[Shape] = [Group((Rect(0, 0, WIDTH, _STATUS, 16, fill="panel", stroke="line", stroke_width=1.5),))]
    if winner is not None:
        edge = f"M0 16A16 16 0 0 1 12 .5V{_STATUS - 0.5}A16 16 0 0 1 0 {_STATUS - 16}Z"
        shapes += [Path(edge, fill=seat_colour(winner)), player(winner, WIDTH - 44, 38, 1.3)]
    room = WIDTH - 28 - 14
    shapes += _line((who,), 38, 25, "ink", room - (60 if winner is not None else 0), bold=True)
    shapes += _line((what,), 67, 17, "ink", room)
    shapes += _line(footnote(view), 91, 14, "faint", room)
    return Group(tuple(shapes), role="status")


def _line(parts: Sequence[str], y: float, size: float, fill: str, room: float, *, bold: bool = False) -> list[Shape]:
    """Return a line in parts of which some often stay the same, smaller if it is too long for the room."""
    weight: Literal["regular", "bold"] = "bold" if bold else "regular"
    size = min(size, size * room / text_width(" ".join(parts), size, weight))
    shapes: list[Shape] = []
    x = 28.0
    for part in parts:
        shapes.append(Group((Text(0, 0, part, size, fill, anchor="start", weight=weight),), x, y))
        x += text_width(part, size, weight) + 0.4 * size
    return shapes


def _player(view: View, seat: int, y: float, height: float) -> Group:
    won = seat in view.winners
    stroke, wide = ("accent", 3.0) if won or (view.gift_due[seat] and not view.over) else ("line", 1.5)
    own = seat == view.seat
    bottom = height - (_STRIP if own else 0.0)
    size = min(_LARGEST, bottom / 2 - _PAD)
    left = _EDGE + size * sqrt(3) + 18
    shapes: list[Shape] = [
        Group((Rect(0, 0, WIDTH, height, 14, fill="panel", stroke=stroke, stroke_width=wide),)),
        _face_up(view, seat, _EDGE + size * sqrt(3) / 2 - 2, bottom / 2, size),
        *_head(view, seat, left),
        *_counts(view, seat, left, 60),
        *_note(view, seat, left, bottom - 18),
        *_discards(view, seat, (left, 83, WIDTH - _EDGE - left, bottom - 27 - 83)),
    ]
    if won:
        shapes.append(cup(WIDTH - _EDGE - 12, bottom - 22))
    if own:
        shapes += _turns(view, seat, bottom)
    return Group(tuple(shapes), 0, y, role=f"player {seat}")


def _head(view: View, seat: int, x: float) -> list[Shape]:
    name = f"Player {seat}"
    shapes: list[Shape] = [
        player(seat, x + 12, 23, 0.8),
        Group((Text(x + 31, 29, name, 16, anchor="start", weight="bold"),)),
    ]
    x += 31 + text_width(name, 16, "bold") + 9
    if seat == view.seat:
        shapes.append(Group((Text(x, 29, "you", 14, "faint", anchor="start"),)))
        x += text_width("you", 14) + 9
    elif view.seat is not None and not view.over:
        words = f"left{view.left(seat)}"
        shapes.append(Group((chip(words, x, 23, "table", "cell-ink", _CHIP),), role="left"))
        x += chip_width(words, _CHIP) + 6
    if seat == view.dealer:
        shapes.append(Group((chip("dealer", x, 23, "tile-back", "tile-back-ink", _CHIP),), role="dealer"))
    right = WIDTH - _EDGE
    if view.over:
        rank = ordinal(view.rank(seat))
        fill = "accent" if seat in view.winners else "faint"
        shapes.append(Group((Text(right, 29, rank, 18, fill, anchor="end", weight="bold"),), role="rank"))
    elif view.gift_due[seat]:
        shapes.append(gift(view.gift_due[seat], right - 16, 26, 0.88))
    return shapes


def _face_up(view: View, seat: int, x: float, y: float, size: float) -> Group:
    tile = view.up[seat]
    if tile is not None:
        return face(tile, x, y, size, f"face up {tile}", "lettered")
    empty = Polygon(corners(size - 3), stroke="cell-edge", stroke_width=1.6, dash=(5, 6))
    return Group((empty, Text(0, 0, "none", 14, "faint", middle=True)), x, y, role="no tile face up")


def _counts(view: View, seat: int, left: float, y: float) -> list[Shape]:
    """Return the numbers of tiles in the stack and among the discards, and the penalty points."""
    columns = (
        (view.stack_counts[seat], "stack", pile(view.stack_counts[seat], 15, y, 0.35, "stack")),
        (view.discard_counts[seat], "discards", pile(view.discard_counts[seat], 15, y, 0.35, "discards")),
        (view.penalties[seat], "penalty", penalty(15, y)),
    )
    step = min(96.0, (WIDTH - _EDGE - left - 70) / (len(columns) - 1))  # the last one is 70 wide
    shapes: list[Shape] = []
    for at, (count, what, icon) in enumerate(columns):
        number = Text(31, y - 6, str(count), 17, anchor="start", weight="bold", middle=True)
        name = Text(31, y + 10, what, 11.5, "faint", anchor="start", middle=True)
        shapes.append(
            Group(
                (icon, Group((number,)), Group((name,))),
                left + at * step - 2,
                0,
                role=f"count {what}",
            )
        )
    return shapes


def _note(view: View, seat: int, left: float, y: float) -> list[Shape]:
    """Return what the player did last."""
    words = view.done(seat)
    if not words:
        return []
    name = words[-1]
    room = WIDTH - _EDGE - left - (34 if seat in view.winners else 0)  # beside the cup
    size = min(_SMALL, _SMALL * room / text_width(name, _SMALL))
    return [Group((Text(left, y, name, size, "faint", anchor="start", middle=True),), role="did")]


def _discards(view: View, seat: int, box: Box) -> list[Shape]:
    """Return the discards one by one, the oldest first, where the viewer knows them; their numbers below."""
    tiles = view.discards[seat]
    left, top, width, height = box
    if not tiles or height < 24:
        return []
    size = _tile_size(len(tiles), width, height)
    wide, high = _cell(size)
    columns = max(1, int(width / wide))
    rows = max(1, int(height / high))
    shown = tiles if len(tiles) <= columns * rows else tiles[: columns * rows - 1]
    recalls = {action.tile for action in view.may("recall", seat)}
    shapes: list[Shape] = []
    for at, tile in enumerate(shown):
        x, y = left + (at % columns + 0.5) * wide, top + (at // columns) * high + size + 2
        if tile in recalls:
            rim = hexagon(size + 1.5, "none", "accent", 3.2)
            shapes.append(Group((rim,), x, y, role="may be recalled", title=f"recall {tile}"))
        shapes.append(face(tile, x, y, size, f"discard {tile}", "small"))
    if len(shown) < len(tiles):
        x, y = left + (columns - 0.5) * wide, top + (rows - 1) * high + size + 2
        shapes.append(Text(x, y, f"+{len(tiles) - len(shown)}", 12, "faint", middle=True))
    return shapes


def _cell(size: float) -> tuple[float, float]:
    """Return how much room a tile of that size takes."""
    return size * sqrt(3) + 6, 2 * size + 6


def _tile_size(count: int, width: float, height: float) -> float:
    """Return the largest size at which so many tiles find room; at the smallest not all of them may."""
    size = min(30.0, (height - 6) / 2)
    while size > 11:
        wide, high = _cell(size)
        if int(width / wide) * int(height / high) >= count:
            break
        size -= 0.5
    return size


def _turns(view: View, seat: int, top: float) -> list[Shape]:
    """Return the viewer's tile in all turns, as `place` counts them; those that fit somewhere have a rim."""
    tile = view.up[seat]
    if tile is None:
        return []
    fits = {action.turn for action in view.may("place", seat)}
    step = (WIDTH - 2 * _EDGE) / SIDES
    shapes: list[Shape] = [Path(f"M{_EDGE} {top - 1}H{WIDTH - _EDGE}", stroke="line", stroke_width=1.2)]
    for turn in range(SIDES):
        x, y = _EDGE + 25 + turn * step, top + 36
        if turn in fits:
            rim = hexagon(26.5, "none", "accent", 3.4)
            shapes.append(Group((rim,), x, y, role="turn that fits", title=f"place Q,R {turn}"))
        shapes.append(face(tile, x, y, 24, f"turn {turn}", "bare", turn))
        fill, ink = ("accent", "accent-ink") if turn in fits else ("table", "cell-ink")
        shapes.append(chip(str(turn), x + 21, y + 20, fill, ink, 12))
    return shapes
