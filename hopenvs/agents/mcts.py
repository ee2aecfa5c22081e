"""Monte-Carlo tree search: a player of any game that needs nothing but its rules (`mcts_kernel.py` says how)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from hopenvs.agents.considered import Considered, in_order
from hopenvs.agents.kernel_player import KernelPlayer
from hopenvs.agents.mcts_kernel import (
    EDGE_COLUMNS,
    NODE_COLUMNS,
    NONE,
    NUM_SETTINGS,
    NUM_WEIGHTS,
    TOTAL_COLUMNS,
    mcts_kernel,
)
from hopenvs.core.state import Payoff

if TYPE_CHECKING:
    from hopenvs.core.game import Game

# The defaults were found by playing `greedy`: of the games for two, 400 simulations win more than half with them; a
# hundred with random play to the end won a tenth to a fifth.
SIMULATIONS = 400
EXPLORATION = 0.5
CUT = 0
LEAD = 0.3


class MCTS(KernelPlayer):
    """Plays the action that most of its simulations began with.

    A simulation that leaves the tree goes on at random for `cut` decisions. If the game has ended by then, it counts
    what every seat was paid, else how much better the game's `evaluate` finds the position for each seat than the one
    that is searched: `lead` for the root mean square of all such differences in this search, so that games may
    measure as they like.

    What the seat can't know is redrawn (`resample_hidden`) for every simulation. What others will do in secret is told
    apart in the tree: the seat's own later decisions there know it, as with `Expectimax`.

    Args:
        game: the game module.
        options: its compiled options.
        simulations: how many a decision.
        payoff: how the game pays, WIN or RANK (C-7).
        exploration: the weight of what is uncertain in UCB1, for rewards from -1 to 1.
        cut: decisions of random play after which positions are evaluated; negative: play to the end.
        lead: the weight of evaluations, beside rewards.

    Raises:
        ValueError: for settings that make no sense.
    """

    def __init__(
        self,
        game: Game,
        options: Any,
        simulations: int = SIMULATIONS,
        *,
        payoff: Payoff = Payoff.WIN,
        exploration: float = EXPLORATION,
        cut: int = CUT,
        lead: float = LEAD,
    ) -> None:
        if simulations < 1:
            raise ValueError(f"simulations={simulations}: expected 1 or more")
        if not (math.isfinite(exploration) and exploration >= 0 and math.isfinite(lead) and lead >= 0):
            raise ValueError(f"exploration={exploration}, lead={lead}: expected 0 or more")
        if payoff == Payoff.SCORE:
            raise ValueError("payoff=SCORE: a search needs rewards from -1 to 1, expected WIN or RANK")
        super().__init__(game, options)
        self.name = f"mcts:{simulations}"
        self._settings = np.array([payoff, simulations, cut], np.int32)
        self._weights = np.array([exploration, lead], np.float64)
        assert (len(self._settings), len(self._weights)) == (NUM_SETTINGS, NUM_WEIGHTS)

    def act(
        self,
        observations: np.ndarray,
        masks: np.ndarray,
        *,
        states: np.ndarray,
        seats: np.ndarray,
        streams: np.ndarray,
    ) -> np.ndarray:
        """The action of each row: [n] int32; `streams` move on in place."""
        visits, means = self.search(states, seats, streams, masks.shape[1])
        # Most visits; of as many the best mean; of those the first.
        best = np.where(visits == visits.max(axis=1, keepdims=True), means, -np.inf)
        return best.argmax(axis=1).astype(np.int32)

    def search(
        self, states: np.ndarray, seats: np.ndarray, streams: np.ndarray, num_actions: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """How often each action was tried, and its worth on average: [n, A] int64 and float64 (0 if it never was).

        Args:
            states: [n] records; what the seats can't know of them isn't looked at.
            seats: [n] the deciding seats.
            streams: [n, 4] uint32, the generators of the search; they move on in place.
            num_actions: A.
        """
        n, simulations = len(states), int(self._settings[1])
        visits, means = np.zeros((n, num_actions), np.int64), np.zeros((n, num_actions), np.float64)
        edges = (self._players + 1) * simulations
        arrays: tuple[Any, ...] = (
            *(self._options_record, states, np.asarray(seats, np.int32), streams, self._settings, self._weights),
            *(np.zeros(1, self._dtype), np.zeros((simulations + 1, NODE_COLUMNS), np.int64)),
            *(np.zeros((edges, EDGE_COLUMNS), np.int64), np.zeros((edges, TOTAL_COLUMNS), np.float64)),
            *(
                np.zeros(self._players * (simulations + 1), np.int64),
                np.zeros(self._players),
                np.zeros((self._players, TOTAL_COLUMNS)),
            ),
            *(np.zeros((1, num_actions), np.int8), np.full(num_actions, NONE, np.int64)),
            *(np.zeros((1, self._players), np.int32), visits, means),
        )
        self._call(mcts_kernel(self._game), n, arrays)
        return visits, means

    def explain(self, state: np.ndarray, seat: int, stream: np.ndarray) -> list[Considered]:
        """All actions that were tried, most visits first; values are rewards and weighted evaluations (`Explains`)."""
        num_actions = self._game.spec(self._options).num_actions
        visits, means = self.search(state, np.array([seat], np.int32), stream[None], num_actions)
        return in_order(self._game, self._options, np.flatnonzero(visits[0]), means[0], visits[0])
