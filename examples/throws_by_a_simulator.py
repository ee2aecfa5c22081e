"""Let something outside decide HOP!'s throws: here a little simulation of a ring that flies across a table.

    python examples/throws_by_a_simulator.py [--seed 0]

With `throws="external"` the environment asks `chance=f` how each throw went, and draws all else (dares, clouds) itself.
The same two lines serve a real table (`f` asks the people), a robot (`f` waits for its camera), or another simulator.
"""

from __future__ import annotations

import argparse
import math
import random
from collections.abc import Sequence

import hopenvs

DISTANCE = 1.2  # from hand to finger, metres
DROP = 0.1  # the finger is so much lower than the hand, metres
REACH = 0.16  # the skewerer catches what passes within this distance, metres
GRAVITY = 9.81  # metres per second squared


class FlyingRing:
    """A throw is aimed perfectly, and then speed and angle go a little wrong: the harder the dare, the more."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.throws: list[float] = []  # how far each passed above (or below, negative) the finger, metres

    def __call__(self, outcomes: Sequence[str], weights: Sequence[int]) -> int:
        """Decide a throw: `outcomes` are success and failure, `weights` what the model makes of them, of 100."""
        wobble = 0.12 - 0.1 * weights[0] / 100
        angle = math.radians(35) * self.random.gauss(1, wobble)
        ideal = math.sqrt(
            GRAVITY * DISTANCE**2 / (2 * math.cos(angle) ** 2 * (DISTANCE * math.tan(angle) + DROP)),
        )
        speed = ideal * self.random.gauss(1, wobble)
        time = DISTANCE / (speed * math.cos(angle))
        height = speed * math.sin(angle) * time - GRAVITY * time**2 / 2
        self.throws.append(height + DROP)
        return outcomes.index("success" if abs(self.throws[-1]) < REACH else "failure")


def main() -> None:
    """Play one game at random, with flying rings."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=0)
    seed = parser.parse_args().seed
    ring = FlyingRing(seed)
    env = hopenvs.make("hop-4p-v0", throws="external", chance=ring)
    env.reset(seed=seed)
    space = {agent: env.action_space(agent) for agent in env.possible_agents}
    for number, agent in enumerate(env.possible_agents):
        space[agent].seed(seed + number)
    for agent in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        over = terminated or truncated
        env.step(None if over else space[agent].sample(observation["action_mask"]))
    caught = sum(abs(miss) < REACH for miss in ring.throws)
    widest = 100 * max(map(abs, ring.throws))
    print(f"{len(ring.throws)} throws, {caught} caught; the widest passed {widest:.0f} cm away")


if __name__ == "__main__":
    main()
