"""Pond Race: a whole game in one file, made up for this example; `14_your_own_game.py` plays it and trains on it.

PR-1  Two to four players, two frogs each, all on the near bank of a pond with a row of lily pads.
PR-2  At the start of a turn a die says 1, 2 or 3.
PR-3  The player hops one of its frogs that many pads ahead; what is beyond the last pad is the far bank, for good.
PR-4  A frog that lands on a pad sends every other player's frogs on it back to the near bank.
PR-5  Who first has both frogs on the far bank wins. After `max_turns` turns the game is cut short.

What each member is for stands in `hopenvs/core/game.py`; what a rule may use, in `hopenvs/core/README.md`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from hopenvs.core.errors import PositionError
from hopenvs.core.game import Section, Spec
from hopenvs.core.jit import rule
from hopenvs.core.options import Option
from hopenvs.core.position import check_keys, integer, items, seats, word
from hopenvs.core.state import BY_MAX_TURNS, CHANCE, TERMINAL, finish_turn, rank_by
from hopenvs.render.scene import Circle, Group, Rect, Scene, Text, plain, seat_colour

# ---- facts -----------------------------------------------------------------------------------------------------------
ID = "pond_race"
VERSION = 0
SEATS, FROGS, FACES, MOST_PADS = 4, 2, 3, 20

OPTIONS: tuple[Option, ...] = (
    Option("players", 2, "How many play.", 2, SEATS, clause="PR-1"),
    Option("pads", 8, "Lily pads in the row.", 1, MOST_PADS, clause="PR-1"),
    Option(
        "max_turns", 500, "Turns after which the game is cut short.", 1, 2**31 - 1, in_position=False, clause="PR-5"
    ),
)


class Options(NamedTuple):
    """The options as the rules read them."""

    players: int = 2
    pads: int = 8
    max_turns: int = 500


def complete_options(codes: Mapping[str, Any]) -> dict[str, Any]:
    """Nothing follows from anything."""
    return dict(codes)


def check_options(o: Any) -> None:
    """Everything goes with everything."""


def spec(o: Any) -> Spec:
    """Two actions, one a frog; all is open; chance is the die."""
    return Spec(
        num_players=o.players,
        num_actions=FROGS,
        sections=(
            Section("frogs", (o.players, FROGS), 0, o.pads + 1, "Where frogs are, players counted from the observer."),
            Section("die", (1,), 0, FACES, "What the die says; 0 when the game is over."),
        ),
        record_seats=SEATS,
        max_turns=o.max_turns,
    )


def fields(o: Any) -> list[tuple[Any, ...]]:
    """What a record holds, beside the header that all games share."""
    return [("frog", np.int8, (SEATS, FROGS)), ("die", np.int8), ("mover", np.int8)]


# ---- rules: compiled -------------------------------------------------------------------------------------------------
@rule
def setup(o: Any, s: Any) -> None:
    """PR-1: a blank record has all frogs at 0, the near bank; the die of seat 0 comes first."""
    s.current_player = CHANCE


@rule
def num_outcomes(o: Any, s: Any) -> int:
    """PR-2."""
    return FACES


@rule
def outcome_weight(o: Any, s: Any, k: int) -> int:
    """PR-2: each face as likely."""
    return 1


@rule
def apply_chance(o: Any, s: Any, k: int) -> None:
    """PR-2: the die lies there, and its player is to move."""
    s.die = 1 + k
    s.current_player = s.mover


@rule
def action_mask(o: Any, s: Any, seat: int, mask: Any) -> None:
    """PR-3: frogs on the far bank stay there; one of the two isn't there yet, else the game would be over."""
    for frog in range(FROGS):
        if s.frog[seat, frog] <= o.pads:
            mask[frog] = 1


@rule
def apply(o: Any, s: Any, action: int) -> None:
    """PR-3 to PR-5: the hop, and what comes of it."""
    seat = s.current_player
    place = min(s.frog[seat, action] + s.die, o.pads + 1)
    s.frog[seat, action] = place
    if place <= o.pads:
        send_back(o, s, seat, place)
    s.die = 0
    if has_won(o, s, seat):
        s.turn += 1
        s.current_player = TERMINAL
    elif not finish_turn(o, s):
        s.mover = (seat + 1) % o.players
        s.current_player = CHANCE


@rule
def send_back(o: Any, s: Any, seat: int, pad: int) -> None:
    """PR-4."""
    for other in range(o.players):
        for frog in range(FROGS):
            if other != seat and s.frog[other, frog] == pad:
                s.frog[other, frog] = 0


@rule
def has_won(o: Any, s: Any, seat: int) -> bool:
    """PR-5."""
    return s.frog[seat, 0] > o.pads and s.frog[seat, 1] > o.pads


@rule
def progress(s: Any, seat: int) -> int:
    """How far a player's frogs have come, together."""
    return s.frog[seat, 0] + s.frog[seat, 1]


@rule
def result(o: Any, s: Any, scores: Any, ranks: Any, winners: Any) -> None:
    """PR-5: one wins; the others rank by how far they have come."""
    for seat in range(o.players):
        scores[seat] = progress(s, seat) + (1 if has_won(o, s, seat) else 0)  # nobody else can have come as far
    rank_by(o.players, scores, ranks)
    for seat in range(o.players):
        winners[seat] = 1 if has_won(o, s, seat) else 0
        scores[seat] = 0  # the game has no points


@rule
def observe(o: Any, s: Any, seat: int, obs: Any) -> None:
    """As `spec` lays it out."""
    for offset in range(o.players):
        for frog in range(FROGS):
            obs[FROGS * offset + frog] = s.frog[(seat + offset) % o.players, frog]
    obs[FROGS * o.players] = s.die


@rule
def evaluate(o: Any, s: Any, seat: int) -> float:
    """The lead over the best other player, in pads: what `greedy` and the searches go by."""
    best = 0
    for other in range(o.players):
        if other != seat:
            best = max(best, progress(s, other))
    return 1.0 * (progress(s, seat) - best)


@rule
def resample_hidden(o: Any, s: Any, seat: int, rng: Any) -> None:
    """Nothing is hidden."""


@rule
def key(o: Any, s: Any, out: Any) -> int:
    """The frogs, the die, and whose it is."""
    for seat in range(o.players):
        for frog in range(FROGS):
            out[FROGS * seat + frog] = s.frog[seat, frog]
    out[FROGS * o.players] = s.die
    out[FROGS * o.players + 1] = s.mover
    return FROGS * o.players + 2


# ---- names: for people -----------------------------------------------------------------------------------------------
NAMES = tuple(f"hop {1 + frog}" for frog in range(FROGS))


def action_name(o: Any, action: int) -> str:
    """Such as `hop 1`."""
    return NAMES[action]


def parse_action(o: Any, name: str) -> int:
    """The inverse of `action_name`; ValueError for anything else."""
    if name not in NAMES:
        raise ValueError(f"unknown action {name!r}: expected one of {', '.join(NAMES)}")
    return NAMES.index(name)


def describe(o: Any, s: Any, action: int) -> str:
    """Who hops from where to where."""
    start = s.frog[s.current_player, action]
    return f"player {s.current_player} hops from {start} to {min(start + s.die, o.pads + 1)}"


def outcome_name(o: Any, s: Any, k: int) -> str:
    """Such as `die 3`."""
    return f"die {1 + k}"


# ---- positions -------------------------------------------------------------------------------------------------------
KEYS = ("game", "players", "phase", "to_play", "frogs", "die", "turn", "winners")


def to_position(o: Any, s: Any) -> dict[str, Any]:
    """A position that people can read and write."""
    over = s.current_player == TERMINAL
    position: dict[str, Any] = {
        "game": ID,
        "players": o.players,
        "phase": "over" if over else "hop",
        "to_play": None if over else s.current_player,
        "frogs": [[s.frog[seat, frog] for frog in range(FROGS)] for seat in range(o.players)],
        "die": s.die or None,  # still there if a forfeit ended the game
        "turn": s.turn,
        "winners": [seat for seat in range(o.players) if s.winners[seat]],
    }
    return position | {"truncated": True} if s.truncated else position


def from_position(o: Any, position: Mapping[str, Any], s: Any) -> None:
    """The inverse; what can't be is refused by the name of the key."""
    check_keys(position, KEYS, optional=("truncated", "options"))
    over = word(position, "phase", ("hop", "over")) == "over"
    truncated = position.get("truncated", False)
    if not isinstance(truncated, bool) or (truncated and not over):
        raise PositionError(f"key 'truncated': {truncated!r}: expected true, and only when over")
    s.turn = integer(position["turn"], "turn", 0, 2**31 - 1 if over else o.max_turns - 1)
    frogs = []
    for seat, own in enumerate(items(position["frogs"], "frogs", o.players, "the frogs of each player")):
        own = items(own, f"frogs[{seat}]", FROGS, "places of frogs")
        frogs.append([integer(place, f"frogs[{seat}][{frog}]", 0, o.pads + 1) for frog, place in enumerate(own)])
        for frog in range(FROGS):
            s.frog[seat, frog] = frogs[seat][frog]
    on_pads = [{place for place in own if 0 < place <= o.pads} for own in frogs]
    if sum(map(len, on_pads)) > len(set().union(*on_pads)):
        raise PositionError("key 'frogs': frogs of two players on one pad: expected the later one alone")
    across = [seat for seat, own in enumerate(frogs) if min(own) > o.pads]
    if len(across) != (1 if over and not truncated else 0):
        raise PositionError(f"key 'phase': {position['phase']!r}, and players {across} have both frogs on the far bank")
    if over and (position["to_play"], position["die"]) != (None, None):
        raise PositionError("keys 'to_play' and 'die': expected null, as the game is over")
    if over:
        s.current_player = TERMINAL
        s.truncated = BY_MAX_TURNS if truncated else 0
    else:
        s.current_player = s.mover = integer(position["to_play"], "to_play", 0, o.players - 1)
        s.die = integer(position["die"], "die", 1, FACES)
    stated = seats(position["winners"], "winners", o.players)
    if stated != across:
        raise PositionError(f"key 'winners': {stated}: expected {across}")
    for seat in across:
        s.winners[seat] = 1


# ---- a picture -------------------------------------------------------------------------------------------------------
STEP, PAD = 44, 19  # from pad to pad, half a pad's width, pixels


def scene(o: Any, s: Any, seat: int | None = None, last: Sequence[str] = ()) -> Scene:
    """The pond from bank to bank, and the same as text: a line for each player."""
    width, height = STEP * (o.pads + 3), STEP * (o.players + 1)
    shapes: list[Any] = [
        Rect(0, 0, width, height, fill="paper"),
        Rect(STEP, 0, STEP * (o.pads + 1), height, fill="panel"),
    ]
    for pad in range(1, o.pads + 1):  # one pad for all: a tall leaf, with room for every player's frogs
        shapes.append(Rect(STEP * (pad + 1) - PAD, STEP / 2, 2 * PAD, STEP * o.players, r=PAD, stroke="line"))
    lines = [", ".join([f"turn {s.turn}", *last])]
    for player in range(o.players):
        y = STEP * (player + 1)
        row = [""] * (o.pads + 2)
        for frog in range(FROGS):
            place, up = s.frog[player, frog], (frog - 0.5) * PAD
            row[place] += str(player)
            mark = (
                Circle(0, 0, PAD / 2, fill=seat_colour(player), stroke=seat_colour(player, "deep")),
                Text(0, 0, str(1 + frog), size=12, fill=seat_colour(player, "ink"), middle=True),
            )
            shapes.append(Group(mark, x=STEP * (place + 1.0) - STEP / 2 * (place == 0), y=y + up))
        turn = s.current_player == player
        if turn:
            shapes.append(Text(STEP / 2, y - PAD - 8, f"die {s.die}", size=12, fill="accent"))
        told = " ".join(f"{frogs or '.':>2}" for frogs in row)
        lines.append(f"player {player}: {told}" + (f"  die {s.die}" if turn else ""))
    return Scene(width, height, tuple(shapes), "Pond Race", tuple(map(plain, lines)))
