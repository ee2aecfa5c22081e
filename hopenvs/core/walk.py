"""One game step by step, chance included: what records, trees and tests walk on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hopenvs.core import kernels, rng, state
from hopenvs.core.batch import Batch
from hopenvs.core.errors import GameError, IllegalActionError, PositionError
from hopenvs.core.position import read_position, write_position
from hopenvs.core.state import CHANCE, NOT_CHOSEN, SIMULTANEOUS, TERMINAL, Payoff

if TYPE_CHECKING:
    from hopenvs.core.game import Game


class Walk:
    """A game in which every outcome of chance is a step of its own.

    Args:
        game: the game module.
        options: its compiled options.
        payoff: how it pays (C-7).
    """

    def __init__(self, game: Game, options: Any, *, payoff: Payoff = Payoff.WIN) -> None:
        self.batch = Batch(game, options, 1, payoff=payoff, draw=False)
        self.game = game
        self.options = options
        self.spec = self.batch.spec

    # ---- where it stands --------------------------------------------------------------------------------------------
    @property
    def states(self) -> np.ndarray:
        """[1] the record."""
        return self.batch.states

    @property
    def record(self) -> Any:
        """The record as plain Python reads it."""
        return self.batch.record()

    @property
    def current_player(self) -> int:
        """The seat to act, or CHANCE, SIMULTANEOUS, TERMINAL."""
        return int(self.batch.seat[0])

    @property
    def is_chance(self) -> bool:
        """Whether an outcome is due."""
        return self.current_player == CHANCE

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.current_player == TERMINAL

    def legal(self, seat: int | None = None) -> list[int]:
        """The legal actions of the seat to act; in a simultaneous game of `seat`."""
        if self.current_player == SIMULTANEOUS:
            if seat is None:
                raise ValueError("a tick asks every seat: name one")
            return [int(a) for a in np.flatnonzero(self.batch.mask[0, seat])]
        return [int(a) for a in np.flatnonzero(self.batch.mask[0, 0])] if self.current_player >= 0 else []

    def legal_names(self) -> list[Any]:
        """The names of the legal actions (C-13): a list, or a list per seat in a tick."""
        name = self.game.action_name
        if self.current_player == SIMULTANEOUS:
            return [[name(self.options, a) for a in self.legal(seat)] for seat in range(self.spec.num_players)]
        return [name(self.options, a) for a in self.legal()]

    def outcomes(self) -> list[int]:
        """The weights of the outcomes of the chance point."""
        return self.batch.outcome_weights()

    def position(self) -> dict[str, Any]:
        """The position.

        Raises:
            PositionError: at a chance point, which has none (C-6).
        """
        if self.is_chance:
            raise PositionError("a chance point has no position")
        return write_position(self.game, self.options, self.record)

    # ---- moving -----------------------------------------------------------------------------------------------------
    def start(self, seed: int) -> None:
        """A new game up to its first chance point or decision."""
        self.batch.start(kernels.NEW_SEED, [rng.check_seed(seed)])

    def start_from(self, position: Mapping[str, Any]) -> None:
        """Begin at a position; PositionError if it is none, or leaves somebody without a legal action."""
        given = state.new_states(1, self.states.dtype)
        read_position(self.game, self.options, position, state.people_view(given))
        given["rng"] = self.states["rng"]
        given["pending"] = NOT_CHOSEN
        kept = self.batch.copy()
        try:
            self.batch.load(given)
        except GameError as error:
            self.batch.take_back(kept)
            raise PositionError(f"an impossible position: {error}") from None

    def play(self, *actions: int) -> None:
        """A decision (one action) or a tick (one a seat); IllegalActionError if it isn't legal."""
        if self.is_chance or self.is_over:
            raise IllegalActionError(
                "no decision is due: " + ("an outcome is" if self.is_chance else "the game is over")
            )
        if min(actions) < 0 or len(actions) != self.batch.seats_asked:
            raise IllegalActionError(f"actions {actions}: expected {self.batch.seats_asked} of 0 or more")
        self.batch.step(np.array([actions], np.int32))

    def play_named(self, *names: str) -> None:
        """`play` by names."""
        self.play(*(self.game.parse_action(self.options, name) for name in names))

    def happen(self, k: int) -> None:
        """Outcome `k` of the chance point."""
        if not self.is_chance:
            raise ValueError("no chance point is due")
        if not 0 <= k < len(self.outcomes()):
            raise ValueError(f"outcome {k}: expected 0 to {len(self.outcomes()) - 1}")
        self.batch.orders[0, 0] = k
        self.batch.kernels.step_range(0, 1, *self.batch.step_arguments)

    def draw(self) -> int:
        """The outcome the record's generator draws next, by weight; it isn't carried out."""
        return rng.weighted(self.record.rng, self.outcomes())

    def draw_all(self) -> None:
        """Draw and carry out outcomes until a decision is due or the game is over."""
        while self.is_chance:
            self.happen(self.draw())

    def give_up(self, seat: int) -> None:
        """End the game by a forfeit of `seat` (C-11)."""
        record = self.record
        record.current_player, record.forfeit = TERMINAL, 1 + seat
        self.batch.start(kernels.RESUME)

    def result(self) -> dict[str, Any]:
        """The result of an ended game (C-13)."""
        s, seats = self.record, range(self.spec.num_players)
        found: dict[str, Any] = {"truncated": True} if s.truncated else {}
        return found | {
            "rewards": [s.rewards[seat] for seat in seats],
            "ranks": [s.ranks[seat] for seat in seats],
            "scores": [s.scores[seat] for seat in seats] if self.spec.score_range is not None else None,
            "winners": [seat for seat in seats if s.winners[seat]],
        }


def walk_of(game: Game, options: Any, position: Mapping[str, Any] | None = None, names: Sequence[str] = ()) -> Walk:
    """A walk from a position, some moves already played by name: for tests of rules."""
    walk = Walk(game, options)
    walk.start(0)
    if position is not None:
        walk.start_from(position)
    for name in names:
        walk.play_named(name)
    return walk
