"""What the pictures of Igel Ärgern show."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest

from hopenvs.games.igel_aergern.draw import draw_position
from hopenvs.games.igel_aergern.draw.board import FULL
from hopenvs.games.igel_aergern.draw.view import View
from hopenvs.render.scene import Group, Scene, Text, walk
from hopenvs.render.text import nearest, scene_to_text
from tests.render.positions import (
    ALL,
    END,
    FORFEITED,
    PLACEMENT,
    RACE,
    START,
    STUDY,
    TALL,
    TRUNCATED,
    position,
    scattered,
)


def groups(scene: Scene, role: str) -> list[Group]:
    return [shape for shape in walk(scene.shapes) if isinstance(shape, Group) and shape.role == role]


def words(scene: Scene) -> list[str]:
    return [shape.text for shape in walk(scene.shapes) if isinstance(shape, Text)]


def numbers(group: Group) -> list[str]:
    """Return the numbers that the pieces of a stack wear, in the order in which they are drawn."""
    pieces = (shape for shape in walk(group.shapes) if isinstance(shape, Group) and shape.role == "piece")
    return [shape.text for piece in pieces for shape in walk(piece.shapes) if isinstance(shape, Text)]


@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("seed", range(8))
def test_every_piece_is_drawn_with_its_number(seed: int, players: int) -> None:
    made = scattered(seed, players)
    scene = draw_position(made)
    owners = [owner for track in made["stacks"] for field in track for owner in field]
    assert len(groups(scene, "piece")) == len(owners) == 4 * players
    fields = [field for track in made["stacks"] for field in track if field]
    stacks = groups(scene, "stack")
    assert [numbers(stack) for stack in stacks] == [[str(owner) for owner in field] for field in fields]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("tracks", "columns", "pieces"), [(2, 3, 2), (3, 4, 4), (4, 9, 3), (6, 3, 4), (6, 9, 4)])
def test_boards_of_every_size_are_drawn(seed: int, tracks: int, columns: int, pieces: int) -> None:
    made = scattered(seed, 2 + seed, tracks, columns, pieces)
    scene = draw_position(made)
    assert len(groups(scene, "piece")) == pieces * made["players"]
    assert len(groups(scene, "held pit")) + len(groups(scene, "open pit")) == tracks + 2, (
        "one a track, and the legend's"
    )


def test_a_very_tall_stack_shows_all_its_pieces_and_their_count() -> None:
    scene = draw_position(TALL)
    (stack,) = groups(scene, "stack")
    assert numbers(stack) == [str(seat) for seat in [0, 1, 2, 3, 4, 5] * 4]
    assert "×24" in words(scene)
    assert "bottom to top: 0 1 2 3 4 5" in stack.title


@pytest.mark.parametrize("height", range(1, 25))
def test_no_stack_reaches_out_of_its_field(height: int) -> None:
    cells = {(1, 4): [k % 6 for k in range(height)]}
    scene = draw_position(position(cells, players=6))
    (stack,) = groups(scene, "stack")
    standing = [s for s in stack.shapes if isinstance(s, Group) and s.role == "piece"]
    assert len(standing) == min(height, FULL)
    for piece in standing:
        assert piece.y - 38 * piece.scale >= 1
        assert piece.x - 35 * piece.scale >= 0
        assert piece.x + 37 * piece.scale <= 104


@pytest.mark.parametrize("name", ALL)
def test_all_that_is_drawn_lies_in_the_picture(name: str) -> None:
    scene = draw_position(ALL[name])

    def check(shapes: Any, x: float, y: float) -> None:
        for shape in shapes:
            if isinstance(shape, Text):
                left = x + shape.x - {"start": 0.0, "middle": shape.width / 2, "end": shape.width}[shape.anchor]
                assert left >= 0, shape.text
                assert left + shape.width <= scene.width, shape.text
                assert 0 <= y + shape.y <= scene.height, shape.text
            elif isinstance(shape, Group) and shape.scale == 1 and not shape.rotate:
                check(shape.shapes, x + shape.x, y + shape.y)

    check(scene.shapes, 0, 0)


def test_a_pit_holds_while_anybody_is_further_back() -> None:
    view = View.of(position({(6, 2): [0], (1, 3): [1]}))
    assert view.holds(0)
    assert view.held(0, 3, 0)
    assert not View.of(position({(6, 3): [0], (1, 3): [1]})).holds(0), "level with the pit doesn't count"
    shallow = View.of(position({(6, 2): [0], (1, 3): [1, 0]}, options={"shallow_pits": True}))
    assert shallow.held(0, 3, 0)
    assert not shallow.held(0, 3, 1)


def test_options_change_what_stands_in_the_pits() -> None:
    pillars = draw_position(position({(1, 0): [0]}, options={"pillars": True}))
    assert not groups(pillars, "held pit")
    assert "tree stumps: no way through" in words(pillars)
    repelling = draw_position(position({(1, 0): [0]}, options={"repelling_pits": True}))
    assert "pits throw back to the start" in words(repelling)
    assert "tracks 1 and 6 are neighbours" in words(draw_position(position(options={"cylinder": True})))


@pytest.mark.parametrize(
    ("last", "source", "target"),
    [
        ("step 5.1", (4, 1), (4, 2)),
        ("side 2.3 down", (1, 3), (2, 3)),
        ("step 2", (2, 2), (2, 3)),
    ],
)
def test_the_last_move_is_pointed_at(last: str, source: tuple[int, int], target: tuple[int, int]) -> None:
    (hop,) = View.of(RACE).hops([last])
    assert (hop.source, hop.target) == (source, target)
    scene = draw_position(RACE, [last])
    assert len(groups(scene, "hop")) == len(groups(scene, "glow")) == 1
    assert f"last: {last}" in words(scene)


def test_two_moves_of_a_turn_are_both_pointed_at() -> None:
    scene = draw_position(RACE, ["side 2.3 down", "roll 5", "step 5.1"])
    assert len(groups(scene, "hop")) == len(groups(scene, "glow")) == 2


def test_a_placed_piece_glows_and_staying_shows_nothing() -> None:
    placed = draw_position(PLACEMENT, ["place 5"])
    assert len(groups(placed, "glow")) == 1
    assert not groups(placed, "hop")
    assert not groups(draw_position(RACE, ["stay"]), "glow")


def test_moves_round_the_cylinder_and_back_from_a_pit_are_understood() -> None:
    (around,) = View.of(position({(6, 4): [0]}, options={"cylinder": True})).hops(["side 1.4 up"])
    assert (around.source, around.target) == ((0, 4), (5, 4))
    back = View.of(position({(1, 0): [0]}, options={"repelling_pits": True})).hops(["step 1.2"])
    assert back[0].target == (0, 0)
    scene = draw_position(position({(6, 4): [0]}, options={"cylinder": True}), ["side 1.4 up"])
    assert len(groups(scene, "hop")) == 1


@pytest.mark.parametrize("last", ["hop 3", "step 9.9", "side 1.4 up", "place 7", "step 1.8"])
def test_names_that_are_no_actions_are_refused(last: str) -> None:
    with pytest.raises(ValueError, match=re.escape(last)):
        draw_position(RACE, [last])


def test_the_panel_says_who_does_what() -> None:
    assert {"Player 1", "may sidestep", "turn 17"} <= set(words(draw_position(RACE)))
    assert len(groups(draw_position(RACE), "die 3")) == 2, "beside its track, and in the panel"
    assert {"Player 0", "places a hedgehog", "4 in hand"} <= set(words(draw_position(START)))
    assert {"Player 4", "moves on track 1"} <= set(words(draw_position(TALL)))
    assert "you" in words(draw_position(RACE, seat=2))


def test_the_end_shows_winner_and_ranks() -> None:
    shown = words(draw_position(END))
    assert "wins!" in shown
    assert Counter(w for w in shown if re.fullmatch(r"\d(st|nd|rd|th)", w)) == {"1st": 1, "2nd": 1, "3rd": 1}
    assert {"Nobody wins", "turn limit reached"} <= set(words(draw_position(TRUNCATED)))
    forfeited = words(draw_position(FORFEITED))
    assert "Players 0, 2" in forfeited
    assert Counter(w for w in forfeited if w in ("1st", "2nd", "3rd")) == {"1st": 2, "3rd": 1}


def test_the_size_depends_on_the_board_and_the_players_only() -> None:
    sizes = {(s.width, s.height) for s in (draw_position(p) for p in (START, PLACEMENT, RACE, END, TRUNCATED))}
    assert len(sizes) == 1
    race = (draw_position(RACE, last) for last in ([], ["stay"], ["side 2.3 down", "step 5.1"]))
    assert len({(s.width, s.height) for s in race}) == 1
    study = (draw_position(STUDY, last) for last in ([], ["stay"], ["side 1.1 down", "side 2.1 up"], ["step 1.0"] * 5))
    assert len({(s.width, s.height) for s in study}) == 1


def test_the_text_shows_labels_stacks_pits_die_and_turn() -> None:
    shown = scene_to_text(draw_position(RACE, ["step 5.1"]), colour=False).splitlines()
    assert shown[0] == "Igel Ärgern · turn 17 · die 3 · Player 1 may sidestep"
    assert shown[1] == "last: step 5.1"
    assert shown[2].split() == [str(column) for column in range(9)]
    tracks = shown[4:10]
    assert [line.replace("die >", "").split()[0] for line in tracks] == ["1", "2", "3", "4", "5", "6"]
    assert tracks[2].startswith("die > 3")
    assert "012011" in tracks[1]
    assert "[2]" in tracks[4], "somebody is further back"
    assert any(line.startswith(">  1  Player 1") for line in shown)
    assert max(map(len, shown)) <= 80


def test_the_text_lines_up_under_the_columns() -> None:
    shown = scene_to_text(draw_position(scattered(3, 6)), colour=False).splitlines()
    for column in range(9):
        at = shown[2].index(str(column))
        assert all(line[at - 1 : at + 2].strip() for line in (track.ljust(200) for track in shown[4:10]))


@pytest.mark.parametrize("name", ALL)
def test_colours_only_add_to_the_text(name: str) -> None:
    scene = draw_position(ALL[name])
    coloured = scene_to_text(scene, colour=True)
    stripped = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
    assert [line.rstrip() for line in stripped.splitlines()] == scene_to_text(scene, colour=False).splitlines()
    assert "\x1b[" in coloured
    assert coloured.count("\x1b[0m") * 2 == coloured.count("\x1b[")
    assert "\x1b" not in scene_to_text(scene, colour=False)


def test_the_study_board_fits_a_small_terminal() -> None:
    assert max(map(len, scene_to_text(draw_position(STUDY), colour=False).splitlines())) <= 80


def test_terminal_colours_are_the_nearest_there_are() -> None:
    assert nearest("#ffffff") == 231
    assert nearest("#000000") == 16
    assert nearest("#ff0000") == 196
    assert nearest("#808080") == 244
