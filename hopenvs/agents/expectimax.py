"""Expectimax: a player that looks a few decisions ahead (`expectimax_kernel.py` says how)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hopenvs.agents.considered import Considered, in_order, legal_mask
from hopenvs.agents.expectimax_kernel import FRAME_COLUMNS, NUM_SETTINGS, expectimax_kernel
from hopenvs.agents.expectimax_kernel import WAYS as WAYS_CELL
from hopenvs.agents.kernel_player import KernelPlayer
from hopenvs.core.state import Payoff

if TYPE_CHECKING:
    from hopenvs.core.game import Game

DEPTH, MOST = 2, 8
# By decisions looked ahead, the last for all that are more: ways that hidden things may be, outcomes looked at between
# two decisions, and joint actions of the others in a tick.
WORLDS, OUTCOMES, WAYS = (8, 4, 2), (64, 16, 6), (1, 2, 2)


class Expectimax(KernelPlayer):
    """Takes the action after which it expects most, `depth` decisions ahead, each made by whose turn it is for its own.

    Positions at that depth are worth what the game's `evaluate` says to each seat; the end is worth its payoff, which
    outweighs any evaluation. All outcomes of chance are averaged if at most `outcomes` lie between two decisions, else
    that many, drawn by weight. What the seat can't know is redrawn (`resample_hidden`), `worlds` times, and each world
    is then played with open cards: an opponent there knows what it may not know, and so does the seat at its later
    decisions. In a tick the others take any legal action, each as likely (`ways` joint ones for each world).

    With `depth` 1 it's the greedy player. The time for a decision grows with the number of legal actions, to the power
    of `depth`.

    Args:
        game: the game module.
        options: its compiled options.
        depth: decisions looked ahead, 1 to 8.
        payoff: how the game pays (C-7).
        worlds: how often hidden things are redrawn; by default by depth, 8, 4, 2.
        outcomes: of chance, looked at between two decisions; by default by depth, 64, 16, 6.
        ways: joint actions of the others; by default by depth, 1, 2, 2.

    Raises:
        ValueError: for settings that make no sense.
    """

    def __init__(
        self,
        game: Game,
        options: Any,
        depth: int = DEPTH,
        *,
        payoff: Payoff = Payoff.WIN,
        worlds: int | None = None,
        outcomes: int | None = None,
        ways: int | None = None,
    ) -> None:
        if not 1 <= depth <= MOST:
            raise ValueError(f"depth={depth}: expected 1 to {MOST}")
        worlds, outcomes, ways = (
            given if given is not None else by_depth[min(depth, len(by_depth)) - 1]
            for given, by_depth in ((worlds, WORLDS), (outcomes, OUTCOMES), (ways, WAYS))
        )
        if min(worlds, outcomes, ways) < 1:
            raise ValueError(f"worlds={worlds}, outcomes={outcomes}, ways={ways}: expected 1 or more")
        super().__init__(game, options)
        spec = game.spec(options)
        if not spec.simultaneous:
            ways = 1
            if spec.perfect_information:
                worlds = 1
        self.name = f"expectimax:{depth}"
        self._settings = np.array([payoff, depth, worlds, outcomes, ways], np.int32)
        assert len(self._settings) == NUM_SETTINGS
        # A decision and what chance may do before the next one, whose budget at least halves with every frame.
        self._levels = 1 + (depth + 1) * (1 + outcomes.bit_length())

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
        return self.search(masks, states, seats, streams)[0]

    def search(
        self, masks: np.ndarray, states: np.ndarray, seats: np.ndarray, streams: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """The best action of each row [n] int32, and what its seat expects of every action [n, A] float64.

        In the measure of the game's `evaluate`; 0 for what isn't legal.

        Args:
            masks: [n, A] int8, what is legal.
            states: [n] records; what the seats can't know of them isn't looked at.
            seats: [n] the deciding seats.
            streams: [n, 4] uint32, the generators of the search; they move on in place.
        """
        masks = np.ascontiguousarray(masks, np.int8)
        n, num_actions = masks.shape
        levels, players = self._levels, self._players
        actions, values = np.zeros(n, np.int32), np.zeros((n, num_actions))
        arrays: tuple[Any, ...] = (
            *(self._options_record, states, np.asarray(seats, np.int32), masks, streams, self._settings),
            *(np.zeros(levels, self._dtype), np.zeros((levels, FRAME_COLUMNS), np.int64)),
            *(np.zeros((levels, players)), np.zeros((levels, players)), np.zeros(players)),
            *(
                np.zeros((levels, num_actions), np.int8),
                np.zeros((levels * int(self._settings[WAYS_CELL]), players), np.int32),
            ),
            *(values, actions),
        )
        self._call(expectimax_kernel(self._game), n, arrays)
        return actions, values

    def explain(self, state: np.ndarray, seat: int, stream: np.ndarray) -> list[Considered]:
        """All legal actions, the best first; values as `evaluate` measures (`Explains`)."""
        mask = legal_mask(self._game, self._options, state, seat)
        _, values = self.search(mask, state, np.array([seat], np.int32), stream[None])
        return in_order(self._game, self._options, np.flatnonzero(mask[0]), values[0])
