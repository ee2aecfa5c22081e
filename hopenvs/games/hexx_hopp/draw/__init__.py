"""Hexx & Hopp as a picture: the figure on the table, every player's tiles, what was done, and what may be done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from hopenvs.games.hexx_hopp.draw import board, legend, panel, terminal
from hopenvs.games.hexx_hopp.draw.faces import logo
from hopenvs.games.hexx_hopp.draw.palette import COLOURS
from hopenvs.games.hexx_hopp.draw.view import View, footnote, headline
from hopenvs.render.scene import Group, Scene, Shape, Text

_MARGIN: Final = 28.0
_TITLE: Final = 62.0
_GAP: Final = 14.0


def draw_position(
    position: Mapping[str, Any], last: Sequence[str] = (), seat: int | None = None, legal: Sequence[str] = ()
) -> Scene:
    """Return the scene of a position.

    Args:
        position: the position, as `to_position` gives it or a file holds it.
        last: what every seat did in the tick before (`player 0 place 1,-2 0`), to be pointed at; names that aren't
            understood are listed only.
        seat: who looks: its tiles come first, and what it can't know (stacks, others' discards) is hidden; None:
            everything is open.
        legal: what that seat may do, as its own names (`place 1,-2 0`) or absolute ones, to be marked; what others may
            do is left out for a seat, as it would tell their discards.
    """
    view = View.of(position, last, seat, legal)
    top = _MARGIN + _TITLE
    width = _MARGIN + board.WIDTH + _MARGIN + panel.WIDTH + _MARGIN
    height = top + board.HEIGHT + _GAP + legend.HEIGHT + _MARGIN - 8
    shapes: tuple[Shape, ...] = (
        _title(view),
        Group(board.bare_board(), _MARGIN, top),
        Group(board.board(view), _MARGIN, top, role="board"),
        Group(panel.panel(view), _MARGIN + board.WIDTH + _MARGIN, top),
        Group(legend.legend(view, board.WIDTH), _MARGIN, top + board.HEIGHT + _GAP, role="legend"),
    )
    title = f"Hexx & Hopp: {'; '.join((*headline(view), ' '.join(footnote(view))))}"
    return Scene(round(width), round(height), shapes, title, terminal.lines(view), COLOURS)


def _title(view: View) -> Group:
    shapes: list[Shape] = [
        Group((logo(),), 48, 30),
        Text(88, 40, "Hexx & Hopp", 38, anchor="start", weight="bold"),
    ]
    if view.seat is not None:
        shapes.append(Text(board.WIDTH - 4, 40, f"view of player {view.seat}", 15, "faint", anchor="end"))
    return Group(tuple(shapes), _MARGIN, _MARGIN - 8)
