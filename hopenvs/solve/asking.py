"""What an agent does in every position: asked once, or often enough to tell how likely each action is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hopenvs.agents.agent import OpenAgent
from hopenvs.core.batch import Batch
from hopenvs.core.errors import IllegalActionError
from hopenvs.solve.graph import Graph

if TYPE_CHECKING:
    from hopenvs.agents.agent import Agent

# Positions an agent is asked about at once.
CHUNK = 4_096
# How often an agent that draws is asked about a position.
ASKS = 64
# After so many equal answers a position is taken to have but one: a second one that is as likely would have stayed
# away once in 128 times.
EQUAL_ANSWERS = 8


@dataclass(frozen=True)
class Policy:
    """How an agent plays a graph, whichever seat it has.

    Attributes:
        chances: [E] float64, how likely it takes each action; 0 for outcomes.
        exact: whether these are its chances, rather than counted from its answers.
    """

    chances: np.ndarray
    exact: bool


def ask(
    graph: Graph, agent: Agent, *, asks: int = ASKS, seed: int = 0, tell: Callable[[str], Any] | None = None
) -> Policy:
    """What an agent does in every position, as in a game's first turn, since no position counts turns.

    An agent that leaves its streams alone draws nothing: it is asked once. One that tells its chances (`OpenAgent`) is
    believed. Any other is asked `asks` times where its answers differ, and how likely an action is is counted, which
    makes a best response look a little better than it is, as it also makes use of what was drawn.

    Args:
        graph: the positions.
        agent: who is asked.
        asks: how often, at most.
        seed: of its streams.
        tell: is told now and then, in words, how far it is.

    Raises:
        ValueError: for asks below 1.
        IllegalActionError: for an action that isn't legal.
    """
    if asks < 1:
        raise ValueError(f"asks={asks!r}: expected 1 or more")
    counts = (graph.kinds[graph.sources] >= 0).astype(np.float64)
    choices = np.diff(graph.first_edge)
    asked = np.flatnonzero((graph.kinds >= 0) & (choices > 1))
    counts[choices[graph.sources] > 1] = 0.0
    generator = np.random.default_rng(seed)
    exact = True
    for first in range(0, len(asked), CHUNK):
        nodes = asked[first : first + CHUNK]
        exact &= _ask_about(graph, agent, nodes, counts, asks, generator)
        if tell is not None:
            tell(f"asked about {first + len(nodes):,} of {len(asked):,} positions")
    return Policy(_shares(graph, counts), exact)


def _shares(graph: Graph, counts: np.ndarray) -> np.ndarray:
    decided = graph.kinds[graph.sources] >= 0
    return np.where(decided, graph.share(np.where(decided, counts, 1.0)), 0.0)


def _ask_about(
    graph: Graph, agent: Agent, nodes: np.ndarray, counts: np.ndarray, asks: int, generator: np.random.Generator
) -> bool:
    """Add the answers about some nodes to `counts` [E]; whether nothing was drawn."""
    batch = Batch(graph.game, graph.options, len(nodes), draw=False)
    batch.load(graph.states[nodes])
    observations, masks = batch.observation[:, 0].copy(), batch.mask[:, 0].copy()
    seats = batch.seat.astype(np.int32)
    rank = np.cumsum(masks != 0, axis=1) - 1  # [n, A] the how manieth legal action it is
    if isinstance(agent, OpenAgent):
        streams = generator.integers(2**32, size=(len(nodes), 4), dtype=np.uint32)
        before = streams.copy()
        chances = agent.chances(observations, masks, states=batch.states.copy(), seats=seats, streams=streams)
        rows, actions = np.nonzero(masks)
        counts[graph.first_edge[nodes[rows]] + rank[rows, actions]] = chances[rows, actions]
        return bool((streams == before).all())
    left = np.arange(len(nodes))
    first_answers = np.zeros(len(nodes), np.int64)
    differing = np.zeros(len(nodes), np.bool_)
    drawn = np.zeros(len(nodes), np.bool_)
    for number in range(asks):
        streams = generator.integers(2**32, size=(len(left), 4), dtype=np.uint32)
        before = streams.copy()
        answers = np.asarray(
            agent.act(observations[left], masks[left], states=batch.states[left], seats=seats[left], streams=streams)
        )
        _check(batch, agent, left, seats, answers, masks)
        np.add.at(counts, graph.first_edge[nodes[left]] + rank[left, answers], 1.0)
        if number == 0:
            first_answers[:] = answers
        drawn[left] |= (streams != before).any(axis=1)
        differing[left] |= answers != first_answers[left]
        settled = ~drawn | (~differing & (number + 1 >= EQUAL_ANSWERS))
        left = left[~settled[left]]
        if not len(left):
            break
    return not drawn.any()


def _check(
    batch: Batch, agent: Agent, rows: np.ndarray, seats: np.ndarray, answers: np.ndarray, masks: np.ndarray
) -> None:
    name = getattr(agent, "name", type(agent).__name__)
    if answers.shape != (len(rows),) or answers.dtype.kind not in "iu":
        raise IllegalActionError(
            f"agent {name!r}: expected integers [{len(rows)}], not {answers.dtype} {answers.shape}"
        )
    beyond = (answers < 0) | (answers >= masks.shape[1])
    wrong = beyond | (masks[rows, np.where(beyond, 0, answers)] == 0)
    if wrong.any():
        k = int(np.argmax(wrong))
        row = int(rows[k])
        raise batch.illegal_action(row, int(seats[row]), int(answers[k]), masks[row], f"agent {name!r}: ")
