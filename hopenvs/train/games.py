"""The learner's games as Stable-Baselines3 wants them: a VecEnv that sits directly on one batch of the core."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from stable_baselines3.common.vec_env import VecEnv

from hopenvs.core import kernels, rng
from hopenvs.core.batch import Batch
from hopenvs.core.errors import GameError
from hopenvs.core.state import NOT_TRUNCATED, TERMINAL, Payoff
from hopenvs.envs.spaces import action_space, observation_box

if TYPE_CHECKING:
    from hopenvs.core.game import Game
    from hopenvs.train.opponents import Opponents
    from hopenvs.train.shaping import Potential

# Games in a row that may end before the learner is ever asked.
REPLAYS = 10_000


class SelfPlayGames(VecEnv):
    """N games, in each of which the learner has one seat and `opponents` the others.

    A step is the learner's decision and all that the others decide until the learner is asked again. A game that ends
    is followed by the next in the same step (Stable-Baselines3's convention): its last observation is
    `infos[i]["terminal_observation"]`, and `infos[i]["TimeLimit.truncated"]` says whether it was cut off (C-8). The
    learner's seat moves on by one with every game of a row, and for every game the opponents are drawn anew; a game
    that ends before the learner is ever asked is played again.

    Row i plays the games of seed + i; opponents draw from streams of their own (C-14).

    Args:
        game: the game module.
        options: its compiled options.
        num_envs: N.
        opponents: who sits on the other seats.
        seed: of row 0's first game.
        payoff: how a game pays (C-7).
        potential: what shapes the rewards (`train/shaping.py`); None for the bare payoff. `infos[i]["episode"]["r"]` is
            always the bare payoff.
        gamma: the learner's discount, which shaping needs to know.
        threads: how many threads share the rows.
    """

    def __init__(
        self,
        game: Game,
        options: Any,
        num_envs: int,
        opponents: Opponents,
        *,
        seed: int,
        payoff: Payoff = Payoff.WIN,
        potential: Potential | None = None,
        gamma: float = 1.0,
        threads: int = 1,
    ) -> None:
        self.batch = Batch(game, options, num_envs, payoff=payoff, threads=threads)
        self.opponents = opponents
        self.potential = potential
        self.gamma = gamma
        self.players = self.batch.spec.num_players
        self.first_seed = rng.check_seed(seed)
        super().__init__(num_envs, observation_box(self.batch.spec), action_space(self.batch.spec))
        self._rows = np.arange(num_envs)
        self.learner = (self._rows % self.players).astype(np.int32)  # [N] the learner's seat
        self.seated = np.zeros((num_envs, self.players), np.int64)  # [N, P] the opponents' numbers
        self.streams = np.zeros((num_envs, 4), np.uint32)  # [N, 4] the opponents' generators
        self.lengths = np.zeros(num_envs, np.int64)  # [N] the learner's decisions in this game
        self.phi = np.zeros(num_envs, np.float32)  # [N] the potential at the learner's decision
        self.games = 0  # finished
        self.forget()
        self.seconds = {"environment": 0.0, "opponents": 0.0}
        self._restored = False
        self._actions = np.zeros(num_envs, np.int64)
        self._orders = np.full((num_envs, self.batch.seats_asked), kernels.SKIP, np.int32)

    # ---- VecEnv -----------------------------------------------------------------------------------------------------
    def reset(self) -> np.ndarray:
        """Begin all games from their seeds; after `restore`, go on where they stood."""
        if self._restored:
            self._restored = False
            return self._observations()
        self.learner[:] = self._rows % self.players
        seeds = [(self.first_seed + row) % 2**64 for row in range(self.num_envs)]
        for row, seed in enumerate(seeds):
            self.streams[row] = rng.generator(seed, rng.OPPONENTS)
            self.batch.seeds[row] = seed & rng.WORD, seed >> 32
        self._begin(self._rows, kernels.NEW_SEED)
        return self._observations()

    def step_async(self, actions: np.ndarray) -> None:
        """Take the learner's actions [N]."""
        self._actions = actions

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Carry them out: (observations [N, D] int8, rewards [N] float32, dones [N] bool, infos)."""
        started, elsewhere = time.perf_counter(), self.seconds["opponents"]
        self._orders[:] = kernels.SKIP
        if self.batch.spec.simultaneous:
            self._choose_for_others(self._rows)
            self._orders[self._rows, self.learner] = self._actions
        else:
            self._orders[:, 0] = self._actions
        self.batch.step(self._orders)
        self._play_others(self._rows)
        self.lengths += 1
        dones = self.batch.seat == TERMINAL
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        rewards = self._shaping(dones)
        ended = np.flatnonzero(dones)
        if len(ended):
            rewards[ended] += self._end(ended, infos)
            self.learner[ended] = (self.learner[ended] + 1) % self.players
            self._begin(ended, kernels.NEW_GAME)
        observations = self._observations()
        self.seconds["environment"] += time.perf_counter() - started - (self.seconds["opponents"] - elsewhere)
        return observations, rewards, dones, infos

    def _shaping(self, dones: np.ndarray) -> np.ndarray:
        """[N] float32: what the potential pays for this step; a game that was cut off keeps its potential."""
        if self.potential is None:
            return np.zeros(self.num_envs, np.float32)
        phi = self.potential.of(self.batch, self._rows, self.learner)
        phi[dones & (self.batch.states["truncated"] == NOT_TRUNCATED)] = 0.0
        paid = np.float32(self.gamma) * phi - self.phi
        self.phi = phi
        return paid

    def action_masks(self) -> np.ndarray:
        """[N, A] int8: the learner's legal actions."""
        if self.batch.spec.simultaneous:
            return self.batch.mask[self._rows, self.learner]
        return self.batch.mask[:, 0]

    def _observations(self) -> np.ndarray:
        """[N, D] int8, fresh."""
        if self.batch.spec.simultaneous:
            return self.batch.observation[self._rows, self.learner]
        return self.batch.observation[:, 0].copy()

    def close(self) -> None:
        """End the threads."""
        self.batch.pool.close()

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        """A row's part of what a method of this object returns; MaskablePPO asks for `action_masks`."""
        found = getattr(self, method_name)(*args, **kwargs)
        return [found[row] for row in self._chosen(indices)]

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute, the same for all rows."""
        if attr_name == "render_mode":
            return [None for _ in self._chosen(indices)]
        value = getattr(self, attr_name)
        return [value for _ in self._chosen(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set an attribute of all rows."""
        if indices is not None:
            raise ValueError(f"set_attr({attr_name!r}): the rows of a batch have no attributes of their own")
        setattr(self, attr_name, value)

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """Nothing is wrapped, but results come as a Monitor's do (`infos[i]["episode"]`)."""
        from stable_baselines3.common.monitor import Monitor

        return [wrapper_class is Monitor for _ in self._chosen(indices)]

    def _chosen(self, indices: Any) -> Sequence[int]:
        if indices is None:
            return range(self.num_envs)
        return list(indices) if isinstance(indices, Iterable) else [indices]

    # ---- games ------------------------------------------------------------------------------------------------------
    def _begin(self, rows: np.ndarray, order: int) -> None:
        """New games in `rows`, up to the learner's first decision."""
        self.seated[rows] = self.opponents.draw(len(rows) * self.players).reshape(len(rows), self.players)
        self.lengths[rows] = 0
        for _ in range(REPLAYS):
            orders = np.full(self.num_envs, kernels.SKIP, np.int32)
            orders[rows] = order
            self.batch.start(orders)
            self._play_others(rows)
            left = rows[self.batch.seat[rows] == TERMINAL]
            if self.potential is not None:
                self.phi[rows] = self.potential.of(self.batch, rows, self.learner[rows])
            rows, order = left, kernels.NEW_GAME
            if not len(rows):
                return
        raise GameError(f"{self.batch.game.ID}: {REPLAYS} games ended before the learner's first decision")

    def _play_others(self, rows: np.ndarray) -> None:
        """Let the others decide in `rows` until the learner is asked or the game is over (turn games)."""
        if self.batch.spec.simultaneous:
            return
        seats = self.batch.seat
        while True:
            now = seats[rows]
            rows = rows[(now >= 0) & (now != self.learner[rows])]
            if not len(rows):
                return
            self._orders[:] = kernels.SKIP
            self._choose(rows, seats[rows].astype(np.int32), np.zeros(len(rows), np.int64))
            self.batch.step(self._orders)

    def _choose_for_others(self, rows: np.ndarray) -> None:
        """The others' part of a tick (simultaneous games)."""
        for offset in range(1, self.players):
            seats = (self.learner[rows] + offset) % self.players
            self._choose(rows, seats, seats)

    def _choose(self, rows: np.ndarray, seats: np.ndarray, places: np.ndarray) -> None:
        """Enter in column `places[i]` of the orders what seat `seats[i]` decides in row `rows[i]`."""
        started = time.perf_counter()
        batch = self.batch
        who = self.seated[rows, seats]
        order = np.argsort(who, kind="stable")
        numbers, firsts = np.unique(who[order], return_index=True)
        for number, part in zip(numbers, np.split(order, firsts[1:]), strict=True):
            chosen, place = rows[part], places[part]
            streams = self.streams[chosen]
            states = batch.states[chosen]
            states["rng"] = streams  # nobody sees coming dice (C-14)
            self._orders[chosen, place] = self.opponents.agent(int(number)).act(
                batch.observation[chosen, place],
                batch.mask[chosen, place],
                states=states,
                seats=seats[part],
                streams=streams,
            )
            self.streams[chosen] = streams
        self.seconds["opponents"] += time.perf_counter() - started

    def _end(self, rows: np.ndarray, infos: list[dict[str, Any]]) -> np.ndarray:
        """Write the infos of ended games and count them; the learner's rewards [n]."""
        batch, seats = self.batch, self.learner[rows]
        states = batch.states[rows]
        if batch.spec.simultaneous:
            last = batch.observation[rows, seats]
        else:
            last = batch.view(rows.tolist(), seats.tolist())[1]
        index = np.arange(len(rows))
        rewards = states["rewards"][index, seats]
        winners = states["winners"][:, : self.players]
        shares = winners[index, seats] / np.maximum(1, winners.sum(axis=1))
        cut = states["truncated"] != NOT_TRUNCATED
        for k, row in enumerate(rows):
            infos[row] = {
                "terminal_observation": last[k],
                "TimeLimit.truncated": bool(cut[k]),
                "episode": {"r": float(rewards[k]), "l": int(self.lengths[row])},
            }
            numbers = np.delete(self.seated[row], seats[k])
            for kind in {self.opponents.kind(int(number)) for number in numbers}:
                self.record[kind][0] += 1
                self.record[kind][1] += float(shares[k])
        self.games += len(rows)
        self.ended += len(rows)
        self.paid += float(rewards.sum())
        return rewards

    def forget(self) -> None:
        """Begin to count anew."""
        self.record: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])  # by kind of opponent: games, shares
        self.ended = 0  # games
        self.paid = 0.0  # the learner's rewards of those, without shaping

    # ---- checkpoints ------------------------------------------------------------------------------------------------
    def arrays(self) -> dict[str, np.ndarray]:
        """All that the games to come depend on, but for the opponents."""
        return {
            "states": self.batch.states.view(np.uint8).copy(),
            "learner": self.learner,
            "seated": self.seated,
            "streams": self.streams,
            "lengths": self.lengths,
            "phi": self.phi,
        }

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Go on from `arrays`; the next `reset` begins nothing.

        Raises:
            ValueError: for arrays of another shape.
        """
        own = self.arrays()
        for name, array in own.items():
            if arrays[name].shape != array.shape or arrays[name].dtype != array.dtype:
                raise ValueError(f"{name}: {arrays[name].dtype} {arrays[name].shape}, not {array.dtype} {array.shape}")
        self.batch.load(np.ascontiguousarray(arrays["states"]).view(self.batch.states.dtype))
        for name in ("learner", "seated", "streams", "lengths", "phi"):
            setattr(self, name, arrays[name].copy())
        self._restored = True
