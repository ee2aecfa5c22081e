"""The learner's network: a trunk that policy and value share, on observations brought to the same range."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.distributions import MaskableCategorical, MaskableCategoricalDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from hopenvs.agents.sparse import product, weight_gradient

# How far below the likeliest action's logit an illegal one lies: exp(-80) is 2e-35, still a normal float32.
FAR = 80.0

ACTIVATIONS: dict[str, type[nn.Module]] = {"relu": nn.ReLU, "tanh": nn.Tanh}


class _SparseProduct(torch.autograd.Function):
    """x @ weight.T + bias by `agents/sparse.py`; x itself gets no gradient."""

    @staticmethod
    def forward(
        ctx: Any, x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor, turned: np.ndarray
    ) -> torch.Tensor:
        ctx.save_for_backward(x)
        cells = x.contiguous().numpy()
        return torch.from_numpy(product(cells, turned, bias.detach().numpy(), torch.get_num_threads()))

    @staticmethod
    def backward(ctx: Any, *slopes: torch.Tensor) -> tuple[None, torch.Tensor, torch.Tensor, None]:
        (x,) = ctx.saved_tensors
        slope = slopes[0].contiguous()
        gradient = weight_gradient(x.contiguous().numpy(), slope.numpy(), torch.get_num_threads())
        return None, torch.from_numpy(gradient).t(), slope.sum(dim=0), None


class SparseLinear(nn.Linear):
    """A linear layer for inputs that are mostly zeros and need no gradient: the same numbers, many times sooner.

    On other devices than the CPU it is an ordinary one.
    """

    _turned: tuple[int, np.ndarray] | None = None  # the weight's version and the weight transposed, contiguous

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """[n, W] from [n, D]."""
        if x.device.type != "cpu" or x.requires_grad or x.dtype != torch.float32:
            return super().forward(x)
        version = self.weight._version
        if self._turned is None or self._turned[0] != version:
            self._turned = version, self.weight.detach().t().contiguous().numpy()
        return _SparseProduct.apply(x, self.weight, self.bias, self._turned[1])  # type: ignore[no-untyped-call]

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_turned"}


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
        bounds = np.maximum(np.abs(observation_space.low.astype(float)), np.abs(observation_space.high.astype(float)))
        self.register_buffer("scale", torch.tensor(1.0 / np.maximum(bounds, 1.0), dtype=torch.float32))
        layers: list[nn.Module] = []
        for k, width in enumerate(widths):
            layer = SparseLinear if k == 0 else nn.Linear
            layers += [layer(size, width), ACTIVATIONS[activation]()]
            size = width
        self.layers = nn.Sequential(*layers)

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
    """The same distribution without the slow path of `exp`: an illegal action's logit lies FAR below the likeliest.

    sb3-contrib sets it to -1e8, for which the vectorised `exp` of the C library falls back to a scalar one, fifteen
    times slower; exp(-FAR) is no more than rounding, too, but an ordinary number.
    """

    def apply_masking(self, masks: Any) -> None:
        """Take the illegal actions away; None gives them back."""
        if masks is None:
            super().apply_masking(None)
            return
        logits = self._original_logits
        legal = torch.as_tensor(masks, dtype=torch.bool, device=logits.device).reshape(logits.shape)
        with torch.no_grad():
            floor = torch.where(legal, logits, -torch.inf).amax(dim=-1, keepdim=True) - FAR
        self.masks = legal
        self.__dict__.pop("probs", None)
        torch.distributions.Categorical.__init__(self, logits=torch.where(legal, logits, floor), validate_args=False)


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
