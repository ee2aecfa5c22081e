"""The table with the figure, as near as the figure and the cells round it allow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, floor, sqrt
from typing import Final

from hopenvs.games.hexx_hopp.draw.faces import SIZE, corners, upright
from hopenvs.games.hexx_hopp.draw.marks import failed_mark, free_cell, offered_cell, placed_mark
from hopenvs.games.hexx_hopp.draw.view import Cell, View, around, by_row, colours
from hopenvs.render.scene import Group, Path, Rect, Shape

WIDTH: Final = 840.0
HEIGHT: Final = 800.0

_EDGE: Final = 8.0  # between the frame and the cells, pixels
_STEP: Final = SIZE * sqrt(3)  # from a cell to the next in its row
_LINE: Final = SIZE * 1.5  # from a row to the next
# Few scales, and the middle of the table in the middle as long as it can be: in the pictures of a round tiles stay
# where they were placed, and it jumps a few times only.
_SCALES: Final = (1.4, 1.0, 0.8, 0.66, 0.55)
_SHIFT: Final = 2.0  # cells, else

Point = tuple[float, float]
Window = tuple[float, float, float, float]  # left, top, right, bottom, in the table's own coordinates


@dataclass(frozen=True)
class Camera:
    """What is seen of the table: the scale, and where its middle lies in the picture."""

    scale: float
    x: float
    y: float

    @classmethod
    def of(cls, view: View) -> Camera:
        """Return the nearest view of the figure and of all cells where tiles may lie."""
        seen = {*view.figure, *view.open_cells, *view.turns, *(placed.cell for placed in view.placements), (0, 0)}
        points = [middle(cell) for cell in seen]
        left, right = min(x for x, _ in points) - _STEP / 2, max(x for x, _ in points) + _STEP / 2
        top, bottom = min(y for _, y in points) - SIZE, max(y for _, y in points) + SIZE
        width, height = WIDTH - 2 * _EDGE, HEIGHT - 2 * _EDGE
        snap_x, snap_y = _SHIFT * _STEP, _SHIFT * _LINE
        for scale in _SCALES:
            if max(-left, right) * 2 * scale <= width and max(-top, bottom) * 2 * scale <= height:
                return cls(scale, WIDTH / 2, HEIGHT / 2)
            x, y = round((left + right) / 2 / snap_x) * snap_x, round((top + bottom) / 2 / snap_y) * snap_y
            if max(x - left, right - x) * 2 * scale <= width and max(y - top, bottom - y) * 2 * scale <= height:
                return cls(scale, WIDTH / 2 - x * scale, HEIGHT / 2 - y * scale)
        scale = min(width / (right - left), height / (bottom - top))
        return cls(scale, WIDTH / 2 - scale * (left + right) / 2, HEIGHT / 2 - scale * (top + bottom) / 2)


def middle(cell: Cell) -> tuple[float, float]:
    """Return the middle of a cell, (0, 0) being that of the table's, at scale 1."""
    q, r = cell
    return _STEP * (q + r / 2), _LINE * r


def bare_board() -> tuple[Shape, ...]:
    """Return what never changes."""
    return (Rect(0, 0, WIDTH, HEIGHT, 20, fill="panel", stroke="line", stroke_width=1.5),)


def board(view: View) -> tuple[Shape, ...]:
    """Return the table, the figure, and the marks."""
    camera = Camera.of(view)
    shapes: list[Shape] = [Group(_table(camera, view.radius), role="table")]
    # A row that stays as it was is written once in an animation.
    rows = sorted({r for _, r in view.figure} | {r for _, r in view.open_cells} | {r for _, r in view.turns})
    shapes += [Group(_row(view, r), role=f"row {r}") for r in rows]
    for placed in view.placements:
        role, mark = ("placed", placed_mark) if placed.made else ("failed", failed_mark)
        q, r = placed.cell
        x, y = middle(placed.cell)
        title = f"player {', '.join(map(str, placed.seats))}: {q},{r}"
        shapes.append(Group(mark(placed.seats), x, y, role=role, title=title))
    return (Group(tuple(shapes), camera.x, camera.y, scale=camera.scale, role="figure"),)


def _row(view: View, r: int) -> tuple[Shape, ...]:
    """Return the tiles and the free cells of a row, from the left."""
    shapes: list[Shape] = []
    for cell in sorted({*view.figure, *view.open_cells, *view.turns}, key=by_row):
        if cell[1] != r:
            continue
        name = f"{cell[0]},{cell[1]}"
        x, y = middle(cell)
        if cell in view.figure:
            tile, turn = view.figure[cell]
            title = f"tile {tile} at {name}, turned {turn}: {colours(tile, turn)}"
            shapes.append(Group(upright(tile, turn), x, y, role=f"tile {tile}", title=title))
        if cell in view.turns:
            turns = view.turns[cell]
            whose = view.seat is None
            shapes.append(Group(offered_cell(name, turns, whose=whose), x, y, role=f"may be placed {name}"))
        elif cell not in view.figure:
            shapes.append(Group(free_cell(name), x, y, role=f"free {name}"))
    return tuple(shapes)


# ---- the table -------------------------------------------------------------------------------------------------------
@lru_cache(maxsize=64)
def _table(camera: Camera, radius: int) -> tuple[Shape, ...]:
    """Return the cells as far as they lie in the frame, and the table's rim where it is among them."""
    window = (
        (_EDGE - camera.x) / camera.scale,
        (_EDGE - camera.y) / camera.scale,
        (WIDTH - _EDGE - camera.x) / camera.scale,
        (HEIGHT - _EDGE - camera.y) / camera.scale,
    )
    left, top, right, bottom = window
    on_table, strips, lines, rim = True, [], [], []
    for r in range(ceil((top - SIZE) / _LINE), floor((bottom + SIZE) / _LINE) + 1):
        columns = range(ceil((left / _STEP - r / 2) - 0.5), floor((right / _STEP - r / 2) + 0.5) + 1)
        row = [q for q in columns if max(abs(q), abs(r), abs(q + r)) <= radius]
        on_table = on_table and len(row) == len(columns)
        if row:
            strips.append(_outline(_clipped(_strip(r, row), window)))
        for q in row:
            ends = corners(SIZE, *middle((q, r)))
            for side, (beside, beyond) in enumerate(around((q, r))):
                edge = _cut(ends[side - 1], ends[side], window)
                if max(abs(beside), abs(beyond), abs(beside + beyond)) > radius:
                    rim.append(edge)
                elif side < 3:
                    lines.append(edge)
    box = Rect(left, top, right - left, bottom - top, 8 / camera.scale, fill="table")
    cells = Path("".join(strips), fill="table", stroke="table", stroke_width=0.6)
    shapes: list[Shape] = [box if on_table else cells, Path("".join(lines), stroke="table-grid", stroke_width=1.2)]
    if any(rim):
        shapes.append(Path("".join(rim), stroke="table-rim", stroke_width=3.5))
    return tuple(shapes)


def _strip(r: int, row: Sequence[int]) -> list[Point]:
    """Return the outline of neighbouring cells of a row."""
    cells = [corners(SIZE, *middle((q, r))) for q in row]
    above = [point for cell in cells for point in cell[3:5]]
    below = [point for cell in reversed(cells) for point in cell[0:2]]
    return [*above, cells[-1][5], *below, cells[0][2]]


def _clipped(points: list[Point], window: Window) -> list[Point]:
    """Return what of a polygon lies in the window, side by side of it (Sutherland and Hodgman's algorithm)."""
    for axis, limit, sign in ((0, window[0], 1), (1, window[1], 1), (0, window[2], -1), (1, window[3], -1)):
        kept: list[Point] = []
        for before, point in zip([points[-1], *points], points):
            was, now = (sign * (end[axis] - limit) for end in (before, point))
            if (was < 0) != (now < 0):
                part = was / (was - now)
                kept.append((before[0] + part * (point[0] - before[0]), before[1] + part * (point[1] - before[1])))
            if now >= 0:
                kept.append(point)
        if not kept:
            return []
        points = kept
    return points


def _cut(start: Point, end: Point, window: Window) -> str:
    """Return what of a line lies in the window."""
    enter, leave = 0.0, 1.0
    for axis, limit, sign in ((0, window[0], 1), (1, window[1], 1), (0, window[2], -1), (1, window[3], -1)):
        was, now = (sign * (point[axis] - limit) for point in (start, end))
        if was < 0 and now < 0:
            return ""
        if was < 0:
            enter = max(enter, was / (was - now))
        elif now < 0:
            leave = min(leave, was / (was - now))
    if enter >= leave:
        return ""
    (x, y), (dx, dy) = start, (end[0] - start[0], end[1] - start[1])
    return _outline([(x + enter * dx, y + enter * dy), (x + leave * dx, y + leave * dy)], closed=False)


def _outline(points: Sequence[Point], *, closed: bool = True) -> str:
    if not points:
        return ""
    written = "L".join(f"{_number(x)} {_number(y)}" for x, y in points)
    return f"M{written}{'Z' if closed else ''}"


def _number(value: float) -> str:
    return f"{round(value, 1) + 0.0:g}"  # + 0.0: no "-0"
