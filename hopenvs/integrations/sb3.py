"""Stable-Baselines3's DQN and PPO on games with action masks; MaskablePPO of sb3-contrib needs nothing from here.

All take environments whose observation holds the mask (`hopenvs.make_gym(..., mask_in_observation=True)`):

>>> env = hopenvs.make_gym("igel_aergern-2p-v0", mask_in_observation=True)
>>> MaskedDQN(MaskedDQNPolicy, env).learn(10_000)
>>> PPO(MaskedPPOPolicy, env).learn(10_000)

Illegal actions are then neither taken nor learned from: DQN's exploration draws legal actions only, and its target is
the best legal action's value; PPO's distribution gives them no chance.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from stable_baselines3 import DQN
from stable_baselines3.common.distributions import Distribution
from stable_baselines3.common.policies import MultiInputActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.dqn.policies import DQNPolicy, QNetwork

from hopenvs.integrations.layers import scale_of

# The value of an illegal action: far below any return, and finite, since DQN multiplies it by 0 where a game has ended.
WORST = -1e6


class Board(BaseFeaturesExtractor):
    """The observation without the mask, each cell scaled by its section's bound into -1 .. 1.

    Args:
        observation_space: `Dict{"observation": Box [D], "action_mask": Box [A]}`.
    """

    scale: torch.Tensor

    def __init__(self, observation_space: spaces.Dict) -> None:
        box = observation_space["observation"]
        assert isinstance(box, spaces.Box)
        super().__init__(observation_space, features_dim=int(box.shape[0]))
        self.register_buffer("scale", scale_of(box))

    def forward(self, observations: dict[str, torch.Tensor]) -> torch.Tensor:
        """[n, D] float32."""
        return observations["observation"] * self.scale


# ---- DQN ------------------------------------------------------------------------------------------------------------
class MaskedQNetwork(QNetwork):
    """Values of actions, those of illegal ones being WORST.

    Both the network that plays and the target network are of this kind, so the target's maximum, too, is over what is
    legal in the next state (once a game is over the mask is all one, C-12, and the value isn't used).
    """

    def forward(self, obs: Any) -> torch.Tensor:
        """[n, A] float32 from the observation's dict."""
        return torch.where(obs["action_mask"] > 0, super().forward(obs), WORST)


class MaskedDQNPolicy(DQNPolicy):
    """DQN's policy with a MaskedQNetwork on the Board; takes DQNPolicy's keywords."""

    def __init__(self, *args: Any, **keywords: Any) -> None:
        super().__init__(*args, **{"features_extractor_class": Board, **keywords})

    def make_q_net(self) -> QNetwork:
        """One of the two networks."""
        return MaskedQNetwork(**self._update_features_extractor(self.net_args)).to(self.device)


class MaskedDQN(DQN):
    """DQN that explores by legal actions only, each as likely; to be used with MaskedDQNPolicy."""

    def predict(
        self,
        observation: Any,
        state: tuple[np.ndarray, ...] | None = None,
        episode_start: np.ndarray | None = None,
        deterministic: bool = False,
    ) -> tuple[np.ndarray, tuple[np.ndarray, ...] | None]:
        """The best action, or (not `deterministic`) with the chance of `exploration_rate` any legal one, in each row.

        Args:
            observation: `{"observation": [D] or [n, D], "action_mask": [A] or [n, A]}`.
            state: unused.
            episode_start: unused.
            deterministic: whether never to explore.

        Returns:
            (actions, `state`).
        """
        actions, state = self.policy.predict(observation, state, episode_start, deterministic)
        if deterministic:
            return actions, state
        explores = np.random.random(np.shape(actions)) < self.exploration_rate  # noqa: NPY002 (what SB3's seed seeds)
        return np.where(explores, _any_legal(observation["action_mask"]), actions), state

    def _sample_action(
        self, learning_starts: int, action_noise: Any = None, n_envs: int = 1
    ) -> tuple[np.ndarray, np.ndarray]:
        """Stable-Baselines3's, whose first `learning_starts` actions aren't the policy's but any of the catalogue."""
        if self.num_timesteps >= learning_starts:
            return super()._sample_action(learning_starts, action_noise, n_envs)
        assert isinstance(self._last_obs, dict)
        actions = _any_legal(self._last_obs["action_mask"])
        return actions, actions


def _any_legal(masks: np.ndarray) -> np.ndarray:
    """A legal action of every row, each as likely: [...] int64 from `masks` [..., A]."""
    drawn = np.random.random(np.shape(masks))  # noqa: NPY002 (what SB3's seed seeds)
    return np.where(masks > 0, drawn, -1.0).argmax(axis=-1)


# ---- PPO ------------------------------------------------------------------------------------------------------------
class MaskedPPOPolicy(MultiInputActorCriticPolicy):
    """An actor and critic whose illegal actions have the logit -inf; takes MultiInputActorCriticPolicy's keywords.

    An empty mask raises (a distribution without any action), so a broken one can't go unseen.
    """

    def __init__(self, *args: Any, **keywords: Any) -> None:
        super().__init__(*args, **{"features_extractor_class": Board, **keywords})

    def forward(self, obs: Any, deterministic: bool = False) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """(actions [n], values [n, 1], log probabilities [n])."""
        distribution = self.get_distribution(obs)
        actions = distribution.get_actions(deterministic=deterministic)
        return actions, self.predict_values(obs), distribution.log_prob(actions)

    def evaluate_actions(
        self, obs: Any, actions: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor | None]:
        """(values [n, 1], log probabilities [n], entropies [n])."""
        distribution = self.get_distribution(obs)
        return self.predict_values(obs), distribution.log_prob(actions), distribution.entropy()

    def get_distribution(self, obs: Any) -> Distribution:
        """Of the legal actions."""
        unmasked: Any = super().get_distribution(obs)
        logits = torch.where(obs["action_mask"] > 0, unmasked.distribution.logits, -torch.inf)
        return self.action_dist.proba_distribution(logits)
