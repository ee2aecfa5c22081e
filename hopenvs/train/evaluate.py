"""How strong players are: many games of an id, seats rotated, with intervals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hopenvs import registry
from hopenvs.agents import Agent, as_agent, make_agent
from hopenvs.agents.hall import names_of
from hopenvs.agents.match import Match, play_match
from hopenvs.envs.table import payoff_named

if TYPE_CHECKING:
    from hopenvs.core.game import Game


def evaluate(
    env_id: str,
    agents: Sequence[str | Agent],
    games: int = 1000,
    seed: int = 0,
    *,
    options: Mapping[str, Any] | None = None,
    reward: str = "win",
    trust: bool = False,
    device: str = "cpu",
    progress: Callable[[int], Any] | None = None,
) -> Match:
    """Play `games` games and count (`agents/match.py`).

    >>> evaluate("igel_aergern-2p-v0", ["greedy", "uniform"], games=1000).standings[0].win_rate.share
    0.995

    Args:
        env_id: the id.
        agents: words, paths of models or runs, or agents, at most one a seat; the last takes the seats that are left.
        games: how many; the number is brought up to a multiple of the seats, which rotate.
        seed: of the first game; the others have the seeds that follow.
        options: further options of the game.
        reward: how a game pays, "win", "rank" or "score" (C-7).
        trust: also read models that hold code of their own (`agents/policy.py`).
        device: where models run.
        progress: called with the number of games finished since the last call.

    Raises:
        UnknownIdError: for an unknown id.
        OptionError: for an unknown agent, too many of them, or an impossible option.
    """
    game, parsed = registry.resolve(env_id, options or {})
    payoff = payoff_named(game, parsed, reward)
    names, made = make_players(agents, game, parsed, trust=trust, device=device)
    return play_match(game, parsed, made, games, seed, names=names, payoff=payoff, progress=progress)


def make_players(
    agents: Sequence[str | Agent], game: Game, options: Any, *, trust: bool = False, device: str = "cpu"
) -> tuple[list[str], list[Agent]]:
    """The names of agents, and the agents.

    Args:
        agents: words, paths of models or runs, or agents.
        game: the game module.
        options: its compiled options.
        trust: also read models that hold code of their own (`agents/policy.py`).
        device: where models run.

    Raises:
        OptionError: for an unknown agent.
    """
    made = [
        make_agent(agent, game, options, trust=trust, device=device, people=False)
        if isinstance(agent, str)
        else as_agent(agent)
        for agent in agents
    ]
    return names_of(agents), made
