"""Hedgehogs that dance: a body for each move, what each style wears, and the promo cards' guests.

Each figure lies round (0, 0), about 68 units wide and 80 high. A hop goes up, a groove to the right, a slide to the
left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import cos, pi, radians, sin
from typing import Final

from hopenvs.render.scene import Circle, Ellipse, Group, Line, Path, Polygon, Rect, Shape, Text, seat_colour

Point = tuple[float, float]


@dataclass(frozen=True)
class Pose:
    """How a hedgehog holds itself: all points from the middle of its body, before that is tilted and put in place.

    Attributes:
        x, y: the middle of the body.
        tilt: degrees clockwise.
        look: how far the face is turned to the right.
        arms: from shoulder to hand, the left one first.
        legs: from hip to ankle, in the figure's own frame: they aren't tilted with the body.
        feet: where the shoes are, and how they are turned.
    """

    x: float
    y: float
    tilt: float
    look: float
    arms: tuple[tuple[Point, ...], tuple[Point, ...]]
    legs: tuple[tuple[Point, ...], tuple[Point, ...]]
    feet: tuple[tuple[float, float, float], tuple[float, float, float]]


POSES: Final = {
    "hop": Pose(
        0, -6, 0, 0,
        (((-15, 0), (-24, -9), (-27, -24)), ((15, 0), (24, -9), (27, -24))),
        (((-8, 12), (-17, 17), (-13, 26)), ((8, 12), (17, 17), (13, 26))),
        ((-15, 27.5, 12), (15, 27.5, -12)),
    ),
    "groove": Pose(
        -2, -2, 9, 6,
        (((-15, 3), (-27, 8), (-18, 17)), ((17, 3), (27, -6), (33, -22))),
        (((-10, 15), (-18, 24), (-21, 33)), ((5, 16), (19, 20), (18, 33))),
        ((-23, 35, 0), (21, 35, 0)),
    ),
    "slide": Pose(
        4, -1, -17, -6,
        (((-14, 8), (-23, 13), (-31, 8)), ((15, 3), (25, 0), (30, -12))),
        (((-3, 16), (-15, 25), (-25, 31)), ((12, 15), (25, 26), (13, 34))),
        ((-28, 31.5, -24), (11, 35, 0)),
    ),
}  # fmt: skip

MOVES: Final = tuple(POSES)
BODY: Final = 22.0  # radius of the body below its spines


def _spines(count: int = 17, radius: float = BODY, tip: float = 1.32, lean: float = 0.32) -> tuple[Point, ...]:
    points: list[Point] = []
    for spine in range(count):
        base, top = 2 * pi * spine / count, 2 * pi * (spine + lean) / count
        points.append((round(radius * cos(base), 1), round(radius * 1.04 * sin(base), 1)))
        points.append((round(radius * tip * cos(top), 1), round(radius * 1.04 * tip * sin(top), 1)))
    return tuple(points)


SPINES: Final = _spines()


def _way(points: Sequence[Point]) -> str:
    """Return path data through some points, bent where there are three."""
    (x1, y1), *rest = points
    if len(rest) == 1:
        return f"M{x1:g} {y1:g}L{rest[0][0]:g} {rest[0][1]:g}"
    (bx, by), (x2, y2) = rest
    return (
        f"M{x1:g} {y1:g}C{x1 + (bx - x1) * 0.8:.1f} {y1 + (by - y1) * 0.8:.1f} "
        f"{x2 + (bx - x2) * 0.8:.1f} {y2 + (by - y2) * 0.8:.1f} {x2:g} {y2:g}"
    )


def _limb(points: Sequence[Point], edge: str, skin: str) -> tuple[Shape, ...]:
    way = _way(points)
    return Path(way, stroke=edge, stroke_width=8.6), Path(way, stroke=skin, stroke_width=5.4)


def _legs(pose: Pose, edge: str, skin: str, shoe: str) -> tuple[Shape, ...]:
    shapes: list[Shape] = []
    for leg, (x, y, turn) in zip(pose.legs, pose.feet):
        shapes += _limb(leg, edge, skin)
        sole = Ellipse(0, 0, 7.4, 4.5, fill=shoe, stroke=edge, stroke_width=1.6)
        shapes.append(Group((sole, Line(-5.6, 2.4, 5.6, 2.4, stroke=edge, stroke_width=1.2)), x, y, rotate=turn))
    return tuple(shapes)


def _arms(pose: Pose, edge: str, skin: str) -> tuple[Shape, ...]:
    shapes: list[Shape] = []
    for arm in pose.arms:
        shapes += _limb(arm, edge, skin)
        shapes.append(Circle(*arm[-1], 4.3, fill=skin, stroke=edge, stroke_width=1.5))
    return tuple(shapes)


@lru_cache(maxsize=16)
def _face(look: float, skin: str, edge: str, mood: str) -> tuple[Shape, ...]:
    """Return ears, muzzle, eyes and mouth; `look` is how far they are turned to the right."""
    x = look
    shapes: list[Shape] = [
        Ellipse(side * 13.2 + x * 0.7, -11.4, 4.6, 5.2, fill=skin, stroke=edge, stroke_width=1.5) for side in (-1, 1)
    ]
    heart = (
        f"M{x - 16:g} 3C{x - 17:g} -9 {x - 9:g} -13 {x * 1.1:.1f} -8.6C{x + 9:g} -13 {x + 17:g} -9 {x + 16:g} 3"
        f"C{x + 15.4:.1f} 14 {x + 8:g} 18.4 {x:g} 18.4C{x - 8:g} 18.4 {x - 15.4:.1f} 14 {x - 16:g} 3Z"
    )
    shapes.append(Path(heart, fill=skin, stroke=edge, stroke_width=1.6))
    x = look * 1.55
    shapes += [Circle(side * 10.4 + x, 6.4, 3, fill="cheek", opacity=0.75) for side in (-1, 1)]
    if mood == "undead":
        cross = "".join(f"M{-6.6 + x - d:.1f} {-2.6 - d}L{-6.6 + x + d:.1f} {-2.6 + d}" for d in (2.6,))
        cross += f"M{-4 + x:.1f} -5.2L{-9.2 + x:.1f} 0"
        shapes += [
            Path(cross, stroke="nose", stroke_width=2.1),
            Circle(6.6 + x, -2.2, 4.6, fill="snow", stroke="nose", stroke_width=1.1),
            Circle(6.2 + x, -1.6, 1.7, fill="nose"),
        ]
    else:
        for side in (-1, 1):
            shapes += [
                Ellipse(side * 6.2 + x, -2.4, 3, 3.8, fill="nose"),
                Circle(side * 6.2 + x + 1, -3.9, 1.2, fill="snow"),
            ]
    shapes.append(Ellipse(x * 1.12, 3.6, 3.4, 2.5, fill="nose"))
    shapes.append(Circle(x * 1.12 - 1, 2.9, 0.8, fill="snow", opacity=0.8))
    if mood == "undead":
        shapes.append(Path(f"M{x - 6:.1f} 10.6H{x + 6:.1f}", stroke="nose", stroke_width=1.5))
        teeth = "".join(f"M{x + at:.1f} 8.9V12.3" for at in (-3.6, 0, 3.6))
        shapes.append(Path(teeth, stroke="nose", stroke_width=1.2))
    else:
        grin = f"M{x - 6:.1f} 7.8C{x - 4:.1f} 14.6 {x + 4:.1f} 14.6 {x + 6:.1f} 7.8Z"
        shapes.append(Path(grin, fill="nose", stroke="nose", stroke_width=1.2))
        shapes.append(Ellipse(x, 11.4, 2.5, 1.4, fill="tongue"))
    return tuple(shapes)


_HOP_TRACKS: Final = "M-24 30V37M-18 34V38M24 30V37M18 34V38"
_SLIDE_TRACKS: Final = "M27 22H36M24 29H37M29 15H35"
_GROOVE_TRACKS: Final = "M-31 -20C-28 -24 -34 -27 -30 -31M-24 -27C-21 -31 -27 -34 -23 -38"


@lru_cache(maxsize=4)
def _ground(move: str) -> tuple[Shape, ...]:
    """Return the shadow, and what tells where the figure goes."""
    tracks = {"hop": _HOP_TRACKS, "slide": _SLIDE_TRACKS, "groove": _GROOVE_TRACKS}[move]
    wide = {"hop": 15.0, "groove": 27.0, "slide": 29.0}[move]
    return (
        Ellipse(0, 38.5, wide, 2.8, fill="card-ink", opacity=0.2),
        Path(tracks, stroke="card-ink", stroke_width=2.2, opacity=0.55),
    )


_HALO: Final[tuple[Shape, ...]] = (Polygon(SPINES, fill="snow", stroke="snow", stroke_width=5.5),)


@lru_cache(maxsize=4)
def _front(move: str) -> tuple[Shape, ...]:
    pose = POSES[move]
    return Group(_face(pose.look, "fur", "fur-edge", "glad")), *_arms(pose, "fur-edge", "fur")


@lru_cache(maxsize=4)
def _below(move: str) -> tuple[Shape, ...]:
    return *_ground(move), *_legs(POSES[move], "fur-edge", "fur", "shoe")


@lru_cache(maxsize=64)
def dancer(move: str, spines: str, deep: str) -> tuple[Shape, ...]:
    """Return a hedgehog in the pose of a move, with spines of a colour and an outline of another."""
    pose = POSES[move]
    # groups that hedgehogs of all colours share are written once
    body: tuple[Shape, ...] = (
        Group(_HALO),
        Polygon(SPINES, fill=spines, stroke=deep, stroke_width=1.8),
        Group(_front(move)),
    )
    return Group(_below(move)), Group(body, pose.x, pose.y, rotate=pose.tilt)


# ---- what the styles wear --------------------------------------------------------------------------------------------
def _on_body(move: str, shapes: Sequence[Shape]) -> Group:
    pose = POSES[move]
    return Group(tuple(shapes), pose.x, pose.y, rotate=pose.tilt)


def _retro(pose: Pose) -> tuple[Shape, ...]:
    """Return round glasses and a headband."""
    x = pose.look * 1.55
    band = f"M{-19 + pose.look * 0.6:.1f} -11.8C{-9 + x:.1f} -17.4 {9 + x:.1f} -17.4 {19 + pose.look * 0.6:.1f} -11.8"
    shapes: list[Shape] = [
        Path(band, stroke="vinyl", stroke_width=6.6),
        Path(band, stroke="lens-shine", stroke_width=3.6),
        Path(band, stroke="lens", stroke_width=1.4),
        Line(x - 2, -2.6, x + 2, -2.6, stroke="vinyl", stroke_width=2.4),
    ]
    for side in (-1, 1):
        shapes += [
            Circle(side * 7.4 + x, -2.2, 6.1, fill="lens", stroke="vinyl", stroke_width=2.1),
            Line(side * 7.4 + x - 2.6, -0.6, side * 7.4 + x + 0.8, -4.8, stroke="lens-shine", stroke_width=1.7),
        ]
    return tuple(shapes)


def _rave(pose: Pose) -> tuple[Shape, ...]:
    """Return a glow stick in each hand and a shining collar."""
    shapes: list[Shape] = []
    for arm, colour in zip(pose.arms, ("neon-lime", "neon-pink")):
        x, y = arm[-1]
        away = radians(-68)
        dx, dy = 9.5 * cos(away), 9.5 * sin(away)
        ends = (round(x - dx * 0.5, 1), round(y - dy * 0.5, 1), round(x + dx, 1), round(y + dy, 1))
        shapes += [
            Line(*ends, stroke="card-ink", stroke_width=7.4),
            Line(*ends, stroke=colour, stroke_width=4.6),
            Circle(x, y, 3.4, fill="fur", stroke="fur-edge", stroke_width=1.3),
        ]
    collar = f"M{-13 + pose.look:.1f} 15C{-6 + pose.look:.1f} 21 {6 + pose.look:.1f} 21 {13 + pose.look:.1f} 15"
    shapes += [
        Path(collar, stroke="card-ink", stroke_width=5.4),
        Path(collar, stroke="neon-cyan", stroke_width=3, dash=(0.1, 4.4)),
    ]
    return tuple(shapes)


_FLAME: Final = (
    "M-11 -15C-14 -21 -10 -26 -9 -32C-4 -29 -4 -26 -3.4 -24C-1 -28 -3 -34 2 -39C3 -32 8 -30 7 -24C9 -25 10 -27 10 -29"
    "C14 -25 14 -19 11 -15C5 -18 -5 -18 -11 -15Z"
)
_FLAME_HEART: Final = (
    "M-6 -17C-8 -21 -6 -23 -5.4 -26C-3 -24 -3 -22 -2 -21C-1 -25 0 -26 1.4 -30C2 -26 5 -24 4.4 -21C6 -22 6 -23 6.6 -24"
    "C8.6 -21 8 -18.4 6.4 -17C3 -18 -3 -18 -6 -17Z"
)


def _spicy(pose: Pose) -> tuple[Shape, ...]:
    """Return hair on fire and a scarf."""
    x = pose.look
    scarf = f"M{x - 14:g} 14.4C{x - 7:g} 20.4 {x + 7:g} 20.4 {x + 14:g} 14.4"
    flame: tuple[Shape, ...] = (
        Path(_FLAME, fill="flame", stroke="card-red-deep", stroke_width=1.6),
        Path(_FLAME_HEART, fill="flame-heart"),
    )
    return (
        Group(flame, x * 0.5, 0),
        Path(scarf, stroke="card-red-deep", stroke_width=6.4),
        Path(scarf, stroke="chili", stroke_width=3.8),
        Path(
            f"M{x - 5:g} 18L{x - 8:g} 26L{x:g} 22.4L{x + 5:g} 27L{x + 3:g} 18.4Z",
            fill="chili", stroke="card-red-deep", stroke_width=1.5,
        ),
    )  # fmt: skip


def _street(pose: Pose) -> tuple[Shape, ...]:
    """Return a cap with its peak to one side, and a chain."""
    x = pose.look
    side = 1 if x >= 0 else -1
    crown = (
        f"M{x - 17:g} -12C{x - 16:g} -31 {x + 16:g} -31 {x + 17:g} -12C{x + 8:g} -16.6 {x - 8:g} -16.6 {x - 17:g} -12Z"
    )
    near, far = x + side * 10, x + side * 31
    peak = (
        f"M{near:g} -17.4C{x + side * 20:g} -21 {far:g} -18 {far:g} -12.4"
        f"C{x + side * 26:g} -10.6 {x + side * 19:g} -10 {x + side * 16:g} -11.6Z"
    )
    chain = f"M{x - 12:g} 15C{x - 6:g} 23 {x + 6:g} 23 {x + 12:g} 15"
    return (
        Path(peak, fill="cap", stroke="snow", stroke_width=1.3),
        Path(crown, fill="cap", stroke="snow", stroke_width=1.3),
        Path(f"M{x - 5:g} -26C{x - 7:g} -22 {x - 7.4:g} -19 {x - 7:g} -15.6", stroke="box-light", stroke_width=1.2),
        Path(f"M{x + 5:g} -26C{x + 7:g} -22 {x + 7.4:g} -19 {x + 7:g} -15.6", stroke="box-light", stroke_width=1.2),
        Circle(x, -26.6, 1.9, fill="box-light"),
        Path(chain, stroke="card-ink", stroke_width=3.6),
        Path(chain, stroke="chain", stroke_width=2.2, dash=(0.1, 3.2)),
        Circle(x, 22.4, 3.4, fill="chain", stroke="card-ink", stroke_width=1.2),
    )


_WARDROBE: Final = {"retro": _retro, "rave": _rave, "spicy": _spicy, "street": _street}


@lru_cache(maxsize=16)
def costume(style: str, move: str) -> tuple[Shape, ...]:
    """Return what a hedgehog of that style wears in the pose of that move."""
    return (_on_body(move, _WARDROBE[style](POSES[move])),)


# ---- guests and players ----------------------------------------------------------------------------------------------
_RAINBOW: Final = ("card-red", "flame", "card-gold", "card-green", "card-blue", "card-back")


def _unicorn() -> tuple[Shape, ...]:
    """Return a white hedgehog with spines of all colours and a horn."""
    pose = POSES["hop"]
    spikes: list[Shape] = [Group(_HALO)]
    count = len(SPINES) // 2
    for spine in range(count):
        around = (SPINES[2 * spine], SPINES[2 * spine + 1], SPINES[(2 * spine + 2) % len(SPINES)], (0.0, 0.0))
        colour = _RAINBOW[spine * len(_RAINBOW) // count]
        spikes.append(Polygon(around, fill=colour, stroke="card-ink", stroke_width=1.1))
    horn: tuple[Shape, ...] = (
        Path("M-5 -15L0 -40L5 -15C2 -16.6 -2 -16.6 -5 -15Z", fill="horn", stroke="card-gold-deep", stroke_width=1.6),
        Path("M-3.8 -20L3.4 -23M-2.8 -26L2.2 -29M-1.6 -31.6L1.2 -33.6", stroke="card-gold-deep", stroke_width=1.3),
    )
    body = (*spikes, Group(_face(0, "snow", "fur-edge", "glad")), *_arms(pose, "fur-edge", "snow"), *horn)
    return (
        Group(_ground("hop")),
        Group(_legs(pose, "fur-edge", "snow", "horn")),
        Group(body, pose.x, pose.y),
    )


def _zombie() -> tuple[Shape, ...]:
    """Return a hedgehog that has seen better days, its arms held out."""
    arms: tuple[Shape, ...] = ()
    for points in (((-13, 6), (-24, 0), (-31, 7)), ((13, 6), (23, 2), (32, 9))):
        arms = (*arms, *_limb(points, "fur-edge", "undead"))
        x, y = points[-1]
        fingers = f"M{x} {y}L{x - 3.4:g} {y + 6}M{x} {y}L{x + 0.6:g} {y + 7}M{x} {y}L{x + 4.2:g} {y + 5.4}"
        arms = (*arms, Path(fingers, stroke="fur-edge", stroke_width=4), Path(fingers, stroke="undead", stroke_width=2))
    shabby = tuple(point for number, point in enumerate(SPINES) if number not in (19, 21, 27))
    stitches = "M-12 -9.6L-3 -6.4M-10.6 -11.4L-11.4 -7.4M-7.4 -10.4L-8.2 -6M-4.4 -9L-5 -4.8"
    pose = POSES["groove"]
    body: tuple[Shape, ...] = (
        Polygon(shabby, fill="snow", stroke="snow", stroke_width=5.5),
        Polygon(shabby, fill="vinyl-groove", stroke="card-ink", stroke_width=1.8),
        Group(_face(0, "undead", "fur-edge", "undead")),
        Path(stitches, stroke="card-red-deep", stroke_width=1.3),
        *arms,
    )
    return (
        Ellipse(0, 38.5, 24, 2.8, fill="card-ink", opacity=0.2),
        Group(_legs(pose, "fur-edge", "undead", "box-light")),
        Group(body, -1, -2, rotate=-7),
    )


UNICORN: Final = _unicorn()
ZOMBIE: Final = _zombie()


@lru_cache(maxsize=16)
def _head(seat: int) -> tuple[Shape, ...]:
    return (
        Group(_HALO),
        Polygon(SPINES, fill=seat_colour(seat), stroke=seat_colour(seat, "deep"), stroke_width=1.8),
        Group(_face(0, "fur", "fur-edge", "glad")),
    )


def player(seat: int, x: float, y: float, scale: float = 1.0) -> Group:
    """Return a player's hedgehog, only its head, with its seat's number on a badge."""
    badge: tuple[Shape, ...] = (
        Circle(15, 17, 11.5, fill=seat_colour(seat), stroke="snow", stroke_width=2),
        Text(15, 17, str(seat), 16, seat_colour(seat, "ink"), weight="bold", middle=True),
    )
    return Group((Group(_head(seat)), *badge), x, y, scale=scale, role="player's head", title=f"player {seat}")


def logo(x: float, y: float, scale: float = 1.0) -> Group:
    """Return the hedgehog beside the title."""
    body = dancer("hop", "card-back-light", "card-back-deep")
    return Group((Group(body), Group(costume("retro", "hop"))), x, y, scale=scale, role="logo")


# ---- the styles' symbols, each in a square of 30 round (0, 0) --------------------------------------------------------
def _record() -> tuple[Shape, ...]:
    return (
        Circle(0, 0, 15, fill="snow"),
        Circle(0, 0, 13.6, fill="vinyl"),
        Circle(0, 0, 10.4, stroke="vinyl-groove", stroke_width=1.1),
        Circle(0, 0, 7.8, stroke="vinyl-groove", stroke_width=1.1),
        Circle(0, 0, 5.2, fill="lens"),
        Circle(0, 0, 1.5, fill="snow"),
    )


def _glow_sticks() -> tuple[Shape, ...]:
    shapes: list[Shape] = []
    sticks = (((-9.4, 9.4, 9.4, -9.4), "neon-lime"), ((-9.4, -9.4, 9.4, 9.4), "neon-pink"))
    for ends, _ in sticks:
        shapes.append(Line(*ends, stroke="snow", stroke_width=11.5))
    for ends, colour in sticks:
        shapes += [
            Line(*ends, stroke="card-ink", stroke_width=8.8),
            Line(*ends, stroke=colour, stroke_width=5),
        ]
    return tuple(shapes)


_CHILI: Final = (
    "M-12.6 10.6C-2 12 10.6 7 11.4 -4.6C11.6 -8.4 9 -10.6 5.6 -10C2.4 -9.4 1.6 -6.6 1 -4C-.8 3.6 -5 8.6 -12.6 10.6Z"
)


def _chili() -> tuple[Shape, ...]:
    stem = "M6.6 -9.4C6.4 -12.6 8.4 -14.4 11.4 -14.2"
    return (
        Path(_CHILI, fill="snow", stroke="snow", stroke_width=5.4),
        Path(stem, stroke="snow", stroke_width=6.4),
        Path(_CHILI, fill="chili", stroke="card-red-deep", stroke_width=2),
        Path("M7.4 -5.4C6.8 .6 3.6 4.6 -1 7.2", stroke="cheek", stroke_width=1.8),
        Path(stem, stroke="chili-stem", stroke_width=3.6),
        Path("M1.4 -7.6C4 -12 10 -12 12 -7.4", stroke="chili-stem", stroke_width=3.2),
    )


def _boombox() -> tuple[Shape, ...]:
    return (
        Rect(-15.5, -9.5, 31, 21.5, 4.5, fill="snow"),
        Path("M-8 -7V-12.4H8V-7", stroke="snow", stroke_width=5.4),
        Path("M-8 -7V-12.4H8V-7", stroke="box", stroke_width=2.6),
        Rect(-14, -8, 28, 18.5, 3, fill="box"),
        Circle(-7.4, 2.4, 5, fill="box-light"),
        Circle(7.4, 2.4, 5, fill="box-light"),
        Circle(-7.4, 2.4, 2, fill="box"),
        Circle(7.4, 2.4, 2, fill="box"),
        Rect(-4.6, -6, 9.2, 3.4, 1, fill="chain"),
    )


SYMBOLS: Final = {"retro": _record(), "rave": _glow_sticks(), "spicy": _chili(), "street": _boombox()}
