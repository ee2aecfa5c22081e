"""Checkpoints of the engine rllib: RLlib's own, as a folder, with a file that says which run it is of.

A checkpoint is written to a folder by a temporary name, flushed to the disk and then renamed, as `checkpoint.py` does
with its files: a folder by its final name is whole. Digests of all its files find what rots later.

RLlib pickles what it keeps. Whoever resumes a run, or loads its checkpoint with `Algorithm.from_checkpoint`, runs the
code that its author put there: resume only runs of people you trust. (Models hold no code: `agents/policy.py`.)
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from hopenvs.train.checkpoint import KEPT, CheckpointError
from hopenvs.train.files import write_whole

FORMAT = 1
FACTS = "hopenvs.json"
UNFINISHED = ".tmp"


def checkpoints(folder: Path) -> list[Path]:
    """The whole ones in a folder, oldest first."""
    return sorted(path for path in folder.glob("checkpoint-*") if path.is_dir() and path.suffix != UNFINISHED)


def save_checkpoint(folder: Path, facts: Mapping[str, Any], write: Callable[[Path], Any]) -> Path:
    """Write a checkpoint and remove all but the last KEPT.

    Args:
        folder: of all checkpoints.
        facts: JSON-able: "steps", counters, which run it is of.
        write: has RLlib write its part into a folder.

    Returns:
        The checkpoint's folder.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for unfinished in folder.glob(f"*{UNFINISHED}"):
        shutil.rmtree(unfinished)
    path = folder / _name(facts["steps"])
    temporary = path.with_name(path.name + UNFINISHED)
    temporary.mkdir()
    write(temporary)
    content = {"format": FORMAT, "digests": _digests(temporary), **facts}
    write_whole(temporary / FACTS, json.dumps(content).encode())
    for part in (*temporary.rglob("*"), temporary):
        _flush(part)
    if path.exists():  # of the same steps: written before an update in which nobody played
        shutil.rmtree(path)
    temporary.replace(path)
    _flush(folder)
    for old in checkpoints(folder)[:-KEPT]:
        shutil.rmtree(old)
    return path


def load_facts(path: Path) -> dict[str, Any]:
    """What a checkpoint says about itself; its files are found to be whole.

    Raises:
        CheckpointError: if it is damaged (says which one to go back to).
    """
    try:
        facts = json.loads((path / FACTS).read_text(encoding="utf-8"))
        if facts["format"] != FORMAT:
            raise CheckpointError(f"{path}: checkpoint of format {facts['format']!r}: this version reads {FORMAT}")
        if path.name != _name(facts["steps"]):
            raise ValueError(f"holds the state after {facts['steps']} steps, which does not go with its name")
        for name, digest in _digests(path).items():
            if facts["digests"].get(name) != digest:
                raise ValueError(f"{name} is not what was written")
        for name in facts["digests"]:
            if not (path / name).exists():
                raise ValueError(f"{name} is missing")
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise damaged(path, error) from None
    return facts


def damaged(path: Path, error: BaseException) -> CheckpointError:
    """What is raised for a checkpoint that can't be read."""
    before = [other for other in checkpoints(path.parent) if other.name < path.name]
    way_out = (
        f"remove it to go on from the one before it, {before[-1].name}"
        if before
        else "there is none before it: start again in another folder"
    )
    return CheckpointError(f"{path}: damaged checkpoint ({error}); {way_out}")


def _name(steps: int) -> str:
    return f"checkpoint-{steps:012d}"


def _digests(folder: Path) -> dict[str, str]:
    """The SHA-256 of every file but FACTS, by its path in the folder."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != FACTS)
    return {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def _flush(path: Path) -> None:
    """Have a file's or a folder's content on the disk."""
    if path.is_dir() and os.name == "nt":
        return  # Windows opens no folders
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
