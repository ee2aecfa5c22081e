"""The oracle: seeded games played on the core alone, one decision after another, which every face must repeat."""

from __future__ import annotations

import functools
import itertools
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from hopenvs.core import kernels, state
from hopenvs.core.batch import Batch
from hopenvs.core.jit import plain_twin
from hopenvs.core.state import SIMULTANEOUS, TERMINAL, Payoff
from hopenvs.core.walk import Walk
from hopenvs.testing.suite import bare

if TYPE_CHECKING:
    from hopenvs.core.game import Game

# More decisions than any game may take.
LONGEST = 100_000
# Games in a row in which a learner may not be asked at all.
NEVER_ASKED = 300

Policy = Callable[[Walk, int, np.random.Generator], int]  # (walk, seat) -> a legal action


@dataclass(frozen=True, eq=False)
class Frame:
    """A decision, a tick or the end of a game.

    Attributes:
        current: the seat to act, SIMULTANEOUS or TERMINAL.
        asked: the seats that are asked.
        masks: [P, A] int8, zero for seats that aren't asked.
        observations: [P, D] int8.
        body: [B] uint8, the record without its generator.
        actions: what the seats asked do; empty at the end.
    """

    current: int
    asked: tuple[int, ...]
    masks: np.ndarray
    observations: np.ndarray
    body: np.ndarray
    actions: tuple[int, ...]

    @property
    def over(self) -> bool:
        """Whether it's the end."""
        return self.current == TERMINAL


@dataclass(frozen=True, eq=False)
class Trace:
    """A game from its first decision to its end.

    Attributes:
        game: the game module.
        options: its compiled options.
        seed: of the first game of its chain.
        number: how many games were played before on the same generator.
        frames: decisions, and last the end.
        rewards: [P].
        ranks: [P].
        scores: [P], 0 in games without scores.
        winners: [P], 1 for a winner.
        truncated: by the rules' cap.
    """

    game: Game
    options: Any
    seed: int
    number: int
    frames: tuple[Frame, ...]
    rewards: tuple[float, ...]
    ranks: tuple[int, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    truncated: bool

    @property
    def decisions(self) -> int:
        """How many decisions (ticks) it took."""
        return len(self.frames) - 1

    @property
    def seats(self) -> range:
        """All seats."""
        return range(len(self.rewards))

    def where(self, k: int) -> str:
        """For messages."""
        return f"seed {self.seed}{f', game {self.number + 1}' if self.number else ''}, decision {k}"

    def standing(self, k: int) -> tuple[list[int], list[int]]:
        """(ranks, scores) if the game were cut off before decision `k`."""
        return standing(self.walk_at(k))

    def walk_at(self, k: int) -> Walk:
        """A walk at decision `k`, with a generator of its own."""
        walk = Walk(self.game, self.options)
        walk.start(0)
        given = walk.states.copy()
        state.body(given)[0] = self.frames[k].body
        walk.batch.load(given)
        return walk

    def phases(self) -> dict[str, int]:
        """The first decision in each phase of the game that occurs."""
        first: dict[str, int] = {}
        batch = self.batch()
        for k in range(self.decisions):
            first.setdefault(self.game.to_position(self.options, batch.record(k))["phase"], k)
        return first

    def batch(self) -> Batch:
        """All frames as the rows of a batch."""
        batch = Batch(self.game, self.options, len(self.frames), draw=False)
        for k, frame in enumerate(self.frames):
            state.body(batch.states)[k] = frame.body
        batch.start(kernels.RESUME)
        return batch


def standing(walk: Walk) -> tuple[list[int], list[int]]:
    """(ranks, scores) of the position a walk stands at, whether it's over or not."""
    players = walk.spec.num_players
    scores, ranks, winners = (np.zeros(players, kind) for kind in (np.int32, np.int8, np.int8))
    plain_twin(walk.game.result)(walk.options, walk.record, scores.data, ranks.data, winners.data)
    return ranks.tolist(), scores.tolist()


def payoff_in_fractions(game: Trace, payoff: Payoff) -> list[Fraction]:
    """C-7 once more, in fractions."""
    n = len(game.ranks)
    if game.truncated:
        return [Fraction(0)] * n
    if payoff == Payoff.WIN:
        winners = sum(game.winners)
        shares = [Fraction(w, winners) if winners else Fraction(1, n) for w in game.winners]
        return [Fraction(n, n - 1) * (share - Fraction(1, n)) for share in shares]
    if payoff == Payoff.RANK:
        places = [Fraction(2 * (rank - 1) + game.ranks.count(rank) - 1, 2) for rank in game.ranks]
        return [1 - 2 * place / (n - 1) for place in places]
    return [score - Fraction(sum(game.scores) - score, n - 1) for score in map(Fraction, game.scores)]


def at_random(walk: Walk, seat: int, chooser: np.random.Generator) -> int:
    """A legal action, each as likely."""
    legal = walk.legal(seat if walk.current_player == SIMULTANEOUS else None)
    return legal[int(chooser.integers(len(legal)))]


def by_observation(observation: np.ndarray, mask: np.ndarray, salt: int = 0) -> int:
    """A legal action that depends on what is seen alone: an opponent whose play anybody can foretell."""
    legal = np.flatnonzero(mask)
    return int(legal[(zlib.crc32(observation.tobytes()) + salt) % len(legal)])


class _Games:
    """Games of a chain, each played once however often it is asked for."""

    def __init__(self, source: Iterator[Trace]) -> None:
        self.source = source
        self.games: list[Trace] = []

    def __iter__(self) -> Iterator[Trace]:
        k = 0
        while True:
            if k == len(self.games):
                self.games.append(next(self.source))
            yield self.games[k]
            k += 1


def play(game: Any, options: Any, seed: int, count: int = 1) -> tuple[Trace, ...]:
    """`count` random games of a chain: the first from the seed, each further one goes on with the generator (C-14)."""
    return tuple(itertools.islice(_random_games(game, options, seed), count))


@functools.lru_cache(maxsize=12)
def _random_games(game: Any, options: Any, seed: int) -> _Games:
    return _Games(play_with(game, options, seed, at_random))


@functools.lru_cache(maxsize=64)
def opening(game: Any, options: Any, seed: int, decisions: int = 0) -> tuple[Frame, ...]:
    """The first frames of `play(game, options, seed)`, up to some decision, without the rest of the game."""
    walk = Walk(game, options)
    return tuple(itertools.islice(_frames(walk, seed, 0, at_random, _chooser(seed)), decisions + 1))


def play_with(game: Game, options: Any, seed: int, policy: Policy) -> Iterator[Trace]:
    """Games of a chain without end, played by a policy."""
    walk = Walk(game, options)
    chooser = _chooser(seed)
    for number in itertools.count():
        frames = tuple(_frames(walk, seed, number, policy, chooser))
        s, seats = walk.record, range(walk.spec.num_players)
        yield Trace(
            game,
            options,
            seed,
            number,
            frames,
            tuple(s.rewards[seat] for seat in seats),
            tuple(s.ranks[seat] for seat in seats),
            tuple(s.scores[seat] for seat in seats),
            tuple(s.winners[seat] for seat in seats),
            bool(s.truncated),
        )


def _chooser(seed: int) -> np.random.Generator:
    return np.random.default_rng([seed % 2**32, 20])


def _frames(walk: Walk, seed: int, number: int, policy: Policy, chooser: np.random.Generator) -> Iterator[Frame]:
    """Play one game to its end."""
    if number == 0:
        walk.start(seed)
    else:
        walk.batch.start(kernels.NEW_GAME)
    seats = list(range(walk.spec.num_players))
    for _ in range(LONGEST):
        walk.draw_all()
        current = walk.current_player
        masks, observations = walk.batch.view([0] * len(seats), seats)
        asked: tuple[int, ...] = ()
        if current == SIMULTANEOUS:
            asked = tuple(seats)
        elif current >= 0:
            asked = (current,)
        actions = tuple(policy(walk, seat, chooser) for seat in asked)
        yield Frame(current, asked, masks, observations, state.body(walk.states)[0].copy(), actions)
        if not asked:
            return
        walk.play(*actions)
    raise AssertionError(f"seed {seed}: no end after {LONGEST} decisions")


def traces(env: Any, games: int, seed: int) -> Iterator[Trace]:
    """`games` seeded games of what an environment plays."""
    inner = bare(env)
    for k in range(games):
        yield play(inner.game, inner.options, seed + k)[0]


def trace(env: Any, seed: int) -> Trace:
    """One seeded game of what an environment plays."""
    inner = bare(env)
    return play(inner.game, inner.options, seed)[0]


def chain(env: Any, seed: int, count: int) -> tuple[Trace, ...]:
    """Games that follow one another on one generator."""
    inner = bare(env)
    return play(inner.game, inner.options, seed, count)


def learner_traces(env: Any, seed: int, learner: int) -> Iterator[Trace]:
    """Games of one learning seat that plays at random against `by_observation`, salted by how far left they sit.

    Games in which the learner is never asked are left out, as the Gymnasium faces play them over.
    """
    inner = bare(env)
    return iter(_learner_games(inner.game, inner.options, seed, learner))


@functools.lru_cache(maxsize=10)
def _learner_games(game: Any, options: Any, seed: int, learner: int) -> _Games:
    players = game.spec(options).num_players

    def policy(walk: Walk, seat: int, chooser: np.random.Generator) -> int:
        if seat == learner:
            return at_random(walk, seat, chooser)
        k = seat if walk.current_player == SIMULTANEOUS else 0
        batch = walk.batch
        return by_observation(batch.observation[0, k], batch.mask[0, k], (seat - learner) % players)

    return _Games(_asked_games(play_with(game, options, seed, policy), learner))


def _asked_games(games: Iterator[Trace], learner: int) -> Iterator[Trace]:
    """Those games in which a seat is asked at all."""
    missed = 0
    while missed < NEVER_ASKED:
        found = next(games)
        missed += 1
        if any(learner in frame.asked for frame in found.frames):
            missed = 0
            yield found
    raise AssertionError(f"seat {learner} isn't asked in {missed} games in a row")


class Foretold:
    """The opponent of `learner_traces` as an agent.

    Args:
        salt: how many seats to the left of the learner it sits.
    """

    def __init__(self, salt: int) -> None:
        self.salt = salt

    def act(
        self,
        observations: np.ndarray,
        masks: np.ndarray,
        *,
        states: np.ndarray,
        seats: np.ndarray,
        streams: np.ndarray,
    ) -> np.ndarray:
        """The actions [n]."""
        return np.array([by_observation(o, m, self.salt) for o, m in zip(observations, masks, strict=True)], np.int32)


def foretold(players: int) -> list[Foretold]:
    """The opponents of `learner_traces`, clockwise from the learner."""
    return [Foretold(k) for k in range(1, players)]
