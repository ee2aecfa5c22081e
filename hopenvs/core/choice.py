"""One of the cells of a mask, each as likely."""

from __future__ import annotations

from typing import Any

from hopenvs.core.bits import BLOCK, bit_number, count_bits, lowest_bit, nonzero_cells
from hopenvs.core.jit import rule
from hopenvs.core.rng import below


@rule
def rest_of(row: Any, whole: int) -> int:
    """Which cells of the mask `row` [A] from `whole` on, the last whole block's end, aren't 0, as bits."""
    rest = len(row) - whole
    if rest > 0 and whole > 0:  # a block that ends with the row
        return nonzero_cells(row, len(row) - BLOCK) >> (BLOCK - rest)
    bits = 0
    for k in range(rest):
        if row[k] != 0:
            bits |= 1 << k
    return bits


@rule
def pick(row: Any, stream: Any) -> int:
    """A uniformly drawn index of a nonzero cell of the mask `row` [A], or -1 if there is none."""
    whole = len(row) - len(row) % BLOCK
    rest = rest_of(row, whole)
    count = count_bits(rest)
    for start in range(0, whole, BLOCK):
        count += count_bits(nonzero_cells(row, start))
    if count == 0:
        return -1
    left = below(stream, count)
    bits = rest
    start = 0
    while start < whole:
        bits = nonzero_cells(row, start)
        inside = count_bits(bits)
        if left < inside:
            break
        left -= inside
        start += BLOCK
    if start == whole:
        bits = rest
    while left > 0:
        bits &= bits - 1
        left -= 1
    return start + bit_number(lowest_bit(bits))
