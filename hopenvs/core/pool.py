"""Threads over ranges of a kernel that holds no lock: fork-safe, idle when idle, no OpenMP.

A kernel is serial and works on rows [lo, hi); the pool splits [0, n) and runs the parts at once. Rows are independent
(each holds its own generator), so results do not depend on the number of threads.
"""

from __future__ import annotations

import itertools
import operator
import os
import threading
import weakref
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, TypeAlias

from hopenvs.core.waiting import Waiting

Signal: TypeAlias = "SimpleQueue[None]"  # a thread waits for the other's


class Pool:
    """`threads` - 1 waiting threads beside the caller's own.

    Args:
        threads: how many parts run at once; 1 starts no thread.
    """

    def __init__(self, threads: int) -> None:
        try:
            self.threads = 0 if isinstance(threads, bool) else operator.index(threads)
        except TypeError:
            self.threads = 0
        if self.threads < 1:
            raise ValueError(f"threads={threads!r}: expected a positive integer")
        self._owner = 0  # the process that started the threads: after a fork they do not exist in the child
        self._busy = threading.Lock()

    def _start(self) -> None:
        helpers = self.threads - 1
        self._owner = os.getpid()
        self._jobs: list[Callable[[], Any] | None] = [None] * helpers
        self._results: list[Any] = [None] * helpers
        self._failures: list[BaseException | None] = [None] * helpers
        self._go: list[Signal] = [SimpleQueue() for _ in range(helpers)]  # quicker than semaphores
        self._done: list[Signal] = [SimpleQueue() for _ in range(helpers)]
        self._awake = Waiting(2 * helpers, self.threads)  # cell k: how many jobs thread k was given; then: has done
        self._given = [0] * helpers
        self._end = weakref.finalize(self, _end_threads, self._jobs, self._go)
        for k in range(helpers):
            # The thread holds these lists, not the pool, so that a forgotten pool is collected and ends its threads.
            work = (k, self._jobs, self._results, self._failures, self._go[k], self._done[k], self._awake)
            threading.Thread(target=_work, args=work, daemon=True, name=f"hopenvs-pool-{k + 1}").start()

    def run(self, kernel: Callable[..., Any], n: int, *args: Any) -> list[Any]:
        """`kernel(lo, hi, *args)` over parts of [0, n); the results, in order of the parts.

        Raises:
            BaseException: the first part's failure, after all parts have ended.
        """
        parts = min(self.threads, max(n, 1))
        if parts == 1:
            return [kernel(0, n, *args)]
        # Another thread may be using the pool (copies of a batch share one), or the kernel itself: do without it then.
        if not self._busy.acquire(blocking=False):
            return [kernel(0, n, *args)]
        try:
            return self._run_parts(kernel, [n * k // parts for k in range(parts + 1)], args)
        finally:
            self._busy.release()

    def _run_parts(self, kernel: Callable[..., Any], bounds: list[int], args: tuple[Any, ...]) -> list[Any]:
        helpers = len(bounds) - 2
        if self._owner != os.getpid():
            self._start()
        self._failures[:] = [None] * len(self._failures)
        for k in range(helpers):
            self._jobs[k] = lambda lo=bounds[k + 1], hi=bounds[k + 2]: kernel(lo, hi, *args)  # type: ignore[misc]
            self._given[k] += 1
            self._go[k].put(None)
            self._awake.give(k, self._given[k])
        try:
            first = kernel(0, bounds[1], *args)
        finally:
            for k in range(helpers):
                self._awake.wait(len(self._jobs) + k, self._given[k])
                self._done[k].get()
        for failure in self._failures:
            if failure is not None:
                raise failure
        return [first, *self._results[:helpers]]

    def close(self) -> None:
        """End the threads; the pool starts afresh if it is used again."""
        if self._owner == os.getpid():
            self._owner = 0
            self._end()

    def __deepcopy__(self, memo: dict[int, Any]) -> Pool:
        return Pool(self.threads)

    def __reduce__(self) -> tuple[type[Pool], tuple[int]]:
        return Pool, (self.threads,)


def _end_threads(jobs: list[Callable[[], Any] | None], go: list[Signal]) -> None:
    """Wake every waiting thread without a job: that ends it."""
    for k, signal in enumerate(go):
        jobs[k] = None
        signal.put(None)


def _work(
    k: int,
    jobs: list[Callable[[], Any] | None],
    results: list[Any],
    failures: list[BaseException | None],
    go: Signal,
    done: Signal,
    awake: Waiting,
) -> None:
    for number in itertools.count(1):
        awake.wait(k, number, turn=k)
        go.get()
        job = jobs[k]
        if job is None:
            return
        try:
            results[k] = job()
        except BaseException as failure:
            failures[k] = failure
        jobs[k] = job = None
        done.put(None)
        awake.give(len(jobs) + k, number)
