"""The tree of decisions and outcomes, walked breadth first in batches: perft and children."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from hopenvs.core import kernels
from hopenvs.core.batch import Batch
from hopenvs.core.state import CHANCE, SIMULTANEOUS, TERMINAL
from hopenvs.core.walk import Walk

if TYPE_CHECKING:
    from hopenvs.core.game import Game

# Records expanded at once: bounds the memory of a deep walk.
CHUNK = 50_000


def perft(game: Game, options: Any, depth: int, position: Mapping[str, Any] | None = None) -> list[int]:
    """Leaves at each depth from 0: paths of so many decisions and outcomes, and those that ended before.

    Args:
        game: the game module.
        options: its compiled options.
        depth: how deep.
        position: from here; by default from the start.
    """
    walk = Walk(game, options)
    walk.start(0)
    if position is not None:
        walk.start_from(position)
    counts = [0] * (depth + 1)
    _count(game, options, walk.states.copy(), depth, 0, counts)
    return counts


def _count(game: Game, options: Any, states: np.ndarray, depth: int, level: int, counts: list[int]) -> None:
    ended = int((states["current_player"] == TERMINAL).sum())
    counts[level] += len(states)
    for deeper in range(level + 1, depth + 1):
        counts[deeper] += ended
    if level == depth:
        return
    alive = states[states["current_player"] != TERMINAL]
    for first in range(0, len(alive), CHUNK):
        grown = children(game, options, alive[first : first + CHUNK])[0]
        if len(grown):
            _count(game, options, grown, depth, level + 1, counts)


def children(game: Game, options: Any, states: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Every successor of every record: (records [M], parent row [M], action or outcome [M, S] int32).

    Args:
        game: the game module.
        options: its compiled options.
        states: [N] records; ended ones have no successor.
    """
    parents = Batch(game, options, len(states), draw=False)
    parents.load(states)
    rows: list[int] = []
    moves: list[tuple[int, ...]] = []
    pad = (0,) * (parents.seats_asked - 1)
    for i in range(len(states)):
        seat = int(parents.seat[i])
        if seat == TERMINAL:
            continue
        choices: list[tuple[int, ...]]
        if seat == CHANCE:
            alone = Batch(game, options, 1, draw=False)
            alone.states[0] = states[i]
            choices = [(k, *pad) for k in range(len(alone.outcome_weights()))]
        elif seat == SIMULTANEOUS:
            legal = [np.flatnonzero(parents.mask[i, p]).tolist() for p in range(parents.seats_asked)]
            choices = list(itertools.product(*legal))
        else:
            choices = [(a,) for a in np.flatnonzero(parents.mask[i, 0]).tolist()]
        rows += [i] * len(choices)
        moves += choices
    grown = Batch(game, options, len(rows), draw=False)
    if not rows:
        return grown.states, np.zeros(0, np.int64), np.zeros((0, parents.seats_asked), np.int32)
    parent_rows = np.array(rows)
    actions = np.array(moves, np.int32).reshape(len(rows), parents.seats_asked)
    grown.states[...] = states[parent_rows]
    grown.mask[...] = parents.mask[parent_rows]
    grown.seat[...] = parents.seat[parent_rows]
    grown.orders[...] = actions
    refused = grown.kernels.step_range(0, len(rows), *grown.step_arguments)
    assert refused == -1, "a legal action was refused"
    assert kernels.SKIP not in actions[:, 0]
    return grown.states, parent_rows, actions
