"""A run's figures: a CSV file that survives a kill, and the picture of the learning curve, also of several runs."""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from hopenvs.agents.match import CONFIDENCE


def columns(yardsticks: Sequence[str], training: Sequence[str], spent: Sequence[str]) -> list[str]:
    """The columns of metrics.csv.

    Args:
        yardsticks: whom the learner is measured against.
        training: what an engine tells of its updates; `training_<kind>` is the share of wins in training games against
            this sort of opponents.
        spent: what time is spent on.
    """
    return [
        *("steps", "seconds", "games", "steps_per_second", "learning_rate", *training),
        *(f"share_{name}" for name in spent),  # of the time
        *(f"{name}{part}" for name in yardsticks for part in ("", "_low", "_high")),  # evaluations: share of wins
    ]


class MetricsFile:
    """metrics.csv: a row an update, on the disk at once; evaluations fill the last columns.

    Args:
        path: the file.
        names: its columns.
        steps: rows after so many steps are dropped (what a killed run wrote after its last checkpoint).
    """

    def __init__(self, path: Path, names: Sequence[str], steps: int) -> None:
        kept = [row for row in read_metrics(path) if row["steps"] <= steps] if path.exists() else []
        self.names = list(names)
        self._file: IO[str] = path.open("w", encoding="utf-8", newline="")
        self._writer = csv.DictWriter(self._file, self.names, restval="")
        self._writer.writeheader()
        for row in kept:
            self.add(row)

    def add(self, row: Mapping[str, Any]) -> None:
        """A row; missing and undefined figures stay blank."""
        shown = {k: v for k, v in row.items() if k in self.names and not (isinstance(v, float) and math.isnan(v))}
        self._writer.writerow({k: int(v) if float(v).is_integer() else f"{v:.6g}" for k, v in shown.items()})
        self._file.flush()

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def read_metrics(path: Path) -> list[dict[str, float]]:
    """The rows of a metrics.csv; blank figures are left out, a last row that was cut off too."""
    rows = []
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            try:
                rows.append({k: float(v) for k, v in row.items() if k is not None and v})
            except (TypeError, ValueError):
                continue
    return [row for row in rows if "steps" in row]


def draw_curve(
    rows: Sequence[Mapping[str, float]], yardsticks: Sequence[str], title: str, path: Path, *, players: int = 2
) -> None:
    """Draw learning_curve.png: the curve of one run (`draw_curves`)."""
    draw_curves([rows], yardsticks, title, path, players=players)


def draw_curves(
    runs: Sequence[Sequence[Mapping[str, float]]], yardsticks: Sequence[str], title: str, target: Any, *, players: int
) -> None:
    """Draw the share of wins against each yardstick, a line for each run, its interval shaded.

    Args:
        runs: of each the rows of metrics.csv.
        yardsticks: whom the learners were measured against.
        title: above the picture.
        target: a path or an open file.
        players: in a game; of more than two, a line shows what would be a fair share.
    """
    from matplotlib.figure import Figure  # without pyplot: no window system, nothing global

    figure = Figure(figsize=(7.2, 4.2), dpi=150, facecolor="white", layout="constrained")
    axes = figure.subplots()
    ends = []
    for colour, name in zip(_COLOURS, yardsticks, strict=False):
        last = []  # of each run
        for rows in runs:
            found = [row for row in rows if name in row]
            if not found:
                continue
            steps = [row["steps"] for row in found]
            low, high, share = ([100 * row[key] for row in found] for key in (f"{name}_low", f"{name}_high", name))
            axes.fill_between(steps, low, high, color=colour, alpha=0.18 / len(runs), linewidth=0)
            axes.plot(steps, share, color=colour, linewidth=2 / len(runs) ** 0.5, marker="o", markersize=3.5)
            last.append((share[-1], steps[-1]))
        if last:
            mean = sum(share for share, _ in last) / len(last)
            label = f"{name} {mean:.0f} %" if len(last) == 1 else f"{name}: mean {mean:.0f} %"
            ends.append((mean, label, colour, max(step for _, step in last)))
    apart = -float(LABELS_APART)
    for share_at_end, label, colour, step in sorted(ends):  # beside the curves' ends, none on another
        apart = max(share_at_end, apart + LABELS_APART)
        beside = (step, apart)
        axes.annotate(f"  {label}", beside, color=colour, va="center", weight="bold", annotation_clip=False)
    axes.set_title(title, loc="left", fontsize=11)
    axes.set_xlabel("decisions of the learner")
    axes.set_ylabel(f"games won against, %; band: {100 * CONFIDENCE:.0f} % interval")
    if players > 2:
        axes.axhline(100 / players, color="#888888", linewidth=1, linestyle="--", zorder=1)
        axes.annotate(
            f"fair share of {players}",
            (0, 100 / players),
            (4, 3),
            textcoords="offset points",
            color="#666666",
            fontsize=8,
        )
    axes.set_ylim(0, 100)
    axes.set_xlim(left=0)
    axes.xaxis.set_major_formatter(_thousands)
    axes.grid(axis="y", color="#e3e3e3", linewidth=0.8)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color("#888888")
    figure.savefig(target, format="png", facecolor="white")


LABELS_APART = 6  # percent
_COLOURS = ("#1b6ca8", "#c2571a", "#3d8b40", "#7a4fa3")  # told apart by the colour-blind, too


def _thousands(value: float, _position: float) -> str:
    for size, unit in ((1e6, " M"), (1e3, " k")):
        if value >= size:
            return f"{value / size:.3g}{unit}"
    return f"{value:.0f}"
