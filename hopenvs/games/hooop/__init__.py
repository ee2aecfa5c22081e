"""Hooop!: 2 to 4 players, no chance, perfect information (README.md beside this file has the rules by clause)."""

import sys
from collections.abc import Sequence
from typing import Any

from hopenvs.core.game import Spec, legal_moves
from hopenvs.core.position import write_position
from hopenvs.games.hooop.codec import (
    absolute_name,
    action_name,
    board_of,
    catalogue,
    describe,
    outcome_name,
    parse_action,
    told_action,
)
from hopenvs.games.hooop.moves import action_mask
from hopenvs.games.hooop.observation import evaluate, observe, resample_hidden, sections
from hopenvs.games.hooop.options import MAX_PLAYERS, OPTIONS, Options, check_options, complete_options
from hopenvs.games.hooop.position import from_position, to_position
from hopenvs.games.hooop.rules import (
    apply,
    apply_chance,
    key,
    num_outcomes,
    outcome_weight,
    result,
    setup,
)
from hopenvs.games.hooop.table import FIELDS, INTERCHANGEABLE

ID = "hooop"
VERSION = 0


def spec(o: Options) -> Spec:
    """The facts under these options."""
    return Spec(
        num_players=o.players,
        num_actions=len(catalogue(o)),
        sections=sections(o),
        record_seats=MAX_PLAYERS,
        has_chance=False,
        score_range=(0, o.frogs),
        max_turns=o.max_turns,
        max_outcomes=0,
        # a turn: jumps that take a bridge away each, one that takes none, two into a home, or an end without a card
        max_decisions=(len(board_of(o).edges) + 4) * o.max_turns,
    )


def fields(o: Options) -> list[tuple[Any, ...]]:
    """The record's fields: the same for every number of players, so that all ids share one compiled kernel."""
    return FIELDS


def scene(o: Options, s: Any, seat: int | None = None, last: Sequence[str] = ()) -> Any:
    """The picture of a position; with `seat`, turned to that seat's view (HO-0), and `last` in the names of that view.

    Nothing is hidden in this game.
    """
    from hopenvs.games.hooop.draw import draw_position  # not needed to play

    game: Any = sys.modules[__name__]
    if seat is not None:
        last = [absolute_name(o, seat, name) for name in last]
    return draw_position(write_position(game, o, s), last, seat, legal_moves(game, o, s))
