"""The tables of baselines, as Markdown."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import TYPE_CHECKING, Any

from hopenvs.agents.match import CONFIDENCE
from hopenvs.train.baselines import SEEDS_OF_MORE, SEEDS_OF_TWO, TRAINED, Plan
from hopenvs.train.baselines_pictures import Rating

if TYPE_CHECKING:
    from hopenvs.train.baselines_report import Baseline

LINE = 120  # characters
SURE = f"{100 * CONFIDENCE:.0f} %"


def results_page(plan: Plan, done: Sequence[Baseline], missing: Sequence[str], machine: Mapping[str, Any]) -> str:
    """The README.md of the results: how they were made, all ladders, all runs.

    Args:
        plan: what was to be done.
        done: what has finished.
        missing: the ids that haven't.
        machine: where the results were written (`baselines_report.machine`).
    """
    parts = ["# Baselines\n", _method(plan), _completeness(plan, missing)]
    if done:
        parts += ["## Ladders\n", "![Ratings of the same agents in every game](ladders.png)\n"]
        parts += [_ladders(plan, done, links=""), _about_ladders(done)]
        parts += ["## Training\n", _training(done), _about_training(done)]
        parts += ["## Made with\n", _made_with(done, machine)]
    return "\n".join(part for part in parts if part)


def short_table(plan: Plan, done: Sequence[Baseline], missing: Sequence[str], results: str) -> str:
    """The ladders for another page.

    Args:
        plan: what was to be done.
        done: what has finished.
        missing: the ids that haven't.
        results: the folder of the results, from that page.
    """
    if not done:
        return f"\n{_completeness(plan, missing)}\n"
    picture = f"![Ratings of the same agents in every game]({results}/ladders.png)\n"
    more = f"[How they were made, each seed, and the training]({results}/README.md).\n"
    parts = [_ladders(plan, done, links=f"{results}/"), _about_ladders(done), picture]
    return "\n" + "\n".join(part for part in [*parts, _completeness(plan, missing), more] if part) + "\n"


def markdown_table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """A table whose first column stands to the left and all others to the right."""
    rule = ["---", *["--:"] * (len(head) - 1)]
    return "".join("| " + " | ".join(str(cell) for cell in line) + " |\n" for line in [head, rule, *rows])


# ---- how they were made ---------------------------------------------------------------------------------------------
def _method(plan: Plan) -> str:
    length = ", ".join(f"{name} {_in_words(value)}" for name, value in plan.settings.items())
    if plan.seeds is not None:
        seeds = f"seed{'s' * (len(plan.seeds) > 1)} {_listed(plan.seeds)}"
    else:
        seeds = f"seeds {_listed(SEEDS_OF_TWO)} with two players, seed {_listed(SEEDS_OF_MORE)} with more"
    made = _paragraph(
        "Written by `hopenvs baselines`; `hopenvs baselines --only report` writes it again from its work."
    )
    changes = "".join(f"- {name}: {_in_words(value)}\n" for name, value in plan.changes.items())
    method = _paragraph(
        f"MaskablePPO (`hopenvs train`) with its default settings but {length}; {seeds}. Then a round robin "
        f"(`hopenvs arena`) of {_listed(plan.agents)} and the trained models: {plan.games} games of every pair, or "
        f"a few more for whole rotations of the seats, their seeds from {plan.first_seed} on."
    )
    fixed = _paragraph("This plan stood before the first rating; ratings stand here wherever they fell.")
    return f"{made}\n{method}\n" + (f"**Other than planned:**\n\n{changes}" if changes else fixed)


def _completeness(plan: Plan, missing: Sequence[str]) -> str:
    if not missing:
        return ""
    return _paragraph(f"Not finished yet, and left out: {_listed(missing)} ({len(missing)} of {len(plan.ids)} ids).")


def _paragraph(text: str) -> str:
    return textwrap.fill(text, LINE, break_long_words=False, break_on_hyphens=False) + "\n"


def _listed(values: Sequence[Any]) -> str:
    return ", ".join(str(value) for value in values)


def _in_words(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, list):
        return _listed(value)
    return json.dumps(value) if isinstance(value, dict) else str(value)


# ---- ladders --------------------------------------------------------------------------------------------------------
def mean_of_seeds(ratings: Sequence[Rating]) -> Rating:
    """The mean of several models' ratings, from the lowest of their bounds to the highest."""
    return Rating(fmean(r.value for r in ratings), min(r.low for r in ratings), max(r.high for r in ratings))


def _ladders(plan: Plan, done: Sequence[Baseline], *, links: str) -> str:
    """A row for each id, a column for each agent, and one more for the seeds if there are several.

    Args:
        plan: what was to be done.
        done: what has finished.
        links: where the ids' folders lie.
    """
    rows = []
    for baseline in done:
        own = baseline.ratings(TRAINED)
        cells = [f"[{baseline.env}]({links}{baseline.env}/ladder.png)"]
        cells += [str(baseline.ratings(agent)[0]) for agent in plan.agents]
        rows.append([*cells, f"**{mean_of_seeds(own)}**"])
    return markdown_table(("id", *plan.agents, TRAINED), rows)


def _about_ladders(done: Sequence[Baseline]) -> str:
    anchor, runs = done[0].ladder["ratings"]["anchor"], max(len(baseline.runs) for baseline in done)
    text = (
        f"Elo ratings, `{anchor}` at 0, with {SURE} intervals; those of different games don't compare. How uncertain "
        f"the distance to `{anchor}` is lies in all intervals alike: who is ahead of whom is known better, and stands "
        "in each id's picture."
    )
    if any(baseline.ladder.get("repeated") for baseline in done):
        text += (
            " Where nothing is left to chance two models play the same game again and again: of each seating it counts"
            " once."
        )
    if runs > 1:
        text += (
            f" `{TRAINED}` is the mean over the seeds where there are several, with an interval from the lowest of "
            "their bounds to the highest."
        )
    return _paragraph(text)


# ---- training -------------------------------------------------------------------------------------------------------
def _training(done: Sequence[Baseline]) -> str:
    """A row for each run."""
    yardsticks = done[0].runs[0].config.yardsticks
    rows = []
    for baseline in done:
        for run, result, rating in zip(baseline.runs, baseline.results, baseline.ratings(TRAINED), strict=True):
            cells = [f"[{baseline.env}]({baseline.env}/curve.png)", run.config.seed, rating, f"{result.steps:,}"]
            cells += [f"{result.seconds / 60:.1f}", f"{result.steps_per_second:,.0f}"]
            rows.append([*cells, *(result.win_rates[name] for name in yardsticks), f"{100 / baseline.players:.0f} %"])
    figures = ("rating", "decisions", "minutes", "decisions a second", *(f"wins against {name}" for name in yardsticks))
    return markdown_table(("id", "seed", *figures, "fair share"), rows)


def _about_training(done: Sequence[Baseline]) -> str:
    games = done[0].runs[0].config.final_games
    return _paragraph(
        f"Ratings are those of the ladders. Wins are out of {games:,} games or a few more, the model on one seat, "
        f"which rotates, the other agent on all others, with {SURE} intervals; a fair share is what equals would win. "
        "Minutes are those of the whole run; decisions a second those of training, evaluations and compiling left out."
    )


def _made_with(done: Sequence[Baseline], machine: Mapping[str, Any]) -> str:
    found = dict.fromkeys(_listed_versions(versions) for baseline in done for versions in baseline.versions)
    lines = "".join(f"- {line}\n" for line in found)
    here = f"{machine['system']}, {machine['machine']}, {machine['cpus']} CPUs"
    return f"{lines}- this report: {here}\n"


def _listed_versions(versions: Mapping[str, str]) -> str:
    return _listed([f"{name} {version}" for name, version in versions.items()])
