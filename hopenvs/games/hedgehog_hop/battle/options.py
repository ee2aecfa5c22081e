"""Options of Dance Battle Royale (HH-40, HH-53)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from hopenvs.core.errors import OptionError
from hopenvs.core.options import Option

MIN_PLAYERS, MAX_PLAYERS = 3, 6
NO_CAP = 2**31 - 1

OPTIONS: tuple[Option, ...] = (
    Option("players", MIN_PLAYERS, "How many play.", MIN_PLAYERS, MAX_PLAYERS, clause="HH-40"),
    Option(
        "max_turns", None, "Turns until truncation, with 3 players (150); with more the length is fixed.", 1, NO_CAP,
        in_position=False, clause="HH-53",
    ),
)  # fmt: skip


class Options(NamedTuple):
    """The options as the rules read them."""

    players: int = MIN_PLAYERS
    max_turns: int = 150


def complete_options(codes: Mapping[str, Any]) -> dict[str, Any]:
    """Derive `max_turns` (HH-53).

    Raises:
        OptionError: if it is given with more than three players.
    """
    completed = dict(codes)
    if completed["players"] == MIN_PLAYERS:
        if completed["max_turns"] is None:
            completed["max_turns"] = 150
    elif completed["max_turns"] is None:
        completed["max_turns"] = NO_CAP
    else:
        raise OptionError(
            f"option max_turns={completed['max_turns']} with players={completed['players']}: "
            "only the game for 3 has a cap, the others have a fixed number of rounds"
        )
    return completed


def check_options(o: Options) -> None:
    """Every combination that `complete_options` lets pass is possible."""
