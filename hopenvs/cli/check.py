"""`hopenvs check`: every promise that a game makes, tried out."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable
from typing import Annotated

import typer

from hopenvs import registry
from hopenvs.cli import cold, terminal
from hopenvs.cli.arguments import Envs, Modules, Seed, register_modules

EXAMPLES = (
    "hopenvs check",
    "hopenvs check igel_aergern-2p-v0 --games 10 --seed 1",
    "hopenvs check --module my_game",
)


def command(
    ctx: typer.Context,
    envs: Envs = None,
    games: Annotated[int, typer.Option("--games", min=1, help="How many random games of each id are looked at.")] = 1,
    seed: Seed = 0,
    module: Modules = None,
) -> None:
    """Check that games keep their promises.

    Looked at are masks, names, positions, records, observations, hidden information, rewards and endings. With --module
    a game of your own is checked, under the ids it registers or by default its own. Exit code 1 if a promise is broken;
    the message says which, and where (`hopenvs --debug check` shows the traceback).
    """
    own = register_modules(module)
    names = list(dict.fromkeys(registry.entry_of(env).id for env in envs or own or registry.list_envs()))
    failed = False
    rows = []
    with terminal.progress("checking", len(names)) as advance:
        for env in names:
            advance(0, env)
            start = time.perf_counter()
            try:
                found = f"{check(env, games, seed)} positions"
            except Exception as error:  # a game that breaks its promises may fail in any way
                if ctx.find_root().params["debug"]:
                    raise
                told = error if isinstance(error, AssertionError) else f"{type(error).__name__}: {error}"
                found = " ".join(f"FAULT: {told}".split())
                failed = True
            rows.append((env, round(time.perf_counter() - start, 1), found))
            advance(1, env)
    terminal.table(("id", "seconds", "found"), rows)
    if failed:
        raise typer.Exit(1)


def check(env: str, games: int, seed: int) -> int:
    """Check an id on random games; how many positions were looked at.

    Raises:
        AssertionError: naming the promise that is broken. Rules that are wrong may fail in other ways.
    """
    from hopenvs.core.check import check_game

    entry = registry.entry_of(env)
    game = entry.game()
    cold.announce(game)
    looked = check_game(game, games, seed, **entry.options)
    conformance = _conformance()
    if conformance is not None:
        conformance(env)
    return looked


def _conformance() -> Callable[[str], object] | None:
    """The suite that every face of a game passes, where it is installed."""
    try:
        return getattr(importlib.import_module("hopenvs.testing"), "check_env", None)
    except ImportError:
        return None
