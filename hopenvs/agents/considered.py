"""What a player that looks ahead knows of an action: for people who want to see why it plays as it does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

if TYPE_CHECKING:
    from hopenvs.core.game import Game


@dataclass(frozen=True)
class Considered:
    """An action that was considered.

    Attributes:
        action: its index.
        name: its name.
        value: what the player expects of it; its docstring says in which measure.
        visits: how many simulations began with it; 0 where there are none.
    """

    action: int
    name: str
    value: float
    visits: int = 0


@runtime_checkable
class Explains(Protocol):
    """A player that can tell what it considers."""

    def explain(self, state: np.ndarray, seat: int, stream: np.ndarray) -> list[Considered]:
        """All that it considers at a decision, the best first.

        Args:
            state: [1] the record.
            seat: whose decision it is.
            stream: [4] uint32, the player's generator (moves on in place).
        """


def legal_mask(game: Game, options: Any, state: np.ndarray, seat: int) -> np.ndarray:
    """[1, A] int8: what `seat` may do in the record `state` [1]."""
    from hopenvs.core.batch import Batch
    from hopenvs.core.state import SIMULTANEOUS

    batch = Batch(game, options, 1)
    batch.load(state)
    place = seat if int(batch.seat[0]) == SIMULTANEOUS else 0
    return np.ascontiguousarray(batch.mask[:, place])


def in_order(
    game: Game, options: Any, actions: np.ndarray, values: np.ndarray, visits: np.ndarray | None = None
) -> list[Considered]:
    """These actions with their values [A], most visits first, of as many the best value, of those the first."""
    found = [
        Considered(int(a), game.action_name(options, int(a)), float(values[a]), 0 if visits is None else int(visits[a]))
        for a in actions
    ]
    return sorted(found, key=lambda each: (-each.visits, -each.value, each.action))
