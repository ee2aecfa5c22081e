"""Wrappers that keep masks right: a little learner that takes one flat vector, whatever the environment.

    pip install hopenvs
    python examples/13_wrappers.py [ID] [--steps 20000] [--seed 0]

The learner (a linear critic, in NumPy) knows nothing of dicts: it reads frames, the indicator and the mask from one
vector of fractions, and takes from the mask, its last cells, which actions there are. All seats share it.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence

import numpy as np
import pettingzoo

import hopenvs
from hopenvs.integrations.wrappers import cast, flatten, indicate_agent, stack_frames

RATE = 0.02
EXPLORED = 0.2  # the share of decisions drawn at random


class Critic:
    """What each action is worth, as a linear function of what is seen."""

    def __init__(self, cells: int, actions: int, seed: int) -> None:
        self.weights = np.zeros((actions, cells), np.float32)
        self.generator = np.random.default_rng(seed)

    def choose(self, seen: np.ndarray, mask: np.ndarray) -> int:
        """The best action of the mask, or any of it."""
        actions = np.flatnonzero(mask)
        if self.generator.random() < EXPLORED:
            return int(self.generator.choice(actions))
        return int(actions[np.argmax(self.weights[actions] @ seen)])

    def learn(self, seen: np.ndarray, action: int, paid: float) -> None:
        """A step towards what the decision was paid at the end of the game."""
        missed = paid - self.weights[action] @ seen
        self.weights[action] += RATE * missed / max(1.0, seen @ seen) * seen


def main(arguments: Sequence[str] | None = None) -> None:
    """Play and learn."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("id", metavar="ID", nargs="?", default="igel_aergern-2p-v0")
    parser.add_argument("--steps", type=int, default=20_000, help="decisions of all seats")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--ignore-masks", action="store_true", help="see what happens without them")
    chosen = parser.parse_args(arguments)

    env = hopenvs.make(chosen.id, illegal="forfeit")  # so that a broken mask would be seen
    env = flatten(cast(indicate_agent(stack_frames(env, 2)), "float32", scale=True))
    print(env)
    cells = env.observation_space(env.possible_agents[0]).shape[0]
    critic = Critic(cells, env.mask_cells, chosen.seed)
    began = time.perf_counter()
    steps, illegal, games = 0, 0, 0
    while steps < chosen.steps:
        env.reset(seed=chosen.seed + games)
        games += 1
        decisions: dict[str, list[tuple[np.ndarray, int]]] = {agent: [] for agent in env.possible_agents}
        for agent in env.agent_iter():
            seen, paid, terminated, truncated, _ = env.last()
            if terminated or truncated:
                for before, action in decisions[agent]:
                    critic.learn(before, action, paid)
                env.step(None)
                continue
            if steps == chosen.steps:
                break
            mask = seen[-env.mask_cells :]
            action = critic.choose(seen, np.ones_like(mask) if chosen.ignore_masks else mask)
            decisions[agent].append((seen, action))
            steps += 1
            illegal += not mask[action]
            env.step(action)
    line = {
        "library": "pettingzoo",
        "version": pettingzoo.__version__,
        "env": chosen.id,
        "steps": steps,
        "illegal": illegal,
        "seconds": round(time.perf_counter() - began, 3),
    }
    print(json.dumps(line))


if __name__ == "__main__":
    main()
