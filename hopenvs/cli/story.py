"""A game told as it goes: what happened in words, and the pictures in between."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hopenvs import registry

if TYPE_CHECKING:
    from hopenvs.core.record import GameRecord
    from hopenvs.core.walk import Walk


@dataclass(frozen=True)
class Moment:
    """A position that somebody looks at: a decision, or the end.

    Attributes:
        scene: its picture.
        said: what has happened since the moment before, a line each.
        over: whether the game has ended.
    """

    scene: Any
    said: tuple[str, ...]
    over: bool


class Teller:
    """Turns the events of a game on `walk` into words and pictures.

    Args:
        walk: the game; `after` is to be called after every event.
        seat: whose side it is told from: what that seat can't know is hidden.
    """

    def __init__(self, walk: Walk, seat: int | None = None) -> None:
        self.walk = walk
        self.seat = seat
        self._events: list[tuple[Any, dict[str, Any]]] = []  # since the last moment: the state before, and the event
        self._remember()

    def _remember(self) -> None:
        self._before = self.walk.states.copy()

    def after(self, event: dict[str, Any]) -> None:
        """Take in an event that has just been played."""
        self._events.append((self._before, event))
        self._remember()

    def moment(self, seat: int | None = None) -> Moment:
        """The position now and what led to it, as a seat is told; the next moment begins here."""
        walk = self.walk
        viewer = self.seat if seat is None else seat
        said: list[str] = []
        moves: list[str] = []
        for before, event in self._events:
            self._tell(before, event, viewer, said, moves)
        self._events = []
        scene = walk.game.scene(walk.options, walk.record, viewer, tuple(moves))
        return Moment(scene, tuple(_counted(said)), walk.is_over)

    def _tell(self, states: Any, event: dict[str, Any], viewer: int | None, said: list[str], moves: list[str]) -> None:
        """An event in words, and the moves in it."""
        from hopenvs.core.game import tell_action, tell_outcome
        from hopenvs.core.state import people_view

        game, o, before = self.walk.game, self.walk.options, people_view(states)
        if "chance" in event:
            said.append(tell_outcome(game, o, before, viewer, event["chance"]))
        elif "forfeit" in event:
            said.append(f"player_{event['forfeit']} forfeits the game by an illegal action")
        else:
            names = event["joint"] if "joint" in event else [event["action"]]
            first = 0 if "joint" in event else event["seat"]
            for seat, name in enumerate(names, first):
                move = tell_action(game, o, before, viewer, game.parse_action(o, name))
                moves.append(move)
                said.append(f"player_{seat}: {move}")


def _counted(lines: list[str]) -> Iterator[str]:
    """Lines that follow one another alike as one: a deal that tells of no cards is many such lines."""
    for line, alike in itertools.groupby(lines):
        times = sum(1 for _ in alike)
        yield line if times == 1 else f"{line} ({times} times)"


def moments(record: GameRecord, seat: int | None = None) -> Iterator[Moment]:
    """Every decision of a record and its end, each line checked against the rules on the way.

    Raises:
        RecordError: for a record that doesn't replay.
    """
    from hopenvs.core.walk import Walk

    game, options, payoff = registry.resolve_header(record.header)
    walk = Walk(game, options, payoff=payoff)
    walk.start(0)
    teller = Teller(walk, seat)
    found: list[Moment] = []
    lines = iter([None, *record.events])

    def visit(walk: Walk) -> None:
        event = next(lines)
        if event is not None:
            teller.after(event)
        else:
            teller._remember()
        if not walk.is_chance:
            found.append(teller.moment())

    record.replay(walk, visit)
    yield from found


def verdict(record: GameRecord) -> str:
    """How a game ended, in a line."""
    if record.result is None:
        return "the game was left unfinished"
    result = record.result
    if result.get("truncated"):
        return "cut off after the last turn allowed: nobody wins"
    winners = [f"player_{seat}" for seat in result.get("winners", [])]
    scores = result.get("scores")
    told = f"; scores {', '.join(map(str, scores))}" if scores else ""
    if not winners:
        return f"a draw without a winner{told}"
    return f"{' and '.join(winners)} {'win' if len(winners) > 1 else 'wins'}{told}"
