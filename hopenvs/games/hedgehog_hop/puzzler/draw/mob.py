"""The dance floor: the mob on it, the numbers of its lines, what was played last, and where cards may enter."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from hopenvs.games.hedgehog_hop.draw.cards import SMALL, card
from hopenvs.games.hedgehog_hop.draw.pieces import entry_mark, mirror_ball, push_mark, rim, spotlight, stage, sync_mark
from hopenvs.games.hedgehog_hop.puzzler.draw.view import STEPS, Cell, View
from hopenvs.render.scene import Group, Path, Shape, Text

WIDTH: Final = 880.0
HEIGHT: Final = 712.0

_FRAME: Final = 16.0  # of the stage
_STRIP: Final = 38.0  # inside it: where the lines' numbers are
_LARGEST: Final = 104.0  # a cell, pixels
_BESIDE: Final = 0.84  # cells that are kept free to the left, to the right and below, where cards enter
_ABOVE: Final = 0.3
_GAP: Final = 0.035  # of a cell, round every card


class Plan:
    """Where the cells lie, pixels from the stage's upper left corner."""

    def __init__(self, bounds: tuple[int, int, int, int]) -> None:
        left, right, low, high = bounds
        inner_x, inner_y = _FRAME + _STRIP, _FRAME + 8
        inner_w, inner_h = WIDTH - 2 * inner_x, HEIGHT - inner_y - _FRAME - _STRIP
        wide, tall = right - left + 1, high - low + 1
        self.cell = min(_LARGEST, inner_w / (wide + 2 * _BESIDE), inner_h / (tall + _ABOVE + _BESIDE))
        self.x0 = inner_x + (inner_w - wide * self.cell) / 2 - left * self.cell
        spare = inner_h - (tall + _ABOVE + _BESIDE) * self.cell
        self.y0 = inner_y + spare / 2 + (_ABOVE + high) * self.cell
        self.card = self.cell * (1 - 2 * _GAP)

    def corner(self, cell: Cell) -> tuple[float, float]:
        """Return the upper left corner of a cell."""
        return self.x0 + cell[0] * self.cell, self.y0 - cell[1] * self.cell

    def middle(self, cell: Cell) -> tuple[float, float]:
        """Return the middle of a cell."""
        x, y = self.corner(cell)
        return x + self.cell / 2, y + self.cell / 2


@lru_cache(maxsize=64)
def plan(bounds: tuple[int, int, int, int]) -> Plan:
    """Return where the cells lie."""
    return Plan(bounds)


def floor() -> tuple[Shape, ...]:
    """Return what never changes: the stage."""
    return stage(WIDTH, HEIGHT)


def lights() -> tuple[Shape, ...]:
    """Return the lights, which shine on the floor."""
    return (
        spotlight(43, 43, WIDTH * 0.36, HEIGHT - 16, 320),
        spotlight(WIDTH - 43, 43, WIDTH * 0.64, HEIGHT - 16, 320),
        mirror_ball(43, 43, 0.76),
        mirror_ball(WIDTH - 43, 43, 0.76),
    )


def mob(view: View) -> tuple[Shape, ...]:
    """Return the tiles, the lines' numbers, the cards and the marks."""
    at = plan(view.bounds)
    return (
        _tiles(at),
        Group(lights()),
        *_numbers(view, at),
        *_rims(view, at),
        *_cards(view, at),
        *_last_marks(view, at),
        *_entries(view, at),
    )


def _tiles(at: Plan) -> Path:
    """Return every other tile of the floor, in line with the cells."""
    edges_x = [at.x0 + column * at.cell for column in range(-40, 41)]
    edges_y = [at.y0 - row * at.cell for row in range(-40, 41)]
    path = ""
    left, right, top, bottom = _FRAME, WIDTH - _FRAME, _FRAME, HEIGHT - _FRAME
    for column, x in enumerate(edges_x):
        x1, x2 = max(x, left), min(x + at.cell, right)
        if x2 - x1 < 1:
            continue
        for row, y in enumerate(edges_y):
            y1, y2 = max(y, top), min(y + at.cell, bottom)
            if y2 - y1 >= 1 and (row + column) % 2:
                path += f"M{x1:.1f} {y1:.1f}H{x2:.1f}V{y2:.1f}H{x1:.1f}Z"
    return Path(path, fill="floor-tile", opacity=0.8)


def _numbers(view: View, at: Plan) -> list[Shape]:
    """Return the names of columns and rows along the edges of the floor."""
    left, right, low, high = view.bounds
    size = 14.0 if at.cell > 44 else 12.0
    shapes: list[Shape] = []
    for x in range(left, right + 1):
        if view.has_line(f"c{x}"):
            middle = at.middle((x, low))[0]
            shapes.append(_number(middle, HEIGHT - _FRAME - 15, f"c{x}", size))
    for y in range(low, high + 1):
        if view.has_line(f"r{y}"):
            middle = at.middle((left, y))[1]
            shapes += [_number(x, middle, f"r{y}", size) for x in (_FRAME + 20, WIDTH - _FRAME - 20)]
    return shapes


def _number(x: float, y: float, name: str, size: float) -> Group:
    return Group((Text(0, 0, name, size, weight="bold", middle=True, opacity=0.72),), x, y, role="number")


def _cards(view: View, at: Plan) -> list[Shape]:
    """Return the mob, row by row from above."""
    small = at.card < SMALL
    shapes: list[Shape] = []
    for cell in sorted(view.mob, key=lambda cell: (-cell[1], cell[0])):
        x, y = at.corner(cell)
        name = view.mob[cell]
        gap = _GAP * at.cell
        title = f"{name} at c{cell[0]} r{cell[1]}"
        shapes.append(card(name, x + gap, y + gap, at.card, small=small, title=title))
    return shapes


def _rims(view: View, at: Plan) -> list[Shape]:
    shapes: list[Shape] = []
    for age, cell in enumerate(view.played):
        x, y = at.corner(cell)
        gap = _GAP * at.cell
        wide = at.cell * (0.085 if age == 0 else 0.055)
        shapes.append(rim(x + gap, y + gap, at.card, "just played", wide=wide, title=f"just played: {view.mob[cell]}"))
    return shapes


def _last_marks(view: View, at: Plan) -> list[Shape]:
    """Return the mark of the push, and those between the card played last and what is In Sync with it."""
    if view.latest is None:
        return []
    cell = view.latest
    name = view.mob[cell]
    dx, dy = STEPS[name.split("-")[2]]
    x, y = at.middle(cell)
    pushed = (cell[0] + dx, cell[1] + dy)
    shapes: list[Shape] = []
    for other in view.in_sync_with(cell):
        ox, oy = at.middle(other)
        # not on the push mark, and not on a card's left edge, where it is named
        beside = 0.27 * at.cell
        shift_x, shift_y = (beside, 0.0) if other[0] == cell[0] else (0.0, beside)
        if other != pushed and other[1] == cell[1]:
            shift_y = -0.05 * at.cell
        shapes.append(sync_mark((x + ox) / 2 + shift_x, (y + oy) / 2 + shift_y, 0.26 * at.cell))
    if pushed in view.mob:
        turn = {(0, 1): 270.0, (1, 0): 0.0, (-1, 0): 180.0}[dx, dy]
        shapes.append(
            push_mark(x + dx * at.cell / 2, y - dy * at.cell / 2, turn, 0.28 * at.cell, f"{name} has pushed this line")
        )
    return shapes


def _entries(view: View, at: Plan) -> list[Shape]:
    """Return the marks at the ends of lines that a card may enter."""
    entries = view.entries()
    below = {view.end(line, move) for line, move in entries if move == "hop"}
    size = max(9.6, min(14.5, at.cell * 0.2))
    shapes: list[Shape] = []
    for line, move in entries:
        cell = view.end(line, move)
        x, y = at.middle(cell)
        dx, dy = STEPS[move]
        x, y = x - dx * (at.cell / 2 + 3), y + dy * (at.cell / 2 + 3)
        if move != "hop" and (cell[0] - dx, cell[1] + 1) in below:  # the cell has a mark for a hop too
            y += (0.22 if at.cell > 50 else 0.31) * at.cell
        turn = {"hop": 0.0, "groove": 90.0, "slide": 270.0}[move]
        title = f"{move} into {line}: {', '.join(dict.fromkeys(action.card for action in entries[line, move]))}"
        shapes.append(entry_mark(x, y, turn, line, size, f"enter {line} {move}", title))
    return shapes
