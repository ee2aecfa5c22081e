"""The rules of Igel Ärgern, compiled. Clauses are those of README.md beside this file.

A stack is a chain of pieces: `top[t, c]` is the piece on top of the field on track t, column c, `below[p]` the piece
under p, NONE where there is none; `track[p]` and `column[p]` say where p lies. Moving a piece touches two fields, and
what a seat may do is found by looking at its pieces, not at the board. Pieces 4k .. 4k+3 belong to seat k.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hopenvs.core.jit import rule
from hopenvs.core.state import CHANCE, TERMINAL, finish_turn, rank_by
from hopenvs.games.igel_aergern.options import MAX_COLUMNS, MAX_PIECES, MAX_PLAYERS, MAX_TRACKS, SETUP_RANDOM

NONE = -1

PLACE, ROLL, SIDESTEP, FORWARD = 0, 1, 2, 3  # phases; the die is rolled by chance

UP, DOWN = 0, 1  # a sidestep's direction: to the track with the lower or the higher number

FIELDS = [
    ("top", np.int8, (MAX_TRACKS, MAX_COLUMNS)),  # the piece on top of each field, or NONE
    ("below", np.int8, (MAX_PLAYERS * MAX_PIECES,)),  # the piece under each piece, or NONE
    ("under", np.int8, (MAX_PLAYERS * MAX_PIECES,)),  # how many pieces lie under each piece
    ("track", np.int8, (MAX_PLAYERS * MAX_PIECES,)),  # the track each piece lies on, NONE in hand or out of the game
    ("column", np.int8, (MAX_PLAYERS * MAX_PIECES,)),  # the column each piece lies in, NONE likewise
    ("in_column", np.int8, (MAX_COLUMNS,)),  # pieces in each column, over all tracks
    ("in_hand", np.int8, (MAX_PLAYERS,)),  # pieces not yet placed
    ("in_goal", np.int8, (MAX_PLAYERS,)),
    ("phase", np.int8),
    ("mover", np.int8),  # the seat whose turn it is, also while chance decides
    ("die", np.int8),  # 1 .. tracks, 0 before the race
    ("doped", np.int8),  # 1 + the owner of the piece that was taken out (IA-26), 0 if none was
]

INTERCHANGEABLE = ("top", "below", "under", "track", "column")  # pieces of one seat are alike: their numbers may differ


# ---- the action catalogue: place tracks | side (track, column, direction) | stay | step column -----------------------
@rule
def first_side(o: Any) -> int:
    """The index of the first sidestep."""
    return o.tracks


@rule
def stay(o: Any) -> int:
    """The index of `stay`."""
    return o.tracks + 2 * o.tracks * (o.columns - 1)


@rule
def first_step(o: Any) -> int:
    """The index of `step 0`."""
    return stay(o) + 1


@rule
def side_action(o: Any, track: int, column: int, direction: int) -> int:
    """The index of a sidestep."""
    return o.tracks + 2 * (track * (o.columns - 1) + column) + direction


# ---- fields and stacks ----------------------------------------------------------------------------------------------
@rule
def owner(piece: int) -> int:
    """The seat a piece belongs to."""
    return piece // MAX_PIECES


@rule
def height(s: Any, track: int, column: int) -> int:
    """How many pieces lie on a field."""
    piece = s.top[track, column]
    return 0 if piece == NONE else 1 + s.under[piece]


@rule
def put(s: Any, piece: int, track: int, column: int) -> None:
    """Lay a piece on top of a field."""
    s.below[piece] = s.top[track, column]
    s.under[piece] = height(s, track, column)
    s.top[track, column] = piece
    s.track[piece] = track
    s.column[piece] = column
    s.in_column[column] += 1


@rule
def take(s: Any, track: int, column: int) -> int:
    """Take the top piece off a field."""
    piece = s.top[track, column]
    s.top[track, column] = s.below[piece]
    s.below[piece] = NONE
    s.under[piece] = 0
    s.track[piece] = NONE
    s.column[piece] = NONE
    s.in_column[column] -= 1
    return piece


@rule
def is_on_top(s: Any, piece: int) -> bool:
    """Whether a piece lies on the board with nothing on it."""
    return s.track[piece] != NONE and s.top[s.track[piece], s.column[piece]] == piece


@rule
def rearmost_column(s: Any) -> int:
    """The lowest column in which any piece stands."""
    rear = MAX_COLUMNS
    for ahead in range(MAX_COLUMNS):
        column = MAX_COLUMNS - 1 - ahead
        rear = column if s.in_column[column] > 0 else rear
    return rear


@rule
def is_free(o: Any, s: Any, track: int, column: int, rear: int) -> bool:
    """IA-6: a piece lies on top of this field, which is not the goal, and no active pit holds it; `rear` as below."""
    piece = s.top[track, column]
    return piece != NONE and may_leave(o, s, piece, track, column, rear)


@rule
def may_leave(o: Any, s: Any, piece: int, track: int, column: int, rear: int) -> bool:
    """IA-6: whether the piece on top of a field is free: that isn't the goal, and no active pit holds it.

    IA-7: a pit is active while a piece stands in a lower column, that is, in `rear` (the rearmost column). IA-25: a
    shallow one holds the lowest piece alone.
    """
    active = (column == o.pits[track]) & (rear < column)
    holds = (o.shallow_pits == 0) | (s.below[piece] == NONE)
    return (column != o.columns - 1) & (not (active & holds))


@rule
def beside(o: Any, track: int, direction: int) -> int:
    """The track next to this one, or NONE (IA-8; IA-21: round the cylinder)."""
    to = track - 1 if direction == UP else track + 1
    if o.cylinder:
        return (to + o.tracks) % o.tracks
    return to if 0 <= to < o.tracks else NONE


# ---- what may be done -----------------------------------------------------------------------------------------------
@rule
def holds_own(s: Any, seat: int, track: int) -> bool:
    """Whether a start field's stack holds a piece of the seat's."""
    piece = s.top[track, 0]
    while piece != NONE:
        if owner(piece) == seat:
            return True
        piece = s.below[piece]
    return False


@rule
def placement_limit(o: Any, s: Any, seat: int) -> int:
    """IA-3: the greatest height of a stack the seat may place on.

    That is the lowest height there is, or any if every stack of that height already holds a piece of the seat's.
    """
    lowest = MAX_PLAYERS * MAX_PIECES
    all_own = True
    for track in range(o.tracks):
        pieces = height(s, track, 0)
        if pieces < lowest:
            lowest = pieces
            all_own = holds_own(s, seat, track)
        elif pieces == lowest:
            all_own = all_own and holds_own(s, seat, track)
    return MAX_PLAYERS * MAX_PIECES if all_own else lowest


@rule
def can_place(s: Any, seat: int, track: int, limit: int) -> bool:
    """IA-3, with the seat's `placement_limit`."""
    return height(s, track, 0) <= limit


@rule
def can_leave(o: Any, s: Any, piece: int, rear: int) -> bool:
    """Whether a piece is free (IA-6)."""
    return is_on_top(s, piece) and is_free(o, s, s.track[piece], s.column[piece], rear)


@rule
def sidestep_goal(o: Any, track: int, column: int, direction: int) -> int:
    """IA-8: the track that a sidestep from this field leads to, or NONE; IA-23: a pillar lets nothing in."""
    to = beside(o, track, direction)
    if to != NONE and o.pillars and column == o.pits[to]:
        return NONE
    return to


@rule
def sidestep_pieces(o: Any, seat: int) -> tuple[int, int]:
    """The pieces [first, last) a seat may sidestep with: its own (IA-8), or anybody's (IA-22)."""
    if o.anarchy:
        return 0, MAX_PIECES * o.players
    return MAX_PIECES * seat, MAX_PIECES * seat + o.pieces


@rule
def can_step(o: Any, s: Any, track: int, column: int, rear: int) -> bool:
    """IA-9: a free piece; IA-23: a pillar lets nothing in."""
    return is_free(o, s, track, column, rear) and not (o.pillars and column + 1 == o.pits[track])


@rule
def any_sidestep(o: Any, s: Any, seat: int) -> bool:
    """Whether the seat has a legal sidestep."""
    rear = rearmost_column(s)
    first, last = sidestep_pieces(o, seat)
    for piece in range(first, last):
        if can_leave(o, s, piece, rear):
            track = s.track[piece]
            column = s.column[piece]
            if sidestep_goal(o, track, column, UP) != NONE or sidestep_goal(o, track, column, DOWN) != NONE:
                return True
    return False


@rule
def any_step(o: Any, s: Any, track: int) -> bool:
    """Whether a piece can step forward on this track."""
    rear = rearmost_column(s)
    for column in range(rear, o.columns - 1):
        if can_step(o, s, track, column, rear):
            return True
    return False


@rule
def action_mask(o: Any, s: Any, seat: int, mask: Any) -> None:
    """Set the legal actions of the seat to move; `mask` [A]."""
    if s.phase == PLACE:
        limit = placement_limit(o, s, seat)
        for track in range(o.tracks):
            if can_place(s, seat, track, limit):
                mask[track] = 1
        return
    rear = rearmost_column(s)
    if s.phase == SIDESTEP:
        first, last = sidestep_pieces(o, seat)
        for piece in range(first, last):
            if can_leave(o, s, piece, rear):
                track = s.track[piece]
                column = s.column[piece]
                for direction in range(2):
                    if sidestep_goal(o, track, column, direction) != NONE:
                        mask[side_action(o, track, column, direction)] = 1
        mask[stay(o)] = 1
    else:
        track = s.die - 1
        for column in range(rear, o.columns - 1):
            if can_step(o, s, track, column, rear):
                mask[first_step(o) + column] = 1


# ---- what happens then ----------------------------------------------------------------------------------------------
@rule
def setup(o: Any, s: Any) -> None:
    """IA-2: all pieces in hand; seat 0 places first, or chance does (IA-27)."""
    for track in range(MAX_TRACKS):
        for column in range(MAX_COLUMNS):
            s.top[track, column] = NONE
    for piece in range(MAX_PLAYERS * MAX_PIECES):
        s.below[piece] = NONE
        s.track[piece] = NONE
        s.column[piece] = NONE
    for seat in range(o.players):
        s.in_hand[seat] = o.pieces
    s.phase = PLACE
    s.mover = 0
    s.current_player = CHANCE if o.setup == SETUP_RANDOM else 0


@rule
def apply(o: Any, s: Any, action: int) -> None:
    """Carry out a legal decision of the seat to move."""
    if s.phase == PLACE:
        place(o, s, action)
    elif s.phase == SIDESTEP:
        if action != stay(o):
            code = action - first_side(o)
            field = code // 2
            sidestep(o, s, field // (o.columns - 1), field % (o.columns - 1), code % 2)
        ask_forward(o, s)
    else:
        step(o, s, s.die - 1, action - first_step(o))


@rule
def place(o: Any, s: Any, track: int) -> None:
    """IA-2: the mover's next piece onto a start field; after the last one seat 0 begins the race (IA-4)."""
    seat = s.mover
    s.in_hand[seat] -= 1
    put(s, MAX_PIECES * seat + s.in_hand[seat], track, 0)
    s.mover = (seat + 1) % o.players
    if s.in_hand[s.mover] == 0:
        s.phase = ROLL
        s.current_player = CHANCE
    else:
        s.current_player = CHANCE if o.setup == SETUP_RANDOM else s.mover


@rule
def sidestep(o: Any, s: Any, track: int, column: int, direction: int) -> None:
    """IA-8: one piece to the track beside, same column."""
    move_onto(o, s, take(s, track, column), beside(o, track, direction), column)


@rule
def step(o: Any, s: Any, track: int, column: int) -> None:
    """IA-9: one piece one column forward; then the next turn, or the end (IA-12)."""
    piece = take(s, track, column)
    if column + 1 < o.columns - 1:
        move_onto(o, s, piece, track, column + 1)
    elif o.doping and s.doped == 0:  # IA-26
        s.doped = 1 + owner(piece)
    else:
        put(s, piece, track, column + 1)
        s.in_goal[owner(piece)] += 1
        if s.in_goal[owner(piece)] >= o.goal_count:
            s.current_player = TERMINAL
            return
    end_turn(o, s)


@rule
def move_onto(o: Any, s: Any, piece: int, track: int, column: int) -> None:
    """The piece lands on a field; IA-24: a repelling pit sends it back to the start of its track."""
    if o.repelling_pits and column == o.pits[track]:
        put(s, piece, track, 0)
    else:
        put(s, piece, track, column)


@rule
def ask_forward(o: Any, s: Any) -> None:
    """IA-9, IA-10: the forward decision, or the end of the turn if nothing can step."""
    if any_step(o, s, s.die - 1):
        s.phase = FORWARD
        s.current_player = s.mover
    else:
        end_turn(o, s)


@rule
def end_turn(o: Any, s: Any) -> None:
    """IA-11: the next seat rolls."""
    if finish_turn(o, s):
        return
    s.mover = (s.mover + 1) % o.players
    s.phase = ROLL
    s.current_player = CHANCE


# ---- chance ---------------------------------------------------------------------------------------------------------
@rule
def num_outcomes(o: Any, s: Any) -> int:
    """IA-5: a side of the die a track; IA-27: a track a placement may go to."""
    if s.phase == ROLL:
        return o.tracks
    limit = placement_limit(o, s, s.mover)
    count = 0
    for track in range(o.tracks):
        if can_place(s, s.mover, track, limit):
            count += 1
    return count


@rule
def outcome_weight(o: Any, s: Any, k: int) -> int:
    """All outcomes are equally likely."""
    return 1


@rule
def nth_placement(o: Any, s: Any, k: int) -> int:
    """The k-th track that IA-3 allows the mover."""
    limit = placement_limit(o, s, s.mover)
    for track in range(o.tracks):
        if can_place(s, s.mover, track, limit):
            if k == 0:
                return track
            k -= 1
    return NONE


@rule
def apply_chance(o: Any, s: Any, k: int) -> None:
    """The die shows k + 1 (IA-5), or the next piece is placed (IA-27)."""
    if s.phase == PLACE:
        place(o, s, nth_placement(o, s, k))
        return
    s.die = k + 1
    if any_sidestep(o, s, s.mover):
        s.phase = SIDESTEP
        s.current_player = s.mover
    else:
        ask_forward(o, s)


# ---- the end --------------------------------------------------------------------------------------------------------
@rule
def result(o: Any, s: Any, scores: Any, ranks: Any, winners: Any) -> None:
    """IA-12: ranks by pieces in the goal; whoever has `goal_count` of them has won."""
    for seat in range(o.players):
        scores[seat] = s.in_goal[seat]
        winners[seat] = 1 if s.in_goal[seat] >= o.goal_count else 0
    rank_by(o.players, scores, ranks)


@rule
def key(o: Any, s: Any, out: Any) -> int:
    """Phase, mover, die, what was taken out, hands, and each stack's owners from the top."""
    out[0] = s.phase
    out[1] = s.mover
    out[2] = s.die
    out[3] = s.doped
    n = 4
    for seat in range(o.players):
        out[n] = s.in_hand[seat]
        n += 1
    for track in range(o.tracks):
        for column in range(o.columns):
            piece = s.top[track, column]
            while piece != NONE:
                out[n] = 1 + owner(piece)
                n += 1
                piece = s.below[piece]
            out[n] = 0
            n += 1
    return n
