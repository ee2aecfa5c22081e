"""One game on an AEC or a parallel environment, seen alike: what the checks of both faces play on."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from hopenvs.testing.oracle import Frame, Trace


class Side:
    """A game on an AEC or a parallel environment.

    Args:
        env: the environment, perhaps wrapped.

    Attributes:
        filler: what the cells of a mask are whose agent isn't asked (C-12).
        rewards: what the last step paid.
        terminations: every agent's flag.
        truncations: every agent's flag.
    """

    def __init__(self, env: Any) -> None:
        self.env = env
        self.agents: list[str] = list(env.possible_agents)
        self.parallel = not hasattr(env.unwrapped, "agent_selection")
        self.filler = 1 if self.parallel else 0
        self._observations: dict[str, Any] | None = {}
        self._infos: dict[str, Any] | None = {}
        self.rewards: dict[str, Any] = {}
        self.terminations: dict[str, Any] = {}
        self.truncations: dict[str, Any] = {}

    @property
    def observations(self) -> dict[str, Any]:
        """What every agent sees now; of an AEC environment made when first asked for."""
        if self._observations is None:
            self._observations = {agent: self.env.observe(agent) for agent in self.agents}
        return self._observations

    @observations.setter
    def observations(self, given: dict[str, Any]) -> None:
        self._observations = given

    @property
    def infos(self) -> dict[str, Any]:
        """Every agent's info; of an AEC environment read when first asked for."""
        if self._infos is None:
            self._infos = self.env.infos
        return self._infos or {}

    @infos.setter
    def infos(self, given: dict[str, Any]) -> None:
        self._infos = given

    def reset(self, seed: Any = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a game."""
        given = self.env.reset(seed=seed, options=options)
        if self.parallel:
            self.observations, self.infos = given
            self.rewards = dict.fromkeys(self.agents, 0.0)
            self.terminations = dict.fromkeys(self.agents, False)
            self.truncations = dict.fromkeys(self.agents, False)
        else:
            self.read()

    def step(self, frame: Frame) -> None:
        """What the seats asked in a frame do."""
        if self.parallel:
            given = self.env.step({self.agents[seat]: a for seat, a in zip(frame.asked, frame.actions, strict=True)})
            self.observations, self.rewards, self.terminations, self.truncations, self.infos = given
        else:
            for action in frame.actions:
                self.env.step(action)
            self.read()

    def read(self) -> None:
        """Take up what an AEC environment shows after a step."""
        env = self.env
        self._observations = self._infos = None
        self.rewards = env.rewards
        self.terminations, self.truncations = env.terminations, env.truncations

    def follow(self, trace: Trace, until: int | None = None, start: int = 0) -> Iterator[tuple[int, Frame]]:
        """Play a trace from decision `start` on, stopping at every frame before its decision is taken."""
        last = len(trace.frames) if until is None else until
        for k in range(start, last):
            frame = trace.frames[k]
            yield k, frame
            if not frame.over:
                self.step(frame)

    def play(self, trace: Trace, until: int | None = None) -> None:
        """Begin a trace's game and play its first decisions, by default all."""
        self.reset(seed=trace.seed)
        for _ in self.follow(trace, trace.decisions if until is None else until):
            pass


def snapshot(env: Any) -> dict[str, Any]:
    """All that can be seen of an AEC or parallel environment, for comparison."""
    seen: dict[str, Any] = {
        "state": env.state().tobytes(),
        "agents": list(env.agents),
        "observations": {
            agent: {key: value.tobytes() for key, value in env.observe(agent).items()} for agent in env.possible_agents
        },
    }
    for name in ("agent_selection", "rewards", "terminations", "truncations"):
        if hasattr(env, name):
            seen[name] = str(getattr(env, name))
    if hasattr(env, "infos"):
        seen["infos"] = {
            agent: {key: np.asarray(value).tolist() for key, value in info.items()} for agent, info in env.infos.items()
        }
    return seen


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    """Which parts of two snapshots differ."""
    return ", ".join(key for key in before if operator.ne(before[key], after.get(key)))


def drift(side: Side, decisions: int = 40) -> list[bytes]:
    """What some decisions look like that depend on nothing but their number: only chance tells such games apart."""
    env, seen = side.env, []
    for k in range(decisions):
        over = not env.agents if side.parallel else any(env.terminations.values()) or any(env.truncations.values())
        if over:
            break
        seen.append(env.state().tobytes())
        if side.parallel:
            masks = [env.observe(agent)["action_mask"] for agent in side.agents]
            env.step({agent: _nth(masks[seat], k + seat) for seat, agent in enumerate(side.agents)})
        else:
            agent = env.agent_selection
            env.step(_nth(env.observe(agent)["action_mask"], k // len(side.agents) + side.agents.index(agent)))
    return seen


def _nth(mask: np.ndarray, n: int) -> int:
    legal = np.flatnonzero(mask)
    return int(legal[n % len(legal)])
