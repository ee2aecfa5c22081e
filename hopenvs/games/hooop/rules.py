"""The rules of Hooop!, compiled. Clauses are those of README.md beside this file; leaves and edges are absolute.

Frogs 3k .. 3k+2 belong to seat k. `occupant[leaf]` is the frog on a leaf, `place[frog]` where a frog is. While a frog
is being pushed two stand on its leaf: `occupant` is the one that has just arrived, `pushed` the one that must go on.
Bridges are the bits of one integer. What may be jumped is found in `chain.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hopenvs.core.bits import bit_number, lowest_bit
from hopenvs.core.jit import rule
from hopenvs.core.state import TERMINAL, finish_turn, rank_by
from hopenvs.games.hooop.board import (
    ARC_LEAF,
    ARC_SPOKE,
    EDGE,
    EDGE_IN_VIEW,
    EDGES,
    ENDS,
    HOME_AT,
    HOME_LEAF,
    LEAVES,
    MAX_LEAVES,
    MOST_SPOKES,
    NEIGHBOUR,
    NONE,
    SPOKES,
    VIEW_ARC,
    VIEW_ARC_TO,
)
from hopenvs.games.hooop.chain import HOME, can_enter, can_land, layout_of, leaves_taken, owner
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


# ---- what may be done ------------------------------------------------------------------------------------------------
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


# ---- what happens then -----------------------------------------------------------------------------------------------
@rule
def setup(o: Any, s: Any) -> None:
    """HO-3, HO-4: every bridge, all frogs at home, all cards."""
    s.bridges = all_bridges(o)
    link(o, s)
    for leaf in range(MAX_LEAVES):
        s.occupant[leaf] = NONE
    for frog in range(MAX_PLAYERS * MAX_FROGS):
        s.place[frog] = NONE
    for seat in range(o.players):
        for frog in range(MAX_FROGS * seat, MAX_FROGS * seat + o.frogs):
            s.place[frog] = HOME + seat
        s.in_home[seat, seat] = o.frogs
        s.cards[seat] = ALL_CARDS if o.cards else 0
    s.mover = 0
    s.pushed = NONE
    begin_turn(s)


@rule
def begin_turn(s: Any) -> None:
    """The mover has everything before it (HO-5)."""
    s.phase = TURN
    s.kind = NOTHING
    s.card_used = 0
    s.last_jump = NONE
    s.current_player = s.mover


@rule
def apply(o: Any, s: Any, action: int) -> None:
    """Carry out a legal decision of the mover."""
    if action >= first_removal(o) and o.cards:
        if action < end(o):  # HO-16
            use(s, REMOVE_BRIDGE)
            turn_bridge(o, s, EDGE_IN_VIEW[layout_of(o), s.mover, action - first_removal(o)])
        end_turn(o, s)
    elif move(o, s, action):
        after_action(o, s)


@rule
def move(o: Any, s: Any, action: int) -> bool:
    """A jump, or a bridge that is placed; True if that completes an action, False if a frog is pushed or has won."""
    layout = layout_of(o)
    if first_home(o) < action < first_chute(o):
        home = (s.mover + (action - first_home(o)) // 2) % o.players
        return enter(o, s, jumper(s, HOME_LEAF[layout, home]), home)
    if action >= first_bridge(o):
        place_bridge(o, s, EDGE_IN_VIEW[layout, s.mover, action - first_bridge(o)])
        return True
    first = s.phase == TURN
    if action == first_home(o):
        count_jump(s)
        return land(s, frog_at_home(o, s), HOME_LEAF[layout, s.mover], first)
    over_bridge = action < first_home(o)
    arc = action if over_bridge else action - first_chute(o)
    leaf = ARC_LEAF[layout, s.mover, arc]
    spoke = ARC_SPOKE[layout, s.mover, arc]
    frog = jumper(s, leaf)
    if over_bridge:
        turn_bridge(o, s, EDGE[layout, leaf, spoke])
        count_jump(s)
    else:
        use(s, PARACHUTE)
        s.kind = CHUTE
    return land(s, frog, NEIGHBOUR[layout, leaf, spoke], first)


@rule
def jumper(s: Any, leaf: int) -> int:
    """The frog that jumps from a leaf: the pushed one, if there is one."""
    return s.pushed if s.phase == PUSH else s.occupant[leaf]


@rule
def frog_at_home(o: Any, s: Any) -> int:
    """A frog of the mover's on its own home."""
    for frog in range(MAX_FROGS * s.mover, MAX_FROGS * s.mover + o.frogs):
        if s.place[frog] == HOME + s.mover:
            return frog
    return NONE


@rule
def use(s: Any, card: int) -> None:
    """The mover's card of this turn is gone (HO-4)."""
    s.cards[s.mover] &= ~card
    s.card_used = 1


@rule
def count_jump(s: Any) -> None:
    """A jump of the mover's choice is the turn's main action, or the extra jump's second part (HO-14)."""
    if s.phase == TURN:
        s.kind = JUMP
    elif s.phase == EXTRA:
        use(s, EXTRA_JUMP)


@rule
def lift(s: Any, frog: int) -> None:
    """Take a frog off its place."""
    place = s.place[frog]
    if frog == s.pushed:
        s.pushed = NONE  # the frog that has pushed it stays
    elif place < HOME:
        s.occupant[place] = NONE
    else:
        s.in_home[owner(frog), place - HOME] -= 1


@rule
def land(s: Any, frog: int, leaf: int, first: bool) -> bool:
    """HO-6, HO-7: a frog lands; True if the main action is done, False if a frog on the leaf must jump on.

    `first`: this begins the turn.
    """
    lift(s, frog)
    pushed = s.occupant[leaf]
    s.occupant[leaf] = frog
    s.place[frog] = leaf
    s.last_jump = NONE
    if pushed != NONE:
        s.pushed = pushed
        s.phase = PUSH
        s.current_player = s.mover
        return False
    if first and s.kind == JUMP:
        s.last_jump = leaf
    return True


@rule
def enter(o: Any, s: Any, frog: int, home: int) -> bool:
    """HO-8, HO-9: a frog goes into a home, which pushes nobody; HO-18: the third in opponents' homes wins at once.

    True if the main action is done and the game isn't.
    """
    count_jump(s)
    lift(s, frog)
    seat = owner(frog)
    s.place[frog] = HOME + home
    s.in_home[seat, home] += 1
    s.last_jump = NONE
    if arrived(o, s, seat) == o.frogs:
        s.current_player = TERMINAL
        return False
    return True


@rule
def place_bridge(o: Any, s: Any, edge: int) -> None:
    """HO-5, HO-15: a bridge over an edge that has none."""
    if s.phase == TURN:
        s.kind = BRIDGE
    else:
        use(s, EXTRA_BRIDGE)
    turn_bridge(o, s, edge)


@rule
def after_action(o: Any, s: Any) -> None:
    """At most one card a turn (HO-4): the mover is asked for one if it can use any, else the turn ends."""
    if s.card_used == 0 and any_extra(o, s):
        s.phase = EXTRA
        s.current_player = s.mover
    else:
        end_turn(o, s)


@rule
def end_turn(o: Any, s: Any) -> None:
    """The left neighbour's turn begins."""
    s.last_jump = NONE
    if finish_turn(o, s):
        return
    s.mover = (s.mover + 1) % o.players
    begin_turn(s)


# ---- chance: there is none -------------------------------------------------------------------------------------------
@rule
def num_outcomes(o: Any, s: Any) -> int:
    """HO-19: no chance points."""
    return 0


@rule
def outcome_weight(o: Any, s: Any, k: int) -> int:
    """HO-19: no chance points."""
    return 0


@rule
def apply_chance(o: Any, s: Any, k: int) -> None:
    """HO-19: no chance points."""


# ---- the end ---------------------------------------------------------------------------------------------------------
@rule
def arrived(o: Any, s: Any, seat: int) -> int:
    """HO-9: how many of a seat's frogs are in opponents' homes."""
    count = 0
    for home in range(o.players):
        if home != seat:
            count += s.in_home[seat, home]
    return count


@rule
def result(o: Any, s: Any, scores: Any, ranks: Any, winners: Any) -> None:
    """HO-18: ranks by frogs in opponents' homes; whoever has all of them there has won."""
    for seat in range(o.players):
        scores[seat] = arrived(o, s, seat)
        winners[seat] = 1 if scores[seat] == o.frogs else 0
    rank_by(o.players, scores, ranks)


@rule
def key(o: Any, s: Any, out: Any) -> int:
    """Mover, phase, what this turn has brought so far, bridges, frogs by owner, homes and cards."""
    layout = layout_of(o)
    over = s.current_player == TERMINAL
    out[0] = o.players if over else s.mover
    out[1] = 0 if over else s.phase
    out[2] = s.card_used
    out[3] = s.kind
    out[4] = 1 + s.last_jump
    out[5] = 0 if s.pushed == NONE else 1 + owner(s.pushed)
    out[6] = 0 if s.pushed == NONE else 1 + s.place[s.pushed]
    n = 7
    for byte in range(6):
        out[n] = (s.bridges >> (8 * byte)) & 255
        n += 1
    for leaf in range(LEAVES[layout]):
        out[n] = 0 if s.occupant[leaf] == NONE else 1 + owner(s.occupant[leaf])
        n += 1
    for seat in range(o.players):
        out[n] = s.cards[seat]
        n += 1
        for home in range(o.players):
            out[n] = s.in_home[seat, home]
            n += 1
    return n
