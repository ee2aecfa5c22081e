"""The figurines: six animals, one a seat, with their owner's colour and number. Each stands on (0, 0)."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, Literal

from hopenvs.render.scene import Circle, Ellipse, Group, Path, Rect, Shape, Text, seat_colour

Mood = Literal["calm", "happy", "sad"]

WIDTH: Final = 48.0  # with its rim, at scale 1
HEIGHT: Final = 76.0
TALLEST: Final = (65.0, 56.0, 64.0, 74.0, 60.0, 55.0)  # [seat] how high each one is

_HEAD_Y: Final = -39.0  # the middle of the head
_BODY: Final = "M-16 -3C-16 -17 -11 -28 0 -28C11 -28 16 -17 16 -3Z"
_BASE: Final = (0.0, -2.0, 18.0, 5.0)

# [seat] ears or mane behind the head, and the head itself, as outlines round its middle; each one is filled
_EARS: Final[tuple[tuple[str, ...], ...]] = (
    ("M-17 1C-19 -12 -18 -21 -15 -25C-9 -22 -5 -17 -3 -10Z", "M17 1C19 -12 18 -21 15 -25C9 -22 5 -17 3 -10Z"),
    (
        "M-6.5 -12A6.4 6.4 0 1 0 -15 -3.4A6.4 6.4 0 0 0 -6.5 -12Z",
        "M6.5 -12A6.4 6.4 0 1 1 15 -3.4A6.4 6.4 0 0 1 6.5 -12Z",
    ),
    (
        (
            "M0 -21C4 -24 9 -22 10 -18C15 -19 19 -15 18 -10C22 -8 23 -2 20 1C22 6 19 11 15 11C14 16 8 18 5 15"
            "C3 18 -3 18 -5 15C-8 18 -14 16 -15 11C-19 11 -22 6 -20 1C-23 -2 -22 -8 -18 -10C-19 -15 -15 -19 -10 -18"
            "C-9 -22 -4 -24 0 -21Z"
        ),
    ),
    (
        "M-2 -9C-10 -12 -14 -25 -11 -33C-4 -31 0 -21 -1 -10Z",
        "M1 -10C1 -20 5 -27 11 -29C15 -30 22 -25 23 -20C17 -21 13 -21 11 -18C9 -13 7 -10 4 -8Z",
    ),
    ("M-15 -2C-20 -8 -20 -17 -17 -20C-11 -19 -6 -16 -4 -12Z", "M15 -2C20 -8 20 -17 17 -20C11 -19 6 -16 4 -12Z"),
    (
        "M-8 -10C-14 -19 -25 -15 -24 -3C-24 7 -16 12 -9 7Z",
        "M8 -10C14 -19 25 -15 24 -3C24 7 16 12 9 7Z",
    ),
)
_HEADS: Final = (
    "M0 14C-8 13 -20 6 -20 0C-16 -9 -9 -14 0 -14C9 -14 16 -9 20 0C20 6 8 13 0 14Z",
    "M0 15A15.5 15 0 0 1 0 -15A15.5 15 0 0 1 0 15Z",
    "M0 13.5A13.5 13.5 0 0 1 0 -13.5A13.5 13.5 0 0 1 0 13.5Z",
    "M0 14.5C-9 14.5 -14 9 -14 2C-14 -7 -8 -13 0 -13C8 -13 14 -7 14 2C14 9 9 14.5 0 14.5Z",
    "M0 14.5A16 14.5 0 0 1 0 -14.5A16 14.5 0 0 1 0 14.5Z",
    "M0 12C-8 12 -13 6 -13 -2C-13 -10 -7 -15 0 -15C7 -15 13 -10 13 -2C13 6 8 12 0 12Z",
)
_TRUNK: Final = "M0 2C0 7 0 10 4 11C7.5 11.8 9.6 9.6 9.2 7.4"

_EYES: Final = ((6.6, -2.4), (6.2, -3.2), (5.2, -3.4), (5.6, -2.2), (6.8, -3.6), (5.8, -4.4))  # [seat] (x, y)


def _strokes(seat: int, colour: str, width: float) -> tuple[Shape, ...]:
    """Return the outline, filled and wider by that width all round, to lie behind a figurine."""
    x, y, rx, ry = _BASE
    shapes: list[Shape] = [
        Ellipse(x, y, rx + width, ry + width, fill=colour),
        Path(_BODY, fill=colour, stroke=colour, stroke_width=2 * width),
    ]
    head = tuple(Path(d, fill=colour, stroke=colour, stroke_width=2 * width) for d in (*_EARS[seat], _HEADS[seat]))
    return (*shapes, Group(head, 0, _HEAD_Y))


@lru_cache(maxsize=64)
def _rim(seat: int, colour: str, width: float) -> tuple[Shape, ...]:
    return _strokes(seat, colour, width)


def _features(seat: int) -> tuple[Shape, ...]:
    """Return what only this animal's face has."""
    deep = seat_colour(seat, "deep")
    if seat == 0:
        return (
            Path("M-14.6 -8C-15.6 -13 -15 -18 -13.8 -20.4C-10.8 -18.4 -8.8 -15.4 -7.8 -12.6Z", fill="cream"),
            Path("M14.6 -8C15.6 -13 15 -18 13.8 -20.4C10.8 -18.4 8.8 -15.4 7.8 -12.6Z", fill="cream"),
            Path(
                "M-18.6 1C-11 -1 -4 3 0 6C4 3 11 -1 18.6 1C17 6.4 7.4 11.8 0 13C-7.4 11.8 -17 6.4 -18.6 1Z",
                fill="cream",
            ),
            Ellipse(0, 8.4, 3, 2.3, fill="pelt-ink"),
        )
    if seat == 1:
        return (
            Circle(-11.2, -10.4, 2.8, fill="cream"),
            Circle(11.2, -10.4, 2.8, fill="cream"),
            Ellipse(0, 6, 8, 6.4, fill="cream"),
            Ellipse(0, 3, 3.4, 2.4, fill="pelt-ink"),
        )
    if seat == 2:
        return (
            Path("M-5 -13L0 -9L5 -13", stroke=deep, stroke_width=2.2),
            Ellipse(-3.2, 6, 4.4, 3.9, fill="cream"),
            Ellipse(3.2, 6, 4.4, 3.9, fill="cream"),
            Path("M-3.4 1.4H3.4L0 5.2Z", fill="pelt-ink", stroke="pelt-ink", stroke_width=1),
        )
    if seat == 3:
        return (
            Path("M-3.6 -12C-8 -15 -10.6 -22 -9.6 -28C-5.4 -25 -3 -19 -3 -13Z", fill="cream"),
            Ellipse(-3.2, 6.6, 4.2, 3.6, fill="cream"),
            Ellipse(3.2, 6.6, 4.2, 3.6, fill="cream"),
            Rect(-2.7, 8.4, 5.4, 4.4, 1.2, fill="white", stroke="pelt-ink", stroke_width=0.9),
            Path("M0 8.6V12.4", stroke="pelt-ink", stroke_width=0.9),
            Path("M-2.4 3H2.4L0 5.6Z", fill="pelt-ink", stroke="pelt-ink", stroke_width=1),
        )
    if seat == 4:
        return (
            Path("M-14 -8.6C-16 -11 -16.4 -14.4 -15.6 -16.8C-12.6 -16 -10 -14.6 -8.4 -12.8Z", fill="cream"),
            Path("M14 -8.6C16 -11 16.4 -14.4 15.6 -16.8C12.6 -16 10 -14.6 8.4 -12.8Z", fill="cream"),
            Ellipse(0, 5, 7.6, 5.4, fill="cream", stroke=deep, stroke_width=1.4),
            Ellipse(-2.8, 5, 1.4, 2.2, fill="pelt-ink"),
            Ellipse(2.8, 5, 1.4, 2.2, fill="pelt-ink"),
        )
    return (
        Path("M-11 -8C-15 -12 -20.6 -9.6 -20.4 -3C-20.4 3 -16 6.4 -12.4 4.6Z", fill="cream", opacity=0.85),
        Path("M11 -8C15 -12 20.6 -9.6 20.4 -3C20.4 3 16 6.4 12.4 4.6Z", fill="cream", opacity=0.85),
        Path("M-5.4 6.6L-6.8 12M5.4 6.6L6.4 10", stroke="white", stroke_width=2.6),
        Path(_TRUNK, stroke=deep, stroke_width=9.4),
        Path(_TRUNK, stroke=seat_colour(seat), stroke_width=6.6),
        Path("M-2.8 3.6H2.8M-2.6 7H2.4", stroke=deep, stroke_width=1.2),
    )


_MOUTHS: Final = {  # for the animals whose mouth is seen
    "calm": "M-3 10.4C-1.4 12 1.4 12 3 10.4",
    "happy": "M-4 9.8C-2 13.2 2 13.2 4 9.8",
    "sad": "M-3 12C-1.4 10.2 1.4 10.2 3 12",
}


def _face(seat: int, mood: Mood) -> tuple[Shape, ...]:
    shapes: list[Shape] = list(_features(seat))
    x, y = _EYES[seat]
    for side in (-1, 1):
        at = side * x
        shapes.append(Circle(at + side * 4.4, y + 5.6, 2.2, fill="blush", opacity=0.8))
        shapes.append(Circle(at, y, 3.6, fill="white"))
        if mood == "happy":
            lid = f"M{at - 2.2:.1f} {y + 1.2:.1f}C{at - 1.2:.1f} {y - 2:.1f} {at + 1.2:.1f} {y - 2:.1f}"
            shapes.append(Path(f"{lid} {at + 2.2:.1f} {y + 1.2:.1f}", stroke="pelt-ink", stroke_width=1.8))
        else:
            shapes.append(Circle(at, y + (1.2 if mood == "sad" else 0.3), 2.1, fill="pelt-ink"))
            shapes.append(Circle(at + 0.7, y - 0.5, 0.7, fill="white"))
    if seat in (1, 2):
        shapes.append(Path(_MOUTHS[mood], stroke="pelt-ink", stroke_width=1.3))
    return tuple(shapes)


@lru_cache(maxsize=64)
def _head(seat: int, mood: Mood) -> tuple[Shape, ...]:
    colour, deep = seat_colour(seat), seat_colour(seat, "deep")
    back = deep if seat == 2 else colour  # a mane is darker than the lion
    return (
        *(Path(d, fill=back, stroke=deep, stroke_width=1.7) for d in _EARS[seat]),
        Path(_HEADS[seat], fill=colour, stroke=deep, stroke_width=1.7),
        *_face(seat, mood),
    )


@lru_cache(maxsize=64)
def _animal(seat: int, mood: Mood) -> tuple[Shape, ...]:
    colour, deep = seat_colour(seat), seat_colour(seat, "deep")
    x, y, rx, ry = _BASE
    return (
        Group(_rim(seat, "sticker", 2.2)),
        Ellipse(x, y, rx, ry, fill=deep),
        Path(_BODY, fill=colour, stroke=deep, stroke_width=1.7),
        Circle(0, -12, 9, fill="cream", stroke=deep, stroke_width=1.3),
        Text(0, -12, str(seat), 14.5, "pelt-ink", weight="bold", middle=True),
        Group(_head(seat, mood), 0, _HEAD_Y),
    )


def figurine(seat: int, x: float, y: float, scale: float = 1.0, mood: Mood = "calm", role: str = "picture") -> Group:
    """Return a player's animal with its number, standing on (x, y)."""
    return Group((Group(_animal(seat, mood)),), x, y, scale=round(scale, 3), role=role)


def glow(seat: int, x: float, y: float, scale: float, colour: str, width: float, role: str, title: str = "") -> Group:
    """Return what lies behind a figurine that is pointed at: a rim of that width, pixels."""
    rim = _rim(seat, colour, round(2.2 + width / scale, 1))
    return Group((Group(rim),), x, y, scale=round(scale, 3), role=role, title=title)


def portrait(seat: int, x: float, y: float, scale: float = 1.0, mood: Mood = "calm", role: str = "picture") -> Group:
    """Return a player's head, its middle at (x, y)."""
    rim = tuple(Path(d, fill="sticker", stroke="sticker", stroke_width=4.4) for d in (*_EARS[seat], _HEADS[seat]))
    return Group((Group(rim), Group(_head(seat, mood))), x, y, scale=round(scale, 3), role=role)


def middle_of(seat: int, scale: float) -> float:
    """Return how far below the middle of a space a portrait's middle has to be, as ears reach up."""
    return scale * (TALLEST[seat] + _HEAD_Y - 14) / 2
