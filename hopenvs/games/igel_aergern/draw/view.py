"""What the drawings need to know of a position: the facts that the players see, and what the last actions did."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

DEFAULT_PITS: Final = (3, 6, 4, 5, 2, 7)  # column of each track's pit
DEFAULT_PIECES: Final = 4
DEFAULT_GOAL_COUNT: Final = 3

Field = tuple[int, int]  # (track, column), both from 0


@dataclass(frozen=True)
class Hop:
    """A piece that has just been moved: from a field (None: from the hand) onto the top of another."""

    source: Field | None
    target: Field


@dataclass(frozen=True)
class View:
    """A position, read for drawing."""

    players: int
    phase: str
    to_play: int | None
    die: int  # 1..tracks, 0 = not rolled
    turn: int
    stacks: tuple[tuple[tuple[int, ...], ...], ...]  # [track][column] owners bottom to top
    winners: tuple[int, ...]
    truncated: bool
    pits: tuple[int, ...]  # [track] column
    pieces: int
    goal_count: int
    cylinder: bool
    pillars: bool
    repelling: bool
    shallow: bool

    @classmethod
    def of(cls, position: Mapping[str, Any]) -> View:
        """Read a position (its keys and options are listed in the game's README)."""
        options: Mapping[str, Any] = position.get("options") or {}
        stacks = tuple(tuple(tuple(field) for field in track) for track in position["stacks"])
        pieces = options.get("pieces") or DEFAULT_PIECES
        return cls(
            players=position["players"],
            phase=position["phase"],
            to_play=position["to_play"],
            die=position["die"],
            turn=position["turn"],
            stacks=stacks,
            winners=tuple(position["winners"]),
            truncated=bool(position.get("truncated")),
            pits=tuple(options.get("pits") or DEFAULT_PITS[: len(stacks)]),
            pieces=pieces,
            goal_count=options.get("goal_count") or min(DEFAULT_GOAL_COUNT, pieces),
            cylinder=bool(options.get("cylinder")),
            pillars=bool(options.get("pillars")),
            repelling=bool(options.get("repelling_pits")),
            shallow=bool(options.get("shallow_pits")),
        )

    @property
    def tracks(self) -> int:
        """How many tracks there are."""
        return len(self.stacks)

    @property
    def columns(self) -> int:
        """How many columns there are, start and goal included."""
        return len(self.stacks[0])

    def holds(self, track: int) -> bool:
        """Tell whether the track's pit is active: somebody stands in a lower column, on any track."""
        if self.pillars:
            return False
        return any(field for row in self.stacks for field in row[: self.pits[track]])

    def held(self, track: int, column: int, level: int) -> bool:
        """Tell whether a piece can't move because it is on an active pit."""
        return column == self.pits[track] and self.holds(track) and not (self.shallow and level > 0)

    def in_goal(self, seat: int) -> int:
        """Count a seat's pieces in the goal."""
        return sum(row[-1].count(seat) for row in self.stacks)

    def in_hand(self, seat: int) -> int:
        """Count the pieces that a seat has still to place."""
        if self.phase != "place" and (self.phase != "over" or self.die):
            return 0  # what is missing then was taken out of the game
        return self.pieces - sum(field.count(seat) for row in self.stacks for field in row)

    def rank(self, seat: int) -> int:
        """Return a seat's rank as things stand: 1 + the seats that are better, winners before all others."""

        def merit(other: int) -> int:
            return self.pieces + 1 if other in self.winners else self.in_goal(other)

        return 1 + sum(merit(other) > merit(seat) for other in range(self.players))

    def hops(self, last: Sequence[str]) -> tuple[Hop, ...]:
        """Return what the actions just played moved; `stay` and a roll move nothing, other names are refused.

        `step C` is taken to be on the track of the die that lies there. When the turn has passed on and the next player
        has rolled, that isn't so any more: say `step T.C`.
        """
        found = (self._hop(name) for name in last)
        return tuple(hop for hop in found if hop is not None and self.stacks[hop.target[0]][hop.target[1]])

    def _hop(self, name: str) -> Hop | None:
        if name == "stay" or name.startswith("roll "):
            return None
        if place := re.fullmatch(r"place (\d+)", name):
            return Hop(None, self._on_board(name, int(place[1]) - 1, 0))
        if side := re.fullmatch(r"side (\d+)\.(\d+) (up|down)", name):
            track, column = self._on_board(name, int(side[1]) - 1, int(side[2]))
            target = track + (-1 if side[3] == "up" else 1)
            target = target % self.tracks if self.cylinder else target
            return Hop((track, column), self._landing(self._on_board(name, target, column)))
        if step := re.fullmatch(r"step (?:(\d+)\.)?(\d+)", name):
            track, column = self._on_board(name, int(step[1] or self.die) - 1, int(step[2]))
            return Hop((track, column), self._landing(self._on_board(name, track, column + 1)))
        raise ValueError(f"{name!r} is not an action of igel_aergern")

    def _on_board(self, name: str, track: int, column: int) -> Field:
        if not (0 <= track < self.tracks and 0 <= column < self.columns):
            raise ValueError(f"{name!r} leads off a board of {self.tracks} tracks and {self.columns} columns")
        return track, column

    def _landing(self, field: Field) -> Field:
        track, column = field
        return (track, 0) if self.repelling and not self.pillars and column == self.pits[track] else field


def ordinal(rank: int) -> str:
    """Write a rank of 1 to 6: 1st, 2nd, 3rd, 4th."""
    return f"{rank}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(rank, 'th') }"


def headline(view: View) -> tuple[str, str]:
    """Return whose turn it is, and what is asked (or how it ended), in a few words each."""
    if view.phase == "over":
        if view.truncated:
            return "Nobody wins", "turn limit reached"
        names = ", ".join(str(seat) for seat in view.winners)
        return (f"Player {names}" if len(view.winners) == 1 else f"Players {names}"), (
            "wins!" if len(view.winners) == 1 else "win"
        )
    asked = {"place": "places a hedgehog", "sidestep": "may sidestep", "forward": f"moves on track {view.die}"}
    return f"Player {view.to_play}", asked[view.phase]
