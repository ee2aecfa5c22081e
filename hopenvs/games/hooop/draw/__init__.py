"""Hooop! as a picture: leaves, bridges and homes, the frogs on them, whose turn it is, and what may be done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from typing import Any, Final

from hopenvs.games.hooop.draw import board, panel, terminal
from hopenvs.games.hooop.draw.figures import COLOURS, chute_mark, frog, gap_mark, glow, jump_mark, removal_mark
from hopenvs.games.hooop.draw.view import View, headline
from hopenvs.render.scene import Group, Scene, Shape, Text, text_width

_MARGIN: Final = 28.0
_TITLE: Final = 62.0
_LEGEND: Final = 26.0  # height of a line of the legend
_SIZE: Final = 14.0


def draw_position(
    position: Mapping[str, Any], last: Sequence[str] = (), seat: int | None = None, legal: Sequence[str] = ()
) -> Scene:
    """Return the scene of a position.

    Args:
        position: the position, as `to_position` gives it or a file holds it.
        last: absolute names of the actions just played, oldest first (`jump H3>14`, `bridge 3-4`), to be pointed at.
        seat: in whose view (HO-0) the board is turned and everything is named; None: the absolute board.
        legal: absolute names of what the seat to play may do, to be marked.
    """
    view = View.of(position, last, seat, legal)
    board_width, board_height = board.size(view)
    width = _MARGIN + board_width + _MARGIN + panel.WIDTH + _MARGIN
    legend, legend_height = _legend(view, board_width)
    top = _MARGIN + _TITLE
    height = top + max(board_height + 14 + legend_height, panel.height(view)) + _MARGIN
    shapes: tuple[Shape, ...] = (
        _title(view, board_width),
        Group(board.bare_board(view), _MARGIN, top),
        Group(board.moving_parts(view), _MARGIN, top, role="board"),
        Group(panel.panel(view), _MARGIN + board_width + _MARGIN, top),
        Group(legend, _MARGIN, top + board_height + 14, role="legend"),
    )
    title = f"Hooop!: {' '.join(headline(view))}"
    return Scene(round(width), round(height), shapes, title, terminal.lines(view), COLOURS)


def _title(view: View, board_width: float) -> Group:
    logo = frog(3, 32, 24, 1.05, "happy", "logo")
    shapes: list[Shape] = [logo, Text(76, 34, "Hooop!", 36, anchor="start", weight="bold")]
    if view.seat is not None:
        shapes.append(Text(board_width - 4, 33, f"view of player {view.seat}", _SIZE, "faint", anchor="end"))
    return Group(tuple(shapes), _MARGIN, _MARGIN - 4)


def _legend(view: View, width: float) -> tuple[tuple[Shape, ...], float]:
    """Return what the marks mean and what was played last, and the height, which is the same during a whole game."""
    _, y = _in_lines(_samples(frozenset(("jump", "chute", "bridge", "remove"))), width)
    shapes, _ = _in_lines(_samples(view.kinds()), width)
    names = [action.name for action in view.last]
    while len(names) > 1 and text_width(_last_words(names), _SIZE) > width:
        names = names[1:]
    if names:
        shapes.append(Text(4, y + _LEGEND, _last_words(names), _SIZE, "faint", anchor="start", middle=True))
    return tuple(shapes), y + 1.5 * _LEGEND


def _last_words(names: Sequence[str]) -> str:
    return f"last: {', '.join(names)}"


def _samples(kinds: Set[str]) -> list[tuple[Group, str]]:
    """Return the marks, each starting at x = 0 and twice as wide as its x, and what they mean."""
    marks: list[tuple[Group, str]] = []
    if "jump" in kinds or "chute" in kinds:
        rim = glow(0, 0, 0.42, "accent", 3, "sample")
        marks.append((Group((rim, frog(3, 0, 0, 0.42, "calm", "logo")), 13, 0), "may go"))
    if "jump" in kinds:
        marks.append((jump_mark(13, 0, 0, "", 0.7), "over a bridge"))
    if "chute" in kinds:
        marks.append((chute_mark(22, 0, 0, ""), "by parachute"))
    if "bridge" in kinds:
        marks.append((gap_mark(17, 0, 0, ""), "a bridge may be placed"))
    if "remove" in kinds:
        marks.append((removal_mark(13, 0, ""), "may be removed"))
    return [(replace(mark, role="sample"), words) for mark, words in marks]


def _in_lines(samples: Sequence[tuple[Group, str]], width: float) -> tuple[list[Shape], float]:
    """Put samples with their words beside each other, in as many lines as the width needs; return the last line's y."""
    shapes: list[Shape] = []
    x, y = 6.0, 10.0
    for icon, words in samples:
        text_x = 2 * icon.x + 8
        room = text_x + text_width(words, _SIZE)
        if x > 6 and x + room > width:
            x, y = 6.0, y + _LEGEND
        shapes.append(Group((icon,), x, y))
        shapes.append(Text(x + text_x, y, words, _SIZE, "faint", anchor="start", middle=True))
        x += room + 22
    return shapes, y
