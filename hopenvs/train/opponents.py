"""Who the learner plays against: itself, its own past, and players that need no training."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from hopenvs.agents import make_agent
from hopenvs.agents.policy import Policy

if TYPE_CHECKING:
    import torch

    from hopenvs.agents import Agent
    from hopenvs.core.game import Game

SELF, POOL = "self", "pool"


class Opponents:
    """The players on the other seats of the training games, and how often each is chosen.

    Number 0 is the learner as it is now. Then come the baselines in the order of `mix`, then the snapshots, oldest
    first. A seat's player is drawn by the weights of `mix`; "pool" stands for any snapshot, each as likely, and for the
    learner itself while there is none.

    Args:
        game: the game module.
        options: its compiled options.
        description: what the learner's networks look like (`agents.policy.describe_model`).
        mix: weights of "self", "pool", and words of `agents.specs.KINDS`.
        pool_size: snapshots kept; the oldest goes first.
        seed: of the draws.
    """

    def __init__(
        self,
        game: Game,
        options: Any,
        description: Mapping[str, Any],
        *,
        mix: Mapping[str, float],
        pool_size: int,
        seed: int,
    ) -> None:
        self.description = description
        self.pool_size = pool_size
        self.chooser = np.random.Generator(np.random.PCG64(seed))
        baselines = [word for word in mix if word not in (SELF, POOL)]
        self.names = [SELF, *baselines]  # by number; all snapshots share the last name, POOL
        self._kinds = [*self.names, POOL]
        weights = np.array([mix.get(kind, 0.0) for kind in self._kinds])
        self._edges = np.cumsum(weights / weights.sum())
        self._baselines: list[Agent] = [make_agent(word, game, options) for word in baselines]
        self._learner: Agent | None = None
        self.snapshots: list[dict[str, torch.Tensor]] = []
        self._policies: list[Policy] = []

    def learner_is(self, weights: Mapping[str, torch.Tensor]) -> None:
        """Let number 0 play by these weights, as they are now (before every rollout)."""
        self._learner = self._policy(weights)

    def add_snapshot(self, weights: Mapping[str, torch.Tensor]) -> None:
        """Keep a copy of what plays of these weights."""
        from hopenvs.agents.policy import weight_shapes

        kept = {name: weights[name].detach().cpu().clone() for name in weight_shapes(self.description)}
        self.snapshots.append(kept)
        self._policies.append(self._policy(kept))
        if len(self.snapshots) > self.pool_size:
            # A game under way against a snapshot goes on against the one that follows it.
            del self.snapshots[0], self._policies[0]

    def _policy(self, weights: Mapping[str, torch.Tensor]) -> Policy:
        return Policy(self.description, weights, deterministic=False)

    def draw(self, count: int) -> np.ndarray:
        """[count] int64: numbers of players."""
        kinds = np.searchsorted(self._edges, self.chooser.random(count), side="right")
        kinds = np.minimum(kinds, len(self._kinds) - 1)
        snapshot = self.chooser.integers(0, max(1, len(self.snapshots)), count)
        return np.where(kinds < len(self.names), kinds, len(self.names) + snapshot if self.snapshots else 0)

    def agent(self, number: int) -> Agent:
        """The player of a number."""
        if number == 0:
            assert self._learner is not None, "learner_is() comes first"
            return self._learner
        if number < len(self.names):
            return self._baselines[number - 1]
        return self._policies[min(number - len(self.names), len(self._policies) - 1)]

    def kind(self, number: int) -> str:
        """What sort of player a number is: a name of `names`, or POOL."""
        return self.names[number] if number < len(self.names) else POOL
