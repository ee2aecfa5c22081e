"""Arguments that several verbs share, and how they are read."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from hopenvs import registry
from hopenvs.core.errors import OptionError

LARGEST_SEED = 2**64 - 1
_PYTHON_WORDS = {"True": True, "False": False, "None": None}


def complete_env(incomplete: str) -> list[str]:
    """The ids that begin so, for the shell."""
    return [env for env in registry.list_envs() if env.startswith(incomplete)]


Env = Annotated[
    str,
    typer.Argument(
        metavar="ENV", help="An id, such as igel_aergern-2p-v0 (`hopenvs list`).", autocompletion=complete_env
    ),
]
Envs = Annotated[
    list[str] | None,
    typer.Argument(metavar="[ENV]...", help="Ids (`hopenvs list`); all by default.", autocompletion=complete_env),
]
Seed = Annotated[int, typer.Option("--seed", min=0, max=LARGEST_SEED, help="The seed of the first game.")]
Options = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        metavar="KEY=VALUE",
        help="An option of the game; the value is read as JSON, else as text. Repeatable.",
    ),
]
Modules = Annotated[
    list[str] | None,
    typer.Option(
        "--module",
        metavar="MODULE",
        help="Import a game of your own (a module's name) and register it first. Repeatable.",
    ),
]


def read_options(given: Sequence[str] | None) -> dict[str, Any]:
    """The game's options (`read_keywords`)."""
    options = read_keywords(given, "--option", "anarchy=true")
    if "reward" in options:
        raise typer.BadParameter("'reward' is no option of a game: expected --reward", param_hint="'--option'")
    return options


def read_keywords(given: Sequence[str] | None, flag: str, example: str) -> dict[str, Any]:
    """`KEY=VALUE`s as keywords: the value is JSON if it parses, else text; Python's True, False and None are known."""
    options: dict[str, Any] = {}
    for text in given or ():
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise typer.BadParameter(f"{text!r}: expected KEY=VALUE, such as {example}", param_hint=f"'{flag}'")
        if key in options:
            raise typer.BadParameter(f"{key!r} is given twice", param_hint=f"'{flag}'")
        try:
            options[key] = json.loads(value)
        except ValueError:
            options[key] = _PYTHON_WORDS.get(value, value)
    return options


def refuse_idle(given: Mapping[str, Any], why: str) -> None:
    """Refuse options that would have no effect.

    Args:
        given: by flag; None, False or an empty list for one that was not given.
        why: there is none.
    """
    for flag, value in given.items():
        if value is not None and value is not False and value != []:
            raise OptionError(f"{flag}: {why}")


def writable(path: Path) -> None:
    """Find out now, before an hour at the table, whether a file can be written; what it holds stays.

    Raises:
        OSError: if it can't.
    """
    existed = path.exists()
    with path.open("ab"):
        pass
    if not existed:
        path.unlink()


def register_modules(names: Sequence[str] | None) -> list[str]:
    """Import games by their modules' names, registered if they don't do so themselves; their ids.

    Raises:
        OptionError: for a module that can't be imported or is no game.
    """
    here = str(Path.cwd())
    if names and here not in sys.path and "" not in sys.path:
        sys.path.insert(0, here)  # as `python -m hopenvs` has it; the script `hopenvs` has not
    ids = []
    for name in names or ():
        before = set(registry.list_envs())
        try:
            module = importlib.import_module(name)
        except (ImportError, ValueError) as error:
            raise OptionError(f"--module {name}: {error}: expected the name of a module to import") from error
        own = [i for i in registry.list_envs() if i not in before or registry.entry_of(i).module == module.__name__]
        try:
            ids += own or [registry.register(module)]
        except ValueError as error:
            raise OptionError(f"--module {name}: {error}") from error
    return ids
