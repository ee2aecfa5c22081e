"""A slow, plain walker of Hooop!: an oracle for tests, written from the rule clauses alone.

Everything works on the *position* dict of the rule page, re-evaluated from scratch at every question. Nothing is
cached, nothing is fast, and nothing is shared with the engine: the two may only agree because both follow the
clauses. ``HO-n`` and ``C-n`` name clauses; ``RULING`` marks a place where the clauses leave something open and says
which reading is used here.

There is no chance in this game, so every node is a position: with phase ``turn``, ``push`` or ``extra`` somebody must
choose (`legal`, `play`); with phase ``over`` the game is finished (`result`). Inside this module leaves, homes and
edges are those of the absolute board; only names of actions are in the view of the seat to play (HO-0).

``python -m tests.oracles.hooop``, run from the root of the repository, rewrites ``hooop_perft_counts.json``.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.oracles.payoffs import payoffs

GAME = "hooop"
DEFAULT_MAX_TURNS = 2000  # HO-19
EXTRA_JUMP, PARACHUTE, EXTRA_BRIDGE, REMOVE_BRIDGE = "extra_jump", "parachute", "extra_bridge", "remove_bridge"
CARDS = (EXTRA_JUMP, PARACHUTE, EXTRA_BRIDGE, REMOVE_BRIDGE)  # HO-4
COUNTS_FILE = Path(__file__).with_name("hooop_perft_counts.json")

Place = int | str  # a leaf, or a home "H0", "H1" ..


class Position(dict[str, Any]):
    """A position dict that remembers the safety cap beside it.

    ``max_turns`` is no part of a position (C-6), so it is an attribute, not a key: a `Position` equals, and
    serialises like, the plain dict with the same keys. A plain dict counts as having the default cap.
    """

    max_turns: int = DEFAULT_MAX_TURNS


# ------------------------------------------------------------------------------------------------------------------
# Boards
# ------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Board:
    """The leaves of a board and how they lie (HO-0, HO-1, HO-2, HO-21)."""

    shape: str  # "square" or "triangle"
    rows: int

    def width(self, row: int) -> int:
        """How many leaves a row has."""
        return self.rows if self.shape == "square" else row + 1

    def leaf_at(self, row: int, col: int) -> int:
        """The number of a leaf: the leaves of the rows above come first."""
        return sum(self.width(above) for above in range(row)) + col

    def row_and_col(self, leaf: int) -> tuple[int, int]:
        """The row and the column of a leaf."""
        row = 0
        while leaf >= self.width(row):
            leaf -= self.width(row)
            row += 1
        return row, leaf

    def leaves(self) -> range:
        """All leaf numbers."""
        return range(sum(self.width(row) for row in range(self.rows)))

    def are_neighbours(self, one: int, other: int) -> bool:
        """Orthogonal neighbours on a square; on a triangle also along the one diagonal that the lattice has."""
        (row, col), (other_row, other_col) = self.row_and_col(one), self.row_and_col(other)
        step = (other_row - row, other_col - col)
        steps = [(0, 1), (0, -1), (1, 0), (-1, 0)]
        if self.shape == "triangle":
            steps += [(1, 1), (-1, -1)]
        return step in steps

    def edges(self) -> list[tuple[int, int]]:
        """All pairs of neighbouring leaves (a < b), the smaller leaf first, then the larger one."""
        return [(a, b) for a in self.leaves() for b in self.leaves() if a < b and self.are_neighbours(a, b)]

    def home_leaves(self, players: int) -> list[int]:
        """For each home, the leaf that it hangs at; homes lie clockwise from the bottom (triangle: the left corner)."""
        last, middle = self.rows - 1, self.rows // 2
        if self.shape == "triangle":
            corners = [(last, 0), (0, 0), (last, last)]
            return [self.leaf_at(*corner) for corner in corners]
        bottom, left, top, right = (last, middle), (middle, 0), (0, middle), (middle, last)
        sides = [bottom, top] if players == 2 else [bottom, left, top, right]
        return [self.leaf_at(*side) for side in sides]

    def turned(self, players: int, leaf: int) -> int:
        """Where seat 1 sees a leaf of the absolute board (HO-0)."""
        row, col = self.row_and_col(leaf)
        last = self.rows - 1
        if self.shape == "triangle":
            return self.leaf_at(last - col, row - col)
        if players == 4:
            return self.leaf_at(last - col, row)
        return self.leaf_at(last - row, last - col)


BOARDS = {
    "square5": Board("square", 5),
    "triangle5": Board("triangle", 5),
    "triangle6": Board("triangle", 6),
    "square3": Board("square", 3),
}
EDGES = {name: board.edges() for name, board in BOARDS.items()}
BOARDS_FOR = {2: ("square5", "square3"), 3: ("triangle5", "triangle6"), 4: ("square5",)}  # the default first


# ------------------------------------------------------------------------------------------------------------------
# Options
# ------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rules:
    """One fully resolved configuration: every option has its value."""

    players: int
    board_name: str
    cards: bool
    frogs: int

    @property
    def board(self) -> Board:
        """The board that is played on."""
        return BOARDS[self.board_name]

    @property
    def edges(self) -> list[tuple[int, int]]:
        """The pairs of neighbouring leaves, in the order of the board data."""
        return EDGES[self.board_name]

    @property
    def quota(self) -> int:
        """HO-10, HO-21: how many frogs of one colour one opponent's home takes."""
        return self.frogs if self.players == 2 else 4 - (self.players - 1)

    def neighbours(self, leaf: int) -> list[int]:
        """The leaves next to a leaf, bridge or not."""
        return [b if a == leaf else a for a, b in self.edges if leaf in (a, b)]

    def home_leaf(self, home: Place) -> int:
        """The leaf that the permanent bridge of a home leads to."""
        return self.board.home_leaves(self.players)[int(str(home)[1:])]

    def homes_at(self, leaf: int) -> list[Place]:
        """The homes (none or one) that hang at a leaf."""
        return [home for home in self.homes() if self.home_leaf(home) == leaf]

    def homes(self) -> list[Place]:
        """All homes."""
        return [home_of(seat) for seat in range(self.players)]

    def places(self) -> list[Place]:
        """All leaves, then all homes."""
        return [*self.board.leaves(), *self.homes()]


OPTION_NAMES = ("board", "cards", "frogs")


def home_of(seat: int) -> Place:
    """The home of a seat on the absolute board."""
    return f"H{seat}"


def _whole_number(name: str, value: Any, lowest: int, highest: int | None) -> int:
    """``value`` if it is an int within the bounds; ValueError naming the option otherwise."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"{name} must be a whole number, not {value!r}")
    if value < lowest or (highest is not None and value > highest):
        bounds = f"at least {lowest}" if highest is None else f"{lowest}..{highest}"
        raise ValueError(f"{name} must be {bounds}, not {value}")
    return value


def check_options(players: int, *, max_turns: int | None = None, **options: Any) -> Rules:
    """The resolved configuration; ValueError (with the name of the option at fault) if it is impossible.

    An option that is None counts as not given (C-6).
    """
    for name in options:
        if name not in OPTION_NAMES:
            raise ValueError(f"{name} is not an option of {GAME}")
    given = {name: value for name, value in options.items() if value is not None}

    _whole_number("players", players, 2, 4)
    if max_turns is not None:
        # RULING: the page gives no range for max_turns; a cap below one turn makes no sense and is refused.
        _whole_number("max_turns", max_turns, 1, None)
    board_name = given.get("board", BOARDS_FOR[players][0])
    if board_name not in BOARDS_FOR[players]:
        raise ValueError(f"board must be one of {BOARDS_FOR[players]} for {players} players, not {board_name!r}")
    cards = given.get("cards", True)
    if not isinstance(cards, bool):
        # RULING: flags are True or False only; 0 and 1 are refused.
        raise ValueError(f"cards must be True or False, not {cards!r}")
    # RULING: HO-21 opens `frogs` for two players only. With three or four players the value that holds there anyway,
    # 3, may be given; any other one is refused.
    frogs = _whole_number("frogs", given.get("frogs", 3), 1 if players == 2 else 3, 3)
    return Rules(players=players, board_name=board_name, cards=cards, frogs=frogs)


def recorded_options(rules: Rules) -> dict[str, Any]:
    """What stands under ``options`` in a position: what differs from the default and has no key of its own (C-6).

    RULING: ``board`` has a key of its own. The keys ``frogs`` and ``cards`` of a position are not the options of the
    same names (places and hands), so these two options do stand under ``options``.
    """
    recorded: dict[str, Any] = {}
    if not rules.cards:
        recorded["cards"] = False
    if rules.frogs != 3:
        recorded["frogs"] = rules.frogs
    return recorded


def rules_of(position: dict[str, Any]) -> Rules:
    """The configuration that a position belongs to."""
    return check_options(position["players"], board=position["board"], **position.get("options", {}))


# ------------------------------------------------------------------------------------------------------------------
# Actions and their names
# ------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Action:
    """An action on the absolute board: ``verb`` and the two places that it is about (none for ``end``)."""

    verb: str
    places: tuple[Place, ...] = ()


END = Action("end")


def name_of(action: Action) -> str:
    """The name of an action, with the places as they stand; for pairs without a direction the smaller one first."""
    if action.verb == "end":
        return "end"
    if action.verb in ("jump", "chute"):
        source, target = action.places
        return f"{action.verb} {source}>{target}"
    a, b = sorted(int(leaf) for leaf in action.places)
    return f"{action.verb} {a}-{b}"


def action_called(name: str) -> Action:
    """The action with this name, with the places as they stand in it."""
    if name == "end":
        return END
    verb, pair = name.split()
    texts = pair.split(">" if verb in ("jump", "chute") else "-")
    return Action(verb, tuple(int(text) if text.isdigit() else text for text in texts))


def seen_by(rules: Rules, seat: int, place: Place) -> Place:
    """Where a seat sees a place of the absolute board (HO-0): the map of seat 1 applied ``seat`` times."""
    if isinstance(place, str):
        return home_of((int(place[1:]) - seat) % rules.players)
    for _ in range(seat):
        place = rules.board.turned(rules.players, place)
    return place


def absolute(rules: Rules, seat: int, place: Place) -> Place:
    """The place of the absolute board that a seat sees there."""
    (found,) = [candidate for candidate in rules.places() if seen_by(rules, seat, candidate) == place]
    return found


def own_view_name(rules: Rules, seat: int, action: Action) -> str:
    """The name by which a seat calls an action on the absolute board."""
    return name_of(Action(action.verb, tuple(seen_by(rules, seat, place) for place in action.places)))


def absolute_action(rules: Rules, seat: int, name: str) -> Action:
    """The action on the absolute board that a seat calls by this name."""
    called = action_called(name)
    return Action(called.verb, tuple(absolute(rules, seat, place) for place in called.places))


def describe(position: dict[str, Any], name: str) -> str:
    """The absolute name of an action of the seat to play.

    RULING: absolute names of pairs without a direction have the smaller leaf first, as in a position.
    """
    if position["to_play"] is None:
        raise ValueError("to_play: nobody is to play, so there is no view to translate from")
    rules = rules_of(position)
    if name not in _catalogue(rules):
        raise ValueError(f"{name!r} is not an action of this game")
    return name_of(absolute_action(rules, position["to_play"], name))


def catalogue(players: int, *, max_turns: int | None = None, **options: Any) -> list[str]:
    """All action names of a configuration, in index order ("Action names" and HO-20)."""
    return _catalogue(check_options(players, max_turns=max_turns, **options))


def _catalogue(rules: Rules) -> list[str]:
    there_and_back = [pair for a, b in rules.edges for pair in ((a, b), (b, a))]
    names = [f"jump {a}>{b}" for a, b in there_and_back]
    for home in rules.homes():
        leaf = rules.home_leaf(home)
        names += [f"jump {home}>{leaf}", f"jump {leaf}>{home}"]
    if rules.cards:
        names += [f"chute {a}>{b}" for a, b in there_and_back]
    names += [f"bridge {a}-{b}" for a, b in rules.edges]
    if rules.cards:
        names += [f"remove {a}-{b}" for a, b in rules.edges]
        names.append("end")
    return names


# ------------------------------------------------------------------------------------------------------------------
# Reading a position
# ------------------------------------------------------------------------------------------------------------------


def _pair(a: int, b: int) -> str:
    """How a bridge between two leaves is written in a position."""
    return f"{min(a, b)}-{max(a, b)}"


def has_bridge(position: dict[str, Any], a: int, b: int) -> bool:
    """Whether two leaves are connected; home bridges are not asked for here."""
    return _pair(a, b) in position["bridges"]


def gaps(rules: Rules, position: dict[str, Any]) -> list[tuple[int, int]]:
    """The pairs of neighbouring leaves without a bridge."""
    return [(a, b) for a, b in rules.edges if not has_bridge(position, a, b)]


def owners_at(position: dict[str, Any], place: Place) -> list[int]:
    """The owners of the frogs at a place, one entry for each frog."""
    return [seat for seat, places in enumerate(position["frogs"]) for frog in places if frog == place]


def frogs_in_opponents_homes(position: dict[str, Any]) -> list[int]:
    """For each seat, its frogs that have arrived for good (HO-9): the scores (HO-18)."""
    return [
        sum(isinstance(frog, str) and frog != home_of(seat) for frog in places)
        for seat, places in enumerate(position["frogs"])
    ]


def holds(position: dict[str, Any], card: str) -> bool:
    """Whether the seat to play still has a card."""
    return card in position["cards"][position["to_play"]]


def may_enter(rules: Rules, position: dict[str, Any], owner: int, home: Place) -> bool:
    """HO-10, HO-11: the own home takes every frog, an opponent's home only so many of one colour.

    RULING: the quota is that of the frog's own colour, whoever makes it jump, and what counts are the frogs that lie
    in that home at this moment. An entry is always the last jump of its chain, because homes never push (HO-8), so
    the count can't change while a chain is under way.
    """
    return home == home_of(owner) or position["frogs"][owner].count(home) < rules.quota


def jump_targets(rules: Rules, position: dict[str, Any], owner: int, source: Place) -> list[Place]:
    """Where one jump of a frog can lead (HO-6, HO-9, HO-10), not asking whether a frog pushed there can go on."""
    if isinstance(source, str):
        return [rules.home_leaf(source)] if source == home_of(owner) else []  # HO-9: no way out of another home
    over_bridges = [leaf for leaf in rules.neighbours(source) if has_bridge(position, source, leaf)]
    homes = [home for home in rules.homes_at(source) if may_enter(rules, position, owner, home)]
    return [*over_bridges, *homes]


def chain_can_end(rules: Rules, position: dict[str, Any]) -> bool:
    """HO-7, HO-12: whether the frog pushed last, if any, can jump on so that the whole chain comes to an end."""
    if position["pushed"] is None:
        return True
    leaf, owner = position["pushed"]["leaf"], position["pushed"]["owner"]
    return any(
        chain_can_end(rules, _after_jump(rules, position, owner, leaf, target))
        for target in jump_targets(rules, position, owner, leaf)
    )


def _possible_jumps(rules: Rules, position: dict[str, Any], owner: int, source: Place) -> list[Action]:
    """The jumps of one frog after which the whole chain can be completed."""
    return [
        Action("jump", (source, target))
        for target in jump_targets(rules, position, owner, source)
        if chain_can_end(rules, _after_jump(rules, position, owner, source, target))
    ]


def _possible_chutes(rules: Rules, position: dict[str, Any], source: Place) -> list[Action]:
    """HO-13: the moves of one own frog to a neighbouring leaf without a bridge, with a chain that can be completed."""
    if isinstance(source, str):
        return []
    return [
        Action("chute", (source, target))
        for target in rules.neighbours(source)
        if not has_bridge(position, source, target)
        and chain_can_end(rules, _after_chute(position, position["to_play"], source, target))
    ]


def _possible_extras(rules: Rules, position: dict[str, Any]) -> list[Action]:
    """What phase ``extra`` offers besides ``end``; empty means that the phase is skipped (C-4).

    RULING: a held card that has no use right now (no jump from there can be completed, no gap, no bridge) does not
    make the phase asked. "Elsewhere" (HO-15) says no more than that the pair just connected is no gap any longer.
    """
    if position["card_used"]:
        return []
    mover = position["to_play"]
    actions: list[Action] = []
    if holds(position, EXTRA_JUMP) and position["last_jump"] is not None:  # HO-14
        actions += _possible_jumps(rules, position, mover, position["last_jump"])
    if holds(position, EXTRA_BRIDGE) and position["action_kind"] == "bridge":  # HO-15
        actions += [Action("bridge", gap) for gap in gaps(rules, position)]
    if holds(position, REMOVE_BRIDGE):  # HO-16
        actions += [Action("remove", edge) for edge in rules.edges if has_bridge(position, *edge)]
    return actions


def legal_actions(position: dict[str, Any]) -> list[Action]:
    """The legal actions on the absolute board, in no particular order."""
    rules = rules_of(position)
    mover = position["to_play"]
    if position["phase"] == "over":
        return []
    if position["phase"] == "push":
        actions = _possible_jumps(rules, position, position["pushed"]["owner"], position["pushed"]["leaf"])
        if not actions:
            raise ValueError("pushed: the chain can't end (HO-12)")
        return actions
    if position["phase"] == "extra":
        actions = _possible_extras(rules, position)
        if not actions:
            raise ValueError("phase: where only `end` is possible the extra phase is skipped (C-4)")
        return [*actions, END]
    if position["phase"] == "turn":
        actions = []
        for source in rules.places():
            if source in position["frogs"][mover]:
                actions += _possible_jumps(rules, position, mover, source)
                if holds(position, PARACHUTE):
                    actions += _possible_chutes(rules, position, source)
        actions += [Action("bridge", gap) for gap in gaps(rules, position)]  # HO-5
        if not actions:
            raise ValueError("phase: there is always a legal action (HO-17)")
        return actions
    raise ValueError(f"phase: {position['phase']!r} is not a phase")


def legal(position: dict[str, Any]) -> list[str]:
    """The names of the legal actions in catalogue order; empty when the game is over."""
    rules = rules_of(position)
    names = [own_view_name(rules, position["to_play"], action) for action in legal_actions(position)]
    return [name for name in _catalogue(rules) if name in names]


# ------------------------------------------------------------------------------------------------------------------
# Moving
# ------------------------------------------------------------------------------------------------------------------


def _copy(position: dict[str, Any], **changes: Any) -> Position:
    """An independent copy of a position with some keys changed; the cap comes along."""
    copied = Position(position)
    copied["frogs"] = [list(places) for places in position["frogs"]]
    copied["bridges"] = list(position["bridges"])
    copied["cards"] = [list(cards) for cards in position["cards"]]
    copied["pushed"] = None if position["pushed"] is None else dict(position["pushed"])
    copied["winners"] = list(position["winners"])
    copied.max_turns = getattr(position, "max_turns", DEFAULT_MAX_TURNS)
    copied.update(changes)
    return copied


def _sorted_places(places: Iterable[Place]) -> list[Place]:
    """Leaves first, by number; then homes."""
    leaves = sorted(place for place in places if isinstance(place, int))
    homes = sorted(place for place in places if isinstance(place, str))
    return [*leaves, *homes]


def start(players: int, *, max_turns: int | None = None, **options: Any) -> Position:
    """The beginning of a game (HO-3, HO-4)."""
    rules = check_options(players, max_turns=max_turns, **options)
    position = Position(
        game=GAME,
        players=players,
        board=rules.board_name,
        phase="turn",
        to_play=0,
        turn=0,
        frogs=[[home_of(seat)] * rules.frogs for seat in range(players)],
        bridges=[_pair(a, b) for a, b in rules.edges],
        cards=[list(CARDS) if rules.cards else [] for _ in range(players)],
        card_used=False,
        pushed=None,
        last_jump=None,
        action_kind=None,
        winners=[],
    )
    if recorded_options(rules):
        position["options"] = recorded_options(rules)
    position.max_turns = DEFAULT_MAX_TURNS if max_turns is None else max_turns
    return position


def _moved(position: dict[str, Any], owner: int, source: Place, target: Place) -> Position:
    """A frog goes to another place; a frog that is there on a leaf is the one to jump on next (HO-7, HO-8).

    RULING: at most one frog stands on any other leaf at that moment, so the pushed frog is the one that was on the
    target leaf before. ``pushed`` names it by leaf and owner; if both frogs there have the same owner it makes no
    difference which of them goes on. A chain may come back to a leaf and push a frog again, also the mover's first.
    """
    moved = _copy(position, pushed=None)
    if isinstance(target, int):
        for owner_there in owners_at(position, target):
            moved["pushed"] = {"leaf": target, "owner": owner_there}
    moved["frogs"][owner].remove(source)
    moved["frogs"][owner] = _sorted_places([*moved["frogs"][owner], target])
    return moved


def _after_jump(rules: Rules, position: dict[str, Any], owner: int, source: Place, target: Place) -> Position:
    """HO-6: the frog jumps and its bridge goes, unless it leads to a home, before anything else moves."""
    moved = _moved(position, owner, source, target)
    if isinstance(source, int) and isinstance(target, int):
        moved["bridges"].remove(_pair(source, target))
    return moved


def _after_chute(position: dict[str, Any], owner: int, source: Place, target: Place) -> Position:
    """HO-13: the frog floats over a gap; no bridge goes."""
    return _moved(position, owner, source, target)


def _use_card(position: Position, card: str) -> None:
    """The card is gone from the moment of use."""
    position["cards"][position["to_play"]].remove(card)
    position["card_used"] = True


def play(position: dict[str, Any], name: str, *, max_turns: int | None = None) -> Position:
    """The position after a decision. ``max_turns`` overrides the cap that the position remembers."""
    if name not in legal(position):
        raise ValueError(f"{name!r} is not legal; legal are {legal(position)}")
    position = _copy(position)
    if max_turns is not None:
        position.max_turns = max_turns
    return _carried_out(position, absolute_action(rules_of(position), position["to_play"], name))


def _carried_out(position: dict[str, Any], action: Action) -> Position:
    """The position after a legal action on the absolute board."""
    rules = rules_of(position)
    position = _copy(position)
    if action.verb == "end":
        return _turn_completed(position)
    if action.verb == "remove":
        _use_card(position, REMOVE_BRIDGE)
        a, b = action.places
        position["bridges"].remove(_pair(int(a), int(b)))
        return _turn_completed(position)
    if action.verb == "bridge":
        if position["phase"] == "extra":
            _use_card(position, EXTRA_BRIDGE)
        else:
            position["action_kind"] = "bridge"
        a, b = action.places
        connected = [*position["bridges"], _pair(int(a), int(b))]
        position["bridges"] = [_pair(*edge) for edge in rules.edges if _pair(*edge) in connected]
        return _action_completed(rules, position, last_jump=None)

    source, target = action.places
    owner = position["pushed"]["owner"] if position["phase"] == "push" else position["to_play"]
    may_jump_again = action.verb == "jump" and position["phase"] == "turn" and isinstance(target, int)  # HO-14
    if action.verb == "chute":
        _use_card(position, PARACHUTE)
        position["action_kind"] = "chute"
        position = _after_chute(position, owner, source, target)
    else:
        assert action.verb == "jump"
        if position["phase"] == "extra":
            _use_card(position, EXTRA_JUMP)
        elif position["phase"] == "turn":
            position["action_kind"] = "jump"
        position = _after_jump(rules, position, owner, source, target)

    # HO-18. RULING: only a jump into a home can win, and such a jump ends its chain (HO-8), so a win never cuts a
    # chain short; and since one frog enters at a time, there is never a second winner. The turn that ends the game
    # isn't completed (C-6), so `turn` stays.
    if frogs_in_opponents_homes(position)[owner] == rules.frogs:
        return _copy(position, phase="over", to_play=None, winners=[owner], last_jump=None)
    if position["pushed"] is not None:
        return _copy(position, phase="push", last_jump=None)
    return _action_completed(rules, position, last_jump=target if may_jump_again else None)


def _action_completed(rules: Rules, position: Position, last_jump: Place | None) -> Position:
    """The mover's action, with its whole chain, is done: phase ``extra`` if it offers something, else the next seat.

    RULING: only a jump that *began* a turn leaves a frog that may jump again. Jumps of pushed frogs never do, nor
    does a jump into a home, also the own one ("empty board leaf", HO-14), nor a flight by parachute.
    """
    asked = _copy(position, phase="extra", last_jump=last_jump)
    if _possible_extras(rules, asked):
        return asked
    return _turn_completed(position)


def _turn_completed(position: Position) -> Position:
    """The next seat's turn, unless the safety cap is reached (C-8, HO-19).

    ``card_used`` and ``action_kind`` stay as they are if the game is truncated.

    RULING: a position that was set up with ``turn`` already at or beyond the cap is truncated when its current turn
    is completed.
    """
    position = _copy(position, turn=position["turn"] + 1, last_jump=None)
    if position["turn"] >= position.max_turns:
        return _copy(position, phase="over", to_play=None, winners=[], truncated=True)
    next_seat = (position["to_play"] + 1) % position["players"]
    return _copy(position, phase="turn", to_play=next_seat, card_used=False, action_kind=None)


# ------------------------------------------------------------------------------------------------------------------
# Results
# ------------------------------------------------------------------------------------------------------------------


def result(position: dict[str, Any]) -> dict[str, Any]:
    """Winners, ranks, scores and rewards of a finished game: ``rewards[scheme][seat]`` (C-7, C-8, HO-18).

    The winner comes first by the scores alone: nobody else can have all its frogs in opponents' homes.

    RULING: a truncated game pays 0 under every scheme, also ``rank`` and ``score``; its ranks and scores are still
    those of the last position.
    """
    if position["phase"] != "over":
        raise ValueError("phase: the game is not over")
    winners: list[int] = position["winners"]
    scores = frogs_in_opponents_homes(position)
    ranks = [1 + sum(other > own for other in scores) for own in scores]
    rewards = payoffs(ranks, scores, winners, truncated=bool(position.get("truncated")))
    return {"winners": list(winners), "ranks": ranks, "scores": scores, "rewards": rewards}


# ------------------------------------------------------------------------------------------------------------------
# Counting and random play
# ------------------------------------------------------------------------------------------------------------------


def children(position: dict[str, Any]) -> list[Position]:
    """All positions one ply further, in no particular order; none after the end."""
    return [_carried_out(position, action) for action in legal_actions(position)]


def perft_from(position: dict[str, Any], depth: int) -> int:
    """The number of paths of exactly ``depth`` plies from a position, plus those that end earlier.

    A decision is one ply; a phase that is skipped is none. A finished game counts as one leaf.
    """
    if depth == 0 or position["phase"] == "over":
        return 1
    if depth == 1:  # the last ply needs counting only
        return len(legal_actions(position))
    return sum(perft_from(child, depth - 1) for child in children(position))


def perft(players: int, depth: int, *, max_turns: int | None = None, **options: Any) -> int:
    """`perft_from` the start of a game."""
    return perft_from(start(players, max_turns=max_turns, **options), depth)


def random_game(
    players: int, rng: random.Random, *, max_turns: int | None = None, **options: Any
) -> Iterator[tuple[Position, str | None]]:
    """Play one game at random: every (position, action name) on its way; the name is None at the end."""
    position = start(players, max_turns=max_turns, **options)
    while position["phase"] != "over":
        name = rng.choice(legal(position))
        yield position, name
        position = _carried_out(position, absolute_action(rules_of(position), position["to_play"], name))
    yield position, None


def _random_step(position: Position, rng: random.Random, *, lively: bool) -> Position:
    """Play one random legal action; ``lively`` often prefers frogs to bridges, and pushes to other jumps."""
    actions = legal_actions(position)
    moves = [action for action in actions if action.verb in ("jump", "chute")]
    pushes = [move for move in moves if isinstance(move.places[1], int) and owners_at(position, move.places[1])]
    wish = rng.random() if lively else 1.0
    chosen_from = (wish < 0.35 and pushes) or (wish < 0.75 and moves) or actions
    return _carried_out(position, rng.choice(chosen_from))


def _scattered(position: Position, rng: random.Random) -> Position:
    """The same turn with few bridges, cards held at random and frogs anywhere: the game isn't won, the quotas hold.

    Frogs like to stand beside frogs, which makes for long chains and for jumps that are refused by looking ahead, and
    before homes, where quotas and wins matter.
    """
    rules = rules_of(position)
    assert position["phase"] == "turn"
    scattered = _copy(position, frogs=[[] for _ in range(rules.players)])
    kept = rng.uniform(0.05, 0.5)
    scattered["bridges"] = [_pair(*edge) for edge in rules.edges if rng.random() < kept]
    if rules.cards:
        scattered["cards"] = [[card for card in CARDS if rng.random() < 0.5] for _ in range(rules.players)]
    at_home = rng.choice((0.0, 0.2, 0.5))
    arrived = rng.choice((0.0, 0.3, 0.8))
    seats = [seat for seat in range(rules.players) for _ in range(rules.frogs)]
    rng.shuffle(seats)
    for seat in seats:
        here = scattered["frogs"][seat]
        free = [leaf for leaf in rules.board.leaves() if not owners_at(scattered, leaf)]
        beside = [leaf for leaf in free if any(owners_at(scattered, other) for other in rules.neighbours(leaf))]
        homes = [home for home in rules.homes() if home != home_of(seat) and may_enter(rules, scattered, seat, home)]
        wins = frogs_in_opponents_homes(scattered)[seat] == rules.frogs - 1
        if rng.random() < at_home:
            here.append(home_of(seat))
        elif homes and not wins and rng.random() < arrived:
            here.append(rng.choice(homes))
        else:
            before_homes = [leaf for leaf in free if rules.homes_at(leaf)]
            chance = rng.random()
            here.append(rng.choice((chance < 0.2 and before_homes) or (chance < 0.8 and beside) or free))
    scattered["frogs"] = [_sorted_places(places) for places in scattered["frogs"]]
    return scattered


def random_positions(rng: random.Random, players: int, count: int, sparse: bool, **options: Any) -> Iterator[Position]:
    """Yield ``count`` positions at which somebody must choose, of all phases, along random games.

    With ``sparse`` each of them is a turn of such a game, scattered (see `_scattered`) and played on for 0 to 4
    plies: play may never lead there, but nothing in it is impossible. ``max_turns`` may be among the options.
    """
    position = start(players, **options)
    yielded = 0
    while yielded < count:
        for _ in range(rng.randint(1, 8)):
            if position["phase"] == "over" or rng.random() < 0.002:
                position = start(players, **options)
            position = _random_step(position, rng, lively=sparse)
        found = position
        if sparse:
            if position["phase"] != "turn":
                continue
            found = _scattered(position, rng)
            for _ in range(rng.randint(0, 4)):
                if found["phase"] != "over":
                    found = _random_step(found, rng, lively=True)
        if found["phase"] != "over":
            yield _copy(found)
            yielded += 1


# ------------------------------------------------------------------------------------------------------------------
# Setting up
# ------------------------------------------------------------------------------------------------------------------


def set_up(
    players: int,
    places: Sequence[Sequence[Place]],
    *,
    only: Iterable[str] | None = None,
    without: Iterable[str] = (),
    held: Sequence[Sequence[str]] | None = None,
    options: dict[str, Any] | None = None,
    max_turns: int | None = None,
    **keys: Any,
) -> Position:
    """A position with these frogs (homes where places are left out), bridges and cards; other ``keys`` as given.

    All bridges are there but those in ``without``, or only those in ``only``. Nobody has a card but those ``held``.
    """
    position = start(players, max_turns=max_turns, **(options or {}))
    rules = rules_of(position)
    for seat, given in enumerate(places):
        at_home = [home_of(seat)] * (rules.frogs - len(given))
        position["frogs"][seat] = _sorted_places([*given, *at_home])
    every_pair = [_pair(*edge) for edge in rules.edges]
    wanted = every_pair if only is None else list(only)
    unwanted = list(without)
    assert set(wanted) | set(unwanted) <= set(every_pair)
    position["bridges"] = [pair for pair in every_pair if pair in wanted and pair not in unwanted]
    hands = [[] for _ in range(players)] if held is None else held
    position["cards"] = [[card for card in CARDS if card in hand] for hand in hands]
    position["turn"] = 30
    assert set(keys) <= set(position)
    position.update(keys)
    return position


# ------------------------------------------------------------------------------------------------------------------
# The frozen counts
# ------------------------------------------------------------------------------------------------------------------

Wanted = Callable[[Position], bool]


def _to_move(position: Position) -> list[tuple[int, Place]]:
    """(owner, place) of every frog that could be made to jump next."""
    mover = position["to_play"]
    if position["phase"] == "push":
        return [(position["pushed"]["owner"], position["pushed"]["leaf"])]
    if position["phase"] == "turn":
        return [(mover, place) for place in sorted(set(position["frogs"][mover]), key=str)]
    return [] if position["last_jump"] is None else [(mover, position["last_jump"])]


def _anything(position: Position) -> bool:
    return True


def _looking_ahead_matters(position: Position) -> bool:
    """Some frog has a bridge to jump over, but a frog pushed there could not go on."""
    rules = rules_of(position)
    return any(
        len(_possible_jumps(rules, position, owner, source)) < len(jump_targets(rules, position, owner, source))
        for owner, source in _to_move(position)
    )


def _quota_matters(position: Position) -> bool:
    """A frog that could be made to jump stands before an opponent's home that takes no more of its colour."""
    rules = rules_of(position)
    return any(
        not may_enter(rules, position, owner, home)
        for owner, source in _to_move(position)
        if isinstance(source, int)
        for home in rules.homes_at(source)
    )


def _can_end_now(position: Position) -> bool:
    """Some legal action ends the game."""
    return any(child["phase"] == "over" for child in children(position))


def _can_be_given_away(position: Position) -> bool:
    """Some legal action, or one more after it, makes another seat win on this turn."""
    mover = position["to_play"]
    soon = [child for child in children(position) if child["phase"] in ("over", "push")]
    soon += [grandchild for child in soon for grandchild in children(child)]
    return any(child["phase"] == "over" and child["winners"] and child["winners"] != [mover] for child in soon)


def _frog_before_own_home(position: Position) -> bool:
    """A frog to be made to jump can go back into its own home."""
    rules = rules_of(position)
    return any(
        home == home_of(owner)
        for owner, source in _to_move(position)
        if isinstance(source, int)
        for home in rules.homes_at(source)
    )


def _flight_that_pushes(position: Position) -> bool:
    """A flight by parachute that pushes, and another one that looking ahead refuses."""
    rules = rules_of(position)
    mover = position["to_play"]
    if position["phase"] != "turn" or not holds(position, PARACHUTE):
        return False
    pushing = [
        (leaf, target)
        for leaf in position["frogs"][mover]
        if isinstance(leaf, int)
        for target in rules.neighbours(leaf)
        if not has_bridge(position, leaf, target) and owners_at(position, target)
    ]
    possible = [
        action.places for place in position["frogs"][mover] for action in _possible_chutes(rules, position, place)
    ]
    return 0 < sum(places in possible for places in pushing) < len(pushing)


def _choice(position: Position) -> bool:
    return len(legal_actions(position)) > 1


def _after_bridge(position: Position) -> bool:
    return position["action_kind"] == "bridge" and holds(position, EXTRA_BRIDGE)


def _second_jump(position: Position) -> bool:
    """The second jump is possible, and one of its targets has a frog."""
    rules = rules_of(position)
    if position["last_jump"] is None or not holds(position, EXTRA_JUMP):
        return False
    jumps = _possible_jumps(rules, position, position["to_play"], position["last_jump"])
    return any(owners_at(position, action.places[1]) for action in jumps)


def _only_removal_after_a_push(position: Position) -> bool:
    """After a chain the extra jump is held, but out of question."""
    return position["action_kind"] == "jump" and position["last_jump"] is None and holds(position, EXTRA_JUMP)


def _flight_under_way(position: Position) -> bool:
    return position["action_kind"] == "chute"


def _second_jump_under_way(position: Position) -> bool:
    return position["action_kind"] == "jump" and bool(position["card_used"])


@dataclass(frozen=True)
class Wish:
    """A mid-game position to look for: the first one in seeded `random_positions` that shows what is wanted."""

    about: str
    players: int
    options: dict[str, Any]
    phase: str
    wanted: Sequence[Wanted]
    sparse: bool = True
    turns_to_the_cap: int | None = None


NO_CARDS: dict[str, Any] = {"cards": False}
SQUARE3: dict[str, Any] = {"board": "square3"}
TRIANGLE6: dict[str, Any] = {"board": "triangle6"}
WISHES = (
    Wish("along a random game", 2, {}, "turn", (_anything,), sparse=False),
    Wish("along a random game", 3, {}, "push", (_anything,), sparse=False),
    Wish("along a random game", 4, {}, "extra", (_second_jump,), sparse=False),
    Wish("looking ahead", 2, {}, "turn", (_looking_ahead_matters,)),
    Wish("looking ahead", 3, {}, "turn", (_looking_ahead_matters,)),
    Wish("looking ahead", 4, {}, "turn", (_looking_ahead_matters, _frog_before_own_home)),
    Wish("a full quota", 3, {}, "turn", (_quota_matters,)),
    Wish("a full quota", 4, {}, "turn", (_quota_matters,)),
    Wish("looking ahead in a chain", 2, {}, "push", (_looking_ahead_matters, _choice)),
    Wish("a full quota in a chain", 3, {}, "push", (_quota_matters,)),
    Wish("a full quota in a chain", 4, {}, "push", (_quota_matters,)),
    Wish("a second jump that may push", 2, {}, "extra", (_second_jump,)),
    Wish("a second bridge", 3, {}, "extra", (_after_bridge,)),
    Wish("only removal after a chain", 4, {}, "extra", (_only_removal_after_a_push,)),
    Wish("parachute onto frogs", 2, {}, "turn", (_flight_that_pushes,)),
    Wish("parachute onto frogs", 4, {}, "turn", (_flight_that_pushes,)),
    Wish("pushed by a parachute", 3, {}, "push", (_flight_under_way,)),
    Wish("pushed by a second jump", 4, {}, "push", (_second_jump_under_way,)),
    Wish("one action from the end", 2, {}, "turn", (_can_end_now,)),
    Wish("one action from the end", 3, {}, "turn", (_can_end_now,)),
    Wish("one action from the end", 4, {}, "turn", (_can_end_now,)),
    Wish("a win for somebody else", 2, {}, "turn", (_can_be_given_away,)),
    Wish("a win for somebody else", 3, {}, "push", (_can_be_given_away,)),
    Wish("a win for somebody else", 4, {}, "push", (_can_be_given_away, _choice)),
    Wish("no cards", 2, NO_CARDS, "push", (_looking_ahead_matters, _choice)),
    Wish("no cards", 3, NO_CARDS, "turn", (_quota_matters,)),
    Wish("no cards", 4, NO_CARDS, "turn", (_can_end_now,)),
    Wish("the larger triangle", 3, TRIANGLE6, "turn", (_looking_ahead_matters, _frog_before_own_home)),
    Wish("the larger triangle", 3, TRIANGLE6, "push", (_quota_matters,)),
    Wish("the small square", 2, SQUARE3, "turn", (_flight_that_pushes,)),
    Wish("the small square", 2, {**SQUARE3, "frogs": 2}, "push", (_looking_ahead_matters, _choice)),
    Wish("the small square, no cards", 2, {**SQUARE3, **NO_CARDS, "frogs": 1}, "turn", (_can_end_now,)),
    Wish("two frogs", 2, {"frogs": 2}, "extra", (_second_jump,)),
    Wish("two turns before the cap", 4, {}, "push", (_looking_ahead_matters,), turns_to_the_cap=2),
    Wish("at the cap with this turn", 2, {}, "extra", (_second_jump,), turns_to_the_cap=1),
)


def situation_of_the_page() -> Position:
    """The situation at the end of the rule page: four players, red (seat 3) is to play.

    Blue, green and pink are seats 0, 1 and 2 here.
    """
    without = ["3-8", "7-8", "8-9"]
    return set_up(4, [[13], [8], [18], [14]], without=without, to_play=3)


def chain_round_a_square() -> Position:
    """Seat 0's jump 11>12 can push frogs round a square of leaves until it is pushed itself, on to 7."""
    only = ["11-12", "12-13", "13-18", "17-18", "12-17", "7-12"]
    return set_up(2, [[11, 13, 17], [12, 18]], only=only)


def second_jump_to_win() -> Position:
    """Seat 1 of three has made its first jump, to the leaf of the home that it still has to enter."""
    return set_up(
        3,
        [[4, 5, "H1"], [14, "H0", "H0"], [9, 13, "H1"]],
        only=["4-5", "5-9", "8-9", "9-14", "13-14", "3-4", "10-11"],
        held=[[PARACHUTE], [EXTRA_JUMP, EXTRA_BRIDGE, REMOVE_BRIDGE], list(CARDS)],
        to_play=1,
        phase="extra",
        last_jump=14,
        action_kind="jump",
    )


def second_jump_with_dead_ends() -> Position:
    """Seat 2 of four may jump again from 12, but not onto 13, nor onto 17, from where all leads to a full home."""
    return set_up(
        4,
        [[3, 11], [13, 22, "H0"], [12, "H0", "H1"], [6, 17]],
        only=["12-13", "12-17", "11-12", "7-12", "17-22", "10-11", "1-6", "6-11"],
        held=[[], [PARACHUTE], [EXTRA_JUMP, PARACHUTE], [EXTRA_BRIDGE]],
        to_play=2,
        phase="extra",
        last_jump=12,
        action_kind="jump",
    )


# What it shows, and the position
SET_UP: tuple[tuple[str, Position], ...] = (
    ("the situation of the rule page", situation_of_the_page()),
    ("a chain that may push its first frog again", chain_round_a_square()),
    ("a second jump that wins", second_jump_to_win()),
    ("a second jump with dead ends", second_jump_with_dead_ends()),
)
# (players, options and perhaps max_turns, depth)
STARTS: tuple[tuple[int, dict[str, Any], int], ...] = (
    (2, {}, 6),
    (3, {}, 6),
    (4, {}, 6),
    (2, NO_CARDS, 8),
    (3, NO_CARDS, 10),
    (4, NO_CARDS, 10),
    (3, TRIANGLE6, 5),
    (3, {**TRIANGLE6, **NO_CARDS}, 10),
    (2, {"frogs": 1}, 5),
    (2, {"frogs": 2}, 5),
    (2, {"frogs": 1, **NO_CARDS}, 8),
    (2, {"frogs": 2, **NO_CARDS}, 8),
    (2, {**SQUARE3, "frogs": 1}, 7),
    (2, {**SQUARE3, "frogs": 2}, 7),
    (2, SQUARE3, 7),
    (2, {**SQUARE3, "frogs": 1, **NO_CARDS}, 10),
    (2, {**SQUARE3, "frogs": 2, **NO_CARDS}, 10),
    (2, {**SQUARE3, **NO_CARDS}, 9),
    (2, {**SQUARE3, "max_turns": 2}, 8),
    (4, {"max_turns": 1}, 4),
)
ENOUGH_LEAVES = 1500  # a position is counted ply by ply until this many leaves ..
DEEPEST = 8  # .. or this depth is reached, whichever comes first, ..
SHALLOWEST = 2  # .. but at least to this depth


def counts_ply_by_ply(position: Position) -> list[int]:
    """The counts to depth 1, 2, .. until there are enough leaves."""
    counts: list[int] = []
    while len(counts) < SHALLOWEST or (len(counts) < DEEPEST and counts[-1] < ENOUGH_LEAVES):
        counts.append(perft_from(position, len(counts) + 1))
    return counts


def find_position(wish: Wish, seed: int) -> Position:
    """The first random position that fulfils a wish."""
    found = random_positions(random.Random(seed), wish.players, 20_000, wish.sparse, **wish.options)
    for position in found:
        if position["phase"] == wish.phase and all(wanted(position) for wanted in wish.wanted):
            return position
    raise LookupError(f"no position found: {wish.about}")


def frozen_counts() -> dict[str, Any]:
    """The content of the counts file.

    Under ``starts`` each entry holds players, options, depths and counts (`perft`), under ``positions`` a position,
    depths and counts (`perft_from`). A cap that is not the default stands beside them as ``max_turns``.
    """
    starts = []
    for players, settings, deepest in STARTS:
        entry: dict[str, Any] = {"players": players, "options": dict(settings)}
        if "max_turns" in settings:
            entry["max_turns"] = entry["options"].pop("max_turns")
        entry["depths"] = list(range(1, deepest + 1))
        entry["counts"] = [perft(players, depth, **settings) for depth in entry["depths"]]
        starts.append(entry)
    positions = []
    for about, position in SET_UP:
        counts = counts_ply_by_ply(position)
        positions.append(
            {"about": about, "position": position, "depths": list(range(1, len(counts) + 1)), "counts": counts}
        )
    for number, wish in enumerate(WISHES):
        position = find_position(wish, seed=1000 * number)
        entry = {"about": wish.about, "position": position}
        if wish.turns_to_the_cap is not None:
            position.max_turns = entry["max_turns"] = position["turn"] + wish.turns_to_the_cap
        counts = counts_ply_by_ply(position)
        positions.append({**entry, "depths": list(range(1, len(counts) + 1)), "counts": counts})
    return {"game": GAME, "starts": starts, "positions": positions}


def main() -> None:
    """Rewrite the counts file."""
    began = time.perf_counter()
    counts = frozen_counts()
    lines = ["{", f'"game": {json.dumps(counts["game"])},']
    for key, ending in (("starts", "],"), ("positions", "]")):
        lines.append(f'"{key}": [')
        lines.append(",\n".join(json.dumps(entry) for entry in counts[key]))
        lines.append(ending)
    lines.append("}")
    COUNTS_FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"wrote {COUNTS_FILE.name} in {time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
