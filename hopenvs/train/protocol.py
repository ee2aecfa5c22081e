"""Protocols: whom to play, how often and how it is counted, so that two papers' figures can be compared.

A protocol never changes: what should be otherwise is another one, `v1`. What it can't fix stands in its results: the
versions of hopenvs, whose players may become better, and of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import hopenvs
from hopenvs import registry
from hopenvs.agents import Agent, make_agent
from hopenvs.agents.match import CONFIDENCE, Match, play_match
from hopenvs.core.errors import OptionError, nearest
from hopenvs.envs.table import payoff_named
from hopenvs.train.evaluate import make_players


@dataclass(frozen=True)
class Opponent:
    """Somebody to be measured against.

    Attributes:
        agent: a word (`agents/specs.py`).
        games: how many; the number is brought up to a multiple of the seats.
    """

    agent: str
    games: int


@dataclass(frozen=True)
class Protocol:
    """How an agent is measured: by itself on one seat, which rotates, against each opponent on all the others.

    The game has the options of its id and pays by "win" (C-7). Figures are shares of games won, a win that k share
    counting 1/k, with Wilson's interval for `CONFIDENCE`.

    Attributes:
        opponents: whom it plays.
        seed: of the first game against each of them; the others have the seeds that follow.
    """

    opponents: tuple[Opponent, ...]
    seed: int

    def as_dict(self) -> dict[str, Any]:
        """All that is fixed, JSON-able."""
        return {
            "opponents": [vars(opponent) for opponent in self.opponents],
            "first_seed": self.seed,
            "seats": "the agent on one, rotating, the opponent on all others",
            "options": "those of the id",
            "reward": REWARD,
            "interval": "Wilson",
            "confidence": CONFIDENCE,
        }


REWARD = "win"
PROTOCOLS: Mapping[str, Protocol] = {
    "v0": Protocol(
        opponents=(
            Opponent("uniform", 1000),
            Opponent("greedy", 1000),
            Opponent("mcts:100", 200),
            Opponent("mcts:400", 200),
        ),
        seed=50_000_000,
    ),
}


@dataclass(frozen=True)
class Score:
    """How an agent did against one opponent.

    Attributes:
        agent: its name.
        opponent: the opponent's.
        match: their games; the agent's standing is the first.
    """

    agent: str
    opponent: str
    match: Match

    def as_dict(self) -> dict[str, Any]:
        """JSON-able."""
        own = self.match.standings[0].as_dict()
        return {"agent": self.agent, "opponent": self.opponent, **own, "truncated": self.match.truncated}


def protocol_named(name: str) -> Protocol:
    """The protocol of a name.

    Raises:
        OptionError: if there is none.
    """
    if name not in PROTOCOLS:
        raise OptionError(
            f"protocol {name!r}: there is none{nearest(name, PROTOCOLS)}: expected {', '.join(PROTOCOLS)}"
        )
    return PROTOCOLS[name]


def games_of(protocol: Protocol, players: int) -> int:
    """How many games an agent plays in all, at tables of so many seats."""
    return sum(-(-opponent.games // players) * players for opponent in protocol.opponents)


def measure(
    env_id: str,
    agents: Sequence[str | Agent],
    protocol: Protocol,
    *,
    trust: bool = False,
    device: str = "cpu",
    progress: Callable[[int, tuple[str, str]], Any] | None = None,
) -> list[Score]:
    """Measure agents, each by itself.

    >>> measure("igel_aergern-2p-v0", ["greedy"], protocol_named("v0"))[0].match.standings[0].win_rate.share
    0.996

    Args:
        env_id: the id.
        agents: words, paths of models or runs, or agents.
        protocol: how.
        trust: also read models that hold code of their own (`agents/policy.py`).
        device: where models run.
        progress: called with the number of games finished since the last call, and who plays.

    Returns:
        For each agent its scores in the order of the protocol's opponents.

    Raises:
        UnknownIdError: for an unknown id.
        OptionError: for an unknown agent.
    """
    if not agents:
        raise OptionError("0 agents: expected one or more")
    game, options = registry.resolve(env_id, {})
    payoff = payoff_named(game, options, REWARD)
    names, made = make_players(agents, game, options, trust=trust, device=device)
    against = [make_agent(opponent.agent, game, options, people=False) for opponent in protocol.opponents]
    scores = []
    for name, agent in zip(names, made, strict=True):
        for opponent, player in zip(protocol.opponents, against, strict=True):
            own = (name, opponent.agent)
            tell = _told(progress, own)
            games, seed = opponent.games, protocol.seed
            match = play_match(game, options, [agent, player], games, seed, names=own, payoff=payoff, progress=tell)
            scores.append(Score(*own, match))
    return scores


def _told(progress: Callable[[int, tuple[str, str]], Any] | None, who: tuple[str, str]) -> Callable[[int], Any] | None:
    return None if progress is None else lambda finished: progress(finished, who)


def about(name: str, env_id: str) -> dict[str, Any]:
    """What a result has to say of how it was found, JSON-able.

    Args:
        name: of the protocol.
        env_id: the id.
    """
    entry = registry.entry_of(env_id)
    return {
        "env": entry.id,
        "game_version": entry.game().VERSION,
        "hopenvs": hopenvs.__version__,
        "protocol": {"name": name, **protocol_named(name).as_dict()},
    }
