"""What the pictures and the text of Hedgehog Hop show, and what they keep hidden."""

from __future__ import annotations

import copy
import random
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from hopenvs.games.hedgehog_hop.battle import draw as battle_draw
from hopenvs.games.hedgehog_hop.battle.draw import table
from hopenvs.games.hedgehog_hop.battle.draw import view as battle_view
from hopenvs.games.hedgehog_hop.cards import NAMES
from hopenvs.games.hedgehog_hop.draw import words as as_text
from hopenvs.games.hedgehog_hop.draw.cards import card, parts
from hopenvs.games.hedgehog_hop.draw.palette import COLOURS
from hopenvs.games.hedgehog_hop.draw.pieces import spread
from hopenvs.games.hedgehog_hop.puzzler import draw as puzzler_draw
from hopenvs.games.hedgehog_hop.puzzler.draw import mob as floor
from hopenvs.games.hedgehog_hop.puzzler.draw.view import View
from hopenvs.render.scene import Circle, Group, Scene, Text, walk
from hopenvs.render.svg import animate, scene_to_svg
from hopenvs.render.text import scene_to_text
from tests.render.looking import group, groups, placed, roles, text, words

# ---- positions -------------------------------------------------------------------------------------------------------
SQUARE = [(x, y) for y in (1, 0, -1) for x in (-1, 0, 1)]


def deck(players: int, seed: int = 0) -> list[str]:
    """Return the shuffled cards of a game."""
    cards = list(NAMES) * (2 if players >= 4 else 1)
    random.Random(seed).shuffle(cards)
    return cards


def ordered(cards: list[str]) -> list[str]:
    return sorted(cards, key=NAMES.index)


def puzzle(players: int = 2, seed: int = 0, cells: list[tuple[int, int]] | None = None, **keys: Any) -> dict[str, Any]:
    """Return a position in the middle of a Puzzler; whether play leads there doesn't matter here."""
    cards = deck(players, seed)
    draw = random.Random(seed)
    if cells is None:
        wide = draw.sample([(x, y) for x in range(-3, 5) for y in range(-1, 4)], 11 if players < 4 else 20)
        cells = sorted({(0, 0), *wide})
    mob = {f"{x},{y}": cards.pop() for x, y in cells}
    promo = keys.get("promo")
    if promo:
        mob["0,0"] = "unicorn" if promo == "unicorn" else "zombie"
    hands = [ordered([cards.pop() for _ in range(3)]) for _ in range(players)]
    backups = [ordered([cards.pop() for _ in range(seat % 3)]) for seat in range(players)]
    queue = [cards.pop() for _ in range(2)]
    pushed_out = [cards.pop() for _ in range(3)] if players >= 4 else []
    removed = [cards.pop()] if promo and "zombie" in promo else []
    base = {
        "game": "hedgehog_hop", "family": "puzzler", "players": players, "promo": promo, "phase": "play", "to_play": 1,
        "mob": mob, "hands": hands, "backups": backups, "draw": ordered(cards), "draw_face_up": queue,
        "discard": pushed_out, "removed": removed, "steals_due": 0, "must_discard": False, "turn": 3 * players + 1,
        "winners": [],
    }  # fmt: skip
    return base | keys


def battle(players: int = 4, seed: int = 0, **keys: Any) -> dict[str, Any]:
    """Return a position in the middle of a Dance Battle, in the second round (three players: turn 4)."""
    cards = deck(players, seed)
    start, acted = (0, 0) if players == 3 else (1, 1)
    to_play = 1 if players == 3 else (start + acted) % players
    crews = [[cards.pop() for _ in range(4)] for _ in range(players)]
    hands = [ordered([cards.pop() for _ in range(3 if players < 4 else 2)]) for _ in range(players)]
    plans: list[str | None] = [None] * players
    have_acted = [False] * players
    if players > 3:
        have_acted[start] = True
        plans = [None if have_acted[seat] else cards.pop() for seat in range(players)]
    audition = ordered([cards.pop() for _ in range(5 if players == 3 else 7)])
    discard = [cards.pop() for _ in range(2)] if players == 3 else []
    base = {
        "game": "hedgehog_hop", "family": "battle", "players": players, "phase": "play", "to_play": to_play,
        "crews": crews, "hands": hands, "planned": plans, "audition": audition, "draw": ordered(cards),
        "discard": discard, "start": start, "round": 1, "turn": 4 if players == 3 else players + 1,
        "acted": have_acted, "pending": None, "must_discard": False, "last_turn": False,
        "known": [hand[:1] for hand in hands], "winners": [],
    }  # fmt: skip
    return base | keys


def plays(made: dict[str, Any]) -> list[str]:
    """Return all that the seat to play may do in a Puzzler, but for the edge of the table."""
    mover = made["to_play"]
    cells = [tuple(map(int, cell.split(","))) for cell in made["mob"]]
    columns, rows = (sorted({cell[at] for cell in cells}) for at in (0, 1))
    names = []
    for source, cards in (("hand", made["hands"][mover]), ("backup", made["backups"][mover])):
        for name in dict.fromkeys(cards):
            lines = [f"c{x}" for x in columns] if name.endswith("hop") else [f"r{y}" for y in rows]
            names += [f"{source} {name} {line}" for line in lines]
    return names


def pushes(made: dict[str, Any]) -> list[str]:
    """Return all that the seat to play may do in the phase `play` of a Dance Battle."""
    mover, players = made["to_play"], made["players"]
    lefts = {3: (1, 2), 5: (2, 3)}.get(players, (players // 2,))
    hops = [f"c{column} player {(mover + left) % players}" for column in (0, 1) for left in lefts]
    if players > 3:
        return [f"push {way}" for way in (hops if made["planned"][mover].endswith("hop") else ["r0", "r1"])]
    names = []
    for source, cards in (
        ("hand", made["hands"][mover]),
        ("audition", made["audition"]),
        ("pile", made["discard"][-1:]),
    ):
        for name in cards:
            names += [f"{source} {name} {way}" for way in (hops if name.endswith("hop") else ("r0", "r1"))]
    return names


OVER: dict[str, Any] = {"phase": "over", "to_play": None, "winners": [1]}
LEADS = puzzle(3, **OVER, hands=[["blue-rave-hop"], ["red-spicy-slide"], ["green-street-groove"]], turn=15)
PUZZLES = {
    **{f"{players} players": puzzle(players, players) for players in range(2, 7)},
    "unicorn": puzzle(2, 8, promo="unicorn"), "zombie": puzzle(3, 9, promo="zombie"),
    "vegan zombie": puzzle(5, 10, promo="vegan_zombie"), "end": LEADS,
    "wide": puzzle(3, 3, [(x, 0) for x in range(-9, 9)] + [(0, 1)]),
    "huge": puzzle(6, 3, [(x, y) for x in range(-10, 11) for y in range(-2, 14) if (3 * x + 5 * y) % 13 == 0]),
    "discard": puzzle(2, 5, phase="discard", must_discard=True),
    "steal": puzzle(4, 5, phase="steal", steals_due=2, draw=[], draw_face_up=[]),
}  # fmt: skip
LAYING = battle(
    4, 2, phase="crew", to_play=1, turn=0, round=0, start=0, acted=[False] * 4, audition=[], known=[[]] * 4,
    planned=[None] * 4,
)  # fmt: skip
LAYING["crews"] = [LAYING["crews"][0], [*LAYING["crews"][1][:2], None, None], [None] * 4, [None] * 4]
PLANNING = battle(
    5, 6, phase="plan", to_play=3, planned=["red-rave-hop", "blue-rave-slide", "red-spicy-hop", None, None]
)
PLANNING |= {"start": 0, "acted": [False] * 5}
BATTLES = {
    **{f"{players} players": battle(players, players) for players in range(3, 7)},
    "laying": LAYING, "planning": PLANNING,
    "collecting": battle(6, 3, phase="collect", pending="end"),
    "discarding": battle(3, 3, phase="discard", must_discard=True),
    "end": battle(4, 7, **OVER, round=8, planned=[None] * 4, acted=[False] * 4),
    "draw": battle(3, 7, **OVER | {"winners": []}, last_turn=True, audition=[]),
    "truncated": battle(3, 7, **OVER | {"winners": []}, truncated=True),
}  # fmt: skip
Draw = Callable[..., Scene]
EVERYTHING: list[Any] = [
    *(pytest.param(puzzler_draw.draw_position, made, id=f"puzzler {name}") for name, made in PUZZLES.items()),
    *(pytest.param(battle_draw.draw_position, made, id=f"battle {name}") for name, made in BATTLES.items()),
]


def legal_of(made: dict[str, Any]) -> list[str]:
    """Return some of what may be done in a position."""
    mover, phase = made["to_play"], made["phase"]
    if phase == "over":
        return []
    if phase == "play":
        return plays(made) if made["family"] == "puzzler" else pushes(made)
    if phase == "steal":
        others = [seat for seat in range(made["players"]) if seat != mover]
        return [f"steal {name} of player {seat}" for seat in others for name in made["backups"][seat]] + ["no steal"]
    if phase == "collect":
        return [f"collect {name}" for name in made["audition"]]
    return [f"{phase} {name}" for name in dict.fromkeys(made["hands"][mover])]


# ---- looking at scenes -----------------------------------------------------------------------------------------------
def cards_of(scene: Scene | Group) -> Counter[str]:
    """Return how often every card is shown."""
    return Counter(role.removeprefix("card ") for role in roles(scene) if role.startswith("card "))


def backs_of(scene: Scene | Group) -> int:
    """Return how many cards lie face down outside of the draw pile."""
    piles = sum(roles(pile).count("back") for pile in groups(scene, "draw pile"))
    return roles(scene).count("back") - piles


def spots(scene: Scene, role: str) -> list[tuple[float, float]]:
    """Return where the groups with a role lie."""
    return [(x, y) for shape, x, y, _ in placed(scene.shapes) if isinstance(shape, Group) and shape.role == role]


# ---- cards -----------------------------------------------------------------------------------------------------------
def without_colours(shape: Any) -> Any:
    """Return shapes that are all black: of colours only the paper of the cards stays."""
    if isinstance(shape, tuple):
        return tuple(without_colours(inner) for inner in shape)
    if not is_dataclass(shape) or isinstance(shape, type):
        return shape
    changes = {field.name: without_colours(getattr(shape, field.name)) for field in fields(shape)}
    for name in ("fill", "stroke"):
        if name in changes and changes[name] != "none":
            changes[name] = "ink"
    return replace(shape, **changes | {name: "" for name in ("role", "title") if name in changes})


@pytest.mark.parametrize("small", [False, True])
def test_cards_are_told_apart_without_colours(small: bool) -> None:
    faces = {without_colours(card(name, 0, 0, 100, small=small)) for name in (*NAMES, "unicorn", "zombie")}
    assert len(faces) == 38


@pytest.mark.parametrize("small", [False, True])
def test_a_card_wears_an_arrow_and_the_letter_of_its_colour_at_its_left_edge(small: bool) -> None:
    turns = {"hop": 0.0, "groove": 90.0, "slide": 270.0}
    for name in NAMES:
        colour, _, move = parts(name)
        face = card(name, 0, 0, 100, small=small)
        assert words(face.shapes) == [colour[0].upper()]
        assert turns[move] in [shape.rotate for shape in walk(face.shapes) if isinstance(shape, Group)]
        if not small:
            (letter,) = [x for shape, x, _, _ in placed((face,)) if isinstance(shape, Text)]
            assert letter < 30, "in sight where the next card covers the rest"


def test_promo_cards_wear_their_names() -> None:
    assert "UNICORN" in words(card("unicorn", 0, 0, 100).shapes)
    assert {"ZOMBIE", "R"} <= set(words(card("zombie", 0, 0, 100).shapes))


def test_four_letters_name_every_card_in_the_text() -> None:
    codes = [as_text.code(name) for name in (*NAMES, "unicorn", "zombie")]
    assert len(set(codes)) == 38
    assert {len(code) for code in codes} == {4}
    assert as_text.code("green-rave-hop") == "Gra^"
    assert as_text.code("red-street-groove") == "Rst>"
    assert as_text.code("blue-retro-slide") == "Bre<"


def test_rows_of_cards_overlap_only_where_they_must() -> None:
    assert spread(3, 50, 400) == [0, 55, 110]
    many = spread(20, 50, 400)
    assert many[0] == 0
    assert many[-1] + 50 <= 400.5
    assert spread(0, 50, 400) == []
    assert spread(1, 50, 40) == [0]


@pytest.mark.parametrize("family", [puzzler_draw, battle_draw])
def test_neither_family_draws_with_the_other(family: Any) -> None:
    other = "battle" if family is puzzler_draw else "puzzler"
    for file in (Path(family.__file__).parent, Path(as_text.__file__).parent):
        for source in file.glob("*.py"):
            assert f"hedgehog_hop.{other}" not in source.read_text(encoding="utf-8"), source


# ---- the Puzzlers: what is there -------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", PUZZLES)
def test_everything_that_is_open_in_a_puzzler_is_shown_once(name: str) -> None:
    made = PUZZLES[name]
    common = [*made["mob"].values(), *made["draw_face_up"], *made["discard"], *made["removed"]]
    common += [dancer for row in made["backups"] for dancer in row]
    for seat in (None, *range(made["players"])):
        scene = puzzler_draw.draw_position(made, seat=seat)
        open_ = [hand for owner, hand in enumerate(made["hands"]) if seat in (None, owner) or name == "end"]
        assert cards_of(scene) == Counter([*common, *(held for hand in open_ for held in hand)])
        assert backs_of(scene) == sum(map(len, made["hands"])) - sum(map(len, open_))
        (pile,) = groups(scene, "draw pile")
        assert words(pile.shapes) == [str(len(made["draw"]))]
        assert cards_of(pile) == Counter(), "no card of the pile is seen"


def test_hands_and_backup_dancers_lie_with_their_owners() -> None:
    made = puzzle(4, 4)
    scene = puzzler_draw.draw_position(made)
    for seat in range(4):
        mine = group(scene, f"player {seat}")
        assert cards_of(mine) == Counter(made["hands"][seat] + made["backups"][seat])
        assert {f"{len(made['hands'][seat])}", f"{len(made['backups'][seat])}"} <= set(words(mine.shapes))


def test_the_piles_keep_their_order() -> None:
    made = puzzle(6, 4, promo="zombie", removed=["red-retro-hop", "green-retro-hop"])
    scene = puzzler_draw.draw_position(made)
    for role, key in (("draw face up", "draw_face_up"), ("discard pile", "discard"), ("removed", "removed")):
        shown = [shape for shape in group(scene, role).shapes if isinstance(shape, Group) and "card" in shape.role]
        assert [shape.role.removeprefix("card ") for shape in shown] == made[key]
        assert [shape.x for shape in shown] == sorted(shape.x for shape in shown)
    assert not groups(puzzler_draw.draw_position(puzzle(3)), "discard pile"), "nothing is pushed out"
    assert not groups(puzzler_draw.draw_position(puzzle(3)), "removed")
    assert "eaten" in words(scene.shapes)
    assert "tagged out" in words(puzzler_draw.draw_position(PUZZLES["vegan zombie"]).shapes)


def test_the_mob_is_a_grid_with_numbers_at_its_edges() -> None:
    made = puzzle(2, 1, [(0, 0), (2, 0), (2, 1), (-1, -1)])
    scene = puzzler_draw.draw_position(made)
    assert Counter(words(tuple(groups(scene, "number")))) == Counter(
        {"c-1": 1, "c0": 1, "c2": 1, "r-1": 2, "r0": 2, "r1": 2}
    ), "a line without cards has no number"
    at = floor.plan(View.of(made).bounds)
    for cell, name in made["mob"].items():
        x, y = map(int, cell.split(","))
        (shown,) = groups(group(scene, "mob"), f"card {name}")
        assert shown.title == f"{name} at c{x} r{y}"
        left, top = at.corner((x, y))
        assert left <= shown.x <= left + at.cell
        assert top <= shown.y <= top + at.cell
    assert at.corner((0, 1))[1] < at.corner((0, 0))[1], "y points up"
    assert at.corner((1, 0))[0] > at.corner((0, 0))[0]


@pytest.mark.parametrize("name", PUZZLES)
def test_the_mob_fits_its_floor(name: str) -> None:
    view = View.of(PUZZLES[name])
    at = floor.plan(view.bounds)
    assert at.cell <= 104
    for cell in view.mob:
        x, y = at.corner(cell)
        assert x > 40
        assert x + at.cell < floor.WIDTH - 40
        assert y > 16
        assert y + at.cell < floor.HEIGHT - 40


def test_a_full_table_of_six_is_drawn_with_small_cards() -> None:
    view = View.of(PUZZLES["huge"])
    assert view.bounds == (-10, 10, -2, 13)
    assert floor.plan(view.bounds).cell > 33
    assert floor.plan((-4, 4, -2, 5)).cell > 60, "a mob as play makes it is drawn large"


# ---- the Puzzlers: what is hidden ------------------------------------------------------------------------------------
def redealt(made: dict[str, Any], seat: int, seed: int) -> dict[str, Any]:
    """Return a Puzzler that a seat can't tell from the given one."""
    changed = copy.deepcopy(made)
    others = [other for other in range(made["players"]) if other != seat]
    cards = [held for other in others for held in made["hands"][other]] + made["draw"]
    random.Random(seed).shuffle(cards)
    for other in others:
        changed["hands"][other] = ordered([cards.pop() for _ in made["hands"][other]])
    changed["draw"] = ordered(cards)
    return changed


@pytest.mark.parametrize("name", [name for name in PUZZLES if name != "end"])
def test_a_puzzler_hides_other_hands_and_the_face_down_pile(name: str) -> None:
    made = PUZZLES[name]
    legal, last = legal_of(made), ["hand green-rave-hop c0", "discard red-rave-slide"]
    for seat in range(made["players"]):
        scene = puzzler_draw.draw_position(made, last, seat, legal)
        for seed in range(3):
            changed = redealt(made, seat, seed)
            assert puzzler_draw.draw_position(changed, last, seat, legal_of(changed)) == scene
            assert changed == made or puzzler_draw.draw_position(changed) != puzzler_draw.draw_position(made)
        bare = puzzler_draw.draw_position(made, (), seat)
        told = set(re.findall(r"(?:green|red|blue)-[a-z]+-[a-z]+", "\n".join(text(bare)))) - {"green-rave-hop"}
        assert told <= set(cards_of(bare)), "green-rave-hop explains the letters"


@pytest.mark.parametrize("name", ["4 players", "discard", "steal"])
def test_what_another_seat_may_do_is_not_marked(name: str) -> None:
    made = PUZZLES[name]
    for seat in range(made["players"]):
        told = puzzler_draw.draw_position(made, (), seat, legal_of(made))
        assert (told == puzzler_draw.draw_position(made, (), seat)) == (seat != made["to_play"])


def test_lead_dancers_step_forward_in_the_finale_only() -> None:
    for seat in (None, 0, 2):
        scene = puzzler_draw.draw_position(LEADS, seat=seat)
        assert words(scene.shapes).count("lead dancer") == 3
        for player in range(3):
            assert groups(group(scene, f"player {player}"), f"card {LEADS['hands'][player][0]}")
            assert bool(groups(group(scene, f"player {player}"), "winner")) == (player == 1)
        assert {"Player 1", "wins!"} <= set(words(group(scene, "status").shapes))
    forfeited = puzzle(3, 5, **OVER | {"winners": [0, 2]})
    assert backs_of(puzzler_draw.draw_position(forfeited, seat=0)) == 6, "nobody shows a hand"
    assert {"Players 0, 2", "win"} <= set(words(puzzler_draw.draw_position(forfeited).shapes))
    cut_short = LEADS | {"winners": [], "truncated": True}
    assert backs_of(puzzler_draw.draw_position(cut_short, seat=0)) == 2
    assert "Nobody wins" in words(puzzler_draw.draw_position(cut_short).shapes)


# ---- the Puzzlers: what has been done and what may be done -----------------------------------------------------------
MOB = {
    "0,1": "red-rave-hop", "0,0": "green-rave-hop", "1,0": "green-street-hop", "-1,0": "red-spicy-slide",
    "1,1": "blue-rave-groove", "0,2": "blue-rave-groove",
}  # fmt: skip
CENTRE = {"2,0": "green-retro-groove", "3,0": "unicorn", "2,1": "green-rave-groove", "2,-1": "blue-rave-groove"}


def test_the_card_just_played_stands_out_and_shows_what_it_pushed() -> None:
    made = puzzle(2, 1, mob=MOB)
    scene = puzzler_draw.draw_position(made, ["hand green-rave-hop c0"])
    at = floor.plan(View.of(made).bounds)
    stage = group(scene, "mob")
    (rim,) = groups(stage, "just played")
    assert (rim.x, rim.y) == pytest.approx(
        (at.corner((0, 0))[0] + 0.035 * at.cell, at.corner((0, 0))[1] + 0.035 * at.cell)
    )
    (push,) = groups(stage, "push")
    assert (push.x, push.y) == pytest.approx((at.middle((0, 0))[0], at.corner((0, 0))[1]))
    (inner,) = push.shapes
    assert isinstance(inner, Group)
    assert inner.rotate == 270, "up"
    assert len(groups(stage, "in sync")) == 2, "red-rave-hop above it and green-street-hop beside it"
    assert "last: hand green-rave-hop c0" in words(scene.shapes)
    assert text(scene)[1] == "last: hand green-rave-hop c0"
    assert not groups(group(puzzler_draw.draw_position(made), "mob"), "push")


@pytest.mark.parametrize(("move", "line", "cell", "turn"), [("groove", "r0", (-2, 0), 0), ("slide", "r0", (2, 0), 180)])
def test_grooves_push_to_the_right_and_slides_to_the_left(move: str, line: str, cell: Any, turn: float) -> None:
    mob = {f"{x},0": name for x, name in zip(range(-2, 3), deck(2, 4)[:5], strict=True)}
    mob[f"{cell[0]},0"] = f"red-retro-{move}"
    made = puzzle(2, 1, mob=mob)
    scene = puzzler_draw.draw_position(made, [f"backup red-retro-{move} {line}"])
    at = floor.plan(View.of(made).bounds)
    (push,) = groups(group(scene, "mob"), "push")
    edge = at.corner(cell)[0] + (at.cell if move == "groove" else 0)
    assert push.x == pytest.approx(edge)
    (inner,) = push.shapes
    assert isinstance(inner, Group)
    assert inner.rotate == turn


def test_a_unicorn_is_in_sync_and_a_zombie_is_not() -> None:
    made = puzzle(2, 1, mob=CENTRE, promo="unicorn")
    scene = puzzler_draw.draw_position(made, ["hand green-retro-groove r0"])
    assert len(groups(group(scene, "mob"), "in sync")) == 2, "the unicorn and green-rave-groove"
    zombie = {cell: "zombie" if name == "unicorn" else name for cell, name in CENTRE.items()}
    scene = puzzler_draw.draw_position(puzzle(2, 1, mob=zombie, promo="zombie"), ["hand green-retro-groove r0"])
    assert len(groups(group(scene, "mob"), "in sync")) == 1


def test_cards_played_before_the_latest_one_are_found_where_they_lie_now() -> None:
    scene = puzzler_draw.draw_position(
        puzzle(2, 1, mob=MOB), ["hand red-spicy-slide r0", "hand blue-rave-groove r1", "hand green-rave-hop c0"]
    )
    rims = [rim.title for rim in groups(group(scene, "mob"), "just played")]
    assert rims == ["just played: green-rave-hop", "just played: red-spicy-slide"], "blue-rave-groove lies there twice"
    assert len(groups(group(scene, "mob"), "push")) == 1
    for pile in ("discard", "removed"):
        made = puzzle(4, 1, mob=MOB) | {pile: ["red-spicy-slide"]}
        scene = puzzler_draw.draw_position(made, ["hand red-spicy-slide r0", "hand green-rave-hop c0"])
        rims = [rim.title for rim in groups(group(scene, "mob"), "just played")]
        assert rims == ["just played: green-rave-hop"], "which copy has gone can't be told"
    gone = puzzler_draw.draw_position(puzzle(2, 1, mob=MOB), ["hand red-retro-hop c0", "hand red-retro-hop c7"])
    assert not groups(group(gone, "mob"), "just played")


def test_discards_and_steals_are_pointed_at() -> None:
    made = puzzle(2, 1)
    scene = puzzler_draw.draw_position(made, [f"discard {made['draw_face_up'][-1]}"])
    assert len(groups(group(scene, "draw face up"), "just discarded")) == 1
    drawn = puzzler_draw.draw_position(made | {"draw_face_up": []}, ["discard red-rave-hop"])
    assert not groups(drawn, "just discarded")
    made = puzzle(3, 1, turn=6, to_play=0)
    stolen = made["backups"][2][0]
    scene = puzzler_draw.draw_position(made, ["hand red-rave-hop c0", f"steal {stolen} of player 0", "no steal"])
    assert len(groups(group(scene, "player 2"), "just stolen")) == 1, "seat 2 had turn 5"


@pytest.mark.parametrize("seat", [None, 1])
@pytest.mark.parametrize("name", ["2 players", "5 players", "unicorn", "huge"])
def test_every_line_that_can_be_entered_is_marked_at_its_end(name: str, seat: int | None) -> None:
    made = PUZZLES[name]
    legal = plays(made)
    scene = puzzler_draw.draw_position(made, (), seat, legal)
    wanted = {(name.split()[2], parts(name.split()[1])[2]) for name in legal}
    marks = {tuple(role.split()[1:]) for role in roles(scene) if role.startswith("enter ")}
    assert marks == wanted
    cells = set(View.of(made).mob)
    at = floor.plan(View.of(made).bounds)
    for line, move in wanted:
        mark = group(scene, f"enter {line} {move}")
        assert words(mark.shapes) == [line]
        (plate,) = [shape for shape in mark.shapes if isinstance(shape, Text)]
        number = int(line[1:])
        across = [cell for cell in cells if cell[0 if move == "hop" else 1] == number]
        if move == "hop":
            end = min(across, key=lambda cell: cell[1])
            assert at.corner(end)[1] + at.cell < plate.y < at.corner(end)[1] + 2 * at.cell
            assert plate.x == pytest.approx(at.middle(end)[0])
        else:
            end = (min if move == "groove" else max)(across, key=lambda cell: cell[0])
            beyond = at.corner(end)[0] - plate.x if move == "groove" else plate.x - at.corner(end)[0] - at.cell
            assert 0 < beyond < at.cell
            assert at.corner(end)[1] < plate.y < at.corner(end)[1] + at.cell
    assert len(groups(group(scene, "player 1"), "may be played")) == len(made["hands"][1]) + len(made["backups"][1])


def test_marks_in_one_cell_dont_cover_each_other() -> None:
    for size, cells in ((2, [(0, 0), (1, -1), (-1, -1)]), (6, [(0, 0), (1, -1), (-1, -1), (-10, 13), (10, -2)])):
        made = puzzle(size, 1, cells)
        made["hands"][1] = ["red-rave-hop", "red-rave-groove", "red-rave-slide"]
        scene = puzzler_draw.draw_position(made, (), 1, plays(made))
        hop, groove = (
            next(shape for shape in group(scene, role).shapes if isinstance(shape, Text))
            for role in ("enter c0 hop", "enter r-1 groove")
        )
        assert hop.x != groove.x
        slide = next(s for s in group(scene, "enter r0 slide").shapes if isinstance(s, Text))
        column = next(s for s in group(scene, "enter c1 hop").shapes if isinstance(s, Text))
        assert abs(slide.y - column.y) > slide.size


def test_backup_dancers_that_may_be_stolen_and_cards_to_discard_are_marked() -> None:
    made = PUZZLES["steal"]
    scene = puzzler_draw.draw_position(made, (), 1, legal_of(made))
    for seat in range(4):
        expected = 0 if seat == 1 else len(made["backups"][seat])
        assert len(groups(group(scene, f"player {seat}"), "may be stolen")) == expected
        assert len(groups(group(scene, f"player {seat}"), "steal")) == expected
    assert {"Player 1", "may steal a backup dancer (2 due)"} <= set(words(group(scene, "status").shapes))
    made = PUZZLES["discard"]
    scene = puzzler_draw.draw_position(made, (), 1, legal_of(made))
    assert len(groups(group(scene, "player 1"), "may be discarded")) == 3
    assert not groups(group(scene, "player 0"), "may be discarded")
    assert "discards a card from the hand" in words(group(scene, "status").shapes)


def test_a_card_of_another_hand_is_not_marked_though_it_has_the_same_name() -> None:
    made = puzzle(4, 4)
    made["hands"] = [["red-rave-hop"]] * 4
    scene = puzzler_draw.draw_position(made, legal=["hand red-rave-hop c0"])
    assert [len(groups(group(scene, f"player {seat}"), "may be played")) for seat in range(4)] == [0, 1, 0, 0]


def test_the_panel_says_when_in_the_game_it_is() -> None:
    assert "turn 8 of 12" in words(puzzler_draw.draw_position(puzzle(2, turn=7)).shapes)
    assert "turn 1 of 30" in words(puzzler_draw.draw_position(puzzle(6, turn=0)).shapes)
    steal = puzzle(4, 5, phase="steal", steals_due=1, must_discard=True, draw=[], draw_face_up=[], turn=5)
    assert "turn 6 of 20, then discards" in words(puzzler_draw.draw_position(steal).shapes)
    assert "view of player 1" in words(puzzler_draw.draw_position(steal, seat=1).shapes)
    assert "you" in words(puzzler_draw.draw_position(steal, seat=1).shapes)


@pytest.mark.parametrize(
    "name",
    ["hand red-rave-hop r0", "hand red-rave-slide c0", "hand red-rave c0", "foot red-rave-hop c0",
     "hand red-rave-hop c14", "hand red-rave-hop c-14", "hand red-rave-slide r-2", "hand red-rave-slide r14",
     "hand red-rave-hop c00", "hand red-rave-hop", "hand unicorn c0", "discard zombie", "discard",
     "steal red-rave-hop of player 2", "steal left1 red-rave-hop", "steal red-rave-hop", "no steal ",
     "collect red-rave-hop", "push r0", ""],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["last", "legal"])
@pytest.mark.parametrize("seat", [None, 0])
def test_names_that_are_no_actions_of_a_puzzler_are_refused(name: str, kind: str, seat: int | None) -> None:
    with pytest.raises(ValueError, match=re.escape(repr(name))):
        puzzler_draw.draw_position(puzzle(), seat=seat, **{kind: [name]})


# ---- the Dance Battle: what is there ---------------------------------------------------------------------------------
def open_cards(made: dict[str, Any], seat: int | None) -> Counter[str]:
    """Return what a viewer sees in a running Dance Battle, worked out apart from the drawing's code."""
    shown = [*made["audition"], *made["discard"]]
    for owner in range(made["players"]):
        mine = seat in (None, owner)
        shown += made["hands"][owner] if mine else made["known"][owner]
        if mine or made["phase"] != "crew":
            shown += [held for held in made["crews"][owner] if held]
        plan = made["planned"][owner]
        if plan and (mine or (made["phase"] == "play" and owner == made["to_play"])):
            shown.append(plan)
    return Counter(shown)


RUNNING = [name for name, made in BATTLES.items() if made["phase"] != "over"]


@pytest.mark.parametrize("name", RUNNING)
def test_everything_that_is_open_in_a_battle_is_shown_once(name: str) -> None:
    made = BATTLES[name]
    held = sum(len(hand) for hand in made["hands"]) + sum(plan is not None for plan in made["planned"])
    held += sum(laid is not None for crew in made["crews"] for laid in crew)
    for seat in (None, *range(made["players"])):
        scene = battle_draw.draw_position(made, seat=seat)
        shown = open_cards(made, seat)
        assert cards_of(scene) == shown
        assert backs_of(scene) == held + len(made["audition"]) + len(made["discard"]) - shown.total()
        assert words(group(scene, "draw pile").shapes) == [str(len(made["draw"]))]
        for owner in range(made["players"]):
            hand = group(scene, f"player {owner}")
            assert str(len(made["hands"][owner])) in words(hand.shapes)
            if seat in (None, owner):
                assert cards_of(hand) == Counter(made["hands"][owner])


@pytest.mark.parametrize("players", range(3, 7))
@pytest.mark.parametrize("seat", [None, 0, 1, 2])
def test_the_own_crew_lies_at_the_bottom_and_the_others_follow_clockwise(players: int, seat: int | None) -> None:
    made = battle(players)
    view = battle_view.View.of(made, seat=seat)
    places = [table.crew_of(view, ((seat or 0) + left) % players) for left in range(players)]
    assert places[0].side == 0
    assert places[0].x == table.WIDTH / 2
    assert places[0].y == max(place.y for place in places)
    assert places[1].x < places[0].x < places[-1].x, "the left neighbour is at the left"
    if players in (4, 6):
        opposite = places[players // 2]
        assert opposite.x == places[0].x
        assert opposite.y < places[0].y
    scene = battle_draw.draw_position(made, seat=seat)
    for left, place in enumerate(places):
        owner = ((seat or 0) + left) % players
        crew = group(scene, f"crew {owner}")
        for cell, name in enumerate(made["crews"][owner]):
            spot = place.corner(cell)
            at = [(shape.x, shape.y) for shape in groups(crew, f"card {name}")]
            assert pytest.approx(spot) in at
        assert cards_of(crew)[made["crews"][owner][0]] >= 1


def test_crews_are_turned_towards_their_owners() -> None:
    below, left, above, right = table.crews(4)
    for place, far, near_left in (
        (below, (0, -1), (-1, 0)),
        (left, (1, 0), (0, -1)),
        (above, (0, 1), (1, 0)),
        (right, (-1, 0), (0, 1)),
    ):
        (x0, y0), (x1, y1) = place.middle(0), place.middle(1)
        (x2, y2), (x3, y3) = place.middle(2), place.middle(3)
        step = place.size + 6
        assert (x0 - x2, y0 - y2) == pytest.approx((far[0] * step, far[1] * step)), "r0 is farther than r1"
        assert (x0 - x1, y0 - y1) == pytest.approx((near_left[0] * step, near_left[1] * step)), "c0 is left of c1"
        assert (x1 - x3, y1 - y3) == pytest.approx((x0 - x2, y0 - y2))


@pytest.mark.parametrize("players", range(3, 7))
def test_nothing_on_the_table_covers_anything_else(players: int) -> None:
    boxes = []
    for place in table.crews(players):
        pad = place.reach + 9
        boxes.append((place.x - pad, place.y - pad, place.x + pad, place.y + pad))
    size, in_row, left, top = table._MIDDLE[players]
    rows, columns = -(-8 // in_row), min(8, in_row)
    step = size + 7
    boxes.append((left, top, left + columns * step, top + rows * step - 7))
    if players == 3:
        x, y, size, width = table._DISCARDS
        boxes.append((x, y - 40, x + width, y + size))
    for at, (x1, y1, x2, y2) in enumerate(boxes):
        assert x1 > 16
        assert x2 < table.WIDTH - 16
        assert y1 > 16
        assert y2 < table.HEIGHT - 16
        for ox1, oy1, ox2, oy2 in boxes[at + 1 :]:
            assert x2 <= ox1 or ox2 <= x1 or y2 <= oy1 or oy2 <= y1


def test_pairs_in_sync_are_marked_in_the_crews() -> None:
    made = battle(3, 3)
    made["crews"] = [
        ["green-rave-hop", "green-street-hop", "red-rave-hop", "blue-street-hop"],
        ["green-rave-hop", "red-street-hop", "red-street-slide", "green-rave-slide"],
        ["green-rave-hop", "red-street-hop", "red-spicy-slide", "red-rave-hop"],
    ]
    scene = battle_draw.draw_position(made)
    assert [len(groups(group(scene, f"crew {seat}"), "in sync")) for seat in range(3)] == [3, 0, 1]
    assert "     In Sync: player 0, player 2" in text(scene)


def test_the_start_marker_and_who_has_acted_are_shown() -> None:
    made = battle(4, 3)
    scene = battle_draw.draw_position(made)
    assert [len(groups(group(scene, f"player {seat}"), "starts")) for seat in range(4)] == [0, 1, 0, 0]
    assert [len(groups(group(scene, f"player {seat}"), "done")) for seat in range(4)] == [0, 1, 0, 0]
    assert "round 2 of 8" in words(group(scene, "status").shapes)
    assert not groups(battle_draw.draw_position(battle(3)), "starts")
    last = battle(3, 2, last_turn=True, audition=[], phase="discard", must_discard=True)
    assert "turn 5, the last turn" in words(battle_draw.draw_position(last).shapes)


@pytest.mark.parametrize(
    ("name", "who", "what"),
    [("laying", "Player 1", "lays the crew"), ("planning", "Player 3", "plans a card"),
     ("3 players", "Player 1", "plays a card"), ("collecting", "Player 2", "takes an audition card"),
     ("discarding", "Player 1", "discards a card from the hand"), ("end", "Player 1", "wins!"),
     ("draw", "Nobody wins", "a draw"), ("truncated", "Nobody wins", "turn limit reached")],
)  # fmt: skip
def test_the_status_says_who_does_what(name: str, who: str, what: str) -> None:
    scene = battle_draw.draw_position(BATTLES[name])
    assert {who, what} <= set(words(group(scene, "status").shapes))
    assert f"{who} {what}" in text(scene)[0]


def test_a_revealed_plan_is_named() -> None:
    made = battle(4, 3)
    what = f"pushes {made['planned'][made['to_play']]}"
    for seat in (None, 0, 2):
        assert what in words(group(battle_draw.draw_position(made, seat=seat), "status").shapes)


# ---- the Dance Battle: what is hidden --------------------------------------------------------------------------------
def redealt_battle(made: dict[str, Any], seat: int, seed: int) -> dict[str, Any]:
    """Return a Dance Battle that a seat can't tell from the given one: known cards stay in their hands."""
    changed = copy.deepcopy(made)
    others = [other for other in range(made["players"]) if other != seat]
    cards = list(made["draw"])
    draw = random.Random(seed)
    for other in others:
        hidden = Counter(made["hands"][other]) - Counter(made["known"][other])
        cards += hidden.elements()
        if made["planned"][other] and not (made["phase"] == "play" and other == made["to_play"]):
            cards.append(made["planned"][other])
        if made["phase"] == "crew":
            cards += [laid for laid in made["crews"][other] if laid]
    draw.shuffle(cards)
    for other in others:
        known = made["known"][other]
        changed["hands"][other] = ordered(
            [*known, *(cards.pop() for _ in range(len(made["hands"][other]) - len(known)))]
        )
        if made["planned"][other] and not (made["phase"] == "play" and other == made["to_play"]):
            changed["planned"][other] = cards.pop()
        if made["phase"] == "crew":
            changed["crews"][other] = [laid and cards.pop() for laid in made["crews"][other]]
    changed["draw"] = ordered(cards)
    return changed


@pytest.mark.parametrize("name", RUNNING)
def test_a_battle_hides_hands_plans_and_crews_that_are_being_laid(name: str) -> None:
    made = BATTLES[name]
    for seat in range(made["players"]):
        scene = battle_draw.draw_position(made, (), seat, legal_of(made))
        for seed in range(3):
            changed = redealt_battle(made, seat, seed)
            assert battle_draw.draw_position(changed, (), seat, legal_of(changed)) == scene, seat
            assert battle_draw.draw_position(changed) != battle_draw.draw_position(made)
        other_legal = battle_draw.draw_position(made, (), seat, legal_of(made)) == battle_draw.draw_position(
            made, (), seat
        )
        assert other_legal == (seat != made["to_play"])


def test_known_cards_are_open_in_other_hands_and_bear_an_eye() -> None:
    made = battle(4, 3)
    made["known"] = [[made["hands"][0][1]], list(made["hands"][1]), [], []]
    scene = battle_draw.draw_position(made, seat=2)
    for seat, (cards, backs, eyes) in enumerate([(1, 1, 1), (2, 0, 2), (2, 0, 0), (0, 2, 0)]):
        hand = group(scene, f"player {seat}")
        assert (cards_of(hand).total(), backs_of(hand), len(groups(hand, "known"))) == (cards, backs, eyes)
    everything = battle_draw.draw_position(made)
    assert [len(groups(group(everything, f"player {seat}"), "known")) for seat in range(4)] == [1, 2, 0, 0]


def test_a_known_card_that_may_be_planned_stays_where_it_is_seen() -> None:
    made = battle(4, 3)
    taken = made["hands"][3]
    plan = made["planned"][3]
    made["known"][3] = ordered([*taken, plan])
    other = copy.deepcopy(made)
    other["planned"][3], other["hands"][3] = taken[0], ordered([taken[1], plan])
    assert made != other
    for seat in (0, 1, 2):
        one = battle_draw.draw_position(made, seat=seat)
        assert one == battle_draw.draw_position(other, seat=seat)
        assert cards_of(group(one, "player 3")) == Counter(made["known"][3])
        assert "2" in words(group(one, "player 3").shapes), "the hand's cards are counted"
    assert battle_draw.draw_position(made, seat=3) != battle_draw.draw_position(other, seat=3)


def test_plans_are_seen_by_their_owners_until_they_are_revealed() -> None:
    made = PLANNING
    scene = battle_draw.draw_position(made, seat=1)
    assert [cards_of(group(scene, f"crew {seat}")).total() for seat in range(5)] == [4, 5, 4, 4, 4]
    assert [backs_of(group(scene, f"crew {seat}")) for seat in range(5)] == [1, 0, 1, 0, 0]
    starting = battle(4, 3, phase="collect", pending="start")
    scene = battle_draw.draw_position(starting, seat=0)
    assert backs_of(group(scene, "crew 2")) == 1, "before it is pushed"
    revealed = battle_draw.draw_position(battle(4, 3), seat=0)
    assert backs_of(group(revealed, "crew 2")) == 0
    assert backs_of(group(revealed, "crew 3")) == 1


def test_what_others_lay_and_plan_is_not_told() -> None:
    first, second = LAYING["crews"][0], LAYING["crews"][1][:2]
    last = [f"crew {name}" for name in (*first, *second)]
    told = [action.name for action in battle_view.View.of(LAYING, last, 1).last]
    assert told == ["a card laid"] * 4 + last[4:]
    told = [action.name for action in battle_view.View.of(LAYING, last, 0).last]
    assert told == [*last[:4], "a card laid", "a card laid"]
    assert [action.name for action in battle_view.View.of(LAYING, last).last] == last
    last = [f"plan {name}" for name in PLANNING["planned"][:3]]
    for seat in range(5):
        told = [action.name for action in battle_view.View.of(PLANNING, last, seat).last]
        assert told == [name if seat == owner else "a card planned" for owner, name in enumerate(last)]
    before = ["plan red-rave-hop", "push c0 player 1", *last]
    assert [action.name for action in battle_view.View.of(PLANNING, before, 3).last][:2] == before[:2], (
        "seat 3 was last"
    )
    scene = battle_draw.draw_position(PLANNING, last, 4)
    assert not any("red-spicy-hop" in line for line in [*text(scene)[:3], *words(group(scene, "legend").shapes)])
    changed = battle_draw.draw_position(PLANNING, ["plan red-rave-hop"] * 3, 4)
    assert changed == scene


def test_all_cards_are_shown_in_the_finale_only() -> None:
    for seat in (None, 0, 3):
        scene = battle_draw.draw_position(BATTLES["end"], seat=seat)
        assert backs_of(scene) == 0
        assert not groups(scene, "known")
        assert groups(group(scene, "player 1"), "winner")
    assert backs_of(battle_draw.draw_position(BATTLES["truncated"], seat=0)) == 4
    forfeited = battle(4, 7, **OVER, round=2)
    assert backs_of(battle_draw.draw_position(forfeited, seat=0)) > 0
    broken_off = LAYING | OVER
    assert backs_of(group(battle_draw.draw_position(broken_off, seat=1), "crew 0")) == 4, "crews weren't shown yet"


# ---- the Dance Battle: what has been done and what may be done -------------------------------------------------------
@pytest.mark.parametrize("players", range(3, 7))
@pytest.mark.parametrize("seat", [None, 1])
def test_entries_lie_outside_the_movers_crew(players: int, seat: int | None) -> None:
    made = battle(players, 5)
    mover = made["to_play"]
    for move, lines in (("hop", ("c0", "c1")), ("groove", ("r0", "r1")), ("slide", ("r0", "r1"))):
        if players == 3:
            made["hands"][mover] = [f"red-rave-{move}"]
            made["audition"], made["discard"] = [], []
        else:
            made["planned"][mover] = f"red-rave-{move}"
        viewer = None if seat is None else mover
        scene = battle_draw.draw_position(made, (), viewer, pushes(made))
        assert {role for role in roles(scene) if role.startswith("enter ")} == {
            f"enter {line} {move}" for line in lines
        }
        place = table.crew_of(battle_view.View.of(made, seat=viewer), mover)
        right, down = place.turned(1, 0), place.turned(0, 1)
        for line in lines:
            (label,) = [shape for shape in group(scene, f"enter {line} {move}").shapes if isinstance(shape, Text)]
            dx, dy = label.x - place.x, label.y - place.y
            along, near = dx * right[0] + dy * right[1], dx * down[0] + dy * down[1]
            half = (place.size + 6) / 2 * (1 if line[1] == "1" else -1)
            if move == "hop":
                assert near > place.reach
                assert along == pytest.approx(half)
            else:
                assert (along if move == "slide" else -along) > place.reach
                assert near == pytest.approx(half)
        targets = sorted(int(role.split()[1]) for role in roles(scene) if role.startswith("target "))
        expected = {3: [0, 2], 5: sorted(((mover + 2) % 5, (mover + 3) % 5))}.get(players, [])
        assert targets == (expected if move == "hop" else [])


def test_cards_that_may_be_played_with_three_are_marked_in_hand_line_and_pile() -> None:
    made = battle(3, 5)
    scene = battle_draw.draw_position(made, (), 1, pushes(made))
    assert len(groups(group(scene, "player 1"), "may be played")) == 3
    assert len(groups(group(scene, "audition line"), "may be played")) == 5
    assert len(groups(group(scene, "discard pile"), "may be played")) == 1
    assert len(groups(group(scene, "audition line"), "free place")) == 2


def test_cards_to_lay_plan_collect_or_discard_are_marked() -> None:
    scene = battle_draw.draw_position(LAYING, (), 1, legal_of(LAYING))
    assert len(groups(group(scene, "player 1"), "may be laid")) == len(LAYING["hands"][1])
    assert len(groups(group(scene, "crew 1"), "next cell")) == 1
    assert len(groups(group(scene, "crew 1"), "free place")) == 2 + 1, "and no plan yet"
    scene = battle_draw.draw_position(PLANNING, (), 3, legal_of(PLANNING))
    assert len(groups(group(scene, "player 3"), "may be planned")) == 2
    made = BATTLES["collecting"]
    scene = battle_draw.draw_position(made, (), 2, legal_of(made))
    assert len(groups(group(scene, "audition line"), "may be collected")) == 7
    made = BATTLES["discarding"]
    scene = battle_draw.draw_position(made, [f"discard {made['discard'][-1]}"], 1, legal_of(made))
    assert len(groups(group(scene, "player 1"), "may be discarded")) == 3
    assert len(groups(group(scene, "discard pile"), "just discarded")) == 1


@pytest.mark.parametrize("seat", [None, 0, 2])
def test_a_slide_is_shown_going_through_all_crews(seat: int | None) -> None:
    made = battle(4, 5)  # seat 1 has pushed, seat 2 is next
    made["crews"][1][3] = "red-rave-slide"
    made["crews"][1][2] = "red-rave-hop"
    scene = battle_draw.draw_position(made, ["push r1", "collect blue-rave-hop"], seat)
    assert len(groups(group(scene, "crew 1"), "just played")) == 1
    marks = groups(group(scene, "table"), "push")
    assert len(marks) == 4
    view = battle_view.View.of(made, seat=seat)
    for owner, mark in enumerate(sorted(marks, key=lambda mark: mark.title)):
        place = table.crew_of(view, owner)
        assert (mark.x, mark.y) == pytest.approx(place.at(0, (place.size + 6) / 2))
        (inner,) = mark.shapes
        assert isinstance(inner, Group)
        assert inner.rotate == {0: 180, 1: 270, 2: 0, 3: 90}[place.side], "to the owner's left"


def test_a_hop_is_shown_in_two_crews() -> None:
    made = battle(5, 5)
    made["crews"][1][2] = "blue-street-hop"
    scene = battle_draw.draw_position(made, ["push c0 player 3"])
    assert sorted(mark.title for mark in groups(group(scene, "table"), "push")) == [
        f"the push went through the crew of player {seat}" for seat in (1, 3)
    ]
    assert [len(groups(group(scene, f"crew {seat}"), "just played")) for seat in range(5)] == [0, 1, 0, 0, 0]


def test_a_known_card_that_may_be_the_planned_one_is_no_card_too_many() -> None:
    made = battle(4, 5)
    made["planned"][3], made["hands"][3] = "red-rave-hop", ["green-rave-hop", "blue-street-groove"]
    made["known"][3] = ["green-rave-hop", "red-rave-hop", "blue-street-groove"]
    for seat in (None, 0, 3):
        lines = text(battle_draw.draw_position(made, (), seat))
        at = next(k for k, line in enumerate(lines) if "Player 3" in line and "r0" not in lines[k + 1])
        assert "hand 2: " in lines[at + 1]
        assert ("one of them is planned" in lines[at + 1]) == (seat == 0)
        assert any("known to all: " in line for line in lines[at + 1 : at + 5]) == (seat in (None, 3))
        assert ("An open card of somebody who has planned may also be the planned one." in lines) == (seat is not None)


def test_a_slide_or_a_groove_is_told_by_the_plan_or_not_at_all() -> None:
    made = battle(4, 5)
    made["crews"][1][:2] = ["red-rave-groove", "red-rave-slide"]
    scene = battle_draw.draw_position(made, ["push r0"])
    assert len(groups(group(scene, "crew 1"), "one of these was just played")) == 2
    assert not groups(group(scene, "table"), "push")
    others = battle_draw.draw_position(
        made, ["plan red-rave-slide", "plan red-rave-hop", "plan red-rave-hop", "push r0"]
    )
    assert groups(group(others, "crew 1"), "one of these was just played"), "that slide was the plan of seat 2"
    named = battle_draw.draw_position(made, ["push red-rave-slide r0"])
    assert len(groups(group(named, "crew 1"), "just played")) == 1
    assert len(groups(group(named, "table"), "push")) == 4
    plans = ["plan red-rave-groove", "plan red-rave-slide", "plan red-rave-hop", "plan red-rave-hop"]
    scene = battle_draw.draw_position(made, [*plans, "push r0"])
    assert len(groups(group(scene, "crew 1"), "just played")) == 1
    assert len(groups(group(scene, "table"), "push")) == 4


@pytest.mark.parametrize(
    ("players", "keys", "mover"),
    [
        (3, {"phase": "play", "turn": 4, "to_play": 1}, 0),
        (3, {"phase": "collect", "pending": "start", "turn": 4, "to_play": 1}, 0),
        (3, {"phase": "collect", "pending": "end", "turn": 4, "to_play": 1}, 1),
        (3, {"phase": "discard", "turn": 4, "to_play": 1}, 1),
        (3, {**OVER, "turn": 9}, 2),
        (5, {"phase": "play", "start": 3, "acted": [True, False, False, True, True], "to_play": 1}, 0),
        (
            5,
            {
                "phase": "collect",
                "pending": "end",
                "start": 3,
                "acted": [False, False, False, True, True],
                "to_play": 0,
            },
            0,
        ),
        (5, {"phase": "collect", "pending": "round", "start": 3, "acted": [True] * 5, "to_play": 4}, 2),
        (5, {"phase": "plan", "start": 3, "acted": [False] * 5, "to_play": 3}, 1),
        (5, {**OVER, "start": 0, "acted": [False] * 5, "round": 5}, 3),
    ],
)
def test_whose_push_was_the_latest(players: int, keys: dict[str, Any], mover: int) -> None:
    assert battle_view.View.of(battle(players, 1, **keys)).latest_mover == mover


def test_a_play_that_can_not_be_found_is_only_named() -> None:
    made = battle(3, 5)
    made["crews"][0] = ["red-rave-hop"] * 4
    scene = battle_draw.draw_position(made, ["pile blue-retro-slide r0"])
    assert not groups(group(scene, "table"), "push")
    assert "last: pile blue-retro-slide r0" in words(scene.shapes)


@pytest.mark.parametrize(
    ("players", "name"),
    [(3, "plan red-rave-hop"), (3, "push r0"), (3, "hand red-rave-hop r0"), (3, "hand red-rave-slide c0 player 1"),
     (3, "hand red-rave-hop c0"), (3, "hand red-rave-hop c0 left1"), (3, "pile red-rave-slide r2"),
     (3, "audition red-rave-hop c0 player 3"), (3, "backup red-rave-slide r0"), (3, "crew zombie"),
     (4, "discard red-rave-hop"), (4, "hand red-rave-slide r0"), (4, "push c0"), (4, "push c2 player 2"),
     (4, "push c0 player 4"), (4, "push r0 player 2"), (4, "collect"), (4, "plan unicorn"), (4, "no steal"), (4, ""),
     (4, "push r0 "), (4, "push red-rave-hop r0"), (4, "push red-rave-slide c0 player 2"), (4, "push unicorn r0")],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["last", "legal"])
@pytest.mark.parametrize("seat", [None, 0])
def test_names_that_are_no_actions_of_a_battle_are_refused(
    players: int, name: str, kind: str, seat: int | None
) -> None:
    with pytest.raises(ValueError, match=re.escape(repr(name))):
        battle_draw.draw_position(battle(players), seat=seat, **{kind: [name]})


# ---- pictures as a whole ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("draw", "made"), EVERYTHING)
def test_a_seat_that_does_not_play_is_refused(draw: Draw, made: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=f"seat {made['players']}"):
        draw(made, seat=made["players"])
    with pytest.raises(ValueError, match="seat -1"):
        draw(made, seat=-1)


@pytest.mark.parametrize(("draw", "made"), EVERYTHING)
def test_all_that_is_written_lies_in_the_picture(draw: Draw, made: dict[str, Any]) -> None:
    scene = draw(made, legal_of(made)[:5], None, legal_of(made))
    for shape, x, y, scale in placed(scene.shapes):
        if not isinstance(shape, Text):
            continue
        width = shape.width * scale
        left = x - {"start": 0.0, "middle": width / 2, "end": width}[shape.anchor]
        assert left >= 0, shape.text
        assert left + width <= scene.width, shape.text
        assert 0 <= y <= scene.height, shape.text


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("draw", "made"), EVERYTHING)
def test_pictures_are_small_and_find_their_colours(draw: Draw, made: dict[str, Any], theme: Any) -> None:
    written = scene_to_svg(draw(made, legal_of(made)[:1], None, legal_of(made)), theme)
    assert len(written) < 150_000
    assert written == scene_to_svg(draw(made, legal_of(made)[:1], None, legal_of(made)), theme)


def test_every_colour_of_the_palette_is_used_and_differs_between_the_themes() -> None:
    used: set[str] = set()
    for name, made in {**PUZZLES, **{f"battle {name}": made for name, made in BATTLES.items()}}.items():
        draw = battle_draw.draw_position if name.startswith("battle") else puzzler_draw.draw_position
        for shape in walk(draw(made, legal_of(made)[:1], None, legal_of(made)).shapes):
            used |= {getattr(shape, "fill", "none"), getattr(shape, "stroke", "none")}
    every = [
        *(card(name, 0, 0, 100) for name in (*NAMES, "unicorn", "zombie")),
        *(card("zombie", 0, 0, 9, small=True),),
    ]
    for shape in walk(tuple(every)):
        used |= {getattr(shape, "fill", "none"), getattr(shape, "stroke", "none")}
    assert not {colour.name for colour in COLOURS} - used
    assert len({colour.name for colour in COLOURS}) == len(COLOURS)
    for colour in COLOURS:
        assert re.fullmatch("#[0-9a-f]{6}", colour.light)
        assert re.fullmatch("#[0-9a-f]{6}", colour.dark)


@pytest.mark.parametrize("family", ["puzzler", "battle"])
def test_the_size_depends_on_the_family_and_the_players_only(family: str) -> None:
    made = PUZZLES if family == "puzzler" else BATTLES
    draw: Draw = puzzler_draw.draw_position if family == "puzzler" else battle_draw.draw_position
    sizes: dict[int, set[tuple[int, int]]] = {}
    for position in made.values():
        for seat in (None, 0):
            for last in ([], legal_of(position)[:4]):
                scene = draw(position, last, seat, legal_of(position))
                sizes.setdefault(position["players"], set()).add((scene.width, scene.height))
    assert all(len(found) == 1 for found in sizes.values())


def test_an_animation_writes_what_repeats_once() -> None:
    one = len(scene_to_svg(puzzler_draw.draw_position(puzzle(2, 1))))
    written = animate([puzzler_draw.draw_position(puzzle(2, seed)) for seed in range(12)])
    assert len(written) < min(5 * one, 300_000), "though every picture is quite another position"


@pytest.mark.parametrize(("draw", "made"), EVERYTHING)
def test_pictures_have_titles(draw: Draw, made: dict[str, Any]) -> None:
    assert draw(made).title.startswith("Hedgehog Hop")


def test_players_are_told_by_number_and_colour() -> None:
    scene = battle_draw.draw_position(battle(6, 3))
    for seat in range(6):
        heads = [head for head in groups(scene, "player's head") if head.title == f"player {seat}"]
        assert len(heads) == 2 + (seat == 2), "beside the crew, in the panel, and whose turn it is"
        for head in heads:
            assert words(head.shapes) == [str(seat)]
            assert f"seat{seat}" in {shape.fill for shape in walk(head.shapes) if isinstance(shape, Circle)}


# ---- the text --------------------------------------------------------------------------------------------------------
def test_the_text_of_a_mob_is_a_grid() -> None:
    shown = text(puzzler_draw.draw_position(puzzle(2, 1, mob=MOB, turn=7), ["hand green-rave-hop c0"]))
    assert shown[0] == "Hedgehog Hop · turn 8 of 12 · Player 1 plays a card into the mob"
    assert shown[3:7] == [
        "  r2   ·    Bra>   ·    r2",
        "  r1   ·    Rra^  Bra>  r1",
        "  r0  Rsp< [Gra^] Gst^  r0",
        "      c-1    c0    c1",
    ]


def test_wide_mobs_are_written_closer_together() -> None:
    wide = text(puzzler_draw.draw_position(PUZZLES["wide"]))
    assert any(line.split() == [f"c{x}" for x in range(-9, 9)] for line in wide)
    huge = text(puzzler_draw.draw_position(PUZZLES["huge"]))
    (numbers,) = [line for line in huge if line.split()[:2] == ["-10", "-9"]]
    assert numbers.split() == [str(x) for x in range(-10, 11)]
    row = next(line for line in huge if line.startswith("  r0"))
    cells = [row[5 + 4 * at : 9 + 4 * at].strip() for at in range(21)]
    expected = {int(cell.split(",")[0]): name for cell, name in PUZZLES["huge"]["mob"].items() if cell.endswith(",0")}
    assert cells == [as_text.code(expected[x]) if x in expected else "·" for x in range(-10, 11)]


def test_the_text_lists_the_own_hand_in_full_and_others_in_short() -> None:
    made = puzzle(3, 2)
    made["hands"] = [["red-rave-hop", "red-spicy-slide"], ["green-rave-hop", "blue-street-groove"], ["blue-retro-hop"]]
    made["backups"] = [[], ["red-street-hop"], ["blue-rave-slide", "blue-spicy-slide"]]
    shown = text(puzzler_draw.draw_position(made, seat=1))
    at = shown.index(">  1  Player 1 (you)")
    assert shown[at + 1 : at + 3] == [
        "        hand 2: green-rave-hop, blue-street-groove", "        backup dancers 1: red-street-hop",
    ]  # fmt: skip
    at = shown.index("   0  Player 0")
    assert shown[at + 1 : at + 3] == ["        hand 2: ???? ????", "        backup dancers 0: none"]
    at = shown.index("   2  Player 2")
    assert shown[at + 1 : at + 3] == ["        hand 1: ????", "        backup dancers 2: Bra< Bsp<"]
    full = text(puzzler_draw.draw_position(made))
    assert "        hand 2: Rra^ Rsp<" in full
    assert any(line.startswith("        they are: ") for line in full)
    assert not any(line.startswith("        they are: ") for line in shown)


def test_copies_are_counted_in_full_lists() -> None:
    made = puzzle(4, 2)
    made["hands"][1] = ["red-rave-hop", "red-rave-hop", "blue-rave-slide"]
    assert "        hand 3: red-rave-hop x2, blue-rave-slide" in text(puzzler_draw.draw_position(made, seat=1))


def test_the_text_groups_plays_by_card() -> None:
    made = puzzle(2, 1, mob=MOB)
    made["hands"][1] = ["green-retro-hop", "red-rave-slide"]
    made["backups"][1] = ["blue-spicy-groove"]
    shown = text(puzzler_draw.draw_position(made, (), 1, plays(made)))
    assert shown[-4:] == [
        "", "hand green-retro-hop: c-1 c0 c1", "hand red-rave-slide: r0 r1 r2", "backup blue-spicy-groove: r0 r1 r2",
    ]  # fmt: skip
    made = puzzle(3, 4, phase="discard", hands=[[], ["green-retro-hop", "red-rave-slide"], []])
    assert (
        text(puzzler_draw.draw_position(made, (), 1, legal_of(made)))[-1] == "discard: green-retro-hop, red-rave-slide"
    )


def test_the_text_names_victims_as_actions_do() -> None:
    made = puzzle(
        3, 4, phase="steal", steals_due=1, backups=[["red-rave-hop"], [], ["blue-rave-hop", "blue-rave-slide"]]
    )
    shown = text(puzzler_draw.draw_position(made, (), 1, legal_of(made)))
    assert shown[-3:] == [
        "steal left1 (player 2): blue-rave-hop, blue-rave-slide", "steal left2 (player 0): red-rave-hop", "no steal",
    ]  # fmt: skip


def test_the_text_explains_promo_cards() -> None:
    assert "Uni* is the unicorn, In Sync with all." in text(puzzler_draw.draw_position(PUZZLES["unicorn"]))
    shown = text(puzzler_draw.draw_position(PUZZLES["vegan zombie"]))
    assert "Zom! is the zombie, red and street." in shown
    assert any(line.startswith("tagged out: ") for line in shown)
    assert any("Zom!" in line and line.strip().startswith("r0") for line in shown)


def test_the_text_of_a_battle_has_the_crews_side_by_side() -> None:
    made = battle(3, 3)
    made["crews"] = [
        ["green-rave-hop", "red-street-slide", "blue-spicy-groove", "red-retro-hop"],
        ["green-rave-hop", "red-street-hop", "red-spicy-slide", "blue-rave-hop"],
        ["green-rave-hop", "red-street-hop", "red-spicy-slide", "blue-rave-hop"],
    ]
    shown = text(battle_draw.draw_position(made, ["hand red-street-slide r0"], seat=1))
    assert shown[3:7] == [
        "     Player 0       Player 1 (you) Player 2",
        "  r0  Gra^ [Rst<]    Gra^  Rst^     Gra^  Rst^",
        "  r1  Bsp>  Rre^     Rsp<  Bra^     Rsp<  Bra^",
        "      c0    c1       c0    c1       c0    c1",
    ]
    assert f"discard pile, its top last: {' '.join(map(as_text.code, made['discard']))}" in shown
    assert any(line.startswith("audition line 5: ") for line in shown)


def test_the_text_of_a_battle_hides_and_names_what_it_should() -> None:
    made = battle(4, 3)
    made["hands"] = [["red-rave-hop", "red-rave-slide"], ["blue-rave-hop"], ["green-rave-hop", "green-spicy-hop"], []]
    made["known"] = [["red-rave-slide"], ["blue-rave-hop"], [], []]
    made["planned"][2:] = ["red-retro-hop", "blue-retro-hop"]
    shown = text(battle_draw.draw_position(made, (), 2, pushes(made)))
    at = shown.index(">  2  Player 2 (you), planned Rre^")
    assert shown[at + 1] == "        hand 2: green-rave-hop, green-spicy-hop"
    assert shown[shown.index("   0  Player 0, planned ????") + 1] == "        hand 2: Rra< ????"
    assert shown[shown.index("   1  Player 1, starts, has had its turn") + 1] == "        hand 1: Bra^"
    assert shown[shown.index("   3  Player 3, planned ????") + 1] == "        hand 0: none"
    assert shown[-2:] == ["push: c0 left2, c1 left2", "left2 is player 0"]


def test_the_text_of_a_battle_of_three_groups_plays_by_card() -> None:
    made = battle(3, 3)
    made["hands"][1] = ["green-retro-hop"]
    made["audition"] = ["red-spicy-slide"]
    made["discard"] = ["blue-rave-groove", "red-retro-groove"]
    shown = text(battle_draw.draw_position(made, (), 1, pushes(made)))
    assert shown[-4:] == [
        "hand green-retro-hop: c0 left1, c0 left2, c1 left1, c1 left2",
        "audition red-spicy-slide: r0, r1",
        "pile red-retro-groove: r0, r1",
        "left1 is player 2, left2 is player 0",
    ]


def test_the_text_lists_cards_to_lay_plan_or_collect() -> None:
    for made, kind in ((LAYING, "crew"), (PLANNING, "plan"), (BATTLES["collecting"], "collect")):
        shown = "\n".join(text(battle_draw.draw_position(made, (), made["to_play"], legal_of(made))))
        listed = " ".join(shown[shown.rindex(f"{kind}: ") + len(kind) + 2 :].split())
        assert listed.split(", ") == [name.split()[1] for name in legal_of(made)]


@pytest.mark.parametrize("seat", [None, 1])
@pytest.mark.parametrize(("draw", "made"), EVERYTHING)
def test_the_text_fits_a_terminal_and_colours_only_add_to_it(
    draw: Draw, made: dict[str, Any], seat: int | None
) -> None:
    scene = draw(made, legal_of(made)[:8], seat, legal_of(made))
    plain = scene_to_text(scene, colour=False)
    assert max(map(len, plain.splitlines())) <= 100
    stripped = re.sub(r"\x1b\[[0-9;]*m", "", scene_to_text(scene))
    assert [line.rstrip() for line in stripped.splitlines()] == plain.splitlines()
    assert scene_to_text(scene, theme="dark")
