"""Train with RLlib's PPO on a whole game, all seats at once, and count illegal moves: there should be none.

    python examples/06_rllib.py igel_aergern-2p-v0 [--steps 20000] [--seed 0] [--runners 2] [--policies shared]

`hopenvs train --engine rllib` does more (evaluations, checkpoints, a model for the other commands). Here is what it
stands on, for experiments of your own: an environment that asks only who has to decide, a module that masks, and PPO
set up with both, whose settings can be changed as RLlib's documentation says.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import time
from typing import Any

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # before Ray is imported: it would tell its makers of this run

import ray

from hopenvs.integrations.rllib import MaskedModule, ppo_config


def train(
    env_id: str, steps: int, seed: int, *, runners: int = 2, policies: str = "shared", module: type[Any] = MaskedModule
) -> dict[str, Any]:
    """Learn from `steps` decisions of all seats at least.

    Args:
        env_id: the id.
        steps: how many.
        seed: of games and draws.
        runners: processes that play, each four games side by side; 0 plays here.
        policies: "shared" or "seat".
        module: the RLModule.

    Returns:
        What is printed.
    """
    config = ppo_config(env_id, policies=policies, module_class=module, illegal="forfeit")
    config.env_runners(num_env_runners=runners, num_envs_per_env_runner=4)
    config.training(train_batch_size=min(steps, 2000), minibatch_size=min(steps, 250), num_epochs=4, lr=1e-3)
    config.debugging(seed=seed, log_level="ERROR")
    algorithm = config.build_algo()
    began, decisions, illegal = time.perf_counter(), 0, 0
    try:
        while decisions < steps:
            played = algorithm.train()["env_runners"]
            decisions += int(played["decisions"])
            illegal += int(played["illegal"])
    finally:
        algorithm.stop()
    return {
        "library": "ray",
        "version": ray.__version__,
        "env": env_id,
        "steps": decisions,
        "illegal": illegal,
        "seconds": round(time.perf_counter() - began, 1),
    }


def main() -> None:
    """Start Ray, learn, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("env", nargs="?", default="igel_aergern-2p-v0")
    parser.add_argument("--steps", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--runners", type=int, default=2)
    parser.add_argument("--policies", choices=("shared", "seat"), default="shared")
    given = parser.parse_args()
    quiet = {"log_to_driver": False, "logging_level": logging.ERROR, "include_dashboard": False}
    ray.init("local", num_cpus=max(1, given.runners), object_store_memory=200 * 2**20, **quiet)
    try:
        print(json.dumps(train(given.env, given.steps, given.seed, runners=given.runners, policies=given.policies)))
    finally:
        ray.shutdown()


if __name__ == "__main__":
    main()
