"""Many games between players (`hall.py`), counted: who wins how often, from every seat, and how sure that is."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

from hopenvs.agents.hall import ROWS, Outcomes, all_seatings, always_alike, fill_table, names_of, play_games
from hopenvs.core.state import Payoff

if TYPE_CHECKING:
    from hopenvs.agents.agent import Agent
    from hopenvs.core.game import Game

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Interval:
    """A share and where it lies with `CONFIDENCE`."""

    share: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{100 * self.share:.1f} % [{100 * self.low:.1f}, {100 * self.high:.1f}]"


def wilson(share: float, count: float, confidence: float = CONFIDENCE) -> Interval:
    """Wilson's score interval of a share found in `count` independent trials.

    E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927). It stays
    within 0 and 1 and holds for shares near them, where the textbook's normal interval does not (L. D. Brown,
    T. T. Cai, A. DasGupta, "Interval estimation for a binomial proportion", Statistical Science 16, 2001). Shared wins
    count 1/k (C-7): values between 0 and 1 vary less than the zeros and ones of the same mean, so the interval is then
    too wide rather than too narrow.
    """
    if count <= 0:
        return Interval(math.nan, 0.0, 1.0)
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    centre = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z / (1 + z * z / count) * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    low, high = max(0.0, centre - half), min(1.0, centre + half)
    return Interval(share, 0.0 if share == 0 else low, 1.0 if share == 1 else high)  # else rounding shows


@dataclass(frozen=True)
class Standing:
    """What one player came to.

    A player that takes k seats of every game meets itself there: what these seats get depends on one another (one wins,
    so the others don't), and only games are independent. So a game is the trial: what counts is the mean over the
    player's seats in it. For the share of wins Wilson's interval is found for the share of games that any of its seats
    wins, and divided by k, as is that share.

    Attributes:
        name: what the player is called.
        games: how many it sat in.
        played: [P] how often it sat on each seat.
        won: [P] games among whose winners it was, by seat.
        shares: [P] the wins it was credited with, by seat: 1/k of a win that k share (C-7).
        rewards: [P] what it was paid, by seat.
        ranks: [P] the sum of its ranks, by seat.
        squares: the sum over the games of the squared mean of its seats' rewards.
    """

    name: str
    games: int
    played: np.ndarray
    won: np.ndarray
    shares: np.ndarray
    rewards: np.ndarray
    ranks: np.ndarray
    squares: float

    @property
    def seats(self) -> int:
        """How many seats it takes in every game."""
        return int(self.played.sum()) // self.games

    @property
    def win_rate(self) -> Interval:
        """The share of wins of one of its seats, from all seats together."""
        together = wilson(float(self.shares.sum()) / self.games, self.games)
        return Interval(*(x / self.seats for x in (together.share, together.low, together.high)))

    def win_rate_on(self, seat: int) -> Interval:
        """The share of wins from one seat."""
        n = int(self.played[seat])
        return wilson(float(self.shares[seat]) / n if n else math.nan, n)

    @property
    def reward(self) -> float:
        """The mean reward."""
        return float(self.rewards.sum() / self.played.sum())

    @property
    def reward_error(self) -> float:
        """The standard error of the mean reward."""
        n = self.games
        if n < 2:
            return math.inf
        return math.sqrt(max(0.0, self.squares / n - self.reward**2) / (n - 1))

    @property
    def rank(self) -> float:
        """The mean rank."""
        return float(self.ranks.sum() / self.played.sum())

    def as_dict(self) -> dict[str, Any]:
        """JSON-able."""
        rate = self.win_rate
        return {
            "agent": self.name,
            "games": self.games,
            "seats": self.seats,
            "wins": int(self.won.sum()),
            "win_rate": rate.share,
            "win_rate_low": rate.low,
            "win_rate_high": rate.high,
            "reward": self.reward,
            "reward_error": self.reward_error,
            "rank": self.rank,
            "by_seat": [
                {"games": int(n), "wins": int(w), "win_rate": float(s) / int(n)}
                for n, w, s in zip(self.played, self.won, self.shares, strict=True)
            ],
        }


@dataclass(frozen=True)
class Match:
    """The outcome of a match.

    Attributes:
        standings: one for each player given, in that order.
        games: how many were played.
        truncated: how many of them were cut off (C-8).
        decisions: how many decisions were taken.
    """

    standings: tuple[Standing, ...]
    games: int
    truncated: int
    decisions: int

    def as_dict(self) -> dict[str, Any]:
        """JSON-able."""
        return {
            "games": self.games,
            "truncated": self.truncated,
            "decisions": self.decisions,
            "confidence": CONFIDENCE,
            "agents": [standing.as_dict() for standing in self.standings],
        }


def count(outcomes: Outcomes, names: Sequence[str]) -> Match:
    """The games of players called `names`, counted."""
    shares = outcomes.winners / np.maximum(1, outcomes.winners.sum(axis=1))[:, None]
    standings = []
    for k, name in enumerate(names):
        own = outcomes.players == k  # [games, P]
        paid = (own * outcomes.rewards).sum(axis=1) / own.sum(axis=1)  # [games] the mean of its seats
        standing = Standing(
            name,
            games=len(own),
            played=own.sum(axis=0),
            won=(own * outcomes.winners).sum(axis=0),
            shares=(own * shares).sum(axis=0),
            rewards=(own * outcomes.rewards).sum(axis=0),
            ranks=(own * outcomes.ranks).sum(axis=0),
            squares=float((paid**2).sum()),
        )
        standings.append(standing)
    return Match(tuple(standings), len(outcomes), int(outcomes.truncated.sum()), outcomes.decisions)


def play_match(
    game: Game,
    options: Any,
    agents: Sequence[Agent],
    games: int,
    seed: int,
    *,
    names: Sequence[str] | None = None,
    payoff: Payoff = Payoff.WIN,
    rows: int = ROWS,
    progress: Callable[[int], Any] | None = None,
) -> Match:
    """Play games (`hall.play_games`) and count.

    Args:
        game: the game module.
        options: its compiled options.
        agents: the players, at most one a seat; the last takes the seats that are left. Seats rotate.
        games: how many; the number is brought up to a multiple of the seats. Where all games of a seating are one and
            the same (`hall.always_alike`), no more than there are seatings: others would only look like evidence.
        seed: of the first game.
        names: what the players are called.
        payoff: how a game pays (C-7).
        rows: how many games are played side by side.
        progress: called with the number of games finished since the last call.
    """
    names = names or names_of(agents)
    spec = game.spec(options)
    if always_alike(spec, agents):
        games = min(games, all_seatings(fill_table(len(agents), spec.num_players)))
    outcomes = play_games(game, options, agents, games, seed, names=names, payoff=payoff, rows=rows, progress=progress)
    return count(outcomes, names)
