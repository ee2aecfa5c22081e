"""Scenes as pixels: arrays, PNG and GIF."""

from __future__ import annotations

import builtins
import io
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hopenvs.games.igel_aergern.draw import draw_position
from hopenvs.render import raster
from hopenvs.render.scene import Circle, Group, Rect, Scene, Text
from hopenvs.render.theme import LIGHT, ThemeName
from tests.render.positions import ALL, END, PLACEMENT, RACE, START

pytest.importorskip("pypdfium2")
Image = pytest.importorskip("PIL.Image")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", ALL)
def test_pixels_have_the_scenes_size_and_show_something(name: str, theme: ThemeName) -> None:
    scene = draw_position(ALL[name])
    pixels = raster.scene_to_rgb(scene, theme)
    assert pixels.shape == (scene.height, scene.width, 3)
    assert pixels.dtype == np.uint8
    assert pixels.flags.writeable
    assert len(np.unique(pixels[::7, ::7].reshape(-1, 3), axis=0)) > 15


def test_pixels_change_with_the_position_and_only_then() -> None:
    frames = [raster.scene_to_rgb(draw_position(p), scale=0.5) for p in (START, PLACEMENT, RACE, END)]
    for at, one in enumerate(frames):
        for other in frames[at + 1 :]:
            assert (one != other).any()
    assert (raster.scene_to_rgb(draw_position(RACE), scale=0.5) == frames[2]).all()
    assert (raster.scene_to_rgb(draw_position(RACE, ["step 5.1"]), scale=0.5) != frames[2]).any(), (
        "the last move is shown"
    )


def test_colours_are_the_themes_and_places_are_the_scenes() -> None:
    scene = Scene(
        40, 20, (Rect(0, 0, 20, 20, fill="seat0"), Group((Circle(0, 0, 5, fill="#00ff00"),), 30, 10, scale=0.9))
    )
    pixels = raster.scene_to_rgb(scene)
    assert "#" + bytes(pixels[10, 10]).hex() == LIGHT["seat0"]
    assert bytes(pixels[10, 30]).hex() == "00ff00"
    assert "#" + bytes(pixels[1, 38]).hex() == LIGHT["paper"]


def test_text_appears_without_any_font() -> None:
    empty, words = Scene(100, 30, ()), Scene(100, 30, (Text(50, 20, "hopp"),))
    assert (raster.scene_to_rgb(empty) != raster.scene_to_rgb(words)).any()


@pytest.mark.parametrize("scale", [0.37, 1.0, 1.5])
def test_the_scale_gives_whole_pixels(scale: float) -> None:
    scene = Scene(101, 67, (Circle(50, 30, 20, fill="ink"),))
    assert raster.scene_to_rgb(scene, scale=scale).shape == (round(67 * scale), round(101 * scale), 3)
    with pytest.raises(ValueError, match="leaves nothing"):
        raster.scene_to_rgb(scene, scale=0.001)


def test_a_png_holds_the_same_pixels() -> None:
    scene = draw_position(RACE)
    assert (np.asarray(Image.open(io.BytesIO(raster.scene_to_png(scene)))) == raster.scene_to_rgb(scene)).all()


def test_threads_may_draw_at_the_same_time() -> None:
    scene = draw_position(RACE)
    with ThreadPoolExecutor(4) as pool:
        drawn = list(pool.map(lambda _: raster.scene_to_rgb(scene, scale=0.3), range(8)))
    assert all((one == drawn[0]).all() for one in drawn)


def test_a_gif_loops_and_holds_every_frame(tmp_path: Path) -> None:
    path = tmp_path / "game.gif"
    raster.gif([draw_position(p) for p in (START, PLACEMENT, RACE, END)], path, seconds_per_frame=0.5, scale=0.3)
    with Image.open(path) as image:
        assert (image.n_frames, image.info["loop"]) == (4, 0)
        durations, seen = [], set()
        for frame in range(image.n_frames):
            image.seek(frame)
            durations.append(image.info["duration"])
            seen.add(image.convert("RGB").tobytes())
    assert durations == [500, 500, 500, 1500]
    assert len(seen) == 4


def test_a_gif_that_cannot_be_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="at least one scene"):
        raster.gif([], tmp_path / "a.gif")
    with pytest.raises(ValueError, match="same size"):
        raster.gif([Scene(10, 10, ()), Scene(20, 10, ())], tmp_path / "a.gif")
    with pytest.raises(ValueError, match=r"at least 0\.02"):
        raster.gif([Scene(10, 10, ())], tmp_path / "a.gif", seconds_per_frame=0.001)


@pytest.mark.parametrize("missing", ["pypdfium2", "PIL"])
def test_a_missing_library_is_named_with_the_remedy(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    original = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name.partition(".")[0] == missing:
            raise ImportError(name)
        return original(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ImportError, match=r"pip install hopenvs\[render\]"):
        raster.scene_to_png(Scene(10, 10, ()))


def _run(code: str, **environment: str) -> str:
    kept = {k: v for k, v in os.environ.items() if k != "DISPLAY" and not k.startswith(("SDL_", "WAYLAND", "XDG_"))}
    done = subprocess.run(
        [sys.executable, "-c", code], env=kept | environment, check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_pixels_need_no_display_and_load_no_window_library() -> None:
    code = """
import sys
from hopenvs.games.igel_aergern.draw import draw_position
from hopenvs.render import pdf, raster, svg, text, window
from tests.render.positions import RACE
assert not {"pygame", "PIL", "pypdfium2", "tkinter"} & set(sys.modules), "optional libraries are loaded when needed"
scene = draw_position(RACE)
svg.scene_to_svg(scene), svg.animate([scene, scene]), text.scene_to_text(scene), pdf.scene_to_pdf(scene)
assert not {"pygame", "PIL", "pypdfium2", "tkinter"} & set(sys.modules)
print(raster.scene_to_rgb(scene).std())
assert not {"pygame", "tkinter"} & set(sys.modules)
"""
    assert float(_run(code, FONTCONFIG_FILE="/nowhere")) > 10


def test_drawing_a_scene_loads_nothing_but_the_standard_library() -> None:
    code = """
import sys
import hopenvs.games.igel_aergern
before = set(sys.modules)
import hopenvs.games.igel_aergern.draw, hopenvs.render.svg, hopenvs.render.text, hopenvs.render.pdf
new = {name.partition(".")[0] for name in set(sys.modules) - before}
print(sorted(new - set(sys.stdlib_module_names) - {"hopenvs"}))
"""
    assert _run(code).strip() == "[]"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system doesn't fork")
def test_a_forked_process_can_draw_after_its_parent_did() -> None:
    code = """
import os
from hopenvs.render.raster import scene_to_rgb
from hopenvs.render.scene import Circle, Scene
scene = Scene(50, 50, (Circle(20, 20, 10, fill="ink"),))
scene_to_rgb(scene)
for _ in range(5):
    child = os.fork()
    if not child:
        scene_to_rgb(scene)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
"""
    _run(code)
