"""Names of actions and outcomes: one table gives the catalogue, its length and its documentation."""

from __future__ import annotations

import functools
from typing import Any

from hopenvs.core.errors import nearest
from hopenvs.core.jit import plain_twin
from hopenvs.games.hedgehog_hop.cards import CARDS, NAMES, take
from hopenvs.games.hedgehog_hop.puzzler import rules
from hopenvs.games.hedgehog_hop.puzzler.options import Options
from hopenvs.games.hedgehog_hop.puzzler.table import size_for

SOURCES = ("hand", "backup")


@functools.cache
def catalogue(o: Options) -> tuple[str, ...]:
    """Every action's name, in order of its index (HH: Decisions)."""
    size = size_for(o.players)
    columns = [f"c{size.left + column}" for column in range(size.columns)]
    rows = [f"r{size.bottom + row}" for row in range(size.rows)]
    return (
        *(
            f"{source} {name} {line}"
            for source in SOURCES
            for card, name in enumerate(NAMES)
            for line in (columns if card < rules.HOPS else rows)
        ),
        *(f"discard {name}" for name in NAMES),
        *(f"steal left{left} {name}" for left in range(1, o.players) for name in NAMES),
        "no steal",
    )


@functools.cache
def _index(o: Options) -> dict[str, int]:
    return {name: action for action, name in enumerate(catalogue(o))}


def action_name(o: Options, action: int) -> str:
    """The catalogue's name of an action."""
    return catalogue(o)[action]


def parse_action(o: Options, name: str) -> int:
    """The action of a name; ValueError if there is none."""
    try:
        return _index(o)[name]
    except (KeyError, TypeError):
        raise ValueError(
            f"unknown action {name!r}{nearest(name, catalogue(o))}: expected hand|backup CARD cX|rY, discard CARD, "
            "steal leftK CARD or no steal; a hop enters a column, a groove or slide a row"
        ) from None


def describe(o: Options, s: Any, action: int) -> str:
    """The action in absolute words: a steal names the seat."""
    name = action_name(o, action)
    if not name.startswith("steal "):
        return name
    _, left, card = name.split(" ")
    return f"steal {card} of player {(s.mover + int(left.removeprefix('left'))) % o.players}"


def told_outcome(o: Options, s: Any, seat: int, k: int) -> str:
    """What a seat learns of a card: the hands are dealt unseen (HH-12), all else lies open."""
    told = outcome_name(o, s, k)
    owner = s.dealt // size_for(o.players).hand
    if s.phase != rules.DEAL or owner == seat or owner >= o.players:  # beyond the last hand comes the mob
        return told
    return f"deal a card for player {owner}"


def outcome_name(o: Options, s: Any, k: int) -> str:
    """`deal green-rave-hop` in the set-up, `draw green-rave-hop` later."""
    pile = [s.draw[card] for card in range(CARDS)]
    verb = "deal" if s.phase == rules.DEAL else "draw"
    return f"{verb} {NAMES[plain_twin(take)(pile, k)]}"
