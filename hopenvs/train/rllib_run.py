"""The engine of RLlib: PPO against itself, played by env runners in processes of their own (`course.py`).

An env runner that dies is started again while the others go on; what it was playing is lost, and the news say so.
"""

from __future__ import annotations

import functools
import io
import json
import math
import time
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from hopenvs.agents import Agent
from hopenvs.agents.policy import DESCRIPTION, WEIGHTS, Policy
from hopenvs.agents.specs import MODEL
from hopenvs.agents.team import Team
from hopenvs.core.errors import GameError
from hopenvs.integrations.rllib import GameMultiAgentEnv, ppo_config
from hopenvs.train.config import SHARED, RllibConfig
from hopenvs.train.course import Course, conduct
from hopenvs.train.files import versions, write_whole
from hopenvs.train.folder import CHECKPOINTS, TrainResult, check_checkpoint, fixed_settings
from hopenvs.train.metrics import columns
from hopenvs.train.news import News, Told
from hopenvs.train.rllib_checkpoint import checkpoints, damaged, load_facts, save_checkpoint
from hopenvs.train.rllib_cluster import Cluster
from hopenvs.train.rllib_parts import FollowingLearner, ShapedMultiAgentEnv
from hopenvs.train.shaping import usual_size

PATIENT_SECONDS = 600.0  # for an env runner's part of an update, compiling included; also without anybody who plays

# RLlib's names for the losses, and those of metrics.csv.
LOSSES = {
    "entropy": "entropy",
    "vf_loss": "value_loss",
    "vf_explained_var": "explained_variance",
    "mean_kl_loss": "approx_kl",
}


def train(
    config: RllibConfig,
    folder: str | Path,
    *,
    resume: bool = False,
    notify: Callable[[News], Any] | None = None,
    ray_address: str | None = None,
) -> TrainResult:
    """Train a model, or one for each seat (`course.conduct`).

    Args:
        config: what is to be done.
        folder: of the run.
        resume: go on from the folder's last checkpoint.
        notify: is told what happens.
        ray_address: of a Ray cluster (`rllib_cluster.py`); by default Ray is started here, for this run alone.

    Raises:
        ChildProcessError: if no env runner plays any more.
    """
    engine = functools.partial(RllibRun, ray_address=ray_address)
    return conduct(engine, config, folder, resume=resume, notify=notify)


class RllibRun(Course[RllibConfig]):
    """The state of a training run; arguments as of `Course`.

    Args:
        ray_address: of a Ray cluster.
    """

    SPENT = ("playing", "learning")

    def __init__(
        self,
        config: RllibConfig,
        folder: Path,
        notify: Callable[[News], Any],
        run_id: str,
        *,
        ray_address: str | None = None,
    ) -> None:
        super().__init__(config, folder, notify, run_id)
        torch.set_num_threads(config.threads)
        self._steps = self._games = self._restarts = 0
        self._idle_since: float | None = None  # the end of the first update in a row in which nobody played
        self._restarts_before = 0  # of the parts before this one
        self.environment: dict[str, Any] = {"options": dict(config.options), "reward": config.reward}
        if config.shaping:
            scale = usual_size(self.game, self.options)
            self.environment |= {"shaping": config.shaping, "scale": scale, "gamma": config.gamma}
        notify(Told("starting env runners on Ray"))
        self.cluster = Cluster(ray_address, config.num_env_runners)
        self.algorithm: Any = None
        try:
            self._build()
        except BaseException:
            self.close()
            raise

    def _build(self) -> None:
        """RLlib's algorithm, whose games and draws depend on the seed and on how far the run is."""
        config = self.config
        if self.algorithm is not None:
            self.algorithm.stop()
        made = ppo_config(
            self.env_id,
            policies=config.policies,
            network=self.layers,
            env_class=ShapedMultiAgentEnv if config.shaping else GameMultiAgentEnv,
            **self.environment,
        )
        made.env_runners(
            num_env_runners=config.num_env_runners,
            num_envs_per_env_runner=config.num_envs,
            rollout_fragment_length=config.rollout,
            sample_timeout_s=PATIENT_SECONDS,
        ).training(
            learner_class=FollowingLearner,
            train_batch_size_per_learner=config.steps_per_update,
            minibatch_size=config.batch_size,
            num_epochs=config.epochs,
            shuffle_batch_per_epoch=True,
            lr=config.learning_rate,
            gamma=config.gamma,
            lambda_=config.gae_lambda,
            clip_param=config.clip_range,
            entropy_coeff=config.entropy,
            vf_loss_coeff=config.value_weight,
            vf_clip_param=math.inf,
            use_kl_loss=True,  # measured, but without weight
            kl_coeff=0.0,
            grad_clip=config.max_grad_norm,
            grad_clip_by="global_norm",
        ).fault_tolerance(restart_failed_env_runners=True)
        seeds = np.random.SeedSequence([config.seed, self._steps])
        made.debugging(seed=int(seeds.generate_state(1)[0] >> 1), log_level="ERROR")
        self.algorithm = made.build_algo()

    # ---- what a course asks for -------------------------------------------------------------------------------------
    @property
    def steps(self) -> int:
        """Decisions learned from so far, of all seats."""
        return self._steps

    @property
    def games_finished(self) -> int:
        """Training games that have ended so far."""
        return self._games

    @property
    def columns(self) -> list[str]:
        """The columns of metrics.csv."""
        return columns(self.config.yardsticks, [*LOSSES.values(), "runners", "restarts"], self.SPENT)

    def facts(self) -> dict[str, Any]:
        """What result.json says besides."""
        return {**super().facts(), "num_env_runners": self.config.num_env_runners, "restarts": self._restarts}

    def learner(self) -> Agent:
        """The learner as it is: a network, or one for each seat."""
        players = [Policy(about, weights) for _, about, weights in self._networks()]
        return players[0] if self.config.policies == SHARED else Team(players)

    def _networks(self) -> list[tuple[str, dict[str, Any], dict[str, torch.Tensor]]]:
        """Of each policy the name of its file, its description, and its weights."""
        found = self.algorithm.learner_group.get_weights()
        weights = {
            policy: {name: torch.from_numpy(np.array(array)) for name, array in arrays.items()}
            for policy, arrays in found.items()
        }
        if self.config.policies == SHARED:
            return [(MODEL, self.description, weights[SHARED])]
        name = Path(MODEL)
        return [
            (f"{name.stem}-{policy}{name.suffix}", {**self.description, "seat": seat}, weights[policy])
            for seat, policy in enumerate(f"player_{seat}" for seat in range(len(weights)))
        ]

    def update(self) -> tuple[dict[str, float], dict[str, float]]:
        """Have the env runners play, and learn from it: figures and seconds."""
        self._with_learner(FollowingLearner.follow, self.learning_rate(), self.gae_lambda())
        learned, began = self._with_learner(_watch), time.perf_counter()
        result = self.algorithm.train()
        learning = self._with_learner(_watch) - learned
        played = result.get("env_runners", {})
        decisions, illegal = _count(played, "decisions"), _count(played, "illegal")
        if illegal:
            raise GameError(f"{self.env_id}: {illegal} illegal actions in {decisions} decisions: masks aren't kept to")
        self._steps += decisions
        self._games += _count(played, "games")
        figures = self._look_after(result.get("fault_tolerance", {}), decisions)
        losses = [part for name, part in result.get("learners", {}).items() if name != "__all_modules__"]
        for theirs, ours in LOSSES.items():
            values = [float(part[theirs]) for part in losses if theirs in part]
            figures[ours] = sum(values) / len(values) if values else math.nan
        return figures, {"playing": time.perf_counter() - began - learning, "learning": learning}

    def _look_after(self, runners: Mapping[str, Any], decisions: int) -> dict[str, float]:
        """Tell of env runners that have died or come back; their figures.

        Raises:
            ChildProcessError: after PATIENT_SECONDS without a decision.
        """
        healthy = int(runners.get("num_healthy_workers", 0))
        restarts = self._restarts_before + int(runners.get("num_remote_worker_restarts", 0))
        if restarts > self._restarts:
            self.notify(Told(f"env runners died and were started again: {restarts - self._restarts}", self._fraction()))
        self._restarts = restarts
        if decisions:
            self._idle_since = None
        elif self._idle_since is None:
            self._idle_since = time.perf_counter()
        elif time.perf_counter() - self._idle_since > PATIENT_SECONDS:
            raise ChildProcessError(f"no env runner has played for {PATIENT_SECONDS:.0f} s: see what Ray's logs say")
        return {"runners": healthy, "restarts": restarts}

    def _with_learner(self, method: Callable[..., Any], *arguments: Any) -> Any:
        """What a method of the learner, which lives in this process, returns."""
        (found,) = self.algorithm.learner_group.foreach_learner(lambda learner, **_: method(learner, *arguments))
        return found.get()

    def close(self) -> None:
        """Close files, the env runners, and Ray if it was started for this run."""
        super().close()
        try:
            if self.algorithm is not None:
                self.algorithm.stop()
        finally:
            self.cluster.close()

    # ---- checkpoints ------------------------------------------------------------------------------------------------
    def checkpoints(self) -> Sequence[Path]:
        """The folder's whole checkpoints, oldest first."""
        return checkpoints(self.folder / CHECKPOINTS)

    def save_checkpoint(self) -> None:
        """Write a checkpoint; the games in progress are no part of it."""
        facts = {
            "run": self.run_id,
            "settings": fixed_settings(self.config),
            **self.progress,
            "restarts": self._restarts,
        }
        save_checkpoint(self.folder / CHECKPOINTS, facts, lambda to: self.algorithm.save_to_path(str(to.resolve())))

    def restore(self, path: Path) -> None:
        """Go on from a checkpoint, with new games."""
        facts = load_facts(path)
        check_checkpoint(path, facts, self.run_id, self.config)
        try:
            self.restore_progress(facts)
            self._steps, self._games = int(facts["steps"]), int(facts["games"])
            self._restarts = self._restarts_before = int(facts["restarts"])
        except (KeyError, ValueError, TypeError) as error:
            raise damaged(path, error) from None
        self._build()  # with other seeds: else the first games would be played again
        self.algorithm.restore_from_path(str(path.resolve()))

    def save_model(self) -> None:
        """model.zip, or model-player_0.zip and so on: description and weights, for `agents.policy`."""
        for name, about, weights in self._networks():
            content, tensors = io.BytesIO(), io.BytesIO()
            torch.save(weights, tensors)
            told = {**about, "steps": self.steps, "seed": self.config.seed, "versions": versions()}
            with zipfile.ZipFile(content, "w") as archive:
                archive.writestr(DESCRIPTION, json.dumps(told, indent=2))
                archive.writestr(WEIGHTS, tensors.getvalue())
            write_whole(self.folder / name, content.getvalue())


def _watch(learner: FollowingLearner) -> float:
    return learner.seconds


def _count(result: Mapping[str, Any], name: str) -> int:
    """A sum of RLlib's metrics; one of nothing is not a number."""
    found = float(result.get(name, 0.0))
    return 0 if math.isnan(found) else int(found)
