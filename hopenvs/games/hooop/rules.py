"""The rules of Hooop!, compiled: what a decision does, and how the game ends.

Clauses are those of README.md beside this file. What may be decided is found in `moves.py`, what a state holds in
`table.py`.
"""

from __future__ import annotations

from typing import Any

from hopenvs.core.jit import rule
from hopenvs.core.state import TERMINAL, finish_turn, rank_by
from hopenvs.games.hooop.board import (
    ARC_LEAF,
    ARC_SPOKE,
    EDGE,
    EDGE_IN_VIEW,
    HOME_LEAF,
    LEAVES,
    MAX_LEAVES,
    NEIGHBOUR,
    NONE,
)
from hopenvs.games.hooop.chain import HOME, layout_of, owner
from hopenvs.games.hooop.moves import any_extra
from hopenvs.games.hooop.options import MAX_FROGS, MAX_PLAYERS
from hopenvs.games.hooop.table import (
    ALL_CARDS,
    BRIDGE,
    CHUTE,
    EXTRA,
    EXTRA_BRIDGE,
    EXTRA_JUMP,
    JUMP,
    NOTHING,
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
    link,
    turn_bridge,
)


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
