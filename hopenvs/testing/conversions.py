"""Conversions and wrappers: what libraries wrap round an environment neither hides nor breaks it."""

from __future__ import annotations

import ast
import importlib
import logging
from pathlib import Path
from typing import Any

import numpy as np
from pettingzoo import utils as zoo

from hopenvs.testing.oracle import LONGEST, trace, traces
from hopenvs.testing.side import Side
from hopenvs.testing.suite import Make, check, close, fail, same

# What PettingZoo's and Gymnasium's documentation tells people to import.
DOCUMENTED: dict[str, set[str] | None] = {
    "pettingzoo": {"AECEnv", "ParallelEnv", "make", "register", "spec", "utils", "test"},
    "pettingzoo.utils": {
        "AssertOutOfBoundsWrapper",
        "BaseParallelWrapper",
        "BaseWrapper",
        "ClipOutOfBoundsWrapper",
        "OrderEnforcingWrapper",
        "TerminateIllegalWrapper",
        "aec_to_parallel",
        "parallel_to_aec",
        "turn_based_aec_to_parallel",
        "wrappers",
    },
    "pettingzoo.test": {
        "api_test",
        "max_cycles_test",
        "parallel_api_test",
        "parallel_seed_test",
        "render_test",
        "seed_test",
        "state_test",
    },
    "gymnasium": {"Env", "Wrapper", "make", "make_vec", "register", "registry", "spaces", "spec", "wrappers"},
    "gymnasium.spaces": None,
    "gymnasium.vector": {"AsyncVectorEnv", "AutoresetMode", "SyncVectorEnv", "VectorEnv", "VectorWrapper"},
    "gymnasium.vector.utils": {"batch_space", "concatenate", "create_empty_array", "iterate"},
    "gymnasium.wrappers": None,
    "gymnasium.wrappers.vector": None,
    "gymnasium.utils.env_checker": {"check_env"},
}


# ---- PettingZoo's wrappers ------------------------------------------------------------------------------------------
@check("aec", kinds=(60,), points=(10,))
def check_metadata(make: Make, *, games: int, seed: int) -> None:
    """Turn games don't call themselves parallelizable; name, render modes and frame rate are stated."""
    env = make()
    turns = not env.unwrapped.game.spec(env.unwrapped.options).simultaneous
    metadata = env.metadata
    if turns and metadata.get("is_parallelizable") is not False:
        fail(f"is_parallelizable is {metadata.get('is_parallelizable')!r}: turn by turn isn't all at once")
    for key, kind in (("name", str), ("render_modes", list), ("render_fps", int)):
        if not isinstance(metadata.get(key), kind):
            fail(f"metadata[{key!r}] is {metadata.get(key)!r}, expected {kind.__name__}")
    for mode in ("human", "rgb_array", "ansi"):
        if mode not in metadata["render_modes"]:
            fail(f"metadata['render_modes'] is {metadata['render_modes']}, expected {mode!r} among them")
    if not 0 < metadata["render_fps"] <= 60:
        fail(f"render_fps is {metadata['render_fps']}")


@check("parallel", points=(10,))
def check_parallel_metadata(make: Make, *, games: int, seed: int) -> None:
    """Name, render modes and frame rate are stated."""
    metadata = make().metadata
    for key, kind in (("name", str), ("render_modes", list), ("render_fps", int)):
        if not isinstance(metadata.get(key), kind):
            fail(f"metadata[{key!r}] is {metadata.get(key)!r}, expected {kind.__name__}")


@check("aec", kinds=(26, 37, 62), points=(6,))
def check_pettingzoo_wrappers(make: Make, *, games: int, seed: int) -> None:
    """Under PettingZoo's wrappers the same game is played; state(), spaces and helpers are reachable."""
    for wrap in (zoo.OrderEnforcingWrapper, zoo.BaseWrapper, _terminating, _twice):
        side = Side(wrap(make()))
        name = getattr(wrap, "__name__", "wrapper").strip("_")
        for game in traces(side.env, games, seed):
            side.reset(seed=game.seed)
            for k, frame in side.follow(game, min(120, len(game.frames))):
                where = f"under {name}, {game.where(k)}"
                same("state()", side.env.state(), frame.body, where)
                for seat, agent in enumerate(side.agents):
                    seen = side.observations[agent]["observation"]
                    same(f"what {agent} sees", seen, frame.observations[seat], where)
            same("state_space", side.env.state_space, side.env.unwrapped.state_space, f"under {name}")
            same("position()", side.env.unwrapped.position(), side.env.unwrapped.clone().position(), f"under {name}")


def _terminating(env: Any) -> Any:
    return zoo.TerminateIllegalWrapper(env, illegal_reward=-1)


def _twice(env: Any) -> Any:
    return zoo.OrderEnforcingWrapper(zoo.AssertOutOfBoundsWrapper(env))


@check("aec", kinds=(26, 22), clauses=("C-11",))
def check_terminate_illegal_wrapper(make: Make, *, games: int, seed: int) -> None:
    """PettingZoo's TerminateIllegalWrapper ends a game at an illegal action; the next game is as if there were none."""
    env = _terminating(make())
    game = trace(env, seed)
    for _ in range(2):
        env.reset(seed=seed)
        for frame in game.frames[:-1]:
            agent = env.agent_selection
            illegal = np.flatnonzero(env.observe(agent)["action_mask"] == 0)
            if len(illegal):
                break
            for action in frame.actions:
                env.step(action)
        else:
            return  # everything is legal in this game
        logging.disable(logging.WARNING)  # the wrapper says what it does
        try:
            env.step(int(illegal[0]))
        finally:
            logging.disable(logging.NOTSET)
        paid = dict.fromkeys(env.possible_agents, 0.0)
        for _ in range(3 * len(env.possible_agents)):
            if not env.agents:
                break
            _, reward, terminated, truncated, _ = env.last()
            paid[env.agent_selection] += reward
            if not (terminated or truncated):
                fail(f"under TerminateIllegalWrapper: {env.agent_selection} goes on after an illegal action of {agent}")
            env.step(None)
        close(f"the reward of {agent}", paid[agent], -1.0, "under TerminateIllegalWrapper")
        same("the agents left", list(env.agents), [], "under TerminateIllegalWrapper")
        side = Side(env)
        side.reset(seed=seed)
        for k, frame in side.follow(game, min(30, game.decisions)):
            same("state()", env.state(), frame.body, f"the game after an illegal one, {game.where(k)}")


@check("parallel", kinds=(8, 37, 61, 62), points=(2, 6))
def check_parallel_conversions(make: Make, *, games: int, seed: int) -> None:
    """The parallel environment plays on under PettingZoo's base wrapper and as an AEC environment made of it."""
    side = Side(zoo.BaseParallelWrapper(make()))
    game = trace(side.env, seed)
    side.reset(seed=seed)
    for k, frame in side.follow(game):
        same("state()", side.env.state(), frame.body, f"under BaseParallelWrapper, {game.where(k)}")
    env: Any = zoo.parallel_to_aec(make())
    env.reset(seed=seed)
    paid = dict.fromkeys(env.possible_agents, 0.0)
    chosen: dict[str, int] = {}
    k = 0
    for agent in env.agent_iter(LONGEST):
        observation, reward, terminated, truncated, _ = env.last()
        paid[agent] += reward
        if terminated or truncated:
            env.step(None)
            continue
        frame = game.frames[k]
        seat = env.possible_agents.index(agent)
        same(f"what {agent} sees", observation["observation"], frame.observations[seat], f"as AEC, {game.where(k)}")
        chosen[agent] = frame.actions[frame.asked.index(seat)] if seat in frame.asked else 0
        env.step(chosen[agent])
        k += agent == env.possible_agents[-1]
    for seat, agent in enumerate(env.possible_agents):
        close(f"the reward of {agent}", paid[agent], game.rewards[seat], "parallel_to_aec, a whole game")


# ---- what the package imports ---------------------------------------------------------------------------------------
@check("id", kinds=(67,))
def check_only_documented_imports(make: str, *, games: int, seed: int) -> None:
    """The package imports no private name of Gymnasium or PettingZoo: those change without notice."""
    package = importlib.import_module("hopenvs")
    for root in package.__path__:
        for path in sorted(Path(root).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                for module, name in _imported(node):
                    _expect_documented(module, name, f"{path.name}, line {getattr(node, 'lineno', 0)}")


def _imported(node: ast.AST) -> list[tuple[str, str]]:
    if isinstance(node, ast.ImportFrom) and node.module and not node.level:
        return [(node.module, alias.name) for alias in node.names]
    if isinstance(node, ast.Import):
        return [(alias.name, "") for alias in node.names]
    return []


def _expect_documented(module: str, name: str, where: str) -> None:
    if module.split(".")[0] not in ("pettingzoo", "gymnasium"):
        return
    known = DOCUMENTED.get(module)
    if module not in DOCUMENTED or name.startswith("_") or (name and known is not None and name not in known):
        fail(f"{where}: imports {name or 'all'} of {module}, which isn't documented")
