"""`hopenvs bench`: short figures of this machine."""

from __future__ import annotations

import os
import platform
import random
import statistics
import time
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

import hopenvs
from hopenvs import registry
from hopenvs.cli import cold, terminal
from hopenvs.cli.arguments import Env, Modules, Options, read_options, register_modules

if TYPE_CHECKING:
    from hopenvs.core.game import Spec

EXAMPLES = (
    "hopenvs bench igel_aergern-2p-v0",
    "hopenvs bench igel_aergern-4p-v0 --num-envs 256 --num-envs 4096 --threads 1 --threads 2 --seconds 3 --json",
)

SLICES = 5  # a figure is the median of so many, to see how steady it is
STEPS = 16  # between two looks at the clock
PACKAGES = ("numpy", "numba", "gymnasium", "pettingzoo")
BUSY = 0.5  # processes to a core that run already: figures are lower then
COUNTED = "choices of a seat, in wall time; with the random choice, masks, observations, infos and resets"


def command(
    env: Env,
    seconds: Annotated[float, typer.Option("--seconds", min=0.05, max=3600, help="Time for each figure.")] = 1.0,
    num_envs: Annotated[
        list[int] | None, typer.Option("--num-envs", min=1, help="Games in a batch (1024). Repeatable.")
    ] = None,
    threads: Annotated[
        list[int] | None, typer.Option("--threads", min=1, help="Threads (1, and one a core). Repeatable.")
    ] = None,
    option: Options = None,
    json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
    module: Modules = None,
) -> None:
    """Measure speed on this machine.

    Decisions a second of random play, and bytes. A decision is one seat's choice. Times hold everything a program pays
    for: the environment, its masks, observations and infos, and the random choice. Compiling is done before. Each
    figure is the median of five slices, with the slowest and the fastest beside it.
    """
    register_modules(module)
    keywords = read_options(option)
    game, options = registry.resolve(env, keywords)
    here = machine()  # before measuring, which is a load of its own
    if here["load"] is not None and here["load"] > BUSY * here["cores"]:
        terminal.remark(f"The machine is busy (load {here['load']} on {here['cores']} cores): the figures will be low")
    cold.announce(game)
    batches = [(n, t) for n in num_envs or [1024] for t in threads or sorted({1, cores()})]
    found = []
    with terminal.progress(f"measuring {env}", 1 + len(batches)) as advance:
        found.append({"face": "make (AEC)", "num_envs": 1, "threads": 1} | rate(aec(env, keywords), seconds))
        advance(1, "")
        for n, t in batches:
            play = vector(env, keywords, n, t)
            found.append({"face": "make_vec", "num_envs": n, "threads": t} | rate(play, seconds))
            advance(1, "")
    size = sizes(game.spec(options), registry.make_vec(env, 1, **keywords).states.dtype)
    if json:
        name = registry.entry_of(env).id
        facts = {"env": name, "options": keywords, "machine": here, "bytes": size}
        terminal.as_json(facts | {"counted": COUNTED, "decisions_per_second": found})
        return
    keys = ("face", "num_envs", "threads", "median", "slowest", "fastest")
    rows = [[one[key] for key in keys] for one in found]
    terminal.table(("face", "games", "threads", "decisions/s", "slowest", "fastest"), rows)
    terminal.table(("bytes", ""), [(f"bytes: {what}", count) for what, count in size.items()])
    terminal.table(("machine", ""), [*here.items(), ("counted", COUNTED)])


def rate(play: Callable[[], int], seconds: float) -> dict[str, int]:
    """Decisions a second of `play`, which plays a little and says how many decisions that was."""
    play()  # compiles what is to compile
    rates = []
    for _ in range(SLICES):
        taken, elapsed, start = 0, 0.0, time.perf_counter()
        while elapsed < seconds / SLICES:
            taken += play()
            elapsed = time.perf_counter() - start
        rates.append(taken / elapsed)
    return {"median": round(statistics.median(rates)), "slowest": round(min(rates)), "fastest": round(max(rates))}


def aec(env: str, keywords: dict[str, Any]) -> Callable[[], int]:
    """Whole games on the AEC environment, `last` and `step` for every agent."""
    table = registry.make(env, **keywords)
    choice = random.Random(0).choice
    table.reset(seed=0)

    def play() -> int:
        taken = 0
        table.reset()
        for _ in table.agent_iter():
            observation, _, terminated, truncated, _ = table.last()
            if terminated or truncated:
                table.step(None)
            else:
                table.step(choice(np.flatnonzero(observation["action_mask"])))
                taken += 1
        return taken

    return play


def vector(env: str, keywords: dict[str, Any], num_envs: int, threads: int) -> Callable[[], int]:
    """Steps of a batch whose rows begin anew when they end."""
    from hopenvs.agents.uniform import uniform_actions
    from hopenvs.core import rng

    games = registry.make_vec(env, num_envs, threads=threads, **keywords)
    observations, _ = games.reset(seed=0)
    shape = observations["action_mask"].shape[:-1]  # [N], or [N, P] in a simultaneous game
    decisions = int(np.prod(shape))
    streams = np.stack([rng.generator(k, rng.PLAYOUT) for k in range(decisions)])

    def play() -> int:
        nonlocal observations
        for _ in range(STEPS):
            masks = observations["action_mask"].reshape(decisions, -1)
            observations, *_ = games.step(uniform_actions(masks, streams).reshape(shape))
        return STEPS * decisions

    return play


def sizes(spec: Spec, dtype: np.dtype[Any]) -> dict[str, int]:
    """Bytes that a decision hands over, and that a game's record takes."""
    return {
        "mask": spec.num_actions,  # int8, as the observation
        "observation": spec.observation_size,
        "mask and observation": spec.num_actions + spec.observation_size,
        "record": dtype.itemsize,
    }


def machine() -> dict[str, Any]:
    """What the figures hold for."""
    from hopenvs.core import jit

    versions = {name: _version(name) for name in PACKAGES}
    return {
        "processor": _processor(),
        "cores": cores(),
        "load": round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
        "system": f"{platform.system()} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "hopenvs": hopenvs.__version__,
        "backend": jit.BACKEND,
        **versions,
    }


def cores() -> int:
    """How many this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        text = ""
    names = [line.partition(":")[2].strip() for line in text.splitlines() if line.startswith("model name")]
    return names[0] if names else platform.processor() or "unknown"


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None
