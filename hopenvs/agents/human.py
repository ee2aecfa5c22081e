"""A person at the keyboard: actions are asked for by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from hopenvs.core.game import Game

# Names shown in one line of the list of legal actions.
NAMES_PER_LINE = 6


class Human:
    """Asks for an action by its name, a part of it that fits only one legal action, or its number in the list.

    `?` (or nothing) lists the legal actions, numbered and grouped by their first word. What the person sees of the
    position is shown by whoever runs the game; only the question is asked here.

    Args:
        game: the game module.
        options: its compiled options.
        read: asks with a prompt and returns a line; EOFError or KeyboardInterrupt pass through.
        write: shows a line.
    """

    def __init__(
        self,
        game: Game,
        options: Any,
        *,
        read: Callable[[str], str] = input,
        write: Callable[[str], Any] | None = None,
    ) -> None:
        self.name = "human"
        self._game = game
        self._options = options
        self._read = read
        self._write: Callable[[str], Any] = write or _show

    def act(
        self,
        observations: np.ndarray,
        masks: np.ndarray,
        *,
        states: np.ndarray,
        seats: np.ndarray,
        streams: np.ndarray,
    ) -> np.ndarray:
        """What the person chooses for each row in turn: [n] int32."""
        actions = [self._ask(int(seat), np.flatnonzero(mask)) for seat, mask in zip(seats, masks, strict=True)]
        return np.array(actions, np.int32)

    def _ask(self, seat: int, legal: np.ndarray) -> int:
        names = [self._game.action_name(self._options, int(action)) for action in legal]
        while True:
            answer = " ".join(self._read(f"player_{seat}> ").split())
            if answer in ("", "?"):
                self._list(names)
                continue
            found = matching(answer, names)
            if len(found) == 1:
                return int(legal[found[0]])
            if found:
                self._write(f"{answer!r} fits {', '.join(repr(names[k]) for k in found[:NAMES_PER_LINE])}; ? lists all")
            else:
                self._write(f"{answer!r} is not legal here; ? lists what is")

    def _list(self, names: Sequence[str]) -> None:
        """The legal actions, numbered, those with the same first word together."""
        groups: dict[str, list[str]] = {}
        for number, name in enumerate(names, 1):
            groups.setdefault(name.split(" ")[0], []).append(f"[{number}] {name}")
        for group in groups.values():
            for first in range(0, len(group), NAMES_PER_LINE):
                self._write("  " + "   ".join(group[first : first + NAMES_PER_LINE]))


def matching(answer: str, names: Sequence[str]) -> list[int]:
    """Which of `names` an answer may mean: the name itself, else its number from 1, else what begins so or holds it."""
    folded = [name.casefold() for name in names]
    wanted = answer.casefold()
    if wanted in folded:
        return [folded.index(wanted)]
    if wanted.isdecimal() and 1 <= int(wanted) <= len(names):
        return [int(wanted) - 1]
    beginning = [k for k, name in enumerate(folded) if name.startswith(wanted)]
    return beginning or [k for k, name in enumerate(folded) if wanted in name]


def _show(line: str) -> None:
    import sys

    sys.stdout.write(line + "\n")
