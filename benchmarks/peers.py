"""hopenvs and its peers on this machine, in one run: tables, a picture, and whether what was meant is reached.

    pip install -c constraints-peers.txt -e ".[peers]"
    python benchmarks/peers.py [ID ...] [--all] [--only FACE ...] [--out FOLDER] [--fresh]

Peers are PettingZoo's classic games, OpenSpiel and pgx (on the CPU); one that isn't installed is left out and said to
be. FOLDER (by default benchmarks/results/speed) gets README.md, figures.json with every figure, and speed.png. All who
are compared are measured in turn, again and again, in the same minutes; every measurement asserts what was played.

A run that was stopped goes on where it was: cases that are in figures.json, of the same machine, versions, commit and
settings, are kept; --fresh begins anew. Training takes the extra `train`; --learner names a Python that has it.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import warnings
from pathlib import Path
from typing import Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from speed import cases, machine, page, picture, report

import hopenvs
from hopenvs import registry

RESULTS = Path(__file__).parent / "results" / "speed"


def parse(words: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ids", nargs="*", metavar="ID", help="by default a dozen, of every game some")
    parser.add_argument("--all", action="store_true", help="every id")
    parser.add_argument("--only", nargs="+", choices=cases.FACES, metavar="FACE", help=", ".join(cases.FACES))
    parser.add_argument("--seconds", type=float, default=0.15, help="of one measurement")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--out", type=Path, default=RESULTS, metavar="FOLDER")
    parser.add_argument("--fresh", action="store_true", help="keep nothing of an earlier run")
    parser.add_argument("--learner", default=sys.executable, metavar="PYTHON", help="one with the extra train")
    given = parser.parse_args(words)
    named = hopenvs.list_envs() if given.all else given.ids or cases.DEFAULT
    given.ids = [registry.entry_of(env_id).id for env_id in named]
    return given


def begin(given: argparse.Namespace) -> dict[str, Any]:
    """The figures to go on with: those of an earlier run if they are of the same machine and settings."""
    settings = {"seconds": given.seconds, "repeats": given.repeats}
    new = {"machine": machine.facts(), "settings": settings, "cases": {}}
    path = given.out / "figures.json"
    if given.fresh or not path.exists():
        return new
    kept = json.loads(path.read_text(encoding="utf-8"))
    if all(kept.get(name) == new[name] for name in ("machine", "settings")):
        return kept
    print("beginning anew: machine, versions, commit or settings are others than in figures.json", file=sys.stderr)
    return new


def measure(given: argparse.Namespace, figures: dict[str, Any]) -> None:
    """Fill in the cases that are missing, keeping each on the disk at once."""
    plan = [(face, env_id) for face in given.only or cases.FACES for env_id in cases.ids_of(face, given.ids)]
    todo = [(face, env_id) for face, env_id in plan if f"{face}/{env_id}" not in figures["cases"]]
    run = cases.Run(given.seconds, given.repeats, given.learner)
    columns = (TextColumn("{task.description:44}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    try:
        with Progress(*columns) as progress:
            task = progress.add_task("", total=len(plan), completed=len(plan) - len(todo))
            for face, env_id in todo:
                progress.update(task, description=f"{face} {env_id}")
                others, elsewhere, began = machine.Others(), run.spent_elsewhere(), time.perf_counter()
                case = cases.FACES[face](run, env_id)
                case["took"] = time.perf_counter() - began
                case["others"] = others.share(run.spent_elsewhere() - elsewhere)
                figures["cases"][f"{face}/{env_id}"] = case
                (given.out / "figures.json").write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
                progress.advance(task)
    finally:
        run.close()


def main() -> None:
    """Measure, and write what was found."""
    given = parse()
    warnings.simplefilter("ignore")  # of peers, about themselves
    given.out.mkdir(parents=True, exist_ok=True)
    figures = begin(given)
    measure(given, figures)
    (given.out / "README.md").write_text(page.readme(figures), encoding="utf-8")
    try:
        picture.draw(figures["cases"], given.out / "speed.png")
    except ImportError:
        print("no picture: matplotlib isn't installed", file=sys.stderr)
    print(report.verdicts(figures["cases"]), end="")
    print(f"{given.out / 'README.md'}")


if __name__ == "__main__":
    main()
