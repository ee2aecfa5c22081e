"""Every promise that a game makes, as checks with readable messages: `check_game(module)`.

What is checked, on random games and every position of them: masks, action names, outcomes and their weights,
conservation of the record by looking at it, positions and records back and forth, observations and pictures within
their bounds and blind to what is hidden, rewards, endings, the same bits in plain Python, keys, chance drawn by nobody
but the core, the same game from the same seed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hopenvs.core import rng, state
from hopenvs.core.errors import PositionError
from hopenvs.core.game import Game, tell_action, tell_outcome
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
CHANCES_IN_A_ROW = 10_000
TRIED = 6  # actions or outcomes at a decision or chance point whose wording is compared


class GameCheckError(AssertionError):
    """A game breaks its contract; the message says which promise, where, and what was found."""


def missing_members(game: ModuleType | Game) -> list[str]:
    """The members of the contract (`core/game.py`) that a module lacks."""
    names = [name for name in (*Game.__annotations__, *vars(Game)) if not name.startswith("_")]
    lacking = sorted({name for name in names if not hasattr(game, name)})
    if not hasattr(game, "apply") and not hasattr(game, "apply_joint"):
        lacking.append("apply (or apply_joint)")
    return lacking


def check_game(game: Game, games: int = 3, seed: int = 0, *, every: int = 1, **keywords: Any) -> int:
    """Check a game under options.

    Args:
        game: the game module.
        games: how many random games are looked at.
        seed: of the first one.
        every: of a game's decisions the first and every so many are looked at closely: 1 for all.
        **keywords: the options.

    Returns:
        How many decisions were made.

    Raises:
        GameCheckError: naming the promise that is broken.
    """
    lacking = missing_members(game)
    _expect(not lacking, f"members of the contract are missing: {', '.join(lacking)}")
    checks = _Checks(game, parse_options(game, keywords), every)
    try:
        checks.layout()
        checks.catalogue()
        looked = 0
        for k in range(games):
            looked += checks.random_game(seed + k)
        checks.hidden_things()
    except GameCheckError:
        raise
    except Exception as error:  # whatever a game's functions do where they should not
        raise GameCheckError(f"{checks.where}: {type(error).__name__}: {error}") from error
    return looked


def _expect(holds: bool, message: str) -> None:
    if not holds:
        raise GameCheckError(message)


class _Checks:
    def __init__(self, game: Game, options: Any, every: int) -> None:
        self.game = game
        self.options = options
        self.every = every
        self.spec = game.spec(options)
        self.where = "tables"
        self.redealt = False  # whether resample_hidden has ever changed anything
        self.by_key: dict[bytes, Any] = {}  # what is to be done at a position of this key
        self.by_move: dict[tuple[bytes, tuple[int, ...]], bytes] = {}  # which key a move leads to

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
        """Sections have names of their own, sane shapes and bounds; fields are signed; the kind of turns is one."""
        rule = "apply_joint" if self.spec.simultaneous else "apply"
        _expect(hasattr(self.game, rule), f"spec says simultaneous={self.spec.simultaneous}, but there is no {rule}")
        _expect(
            self.spec.simultaneous or not hasattr(self.game, "apply_joint"),
            "spec says simultaneous=False, but there is apply_joint",
        )
        seats, room, actions = self.spec.num_players, self.spec.record_seats, self.spec.num_actions
        _expect(2 <= seats <= room, f"{seats} players, but the record has room for {room}")
        _expect(0 < actions < 2**15, f"{actions} actions: expected some, and fewer than {2**15}")
        for name, kind, *_ in self.game.fields(self.options):
            _expect(_is_signed(np.dtype(kind)), f"field {name}: {np.dtype(kind)}: expected signed numbers")
        names = [s.name for s in self.spec.sections]
        _expect(len(set(names)) == len(names), f"sections share a name: {names}")
        for s in self.spec.sections:
            _expect(s.size > 0 and s.low <= s.high, f"section {s.name}: shape {s.shape}, bounds {s.low} to {s.high}")
            _expect(s.low >= -128 and s.high <= 127, f"section {s.name}: bounds {s.low} to {s.high} aren't int8")

    # ---- one game ---------------------------------------------------------------------------------------------------
    def random_game(self, seed: int) -> int:
        """Play at random and look at everything; then play it again from the seed, write it down and replay it."""
        self.low, self.high = self.spec.bounds()
        stream = rng.generator(seed, rng.PLAYOUT)
        walk = self.walk = Walk(self.game, self.options)
        self.scratch = Walk(self.game, self.options)
        self.where = f"seed {seed}, the start"
        walk.start(seed)
        decisions: list[tuple[int, ...]] = []
        chances = 0
        while not walk.is_over:
            if walk.is_chance:
                self.where = f"seed {seed}, chance after decision {len(decisions)}"
                chances += 1
                _expect(chances < CHANCES_IN_A_ROW, f"{self.where}: no decision after {chances} outcomes")
                before = self.chance(walk)
                move: tuple[int, ...] = (walk.draw(),)
                walk.happen(*move)
            else:
                chances = 0
                move = self.decision(walk, seed, len(decisions) + 1, stream)
                decisions.append(move)
                before = walk.batch.keys()[0]
                walk.play(*move)
            self.follow(before, move, walk)
        self.where = f"seed {seed}, the end"
        self.end(walk, seed)
        self.again(seed, decisions)
        return len(decisions)

    def decision(self, walk: Walk, seed: int, number: int, stream: np.ndarray) -> tuple[int, ...]:
        """Look at a decision, if it's one of those, and make it."""
        self.where = f"seed {seed}, decision {number}"
        _expect(number < DECISIONS_PER_GAME, f"seed {seed}: no end after {number} decisions")
        asked = [SIMULTANEOUS] if self.spec.simultaneous else range(self.spec.num_players)
        _expect(walk.current_player in asked, f"{self.where}: current_player is {walk.current_player}")
        if number % self.every == 1 % self.every:
            self.position(walk, self.where)
        if number == 1:
            self.strictness(walk.position())
        return self.pick(walk, stream)

    def chance(self, walk: Walk) -> bytes:
        """Outcomes have names, and weights that can be drawn by; the key of the chance point."""
        _expect(self.spec.has_chance, f"{self.where}: a chance point, but spec says has_chance=False")
        before = walk.states.tobytes()
        weights = walk.outcomes()
        most = self.spec.max_outcomes
        _expect(most is None or len(weights) <= most, f"{self.where}: {len(weights)} outcomes, but spec says {most}")
        fit = all(weight >= 0 for weight in weights) and 0 < sum(weights) < 2**31
        _expect(fit, f"{self.where}: weights {weights[:20]}: expected none below 0, and a sum from 1 to 2**31 - 1")
        for k in range(len(weights)):
            name = self.game.outcome_name(self.options, walk.record, k)
            _expect(isinstance(name, str), f"{self.where}: outcome {k} is named {name!r}: expected text")
        self.told(walk, range(0, len(weights), 1 + len(weights) // TRIED), self.where)
        key = walk.batch.keys()[0]
        _expect(walk.states.tobytes() == before, f"{self.where}: looking at the record changed it")
        self.same_by_key(key, weights)
        return key

    def same_by_key(self, key: bytes, due: Any) -> None:
        """Equal keys, same position for play: the same seats are asked the same, or the same outcomes can happen."""
        same = self.by_key.setdefault(key, due) == due
        _expect(same, f"{self.where}: another position has the same key, but another mask, seat or chance")

    def follow(self, key: bytes, move: tuple[int, ...], walk: Walk) -> None:
        """The same move from equal keys leads to equal keys, but for the cap on turns, which no key holds."""
        if walk.record.truncated:
            return
        led = walk.batch.keys()[0]
        same = self.by_move.setdefault((key, move), led) == led
        _expect(same, f"{self.where}: from a position of equal key the same move {move} led elsewhere")

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

    def position(self, walk: Walk, where: str) -> None:
        """All that must hold at a decision."""
        before = walk.states.tobytes()
        self.masks(walk, where)
        self.observations(walk, where)
        self.round_trip(walk, where)
        self.blindness(walk, where)
        if not self.spec.simultaneous:
            legal = walk.legal()
            self.told(walk, legal[:: 1 + len(legal) // TRIED], where)
        self.plain(walk, where)
        _expect(walk.states.tobytes() == before, f"{where}: looking at the record changed it")
        self.same_by_key(walk.batch.keys()[0], (walk.current_player, walk.batch.mask.tobytes()))

    def masks(self, walk: Walk, where: str) -> None:
        """Never empty, only 0 and 1 (C-4); what is legal can be described."""
        _expect(bool(np.isin(walk.batch.mask, (0, 1)).all()), f"{where}: a mask holds other values than 0 and 1")
        for row in walk.batch.mask[0]:
            _expect(bool(row.any()), f"{where}: nothing is legal in {walk.position()}")
            for action in np.flatnonzero(row):
                text = self.game.describe(self.options, walk.record, int(action))
                _expect(isinstance(text, str), f"{where}: action {action} is described as {text!r}: expected text")

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
        turn = int(walk.states["turn"][0])
        _expect(position.get("turn", turn) == turn, f"{where}: the position says another turn than {turn}: {position}")
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

    def strictness(self, position: Mapping[str, Any]) -> None:
        """A position that lacks a key or has an unknown one is refused (C-6)."""
        wrong = {f"without the key {key!r}": {k: v for k, v in position.items() if k != key} for key in position}
        for what, given in {**wrong, "with an unknown key": {**position, "no such key": 0}}.items():
            found = "is taken"
            try:
                Walk(self.game, self.options).start_from(given)
            except PositionError:
                continue
            except Exception as error:
                found = f"ends in {type(error).__name__}"
            raise GameCheckError(f"{self.where}: a position {what} {found}: expected PositionError")

    def hidden_things(self) -> None:
        """Where something is hidden, resample_hidden must have changed it at least once."""
        _expect(
            self.redealt or self.spec.perfect_information,
            "resample_hidden never changes anything, but spec says perfect_information=False",
        )

    def blindness(self, walk: Walk, where: str) -> None:
        """What a seat can't know changes neither its observation nor its mask nor its picture (C-9)."""
        own, o = walk.batch.keys(), self.options
        for seat in range(self.spec.num_players):
            mask, obs = walk.batch.view((0,), (seat,))
            twin = walk.batch.copy()
            stream = rng.generator(seat, rng.PLAYOUT)[None]
            twin.resample_hidden(np.array([seat]), stream)
            drawn = twin.states["rng"].tolist() != walk.states["rng"].tolist()
            _expect(not drawn, f"{where}: resample_hidden draws from the record's generator instead of its own (C-14)")
            try:
                check_record(twin, twin.states)
            except ValueError as error:
                raise GameCheckError(f"{where}: resample_hidden for seat {seat} makes {error}") from None
            other_mask, other_obs = twin.view((0,), (seat,))
            _expect(np.array_equal(obs, other_obs), f"{where}: seat {seat} sees what it can't know")
            _expect(np.array_equal(mask, other_mask), f"{where}: the mask of seat {seat} tells what it can't know")
            changed = twin.keys() != own
            self.redealt = self.redealt or changed
            if self.spec.perfect_information:
                _expect(not changed, f"{where}: resample_hidden changes a game of perfect information")
            elif changed:
                same = self.game.scene(o, twin.record(), seat) == self.game.scene(o, walk.record, seat)
                _expect(same, f"{where}: the picture for seat {seat} shows what it can't know")

    def told(self, walk: Walk, moves: Sequence[int], where: str) -> None:
        """Of actions or outcomes that differ only in what a seat can't see, it is told the same (C-9)."""
        if self.spec.perfect_information:
            return
        chance = walk.is_chance
        tell = tell_outcome if chance else tell_action
        for seat in range(self.spec.num_players):
            if seat == walk.current_player:
                continue
            heard: dict[bytes, tuple[str, bytes]] = {}
            for move in moves:
                said = tell(self.game, self.options, walk.record, seat, move)
                self.scratch.batch.load(walk.states)
                if chance:
                    self.scratch.happen(move)
                else:
                    self.scratch.play(move)
                seen = self.scratch.batch.view((0,), (seat,))[1][0].tobytes()
                led = self.scratch.batch.keys()[0]
                first, there = heard.setdefault(seen, (said, led))
                _expect(
                    first == said or there == led,
                    f"{where}: seat {seat} sees the same after {first!r} and {said!r}, but is told which it was",
                )

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
        plies, most = int(walk.states["plies"][0]), self.spec.max_decisions
        _expect(most is None or plies <= most, f"{where}: {plies} decisions, but spec says at most {most}")
        if result.get("truncated"):
            _expect(not winners and not any(result["rewards"]), f"{where}: truncated, but {result}")
            _expect(self.spec.max_turns is not None, f"{where}: truncated, but the game states no cap")
            turn = int(walk.states["turn"][0])
            _expect(turn == self.spec.max_turns, f"{where}: truncated after turn {turn} of {self.spec.max_turns}")
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
        over = position["phase"] == "over" and position.get("to_play") is None
        _expect(over, f"{where}: expected phase 'over' and nobody to play: {position}")
        given = state.new_states(1, walk.states.dtype)
        read_position(self.game, self.options, position, state.people_view(given))
        again = write_position(self.game, self.options, state.people_view(given))
        _expect(again == position, f"{where}: set up again, {position} reads {again}")

    def again(self, seed: int, decisions: Sequence[tuple[int, ...]]) -> None:
        """The same seed and decisions make the same game, and its record replays without a generator."""
        self.where = f"seed {seed}, played again"
        walk = Walk(self.game, self.options)
        header = {"env": self.game.ID, "options": {}, "players": self.spec.num_players, "seed": seed}
        rest = iter(decisions)
        record = play_record(walk, header, lambda _: next(rest), positions=True)
        same = walk.states.tobytes() == self.walk.states.tobytes()
        _expect(same, f"{self.where}: the same seed and decisions make another game")
        self.where = f"seed {seed}, replayed"
        walk = Walk(self.game, self.options)
        try:
            GameRecord.of(list(record.lines())).replay(walk)
        except ValueError as error:
            raise GameCheckError(f"seed {seed}: the record doesn't replay: {error}") from None
        same = state.body(walk.states).tobytes() == state.body(self.walk.states).tobytes()
        _expect(same, f"seed {seed}: the replayed record isn't the played one, byte for byte")
        drawn = walk.states["rng"][0].tolist() != rng.generator(0, rng.GAME).tolist()
        _expect(not drawn, f"seed {seed}: a rule draws from the record's generator, which is for outcomes alone (C-2)")


def _is_signed(dtype: np.dtype) -> bool:
    base = dtype.base
    return all(_is_signed(base[name]) for name in base.names) if base.names else base.kind in "if"


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
