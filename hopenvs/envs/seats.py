"""One seat's side of N games: opponents move until the learner is asked or the game is over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hopenvs.agents import Agent, as_agent
from hopenvs.core import kernels, rng
from hopenvs.core.batch import Batch
from hopenvs.core.errors import GameError, OptionError, PositionError
from hopenvs.core.state import BY_MAX_TURNS, NOT_TRUNCATED, SIMULTANEOUS, TERMINAL
from hopenvs.envs.table import ILLEGAL, check_choice, payoff_named

if TYPE_CHECKING:
    from hopenvs.core.game import Game

# Games in a row that may end before the learner is ever asked.
REPLAYS = 10_000


class SeatGames:
    """N games from one seat each; the core of the Gymnasium environments.

    Args:
        game: the game module.
        options: its compiled options.
        num_rows: N.
        seat: the learner's seat, or "random": drawn anew for every game.
        opponents: an agent for all other seats, or a sequence of P - 1, counted clockwise from the learner.
        reward: "win", "rank" or "score" (C-7).
        illegal: "raise" refuses an illegal action, "forfeit" ends the game by it (C-11).
        threads: how many threads share the rows.
    """

    def __init__(
        self,
        game: Game,
        options: Any,
        num_rows: int,
        *,
        seat: int | str = 0,
        opponents: Any = "uniform",
        reward: str = "win",
        illegal: str = "raise",
        threads: int = 1,
    ) -> None:
        check_choice("illegal", illegal, ILLEGAL)
        payoff = payoff_named(game, options, reward)
        self.batch = Batch(game, options, num_rows, payoff=payoff, forfeit=illegal == "forfeit", threads=threads)
        self.num_players = self.batch.spec.num_players
        whole = isinstance(seat, (int, np.integer)) and not isinstance(seat, bool)
        if seat != "random" and not (whole and seat in range(self.num_players)):
            raise OptionError(f"seat={seat!r}: expected 0 to {self.num_players - 1}, or 'random'")
        self.seat = seat
        self.opponents = self._read_opponents(opponents)
        self.learner = np.zeros(num_rows, np.int32)  # [N] the learner's seat in each row
        self.streams = np.zeros((num_rows, 4), np.uint32)  # [N, 4] the opponents' generators
        self.seating = np.zeros((num_rows, 4), np.uint32)  # [N, 4] the generators that draw the learner's seat

    def _read_opponents(self, opponents: Any) -> list[Agent]:
        others = self.num_players - 1
        if isinstance(opponents, (list, tuple)):
            if len(opponents) != others:
                raise OptionError(f"opponents: expected one agent or {others} of them, not {len(opponents)}")
            return [as_agent(agent, self.batch.game, self.batch.options) for agent in opponents]
        return [as_agent(opponents, self.batch.game, self.batch.options)] * others

    # ---- playing ----------------------------------------------------------------------------------------------------
    def start(self, rows: np.ndarray, seeds: Sequence[int] | None = None, given: np.ndarray | None = None) -> None:
        """Begin games up to the learner's first decision; games that end before it are replayed.

        Args:
            rows: which, as indices.
            seeds: one for each of them; None goes on with their generators.
            given: a record [1] to begin from.

        Raises:
            PositionError: if the learner is never asked from there.
        """
        order = kernels.NEW_GAME if seeds is None else kernels.NEW_SEED
        if seeds is not None:
            for row, seed in zip(rows, seeds, strict=True):
                self.streams[row] = rng.generator(seed, rng.OPPONENTS)
                self.seating[row] = rng.generator(seed, rng.SEATING)
                self.batch.seeds[row] = seed & rng.WORD, seed >> 32
        for _ in range(REPLAYS):
            self._begin(rows, order)
            if given is not None:
                self._lay_out(rows, given)
            self.play_others(rows)
            if given is not None and (self.batch.seat[rows] == TERMINAL).any():
                raise PositionError("the game is over before the learner is asked")
            rows = rows[self.batch.seat[rows] == TERMINAL]
            if not len(rows):
                return
            order = kernels.NEW_GAME
        raise GameError(f"{self.batch.game.ID}: {REPLAYS} games ended before the learner's first decision")

    def _begin(self, rows: np.ndarray, order: int) -> None:
        for row in rows:
            self.learner[row] = self._draw_seat(row) if self.seat == "random" else self.seat
        orders = np.full(self.batch.num_rows, kernels.SKIP, np.int32)
        orders[rows] = order
        self.batch.start(orders)

    def _lay_out(self, rows: np.ndarray, given: np.ndarray) -> None:
        """Put `given` into rows that have just begun; their generators go on."""
        for row in rows:
            generator = self.batch.states["rng"][row].copy()
            self.batch.states[row] = given[0]
            self.batch.states["rng"][row] = generator
        orders = np.full(self.batch.num_rows, kernels.SKIP, np.int32)
        orders[rows] = kernels.RESUME
        self.batch.start(orders)

    def _draw_seat(self, row: int) -> int:
        from hopenvs.core.jit import plain_twin

        return plain_twin(rng.below)(self.seating[row].data, self.num_players)

    def play_others(self, rows: np.ndarray) -> None:
        """Let opponents move in `rows` until the learner is asked or the game is over (turn games)."""
        if self.batch.spec.simultaneous:
            return
        while True:
            seats = self.batch.seat[rows]
            rows = rows[(seats >= 0) & (seats != self.learner[rows])]
            if not len(rows):
                return
            actions = np.full((self.batch.num_rows, 1), kernels.SKIP, np.int32)
            actions[rows, 0] = self._choose(rows, self.batch.seat[rows].astype(np.int32))
            self.batch.step(actions)

    def step(self, rows: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """The learner's `actions` in `rows`, then the opponents'; returns the learner's rewards, one for each row.

        Raises:
            IllegalActionError: naming the row; nothing has changed. (If it is an opponent's, the games stand at its
                decision.)
        """
        full = np.full((self.batch.num_rows, self.batch.seats_asked), kernels.SKIP, np.int32)
        if self.batch.spec.simultaneous:
            self._check_own(rows, actions)
            for offset in range(1, self.num_players):
                seats = (self.learner[rows] + offset) % self.num_players
                full[rows, seats] = self._choose(rows, seats.astype(np.int32))
            full[rows, self.learner[rows]] = self._within(actions)
        else:
            self._check_own(rows, actions)
            full[rows, 0] = self._within(actions)
        self.batch.step(full)
        self.play_others(rows)
        return self.batch.states["rewards"][rows, self.learner[rows]]

    def _within(self, actions: np.ndarray) -> np.ndarray:
        """Indices beyond the catalogue as one that no kernel takes for a sign of its own."""
        return np.where((actions < 0) | (actions >= self.num_actions), self.num_actions, actions)

    @property
    def num_actions(self) -> int:
        """A."""
        return self.batch.spec.num_actions

    def _check_own(self, rows: np.ndarray, actions: np.ndarray) -> None:
        if self.batch.settings[kernels.FORFEIT]:
            return
        for row, action in zip(rows, actions, strict=True):
            seat = int(self.learner[row])
            mask = self.batch.mask[row, seat if self.batch.spec.simultaneous else 0]
            if not (0 <= action < self.num_actions and mask[action]):
                self._refuse(int(row), seat, int(action))

    def _refuse(self, row: int, seat: int, action: int) -> None:
        """Raise for an illegal action of the learner or of an opponent."""
        mask = self.batch.mask[row, seat if self.batch.spec.simultaneous else 0]
        where = f"row {row}, " if self.batch.num_rows > 1 else ""
        who = "" if seat == self.learner[row] else "the opponent "
        raise self.batch.illegal_action(row, seat, action, mask, where + who)

    def _choose(self, rows: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """The opponents' actions for seat `seats[i]` in row `rows[i]`."""
        batch = self.batch
        asked = seats if batch.spec.simultaneous else np.zeros(len(rows), np.int32)
        observations, masks = batch.observation[rows, asked], batch.mask[rows, asked]
        offsets = (seats - self.learner[rows]) % self.num_players - 1
        actions = np.zeros(len(rows), np.int32)
        by_agent: dict[int, list[int]] = {}
        for offset, agent in enumerate(self.opponents):
            by_agent.setdefault(id(agent), []).append(offset)
        for offsets_of_agent in by_agent.values():
            part = np.flatnonzero(np.isin(offsets, offsets_of_agent))
            if len(part):
                streams = self.streams[rows[part]]
                states = batch.states[rows[part]]
                states["rng"] = streams  # nobody sees coming dice (C-14)
                answers = self.opponents[offsets_of_agent[0]].act(
                    observations[part],
                    masks[part],
                    states=states,
                    seats=seats[part],
                    streams=streams,
                )
                actions[part] = self._check_answers(rows[part], seats[part], masks[part], np.asarray(answers))
                self.streams[rows[part]] = streams
        return actions

    def _check_answers(self, rows: np.ndarray, seats: np.ndarray, masks: np.ndarray, answers: np.ndarray) -> np.ndarray:
        """An opponent's answers as actions that the kernels take; illegal ones raise, or will forfeit the game."""
        if answers.shape != rows.shape or answers.dtype.kind not in "iu":
            raise ValueError(f"an opponent answered {answers.dtype} {answers.shape}: expected {len(rows)} integers")
        inside = self._within(answers)
        for k in np.flatnonzero(
            (inside == self.num_actions) | (masks[np.arange(len(rows)), inside % self.num_actions] == 0)
        ):
            if not self.batch.settings[kernels.FORFEIT]:
                self._refuse(int(rows[k]), int(seats[k]), int(answers[k]))
        return inside

    # ---- looking ----------------------------------------------------------------------------------------------------
    def look(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """What the learner sees in `rows`: (observation [n, D], mask [n, A]); once over, all ones (C-12)."""
        batch = self.batch
        over = batch.seat[rows] == TERMINAL
        asked = self.learner[rows] if batch.spec.simultaneous else np.zeros(len(rows), np.int32)
        observations, masks = batch.observation[rows, asked], batch.mask[rows, asked]
        if over.any() and not batch.spec.simultaneous:
            ended = rows[over]
            observations[over] = batch.view(ended.tolist(), self.learner[ended].tolist())[1]
            masks[over] = 1
        return observations, masks

    def flags(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(terminated, truncated), each [n] bool."""
        over = self.batch.states["current_player"][rows] == TERMINAL
        cut = self.batch.states["truncated"][rows] != NOT_TRUNCATED
        return over & ~cut, over & cut

    def infos(self, rows: np.ndarray) -> dict[str, np.ndarray]:
        """The learner's info (C-12) without the mask: each value [n] int64."""
        states, seats = self.batch.states[rows], self.learner[rows]
        index = np.arange(len(rows))
        current = states["current_player"]
        return {
            "active": ((current == seats) | (current == SIMULTANEOUS)).astype(np.int64),
            "rank": states["ranks"][index, seats].astype(np.int64),
            "score": states["scores"][index, seats].astype(np.int64),
            "won": states["winners"][index, seats].astype(np.int64),
            "truncated_by_max_turns": (states["truncated"] == BY_MAX_TURNS).astype(np.int64),
        }
