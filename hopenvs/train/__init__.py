"""Training and measuring: recipes on top of Stable-Baselines3, and matches between players.

>>> from hopenvs.train import TrainConfig, evaluate, train
>>> train(TrainConfig("igel_aergern-2p-v0", minutes=4.5), "runs/igel")
>>> evaluate("igel_aergern-2p-v0", ["runs/igel/model.zip", "greedy"], games=1000)
>>> arena("igel_aergern-2p-v0", ["uniform", "greedy", "runs/igel"], folder="arenas/igel").rungs[0].agent
>>> measure("igel_aergern-2p-v0", ["runs/igel"], protocol_named("v0"))

Only `train` and trained models need a learning library, which they load when they are called.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hopenvs.train.arena import arena
from hopenvs.train.config import TrainConfig
from hopenvs.train.evaluate import evaluate
from hopenvs.train.protocol import measure, protocol_named

if TYPE_CHECKING:
    from hopenvs.train.folder import TrainResult

__all__ = ["TrainConfig", "arena", "evaluate", "measure", "protocol_named", "train"]


def train(
    config: TrainConfig,
    folder: str | Path,
    *,
    resume: bool = False,
    notify: Callable[[Any], Any] | None = None,
) -> TrainResult:
    """Train a model (`train/run.py`).

    Args:
        config: what is to be done.
        folder: of the run: config.json, metrics.csv, checkpoints/, tensorboard/, model.zip, learning_curve.png.
        resume: go on from the folder's last checkpoint.
        notify: is told what happens (`train/run.py`: Progress, Evaluated, Told).
    """
    from hopenvs.train import run

    return run.train(config, folder, resume=resume, notify=notify)
