"""How fast the faces of a game are, as ratios within one run.

    python benchmarks/faces.py [ID] [--seconds 1] [--repeats 5] [--json FILE]

* AEC loop: random legal play through PettingZoo's API (choice = `flatnonzero` + `rng.integers`), beside a do-nothing
  AEC environment with the same spaces and fresh arrays, and beside PettingZoo's own Connect Four.
* Parallel loop, in games in which all act at once: the same through PettingZoo's ParallelEnv, every agent's action a
  decision.
* Vector: decisions a second with observation, mask and autoreset, at several N and thread counts, and where the time
  goes.
* Copies: a record, an environment's `clone()`.
* Start: a process that makes an environment and takes one step, with an empty and with a filled kernel cache.

Rates are CPU time of this process (wall time where threads are compared): the median of the repeats, with the lowest
and the highest. Every loop asserts what it played.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv

import hopenvs
from hopenvs.agents.uniform import uniform_actions
from hopenvs.core import rng

warnings.simplefilter("ignore")

# N, threads, copy
VECTOR_CASES = ((1, 1, True), (64, 1, True), (1024, 1, True), (1024, 1, False), (4096, 1, False), (4096, 2, False))


class DoNothing(AECEnv):
    """An AEC environment with given spaces in which nothing happens: fresh arrays, fresh infos, an end."""

    metadata = {"name": "do_nothing_v0"}  # noqa: RUF012

    def __init__(self, observation_size: int, num_actions: int, num_players: int, length: int, num_legal: int) -> None:
        self.possible_agents = [f"player_{seat}" for seat in range(num_players)]
        self._size, self._actions, self._length, self._legal = observation_size, num_actions, length, num_legal
        observation = spaces.Box(0, 9, (observation_size,), np.int8)
        self._observation_space = spaces.Dict(
            {"observation": observation, "action_mask": spaces.Box(0, 1, (num_actions,), np.int8)}
        )
        self._action_space = spaces.Discrete(num_actions)

    def observation_space(self, agent):
        """One space for all."""
        return self._observation_space

    def action_space(self, agent):
        """One space for all."""
        return self._action_space

    def reset(self, seed=None, options=None):
        """Begin."""
        self.agents = self.possible_agents[:]
        self._taken = 0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]

    def observe(self, agent):
        """Zeros, the first few actions legal."""
        mask = np.zeros(self._actions, np.int8)
        mask[: self._legal] = 1
        return {"observation": np.zeros(self._size, np.int8), "action_mask": mask}

    def step(self, action):
        """Count."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._taken += 1
        self.agent_selection = self.possible_agents[self._taken % len(self.possible_agents)]
        self.infos = {agent: {} for agent in self.agents}
        if self._taken == self._length:
            self.terminations = dict.fromkeys(self.agents, True)


def aec_loop(env: Any, seconds: float, generator: np.random.Generator) -> float:
    """Decisions a second of CPU time."""
    decisions, games = 0, 0
    until, begun = time.perf_counter() + seconds, time.process_time()
    while time.perf_counter() < until:
        env.reset()
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            legal = np.flatnonzero(observation["action_mask"])
            env.step(legal[generator.integers(len(legal))])
            decisions += 1
        games += 1
    taken = time.process_time() - begun
    assert 0 < games <= decisions
    return decisions / taken


def summary(values: list[float]) -> dict[str, float]:
    """Median, lowest and highest."""
    return {"median": statistics.median(values), "min": min(values), "max": max(values)}


def measure_aec(env_id: str, seconds: float, repeats: int) -> dict[str, Any]:
    """The AEC loop, the do-nothing loop and Connect Four in turn."""
    from pettingzoo.classic import connect_four_v3

    generator = np.random.default_rng(0)
    env, nothing = hopenvs.make(env_id), nothing_like(env_id, generator)
    peer = connect_four_v3.env()
    rows: dict[str, list[float]] = {"hopenvs": [], "do_nothing": [], "connect_four_v3": []}
    aec_loop(env, 0.2, generator)  # compiles
    for _ in range(repeats):
        for name, each in (("hopenvs", env), ("do_nothing", nothing), ("connect_four_v3", peer)):
            rows[name].append(aec_loop(each, seconds, generator))
    ratios = {
        f"hopenvs / {other}": summary([a / b for a, b in zip(rows["hopenvs"], rows[other], strict=True)])
        for other in ("do_nothing", "connect_four_v3")
    }
    return {"decisions_per_s": {k: summary(v) for k, v in rows.items()}, "ratios": ratios}


def nothing_like(env_id: str, generator: np.random.Generator) -> DoNothing:
    """A do-nothing environment with the spaces, the legal actions and the length of random games of an id."""
    env = hopenvs.make(env_id)
    spec = env._spec
    lengths, legals = [], []
    for seed in range(20):
        env.reset(seed=seed)
        plies = 0
        while not env.over:
            legal = env.legal_actions()
            legals.append(len(legal))
            env.step(legal[generator.integers(len(legal))])
            plies += 1
        lengths.append(plies)
    return DoNothing(
        spec.observation_size, spec.num_actions, spec.num_players, round(statistics.mean(lengths)),
        max(1, round(statistics.mean(legals))),
    )  # fmt: skip


class DoNothingInParallel(ParallelEnv):
    """A parallel environment with given spaces in which nothing happens: fresh arrays, fresh infos, an end."""

    metadata = {"name": "do_nothing_in_parallel_v0"}  # noqa: RUF012

    def __init__(self, like: DoNothing) -> None:
        self._like = like
        self.possible_agents = like.possible_agents

    def reset(self, seed=None, options=None):
        """Begin."""
        self.agents = self.possible_agents[:]
        self._taken = 0
        return self._observations(), {agent: {} for agent in self.agents}

    def _observations(self):
        return {agent: self._like.observe(agent) for agent in self.agents}

    def step(self, actions):
        """Count."""
        self._taken += len(actions)
        over = self._taken >= self._like._length
        agents = self.agents
        seen = self._observations()
        if over:
            self.agents = []
        same = (dict.fromkeys(agents, value) for value in (0.0, over, False))
        return seen, *same, {agent: {} for agent in agents}


def parallel_loop(env: Any, seconds: float, generator: np.random.Generator) -> float:
    """Decisions a second of CPU time."""
    decisions, games = 0, 0
    until, begun = time.perf_counter() + seconds, time.process_time()
    while time.perf_counter() < until:
        observations, _ = env.reset()
        while env.agents:
            actions = {}
            for agent, observation in observations.items():
                legal = np.flatnonzero(observation["action_mask"])
                actions[agent] = legal[generator.integers(len(legal))]
            observations, *_ = env.step(actions)
            decisions += len(actions)
        games += 1
    taken = time.process_time() - begun
    assert 0 < games <= decisions
    return decisions / taken


def measure_parallel(env_id: str, seconds: float, repeats: int) -> dict[str, Any]:
    """The parallel loop and the do-nothing loop in turn."""
    generator = np.random.default_rng(0)
    env, nothing = hopenvs.make(env_id, "parallel"), DoNothingInParallel(nothing_like(env_id, generator))
    rows: dict[str, list[float]] = {"hopenvs": [], "do_nothing": []}
    parallel_loop(env, 0.2, generator)  # compiles
    for _ in range(repeats):
        for name, each in (("hopenvs", env), ("do_nothing", nothing)):
            rows[name].append(parallel_loop(each, seconds, generator))
    ratio = summary([a / b for a, b in zip(rows["hopenvs"], rows["do_nothing"], strict=True)])
    return {"decisions_per_s": {k: summary(v) for k, v in rows.items()}, "ratios": {"hopenvs / do_nothing": ratio}}


def random_streams(n: int) -> np.ndarray:
    """[n, 4] uint32."""
    return np.array([rng.generator(row, rng.PLAYOUT) for row in range(n)])


def choose(mask: np.ndarray, streams: np.ndarray) -> np.ndarray:
    """Random actions of the shape of `mask` [N, A] or [N, P, A] without its last axis; `streams` [N or N * P, 4]."""
    return uniform_actions(mask.reshape(-1, mask.shape[-1]), streams).reshape(mask.shape[:-1])


def measure_vector(env_id: str, n: int, threads: int, copy: bool, seconds: float, repeats: int) -> dict[str, Any]:
    """Decisions a second of wall time of `step`, choosing not counted."""
    env = hopenvs.make_vec(env_id, n, threads=threads, copy=copy)
    seats = env._batch.seats_asked
    streams = random_streams(n * seats)
    seen, _ = env.reset(seed=1)
    rates, ended = [], 0
    for repeat in range(repeats + 1):
        spent, steps = 0.0, 0
        until = time.perf_counter() + seconds
        while time.perf_counter() < until:
            actions = choose(seen["action_mask"], streams)
            begun = time.perf_counter()
            seen, _, terminated, _, _ = env.step(actions)
            spent += time.perf_counter() - begun
            steps += 1
            ended += int(terminated.sum())
        if repeat:  # the first spreads the rows over the game
            rates.append(steps * n * seats / spent)
    assert ended > 0
    env.close()
    return summary(rates)


def measure_shares(env_id: str, n: int) -> dict[str, Any]:
    """Nanoseconds a decision of the parts of one step at N rows."""
    env = hopenvs.make_vec(env_id, n)
    batch, spec = env._batch, env._spec
    seats = batch.seats_asked
    streams = random_streams(n * seats)
    seen, _ = env.reset(seed=1)
    for _ in range(300):
        seen, *_ = env.step(choose(seen["action_mask"], streams))
    saved = batch.copy()
    rows = np.repeat(np.arange(n, dtype=np.int32), seats)
    viewers = np.tile(np.arange(seats, dtype=np.int32), n) if seats > 1 else np.maximum(batch.seat, 0).astype(np.int32)
    masks, obs = np.zeros((len(rows), spec.num_actions), np.int8), np.zeros((len(rows), spec.observation_size), np.int8)
    looked = (batch.options_record, batch.states, rows, viewers, masks, obs)
    actions = choose(seen["action_mask"], streams).reshape(n, -1)

    def step() -> None:
        for name in ("states", "mask", "observation", "flags"):
            getattr(batch, name)[...] = getattr(saved, name)
        batch.orders[...] = actions
        batch.step_function()()

    def restore() -> None:
        for name in ("states", "mask", "observation", "flags"):
            getattr(batch, name)[...] = getattr(saved, name)
        batch.orders[...] = actions

    def clear() -> None:
        masks[...] = 0
        obs[...] = 0

    def per_row(action: Callable[[], Any]) -> float:
        action()
        best = []
        for _ in range(7):
            begun = time.perf_counter()
            for _ in range(30):
                action()
            best.append((time.perf_counter() - begun) / 30 / len(rows) * 1e9)
        return statistics.median(best)

    kernel = batch.kernels
    whole = per_row(step) - per_row(restore)
    mask = per_row(lambda: kernel.mask_range(0, len(rows), *looked))
    view = per_row(lambda: kernel.view_range(0, len(rows), *looked))
    return {
        "step": whole, "rules, chance, bookkeeping": whole - view, "mask": mask, "observation": view - mask,
        "of which clearing both buffers": per_row(clear),
        "copy to fresh arrays": per_row(lambda: (batch.mask.copy(), batch.observation.copy())),
        "choosing at random (not part of a step)": per_row(lambda: choose(seen["action_mask"], streams)),
    }  # fmt: skip


def measure_copies(env_id: str) -> dict[str, float]:
    """Microseconds."""
    env = hopenvs.make(env_id)
    env.reset(seed=1)
    batch = hopenvs.make_vec(env_id, 1024)._batch
    source, target = batch.states.view(np.uint8), batch.finals[:-1].view(np.uint8)

    def each(action: Callable[[], Any], count: int) -> float:
        begun = time.perf_counter()
        for _ in range(count):
            action()
        return (time.perf_counter() - begun) / count * 1e6

    one = source[: batch.states.dtype.itemsize], target[: batch.states.dtype.itemsize]
    return {
        "record, of 1024 copied at once": min(each(lambda: np.copyto(target, source), 200) for _ in range(5)) / 1024,
        "record, alone from Python": min(each(lambda: np.copyto(one[1], one[0]), 5000) for _ in range(5)),
        "clone() of an AEC environment": min(each(env.clone, 500) for _ in range(5)),
    }


def measure_start(env_id: str) -> dict[str, float]:
    """Seconds in a fresh process: imports first, then make, reset and one step."""
    code = (
        "import time, numpy, gymnasium, pettingzoo; a = time.perf_counter(); import hopenvs; b = time.perf_counter(); "
        f"env = hopenvs.make({env_id!r}); env.reset(seed=1); env.step(env.legal_actions()[0]); "
        "print(b - a, time.perf_counter() - b)"
    )
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in ("cold", "warm", "warm again"):
            environment = {**os.environ, "NUMBA_CACHE_DIR": folder}
            output = subprocess.run(
                [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
            )
            imported, stepped = map(float, output.stdout.split()[-2:])
            found[f"{name}: make + first step"] = stepped
            found["import hopenvs, beyond numpy, gymnasium and pettingzoo"] = imported
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("id", nargs="?", default="igel_aergern-2p-v0")
    parser.add_argument("--seconds", type=float, default=1.0, help="of one repeat")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--json", help="write the figures to this file")
    given = parser.parse_args()
    env = hopenvs.make_vec(given.id, 1)
    spec = env._spec
    found: dict[str, Any] = {
        "id": given.id,
        "machine": f"{platform.machine()}, {os.cpu_count()} CPUs, Python {platform.python_version()}",
        "bytes a decision": spec.observation_size + spec.num_actions,
        "bytes a record": env._batch.states.dtype.itemsize,
    }
    found["start, s"] = measure_start(given.id)
    found["AEC loop"] = measure_aec(given.id, given.seconds, given.repeats)
    if spec.simultaneous:
        found["parallel loop"] = measure_parallel(given.id, given.seconds, given.repeats)
    found["vector, decisions/s"] = {}
    for n, threads, copy in VECTOR_CASES:
        name = f"N={n}, {threads} thread{'s' if threads > 1 else ''}{'' if copy else ', copy=False'}"
        rates = measure_vector(given.id, n, threads, copy, given.seconds, given.repeats)
        found["vector, decisions/s"][name] = rates
    found["one step at N=1024, ns a decision"] = measure_shares(given.id, 1024)
    found["copies, us"] = measure_copies(given.id)
    show(found)
    if given.json:
        Path(given.json).write_text(json.dumps(found, indent=1))


def show(found: Any, indent: int = 0) -> None:
    """Nested figures as indented lines."""
    for name, value in found.items():
        if isinstance(value, dict) and set(value) == {"median", "min", "max"}:
            low, high = f"{value['min']:,.4g}", f"{value['max']:,.4g}"
            print(f"{'  ' * indent}{name}: {value['median']:,.4g}  ({low} to {high})")
        elif isinstance(value, dict):
            print(f"{'  ' * indent}{name}:")
            show(value, indent + 1)
        else:
            print(
                f"{'  ' * indent}{name}: {value:,.4g}"
                if isinstance(value, float)
                else f"{'  ' * indent}{name}: {value}"
            )


if __name__ == "__main__":
    main()
