"""Below a picture: what its marks mean, and what was played last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from hopenvs.games.hedgehog_hop.draw.pieces import drop_mark, entry_mark, eye, push_mark, sync_mark, take_mark
from hopenvs.render.scene import Group, Rect, Shape, Text, text_width

Sample = tuple[str, str]  # which mark, and what it means

_LINE: Final = 27.0
_SIZE: Final = 14.5


def _mark(kind: str) -> tuple[Group, float]:
    """Return a mark, its left edge at x = 0 and its middle at y = 0, and how wide it is."""
    if kind == "rim":
        edge = Rect(2, -9, 18, 18, 5, fill="panel", stroke="accent", stroke_width=3.6)
        return Group((edge,)), 22
    if kind == "push":
        return Group((push_mark(11, 0, 0, 22),)), 22
    if kind == "sync":
        return Group((sync_mark(11, 0, 21),)), 22
    if kind == "entry":
        return Group((entry_mark(2, 0, 270, "r0", 13, "", ""),)), 40
    if kind == "eye":
        return Group((eye(11, 0),)), 22
    if kind == "take":
        return Group((take_mark(11, 0, 0.75, "", ""),)), 22
    return Group((drop_mark(11, 0, 0.75, "", ""),)), 22


def legend(samples: Sequence[Sample], names: Sequence[str], width: float) -> tuple[tuple[Shape, ...], float]:
    """Return marks with their meanings in one line, the last actions in the next, and the height of both."""
    shapes: list[Shape] = []
    x = 4.0
    for kind, words in samples:
        mark, wide = _mark(kind)
        inner = tuple(replace(shape, role="sample") if isinstance(shape, Group) else shape for shape in mark.shapes)
        shapes.append(Group(inner, x, 11))
        shapes.append(Text(x + wide + 8, 11, words, _SIZE, "faint", anchor="start", middle=True))
        x += wide + 8 + text_width(words, _SIZE) + 26
    shown = list(names)
    while len(shown) > 1 and text_width(_last(shown), _SIZE) > width:
        shown = shown[1:]
    if shown:
        shapes.append(Text(4, 11 + _LINE, _last(shown), _SIZE, "faint", anchor="start", middle=True))
    return tuple(shapes), 2 * _LINE


def _last(names: Sequence[str]) -> str:
    return f"last: {', '.join(names)}"
