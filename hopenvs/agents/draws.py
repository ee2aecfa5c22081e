"""Numbers drawn from rows of generators, compiled."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from hopenvs.core import jit, plain, rng
from hopenvs.core.jit import instantiate

# mypy: disable-error-code="name-defined"
# ruff: noqa: F821


def words_range(lo: int, hi: int, streams: Any, words: Any) -> None:
    """`words[i]`: the next 32 bits of generator `streams[i]` [4] uint32."""
    for i in range(lo, hi):
        words[i] = next_word(streams[i])


@functools.cache
def words_kernel() -> Any:
    """The kernel, made once a process and compiled when first called."""
    return instantiate(words_range, {"next_word": rng.next_word}, "words_range", entry=True)


def unit_interval(streams: np.ndarray) -> np.ndarray:
    """[n] float64 in [0, 1), one from each row of `streams` [n, 4] uint32, which move on in place."""
    words = np.zeros(len(streams), np.int64)
    arrays: tuple[Any, ...] = (streams, words)
    if jit.BACKEND == "plain":
        arrays = tuple(map(plain.wrap, arrays))
    words_kernel()(0, len(streams), *arrays)
    return words / 2.0**32
