"""Stable-Baselines3's own DQN and PPO, which know nothing of masks, taught to keep to them.

    pip install "hopenvs[train]"
    python examples/05_dqn_and_ppo.py [ID] [--steps 50000] [--seed 0] [--algorithm dqn]

The mask travels in the observation (`mask_in_observation=True`), where policies of `hopenvs.integrations.sb3` find it.
MaskablePPO (04_maskable_ppo.py) is the easier way to PPO; this one shows where a mask has to act: in the choice of an
action, in exploration, in the target of DQN, and in the distribution that PPO learns by.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from typing import Any

from stable_baselines3 import DQN, PPO
from stable_baselines3.common.env_util import make_vec_env

from hopenvs.agents import FunctionAgent
from hopenvs.integrations.sb3 import Board, MaskedDQN, MaskedDQNPolicy, MaskedPPOPolicy
from hopenvs.integrations.tally import Tally, tallied_gym
from hopenvs.train import evaluate


def make_model(algorithm: str, envs: Any, steps: int, seed: int, masks: bool) -> DQN | PPO:
    """The learner, or the same without masks."""
    network = {"net_arch": [256, 256], "features_extractor_class": Board}
    if algorithm == "dqn":
        return (MaskedDQN if masks else DQN)(
            MaskedDQNPolicy if masks else "MultiInputPolicy",
            envs,
            buffer_size=100_000,
            learning_starts=min(2000, steps // 4),
            train_freq=4,
            target_update_interval=1000,
            exploration_fraction=0.5,
            gamma=0.99,
            policy_kwargs=network,
            seed=seed,
            verbose=1,
        )
    rollout = min(2048, steps) // envs.num_envs
    return PPO(
        MaskedPPOPolicy if masks else "MultiInputPolicy",
        envs,
        n_steps=rollout,
        batch_size=rollout * envs.num_envs // 4,
        gamma=1.0,  # games are paid once, at their end, and don't last for ever
        policy_kwargs=network,
        seed=seed,
        verbose=1,
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Train and measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("id", metavar="ID", nargs="?", default="igel_aergern-2p-v0")
    parser.add_argument("--steps", type=int, default=50_000, help="the learner's decisions")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--algorithm", choices=("dqn", "ppo"), default="dqn")
    parser.add_argument("--games", type=int, default=400, help="to measure the outcome")
    parser.add_argument("--ignore-masks", action="store_true", help="see what happens without them")
    chosen = parser.parse_args(arguments)

    keywords = {"env_id": chosen.id, "seat": "random", "mask_in_observation": True}
    envs = make_vec_env(tallied_gym, 4, chosen.seed, env_kwargs=keywords)
    model = make_model(chosen.algorithm, envs, chosen.steps, chosen.seed, not chosen.ignore_masks)
    began = time.perf_counter()
    model.learn(chosen.steps)
    seconds = time.perf_counter() - began
    tally = sum(envs.get_attr("tally"), Tally())

    def learned(observations, masks):
        seen = {"observation": observations, "action_mask": masks}
        return model.predict(seen, deterministic=True)[0]

    if not chosen.ignore_masks:
        match = evaluate(chosen.id, [FunctionAgent(learned), "uniform"], games=chosen.games, seed=10_000)
        print(f"wins against uniform: {match.standings[0].win_rate}")
    print(tally.line("stable-baselines3", chosen.id, seconds))


if __name__ == "__main__":
    main()
