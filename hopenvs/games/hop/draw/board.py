"""The sky: seven levels of clouds with the figurines on them, and the meadow beside the board."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from hopenvs.games.hop.draw.animals import HEIGHT as TALL
from hopenvs.games.hop.draw.animals import TALLEST, Mood, figurine, glow
from hopenvs.games.hop.draw.palette import SKY
from hopenvs.games.hop.draw.view import TOP, View
from hopenvs.render.scene import Circle, Group, Path, Polygon, Rect, Shape, Text

WIDTH: Final = 540.0
MEADOW: Final = 84.0  # height of what lies beside the board
GAP: Final = 10.0  # between the two

_ROOM: Final = 14.0  # above the highest figurine
_FIRST: Final = 116.0  # where the first figurine of a level stands, pixels from the left
_STEP: Final = 68.0  # from one figurine to the next
_CORNER: Final = 22.0
_BANK: Final = 446.0  # how long a level's clouds are
# width (in shares) and height of a bank's puffs
_PUFFS: Final = (
    (0.8, 8.0),
    (1.2, 13.0),
    (0.9, 9.0),
    (1.5, 15.0),
    (1.0, 10.0),
    (1.3, 13.0),
    (0.8, 8.0),
    (1.1, 11.0),
    (0.7, 7.0),
)
_SHIFT: Final = 20.0  # every second level lies so far to the right


class Plan:
    """Where everything lies on a board of that height, pixels from its upper left corner."""

    def __init__(self, height: float) -> None:
        self.height = height
        self.sky = height - MEADOW - GAP
        self.step = (self.sky - _ROOM) / TOP  # from one level to the next
        self.scale = round(min(1.0, (self.step - 18) / TALL), 3)  # of the figurines

    def ground(self, level: int) -> float:
        """Return on which height the figurines of a level stand; level 0 is beside the board."""
        if level == 0:
            return self.height - 18
        return self.sky - (level - 1) * self.step - 22

    def left(self, level: int) -> float:
        """Return where a level's clouds begin."""
        return 28.0 if level == 0 else 26.0 + _SHIFT * (1 - level % 2)

    def spot(self, level: int, place: int) -> tuple[float, float]:
        """Return where the first, second .. figurine of a level stands."""
        return self.left(level) + _FIRST - 30 + place * _STEP, self.ground(level)


@lru_cache(maxsize=16)
def plan(height: float) -> Plan:
    """Return where everything lies."""
    return Plan(height)


# ---- what never changes ----------------------------------------------------------------------------------------------
def bare_board(height: float) -> tuple[Shape, ...]:
    """Return sky, clouds and meadow."""
    at = plan(height)
    shapes: list[Shape] = []
    for level in range(1, TOP + 1):
        top = 0.0 if level == TOP else at.sky - level * at.step - 1
        bottom = at.sky - (level - 1) * at.step
        shapes.append(_band(top, bottom, SKY[level - 1], round_above=level == TOP, round_below=level == 1))
    shapes += _heavens(at)
    shapes.append(_faded(at))
    shapes += [_bank(at, level) for level in range(1, TOP + 1)]
    shapes.append(Rect(0, 0, WIDTH, at.sky, 22, stroke="sky-edge", stroke_width=2))
    shapes.append(_meadow(at))
    return tuple(shapes)


def _band(top: float, bottom: float, colour: str, *, round_above: bool, round_below: bool) -> Shape:
    """Return a level's part of the sky; the first and the last one have the board's corners."""
    if not round_above and not round_below:
        return Rect(0, top, WIDTH, bottom - top, fill=colour)
    r, low, high = _CORNER, bottom - _CORNER, top + _CORNER
    if round_above:
        d = f"M0 {bottom:.1f}V{high:.1f}A{r:g} {r:g} 0 0 1 {r:g} {top:.1f}H{WIDTH - r:g}"
        d += f"A{r:g} {r:g} 0 0 1 {WIDTH:g} {high:.1f}V{bottom:.1f}Z"
    else:
        d = f"M0 {top:.1f}H{WIDTH:g}V{low:.1f}A{r:g} {r:g} 0 0 1 {WIDTH - r:g} {bottom:.1f}"
        d += f"H{r:g}A{r:g} {r:g} 0 0 1 0 {low:.1f}Z"
    return Path(d, fill=colour)


def _faded(at: Plan) -> Group:
    """Return the great rainbow behind the clouds, faint enough for what stands before it."""
    shapes: list[Shape] = []
    foot, middle = at.sky - 8, WIDTH / 2
    for number, colour in enumerate(("bow-red", "bow-gold", "bow-green", "bow-blue")):
        rx = 236.0 - 13 * number
        ry = at.sky * 0.62 - 13 * number
        d = f"M{middle - rx:.1f} {foot:.1f}A{rx:.1f} {ry:.1f} 0 0 1 {middle + rx:.1f} {foot:.1f}"
        shapes.append(Path(d, stroke=colour, stroke_width=13, opacity=0.2))
    return Group(tuple(shapes), role="rainbow")


def _heavens(at: Plan) -> list[Shape]:
    """Return the sun at the top, and stars round it."""
    x, y = WIDTH - 46, max(46.0, at.ground(TOP) - 26)
    rays = "".join(
        f"M{x + 27 * dx:.1f} {y + 27 * dy:.1f}L{x + 34 * dx:.1f} {y + 34 * dy:.1f}"
        for dx, dy in ((1, 0), (0.7, 0.7), (0, 1), (-0.7, 0.7), (-1, 0), (-0.7, -0.7), (0, -1), (0.7, -0.7))
    )
    shapes: list[Shape] = [
        Path(rays, stroke="sun-edge", stroke_width=2.6),
        Circle(x, y, 21, fill="sun", stroke="sun-edge", stroke_width=2),
    ]
    return shapes


def _outline(x: float, y: float, width: float) -> str:
    """Return the outline of a long cloud: puffs of many sizes above, flatter ones below."""
    unit = width / sum(wide for wide, _ in _PUFFS)
    d = f"M{x:.1f} {y:.1f}"
    for sweep_y, puffs, sign in ((y, _PUFFS, 1), (y + 9, _PUFFS[::-1], -1)):
        if sign < 0:
            d += f"A6 5 0 0 1 {x:.1f} {sweep_y:.1f}"
        for wide, rise in puffs:
            x += sign * wide * unit
            d += f"A{wide * unit / 2:.1f} {rise if sign > 0 else 0.45 * rise:.1f} 0 0 1 {x:.1f} {sweep_y:.1f}"
    return f"{d}A6 5 0 0 1 {x:.1f} {y:.1f}Z"


def _bank(at: Plan, level: int) -> Group:
    """Return the clouds of a level, and its number."""
    x, y = at.left(level), at.ground(level)
    shade = f"M{x + 22:.1f} {y + 11:.1f}H{x + _BANK - 22:.1f}"
    badge_x, badge_y = x + 17.0, y + 3.0
    shapes: tuple[Shape, ...] = (
        Path(_outline(x, y + 3, _BANK), fill="bank", stroke="bank-edge", stroke_width=1.5),
        Path(shade, stroke="bank-shade", stroke_width=3, dash=(46, 22)),
        Circle(badge_x, badge_y, 14.5, fill="badge", stroke="bank", stroke_width=2.4),
        Text(badge_x, badge_y, str(level), 17, "badge-ink", weight="bold", middle=True),
    )
    return Group(shapes, role=f"level {level}", title=f"level {level} is worth {level}")


def _meadow(at: Plan) -> Group:
    y = at.height - MEADOW
    tufts = ((196, 22), (318, 28), (446, 24), (508, 66), (128, 76), (270, 78), (392, 76))
    blades = "".join(
        f"M{x} {y + depth:.0f}L{x + 3} {y + depth - 9:.0f}M{x + 6} {y + depth:.0f}V{y + depth - 7:.0f}"
        for x, depth in tufts
    )
    shapes: tuple[Shape, ...] = (
        Rect(0, y, WIDTH, MEADOW, 18, fill="meadow", stroke="meadow-edge", stroke_width=2),
        Path(blades, stroke="blade", stroke_width=1.8),
        Circle(46, at.ground(0) - 1, 14.5, fill="badge", stroke="meadow", stroke_width=2.4),
        Text(46, at.ground(0) - 1, "0", 17, "badge-ink", weight="bold", middle=True),
        Text(18, y + 24, "beside", 14, anchor="start"),
        Text(18, y + 42, "the board", 14, anchor="start"),
    )
    return Group(shapes, role="level 0", title="beside the board: worth 0")


# ---- what changes ----------------------------------------------------------------------------------------------------
def figurines(view: View, height: float) -> tuple[Shape, ...]:
    """Return the figurines on their levels, who may be named, and who has just climbed."""
    at = plan(height)
    marks: list[Shape] = []
    pieces: list[Shape] = []
    for level in range(TOP + 1):
        standing = [seat for seat in view.order if view.levels[seat] == level]
        for place, seat in enumerate(standing):
            x, y = at.spot(level, place)
            scale = at.scale if level else min(at.scale, (MEADOW - 18) / TALL)
            if view.settled and view.success and seat == view.thrower:
                marks.append(climbed(x + 27 * scale, y - 10 * scale, f"player {seat} has climbed to level {level}"))
            mood: Mood = "happy" if seat in view.winners or level == TOP else "calm" if level else "sad"
            if view.nameable(seat):
                title = f"player {seat} may be named as {view.nameable(seat)}"
                pieces.append(glow(seat, x, y, scale, "accent", 4, "may be named", title))
            if seat == view.to_play:
                marks.append(pointer(x, y - (TALLEST[seat] + 3) * scale, f"player {seat} is to play"))
            title = f"player {seat}: {f'level {level}' if level else 'beside the board'}"
            pieces.append(Group((figurine(seat, 0, 0, scale, mood),), x, y, role=f"figurine {seat}", title=title))
    return (*pieces, *marks)


def pointer(x: float, y: float, title: str = "") -> Group:
    """Return the mark over the figurine whose owner is to play; its tip is at (x, y)."""
    tip = Polygon(((0.0, 0.0), (-8.5, -10.5), (8.5, -10.5)), fill="accent", stroke="panel", stroke_width=1.6)
    return Group((tip,), x, y, role="to play", title=title)


_RISE: Final[tuple[Shape, ...]] = (
    Circle(0, 0, 10, fill="good", stroke="panel", stroke_width=2),
    Path("M0 5.4V-4.6M-4.2 -.8L0 -5L4.2 -.8", stroke="panel", stroke_width=2.6),
)


def climbed(x: float, y: float, title: str = "") -> Group:
    """Return the mark of the figurine that the last throw has brought up."""
    return Group(_RISE, x, y, role="climbed", title=title)
