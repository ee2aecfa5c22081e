"""What the engine rllib adds to `integrations/rllib.py`: shaped rewards, settings that change with time."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, ClassVar

from ray.rllib.algorithms.ppo.torch.ppo_torch_learner import PPOTorchLearner
from ray.rllib.connectors.learner import GeneralAdvantageEstimation

from hopenvs.integrations.rllib import DEFAULTS, GameMultiAgentEnv
from hopenvs.train.shaping import Potential


class ShapedMultiAgentEnv(GameMultiAgentEnv):
    """`GameMultiAgentEnv` that also pays every seat for how its position has improved since it decided (`shaping.py`).

    Args:
        config: as there, and `shaping` (weight of the potential), `scale` (`shaping.usual_size`) and `gamma` (the
            learner's discount).
    """

    KEYS: ClassVar[Mapping[str, Any]] = {**DEFAULTS, "shaping": 1.0, "scale": 1.0, "gamma": 1.0}

    def __init__(self, config: Mapping[str, Any] | None = None) -> None:
        super().__init__(config)
        batch, given = self.batch, self.given
        self._potential = Potential(batch.game, batch.options, given["shaping"], given["scale"])
        self._phi: dict[str, float] = {}  # the potential at each agent's last decision

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a game."""
        found = super().reset(seed=seed, options=options)
        self._phi = self._potentials(found[0])
        return found

    def step(
        self, action_dict: Mapping[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        """Carry out the decisions; a game that was cut off keeps its potential."""
        observations, rewards, terminateds, truncateds, infos = super().step(action_dict)
        if terminateds["__all__"]:
            phi = dict.fromkeys(observations, 0.0)
        else:
            phi = self._potentials(observations)
        for agent, now in phi.items():
            if agent in self._phi:  # it has decided before
                rewards[agent] = rewards.get(agent, 0.0) + self.given["gamma"] * now - self._phi[agent]
        self._phi |= phi
        return observations, rewards, terminateds, truncateds, infos

    def _potentials(self, observations: Mapping[str, Any]) -> dict[str, float]:
        seats = [self.possible_agents.index(agent) for agent in observations]
        values = self._potential.of(self.batch, [0] * len(seats), seats)
        return dict(zip(observations, map(float, values), strict=True))


class FollowingLearner(PPOTorchLearner):  # type: ignore[misc]
    """RLlib's PPO with a learning rate and a lambda of the advantages that are set from outside; it looks at its watch.

    RLlib's own schedules count steps, but a run of so many minutes doesn't know how many those will be.
    """

    seconds = 0.0  # spent learning

    def follow(self, learning_rate: float, gae_lambda: float) -> None:
        """Set both for the next update."""
        for module_id in self.module.keys():  # noqa: SIM118 (it is no Mapping)
            for _, optimizer in self.get_optimizers_for_module(module_id):
                self._set_optimizer_lr(optimizer, learning_rate)
        for piece in self._learner_connector.connectors:
            if isinstance(piece, GeneralAdvantageEstimation):
                piece.lambda_ = gae_lambda

    def update(self, *args: Any, **keywords: Any) -> Any:
        """Learn, timed."""
        began = time.perf_counter()
        try:
            return super().update(*args, **keywords)
        finally:
            self.seconds += time.perf_counter() - began
