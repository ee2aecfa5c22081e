"""The largest groups of a mob: the fast way against looking card by card, and what the greedy player relies on."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

import pytest

from hopenvs.core.jit import plain_twin
from hopenvs.core.rng import generator
from hopenvs.core.state import CHANCE, copy_states, people_view
from hopenvs.games.hedgehog_hop.cards import CARDS, FEATURES
from hopenvs.games.hedgehog_hop.puzzler import groups
from tests.games.hedgehog_hop.mob import GAME
from tests.games.hedgehog_hop.test_puzzler_observation import decisions

TABLES = [(3, 3), (21, 3), (27, 2), (2, 15), (10, 10), (21, 16)]  # columns, rows: the last ones need cards one by one


def scattered(rng: random.Random, columns: int, rows: int, kinds: int) -> Any:
    """A mob of few kinds of cards, so that groups grow large, anywhere on a table."""
    cells = [(x, y) for x in range(columns) for y in range(rows)]
    cells = rng.sample(cells, min(len(cells), rng.randint(0, 43)))
    cards = [rng.randrange(CARDS + 2) for _ in range(kinds)]
    return SimpleNamespace(
        mob_count=len(cells),
        mob_card=[rng.choice(cards) for _ in cells],
        mob_column=[x for x, _ in cells],
        mob_row=[y for _, y in cells],
    )


@pytest.mark.clause("HH-22")
@pytest.mark.parametrize(("columns", "rows"), TABLES)
def test_the_fast_way_finds_the_groups_that_looking_card_by_card_finds(columns, rows):
    rng = random.Random(f"{columns} {rows}")
    fast, slow = plain_twin(groups.largest_group), plain_twin(groups.largest_group_by_card)
    found = set()
    for _ in range(150):
        mob = scattered(rng, columns, rows, rng.choice((1, 3, 20)))
        for feature in range(FEATURES):
            size = fast(mob, feature)
            assert size == slow(mob, feature), (vars(mob), feature)
            found.add(size)
    assert len(found) > 5


@pytest.mark.parametrize("options", [
    {"players": 2}, *(pytest.param({"players": k}, marks=pytest.mark.slow) for k in (3, 4))
], ids=str)  # fmt: skip
def test_what_a_seat_cannot_know_does_not_sway_what_it_expects_after_its_decision(options):
    """`ply_hides=False` promises it: the greedy player then looks at the position as it is."""
    assert not GAME.spec(next(iter(decisions(options, 1))).options).ply_hides
    evaluate, resample = plain_twin(GAME.evaluate), plain_twin(GAME.resample_hidden)
    looked = 0
    for walk in decisions(options, 2, "groups"):
        seat = walk.current_player
        stream = generator(looked, 3)
        for action in walk.legal()[::7]:
            expected = []
            for _ in range(2):
                states = copy_states(walk.states)
                resample(walk.options, people_view(states), seat, stream.data)
                plain_twin(GAME.apply)(walk.options, people_view(states), action)
                expected.append(expectation(walk.options, states, seat, evaluate))
            assert expected[0] == pytest.approx(expected[1])
            looked += 1
    assert looked > 50


def expectation(o: Any, states: Any, seat: int, evaluate: Any) -> float:
    """The mean of `evaluate` over all that chance may do before the next decision."""
    record = people_view(states)
    if record.current_player != CHANCE:
        return float(evaluate(o, record, seat))
    total, outcomes = 0.0, plain_twin(GAME.num_outcomes)(o, record)
    for k in range(outcomes):
        following = copy_states(states)
        plain_twin(GAME.apply_chance)(o, people_view(following), k)
        total += expectation(o, following, seat, evaluate) / outcomes
    return total


def test_the_lists_of_features_say_what_belongs():
    for card, row in enumerate(groups.BELONGS.tolist()):
        listed = groups.FEATURES_OF[card, : groups.NUM_FEATURES[card]].tolist()
        assert listed == [feature for feature in range(FEATURES) if row[feature]]
