"""Ctrl-C that stays: where a library swallows the exception, the work would go on."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from typing import Any


@contextlib.contextmanager
def kept() -> Iterator[Callable[[], None]]:
    """Ctrl-C raises KeyboardInterrupt at once, as always, and again whenever the function yielded is called after it.

    Python drops exceptions that reach a callback of C (as of LLVM while it compiles), and Ray's calls catch them.
    """
    pressed = False

    def press(*_: Any) -> None:
        nonlocal pressed
        pressed = True
        raise KeyboardInterrupt

    def look() -> None:
        if pressed:
            raise KeyboardInterrupt

    main = threading.current_thread() is threading.main_thread()  # which alone is interrupted
    if not main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:  # ignored, or somebody else's
        yield look
        return
    signal.signal(signal.SIGINT, press)
    try:
        yield look
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
