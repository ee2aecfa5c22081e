"""Chains of pushed frogs, looked ahead exactly (HO-6 to HO-12): can a frog land here?

A frog that lands on another pushes it; the pushed one must jump on over a bridge that is still there, and may push the
next. The chain is a trail: every bridge serves once, a leaf may be visited again. It ends well on an empty leaf, or in
a home that the pushed frog may enter. Leaves on the trail stay occupied, only by other frogs; so if an empty leaf can
be reached at all, a path without repetition reaches it, and a flood fill decides. The same holds for a home that the
frog in front of it may enter. What is left is rare: a frog whose colour has filled its quota there (HO-10) stands in
front of a home, and a chain that comes back to that leaf would push another one. Only a search over trails knows.
"""

from __future__ import annotations

from typing import Any

from hopenvs.core.bits import bit_number, count_bits, lowest_bit
from hopenvs.core.jit import rule
from hopenvs.games.hooop.board import BACK, EDGE, HOME_AT, NEIGHBOUR, NONE, SPOKES, SQUARE5_FOR_FOUR
from hopenvs.games.hooop.options import MAX_FROGS

HOME = 32  # `place` of a frog in home k is HOME + k

NO, YES, PERHAPS = 0, 1, 2

_SPOKE_BITS = 3  # of a step of a trail; twelve frogs or fewer have at most 17 bridges between them


@rule
def layout_of(o: Any) -> int:
    """The board with its homes (`board.LAYOUTS`)."""
    return SQUARE5_FOR_FOUR if o.players == 4 else o.board


@rule
def owner(frog: int) -> int:
    """The seat a frog belongs to."""
    return frog // MAX_FROGS


@rule
def quota(o: Any) -> int:
    """HO-10, HO-21: how many frogs of one colour an opponent's home takes."""
    return o.frogs if o.players == 2 else 5 - o.players


@rule
def can_enter(o: Any, s: Any, seat: int, home: int) -> bool:
    """HO-10, HO-11: whether a frog of the seat's may go into a home; into its own it always may."""
    return home == seat or s.in_home[seat, home] < quota(o)


@rule
def leaves_taken(o: Any, s: Any) -> int:
    """The leaves with a frog, as bits."""
    taken = 0
    for frog in range(MAX_FROGS * o.players):
        taken |= 1 << (s.place[frog] & 63)  # homes and NONE lie above the leaves: no branches
    return taken & (1 << HOME) - 1


@rule
def can_land(o: Any, s: Any, frog: int, origin: int, leaf: int, taken: int) -> bool:
    """HO-12: whether a frog may arrive on a leaf, the chain that follows included.

    Args:
        o: the options.
        s: the state before the jump; it is the same afterwards.
        frog: the frog that arrives.
        origin: the neighbouring leaf it comes from, or NONE: from a home. A bridge between the two is gone.
        leaf: where it arrives.
        taken: the leaves with a frog when it has jumped off, as bits.
    """
    if (taken >> leaf) & 1 == 0:
        return True
    behind = 0 if origin == NONE else 1 << origin  # no bridge leads back there
    if s.links[leaf] & ~(taken | behind) != 0:  # the pushed frog has room next to it
        return True
    verdict = flood(o, s, origin, leaf, taken)
    if verdict != PERHAPS:
        return verdict == YES
    vacates = origin != NONE and (taken >> origin) & 1 == 0
    pushed = s.occupant[leaf]
    s.occupant[leaf] = frog
    if vacates:
        s.occupant[origin] = NONE
    found = search_trails(o, s, pushed, leaf, bridges_without(o, s, origin, leaf))
    s.occupant[leaf] = pushed
    if vacates:
        s.occupant[origin] = frog
    return found


@rule
def bridges_without(o: Any, s: Any, origin: int, leaf: int) -> int:
    """The bridges, as bits, without the one between two leaves if there is one; `origin` may be NONE."""
    layout = layout_of(o)
    bridges = s.bridges
    if origin != NONE:
        for spoke in range(SPOKES[layout, origin]):
            if NEIGHBOUR[layout, origin, spoke] == leaf:
                bridges &= ~(1 << EDGE[layout, origin, spoke])
    return bridges


@rule
def flood(o: Any, s: Any, origin: int, start: int, taken: int) -> int:
    """Whether the frog pushed on `start` starts a chain that ends, judged by paths without repetition.

    PERHAPS: not by such a path, but a frog that may not enter a home stands in front of it, and enough bridges meet
    there for a trail to come back and push another frog.
    """
    layout = layout_of(o)
    verdict = NO
    seen = 1 << start
    waiting = seen
    while waiting != 0:
        lowest = lowest_bit(waiting)
        waiting ^= lowest
        leaf = bit_number(lowest)
        ways = s.links[leaf]
        if origin != NONE:  # the bridge between them is gone
            if leaf == start:
                ways &= ~(1 << origin)
            elif leaf == origin:
                ways &= ~(1 << start)
        if ways & ~taken != 0:
            return YES
        waiting |= ways & ~seen
        seen |= ways
        home = HOME_AT[layout, leaf]
        if home != NONE:
            if can_enter(o, s, owner(s.occupant[leaf]), home):
                return YES
            if count_bits(ways) >= (2 if leaf == start else 3):  # out and in again, or in, out and in again
                verdict = PERHAPS
    return verdict


@rule
def search_trails(o: Any, s: Any, pushed: int, leaf: int, bridges: int) -> bool:
    """Whether some trail lets the frog `pushed` off `leaf` and ends well: depth first, every trail.

    `s.occupant` is moved along with the trail and put back. The way back is kept in the bits of one integer.
    """
    layout = layout_of(o)
    trail = 0
    depth = 0
    spoke = 0
    found = False
    while True:
        if spoke == 0:
            home = HOME_AT[layout, leaf]
            found = found or (home != NONE and can_enter(o, s, owner(pushed), home))
        if not found and spoke < SPOKES[layout, leaf]:
            edge = EDGE[layout, leaf, spoke]
            if (bridges >> edge) & 1 == 0:
                spoke += 1
                continue
            to = NEIGHBOUR[layout, leaf, spoke]
            if s.occupant[to] == NONE:
                found = True
                continue
            bridges &= ~(1 << edge)
            trail = (trail << _SPOKE_BITS) | BACK[layout, leaf, spoke]
            depth += 1
            arriving = pushed
            pushed = s.occupant[to]
            s.occupant[to] = arriving
            leaf = to
            spoke = 0
            continue
        if depth == 0:
            return found
        back = trail & 7
        trail >>= _SPOKE_BITS
        depth -= 1
        bridges |= 1 << EDGE[layout, leaf, back]
        spoke = BACK[layout, leaf, back] + 1
        arriving = s.occupant[leaf]
        s.occupant[leaf] = pushed
        pushed = arriving
        leaf = NEIGHBOUR[layout, leaf, back]
