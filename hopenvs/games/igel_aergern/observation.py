"""What a seat sees, and what a position is worth to it."""

from __future__ import annotations

from typing import Any

from hopenvs.core.game import Section
from hopenvs.core.jit import rule
from hopenvs.core.state import relative
from hopenvs.games.igel_aergern.options import MAX_PIECES
from hopenvs.games.igel_aergern.rules import (
    FORWARD,
    NONE,
    PLACE,
    SIDESTEP,
    can_step,
    is_on_top,
    may_leave,
    owner,
    rearmost_column,
)


def sections(o: Any) -> tuple[Section, ...]:
    """The layout of the observation; seats are counted from the observer, clockwise (C-10)."""
    seats, tracks, columns = o.players, o.tracks, o.columns
    fields = (tracks, columns)
    return (
        Section("pieces", (seats, *fields), 0, MAX_PIECES, "How many pieces of a seat lie on a field."),
        Section("free", (seats, *fields), 0, 1, "1 where a seat's piece is on top and free to move (IA-6, IA-7)."),
        Section(
            "levels", (*fields, seats * o.pieces), 0, seats,
            "Each stack from the top down: 1 + the owner's seat counted from the observer, 0 beyond the lowest piece.",
        ),
        Section("in_hand", (seats,), 0, MAX_PIECES, "Pieces of a seat still to be placed."),
        Section("die", (tracks,), 0, 1, "1 at the rolled track, all 0 before the race."),
        Section("phase", (3,), 0, 1, "1 at the phase: place, sidestep, forward; all 0 when the game is over."),
        Section("to_play", (seats,), 0, 1, "1 at the seat to play, counted from the observer; all 0 when over."),
    )  # fmt: skip


@rule
def observe(o: Any, s: Any, seat: int, obs: Any) -> None:
    """Write the sections in order; `obs` [D]."""
    players = o.players  # copied: every store to `obs` would make the compiler read the options again
    columns = o.columns
    fields = o.tracks * columns
    depth = players * o.pieces
    free_at = players * fields
    levels_at = 2 * players * fields
    rear = rearmost_column(s)
    for other in range(players):
        viewed = relative(players, seat, other)
        for piece in range(MAX_PIECES * other, MAX_PIECES * other + o.pieces):
            track = s.track[piece]
            if track == NONE:
                continue
            column = s.column[piece]
            field = track * columns + column
            top = s.top[track, column]
            obs[viewed * fields + field] += 1
            obs[levels_at + field * depth + s.under[top] - s.under[piece]] = 1 + viewed
            # `&`, where `and` would have to guess, half the time wrongly
            free = (top == piece) & may_leave(o, s, piece, track, column, rear)
            obs[free_at + viewed * fields + field] |= free
    n = levels_at + fields * depth
    for other in range(players):
        obs[n + relative(players, seat, other)] = s.in_hand[other]
    n += players
    if s.die > 0:
        obs[n + s.die - 1] = 1
    n += o.tracks
    if s.current_player >= 0:
        if s.phase == PLACE:
            obs[n] = 1
        elif s.phase == SIDESTEP:
            obs[n + 1] = 1
        elif s.phase == FORWARD:
            obs[n + 2] = 1
        obs[n + 3 + relative(players, seat, s.current_player)] = 1


@rule
def resample_hidden(o: Any, s: Any, seat: int, rng: Any) -> None:
    """Nothing is hidden in this game."""


# Weights of `evaluate`, in columns; found by playing thousands of games of one greedy player against another.
COVERED = 0.75  # a piece waits for every piece on top of it
PIT_AHEAD = 2.0  # anybody may push a piece into the pit before it
OWN_STEP = 1.0  # the die lets the seat step with a piece of its own


@rule
def evaluate(o: Any, s: Any, seat: int) -> float:
    """The lead of the seat's pieces over those of the best other seat, in columns.

    A piece is worth its column, one that a pit holds the rearmost column (IA-7: it waits for whoever stands there);
    less COVERED for every piece on top of it, and PIT_AHEAD if the next field is a pit that would hold it. All pieces
    of a seat count: which of them will be the last to be needed shows late. A seat about to step adds OWN_STEP if it
    can step with a piece of its own.
    """
    own = 0.0
    best_other = -1.0e9
    for other in range(o.players):
        value = progress(o, s, other)
        if other == seat:
            own = value
        elif value > best_other:
            best_other = value
    return own - best_other


@rule
def progress(o: Any, s: Any, seat: int) -> float:
    """The worth of a seat's pieces."""
    total = 0.0
    own_step = 0.0
    rear = rearmost_column(s)
    stepping = s.current_player == seat and s.phase == FORWARD
    for top in range(MAX_PIECES * o.players):
        if not is_on_top(s, top):
            continue
        track = s.track[top]
        column = s.column[top]
        if stepping and track == s.die - 1 and owner(top) == seat and can_step(o, s, track, column, rear):
            own_step = OWN_STEP
        in_goal = column == o.columns - 1
        value = float(column)
        if not in_goal and not may_leave(o, s, top, track, column, rear):
            value = float(rear)
        elif column + 1 == o.pits[track] and (rear < column or s.in_column[rear] > 1):  # others would be behind it
            value -= PIT_AHEAD
        piece = top
        while piece != NONE:
            if owner(piece) == seat:
                total += value
            if not in_goal:
                value -= COVERED
            piece = s.below[piece]
    return total + own_step
