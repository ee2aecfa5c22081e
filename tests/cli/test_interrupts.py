import contextlib
import os
import signal
import sys
import threading

import pytest

from hopenvs.cli import interrupts

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="os.kill ends processes there")


@pytest.fixture(autouse=True)
def as_in_a_terminal():
    """A shell's background jobs ignore SIGINT, and so would the tests in them."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_an_interrupt_that_was_swallowed_is_raised_again():
    before = signal.getsignal(signal.SIGINT)
    with interrupts.kept() as look:
        look()
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
        for _ in range(2):
            with pytest.raises(KeyboardInterrupt):
                look()
    assert signal.getsignal(signal.SIGINT) is before


def test_in_another_thread_nothing_changes():
    found = []

    def other():
        with interrupts.kept() as look:
            look()
            found.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=other)
    thread.start()
    thread.join()
    assert found == [signal.getsignal(signal.SIGINT)]


def test_where_it_is_ignored_it_stays_so():
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with interrupts.kept():
        os.kill(os.getpid(), signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN


def test_the_handler_is_put_back_after_an_error():
    before = signal.getsignal(signal.SIGINT)
    with contextlib.suppress(ValueError), interrupts.kept():
        raise ValueError
    assert signal.getsignal(signal.SIGINT) is before
