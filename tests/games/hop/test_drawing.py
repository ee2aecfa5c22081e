"""What the pictures and the text of HOP! show."""

from __future__ import annotations

import copy
import json
import random
import re
from collections import Counter
from dataclasses import fields, is_dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import hopenvs.games.hop.draw as drawing
from hopenvs.games.hop.dares import DARES
from hopenvs.games.hop.draw import board, draw_position, panel, turn
from hopenvs.games.hop.draw.animals import figurine, portrait
from hopenvs.games.hop.draw.tokens import bet, cloud, crow, dove
from hopenvs.games.hop.draw.view import ANIMALS, ROLES, View
from hopenvs.games.hop.draw.words import shortened, wrapped
from hopenvs.render.scene import Group, Scene, Text, text_width
from hopenvs.render.svg import animate, scene_to_svg
from hopenvs.render.text import scene_to_text
from tests.render.looking import group, groups, placed, roles, text, words

PLAYERS = range(3, 7)
RECORD = Path(__file__).parents[2] / "records" / "hop-3p.jsonl"
ASSISTED = next(dare.id for dare in DARES if dare.assister)
HINDERED = next(dare.id for dare in DARES if dare.turbulator)
ALONE = next(dare.id for dare in DARES if not dare.helpers)
NO_SKILLS = [0.0, 0.0, 0.0, 0.0]


# ---- positions -------------------------------------------------------------------------------------------------------
def position(players: int = 3, **keys: Any) -> dict[str, Any]:
    """Return a position in which what isn't given is as at the start; clouds and dares add up (HP-2, HP-3)."""
    made: dict[str, Any] = {
        "game": "hop", "players": players, "phase": "skewerer", "to_play": 0, "hurler": 0, "skewerer": None,
        "assister": None, "turbulator": None, "dare": None, "bets": [None] * players, "levels": [1] * players,
        "balloons": [5] * players, "doves": [0] * players, "crows": [0] * players,
        "clouds": [[] for _ in range(players)],
        "put_away": [], "skills": [NO_SKILLS] * players, "turn": 0, "last_throw": None, "winners": [],
    } | keys  # fmt: skip
    held = Counter(value for values in made["clouds"] for value in values)
    made.setdefault("cloud_pool", [12 - held[value] for value in range(3)])
    gone = {*made["put_away"], made["dare"]}
    made.setdefault("deck", [dare.id for dare in DARES if dare.id not in gone])
    return made


def filled(players: int, seed: int, **keys: Any) -> dict[str, Any]:
    """Return a position in the middle of a game, in which everybody has something."""
    draw = random.Random(f"{players} {seed}")
    tokens = [value for value in range(3) for _ in range(12)]
    draw.shuffle(tokens)
    return position(
        players,
        **{
            "hurler": (hurler := draw.randrange(players)),
            "to_play": hurler,
            "levels": [draw.randint(1, 6) for _ in range(players)],
            "balloons": [draw.randint(1, 5) for _ in range(players)],
            "doves": [draw.randint(0, 2) for _ in range(players)],
            "crows": [draw.randint(0, 2) for _ in range(players)],
            "clouds": [sorted(tokens.pop() for _ in range(draw.randint(0, 6))) for _ in range(players)],
            "put_away": sorted(
                draw.sample([dare.id for dare in DARES if dare.id not in (ALONE, ASSISTED, HINDERED)], 17)
            ),
            "turn": 17,
            "last_throw": {"success": draw.random() < 0.5},
            **keys,
        },
    )


def asked(players: int, seed: int, role: str) -> dict[str, Any]:
    """Return a position in which the hurler names somebody for that role."""
    made = filled(players, seed)
    hurler = made["hurler"]
    if role == "skewerer":
        return made
    dare = ASSISTED if role == "assister" else HINDERED
    keys = {"phase": role, "skewerer": (hurler + 1) % players, "dare": dare, "deck": [0, 1]}
    return made | keys


def betting(players: int, seed: int, done: int = 0, helper: bool = False) -> dict[str, Any]:
    """Return a position in which so many have bet, clockwise from the hurler's left (HP-7)."""
    made = filled(players, seed)
    draw = random.Random(seed)
    hurler = made["hurler"]
    made |= {"phase": "bet", "skewerer": (hurler + 2) % players, "dare": ASSISTED if helper else ALONE, "deck": [0, 1]}
    if helper:
        made["assister"] = (hurler + 1) % players
    active = {hurler, made["skewerer"], made["assister"]}
    bettors = [seat for step in range(players) if (seat := (hurler + step) % players) not in active]
    made["bets"] = [draw.choice(["happy", "unhappy"]) if seat in bettors[:done] else None for seat in range(players)]
    return made | {"to_play": bettors[done]}


def names_for(made: dict[str, Any], *, own: bool = False) -> list[str]:
    """Return what may be done in a position (HP-4, HP-6, HP-7), as the seat to play says it or absolutely."""
    phase, players = made["phase"], made["players"]
    if phase == "over":
        return []
    if phase == "bet":
        return ["bet happy", "bet unhappy"]
    taken = {made[role] for role in ROLES}
    free = [seat for seat in range(players) if seat not in taken]
    return [f"{phase} left{(seat - made['to_play']) % players}" if own else f"{phase} player {seat}" for seat in free]


END = position(
    4, phase="over", to_play=None, hurler=2, levels=[6, 0, 7, 5], balloons=[2, 0, 4, 1], turn=30, winners=[2],
    clouds=[[0, 1], [2, 2], [0, 2], [1, 2]], last_throw={"success": True}, put_away=[4, 9],
)  # fmt: skip
LOST = position(
    3, phase="over", to_play=None, hurler=1, levels=[4, 0, 3], balloons=[3, 0, 3], turn=14, winners=[0],
    clouds=[[1, 2], [0, 1, 2, 2], [0, 1, 2]], last_throw={"success": False},
)  # fmt: skip
SHARED = position(6, phase="over", to_play=None, hurler=0, levels=[7] * 6, turn=60, winners=list(range(6)),
                  last_throw={"success": True})  # fmt: skip
TRUNCATED = position(3, phase="over", to_play=None, turn=2, truncated=True, last_throw={"success": True})
FORFEIT = position(
    4, phase="over", to_play=None, hurler=1, skewerer=3, dare=ALONE, bets=[None, None, "happy", None], turn=1,
    levels=[2, 1, 1, 1], last_throw={"success": True}, winners=[1, 2, 3],
)  # fmt: skip
SKILLED = betting(6, 5, 1, helper=True) | {
    "skills": [[0.1, -0.15, 0.05, 0.0], [0.0, 0.15, -0.05, 0.1], [-0.1, -0.1, 0.15, 0.15], [0.05, 0.05, 0.0, -0.15],
               NO_SKILLS, [0.15] * 4],
}  # fmt: skip
OWN_DECK = position(
    5, phase="assister", hurler=3, to_play=3, skewerer=0, dare=0, deck=[1],
    dares=[
        {"id": 0, "base": 0.335, "assister": True, "turbulator": True},
        {"id": 1, "base": 1.0, "assister": False, "turbulator": False, "name": "A party dare " * 9,
         "text": "so " * 400},
    ],
)  # fmt: skip
LONG_DARE = OWN_DECK | {"phase": "bet", "dare": 1, "deck": [0], "to_play": 1}
MANY_CLOUDS = filled(3, 1, clouds=[[0] * 9 + [1] * 8 + [2] * 7, [0, 1, 1, 2, 2, 2, 2], [1] * 2])
MADE: dict[str, dict[str, Any]] = {
    "start": position(), "end": END, "lost": LOST, "shared": SHARED, "truncated": TRUNCATED, "forfeit": FORFEIT,
    "skilled": SKILLED, "own deck": OWN_DECK, "long dare": LONG_DARE, "many clouds": MANY_CLOUDS,
    "all beside": SHARED | {"levels": [0] * 6, "balloons": [0] * 6, "last_throw": {"success": False}},
    **{f"{role} {players}": asked(players, 2, role) for players in PLAYERS for role in ROLES[1:]},
    **{f"bet {players}": betting(players, 3, players - 3) for players in PLAYERS},
    **{f"helped bet {players}": betting(players, 3, 1 if players > 4 else 0, helper=True) for players in (4, 5, 6)},
}  # fmt: skip
SEATS = [pytest.param(name, seat, id=f"{name}, seat {seat}") for name in MADE for seat in (None, 0, 2)]


# ---- looking at scenes -----------------------------------------------------------------------------------------------
def offers_of(scene: Scene, role: str) -> list[str]:
    """Return who may be named, as the mover says it: `left1` and so on."""
    return [word.removeprefix(f"{role} ") for offer in groups(scene, f"legal {role}") for word in words(offer.shapes)]


def row(scene: Scene, seat: int) -> str:
    """Return a player's line of the table."""
    (line,) = [line for line in text(scene) if re.match(rf"[> ]  {seat}  {ANIMALS[seat]} ", line)]
    return line[2:] + " "


def boxes(scene: Scene) -> list[tuple[str, float, float, float, float]]:
    """Return every text with its left, top, right and bottom."""
    found = []
    for shape, x, y, scale in placed(scene.shapes):
        if isinstance(shape, Text) and shape.text:
            wide, size = scale * shape.width, scale * shape.size
            left = x - {"start": 0.0, "middle": wide / 2, "end": wide}[shape.anchor]
            top = y - (0.35 if shape.middle else 0.7) * size
            found.append((shape.text, left, top, left + wide, top + 0.7 * size))
    return found


def clouds_of(scene: Group) -> Counter[str]:
    """Return how many clouds of each value, or face down, a player's card shows."""
    shown = group(scene, "clouds").shapes
    found: Counter[str] = Counter()
    at = ""
    for shape in shown:
        if isinstance(shape, Group):
            at = shape.role.removeprefix("cloud ")
            found[at] += 1
        elif isinstance(shape, Text):
            found[at] += int(shape.text.removeprefix("×")) - 1
    return found


def without_colours(shape: Any) -> Any:
    """Return shapes of which only the outlines are left."""
    if isinstance(shape, tuple):
        return tuple(without_colours(inner) for inner in shape)
    if not is_dataclass(shape) or isinstance(shape, type):
        return shape
    changes = {field.name: without_colours(getattr(shape, field.name)) for field in fields(shape)}
    for name in ("fill", "stroke"):
        if name in changes and changes[name] != "none":
            changes[name] = "ink"
    return replace(shape, **changes | {name: "" for name in ("role", "title", "text") if name in changes})


# ---- pieces ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("players", PLAYERS)
def test_every_player_s_balloons_birds_and_clouds_are_shown(players: int, seed: int) -> None:
    made = filled(players, seed)
    scene = draw_position(made)
    for seat in range(players):
        card = group(scene, f"player {seat}")
        shown = Counter(roles(card))
        assert shown["balloon"] == made["balloons"][seat]
        assert shown["balloon"] + shown["lost balloon"] == 5
        assert (shown["dove"], shown["crow"]) == (made["doves"][seat], made["crows"][seat])
        assert shown["dove"] + shown["crow"] + shown["perch"] == 6, "three places each, the third one settles (HP-12)"
        assert clouds_of(card) == Counter(map(str, made["clouds"][seat]))
        assert {"Player", str(seat), ANIMALS[seat], f"level {made['levels'][seat]}"} <= set(words(card.shapes))
        score = made["levels"][seat] + sum(made["clouds"][seat])
        assert f"{score} point{'' if score == 1 else 's'}" in words(card.shapes)


def test_many_clouds_are_counted() -> None:
    card = group(draw_position(MANY_CLOUDS), "player 0")
    assert clouds_of(card) == Counter({"0": 9, "1": 8, "2": 7})
    assert len(group(card, "clouds").shapes) == 6, "a cloud and its number a value"
    hidden = group(draw_position(MANY_CLOUDS, seat=1), "player 0")
    assert clouds_of(hidden) == Counter({"back": 24})


@pytest.mark.parametrize("seat", [None, 0, 2])
@pytest.mark.parametrize("players", PLAYERS)
def test_figurines_stand_on_their_levels(players: int, seat: int | None) -> None:
    made = filled(players, 4)
    made["levels"][1], made["balloons"][1] = 0, 0
    scene = draw_position(made, seat=seat)
    assert (
        len({(found.x, found.y) for found in (group(scene, f"figurine {seat}") for seat in range(players))}) == players
    )
    for player, level in enumerate(made["levels"]):
        found = group(scene, f"figurine {player}")
        (number,) = [
            shape for shape in group(scene, f"level {level}").shapes if isinstance(shape, Text) and shape.size == 17
        ]
        assert number.text == str(level)
        assert abs(found.y - number.y) < 6, "beside the level's number"
        assert words(found.shapes) == [str(player)]
        assert found.title == f"player {player}: {f'level {level}' if level else 'beside the board'}"


def test_levels_go_up_and_six_figurines_find_room_on_each() -> None:
    for made in (position(3), position(6), SKILLED):
        view = View.of(made)
        at = board.plan(panel.height(view) - panel.SPACE - panel.SUPPLY - 52 - 2 * panel.SPACE)
        grounds = [at.ground(level) for level in range(8)]
        assert grounds == sorted(grounds, reverse=True)
        for level in range(8):
            xs = [at.spot(level, place)[0] for place in range(6)]
            assert min(b - a for a, b in pairwise(xs)) > 50
            assert xs[-1] + 27 < board.WIDTH
            assert at.ground(level) - at.scale * 76 > 0
            assert not level or at.step > at.scale * 76 + 4, "no head in the clouds above"


def test_figurines_birds_and_bets_are_told_apart_without_colours() -> None:
    assert len({repr(without_colours(figurine(seat, 0, 0).shapes)) for seat in range(6)}) == 6
    assert len({repr(without_colours(portrait(seat, 0, 0).shapes)) for seat in range(6)}) == 6
    assert without_colours(dove(0, 0).shapes) != without_colours(crow(0, 0).shapes)
    assert len({repr(without_colours(bet(face, 0, 0).shapes)) for face in ("happy", "unhappy", "hidden")}) == 3
    assert {words((cloud(value, 0, 0),))[0] for value in range(3)} == {"0", "1", "2"}
    assert words((cloud(None, 0, 0),)) == []
    assert [words((figurine(seat, 0, 0),)) for seat in range(6)] == [[str(seat)] for seat in range(6)]


def test_the_supply_counts_dares_clouds_and_birds() -> None:
    made = position(3, clouds=[[0, 1], [2], []], doves=[2, 0, 1], crows=[0, 1, 0], put_away=[3, 4, 5, 6])
    supply = group(draw_position(made), "supply")
    assert words(group(supply, "count dares").shapes) == ["46"]
    assert words(group(supply, "count put away").shapes) == ["4"]
    assert words(group(supply, "count birds").shapes) == ["26"]
    assert [words(group(supply, f"cloud pool {value}").shapes)[-1] for value in range(3)] == ["11", "11", "11"]
    assert len(group(supply, "deck").shapes) == 3
    assert len(group(supply, "put away").shapes) == 1
    empty = group(draw_position(position(put_away=[dare.id for dare in DARES])), "supply")
    assert "Rect" in {type(shape).__name__ for shape in group(empty, "deck").shapes}, "an empty place"
    assert words(group(empty, "count dares").shapes) == ["0"]
    hidden = group(draw_position(made, seat=2), "supply")
    assert words(group(hidden, "count clouds").shapes) == ["33"]
    assert not any(role.startswith("cloud pool ") for role in roles(hidden))


def test_the_viewer_s_card_comes_first_and_the_left_neighbour_s_next() -> None:
    for seat in range(5):
        scene = draw_position(filled(5, 0), seat=seat)
        tops = {
            int(shape.role.removeprefix("player ")): y
            for shape, _, y, _ in placed(scene.shapes)
            if isinstance(shape, Group) and re.fullmatch(r"player \d", shape.role)
        }
        assert sorted(tops, key=tops.__getitem__) == [(seat + step) % 5 for step in range(5)]
        assert f"view of player {seat}" in words(scene.shapes)
        assert f"{ANIMALS[seat]}, you" in words(group(scene, f"player {seat}").shapes)
    assert not any("you" in word for word in words(draw_position(filled(5, 0)).shapes))


# ---- the throw -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("dare", DARES, ids=lambda dare: str(dare.id))
def test_every_dare_is_shown_in_full(dare: Any) -> None:
    made = position(4, phase="bet", to_play=1, skewerer=2, dare=dare.id)
    made |= {"assister": 3 if dare.assister else None, "turbulator": 3 if dare.turbulator else None}
    card = group(draw_position(made), f"dare {dare.id}")
    shown = words(card.shapes)
    assert dare.name in shown
    assert dare.text in " ".join(shown), "all words, in their order"
    assert {f"{dare.base}%", dare.difficulty} <= set(shown)
    assert any("binds" in word and (dare.binds in word or dare.binds == "both") for word in shown)
    assert any("with an assister" in word for word in shown) == dare.assister
    assert any("with a turbulator" in word for word in shown) == dare.turbulator
    lines, size = wrapped(dare.text, 440, 15, 3)
    assert size == 15, "no dare of the package's deck has to be written smaller"
    assert " ".join(lines) == dare.text
    seen = text(draw_position(made))
    assert any(f"dare: {dare.name} (number {dare.id}, {dare.difficulty}, binds " in line for line in seen)
    assert dare.text in " ".join(" ".join(seen).split())


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("role", ROLES[1:])
def test_roles_have_their_players_and_what_is_to_be_named_is_open(players: int, role: str) -> None:
    made = asked(players, 1, role)
    scene = draw_position(made)
    hurler = made["hurler"]
    assert groups(scene, f"hurler {hurler}")
    assert groups(scene, f"open {role}")
    assert f"names the {role}" in words(group(scene, "status").shapes)
    if role == "skewerer":
        assert groups(scene, "no dare")
        assert not groups(scene, "open assister"), "nobody knows yet what the dare asks for (HP-4)"
        return
    assert groups(scene, f"skewerer {made['skewerer']}")
    assert group(scene, f"player {made['skewerer']}").shapes != ()
    assert groups(group(scene, f"player {made['skewerer']}"), "is skewerer")
    assert groups(group(scene, f"player {hurler}"), "is hurler")
    other = "turbulator" if role == "assister" else "assister"
    assert not groups(scene, f"open {other}"), "the dare asks for none"


def test_an_assister_and_a_turbulator_stand_in_the_throw() -> None:
    made = OWN_DECK | {"phase": "bet", "assister": 1, "turbulator": 4, "to_play": 2}
    scene = draw_position(made)
    for role, seat in (("hurler", 3), ("skewerer", 0), ("assister", 1), ("turbulator", 4)):
        spot = group(scene, f"{role} {seat}")
        assert str(seat) in words(spot.shapes)
        assert role in words(spot.shapes)
        assert groups(spot, f"sign {role}")
        assert groups(group(scene, f"player {seat}"), f"is {role}")
    assert groups(group(scene, "player 2"), "bet to come")


@pytest.mark.parametrize(
    ("keys", "chance", "told"),
    [
        ({}, "70%", "60% +10 throw"),
        ({"skewerer": 1}, "85%", "60% +10 throw +15 catch"),
        ({"skewerer": 1, "turbulator": 2, "hurler": 0}, "90%", "60% +10 throw +15 catch +5 hinder"),
        ({"skewerer": 1, "assister": 2}, "75%", "60% +10 throw +15 catch -10 help"),
        ({"hurler": 3, "skewerer": 1}, "95%", "60% +60 throw +15 catch, at most 95%"),
        ({"hurler": 4, "skewerer": 5}, "5%", "60% -30 throw -40 catch, at least 5%"),
    ],
)
def test_the_chance_adds_up_the_skills_of_the_roles(keys: dict[str, Any], chance: str, told: str) -> None:
    skills = [[0.1, 0, 0, 0], [0, 0.15, 0, 0], [0, 0, -0.1, -0.05], [0.6, 0, 0, 0], [-0.3, 0, 0, 0], [0, -0.4, 0, 0]]
    dare = next(dare.id for dare in DARES if dare.base == 60 and not dare.helpers)
    made = position(6, phase="bet", to_play=5, dare=dare, skills=skills) | keys
    scene = draw_position(made)
    assert chance in words(group(scene, "chance").shapes), "HP-8"
    assert any(word.startswith(told) for word in words(scene.shapes))
    assert f"chance of success: {chance} = {told}" in text(scene)


def test_without_skills_there_is_nothing_about_them() -> None:
    assert len(groups(draw_position(SKILLED), "skills")) == 6
    assert "skills in percent: throw +10, catch -15, help +5, hinder 0" in "\n".join(text(draw_position(SKILLED)))
    plain = draw_position(SKILLED | {"skills": [NO_SKILLS] * 6})
    assert not groups(plain, "skills")
    assert not any("skills" in line for line in text(plain))


@pytest.mark.parametrize("success", [True, False])
def test_the_last_throw_is_told_with_its_hurler(success: bool) -> None:
    how = "success" if success else "failure"
    made = filled(4, 2, hurler=0, to_play=0, last_throw={"success": success})
    scene = draw_position(made)
    assert f"player 3's throw: {how}" in words(group(scene, "last throw").shapes)
    assert len(groups(group(scene, "last throw"), how)) == 1
    assert f"last throw: {how} (player 3)" in text(scene)
    assert not groups(draw_position(position()), "last throw")
    ended = draw_position(LOST)
    assert "the last was player 1's throw: failure" in words(ended.shapes), "the hurler stays at the end (HP-14)"


def test_who_has_climbed_or_lost_a_balloon_by_the_throw_is_marked() -> None:
    up = draw_position(filled(4, 2, hurler=1, to_play=1, last_throw={"success": True}))
    assert group(up, "climbed").title.startswith("player 0 has climbed")
    assert not groups(up, "burst")
    down = draw_position(filled(4, 2, hurler=1, to_play=1, last_throw={"success": False}, balloons=[3, 5, 5, 5]))
    assert groups(group(down, "player 0"), "burst")
    assert len(groups(down, "burst")) == 1
    assert not groups(down, "climbed")
    later = draw_position(betting(4, 2))
    assert not groups(later, "climbed"), "the next turn has begun"
    assert not groups(later, "burst")
    assert groups(group(draw_position(LOST), "player 1"), "burst")


# ---- what is hidden --------------------------------------------------------------------------------------------------
def redealt(made: dict[str, Any], seat: int, seed: int) -> dict[str, Any]:
    """Return a position that a seat can't tell from the given one (HP-7, HP-11)."""
    draw = random.Random(seed)
    changed = copy.deepcopy(made)
    others = [other for other in range(made["players"]) if other != seat]
    tokens = [value for other in others for value in made["clouds"][other]]
    tokens += [value for value, left in enumerate(made["cloud_pool"]) for _ in range(left)]
    draw.shuffle(tokens)
    for other in others:
        changed["clouds"][other] = sorted(tokens.pop() for _ in made["clouds"][other])
        if made["bets"][other] is not None:
            changed["bets"][other] = draw.choice(["happy", "unhappy"])
    changed["cloud_pool"] = [tokens.count(value) for value in range(3)]
    return changed


@pytest.mark.parametrize("name", [name for name, made in MADE.items() if made["phase"] != "over"])
def test_a_seat_is_shown_nothing_that_it_cannot_know(name: str) -> None:
    made = MADE[name]
    legal = names_for(made)
    differences = 0
    for seat in range(made["players"]):
        last = ["dare 3", "bet unhappy", "failure", f"player {(seat + 1) % made['players']} cloud 2"]
        scene = draw_position(made, last, seat, legal)
        for seed in range(3):
            changed = redealt(made, seat, seed)
            assert draw_position(changed, last, seat, legal) == scene
            differences += draw_position(changed, last, None, legal) != draw_position(made, last, None, legal)
    hidden = any(made["clouds"]) or any(made["bets"])
    assert bool(differences) == hidden, "who sees everything sees the difference"


@pytest.mark.parametrize("players", [5, 6])
def test_bets_lie_hidden_but_for_their_owners(players: int) -> None:
    made = betting(players, 7, players - 3)
    bettors = [seat for seat in range(players) if made["bets"][seat]]
    assert len(bettors) == players - 3
    for viewer in (None, *range(players)):
        scene = draw_position(made, seat=viewer)
        for seat in bettors:
            card = group(scene, f"player {seat}")
            shown = made["bets"][seat] if viewer in (None, seat) else "hidden"
            assert [role for role in roles(card) if role.startswith("bet ")] == [f"bet {shown}"]
            assert f" bet {shown} " in row(scene, seat)
        other = made["to_play"]
        assert groups(group(scene, f"player {other}"), "bet to come")


def test_names_of_bets_are_told_to_their_owners_only_until_the_throw() -> None:
    made = betting(6, 1, 3)
    hurler, bets = made["hurler"], made["bets"]
    bettors = [seat for step in range(6) if bets[seat := (hurler + step) % 6]]
    last = [f"bet {bets[seat]}" for seat in bettors]
    for viewer in range(6):
        names = [name if seat == viewer else "bet" for seat, name in zip(bettors, last, strict=True)]
        assert f"last: {', '.join(names)}" in text(draw_position(made, last, viewer))
    assert f"last: {', '.join(last)}" in text(draw_position(made, last))
    thrown = filled(6, 1)
    for viewer in range(6):
        assert f"last: {', '.join(last)}" in text(draw_position(thrown, last, viewer)), "birds tell it anyway"
    cut_short = draw_position(FORFEIT, ["bet happy"], 1)
    assert "last: bet" in text(cut_short), "a forfeit shows no bets"
    assert "bet happy" not in roles(group(cut_short, "player 2"))


def test_the_value_of_a_cloud_is_told_to_its_owner_only() -> None:
    made = filled(3, 1, clouds=[[], [2], []])
    for seat, told in (
        (None, "player 1 cloud 2"),
        (1, "player 1 cloud 2"),
        (0, "player 1 cloud"),
        (2, "player 1 cloud"),
    ):
        assert f"last: {told}" in text(draw_position(made, ["player 1 cloud 2"], seat))
    over = LOST | {"turn": 3}
    assert "last: player 1 cloud 2" in text(draw_position(over, ["player 1 cloud 2"], 0))


@pytest.mark.parametrize("name", ["end", "lost", "truncated", "forfeit"])
def test_at_the_end_all_clouds_are_turned_over(name: str) -> None:
    made = MADE[name]
    for viewer in (None, 0, 1):
        scene = draw_position(made, seat=viewer)
        for seat in range(made["players"]):
            assert clouds_of(group(scene, f"player {seat}")) == Counter(map(str, made["clouds"][seat]))


# ---- what may be done ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("viewer", [None, 0, 2])
@pytest.mark.parametrize("role", ROLES[1:])
@pytest.mark.parametrize("players", PLAYERS)
def test_who_may_be_named_is_marked(players: int, role: str, viewer: int | None) -> None:
    made = asked(players, 1, role)
    scene = draw_position(made, (), viewer, names_for(made))
    taken = {made[each] for each in ROLES}
    assert len(groups(scene, "may be named")) == players - len(taken - {None})
    for seat in range(players):
        card = group(scene, f"player {seat}")
        offers = groups(card, f"legal {role}")
        assert bool(offers) == (seat not in taken)
        for offer in offers:
            step = (seat - made["hurler"]) % players
            assert words(offer.shapes) == [f"{role} left{step}"]
            choices = next(line for line in text(scene) if line.startswith(f"{role}: "))
            assert f"left{step} (player {seat}, {ANIMALS[seat]})" in " ".join(
                [choices, *text(scene)[text(scene).index(choices) + 1 :]]
            )
    assert scene == draw_position(made, (), viewer, names_for(made, own=True)), "named by place or absolutely"
    assert re.findall(r"\bleft\d", "\n".join(text(scene))) == sorted(offers_of(scene, role)), "in the catalogue's order"
    assert not groups(draw_position(made, (), viewer), f"legal {role}")
    assert not groups(draw_position(made, (), viewer), "may be named")


@pytest.mark.parametrize("players", PLAYERS)
def test_the_two_bets_are_offered_to_the_player_whose_turn_it_is(players: int) -> None:
    made = betting(players, 2)
    scene = draw_position(made, legal=["bet happy", "bet unhappy"])
    card = group(scene, f"player {made['to_play']}")
    assert [offer.title for offer in groups(card, "legal bet")] == ["bet happy", "bet unhappy"]
    assert len(groups(scene, "legal bet")) == 2
    assert text(scene)[-1] == "bet: happy (it succeeds), unhappy (it fails)"
    assert len(groups(draw_position(made, legal=["bet unhappy"]), "legal bet")) == 1
    assert not groups(draw_position(made), "legal bet")


def test_whose_turn_it_is_is_marked_on_the_board_and_beside_it() -> None:
    for made in (asked(5, 1, "skewerer"), betting(5, 1, 1)):
        scene = draw_position(made)
        assert group(scene, "to play").title == f"player {made['to_play']} is to play"
        assert f"Player {made['to_play']}" in words(group(scene, "status").shapes)
        assert [line[:7] for line in text(scene) if line.startswith("> ")] == [
            f">  {made['to_play']}  {ANIMALS[made['to_play']][0]}"
        ]
    assert not groups(draw_position(END), "to play")


# ---- what was done ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["skewerer left1", "skewerer player 2"])
def test_who_has_just_been_named_and_the_dare_drawn_are_pointed_at(name: str) -> None:
    made = position(
        4, phase="assister", hurler=1, to_play=1, skewerer=2, dare=ASSISTED, turn=5, last_throw={"success": True}
    )
    scene = draw_position(made, [name])
    assert "just named" in roles(group(scene, "skewerer 2"))
    assert len(groups(scene, "just named")) == 1
    assert "last: skewerer player 2" in text(scene)
    assert "last: skewerer player 2" in words(group(scene, "legend").shapes)
    assert group(scene, f"dare {ASSISTED}") != group(draw_position(made), f"dare {ASSISTED}")
    assert not groups(draw_position(made, ["skewerer player 3"]), "just named"), "that was another turn"
    assert "just named" in roles(
        group(draw_position(made | {"phase": "bet", "to_play": 0, "assister": 3}, ["assister left2"]), "assister 3")
    )
    drawn = draw_position(made, [f"dare {ASSISTED} {DARES[ASSISTED].name}"])
    assert group(drawn, f"dare {ASSISTED}") == group(scene, f"dare {ASSISTED}")


def test_names_by_place_count_from_the_hurler_of_their_turn() -> None:
    after = position(4, hurler=2, to_play=2, turn=5, last_throw={"success": True})
    assert "last: skewerer player 3, bet happy, success" in text(
        draw_position(after, ["skewerer left2", "bet happy", "success"])
    )
    two_turns = ["skewerer left1", "bet happy", "skewerer left1", "bet unhappy"]
    assert "last: skewerer player 1, bet happy, skewerer player 2, bet unhappy" in text(draw_position(after, two_turns))
    begun = betting(4, 3) | {"hurler": 3, "skewerer": 1, "to_play": 0, "turn": 6}
    assert "last: skewerer player 3, skewerer player 1" in text(
        draw_position(begun, ["skewerer left1", "skewerer left2"])
    )
    assert "last: skewerer player 0" in text(draw_position(END, ["skewerer left2"])), "the hurler stays (HP-14)"
    assert "last: skewerer player 2" in text(draw_position(TRUNCATED, ["skewerer left2"]))


def test_a_bet_just_made_is_pointed_at() -> None:
    made = betting(6, 4, 2)
    bettors = [seat for step in range(6) if made["bets"][seat := (made["hurler"] + step) % 6]]
    for name in (f"bet {made['bets'][bettors[1]]}", "bet"):
        scene = draw_position(made, [name], made["hurler"])
        assert groups(group(scene, f"player {bettors[1]}"), "just bet")
        assert len(groups(scene, "just bet")) == 1
    assert len(groups(draw_position(made, ["bet", "bet"]), "just bet")) == 2
    assert not groups(draw_position(made), "just bet")


def test_a_cloud_just_drawn_is_pointed_at() -> None:
    made = filled(3, 1, clouds=[[1], [2], []])
    scene = draw_position(made, ["success", "player 1 cloud 2"], 0)
    assert groups(group(scene, "player 1"), "just got a cloud")
    assert len(groups(scene, "just got a cloud")) == 1


def test_a_long_turn_keeps_its_latest_moves_in_the_picture() -> None:
    last = ["skewerer player 1", "assister player 2", "bet happy", "bet unhappy"] * 4
    scene = draw_position(filled(6, 1), last)
    (said,) = [word for word in words(group(scene, "legend").shapes) if word.startswith("last: ")]
    assert said.endswith("bet happy, bet unhappy")
    assert text_width(said, 14) <= board.WIDTH
    assert " ".join(" ".join(text(scene)).split()).count("assister player 2,") == 4, "the text tells all"


@pytest.mark.parametrize(
    "name",
    ["", "skewerer", "skewerer left0", "skewerer left4", "skewerer player 4", "hurler left1",
     "bet maybe", "bet happy ", "throw", "player 4 cloud 1", "player 1 cloud 3", "dare", "assister 2", "cloud 1"],
)  # fmt: skip
def test_names_that_are_no_moves_are_refused(name: str) -> None:
    made = asked(4, 1, "skewerer") | {"hurler": 0, "to_play": 0}
    running = made | {"phase": "bet", "skewerer": 1, "dare": ALONE, "to_play": 2}
    for keys in ({"last": [name]}, {"legal": [name]}):
        with pytest.raises(ValueError, match=re.escape(f"{name!r} is not an action of hop with 4 players")):
            draw_position(running, **keys)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["bet", "success", "dare 3", "player 1 cloud 2", "player 0 throw +0.05"])
def test_what_nobody_decides_is_no_legal_action(name: str) -> None:
    draw_position(position(), [name])
    with pytest.raises(ValueError, match="is not an action of hop"):
        draw_position(position(), legal=[name])


def test_nobody_may_name_oneself_or_act_when_it_is_over() -> None:
    for made, name in ((position(), "skewerer player 0"), (END, "skewerer left1"), (END, "bet happy")):
        with pytest.raises(ValueError, match=f"'{name}' is not an action of hop"):
            draw_position(made, legal=[name])


def test_a_seat_that_does_not_play_is_refused() -> None:
    for seat in (-1, 3):
        with pytest.raises(ValueError, match=f"seat {seat} doesn't play"):
            draw_position(position(3), seat=seat)


# ---- the end ---------------------------------------------------------------------------------------------------------
def test_the_end_shows_winners_ranks_and_points() -> None:
    scene = draw_position(END)
    assert {"Player 2", "wins!", "after 30 turns"} <= set(words(group(scene, "status").shapes))
    expected = {0: ("3rd", "7 points"), 1: ("4th", "4 points"), 2: ("1st", "9 points"), 3: ("2nd", "8 points")}
    for seat, facts in expected.items():
        card = group(scene, f"player {seat}")
        assert set(facts) <= set(words(card.shapes)), "HP-15"
        assert bool(groups(card, "winner")) == (seat == 2)
        assert not [role for role in roles(card) if role.startswith("is ")], "roles are over (HP-14)"
    assert row(scene, 2).split() == ["2", "lion", "7", "9", "4/5", "0", "0", "1st,", "winner", "2", "(0", "2)"]
    tied = draw_position(END | {"levels": [7, 0, 6, 7], "clouds": [[1], [2, 2], [1, 1], []], "winners": [0, 2]})
    ranks = [words(group(tied, f"player {seat}").shapes) for seat in range(4)]
    assert "1st" in ranks[0]
    assert "2nd" in ranks[2], "the higher figurine goes first"


def test_shared_and_missing_victories_are_told() -> None:
    assert {"Players 0, 1, 2, 3, 4, 5", "share the victory"} <= set(words(draw_position(SHARED).shapes))
    assert {"Nobody wins", "turn limit reached"} <= set(words(draw_position(TRUNCATED).shapes))
    forfeit = draw_position(FORFEIT)
    assert "4th" in words(group(forfeit, "player 0").shapes), "C-11"
    assert "1st" in words(group(forfeit, "player 3").shapes)
    assert groups(forfeit, "skewerer 3"), "it stands as it stood"
    assert not groups(forfeit, "bet to come")


# ---- the picture as a whole ------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("name", "seat"), SEATS)
def test_all_that_is_written_lies_in_the_picture_and_apart(name: str, seat: int | None) -> None:
    made = MADE[name]
    last = [] if made["phase"] == "over" else ["bet happy", "success"]
    scene = draw_position(made, last, seat, names_for(made))
    found = boxes(scene)
    for word, left, top, right, bottom in found:
        assert left >= 0, word
        assert right <= scene.width, word
        assert top >= 0, word
        assert bottom <= scene.height, word
    for at, (word, left, top, right, bottom) in enumerate(found):
        for other, x1, y1, x2, y2 in found[at + 1 :]:
            apart = right <= x1 or x2 <= left or bottom <= y1 or y2 <= top
            assert apart, f"{word!r} lies on {other!r}"


@pytest.mark.parametrize("name", MADE)
def test_what_lies_in_a_player_s_card_ends_before_its_edge(name: str) -> None:
    scene = draw_position(MADE[name], legal=names_for(MADE[name]))
    for seat in range(MADE[name]["players"]):
        card = group(scene, f"player {seat}")
        for shape, x, _, scale in placed(card.shapes):
            if isinstance(shape, Group) and (shape.role.startswith("cloud ") or shape.role == "legal bet"):
                assert x + 16 * scale < panel.WIDTH - 8
    assert turn.WIDTH == panel.WIDTH


def test_long_names_and_texts_are_cut_off() -> None:
    card = group(draw_position(LONG_DARE), "dare 1")
    assert sum(word.endswith("…") for word in words(card.shapes)) == 2, "name and text"
    assert len([word for word in words(card.shapes) if word.startswith("so so")]) == 3
    assert "Dare 0" in words(draw_position(OWN_DECK).shapes), "a dare without a name"
    assert {"34%", "33%"} & set(words(draw_position(OWN_DECK).shapes))
    assert shortened("abc", 14, 100) == "abc"
    assert text_width(shortened("abc " * 50, 14, 100), 14) <= 100


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", MADE)
def test_pictures_are_small_in_both_themes(name: str, theme: Any) -> None:
    made = MADE[name]
    scene = draw_position(made, legal=names_for(made))
    written = scene_to_svg(scene, theme)
    assert len(written) < (115_000 if name == "skilled" else 100_000)
    assert written == scene_to_svg(draw_position(made, legal=names_for(made)), theme)


def test_the_size_depends_on_the_number_of_players_and_on_skills_only() -> None:
    for players in PLAYERS:
        end = filled(players, 3, phase="over", to_play=None, winners=[1], levels=[7] * players)
        scenes = [draw_position(position(players)), draw_position(end, seat=1), draw_position(betting(players, 1))]
        scenes += [draw_position(asked(players, 1, role), ["bet happy"], 0) for role in ROLES[1:]]
        assert len({(scene.width, scene.height) for scene in scenes}) == 1
    assert draw_position(SKILLED).height > draw_position(betting(6, 1)).height


def test_an_animation_writes_the_bare_board_once() -> None:
    scenes = [draw_position(asked(4, seed, "skewerer")) for seed in range(12)]
    written = animate(scenes)
    assert len(written) < 280_000, "though every picture is quite another position"
    assert written.count("beside the board: worth 0") == 1


def test_the_drawing_knows_nothing_of_the_rules() -> None:
    for source in Path(drawing.__file__).parent.glob("*.py"):
        for module in re.findall(r"^(?:from|import) (hopenvs\S*)", source.read_text(encoding="utf-8"), re.MULTILINE):
            assert module.startswith("hopenvs.games.hop.draw") or module in (
                "hopenvs.render.scene",
                "hopenvs.games.hop.dares",
            ), source


def test_every_position_of_the_sample_record_is_drawn() -> None:
    lines = [json.loads(line) for line in RECORD.read_text(encoding="utf-8").splitlines()]
    told = [line for line in lines if "position" in line]
    assert len(told) > 20
    last: list[str] = []
    for line in lines:
        last = [*last, line["action"]] if "action" in line else last
        if "position" not in line:
            continue
        made = line["position"]
        for seat in (None, *range(3)):
            scene = draw_position(made, last, seat, line.get("legal", ()))
            assert [x for x in roles(scene) if x.startswith("figurine ")] != []
            assert max(map(len, text(scene))) <= 100
        last = []


# ---- the text --------------------------------------------------------------------------------------------------------
def test_the_text_of_a_bet() -> None:
    made = position(
        3, phase="bet", to_play=2, skewerer=1, dare=4, levels=[3, 1, 2], balloons=[4, 2, 4], doves=[1, 0, 2],
        crows=[0, 1, 1], clouds=[[2], [0, 1, 2], [2]], turn=8, last_throw={"success": False}, put_away=[8, 13, 18],
    )  # fmt: skip
    assert text(draw_position(made, ["skewerer player 1"], 2, ["bet happy", "bet unhappy"])) == [
        "HOP! · turn 9: player 0 hurls · Player 2 bets on the throw",
        "last: skewerer player 1",
        "",
        "  level 7 |  the top: the game ends",
        "  level 6 |",
        "  level 5 |",
        "  level 4 |",
        "  level 3 |  0 fox",
        "  level 2 |  2 lion",
        "  level 1 |  1 bear",
        "  beside     worth 0, out of the sky",
        "",
        "last throw: failure (player 2)",
        "throw: hurler  0   skewerer  1",
        f"dare: {DARES[4].name} (number 4, easy, binds the hurler)",
        *[f"      {line}" for line in wrapped_text(DARES[4].text)],
        "chance of success: 75%",
        "",
        "      player          level  points  balloons  doves  crows  part          clouds",
        ">  2  lion (you)          2       4       4/5      2      1  still to bet  1 (2)",
        "   0  fox                 3       ?       4/5      1      0  hurler        1 (?)",
        "   1  bear                1       ?       2/5      0      1  skewerer      3 (? ? ?)",
        "",
        "left: 46 dares; 31 clouds; 25 birds",
        "in the deck: 16 of 75%, 14 of 60%, 16 of 40%; 10 with an assister, 10 with a turbulator",
        f"put away: {', '.join(DARES[number].name for number in (8, 13, 18))}",
        "",
        "bet: happy (it succeeds), unhappy (it fails)",
    ]


def wrapped_text(sentence: str) -> list[str]:
    """Return a sentence in lines of at most 94 characters."""
    lines = [""]
    for word in sentence.split():
        if len(lines[-1]) + 1 + len(word) > 94:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def test_the_text_tells_where_everybody_stands() -> None:
    shown = text(draw_position(END, seat=1))
    assert "  level 7 |  2 lion   the top: the game ends" in shown
    assert "  level 6 |  0 fox" in shown
    assert "  beside     1 bear   worth 0, out of the sky" in shown
    many = text(draw_position(MANY_CLOUDS))
    assert any(line.endswith(" 24 (9x0 8x1 7x2)") for line in many)
    assert any(line.endswith(" 7 (1x0 2x1 4x2)") for line in many)
    assert any(line.endswith(" 2 (1 1)") for line in many)


@pytest.mark.parametrize(("name", "seat"), SEATS)
def test_the_text_fits_a_terminal_and_colours_only_add_to_it(name: str, seat: int | None) -> None:
    made = MADE[name]
    last = [] if made["phase"] == "over" else ["skewerer left1", *["bet happy"] * 20]
    scene = draw_position(made, last, seat, names_for(made))
    shown = scene_to_text(scene, colour=False)
    assert max(map(len, shown.splitlines())) <= 100
    stripped = re.sub(r"\x1b\[[0-9;]*m", "", scene_to_text(scene))
    assert [line.rstrip() for line in stripped.splitlines()] == shown.splitlines()
    if legal := names_for(made, own=True):
        said = " ".join(shown.splitlines())
        for name_ in legal:
            kind, what = name_.split()
            assert re.search(rf"{kind}: .*\b{what}\b", said), f"the text names {name_}"
