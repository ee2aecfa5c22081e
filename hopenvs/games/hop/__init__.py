"""HOP!: 3 to 6 players, throws as chance, hidden bets and clouds (README.md beside this file has the rules)."""

import sys
from collections.abc import Sequence
from typing import Any

from hopenvs.core.game import Spec, legal_moves
from hopenvs.core.position import write_position
from hopenvs.games.hop.codec import (
    action_name,
    catalogue,
    describe,
    outcome_name,
    parse_action,
    told_action,
    told_outcome,
)
from hopenvs.games.hop.dares import DARES
from hopenvs.games.hop.observation import evaluate, observe, resample_hidden, sections
from hopenvs.games.hop.options import EXTERNAL, MAX_PLAYERS, OPTIONS, Options, check_options, complete_options
from hopenvs.games.hop.position import from_position, to_position
from hopenvs.games.hop.rules import (
    CLOUD_VALUES,
    CLOUDS_EACH,
    FIELDS,
    SKILL_OUTCOMES,
    TOP,
    action_mask,
    apply,
    apply_chance,
    decided_outside,
    key,
    num_outcomes,
    outcome_weight,
    result,
    setup,
)

ID = "hop"
VERSION = 0


def spec(o: Options) -> Spec:
    """The facts under these options."""
    return Spec(
        num_players=o.players,
        num_actions=len(catalogue(o)),
        sections=sections(o),
        record_seats=MAX_PLAYERS,
        perfect_information=False,
        outside_chance=o.throws == EXTERNAL,
        score_range=(0, TOP + CLOUDS_EACH * (1 + 2)),
        max_turns=o.max_turns,
        max_outcomes=max(len(o.dares.dares), CLOUD_VALUES * CLOUDS_EACH, SKILL_OUTCOMES),
        # the skewerer is chosen, all others are named helpers or bet; a turn costs a balloon or climbs (HP-16)
        max_decisions=(o.players - 1) * min(o.max_turns, 9 * o.players + 1),
    )


def fields(o: Options) -> list[tuple[Any, ...]]:
    """The record's fields: the same for every number of players, so that all ids share one compiled kernel."""
    return FIELDS


def scene(o: Options, s: Any, seat: int | None = None, last: Sequence[str] = ()) -> Any:
    """The picture of a position; with `seat`, without what that seat can't know."""
    from hopenvs.games.hop.draw import draw_position  # not needed to play

    game: Any = sys.modules[__name__]
    position = write_position(game, o, s)
    if o.dares.dares != DARES:
        position["dares"] = [dare.as_dict() for dare in o.dares.dares]  # also if only its words are
    return draw_position(position, last, seat, legal_moves(game, o, s))
