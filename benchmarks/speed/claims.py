"""What was meant to be reached, as ratios of figures of one run, and whether it was."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import c_limit

from speed import openspiel_games, own, pgx_games
from speed.cases import CONNECT_FOUR, simultaneous
from speed.contest import best, ratios

SMALL = 1024  # bytes of mask and observation
Rates = dict[str, list[float]]  # contestant -> a figure a repeat
Cases = dict[str, Any]  # "face/id" -> {"rates": Rates, "facts": {..}}
Values = Callable[[Cases, str], "list[float] | None"]


@dataclass(frozen=True)
class Claim:
    """Something that each id is to reach.

    Args:
        name: a column's heading.
        limit: what the median is to reach, or to stay below.
        values: of the cases and an id, one figure a repeat; None where it isn't asked or wasn't measured.
        below: stay below.
    """

    name: str
    limit: float
    values: Values
    below: bool = False

    def met(self, values: list[float]) -> bool:
        """Whether these figures reach it."""
        middle = statistics.median(values)
        return middle < self.limit if self.below else middle >= self.limit

    @property
    def heading(self) -> str:
        """The name and the limit."""
        return f"{self.name}, {'below' if self.below else 'at least'} {self.limit:g}"


def rates_of(cases: Cases, face: str, env_id: str) -> Rates:
    """The rates of a face; none if it wasn't measured."""
    return cases.get(f"{face}/{env_id}", {}).get("rates", {})


def facts_of(cases: Cases, face: str, env_id: str) -> dict[str, Any]:
    """What else was found."""
    return cases.get(f"{face}/{env_id}", {}).get("facts", {})


def best_own(rates: Rates, part: str) -> str | None:
    """The N at which one thread is quickest."""
    return best(rates, [f"N={n}, 1 thread: {part}" for n in own.BATCHES])


def best_pgx(rates: Rates) -> str | None:
    """The batch at which pgx's Connect Four is quickest."""
    return best(rates, [f"pgx connect_four, {batch}" for batch in pgx_games.BATCHES])


def best_in_c(rates: Rates) -> str | None:
    """The N at which C is quickest."""
    return best(rates, [f"C, N={n}: step" for n in own.BATCHES])


def best_writing(rates: Rates, kind: str) -> str | None:
    """The N at which bytes are written quickest, to "kept" or "fresh" arrays."""
    return best(rates, [f"writing N={n}, {kind}" for n in own.BATCHES])


def writing_like(step: str) -> str:
    """Writing to kept arrays at the N of a step."""
    return f"writing {step.partition(',')[0]}, kept"


def small(cases: Cases, env_id: str) -> bool:
    """Whether mask and observation take less than 1 KB together."""
    return facts_of(cases, "vector", env_id).get("bytes", SMALL) < SMALL


def _aec(other: str, *, only_small: bool = False) -> Values:
    def values(cases: Cases, env_id: str) -> list[float] | None:
        rates = rates_of(cases, "aec", env_id)
        if simultaneous(env_id) or (only_small and facts_of(cases, "aec", env_id).get("bytes", SMALL) >= SMALL):
            return None
        return ratios(rates, "hopenvs", other)

    return values


def _vector(
    part: str, other: Callable[[dict[str, list[float]]], str | None], asked: Callable[[Cases, str], bool]
) -> Any:
    def values(cases: Cases, env_id: str) -> list[float] | None:
        rates = rates_of(cases, "vector", env_id)
        return ratios(rates, best_own(rates, part), other(rates)) if asked(cases, env_id) else None

    return values


def beside_openspiel(rates: Rates, name: str) -> list[float] | None:
    """Step and choice at the best N, over the rate of one of OpenSpiel's games."""
    return ratios(rates, best_own(rates, "step and choice"), f"OpenSpiel {name}")


def _openspiel(cases: Cases, env_id: str) -> list[float] | None:
    rates, facts = rates_of(cases, "vector", env_id), facts_of(cases, "vector", env_id)
    if not facts:
        return None
    return beside_openspiel(rates, openspiel_games.nearest(facts["bytes"]))


def _two_threads(cases: Cases, env_id: str) -> list[float] | None:
    rates = rates_of(cases, "vector", env_id)
    return ratios(rates, "N=4096, 2 threads: step, wall", "N=4096, 1 thread: step, wall")


def _seconds(*names: str) -> Values:
    def values(cases: Cases, env_id: str) -> list[float] | None:
        facts = facts_of(cases, "start", env_id)
        return [facts[name] for name in names] if facts else None

    return values


def _share(cases: Cases, env_id: str) -> list[float] | None:
    share = facts_of(cases, "training", env_id).get("share_environment")
    return None if share is None else [share]


CLAIMS = (
    Claim("AEC / do nothing", 0.6, _aec("do nothing")),
    Claim(f"AEC / PettingZoo {CONNECT_FOUR} (below 1 KB)", 10, _aec(f"PettingZoo {CONNECT_FOUR}", only_small=True)),
    Claim("vector / C", 0.8, _vector("step", best_in_c, lambda _, env_id: env_id == c_limit.ENV)),
    Claim("vector / OpenSpiel's game of like weight", 10, _openspiel),
    Claim("vector / pgx connect_four (below 1 KB)", 1, _vector("step and choice", best_pgx, small)),
    Claim(
        "vector / writing as many bytes (1 KB or more)", 0.25,
        _vector("step", lambda rates: best_writing(rates, "fresh"), lambda cases, env_id: not small(cases, env_id)),
    ),
    Claim("two threads / one", 1.8, _two_threads),
    Claim("warm start, s", 0.6, _seconds("warm: make + first step", "warm again: make + first step"), below=True),
    Claim("cold start, s", 10, _seconds("cold: make + first step"), below=True),
    Claim("environment's share of training", 0.2, _share, below=True),
)  # fmt: skip
