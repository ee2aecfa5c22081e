"""TorchRL: a game as one of its environments, masks where its distributions find them.

>>> env = as_torchrl(hopenvs.make("igel_aergern-2p-v0", "parallel"))
>>> rollout = env.rollout(100)
>>> rollout["player", "observation", "observation"].shape, rollout["player", "action_mask"].shape
(torch.Size([79, 2, 248]), torch.Size([79, 2, 103]))

All seats are one group, `"player"`: entries are [time, P, ...]. Who is asked in a step is
`rollout["player", "info", "active"]` [time, P]; the actions of the others are ignored, and an actor must not learn from
them. What they see is right at every step, so a critic may learn from all rows, and the rewards at the end reach every
seat along its own line of time: advantages need no special care (examples/07_torchrl.py).

Seed the environment before a collector is made of it: `set_seed` begins another game, but a collector that has looked
already goes on with what it saw, and its first action is then chosen by the mask of a game that is gone.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

from pettingzoo import ParallelEnv
from pettingzoo.utils import BaseParallelWrapper
from torchrl.envs.libs.pettingzoo import PettingZooWrapper

GROUP = "player"  # what stands before the number in the agents' names


class MaskInObservation(BaseParallelWrapper):  # type: ignore[type-arg]
    """A parallel environment whose infos lack the mask.

    PettingZooWrapper takes the mask from the observation or from the infos; of an environment that shows it in both it
    declares the second no entry, and fails when it is filled in (TorchRL 0.14.1).
    """

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, Any]:
        """The environment's reset."""
        observations, infos = self.env.reset(seed=seed, options=options)
        return observations, _without_mask(infos)

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, Any]:
        """The environment's step."""
        *results, infos = self.env.step(actions)
        return (*results, _without_mask(infos))  # type: ignore[return-value]


def _without_mask(infos: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    return {agent: {k: v for k, v in info.items() if k != "action_mask"} for agent, info in infos.items()}


def as_torchrl(env: ParallelEnv[Any, Any, Any], **keywords: Any) -> PettingZooWrapper:
    """A parallel environment of hopenvs as one of TorchRL.

    Args:
        env: from `hopenvs.make(id, "parallel")`; may be wrapped.
        **keywords: further ones of PettingZooWrapper.
    """
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "PettingZoo in TorchRL is tested using version")
        return PettingZooWrapper(MaskInObservation(env), use_mask=True, **keywords)
