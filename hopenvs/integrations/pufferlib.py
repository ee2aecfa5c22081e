"""PufferLib: many games as one of its native environments, and a policy that keeps to the mask.

>>> games = PufferGames("igel_aergern-2p-v0", 64)
>>> observations, _ = games.reset(seed=0)
>>> observations.shape, games.observation_size, games.single_action_space.n
((64, 772), 661, 111)
>>> logits, values = MaskedPolicy(games)(torch.from_numpy(observations))

Every row is one game, and every step one decision of its learner, whose seat is drawn anew for each game; opponents
have the other seats, in games of ticks at the same time. PufferLib knows no masks, so the mask lies behind the
observation in one flat row, and `MaskedPolicy` takes the two apart.

PufferLib asks for older releases of Gymnasium and NumPy than `hopenvs.make` and its kin do. This module stands on
nothing of theirs that is newer, and games are the same to the bit there (examples/12_pufferlib_environment.sh).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pufferlib
import torch
from gymnasium import spaces
from pufferlib.pytorch import layer_init
from torch import nn

from hopenvs.core.errors import OptionError
from hopenvs.envs.seats import SeatGames
from hopenvs.envs.spaces import action_space
from hopenvs.envs.table import check_choice
from hopenvs.integrations.counts import Tally
from hopenvs.integrations.layers import masked_logits, scale_of, stack
from hopenvs.registry import resolve

SEEDS = 2**32  # of one environment; each of its rows gets a seed of 64 bits


class PufferGames(pufferlib.PufferEnv):
    """N games, one seat each against opponents, in PufferLib's buffers.

    A row whose game is over begins the next one in the same step: its reward and flags are those of the game that has
    ended, its observation is the first of the new one, as PufferLib expects. `terminals` marks every end and
    `truncations` those by a limit, since PuffeRL 3.0 parts games by `terminals` alone: it would count the next game's
    value to a truncated one. Games pay once, at their end. An illegal action forfeits the game (C-11) and is counted.

    Steps in which games ended have one info, whose lists hold a value for each: `episode_return`, `episode_length` (the
    learner's decisions), `won` and `illegal`, 0 or 1. PuffeRL shows their means.

    Args:
        env_id: the id.
        num_games: N.
        opponents: "uniform", "greedy" or another word, an Agent or a function `f(observations, masks) -> actions` for
            all other seats, or a sequence of P - 1 of them, clockwise from the learner.
        reward: "win" or "rank" (C-7); PuffeRL cuts rewards off at -1 and 1, so that scores would be lost.
        threads: how many threads share the rows.
        buf: PufferLib's buffers, if it brings them.
        seed: for a reset that is given none.
        **options: the game's own.

    Attributes:
        observation_size: D; a row is the observation [D] and the mask [A].
        tally: how many of the learners' decisions there were, how many games ended, and how many were forfeited.

    Raises:
        UnknownIdError: for an unknown id.
        OptionError: for an unknown or impossible keyword.
        ValueError: for a number of threads or a seed that is none.
    """

    def __init__(
        self,
        env_id: str,
        num_games: int = 64,
        *,
        opponents: Any = "uniform",
        reward: str = "win",
        threads: int = 1,
        buf: Any = None,
        seed: int = 0,
        **options: Any,
    ) -> None:
        if isinstance(num_games, bool) or not isinstance(num_games, (int, np.integer)) or num_games < 1:
            raise OptionError(f"num_games={num_games!r}: expected a positive integer")
        check_choice("reward", reward, ("win", "rank"))
        self._seed: int | None = _check_seed(seed)
        self._games = SeatGames(
            *resolve(env_id, options),
            int(num_games),
            seat="random",
            opponents=opponents,
            reward=reward,
            illegal="forfeit",
            threads=threads,
        )
        spec = self._games.batch.spec
        low, high = spec.bounds()
        zeros, ones = np.zeros(spec.num_actions, np.int8), np.ones(spec.num_actions, np.int8)
        self.observation_size = spec.observation_size
        self.single_observation_space = spaces.Box(
            np.concatenate([low, zeros]), np.concatenate([high, ones]), dtype=np.int8
        )
        self.single_action_space = action_space(spec)
        self.num_agents = int(num_games)
        self.tally = Tally()
        self._rows = np.arange(self.num_agents)
        self._lengths = np.zeros(self.num_agents, np.int64)  # the learner's decisions in the games that run
        self._begun = False
        super().__init__(buf)

    def reset(self, seed: int | None = None) -> tuple[np.ndarray, list[dict[str, Any]]]:
        """Begin all games.

        Args:
            seed: below 2**32. Row r plays the game of seed `seed` * 2**32 + r: environments whose seeds differ, which
                PufferLib numbers one after the other, have no game in common. None is the seed that the environment
                was made with, and from the second reset on goes on with the generators.

        Returns:
            The buffer of observations [N, D + A] int8, and no infos.
        """
        if seed is None and not self._begun:
            seed = self._seed
        seeds = None if seed is None else [_check_seed(seed) * SEEDS + int(row) for row in self._rows]
        self._games.start(self._rows, seeds)
        self._begun = True
        self._lengths[:] = 0
        self.rewards[:], self.terminals[:], self.truncations[:] = 0, False, False
        self._look()
        return self.observations, []

    def step(
        self, actions: Any
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, list[dict[str, list[float] | list[int]]]]:
        """The learners' actions [N], the opponents' after them, and new games where they ended.

        Returns:
            The buffers of observations [N, D + A] int8, rewards [N] float32, terminals and truncations [N] bool, and
            the infos: one if games ended, else none.

        Raises:
            ValueError: before a reset, or for what isn't N integers.
        """
        chosen = np.asarray(actions)
        if chosen.shape != (self.num_agents,) or chosen.dtype.kind not in "iu":
            raise ValueError(
                f"actions: expected integers of shape ({self.num_agents},), not {chosen.dtype} {chosen.shape}"
            )
        if not self._begun:
            raise ValueError("reset() comes first")
        self.rewards[:] = self._games.step(self._rows, chosen)
        terminated, self.truncations[:] = self._games.flags(self._rows)
        self.terminals[:] = terminated | self.truncations
        self._lengths += 1
        self.tally.decisions += self.num_agents
        ended = self._rows[self.terminals]
        infos = [self._end(ended)] if len(ended) else []
        self._look()
        return self.observations, self.rewards, self.terminals, self.truncations, infos

    def _end(self, ended: np.ndarray) -> dict[str, list[float] | list[int]]:
        """Count the games of rows `ended` and begin the next; what there is to tell of them."""
        illegal = self._games.batch.states["forfeit"][ended] > 0
        self.tally.games += len(ended)
        self.tally.illegal += int(illegal.sum())
        info = {
            "episode_return": self.rewards[ended].tolist(),
            "episode_length": self._lengths[ended].tolist(),
            "won": self._games.infos(ended)["won"].tolist(),
            "illegal": illegal.astype(int).tolist(),
        }
        self._games.start(ended)
        self._lengths[ended] = 0
        return info

    def _look(self) -> None:
        """Write what the learners see and may do."""
        seen, masks = self._games.look(self._rows)
        self.observations[:, : self.observation_size] = seen
        self.observations[:, self.observation_size :] = masks

    def close(self) -> None:
        """Nothing is held that has to be given back."""


def _check_seed(seed: Any) -> int:
    """`seed` as an int below SEEDS; ValueError if it is none."""
    if isinstance(seed, (bool, np.bool_)) or not isinstance(seed, (int, np.integer)) or not 0 <= seed < SEEDS:
        raise ValueError(f"seed {seed!r}: expected an integer from 0 to 2**32 - 1")
    return int(seed)


class MaskedPolicy(nn.Module):
    """Hidden layers on the scaled observation, logits that keep to the mask, a value: as PuffeRL calls a policy.

    For `use_rnn=False`: PufferLib's LSTMWrapper doesn't show the mask to what comes after it.

    Args:
        env: a PufferGames, or a vector environment of them.
        widths: of the hidden layers.
    """

    scale: torch.Tensor

    def __init__(self, env: Any, widths: Sequence[int] = (256, 256)) -> None:
        super().__init__()
        num_actions = int(env.single_action_space.n)
        self.observation_size = env.single_observation_space.shape[0] - num_actions
        self.register_buffer("scale", scale_of(env.single_observation_space)[: self.observation_size])
        width = (self.observation_size, *widths)[-1]
        self.trunk = stack(self.observation_size, widths, "relu")
        self.actor = layer_init(nn.Linear(width, num_actions), std=0.01)
        self.critic = layer_init(nn.Linear(width, 1), std=1.0)

    def split(self, rows: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """(observation [n, D] float32 within -1 and 1, legal actions [n, A] bool) from rows [n, D + A] int8."""
        return rows[:, : self.observation_size] * self.scale, rows[:, self.observation_size :] > 0

    def forward(self, observations: torch.Tensor, state: Any = None) -> tuple[torch.Tensor, torch.Tensor]:
        """(logits [n, A], values [n, 1]) from rows [n, D + A] int8; what a recurrent policy keeps isn't used."""
        seen, legal = self.split(observations)
        hidden = self.trunk(seen)
        return masked_logits(self.actor(hidden), legal), self.critic(hidden)

    def forward_eval(self, observations: torch.Tensor, state: Any = None) -> tuple[torch.Tensor, torch.Tensor]:
        """The same: what PuffeRL calls while it plays."""
        return self(observations, state)
