"""Wrappers that keep action masks right, for AEC and parallel environments.

>>> import hopenvs
>>> from hopenvs.integrations.wrappers import cast, flatten, indicate_agent, stack_frames
>>> env = flatten(cast(stack_frames(hopenvs.make("igel_aergern-2p-v0"), 4), "float32", scale=True))

They take environments whose observations are `Dict{"observation": Box, "action_mask": Box}`, may be put on top of one
another in any order, and change what stands under "observation" alone: the mask, the infos, the actions and all else
stay as they are. `flatten` makes one Box of both, the mask being its last cells; those on top of it still leave these
alone (`mask_cells` says how many they are). The usual wrappers of SuperSuit take no such observations.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import DTypeLike
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import BaseParallelWrapper, BaseWrapper

KEYS = {"observation", "action_mask"}


def flatten(env: Any) -> Any:
    """One Box [cells + A] instead of the Dict: the observation, flattened, and the mask.

    For whoever takes no Dict. Its type is the one that holds both; the mask is in the infos too.

    Raises:
        ValueError: if the observations are no such Dict.
        TypeError: if it is no environment of PettingZoo. (So do all others here.)
    """
    return _changed(env, "flatten", lambda box, seat, seats: Flat(box), flat=True)


def stack_frames(env: Any, frames: int) -> Any:
    """The last `frames` sights of every agent in one, the oldest first, joined along the last axis.

    The newest is what it sees now. The others are, in an AEC environment, what it saw at its decisions before, in a
    parallel one what it saw at the steps before. `reset` fills them with what the agent sees then.

    Raises:
        ValueError: for less than one frame, or other observations.
    """
    if isinstance(frames, bool) or not isinstance(frames, (int, np.integer)) or frames < 1:
        raise ValueError(f"frames={frames}: expected an integer, 1 or more")
    return _changed(env, f"stack_frames({frames})", lambda box, seat, seats: Frames(box, frames))


def indicate_agent(env: Any) -> Any:
    """A cell for every agent after the observation: 1 at the one who sees it, for nets that all agents share.

    Environments of hopenvs need it seldom: what they show, they show from the agent's own seat.

    Raises:
        ValueError: if observations aren't 1-D.
    """
    return _changed(env, "indicate_agent", Indicator)


def cast(env: Any, dtype: DTypeLike, *, scale: bool = False) -> Any:
    """Observations of another type.

    Args:
        env: the environment.
        dtype: the type.
        scale: bring each cell from its bounds to 0 to 1. (Flattened masks hold 0 and 1 already.)

    Raises:
        ValueError: if the type can't hold the bounds, or to scale, if it is none of fractions or a bound is missing.
    """
    kind: np.dtype[Any] = np.dtype(dtype)
    name = f"cast({kind}{', scaled' if scale else ''})"
    return _changed(env, name, lambda box, seat, seats: Cast(box, kind, scale))


# ---- what is made of one agent's observation ------------------------------------------------------------------------
class Change:
    """What is made of the observation part of one agent's sights.

    Attributes:
        space: what comes out.
        remembers: whether it depends on what the agent saw before.
    """

    space: spaces.Box
    remembers = False

    def __call__(self, seen: np.ndarray) -> np.ndarray:
        """The observation as it comes out, a new array."""
        raise NotImplementedError

    def begin(self, seen: np.ndarray) -> None:
        """A new game, and what the agent sees then."""

    def note(self, seen: np.ndarray) -> None:
        """What the agent saw is past now."""


class Flat(Change):
    """1-D."""

    def __init__(self, box: spaces.Box) -> None:
        self.space = _box(box.low.ravel(), box.high.ravel(), box.dtype)

    def __call__(self, seen: np.ndarray) -> np.ndarray:
        """In C order."""
        return seen.flatten()


class Frames(Change):
    """The last sights, kept by this agent alone."""

    remembers = True

    def __init__(self, box: spaces.Box, frames: int) -> None:
        low, high = (np.concatenate([bound] * frames, axis=-1) for bound in (box.low, box.high))
        self.space = _box(low, high, box.dtype)
        self._past: list[np.ndarray] = [np.zeros(box.shape, box.dtype)] * (frames - 1)

    def __call__(self, seen: np.ndarray) -> np.ndarray:
        """Past sights and this one."""
        return np.concatenate([*self._past, seen], axis=-1)

    def begin(self, seen: np.ndarray) -> None:
        """Nothing of the game before is left."""
        self._past = [seen] * len(self._past)

    def note(self, seen: np.ndarray) -> None:
        """The oldest is forgotten."""
        self._past = [*self._past, seen][1:]


class Indicator(Change):
    """Which agent it is, after the observation."""

    def __init__(self, box: spaces.Box, seat: int, seats: int) -> None:
        if len(box.shape) != 1:
            raise ValueError(f"observations of shape {box.shape}: expected one axis (flatten first)")
        self._cells = np.zeros(seats, box.dtype)
        self._cells[seat] = 1
        low, high = np.zeros(seats, box.dtype), np.ones(seats, box.dtype)
        self.space = _box(np.concatenate([box.low, low]), np.concatenate([box.high, high]), box.dtype)

    def __call__(self, seen: np.ndarray) -> np.ndarray:
        """With the agent's own cell at 1."""
        return np.concatenate([seen, self._cells])


class Cast(Change):
    """Another type, perhaps scaled."""

    def __init__(self, box: spaces.Box, dtype: np.dtype[Any], scale: bool) -> None:
        low, high = box.low.astype(np.float64), box.high.astype(np.float64)
        if scale and not (np.issubdtype(dtype, np.floating) and np.isfinite(low).all() and np.isfinite(high).all()):
            raise ValueError(f"scale: expected fractions, not {dtype}, and observations with a bound on every cell")
        self._dtype = dtype
        self._low = self._span = None
        if scale:
            self._low = low.astype(dtype)
            self._span = np.where(high > low, high - low, 1).astype(dtype)  # a cell that is always the same becomes 0
            low, high = np.zeros_like(low), (high > low).astype(np.float64)
        kept = low.astype(dtype), high.astype(dtype)
        if not (np.array_equal(kept[0], low) and np.array_equal(kept[1], high)):
            raise ValueError(f"dtype={dtype}: it can't hold observations from {low.min():g} to {high.max():g}")
        self.space = _box(*kept, dtype)

    def __call__(self, seen: np.ndarray) -> np.ndarray:
        """The same numbers, or their places between the bounds."""
        cast = seen.astype(self._dtype)
        return cast if self._low is None else (cast - self._low) / self._span


# ---- environments ---------------------------------------------------------------------------------------------------
class Changed:
    """What both wrappers share: agents' changes, and where observation and mask lie.

    Attributes:
        mask_cells: how many cells at the end of flat observations are the mask; 0 if it stands apart.
        observation_spaces: by agent.
    """

    env: Any
    _flat_below: int  # mask_cells of `env`
    mask_cells: int
    observation_spaces: dict[str, spaces.Space[Any]]
    _changes: dict[str, Change]
    _name: str
    _remembers: bool

    def _set_up(self, name: str, make: Callable[[spaces.Box, int, int], Change], flat: bool) -> None:
        env = self.env
        agents = env.possible_agents
        self._name = name
        self._flat_below = self.mask_cells = int(getattr(env, "mask_cells", 0))
        self._changes, self.observation_spaces = {}, {}
        for seat, agent in enumerate(agents):
            box, mask = self._parts_of_space(env.observation_space(agent))
            if flat:
                if self._flat_below:
                    raise ValueError("the observations are flat already")
                self.mask_cells = int(mask.shape[0])
            change = self._changes[agent] = make(box, seat, len(agents))
            self.observation_spaces[agent] = self._space_of(change.space, mask)
        self._remembers = any(change.remembers for change in self._changes.values())

    # ---- observation and mask ----
    def _parts_of_space(self, space: spaces.Space[Any]) -> tuple[spaces.Box, spaces.Box]:
        if isinstance(space, spaces.Box) and self._flat_below:
            cells = space.shape[0] - self._flat_below
            low, high = space.low, space.high
            return _box(low[:cells], high[:cells], space.dtype), _box(low[cells:], high[cells:], space.dtype)
        if not isinstance(space, spaces.Dict) or set(space.spaces) != KEYS:
            raise ValueError(f"observations {space}: expected a Dict of 'observation' and 'action_mask'")
        box, mask = space["observation"], space["action_mask"]
        if not isinstance(box, spaces.Box) or not isinstance(mask, (spaces.Box, spaces.MultiBinary)):
            raise ValueError(f"observations {space}: expected a Box, and a mask of zeros and ones")
        return box, mask if isinstance(mask, spaces.Box) else spaces.Box(0, 1, mask.shape, np.int8)

    def _space_of(self, box: spaces.Box, mask: spaces.Box) -> spaces.Space[Any]:
        if not self.mask_cells:
            return spaces.Dict({"observation": box, "action_mask": mask})
        low = np.concatenate([box.low, np.zeros(self.mask_cells, box.dtype)])
        high = np.concatenate([box.high, np.ones(self.mask_cells, box.dtype)])
        return _box(low, high, box.dtype)

    def _seen(self, observation: Any) -> np.ndarray:
        """The observation part of what the environment below gives."""
        return observation[: -self._flat_below] if self._flat_below else observation["observation"]

    def _change(self, agent: str, observation: Any) -> Any:
        """What an agent gets of what the environment below gives."""
        seen = self._changes[agent](self._seen(observation))
        mask = observation[-self._flat_below :] if self._flat_below else observation["action_mask"]
        if self.mask_cells:
            return np.concatenate([seen, mask.astype(seen.dtype)])
        return {"observation": seen, "action_mask": mask}

    # ---- what all environments have ----
    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Of an agent: the same object on every call."""
        return self.observation_spaces[agent]

    def observe(self, agent: str) -> Any:
        """What an agent sees now; changes nothing."""
        observation = self.env.observe(agent)
        return None if observation is None else self._change(agent, observation)

    def render(self, *arguments: Any, **keywords: Any) -> Any:
        """As the environment below does it, `seat` included."""
        return self.env.render(*arguments, **keywords)

    def __str__(self) -> str:
        return f"{self._name}<{self.env}>"

    # ---- what those of hopenvs have ----
    def clone(self) -> Any:
        """An independent copy in mid-game, frames included."""
        twin = copy.copy(self)
        twin.env = self.env.clone()
        twin._changes = {agent: copy.copy(change) for agent, change in self._changes.items()}
        return twin

    def set_state(self, saved: np.ndarray) -> None:
        """Go on from what `state()` gave, frames beginning anew."""
        self.env.set_state(saved)
        self._begin({agent: self.env.observe(agent) for agent in self.env.possible_agents})

    def _begin(self, observations: Mapping[str, Any]) -> None:
        for agent, observation in observations.items():
            self._changes[agent].begin(self._seen(observation))


class ChangedAECEnv(Changed, BaseWrapper):  # type: ignore[type-arg]
    """An AEC environment whose observations are changed."""

    def __init__(self, env: Any, name: str, make: Callable[[spaces.Box, int, int], Change], flat: bool) -> None:
        BaseWrapper.__init__(self, env)
        self._set_up(name, make, flat)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """As below."""
        self.env.reset(seed=seed, options=options)
        if self._remembers:
            self._begin({agent: self.env.observe(agent) for agent in self.env.possible_agents})

    def step(self, action: Any) -> None:
        """As below; what the agent saw is past then, if it was a decision."""
        env = self.env
        agent = env.agent_selection if env.agents else None
        decides = agent is not None and not (env.terminations[agent] or env.truncations[agent])
        before = self._seen(env.observe(agent)) if self._remembers and decides else None
        env.step(action)
        if before is not None and agent is not None:
            self._changes[agent].note(before)


class ChangedParallelEnv(Changed, BaseParallelWrapper):  # type: ignore[type-arg]
    """A parallel environment whose observations are changed."""

    def __init__(self, env: Any, name: str, make: Callable[[spaces.Box, int, int], Change], flat: bool) -> None:
        BaseParallelWrapper.__init__(self, env)
        self._set_up(name, make, flat)
        self._now: dict[str, np.ndarray] = {}  # what agents see, where it will be remembered

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """As below."""
        observations, infos = self.env.reset(seed=seed, options=options)
        self._begin(observations)
        return {agent: self._change(agent, seen) for agent, seen in observations.items()}, infos

    def step(
        self, actions: Mapping[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        """As below; what all agents saw is past then."""
        observations, *others = self.env.step(actions)
        if self._remembers:
            for agent in observations:
                self._changes[agent].note(self._now[agent])
            self._now = {agent: self._seen(observation) for agent, observation in observations.items()}
        changed = {agent: self._change(agent, seen) for agent, seen in observations.items()}
        return changed, *others

    def _begin(self, observations: Mapping[str, Any]) -> None:
        super()._begin(observations)
        self._now = {agent: self._seen(observation) for agent, observation in observations.items()}


def _changed(env: Any, name: str, make: Callable[[spaces.Box, int, int], Change], flat: bool = False) -> Any:
    if isinstance(env, AECEnv):
        return ChangedAECEnv(env, name, make, flat)
    if isinstance(env, ParallelEnv):
        return ChangedParallelEnv(env, name, make, flat)
    raise TypeError(f"{type(env).__name__}: expected an AECEnv or a ParallelEnv of PettingZoo")


def _box(low: np.ndarray, high: np.ndarray, dtype: Any) -> spaces.Box:
    return spaces.Box(low, high, dtype=dtype)
