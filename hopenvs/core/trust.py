"""Whether bytes from outside are a state of a game: rules trust their record, so nothing else may reach them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hopenvs.core import state
from hopenvs.core.jit import plain_twin
from hopenvs.core.kernels import FORFEIT
from hopenvs.core.position import read_position, write_position
from hopenvs.core.state import BY_STEP_LIMIT, NOT_CHOSEN, SIMULTANEOUS, TERMINAL

if TYPE_CHECKING:
    from hopenvs.core.batch import Batch

HEADER = tuple(name for name, *_ in state.header(1))
PAID_AT_THE_END = ("rewards", "scores", "ranks", "winners")


def check_record(batch: Batch, records: np.ndarray) -> None:
    """Refuse a record [1] that is no state of the batch's game; the batch isn't touched.

    A record is accepted if its position can be set up, and the record so made is the same: field by field (but for
    those in which the game calls like pieces by other numbers, `INTERCHANGEABLE`), in its key, in every seat's mask and
    observation. An ended one is only looked at, never played on.

    Raises:
        ValueError: saying what contradicts what.
    """
    game, options = batch.game, batch.options
    record = state.people_view(records)
    try:
        _check_header(batch, record)
        position = write_position(game, options, record)
        looks = _look(batch, record)
        _check_choices(batch, record, looks)
        if record.forfeit or record.truncated == BY_STEP_LIMIT:
            return
        scratch = state.new_states(1, records.dtype)
        read_position(game, options, position, state.people_view(scratch))
        again = write_position(game, options, state.people_view(scratch))
        if again != position:
            raise ValueError(f"it reads as {position}, which is set up as {again}")
        if _look(batch, state.people_view(scratch)) != looks:
            raise ValueError("a seat sees something else than its position shows")
        if record.current_player != TERMINAL:
            _compare(batch, records, scratch)
    except (IndexError, KeyError, OverflowError, ValueError) as error:
        raise ValueError(f"no state of {game.ID} under these options: {error}") from None


def _check_header(batch: Batch, s: Any) -> None:
    """Every field of the header within what play can make of it."""
    spec = batch.spec
    players = spec.num_players
    current = s.current_player
    allowed = {TERMINAL, SIMULTANEOUS} if spec.simultaneous else {TERMINAL, *range(players)}
    if current not in allowed:
        raise ValueError(f"current_player {current}")
    if s.turn < 0 or s.plies < 0 or not 0 <= s.forfeit <= players or not 0 <= s.truncated <= BY_STEP_LIMIT:
        raise ValueError("a counter or flag of the header is out of range")
    if (s.forfeit or s.truncated) and current != TERMINAL:
        raise ValueError("it has ended and has not")
    for seat in range(len(s.pending)):
        choice = s.pending[seat]
        free = not spec.simultaneous or seat >= players
        if choice != NOT_CHOSEN and (free or not 0 <= choice <= spec.num_actions):
            raise ValueError(f"pending choice {choice} of seat {seat}")
    for name in PAID_AT_THE_END:
        if any(getattr(s, name)[0 if current != TERMINAL else players :]):
            raise ValueError(f"{name} before the end, or of a seat that doesn't play")


def _check_choices(batch: Batch, s: Any, looks: list[bytes]) -> None:
    """The choices of a tick under way must be legal, unless illegal ones forfeit; one seat at least is still asked."""
    if s.current_player != SIMULTANEOUS:
        return
    seats = range(batch.spec.num_players)
    if all(s.pending[seat] != NOT_CHOSEN for seat in seats):
        raise ValueError("no pending choice is left to make")
    for seat in seats:
        choice, mask = s.pending[seat], looks[2 * seat + 1]
        if choice != NOT_CHOSEN and not batch.settings[FORFEIT] and not (choice < len(mask) and mask[choice]):
            raise ValueError(f"pending choice {choice} of seat {seat} is illegal")


def _look(batch: Batch, s: Any) -> list[bytes]:
    """Every seat's mask and observation, in plain Python, which stops at the first index out of bounds."""
    game, options, spec = batch.game, batch.options, batch.spec
    seen = []
    for seat in range(spec.num_players):
        obs, mask = np.zeros(spec.observation_size, np.int8), np.zeros(spec.num_actions, np.int8)
        plain_twin(game.observe)(options, s, seat, obs.data)
        if s.current_player in (seat, SIMULTANEOUS):
            plain_twin(game.action_mask)(options, s, seat, mask.data)
        seen += [obs.tobytes(), mask.tobytes()]
    return seen


def _compare(batch: Batch, records: np.ndarray, scratch: np.ndarray) -> None:
    """The game's own fields, and the key."""
    game, options = batch.game, batch.options
    interchangeable = getattr(game, "INTERCHANGEABLE", ())
    for name in records.dtype.names or ():
        if name not in HEADER and name not in interchangeable and not np.array_equal(records[name], scratch[name]):
            raise ValueError(
                f"field {name} is {records[name][0].tolist()}, by its position {scratch[name][0].tolist()}"
            )
    keys = []
    for states in (records, scratch):
        key = np.zeros(2 * states.dtype.itemsize + 64, np.uint8)
        length = plain_twin(game.key)(options, state.people_view(states), key.data)
        keys.append(key[:length].tobytes())
    if keys[0] != keys[1]:
        raise ValueError("its key isn't that of its position")
