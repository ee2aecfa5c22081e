"""Which library trains on which game, how fast, and with how many illegal moves: every example's own training loop.

    python benchmarks/libraries.py [ID ...] [--examples 04,05] [--steps 2000] [--out FOLDER] [--resume]

Each example that trains (RUNS, see `examples/README.md`) is run on each id (by default one of every game) in a process
of its own, in whatever environment this runs in; what isn't installed there is said to be so. Libraries that can't
share one (AgileRL, PufferLib) are run from theirs with the same FOLDER and --resume: the table grows. Rates are
decisions a second of wall-clock time, learning included and starting excluded, with the example's own small settings:
they tell that it runs, and what a first try costs; they are no contest. Illegal moves are counted by the environment.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
RUNS = (
    "04_maskable_ppo.py --workers 2",
    "05_dqn_and_ppo.py --algorithm dqn",
    "05_dqn_and_ppo.py --algorithm ppo",
    "06_rllib.py",
    "07_torchrl.py",
    "08_tianshou.py --algorithm dqn",
    "08_tianshou.py --algorithm ppo",
    "09_agilerl.py",
    "10_ppo_selfplay.py",
    "12_pufferlib.py",
)
IDS = ("igel_aergern-2p-v0", "hooop-2p-v0", "hedgehog_hop-2p-v0", "hop-3p-v0", "hexx_hopp-2p-1r-v0")


def train(run: str, env_id: str, steps: int) -> dict[str, Any]:
    """Run an example on an id; what its last line says, or why it doesn't."""
    example, *arguments = run.split()
    command = [sys.executable, str(EXAMPLES / example), env_id, *arguments, "--steps", str(steps)]
    with tempfile.TemporaryDirectory() as folder:  # where examples leave what they have learned
        environment = {**os.environ, "PYTHONPATH": str(EXAMPLES.parent)}
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    lines = (done.stdout if done.returncode == 0 else done.stderr).strip().splitlines() or ["nothing was said"]
    cell = {"run": run, "env": env_id, "python": platform.python_version()}
    if done.returncode:
        return cell | {"failed": lines[-1]}
    return json.loads(lines[-1]) | cell


def table(cells: list[dict[str, Any]]) -> str:
    """Markdown: a row for each library, a column for each id."""
    ids = list(dict.fromkeys(cell["env"] for cell in cells))
    rows = [["example", "library", *ids]]
    for run in (run for run in RUNS if any(cell["run"] == run for cell in cells)):
        own = {cell["env"]: cell for cell in cells if cell["run"] == run}
        names = {f"{cell['library']} {cell['version']}" for cell in own.values() if "library" in cell}
        rows.append([run, ", ".join(sorted(names)), *(in_words(own.get(env_id)) for env_id in ids)])
    rows.insert(1, ["---"] * len(rows[0]))
    return "\n".join("| " + " | ".join(row) + " |" for row in rows) + "\n"


def in_words(cell: dict[str, Any] | None) -> str:
    """A cell of the table."""
    if cell is None:
        return ""
    if "failed" in cell:
        return cell["failed"]
    return f"{cell['steps']:,} decisions, {cell['illegal']} illegal, {cell['steps'] / cell['seconds']:,.0f}/s"


def main() -> None:
    """Fill the table, and print it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ids", nargs="*", default=IDS, metavar="ID")
    parser.add_argument("--examples", default="", help="their numbers, such as 04,10 (all)")
    parser.add_argument("--steps", type=int, default=2000, help="decisions to train for")
    parser.add_argument("--out", type=Path, default=Path("libraries"), help="folder of table.md and cells.json")
    parser.add_argument("--resume", action="store_true", help="keep the cells that have trained")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    kept = given.out / "cells.json"
    cells: list[dict[str, Any]] = []
    if given.resume and kept.exists():
        cells = [cell for cell in json.loads(kept.read_text(encoding="utf-8")) if "failed" not in cell]
    done = {(cell["run"], cell["env"]) for cell in cells}
    numbers = [number for number in given.examples.split(",") if number]
    for run in (run for run in RUNS if not numbers or run[:2] in numbers):
        for env_id in given.ids:
            if (run, env_id) not in done:
                cells.append(train(run, env_id, given.steps))
                print(f"{run} {env_id}: {in_words(cells[-1])}", file=sys.stderr)
                kept.write_text(json.dumps(cells, indent=1), encoding="utf-8")
    (given.out / "table.md").write_text(table(cells), encoding="utf-8")
    print(table(cells), end="")
    if any(cell.get("illegal") for cell in cells):
        sys.exit("some moves were illegal")


if __name__ == "__main__":
    main()
