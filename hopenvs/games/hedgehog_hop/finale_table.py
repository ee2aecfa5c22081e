"""Makes `finale.bin`: the most In Sync pairs that the cards of one move can be laid out with (HH-58).

Run it with `python -m hopenvs.games.hedgehog_hop.finale_table`; it takes less than a minute.

A *group* has at most two copies of each of the twelve cards of a move. Laid out on a square grid, one card a cell, it
*makes* a pair wherever two cards In Sync touch; others may touch as well. Groups are settled from the smallest to the
largest. A group can make as many pairs as any part of it; from there one pair more is asked for, until a search
through all layouts finds none. The result is exact, because the search may confine itself in three ways:

* A box is enough. Cut every row of a layout wherever two neighbouring cells don't hold a pair. It falls into runs,
  and a run of m cards makes m - 1 pairs: all rows together make as many pairs as there are cards, less the number of
  runs. So do the columns. Hence pairs = 2 * cards - runs of both kinds. A row or column without a card can be closed
  up, which parts no pair; every other one has a run of its own. So a layout that makes k pairs or more has at most
  2 * cards - k rows and columns together: it fits into a box whose width and height have exactly this sum. If the box
  is wider than high, the layout and its box are mirrored at the diagonal.

* A bound may cut branches off. The box is filled in reading order, each cell with a card or with nothing. The pairs
  that a layout makes in the end are those made so far, those that the cards still to come make among themselves, and
  those of both sorts of cards. The second are at most what the rest makes as a group, which is known, since smaller
  groups are settled before. The third lie below one of the last `width` cells filled, if it holds a card, or right of
  the very last one, unless that ends its row: at most one each. If the three together fall short, no completion serves.

* One group of its kind is enough. Renaming the colours, or the styles, keeps all pairs and so all layouts.

Nothing else is assumed: no layout is known beforehand, and nothing is left to chance.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

from hopenvs.games.hedgehog_hop.cards import IN_SYNC

Group: TypeAlias = tuple[int, int, int, int]  # what it has of each style: 9 * green + 3 * red + blue

CARDS = EMPTY = 12  # the cards of a move are 4 * colour + style; the next number stands for an empty cell
CODES = 27  # of one style

# All groups, styles ascending, in the order of `finale.bin`.
GROUPS: tuple[Group, ...] = tuple(
    (c0, c1, c2, c3) for c3 in range(CODES) for c2 in range(c3 + 1) for c1 in range(c2 + 1) for c0 in range(c1 + 1)
)

# A group's number has its four codes as digits. What it loses with a card:
_WORTH = [worth * CODES**style for worth in (9, 3, 1) for style in range(4)]

_MAKES_PAIR = [[bool(IN_SYNC[one, other]) for other in range(CARDS)] + [False] for one in range(CARDS)]
_MAKES_PAIR.append([False] * (CARDS + 1))

UNKNOWN = 255


def copies_of(group: Group) -> list[int]:
    """How often each card is in a group."""
    return [code // worth % 3 for worth in (9, 3, 1) for code in group]


def number_of(group: Group) -> int:
    """A group's place in the list of what is known."""
    return sum(code * CODES**style for style, code in enumerate(group))


def renamed(group: Group) -> set[Group]:
    """A group with its colours and styles renamed in every way."""
    styles = [(code // 9, code // 3 % 3, code % 3) for code in group]
    return {
        (c0, c1, c2, c3)
        for first, second, third in itertools.permutations(range(3))
        for c0, c1, c2, c3 in itertools.permutations(9 * has[first] + 3 * has[second] + has[third] for has in styles)
    }


def settle(known: bytearray, group: Group, pairs: int) -> None:
    """Enter what a group makes, under all names."""
    for same in renamed(group):
        known[number_of(same)] = pairs


def most_pairs(group: Group, known: Sequence[int]) -> int:
    """The most pairs a group makes, when all smaller groups are known."""
    copies, number = copies_of(group), number_of(group)
    pairs = max((known[number - _WORTH[card]] for card in range(CARDS) if copies[card]), default=0)
    while can_make(group, pairs + 1, known):
        pairs += 1
    return pairs


def can_make(group: Group, pairs: int, known: Sequence[int]) -> bool:
    """Whether some layout of a group makes so many pairs, when all smaller groups are known."""
    cards = sum(copies_of(group))
    lines = 2 * cards - pairs
    return any(
        fits(group, pairs, width, lines - width, known)
        for width in range(1, lines // 2 + 1)
        if width * (lines - width) >= cards
    )


def fits(group: Group, pairs: int, width: int, height: int, known: Sequence[int]) -> bool:
    """Whether some layout of a group in a box makes so many pairs, when all smaller groups are known."""
    copies = copies_of(group)
    left = [*copies, width * height - sum(copies)]  # of each card and of empty cells
    kinds = [kind for kind in range(CARDS + 1) if left[kind]]
    grid = [EMPTY] * (width * height + width)  # the box, below a row that stays empty

    def fill(cell: int, rest: int, made: int, edge: int) -> bool:
        """Fill the box from a cell on.

        `rest` is the number of the group still to come, `made` the pairs made so far, `edge` how many of the last
        `width` cells hold a card.
        """
        if rest == 0:
            return made >= pairs
        above = grid[cell - width]
        before = grid[cell - 1] if cell % width else EMPTY
        old_edge = edge - (above != EMPTY)
        can_go_on = (cell + 1) % width != 0
        for kind in kinds:
            if left[kind] == 0:
                continue
            if kind == EMPTY:
                new_rest, new_made, new_edge = rest, made, old_edge
                most = new_made + known[new_rest] + new_edge
            else:
                new_rest = rest - _WORTH[kind]
                new_made = made + _MAKES_PAIR[kind][above] + _MAKES_PAIR[kind][before]
                new_edge = old_edge + 1
                most = new_made + known[new_rest] + new_edge + can_go_on
            if most < pairs:
                continue
            left[kind] -= 1
            grid[cell] = kind
            if fill(cell + 1, new_rest, new_made, new_edge):
                return True
            left[kind] += 1
        return False

    return fill(width, number_of(group), 0, 0)


def table() -> bytes:
    """The content of `finale.bin`."""
    known = bytearray([UNKNOWN]) * CODES**4
    for group in sorted(GROUPS, key=lambda group: sum(copies_of(group))):
        if known[number_of(group)] == UNKNOWN:
            settle(known, group, most_pairs(group, known))
    return bytes(known[number_of(group)] for group in GROUPS)


if __name__ == "__main__":
    Path(__file__).with_name("finale.bin").write_bytes(table())
