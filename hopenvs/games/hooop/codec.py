"""Names of actions: one table gives the catalogue, its length and its documentation."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from hopenvs.core.errors import nearest
from hopenvs.core.jit import plain_twin
from hopenvs.games.hooop.board import LAYOUTS, Layout
from hopenvs.games.hooop.chain import layout_of
from hopenvs.games.hooop.options import Options

CARD_NAMES = ("extra_jump", "parachute", "extra_bridge", "remove_bridge")  # in HO-4's order


def board_of(o: Options) -> Layout:
    """The board with its homes."""
    return LAYOUTS[plain_twin(layout_of)(o)]


@functools.cache
def catalogue(o: Options) -> tuple[str, ...]:
    """Every action's name, in order of its index, in the mover's own view (HO-0; HO: Decisions and phases)."""
    board = board_of(o)
    arcs = [f"{start}>{end}" for a, b in board.edges for start, end in ((a, b), (b, a))]
    edges = [f"{a}-{b}" for a, b in board.edges]
    homes = [
        name
        for home in range(o.players)
        for name in (f"jump H{home}>{_front(o, home)}", f"jump {_front(o, home)}>H{home}")
    ]
    names = [f"jump {arc}" for arc in arcs] + homes
    if o.cards:
        names += [f"chute {arc}" for arc in arcs]
    names += [f"bridge {edge}" for edge in edges]
    if o.cards:
        names += [*(f"remove {edge}" for edge in edges), "end"]
    return tuple(names)


def _front(o: Options, home: int) -> int:
    """The leaf in front of a home: the same number in every view, since homes are turned along."""
    return board_of(o).homes[home]


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
        forms = "jump A>B, chute A>B, bridge A-B, remove A-B or end" if o.cards else "jump A>B or bridge A-B"
        raise ValueError(
            f"unknown action {name!r}{nearest(name, catalogue(o))}: expected {forms}, A and B neighbouring leaves "
            "(with bridges A < B) or a home such as H0 and its leaf, in the view of the seat to play"
        ) from None


def describe(o: Options, s: Any, action: int) -> str:
    """The action with the leaves and homes of the absolute board (HO-0)."""
    return absolute_name(o, s.mover, action_name(o, action))


def told_action(o: Options, s: Any, seat: int, action: int) -> str:
    """The action as a seat calls it: with the leaves and homes of its own view (HO-0)."""
    return _renamed(describe(o, s, action), lambda place: _place_in_view(o, seat, place))


def absolute_name(o: Options, view: int, name: str) -> str:
    """A name in the view of a seat, with the leaves and homes of the absolute board."""
    return _renamed(name, lambda place: _absolute_place(o, view, place))


def _renamed(name: str, rename: Callable[[str], str]) -> str:
    """A name with its places called otherwise; of an edge the lower number comes first."""
    word, _, places = name.partition(" ")
    if not places:
        return name
    sign = ">" if ">" in places else "-"
    ends = [rename(place) for place in places.split(sign)]
    if sign == "-":
        ends.sort(key=int)
    return f"{word} {sign.join(ends)}"


def _place_in_view(o: Options, view: int, place: str) -> str:
    if place.startswith("H"):
        return f"H{(int(place[1:]) - view) % o.players}"
    return str(board_of(o).view(view)[int(place)])


def _absolute_place(o: Options, view: int, place: str) -> str:
    if place.startswith("H"):
        return f"H{(int(place[1:]) + view) % o.players}"
    return str(board_of(o).view(view).index(int(place)))


def outcome_name(o: Options, s: Any, k: int) -> str:
    """Never asked: there is no chance in this game (HO-19)."""
    raise ValueError("this game has no chance points")
