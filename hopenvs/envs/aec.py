"""The PettingZoo AEC environment of any game: one agent acts after another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from pettingzoo import AECEnv

from hopenvs.core.errors import IllegalActionError
from hopenvs.core.state import NOT_CHOSEN, NOT_TRUNCATED, TERMINAL
from hopenvs.envs.table import INFO_WHEN_ASKED, RENDER_MODES, Table


class GameAECEnv(Table, AECEnv):  # type: ignore[type-arg]
    """One game, its agents asked one at a time; the seats of a simultaneous game's tick are asked blind.

    Observations are fresh dicts `{"observation": [D] int8, "action_mask": [A] int8}`; the mask of an agent that isn't
    asked is all zero (C-12). Rewards are paid once, at the end (C-7), to all agents, who all end together.
    """

    def __init__(self, *args: Any, **keywords: Any) -> None:
        super().__init__(*args, **keywords)
        self.metadata = {
            "name": f"{self.game.ID}_v{self.game.VERSION}",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 2,
        }
        self.agent_selection = self.possible_agents[0]
        self.rewards = {}
        self._cumulative_rewards = {}
        self.terminations = {}
        self.truncations = {}
        self._made_infos: dict[str, dict[str, Any]] = {}
        self._unpaid = dict.fromkeys(self.possible_agents, 0.0)

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a game.

        Args:
            seed: same seed, same decisions, same game; None goes on with the generator.
            options: `position` (a dict) or `record` (a GameRecord or its lines) to begin anywhere; other keys are
                ignored.
        """
        self._begin(seed, options)
        self._after_load()

    def _after_load(self) -> None:
        agents = self.possible_agents
        self._made_infos = {}
        self.agents = list(agents)
        self.rewards = self._unpaid.copy()
        self._cumulative_rewards = self._unpaid.copy()
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        if self.over:
            self._end(0)
        else:
            self.agent_selection = agents[self._asked]
        if self.render_mode == "human":
            self.render()

    def step(self, action: Any) -> None:
        """The action of `agent_selection`: an integer; None once that agent has ended.

        Raises:
            IllegalActionError: under illegal="raise"; nothing has changed.
        """
        if not self.agents:
            raise ValueError("the game is over: reset() begins the next one" if self._seeded else "reset() comes first")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._leave(agent, action)
            return
        seat = self._seat_of[agent]
        order = self._order(seat, action)
        if self._simultaneous:
            if not self._all_chosen(seat, order):
                self._between_seats(agent)
                return
        else:
            self._action[0] = order
        self._step_batch()
        self._made_infos = {}
        self.rewards = self._unpaid.copy()
        self._cumulative_rewards[agent] = 0.0
        if self._asked == TERMINAL:
            self._end((seat + 1) % len(self.agents))
        else:
            self.agent_selection = self.possible_agents[self._asked]
        if self.render_mode == "human":
            self.render()

    def _between_seats(self, agent: str) -> None:
        """`agent` has chosen; the next seat of the tick is asked."""
        self._made_infos = {}
        self.rewards = self._unpaid.copy()
        self._cumulative_rewards[agent] = 0.0
        self.agent_selection = self.possible_agents[self._asked]

    def _all_chosen(self, seat: int, order: int) -> bool:
        """Note a seat's choice in a tick; True if it was the last, with all of them laid out."""
        pending = self._pending
        pending[seat] = order
        self._asked = self._find_asked()
        if self._asked >= 0:
            return False
        for k in range(self._spec.num_players):
            self._action[k] = pending[k]
        pending[seat] = NOT_CHOSEN  # if the tick fails, this seat is asked again
        return True

    def _end(self, next_seat: int) -> None:
        """Flag all agents and pay them."""
        s = self._record
        for seat, agent in enumerate(self.possible_agents):
            self.rewards[agent] = float(s.rewards[seat])
            self._cumulative_rewards[agent] += self.rewards[agent]
        flags = self.terminations if s.truncated == NOT_TRUNCATED else self.truncations
        for agent in self.possible_agents:
            flags[agent] = True
        self.agent_selection = self.possible_agents[next_seat]

    def _leave(self, agent: str, action: Any) -> None:
        """An ended agent's last step."""
        if action is not None:
            raise IllegalActionError(f"{agent} has ended: its only step is None, not {action!r}")
        k = self.agents.index(agent)
        self.agents = agents = self.agents[:k] + self.agents[k + 1 :]
        del self.terminations[agent], self.truncations[agent], self._cumulative_rewards[agent]
        self.rewards = dict.fromkeys(agents, 0.0)
        self._made_infos = {}
        if agents:
            self.agent_selection = agents[k % len(agents)]

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """What an agent sees now, fresh; also of agents that are idle, ended or gone. Changes nothing."""
        seat = self._seat_of.get(agent)
        if seat == self._asked and self._seeded:  # the common case, written out
            return {"observation": self._observation[seat].copy(), "action_mask": self._mask[seat].copy()}
        seat = self._seat_of[self._known(agent)]
        self._check_begun()
        return {"observation": self._observation_of(seat), "action_mask": self._mask_of(seat)}

    def last(self, observe: bool = True) -> tuple[dict[str, np.ndarray] | None, float, bool, bool, dict[str, Any]]:
        """(observation, cumulative reward, terminated, truncated, info) of `agent_selection`, all fresh."""
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self._info_of(agent),
        )

    @property
    def infos(self) -> dict[str, dict[str, Any]]:  # type: ignore[override]
        """Every living agent's info (C-12): made when first asked for, and fresh after every step."""
        return {agent: self._info_of(agent) for agent in self.agents}

    def _info_of(self, agent: str) -> dict[str, Any]:
        info = self._made_infos.get(agent)
        if info is None:
            seat = self._seat_of[agent]
            if seat == self._asked:  # the common case, written out
                info = INFO_WHEN_ASKED.copy()
                info["action_mask"] = self._mask[seat].copy()
            else:
                info = self._info(seat, self._mask_of(seat))
            self._made_infos[agent] = info
        return info
