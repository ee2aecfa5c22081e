"""HOP! as a picture: the sky with its figurines, the throw with its dare, what everybody has, and what may be done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from hopenvs.games.hop.draw import board, panel, terminal
from hopenvs.games.hop.draw.animals import figurine, glow
from hopenvs.games.hop.draw.palette import COLOURS
from hopenvs.games.hop.draw.signs import rainbow
from hopenvs.games.hop.draw.tokens import BET, bet, burst
from hopenvs.games.hop.draw.view import View, headline
from hopenvs.games.hop.draw.words import shortened
from hopenvs.render.scene import Circle, Group, Scene, Shape, Text, text_width

_MARGIN: Final = 28.0
_TITLE: Final = 62.0
_LEGEND: Final = 52.0  # two lines
_SIZE: Final = 14.0


def draw_position(
    position: Mapping[str, Any], last: Sequence[str] = (), seat: int | None = None, legal: Sequence[str] = ()
) -> Scene:
    """Return the scene of a position.

    Args:
        position: the position, as `to_position` gives it or a file holds it.
        last: names of the actions just played, oldest first (`skewerer player 2`, `bet happy`; `bet` where it isn't
            told), to be pointed at; outcomes too: `dare 7`, `success`, `failure`, `player 1 cloud 2`.
        seat: who looks: its card comes first, and what it can't know is hidden; None: everything is open.
        legal: names of what the seat to play may do (`skewerer player 2` or `skewerer left2`), to be marked.
    """
    view = View.of(position, last, seat, legal)
    tall = panel.height(view) - panel.SPACE
    board_height = tall - panel.SUPPLY - _LEGEND - 2 * panel.SPACE
    top = _MARGIN + _TITLE
    right = _MARGIN + board.WIDTH + _MARGIN
    supply_y = top + board_height + panel.SPACE
    shapes: tuple[Shape, ...] = (
        _title(view),
        Group(board.bare_board(board_height), _MARGIN, top),
        Group(board.figurines(view, board_height), _MARGIN, top, role="board"),
        Group(panel.panel(view), right, top),
        Group(panel.supply(view, board.WIDTH), _MARGIN, supply_y, role="supply"),
        Group(_legend(view), _MARGIN, supply_y + panel.SUPPLY + panel.SPACE, role="legend"),
    )
    width, height = right + panel.WIDTH + _MARGIN, top + tall + _MARGIN
    title = f"HOP!: {' '.join(headline(view))}"
    return Scene(round(width), round(height), shapes, title, terminal.lines(view), COLOURS)


def _title(view: View) -> Group:
    shapes: list[Shape] = [
        Group((rainbow(30, 38, 28, 5.4),)),
        Text(72, 38, "HOP!", 38, anchor="start", weight="bold"),
        Text(
            72 + text_width("HOP!", 38, "bold") + 18, 38, "a rainbow ring, a raised finger and a dare", 16, "faint",
            anchor="start",
        ),
    ]  # fmt: skip
    if view.seat is not None:
        right = board.WIDTH + _MARGIN + panel.WIDTH - 4
        shapes.append(Text(right, 38, f"view of player {view.seat}", 15, "faint", anchor="end"))
    return Group(tuple(shapes), _MARGIN, _MARGIN - 6)


def _legend(view: View) -> tuple[Shape, ...]:
    """Return what the marks mean in one line, and what was done last in the next."""
    shapes: list[Shape] = []
    x = 4.0
    for icon, words in _samples(view):
        shapes.append(Group((icon,), x + 14, 14))
        shapes.append(Text(x + 34, 13, words, _SIZE, "faint", anchor="start", middle=True))
        x += 34 + text_width(words, _SIZE) + 22
    names = [action.name for action in view.last]
    while len(names) > 1 and text_width(_last_words(names), _SIZE) > board.WIDTH:
        names = names[1:]
    if names:
        words = shortened(_last_words(names), _SIZE, board.WIDTH - 8)
        shapes.append(Text(4, 40, words, _SIZE, "faint", anchor="start", middle=True))
    return tuple(shapes)


def _last_words(names: Sequence[str]) -> str:
    return f"last: {', '.join(names)}"


def _samples(view: View) -> list[tuple[Group, str]]:
    """Return the marks that are seen, each round (0, 0), and what they mean."""
    found: list[tuple[Group, str]] = []
    kinds = {action.kind for action in view.legal}
    if kinds - {"bet"}:
        pawn = (glow(0, 0, 11, 0.34, "accent", 3.4, ""), figurine(0, 0, 11, 0.34))
        found.append((Group(pawn, role="sample"), "may be named"))
    if "bet" in kinds:
        token = (Circle(0, 0, 12.5, fill="accent"), bet("happy", 0, 0, 9.6 / BET, role="sample"))
        found.append((Group(token, role="sample"), "may be bet"))
    seats = range(view.players)
    named = any(map(view.just_named, view.roles))
    if named or view.just_drawn() or any(view.just_bet(seat) or view.just_got_cloud(seat) for seat in seats):
        ring = (Circle(0, 0, 9, fill="paper", stroke="accent", stroke_width=3.2),)
        found.append((Group(ring, role="sample"), "just done"))
    if view.settled and view.success:
        rise = replace(board.climbed(0, 0), role="sample")
        found.append((Group((rise,)), "has climbed"))
    elif view.settled:
        found.append((Group((replace(burst(0, 2), role="sample"),)), "lost"))
    if view.to_play is not None:
        found.append((Group((replace(board.pointer(0, 4), role="sample"),)), "to play"))
    return found
