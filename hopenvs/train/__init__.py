"""Training and measuring: recipes on top of Stable-Baselines3 and RLlib, and matches between players.

>>> from hopenvs.train import TrainConfig, evaluate, train
>>> train(TrainConfig("igel_aergern-2p-v0", minutes=4.5), "runs/igel")
>>> train(RllibConfig("igel_aergern-2p-v0", minutes=30, num_env_runners=8), "runs/igel-rllib")
>>> evaluate("igel_aergern-2p-v0", ["runs/igel/model.zip", "greedy"], games=1000)
>>> arena("igel_aergern-2p-v0", ["uniform", "greedy", "runs/igel"], folder="arenas/igel").rungs[0].agent
>>> measure("igel_aergern-2p-v0", ["runs/igel"], protocol_named("v0"))

Only `train` and trained models need a learning library, which they load when they are called.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hopenvs.core.errors import OptionError
from hopenvs.train.arena import arena
from hopenvs.train.config import RllibConfig, RunConfig, TrainConfig
from hopenvs.train.evaluate import evaluate
from hopenvs.train.protocol import measure, protocol_named

if TYPE_CHECKING:
    from hopenvs.train.folder import TrainResult

__all__ = ["RllibConfig", "TrainConfig", "arena", "evaluate", "measure", "protocol_named", "train"]


def train(
    config: RunConfig,
    folder: str | Path,
    *,
    resume: bool = False,
    notify: Callable[[Any], Any] | None = None,
    ray_address: str | None = None,
) -> TrainResult:
    """Train a model, with the engine that the settings are of (`train/run.py`, `train/rllib_run.py`).

    Args:
        config: what is to be done.
        folder: of the run: config.json, metrics.csv, checkpoints/, tensorboard/, model.zip, learning_curve.png.
        resume: go on from the folder's last checkpoint.
        notify: is told what happens (`train/news.py`).
        ray_address: of a Ray cluster, for RLlib; by default Ray is started here, for this run alone.

    Raises:
        OptionError: for an impossible setting, a folder that holds another run, or a library that isn't installed.
    """
    engine = load_engine(config.ENGINE)
    if isinstance(config, RllibConfig):
        return engine.train(config, folder, resume=resume, notify=notify, ray_address=ray_address)
    if ray_address is not None:
        raise OptionError(f"ray_address={ray_address!r}: only the engine {RllibConfig.ENGINE} uses Ray")
    return engine.train(config, folder, resume=resume, notify=notify)


def load_engine(name: str) -> Any:
    """The module that trains with a library.

    Args:
        name: a key of `config.ENGINES`.

    Raises:
        OptionError: if the library isn't installed.
    """
    module, extra = ("rllib_run", "rllib") if name == RllibConfig.ENGINE else ("run", "train")
    try:
        return importlib.import_module(f"hopenvs.train.{module}")
    except ImportError as error:
        raise OptionError(f"training needs {error.name}: pip install 'hopenvs[{extra}]'") from None
