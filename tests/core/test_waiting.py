"""Waiting for another thread without sleeping: signs are seen, and nothing hangs if there is none."""

import threading

import numpy as np
import pytest

from hopenvs.core import waiting
from hopenvs.core.pool import Pool
from hopenvs.core.waiting import Waiting, processors
from tests.core.conftest import needs_numba


@needs_numba
def test_a_sign_is_seen_and_a_wrong_one_is_not():
    cells = np.array([3, 4], np.int64)
    wait = waiting._compiled_wait()
    assert wait(cells, 1, 4, 1, 5)
    assert not wait(cells, 0, 4, 1000, 5)


@needs_numba
def test_a_sign_is_seen_that_another_thread_gives_meanwhile():
    cells, seen = np.zeros(1, np.int64), []
    thread = threading.Thread(target=lambda: seen.append(waiting._compiled_wait()(cells, 0, 1, 10**12, 1)), daemon=True)
    thread.start()
    cells[0] = 1
    thread.join(60)
    assert seen == [True]


@pytest.mark.parametrize("threads", [1, processors(), processors() + 1])
def test_without_a_sign_one_goes_on(threads):
    signs = Waiting(2, threads)
    signs.give(0, 7)
    signs.wait(1, 7)
    signs.wait(0, 7, turn=3)


@needs_numba
def test_nobody_stays_awake_where_processors_are_wanted(monkeypatch):
    def waits(signs):
        before = len(waited)
        signs.wait(0, 1)
        return len(waited) > before

    waited = []
    monkeypatch.setattr(waiting, "_compiled_wait", lambda: lambda *arguments: waited.append(arguments))
    assert waits(Waiting(1, processors()))
    assert not waits(Waiting(1, processors() + 1)), "more threads than processors"
    interrupted = Waiting(1, processors())
    monkeypatch.setattr(waiting, "AWAKE", 0)  # every wait has taken longer
    assert waits(interrupted)
    monkeypatch.undo()
    assert [waits(interrupted) for _ in range(waiting.ASLEEP + 1)] == [False] * waiting.ASLEEP + [True]


def test_threads_that_have_gone_to_sleep_wake_up():
    with_sleep, pool = threading.Event(), Pool(2)
    for _ in range(3):
        assert pool.run(lambda lo, hi: hi - lo, 10) == [5, 5]
        with_sleep.wait(0.01)  # longer than they stay awake
    pool.close()
