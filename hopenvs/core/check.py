"""Every promise that a game makes, as checks with readable messages: `check_game(module)`.

What is checked, on random games and every position of them: masks, action names, conservation of the record by looking
at it, positions and records back and forth, observations within their sections and blind to what is hidden, seats
turned round, rewards, endings, the same bits in plain Python, keys.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from hopenvs.core import rng, state
from hopenvs.core.game import Game
from hopenvs.core.jit import plain_twin
from hopenvs.core.options import parse_options
from hopenvs.core.position import read_position, write_position
from hopenvs.core.record import GameRecord, play_record
from hopenvs.core.state import SIMULTANEOUS, Payoff
from hopenvs.core.trust import check_record
from hopenvs.core.walk import Walk

if TYPE_CHECKING:
    from types import ModuleType

DECISIONS_PER_GAME = 100_000


class GameCheckError(AssertionError):
    """A game breaks its contract; the message says which promise, where, and what was found."""


def missing_members(game: ModuleType | Game) -> list[str]:
    """The members of the contract (`core/game.py`) that a module lacks."""
    names = [name for name in (*Game.__annotations__, *vars(Game)) if not name.startswith("_")]
    lacking = sorted({name for name in names if not hasattr(game, name)})
    if not hasattr(game, "apply") and not hasattr(game, "apply_joint"):
        lacking.append("apply (or apply_joint)")
    return lacking


def check_game(game: Game, games: int = 3, seed: int = 0, **keywords: Any) -> int:
    """Check a game under options.

    Args:
        game: the game module.
        games: how many random games are looked at.
        seed: of the first one.
        **keywords: the options.

    Returns:
        How many positions were looked at.

    Raises:
        GameCheckError: naming the promise that is broken.
    """
    lacking = missing_members(game)
    _expect(not lacking, f"members of the contract are missing: {', '.join(lacking)}")
    options = parse_options(game, keywords)
    checks = _Checks(game, options)
    checks.catalogue()
    checks.layout()
    looked = 0
    for k in range(games):
        looked += checks.random_game(seed + k)
    return looked


def _expect(holds: bool, message: str) -> None:
    if not holds:
        raise GameCheckError(message)


class _Checks:
    def __init__(self, game: Game, options: Any) -> None:
        self.game = game
        self.options = options
        self.spec = game.spec(options)
        self.low, self.high = self.spec.bounds()
        self.walk = Walk(game, options)

    # ---- tables -----------------------------------------------------------------------------------------------------
    def catalogue(self) -> None:
        """Names are unique and parse back (C-5)."""
        names = [self.game.action_name(self.options, a) for a in range(self.spec.num_actions)]
        _expect(len(set(names)) == len(names), "two actions have the same name")
        for action, name in enumerate(names):
            found = self.game.parse_action(self.options, name)
            _expect(found == action, f"action {action} is named {name!r}, which parses as {found}")
        try:
            self.game.parse_action(self.options, "no such action")
        except ValueError:
            return
        raise GameCheckError("parse_action takes an unknown name: expected ValueError")

    def layout(self) -> None:
        """Sections have names of their own, sane shapes and bounds."""
        names = [s.name for s in self.spec.sections]
        _expect(len(set(names)) == len(names), f"sections share a name: {names}")
        for s in self.spec.sections:
            _expect(s.size > 0 and s.low <= s.high, f"section {s.name}: shape {s.shape}, bounds {s.low} to {s.high}")
            _expect(s.low >= -128 and s.high <= 127, f"section {s.name}: bounds {s.low} to {s.high} aren't int8")

    # ---- one game ---------------------------------------------------------------------------------------------------
    def random_game(self, seed: int) -> int:
        """Play at random and look at every position; then write, replay and play the game again."""
        stream = rng.generator(seed, rng.PLAYOUT)
        looked = 0

        def choose(walk: Walk) -> tuple[int, ...]:
            nonlocal looked
            looked += 1
            _expect(looked < DECISIONS_PER_GAME, f"seed {seed}: no end after {looked} decisions")
            self.position(walk, seed, looked)
            return self.pick(walk, stream)

        header = {"env": self.game.ID, "options": {}, "players": self.spec.num_players, "seed": seed}
        record = play_record(self.walk, header, choose, positions=looked == 0)
        self.end(self.walk, seed)
        self.replay(record, seed)
        return looked

    def pick(self, walk: Walk, stream: np.ndarray) -> tuple[int, ...]:
        """A random action, or one a seat."""
        below = plain_twin(rng.below)
        seats: list[int | None] = [None]
        if walk.current_player == SIMULTANEOUS:
            seats = list(range(self.spec.num_players))
        chosen = []
        for seat in seats:
            legal = walk.legal(seat)
            chosen.append(legal[below(stream.data, len(legal))])
        return tuple(chosen)

    def position(self, walk: Walk, seed: int, ply: int) -> None:
        """All that must hold at a decision."""
        where = f"seed {seed}, decision {ply}"
        before = walk.states.tobytes()
        self.masks(walk, where)
        self.observations(walk, where)
        self.round_trip(walk, where)
        self.blindness(walk, where)
        self.plain(walk, where)
        _expect(walk.states.tobytes() == before, f"{where}: looking at the record changed it")

    def masks(self, walk: Walk, where: str) -> None:
        """Never empty, only 0 and 1 (C-4)."""
        _expect(bool(np.isin(walk.batch.mask, (0, 1)).all()), f"{where}: a mask holds other values than 0 and 1")
        for row in walk.batch.mask[0]:
            _expect(bool(row.any()), f"{where}: nothing is legal in {walk.position()}")

    def observations(self, walk: Walk, where: str) -> None:
        """Within their sections' bounds, for every seat."""
        for seat in range(self.spec.num_players):
            obs = walk.batch.view((0,), (seat,))[1][0]
            wrong = np.flatnonzero((obs < self.low) | (obs > self.high))
            for name, (part, _shape) in self.spec.layout.items():
                inside = [int(i) for i in wrong if part.start <= i < part.stop]
                _expect(not inside, f"{where}: seat {seat}: section {name} is out of bounds at {inside[:5]}")

    def round_trip(self, walk: Walk, where: str) -> None:
        """Position -> record -> position, through JSON; equal keys, masks and observations (C-6)."""
        position = walk.position()
        text = json.dumps(position)
        _expect(json.loads(text) == position, f"{where}: the position is no plain JSON: {position}")
        again = Walk(self.game, self.options)
        again.start(0)
        again.start_from(json.loads(text))
        _expect(again.position() == position, f"{where}: set up again, {position} reads {again.position()}")
        _expect(again.batch.keys() == walk.batch.keys(), f"{where}: set up again, the key differs: {position}")
        _expect(
            np.array_equal(again.batch.mask, walk.batch.mask), f"{where}: set up again, the mask differs: {position}"
        )
        for seat in range(self.spec.num_players):
            same = np.array_equal(again.batch.view((0,), (seat,))[1], walk.batch.view((0,), (seat,))[1])
            _expect(same, f"{where}: set up again, seat {seat} sees something else: {position}")

    def blindness(self, walk: Walk, where: str) -> None:
        """What a seat can't know changes neither its observation nor its mask (C-9)."""
        for seat in range(self.spec.num_players):
            mask, obs = walk.batch.view((0,), (seat,))
            twin = walk.batch.copy()
            stream = rng.generator(seat, rng.PLAYOUT)[None]
            twin.resample_hidden(np.array([seat]), stream)
            check_record(twin, twin.states)
            other_mask, other_obs = twin.view((0,), (seat,))
            _expect(np.array_equal(obs, other_obs), f"{where}: seat {seat} sees what it can't know")
            _expect(np.array_equal(mask, other_mask), f"{where}: the mask of seat {seat} tells what it can't know")
            if self.spec.perfect_information:
                same = twin.keys() == walk.batch.keys()
                _expect(same, f"{where}: resample_hidden changes a game of perfect information")

    def plain(self, walk: Walk, where: str) -> None:
        """Mask and observation are the same in plain Python, which is strict about ranges and bounds."""
        s, o = walk.record, self.options
        seats = range(self.spec.num_players)
        for seat in seats:
            mask, obs = walk.batch.view((0,), (seat,))
            slow = np.zeros_like(obs[0])
            plain_twin(self.game.observe)(o, s, seat, memoryview(slow))
            _expect(np.array_equal(slow, obs[0]), f"{where}: seat {seat} sees something else in plain Python")
            if walk.current_player in (seat, SIMULTANEOUS):
                slow_mask = np.zeros_like(mask[0])
                plain_twin(self.game.action_mask)(o, s, seat, memoryview(slow_mask))
                _expect(np.array_equal(slow_mask, mask[0]), f"{where}: the mask is another in plain Python")
            value = plain_twin(self.game.evaluate)(o, s, seat)
            _expect(np.isfinite(value), f"{where}: evaluate gives {value} for seat {seat}")
            _expect(value == walk.batch.evaluate((0,), (seat,))[0], f"{where}: evaluate is another in plain Python")

    def end(self, walk: Walk, seed: int) -> None:
        """Results and rewards of a finished game (C-7, C-8, C-12)."""
        players = self.spec.num_players
        result, where = walk.result(), f"seed {seed}, the end"
        ranks, winners = result["ranks"], result["winners"]
        competition = [1 + sum(other < rank for other in ranks) for rank in ranks]
        _expect(ranks == competition, f"{where}: ranks {ranks} aren't of the form 1, 2, 2, 4")
        if result.get("truncated"):
            _expect(not winners and not any(result["rewards"]), f"{where}: truncated, but {result}")
            _expect(self.spec.max_turns is not None, f"{where}: truncated, but the game states no cap")
        for seat in winners:
            _expect(ranks[seat] == 1, f"{where}: winner {seat} has rank {ranks[seat]}")
        for payoff in Payoff:
            if payoff == Payoff.SCORE and self.spec.score_range is None:
                continue
            again = Walk(self.game, self.options, payoff=payoff)
            again.start(0)
            again.batch.load(walk.states)
            rewards = again.result()["rewards"]
            low, high = self.spec.reward_range(payoff)
            total = sum(rewards)
            _expect(abs(total) < 1e-9, f"{where}: rewards {rewards} ({payoff.name.lower()}) sum to {total}")
            inside = all(low - 1e-9 <= r <= high + 1e-9 for r in rewards)
            _expect(inside, f"{where}: rewards {rewards} are out of [{low}, {high}]")
        if self.spec.score_range is not None:
            low, high = self.spec.score_range
            _expect(all(low <= x <= high for x in result["scores"]), f"{where}: scores {result['scores']} out of range")
        for seat in range(players):
            obs = walk.batch.view((0,), (seat,))[1][0]
            _expect(
                bool(((obs >= self.low) & (obs <= self.high)).all()), f"{where}: seat {seat} sees values out of bounds"
            )
        self.round_trip_of_the_end(walk, where)

    def round_trip_of_the_end(self, walk: Walk, where: str) -> None:
        """A finished game's position can be set up again."""
        position = walk.position()
        _expect(position["phase"] == "over" and position["to_play"] is None, f"{where}: position {position}")
        given = state.new_states(1, walk.states.dtype)
        read_position(self.game, self.options, position, state.people_view(given))
        again = write_position(self.game, self.options, state.people_view(given))
        _expect(again == position, f"{where}: set up again, {position} reads {again}")

    def replay(self, record: GameRecord, seed: int) -> None:
        """A record replays without a generator, and the same seed gives the same record."""
        lines = list(record.lines())
        walk = Walk(self.game, self.options)
        try:
            GameRecord.of(lines).replay(walk)
        except ValueError as error:
            raise GameCheckError(f"seed {seed}: the record doesn't replay: {error}") from None
        body = state.body(walk.states).tobytes()
        same = body == state.body(self.walk.states).tobytes()
        _expect(same, f"seed {seed}: the replayed record isn't the played one, byte for byte")


def option_sets(game: Game) -> Iterator[Mapping[str, Any]]:
    """Every option by itself: each player count, each flag, each word, each bound of a number."""
    players = next(option for option in game.OPTIONS if option.name == "players")
    for n in range(players.low, players.high + 1):
        yield {"players": n}
    for option in game.OPTIONS:
        if option.name in ("players", "max_turns") or option.length:
            continue
        values: list[Any] = list(option.choices)
        if isinstance(option.default, bool):
            values = [True]
        elif not option.choices:
            values = [option.low, option.high]
        for value in values:
            try:
                parse_options(game, {option.name: value})
            except ValueError:
                continue
            yield {option.name: value}


__all__ = ["GameCheckError", "check_game", "missing_members", "option_sets"]
