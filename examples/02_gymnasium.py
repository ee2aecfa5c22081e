"""Gymnasium: one seat against opponents, by `gymnasium.make` and, many games at once, by `gymnasium.make_vec`.

    python examples/02_gymnasium.py [ID] [--steps 2000] [--seed 0] [--opponents greedy]

`import hopenvs` registers every id as "hopenvs/<id>"; "hopenvs:hopenvs/<id>" imports it too. A step is the learner's
decision and all that the others decide until it is asked again; the reward is what its seat was paid until then. Legal
actions stand in the infos (`action_mask`), and `env.unwrapped.action_masks()` gives them as booleans.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence

import gymnasium
import numpy as np

import hopenvs  # noqa: F401 (registers the ids)
from hopenvs.integrations.tally import Tally, tallied


def play_one(env_id: str, opponents: str, seed: int, masks: bool) -> Tally:
    """One game with `gymnasium.make`; the learner has the second seat."""
    env = tallied(gymnasium.make(f"hopenvs/{env_id}", seat=1, opponents=opponents, illegal="forfeit"))
    env.action_space.seed(seed)
    observation, info = env.reset(seed=seed)
    print(f"observation {observation.dtype} {observation.shape}, {info['action_mask'].sum()} legal actions")
    over, total = False, 0.0
    while not over:
        action = env.action_space.sample(info["action_mask"] if masks else None)
        observation, reward, terminated, truncated, info = env.step(action)
        over, total = terminated or truncated, total + reward
    print(f"{env.tally.decisions} decisions, paid {total:+.0f}: rank {info['rank']}, won {info['won']}")
    return env.tally


def play_many(env_id: str, steps: int, seed: int, masks: bool) -> Tally:
    """Sixteen games side by side with `gymnasium.make_vec`, the learner's seat drawn anew for every game.

    As in every vector environment of Gymnasium with AutoresetMode.NEXT_STEP, a game that has ended begins anew in the
    next step, whose action is ignored.
    """
    envs = tallied(gymnasium.make_vec(f"hopenvs/{env_id}", num_envs=16, seat="random", illegal="forfeit"))
    generator, won = np.random.default_rng(seed), 0
    _, infos = envs.reset(seed=seed)
    while envs.tally.decisions < steps:
        legal = infos["action_mask"] > 0
        actions = np.where(legal | (not masks), generator.random(legal.shape), -1).argmax(axis=1)
        _, _, terminated, truncated, infos = envs.step(actions)
        won += int(infos["won"][terminated | truncated].sum())
    envs.close()
    print(f"{envs.tally.decisions} decisions in {envs.num_envs} rows, {envs.tally.games} games, {won} of them won")
    return envs.tally


def main(arguments: Sequence[str] | None = None) -> None:
    """Play at random, first one game, then many."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("id", metavar="ID", nargs="?", default="igel_aergern-2p-v0")
    parser.add_argument("--steps", type=int, default=2000, help="the learner's decisions, at least")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--opponents", default="greedy", help="in the first game: such as uniform, greedy or mcts:100")
    parser.add_argument("--ignore-masks", action="store_true", help="see what happens without them")
    chosen = parser.parse_args(arguments)

    began = time.perf_counter()
    tally = play_one(chosen.id, chosen.opponents, chosen.seed, not chosen.ignore_masks)
    tally += play_many(chosen.id, chosen.steps - tally.decisions, chosen.seed, not chosen.ignore_masks)
    print(tally.line("gymnasium", chosen.id, time.perf_counter() - began))


if __name__ == "__main__":
    main()
