"""Marks: players, what may be done, what was just done. Each lies round (0, 0) until it is moved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hopenvs.games.hexx_hopp.draw.faces import SIZE, corners, hexagon
from hopenvs.render.scene import Circle, Group, Path, Polygon, Rect, Shape, Text, seat_colour, text_width

_WIDEST: Final = 58.0  # of the chips in a cell


def player(seat: int, x: float, y: float, scale: float = 1.0) -> Group:
    """Return a player's disc with its number."""
    shapes = (
        Circle(0, 0, 15, fill=seat_colour(seat), stroke=seat_colour(seat, "deep"), stroke_width=1.8),
        Text(0, 0, str(seat), 17, seat_colour(seat, "ink"), weight="bold", middle=True),
    )
    return Group((Group(shapes),), x, y, scale=scale, role="player's disc", title=f"player {seat}")


def discs(seats: Sequence[int], y: float, scale: float) -> list[Shape]:
    """Return players' discs beside each other, their middle at x = 0."""
    step = 27 * scale
    return [player(seat, (at - (len(seats) - 1) / 2) * step, y, scale) for at, seat in enumerate(seats)]


def chip(words: str, x: float, y: float, fill: str, ink: str, size: float = 12.5) -> Group:
    """Return a word on a rounded field whose left edge is at x, round y."""
    wide = chip_width(words, size)
    shapes = (
        Rect(0, -size * 0.72, wide, size * 1.44, size * 0.42, fill=fill),
        Text(wide / 2, 0, words, size, ink, weight="bold", middle=True),
    )
    return Group(shapes, x, y)


def chip_width(words: str, size: float = 12.5) -> float:
    """Return how wide it is."""
    return max(size * 1.44, text_width(words, size, "bold") + size * 0.9)


def free_cell(name: str) -> tuple[Shape, ...]:
    """Return an empty cell where a tile could touch two others, with its name."""
    size = 15.0 if len(name) < 6 else 13.5
    outline = Polygon(corners(SIZE - 3.5), fill="cell", stroke="cell-edge", stroke_width=1.3, dash=(3.5, 4.5))
    return Group((outline,)), Text(0, 0, name, size, "cell-ink", middle=True)


def offered_cell(name: str, turns: Sequence[tuple[int | None, int]], *, whose: bool) -> tuple[Shape, ...]:
    """Return an empty cell where a tile may be placed: its name, and the turns that fit.

    Args:
        name: the cell's.
        turns: (seat, turn) of each.
        whose: whether the seats are told too.
    """
    field = hexagon(SIZE - 3.5, "chance", "accent", 3.0)
    size = 15.5 if len(name) < 6 else 14.0
    told = [(str(turn) if seat is None or not whose else f"{seat}:{turn}", seat if whose else None, turn)
            for seat, turn in turns]  # fmt: skip
    rows = [told[at : at + 2] for at in range(0, len(told), 2)] if len(told) > 3 or whose else [told]
    y = -10 if len(rows) == 1 else -17
    shapes: list[Shape] = [Group((field,)), Text(0, y, name, size, weight="bold", middle=True)]
    for at, row in enumerate(rows):
        shapes += _chips(name, row, 11 if len(rows) == 1 else 19 * at)
    return tuple(shapes)


def _chips(name: str, row: Sequence[tuple[str, int | None, int]], y: float) -> list[Shape]:
    """Return the turns of a cell beside each other, as (words, seat, turn)."""
    size = 12.5
    while size > 6 and sum(chip_width(words, size) + 3 for words, _, _ in row) > _WIDEST:
        size -= 0.5
    x = -(sum(chip_width(words, size) + 3 for words, _, _ in row) - 3) / 2
    shapes: list[Shape] = []
    for words, seat, turn in row:
        fill, ink = ("accent", "accent-ink") if seat is None else (seat_colour(seat), seat_colour(seat, "ink"))
        shapes.append(Group((chip(words, x, y, fill, ink, size),), role="turn", title=f"place {name} {turn}"))
        x += chip_width(words, size) + 3
    return shapes


def placed_mark(seats: Sequence[int]) -> tuple[Shape, ...]:
    """Return the rim of a tile that has just been placed, and who placed it in its lower right corner."""
    rim = (hexagon(SIZE - 0.5, "none", "accent", 5.2), hexagon(SIZE - 3.2, "none", "paper", 1.2))
    return Group(rim), Group(tuple(discs(seats, 0, 0.68)), 0, SIZE - 8)


def failed_mark(seats: Sequence[int]) -> tuple[Shape, ...]:
    """Return a cross, and whose placement came too late, in the upper corner of the cell."""
    rim = Polygon(corners(SIZE - 6), stroke="warn", stroke_width=2.6, dash=(6, 6))
    wide = 18 + 19 * len(seats)
    shapes: list[Shape] = [
        Rect(-wide / 2, -10, wide, 20, 10, fill="panel", stroke="warn", stroke_width=1.8),
        Path(f"M{-wide / 2 + 7:.1f} -4L{-wide / 2 + 15:.1f} 4M{-wide / 2 + 15:.1f} -4L{-wide / 2 + 7:.1f} 4",
             stroke="warn", stroke_width=2.4),
        Group(tuple(discs(seats, 0, 0.54)), 8, 0),
    ]  # fmt: skip
    return Group((rim,)), Group(tuple(shapes), 0, 8 - SIZE)


def gift(count: int, x: float, y: float, scale: float = 1.0) -> Group:
    """Return a parcel with how many tiles are to be given away."""
    shapes = (
        Rect(-15, -8, 30, 22, 3, fill="accent"),
        Rect(-17, -13, 34, 8, 2.5, fill="accent", stroke="panel", stroke_width=1.2),
        Path("M0 -13C-10 -24 -14 -14 0 -13C14 -14 10 -24 0 -13", stroke="accent", stroke_width=2.6),
        Text(0, 5, str(count), 14, "accent-ink", weight="bold", middle=True),
    )
    return Group(shapes, x, y, scale=scale, role="gift due", title=f"may give {count} tiles away")


def penalty(x: float, y: float) -> Group:
    """Return the sign of penalty points."""
    shapes = (
        Circle(0, 0, 11, stroke="faint", stroke_width=1.8),
        Path("M-4.6 0H4.6", stroke="faint", stroke_width=2.4),
    )
    return Group((Group(shapes),), x, y)


def cup(x: float, y: float, scale: float = 1.0) -> Group:
    """Return the winner's cup."""
    shapes = (
        Path("M-7 -9H7V-3C7 4 4 6 0 6C-4 6 -7 4 -7 -3Z", fill="accent"),
        Path("M-7 -6H-11C-11 0 -9 2 -6 2M7 -6H11C11 0 9 2 6 2M0 6V10M-5 11H5", stroke="accent", stroke_width=2.2),
    )
    return Group(shapes, x, y, scale=scale, role="winner", title="has won the game")
