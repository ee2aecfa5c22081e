"""The order in which files of tests are run."""

from __future__ import annotations

import pytest

# The files that take longest: begun last, they would keep one worker busy while the others have nothing to do.
LONGEST = ("tests/test_conformance.py", "tests/test_every_game.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest files first (`--no-loadscope-reorder` has xdist keep that order); all else stays as it was."""
    rank = {name: k for k, name in enumerate(LONGEST)}
    items.sort(key=lambda item: rank.get(item.nodeid.split("::")[0], len(rank)))
