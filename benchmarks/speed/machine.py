"""Where the figures were measured, and how busy others kept the machine meanwhile."""

from __future__ import annotations

import os
import subprocess
import time
from importlib import metadata
from pathlib import Path
from typing import Any

from hopenvs.cli import bench

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("open_spiel", "pgx", "jax", "jaxlib", "matplotlib")  # besides those that `hopenvs bench` names


def facts() -> dict[str, Any]:
    """Machine, versions and commit; a package that isn't installed is None."""
    found = {name: fact for name, fact in bench.machine().items() if name != "load"}
    return found | {name: version(name) for name in PACKAGES} | {"commit": commit()}


def version(package: str) -> str | None:
    """A package's version; None if it isn't installed."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def commit() -> str | None:
    """The commit of this checkout, with a plus if the package isn't as committed; None outside of one."""
    try:
        name = _git("rev-parse", "--short=10", "HEAD")
        return name + ("+" if _git("status", "--porcelain", "--", "hopenvs") else "")
    except (OSError, subprocess.CalledProcessError):
        return None


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


class Others:
    """How busy processes other than this one and its children keep the machine, from where this is made.

    Children count when they have ended, or by what they tell (`spent_elsewhere`, CPU seconds of those still alive).
    """

    def __init__(self) -> None:
        self._began, self._busy, self._own = time.perf_counter(), _busy_seconds(), _own_seconds()

    def share(self, spent_elsewhere: float = 0.0) -> float | None:
        """The share of all cores' time that others took; None where the system doesn't tell."""
        busy = _busy_seconds()
        if busy is None or self._busy is None:
            return None
        others = busy - self._busy - (_own_seconds() - self._own) - spent_elsewhere
        elapsed = time.perf_counter() - self._began
        return max(0.0, others / (elapsed * (os.cpu_count() or 1)))


def _busy_seconds() -> float | None:
    """CPU seconds of all processes since the machine was started."""
    try:
        line = Path("/proc/stat").read_text(encoding="ascii").splitlines()[0]
    except OSError:
        return None
    user, nice, system, _idle, _wait, *interrupts = map(int, line.split()[1:])
    return (user + nice + system + sum(interrupts[:3])) / os.sysconf("SC_CLK_TCK")


def _own_seconds() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system
