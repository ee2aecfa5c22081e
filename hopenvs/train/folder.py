"""A run's folder: which run it holds, what that came to, and whether another may begin there.

The folder holds config.json, metrics.csv, tensorboard/, checkpoints/, and at the end model.zip, result.json and
learning_curve.png. config.json also says which run it is, by a random number that stands in its checkpoints, too: so a
checkpoint that was copied from elsewhere is found out.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hopenvs.agents.match import Interval
from hopenvs.agents.specs import models_of
from hopenvs.core.errors import OptionError
from hopenvs.train.checkpoint import CheckpointError, checkpoints
from hopenvs.train.config import ENGINES, RunConfig, TrainConfig
from hopenvs.train.files import versions, write_whole
from hopenvs.train.rllib_checkpoint import checkpoints as folder_checkpoints

CONFIG, METRICS, RESULT, CURVE = "config.json", "metrics.csv", "result.json", "learning_curve.png"
CHECKPOINTS, TENSORBOARD = "checkpoints", "tensorboard"


@dataclass(frozen=True)
class TrainResult:
    """What a run came to.

    Attributes:
        folder: where everything lies.
        steps: decisions of the learner.
        seconds: all in all.
        win_rates: against each yardstick, in the last evaluation.
        shares: of the time spent training, by what it was spent on.
        steps_per_second: while training; evaluations, checkpoints and what compiles (up to the end of the first update)
            left out. 0 if nothing is left then.
    """

    folder: Path
    steps: int
    seconds: float
    win_rates: Mapping[str, Interval]
    shares: Mapping[str, float]
    steps_per_second: float


def fixed_settings(config: RunConfig) -> dict[str, Any]:
    """What makes a run this one: all settings that aren't FREE, JSON-able."""
    return {name: value for name, value in config.as_dict().items() if name not in config.FREE}


# ---- config.json ----------------------------------------------------------------------------------------------------
def new_run_id() -> str:
    """A random number that tells runs of the same settings apart."""
    return secrets.token_hex(8)


def write_config(folder: Path, run_id: str, config: RunConfig) -> None:
    """Write config.json."""
    content = {"run": run_id, "engine": config.ENGINE, "config": config.as_dict(), "versions": versions()}
    write_whole(folder / CONFIG, (json.dumps(content, indent=2) + "\n").encode())


def read_config(folder: str | Path) -> tuple[str, RunConfig]:
    """Which run a folder holds, and its settings.

    Raises:
        OptionError: if there is no run, or its settings can't be read.
    """
    path = Path(folder) / CONFIG
    if not path.exists():
        raise OptionError(f"{folder}: there is no run to resume: {CONFIG} is missing")
    try:
        saved = json.loads(path.read_text(encoding="utf-8"))
        run_id, settings = str(saved["run"]), saved["config"]
        engine = saved.get("engine", TrainConfig.ENGINE)  # runs of before there were engines don't say
        if engine not in ENGINES:
            raise ValueError(f"engine={engine!r}: expected {' or '.join(ENGINES)}")
        return run_id, ENGINES[engine].from_dict(settings)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        what = f"{error} is missing" if isinstance(error, KeyError) else error
        raise OptionError(f"{path}: damaged, or not written by this version: {what}") from None


def run_config(folder: str | Path) -> RunConfig:
    """The settings of the run in a folder (`read_config`)."""
    return read_config(folder)[1]


# ---- what may be done here ------------------------------------------------------------------------------------------
def has_checkpoint(folder: Path) -> bool:
    """Whether there is anything to resume from, of whichever engine."""
    return bool(checkpoints(folder / CHECKPOINTS) or folder_checkpoints(folder / CHECKPOINTS))


def check_free(folder: Path) -> None:
    """Refuse to begin where a run can be resumed; one that never came to a checkpoint may be begun again.

    Raises:
        OptionError: if there is one.
    """
    if has_checkpoint(folder) or (folder.is_dir() and models_of(folder)):
        raise OptionError(f"{folder}: holds a run already: --resume goes on with it, or choose another folder")


def check_settings(folder: Path, before: RunConfig, config: RunConfig) -> None:
    """Refuse to resume with another engine or other settings than the run's; what is FREE may change.

    Raises:
        OptionError: naming the setting.
    """
    if before.ENGINE != config.ENGINE:
        raise OptionError(f"{folder}: engine={config.ENGINE!r}: a resumed run goes on with {before.ENGINE!r}")
    given = fixed_settings(config)
    for name, value in fixed_settings(before).items():
        if given[name] != value:
            raise OptionError(f"{folder}: {name}={given[name]!r}: a resumed run goes on with {value!r}")


def check_checkpoint(path: Path, facts: Mapping[str, Any], run_id: str, config: RunConfig) -> None:
    """Refuse a checkpoint that isn't of the run in this folder.

    Args:
        path: of the checkpoint.
        facts: what it says: "run" and "settings" (`fixed_settings`).
        run_id: the folder's.
        config: the folder's.

    Raises:
        CheckpointError: naming what differs.
    """
    if facts.get("run") != run_id:
        raise CheckpointError(f"{path}: is of the run {facts.get('run')}, but {CONFIG} is of the run {run_id}")
    found = facts.get("settings")
    for name, value in fixed_settings(config).items():
        if not isinstance(found, dict) or found.get(name) != value:
            there = found.get(name) if isinstance(found, dict) else None
            raise CheckpointError(f"{path}: was trained with {name}={there!r}, but {CONFIG} says {value!r}")


def check_length(config: RunConfig, steps: int, seconds: float) -> None:
    """Refuse a new length that the run has passed already.

    Raises:
        OptionError: saying how far it is.
    """
    if config.steps is not None and config.steps < steps:
        raise OptionError(f"steps={config.steps}: the run has taken {steps} already")
    if config.minutes is not None and 60 * config.minutes < seconds:
        raise OptionError(f"minutes={config.minutes:g}: the run has taken {seconds / 60:.1f} already")


# ---- result.json ----------------------------------------------------------------------------------------------------
def write_result(result: TrainResult, more: Mapping[str, Any]) -> None:
    """Write result.json, with `more` that people may want to know."""
    content = {
        "steps": result.steps,
        "seconds": round(result.seconds, 1),
        "steps_per_second": round(result.steps_per_second),
        "shares_of_time": {name: round(share, 4) for name, share in result.shares.items()},
        "win_rates": {n: {"share": r.share, "low": r.low, "high": r.high} for n, r in result.win_rates.items()},
        **more,
    }
    write_whole(result.folder / RESULT, (json.dumps(content, indent=2) + "\n").encode())


def finished(folder: Path, before: RunConfig, config: RunConfig) -> TrainResult | None:
    """What the run came to, if it has finished and `config` asks for nothing more.

    Args:
        folder: of the run.
        before: its settings.
        config: the settings it is resumed with.

    Raises:
        OptionError: for a result that can't be read, or a length that the run has passed.
    """
    path = folder / RESULT
    if not path.exists():
        return None
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        rates = {name: Interval(**rate) for name, rate in found["win_rates"].items()}
        rest = found["shares_of_time"], found["steps_per_second"]
        result = TrainResult(folder, int(found["steps"]), float(found["seconds"]), rates, *rest)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise OptionError(f"{path}: damaged: {error!r}: without this file the run can be resumed") from None
    if (config.minutes, config.steps) == (before.minutes, before.steps) or config.steps == result.steps:
        return result
    check_length(config, result.steps, result.seconds)
    return None
