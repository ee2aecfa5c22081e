"""The thread pool: parts in order, failures as they were raised, threads that end with their pool."""

import copy
import gc
import pickle
import threading
import time

import pytest

from hopenvs.core.pool import Pool


def rows(lo, hi):
    return list(range(lo, hi))


def threads_of_pools():
    return {thread for thread in threading.enumerate() if thread.name.startswith("hopenvs-pool")}


@pytest.fixture
def before():
    """The pool threads there were before the test; it must leave no other."""
    gc.collect()
    found = threads_of_pools()
    yield found
    gc.collect()
    wait_until(lambda: threads_of_pools() <= found)


def wait_until(holds):
    for _ in range(500):
        if holds():
            return
        time.sleep(0.01)
    raise AssertionError("still not so after 5 seconds")


@pytest.mark.parametrize("threads", [1, 2, 3, 8])
@pytest.mark.parametrize("n", [0, 1, 2, 7, 100])
def test_the_parts_cover_every_row_once_and_in_order(before, threads, n):
    pool = Pool(threads)
    parts = pool.run(rows, n)
    assert [row for part in parts for row in part] == list(range(n))
    assert len(parts) == max(1, min(threads, n)), "fewer rows than threads: fewer parts"
    assert max(map(len, parts)) - min(map(len, parts)) <= 1


def test_further_arguments_reach_every_part(before):
    assert Pool(3).run(lambda lo, hi, a, b: (a, b), 9, "x", 2) == [("x", 2)] * 3


def test_the_parts_run_at_once(before):
    barrier = threading.Barrier(3, timeout=30)
    assert sorted(Pool(3).run(lambda lo, hi: barrier.wait(), 3)) == [0, 1, 2]


def test_the_callers_thread_does_the_first_part(before):
    names = Pool(3).run(lambda lo, hi: threading.current_thread(), 3)
    assert names[0] is threading.current_thread()
    assert len(set(names)) == 3


def test_one_thread_starts_none(before):
    pool = Pool(1)
    assert pool.run(rows, 5) == [[0, 1, 2, 3, 4]]
    assert threads_of_pools() == before


def test_a_pool_starts_its_threads_when_first_used_and_keeps_them(before):
    pool = Pool(3)
    assert threads_of_pools() == before
    for _ in range(50):
        pool.run(rows, 10)
    assert len(threads_of_pools() - before) == 2
    pool.close()


@pytest.mark.parametrize("bad", [0, 1, 2])
def test_a_failure_arrives_as_it_was_raised_and_the_pool_goes_on(before, bad):
    def kernel(lo, hi):
        if lo == bad:
            raise KeyError("row", lo)
        return lo

    pool = Pool(3)
    for _ in range(3):
        with pytest.raises(KeyError) as caught:
            pool.run(kernel, 3)
        assert caught.value.args == ("row", bad)
        assert pool.run(rows, 3) == [[0], [1], [2]]
    pool.close()


def test_the_first_parts_failure_is_the_one_that_arrives_and_no_other_is_left_behind(before):
    def kernel(lo, hi):
        raise KeyError(lo)

    pool = Pool(3)
    with pytest.raises(KeyError) as caught:
        pool.run(kernel, 3)
    assert caught.value.args == (0,)
    assert pool.run(rows, 3) == [[0], [1], [2]]
    with pytest.raises(KeyError):
        pool.run(kernel, 3)
    assert pool.run(rows, 2) == [[0], [1]], "with fewer parts than failed before"
    assert pool.run(rows, 3) == [[0], [1], [2]]
    pool.close()


def test_all_parts_have_ended_when_a_failure_arrives(before):
    ended = []

    def kernel(lo, hi):
        if lo == 0:
            raise ValueError
        time.sleep(0.05)
        ended.append(lo)

    pool = Pool(3)
    with pytest.raises(ValueError, match=r"^$"):
        pool.run(kernel, 3)
    assert sorted(ended) == [1, 2]
    pool.close()


def test_several_threads_may_use_one_pool(before):
    """Copies of a batch share its pool, and may be stepped in threads of the caller's own."""
    pool = Pool(3)
    wrong = []

    def rows_in_turn(lo, hi):
        time.sleep(0)  # let others go first
        return rows(lo, hi)

    def use(first):
        for k in range(200):
            n = first + k % 7
            parts = pool.run(rows_in_turn, n)
            if [row for part in parts for row in part] != list(range(n)):
                wrong.append((n, parts))

    users = [threading.Thread(target=use, args=(10 * k + 3,), daemon=True) for k in range(4)]
    for user in users:
        user.start()
    for user in users:
        user.join(timeout=60)
    assert not any(user.is_alive() for user in users)
    assert not wrong
    pool.close()


def test_a_kernel_may_use_the_pool_it_runs_in(before):
    pool = Pool(2)
    outer = pool.run(lambda lo, hi: [row for part in pool.run(rows, 4) for row in part], 2)
    assert outer == [[0, 1, 2, 3]] * 2
    pool.close()


def test_a_closed_pool_starts_afresh_and_may_be_closed_again(before):
    pool = Pool(3)
    pool.close()
    pool.run(rows, 3)
    pool.close()
    pool.close()
    wait_until(lambda: threads_of_pools() == before)
    assert pool.run(rows, 3) == [[0], [1], [2]]
    pool.close()


def test_a_forgotten_pool_ends_its_threads(before):
    pool = Pool(4)
    pool.run(rows, 4)
    assert len(threads_of_pools() - before) == 3
    del pool
    gc.collect()
    wait_until(lambda: threads_of_pools() == before)


def test_a_pool_does_not_keep_what_it_was_given(before):
    class Rows:
        def __call__(self, lo, hi):
            return lo

    import weakref

    pool, kernel = Pool(2), Rows()
    reference = weakref.ref(kernel)
    pool.run(kernel, 2)
    del kernel
    gc.collect()
    assert reference() is None
    pool.close()


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda pool: pickle.loads(pickle.dumps(pool))])
def test_a_copy_has_threads_of_its_own(before, duplicate):
    pool = Pool(2)
    pool.run(rows, 2)
    twin = duplicate(pool)
    assert twin.threads == 2
    assert twin.run(rows, 2) == [[0], [1]]
    twin.close()
    assert pool.run(rows, 2) == [[0], [1]]
    pool.close()


@pytest.mark.parametrize("threads", [0, -1, True, 1.5, 2.0, "2", None], ids=repr)
def test_anything_but_a_positive_integer_is_refused(before, threads):
    with pytest.raises(ValueError, match=r"threads=.*expected a positive integer"):
        Pool(threads)
