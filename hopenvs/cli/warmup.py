"""`hopenvs warmup`: kernels compiled ahead, so that nothing waits later."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from hopenvs import registry
from hopenvs.cli import terminal
from hopenvs.cli.arguments import Envs, Modules, register_modules

if TYPE_CHECKING:
    from hopenvs.core.batch import Batch
    from hopenvs.core.game import Game

EXAMPLES = ("hopenvs warmup", "hopenvs warmup igel_aergern-2p-v0")

# Random decisions within which a game that has chance is taken to reach some.
DECISIONS_TO_CHANCE = 1000


def command(envs: Envs = None, module: Modules = None) -> None:
    """Compile games ahead.

    A line for each kernel says the seconds, and whether it was compiled or came from the cache. Once done,
    environments, records and searches of these ids start at once on this machine, also in other processes.
    """
    from hopenvs.core import jit

    own = register_modules(module)
    names = list(dict.fromkeys(registry.entry_of(env).id for env in envs or own or registry.list_envs()))
    if jit.BACKEND == "plain":
        terminal.remark("plain Python serves as the back end: nothing is to be compiled")
        return
    rows = []
    with terminal.progress("compiling", len(names)) as advance:
        for env in names:
            game, options = registry.resolve(env, {})
            for kernel, seconds, source in warm_up(game, options):
                rows.append((game.ID, kernel, round(seconds, 2), source))
                advance(0, f"{game.ID} {kernel}")
            advance(1, env)
    terminal.table(("game", "kernel", "seconds", "source"), rows)


def warm_up(game: Game, options: Any) -> Iterator[tuple[str, float, str]]:
    """Run every kernel of a game once: (its name, seconds, "compiled" or "cache"), without those used before."""
    from hopenvs.core.kernels import kernels_of, uniform_kernel

    kernels = {name: kernel for name, kernel in vars(kernels_of(game)).items() if name.endswith("_range")}
    kernels["uniform_range"] = uniform_kernel()
    for act in _acts(game, options):
        before = {name: _counts(kernel) for name, kernel in kernels.items()}
        start = time.perf_counter()
        act()
        seconds = time.perf_counter() - start
        for name, kernel in kernels.items():
            hits, misses = (now - then for now, then in zip(_counts(kernel), before[name], strict=True))
            if hits or misses:
                yield name, seconds, "compiled" if misses else "cache"


def _counts(kernel: Any) -> tuple[int, int]:
    """How often Numba has loaded and compiled a kernel in this process."""
    return sum(kernel.stats.cache_hits.values()), sum(kernel.stats.cache_misses.values())


def _acts(game: Game, options: Any) -> Iterator[Callable[[], object]]:
    """Calls that between them run every kernel a face uses, each at most one that hasn't run before."""
    from hopenvs.agents.uniform import uniform_actions
    from hopenvs.core import kernels, rng
    from hopenvs.core.batch import Batch

    batch = Batch(game, options, 1)
    streams = rng.generator(0, rng.PLAYOUT)[None]
    yield lambda: batch.start(kernels.NEW_SEED, [0])
    yield lambda: uniform_actions(batch.mask[0], np.repeat(streams, batch.seats_asked, 0))
    yield lambda: batch.first_illegal(_some_actions(batch))
    yield lambda: batch.step(_some_actions(batch))
    yield lambda: batch.view((0,), (0,))
    yield lambda: batch.evaluate((0,), (0,))
    yield batch.keys
    yield lambda: batch.resample_hidden(np.zeros(1, np.int32), streams)
    yield lambda: batch.playout(streams, 1)
    at_chance = Batch(game, options, 1, draw=False)
    if _reach_chance(at_chance):
        yield at_chance.outcome_weights


def _some_actions(batch: Batch) -> np.ndarray:
    """[1, S] the first legal action of each seat that is asked."""
    return batch.mask.argmax(axis=2).astype(np.int32)


def _reach_chance(batch: Batch) -> bool:
    """Play `batch` to a chance point, if the game has any."""
    from hopenvs.core import kernels
    from hopenvs.core.state import CHANCE, TERMINAL

    batch.start(kernels.NEW_SEED, [0])
    for _ in range(DECISIONS_TO_CHANCE):
        if batch.seat[0] in (CHANCE, TERMINAL):
            break
        batch.step(_some_actions(batch))
    return bool(batch.seat[0] == CHANCE)
