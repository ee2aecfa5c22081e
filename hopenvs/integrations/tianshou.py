"""Tianshou: networks that read a game's observation and keep to its mask.

Tianshou's PettingZooEnv takes an AEC environment of hopenvs as it is, and its DQN finds the mask. Two things it doesn't
do by itself:

* Its actors know no mask: PPO's is a `MaskedActor` here.
* Between two decisions of a seat others decide, but what Tianshou 2.0.1 takes for the next observation of a decision is
  that of the next decision, whoever's it is, and in on-policy learning a seat that isn't the last to decide never gets
  its reward. So with several agents let DQN look ahead to the end of the game (a large `n_step_return_horizon`), where
  rewards are every seat's own; and give PPO one seat against opponents (`hopenvs.make_gym`, with
  `mask_in_observation=True`), whose next observation is its own next decision. examples/08_tianshou.py does both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from gymnasium import spaces
from torch import nn

from hopenvs.integrations.layers import scale_of


class Board(nn.Module):
    """Hidden layers on an observation, each cell scaled by its section's bound into -1 .. 1.

    Args:
        space: `Dict{"observation": Box [D], "action_mask": Box [A]}`.
        outputs: how many numbers come out.
        widths: of the hidden layers.
    """

    scale: torch.Tensor

    def __init__(self, space: spaces.Dict, outputs: int, widths: Sequence[int] = (256, 256)) -> None:
        super().__init__()
        box = space["observation"]
        assert isinstance(box, spaces.Box)
        self.register_buffer("scale", scale_of(box))
        layers: list[nn.Module] = []
        size = box.shape[0]
        for width in widths:
            layers += [nn.Linear(size, width), nn.ReLU()]
            size = width
        self.layers = nn.Sequential(*layers, nn.Linear(size, outputs))

    def forward(self, observations: Any) -> torch.Tensor:
        """[n, outputs] from observations [n, D], an array or a tensor."""
        return self.layers(torch.as_tensor(observations, device=self.scale.device) * self.scale)


class QNetwork(Board):
    """Values of all actions as DiscreteQLearningPolicy takes them; that policy reads the mask by itself."""

    def forward(self, obs: Any, state: Any = None, info: Any = None) -> Any:
        """(values [n, A], `state`) from observations [n, D]."""
        return super().forward(obs), state


class MaskedActor(Board):
    """Logits as DiscreteActorPolicy takes them, -inf for illegal actions."""

    def forward(self, obs: Any, state: Any = None, info: Any = None) -> Any:
        """(logits [n, A], `state`) from a Batch of `observation` [n, D] and `action_mask` [n, A]."""
        logits = super().forward(obs.observation)
        legal = torch.as_tensor(obs.action_mask, device=logits.device) > 0
        return torch.where(legal, logits, -torch.inf), state


class Critic(Board):
    """The value of an observation, as PPO takes it.

    Args:
        space: as `Board`'s.
        widths: as `Board`'s.
    """

    def __init__(self, space: spaces.Dict, widths: Sequence[int] = (256, 256)) -> None:
        super().__init__(space, 1, widths)

    def forward(self, obs: Any) -> torch.Tensor:
        """[n, 1] from a Batch of `observation` [n, D]."""
        return super().forward(obs.observation)
