"""What a game must offer: a module with these members (design: one game, one module of plain functions)."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from hopenvs.core.jit import plain_twin
from hopenvs.core.options import Option
from hopenvs.core.state import Payoff


@dataclass(frozen=True)
class Section:
    """A named part of the observation vector; sections follow one another in order.

    Attributes:
        name: what `env.observation_layout` calls it.
        shape: the part's shape before flattening (C order).
        low: smallest value.
        high: largest value.
        text: a sentence saying what a cell means.
    """

    name: str
    shape: tuple[int, ...]
    low: int
    high: int
    text: str

    @property
    def size(self) -> int:
        """How many cells it takes."""
        size = 1
        for length in self.shape:
            size *= length
        return size


@dataclass(frozen=True)
class Spec:
    """The facts of a game under given options.

    Attributes:
        num_players: seats at the table.
        num_actions: size of the flat action catalogue (C-5).
        sections: the observation's layout.
        record_seats: seats the record has room for; a game whose record hardly grows with them takes its largest
            number of players, so that all its ids share one compiled kernel.
        simultaneous: every seat acts in every tick.
        perfect_information: no seat knows more than another.
        ply_hides: what a seat can't know sways what `evaluate` expects after one decision of that seat; if it doesn't
            though there are hidden things, looking one decision ahead needs no redraws of them.
        has_chance: there are chance points.
        outside_chance: some of them are decided outside (`decided_outside`), so that play needs `make(..., chance=f)`.
        score_range: (lowest, highest) final score, or None for games without scores.
        max_turns: the safety cap (C-8), or None.
        max_outcomes: no chance point has more outcomes; None if nobody has worked it out.
        max_decisions: no game takes more decisions, ticks in a simultaneous game (`plies`); None as above. Both are
            bounds that other libraries ask for, not always reached.
    """

    num_players: int
    num_actions: int
    sections: tuple[Section, ...]
    record_seats: int
    simultaneous: bool = False
    perfect_information: bool = True
    ply_hides: bool = True
    has_chance: bool = True
    outside_chance: bool = False
    score_range: tuple[int, int] | None = None
    max_turns: int | None = None
    max_outcomes: int | None = None
    max_decisions: int | None = None

    @functools.cached_property
    def observation_size(self) -> int:
        """D, the length of the flat observation."""
        return sum(section.size for section in self.sections)

    @property
    def layout(self) -> dict[str, tuple[slice, tuple[int, ...]]]:
        """Where each section lies in the flat observation, and its shape."""
        layout, start = {}, 0
        for section in self.sections:
            layout[section.name] = (slice(start, start + section.size), section.shape)
            start += section.size
        return layout

    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """(low, high), each [D] int8."""
        low = np.concatenate([np.full(s.size, s.low, np.int8) for s in self.sections])
        high = np.concatenate([np.full(s.size, s.high, np.int8) for s in self.sections])
        return low, high

    def reward_range(self, payoff: Payoff) -> tuple[float, float]:
        """(lowest, highest) reward of one seat under a payoff scheme, forfeits included (C-7, C-11)."""
        if payoff == Payoff.SCORE:
            if self.score_range is None:
                raise ValueError("reward='score': this game has no scores")
            span = float(self.score_range[1] - self.score_range[0])
            return min(-1.0, -span), max(1.0, span)
        return -1.0, 1.0


class Game(Protocol):
    """A game: its facts, its compiled rules, and what people read and write.

    Compiled members take `o` (the options record) and `s` (one state record, changed in place); the caller promises
    legality; buffers come zeroed. Members for people take `o` (the Options tuple) and `s` as plain Python sees it
    (`state.people_view`). A game in whose record like pieces bear numbers names those fields in `INTERCHANGEABLE`.
    """

    __name__: str
    ID: str  # the first part of its registered ids
    VERSION: int  # the N of -vN: raised whenever catalogue, observation or record change
    OPTIONS: tuple[Option, ...]  # the table of keywords; `players` is the first
    Options: Any  # NamedTuple of ints and fixed-length int tuples, fields named as in OPTIONS

    def complete_options(self, codes: Mapping[str, Any]) -> dict[str, Any]:
        """The option codes with every None replaced by what follows from the others."""

    def check_options(self, o: Any) -> None:
        """Raise OptionError, naming the option, if the combination is impossible."""

    def spec(self, o: Any) -> Spec:
        """The facts under these options."""

    def fields(self, o: Any) -> list[tuple[Any, ...]]:
        """The record's fields after the header; they depend on family and number of players only."""

    # ---- compiled -------------------------------------------------------------------------------------------------
    def setup(self, o: Any, s: Any) -> None:
        """From a blank record to the first chance point or decision."""

    def action_mask(self, o: Any, s: Any, seat: int, mask: Any) -> None:
        """Set the cells of the legal actions of `seat` in `mask` [A] int8, zeroed by the caller."""

    def num_outcomes(self, o: Any, s: Any) -> int:
        """How many outcomes the chance point has."""

    def outcome_weight(self, o: Any, s: Any, k: int) -> int:
        """The integer weight of outcome `k`."""

    def apply_chance(self, o: Any, s: Any, k: int) -> None:
        """Let outcome `k` happen."""

    def observe(self, o: Any, s: Any, seat: int, obs: Any) -> None:
        """Write what `seat` sees into `obs` [D] int8, zeroed by the caller; changes nothing else."""

    def result(self, o: Any, s: Any, scores: Any, ranks: Any, winners: Any) -> None:
        """Of the last position: scores, ranks (C-12) and winners (1), each [P]."""

    def evaluate(self, o: Any, s: Any, seat: int) -> float:
        """How good the position is for `seat`: larger is better."""

    def resample_hidden(self, o: Any, s: Any, seat: int, rng: Any) -> None:
        """Redraw in place, from `rng` [4] uint32, all that this seat can't know, consistent with what it knows."""

    def key(self, o: Any, s: Any, out: Any) -> int:
        """Write the bytes that matter for play to `out` uint8 and return how many: equal keys, same position."""

    # ---- for people -----------------------------------------------------------------------------------------------
    def action_name(self, o: Any, action: int) -> str:
        """The catalogue's name of an action (C-5)."""

    def parse_action(self, o: Any, name: str) -> int:
        """The action of a name; ValueError if there is none."""

    def describe(self, o: Any, s: Any, action: int) -> str:
        """The action in absolute words, for a log or a picture."""

    def outcome_name(self, o: Any, s: Any, k: int) -> str:
        """What outcome `k` of the chance point is."""

    def to_position(self, o: Any, s: Any) -> dict[str, Any]:
        """The position (C-6) without its `options`."""

    def from_position(self, o: Any, position: Mapping[str, Any], s: Any) -> None:
        """Set the blank record `s` to a position; PositionError naming the key if it is malformed or impossible."""

    def scene(self, o: Any, s: Any, seat: int | None = None, last: Sequence[str] = ()) -> Any:
        """A picture of the position; with `seat`, without what that seat can't know.

        `last`: moves to point out, as `describe` tells them, or to a seat that is told otherwise as it is told.
        """


class HidingGame(Game, Protocol):
    """A game in which seats are told of a move in different words.

    Others may not see all that happens (a card laid face down, a card drawn for one's own eyes), or each seat has names
    of its own for places. Without these two members everybody is told `describe` and `outcome_name`.
    """

    def told_action(self, o: Any, s: Any, seat: int, action: int) -> str:
        """What `seat` learns of an action of `s.current_player`; of its own `describe`."""

    def told_outcome(self, o: Any, s: Any, seat: int, k: int) -> str:
        """What `seat` learns of outcome `k` of the chance point."""


class OutsideGame(Game, Protocol):
    """A game of which some chance points can be left to somebody outside: a table, a robot (`Spec.outside_chance`)."""

    def decided_outside(self, o: Any, s: Any) -> bool:
        """Whether this chance point is one of those; all others are drawn from the generator."""


def tell_action(game: Game, o: Any, s: Any, seat: int | None, action: int) -> str:
    """An action as a seat is told of it, before it is carried out; None: somebody who sees everything."""
    told = getattr(game, "told_action", None)
    return game.describe(o, s, action) if seat is None or told is None else str(told(o, s, seat, action))


def tell_outcome(game: Game, o: Any, s: Any, seat: int | None, k: int) -> str:
    """An outcome as a seat is told of it, before it happens; None: somebody who sees everything."""
    told = getattr(game, "told_outcome", None)
    return game.outcome_name(o, s, k) if seat is None or told is None else str(told(o, s, seat, k))


def legal_moves(game: Game, o: Any, s: Any) -> list[str]:
    """What the seat to play may do, as `describe` says it; nothing if no seat is to play (for pictures)."""
    if s.current_player < 0:
        return []
    mask = [0] * game.spec(o).num_actions
    plain_twin(game.action_mask)(o, s, s.current_player, mask)
    return [game.describe(o, s, action) for action, legal in enumerate(mask) if legal]


class TurnGame(Game, Protocol):
    """A game in which one seat decides at a time."""

    def apply(self, o: Any, s: Any, action: int) -> None:
        """Carry out a decision of `s.current_player`; never rolls."""


class SimultaneousGame(Game, Protocol):
    """A game in which every seat acts in every tick: `current_player` is SIMULTANEOUS whenever a decision is due."""

    def apply_joint(self, o: Any, s: Any, actions: Any) -> None:
        """Carry out a tick: `actions` [P], one a seat; never rolls."""
