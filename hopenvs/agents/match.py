"""Many games between players, in one batch: who wins how often, from every seat, and how sure that is."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

from hopenvs.core import kernels, rng
from hopenvs.core.batch import Batch
from hopenvs.core.errors import IllegalActionError, OptionError
from hopenvs.core.state import NOT_TRUNCATED, SIMULTANEOUS, TERMINAL, Payoff

if TYPE_CHECKING:
    from hopenvs.agents.agent import Agent
    from hopenvs.core.game import Game

# Games played side by side.
ROWS = 512
CONFIDENCE = 0.95
# Orders round the table that are gone through before they repeat.
ORDERS = 720


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


def fill_table(count: int, players: int) -> list[int]:
    """Which of `count` players sit at a table of `players` seats: the last one takes the seats that are left.

    Raises:
        OptionError: if there are none, or more than seats.
    """
    if not 1 <= count <= players:
        raise OptionError(f"{count} agents: expected 1 to {players}, as there are {players} seats")
    return [min(k, count - 1) for k in range(players)]


def seatings(table: Sequence[int], first: int = 0) -> Iterator[tuple[int, ...]]:
    """Who sits where in game `first`, `first` + 1, ...: each round of P games turns an order round the table.

    So after every P games each player has had each seat equally often; the orders change from round to round, so that
    nobody always sits behind the same neighbour.
    """
    players = len(table)
    rest = itertools.islice(itertools.permutations(table[1:]), ORDERS)
    orders = [(table[0], *others) for others in dict.fromkeys(rest)]
    for game in itertools.count(first):
        order = orders[game // players % len(orders)]
        turn = game % players
        yield order[turn:] + order[:turn]


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
    """Play games and count.

    Game k is the game of seed + k, with the players' choices drawn from that seed's stream of opponents: the same game
    whatever the batch, and the one that `hopenvs record --seed` of that number writes down. (A trained policy rounds
    differently in batches of different size; a tie that this decides can change a game.)

    Args:
        game: the game module.
        options: its compiled options.
        agents: the players, at most one a seat; the last takes the seats that are left. Seats rotate.
        games: how many; the number is brought up to a multiple of the seats.
        seed: of the first game.
        names: what the players are called.
        payoff: how a game pays (C-7).
        rows: how many games are played side by side.
        progress: called with the number of games finished since the last call.
    """
    players = game.spec(options).num_players
    table = fill_table(len(agents), players)
    rng.check_seed(seed)
    if games < 1:
        raise OptionError(f"games={games!r}: expected 1 or more")
    names = list(names) if names is not None else [getattr(a, "name", type(a).__name__) for a in agents]
    games = -(-games // players) * players
    hall = _Hall(game, options, agents, names, min(rows, games), games, payoff)
    waiting = zip(range(games), seatings(table), strict=False)
    hall.seat_games(range(hall.batch.num_rows), waiting, seed)
    while True:
        ended = hall.play_round()
        if len(ended):
            hall.enter(ended)
            if progress is not None:
                progress(len(ended))
            hall.seat_games(ended, waiting, seed)
        elif not (hall.game_of >= 0).any():
            break
    return hall.match()


class _Hall:
    """Rows of a batch, each with a game, and the players at it."""

    def __init__(
        self,
        game: Game,
        options: Any,
        agents: Sequence[Agent],
        names: Sequence[str],
        rows: int,
        games: int,
        payoff: Payoff,
    ) -> None:
        self.batch = Batch(game, options, rows, payoff=payoff)
        self.agents = agents
        self.names = names
        players = self.batch.spec.num_players
        self.game_of = np.full(rows, -1)  # [N] which game the row plays; -1 for none
        self.seated = np.zeros((rows, players), np.int64)  # [N, P] which player sits there
        self.streams = np.zeros((rows, 4), np.uint32)
        self.other_chance = np.zeros((rows, 4), np.uint32)  # for the games' generators: nobody sees coming dice
        self.orders = np.full((rows, self.batch.seats_asked), kernels.SKIP, np.int32)
        # Of each game, so that sums do not depend on the order in which games end:
        self.players_of = np.zeros((games, players), np.int64)
        self.winners = np.zeros((games, players))
        self.rewards = np.zeros((games, players))
        self.ranks = np.zeros((games, players))
        self.truncated = np.zeros(games, np.bool_)
        self.decisions = 0

    def seat_games(
        self, rows: Sequence[int] | np.ndarray, waiting: Iterator[tuple[int, tuple[int, ...]]], seed: int
    ) -> None:
        """Begin the next games in `rows`."""
        begun = np.full(self.batch.num_rows, kernels.SKIP, np.int32)
        for row in rows:
            k, seating = next(waiting, (-1, ()))
            self.game_of[row] = k
            if k < 0:
                continue
            begun[row] = kernels.NEW_SEED
            own_seed = (seed + k) % 2**64
            self.batch.seeds[row] = own_seed & rng.WORD, own_seed >> 32
            self.seated[row] = seating
            self.streams[row] = rng.generator(own_seed, rng.OPPONENTS)
            self.other_chance[row] = rng.generator(own_seed, rng.PLAYOUT)
        self.batch.start(begun)

    def play_round(self) -> np.ndarray:
        """A decision in every row that has a game; the rows whose game is over."""
        batch = self.batch
        seats = batch.seat
        live = self.game_of >= 0
        asked = np.flatnonzero(live & (seats != TERMINAL))
        if len(asked):
            self.orders[:] = kernels.SKIP
            for place in range(batch.seats_asked):
                self._choose(asked, place)
            batch.step(self.orders)
            self.decisions += len(asked) * batch.seats_asked
        return np.flatnonzero(live & (batch.seat == TERMINAL))

    def _choose(self, rows: np.ndarray, place: int) -> None:
        """The actions in column `place` of the orders: one call for each player."""
        batch = self.batch
        deciding = batch.seat[rows].astype(np.int32)
        deciding[deciding == SIMULTANEOUS] = place
        who = self.seated[rows, deciding]
        for number, agent in enumerate(self.agents):
            part = np.flatnonzero(who == number)
            if not len(part):
                continue
            chosen = rows[part]
            states = batch.states[chosen]
            states["rng"] = self.other_chance[chosen]
            streams = self.streams[chosen]
            masks = batch.mask[chosen, place]
            actions = np.asarray(
                agent.act(batch.observation[chosen, place], masks, states=states, seats=deciding[part], streams=streams)
            )
            self._check(number, chosen, deciding[part], actions, masks)
            self.orders[chosen, place] = actions
            self.streams[chosen] = streams

    def _check(self, number: int, rows: np.ndarray, seats: np.ndarray, actions: np.ndarray, masks: np.ndarray) -> None:
        if actions.shape != (len(rows),) or actions.dtype.kind not in "iu":
            raise IllegalActionError(
                f"agent {self.names[number]!r}: expected integers [{len(rows)}], not {actions.dtype} {actions.shape}"
            )
        beyond = (actions < 0) | (actions >= masks.shape[1])
        wrong = beyond | (masks[np.arange(len(rows)), np.where(beyond, 0, actions)] == 0)
        if wrong.any():
            k = int(np.argmax(wrong))
            where = f"agent {self.names[number]!r}, game {int(self.game_of[rows[k]])}: "
            raise self.batch.illegal_action(int(rows[k]), int(seats[k]), int(actions[k]), masks[k], where)

    def enter(self, rows: np.ndarray) -> None:
        """Enter the results of ended games."""
        states, ended = self.batch.states[rows], self.game_of[rows]
        players = self.batch.spec.num_players
        self.players_of[ended] = self.seated[rows]
        self.winners[ended] = states["winners"][:, :players]
        self.rewards[ended] = states["rewards"][:, :players]
        self.ranks[ended] = states["ranks"][:, :players]
        self.truncated[ended] = states["truncated"] != NOT_TRUNCATED

    def match(self) -> Match:
        """What was entered, counted."""
        shares = self.winners / np.maximum(1, self.winners.sum(axis=1))[:, None]
        standings = []
        for k, name in enumerate(self.names):
            own = self.players_of == k  # [games, P]
            paid = (own * self.rewards).sum(axis=1) / own.sum(axis=1)  # [games] the mean of its seats
            standing = Standing(
                name,
                games=len(own),
                played=own.sum(axis=0),
                won=(own * self.winners).sum(axis=0).astype(int),
                shares=(own * shares).sum(axis=0),
                rewards=(own * self.rewards).sum(axis=0),
                ranks=(own * self.ranks).sum(axis=0),
                squares=float((paid**2).sum()),
            )
            standings.append(standing)
        return Match(tuple(standings), len(self.winners), int(self.truncated.sum()), self.decisions)
