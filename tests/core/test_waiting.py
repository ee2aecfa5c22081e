"""Waiting for another thread without sleeping: signs are seen, and nothing hangs if there is none."""

import threading

import numpy as np
import pytest

from hopenvs.core.pool import Pool
from hopenvs.core.waiting import Waiting, _compiled_wait, processors
from tests.core.conftest import needs_numba


@needs_numba
def test_a_sign_is_seen_and_a_wrong_one_is_not():
    cells = np.array([3, 4], np.int64)
    wait = _compiled_wait()
    assert wait(cells, 1, 4, 1, 5)
    assert not wait(cells, 0, 4, 1000, 5)


@needs_numba
def test_a_sign_is_seen_that_another_thread_gives_meanwhile():
    cells, seen = np.zeros(1, np.int64), []
    waiting = threading.Thread(target=lambda: seen.append(_compiled_wait()(cells, 0, 1, 10**12, 1)), daemon=True)
    waiting.start()
    cells[0] = 1
    waiting.join(60)
    assert seen == [True]


@pytest.mark.parametrize("threads", [1, processors(), processors() + 1])
def test_without_a_sign_one_goes_on(threads):
    waiting = Waiting(2, threads)
    waiting.give(0, 7)
    waiting.wait(1, 7)
    waiting.wait(0, 7, turn=3)


def test_more_threads_than_processors_do_not_keep_them_busy():
    assert Waiting(1, processors() + 1)._wait is None


def test_threads_that_have_gone_to_sleep_wake_up():
    with_sleep, pool = threading.Event(), Pool(2)
    for _ in range(3):
        assert pool.run(lambda lo, hi: hi - lo, 10) == [5, 5]
        with_sleep.wait(0.01)  # longer than they stay awake
    pool.close()
