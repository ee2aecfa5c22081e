"""The clock of a game in which all act at once: so many ticks a second, whoever gave no answer in time."""

from __future__ import annotations

import os
import queue
import threading
import time
from typing import IO, Any

CHUNK = 4096  # bytes read at once


class Clock:
    """Asks for lines until a tick is over. What is typed too late is the first answer of the next tick.

    Args:
        ticks: how many a second.
        stream: where the lines come from.
    """

    def __init__(self, ticks: float, stream: IO[str]) -> None:
        self._length = 1 / ticks
        self._end = 0.0
        self._begun = False
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()  # None: there will be no more
        threading.Thread(target=self._listen, args=(stream,), daemon=True).start()

    def _listen(self, stream: IO[str]) -> None:
        try:
            source: Any = stream.fileno()
        except OSError:  # nothing the operating system knows, such as a text in memory
            for line in stream:
                self._lines.put(line)
        else:
            self._listen_to_file(source)
        self._lines.put(None)

    def _listen_to_file(self, source: int) -> None:
        """Lines of a file descriptor; a thread that waits in `readline` would hold the stream when the program ends."""
        rest = b""
        while chunk := os.read(source, CHUNK):
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                self._lines.put(line.decode("utf-8", "replace"))
        if rest:
            self._lines.put(rest.decode("utf-8", "replace"))

    def _begin_tick(self) -> None:
        """With the first question: what others have thought before isn't taken from the person's time."""
        self._begun = True
        self._end = time.monotonic() + self._length

    def read(self, prompt: str) -> str:
        """The next line; a tick begins with the first one.

        Raises:
            TimeoutError: if the tick is over before there is one.
            EOFError: if there are no more.
        """
        if not self._begun:
            self._begin_tick()
        print(prompt, end="", flush=True)
        try:
            line = self._lines.get(timeout=max(0.0, self._end - time.monotonic()))
        except queue.Empty:
            print()
            raise TimeoutError from None
        if line is None:
            self._lines.put(None)
            raise EOFError
        return line

    def wait_for_end(self) -> None:
        """Return when the tick is over; the next question begins another."""
        self._begun = False
        time.sleep(max(0.0, self._end - time.monotonic()))
