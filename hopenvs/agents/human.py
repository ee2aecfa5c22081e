"""A person at the keyboard: actions are asked for by name."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from hopenvs.core.game import Game

# So many legal actions are listed without being asked for.
SHORT = 20
LIST, LEAVE = ("", "?", "help"), ("quit", "exit", "q")
HELP = "Type an action, or a part of its name that fits only one. `?` lists what is legal, `quit` or Ctrl-D leaves."


class Human:
    """Asks for an action by its name, or by a part of it that fits only one legal action (`matching`).

    `?`, `help` or nothing lists the legal actions, grouped by their first word; a short list is shown with the
    question. `quit`, `exit` and `q` end the game as the end of input does, by EOFError. Where such a word fits an
    action, it is the action. What the person sees of the position is shown by whoever runs the game; only the question
    is asked here.

    Args:
        game: the game module.
        options: its compiled options.
        read: asks with a prompt and returns a line; EOFError or KeyboardInterrupt pass through. At a TimeoutError the
            first legal action is taken: no answer came in time.
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
        self.read = read
        self._write: Callable[[str], Any] = write or _show
        self._welcomed = False

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
        if not self._welcomed:
            self._write(HELP)
            self._welcomed = True
        if len(names) <= SHORT:
            self._list(names)
        else:
            self._write(f"{len(names)} legal actions; ? lists them")
        while True:
            try:
                answer = " ".join(self.read(f"player_{seat}> ").split())
            except TimeoutError:
                self._write(f"no answer: {names[0]}")
                return int(legal[0])
            found = matching(answer, names)
            if len(found) == 1:
                return int(legal[found[0]])
            if found:
                self._write(f"{answer!r} fits {len(found)} legal actions; which one?")
                self._list([names[k] for k in found])
            elif answer.casefold() in LIST:
                self._list(names)
            elif answer.casefold() in LEAVE:
                raise EOFError
            else:
                self._write(f"{answer!r} is not legal here; ? lists what is")

    def _list(self, names: Sequence[str]) -> None:
        """Legal actions, those with the same first word together, in lines no wider than the terminal."""
        groups: dict[str, list[str]] = {}
        for name in names:
            groups.setdefault(name.split(" ")[0], []).append(name)
        width = shutil.get_terminal_size().columns
        for group in groups.values():
            for line in _wrapped(group, width):
                self._write(line)


def matching(answer: str, names: Sequence[str]) -> list[int]:
    """Which of `names` an answer may mean: the name itself, else those that it is a part of.

    A part is one or more words in a row. Numbers have to be whole, so that "2" never means "12"; words may be cut
    short if no name has them whole.
    """
    wanted = _words(answer)
    rows = [_words(name) for name in names]
    if not wanted:
        return []
    if wanted in rows:
        return [rows.index(wanted)]
    whole = [k for k, row in enumerate(rows) if _occurs(wanted, row, _same)]
    return whole or [k for k, row in enumerate(rows) if _occurs(wanted, row, _begins)]


def _words(text: str) -> list[str]:
    """Words, numbers (also those that end a word, as in `left2`), and each sign by itself."""
    return re.findall(r"\d+|[^\W\d]+|[^\w\s]", text.casefold())


def _occurs(wanted: Sequence[str], row: Sequence[str], fits: Callable[[str, str], bool]) -> bool:
    """Whether the words `wanted` stand in `row` one after the other."""
    starts = range(len(row) - len(wanted) + 1)
    return any(all(map(fits, wanted, row[start:])) for start in starts)


def _same(part: str, word: str) -> bool:
    return part == word


def _begins(part: str, word: str) -> bool:
    return part == word or (part.isalpha() and word.startswith(part))


def _wrapped(names: Sequence[str], width: int) -> Iterator[str]:
    """Lines of names, indented, none wider than `width` if a name isn't."""
    line = ""
    for name in names:
        longer = f"{line}   {name}" if line else f"  {name}"
        if line and len(longer) > width:
            yield line
            longer = f"  {name}"
        line = longer
    yield line


def _show(line: str) -> None:
    import sys

    sys.stdout.write(line + "\n")
