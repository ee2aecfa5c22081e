"""What a seat sees, and what a position is worth to it."""

from __future__ import annotations

from typing import Any

from hopenvs.core.bits import bit_number, lowest_bit
from hopenvs.core.game import Section
from hopenvs.core.jit import rule
from hopenvs.core.state import relative
from hopenvs.games.hooop.board import (
    EDGE,
    EDGE_IN_VIEW,
    EDGES,
    HOME_LEAF,
    LEAVES,
    NEIGHBOUR,
    NONE,
    SPOKES,
    VIEW_LEAF,
)
from hopenvs.games.hooop.chain import HOME, layout_of, owner, quota
from hopenvs.games.hooop.codec import board_of
from hopenvs.games.hooop.options import MAX_FROGS
from hopenvs.games.hooop.table import NOTHING, has_bridge

CARDS = 4


def sections(o: Any) -> tuple[Section, ...]:
    """The layout of the observation: in the observer's own view (HO-0), seats and homes counted from it, clockwise."""
    seats = o.players
    board = board_of(o)
    leaves, edges = board.leaves, len(board.edges)
    return (
        Section("frogs", (seats, leaves), 0, 2, "Frogs of a seat on a leaf; two while one of them is being pushed."),
        Section("bridges", (edges,), 0, 1, "1 where an edge of the own view has a bridge."),
        Section("homes", (seats, seats), 0, MAX_FROGS, "Frogs of a seat (first axis) in a home (second axis)."),
        Section("cards", (seats, CARDS), 0, 1, "1 for a seat's unused card, in the order of HO-4."),
        Section("phase", (3,), 0, 1, "1 at the phase: turn, push, extra; all 0 when the game is over."),
        Section("pushed", (seats, leaves), 0, 1, "1 at the owner and leaf of the frog that must jump on."),
        Section("last_jump", (leaves,), 0, 1, "1 at the leaf a frog has just jumped onto without a push (HO-14)."),
        Section("kind", (3,), 0, 1, "This turn's main action: jump, parachute, bridge."),
        Section("card_used", (1,), 0, 1, "1 if a card has been used this turn."),
        Section("to_play", (seats,), 0, 1, "1 at the seat to play, counted from the observer; all 0 when over."),
    )


@rule
def observe(o: Any, s: Any, seat: int, obs: Any) -> None:
    """Write the sections in order; `obs` [D]."""
    layout = layout_of(o)
    players = o.players
    leaves = LEAVES[layout]
    for other in range(players):
        first = relative(players, seat, other) * leaves
        for frog in range(MAX_FROGS * other, MAX_FROGS * other + MAX_FROGS):
            place = s.place[frog]
            on_leaf = 0 <= place < HOME  # no branch: every second guess would be wrong
            obs[first + VIEW_LEAF[layout, seat, place if on_leaf else 0]] += on_leaf
    n = players * leaves
    bridges = s.bridges
    for edge in range(EDGES[layout]):  # of the view
        obs[n + edge] = (bridges >> EDGE_IN_VIEW[layout, seat, edge]) & 1
    n += EDGES[layout]
    for other in range(players):
        viewed = relative(players, seat, other)
        for home in range(players):
            obs[n + viewed * players + relative(players, seat, home)] = s.in_home[other, home]
        cards = s.cards[other]
        for card in range(CARDS):
            obs[n + players * players + viewed * CARDS + card] = (cards >> card) & 1
    n += players * (players + CARDS)
    if s.current_player >= 0:
        obs[n + s.phase] = 1
    n += 3
    if s.pushed != NONE:
        viewed = relative(players, seat, owner(s.pushed))
        obs[n + viewed * leaves + VIEW_LEAF[layout, seat, s.place[s.pushed]]] = 1
    n += players * leaves
    if s.last_jump != NONE:
        obs[n + VIEW_LEAF[layout, seat, s.last_jump]] = 1
    n += leaves
    if s.kind != NOTHING:
        obs[n + s.kind - 1] = 1
    obs[n + 3] = s.card_used
    if s.current_player >= 0:
        obs[n + 4 + relative(players, seat, s.current_player)] = 1


@rule
def resample_hidden(o: Any, s: Any, seat: int, rng: Any) -> None:
    """Nothing is hidden in this game."""


# `evaluate` packs the cost of every frog to every home into one integer.
_COST_BITS = 5  # a way costs at most 2 for each of at most 8 edges, and 2 for the homes at its ends
_ROW_BITS = 16  # of a home: MAX_FROGS costs

CARD = 0.5  # a card in hand, in jumps; found by playing thousands of games of one greedy player against another


@rule
def evaluate(o: Any, s: Any, seat: int) -> float:
    """How many actions the seat is ahead of the best other seat, on the way to all of its frogs in opponents' homes.

    An action is a jump, or a bridge where one is missing; frogs on the way don't count. Each frog is given the home
    that makes the sum least, as HO-10 lets them spread. An unused card counts CARD.
    """
    own = 0.0
    best_other = -1.0e9
    for other in range(o.players):
        value = CARD * cards_left(s, other) - actions_to_go(o, s, other)
        if other == seat:
            own = value
        elif value > best_other:
            best_other = value
    return own - best_other


@rule
def cards_left(s: Any, seat: int) -> int:
    """How many cards a seat has not used."""
    count = 0
    for card in range(CARDS):
        count += (s.cards[seat] >> card) & 1
    return count


@rule
def actions_to_go(o: Any, s: Any, seat: int) -> int:
    """An estimate of the actions that bring all frogs of a seat into opponents' homes.

    Each frog's way is counted by itself: frogs may need one another's bridges, and a push may move two at once.
    """
    packed = 0
    for home in range(o.players):
        if home != seat:
            packed |= costs_to_home(o, s, seat, home) << (_ROW_BITS * home)
    return cheapest(o, s, seat, packed)


@rule
def cost_of(packed: int, frog: int, home: int) -> int:
    """The cost of a seat's frog 0, 1 or 2 to a home."""
    return (packed >> (_ROW_BITS * home + _COST_BITS * frog)) & 31


@rule
def costs_to_home(o: Any, s: Any, seat: int, home: int) -> int:
    """What each frog of a seat needs to a home, packed: the leaves are reached in rings round the home."""
    layout = layout_of(o)
    packed = 0
    missing = 0  # a bit for each frog that has not been reached
    for frog in range(o.frogs):
        place = s.place[MAX_FROGS * seat + frog]
        if place < HOME or place == HOME + seat:
            missing |= 1 << frog
    seen = 0
    ring = 1 << HOME_LEAF[layout, home]  # the leaves of this cost
    next_ring = 0
    after_next = 0
    cost = 1
    while missing != 0:
        ring &= ~seen
        seen |= ring
        for frog in range(o.frogs):
            if (missing >> frog) & 1 == 1:
                place = s.place[MAX_FROGS * seat + frog]
                at_home = place >= HOME
                leaf = HOME_LEAF[layout, seat] if at_home else place
                if (ring >> leaf) & 1 == 1:
                    packed |= (cost + (1 if at_home else 0)) << (_COST_BITS * frog)
                    missing ^= 1 << frog
        while ring != 0:
            lowest = lowest_bit(ring)
            ring ^= lowest
            leaf = bit_number(lowest)
            for spoke in range(SPOKES[layout, leaf]):
                to = 1 << NEIGHBOUR[layout, leaf, spoke]
                if has_bridge(s, EDGE[layout, leaf, spoke]):
                    next_ring |= to
                else:
                    after_next |= to
        ring = next_ring
        next_ring = after_next
        after_next = 0
        cost += 1
    return packed


@rule
def cheapest(o: Any, s: Any, seat: int, packed: int) -> int:
    """The least sum of costs over all ways to spread a seat's frogs over opponents' homes (HO-10)."""
    least = 1 << 30
    limit = quota(o) if o.players > 2 else MAX_FROGS
    for a in range(o.players):
        if not may_go(s, seat, 0, a):
            continue
        for b in range(o.players):
            if not may_go(s, seat, 1, b) or (a == b and limit == 1):
                continue
            for c in range(o.players):
                if not may_go(s, seat, 2, c) or (limit == 1 and (a == c or b == c)):
                    continue
                if limit == 2 and a == b and b == c:
                    continue
                total = cost_of(packed, 0, a) + cost_of(packed, 1, b) + cost_of(packed, 2, c)
                if total < least:
                    least = total
    return least


@rule
def may_go(s: Any, seat: int, frog: int, home: int) -> bool:
    """Whether a seat's frog 0, 1 or 2 can still end in a home, quotas aside: one that has arrived stays (HO-9)."""
    place = s.place[MAX_FROGS * seat + frog]
    if place >= HOME and place != HOME + seat:
        return place == HOME + home
    return home != seat
