"""What a seat of the Puzzlers sees and what it doesn't (C-9, C-10), against a slow definition made from positions."""

import json
import random
from typing import Any

import numpy as np
import pytest

from hopenvs.core.walk import Walk
from tests.games.hedgehog_hop.mob import (
    CODES,
    FULL,
    GAME,
    cards,
    cells,
    dance,
    hand_size,
    long,
    new_game,
    options_of,
    play,
    position_of,
    set_up,
)
from tests.oracles import hedgehog_hop_puzzler as oracle

clause = pytest.mark.clause

GAMES = 2  # of each kind
SETS = [
    {"players": 2},
    {"players": 2, "push": "contact"},
    {"players": 3},
    {"players": 4},
    {"players": 5},
    {"players": 6},
    {"players": 2, "promo": "unicorn"},
    {"players": 3, "promo": "zombie"},
    {"players": 4, "promo": "vegan_zombie", "push": "contact"},
    {"players": 6, "promo": "unicorn"},
]
every_set = pytest.mark.parametrize("options", SETS, ids=lambda options: "-".join(map(str, options.values())))

FEATURES = ("hop", "groove", "slide", "green", "red", "blue", "retro", "rave", "spicy", "street")
TABLES = {2: (13, -1, 13), 3: (16, -1, 16)}
TABLE = (10, -2, 13)  # with more


def view_of(walk, seat):
    """(mask, observation) of a seat."""
    mask, observation = walk.batch.view((0,), (seat,))
    return mask[0], observation[0]


def sections_of(walk, seat):
    """The observation of a seat by section."""
    observation = view_of(walk, seat)[1]
    return {name: observation[part].reshape(shape) for name, (part, shape) in walk.spec.layout.items()}


def decisions(options, games, seed=""):
    """Walks at every decision, and at the end, of some random games."""
    for number in range(games):
        rng = random.Random(f"{options} {seed} {number}")
        walk = new_game(**options)
        while True:
            while walk.is_chance:
                walk.happen(rng.randrange(len(walk.outcomes())))
            yield walk
            if walk.is_over:
                break
            # backup dancers are played more often than chance would, so that known cards come to lie in the pile
            names = walk.legal_names()
            if names[-1].startswith("backup") and rng.random() < 0.5:
                names = [name for name in names if name.startswith("backup")]
            walk.play_named(rng.choice(names))


def features_of(card):
    """The features of a card, promo cards too."""
    if card == "unicorn":
        return set(FEATURES)
    return {"red", "street"} if card == "zombie" else set(card.split("-"))


def expected_sections(position, seat):
    """What the README says that a seat sees, filled from a position."""
    n = position["players"]
    side, bottom, top = TABLES.get(n, TABLE)
    size = hand_size(n)
    round_the_table = [(seat + k) % n for k in range(n)]

    def counts(pile):
        return np.array([pile.count(card) for card in FULL])

    mob = np.zeros((10, top - bottom + 1, 2 * side + 1), np.int8)
    for cell, card in position["mob"].items():
        x, y = map(int, cell.split(","))
        for feature in features_of(card):
            mob[FEATURES.index(feature), y - bottom, x + side] = 1
    queue = np.zeros((n * (size - 1), 10), np.int8)
    for k, card in enumerate(position["draw_face_up"]):
        for feature in features_of(card):
            queue[k, FEATURES.index(feature)] = 1
    over = position["phase"] == "over"
    return {
        "mob": mob,
        "hand": counts(position["hands"][seat]),
        "backups": np.array([counts(position["backups"][other]) for other in round_the_table]),
        "queue": queue,
        "discard": counts(position["discard"]),
        "removed": counts(position["removed"]),
        "draw_count": np.array([len(position["draw"])]),
        "hand_counts": np.array([len(position["hands"][other]) for other in round_the_table]),
        "phase": np.array([position["phase"] == phase for phase in ("play", "steal", "discard")]),
        "due": np.array([position["steals_due"]]),
        "must_discard": np.array([position["must_discard"]]),
        "to_play": np.array([not over and position["to_play"] == other for other in round_the_table]),
        "own_seat": np.array([seat == other for other in range(n)]),
    }


def compare(walk):
    position = walk.position()
    for seat in range(position["players"]):
        seen, expected = sections_of(walk, seat), expected_sections(position, seat)
        assert list(seen) == list(expected)
        for name, values in expected.items():
            assert seen[name].shape == values.shape
            assert np.array_equal(seen[name], values), (name, seat, position)


# ---- what is seen ----------------------------------------------------------------------------------------------------
@clause("C-9", "C-10")
@every_set
def test_every_seat_sees_what_lies_open_from_its_own_place(options):
    for walk in decisions(options, 1):
        compare(walk)


@clause("C-9")
@every_set
def test_scattered_positions_are_seen_as_well(options):
    """Stolen backup dancers, long queues, cards pushed out and eaten: seldom in random play."""
    rng = random.Random(str(options))
    for position in oracle.random_positions(options["players"], rng, 12, **_others(options)):
        compare(set_up(position))


def _others(options):
    return {name: value for name, value in options.items() if name != "players"}


@clause("C-9")
@every_set
def test_every_value_lies_in_the_range_of_its_section(options):
    layout = {section.name: section for section in GAME.spec(options_of(**options)).sections}
    for walk in decisions(options, 1, "ranges"):
        for seat in range(options["players"]):
            for name, values in sections_of(walk, seat).items():
                assert values.min() >= layout[name].low
                assert values.max() <= layout[name].high


@clause("C-9", "HH-25", "HH-26")
def test_promo_cards_are_told_from_all_others():
    looks = set()
    for code in [*CODES, "uni", "zom"]:
        promo = {"uni": "unicorn", "zom": "zombie"}.get(code)
        walk = dance(code, promo=promo)
        looks.add(sections_of(walk, 0)["mob"].tobytes())
    assert len(looks) == 38


@clause("C-9", "HH-23")
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_every_seat_is_shown_its_own_number(players):
    walk = new_game(players=players)
    walk.draw_all()
    for seat in range(players):
        assert sections_of(walk, seat)["own_seat"].tolist() == [int(other == seat) for other in range(players)]


@clause("C-10")
def test_backup_dancers_are_seen_from_the_own_seat_on():
    walk = dance("geg", backups=["rth", "bth", "gth"], players=3)
    for seat, seen in enumerate(("rth bth gth", "bth gth rth", "gth rth bth")):
        rows = sections_of(walk, seat)["backups"]
        assert [FULL[int(np.flatnonzero(row)[0])] for row in rows] == cards(seen)


# ---- what is not seen ------------------------------------------------------------------------------------------------
def resampled(walk, seat, stream):
    """The game with all redrawn that a seat can't know."""
    again = Walk(GAME, walk.options)
    again.batch.load(walk.states)
    streams = np.random.default_rng(stream).integers(2**32, size=(1, 4), dtype=np.uint32)
    again.batch.resample_hidden(np.array([seat], np.int32), streams)
    again.batch.load(again.states.copy())  # masks and observations follow
    return again


@clause("C-9")
@every_set
def test_what_a_seat_cannot_know_is_not_in_its_view(options):
    n = options["players"]
    for number, walk in enumerate(decisions(options, GAMES, "hidden")):
        seat = number % n
        before, again = walk.position(), resampled(walk, seat, number)
        mask, observation = view_of(walk, seat)
        mask_again, observation_again = view_of(again, seat)
        assert observation.tobytes() == observation_again.tobytes()
        assert mask.tobytes() == mask_again.tobytes()
        assert walk.batch.evaluate((0,), (seat,)) == again.batch.evaluate((0,), (seat,))
        if walk.is_over:
            continue  # who has won depends on hidden cards
        after = again.position()
        assert after["hands"][seat] == before["hands"][seat]
        assert [len(hand) for hand in after["hands"]] == [len(hand) for hand in before["hands"]]
        assert len(after["draw"]) == len(before["draw"])
        hidden = {"hands", "draw"}
        assert {k: v for k, v in after.items() if k not in hidden} == {
            k: v for k, v in before.items() if k not in hidden
        }
        assert oracle.unseen_cards(after, seat) == oracle.unseen_cards(before, seat)


@clause("C-9")
def test_every_unseen_card_may_come_to_lie_anywhere():
    walk = dance("geh", "gth bts", turn=0, players=3)
    position = walk.position()
    unseen = set(oracle.unseen_cards(position, 1))
    found: dict[str, set[str]] = {"left": set(), "right": set(), "pile": set()}
    for number in range(150):
        after = resampled(walk, 1, number).position()
        for place, pile in zip(found, (after["hands"][2], after["hands"][0], after["draw"]), strict=True):
            found[place] |= set(pile)
    assert all(place == unseen for place in found.values())


@clause("C-9")
@every_set
def test_positions_that_differ_only_in_hidden_cards_look_the_same(options):
    n = options["players"]
    rng = random.Random(str(options))
    for number, position in enumerate(oracle.random_positions(n, rng, 12, **_others(options))):
        seat = number % n
        walk, other = set_up(position), set_up(oracle.reshuffled(position, seat, rng))
        for one, another in zip(view_of(walk, seat), view_of(other, seat), strict=True):
            assert one.tobytes() == another.tobytes()


# ---- all that is public is seen --------------------------------------------------------------------------------------
def public_view(position, seat):
    """What a seat knows, as text: without what plays no part any more.

    That is the order of the cards pushed out and eaten, and who has won.
    """
    view = oracle.public_view(position, seat)
    view["removed"] = sorted(view["removed"])
    view["discard"] = sorted(view["discard"])
    del view["winners"]
    return json.dumps(view, sort_keys=True)


@clause("C-9")
@every_set
def test_views_are_equal_if_and_only_if_observations_are(options):
    """Along games, and in positions that differ from those in hidden cards only."""
    rng = random.Random(str(options))
    text_of: dict[bytes, str] = {}
    observation_of: dict[str, bytes] = {}
    pairs = 0
    for walk in decisions(options, GAMES, "public"):
        position = walk.position()
        walks = [(walk, position)]
        if not walk.is_over:
            other = oracle.reshuffled(position, rng.randrange(options["players"]), rng)
            if oracle.legal(other):
                walks.append((set_up(other), other))
        for seat in range(options["players"]):
            for one, at in walks:
                text, observation = public_view(at, seat), view_of(one, seat)[1].tobytes()
                pairs += text in observation_of
                assert text_of.setdefault(observation, text) == text
                assert observation_of.setdefault(text, observation) == observation
    assert pairs > 10  # views that came up twice


BASE: dict[str, Any] = {
    "mob": "gah . bts / reg geh .", "backups": ["rph bas", "rtg"], "queue": "beg bps", "turn": 8,
    "hands": ["rth gts res", "beh bah bph"],
}  # fmt: skip


def varied(**changes):
    return position_of(**(BASE | changes))


VARIATIONS = {
    "a card of the mob": varied(mob="gah . bts / reg gph ."),
    "its cell": varied(mob="gah . bts / reg . geh"),
    "two cards of the mob exchanged": varied(mob="gah . bts / geh reg ."),
    "the whole mob moved": varied(at=(0, 1)),
    "the mob turned over": varied(mob="reg geh . / gah . bts"),
    "the own hand": varied(hands=["rth gts ras", "beh bah bph"]),
    "the own backup dancers": varied(backups=["rph bes", "rtg"]),
    "another's backup dancers": varied(backups=["rph bas", "rpg"]),
    "backup dancers change seats": varied(backups=["rtg", "rph bas"]),
    "the queue": varied(queue="beg bes"),
    "the order of the queue": varied(queue="bps beg"),
    "a known card more": varied(queue="beg bps bag"),
    "how many cards the pile has": varied(backups=["rph bas", "rtg gtg"]),
    "who is to play and how many cards are in hand": varied(turn=9, hands=["rth gts", BASE["hands"][1]]),
    "another round": varied(turn=6),
    "the phase": varied(phase="discard", must_discard=True),
    "the end": varied(phase="over", turn=8) | {"truncated": True},
}


@clause("C-9")
@pytest.mark.parametrize("seat", [0, 1])
def test_every_public_fact_makes_a_difference(seat):
    looks = {"base": view_of(set_up(varied()), seat)[1].tobytes()}
    for name, position in VARIATIONS.items():
        if name == "the own hand" and seat == 1:
            continue
        looks[name] = view_of(set_up(position), seat)[1].tobytes()
    twins = [(a, b) for a in looks for b in looks if a < b and looks[a] == looks[b]]
    assert twins == []


@clause("C-9")
def test_what_is_due_and_owed_in_a_steal_is_seen():
    looks = set()
    for due in (1, 2, 3):
        for must_discard in (False, True):
            walk = dance("gah", phase="steal", due=due, must_discard=must_discard, backups=["", "reh"], rest=0)
            looks.add(view_of(walk, 1)[1].tobytes())
    assert len(looks) == 6


@clause("C-9", "HH-20", "HH-26")
def test_cards_pushed_out_and_eaten_are_seen():
    options = {"players": 4, "promo": "zombie"}
    looks = [
        view_of(dance("gah zom", **options, **piles), 2)[1].tobytes()
        for piles in ({}, {"discard": "bts"}, {"removed": "bts"}, {"discard": "bts bts"}, {"discard": "bes"},
                      {"discard": "bts", "removed": "bts"})
    ]  # fmt: skip
    assert len(set(looks)) == len(looks)


@clause("C-9", "HH-17")
def test_a_backup_dancer_drawn_is_seen_by_all_and_the_pile_shrinks():
    walk = dance("geh", "gth bts", "beh bah", players=3)
    before = [sections_of(walk, seat) for seat in range(3)]
    play(walk, "hand gth c0", "draw rph")
    for seat in range(3):
        after = sections_of(walk, seat)
        card = FULL.index(long("rph"))
        assert after["backups"][-seat % 3, card] == 1
        assert before[seat]["draw_count"] - after["draw_count"] == 1
        side, bottom, _ = TABLES[3]
        assert after["mob"][:, 0 - bottom, 0 + side].sum() == 3
        assert after["hand_counts"].tolist() == [[1, 2, 2], [2, 2, 1], [2, 1, 2]][seat]
    assert walk.position()["mob"] == cells("geh / gth")


# ---- keys ------------------------------------------------------------------------------------------------------------
def test_positions_that_differ_for_play_have_different_keys_hidden_cards_too():
    steal: dict[str, Any] = {
        "mob": "gah",
        "hands": ["rth gts", "beh bah"],
        "phase": "steal",
        "rest": 0,
        "backups": ["", "reh"],
    }
    piles: dict[str, Any] = {"mob": "gah zom", "promo": "zombie", "players": 4}
    kinds = [
        [varied(), *VARIATIONS.values(), varied(hands=["rth gts res", "beh bah bth"])],
        [varied(), varied(hands=["rth gts rph", "beh bah bph"], backups=["res bas", "rtg"])],  # hand and backup dancers
        [position_of(**(steal | {"due": due, "must_discard": True})) for due in (1, 2, 3)],
        [position_of(**(steal | {"due": due, "hands": ["rth"], "turn": 10})) for due in (1, 2, 3)],
        [position_of(**piles, discard=discard) for discard in ("", "bts", "bes", "bts bes", "bes bts")],
        [position_of(**piles, removed=removed) for removed in ("", "bts", "bes", "bts bes", "bes bts")],
    ]
    for positions in kinds:
        assert len({set_up(position).batch.keys()[0] for position in positions}) == len(positions)
