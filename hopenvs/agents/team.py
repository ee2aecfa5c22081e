"""A player made of others: one for every seat, as runs leave them in which every seat learned by itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from hopenvs.agents.agent import Agent


class Team:
    """Has another player for every seat.

    Args:
        members: one for each seat.
        name: what it is called.
    """

    def __init__(self, members: Sequence[Agent], name: str = "team") -> None:
        self.members = list(members)
        self.name = name
        self.deterministic = all(getattr(member, "deterministic", False) for member in members)

    def act(
        self,
        observations: np.ndarray,
        masks: np.ndarray,
        *,
        states: np.ndarray,
        seats: np.ndarray,
        streams: np.ndarray,
    ) -> np.ndarray:
        """Each row's action by the member of its seat: [n] int64; streams move on in place."""
        actions = np.zeros(len(seats), np.int64)
        for seat in np.unique(seats):
            rows = np.flatnonzero(seats == seat)
            part = streams[rows]
            actions[rows] = self.members[seat].act(
                observations[rows], masks[rows], states=states[rows], seats=seats[rows], streams=part
            )
            streams[rows] = part
        return actions
