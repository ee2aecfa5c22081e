"""Training and measuring: recipes on top of Stable-Baselines3, and matches between players.

>>> from hopenvs.train import TrainConfig, evaluate, train
>>> train(TrainConfig("igel_aergern-2p-v0", minutes=4.5), "runs/igel")
>>> evaluate("igel_aergern-2p-v0", ["runs/igel/model.zip", "greedy"], games=1000)

`evaluate` needs no learning library unless a trained model plays; `train` loads PyTorch when it is called.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hopenvs.train.config import TrainConfig
from hopenvs.train.evaluate import evaluate

if TYPE_CHECKING:
    from hopenvs.train.folder import TrainResult

__all__ = ["TrainConfig", "evaluate", "train"]


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
