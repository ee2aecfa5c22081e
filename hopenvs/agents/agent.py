"""What a player is: a batched function from what seats see to what they do."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from hopenvs.core.errors import OptionError

if TYPE_CHECKING:
    from hopenvs.core.game import Game


@runtime_checkable
class Agent(Protocol):
    """A player of n decisions at once, each in a game of its own.

    One that never draws may say so by an attribute `deterministic`, True (`hall.always_alike`).
    """

    def act(
        self,
        observations: np.ndarray,
        masks: np.ndarray,
        *,
        states: np.ndarray,
        seats: np.ndarray,
        streams: np.ndarray,
    ) -> np.ndarray:
        """The actions [n].

        Args:
            observations: [n, D] int8, each from the deciding seat's point of view.
            masks: [n, A] int8, never all zero.
            states: [n] records, copies; they hold hidden things, which a fair player redraws (`resample_hidden`).
            seats: [n] int32, the deciding seats.
            streams: [n, 4] uint32, a generator for each row, apart from the games' own (C-14); what is drawn from it
                in place makes the choice independent of the batch.
        """


@runtime_checkable
class OpenAgent(Agent, Protocol):
    """A player that also tells how likely it takes each action."""

    def chances(
        self,
        observations: np.ndarray,
        masks: np.ndarray,
        *,
        states: np.ndarray,
        seats: np.ndarray,
        streams: np.ndarray,
    ) -> np.ndarray:
        """How likely each action is: [n, A] float64, rows that sum to 1, 0 for illegal ones.

        Takes what `act` takes. Where they depend on something drawn, that comes from the row's stream.
        """


class FunctionAgent:
    """A player from a plain function `f(observations, masks) -> actions`.

    Args:
        function: what it does.
        deterministic: whether the function draws nothing (`hall.always_alike`).
    """

    def __init__(self, function: Callable[[np.ndarray, np.ndarray], Any], *, deterministic: bool = False) -> None:
        self.function = function
        self.deterministic = deterministic
        self.name = getattr(function, "__name__", "function")

    def act(
        self,
        observations: np.ndarray,
        masks: np.ndarray,
        *,
        states: np.ndarray,
        seats: np.ndarray,
        streams: np.ndarray,
    ) -> np.ndarray:
        """The function's actions."""
        return np.asarray(self.function(observations, masks))


def as_agent(given: Any, game: Game | None = None, options: Any = None) -> Agent:
    """An Agent from an Agent, a plain function, or a word such as "greedy" (`agents/specs.py`).

    Args:
        given: what there is.
        game: the game module, for words that need one (all but "uniform").
        options: its compiled options, likewise.

    Raises:
        OptionError: if it is none of these.
    """
    if isinstance(given, str):
        from hopenvs.agents.specs import make_agent

        return make_agent(given, game, options)
    if isinstance(given, Agent):
        return given
    if callable(given):
        return FunctionAgent(given)
    raise OptionError(
        f"agent {given!r}: expected a word such as 'uniform', an Agent or a function of observations and masks"
    )
