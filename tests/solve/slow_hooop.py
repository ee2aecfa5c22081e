"""A slow solver of Hooop! on the smallest board, one frog a player and no cards: rules and retrograde analysis anew.

A position is (bridges, mine, yours, pushed) as the mover sees it, with its home at the bottom: the set of bridges as
bits, the leaf of each frog or HOME, and whether your frog has to jump on from the leaf that both are on. Positions
that mirror one another, left for right, are one.
"""

from typing import Any

HOME = 9
WON, LOST = "won", "lost"  # by the mover
EDGES = [(a, b) for a in range(9) for b in range(a + 1, 9) if (b - a == 3) or (b - a == 1 and b % 3)]
BIT = {pair: 1 << k for k, (a, b) in enumerate(EDGES) for pair in ((a, b), (b, a))}
NEIGHBOURS = [[b for b in range(9) if (a, b) in BIT] for a in range(9)]
MY_LEAF, YOUR_LEAF = 7, 1  # before the homes
START = ((1 << 12) - 1, HOME, HOME, False)

TURNED = [8 - leaf for leaf in range(9)] + [HOME]
MIRRORED = [leaf // 3 * 3 + 2 - leaf % 3 for leaf in range(9)] + [HOME]


def _moved_bridges(where):
    """[4096] each set of bridges with its leaves moved."""
    image = [BIT[where[a], where[b]] for a, b in EDGES]
    return [sum(image[k] for k in range(12) if bridges >> k & 1) for bridges in range(1 << 12)]


TURNED_BRIDGES, MIRRORED_BRIDGES = _moved_bridges(TURNED), _moved_bridges(MIRRORED)


def turned(bridges, mine, yours):
    """The other player's turn, seen by that player."""
    return TURNED_BRIDGES[bridges], TURNED[yours], TURNED[mine], False


def one_of_two(position):
    """The same for a position and its mirror image."""
    if position in (WON, LOST):
        return position
    bridges, mine, yours, pushed = position
    return min(position, (MIRRORED_BRIDGES[bridges], MIRRORED[mine], MIRRORED[yours], pushed))


def successors(position):
    """Where the mover's decision leads, whose turn it is then being told by `is_mine`; WON and LOST are ends."""
    bridges, mine, yours, pushed = position
    if pushed:  # your frog jumps on, over a bridge or into a home
        leaf = yours
        found = [turned(bridges & ~BIT[leaf, to], mine, to) for to in NEIGHBOURS[leaf] if bridges & BIT[leaf, to]]
        if leaf == MY_LEAF:
            found.append(LOST)
        if leaf == YOUR_LEAF:
            found.append(turned(bridges, mine, HOME))
        return found
    found = [turned(bridges | BIT[pair], mine, yours) for pair in EDGES if not bridges & BIT[pair]]
    if mine == HOME:
        return found + landed(bridges, MY_LEAF, yours)
    for to in NEIGHBOURS[mine]:
        if bridges & BIT[mine, to]:
            found += landed(bridges & ~BIT[mine, to], to, yours)
    if mine == MY_LEAF:
        found.append(turned(bridges, HOME, yours))
    if mine == YOUR_LEAF:
        found.append(WON)
    return found


def landed(bridges, mine, yours):
    """My frog has just arrived at a leaf: the other's turn, or its frog has to jump on, or (it can't) nothing."""
    if mine != yours:
        return [turned(bridges, mine, yours)]
    pushed = (bridges, mine, yours, True)
    return [pushed] if successors(pushed) else []


def is_mine(position, after):
    """Whether the mover of `position` also decides in `after`, one of its successors."""
    return not position[3] and after[3]


def solve():
    """{position: (what the mover gets, in how many decisions)}, of those that are won or lost; and all positions."""
    known: dict[Any, tuple[int, int]] = {}
    before: dict[Any, list[tuple[Any, bool]]] = {}
    left: dict[Any, int] = {}
    waiting, seen = [one_of_two(START)], {one_of_two(START)}
    while waiting:
        position = waiting.pop()
        ways = {(one_of_two(after), after not in (WON, LOST) and not is_mine(position, after))
                for after in successors(position)}  # fmt: skip
        left[position] = len(ways)
        for after, other in ways:
            before.setdefault(after, []).append((position, other))
            if after not in seen and after not in (WON, LOST):
                seen.add(after)
                waiting.append(after)
    layer = [(WON, 1), (LOST, -1)]
    steps = 0
    while layer:
        steps += 1
        wins, losses = {}, {}
        for after, result in layer:
            for position, other in before.get(after, ()):
                mine = -result if other else result
                if position in known:
                    continue
                if mine > 0:
                    wins[position] = steps
                else:
                    left[position] -= 1
                    if left[position] == 0:
                        losses[position] = steps
        assert not wins.keys() & losses.keys()
        layer = [(position, 1) for position in wins] + [(position, -1) for position in losses]
        known |= {position: (result, steps) for position, result in layer}
    return known, seen
