"""Gymnasium environments of any game: one seat against opponents, alone or N at once."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from hopenvs.core import rng
from hopenvs.core.errors import IllegalActionError, OptionError
from hopenvs.core.position import write_position
from hopenvs.envs.seats import SeatGames
from hopenvs.envs.spaces import action_space, agent_space, observation_box
from hopenvs.envs.start import given_start
from hopenvs.envs.table import RENDER_MODES, check_choice, check_limit
from hopenvs.envs.vector import check_num_envs, read_autoreset_mode, read_reset_mask, row_seeds

if TYPE_CHECKING:
    from hopenvs.core.game import Game


class _Seated:
    """The facts that both environments tell."""

    _games: SeatGames

    @property
    def game(self) -> Game:
        """The game module."""
        return self._games.batch.game

    @property
    def options(self) -> Any:
        """The game's options, a NamedTuple."""
        return self._games.batch.options

    @property
    def num_players(self) -> int:
        """P."""
        return self._games.num_players

    @property
    def observation_layout(self) -> dict[str, tuple[slice, tuple[int, ...]]]:
        """Where each section lies in the flat observation, and its shape before flattening."""
        return self._games.batch.spec.layout


class SeatEnv(_Seated, gymnasium.Env[Any, Any]):
    """One seat of one game against opponents.

    The observation is that of the learner's next decision (or of the end), the reward what the seat was paid until
    then. `action_masks()` gives the legal actions, as sb3-contrib's MaskablePPO asks for them; infos hold them too.

    Args:
        game: the game module.
        options: its compiled options.
        env_id: the registered id.
        seat: the learner's seat, or "random": drawn anew for every game.
        opponents: "uniform", an Agent or a function `f(observations, masks) -> actions` for all other seats, or a
            sequence of P - 1 of them, clockwise from the learner.
        reward: "win", "rank" or "score" (C-7).
        illegal: "raise" refuses an illegal action of the learner, "forfeit" ends the game by it (C-11).
        mask_in_observation: observations are `{"observation", "action_mask"}` instead of the flat array.
        max_episode_steps: truncate after so many decisions of the learner; None for no limit.
        render_mode: "human", "rgb_array", "ansi", "svg" or None.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012 (gymnasium's declaration)

    def __init__(
        self,
        game: Game,
        options: Any,
        *,
        env_id: str,
        seat: int | str = 0,
        opponents: Any = "uniform",
        reward: str = "win",
        illegal: str = "raise",
        mask_in_observation: bool = False,
        max_episode_steps: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        check_choice("render_mode", render_mode, (None, *RENDER_MODES))
        self._games = SeatGames(game, options, 1, seat=seat, opponents=opponents, reward=reward, illegal=illegal)
        self._limit = check_limit("max_episode_steps", max_episode_steps)
        self._steps = 0
        self._spec_of_game = self._games.batch.spec
        self._mask_in_observation = bool(mask_in_observation)
        self.env_id = env_id
        self.render_mode = render_mode
        spec = self._spec_of_game
        self.observation_space = agent_space(spec) if mask_in_observation else observation_box(spec)
        self.action_space = action_space(spec)
        self._row = np.zeros(1, np.int64)
        self._seeded = False
        self._over = False
        self._window: Any = None

    @property
    def learner(self) -> int:
        """The learner's seat in this game."""
        return int(self._games.learner[0])

    @property
    def offender(self) -> int | None:
        """The seat whose illegal action ended the game (C-11); None if there was none."""
        forfeit = int(self._games.batch.states["forfeit"][0])
        return forfeit - 1 if forfeit else None

    def position(self) -> dict[str, Any]:
        """The position as a JSON-able dict: the full truth, hidden things too (C-6)."""
        if not self._seeded:
            raise ValueError("reset() comes first")
        return write_position(self.game, self.options, self._games.batch.record())

    def action_masks(self) -> np.ndarray:
        """[A] bool: the legal actions of the learner now; all True when the game is over (C-12)."""
        if not self._seeded:
            raise ValueError("reset() comes first")
        return self._games.look(self._row)[1][0].astype(np.bool_)

    def reset(self, *, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin a game at the learner's first decision; games that end before it are replayed.

        Args:
            seed: same seed, same decisions, same game; None goes on with the generators.
            options: `position` or `record`: begin there; other keys are ignored.
        """
        super().reset(seed=seed)
        if seed is not None:
            seed = rng.check_seed(seed)
        elif not self._seeded:
            seed = rng.fresh_seed()
        given = given_start(self._games.batch, options)  # read first: a broken position changes nothing
        self._games.start(self._row, None if seed is None else [seed], given)
        self._seeded = True
        self._over = False
        self._steps = 0
        if self.render_mode == "human":
            self.render()
        return self._observation_and_info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """The learner's action and the opponents' after it.

        Raises:
            IllegalActionError: nothing has changed.
        """
        if not self._seeded:
            raise ValueError("reset() comes first")
        if self._over:
            raise ValueError("the game is over: reset() begins the next one")
        try:
            if isinstance(action, (bool, np.bool_)):
                raise TypeError
            chosen = operator.index(action)
        except TypeError:
            raise IllegalActionError(
                f"player_{self.learner}: action {action!r}: expected an integer from 0 to {self.action_space.n - 1}"  # type: ignore[attr-defined]
            ) from None
        reward = self._games.step(self._row, np.array([chosen]))[0]  # of whatever type holds it
        self._steps += 1
        ended, cut = self._games.flags(self._row)
        beyond = bool(0 < self._limit <= self._steps and not ended[0])
        self._over = bool(ended[0] or cut[0] or beyond)
        if self.render_mode == "human":
            self.render()
        observation, info = self._observation_and_info()
        return observation, float(reward), bool(ended[0]), bool(cut[0]) or beyond, info

    def _observation_and_info(self) -> tuple[Any, dict[str, Any]]:
        observations, masks = self._games.look(self._row)
        info: dict[str, Any] = {"action_mask": masks[0]}
        info |= {key: int(value[0]) for key, value in self._games.infos(self._row).items()}
        if self._mask_in_observation:
            return {"observation": observations[0], "action_mask": masks[0].copy()}, info
        return observations[0], info

    def render(self, seat: int | None = None) -> Any:
        """Draw by `render_mode`; with `seat`, without what that seat can't know."""
        if self.render_mode is None:
            return None
        if not self._seeded:
            raise ValueError("reset() comes first")
        from hopenvs.render import draw

        if self.render_mode == "human" and self._window is None:
            self._window = draw.open_window(self.env_id)
        scene = self.game.scene(self.options, self._games.batch.record(), seat)
        return draw.show(scene, self.render_mode, self._window)

    def close(self) -> None:
        """Close the window, if there is one; may be called twice."""
        if self._window is not None:
            self._window.close()
            self._window = None

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"_window": None}


class SeatVectorEnv(_Seated, VectorEnv[Any, Any, Any]):
    """N games, one seat each against opponents, on one batch: what `gymnasium.make_vec` gives.

    Row i of `reset(seed)` plays the same game as a `SeatEnv` with seed + i.

    Args:
        game: the game module.
        options: its compiled options.
        num_envs: N.
        env_id: the registered id.
        seat: as in SeatEnv.
        opponents: as in SeatEnv.
        reward: as in SeatEnv.
        illegal: as in SeatEnv.
        mask_in_observation: as in SeatEnv.
        max_episode_steps: truncate after so many decisions of the learner; None for no limit.
        autoreset_mode: gymnasium's AutoresetMode, or its value.
        threads: how many threads share the rows.
        render_mode: must be None: a batch isn't drawn.
    """

    def __init__(
        self,
        game: Game,
        options: Any,
        num_envs: int = 1,
        *,
        env_id: str,
        seat: int | str = 0,
        opponents: Any = "uniform",
        reward: str = "win",
        illegal: str = "raise",
        mask_in_observation: bool = False,
        max_episode_steps: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int = 1,
        render_mode: str | None = None,
    ) -> None:
        if render_mode is not None:
            raise OptionError(f"render_mode={render_mode!r}: a batch isn't drawn, expected None")
        self.num_envs = check_num_envs(num_envs)
        self._mode = read_autoreset_mode(autoreset_mode)
        self.metadata = {"autoreset_mode": self._mode}
        self._limit = check_limit("max_episode_steps", max_episode_steps)
        self._games = SeatGames(
            game,
            options,
            self.num_envs,
            seat=seat,
            opponents=opponents,
            reward=reward,
            illegal=illegal,
            threads=threads,
        )
        self._mask_in_observation = bool(mask_in_observation)
        self.env_id = env_id
        spec = self._games.batch.spec
        self.single_observation_space = agent_space(spec) if mask_in_observation else observation_box(spec)
        self.single_action_space = action_space(spec)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._rows = np.arange(self.num_envs)
        self._steps = np.zeros(self.num_envs, np.int64)
        self._ended = np.zeros(self.num_envs, np.bool_)  # rows whose episode is over and not yet begun anew
        self._seeded = False

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin games; row i gets seed + i.

        Args:
            seed: an integer, or one for each row; None goes on with the generators.
            options: `reset_mask` [N] bool: only these rows; `position` or `record`: they begin there.
        """
        given = given_start(self._games.batch, options)
        chosen = read_reset_mask((options or {}).get("reset_mask"), self.num_envs, self._seeded)
        rows = np.flatnonzero(chosen)
        if seed is None and not self._seeded:
            seed = rng.fresh_seed() >> 32
        seeds = None if seed is None else [row_seeds(seed, self.num_envs)[row] for row in rows]
        self._games.start(rows, seeds, given)
        self._steps[rows] = 0
        self._ended[rows] = False
        self._seeded = True
        return self._observations(), self._infos()

    def step(self, actions: Any) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """The learner's actions [N], and the opponents' after them; ended rows by the autoreset mode."""
        chosen = np.asarray(actions)
        if chosen.shape != (self.num_envs,) or chosen.dtype.kind not in "iu":
            raise ValueError(
                f"actions: expected integers of shape ({self.num_envs},), not {chosen.dtype} {chosen.shape}"
            )
        if not self._seeded:
            raise ValueError("reset() comes first")
        begun = self._rows[self._ended]
        if self._mode == AutoresetMode.DISABLED and len(begun):
            raise ValueError(f"rows {begun[:8].tolist()} have ended: reset(options={{'reset_mask': ...}}) comes first")
        live = self._rows[~self._ended]
        rewards = np.zeros(self.num_envs, np.float64)
        terminated, truncated = np.zeros(self.num_envs, np.bool_), np.zeros(self.num_envs, np.bool_)
        rewards[live] = self._games.step(live, chosen[live])
        if len(begun):  # NEXT_STEP: their actions are ignored
            self._games.start(begun)
            self._steps[begun] = 0
        self._steps[live] += 1
        terminated[live], truncated[live] = self._games.flags(live)
        if self._limit:
            truncated[live] |= (self._steps[live] >= self._limit) & ~terminated[live]
        self._ended = terminated | truncated
        extra: dict[str, Any] = {}
        if self._mode == AutoresetMode.SAME_STEP and self._ended.any():
            extra = self._final(self._rows[self._ended])
            self._games.start(self._rows[self._ended])
            self._steps[self._ended] = 0
            self._ended = np.zeros(self.num_envs, np.bool_)
        return self._observations(), rewards, terminated, truncated, self._infos() | extra

    def _observations(self) -> Any:
        observations, masks = self._games.look(self._rows)
        return {"observation": observations, "action_mask": masks} if self._mask_in_observation else observations

    def _infos(self) -> dict[str, Any]:
        """The learner's infos (C-12) as arrays with Gymnasium's `_key` presence masks."""
        infos: dict[str, Any] = {"action_mask": self._games.look(self._rows)[1], **self._games.infos(self._rows)}
        return infos | {f"_{key}": np.ones(self.num_envs, np.bool_) for key in infos}

    def _final(self, rows: np.ndarray) -> dict[str, Any]:
        """`final_obs` and `final_info` of rows that are about to begin anew (Gymnasium's SAME_STEP)."""
        observations, masks = self._games.look(rows)
        present = np.zeros(self.num_envs, np.bool_)
        present[rows] = True
        final_obs = np.full(self.num_envs, None, object)
        for k, row in enumerate(rows):
            final_obs[row] = (
                {"observation": observations[k], "action_mask": masks[k]}
                if self._mask_in_observation
                else observations[k]
            )
        final_info: dict[str, Any] = {"_" + key: present.copy() for key in (*self._games.infos(rows), "action_mask")}
        for key, value in self._games.infos(rows).items():
            final_info[key] = np.zeros(self.num_envs, value.dtype)
            final_info[key][rows] = value
        final_info["action_mask"] = np.ones((self.num_envs, masks.shape[1]), np.int8)
        final_info["action_mask"][rows] = masks
        return {"final_obs": final_obs, "_final_obs": present, "final_info": final_info, "_final_info": present.copy()}

    def action_masks(self) -> np.ndarray:
        """[N, A] bool: the learner's legal actions now."""
        if not self._seeded:
            raise ValueError("reset() comes first")
        return self._games.look(self._rows)[1].astype(np.bool_)


__all__ = ["SeatEnv", "SeatVectorEnv"]
