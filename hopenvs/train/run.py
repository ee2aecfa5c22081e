"""The engine of Stable-Baselines3: MaskablePPO against itself, its past and baselines (`course.py`)."""

from __future__ import annotations

import io
import json
import time
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import configure

from hopenvs.agents import Agent
from hopenvs.agents.policy import DESCRIPTION, Policy
from hopenvs.agents.specs import MODEL
from hopenvs.core.errors import OptionError
from hopenvs.train.checkpoint import (
    Checkpoint,
    CheckpointError,
    checkpoints,
    load_checkpoint,
    save_checkpoint,
)
from hopenvs.train.config import TrainConfig
from hopenvs.train.course import Course, conduct
from hopenvs.train.files import versions, write_whole
from hopenvs.train.folder import CHECKPOINTS, TrainResult, check_checkpoint, fixed_settings
from hopenvs.train.games import SelfPlayGames
from hopenvs.train.metrics import columns
from hopenvs.train.network import BoardPolicy, policy_keywords
from hopenvs.train.news import News
from hopenvs.train.opponents import POOL, SELF, Opponents
from hopenvs.train.shaping import Potential

NEVER = 10**9


def train(
    config: TrainConfig,
    folder: str | Path,
    *,
    resume: bool = False,
    notify: Callable[[News], Any] | None = None,
) -> TrainResult:
    """Train a model (`course.conduct`)."""
    return conduct(Run, config, folder, resume=resume, notify=notify)


def check_device(name: str) -> None:
    """Refuse a device that isn't there, before anything is written.

    Raises:
        OptionError: with PyTorch's reason.
    """
    try:
        torch.zeros(1, device=name).cpu()
    except (RuntimeError, AssertionError) as error:  # unknown or absent; of a kind that PyTorch was built without
        reason = str(error).strip().splitlines() or [repr(error)]
        raise OptionError(f"device={name!r}: {reason[0]}") from None


class _Clock(BaseCallback):
    """Times the halves of MaskablePPO's loop: playing, and learning from it."""

    def __init__(self) -> None:
        super().__init__()
        self.began = self.played = 0.0

    def _on_rollout_start(self) -> None:
        self.began = time.perf_counter()

    def _on_rollout_end(self) -> None:
        self.played = time.perf_counter()

    def _on_step(self) -> bool:
        return True


class Run(Course[TrainConfig]):
    """The state of a training run; arguments as of `Course`."""

    SPENT = ("environment", "opponents", "acting", "learning")

    def __init__(self, config: TrainConfig, folder: Path, notify: Callable[[News], Any], run_id: str) -> None:
        check_device(config.device)
        super().__init__(config, folder, notify, run_id)
        torch.set_num_threads(config.threads)
        self.opponents = Opponents(
            self.game,
            self.options,
            self.description,
            mix=config.mix,
            pool_size=config.pool_size,
            seed=config.seed,
        )
        shaped = Potential(self.game, self.options, config.shaping) if config.shaping else None
        self.games = SelfPlayGames(
            self.game,
            self.options,
            config.num_envs,
            self.opponents,
            seed=config.seed,
            payoff=self.payoff,
            potential=shaped,
            gamma=config.gamma,
        )
        self.model = MaskablePPO(
            BoardPolicy,
            self.games,
            learning_rate=lambda _: self.learning_rate(),
            n_steps=config.rollout,
            batch_size=config.batch_size,
            n_epochs=config.epochs,
            gamma=config.gamma,
            gae_lambda=config.gae_lambda,
            clip_range=config.clip_range,
            ent_coef=config.entropy,
            vf_coef=config.value_weight,
            max_grad_norm=config.max_grad_norm,
            policy_kwargs=policy_keywords(**self.layers),
            seed=config.seed % 2**32,
            device=config.device,
        )
        self.model.set_logger(configure(None, []))
        self.opponents.learner_is(self.model.policy.state_dict())
        self.clock = _Clock()

    @property
    def steps(self) -> int:
        """Decisions of the learner so far."""
        return int(self.model.num_timesteps)

    @property
    def games_finished(self) -> int:
        """Training games that have ended so far."""
        return self.games.games

    @property
    def columns(self) -> list[str]:
        """The columns of metrics.csv."""
        kinds = [SELF, POOL, *(name for name in self.config.mix if name not in (SELF, POOL))]
        losses = ("entropy", "value_loss", "explained_variance", "approx_kl", "clip_fraction")
        training = ["reward", *losses, *(f"training_{kind}" for kind in kinds)]
        return columns(self.config.yardsticks, training, self.SPENT)

    def learner(self) -> Agent:
        """The learner as it is."""
        return Policy(self.description, self.model.policy.state_dict(), device=self.config.device)

    def close(self) -> None:
        """Close files and threads."""
        super().close()
        self.games.close()

    def update(self) -> tuple[dict[str, float], dict[str, float]]:
        """Play a rollout and learn from it: its figures and seconds."""
        config, games = self.config, self.games
        if self.due("snapshots", config.snapshots):
            self.opponents.add_snapshot(self.model.policy.state_dict())
        games.forget()
        self.opponents.learner_is(self.model.policy.state_dict())
        self.model.rollout_buffer.gae_lambda = self.gae_lambda()
        before = dict(games.seconds)
        self.model.learn(
            config.num_envs * config.rollout, callback=self.clock, log_interval=NEVER, reset_num_timesteps=False
        )
        spent = {name: games.seconds[name] - before[name] for name in games.seconds}
        spent["acting"] = self.clock.played - self.clock.began - sum(spent.values())
        spent["learning"] = time.perf_counter() - self.clock.played
        logged = self.model.logger.name_to_value
        figures = {
            "reward": games.paid / games.ended if games.ended else np.nan,
            "entropy": -logged.get("train/entropy_loss", np.nan),
            **{f"training_{kind}": shares / count for kind, (count, shares) in games.record.items() if count},
        }
        for name in ("value_loss", "explained_variance", "approx_kl", "clip_fraction"):
            figures[name] = float(logged.get(f"train/{name}", np.nan))
        logged.clear()
        return figures, spent

    # ---- checkpoints ------------------------------------------------------------------------------------------------
    def checkpoints(self) -> Sequence[Path]:
        """The folder's checkpoints, oldest first."""
        return checkpoints(self.folder / CHECKPOINTS)

    def save_checkpoint(self) -> None:
        """Write a checkpoint."""
        generator = np.random.get_state(legacy=False)  # noqa: NPY002 (Stable-Baselines3 shuffles with the global one)
        assert isinstance(generator, dict)
        facts = {
            "run": self.run_id,
            "settings": fixed_settings(self.config),
            **self.progress,
            "updates": int(self.model._n_updates),
            "opponents": self.opponents.chooser.bit_generator.state,
            "numpy": {"pos": generator["state"]["pos"]},
        }
        tensors = {
            "policy": self.model.policy.state_dict(),
            "optimizer": self.model.policy.optimizer.state_dict(),
            "snapshots": {str(k): kept for k, kept in enumerate(self.opponents.snapshots)},
            "torch": torch.get_rng_state(),
        }
        arrays = {**self.games.arrays(), "numpy": generator["state"]["key"]}
        save_checkpoint(self.folder / CHECKPOINTS, self.steps, Checkpoint(facts, tensors, arrays))

    def restore(self, path: Path) -> None:
        """Go on from a checkpoint."""
        found = load_checkpoint(path)
        facts, tensors, arrays = found.facts, found.tensors, found.arrays
        check_checkpoint(path, facts, self.run_id, self.config)
        try:
            self.model.policy.load_state_dict(tensors["policy"])
            self.model.policy.optimizer.load_state_dict(tensors["optimizer"])
            for k in range(len(tensors["snapshots"])):
                self.opponents.add_snapshot(tensors["snapshots"][str(k)])
            self.games.restore(arrays)
            self.games.games = facts["games"]
            self.opponents.chooser.bit_generator.state = facts["opponents"]
            self.model.num_timesteps = facts["steps"]
            self.model._n_updates = facts["updates"]
            self.restore_progress(facts)
            state = {"key": arrays["numpy"], "pos": facts["numpy"]["pos"]}
            torch.set_rng_state(tensors["torch"])
        except (KeyError, ValueError, TypeError, RuntimeError) as error:
            raise CheckpointError(f"{path}: does not fit this run: {error}") from None
        np.random.set_state({"bit_generator": "MT19937", "state": state, "has_gauss": 0, "gauss": 0.0})  # noqa: NPY002

    def save_model(self) -> None:
        """model.zip: Stable-Baselines3's own, without anything of this run, and a description for `agents.policy`."""
        model = self.model
        schedule, model.learning_rate = model.learning_rate, self.config.final_learning_rate
        content = io.BytesIO()
        try:
            model.save(content, exclude=["_last_obs", "_last_episode_starts", "_last_original_obs", "lr_schedule"])
        finally:
            model.learning_rate = schedule
        with zipfile.ZipFile(content, "a") as archive:
            about = {**self.description, "steps": self.steps, "seed": self.config.seed, "versions": versions()}
            archive.writestr(DESCRIPTION, json.dumps(about, indent=2))
        write_whole(self.folder / MODEL, content.getvalue())
