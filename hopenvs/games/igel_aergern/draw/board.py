"""The board: tracks from left (start) to right (goal), pits, stacks of hedgehogs and the last move."""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, degrees
from typing import Final

from hopenvs.games.igel_aergern.draw.figures import (
    FIGURE_HEIGHT,
    LIFT,
    Mood,
    apple,
    die,
    glow,
    hedgehog,
    padlock,
)
from hopenvs.games.igel_aergern.draw.view import Field, Hop, View
from hopenvs.render.scene import (
    Circle,
    Ellipse,
    Group,
    Path,
    Polygon,
    Rect,
    Shape,
    Text,
    seat_colour,
    text_width,
)

Point = tuple[float, float]

CELL_W: Final = 104.0
CELL_H: Final = 116.0
LABELS: Final = 66.0  # left of the start column: the tracks' numbers
TOP: Final = 44.0  # above the first track: the columns' numbers
EDGE: Final = 14.0  # right of the goal and below the last track
GROUND: Final = 12.0  # the hedgehogs' feet above the lower edge of their field
FULL: Final = 8  # hedgehogs that a field has room for; of a taller stack those at the bottom become discs
GAP: Final = 3.0  # from a field's edge to the next field's, halved


def size(view: View) -> tuple[float, float]:
    """Return width and height of the board, pixels."""
    return LABELS + view.columns * CELL_W + EDGE, TOP + view.tracks * CELL_H + EDGE


def bare_board(view: View) -> tuple[Shape, ...]:
    """Return all that never changes during a game: frame, fields, numbers."""
    width, height = size(view)
    shapes: list[Shape] = [Rect(0, 0, width, height, 22, fill="meadow")]
    for column in range(view.columns):
        label = {0: "Start", view.columns - 1: "Ziel"}.get(column, "")
        number_width = text_width(str(column), 15)
        label_width = 7 + text_width(label, 15, "bold") if label else 0.0
        x = _left(column) + CELL_W / 2 - (number_width + label_width) / 2
        y = TOP / 2 + 3
        shapes.append(Text(x, y, str(column), 15, anchor="start", middle=True))
        shapes.append(Text(x + number_width + 7, y, label, 15, anchor="start", weight="bold", middle=True))
    for track in range(view.tracks):
        shapes += [_field(view, track, column) for column in range(view.columns)]
    return tuple(shapes)


def _left(column: int) -> float:
    return LABELS + column * CELL_W


def _top(track: int) -> float:
    return TOP + track * CELL_H


def _field(view: View, track: int, column: int) -> Group:
    w, h = CELL_W - 2 * GAP, CELL_H - 2 * GAP
    fill, inner = f"field-{'ab'[(track + column) % 2]}", _tuft(track, column)
    if column == 0:
        fill, inner = "sand", (Rect(4, 4, w - 8, h - 8, 9, stroke="sand-line", stroke_width=1.4, dash=(2, 5)),)
    elif column == view.columns - 1:
        rim = Rect(4, 4, w - 8, h - 8, 9, stroke="gold-line", stroke_width=1.6)
        fill, inner = "gold", (rim,)
    elif column == view.pits[track]:
        fill, inner = (fill, _stump(w, h)) if view.pillars else ("pit", _pit(view, w, h))
    return Group((Rect(0, 0, w, h, 12, fill=fill), *inner), _left(column) + GAP, _top(track) + GAP)


def _tuft(track: int, column: int) -> tuple[Shape, ...]:
    """Return some blades of grass where no hedgehog hides them; which corner only looks like chance."""
    x, y = ((18, 30), (82, 24), (50, 22), (84, 38), (22, 44), (66, 34), (32, 24))[(track * 3 + column * 5) % 7]
    blades = f"M{x} {y}L{x - 4} {y - 8}M{x + 1} {y}V{y - 11}M{x + 2} {y}L{x + 6} {y - 7}"
    return (Path(blades, stroke="tuft", stroke_width=2),)


def _pit(view: View, w: float, h: float) -> tuple[Shape, ...]:
    hole = Ellipse(w / 2, h / 2 + 7, w / 2 - 9, h / 2 - 16, fill="pit-deep")
    if view.repelling:  # what comes in flies back to the start
        x, y = w / 2, h / 2
        bow = f"M{x + 20} {y + 22}C{x + 20} {y - 10} {x - 14} {y - 10} {x - 18} {y + 14}"
        tip = f"M{x - 28} {y + 4}L{x - 18} {y + 15}L{x - 9} {y + 4}"
        return (hole, Path(bow + tip, stroke="open", stroke_width=4))
    return (hole,)


def _stump(w: float, h: float) -> tuple[Shape, ...]:
    """Return what stands where pillars take the place of pits."""
    x, y = w / 2, h / 2
    bark = f"M{x - 28} {y - 22}V{y + 24}C{x - 32} {y + 34} {x + 32} {y + 34} {x + 28} {y + 24}V{y - 22}Z"
    grooves = f"M{x - 15} {y - 2}V{y + 18}M{x - 2} {y - 5}V{y + 24}M{x + 12} {y - 2}V{y + 12}M{x + 20} {y - 6}V{y + 20}"
    return (
        Ellipse(x, y + 29, 36, 8, fill="shadow", opacity=0.2),
        Path(bark, fill="bark", stroke="bark-deep", stroke_width=2),
        Path(grooves, stroke="bark-deep", stroke_width=2),
        Ellipse(x, y - 22, 28, 12, fill="wood", stroke="bark-deep", stroke_width=2),
        Ellipse(x, y - 22, 17, 7, stroke="bark", stroke_width=1.5),
        Ellipse(x, y - 22, 6, 2.5, stroke="bark", stroke_width=1.5),
    )


def moving_parts(view: View, last: Sequence[str]) -> tuple[Shape, ...]:
    """Return what changes: the die's track, the state of the pits, the hedgehogs, and how the last ones hopped."""
    hops = view.hops(last)
    shapes: list[Shape] = []
    for track in range(view.tracks):
        shapes.append(_track_label(view, track))
        if not (view.pillars or view.repelling):
            shapes.append(_state_of_pit(view, track))
    if view.phase in ("sidestep", "forward"):
        y = _top(view.die - 1)
        shapes.append(
            Rect(LABELS - 1, y - 1, view.columns * CELL_W + 2, CELL_H + 2, 15, stroke="accent", stroke_width=3.5)
        )
    landed = {hop.target for hop in hops}
    for track in range(view.tracks):
        for column in range(view.columns):
            if view.stacks[track][column]:
                shapes.append(_stack(view, track, column, (track, column) in landed))
            elif column == view.columns - 1:
                shapes.append(apple(_left(column) + CELL_W / 2, _top(track) + CELL_H / 2 + 4, 1.35))
    shapes += [_hop(view, hop, hop.source) for hop in hops if hop.source is not None]
    return tuple(shapes)


def _state_of_pit(view: View, track: int) -> Group:
    """Return the padlock of a pit, and its rim in the same colour for when a stack hides the padlock."""
    holds = view.holds(track)
    colour = "held" if holds else "open"
    rx, ry = CELL_W / 2 - GAP - 9, CELL_H / 2 - GAP - 16
    rim = Ellipse(CELL_W / 2, CELL_H / 2 + 7, rx, ry, stroke=colour, stroke_width=2.5)
    shapes = (rim, padlock(holds, CELL_W - 18, 18))
    return Group(shapes, _left(view.pits[track]), _top(track), title="holds its hedgehogs" if holds else "lets go")


def _track_label(view: View, track: int) -> Shape:
    x, y = LABELS / 2, _top(track) + CELL_H / 2
    if view.die == track + 1:
        return die(view.die, x, y, 44)
    shapes = (Circle(0, 0, 17, fill="panel", opacity=0.75), Text(0, 0, str(track + 1), 19, weight="bold", middle=True))
    return Group(shapes, x, y)


def _scale(height: int) -> float:
    """Return by how much the hedgehogs of a stack shrink so that it fits its field."""
    room = CELL_H - GROUND - 6
    return min(1.0, room / (FIGURE_HEIGHT + LIFT * (min(height, FULL) - 1)))


def _stack(view: View, track: int, column: int, moved: bool) -> Group:
    owners = view.stacks[track][column]
    hidden = max(0, len(owners) - FULL)
    scale = _scale(len(owners))
    shapes: list[Shape] = []
    x = CELL_W / 2 + (21.0 if hidden else 0.0)
    ground = CELL_H - GROUND
    shapes.append(Ellipse(x - 1, ground, 31 * scale, 5 * scale, fill="shadow", opacity=0.25))
    if hidden:
        shapes.append(_discs(owners[:hidden], ground))
    if moved:  # behind the whole stack, whose numbers it mustn't hide
        shapes.append(glow(x, ground - LIFT * scale * (len(owners) - hidden - 1), scale))
    for level, owner in enumerate(owners[hidden:]):
        y = ground - LIFT * scale * level
        mood: Mood = "calm"
        if column == view.columns - 1:
            mood = "happy"
        elif view.held(track, column, hidden + level):
            mood = "cross"
        shapes.append(hedgehog(owner, x, y, scale, mood, "piece"))
    if len(owners) > 4:
        shapes.append(_count(len(owners)))
    names = " ".join(str(owner) for owner in owners)
    title = f"track {track + 1}, column {column}, bottom to top: {names}"
    return Group(tuple(shapes), _left(column), _top(track), role="stack", title=title)


def _discs(owners: Sequence[int], ground: float) -> Group:
    """Return the lowest pieces of a very tall stack as numbered discs, bottom to top, in columns from left to right."""
    r, column_height = 6.6, 6
    shapes: list[Shape] = []
    for at, owner in enumerate(owners):
        x = 12 + 2 * r * (at // column_height)
        y = ground - r - 2 * r * (at % column_height)
        shape = Circle(0, 0, r - 0.3, fill=seat_colour(owner), stroke=seat_colour(owner, "deep"), stroke_width=1)
        number = Text(0, 0, str(owner), 9.5, fill=seat_colour(owner, "ink"), weight="bold", middle=True)
        shapes.append(Group((shape, number), x, y, role="piece"))
    return Group(tuple(shapes))


def _count(height: int) -> Group:
    label = f"×{height}"
    width = text_width(label, 13, "bold") + 10
    shapes = (
        Rect(0, 0, width, 18, 9, fill="panel", opacity=0.92),
        Text(width / 2, 9, label, 13, weight="bold", middle=True),
    )
    return Group(shapes, 7, 7)


def _head(view: View, field: Field, level: int, height: int) -> tuple[float, float]:
    """Return the middle of the hedgehog on that level of a stack."""
    scale = _scale(height)
    lift = LIFT * scale * min(level, FULL - 1)
    x = _left(field[1]) + CELL_W / 2 + (21.0 if height > FULL else 0.0)
    return x, _top(field[0]) + CELL_H - GROUND - lift - 17 * scale


def _hop(view: View, hop: Hop, source: Field) -> Group:
    """Return the arrow from where the hedgehog stood to where it stands now."""
    left_behind = len(view.stacks[source[0]][source[1]])
    height = len(view.stacks[hop.target[0]][hop.target[1]])
    x1, y1 = _head(view, source, left_behind, left_behind + 1)
    x2, y2 = _head(view, hop.target, height - 1, height)
    shapes: tuple[Shape, ...] = ()
    if not left_behind:
        shapes = (Ellipse(x1, y1 + 15, 27, 7, stroke="accent", stroke_width=2, dash=(1, 5)),)
    down = 1.0 if y2 > y1 else -1.0
    if source[1] != hop.target[1]:  # forward, or thrown back: over the heads
        ahead = 1.0 if x2 > x1 else -1.0
        middle = ((x1 + x2) / 2, min(y1, y2) - 58)
        return Group((*shapes, *_arrow((x1 + 6 * ahead, y1 - 24), middle, (x2 - 12 * ahead, y2 - 29))), role="hop")
    if abs(source[0] - hop.target[0]) == 1:  # a sidestep: behind the hedgehogs
        middle = (min(x1 - 32, x2 - 38) - 22, (y1 + y2) / 2)
        return Group((*shapes, *_arrow((x1 - 32, y1), middle, (x2 - 38, y2 - 8 * down))), role="hop")
    # Round the cylinder: off the board on one side, and on to it on the other.
    x, out, back = x1 - 38, size(view)[1] - 6, 10.0
    out, back = (back, out) if down > 0 else (out, back)
    leaving = _arrow((x, y1), (x, (y1 + out) / 2), (x, out))
    coming = _arrow((x, back), (x, (back + y2) / 2), (x, y2 - 8 * (-down)))
    return Group((*shapes, *leaving, *coming), role="hop")


def _arrow(start: Point, bend: Point, end: Point) -> tuple[Shape, ...]:
    """Return an arrow that bends towards a point, with a rim that parts it from what it crosses."""

    def handle(point: Point) -> str:  # of the cubic curve that equals the quadratic one
        return f"{point[0] + (bend[0] - point[0]) * 2 / 3:.1f} {point[1] + (bend[1] - point[1]) * 2 / 3:.1f}"

    line = f"M{start[0]:.1f} {start[1]:.1f}C{handle(start)} {handle(end)} {end[0]:.1f} {end[1]:.1f}"
    turn = degrees(atan2(end[1] - bend[1], end[0] - bend[0]))
    tip = ((9.0, 0.0), (-6.0, -8.0), (-6.0, 8.0))
    return (
        Path(line, stroke="panel", stroke_width=8),
        Group((Polygon(tip, fill="panel", stroke="panel", stroke_width=6),), *end, rotate=turn),
        Path(line, stroke="accent", stroke_width=4.5),
        Group((Polygon(tip, fill="accent", stroke="accent", stroke_width=2),), *end, rotate=turn),
    )
