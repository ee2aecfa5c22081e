"""Waiting for another thread without going to sleep, for a short time: waking up takes longer than many a kernel."""

from __future__ import annotations

import functools
import os
import time
from typing import Any

import numpy as np

from hopenvs.core import jit

AWAKE = 4e-4  # seconds; what happens between two steps of a batch takes less, or is long beside a thread's waking up
ASLEEP = 300  # waits
PAUSE = 2.5e-6  # seconds; whoever has given a sign lets go of the interpreter in that time


def load(cells: Any, k: int) -> int:
    """Cell `k` of `cells` [n] int64, as other threads have left it."""
    return cells[k]


def relax() -> None:
    """Let the processor know that this thread waits."""


def wait_range(cells: Any, k: int, sign: int, looks: int, pause: int) -> bool:
    """Look at cell `k` up to `looks` times, until `sign` stands there, then wait for as long as `pause` looks take."""
    for _ in range(looks):
        if load(cells, k) == sign:
            for _ in range(pause):
                relax()
            return True
        relax()
    return False


if jit.BACKEND == "numba":
    from hopenvs.core import machine

    machine.compile_waiting(load, relax)


class Waiting:
    """Cells in which threads give each other signs, and the wait for one.

    A sign is a hint: who has seen none, or a wrong one, must lose nothing but time. Where there are more threads than
    processors nobody stays awake, nor while other programs want the processor: what a thread spends on waiting, it
    would lack for its work.

    Args:
        cells: how many signs can be given.
        threads: how many threads there will be.
    """

    LINE = 16  # cells of 8 bytes: two lines of a cache, so that threads don't write to one that another looks at

    def __init__(self, cells: int, threads: int) -> None:
        self._cells = np.zeros(cells * self.LINE, np.int64)
        self._asleep = [0] * cells  # so many waits to come aren't worth staying awake
        self._wait = _compiled_wait()
        self._sleepy = self._wait is None or threads > processors()
        if not self._sleepy:
            a_look = min(self._seconds(-1, 300) for _ in range(3)) / 300
            self._looks, self._pause = max(1, int(AWAKE / a_look)), max(1, int(PAUSE / a_look))

    def give(self, k: int, sign: int) -> None:
        """Write a sign, 0 or more."""
        self._cells[k * self.LINE] = sign

    def wait(self, k: int, sign: int, turn: int = 0) -> None:
        """Until the sign stands in cell k, for `AWAKE` seconds at most; then `turn` + 1 times `PAUSE`."""
        if self._sleepy:
            return
        if self._asleep[k]:
            self._asleep[k] -= 1
        elif self._seconds(sign, self._looks, k, (turn + 1) * self._pause) > 2 * AWAKE:
            self._asleep[k] = ASLEEP  # another program had the processor meanwhile

    def _seconds(self, sign: int, looks: int, k: int = 0, pause: int = 0) -> float:
        """Wait, and say how long that took."""
        began = time.perf_counter()
        self._wait(self._cells, k * self.LINE, sign, looks, pause)
        return time.perf_counter() - began


def processors() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@functools.cache
def _compiled_wait() -> Any:
    """The compiled `wait_range`; None without a compiler: Python could not wait without the lock that others need."""
    if jit.BACKEND == "plain":
        return None
    kernel = jit.instantiate(wait_range, {"load": load, "relax": relax}, "wait_range", entry=True)
    return jit.entry_point(kernel, (np.zeros(1, np.int64), 0, 0, 0, 0))
