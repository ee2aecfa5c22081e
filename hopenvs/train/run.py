"""A training run: MaskablePPO against itself, its past and baselines, in a folder that can be resumed (`folder.py`)."""

from __future__ import annotations

import io
import json
import time
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib  # noqa: F401 (draws the curve at the end of a run: better missed at its beginning)
import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import configure

from hopenvs import registry
from hopenvs.agents import make_agent
from hopenvs.agents.match import Interval, Match, play_match
from hopenvs.agents.policy import DESCRIPTION, Policy, describe_model
from hopenvs.agents.specs import MODEL
from hopenvs.core.errors import OptionError
from hopenvs.envs.table import payoff_named
from hopenvs.train.checkpoint import (
    Checkpoint,
    CheckpointError,
    checkpoints,
    load_checkpoint,
    save_checkpoint,
)
from hopenvs.train.config import TrainConfig
from hopenvs.train.files import versions, write_whole
from hopenvs.train.folder import (
    CHECKPOINTS,
    CURVE,
    METRICS,
    RESULT,
    TENSORBOARD,
    TrainResult,
    check_checkpoint,
    check_free,
    check_length,
    check_settings,
    finished,
    fixed_settings,
    new_run_id,
    read_config,
    write_config,
    write_result,
)
from hopenvs.train.games import SelfPlayGames
from hopenvs.train.metrics import MetricsFile, columns, draw_curve, read_metrics
from hopenvs.train.network import BoardPolicy, policy_keywords
from hopenvs.train.opponents import POOL, SELF, Opponents
from hopenvs.train.shaping import Potential

# Evaluations play the games of these seeds, whatever the run's; the last one plays others.
EVALUATION_SEED, FINAL_SEED = 30_000_000, 40_000_000
NEVER = 10**9


@dataclass(frozen=True)
class Progress:
    """News after an update.

    Attributes:
        fraction: of the run, 0 to 1.
        steps: decisions of the learner so far.
        seconds: so far, those of earlier parts of a resumed run included.
        games: finished so far.
        steps_per_second: of the last update.
        training: the share of wins in the training games since the last update, by kind of opponent.
    """

    fraction: float
    steps: int
    seconds: float
    games: int
    steps_per_second: float
    training: Mapping[str, float]


@dataclass(frozen=True)
class Evaluated:
    """News of an evaluation.

    Attributes:
        steps: decisions of the learner so far.
        win_rates: against each yardstick.
        final: whether it's the last one.
    """

    steps: int
    win_rates: Mapping[str, Interval]
    final: bool


@dataclass(frozen=True)
class Told:
    """Something that people may want to know.

    Attributes:
        text: what.
        fraction: of the run, where it goes on from there.
    """

    text: str
    fraction: float = 0.0


News = Progress | Evaluated | Told


def train(
    config: TrainConfig,
    folder: str | Path,
    *,
    resume: bool = False,
    notify: Callable[[News], Any] | None = None,
) -> TrainResult:
    """Train a model.

    Args:
        config: what is to be done.
        folder: of the run; made if it isn't there.
        resume: go on from the folder's last checkpoint; `config` may only differ in how long it lasts.
        notify: is told what happens.

    Raises:
        OptionError: for an impossible setting, a folder that holds another run, or a damaged checkpoint.
    """
    folder, notify = Path(folder), notify or (lambda news: None)
    run_id, before = new_run_id(), None
    if not resume:
        check_free(folder)
    else:
        run_id, before = read_config(folder)
        check_settings(folder, before, config)
        result = finished(folder, before, config)
        if result is not None:
            notify(Told(f"{folder}: this run has finished: with more --steps or --minutes it would go on", 1.0))
            return result
    run = Run(config, folder, notify, run_id)
    try:
        if before is None:
            run.start()
        else:
            run.resume(before)
        return run.finish()
    finally:
        run.close()


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


class Run:
    """The state of a training run.

    Args:
        config: what is to be done.
        folder: of the run.
        notify: is told what happens.
        run_id: what the folder and its checkpoints call this run.
    """

    def __init__(self, config: TrainConfig, folder: Path, notify: Callable[[News], Any], run_id: str) -> None:
        self.began = time.perf_counter()
        check_device(config.device)
        self.config = config
        self.folder = folder
        self.notify = notify
        self.run_id = run_id
        self.game, self.options = registry.resolve(config.env, config.options)
        payoff = payoff_named(self.game, self.options, config.reward)
        torch.set_num_threads(config.threads)
        layers: dict[str, Any] = {"trunk": config.trunk, "heads": config.heads, "activation": config.activation}
        self.env_id = registry.entry_of(config.env).id
        self.description = describe_model(self.env_id, self.game, self.options, **layers)
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
            payoff=payoff,
            potential=shaped,
            gamma=config.gamma,
        )
        self.fraction = 0.0
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
            policy_kwargs=policy_keywords(**layers),
            seed=config.seed % 2**32,
            device=config.device,
        )
        self.model.set_logger(configure(None, []))
        self.opponents.learner_is(self.model.policy.state_dict())
        self.payoff = payoff
        self.yardsticks = {name: make_agent(name, self.game, self.options) for name in config.yardsticks}
        self.clock = _Clock()
        self.seconds_before = 0.0  # of the parts before this one
        self.counts = {"snapshots": 0, "evaluations": 0}
        self.spent = {"environment": 0.0, "opponents": 0.0, "acting": 0.0, "learning": 0.0}
        self.timed = 0  # decisions that `spent` is for
        self.final_evaluation_takes = self.update_takes = 0.0  # seconds, as far as is known
        self.checkpointed = 0.0
        self.metrics: MetricsFile | None = None
        self.tensorboard: Any = None

    # ---- time -------------------------------------------------------------------------------------------------------
    @property
    def steps(self) -> int:
        """Decisions of the learner so far."""
        return int(self.model.num_timesteps)

    @property
    def seconds(self) -> float:
        """Time so far, of earlier parts too."""
        return self.seconds_before + time.perf_counter() - self.began

    def learning_rate(self) -> float:
        """The learning rate at this point of the run."""
        return self._between(self.config.learning_rate, self.config.final_learning_rate)

    def _between(self, first: float, last: float) -> float:
        """Goes linearly from `first` to `last` with the run."""
        return first + (last - first) * self.fraction

    def _fraction(self) -> float:
        if self.config.steps is not None:
            return min(1.0, self.steps / self.config.steps)
        assert self.config.minutes is not None
        time_to_learn = max(1.0, 60 * self.config.minutes - self.final_evaluation_takes)
        return min(1.0, self.seconds / time_to_learn)

    def _over(self) -> bool:
        """Whether the steps are done, or another update would take longer than there is time."""
        if self.config.steps is not None:
            return self.steps >= self.config.steps
        assert self.config.minutes is not None
        return self.seconds + self.update_takes + self.final_evaluation_takes >= 60 * self.config.minutes

    def _due(self, what: str, count: int) -> bool:
        """Whether the next of `count` evenly spread occasions has come."""
        passed = int(self.fraction * (count + 1))
        if min(passed, count) <= self.counts[what]:
            return False
        self.counts[what] = min(passed, count)
        return True

    # ---- beginning --------------------------------------------------------------------------------------------------
    def start(self) -> None:
        """Begin in a folder that holds no run."""
        self.folder.mkdir(parents=True, exist_ok=True)
        write_config(self.folder, self.run_id, self.config)
        self._open_logs()

    def resume(self, before: TrainConfig) -> None:
        """Go on from the last checkpoint of a run whose settings were `before`."""
        found = checkpoints(self.folder / CHECKPOINTS)
        if not found:
            self.notify(Told(f"{self.folder}: no checkpoint yet: the run begins afresh"))
        else:
            self._restore(found[-1])
            if before != self.config:
                check_length(self.config, self.steps, self.seconds_before)
            self.notify(Told(f"going on from {found[-1]} ({self.steps} steps)", self._fraction()))
        (self.folder / RESULT).unlink(missing_ok=True)  # of a shorter run
        if before != self.config:
            write_config(self.folder, self.run_id, self.config)
        self._open_logs()

    def _open_logs(self) -> None:
        kinds = [SELF, POOL, *(name for name in self.config.mix if name not in (SELF, POOL))]
        names = columns(self.config.yardsticks, kinds)
        # A run that begins afresh leaves nothing of an earlier beginning, not even its evaluation before step 1.
        self.metrics = MetricsFile(self.folder / METRICS, names, self.steps or -1)
        try:
            from torch.utils.tensorboard import SummaryWriter
        except ImportError:
            self.notify(Told("TensorBoard is not installed: no scalars are written (pip install tensorboard)"))
            return
        self.tensorboard = SummaryWriter(str(self.folder / TENSORBOARD), purge_step=self.steps + 1 if self.steps else 0)

    def close(self) -> None:
        """Close files and threads."""
        if self.metrics is not None:
            self.metrics.close()
        if self.tensorboard is not None:
            self.tensorboard.close()
        self.games.close()

    # ---- the run ----------------------------------------------------------------------------------------------------
    def finish(self) -> TrainResult:
        """Train to the end of the run, and write what it came to."""
        if not self.steps:
            self._evaluate(final=False)  # the curve begins with a learner that knows nothing
        self.checkpointed = time.perf_counter()
        while not self._over():
            self.fraction = self._fraction()
            if self._due("snapshots", self.config.snapshots):
                self.opponents.add_snapshot(self.model.policy.state_dict())
            figures = self._update()
            # What comes next belongs to the point reached: a resumed run must come to the same.
            reached, self.fraction = self.fraction, self._fraction()
            rates = self._evaluate(final=False) if self._due("evaluations", self.config.evaluations) else {}
            self.fraction = reached
            self._log(figures | rates)
            if time.perf_counter() - self.checkpointed >= self.config.checkpoint_seconds:
                self._checkpoint()
        self._checkpoint()
        self._save_model()
        rates = self._evaluate(final=True)
        self._log({"steps": self.steps, "seconds": self.seconds, "games": self.games.games} | rates)
        self._draw()
        return self._result(rates)

    def _update(self) -> dict[str, float]:
        """Play a rollout and learn from it; the figures of it."""
        config, games = self.config, self.games
        games.forget()
        self.opponents.learner_is(self.model.policy.state_dict())
        self.model.rollout_buffer.gae_lambda = self._between(config.gae_lambda, config.final_gae_lambda)
        before, began = dict(games.seconds), time.perf_counter()
        self.model.learn(
            config.num_envs * config.rollout, callback=self.clock, log_interval=NEVER, reset_num_timesteps=False
        )
        ended = time.perf_counter()
        spent = {name: games.seconds[name] - before[name] for name in games.seconds}
        spent["acting"] = self.clock.played - self.clock.began - sum(spent.values())
        spent["learning"] = ended - self.clock.played
        if self.update_takes:  # the first update compiles what hasn't run before
            self.timed += config.num_envs * config.rollout
            for name, seconds in spent.items():
                self.spent[name] += seconds
        self.update_takes = ended - began
        logged = self.model.logger.name_to_value
        training = {kind: shares / count for kind, (count, shares) in games.record.items() if count}
        rate = config.num_envs * config.rollout / (ended - began)
        self.notify(Progress(self._fraction(), self.steps, self.seconds, games.games, rate, training))
        figures = {
            "steps": self.steps,
            "seconds": self.seconds,
            "games": games.games,
            "steps_per_second": rate,
            "learning_rate": self.learning_rate(),
            "reward": games.paid / games.ended if games.ended else np.nan,
            "entropy": -logged.get("train/entropy_loss", np.nan),
            **{f"training_{kind}": share for kind, share in training.items()},
            **{f"share_{name}": seconds / (ended - began) for name, seconds in spent.items()},
        }
        for name in ("value_loss", "explained_variance", "approx_kl", "clip_fraction"):
            figures[name] = float(logged.get(f"train/{name}", np.nan))
        logged.clear()
        return figures

    def _evaluate(self, *, final: bool) -> dict[str, float]:
        """Play against the yardsticks, seats rotated; columns of metrics.csv."""
        config = self.config
        games = config.final_games if final else config.evaluation_games
        began = time.perf_counter()
        matches = self.play_yardsticks(games, FINAL_SEED if final else EVALUATION_SEED)
        if not final:
            took = (time.perf_counter() - began) * config.final_games / games
            # The first one compiles what there is to compile: later ones say how long it really takes.
            self.final_evaluation_takes = took if self.steps else 0.0
        rates = {name: match.standings[0].win_rate for name, match in matches.items()}
        self.notify(Evaluated(self.steps, rates, final))
        figures: dict[str, float] = {}
        for name, rate in rates.items():
            figures |= {name: rate.share, f"{name}_low": rate.low, f"{name}_high": rate.high}
        if not self.steps:
            self._log({"steps": 0, "seconds": self.seconds, "games": 0} | figures)
        return figures

    def play_yardsticks(self, games: int, seed: int) -> dict[str, Match]:
        """The learner's likeliest actions against each yardstick on all other seats."""
        learner = Policy(self.description, self.model.policy.state_dict(), device=self.config.device)
        players = {name: [learner, other] for name, other in self.yardsticks.items()}
        return {
            name: play_match(self.game, self.options, pair, games, seed, payoff=self.payoff)
            for name, pair in players.items()
        }

    def _log(self, figures: Mapping[str, Any]) -> None:
        assert self.metrics is not None
        self.metrics.add(figures)
        if self.tensorboard is not None:
            for name, value in figures.items():
                if name != "steps" and not np.isnan(value):
                    self.tensorboard.add_scalar(_tag(name, self.config.yardsticks), value, self.steps)

    # ---- checkpoints ------------------------------------------------------------------------------------------------
    def _checkpoint(self) -> None:
        generator = np.random.get_state(legacy=False)  # noqa: NPY002 (Stable-Baselines3 shuffles with the global one)
        assert isinstance(generator, dict)
        facts = {
            "run": self.run_id,
            "settings": fixed_settings(self.config),
            "steps": self.steps,
            "seconds": self.seconds,
            "games": self.games.games,
            "timed": self.timed,
            "counts": self.counts,
            "spent": self.spent,
            "final_evaluation_takes": self.final_evaluation_takes,
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
        self.checkpointed = time.perf_counter()

    def _restore(self, path: Path) -> None:
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
            self.counts.update(facts["counts"])
            self.spent.update(facts["spent"])
            self.timed = facts["timed"]
            self.seconds_before = facts["seconds"]
            self.final_evaluation_takes = facts["final_evaluation_takes"]
            state = {"key": arrays["numpy"], "pos": facts["numpy"]["pos"]}
            torch.set_rng_state(tensors["torch"])
        except (KeyError, ValueError, TypeError, RuntimeError) as error:
            raise CheckpointError(f"{path}: does not fit this run: {error}") from None
        np.random.set_state({"bit_generator": "MT19937", "state": state, "has_gauss": 0, "gauss": 0.0})  # noqa: NPY002

    # ---- what is left -----------------------------------------------------------------------------------------------
    def _save_model(self) -> None:
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

    def _draw(self) -> None:
        rows = read_metrics(self.folder / METRICS)
        title = f"{self.env_id}, seed {self.config.seed}"
        draw_curve(rows, self.config.yardsticks, title, self.folder / CURVE, players=self.games.players)

    def _result(self, figures: Mapping[str, float]) -> TrainResult:
        names = self.config.yardsticks
        rates = {n: Interval(figures[n], figures[f"{n}_low"], figures[f"{n}_high"]) for n in names}
        total = sum(self.spent.values())
        shares = {name: seconds / total for name, seconds in self.spent.items()} if total else {}
        rate = self.timed / total if total else 0.0
        result = TrainResult(self.folder, self.steps, self.seconds, rates, shares, rate)
        more = {
            "env": self.env_id,
            "games": self.games.games,
            "threads": self.config.threads,
            "evaluation_games": self.config.final_games,
        }
        write_result(result, more)
        return result


def _tag(column: str, yardsticks: tuple[str, ...]) -> str:
    """A column's name in TensorBoard, by groups."""
    group, _, name = column.partition("_")
    if group in ("training", "share"):
        return f"{group}/{name}"
    if group in yardsticks:
        return f"evaluation/{column}"
    return f"run/{column}"
