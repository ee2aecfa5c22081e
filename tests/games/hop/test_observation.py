"""What seats see of HOP! and what stays hidden (C-9), against slow definitions made from positions."""

import copy
import json
import random
from collections import Counter

import numpy as np
import pytest

from hopenvs.core import rng as streams
from hopenvs.core.errors import PositionError
from hopenvs.core.jit import BACKEND
from hopenvs.core.walk import Walk
from hopenvs.testing import check_seats_turn
from tests.games.hop.table import GAME, deck, new_game, options_of, play, table
from tests.games.seats import compare_views, seen
from tests.oracles import hop as oracle
from tests.relabelled import relabelled

clause = pytest.mark.clause
every_number = pytest.mark.parametrize("players", [3, 4, 5, 6])

PLAIN = BACKEND == "plain"
POSITIONS = 40 if PLAIN else 80  # scattered ones
OWN = deck("- at a t60 - a")
ROLES = ("skewerer", "assister", "turbulator")
PHASES = (*ROLES, "bet")


def section(walk, seat, name):
    """A part of it, as nested lists."""
    part, shape = walk.spec.layout[name]
    return seen(walk, seat)[part].reshape(shape).tolist()


def walk_for(players, dares=None, skills="sampled"):
    """A game that positions are set up in."""
    walk = Walk(GAME, options_of(players=players, dares=dares, skills=skills))
    walk.start(0)
    return walk


def scattered(players, seed, count=POSITIONS, dares=None):
    """Positions of all phases, whether or not play leads there."""
    rng = random.Random(f"{players} {seed}")
    given = {} if dares is None else {"dares": dares}
    return list(oracle.random_positions(players, rng, count, skills="sampled", **given))


# ---- the sections ----------------------------------------------------------------------------------------------------
def expected_view(o, position, seat):
    """The sections of the README, filled from a position: {name: array}."""
    n, over = o.players, position["phase"] == "over"
    view = {part.name: np.zeros(part.shape, np.int8) for part in GAME.spec(o).sections}
    for k in range(n):
        other = (seat + k) % n
        for key in ("levels", "balloons", "doves", "crows"):
            view[key][k] = position[key][other]
        view["clouds"][k] = len(position["clouds"][other])
        view["skills"][k] = [round(100 * skill) for skill in position["skills"][other]]
        for role, name in enumerate(("hurler", *ROLES)):
            view["roles"][role, k] = position[name] == other
        view["to_play"][k] = position["to_play"] == other
        view["has_bet"][k] = position["bets"][other] is not None
    view["own_clouds"][:] = [position["clouds"][seat].count(value) for value in range(3)]
    view["pool"][0] = sum(position["cloud_pool"])
    if not over:
        view["phase"][PHASES.index(position["phase"])] = 1
    if position["bets"][seat] is not None:
        view["own_bet"][("happy", "unhappy").index(position["bets"][seat])] = 1
    if position["dare"] is not None:
        dare = o.dares.dares[position["dare"]]
        view["base"][0] = dare.base
        view["asks_for"][:] = [dare.assister, dare.turbulator]
        view["chance"][0] = oracle.chance_of_success(
            {**position, "options": {"dares": [row.as_dict() for row in o.dares.dares]}}
        )
    if position["last_throw"] is not None:
        view["last_throw"][int(position["last_throw"]["success"])] = 1
    for key in ("deck", "put_away"):
        view[key][position[key]] = 1
    return view


@clause("C-9", "C-10")
@every_number
@pytest.mark.parametrize("dares", [None, OWN], ids=["default", "own"])
def test_every_seat_sees_the_position_from_its_own_place(players, dares):
    walk = walk_for(players, dares)
    for position in scattered(players, "views", dares=dares):
        walk.start_from(position)
        compare_views(walk, expected_view)


@clause("C-9", "C-10")
@every_number
def test_so_it_does_all_through_a_game_and_at_its_end(players):
    rng = random.Random(players)
    walk = walk_for(players)
    while True:
        walk.draw_all()
        compare_views(walk, expected_view)
        if walk.is_over:
            return
        walk.play(rng.choice(walk.legal()))


@clause("C-9")
def test_extremes_are_within_the_bounds():
    """Skills of a whole chance, the surest and the least sure dare, all clouds in one hand."""
    skills = [[1.0, -1.0, 1.0, -1.0], [-1.0, 1.0, -1.0, 1.0], [0.0] * 4, [0.0] * 4]
    for hurler in (0, 1):
        for base in ("at0", "at100"):
            walk = table(4, hurler=hurler, dares=base, skills=skills, left=[0, 0, 0], phase="turbulator",
                         skewerer=1 - hurler, assister=2, dare=0)  # fmt: skip
            compare_views(walk, expected_view)
            assert section(walk, hurler, "own_clouds") == [12, 12, 12]


@clause("C-9", "C-10", "HP-8")
def test_a_view_by_hand():
    skills = [[0.1, 0.2, -0.3, 0.05], [0.0] * 4, [0.01, 0.02, 0.03, 0.04], [0.0, 0.1, 0.0, 0.0]]
    walk = table(
        4, hurler=2, phase="bet", skewerer=3, assister=0, dare=1, put_away=[2], levels=[1, 2, 3, 4],
        balloons=[5, 4, 3, 2], doves=[0, 1, 2, 0], crows=[2, 0, 0, 1], clouds="0 12 - 222", skills=skills,
        success=False,
    )  # fmt: skip
    assert {name: section(walk, 1, name) for name in walk.spec.layout} == {
        "levels": [2, 3, 4, 1],
        "balloons": [4, 3, 2, 5],
        "doves": [1, 2, 0, 0],
        "crows": [0, 0, 1, 2],
        "clouds": [2, 0, 3, 1],
        "own_clouds": [0, 1, 1],
        "pool": [30],
        "skills": [[0, 0, 0, 0], [1, 2, 3, 4], [0, 10, 0, 0], [10, 20, -30, 5]],
        "roles": [[0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [0, 0, 0, 0]],
        "phase": [0, 0, 0, 1],
        "to_play": [1, 0, 0, 0],
        "has_bet": [0, 0, 0, 0],
        "own_bet": [0, 0],
        "base": [50],
        "asks_for": [1, 0],
        "chance": [50 + 1 + 10 - 30],
        "last_throw": [1, 0],
        "deck": [1, 0, 0, 1],
        "put_away": [0, 0, 1, 0],
    }


@clause("HP-8", "C-9")
def test_the_chance_shown_counts_the_roles_given_so_far():
    skills = [[0.1, 0, 0, 0], [0, 0.05, 0, 0], [0, 0, 0.2, 0], [0, 0, 0, 0.03]]
    walk = table(4, skills=skills, names=["skewerer left1", "dare 3"])
    chances = [section(walk, 3, "chance")]
    play(walk, "assister left2")
    chances.append(section(walk, 3, "chance"))
    assert chances == [[65], [85]]
    assert play(walk, "turbulator left3").outcomes() == [82, 18]


@clause("HP-7", "C-9")
def test_that_somebody_has_bet_is_seen_but_not_what():
    walk = table(4, names=["skewerer left1", "dare 0", "bet unhappy"])
    assert [section(walk, seat, "own_bet") for seat in range(4)] == [[0, 0], [0, 0], [0, 1], [0, 0]]
    for seat in range(4):
        shown = [0, 0, 0, 0]
        shown[(2 - seat) % 4] = 1
        assert section(walk, seat, "has_bet") == shown


@clause("HP-11", "C-9")
def test_a_cloud_is_seen_by_its_owner_only():
    looks = []
    for value in range(3):
        walk = table(3, names=["skewerer left1", "dare 0", "bet happy", "success", f"cloud {value}"])
        looks.append([seen(walk, seat).tobytes() for seat in range(3)])
        assert section(walk, 0, "clouds") == [0, 1, 0]
        assert section(walk, 2, "pool") == [35]
    assert [len({look[seat] for look in looks}) for seat in range(3)] == [1, 3, 1]


# ---- blindness -------------------------------------------------------------------------------------------------------
def redealt(walk, seat, number):
    """The position of the same game with all that this seat can't know dealt anew, and its view and value."""
    twin = walk.batch.copy()
    twin.resample_hidden(np.array([seat]), streams.generator(number, streams.PLAYOUT)[None])
    other = Walk(GAME, walk.options)
    other.start(0)
    other.batch.take_back(twin)
    return other


@clause("C-9")
@every_number
def test_what_is_dealt_anew_looks_the_same(players):
    changed = 0
    walk = walk_for(players, OWN)
    rng = random.Random(players)
    for number, position in enumerate(scattered(players, "anew", POSITIONS, OWN)):
        walk.start_from(position)
        seat = rng.randrange(players)
        twin = redealt(walk, seat, number)
        for ours, theirs in zip(walk.batch.view((0,), (seat,)), twin.batch.view((0,), (seat,)), strict=True):
            assert np.array_equal(ours, theirs)
        assert walk.batch.evaluate((0,), (seat,)) == twin.batch.evaluate((0,), (seat,))
        other = twin.position()
        assert oracle.public_view(other, seat) == oracle.public_view(position, seat)
        twin.start_from(other)  # nothing is lost
        changed += other != position
    assert changed > POSITIONS / 2


@clause("C-9")
@every_number
def test_what_the_slow_walker_deals_anew_looks_the_same(players):
    walk, other = walk_for(players, OWN), walk_for(players, OWN)
    rng = random.Random(players)
    for position in scattered(players, "walker", POSITIONS, OWN):
        seat = rng.randrange(players)
        walk.start_from(position)
        other.start_from(oracle.reshuffled(position, seat, rng))
        for ours, theirs in zip(walk.batch.view((0,), (seat,)), other.batch.view((0,), (seat,)), strict=True):
            assert np.array_equal(ours, theirs)
        assert walk.batch.evaluate((0,), (seat,)) == other.batch.evaluate((0,), (seat,))


def worlds(walk, seat, hidden, count):
    """How often each way of dealing comes up: {what `hidden` says of the position: times}."""
    return Counter(json.dumps(hidden(redealt(walk, seat, number).position())) for number in range(count))


@clause("C-9", "HP-11")
def test_unseen_clouds_are_dealt_in_every_way_alike():
    """Seats 1 and 2 have a cloud each, one is left; all three tokens are told apart by their values."""
    count = 600
    walk = table(3, clouds="- 0 2", left=[0, 1, 0])
    assert walk.position()["clouds"][0] == [0] * 11 + [1] * 11 + [2] * 11
    found = worlds(walk, 0, lambda position: position["clouds"][1:], count)
    assert set(found) == {json.dumps([[a], [b]]) for a in range(3) for b in range(3) if a != b}
    assert 0.6 * count / 6 < min(found.values()) <= max(found.values()) < 1.5 * count / 6


@clause("C-9", "HP-11")
def test_the_owner_of_clouds_keeps_them():
    walk = table(3, clouds="0 122 01")
    for number in range(20):
        position = redealt(walk, 1, number).position()
        assert position["clouds"][1] == [1, 2, 2]
        assert [len(row) for row in position["clouds"]] == [1, 3, 2]


@clause("C-9", "HP-7")
def test_each_bet_of_others_may_be_either_and_the_own_one_stays():
    count = 400
    walk = table(5, phase="bet", skewerer=1, dare=0, bets="- - h u -", to_play=4)
    found = worlds(walk, 4, lambda position: position["bets"][2:4], count)
    assert len(found) == 4
    assert 0.6 * count / 4 < min(found.values()) <= max(found.values()) < 1.5 * count / 4
    found = worlds(walk, 3, lambda position: position["bets"], 60)
    assert {json.loads(way)[3] for way in found} == {"unhappy"}
    assert {json.loads(way)[2] for way in found} == {"happy", "unhappy"}
    assert all([json.loads(way)[seat] for seat in (0, 1, 4)] == [None] * 3 for way in found)


# ---- completeness ----------------------------------------------------------------------------------------------------
def public(position, seat):
    """All that a seat knows and that matters for play, as text; how many turns there were is no part of it."""
    view = oracle.public_view(position, seat)
    return json.dumps({key: value for key, value in view.items() if key != "turn"}, sort_keys=True)


@clause("C-9")
@every_number
def test_equal_views_are_equal_observations_and_the_other_way_round(players):
    rng = random.Random(players)
    view_of: dict[bytes, str] = {}
    look_of: dict[str, bytes] = {}
    walk = walk_for(players, OWN)
    for node, _ in oracle.random_game(players, rng, skills="sampled", dares=OWN):
        if isinstance(node, oracle.Chance) or node["phase"] == "over":
            continue
        for position in (node, oracle.reshuffled(node, rng.randrange(players), rng)):
            walk.start_from(position)
            for seat in range(players):
                look, view = seen(walk, seat).tobytes(), public(position, seat)
                assert view_of.setdefault(look, view) == view
                assert look_of.setdefault(view, look) == look
    assert len(view_of) > 50


def changed(position, rng):
    """The position with one fact changed."""
    other = copy.deepcopy(dict(position))
    n = position["players"]
    hidden = ("value", "value", "bets", "bets")
    what = rng.choice(("levels", "balloons", "doves", "crows", "clouds", "deck", "skills", "throw", *hidden))
    seat = rng.randrange(n)
    if what in ("levels", "balloons", "doves", "crows"):
        other[what][seat] += rng.choice((-1, 1))
    elif what in ("clouds", "value"):
        row = other["clouds"][seat]
        if what == "clouds":
            row.append(rng.randrange(3))
        elif row:
            row[rng.randrange(len(row))] = rng.randrange(3)
        row.sort()
        held = [value for row in other["clouds"] for value in row]
        other["cloud_pool"] = [12 - held.count(value) for value in range(3)]
    elif what == "deck":
        here, there = ("deck", "put_away") if position["deck"] else ("put_away", "deck")
        other[there] = sorted([*other[there], other[here].pop(rng.randrange(len(other[here])))])
    elif what == "skills":
        other["skills"][seat][rng.randrange(4)] = rng.choice(oracle.SAMPLED_SKILLS)
    elif what == "throw":
        other["last_throw"]["success"] ^= True
    else:
        other["bets"] = [bet and rng.choice(("happy", "unhappy")) for bet in other["bets"]]
    return other


@clause("C-9")
@every_number
def test_a_seat_sees_that_something_has_changed_if_it_can_know(players):
    rng = random.Random(players)
    walk, twin = walk_for(players, OWN), walk_for(players, OWN)
    told = hidden = 0
    for position in scattered(players, "changes", 4 * POSITIONS, OWN):
        other = changed(position, rng)
        if other == position:
            continue
        try:
            twin.start_from(other)
        except PositionError:
            continue
        walk.start_from(position)
        assert walk.batch.keys() != twin.batch.keys()
        for seat in range(players):
            alike = public(position, seat) == public(other, seat)
            assert np.array_equal(seen(walk, seat), seen(twin, seat)) == alike
            hidden += alike
            told += not alike
    assert told > POSITIONS
    assert hidden > POSITIONS / 4


# ---- what is told ----------------------------------------------------------------------------------------------------
def told(walk, name):
    """What each seat learns of a move."""
    action = GAME.parse_action(walk.options, name)
    return [GAME.told_action(walk.options, walk.record, seat, action) for seat in range(walk.options.players)]


def heard(walk, k=0):
    """What each seat learns of an outcome."""
    return [GAME.told_outcome(walk.options, walk.record, seat, k) for seat in range(walk.options.players)]


@clause("HP-7", "C-9")
def test_others_are_told_that_a_bet_was_laid_but_not_which():
    walk = table(4, hurler=1, names=["skewerer left1", "dare 0"])
    assert told(walk, "bet unhappy") == ["bet", "bet", "bet", "bet unhappy"]
    assert told(play(walk, "bet unhappy"), "bet happy") == ["bet happy", "bet", "bet", "bet"]


@clause("HP-4", "HP-6", "C-9")
def test_roles_are_told_to_all_with_the_seat():
    walk = table(4, hurler=3)
    assert told(walk, "skewerer left3") == ["skewerer player 2"] * 4
    play(walk, "skewerer left3", "dare 3")
    assert told(walk, "assister left1") == ["assister player 0"] * 4
    play(walk, "assister left1")
    assert told(walk, "turbulator left2") == ["turbulator player 1"] * 4


@clause("HP-11", "C-9")
def test_of_a_cloud_others_are_told_only_that_it_was_drawn():
    walk = table(4, names=["skewerer left1", "dare 1", "assister left2", "bet happy", "success"])
    assert heard(walk, 35) == ["player 1 cloud", "player 1 cloud 2", "player 1 cloud", "player 1 cloud"]
    play(walk, "cloud 2")
    assert heard(walk) == ["player 2 cloud", "player 2 cloud", "player 2 cloud 0", "player 2 cloud"]


@clause("HP-5", "HP-8", "C-9")
def test_dares_throws_and_skills_are_told_to_all():
    assert heard(new_game(skills="sampled"), 1) == ["player 0 throw -0.10"] * 3
    walk = new_game(players=4)
    play(walk, "skewerer left2")
    assert heard(walk, 5) == ["dare 5 Sleepy Hand"] * 4
    walk.happen(5)
    play(walk, "bet happy", "bet unhappy")
    won = "success; player 0 climbs; player 1 bet happy: a dove; player 3 bet unhappy: a crow"
    lost = "failure; player 0 loses a balloon; player 1 bet happy: a crow; player 3 bet unhappy: a dove"
    assert heard(walk, 0) == [won] * 4
    assert heard(walk, 1) == [lost] * 4


@clause("HP-7", "HP-12", "C-9")
def test_with_the_throw_bets_are_open_and_a_flock_is_told():
    names = ["skewerer left2", "dare 0", "bet happy", "bet unhappy"]
    walk = table(4, doves=[0, 2, 0, 1], crows=[0, 2, 0, 2], names=names)
    won, lost = (heard(walk, k)[2].split("; ")[2:] for k in (0, 1))
    up, down = "the third: a level", "the third: a balloon is lost"
    assert won == [f"player 1 bet happy: a dove, {up}", f"player 3 bet unhappy: a crow, {down}"]
    assert lost == [f"player 1 bet happy: a crow, {down}", "player 3 bet unhappy: a dove"]


# ---- evaluate --------------------------------------------------------------------------------------------------------
def value(walk, seat):
    """What the position is worth to a seat."""
    return float(walk.batch.evaluate((0,), (seat,))[0])


@every_number
def test_values_are_finite(players):
    walk = walk_for(players, OWN)
    for position in scattered(players, "values", POSITIONS, OWN):
        walk.start_from(position)
        for seat in range(players):
            assert abs(value(walk, seat)) < 50


@pytest.mark.parametrize(("more", "less"), [
    ({"levels": [3, 2, 2]}, {"levels": [2, 2, 2]}),
    ({"balloons": [4, 3, 3]}, {"balloons": [3, 3, 3]}),
    ({"doves": [1, 0, 0]}, {"doves": [0, 0, 0]}),
    ({"crows": [0, 0, 0]}, {"crows": [1, 0, 0]}),
    ({"clouds": "2 - -"}, {"clouds": "1 - -"}),
    ({"clouds": "1 - -"}, {"clouds": "- - -"}),
    ({"levels": [2, 2, 1]}, {"levels": [2, 3, 1]}),
    ({"clouds": "- - -"}, {"clouds": "- 1 -"}),
])  # fmt: skip
def test_more_for_oneself_and_less_for_others_is_better(more, less):
    assert value(table(3, **more), 0) > value(table(3, **less), 0)


def test_of_others_clouds_only_their_number_counts():
    assert value(table(3, clouds="1 0 -"), 0) == value(table(3, clouds="1 2 -"), 0)


def test_the_likelier_bet_is_better_to_the_one_who_lays_it_and_hidden_from_others():
    for base, better in (("80", "h"), ("20", "u")):
        dares = [{"id": 0, "base": int(base) / 100, "assister": False, "turbulator": False}]
        bets = {
            bet: table(4, dares=dares, phase="bet", skewerer=1, dare=0, bets=f"- - {bet} -", to_play=3) for bet in "hu"
        }
        worse = "u" if better == "h" else "h"
        assert value(bets[better], 2) > value(bets[worse], 2)
        assert value(bets["h"], 3) == value(bets["u"], 3)


def test_a_better_skewerer_is_better_to_the_hurler():
    skills = [[0.0] * 4, [0.0, 0.3, 0.0, 0.0], [0.0, -0.3, 0.0, 0.0]]
    good, bad = (value(table(3, skills=skills, phase="bet", skewerer=skewerer, dare=0), 0) for skewerer in (1, 2))
    assert good > bad


# ---- seats are all alike ---------------------------------------------------------------------------------------------
@clause("C-10")
@every_number
@pytest.mark.parametrize("skills", ["", "-sampled"])
def test_turning_the_seats_turns_observations_and_masks(players, skills):
    assert check_seats_turn(f"hop-{players}p{skills}-v0", relabelled, every=4) > 5


@clause("C-10", "HP-15")
@every_number
def test_turning_the_seats_turns_the_whole_game_by_the_same_names(players):
    o = options_of(players=players, dares=OWN)
    for shift in range(1, players):
        rng = random.Random(shift)
        walk = Walk(GAME, o)
        walk.start(0)
        turned = Walk(GAME, o)
        turned.start(0)
        turned.start_from(relabelled(walk.position(), shift))
        while not walk.is_over:
            if walk.is_chance:
                assert turned.outcomes() == walk.outcomes()
                k = rng.randrange(len(walk.outcomes()))
                walk.happen(k)
                turned.happen(k)
                continue
            assert turned.position() == relabelled(walk.position(), shift)
            assert turned.legal_names() == walk.legal_names()
            action = rng.choice(walk.legal())
            walk.play(action)
            turned.play(action)
        assert turned.position() == relabelled(walk.position(), shift)
