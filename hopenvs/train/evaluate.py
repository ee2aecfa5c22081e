"""How strong players are: many games of an id, seats rotated, with intervals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hopenvs import registry
from hopenvs.agents import Agent, as_agent, make_agent
from hopenvs.agents.match import Match, play_match
from hopenvs.envs.table import payoff_named


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
    made = [
        make_agent(agent, game, parsed, trust=trust, device=device, people=False)
        if isinstance(agent, str)
        else as_agent(agent)
        for agent in agents
    ]
    names = [agent if isinstance(agent, str) else getattr(agent, "name", type(agent).__name__) for agent in agents]
    return play_match(game, parsed, made, games, seed, names=names, payoff=payoff, progress=progress)
