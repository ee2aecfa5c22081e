"""Environments that count decisions and illegal moves: whether a library keeps to the masks is then a number.

An environment made with `illegal="forfeit"` doesn't stop at an illegal action: it ends the game (C-11), and the loop
around it goes on. So a loop that passes the mask wrongly, or not at all, shows as games that were forfeited:

>>> env = tallied(hopenvs.make("igel_aergern-2p-v0", illegal="forfeit"))
>>> train(env)
>>> env.tally
Tally(decisions=5000, games=48, illegal=0)

A tally can be pickled, so environments in other processes are asked for theirs as for any attribute, and tallies are
added: `sum(vec_env.get_attr("tally"), Tally())` with Stable-Baselines3. A batch of games (`hopenvs.make_vec`) needs no
wrapper: after a step, `(games.final_states["forfeit"][terminated] > 0).sum()` games have been forfeited in it.
"""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorWrapper
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import BaseParallelWrapper, BaseWrapper

import hopenvs
from hopenvs.envs.gym import SeatEnv, SeatVectorEnv
from hopenvs.envs.table import Table
from hopenvs.integrations.counts import Tally


class Tallied:
    """What both environments of PettingZoo share: a tally, and the game that it is of."""

    env: Any
    tally: Tally

    @property
    def _table(self) -> Table:
        return self.env.unwrapped

    def clone(self) -> Any:
        """An independent copy in mid-game; its tally goes on from this one's."""
        twin = copy.copy(self)
        twin.env = self.env.clone()
        twin.tally = replace(self.tally)
        return twin


class TalliedAEC(Tallied, BaseWrapper):  # type: ignore[type-arg]
    """An AEC environment of hopenvs with a `tally`."""

    def __init__(self, env: Any) -> None:
        BaseWrapper.__init__(self, env)
        self.tally = Tally()

    def step(self, action: Any) -> None:
        """The environment's step, counted; the last steps of ended agents are no decisions."""
        over = self._table.over
        self.env.step(action)
        if not over:
            self.tally.decisions += 1
            if self._table.over:
                self.tally.note_end(self._table.offender)


class TalliedParallel(Tallied, BaseParallelWrapper):  # type: ignore[type-arg]
    """A parallel environment of hopenvs with a `tally`."""

    def __init__(self, env: Any) -> None:
        BaseParallelWrapper.__init__(self, env)
        self.tally = Tally()

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """The environment's step, counted; what agents answer who aren't asked is no decision."""
        table = self._table
        asked = sum(bool(table.legal_actions(agent)) for agent in self.agents)
        result = self.env.step(actions)
        self.tally.decisions += asked
        if table.over and asked:
            self.tally.note_end(table.offender)
        return result


class TalliedSeat(gymnasium.Wrapper[Any, Any, Any, Any]):
    """A Gymnasium environment of hopenvs with a `tally`; counted are the learner's decisions."""

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        self.tally = Tally()

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """The environment's step, counted."""
        result = self.env.step(action)
        self.tally.decisions += 1
        if result[2] or result[3]:
            self.tally.note_end(self.env.get_wrapper_attr("offender"))
        return result

    def action_masks(self) -> Any:
        """[A] bool: the learner's legal actions."""
        return self.env.get_wrapper_attr("action_masks")()


class TalliedSeats(VectorWrapper):
    """A Gymnasium vector environment of hopenvs with a `tally` of the learners' decisions and illegal moves."""

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        self.tally = Tally()
        self._rows = np.arange(self.num_envs)
        self._legal = np.zeros((self.num_envs, 0), np.bool_)  # [N, A] what the learner may do now
        self._begins = np.zeros(self.num_envs, np.bool_)  # [N] rows whose next step only begins a game

    def reset(self, *, seed: Any = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        """The environment's reset."""
        observations, infos = self.env.reset(seed=seed, options=options)
        self._legal = infos["action_mask"] > 0
        self._begins[:] = False
        return observations, infos

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """The environment's step, counted."""
        decides = ~self._begins
        result = self.env.step(actions)
        self.tally.decisions += int(decides.sum())
        self.tally.illegal += int((decides & ~self._legal[self._rows, actions]).sum())
        over = result[2] | result[3]
        self.tally.games += int(over.sum())
        self._legal = result[4]["action_mask"] > 0
        if self.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP:
            self._begins = over
        return result


WRAPPERS: dict[type[Any], type[Any]] = {
    AECEnv: TalliedAEC,
    ParallelEnv: TalliedParallel,
    gymnasium.Env: TalliedSeat,
    gymnasium.vector.VectorEnv: TalliedSeats,
}


def tallied(env: Any) -> Any:
    """An environment that counts, as its attribute `tally`, and is otherwise the same.

    Args:
        env: what `hopenvs.make`, `make_gym` or `make_gym_vec` gave, with `illegal="forfeit"`; wrappers may lie around
            it.

    Raises:
        TypeError: for anything else.
    """
    for kind, wrapper in WRAPPERS.items():
        if isinstance(env, kind) and isinstance(env.unwrapped, Table | SeatEnv | SeatVectorEnv):
            return wrapper(env)
    raise TypeError(f"{env!r}: expected an environment from hopenvs.make, make_gym or make_gym_vec")


def tallied_gym(env_id: str, **keywords: Any) -> TalliedSeat:
    """`hopenvs.make_gym` with a tally, where illegal moves forfeit: a factory that worker processes can import.

    Args:
        env_id: the id.
        **keywords: `make_gym`'s.
    """
    return TalliedSeat(hopenvs.make_gym(env_id, illegal="forfeit", **keywords))


__all__ = ["TalliedAEC", "TalliedParallel", "TalliedSeat", "TalliedSeats", "Tally", "tallied", "tallied_gym"]
