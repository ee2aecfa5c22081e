"""Scenes as SVG, still and moving, and the lettering in them."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from hopenvs.games.igel_aergern.draw import draw_position
from hopenvs.render.lettering import text_path
from hopenvs.render.paths import number, segments, shift
from hopenvs.render.pdf import scene_to_pdf
from hopenvs.render.scene import (
    MAX_SEATS,
    Circle,
    Colour,
    Ellipse,
    Group,
    Line,
    Path,
    Polygon,
    Rect,
    Scene,
    Shape,
    Text,
    seat_colour,
    text_width,
    walk,
)
from hopenvs.render.svg import animate, scene_to_svg
from hopenvs.render.theme import DARK, LIGHT, Theme, ThemeName
from tests.render.positions import ALL, END, RACE, START, scattered

SVG = "{http://www.w3.org/2000/svg}"
EVERY_SHAPE: tuple[Shape, ...] = (
    Rect(1, 2, 30, 40, 5, fill="accent", opacity=0.5),
    Circle(50, 50, 10, stroke="ink", stroke_width=2, dash=(2, 3)),
    Ellipse(50, 50, 20, 10, fill="seat1"),
    Polygon(((0, 0), (5, 5), (0, 5)), fill="#123456"),
    Line(0, 0, 10, 10, stroke="line"),
    Path("M0 0C1 2 3 4 5 6H9V3A4 4 0 0 1 1 1Z", fill="good"),
    Text(50, 20, "Igel"),
    Group((Group((Text(0, 0, "in a group"),), 1, 2),), 3, 4, rotate=30, scale=0.5, title="a title"),
)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", ALL)
def test_every_picture_is_well_formed_xml_in_both_themes(name: str, theme: ThemeName) -> None:
    scene = draw_position(ALL[name])
    root = ElementTree.fromstring(scene_to_svg(scene, theme))
    assert root.tag == f"{SVG}svg"
    assert root.get("viewBox") == f"0 0 {scene.width} {scene.height}"
    used = {use.get("href", "")[1:] for use in root.iter(f"{SVG}use")}
    assert used == {element.get("id") for element in root.iter() if element.get("id")}


def test_the_same_position_gives_the_same_bytes() -> None:
    assert scene_to_svg(draw_position(RACE)) == scene_to_svg(draw_position(RACE))
    assert scene_to_pdf(draw_position(RACE)) == scene_to_pdf(draw_position(RACE))


def test_the_bytes_do_not_depend_on_the_hash_seed() -> None:
    code = """
import hashlib
from hopenvs.games.igel_aergern.draw import draw_position
from hopenvs.render.svg import scene_to_svg
from tests.render.positions import RACE
print(hashlib.sha256(scene_to_svg(draw_position(RACE)).encode()).hexdigest())
"""
    digests = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, check=True, capture_output=True, text=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(digests) == 1


def test_every_shape_is_written() -> None:
    root = ElementTree.fromstring(scene_to_svg(Scene(100, 100, EVERY_SHAPE)))
    names = [element.tag.removeprefix(SVG) for element in root.iter()]
    for name in ("rect", "circle", "ellipse", "polygon", "path", "g", "title"):
        assert name in names, name


def test_text_is_escaped_and_forbidden_characters_are_replaced() -> None:
    words = 'a <b> & "c" \x00 \ud800'
    scene = Scene(100, 100, (Text(1, 1, words), Group((Text(1, 1, "x"),), title=words)), title=words)
    root = ElementTree.fromstring(scene_to_svg(scene).encode("utf-8"))
    expected = 'a <b> & "c" � �'
    assert [element.text for element in root.iter(f"{SVG}title")] == [expected, expected]
    assert expected in [element.get("aria-label") for element in root.iter(f"{SVG}path")]


def test_what_occurs_often_is_written_once() -> None:
    ornament = tuple(Circle(k, k, k, fill="accent") for k in range(1, 9))
    once = Scene(100, 100, (Group(ornament, 1, 1),))
    often = Scene(100, 100, tuple(Group(ornament, k, k) for k in range(20)))
    assert scene_to_svg(often).count("<circle") == scene_to_svg(once).count("<circle") == 8
    assert scene_to_svg(often).count("<use") == 20


def test_pictures_are_compact() -> None:
    for seed in range(5):
        assert len(scene_to_svg(draw_position(scattered(seed, 6)))) < 80_000


def test_an_unknown_colour_is_named() -> None:
    with pytest.raises(KeyError, match="'mauve'"):
        scene_to_svg(Scene(10, 10, (Circle(1, 1, 1, fill="mauve"),)))
    mauve = Colour("mauve", "#b784a7", "#915f6d")
    scene = Scene(10, 10, (Circle(1, 1, 1, fill="mauve"),), colours=(mauve,))
    assert "#b784a7" in scene_to_svg(scene, "light")
    assert "#915f6d" in scene_to_svg(scene, "dark")


def test_a_theme_of_ones_own_is_used() -> None:
    assert "#abcdef" in scene_to_svg(Scene(10, 10, ()), Theme("light", {**LIGHT.colours, "paper": "#abcdef"}))
    with pytest.raises(ValueError, match="'sepia'"):
        scene_to_svg(Scene(10, 10, ()), "sepia")  # type: ignore[arg-type]


def test_light_and_dark_know_the_same_colours_and_every_seat() -> None:
    assert LIGHT.colours.keys() == DARK.colours.keys()
    for theme in (LIGHT, DARK):
        assert len({theme[seat_colour(seat)] for seat in range(MAX_SEATS)}) == MAX_SEATS
        for seat in range(MAX_SEATS):
            assert _contrast(theme[seat_colour(seat)], theme[seat_colour(seat, "ink")]) > 4, (theme.name, seat)
        assert _contrast(theme["ink"], theme["paper"]) > 7
        assert _contrast(theme["faint"], theme["paper"]) > 4.5


def _contrast(one: str, other: str) -> float:
    """Return the contrast of two colours as the WCAG define it, 1 to 21."""

    def luminance(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_an_animation_shows_every_scene_in_its_share_of_the_loop() -> None:
    scenes = [draw_position(p) for p in (START, RACE, END)]
    moving = animate(scenes, seconds_per_frame=0.5)
    root = ElementTree.fromstring(moving)
    animations = list(root.iter(f"{SVG}animate"))
    assert len(animations) == 3
    assert {a.get("dur") for a in animations} == {"1.5s"}
    assert {a.get("repeatCount") for a in animations} == {"indefinite"}
    for a in animations:
        times = [float(t) for t in a.get("keyTimes", "").split(";")]
        assert times == sorted(times)
        assert times[0] == 0
        assert len(times) == len(a.get("values", "").split(";"))
    assert len(moving) < sum(len(scene_to_svg(scene)) for scene in scenes), "the board is written once"


def test_an_animation_needs_scenes_of_one_size() -> None:
    with pytest.raises(ValueError, match="at least one scene"):
        animate([])
    with pytest.raises(ValueError, match="same size"):
        animate([Scene(10, 10, ()), Scene(10, 11, ())])
    with pytest.raises(ValueError, match="positive"):
        animate([Scene(10, 10, ())] * 2, seconds_per_frame=0)
    assert animate([Scene(10, 10, ())]) == scene_to_svg(Scene(10, 10, ()))


def test_words_are_as_wide_as_they_are_drawn() -> None:
    for words in ("Igel Ärgern", "Player 2 may sidestep", "0123456789", "Zurück über Größe"):
        path, width = text_path(words)
        xs = [values[at] for _, values in segments(path) for at in range(0, len(values), 2)]
        assert min(xs) == pytest.approx(0, abs=1.6)
        assert max(xs) == pytest.approx(width, abs=1.6)
    assert text_width("mm", 20) > text_width("m", 20) > text_width("i", 20) > 0
    assert text_width("m", 40) == pytest.approx(2 * text_width("m", 20))


def test_every_printable_character_is_drawn() -> None:
    nothing = text_path("\u0001")[0]
    for code in range(33, 127):
        if chr(code) not in "$`^{}":
            assert text_path(chr(code))[0] != nothing, chr(code)
    for char in "äöüÄÖÜßéèêñçåøŒ"[:-2]:
        assert text_path(char)[0] != nothing, char
    assert text_path("漢")[0] == nothing, "a box stands for what the lettering lacks"


def test_path_data_is_moved_and_taken_apart() -> None:
    assert shift("M0 0H5V-3A2 2 0 0 1 4 4Z", 1, 10) == "M1 10H6V7A2 2 0 0 1 5 14Z"
    assert [command for command, _ in segments("M0 0H5V5L0 5Z")] == ["M", "L", "L", "L", "Z"]
    half_circle = segments("M-1 0A1 1 0 0 1 1 0")
    assert half_circle[-1][1][-2:] == pytest.approx((1, 0))
    assert half_circle[1][1][-2:] == pytest.approx((0, -1)), "over the top, as y points down"
    with pytest.raises(ValueError, match="'q'"):
        segments("M0 0q1 1 2 2")


@pytest.mark.parametrize(("value", "written"), [(0.5, ".5"), (-0.5, "-.5"), (3.0, "3"), (-0.001, "0"), (100, "100")])
def test_numbers_are_short(value: float, written: str) -> None:
    assert number(value) == written


def test_scenes_can_be_hashed_compared_and_changed_only_by_copying() -> None:
    scene = Scene(10, 10, EVERY_SHAPE)
    assert hash(scene) == hash(replace(scene))
    assert len(list(walk(scene.shapes))) == len(EVERY_SHAPE) + 2
    with pytest.raises(AttributeError):
        scene.width = 5  # type: ignore[misc]


def test_a_pdf_names_its_title_and_one_page() -> None:
    document = scene_to_pdf(Scene(100, 50, EVERY_SHAPE, title="Ä (x)"), scale=2)
    assert document.startswith(b"%PDF-1.7")
    assert b"/MediaBox[0 0 200 100]" in document
    assert "Ä (x)".encode("utf-16-be").hex().encode() in document
