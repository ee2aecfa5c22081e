"""PettingZoo: the AEC and the parallel environment of a game, where they are found, and what they promise.

    python examples/03_pettingzoo.py [ID] [--steps 1000] [--seed 0]

How rewards and endings are told, the same in both:

* Rewards are paid once, when the game ends: +1 to a sole winner and -1 shared by the others (C-7; `reward="rank"` and
  `"score"` pay otherwise). Before that every reward is 0.
* All agents end in the same step. `terminated` is a game's own end, `truncated` one that was cut off: by `max_turns`,
  the rules' cap (C-8), or by your `max_cycles`.
* AEC: after the end every agent is asked once more, with its reward in `env.last()`, and answers None. The mask of an
  agent that isn't asked is all zero.
* Parallel: `env.agents` is then empty. In a turn game one agent is asked (`infos[agent]["active"]`); what the others
  answer is ignored, and their masks are all one, so that any sampler can go on.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from typing import Any

import pettingzoo

import hopenvs
from hopenvs.integrations.tally import tallied


def found(env_id: str, api: str) -> Any:
    """An environment from PettingZoo's registry, which there is from 1.27 on, else from hopenvs: it's the same."""
    make: Any = getattr(pettingzoo, "make", None)
    if make is None:
        return hopenvs.make(env_id, api, illegal="forfeit")
    return make(api, f"hopenvs/{env_id}", illegal="forfeit")


def play_aec(env: Any, seed: int, masks: bool) -> dict[str, float]:
    """One game, one agent after another; returns what every agent was paid."""
    returns = dict.fromkeys(env.possible_agents, 0.0)
    env.reset(seed=seed)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        returns[agent] += reward
        if terminated or truncated:
            assert not info["active"], "whoever has ended is asked for nothing"
            env.step(None)
            continue
        assert reward == 0, "nothing is paid before the end"
        env.step(env.action_space(agent).sample(observation["action_mask"] if masks else None))
    return returns


def play_parallel(env: Any, seed: int, masks: bool) -> dict[str, float]:
    """One game, all agents at once; returns what every agent was paid."""
    returns = dict.fromkeys(env.possible_agents, 0.0)
    observations, _ = env.reset(seed=seed)
    while env.agents:
        actions = {
            agent: env.action_space(agent).sample(observations[agent]["action_mask"] if masks else None)
            for agent in env.agents
        }
        observations, rewards, terminations, truncations, _ = env.step(actions)
        for agent, reward in rewards.items():
            returns[agent] += reward
        assert len({*terminations.values()}) == len({*truncations.values()}) == 1, "all end together"
    return returns


def main(arguments: Sequence[str] | None = None) -> None:
    """Play whole games in both until so many decisions have been taken."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("id", metavar="ID", nargs="?", default="igel_aergern-2p-v0")
    parser.add_argument("--steps", type=int, default=1000, help="decisions, at least")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--ignore-masks", action="store_true", help="see what happens without them")
    chosen = parser.parse_args(arguments)

    faces = {"aec": play_aec, "parallel": play_parallel}
    envs = {api: tallied(found(chosen.id, api)) for api in faces}
    for env in envs.values():
        for number, agent in enumerate(env.possible_agents):
            env.action_space(agent).seed(chosen.seed + number)
    began, game = time.perf_counter(), 0
    while sum(env.tally.decisions for env in envs.values()) < chosen.steps:
        for api, play in faces.items():
            returns = play(envs[api], chosen.seed + game, not chosen.ignore_masks)
            print(f"{api:8} game {game}: {returns}")
        game += 1
    tally = envs["aec"].tally + envs["parallel"].tally
    print(tally.line("pettingzoo", chosen.id, time.perf_counter() - began))


if __name__ == "__main__":
    main()
