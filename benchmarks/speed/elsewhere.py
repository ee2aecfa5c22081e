"""What takes another program or another process: C, copies of peers, memory, training."""

from __future__ import annotations

import copy
import csv
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import c_limit
import numpy as np

import hopenvs
from hopenvs.agents.uniform import uniform_actions
from speed.contest import Contestant
from speed.machine import ROOT
from speed.own import SPREAD

COMPILER = "cc"
TRAINING_MINUTES = 0.5
HELD = 300  # environments held at once to see what memory each takes

# Argument: an id of hopenvs, or a module of pettingzoo.classic. Prints bytes an environment.
RESIDENT = f"""
import gc, importlib, os, sys
name = sys.argv[1]
if name.endswith("-v0"):
    import hopenvs
    make = lambda: hopenvs.make(name)
else:
    make = importlib.import_module("pettingzoo.classic." + name).env
def resident():
    gc.collect()
    return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
def made(seed):
    env = make()
    env.reset(seed=seed)
    env.last()
    return env
held = [made(0) for _ in range(5)]
before = resident()
held += [made(seed) for seed in range({HELD})]
print((resident() - before) / {HELD})
"""


class RowsInC:
    """N games of `c_limit.ENV` stepped by the C program."""

    def __init__(self, program: c_limit.InC, n: int) -> None:
        spec = c_limit.batch_of(1).spec
        self._program = copy.copy(program)  # each has games of its own
        self._mask = np.zeros((n, spec.num_actions), np.int8)
        self._program.begin(n, self._mask, np.zeros((n, spec.observation_size), np.int8))
        self._streams, self._n = c_limit.streams_of(n), n
        for _ in range(SPREAD):
            self._program.step(uniform_actions(self._mask, self._streams))

    def measure(self, seconds: float) -> dict[str, float]:
        """Decisions a second of CPU time of stepping."""
        steps, spent, until = 0, 0.0, time.perf_counter() + seconds
        while time.perf_counter() < until:
            actions = uniform_actions(self._mask, self._streams)
            began = time.process_time()
            self._program.step(actions)
            spent += time.process_time() - began
            steps += 1
        assert self._mask.any(axis=1).all()
        return {"step": steps * self._n / spent}


def rows_in_c(batches: tuple[int, ...]) -> dict[str, Contestant]:
    """C, for several N; nobody without a compiler. That it plays the same games is asserted before."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            program = c_limit.InC(folder, COMPILER)
        except (OSError, subprocess.CalledProcessError):
            return {}
    c_limit.time_rows(program, 64, compare=True)
    return {f"C, N={n}": RowsInC(program, n).measure for n in batches}


def openspiel_copies(name: str) -> dict[str, Callable[[], int]]:
    """Clones, and states written and read, of a state of OpenSpiel after some moves."""
    import pyspiel

    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    for _ in range(20):
        state.apply_action(state.legal_actions()[0])

    def clone() -> int:
        for _ in range(16):
            twin = state.clone()
        assert twin.history() == state.history()
        return 16

    def save() -> int:
        twin = game.deserialize_state(state.serialize())
        assert twin.move_number() == state.move_number()
        return 1

    return {f"OpenSpiel {name} clone()": clone, f"OpenSpiel {name} serialize(), deserialize_state()": save}


def bytes_of(env_id: str) -> dict[str, Any]:
    """What a decision hands over, a game's record, a row of a batch, an AEC environment as the system counts it."""
    n = 4096
    batch = hopenvs.make_vec(env_id, n)._batch
    arrays = [array for array in vars(batch).values() if isinstance(array, np.ndarray) and array.base is None]
    return {
        "mask": batch.spec.num_actions,
        "observation": batch.spec.observation_size,
        "record": batch.states.dtype.itemsize,
        "row of a batch": sum(array.nbytes for array in arrays) / n,
        "AEC environment": resident_bytes(env_id),
    }


def resident_bytes(name: str) -> float | None:
    """By how many bytes a process grows for each of its environments; None where the system doesn't tell."""
    if not Path("/proc/self/statm").exists():
        return None
    return float(_python(sys.executable, "-c", RESIDENT, name).split()[-1])


def training(learner: str, env_id: str) -> dict[str, Any]:
    """The medians of a short run's figures; {"missing": why} if it can't be made."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "run"
        minutes = str(TRAINING_MINUTES)
        try:
            _python(learner, "-m", "hopenvs", "train", env_id, "--minutes", minutes, "--out", str(out))
        except subprocess.CalledProcessError as error:
            lines = (error.stderr or "").strip().splitlines() or ["it failed"]
            return {"missing": lines[-1]}
        with (out / "metrics.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
    names = [name for name in rows[0] if name == "steps_per_second" or name.startswith("share_")]
    figures = {name: [float(row[name]) for row in rows if row[name]] for name in names}
    return {name: statistics.median(found) for name, found in figures.items() if found} | {"updates": len(rows)}


def _python(python: str, *words: str) -> str:
    """What a Python that imports this checkout prints."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [python, *words], env=environment, capture_output=True, text=True, check=True, cwd=tempfile.gettempdir()
    ).stdout
