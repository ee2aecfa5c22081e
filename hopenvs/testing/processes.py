"""Other processes: what slow checks run there, importable by name so that spawned workers find it."""

from __future__ import annotations

import hashlib
import importlib
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

from hopenvs.testing.suite import fail

TIME_LIMIT = 280  # seconds: a process may have to compile the game first

Wanted = tuple[str, str, dict[str, Any]]  # (id, the game module's name, the options the id implies)


def wanted(env_id: str) -> Wanted:
    """What another process needs to know an id, a third party's too."""
    from hopenvs.registry import entry_of

    entry = entry_of(env_id)
    return entry.id, entry.module, dict(entry.options)


def known(env_id: str, module: str, options: Mapping[str, Any]) -> str:
    """The id, registered in this process if it isn't."""
    import hopenvs

    if env_id not in hopenvs.list_envs():
        hopenvs.register(importlib.import_module(module), env_id, **options)
    return env_id


def run_python(source: str, *arguments: Any, **environment: str | None) -> Any:
    """What a new Python process prints last, read as JSON.

    Args:
        source: its program; `arguments` are in its list `given`.
        arguments: JSON-able.
        environment: variables to set, or to remove (None).

    Raises:
        AssertionError: if it ends with an error, warns, or prints no JSON.
    """
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p), **environment}
    variables = {name: value for name, value in variables.items() if value is not None}
    program = f"import json, sys\ngiven = json.loads(sys.stdin.read())\n{source}"
    done = subprocess.run(
        [sys.executable, "-c", program],
        input=json.dumps(arguments),  # as an argument it could be too long
        env={name: str(value) for name, value in variables.items()},
        capture_output=True,
        text=True,
        timeout=TIME_LIMIT,
        check=False,
    )
    lines = done.stdout.strip().splitlines()
    if done.returncode or not lines:
        fail(f"a new process ended with {done.returncode}: {done.stderr.strip()[-800:] or 'it said nothing'}")
    return json.loads(lines[-1])


def digest_of_game(env_id: str, module: str, options: Mapping[str, Any], seed: int) -> str:
    """A hash of all that a seeded game of first and last legal actions shows, layout and infos included."""
    import hopenvs

    env = hopenvs.make(known(env_id, module, options))
    digest = hashlib.sha256(repr((env.observation_layout, env.action_space("player_0"))).encode())
    env.reset(seed=seed)
    k = 0
    while env.agents and k < 400:
        observation, reward, terminated, truncated, info = env.last()
        for part in (observation["observation"], observation["action_mask"], env.state()):
            digest.update(part.tobytes())
        digest.update(repr((env.agent_selection, reward, terminated, truncated, sorted(info))).encode())
        legal = env.legal_actions()
        env.step(None if terminated or truncated else legal[-(k % 2)])
        k += 1
    return digest.hexdigest()


def digest_of_copy(pickled: str, actions: list[int]) -> str:
    """A hash of what an AEC environment, pickled and in hexadecimal, shows while these actions are played on."""
    import pickle

    env = pickle.loads(bytes.fromhex(pickled))
    digest = hashlib.sha256()
    for action in actions:
        digest.update(env.state().tobytes())
        digest.update(env.agent_selection.encode())
        env.step(action)
    digest.update(env.state().tobytes())
    return digest.hexdigest()


def spawned(question: list[Any]) -> Any:
    """What a spawned worker does: "make" an id by Gymnasium's prefix, or play a "copy" on."""
    what, given = question
    if what == "copy":
        return digest_of_copy(*given)
    import gymnasium

    env_id, module, options = given
    if module.startswith("hopenvs."):
        env = gymnasium.make(f"hopenvs:hopenvs/{env_id}")  # the import by prefix is what this looks at
    else:
        env = gymnasium.make(f"hopenvs/{known(env_id, module, options)}")
    observation, _ = env.reset(seed=3)
    return hashlib.sha256(observation.tobytes()).hexdigest()
