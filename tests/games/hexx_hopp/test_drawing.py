"""What the pictures and the text of Hexx & Hopp show, and what they keep hidden."""

from __future__ import annotations

import copy
import random
import re
from collections import Counter
from dataclasses import fields, is_dataclass, replace
from itertools import pairwise
from math import cos, hypot, pi, sin, sqrt
from typing import Any

import pytest

from hopenvs.games.hexx_hopp.draw import board, draw_position, panel
from hopenvs.games.hexx_hopp.draw.faces import face, segment
from hopenvs.games.hexx_hopp.draw.palette import COLOURS
from hopenvs.games.hexx_hopp.draw.view import View, read_action
from hopenvs.games.hexx_hopp.tiles import DIRECTIONS, TILES
from hopenvs.render.scene import Group, Path, Polygon, Rect, Scene, Text, walk
from hopenvs.render.svg import animate, scene_to_svg
from hopenvs.render.text import scene_to_text
from tests.render.looking import group, groups, placed, text, words

Cell = tuple[int, int]
Figure = dict[Cell, tuple[int, int]]

STAR: list[Cell] = [(0, 0), (1, 0), (2, 0), (-1, 1), (-2, 2), (0, -1), (0, -2)]


# ---- positions, by the rules worked out apart from the drawing's code ------------------------------------------------
def side(tile: int, turn: int, at: int) -> str:
    return TILES[tile][(at - turn) % 6]


def contacts(figure: Figure, cell: Cell, tile: int, turn: int) -> int:
    """Return how many sides touch the figure; 0 if one of them doesn't match."""
    found = 0
    for at, (q, r) in enumerate(DIRECTIONS):
        other = figure.get((cell[0] + q, cell[1] + r))
        if other is not None:
            if side(*other, (at + 3) % 6) != side(tile, turn, at):
                return 0
            found += 1
    return found


def beside(figure: Figure, radius: int = 10) -> list[Cell]:
    """Return the empty cells on the table with two occupied neighbours or more."""
    near = Counter((q + dq, r + dr) for q, r in figure for dq, dr in DIRECTIONS)
    return sorted(
        (q, r) for (q, r), times in near.items()
        if times > 1 and (q, r) not in figure and max(abs(q), abs(r), abs(q + r)) <= radius
    )  # fmt: skip


def ways(figure: Figure, tile: int, radius: int = 10) -> list[tuple[Cell, int]]:
    """Return where a tile may be placed (HX-6)."""
    cells = beside(figure, radius)
    return [(cell, turn) for cell in cells for turn in range(6) if contacts(figure, cell, tile, turn) > 1]


def grown(seed: int, tiles: int, lean: tuple[float, float] = (0, 0)) -> tuple[Figure, list[int]]:
    """Return a figure of so many tiles, growing where it leans to, and the tiles that are left."""
    draw = random.Random(seed)
    bag = list(range(len(TILES)))
    draw.shuffle(bag)
    figure: Figure = {}
    for cell in STAR:
        tile = bag.pop()
        turns = [turn for turn in range(6) if not figure or contacts(figure, cell, tile, turn)]
        figure[cell] = (tile, draw.choice(turns) if figure else 0)
    waiting = 0
    while len(figure) < tiles and waiting < len(bag):
        tile = bag.pop(0)
        found = ways(figure, tile)
        if not found:
            bag.append(tile)
            waiting += 1
            continue
        waiting = 0
        found.sort(key=lambda way: lean[0] * way[0][0] + lean[1] * way[0][1])
        cell, turn = found[-1] if any(lean) else draw.choice(found)
        figure[cell] = (tile, turn)
    return figure, bag


def position(players: int = 2, seed: int = 0, tiles: int = 20, lean: Any = (0, 0), **keys: Any) -> dict[str, Any]:
    """Return a position in the middle of a round; the tiles that are left are dealt out."""
    figure, bag = grown(seed, tiles, lean)
    up: list[Any] = [bag.pop() for _ in range(players)]
    discards = [[bag.pop() for _ in range(min(2 * seat + 1, len(bag)))] for seat in range(players)]
    stacks = [bag[seat : seat + 4 * players : players] for seat in range(players)]
    base = {
        "game": "hexx_hopp", "players": players, "phase": "play", "round": 1, "tick": 9,
        "figure": {f"{q},{r}": list(tile) for (q, r), tile in figure.items()}, "up": up, "stacks": stacks,
        "discards": discards, "gift_due": [0] * players, "penalties": [3 * seat for seat in range(players)],
        "dealer": 1, "winners": [],
    }  # fmt: skip
    return base | keys


def figure_of(made: dict[str, Any]) -> Figure:
    return {(int(q), int(r)): (tile, turn) for (q, r), (tile, turn) in
            ((name.split(","), value) for name, value in made["figure"].items())}  # fmt: skip


def radius_of(made: dict[str, Any]) -> int:
    return made.get("options", {}).get("table_radius", 10)


def legal_of(made: dict[str, Any], seat: int) -> list[str]:
    """Return a seat's own names of what it may do."""
    if made["phase"] == "over":
        return []
    others = made["players"] - 1
    if made["gift_due"][seat]:
        full = [f"give {','.join(['0'] * left + [str(made['gift_due'][seat])] + ['0'] * (others - 1 - left))}"
                for left in range(others)]  # fmt: skip
        return [f"give {','.join(['0'] * others)}", *full]
    names = ["wait", "next", *(f"recall {tile}" for tile in made["discards"][seat])]
    if made["up"][seat] is not None:
        found = ways(figure_of(made), made["up"][seat], radius_of(made))
        names += [f"place {q},{r} {turn}" for (q, r), turn in found]
    return names


START = position(2, 1, 7, round=0, tick=0, dealer=0, penalties=[0, 0], discards=[[], []])
GIFTS = position(4, 5, 30, gift_due=[0, 4, 0, 6])
MANY = position(3, 6, 20)
MANY["discards"][1] += [tile for stack in MANY["stacks"] for tile in stack]
MANY["stacks"] = [[], [], []]
OVER = position(3, 7, 30, phase="over", round=9, tick=14, winners=[1], penalties=[20, 9, 31])
OVER["up"][2], OVER["stacks"][2], OVER["discards"][2] = None, [], []
DRAWN = position(5, 8, 45, phase="over", round=2, tick=300, winners=[0, 3], penalties=[4, 5, 5, 4, 60])
SMALL = position(2, 1, 9, options={"rounds": 3, "table_radius": 2, "max_ticks": 50})
ROWS = {f"{q},{r}": [(7 * q + 11 * r) % 72, (q - r) % 6] for q in range(-10, 11) for r in range(-10, 11)
        if abs(q + r) <= 10 and (3 * q + 5 * r) % 7 < 2}  # fmt: skip
MADE: dict[str, dict[str, Any]] = {
    "start": START, "gifts": GIFTS, "many discards": MANY, "over": OVER, "drawn": DRAWN, "small table": SMALL,
    **{f"{players} players": position(players, players, 10 * players) for players in range(2, 6)},
    "to the right": position(2, 3, 50, (1, 0.4)), "upwards": position(2, 4, 50, (0.2, -1)),
    "whole table": position(2, 1) | {"figure": ROWS},
    "nothing face up": position(3, 2, up=[None, 4, None], stacks=[[], [], []]),
}  # fmt: skip
SEEN = [(name, seat) for name, made in MADE.items() for seat in (None, *range(made["players"]))]


# ---- looking at scenes -----------------------------------------------------------------------------------------------
def named(scene: Scene | Group, start: str) -> list[str]:
    """Return what follows `start` in the roles that begin with it."""
    found = (shape.role for shape in walk(scene.shapes) if isinstance(shape, Group))
    return [role.removeprefix(start) for role in found if role.startswith(start)]


def titles(scene: Scene | Group, role: str) -> list[str]:
    return [shape.title for shape in groups(scene, role)]


def choices(shown: list[str], kind: str) -> list[str]:
    """Return what the text offers of a kind, over several lines."""
    starts = [index for index, line in enumerate(shown) if line.startswith(f"{kind}: ")]
    if not starts:
        return []
    row = shown[starts[0]].removeprefix(f"{kind}: ")
    for line in shown[starts[0] + 1 :]:
        if not line.startswith("  "):
            break
        row += " " + line.strip()
    return row.split("; ")


def without_colours(shape: Any) -> Any:
    """Return shapes that are all black."""
    if isinstance(shape, tuple):
        return tuple(without_colours(inner) for inner in shape)
    if not is_dataclass(shape) or isinstance(shape, type):
        return shape
    changes = {field.name: without_colours(getattr(shape, field.name)) for field in fields(shape)}
    for name in ("fill", "stroke"):
        if name in changes and changes[name] != "none":
            changes[name] = "ink"
    return replace(shape, **changes | {name: "" for name in ("role", "title") if name in changes})


# ---- tiles -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("look", ["bare", "lettered"])
def test_tiles_are_told_apart_without_colours_and_numbers(look: Any) -> None:
    faces = set()
    for tile in range(len(TILES)):
        shapes = without_colours(face(tile, 0, 0, 40, "", look).shapes)
        faces.add(tuple(shape for shape in walk(shapes) if not isinstance(shape, Text)))
    assert len(faces) == 72


@pytest.mark.parametrize("lettered", [False, True])
def test_every_colour_has_a_pattern(lettered: bool) -> None:
    assert len({without_colours(segment(letter, lettered=lettered)) for letter in "RYBW"}) == 4


def test_a_segment_lies_at_its_side() -> None:
    """HX-2: segment s lies at side s, 60 degrees clockwise from the one before; a turn moves all of them."""
    fills = {"R": "tile-red", "Y": "tile-yellow", "B": "tile-blue", "W": "tile-white"}
    for tile, turn in ((0, 0), (37, 2), (71, 5)):
        turned = face(tile, 0, 0, 40, "", turn=turn).shapes[0]
        assert isinstance(turned, Group)
        found = {}
        for shape in turned.shapes:
            if isinstance(shape, Group) and isinstance(shape.shapes[0], Polygon) and len(shape.shapes[0].points) == 3:
                assert all(x >= 0 for x, _ in shape.shapes[0].points), "unturned, it lies to the right"
                found[(shape.rotate + turned.rotate) / 60 % 6] = shape.shapes[0].fill
        assert found == {at: fills[side(tile, turn, at)] for at in range(6)}


def test_letters_of_a_lettered_tile_lie_on_their_segments() -> None:
    shape = face(30, 0, 0, 40, "", "lettered", 1)
    found = {}
    for word, x, y, _ in placed(shape.shapes):
        if isinstance(word, Text) and word.text in "RYBW":
            assert hypot(x, y) > 15
            at = min(range(6), key=lambda k, x=x, y=y: hypot(x - 20 * cos(k * pi / 3), y - 20 * sin(k * pi / 3)))  # type: ignore[misc]
            found[at] = word.text
    assert found == {at: side(30, 1, at) for at in range(6)}


# ---- the figure ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", MADE)
def test_every_tile_of_the_figure_is_drawn_once_where_it_lies_and_as_it_is_turned(name: str) -> None:
    made = MADE[name]
    figure = group(draw_position(made), "figure")
    spots = []
    for shape in walk(figure.shapes):
        if isinstance(shape, Group) and re.fullmatch(r"tile \d+", shape.role):
            inner = shape.shapes[0]
            assert isinstance(inner, Group)
            spots.append((round(shape.x, 3), round(shape.y, 3), int(shape.role[5:]), round(inner.rotate)))
            assert shape.role[5:] in words(shape.shapes)
    # direction 0 leads to the right, direction 1 to the lower right: pointed tops (HX-2)
    wide = 40 * sqrt(3)
    expected = [
        (round(wide * (q + r / 2), 3), round(60 * r, 3), tile, 60 * turn)
        for (q, r), (tile, turn) in figure_of(made).items()
    ]
    assert sorted(spots) == sorted(expected)


def test_neighbours_touch_along_the_side_of_their_direction() -> None:
    x, y = board.middle((3, -2))
    for at, (q, r) in enumerate(DIRECTIONS):
        to_x, to_y = board.middle((3 + q, -2 + r))
        assert hypot(to_x - x, to_y - y) == pytest.approx(40 * sqrt(3))
        assert (to_x - x, to_y - y) == pytest.approx((40 * sqrt(3) * cos(at * pi / 3), 40 * sqrt(3) * sin(at * pi / 3)))


@pytest.mark.parametrize("name", MADE)
def test_cells_with_two_neighbours_are_named_in_picture_and_text(name: str) -> None:
    made = MADE[name]
    cells = [f"{q},{r}" for q, r in beside(figure_of(made), radius_of(made))]
    scene = draw_position(made)
    assert sorted(named(scene, "free ")) == sorted(cells)
    for cell in cells:
        assert words(group(scene, f"free {cell}").shapes) == [cell]
    shown = "\n".join(text(scene))
    if name != "whole table":
        assert set(cells) <= set(re.findall(r"-?\d+,-?\d+", shown))


@pytest.mark.parametrize(("name", "seat"), SEEN)
def test_all_cells_lie_in_the_frame(name: str, seat: int | None) -> None:
    made = MADE[name]
    legal = legal_of(made, seat) if seat is not None else []
    scene = draw_position(made, (), seat, legal)
    (frame,) = (shape for shape in scene.shapes if isinstance(shape, Group) and shape.role == "board")
    reach = 40 * group(scene, "figure").scale
    count = 0
    for shape, x, y, _ in placed((frame,)):
        if isinstance(shape, Group) and shape.role.startswith(("tile ", "free ", "may be placed ")):
            count += 1
            assert frame.x + reach * sqrt(3) / 2 <= x <= frame.x + board.WIDTH - reach * sqrt(3) / 2
            assert frame.y + reach <= y <= frame.y + board.HEIGHT - reach
    assert count >= len(made["figure"])


def test_the_view_is_near_and_comes_nearer_the_smaller_the_figure() -> None:
    scales = [group(draw_position(MADE[name]), "figure").scale for name in ("start", "5 players", "whole table")]
    assert scales[0] >= 1.4 > scales[1] > scales[2] >= 0.5


def test_tiles_stay_where_they_are_as_a_figure_grows() -> None:
    cameras = []
    for tiles in range(7, 41):
        scene = group(draw_position(position(4, 11, tiles)), "figure")
        cameras.append((scene.scale, scene.x, scene.y))
    assert len(set(cameras)) <= 4
    assert cameras == sorted(cameras, key=lambda camera: -camera[0]), "and never comes nearer again"


def test_tiles_stay_for_long_where_they_are_as_a_figure_grows_to_one_side() -> None:
    figure, _ = grown(4, 50, (0.2, -1))
    cameras = []
    for count in range(7, len(figure) + 1):
        shown = {f"{q},{r}": list(tile) for (q, r), tile in [*figure.items()][:count]}
        scene = group(draw_position(position(2, 4, 7) | {"figure": shown}), "figure")
        cameras.append((scene.scale, scene.x, scene.y))
    moves = sum(one != two for one, two in pairwise(cameras))
    assert 2 <= moves <= 8
    assert len({scale for scale, _, _ in cameras}) <= 4


@pytest.mark.parametrize("name", MADE)
def test_the_table_is_cut_at_the_frame(name: str) -> None:
    scene = draw_position(MADE[name])
    camera, table = group(scene, "figure"), group(scene, "table")
    ends = []
    for shape in table.shapes:
        if isinstance(shape, Path):
            ends += [tuple(map(float, end)) for end in re.findall(r"(-?[\d.]+) (-?[\d.]+)", shape.d)]
    assert len(ends) > 60
    for x, y in ends:
        assert 7 <= camera.x + camera.scale * x <= board.WIDTH - 7
        assert 7 <= camera.y + camera.scale * y <= board.HEIGHT - 7


def test_the_rim_of_the_table_is_seen_where_it_is_near() -> None:
    def rims(made: dict[str, Any]) -> list[Path]:
        return [shape for shape in walk(draw_position(made).shapes) if isinstance(shape, Path)
                and shape.stroke == "table-rim"]  # fmt: skip

    assert not rims(START)
    (rim,) = rims(SMALL)
    assert rim.d.count("M") == 6 * (2 * 2 + 1), "every cell at the rim has two outer sides, at a corner three"


# ---- what players have -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("name", "seat"), SEEN)
def test_every_player_has_a_face_up_tile_counts_points_and_gifts(name: str, seat: int | None) -> None:
    made = MADE[name]
    scene = draw_position(made, seat=seat)
    for owner in range(made["players"]):
        card = group(scene, f"player {owner}")
        up = made["up"][owner]
        assert named(card, "face up ") == ([] if up is None else [str(up)])
        assert bool(groups(card, "no tile face up")) == (up is None)
        if up is not None:
            assert str(up) in words(group(card, f"face up {up}").shapes)
            assert group(card, f"face up {up}").scale > 1, "it is larger than in the figure"
        for what, count in (
            ("stack", len(made["stacks"][owner])),
            ("discards", len(made["discards"][owner])),
            ("penalty", made["penalties"][owner]),
        ):
            assert words(group(card, f"count {what}").shapes) == [str(count), what]
        due = made["gift_due"][owner]
        assert [words(gift.shapes) for gift in groups(card, "gift due")] == ([[str(due)]] if due else [])
        assert len(groups(card, "dealer")) == (owner == made["dealer"])


def test_the_viewer_comes_first_and_the_others_are_counted_as_gifts_are() -> None:
    scene = draw_position(GIFTS, seat=2)
    heights = {owner: group(scene, f"player {owner}").y for owner in range(4)}
    assert sorted(heights, key=lambda owner: heights[owner]) == [2, 3, 0, 1]
    for owner, left in ((3, 1), (0, 2), (1, 3)):
        assert words(group(group(scene, f"player {owner}"), "left").shapes) == [f"left{left}"]
    assert not groups(group(scene, "player 2"), "left")
    assert "view of player 2" in words(scene.shapes)
    everyone = draw_position(GIFTS)
    assert not groups(everyone, "left")
    heights = {owner: group(everyone, f"player {owner}").y for owner in range(4)}
    assert sorted(heights, key=lambda owner: heights[owner]) == [0, 1, 2, 3]


@pytest.mark.parametrize("name", MADE)
def test_discards_are_shown_one_by_one_to_whom_they_belong(name: str) -> None:
    made = MADE[name]
    for seat in (None, *range(made["players"])):
        scene = draw_position(made, seat=seat)
        for owner, tiles in enumerate(made["discards"]):
            shown = [int(tile) for tile in named(group(scene, f"player {owner}"), "discard ")]
            assert shown == (tiles if seat in (None, owner) else [])


def test_more_discards_than_find_room_are_counted() -> None:
    made = position(5, 2, 7, stacks=[[]] * 5)
    made["discards"][0] = list(range(60))
    card = group(draw_position(made), "player 0")
    shown = named(card, "discard ")
    assert shown == [str(tile) for tile in range(len(shown))]
    assert len(shown) < 60
    assert f"+{60 - len(shown)}" in words(card.shapes)


def test_the_viewers_tile_is_shown_in_all_turns_and_those_that_fit_are_marked() -> None:
    made = MADE["4 players"]
    scene = draw_position(made, seat=1, legal=["place 0,-3 2", "place -3,0 2", "place -3,0 5"])
    own = group(scene, "player 1")
    for turn in range(6):
        drawn = group(own, f"turn {turn}")
        inner = drawn.shapes[0]
        assert isinstance(inner, Group)
        assert inner.rotate == 60 * turn
        assert drawn.title.startswith(f"tile {made['up'][1]} ")
    assert titles(own, "turn that fits") == ["place Q,R 2", "place Q,R 5"]
    assert not named(draw_position(made), "turn "), "nobody looks"


# ---- what stays hidden -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", MADE)
def test_a_scene_for_a_seat_keeps_stacks_and_others_discards_hidden(name: str) -> None:
    """C-9: picture and text stay the same, whatever lies face down."""
    made = MADE[name]
    for seat in range(made["players"]):
        other = copy.deepcopy(made)
        shuffled = random.Random(3)
        unseen = [*other["stacks"], *(tiles for owner, tiles in enumerate(other["discards"]) if owner != seat)]
        bag = [tile for tiles in unseen for tile in tiles]
        shuffled.shuffle(bag)
        for tiles in unseen:
            tiles[:] = [bag.pop() for _ in tiles]
        last = [f"player {owner} next" for owner in range(made["players"])]
        one, two = (draw_position(each, last, seat, legal_of(made, seat)) for each in (made, other))
        assert one == two
        if any(len(tiles) > 1 for tiles in made["discards"]):
            assert draw_position(made) != draw_position(other), "who sees everything sees the difference"


def test_a_seat_sees_its_own_discards_and_everything_public() -> None:
    made = position(3, 4, 25)
    before = draw_position(made, seat=2)

    def changed(**keys: Any) -> Scene:
        return draw_position(made | keys, seat=2)

    own = [*made["discards"][:2], made["discards"][2][::-1]]
    for scene in (
        changed(discards=own),
        changed(up=[made["up"][1], made["up"][0], made["up"][2]]),
        changed(stacks=[made["stacks"][0][1:], *made["stacks"][1:]]),
        changed(discards=[made["discards"][0][1:], *made["discards"][1:]]),
        changed(gift_due=[0, 2, 0]),
        changed(penalties=[1, 3, 6]),
        changed(dealer=2),
        changed(round=2),
        changed(tick=10),
    ):
        assert scene.shapes != before.shapes
        assert scene.text != before.text


def test_what_others_may_do_is_not_told() -> None:
    """What can be recalled is what lies among the discards."""
    made = position(3, 4, 25)
    told = [f"player {owner} {name}" for owner in range(3) for name in legal_of(made, owner)]
    assert draw_position(made, (), 1, told) == draw_position(made, (), 1, legal_of(made, 1)), (
        "names aside, all the same"
    )
    everything = draw_position(made, (), None, told)
    for owner in range(3):
        rims = titles(group(everything, f"player {owner}"), "may be recalled")
        assert rims == [f"recall {tile}" for tile in made["discards"][owner]]


def test_stacks_are_told_in_the_text_to_who_sees_everything() -> None:
    line = f"        stack, top first: {' '.join(map(str, GIFTS['stacks'][2]))}"
    assert line in text(draw_position(GIFTS))
    assert not any("top first" in line for line in text(draw_position(GIFTS, seat=2)))


# ---- what may be done ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", [name for name in MADE if name != "whole table"])
@pytest.mark.parametrize("absolute", [False, True])
def test_everything_that_may_be_done_is_marked(name: str, absolute: bool) -> None:
    made = MADE[name]
    for seat in range(made["players"]):
        legal = legal_of(made, seat)
        scene = draw_position(made, (), seat, [f"player {seat} {each}" for each in legal] if absolute else legal)
        places = sorted(each for each in legal if each.startswith("place"))
        assert sorted(titles(scene, "turn")) == places
        cells = sorted({each.split()[1] for each in places})
        assert sorted(named(scene, "may be placed ")) == cells
        for cell in cells:
            turns = [each.split()[2] for each in places if each.split()[1] == cell]
            assert words(group(scene, f"may be placed {cell}").shapes) == [cell, *turns]
            assert not groups(scene, f"free {cell}")
        recalls = [each for each in legal if each.startswith("recall")]
        assert titles(scene, "may be recalled") == recalls
        shown = text(scene)
        assert choices(shown, "recall") == [each.removeprefix("recall ") for each in recalls]
        for kind in ("place", "give"):
            names = [each.removeprefix(f"{kind} ") for each in legal if each.startswith(kind)]
            assert Counter(choices(shown, kind)) == Counter(names)
        simple = [each for each in legal if each in ("wait", "next")]
        assert not simple or ", ".join(simple) in shown


def test_nothing_is_marked_where_nothing_is_said_to_be_legal() -> None:
    for made in MADE.values():
        scene = draw_position(made, seat=1)
        assert not named(scene, "may be")
        assert not named(scene, "turn that fits")


def test_for_who_sees_everything_turns_say_whose_they_are() -> None:
    scene = draw_position(START, legal=["player 0 place 1,-2 0", "player 1 place 1,-2 0", "player 1 place 1,-2 3"])
    assert words(group(scene, "may be placed 1,-2").shapes) == ["1,-2", "0:0", "1:0", "1:3"]
    bare = draw_position(START, legal=["place 1,-2 4"])
    assert words(group(bare, "may be placed 1,-2").shapes) == ["1,-2", "4"]


def test_a_gift_is_asked_for() -> None:
    scene = draw_position(GIFTS, seat=3, legal=legal_of(GIFTS, 3))
    due = min(6, 1 + len(GIFTS["stacks"][3]) + len(GIFTS["discards"][3]))
    assert f"you may give {due} tiles away, or none" in words(group(scene, "status").shapes)
    assert text(scene)[-2:] == [
        "give: 0,0,0; 6,0,0; 0,6,0; 0,0,6", "the numbers are for left1 (player 0), left2 (player 1), left3 (player 2)",
    ]  # fmt: skip
    assert "players 1 and 3 may give tiles away" in words(group(draw_position(GIFTS), "status").shapes)
    assert "everybody acts at once" in words(group(draw_position(START), "status").shapes)


@pytest.mark.parametrize(
    "name", ["player 2 give 2 tiles to player 3, 1 tile to player 1", "player 2 give 2,0,1", "player_2: give 2,0,1"]
)
def test_gifts_are_read_from_absolute_and_own_names(name: str) -> None:
    action = read_action(name, 4)
    assert (action.kind, action.seat, dict(action.gifts)) == ("give", 2, {3: 2, 1: 1})


# ---- what was just done ----------------------------------------------------------------------------------------------
def at(made: dict[str, Any], index: int) -> tuple[str, int]:
    """Return the name and the turn of one of the latest tiles."""
    cell = list(made["figure"])[index]
    return cell, made["figure"][cell][1]


def test_what_was_placed_is_pointed_at_with_who_placed_it() -> None:
    made = MADE["4 players"]
    (one, turn), (two, other) = at(made, -1), at(made, -2)
    scene = draw_position(made, [f"player 0 place {one} {turn}", "player 1 next", f"player 2 place {two} {other}"])
    assert titles(scene, "placed") == [f"player 0: {one}", f"player 2: {two}"]
    assert [words(mark.shapes) for mark in groups(scene, "placed")] == [["0"], ["2"]]
    tile = group(group(scene, "figure"), f"tile {made['figure'][one][0]}")
    assert (groups(scene, "placed")[0].x, groups(scene, "placed")[0].y) == (tile.x, tile.y)
    assert f"[{made['figure'][one][0]}]" in "".join(text(scene))
    assert [words(group(group(scene, f"player {owner}"), "did").shapes) for owner in range(3)] == [
        [f"place {one} {turn}"], ["next"], [f"place {two} {other}"],
    ]  # fmt: skip
    assert not groups(group(scene, "player 3"), "did")


def test_what_came_too_late_is_crossed_out() -> None:
    made = MADE["3 players"]
    cell, turn = at(made, -1)
    free = "{},{}".format(*beside(figure_of(made))[0])
    names = [f"player 0 place {cell} {turn}", f"player 1 place {cell} {(turn + 1) % 6}", f"player 2 place {free} 0"]
    scene = draw_position(made, names, seat=0)
    assert titles(scene, "placed") == [f"player 0: {cell}"]
    assert sorted(titles(scene, "failed")) == sorted([f"player 1: {cell}", f"player 2: {free}"])
    assert f"place {free} 0 - too late" in words(group(scene, "player 2").shapes)
    assert f"        last: place {free} 0 - too late" in text(scene)
    assert not any(line.endswith(f"place {cell} {turn} - too late") for line in text(scene))


def test_of_two_who_wanted_the_same_it_was_the_one_with_a_gift_due() -> None:
    made = MADE["3 players"]
    cell, turn = at(made, -1)
    names = [f"player 0 place {cell} {turn}", "player 1 wait", f"player 2 place {cell} {turn}"]
    unknown = draw_position(made, names)
    assert titles(unknown, "placed") == [f"player 0, 2: {cell}"]
    assert not groups(unknown, "failed")
    known = draw_position(made | {"gift_due": [0, 0, 2]}, names)
    assert titles(known, "placed") == [f"player 2: {cell}"]
    assert titles(known, "failed") == [f"player 0: {cell}"]


def test_own_names_one_a_seat_are_told_apart_by_their_order() -> None:
    made = MADE["2 players"]
    cell, turn = at(made, -1)
    scene = draw_position(made, ["recall 7", f"place {cell} {turn}"])
    assert titles(scene, "placed") == [f"player 1: {cell}"]
    assert words(group(group(scene, "player 0"), "did").shapes) == ["recall 7"]


def test_of_the_round_before_nothing_is_pointed_at() -> None:
    scene = draw_position(START, ["player 0 place 3,3 1", "player 1 place 0,0 0"])
    assert not groups(scene, "placed")
    assert not groups(scene, "failed")
    assert not groups(scene, "did")
    assert "last: player 0 place 3,3 1, player 1 place 0,0 0" in words(scene.shapes)


def test_of_many_names_the_latest_are_listed_in_the_picture_and_all_in_the_text() -> None:
    names = [f"something that happened {at}" for at in range(20)]
    scene = draw_position(MADE["2 players"], names)
    (line,) = (
        shape for shape in walk(group(scene, "legend").shapes) if isinstance(shape, Text) and "last" in shape.text
    )
    assert line.text.endswith(names[-1])
    assert line.size == 14
    listed = " ".join(word.strip() for word in text(scene) if "something" in word)
    assert listed == f"last: {', '.join(names)}"


@pytest.mark.parametrize(
    "name",
    ["", "hop", "player 0", "player 7 next", "place 99,99 1", "player 1 place 1,1", "recall 99", "give",
     "player 0 give", "give 1,2,3,4,5", "place 0,0 6", "dealt tile 3"],
)  # fmt: skip
def test_unknown_names_are_just_listed(name: str) -> None:
    made = MADE["2 players"]
    scene = draw_position(made, [name])
    assert not groups(scene, "placed")
    assert not groups(scene, "failed")
    assert [word.strip() for word in words(group(scene, "legend").shapes) if word.startswith("last:")] == [
        f"last: {name}".strip()
    ]
    assert f"last: {name}".rstrip() in text(scene)
    draw_position(made, [], 0, [name])


# ---- how it stands, and how it ended ---------------------------------------------------------------------------------
def test_the_status_tells_round_tick_and_dealer() -> None:
    status = words(group(draw_position(SMALL), "status").shapes)
    assert status == ["Round 2 of 3", "everybody acts at once", "tick 9", "of at most 50 · player 1 has dealt"]
    shown = text(draw_position(SMALL))
    assert shown[:2] == [f"Hexx & Hopp · {status[0]}: {status[1]}", f"{status[2]} {status[3]}"]
    assert "Round 1 of 10" in words(draw_position(START).shapes)


def test_the_end_shows_winner_ranks_and_who_won_the_round() -> None:
    scene = draw_position(OVER, seat=0)
    status = words(group(scene, "status").shapes)
    assert {"Player 1 wins!", "with 9 penalty points", "of round 10: player 2 has no tile left"} <= set(status)
    ranks = {owner: words(group(group(scene, f"player {owner}"), "rank").shapes) for owner in range(3)}
    assert ranks == {0: ["2nd"], 1: ["1st"], 2: ["3rd"]}
    assert [len(groups(group(scene, f"player {owner}"), "winner")) for owner in range(3)] == [0, 1, 0]
    shared = draw_position(DRAWN)
    assert "Players 0 and 3 win" in words(shared.shapes)
    assert words(group(shared, "status").shapes)[-2:] == ["tick 300", "of round 3"]
    assert sum(word == "1st" for word in words(shared.shapes)) == 2
    assert any("1st - winner" in line for line in text(shared))


def test_six_contacts_are_told_as_the_rounds_end() -> None:
    tiles = {"0,0": [1, 0], **{f"{q},{r}": [at, 0] for at, (q, r) in enumerate(DIRECTIONS, 2)}}
    made = position(2, 1, phase="over", winners=[0], penalties=[0, 8], figure=tiles, round=3)
    assert View.of(made, ["player 1 place 0,0 0", "player 0 wait"]).round_winner == (1, "touched six tiles")
    assert View.of(made).round_winner is None
    due = View.of(made | {"gift_due": [0, 6]}, ["player 1 place 0,0 0", "player 0 wait"])
    assert due.round_winner is None, "it had five contacts when it was placed (HX-7)"
    paid = View.of(made | {"round": 0, "penalties": [4, 8]}, ["player 1 place 0,0 0", "player 0 wait"])
    assert paid.round_winner is None, "everybody has paid"
    assert View.of(made | {"round": 0}).round_winner == (0, "touched six tiles"), "the only one without points"


def test_nobody_wins_a_game_without_winners() -> None:
    assert "Nobody wins" in words(draw_position(DRAWN | {"winners": []}).shapes)


# ---- the picture as a whole ------------------------------------------------------------------------------------------
def full(name: str, seat: int | None) -> Scene:
    """Return a picture with as many marks as there can be."""
    made = MADE[name]
    if made["phase"] == "over":
        return draw_position(made, ["player 0 wait", "player 1 give 2 tiles to player 0"], seat)
    cell, turn = at(made, -1)
    last = [f"player 0 place {cell} {turn}", f"player 1 place {cell} {(turn + 2) % 6}"]
    last += [f"player {owner} give 2 tiles to player 0, 4 tiles to player 1" for owner in range(2, made["players"])]
    legal = [f"player {owner} {each}" for owner in range(made["players"]) for each in legal_of(made, owner)]
    return draw_position(made, last, seat, legal)


@pytest.mark.parametrize(("name", "seat"), SEEN)
def test_all_that_is_written_lies_in_its_part_of_the_picture(name: str, seat: int | None) -> None:
    scene = full(name, seat)
    parts = [
        ("status", 0, panel.WIDTH), ("legend", 0, board.WIDTH), ("board", 0, board.WIDTH),
        *((f"player {owner}", 0, panel.WIDTH) for owner in range(MADE[name]["players"])),
    ]  # fmt: skip
    for role, left, right in parts:
        ((part, x0, _, _),) = [found for found in placed(scene.shapes) if getattr(found[0], "role", "") == role]
        assert isinstance(part, Group)
        seen = 0
        for shape, x, y, scale in placed(part.shapes):
            if isinstance(shape, Text):
                start = x - scale * {"start": 0.0, "middle": shape.width / 2, "end": shape.width}[shape.anchor]
                assert start >= left, shape.text
                assert start + scale * shape.width <= right, shape.text
                seen += bool(shape.text) and y >= 0
        assert seen
        assert x0 + right <= scene.width


@pytest.mark.parametrize(("name", "seat"), SEEN)
def test_nothing_in_the_lines_of_a_card_overlaps(name: str, seat: int | None) -> None:
    scene = full(name, seat)
    for owner in range(MADE[name]["players"]):
        card = group(scene, f"player {owner}")
        left = min(
            x for shape, x, _, _ in placed(card.shapes) if isinstance(shape, Group) and shape.title == f"player {owner}"
        )
        boxes = [(x - 16, x + 16, y - 10, y + 10) for shape, x, y, _ in placed(card.shapes)
                 if isinstance(shape, Group) and shape.role in ("gift due", "winner")]  # fmt: skip
        for shape, x, y, scale in placed(card.shapes):
            if isinstance(shape, Text) and x > left and not re.fullmatch(r"[RYBW]", shape.text):
                start = x - scale * {"start": 0.0, "middle": shape.width / 2, "end": shape.width}[shape.anchor]
                box = (start, start + scale * shape.width, y - scale * shape.size / 3, y + scale * shape.size / 5)
                if not any(low <= x <= high and top <= y <= foot for low, high, top, foot in boxes[:1]):  # its number
                    boxes.append(box)
        for one in boxes:
            for two in boxes:
                apart = one is two or one[1] <= two[0] or two[1] <= one[0] or one[3] <= two[2] or two[3] <= one[2]
                assert apart, (owner, one, two)


def test_the_cards_fit_beside_the_board() -> None:
    for name, seat in SEEN:
        scene = full(name, seat)
        top = group(scene, "status").y
        cards = [group(scene, f"player {owner}") for owner in range(MADE[name]["players"])]
        spans = []
        for card in cards:
            ground = next(shape for shape in walk(card.shapes) if isinstance(shape, Rect))
            spans.append((card.y, card.y + ground.h))
        assert all(one[1] < two[0] for one, two in pairwise(sorted(spans)))
        assert max(foot for _, foot in spans) - top <= panel.HEIGHT


def test_all_pictures_have_one_size() -> None:
    assert len({(scene.width, scene.height) for scene in (full(name, seat) for name, seat in SEEN)}) == 1


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", MADE)
def test_pictures_are_small_and_find_their_colours(name: str, theme: Any) -> None:
    for seat in (None, 1):
        written = scene_to_svg(full(name, seat), theme)
        assert len(written) < (250_000 if name == "whole table" else 150_000)
        assert written == scene_to_svg(full(name, seat), theme)


def test_every_colour_of_the_palette_is_used() -> None:
    used: set[str] = set()
    for name, seat in SEEN:
        for shape in walk(full(name, seat).shapes):
            used |= {getattr(shape, "fill", "none"), getattr(shape, "stroke", "none")}
    assert {colour.name for colour in COLOURS} <= used
    assert len({colour.name for colour in COLOURS}) == len(COLOURS)
    assert all(re.fullmatch("#[0-9a-f]{6}", value) for colour in COLOURS for value in (colour.light, colour.dark))


def test_an_animation_of_a_round_writes_what_stays_once() -> None:
    figure, bag = grown(2, 40)
    cells = list(figure)
    scenes = []
    for count in range(7, 41):
        shown = {f"{q},{r}": list(figure[q, r]) for q, r in cells[:count]}
        q, r = cells[count - 1]
        last = [f"player {count % 2} place {q},{r} {figure[q, r][1]}"] if count > 7 else []
        made = position(2, 2, tick=count - 7, figure=shown, stacks=[bag[: 20 - count // 2], bag[20 : 40 - count // 3]])
        scenes.append(draw_position(made, last))
    written = animate(scenes)
    alone = sum(len(scene_to_svg(scene)) for scene in scenes)
    assert len(written) < min(300_000, alone / 4)


def test_titles_say_how_it_stands() -> None:
    assert draw_position(START).title.startswith("Hexx & Hopp: Round 1 of 10")
    assert "Player 1 wins!" in draw_position(OVER).title


@pytest.mark.parametrize("seat", [-1, 2])
def test_a_seat_that_does_not_play_is_refused(seat: int) -> None:
    with pytest.raises(ValueError, match=f"seat {seat}"):
        draw_position(START, seat=seat)


# ---- the text --------------------------------------------------------------------------------------------------------
# Tile 0 is RRRYBW: unturned, its first red side is to the right, its blue one at the upper left, its white one at the
# upper right. Tile 3 is RRRBWY.
SAMPLE = position(
    2, 1, figure={"0,0": [0, 0], "1,0": [3, 2], "0,1": [0, 5]}, up=[28, None], stacks=[[1, 2], []],
    discards=[[52, 4], [11]],
)  # fmt: skip


def test_the_text_shows_the_figure_as_a_map() -> None:
    shown = text(draw_position(SAMPLE, ["player 0 place 1,0 2"], 0, ["place 1,1 0", "place 1,1 3", "next"]))
    first = next(index for index, line in enumerate(shown) if line.startswith("r=")) - 1
    assert shown[first : first + 9] == [
        "",
        "r=-1          1,-1",
        "",
        "           B  W  R  B",
        "r=0       Y 0  RR[3] W",
        "           R  R  R  Y",
        "              W  R",
        "r=1     -1,1 B 0  R 1,1",
        "              Y  R *0,3*",
    ]


def test_letters_of_the_map_meet_where_sides_touch() -> None:
    """HX-2: in the map a side's letter stands beside, above or below that of the side that it touches."""
    made = MADE["3 players"]
    lines = [line.ljust(120) for line in text(draw_position(made))]
    first = next(index for index, line in enumerate(lines) if line.startswith("r=")) - 1
    top = int(lines[first + 1].split()[0].removeprefix("r="))
    figure = figure_of(made)
    spots = {}
    for cell, (tile, _) in figure.items():
        row = lines[first + 3 * (cell[1] - top) + 1]
        found = [match.start() for match in re.finditer(rf"(?<=[RYBW]) ?\[?{tile}[ \]]? ?(?=[RYBW])", row)]
        assert len(found) >= 1, (cell, tile)
        spots[cell] = min(found, key=lambda column, cell=cell: abs(column - (6 * cell[0] + 3 * cell[1])))  # type: ignore[misc]
    origin = {column - 6 * q - 3 * r for (q, r), column in spots.items()}
    assert len(origin) == 1, "every cell lies where its name says"
    for (q, r), (tile, turn) in figure.items():
        column, line = spots[q, r] - 1, first + 3 * (r - top)
        assert [
            lines[line + down][column + right] for down, right in ((1, 5), (2, 4), (2, 1), (1, 0), (0, 1), (0, 4))
        ] == [side(tile, turn, at) for at in range(6)]


def test_the_text_tells_of_every_player() -> None:
    shown = text(draw_position(SAMPLE, ["player 0 next", "player 1 wait"], seat=0))
    at = shown.index("   0  Player 0 (you), 0 penalty points")
    assert shown[at + 1 : at + 7] == [
        "        face up: 28 RRWWYB · stack: 2 · discards: 2",
        "        last: next",
        f"        discards, oldest first: 52 {TILES[52]}, 4 RRRWYB",
        "   1  Player 1 (left1), dealer, 3 penalty points",
        "        face up: none · stack: 0 · discards: 1",
        "        last: wait",
    ]
    gifts = text(draw_position(GIFTS, seat=1))
    assert ">  1  Player 1 (you), dealer, 3 penalty points, may give 4 away" in gifts


def test_the_text_shows_the_viewers_tile_in_all_turns() -> None:
    shown = text(draw_position(SAMPLE, seat=0))
    at = next(index for index, line in enumerate(shown) if line.startswith("turned"))
    assert [re.findall("[RYBW]", line) for line in shown[at - 1 : at + 2]] == [
        [side(28, turn, each) for turn in range(6) for each in sides] for sides in ((4, 5), (3, 0), (2, 1))
    ]
    assert re.findall(r"\d", shown[at]) == list("012345")
    assert not any(line.startswith("turned") for line in text(draw_position(SAMPLE)))
    assert not any(line.startswith("turned") for line in text(draw_position(SAMPLE, seat=1)))


def test_a_wide_figure_is_written_closer_together() -> None:
    made = MADE["whole table"]
    shown = text(draw_position(made, seat=0, legal=["place 2,-10 0", "place 2,-10 5"]))
    row = next(index for index, line in enumerate(shown) if line.startswith("r=-10"))
    assert re.search(r"[RYBW][ \d]{2}[RYBW]", shown[row])
    assert "*05*" in shown[row + 1]
    assert any("its r stands at the left" in line for line in shown)
    labels = [int(line.split()[0].removeprefix("r=")) for line in shown if line.startswith("r=")]
    assert labels == list(range(-10, 11))


@pytest.mark.parametrize(("name", "seat"), SEEN)
def test_the_text_fits_a_terminal_and_colours_only_add_to_it(name: str, seat: int | None) -> None:
    scene = full(name, seat)
    bare = scene_to_text(scene, colour=False)
    assert max(map(len, bare.splitlines())) <= 100
    stripped = re.sub(r"\x1b\[[0-9;]*m", "", scene_to_text(scene))
    assert [line.rstrip() for line in stripped.splitlines()] == bare.splitlines()
    assert scene_to_text(scene, theme="dark")
