"""Below the picture: the colours with their patterns, what the marks mean, and what else was done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hopenvs.games.hexx_hopp.draw.faces import HALF, SIZE, WORDS, segment
from hopenvs.games.hexx_hopp.draw.marks import failed_mark, free_cell, offered_cell, placed_mark
from hopenvs.games.hexx_hopp.draw.view import View
from hopenvs.render.scene import Group, Polygon, Shape, Text, text_width

HEIGHT: Final = 54.0

_SIZE: Final = 14.0


def legend(view: View, width: float) -> tuple[Shape, ...]:
    """Return a line of samples, and a line of what was done as far as it stands on no player's card."""
    shapes: list[Shape] = []
    x = 4.0
    for sample, wide, words in (*_colours(), *_marks(view)):
        meaning = Text(wide + 7, 0, words, _SIZE, "faint", anchor="start", middle=True)
        shapes.append(Group((sample, meaning), x, 12))
        x += wide + 7 + text_width(words, _SIZE) + 18
    names = [action.name for action in view.unseated]
    while len(names) > 1 and text_width(_last(names), _SIZE) > width - 8:
        names = names[1:]
    if names:
        words = _last(names)
        size = min(_SIZE, _SIZE * (width - 8) / text_width(words, _SIZE))
        shapes.append(Text(4, 39, words, size, "faint", anchor="start", middle=True))
    return tuple(shapes)


def _last(names: Sequence[str]) -> str:
    return f"last: {', '.join(names)}"


def _colours() -> list[tuple[Group, float, str]]:
    found = []
    for letter, (word, pattern) in WORDS.items():
        outline = Polygon(((0.0, 0.0), (HALF, -SIZE / 2), (HALF, SIZE / 2)), stroke="tile-edge", stroke_width=1.6)
        sample = Group((Group(segment(letter)), outline), 0, 0, scale=0.62, role="sample", title=pattern)
        found.append((sample, HALF * 0.62, f"{letter} {word}"))
    return found


def _marks(view: View) -> list[tuple[Group, float, str]]:
    """Return the marks that are in the picture, their left edge at x = 0, and how wide they are."""
    found: list[tuple[Group, float, str]] = []

    def add(shapes: tuple[Shape, ...], words: str) -> None:
        scale = 0.33
        inner = Group(shapes, 0, 0, scale=scale)
        found.append((Group((inner,), HALF * scale, 0, role="sample"), 2 * HALF * scale, words))

    if any(cell not in view.turns for cell in view.open_cells):
        add(free_cell(""), "free cell")
    if view.turns:
        add(offered_cell("", (), whose=False)[:1], "may go here")
    if any(placed.made for placed in view.placements):
        add(placed_mark(())[:1], "just placed")
    if any(not placed.made for placed in view.placements):
        add(failed_mark(())[:1], "too late")
    return found
