"""Small sets as the bits of one integer: which bit is it?"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hopenvs.core.jit import rule

MAX_BITS = 62
_MODULUS = 67  # a prime of which 2 is a primitive root: all powers of 2 below 2**66 have remainders of their own


def _numbers() -> NDArray[np.int8]:
    """[remainder] the k of 2**k."""
    table = np.full(_MODULUS, -1, np.int8)
    for k in range(MAX_BITS):
        table[pow(2, k, _MODULUS)] = k
    return table


_NUMBER = _numbers()


@rule
def lowest_bit(bits: int) -> int:
    """The lowest bit of a set that isn't empty, as a power of 2."""
    return bits & -bits


@rule
def bit_number(power: int) -> int:
    """The k of 2**k, below MAX_BITS."""
    return _NUMBER[power % _MODULUS]


@rule
def count_bits(bits: int) -> int:
    """How many elements a set of at most 63 has."""
    count = 0
    while bits != 0:
        bits &= bits - 1
        count += 1
    return count
