"""The board: leaves on the water, bridges between them, homes round about, frogs, and what moved or may move."""

from __future__ import annotations

from functools import lru_cache
from math import atan2, cos, degrees, dist, hypot, radians, sin, sqrt
from typing import Final

from hopenvs.games.hooop.board import Layout
from hopenvs.games.hooop.draw.figures import (
    FROG_H,
    FROG_W,
    HOME_H,
    HOME_W,
    LEAF,
    STEP,
    WAY,
    Mood,
    bridge,
    chute_mark,
    dragonfly,
    flower,
    frog,
    gap_mark,
    glow,
    gone_bridge,
    halo,
    home_bridge,
    island,
    jump_mark,
    leaf,
    number_tag,
    pad,
    reeds,
    removal_mark,
    ripple,
)
from hopenvs.games.hooop.draw.view import Action, Place, View, is_home
from hopenvs.render.scene import Group, Path, Polygon, Rect, Shape

Point = tuple[float, float]

_SHORE: Final = 30.0  # water round everything that lies in it
_SIDE: Final = 8.5  # how far the arrows of two frogs that may change places lie apart, halved


class Plan:
    """Where everything lies, pixels from the upper left corner of the water."""

    def __init__(self, layout: Layout) -> None:
        square = len(layout.rows[0]) > 1
        points: dict[Place, Point] = {}
        for row, leaves in enumerate(layout.rows):
            for col, number in enumerate(leaves):
                points[str(number)] = (
                    (col * STEP, row * STEP) if square else ((col - row / 2) * STEP, row * STEP * sqrt(3) / 2)
                )
        middle_x = sum(x for x, _ in points.values()) / len(points)
        middle_y = sum(y for _, y in points.values()) / len(points)
        ways: dict[int, tuple[Point, float]] = {}
        for home, front in enumerate(layout.homes):
            x, y = points[str(front)]
            far = hypot(x - middle_x, y - middle_y)
            dx, dy = (x - middle_x) / far, (y - middle_y) / far
            inside = min(half / abs(d) for half, d in ((HOME_W / 2, dx), (HOME_H / 2, dy)) if abs(d) > 1e-9)
            middle = LEAF + WAY / 2
            ways[home] = ((x + dx * middle, y + dy * middle), degrees(atan2(dy, dx)))
            points[f"H{home}"] = (x + dx * (LEAF + WAY + inside), y + dy * (LEAF + WAY + inside))
        half = {place: (HOME_W / 2, HOME_H / 2 + 12) if is_home(place) else (LEAF, LEAF) for place in points}
        left = min(x - half[place][0] for place, (x, _) in points.items()) - _SHORE
        top = min(y - half[place][1] for place, (_, y) in points.items()) - _SHORE
        right = max(x + half[place][0] for place, (x, _) in points.items()) + _SHORE
        bottom = max(y + half[place][1] for place, (_, y) in points.items()) + _SHORE
        self.square = square
        self.width, self.height = right - left, bottom - top
        self.points = {place: (x - left, y - top) for place, (x, y) in points.items()}
        self.ways = {home: ((x - left, y - top), turn) for home, ((x, y), turn) in ways.items()}

    def between(self, source: Place, target: Place) -> tuple[float, float, float]:
        """Return the middle of the way from a place to a neighbouring one, and where it leads, degrees."""
        if is_home(source):
            (x, y), turn = self.ways[int(source[1:])]
            return x, y, turn + 180
        if is_home(target):
            (x, y), turn = self.ways[int(target[1:])]
            return x, y, turn
        (x1, y1), (x2, y2) = self.points[source], self.points[target]
        return (x1 + x2) / 2, (y1 + y2) / 2, degrees(atan2(y2 - y1, x2 - x1))

    def tag(self, place: Place) -> Point:
        """Return where a leaf's number is."""
        x, y = self.points[place]
        dx, dy = (-0.71, -0.71) if self.square else (-0.85, -0.53)
        return x + (LEAF - 1) * dx, y + (LEAF - 1) * dy


@lru_cache(maxsize=16)
def plan(layout: Layout) -> Plan:
    """Return where everything lies."""
    return Plan(layout)


def size(view: View) -> tuple[float, float]:
    """Return width and height of the board, pixels."""
    return plan(view.layout).width, plan(view.layout).height


# ---- what never changes during a game --------------------------------------------------------------------------------
def bare_board(view: View) -> tuple[Shape, ...]:
    """Return water, homes with their bridges, and leaves."""
    at = plan(view.layout)
    shapes: list[Shape] = [
        Rect(0, 0, at.width, at.height, 26, fill="water-deep"),
        Rect(8, 8, at.width - 16, at.height - 16, 20, fill="water"),
        *_scenery(at),
    ]
    for home in range(view.players):
        (x, y), turn = at.ways[home]
        shapes.append(home_bridge(x, y, turn))
        x, y = at.points[f"H{home}"]
        shapes.append(island(view.owner(home), f"H{home}", x, y, label_above=y < at.height / 3))
    notches = (45.0, 135.0, 315.0) if at.square else (90.0, 330.0, 270.0, 90.0)
    for number in range(view.layout.leaves):
        x, y = at.points[str(number)]
        notch = notches[(number * 7 + number // 5) % len(notches)]
        if not at.square and number == 0:
            notch = 90.0  # a home's bridge comes from above
        shapes.append(leaf(x, y, notch))
    return tuple(shapes)


def _scenery(at: Plan) -> tuple[Shape, ...]:
    """Return flowers, reeds and ripples where the board leaves the water free."""
    w, h = at.width, at.height
    if at.square and w < 500:
        return reeds(54, 72), flower(w - 66, 66), flower(62, h - 70, 0.9), reeds(w - 58, h - 70)
    if at.square:
        return (
            reeds(54, 72), pad(98, 92, 200, 0.62), ripple(140, 50),
            flower(w - 70, 66), pad(w - 108, 88, 30, 0.5), ripple(w - 128, 46),
            flower(62, h - 70, 0.9), pad(100, h - 56, 300, 0.56), ripple(136, h - 92),
            reeds(w - 58, h - 70), ripple(w - 116, h - 48),
        )  # fmt: skip
    return (
        reeds(64, 84, 1.15), pad(122, 104, 200, 0.7), ripple(170, 60), ripple(84, 190),
        flower(w - 86, 78, 1.15), pad(w - 142, 108, 30, 0.66), pad(w - 60, 124, 250, 0.44), ripple(w - 150, 56),
        ripple(w - 80, 206), dragonfly(w - 214, 132, -24), flower(w / 2 + 38, h - 52, 0.9),
        pad(w / 2 - 8, h - 44, 320, 0.6), ripple(w / 2 - 76, h - 50),
    )  # fmt: skip


# ---- what changes ----------------------------------------------------------------------------------------------------
def moving_parts(view: View) -> tuple[Shape, ...]:
    """Return bridges, frogs, what has just been done and what may be done."""
    at = plan(view.layout)
    return (
        *_bridges(view, at),
        *_gaps(view, at),
        *_trails(view, at, over_frogs=False),
        *_frogs(view, at),
        *_trails(view, at, over_frogs=True),
        *_marks(view, at),
        Group(_tags(view, at)),
    )


def _bridges(view: View, at: Plan) -> list[Shape]:
    shapes: list[Shape] = []
    fresh = {action.edge for action in view.last if action.kind == "bridge"}
    gone = {action.edge for action in view.last if action.kind in ("jump", "remove")}
    for edge in view.layout.edges:
        a, b = edge
        x, y, turn = at.between(str(a), str(b))
        if edge in view.bridges:
            if edge in fresh:
                shapes.append(halo(x, y, turn))
            # in a group of its own, an animation writes it once for all pictures
            shapes.append(Group((bridge(x, y, turn, f"bridge {a}-{b}"),)))
        elif edge in gone:
            shapes.append(gone_bridge(x, y, turn, f"the bridge {a}-{b} has gone"))
    return shapes


def _gaps(view: View, at: Plan) -> list[Shape]:
    return [
        gap_mark(*at.between(action.source, action.target), action.name)
        for action in view.legal
        if action.kind == "bridge"
    ]


def _tags(view: View, at: Plan) -> tuple[Shape, ...]:
    """Return the leaves' numbers, on the rim where no bridge ends."""
    return tuple(number_tag(*at.tag(str(number)), str(number)) for number in range(view.layout.leaves))


def _frogs(view: View, at: Plan) -> list[Shape]:
    return [
        Group(_sitting(view, place, owners), *at.points[place], role=f"frogs {place}")
        for place, owners in sorted(view.standing.items(), key=lambda item: (is_home(item[0]), int(item[0].strip("H"))))
    ]


def _seats(place: Place, count: int) -> tuple[float, tuple[Point, ...]]:
    """Return how large so many frogs are on a place, and where each one sits."""
    if not is_home(place):
        if count == 1:
            return 0.95, ((2.0, 3.0),)
        return 0.82, ((-19.0, 10.0), (19.0, -5.0))
    rows, scale = next(
        found for most, *found in ((3, 1, 0.8), (4, 2, 0.74), (6, 2, 0.74), (8, 2, 0.6), (12, 3, 0.48)) if count <= most
    )
    rows, scale = int(rows), float(scale)
    columns = -(-count // rows)
    wide, high = min(FROG_W * scale + 1, (HOME_W - 18) / columns), min(FROG_H * scale + 3, 78 / rows)
    spots: list[Point] = []
    for row in range(rows):
        here = min(columns, count - row * columns)
        y = (row - (rows - 1) / 2) * high + 2.0 * scale
        spots += [((col - (here - 1) / 2) * wide, y) for col in range(here)]
    return scale, tuple(spots)


def _sitting(view: View, place: Place, owners: tuple[int, ...]) -> tuple[Shape, ...]:
    """Return the frogs of a place: of two on a leaf the one in front has to go on."""
    scale, spots = _seats(place, len(owners))
    y_shift = 0.0
    if is_home(place):
        y_shift = 4.0 if _label_above(view, place) else -4.0
    landed = any(action.target == place for action in view.last if action.kind in ("jump", "chute"))
    came = {action.target for action in view.last[-1:]}
    shapes: list[Shape] = []
    for index, (owner, (x, y)) in enumerate(zip(owners, spots)):
        y += y_shift
        must_go = view.sent_on == (place, owner) and index == len(owners) - 1
        mood: Mood = "calm"
        if must_go:
            mood = "startled"
        elif owner in view.winners or (is_home(place) and place != view.home(owner)):
            mood = "happy"
        if must_go or view.movable(place, owner):
            shapes.append(glow(x, y, scale, "accent", 4.6, "must go on" if must_go else "may go"))
        elif landed and not is_home(place) and (index == 0 or place in came):
            shapes.append(glow(x, y, scale, "trail", 3.4, "glow"))
        shapes.append(frog(owner, x, y, scale, mood, "piece"))
    return tuple(shapes)


def _label_above(view: View, place: Place) -> bool:
    at = plan(view.layout)
    return at.points[place][1] < at.height / 3


def _marks(view: View, at: Plan) -> list[Shape]:
    """Return where frogs may go, and which bridges may be removed."""
    shapes: list[Shape] = []
    ways = {(action.source, action.target) for action in view.legal if action.kind in ("jump", "chute")}
    for action in view.legal:
        if action.kind == "remove":
            x, y, turn = at.between(action.source, action.target)
            if (action.source, action.target) in ways or (action.target, action.source) in ways:  # beside the arrow
                x, y = x - 18 * sin(radians(turn)), y + 18 * cos(radians(turn))
            shapes.append(removal_mark(x, y, action.name))
        elif action.kind in ("jump", "chute"):
            both = (action.target, action.source) in ways
            x, y, turn = at.between(action.source, action.target)
            (x1, y1), (x2, y2) = at.points[action.source], at.points[action.target]
            far = hypot(x2 - x1, y2 - y1)
            if action.kind == "chute":
                shapes.append(chute_mark(x, y, turn, action.name))
                continue
            if both:  # two frogs could change places: side by side, like traffic
                x, y = x - (y2 - y1) / far * _SIDE, y + (x2 - x1) / far * _SIDE
            shapes.append(jump_mark(x, y, turn, action.name, 0.72 if both else 1.0))
    return shapes


# ---- what has just been done -----------------------------------------------------------------------------------------
def _trails(view: View, at: Plan, over_frogs: bool) -> list[Shape]:
    """Return the arrows of the last jumps; those that end in homes lie below the frogs there."""
    return [
        _trail(at, action)
        for action in view.last
        if action.kind in ("jump", "chute") and over_frogs != (is_home(action.source) or is_home(action.target))
    ]


def _trail(at: Plan, action: Action) -> Group:
    """Return a bow from where a frog was to where it is."""
    x, y, _ = at.between(action.source, action.target)
    (x1, y1), (x2, y2) = at.points[action.source], at.points[action.target]
    far = hypot(x2 - x1, y2 - y1)
    along = ((x2 - x1) / far, (y2 - y1) / far)
    if is_home(action.source):  # from the end of the home's bridge
        x1, y1 = x - along[0] * (WAY / 2 + 4), y - along[1] * (WAY / 2 + 4)
    if is_home(action.target):  # just into it
        x2, y2 = x + along[0] * (WAY / 2 + 42), y + along[1] * (WAY / 2 + 42)

    def bow(side: int) -> tuple[Point, Point, Point]:
        """Return start, bend and end of a bow to that side."""
        u, v = side * along[1], -side * along[0]
        return (
            (x1 + along[0] * 14 + u * 22, y1 + along[1] * 14 + v * 22),
            ((x1 + x2) / 2 + u * 54, (y1 + y2) / 2 + v * 54),
            (x2 - along[0] * 27 + u * 26, y2 - along[1] * 27 + v * 26),
        )

    def room(side: int) -> float:
        """Return how far the bow's ends are from the leaves' numbers."""
        start, _, end = bow(side)
        ends = ((action.source, start), (action.target, end))
        return min(dist(at.tag(place), point) for place, point in ends if not is_home(place))

    start, bend, end = bow(1 if room(1) > room(-1) else -1)
    dash: tuple[float, ...] = (1, 8) if action.kind == "chute" else ()
    return Group(_arrow(start, bend, end, dash), role="hop", title=action.name)


def _arrow(start: Point, bend: Point, end: Point, dash: tuple[float, ...]) -> tuple[Shape, ...]:
    """Return an arrow that bends towards a point, with a rim that parts it from what it crosses."""

    def handle(point: Point) -> str:  # of the cubic curve that equals the quadratic one
        return f"{point[0] + (bend[0] - point[0]) * 2 / 3:.1f} {point[1] + (bend[1] - point[1]) * 2 / 3:.1f}"

    line = f"M{start[0]:.1f} {start[1]:.1f}C{handle(start)} {handle(end)} {end[0]:.1f} {end[1]:.1f}"
    turn = degrees(atan2(end[1] - bend[1], end[0] - bend[0]))
    tip = ((9.0, 0.0), (-6.0, -8.0), (-6.0, 8.0))
    return (
        Path(line, stroke="trail-edge", stroke_width=9),
        Group((Polygon(tip, fill="trail-edge", stroke="trail-edge", stroke_width=6),), *end, rotate=turn),
        Path(line, stroke="trail", stroke_width=5, dash=dash),
        Group((Polygon(tip, fill="trail", stroke="trail", stroke_width=2),), *end, rotate=turn),
    )
