"""What may be done: the mask of legal actions, and whether a card is still of use."""

from __future__ import annotations

from typing import Any

from hopenvs.core.bits import bit_number, lowest_bit
from hopenvs.core.jit import rule
from hopenvs.games.hooop.board import (
    EDGE_IN_VIEW,
    EDGES,
    HOME_AT,
    HOME_LEAF,
    MOST_SPOKES,
    NEIGHBOUR,
    NONE,
    SPOKES,
    VIEW_ARC,
    VIEW_ARC_TO,
)
from hopenvs.games.hooop.chain import HOME, can_enter, can_land, layout_of, leaves_taken, owner
from hopenvs.games.hooop.options import MAX_FROGS
from hopenvs.games.hooop.table import (
    BRIDGE,
    EXTRA,
    EXTRA_BRIDGE,
    EXTRA_JUMP,
    JUMP,
    PARACHUTE,
    PUSH,
    REMOVE_BRIDGE,
    TURN,
    all_bridges,
    end,
    first_bridge,
    first_chute,
    first_home,
    first_removal,
    frog_at_home,
    holds,
)


@rule
def action_mask(o: Any, s: Any, seat: int, mask: Any) -> None:
    """Set the legal actions of the seat to move; `mask` [A]. HO-17: a turn always has one."""
    first, end_of = frogs_to_jump(o, s)
    taken = leaves_taken(o, s)
    chutes = s.phase == TURN and holds(s, s.mover, PARACHUTE)
    for frog in range(first, end_of):
        if s.place[frog] < HOME:
            without = taken_without(s, frog, taken)
            mask_jumps(o, s, frog, without, mask)
            if chutes:
                mask_chutes(o, s, frog, without, mask)
    if s.phase == TURN:
        mask_home(o, s, taken, mask)
        mask_gaps(o, s, mask)
    elif s.phase == EXTRA:
        mask_cards(o, s, mask)


@rule
def frogs_to_jump(o: Any, s: Any) -> tuple[int, int]:
    """The frogs that may jump from leaf to leaf, first and one past the last: one's own, the pushed one, or one again.

    HO-5, HO-7, HO-14; those in homes are among them.
    """
    if s.phase == TURN:
        return MAX_FROGS * s.mover, MAX_FROGS * s.mover + o.frogs
    if s.phase == PUSH:
        return s.pushed, s.pushed + 1
    if may_jump_again(o, s):
        return s.occupant[s.last_jump], s.occupant[s.last_jump] + 1
    return 0, 0


@rule
def mask_home(o: Any, s: Any, taken: int, mask: Any) -> None:
    """HO-5: a frog jumps from its home; `taken` as in `can_land`."""
    mover = s.mover
    leaf = HOME_LEAF[layout_of(o), mover]
    if s.in_home[mover, mover] > 0:
        free = (taken >> leaf) & 1 == 0
        mask[first_home(o)] = free or can_land(o, s, frog_at_home(o, s), NONE, leaf, taken)


@rule
def mask_jumps(o: Any, s: Any, frog: int, taken: int, mask: Any) -> None:
    """The jumps over bridges (HO-6) and into a home of a frog that stands on a leaf; `taken` as in `can_land`."""
    layout = layout_of(o)
    mover = s.mover
    leaf = s.place[frog]
    ways = s.links[leaf]
    for spoke in range(MOST_SPOKES[layout]):  # onto empty leaves, nothing to guess
        mask[VIEW_ARC[layout, mover, leaf, spoke]] = ((ways & ~taken) >> NEIGHBOUR[layout, leaf, spoke]) & 1
    full = ways & taken
    while full != 0:
        to = bit_number(lowest_bit(full))
        full ^= lowest_bit(full)
        mask[VIEW_ARC_TO[layout, mover, leaf, to]] = can_land(o, s, frog, leaf, to, taken)
    home = HOME_AT[layout, leaf]
    if home != NONE and can_enter(o, s, owner(frog), home):
        mask[first_home(o) + 2 * ((home - mover + o.players) % o.players) + 1] = 1


@rule
def mask_chutes(o: Any, s: Any, frog: int, taken: int, mask: Any) -> None:
    """HO-13: the jumps of a frog that stands on a leaf where there is no bridge; `taken` as in `can_land`."""
    layout = layout_of(o)
    leaf = s.place[frog]
    for spoke in range(SPOKES[layout, leaf]):
        to = NEIGHBOUR[layout, leaf, spoke]
        if (s.links[leaf] >> to) & 1 == 0 and can_land(o, s, frog, leaf, to, taken):
            mask[first_chute(o) + VIEW_ARC[layout, s.mover, leaf, spoke]] = 1


@rule
def taken_without(s: Any, frog: int, taken: int) -> int:
    """The leaves taken when a frog has jumped off its leaf, as bits: a pushed one leaves another behind."""
    return taken if frog == s.pushed else taken ^ (1 << s.place[frog])


@rule
def mask_gaps(o: Any, s: Any, mask: Any) -> None:
    """HO-5, HO-15: a bridge between any two neighbouring leaves that have none."""
    layout = layout_of(o)
    first = first_bridge(o)
    mover = s.mover
    bridges = s.bridges
    for edge in range(EDGES[layout]):  # of the view: stores in a row and no branches make this loop the fastest
        mask[first + edge] = 1 ^ ((bridges >> EDGE_IN_VIEW[layout, mover, edge]) & 1)


@rule
def mask_cards(o: Any, s: Any, mask: Any) -> None:
    """After the main action: a card for bridges (HO-15, HO-16), or `end`."""
    layout = layout_of(o)
    if s.kind == BRIDGE and holds(s, s.mover, EXTRA_BRIDGE):
        mask_gaps(o, s, mask)
    if holds(s, s.mover, REMOVE_BRIDGE):
        first = first_removal(o)
        for edge in range(EDGES[layout]):  # of the view
            mask[first + edge] = (s.bridges >> EDGE_IN_VIEW[layout, s.mover, edge]) & 1
    mask[end(o)] = 1


@rule
def may_jump_again(o: Any, s: Any) -> bool:
    """HO-14: whether the card may be used; the jump itself may still be impossible."""
    return s.last_jump != NONE and s.kind == JUMP and holds(s, s.mover, EXTRA_JUMP)


@rule
def any_extra(o: Any, s: Any) -> bool:
    """Whether anything besides `end` is possible after the main action (C-4)."""
    mover = s.mover
    if holds(s, mover, REMOVE_BRIDGE) and s.bridges != 0:
        return True
    if s.kind == BRIDGE and holds(s, mover, EXTRA_BRIDGE) and s.bridges != all_bridges(o):
        return True
    return may_jump_again(o, s) and any_jump(o, s, s.occupant[s.last_jump])


@rule
def any_jump(o: Any, s: Any, frog: int) -> bool:
    """Whether a frog on a leaf can jump at all."""
    layout = layout_of(o)
    leaf = s.place[frog]
    ways = s.links[leaf]
    taken = taken_without(s, frog, leaves_taken(o, s))
    if ways & ~taken != 0:
        return True
    while ways != 0:
        to = bit_number(lowest_bit(ways))
        ways ^= lowest_bit(ways)
        if can_land(o, s, frog, leaf, to, taken):
            return True
    home = HOME_AT[layout, leaf]
    return home != NONE and can_enter(o, s, owner(frog), home)
