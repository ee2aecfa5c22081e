"""Copies, processes, registry: a game goes on in a copy, in another process, under any way of being made."""

from __future__ import annotations

import copy
import functools
import gc
import pickle
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

from hopenvs.core.errors import OptionError, UnknownIdError
from hopenvs.testing import processes
from hopenvs.testing.oracle import chain, trace
from hopenvs.testing.side import Side, differences, snapshot
from hopenvs.testing.suite import Make, bare, check, fail, refused, same

COPIERS: dict[str, Callable[[Any], Any]] = {
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
    "deepcopy": copy.deepcopy,
    "clone": lambda env: bare(env).clone(),
}

# What a copy may cost: bytes beyond three times the buffers of a game, and seconds.
PICKLE_BYTES, CLONE_SECONDS = 100_000, 0.02


# ---- copies ---------------------------------------------------------------------------------------------------------
@check("aec", "parallel", kinds=(50, 51), points=(9,))
def check_copies_go_on_alike(make: Make, *, games: int, seed: int) -> None:
    """pickle, deepcopy and clone keep a game in progress, generator included; neither copy touches the other."""
    side = Side(make())
    game, following = chain(side.env, seed, 2)
    moments = sorted({0, 1, game.decisions // 2, game.decisions - 1, game.decisions})  # whole games but from 0 and 1
    side.reset(seed=game.seed)
    for k, frame in side.follow(game):
        same("state()", side.env.state(), frame.body, f"{game.where(k)}, after copies went on to the end")
        if k not in moments:
            continue
        for name, copier in COPIERS.items():
            where = f"{name} at {game.where(k)}"
            before = snapshot(side.env)
            twin = copier(side.env)
            if snapshot(twin) != before:
                fail(f"{where}: the copy differs in {differences(before, snapshot(twin))}")
            same("its type", type(twin), type(bare(side.env)) if name == "clone" else type(side.env), where)
            other = _side_of_copy(side, twin)
            whole = k > 1 and (name == "pickle" or k > game.decisions - 2)
            _go_on(other, game, k, where, None if whole else k + 20)
            if snapshot(side.env) != before:
                fail(f"{where}: the copy's moves changed the original's {differences(before, snapshot(side.env))}")
            if not whole:
                continue
            if not other.parallel:
                while twin.agents:
                    twin.step(None)
            other.reset()
            for j, later in other.follow(following, min(9, following.decisions)):
                same("state()", twin.state(), later.body, f"{where}, the copy's next game, decision {j}")
            if snapshot(side.env) != before:
                fail(f"{where}: the copy's next game changed {differences(before, snapshot(side.env))}")


def _side_of_copy(side: Side, twin: Any) -> Side:
    other = Side(twin)
    for name in ("observations", "infos", "rewards", "terminations", "truncations"):
        setattr(other, name, getattr(side, name))
    return other


def _go_on(other: Side, game: Any, start: int, where: str, until: int | None) -> None:
    """The copy plays the trace's rest, or up to decision `until`, as the original would."""
    for k, frame in other.follow(game, until and min(until, len(game.frames)), start):
        same("state()", other.env.state(), frame.body, f"{where}, the copy at decision {k}")
        if k == start:
            continue
        for seat, agent in enumerate(other.agents):
            seen = other.observations[agent]["observation"]
            same(f"what {agent} sees", seen, frame.observations[seat], f"{where}, the copy at decision {k}")
            reward = float(game.rewards[seat]) if frame.over else 0.0
            same(f"the reward of {agent}", other.rewards[agent], reward, f"{where}, the copy at decision {k}")


@check("aec", kinds=(50, 51), points=(9,))
def check_copies_while_agents_leave(make: Make, *, games: int, seed: int) -> None:
    """A copy made while ended agents take their last turns goes on with the same agents, rewards and flags."""
    side = Side(make())
    env = side.env
    game = trace(env, seed)
    for name, copier in COPIERS.items():
        side.play(game)
        for gone in range(len(side.agents)):
            where = f"{name} after {gone} agents left"
            twin = copier(env)
            if snapshot(twin) != snapshot(env):
                fail(f"{where}: the copy differs in {differences(snapshot(env), snapshot(twin))}")
            same("last()'s reward and flags", twin.last()[1:4], env.last()[1:4], where)
            left = list(env.agents)
            while twin.agents:
                twin.step(None)
            same("the original's agents", list(env.agents), left, where)
            env.step(None)


@check("aec", "parallel", kinds=(50, 51))
def check_copies_share_no_samples(make: Make, *, games: int, seed: int) -> None:
    """A pickled or deep copy samples actions on its own, as if there were no copy (`clone` shares the spaces)."""
    for name, copier in COPIERS.items():
        if name == "clone":
            continue
        drawn = []
        for use_copy in (False, True):
            env = make()
            env.reset(seed=seed)
            agent = env.possible_agents[0]
            env.action_space(agent).seed(seed)
            if use_copy:
                twin = copier(env)
                for _ in range(3):
                    twin.action_space(agent).sample()
            drawn.append([int(env.action_space(agent).sample()) for _ in range(10)])
        same("samples of the original", drawn[1], drawn[0], f"{name}, the copy sampled in between")


@check("aec", "parallel", kinds=(51,))
def check_copies_are_cheap(make: Make, *, games: int, seed: int) -> None:
    """A copy costs a game's buffers, not its tables."""
    side = Side(make())
    game = trace(side.env, seed)
    side.play(game, game.decisions // 2)
    frame = game.frames[0]
    buffers = frame.body.nbytes + frame.masks.nbytes + frame.observations.nbytes
    size = len(pickle.dumps(side.env))
    if size > PICKLE_BYTES + 3 * buffers * (2 + len(side.agents)):
        fail(f"pickled in mid-game: {size} bytes, but the game's buffers take {buffers}")
    best = 1.0
    for _ in range(5):
        start = time.perf_counter()
        for _ in range(5):
            bare(side.env).clone()
        best = min(best, (time.perf_counter() - start) / 5)
    if best > CLONE_SECONDS:
        fail(f"clone() takes {best:.4f} s")


# ---- memory ---------------------------------------------------------------------------------------------------------
def expect_flat_memory(turn: Callable[[int], None], what: str, rounds: int = 8, allowed: int = 20_000) -> None:
    """Raise if memory grows over many rounds of `turn`."""
    turn(0)
    turn(1)
    tracemalloc.start()
    try:
        for k in range(3):
            turn(k)
        gc.collect()
        before = tracemalloc.get_traced_memory()[0]
        for k in range(rounds):
            turn(k)
        gc.collect()
        grown = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    if grown > allowed:
        fail(f"{what}: {grown} bytes more after {rounds} rounds")


@check("aec", "parallel", kinds=(54,))
def check_memory_is_flat(make: Make, *, games: int, seed: int) -> None:
    """Memory doesn't grow with resets, steps, copies, nor with environments that are made and forgotten."""
    side = Side(make())
    game = trace(side.env, seed)
    steps = min(15, game.decisions)

    def resets(k: int) -> None:
        for _ in range(3):
            side.play(game, steps)

    def makes(k: int) -> None:
        other = Side(make())
        other.play(game, 2)
        bare(other.env).clone()
        other.env.close()

    expect_flat_memory(resets, "resets and steps")
    expect_flat_memory(makes, "environments made and closed")


# ---- attributes -----------------------------------------------------------------------------------------------------
@check("aec", "parallel", kinds=(37, 62), points=(9, 14))
def check_public_members(make: Make, *, games: int, seed: int) -> None:
    """The public helpers are there, under `unwrapped` too, and none of them is hidden by an attribute."""
    env = make()
    names = [
        "state",
        "set_state",
        "position",
        "clone",
        "legal_actions",
        "action_name",
        "parse_action",
        "render",
        "close",
    ]
    for name in names:
        if not callable(getattr(env.unwrapped, name, None)):
            fail(f"env.unwrapped.{name} is no function")
    for name in ("possible_agents", "observation_spaces", "action_spaces", "state_space", "observation_layout"):
        if not hasattr(env.unwrapped, name):
            fail(f"env.unwrapped.{name} is missing")
    same("type(possible_agents)", type(env.possible_agents), list, "a new environment")
    same("max_num_agents", env.max_num_agents, len(env.possible_agents), "a new environment")
    env.reset(seed=seed)
    same("num_agents", env.num_agents, len(env.possible_agents), "after reset")
    if "module" not in repr(type(env)) and not str(env):
        fail("str(env) is empty")


# ---- the registry ---------------------------------------------------------------------------------------------------
@check("id", kinds=(52, 56), points=(10,))
def check_every_way_of_making(make: str, *, games: int, seed: int) -> None:
    """hopenvs, Gymnasium (with and without prefix, alone and as a vector) and PettingZoo make the same game."""
    import gymnasium
    import pettingzoo

    import hopenvs

    env_id = make
    inner = hopenvs.make(env_id)
    first = trace(inner, seed).frames[0]
    made: dict[str, Any] = {
        "make": inner,
        "make with the prefix": hopenvs.make(f"hopenvs/{env_id}"),
        "make parallel": hopenvs.make(env_id, "parallel"),
    }
    if hasattr(pettingzoo, "register"):
        made["pettingzoo.make aec"] = pettingzoo.make("aec", f"hopenvs/{env_id}")
        made["pettingzoo.make parallel"] = pettingzoo.make("parallel", f"hopenvs/{env_id}")
    for how, env in made.items():
        env.reset(seed=seed)
        same("the state", bare(env).state(), first.body, how)
        same("the id", bare(env).env_id, env_id, how)
    single = {
        "make_gym": hopenvs.make_gym(env_id),
        "gymnasium.make": gymnasium.make(f"hopenvs/{env_id}"),
        "gymnasium.make with a module": gymnasium.make(f"hopenvs:hopenvs/{env_id}"),
    }
    seen = {how: env.reset(seed=seed)[0] for how, env in single.items()}
    for how, observation in seen.items():
        same("the first observation", observation, seen["make_gym"], how)
    batch: Any = gymnasium.make_vec(f"hopenvs/{env_id}", num_envs=2, max_episode_steps=1)
    same("row 0", batch.reset(seed=seed)[0][0], seen["make_gym"], "gymnasium.make_vec")
    _, _, ended, cut, _ = batch.step(batch.unwrapped.action_masks().argmax(1))
    if not (ended | cut).all():
        fail("gymnasium.make_vec(max_episode_steps=1): not truncated after a step")
    spec = gymnasium.spec(f"hopenvs/{env_id}")
    same("the id of the spec", spec.id, f"hopenvs/{env_id}", "gymnasium.spec")
    for env in (*made.values(), *single.values(), batch):
        env.close()


@check("id", kinds=(52, 56), clauses=("C-6",))
def check_unknown_keywords_are_refused(make: str, *, games: int, seed: int) -> None:
    """Unknown ids and keywords are refused by name, with the nearest ones that exist."""
    import hopenvs

    env_id = make
    makers: dict[str, Callable[..., Any]] = {
        "make": hopenvs.make,
        "make parallel": functools.partial(hopenvs.make, api="parallel"),
        "make_vec": hopenvs.make_vec,
        "make_gym": hopenvs.make_gym,
        "make_gym_vec": hopenvs.make_gym_vec,
    }
    for how, maker in makers.items():
        name: str
        value: Any
        for name, value in (("nonsense", 1), ("reward", "gold"), ("illegal", "ignore")):
            message = refused(f"{name}={value!r}", how, OptionError, maker, env_id, **{name: value})
            if name not in message:
                fail(f"{how}: the refusal of {name}={value!r} doesn't name it: {message}")
        for unknown in ("no-such-game-v0", "", env_id + "0", None, 3):
            refused(f"id {unknown!r}", how, UnknownIdError, maker, unknown)
        for name, value in (("max_cycles", 0), ("max_cycles", 1.5), ("max_episode_steps", -1), ("render_mode", "gif")):
            refused(f"{name}={value!r}", how, OptionError, maker, env_id, **{name: value})
    refused("api='nonsense'", "make", OptionError, hopenvs.make, env_id, "nonsense")


# ---- processes ------------------------------------------------------------------------------------------------------
@check("id", kinds=(45, 46), clauses=("C-2",), slow=True)
def check_processes_agree(make: str, *, games: int, seed: int) -> None:
    """The same game, bit for bit, in new processes, whatever PYTHONHASHSEED is, in compiled and in plain Python."""
    want = processes.wanted(make)
    expected = processes.digest_of_game(*want, seed)
    source = (
        "from hopenvs.testing.processes import digest_of_game\nprint(json.dumps(digest_of_game(*given[0], given[1])))"
    )
    for variables in ({"PYTHONHASHSEED": "1"}, {"PYTHONHASHSEED": "2"}, {"HOPENVS_BACKEND": "plain"}):
        found = processes.run_python(source, want, seed, **variables)
        same("the digest of a game", found, expected, f"a new process with {variables}")


@check("id", kinds=(50, 52), points=(9, 10, 14), slow=True)
def check_spawned_workers(make: str, *, games: int, seed: int) -> None:
    """A spawned worker makes ids by Gymnasium's prefix and goes on with a pickled game."""
    import hopenvs

    want = processes.wanted(make)
    env = hopenvs.make(make)
    game = trace(env, seed)
    side = Side(env)
    k = game.decisions // 2
    side.play(game, k)
    actions = [action for frame in game.frames[k:] for action in frame.actions]
    questions: list[list[Any]] = [["make", want], ["copy", [pickle.dumps(env).hex(), actions]]]
    source = """
import multiprocessing
from hopenvs.testing.processes import spawned
with multiprocessing.get_context("spawn").Pool(1) as pool:
    print(json.dumps(pool.map(spawned, given[0], chunksize=1)))
"""
    found = processes.run_python(source, questions)
    expected = [processes.spawned(question) for question in questions]
    same("a game by gymnasium.make", found[0], expected[0], "a spawned worker")
    same("a pickled game played on", found[1], expected[1], "a spawned worker")


@check("id", kinds=(53,), points=(10,), slow=True)
def check_imports_are_quiet(make: str, *, games: int, seed: int) -> None:
    """Importing, importing again, reloading and importing under two paths warn of nothing and register once."""
    source = """
import importlib, io, logging, warnings
warnings.simplefilter("error")
said = io.StringIO()
sys.stderr = said
import gymnasium
before = set(gymnasium.registry)
import hopenvs
ids = hopenvs.list_envs()
after = set(gymnasium.registry)
importlib.reload(hopenvs)
import hopenvs.registry
importlib.reload(hopenvs.registry)
for name in [n for n in sys.modules if n == "hopenvs" or n.startswith("hopenvs.")]:
    del sys.modules[name]
import hopenvs
import pettingzoo
zoo = [i for i in getattr(pettingzoo, "aec_registry", {}) if i.startswith("hopenvs/")]
print(json.dumps({
    "said": said.getvalue(), "ids": len(ids), "again": len(hopenvs.list_envs()), "new": len(after - before),
    "gymnasium": sum(i.startswith("hopenvs/") for i in gymnasium.registry), "zoo": len(zoo),
    "heavy": [m for m in ("numba", "torch", "pygame", "PIL", "ray", "typer") if m in sys.modules],
}))
"""
    found = processes.run_python(source)
    same("what importing writes to stderr", found["said"], "", "import hopenvs")
    same("ids after a second import", found["again"], found["ids"], "import hopenvs")
    same("ids in Gymnasium's registry", (found["new"], found["gymnasium"]), (found["ids"],) * 2, "import hopenvs")
    if found["zoo"]:
        same("ids in PettingZoo's registry", found["zoo"], found["ids"], "import hopenvs")
    same("heavy modules that importing loads", found["heavy"], [], "import hopenvs")
