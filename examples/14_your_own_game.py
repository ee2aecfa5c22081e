"""A game of your own in an afternoon: `pond_race.py` is one; this checks it, plays it, and learns it.

    python examples/14_your_own_game.py [--steps 50000] [--seed 0]

`hopenvs.register` is all that a module needs to be in every face and command:
`cd examples && hopenvs play pond_race-v0 --module pond_race --against mcts:400`.
"""

from __future__ import annotations

import argparse
import itertools
import tempfile

import pond_race

import hopenvs
from hopenvs.core.check import check_game
from hopenvs.train.evaluate import evaluate


def main() -> None:
    """Check, play, and (with `--steps`) train."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=0, help="decisions of a training run (needs the extra train)")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()

    # 1. Every promise of a game is checked: masks, names, positions, hidden things, the same bits in plain Python ...
    positions = check_game(pond_race, games=10, seed=given.seed)
    print(f"{positions} positions keep the contract")

    # 2. An id. Now all environments know it: this is one, with its rules in words.
    env_id = hopenvs.register(pond_race)
    env = hopenvs.make(env_id, render_mode="ansi")
    env.reset(seed=given.seed)
    print(env.render())

    # 3. Players need no more than `evaluate`: greedy takes the best hop, mcts looks further.
    for first, second in itertools.pairwise(("mcts:100", "greedy", "uniform")):
        match = evaluate(env_id, [first, second], games=400, seed=given.seed)
        print(f"{first} wins {match.standings[0].win_rate} against {second}")

    # 4. Training, as for the games that come with hopenvs.
    if given.steps:
        from hopenvs.train.config import TrainConfig
        from hopenvs.train.run import train

        config = TrainConfig(env_id, steps=given.steps, seed=given.seed, num_envs=64, batch_size=1024)
        with tempfile.TemporaryDirectory() as folder:
            result = train(config, f"{folder}/run")
        for name, rate in result.win_rates.items():
            print(f"trained wins {rate} against {name}")


if __name__ == "__main__":
    main()
