"""What a seat sees, and what a position is worth to it."""

from __future__ import annotations

from typing import Any

from hopenvs.core.game import Section
from hopenvs.core.jit import rule
from hopenvs.games.igel_aergern.options import MAX_PIECES
from hopenvs.games.igel_aergern.rules import (
    FORWARD,
    NONE,
    PLACE,
    SIDESTEP,
    is_free,
    is_on_top,
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
        for top in range(MAX_PIECES * other, MAX_PIECES * other + o.pieces):
            track = s.track[top]
            if track == NONE:
                continue
            column = s.column[top]
            field = track * columns + column
            obs[viewed * fields + field] += 1
            if s.top[track, column] != top:
                continue
            if is_free(o, s, track, column, rear):
                obs[free_at + viewed * fields + field] = 1
            cell = levels_at + field * depth
            piece = top
            while piece != NONE:
                obs[cell] = 1 + relative(players, seat, owner(piece))
                cell += 1
                piece = s.below[piece]
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
def relative(players: int, seat: int, other: int) -> int:
    """`other` counted clockwise from `seat`."""
    return other - seat if other >= seat else other - seat + players


@rule
def resample_hidden(o: Any, s: Any, seat: int, rng: Any) -> None:
    """Nothing is hidden in this game."""


# Weights of `evaluate`, in columns: what is the worth of a field, seen from the piece that lies there.
PIT_DELAY = 1.5  # an active pit holds its piece until the rearmost piece has passed
GOAL_BONUS = 2.0  # a piece in the goal is out of everybody's reach
COVER_DELAY = 0.75  # a piece waits for every piece on top of it


@rule
def evaluate(o: Any, s: Any, seat: int) -> float:
    """The lead of the seat's best `goal_count` pieces over the best opponent's, in columns.

    A piece counts the columns it has come; it loses COVER_DELAY for each piece above it and PIT_DELAY on an active pit.
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
    """The worth of the best `goal_count` pieces of a seat."""
    first = 0.0
    second = 0.0
    third = 0.0
    fourth = 0.0
    rear = rearmost_column(s)
    for top in range(MAX_PIECES * o.players):
        if not is_on_top(s, top):
            continue
        column = s.column[top]
        held = column == o.pits[s.track[top]] and rear < column
        value = float(column)
        if column == o.columns - 1:
            value += GOAL_BONUS
        elif held:
            value -= PIT_DELAY
        piece = top
        while piece != NONE:
            if owner(piece) == seat:
                if value > first:
                    fourth = third
                    third = second
                    second = first
                    first = value
                elif value > second:
                    fourth = third
                    third = second
                    second = value
                elif value > third:
                    fourth = third
                    third = value
                elif value > fourth:
                    fourth = value
            if column < o.columns - 1:
                value -= COVER_DELAY
            piece = s.below[piece]
    total = first + second
    if o.goal_count > 2:
        total += third
    if o.goal_count > 3:
        total += fourth
    return total
