"""The header that every state record shares, and what the core does to it: the cap, results, payoffs, forfeits.

A state is one NumPy record: the header below, then the game's own fields. Copy is one assignment, saving is its
bytes, equality of bytes is the same game in progress (generator included).
"""

from __future__ import annotations

import enum
import functools
from typing import Any

import numpy as np

from hopenvs.core import plain
from hopenvs.core.jit import rule

# What stands in `current_player` instead of a seat (the sentinels of OpenSpiel).
CHANCE = -1
SIMULTANEOUS = -2
TERMINAL = -4

# What stands in `truncated`.
NOT_TRUNCATED = 0
BY_MAX_TURNS = 1  # the rules' safety cap (C-8)
BY_STEP_LIMIT = 2  # a face's limit on decisions (max_cycles, max_episode_steps)

NOT_CHOSEN = -1  # in `pending`
GENERATOR_BYTES = 16


class Payoff(enum.IntEnum):
    """How a finished game pays (C-7)."""

    WIN = 0
    RANK = 1
    SCORE = 2


def header(seats: int) -> list[tuple[Any, ...]]:
    """The fields every record begins with; `seats` is how many seats it has room for."""
    return [
        ("rng", np.uint32, (4,)),  # the generator: first, so that the body is the bytes after it
        ("rewards", np.float64, (seats,)),  # paid at the end, 0 before (C-7)
        ("turn", np.int32),  # completed turns (C-6)
        ("plies", np.int32),  # decisions taken so far; a tick of a simultaneous game is one
        ("scores", np.int32, (seats,)),  # 0 until the end
        ("pending", np.int16, (seats,)),  # a tick's choices so far where seats are asked one by one; NOT_CHOSEN
        ("ranks", np.int8, (seats,)),  # 0 until the end
        ("winners", np.int8, (seats,)),  # 1 for a winner
        ("current_player", np.int8),  # a seat, CHANCE, SIMULTANEOUS or TERMINAL
        ("truncated", np.int8),
        ("forfeit", np.int8),  # 1 + the seat that forfeited, 0 if nobody did
    ]


def state_dtype(seats: int, fields: list[tuple[Any, ...]]) -> np.dtype:
    """The record's dtype: header and a game's fields, aligned; one object for the same fields."""
    return _state_dtype(seats, tuple(fields))


@functools.cache
def _state_dtype(seats: int, fields: tuple[tuple[Any, ...], ...]) -> np.dtype:
    return without_gaps(np.dtype([*header(seats), *fields], align=True))


def without_gaps(dtype: np.dtype) -> np.dtype:
    """An aligned dtype whose every byte belongs to a field.

    NumPy copies a record field by field: bytes between fields would be left to chance, and equal games would differ.
    """
    fields: list[tuple[str, Any]] = []
    end = 0
    for name in (*(dtype.names or ()), None):
        field, offset = dtype.fields[name][:2] if name else (None, dtype.itemsize)  # type: ignore[index]
        if offset > end:
            fields.append((f"unused_{end}", np.dtype((np.int8, (offset - end,)))))
        if field is not None and name is not None:
            base, shape = field.subdtype or (field, ())
            fields.append((name, np.dtype((without_gaps(base), shape)) if base.names else field))
            end = offset + field.itemsize
    return np.dtype(fields, align=True)


def new_states(n: int, dtype: np.dtype) -> np.ndarray:
    """[n] blank records."""
    return np.zeros(n, dtype)


def copy_states(states: np.ndarray) -> np.ndarray:
    """[n] records, copied as bytes: NumPy would copy them field by field."""
    return states.view(np.uint8).copy().view(states.dtype)


def body(states: np.ndarray) -> np.ndarray:
    """[N, bytes] uint8: the records without their generators (a view)."""
    return states.view(np.uint8).reshape(len(states), -1)[:, GENERATOR_BYTES:]


def people_view(states: np.ndarray, row: int = 0) -> Any:
    """Row `row` as plain Python reads and writes it: attributes are ints and memoryviews over the same bytes."""
    return plain.wrap(states[row : row + 1])[0]


@rule
def finish_turn(o: Any, s: Any) -> bool:
    """Count a completed turn; True if it was the last one allowed (C-8): the state is then left as it is."""
    s.turn += 1
    if s.turn >= o.max_turns:
        s.current_player = TERMINAL
        s.truncated = BY_MAX_TURNS
        return True
    return False


@rule
def forget_choices(s: Any) -> None:
    """No seat has chosen yet in the tick to come."""
    for seat in range(len(s.pending)):
        s.pending[seat] = NOT_CHOSEN


@rule
def relative(players: int, seat: int, other: int) -> int:
    """`other` counted clockwise from `seat`."""
    return other - seat if other >= seat else other - seat + players


@rule
def rank_by(players: int, strength: Any, ranks: Any) -> None:
    """Competition ranks 1, 2, 2, 4 (C-12): one more than the number of seats with a greater `strength` [P]."""
    for seat in range(players):
        better = 0
        for other in range(players):
            if strength[other] > strength[seat]:
                better += 1
        ranks[seat] = 1 + better


@rule
def pay(players: int, s: Any, payoff: int) -> None:
    """Fill `rewards` from winners, ranks and scores of a finished game (C-7)."""
    for seat in range(players):
        s.rewards[seat] = 0.0
    if s.truncated != NOT_TRUNCATED:
        return
    if payoff == 0:  # Payoff.WIN: n / (n - 1) * (share - 1 / n), written so that it rounds once
        count = 0
        for seat in range(players):
            count += s.winners[seat]
        if count == 0:
            return
        for seat in range(players):
            if s.winners[seat]:
                s.rewards[seat] = (players - count) / (count * (players - 1))
            else:
                s.rewards[seat] = -1.0 / (players - 1)
    elif payoff == 1:  # Payoff.RANK
        for seat in range(players):
            tied = 0
            for other in range(players):
                if s.ranks[other] == s.ranks[seat]:
                    tied += 1
            place = 2 * (s.ranks[seat] - 1) + tied - 1  # twice the mean place, from 0
            s.rewards[seat] = (players - 1 - place) / (players - 1)
    else:  # Payoff.SCORE
        total = 0
        for seat in range(players):
            total += s.scores[seat]
        for seat in range(players):
            s.rewards[seat] = (players * s.scores[seat] - total) / (players - 1)


@rule
def give_up(players: int, s: Any, offender: int) -> None:
    """Ranks, winners and rewards of a game that ended by an illegal action of `offender` (C-11)."""
    for seat in range(players):
        s.ranks[seat] = 1
        s.winners[seat] = 1
        s.rewards[seat] = 1.0 / (players - 1)
    s.ranks[offender] = players
    s.winners[offender] = 0
    s.rewards[offender] = -1.0
