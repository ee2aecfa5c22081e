"""Advice for a person at the table: what a player that looks ahead would consider in its place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hopenvs.core import rng
from hopenvs.core.errors import OptionError

if TYPE_CHECKING:
    from hopenvs.agents.considered import Considered
    from hopenvs.core.game import Game
    from hopenvs.core.walk import Walk

MOST = 5  # actions shown


class Adviser:
    """Tells what an agent considers.

    Args:
        word: the agent's (`agents/specs.py`); it has to be one that can explain itself.
        game: the game module.
        options: its compiled options.
        seed: of what it draws; apart from the game's and the other players'.

    Raises:
        OptionError: for an agent that can't be made, or has nothing to tell.
    """

    def __init__(self, word: str, game: Game, options: Any, seed: int) -> None:
        from hopenvs.agents import make_agent
        from hopenvs.agents.considered import Explains

        agent = make_agent(word, game, options, people=False)
        if not isinstance(agent, Explains):
            raise OptionError(f"--adviser {word}: can't explain itself: expected greedy, expectimax:N or mcts:N")
        self._agent, self._word = agent, word
        self._chance, self._stream = rng.generator(seed, rng.PLAYOUT), rng.generator(seed, rng.OPPONENTS)

    def advice(self, walk: Walk, seat: int) -> list[str]:
        """Lines for the seat that is about to decide, the best action first."""
        states = walk.states.copy()
        states["rng"] = self._chance  # nobody sees coming dice
        considered = self._agent.explain(states, seat, np.array(self._stream, np.uint32))
        lines = [f"{self._word} considers {len(considered)} of {len(walk.legal(seat))} actions:"]
        return lines + [f"  {_told(each)}" for each in considered[:MOST]]


def _told(each: Considered) -> str:
    visits = f", {each.visits} simulations" if each.visits else ""
    return f"{each.name}: {each.value:+.3g}{visits}"
