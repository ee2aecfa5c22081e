"""What is counted of a training: decisions, games, illegal moves. Stands on no library; `tally` holds what counts."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.metadata import version

import hopenvs


@dataclass
class Tally:
    """What was counted.

    Attributes:
        decisions: actions taken by seats that were asked; a tick of a simultaneous game has one for every seat.
        games: how many ended.
        illegal: how many of them ended by an illegal action (C-11).
    """

    decisions: int = 0
    games: int = 0
    illegal: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.decisions + other.decisions, self.games + other.games, self.illegal + other.illegal)

    def note_end(self, offender: int | None) -> None:
        """Count a game that has ended; `offender` is the seat that forfeited it, or None."""
        self.games += 1
        self.illegal += offender is not None

    def line(self, library: str, env_id: str, seconds: float) -> str:
        """A line of JSON for logs: which library, in which version, took how many decisions and illegal ones.

        Args:
            library: its name as pip knows it.
            env_id: the id.
            seconds: how long it took.

        Raises:
            PackageNotFoundError: if the library isn't installed.
        """
        values = {
            "library": library,
            "version": hopenvs.__version__ if library == "hopenvs" else version(library),
            "env": env_id,
            "steps": self.decisions,
            "illegal": self.illegal,
            "seconds": round(seconds, 1),
        }
        return json.dumps(values)
