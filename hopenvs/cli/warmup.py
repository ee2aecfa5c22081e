"""`hopenvs warmup`: kernels compiled ahead, so that nothing waits later."""

from __future__ import annotations

import functools
import multiprocessing
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from hopenvs import registry
from hopenvs.cli import cold, terminal
from hopenvs.cli.arguments import Envs, Modules, register_modules
from hopenvs.cli.bench import cores

if TYPE_CHECKING:
    from hopenvs.agents.agent import Agent
    from hopenvs.core.batch import Batch
    from hopenvs.core.game import Game

EXAMPLES = ("hopenvs warmup", "hopenvs warmup igel_aergern-2p-v0 --no-players")

# Random decisions within which a game that has chance is taken to reach some.
DECISIONS_TO_CHANCE = 1000

Row = tuple[str, str, float, str]  # game, kernel, seconds, "compiled" or "cache"


def command(
    envs: Envs = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", min=1, help="Games compiled at the same time (one a core).")
    ] = None,
    players: Annotated[
        bool, typer.Option("--players/--no-players", help="Also what greedy, expectimax and mcts run.")
    ] = True,
    module: Modules = None,
) -> None:
    """Compile games ahead.

    A line for each kernel says the seconds, and whether it was compiled or came from the cache. Once done,
    environments, records and searches of these ids start at once on this machine, also in other processes. The ids of
    a game share their kernels.
    """
    from hopenvs.core import jit
    from hopenvs.core.kernels import uniform_kernel

    own = register_modules(module)
    names = list(dict.fromkeys(registry.entry_of(env).id for env in envs or own or registry.list_envs()))
    if jit.BACKEND == "plain":
        terminal.remark("plain Python serves as the back end: nothing is to be compiled")
        return
    games: dict[str, list[str]] = {}
    for env in names:
        games.setdefault(registry.entry_of(env).module, []).append(env)
    tasks = [(ids, players) for ids in games.values()]
    jobs = min(jobs or cores(), len(tasks))
    rows: list[Row] = []
    start = time.perf_counter()
    with terminal.progress("compiling", len(names)) as advance:
        if jobs == 1:
            for ids, _ in tasks:
                for row in rows_of(ids, players):
                    rows.append(row)
                    advance(0, f"{row[0]} {row[1]}")
                advance(len(ids), ids[0])
        else:
            with multiprocessing.get_context("spawn").Pool(
                jobs, register_modules, (module,), maxtasksperchild=1
            ) as pool:
                for ids, found in pool.imap_unordered(_rows_elsewhere, tasks):
                    rows += found
                    advance(len(ids), ids[0])
    seconds = time.perf_counter() - start
    terminal.table(("game", "kernel", "seconds", "source"), rows)
    compiled = sum(row[3] == "compiled" for row in rows)
    kept = f"kept in {cold.cache_folder(uniform_kernel()) or 'no folder: the next process compiles them again'}"
    terminal.remark(f"{compiled} kernels compiled, {len(rows) - compiled} from the cache, {seconds:.0f} s; {kept}")


def rows_of(ids: list[str], players: bool) -> Iterator[Row]:
    """Warm the ids of a game up: a row for each kernel, once it is ready."""
    for env in ids:
        game, options = registry.resolve(env, {})
        for kernel, seconds, source in warm_up(game, options, players):
            yield game.ID, kernel, round(seconds, 2), source


def _rows_elsewhere(task: tuple[list[str], bool]) -> tuple[list[str], list[Row]]:
    ids, players = task
    return ids, list(rows_of(ids, players))


def warm_up(game: Game, options: Any, players: bool) -> Iterator[tuple[str, float, str]]:
    """Run every kernel of a game once: (its name, seconds, "compiled" or "cache"), without those used before."""
    from hopenvs.core.kernels import kernels_of, uniform_kernel

    kernels = {name: kernel for name, kernel in vars(kernels_of(game)).items() if name.endswith("_range")}
    kernels["uniform_range"] = uniform_kernel()
    if players:
        kernels |= _players_kernels(game)
    for act in _acts(game, options, players):
        before = {name: _counts(kernel) for name, kernel in kernels.items()}
        start = time.perf_counter()
        act()
        seconds = time.perf_counter() - start
        for name, kernel in kernels.items():
            hits, misses = (now - then for now, then in zip(_counts(kernel), before[name], strict=True))
            if hits or misses:
                yield name, seconds, "compiled" if misses else "cache"


def _players_kernels(game: Game) -> dict[str, Any]:
    from hopenvs.agents.expectimax_kernel import expectimax_kernel
    from hopenvs.agents.greedy_kernel import greedy_kernel
    from hopenvs.agents.mcts_kernel import mcts_kernel

    made = {"greedy": greedy_kernel, "expectimax": expectimax_kernel, "mcts": mcts_kernel}
    return {f"{name}_range": kernel(game) for name, kernel in made.items()}


def _counts(kernel: Any) -> tuple[int, int]:
    """How often Numba has loaded and compiled a kernel in this process."""
    return sum(kernel.stats.cache_hits.values()), sum(kernel.stats.cache_misses.values())


def _acts(game: Game, options: Any, players: bool) -> Iterator[Callable[[], object]]:
    """Calls that between them run every kernel a face uses, each at most one that hasn't run before."""
    from hopenvs.agents.specs import make_agent
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
    if players:
        for word in ("greedy", "expectimax:1", "mcts:1"):
            yield functools.partial(_ask, make_agent(word, game, options), batch, streams)
    yield lambda: batch.playout(streams, 1)
    at_chance = Batch(game, options, 1, draw=False)
    if _reach_chance(at_chance):
        yield at_chance.outcome_weights


def _ask(agent: Agent, batch: Batch, streams: np.ndarray) -> None:
    """Have a player decide for a seat of row 0."""
    seats = np.maximum(batch.seat, 0).astype(np.int32)
    agent.act(batch.observation[:, 0], batch.mask[:, 0], states=batch.states.copy(), seats=seats, streams=streams)


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
