"""What a state holds, the numbers of the actions, and the bridges. Leaves and edges are absolute.

Frogs 3k .. 3k+2 belong to seat k. `occupant[leaf]` is the frog on a leaf, `place[frog]` where a frog is. While a frog
is being pushed two stand on its leaf: `occupant` is the one that has just arrived, `pushed` the one that must go on.
Bridges are the bits of one integer.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hopenvs.core.jit import rule
from hopenvs.games.hooop.board import EDGE, EDGES, ENDS, LEAVES, MAX_LEAVES, NEIGHBOUR, NONE, SPOKES
from hopenvs.games.hooop.chain import HOME, layout_of
from hopenvs.games.hooop.options import MAX_FROGS, MAX_PLAYERS

TURN, PUSH, EXTRA = 0, 1, 2  # phases
NOTHING, JUMP, CHUTE, BRIDGE = 0, 1, 2, 3  # a turn's main action
EXTRA_JUMP, PARACHUTE, EXTRA_BRIDGE, REMOVE_BRIDGE = 1, 2, 4, 8  # bits of a seat's unused cards, in HO-4's order
ALL_CARDS = 15

FIELDS = [
    ("bridges", np.int64),  # bit e: edge e has a bridge; home bridges aren't listed (HO-3)
    ("links", np.int32, (MAX_LEAVES,)),  # the same by leaves: bit b of links[a], a bridge between leaves a and b
    ("occupant", np.int8, (MAX_LEAVES,)),  # the frog on each leaf, or NONE
    ("place", np.int8, (MAX_PLAYERS * MAX_FROGS,)),  # each frog's leaf, or HOME + the home, or NONE: not in the game
    ("in_home", np.int8, (MAX_PLAYERS, MAX_PLAYERS)),  # [seat, home] how many frogs of the seat are there
    ("cards", np.int8, (MAX_PLAYERS,)),  # each seat's unused cards, as bits
    ("mover", np.int8),  # the seat whose turn it is
    ("phase", np.int8),
    ("kind", np.int8),  # the turn's main action so far
    ("card_used", np.int8),  # 1 from the moment a card is used this turn
    ("pushed", np.int8),  # the frog that must jump on (HO-7), or NONE
    ("last_jump", np.int8),  # the leaf of the frog that may jump again (HO-14), or NONE
]

INTERCHANGEABLE = ("occupant", "place", "pushed")  # frogs of one seat are alike: their numbers may differ


# ---- the action catalogue: jumps | homes | chutes | bridges | removals | end -----------------------------------------
# Jumps, chutes, bridges and removals are numbered in the mover's view (HO-0).
@rule
def first_home(o: Any) -> int:
    """The index of `jump H0>L`; then `jump L>H0`, `jump H1>L` and so on."""
    return 2 * EDGES[layout_of(o)]


@rule
def first_chute(o: Any) -> int:
    """The index of the first parachute jump (with cards)."""
    return first_home(o) + 2 * o.players


@rule
def first_bridge(o: Any) -> int:
    """The index of the first bridge to place."""
    return first_chute(o) + (2 * EDGES[layout_of(o)] if o.cards else 0)


@rule
def first_removal(o: Any) -> int:
    """The index of the first bridge to remove (with cards)."""
    return first_bridge(o) + EDGES[layout_of(o)]


@rule
def end(o: Any) -> int:
    """The index of `end` (with cards)."""
    return first_removal(o) + EDGES[layout_of(o)]


# ---- bridges ---------------------------------------------------------------------------------------------------------
@rule
def all_bridges(o: Any) -> int:
    """A bit for every edge of the board."""
    return (1 << EDGES[layout_of(o)]) - 1


@rule
def has_bridge(s: Any, edge: int) -> bool:
    """Whether an edge has a bridge."""
    return (s.bridges >> edge) & 1 == 1


@rule
def turn_bridge(o: Any, s: Any, edge: int) -> None:
    """A bridge goes where there is none, or away where there is one."""
    layout = layout_of(o)
    a = ENDS[layout, edge, 0]
    b = ENDS[layout, edge, 1]
    s.bridges ^= 1 << edge
    s.links[a] ^= 1 << b
    s.links[b] ^= 1 << a


@rule
def link(o: Any, s: Any) -> None:
    """Write `links` as `bridges` has it."""
    layout = layout_of(o)
    for leaf in range(LEAVES[layout]):
        ways = 0
        for spoke in range(SPOKES[layout, leaf]):
            if has_bridge(s, EDGE[layout, leaf, spoke]):
                ways |= 1 << NEIGHBOUR[layout, leaf, spoke]
        s.links[leaf] = ways


@rule
def holds(s: Any, seat: int, card: int) -> bool:
    """Whether a seat has not used a card yet."""
    return s.cards[seat] & card != 0


@rule
def frog_at_home(o: Any, s: Any) -> int:
    """A frog of the mover's on its own home."""
    for frog in range(MAX_FROGS * s.mover, MAX_FROGS * s.mover + o.frogs):
        if s.place[frog] == HOME + s.mover:
            return frog
    return NONE
