"""The first layer of a network on board positions, compiled: nearly all cells of an observation are 0, so skip them.

A dense product of Igel Ärgern's observation (661 cells, about 20 of them not 0) with 256 columns takes 340,000
operations, the sums of the rows that count 11,000. It is the larger part of what a small network costs, in playing and
in learning.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from hopenvs.core import jit
from hopenvs.core.jit import instantiate
from hopenvs.core.pool import Pool

# Rows (or columns) for each thread that are worth waking it for.
ROWS_PER_THREAD, COLUMNS_PER_THREAD = 64, 64


def product_range(lo: int, hi: int, x: Any, weight: Any, bias: Any, out: Any) -> None:
    """Rows [lo, hi) of `out` [n, W] = `x` [n, D] @ `weight` [D, W] + `bias` [W]."""
    width = len(bias)
    cells = x.shape[1]
    for i in range(lo, hi):
        for k in range(width):
            out[i, k] = bias[k]
        for j in range(cells):
            value = x[i, j]
            if value != 0:
                for k in range(width):
                    out[i, k] += value * weight[j, k]


def gradient_range(lo: int, hi: int, x: Any, slope: Any, gradient: Any) -> None:
    """Columns [lo, hi) of `gradient` [D, W] += `x` [n, D] transposed @ `slope` [n, W]."""
    cells = x.shape[1]
    part = gradient[:, lo:hi]  # indices from 0: others might be negative, and the loop would not be vectorised
    slopes = slope[:, lo:hi]
    for i in range(len(x)):
        for j in range(cells):
            value = x[i, j]
            if value != 0:
                for k in range(hi - lo):
                    part[j, k] += value * slopes[i, k]


@functools.cache
def _kernels() -> tuple[Any, Any]:
    return (
        instantiate(product_range, {}, "product_range", entry=True),
        instantiate(gradient_range, {}, "gradient_range", entry=True),
    )


@functools.cache
def _pool(threads: int) -> Pool:
    return Pool(threads)


def product(x: np.ndarray, weight: np.ndarray, bias: np.ndarray, threads: int = 1) -> np.ndarray:
    """`x` [n, D] @ `weight` [D, W] + `bias` [W], all float32 and contiguous: [n, W]."""
    if jit.BACKEND == "plain":
        return x @ weight + bias
    n = len(x)
    out = np.empty((n, len(bias)), np.float32)
    _run(_kernels()[0], n, threads if n >= threads * ROWS_PER_THREAD else 1, x, weight, bias, out)
    return out


def weight_gradient(x: np.ndarray, slope: np.ndarray, threads: int = 1) -> np.ndarray:
    """`x` [n, D] transposed @ `slope` [n, W], float32 and contiguous: [D, W]."""
    if jit.BACKEND == "plain":
        return x.T @ slope
    width = slope.shape[1]
    gradient = np.zeros((x.shape[1], width), np.float32)
    _run(_kernels()[1], width, threads if width >= threads * COLUMNS_PER_THREAD else 1, x, slope, gradient)
    return gradient


def _run(kernel: Any, n: int, threads: int, *arguments: np.ndarray) -> None:
    if threads > 1:
        _pool(threads).run(kernel, n, *arguments)
    else:
        kernel(0, n, *arguments)
