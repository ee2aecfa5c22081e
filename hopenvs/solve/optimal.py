"""The player of a solved game."""

from __future__ import annotations

import numpy as np

from hopenvs.solve.values import Solution


class Optimal:
    """Plays as well as can be: takes the first of the best actions (`Solution.best`).

    It knows the positions that play from the start leads to, whichever way; how many turns are left before the cap it
    doesn't look at.

    Args:
        solution: the solved game.
    """

    name = "optimal"

    def __init__(self, solution: Solution) -> None:
        self._graph = solution.graph
        edges = np.flatnonzero(solution.best())
        nodes, first = np.unique(self._graph.sources[edges], return_index=True)
        self._choices = np.zeros(self._graph.num_nodes, np.int16)  # [N] the action in each position
        self._choices[nodes] = self._graph.actions[edges[first]]

    def act(
        self,
        observations: np.ndarray,
        masks: np.ndarray,
        *,
        states: np.ndarray,
        seats: np.ndarray,
        streams: np.ndarray,
    ) -> np.ndarray:
        """The best action of each row: [n] int16; nothing is drawn.

        Raises:
            ValueError: for a record that play from the start doesn't lead to.
        """
        return self._choices[self._graph.find(states)]
