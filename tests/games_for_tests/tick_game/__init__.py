"""A tiny simultaneous game for tests: three seats bid cards for prizes in a few ticks (rules.py)."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from hopenvs.core.errors import PositionError
from hopenvs.core.game import Section, Spec
from hopenvs.core.jit import plain_twin
from hopenvs.core.options import Option
from hopenvs.core.position import check_keys, integer, items, seats, word
from hopenvs.core.state import BY_MAX_TURNS, SIMULTANEOUS, TERMINAL
from hopenvs.render.scene import Scene, Span, Text

from . import rules
from .rules import (
    FIELDS,
    action_mask,
    apply_chance,
    apply_joint,
    evaluate,
    key,
    num_outcomes,
    observe,
    outcome_weight,
    resample_hidden,
    result,
    setup,
)
from .tables import CARDS, GOAL, PRIZES, SEATS, TICKS

__all__ = [
    "ID",
    "OPTIONS",
    "VERSION",
    "Options",
    "action_mask",
    "action_name",
    "apply_chance",
    "apply_joint",
    "check_options",
    "complete_options",
    "describe",
    "evaluate",
    "fields",
    "from_position",
    "key",
    "num_outcomes",
    "observe",
    "outcome_name",
    "outcome_weight",
    "parse_action",
    "resample_hidden",
    "result",
    "scene",
    "setup",
    "spec",
    "to_position",
]  # fmt: skip

ID = "tick_game"
VERSION = 0
OPTIONS: tuple[Option, ...] = (
    Option("players", SEATS, "How many play.", SEATS, SEATS),
    Option("ticks", TICKS, "Ticks of a game.", 1, TICKS),
    Option("max_turns", 50, "Ticks until truncation.", 1, 2**31 - 1, in_position=False),
)
KEYS = ("game", "players", "phase", "to_play", "hands", "points", "turn", "winners")
NAMES = ("wait", *(f"bid {card + 1}" for card in range(CARDS)))
MOST_POINTS = GOAL - 1 + max(PRIZES)


class Options(NamedTuple):
    """The options as the rules read them."""

    players: int = SEATS
    ticks: int = TICKS
    max_turns: int = 50


def complete_options(codes: Mapping[str, Any]) -> dict[str, Any]:
    """Nothing follows from anything."""
    return dict(codes)


def check_options(o: Any) -> None:
    """Everything goes with everything."""


def spec(o: Any) -> Spec:
    """The facts."""
    return Spec(
        num_players=SEATS,
        num_actions=len(NAMES),
        sections=(
            Section("hands", (SEATS, CARDS), 0, 1, "1 where a seat still has the card."),
            Section("points", (SEATS,), 0, MOST_POINTS, "A seat's points."),
            Section("tick", (1,), 0, TICKS, "Ticks played."),
        ),
        record_seats=SEATS,
        simultaneous=True,
        score_range=(0, MOST_POINTS),
        max_turns=o.max_turns,
    )


def fields(o: Any) -> list[tuple[Any, ...]]:
    """The record's fields."""
    return FIELDS


def action_name(o: Any, action: int) -> str:
    """The name of an action."""
    return NAMES[action]


def parse_action(o: Any, name: str) -> int:
    """The action of a name; ValueError if there is none."""
    if name not in NAMES:
        raise ValueError(f"unknown action {name!r}: expected one of {', '.join(NAMES)}")
    return NAMES.index(name)


def describe(o: Any, s: Any, action: int) -> str:
    """The name says it all."""
    return NAMES[action]


def outcome_name(o: Any, s: Any, k: int) -> str:
    """What the claimant gets."""
    return f"prize {PRIZES[k]}"


def to_position(o: Any, s: Any) -> dict[str, Any]:
    """The position."""
    if s.current_player not in (SIMULTANEOUS, TERMINAL):
        raise ValueError(f"current_player is {s.current_player}: expected a tick or the end")
    position: dict[str, Any] = {
        "game": ID,
        "players": SEATS,
        "phase": "over" if s.current_player == TERMINAL else "tick",
        "to_play": None,
        "hands": [[card + 1 for card in range(CARDS) if s.hand[seat, card]] for seat in range(SEATS)],
        "points": list(s.points),
        "turn": s.turn,
        "winners": [seat for seat in range(SEATS) if s.winners[seat]],
    }
    return position | {"truncated": True} if s.truncated else position


def from_position(o: Any, position: Mapping[str, Any], s: Any) -> None:
    """Set the blank record to a position."""
    check_keys(position, KEYS, optional=("truncated", "options"))
    over = word(position, "phase", ("tick", "over")) == "over"
    truncated = position.get("truncated", False)
    if not isinstance(truncated, bool) or (truncated and not over):
        raise PositionError(f"key 'truncated': {truncated!r}: expected true, and only when over")
    if position["to_play"] is not None:
        raise PositionError(f"key 'to_play': {position['to_play']!r}: expected null, as all seats act at once")
    s.turn = integer(position["turn"], "turn", 0, o.ticks)
    for seat, hand in enumerate(items(position["hands"], "hands", SEATS, "one hand a seat")):
        cards = [integer(card, f"hands[{seat}]", 1, CARDS) for card in items(hand, f"hands[{seat}]", None, "cards")]
        if cards != sorted(set(cards)):
            raise PositionError(f"key 'hands[{seat}]': {hand!r}: expected ascending cards, each once")
        if CARDS - len(cards) > s.turn:
            raise PositionError(f"key 'hands[{seat}]': {CARDS - len(cards)} cards are gone after {s.turn} ticks")
        for card in cards:
            s.hand[seat, card - 1] = 1
    for seat, points in enumerate(items(position["points"], "points", SEATS, "points a seat")):
        s.points[seat] = integer(points, f"points[{seat}]", 0, MOST_POINTS)
    if sum(s.points) > s.turn * max(PRIZES):
        raise PositionError(f"key 'points': {list(s.points)} after {s.turn} ticks: that is more than there were")
    s.claimant = rules.NOBODY
    decided = plain_twin(rules.is_decided)(o, s, s.turn)
    if decided and (not over or truncated):
        raise PositionError(f"key 'phase': the game is decided: expected 'over', not truncated: {truncated!r}")
    if over and not decided and not truncated:
        raise PositionError("key 'phase': 'over', but the game is not decided")
    s.current_player = TERMINAL if over else SIMULTANEOUS
    s.truncated = BY_MAX_TURNS if truncated else 0
    stated = seats(position["winners"], "winners", SEATS)
    if decided:
        plain_twin(rules.result)(o, s, s.scores, s.ranks, s.winners)
    found = [seat for seat in range(SEATS) if s.winners[seat]]
    if stated != found:
        raise PositionError(f"key 'winners': {stated}, but by the points it is {found}")


def scene(o: Any, s: Any, seat: int | None = None, last: Sequence[str] = ()) -> Scene:
    """Points and cards as lines of text; nothing is hidden."""
    lines = [f"tick {s.turn}" + (", over" if s.current_player == TERMINAL else "")]
    for k in range(SEATS):
        cards = " ".join(str(card + 1) for card in range(CARDS) if s.hand[k, card])
        lines.append(f"seat {k}: {s.points[k]} points, cards {cards or 'none'}")
    shapes = tuple(Text(10, 24 * (k + 1), line, anchor="start") for k, line in enumerate(lines))
    return Scene(300, 24 * (SEATS + 2), shapes, "tick game", tuple((Span(line),) for line in lines))
