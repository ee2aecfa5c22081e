"""What a training run tells whoever listens (`notify`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hopenvs.agents.match import Interval


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
