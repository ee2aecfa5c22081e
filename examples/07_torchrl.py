"""TorchRL: PPO by self-play, one network for all seats, learning from the seats that were asked.

    pip install "hopenvs[torchrl,train]"
    python examples/07_torchrl.py [ID] [--steps 20000] [--seed 0]

The pieces are TorchRL's own: its PettingZoo wrapper with `use_mask=True`, a MaskedCategorical actor, a collector, GAE
and the clipped PPO loss. All seats learn: the reward at the end of a game reaches each of them along its own line of
time. For speed see 10_ppo_selfplay.py: TorchRL steps one game at a time.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from tensordict.nn import InteractionType, TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import hopenvs
from hopenvs.agents import FunctionAgent
from hopenvs.integrations.layers import scale_of
from hopenvs.integrations.tally import tallied
from hopenvs.integrations.torchrl import GROUP, as_torchrl
from hopenvs.train import evaluate

SEEN, MASK, LOGITS, ACTION = (
    (GROUP, "observation", "observation"),
    (GROUP, "action_mask"),
    (GROUP, "logits"),
    (GROUP, "action"),
)
GAMMA, LAMBDA, EPOCHS, ROWS = 1.0, 0.95, 4, 256


class Network(nn.Module):
    """Two hidden layers on the scaled observation."""

    scale: torch.Tensor

    def __init__(self, scale: torch.Tensor, outputs: int) -> None:
        super().__init__()
        self.register_buffer("scale", scale)
        self.layers = nn.Sequential(
            nn.Linear(len(scale), 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, outputs)
        )

    def forward(self, observation: torch.Tensor) -> torch.Tensor:
        """[..., outputs] from [..., D] int8."""
        return self.layers(observation * self.scale)


class Unmasked(torch.distributions.Categorical):
    """What MaskedCategorical would be without its mask, to see what happens."""

    def __init__(self, logits: torch.Tensor, mask: torch.Tensor) -> None:
        super().__init__(logits=logits)


def learn(env: Any, actor: ProbabilisticActor, critic: ValueOperator, steps: int) -> None:
    """PPO (J. Schulman et al., "Proximal policy optimization algorithms", arXiv:1707.06347, 2017)."""
    batch = min(1024, steps)  # steps of the environment; a turn game asks one seat in each
    collector = Collector(
        env,
        actor,
        frames_per_batch=batch,
        total_frames=-(-steps // batch) * batch,
        auto_register_policy_transforms=False,
    )
    advantages = GAE(gamma=GAMMA, lmbda=LAMBDA, value_network=critic)
    loss = ClipPPOLoss(actor, critic, entropy_coeff=0.01, critic_coeff=0.5, reduction="none", normalize_advantage=False)
    for part in (advantages, loss):
        part.set_keys(
            value=(GROUP, "state_value"), advantage=(GROUP, "advantage"), value_target=(GROUP, "value_target")
        )
    advantages.set_keys(reward=(GROUP, "reward"), done=(GROUP, "done"), terminated=(GROUP, "terminated"))
    loss.set_keys(action=ACTION, sample_log_prob=(GROUP, "action_log_prob"))
    optimiser = torch.optim.Adam(loss.parameters(), lr=5e-4)
    for number, data in enumerate(collector, 1):
        with torch.no_grad():
            advantages(data)
        active = data[GROUP, "info", "active"] > 0  # [time, P]: the others' actions were never played
        own = data[GROUP, "advantage"]
        data[GROUP, "advantage"] = (own - own[active].mean()) / (own[active].std() + 1e-8)
        for _ in range(EPOCHS):
            for rows in torch.randperm(len(data)).split(ROWS):
                losses = loss(data[rows])
                actors = losses["loss_objective"] + losses["loss_entropy"]
                optimiser.zero_grad()
                (actors[active[rows]].mean() + losses["loss_critic"].mean()).backward()
                nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
                optimiser.step()
        ended = data["next", "done"].sum().item()
        print(f"{number * batch:8,} steps, {ended:3} games ended in the last {batch}", flush=True)
    collector.shutdown()


def main(arguments: Sequence[str] | None = None) -> None:
    """Train and measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("id", metavar="ID", nargs="?", default="igel_aergern-2p-v0")
    parser.add_argument("--steps", type=int, default=20_000, help="of the environment")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--games", type=int, default=400, help="to measure the outcome")
    parser.add_argument("--ignore-masks", action="store_true", help="see what happens without them")
    chosen = parser.parse_args(arguments)

    torch.manual_seed(chosen.seed)
    counting = tallied(hopenvs.make(chosen.id, "parallel", illegal="forfeit"))
    env = as_torchrl(counting)
    env.set_seed(chosen.seed)
    scale = scale_of(counting.observation_space("player_0")["observation"])
    num_actions = int(counting.action_space("player_0").n)
    network = Network(scale, num_actions)
    actor = ProbabilisticActor(
        TensorDictModule(network, in_keys=[SEEN], out_keys=[LOGITS]),
        in_keys={"logits": LOGITS, "mask": MASK},
        out_keys=[ACTION],
        distribution_class=Unmasked if chosen.ignore_masks else MaskedCategorical,
        default_interaction_type=InteractionType.RANDOM,
        return_log_prob=True,
    )
    critic = ValueOperator(Network(scale, 1), in_keys=[SEEN], out_keys=[(GROUP, "state_value")])
    began = time.perf_counter()
    learn(env, actor, critic, chosen.steps)
    seconds = time.perf_counter() - began

    @torch.inference_mode()
    def learned(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        logits = network(torch.from_numpy(observations))
        return torch.where(torch.from_numpy(masks) > 0, logits, -torch.inf).argmax(dim=1).numpy()

    match = evaluate(chosen.id, [FunctionAgent(learned), "uniform"], games=chosen.games, seed=10_000)
    print(f"wins against uniform: {match.standings[0].win_rate}")
    print(counting.tally.line("torchrl", chosen.id, seconds))


if __name__ == "__main__":
    main()
