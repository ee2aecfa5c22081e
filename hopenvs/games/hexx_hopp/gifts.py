"""Gifts as tables (HX-9, HX-10): how many tiles go to left1, left2, ..., for every number of players."""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

from hopenvs.games.hexx_hopp.options import MAX_PLAYERS

MOST_GIVEN = 6
GIFT_FOR = np.array([0, 0, 0, 2, 4, 6, 0], np.int16)  # [contacts] HX-9; six win instead


def ways(players: int) -> list[tuple[int, ...]]:
    """Every gift of at most MOST_GIVEN tiles: by its sum, then lexicographically."""
    counts = product(range(MOST_GIVEN + 1), repeat=players - 1)
    return sorted((way for way in counts if sum(way) <= MOST_GIVEN), key=lambda way: (sum(way), way))


WAYS = {players: ways(players) for players in range(2, MAX_PLAYERS + 1)}
MOST_WAYS = max(map(len, WAYS.values()))


def _given() -> NDArray[np.int8]:
    """[players, way, k] how many tiles the seat k + 1 to the left gets."""
    table = np.zeros((MAX_PLAYERS + 1, MOST_WAYS, MAX_PLAYERS - 1), np.int8)
    for players, gifts in WAYS.items():
        table[players, : len(gifts), : players - 1] = gifts
    return table


def _first_way() -> NDArray[np.int16]:
    """[players, sum] the first way that gives so many tiles; one sum more ends the last."""
    table = np.zeros((MAX_PLAYERS + 1, MOST_GIVEN + 2), np.int16)
    for players, gifts in WAYS.items():
        for total in range(MOST_GIVEN + 2):
            table[players, total] = sum(sum(way) < total for way in gifts)
    return table


GIVEN = _given()
FIRST_WAY = _first_way()
