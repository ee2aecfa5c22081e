"""What a check is, and the table of all checks.

A check is a function of a factory: `check_something(make)` makes an environment with `make(**keywords)`, the keywords
of the face and of the game, plays on it and raises `ConformanceError` (an AssertionError) if a promise is broken. Each
says of which kinds of fault (`kinds.py`), points and clauses it is the proof.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

Make = Callable[..., Any]  # make(**keywords) -> an environment

FACES = ("aec", "parallel", "vector", "gym", "gym_vector", "id")


class ConformanceError(AssertionError):
    """An environment breaks a promise; the message names the check, where, what was expected and what was found."""


@dataclass(frozen=True)
class Check:
    """One check of the suite.

    Attributes:
        name: the function's name.
        chapter: the module it stands in.
        faces: what it takes a factory of: "aec", "parallel", "vector", "gym", "gym_vector", or an "id".
        kinds: the kinds of fault it looks for (`kinds.KINDS`).
        points: the points every learning library relies on that it proves (`kinds.POINTS`).
        clauses: the conventions (C-n) it proves.
        slow: it starts processes or takes long.
        run: the function.
    """

    name: str
    chapter: str
    faces: tuple[str, ...]
    kinds: tuple[int, ...]
    points: tuple[int, ...]
    clauses: tuple[str, ...]
    slow: bool
    run: Callable[..., None]

    @property
    def label(self) -> str:
        """The name and what it proves, for messages."""
        cited = [f"kind {n}" for n in self.kinds] + [f"point {n}" for n in self.points] + list(self.clauses)
        return f"{self.name} ({', '.join(cited)})" if cited else self.name


CHECKS: dict[str, Check] = {}


def check(
    *faces: str,
    kinds: Iterable[int] = (),
    points: Iterable[int] = (),
    clauses: Iterable[str] = (),
    slow: bool = False,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Put a function into the table; whatever it raises becomes a ConformanceError that names it."""

    def enter(function: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(function)
        def run(make: Any, *, games: int = 2, seed: int = 0) -> None:
            try:
                function(make, games=games, seed=seed)
            except AssertionError as error:
                raise ConformanceError(f"{entry.label}: {error}") from error
            except Exception as error:
                raise ConformanceError(f"{entry.label}: unexpected {type(error).__name__}: {error}") from error

        name = function.__name__
        chapter = function.__module__.rpartition(".")[2]
        entry = Check(name, chapter, faces, tuple(kinds), tuple(points), tuple(clauses), slow, run)
        if name in CHECKS and CHECKS[name].chapter != chapter:
            raise ValueError(f"two checks are called {name}")
        CHECKS[name] = entry
        return run

    return enter


# ---- what checks say ------------------------------------------------------------------------------------------------
def fail(message: str) -> NoReturn:
    """Raise with a message."""
    raise AssertionError(message)


def same(what: str, found: Any, expected: Any, where: str) -> None:
    """Raise unless `found` equals `expected`: arrays bit for bit, dtype and shape too; other values in type as well."""
    if isinstance(expected, np.ndarray):
        if (
            isinstance(found, np.ndarray)
            and found.dtype == expected.dtype
            and found.shape == expected.shape
            and np.array_equal(found, expected)
        ):
            return
        fail(f"{where}: {what}: {_how_arrays_differ(found, expected)}")
    if type(found) is not type(expected) or found != expected:
        fail(f"{where}: {what}: expected {expected!r}, found {found!r}")


def _how_arrays_differ(found: Any, expected: np.ndarray) -> str:
    if not isinstance(found, np.ndarray):
        return f"expected an array {expected.dtype} {expected.shape}, found {type(found).__name__} {found!r}"
    if found.dtype != expected.dtype or found.shape != expected.shape:
        return f"expected {expected.dtype} {expected.shape}, found {found.dtype} {found.shape}"
    at = np.argwhere(found != expected)
    cells = ", ".join(f"{tuple(int(i) for i in k)}: {expected[tuple(k)]} but {found[tuple(k)]}" for k in at[:4])
    return f"{len(at)} cells differ, expected but found at {cells}{', ...' if len(at) > 4 else ''}"


def close(what: str, found: float, expected: float, where: str) -> None:
    """Raise unless two numbers agree to rounding."""
    if not abs(float(found) - float(expected)) <= 1e-6:
        fail(f"{where}: {what}: expected {expected}, found {found}")


def refused(what: str, where: str, errors: Any, act: Callable[..., Any], *arguments: Any, **keywords: Any) -> str:
    """The message with which `act(*arguments, **keywords)` raises one of `errors`; raise if it doesn't."""
    try:
        given = act(*arguments, **keywords)
    except errors as error:
        return str(error)
    except Exception as error:
        names = errors.__name__ if isinstance(errors, type) else ", ".join(e.__name__ for e in errors)
        fail(f"{where}: {what}: expected {names}, found {type(error).__name__}: {error}")
    fail(f"{where}: {what}: accepted, and gave {str(given)[:100]}")


def refused_before_reset(what: str, act: Callable[..., Any], *arguments: Any) -> None:
    """Raise unless `act(*arguments)` is refused with a message that says that reset() comes first."""
    message = refused(what, "before the first reset", (ValueError, AssertionError, RuntimeError), act, *arguments)
    if "reset" not in message:
        fail(f"before the first reset: {what}: expected to be told that reset() comes first, not: {message}")


def bare(env: Any) -> Any:
    """The environment under its wrappers."""
    return getattr(env, "unwrapped", env)


def holding(actions: int, kinds: Iterable[Any]) -> list[Any]:
    """Those kinds of integers that hold every action of a catalogue; what has no bounds (int, list) holds all."""
    return [
        kind
        for kind in kinds
        if not (isinstance(kind, type) and issubclass(kind, np.integer)) or np.iinfo(kind).max >= actions - 1
    ]
