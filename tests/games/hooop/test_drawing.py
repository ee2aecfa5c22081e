"""What the pictures and the text of Hooop! show."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from math import dist
from typing import Any

import pytest

from hopenvs.games.hooop.board import LAYOUTS, Layout
from hopenvs.games.hooop.draw import draw_position
from hopenvs.games.hooop.draw.board import plan
from hopenvs.games.hooop.draw.view import CARDS, View
from hopenvs.render.scene import Group, Rect, Scene, Shape, Text, walk
from hopenvs.render.svg import animate, scene_to_svg
from hopenvs.render.text import scene_to_text
from tests.render.looking import text, words

BOARDS = [("square5", 2), ("square5", 4), ("triangle5", 3), ("triangle6", 3), ("square3", 2)]
SEEN = [(board, players, seat) for board, players in BOARDS for seat in (None, *range(players))]
CODES = [("square5", 2), ("triangle5", 3), ("triangle6", 3), ("square3", 2), ("square5", 4)]
LAYOUT_OF = dict(zip(CODES, LAYOUTS, strict=True))


def position(board: str = "square5", players: int = 2, missing: str = "", **keys: Any) -> dict[str, Any]:
    """Return a position at the start of a turn, all frogs at home and all bridges there but some."""
    base = {
        "game": "hooop", "players": players, "board": board, "phase": "turn", "to_play": 0, "turn": 7,
        "frogs": [[f"H{seat}"] * 3 for seat in range(players)], "cards": [list(CARDS) for _ in range(players)],
        "bridges": [f"{a}-{b}" for a, b in LAYOUT_OF[board, players].edges if f"{a}-{b}" not in missing.split()],
        "card_used": False, "pushed": None, "last_jump": None, "action_kind": None, "winners": [],
    }  # fmt: skip
    return base | keys


def scattered(seed: int, board: str, players: int) -> dict[str, Any]:
    """Return a position with frogs anywhere (at most one on a leaf), and about a third of the bridges gone."""
    draw = random.Random(seed)
    layout = LAYOUT_OF[board, players]
    leaves = draw.sample(range(layout.leaves), layout.leaves)
    frogs: list[list[Any]] = []
    for _ in range(players):
        places: list[Any] = [
            leaves.pop() if leaves and draw.random() < 0.6 else f"H{draw.randrange(players)}" for _ in "abc"
        ]
        frogs.append(sorted(places, key=lambda place: (isinstance(place, str), place)))
    missing = " ".join(f"{a}-{b}" for a, b in layout.edges if draw.random() < 0.35)
    return position(board, players, missing, frogs=frogs, to_play=draw.randrange(players), turn=seed)


def some_legal(made: dict[str, Any]) -> list[str]:
    """Return jumps, chutes and bridges of the seat to play that only look at what is next to its frogs."""
    layout = LAYOUT_OF[made["board"], made["players"]]
    seat, bridges = made["to_play"], {tuple(map(int, name.split("-"))) for name in made["bridges"]}
    names = [f"jump H{seat}>{layout.homes[seat]}"] if f"H{seat}" in made["frogs"][seat] else []
    for place in made["frogs"][seat]:
        for a, b in layout.edges:
            if place in (a, b):
                names.append(f"{'jump' if (a, b) in bridges else 'chute'} {place}>{a + b - place}")
        if place in layout.homes:
            names.append(f"jump {place}>H{layout.homes.index(place)}")
    return names + [f"bridge {a}-{b}" for a, b in layout.edges if (a, b) not in bridges]


# Red (seat 3) has jumped onto its own frog at 14 and pushes; blue is seat 1, green 0, pink 2.
CHAIN: dict[str, Any] = {
    "missing": "13-14 3-8 7-8 8-9", "phase": "push", "to_play": 3, "pushed": {"leaf": 13, "owner": 1},
    "frogs": [[8, "H0", "H0"], [13, "H1", "H1"], [18, "H2", "H2"], [13, 14, "H3"]], "action_kind": "jump",
}  # fmt: skip
PUSH = position("square5", 4, **CHAIN)
PUSH_LAST = ["jump H3>14", "jump 14>13"]
PUSH_LEGAL = ["jump 13>12", "jump 13>18"]
EXTRA = position(
    "triangle5", 3, "1-4", phase="extra", to_play=1, last_jump=4, action_kind="jump",
    frogs=[[3, "H0", "H2"], [4, "H0", "H1"], [12, 13, "H2"]],
    cards=[[], ["extra_jump", "remove_bridge"], ["parachute"]],
)  # fmt: skip
EXTRA_LEGAL = ["jump 4>7", "jump 4>8", *(f"remove {name}" for name in EXTRA["bridges"]), "end"]
END = position(
    "square5", 4, phase="over", to_play=None, turn=141, winners=[2],
    frogs=[["H1", "H2", "H0"], [4, "H1", "H1"], ["H0", "H1", "H3"], [9, "H0", "H3"]],
)  # fmt: skip
TRUNCATED = position(phase="over", to_play=None, turn=2000, truncated=True, frogs=[["H1", "H1", 3], [4, 5, "H0"]])
NO_CARDS = position(cards=[[], []], options={"cards": False})
TWO_FROGS = position("square3", 2, "1-4", frogs=[[4, "H0"], [8, "H0"]], options={"frogs": 2})
MADE = {
    "push": PUSH, "extra": EXTRA, "end": END, "truncated": TRUNCATED, "no cards": NO_CARDS, "two frogs": TWO_FROGS,
    **{f"{board} {players}": scattered(3, board, players) for board, players in BOARDS},
}  # fmt: skip


def groups(scene: Scene, role: str) -> list[Group]:
    return [shape for shape in walk(scene.shapes) if isinstance(shape, Group) and shape.role == role]


def titles(scene: Scene, role: str) -> list[str]:
    return sorted(group.title for group in groups(scene, role))


def owners(scene: Scene) -> dict[str, list[str]]:
    """Return the numbers of the frogs on every place, in the order in which they are drawn."""
    found: dict[str, list[str]] = {}
    for shape in walk(scene.shapes):
        if isinstance(shape, Group) and shape.role.startswith("frogs "):
            pieces = (inner for inner in walk(shape.shapes) if isinstance(inner, Group) and inner.role == "piece")
            found[shape.role.removeprefix("frogs ")] = [word for piece in pieces for word in words(piece.shapes)]
    return found


def as_seen(layout: Layout, seat: int | None, place: Any) -> str:
    """Return a place's own-view name by HO-0, worked out apart from the drawing's code."""
    if isinstance(place, str):
        return f"H{(int(place[1:]) - (seat or 0)) % len(layout.homes)}"
    for _ in range(seat or 0):
        place = layout.turned[place]
    return str(place)


# ---- frogs, leaves, bridges, homes -----------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("board", "players", "seat"), SEEN)
def test_every_frog_is_drawn_once_where_it_is_and_with_its_number(
    seed: int, board: str, players: int, seat: int | None
) -> None:
    made = scattered(seed, board, players)
    layout = LAYOUT_OF[board, players]
    scene = draw_position(made, seat=seat)
    expected: dict[str, list[str]] = {}
    for owner, places in enumerate(made["frogs"]):
        for place in places:
            expected.setdefault(as_seen(layout, seat, place), []).append(str(owner))
    assert {place: sorted(found) for place, found in owners(scene).items()} == expected
    assert len(groups(scene, "piece")) == 3 * players


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("board", "players", "seat"), SEEN)
def test_bridges_are_there_or_not_and_leaves_wear_the_numbers_of_the_view(
    seed: int, board: str, players: int, seat: int | None
) -> None:
    made = scattered(seed, board, players)
    layout = LAYOUT_OF[board, players]
    scene = draw_position(made, seat=seat)
    expected = []
    for name in made["bridges"]:
        a, b = (int(as_seen(layout, seat, int(end))) for end in name.split("-"))
        expected.append(f"bridge {min(a, b)}-{max(a, b)}")
    assert titles(scene, "bridge") == sorted(expected)
    assert Counter(word for tag in groups(scene, "number") for word in words(tag.shapes)) == Counter(
        map(str, range(layout.leaves))
    )
    assert len(groups(scene, "home bridge")) == players
    for home in range(players):
        (island,) = groups(scene, f"home H{home}")
        owner = (home + (seat or 0)) % players
        assert words(island.shapes) == [f"H{home} · player {owner}"]
        assert f"seat{owner}" in {shape.fill for shape in island.shapes if isinstance(shape, Rect)}


@pytest.mark.parametrize(("board", "players"), BOARDS)
def test_the_own_home_lies_at_the_bottom_or_at_the_left_corner(board: str, players: int) -> None:
    at = plan(LAYOUT_OF[board, players])
    x, y = at.points["H0"]
    others = [at.points[f"H{home}"] for home in range(1, players)]
    if board.startswith("triangle"):
        assert all(x < other[0] for other in others)
        assert y > at.points["0"][1]
    else:
        assert all(y > other[1] for other in others)
    if players == 4:  # clockwise: bottom, left, top, right
        assert at.points["H1"][0] < at.points["H2"][0] < at.points["H3"][0]
        assert at.points["H2"][1] < at.points["H1"][1] == at.points["H3"][1] < y


def test_turning_the_board_keeps_neighbours_and_home_leaves() -> None:
    for layout in LAYOUTS:
        for seat in range(len(layout.homes)):
            turned = layout.view(seat)
            assert {tuple(sorted((turned[a], turned[b]))) for a, b in layout.edges} == set(layout.edges)
            assert [turned[layout.homes[(seat + k) % len(layout.homes)]] for k in range(len(layout.homes))] == list(
                layout.homes
            )


def test_seven_frogs_of_three_colours_find_room_in_a_home() -> None:
    made = position("triangle5", 3, frogs=[["H1", "H1", 3], ["H1", "H1", "H1"], ["H1", "H1", 4]])
    scene = draw_position(made)
    assert owners(scene)["H1"] == ["1", "1", "1", "0", "0", "2", "2"], "the owner's frogs first"
    (home,) = groups(scene, "frogs H1")
    spots = {(piece.x, piece.y) for piece in home.shapes if isinstance(piece, Group) and piece.role == "piece"}
    assert len(spots) == 7


@pytest.mark.parametrize("count", range(1, 13))
def test_no_frog_reaches_out_of_its_home(count: int) -> None:
    from hopenvs.games.hooop.draw.board import _seats
    from hopenvs.games.hooop.draw.figures import HOME_H, HOME_W

    scale, spots = _seats("H0", count)
    assert len(set(spots)) == count
    for x, y in spots:
        assert abs(x) + 29 * scale <= HOME_W / 2
        assert abs(y) + 27 * scale <= HOME_H / 2


def test_of_two_frogs_on_a_leaf_the_pushed_one_stands_out() -> None:
    scene = draw_position(PUSH, PUSH_LAST, legal=PUSH_LEGAL)
    assert owners(scene)["13"] == ["3", "1"]
    (leaf,) = groups(scene, "frogs 13")
    (marked,) = [s for s in leaf.shapes if isinstance(s, Group) and s.role == "must go on"]
    pieces = [s for s in leaf.shapes if isinstance(s, Group) and s.role == "piece"]
    assert (marked.x, marked.y) == (pieces[1].x, pieces[1].y)
    assert abs(pieces[0].x - pieces[1].x) > 30, "both are seen"
    assert not groups(scene, "may go"), "nobody else may"
    assert groups(draw_position(PUSH), "must go on"), "also without a list of what may be done"


def test_a_pushed_frog_of_the_same_owner_is_the_second_one() -> None:
    made = position("square5", 4, phase="push", to_play=3, pushed={"leaf": 14, "owner": 3})
    made["frogs"][3] = [14, 14, "H3"]
    scene = draw_position(made, ["jump H3>14"], legal=["jump 14>13"])
    assert owners(scene)["14"] == ["3", "3"]
    assert len(groups(scene, "must go on")) == 1
    assert not groups(scene, "may go")


def test_a_game_that_ends_during_a_push_still_shows_both_frogs() -> None:
    forfeited = PUSH | {"phase": "over", "to_play": None, "winners": [0, 1, 2]}
    scene = draw_position(forfeited)
    assert owners(scene)["13"] == ["3", "1"]
    assert not groups(scene, "must go on")


# ---- what has been done ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("seat", [None, 0, 1, 2, 3])
def test_the_last_jumps_are_pointed_at_and_their_bridges_fade(seat: int | None) -> None:
    layout = LAYOUT_OF["square5", 4]
    scene = draw_position(PUSH, PUSH_LAST, seat)
    home, start, end = (as_seen(layout, seat, place) for place in ("H3", 14, 13))
    assert titles(scene, "hop") == sorted([f"jump {home}>{start}", f"jump {start}>{end}"])
    low, high = sorted((int(start), int(end)))
    assert titles(scene, "gone bridge") == [f"the bridge {low}-{high} has gone"], "home bridges stay"
    said = f"last: jump {home}>{start}, jump {start}>{end}"
    assert said in words(scene.shapes)
    assert text(scene)[1] == said
    assert len(groups(scene, "glow")) == 2, "the frogs that have moved"


@pytest.mark.parametrize(("board", "players"), BOARDS)
def test_arrows_of_the_last_jumps_leave_the_numbers_in_sight(board: str, players: int) -> None:
    at = plan(LAYOUT_OF[board, players])
    for a, b in LAYOUT_OF[board, players].edges:
        for name in (f"jump {a}>{b}", f"jump {b}>{a}"):
            (hop,) = groups(draw_position(position(board, players, f"{a}-{b}"), [name]), "hop")
            tips = [shape for shape in hop.shapes if isinstance(shape, Group)]
            assert all(dist((tip.x, tip.y), at.tag(place)) > 25 for tip in tips for place in (str(a), str(b))), name


def test_a_new_bridge_shines_and_a_removed_one_fades() -> None:
    scene = draw_position(position(missing="7-8"), ["bridge 3-4", "remove 7-8"])
    assert len(groups(scene, "new bridge")) == 1
    assert titles(scene, "gone bridge") == ["the bridge 7-8 has gone"]
    again = draw_position(position(), ["jump 3>4"])
    assert not groups(again, "gone bridge"), "somebody has placed it again"
    undone = draw_position(position(missing="3-4"), ["bridge 3-4", "remove 3-4"])
    assert not groups(undone, "new bridge")
    assert len(groups(undone, "gone bridge")) == 1


def test_a_parachute_jump_takes_no_bridge_and_an_end_shows_nothing() -> None:
    made = position(frogs=[[8, "H0", "H0"], ["H1"] * 3], missing="3-8")
    scene = draw_position(made, ["chute 3>8"])
    assert titles(scene, "hop") == ["chute 3>8"]
    assert not groups(scene, "gone bridge")
    assert not groups(draw_position(made, ["end"]), "hop")


def test_a_long_turn_keeps_its_latest_actions_in_the_picture() -> None:
    made = position("square3", 2, "0-1")
    scene = draw_position(made, ["jump H0>7", "jump 7>4", "jump 4>5", "jump 5>2", "jump 2>1", "jump 1>0"])
    (said,) = [word for word in words(scene.shapes) if word.startswith("last: ")]
    assert said.endswith("jump 1>0")
    assert len(groups(scene, "hop")) == 6


@pytest.mark.parametrize(
    "name",
    ["hop 3", "jump 3", "jump 3>9", "jump 3>25", "jump H0>21", "jump H2>2", "jump H0>H1", "chute H0>22", "chute 22>H0",
     "bridge 4-3", "bridge 3-9", "remove 30-31", "bridge 3>4", "jump 3-4", "end ", "jump -1>0", ""],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["last", "legal"])
def test_names_that_are_no_actions_are_refused(name: str, kind: str) -> None:
    with pytest.raises(ValueError, match=re.escape(repr(name))):
        draw_position(position(), **{kind: [name]})  # type: ignore[arg-type]


def test_a_seat_that_does_not_play_is_refused() -> None:
    with pytest.raises(ValueError, match="seat 2"):
        draw_position(position(), seat=2)


# ---- what may be done ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("board", "players", "seat"), SEEN)
def test_everything_that_may_be_done_is_marked(seed: int, board: str, players: int, seat: int | None) -> None:
    made = scattered(seed, board, players)
    layout = LAYOUT_OF[board, players]
    legal = some_legal(made)
    scene = draw_position(made, seat=seat, legal=legal)
    shown = View.of(made, (), seat, legal).legal
    for kind in ("jump", "chute", "bridge"):
        assert titles(scene, f"legal {kind}") == sorted(action.name for action in shown if action.kind == kind)
        assert len(groups(scene, f"legal {kind}")) == sum(name.startswith(kind) for name in legal)
    jumps = {name for name in legal if name.startswith("jump")}
    for name in jumps:
        source, target = (int(end) if end.isdigit() else end for end in name.removeprefix("jump ").split(">"))
        assert f"jump {as_seen(layout, seat, source)}>{as_seen(layout, seat, target)}" in titles(scene, "legal jump")
    sources = {name.split()[1].split(">")[0] for name in legal if not name.startswith("bridge")}
    movable = sum(str(place) in sources for place in made["frogs"][made["to_play"]])
    assert len(groups(scene, "may go")) == movable


def test_arrows_lie_on_their_bridges_and_lead_the_right_way() -> None:
    made = position(frogs=[[12, "H0", "H0"], ["H1"] * 3])
    scene = draw_position(made, legal=["jump 12>7", "jump 12>13", "jump H0>22"])
    at = plan(LAYOUT_OF["square5", 2])
    turns = {}
    for mark in groups(scene, "legal jump"):
        (arrow,) = (shape for shape in mark.shapes if isinstance(shape, Group))
        turns[mark.title] = arrow.rotate % 360
        source, target = mark.title.removeprefix("jump ").split(">")
        (x1, y1), (x2, y2) = at.points[source], at.points[target]
        assert min(x1, x2) - 1 <= mark.x <= max(x1, x2) + 1
        assert min(y1, y2) - 1 <= mark.y <= max(y1, y2) + 1
    assert turns == {"jump 12>7": 270, "jump 12>13": 0, "jump H0>22": 270}


def test_frogs_that_could_change_places_have_arrows_side_by_side() -> None:
    made = position(frogs=[[7, 12, "H0"], ["H1"] * 3])
    one, other = groups(draw_position(made, legal=["jump 7>12", "jump 12>7"]), "legal jump")
    assert abs(one.x - other.x) > 12
    assert one.y == other.y


def test_cards_after_a_jump_are_offered() -> None:
    scene = draw_position(EXTRA, ["jump 1>4"], seat=1, legal=EXTRA_LEGAL)
    assert len(groups(scene, "legal remove")) == len(EXTRA["bridges"])
    assert len(groups(scene, "legal jump")) == 2
    assert len(groups(scene, "may go")) == 1
    assert {"Player 1", "may jump again, remove a bridge or end"} <= set(words(scene.shapes))
    assert "may use a card or end" in words(draw_position(EXTRA).shapes)


def test_nothing_is_marked_where_nothing_is_said_to_be_legal() -> None:
    for made in MADE.values():
        roles = {shape.role for shape in walk(draw_position(made).shapes) if isinstance(shape, Group)}
        assert not [role for role in roles if role.startswith(("legal", "may go"))]


# ---- the panel -------------------------------------------------------------------------------------------------------
def test_the_panel_says_who_does_what() -> None:
    shown = draw_position(position(turn=17, to_play=1))
    (status,) = groups(shown, "status")
    assert {"Player 1", "jumps or places a bridge", "turn 17"} <= set(words(status.shapes))
    (status,) = groups(draw_position(PUSH, seat=3), "status")
    where = as_seen(LAYOUT_OF["square5", 4], 3, 13)
    assert {"Player 3", f"sends on frog 1 from leaf {where}"} <= set(words(status.shapes))


def test_the_panel_counts_frogs_in_other_homes_and_places_left() -> None:
    made = position("triangle5", 3, frogs=[["H1", "H1", "H0"], [3, "H1", "H2"], ["H2"] * 3])
    scene = draw_position(made, seat=2)
    for player, arrived, taken, free in ((0, "2 of 3", 2, 2), (1, "1 of 3", 1, 3), (2, "0 of 3", 0, 4)):
        (part,) = groups(scene, f"player {player}")
        assert arrived in words(part.shapes)
        inner = [shape.role for shape in walk(part.shapes) if isinstance(shape, Group)]
        assert (inner.count("taken place"), inner.count("free place")) == (taken, free)
        homes = sorted(role.removeprefix("quota ") for role in inner if role.startswith("quota "))
        assert homes == sorted({"H0", "H1", "H2"} - {as_seen(LAYOUT_OF["triangle5", 3], 2, f"H{player}")})
    assert "you" in words(scene.shapes)
    assert "view of player 2" in words(scene.shapes)


def test_two_frogs_a_player_need_two_places() -> None:
    scene = draw_position(TWO_FROGS)
    assert {"0 of 2", "1 of 2"} <= set(words(scene.shapes))
    assert len(groups(scene, "free place")) == 3


def test_used_cards_are_shown_as_used() -> None:
    scene = draw_position(EXTRA)
    for player, left in enumerate(EXTRA["cards"]):
        (part,) = groups(scene, f"player {player}")
        inner = [shape.role for shape in walk(part.shapes) if isinstance(shape, Group)]
        assert {role.removeprefix("card ") for role in inner if role.startswith("card ")} == set(left)
        used = {role.removeprefix("used card ") for role in inner if role.startswith("used card ")}
        assert used == set(CARDS) - set(left)


def test_without_cards_none_are_shown() -> None:
    scene = draw_position(NO_CARDS)
    assert not [s for s in walk(scene.shapes) if isinstance(s, Group) and "card " in s.role]
    assert not any("cards:" in line for line in text(scene))
    assert any("cards: none" in line for line in text(draw_position(position(cards=[[], []])))), "all are used"


def test_the_end_shows_winner_and_ranks() -> None:
    shown = words(draw_position(END).shapes)
    assert {"Player 2", "wins!"} <= set(shown)
    assert Counter(w for w in shown if re.fullmatch(r"\d(st|nd|rd|th)", w)) == {"1st": 1, "2nd": 1, "3rd": 1, "4th": 1}
    assert {"Nobody wins", "turn limit reached"} <= set(words(draw_position(TRUNCATED).shapes))
    forfeited = position("triangle5", 3, phase="over", to_play=None, winners=[0, 2])
    assert {"Players 0, 2", "win"} <= set(words(draw_position(forfeited).shapes))


# ---- the picture as a whole ------------------------------------------------------------------------------------------
def placed(shapes: tuple[Shape, ...], x: float = 0.0, y: float = 0.0) -> Iterator[tuple[Text, float, float]]:
    """Yield every text with where it lies, but those in groups that are turned or scaled."""
    for shape in shapes:
        if isinstance(shape, Text):
            yield shape, x + shape.x, y + shape.y
        elif isinstance(shape, Group) and shape.scale == 1 and not shape.rotate:
            yield from placed(shape.shapes, x + shape.x, y + shape.y)


@pytest.mark.parametrize("name", MADE)
def test_all_that_is_written_lies_in_the_picture(name: str) -> None:
    made = MADE[name]
    legal = some_legal(made) if made["to_play"] is not None else []
    scene = draw_position(made, seat=1, legal=legal)
    for word, x, y in placed(scene.shapes):
        left = x - {"start": 0.0, "middle": word.width / 2, "end": word.width}[word.anchor]
        assert left >= 0, word.text
        assert left + word.width <= scene.width, word.text
        assert 0 <= y <= scene.height, word.text


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", MADE)
def test_pictures_are_small_in_both_themes(name: str, theme: Any) -> None:
    made = MADE[name]
    legal = some_legal(made) if made["to_play"] is not None else []
    written = scene_to_svg(draw_position(made, legal=legal), theme)
    assert len(written) < 100_000
    assert written == scene_to_svg(draw_position(made, legal=legal), theme)


def test_the_size_depends_on_the_board_and_the_players_only() -> None:
    for board, players, seat in SEEN:
        made = scattered(1, board, players)
        scenes = [
            draw_position(position(board, players), seat=seat),
            draw_position(made, seat=seat, legal=some_legal(made)),
            draw_position(made, [*some_legal(made)[:5], "end"], seat=seat),
            draw_position(made | {"phase": "over", "to_play": None, "winners": [1]}, seat=seat),
        ]
        assert len({(scene.width, scene.height) for scene in scenes}) == 1


def test_an_animation_writes_the_bare_board_once() -> None:
    scenes = [draw_position(scattered(seed, "square5", 4)) for seed in range(20)]
    written = animate(scenes)
    assert len(written) < 250_000, "though every picture is quite another position"
    assert written.count("home of player 3") == 1


# ---- the text --------------------------------------------------------------------------------------------------------
def test_the_text_of_a_start_is_a_board() -> None:
    shown = text(draw_position(position("square3", 2), seat=1, legal=["jump H0>7"]))
    assert shown[0] == "Hooop! · turn 7 · Player 0 jumps or places a bridge"
    assert shown[3:12] == [
        "           H1[000]",
        "              ║",
        " 0 ·  ────  1 ·  ────  2 ·",
        "   │          │          │",
        " 3 ·  ────  4 ·  ────  5 ·",
        "   │          │          │",
        " 6 ·  ────  7 ·  ────  8 ·",
        "              ║",
        "           H0[111]",
    ]
    assert shown[-1] == "jump H1: >1", "named as seat 1 sees it"


def test_the_text_shows_missing_bridges_frogs_and_homes_at_the_sides() -> None:
    shown = text(draw_position(PUSH, PUSH_LAST, legal=PUSH_LEGAL))
    (row,) = [line for line in shown if "══" in line and "]" in line and "12" in line]
    assert row == "H1[11] ══ 10 ·  ──── 11 ·  ──── 12 ·  ──── 13(3!1)    14(3) ══ H3[3]"
    (row,) = [line for line in shown if line.strip().startswith("5 ·")]
    assert row.strip() == "5 ·  ────  6 ·  ────  7 ·        8(0)       9 ·"
    assert "Of the two frogs on a leaf the one behind ! has to go on." in shown
    assert shown[-1] == "jump 13: >12 >18"


@pytest.mark.parametrize("board", ["triangle5", "triangle6"])
def test_the_text_of_a_triangle_has_slanting_bridges(board: str) -> None:
    layout = LAYOUT_OF[board, 3]
    shown = text(draw_position(position(board, 3)))
    at = next(index for index, line in enumerate(shown) if line.strip() == "║")
    size = len(layout.rows)
    assert shown[at - 1].strip() == "H1[111]"
    for row, leaves in enumerate(layout.rows):
        line = shown[at + 1 + 2 * row]
        assert re.findall(r"(\d+) ·", line) == [str(number) for number in leaves]
        if row < size - 1:
            assert shown[at + 2 + 2 * row].split() == ["/", "\\"] * (row + 1)
    assert shown[at + 2 * size - 1].startswith("H0[000] ══ ")
    assert shown[at + 2 * size - 1].endswith(" ══ H2[222]")


def test_every_bridge_is_one_mark_in_the_text() -> None:
    for board, players in BOARDS:
        full = "\n".join(text(draw_position(position(board, players))))
        for a, b in LAYOUT_OF[board, players].edges:
            less = "\n".join(text(draw_position(position(board, players, missing=f"{a}-{b}"))))
            changed = sum((full.count(line) - less.count(line)) / (4 if line == "─" else 1) for line in "─│/\\")
            assert 1 <= changed <= 1.5, (board, a, b)


def test_the_text_groups_what_may_be_done_by_frog() -> None:
    made = position(frogs=[[22, 8, "H0"], ["H1"] * 3], missing="8-9 3-8 0-1")
    legal = [
        "jump H0>22",
        "jump 22>23",
        "jump 22>17",
        "jump 22>H0",
        "jump 8>7",
        "chute 8>9",
        "bridge 3-8",
        "bridge 0-1",
    ]
    shown = text(draw_position(made, legal=legal))
    assert shown[-6:] == ["", "jump 8: >7", "jump 22: >17 >23 >H0", "jump H0: >22", "chute 8: >9", "bridge: 0-1 3-8"]
    shown = text(draw_position(EXTRA, legal=EXTRA_LEGAL))
    assert shown[-1] == "end"
    removals = " ".join(line.strip().removeprefix("remove: ") for line in shown[shown.index("jump 4: >7 >8") + 1 : -1])
    assert removals.split() == [name.removeprefix("remove ") for name in EXTRA_LEGAL if name.startswith("remove")]


def test_the_text_tells_of_every_player() -> None:
    made = position("triangle5", 3, frogs=[["H1", "H1", "H0"], [3, "H1", "H2"], ["H2"] * 3], to_play=2)
    made["cards"] = [["parachute"], [], list(CARDS)]
    shown = text(draw_position(made, seat=2))
    assert "   0  Player 0 (H1): 2 of 3 arrived (H2 2/2 H0 0/2), cards: chute" in shown
    assert "   1  Player 1 (H2): 1 of 3 arrived (H0 1/2 H1 0/2), cards: none" in shown
    assert ">  2  Player 2 (H0, you): 0 of 3 arrived (H1 0/2 H2 0/2), cards: again chute bridge+ bridge-" in shown
    assert any("1st - winner" in line for line in text(draw_position(END)))


@pytest.mark.parametrize("seat", [None, 1])
@pytest.mark.parametrize("name", MADE)
def test_the_text_fits_a_terminal_and_colours_only_add_to_it(name: str, seat: int | None) -> None:
    made = MADE[name]
    legal = some_legal(made) if made["to_play"] is not None else []
    scene = draw_position(made, [*legal[:8]], seat, legal)
    plain = scene_to_text(scene, colour=False)
    assert max(map(len, plain.splitlines())) <= 100
    stripped = re.sub(r"\x1b\[[0-9;]*m", "", scene_to_text(scene))
    assert [line.rstrip() for line in stripped.splitlines()] == plain.splitlines()
