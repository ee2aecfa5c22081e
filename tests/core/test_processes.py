"""Workers of every kind: forked, spawned or from a fork server, they play what the parent plays."""

import hashlib
import multiprocessing
import os
import sys

import numpy as np
import pytest

from hopenvs.core import kernels
from hopenvs.core.batch import ROWS_PER_THREAD, Batch
from hopenvs.core.options import parse_options
from tests.games_for_tests import tick_game

ROWS = 2 * ROWS_PER_THREAD
STEPS = 6  # a game of the tick game takes at most 5
KINDS = [kind for kind in ("fork", "spawn", "forkserver") if kind in multiprocessing.get_all_start_methods()]


def first_legal(batch):
    return np.argmax(batch.mask, axis=-1).astype(np.int32)


def digest_of(batch, steps):
    """Play on and hash every buffer."""
    digest = hashlib.sha256()
    for _ in range(steps):
        actions = first_legal(batch)
        actions[:, -1] = batch.spec.num_actions - 1 - np.argmax(batch.mask[:, -1, ::-1], axis=-1)
        batch.step(actions)
        for buffer in (batch.states, batch.mask, batch.observation, batch.rewards, batch.flags):
            digest.update(buffer.tobytes())
    return digest.hexdigest()


def new_batch(threads):
    batch = Batch(tick_game, parse_options(tick_game, {}), ROWS, autoreset=kernels.SAME_STEP, threads=threads)
    batch.start(kernels.NEW_SEED, range(ROWS))
    return batch


def play_anew(threads, answers):
    """A child's work: its own games, in so many threads."""
    answers.put((os.getpid(), digest_of(new_batch(threads), STEPS)))


def play_on(batch, answers):
    """A child's work: go on with the parent's games."""
    answers.put((os.getpid(), digest_of(batch, STEPS)))


def answer_of(kind, target, *arguments, count=1):
    """What children of this kind answer; they must end by themselves."""
    context = multiprocessing.get_context(kind)
    answers = context.Queue()
    children = [context.Process(target=target, args=(*arguments, answers)) for _ in range(count)]
    for child in children:
        child.start()
    found = [answers.get(timeout=120) for _ in children]
    for child in children:
        child.join(timeout=60)
        assert child.exitcode == 0
    assert len({process for process, _ in found}) == count
    assert os.getpid() not in {process for process, _ in found}
    return {digest for _, digest in found}


@pytest.fixture(scope="module")
def expected():
    """The digest of serial play here."""
    return digest_of(new_batch(1), STEPS)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
# From 3.12 on Python warns of any fork in a process with threads, which is just what is tested here.
@pytest.mark.filterwarnings("ignore:.*use of fork.* may lead to deadlocks:DeprecationWarning")
def test_children_play_the_same_after_the_parents_threads_have_worked(kind, expected):
    parent = new_batch(2)
    assert digest_of(parent, STEPS) == expected
    assert answer_of(kind, play_anew, 2, count=2 if kind == "fork" else 1) == {expected}
    after = digest_of(parent.copy(), STEPS)
    if kind == "fork":  # the child inherits a pool whose threads it doesn't have
        assert answer_of(kind, play_on, parent) == {after}
    else:
        assert answer_of(kind, play_on, parent.copy()) == {after}
    assert digest_of(parent, STEPS) == after, "the parent's threads go on"
    parent.pool.close()


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*use of fork.* may lead to deadlocks:DeprecationWarning")
def test_a_fork_while_the_pool_is_at_work_hurts_neither_side(expected):
    """The child is forked inside a kernel, while the pool is in use."""
    from hopenvs.core.pool import Pool

    pool, batch = Pool(2), new_batch(2)
    children = []

    def kernel(lo, hi):
        if lo == 0:
            child = os.fork()
            if child == 0:
                ok = False
                try:
                    ok = (
                        digest_of(batch, STEPS) == expected
                        and sum(map(len, pool.run(lambda a, b: range(a, b), 9))) == 9
                    )
                finally:
                    os._exit(0 if ok else 1)
            children.append(child)
        return lo

    pool.run(kernel, 2)
    [child] = children
    assert os.waitpid(child, 0)[1] == 0
    assert digest_of(batch, STEPS) == expected
    pool.close()
    batch.pool.close()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="about exit codes of Unix")
def test_a_process_ends_though_a_pool_was_never_closed(run_python):
    code = """
from hopenvs.core.pool import Pool
kept = Pool(3)
print([list(part) for part in kept.run(range, 5)])
"""
    assert run_python(code) == "[[0], [1, 2], [3, 4]]"
