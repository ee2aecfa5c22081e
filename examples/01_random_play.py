"""Random play in ten lines: PettingZoo's loop, in which one agent acts after another.

    python examples/01_random_play.py [ID] [--steps 1000] [--seed 0]

Every game of hopenvs is played like this, those too in which all act at once: their agents are then asked one after the
other, without seeing what the others have chosen.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from typing import Any

import hopenvs
from hopenvs.integrations.tally import tallied


def play(env: Any, seed: int, masks: bool = True) -> dict[str, float]:
    """Play one game at random; returns what every agent was paid."""
    returns = dict.fromkeys(env.possible_agents, 0.0)
    env.reset(seed=seed)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        returns[agent] += reward
        if terminated or truncated:
            env.step(None)  # an agent that has ended says goodbye
        else:
            env.step(env.action_space(agent).sample(observation["action_mask"] if masks else None))
    return returns


def main(arguments: Sequence[str] | None = None) -> None:
    """Play whole games until so many decisions have been taken."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("id", metavar="ID", nargs="?", default="igel_aergern-2p-v0")
    parser.add_argument("--steps", type=int, default=1000, help="decisions, at least")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--ignore-masks", action="store_true", help="see what happens without them")
    chosen = parser.parse_args(arguments)

    env = tallied(hopenvs.make(chosen.id, illegal="forfeit"))  # counts; by default an illegal action raises
    for number, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(chosen.seed + number)
    began = time.perf_counter()
    while env.tally.decisions < chosen.steps:
        print(play(env, seed=chosen.seed + env.tally.games, masks=not chosen.ignore_masks))
    print(env.tally.line("pettingzoo", chosen.id, time.perf_counter() - began))


if __name__ == "__main__":
    main()
