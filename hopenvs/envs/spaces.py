"""Observation and action spaces of a game, the same for every face."""

from __future__ import annotations

import numpy as np
from gymnasium import spaces

from hopenvs.core.game import Spec
from hopenvs.core.state import GENERATOR_BYTES


def observation_box(spec: Spec) -> spaces.Box:
    """The flat observation: Box [D] int8, with each section's bounds."""
    low, high = spec.bounds()
    return spaces.Box(low, high, dtype=np.int8)


def mask_box(spec: Spec) -> spaces.Box:
    """The action mask: Box [A] int8, 0 or 1."""
    return spaces.Box(0, 1, (spec.num_actions,), np.int8)


def agent_space(spec: Spec) -> spaces.Dict:
    """What an agent receives: `{"observation": [D], "action_mask": [A]}`."""
    return spaces.Dict({"observation": observation_box(spec), "action_mask": mask_box(spec)})


def action_space(spec: Spec) -> spaces.Discrete:
    """The flat action catalogue (C-5)."""
    return spaces.Discrete(spec.num_actions)


def state_space(dtype: np.dtype) -> spaces.Box:
    """The record's body as bytes."""
    return spaces.Box(0, 255, (dtype.itemsize - GENERATOR_BYTES,), np.uint8)
