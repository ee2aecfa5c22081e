"""How near compiled batches come to C written by hand: Hooop! for two (`hooop-2p-v0`), beside `c/hooop_two.c`.

    python benchmarks/c_limit.py [--games 2000] [--rows 1024] [--repeats 5] [--compiler cc] [--json FILE]

The C program knows one game under one set of options, and keeps it in bits of its own choosing. It is compiled here
(-O3 -march=native). Two loops are timed, one thread each, CPU time, the two programs in turn:

- play: random games to their ends. Both draw the same choices, so they play the same games: asserted are equal counts
  of decisions, turns and wins.
- rows: a decision in each of N games, then its mask and observation for whoever is next, the next game where one is
  over. Actions are drawn beforehand. Asserted (in a pass of
  its own) are equal masks, observations, rewards and ends in every step.

Told are millions of decisions a second: the median of the repeats, with the lowest and the highest; and the ratio.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import platform
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import hopenvs
from hopenvs import registry
from hopenvs.agents.uniform import uniform_actions
from hopenvs.core import kernels, rng
from hopenvs.core.batch import Batch

ENV = "hooop-2p-v0"
SOURCE = Path(__file__).parent / "c" / "hooop_two.c"
STEPS = 300


def pointer(array: np.ndarray) -> ctypes.c_void_p:
    """Where an array's numbers lie."""
    assert array.flags.c_contiguous
    return array.ctypes.data_as(ctypes.c_void_p)


class InC:
    """The C program.

    Args:
        folder: for the compiled library.
        compiler: its command.
    """

    def __init__(self, folder: str, compiler: str) -> None:
        library = str(Path(folder) / "hooop_two.so")
        flags = ("-O3", "-march=native", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC")
        subprocess.run([compiler, *flags, "-o", library, str(SOURCE)], check=True)
        self._library = ctypes.CDLL(library)
        for name in ("play", "step_rows", "state_bytes"):
            getattr(self._library, name).restype = ctypes.c_int64
        self._library.make_tables()

    def play(self, streams: np.ndarray) -> tuple[int, int, list[int]]:
        """(decisions, turns, wins of each seat) of a random game for each stream [n, 4], all to their ends."""
        wins, turns = np.zeros(2, np.int64), np.zeros(1, np.int64)
        n = ctypes.c_int64(len(streams))
        taken = self._library.play(n, pointer(streams), pointer(wins), pointer(turns))
        return taken, int(turns[0]), wins.tolist()

    def begin(self, n: int, mask: np.ndarray, seen: np.ndarray) -> None:
        """Begin n games; `mask` [n, A] and `seen` [n, D] int8 are filled."""
        self._mask, self._seen = mask, seen
        self._states = np.zeros((n, self._library.state_bytes()), np.uint8)
        self.rewards, self.ended = np.zeros((n, 2), np.float32), np.zeros(n, np.uint8)
        self._library.begin_rows(ctypes.c_int64(n), *map(pointer, (self._states, mask, seen)))

    def step(self, actions: np.ndarray) -> None:
        """A decision in every game: actions [n] int32."""
        arrays = (self._states, actions, self._mask, self._seen, self.rewards, self.ended)
        self._library.step_rows(ctypes.c_int64(len(actions)), *map(pointer, arrays))


def batch_of(n: int, **keywords: Any) -> Batch:
    """N new games."""
    game, options = registry.resolve(ENV, {})
    batch = Batch(game, options, n, **keywords)
    batch.start(kernels.NEW_SEED, list(range(n)))
    return batch


def streams_of(n: int) -> np.ndarray:
    """[n, 4] generators."""
    return np.stack([rng.generator(k, rng.PLAYOUT) for k in range(n)])


def time_play(program: InC, games: int) -> tuple[float, float]:
    """Millions of decisions a second: (hopenvs, C)."""
    batch, streams, copied = batch_of(games), streams_of(games), streams_of(games)
    began = time.process_time()
    taken = batch.playout(streams, 10**9)
    between = time.process_time()
    in_c = program.play(copied)
    ended = time.process_time()
    states = batch.states
    assert in_c == (taken, int(states["turn"].sum()), states["winners"][:, :2].sum(axis=0).tolist())
    assert (streams == copied).all()
    return taken / (between - began) / 1e6, taken / (ended - between) / 1e6


def time_rows(program: InC, n: int, *, compare: bool) -> tuple[float, float]:
    """Millions of decisions a second: (hopenvs, C); `compare` looks at everything in between."""
    batch, streams = batch_of(n, autoreset=kernels.SAME_STEP), streams_of(n)
    mask, seen = np.zeros((n, batch.mask.shape[2]), np.int8), np.zeros((n, batch.spec.observation_size), np.int8)
    program.begin(n, mask, seen)
    own = in_c = 0.0
    for _ in range(STEPS):
        if compare:
            assert np.array_equal(batch.mask[:, 0], mask)
            assert np.array_equal(batch.observation[:, 0], seen)
        actions = uniform_actions(batch.mask[:, 0], streams).astype(np.int32)
        began = time.process_time()
        batch.step(actions[:, None])
        between = time.process_time()
        program.step(actions)
        in_c += time.process_time() - between
        own += between - began
        if compare:
            assert np.array_equal(batch.rewards, program.rewards)
            assert np.array_equal(batch.terminated | batch.truncated, program.ended.astype(bool))
    assert np.array_equal(batch.mask[:, 0], mask)
    return n * STEPS / own / 1e6, n * STEPS / in_c / 1e6


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=2000, help="of play")
    parser.add_argument("--rows", type=int, default=1024, help="games side by side")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--compiler", default="cc")
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        program = InC(folder, given.compiler)
        time_play(program, 10)
        time_rows(program, 64, compare=True)
        loops: dict[str, Callable[[], tuple[float, float]]] = {
            "play": lambda: time_play(program, given.games),
            "rows": lambda: time_rows(program, given.rows, compare=False),
        }
        figures: dict[str, Any] = {name: [loop() for _ in range(given.repeats)] for name, loop in loops.items()}
    print(f"{ENV}, hopenvs {hopenvs.__version__}, Python {platform.python_version()}, {platform.machine()}")
    print("| loop | hopenvs, M decisions/s | C | ratio |\n|---|---|---|---|")
    for name, pairs in figures.items():
        words = [
            f"{statistics.median(side):.2f} ({min(side):.2f} to {max(side):.2f})" for side in zip(*pairs, strict=True)
        ]
        print(f"| {name} | {' | '.join(words)} | {statistics.median(own / c for own, c in pairs):.2f} |")
    if given.json:
        given.json.write_text(json.dumps(figures, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
