"""PPO with action masks and self-play in one file, for any game: NumPy, PyTorch and a batch of games.

    pip install "hopenvs[train]"
    python examples/10_ppo_selfplay.py [ID] [--steps 400000] [--seed 0] [--out weights.pt]

One network plays all seats of all games and learns from each of them. Observations are egocentric (C-10), so what one
seat learns serves the others. Made to be read and changed, after J. Schulman et al., "Proximal policy optimization
algorithms", arXiv:1707.06347 (2017), in the manner of CleanRL (S. Huang et al., JMLR 23, 2022). `hopenvs train` is the
recipe with opponents from the past, checkpoints and TensorBoard.

Shapes: N games, P seats, A actions, D cells of an observation, T steps of a rollout; S seats decide in a step: one in a
turn game, all P in a simultaneous one.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import nn

import hopenvs
from hopenvs.agents import FunctionAgent
from hopenvs.integrations.tally import Tally
from hopenvs.train import evaluate

NUM_ENVS = 64  # N
ROLLOUT = 128  # T
EPOCHS = 3
MINIBATCH = 1024
LEARNING_RATE = 1e-3  # falls to 0 in the course of training
GAMMA = 1.0  # a game is paid once, at its end, and doesn't last for ever
LAMBDA = 0.95
CLIP = 0.2
ENTROPY = 0.01
VALUE = 0.5
LARGEST_GRADIENT = 0.5
WIDTH = 256


# ---- the network ----------------------------------------------------------------------------------------------------
class Network(nn.Module):
    """Policy and value on two shared layers; cells are scaled by their sections' bounds.

    Args:
        space: the space of observations, Box [D].
        num_actions: A.
    """

    scale: torch.Tensor

    def __init__(self, space: Any, num_actions: int) -> None:
        super().__init__()
        bounds = np.maximum(np.abs(space.low.astype(np.float32)), np.abs(space.high.astype(np.float32)))
        self.register_buffer("scale", torch.from_numpy(1 / np.maximum(bounds, 1)))
        self.trunk = nn.Sequential(nn.Linear(len(bounds), WIDTH), nn.ReLU(), nn.Linear(WIDTH, WIDTH), nn.ReLU())
        self.actor = nn.Linear(WIDTH, num_actions)
        self.critic = nn.Linear(WIDTH, 1)
        nn.init.orthogonal_(self.actor.weight, 0.01)  # begin with nearly uniform play

    def forward(self, observations: torch.Tensor, masks: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """(logits [..., A], -inf for illegal actions; values [...]) from [..., D] and [..., A] int8."""
        hidden = self.trunk(observations * self.scale)
        logits = torch.where(masks > 0, self.actor(hidden), -torch.inf)
        return logits, self.critic(hidden).squeeze(-1)


def player_of(network: Network) -> FunctionAgent:
    """The network as a player for hopenvs: its likeliest actions."""

    @torch.inference_mode()
    def learned(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        logits, _ = network(torch.from_numpy(observations), torch.from_numpy(masks))
        return logits.argmax(dim=1).numpy()

    return FunctionAgent(learned)


# ---- playing --------------------------------------------------------------------------------------------------------
@dataclass
class Rollout:
    """T steps of N games.

    Attributes:
        observations: [T, N, S, D] int8.
        masks: [T, N, S, A] int8.
        seats: [T, N, S] int64: who decides.
        actions: [T, N, S] int64.
        log_probabilities: [T, N, S] float32, of the actions when they were chosen.
        values: [T, N, S] float32, as the network estimated them then.
        rewards: [T, N, P] float32, paid by a step to every seat.
        over: [T, N] bool: whether a game ended in a step.
        next_seats: [N, S] int64: who decides after the last step.
        next_values: [N, S] float32: what that is worth to them.
    """

    observations: np.ndarray
    masks: np.ndarray
    seats: np.ndarray
    actions: np.ndarray
    log_probabilities: np.ndarray
    values: np.ndarray
    rewards: np.ndarray
    over: np.ndarray
    next_seats: np.ndarray
    next_values: np.ndarray


class SelfPlay:
    """N games, all seats played by one network; a game that ends is followed by the next.

    Args:
        env_id: the id.
        seed: of the first game of row 0; row i has seed + i.
        ignore_masks: play whatever the network likes, to see what happens.
    """

    def __init__(self, env_id: str, seed: int, *, ignore_masks: bool = False) -> None:
        self.games = hopenvs.make_vec(env_id, NUM_ENVS, illegal="forfeit")
        self.players = self.games.num_players
        self.tally = Tally()
        self._ignore_masks = ignore_masks
        self._seen, _ = self.games.reset(seed=seed)

    def _now(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(observations [N, S, D], masks [N, S, A], seats [N, S]) of those who decide now."""
        observations, masks, seats = (self._seen[key] for key in ("observation", "action_mask", "current_seat"))
        if self._ignore_masks:
            masks = np.ones_like(masks)
        if observations.ndim == 2:
            return observations[:, None], masks[:, None], seats[:, None].astype(np.int64)
        return observations, masks, np.tile(np.arange(self.players), (len(seats), 1))

    @torch.inference_mode()
    def play(self, network: Network, steps: int) -> Rollout:
        """Play T steps in every game."""
        columns: list[tuple[np.ndarray, ...]] = []
        for _ in range(steps):
            observations, masks, seats = self._now()
            logits, values = network(torch.from_numpy(observations), torch.from_numpy(masks))
            chances = torch.distributions.Categorical(logits=logits, validate_args=False)
            actions = chances.sample()
            chosen = actions.numpy().reshape(self._seen["action_mask"].shape[:-1])
            self._seen, rewards, terminated, truncated, _ = self.games.step(chosen)
            self._count(seats.size, terminated, truncated)
            learned = (actions.numpy(), chances.log_prob(actions).numpy(), values.numpy())
            columns.append((observations, masks, seats, *learned, rewards, terminated | truncated))
        observations, masks, seats = self._now()
        _, values = network(torch.from_numpy(observations), torch.from_numpy(masks))
        stacked = [np.stack(column) for column in zip(*columns, strict=True)]
        return Rollout(*[*stacked, seats, values.numpy()])

    def _count(self, decisions: int, terminated: np.ndarray, truncated: np.ndarray) -> None:
        self.tally.decisions += decisions
        self.tally.games += int((terminated | truncated).sum())
        self.tally.illegal += int((self.games.final_states["forfeit"][terminated] > 0).sum())


# ---- learning -------------------------------------------------------------------------------------------------------
def advantages_of(rollout: Rollout) -> tuple[np.ndarray, np.ndarray]:
    """Generalised advantage estimation along every seat's own decisions.

    J. Schulman et al., "High-dimensional continuous control using generalized advantage estimation", ICLR 2016. Between
    two decisions of a seat others decide and chance rolls: to the seat that is one step of its environment. What it's
    paid in between, by whosever action, belongs to its earlier decision, and what follows for it is the value of its
    own next decision, never of another seat's.

    Returns:
        (advantages [T, N, S] float32; complete [T, N, S] bool). At the rollout's end a seat that isn't asked has a last
        decision of which nobody knows yet what follows: it isn't complete, and nothing is learned from it. A game that
        was cut off (C-8) counts as one that was worth nothing.
    """
    advantages = np.zeros_like(rollout.values)
    complete = np.zeros(rollout.values.shape, np.bool_)
    # [N, P], of every seat, seen from the step at hand: what it's paid before its next decision, what that decision is
    # worth and has as its advantage, and whether this is known.
    paid, worth, carried = (np.zeros(rollout.rewards.shape[1:], np.float32) for _ in range(3))
    known = np.zeros(paid.shape, np.bool_)
    np.put_along_axis(worth, rollout.next_seats, rollout.next_values, axis=1)
    np.put_along_axis(known, rollout.next_seats, True, axis=1)
    for t in reversed(range(len(advantages))):
        over = rollout.over[t]
        paid[over] = worth[over] = carried[over] = 0.0  # what comes next is another game
        known[over] = True
        paid += rollout.rewards[t]
        seats, values = rollout.seats[t], rollout.values[t]
        owed, following, later = (np.take_along_axis(array, seats, axis=1) for array in (paid, worth, carried))
        advantages[t] = owed + GAMMA * following - values + GAMMA * LAMBDA * later
        complete[t] = np.take_along_axis(known, seats, axis=1)
        np.put_along_axis(paid, seats, 0.0, axis=1)
        np.put_along_axis(worth, seats, values, axis=1)
        np.put_along_axis(carried, seats, np.where(complete[t], advantages[t], 0.0), axis=1)
        np.put_along_axis(known, seats, True, axis=1)
    return advantages, complete


def minibatches(rollout: Rollout, generator: np.random.Generator) -> Iterator[tuple[torch.Tensor, ...]]:
    """The complete decisions, shuffled: (observations, masks, actions, log probabilities, advantages, returns)."""
    advantages, complete = advantages_of(rollout)
    returns = advantages + rollout.values
    advantages = (advantages - advantages[complete].mean()) / (advantages[complete].std() + 1e-8)
    fields = (rollout.observations, rollout.masks, rollout.actions, rollout.log_probabilities, advantages, returns)
    rows = [torch.from_numpy(field[complete]) for field in fields]
    for _ in range(EPOCHS):
        order = torch.from_numpy(generator.permutation(len(rows[0])))
        for part in order.split(MINIBATCH):
            yield tuple(field[part] for field in rows)


def learn(
    network: Network, optimiser: torch.optim.Optimizer, rollout: Rollout, generator: np.random.Generator
) -> float:
    """Some epochs of PPO on a rollout; returns the mean entropy of the last minibatch's distributions."""
    entropy = torch.zeros(())
    for observations, masks, actions, before, advantages, returns in minibatches(rollout, generator):
        logits, values = network(observations, masks)
        chances = torch.distributions.Categorical(logits=logits, validate_args=False)
        ratio = (chances.log_prob(actions) - before).exp()
        gain = torch.min(ratio * advantages, ratio.clamp(1 - CLIP, 1 + CLIP) * advantages).mean()
        entropy = chances.entropy().mean()
        loss = -gain - ENTROPY * entropy + VALUE * nn.functional.mse_loss(values, returns)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), LARGEST_GRADIENT)
        optimiser.step()
    return float(entropy.detach())


# ---- the program ----------------------------------------------------------------------------------------------------
def main(arguments: Sequence[str] | None = None) -> None:
    """Train, measure, save."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("id", metavar="ID", nargs="?", default="igel_aergern-2p-v0")
    parser.add_argument("--steps", type=int, default=400_000, help="decisions of all seats")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--games", type=int, default=400, help="to measure the network, four times")
    parser.add_argument("--out", default="ppo_selfplay.pt", help="the file of weights")
    parser.add_argument("--ignore-masks", action="store_true", help="see what happens without them")
    chosen = parser.parse_args(arguments)

    torch.manual_seed(chosen.seed)
    generator = np.random.default_rng(chosen.seed)
    selfplay = SelfPlay(chosen.id, chosen.seed, ignore_masks=chosen.ignore_masks)
    network = Network(selfplay.games.single_observation_space["observation"], selfplay.games.single_action_space.n)
    optimiser = torch.optim.Adam(network.parameters(), lr=LEARNING_RATE, eps=1e-5)
    tally, began, measuring, quarter = selfplay.tally, time.perf_counter(), 0.0, 1
    while tally.decisions < chosen.steps:
        optimiser.param_groups[0]["lr"] = LEARNING_RATE * (1 - tally.decisions / chosen.steps)
        rollout = selfplay.play(network, ROLLOUT)
        entropy = learn(network, optimiser, rollout, generator)
        rate = tally.decisions / (time.perf_counter() - began - measuring)
        told = f"{tally.decisions:10,} decisions, {rate:6,.0f} a second, {tally.games:6,} games, entropy {entropy:.2f}"
        if tally.decisions >= chosen.steps * quarter / 4:
            started = time.perf_counter()
            match = evaluate(chosen.id, [player_of(network), "uniform"], games=chosen.games, seed=10_000)
            told += f", wins against uniform {match.standings[0].win_rate}"
            measuring += time.perf_counter() - started
            quarter = 1 + int(4 * tally.decisions / chosen.steps)
        print(told, flush=True)
    torch.save(network.state_dict(), chosen.out)
    print(tally.line("torch", chosen.id, time.perf_counter() - began - measuring))


if __name__ == "__main__":
    main()
