"""The one door for environments: a scene as its `render_mode` wants it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hopenvs.render.raster import scene_to_rgb
from hopenvs.render.scene import Scene
from hopenvs.render.svg import scene_to_svg
from hopenvs.render.text import scene_to_text

if TYPE_CHECKING:
    from hopenvs.render.window import Window


def open_window(title: str, fps: float = 2.0) -> Window:
    """Return a window of one's own for `human`; it appears with the first scene."""
    from hopenvs.render.window import Window

    return Window(title, fps)


def show(scene: Scene, render_mode: str, window: Window | None = None) -> NDArray[np.uint8] | str | None:
    """Return an array [H, W, 3] uint8 for `rgb_array`, a string for `ansi` and `svg`; for `human` fill the window.

    Only `human` waits, as long as the window's frames last; once somebody has closed the window it does nothing.
    """
    if render_mode == "rgb_array":
        return scene_to_rgb(scene)
    if render_mode == "ansi":
        return scene_to_text(scene)
    if render_mode == "svg":
        return scene_to_svg(scene)
    if render_mode != "human":
        raise ValueError(f"the render mode is 'human', 'rgb_array', 'ansi' or 'svg', not {render_mode!r}")
    if window is None:
        raise ValueError("the render mode 'human' needs a window: open_window()")
    window.show(scene)
    return None
