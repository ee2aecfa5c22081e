"""Tiles, face up and face down. A tile lies round (0, 0), its corners SIZE away, side 0 to the right.

Every colour has a pattern, so that segments are told apart in grey too: red bars along the side, yellow dots, blue
rays towards the side, white nothing.
"""

from __future__ import annotations

from functools import lru_cache
from math import cos, pi, radians, sin, sqrt
from typing import Final, Literal

from hopenvs.games.hexx_hopp.draw.view import SIDES, colours
from hopenvs.games.hexx_hopp.tiles import TILES
from hopenvs.render.scene import Circle, Group, Path, Polygon, Shape, Text

SIZE: Final = 40.0
HALF: Final = SIZE * sqrt(3) / 2  # from the middle to a side
PALETTE: Final = {"R": "tile-red", "Y": "tile-yellow", "B": "tile-blue", "W": "tile-white"}
WORDS: Final = {"R": ("red", "bars"), "Y": ("yellow", "dots"), "B": ("blue", "rays"), "W": ("white", "plain")}

_HUB: Final = 10.5  # radius of the disc with a tile's number
_WIDE_HUB: Final = 18.5  # of a small tile

Look = Literal["plain", "lettered", "small", "bare"]  # small: with a large number; bare: with none


def corners(size: float = SIZE, x: float = 0.0, y: float = 0.0) -> tuple[tuple[float, float], ...]:
    """Return the corners of a hexagon that stands on a corner, clockwise from the lower right one."""
    return tuple(
        (round(x + size * cos(pi / 6 + k * pi / 3), 2), round(y + size * sin(pi / 6 + k * pi / 3), 2))
        for k in range(SIDES)
    )


def hexagon(size: float = SIZE, fill: str = "none", stroke: str = "none", wide: float = 1.0) -> Polygon:
    """Return a hexagon round (0, 0)."""
    return Polygon(corners(size), fill=fill, stroke=stroke, stroke_width=wide)


@lru_cache(maxsize=8)
def segment(letter: str, *, lettered: bool = False) -> tuple[Shape, ...]:
    """Return the segment at side 0 in its colour and pattern; of a lettered tile only the outer pattern."""
    colour = PALETTE[letter]
    points = ((0.0, 0.0), (round(HALF, 2), -SIZE / 2), (round(HALF, 2), SIZE / 2))
    shapes: list[Shape] = [Polygon(points, fill=colour, stroke=colour, stroke_width=0.5)]
    if letter == "R":
        at = (28.5,) if lettered else (19.5, 28.5)
        bars = "".join(f"M{x} {3.4 - x * 0.577:.1f}V{x * 0.577 - 3.4:.1f}" for x in at)
        shapes.append(Path(bars, stroke=f"{colour}-mark", stroke_width=3.2))
    elif letter == "Y":
        rows = ((16.5, (0.0,)), (23.0, (-5.6, 5.6)), (29.6, (-10.4, 0.0, 10.4)))
        dots = "".join(f"M{x} {y}H{x + 0.1:.1f}" for x, row in (rows[2:] if lettered else rows) for y in row)
        shapes.append(Path(dots, stroke=f"{colour}-mark", stroke_width=3.8))
    elif letter == "B":
        rays = ((23.5, -9.6), (18, -4.8), (15, 0), (18, 4.8), (23.5, 9.6))
        lines = "".join(f"M{28 if lettered else x} {y}H31.4" for x, y in rays)
        shapes.append(Path(lines, stroke=f"{colour}-mark", stroke_width=1.7))
    return tuple(shapes)


@lru_cache(maxsize=1)
def _frame() -> tuple[Shape, ...]:
    """Return what parts the segments, and the rim."""
    spokes = "".join(f"M0 0L{x} {y}" for x, y in corners())
    return Path(spokes, stroke="tile-edge", stroke_width=0.9, opacity=0.55), hexagon(SIZE, "none", "tile-edge", 1.6)


@lru_cache(maxsize=3 * len(TILES))
def _face(tile: int, look: Look) -> tuple[Shape, ...]:
    hub = _WIDE_HUB if look == "small" else _HUB
    return (
        *(
            Group(segment(letter, lettered=look == "lettered"), rotate=60.0 * side)
            for side, letter in enumerate(TILES[tile])
        ),
        Group((*_frame(), Circle(0, 0, hub, fill="tile-hub", stroke="tile-edge", stroke_width=1.0))),
    )


@lru_cache(maxsize=2 * len(TILES))
def _number(tile: int, size: float) -> Group:
    return Group((Text(0, 0, str(tile), size, "tile-hub-ink", weight="bold", middle=True),))


@lru_cache(maxsize=1024)
def upright(tile: int, turn: int = 0, look: Look = "plain") -> tuple[Shape, ...]:
    """Return a tile turned clockwise by so many sides, with its number and letters upright."""
    shapes: list[Shape] = [Group(_face(tile, look), rotate=60.0 * turn)]
    if look != "bare":
        shapes.append(_number(tile, 21.5 if look == "small" else 11.5))
    if look == "lettered":
        for side, letter in enumerate(colours(tile, turn)):
            x, y = 19.4 * cos(radians(60 * side)), 19.4 * sin(radians(60 * side))
            shapes.append(Group((Text(0, 0, letter, 11, f"{PALETTE[letter]}-ink", weight="bold", middle=True),), x, y))
    return tuple(shapes)


def face(tile: int, x: float, y: float, size: float, role: str, look: Look = "plain", turn: int = 0) -> Group:
    """Return a tile face up round (x, y), its corners `size` away."""
    return Group(
        upright(tile, turn, look), x, y, scale=size / SIZE, role=role, title=f"tile {tile} {colours(tile, turn)}"
    )


@lru_cache(maxsize=1)
def _back() -> tuple[Shape, ...]:
    ears = "M-4 3C-10 -6 -9.5 -17 -5.5 -17C-2.5 -17 -2 -8 0 -2C2 -8 2.5 -17 5.5 -17C9.5 -17 10 -6 4 3"
    return (
        hexagon(SIZE, "tile-back", "tile-back-edge", 1.8),
        hexagon(SIZE - 7, "none", "tile-back-mark", 1.6),
        Path(ears, stroke="tile-back-mark", stroke_width=2.6),
        Circle(0, 9, 9, stroke="tile-back-mark", stroke_width=2.6),
    )


def pile(count: int, x: float, y: float, scale: float, role: str) -> Group:
    """Return tiles face down one on the other: up to three of them are seen, none leaves an outline."""
    if not count:
        empty = Polygon(corners(SIZE - 2), stroke="cell-edge", stroke_width=2.0, dash=(5, 6))
        return Group((Group((empty,)),), x, y, scale=scale, role=role, title="none")
    seen = min(count, 3)
    shapes = tuple(Group(_back(), 0, -6.5 * at) for at in range(seen))
    return Group(shapes, x, y, scale=scale, role=role, title=f"{count} face down")


def logo() -> Group:
    """Return a tile on the hop."""
    arcs = Path("M-44 20C-40 2 -30 -6 -18 -4", stroke="faint", stroke_width=2.6, dash=(0.1, 7))
    shapes = (
        arcs,
        Group(_face(48, "bare"), 2, -4, rotate=-14, scale=0.62),
    )
    return Group(shapes, role="logo")
