"""pgx's games on the CPU, in a process of their own: `PgxProcess` asks, `python pgx_games.py [CORE]` answers.

A process of its own, because JAX has threads: with a CORE all of them share that core, so that rates are those of one
core, as elsewhere. Games are stepped by `vmap` in batches, the next one beginning where one ends, many steps in one
compiled call; uniform legal actions are drawn inside. Observations and masks are summed and the sums handed out, so
that the compiler can't leave them out. Compiling isn't counted.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from importlib import metadata
from typing import Any

GAMES = ("connect_four", "tic_tac_toe", "backgammon")
BATCHES = (1, 64, 1024, 4096)
DECISIONS = 16_384  # in one compiled call, at least


class PgxProcess:
    """Asks a process that plays.

    Args:
        core: the only core it may use; None for all.

    Attributes:
        spent: CPU seconds that it has taken so far.
    """

    def __init__(self, core: int | None) -> None:
        command = [sys.executable, __file__, *([] if core is None else [str(core)])]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        # in a session of its own, so that Ctrl-C is this process's affair; without its input that one ends
        self._process = subprocess.Popen(command, text=True, start_new_session=True, **pipes)
        self.spent = 0.0

    def rate(self, game: str, batch: int, seconds: float) -> dict[str, float]:
        """Decisions a second: "cpu" (of CPU time), "wall" (of wall time)."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps([game, batch, seconds]), file=self._process.stdin, flush=True)
        answer = self._process.stdout.readline()
        if not answer:
            raise RuntimeError("the process that plays pgx's games has ended")
        found = json.loads(answer)
        self.spent = found.pop("spent")
        return found

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


def installed() -> bool:
    """Whether there are pgx and JAX."""
    try:
        return bool(metadata.version("pgx") and metadata.version("jax"))
    except metadata.PackageNotFoundError:
        return False


def compiled(name: str, n: int) -> tuple[Any, Any, int]:
    """(a function from (states, key) to those later and sums, the first of them, decisions in a call)."""
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make(name)
    step = auto_reset(env.step, env.init)
    steps = max(4, DECISIONS // n)

    def one_step(carried, _):
        states, key = carried
        key, choosing, resetting = jax.random.split(key, 3)
        chances = jnp.where(states.legal_action_mask, 0.0, -jnp.inf)
        actions = jax.random.categorical(choosing, chances, axis=1)
        states = jax.vmap(step)(states, actions, jax.random.split(resetting, n))
        sums = (states.observation.sum(dtype=jnp.float32), states.legal_action_mask.sum(), states.terminated.sum())
        return (states, key), sums

    @jax.jit
    def many(carried):
        carried, sums = jax.lax.scan(one_step, carried, None, length=steps)
        return carried, jax.tree.map(jnp.sum, sums)

    states = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), n))
    return many, (states, jax.random.PRNGKey(1)), steps * n


def answer() -> None:
    """Answer requests until there are no more."""
    import jax

    kept: dict[tuple[str, int], tuple[Any, Any, int]] = {}
    for line in sys.stdin:
        name, n, seconds = json.loads(line)
        if (name, n) not in kept:
            many, carried, decisions = compiled(name, n)
            kept[name, n] = (many, jax.block_until_ready(many(carried)[0]), decisions)
        many, carried, decisions = kept[name, n]
        taken, until, began, began_cpu = 0, time.perf_counter() + seconds, time.perf_counter(), time.process_time()
        while time.perf_counter() < until:
            carried, (seen, legal, _ended) = many(carried)
            # whoever is asked has a legal action; and this waits for the results
            assert int(legal) >= decisions
            assert float(seen) != 0
            taken += decisions
        wall, cpu = time.perf_counter() - began, time.process_time() - began_cpu
        kept[name, n] = (many, carried, decisions)
        print(json.dumps({"cpu": taken / cpu, "wall": taken / wall, "spent": time.process_time()}), flush=True)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        os.sched_setaffinity(0, {int(sys.argv[1])})
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    with contextlib.suppress(BrokenPipeError):  # whoever asked was killed
        answer()
