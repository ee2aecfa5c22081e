"""N games and their buffers: what every face of a game is a thin cover of."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hopenvs.core import jit, kernels, plain, rng, state
from hopenvs.core.errors import GameError, IllegalActionError, OptionError
from hopenvs.core.kernels import kernels_of
from hopenvs.core.options import options_record
from hopenvs.core.pool import Pool
from hopenvs.core.state import Payoff

if TYPE_CHECKING:
    from hopenvs.core.game import Game, Spec

# Fewer rows than this for each thread are not worth waking it for.
ROWS_PER_THREAD = 128

BUFFERS = ("orders", "seeds", "mask", "observation", "rewards", "flags", "standings")  # beside records and settings
VIEWS = ("seat", "terminated", "truncated", "capped", "asked", "won", "ranks", "scores")  # of `flags`, `standings`

CHANCE_BYTE = state.CHANCE.to_bytes(1, "little", signed=True)  # CHANCE in an array of int8


class Batch:
    """N records of one game under one set of options, with the buffers its kernels read and write.

    Args:
        game: the game module.
        options: its compiled options (`parse_options`).
        num_rows: N.
        payoff: how finished games pay (C-7).
        forfeit: an illegal action ends the game (C-11) instead of being refused.
        step_limit: truncate a game after so many decisions; 0 for no limit.
        autoreset: kernels.DISABLED, NEXT_STEP or SAME_STEP.
        draw: chance is drawn from the records' generators; if False, `step` takes outcomes at chance points.
        threads: how many threads share the rows.

    Attributes:
        states: [N] records.
        finals: [N + 1] the record each row ended with (with autoreset); the last is blank.
        mask: [N, S, A] int8; S is 1 in turn games, P in simultaneous ones.
        observation: [N, S, D] int8.
        rewards: [N, P] float32, paid by the last step.
        seat: [N] int8, the seat to act, or CHANCE, SIMULTANEOUS, TERMINAL.
        terminated: [N] bool.
        truncated: [N] bool.
        asked: [N, P] int8, 1 for seats that are asked now.
        ranks, scores: [N, P] int32 of the games that the last step ended, 0 elsewhere.
        won: [N, P] int8, likewise.
        capped: [N] int8, 1 where the last step ended a game at the rules' own cap (C-8).
    """

    def __init__(
        self,
        game: Game,
        options: Any,
        num_rows: int,
        *,
        payoff: Payoff = Payoff.WIN,
        forfeit: bool = False,
        step_limit: int = 0,
        autoreset: int = kernels.DISABLED,
        draw: bool = True,
        threads: int = 1,
    ) -> None:
        self.game = game
        self.options = options
        self.spec = game.spec(options)
        if draw:
            refuse_outside_chance(self.spec)
        self.kernels = kernels_of(game)
        self._entries: dict[str, Any] = {}
        self.pool = Pool(threads)
        n, players = num_rows, self.spec.num_players
        self.num_rows = n
        self.seats_asked = players if self.spec.simultaneous else 1
        dtype = state.state_dtype(self.spec.record_seats, game.fields(options))
        self.options_record = options_record(options)
        self.states = state.new_states(n, dtype)
        self.finals = state.new_states(n + 1, dtype)
        self.settings = np.array([payoff, step_limit, autoreset, draw, forfeit], np.int32)
        self.orders = np.zeros((n, self.seats_asked), np.int32)
        self.seeds = np.zeros((n, 2), np.uint32)
        self.mask = np.zeros((n, self.seats_asked, self.spec.num_actions), np.int8)
        self.observation = np.zeros((n, self.seats_asked, self.spec.observation_size), np.int8)
        self.rewards = np.zeros((n, players), np.float32)
        self.flags = np.zeros((kernels.ASKED + 2 * players, n), np.int8)
        self.standings = np.zeros((2 * players, n), np.int32)
        self._name_views()

    def _name_views(self) -> None:
        self.seat = self.flags[kernels.SEAT]
        self.terminated = self.flags[kernels.TERMINATED].view(np.bool_)
        self.truncated = self.flags[kernels.TRUNCATED].view(np.bool_)
        self.capped = self.flags[kernels.CAPPED]
        players = self.spec.num_players
        asked_and_won = self.flags[kernels.ASKED :]
        self.asked, self.won = asked_and_won[:players].T, asked_and_won[players:].T
        self.ranks, self.scores = self.standings[:players].T, self.standings[players:].T
        common = tuple(map(_as_argument, (self.options_record, self.states, self.finals, self.settings)))
        orders, seeds, mask, obs = map(_as_argument, (self.orders, self.seeds, self.mask, self.observation))
        results = tuple(map(_as_argument, (self.rewards, self.flags, self.standings)))
        self._check_arguments = (*common[:2], orders, mask, results[1])
        self.step_arguments = (*common, orders, seeds, mask, obs, *results)
        self._view_arguments = common[:2]

    # ---- playing ----------------------------------------------------------------------------------------------------
    def start(self, orders: int | np.ndarray, seeds: Sequence[int] | None = None) -> None:
        """Start or resume rows.

        Args:
            orders: kernels.NEW_GAME, NEW_SEED, RESUME or SKIP, for all rows or [N].
            seeds: one a row, for NEW_SEED.
        """
        self.orders[:, 0] = orders
        if seeds is not None:
            for i, seed in enumerate(seeds):
                self.seeds[i] = seed & rng.WORD, seed >> 32
        self._run("step_range", self.step_arguments)
        self._check_contract()
        asked = np.flatnonzero(self.seat == state.SIMULTANEOUS if self.spec.simultaneous else self.seat >= 0)
        stuck = asked[~self.mask.view(np.bool_)[asked].any(axis=-1).all(axis=-1)]
        if len(stuck):
            raise self.refusal(int(stuck[0]), None)

    def first_illegal(self, actions: np.ndarray) -> int:
        """The first row whose action (`actions` [N, S] int32) is illegal, or -1; changes nothing."""
        self.orders[...] = actions
        return _first(self._run("check_range", self._check_arguments))

    def step(self, actions: np.ndarray) -> None:
        """One decision in every row: `actions` [N, S] int32, SKIP in column 0 for rows that are left alone.

        Raises:
            IllegalActionError: naming the first row, its seat and action; nothing has changed. (Not with `forfeit`.)
            GameError: if a seat without a legal action was asked: a fault of the game.
            ValueError: for an outcome that there isn't, where outcomes are taken; nothing has changed.
        """
        if not self.settings[kernels.FORFEIT]:
            row = self.first_illegal(actions)
            if row >= 0:
                raise self.refusal(row, actions[row])
        else:  # below SKIP lie orders that are no actions
            self.orders[...] = np.where(actions < kernels.SKIP, self.spec.num_actions, actions)
        refused = _first(self._run("step_range", self.step_arguments))
        if refused >= 0:
            raise self.refusal(refused, actions[refused])
        self._check_contract()

    def _run(self, name: str, arguments: tuple[Any, ...]) -> list[Any]:
        """A kernel over all rows, by several threads where that pays; its results, one a part."""
        kernel = self.entry(name, arguments)
        if self.pool.threads > 1 and self.num_rows >= 2 * ROWS_PER_THREAD:
            return self.pool.run(kernel, self.num_rows, *arguments)
        return [kernel(0, self.num_rows, *arguments)]

    def entry(self, name: str, arguments: tuple[Any, ...]) -> Any:
        """The entry point of a kernel for these arguments after (lo, hi); the same for copies of this batch."""
        kernel = self._entries.get(name)
        if kernel is None:
            kernel = self._entries[name] = jit.entry_point(getattr(self.kernels, name), (0, 0, *arguments))
        return kernel

    def step_function(self) -> Any:
        """`step_range` over all rows as a function of nothing: takes the actions from `orders`, refuses nothing."""
        return functools.partial(self.entry("step_range", self.step_arguments), 0, self.num_rows, *self.step_arguments)

    def _check_contract(self) -> None:
        if self.settings[kernels.DRAW] and CHANCE_BYTE in self.seat.tobytes():  # bytes are searched in no time
            raise GameError(
                f"{self.game.ID}: more than {kernels.CHANCE_LIMIT} chance points without a decision "
                f"in row {int(np.argmax(self.seat == state.CHANCE))}"
            )

    def refusal(self, row: int, actions: np.ndarray | None) -> Exception:
        """The error to raise for a row that can't be stepped with these actions [S], or (None) not at all."""
        where = f"row {row}, " if self.num_rows > 1 else ""
        if self.seat[row] == state.CHANCE:
            outcome = None if actions is None else int(actions[0])
            return ValueError(f"{where or 'here: '}there is no outcome {outcome} at this chance point")
        for k in sorted(range(self.seats_asked), key=lambda k: self.mask[row, k].any()):  # who has nothing first
            seat = k if self.spec.simultaneous else int(self.seat[row])
            action = kernels.SKIP if actions is None else int(actions[k])
            if not (0 <= action < self.spec.num_actions and self.mask[row, k, action]):
                return self.illegal_action(row, seat, action, self.mask[row, k], where)
        return GameError(f"{self.game.ID}: {where}legal actions were refused: {actions}")

    def illegal_action(self, row: int, seat: int, action: int, mask: np.ndarray, where: str = "") -> Exception:
        """The error to raise for an illegal action.

        Args:
            row: where it was chosen.
            seat: who chose it.
            action: the action.
            mask: [A] what is legal there.
            where: what the message begins with.

        Returns:
            An IllegalActionError with all that C-11 asks for: index, name, agent, phase and a few legal names. If
            nothing is legal at all, a GameError: whoever plays the game is not to blame.
        """
        legal = [self.game.action_name(self.options, int(a)) for a in np.flatnonzero(mask)]
        listed = ", ".join(repr(name) for name in legal[:5]) + (", ..." if len(legal) > 5 else "")
        phase = self.game.to_position(self.options, self.record(row))["phase"]
        if not legal:
            return GameError(
                f"{where}player_{seat} is asked in phase {phase!r} and has no legal action: a fault of {self.game.ID}"
            )
        if not 0 <= action < self.spec.num_actions:
            return IllegalActionError(
                f"{where}player_{seat}: there is no action {action}, expected 0 to {self.spec.num_actions - 1}; "
                f"legal here ({len(legal)}): {listed}"
            )
        name = self.game.action_name(self.options, action)
        return IllegalActionError(
            f"{where}player_{seat}: action {action} ({name!r}) is illegal in phase {phase!r}; "
            f"legal ({len(legal)}): {listed}"
        )

    # ---- looking ----------------------------------------------------------------------------------------------------
    def record(self, row: int = 0) -> Any:
        """Row `row` as plain Python reads it (`state.people_view`)."""
        return state.people_view(self.states, row)

    def view(self, rows: Sequence[int], seats: Sequence[int], *, final: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """What seats may do and see: (mask [n, A], observation [n, D]) int8, fresh; zero masks for seats not asked.

        Args:
            rows: which records.
            seats: from whose point of view, one for each of `rows`.
            final: look at the ended records (`finals`) instead.

        Raises:
            ValueError: for a row or a seat that isn't there.
        """
        n, players = len(rows), self.spec.num_players
        if n and (min(rows) < 0 or max(rows) >= self.num_rows or min(seats) < 0 or max(seats) >= players):
            raise ValueError(
                f"rows {list(rows)[:8]}, seats {list(seats)[:8]}: expected rows 0 to {self.num_rows - 1} "
                f"and seats 0 to {players - 1}"
            )
        mask = np.empty((n, self.spec.num_actions), np.int8)
        obs = np.empty((n, self.spec.observation_size), np.int8)
        states = _as_argument(self.finals) if final else self._view_arguments[1]
        row_array, seat_array = np.asarray(rows, np.int32), np.asarray(seats, np.int32)
        looked_at = map(_as_argument, (row_array, seat_array, mask, obs))
        arguments = (self._view_arguments[0], states, *looked_at)
        self.entry("view_range", arguments)(0, n, *arguments)
        return mask, obs

    def seen_by(self, seat: int) -> np.ndarray:
        """[D] int8, fresh: what a seat sees in row 0; `view` in a fourth of the time, with nothing checked."""
        spec = self.spec
        mask, obs = np.empty((1, spec.num_actions), np.int8), np.empty((1, spec.observation_size), np.int8)
        arguments = (*self._view_arguments, *_viewer(seat), _as_argument(mask), _as_argument(obs))
        self.entry("view_range", arguments)(0, 1, *arguments)
        return obs[0]

    def outcome_weights(self) -> list[int]:
        """The integer weights of the outcomes of the chance point in row 0."""
        weights = np.zeros(64, np.int64)
        n = self.kernels.weights_range(0, 1, *self._view_arguments, _as_argument(weights))
        if n > len(weights):
            weights = np.zeros(n, np.int64)
            self.kernels.weights_range(0, 1, *self._view_arguments, _as_argument(weights))
        if n < 1:
            raise GameError(f"{self.game.ID}: a chance point without outcomes")
        return [int(w) for w in weights[:n]]

    def evaluate(self, rows: Sequence[int], seats: Sequence[int]) -> np.ndarray:
        """[n] float64: the game's evaluation of each record for each seat."""
        values = np.zeros(len(rows), np.float64)
        arrays = (np.asarray(rows, np.int32), np.asarray(seats, np.int32), values)
        self.kernels.evaluate_range(0, len(rows), *self._view_arguments, *map(_as_argument, arrays))
        return values

    def resample_hidden(self, seats: np.ndarray, streams: np.ndarray) -> None:
        """Redraw in every row what seat `seats` [N] int32 can't know, from `streams` [N, 4] uint32."""
        arguments = (_as_argument(np.asarray(seats, np.int32)), _as_argument(streams))
        self.kernels.resample_range(0, self.num_rows, *self._view_arguments, *arguments)

    def keys(self) -> list[bytes]:
        """The key of every row: equal keys, same position for play."""
        keys = np.zeros((self.num_rows, self.states.dtype.itemsize * 2 + 64), np.uint8)
        lengths = np.zeros(self.num_rows, np.int32)
        self.kernels.key_range(0, self.num_rows, *self._view_arguments, _as_argument(keys), _as_argument(lengths))
        return [keys[i, : lengths[i]].tobytes() for i in range(self.num_rows)]

    def playout(self, streams: np.ndarray, limit: int) -> int:
        """Uniform random play of every row to its end or for `limit` decisions, drawn from `streams` [N, 4] uint32.

        Returns the number of decisions taken. Masks and observations are stale afterwards (`start(RESUME)`).

        Raises:
            GameError: if a seat without a legal action was asked: a fault of the game.
        """
        if streams.dtype != np.uint32 or streams.shape != (self.num_rows, 4) or not streams.flags.c_contiguous:
            raise ValueError(f"streams: expected contiguous uint32 [{self.num_rows}, 4], as they move on in place")
        mask = np.zeros((self.num_rows, self.spec.num_actions), np.int8)
        joint = np.zeros((self.num_rows, self.spec.num_players), np.int32)
        arrays = (self.settings, streams, mask, joint)
        taken = self._run("playout_range", (*self._view_arguments, *map(_as_argument, arrays), limit))
        if min(taken) < 0:
            raise GameError(f"{self.game.ID}: row {-1 - min(taken)}: a seat is asked that has no legal action")
        return sum(taken)

    # ---- records from outside ---------------------------------------------------------------------------------------
    def load(self, records: np.ndarray) -> None:
        """Go on from other records [N]; masks, observations and flags follow. Ended ones get their result."""
        self.states.view(np.uint8)[...] = np.ascontiguousarray(records).view(np.uint8)
        self.start(kernels.RESUME)

    # ---- copies -----------------------------------------------------------------------------------------------------
    def copy(self) -> Batch:
        """An independent copy, generators included; kernels, options and specification are shared."""
        twin = object.__new__(Batch)
        vars(twin).update(vars(self))
        for name in ("settings", *BUFFERS):
            setattr(twin, name, getattr(self, name).copy())
        twin.states, twin.finals = state.copy_states(self.states), state.copy_states(self.finals)
        twin._name_views()
        return twin

    def take_back(self, kept: Batch) -> None:
        """Go back to where a copy was made."""
        for name in ("states", "finals", *BUFFERS):
            getattr(self, name)[...] = getattr(kept, name)

    def __getstate__(self) -> dict[str, Any]:
        skipped = ("kernels", "_entries", *VIEWS)
        kept = {k: v for k, v in vars(self).items() if k not in skipped and not k.endswith("_arguments")}
        return kept | {"game": self.game.__name__}  # a module is found again by its name

    def __setstate__(self, saved: dict[str, Any]) -> None:
        vars(self).update(saved)
        self.game = importlib.import_module(saved["game"])
        self.kernels = kernels_of(self.game)
        self._entries = {}
        self._name_views()


def refuse_outside_chance(spec: Spec) -> None:
    """OptionError if somebody outside has to decide chance: whoever draws it must not play such a game."""
    if spec.outside_chance:
        raise OptionError(
            "these options leave chance to somebody outside: expected hopenvs.make(id, ..., chance=f), "
            "which asks f; nothing else can play them"
        )


def _first(rows: Sequence[int]) -> int:
    """The first row that a part of a kernel's work found, or -1."""
    return min((row for row in rows if row >= 0), default=-1)


@functools.cache
def _viewer(seat: int) -> tuple[Any, Any]:
    """Row 0 and a seat as a kernel takes rows and seats; nobody writes to them."""
    return _as_argument(np.zeros(1, np.int32)), _as_argument(np.full(1, seat, np.int32))


def _as_argument(array: Any) -> Any:
    return plain.wrap(array) if jit.BACKEND == "plain" else array
