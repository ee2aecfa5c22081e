"""The solved games that tests share."""

from typing import Any

import pytest

from hopenvs.core.options import parse_options
from hopenvs.games import hooop, igel_aergern
from hopenvs.solve import find_positions, solve

# Modules, as far as mypy can tell no games.
IGEL: Any = igel_aergern
HOOOP: Any = hooop
SMALLEST: dict[str, Any] = {"tracks": 2, "columns": 3, "pieces": 2, "pits": [1, 1]}


@pytest.fixture(scope="session")
def smallest():
    """The smallest corner of Igel Ärgern, solved."""
    return solve(find_positions(IGEL, parse_options(IGEL, SMALLEST)))


@pytest.fixture(scope="session")
def hooop_corner():
    """Hooop! on the smallest board, solved: one frog a player, no cards."""
    options = parse_options(HOOOP, {"board": "square3", "frogs": 1, "cards": False})
    return solve(find_positions(HOOOP, options))
