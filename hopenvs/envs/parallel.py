"""The PettingZoo parallel environment of any game: all agents step together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from pettingzoo import ParallelEnv

from hopenvs.core.errors import IllegalActionError
from hopenvs.core.state import NOT_TRUNCATED, TERMINAL
from hopenvs.envs.table import RENDER_MODES, Table


class GameParallelEnv(Table, ParallelEnv):  # type: ignore[type-arg]
    """One game, stepped by a dict of all agents' actions.

    In a turn game one agent is asked (`infos[agent]["active"]`): the others' actions are ignored, whatever they are,
    and their masks are all one (C-12), so that any sampler can go on.
    """

    def __init__(self, *args: Any, **keywords: Any) -> None:
        super().__init__(*args, **keywords)
        self.metadata = {
            "name": f"{self.game.ID}_v{self.game.VERSION}",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": True,
            "render_fps": 2,
        }

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a game; arguments as in the AEC environment. Returns every agent's observation and info."""
        self._begin(seed, options)
        self._after_load()
        seats = self._seats()
        return self._observations(seats), self._infos(seats)

    def _after_load(self) -> None:
        self.agents = [] if self.over else list(self.possible_agents)
        if self.render_mode == "human":
            self.render()

    def _seats(self) -> dict[str, int]:
        return self._seat_of

    def step(
        self, actions: Mapping[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        """One decision of a turn game, one tick of a simultaneous one.

        Args:
            actions: an integer for every agent that is asked; others' are ignored.

        Raises:
            IllegalActionError: under illegal="raise"; also if an asked agent has no action. Nothing has changed.
            TypeError: for what is no mapping.
        """
        if not self.agents:
            if self._seeded:
                return {}, {}, {}, {}, {}
            raise ValueError("reset() comes first")
        if not isinstance(actions, Mapping):
            raise TypeError(f"actions {actions!r}: expected a mapping of agents to their actions")
        for agent in actions:
            self._known(agent)
        asked = [seat for seat in range(self._spec.num_players) if self._is_asked(seat)]
        row = self._action
        if self._simultaneous and len(asked) < len(row):  # a state that was left in mid-tick holds some seats' choices
            for seat in range(len(row)):
                row[seat] = self._pending[seat]
        for seat in asked:
            agent = self.possible_agents[seat]
            if agent not in actions:
                raise IllegalActionError(f"{agent} is asked, but there is no action of it among {list(actions)}")
            row[seat if self._simultaneous else 0] = self._order(seat, actions[agent])
        self._step_batch()
        agents, seats = self.agents, self._seats()
        rewards, ended, cut = dict.fromkeys(agents, 0.0), False, False
        if self._asked == TERMINAL:
            s = self._record
            rewards = {agent: s.rewards[seat] for agent, seat in seats.items()}  # C-7
            ended, cut = s.truncated == NOT_TRUNCATED, s.truncated != NOT_TRUNCATED
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return (
            self._observations(seats),
            rewards,
            dict.fromkeys(agents, ended),
            dict.fromkeys(agents, cut),
            self._infos(seats),
        )

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """What an agent sees now, fresh."""
        seat = self._seat_of[self._known(agent)]
        if not self._seeded:
            raise ValueError("reset() comes first")
        return self._observations({agent: seat})[agent]

    def _filled_mask(self, seat: int) -> np.ndarray:
        """The mask, or all ones for a seat that isn't asked (C-12)."""
        if self._is_asked(seat):
            return self._mask[seat].copy()
        return np.ones(self._spec.num_actions, np.int8)

    def _observations(self, seats: Mapping[str, int]) -> dict[str, Any]:
        return {
            agent: {"observation": self._observation_of(seat), "action_mask": self._filled_mask(seat)}
            for agent, seat in seats.items()
        }

    def _infos(self, seats: Mapping[str, int]) -> dict[str, Any]:
        return {agent: self._info(seat, self._filled_mask(seat)) for agent, seat in seats.items()}
