"""What the drawings need to know of a position: the facts that the players see, and what actions do.

All places here are named as they are shown: on the absolute board, or as a seat's own view numbers them (HO-0).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from hopenvs.games.hooop.board import LAYOUTS, SQUARE5_FOR_FOUR, Layout
from hopenvs.games.hooop.options import BOARDS

CARDS: Final = ("extra_jump", "parachute", "extra_bridge", "remove_bridge")

Place = str  # a leaf's number, or H and a home's number
Edge = tuple[int, int]  # two neighbouring leaves, the lower number first

_ACTION: Final = re.compile(r"(jump|chute) (H?\d+)>(H?\d+)|(bridge|remove) (\d+)-(\d+)|end")


@dataclass(frozen=True)
class Action:
    """An action as it is shown: `jump` and `chute` lead from a place to another, `bridge` and `remove` join two."""

    kind: str
    name: str
    source: Place = ""
    target: Place = ""

    @property
    def edge(self) -> Edge | None:
        """The pair of leaves it is about, if both ends are leaves."""
        if self.kind == "end" or is_home(self.source) or is_home(self.target):
            return None
        a, b = int(self.source), int(self.target)
        return min(a, b), max(a, b)


@dataclass(frozen=True)
class View:
    """A position, read for drawing."""

    players: int
    layout: Layout
    seat: int | None  # whose view it is
    phase: str
    to_play: int | None
    turn: int
    frogs: tuple[tuple[Place, ...], ...]  # [seat] where its frogs are
    bridges: frozenset[Edge]
    cards: tuple[frozenset[str], ...]  # [seat] unused
    with_cards: bool
    pushed: tuple[Place, int] | None  # the leaf and the owner of the frog that has been pushed there
    winners: tuple[int, ...]
    truncated: bool
    last: tuple[Action, ...]
    legal: tuple[Action, ...]

    @classmethod
    def of(
        cls, position: Mapping[str, Any], last: Sequence[str] = (), seat: int | None = None, legal: Sequence[str] = ()
    ) -> View:
        """Read a position (its keys and options are listed in the game's README), and absolute names of actions.

        Raises:
            ValueError: for a name that is no action on this board, or a seat that doesn't play.
        """
        players, board = position["players"], position["board"]
        code = BOARDS.index(board)
        layout = LAYOUTS[SQUARE5_FOR_FOUR if board == "square5" and players == 4 else code]
        if seat is not None and not 0 <= seat < players:
            raise ValueError(f"seat {seat} doesn't play: there are {players} players")
        shown = _Shown(layout, seat or 0)
        options: Mapping[str, Any] = position.get("options") or {}
        pushed = position["pushed"]
        return cls(
            players=players,
            layout=layout,
            seat=seat,
            phase=position["phase"],
            to_play=position["to_play"],
            turn=position["turn"],
            frogs=tuple(tuple(shown.place(str(place)) for place in places) for places in position["frogs"]),
            bridges=frozenset(shown.edge(*map(int, bridge.split("-"))) for bridge in position["bridges"]),
            cards=tuple(frozenset(cards) for cards in position["cards"]),
            with_cards=options.get("cards") is not False,
            pushed=None if pushed is None else (shown.place(str(pushed["leaf"])), pushed["owner"]),
            winners=tuple(position["winners"]),
            truncated=bool(position.get("truncated")),
            last=tuple(shown.action(name) for name in last),
            legal=tuple(shown.action(name) for name in legal),
        )

    @property
    def goal(self) -> int:
        """How many of its frogs a player needs in opponents' homes."""
        return len(self.frogs[0])

    @property
    def sent_on(self) -> tuple[Place, int] | None:
        """The leaf and the owner of the frog that somebody has to send on now."""
        return self.pushed if self.phase == "push" else None

    @property
    def quota(self) -> int:
        """How many frogs of one colour an opponent's home takes (HO-10)."""
        return self.goal if self.players == 2 else 5 - self.players

    def owner(self, home: int) -> int:
        """Return the seat whose home is shown as H`home`."""
        return (home + (self.seat or 0)) % self.players

    def home(self, seat: int) -> Place:
        """Return how a seat's home is shown."""
        return f"H{(seat - (self.seat or 0)) % self.players}"

    @cached_property
    def standing(self) -> Mapping[Place, tuple[int, ...]]:
        """Whose frogs are on a place: on a leaf first the one that has come last, in a home first the owner's."""
        found: dict[Place, list[int]] = {}
        for owner, places in enumerate(self.frogs):
            for place in places:
                found.setdefault(place, []).append(owner)
        for place, owners in found.items():
            if is_home(place):
                first = self.owner(int(place[1:]))
                owners.sort(key=lambda owner: (owner != first, owner))
            elif self.pushed is not None and self.pushed[0] == place:
                owners.remove(self.pushed[1])
                owners.append(self.pushed[1])
        return {place: tuple(owners) for place, owners in found.items()}

    def arrived(self, seat: int, home: Place | None = None) -> int:
        """Count a seat's frogs in one opponent's home, or in all of them."""
        if home is not None:
            return self.frogs[seat].count(home)
        return sum(is_home(place) and place != self.home(seat) for place in self.frogs[seat])

    def rank(self, seat: int) -> int:
        """Return a seat's rank as things stand: 1 + the seats that are better, winners before all others."""

        def merit(other: int) -> int:
            return self.goal + 1 if other in self.winners else self.arrived(other)

        return 1 + sum(merit(other) > merit(seat) for other in range(self.players))

    def kinds(self) -> frozenset[str]:
        """Return the kinds of what may be done now."""
        return frozenset(action.kind for action in self.legal)

    def offered(self) -> frozenset[str]:
        """Return the cards with which something may be done now."""
        kinds = self.kinds()
        found = {"parachute"} if "chute" in kinds else set()
        if self.phase == "extra":
            uses = {"jump": "extra_jump", "bridge": "extra_bridge", "remove": "remove_bridge"}
            found |= {card for kind, card in uses.items() if kind in kinds}
        return frozenset(found)

    def movable(self, place: Place, owner: int) -> bool:
        """Tell whether a frog there may be chosen to go somewhere; while one has to go on, none may."""
        if self.sent_on is not None or owner != self.to_play:
            return False
        return any(action.source == place for action in self.legal if action.kind in ("jump", "chute"))


@dataclass(frozen=True)
class _Shown:
    """Absolute names as a seat sees them; seat 0 sees the absolute board."""

    layout: Layout
    seat: int

    @cached_property
    def leaves(self) -> tuple[int, ...]:
        return self.layout.view(self.seat)

    def place(self, name: str) -> Place:
        if is_home(name):
            homes = len(self.layout.homes)
            if not 0 <= int(name[1:]) < homes:
                raise ValueError(f"there is no home {name}: {homes} play")
            return f"H{(int(name[1:]) - self.seat) % homes}"
        if not 0 <= int(name) < self.layout.leaves:
            raise ValueError(f"there is no leaf {name}: the board has {self.layout.leaves}")
        return str(self.leaves[int(name)])

    def edge(self, a: int, b: int) -> Edge:
        first, second = self.leaves[a], self.leaves[b]
        return min(first, second), max(first, second)

    def action(self, name: str) -> Action:
        found = _ACTION.fullmatch(name)
        if found is None:
            raise ValueError(f"{name!r} is not an action of hooop")
        if name == "end":
            return Action("end", "end")
        kind, source, target = (found[1], found[2], found[3]) if found[1] else (found[4], found[5], found[6])
        if not self._joined(kind, source, target):
            raise ValueError(f"{name!r} is not an action of hooop on this board")
        if kind in ("jump", "chute"):
            a, b = self.place(source), self.place(target)
            return Action(kind, f"{kind} {a}>{b}", a, b)
        low, high = self.edge(int(source), int(target))
        return Action(kind, f"{kind} {low}-{high}", str(low), str(high))

    def _joined(self, kind: str, source: str, target: str) -> bool:
        """Tell whether two places are neighbours, as that kind of action wants them."""
        if is_home(source) and is_home(target):
            return False
        for home, leaf in ((source, target), (target, source)):
            if is_home(home):
                at = int(home[1:])
                return kind == "jump" and at < len(self.layout.homes) and self.layout.homes[at] == int(leaf)
        a, b = int(source), int(target)
        if kind in ("bridge", "remove") and a > b:
            return False
        return (min(a, b), max(a, b)) in self.layout.edges


def is_home(place: Place) -> bool:
    """Tell homes from leaves."""
    return place.startswith("H")


def ordinal(rank: int) -> str:
    """Write a rank of 1 to 4: 1st, 2nd, 3rd, 4th."""
    return f"{rank}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(rank, 'th') }"


def headline(view: View) -> tuple[str, str]:
    """Return whose turn it is, and what is asked (or how it ended), in a few words each."""
    if view.phase == "over":
        if view.truncated:
            return "Nobody wins", "turn limit reached"
        names = ", ".join(str(seat) for seat in view.winners)
        return (f"Player {names}", "wins!") if len(view.winners) == 1 else (f"Players {names}", "win")
    who = f"Player {view.to_play}"
    if view.sent_on is not None:
        return who, f"sends on frog {view.sent_on[1]} from leaf {view.sent_on[0]}"
    if view.phase == "extra":
        words = {"jump": "jump again", "bridge": "place another", "remove": "remove a bridge"}
        could = [word for kind, word in words.items() if kind in view.kinds()] or ["use a card"]
        return who, f"may {', '.join(could)} or end"
    return who, "jumps or places a bridge"
