"""The figures on the board: hedgehogs, the die, padlocks, apples. Each stands on (0, 0) or lies round it."""

from __future__ import annotations

from functools import lru_cache
from math import cos, radians, sin
from typing import Final, Literal

from hopenvs.render.scene import Circle, Colour, Ellipse, Group, Line, Path, Polygon, Rect, Shape, Text, seat_colour

Mood = Literal["calm", "cross", "happy"]

COLOURS: Final = (
    Colour("meadow", "#9dbb7c", "#22301c"),
    Colour("field-a", "#dfeaca", "#3b4f31"),
    Colour("field-b", "#d3e3b9", "#34472a"),
    Colour("tuft", "#a9c585", "#557043"),
    Colour("sand", "#efdfba", "#5b4f37"),
    Colour("sand-line", "#cfb98a", "#7d6d4c"),
    Colour("gold", "#f7d373", "#80651f"),
    Colour("gold-line", "#cf9d25", "#b18d33"),
    Colour("pit", "#4c3c31", "#1b1613"),
    Colour("pit-deep", "#2d221b", "#080605"),
    Colour("held", "#ff9142", "#ff9a4a"),
    Colour("open", "#9ed07f", "#8fc471"),
    Colour("bark", "#8d6a4a", "#6b5039"),
    Colour("bark-deep", "#5e4430", "#3f2d20"),
    Colour("wood", "#e8cfa4", "#b99c70"),
    Colour("sticker", "#fffdf8", "#f2ede2"),
    Colour("snout", "#f8e3c4", "#f0d9b5"),
    Colour("snout-edge", "#7d5a3a", "#5a3f28"),
    Colour("foot", "#b98a5e", "#9c7148"),
    Colour("nose", "#2a1d18", "#1a110d"),
    Colour("cheek", "#f0a58f", "#e79a84"),
    Colour("white", "#ffffff", "#ffffff"),
    Colour("apple", "#cf4030", "#d8503f"),
    Colour("leaf", "#5b9440", "#6fa851"),
    Colour("die", "#fffdf8", "#f4efe4"),
    Colour("pip", "#2c2a28", "#2c2a28"),
)
FIGURE_HEIGHT: Final = 38.0  # from the feet to the tips of the spines
LIFT: Final = 16.0  # how much higher the next hedgehog of a stack stands: number, eye and nose below stay in sight


def _spines() -> tuple[tuple[float, float], ...]:
    """Return the outline of the body: spines over an ellipse, all leaning back, and a flat belly."""
    cx, cy, rx, ry, count = -5.0, -13.0, 24.5, 19.5, 9
    points: list[tuple[float, float]] = [(12.0, -1.0), (-23.0, -1.0)]
    first, last = 188.0, 306.0  # degrees, clockwise from the right, as y points down: from the tail over the back
    step = (last - first) / count
    for spine in range(count):
        base, tip = radians(first + spine * step), radians(first + (spine + 0.28) * step)
        points.append((cx + rx * cos(base), cy + ry * sin(base)))
        points.append((cx + 1.26 * rx * cos(tip), cy + 1.26 * ry * sin(tip)))
    end = radians(last)
    points.append((cx + rx * cos(end), cy + ry * sin(end)))
    return tuple((round(x, 2), round(y, 2)) for x, y in points)


_BODY: Final = _spines()
_FACE: Final = (
    "M7.5 -27.5C14 -26 21 -20 26 -15.4C29 -12.8 33 -11.6 34 -9.4C34.6 -6.6 29 -2.6 23 -1.4C18 -.6 10 -.8 6 -1"
    "C3.6 -6 3.4 -20 7.5 -27.5Z"
)


def _outline(colour: str, width: float) -> tuple[Shape, ...]:
    """Return a rim of that width round a hedgehog, to lie behind it."""
    return (
        Polygon(_BODY, fill=colour, stroke=colour, stroke_width=2 * width),
        Path(_FACE, fill=colour, stroke=colour, stroke_width=2 * width),
        Circle(33, -10.4, 3 + width, fill=colour),
    )


@lru_cache(maxsize=64)
def _body(seat: int, mood: Mood) -> tuple[Shape, ...]:
    """Return a hedgehog that looks to the right, without its number."""
    deep = seat_colour(seat, "deep")
    eyes: dict[Mood, tuple[Shape, ...]] = {
        "calm": (Circle(18, -12.4, 2.5, fill="nose"), Circle(18.8, -13.3, 0.8, fill="white")),
        "cross": (
            Circle(18, -11.8, 2.4, fill="nose"),
            Circle(18.7, -12.6, 0.7, fill="white"),
            Line(13.8, -16.6, 21.6, -13.8, stroke="nose", stroke_width=1.9),
        ),
        "happy": (Path("M15 -11.4C16 -14.4 20 -14.4 21 -11.4", stroke="nose", stroke_width=1.9),),
    }
    mouth = "M22.5 -5.2C24 -6.4 26 -6.4 27.4 -5.4" if mood == "cross" else "M21 -6.2C22.6 -3.8 26 -3.8 28 -6"
    ticks = "M-20 -17L-15.5 -21M-12 -21.5L-8.6 -26M-12.4 -29L-9.6 -32M-2.4 -24.4L-.6 -29.2"
    return (
        *_outline("sticker", 2.2),
        Ellipse(-14, -0.4, 6.2, 2.8, fill="foot", stroke="snout-edge", stroke_width=0.9),
        Ellipse(11, -0.4, 6.2, 2.8, fill="foot", stroke="snout-edge", stroke_width=0.9),
        Polygon(_BODY, fill=seat_colour(seat), stroke=deep, stroke_width=1.6),
        Path(ticks, stroke=deep, stroke_width=1.5),
        Path(_FACE, fill="snout", stroke="snout-edge", stroke_width=1.4),
        Ellipse(9.6, -20.6, 3.4, 4.2, fill="cheek", stroke="snout-edge", stroke_width=1.2),
        Circle(14.6, -6.8, 2.4, fill="cheek", opacity=0.7),
        *eyes[mood],
        Path(mouth, stroke="snout-edge", stroke_width=1.3),
        Circle(33, -10.4, 3.1, fill="nose"),
        Circle(32.2, -11.4, 0.9, fill="white", opacity=0.8),
    )


def hedgehog(seat: int, x: float, y: float, scale: float = 1.0, mood: Mood = "calm", role: str = "picture") -> Group:
    """Return a hedgehog standing at (x, y); a `piece` of the game wears its seat's number on its side."""
    body = Group(_body(seat, mood))
    if role == "logo":
        return Group((body,), x, y, scale=scale, role=role)
    # In tall stacks the figures shrink; numbers shrink less, as far as the strip in sight allows.
    size = 14.4 * min(1.15, max(1.0, 0.85 / scale))
    number = Text(-9.6, -7.7, str(seat), size, fill=seat_colour(seat, "ink"), weight="bold", middle=True)
    return Group((body, number), x, y, scale=scale, role=role)


def glow(x: float, y: float, scale: float) -> Group:
    """Return what lies behind the hedgehog that has just been moved."""
    return Group((Group(_outline("accent", 6.5)),), x, y, scale=scale, role="glow")


_PIPS: Final = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


def die(face: int, x: float, y: float, size: float) -> Group:
    """Return a die of that size (its edge, pixels), a little turned as dice lie."""
    half, gap = size / 2, size * 0.26
    pips = tuple(Circle(gap * px, gap * py, size * 0.092, fill="pip") for px, py in _PIPS[face])
    block: tuple[Shape, ...] = (
        Rect(-half + 1.5, -half + 2.5, size, size, size * 0.22, fill="shadow", opacity=0.22),
        Rect(-half, -half, size, size, size * 0.22, fill="die", stroke="pip", stroke_width=size * 0.045),
    )
    return Group(block + pips, x, y, rotate=-8, role=f"die {face}", title=f"die: {face}")


def padlock(closed: bool, x: float, y: float) -> Group:
    """Return a padlock: closed on a pit that holds its pieces, open on one that lets them go."""
    colour = "held" if closed else "open"
    shackle = "M-3.6 -1V-4A3.6 3.6 0 0 1 3.6 -4V-1" if closed else "M-3.6 -1V-5A3.6 3.6 0 0 1 3.6 -5.4"
    shapes: tuple[Shape, ...] = (
        Path(shackle, stroke=colour, stroke_width=2.2),
        Rect(-6, -1, 12, 9, 2.4, fill=colour),
        Circle(0, 2.8, 1.5, fill="pit-deep"),
        Line(0, 3, 0, 5, stroke="pit-deep", stroke_width=1.4),
    )
    return Group(shapes, x, y, role="held pit" if closed else "open pit")


_APPLE: Final = "M0 -9C-4 -12.5 -12.5 -11 -12 -2.5C-11.6 4 -6 10.5 0 8.4C6 10.5 11.6 4 12 -2.5C12.5 -11 4 -12.5 0 -9Z"


def apple(x: float, y: float, scale: float = 1.0) -> Group:
    """Return the apple that waits in the goal."""
    shapes: tuple[Shape, ...] = (
        Path(_APPLE, fill="apple"),
        Path("M-7.6 -6.4C-9.4 -5 -9.4 -1.6 -8.6 .6", stroke="white", stroke_width=1.8, opacity=0.6),
        Path("M0 -8.6C0 -11.4 .8 -13.4 2.4 -15", stroke="snout-edge", stroke_width=2),
        Path("M2 -11.6C4 -16 9 -15.6 10.6 -14.4C9.4 -11 5.4 -9.6 2 -11.6Z", fill="leaf"),
    )
    return Group(shapes, x, y, scale=scale, role="apple")
