"""Igel Ärgern as a picture: the board, the hedgehogs on it, and whose turn it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hopenvs.games.igel_aergern.draw import board, panel, terminal
from hopenvs.games.igel_aergern.draw.figures import COLOURS, hedgehog, padlock
from hopenvs.games.igel_aergern.draw.view import View, headline
from hopenvs.render.scene import Group, Scene, Shape, Text, text_width

_MARGIN = 28.0
_TITLE = 62.0
_LEGEND = 26.0  # height of a line of the legend
_LONGEST = ("side 4.4 down", "side 4.4 down")


def draw_position(position: Mapping[str, Any], last: Sequence[str] = (), seat: int | None = None) -> Scene:
    """Return the scene of a position.

    Args:
        position: the position, as `to_position` gives it or a file holds it.
        last: names of the actions just played (`place 2`, `side 3.4 up`, `stay`, `step 5`), to be pointed at. Once the
            next player has rolled, a step needs its track: `step 4.5`.
        seat: who looks; everything is open in this game, so that only a word marks the player.
    """
    view = View.of(position)
    board_width, board_height = board.size(view)
    width = _MARGIN + board_width + _MARGIN + panel.WIDTH + _MARGIN
    legend, legend_height = _legend(view, last, board_width)
    top = _MARGIN + _TITLE
    height = top + max(board_height + 14 + legend_height, panel.height(view)) + _MARGIN
    shapes: tuple[Shape, ...] = (
        _title(),
        Group(board.bare_board(view), _MARGIN, top),
        Group(board.moving_parts(view, last), _MARGIN, top, role="board"),
        Group(panel.panel(view, seat), _MARGIN + board_width + _MARGIN, top),
        Group(legend, _MARGIN, top + board_height + 14),
    )
    title = f"Igel Ärgern: {' '.join(headline(view))}"
    return Scene(round(width), round(height), shapes, title, terminal.lines(view, last, seat), COLOURS)


def _title() -> Group:
    return Group(
        (hedgehog(0, 34, 36, 1.0, "happy", "logo"), Text(82, 34, "Igel Ärgern", 36, anchor="start", weight="bold")),
        _MARGIN,
        _MARGIN - 4,
    )


def _legend(view: View, last: Sequence[str], width: float) -> tuple[tuple[Shape, ...], float]:
    """Return what the marks mean and what was played last, in as many lines as the width needs, and the height."""
    items: list[tuple[Shape | None, str]] = []
    if view.pillars:
        items.append((None, "tree stumps: no way through"))
    elif view.repelling:
        items.append((None, "pits throw back to the start"))
    else:
        held = "the lowest of its stack" if view.shallow else "its hedgehogs"
        items.append((padlock(True, 8, 2), f"pit holds {held}: somebody is further back"))
        items.append((padlock(False, 8, 2), "pit lets go"))
    if view.cylinder:
        items.append((None, f"tracks 1 and {view.tracks} are neighbours"))
    shapes: list[Shape] = []
    x, y = 4.0, 10.0
    for icon, words in items:
        indent = 24 if icon else 0
        room = indent + text_width(words, 14)
        if x > 4 and x + room > width:
            x, y = 4.0, y + _LEGEND
        if icon:
            shapes.append(Group((icon,), x, y))
        shapes.append(Text(x + indent, y, words, 14, "faint", anchor="start", middle=True))
        x += room + 26
    # The last moves are given the room that the longest names need, so that all pictures of a game are equally high.
    if x + text_width(_last_words(_LONGEST), 14) > width:
        x, y = 4.0, y + _LEGEND
    shapes.append(Text(x, y, _last_words(last), 14, "faint", anchor="start", middle=True))
    return tuple(shapes), y + _LEGEND / 2


def _last_words(last: Sequence[str]) -> str:
    return f"last: {', '.join(last[-2:])}" if last else ""
