"""Who plays: agents as the command line names them, a seat each."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hopenvs.cli import terminal

if TYPE_CHECKING:
    from hopenvs.agents import Agent
    from hopenvs.core.game import Game

AGENTS = "uniform, greedy, expectimax:N, mcts:N, trained, the path of a model or of a run"  # for helps

Trust = Annotated[
    bool, typer.Option("--trust", help="Also load models that hold code of their own: it can do anything.")
]


def seat_agents(
    names: Sequence[str], players: int, game: Game, options: Any, *, trust: bool = False, people: bool = True
) -> list[Agent]:
    """An agent a seat, from one name for all or a name a seat."""
    if len(names) not in (1, players):
        raise typer.BadParameter(f"expected one, or one for each of the {players} seats, not {len(names)}",
                                 param_hint="'--agent'")  # fmt: skip
    agents = load_agents(names, game, options, trust=trust, people=people)
    return agents if len(agents) == players else agents * players


def load_agents(names: Sequence[str], game: Game, options: Any, *, trust: bool, people: bool) -> list[Agent]:
    """The agents of these names (`agents.make_agent`)."""
    from hopenvs.agents import make_agent

    with warnings_in_words():
        return [make_agent(name, game, options, trust=trust, people=people) for name in names]


@contextlib.contextmanager
def warnings_in_words() -> Iterator[None]:
    """Say in a line on stderr that a model plays other options or seats than its own; other warnings stay."""
    from hopenvs.agents.policy import ModelWarning

    with warnings.catch_warnings():
        warnings.simplefilter("always", ModelWarning)
        others = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *where: Any) -> None:
            if issubclass(category, ModelWarning):
                terminal.remark(f"Warning: {message}")
            else:
                others(message, category, *where)

        warnings.showwarning = show  # type: ignore[assignment]
        yield
