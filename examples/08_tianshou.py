"""Tianshou: DQN on all seats of a game against random players, or PPO on one seat against opponents.

    pip install "hopenvs[tianshou,train]"
    python examples/08_tianshou.py [ID] [--steps 20000] [--seed 0] [--algorithm ppo]

DQN plays in Tianshou's PettingZooEnv, where every seat has an algorithm: the first seat learns, the others are
Tianshou's masked random players. PPO plays one seat in the Gymnasium environment; why not so with several agents is
told in `hopenvs.integrations.tianshou`.
"""

from __future__ import annotations

import argparse
import functools
import logging
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from tianshou.algorithm import DQN, PPO, MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.modelfree.reinforce import DiscreteActorPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.trainer import OffPolicyTrainerParams, OnPolicyTrainerParams

import hopenvs
from hopenvs.agents import FunctionAgent
from hopenvs.integrations.tally import Tally, tallied, tallied_gym
from hopenvs.integrations.tianshou import Board, Critic, MaskedActor, QNetwork
from hopenvs.train import evaluate

ENVS = 4
GAME = 250  # decisions: about as far as DQN looks ahead


class UnmaskedActor(Board):
    """A MaskedActor without its mask, to see what happens."""

    def forward(self, obs: Any, state: Any = None, info: Any = None) -> Any:
        """(logits [n, A], `state`)."""
        return super().forward(obs.observation), state


class UnmaskedPlayer(MARLRandomDiscreteMaskedOffPolicyAlgorithm):
    """Tianshou's random player without its mask, to see what happens."""

    class Policy(MARLRandomDiscreteMaskedOffPolicyAlgorithm.Policy):
        """Plays anything."""

        def forward(self, batch: Any, state: Any = None, **keywords: Any) -> Any:
            """Random actions [n]."""
            batch.obs.mask = np.ones_like(batch.obs.mask)
            return super().forward(batch, state, **keywords)


def learn_by_dqn(chosen: argparse.Namespace) -> tuple[Board, Tally]:
    """DQN (V. Mnih et al., "Human-level control through deep reinforcement learning", Nature 518, 2015)."""
    counting = [tallied(hopenvs.make(chosen.id, illegal="forfeit")) for _ in range(ENVS)]
    envs = DummyVectorEnv([functools.partial(PettingZooEnv, env) for env in counting])
    seats = PettingZooEnv(tallied(hopenvs.make(chosen.id)))
    network = QNetwork(seats.observation_space, seats.action_space.n)
    learner = DQN(
        policy=DiscreteQLearningPolicy(model=network, action_space=seats.action_space, eps_training=0.1),
        optim=AdamOptimizerFactory(lr=5e-4),
        gamma=0.99,
        n_step_return_horizon=GAME,
        target_update_freq=200,
    )
    player = UnmaskedPlayer if chosen.ignore_masks else MARLRandomDiscreteMaskedOffPolicyAlgorithm
    others = [player(seats.action_space) for _ in range(len(seats.agents) - 1)]
    algorithm = MultiAgentOffPolicyAlgorithm(algorithms=[learner, *others], env=seats)
    collector = Collector(algorithm, envs, VectorReplayBuffer(50_000, ENVS), exploration_noise=True)
    collector.reset(gym_reset_kwargs={"seed": chosen.seed})
    collector.collect(n_step=max(64, chosen.steps // 10))
    algorithm.run_training(
        OffPolicyTrainerParams(
            training_collector=collector,
            max_epochs=5,
            epoch_num_steps=max(1, chosen.steps // 5),
            collection_step_num_env_steps=64,
            update_step_num_gradient_steps_per_sample=0.1,
            batch_size=64,
        )
    )
    return network, sum((env.tally for env in counting), Tally())


def learn_by_ppo(chosen: argparse.Namespace) -> tuple[Board, Tally]:
    """PPO (J. Schulman et al., "Proximal policy optimization algorithms", arXiv:1707.06347, 2017)."""
    counting = [tallied_gym(chosen.id, seat="random", mask_in_observation=True) for _ in range(ENVS)]
    envs = DummyVectorEnv([functools.partial(lambda env: env, env) for env in counting])
    space: Any = counting[0].observation_space
    actions: Any = counting[0].action_space
    network = (UnmaskedActor if chosen.ignore_masks else MaskedActor)(space, actions.n)
    algorithm = PPO(
        policy=DiscreteActorPolicy(actor=network, action_space=actions),
        critic=Critic(space),
        optim=AdamOptimizerFactory(lr=5e-4),
        gamma=1.0,  # games are paid once, at their end, and don't last for ever
        max_grad_norm=0.5,
    )
    rollout = min(1024, max(1, chosen.steps // 5))
    collector = Collector(algorithm, envs, VectorReplayBuffer(2 * rollout, ENVS))
    collector.reset(gym_reset_kwargs={"seed": chosen.seed})
    algorithm.run_training(
        OnPolicyTrainerParams(
            training_collector=collector,
            max_epochs=5,
            epoch_num_steps=max(1, chosen.steps // 5),
            collection_step_num_env_steps=rollout,
            update_step_num_repetitions=4,
            batch_size=256,
        )
    )
    return network, sum((env.tally for env in counting), Tally())


def main(arguments: Sequence[str] | None = None) -> None:
    """Train and measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("id", metavar="ID", nargs="?", default="igel_aergern-2p-v0")
    parser.add_argument("--steps", type=int, default=20_000, help="decisions: of all seats (DQN) or of the one (PPO)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--algorithm", choices=("dqn", "ppo"), default="dqn")
    parser.add_argument("--games", type=int, default=400, help="to measure the outcome")
    parser.add_argument("--ignore-masks", action="store_true", help="see what happens without them")
    chosen = parser.parse_args(arguments)

    logging.getLogger("tianshou").setLevel(logging.ERROR)  # it warns in every step that returns are one for each seat
    np.random.seed(chosen.seed)  # noqa: NPY002 (Tianshou draws from it)
    torch.manual_seed(chosen.seed)
    began = time.perf_counter()
    network, tally = (learn_by_dqn if chosen.algorithm == "dqn" else learn_by_ppo)(chosen)
    seconds = time.perf_counter() - began

    @torch.inference_mode()
    def learned(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        values = Board.forward(network, observations)
        return torch.where(torch.from_numpy(masks) > 0, values, -torch.inf).argmax(dim=1).numpy()

    match = evaluate(chosen.id, [FunctionAgent(learned), "uniform"], games=chosen.games, seed=10_000)
    print(f"wins against uniform: {match.standings[0].win_rate}")
    print(tally.line("tianshou", chosen.id, seconds))


if __name__ == "__main__":
    main()
