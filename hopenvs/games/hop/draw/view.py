"""What the drawings need to know of a position: what the viewer may know, and what the actions do."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Literal

from hopenvs.games.hop.dares import DARES, Dare, read_deck

TOP: Final = 7  # the highest level (HP-1)
BALLOONS: Final = 5
BIRDS: Final = 30
BIRD_LIMIT: Final = 3  # so many doves, or crows, send all of a player's birds back (HP-12)
ROLES: Final = ("hurler", "skewerer", "assister", "turbulator")
SKILLS: Final = ("throw", "catch", "help", "hinder")  # in the order of a position's `skills`
ANIMALS: Final = ("fox", "bear", "lion", "hare", "pig", "elephant")  # [seat] the figurine

Bet = Literal["happy", "unhappy", "hidden"]

_NAMING: Final = re.compile(r"(skewerer|assister|turbulator) (?:left(\d+)|player (\d+))")
_BET: Final = re.compile(r"bet(?: (happy|unhappy))?")
_OUTCOME: Final = re.compile(
    r"(?P<dare>dare \d+(?: .+)?)|(?P<throw>success|failure)(?:; .+)?|player (?P<owner>\d+) "
    r"(?:(?P<cloud>cloud)(?: (?P<value>[012]))?|(?P<skill>throw|catch|help|hinder) [+-]\d+\.\d+)"
)


@dataclass(frozen=True)
class Action:
    """A decision: `skewerer`, `assister`, `turbulator`, `bet`; or an outcome: `dare`, `throw`, `cloud`, `skill`.

    Attributes:
        kind: which of them.
        name: how it is told, as far as the viewer may know it.
        target: the seat that is named or gets what was drawn, or the seat that bets where that can be told.
        face: of a bet, `happy` or `unhappy`; empty where the viewer doesn't know it.
    """

    kind: str
    name: str
    target: int = -1
    face: str = ""


@dataclass(frozen=True)
class View:
    """A position, read for drawing: a hidden cloud value is None."""

    players: int
    seat: int | None  # who looks
    phase: str
    to_play: int | None
    hurler: int
    helpers: Mapping[str, int | None]  # skewerer, assister and turbulator, as far as they are named
    dare: Dare | None
    bets: tuple[Bet | None, ...]
    levels: tuple[int, ...]
    balloons: tuple[int, ...]
    doves: tuple[int, ...]
    crows: tuple[int, ...]
    clouds: tuple[tuple[int | None, ...], ...]
    clouds_left: int
    cloud_pool: tuple[int, ...] | None  # left of value 0, 1 and 2, where the viewer knows
    deck: tuple[Dare, ...]  # left in the pile: which ones is no secret, their order is
    put_away: tuple[Dare, ...]
    skills: tuple[tuple[int, ...], ...]  # [seat] hundredths, in the order of SKILLS
    turn: int
    success: bool | None  # of the last throw
    winners: tuple[int, ...]
    truncated: bool
    last: tuple[Action, ...] = ()
    legal: tuple[Action, ...] = ()

    @classmethod
    def of(
        cls, position: Mapping[str, Any], last: Sequence[str] = (), seat: int | None = None, legal: Sequence[str] = ()
    ) -> View:
        """Read a position (its keys are listed in the game's README), and names of actions.

        Raises:
            ValueError: for a name that is no action of this game, or a seat that doesn't play.
        """
        players = position["players"]
        if seat is not None and not 0 <= seat < players:
            raise ValueError(f"seat {seat} doesn't play: there are {players} players")
        over = position["phase"] == "over"
        given = position.get("dares")
        dares = {dare.id: dare for dare in (DARES if given is None else read_deck(given))}
        pool = tuple(position["cloud_pool"])
        # RULING: HP-11 hides values "until the end": every game that is over is at its end, a forfeited one too.
        open_ = seat is None or over
        return cls(
            players=players,
            seat=seat,
            phase=position["phase"],
            to_play=position["to_play"],
            hurler=position["hurler"],
            helpers={role: position[role] for role in ROLES[1:]},
            dare=None if position["dare"] is None else dares[position["dare"]],
            bets=tuple(
                # RULING: bets of a turn that a forfeit cuts short were never shown (HP-7): they stay hidden.
                bet if bet is None or seat in (None, owner) else "hidden"
                for owner, bet in enumerate(position["bets"])
            ),
            levels=tuple(position["levels"]),
            balloons=tuple(position["balloons"]),
            doves=tuple(position["doves"]),
            crows=tuple(position["crows"]),
            clouds=tuple(
                tuple(values) if open_ or owner == seat else (None,) * len(values)
                for owner, values in enumerate(position["clouds"])
            ),
            clouds_left=sum(pool),
            cloud_pool=pool if open_ else None,
            deck=tuple(dares[number] for number in position["deck"]),
            put_away=tuple(dares[number] for number in position["put_away"]),
            skills=tuple(tuple(round(100 * skill) for skill in row) for row in position["skills"]),
            turn=position["turn"],
            success=None if position["last_throw"] is None else bool(position["last_throw"]["success"]),
            winners=tuple(position["winners"]),
            truncated=bool(position.get("truncated")),
            last=_told(position, last, seat),
            legal=tuple(_allowed(name, players, position["to_play"]) for name in legal),
        )

    # ---- the turn ----------------------------------------------------------------------------------------------------
    @property
    def roles(self) -> dict[str, int | None]:
        """Who has which role; no hurler once a game is over, unless it was cut short during a turn."""
        hurler = self.hurler if self.phase != "over" or self.helpers["skewerer"] is not None else None
        return {"hurler": hurler, **self.helpers}

    def role(self, seat: int) -> str:
        """Return a seat's role; empty for a player without one."""
        return next((role for role, holder in self.roles.items() if holder == seat), "")

    def wanted(self, role: str) -> bool:
        """Tell whether somebody has this role in the turn or is still to get it, as far as the dare is known."""
        if role in ("hurler", "skewerer"):
            return self.phase != "over" or self.roles[role] is not None
        return self.roles[role] is not None or (self.dare is not None and bool(getattr(self.dare, role)))

    def may_bet(self, seat: int) -> bool:
        """Tell whether a seat bets in this turn: all roles are given, and it has none (HP-7)."""
        if self.phase == "over" or self.dare is None or self.role(seat):
            return False
        return all(self.roles[role] is not None for role in ROLES if self.wanted(role))

    @property
    def skilled(self) -> bool:
        """Whether there are skills at all."""
        return any(any(row) for row in self.skills)

    def terms(self) -> list[tuple[str, int]]:
        """Return what adds up to the chance of the throw, hundredths, for all roles that are known so far (HP-8)."""
        if self.dare is None:
            return []
        found = [("base", self.dare.base)]
        for number, role in enumerate(ROLES):
            holder = self.roles[role]
            if holder is not None and self.skills[holder][number]:
                sign = -1 if role == "turbulator" else 1
                found.append((SKILLS[number], sign * self.skills[holder][number]))
        return found

    @property
    def chance(self) -> int | None:
        """The chance of the throw in hundredths, as far as the roles are known."""
        terms = self.terms()
        return min(95, max(5, sum(value for _, value in terms))) if terms else None

    @property
    def sums(self) -> str:
        """How the chance comes about, where skills change it, else nothing."""
        terms = self.terms()
        if len(terms) < 2:
            return ""
        told = " ".join([f"{terms[0][1]}%", *(f"{signed(value)} {word}" for word, value in terms[1:])])
        total = sum(value for _, value in terms)
        return told if total == self.chance else f"{told}, at {'most' if total > 95 else 'least'} {self.chance}%"

    @property
    def settled(self) -> bool:
        """Whether the last throw has just been settled: a new turn begins, or the game ended with it."""
        return self.success is not None and self.helpers["skewerer"] is None and self.phase in ("skewerer", "over")

    @property
    def thrower(self) -> int:
        """Whose throw the last one was: that of the hurler before, unless the game ended with it (HP-14)."""
        return self.hurler if self.phase == "over" and self.ended else (self.hurler - 1) % self.players

    @property
    def ended(self) -> bool:
        """Whether play has come to its end, not a forfeit."""
        return self.phase == "over" and (self.truncated or TOP in self.levels or 0 in self.balloons)

    # ---- standings ---------------------------------------------------------------------------------------------------
    @cached_property
    def order(self) -> tuple[int, ...]:
        """The seats as the viewer sees them: the own one first, then clockwise (C-10)."""
        first = self.seat or 0
        return tuple((first + step) % self.players for step in range(self.players))

    def points(self, seat: int) -> int | None:
        """Return a seat's score as things stand (HP-15), where the viewer knows its clouds."""
        values = [value for value in self.clouds[seat] if value is not None]
        return self.levels[seat] + sum(values) if len(values) == len(self.clouds[seat]) else None

    def rank(self, seat: int) -> int:
        """Return a seat's rank in a finished game: by score, then by level; after a forfeit all but one are first."""

        def merit(other: int) -> tuple[int, int]:
            if not self.ended:
                return (int(other in self.winners), 0)
            return (self.points(other) or 0, self.levels[other])

        return 1 + sum(merit(other) > merit(seat) for other in range(self.players))

    # ---- what may be done --------------------------------------------------------------------------------------------
    def nameable(self, seat: int) -> str:
        """Return the role for which a seat may be named now; empty if it may not."""
        return next((action.kind for action in self.legal if action.kind in ROLES and action.target == seat), "")

    def faces(self, seat: int) -> tuple[str, ...]:
        """Return the bets that a seat may make now."""
        return tuple(action.face for action in self.legal if action.kind == "bet") if seat == self.to_play else ()

    def left(self, seat: int) -> int:
        """Return how many places to the left of the player who decides a seat is, as in `skewerer left2`."""
        return (seat - (self.to_play or 0)) % self.players

    # ---- what was done -----------------------------------------------------------------------------------------------
    def just_named(self, role: str) -> bool:
        """Tell whether the last moves gave somebody the role that it has now."""
        return any((action.kind, action.target) == (role, self.roles[role]) for action in self.last)

    def just_drawn(self) -> bool:
        """Tell whether the dare is new: it is drawn as soon as the skewerer is named (HP-5)."""
        if self.dare is None:
            return False
        told = any(f"{action.name} ".startswith(f"dare {self.dare.id} ") for action in self.last)
        return told or self.just_named("skewerer")

    def just_got_cloud(self, seat: int) -> bool:
        """Tell whether a cloud for a seat was drawn among the last outcomes."""
        return any((action.kind, action.target) == ("cloud", seat) for action in self.last)

    def just_bet(self, seat: int) -> bool:
        """Tell whether a seat's bet in this turn was among the last moves."""
        return self.bets[seat] is not None and any(
            action.kind == "bet" and action.target == seat for action in self.last
        )


# ---- names of actions ------------------------------------------------------------------------------------------------
def _refused(name: str, players: int) -> ValueError:
    return ValueError(f"{name!r} is not an action of hop with {players} players")


def _named(name: str, players: int, hurler: int) -> Action | None:
    """Read the naming of a helper, by place (`left2`) or absolutely (`player 3`)."""
    found = _NAMING.fullmatch(name)
    if found is None:
        return None
    seat = int(found[3]) if found[3] else (hurler + int(found[2])) % players
    if seat >= players or (found[2] and not 1 <= int(found[2]) < players):
        raise _refused(name, players)
    return Action(found[1], f"{found[1]} player {seat}", seat)


def _allowed(name: str, players: int, to_play: int | None) -> Action:
    if to_play is not None:
        if (action := _named(name, players, to_play)) is not None and action.target != to_play:
            return action
        if (found := _BET.fullmatch(name)) and found[1]:
            return Action("bet", name, to_play, found[1])
    raise _refused(name, players)


def _told(position: Mapping[str, Any], names: Sequence[str], seat: int | None) -> tuple[Action, ...]:
    """Read what was done, oldest first, and leave out what the viewer can't know: bets before their throw.

    Names don't say who acts; that is worked out backwards from the position.
    """
    players, hurler = position["players"], position["hurler"]
    over = position["phase"] == "over"
    ended = over and (position.get("truncated") or TOP in position["levels"] or 0 in position["balloons"])
    running = position["skewerer"] is not None  # the latest moves belong to a turn without a throw yet
    if not running and not ended:
        hurler -= 1
    bettors = [(hurler + step) % players for step in range(1, players)]
    bettors = [other for other in bettors if running and position["bets"][other] is not None]
    told: list[Action] = []
    for name in reversed(names):
        if (action := _named(name, players, hurler % players)) is not None:
            told.append(action)
            if action.kind == "skewerer":  # a turn begins with it
                hurler, running, bettors = hurler - 1, False, []
        elif found := _BET.fullmatch(name):
            owner = bettors.pop() if bettors else -1
            known = seat is None or not running or owner == seat
            face = (found[1] or "") if known else ""
            told.append(Action("bet", f"bet {face}" if face else "bet", owner, face))
        else:
            told.append(_happened(name, players, seat if not over else None))
    return tuple(reversed(told))


def _happened(name: str, players: int, seat: int | None) -> Action:
    """Read an outcome of chance; the value of a cloud is for its owner only."""
    found = _OUTCOME.fullmatch(name)
    if found is None or int(found["owner"] or 0) >= players:
        raise _refused(name, players)
    for kind in ("dare", "throw"):
        if found[kind]:
            return Action(kind, name)
    owner = int(found["owner"])
    if found["skill"]:
        return Action("skill", name, owner)
    hidden = seat not in (None, owner)
    return Action("cloud", f"player {owner} cloud" if hidden else name, owner)


# ---- words -----------------------------------------------------------------------------------------------------------
def headline(view: View) -> tuple[str, str]:
    """Return whose turn it is, and what is asked (or how it ended), in a few words each."""
    if view.phase == "over":
        if not view.winners:
            return "Nobody wins", "turn limit reached" if view.truncated else "the game is over"
        names = ", ".join(map(str, view.winners))
        return (f"Player {names}", "wins!") if len(view.winners) == 1 else (f"Players {names}", "share the victory")
    what = "bets on the throw" if view.phase == "bet" else f"names the {view.phase}"
    return f"Player {view.to_play}", what


def footnote(view: View) -> str:
    """Return when in the game it is."""
    if view.phase == "over":
        return f"after {view.turn} turn{'' if view.turn == 1 else 's'}"
    return f"turn {view.turn + 1}: player {view.hurler} hurls"


def dare_name(dare: Dare) -> str:
    """Return a dare's name, or its number in a deck without names."""
    return dare.name or f"Dare {dare.id}"


def ordinal(rank: int) -> str:
    """Write a rank: 1st, 2nd, 3rd, 4th."""
    return f"{rank}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(rank, 'th') }"


def signed(hundredths: int) -> str:
    """Write hundredths as percent with their sign; the minus is the one of the keyboard."""
    return f"{hundredths:+d}" if hundredths else "0"
