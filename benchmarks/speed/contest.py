"""Contestants measured in turn: every repeat asks each of them, so that a machine that slows down slows all of them."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from typing import Any

# Measures for about so many seconds: a rate, or several of them by name.
Contestant = Callable[[float], "float | dict[str, float]"]


def contest(contestants: Mapping[str, Contestant], seconds: float, repeats: int) -> dict[str, list[float]]:
    """The rates of each, one a repeat; a first round, in which things get compiled, isn't counted."""
    rates: dict[str, list[float]] = {}
    for repeat in range(repeats + 1):
        for name, measure in contestants.items():
            found = measure(seconds if repeat else seconds / 4)
            if not repeat:
                continue
            for part, rate in (found if isinstance(found, dict) else {"": found}).items():
                rates.setdefault(f"{name}: {part}" if part else name, []).append(rate)
    return rates


def cpu_rate(play: Callable[[], int]) -> Contestant:
    """How much is done a second of CPU time by `play`, which does a little and says how much that was."""

    def measure(seconds: float) -> float:
        done, until, began = 0, time.perf_counter() + seconds, time.process_time()
        while time.perf_counter() < until:
            done += play()
        spent = time.process_time() - began
        assert done > 0
        return done / spent

    return measure


def middle(values: list[float]) -> float:
    """The median."""
    return statistics.median(values)


def best(rates: Mapping[str, list[float]], names: Any) -> str | None:
    """Whose median is highest among those that were measured; None if nobody was."""
    found = [name for name in names if name in rates]
    return max(found, key=lambda name: middle(rates[name])) if found else None


def ratios(rates: Mapping[str, list[float]], one: str | None, other: str | None) -> list[float] | None:
    """One's rate over the other's in each repeat; None if either wasn't measured."""
    if one not in rates or other not in rates:
        return None
    return [a / b for a, b in zip(rates[one], rates[other], strict=True)]
