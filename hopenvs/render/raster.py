"""Scenes as pixels: arrays, PNG and GIF, without display, window system or fonts.

PDFium draws them (the extra `render`: pypdfium2, and Pillow for files); both are loaded at the first picture. PDFium
was taken because its wheels cover every platform and hold all that it needs, because it survives a fork, and because it
hands over the pixels themselves, several times faster than what can only write PNG files.
"""

from __future__ import annotations

import io
import threading
from collections.abc import Sequence
from os import PathLike
from types import ModuleType
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from hopenvs.render.pdf import document
from hopenvs.render.scene import Scene
from hopenvs.render.theme import Theme, ThemeName

if TYPE_CHECKING:
    from PIL.Image import Image

_MISSING: Final = "pictures in pixels need pypdfium2 and Pillow: pip install hopenvs[render]"
_PDFIUM: Final = threading.Lock()  # PDFium may be used by one thread at a time


def scene_to_rgb(scene: Scene, theme: Theme | ThemeName = "light", scale: float = 1.0) -> NDArray[np.uint8]:
    """Return the scene as an array # [H, W, 3] uint8, red, green, blue."""
    try:
        from pypdfium2 import PdfDocument
    except ImportError as error:
        raise ImportError(_MISSING) from error
    size = pixel_size(scene, scale)
    page_bytes = document(scene, theme, size, compress=False)
    with _PDFIUM:
        pages = PdfDocument(page_bytes)
        try:
            page = pages[0]
            bitmap = page.render(scale=1, rev_byteorder=True, may_draw_forms=False)
            return np.array(bitmap.to_numpy()[..., :3], dtype=np.uint8)  # a copy: PDFium's memory goes with the bitmap
        finally:
            pages.close()


def scene_to_png(scene: Scene, theme: Theme | ThemeName = "light", scale: float = 1.0) -> bytes:
    """Return the scene as a PNG file."""
    out = io.BytesIO()
    _image(scene_to_rgb(scene, theme, scale)).save(out, format="PNG")
    return out.getvalue()


def gif(
    scenes: Sequence[Scene],
    path: str | PathLike[str],
    seconds_per_frame: float = 0.8,
    theme: Theme | ThemeName = "light",
    scale: float = 1.0,
) -> None:
    """Write scenes of one size as a GIF that loops for ever; the last frame is held three times as long."""
    if not scenes:
        raise ValueError("an animation needs at least one scene")
    if len({pixel_size(scene, scale) for scene in scenes}) > 1:
        raise ValueError("the scenes of an animation must all have the same size")
    if seconds_per_frame < 0.02:
        raise ValueError(
            f"seconds_per_frame must be at least 0.02, as viewers slow down faster GIFs: {seconds_per_frame}"
        )
    no_dither = _pillow().Dither.NONE
    # One palette for all frames, from some of them side by side. No dithering: areas are flat, and only what changed
    # between two frames is then stored.
    looked_at = [*scenes[:: max(1, len(scenes) // 6)], scenes[-1]]
    sheet = np.concatenate([scene_to_rgb(scene, theme, scale) for scene in looked_at])  # [frames * H, W, 3]
    palette = _image(sheet).quantize(colors=256)
    frames = (_image(scene_to_rgb(scene, theme, scale)).quantize(palette=palette, dither=no_dither) for scene in scenes)
    milliseconds = round(1000 * seconds_per_frame)
    durations = [milliseconds] * (len(scenes) - 1) + [3 * milliseconds]
    next(frames).save(path, format="GIF", save_all=True, append_images=frames, duration=durations, loop=0)


def pixel_size(scene: Scene, scale: float = 1.0) -> tuple[int, int]:
    """Return (width, height) in pixels of a scene drawn at that scale."""
    width, height = round(scene.width * scale), round(scene.height * scale)
    if width < 1 or height < 1:
        raise ValueError(f"a scale of {scale} leaves nothing of {scene.width} x {scene.height} pixels")
    return width, height


def _image(pixels: NDArray[np.uint8]) -> Image:
    return _pillow().fromarray(pixels)


def _pillow() -> ModuleType:
    try:
        from PIL import Image
    except ImportError as error:
        raise ImportError(_MISSING) from error
    return Image
