"""Game records (C-13): a game as JSON lines that replay without a generator."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hopenvs.core.errors import IllegalActionError, RecordError, nearest
from hopenvs.core.state import SIMULTANEOUS
from hopenvs.core.walk import Walk

# The keys of each kind of event; any of them may also state what it led to.
EVENTS = {
    "action": ("seat", "action"),
    "joint": ("joint",),
    "chance": ("chance", "of"),
    "forfeit": ("forfeit",),
}
STATED = ("position", "legal")
HEADER = {"env": str, "options": dict, "players": int, "seed": int}
RESULT = ("truncated", "rewards", "ranks", "scores", "winners")


@dataclass
class GameRecord:
    """One game.

    Attributes:
        header: `{"env": id, "options": {..}, "players": n, "seed": s}`, perhaps with the first `position` and `legal`.
        events: decisions, ticks, outcomes and a forfeit, in order.
        result: the last line, or None while the game goes on.
        first_line: where the header stands in its file, from 1.
        line_numbers: where the events and the result stand; empty if right after it, without blank lines.
    """

    header: dict[str, Any]
    events: list[dict[str, Any]] = field(default_factory=list)
    result: dict[str, Any] | None = None
    first_line: int = 1
    line_numbers: list[int] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        """The record as JSON, a line each."""
        for line in (self.header, *self.events, *([self.result] if self.result is not None else [])):
            yield json.dumps(line)

    @classmethod
    def of(cls, given: Any) -> GameRecord:
        """A record from a GameRecord, a text, or an iterable of lines (strings or dicts); exactly one game."""
        if isinstance(given, GameRecord):
            return given
        records = list(read_records(given.splitlines() if isinstance(given, str) else given))
        if len(records) != 1:
            raise RecordError(f"expected one game, found {len(records)}")
        return records[0]

    def replay(self, walk: Walk, visit: Callable[[Walk], None] | None = None) -> Walk:
        """Play the record on `walk` (same game and options), checking every line.

        Args:
            walk: it is started anew.
            visit: called after the header and after every event.

        Raises:
            RecordError: naming the line and what it should have been.
        """
        if self.header["players"] != walk.spec.num_players:
            raise RecordError(
                f"line {self.first_line}: players {self.header['players']}: expected {walk.spec.num_players}"
            )
        walk.start(0)
        if walk.is_chance and "position" in self.header:
            raise RecordError(f"line {self.first_line}: a position, but chance comes first")
        if "position" in self.header and walk.position() != self.header["position"]:
            _at(self.first_line, lambda: walk.start_from(self.header["position"]))
        _check_line(walk, self.header, self.first_line)
        if visit is not None:
            visit(walk)
        for k, event in enumerate(self.events):
            number = self._line_number(k)
            if walk.is_over:
                raise RecordError(f"line {number}: the game is over: expected the result")
            _at(number, lambda event=event: _play_event(walk, event))  # type: ignore[misc]
            _check_line(walk, event, number)
            if visit is not None:
                visit(walk)
        if self.result is not None:
            self._check_result(walk)
        return walk

    def _line_number(self, k: int) -> int:
        """Where event `k` stands, or the result after the last one."""
        return self.line_numbers[k] if self.line_numbers else self.first_line + 1 + k

    def _check_result(self, walk: Walk) -> None:
        number = self._line_number(len(self.events))
        if not walk.is_over:
            due = "chance is due" if walk.is_chance else walk.position()["phase"]
            raise RecordError(f"line {number}: a result, but the game goes on: {due}")
        found, stated = walk.result(), self.result or {}
        for key in (*found, *stated):
            a, b = found.get(key), stated.get(key)
            same = _close(a, b) if key == "rewards" else a == b or (key == "truncated" and bool(a) == bool(b))
            if not same:
                raise RecordError(f"line {number}: {key} {b!r}: by the rules it is {a!r}")


def _close(a: Any, b: Any) -> bool:
    """Whether two lists of numbers agree (rewards such as -1/3 may be written short)."""
    if not isinstance(b, list) or len(a) != len(b):
        return False
    return all(isinstance(y, (int, float)) and math.isclose(x, y, abs_tol=1e-6) for x, y in zip(a, b))


def play_record(
    walk: Walk,
    header: dict[str, Any],
    choose: Callable[[Walk], tuple[int, ...]],
    *,
    positions: bool = False,
    position: Mapping[str, Any] | None = None,
    visit: Callable[[dict[str, Any]], None] | None = None,
) -> GameRecord:
    """Play one game from `header["seed"]` and write it down.

    Args:
        walk: the game to play on; it is started anew.
        header: the record's header.
        choose: the action (or a tick's actions) at a decision.
        positions: write the position and the legal actions on every line.
        position: begin here instead of at the start.
        visit: called with every event after it has been played.
    """
    walk.start(header["seed"])
    if position is not None:
        walk.start_from(position)
    record = GameRecord(dict(header))
    if position is not None and not positions:
        record.header["position"] = walk.position()
    _note(walk, record.header, positions)
    name = walk.game.action_name
    while not walk.is_over:
        event: dict[str, Any]
        if walk.is_chance:
            k = walk.draw()
            event = {"chance": k, "of": len(walk.outcomes())}
            walk.happen(k)
        else:
            actions = choose(walk)
            if walk.current_player == SIMULTANEOUS:
                event = {"joint": [name(walk.options, a) for a in actions]}
            else:
                event = {"seat": walk.current_player, "action": name(walk.options, actions[0])}
            walk.play(*actions)
        _note(walk, event, positions)
        record.events.append(event)
        if visit is not None:
            visit(event)
    record.result = walk.result()
    return record


def _note(walk: Walk, line: dict[str, Any], positions: bool) -> None:
    if positions and not walk.is_chance:
        line["position"] = walk.position()
        if not walk.is_over:
            line["legal"] = walk.legal_names()


def _at(number: int, act: Callable[[], None]) -> None:
    """Run a line's act; what it refuses names the line."""
    try:
        act()
    except RecordError as error:
        raise RecordError(f"line {number}: {error}") from None
    except (ValueError, IllegalActionError) as error:
        raise RecordError(f"line {number}: {error}") from None


def _play_event(walk: Walk, event: Mapping[str, Any]) -> None:
    if "forfeit" in event:
        seat = event["forfeit"]
        if not _is_integer(seat) or not 0 <= seat < walk.spec.num_players or walk.is_chance:
            raise RecordError(f"forfeit of {seat!r}: expected a seat, at a decision")
        walk.give_up(seat)
    elif "chance" in event:
        if not walk.is_chance:
            raise RecordError("chance, but a decision is due")
        n = len(walk.outcomes())
        if event.get("of") != n:
            raise RecordError(f"chance of {event.get('of')!r} outcomes: by the rules there are {n}")
        if not _is_integer(event["chance"]):
            raise RecordError(f"outcome {event['chance']!r}: expected an integer")
        walk.happen(event["chance"])
    elif walk.is_chance:
        raise RecordError("a decision, but chance comes first")
    elif "joint" in event:
        names = event["joint"]
        if walk.current_player != SIMULTANEOUS or not isinstance(names, list) or len(names) != walk.spec.num_players:
            raise RecordError("joint: expected one action a seat, in a simultaneous game")
        walk.play_named(*names)
    else:
        if walk.current_player == SIMULTANEOUS or event.get("seat") != walk.current_player:
            raise RecordError(f"seat {event.get('seat')!r}: it is the turn of {walk.current_player}")
        walk.play_named(event["action"])


def _is_integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _check_line(walk: Walk, line: Mapping[str, Any], number: int) -> None:
    """Position and legal actions, where the line states them."""
    if "position" in line:
        if walk.is_chance:
            raise RecordError(f"line {number}: a position at a chance point")
        found, stated = walk.position(), line["position"]
        if found != stated:
            keys = [k for k in {**found, **stated} if found.get(k) != stated.get(k)] if isinstance(stated, dict) else []
            differs = "; ".join(f"{k}: {stated.get(k)!r}, by the rules {found.get(k)!r}" for k in keys)
            raise RecordError(f"line {number}: position: {differs or stated}")
    if "legal" in line:
        if walk.is_chance or walk.is_over:
            raise RecordError(f"line {number}: legal actions, but no decision follows")
        found_legal = walk.legal_names()
        if found_legal != line["legal"]:
            raise RecordError(f"line {number}: legal: {line['legal']!r}, by the rules {found_legal!r}")


def read_records(lines: Iterable[Any]) -> Iterator[GameRecord]:
    """Games from lines (JSON strings or dicts), each from its header on.

    Raises:
        RecordError: naming the line that is no JSON object or stands in the wrong place.
    """
    record: GameRecord | None = None
    for number, text in enumerate(lines, 1):
        if isinstance(text, str) and not text.strip():
            continue
        line = _parse(text, number)
        if "env" in line:
            if record is not None:
                yield record
            record = GameRecord(_check_header(line, number), first_line=number)
        elif record is None:
            raise RecordError(f"line {number}: expected a header with the key 'env' first")
        elif record.result is not None:
            raise RecordError(f"line {number}: after a result: expected the header of the next game")
        elif "rewards" in line:
            record.result = _check_keys(line, RESULT, number)
            record.line_numbers.append(number)
        elif any(key in line for key in EVENTS):
            kind = next(key for key in EVENTS if key in line)
            record.events.append(_check_keys(line, (*EVENTS[kind], *STATED), number))
            record.line_numbers.append(number)
        else:
            raise RecordError(f"line {number}: keys {list(line)}: expected one of {', '.join(EVENTS)} or 'rewards'")
    if record is not None:
        yield record


def _parse(text: Any, number: int) -> dict[str, Any]:
    if isinstance(text, (str, bytes)):
        try:
            text = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise RecordError(f"line {number}: no JSON: {error}") from None
    if not isinstance(text, dict):
        raise RecordError(f"line {number}: expected a JSON object, not {type(text).__name__}")
    return text


def _check_header(line: dict[str, Any], number: int) -> dict[str, Any]:
    for key, kind in HEADER.items():
        if not isinstance(line.get(key), kind) or isinstance(line.get(key), bool):
            raise RecordError(f"line {number}: header key {key!r}: {line.get(key)!r}: expected {kind.__name__}")
    return _check_keys(line, (*HEADER, *STATED), number)


def _check_keys(line: dict[str, Any], known: Sequence[str], number: int) -> dict[str, Any]:
    """Refuse a line with a key of no meaning, or a truth value where a number belongs."""
    for key, value in line.items():
        if key not in known:
            raise RecordError(f"line {number}: unknown key {key!r}{nearest(key, known)}: expected {', '.join(known)}")
        numbers = value if isinstance(value, list) else [value]
        if key not in ("truncated", *STATED) and any(isinstance(n, bool) for n in numbers):
            raise RecordError(f"line {number}: {key} {value!r}: expected no truth value")
    return line
