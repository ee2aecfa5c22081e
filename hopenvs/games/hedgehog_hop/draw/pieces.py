"""Small pieces round the cards: rims and marks, piles, badges, rows of cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hopenvs.games.hedgehog_hop.draw.cards import back, card
from hopenvs.render.scene import Circle, Ellipse, Group, Line, Path, Polygon, Rect, Shape, Text, text_width

# ---- rims and marks --------------------------------------------------------------------------------------------------


def rim(x: float, y: float, size: float, role: str, *, wide: float, title: str) -> Group:
    """Return what lies behind a card that is pointed at."""
    shape = Rect(-wide, -wide, size + 2 * wide, size + 2 * wide, size * 0.13 + wide, fill="accent")
    return Group((shape,), x, y, role=role, title=title)


_CHEVRONS: Final = "M-7 -7L0 0L-7 7M1 -7L8 0L1 7"
_PUSH: Final[tuple[Shape, ...]] = (
    Circle(0, 0, 14, fill="accent", stroke="panel", stroke_width=2.4),
    Path(_CHEVRONS, stroke="accent-ink", stroke_width=3.6),
)


def push_mark(x: float, y: float, turn: float, size: float, title: str = "") -> Group:
    """Return chevrons between the card just played and the one that it pushed; `turn` 0 points to the right."""
    return Group((Group(_PUSH, rotate=turn),), x, y, scale=round(size / 28, 3), role="push", title=title)


_SYNC: Final[tuple[Shape, ...]] = (
    Circle(0, 0, 11, fill="sync", stroke="panel", stroke_width=2),
    Path("M-2.4 5.4V-4.6L5 -6.4V3.6", stroke="sync-ink", stroke_width=1.9),
    Ellipse(-4.6, 5.4, 2.7, 2.1, fill="sync-ink"),
    Ellipse(2.8, 3.6, 2.7, 2.1, fill="sync-ink"),
)


def sync_mark(x: float, y: float, size: float) -> Group:
    """Return the mark between two cards that are In Sync."""
    return Group((Group(_SYNC),), x, y, scale=round(size / 22, 3), role="in sync", title="In Sync")


_TIP: Final = ((0.0, -6.0), (6.6, 3.6), (-6.6, 3.6))


def entry_mark(x: float, y: float, turn: float, label: str, size: float, role: str, title: str) -> Group:
    """Return a label with a tip that points at the line's end: `turn` 0 points up, 90 to the right, and so on.

    (x, y) is the point of the tip.
    """
    wide = max(16.0, text_width(label, size, "bold") + size * 0.7)
    high = size * 1.34
    tip = size * 0.52
    dx, dy = {0: (0.0, 1.0), 90: (-1.0, 0.0), 180: (0.0, -1.0), 270: (1.0, 0.0)}[round(turn)]
    to = tip * 1.1 + (high / 2 if dy else wide / 2)
    middle_x, middle_y = x + dx * to, y + dy * to
    scale = round(size / 13, 3)
    tip_shape = Polygon(_TIP, fill="accent", stroke="accent", stroke_width=1)
    point = Group((tip_shape,), x + dx * 6 * scale, y + dy * 6 * scale, rotate=turn, scale=scale)
    plate = Rect(middle_x - wide / 2, middle_y - high / 2, wide, high, high / 2, fill="accent")
    word = Text(middle_x, middle_y, label, size, "accent-ink", weight="bold", middle=True)
    return Group((point, plate, word), role=role, title=title)


_EYE: Final[tuple[Shape, ...]] = (
    Circle(0, 0, 9, fill="panel", stroke="ink", stroke_width=1.3),
    Path("M-6 0C-3 -4.6 3 -4.6 6 0C3 4.6 -3 4.6 -6 0Z", fill="snow", stroke="card-ink", stroke_width=1.3),
    Circle(0, 0, 2, fill="card-ink"),
)


def eye(x: float, y: float, scale: float = 1.0) -> Group:
    """Return the mark of a card in a hand that everybody knows."""
    return Group(_EYE, x, y, scale=scale, role="known", title="everybody knows this card")


def _badge(x: float, y: float, text: str, size: float) -> Group:
    """Return a number on a round plate, its middle at (x, y)."""
    wide = max(size * 1.5, text_width(text, size, "bold") + size * 0.9)
    high = size * 1.5
    plate = Rect(-wide / 2, -high / 2, wide, high, high / 2, fill="ink", stroke="panel", stroke_width=1.6)
    return Group((plate, Text(0, 0, text, size, "panel", weight="bold", middle=True)), x, y)


def tick(x: float, y: float, title: str) -> Group:
    """Return the mark of something done."""
    shapes = (Circle(0, 0, 9, fill="good"), Path("M-4 .2L-1 3.4L4.4 -3", stroke="panel", stroke_width=2.4))
    return Group(shapes, x, y, role="done", title=title)


_HAND: Final = (
    "M-5 9V3.6L-8.6 -1C-9.6 -2.6 -7.4 -4 -6 -2.6L-4 -.8V-8C-4 -10 -1.4 -10 -1.4 -8V-3.4V-9.4"
    "C-1.4 -11.4 1.4 -11.4 1.4 -9.4V-3.4V-8.4C1.4 -10.2 4 -10.2 4 -8.4V-2.8V-6C4 -7.8 6.4 -7.8 6.4 -6V1.6"
    "C6.4 4 5.4 5 5 6.4V9Z"
)
_TAKE: Final[tuple[Shape, ...]] = (
    Circle(0, 0, 14, fill="accent", stroke="panel", stroke_width=2),
    Path(_HAND, fill="accent-ink", stroke="accent", stroke_width=0.8),
)


def take_mark(x: float, y: float, scale: float, role: str, title: str) -> Group:
    """Return the hand on a card that may be taken."""
    return Group(_TAKE, x, y, scale=scale, role=role, title=title)


_DROP: Final[tuple[Shape, ...]] = (
    Circle(0, 0, 14, fill="accent", stroke="panel", stroke_width=2),
    Path("M0 -7.4V6.4M-5.6 1L0 6.6L5.6 1", stroke="accent-ink", stroke_width=3.2),
)


def drop_mark(x: float, y: float, scale: float, role: str, title: str) -> Group:
    """Return the arrow on a card that may be put down: discarded, planned, or laid in the crew."""
    return Group(_DROP, x, y, scale=scale, role=role, title=title)


# ---- rows of cards ---------------------------------------------------------------------------------------------------
def spread(count: int, size: float, width: float, gap: float = 5.0) -> list[float]:
    """Return the left edges of so many cards of that size in a row of that width: they overlap where they must."""
    if count < 2:
        return [0.0] * count
    step = min(size + gap, (width - size) / (count - 1))
    return [round(step * at, 1) for at in range(count)]


def row(names: Sequence[str | None], x: float, y: float, size: float, width: float, gap: float = 5.0) -> list[Shape]:
    """Return cards in a row; None lies face down."""
    return [
        back(x + at, y, size) if name is None else card(name, x + at, y, size)
        for name, at in zip(names, spread(len(names), size, width, gap))
    ]


def draw_pile(count: int, x: float, y: float, size: float) -> Group:
    """Return the face-down draw pile and how many cards it holds."""
    shapes: list[Shape] = [Rect(2, 2, size - 4, size - 4, size * 0.12, stroke="faint", stroke_width=1.6, dash=(4, 5))]
    layers = min(3, count)
    shapes += [Group((back(2.5 * layer, -2.5 * layer, size),)) for layer in range(layers)]
    shapes.append(_badge(size - 4, size - 4, str(count), 15))
    return Group(tuple(shapes), x, y, role="draw pile", title=f"{count} cards face down")


# ---- panels ----------------------------------------------------------------------------------------------------------
def plate(w: float, h: float, *, on: bool = False, r: float = 14.0) -> Rect:
    """Return the paper of a part of the panel, with a bright rim if that is on."""
    stroke, stroke_width = ("accent", 3.0) if on else ("line", 1.5)
    return Rect(0, 0, w, h, r, fill="panel", stroke=stroke, stroke_width=stroke_width)


def words(text: str, x: float, y: float, size: float, fill: str, *, bold: bool = False) -> Group:
    """Return words that occur more than once, in a group of their own: it is written once."""
    return Group((Text(0, 0, text, size, fill, anchor="start", weight="bold" if bold else "regular"),), x, y)


_CUP: Final[tuple[Shape, ...]] = (
    Path("M-8 -9H8V-3C8 4 4 7 0 7C-4 7 -8 4 -8 -3Z", fill="horn", stroke="card-gold-deep", stroke_width=1.6),
    Path(
        "M-8 -6.4C-13.4 -7 -12.6 1.4 -6.6 1.4M8 -6.4C13.4 -7 12.6 1.4 6.6 1.4",
        stroke="card-gold-deep",
        stroke_width=1.8,
    ),
    Line(0, 7, 0, 11, stroke="card-gold-deep", stroke_width=2.6),
    Line(-5, 12, 5, 12, stroke="card-gold-deep", stroke_width=3),
)


def cup(x: float, y: float, scale: float = 1.0) -> Group:
    """Return the winner's cup."""
    return Group(_CUP, x, y, scale=scale, role="winner", title="winner")


# ---- the mirror ball and the lights ----------------------------------------------------------------------------------
_BALL: Final[tuple[Shape, ...]] = (
    Circle(0, 0, 25, fill="stage-deep"),
    Circle(0, 0, 22.5, fill="box-light"),
    Path(
        "M-22 0H22M-19 -11H19M-19 11H19M0 -22V22M0 -22C-15 -14 -15 14 0 22M0 -22C15 -14 15 14 0 22",
        stroke="stage-deep", stroke_width=1.6,
    ),
    Path("M-12 -13L-6 -16M6 4L10 5", stroke="snow", stroke_width=4),
)  # fmt: skip


def mirror_ball(x: float, y: float, scale: float = 1.0) -> Group:
    """Return a mirror ball."""
    return Group(_BALL, x, y, scale=scale)


def spotlight(x: float, y: float, to_x: float, to_y: float, wide: float) -> Shape:
    """Return a beam of light from (x, y) to a spot on the floor."""
    beam = ((x - 6, y), (x + 6, y), (to_x + wide / 2, to_y), (to_x - wide / 2, to_y))
    return Polygon(beam, fill="spot", opacity=0.28)


def stage(width: float, height: float) -> tuple[Shape, ...]:
    """Return the frame of the dance floor with its bulbs, and the floor inside."""
    bulbs = (
        f"M26 8H{width - 26:g}A18 18 0 0 1 {width - 8:g} 26V{height - 26:g}A18 18 0 0 1 {width - 26:g} {height - 8:g}"
        f"H26A18 18 0 0 1 8 {height - 26:g}V26A18 18 0 0 1 26 8Z"
    )
    return (
        Rect(0, 0, width, height, 26, fill="stage"),
        Path(bulbs, stroke="stage-deep", stroke_width=9),
        Path(bulbs, stroke="bulb", stroke_width=5.6, dash=(0.1, 23)),
        Rect(16, 16, width - 32, height - 32, 12, fill="floor"),
    )
