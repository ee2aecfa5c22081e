"""The bridges by edges and by leaves: two ways to say the same."""

import random

import pytest

from tests.games.hooop.pond import new_game


@pytest.mark.clause("HO-5", "HO-6", "HO-15", "HO-16")
@pytest.mark.parametrize(
    "options",
    [
        *({"players": players} for players in (2, 3, 4)),
        {"players": 3, "board": "triangle6"},
        {"players": 2, "board": "square3", "frogs": 2},
    ],
    ids=str,
)  # fmt: skip
def test_both_say_the_same_after_every_decision(options):
    walk = new_game(**options)
    generator = random.Random(str(options))
    removed = 0
    for _ in range(120):
        if walk.is_over:
            break
        walk.play_named(generator.choice(walk.legal_names()))
        pairs = [tuple(map(int, name.split("-"))) for name in walk.position()["bridges"]]
        links = walk.record.links
        told = sorted((a, b) for a in range(len(links)) for b in range(a + 1, len(links)) if links[a] >> b & 1)
        assert told == pairs
        assert all((links[a] >> b & 1) == (links[b] >> a & 1) for a in range(len(links)) for b in range(len(links)))
        removed += bool(pairs)
    assert removed
