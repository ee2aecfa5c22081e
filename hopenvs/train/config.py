"""What a training run is told: a frozen dataclass for each engine, checked when made, kept as JSON in its folder."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from hopenvs.agents.specs import KINDS, PERSON
from hopenvs.core.errors import OptionError, nearest

DEFAULT_MINUTES = 4.5
MIX = {"self": 0.5, "pool": 0.3, "greedy": 0.2}
SHARED, SEAT = "shared", "seat"  # one policy for all seats, or one for each
BASELINES = tuple(word for word in KINDS if word != PERSON)


@dataclass(frozen=True)
class RunConfig:
    """What every engine is told.

    Attributes:
        env: the id.
        options: further options of the game.
        reward: how a game pays, "win", "rank" or "score" (C-7).
        minutes: how long, compiling and the last evaluation included; DEFAULT_MINUTES if `steps` isn't given either.
        steps: how many decisions of the learner.
        seed: of all that is random.
        num_envs: games side by side.
        rollout: decisions of the learner in each game between two updates.
        batch_size: decisions in a gradient step.
        epochs: passes over a rollout.
        learning_rate: at the start; it falls linearly to `final_learning_rate`.
        final_learning_rate: at the end.
        gamma: discount; 1 is right for a game that pays at its end.
        gae_lambda: of the advantages (Schulman et al., "High-dimensional continuous control using generalized
            advantage estimation", ICLR 2016) at the start: low, as shaping tells early what a decision was worth. It
            rises linearly to `final_gae_lambda`, when finer differences count than the potential sees.
        final_gae_lambda: at the end.
        clip_range: of PPO's ratio.
        entropy: weight of the entropy bonus.
        value_weight: weight of the value's loss.
        max_grad_norm: gradients are clipped to this norm.
        shaping: weight of a potential made of the game's `evaluate` (`train/shaping.py`); 0 for the bare payoff.
        trunk: widths of the layers that policy and value share.
        heads: widths of the layers that each has for itself.
        activation: "relu" or "tanh".
        evaluations: how many there are in the whole run, evenly spread, the last one not counted.
        evaluation_games: games against each of `yardsticks`.
        final_games: in the last evaluation.
        yardsticks: whom the learner is measured against.
        checkpoint_seconds: time between two checkpoints.
        threads: of PyTorch. More than one pay off for wide networks on idle cores only; where other programs run, too,
            they wait for one another and take several times as long.
    """

    ENGINE: ClassVar[str]
    # Settings that a resumed run may change: how long it lasts.
    FREE: ClassVar[tuple[str, ...]] = ("minutes", "steps")

    env: str
    options: Mapping[str, Any] = field(default_factory=dict)
    reward: str = "win"
    minutes: float | None = None
    steps: int | None = None
    seed: int = 0
    num_envs: int = 512
    rollout: int = 64
    batch_size: int = 4096
    epochs: int = 3
    learning_rate: float = 6e-3
    final_learning_rate: float = 2e-4
    gamma: float = 1.0
    gae_lambda: float = 0.5
    final_gae_lambda: float = 0.8
    clip_range: float = 0.2
    entropy: float = 0.003
    value_weight: float = 0.5
    max_grad_norm: float = 0.5
    shaping: float = 1.0
    trunk: tuple[int, ...] = (256,)
    heads: tuple[int, ...] = (128,)
    activation: str = "relu"
    evaluations: int = 10
    evaluation_games: int = 200
    final_games: int = 1000
    yardsticks: tuple[str, ...] = ("uniform", "greedy")
    checkpoint_seconds: float = 20.0
    threads: int = 1

    def __post_init__(self) -> None:
        if self.minutes is None and self.steps is None:
            object.__setattr__(self, "minutes", DEFAULT_MINUTES)
        for setting in dataclasses.fields(self):
            value, kind = getattr(self, setting.name), _SETTINGS[setting.name]
            if not kind.fits(value):
                raise OptionError(f"{setting.name}={value!r}: expected {kind.expected}")
            if isinstance(value, list):
                object.__setattr__(self, setting.name, tuple(value))
        if self.minutes is not None and self.steps is not None:
            raise OptionError(f"minutes={self.minutes}, steps={self.steps}: expected one of them")
        product, size = self._update()
        if self.batch_size > size:
            raise OptionError(f"batch_size={self.batch_size}: expected at most {product} = {size}")
        _check_words("yardsticks", self.yardsticks, BASELINES)
        if len(set(self.yardsticks)) < len(self.yardsticks):
            raise OptionError(f"yardsticks={list(self.yardsticks)}: expected each once")

    def _update(self) -> tuple[str, int]:
        """The decisions between two updates, in words and figures."""
        return "num_envs * rollout", self.num_envs * self.rollout

    def as_dict(self) -> dict[str, Any]:
        """JSON-able."""
        return json.loads(json.dumps(dataclasses.asdict(self)))

    @classmethod
    def from_dict(cls, saved: Mapping[str, Any]) -> Self:
        """The inverse of `as_dict`.

        Raises:
            OptionError: for an unknown or impossible setting, or one of another engine.
        """
        names = [f.name for f in dataclasses.fields(cls)]
        for name in saved:
            if name not in names:
                others = [
                    kind.ENGINE for kind in ENGINES.values() if name in {f.name for f in dataclasses.fields(kind)}
                ]
                if others:
                    raise OptionError(f"setting {name!r} is one of the engine {others[0]}, not of {cls.ENGINE}")
                raise OptionError(f"unknown setting {name!r}{nearest(name, names)}")
        return cls(**saved)


@dataclass(frozen=True)
class TrainConfig(RunConfig):
    """A training run by MaskablePPO (Stable-Baselines3), the usual engine.

    The defaults learn Igel Ärgern for two in a few minutes on two cores. A run of so many `steps` gives the same model
    for the same seed on one machine with the same number of threads; one of so many `minutes` does what time allows.

    Attributes:
        mix: who sits on the other seats, by weight: "self" (the learner as it is), "pool" (a snapshot of it),
            "uniform", "greedy".
        pool_size: snapshots kept.
        snapshots: how many are taken in the whole run, evenly spread.
        device: where the networks run.
    """

    ENGINE: ClassVar[str] = "sb3"

    mix: Mapping[str, float] = field(default_factory=lambda: dict(MIX))
    pool_size: int = 8
    snapshots: int = 24
    device: str = "cpu"

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_words("mix", self.mix, ("self", "pool", *BASELINES))
        if sum(self.mix.values()) <= 0:
            raise OptionError(f"mix={dict(self.mix)}: expected weights of 0 or more, not all 0")


@dataclass(frozen=True)
class RllibConfig(RunConfig):
    """A training run by RLlib's PPO, whose games are played by several processes, on one machine or a Ray cluster.

    All seats learn, against one another. Runs aren't repeatable to the bit.

    Attributes:
        num_env_runners: processes that play; 0 plays in the main process. Each plays `num_envs` games side by side, and
            all together num_env_runners * num_envs * rollout steps between two updates. A resumed run may have another
            number.
        policies: "shared" (one network learns all seats) or "seat" (one for each).
    """

    ENGINE: ClassVar[str] = "rllib"
    FREE: ClassVar[tuple[str, ...]] = (*RunConfig.FREE, "num_env_runners")

    num_envs: int = 32
    batch_size: int = 1024
    learning_rate: float = 2e-3
    num_env_runners: int = 2
    policies: str = SHARED

    def _update(self) -> tuple[str, int]:
        product = max(1, self.num_env_runners) * self.num_envs * self.rollout
        return "num_env_runners * num_envs * rollout", product

    @property
    def steps_per_update(self) -> int:
        """Steps of games between two updates."""
        return self._update()[1]


ENGINES: dict[str, type[RunConfig]] = {kind.ENGINE: kind for kind in (TrainConfig, RllibConfig)}


def _check_words(name: str, given: Iterable[str], known: Sequence[str]) -> None:
    for word in given:
        if word not in known:
            raise OptionError(f"{name}: {word!r}{nearest(word, known)}: expected {', '.join(known)}")


@dataclass(frozen=True)
class _Kind:
    """What a setting may be.

    Attributes:
        expected: in words.
        fits: whether a value is of this kind.
    """

    expected: str
    fits: Callable[[Any], bool]


def _number(low: float, high: float, *, whole: bool = False, optional: bool = False) -> _Kind:
    kinds = int if whole else (int, float)

    def fits(value: Any) -> bool:
        if value is None:
            return optional
        return isinstance(value, kinds) and not isinstance(value, bool) and low <= value <= high

    return _Kind(f"{'an integer' if whole else 'a number'} from {low:g} to {high:g}", fits)


def _word(*choices: str) -> _Kind:
    expected = " or ".join(map(repr, choices)) or "a word"
    return _Kind(expected, lambda value: isinstance(value, str) and (not choices or value in choices))


def _list_of(kind: _Kind, such_as: str) -> _Kind:
    def fits(value: Any) -> bool:
        return isinstance(value, (list, tuple)) and all(map(kind.fits, value))

    return _Kind(f"a list such as {such_as}, each {kind.expected}", fits)


def _table_of(kind: _Kind, such_as: str) -> _Kind:
    def fits(value: Any) -> bool:
        if not isinstance(value, Mapping):
            return False
        return all(isinstance(key, str) for key in value) and all(map(kind.fits, value.values()))

    return _Kind(f"a table such as {such_as}, each {kind.expected}", fits)


_ANYTHING = _Kind("what the game takes", lambda value: True)
_COUNT = _number(1, 1 << 30, whole=True)
_OCCASIONS = _number(0, 1 << 20, whole=True)
_WIDTHS = _list_of(_number(1, 65536, whole=True), "[256]")

_SETTINGS: dict[str, _Kind] = {
    "env": _word(),
    "options": _table_of(_ANYTHING, '{"players": 2}'),
    "reward": _word(),
    "minutes": _number(0.01, 1e6, optional=True),
    "steps": _number(1, 1e15, whole=True, optional=True),
    "seed": _number(0, 2**64 - 1, whole=True),
    "num_envs": _number(1, 1 << 20, whole=True),
    "rollout": _number(1, 1 << 20, whole=True),
    "batch_size": _COUNT,
    "epochs": _number(1, 1000, whole=True),
    "learning_rate": _number(0, 1),
    "final_learning_rate": _number(0, 1),
    "gamma": _number(0, 1),
    "gae_lambda": _number(0, 1),
    "final_gae_lambda": _number(0, 1),
    "clip_range": _number(1e-6, 10),
    "entropy": _number(0, 10),
    "value_weight": _number(0, 100),
    "max_grad_norm": _number(1e-6, 1e6),
    "shaping": _number(0, 100),
    "trunk": _WIDTHS,
    "heads": _WIDTHS,
    "activation": _word("relu", "tanh"),
    "mix": _table_of(_number(0, 1e6), '{"self": 1}'),
    "pool_size": _number(1, 10_000, whole=True),
    "snapshots": _OCCASIONS,
    "evaluations": _OCCASIONS,
    "evaluation_games": _COUNT,
    "final_games": _COUNT,
    "yardsticks": _list_of(_word(), '["greedy"]'),
    "checkpoint_seconds": _number(0, 1e9),
    "threads": _number(1, 1024, whole=True),
    "device": _word(),
    "num_env_runners": _number(0, 1024, whole=True),
    "policies": _word(SHARED, SEAT),
}
