"""The package's exceptions: each message names what was wrong and what was expected."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class OptionError(ValueError):
    """An unknown, malformed or impossible option of a game or an environment."""


class UnknownIdError(LookupError):
    """No environment is registered under this id."""


class IllegalActionError(ValueError):
    """An action that the rules do not allow here, or an action of an agent that is not asked (C-11)."""


class PositionError(ValueError):
    """A malformed or impossible position; the message names the key (C-6)."""


class RecordError(ValueError):
    """A game record that cannot be read or does not replay; the message names the line."""


class GameError(RuntimeError):
    """A game broke its contract: no legal action, no outcome, an endless chain of chance."""


def nearest(word: str, words: Iterable[str]) -> str:
    """' (did you mean ...?)' or nothing: what is close, and nearly as close as the closest."""
    close = difflib.get_close_matches(str(word), list(words), n=3, cutoff=0.5)
    likeness = [difflib.SequenceMatcher(None, other, str(word)).ratio() for other in close]
    close = [other for other, like in zip(close, likeness) if like > likeness[0] - 0.25]
    return f" (did you mean {' or '.join(close)}?)" if close else ""
