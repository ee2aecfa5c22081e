"""One game at a table: what the AEC and the parallel environment share, a batch of one with agents' names."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces

from hopenvs.core import kernels, rng, state
from hopenvs.core.batch import Batch
from hopenvs.core.errors import GameError, IllegalActionError, OptionError
from hopenvs.core.game import tell_action
from hopenvs.core.jit import plain_twin
from hopenvs.core.position import write_position
from hopenvs.core.state import BY_MAX_TURNS, CHANCE, NOT_CHOSEN, SIMULTANEOUS, TERMINAL, Payoff
from hopenvs.core.trust import check_record
from hopenvs.envs.spaces import action_space, agent_space, state_space
from hopenvs.envs.start import given_start

if TYPE_CHECKING:
    from hopenvs.core.game import Game

# What `clone` copies besides the batch: the AEC bookkeeping that a step changes.
COPIED = {"agents", "rewards", "_cumulative_rewards", "terminations", "truncations", "_made_infos"}

# What `_name_buffers` makes, and pickles leave out.
VIEWS = {"_made_record", "_current", "_mask", "_observation", "_legal", "_action", "_pending", "_kernel", "_asked"}

# An agent's info (C-12) before anything is known of the result; to copy one is the fastest way to a new one.
INFO_WHEN_IDLE: dict[str, Any] = {
    "action_mask": None,  # the agent's own, fresh
    "active": 0,
    "rank": 0,
    "score": 0,
    "won": 0,
    "truncated_by_max_turns": 0,
}
INFO_WHEN_ASKED = INFO_WHEN_IDLE | {"active": 1}

ILLEGAL = ("raise", "forfeit")
RENDER_MODES = ("human", "rgb_array", "ansi", "svg")

ChanceDecider = Callable[[Sequence[str], Sequence[int]], int]


class Table:
    """A game, its seats and their agents; not an environment by itself.

    Args:
        game: the game module.
        options: its compiled options.
        env_id: the registered id, for messages and records.
        reward: "win", "rank" or "score" (C-7).
        illegal: "raise" refuses an illegal action, "forfeit" ends the game by it (C-11).
        max_cycles: truncate after so many decisions (ticks in a simultaneous game); None for no limit.
        chance: `f(outcome_names, weights) -> k` decides every chance point instead of the generator; with options that
            leave only some of them to it (HOP!'s `throws="external"`) those, and the generator the others.
        render_mode: "human", "rgb_array", "ansi", "svg" or None.
    """

    def __init__(
        self,
        game: Game,
        options: Any,
        *,
        env_id: str,
        reward: str = "win",
        illegal: str = "raise",
        max_cycles: int | None = None,
        chance: ChanceDecider | None = None,
        render_mode: str | None = None,
    ) -> None:
        check_choice("illegal", illegal, ILLEGAL)
        check_choice("render_mode", render_mode, (None, *RENDER_MODES))
        limit = check_limit("max_cycles", max_cycles)
        payoff = payoff_named(game, options, reward)
        if chance is not None and not callable(chance):
            raise OptionError(f"option chance={chance!r}: expected a function of outcome names and weights")
        self.env_id = env_id
        self.render_mode = render_mode
        self._illegal = illegal
        self._chance = chance
        self._batch = Batch(
            game, options, 1, payoff=payoff, forfeit=illegal == "forfeit", step_limit=limit, draw=chance is None
        )
        spec = self._batch.spec
        self._spec = spec
        self._simultaneous = spec.simultaneous
        self.possible_agents = [f"player_{seat}" for seat in range(spec.num_players)]
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces: dict[str, spaces.Space[Any]] = {a: agent_space(spec) for a in self.possible_agents}
        self.action_spaces: dict[str, spaces.Space[Any]] = {a: action_space(spec) for a in self.possible_agents}
        self.state_space = state_space(self._batch.states.dtype)
        self.agents: list[str] = []
        self._seeded = False
        self._window: Any = None
        self._last_moves: dict[int | None, tuple[str, ...]] = {}
        self._name_buffers()

    def _name_buffers(self) -> None:
        """Short names for what every step touches."""
        batch = self._batch
        self._made_record: Any = None
        self._current = batch.flags[kernels.SEAT].data  # [0]: the seat to act, or a sentinel
        # By seat; in a turn game all seats have the same: what lies there is for the seat that is asked.
        same = 1 if self._simultaneous else self._spec.num_players
        self._mask = list(batch.mask[0]) * same  # P times [A]
        self._observation = list(batch.observation[0]) * same  # P times [D]
        self._legal = [mask.data for mask in batch.mask[0]] * same  # the masks again: faster where one cell is read
        self._action = batch.orders[0].data  # [S]
        self._pending: Any = batch.states["pending"][0].data if self._simultaneous else ()  # a tick's choices so far
        self._kernel: Any = batch.step_function() if self._seeded else None  # the step on these very buffers
        self._asked = self._find_asked()

    @property
    def _record(self) -> Any:
        """The record as plain Python reads it, made when first needed."""
        if self._made_record is None:
            self._made_record = self._batch.record()
        return self._made_record

    # ---- facts ------------------------------------------------------------------------------------------------------
    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """`Dict{"observation": Box [D] int8, "action_mask": Box [A] int8}`, the same object on every call."""
        return self.observation_spaces[self._known(agent)]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """`Discrete(A)`, the same object on every call."""
        return self.action_spaces[self._known(agent)]

    @property
    def observation_layout(self) -> dict[str, tuple[slice, tuple[int, ...]]]:
        """Where each section lies in the flat observation, and its shape before flattening."""
        return self._spec.layout

    @property
    def game(self) -> Game:
        """The game module."""
        return self._batch.game

    @property
    def options(self) -> Any:
        """The game's options, a NamedTuple."""
        return self._batch.options

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self._current[0] == TERMINAL)

    @property
    def offender(self) -> int | None:
        """The seat whose illegal action ended the game (C-11); None if there was none."""
        return self._record.forfeit - 1 if self._record.forfeit else None

    def action_name(self, action: int) -> str:
        """The name of an action (C-5)."""
        if not 0 <= int(action) < self._spec.num_actions:
            raise ValueError(f"there is no action {action}, expected 0 to {self._spec.num_actions - 1}")
        return self.game.action_name(self.options, int(action))

    def parse_action(self, name: str) -> int:
        """The action of a name; ValueError if there is none."""
        return self.game.parse_action(self.options, name)

    def legal_actions(self, agent: str | None = None) -> list[int]:
        """The legal actions of an agent (by default the one to act), ascending; none if it isn't asked."""
        seat = self._asked if agent is None else self._seat_of[self._known(agent)]
        return [int(a) for a in np.flatnonzero(self._mask_of(seat))] if seat >= 0 else []

    def _check_begun(self) -> None:
        if not self._seeded:
            raise ValueError("reset() comes first")

    def _known(self, agent: str) -> str:
        if agent not in self._seat_of:
            raise ValueError(f"unknown agent {agent!r}: expected one of {', '.join(self.possible_agents)}")
        return agent

    # ---- a game -----------------------------------------------------------------------------------------------------
    def _begin(self, seed: int | None, options: Mapping[str, Any] | None) -> None:
        """A new game, by seed or generator, or from `options["position"]` or `options["record"]`."""
        if seed is not None:
            seed = rng.check_seed(seed)
        elif not self._seeded:
            seed = rng.fresh_seed()
        batch = self._batch
        given = given_start(batch, options)
        kept = self._batch.copy() if self._chance is not None else None  # as `chance` may fail
        self._bind_kernel()
        if given is not None:
            given["rng"][0] = batch.states["rng"][0] if seed is None else rng.generator(seed, rng.GAME)
            batch.load(given)
        else:
            self._deal(seed)
        self._settle_asked(kept)
        self._seeded = True
        self._last_moves = {}

    def _deal(self, seed: int | None) -> None:
        """A new game: as `Batch.start` does it, but for one row, and in a fifth of the time."""
        if seed is not None:
            self._batch.seeds[0] = seed & rng.WORD, seed >> 32
        self._action[0] = kernels.NEW_GAME if seed is None else kernels.NEW_SEED
        self._kernel()
        current = self._current[0]
        asked = range(self._spec.num_players) if current == SIMULTANEOUS else (current,) if current >= 0 else ()
        for seat in asked:
            if not self._mask[seat].any():
                raise self._batch.illegal_action(0, seat, kernels.SKIP, self._mask[seat])

    def _bind_kernel(self) -> None:
        """Have what carries out `_action`: from the first game on, since it takes seconds to compile."""
        if self._kernel is None:
            self._kernel = self._batch.step_function()

    def _step_batch(self) -> None:
        """Carry out the decision that lies in `_action`, legality already checked."""
        if self.render_mode is not None:
            self._last_moves = self._describe_moves()
        kept = self._batch.copy() if self._chance is not None else None  # as `chance` may fail
        self._kernel()
        self._asked = self._current[0]
        if self._asked < 0:
            self._settle_asked(kept)

    def _settle_asked(self, kept: Batch | None = None) -> None:
        """Nobody is asked by name: let chance decide if it is due, and see who is asked then.

        If `chance` fails, the game is where it was `kept`.
        """
        try:
            if self._current[0] == CHANCE:
                self._decide_chance()
        except BaseException:
            if kept is not None:
                self._batch.take_back(kept)
            raise
        finally:
            self._asked = self._find_asked()

    def _describe_moves(self) -> dict[int | None, tuple[str, ...]]:
        """What is about to be played, in absolute words, for the next picture: as each seat is told, and in full."""
        game, o, s = self.game, self.options, self._record
        viewers: list[int | None] = [None, *range(self._batch.spec.num_players)]
        try:
            return {seat: tuple(tell_action(game, o, s, seat, int(a)) for a in self._action) for seat in viewers}
        except (IndexError, ValueError):  # an illegal action that forfeits has no description
            return {}

    def _decide_chance(self) -> None:
        """Let `chance` decide until a decision is due."""
        record = self._record
        if self._chance is None:
            raise GameError(f"{self.env_id}: more than {kernels.CHANCE_LIMIT} chance points without a decision")
        game: Any = self.game
        outside = plain_twin(game.decided_outside) if self._spec.outside_chance else None
        while self._current[0] == CHANCE:
            weights = self._batch.outcome_weights()
            if outside is not None and not outside(self.options, record):
                self._action[0] = rng.weighted(record.rng, weights)
                self._kernel()
                continue
            names = [self.game.outcome_name(self.options, record, k) for k in range(len(weights))]
            k = self._chance(names, weights)
            whole = isinstance(k, (int, np.integer)) and not isinstance(k, bool)
            if not whole or not 0 <= k < len(weights) or not weights[k]:
                raise ValueError(f"chance chose {k!r}: expected the index of one of {names} with a weight above 0")
            self._action[0] = k
            self._kernel()

    def _find_asked(self) -> int:
        """The seat to act now, or a negative sentinel; in a tick the first that hasn't chosen."""
        current = self._current[0]
        if current == SIMULTANEOUS:
            for seat in range(self._spec.num_players):
                if self._pending[seat] == NOT_CHOSEN:
                    return seat
        return int(current)

    def _is_asked(self, seat: int) -> bool:
        if not self._simultaneous or seat == self._asked:
            return seat == self._asked
        return self._current[0] == SIMULTANEOUS and self._pending[seat] == NOT_CHOSEN

    def _mask_of(self, seat: int) -> np.ndarray:
        """[A] int8, fresh: the legal actions of a seat, all zero if it isn't asked."""
        if self._is_asked(seat):
            return self._mask[seat].copy()
        return np.zeros(self._spec.num_actions, np.int8)

    def _observation_of(self, seat: int) -> np.ndarray:
        """[D] int8, fresh: what a seat sees."""
        if seat == self._asked or self._simultaneous:
            return self._observation[seat].copy()
        return self._batch.seen_by(seat)

    def _order(self, seat: int, action: Any) -> int:
        """An agent's action as the kernels take it: itself if it is legal, one beyond the catalogue if it forfeits.

        Raises:
            IllegalActionError: if it is no integer, or illegal under illegal="raise".
            GameError: if there is no legal action at all.
        """
        try:
            if type(action) is bool:  # NumPy's bool is no index anyway
                raise TypeError
            order = operator.index(action)
        except TypeError:
            raise IllegalActionError(
                f"player_{seat}: action {action!r}: expected an integer from 0 to {self._spec.num_actions - 1}"
            ) from None
        legal = self._legal[seat]
        if 0 <= order < len(legal) and legal[order]:
            return order
        mask = self._mask[seat]
        if self._illegal == "raise" or not mask.any():
            raise self._batch.illegal_action(0, seat, order, mask)
        return self._spec.num_actions

    def _info(self, seat: int, mask: np.ndarray) -> dict[str, Any]:
        """An agent's info: the same numeric keys from reset to end (C-12)."""
        info = (INFO_WHEN_ASKED if self._is_asked(seat) else INFO_WHEN_IDLE).copy()
        info["action_mask"] = mask
        if self._current[0] == TERMINAL:
            s = self._record
            info["rank"], info["score"], info["won"] = s.ranks[seat], s.scores[seat], s.winners[seat]
            info["truncated_by_max_turns"] = int(s.truncated == BY_MAX_TURNS)
        return info

    # ---- saving and copying -----------------------------------------------------------------------------------------
    def state(self) -> np.ndarray:
        """[B] uint8, fresh: the whole game without its generator, seat-absolute (it holds hidden things)."""
        return state.body(self._batch.states)[0].copy()

    def set_state(self, saved: np.ndarray) -> None:
        """Go on from what `state()` gave; the generator goes on from where it is.

        Raises:
            ValueError: if it is no state of this game; nothing has changed.
        """
        saved = np.asarray(saved)
        if saved.shape != self.state_space.shape or saved.dtype != np.uint8:
            raise ValueError(
                f"a state of {self.env_id} is uint8 {self.state_space.shape}, not {saved.dtype} {saved.shape}"
            )
        given = self._batch.states.copy()
        if not self._seeded:
            given["rng"][0] = rng.generator(rng.fresh_seed(), rng.GAME)
        state.body(given)[0] = saved
        check_record(self._batch, given)
        self._batch.load(given)
        self._bind_kernel()
        self._settle_asked()
        self._last_moves = {}
        self._seeded = True
        self._after_load()

    def _after_load(self) -> None:
        raise NotImplementedError

    def position(self) -> dict[str, Any]:
        """The position as a JSON-able dict: the full truth, hidden things too (C-6)."""
        self._check_begun()
        return write_position(self.game, self.options, self._record)

    def clone(self) -> Any:
        """An independent copy in mid-game, generator included: both go on alike. Spaces are shared."""
        twin = object.__new__(type(self))
        vars(twin).update(vars(self))
        twin._window = None
        twin._batch = self._batch.copy()
        twin._name_buffers()
        for name in COPIED & vars(self).keys():
            setattr(twin, name, getattr(self, name).copy())
        return twin

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in VIEWS} | {"_window": None}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        vars(self).update(saved)
        self._name_buffers()

    # ---- pictures ---------------------------------------------------------------------------------------------------
    def scene(self, seat: int | None = None) -> Any:
        """The picture as shapes (`hopenvs.render.scene`); with `seat`, without what that seat can't know."""
        self._check_begun()
        return self.game.scene(self.options, self._record, seat, self._last_moves.get(seat, ()))

    def render(self, seat: int | None = None) -> Any:
        """Draw by `render_mode`: an array [H, W, 3] uint8, a string, or None (the window shows it)."""
        if self.render_mode is None:
            return None
        from hopenvs.render import draw

        if self.render_mode == "human" and self._window is None:
            self._window = draw.open_window(self.env_id)
        return draw.show(self.scene(seat), self.render_mode, self._window)

    def _repr_svg_(self) -> str | None:
        """The picture in a notebook."""
        if not self._seeded:
            return None
        from hopenvs.render.svg import scene_to_svg

        return scene_to_svg(self.scene())

    def close(self) -> None:
        """Close the window, if there is one; may be called twice."""
        if self._window is not None:
            self._window.close()
            self._window = None


def check_choice(name: str, value: Any, choices: Sequence[Any]) -> None:
    """Refuse a keyword's value that is none of some."""
    if value not in choices:
        raise OptionError(f"option {name}={value!r}: expected one of {', '.join(map(repr, choices))}")


def check_limit(name: str, limit: Any) -> int:
    """A limit on steps as the kernels take it: 0 for None."""
    if limit is None:
        return 0
    if isinstance(limit, bool) or not isinstance(limit, (int, np.integer)) or not 1 <= limit < 2**31:
        raise OptionError(f"option {name}={limit!r}: expected a positive integer or None")
    return int(limit)


def payoff_named(game: Game, options: Any, reward: str) -> Payoff:
    """The payoff scheme of a name (C-7)."""
    names = {p.name.lower(): p for p in Payoff}
    check_choice("reward", reward, tuple(names))
    if names[reward] == Payoff.SCORE and game.spec(options).score_range is None:
        raise OptionError(f"option reward='score': {game.ID} has no scores")
    return names[reward]
