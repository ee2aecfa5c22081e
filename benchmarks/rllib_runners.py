"""What a second env runner brings: decisions a second of the engine rllib with one and with two of them.

    python benchmarks/rllib_runners.py [ID] [--seconds 60] [--set JSON]

Each run has the engine's usual settings and is stopped so many seconds after its first update, which compiles and
doesn't count. Meant for an idle machine with three cores or more: the learner needs one, too. The last line is one JSON
object.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import tempfile
import time
from pathlib import Path
from typing import Any

import hopenvs
from hopenvs.train import RllibConfig, train
from hopenvs.train.news import Progress

RUNNERS = (1, 2)
LONG = 10**12  # steps


class Enough(Exception):  # noqa: N818
    """The time is over."""


class Watch:
    """Listens to a run, and ends it.

    Args:
        seconds: after its first update.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.reached: list[tuple[int, float]] = []  # decisions and the time, after each update

    def __call__(self, news: Any) -> None:
        """Note how far the run is."""
        if isinstance(news, Progress):
            self.reached.append((news.steps, time.perf_counter()))
            if len(self.reached) > 1 and self.reached[-1][1] - self.reached[0][1] >= self.seconds:
                raise Enough

    @property
    def speed(self) -> float:
        """Decisions a second."""
        (first, began), (last, ended) = self.reached[0], self.reached[-1]
        return (last - first) / (ended - began)


def measure(env_id: str, runners: int, seconds: float, settings: dict[str, Any]) -> float:
    """Decisions a second of one run."""
    usual: dict[str, Any] = {"steps": LONG, "evaluations": 0, "evaluation_games": 2, "yardsticks": ["uniform"]}
    usual["checkpoint_seconds"] = 1e9
    config = RllibConfig.from_dict({"env": env_id, "num_env_runners": runners, **usual, **settings})
    watch = Watch(seconds)
    with tempfile.TemporaryDirectory() as folder, contextlib.suppress(Enough):
        train(config, Path(folder) / "run", notify=watch)
    updates = len(watch.reached) - 1
    print(f"{runners} env runners: {watch.speed:,.0f} decisions a second, in {updates} updates", flush=True)
    return watch.speed


def main() -> None:
    """Measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("env", nargs="?", default="igel_aergern-2p-v0")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--set", metavar="JSON", type=json.loads, default={}, help='settings, such as {"num_envs": 8}')
    given = parser.parse_args()
    speeds = {n: round(measure(given.env, n, given.seconds, given.set), 1) for n in RUNNERS}
    one, two = (speeds[n] for n in RUNNERS)
    found = {"env": given.env, "version": hopenvs.__version__, "steps_per_second": speeds, "ratio": round(two / one, 3)}
    print(json.dumps(found))


if __name__ == "__main__":
    main()
