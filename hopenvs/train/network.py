"""The learner's network: a trunk that policy and value share, on observations brought to the same range."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.distributions import MaskableCategorical, MaskableCategoricalDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor

from hopenvs.integrations.layers import ACTIVATIONS, masked_logits, scale_of, stack


class Trunk(BaseFeaturesExtractor):
    """Scales every cell of the observation by its section's bound and sends it through shared layers.

    Args:
        observation_space: Box [D]; its bounds are those of the sections.
        widths: of the layers.
        activation: a key of ACTIVATIONS.
    """

    scale: torch.Tensor

    def __init__(self, observation_space: spaces.Box, widths: Sequence[int], activation: str = "relu") -> None:
        size = int(observation_space.shape[0])
        super().__init__(observation_space, features_dim=widths[-1] if widths else size)
        self.register_buffer("scale", scale_of(observation_space))
        self.layers = stack(size, widths, activation, sparse=True)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """[n, width] from [n, D]."""
        return self.layers(observations * self.scale)


def policy_keywords(trunk: Sequence[int], heads: Sequence[int], activation: str) -> dict[str, Any]:
    """What MaskablePPO's MlpPolicy takes to build the network (`policy_kwargs`)."""
    return {
        "features_extractor_class": Trunk,
        "features_extractor_kwargs": {"widths": list(trunk), "activation": activation},
        "net_arch": {"pi": list(heads), "vf": list(heads)},
        "activation_fn": ACTIVATIONS[activation],
    }


class _Categorical(MaskableCategorical):
    """The same distribution without the slow path of `exp` that sb3-contrib's mask of -1e8 takes (`masked_logits`)."""

    def apply_masking(self, masks: Any) -> None:
        """Take the illegal actions away; None gives them back."""
        if masks is None:
            super().apply_masking(None)
            return
        logits = self._original_logits
        legal = torch.as_tensor(masks, dtype=torch.bool, device=logits.device).reshape(logits.shape)
        self.masks = legal
        self.__dict__.pop("probs", None)
        torch.distributions.Categorical.__init__(self, logits=masked_logits(logits, legal), validate_args=False)


class _Distribution(MaskableCategoricalDistribution):
    """Makes `_Categorical`s."""

    def proba_distribution(self, action_logits: torch.Tensor) -> _Distribution:
        """The distribution of these logits [n, A]."""
        self.distribution = _Categorical(logits=action_logits.view(-1, self.action_dim), validate_args=False)
        return self


class BoardPolicy(MaskableActorCriticPolicy):
    """sb3-contrib's policy, with `_Distribution`."""

    def _build(self, lr_schedule: Any) -> None:
        assert isinstance(self.action_space, spaces.Discrete)
        self.action_dist = _Distribution(int(self.action_space.n))
        super()._build(lr_schedule)
