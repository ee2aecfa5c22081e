"""The door through which environments draw."""

from __future__ import annotations

import numpy as np
import pytest

from hopenvs.render import draw
from hopenvs.render.scene import Circle, Scene, Span
from hopenvs.render.window import Window

SCENE = Scene(40, 30, (Circle(20, 15, 10, fill="accent"),), text=((Span("hop", bold=True),),))


class Recorder(Window):
    """A window that only notes what it is shown."""

    def __init__(self):
        super().__init__("test")
        self.shown: list[Scene] = []

    def show(self, scene: Scene) -> bool:
        self.shown.append(scene)
        return True


def test_every_render_mode_gives_what_it_says() -> None:
    pytest.importorskip("pypdfium2")
    pixels = draw.show(SCENE, "rgb_array")
    assert isinstance(pixels, np.ndarray)
    assert pixels.shape == (30, 40, 3)
    assert draw.show(SCENE, "ansi") == "\x1b[1mhop\x1b[0m"
    assert str(draw.show(SCENE, "svg")).startswith("<svg ")


def test_human_shows_the_scene_in_the_window_given() -> None:
    window = Recorder()
    assert draw.show(SCENE, "human", window) is None
    assert window.shown == [SCENE]
    with pytest.raises(ValueError, match="needs a window"):
        draw.show(SCENE, "human")


def test_other_modes_are_refused() -> None:
    with pytest.raises(ValueError, match="'hologram'"):
        draw.show(SCENE, "hologram")


def test_a_window_is_opened_by_its_first_scene_only() -> None:
    first, second = draw.open_window("a"), draw.open_window("a")
    assert first is not second
    assert not first.closed
    first.close()
    assert not second.closed
