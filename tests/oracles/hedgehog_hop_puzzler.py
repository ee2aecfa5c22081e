"""A slow, plain walker of Hedgehog Hop, family puzzler: an oracle for tests, written from the rule clauses alone.

Everything works on the *position* dict of the rule page, re-evaluated from scratch at every question. Nothing is
cached, nothing is fast, and nothing is shared with the engine: the two may only agree because both follow the
clauses. ``HH-n`` and ``C-n`` name clauses; ``RULING`` marks a place where the clauses leave something open and says
which reading is used here.

A *node* of the game is one of

* a position dict with phase ``play``, ``steal`` or ``discard``: somebody must choose (`legal`, `play`);
* a position dict with phase ``over``: the game is finished (`result`);
* a `Chance` object: a card comes from the face-down part of the draw pile (`outcomes`). Chance points have no
  position (C-6).

The walker of the other family, ``hedgehog_hop_battle``, takes its cards from here.

``python -m tests.oracles.hedgehog_hop_puzzler``, run from the root of the repository, rewrites
``hedgehog_hop_puzzler_perft_counts.json``.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.oracles.payoffs import payoffs

GAME = "hedgehog_hop"
FAMILY = "puzzler"
COUNTS_FILE = Path(__file__).with_name("hedgehog_hop_puzzler_perft_counts.json")

# ------------------------------------------------------------------------------------------------------------------
# Cards
# ------------------------------------------------------------------------------------------------------------------

MOVES = ("hop", "groove", "slide")
COLOURS = ("green", "red", "blue")
STYLES = ("retro", "rave", "spicy", "street")
CARDS = [f"{colour}-{style}-{move}" for move in MOVES for colour in COLOURS for style in STYLES]  # HH-1: by index
UNICORN, ZOMBIE = "unicorn", "zombie"


def aspects(card: str) -> tuple[str, str, str]:
    """The colour, style and move of a card."""
    colour, style, move = card.split("-")
    return colour, style, move


def move_of(card: str) -> str:
    """How a card moves into the mob."""
    return aspects(card)[2]


def in_index_order(cards: Sequence[str]) -> list[str]:
    """The cards sorted by their index (HH-1)."""
    return sorted(cards, key=CARDS.index)


def all_of(lists: Sequence[Sequence[Any]]) -> list[Any]:
    """The members of all lists in one."""
    return [member for members in lists for member in members]


def whole_deck(players: int) -> list[str]:
    """HH-1: one deck, with four players or more two; copies lie side by side."""
    copies = 2 if players >= 4 else 1
    return [card for card in CARDS for _ in range(copies)]


def in_sync(one: str, other: str) -> bool:
    """HH-2, HH-25, HH-26: whether two cards of the mob or of a crew are In Sync.

    RULING: HH-25 speaks of the card just played; the relation is the same whoever stands first, and the unicorn is
    In Sync with every hedgehog. It never meets the zombie: there is one promo card at most (HH-24).
    """
    if ZOMBIE in (one, other):
        return False
    if UNICORN in (one, other):
        return True
    (colour, style, move), (other_colour, other_style, other_move) = aspects(one), aspects(other)
    return move == other_move and (colour == other_colour or style == other_style)


def most_of_one(cards: Sequence[str], values: Sequence[str], place: int) -> int:
    """The most cards that share one colour (``place`` 0) or one style (1)."""
    return max(sum(aspects(card)[place] == value for card in cards) for value in values)


# ------------------------------------------------------------------------------------------------------------------
# Options
# ------------------------------------------------------------------------------------------------------------------


class Position(dict[str, Any]):
    """A position dict: equals, and serialises like, the plain dict with the same keys."""


@dataclass(frozen=True)
class Chance:
    """A chance point: one card comes from the face-down part of the draw pile.

    ``kind`` is ``"deal"`` (HH-12) or ``"draw"`` (HH-17). ``before`` is how the table looks just before the card
    comes, in the form of a position: its ``phase`` means nothing, its ``draw`` is the bag, and for ``"draw"`` its
    ``to_play`` is the seat that gets the card.
    """

    kind: str
    before: Position


Node = Position | Chance
Cell = tuple[int, int]
Mob = dict[Cell, str]


@dataclass(frozen=True)
class Rules:
    """One fully resolved configuration: every option has its value."""

    players: int
    promo: str | None
    push: str

    @property
    def hand_size(self) -> int:
        """HH-10."""
        return 7 if self.players == 2 else 6

    @property
    def line_limit(self) -> int | None:
        """HH-20: the cards that a line may hold; None = any number."""
        return 6 if self.players >= 4 else None

    @property
    def promo_card(self) -> str | None:
        """What lies in the mob for the promo option: the vegan zombie is a zombie (HH-26)."""
        return ZOMBIE if self.promo == "vegan_zombie" else self.promo

    def columns(self) -> range:
        """HH-21: the columns x of the table."""
        reach = {2: 13, 3: 16}.get(self.players, 10)
        return range(-reach, reach + 1)

    def rows(self) -> range:
        """HH-21: the rows y of the table."""
        lowest, highest = {2: (-1, 13), 3: (-1, 16)}.get(self.players, (-2, 13))
        return range(lowest, highest + 1)

    def first_cells(self) -> list[Cell]:
        """HH-11: the cells of the starting mob, the centre included, in reading order."""
        reach = {2: 1, 3: 1}.get(self.players, 2)
        cells = []
        for y in range(reach, -reach - 1, -1):
            for x in range(-reach, reach + 1):
                # two players: the whole square; three: the plus; four to six: the diamond
                if self.players == 2 or abs(x) + abs(y) <= reach:
                    cells.append((x, y))
        return cells

    def dealt_cells(self) -> list[Cell]:
        """The cells that get a card of the deck: all, but for the centre where a promo card lies (HH-24)."""
        return [cell for cell in self.first_cells() if cell != (0, 0) or self.promo is None]


PROMOS = ("unicorn", "zombie", "vegan_zombie")  # HH-24
PUSHES = ("rigid", "contact")  # HH-15, the default first


def whole_number(name: str, value: Any, lowest: int, highest: int | None) -> int:
    """``value`` if it is an int within the bounds; ValueError naming the option otherwise."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"{name} must be a whole number, not {value!r}")
    if value < lowest or (highest is not None and value > highest):
        bounds = f"at least {lowest}" if highest is None else f"{lowest}..{highest}"
        raise ValueError(f"{name} must be {bounds}, not {value}")
    return value


def check_options(players: int, **options: Any) -> Rules:
    """The resolved configuration; ValueError (with the name of the option at fault) if it is impossible.

    An option that is None counts as not given (C-6). ``max_turns`` is no option of this family (HH-53).
    """
    given = {name: value for name, value in options.items() if value is not None}
    for name in options:
        # RULING: a `max_turns` of None counts as not given, as in the games that have the option.
        if name not in ("family", "promo", "push") and (name != "max_turns" or name in given):
            raise ValueError(f"{name} is not an option of the family {FAMILY} of {GAME}")
    if given.get("family", FAMILY) != FAMILY:
        raise ValueError(f"family must be {FAMILY!r} here, not {given['family']!r}")
    whole_number("players", players, 2, 6)
    promo = given.get("promo")
    if promo is not None and promo not in PROMOS:
        # HH-24: asking for two promo cards is an error, in whatever form
        raise ValueError(f"promo must be one of {PROMOS}, not {promo!r}")
    push = given.get("push", "rigid")
    if push not in PUSHES:
        raise ValueError(f"push must be one of {PUSHES}, not {push!r}")
    return Rules(players=players, promo=promo, push=push)


def recorded_options(rules: Rules) -> dict[str, Any]:
    """What stands under ``options`` in a position (C-6): `family` and `promo` have keys of their own."""
    return {"push": rules.push} if rules.push != "rigid" else {}


def header_options(rules: Rules) -> dict[str, Any]:
    """What stands under ``options`` in the header of a record (C-13): all that isn't default, and the family."""
    options: dict[str, Any] = {"family": FAMILY}
    if rules.promo is not None:
        options["promo"] = rules.promo
    return options | recorded_options(rules)


def rules_of(position: dict[str, Any]) -> Rules:
    """The configuration that a position belongs to."""
    return check_options(
        position["players"], family=position["family"], promo=position["promo"], **position.get("options", {})
    )


def catalogue(players: int, **options: Any) -> list[str]:
    """All action names of a configuration, in index order ("Decisions")."""
    rules = check_options(players, **options)
    names = []
    for source in ("hand", "backup"):
        for card in CARDS:
            names += [f"{source} {card} {line}" for line in lines_of(rules, card)]
    names += [f"discard {card}" for card in CARDS]
    for k in range(1, players):
        names += [f"steal left{k} {card}" for card in CARDS]
    names.append("no steal")
    return names


def lines_of(rules: Rules, card: str) -> list[str]:
    """HH-14: the lines of the table that a card may enter, empty ones included."""
    if move_of(card) == "hop":
        return [f"c{x}" for x in rules.columns()]
    return [f"r{y}" for y in rules.rows()]


# ------------------------------------------------------------------------------------------------------------------
# The mob
# ------------------------------------------------------------------------------------------------------------------


def cells_of(position: dict[str, Any]) -> Mob:
    """The mob by cell."""
    mob: Mob = {}
    for place, card in position["mob"].items():
        x, y = place.split(",")
        mob[int(x), int(y)] = card
    return mob


def as_written(mob: Mob) -> dict[str, str]:
    """The mob in the form of a position."""
    return {f"{x},{y}": mob[x, y] for x, y in sorted(mob)}


def neighbours(cell: Cell) -> list[Cell]:
    """The four cells that touch a cell orthogonally."""
    x, y = cell
    return [(x, y + 1), (x + 1, y), (x, y - 1), (x - 1, y)]


STEPS = {"hop": (0, 1), "groove": (1, 0), "slide": (-1, 0)}  # HH-14: the direction of each push


def ahead(cell: Cell, move: str) -> Cell:
    """The next cell in the direction of the push."""
    (x, y), (dx, dy) = cell, STEPS[move]
    return x + dx, y + dy


def line_from_the_entry(mob: Mob, move: str, line: str) -> list[Cell]:
    """The occupied cells of a line ``c<x>`` or ``r<y>``, beginning at the side where the new card enters (HH-14)."""
    number = int(line[1:])
    if move == "hop":
        return sorted((cell for cell in mob if cell[0] == number), key=lambda cell: cell[1])
    row = [cell for cell in mob if cell[1] == number]
    return sorted(row, key=lambda cell: cell[0] if move == "groove" else -cell[0])


@dataclass(frozen=True)
class Pushed:
    """What a push leaves: the mob, the cell of the new card, the card eaten (HH-26) and the card pushed out (HH-20)."""

    mob: Mob
    cell: Cell
    eaten: str | None
    out: str | None


def push(rules: Rules, mob: Mob, card: str, line: str) -> Pushed:
    """HH-15, HH-20, HH-26: the card enters the line (which holds at least one card).

    RULING: in a meal under ``rigid`` no card beyond the victim moves, not even one that lies beyond a further gap.
    RULING: under ``contact`` a zombie that the push doesn't reach eats nothing, since nothing moves it.
    """
    move = move_of(card)
    cells = line_from_the_entry(mob, move, line)
    if rules.push == "rigid":
        moving = list(cells)
    else:
        moving = [cells[0]]
        while ahead(moving[-1], move) in mob:
            moving.append(ahead(moving[-1], move))
    eaten = None
    victim: Cell | None = None
    for number, cell in enumerate(moving):
        if mob[cell] == ZOMBIE and ahead(cell, move) in mob:
            victim = ahead(cell, move)
            eaten = mob[victim]
            moving = moving[: number + 1]
            break
    after: Mob = {}
    for cell, lying in mob.items():
        if cell != victim:
            after[ahead(cell, move) if cell in moving else cell] = lying
    after[cells[0]] = card
    out = None
    now = line_from_the_entry(after, move, line)
    if rules.line_limit is not None and len(now) > rules.line_limit:
        out = after.pop(now[-1])
    return Pushed(after, cells[0], eaten, out)


def stays_on_the_table(rules: Rules, mob: Mob) -> bool:
    """HH-21: whether every card lies on the table."""
    return all(x in rules.columns() and y in rules.rows() for x, y in mob)


def dancers_due(pushed: Pushed) -> int:
    """HH-16: the neighbours of the card just played that are In Sync with it.

    Three at most: the new card lies at the end of its line, so nothing is on its entry side.
    """
    card = pushed.mob[pushed.cell]
    beside = [pushed.mob[cell] for cell in neighbours(pushed.cell) if cell in pushed.mob]
    return sum(in_sync(card, other) for other in beside)


# ------------------------------------------------------------------------------------------------------------------
# Choosing
# ------------------------------------------------------------------------------------------------------------------


def legal(position: dict[str, Any]) -> list[str]:
    """The names of the legal actions in catalogue order; empty when the game is over."""
    rules = rules_of(position)
    phase, mover = position["phase"], position["to_play"]
    if phase == "over":
        return []
    if phase == "play":
        names = _legal_plays(rules, position)
        if not names:
            raise ValueError("mob: there is no legal play, which no game can come to (HH-21)")
        return names
    if phase == "discard":
        return [f"discard {card}" for card in CARDS if card in position["hands"][mover]]
    if phase == "steal":
        names = []
        for k in range(1, rules.players):
            there = position["backups"][(mover + k) % rules.players]
            names += [f"steal left{k} {card}" for card in CARDS if card in there]
        if not names:
            raise ValueError("phase: without a backup dancer to steal nobody is asked (HH-17, C-4)")
        return [*names, "no steal"]
    raise ValueError(f"phase: {phase!r} is no phase of a position")


def _legal_plays(rules: Rules, position: dict[str, Any]) -> list[str]:
    """HH-13, HH-14, HH-21.

    RULING: HH-21 calls a play off the table illegal for four to six players. With two or three no game gets there,
    but a position that is set up may: such a play is illegal for them just as well.
    """
    mob, mover = cells_of(position), position["to_play"]
    open_lines: dict[str, list[str]] = {}
    for card in {*position["hands"][mover], *position["backups"][mover]}:
        if move_of(card) not in open_lines:  # which lines can be entered is the same for all cards of one move
            open_lines[move_of(card)] = [line for line in lines_of(rules, card) if _can_enter(rules, mob, card, line)]
    return [
        f"{source} {card} {line}"
        for source, cards in (("hand", position["hands"][mover]), ("backup", position["backups"][mover]))
        for card in CARDS
        if card in cards
        for line in open_lines[move_of(card)]
    ]


def _can_enter(rules: Rules, mob: Mob, card: str, line: str) -> bool:
    """HH-14, HH-21: whether the line holds a card, and no card would leave the table."""
    if not line_from_the_entry(mob, move_of(card), line):
        return False
    return stays_on_the_table(rules, push(rules, mob, card, line).mob)


# ------------------------------------------------------------------------------------------------------------------
# Playing
# ------------------------------------------------------------------------------------------------------------------


def _copy(position: dict[str, Any], **changes: Any) -> Position:
    """An independent copy of a position with some keys changed."""
    copied = Position(position)
    copied["mob"] = dict(position["mob"])
    for key in ("hands", "backups"):
        copied[key] = [list(cards) for cards in position[key]]
    for key in ("draw", "draw_face_up", "discard", "removed", "winners"):
        copied[key] = list(position[key])
    copied.update(changes)
    return copied


def start(players: int, **options: Any) -> Node:
    """The beginning of a game: the first card is dealt (HH-12)."""
    rules = check_options(players, **options)
    position = Position(
        game=GAME,
        family=FAMILY,
        players=players,
        promo=rules.promo,
        phase="play",
        to_play=0,
        mob={"0,0": rules.promo_card} if rules.promo_card else {},
        hands=[[] for _ in range(players)],
        backups=[[] for _ in range(players)],
        draw=whole_deck(players),
        draw_face_up=[],
        discard=[],
        removed=[],
        steals_due=0,
        must_discard=False,
        turn=0,
        winners=[],
    )
    if recorded_options(rules):
        position["options"] = recorded_options(rules)
    return Chance("deal", position)


def named_outcomes(chance: Chance) -> list[tuple[int, str, Node]]:
    """The (weight, card, node) triples of a chance point: each distinct card of the bag once, by index.

    The weight is the number of copies left in the bag.
    """
    bag = chance.before["draw"]
    return [(bag.count(card), card, _happened(chance, card)) for card in CARDS if card in bag]


def outcomes(chance: Chance) -> list[tuple[int, Node]]:
    """The (weight, node) pairs of a chance point: each distinct card of the bag once, by index."""
    return [(weight, node) for weight, _, node in named_outcomes(chance)]


def outcomes_card_by_card(chance: Chance) -> list[Node]:
    """The node after each outcome in the numbering of records: one for every card left, copies side by side (C-2)."""
    return [node for weight, node in outcomes(chance) for _ in range(weight)]


def _happened(chance: Chance, card: str) -> Node:
    """The card comes from the bag: HH-12 (hand after hand, then the cells of the mob) or HH-17.

    RULING: "the mob's cells" come in reading order (HH-11); a centre that holds a promo card is left out (HH-24).
    """
    position = _copy(chance.before)
    position["draw"].remove(card)
    if chance.kind == "draw":
        return _gained(position, card)
    rules, mob = rules_of(position), cells_of(position)
    short = [seat for seat in range(rules.players) if len(position["hands"][seat]) < rules.hand_size]
    if short:
        position["hands"][short[0]] = in_index_order([*position["hands"][short[0]], card])
    else:
        mob[next(cell for cell in rules.dealt_cells() if cell not in mob)] = card
        position["mob"] = as_written(mob)
    if all(cell in mob for cell in rules.first_cells()):
        return position
    return Chance("deal", position)


def _gained(position: Position, card: str) -> Node:
    """A backup dancer that was due has come to the mover."""
    mover = position["to_play"]
    position["backups"][mover] = in_index_order([*position["backups"][mover], card])
    position["steals_due"] -= 1
    return _collect(position)


def play(position: dict[str, Any], name: str) -> Node:
    """The node after a decision."""
    if name not in legal(position):
        raise ValueError(f"{name!r} is not legal; legal are {legal(position)}")
    return _played(position, name)


def _played(position: dict[str, Any], name: str) -> Node:
    """The node after a decision that is known to be legal."""
    rules = rules_of(position)
    position = _copy(position)
    mover = position["to_play"]
    verb, *details = name.split()

    if verb in ("hand", "backup"):
        card, line = details
        position["hands" if verb == "hand" else "backups"][mover].remove(card)
        pushed = push(rules, cells_of(position), card, line)
        position["mob"] = as_written(pushed.mob)
        if pushed.eaten is not None:
            position["removed"].append(pushed.eaten)
        if pushed.out is not None:
            position["discard"].append(pushed.out)
        position["must_discard"] = verb == "backup"  # HH-18
        position["steals_due"] = dancers_due(pushed)
        return _collect(position)
    if verb == "steal":
        victim = (mover + int(details[0].removeprefix("left"))) % rules.players
        position["backups"][victim].remove(details[1])
        return _gained(position, details[1])
    if verb == "no":
        position["steals_due"] -= 1
        return _collect(position)
    assert verb == "discard"
    position["hands"][mover].remove(details[0])
    position["draw_face_up"].append(details[0])  # HH-18: below everything
    return _turn_completed(position)


def _collect(position: Position) -> Node:
    """HH-17: the next backup dancer due; when all are settled, the discard (HH-18) or the end of the turn.

    RULING: a pile that gives out in the middle leaves the rest to be stolen. The discard of this very turn comes
    afterwards, so it can't be drawn for it.
    """
    mover = position["to_play"]
    while position["steals_due"] > 0:
        if position["draw"]:
            return Chance("draw", position)
        if position["draw_face_up"]:
            return _gained(position, position["draw_face_up"].pop(0))
        if any(cards for seat, cards in enumerate(position["backups"]) if seat != mover):
            return _copy(position, phase="steal")
        position["steals_due"] = 0
    if position["must_discard"]:
        return _copy(position, phase="discard")
    return _turn_completed(position)


def _turn_completed(position: Position) -> Node:
    """HH-19: the next seat plays, or the Grand Finale begins. The turn that ends the game is completed (C-6)."""
    turn, mover = position["turn"] + 1, position["to_play"]
    position = _copy(position, turn=turn, must_discard=False)
    if all(len(hand) == 1 for hand in position["hands"]):
        position = _copy(position, phase="over", to_play=None)
        return _copy(position, winners=[_standings(position).index(max(_standings(position)))])
    return _copy(position, phase="play", to_play=(mover + 1) % position["players"])


# ------------------------------------------------------------------------------------------------------------------
# Grand Finale
# ------------------------------------------------------------------------------------------------------------------


def _belongs(card: str, value: str) -> bool:
    """HH-25, HH-26: whether a card of the mob is of a move, colour or style."""
    if card == UNICORN:
        return True
    if card == ZOMBIE:
        return value in ("red", "street")
    return value in aspects(card)


def largest_group(mob: Mob, value: str) -> int:
    """HH-22: the size of the largest orthogonally connected group of a move, colour or style; 0 if there is none.

    RULING: a unicorn among strangers is a group of one by itself: it counts as being of every move, colour and style.
    """
    members = {cell for cell, card in mob.items() if _belongs(card, value)}
    largest = 0
    while members:
        to_visit = [members.pop()]
        size = 0
        while to_visit:
            cell = to_visit.pop()
            size += 1
            for beside in neighbours(cell):
                if beside in members:
                    members.remove(beside)
                    to_visit.append(beside)
        largest = max(largest, size)
    return largest


def final_scores(position: dict[str, Any]) -> list[int]:
    """HH-22: the score of every seat, once each has one card in hand."""
    mob = cells_of(position)
    scores = []
    for hand, backups in zip(position["hands"], position["backups"], strict=True):
        (lead,) = hand
        scores.append(len(backups) + sum(largest_group(mob, value) for value in aspects(lead)))
    return scores


def _standings(position: dict[str, Any]) -> list[tuple[int, ...]]:
    """HH-23: for each seat what decides, the larger the better; no two seats are alike."""
    return [
        (score, len(backups), most_of_one(backups, COLOURS, 0), -seat)
        for seat, (score, backups) in enumerate(zip(final_scores(position), position["backups"], strict=True))
    ]


def result(position: dict[str, Any]) -> dict[str, Any]:
    """Winners, ranks, scores and rewards of a finished game: ``rewards[scheme][seat]`` (C-7, HH-22, HH-23)."""
    if position["phase"] != "over":
        raise ValueError("phase: the game is not over")
    scores, standings = final_scores(position), _standings(position)
    ranks = [1 + sum(other > own for other in standings) for own in standings]
    winners = list(position["winners"])
    return {"winners": winners, "ranks": ranks, "scores": scores, "rewards": payoffs(ranks, scores, winners)}


# ------------------------------------------------------------------------------------------------------------------
# What a seat knows
# ------------------------------------------------------------------------------------------------------------------


def public_view(position: dict[str, Any], seat: int) -> dict[str, Any]:
    """All that a seat knows in a position, as seen from its place (C-9, C-10, "What a seat knows").

    Lists by seat begin with the own seat, its left neighbours follow; ``to_play`` and ``winners`` count seats in the
    same way. The own absolute seat is in it, for HH-23 names a seat. Two positions with equal views differ only in
    what the seat can't know: who holds which of the cards that it doesn't see, and what lies face down.

    RULING: of the hands of others the view shows no more after the end than before: no clause says that they are
    laid open. Who has won is public.
    """
    players = position["players"]
    round_table = [(seat + k) % players for k in range(players)]

    def seen(other: int) -> int:
        return (other - seat) % players

    return {
        "players": players,
        "promo": position["promo"],
        "options": dict(position.get("options", {})),
        "seat": seat,
        "phase": position["phase"],
        "to_play": None if position["to_play"] is None else seen(position["to_play"]),
        "mob": as_written(cells_of(position)),
        "hand": list(position["hands"][seat]),
        "hand_counts": [len(position["hands"][other]) for other in round_table],
        "backups": [list(position["backups"][other]) for other in round_table],
        "draw_count": len(position["draw"]),
        "draw_face_up": list(position["draw_face_up"]),
        "discard": list(position["discard"]),
        "removed": list(position["removed"]),
        "steals_due": position["steals_due"],
        "must_discard": position["must_discard"],
        "turn": position["turn"],
        "winners": sorted(seen(other) for other in position["winners"]),
    }


def unseen_cards(position: dict[str, Any], seat: int) -> list[str]:
    """The cards that lie where this seat can't look: other hands and the face-down part of the pile, by index."""
    elsewhere = [card for other, hand in enumerate(position["hands"]) if other != seat for card in hand]
    return in_index_order([*elsewhere, *position["draw"]])


def reshuffled(position: dict[str, Any], seat: int, rng: random.Random) -> Position:
    """A position of a running game that this seat can't tell from the given one: what it doesn't see is dealt anew."""
    assert position["phase"] != "over"
    cards = unseen_cards(position, seat)
    rng.shuffle(cards)
    changed = _copy(position)
    for other, hand in enumerate(position["hands"]):
        if other != seat:
            changed["hands"][other] = in_index_order([cards.pop() for _ in hand])
    changed["draw"] = in_index_order(cards)
    return changed


# ------------------------------------------------------------------------------------------------------------------
# Setting up
# ------------------------------------------------------------------------------------------------------------------


def set_up(
    players: int,
    mob: dict[str, str],
    *,
    hands: Sequence[Sequence[str]],
    backups: Sequence[Sequence[str]] | None = None,
    draw: Sequence[str] | None = None,
    draw_face_up: Sequence[str] = (),
    discard: Sequence[str] = (),
    removed: Sequence[str] = (),
    phase: str = "play",
    to_play: int = 0,
    steals_due: int = 0,
    must_discard: bool = False,
    turn: int | None = None,
    **options: Any,
) -> Position:
    """A position from its parts. Without ``draw`` all cards of the deck that are nowhere else lie face down.

    Neither counts nor cards are checked: a situation may leave out what doesn't matter for it.
    """
    rules = check_options(players, **options)
    backups = backups or [[] for _ in range(players)]
    if draw is None:
        left = whole_deck(players)
        used = [*mob.values(), *all_of(hands), *all_of(backups), *draw_face_up, *discard]
        for card in [*used, *removed]:
            if card in left:
                left.remove(card)
        draw = left
    position = Position(
        game=GAME,
        family=FAMILY,
        players=players,
        promo=rules.promo,
        phase=phase,
        to_play=None if phase == "over" else to_play,
        mob=dict(mob),
        hands=[in_index_order(hand) for hand in hands],
        backups=[in_index_order(cards) for cards in backups],
        draw=in_index_order(draw),
        draw_face_up=list(draw_face_up),
        discard=list(discard),
        removed=list(removed),
        steals_due=steals_due,
        must_discard=must_discard,
        turn=to_play if turn is None else turn,
        winners=[],
    )
    if recorded_options(rules):
        position["options"] = recorded_options(rules)
    return position


# ------------------------------------------------------------------------------------------------------------------
# Counting and random play
# ------------------------------------------------------------------------------------------------------------------


def children(node: Node | dict[str, Any]) -> list[tuple[int, Node]]:
    """All nodes one ply further, with the number of outcomes of C-2 that lead there; none after the end."""
    if isinstance(node, Chance):
        return outcomes(node)
    return [(1, _played(node, name)) for name in legal(node)]


def perft_both_ways(node: Node | dict[str, Any], depth: int) -> tuple[int, int]:
    """The number of paths of exactly ``depth`` plies from a node, plus those that end earlier: two counts.

    A decision is one ply and so is a chance outcome. A phase that is skipped is no ply, nor is a known card that is
    drawn. A finished game counts as one leaf. The first count has an outcome for every card left at a chance point,
    copies too (C-2), the second one for every distinct card.
    """
    if depth == 0 or (not isinstance(node, Chance) and node["phase"] == "over"):
        return 1, 1
    if depth == 1:  # the last ply needs counting only
        if isinstance(node, Chance):
            return len(node.before["draw"]), len(set(node.before["draw"]))
        names = legal(node)
        return len(names), len(names)
    every, distinct = 0, 0
    for weight, child in children(node):
        below = perft_both_ways(child, depth - 1)
        every += weight * below[0]
        distinct += below[1]
    return every, distinct


def perft_from(node: Node | dict[str, Any], depth: int) -> int:
    """The first count of `perft_both_ways`: outcomes numbered as in C-2."""
    return perft_both_ways(node, depth)[0]


def perft(players: int, depth: int, **options: Any) -> int:
    """`perft_from` the start of a game."""
    return perft_from(start(players, **options), depth)


def random_game(players: int, rng: random.Random, **options: Any) -> Iterator[tuple[Node, str | int | None]]:
    """Play one game at random: every (node, choice) on its way.

    The choice is an action name at a decision, the number of an outcome of C-2 (`outcomes_card_by_card`) at a chance
    point, and None at the end.
    """
    node = start(players, **options)
    while True:
        if isinstance(node, Chance):
            bag = node.before["draw"]
            index = rng.randrange(len(bag))
            yield node, index
            node = _happened(node, bag[index])
        elif node["phase"] == "over":
            yield node, None
            return
        else:
            name = rng.choice(legal(node))
            yield node, name
            node = _played(node, name)


def _hand_sizes(rules: Rules, turn: int) -> list[int]:
    """How many cards each seat holds when so many turns are completed."""
    return [rules.hand_size - len(range(seat, turn, rules.players)) for seat in range(rules.players)]


def _random_cells(rules: Rules, rng: random.Random, count: int) -> list[Cell]:
    """Cells for a mob: a dense blob, a loose one, or long lines, anywhere on the table."""
    columns, rows = list(rules.columns()), list(rules.rows())
    style = rng.choice(["blob", "loose", "edge", "lines"])
    if style == "edge":
        corner = (rng.choice([columns[0], columns[-1]]), rng.choice([rows[0], rows[-1]]))
    else:
        corner = (0, 0)
    chosen: list[Cell] = []
    for _ in range(10_000):
        if len(chosen) == count:
            return chosen
        if style == "loose" or not chosen:
            spread = 3 if style == "loose" else 0
            cell = (corner[0] + rng.randint(-spread, spread), corner[1] + rng.randint(-spread, spread))
        elif style == "lines":
            base = rng.choice(chosen[:4])
            cell = rng.choice([(base[0], rng.choice(rows)), (base[0] + rng.randint(-4, 4), base[1])])
        else:
            cell = rng.choice(neighbours(rng.choice(chosen)))
            if rng.random() < 0.15:
                cell = rng.choice(neighbours(cell))
        cell = (min(max(cell[0], columns[0]), columns[-1]), min(max(cell[1], rows[0]), rows[-1]))
        if cell not in chosen:
            chosen.append(cell)
    return _random_cells(rules, rng, count)


def random_position(
    players: int, rng: random.Random, phase: str, turns_left: int | None = None, **options: Any
) -> Position | None:
    """A position of a phase whose counts fit each other, whether or not play can reach it.

    None where the dice came out badly: nothing to steal, no legal play. At the table's edge a position may lead to
    one without a legal play.
    """
    rules = check_options(players, **options)
    last = players * (rules.hand_size - 1)  # the number of turns of a game
    turn = rng.randrange(last) if turns_left is None else last - turns_left
    mover = turn % players
    must_discard = phase == "discard" or (phase == "steal" and rng.random() < 0.5)
    sizes = _hand_sizes(rules, turn)
    if phase == "steal" and not must_discard:
        sizes[mover] -= 1
    cards = whole_deck(players)
    rng.shuffle(cards)
    hands = [[cards.pop() for _ in range(size)] for size in sizes]
    # the cards that have been played stay in the mob, are pushed out or eaten
    in_mob = len(rules.first_cells()) + turn + (phase != "play")
    played = [cards.pop() for _ in range(in_mob - (rules.promo is not None))]
    if rules.promo_card:
        played.insert(rng.randrange(len(played) + 1), rules.promo_card)
    discard: list[str] = []
    removed: list[str] = []
    if rules.line_limit and rng.random() < 0.5:
        discard = [played.pop() for _ in range(rng.randint(0, min(turn, 4)))]
    if rules.promo_card == ZOMBIE and ZOMBIE in played and rng.random() < 0.5:
        for _ in range(rng.randint(0, min(turn, 3))):
            removed.append(played.pop(next(k for k, card in enumerate(played) if card != ZOMBIE)))
    # the rest: backup dancers and the pile
    rest = len(cards)
    near_empty = rng.random() < 0.5
    in_pile = 0 if phase == "steal" else rng.randint(0, 3 if near_empty else rest)
    pile = [cards.pop() for _ in range(min(in_pile, rest))]
    face_up = pile[: rng.randint(0, min(len(pile), turn, 4))] if rng.random() < 0.5 else []
    face_down = pile[len(face_up) :]
    backups: list[list[str]] = [[] for _ in range(players)]
    for card in cards:
        backups[rng.randrange(players)].append(card)
    if phase == "steal" and not any(held for seat, held in enumerate(backups) if seat != mover):
        return None
    mob = dict(zip(_random_cells(rules, rng, len(played)), played, strict=True))
    position = set_up(
        players,
        as_written(mob),
        hands=hands,
        backups=backups,
        draw=face_down,
        draw_face_up=face_up,
        discard=discard,
        removed=removed,
        phase=phase,
        to_play=mover,
        steals_due=rng.randint(1, 3) if phase == "steal" else 0,
        must_discard=must_discard,
        turn=turn,
        **options,
    )
    if phase == "play" and not _legal_plays(rules, position):
        return None
    return position


def random_positions(players: int, rng: random.Random, count: int, **options: Any) -> Iterator[Position]:
    """So many random positions, of all phases in turn."""
    phases = ["play", "steal", "play", "discard"]
    made = 0
    while made < count:
        position = random_position(players, rng, phases[made % len(phases)], **options)
        if position is not None:
            made += 1
            yield position


# ------------------------------------------------------------------------------------------------------------------
# The frozen counts
# ------------------------------------------------------------------------------------------------------------------

Wanted = Callable[[Position], bool]


def _plays(position: Position) -> Iterator[Pushed]:
    rules, mob = rules_of(position), cells_of(position)
    for name in legal(position):
        verb, *details = name.split()
        if verb in ("hand", "backup"):
            yield push(rules, mob, *details)


def _anything(position: Position) -> bool:
    return True


def _pushes_out(position: Position) -> bool:
    return any(pushed.out for pushed in _plays(position))


def _pushes_the_promo_out(position: Position) -> bool:
    return any(pushed.out in (UNICORN, ZOMBIE) for pushed in _plays(position))


def _eats(position: Position) -> bool:
    return any(pushed.eaten for pushed in _plays(position))


def _eats_and_pushes_out(position: Position) -> bool:
    return any(pushed.eaten and pushed.out for pushed in _plays(position))


def _off_the_table(position: Position) -> bool:
    """Some card has a line that holds cards, but may not be entered."""
    rules, mob, mover = rules_of(position), cells_of(position), position["to_play"]
    cards = [*position["hands"][mover], *position["backups"][mover]]
    return any(
        line_from_the_entry(mob, move_of(card), line)
        and not stays_on_the_table(rules, push(rules, mob, card, line).mob)
        for card in cards
        for line in lines_of(rules, card)
    )


def _pile_runs_out(position: Position) -> bool:
    """Some play earns more than the pile holds, and there is something to steal."""
    mover = position["to_play"]
    pile = len(position["draw"]) + len(position["draw_face_up"])
    others = any(cards for seat, cards in enumerate(position["backups"]) if seat != mover)
    return others and any(dancers_due(pushed) > pile for pushed in _plays(position))


def _mixed_pile(position: Position) -> bool:
    """Face-down and face-up cards, few enough that one play may come to the face-up ones."""
    few = 0 < len(position["draw"]) <= 2
    return (
        few and bool(position["draw_face_up"]) and any(dancers_due(p) > len(position["draw"]) for p in _plays(position))
    )


def _known_pile(position: Position) -> bool:
    """A card is discarded below a single known one, which has another move."""
    face_up = position["draw_face_up"]
    return (
        not position["draw"]
        and len(face_up) == 1
        and all(move_of(card) != move_of(face_up[0]) for card in position["hands"][position["to_play"]])
    )


def _beside_the_unicorn(position: Position) -> bool:
    return any(UNICORN in [pushed.mob.get(cell) for cell in neighbours(pushed.cell)] for pushed in _plays(position))


def _gaps(position: Position) -> bool:
    """A push under the other mode would leave another mob."""
    rules, mob = rules_of(position), cells_of(position)
    other = Rules(rules.players, rules.promo, "contact" if rules.push == "rigid" else "rigid")
    played = [name.split()[1:] for name in legal(position)]
    return any(push(rules, mob, *one).mob != push(other, mob, *one).mob for one in played)


def _several_due(position: Position) -> bool:
    return position["steals_due"] >= 2


def _two_victims(position: Position) -> bool:
    return len({name.split()[1] for name in legal(position) if name != "no steal"}) >= 2


def _small(position: Position) -> bool:
    return len(legal(position)) <= 25


def _empty_pile(position: Position) -> bool:
    return not position["draw"] and not position["draw_face_up"]


@dataclass(frozen=True)
class Wish:
    """A position to look for: the first random one (`random_position`, or along games) that shows what is wanted."""

    about: str
    players: int
    options: dict[str, Any]
    phase: str
    wanted: Sequence[Wanted]
    along_games: bool = False
    turns_left: int | None = None  # with the one under way


RIGID: dict[str, Any] = {}
CONTACT: dict[str, Any] = {"push": "contact"}
UNI: dict[str, Any] = {"promo": "unicorn"}
ZOM: dict[str, Any] = {"promo": "zombie"}
VEGAN: dict[str, Any] = {"promo": "vegan_zombie"}
WISHES = (
    Wish("along a game", 2, RIGID, "play", (_gaps,), along_games=True),
    Wish("along a game", 3, CONTACT, "play", (_gaps,), along_games=True),
    Wish("along a game", 4, RIGID, "play", (_pushes_out,), along_games=True),
    Wish("along a game", 6, RIGID, "discard", (_anything,), along_games=True),
    Wish("near the end", 2, RIGID, "play", (_pile_runs_out,), turns_left=2),
    Wish("near the end", 5, CONTACT, "play", (_pile_runs_out, _small), turns_left=2),
    Wish("face-down cards above face-up ones", 3, RIGID, "play", (_mixed_pile, _small)),
    Wish("face-down cards above face-up ones", 6, UNI, "play", (_mixed_pile,)),
    Wish("gaps", 4, CONTACT, "play", (_gaps, _pushes_out, _small), turns_left=6),
    Wish("several steals", 3, RIGID, "steal", (_several_due, _two_victims, _small)),
    Wish("several steals", 5, RIGID, "steal", (_several_due, _two_victims, _small)),
    Wish("one steal, then perhaps the end", 2, RIGID, "steal", (_anything,), turns_left=1),
    Wish("a discard below a known card", 2, RIGID, "discard", (_known_pile,), turns_left=4),
    Wish("the last discard", 3, CONTACT, "discard", (_anything,), turns_left=1),
    Wish("the pile gives out", 4, RIGID, "play", (_pile_runs_out, _empty_pile)),
    Wish("the table's edge", 4, RIGID, "play", (_off_the_table, _small)),
    Wish("the table's edge", 6, CONTACT, "play", (_off_the_table, _pushes_out, _small)),
    Wish("beside the unicorn", 2, UNI, "play", (_beside_the_unicorn, _small)),
    Wish("the unicorn is pushed out", 5, UNI, "play", (_pushes_the_promo_out, _small)),
    Wish("the zombie eats", 2, ZOM, "play", (_eats, _gaps, _small), turns_left=5),
    Wish("the vegan zombie tags out", 3, {**VEGAN, **CONTACT}, "play", (_eats, _gaps, _small)),
    Wish("the zombie eats, and a card is still pushed out", 4, ZOM, "play", (_eats_and_pushes_out, _small)),
    Wish("the zombie is pushed out", 6, {**VEGAN, **CONTACT}, "play", (_pushes_the_promo_out, _small)),
    Wish("the zombie eats, and a card is still pushed out", 5, {**ZOM, **CONTACT}, "play", (_eats_and_pushes_out,)),
)
# How many players, with which options, and to what depth
STARTS: tuple[tuple[int, dict[str, Any], int], ...] = (
    (2, {}, 3),
    (3, UNI, 2),
    (4, {}, 2),
    (5, CONTACT, 2),
    (6, ZOM, 2),
)
ENOUGH_LEAVES = 2_000  # a position is counted ply by ply until this many leaves ..
DEEPEST = 6  # .. or this depth is reached, whichever comes first, ..
SHALLOWEST = 2  # .. but at least to this depth


def counts_ply_by_ply(position: Position) -> tuple[list[int], list[int]]:
    """Both counts to depth 1, 2, .. until there are enough leaves, or no more come up."""
    both: list[tuple[int, int]] = []
    while len(both) < SHALLOWEST or (len(both) < DEEPEST and both[-1][1] < ENOUGH_LEAVES):
        both.append(perft_both_ways(position, len(both) + 1))
        if len(both) >= 4 and both[-1] == both[-3]:
            break
    return [every for every, _ in both], [distinct for _, distinct in both]


def find_position(wish: Wish, rng: random.Random) -> Position:
    """The first random position that fulfils a wish."""
    for _ in range(20_000):
        found: list[Position] = []
        if wish.along_games:
            game = random_game(wish.players, rng, **wish.options)
            found = [node for node, _ in game if isinstance(node, Position) and node["turn"] >= 2 * wish.players]
        else:
            position = random_position(wish.players, rng, wish.phase, wish.turns_left, **wish.options)
            found = [position] if position is not None else []
        for position in found:
            if position["phase"] == wish.phase and all(wanted(position) for wanted in wish.wanted):
                return position
    raise LookupError(f"no position found: {wish.about}")


def counted(entry: dict[str, Any], position: Position) -> dict[str, Any]:
    """An entry of the counts file: the position, the depths and both kinds of counts."""
    counts, distinct = counts_ply_by_ply(position)
    entry = {**entry, "position": position, "depths": list(range(1, len(counts) + 1)), "counts": counts}
    if distinct != counts:
        entry["distinct"] = distinct
    return entry


def frozen_counts() -> dict[str, Any]:
    """The content of the counts file.

    Under ``starts`` each entry holds players, options, depths and counts (`perft`), under ``positions`` a position,
    depths and counts (`perft_from`). Where copies make a difference, ``distinct`` holds the counts with copies
    counted once.
    """
    starts = []
    for players, options, deepest in STARTS:
        depths = list(range(1, deepest + 1))
        both = [perft_both_ways(start(players, **options), depth) for depth in depths]
        entry = {"players": players, "options": options, "depths": depths, "counts": [every for every, _ in both]}
        if any(every != distinct for every, distinct in both):
            entry["distinct"] = [distinct for _, distinct in both]
        starts.append(entry)
    positions = []
    for number, wish in enumerate(WISHES):
        began = time.perf_counter()
        rng = random.Random(1000 * number)
        while True:
            try:
                positions.append(counted({"about": wish.about}, find_position(wish, rng)))
                break
            except ValueError:  # the tree has a position without a legal play
                continue
        print(wish.about, wish.players, positions[-1]["counts"], f"{time.perf_counter() - began:.1f} s", flush=True)
    return {"game": GAME, "family": FAMILY, "starts": starts, "positions": positions}


def write_counts(file: Path, counts: dict[str, Any]) -> None:
    """Write a counts file, an entry a line."""
    lines = ["{", f'"game": {json.dumps(counts["game"])}, "family": {json.dumps(counts["family"])},']
    for key, ending in (("starts", "],"), ("positions", "]")):
        lines.append(f'"{key}": [')
        lines.append(",\n".join(json.dumps(entry) for entry in counts[key]))
        lines.append(ending)
    lines.append("}")
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    """Rewrite the counts file."""
    began = time.perf_counter()
    write_counts(COUNTS_FILE, frozen_counts())
    print(f"wrote {COUNTS_FILE.name} in {time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
