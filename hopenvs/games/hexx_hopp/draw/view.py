"""What the drawings need to know of a position: what the viewer may know, and what actions did or may do."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from hopenvs.games.hexx_hopp.tiles import DIRECTIONS, TILES

Cell = tuple[int, int]  # (q, r)

SIDES: Final = 6
ROUNDS, MAX_TICKS, TABLE_RADIUS = 10, 300, 10  # where the position doesn't say otherwise

_PLAYER: Final = re.compile(r"player[ _](\d+):? +")
_PLACE: Final = re.compile(r"place (-?\d+),(-?\d+) ([0-5])")
_RECALL: Final = re.compile(r"recall (\d+)")
_GIVE: Final = re.compile(r"give (\d+(?:,\d+)*)")
_GIFT: Final = re.compile(r"(\d+)(?: tiles?)? to player[ _](\d+)")


@dataclass(frozen=True)
class Action:
    """An action: `wait`, `next`, `recall`, `place`, `give`, or `other` where the name says none of these."""

    name: str
    kind: str = "other"
    seat: int | None = None  # whose it is, where that is known
    tile: int = -1  # the tile that is recalled
    cell: Cell = (0, 0)  # where a tile is placed
    turn: int = 0  # and by how many sides it is turned
    gifts: tuple[tuple[int, int], ...] = ()  # (seat, how many tiles), none of them 0


@dataclass(frozen=True)
class Placed:
    """A placement that `last` tells of: by whom (one, or several who wanted the very same), and whether it was made."""

    cell: Cell
    seats: tuple[int, ...]
    made: bool


@dataclass(frozen=True)
class View:
    """A position, read for drawing."""

    players: int
    seat: int | None  # whose view it is
    over: bool
    round: int
    rounds: int
    tick: int
    max_ticks: int
    radius: int
    figure: Mapping[Cell, tuple[int, int]]  # cell -> tile, and by how many sides it is turned
    up: tuple[int | None, ...]
    stack_counts: tuple[int, ...]
    stacks: tuple[tuple[int, ...], ...] | None  # from the top, where the viewer sees all
    discard_counts: tuple[int, ...]
    discards: tuple[tuple[int, ...] | None, ...]  # [seat] the oldest first, None where the viewer doesn't know them
    gift_due: tuple[int, ...]
    penalties: tuple[int, ...]
    dealer: int
    winners: tuple[int, ...]
    last: tuple[Action, ...] = field(default=())
    legal: tuple[Action, ...] = field(default=())

    @classmethod
    def of(
        cls, position: Mapping[str, Any], last: Sequence[str] = (), seat: int | None = None, legal: Sequence[str] = ()
    ) -> View:
        """Read a position (its keys are listed in the game's README), and names of actions.

        Raises:
            ValueError: for a seat that doesn't play.
        """
        players = position["players"]
        if seat is not None and not 0 <= seat < players:
            raise ValueError(f"seat {seat} doesn't play: there are {players} players")
        options: Mapping[str, Any] = position.get("options") or {}
        cells = {_cell(name): (tile, turn) for name, (tile, turn) in position["figure"].items()}
        may = tuple(read_action(name, players, seat) for name in legal)
        return cls(
            players=players,
            seat=seat,
            over=position["phase"] == "over",
            round=position["round"],
            rounds=options.get("rounds") or ROUNDS,
            tick=position["tick"],
            max_ticks=options.get("max_ticks") or MAX_TICKS,
            radius=options.get("table_radius") or TABLE_RADIUS,
            figure={cell: cells[cell] for cell in sorted(cells, key=by_row)},
            up=tuple(position["up"]),
            stack_counts=tuple(map(len, position["stacks"])),
            stacks=tuple(map(tuple, position["stacks"])) if seat is None else None,
            discard_counts=tuple(map(len, position["discards"])),
            discards=tuple(
                tuple(tiles) if seat in (None, owner) else None for owner, tiles in enumerate(position["discards"])
            ),
            gift_due=tuple(position["gift_due"]),
            penalties=tuple(position["penalties"]),
            dealer=position["dealer"],
            winners=tuple(position["winners"]),
            last=_joint(last, players),
            # what others may recall tells what lies face down in their discards
            legal=tuple(action for action in may if seat is None or action.seat == seat),
        )

    def seats(self) -> list[int]:
        """Return the seats in the order in which they are shown: the viewer first, then to the left (C-10)."""
        first = self.seat or 0
        return [(first + left) % self.players for left in range(self.players)]

    def left(self, seat: int) -> int:
        """Return how far to the viewer's left a seat is, as `give` counts (0: it is the viewer, or there is none)."""
        return 0 if self.seat is None else (seat - self.seat) % self.players

    def tiles_left(self, seat: int) -> int:
        """Count the tiles that a seat hasn't placed."""
        return self.stack_counts[seat] + self.discard_counts[seat] + (self.up[seat] is not None)

    def rank(self, seat: int) -> int:
        """Return a seat's rank as things stand: 1 + the seats that are better, winners before all others."""

        def merit(other: int) -> tuple[bool, int]:
            return other in self.winners, -self.penalties[other]

        return 1 + sum(merit(other) > merit(seat) for other in range(self.players))

    @cached_property
    def open_cells(self) -> tuple[Cell, ...]:
        """The empty cells on the table with at least two occupied neighbours (HX-6), by row."""
        beside = {cell for occupied in self.figure for cell in around(occupied)} - self.figure.keys()
        found = (cell for cell in beside if self.on_table(cell) and self.contacts(cell) > 1)
        return tuple(sorted(found, key=by_row))

    def on_table(self, cell: Cell) -> bool:
        """Tell whether a cell is on the table (HX-3)."""
        q, r = cell
        return max(abs(q), abs(r), abs(q + r)) <= self.radius

    def contacts(self, cell: Cell) -> int:
        """Count the occupied neighbours of a cell."""
        return sum(other in self.figure for other in around(cell))

    @cached_property
    def turns(self) -> Mapping[Cell, tuple[tuple[int | None, int], ...]]:
        """What may be placed: cell -> the turns that fit, each with the seat whose tile it is."""
        found: dict[Cell, set[tuple[int | None, int]]] = {}
        for action in self.legal:
            if action.kind == "place" and self.on_table(action.cell):
                found.setdefault(action.cell, set()).add((action.seat, action.turn))
        return {
            cell: tuple(sorted(found[cell], key=lambda turn: (-1 if turn[0] is None else turn[0], turn[1])))
            for cell in sorted(found, key=by_row)
        }

    def may(self, kind: str, seat: int) -> list[Action]:
        """Return what of that kind a seat may do, as far as it is said."""
        return [action for action in self.legal if action.kind == kind and action.seat == seat]

    @cached_property
    def placements(self) -> tuple[Placed, ...]:
        """What became of the placements of `last`.

        Of a round that has just been dealt none is told: the figure of the round before is gone. RULING: the position
        doesn't say who placed a tile; of several who wanted the same cell and turn, it was one who has a gift due, and
        if nobody has, all of them are named.
        """
        if self.tick == 0:
            return ()
        wanted: dict[tuple[Cell, int], list[int]] = {}
        for action in self.last:
            if action.kind == "place" and action.seat is not None and self.on_table(action.cell):
                wanted.setdefault((action.cell, action.turn), []).append(action.seat)
        found: list[Placed] = []
        for (cell, turn), seats in wanted.items():
            made = cell in self.figure and self.figure[cell][1] == turn
            winners = [seat for seat in seats if self.gift_due[seat]] or seats if made else []
            if winners:
                found.append(Placed(cell, tuple(winners), True))
            losers = [seat for seat in seats if seat not in winners]
            if losers:
                found.append(Placed(cell, tuple(losers), False))
        return tuple(found)

    def done(self, seat: int) -> list[str]:
        """Return what a player did, as `last` tells it; of a round that has just been dealt nothing."""
        return [self._told(action) for action in self.last if action.seat == seat] if self.tick else []

    def _told(self, action: Action) -> str:
        words = _PLAYER.sub("", action.name, count=1)
        return f"{words} - too late" if self.failed(action) else words

    @property
    def unseated(self) -> tuple[Action, ...]:
        """What of `last` isn't told by `done`."""
        return tuple(action for action in self.last if action.seat is None or not self.tick)

    def failed(self, action: Action) -> bool:
        """Tell whether a placement of `last` wasn't made."""
        return action.kind == "place" and any(
            not placed.made and placed.cell == action.cell and action.seat in placed.seats for placed in self.placements
        )

    @cached_property
    def round_winner(self) -> tuple[int, str] | None:
        """Who won the last round, and how, where a finished game lets one see it.

        RULING: the position doesn't say so. It is the player without a tile (HX-11), else in a game's first round the
        one whom no points were given (HX-13), else whom `last` shows placing a tile that touches six and who was due
        no gift for it: contacts are counted when it is placed (HX-7, HX-9).
        """
        if not self.over:
            return None
        for seat in range(self.players):
            if not self.tiles_left(seat):
                return seat, "has no tile left"
        if self.round == 0:
            unpunished = [seat for seat in range(self.players) if not self.penalties[seat]]
            return (unpunished[0], "touched six tiles") if len(unpunished) == 1 else None
        for placed in self.placements:
            alone = placed.made and len(placed.seats) == 1
            if alone and not self.gift_due[placed.seats[0]] and self.contacts(placed.cell) == SIDES:
                return placed.seats[0], "touched six tiles"
        return None


def read_action(name: str, players: int, seat: int | None = None) -> Action:
    """Read an absolute name, or an own one of that seat (or of nobody known); whatever isn't understood is `other`."""
    words = name
    found = _PLAYER.match(name)
    if found is not None and int(found[1]) < players:
        seat, words = int(found[1]), name[found.end() :]
    if words in ("wait", "next"):
        return Action(name, words, seat)
    if place := _PLACE.fullmatch(words):
        return Action(name, "place", seat, cell=(int(place[1]), int(place[2])), turn=int(place[3]))
    recall = _RECALL.fullmatch(words)
    if recall is not None and int(recall[1]) < len(TILES):
        return Action(name, "recall", seat, tile=int(recall[1]))
    if not words.startswith("give "):
        return Action(name)
    own = _GIVE.fullmatch(words)
    if own is not None and seat is not None and own[1].count(",") == players - 2:
        counts = map(int, own[1].split(","))
        pairs = [((seat + left) % players, count) for left, count in enumerate(counts, 1)]
    else:
        pairs = [(int(to), int(count)) for count, to in _GIFT.findall(words)]
    return Action(name, "give", seat, gifts=tuple((to, count) for to, count in pairs if count and to < players))


def _joint(names: Sequence[str], players: int) -> tuple[Action, ...]:
    """Read the names of what was just done; own names are told apart by their order if there is one a seat (C-13)."""
    actions = [read_action(name, players) for name in names]
    if len(names) == players and all(action.seat is None for action in actions):
        actions = [read_action(name, players, seat) for seat, name in enumerate(names)]
    return tuple(actions)


def colours(tile: int, turn: int = 0) -> str:
    """Return the letters of a tile's colours at the sides 0 to 5 when it is turned clockwise (HX-2)."""
    segments = TILES[tile]
    return "".join(segments[(side - turn) % SIDES] for side in range(SIDES))


def around(cell: Cell) -> list[Cell]:
    """Return the six cells round one."""
    q, r = cell
    return [(q + dq, r + dr) for dq, dr in DIRECTIONS]


def by_row(cell: Cell) -> tuple[int, int]:
    """Order cells by r, then q."""
    return cell[1], cell[0]


def _cell(name: str) -> Cell:
    q, r = name.split(",")
    return int(q), int(r)


def count_of(number: int, what: str) -> str:
    """Write a number of things: 1 tile, 2 tiles."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def listed(seats: Sequence[int]) -> str:
    """Write players: player 0; players 0 and 2."""
    words = " and ".join(filter(None, [", ".join(map(str, seats[:-1])), str(seats[-1])]))
    return f"player{'' if len(seats) == 1 else 's'} {words}"


def ordinal(rank: int) -> str:
    """Write a rank of 1 to 5: 1st, 2nd, 3rd, 4th, 5th."""
    return f"{rank}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(rank, 'th') }"


def headline(view: View) -> tuple[str, str]:
    """Return where the game stands, and what is asked (or how it ended), in a few words each."""
    if view.over:
        if not view.winners:
            return "Nobody wins", "the game is over"
        points = {view.penalties[seat] for seat in view.winners}
        how = f"with {count_of(points.pop(), 'penalty point')}" if len(points) == 1 else "the game is over"
        who = listed(view.winners)
        return f"{who[0].upper()}{who[1:]} {'wins!' if len(view.winners) == 1 else 'win'}", how
    where = f"Round {view.round + 1} of {view.rounds}"
    if view.seat is not None and view.gift_due[view.seat]:
        due = min(view.gift_due[view.seat], view.tiles_left(view.seat))
        return where, f"you may give {count_of(due, 'tile')} away, or none"
    givers = [seat for seat in range(view.players) if view.gift_due[seat]]
    if givers:
        return where, f"{listed(givers)} may give tiles away"
    return where, "everybody acts at once"


def footnote(view: View) -> tuple[str, str]:
    """Return the tick and the rest: the dealer, or how the last round ended."""
    tick = f"tick {view.tick}"
    if not view.over:
        return tick, f"of at most {view.max_ticks} · player {view.dealer} has dealt"
    where = f"of round {view.round + 1}"
    if view.round_winner is None:
        return tick, where
    seat, how = view.round_winner
    return tick, f"{where}: player {seat} {how}"
