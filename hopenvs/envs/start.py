"""Beginning anywhere: what `reset(options=...)` may hold, the same for every face."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from hopenvs.core import state
from hopenvs.core.errors import PositionError, RecordError
from hopenvs.core.options import parse_options
from hopenvs.core.record import GameRecord
from hopenvs.core.state import NOT_CHOSEN
from hopenvs.core.walk import Walk

if TYPE_CHECKING:
    from hopenvs.core.batch import Batch

FACE_OPTIONS = ("reward", "illegal", "family")  # in a header's options, but none of the rules'


def given_start(batch: Batch, options: Mapping[str, Any] | None) -> np.ndarray | None:
    """The record [1] that a reset's `position` or `record` stands for, or None if it has neither; nothing is changed.

    Args:
        batch: the games it is for.
        options: of `reset`; keys other than these two are somebody else's.

    Raises:
        PositionError: for a malformed or impossible position, or a record that ends at a chance point.
        RecordError: for a record that doesn't replay.
        ValueError: if there are both.
    """
    position, record = (options or {}).get("position"), (options or {}).get("record")
    if position is not None and record is not None:
        raise ValueError('reset options: expected "position" or "record", not both')
    if position is None and record is None:
        return None
    walk = Walk(batch.game, batch.options)
    if position is not None:
        walk.start_from(position)
    else:
        read = GameRecord.of(record)
        _check_rules(batch, read)
        read.replay(walk)
        if walk.is_chance:
            raise PositionError("the record ends at a chance point: expected a decision or the end of a game")
    given = state.copy_states(walk.states)
    given["pending"] = NOT_CHOSEN
    return given


def _check_rules(batch: Batch, record: GameRecord) -> None:
    """Refuse a record of other rules: its header lists every option that isn't the game's default (C-13)."""
    stated = {k: v for k, v in record.header["options"].items() if k not in FACE_OPTIONS}
    options = parse_options(batch.game, {**stated, "players": record.header["players"]})
    for option in batch.game.OPTIONS:
        there, here = (option.decode(getattr(o, option.name)) for o in (options, batch.options))
        if there != here:
            raise RecordError(f"the record is of a game with {option.name}={there!r}: this environment has {here!r}")
