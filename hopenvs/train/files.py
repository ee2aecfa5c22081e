"""What folders of results have in common: files that are whole, and what they were made with."""

from __future__ import annotations

import os
import platform
from importlib import metadata
from pathlib import Path

PACKAGES = ("hopenvs", "numpy", "numba", "torch", "stable_baselines3", "sb3_contrib", "ray", "gymnasium")


def versions() -> dict[str, str]:
    """What a run is made with."""
    found = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that it's there in full or not at all."""
    temporary = path.with_name(path.name + ".tmp")
    with temporary.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)
