"""What seats see, and the keys of positions, against slow definitions made from positions."""

import random

import numpy as np
import pytest

from hopenvs.core.jit import BACKEND
from hopenvs.core.walk import Walk
from tests.games.igel_aergern.board_text import GAME, B, G, R, new_game, options_of, placing, race
from tests.oracles import igel_aergern as oracle

PLIES = 40 if BACKEND == "plain" else 250
clause = pytest.mark.clause


def expected_view(o, position, seat):
    """The sections of the README, filled from a position: {name: array}."""
    shapes = {section.name: section.shape for section in GAME.spec(o).sections}
    view = {name: np.zeros(shape, np.int8) for name, shape in shapes.items()}
    rules = oracle.rules_of(position)
    left = [o.pieces] * o.players
    for t, track in enumerate(position["stacks"]):
        for c, owners in enumerate(track):
            for depth, owner in enumerate(reversed(owners)):
                seen = (owner - seat) % o.players
                left[owner] -= 1
                view["pieces"][seen, t, c] += 1
                view["levels"][t, c, depth] = 1 + seen
            if owners and oracle.top_is_free(rules, position, t + 1, c):
                view["free"][(owners[-1] - seat) % o.players, t, c] = 1
    if position["die"] == 0:  # while placing
        for owner, n in enumerate(left):
            view["in_hand"][(owner - seat) % o.players] = n
    else:
        view["die"][position["die"] - 1] = 1
    if position["phase"] != "over":
        view["phase"][["place", "sidestep", "forward"].index(position["phase"])] = 1
        view["to_play"][(position["to_play"] - seat) % o.players] = 1
    return view


def compare_views(walk):
    o, position = walk.options, walk.position()
    for seat in range(o.players):
        obs = walk.batch.view((0,), (seat,))[1][0]
        view = expected_view(o, position, seat)
        for name, (part, shape) in walk.spec.layout.items():
            assert np.array_equal(obs[part].reshape(shape), view[name]), (seat, name, position)
        assert sum(cells.size for cells in view.values()) == len(obs)


@clause("C-9", "C-10")
@pytest.mark.parametrize(
    "given",
    [
        {"players": 2},
        {"players": 3, "shallow_pits": True},
        {"players": 4, "doping": True, "goal_count": 4},
        {"players": 6, "pillars": True, "cylinder": True},
        {"players": 5, "tracks": 3, "columns": 5, "pieces": 2, "pits": [2, 1, 3], "anarchy": True},
    ],
    ids=lambda given: "-".join(given),
)
def test_every_seat_sees_the_position_from_its_own_place(given):
    walk = Walk(GAME, options_of(**given))
    walk.start(0)
    rng = random.Random(5)
    for _ in range(PLIES):
        if walk.is_chance:
            walk.happen(rng.randrange(len(walk.outcomes())))
            continue
        compare_views(walk)
        if walk.is_over:
            return
        walk.play(rng.choice(walk.legal()))


@clause("C-9")
def test_a_held_or_covered_piece_is_not_shown_as_free():
    walk = race("1:3 R, 2:4 RB, 6:2 B", to_play=R, die=2, phase="forward")
    part, shape = walk.spec.layout["free"]
    free = walk.batch.view((0,), (R,))[1][0, part].reshape(shape)
    assert [tuple(map(int, cell)) for cell in np.argwhere(free)] == [(1, 1, 4), (1, 5, 2)]


@clause("C-9")
def test_pieces_in_hand_are_seen():
    walk = placing("RB G - - - -", players=3)
    part, _ = walk.spec.layout["in_hand"]
    assert [walk.batch.view((0,), (seat,))[1][0, part].tolist() for seat in (R, B, G)] == [[3, 3, 3]] * 3
    walk.play_named("place 3")
    assert walk.batch.view((0,), (B,))[1][0, part].tolist() == [3, 3, 2]  # blue, green, red


def key_of(walk):
    return walk.batch.keys()[0]


def test_positions_that_differ_for_play_have_different_keys():
    text = "1:2 RB, 4:4 BR"
    walks = [
        race(text, die=1),
        race(text, die=4),
        race(text, to_play=B, die=1),
        race(text, die=1, phase="forward"),
        race("1:2 BR, 4:4 BR", die=1),
        race("1:2 RB, 4:6 BR", die=1),
        race("1:2 RB, 4:4 B, 5:4 R", die=1),
        race(text, die=1, doping=True, gone=R, goal_count=4),
        race(text, die=1, doping=True, gone=B, goal_count=4),
        placing("R - - - - -"),
        placing("- R - - - -"),
        new_game(),
    ]
    assert len({key_of(walk) for walk in walks}) == len(walks)


def test_positions_that_are_alike_have_one_key_however_they_came_about():
    assert key_of(race("1:2 RB, 4:4 BR", die=1, turn=3)) == key_of(race("1:2 RB, 4:4 BR", die=1, turn=40))


@clause("C-9", "IA-26")
def test_a_game_from_which_a_piece_was_taken_out_looks_like_one_that_was_set_up_so():
    walk = race("3:7 RR, 4:2 BBBBRR", to_play=B, die=3, phase="forward", doping=True)
    walk.play_named("step 7")  # blue moves red's piece
    walk.happen(3)
    alike = race("3:7 R, 4:2 BBBBRR", to_play=R, die=4, turn=31, doping=True, gone=R)
    assert walk.position() == alike.position()
    assert key_of(walk) == key_of(alike)
    compare_views(walk)
    compare_views(alike)
