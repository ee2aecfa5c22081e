"""Layers of PyTorch for networks on board positions, whichever library trains them: a trunk, and masked logits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from torch import nn

from hopenvs.agents.sparse import product, weight_gradient

# How far below the likeliest action's logit an illegal one lies: exp(-80) is 2e-35, still a normal float32.
FAR = 80.0

ACTIVATIONS: dict[str, type[nn.Module]] = {"relu": nn.ReLU, "tanh": nn.Tanh}


def masked_logits(logits: torch.Tensor, legal: torch.Tensor) -> torch.Tensor:
    """[n, A]: the logits, those of illegal actions FAR below the likeliest legal one of their row.

    A mask of -1e8 or of float32's lowest number would do the same, but for those the vectorised `exp` of the C library
    falls back to a scalar one, fifteen times slower; exp(-FAR) is no more than rounding, too, but an ordinary number.

    Args:
        logits: [n, A] float32.
        legal: [n, A] bool, True at least once a row.
    """
    with torch.no_grad():
        floor = torch.where(legal, logits, -torch.inf).amax(dim=-1, keepdim=True) - FAR
    return torch.where(legal, logits, floor)


def scale_of(observation_space: spaces.Box) -> torch.Tensor:
    """[D] float32: what brings every cell of an observation into [-1, 1], by the bounds of its section."""
    bounds = np.maximum(np.abs(observation_space.low.astype(float)), np.abs(observation_space.high.astype(float)))
    return torch.tensor(1.0 / np.maximum(bounds, 1.0), dtype=torch.float32)


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


def stack(size: int, widths: Sequence[int], activation: str, *, sparse: bool = False) -> nn.Sequential:
    """Linear layers of `widths`, each followed by its activation.

    Args:
        size: of the input.
        widths: of the layers.
        activation: a key of ACTIVATIONS.
        sparse: whether the input is mostly zeros and needs no gradient (`SparseLinear`).
    """
    layers: list[nn.Module] = []
    for k, width in enumerate(widths):
        layer = SparseLinear if sparse and k == 0 else nn.Linear
        layers += [layer(size, width), ACTIVATIONS[activation]()]
        size = width
    return nn.Sequential(*layers)
