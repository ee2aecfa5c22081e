"""The faces of hopenvs as contestants."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from faces import choose, random_streams

import hopenvs
from hopenvs import registry
from hopenvs.core import kernels
from hopenvs.core.batch import Batch
from hopenvs.core.state import TERMINAL
from speed.contest import Contestant

BATCHES = (1, 64, 1024, 4096)  # N
SPREAD = 300  # steps before anything is timed: rows are anywhere in their games then
PLAYED_AT_ONCE = 256


def one_state(env_id: str) -> Callable[[], int]:
    """Random play of a game as OpenSpiel is used: legal actions, what the seat to act sees, a choice; decisions."""
    env = hopenvs.make(env_id)
    env.reset(seed=0)
    seats = env._batch.seats_asked
    chooser = random.Random(0)

    def play() -> int:
        taken = 0
        env.reset()
        while not env.over:
            legal = env.legal_actions()
            seen = env.observe(env.agent_selection)["observation"]
            env.step(legal[chooser.randrange(len(legal))])
            taken += 1
        assert seen.any()
        assert taken == env._batch.states["plies"][0] * seats
        return taken

    return play


class Rows:
    """N games stepped by `make_vec`, without copies of its arrays (`copy=False`), autoreset in the same step.

    Args:
        env_id: the id.
        n: N.
        threads: how many share them.
        copy: hand out fresh arrays.
    """

    def __init__(self, env_id: str, n: int, threads: int = 1, *, copy: bool = False) -> None:
        self.env = hopenvs.make_vec(env_id, n, threads=threads, copy=copy)
        self.decisions = n * self.env._batch.seats_asked  # a step
        self.streams = random_streams(self.decisions)
        self.seen, _ = self.env.reset(seed=1)
        self.steps = self.plies_of_ended = 0

    def choose(self) -> np.ndarray:
        """Uniform legal actions."""
        return choose(self.seen["action_mask"], self.streams)

    def step(self, actions: np.ndarray) -> tuple[float, float]:
        """A decision in every game; how long that took: CPU time, wall time."""
        began, began_wall = time.process_time(), time.perf_counter()
        self.seen, self.rewards, terminated, truncated, _ = self.env.step(actions)
        wall = time.perf_counter() - began_wall
        taken = time.process_time() - began
        ended = np.flatnonzero(terminated | truncated)
        self.steps += 1
        if len(ended):
            self.plies_of_ended += int(self.env.final_states["plies"][ended].sum())
        return taken, wall

    def spread(self) -> None:
        """Play on until rows are anywhere in their games."""
        for _ in range(SPREAD):
            self.step(self.choose())

    def measure(self, seconds: float) -> dict[str, float]:
        """Decisions a second: of CPU time of stepping, and of stepping and choosing; of wall time of stepping."""
        stepping = choosing = stepping_wall = 0.0
        before, until = self.steps, time.perf_counter() + seconds
        while time.perf_counter() < until:
            began = time.process_time()
            actions = self.choose()
            choosing += time.process_time() - began
            taken, wall = self.step(actions)
            stepping += taken
            stepping_wall += wall
        assert self.env.states["plies"].sum() + self.plies_of_ended == self.steps * self.env.num_envs
        assert np.abs(self.rewards.sum(axis=1)).max() < 1e-4  # what one wins others lose
        decisions = (self.steps - before) * self.decisions
        return {
            "step": decisions / stepping,
            "step and choice": decisions / (stepping + choosing),
            "step, wall": decisions / stepping_wall,
        }


def assert_alike(one: Rows, other: Rows) -> None:
    """Play `SPREAD` steps of both by the same actions: every byte that they hand out and keep must be the same."""
    for _ in range(SPREAD):
        actions = one.choose()
        one.step(actions)
        other.step(actions)
        for name in ("states", "finals", "mask", "observation", "rewards", "flags"):
            a, b = (getattr(rows.env._batch, name).view(np.uint8) for rows in (one, other))
            assert np.array_equal(a, b), f"{name} depend on the number of threads"
    other.streams[...] = one.streams


def writing(env_id: str, n: int, *, fresh: bool) -> Callable[[], int]:
    """Write as many bytes as the masks and observations of N games have, and nothing else; decisions' worth."""
    batch = hopenvs.make_vec(env_id, n)._batch
    kept = [np.zeros_like(batch.mask), np.zeros_like(batch.observation)]
    value = 0

    def write() -> int:
        nonlocal value
        value ^= 1
        arrays = [np.empty(array.shape, np.int8) for array in kept] if fresh else kept
        for array in arrays:
            array.fill(value)
        assert arrays[1][-1, -1, -1] == value
        return n * batch.seats_asked

    return write


def playouts(env_id: str) -> Contestant:
    """Decisions a second of CPU time of random games from start to end inside the kernel."""
    game, options = registry.resolve(env_id, {})
    batch, seeds = Batch(game, options, PLAYED_AT_ONCE), 0
    streams = random_streams(PLAYED_AT_ONCE)

    def measure(seconds: float) -> float:
        nonlocal seeds
        taken, spent, until = 0, 0.0, time.perf_counter() + seconds
        while time.perf_counter() < until:
            batch.start(kernels.NEW_SEED, list(range(seeds, seeds + PLAYED_AT_ONCE)))
            seeds += PLAYED_AT_ONCE
            began = time.process_time()
            plies = batch.playout(streams, 10**9)  # a tick of all seats is one
            spent += time.process_time() - began
            assert (batch.states["current_player"] == TERMINAL).all()
            assert plies == batch.states["plies"].sum()
            taken += plies * batch.seats_asked
        return taken / spent

    return measure


def midgame(env: Any, generator: np.random.Generator, decisions: int = 10) -> Any:
    """An AEC environment after some decisions (or as many as there are in a short game, less one)."""
    env.reset(seed=1)
    before = env.clone()
    for _ in range(decisions):
        legal = env.legal_actions()
        before = env.clone()
        env.step(legal[generator.integers(len(legal))])
        if env.over:
            return before
    return env


def cloning(env_id: str) -> Callable[[], int]:
    """`clone()` of an AEC environment in mid-game."""
    env = midgame(hopenvs.make(env_id), np.random.default_rng(0))

    def clone() -> int:
        for _ in range(16):
            twin = env.clone()
        assert twin._batch.states.tobytes() == env._batch.states.tobytes()
        return 16

    return clone


def saving(env_id: str) -> Callable[[], int]:
    """`state()` of an AEC environment in mid-game and `set_state()` in another one."""
    env, other = midgame(hopenvs.make(env_id), np.random.default_rng(0)), hopenvs.make(env_id)

    def save() -> int:
        for _ in range(16):
            saved = env.state()
            other.set_state(saved)
        assert (other.state() == saved).all()
        return 16

    return save


def copying_records(env_id: str) -> Callable[[], int]:
    """Records copied in an array of 1,024."""
    batch = hopenvs.make_vec(env_id, 1024)._batch
    source, target = batch.states.view(np.uint8), batch.finals[:-1].view(np.uint8)

    def copy() -> int:
        for _ in range(16):
            np.copyto(target, source)
        assert target[-1] == source[-1]
        return 16 * 1024

    return copy
