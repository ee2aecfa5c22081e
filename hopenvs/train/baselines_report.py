"""What baselines came to (`baselines.py`): files and pictures small enough to be kept, and tables for people.

Everything is made anew from the work's folder, always the same from the same work; ids that haven't finished are left
out, and the tables say so.
"""

from __future__ import annotations

import io
import json
import os
import platform
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hopenvs.agents.specs import MODEL
from hopenvs.agents.trained import SUFFIX, write_compact
from hopenvs.core.errors import OptionError
from hopenvs.train import folder as on_disk
from hopenvs.train import ladder as ladders
from hopenvs.train.arena_folder import CONFIG, digest_of
from hopenvs.train.baselines import (
    TRAINED,
    Plan,
    PlannedRun,
    finished_ladder,
    ladder_folder,
    players_of,
    read_json,
    runs_of,
)
from hopenvs.train.baselines_pictures import Rating, draw_ladders
from hopenvs.train.baselines_tables import results_page, short_table
from hopenvs.train.config import TrainConfig
from hopenvs.train.files import versions, write_whole
from hopenvs.train.folder import TrainResult
from hopenvs.train.metrics import draw_curves, read_metrics

CURVES, CURVE, PAGE, ALL_LADDERS = "curves.csv", "curve.png", "README.md", "ladders.png"
BEGIN, END = "<!-- baselines: begin -->", "<!-- baselines: end -->"
BLOCK = re.compile(rf"^{re.escape(BEGIN)}\n(.*?)^{re.escape(END)}$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Baseline:
    """What an id came to.

    Attributes:
        env: the id.
        players: at its table.
        runs: one a seed.
        results: of the runs.
        ladder: result.json of the arena.
        versions: with which each run, and the ladder, was made.
    """

    env: str
    players: int
    runs: Sequence[PlannedRun]
    results: Sequence[TrainResult]
    ladder: dict[str, Any]
    versions: Sequence[Mapping[str, str]]

    def ratings(self, agent: str) -> list[Rating]:
        """The rating of an agent; of `TRAINED` those of all models, in the order of their seeds."""
        names = [run.name for run in self.runs] if agent == TRAINED else [agent]
        found = {rung["agent"]: rung for rung in self.ladder["agents"]}
        return [Rating(*(found[name][part] for part in ("rating", "low", "high"))) for name in names]


def collect(plan: Plan, work: str | Path) -> tuple[list[Baseline], list[str]]:
    """What has finished, and the ids that haven't.

    Args:
        plan: what was to be done.
        work: the folder of all runs and ladders.

    Raises:
        OptionError: for work of another plan, or that is damaged.
    """
    done, missing = [], []
    for env_id in plan.ids:
        runs = runs_of(plan, work, env_id)
        results = [result for result in (run.result for run in runs) if result is not None]
        ladder = finished_ladder(plan, work, env_id) if len(results) == len(runs) else None
        if ladder is None:
            missing.append(env_id)
        else:
            configs = [run.folder / on_disk.CONFIG for run in runs] + [ladder_folder(work, env_id) / CONFIG]
            found = [read_json(config)["versions"] for config in configs]
            done.append(Baseline(env_id, players_of(env_id), runs, results, ladder, found))
    return done, missing


def write_results(plan: Plan, work: str | Path, target: str | Path, readme: str | Path | None = None) -> list[str]:
    """Write all that has finished.

    Args:
        plan: what was to be done.
        work: the folder of all runs and ladders.
        target: the folder of the results; made if it isn't there.
        readme: a file whose part between `BEGIN` and `END` becomes the table of all ladders.

    Returns:
        The ids that haven't finished.

    Raises:
        OptionError: for work of another plan, or that is damaged, or a file without these two lines.
    """
    target = Path(target)
    if readme is not None:
        check_readme(readme)
    done, missing = collect(plan, work)
    target.mkdir(parents=True, exist_ok=True)
    for baseline in done:
        _write_baseline(baseline, ladder_folder(work, baseline.env), target / baseline.env)
    if done:
        titled = {b.env: {agent: b.ratings(agent) for agent in (*plan.agents, TRAINED)} for b in done}
        drawn = io.BytesIO()
        draw_ladders(titled, done[0].ladder["ratings"]["anchor"], drawn)
        write_whole(target / ALL_LADDERS, drawn.getvalue())
    page = results_page(plan, done, missing, machine())
    write_whole(target / PAGE, page.encode())
    if readme is not None:
        _write_block(Path(readme), short_table(plan, done, missing, _relative(target, Path(readme).parent)))
    return missing


def write_policies(plan: Plan, work: str | Path, target: str | Path) -> list[str]:
    """Write the model of every id's first seed as the player `trained` reads it (`agents/trained.py`).

    Args:
        plan: what was to be done.
        work: the folder of all runs and ladders.
        target: the folder of the policies; made if it isn't there.

    Returns:
        The ids whose first run has finished.
    """
    written = []
    Path(target).mkdir(parents=True, exist_ok=True)
    for env_id in plan.ids:
        first = runs_of(plan, work, env_id)[0]
        if first.result is not None:
            write_compact(first.folder / MODEL, Path(target) / f"{env_id}{SUFFIX}")
            written.append(env_id)
    return written


def machine() -> dict[str, Any]:
    """This machine, JSON-able."""
    return {"system": platform.system(), "machine": platform.machine(), "cpus": os.cpu_count()}


def _relative(target: Path, start: Path) -> str:
    return Path(os.path.relpath(target, start)).as_posix()


# ---- an id ----------------------------------------------------------------------------------------------------------
def _write_baseline(baseline: Baseline, arena: Path, target: Path) -> None:
    """The files of one id."""
    target.mkdir(parents=True, exist_ok=True)
    for name in (ladders.RATINGS, ladders.HEAD_TO_HEAD, ladders.PICTURE):
        write_whole(target / name, (arena / name).read_bytes())
    yardsticks = baseline.runs[0].config.yardsticks
    columns = ["steps", "seconds", *(f"{name}{part}" for name in yardsticks for part in ("", "_low", "_high"))]
    lines: list[list[Any]] = [["seed", *columns]]
    curves = []
    for run in baseline.runs:
        rows = [row for row in read_metrics(run.folder / on_disk.METRICS) if row.keys() & set(yardsticks)]
        lines += [
            [run.config.seed, int(row["steps"]), *(row.get(column, "") for column in columns[1:])] for row in rows
        ]
        curves.append(rows)
    write_whole(target / CURVES, ladders.as_csv(lines))
    drawn = io.BytesIO()
    seeds = ", ".join(str(run.config.seed) for run in baseline.runs)
    title = f"{baseline.env}, seed{'s' * (len(baseline.runs) > 1)} {seeds}"
    draw_curves(curves, yardsticks, title, drawn, players=baseline.players)
    write_whole(target / CURVE, drawn.getvalue())
    content = {**baseline.ladder, "training": _training(baseline), "arena": read_json(arena / CONFIG)}
    content["results"] = {"versions": versions(), **machine()}
    write_whole(target / ladders.RESULT, (json.dumps(content, indent=2) + "\n").encode())


def _training(baseline: Baseline) -> dict[str, Any]:
    """How the models were made, and what each came to."""
    config = baseline.runs[0].config
    usual, own = TrainConfig(config.env).as_dict(), config.as_dict()
    changed = {name: value for name, value in own.items() if value != usual[name] and name != "seed"}
    runs = []
    for run, made_with in zip(baseline.runs, baseline.versions, strict=False):
        found = {"agent": run.name, "seed": run.config.seed, **read_json(run.folder / on_disk.RESULT)}
        runs.append({**found, "sha256": digest_of(str(run.folder)), "versions": made_with})
    return {"settings_changed": changed, "runs": runs}


# ---- the README -----------------------------------------------------------------------------------------------------
def check_readme(path: str | Path) -> None:
    """Refuse a file that has no place for the table.

    Raises:
        OptionError: saying what is missing.
    """
    found = len(BLOCK.findall(Path(path).read_text(encoding="utf-8")))
    if found != 1:
        raise OptionError(
            f"{path}: expected the lines {BEGIN} and {END}, in this order and once, found {found} of them"
        )


def _write_block(path: Path, table: str) -> None:
    before = path.read_text(encoding="utf-8")
    text = BLOCK.sub(lambda _: f"{BEGIN}\n{table}{END}", before)
    if text != before:
        write_whole(path, text.encode())
