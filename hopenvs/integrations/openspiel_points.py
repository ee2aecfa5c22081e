"""The points of a game's tree, and what each seat has learnt on the way there: what `openspiel` is a thin cover of."""

from __future__ import annotations

import functools
import hashlib
import json
from typing import TYPE_CHECKING, Any

import numpy as np

from hopenvs.core import kernels, rng
from hopenvs.core.batch import Batch, refuse_outside_chance
from hopenvs.core.game import tell_action, tell_outcome
from hopenvs.core.position import write_position
from hopenvs.core.state import CHANCE, SIMULTANEOUS, TERMINAL, Payoff
from hopenvs.envs.table import payoff_named
from hopenvs.registry import resolve

if TYPE_CHECKING:
    from hopenvs.core.game import Game

Move = int | tuple[int, ...]  # an action or an outcome; a tick's actions
Learnt = tuple[str, bytes]  # what was told, and a digest of all that has been seen so far

DIGEST_BYTES = 16


class Point:
    """A decision, chance point or end, and how the game came there. Nothing of it changes, so that copies share it.

    Attributes:
        engine: what goes on from here.
        before: the point before; None where the game began.
        move: what led here from there.
        record: [bytes] uint8, the record.
        mask: [S, A] int8, S being 1 in turn games; of no meaning where no decision is due.
        seat: the seat to act, or CHANCE, SIMULTANEOUS, TERMINAL.
        returns: [P] what every seat is paid; 0 before the end.
        learnt: by seat what it was told of the move, filled when first asked for.
    """

    __slots__ = ("before", "engine", "learnt", "mask", "move", "record", "returns", "seat")

    def __init__(self, engine: Engine, before: Point | None = None, move: Move | None = None) -> None:
        batch = engine.batch
        self.engine = engine
        self.before = before
        self.move = move
        self.record = engine.bytes.copy()
        self.mask = batch.mask[0].copy()
        self.seat = int(batch.seat[0])
        self.returns: tuple[float, ...] = engine.nothing
        if self.seat == TERMINAL:
            self.returns = tuple(batch.states["rewards"][0, : len(engine.nothing)].tolist())
        self.learnt: dict[int, Learnt] = {}

    @property
    def path(self) -> list[Point]:
        """All points from where the game began to this one."""
        points = [self]
        while points[-1].before is not None:
            points.append(points[-1].before)
        return points[::-1]

    def __deepcopy__(self, memo: Any) -> Point:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Where it began and the moves since, not all points on the way: OpenSpiel saves a state by pickling it."""
        first, *others = self.path
        moves = [point.move for point in others]
        return _again, (self.engine.key, first.record.tobytes(), first.learnt, moves)


def _again(key: tuple[str, str, str], record: bytes, learnt: dict[int, Learnt], moves: list[Move]) -> Point:
    """The point that `Point.__reduce__` saved."""
    engine = engine_of(*key)
    return functools.reduce(engine.follow, moves, engine.begin(np.frombuffer(record, np.uint8), learnt))


class Engine:
    """One row of buffers on which all points of a game are played on and looked at.

    Args:
        game: the game module.
        options: its compiled options.
        payoff: how it pays (C-7).
        key: what `engine_of` finds it by.

    Attributes:
        start: where every game begins.
        nothing: [P] what every seat is paid before the end.
    """

    def __init__(self, game: Game, options: Any, payoff: Payoff, key: tuple[str, str, str]) -> None:
        batch = self.batch = Batch(game, options, 1, payoff=payoff, draw=False)
        self.game = game
        self.options = options
        self.payoff = payoff
        self.key = key
        self.spec = batch.spec
        self.nothing = (0.0,) * self.spec.num_players
        self.bytes = batch.states.view(np.uint8)
        self._record = batch.record()
        self._step = batch.step_function()
        batch.start(kernels.NEW_SEED, [0])
        self._at = self.start = Point(self)
        self._named: tuple[Point | None, list[str]] = (None, [])  # the outcomes of the point asked for last

    def _stand_at(self, point: Point) -> None:
        """Bring the buffers to a point."""
        if self._at is not point:
            self.bytes[:] = point.record
            self.batch.mask[0] = point.mask
            self.batch.seat[0] = point.seat
            self._at = point

    # ---- moving -----------------------------------------------------------------------------------------------------
    def follow(self, point: Point, move: Move) -> Point:
        """The point that a move leads to.

        Raises:
            IllegalActionError: for an action that isn't legal.
            ValueError: for an outcome that there isn't.
        """
        self._stand_at(point)
        if point.seat == CHANCE:
            if not isinstance(move, int) or move < 0:
                raise ValueError(f"outcome {move}: expected 0 or more")
        else:
            self._refuse_illegal(point, move if isinstance(move, tuple) else (move,))
        self.batch.orders[0] = move
        if self._step() >= 0:
            raise ValueError(f"there is no outcome {move} at this chance point")
        self._at = Point(self, point, move)
        return self._at

    def _refuse_illegal(self, point: Point, actions: tuple[int, ...]) -> None:
        if point.seat == TERMINAL or len(actions) != len(point.mask):
            raise ValueError(f"actions {actions}: the game is over, or expects {len(point.mask)} actions")
        for row, action in enumerate(actions):
            mask = point.mask[row]
            if not (0 <= action < len(mask) and mask[action]):
                seat = row if point.seat == SIMULTANEOUS else point.seat
                raise self.batch.illegal_action(0, seat, action, mask)

    def begin(self, record: np.ndarray, learnt: dict[int, Learnt]) -> Point:
        """A point without a past: a record, and what seats know by then."""
        self.bytes[:] = record
        return self._resume(learnt)

    def redrawn(self, point: Point, seat: int, seed: int) -> Point:
        """A point without a past in which all that `seat` can't know is drawn anew; it knows what it knew."""
        learnt = {seat: (self.told(point, seat), point.learnt[seat][1])}
        self._stand_at(point)
        self.batch.resample_hidden(np.array([seat], np.int32), rng.generator(seed, rng.PLAYOUT)[None])
        return self._resume(learnt)

    def _resume(self, learnt: dict[int, Learnt]) -> Point:
        self.batch.start(kernels.RESUME)
        self._at = Point(self)
        self._at.learnt.update(learnt)
        return self._at

    # ---- looking ----------------------------------------------------------------------------------------------------
    def weights(self, point: Point) -> list[int]:
        """The weights of a chance point's outcomes."""
        self._stand_at(point)
        return self.batch.outcome_weights()

    def outcome_names(self, point: Point) -> list[str]:
        """The names of a chance point's outcomes, made unique: `a card`, `a card (2)`."""
        if self._named[0] is not point:
            count = len(self.weights(point))
            times: dict[str, int] = {}
            names = []
            for k in range(count):
                name = self.game.outcome_name(self.options, self._record, k)
                times[name] = times.get(name, 0) + 1
                names.append(name if times[name] == 1 else f"{name} ({times[name]})")
            self._named = point, names
        return self._named[1]

    def observation(self, point: Point, seat: int) -> np.ndarray:
        """[D] int8: what a seat sees."""
        self._stand_at(point)
        return self.batch.view((0,), (seat,))[1][0]

    def information(self, point: Point, seat: int) -> str:
        """All that a seat has learnt: what it was told of every event, its own actions, and what it has seen.

        What it has seen after each event is in a digest, so that information states differ if any of it did.
        """
        told = self.told(point, seat)
        return f"player {seat}\n{told}has seen {point.learnt[seat][1].hex()}"

    def told(self, point: Point, seat: int) -> str:
        """What a seat was told since the game began, a line an event."""
        unknown = []
        known: Point | None = point
        while known is not None and seat not in known.learnt:
            unknown.append(known)
            known = known.before
        digest = b"" if known is None else known.learnt[seat][1]
        for later in reversed(unknown):
            seen = self.observation(later, seat).tobytes()
            digest = hashlib.blake2b(digest + seen, digest_size=DIGEST_BYTES).digest()
            later.learnt[seat] = (self._told_of(later, seat), digest)
        return "".join([each.learnt[seat][0] for each in point.path])

    def _told_of(self, point: Point, seat: int) -> str:
        """The line that a seat is told of what led to a point; of a tick only its own action: it sees the rest."""
        if point.before is None:
            return ""
        before, move = point.before, point.move
        if isinstance(move, tuple):
            return f"you: {self.game.action_name(self.options, move[seat])}\n"
        assert move is not None
        self._stand_at(before)
        if before.seat == CHANCE:
            return f"chance: {tell_outcome(self.game, self.options, self._record, seat, move)}\n"
        if before.seat == seat:
            return f"you: {self.game.action_name(self.options, move)}\n"
        return f"player {before.seat}: {tell_action(self.game, self.options, self._record, seat, move)}\n"

    def text(self, point: Point) -> str:
        """The full truth: the position, as JSON; at a chance point the last one, and what has happened since."""
        since = []
        while point.seat == CHANCE and point.before is not None:
            since.append(self._name(point.before, point.move))
            point = point.before
        self._stand_at(point)
        position = "the start" if point.seat == CHANCE else json.dumps(self._position())
        return "; ".join([position, *reversed(since)])

    def _position(self) -> dict[str, Any]:
        return write_position(self.game, self.options, self._record)

    def _name(self, point: Point, move: Any) -> str:
        if point.seat == CHANCE:
            return self.outcome_names(point)[move]
        actions = move if isinstance(move, tuple) else (move,)
        return ", ".join(self.game.action_name(self.options, action) for action in actions)


@functools.cache
def engine_of(env_id: str, reward: str, keywords: str) -> Engine:
    """The engine of an id that pays by `reward` under options (JSON): one for all games and states of these.

    Raises:
        OptionError: for options that are unknown or impossible, or leave chance to somebody outside.
    """
    game, options = resolve(env_id, json.loads(keywords))
    refuse_outside_chance(game.spec(options))
    return Engine(game, options, payoff_named(game, options, reward), (env_id, reward, keywords))
