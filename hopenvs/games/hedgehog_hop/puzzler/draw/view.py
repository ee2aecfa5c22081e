"""What the drawings of a Puzzler need to know of a position: what the viewer may know, and what actions do."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from hopenvs.games.hedgehog_hop.cards import IN_SYNC, NUMBERS
from hopenvs.games.hedgehog_hop.draw.cards import is_card, parts
from hopenvs.games.hedgehog_hop.draw.words import counted, players_words
from hopenvs.games.hedgehog_hop.puzzler.table import Size, size_for

Cell = tuple[int, int]  # (x, y), x to the right and y up

STEPS: Final[Mapping[str, Cell]] = {"hop": (0, 1), "groove": (1, 0), "slide": (-1, 0)}  # where a move pushes

_PLAY: Final = re.compile(r"(hand|backup) (\S+) ([cr])(0|-?[1-9]\d*)")
_STEAL: Final = re.compile(r"steal (\S+) of player (\d+)")
_DISCARD: Final = re.compile(r"discard (\S+)")


@dataclass(frozen=True)
class Action:
    """An action: `play`, `discard`, `steal` or `no steal`.

    Attributes:
        kind: which of them.
        name: its name.
        card: the card it is about.
        source: of a play, `hand` or `backup`.
        line: of a play, `c-1` or `r0`.
        victim: of a steal, the seat.
    """

    kind: str
    name: str
    card: str = ""
    source: str = ""
    line: str = ""
    victim: int = -1

    @property
    def number(self) -> int:
        """The line's number."""
        return int(self.line[1:])


@dataclass(frozen=True)
class View:
    """A position, read for drawing: a hidden card is None."""

    players: int
    seat: int | None  # whose view it is
    promo: str | None
    phase: str
    to_play: int | None
    turn: int
    mob: Mapping[Cell, str]
    hands: tuple[tuple[str | None, ...], ...]
    backups: tuple[tuple[str, ...], ...]
    face_down: tuple[str, ...] | None  # the cards of the pile, where the viewer sees all
    draw_count: int
    queue: tuple[str, ...]
    discard: tuple[str, ...]
    removed: tuple[str, ...]
    due: int
    must_discard: bool
    winners: tuple[int, ...]
    truncated: bool
    last: tuple[Action, ...]
    legal: tuple[Action, ...]

    @classmethod
    def of(
        cls, position: Mapping[str, Any], last: Sequence[str] = (), seat: int | None = None, legal: Sequence[str] = ()
    ) -> View:
        """Read a position (its keys are listed in the game's README), and absolute names of actions.

        Raises:
            ValueError: for a name that is no action of this game, or a seat that doesn't play.
        """
        players = position["players"]
        if seat is not None and not 0 <= seat < players:
            raise ValueError(f"seat {seat} doesn't play: there are {players} players")
        size = size_for(players)
        last_read, legal_read = (tuple(_action(name, players, size) for name in names) for names in (last, legal))
        hands: Sequence[Sequence[str]] = position["hands"]
        truncated = bool(position.get("truncated"))
        # the lead dancers step forward in the finale
        finale = position["phase"] == "over" and not truncated and all(len(hand) == 1 for hand in hands)
        shown = [finale or seat in (None, owner) for owner in range(players)]
        to_play = position["to_play"]
        return cls(
            players=players,
            seat=seat,
            promo=position["promo"],
            phase=position["phase"],
            to_play=to_play,
            turn=position["turn"],
            mob={_cell(cell): card for cell, card in position["mob"].items()},
            hands=tuple(tuple(hand) if open_ else (None,) * len(hand) for hand, open_ in zip(hands, shown)),
            backups=tuple(map(tuple, position["backups"])),
            face_down=tuple(position["draw"]) if seat is None else None,
            draw_count=len(position["draw"]),
            queue=tuple(position["draw_face_up"]),
            discard=tuple(position["discard"]),
            removed=tuple(position["removed"]),
            due=position["steals_due"],
            must_discard=position["must_discard"],
            winners=tuple(position["winners"]),
            truncated=truncated,
            last=last_read,
            # what another seat may do tells its hand
            legal=legal_read if seat is None or seat == to_play else (),
        )

    @property
    def size(self) -> Size:
        """The table for so many players."""
        return size_for(self.players)

    @property
    def turns(self) -> int:
        """How many turns the game has."""
        return self.players * (self.size.hand - 1)

    @property
    def pushes_out(self) -> bool:
        """Whether full lines push a card out (HH-20)."""
        return self.players >= 4

    @property
    def finale(self) -> bool:
        """Whether the lead dancers are there to be seen."""
        return self.phase == "over" and all(len(hand) == 1 and hand[0] is not None for hand in self.hands)

    @cached_property
    def bounds(self) -> tuple[int, int, int, int]:
        """The mob's leftmost and rightmost column, lowest and highest row."""
        xs, ys = [x for x, _ in self.mob], [y for _, y in self.mob]
        return min(xs), max(xs), min(ys), max(ys)

    def end(self, line: str, move: str) -> Cell:
        """Return the cell at which a card of that move enters a line that holds some."""
        number = int(line[1:])
        if move == "hop":
            return number, min(y for x, y in self.mob if x == number)
        row = [x for x, y in self.mob if y == number]
        return (min(row) if move == "groove" else max(row)), number

    def has_line(self, line: str) -> bool:
        """Tell whether a line holds a card."""
        at = 0 if line[0] == "c" else 1
        return any(cell[at] == int(line[1:]) for cell in self.mob)

    @cached_property
    def played(self) -> tuple[Cell, ...]:
        """Where the cards played in `last` lie now, the latest first; what isn't certain is left out."""
        found: list[Cell] = []
        plays = [action for action in reversed(self.last) if action.kind == "play"]
        for age, action in enumerate(plays):
            move = parts(action.card)[2]
            if age == 0 and self.has_line(action.line):
                cell = self.end(action.line, move)
                if self.mob[cell] == action.card:
                    found.append(cell)
                    continue
            there = [cell for cell, card in self.mob.items() if card == action.card and cell not in found]
            gone = (*self.discard, *self.removed)  # a copy that was pushed out or eaten: which one can't be told
            if len(there) == 1 and action.card not in gone:
                found.append(there[0])
        return tuple(found)

    @cached_property
    def latest(self) -> Cell | None:
        """Where the card played last entered, if it still lies there."""
        plays = [action for action in self.last if action.kind == "play"]
        if not plays or not self.has_line(plays[-1].line):
            return None
        cell = self.end(plays[-1].line, parts(plays[-1].card)[2])
        return cell if self.mob[cell] == plays[-1].card else None

    @property
    def discarded(self) -> bool:
        """Whether the last card of the face-up part of the draw pile has just been put there."""
        discards = [action.card for action in self.last if action.kind == "discard"]
        return bool(discards and self.queue and self.queue[-1] == discards[-1])

    def stolen(self, owner: int) -> frozenset[str]:
        """Return the backup dancers that a player has just stolen."""
        thief = self.to_play if self.phase in ("steal", "discard") else (self.turn - 1) % self.players
        found: set[str] = set()
        for action in self.last:
            if action.kind == "play":
                found.clear()  # an earlier player's turn
            elif action.kind == "steal":
                found.add(action.card)
        return frozenset(found if owner == thief else ())

    def in_sync_with(self, cell: Cell) -> list[Cell]:
        """Return the neighbours that are In Sync with a card of the mob (HH-2, HH-25)."""
        x, y = cell
        card = self.mob[cell]
        found = []
        for other in ((x, y + 1), (x + 1, y), (x, y - 1), (x - 1, y)):
            neighbour = self.mob.get(other)
            if neighbour == "unicorn" or (
                is_card(neighbour) and is_card(card) and IN_SYNC[NUMBERS[card], NUMBERS[str(neighbour)]]
            ):
                found.append(other)
        return found

    def entries(self) -> dict[tuple[str, str], list[Action]]:
        """Return the plays that may be made by the line they enter and the move, in the order of the names."""
        found: dict[tuple[str, str], list[Action]] = {}
        for action in self.legal:
            if action.kind == "play" and self.has_line(action.line):
                found.setdefault((action.line, parts(action.card)[2]), []).append(action)
        return found

    def usable(self, kind: str, owner: int, source: str = "") -> frozenset[str]:
        """Return a player's cards with which something of that kind may be done now."""
        return frozenset(
            action.card
            for action in self.legal
            if action.kind == kind
            and action.source == source
            and (action.victim == owner if kind == "steal" else owner == self.to_play)
        )

    def kinds(self) -> frozenset[str]:
        """Return the kinds of what may be done now."""
        return frozenset(action.kind for action in self.legal)


def _cell(name: str) -> Cell:
    x, y = name.split(",")
    return int(x), int(y)


def _action(name: str, players: int, size: Size) -> Action:
    if name == "no steal":
        return Action("no steal", name)
    if found := _PLAY.fullmatch(name):
        source, card, letter, number = found[1], found[2], found[3], int(found[4])
        if is_card(card) and (parts(card)[2] == "hop") == (letter == "c"):
            lowest, highest = (size.left, -size.left) if letter == "c" else (size.bottom, size.top)
            if lowest <= number <= highest:
                return Action("play", name, card, source, f"{letter}{number}")
    elif (found := _DISCARD.fullmatch(name)) and is_card(found[1]):
        return Action("discard", name, found[1])
    elif (found := _STEAL.fullmatch(name)) and is_card(found[1]) and int(found[2]) < players:
        return Action("steal", name, found[1], victim=int(found[2]))
    raise ValueError(f"{name!r} is not an action of hedgehog_hop (puzzler) with {players} players")


def headline(view: View) -> tuple[str, str]:
    """Return whose turn it is, and what is asked (or how it ended), in a few words each."""
    if view.phase == "over":
        if not view.winners:
            return "Nobody wins", "the game was cut short" if view.truncated else "the game is over"
        return players_words(view.winners), "wins!" if len(view.winners) == 1 else "win"
    asked = {
        "play": "plays a card into the mob",
        "steal": f"may steal a backup dancer ({view.due} due)",
        "discard": "discards a card from the hand",
    }
    return f"Player {view.to_play}", asked[view.phase]


def footnote(view: View) -> str:
    """Return what else there is to say of the turn."""
    if view.phase == "over":
        return f"after {counted(view.turn, 'turn')}"
    also = ", then discards" if view.must_discard and view.phase == "steal" else ""
    return f"turn {view.turn + 1} of {view.turns}{also}"
