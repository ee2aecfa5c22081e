"""Igel Ärgern: 2 to 6 players, a die, perfect information (README.md beside this file has the rules by clause)."""

import sys
from collections.abc import Sequence
from typing import Any

from hopenvs.core.game import Spec
from hopenvs.core.position import write_position
from hopenvs.games.igel_aergern.codec import action_name, catalogue, describe, outcome_name, parse_action
from hopenvs.games.igel_aergern.observation import evaluate, observe, resample_hidden, sections
from hopenvs.games.igel_aergern.options import (
    MAX_PLAYERS,
    OPTIONS,
    Options,
    check_options,
    complete_options,
)
from hopenvs.games.igel_aergern.position import from_position, to_position
from hopenvs.games.igel_aergern.rules import (
    FIELDS,
    INTERCHANGEABLE,
    action_mask,
    apply,
    apply_chance,
    key,
    num_outcomes,
    outcome_weight,
    result,
    setup,
)

ID = "igel_aergern"
VERSION = 0


def spec(o: Options) -> Spec:
    """The facts under these options."""
    return Spec(
        num_players=o.players,
        num_actions=len(catalogue(o)),
        sections=sections(o),
        record_seats=MAX_PLAYERS,
        score_range=(0, o.goal_count),
        max_turns=o.max_turns,
        max_outcomes=o.tracks,
        max_decisions=o.players * o.pieces + 2 * o.max_turns,  # placements; a sidestep and a step a turn
    )


def fields(o: Options) -> list[tuple[Any, ...]]:
    """The record's fields: the same for every number of players, so that all ids share one compiled kernel."""
    return FIELDS


def scene(o: Options, s: Any, seat: int | None = None, last: Sequence[str] = ()) -> Any:
    """The picture of a position; nothing is hidden in this game."""
    from hopenvs.games.igel_aergern.draw import draw_position  # not needed to play

    return draw_position(write_position(sys.modules[__name__], o, s), last, seat)
