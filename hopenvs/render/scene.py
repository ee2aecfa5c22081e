"""The model of a picture: a handful of frozen shapes, and the same position as lines of text.

A game's `draw` module builds a `Scene` from these and imports nothing else of the package. Lengths are in pixels at
scale 1, x to the right and y down. Colours are names; a theme (`hopenvs.render.theme`) knows how each one looks in
light and in dark. Names that every theme knows: `paper` (the background), `panel` (cards on it), `ink`, `faint`
(less important text), `line` (hairlines), `accent` (what to look at now), `accent-ink` (text on it), `good`, `warn`,
`shadow`, and for every seat k `seat<k>`, `seat<k>-ink` (text on it) and `seat<k>-deep` (its outline). A game adds its
own by `Scene.colours`; `#rrggbb` works too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from hopenvs.render.lettering import text_width

__all__ = [
    "MAX_SEATS", "SEAT_NAMES", "Circle", "Colour", "Ellipse", "Group", "Line", "Path", "Polygon", "Rect",
    "Scene", "Shape", "Span", "Text", "TextLine", "plain", "seat_colour", "text_width", "walk",
]  # fmt: skip

MAX_SEATS: Final = 6
# The seats' colours are at least 25 steps of CIELAB apart under every common colour blindness; as nobody must rely on
# colour, a piece shows its seat's number too.
SEAT_NAMES: Final = ("red", "blue", "yellow", "green", "pink", "plum")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Painted:
    """What every shape has: how it is filled and outlined. Colours are names; `none` leaves it out."""

    fill: str = "none"
    stroke: str = "none"
    stroke_width: float = 1.0
    opacity: float = 1.0
    dash: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Rect(_Painted):
    """A rectangle from its upper left corner, with corners rounded by radius r."""

    x: float
    y: float
    w: float
    h: float
    r: float = 0.0


@dataclass(frozen=True, slots=True)
class Circle(_Painted):
    """A circle round (x, y)."""

    x: float
    y: float
    r: float


@dataclass(frozen=True, slots=True)
class Ellipse(_Painted):
    """An ellipse round (x, y) with half axes rx and ry."""

    x: float
    y: float
    rx: float
    ry: float


@dataclass(frozen=True, slots=True)
class Polygon(_Painted):
    """A closed polygon."""

    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Line(_Painted):
    """A straight line with round ends."""

    x1: float
    y1: float
    x2: float
    y2: float


@dataclass(frozen=True, slots=True)
class Path(_Painted):
    """Any outline, as SVG path data of absolute M, L, H, V, C, A and Z; ends and corners are round."""

    d: str


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text. `y` is the baseline, or with `middle` the middle of its capitals; `size` is pixels an em."""

    x: float
    y: float
    text: str
    size: float = 16.0
    fill: str = "ink"
    anchor: Literal["start", "middle", "end"] = "middle"
    weight: Literal["regular", "bold"] = "regular"
    middle: bool = False
    opacity: float = 1.0

    @property
    def width(self) -> float:
        """How wide it is drawn, pixels."""
        return text_width(self.text, self.size, self.weight)


@dataclass(frozen=True, slots=True)
class Group:
    """Shapes that are moved to (x, y), turned (degrees clockwise) and scaled together.

    `role` says what it stands for, in words that a test or a tool can look for; `title` is shown when it is pointed at.
    """

    shapes: tuple[Shape, ...]
    x: float = 0.0
    y: float = 0.0
    rotate: float = 0.0
    scale: float = 1.0
    role: str = ""
    title: str = ""


Shape = Rect | Circle | Ellipse | Polygon | Line | Path | Text | Group


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of text in one style for the terminal; the colours are the theme's names, empty: the terminal's own."""

    text: str
    colour: str = ""
    background: str = ""
    bold: bool = False


TextLine = tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Colour:
    """A colour of a game's own: its name and its `#rrggbb` on light and on dark paper."""

    name: str
    light: str
    dark: str


@dataclass(frozen=True, slots=True)
class Scene:
    """A whole picture of width x height pixels and, line by line, the same for a terminal."""

    width: int
    height: int
    shapes: tuple[Shape, ...]
    title: str = ""
    text: tuple[TextLine, ...] = ()
    colours: tuple[Colour, ...] = ()


def walk(shapes: tuple[Shape, ...]) -> Iterator[Shape]:
    """Yield every shape, groups before what is in them."""
    for shape in shapes:
        yield shape
        if isinstance(shape, Group):
            yield from walk(shape.shapes)


def plain(text: str) -> TextLine:
    """Return a line of unstyled text."""
    return (Span(text),)


def seat_colour(seat: int, kind: Literal["", "ink", "deep"] = "") -> str:
    """Return the name of a seat's colour, of the text on it (`ink`) or of its outline (`deep`)."""
    return f"seat{seat}-{kind}" if kind else f"seat{seat}"
