"""Options of Hooop! (HO-1, HO-2, HO-19 to HO-21)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from hopenvs.core.errors import OptionError
from hopenvs.core.options import Option

MAX_PLAYERS = 4
MAX_FROGS = 3  # a player

BOARDS = ("square5", "triangle5", "triangle6", "square3")
SQUARE5, TRIANGLE5, TRIANGLE6, SQUARE3 = range(4)
BOARDS_FOR = {2: (SQUARE5, SQUARE3), 3: (TRIANGLE5, TRIANGLE6), 4: (SQUARE5,)}  # the first is the default

OPTIONS: tuple[Option, ...] = (
    Option("players", 2, "How many play.", 2, MAX_PLAYERS, clause="HO-1, HO-2"),
    Option(
        "board", None, "square5 with 2 and 4 players, triangle5 with 3; triangle6 is larger, square3 for study.",
        choices=BOARDS, in_position=False, clause="HO-1, HO-2, HO-21",
    ),
    Option("cards", True, "Every player has four cards.", clause="HO-4, HO-20"),
    Option("frogs", MAX_FROGS, "Frogs a player; fewer than 3 only with 2 players.", 1, MAX_FROGS, clause="HO-21"),
    Option("max_turns", 2000, "Turns until truncation.", 1, 2**31 - 1, in_position=False, clause="HO-19"),
)  # fmt: skip


class Options(NamedTuple):
    """The options as the rules read them."""

    players: int = 2
    board: int = SQUARE5
    cards: int = 1
    frogs: int = MAX_FROGS
    max_turns: int = 2000


def complete_options(codes: Mapping[str, Any]) -> dict[str, Any]:
    """Derive `board` where it is None (HO-1, HO-2)."""
    completed = dict(codes)
    if completed["board"] is None:
        completed["board"] = BOARDS_FOR[completed["players"]][0]
    return completed


def check_options(o: Options) -> None:
    """Refuse a board for another number of players (HO-2), and fewer frogs but for two (HO-21)."""
    if o.board not in BOARDS_FOR[o.players]:
        boards = " or ".join(repr(BOARDS[board]) for board in BOARDS_FOR[o.players])
        raise OptionError(f"option board={BOARDS[o.board]!r}: expected {boards} with players={o.players}")
    if o.frogs != MAX_FROGS and o.players != 2:
        raise OptionError(f"option frogs={o.frogs}: expected {MAX_FROGS} with players={o.players}")
