"""Cards: a dancer in a coloured border, and at the left edge, in sight in every fan, its move, colour and style.

A card is drawn 100 units wide and high. None of the three has to be read from colours: the move is an arrow and a pose,
the colour also a letter and the pattern of the border, the style a symbol, a costume and what is behind the dancer.
"""

from __future__ import annotations

from functools import lru_cache
from math import cos, radians, sin
from typing import Final

from hopenvs.games.hedgehog_hop.cards import NUMBERS
from hopenvs.games.hedgehog_hop.draw.hedgehogs import SYMBOLS, UNICORN, ZOMBIE, costume, dancer
from hopenvs.render.scene import Circle, Group, Line, Path, Polygon, Rect, Shape, Text

SIZE: Final = 100.0  # of a card, units
PROMOS: Final = ("unicorn", "zombie")
SMALL: Final = 50.0  # pixels: smaller cards of the mob are drawn without a dancer

_LETTERS: Final = {"green": "G", "red": "R", "blue": "B"}
_ARROW: Final = ((0.0, -10.4), (9.6, 0.4), (3.8, 0.4), (3.8, 10.0), (-3.8, 10.0), (-3.8, 0.4), (-9.6, 0.4))
_TURNS: Final = {"hop": 0.0, "groove": 90.0, "slide": 270.0}


def is_card(name: object) -> bool:
    """Tell whether that is the name of a card of the deck."""
    return isinstance(name, str) and name in NUMBERS


def parts(name: str) -> tuple[str, str, str]:
    """Return colour, style and move of a card."""
    colour, style, move = name.split("-")
    return colour, style, move


# ---- layers ----------------------------------------------------------------------------------------------------------
_EDGE: Final = (
    "M14 4.6H86A9.4 9.4 0 0 1 95.4 14V86A9.4 9.4 0 0 1 86 95.4H14A9.4 9.4 0 0 1 4.6 86V14A9.4 9.4 0 0 1 14 4.6Z"
)


def _stripes() -> str:
    """Return slanting stripes all round the border."""
    path = ""
    for at in range(13, 89, 8):
        path += f"M{at} 6.9L{at + 3} 2.3M{at} 97.7L{at + 3} 93.1M2.3 {at + 3}L6.9 {at}M93.1 {at + 3}L97.7 {at}"
    return path


_PATTERNS: Final[dict[str, tuple[Shape, ...]]] = {
    "green": (Path(_EDGE, stroke="card-pattern", stroke_width=1.7),),
    "red": (Path(_stripes(), stroke="card-pattern", stroke_width=2.1),),
    "blue": (Path(_EDGE, stroke="card-pattern", stroke_width=4.2, dash=(0.1, 8.15)),),
    "gold": (Path(_EDGE, stroke="card-pattern", stroke_width=2.2, dash=(9, 5, 0.1, 5)),),
}


@lru_cache(maxsize=8)
def _frame(colour: str) -> tuple[Shape, ...]:
    """Return shadow, border with its pattern (green a line, red stripes, blue dots), and the paper inside."""
    return (
        Rect(1, 3, 98, 98, 13, fill="shadow", opacity=0.25),
        Rect(0.5, 0.5, 99, 99, 13, fill=f"card-{colour}", stroke=f"card-{colour}-deep", stroke_width=1.4),
        *_PATTERNS[colour],
        Rect(9.4, 9.4, 81.2, 81.2, 6, fill=f"card-{colour}-pale"),
    )


def _rays() -> str:
    path = ""
    for ray in range(12):
        a, b = radians(30 * ray), radians(30 * ray + 15)
        near, far = 7.0, 33.0
        corners = ((near, a), (far, a), (far, b), (near, b))
        points = [f"{58 + r * cos(t):.1f} {50 + r * sin(t):.1f}" for r, t in corners]
        path += f"M{points[0]}L{points[1]}L{points[2]}L{points[3]}Z"
    return path


def _bricks() -> str:
    path = "".join(f"M9.4 {y}H90.6" for y in (24, 38, 52, 66, 80))
    for row, y in enumerate((9.4, 24, 38, 52, 66, 80)):
        below = (24, 38, 52, 66, 80, 90.6)[row]
        path += "".join(f"M{x} {y}V{below}" for x in ((40, 66) if row % 2 else (27, 53, 79)))
    return path


def _zigzags() -> str:
    lines = []
    for y in (20, 38, 56, 74):
        points = [f"{9.4 + 8.12 * step:.1f} {y + (-5 if step % 2 else 5)}" for step in range(11)]
        lines.append("M" + "L".join(points))
    return "".join(lines)


_FIRE: Final = (
    "M9.4 84.6V64C14 60 13 52 19 46C20 54 26 56 27 62C31 56 30 50 37 42C38 52 44 54 45 60C49 54 49 44 57 34"
    "C57 46 64 50 64 58C68 54 68 48 74 41C75 50 81 53 81 61C85 58 86 53 90.6 49V84.6A6 6 0 0 1 84.6 90.6H15.4"
    "A6 6 0 0 1 9.4 84.6Z"
)
_MOTIFS: Final[dict[str, tuple[Shape, ...]]] = {
    "retro": (Path(_rays(), fill="card-gold", opacity=0.36),),
    "rave": (Path(_zigzags(), stroke="card-back", stroke_width=2.4, opacity=0.24),),
    "spicy": (Path(_FIRE, fill="flame", opacity=0.27),),
    "street": (Path(_bricks(), stroke="card-ink", stroke_width=1.5, opacity=0.2),),
}


@lru_cache(maxsize=16)
def arrow(move: str, colour: str, scale: float) -> tuple[Shape, ...]:
    """Return a chip with the arrow of a move."""
    chip = Rect(-14, -14, 28, 28, 8.5, fill=f"card-{colour}-deep", stroke="snow", stroke_width=2)
    arrow = Group((Polygon(_ARROW, fill="snow", stroke="snow", stroke_width=1.6),), rotate=_TURNS[move])
    return (Group((chip, arrow), scale=scale),)


@lru_cache(maxsize=16)
def letter(letter: str, colour: str, size: float) -> tuple[Shape, ...]:
    """Return a disc with the letter of a colour."""
    half = size * 0.56
    return (
        Circle(0, 0, half, fill="snow", stroke=f"card-{colour}-deep", stroke_width=1.4),
        Text(0, 0, letter, size * 0.86, f"card-{colour}-deep", weight="bold", middle=True),
    )


@lru_cache(maxsize=64)
def _face(name: str) -> tuple[Shape, ...]:
    if name == "unicorn":
        return (
            Group(_frame("gold")),
            Group(_MOTIFS["retro"]),
            Group(UNICORN, 55, 47, scale=0.86),
            Group(_STAR, 23, 23),
            _ribbon("UNICORN", "gold"),
        )
    if name == "zombie":
        return (
            Group(_frame("red")),
            Group(_MOTIFS["street"]),
            Group(ZOMBIE, 60, 45, scale=0.84),
            Group(letter("R", "red", 20), 21, 21.5),
            Group(SYMBOLS["street"], 23.5, 47, scale=0.84),
            _ribbon("ZOMBIE", "red"),
        )
    colour, style, move = parts(name)
    return (
        Group(_frame(colour)),
        Group(_MOTIFS[style]),
        Group(dancer(move, f"card-{colour}", f"card-{colour}-deep"), 61, 51, scale=0.84),
        Group(costume(style, move), 61, 51, scale=0.84),
        Group(arrow(move, colour, 0.92), 22, 22),
        Group(letter(_LETTERS[colour], colour, 20), 21, 49.5),
        Group(SYMBOLS[style], 23.5, 77, scale=0.9),
    )


def _ribbon(word: str, colour: str) -> Group:
    band = Rect(9.4, 78, 81.2, 13, fill=f"card-{colour}-deep")
    return Group((band, Text(50, 84.5, word, 11.5, "snow", weight="bold", middle=True)))


def _star_points(tips: int, far: float, near: float) -> tuple[tuple[float, float], ...]:
    return tuple(
        (
            round((near if k % 2 else far) * sin(radians(180 * k / tips)), 2),
            round(-(near if k % 2 else far) * cos(radians(180 * k / tips)), 2),
        )
        for k in range(2 * tips)
    )


_STAR: Final[tuple[Shape, ...]] = (
    Rect(-13, -13, 26, 26, 8, fill="card-gold-deep", stroke="snow", stroke_width=2),
    Polygon(_star_points(5, 10, 4.4), fill="horn"),
)


@lru_cache(maxsize=64)
def _small_face(name: str) -> tuple[Shape, ...]:
    """Return a card for little room: move, colour and style only, as large as they can be."""
    if name == "unicorn":
        return (Group(_frame("gold")), Group(UNICORN, 50, 54, scale=0.98))
    if name == "zombie":
        return (
            Group(_frame("red")),
            Group(ZOMBIE, 56, 52, scale=0.86),
            Group(letter("R", "red", 30), 27, 27),
            Group(SYMBOLS["street"], 28, 74, scale=1.0),
        )
    colour, style, move = parts(name)
    return (
        Group(_frame(colour)),
        Group(arrow(move, colour, 1.42), 31, 31),
        Group(letter(_LETTERS[colour], colour, 32), 71, 31),
        Group(SYMBOLS[style], 50, 71, scale=1.26),
    )


def card(name: str, x: float, y: float, size: float, *, small: bool = False, title: str = "") -> Group:
    """Return a card with its upper left corner at (x, y), `size` pixels wide and high."""
    face = _small_face(name) if small else _face(name)
    return Group((Group(face),), x, y, scale=size / SIZE, role=f"card {name}", title=title or name)


# ---- the back --------------------------------------------------------------------------------------------------------
def _back() -> tuple[Shape, ...]:
    """Return a mirror ball."""
    lines = "M28 50H72M31.4 38H68.6M31.4 62H68.6M50 28V72M50 28C36 36 36 64 50 72M50 28C64 36 64 64 50 72"
    beams = "M50 50L18 18M50 50L82 18M50 50L18 82M50 50L82 82M50 12V20M12 50H20M88 50H80M50 88V80"
    return (
        Rect(1, 3, 98, 98, 13, fill="shadow", opacity=0.25),
        Rect(0.5, 0.5, 99, 99, 13, fill="card-back", stroke="card-back-deep", stroke_width=1.4),
        Rect(7, 7, 86, 86, 8, stroke="card-back-light", stroke_width=2),
        Path(beams, stroke="card-back-light", stroke_width=3, dash=(0.1, 7)),
        Circle(50, 50, 24.5, fill="card-back-deep"),
        Circle(50, 50, 22, fill="box-light"),
        Path(lines, stroke="card-back-deep", stroke_width=1.8),
        Line(40, 39, 46, 35, stroke="snow", stroke_width=4),
    )


_BACK: Final = _back()


def back(x: float, y: float, size: float) -> Group:
    """Return a card that lies face down."""
    return Group((Group(_BACK),), x, y, scale=size / SIZE, role="back")


def slot(x: float, y: float, size: float) -> Group:
    """Return a place where no card lies."""
    rim = Rect(2, 2, 96, 96, 12, stroke="faint", stroke_width=2.4, dash=(5, 6), opacity=0.7)
    return Group((rim,), x, y, scale=size / SIZE, role="free place")
