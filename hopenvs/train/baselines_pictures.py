"""The picture of many ladders at once: a small panel for each id, the same agents in the same places and colours."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hopenvs.agents.match import CONFIDENCE

ACROSS = 3  # panels side by side
APART = 0.26  # between the points of one agent's models
_INK, _GREY = "#333333", "#888888"
_COLOURS = {"uniform": "#888888", "greedy": "#c2571a", "trained": "#1b6ca8"}
_OTHER = "#3d8b40"  # told apart by the colour-blind, too


@dataclass(frozen=True)
class Rating:
    """A rating and where it lies with `CONFIDENCE`.

    Attributes:
        value: on the Elo scale.
        low: where it lies at least.
        high: where it lies at most.
    """

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        value, low, high = map(round, (self.value, self.low, self.high))
        return str(value) if self.low == self.high else f"{value} [{low}, {high}]"


def draw_ladders(ladders: Mapping[str, Mapping[str, Sequence[Rating]]], anchor: str, target: Any) -> None:
    """Draw the ratings of many ladders.

    Args:
        ladders: by title the ratings of every agent; of a trained one those of all its models, one below the other.
        anchor: whose rating is 0.
        target: a path or an open file.
    """
    from matplotlib.figure import Figure  # without pyplot: no window system, nothing global

    agents = list(dict.fromkeys(agent for ladder in ladders.values() for agent in ladder))
    across = min(ACROSS, len(ladders))
    down = math.ceil(len(ladders) / across)
    size = (1.2 + 3.0 * across, 0.7 + (0.75 + 0.26 * len(agents)) * down)
    figure = Figure(figsize=size, dpi=150, facecolor="white", layout="constrained")
    panels = figure.subplots(down, across, sharex=True, sharey=True, squeeze=False)
    for axes, (title, ladder) in zip(panels.flat, ladders.items(), strict=False):
        axes.set_title(title, loc="left", fontsize=9.5, color=_INK)
        for place, agent in enumerate(agents):
            _draw_agent(axes, place, ladder.get(agent, ()), _COLOURS.get(agent, _OTHER))
        _tidy(axes)
    for axes in panels.flat[len(ladders) :]:
        axes.set_visible(False)
    for axes in panels.flat[max(0, len(ladders) - across) : len(ladders)]:
        axes.tick_params(axis="x", labelbottom=True)  # also above a place where no panel is
    first = panels.flat[0]
    first.set_yticks(range(len(agents)), agents)
    first.set_ylim(len(agents) - 0.4, -0.6)
    first.margins(x=0.14)
    figure.supxlabel(f"rating (Elo; {anchor} = 0) and {100 * CONFIDENCE:.0f} % interval", fontsize=9.5, color=_INK)
    figure.savefig(target, format="png", facecolor="white")


def _draw_agent(axes: Any, place: int, ratings: Sequence[Rating], colour: str) -> None:
    """The ratings of an agent's models round its place."""
    for k, rating in enumerate(ratings):
        where = place + APART * (k - (len(ratings) - 1) / 2)
        reach = [[max(0.0, rating.value - rating.low)], [max(0.0, rating.high - rating.value)]]
        axes.errorbar(
            [rating.value], [where], xerr=reach, fmt="o", markersize=4, color=colour, elinewidth=1.5, capsize=2.5
        )
    if ratings:
        mean = sum(rating.value for rating in ratings) / len(ratings)
        right = max(rating.high for rating in ratings)
        axes.annotate(
            f"{mean:.0f}",
            (right, place),
            (5, 0),
            textcoords="offset points",
            va="center",
            fontsize=8,
            color=_INK,
        )


def _tidy(axes: Any) -> None:
    axes.grid(axis="x", color="#e3e3e3", linewidth=0.8)
    axes.axvline(0, color="#c4c4c4", linewidth=0.8, zorder=1)
    axes.set_axisbelow(True)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(_GREY)
    axes.tick_params(axis="y", length=0, labelsize=9)
    axes.tick_params(axis="x", labelsize=8)
