"""Scenes in a window, for people who watch: one window each environment, loaded only when the first scene is shown.

Needs the extra `window` (pygame-ce; the older pygame does as well, and often lies installed over it) and `render`.
Windows belong to the main thread, as everywhere with SDL.
"""

from __future__ import annotations

import weakref
from typing import Any, Final

from hopenvs.render.raster import scene_to_rgb
from hopenvs.render.scene import Scene
from hopenvs.render.theme import Theme, ThemeName

_MISSING: Final = "a window needs pygame-ce: pip install hopenvs[window]"
# SDL has one queue of events for the whole process: whoever reads it passes on what belongs to another's window.
_OPEN: Final[weakref.WeakValueDictionary[int, Window]] = weakref.WeakValueDictionary()


class Window:
    """A window that opens at the first scene, takes each scene's size, and stays closed once it was closed."""

    def __init__(self, title: str, fps: float = 4.0, theme: Theme | ThemeName = "light", scale: float = 1.0) -> None:
        """Take the title, how many scenes a second are shown at most (0: no limit), theme, and scale at most."""
        self.title, self.fps, self.theme, self.scale = title, fps, theme, scale
        self._closed = False
        # Any: both pygames have these classes, under types of their own.
        self._window: Any = None
        self._renderer: Any = None
        self._clock: Any = None

    @property
    def closed(self) -> bool:
        """Whether it was closed, by `close` or by a person."""
        return self._closed

    def show(self, scene: Scene) -> bool:
        """Draw a scene, look what the person did, wait for the frame's end; return False once the window is closed."""
        if self._closed:
            return False
        pygame, video = _pygame()
        if self._window is None:
            self.scale = min(self.scale, _largest(pygame, scene))
        pixels = scene_to_rgb(scene, self.theme, self.scale)  # [H, W, 3]
        size = (pixels.shape[1], pixels.shape[0])
        if self._window is None:
            self._window = video.Window(self.title, size=size)
            self._renderer = video.Renderer(self._window)
            self._clock = pygame.time.Clock()
            _OPEN[self._window.id] = self
        elif tuple(self._window.size) != size:
            self._window.size = size
        picture = pygame.image.frombuffer(pixels.tobytes(), size, "RGB")
        self._renderer.clear()
        video.Texture.from_surface(self._renderer, picture).draw()
        self._renderer.present()
        if self.pump() and self.fps > 0:
            self._clock.tick(self.fps)
        return not self._closed

    def pump(self) -> bool:
        """Look what the person did meanwhile (for when no scene comes for long); return False once it is closed."""
        if self._window is not None:
            pygame, _ = _pygame()
            for event in pygame.event.get():
                _deliver(pygame, event)
        return not self._closed

    def close(self) -> None:
        """Close the window, and only this one; closing twice is fine."""
        self._closed = True
        if self._window is not None:
            _OPEN.pop(self._window.id, None)
            self._window.destroy()
            self._window = self._renderer = self._clock = None


def _deliver(pygame: Any, event: Any) -> None:
    if event.type == pygame.QUIT:  # the last window's button, or the system ending the program
        for window in list(_OPEN.values()):
            window.close()
    elif event.type == pygame.WINDOWCLOSE and event.window is not None and event.window.id in _OPEN:
        _OPEN[event.window.id].close()


def _largest(pygame: Any, scene: Scene) -> float:
    """Return the scale at which a scene fits the first screen, with room left for the desktop's bars."""
    width, height = pygame.display.get_desktop_sizes()[0]
    return float(min(0.95 * width / scene.width, 0.85 * height / scene.height))


def _pygame() -> tuple[Any, Any]:
    """Return pygame, its display started, and the module of both pygames that can open several windows."""
    try:
        import pygame
        from pygame._sdl2 import video
    except ImportError as error:
        raise ImportError(_MISSING) from error
    if not pygame.display.get_init():
        pygame.display.init()
    return pygame, video
