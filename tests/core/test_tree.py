"""Trees of decisions and outcomes: counted breadth first in batches as by hand, one move after another."""

import itertools

import numpy as np
import pytest

from hopenvs.core import state, tree
from hopenvs.core.errors import PositionError
from hopenvs.core.options import parse_options
from hopenvs.core.state import SIMULTANEOUS, TERMINAL
from hopenvs.core.tree import children, perft
from hopenvs.core.walk import Walk, walk_of
from tests.games_for_tests import card_game, tick_game


def moves_of(walk):
    """Every decision, tick or outcome there is, as a function that carries it out."""
    if walk.is_over:
        return []
    if walk.is_chance:
        return [lambda w, k=k: w.happen(k) for k in range(len(walk.outcomes()))]
    if walk.current_player == SIMULTANEOUS:
        legal = [walk.legal(seat) for seat in range(walk.spec.num_players)]
        return [lambda w, joint=joint: w.play(*joint) for joint in itertools.product(*legal)]
    return [lambda w, a=a: w.play(a) for a in walk.legal()]


def successors(walk):
    """The records one step on, one after another."""
    found = []
    for move in moves_of(walk):
        again = Walk(walk.game, walk.options)
        again.batch.load(walk.states)
        move(again)
        found.append(state.copy_states(again.states))
    return found


def slow_perft(walk, depth):
    """Leaves at each depth, by hand."""
    if depth == 0:
        return [1]
    grown = successors(walk)
    if not grown:
        return [1] * (depth + 1)
    counts = [1] + [0] * depth
    for states in grown:
        child = Walk(walk.game, walk.options)
        child.batch.load(states)
        for level, leaves in enumerate(slow_perft(child, depth - 1), 1):
            counts[level] += leaves
    return counts


def test_a_tree_from_the_start_is_counted_as_by_hand(game, options):
    walk = Walk(game, options)
    walk.start(0)
    depth = 1 if walk.spec.simultaneous else 2
    assert perft(game, options, depth) == slow_perft(walk, depth)


# Three seats with one card or none, two ticks to go.
LATE_TICK = {
    "game": "tick_game", "players": 3, "phase": "tick", "to_play": None, "hands": [[4], [2, 4], []],
    "points": [5, 0, 2], "turn": 4, "winners": [],
}  # fmt: skip
# Seat 1 has played both cards; seat 0 has a 3 and a bag of two to swap it with.
LATE_CARDS = {
    "game": "card_game", "players": 2, "phase": "turn", "to_play": 0, "hands": [[3], []],
    "buried": [[1, 1, 1, 1], [2, 2, 3]], "played": [[1], [2, 3]], "bag": [2], "points": [1, 0], "turn": 9,
    "winners": [],
}  # fmt: skip


@pytest.mark.parametrize(("game_", "position", "depth"), [(tick_game, LATE_TICK, 3), (card_game, LATE_CARDS, 6)])
def test_a_tree_to_its_end_is_counted_as_by_hand_and_leaves_that_ended_stay(game_, position, depth):
    options = parse_options(game_, {})
    counts = perft(game_, options, depth, position)
    assert counts == slow_perft(walk_of(game_, options, position), depth)
    assert counts[-1] == counts[-2] > 1, "everything has ended"
    assert perft(game_, options, depth + 2, position) == [*counts, counts[-1], counts[-1]]


def test_the_counts_of_a_small_tree_are_right_by_arithmetic():
    """LATE_TICK: 2 x 3 x 1 joint bids; a prize of three kinds unless nobody or only rivals bid; then it ends."""
    options = parse_options(tick_game, {})
    # (wait, wait, wait) and (4, 4, wait) end at once, the other four lead to three outcomes each
    assert perft(tick_game, options, 3, LATE_TICK) == [1, 6, 2 + 4 * 3, 2 + 4 * 3]


def test_children_name_their_parents_and_moves(game, options):
    walk = Walk(game, options)
    parents = []
    for seed in range(3):
        walk.start(seed)
        walk.draw_all()
        parents.append(state.copy_states(walk.states))
    records, rows, moves = children(game, options, np.concatenate(parents))
    assert (records.shape, rows.shape) == ((len(rows),), (len(rows),))
    assert moves.shape == (len(rows), walk.batch.seats_asked)
    assert (np.diff(rows) >= 0).all()
    for k in range(0, len(rows), max(1, len(rows) // 40)):
        again = Walk(game, options)
        again.batch.load(parents[rows[k]])
        again.play(*map(int, moves[k]))
        assert again.states.tobytes() == records[k : k + 1].tobytes()
    assert {tuple(move) for row, move in zip(rows, moves, strict=True) if row == 0} == {
        tuple(move) for row, move in zip(rows, moves, strict=True) if row == 1
    } or game is card_game


def test_children_of_chance_points_are_the_outcomes():
    options = parse_options(tick_game, {})
    walk = walk_of(tick_game, options)
    walk.play(1, 2, 3)
    assert walk.is_chance
    records, rows, moves = children(tick_game, options, walk.states)
    assert records["points"].tolist() == [[0, 0, 1], [0, 0, 2], [0, 0, 4]]
    assert (rows.tolist(), moves[:, 0].tolist()) == ([0, 0, 0], [0, 1, 2])


def test_an_ended_record_has_no_children_and_nothing_gives_nothing(game, options):
    walk = Walk(game, options)
    walk.start(0)
    while not walk.is_over:
        moves_of(walk)[0](walk)
    records, rows, moves = children(game, options, walk.states)
    assert (len(records), len(rows), moves.shape) == (0, 0, (0, walk.batch.seats_asked))
    assert walk.states["current_player"][0] == TERMINAL
    assert len(children(game, options, walk.states[:0])[0]) == 0


def test_the_parents_are_left_as_they_were(game, options):
    walk = Walk(game, options)
    walk.start(0)
    walk.draw_all()
    before = walk.states.tobytes()
    children(game, options, walk.states)
    assert walk.states.tobytes() == before


def test_a_deep_tree_is_walked_in_pieces(monkeypatch):
    options = parse_options(card_game, {})
    whole = perft(card_game, options, 5, LATE_CARDS)
    monkeypatch.setattr(tree, "CHUNK", 2)
    assert perft(card_game, options, 5, LATE_CARDS) == whole


def test_no_tree_grows_from_a_position_that_is_none():
    with pytest.raises(PositionError):
        perft(tick_game, parse_options(tick_game, {}), 1, LATE_TICK | {"turn": 5})
