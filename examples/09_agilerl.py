"""AgileRL: its PPO on one seat against opponents, many games at once.

    bash examples/09_agilerl_environment.sh .venv-agilerl
    .venv-agilerl/bin/python examples/09_agilerl.py [ID] [--steps 100000] [--seed 0]

AgileRL needs an environment of its own, since it takes PettingZoo before 1.27 and an older tensordict; the script makes
one. It reads the mask in the infos of a vector environment, which is where `hopenvs.make_gym_vec` has it, and learns by
it too. With AutoresetMode.SAME_STEP every step is a decision; in the default mode the step that only begins a game
would be learned from as if it were one. `use_gae=False` takes whole returns: AgileRL 2.58's generalised advantages cut
a game off one decision before its end, so that all but the last go without the reward that games pay there.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from agilerl.algorithms.ppo import PPO
from agilerl.rollouts.on_policy import collect_rollouts
from gymnasium.vector import AutoresetMode, VectorWrapper

import hopenvs
from hopenvs.agents import FunctionAgent
from hopenvs.integrations.tally import tallied
from hopenvs.train import evaluate

NUM_ENVS = 16
ROLLOUT = 2048  # decisions


class WithoutMask(VectorWrapper):
    """Infos without the mask, to see what happens."""

    def reset(self, *, seed: Any = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        """The environment's reset."""
        observations, infos = self.env.reset(seed=seed, options=options)
        return observations, {name: value for name, value in infos.items() if name != "action_mask"}

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """The environment's step."""
        observations, rewards, terminated, truncated, infos = self.env.step(actions)
        kept = {name: value for name, value in infos.items() if name != "action_mask"}
        return observations, rewards, terminated, truncated, kept


def main(arguments: Sequence[str] | None = None) -> None:
    """Train and measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("id", metavar="ID", nargs="?", default="igel_aergern-2p-v0")
    parser.add_argument("--steps", type=int, default=100_000, help="the learner's decisions")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--games", type=int, default=400, help="to measure the outcome")
    parser.add_argument("--ignore-masks", action="store_true", help="see what happens without them")
    chosen = parser.parse_args(arguments)

    torch.manual_seed(chosen.seed)
    np.random.seed(chosen.seed)  # noqa: NPY002 (AgileRL draws from it)
    keywords = {"seat": "random", "illegal": "forfeit", "autoreset_mode": AutoresetMode.SAME_STEP}
    counting = tallied(hopenvs.make_gym_vec(chosen.id, NUM_ENVS, **keywords))
    envs = WithoutMask(counting) if chosen.ignore_masks else counting
    rollout = min(ROLLOUT, chosen.steps)
    agent = PPO(
        envs.single_observation_space,
        envs.single_action_space,
        num_envs=NUM_ENVS,
        learn_step=rollout,
        batch_size=256,
        lr=5e-4,
        gamma=1.0,  # games are paid once, at their end, and don't last for ever
        rollout_buffer_config={"use_gae": False},  # see above
        net_config={"encoder_config": {"hidden_size": [256, 256]}},
    )
    began = time.perf_counter()
    obs, info = envs.reset(seed=chosen.seed)
    last = {"last_obs": obs, "last_done": np.zeros(NUM_ENVS), "last_scores": np.zeros(NUM_ENVS), "last_info": info}
    while counting.tally.decisions < chosen.steps:
        scores, *state = collect_rollouts(agent, envs, **last)
        last = dict(zip(last, state, strict=True))
        agent.learn()
        paid = f", paid {np.mean(scores):+.2f} on average" if scores else ""
        print(f"{counting.tally.decisions:8,} decisions, {len(scores):4} games ended{paid}", flush=True)
    seconds = time.perf_counter() - began
    agent.set_training_mode(False)

    def learned(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        return np.asarray(agent.get_action(observations, action_mask=masks)[0])

    match = evaluate(chosen.id, [FunctionAgent(learned), "uniform"], games=chosen.games, seed=10_000)
    print(f"wins against uniform: {match.standings[0].win_rate}")
    print(counting.tally.line("agilerl", chosen.id, seconds))


if __name__ == "__main__":
    main()
