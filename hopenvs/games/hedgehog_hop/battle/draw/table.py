"""The table: crews all round, turned towards their owners, the audition line in the middle, and what may be done."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from hopenvs.games.hedgehog_hop.battle.draw.view import CELLS, LINE, View
from hopenvs.games.hedgehog_hop.draw.cards import back, card, slot
from hopenvs.games.hedgehog_hop.draw.panel import place, place_width
from hopenvs.games.hedgehog_hop.draw.pieces import (
    draw_pile,
    drop_mark,
    entry_mark,
    mirror_ball,
    push_mark,
    rim,
    spotlight,
    spread,
    stage,
    sync_mark,
    take_mark,
)
from hopenvs.render.scene import Group, Path, Rect, Shape, Text

Point = tuple[float, float]

WIDTH: Final = 880.0
HEIGHT: Final = 836.0

_GAP: Final = 6.0  # between the cards of a crew
_LABEL: Final = 40.0  # round a crew: names of its lines, or marks where a card may enter
_STRIP: Final = 62.0  # beside it: the owner's head and the planned card
_PLAN: Final = 56.0  # the planned card, pixels

# players -> size of a crew's cards, and for every place, the viewer's first and then to the left, the middle of its
# crew and where its owner sits: 0 below it, 1 to its left, 2 above it, 3 to its right
_PLACES: Final[dict[int, tuple[float, tuple[tuple[float, float, int], ...]]]] = {
    3: (100.0, ((440, 609, 0), (155, 226, 1), (725, 226, 3))),
    4: (90.0, ((440, 619, 0), (144, 440, 1), (440, 217, 2), (736, 440, 3))),
    5: (80.0, ((440, 629, 0), (134, 486, 1), (318, 207, 2), (562, 207, 2), (746, 486, 3))),
    6: (84.0, ((440, 625, 0), (158, 625, 0), (158, 211, 2), (440, 211, 2), (722, 211, 2), (722, 625, 0))),
}
# players -> size of the cards in the middle, how many of them in a row, and the upper left corner of the first
_MIDDLE: Final = {3: (88.0, 8, 56, 384), 4: (74.0, 4, 281, 352), 5: (72.0, 4, 286, 358), 6: (78.0, 8, 96, 390)}
_DISCARDS: Final = (334.0, 168.0, 84.0, 212.0)  # three players: left, top, size of a card and width of the discard pile


class Crew:
    """Where a crew lies on the table, pixels: a cell is named as its owner sees it."""

    def __init__(self, place: tuple[float, float, int], size: float) -> None:
        self.x, self.y, self.side = place
        self.size = size
        self.reach = size + _GAP / 2  # from the middle to the edge

    def turned(self, right: float, near: float) -> Point:
        """Return a direction of the owner's, so far to the right and so far towards it, as it is on the table."""
        return ((right, near), (-near, right), (-right, -near), (near, -right))[self.side]

    def at(self, right: float, near: float) -> Point:
        """Return a point that lies so far to the owner's right of the middle, and nearer to it."""
        dx, dy = self.turned(right, near)
        return self.x + dx, self.y + dy

    def middle(self, cell: int) -> Point:
        """Return the middle of a cell."""
        row, column = CELLS[cell]
        half = (self.size + _GAP) / 2
        return self.at((2 * column - 1) * half, (2 * row - 1) * half)

    def corner(self, cell: int) -> Point:
        """Return the upper left corner of the card on a cell."""
        x, y = self.middle(cell)
        return x - self.size / 2, y - self.size / 2

    def entry(self, line: str, move: str, out: float) -> tuple[float, float, float]:
        """Return the point so far outside of a line's entry, and where the push goes there, degrees (0 is up)."""
        half = (self.size + _GAP) / 2
        along = (2 * int(line[1]) - 1) * half
        far = self.reach + out
        right, near = {"hop": (along, far), "slide": (far, along), "groove": (-far, along)}[move]
        turn = {"hop": 0.0, "slide": 270.0, "groove": 90.0}[move]
        return *self.at(right, near), (turn + 90 * self.side) % 360


@lru_cache(maxsize=8)
def crews(players: int) -> tuple[Crew, ...]:
    """Return the places of the crews, the viewer's first."""
    size, places = _PLACES[players]
    return tuple(Crew(place, size) for place in places)


def crew_of(view: View, owner: int) -> Crew:
    """Return where a player's crew lies: the viewer's own at the bottom."""
    return crews(view.players)[(owner - (view.seat or 0)) % view.players]


# ---- what never changes ----------------------------------------------------------------------------------------------
def bare_table(players: int) -> tuple[Shape, ...]:
    """Return the stage with its lights."""
    tiles = ""
    step = 84.8
    for row in range(10):
        for column in range(10):
            if (row + column) % 2:
                x, y = 16 + column * step, 16 + row * 80.4
                tiles += f"M{x:.1f} {y:.1f}H{x + step:.1f}V{y + 80.4:.1f}H{x:.1f}Z"
    shapes: list[Shape] = [*stage(WIDTH, HEIGHT), Path(tiles, fill="floor-tile", opacity=0.8)]
    if players < 5:
        shapes += [
            spotlight(43, 43, WIDTH * 0.36, HEIGHT - 16, 320),
            spotlight(WIDTH - 43, 43, WIDTH * 0.64, HEIGHT - 16, 320),
            mirror_ball(43, 43, 0.76),
            mirror_ball(WIDTH - 43, 43, 0.76),
        ]
    return tuple(shapes)


# ---- what changes ----------------------------------------------------------------------------------------------------
def table(view: View) -> tuple[Shape, ...]:
    """Return crews, planned cards, the middle and the marks."""
    shapes: list[Shape] = []
    for owner in range(view.players):
        shapes.append(Group(_crew(view, owner), role=f"crew {owner}"))
    shapes.append(Group(_middle(view), role="middle"))
    shapes += _push_marks(view)
    shapes += _entries(view)
    return tuple(shapes)


def _crew(view: View, owner: int) -> tuple[Shape, ...]:
    at = crew_of(view, owner)
    pad = at.reach + 9
    on = owner == view.to_play
    stroke, wide = ("accent", 3.4) if on else ("floor-line", 2.0)
    mat = Rect(at.x - pad, at.y - pad, 2 * pad, 2 * pad, 18, fill="panel", stroke=stroke, stroke_width=wide)
    shapes: list[Shape] = [mat, *_rims(view, owner), *_line_names(view, owner)]
    crew = view.crews[owner]
    for cell in range(len(CELLS)):
        x, y = at.corner(cell)
        if cell < len(crew):
            name = crew[cell]
            row, column = CELLS[cell]
            title = f"{name}: player {owner}, r{row}c{column}"
            shapes.append(back(x, y, at.size) if name is None else card(name, x, y, at.size, title=title))
            continue
        shapes.append(slot(x, y, at.size))
        if cell == len(crew) and "crew" in view.kinds() and owner == view.to_play:
            title = f"the next card is laid on r{CELLS[cell][0]}c{CELLS[cell][1]}"
            shapes.append(drop_mark(x + at.size / 2, y + at.size / 2, 1.2, "next cell", title))
    for one, other in view.in_sync_pairs(owner):
        shapes.append(sync_mark(*_between(view, owner, one, other), 0.29 * at.size))
    return (*shapes, *_owner(view, owner))


def _between(view: View, owner: int, one: int, other: int) -> Point:
    """Return where the mark between two cards goes: beside the mark of a push."""
    at = crew_of(view, owner)
    (x1, y1), (x2, y2) = at.middle(one), at.middle(other)
    x, y = (x1 + x2) / 2, (y1 + y2) / 2
    if {one, other} in [set(cells) for _, cells in _moved(view, owner)]:
        shift = 0.3 * at.size
        return (x + shift, y) if abs(x1 - x2) < 1 else (x, y + shift)
    return x, y


def _rims(view: View, owner: int) -> list[Shape]:
    if view.pushed is None or view.pushed.mover != owner:
        return []
    at = crew_of(view, owner)
    sure = len(view.pushed.cells) == 1
    role, wide = ("just played", 6.0) if sure else ("one of these was just played", 4.0)
    return [rim(*at.corner(cell), at.size, role, wide=wide, title=role) for cell in view.pushed.cells]


def _line_names(view: View, owner: int) -> list[Shape]:
    """Return the names of rows and columns as the owner sees them, where no mark takes their place."""
    at = crew_of(view, owner)
    marked = {line for line, _ in view.entries()} if owner == view.to_play else set()
    shapes: list[Shape] = []
    for name in ("r0", "r1", "c0", "c1"):
        if name in marked:
            continue
        x, y, _ = at.entry(name, "hop" if name[0] == "c" else "groove", 21)
        shapes.append(Group((Text(0, 0, name, 13, weight="bold", middle=True, opacity=0.66),), x, y, role="line name"))
    return shapes


def _owner(view: View, owner: int) -> list[Shape]:
    """Return the owner's head, its name and its planned card, below or above the crew."""
    at = crew_of(view, owner)
    far = at.reach + _LABEL + _STRIP / 2
    y = at.y + far if at.side == 0 else at.y - far
    plan = view.planned[owner]
    you = owner == view.seat
    wide = place_width(owner, you=you) + (0 if view.three else 14 + _PLAN)
    x = at.x - wide / 2
    shapes = place(owner, x, y, you=you)
    if view.three:
        return shapes
    x, y = x + wide - _PLAN, y - _PLAN / 2
    if not plan:
        return [*shapes, slot(x, y, _PLAN)]
    lying = plan[0]
    usable = view.phase == "play" and owner == view.to_play and "push" in view.kinds()
    if usable and lying is not None:
        shapes.append(rim(x, y, _PLAN, "may be played", wide=4, title=f"{lying} may be played"))
    shapes.append(back(x, y, _PLAN) if lying is None else card(lying, x, y, _PLAN, title=f"planned: {lying}"))
    return shapes


# ---- the middle ------------------------------------------------------------------------------------------------------
def _middle(view: View) -> tuple[Shape, ...]:
    """Return the audition line, the draw pile after it, and with three players the discard pile."""
    size, in_row, left, top = _MIDDLE[view.players]
    step = size + 7
    playable = view.usable("play", "audition") | view.usable("collect")
    rims: list[Shape] = []
    cards: list[Shape] = []
    marks: list[Shape] = []
    for number in range(LINE):
        x, y = left + step * (number % in_row), top + step * (number // in_row)
        if number >= len(view.audition):
            cards.append(slot(x, y, size))
            continue
        name = view.audition[number]
        cards.append(card(name, x, y, size))
        if name in playable:
            role = "may be collected" if "collect" in view.kinds() else "may be played"
            rims.append(rim(x, y, size, role, wide=3.6, title=f"{name} {role}"))
        if name in view.usable("collect"):
            marks.append(take_mark(x + size * 0.74, y + size - 4, 0.62, "collect", f"collect {name}"))
    x, y = left + step * (LINE % in_row), top + step * (LINE // in_row)
    caption = Text(left + 2, top - 12, "audition line", 15, anchor="start", weight="bold")
    line = Group((*rims, *cards, *marks), role="audition line")
    shapes: list[Shape] = [caption, line, draw_pile(view.draw_count, x + (10 if in_row > LINE else 0), y, size)]
    if view.three:
        shapes.append(_discards(view))
    return tuple(shapes)


def _discards(view: View) -> Group:
    x, y, size, width = _DISCARDS
    shapes: list[Shape] = [Text(width / 2, -32, "discard pile", 15, weight="bold")]
    if len(view.discard) > 1:
        shapes.append(Text(width / 2, -11, "its top at the right", 13.5, "faint"))
    if not view.discard:
        shapes.append(slot((width - size) / 2, 0, size))
    lefts = spread(len(view.discard), size, width)
    middle = (width - size - lefts[-1]) / 2 if lefts else 0.0
    lefts = [middle + left for left in lefts]
    if view.discarded:
        shapes.append(rim(lefts[-1], 0, size, "just discarded", wide=3.6, title=f"just discarded: {view.discard[-1]}"))
    if view.discard and view.discard[-1] in view.usable("play", "pile"):
        shapes.append(rim(lefts[-1], 0, size, "may be played", wide=3.6, title=f"{view.discard[-1]} may be played"))
    shapes += [card(name, left, 0, size) for name, left in zip(view.discard, lefts)]
    return Group(tuple(shapes), x, y, role="discard pile")


# ---- pushes ----------------------------------------------------------------------------------------------------------
def _moved(view: View, owner: int) -> list[tuple[str, tuple[int, int]]]:
    """Return of the latest push how it went through a crew: the move, and from which cell to which."""
    push = view.pushed
    if push is None or not push.move:
        return []
    number = int(push.line[1])
    if push.move == "slide":
        return [("slide", (2 * number + 1, 2 * number))]
    if push.move == "groove":
        return [("groove", (2 * number, 2 * number + 1))]
    if owner == push.mover:
        return [("hop", (2 + number, number))]
    return [("hop", (1 - number, 3 - number))] if owner == push.target else []


def _push_marks(view: View) -> list[Shape]:
    """Return chevrons in every crew that the latest push went through."""
    shapes: list[Shape] = []
    for owner in range(view.players):
        at = crew_of(view, owner)
        for _, (source, target) in _moved(view, owner):
            (x1, y1), (x2, y2) = at.middle(source), at.middle(target)
            turn = {(1, 0): 0.0, (0, 1): 90.0, (-1, 0): 180.0, (0, -1): 270.0}[
                round((x2 - x1) / (at.size + _GAP)), round((y2 - y1) / (at.size + _GAP))
            ]
            title = f"the push went through the crew of player {owner}"
            shapes.append(push_mark((x1 + x2) / 2, (y1 + y2) / 2, turn, 0.29 * at.size, title))
    return shapes


def _entries(view: View) -> list[Shape]:
    """Return the marks at the mover's crew where a card may enter, and those of the crews that a hop can be against."""
    if view.to_play is None:
        return []
    at = crew_of(view, view.to_play)
    shapes: list[Shape] = []
    targets: list[int] = []
    for (line, move), actions in view.entries().items():
        x, y, turn = at.entry(line, move, 8)
        title = f"{move} into {line}: {', '.join(dict.fromkeys(action.name for action in actions))}"
        shapes.append(entry_mark(x, y, turn, line, 14, f"enter {line} {move}", title))
        targets += [action.target for action in actions if action.target >= 0 and action.target not in targets]
    if len(view.targets) > 1:
        shapes += [_target(view, target) for target in targets]
    return shapes


def _target(view: View, target: int) -> Group:
    """Return the mark in front of a crew that a hop can be against."""
    at = crew_of(view, target)
    title = f"a hop may be against player {target}"
    return entry_mark(*at.at(0, -at.reach - 8), (180 + 90 * at.side) % 360, "hop", 13, f"target {target}", title)
