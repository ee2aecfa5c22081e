"""What seats see of Dance Battle Royale and what stays hidden (C-9), against slow definitions made from positions."""

import copy
import functools
import json
import random
from collections import Counter

import numpy as np
import pytest

from hopenvs.core import rng as streams
from hopenvs.core.errors import PositionError
from hopenvs.core.jit import BACKEND
from hopenvs.core.state import BY_STEP_LIMIT, TERMINAL
from hopenvs.core.walk import Walk
from tests.games.hedgehog_hop.crew_table import (
    CARDS,
    COLOURS,
    DULL,
    GAME,
    IN_SYNC,
    LONG,
    MOVES,
    SHORT,
    STYLES,
    by_index,
    hand,
    known,
    options_of,
    play,
    position_of,
    table,
)
from tests.games.seats import compare_views, section, seen
from tests.oracles import hedgehog_hop_battle as oracle

clause = pytest.mark.clause
every_number = pytest.mark.parametrize("players", [3, 4, 5, 6])

PLAIN = BACKEND == "plain"
EVERY = 4 if PLAIN else 3  # decision of a game that is looked at
POSITIONS = 25 if PLAIN else 30  # scattered ones


@functools.cache
def walk_for(players, which):
    """A walk that is used again and again."""
    walk = Walk(GAME, options_of(players=players))
    walk.start(0)
    return walk


def at(position, which="one"):
    """A game at a position; whatever else was made with this name is at this position then."""
    walk = walk_for(position["players"], which)
    walk.start_from(position)
    return walk


def positions_of_a_game(players, seed, every=1):
    """A random game's walk, at every decision or every so many, and at its end."""
    walk = Walk(GAME, options_of(players=players))
    walk.start(0)
    rng = random.Random(seed)
    number = 0
    while not walk.is_over:
        if walk.is_chance:
            walk.happen(rng.randrange(len(walk.outcomes())))
            continue
        if number % every == 0:
            yield walk
        number += 1
        walk.play(rng.choice(walk.legal()))
    yield walk


def scattered(players, seed, count=POSITIONS):
    """Positions of all phases after the set-up, whether or not play leads there."""
    return list(oracle.random_positions(players, random.Random(f"{players} {seed}"), count))


# ---- the sections ----------------------------------------------------------------------------------------------------
def features(card):
    """Move, colour and style of a card, a cell each."""
    row = np.zeros(10, np.int8)
    if card is not None:
        colour, style, move = card.split("-")
        row[[MOVES.index(move), 3 + COLOURS.index(colour), 6 + STYLES.index(style)]] = 1
    return row


def counted(cards):
    row = np.zeros(36, np.int8)
    for card in cards:
        row[CARDS.index(card)] += 1
    return row


def expected_view(o, position, seat):
    """The sections of the README, filled from a position: {name: array}."""
    n, over = o.players, position["phase"] == "over"
    view = {part.name: np.zeros(part.shape, np.int8) for part in GAME.spec(o).sections}
    for k in range(n):
        other = (seat + k) % n
        if k == 0 or position["phase"] != "crew":
            view["crews"][k] = [features(card) for card in position["crews"][other]]
        view["known"][k] = counted(position["known"][other])
        view["hand_counts"][k] = len(position["hands"][other])
        view["start"][k] = other == position["start"]
        view["to_play"][k] = other == position["to_play"]
        if n > 3:
            view["has_planned"][k] = position["planned"][other] is not None
            view["acted"][k] = position["acted"][other]
    view["hand"] = counted(position["hands"][seat])
    view["audition"] = counted(position["audition"])
    view["draw_count"][0] = len(position["draw"])
    view["round"][0] = min(position["round"], 127)
    if not over:
        view["phase"][["crew", "plan", "play", "collect", "discard"].index(position["phase"])] = 1
    if position["pending"] is not None:
        view["pending"][["start", "end", "round"].index(position["pending"])] = 1
    if n == 3:
        for k, card in enumerate(reversed(position["discard"])):
            view["discard"][k] = features(card)
        view["last_turn"][0] = position["last_turn"]
        view["must_discard"][0] = position["must_discard"]
    else:
        view["own_plan"] = counted(filter(None, [position["planned"][seat]]))
        if position["phase"] == "play":
            view["revealed"] = counted([position["planned"][position["to_play"]]])
    return view


@clause("C-9", "C-10")
@every_number
def test_every_seat_sees_the_position_from_its_own_place(players):
    for seed in range(1 if PLAIN else 2):
        for walk in positions_of_a_game(players, seed, EVERY):
            compare_views(walk, expected_view)


@clause("C-9", "C-10")
@every_number
def test_scattered_positions_are_seen_so_too(players):
    for position in scattered(players, "views"):
        compare_views(at(position), expected_view)


@clause("C-9")
def test_the_round_is_shown_up_to_127():
    for number, shown in ((126, 126), (127, 127), (128, 127), (1000, 127)):
        walk = table(players=3, hands=["rah"], round=number)
        assert section(walk, 1, "round").tolist() == [shown]
        compare_views(walk, expected_view)


# ---- blindness -------------------------------------------------------------------------------------------------------
def redealt(walk, seat, number):
    """The same game with all that this seat can't know dealt anew."""
    twin = walk.batch.copy()
    twin.resample_hidden(np.array([seat]), streams.generator(number, streams.PLAYOUT)[None])
    other = walk_for(walk.options.players, "dealt anew")
    other.batch.take_back(twin)
    return other


def compare_with_redealt(walk, seat, number):
    """Whether something hidden has changed, and nothing else."""
    twin = redealt(walk, seat, number)
    position, changed = walk.position(), twin.position()
    for ours, theirs in zip(walk.batch.view((0,), (seat,)), twin.batch.view((0,), (seat,)), strict=True):
        assert np.array_equal(ours, theirs)
    assert walk.batch.evaluate((0,), (seat,)) == twin.batch.evaluate((0,), (seat,))
    assert oracle.public_view(changed, seat) == oracle.public_view(position, seat)
    assert changed["known"] == position["known"]
    assert at(changed, "other").position() == changed  # no card is lost, and what is known is where it is known to be
    return changed != position


@clause("C-9")
@every_number
def test_what_is_dealt_anew_looks_the_same(players):
    rng = random.Random(players)
    changed = looked = 0
    for walk in positions_of_a_game(players, 7, EVERY):
        if not walk.is_over:
            for seat in rng.sample(range(players), 1 if PLAIN else 2):
                changed += compare_with_redealt(walk, seat, looked)
                looked += 1
    for position in scattered(players, "blindness", POSITIONS // 3):
        changed += compare_with_redealt(at(position), rng.randrange(players), looked)
        looked += 1
    assert looked / 2 < changed


@clause("C-9")
@every_number
def test_what_the_slow_walker_deals_anew_looks_the_same(players):
    rng = random.Random(players)
    for walk in positions_of_a_game(players, 8, EVERY):
        if not walk.is_over:
            seat = rng.randrange(players)
            other = at(oracle.reshuffled(walk.position(), seat, rng), "other")
            assert np.array_equal(seen(walk, seat), seen(other, seat))
            assert np.array_equal(walk.batch.view((0,), (seat,))[0], other.batch.view((0,), (seat,))[0])


def worlds(walk, seat, hidden, count):
    """How often each way of dealing comes up: {what `hidden` says of it: times}."""
    return Counter(json.dumps(hidden(redealt(walk, seat, number))) for number in range(count))


def about_even(found, ways, count):
    """All ways come up, each about as often as the others."""
    assert len(found) == ways
    assert min(found.values()) > 0.6 * count / ways
    assert max(found.values()) < 1.5 * count / ways


@clause("C-9")
def test_unseen_cards_are_dealt_in_every_way_alike():
    """One unseen card in each hand and two in the pile; rtg is known to be seat 1's."""
    count = 600
    walk = table(players=3, hands=["rah", "rth rtg", "reh"], known=["", "rtg"], draw="beh bth", rest=0)
    found = worlds(walk, 0, lambda twin: [hand(twin, 1), hand(twin, 2)], count)
    assert all("rtg" in json.loads(way)[0].split() for way in found)
    about_even(found, 4 * 3, count)


@clause("C-9", "HH-54")
def test_a_plan_may_be_any_card_the_seat_may_have():
    """Seat 2 holds three cards, the plan with them: gah, as all know, and two out of rtg, rth and beh."""
    count = 900
    walk = table(players=4, phase="plan", round=2, to_play=3, planned="- - gah -", draw="beh", rest=3,
                 hands=["rts", "gts", "rtg rth", "bes"], known=["rts", "gts", "gah", "bes"])  # fmt: skip
    found = worlds(walk, 3, lambda twin: SHORT[twin.position()["planned"][2]], count)
    assert set(found) == {'"gah"', '"rtg"', '"rth"', '"beh"'}
    assert 0.27 < found['"gah"'] / count < 0.40  # a third
    assert all(0.17 < times / count < 0.28 for way, times in found.items() if way != '"gah"')  # two ninths each
    assert all(known(redealt(walk, 3, number), 2) == "gah" for number in range(9))


@clause("C-9", "HH-40")
def test_crews_that_are_not_yet_seen_are_dealt_anew_with_the_hands():
    walk = table("beh bah / beg bag", "rah rth / - -", "- - / - -", phase="crew", to_play=1)
    places: list[set[str]] = [set() for _ in range(6)]
    for number in range(60):
        position = redealt(walk, 1, number).position()
        assert position["crews"][1] == walk.position()["crews"][1]
        assert position["hands"][1] == walk.position()["hands"][1]
        for cell in range(4):
            places[cell].add(position["crews"][0][cell])
        places[4].update(position["hands"][2])
        places[5].update(position["hands"][0])
    own = {*walk.position()["hands"][1], LONG["rah"], LONG["rth"]}
    assert min(map(len, places)) > 15  # of 29
    assert all(own.isdisjoint(place) for place in places)


# ---- completeness ----------------------------------------------------------------------------------------------------
def public(position, seat):
    """All that a seat knows, as text; after the end who has won and how many turns there were is no part of it."""
    view = oracle.public_view(position, seat) | {"known_to_all": position["known"][seat]}
    if position["phase"] == "over":
        view = {key: value for key, value in view.items() if key not in ("turn", "winners", "truncated")}
    return json.dumps(view, sort_keys=True)


@clause("C-9")
@every_number
def test_equal_views_are_equal_observations_and_the_other_way_round(players):
    rng = random.Random(players)
    view_of: dict[bytes, str] = {}
    look_of: dict[str, bytes] = {}
    for seed in range(1 if PLAIN else 2):
        for walk in positions_of_a_game(players, seed, EVERY):
            position = walk.position()
            alike = [] if walk.is_over else [oracle.reshuffled(position, rng.randrange(players), rng)]
            for one in (position, *alike):
                game = at(one)
                for seat in range(players):
                    look, view = seen(game, seat).tobytes(), public(one, seat)
                    assert view_of.setdefault(look, view) == view
                    assert look_of.setdefault(view, look) == look
    assert len(view_of) > 30


def swapped(position, rng):
    """The position with two cards swapped, wherever they are; what is known then of hands is still true."""
    changed = copy.deepcopy(position)
    places = [(changed[key], k) for key in ("audition", "draw", "discard", "planned") for k in range(len(changed[key]))]
    places += [(cards, k) for key in ("crews", "hands") for cards in changed[key] for k in range(len(cards))]
    (one, i), (other, k) = rng.sample([(cards, k) for cards, k in places if cards[k] is not None], 2)
    one[i], other[k] = other[k], one[i]
    for key in ("audition", "draw"):
        changed[key] = by_index(changed[key])
    changed["hands"] = [by_index(cards) for cards in changed["hands"]]
    for seat, cards in enumerate(changed["known"]):
        revealed = changed["phase"] == "play" and changed["to_play"] == seat
        there = Counter([*changed["hands"][seat], *([] if revealed else [changed["planned"][seat]])])
        changed["known"][seat] = by_index(list((Counter(cards) & there).elements()))
    return changed


@clause("C-9")
@every_number
def test_a_seat_sees_that_two_cards_were_swapped_if_it_can_know(players):
    rng = random.Random(players)
    told = hidden = 0
    for position in scattered(players, "swaps", 4 * POSITIONS):
        game = at(position)
        try:
            other = at(swapped(position, rng), "other")
        except PositionError:
            continue  # a crew is no longer In Sync
        for seat in range(players):
            alike = public(position, seat) == public(other.position(), seat)
            assert np.array_equal(seen(game, seat), seen(other, seat)) == alike
            hidden += alike
            told += not alike
    assert min(told, hidden) > POSITIONS / 2


THREE = position_of(IN_SYNC, *DULL[1:3], draw="", phase="collect", pending="end", audition="rth bes", hands=["beh"])
FOUR = position_of(*DULL[:3], IN_SYNC, phase="collect", pending="end", round=3)


OTHERWISE_ALIKE = [
    (THREE, THREE | {"pending": "start"}),
    (THREE, THREE | {"must_discard": True}),
    (THREE, THREE | {"known": [[LONG["beh"]], [], []]}),
    (position_of(players=3, hands=["rah"], round=0), position_of(players=3, hands=["rah"])),
    (position_of(players=3, hands=["rah", "rth"]), position_of(players=3, hands=["rah", "rth"], to_play=1)),
    (position_of(players=3, discard="rah beh"), position_of(players=3, discard="beh rah")),
    (position_of(players=3, audition="", hands=["rah"]), position_of(players=3, audition="rth", hands=["rah"])),
    (FOUR, FOUR | {"round": 7, "turn": 28}),
    (position_of(players=4, phase="plan", planned="- - rah -", to_play=3, round=2, known=["", "", "rah"]),
     position_of(players=4, phase="plan", planned="- - rah -", to_play=3, round=2)),
    (position_of(players=4, planned="rah", hands=["beh", "beh"], draw=""),
     position_of(players=4, planned="rth", hands=["beh", "beh"], draw="")),
    (position_of(*DULL[:2], IN_SYNC, DULL[3], phase="collect", pending="end", round=2),
     position_of(*DULL[:2], IN_SYNC, DULL[3], phase="collect", pending="start", round=2)),
]  # fmt: skip


@clause("C-9")
@pytest.mark.parametrize(("one", "other"), OTHERWISE_ALIKE)
def test_positions_that_differ_in_a_public_fact_look_different_to_all(one, other):
    for seat in range(one["players"]):
        assert not np.array_equal(seen(at(one), seat), seen(at(other, "other"), seat))


@clause("C-9")
@pytest.mark.parametrize(("one", "other"), OTHERWISE_ALIKE)
def test_positions_that_differ_in_a_public_fact_have_different_keys(one, other):
    assert at(one).batch.keys() != at(other, "other").batch.keys()


@clause("C-9", "HH-47")
def test_later_rounds_of_three_look_different_but_play_goes_on_alike():
    one, other = at(THREE), at(THREE | {"turn": 6, "round": 2}, "other")
    assert not any(np.array_equal(seen(one, seat), seen(other, seat)) for seat in range(3))
    assert one.batch.keys() == other.batch.keys()


@pytest.mark.parametrize(("one", "other"), [
    (position_of(players=3, hands=["rah", "rth", "reh"]), position_of(players=3, hands=["rah", "reh", "rth"])),
    (position_of(players=3, hands=["rah", "rth"]), position_of(players=3, hands=["rah", "reh"])),
    (position_of(players=4, hands=["rah", "rth"], planned="reh ? ? ?", to_play=0, round=4),
     position_of(players=4, hands=["reh", "rth"], planned="rah ? ? ?", to_play=0, round=4)),
])  # fmt: skip
def test_positions_that_differ_in_what_is_hidden_have_different_keys(one, other):
    assert at(one).batch.keys() != at(other, "other").batch.keys()


# ---- what a seat knows -----------------------------------------------------------------------------------------------
@clause("HH-40", "C-9")
def test_crews_are_unseen_until_all_are_laid():
    walk = table("beh bah / beg -", "- - / - -", "- - / - -", phase="crew", hands=["bag"], names=["crew bag"])
    for seat in (1, 2):
        assert not section(walk, seat, "crews").any()
        assert section(walk, seat, "hand_counts").tolist()[3 - seat] == 3  # that it has laid them is seen
    for _ in range(4 + 4):
        walk.play(walk.legal()[0])
    for _ in range(7):
        walk.happen(0)
    for seat in range(3):
        assert section(walk, seat, "crews").sum() == 3 * 4 * 3
        compare_views(walk, expected_view)


@clause("HH-54", "HH-55", "C-9")
def test_a_plan_is_seen_by_its_owner_until_it_is_revealed():
    walk = table(*DULL[:3], IN_SYNC, phase="plan", round=3, to_play=2, planned="gah beh - rth",
                 hands=["", "", "rah"], names=["plan rah"])  # fmt: skip
    assert walk.position()["pending"] == "start"
    for seat, own in enumerate(("gah", "beh", "rah", "rth")):
        assert section(walk, seat, "own_plan").tolist() == counted([LONG[own]]).tolist()
        assert section(walk, seat, "has_planned").tolist() == [1] * 4
        assert not section(walk, seat, "revealed").any()
    walk.play(walk.legal()[0])
    assert walk.position()["phase"] == "play"
    for seat in range(4):
        assert section(walk, seat, "revealed").tolist() == counted([LONG["rth"]]).tolist()


@clause("HH-47", "HH-56", "C-9")
def test_a_card_drawn_is_seen_by_its_owner_only():
    looks = []
    for card in ("rth", "ges"):
        walk = table(DULL[0], IN_SYNC, DULL[2], hands=["rah", "gph"], draw="ges rth", names=["hand rah c0 left2"])
        play(walk, f"draw {card}")
        looks.append([seen(walk, seat).tobytes() for seat in range(3)])
    assert looks[0][1] != looks[1][1]
    assert [looks[0][seat] for seat in (0, 2)] == [looks[1][seat] for seat in (0, 2)]


@clause("C-9", "HH-48", "HH-50", "HH-51")
def test_what_three_players_know_of_a_hand():
    """A card is known from when it comes face up until it is seen to leave."""
    walk = table(players=3, hands=["rah", "", ""], audition="rth rtg res", draw="", rest=2, round=0)
    play(walk, "audition rth c0 left2")  # two street hops: the end check
    assert known(walk, 0) == "bts"  # bumped
    play(walk, "collect res")
    assert known(walk, 0) == "res bts"  # collected
    play(walk, "discard bts")
    assert (hand(walk, 0), known(walk, 0)) == ("rah res", "res")
    for seat in (1, 2):
        mine = (0 - seat) % 3
        assert section(walk, seat, "known")[mine].tolist() == counted([LONG["res"]]).tolist()
        assert section(walk, seat, "hand_counts")[mine] == 2


@clause("C-9", "HH-55")
@pytest.mark.parametrize(("planned", "before", "after"), [
    ("rth", "", "rth"),  # the copy collected came after the plan was laid: it's still in the hand
    ("rth", "rth", "rth"),  # the one that was known may be the planned one: no longer known
    ("rah", "", "rth"),
    ("rah", "rah", "rth"),
    ("rah", "rah bes", "rth bes"),
])  # fmt: skip
def test_what_is_collected_before_the_reveal_cannot_be_the_planned_card(planned, before, after):
    hand = " ".join(card for card in ("bes", "gts") if card != planned)
    walk = table(IN_SYNC, *DULL[1:4], players=4, round=4, planned=planned, hands=[hand], known=[before],
                 audition="rth gah", phase="collect", pending="start", rest=2)  # fmt: skip
    play(walk, "collect rth")
    assert walk.position()["phase"] == "play"
    assert sorted(known(walk, 0).split()) == sorted(after.split())


@clause("C-9", "HH-55")
def test_a_game_cut_short_reveals_no_more_than_its_position():
    walk = table(players=4, planned="rah", round=2)
    assert section(walk, 2, "revealed").sum() == 1
    walk.states["current_player"], walk.states["truncated"] = TERMINAL, BY_STEP_LIMIT
    assert section(walk, 2, "revealed").sum() == 0


@clause("C-9", "HH-48")
def test_an_unknown_card_that_is_played_leaves_the_known_ones_alone():
    walk = table(players=3, hands=["rah res"], known=["res"], names=["hand rah c0 left2"])
    assert (hand(walk, 0), known(walk, 0)) == ("res bts", "res bts")
    walk = table(players=3, hands=["bes res"], known=["res"], names=["hand res r0"])
    assert (hand(walk, 0), known(walk, 0)) == ("bah bes", "bah")


@clause("C-9")
@every_number
def test_known_cards_are_in_the_hand_or_the_hidden_plan(players):
    some = 0
    for walk in positions_of_a_game(players, 3):
        position = walk.position()
        for seat in range(players):
            there = Counter(position["hands"][seat])
            if position["planned"][seat] and not (position["phase"] == "play" and position["to_play"] == seat):
                there[position["planned"][seat]] += 1
            assert Counter(position["known"][seat]) <= there
            some += bool(position["known"][seat])
    assert some > 30


# ---- what is told ----------------------------------------------------------------------------------------------------
def told(walk, name):
    """What each seat learns of a move."""
    action = GAME.parse_action(walk.options, " ".join(LONG.get(word, word) for word in name.split()))
    seats = range(walk.options.players)
    lines = [GAME.told_action(walk.options, walk.record, seat, action) for seat in seats]
    return [" ".join(SHORT.get(word, word) for word in line.split()) for line in lines]


@clause("HH-40", "HH-54", "C-9")
def test_others_are_told_that_a_crew_or_a_plan_was_laid_but_not_which():
    walk = table("- - / - -", players=3, phase="crew", hands=["beh"])
    assert told(walk, "crew beh") == ["crew beh", "crew", "crew"]
    walk = table(players=4, phase="plan", to_play=2, round=2, hands=["", "", "beh"])
    assert told(walk, "plan beh") == ["plan", "plan", "plan beh", "plan"]


@clause("HH-45", "C-9")
def test_all_else_is_told_to_all_with_the_seat_a_hop_is_against():
    assert told(table(players=5, planned="rah", to_play=4, round=4), "push c1 left3") == ["push rah c1 player 2"] * 5
    assert told(table(players=3, hands=["rah"]), "hand rah c0 left1") == ["hand rah c0 player 1"] * 3
    assert told(at(THREE), "collect rth") == ["collect rth"] * 3


@clause("HH-40", "HH-47", "HH-55", "C-9")
def test_cards_that_come_to_a_hand_are_told_to_its_owner_only():
    def heard(walk, k=0):
        return [GAME.told_outcome(walk.options, walk.record, seat, k) for seat in range(walk.options.players)]

    walk = Walk(GAME, options_of(players=3))
    walk.start(0)
    assert heard(walk, 35) == ["deal blue-street-slide", *["deal a card for player 0"] * 2]
    for _ in range(8):
        walk.happen(0)
    assert heard(walk) == ["deal a card for player 1", "deal blue-retro-hop", "deal a card for player 1"]
    walk = table(DULL[0], IN_SYNC, DULL[2], hands=["rah"], draw="ges rth", names=["hand rah c0 left2"])
    assert heard(walk) == ["draw a card for player 1", "draw red-street-hop", "draw a card for player 1"]
    walk = table(*DULL[:3], IN_SYNC, phase="collect", pending="end", round=3, draw="gah")
    walk.play(walk.legal()[0])
    assert heard(walk) == ["audition green-rave-hop"] * 4
