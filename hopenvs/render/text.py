"""Scenes as text for a terminal: what the game wrote, with or without colours.

256 colours, which every terminal has had for long. A piece is text on a background of its own, so that it is read
equally well on dark and on light terminals.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from hopenvs.render.scene import Scene, Span
from hopenvs.render.theme import Theme, ThemeName, theme_of

_LEVELS: Final = (0, 95, 135, 175, 215, 255)  # of red, green and blue in the terminal's 6 x 6 x 6 cube of colours


def scene_to_text(scene: Scene, colour: bool = True, theme: Theme | ThemeName = "light") -> str:
    """Return the scene's text, one line each, without a newline at the end; plain without `colour`."""
    if not colour:
        return "\n".join("".join(span.text for span in line).rstrip() for line in scene.text)
    colours = theme_of(theme).extended(scene.colours)
    return "\n".join("".join(_styled(span, colours) for span in line) for line in scene.text)


def _styled(span: Span, theme: Theme) -> str:
    codes = ["1"] if span.bold else []
    if span.colour:
        codes.append(f"38;5;{nearest(theme[span.colour])}")
    if span.background:
        codes.append(f"48;5;{nearest(theme[span.background])}")
    return f"\x1b[{';'.join(codes)}m{span.text}\x1b[0m" if codes and span.text else span.text


@lru_cache(maxsize=256)
def nearest(colour: str) -> int:
    """Return the terminal's colour (16..255) that is nearest to `#rrggbb`."""
    wanted = tuple(int(colour[at : at + 2], 16) for at in (1, 3, 5))
    steps = tuple(min(range(6), key=lambda k, v=v: abs(_LEVELS[k] - v)) for v in wanted)  # type: ignore[misc]
    grey = min(23, max(0, round((sum(wanted) / 3 - 8) / 10)))
    cube_error = sum((_LEVELS[k] - v) ** 2 for k, v in zip(steps, wanted, strict=True))
    grey_error = sum((8 + 10 * grey - v) ** 2 for v in wanted)
    return 232 + grey if grey_error < cube_error else 16 + 36 * steps[0] + 6 * steps[1] + steps[2]
