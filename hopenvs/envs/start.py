"""Beginning anywhere: what `reset(options=...)` may hold, the same for every face."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from hopenvs.core import state
from hopenvs.core.errors import PositionError
from hopenvs.core.position import read_position
from hopenvs.core.record import GameRecord
from hopenvs.core.state import NOT_CHOSEN
from hopenvs.core.walk import Walk

if TYPE_CHECKING:
    from hopenvs.core.batch import Batch


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
    if position is not None:
        given = state.new_states(1, batch.states.dtype)
        read_position(batch.game, batch.options, position, state.people_view(given))
    elif record is not None:
        walk = Walk(batch.game, batch.options)
        GameRecord.of(record).replay(walk)
        if walk.is_chance:
            raise PositionError("the record ends at a chance point: expected a decision or the end of a game")
        given = state.copy_states(walk.states)
    else:
        return None
    given["pending"] = NOT_CHOSEN
    return given
