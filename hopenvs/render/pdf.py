"""Scenes as PDF: one page of vectors, for print, and what pixels are made from (`raster`).

Nothing but Python is needed. One pixel of the scene is one point (1/72 inch) on paper.
"""

from __future__ import annotations

import zlib
from functools import lru_cache
from math import cos, radians, sin
from typing import Final

from hopenvs.render.lettering import BASELINE, EM, PEN, text_path
from hopenvs.render.paths import Segment, number, segments
from hopenvs.render.scene import Circle, Ellipse, Group, Line, Path, Polygon, Rect, Scene, Shape, Text
from hopenvs.render.theme import Theme, ThemeName, theme_of

_ROUND: Final = 0.5522847  # how far the handles of a quarter circle's Bezier curve reach, in radii


def scene_to_pdf(scene: Scene, theme: Theme | ThemeName = "light", scale: float = 1.0) -> bytes:
    """Return the scene as a PDF file of one page."""
    return document(scene, theme, (scene.width * scale, scene.height * scale), compress=True)


def document(scene: Scene, theme: Theme | ThemeName, size: tuple[float, float], compress: bool) -> bytes:
    """Return the scene stretched to a page of that size (width, height, points)."""
    writer = _Writer(theme_of(theme).extended(scene.colours))
    width, height = size
    fit = f"{width / scene.width:.6f} 0 0 {-height / scene.height:.6f} 0 {number(height)} cm 1 J 1 j\n"
    background = f"{_rgb(writer.theme['paper'])} rg 0 0 {scene.width} {scene.height} re f\n"
    content = (fit + background + writer.shapes(scene.shapes)).encode("ascii")
    coding = ""
    if compress:
        content, coding = zlib.compress(content, 9), "/Filter/FlateDecode"
    states = "".join(f"/{name}<</ca {number(value)}/CA {number(value)}>>" for value, name in writer.states.items())
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 {number(width)} {number(height)}]/Contents 4 0 R"
        f"/Resources<</ExtGState<<{states}>>>>>>".encode("ascii"),
        f"<</Length {len(content)}{coding}>>\nstream\n".encode("ascii") + content + b"\nendstream",
        b"<</Title " + _utf16(scene.title) + b">>",
    ]
    out = bytearray(b"%PDF-1.7\n%\xc2\xa9\n")
    offsets = []
    for at, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += f"{at} 0 obj\n".encode("ascii") + body + b"\nendobj\n"
    start = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode("ascii")
    out += b"".join(f"{offset:010d} 00000 n \n".encode("ascii") for offset in offsets)
    out += f"trailer\n<</Size {len(objects) + 1}/Root 1 0 R/Info 5 0 R>>\nstartxref\n{start}\n%%EOF\n".encode("ascii")
    return bytes(out)


def _utf16(text: str) -> bytes:
    return b"<FEFF" + text.encode("utf-16-be", "replace").hex().encode("ascii") + b">"


@lru_cache(maxsize=256)
def _rgb(colour: str) -> str:
    return " ".join(f"{int(colour[at : at + 2], 16) / 255:.4g}" for at in (1, 3, 5))


class _Writer:
    """Writes shapes as PDF operators; what a group holds is written once and remembered."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self.states: dict[float, str] = {}  # opacity -> name of the graphics state that sets it
        self._known: dict[int, str] = {}  # id of a group's shapes (the scene keeps them alive) -> their operators

    def shapes(self, shapes: tuple[Shape, ...]) -> str:
        """Write shapes one after the other."""
        return "".join(self._shape(shape) for shape in shapes)

    def _shape(self, shape: Shape) -> str:
        if isinstance(shape, Group):
            if id(shape.shapes) not in self._known:
                self._known[id(shape.shapes)] = self.shapes(shape.shapes)
            turn, scale = radians(shape.rotate), shape.scale
            a, b = scale * cos(turn), scale * sin(turn)
            matrix = f"{a:.5f} {b:.5f} {-b:.5f} {a:.5f} {number(shape.x)} {number(shape.y)}"
            return f"q {matrix} cm\n{self._known[id(shape.shapes)]}Q\n"
        if isinstance(shape, Text):
            return self._text(shape)
        fill, stroke = shape.fill != "none", shape.stroke != "none"
        if not fill and not stroke:
            return ""
        out = [f"/{self._state(shape.opacity)} gs"] if shape.opacity != 1 else []
        if fill:
            out.append(f"{_rgb(self.theme[shape.fill])} rg")
        if stroke:
            out.append(f"{_rgb(self.theme[shape.stroke])} RG {number(shape.stroke_width)} w")
            if shape.dash:
                out.append(f"[{' '.join(map(number, shape.dash))}] 0 d")
        out.append(_path(shape.d) if isinstance(shape, Path) else _operators(_outline(shape)))
        out.append("B" if fill and stroke else "f" if fill else "S")
        body = " ".join(out) + "\n"
        return f"q {body}Q\n" if shape.opacity != 1 or (stroke and shape.dash) else body

    def _state(self, opacity: float) -> str:
        return self.states.setdefault(opacity, f"o{len(self.states)}")

    def _text(self, text: Text) -> str:
        path, width = text_path(text.text)
        if not path:
            return ""
        scale, pen = text.size / EM, PEN[text.weight]
        lead = {"start": pen / 2, "middle": -width / 2, "end": -width - pen / 2}[text.anchor]
        top = BASELINE / 2 if text.middle else BASELINE
        state = f"/{self._state(text.opacity)} gs " if text.opacity != 1 else ""
        return (
            f"q {state}{scale:.5f} 0 0 {scale:.5f} {number(text.x + lead * scale)} {number(text.y - top * scale)} cm "
            f"{_rgb(self.theme[text.fill])} RG {number(pen)} w {_path(path)} S Q\n"
        )


_OPERATOR: Final = {"M": "%.2f %.2f m", "L": "%.2f %.2f l", "C": "%.2f %.2f %.2f %.2f %.2f %.2f c", "Z": "h"}


def _operators(outline: tuple[Segment, ...]) -> str:
    return " ".join(_OPERATOR[command] % numbers for command, numbers in outline)


@lru_cache(maxsize=4096)
def _path(d: str) -> str:
    return _operators(segments(d))


def _oval(x: float, y: float, rx: float, ry: float) -> tuple[Segment, ...]:
    hx, hy = _ROUND * rx, _ROUND * ry
    return (
        ("M", (x + rx, y)),
        ("C", (x + rx, y + hy, x + hx, y + ry, x, y + ry)),
        ("C", (x - hx, y + ry, x - rx, y + hy, x - rx, y)),
        ("C", (x - rx, y - hy, x - hx, y - ry, x, y - ry)),
        ("C", (x + hx, y - ry, x + rx, y - hy, x + rx, y)),
        ("Z", ()),
    )


def _rectangle(x: float, y: float, w: float, h: float, r: float) -> tuple[Segment, ...]:
    r = min(r, w / 2, h / 2)
    if r <= 0:
        return (("M", (x, y)), ("L", (x + w, y)), ("L", (x + w, y + h)), ("L", (x, y + h)), ("Z", ()))
    k, right, bottom = r * (1 - _ROUND), x + w, y + h
    return (
        ("M", (x + r, y)),
        ("L", (right - r, y)),
        ("C", (right - k, y, right, y + k, right, y + r)),
        ("L", (right, bottom - r)),
        ("C", (right, bottom - k, right - k, bottom, right - r, bottom)),
        ("L", (x + r, bottom)),
        ("C", (x + k, bottom, x, bottom - k, x, bottom - r)),
        ("L", (x, y + r)),
        ("C", (x, y + k, x + k, y, x + r, y)),
        ("Z", ()),
    )


def _outline(shape: Rect | Circle | Ellipse | Polygon | Line) -> tuple[Segment, ...]:
    """Return the shape's outline as moves, lines, Bezier curves and closings."""
    match shape:
        case Rect(x=x, y=y, w=w, h=h, r=r):
            return _rectangle(x, y, w, h, r)
        case Circle(x=x, y=y, r=r):
            return _oval(x, y, r, r)
        case Ellipse(x=x, y=y, rx=rx, ry=ry):
            return _oval(x, y, rx, ry)
        case Polygon(points=points):
            first, *rest = points
            return (("M", first), *(("L", point) for point in rest), ("Z", ()))
        case Line(x1=x1, y1=y1, x2=x2, y2=y2):
            return (("M", (x1, y1)), ("L", (x2, y2)))
