"""The figures: frogs, leaves, bridges, homes, cards, marks. Each lies round (0, 0); what has a way leads right."""

from __future__ import annotations

from functools import lru_cache
from math import cos, radians, sin
from typing import Final, Literal

from hopenvs.render.scene import Circle, Colour, Ellipse, Group, Line, Path, Polygon, Rect, Shape, Text, seat_colour

Mood = Literal["calm", "startled", "happy"]

COLOURS: Final = (
    Colour("water", "#a5d3dc", "#12323c"),
    Colour("water-deep", "#8fc4cf", "#0d2730"),
    Colour("ripple", "#d3ecf0", "#2a5561"),
    Colour("lily", "#86b95c", "#3f6d3c"),
    Colour("lily-rim", "#5f9440", "#2a4d2b"),
    Colour("lily-vein", "#a5d17c", "#578a50"),
    Colour("petal", "#fdeef2", "#e9cfd8"),
    Colour("petal-edge", "#e2a6b9", "#a86f84"),
    Colour("pollen", "#f3bd3c", "#e0ad3a"),
    Colour("reed", "#5c8a45", "#43693a"),
    Colour("cattail", "#7b4f2c", "#7a5233"),
    Colour("plank", "#d3a468", "#b08350"),
    Colour("plank-edge", "#855a2f", "#4a3019"),
    Colour("beam", "#6f4a27", "#3b2614"),
    Colour("stone", "#d8d2c6", "#8f8a80"),
    Colour("stone-edge", "#8c857a", "#45423d"),
    Colour("rail", "#6d665c", "#d2ccc0"),
    Colour("sand", "#f1e2bd", "#4d4534"),
    Colour("sand-edge", "#cdb784", "#6f6349"),
    Colour("sticker", "#fffdf8", "#f2ede2"),
    Colour("belly", "#fff6dd", "#f7ecd0"),
    Colour("frog-ink", "#2a1d18", "#1a110d"),
    Colour("white", "#ffffff", "#ffffff"),
    Colour("cheek", "#f4a493", "#ee9d8c"),
    Colour("tongue", "#e0566a", "#e0566a"),
    Colour("trail", "#ffffff", "#ffffff"),
    Colour("trail-edge", "#31485a", "#04131a"),
    Colour("chute", "#6d3bb3", "#c3a1f2"),
    Colour("chute-light", "#f3ecfb", "#372255"),
    Colour("gap", "#4c7d8a", "#7fb0bd"),
    Colour("card", "#fff7e2", "#3b382f"),
    Colour("card-edge", "#a98b4c", "#a38b57"),
    Colour("card-ink", "#3f3a33", "#efe8d8"),
)

LEAF: Final = 39.0  # radius of a leaf, pixels
STEP: Final = 115.0  # from a leaf to the next
BRIDGE: Final = STEP - 2 * LEAF + 12  # how long a bridge is
WAY: Final = 44.0  # how long a home bridge is
HOME_W: Final = 156.0
HOME_H: Final = 104.0
FROG_W: Final = 58.0  # with its rim, at scale 1
FROG_H: Final = 54.0

_BODY: Final = (
    "M-20.5 -6C-20.5 -15 -11 -18.5 0 -18.5C11 -18.5 20.5 -15 20.5 -6C20.5 0 18.5 4 17.5 10C16 18.5 8.5 20.5 0 20.5"
    "C-8.5 20.5 -16 18.5 -17.5 10C-18.5 4 -20.5 0 -20.5 -6Z"
)
_EYE_X, _EYE_Y, _EYE_R = 11.8, -17.6, 7.6


@lru_cache(maxsize=8)
def _outline(colour: str, width: float) -> tuple[Shape, ...]:
    """Return a rim of that width round a frog, to lie behind it."""
    return (
        Path(_BODY, fill=colour, stroke=colour, stroke_width=2 * width),
        *(
            shape
            for side in (-1, 1)
            for shape in (
                Circle(side * _EYE_X, _EYE_Y, _EYE_R + width, fill=colour),
                Ellipse(side * 19, 11.5, 7.6 + width, 8.6 + width, fill=colour),
                Ellipse(side * 15.5, 20.4, 9.4 + width, 3.4 + width, fill=colour),
            )
        ),
    )


@lru_cache(maxsize=4)
def _face(mood: Mood) -> tuple[Shape, ...]:
    """Return nose, cheeks, eyes and mouth."""
    shapes: list[Shape] = [
        Path("M-2.4 -12.2V-12M2.4 -12.2V-12", stroke="frog-ink", stroke_width=1.6, opacity=0.7),
        Circle(-15.4, -5.6, 2.6, fill="cheek", opacity=0.75),
        Circle(15.4, -5.6, 2.6, fill="cheek", opacity=0.75),
    ]
    for side in (-1, 1):
        x = side * _EYE_X
        if mood == "happy":
            lid = f"M{x - 4.4:.1f} {_EYE_Y + 1.6}C{x - 2.6:.1f} {_EYE_Y - 4} {x + 2.6:.1f} {_EYE_Y - 4}"
            shapes.append(Path(f"{lid} {x + 4.4:.1f} {_EYE_Y + 1.6}", stroke="frog-ink", stroke_width=2.2))
            continue
        pupil = 2.2 if mood == "startled" else 3.0
        shapes += [
            Circle(x, _EYE_Y, 5.2, fill="white"),
            Circle(x, _EYE_Y + (-0.6 if mood == "startled" else 0.6), pupil, fill="frog-ink"),
            Circle(x + 1.1, _EYE_Y - 0.8, 1.0, fill="white"),
        ]
    if mood == "startled":
        shapes.append(Ellipse(0, -5.4, 4.2, 4.8, fill="frog-ink"))
        shapes.append(Ellipse(0, -3.2, 2.6, 2.2, fill="tongue"))
    elif mood == "happy":
        shapes.append(Path("M-10.5 -8C-7 1.6 7 1.6 10.5 -8Z", fill="frog-ink", stroke="frog-ink", stroke_width=1.6))
        shapes.append(Path("M-5 -3.2C-2.6 .4 2.6 .4 5 -3.2C2.6 -4.8 -2.6 -4.8 -5 -3.2Z", fill="tongue"))
    else:
        shapes.append(Path("M-11.5 -7.4C-6.5 -1.8 6.5 -1.8 11.5 -7.4", stroke="frog-ink", stroke_width=1.9))
    return tuple(shapes)


@lru_cache(maxsize=32)
def _body(seat: int, mood: Mood) -> tuple[Shape, ...]:
    """Return a frog that sits and looks at us, without its number."""
    colour, deep = seat_colour(seat), seat_colour(seat, "deep")
    limbs: list[Shape] = []
    for side in (-1, 1):
        limbs += [
            Ellipse(side * 19, 11.5, 7.6, 8.6, fill=colour, stroke=deep, stroke_width=1.6),
            Ellipse(side * 15.5, 20.4, 9.4, 3.4, fill=colour, stroke=deep, stroke_width=1.6),
            Circle(side * _EYE_X, _EYE_Y, _EYE_R, fill=colour, stroke=deep, stroke_width=1.6),
        ]
    return (
        Group(_outline("sticker", 2.2)),  # groups that all frogs share are written once
        *limbs,
        Path(_BODY, fill=colour, stroke=deep, stroke_width=1.6),
        *(Circle(side * _EYE_X, _EYE_Y + 0.6, _EYE_R - 0.9, fill=colour) for side in (-1, 1)),  # eyes grow out of it
        Group(_face(mood)),
        Ellipse(0, 9.8, 11.4, 9.6, fill="belly", stroke=deep, stroke_width=1.2),
    )


def frog(seat: int, x: float, y: float, scale: float = 1.0, mood: Mood = "calm", role: str = "picture") -> Group:
    """Return a frog; a `piece` of the game wears its owner's number on its belly."""
    body = Group(_body(seat, mood))
    if role == "logo":
        return Group((body,), x, y, scale=scale, role=role)
    size = 15.5 * min(1.12, max(1.0, 0.7 / scale))
    number = Text(0, 9.9, str(seat), size, "frog-ink", weight="bold", middle=True)
    return Group((body, number), x, y, scale=scale, role=role)


def glow(x: float, y: float, scale: float, colour: str, width: float, role: str) -> Group:
    """Return what lies behind a frog that is pointed at: a rim of that width, pixels."""
    return Group(_outline(colour, round(2.2 + width / scale, 1)), x, y, scale=scale, role=role)


def _disc(radius: float) -> str:
    """Return the outline of a leaf: a disc with a notch to the right."""
    a = radians(11)
    x, y = radius * cos(a), radius * sin(a)
    return f"M{radius * 0.16:.1f} 0L{x:.1f} {y:.1f}A{radius:g} {radius:g} 0 1 1 {x:.1f} {-y:.1f}Z"  # the long way round


def _veins(radius: float) -> str:
    ways = [(cos(radians(angle)), sin(radians(angle))) for angle in range(50, 320, 44)]
    near, far = 0.2 * radius, 0.84 * radius
    return "".join(f"M{near * x:.1f} {near * y:.1f}L{far * x:.1f} {far * y:.1f}" for x, y in ways)


_LEAF: Final[tuple[Shape, ...]] = (
    Path(_disc(LEAF), fill="lily", stroke="lily-rim", stroke_width=3),
    Path(_veins(LEAF), stroke="lily-vein", stroke_width=2),
)


def leaf(x: float, y: float, turn: float) -> Group:
    """Return a leaf of the board, its notch turned to an angle."""
    shadow = Ellipse(x, y + 4, LEAF + 2, LEAF + 1, fill="shadow", opacity=0.13)
    return Group((shadow, Group(_LEAF, x, y, rotate=turn)))


_PLANKS: Final = 5


def _planks(opacity: float) -> tuple[Shape, ...]:
    width = BRIDGE / _PLANKS
    half = BRIDGE / 2
    beams = tuple(
        Line(-half, side * 8.5, half, side * 8.5, stroke="beam", stroke_width=4, opacity=opacity) for side in (-1, 1)
    )
    boards = tuple(
        Rect(
            -half + width * at + 0.8, -13.5 + (0.8 if at % 2 else -0.6), width - 1.6, 27, 2.2,
            fill="plank", stroke="plank-edge", stroke_width=1.3, opacity=opacity,
        )
        for at in range(_PLANKS)
    )  # fmt: skip
    return (*beams, *boards)


_SHADOW: Final[tuple[Shape, ...]] = (Rect(-BRIDGE / 2, -13.5, BRIDGE, 27, 4, fill="shadow", opacity=0.15),)
_BRIDGE: Final = _planks(1)
_GONE: Final = _planks(0.3)


def bridge(x: float, y: float, turn: float, title: str) -> Group:
    """Return a bridge between two leaves."""
    return Group((Group(_SHADOW, y=4, rotate=turn), Group(_BRIDGE, rotate=turn)), x, y, role="bridge", title=title)


def gone_bridge(x: float, y: float, turn: float, title: str) -> Group:
    """Return a bridge that has just been taken away."""
    return Group((Group(_GONE, rotate=turn),), x, y, role="gone bridge", title=title)


def halo(x: float, y: float, turn: float) -> Group:
    """Return what lies behind a bridge that has just been placed."""
    half = BRIDGE / 2
    shine = Rect(-half - 6, -20, BRIDGE + 12, 40, 11, fill="trail", stroke="trail-edge", stroke_width=2)
    return Group((Group((shine,), rotate=turn),), x, y, role="new bridge")


def _home_bridge() -> tuple[Shape, ...]:
    half = WAY / 2 + 6
    seams = "".join(f"M{x:.1f} -12V12" for x in (-half + 14, -half + 29, half - 14))
    posts = tuple(Circle(x, y, 3.6, fill="rail") for x in (-half + 12, half - 12) for y in (-14, 14))
    return (
        Rect(-half, -15, 2 * half, 30, 5, fill="stone", stroke="stone-edge", stroke_width=1.5),
        Path(seams, stroke="stone-edge", stroke_width=1.3),
        Line(-half + 3, -14, half - 3, -14, stroke="rail", stroke_width=3),
        Line(-half + 3, 14, half - 3, 14, stroke="rail", stroke_width=3),
        *posts,
    )


_HOME_BRIDGE: Final = _home_bridge()


def home_bridge(x: float, y: float, turn: float) -> Group:
    """Return the stone bridge that leads to a home and stays for ever."""
    half = WAY / 2 + 6
    shadow = Rect(-half, -15, 2 * half, 32, 5, fill="shadow", opacity=0.15)
    shapes = (Group((shadow,), y=4, rotate=turn), Group(_HOME_BRIDGE, rotate=turn))
    return Group(shapes, x, y, role="home bridge")


def island(seat: int, name: str, x: float, y: float, label_above: bool) -> Group:
    """Return a home: sand in its owner's colour, with its name and its owner's number."""
    w, h = HOME_W, HOME_H
    label = f"{name} · player {seat}"
    at = -h / 2 + 1 if label_above else h / 2 - 1
    shapes: tuple[Shape, ...] = (
        Rect(-w / 2 - 3, -h / 2 + 2, w + 6, h + 6, 34, fill="shadow", opacity=0.13),
        Rect(-w / 2, -h / 2, w, h, 30, fill="sand", stroke=seat_colour(seat, "deep"), stroke_width=7),
        Rect(-w / 2, -h / 2, w, h, 30, stroke=seat_colour(seat), stroke_width=4.5),
        Rect(-58, at - 11, 116, 22, 11, fill=seat_colour(seat), stroke=seat_colour(seat, "deep"), stroke_width=1.5),
        Text(0, at, label, 13.5, seat_colour(seat, "ink"), weight="bold", middle=True),
    )
    return Group(shapes, x, y, role=f"home {name}", title=f"home of player {seat}")


def number_tag(x: float, y: float, number: str) -> Group:
    """Return a leaf's number."""
    shapes = (Circle(0, 0, 11.5, fill="panel", opacity=0.9), Text(0, 0, number, 13.5, weight="bold", middle=True))
    return Group(shapes, x, y, role="number")


_ARROW: Final = ((-17.0, -4.2), (1.0, -4.2), (1.0, -11.5), (19.0, 0.0), (1.0, 11.5), (1.0, 4.2), (-17.0, 4.2))
_ARROW_SHAPES: Final[tuple[Shape, ...]] = (
    Polygon(_ARROW, fill="panel", stroke="panel", stroke_width=5),
    Polygon(_ARROW, fill="accent", stroke="accent", stroke_width=1),
)


def jump_mark(x: float, y: float, turn: float, title: str, scale: float = 1.0) -> Group:
    """Return the arrow of a jump that may be made."""
    return Group((Group(_ARROW_SHAPES, rotate=turn, scale=scale),), x, y, role="legal jump", title=title)


_CANOPY: Final = "M-9 .5C-9 -11.5 9 -11.5 9 .5C7.4 -1 5 -1 3.2 .5C1.8 -1 -1.8 -1 -3.2 .5C-5 -1 -7.4 -1 -9 .5Z"


def _parachute() -> tuple[Shape, ...]:
    lines = "M-9 .5L0 9.5L9 .5M-3.2 .5L0 9.5L3.2 .5"
    return (
        Path(lines, stroke="chute", stroke_width=1.4),
        Path(_CANOPY, fill="chute", stroke="chute", stroke_width=1),
    )


_PARACHUTE: Final = _parachute()
_CHUTE_TIP: Final = ((13.0, -6.5), (22.5, 0.0), (13.0, 6.5))
_CHUTE_WAY: Final[tuple[Shape, ...]] = (
    Line(-19, 0, 14, 0, stroke="chute", stroke_width=2.8, dash=(0.1, 5.2)),
    Polygon(_CHUTE_TIP, fill="chute-light", stroke="chute-light", stroke_width=4.5),
    Polygon(_CHUTE_TIP, fill="chute", stroke="chute", stroke_width=1.2),
)
_CHUTE_DISC: Final[tuple[Shape, ...]] = (
    Circle(0, 0, 12, fill="chute-light", opacity=0.92),
    Group(_PARACHUTE, y=0.6, scale=0.82),
)


def chute_mark(x: float, y: float, turn: float, title: str) -> Group:
    """Return the mark of a parachute jump that may be made."""
    return Group((Group(_CHUTE_WAY, rotate=turn), Group(_CHUTE_DISC)), x, y, role="legal chute", title=title)


def gap_mark(x: float, y: float, turn: float, title: str) -> Group:
    """Return the dashes where a bridge may be placed."""
    half = BRIDGE / 2 - 6
    dashes = Rect(-half, -11.5, 2 * half, 23, 5, stroke="gap", stroke_width=1.8, dash=(4, 5))
    return Group((Group((dashes,), rotate=turn),), x, y, role="legal bridge", title=title)


_CROSS: Final[tuple[Shape, ...]] = (
    Circle(0, 0, 8, fill="panel", opacity=0.88),
    Path("M-3.2 -3.2L3.2 3.2M3.2 -3.2L-3.2 3.2", stroke="warn", stroke_width=2.4),
)


def removal_mark(x: float, y: float, title: str) -> Group:
    """Return the cross on a bridge that may be removed."""
    return Group(_CROSS, x, y, role="legal remove", title=title)


CARD_W: Final = 54.0
CARD_H: Final = 44.0
CARD_NAMES: Final = {
    "extra_jump": "again",
    "parachute": "chute",
    "extra_bridge": "bridge +",
    "remove_bridge": "bridge −",
}


def _small_bridge(colour: str) -> tuple[Shape, ...]:
    boards = "".join(f"M{x} -6.5V6.5" for x in (-13, -8, -3, 2, 7))
    return (
        Path("M-16 -3.5H10M-16 3.5H10", stroke=colour, stroke_width=2),
        Path(boards, stroke=colour, stroke_width=3.2),
    )


def _pictogram(card: str, ink: str, mark: str) -> tuple[Shape, ...]:
    if card == "extra_jump":
        hops = "M-19 8C-17 -10 -5 -10 -2 5M-2 8C1 -10 13 -10 16 3"
        return (
            Path(hops, stroke=ink, stroke_width=2.6),
            Path("M10.6 .6L16.2 6.4L20.6 -.4", stroke=ink, stroke_width=2.6),
            Line(-22, 11, 22, 11, stroke=mark, stroke_width=2, dash=(0.1, 5)),
        )
    if card == "parachute":
        return (Group(_PARACHUTE if ink != mark else _plain_parachute(ink), y=-1, scale=1.35),)
    sign = "M14 -8V0M10 -4H18" if card == "extra_bridge" else "M11 -7L17.4 -1M17.4 -7L11 -1"
    colour = {"extra_bridge": "good", "remove_bridge": "warn"}[card] if ink != mark else ink
    return (
        Group(_small_bridge(ink), x=-2, y=3),
        Circle(14.2, -4, 8.6, fill="card" if ink != mark else "panel"),
        Path(sign, stroke=colour, stroke_width=2.8),
    )


def _plain_parachute(ink: str) -> tuple[Shape, ...]:
    return (Path(_CANOPY + "M-9 .5L0 9.5L9 .5", stroke=ink, stroke_width=1.4),)


@lru_cache(maxsize=16)
def _card(card: str, unused: bool, offered: bool) -> tuple[Shape, ...]:
    left, top = -CARD_W / 2, -CARD_H / 2
    face = Rect(left, top, CARD_W, CARD_H, 7, stroke="line", stroke_width=1.6, dash=(3, 4))
    if unused:
        stroke, stroke_width = ("accent", 3.0) if offered else ("card-edge", 1.6)
        face = Rect(left, top, CARD_W, CARD_H, 7, fill="card", stroke=stroke, stroke_width=stroke_width)
    ink, mark = ("card-ink", "card-edge") if unused else ("line", "line")
    label = Text(0, CARD_H / 2 + 10, CARD_NAMES[card], 11.5, "ink" if unused else "faint", middle=True)
    strike: tuple[Shape, ...] = ()
    if not unused:
        width = label.width / 2 + 2
        strike = (Line(-width, CARD_H / 2 + 10, width, CARD_H / 2 + 10, stroke="faint", stroke_width=1.2),)
    return (face, *_pictogram(card, ink, mark), label, *strike)


def card(name: str, unused: bool, offered: bool, x: float, y: float) -> Group:
    """Return a card with its name below: a used one is only an outline, one that may be used now has a bright rim."""
    title = f"{name.replace('_', ' ')}{'' if unused else ': used'}"
    return Group(
        _card(name, unused, unused and offered), x, y, role=f"{'card' if unused else 'used card'} {name}", title=title
    )


def flower(x: float, y: float, scale: float = 1.0) -> Group:
    """Return a water lily in bloom."""
    return Group(_FLOWER, x, y, scale=scale)


def _flower() -> tuple[Shape, ...]:
    shapes: list[Shape] = []
    for count, far, width, start in ((8, 15.0, 5.6, 0.0), (8, 9.5, 4.4, 22.5)):
        for at in range(count):
            petal = Ellipse(far, 0, far * 0.62, width, fill="petal", stroke="petal-edge", stroke_width=1.1)
            shapes.append(Group((petal,), rotate=start + 360 * at / count))
    return (*shapes, Circle(0, 0, 5.4, fill="pollen"))


_FLOWER: Final = _flower()


_DRAGONFLY: Final[tuple[Shape, ...]] = (
    *(
        Group((Ellipse(0, -15, 4.2, 15, fill="ripple", stroke="gap", stroke_width=1.2),), x, 0, rotate=turn)
        for x, turn in ((3, 24), (-3, -8), (3, 156), (-3, 188))
    ),
    Line(-26, 0, 4, 0, stroke="gap", stroke_width=4.4),
    Line(0, 0, 6, 0, stroke="gap", stroke_width=7.5),
    Circle(12, 0, 4.4, fill="gap"),
)


def dragonfly(x: float, y: float, turn: float) -> Group:
    """Return a dragonfly."""
    return Group(_DRAGONFLY, x, y, rotate=turn)


def pad(x: float, y: float, turn: float, scale: float) -> Group:
    """Return a leaf that is only there to be looked at."""
    shapes = (Path(_disc(LEAF), fill="lily-rim", opacity=0.55),)
    return Group(shapes, x, y, rotate=turn, scale=scale)


_REEDS: Final[tuple[Shape, ...]] = (
    Path(
        "M-16 30C-14 0 -18 -14 -24 -30M-4 30C-2 0 -2 -20 2 -40M8 30C8 4 14 -10 24 -24", stroke="reed", stroke_width=3.4
    ),
    Path("M-24 -30V-42M24 -24V-32", stroke="reed", stroke_width=1.8),
    Path("M-24 -32L-22.4 -20M2.4 -42L1.2 -28", stroke="cattail", stroke_width=7),
    Path("M-26 32C-16 26 -8 36 2 31C10 27 18 35 26 31", stroke="ripple", stroke_width=2.4),
)


def reeds(x: float, y: float, scale: float = 1.0) -> Group:
    """Return reeds in the water."""
    return Group(_REEDS, x, y, scale=scale)


_RIPPLE: Final[tuple[Shape, ...]] = (
    Path("M-17 0C-11 -5 -6 -5 0 0C6 5 11 5 17 0", stroke="ripple", stroke_width=2.4),
    Path("M-7 9C-3 6 0 6 4 9", stroke="ripple", stroke_width=2),
)


def ripple(x: float, y: float) -> Group:
    """Return little waves."""
    return Group(_RIPPLE, x, y)
