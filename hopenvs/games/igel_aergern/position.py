"""Positions: any situation as a JSON-able dict and back (C-6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hopenvs.core.errors import PositionError
from hopenvs.core.jit import plain_twin
from hopenvs.core.position import check_keys, integer, items, seats, word
from hopenvs.core.state import BY_MAX_TURNS, TERMINAL
from hopenvs.games.igel_aergern import rules
from hopenvs.games.igel_aergern.options import MAX_PIECES, SETUP_RANDOM, Options

PHASES = {"place": rules.PLACE, "sidestep": rules.SIDESTEP, "forward": rules.FORWARD}
MAX_TURN = 2**31 - 1  # the record's field holds no larger number; every max_turns ends a game by then
KEYS = ("game", "players", "phase", "to_play", "die", "stacks", "turn", "winners")


def to_position(o: Options, s: Any) -> dict[str, Any]:
    """The position of a decision or a finished game, without `options`."""
    stacks = [[_stack(s, t, c) for c in range(o.columns)] for t in range(o.tracks)]
    _check_pieces(s, stacks)
    over = s.current_player == TERMINAL
    position = {
        "game": "igel_aergern",
        "players": o.players,
        "phase": "over" if over else {code: name for name, code in PHASES.items()}[s.phase],
        "to_play": None if over else s.current_player,
        "die": s.die,
        "stacks": [[[piece // MAX_PIECES for piece in stack] for stack in fields] for fields in stacks],
        "turn": s.turn,
        "winners": [seat for seat in range(o.players) if s.winners[seat]],
    }
    if s.truncated:
        position["truncated"] = True
    return position


def _stack(s: Any, track: int, column: int) -> list[int]:
    """The pieces on a field, bottom to top."""
    pieces, piece = [], s.top[track, column]
    while piece != rules.NONE:
        pieces.append(piece)
        if len(pieces) > len(s.below):
            raise ValueError(f"the stack at {track + 1}.{column} has no end")
        piece = s.below[piece]
    return pieces[::-1]


def _check_pieces(s: Any, stacks: list[list[list[int]]]) -> None:
    """Refuse a record whose pieces say of themselves what isn't so by the stacks: rules trust both."""
    where: dict[int, tuple[int, int, int]] = {}
    for track, fields in enumerate(stacks):
        for column, stack in enumerate(fields):
            where |= {piece: (track, column, under) for under, piece in enumerate(stack)}
    for piece in range(len(s.below)):
        told, found = (s.track[piece], s.column[piece], s.under[piece]), where.get(piece, (rules.NONE, rules.NONE, 0))
        if told != found:
            raise ValueError(f"track, column and pieces under piece {piece} are {told}, by the stacks {found}")
        if piece not in where and s.below[piece] != rules.NONE:
            raise ValueError(f"piece {piece} lies in no stack, but on piece {s.below[piece]}")


def from_position(o: Options, position: Mapping[str, Any], s: Any) -> None:
    """Set the blank record `s` to a position.

    Raises:
        PositionError: naming the key that is malformed, or contradicts the rules or another key.
    """
    check_keys(position, KEYS, optional=("truncated", "options"))
    phase = word(position, "phase", (*PHASES, "over"))
    over = phase == "over"
    truncated = position.get("truncated", False)
    if not isinstance(truncated, bool) or (truncated and not over):
        raise PositionError(f"key 'truncated': {truncated!r} in phase {phase!r}: expected true, and only when over")
    _lay_out(o, position, s)
    die = integer(position["die"], "die", 0, o.tracks)
    turn = integer(position["turn"], "turn", 0, MAX_TURN if over else MAX_TURN - 1)
    to_play = position["to_play"]
    if over != (to_play is None):
        raise PositionError(f"key 'to_play': {to_play!r} in phase {phase!r}: expected null when over, else a seat")
    s.mover = 0 if over else integer(to_play, "to_play", 0, o.players - 1)
    s.phase = PHASES.get(phase, rules.ROLL)
    s.die, s.turn = die, turn
    s.current_player = TERMINAL if over else s.mover
    s.truncated = BY_MAX_TURNS if truncated else 0
    winners = seats(position["winners"], "winners", o.players)
    reached = [seat for seat in range(o.players) if s.in_goal[seat] >= o.goal_count]
    if len(reached) > 1 or any(s.in_goal[seat] > o.goal_count for seat in reached):
        arrived = [s.in_goal[seat] for seat in range(o.players)]
        raise PositionError(
            f"key 'stacks': {arrived} arrived by seat: a seat's first {o.goal_count} end the game (IA-12)"
        )
    if not over and reached:
        raise PositionError(f"key 'phase': {phase!r}, but seat {reached[0]} has reached the goal: expected 'over'")
    if truncated and reached:
        raise PositionError(f"key 'truncated': true, but seat {reached[0]} has reached the goal and won")
    if winners != reached:
        raise PositionError(f"key 'winners': {winners}, but by the stacks it is {reached}")
    for seat in winners:
        s.winners[seat] = 1
    _check_phase(o, s, phase)


def _lay_out(o: Options, position: Mapping[str, Any], s: Any) -> None:
    """Fill fields, hands and goals from `stacks`."""
    for t in range(s.top.shape[0]):
        for c in range(s.top.shape[1]):
            s.top[t, c] = rules.NONE
    for piece in range(len(s.below)):
        s.below[piece] = s.track[piece] = s.column[piece] = rules.NONE
    put = plain_twin(rules.put)
    laid = [0] * o.players
    stacks = items(position["stacks"], "stacks", o.tracks, "one list for each track")
    for t in range(o.tracks):
        fields = items(stacks[t], f"stacks[{t}]", o.columns, "one list for each column")
        for c in range(o.columns):
            for seat in items(fields[c], f"stacks[{t}][{c}]", None, "owners from bottom to top"):
                seat = integer(seat, f"stacks[{t}][{c}]", 0, o.players - 1)
                if laid[seat] == o.pieces:
                    raise PositionError(f"key 'stacks': seat {seat} has more than {o.pieces} pieces")
                laid[seat] += 1
                put(s, MAX_PIECES * seat + o.pieces - laid[seat], t, c)  # from the last on, as `rules.place` does
                if c == o.columns - 1:
                    s.in_goal[seat] += 1
                if c == o.pits[t] and (o.pillars or o.repelling_pits):
                    raise PositionError(f"key 'stacks': a piece on the pit {t + 1}.{c}, which nothing can enter")
    _check_hands(o, position, s, laid)


def _check_hands(o: Options, position: Mapping[str, Any], s: Any, laid: list[int]) -> None:
    """Pieces not on the board are in hand before the race; later one may be out of the game (IA-26)."""
    phase, total = position["phase"], sum(laid)
    missing = [seat for seat in range(o.players) if laid[seat] < o.pieces]
    if phase == "place" or (position.get("truncated") and position["die"] == 0):
        left = [o.pieces - n for n in laid]
        expected = [o.pieces - total // o.players - (seat < total % o.players) for seat in range(o.players)]
        if left != expected:
            raise PositionError(f"key 'stacks': {laid} pieces laid seat by seat: expected them placed in turn (IA-2)")
        if any(s.top[t, c] != rules.NONE for t in range(o.tracks) for c in range(1, o.columns)):
            raise PositionError("key 'stacks': a piece beyond column 0 while placing")
        for seat in range(o.players):
            s.in_hand[seat] = left[seat]
        return
    in_goal = sum(s.in_goal[seat] for seat in range(o.players))
    if o.doping:
        if len(missing) > 1 or (missing and laid[missing[0]] != o.pieces - 1):
            raise PositionError(f"key 'stacks': {laid} pieces by seat: only one piece can be out of the game (IA-26)")
        if in_goal and not missing:
            raise PositionError(
                "key 'stacks': pieces in the goal, but the first one there must have been taken out (IA-26)"
            )
        if missing:
            s.doped = 1 + missing[0]
    elif missing:
        raise PositionError(f"key 'stacks': {laid} pieces by seat: expected {o.pieces} each in phase {phase!r}")


def _check_phase(o: Options, s: Any, phase: str) -> None:
    """Refuse a phase that would have been skipped (C-4), and what contradicts it."""
    if phase == "place":
        if s.die or s.turn:
            raise PositionError(f"key '{'die' if s.die else 'turn'}': expected 0 while placing")
        if s.in_hand[s.mover] == 0 or any(s.in_hand[seat] > s.in_hand[s.mover] for seat in range(o.players)):
            raise PositionError(f"key 'to_play': it isn't seat {s.mover} that places next")
        if o.setup == SETUP_RANDOM:
            raise PositionError("key 'phase': 'place' is never asked with setup='random'")
        if s.in_hand[(s.mover - 1) % o.players] == s.in_hand[s.mover] and s.mover > 0:
            raise PositionError(f"key 'to_play': it isn't seat {s.mover} that places next")
    elif phase == "over":
        # max_turns ends no game while placing, but a limit on decisions (C-8) may
        placing = s.truncated and s.turn == 0 and o.setup != SETUP_RANDOM and any(s.in_hand)
        if s.die == 0 and not placing:
            raise PositionError("key 'die': 0, but a game that is over has seen a roll")
        if not s.truncated and not any(s.winners[seat] for seat in range(o.players)):
            raise PositionError("key 'winners': nobody has reached the goal: expected a winner or \"truncated\": true")
    elif s.die == 0:
        raise PositionError(f"key 'die': 0 in phase {phase!r}: expected 1 to {o.tracks}")
    elif phase == "sidestep" and not plain_twin(rules.any_sidestep)(o, s, s.mover):
        raise PositionError(f"key 'phase': 'sidestep', but seat {s.mover} has none: the phase would have been skipped")
    elif phase == "forward" and not plain_twin(rules.any_step)(o, s, s.die - 1):
        raise PositionError(
            f"key 'phase': 'forward', but nothing can step on track {s.die}: it would have been skipped"
        )
