"""The course of a run, whichever engine trains: its clock, evaluations, figures and checkpoints, in a folder.

An engine is a subclass that plays and learns (`Course`); `conduct` begins it or goes on with it.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Generic, TypeVar

import matplotlib  # noqa: F401 (draws the curve at the end of a run: better missed at its beginning)
import numpy as np

from hopenvs import registry
from hopenvs.agents import Agent, make_agent
from hopenvs.agents.match import Interval, Match, play_match
from hopenvs.agents.policy import describe_model
from hopenvs.envs.table import payoff_named
from hopenvs.train.config import RunConfig
from hopenvs.train.folder import (
    CURVE,
    METRICS,
    RESULT,
    TENSORBOARD,
    TrainResult,
    check_free,
    check_length,
    check_settings,
    finished,
    new_run_id,
    read_config,
    write_config,
    write_result,
)
from hopenvs.train.metrics import MetricsFile, draw_curve, read_metrics
from hopenvs.train.news import Evaluated, News, Progress, Told

# Evaluations play the games of these seeds, whatever the run's; the last one plays others.
EVALUATION_SEED, FINAL_SEED = 30_000_000, 40_000_000

C = TypeVar("C", bound=RunConfig)


def conduct(
    engine: Callable[[C, Path, Callable[[News], Any], str], Course[C]],
    config: C,
    folder: str | Path,
    *,
    resume: bool = False,
    notify: Callable[[News], Any] | None = None,
) -> TrainResult:
    """Train a model.

    Args:
        engine: makes the course of (config, folder, notify, the run's number).
        config: what is to be done.
        folder: of the run; made if it isn't there.
        resume: go on from the folder's last checkpoint; `config` may only differ in what is FREE.
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
    course = engine(config, folder, notify, run_id)
    try:
        if before is None:
            course.start()
        else:
            course.resume(before)
        return course.finish()
    finally:
        course.close()


class Course(ABC, Generic[C]):
    """The state of a run.

    Args:
        config: what is to be done.
        folder: of the run.
        notify: is told what happens.
        run_id: what the folder and its checkpoints call this run.
    """

    SPENT: tuple[str, ...]  # what time is spent on
    spent: dict[str, float]  # seconds, of updates that compile nothing any more
    timed = 0  # decisions that `spent` is for

    def __init__(self, config: C, folder: Path, notify: Callable[[News], Any], run_id: str) -> None:
        self.began = time.perf_counter()
        self.config = config
        self.folder = folder
        self.notify = notify
        self.run_id = run_id
        self.game, self.options = registry.resolve(config.env, config.options)
        self.payoff = payoff_named(self.game, self.options, config.reward)
        self.env_id = registry.entry_of(config.env).id
        self.layers: dict[str, Any] = {"trunk": config.trunk, "heads": config.heads, "activation": config.activation}
        self.description = describe_model(self.env_id, self.game, self.options, **self.layers)
        self.yardsticks = {name: make_agent(name, self.game, self.options) for name in config.yardsticks}
        self.fraction = 0.0
        self.seconds_before = 0.0  # of the parts before this one
        self.counts = {"snapshots": 0, "evaluations": 0}
        self.spent = dict.fromkeys(self.SPENT, 0.0)
        self.final_evaluation_takes = self.update_takes = 0.0  # seconds, as far as is known
        self.checkpointed = 0.0
        self.metrics: MetricsFile | None = None
        self.tensorboard: Any = None

    # ---- what an engine has to do -----------------------------------------------------------------------------------
    @property
    @abstractmethod
    def steps(self) -> int:
        """Decisions of the learner so far."""

    @property
    @abstractmethod
    def games_finished(self) -> int:
        """Training games that have ended so far."""

    @property
    @abstractmethod
    def columns(self) -> list[str]:
        """The columns of metrics.csv."""

    @abstractmethod
    def learner(self) -> Agent:
        """The learner as it is, as a player of its likeliest actions."""

    @abstractmethod
    def update(self) -> tuple[dict[str, float], dict[str, float]]:
        """Play and learn from it: figures of metrics.csv, and the seconds spent on each of SPENT."""

    @abstractmethod
    def checkpoints(self) -> Sequence[Path]:
        """The folder's whole checkpoints, oldest first."""

    @abstractmethod
    def save_checkpoint(self) -> None:
        """Write a checkpoint."""

    @abstractmethod
    def restore(self, path: Path) -> None:
        """Go on from a checkpoint."""

    @abstractmethod
    def save_model(self) -> None:
        """Write what the run came to, playable by `agents.policy`."""

    # ---- time -------------------------------------------------------------------------------------------------------
    @property
    def seconds(self) -> float:
        """Time so far, of earlier parts too."""
        return self.seconds_before + time.perf_counter() - self.began

    def learning_rate(self) -> float:
        """The learning rate at this point of the run."""
        return self.between(self.config.learning_rate, self.config.final_learning_rate)

    def gae_lambda(self) -> float:
        """The advantages' lambda at this point of the run."""
        return self.between(self.config.gae_lambda, self.config.final_gae_lambda)

    def between(self, first: float, last: float) -> float:
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

    def due(self, what: str, count: int) -> bool:
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

    def resume(self, before: RunConfig) -> None:
        """Go on from the last checkpoint of a run whose settings were `before`."""
        found = self.checkpoints()
        if not found:
            self.notify(Told(f"{self.folder}: no checkpoint yet: the run begins afresh"))
        else:
            self.restore(found[-1])
            if before != self.config:
                check_length(self.config, self.steps, self.seconds_before)
            self.notify(Told(f"going on from {found[-1]} ({self.steps} steps)", self._fraction()))
        (self.folder / RESULT).unlink(missing_ok=True)  # of a shorter run
        if before != self.config:
            write_config(self.folder, self.run_id, self.config)
        self._open_logs()

    def _open_logs(self) -> None:
        # A run that begins afresh leaves nothing of an earlier beginning, not even its evaluation before step 1.
        self.metrics = MetricsFile(self.folder / METRICS, self.columns, self.steps or -1)
        try:
            from torch.utils.tensorboard import SummaryWriter
        except ImportError:
            self.notify(Told("TensorBoard is not installed: no scalars are written (pip install tensorboard)"))
            return
        self.tensorboard = SummaryWriter(str(self.folder / TENSORBOARD), purge_step=self.steps + 1 if self.steps else 0)

    def close(self) -> None:
        """Close files."""
        if self.metrics is not None:
            self.metrics.close()
        if self.tensorboard is not None:
            self.tensorboard.close()

    # ---- the run ----------------------------------------------------------------------------------------------------
    def finish(self) -> TrainResult:
        """Train to the end of the run, and write what it came to.

        However short it is, a new run learns from one update.
        """
        if not self.steps:
            self._evaluate(final=False)  # the curve begins with a learner that knows nothing
        self.checkpointed = time.perf_counter()
        learned = False
        while not self._over() or not self.steps:
            learned = True
            self.fraction = self._fraction()
            figures = self._update()
            # What comes next belongs to the point reached: a resumed run must come to the same.
            reached, self.fraction = self.fraction, self._fraction()
            rates = self._evaluate(final=False) if self.due("evaluations", self.config.evaluations) else {}
            self.fraction = reached
            self._log(figures | rates)
            if time.perf_counter() - self.checkpointed >= self.config.checkpoint_seconds:
                self._checkpoint()
        if not learned and self.config.steps is None:
            self.notify(Told("there was no time to learn more: a longer run would"))
        self._checkpoint()
        self.save_model()
        rates = self._evaluate(final=True)
        self._log({"steps": self.steps, "seconds": self.seconds, "games": self.games_finished} | rates)
        self._draw()
        return self._result(rates)

    def _update(self) -> dict[str, float]:
        """An update, timed; the figures of it."""
        before, began = self.steps, time.perf_counter()
        figures, spent = self.update()
        took, steps = time.perf_counter() - began, self.steps - before
        if self.update_takes:  # the first update compiles what hasn't run before
            self.timed += steps
            for name, seconds in spent.items():
                self.spent[name] += seconds
        self.update_takes = took
        training = {name.removeprefix("training_"): x for name, x in figures.items() if name.startswith("training_")}
        self.notify(Progress(self._fraction(), self.steps, self.seconds, self.games_finished, steps / took, training))
        return {
            "steps": self.steps,
            "seconds": self.seconds,
            "games": self.games_finished,
            "steps_per_second": steps / took,
            "learning_rate": self.learning_rate(),
            **figures,
            **{f"share_{name}": seconds / took for name, seconds in spent.items()},
        }

    def _evaluate(self, *, final: bool) -> dict[str, float]:
        """Play against the yardsticks, seats rotated; columns of metrics.csv."""
        config = self.config
        games = config.final_games if final else config.evaluation_games
        began = time.perf_counter()
        matches = self._play_yardsticks(games, FINAL_SEED if final else EVALUATION_SEED)
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

    def _play_yardsticks(self, games: int, seed: int) -> dict[str, Match]:
        """The learner's likeliest actions against each yardstick on all other seats."""
        learner = self.learner()
        return {
            name: play_match(self.game, self.options, [learner, other], games, seed, payoff=self.payoff)
            for name, other in self.yardsticks.items()
        }

    def _log(self, figures: Mapping[str, Any]) -> None:
        assert self.metrics is not None
        self.metrics.add(figures)
        if self.tensorboard is not None:
            for name, value in figures.items():
                if name != "steps" and not np.isnan(value):
                    self.tensorboard.add_scalar(_tag(name, self.config.yardsticks), value, self.steps)

    # ---- checkpoints and what is left -------------------------------------------------------------------------------
    def _checkpoint(self) -> None:
        self.save_checkpoint()
        self.checkpointed = time.perf_counter()

    @property
    def progress(self) -> dict[str, Any]:
        """What a checkpoint keeps of the course itself, JSON-able."""
        return {
            "steps": self.steps,
            "seconds": self.seconds,
            "games": self.games_finished,
            "timed": self.timed,
            "counts": self.counts,
            "spent": self.spent,
            "final_evaluation_takes": self.final_evaluation_takes,
        }

    def restore_progress(self, facts: Mapping[str, Any]) -> None:
        """Go on from `progress`; steps and games are the engine's.

        Raises:
            KeyError: for a fact that is missing.
        """
        self.counts.update(facts["counts"])
        self.spent.update(facts["spent"])
        self.timed = facts["timed"]
        self.seconds_before = facts["seconds"]
        self.final_evaluation_takes = facts["final_evaluation_takes"]

    def _draw(self) -> None:
        rows = read_metrics(self.folder / METRICS)
        title = f"{self.env_id}, seed {self.config.seed}"
        players = self.game.spec(self.options).num_players
        draw_curve(rows, self.config.yardsticks, title, self.folder / CURVE, players=players)

    def _result(self, figures: Mapping[str, float]) -> TrainResult:
        names = self.config.yardsticks
        rates = {n: Interval(figures[n], figures[f"{n}_low"], figures[f"{n}_high"]) for n in names}
        total = sum(self.spent.values())
        shares = {name: seconds / total for name, seconds in self.spent.items()} if total else {}
        rate = self.timed / total if total else 0.0
        result = TrainResult(self.folder, self.steps, self.seconds, rates, shares, rate)
        write_result(result, self.facts())
        return result

    def facts(self) -> dict[str, Any]:
        """What result.json says besides."""
        return {
            "env": self.env_id,
            "games": self.games_finished,
            "threads": self.config.threads,
            "evaluation_games": self.config.final_games,
        }


def _tag(column: str, yardsticks: Sequence[str]) -> str:
    """A column's name in TensorBoard, by groups."""
    group, _, name = column.partition("_")
    if group in ("training", "share"):
        return f"{group}/{name}"
    if group in yardsticks:
        return f"evaluation/{column}"
    return f"run/{column}"
