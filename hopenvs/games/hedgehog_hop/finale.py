"""The most In Sync pairs that the cards of one move can be laid out with (HH-58), looked up.

`finale.bin` has a byte for every group of cards with at most two copies of each; `finale_table.py` makes it, and says
why it is exact.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hopenvs.core.jit import rule

MOST_PAIRS: NDArray[np.int8] = np.frombuffer(Path(__file__).with_name("finale.bin").read_bytes(), np.int8)


@rule
def pairs_of(c0: int, c1: int, c2: int, c3: int) -> int:
    """HH-58: the most In Sync pairs of a group, by its four styles in any order: 9 * green + 3 * red + blue of each.

    Which style is which doesn't matter, so the table has only those with c0 <= c1 <= c2 <= c3, ordered by c3, then by
    c2, c1 and c0.
    """
    if c0 > c1:
        c0, c1 = c1, c0
    if c2 > c3:
        c2, c3 = c3, c2
    if c0 > c2:
        c0, c2 = c2, c0
    if c1 > c3:
        c1, c3 = c3, c1
    if c1 > c2:
        c1, c2 = c2, c1
    c1 = (c1 + 1) * c1 // 2
    c2 = (c2 + 2) * (c2 + 1) * c2 // 6
    c3 = (c3 + 3) * (c3 + 2) * (c3 + 1) * c3 // 24
    return MOST_PAIRS[c0 + c1 + c2 + c3]
