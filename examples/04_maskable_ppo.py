"""sb3-contrib's MaskablePPO as it comes: one seat learns against opponents, several processes play.

    pip install "hopenvs[train]"
    python examples/04_maskable_ppo.py [ID] [--steps 100000] [--seed 0] [--opponents greedy] [--workers 4]

`hopenvs.make_gym` gives a Gymnasium environment with the method `action_masks()`, which is all that MaskablePPO asks
for. Opponents are a word (`uniform`, `greedy`, `mcts:100`, `trained`, a model's path) or a function of your own. What
is learned against a fixed opponent is how to beat that one: `hopenvs train` and 10_ppo_selfplay.py play against
themselves.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence

from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv

import hopenvs
from hopenvs.agents import FunctionAgent
from hopenvs.integrations.tally import Tally, tallied_gym
from hopenvs.train import evaluate


def main(arguments: Sequence[str] | None = None) -> None:
    """Train, measure, save."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("id", metavar="ID", nargs="?", default="igel_aergern-2p-v0")
    parser.add_argument("--steps", type=int, default=100_000, help="the learner's decisions")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--opponents", default="uniform")
    parser.add_argument("--workers", type=int, default=4, help="processes; 1 plays in this one")
    parser.add_argument("--games", type=int, default=400, help="to measure the outcome")
    parser.add_argument("--out", help="save the model here, as a zip archive")
    parser.add_argument("--ignore-masks", action="store_true", help="see what happens without them")
    chosen = parser.parse_args(arguments)

    hopenvs.make_gym(chosen.id).reset()  # compiles the game once; the workers find it in the cache
    keywords = {"env_id": chosen.id, "seat": "random", "opponents": chosen.opponents}
    processes = SubprocVecEnv if chosen.workers > 1 else DummyVecEnv
    envs = make_vec_env(tallied_gym, chosen.workers, chosen.seed, env_kwargs=keywords, vec_env_cls=processes)
    rollout = min(4096, chosen.steps) // chosen.workers
    model = MaskablePPO(
        "MlpPolicy",
        envs,
        n_steps=rollout,
        batch_size=rollout * chosen.workers // 4,
        gamma=1.0,  # games are paid once, at their end, and don't last for ever
        policy_kwargs={"net_arch": [256, 256]},
        seed=chosen.seed,
        verbose=1,
    )
    began = time.perf_counter()
    model.learn(chosen.steps, use_masking=not chosen.ignore_masks)
    seconds = time.perf_counter() - began
    tally = sum(envs.get_attr("tally"), Tally())
    envs.close()

    def learned(observations, masks):
        return model.predict(observations, action_masks=masks, deterministic=True)[0]

    match = evaluate(chosen.id, [FunctionAgent(learned), "uniform"], games=chosen.games, seed=10_000)
    print(f"wins against uniform: {match.standings[0].win_rate}")
    if chosen.out:
        model.save(chosen.out)
    print(tally.line("sb3-contrib", chosen.id, seconds))


if __name__ == "__main__":
    main()
