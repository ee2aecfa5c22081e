"""README.md of the results."""

from __future__ import annotations

from typing import Any

from speed import openspiel_games, own, pgx_games
from speed.cases import CONNECT_FOUR, PETTINGZOO
from speed.claims import Cases
from speed.report import (
    by_id,
    bytes_written,
    facts_table,
    missing,
    once,
    openspiel_table,
    others,
    reached,
    sizes,
    verdicts,
)

OPENSPIEL = tuple(f"OpenSpiel {name}" for name in openspiel_games.GAMES)
PAGE = """# Speed, beside others

Written by `python benchmarks/peers.py`.

{versions}.

Each figure is the median of {repeats} measurements of about {seconds} s, with the lowest and the highest. Those who are
compared are measured in turn, and ratios are taken within each repeat. Rates are those of CPU time of one thread where
nothing else is said; pgx has a process and one core of its own. {others}

{missing}![Decisions a second](speed.png)

## What was to be reached

{verdicts}
{reached}
Vector: the best N, the random choice included where the other side's holds one (OpenSpiel, pgx), else the step alone.
OpenSpiel's game of like weight is, of {like}, the one whose number of actions and of cells of
the observation tensor comes nearest to the cells of the id's mask and observation; the ratios to all of them are under
"Vector".

"""


def readme(figures: dict[str, Any]) -> str:
    """All of it."""
    cases, machine = figures["cases"], figures["machine"]
    head = PAGE.format(
        versions=", ".join(f"{name} {fact}" for name, fact in machine.items() if fact is not None),
        others=others(cases),
        missing=missing(machine),
        verdicts=verdicts(cases),
        reached=reached(cases),
        like=", ".join(f"{name} ({cells:,})" for name, cells in openspiel_games.CELLS.items()),
        **figures["settings"],
    )
    parts = (aec, parallel, state, vector, pgx, playouts, copies, search, memory, start, training)
    return head + "\n".join(part(cases) for part in parts)


def _same(*names: str) -> dict[str, str]:
    """Headings that are the contestants' names."""
    return {name: name for name in names}


def aec(cases: Cases) -> str:
    """The AEC loop."""
    return f"""## AEC loop

Decisions a second of random play through PettingZoo's API; beside it an environment with the same spaces in which
nothing happens.

{by_id(cases, "aec", _same("hopenvs", "do nothing", f"PettingZoo {CONNECT_FOUR}"))}
{once(cases, "pettingzoo", PETTINGZOO)}"""


def parallel(cases: Cases) -> str:
    """The parallel loop."""
    return f"""## Parallel loop

Decisions a second in games in which all act at once: each agent's action is one.

{by_id(cases, "parallel", _same("hopenvs", "do nothing"))}"""


def state(cases: Cases) -> str:
    """One state at a time."""
    return f"""## One state at a time

Decisions a second from Python: legal actions, what the player to move sees, a choice, a move. OpenSpiel's observation
tensors are written into one array (`Observation.set_from`), the quicker of its ways.

{by_id(cases, "state", _same("hopenvs", "hopenvs within OpenSpiel", *OPENSPIEL))}"""


def vector(cases: Cases) -> str:
    """Batches."""
    alone = {f"N={n}": f"N={n}, 1 thread: step" for n in own.BATCHES}
    chosen = {f"N={n}": f"N={n}, 1 thread: step and choice" for n in own.BATCHES}
    like = OPENSPIEL[: len(openspiel_games.LIKE_OURS)]
    peers = (*like, *(f"pgx connect_four, {batch}" for batch in pgx_games.BATCHES))
    in_c = {f"C, N={n} (step)": f"C, N={n}: step" for n in own.BATCHES}
    walls = {f"N={n}, {t}": f"N={n}, {t}: step, wall" for n in own.BATCHES for t in ("1 thread", "2 threads")}
    return f"""## Vector

`make_vec(..., copy=False)`: decisions a second with observations, masks, infos and autoreset. The step alone:

{by_id(cases, "vector", alone | {"N=1024, fresh arrays": "N=1024, 1 thread, copies: step"})}
The step and the random choice, and with whom they are compared:

{by_id(cases, "vector", chosen | _same(*peers) | in_c)}
Step and choice, as ratios to OpenSpiel's decisions a second:

{openspiel_table(cases)}
The step, wall time. Whatever the number of threads, records, masks, observations, rewards and flags were the same bytes
in {own.SPREAD} steps of every N. Batches below 256 rows are not split.

{by_id(cases, "vector", walls)}
The step at its best N, beside merely writing the bytes of as many masks and observations (`fill`) into arrays made for
it or into the same ones again, at the N that is best for that (where they stay in the processor's cache) or at the N of
the step; in decisions a second:

{bytes_written(cases)}"""


def pgx(cases: Cases) -> str:
    """What pgx does on this machine."""
    return f"""## pgx

Decisions a second on the CPU: `vmap` and autoreset, random legal actions drawn inside, compiling not counted.

{once(cases, "pgx", None)}"""


def playouts(cases: Cases) -> str:
    """Whole games."""
    return f"""## Playouts

Decisions a second of random games from start to end in compiled code, nothing observed; OpenSpiel's in C++
(`evaluate_bots` with its uniform players).

{by_id(cases, "playouts", _same("hopenvs", *OPENSPIEL))}"""


def copies(cases: Cases) -> str:
    """Copies."""
    names = (
        "hopenvs clone()", "hopenvs state(), set_state()", "hopenvs records, 1,024 at once",
        "OpenSpiel backgammon clone()", "OpenSpiel backgammon serialize(), deserialize_state()",
    )  # fmt: skip
    return f"""## Copies

How many a second, in mid-game.

{by_id(cases, "copies", _same(*names))}"""


def search(cases: Cases) -> str:
    """Tree search."""
    names = ("hopenvs, evaluated", "hopenvs, random play", "OpenSpiel connect_four, random play")
    left = {"left": "decisions left", "left in connect_four": "decisions left in connect_four"}
    return f"""## Tree search

Simulations a second of Monte-Carlo tree search: with evaluations at once, as `mcts:N` plays, and with random play to
the end, beside OpenSpiel's in C++; and how many decisions (ticks where all act at once) such play takes on average from
the searched positions.

{by_id(cases, "search", _same(*names))}
{facts_table(cases, "search", left)}"""


def memory(cases: Cases) -> str:
    """Bytes."""
    return f"""## Memory

Bytes. A row of a batch: all its arrays. An AEC environment: by how much a process grows for each.

{sizes(cases)}"""


def start(cases: Cases) -> str:
    """Seconds."""
    made = {name: f"{name}: make + first step" for name in ("cold", "warm", "warm again")}
    imported = "import hopenvs, beyond numpy, gymnasium and pettingzoo"
    return f"""## Start

Seconds of a fresh process for `make`, `reset` and a step, an id of each game; cold: nothing compiled is kept yet.

{facts_table(cases, "start", made | _same(imported))}"""


def training(cases: Cases) -> str:
    """Learning."""
    shares = {name: f"share_{name}" for name in ("environment", "opponents", "acting", "learning")}
    return f"""## Training

`hopenvs train` for half a minute: decisions a second, and shares of the time; medians of its updates.

{facts_table(cases, "training", {"decisions/s": "steps_per_second"} | shares)}"""
