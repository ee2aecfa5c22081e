"""The player that picks any legal action, each as likely."""

from __future__ import annotations

import numpy as np

from hopenvs.core import jit, plain
from hopenvs.core.kernels import uniform_kernel


class Uniform:
    """Uniform random play, drawn from the rows' own streams."""

    name = "uniform"

    def act(
        self,
        observations: np.ndarray,
        masks: np.ndarray,
        *,
        states: np.ndarray,
        seats: np.ndarray,
        streams: np.ndarray,
    ) -> np.ndarray:
        """A uniformly drawn legal action a row: [n] int32."""
        return uniform_actions(masks, streams)

    def chances(
        self,
        observations: np.ndarray,
        masks: np.ndarray,
        *,
        states: np.ndarray,
        seats: np.ndarray,
        streams: np.ndarray,
    ) -> np.ndarray:
        """How likely each action is: [n, A] float64; nothing is drawn."""
        legal = masks != 0
        return legal / legal.sum(axis=1, keepdims=True)


def uniform_actions(masks: np.ndarray, streams: np.ndarray) -> np.ndarray:
    """Uniform random actions [n] int32 from `masks` [n, A] int8; `streams` [n, 4] uint32 move on in place."""
    actions = np.zeros(len(masks), np.int32)
    arrays = (streams, np.ascontiguousarray(masks, np.int8), actions)
    if jit.BACKEND == "plain":
        arrays = tuple(map(plain.wrap, arrays))
    uniform_kernel()(0, len(masks), *arrays)
    return actions
