"""What is measured: faces, and of each the ids and who takes part."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import c_limit
import faces
import numpy as np
import searches

import hopenvs
from hopenvs import registry
from hopenvs.core.game import Spec
from speed import elsewhere, machine, openspiel_games, own, pgx_games
from speed.contest import Contestant, contest, cpu_rate

ONCE = "-"  # the id of a case that is about no id
CONNECT_FOUR = "connect_four_v3"
PETTINGZOO = (CONNECT_FOUR, "tictactoe_v3", "hanabi_v5", "chess_v6")
SIMULATIONS = 100


class Run:
    """One run's settings, and the peers that are at hand.

    Args:
        seconds: of one measurement.
        repeats: how many of each.
        learner: the Python that learns, if another one than this.
    """

    def __init__(self, seconds: float, repeats: int, learner: str) -> None:
        self.seconds, self.repeats, self.learner = seconds, repeats, learner
        self.has_openspiel = machine.version("open_spiel") is not None
        self.has_pgx = pgx_games.installed()
        self.processes: dict[int | None, pgx_games.PgxProcess] = {}

    def contest(self, contestants: dict[str, Contestant], **facts: Any) -> dict[str, Any]:
        """Measure in turn."""
        return {"rates": contest(contestants, self.seconds, self.repeats), "facts": facts}

    def pgx(self, game: str, batch: int, core: int | None, clock: str) -> Contestant:
        """Decisions a second of a game of pgx, by the clock "cpu" or "wall"."""
        if core not in self.processes:
            self.processes[core] = pgx_games.PgxProcess(core)
        process = self.processes[core]
        return lambda seconds: process.rate(game, batch, seconds)[clock]

    def spent_elsewhere(self) -> float:
        """CPU seconds of the processes that play pgx's games."""
        return sum(process.spent for process in self.processes.values())

    def close(self) -> None:
        """End them."""
        for process in self.processes.values():
            process.close()


def pettingzoo_env(name: str = CONNECT_FOUR) -> Any:
    """One of PettingZoo's classic environments; None without what it needs."""
    try:
        return importlib.import_module(f"pettingzoo.classic.{name}").env()
    except ImportError:
        return None


def aec(run: Run, env_id: str) -> dict[str, Any]:
    """The AEC loop, beside nothing and beside Connect Four."""
    generator = np.random.default_rng(0)
    envs = {"hopenvs": hopenvs.make(env_id), "do nothing": faces.nothing_like(env_id, generator)}
    envs[f"PettingZoo {CONNECT_FOUR}"] = pettingzoo_env()
    loops = {name: _aec_loop(env, generator) for name, env in envs.items() if env is not None}
    return run.contest(loops, bytes=bytes_of(env_id))


def _aec_loop(env: Any, generator: np.random.Generator) -> Contestant:
    return lambda seconds: faces.aec_loop(env, seconds, generator)


def parallel(run: Run, env_id: str) -> dict[str, Any]:
    """The parallel loop, beside nothing."""
    generator = np.random.default_rng(0)
    env = hopenvs.make(env_id, "parallel")
    nothing = faces.DoNothingInParallel(faces.nothing_like(env_id, generator))
    return run.contest(
        {
            "hopenvs": lambda seconds: faces.parallel_loop(env, seconds, generator),
            "do nothing": lambda seconds: faces.parallel_loop(nothing, seconds, generator),
        }
    )


def pettingzoo(run: Run, _: str) -> dict[str, Any]:
    """The AEC loop of PettingZoo's own games."""
    envs = {name: pettingzoo_env(name) for name in PETTINGZOO}
    generator = np.random.default_rng(0)
    return run.contest({name: _aec_loop(env, generator) for name, env in envs.items() if env is not None})


def state(run: Run, env_id: str) -> dict[str, Any]:
    """One state at a time through Python, beside OpenSpiel's; and as a game of OpenSpiel."""
    contestants = {"hopenvs": cpu_rate(own.one_state(env_id))}
    if run.has_openspiel:
        from hopenvs.integrations import openspiel

        within = openspiel_games.one_state(openspiel.load_game(env_id), tensors=True)
        contestants["hopenvs within OpenSpiel"] = cpu_rate(within)
        contestants |= openspiel_games.states_of(openspiel_games.GAMES, tensors=True)
    return run.contest(contestants)


def vector(run: Run, env_id: str) -> dict[str, Any]:
    """Batches with one and two threads, beside C, OpenSpiel, pgx and the mere writing of as many bytes."""
    contestants: dict[str, Contestant] = {}
    for n in own.BATCHES:
        one, two = own.Rows(env_id, n), own.Rows(env_id, n, threads=2)
        own.assert_alike(one, two)
        contestants[f"N={n}, 1 thread"] = one.measure
        contestants[f"N={n}, 2 threads"] = two.measure
    copied = own.Rows(env_id, 1024, copy=True)
    copied.spread()
    contestants["N=1024, 1 thread, copies"] = copied.measure
    for n in own.BATCHES:
        for fresh in (False, True):
            write = _briefly(cpu_rate(own.writing(env_id, n, fresh=fresh)))
            contestants[f"writing N={n}, {'fresh' if fresh else 'kept'}"] = write
    if env_id == c_limit.ENV:
        contestants |= elsewhere.rows_in_c(own.BATCHES)
    if run.has_openspiel:
        contestants |= openspiel_games.states_of(openspiel_games.LIKE_OURS, tensors=True)
    if run.has_pgx:
        for batch in pgx_games.BATCHES:
            contestants[f"pgx connect_four, {batch}"] = run.pgx("connect_four", batch, 0, "cpu")
    return run.contest(contestants, bytes=bytes_of(env_id))


def _briefly(measure: Contestant) -> Contestant:
    """For a quarter of the time: what is steady."""
    return lambda seconds: measure(seconds / 4)


def pgx(run: Run, _: str) -> dict[str, Any]:
    """Pgx's games, on one core and on all of them."""
    contestants: dict[str, Contestant] = {}
    if run.has_pgx:
        for game in pgx_games.GAMES:
            for batch in pgx_games.BATCHES[1:]:
                contestants[f"{game}, {batch}: one core"] = run.pgx(game, batch, 0, "cpu")
        for batch in pgx_games.BATCHES[1:]:
            contestants[f"connect_four, {batch}: all cores, wall"] = run.pgx("connect_four", batch, None, "wall")
    return run.contest(contestants)


def playouts(run: Run, env_id: str) -> dict[str, Any]:
    """Random games to the end in compiled code, nothing observed; beside OpenSpiel's in C++."""
    contestants = {"hopenvs": own.playouts(env_id)}
    if run.has_openspiel:
        contestants |= {f"OpenSpiel {name}": openspiel_games.games_in_cpp(name) for name in openspiel_games.GAMES}
    return run.contest(contestants)


def copies(run: Run, env_id: str) -> dict[str, Any]:
    """Clones and saved states a second; beside OpenSpiel's, as deep copies of PettingZoo's games begin anew."""
    contestants = {
        "hopenvs clone()": own.cloning(env_id),
        "hopenvs state(), set_state()": own.saving(env_id),
        "hopenvs records, 1,024 at once": own.copying_records(env_id),
    }
    if run.has_openspiel:
        contestants |= elsewhere.openspiel_copies("backgammon")
    return run.contest({name: _briefly(cpu_rate(act)) for name, act in contestants.items()})


def search(run: Run, env_id: str) -> dict[str, Any]:
    """Simulations a second of Monte-Carlo tree search, beside OpenSpiel's."""
    batch = searches.positions_of(env_id)
    to_the_end = {"cut": -1, "exploration": searches.EXPLORATION}
    contestants = {
        "hopenvs, evaluated": cpu_rate(searches.search_of(batch, SIMULATIONS)),
        "hopenvs, random play": cpu_rate(searches.search_of(batch, SIMULATIONS, **to_the_end)),
    }
    facts = {"decisions left": searches.decisions_left(batch)}
    if run.has_openspiel:
        theirs, left = searches.search_of_openspiel(SIMULATIONS)
        contestants["OpenSpiel connect_four, random play"] = cpu_rate(theirs)
        facts["decisions left in connect_four"] = left
    return run.contest(contestants, **facts)


def memory(run: Run, env_id: str) -> dict[str, Any]:
    """Bytes."""
    if env_id == ONCE:
        grown = None if pettingzoo_env() is None else elsewhere.resident_bytes(CONNECT_FOUR)
        return {"rates": {}, "facts": {f"PettingZoo {CONNECT_FOUR}": grown}}
    return {"rates": {}, "facts": elsewhere.bytes_of(env_id)}


def start(run: Run, env_id: str) -> dict[str, Any]:
    """Seconds of a fresh process from `import hopenvs` to the first step, with an empty and with a filled cache."""
    return {"rates": {}, "facts": faces.measure_start(env_id)}


def training(run: Run, env_id: str) -> dict[str, Any]:
    """Decisions a second while `hopenvs train` learns, and what the time is spent on."""
    return {"rates": {}, "facts": elsewhere.training(run.learner, env_id)}


Measure = Callable[[Run, str], dict[str, Any]]
FACES: dict[str, Measure] = {
    "aec": aec, "parallel": parallel, "pettingzoo": pettingzoo, "state": state, "vector": vector, "pgx": pgx,
    "playouts": playouts, "copies": copies, "search": search, "memory": memory, "start": start, "training": training,
}  # fmt: skip
DEFAULT = (
    "igel_aergern-2p-v0", "igel_aergern-4p-v0", "hooop-2p-v0", "hooop-3p-v0", "hedgehog_hop-2p-v0",
    "hedgehog_hop-puzzler-3p-v0", "hedgehog_hop-battle-3p-v0", "hedgehog_hop-battle-5p-v0", "hop-3p-v0", "hop-6p-v0",
    "hexx_hopp-2p-1r-v0", "hexx_hopp-4p-1r-v0",
)  # fmt: skip
TRAINED = ("igel_aergern-2p-v0", "hooop-2p-v0", "hedgehog_hop-2p-v0")


def ids_of(face: str, ids: list[str]) -> list[str]:
    """Which ids, of those that were asked for, a face is measured for."""
    if face in ("pettingzoo", "pgx"):
        return [ONCE]
    if face == "memory":
        return [*ids, ONCE]
    if face == "training":
        return [env_id for env_id in ids if env_id in TRAINED] or ids[:1]
    if face == "start":  # ids of a game share their kernels, or most of them
        return list({registry.resolve(env_id, {})[0].ID: env_id for env_id in reversed(ids)}.values())[::-1]
    if face == "parallel":
        return [env_id for env_id in ids if simultaneous(env_id)]
    return ids


def simultaneous(env_id: str) -> bool:
    """Whether all seats act at once."""
    return spec_of(env_id).simultaneous


def bytes_of(env_id: str) -> int:
    """Of a mask and an observation."""
    spec = spec_of(env_id)
    return spec.num_actions + spec.observation_size


def spec_of(env_id: str) -> Spec:
    """The facts of an id."""
    game, options = registry.resolve(env_id, {})
    return game.spec(options)
