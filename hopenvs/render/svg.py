"""Scenes as SVG: one picture, or a whole game as an animation that plays in every browser.

The same scene always gives the same bytes. Words are drawn as strokes (`lettering`), so a picture needs no fonts; what
they say stands in `aria-label`. Groups that occur more than once are written once and used; their ids are hashes of
what they hold, so that several pictures on one page (a notebook) can't mix them up.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from hopenvs.render.lettering import BASELINE, EM, PEN, text_path
from hopenvs.render.paths import number
from hopenvs.render.scene import Circle, Ellipse, Group, Line, Path, Polygon, Rect, Scene, Shape, Text
from hopenvs.render.theme import Theme, ThemeName, theme_of

_WORTH: Final = 60  # bytes that a repeated group must have before <use> is shorter
_FORBIDDEN: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_Painted = Rect | Circle | Ellipse | Polygon | Line | Path


def scene_to_svg(scene: Scene, theme: Theme | ThemeName = "light") -> str:
    """Return the scene as an SVG document."""
    writer = _Writer(theme_of(theme).extended(scene.colours))
    writer.count(scene.shapes)
    body = writer.shapes(scene.shapes)
    return _document(scene, scene.title, writer, body)


def animate(scenes: Sequence[Scene], seconds_per_frame: float = 0.8, theme: Theme | ThemeName = "light") -> str:
    """Return scenes of one size as an animated SVG that loops; where nothing is animated, the first one is seen."""
    if not scenes:
        raise ValueError("an animation needs at least one scene")
    first = scenes[0]
    if any((scene.width, scene.height) != (first.width, first.height) for scene in scenes):
        raise ValueError("the scenes of an animation must all have the same size")
    if seconds_per_frame <= 0:
        raise ValueError(f"seconds_per_frame must be positive, not {seconds_per_frame}")
    if len(scenes) == 1:
        return scene_to_svg(first, theme)
    colours = tuple(dict.fromkeys(colour for scene in scenes for colour in scene.colours))
    writer = _Writer(theme_of(theme).extended(colours))
    # What all scenes begin with (the bare board, as a rule) is written once and never blinks.
    still = 0
    while all(len(scene.shapes) > still and scene.shapes[still] == first.shapes[still] for scene in scenes):
        still += 1
    writer.count(first.shapes[:still])
    for scene in scenes:
        writer.count(scene.shapes[still:])
    body = [writer.shapes(first.shapes[:still])]
    seconds = number(seconds_per_frame * len(scenes))
    for at, scene in enumerate(scenes):
        moving = writer.shapes(scene.shapes[still:])
        body.append(
            f'<g display="{"inline" if at == 0 else "none"}">'
            f'<animate attributeName="display" {_shown(at, len(scenes))} dur="{seconds}s" '
            f'calcMode="discrete" repeatCount="indefinite"/>{moving}</g>'
        )
    return _document(first, first.title, writer, "".join(body))


def _shown(at: int, frames: int) -> str:
    """Return `values` and `keyTimes` that show a frame in its share of the loop only."""
    begin, end = f"{at / frames:.6f}", f"{(at + 1) / frames:.6f}"
    if at == 0:
        return f'values="inline;none" keyTimes="0;{end}"'
    if at == frames - 1:
        return f'values="none;inline" keyTimes="0;{begin}"'
    return f'values="none;inline;none" keyTimes="0;{begin};{end}"'


def escape(text: str) -> str:
    """Escape text for XML, in elements and in attributes; characters that XML forbids become U+FFFD."""
    allowed = _FORBIDDEN.sub("\ufffd", text)
    return allowed.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def _document(scene: Scene, title: str, writer: _Writer, body: str) -> str:
    size = f'width="{scene.width}" height="{scene.height}" viewBox="0 0 {scene.width} {scene.height}"'
    label = f"<title>{escape(title)}</title>" if title else ""
    defs = "".join(writer.defs.values())
    background = f'<path fill="{writer.theme["paper"]}" d="M0 0h{scene.width}v{scene.height}H0z"/>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">{label}'
        f"{f'<defs>{defs}</defs>' if defs else ''}{background}{body}</svg>\n"
    )


class _Writer:
    """Writes shapes, remembering which groups repeat."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self.defs: dict[str, str] = {}  # id -> the <g> that is used
        self._plain: dict[
            int, str
        ] = {}  # id of a group's shapes (the scene keeps them alive) -> their SVG, nothing shared
        self._times: Counter[str] = Counter()  # the same SVG -> how often it occurs

    def count(self, shapes: tuple[Shape, ...]) -> None:
        """Look which groups occur more than once; those inside a repeated one count once."""
        for shape in shapes:
            if isinstance(shape, Group):
                content = self._expanded(shape.shapes)
                self._times[content] += 1
                if self._times[content] == 1:
                    self.count(shape.shapes)

    def shapes(self, shapes: tuple[Shape, ...], share: bool = True) -> str:
        """Write shapes one after the other."""
        return "".join(self._shape(shape, share) for shape in shapes)

    def _expanded(self, shapes: tuple[Shape, ...]) -> str:
        if id(shapes) not in self._plain:
            self._plain[id(shapes)] = self.shapes(shapes, share=False)
        return self._plain[id(shapes)]

    def _shape(self, shape: Shape, share: bool) -> str:
        if isinstance(shape, Group):
            return self._group(shape, share)
        if isinstance(shape, Text):
            return self._text(shape)
        return f"<{_outline(shape)}{self._paint(shape)}/>"

    def _group(self, group: Group, share: bool) -> str:
        moves = ""
        if group.x or group.y:
            moves += f"translate({number(group.x)} {number(group.y)})"
        if group.rotate:
            moves += f"rotate({number(group.rotate)})"
        if group.scale != 1:
            moves += f"scale({group.scale:.4g})"
        attributes = f' transform="{moves}"' if moves else ""
        title = f"<title>{escape(group.title)}</title>" if group.title else ""
        content = self._expanded(group.shapes)
        if not share:
            return f"<g{attributes}>{title}{content}</g>"
        if self._times[content] > 1 and len(content) > _WORTH:
            name = "h" + hashlib.sha1(content.encode(), usedforsecurity=False).hexdigest()[:8]
            if name not in self.defs:
                inner = self.shapes(group.shapes)  # first, so that what it uses itself is defined before it
                self.defs[name] = f'<g id="{name}">{inner}</g>'
            use = f'<use href="#{name}"'
            return f"<g{attributes}>{title}{use}/></g>" if title else f"{use}{attributes}/>"
        return f"<g{attributes}>{title}{self.shapes(group.shapes)}</g>"

    def _text(self, text: Text) -> str:
        path, width = text_path(text.text)
        if not path:
            return ""
        scale = text.size / EM
        pen = PEN[text.weight]
        lead = {"start": pen / 2, "middle": -width / 2, "end": -width - pen / 2}[text.anchor]
        top = BASELINE / 2 if text.middle else BASELINE
        x, y = number(text.x + lead * scale), number(text.y - top * scale)
        opacity = f' opacity="{number(text.opacity)}"' if text.opacity != 1 else ""
        return (
            f'<path role="img" aria-label="{escape(text.text)}" transform="translate({x} {y})scale({scale:.4g})" '
            f'd="{path}" fill="none" stroke="{self.theme[text.fill]}" stroke-width="{number(pen)}" '
            f'stroke-linecap="round" stroke-linejoin="round"{opacity}/>'
        )

    def _paint(self, shape: _Painted) -> str:
        out = f' fill="{self.theme[shape.fill]}"'
        if shape.stroke != "none":
            out += f' stroke="{self.theme[shape.stroke]}"'
            if shape.stroke_width != 1:
                out += f' stroke-width="{number(shape.stroke_width)}"'
            if shape.dash:
                out += f' stroke-dasharray="{" ".join(map(number, shape.dash))}"'
            if isinstance(shape, Line | Path | Polygon):
                out += ' stroke-linecap="round" stroke-linejoin="round"'
        if shape.opacity != 1:
            out += f' opacity="{number(shape.opacity)}"'
        return out


def _outline(shape: _Painted) -> str:
    """Return the element's name and its geometry."""
    match shape:
        case Rect(x=x, y=y, w=w, h=h, r=r):
            rounded = f' rx="{number(r)}"' if r else ""
            return f'rect x="{number(x)}" y="{number(y)}" width="{number(w)}" height="{number(h)}"{rounded}'
        case Circle(x=x, y=y, r=r):
            return f'circle cx="{number(x)}" cy="{number(y)}" r="{number(r)}"'
        case Ellipse(x=x, y=y, rx=rx, ry=ry):
            return f'ellipse cx="{number(x)}" cy="{number(y)}" rx="{number(rx)}" ry="{number(ry)}"'
        case Polygon(points=points):
            return f'polygon points="{" ".join(f"{number(x)},{number(y)}" for x, y in points)}"'
        case Line(x1=x1, y1=y1, x2=x2, y2=y2):
            return f'path d="M{number(x1)} {number(y1)}L{number(x2)} {number(y2)}"'
        case Path(d=d):
            return f'path d="{d}"'
