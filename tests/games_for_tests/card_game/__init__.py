"""A tiny turn game for tests, with hidden cards, weighted luck and a bag that is drawn from (rules.py)."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from hopenvs.core.errors import PositionError
from hopenvs.core.game import Section, Spec
from hopenvs.core.jit import plain_twin
from hopenvs.core.options import Option
from hopenvs.core.position import check_keys, integer, items, seats, word
from hopenvs.core.state import BY_MAX_TURNS, TERMINAL
from hopenvs.render.scene import Scene, Span, Text

from . import rules
from .rules import (
    COPIES,
    FIELDS,
    HAND,
    MAX_SEATS,
    VALUES,
    action_mask,
    apply,
    apply_chance,
    evaluate,
    key,
    num_outcomes,
    observe,
    outcome_weight,
    resample_hidden,
    result,
    setup,
)

__all__ = [
    "ID", "OPTIONS", "VERSION", "Options", "action_mask", "action_name", "apply", "apply_chance", "check_options",
    "complete_options", "describe", "evaluate", "fields", "from_position", "key", "num_outcomes", "observe",
    "outcome_name", "outcome_weight", "parse_action", "resample_hidden", "result", "scene", "setup", "spec",
    "to_position", "told_action", "told_outcome",
]  # fmt: skip

ID = "card_game"
VERSION = 0
OPTIONS: tuple[Option, ...] = (
    Option("players", 2, "How many play.", 2, MAX_SEATS),
    Option("goal", 6, "Points that end the game at once.", 2, 12),
    Option("max_turns", 100, "Turns until truncation.", 1, 2**31 - 1, in_position=False),
)
KEYS = ("game", "players", "phase", "to_play", "hands", "buried", "played", "bag", "points", "turn", "winners")
NAMES = (*(f"play {card + 1}" for card in range(VALUES)), *(f"swap {card + 1}" for card in range(VALUES)))
DECK = sum(COPIES)


class Options(NamedTuple):
    """The options as the rules read them."""

    players: int = 2
    goal: int = 6
    max_turns: int = 100


def complete_options(codes: Mapping[str, Any]) -> dict[str, Any]:
    """Nothing follows from anything."""
    return dict(codes)


def check_options(o: Any) -> None:
    """Everything goes with everything."""


def most_points(o: Any) -> int:
    """The most points a seat can end with."""
    return min(o.goal - 1 + 2 * VALUES, HAND * 2 * VALUES)


def spec(o: Any) -> Spec:
    """The facts under these options."""
    players = o.players
    return Spec(
        num_players=players,
        num_actions=len(NAMES),
        sections=(
            Section("hand", (VALUES,), 0, HAND, "The observer's cards of each value."),
            Section("buried", (VALUES,), 0, max(COPIES), "What the observer has buried."),
            Section("played", (players, VALUES), 0, HAND, "What lies open before a seat."),
            Section("hand_size", (players,), 0, HAND, "A seat's cards in hand."),
            Section("buried_size", (players,), 0, DECK, "A seat's buried cards."),
            Section("points", (players,), 0, most_points(o), "A seat's points."),
            Section("to_play", (players,), 0, 1, "1 at the seat to play; all 0 when the game is over."),
            Section("bag", (1,), 0, DECK, "Cards left in the bag."),
        ),
        record_seats=MAX_SEATS,
        perfect_information=False,
        score_range=(0, most_points(o)),
        max_turns=o.max_turns,
    )


def fields(o: Any) -> list[tuple[Any, ...]]:
    """The record's fields, the same for every number of players."""
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
    """What luck does, or which card is dealt or drawn."""
    if s.phase == rules.LUCK:
        return ("lost", "counts", "counts twice")[k]
    card = 0
    while k >= s.bag[card]:
        k -= s.bag[card]
        card += 1
    return f"{'deal' if s.phase == rules.DEAL else 'draw'} {card + 1}"


def told_action(o: Any, s: Any, seat: int, action: int) -> str:
    """A card is buried face down: others learn that one was."""
    return NAMES[action] if seat == s.current_player or action < VALUES else "swap"


def told_outcome(o: Any, s: Any, seat: int, k: int) -> str:
    """Luck is public; a card that is dealt or drawn is seen by its owner alone."""
    name = outcome_name(o, s, k)
    return name if s.phase == rules.LUCK or seat == s.mover else name.split(" ")[0]


def _cards(counts: Sequence[int]) -> list[int]:
    return [card + 1 for card in range(VALUES) for _ in range(counts[card])]


def to_position(o: Any, s: Any) -> dict[str, Any]:
    """The position."""
    over = s.current_player == TERMINAL
    if not over and (s.current_player < 0 or s.phase != rules.PLAY):
        raise ValueError(f"phase {s.phase}, current_player {s.current_player}: expected a decision or the end")
    position: dict[str, Any] = {"game": ID, "players": o.players, "phase": "over" if over else "turn"}
    position["to_play"] = None if over else s.current_player
    for name, cards in (("hands", s.hand), ("buried", s.buried), ("played", s.played)):
        position[name] = [_cards([cards[seat, card] for card in range(VALUES)]) for seat in range(o.players)]
    position |= {
        "bag": _cards(s.bag),
        "points": [s.points[seat] for seat in range(o.players)],
        "turn": s.turn,
        "winners": [seat for seat in range(o.players) if s.winners[seat]],
    }
    return position | {"truncated": True} if s.truncated else position


def _read_cards(value: Any, where: str) -> list[int]:
    cards = [integer(card, where, 1, VALUES) for card in items(value, where, None, "cards in ascending order")]
    if cards != sorted(cards):
        raise PositionError(f"key '{where}': {value!r}: expected cards in ascending order")
    return cards


def from_position(o: Any, position: Mapping[str, Any], s: Any) -> None:
    """Set the blank record to a position."""
    check_keys(position, KEYS, optional=("truncated", "options"))
    over = word(position, "phase", ("turn", "over")) == "over"
    truncated = position.get("truncated", False)
    if not isinstance(truncated, bool) or (truncated and not over):
        raise PositionError(f"key 'truncated': {truncated!r}: expected true, and only when over")
    left = list(COPIES)
    for name, cards in (("hands", s.hand), ("buried", s.buried), ("played", s.played)):
        for seat, pile in enumerate(items(position[name], name, o.players, "cards a seat")):
            for card in _read_cards(pile, f"{name}[{seat}]"):
                cards[seat, card - 1] += 1
                left[card - 1] -= 1
    bag = _read_cards(position["bag"], "bag")
    if bag != _cards([max(0, n) for n in left]) or min(left) < 0:
        raise PositionError(f"key 'bag': {bag}: with all other cards that isn't the deck")
    for card in range(VALUES):
        s.bag[card] = left[card]
    in_use = plain_twin(rules.total)
    for seat in range(o.players):
        if in_use(s.hand, seat) + in_use(s.played, seat) != HAND:
            raise PositionError(f"key 'hands[{seat}]': with the cards played, expected {HAND}")
    for seat, points in enumerate(items(position["points"], "points", o.players, "points a seat")):
        s.points[seat] = integer(points, f"points[{seat}]", 0, most_points(o))
        if points > 2 * sum(position["played"][seat]):
            raise PositionError(f"key 'points[{seat}]': {points}, more than the cards played can make")
    s.turn = integer(position["turn"], "turn", 0, 2**31 - 1)
    s.phase = rules.PLAY
    decided = plain_twin(rules.is_decided)(o, s)
    if decided and (not over or truncated):
        raise PositionError(f"key 'phase': the game is decided: expected 'over', not truncated: {truncated!r}")
    if over and not decided and not truncated:
        raise PositionError("key 'phase': 'over', but the game is not decided")
    if over != (position["to_play"] is None):
        raise PositionError(f"key 'to_play': {position['to_play']!r}: expected null when over, else a seat")
    s.mover = 0 if over else integer(position["to_play"], "to_play", 0, o.players - 1)
    if not over and in_use(s.hand, s.mover) == 0:
        raise PositionError(f"key 'to_play': seat {s.mover} has no card: it would have been skipped")
    s.current_player = TERMINAL if over else s.mover
    s.truncated = BY_MAX_TURNS if truncated else 0
    stated = seats(position["winners"], "winners", o.players)
    if decided:
        plain_twin(rules.result)(o, s, s.scores, s.ranks, s.winners)
    found = [seat for seat in range(o.players) if s.winners[seat]]
    if stated != found:
        raise PositionError(f"key 'winners': {stated}, but by the points it is {found}")


def scene(o: Any, s: Any, seat: int | None = None, last: Sequence[str] = ()) -> Scene:
    """Points and cards as lines of text; with `seat`, other hands are closed."""
    lines = []
    for k in range(o.players):
        hand = _cards([s.hand[k, card] for card in range(VALUES)])
        shown = " ".join(map(str, hand)) if seat in (None, k) else "?" * len(hand)
        lines.append(f"seat {k}: {s.points[k]} points, cards {shown or 'none'}")
    shapes = tuple(Text(10, 24 * (k + 1), line, anchor="start") for k, line in enumerate(lines))
    return Scene(300, 24 * (o.players + 1), shapes, "card game", tuple((Span(line),) for line in lines))
