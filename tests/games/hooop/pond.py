"""Positions of Hooop! in a few words.

Frogs are a string a seat: `"22 17 H0"`. Bridges are all of the board's but those named, or only those named.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hopenvs.core.options import changed_options, parse_options
from hopenvs.core.walk import Walk, walk_of
from hopenvs.games import hooop
from hopenvs.games.hooop.codec import board_of
from hopenvs.games.hooop.options import BOARDS

GAME: Any = hooop  # Any: a package's imported names count as its own here

CARDS = ("extra_jump", "parachute", "extra_bridge", "remove_bridge")
ALL = " ".join(CARDS)


def options_of(**keywords: Any) -> Any:
    """Compiled options; two players if nothing else is said."""
    return parse_options(GAME, keywords)


def new_game(**keywords: Any) -> Walk:
    """The start of a game."""
    return walk_of(GAME, options_of(**keywords))


def position_of(
    *places: str,
    without: str = "",
    only: str | None = None,
    hands: Sequence[str] | None = None,
    phase: str = "turn",
    to_play: int | None = 0,
    turn: int = 10,
    pushed: tuple[int, int] | None = None,
    last_jump: int | None = None,
    kind: str | None = None,
    card_used: bool = False,
    winners: Sequence[int] = (),
    **options: Any,
) -> dict[str, Any]:
    """A position.

    Args:
        places: of the frogs, a string a seat, leaves first.
        without: edges without a bridge, `"1-2 3-8"`; all others have one.
        only: instead: the only edges that have one.
        hands: a string of unused cards a seat; by default nobody has any.
        phase: as in the position.
        to_play: as in the position.
        turn: as in the position.
        pushed: (leaf, owner).
        last_jump: as in the position.
        kind: `action_kind`.
        card_used: as in the position.
        winners: as in the position.
        **options: of the game.
    """
    o = options_of(players=len(places), **options)
    edges = [f"{a}-{b}" for a, b in board_of(o).edges]
    named = (without if only is None else only).split()
    assert not set(named) - set(edges), f"no edges: {set(named) - set(edges)}"
    position: dict[str, Any] = {
        "game": "hooop",
        "players": len(places),
        "board": BOARDS[o.board],
        "phase": phase,
        "to_play": to_play,
        "turn": turn,
        "frogs": [[int(p) if p.isdigit() else p for p in seat.split()] for seat in places],
        "bridges": [edge for edge in edges if (edge in named) == (only is not None)],
        "cards": [hand.split() for hand in hands] if hands is not None else [[] for _ in places],
        "card_used": card_used,
        "pushed": None if pushed is None else {"leaf": pushed[0], "owner": pushed[1]},
        "last_jump": last_jump,
        "action_kind": kind,
        "winners": list(winners),
    }
    changed = changed_options(GAME, o, for_position=True)
    return position | {"options": changed} if changed else position


def pond(*places: str, names: Sequence[str] = (), **keywords: Any) -> Walk:
    """A game at a position (see `position_of`), some moves played by name."""
    known = {option.name for option in hooop.OPTIONS}
    options = {name: value for name, value in keywords.items() if name in known}
    o = options_of(players=len(places), **options)
    return walk_of(GAME, o, position_of(*places, **keywords), names)


def jumps(walk: Walk) -> list[str]:
    """The legal jumps, parachutes left out."""
    return [name for name in walk.legal_names() if name.startswith("jump")]


def leaps(walk: Walk) -> list[str]:
    """The legal parachute jumps."""
    return [name for name in walk.legal_names() if name.startswith("chute")]


def play(walk: Walk, *names: str) -> Walk:
    """Play some moves by name; the same walk."""
    for name in names:
        walk.play_named(name)
    return walk
