"""Words in pictures: broken into lines, or made to fit a room."""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from typing import Final, Literal

from hopenvs.render.scene import Group, Text, text_width

Weight = Literal["regular", "bold"]
Anchor = Literal["start", "middle", "end"]

_SMALLEST: Final = 11.0
_NARROWEST: Final = 0.19  # em, of the narrowest letter with the space beside it


@lru_cache(maxsize=512)
def _word(text: str, size: float, fill: str, anchor: Anchor, weight: Weight) -> tuple[Text]:
    return (Text(0, 0, text, size, fill, anchor=anchor, weight=weight, middle=True),)


def label(
    text: str, x: float, y: float, size: float = 14.0, fill: str = "faint", *, end: bool = False, bold: bool = False
) -> Group:
    """Return words that occur more than once, in a group of their own: it is written once. y is their middle."""
    return Group(_word(text, size, fill, "end" if end else "start", "bold" if bold else "regular"), x, y)


def fitted(text: str, x: float, y: float, size: float, room: float, *, bold: bool = False, fill: str = "ink") -> Text:
    """Return a line that begins at x and fits its room: smaller if need be, and cut off if that isn't enough."""
    weight: Weight = "bold" if bold else "regular"
    text = text[: _fit_at_most(room, _SMALLEST)]
    wide = text_width(text, size, weight)
    if wide > room:
        size = max(_SMALLEST, size * room / wide)
        text = shortened(text, size, room, weight)
    return Text(x, y, text, size, fill, anchor="start", weight=weight)


def shortened(text: str, size: float, room: float, weight: Weight = "regular") -> str:
    """Return a text, cut off with an ellipsis where it is wider than its room."""
    most = _fit_at_most(room, size)
    if len(text) <= most and text_width(text, size, weight) <= room:
        return text
    length = bisect_right(
        range(1, min(most, len(text)) + 1), room, key=lambda n: text_width(f"{text[:n]}…", size, weight)
    )
    return f"{text[:length].rstrip()}…"


def _fit_at_most(room: float, size: float) -> int:
    """Return a number of characters that is never too small: so much of a long text need be looked at."""
    return int(room / (_NARROWEST * size)) + 1


def wrapped(text: str, room: float, size: float, most: int) -> tuple[list[str], float]:
    """Return a text in at most so many lines, and the size at which they fit; what is too long is cut off."""
    text = text[: most * _fit_at_most(room, _SMALLEST)]
    while True:
        lines = _lines(text, room, size)
        if len(lines) <= most or size <= _SMALLEST:
            break
        size = max(_SMALLEST, size - 0.5)
    if len(lines) > most:
        lines = [*lines[: most - 1], " ".join(lines[most - 1 :])]
    return [shortened(line, size, room) for line in lines], size


def _lines(text: str, room: float, size: float) -> list[str]:
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def article(noun: str) -> str:
    """Write `an assister`, `a turbulator`."""
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def counted(number: int, what: str) -> str:
    """Write `1 dare`, `2 dares`."""
    return f"{number} {what}{'' if number == 1 else 's'}"
