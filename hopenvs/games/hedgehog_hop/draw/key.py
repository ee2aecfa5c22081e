"""The key to the cards: moves, colours and styles with their names."""

from __future__ import annotations

from typing import Final

from hopenvs.games.hedgehog_hop.cards import COLOURS, MOVES, STYLES
from hopenvs.games.hedgehog_hop.draw.cards import arrow, letter
from hopenvs.games.hedgehog_hop.draw.hedgehogs import SYMBOLS
from hopenvs.games.hedgehog_hop.draw.pieces import plate
from hopenvs.render.scene import Group, Shape, Text

HEIGHT: Final = 70.0

_SIZE: Final = 14.0


def key(width: float) -> tuple[Shape, ...]:
    """Return the key in two lines."""
    shapes: list[Shape] = [plate(width, HEIGHT)]
    signs: list[tuple[Shape, str]] = [(Group(arrow(move, "back", 0.74)), move) for move in MOVES]
    signs += [(Group(letter(colour[0].upper(), colour, 18)), colour) for colour in COLOURS]
    x = 27.0
    for sign, word in signs:
        shapes += [Group((sign,), x, 21), Text(x + 16, 21, word, _SIZE, anchor="start", middle=True)]
        x += {"groove": 86, "green": 78, "red": 62}.get(word, 74)
    for at, style in enumerate(STYLES):
        x = 27 + at * 106
        shapes += [
            Group(SYMBOLS[style], x, 49, scale=0.72),
            Text(x + 16, 49, style, _SIZE, anchor="start", middle=True),
        ]
    return tuple(shapes)
