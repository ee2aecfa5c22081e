"""Hexx & Hopp: 2 to 5 players, all at once (README.md beside this file has the rules)."""

import math
import sys
from collections.abc import Sequence
from typing import Any

from hopenvs.core.game import Spec
from hopenvs.core.jit import plain_twin
from hopenvs.core.position import write_position
from hopenvs.core.state import SIMULTANEOUS
from hopenvs.games.hexx_hopp.codec import (
    action_name,
    catalogue,
    describe,
    outcome_name,
    parse_action,
    told_outcome,
)
from hopenvs.games.hexx_hopp.observation import evaluate, observe, resample_hidden, sections
from hopenvs.games.hexx_hopp.options import MAX_PLAYERS, OPTIONS, Options, check_options, complete_options
from hopenvs.games.hexx_hopp.position import from_position, to_position
from hopenvs.games.hexx_hopp.rules import (
    FIELDS,
    action_mask,
    apply_chance,
    apply_joint,
    key,
    num_outcomes,
    outcome_weight,
    result,
    setup,
    tiles_each,
)
from hopenvs.games.hexx_hopp.tiles import TILES

ID = "hexx_hopp"
VERSION = 0


def spec(o: Options) -> Spec:
    """The facts under these options."""
    return Spec(
        num_players=o.players,
        num_actions=len(catalogue(o)),
        sections=sections(o),
        record_seats=MAX_PLAYERS,
        simultaneous=True,
        perfect_information=False,
        score_range=(-o.rounds * o.players * plain_twin(tiles_each)(o), 0),
        max_outcomes=max(len(TILES), math.factorial(o.players)),
        max_decisions=o.rounds * o.max_ticks,
    )


def fields(o: Options) -> list[tuple[Any, ...]]:
    """The record's fields: the same for every number of players, so that all ids share one compiled kernel."""
    return FIELDS


def scene(o: Options, s: Any, seat: int | None = None, last: Sequence[str] = ()) -> Any:
    """The picture of a position; with `seat`, without what that seat can't know."""
    from hopenvs.games.hexx_hopp.draw import draw_position  # not needed to play

    game: Any = sys.modules[__name__]
    legal: list[str] = []
    if s.current_player == SIMULTANEOUS and seat is not None:
        mask = [0] * spec(o).num_actions
        plain_twin(action_mask)(o, s, seat, mask)
        legal = [action_name(o, action) for action, is_legal in enumerate(mask) if is_legal]
    return draw_position(write_position(game, o, s), last, seat, legal)
