"""Corners of games that are small enough to be solved: a table of ids and options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hopenvs.core.errors import OptionError


@dataclass(frozen=True)
class Corner:
    """An id under options that leave few positions.

    Attributes:
        env: the id.
        options: the options of the game, as people write them.
    """

    env: str
    options: Mapping[str, Any]

    @property
    def flags(self) -> str:
        """The options as the command line takes them."""
        words = (f"{name}={_written(value)}" for name, value in self.options.items())
        return " ".join(f"--option {word}" for word in words)


# The first of an id is the one meant where no options are given.
CORNERS = (
    Corner("igel_aergern-2p-v0", {"tracks": 3, "columns": 5, "pieces": 2, "pits": (2, 1, 3)}),
    Corner("igel_aergern-2p-v0", {"tracks": 2, "columns": 3, "pieces": 2, "pits": (1, 1)}),
    Corner("igel_aergern-2p-v0", {"tracks": 2, "columns": 4, "pieces": 2, "pits": (2, 1)}),
    Corner("igel_aergern-2p-v0", {"tracks": 2, "columns": 9, "pieces": 2}),
    Corner("igel_aergern-2p-v0", {"tracks": 4, "columns": 5, "pieces": 2, "pits": (2, 1, 3, 2)}),
    Corner("igel_aergern-2p-v0", {"tracks": 3, "columns": 9, "pieces": 2}),
    Corner("hooop-2p-v0", {"board": "square3", "frogs": 1, "cards": False}),
    Corner("hooop-2p-nocards-v0", {"board": "square3", "frogs": 1}),
)


def default_corner(env: str) -> Corner:
    """The corner of an id that is meant where no options are given.

    Raises:
        OptionError: if it has none.
    """
    for corner in CORNERS:
        if corner.env == env:
            return corner
    ids = ", ".join(dict.fromkeys(corner.env for corner in CORNERS))
    raise OptionError(
        f"{env}: no options are known under which it is small: expected --option KEY=VALUE, or one of {ids}"
    )


def _written(value: Any) -> str:
    if isinstance(value, tuple):
        return "[" + ",".join(map(str, value)) + "]"
    return str(value).lower() if isinstance(value, bool) else str(value)
