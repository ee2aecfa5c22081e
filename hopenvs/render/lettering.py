"""A rounded lettering of strokes, so that words look the same everywhere and need no font on any machine.

Each glyph is a skeleton in a square of 20 units: capitals reach from y = 0 down to the baseline at y = 14, small
letters start at y = 4, descenders end at 18.5. The weight of a text is the width of the pen that follows the skeleton.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final

from hopenvs.render.paths import shift

EM: Final = 20.0  # units of one em: a text of size 20 is drawn one to one
BASELINE: Final = 14.0  # units from the top of a capital to the baseline
PEN: Final = {"regular": 1.75, "bold": 2.6}  # weight -> width of the pen, units

_O = "M4.5 4A4.5 5 0 0 0 4.5 14A4.5 5 0 0 0 4.5 4Z"  # the bowl of a, b, d, g, p and q

# glyph -> (width in units, skeleton as absolute SVG path data of M, L, H, V, C, A and Z)
_GLYPHS: Final[dict[str, tuple[float, str]]] = {
    "A": (11, "M0 14L5.5 0L11 14M1.9 9.3H9.1"),
    "B": (9, "M0 6.6H4.8A3.3 3.3 0 0 0 4.8 0H0V14H5.3A3.7 3.7 0 0 0 5.3 6.6H4.8"),
    "C": (11, "M11 2.6A6.2 7 0 1 0 11 11.4"),
    "D": (11, "M0 0V14H4A7 7 0 0 0 4 0Z"),
    "E": (8, "M8 0H0V14H8M0 6.8H7"),
    "F": (7.8, "M7.8 0H0V14M0 6.8H6.8"),
    "G": (12, "M11 2.5A6.2 7 0 1 0 12 7.6H7.4"),
    "H": (10, "M0 0V14M10 0V14M0 6.8H10"),
    "I": (0, "M0 0V14"),
    "J": (6.8, "M6.8 0V9.9A4.1 4.1 0 0 1 0 12.2"),
    "K": (9.2, "M0 0V14M8.6 0L0 8.6M3.2 5.6L9.2 14"),
    "L": (7.4, "M0 0V14H7.4"),
    "M": (12, "M0 14V0L6 8.4L12 0V14"),
    "N": (10.4, "M0 14V0L10.4 14V0"),
    "O": (13, "M6.5 0A6.5 7 0 0 0 6.5 14A6.5 7 0 0 0 6.5 0Z"),
    "P": (8.8, "M0 14V0H4.8A4 4 0 0 1 4.8 8H0"),
    "Q": (13, "M6.5 0A6.5 7 0 0 0 6.5 14A6.5 7 0 0 0 6.5 0ZM8.4 10.4L12.6 14.8"),
    "R": (9.2, "M0 14V0H4.8A4 4 0 0 1 4.8 8H0M4.8 8L9.2 14"),
    "S": (
        9,
        "M8.6 2.7C7.9 1 6.4 0 4.5 0C2.1 0 .5 1.4 .5 3.4C.5 8 9 5.8 9 10.3C9 12.5 7.1 14 4.6 14C2.3 14 .6 12.9 0 11",
    ),
    "T": (10, "M0 0H10M5 0V14"),
    "U": (10, "M0 0V9A5 5 0 0 0 10 9V0"),
    "V": (11, "M0 0L5.5 14L11 0"),
    "W": (16.4, "M0 0L4.1 14L8.2 1.6L12.3 14L16.4 0"),
    "X": (10, "M0 0L10 14M10 0L0 14"),
    "Y": (10, "M0 0L5 7.4L10 0M5 7.4V14"),
    "Z": (9.4, "M0 0H9.4L0 14H9.4"),
    "a": (9, _O + "M9 4V14"),
    "b": (9, _O + "M0 0V14"),
    "c": (8, "M8 5.9A4.5 5 0 1 0 8 12.1"),
    "d": (9, _O + "M9 0V14"),
    "e": (9, "M.2 9H9A4.5 5 0 1 0 7.9 12.3"),
    "f": (5.4, "M5.6 .2A3.6 3.6 0 0 0 2 3.8V14M0 4.7H5.2"),
    "g": (9, _O + "M9 4V14A4.5 4.5 0 0 1 .8 16.4"),
    "h": (8.4, "M0 0V14M0 8.2A4.2 4.2 0 0 1 8.4 8.2V14"),
    "i": (0, "M0 4V14M0 0V.2"),
    "j": (2.4, "M2.4 4V15A3.5 3.5 0 0 1 -.4 18.4M2.4 0V.2"),
    "k": (8, "M0 0V14M7.4 4L0 10.4M2.9 8L8 14"),
    "l": (2.4, "M0 0V11.4A2.5 2.5 0 0 0 2.4 14"),
    "m": (13.8, "M0 4V14M0 7.5A3.45 3.5 0 0 1 6.9 7.5V14M6.9 7.5A3.45 3.5 0 0 1 13.8 7.5V14"),
    "n": (8.4, "M0 4V14M0 8.2A4.2 4.2 0 0 1 8.4 8.2V14"),
    "o": (9.6, "M4.8 4A4.8 5 0 0 0 4.8 14A4.8 5 0 0 0 4.8 4Z"),
    "p": (9, _O + "M0 4V18.5"),
    "q": (9, _O + "M9 4V18.5"),
    "r": (5, "M0 4V14M0 8.4A4.4 4.4 0 0 1 5 4.1"),
    "s": (
        7.4,
        "M7 5.9C6.4 4.7 5.3 4 3.8 4C1.8 4 .4 5 .4 6.5C.4 9.8 7.4 8.1 7.4 11.4C7.4 13 5.9 14 3.8 14C2 14 .7 13.2 0 11.9",
    ),
    "t": (5.6, "M2 1V10.7A3.3 3.3 0 0 0 5.6 14M0 4.7H5.4"),
    "u": (8.4, "M0 4V9.8A4.2 4.2 0 0 0 8.4 9.8V4M8.4 9.8V14"),
    "v": (8.4, "M0 4L4.2 14L8.4 4"),
    "w": (12.8, "M0 4L3.2 14L6.4 5L9.6 14L12.8 4"),
    "x": (8, "M0 4L8 14M8 4L0 14"),
    "y": (8.6, "M0 4L4.3 14M8.6 4L2.4 18.5"),
    "z": (7.6, "M0 4H7.6L0 14H7.6"),
    "0": (9, "M4.5 0A4.5 7 0 0 0 4.5 14A4.5 7 0 0 0 4.5 0Z"),
    "1": (9, "M1.4 2.9L5.4 0V14"),
    "2": (9, "M.3 3.7A4.1 3.9 0 0 1 8.5 4C8.5 7.4 3 10.2 .2 14H9"),
    "3": (
        9,
        (
            "M.6 1.9C1.4 .7 2.7 0 4.4 0C6.8 0 8.3 1.4 8.3 3.3C8.3 5.3 6.6 6.5 3.8 6.5"
            "C7 6.5 9 8 9 10.2C9 12.5 7 14 4.4 14C2.4 14 .9 13.2 0 11.6"
        ),
    ),
    "4": (9.4, "M6.8 14V0L0 10H9.4"),
    "5": (9, "M8 0H1.6L1 6.2C2 5.5 3.1 5.2 4.4 5.2C7.1 5.2 9 7 9 9.6C9 12.2 7 14 4.4 14C2.5 14 .9 13.2 0 11.7"),
    "6": (9, "M6.4 0C3 3.8 0 6.8 0 9.6A4.5 4.4 0 1 0 9 9.6A4.4 4.3 0 0 0 4.6 5.3C3.2 5.3 2.2 5.8 1.4 6.6"),
    "7": (9, "M0 0H9L3.2 14"),
    "8": (9, "M4.5 0A3.8 3.3 0 0 0 4.5 6.6A4.5 3.7 0 0 0 4.5 14A4.5 3.7 0 0 0 4.5 6.6A3.8 3.3 0 0 0 4.5 0Z"),
    "9": (9, "M2.6 14C6 10.2 9 7.2 9 4.4A4.5 4.4 0 1 0 0 4.4A4.4 4.3 0 0 0 4.4 8.7C5.8 8.7 6.8 8.2 7.6 7.4"),
    " ": (2.6, ""),
    ".": (0, "M0 13.6V13.8"),
    ",": (1, "M1 13.4C1.2 14.8 .8 15.8 0 16.6"),
    ":": (0, "M0 6.2V6.4M0 13.4V13.6"),
    ";": (1, "M1 6.2V6.4M1 13.4C1.2 14.8 .8 15.8 0 16.6"),
    "!": (0, "M0 0V9.4M0 13.6V13.8"),
    "?": (7.4, "M0 3A3.9 3.6 0 0 1 7.4 3.4C7.4 6.2 3.8 6.4 3.8 9.6M3.8 13.6V13.8"),
    "'": (0, "M0 0V3.4"),
    '"': (3.4, "M0 0V3.4M3.4 0V3.4"),
    "(": (3, "M3 -1.4A10.5 10.5 0 0 0 3 16.4"),
    ")": (3, "M0 -1.4A10.5 10.5 0 0 1 0 16.4"),
    "[": (3, "M3 -1.4H0V16.4H3"),
    "]": (3, "M0 -1.4H3V16.4H0"),
    "/": (7, "M0 16L7 -1"),
    "\\": (7, "M0 -1L7 16"),
    "|": (0, "M0 -1.4V16.4"),
    "-": (5.4, "M0 8.6H5.4"),
    "–": (9, "M0 8.6H9"),
    "—": (14, "M0 8.6H14"),
    "+": (9, "M0 8.4H9M4.5 3.9V12.9"),
    "−": (9, "M0 8.4H9"),
    "±": (9, "M0 6.4H9M4.5 1.9V10.9M0 14H9"),
    "=": (9, "M0 6.2H9M0 10.6H9"),
    "<": (8, "M8 3.6L0 8.4L8 13.2"),
    ">": (8, "M0 3.6L8 8.4L0 13.2"),
    "×": (7.4, "M0 4.7L7.4 12.1M7.4 4.7L0 12.1"),
    "*": (6.4, "M3.2 0V7M.2 1.8L6.2 5.2M6.2 1.8L.2 5.2"),
    "#": (10, "M3.4 1.4L1.6 13.4M8.4 1.4L6.6 13.4M.6 5H10M0 9.8H9.4"),
    "%": (
        12.4,
        (
            "M2.8 .4A2.8 2.9 0 0 0 2.8 6.2A2.8 2.9 0 0 0 2.8 .4ZM9.6 7.8"
            "A2.8 2.9 0 0 0 9.6 13.6A2.8 2.9 0 0 0 9.6 7.8ZM10.6 0L1.8 14"
        ),
    ),
    "&": (
        11,
        (
            "M11 14L3 4.2C1.6 2.2 2.8 0 5 0C7.2 0 8.2 2.4 6.6 4C5 5.6 0 6.6 0 10.2"
            "C0 12.6 1.8 14 4.2 14C7.4 14 10 11.6 10.6 8.2"
        ),
    ),
    "@": (15, "M10.6 8A3.4 3.6 0 1 0 3.8 8A3.4 3.6 0 0 0 10.6 8V9.4A2.2 2.2 0 0 0 15 9.4V8A7.5 7.6 0 1 0 11.4 14.4"),
    "_": (9, "M0 16H9"),
    "~": (9, "M0 9.4C1 7.4 2.8 7.2 4.5 8.4C6.2 9.6 8 9.4 9 7.4"),
    "·": (0, "M0 8.5V8.7"),
    "•": (2, "M1 7.6A1 1 0 0 0 1 9.6A1 1 0 0 0 1 7.6Z"),
    "…": (9, "M0 13.6V13.8M4.5 13.6V13.8M9 13.6V13.8"),
    "°": (4.4, "M2.2 0A2.2 2.2 0 0 0 2.2 4.4A2.2 2.2 0 0 0 2.2 0Z"),
    "→": (12, "M0 8.4H12M8 4L12 8.4L8 12.8"),
    "←": (12, "M12 8.4H0M4 4L0 8.4L4 12.8"),
    "↑": (9, "M4.5 15V1.6M0 6L4.5 1.6L9 6"),
    "↓": (9, "M4.5 1.6V15M0 10.6L4.5 15L9 10.6"),
    "✓": (9.4, "M0 8.4L3.6 12.6L9.4 3"),
    "ß": (
        8,
        (
            "M0 14V4A3.7 3.9 0 0 1 7 3.4C7 5.8 4.6 6 4.6 7.8C4.6 9.6 8 9.4 8 11.8"
            "C8 13.4 6.6 14 5 14C4.2 14 3.5 13.9 2.9 13.6"
        ),
    ),
    "ı": (0, "M0 4V14"),
    "�": (8, "M0 0H8V14H0Z"),
}
# combining accent -> (width, skeleton above a small letter); capitals lift it by 4 units
_ACCENTS: Final[dict[str, tuple[float, str]]] = {
    "\u0308": (4.4, "M0 .3V.5M4.4 .3V.5"),
    "\u0301": (2.6, "M0 1.4L2.6 -.8"),
    "\u0300": (2.6, "M0 -.8L2.6 1.4"),
    "\u0302": (5, "M0 1.4L2.5 -.8L5 1.4"),
    "\u030c": (5, "M0 -.8L2.5 1.4L5 -.8"),
    "\u0303": (5, "M0 1.2C.8 -.2 1.8 -.2 2.5 .4C3.2 1 4.2 1 5 -.4"),
    "\u030a": (3.2, "M1.6 -1.8A1.6 1.6 0 0 0 1.6 1.4A1.6 1.6 0 0 0 1.6 -1.8Z"),
    "\u0327": (2.6, "M1.6 14.2C1.6 15.6 3 15.8 3 17C3 18 1.6 18.4 .2 18"),
}
_SIDE: Final = 2.0  # units beside an upright stroke; round and slanting sides come closer, as the eye wants it
_LEFT: Final = dict.fromkeys("CGOQacdegjoq0689", 1.45) | dict.fromkeys("AJTVWXYZftvwxyz/7", 0.8)
_RIGHT: Final = dict.fromkeys("BDOPSbops0689", 1.45) | dict.fromkeys("AFKLTVWXYZcefkrtvwxyz/7", 1.0)
_KERN: Final = {
    "Ta": -1.4, "Te": -1.4, "To": -1.4, "Tr": -1.2, "Va": -0.9, "Wa": -0.7, "Ye": -1.2, "AV": -1.4, "AT": -1.4,
    "LT": -1.6,
}  # fmt: skip


@lru_cache(maxsize=1024)
def _glyph(char: str) -> tuple[float, float, float, str]:
    """Return (space left, width, space right, skeleton) of one character, units; accents are put on their letters."""
    if char not in _GLYPHS:
        base, *marks = list(unicodedata.normalize("NFD", char))
        base = "ı" if base == "i" and marks else base
        if base not in _GLYPHS or any(mark not in _ACCENTS for mark in marks) or not marks:
            return _glyph("�")
        width, path = _GLYPHS[base]
        for mark in marks:
            accent_width, accent = _ACCENTS[mark]
            lift = -4.0 if base.isupper() and mark != "\u0327" else 0.0
            path += shift(accent, (width - accent_width) / 2, lift)
        return _LEFT.get(base, _SIDE), width, _RIGHT.get(base, _SIDE), path
    width, path = _GLYPHS[char]
    return _LEFT.get(char, _SIDE), width, _RIGHT.get(char, _SIDE), path


@lru_cache(maxsize=4096)
def text_path(text: str) -> tuple[str, float]:
    """Return the skeleton of a line (SVG path data, units, starting at x = 0) and its width (units)."""
    x = 0.0
    parts: list[str] = []
    for at, char in enumerate(text):
        left, width, right, path = _glyph(char)
        if at:
            x += left + _KERN.get(text[at - 1 : at + 1], 0.0)
        if path:
            parts.append(shift(path, x, 0.0))
        x += width + (right if at < len(text) - 1 else 0.0)
    return "".join(parts), round(x, 2)


def text_width(text: str, size: float = 16.0, weight: str = "regular") -> float:
    """Return how wide a line of text of this size (pixels an em) is drawn, pixels."""
    return (text_path(text)[1] + PEN[weight]) * size / EM
