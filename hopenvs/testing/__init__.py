"""The conformance suite: does an environment keep every promise that learning libraries rely on?

It checks registered ids through all their faces, and environments of any factory:

>>> from hopenvs.testing import check_env
>>> len(check_env("igel_aergern-2p-v0", games=1, chapters=["seeding"])) > 5
True

Each check is a function of a factory that raises an AssertionError with a message for people; `KINDS` says which kind
of fault each looks for. Nothing here needs pytest.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable

from hopenvs.testing import (  # noqa: F401 (importing a chapter enters its checks)
    agreement,
    conversions,
    copies_and_processes,
    gym,
    masks,
    observations,
    rendering,
    rewards_and_endings,
    rules,
    seeding,
    vector,
)
from hopenvs.testing.kinds import POINTS, POINTS_ELSEWHERE, Kind, kinds
from hopenvs.testing.rules import check_seats_turn
from hopenvs.testing.suite import CHECKS, FACES, Check, ConformanceError, Make

KINDS: dict[int, Kind] = kinds()
CHAPTERS = tuple(dict.fromkeys(entry.chapter for entry in CHECKS.values()))


def select(face: str, chapters: Iterable[str] | None = None, *, slow: bool = False) -> list[Check]:
    """The checks of a face, in order; with `slow` those that start processes, else the others.

    Raises:
        ValueError: for an unknown face or chapter.
    """
    wanted = CHAPTERS if chapters is None else tuple(chapters)
    for name, known in ((face, FACES), *((chapter, CHAPTERS) for chapter in wanted)):
        if name not in known:
            raise ValueError(f"unknown {name!r}: expected one of {', '.join(known)}")
    return [
        entry for entry in CHECKS.values() if face in entry.faces and entry.chapter in wanted and entry.slow == slow
    ]


def _run(
    face: str, make: Make | str, games: int, seed: int, chapters: Iterable[str] | None, slow: bool = False
) -> list[str]:
    done = []
    for entry in select(face, chapters, slow=slow):
        entry.run(make, games=games, seed=seed)
        done.append(entry.name)
    return done


def check_aec(make: Make, *, games: int = 2, seed: int = 0, chapters: Iterable[str] | None = None) -> list[str]:
    """Check AEC environments; see `check_env`. `make(**keywords)` takes those of `hopenvs.make` but the id."""
    return _run("aec", make, games, seed, chapters)


def check_parallel(make: Make, *, games: int = 2, seed: int = 0, chapters: Iterable[str] | None = None) -> list[str]:
    """Check parallel environments; `make(**keywords)` takes those of `hopenvs.make` but the id."""
    return _run("parallel", make, games, seed, chapters)


def check_vector(make: Make, *, games: int = 2, seed: int = 0, chapters: Iterable[str] | None = None) -> list[str]:
    """Check batches of games, all seats; `make(**keywords)` takes those of `hopenvs.make_vec` but the id."""
    return _run("vector", make, games, seed, chapters)


def check_gym(make: Make, *, games: int = 2, seed: int = 0, chapters: Iterable[str] | None = None) -> list[str]:
    """Check Gymnasium environments of one seat; `make(**keywords)` takes those of `hopenvs.make_gym` but the id."""
    return _run("gym", make, games, seed, chapters)


def check_gym_vector(make: Make, *, games: int = 2, seed: int = 0, chapters: Iterable[str] | None = None) -> list[str]:
    """Check Gymnasium's batches of one seat; `make(**keywords)` takes those of `hopenvs.make_gym_vec` but the id."""
    return _run("gym_vector", make, games, seed, chapters)


def check_env(
    env_id: str,
    *,
    games: int = 2,
    seed: int = 0,
    chapters: Iterable[str] | None = None,
    faces: Iterable[str] = FACES,
    slow: bool = False,
) -> list[str]:
    """Check a registered id through its faces.

    Args:
        env_id: such as "igel_aergern-2p-v0", or one that you have registered.
        games: how many seeded games most checks play.
        seed: of the first of them.
        chapters: the modules of this package to run; None for all.
        faces: "aec", "parallel", "vector", "gym", "gym_vector" and what concerns the "id" itself.
        slow: run the checks that start processes, in place of the others.

    Returns:
        The names of the checks that were run.

    Raises:
        ConformanceError: (an AssertionError) naming the check, agent, step, what was expected and what was found.
    """
    import hopenvs

    makers: dict[str, Make | str] = {
        "aec": functools.partial(hopenvs.make, env_id, "aec"),
        "parallel": functools.partial(hopenvs.make, env_id, "parallel"),
        "vector": functools.partial(hopenvs.make_vec, env_id),
        "gym": functools.partial(hopenvs.make_gym, env_id),
        "gym_vector": functools.partial(hopenvs.make_gym_vec, env_id),
        "id": env_id,
    }
    done: list[str] = []
    kept = None if chapters is None else tuple(chapters)
    for face in faces:
        if face not in makers:
            raise ValueError(f"unknown face {face!r}: expected one of {', '.join(FACES)}")
        done += _run(face, makers[face], games, seed, kept, slow)
    return done


__all__ = [
    "CHAPTERS",
    "CHECKS",
    "FACES",
    "KINDS",
    "POINTS",
    "POINTS_ELSEWHERE",
    "Check",
    "ConformanceError",
    "Kind",
    "check_aec",
    "check_env",
    "check_gym",
    "check_gym_vector",
    "check_parallel",
    "check_seats_turn",
    "check_vector",
    "select",
]
