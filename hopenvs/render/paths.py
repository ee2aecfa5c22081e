"""SVG path data of the commands M, L, H, V, C, A and Z, absolute and each written out: reading, moving, shortening."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from math import atan2, ceil, cos, pi, sin, sqrt, tan
from typing import Final

# One piece of an outline: M or L with (x, y), C with (x1, y1, x2, y2, x, y), Z with nothing.
Segment = tuple[str, tuple[float, ...]]

_TOKEN: Final = re.compile(r"[A-Za-z]|-?\d*\.?\d+")
# command -> what each of its numbers is: a coordinate along x, along y, or neither
_AXES: Final = {"M": "xy", "L": "xy", "H": "x", "V": "y", "C": "xyxyxy", "A": "-----xy", "Z": ""}


@lru_cache(maxsize=16384)
def number(value: float) -> str:
    """Write a number with at most two decimals and nothing superfluous: 0.5 is `.5`, 3.0 is `3`."""
    written = f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".")  # + 0.0: no "-0"
    if written.startswith("0."):
        return written[1:]
    return "-" + written[2:] if written.startswith("-0.") else written


def _commands(path: str) -> Iterator[tuple[str, list[float]]]:
    tokens = _TOKEN.findall(path)
    at = 0
    while at < len(tokens):
        command = tokens[at]
        if command not in _AXES:
            raise ValueError(f"path data knows the commands M, L, H, V, C, A and Z, not {command!r}")
        count = len(_AXES[command])
        yield command, [float(token) for token in tokens[at + 1 : at + 1 + count]]
        at += 1 + count


def shift(path: str, dx: float, dy: float) -> str:
    """Move path data by (dx, dy)."""
    by = {"x": dx, "y": dy, "-": 0.0}
    return "".join(
        command + " ".join(number(v + by[axis]) for axis, v in zip(_AXES[command], values, strict=True))
        for command, values in _commands(path)
    )


def segments(path: str) -> tuple[Segment, ...]:
    """Return path data as moves, lines, Bezier curves and closings; arcs become curves."""
    out: list[Segment] = []
    x = y = begin_x = begin_y = 0.0
    for command, values in _commands(path):
        if command == "Z":
            out.append(("Z", ()))
            x, y = begin_x, begin_y
            continue
        if command == "A":
            rx, ry, turn, large, sweep, to_x, to_y = values
            if turn:
                raise ValueError("arcs of turned ellipses aren't drawn")
            out.extend(_arc((x, y), (to_x, to_y), (rx, ry), bool(large), bool(sweep)))
        elif command == "H":
            out.append(("L", (values[0], y)))
        elif command == "V":
            out.append(("L", (x, values[0])))
        else:
            out.append((command, tuple(values)))
        x, y = out[-1][1][-2:]
        if command == "M":
            begin_x, begin_y = x, y
    return tuple(out)


def _arc(
    start: tuple[float, float], end: tuple[float, float], radii: tuple[float, float], large: bool, sweep: bool
) -> Iterator[Segment]:
    """Yield the curves of an elliptical arc (SVG 1.1, appendix F.6.5, for ellipses along the axes)."""
    (x1, y1), (x2, y2), (rx, ry) = start, end, radii
    u, v = (x1 - x2) / 2 / rx, (y1 - y2) / 2 / ry  # half the way, on the unit circle
    far = u * u + v * v
    if far == 0:
        return
    if far > 1:  # radii that don't reach are stretched
        rx, ry, u, v, far = rx * sqrt(far), ry * sqrt(far), u / sqrt(far), v / sqrt(far), 1.0
    side = sqrt((1 - far) / far) * (-1 if large == sweep else 1)
    cu, cv = side * v, -side * u  # the middle, seen from halfway
    middle_x, middle_y = (x1 + x2) / 2 + rx * cu, (y1 + y2) / 2 + ry * cv
    begin = atan2(v - cv, u - cu)
    angle = atan2(-v - cv, -u - cu) - begin
    if sweep and angle < 0:
        angle += 2 * pi
    elif not sweep and angle > 0:
        angle -= 2 * pi
    pieces = max(1, ceil(abs(angle) / (pi / 2) - 1e-9))
    step = angle / pieces
    reach = 4 / 3 * tan(step / 4)
    for piece in range(pieces):
        a, b = begin + piece * step, begin + (piece + 1) * step
        points = (
            (cos(a) - reach * sin(a), sin(a) + reach * cos(a)),
            (cos(b) + reach * sin(b), sin(b) - reach * cos(b)),
            (cos(b), sin(b)),
        )
        yield "C", tuple(v for px, py in points for v in (middle_x + rx * px, middle_y + ry * py))
