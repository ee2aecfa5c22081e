"""Players by their names on the command line: `uniform`, `greedy`, `mcts:400`, `human`, `PATH.zip`, a run's folder."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hopenvs.core.errors import OptionError, nearest

if TYPE_CHECKING:
    from hopenvs.agents.agent import Agent
    from hopenvs.core.game import Game

MODEL_SUFFIX = ".zip"
MODEL = "model.zip"  # in a run's folder; one for each seat is called model-player_0.zip and so on
PERSON = "human"


@dataclass(frozen=True)
class Kind:
    """A word that stands for a player.

    Attributes:
        text: a sentence for people.
        make: from the game module, its compiled options, and the number after the word (None without).
        needs_game: whether it can't be made without them.
        number: what a number after the word and a colon says; empty if there is none.
        most: its largest.
    """

    text: str
    make: Callable[[Any, Any, int | None], Agent]
    needs_game: bool = True
    number: str = ""
    most: int = 1


def _uniform(game: Game, options: Any, number: int | None) -> Agent:
    from hopenvs.agents.uniform import Uniform

    return Uniform()


def _greedy(game: Game, options: Any, number: int | None) -> Agent:
    from hopenvs.agents.greedy import Greedy

    return Greedy(game, options)


def _mcts(game: Game, options: Any, number: int | None) -> Agent:
    from hopenvs.agents.mcts import MCTS, SIMULATIONS

    return MCTS(game, options, SIMULATIONS if number is None else number)


def _expectimax(game: Game, options: Any, number: int | None) -> Agent:
    from hopenvs.agents.expectimax import DEPTH, Expectimax

    return Expectimax(game, options, DEPTH if number is None else number)


def _trained(game: Game, options: Any, number: int | None) -> Agent:
    from hopenvs.agents.trained import load_trained

    return load_trained(game, options)


def _human(game: Game, options: Any, number: int | None) -> Agent:
    from hopenvs.agents.human import Human

    return Human(game, options)


KINDS: dict[str, Kind] = {
    "uniform": Kind("any legal action, each as likely", _uniform, needs_game=False),
    "greedy": Kind("looks one decision ahead, with the game's evaluation", _greedy),
    "expectimax": Kind(
        "looks some decisions ahead, as greedy does one", _expectimax, number="decisions looked ahead", most=8
    ),
    "mcts": Kind("Monte-Carlo tree search", _mcts, number="simulations a decision", most=1_000_000),
    "trained": Kind("a policy that comes with hopenvs, for ids of the default set", _trained),
    PERSON: Kind("asks in the terminal", _human),
}


def make_agent(
    spec: str,
    game: Game | None = None,
    options: Any = None,
    *,
    trust: bool = False,
    device: str = "cpu",
    people: bool = True,
) -> Agent:
    """The player that a word or a file stands for.

    Args:
        spec: a word of KINDS, `WORD:NUMBER` where it takes one (`mcts:400`), the path of a saved model (`PATH.zip`), or
            the folder of the run that saved it.
        game: the game module; "uniform" alone does without.
        options: its compiled options.
        trust: also read models that hold code of their own (`agents/policy.py`): such a file can do anything.
        device: where a model runs.
        people: whether a person may be asked.

    Raises:
        OptionError: for an unknown word, suggesting the nearest.
        ModelError: for a file that can't be played.
    """
    if spec == PERSON and not people:
        raise OptionError(f"agent {PERSON!r}: people play with `hopenvs play` (its --out writes the game down)")
    word, number = _split(spec)
    is_file = word not in KINDS and (spec.lower().endswith(MODEL_SUFFIX) or Path(spec).is_dir())
    if not is_file and word not in KINDS:
        raise OptionError(f"unknown agent {spec!r}{nearest(word, _words(people))}: expected {expected(people)}")
    if game is None:
        if is_file or KINDS[word].needs_game:
            raise OptionError(f"agent {spec!r}: needs to know the game: as_agent(spec, game, options)")
        return KINDS[word].make(None, None, number)
    if not is_file:
        return KINDS[word].make(game, options, number)
    return _load(spec, game, options, trust=trust, device=device)


def _load(path: str, game: Game, options: Any, **keywords: Any) -> Agent:
    """The player that a model's file or a run's folder holds: of one that has a model for each seat, a team."""
    from hopenvs.agents.policy import ModelError, load_policy
    from hopenvs.agents.team import Team

    files = models_of(path)
    if not files:
        raise OptionError(f"{path}: a folder without {MODEL}: a run writes it when it has finished")
    if not Path(path).is_dir() or files[0].name == MODEL:
        return load_policy(files[0], game, options, **keywords)
    members = [load_policy(file, game, options, on_its_seat=True, **keywords) for file in files]
    players = game.spec(options).num_players
    if [getattr(member, "description", {}).get("seat") for member in members] != list(range(players)):
        raise ModelError(
            f"{path}: expected {MODEL}, or a model for each of {players} seats, not {[f.name for f in files]}"
        )
    return Team(members, path)


def _split(spec: str) -> tuple[str, int | None]:
    """A word of KINDS and the number after it; anything else as it is.

    Raises:
        OptionError: for a number that the word doesn't take, or that is none.
    """
    word, colon, rest = spec.partition(":")
    if not colon or word not in KINDS:
        return spec, None
    if not KINDS[word].number:
        raise OptionError(f"agent {spec!r}: expected {word!r} alone, it takes no number")
    if not (rest.isascii() and rest.isdecimal() and 1 <= int(rest) <= KINDS[word].most):
        raise OptionError(f"agent {spec!r}: expected {word}:N, N = {KINDS[word].number}, 1 to {KINDS[word].most:,}")
    return word, int(rest)


def models_of(path: str | Path) -> list[Path]:
    """The files of a model: itself, or those that a run has left in its folder, model.zip or one for each seat."""
    path = Path(path)
    if not path.is_dir():
        return [path]
    whole = path / MODEL
    return [whole] if whole.exists() else sorted(path.glob(f"{whole.stem}-player_*{MODEL_SUFFIX}"))


def _words(people: bool) -> list[str]:
    return [word for word in KINDS if people or word != PERSON]


def expected(people: bool = True) -> str:
    """What a spec may be, in words."""
    words = ", ".join(repr(f"{word}:N" if KINDS[word].number else word) for word in _words(people))
    return f"{words}, or the path of a saved model (*{MODEL_SUFFIX}) or of a run's folder"
