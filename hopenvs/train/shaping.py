"""Potential-based shaping: the game's own evaluation tells the learner early what it would find out late.

A game pays at its end, a hundred decisions after what decided it. So every step also pays how much the position has
improved, gamma * phi(after) - phi(before), where phi is the game's `evaluate` from the learner's side, squeezed into
(-1, 1), and 0 when the game is over. What is paid on the way adds up to the same whatever is done, so the best policy
stays the best (A. Y. Ng, D. Harada, S. Russell, "Policy invariance under reward transformations", ICML 1999; for
several learners S. Devlin, D. Kudenko, "Theoretical considerations of potential-based reward shaping for multi-agent
systems", AAMAS 2011); only the way there is shorter. The potential may look at hidden things, the learner never does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hopenvs.agents import make_agent
from hopenvs.agents.uniform import uniform_actions
from hopenvs.core import kernels, rng
from hopenvs.core.batch import Batch
from hopenvs.core.state import SIMULTANEOUS

if TYPE_CHECKING:
    from hopenvs.core.game import Game

# The games that the evaluation's usual size is taken from.
GAMES, DECISIONS, UNIFORM_SHARE = 64, 200, 0.2
SEED = 20_000_000


class Potential:
    """phi of many records at once.

    Args:
        game: the game module.
        options: its compiled options.
        weight: phi lies between -weight and weight.
        scale: the evaluation's `usual_size`, if it is known.
    """

    def __init__(self, game: Game, options: Any, weight: float, scale: float | None = None) -> None:
        self.weight = weight
        self.scale = usual_size(game, options) if scale is None else scale

    def of(self, batch: Batch, rows: Any, seats: Any) -> np.ndarray:
        """[n] float32: phi of the records in `rows` for `seats`."""
        values = batch.evaluate(rows, seats)
        return (self.weight * np.tanh(values / (2 * self.scale))).astype(np.float32)


def usual_size(game: Game, options: Any) -> float:
    """The root mean square of `evaluate` in games of the greedy player that sometimes errs; the same every time."""
    batch = Batch(game, options, GAMES, autoreset=kernels.SAME_STEP)
    batch.start(kernels.NEW_SEED, [SEED + k for k in range(GAMES)])
    greedy = make_agent("greedy", game, options)
    streams = np.stack([rng.generator(SEED + k, rng.OPPONENTS) for k in range(GAMES)])
    chooser = np.random.Generator(np.random.PCG64(SEED))
    players: int = batch.spec.num_players
    squares, count = 0.0, 0
    for k in range(DECISIONS):
        orders = np.zeros((GAMES, batch.seats_asked), np.int32)
        for place in range(batch.seats_asked):
            seats = np.where(batch.seat == SIMULTANEOUS, place, batch.seat).astype(np.int32)
            masks = np.ascontiguousarray(batch.mask[:, place])
            chosen = greedy.act(
                batch.observation[:, place], masks, states=batch.states.copy(), seats=seats, streams=streams
            )
            errs = chooser.random(GAMES) < UNIFORM_SHARE
            orders[:, place] = np.where(errs, uniform_actions(masks, streams), chosen)
        batch.step(orders)
        values = batch.evaluate(range(GAMES), [k % players] * GAMES)
        squares, count = squares + float((values**2).sum()), count + GAMES
    return max((squares / count) ** 0.5, 1e-6)
