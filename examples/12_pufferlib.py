"""PufferLib: PuffeRL's PPO on one seat against opponents, many games at once.

    bash examples/12_pufferlib_environment.sh .venv-pufferlib
    .venv-pufferlib/bin/python examples/12_pufferlib.py [ID] [--steps 100000] [--seed 0]

PufferLib needs an environment of its own, since it takes NumPy before 2 and Gymnasium before 1; the script makes one.
There `hopenvs.make` and its kin are not to be had, but PufferLib doesn't need them: `PufferGames` is a native
environment on the core's batch of games. Its mask lies in the observation, and `MaskedPolicy` keeps to it.
"""

from __future__ import annotations

import argparse
import ast
import configparser
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pufferlib
import torch
from pufferlib.pufferl import PuffeRL

from hopenvs.agents import FunctionAgent
from hopenvs.integrations.pufferlib import MaskedPolicy, PufferGames
from hopenvs.train import evaluate

GAMES, HORIZON, MINIBATCHES, EPOCHS = 64, 32, 4, 4


class Unmasked(MaskedPolicy):
    """A policy that takes every action for a legal one, to see what happens."""

    def split(self, rows: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The observation, and all actions."""
        seen, legal = super().split(rows)
        return seen, torch.ones_like(legal)


class Trainer(PuffeRL):
    """PuffeRL without its dashboard, which takes the whole terminal."""

    def print_dashboard(self, *arguments: Any, **keywords: Any) -> None:
        """Nothing is shown."""


def settings(**own: Any) -> dict[str, Any]:
    """PuffeRL's settings: those that come with PufferLib, and instead of some of them `own`."""
    file = configparser.ConfigParser()
    file.read(Path(pufferlib.__file__).parent / "config" / "default.ini", encoding="utf-8")
    defaults: dict[str, Any] = {}
    for name, text in file["train"].items():
        try:
            defaults[name] = ast.literal_eval(text)
        except (SyntaxError, ValueError):  # a word
            defaults[name] = text
    return defaults | own


def learn(games: PufferGames, policy: MaskedPolicy, env_id: str, steps: int, seed: int) -> None:
    """PPO as PufferLib has it: with V-trace, and drawing more often what there is more to learn from."""
    horizon = min(HORIZON, max(2, -(-steps // games.num_agents)))
    batch = games.num_agents * horizon
    total = -(-steps // batch) * batch
    with tempfile.TemporaryDirectory() as folder:  # PuffeRL saves what it has learned; nobody asked for it here
        config = settings(
            env=env_id,
            seed=seed,
            device="cpu",
            use_rnn=False,
            data_dir=folder,
            total_timesteps=total,
            batch_size=batch,
            bptt_horizon=horizon,
            minibatch_size=batch // MINIBATCHES,
            update_epochs=EPOCHS,
            optimizer="adam",  # the default one is of another package
            learning_rate=5e-4,
            anneal_lr=False,
            adam_beta1=0.9,
            adam_eps=1e-8,
            max_grad_norm=0.5,
            gamma=1.0,  # games are paid once, at their end, and don't last for ever
            gae_lambda=0.95,
            ent_coef=0.01,
            vf_coef=0.5,
        )
        trainer = Trainer(config, games, policy)
        try:
            while trainer.global_step < total:
                trainer.stats.clear()
                returns = trainer.evaluate()["episode_return"]  # one round of play
                trainer.train()
                paid = f", paid {np.mean(returns):+.2f} on average" if returns else ""
                print(f"{trainer.global_step:8,} decisions, {len(returns):4} games ended{paid}", flush=True)
        finally:
            trainer.utilization.stop()  # a thread that would keep the program alive


def main(arguments: Sequence[str] | None = None) -> None:
    """Train and measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("id", metavar="ID", nargs="?", default="igel_aergern-2p-v0")
    parser.add_argument("--steps", type=int, default=100_000, help="the learner's decisions")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--games", type=int, default=400, help="to measure the outcome")
    parser.add_argument("--ignore-masks", action="store_true", help="see what happens without them")
    chosen = parser.parse_args(arguments)

    torch.manual_seed(chosen.seed)
    games = PufferGames(chosen.id, GAMES)
    policy = (Unmasked if chosen.ignore_masks else MaskedPolicy)(games)
    began = time.perf_counter()
    learn(games, policy, chosen.id, chosen.steps, chosen.seed)
    seconds = time.perf_counter() - began

    @torch.inference_mode()
    def learned(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        rows = torch.from_numpy(np.concatenate([observations, masks], axis=1))
        return torch.where(torch.from_numpy(masks) > 0, policy(rows)[0], -torch.inf).argmax(dim=1).numpy()

    match = evaluate(chosen.id, [FunctionAgent(learned), "uniform"], games=chosen.games, seed=10_000)
    print(f"wins against uniform: {match.standings[0].win_rate}")
    print(games.tally.line("pufferlib", chosen.id, seconds))


if __name__ == "__main__":
    main()
