"""Options of Hexx & Hopp (HX-3, HX-12, HX-14)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from hopenvs.core.options import Option

MAX_PLAYERS: Final = 5
MIN_RADIUS: Final = 2  # the start figure reaches so far
MAX_RADIUS: Final = 10
MAX_TICKS: Final = 8_000  # two cells of the observation count no further
MAX_ROUNDS: Final = 100  # nor do they count more penalty points

OPTIONS: tuple[Option, ...] = (
    Option("players", 2, "How many play.", 2, MAX_PLAYERS, clause="HX-5"),
    Option("rounds", 10, "Rounds of a game.", 1, MAX_ROUNDS, clause="HX-14"),
    Option("table_radius", MAX_RADIUS, "How far the table reaches.", MIN_RADIUS, MAX_RADIUS, clause="HX-3"),
    Option("max_ticks", 300, "Ticks after which a round ends without a winner.", 1, MAX_TICKS, clause="HX-12"),
)


class Options(NamedTuple):
    """The options as the rules read them."""

    players: int = 2
    rounds: int = 10
    table_radius: int = MAX_RADIUS
    max_ticks: int = 300


def complete_options(codes: Mapping[str, Any]) -> dict[str, Any]:
    """Nothing follows from anything."""
    return dict(codes)


def check_options(o: Options) -> None:
    """Everything goes with everything."""
