"""What a second env runner brings: decisions a second of the engine rllib with one and with two of them.

    python benchmarks/rllib_runners.py [ID] [--seconds 120] [--out FOLDER]

Each run lasts so many seconds with the engine's usual settings, but without evaluations between; what compiles, and
the evaluations at both ends, don't count. Meant for an idle machine with three cores or more: the learner needs one,
too. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path
from typing import Any

import hopenvs
from hopenvs.train import RllibConfig, train

RUNNERS = (1, 2)


def measure(env_id: str, runners: int, seconds: float, folder: Path, settings: dict[str, Any]) -> float:
    """Decisions a second of one run."""
    config = RllibConfig.from_dict(
        {
            "env": env_id,
            "minutes": seconds / 60,
            "num_env_runners": runners,
            "evaluations": 0,
            "evaluation_games": 2,
            "final_games": 2,
            "yardsticks": ["uniform"],
            "checkpoint_seconds": 1e9,
            **settings,
        }
    )
    result = train(config, folder)
    shares = ", ".join(f"{name} {100 * share:.0f} %" for name, share in result.shares.items())
    print(f"{runners} env runners: {result.steps_per_second:,.0f} decisions a second ({shares})", flush=True)
    return result.steps_per_second


def main() -> None:
    """Measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("env", nargs="?", default="igel_aergern-2p-v0")
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--out", type=Path, help="a folder for the runs; by default they aren't kept")
    parser.add_argument("--set", metavar="JSON", type=json.loads, default={}, help='further settings: {"num_envs": 8}')
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.out or Path(temporary)
        speeds = {n: measure(given.env, n, given.seconds, folder / f"runners-{n}", given.set) for n in RUNNERS}
    one, two = (speeds[n] for n in RUNNERS)
    ratio = round(two / one, 3) if one else None
    print(json.dumps({"env": given.env, "version": hopenvs.__version__, "steps_per_second": speeds, "ratio": ratio}))


if __name__ == "__main__":
    main()
