"""`hopenvs baselines`: train and rate agents for everybody to compare with, by a plan that is fixed beforehand."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hopenvs.cli import cold, terminal
from hopenvs.cli.eval import MOST_GAMES, against
from hopenvs.cli.train import Shown
from hopenvs.core.errors import OptionError

if TYPE_CHECKING:
    from hopenvs.train.arena import Arena
    from hopenvs.train.baselines import Plan

EXAMPLES = (
    "hopenvs baselines",
    "hopenvs baselines --ids igel_aergern-2p-v0,hooop-2p-v0 --minutes 1 --games 40 --work quick --results quick",
    "hopenvs baselines --only report --readme README.md --policies hopenvs/agents/policies",
)
WORK, RESULTS = "baselines", "benchmarks/results"
STAGES = ("train", "ladders", "report")


def command(
    ids: Annotated[str | None, typer.Option("--ids", metavar="A,B,..", help="Only these (the default set).")] = None,
    minutes: Annotated[
        float | None, typer.Option("--minutes", help="Of every run, instead of what is planned (10).")
    ] = None,
    games: Annotated[
        int | None,
        typer.Option("--games", min=1, max=MOST_GAMES, help="Of every pair, instead of what is planned (200)."),
    ] = None,
    only: Annotated[
        str | None, typer.Option("--only", metavar="STAGE", help=f"Only {', '.join(STAGES[:-1])} or {STAGES[-1]}.")
    ] = None,
    work: Annotated[str, typer.Option("--work", metavar="FOLDER", help="Of runs and arenas.")] = WORK,
    results: Annotated[str, typer.Option("--results", metavar="FOLDER", help="Of tables and pictures.")] = RESULTS,
    policies: Annotated[
        str | None,
        typer.Option("--policies", metavar="FOLDER", help="Also write each id's first model as `trained` plays it."),
    ] = None,
    readme: Annotated[
        str | None,
        typer.Option("--readme", metavar="FILE", help="Also put the table of all ladders between two lines of a file."),
    ] = None,
) -> None:
    """Train and rate agents of the default set, by a fixed plan.

    Three stages. train: `hopenvs train` for each id with its default settings and 10 minutes a run, three seeds for
    two players and one for more. ladders: `hopenvs arena` of uniform, greedy, mcts:100, mcts:400 and the trained
    models, 200 games of every pair. report: curves, ratings, pictures and a README.md with the tables. All of it takes
    many hours; after an interruption the same command goes on. Runs that already lie in the folder of the work, as
    ID/seed-K, count if they were made with the plan's settings. The file of --readme needs the lines
    "<!-- baselines: begin -->" and "<!-- baselines: end -->". Prints the ids that have finished.
    """
    if only is not None and only not in STAGES:
        raise OptionError(f"--only {only}: expected {', '.join(STAGES[:-1])} or {STAGES[-1]}")
    try:
        from hopenvs.train import baselines, run  # noqa: F401 (run: whether training is possible at all)
        from hopenvs.train.baselines_report import check_readme, write_policies, write_results
    except ImportError as error:
        raise OptionError(f"baselines need {error.name}: pip install 'hopenvs[train]'") from None
    given: dict[str, Any] = {}
    if ids is not None:
        given["ids"] = tuple(name.strip() for name in ids.split(",") if name.strip())
    if minutes is not None:
        given["settings"] = {"minutes": minutes}
    if games is not None:
        given["games"] = games
    plan = dataclasses.replace(baselines.Plan(), **given)
    if readme is not None:  # better missed at the beginning
        check_readme(readme)
    baselines.all_runs(plan, work)
    stages: dict[str, Callable[[Plan, str], Any]] = {"train": _train, "ladders": _play}
    for stage, do in stages.items():
        if only in (None, stage):
            try:
                do(plan, work)
            except KeyboardInterrupt:
                terminal.remark("Interrupted: the same command goes on from here")
                raise typer.Exit(130) from None
    if only in (None, "report"):
        if policies is not None:
            write_policies(plan, work, policies)
        missing = write_results(plan, work, results, readme)
        for name in plan.ids:
            if name not in missing:
                print(name)
        if missing:
            terminal.remark(f"not finished: {', '.join(missing)}")
        terminal.remark(f"results: {Path(results)}")


def _train(plan: Plan, work: str) -> None:
    """Every run that hasn't finished, one after the other."""
    from hopenvs import registry
    from hopenvs.train.baselines import all_runs, train_run

    runs = all_runs(plan, work)
    for k, run in enumerate(runs, 1):
        if run.result is not None:
            continue
        env_id = run.config.env
        terminal.remark(f"run {k} of {len(runs)}: {env_id}, seed {run.config.seed}")
        cold.announce(registry.resolve(env_id, {})[0])
        with Shown(env_id) as shown:
            train_run(run, shown.news)


def _play(plan: Plan, work: str) -> None:
    """Every ladder that hasn't been played to its end, of the ids whose runs have finished."""
    from hopenvs.train.baselines import finished_ladder, prepare_ladder, runs_of

    for k, env_id in enumerate(plan.ids, 1):
        waiting = [str(run.config.seed) for run in runs_of(plan, work, env_id) if run.result is None]
        if waiting:
            terminal.remark(f"ladder {k} of {len(plan.ids)}: {env_id}: waits for the run of seed {', '.join(waiting)}")
            continue
        if finished_ladder(plan, work, env_id) is not None:
            continue
        terminal.remark(f"ladder {k} of {len(plan.ids)}: {env_id}")
        _play_arena(env_id, prepare_ladder(plan, work, env_id))


def _play_arena(env_id: str, arena: Arena) -> None:
    cold.announce(arena.game)
    with terminal.progress(f"playing {env_id}", arena.remaining) as advance:
        arena.play(lambda count, pair: advance(count, against(pair)))
