"""The signs: the rainbow, what the roles do, piles of cards, how a throw went. Each lies round (0, 0)."""

from __future__ import annotations

from typing import Final

from hopenvs.games.hop.draw.palette import RAINBOW
from hopenvs.render.scene import Circle, Group, Line, Path, Rect, Shape, Text, text_width


# ---- roles -----------------------------------------------------------------------------------------------------------
def _bow(radius: float, width: float) -> list[Shape]:
    """Return half a rainbow round (0, 0)."""
    shapes: list[Shape] = []
    for at, colour in enumerate(RAINBOW):
        r = round(radius - at * width, 2)
        shapes.append(Path(f"M{-r:g} 0A{r:g} {r:g} 0 0 1 {r:g} 0", stroke=colour, stroke_width=width))
    return shapes


_RING: Final[tuple[Shape, ...]] = tuple(
    Circle(0, 0, round(8.2 - 1.5 * at, 1), stroke=colour, stroke_width=1.7) for at, colour in enumerate(RAINBOW)
)
# pointing up with the index finger at the side of the hand, the thumb across the other fingers
_FINGER: Final[tuple[Shape, ...]] = (
    Path(
        "M-5.4 9V-6.8C-5.4 -9.6 -1.6 -9.6 -1.6 -6.8V-1.2C-1 -3.2 1.6 -3.2 2 -1.2C2.8 -2.6 5 -2.2 5.2 -.4"
        "C6.2 -1.4 8 -.6 8 1.2V4.6C8 6.8 6.8 8 6.4 9Z",
        fill="cream", stroke="token-ink", stroke_width=1.4,
    ),
    Path("M-5.4 2.6C-3.6 .8 -1 2.2 1.6 4.2C3.4 5.6 2 7.6 0 6.6", stroke="token-ink", stroke_width=1.3),
)  # fmt: skip
_PLUS: Final[tuple[Shape, ...]] = (
    Path("M0 8.4C-8 3 -9 -2 -7.4 -5C-5.6 -8 -1.4 -7.4 0 -4C1.4 -7.4 5.6 -8 7.4 -5C9 -2 8 3 0 8.4Z",
         fill="bow-red", stroke="token-ink", stroke_width=1.4),
    Path("M0 -2.6V3.4M-3 .4H3", stroke="white", stroke_width=1.9),
)  # fmt: skip
_GUST: Final[tuple[Shape, ...]] = (
    Path("M-9 -2.4H2.4C6.8 -2.4 6.6 -8.2 2.6 -7.8C.8 -7.6 .2 -6.2 .6 -5M-9 1.6H6C10 1.6 10 7 6.6 6.8"
         "C4.8 6.6 4.4 5.2 4.8 4.2M-7 5.4H0C2.8 5.4 2.8 9 .4 8.8",
         stroke="bow-blue", stroke_width=2),
)  # fmt: skip
_SIGNS: Final = {"hurler": _RING, "skewerer": _FINGER, "assister": _PLUS, "turbulator": _GUST}


def role_sign(role: str, x: float, y: float, scale: float = 1.0) -> Group:
    """Return what stands for a role: the ring, the raised finger, a helping heart, a gust of wind."""
    plate = Circle(0, 0, 12, fill="token", stroke="token-edge", stroke_width=1.4)
    return Group((plate, Group(_SIGNS[role], scale=0.86)), x, y, scale=scale, role=f"sign {role}")


def rainbow(x: float, y: float, radius: float, width: float) -> Group:
    """Return a rainbow that stands on (x, y)."""
    return Group(tuple(_bow(radius, width)), x, y, role="rainbow")


# ---- cards and marks -------------------------------------------------------------------------------------------------
_CARD_W: Final = 42.0
_CARD_H: Final = 54.0


def _back() -> tuple[Shape, ...]:
    return (
        Rect(-_CARD_W / 2, -_CARD_H / 2, _CARD_W, _CARD_H, 6, fill="card-back", stroke="paper", stroke_width=1.6),
        Rect(-_CARD_W / 2 + 4, -_CARD_H / 2 + 4, _CARD_W - 8, _CARD_H - 8, 4, stroke="card-back-light"),
        Group(tuple(_bow(13, 2.4)), 0, 6),
    )


_BACK: Final = _back()
_GHOST: Final[tuple[Shape, ...]] = (
    Rect(-_CARD_W / 2, -_CARD_H / 2, _CARD_W, _CARD_H, 6, stroke="faint", stroke_width=1.4, dash=(4, 5)),
)


def pile(count: int, x: float, y: float, role: str, title: str, scale: float = 1.0) -> Group:
    """Return cards face down on each other, or the place where none is left."""
    layers = min(3, count)
    shapes: list[Shape] = [Group(_BACK, 2.6 * layer, -2.6 * layer) for layer in range(layers)]
    return Group(tuple(shapes) or _GHOST, x, y, scale=scale, role=role, title=title)


def badge(x: float, y: float, text: str, size: float) -> Group:
    """Return a number on a round plate."""
    wide = max(size * 1.6, text_width(text, size, "bold") + size * 0.9)
    high = size * 1.6
    plate = Rect(-wide / 2, -high / 2, wide, high, high / 2, fill="badge")
    return Group((plate, Text(0, 0, text, size, "badge-ink", weight="bold", middle=True)), x, y)


_CUP: Final[tuple[Shape, ...]] = (
    Path("M-8 -9H8V-3C8 4 4 7 0 7C-4 7 -8 4 -8 -3Z", fill="sun", stroke="sun-edge", stroke_width=1.6),
    Path("M-8 -6.4C-13.4 -7 -12.6 1.4 -6.6 1.4M8 -6.4C13.4 -7 12.6 1.4 6.6 1.4", stroke="sun-edge", stroke_width=1.8),
    Line(0, 7, 0, 11, stroke="sun-edge", stroke_width=2.6),
    Line(-5, 12, 5, 12, stroke="sun-edge", stroke_width=3),
)


def cup(x: float, y: float, scale: float = 1.0) -> Group:
    """Return the winner's cup."""
    return Group(_CUP, x, y, scale=scale, role="winner", title="winner")


def verdict(success: bool, x: float, y: float, scale: float = 1.0) -> Group:
    """Return how a throw went: the ring on the finger, or beside it, with a tick or a cross."""
    behind, before = (
        Group(
            tuple(
                Path(f"M{-rx} 0A{rx} {ry} 0 0 {way} {rx} 0", stroke=colour, stroke_width=2.2)
                for rx, ry, colour in ((9.4, 3.6, "bow-red"), (7.6, 2.2, "bow-gold"))
            ),
            *((-3.4, -1.6) if success else (-14.0, 11.0)),
            rotate=0 if success else -20,
        )
        for way in (1, 0)
    )
    colour = "good" if success else "warn"
    tick = "M-4 .4L-1 3.6L4.6 -3.4" if success else "M-3.4 -3.4L3.4 3.4M3.4 -3.4L-3.4 3.4"
    shapes = (
        behind,
        Group(_FINGER, 0, 4),
        before,
        Group((Circle(0, 0, 7.6, fill=colour), Path(tick, stroke="panel", stroke_width=2.4)), 12, -8),
    )
    return Group(shapes, x, y, scale=scale, role="success" if success else "failure")
