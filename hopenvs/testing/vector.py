"""N games at once: each row is the single game of its seed, in every autoreset mode and on any number of threads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode

from hopenvs.core import jit, state
from hopenvs.core.errors import IllegalActionError, OptionError
from hopenvs.core.state import SIMULTANEOUS, TERMINAL, Payoff
from hopenvs.testing.copies_and_processes import COPIERS, expect_flat_memory
from hopenvs.testing.oracle import Frame, Trace, opening, payoff_in_fractions, play
from hopenvs.testing.suite import Make, check, close, fail, holding, refused, refused_before_reset, same

SLOW = jit.BACKEND == "plain"
ROWS = 6 if SLOW else 64
MODES = tuple(AutoresetMode)
INFO_KEYS = ("active", "rank", "score", "won", "truncated_by_max_turns")


# ---- a batch whose rows are watched ---------------------------------------------------------------------------------
class Rows:
    """A batch in which some rows repeat games of the oracle, and the others play at random.

    Args:
        env: the vector environment.
        seed: row i's games are those of `seed + i`.
        watched: the rows that repeat games.
        count: how many games each of them is followed through.
    """

    def __init__(self, env: Any, seed: int, watched: tuple[int, ...], count: int = 2) -> None:
        self.env = env
        self.spec = env.game.spec(env.options)
        self.n = env.num_envs
        self.players = self.spec.num_players
        self.games = {row: play(env.game, env.options, seed + row, count) for row in watched}
        self.number = dict.fromkeys(watched, 0)
        self.at = dict.fromkeys(watched, 0)
        self.random = np.random.default_rng(seed)
        self.mode = env.metadata["autoreset_mode"]
        self.seen: dict[str, np.ndarray] = {}
        self.infos: dict[str, np.ndarray] = {}
        self.rewards = np.zeros((self.n, self.players), np.float32)
        self.terminated = np.zeros(self.n, np.bool_)
        self.truncated = np.zeros(self.n, np.bool_)
        self.just_ended: dict[int, Trace] = {}

    def reset(self, seed: Any) -> None:
        """Begin every row's first game."""
        self.seen, self.infos = self.env.reset(seed=seed)

    def game(self, row: int) -> Trace:
        """The game a watched row is in."""
        return self.games[row][self.number[row]]

    def frame(self, row: int) -> Frame:
        """Where a watched row stands."""
        return self.game(row).frames[self.at[row]]

    def where(self, row: int) -> str:
        """For messages."""
        return f"{self.mode.value}, row {row} of {self.n}, {self.game(row).where(self.at[row])}"

    @property
    def done(self) -> bool:
        """Whether every row that is still watched is in its last game, and a little into it."""
        return all(
            self.number[row] == len(games) - 1 and (self.at[row] >= 25 or self.frame(row).over)
            for row, games in self.games.items()
        )

    def actions(self) -> np.ndarray:
        """Random legal actions, and the oracle's in watched rows; nonsense in rows that begin anew."""
        masks = self.seen["action_mask"]
        actions = (masks * self.random.random(masks.shape)).argmax(-1)
        actions[self.seen["current_seat"] == TERMINAL] = -7
        for row in self.games:
            frame = self.frame(row)
            if not frame.over:
                actions[row] = frame.actions if self.spec.simultaneous else frame.actions[0]
        return actions

    def step(self, actions: Any = None) -> None:
        """One decision in every row, by default those of `actions()`; watched rows move on."""
        self.just_ended = {}
        self.begin_ended_rows()
        step = self.env.step(self.actions() if actions is None else actions)
        self.seen, self.rewards, self.terminated, self.truncated, self.infos = step
        for row in list(self.games):
            if self.frame(row).over:
                self._next_game(row)
                continue
            self.at[row] += 1
            if self.frame(row).over:
                self.just_ended[row] = self.game(row)
                if self.mode == AutoresetMode.SAME_STEP:
                    self._next_game(row)

    def _next_game(self, row: int) -> None:
        """A watched row begins its next game; it isn't watched any more if that was the last one."""
        if self.number[row] + 1 < len(self.games[row]):
            self.number[row] += 1
            self.at[row] = 0
        else:
            del self.games[row]
            self.just_ended.pop(row, None)

    def begin_ended_rows(self) -> None:
        """Reset the rows that have ended, where nothing else does."""
        ended = self.seen["current_seat"] == TERMINAL
        if self.mode == AutoresetMode.DISABLED and ended.any():
            self.seen, self.infos = self.env.reset(options={"reset_mask": ended})
            for row in list(self.games):
                if ended[row]:
                    self._next_game(row)
            for row in self.games:
                if ended[row]:
                    self.expect(row, fresh=True)

    def play(self, steps: int = 3000) -> Iterator[None]:
        """Step until every watched row is done, stopping after each."""
        for _ in range(steps):
            yield
            if self.done:
                return
            self.step()
        fail(f"{self.mode.value}: watched rows not done after {steps} steps")

    # ---- what must hold ---------------------------------------------------------------------------------------------
    def expect(self, row: int, *, fresh: bool = False) -> None:
        """Row `row` shows what the oracle shows."""
        frame, game, where = self.frame(row), self.game(row), self.where(row)
        ended = self.just_ended.get(row)
        same("current_seat", int(self.seen["current_seat"][row]), frame.current, where)
        masks, observations = self.seen["action_mask"][row], self.seen["observation"][row]
        if self.spec.simultaneous:
            seats = list(range(self.players))
            expected = frame.masks if frame.current == SIMULTANEOUS else np.ones_like(frame.masks)
            same("action_mask", masks, expected, where)
            same("observation", observations, frame.observations[seats], where)
        elif frame.over:
            mover = max(game.frames[self.at[row] - 1].current, 0)
            same("action_mask", masks, np.ones_like(masks), where)
            same("observation", observations, frame.observations[mover], where)
        else:
            same("action_mask", masks, frame.masks[frame.current], where)
            same("observation", observations, frame.observations[frame.current], where)
        if fresh:
            return
        flags = (bool(self.terminated[row]), bool(self.truncated[row]))
        same("flags", flags, (bool(ended and not ended.truncated), bool(ended and ended.truncated)), where)
        for seat in range(self.players):
            close(f"the reward of seat {seat}", self.rewards[row, seat], ended.rewards[seat] if ended else 0.0, where)
        self._expect_infos(row, frame, ended, where)

    def _expect_infos(self, row: int, frame: Frame, ended: Trace | None, where: str) -> None:
        for seat in range(self.players):
            found = {key: int(self.infos[key][row, seat]) for key in ("active", "rank", "score", "won")}
            expected = {
                "active": int(seat in frame.asked),
                "rank": ended.ranks[seat] if ended else 0,
                "score": ended.scores[seat] if ended else 0,
                "won": ended.winners[seat] if ended else 0,
            }
            same(f"infos of seat {seat}", found, expected, where)
        cap = int(self.infos["truncated_by_max_turns"][row])
        same("truncated_by_max_turns", cap, int(bool(ended and ended.truncated)), where)

    def expect_final(self, row: int) -> None:
        """The game that ended in this step can be looked at, by every seat."""
        game, where = self.just_ended[row], self.where(row)
        last = game.frames[-1]
        for seat in range(self.players):
            found = self.env.final_observation(row, seat)
            same(f"final_observation(row, {seat})", found, last.observations[seat], where)
        same("final_states[row]", state.body(_one(self.env.final_states, row))[0], last.body, where)


def _one(states: np.ndarray, row: int) -> np.ndarray:
    return state.copy_states(np.ascontiguousarray(states[row : row + 1]))


def _watch(n: int) -> tuple[int, ...]:
    return tuple(sorted({0, n // 2, n - 1}))


# ---- rows are games -------------------------------------------------------------------------------------------------
@check("vector", kinds=(1, 2, 5, 12, 13, 17, 30, 34, 46, 47, 57), points=(1, 2, 6), clauses=("C-12", "C-14"))
def check_rows_play_seeded_games(make: Make, *, games: int, seed: int) -> None:
    """Row i plays the games of seed + i, in batches of one and many, through ends, in every autoreset mode."""
    for mode in MODES:
        for n in (1, ROWS) if mode == AutoresetMode.SAME_STEP else (3,):
            rows = Rows(make(num_envs=n, autoreset_mode=mode), seed, _watch(n)[:2])
            rows.reset(seed)
            for _ in rows.play():
                for row in rows.games:
                    rows.expect(row)
                    if row in rows.just_ended:
                        rows.expect_final(row)


@check("vector", kinds=(5, 15), clauses=("C-7",))
def check_vector_payoffs(make: Make, *, games: int, seed: int) -> None:
    """Each scheme pays every row by winners, ranks or scores as C-7 says."""
    usual = make(num_envs=1)
    for payoff in Payoff:
        if payoff == Payoff.SCORE and usual.game.spec(usual.options).score_range is None:
            continue
        name = payoff.name.lower()
        rows = Rows(make(num_envs=2, reward=name, autoreset_mode=AutoresetMode.NEXT_STEP), seed, (0, 1), count=1)
        rows.reset(seed)
        while rows.games:
            rows.step()
            for row, game in rows.just_ended.items():
                for seat, expected in enumerate(payoff_in_fractions(game, payoff)):
                    where = f"reward={name!r}, {rows.where(row)}"
                    close(f"the reward of seat {seat}", rows.rewards[row, seat], float(expected), where)


@check("vector", kinds=(46, 47), clauses=("C-14",))
def check_seeds_of_rows(make: Make, *, games: int, seed: int) -> None:
    """Seeds: one for all (row i gets seed + i) or one a row; nonsense is refused; rows have generators of their own."""
    n = 4
    env = make(num_envs=n)
    for given in (seed, np.int64(seed), [seed, seed + 1, seed + 2, seed + 3], np.arange(seed, seed + 4), 2**64 - 2):
        env.reset(seed=given)
        for row in range(n):
            base = int(given) if isinstance(given, (int, np.integer)) else int(given[0])
            frame = opening(env.game, env.options, (base + row) % 2**64)[0]
            same(f"the state of row {row}", state.body(_one(env.states, row))[0], frame.body, f"seed {given}")
    rows = Rows(env, seed, tuple(range(n)))
    rows.reset(seed)
    for _ in _some(rows, 40):  # on a used batch
        for row in rows.games:
            rows.expect(row)
    env.reset(seed=[seed + 5] * n)
    bodies = {state.body(_one(env.states, row)).tobytes() for row in range(n)}
    same("different rows under one seed for all", len(bodies), 1, f"seeds {[seed + 5] * n}")
    for bad in ([seed], [seed] * (n + 1), -1, 1.5, "1", [None] * n, True):
        refused(f"reset(seed={bad!r})", f"{n} rows", (ValueError, TypeError), env.reset, seed=bad)
    env.reset(seed=seed)
    if env.game.spec(env.options).has_chance:
        generators = {tuple(generator) for generator in env.states["rng"].tolist()}
        same("generators that differ", len(generators), n, f"seed {seed}")


@check("vector", kinds=(46, 58), clauses=("C-2", "C-14"))
def check_threads_change_nothing(make: Make, *, games: int, seed: int) -> None:
    """On one thread and on several, every array of every step is the same, through ends and new games."""
    n, steps = 300, 4 if SLOW else 50
    limit = 3 if SLOW else 23
    for mode in (AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP):
        batches = [make(num_envs=n, threads=t, autoreset_mode=mode, max_episode_steps=limit) for t in (1, 2, 3)]
        given = [env.reset(seed=seed) for env in batches]
        random = np.random.default_rng(seed)
        for k in range(steps):
            where = f"{mode.value}, {n} rows, step {k}"
            for other in range(1, len(batches)):
                for key in given[0][0]:
                    same(f"{key} on {other + 1} threads", given[other][0][key], given[0][0][key], where)
                found, expected = (_copy(batches[i].states).view(np.uint8) for i in (other, 0))
                same(f"the states on {other + 1} threads", found, expected, where)
            masks = given[0][0]["action_mask"]
            actions = (masks * random.random(masks.shape)).argmax(-1)
            results = [env.step(actions) for env in batches]
            for other in range(1, len(batches)):
                for i, what in ((1, "rewards"), (2, "terminated"), (3, "truncated")):
                    same(f"{what} on {other + 1} threads", results[other][i], results[0][i], where)
            given = [(result[0], result[4]) for result in results]
        for env in batches:
            env.close()
            env.close()


def _copy(states: np.ndarray) -> np.ndarray:
    return state.copy_states(np.ascontiguousarray(states))


# ---- shapes ---------------------------------------------------------------------------------------------------------
@check("vector", kinds=(20, 21, 22, 34, 36, 43), points=(1, 5, 6), clauses=("C-12",))
def check_vector_shapes(make: Make, *, games: int, seed: int) -> None:
    """Shapes, dtypes and keys are as declared, the same at reset, steps and ends; masks are never empty."""
    n = 5
    for mode in MODES:
        env = make(num_envs=n, autoreset_mode=mode, max_episode_steps=4)
        spec = env.game.spec(env.options)
        lead = (n, spec.num_players) if spec.simultaneous else (n,)
        same("num_envs", env.num_envs, n, "a new batch")
        same("metadata['autoreset_mode']", env.metadata["autoreset_mode"], mode, "a new batch")
        one = env.single_observation_space
        if not isinstance(one, spaces.Dict) or type(env.single_action_space) is not spaces.Discrete:
            fail(f"single_observation_space {one}, single_action_space {env.single_action_space}")
        shapes = {
            "observation": (np.int8, (*lead, spec.observation_size)),
            "action_mask": (np.int8, (*lead, spec.num_actions)),
            "current_seat": (np.int8, (n,)),
        }
        seen, infos = env.reset(seed=seed)
        rewards, terminated = np.zeros((n, spec.num_players), np.float32), np.zeros(n, np.bool_)
        truncated = terminated
        for k in range(12):
            where = f"{mode.value}, seed {seed}, step {k}"
            same("keys of the observation", sorted(seen), sorted(shapes), where)
            for key, (dtype, shape) in shapes.items():
                same(
                    f"{key}: dtype and shape",
                    (seen[key].dtype.name, seen[key].shape),
                    (np.dtype(dtype).name, shape),
                    where,
                )
            same("rewards", (rewards.dtype.name, rewards.shape), ("float32", (n, spec.num_players)), where)
            for flags in (terminated, truncated):
                same("flags", (flags.dtype.name, flags.shape), ("bool", (n,)), where)
            same("keys of infos", tuple(infos), INFO_KEYS, where)
            for key in INFO_KEYS:
                shape = (n,) if key == "truncated_by_max_turns" else (n, spec.num_players)
                same(f"infos[{key!r}].shape", infos[key].shape, shape, where)
                same(f"infos[{key!r}] are integers", infos[key].dtype.kind, "i", where)
            if not seen["action_mask"].any(-1).all():
                fail(f"{where}: an empty mask")
            for row in range(n):
                for seat in range(spec.num_players) if spec.simultaneous else (None,):
                    cell = (row,) if seat is None else (row, seat)
                    part = {key: seen[key][cell] for key in ("observation", "action_mask")}
                    if not one.contains(part):
                        fail(f"{where}: row {row} is outside single_observation_space")
            if mode == AutoresetMode.DISABLED and (terminated | truncated).any():
                seen, infos = env.reset(options={"reset_mask": terminated | truncated})
            actions = seen["action_mask"].argmax(-1)
            seen, rewards, terminated, truncated, infos = env.step(actions)


@check("vector", kinds=(28, 38), points=(4,), clauses=("C-12",))
def check_vector_observe(make: Make, *, games: int, seed: int) -> None:
    """`observe(row, seat)` is what that seat sees, purely; rows and seats that don't exist are refused."""
    n = 3
    rows = Rows(make(num_envs=n, autoreset_mode=AutoresetMode.NEXT_STEP), seed, _watch(n))
    rows.reset(seed)
    for _ in _some(rows, 200):
        for row in rows.games:
            frame = rows.frame(row)
            for seat in range(rows.players):
                seen = rows.env.observe(row, seat)
                same(f"observation of seat {seat}", seen["observation"], frame.observations[seat], rows.where(row))
                expected = frame.masks[seat] if seat in frame.asked else np.ones_like(frame.masks[seat])
                same(f"mask of seat {seat}", seen["action_mask"], expected, rows.where(row))
            rows.expect(row)
    refused_before_reset("observe(0, 0)", make(num_envs=n).observe, 0, 0)
    for row, seat in ((n, 0), (-1, 0), (0, rows.players), (0, -1)):
        refused(
            f"observe({row}, {seat})",
            f"{n} rows, {rows.players} seats",
            (ValueError, IndexError),
            rows.env.observe,
            row,
            seat,
        )
    fresh = make(num_envs=2)
    fresh.reset(seed=seed)
    for row, seat in ((0, 0), (2, 0), (-1, 0), (0, rows.players), (0, -1)):
        refused(
            f"final_observation({row}, {seat})",
            "before any end",
            (ValueError, IndexError),
            fresh.final_observation,
            row,
            seat,
        )


@check("vector", kinds=(57,), points=(3,))
def check_vector_results_are_fresh(make: Make, *, games: int, seed: int) -> None:
    """Arrays that were handed out may be overwritten; `copy=False` gives read-only views instead."""
    n = 4
    rows = Rows(make(num_envs=n), seed, _watch(n))
    rows.reset(seed)
    for _ in _some(rows, 200):
        for row in rows.games:
            rows.expect(row)
        handed = [*rows.seen.values(), *rows.infos.values(), rows.rewards, rows.terminated, rows.truncated]
        kept = {key: value.copy() for key, value in rows.seen.items()}
        for array in handed:
            array[...] = 1
        for row in range(n):
            for seat in range(rows.players):
                rows.env.observe(row, seat)["observation"][...] = 1
        rows.seen = kept
    env = make(num_envs=n, copy=False)
    rows = Rows(env, seed, _watch(n))
    rows.reset(seed)
    for k, _ in enumerate(_some(rows, 60)):
        for row in rows.games:
            rows.expect(row)
        for what, array in [*rows.seen.items(), ("rewards", rows.rewards), ("terminated", rows.terminated)]:
            if k and array.flags.writeable:
                fail(f"copy=False, step {k}: {what} is writeable")
    for what in ("states", "final_states"):
        if getattr(env, what).flags.writeable:
            fail(f"{what} is writeable")


# ---- refusals -------------------------------------------------------------------------------------------------------
def _seen(env: Any) -> dict[str, bytes]:
    views = {
        f"row {row}": b"".join(
            env.observe(row, seat)[key].tobytes()
            for seat in range(env.num_players)
            for key in ("observation", "action_mask")
        )
        for row in range(env.num_envs)
    }
    return views | {"states": env.states.tobytes(), "final_states": env.final_states.tobytes()}


def _expect_unchanged(env: Any, before: Mapping[str, bytes], where: str) -> None:
    after = _seen(env)
    if after != before:
        fail(f"{where} changed {', '.join(key for key in before if after[key] != before[key])}")


@check("vector", kinds=(27, 55, 58, 59), points=(7,), clauses=("C-11",))
def check_vector_refusals(make: Make, *, games: int, seed: int) -> None:
    """Actions of a wrong number, shape or kind, and illegal ones, are refused before any row is stepped."""
    n = 5
    for mode in MODES:
        rows = Rows(make(num_envs=n, illegal="raise", autoreset_mode=mode), seed, _watch(n))
        env = rows.env
        refused("a step before reset", "", (ValueError, RuntimeError), env.step, np.zeros(n, np.int64))
        rows.reset(seed)
        for k, _ in enumerate(_some(rows, 40)):
            for row in rows.games:
                rows.expect(row)
            ended = (rows.seen["current_seat"] == TERMINAL).any()
            if k % 13 or (ended and mode == AutoresetMode.DISABLED):
                continue
            where = f"{mode.value}, {n} rows, step {k}"
            good = rows.actions()
            before = _seen(env)
            wrong: list[Any] = [
                None,
                good[:-1],
                np.concatenate([good, good[:1]]),
                good[None],
                good.astype(np.float64),
                good.astype(np.bool_),
                good.astype(str),
                good.astype(object),
                0,
                "0",
                {},
                [],
                [None] * n,
            ]
            for actions in wrong:
                refused(f"actions {str(actions)[:40]}", where, (ValueError, TypeError), env.step, actions)
                _expect_unchanged(env, before, f"{where}: refusing actions {str(actions)[:40]}")
            for row in (0, n - 1, 2):
                _expect_row_refused(rows, row, good, where)
                _expect_unchanged(env, before, f"{where}: refusing an illegal action in row {row}")


def _some(rows: Rows, steps: int) -> Iterator[None]:
    for _ in range(steps):
        yield
        rows.step()


def _expect_row_refused(rows: Rows, row: int, good: np.ndarray, where: str) -> None:
    env, spec = rows.env, rows.spec
    if int(rows.seen["current_seat"][row]) == TERMINAL:
        return
    seat = spec.num_players - 1 if spec.simultaneous else int(rows.seen["current_seat"][row])
    mask = rows.seen["action_mask"][row, seat] if spec.simultaneous else rows.seen["action_mask"][row]
    cell = (row, seat) if spec.simultaneous else (row,)
    illegal = [int(a) for a in np.flatnonzero(mask == 0)[:2]]
    for action in (*illegal, -1, spec.num_actions, -spec.num_actions, 2**40):
        actions = good.astype(np.int64).copy()
        actions[cell] = action
        message = refused(f"action {action}", where, IllegalActionError, env.step, actions)
        parts = [f"row {row}", f"player_{seat}", str(action)]
        if action in illegal:
            parts.append(env.game.action_name(env.options, action))
        for part in parts:
            if part not in message:
                fail(f"{where}: the refusal of action {action} in row {row} doesn't name {part!r}: {message}")


@check("vector", kinds=(59,), points=(7,))
def check_vector_takes_integers(make: Make, *, games: int, seed: int) -> None:
    """Actions may be lists or arrays of any kind of integer."""
    n = 4
    rows = Rows(make(num_envs=n), seed, _watch(n))
    integers = (np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint64, list, tuple)
    kinds = holding(rows.spec.num_actions, integers)
    rows.reset(seed)
    for k in range(40):
        for row in rows.games:
            rows.expect(row)
        kind = kinds[k % len(kinds)]
        actions = rows.actions()
        given = kind(actions.tolist()) if kind in (list, tuple) else actions.astype(kind)
        rows.step(given)


@check("vector", kinds=(16, 26, 27), clauses=("C-11",))
def check_vector_forfeits(make: Make, *, games: int, seed: int) -> None:
    """illegal='forfeit': an illegal action ends its own game by the stated payoff, and no other."""
    n = 4
    guilty_row = 1
    for action in (-1, None, 10**6):
        for mode in MODES:
            rows = Rows(make(num_envs=n, illegal="forfeit", autoreset_mode=mode), seed, (0, 2, 3), count=5)
            rows.reset(seed)
            for k in range(50):
                rows.begin_ended_rows()
                if k >= 10 and rows.seen["current_seat"][guilty_row] != TERMINAL:
                    break
                rows.step()
            env, where = rows.env, f"{mode.value}, illegal action {action} in row {guilty_row}"
            current = int(rows.seen["current_seat"][guilty_row])
            seat = rows.players - 1 if current == SIMULTANEOUS else current
            mask = rows.seen["action_mask"][guilty_row]
            mask = mask[seat] if rows.spec.simultaneous else mask
            if action is None and mask.all():
                continue  # everything is legal there
            illegal = int(np.argmin(mask)) if action is None else action
            actions = rows.actions()
            actions[(guilty_row, seat) if rows.spec.simultaneous else guilty_row] = illegal
            rows.step(actions)
            for row in rows.games:
                rows.expect(row)
            same("flags", (bool(rows.terminated[guilty_row]), bool(rows.truncated[guilty_row])), (True, False), where)
            for other in range(rows.players):
                expected = -1.0 if other == seat else 1 / (rows.players - 1)
                close(f"the reward of seat {other}", rows.rewards[guilty_row, other], expected, where)
                found = [int(rows.infos[key][guilty_row, other]) for key in ("rank", "won")]
                same(f"rank and won of seat {other}", found, [rows.players, 0] if other == seat else [1, 1], where)
            same("the final record's end", int(env.final_states["current_player"][guilty_row]), TERMINAL, where)
            if mode != AutoresetMode.DISABLED:
                for _ in _some(rows, 3):
                    pass
                for row in rows.games:
                    rows.expect(row)


# ---- ends and resets ------------------------------------------------------------------------------------------------
@check("vector", kinds=(7, 12, 57), clauses=("C-8",))
def check_vector_limits(make: Make, *, games: int, seed: int) -> None:
    """max_episode_steps truncates each row's games at their own count: no reward, ranks as they stand."""
    n, limit = 3, 5
    for mode in MODES:
        env = make(num_envs=n, autoreset_mode=mode, max_episode_steps=limit)
        rows = Rows(env, seed, (1,))
        rows.reset(seed)
        game = rows.game(1)
        if game.decisions <= limit:
            return
        for k in range(1, limit + 1):
            rows.step()
            where = f"{mode.value}, max_episode_steps={limit}, {game.where(k)}"
            if rows.terminated.any():
                return  # a game of fewer decisions
            same("terminated", rows.terminated.tolist(), [False] * n, where)
            same("truncated", rows.truncated.tolist(), [k == limit] * n, where)
        where = f"{mode.value}, max_episode_steps={limit}, {game.where(limit)}"
        if rows.rewards.any():
            fail(f"{where}: truncated, but paid {rows.rewards.tolist()}")
        ranks, scores = game.standing(limit)
        for key, expected in (("rank", ranks), ("score", scores), ("won", [0] * rows.players)):
            same(f"infos[{key!r}]", rows.infos[key][1].tolist(), expected, where)
        same("truncated_by_max_turns", int(rows.infos["truncated_by_max_turns"][1]), 0, where)
        for seat in range(rows.players):
            same(f"final_observation(1, {seat})", env.final_observation(1, seat), _ended(game, limit, seat), where)


def _ended(game: Trace, k: int, seat: int) -> np.ndarray:
    """What a seat sees if the game is cut off before decision `k`."""
    walk = game.walk_at(k)
    walk.states["current_player"] = TERMINAL
    return walk.batch.view((0,), (seat,))[1][0]


@check("vector", kinds=(7, 12), clauses=("C-8",))
def check_vector_cap(make: Make, *, games: int, seed: int) -> None:
    """The rules' own cap truncates, and infos tell it from other limits."""
    probe = make(num_envs=1)
    if probe.game.spec(probe.options).max_turns is None:
        return
    n = 3
    try:
        make(num_envs=n, max_turns=1)
    except OptionError:  # the id says how many
        return
    for mode in MODES:
        rows = Rows(make(num_envs=n, autoreset_mode=mode, max_turns=1), seed, _watch(n))
        rows.reset(seed)
        for _ in rows.play():
            for row in rows.games:
                rows.expect(row)
                if row in rows.just_ended:
                    rows.expect_final(row)


@check("vector", kinds=(57, 64), points=(10,))
def check_partial_resets(make: Make, *, games: int, seed: int) -> None:
    """`reset_mask` begins some rows and leaves the others as they are; nonsense is refused; ended rows wait for it."""
    n = 4
    env = make(num_envs=n, autoreset_mode=AutoresetMode.DISABLED)
    some = np.array([True, False, False, True])
    refused("a first reset of some rows", "", ValueError, env.reset, seed=seed, options={"reset_mask": some})
    rows = Rows(env, seed, (1, 2), count=9)
    rows.reset(seed)
    for _ in _some(rows, 7):
        pass
    rows.seen, rows.infos = env.reset(seed=seed + 50, options={"reset_mask": some})
    for row in rows.games:
        rows.expect(row, fresh=True)
    for row in (0, 3):
        frame = opening(env.game, env.options, seed + 50 + row)[0]
        same(f"the state of row {row}", state.body(_one(env.states, row))[0], frame.body, "reset with a mask")
    for _ in _some(rows, 5):
        for row in rows.games:
            rows.expect(row, fresh=True)
    before = _seen(env)
    for bad in (some[:-1], some.astype(np.int64), [1, 0, 0, 1], some[None], "x"):
        refused(
            f"reset_mask {str(bad)[:30]}", f"{n} rows", (ValueError, TypeError), env.reset, options={"reset_mask": bad}
        )
        _expect_unchanged(env, before, f"refusing reset_mask {str(bad)[:30]}")
    cut = make(num_envs=n, max_episode_steps=2)
    cut.reset(seed=seed)
    nobody = {"reset_mask": np.zeros(n, np.bool_)}
    cut.step(cut.reset(options=nobody)[0]["action_mask"].argmax(-1))
    infos = cut.step(cut.reset(options=nobody)[0]["action_mask"].argmax(-1))[4]
    if not infos["rank"].any():
        fail(f"seed {seed}, max_episode_steps=2: infos hold no rank at the end")
    infos = cut.reset(options={"reset_mask": some})[1]
    for key in ("rank", "score", "won", "truncated_by_max_turns"):
        same(f"infos[{key!r}].any() after a reset, in which no game ended", bool(infos[key].any()), False, "SameStep")
    ended = Rows(make(num_envs=n, autoreset_mode=AutoresetMode.DISABLED), seed, (2,), count=1)
    ended.reset(seed)
    for _ in range(5000):
        if ended.frame(2).over:
            break
        ended.step()
    before = _seen(ended.env)
    zeros = np.zeros((n, ended.players) if ended.spec.simultaneous else n, np.int64)
    refused("a step while row 2 has ended", "Disabled", ValueError, ended.env.step, zeros)
    _expect_unchanged(ended.env, before, "refusing a step while row 2 has ended")


@check("vector", clauses=("C-6", "C-13"), kinds=(17,))
def check_vector_reset_options(make: Make, *, games: int, seed: int) -> None:
    """All rows begin at a position; unknown keys are ignored; a broken position changes nothing."""
    n = 3
    env = make(num_envs=n)
    game = play(env.game, env.options, seed)[0]
    k = game.decisions // 2
    frame, position = game.frames[k], game.walk_at(k).position()
    for options in (None, {}, {"unknown": 1}, {"position": None}):
        env.reset(seed=seed, options=options)
        same("the state of row 0", state.body(_one(env.states, 0))[0], game.frames[0].body, f"options={options}")
    env.reset(seed=seed, options={"position": position})
    for row in range(n):
        for seat in range(env.num_players):
            seen = env.observe(row, seat)["observation"]
            same(f"what seat {seat} sees in row {row}", seen, frame.observations[seat], "reset to a position")
    generators = env.states["rng"].tolist()
    if env.game.spec(env.options).has_chance and len({tuple(g) for g in generators}) != n:
        fail(f"reset to a position: rows share generators {generators}")
    before = _seen(env)
    for broken in ({}, position | {"game": "chess"}, position | {"phase": "nonsense"}, 7):
        refused(
            f"position {str(broken)[:40]}", "reset", (ValueError, TypeError), env.reset, options={"position": broken}
        )
        _expect_unchanged(env, before, f"refusing position {str(broken)[:40]}")


@check("vector", kinds=(55, 56))
def check_vector_keywords(make: Make, *, games: int, seed: int) -> None:
    """Impossible keywords are refused by name."""
    for name, value in (
        ("num_envs", 0),
        ("num_envs", -1),
        ("num_envs", 1.5),
        ("num_envs", True),
        ("threads", 0),
        ("threads", 1.5),
        ("autoreset_mode", "sometimes"),
        ("max_episode_steps", 0),
    ):
        keywords = {"num_envs": 2} | {name: value}
        refused(f"{name}={value!r}", "make_vec", (OptionError, ValueError), make, **keywords)
    for mode in MODES:
        same("the mode by its value", make(num_envs=1, autoreset_mode=mode.value).metadata["autoreset_mode"], mode, "")


# ---- copies ---------------------------------------------------------------------------------------------------------
@check("vector", kinds=(50, 51), points=(9,))
def check_vector_copies(make: Make, *, games: int, seed: int) -> None:
    """A pickled or deep copy goes on alike, through ends, and leaves the original alone."""
    n = 3
    for name in ("pickle", "deepcopy"):
        copier = COPIERS[name]
        for mode in MODES[:2]:
            rows = Rows(make(num_envs=n, autoreset_mode=mode), seed, _watch(n))
            rows.reset(seed)
            for _ in _some(rows, min(31, *(rows.game(row).decisions for row in rows.games)) - 1):
                pass
            before = _seen(rows.env)
            twin = copier(rows.env)
            other = Rows(twin, seed, _watch(n))
            other.number, other.at, other.games = dict(rows.number), dict(rows.at), dict(rows.games)
            other.seen = {key: value.copy() for key, value in rows.seen.items()}
            for row in other.games:
                for seat in range(other.players):
                    seen = twin.observe(row, seat)["observation"]
                    same(f"what seat {seat} sees in row {row}", seen, other.frame(row).observations[seat], name)
            for _ in _some(other, 100):
                for row in other.games:
                    if other.at[row] > rows.at[row] or other.number[row]:
                        other.expect(row)
            _expect_unchanged(rows.env, before, f"{name}, {mode.value}: the copy's moves")
            twin.close()


@check("vector", kinds=(54,))
def check_vector_memory(make: Make, *, games: int, seed: int) -> None:
    """Memory doesn't grow with resets and steps."""
    env = make(num_envs=8)

    def turn(k: int) -> None:
        seen, _ = env.reset(seed=k)
        for _ in range(15):
            seen = env.step(seen["action_mask"].argmax(-1))[0]

    expect_flat_memory(turn, "resets and steps of a batch")


@check("vector", kinds=(48,), clauses=("C-14",))
def check_vector_uses_no_global_generator(make: Make, *, games: int, seed: int) -> None:
    """NumPy's global generator isn't moved on."""
    before = _global_state()
    rows = Rows(make(num_envs=2), seed, (0,))
    rows.reset(seed)
    for _ in _some(rows, 20):
        pass
    rows.env.reset()
    if _global_state() != before:
        fail(f"seed {seed}: a batch moved NumPy's global generator on")


def _global_state() -> tuple[bytes, int]:
    found: Any = np.random.get_state()  # noqa: NPY002 (the global generator is what this looks at)
    return found[1].tobytes(), int(found[2])
