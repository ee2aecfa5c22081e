"""The tiles of HX-1 and the directions of HX-2, as tables."""

from __future__ import annotations

from itertools import permutations
from typing import Final

COLOURS: Final = "RYBW"  # red, yellow, blue, white, in the order of HX-1
PATTERNS: Final = ("AAABCD", "AABBCD", "ABABCD")  # segments clockwise; A, B, C, D stand for four different colours
DIRECTIONS: Final = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))  # (q, r), clockwise with r downwards

TILES: Final[tuple[str, ...]] = tuple(
    "".join(colours["ABCD".index(letter)] for letter in pattern)
    for pattern in PATTERNS
    for colours in permutations(COLOURS)  # lexicographic, as COLOURS is in order
)  # [72] the colours of a tile's six segments, clockwise, unturned
