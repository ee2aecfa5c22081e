"""OpenSpiel: its MCTS against uniform play, and CFR on a corner of Igel Ärgern that is small enough to be solved.

    pip install "hopenvs[openspiel]"
    python examples/11_openspiel.py [ID] [--steps 400] [--seed 0]

`hopenvs.integrations.openspiel.load_game(id, **options)` gives a game of OpenSpiel, with chance as nodes of the tree:
what plays, solves or measures there takes it. Where a game fits into memory, `pyspiel.convert_to_cached_tree(game)`
walks it once instead of again and again. (Of the MCTS bots take the one written in Python: `pyspiel.MCTSBot` crashes
with games in Python.)
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import time
from collections.abc import Sequence

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts

from hopenvs.integrations.openspiel import load_game

CORNER = {"tracks": 2, "columns": 3, "pieces": 2, "pits": [1, 1], "setup": "random", "max_turns": 6}
VALUE = -1 / 64  # of the corner, for seat 0, by backward induction


def play(game: pyspiel.Game, steps: int, simulations: int, seed: int) -> tuple[int, int, list[float]]:
    """Play games, MCTS on seat 0 and uniform bots on the others, for so many decisions.

    Returns:
        Decisions, illegal ones among them (OpenSpiel itself doesn't look), and what MCTS was paid by each whole game.
    """
    players = range(game.num_players())
    generator = np.random.default_rng(seed)
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(seed))  # these two take no newer generator
    searching = mcts.MCTSBot(game, 2.0, simulations, evaluator, random_state=np.random.RandomState(seed))
    bots = [searching, *(pyspiel.make_uniform_random_bot(player, seed + player) for player in players[1:])]
    decisions, illegal, paid = 0, 0, []
    state = game.new_initial_state()
    while decisions < steps:
        if state.is_terminal():
            paid.append(state.returns()[0])
            state = game.new_initial_state()
        elif state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(generator.choice(outcomes, p=chances)))
        else:
            action = bots[state.current_player()].step(state)
            decisions += 1
            illegal += action not in state.legal_actions()
            state.apply_action(action)
    return decisions, illegal, paid


def solve(iterations: int) -> None:
    """CFR+ on the corner: how much a best response wins against it, and what it gets against itself."""
    tree = pyspiel.convert_to_cached_tree(load_game("igel_aergern-2p-v0", **CORNER))
    uniform = pyspiel.exploitability(tree, pyspiel.UniformRandomPolicy(tree))
    print(f"uniform play: exploitability {uniform:.6f}")
    solver = pyspiel.CFRPlusSolver(tree)
    for iteration in range(1, iterations + 1):
        solver.evaluate_and_update_policy()
        if iteration & (iteration - 1) == 0 or iteration == iterations:
            policy = solver.average_policy()
            value = pyspiel.expected_returns(tree.new_initial_state(), policy, -1, True)[0]
            lost = pyspiel.exploitability(tree, policy)
            print(f"CFR+ {iteration:3d}: exploitability {lost:.6f}, value {value:+.6f} (exactly {VALUE:+.6f})")


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, then solve."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("id", metavar="ID", nargs="?", default="igel_aergern-2p-v0", help="a game of turns")
    parser.add_argument("--steps", type=int, default=400, help="decisions of all seats")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--simulations", type=int, default=50, help="of MCTS, for each of its decisions")
    parser.add_argument("--iterations", type=int, default=64, help="of CFR+; 0 leaves it out")
    chosen = parser.parse_args(arguments)

    game = load_game(chosen.id)
    began = time.perf_counter()
    decisions, illegal, paid = play(game, chosen.steps, chosen.simulations, chosen.seed)
    seconds = time.perf_counter() - began
    print(f"{len(paid)} games, MCTS was paid {np.mean(paid) if paid else 0:+.3f} in the mean")
    if chosen.iterations:
        solve(chosen.iterations)
    line = {
        "library": "open_spiel",
        "version": importlib.metadata.version("open_spiel"),
        "env": chosen.id,
        "steps": decisions,
        "illegal": illegal,
        "seconds": round(seconds, 3),
    }
    print(json.dumps(line))


if __name__ == "__main__":
    main()
