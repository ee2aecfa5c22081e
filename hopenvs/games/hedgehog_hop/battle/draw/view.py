"""What the drawings of a Dance Battle need to know of a position: what the viewer may know, and what actions do."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final

from hopenvs.games.hedgehog_hop.cards import IN_SYNC, NUMBERS
from hopenvs.games.hedgehog_hop.draw.cards import is_card, parts
from hopenvs.games.hedgehog_hop.draw.words import counted, in_order, players_words

ROUNDS: Final = {4: 8, 5: 5, 6: 6}  # HH-57
LINE: Final = 7  # cards of the audition line
CELLS: Final = ((0, 0), (0, 1), (1, 0), (1, 1))  # (row, column) of a crew's cells as the owner sees them, far row first
# the pairs of cells that touch
TOUCHING: Final = ((0, 1), (2, 3), (0, 2), (1, 3))

_UNSEEN: Final = {"crew": "a card laid", "plan": "a card planned"}
_HANDLED: Final = re.compile(r"(crew|plan|collect|discard) (\S+)")
_PLAYED: Final = re.compile(r"(hand|audition|pile) (\S+) (?:(r[01])|(c[01]) player (\d+))")
_PUSHED: Final = re.compile(r"push (?:(\S+-\S+-\S+) )?(?:(r[01])|(c[01]) player (\d+))")


@dataclass(frozen=True)
class Action:
    """An action: `crew`, `plan`, `play`, `push`, `collect` or `discard`.

    Attributes:
        kind: which of them.
        name: its name; a card that the viewer doesn't know is left out.
        card: the card it is about; empty where the viewer doesn't know it. A push may leave out the planned card.
        source: of a play, `hand`, `audition` or `pile`.
        line: of a play or push, `r0`, `r1`, `c0` or `c1`.
        target: of a hop, the seat it is against.
    """

    kind: str
    name: str
    card: str = ""
    source: str = ""
    line: str = ""
    target: int = -1


@dataclass(frozen=True)
class Push:
    """The latest push: whose it was, along which line, and which cell of the mover's crew the card may have taken."""

    mover: int
    line: str
    target: int
    cells: tuple[int, ...]  # one; two where it can't be told a slide from a groove
    card: str  # empty where there are two

    @property
    def move(self) -> str:
        """The card's move, where it is known."""
        return parts(self.card)[2] if self.card else ""


@dataclass(frozen=True)
class View:
    """A position, read for drawing: a hidden card is None."""

    players: int
    seat: int | None  # whose view it is
    phase: str
    to_play: int | None
    round: int
    turn: int
    crews: tuple[tuple[str | None, ...], ...]  # [seat] the cards laid so far
    hands: tuple[tuple[str | None, ...], ...]
    hand_counts: tuple[int, ...]
    planned: tuple[tuple[str | None, ...], ...]  # [seat] none or one
    known: tuple[tuple[str, ...], ...]  # [seat] what everybody knows to be there
    audition: tuple[str, ...]
    face_down: tuple[str, ...] | None  # the cards of the draw pile, where the viewer sees all
    draw_count: int
    discard: tuple[str, ...]
    start: int
    acted: tuple[bool, ...]
    pending: str | None
    must_discard: bool
    last_turn: bool
    winners: tuple[int, ...]
    truncated: bool
    finale: bool  # whether the game was played to its end, so that all cards are there to be seen
    last: tuple[Action, ...] = field(default=())
    legal: tuple[Action, ...] = field(default=())

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
        last_read, legal_read = (tuple(_action(name, players) for name in names) for names in (last, legal))
        phase, to_play = position["phase"], position["to_play"]
        truncated = bool(position.get("truncated"))
        finale = phase == "over" and not truncated and _played_out(position)
        set_up = all(None not in crew for crew in position["crews"])
        crews, hands, planned = [], [], []
        for owner in range(players):
            open_ = seat in (None, owner)
            laid = [card for card in position["crews"][owner] if card is not None]
            crews.append(tuple(laid) if open_ or set_up else (None,) * len(laid))
            hand = position["hands"][owner]
            hands.append(tuple(hand) if open_ or finale else _as_known(hand, position["known"][owner]))
            card = position["planned"][owner]
            revealed = open_ or (phase == "play" and owner == to_play)
            planned.append(() if card is None else (card if revealed else None,))
        view = cls(
            players=players,
            seat=seat,
            phase=phase,
            to_play=to_play,
            round=position["round"],
            turn=position["turn"],
            crews=tuple(crews),
            hands=tuple(hands),
            hand_counts=tuple(map(len, position["hands"])),
            planned=tuple(planned),
            known=tuple(map(tuple, position["known"])),
            audition=tuple(position["audition"]),
            face_down=tuple(position["draw"]) if seat is None else None,
            draw_count=len(position["draw"]),
            discard=tuple(position["discard"]),
            start=position["start"],
            acted=tuple(position["acted"]),
            pending=position["pending"],
            must_discard=position["must_discard"],
            last_turn=position["last_turn"],
            winners=tuple(position["winners"]),
            truncated=truncated,
            finale=finale,
            # what another seat may do tells its hand
            legal=legal_read if seat is None or seat == to_play else (),
        )
        return replace(view, last=view._as_told(last_read))

    def _as_told(self, last: Sequence[Action]) -> tuple[Action, ...]:
        """Leave out which cards others have laid or planned."""
        if self.seat is None:
            return tuple(last)
        told = list(last)
        actors = self._hidden_actors(last)
        for at, actor in actors.items():
            if actor != self.seat:
                told[at] = Action(last[at].kind, _UNSEEN[last[at].kind])
        return tuple(told)

    def _hidden_actors(self, last: Sequence[Action]) -> dict[int, int]:
        """Return for each laying or planning in `last` whose it was, worked out backwards from what is public."""
        crews = [at for at, action in enumerate(last) if action.kind == "crew"]
        plans = [at for at, action in enumerate(last) if action.kind == "plan"]
        found = dict.fromkeys((*crews, *plans), -1)  # what can't be told stays somebody else's
        layers = [owner for owner, crew in enumerate(self.crews) for _ in crew]
        found.update(zip(reversed(crews), reversed(layers)))
        if self.phase != "over" or self.finale:
            found.update(zip(reversed(plans), self._planners()))
        return found

    def _planners(self) -> Iterator[int]:
        """Yield who has planned, the latest first."""
        start, count = self.start, self.players
        if self.phase == "plan" and self.to_play is not None:
            count = (self.to_play - start) % self.players
        elif self.phase == "over":
            start -= 1  # it has passed on
        while True:
            for place in range(count - 1, -1, -1):
                yield (start + place) % self.players
            start, count = start - 1, self.players

    @property
    def three(self) -> bool:
        """Whether the rules for three players hold."""
        return self.players == 3

    @property
    def targets(self) -> tuple[int, ...]:
        """How far to the left the players are whom a hop can be against (HH-45)."""
        return {3: (1, 2), 5: (2, 3)}.get(self.players, (self.players // 2,))

    @cached_property
    def pushed(self) -> Push | None:
        """The latest push of `last`."""
        pushes = [action for action in self.last if action.kind in ("play", "push")]
        if not pushes or any(len(crew) < len(CELLS) for crew in self.crews):
            return None
        action, mover = pushes[-1], self.latest_mover
        crew = self.crews[mover]
        cells = entry_cells(action.line)
        fit = [cell for cell in cells if move_at(action.line, cell) == _move(crew[cell])]
        if action.card:
            fit = [cell for cell in fit if crew[cell] == action.card]
        actors = self._hidden_actors(self.last)
        planned = {told.card for at, told in enumerate(self.last) if told.kind == "plan" and actors[at] == mover}
        if len(fit) == 2 and len([cell for cell in fit if crew[cell] in planned]) == 1:
            fit = [cell for cell in fit if crew[cell] in planned]
        if not fit:
            return None
        card = str(crew[fit[0]]) if len(fit) == 1 else ""
        return Push(mover, action.line, action.target, tuple(fit), card)

    @property
    def latest_mover(self) -> int:
        """Whose push came last."""
        if self.phase == "discard" or (self.phase == "collect" and self.pending == "end"):
            return self.to_play or 0
        if self.three:
            return (self.turn - 1) % self.players
        if self.pending == "round":
            return (self.start - 1) % self.players
        done = sum(self.acted)
        return (self.start + done - 1 if done else self.start - 2) % self.players

    @property
    def discarded(self) -> bool:
        """Whether the top of the discard pile has just been put there."""
        discards = [action.card for action in self.last if action.kind == "discard"]
        return bool(discards and self.discard and self.discard[-1] == discards[-1])

    def in_sync_pairs(self, owner: int) -> list[tuple[int, int]]:
        """Return the touching cells of a crew whose cards are In Sync, as far as the viewer sees them."""
        crew = self.crews[owner]
        found = []
        for one, other in TOUCHING:
            if max(one, other) < len(crew):
                first, second = crew[one], crew[other]
                if first is not None and second is not None and IN_SYNC[NUMBERS[first], NUMBERS[second]]:
                    found.append((one, other))
        return found

    def known_flags(self, owner: int) -> list[bool]:
        """Return which cards of a hand everybody knows."""
        left = Counter(() if self.finale else self.known[owner])
        flags = []
        for card in self.hands[owner]:
            flags.append(card is not None and left[card] > 0)
            left[card or ""] -= 1
        return flags

    def usable(self, kind: str, source: str = "") -> frozenset[str]:
        """Return the cards with which something of that kind may be done now."""
        return frozenset(action.card for action in self.legal if action.kind == kind and action.source == source)

    def kinds(self) -> frozenset[str]:
        """Return the kinds of what may be done now."""
        return frozenset(action.kind for action in self.legal)

    def entries(self) -> dict[tuple[str, str], list[Action]]:
        """Return the pushes that may be made by line and move."""
        found: dict[tuple[str, str], list[Action]] = {}
        plan = self.planned[self.to_play][0] if self.to_play is not None and self.planned[self.to_play] else None
        for action in self.legal:
            card = action.card if action.kind == "play" else plan if action.kind == "push" else None
            if card is None:
                continue
            move = parts(card)[2]
            if (move == "hop") == (action.line[0] == "c"):
                found.setdefault((action.line, move), []).append(action)
        return found


def _played_out(position: Mapping[str, Any]) -> bool:
    """Tell whether a finished game has come to the finale, not to an end before it."""
    players = position["players"]
    return bool(position["last_turn"]) if players == 3 else position["round"] == ROUNDS[players]


def _as_known(hand: Sequence[str], known: Sequence[str]) -> tuple[str | None, ...]:
    """Return what everybody knows of a hand: one of the known cards may be the planned one, so it isn't looked up."""
    return (*in_order(known), *[None] * max(0, len(hand) - len(known)))


def _move(card: str | None) -> str:
    return parts(card)[2] if card else ""


def entry_cells(line: str) -> tuple[int, ...]:
    """Return the cells of a crew at which a card may enter a line: a slide's first."""
    number = int(line[1])
    return (2 * number + 1, 2 * number) if line[0] == "r" else (2 + number,)


def move_at(line: str, cell: int) -> str:
    """Return the move that enters a line at a cell."""
    if line[0] == "c":
        return "hop"
    return "slide" if cell % 2 else "groove"


def _action(name: str, players: int) -> Action:
    three = players == 3
    if name == "crew" or (name == "plan" and not three):  # what others are told
        return Action(name, _UNSEEN[name])
    if found := _HANDLED.fullmatch(name):
        kind, card = found[1], found[2]
        if is_card(card) and kind != ("plan" if three else "discard"):
            return Action(kind, name, card)
    elif three and (found := _PLAYED.fullmatch(name)):
        card, line = found[2], found[3] or found[4]
        target = int(found[5]) if found[5] else -1
        if is_card(card) and (parts(card)[2] == "hop") == (line[0] == "c") and target < players:
            return Action("play", name, card, found[1], line, target)
    elif not three and (found := _PUSHED.fullmatch(name)):
        card, line = found[1] or "", found[2] or found[3]
        target = int(found[4]) if found[4] else -1
        if target < players and (not card or (is_card(card) and (parts(card)[2] == "hop") == (line[0] == "c"))):
            return Action("push", name, card, line=line, target=target)
    raise ValueError(f"{name!r} is not an action of hedgehog_hop (battle) with {players} players")


def headline(view: View) -> tuple[str, str]:
    """Return whose turn it is, and what is asked (or how it ended), in a few words each."""
    if view.phase == "over":
        if view.winners:
            return players_words(view.winners), "wins!" if len(view.winners) == 1 else "win"
        if view.truncated:
            return "Nobody wins", "turn limit reached"
        return "Nobody wins", "a draw" if view.finale else "the game is over"
    who = f"Player {view.to_play}"
    if view.phase == "crew":
        return who, "lays the crew"
    if view.phase == "plan":
        return who, "plans a card"
    if view.phase == "collect":
        return who, "takes an audition card"
    if view.phase == "discard":
        return who, "discards a card from the hand"
    if view.three or view.to_play is None:
        return who, "plays a card"
    plan = view.planned[view.to_play]
    return who, f"pushes {plan[0]}" if plan and plan[0] else "pushes the planned card"


def footnote(view: View) -> str:
    """Return when in the game it is."""
    if view.phase == "over":
        return f"after {counted(view.turn, 'turn')}" if view.three else f"after {counted(view.round, 'round')}"
    if view.phase == "crew":
        return "setting up"
    found = f"turn {view.turn + 1}" if view.three else f"round {view.round + 1} of {ROUNDS[view.players]}"
    if view.last_turn:
        found += ", the last turn"
    checks = {"start": ", In Sync before the push", "end": ", In Sync after the push", "round": ", In Sync at its end"}
    return found + checks.get(view.pending or "", "")
