"""Reinforcement-learning environments for board games about hopping animals.

>>> import hopenvs
>>> env = hopenvs.make("igel_aergern-2p-v0")
>>> env.reset(seed=1)
>>> env.agent_selection
'player_0'
"""

from hopenvs.core.errors import (
    GameError,
    IllegalActionError,
    OptionError,
    PositionError,
    RecordError,
    UnknownIdError,
)
from hopenvs.registry import list_envs, make, make_gym, make_gym_vec, make_vec, register

__version__ = "0.1.0"

__all__ = [
    "GameError",
    "IllegalActionError",
    "OptionError",
    "PositionError",
    "RecordError",
    "UnknownIdError",
    "__version__",
    "list_envs",
    "make",
    "make_gym",
    "make_gym_vec",
    "make_vec",
    "register",
]
