"""Windows: each environment has its own, and closing is harmless. SDL's dummy driver stands in for a screen."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from hopenvs.render.scene import Circle, Rect, Scene
from hopenvs.render.window import Window

pytest.importorskip("pypdfium2")
SMALL = Scene(80, 60, (Rect(0, 0, 80, 60, fill="seat0"),))
OTHER = Scene(120, 90, (Circle(60, 45, 30, fill="seat1"),))


@pytest.fixture
def pygame(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    library = pytest.importorskip("pygame")
    yield library
    library.display.quit()


def test_a_window_shows_scenes_of_changing_size(pygame: Any) -> None:
    window = Window("test", fps=0)
    assert window.show(SMALL)
    assert window.show(OTHER)
    assert tuple(window._window.size) == (120, 90)
    surface = window._renderer.to_surface()
    assert bytes(surface.get_at((60, 45))[:3]).hex() == "1d4fbf"
    window.close()


def test_closing_twice_is_fine_and_a_closed_window_stays_closed(pygame: Any) -> None:
    window = Window("test", fps=0)
    window.close()
    window.close()
    assert not window.show(SMALL)
    opened = Window("test", fps=0)
    assert opened.show(SMALL)
    opened.close()
    opened.close()
    assert opened.closed
    assert not opened.show(SMALL)
    assert not opened.pump()


def test_closing_one_window_leaves_the_others_open(pygame: Any) -> None:
    one, two = Window("one", fps=0), Window("two", fps=0)
    assert one.show(SMALL)
    assert two.show(OTHER)
    one.close()
    assert two.show(SMALL)
    two.close()
    three = Window("three", fps=0)
    assert three.show(SMALL)
    three.close()


def test_the_close_button_closes_its_own_window_whoever_reads_the_events(pygame: Any) -> None:
    one, two = Window("one", fps=0), Window("two", fps=0)
    assert one.show(SMALL)
    assert two.show(SMALL)
    pygame.event.post(pygame.event.Event(pygame.WINDOWCLOSE, window=one._window))
    assert two.show(SMALL), "two reads the event that is meant for one"
    assert one.closed
    assert not one.show(SMALL)
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    assert not two.show(SMALL)
    assert two.closed


def test_a_window_that_nobody_holds_any_more_is_forgotten(pygame: Any) -> None:
    window = Window("test", fps=0)
    assert window.show(SMALL)
    del window
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    other = Window("other", fps=0)
    other.show(SMALL)
    other.close()


def test_only_a_window_waits_between_scenes(pygame: Any) -> None:
    window = Window("test", fps=20)
    began = time.perf_counter()
    for _ in range(5):
        assert window.show(SMALL)
    assert time.perf_counter() - began >= 0.18
    window.close()


def test_a_scene_larger_than_the_screen_is_shown_smaller(pygame: Any) -> None:
    window = Window("test", fps=0)
    assert window.show(Scene(9000, 9000, ()))
    width, height = pygame.display.get_desktop_sizes()[0]
    assert window._window.size[0] <= width
    assert window._window.size[1] <= height
    window.close()


def test_without_pygame_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pygame", None)
    with pytest.raises(ImportError, match=r"pip install hopenvs\[window\]"):
        Window("test").show(SMALL)
