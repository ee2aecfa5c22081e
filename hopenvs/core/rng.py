"""Random numbers that live in the record: sfc32, the same bits in every back end.

Chris Doty-Humphrey's "Small Fast Chaotic" generator with 32-bit words (PractRand); `below` is Lemire's unbiased
bounded integer (D. Lemire, "Fast Random Integer Generation in an Interval", 2019). A generator is a row of four
uint32 words; every sum is masked back to 32 bits, so Python ints, Numba's int64 and C agree.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

import numpy as np

from hopenvs.core.jit import rule

WORD = 0xFFFFFFFF
WARM_UP_ROUNDS = 15

# Streams: generators of one seed that never meet. A game's own chance draws from GAME alone (C-14).
GAME, OPPONENTS, SEATING, PLAYOUT = 0, 1, 2, 3


@rule
def next_word(rng: Any) -> int:
    """The next 32 random bits; `rng` [4] uint32 moves on."""
    a = rng[0] & WORD
    b = rng[1] & WORD
    c = rng[2] & WORD
    d = rng[3] & WORD
    t = (a + b + d) & WORD
    rng[0] = b ^ (b >> 9)
    rng[1] = (c + (c << 3)) & WORD
    rng[2] = ((((c << 21) & WORD) | (c >> 11)) + t) & WORD
    rng[3] = (d + 1) & WORD
    return t


@rule
def below(rng: Any, n: int) -> int:
    """An unbiased integer in [0, n), for 1 <= n < 2**31."""
    product = next_word(rng) * n
    low = product & WORD
    if low < n:
        threshold = (WORD + 1 - n) % n
        while low < threshold:
            product = next_word(rng) * n
            low = product & WORD
    return product >> 32


@rule
def seed_words(rng: Any, low: int, high: int, stream: int) -> None:
    """Start the generator `rng` [4] from a 64-bit seed (two words) and a stream number."""
    rng[0] = low & WORD
    rng[1] = high & WORD
    rng[2] = stream & WORD
    rng[3] = 1
    for _ in range(WARM_UP_ROUNDS):
        next_word(rng)


def weighted(rng: Any, weights: Sequence[int]) -> int:
    """An index of `weights`, drawn by weight from `rng` [4] (plain Python's ints or a memoryview)."""
    from hopenvs.core.jit import plain_twin

    left = plain_twin(below)(rng, sum(weights))
    k = 0
    while left >= weights[k]:
        left -= weights[k]
        k += 1
    return k


def check_seed(seed: Any) -> int:
    """`seed` as an int in [0, 2**64).

    Raises:
        ValueError: if it is no such integer.
    """
    if isinstance(seed, (bool, np.bool_)) or not isinstance(seed, (int, np.integer)) or not 0 <= int(seed) < 2**64:
        raise ValueError(f"seed {seed!r}: expected an integer from 0 to 2**64 - 1")
    return int(seed)


def fresh_seed() -> int:
    """A seed from the operating system's entropy."""
    return secrets.randbits(64)


def generator(seed: int, stream: int) -> np.ndarray:
    """A new generator row: [4] uint32."""
    from hopenvs.core.jit import plain_twin

    rng = np.zeros(4, np.uint32)
    seed = check_seed(seed)
    plain_twin(seed_words)(rng.data, seed & WORD, seed >> 32, stream)
    return rng
