"""The player that looks one decision ahead: the yardstick that every game gets for nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hopenvs.agents.considered import Considered, in_order, legal_mask
from hopenvs.agents.greedy_kernel import LEAVES as LEAVES_CELL
from hopenvs.agents.greedy_kernel import NUM_SETTINGS, STACK, chances_range, greedy_kernel
from hopenvs.agents.greedy_kernel import WORLDS as WORLDS_CELL
from hopenvs.agents.kernel_player import KernelPlayer
from hopenvs.core.state import Payoff

if TYPE_CHECKING:
    from hopenvs.core.game import Game

# Up to so many outcomes between a decision and the next are looked at one by one; of more, so many are drawn.
LEAVES = 64
# Ways that hidden things, or the others' actions in a tick, may be.
WORLDS = 8


class Greedy(KernelPlayer):
    """Takes the action after which it expects most: one ply, averaged over what chance may do before the next decision.

    A position is worth what the game's `evaluate` says to the deciding seat; the end is worth its payoff, which
    outweighs any evaluation (END_WORTH). Chance is averaged exactly while at most `leaves` outcomes lie between two
    decisions; a chance point that has more (or what is left of that number after earlier ones) is drawn from instead.

    Hidden things are never seen: all that the seat can't know is redrawn (`resample_hidden`), `worlds` times, and all
    actions are compared in the same worlds. In a simultaneous game each world also holds an action of every other seat,
    any legal one as likely as another. Where seats act in turn and nothing is hidden, or nothing that matters for one
    ply, one world is enough.

    Ties are broken by the row's stream, so choices depend neither on the batch nor on other rows.

    Args:
        game: the game module.
        options: its compiled options.
        payoff: how the game pays (C-7).
        leaves: how many outcomes are looked at for each action, at most.
        worlds: how often hidden things are redrawn.
    """

    name = "greedy"

    def __init__(
        self, game: Game, options: Any, *, payoff: Payoff = Payoff.WIN, leaves: int = LEAVES, worlds: int = WORLDS
    ) -> None:
        if leaves < 1 or worlds < 1:
            raise ValueError(f"leaves={leaves}, worlds={worlds}: expected 1 or more")
        super().__init__(game, options)
        spec = game.spec(options)
        sure = spec.perfect_information or not spec.ply_hides
        worlds = 1 if sure and not spec.simultaneous else worlds
        self._settings = np.array([payoff, worlds, leaves], np.int32)
        assert len(self._settings) == NUM_SETTINGS

    def act(
        self,
        observations: np.ndarray,
        masks: np.ndarray,
        *,
        states: np.ndarray,
        seats: np.ndarray,
        streams: np.ndarray,
    ) -> np.ndarray:
        """The greedy action of each row: [n] int32; `streams` move on in place."""
        actions = np.zeros(len(masks), np.int32)
        self._run(greedy_kernel(self._game), states, seats, masks, streams, actions)
        return actions

    def chances(
        self,
        observations: np.ndarray,
        masks: np.ndarray,
        *,
        states: np.ndarray,
        seats: np.ndarray,
        streams: np.ndarray,
    ) -> np.ndarray:
        """How likely it takes each action: [n, A] float64, ties being drawn.

        What it draws before (worlds, and outcomes where there are too many) comes from `streams`, which move on in
        place: only if they stay as they were it always plays by these chances.
        """
        chances = np.zeros(masks.shape, np.float64)
        self._run(greedy_kernel(self._game, chances_range), states, seats, masks, streams, chances)
        return chances

    def explain(self, state: np.ndarray, seat: int, stream: np.ndarray) -> list[Considered]:
        """All legal actions, the best first; values as `evaluate` measures, END_WORTH times rewards (`Explains`)."""
        mask = legal_mask(self._game, self._options, state, seat)
        actions = np.zeros(1, np.int32)
        values = self._run(greedy_kernel(self._game), state, np.array([seat], np.int32), mask, stream[None], actions)
        return in_order(self._game, self._options, np.flatnonzero(mask[0]), values / int(self._settings[WORLDS_CELL]))

    def _run(
        self,
        kernel: Any,
        states: np.ndarray,
        seats: np.ndarray,
        masks: np.ndarray,
        streams: np.ndarray,
        written: np.ndarray,
    ) -> np.ndarray:
        """Fill `written`; [A] what each action of the last row is worth, summed over all worlds."""
        masks = np.ascontiguousarray(masks, np.int8)
        n, num_actions = masks.shape
        leaves, values = STACK + int(self._settings[LEAVES_CELL]), np.zeros(num_actions)
        arrays: tuple[Any, ...] = (
            *(self._options_record, states, np.asarray(seats, np.int32), masks, streams, self._settings),
            *(np.zeros(leaves, self._dtype), np.zeros(leaves, np.float64), np.zeros(leaves, np.int32)),
            *(np.zeros(self._players, np.int32), np.zeros(num_actions, np.int8), values, written),
        )
        self._call(kernel, n, arrays)
        return values
