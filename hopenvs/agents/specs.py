"""Players by their names on the command line: `uniform`, `greedy`, `PATH.zip`, `human`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hopenvs.core.errors import OptionError, nearest

if TYPE_CHECKING:
    from hopenvs.agents.agent import Agent
    from hopenvs.core.game import Game

MODEL_SUFFIX = ".zip"


@dataclass(frozen=True)
class Kind:
    """A word that stands for a player.

    Attributes:
        text: a sentence for people.
        make: from the game module and its compiled options.
        needs_game: whether it can't be made without them.
    """

    text: str
    make: Callable[[Any, Any], Agent]
    needs_game: bool = True


def _uniform(game: Game, options: Any) -> Agent:
    from hopenvs.agents.uniform import Uniform

    return Uniform()


def _greedy(game: Game, options: Any) -> Agent:
    from hopenvs.agents.greedy import Greedy

    return Greedy(game, options)


def _human(game: Game, options: Any) -> Agent:
    from hopenvs.agents.human import Human

    return Human(game, options)


KINDS: dict[str, Kind] = {
    "uniform": Kind("any legal action, each as likely", _uniform, needs_game=False),
    "greedy": Kind("looks one decision ahead, with the game's evaluation", _greedy),
    "human": Kind("asks in the terminal", _human),
}


def make_agent(
    spec: str, game: Game | None = None, options: Any = None, *, trust: bool = False, device: str = "cpu"
) -> Agent:
    """The player that a word or a file stands for.

    Args:
        spec: a word of KINDS, or the path of a saved model (`PATH.zip`).
        game: the game module; "uniform" alone does without.
        options: its compiled options.
        trust: also read models that hold code of their own (`agents/policy.py`): such a file can do anything.
        device: where a model runs.

    Raises:
        OptionError: for an unknown word, suggesting the nearest.
        ModelError: for a file that can't be played.
    """
    if not spec.endswith(MODEL_SUFFIX) and spec not in KINDS:
        raise OptionError(f"unknown agent {spec!r}{nearest(spec, KINDS)}: expected {expected()}")
    if game is None:
        if spec not in KINDS or KINDS[spec].needs_game:
            raise OptionError(f"agent {spec!r}: needs to know the game: as_agent(spec, game, options)")
        return KINDS[spec].make(None, None)
    if spec in KINDS:
        return KINDS[spec].make(game, options)
    from hopenvs.agents.policy import load_policy

    return load_policy(spec, game, options, trust=trust, device=device)


def expected() -> str:
    """What a spec may be, in words."""
    return ", ".join(repr(word) for word in KINDS) + f", or the path of a saved model (*{MODEL_SUFFIX})"
