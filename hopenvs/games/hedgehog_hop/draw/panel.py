"""Beside the board: the card that says whose turn it is, and the heads of the players' cards."""

from __future__ import annotations

from typing import Final

from hopenvs.games.hedgehog_hop.draw.hedgehogs import player
from hopenvs.games.hedgehog_hop.draw.pieces import cup, words
from hopenvs.render.scene import Group, Path, Rect, Shape, Text, seat_colour, text_width

WIDTH: Final = 470.0
STATUS: Final = 106.0  # height of the card that says whose turn it is
SPACE: Final = 9.0  # between the cards
EDGE: Final = 16.0  # inside them
HEAD: Final = 42.0  # height of the line with the player's name
SMALL: Final = 13.5  # size of captions


def status(who: str, what: str, note: str, seat: int | None) -> Group:
    """Return whose turn it is, what is asked, and when in the game it is; `seat`: whose colour it has."""
    shapes: list[Shape] = [Rect(0, 0, WIDTH, STATUS, 16, fill="panel", stroke="line", stroke_width=1.5)]
    if seat is not None:
        edge = f"M0 16A16 16 0 0 1 12 .5V{STATUS - 0.5}A16 16 0 0 1 0 {STATUS - 16}Z"
        shapes += [Path(edge, fill=seat_colour(seat)), player(seat, WIDTH - 50, 50, 1.1)]
    shapes.append(Group((Text(28, 38, who, 26, anchor="start", weight="bold"),)))
    shapes.append(Group((Text(28, 67, what, 17, anchor="start"),)))
    shapes.append(Text(28, 91, note, 14, "faint", anchor="start"))
    return Group(tuple(shapes), role="status")


def name(seat: int, *, you: bool, won: bool) -> tuple[list[Shape], float]:
    """Return the head of a player's card, and the x after it."""
    shapes: list[Shape] = [player(seat, 30, 24, 0.58), *_named(seat, 58, 29, 17)]
    x = 58 + text_width(f"Player {seat}", 17, "bold") + 9
    if you:
        shapes.append(words("you", x, 29, 14, "faint"))
        x += 32
    if won:
        shapes.append(cup(x + 8, 22, 0.9))
        x += 28
    return shapes, x


def place(seat: int, x: float, y: float, *, you: bool) -> list[Shape]:
    """Return a player's head and name beside its cards on the table, from x on, round y."""
    shapes: list[Shape] = [player(seat, x + 19, y, 0.62), *_named(seat, x + 45, y + 6, 16)]
    if you:
        shapes.append(words("you", x + 51 + text_width(f"Player {seat}", 16, "bold"), y + 6, 14, "faint"))
    return shapes


def place_width(seat: int, *, you: bool) -> float:
    """Return how wide that is."""
    return 45 + text_width(f"Player {seat}", 16, "bold") + (36 if you else 0)


def _named(seat: int, x: float, y: float, size: float) -> tuple[Shape, ...]:
    number = Text(x + text_width("Player ", size, "bold"), y, str(seat), size, anchor="start", weight="bold")
    return words("Player", x, y, size, "ink", bold=True), number


def counted(what: str, count: int | None, x: float, y: float, *, end: bool = False) -> list[Shape]:
    """Return a caption with a number after it; with `end` both end at x."""
    wide = text_width(what, SMALL)
    number = "" if count is None else str(count)
    left = x - wide - (6 + text_width(number, SMALL, "bold") if number else 0) if end else x
    shapes: list[Shape] = [words(what, left, y, SMALL, "faint")]
    if number:
        shapes.append(Text(left + wide + 6, y, number, SMALL, anchor="start", weight="bold"))
    return shapes
