"""Small sets as the bits of one integer: which bit is it, how many are there?

Compiled code has an instruction of the processor for most of these (`core/machine.py`): what stands here is what they
mean, and what plain Python runs.
"""

from __future__ import annotations

from typing import Any

from hopenvs.core.jit import BACKEND, rule

MAX_BITS = 63  # the elements that a set can have: an int64 that isn't negative
BLOCK = 32  # so many cells are looked at in one go


@rule
def lowest_bit(bits: int) -> int:
    """The lowest bit of a set that isn't empty, as a power of 2."""
    return bits & -bits


def bit_number(power: int) -> int:
    """The k of 2**k."""
    return power.bit_length() - 1


def count_bits(bits: int) -> int:
    """How many elements a set has."""
    return bits.bit_count()


def nonzero_cells(row: Any, start: int) -> int:
    """Which of the BLOCK cells of `row` [cells] int8 from `start` on aren't 0, as bits; all of them must be there."""
    bits = 0
    for k in range(BLOCK):
        if row[start + k] != 0:
            bits |= 1 << k
    return bits


if BACKEND == "numba":
    from hopenvs.core import machine

    machine.compile_bits(bit_number, count_bits, nonzero_cells, BLOCK)
