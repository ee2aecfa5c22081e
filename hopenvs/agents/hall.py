"""Games played side by side in one batch, each by its own seed, whoever else is in the batch."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hopenvs.core import kernels, rng
from hopenvs.core.batch import Batch
from hopenvs.core.errors import IllegalActionError, OptionError
from hopenvs.core.state import NOT_TRUNCATED, SIMULTANEOUS, TERMINAL, Payoff

if TYPE_CHECKING:
    from hopenvs.agents.agent import Agent
    from hopenvs.core.game import Game, Spec

# Games played side by side.
ROWS = 512
# Orders round the table that are gone through before they repeat.
ORDERS = 720


@dataclass(frozen=True)
class Outcomes:
    """What came of G games of P seats, a row each, in the order of their numbers.

    Attributes:
        first: the number of the first game.
        players: [G, P] which player sat there, as an index.
        winners: [G, P] bool; none in a game that was cut off or that nobody won.
        rewards: [G, P] float64, what the seat was paid.
        ranks: [G, P] int64, from 1.
        truncated: [G] bool, whether it was cut off (C-8).
        decisions: how many were taken in all games together.
    """

    first: int
    players: np.ndarray
    winners: np.ndarray
    rewards: np.ndarray
    ranks: np.ndarray
    truncated: np.ndarray
    decisions: int

    def __len__(self) -> int:
        return len(self.players)


def fill_table(count: int, players: int) -> list[int]:
    """Which of `count` players sit at a table of `players` seats: the last one takes the seats that are left.

    Raises:
        OptionError: if there are none, or more than seats.
    """
    if not 1 <= count <= players:
        raise OptionError(f"{count} agents: expected 1 to {players}, as there are {players} seats")
    return [min(k, count - 1) for k in range(players)]


def seatings(*tables: Sequence[int], first: int = 0) -> Iterator[tuple[int, ...]]:
    """Who sits where in game `first`, `first` + 1, ...: each round of P games turns an order round the table.

    So after every P games each player has had each seat equally often; the orders change from round to round, so that
    nobody always sits behind the same neighbour.

    Args:
        *tables: who shares the table, [P] players each; of several, each has every so many-th round.
        first: the number of the first game.
    """
    players = len(tables[0])
    orders = [_orders(table) for table in tables]
    for game in itertools.count(first):
        turns, table = divmod(game // players, len(tables))
        order = orders[table][turns % len(orders[table])]
        turn = game % players
        yield order[turn:] + order[:turn]


def all_seatings(table: Sequence[int]) -> int:
    """After how many games the seatings of a table begin again."""
    return len(table) * len(_orders(table))


def _orders(table: Sequence[int]) -> list[tuple[int, ...]]:
    """The orders round the table, all different; its first player stays where it is."""
    rest = itertools.islice(itertools.permutations(table[1:]), ORDERS)
    return [(table[0], *others) for others in dict.fromkeys(rest)]


def play_games(
    game: Game,
    options: Any,
    agents: Sequence[Agent],
    games: int,
    seed: int,
    *,
    first: int = 0,
    tables: Sequence[Sequence[int]] | None = None,
    names: Sequence[str] | None = None,
    payoff: Payoff = Payoff.WIN,
    rows: int = ROWS,
    progress: Callable[[int], Any] | None = None,
) -> Outcomes:
    """Play games `first`, `first` + 1, ...

    Game k is the game of seed + k, with the players' choices drawn from that seed's stream of opponents: the same game
    whatever the batch and wherever one begins, and the one that `hopenvs record --seed` of that number writes down. (A
    trained policy rounds differently in batches of different size; a tie that this decides can change a game.)

    Args:
        game: the game module.
        options: its compiled options.
        agents: the players.
        games: how many; the number is brought up to a multiple of the seats.
        seed: of game 0.
        first: the number of the first game, a multiple of the seats.
        tables: who shares the table (`seatings`), as indices of `agents`; by default everybody, and the last takes the
            seats that are left.
        names: what the players are called.
        payoff: how a game pays (C-7).
        rows: how many games are played side by side.
        progress: called with the number of games finished since the last call.

    Raises:
        OptionError: for an impossible number of players or games, first game or seed.
        IllegalActionError: for what an agent may not do; names it.
    """
    players = game.spec(options).num_players
    tables = tables if tables is not None else [fill_table(len(agents), players)]
    rng.check_seed(seed)
    if games < 1:
        raise OptionError(f"games={games!r}: expected 1 or more")
    if first < 0 or first % players:
        raise OptionError(f"first={first!r}: expected a multiple of {players}, as there are {players} seats")
    games = -(-games // players) * players
    hall = _Hall(game, options, agents, names or names_of(agents), min(rows, games), games, payoff, first)
    waiting = zip(range(games), seatings(*tables, first=first), strict=False)
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
    return hall.outcomes()


def always_alike(spec: Spec, agents: Iterable[Any]) -> bool:
    """Whether these players' games are the same for every seed: nothing is left to chance, and none of them draws."""
    return not spec.has_chance and all(getattr(agent, "deterministic", False) for agent in agents)


def names_of(agents: Sequence[Any]) -> list[str]:
    """What agents call themselves: a word, a `name`, or else that of their class."""
    return [agent if isinstance(agent, str) else getattr(agent, "name", type(agent).__name__) for agent in agents]


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
        first: int,
    ) -> None:
        self.first = first
        self.batch = Batch(game, options, rows, payoff=payoff)
        self.agents = agents
        self.names = names
        players = self.batch.spec.num_players
        self.game_of = np.full(rows, -1)  # [N] which game the row plays, counted from `first`; -1 for none
        self.seated = np.zeros((rows, players), np.int64)  # [N, P] which player sits there
        self.streams = np.zeros((rows, 4), np.uint32)
        self.other_chance = np.zeros((rows, 4), np.uint32)  # for the games' generators: nobody sees coming dice
        self.orders = np.full((rows, self.batch.seats_asked), kernels.SKIP, np.int32)
        # Of each game, so that sums do not depend on the order in which games end:
        self.players_of = np.zeros((games, players), np.int64)
        self.winners = np.zeros((games, players), np.bool_)
        self.rewards = np.zeros((games, players))
        self.ranks = np.zeros((games, players), np.int64)
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
            own_seed = (seed + self.first + k) % 2**64
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
            where = f"agent {self.names[number]!r}, game {self.first + int(self.game_of[rows[k]])}: "
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

    def outcomes(self) -> Outcomes:
        """What was entered."""
        entered = (self.players_of, self.winners, self.rewards, self.ranks, self.truncated)
        return Outcomes(self.first, *entered, self.decisions)
