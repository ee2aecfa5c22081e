"""N games at once, all seats: the fast face, for self-play and search."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode

from hopenvs.core import kernels, rng
from hopenvs.core.batch import Batch
from hopenvs.core.errors import OptionError, PositionError
from hopenvs.core.state import TERMINAL
from hopenvs.envs.spaces import action_space, agent_space
from hopenvs.envs.start import given_start
from hopenvs.envs.table import ILLEGAL, check_choice, check_limit, payoff_named

if TYPE_CHECKING:
    from hopenvs.core.game import Game

AUTORESET = {
    AutoresetMode.SAME_STEP: kernels.SAME_STEP,
    AutoresetMode.NEXT_STEP: kernels.NEXT_STEP,
    AutoresetMode.DISABLED: kernels.DISABLED,
}


# Observations, rewards, terminated, truncated, infos.
Shown: TypeAlias = tuple[dict[str, np.ndarray], np.ndarray, np.ndarray, np.ndarray, dict[str, np.ndarray]]

# Of every integer type: the same without its sign, in which negative numbers are the largest, and the least of these.
UNSIGNED = {
    np.dtype(f"{order}{kind}{size}"): (np.dtype(f"{order}u{size}"), 2 ** (8 * size - (kind == "i")))
    for order, kind, size in itertools.product("<>", "iu", (1, 2, 4, 8))
}


class GameVectorEnv:
    """N games stepped by one call; whichever seat is asked in a row decides there.

    Turn games: observation [N, D], action_mask [N, A], current_seat [N], actions [N].
    Simultaneous games: [N, P, D], [N, P, A], current_seat all SIMULTANEOUS (-2), actions [N, P].
    Row i of `reset(seed)` plays the same game as a single environment with seed + i (C-14).

    Args:
        game: the game module.
        options: its compiled options.
        num_envs: N.
        env_id: the registered id.
        threads: how many threads share the rows; results do not depend on it.
        reward: "win", "rank" or "score" (C-7).
        illegal: "raise": an illegal action anywhere raises before any row is stepped; "forfeit": it ends its game.
        max_episode_steps: truncate a game after so many decisions; None for no limit.
        autoreset_mode: gymnasium's AutoresetMode, or its value ("SameStep", "NextStep", "Disabled").
        copy: return fresh arrays; False returns read-only views of the buffers, valid until the next step.
    """

    def __init__(
        self,
        game: Game,
        options: Any,
        num_envs: int,
        *,
        env_id: str,
        threads: int = 1,
        reward: str = "win",
        illegal: str = "raise",
        max_episode_steps: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        copy: bool = True,
    ) -> None:
        check_choice("illegal", illegal, ILLEGAL)
        mode = read_autoreset_mode(autoreset_mode)
        self.env_id = env_id
        self.num_envs = check_num_envs(num_envs)
        self.metadata = {"name": f"{game.ID}_v{game.VERSION}", "autoreset_mode": mode}
        self._mode = mode
        self._copy = bool(copy)
        self._batch = Batch(
            game,
            options,
            self.num_envs,
            payoff=payoff_named(game, options, reward),
            forfeit=illegal == "forfeit",
            step_limit=check_limit("max_episode_steps", max_episode_steps),
            autoreset=AUTORESET[mode],
            threads=threads,
        )
        spec = self._batch.spec
        self._spec = spec
        self.possible_agents = [f"player_{seat}" for seat in range(spec.num_players)]
        self.single_observation_space: spaces.Dict = agent_space(spec)
        self.single_action_space: spaces.Discrete = action_space(spec)
        self._views = self._read_only_views()
        self._seeded = False
        self._started = False

    # ---- facts ------------------------------------------------------------------------------------------------------
    @property
    def game(self) -> Game:
        """The game module."""
        return self._batch.game

    @property
    def options(self) -> Any:
        """The game's options, a NamedTuple."""
        return self._batch.options

    @property
    def num_players(self) -> int:
        """P."""
        return self._spec.num_players

    @property
    def observation_layout(self) -> dict[str, tuple[slice, tuple[int, ...]]]:
        """Where each section lies in the flat observation, and its shape before flattening."""
        return self._spec.layout

    @property
    def states(self) -> np.ndarray:
        """[N] the records, a read-only view."""
        return _read_only(self._batch.states)

    @property
    def final_states(self) -> np.ndarray:
        """[N] the record each row's last game ended with (blank before its first end), a read-only view."""
        ended = self._batch.states if self._mode == AutoresetMode.DISABLED else self._batch.finals[:-1]
        return _read_only(ended)

    def final_observation(self, row: int, seat: int) -> np.ndarray:
        """[D] int8: what `seat` sees of the game that row `row` last ended."""
        if not 0 <= seat < self._spec.num_players:
            raise ValueError(f"seat {seat}: expected 0 to {self._spec.num_players - 1}")
        if not 0 <= row < self.num_envs or self.final_states["current_player"][row] != TERMINAL:
            raise ValueError(f"row {row} has not ended a game")
        return self._batch.view((row,), (seat,), final=self._mode != AutoresetMode.DISABLED)[1][0]

    def observe(self, row: int, seat: int) -> dict[str, np.ndarray]:
        """What `seat` sees in row `row` now, and its mask (all one if it isn't asked, C-12)."""
        if not self._started:
            raise ValueError("reset() comes first")
        mask, observation = self._batch.view((row,), (seat,))
        if not mask[0].any():
            mask[0] = 1
        return {"observation": observation[0], "action_mask": mask[0]}

    # ---- playing ----------------------------------------------------------------------------------------------------
    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
        """Begin games.

        Args:
            seed: row i gets seed + i, or the i-th of a sequence of N; None goes on with the rows' generators.
            options: `reset_mask` [N] bool: only these rows; `position` or `record`: all of them begin there; other keys
                are ignored.

        Returns:
            (observations, infos).
        """
        options = options or {}
        batch, n = self._batch, self.num_envs
        chosen = read_reset_mask(options.get("reset_mask"), n, self._started)
        if seed is None and not self._seeded:
            seed = rng.fresh_seed() >> 32
        seeds = None if seed is None else row_seeds(seed, n)
        given = given_start(batch, options)
        if given is not None:
            if given["current_player"][0] == TERMINAL and self._mode != AutoresetMode.DISABLED:
                raise PositionError("key 'phase': 'over': a row that begins there would never be stepped")
            for i in np.flatnonzero(chosen):
                generator = batch.states["rng"][i].copy() if seeds is None else rng.generator(seeds[i], rng.GAME)
                batch.states[i] = given[0]
                batch.states["rng"][i] = generator
            order = kernels.RESUME
        else:
            order = kernels.NEW_GAME if seeds is None else kernels.NEW_SEED
        batch.start(np.where(chosen, order, kernels.SKIP), seeds)
        batch.rewards[chosen] = 0
        for of_ended_games in (batch.ranks, batch.scores, batch.won, batch.capped):
            of_ended_games[...] = 0
        self._seeded = self._started = True
        seen, _, _, _, infos = self._shown()
        return seen, infos

    def step(self, actions: Any) -> Shown:
        """One decision in every row.

        Args:
            actions: integers [N] (simultaneous games: [N, P]). In a row that ended (NEXT_STEP) it is ignored.

        Returns:
            (observations, rewards [N, P] float32, terminated [N] bool, truncated [N] bool, infos). Infos hold `rank`,
            `score` [N, P] int32, `won` [N, P] int8 and `truncated_by_max_turns` [N] int8 of the games that ended in
            this step, 0 elsewhere, and `active` [N, P] int8: which seats are asked now (C-12).

        Raises:
            IllegalActionError: naming the first row with one, its seat, index and name; no row has been stepped.
                (illegal="raise")
            ValueError: for actions of another shape or type.
        """
        if not self._started:
            raise ValueError("reset() comes first")
        batch = self._batch
        chosen = np.asarray(actions)
        shape = (self.num_envs, self._spec.num_players) if self._spec.simultaneous else (self.num_envs,)
        if chosen.shape != shape or chosen.dtype.kind not in "iu":
            raise ValueError(f"actions: expected integers of shape {shape}, not {chosen.dtype} {chosen.shape}")
        # Beyond the catalogue is illegal whatever it is; -1 would mean "leave this row alone" to the kernel.
        unsigned, negative = UNSIGNED[chosen.dtype]
        if np.maximum.reduce(chosen.view(unsigned), axis=None) >= min(self._spec.num_actions, negative):
            beyond = (chosen < 0) | (chosen >= self._spec.num_actions)
            within = np.where(beyond, self._spec.num_actions, chosen)
            self._refuse_unknown(chosen, within)
            chosen = within
        if self._mode == AutoresetMode.DISABLED and (batch.seat == TERMINAL).any():
            ended = np.flatnonzero(batch.seat == TERMINAL)
            raise ValueError(f"rows {ended[:8].tolist()} have ended: reset(options={{'reset_mask': ...}}) comes first")
        batch.step(chosen.reshape(self.num_envs, -1))
        return self._shown()

    def _refuse_unknown(self, chosen: np.ndarray, within: np.ndarray) -> None:
        """Raise for the first row with an illegal action, unless it forfeits; `within`: none beyond the catalogue."""
        n, batch = self.num_envs, self._batch
        row = -1 if batch.settings[kernels.FORFEIT] else batch.first_illegal(within.reshape(n, -1))
        if row >= 0:
            raise batch.refusal(row, chosen.reshape(n, -1)[row])

    def _shown(self) -> Shown:
        """What a step returns: copies of the buffers or views of them."""
        seen, rewards, terminated, truncated, infos = self._views
        if not self._copy:
            return dict(seen), rewards, terminated, truncated, dict(infos)
        return _copies(seen), rewards.copy(), terminated.copy(), truncated.copy(), _copies(infos)

    def _read_only_views(self) -> Shown:
        """Views of the buffers; made once, as making one takes as long as stepping two rows."""
        batch = self._batch
        observation, mask = batch.observation, batch.mask
        if not self._spec.simultaneous:
            observation, mask = observation[:, 0], mask[:, 0]
        seen = {"observation": observation, "action_mask": mask, "current_seat": batch.seat}
        infos = {
            "active": batch.asked,
            "rank": batch.ranks,
            "score": batch.scores,
            "won": batch.won,
            "truncated_by_max_turns": batch.capped,
        }
        return (
            {name: _read_only(array) for name, array in seen.items()},
            _read_only(batch.rewards),
            _read_only(batch.terminated),
            _read_only(batch.truncated),
            {name: _read_only(array) for name, array in infos.items()},
        )

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_views"}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        vars(self).update(saved)
        self._views = self._read_only_views()  # of this environment's own buffers

    def close(self) -> None:
        """End the threads."""
        self._batch.pool.close()


def _read_only(array: np.ndarray) -> np.ndarray:
    view = array.view()
    view.flags.writeable = False
    return view


def _copies(arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    return {name: array.copy(order="K") for name, array in arrays.items()}


def check_num_envs(num_envs: Any) -> int:
    """Refuse what is no positive integer."""
    if isinstance(num_envs, bool) or not isinstance(num_envs, (int, np.integer)) or num_envs < 1:
        raise OptionError(f"num_envs={num_envs!r}: expected a positive integer")
    return int(num_envs)


def row_seeds(seed: Any, n: int) -> list[int]:
    """A seed for each of N rows: `seed` + i, or the i-th of N (C-14).

    Raises:
        ValueError: for what is no seed, or another number of them.
    """
    if isinstance(seed, (int, np.integer)):
        return [(rng.check_seed(seed) + row) % 2**64 for row in range(n)]
    if isinstance(seed, (str, bytes)) or not hasattr(seed, "__len__") or len(seed) != n:
        raise ValueError(f"seed {seed!r}: expected an integer or {n} of them")
    return [rng.check_seed(s) for s in seed]


def read_reset_mask(given: Any, num_envs: int, started: bool) -> np.ndarray:
    """[N] bool: which rows a reset begins; all of them if `given` is None."""
    chosen = np.ones(num_envs, np.bool_) if given is None else np.asarray(given)
    if chosen.shape != (num_envs,) or chosen.dtype != np.bool_:
        raise ValueError(f"reset_mask: expected bool [{num_envs}], not {chosen.dtype} {chosen.shape}")
    if not started and not chosen.all():
        raise ValueError("reset_mask: the first reset begins every row")
    return chosen


def read_autoreset_mode(mode: AutoresetMode | str) -> AutoresetMode:
    """Gymnasium's AutoresetMode from itself or its value."""
    try:
        return AutoresetMode(mode)
    except ValueError:
        expected = ", ".join(repr(m.value) for m in AutoresetMode)
        raise OptionError(f"autoreset_mode={mode!r}: expected an AutoresetMode or one of {expected}") from None


__all__ = ["GameVectorEnv", "check_num_envs", "read_autoreset_mode", "read_reset_mask", "row_seeds"]
