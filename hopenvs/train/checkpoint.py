"""Checkpoints: everything a run needs to go on as if nothing had happened, in one file that no reader has to trust.

A checkpoint is a zip archive: `checkpoint.json` (which run it is of, counters, generators), `tensors.pth` (networks,
optimizer, snapshots; read with `torch.load(weights_only=True)`) and `arrays.npz` (the games; read without pickle). It
is written to a temporary file, flushed to the disk and then renamed: a file by its final name is whole, whenever the
power went. The archive's checksums find what rots later.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from hopenvs.agents.policy import read_tensors
from hopenvs.core.errors import OptionError
from hopenvs.train.files import write_whole

FORMAT = 2
KEPT = 2
PATTERN = "checkpoint-*.zip"
FACTS, TENSORS, ARRAYS = "checkpoint.json", "tensors.pth", "arrays.npz"


class CheckpointError(OptionError):
    """A checkpoint that is damaged or belongs to another run; the message names the file."""


@dataclass(frozen=True)
class Checkpoint:
    """What a checkpoint holds.

    Attributes:
        facts: JSON-able: counters, generators, which run it is of.
        tensors: state dicts by name.
        arrays: by name.
    """

    facts: Mapping[str, Any]
    tensors: Mapping[str, Any]
    arrays: Mapping[str, np.ndarray]


def checkpoints(folder: Path) -> list[Path]:
    """Those in a folder, oldest first."""
    return sorted(folder.glob(PATTERN))


def _name(steps: Any) -> str:
    return f"checkpoint-{steps:012d}.zip"


def save_checkpoint(folder: Path, steps: int, checkpoint: Checkpoint) -> Path:
    """Write a checkpoint (its facts say "steps", too) and remove all but the last KEPT.

    Returns:
        The file.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for unfinished in folder.glob("*.tmp"):
        unfinished.unlink()
    tensors, arrays = io.BytesIO(), io.BytesIO()
    torch.save(dict(checkpoint.tensors), tensors)
    np.savez(arrays, allow_pickle=False, **checkpoint.arrays)
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr(FACTS, json.dumps({"format": FORMAT, **checkpoint.facts}))
        archive.writestr(TENSORS, tensors.getvalue())
        archive.writestr(ARRAYS, arrays.getvalue())
    path = folder / _name(steps)
    write_whole(path, content.getvalue())
    for old in checkpoints(folder)[:-KEPT]:
        old.unlink()
    return path


def load_checkpoint(path: Path) -> Checkpoint:
    """Read a checkpoint.

    Raises:
        CheckpointError: if it is damaged (says which one to go back to), or called as one of other steps.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            facts = json.loads(archive.read(FACTS))
            tensors = read_tensors(archive.read(TENSORS))
            with np.load(io.BytesIO(archive.read(ARRAYS)), allow_pickle=False) as stored:
                arrays = {name: stored[name] for name in stored.files}
    except OSError:
        raise
    except Exception as error:  # zipfile, json, torch and numpy raise many kinds for a damaged file
        raise CheckpointError(f"{path}: damaged checkpoint ({error}); {_way_out(path)}") from None
    if not isinstance(facts, dict) or facts.get("format") != FORMAT:
        known = facts.get("format") if isinstance(facts, dict) else facts
        raise CheckpointError(f"{path}: checkpoint of format {known!r}: this version reads {FORMAT}")
    steps = facts.get("steps")
    if not isinstance(steps, int) or path.name != _name(steps):
        raise CheckpointError(
            f"{path}: holds the state after {steps!r} steps, which does not go with its name; {_way_out(path)}"
        )
    return Checkpoint(facts, tensors, arrays)


def _way_out(path: Path) -> str:
    before = [other for other in checkpoints(path.parent) if other.name < path.name]
    if before:
        return f"remove it to go on from the one before it, {before[-1].name}"
    return "there is none before it: start again in another folder"
