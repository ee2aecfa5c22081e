"""Which files of tests are slow, in which order files are run, and what garbage collection leaves alone."""

from __future__ import annotations

import fnmatch
import gc

import pytest

# The slow walkers and solvers, what is compared with them, the tests of tests, and what starts many processes or trains
# again and again: run by `-m slow`, as CI does.
SLOW = (
    *("tests/integrations/*", "tests/examples/*"),  # CI runs them in an environment of their own
    *("tests/oracles/*", "tests/games/*/test_*oracle.py", "tests/test_mutants.py"),
    *("tests/solve/test_distance.py", "tests/solve/test_hooop.py", "tests/solve/test_igel_aergern.py"),
    *(
        "tests/cli/test_baselines.py",
        "tests/cli/test_check.py",
        "tests/cli/test_kernels.py",
        "tests/cli/test_program.py",
        "tests/cli/test_record.py",
        "tests/cli/test_replay.py",
        "tests/cli/test_watch_and_play.py",
    ),
    *("tests/train/test_baselines.py", "tests/train/test_run.py"),
)

# The files that take longest: begun last, they would keep one worker busy while the others have nothing to do.
LONGEST = ("tests/test_conformance.py", "tests/integrations/test_rllib_engine.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what is slow; the longest files come first (`--no-loadscope-reorder` has xdist keep the order)."""
    for item in items:
        if any(fnmatch.fnmatch(item.nodeid.split("::")[0], pattern) for pattern in SLOW):
            item.add_marker(pytest.mark.slow)
    items.sort(key=lambda item: item.nodeid.split("::")[0] not in LONGEST)


def pytest_collection_finish() -> None:
    """Thousands of collected tests stay alive to the end: no later garbage collection has to walk over them."""
    gc.collect()
    gc.freeze()
