"""A slow, plain walker of Hedgehog Hop, family battle: an oracle for tests, written from the rule clauses alone.

Everything works on the *position* dict of the rule page, re-evaluated from scratch at every question. Nothing is
cached but the shapes that groups may take in the finale, nothing is fast, and nothing is shared with the engine: the
two may only agree because both follow the clauses. ``HH-n`` and ``C-n`` name clauses; ``RULING`` marks a place where
the clauses leave something open and says which reading is used here.

A *node* of the game is one of

* a position dict with phase ``crew``, ``plan``, ``play``, ``collect`` or ``discard``: somebody must choose (`legal`,
  `play`);
* a position dict with phase ``over``: the game is finished (`result`);
* a `Chance` object: a card comes from the draw pile (`outcomes`). Chance points have no position (C-6).

The finale needs the most In Sync pairs of each group (HH-58). `most_pairs` finds them by trial for groups of up to
about a dozen cards; for larger ones a function may be passed in (``most_pairs=``, of a list of cards of one move).

``python -m tests.oracles.hedgehog_hop_battle``, run from the root of the repository, rewrites
``hedgehog_hop_battle_perft_counts.json``.
"""

from __future__ import annotations

import functools
import itertools
import math
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.oracles.hedgehog_hop_puzzler import (
    CARDS,
    COLOURS,
    GAME,
    MOVES,
    STYLES,
    all_of,
    in_index_order,
    in_sync,
    most_of_one,
    move_of,
    whole_deck,
    whole_number,
    write_counts,
)
from tests.oracles.payoffs import payoffs

FAMILY = "battle"
DEFAULT_MAX_TURNS = 150  # HH-53, three players only
CREW_CELLS = ("r0c0", "r0c1", "r1c0", "r1c1")  # HH-40
LINE_LENGTH = 7  # HH-41, HH-55
COUNTS_FILE = Path(__file__).with_name("hedgehog_hop_battle_perft_counts.json")

PairCounter = Callable[[Sequence[str]], int]


# ------------------------------------------------------------------------------------------------------------------
# The most pairs of a group (HH-58)
# ------------------------------------------------------------------------------------------------------------------

Cell = tuple[int, int]
Shape = tuple[Cell, ...]

MOST_SHAPES = 300_000  # so many sets of cells are tried for one part of a group; beyond that it is too large


def touching(shape: Sequence[Cell]) -> list[tuple[int, int]]:
    """The pairs of cells of a shape that touch, by their numbers in it."""
    return [
        (one, other)
        for one, (x, y) in enumerate(shape)
        for other, cell in enumerate(shape)
        if cell in ((x + 1, y), (x, y + 1))
    ]


def one_form(cells: Sequence[Cell]) -> Shape:
    """One shape for all that are alike but for turning, turning over and moving about."""
    forms = []
    for turns in range(4):
        for flip in (1, -1):
            moved = [(x, y * flip) for x, y in cells]
            for _ in range(turns):
                moved = [(y, -x) for x, y in moved]
            left, low = min(x for x, _ in moved), min(y for _, y in moved)
            forms.append(tuple(sorted((x - left, y - low) for x, y in moved)))
    return min(forms)


@functools.cache
def connected_shapes(size: int) -> list[Shape]:
    """All connected shapes of so many cells of a square grid, but for turning and turning over.

    A group may lie in several pieces, but moving pieces together loses no pair: connected shapes are enough.
    """
    if size == 1:
        return [((0, 0),)]
    found = set()
    for smaller in connected_shapes(size - 1):
        for x, y in smaller:
            for cell in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                if cell not in smaller:
                    found.add(one_form([*smaller, cell]))
    return sorted(found)


def most_pairs_by_trial(cards: Sequence[str]) -> int:
    """HH-58, by trying every order of the cards in every shape: for up to six cards of one move."""
    assert 1 <= len(cards) <= 6
    best = 0
    for shape in connected_shapes(len(cards)):
        pairs = touching(shape)
        for order in set(itertools.permutations(cards)):
            best = max(best, sum(in_sync(order[one], order[other]) for one, other in pairs))
    return best


def most_pairs(cards: Sequence[str]) -> int:
    """HH-58: the greatest number of In Sync pairs among cards of one move that can be made adjacent; exact.

    A layout found by shuffling (`a_good_layout`) is either as good as a bound says that any can be, or all layouts
    that might beat it are tried. Where these are too many there is a ValueError.
    """
    return sum(_most_pairs_of_a_part(part) for part in linked_parts(cards))


def linked_parts(cards: Sequence[str]) -> list[list[str]]:
    """The cards of one move, split so that no card of one part is In Sync with a card of another.

    Such parts don't matter to each other: what they give adds up.
    """
    left, parts = list(cards), []
    while left:
        part, to_visit = [], [left.pop()]
        while to_visit:
            card = to_visit.pop()
            part.append(card)
            to_visit += [other for other in left if in_sync(card, other)]
            left = [other for other in left if not in_sync(card, other)]
        parts.append(in_index_order(part))
    return parts


def _most_pairs_of_a_part(cards: Sequence[str]) -> int:
    """Every set of cells that has enough touching pairs to beat the best layout so far is filled with the cards.

    A connected shape of n cells that spans w columns and h rows has 2n - w - h touching pairs at most: a row of k cells
    has k - 1 at most, and so has a column. So larger and larger rectangles are looked at until none can help.
    """
    size = len(cards)
    best, bound = a_good_layout(cards), pairs_at_most(cards)
    if best == bound:
        return best
    tried = set()
    for half_round in range(2, size + 2):
        if best == bound or 2 * size - half_round <= best:
            break
        for width in range(1, half_round // 2 + 1):
            height = half_round - width
            if width * height < size:
                continue
            if math.comb(width * height, size) > MOST_SHAPES:
                raise ValueError(f"a group of {size} cards is too large to try: pass a function for `most_pairs`")
            for cells in _subsets(width, height, size, best):
                shape = one_form(cells)
                if shape not in tried and len(touching(shape)) > best:
                    tried.add(shape)
                    best = _fill(_in_filling_order(shape), list(cards), best)
    return best


def pairs_at_most(cards: Sequence[str]) -> int:
    """A bound: neighbours on a grid have different colours of a chessboard, so the cards fall into two sets.

    Only pairs from one set to the other can touch. The bound is the most In Sync pairs over all ways to divide the
    cards (for up to 14 cards), and never more than the shape with the most touching pairs has.
    """
    size = len(cards)
    least_half_round = min(w + h for w in range(1, size + 1) for h in range(1, size + 1) if w * h >= size)
    bound = 2 * size - least_half_round
    if size > 14:
        return bound
    pairs = [
        (1 << one, 1 << other)
        for one, other in itertools.combinations(range(size), 2)
        if in_sync(cards[one], cards[other])
    ]
    divided = 0
    for black in range(2 ** (size - 1)):  # the last card is never black
        divided = max(divided, sum(bool(black & one) != bool(black & other) for one, other in pairs))
    return min(bound, divided)


def a_good_layout(cards: Sequence[str]) -> int:
    """The pairs of a layout found by swapping cards and gaps in rectangles for a while: at most the optimum."""
    rng = random.Random(len(cards))
    size, best, bound = len(cards), 0, pairs_at_most(cards)
    gap = size  # the number that stands for an empty cell
    counts = [[0] * (size + 1) for _ in range(size + 1)]  # 1 for two cards, by their numbers, that are In Sync
    for one, other in itertools.permutations(range(size), 2):
        counts[one][other] = int(in_sync(cards[one], cards[other]))
    for width in range(1, size + 1):
        height = -(-size // width)
        if width > height + 1:
            break
        for extra in (0, 1):
            grid = [(x, y) for x in range(width) for y in range(height + extra)]
            sides = touching(grid)
            at_cell = [[pair for pair in sides if number in pair] for number in range(len(grid))]
            for _ in range(4):
                lying = [*range(size), *[gap] * (len(grid) - size)]
                rng.shuffle(lying)
                now = sum(counts[lying[a]][lying[b]] for a, b in sides)
                for _ in range(40 * size):
                    best = max(best, now)
                    if best == bound:
                        return best
                    one, other = int(rng.random() * len(grid)), int(rng.random() * len(grid))
                    near = {*at_cell[one], *at_cell[other]}
                    before = sum(counts[lying[a]][lying[b]] for a, b in near)
                    lying[one], lying[other] = lying[other], lying[one]
                    change = sum(counts[lying[a]][lying[b]] for a, b in near) - before
                    if change >= 0 or rng.random() < 0.04:
                        now += change
                    else:
                        lying[one], lying[other] = lying[other], lying[one]
    return best


def _subsets(width: int, height: int, size: int, beat: int) -> Iterator[Shape]:
    """All sets of so many cells of a rectangle that have more than ``beat`` touching pairs."""
    cells = [(x, y) for y in range(height) for x in range(width)]
    not_last = sum(1 << number for number, (x, _) in enumerate(cells) if x < width - 1)
    for chosen in itertools.combinations(range(len(cells)), size):
        bits = sum(1 << number for number in chosen)
        beside = (bits & not_last & (bits >> 1)).bit_count() + (bits & (bits >> width)).bit_count()
        if beside > beat:
            yield tuple(cells[number] for number in chosen)


def _in_filling_order(shape: Shape) -> list[list[int]]:
    """For each cell, in an order that keeps the filled part together, the earlier cells that it touches."""

    def beside(one: Cell, other: Cell) -> bool:
        return abs(one[0] - other[0]) + abs(one[1] - other[1]) == 1

    order = [shape[0]]
    while len(order) < len(shape):
        left = [cell for cell in shape if cell not in order]
        order.append(max(left, key=lambda cell: sum(beside(cell, other) for other in order)))
    return [[k for k in range(number) if beside(order[k], cell)] for number, cell in enumerate(order)]


def _fill(earlier: list[list[int]], cards: list[str], best: int) -> int:
    """The most pairs in one shape, if that is more than ``best``; otherwise ``best``.

    The shape is filled cell by cell. A way of filling is given up only when it could not beat the best one even if
    all touching cells to come were In Sync.
    """
    still_to_come = [sum(map(len, earlier[number:])) for number in range(len(earlier) + 1)]

    def go_on(placed: list[str], left: list[str], pairs: int) -> None:
        nonlocal best
        number = len(placed)
        if pairs + still_to_come[number] <= best:
            return
        if not left:
            best = pairs
            return
        for card in sorted(set(left)):
            rest = list(left)
            rest.remove(card)
            more = sum(in_sync(placed[other], card) for other in earlier[number])
            go_on([*placed, card], rest, pairs + more)

    go_on([], cards, 0)
    return best


# ------------------------------------------------------------------------------------------------------------------
# Options
# ------------------------------------------------------------------------------------------------------------------


class Position(dict[str, Any]):
    """A position dict that remembers the safety cap and the counter of pairs beside it.

    Neither is part of a position (C-6), so they are attributes, not keys: a `Position` equals, and serialises like,
    the plain dict with the same keys. A plain dict counts as having the default ones.
    """

    max_turns: int = DEFAULT_MAX_TURNS
    most_pairs: PairCounter = staticmethod(most_pairs)


@dataclass(frozen=True)
class Chance:
    """A chance point: one card comes from the draw pile.

    ``kind`` is ``"deal"`` (a hand card, HH-41), ``"line"`` (the audition line: HH-41, and the refill of HH-55) or
    ``"draw"`` (HH-47, HH-49, HH-56). ``before`` is how the table looks just before the card comes, in the form of a
    position: its ``phase`` means nothing; for ``"draw"`` its ``to_play`` is the seat that draws and its ``pending``
    the check that is being settled.
    """

    kind: str
    before: Position


Node = Position | Chance


@dataclass(frozen=True)
class Rules:
    """One fully resolved configuration: every option has its value."""

    players: int

    @property
    def planned(self) -> bool:
        """Whether moves are planned face down: the game for four to six."""
        return self.players >= 4

    @property
    def rounds(self) -> int:
        """HH-57."""
        return {4: 8, 5: 5, 6: 6}[self.players]

    @property
    def targets(self) -> tuple[int, ...]:
        """HH-45: whom a hop may go against, counted in seats to the left."""
        return {3: (1, 2), 4: (2,), 5: (2, 3), 6: (3,)}[self.players]

    def lines(self, move: str) -> list[str]:
        """The lines that a card of this move may enter, as in the names of actions."""
        if move != "hop":
            return ["r0", "r1"]
        return [f"c{column} left{k}" for column in (0, 1) for k in self.targets]


def check_options(players: int, *, max_turns: int | None = None, **options: Any) -> Rules:
    """The resolved configuration; ValueError (with the name of the option at fault) if it is impossible.

    An option that is None counts as not given (C-6).
    """
    given = {name: value for name, value in options.items() if value is not None}
    for name in options:
        # RULING: promo cards belong to the puzzlers alone (HH-24), so the name is unknown here.
        if name != "family":
            raise ValueError(f"{name} is not an option of the family {FAMILY} of {GAME}")
    if given.get("family", FAMILY) != FAMILY:
        raise ValueError(f"family must be {FAMILY!r} here, not {given['family']!r}")
    whole_number("players", players, 3, 6)
    if max_turns is not None:
        if players != 3:
            raise ValueError("max_turns is an option for three players only")  # HH-53
        # RULING: the page gives no range for max_turns; a cap below one turn makes no sense and is refused.
        whole_number("max_turns", max_turns, 1, None)
    return Rules(players=players)


def recorded_options(rules: Rules) -> dict[str, Any]:
    """What stands under ``options`` in a position (C-6): nothing; the family has a key of its own."""
    return {}


def header_options(rules: Rules, max_turns: int | None = None) -> dict[str, Any]:
    """What stands under ``options`` in the header of a record (C-13): all that isn't default, and the family."""
    options: dict[str, Any] = {"family": FAMILY}
    if max_turns not in (None, DEFAULT_MAX_TURNS):
        options["max_turns"] = max_turns
    return options


def rules_of(position: dict[str, Any]) -> Rules:
    """The configuration that a position belongs to."""
    return check_options(position["players"], family=position["family"])


def catalogue(players: int, *, max_turns: int | None = None, **options: Any) -> list[str]:
    """All action names of a configuration, in index order ("Decisions")."""
    rules = check_options(players, max_turns=max_turns, **options)
    names = [f"crew {card}" for card in CARDS]
    if rules.planned:
        names += [f"plan {card}" for card in CARDS]
        names += [f"push {line}" for line in [*rules.lines("slide"), *rules.lines("hop")]]
        return names + [f"collect {card}" for card in CARDS]
    for source in ("hand", "audition", "pile"):
        for card in CARDS:
            names += [f"{source} {card} {line}" for line in rules.lines(move_of(card))]
    return names + [f"collect {card}" for card in CARDS] + [f"discard {card}" for card in CARDS]


# ------------------------------------------------------------------------------------------------------------------
# Crews
# ------------------------------------------------------------------------------------------------------------------


def crew_in_sync(crew: Sequence[str]) -> bool:
    """HH-46: whether at least one of the four touching pairs is In Sync."""
    at = dict(zip(CREW_CELLS, crew, strict=True))
    touching_pairs = [("r0c0", "r0c1"), ("r1c0", "r1c1"), ("r0c0", "r1c0"), ("r0c1", "r1c1")]
    return any(in_sync(at[one], at[other]) for one, other in touching_pairs)


def push(crews: Sequence[Sequence[str]], mover: int, card: str, line: str) -> tuple[list[list[str]], str]:
    """HH-42, HH-43, HH-44: the crews after the push, and the card that is bumped out at the end."""
    players = len(crews)
    tables = [dict(zip(CREW_CELLS, crew, strict=True)) for crew in crews]
    place, *aim = line.split()
    if move_of(card) == "hop":
        column = int(place[1])
        target = (mover + int(aim[0].removeprefix("left"))) % players
        own, other = tables[mover], tables[target]
        bumped = own[f"r0c{column}"]
        own[f"r0c{column}"] = own[f"r1c{column}"]
        own[f"r1c{column}"] = card
        facing = 1 - column  # the crews face each other
        entering, bumped = bumped, other[f"r1c{facing}"]
        other[f"r1c{facing}"] = other[f"r0c{facing}"]
        other[f"r0c{facing}"] = entering
    else:
        entry, far, next_seat = ("c1", "c0", 1) if move_of(card) == "slide" else ("c0", "c1", -1)
        bumped = card
        seat = mover
        for _ in range(players):
            crew = tables[seat]
            entering, bumped = bumped, crew[place + far]
            crew[place + far] = crew[place + entry]
            crew[place + entry] = entering
            seat = (seat + next_seat) % players
    return [[table[cell] for cell in CREW_CELLS] for table in tables], bumped


# ------------------------------------------------------------------------------------------------------------------
# Choosing
# ------------------------------------------------------------------------------------------------------------------


def legal(position: dict[str, Any]) -> list[str]:
    """The names of the legal actions in catalogue order; empty when the game is over."""
    rules = rules_of(position)
    phase, mover = position["phase"], position["to_play"]
    if phase == "over":
        return []
    hand = position["hands"][mover]
    if phase in ("crew", "plan", "discard"):
        return _named(phase, hand)
    if phase == "collect":
        return _named(phase, position["audition"])
    if phase != "play":
        raise ValueError(f"phase: {phase!r} is no phase of a position")
    if rules.planned:
        return [f"push {line}" for line in rules.lines(move_of(position["planned"][mover]))]
    return [  # HH-48
        f"{source} {card} {line}"
        for source, cards in (("hand", hand), ("audition", position["audition"]), ("pile", position["discard"][-1:]))
        for card in CARDS
        if card in cards
        for line in rules.lines(move_of(card))
    ]


def _named(verb: str, cards: Sequence[str]) -> list[str]:
    """One action for each distinct card."""
    names = [f"{verb} {card}" for card in CARDS if card in cards]
    if not names:
        raise ValueError(f"phase: without a card to {verb} nobody is asked (C-4)")
    return names


# ------------------------------------------------------------------------------------------------------------------
# Playing
# ------------------------------------------------------------------------------------------------------------------


def _copy(position: dict[str, Any], **changes: Any) -> Position:
    """An independent copy of a position with some keys changed; the cap and the counter of pairs come along."""
    copied = Position(position)
    for key in ("crews", "hands", "known"):
        copied[key] = [list(cards) for cards in position[key]]
    for key in ("planned", "audition", "draw", "discard", "acted", "winners"):
        copied[key] = list(position[key])
    copied.max_turns = getattr(position, "max_turns", DEFAULT_MAX_TURNS)
    copied.most_pairs = getattr(position, "most_pairs", most_pairs)
    copied.update(changes)
    return copied


def start(players: int, *, max_turns: int | None = None, most_pairs: PairCounter = most_pairs, **options: Any) -> Node:
    """The beginning of a game: the first card is dealt (HH-41).

    RULING: for three players, too, all keys are there: `planned` is null for each seat, `acted` false, `start` 0.
    """
    check_options(players, max_turns=max_turns, **options)
    position = Position(
        game=GAME,
        family=FAMILY,
        players=players,
        phase="crew",
        to_play=0,
        crews=[[None] * 4 for _ in range(players)],
        hands=[[] for _ in range(players)],
        planned=[None] * players,
        audition=[],
        draw=whole_deck(players),
        discard=[],
        start=0,
        round=0,
        turn=0,
        acted=[False] * players,
        pending=None,
        must_discard=False,
        last_turn=False,
        known=[[] for _ in range(players)],
        winners=[],
    )
    position.max_turns = DEFAULT_MAX_TURNS if max_turns is None else max_turns
    position.most_pairs = most_pairs
    return Chance("deal", position)


def named_outcomes(chance: Chance) -> list[tuple[int, str, Node]]:
    """The (weight, card, node) triples of a chance point: each distinct card of the pile once, by index.

    The weight is the number of copies left in the pile.
    """
    pile = chance.before["draw"]
    return [(pile.count(card), card, _happened(chance, card)) for card in CARDS if card in pile]


def outcomes(chance: Chance) -> list[tuple[int, Node]]:
    """The (weight, node) pairs of a chance point: each distinct card of the pile once, by index."""
    return [(weight, node) for weight, _, node in named_outcomes(chance)]


def outcomes_card_by_card(chance: Chance) -> list[Node]:
    """The node after each outcome in the numbering of records: one for every card left, copies side by side (C-2)."""
    return [node for weight, node in outcomes(chance) for _ in range(weight)]


def _happened(chance: Chance, card: str) -> Node:
    """The card comes from the pile."""
    position = _copy(chance.before)
    position["draw"].remove(card)
    if chance.kind == "deal":
        seat = next(seat for seat, hand in enumerate(position["hands"]) if len(hand) < 7)
        _add(position["hands"], seat, card)
        done = all(len(hand) == 7 for hand in position["hands"])
        return position if done else Chance("deal", position)
    if chance.kind == "line":
        position["audition"] = in_index_order([*position["audition"], card])
        return _fill_the_line(position)
    assert chance.kind == "draw"
    _add(position["hands"], position["to_play"], card)  # unseen by the others: not among the known cards
    return _check_settled(position)


def _add(lists: list[list[str]], seat: int, card: str) -> None:
    lists[seat] = in_index_order([*lists[seat], card])


def _forget(position: Position, seat: int, card: str) -> None:
    """A card is seen to leave a hand: it is no longer publicly known to be there, if it was (counted per card)."""
    if card in position["known"][seat]:
        position["known"][seat].remove(card)


def play(
    position: dict[str, Any], name: str, *, max_turns: int | None = None, most_pairs: PairCounter | None = None
) -> Node:
    """The node after a decision. The other arguments override what the position remembers."""
    if name not in legal(position):
        raise ValueError(f"{name!r} is not legal; legal are {legal(position)}")
    position = _copy(position)
    if max_turns is not None:
        position.max_turns = max_turns
    if most_pairs is not None:
        position.most_pairs = most_pairs
    return _played(position, name)


def _played(position: dict[str, Any], name: str) -> Node:
    """The node after a decision that is known to be legal."""
    rules = rules_of(position)
    position = _copy(position)
    mover = position["to_play"]
    verb, *details = name.split()

    if verb == "crew":
        position["hands"][mover].remove(details[0])
        crew = position["crews"][mover]
        crew[crew.index(None)] = details[0]  # HH-40: cell by cell
        return _next_crew(position)
    if verb == "plan":
        position["hands"][mover].remove(details[0])
        position["planned"][mover] = details[0]
        return _next_plan(position)
    if verb == "push":
        card = position["planned"][mover]
        position["planned"][mover] = None
        return _pushed(position, card, " ".join(details))
    if verb in ("hand", "audition", "pile"):
        card = details[0]
        if verb == "hand":
            position["hands"][mover].remove(card)
            _forget(position, mover, card)
        elif verb == "audition":
            _leaves_the_line(position, card)
        else:
            position["discard"].pop()
        position["must_discard"] = verb != "hand"  # HH-50
        return _pushed(position, card, " ".join(details[1:]))
    if verb == "collect":
        _leaves_the_line(position, details[0])
        if rules.planned and position["pending"] == "start":
            # RULING: the plan was laid before this card came, so this card can't be the planned one.
            _forget(position, mover, position["planned"][mover])
        _add(position["hands"], mover, details[0])
        _add(position["known"], mover, details[0])
        return _check_settled(position)
    assert verb == "discard"
    assert not rules.planned
    position["hands"][mover].remove(details[0])
    _forget(position, mover, details[0])
    position["discard"].append(details[0])
    position["must_discard"] = False
    return _turn_completed(position)


def _leaves_the_line(position: Position, card: str) -> None:
    """A card of the audition line is taken; the last one announces the finale with three players (HH-52).

    RULING: with four to six players an empty line ends nothing, so `last_turn` stays false.
    """
    position["audition"].remove(card)
    if not position["audition"] and not rules_of(position).planned:
        position["last_turn"] = True


def _next_crew(position: Position) -> Node:
    """HH-40: the first seat whose crew isn't complete goes on; then the audition line is laid out (HH-41)."""
    for seat in range(position["players"]):
        if None in position["crews"][seat]:
            return _copy(position, to_play=seat)
    return _fill_the_line(position)


def _fill_the_line(position: Position) -> Node:
    """HH-41, HH-55: the line is filled to seven as far as the pile goes; what follows is the start or the turn's end.

    RULING: the position before the first turn is told from the end of a turn by its phase ``crew``, which a chance
    point keeps from what came before.
    """
    if len(position["audition"]) < LINE_LENGTH and position["draw"]:
        return Chance("line", position)
    if position["phase"] == "crew":
        if rules_of(position).planned:
            return _copy(position, phase="plan", to_play=position["start"])
        return _turn_begins(position, 0)
    return _turn_completed(position)


def _clockwise_from_the_start(position: dict[str, Any]) -> list[int]:
    """The seats in turn order."""
    return [(position["start"] + k) % position["players"] for k in range(position["players"])]


def _next_plan(position: Position) -> Node:
    """HH-54: the next seat that has no card before it; then the turns begin."""
    for seat in _clockwise_from_the_start(position):
        if position["planned"][seat] is None:
            return _copy(position, to_play=seat)
    return _turn_begins(position, position["start"])


def _turn_begins(position: Position, seat: int) -> Node:
    """HH-47, HH-55: the start check, but not in the first round."""
    position = _copy(position, to_play=seat, phase="play")
    if position["round"] > 0 and crew_in_sync(position["crews"][seat]):
        return _due(position, "start")
    return _to_the_play(position)


def _to_the_play(position: Position) -> Node:
    """HH-48, HH-55: the mover chooses what or where to push. A planned card is revealed and no longer a known one."""
    mover = position["to_play"]
    forgotten = position["phase"] == "collect"  # before the collected card came
    position = _copy(position, phase="play", pending=None)
    if position["planned"][mover] is not None and not forgotten:
        _forget(position, mover, position["planned"][mover])
    return position


def _pushed(position: Position, card: str, line: str) -> Node:
    """HH-42 to HH-44: the push; the card bumped out last goes to the mover's hand, face up. Then the end check."""
    mover = position["to_play"]
    position["crews"], bumped = push(position["crews"], mover, card, line)
    _add(position["hands"], mover, bumped)
    _add(position["known"], mover, bumped)
    if crew_in_sync(position["crews"][mover]):
        return _due(position, "end")
    return _after_the_end_check(position)


def _due(position: Position, check: str) -> Node:
    """One card is due to ``to_play``: HH-47, HH-49, HH-51 (three players), HH-55, HH-56 (four to six)."""
    position = _copy(position, pending=check)
    from_the_pile = not rules_of(position).planned or check == "round"
    if from_the_pile and position["draw"]:
        return Chance("draw", position)
    if position["audition"]:
        return _copy(position, phase="collect")
    return _check_settled(position)


def _check_settled(position: Position) -> Node:
    """What follows a check, named in `pending`."""
    check = position["pending"]
    position = _copy(position, pending=None)
    if check == "start":
        return _to_the_play(position)
    if check == "end":
        return _after_the_end_check(position)
    assert check == "round"
    order = _clockwise_from_the_start(position)
    return _end_of_round(position, order[order.index(position["to_play"]) + 1 :])


def _after_the_end_check(position: Position) -> Node:
    """HH-50 with three players, the refill of HH-55 with more."""
    position = _copy(position, phase="play")
    if rules_of(position).planned:
        return _fill_the_line(position)
    if position["must_discard"]:
        return _copy(position, phase="discard")
    return _turn_completed(position)


def _turn_completed(position: Position) -> Node:
    """HH-52, HH-53 with three players; HH-55, HH-56 with more: the next turn, the round's end, or the game's end.

    RULING: with three players `round` is turn // 3 at the end of the game, too.
    """
    seat = position["to_play"]
    position = _copy(position, turn=position["turn"] + 1)
    if rules_of(position).planned:
        position["acted"][seat] = True
        order = _clockwise_from_the_start(position)
        waiting = [other for other in order if not position["acted"][other]]
        return _turn_begins(position, waiting[0]) if waiting else _end_of_round(position, order)
    position["round"] = position["turn"] // 3
    if position["last_turn"]:
        return _finale(position)
    if position["turn"] >= position.max_turns:
        return _copy(position, phase="over", to_play=None, winners=[], truncated=True)
    return _turn_begins(position, (seat + 1) % 3)


def _end_of_round(position: Position, seats: Sequence[int]) -> Node:
    """HH-56: the check of the seats that are still to be looked at; then the next round or the finale (HH-57)."""
    rules = rules_of(position)
    for seat in seats:
        something_left = position["draw"] or position["audition"]
        if crew_in_sync(position["crews"][seat]) and something_left:
            return _due(_copy(position, to_play=seat), "round")
    position = _copy(
        position,
        round=position["round"] + 1,
        start=(position["start"] + 1) % rules.players,
        acted=[False] * rules.players,
        pending=None,
    )
    if position["round"] == rules.rounds:
        return _finale(position)
    return _copy(position, phase="plan", to_play=position["start"])


def _finale(position: Position) -> Position:
    """HH-59: the game is over."""
    position = _copy(position, phase="over", to_play=None, pending=None)
    standings = _standings(position, position.most_pairs)
    best = [seat for seat, standing in enumerate(standings) if standing == max(standings)]
    return _copy(position, winners=best if len(best) == 1 else [])


# ------------------------------------------------------------------------------------------------------------------
# Finale
# ------------------------------------------------------------------------------------------------------------------


def own_cards(position: dict[str, Any], seat: int) -> list[str]:
    """HH-58: all cards of a seat, crew and hand, by index."""
    return in_index_order([*position["crews"][seat], *position["hands"][seat]])


def final_score(cards: Sequence[str], most_pairs: PairCounter = most_pairs) -> int:
    """HH-58: the size of the largest move group and the most pairs of every group."""
    groups = [[card for card in cards if move_of(card) == move] for move in MOVES]
    return max(map(len, groups)) + sum(most_pairs(group) for group in groups if group)


def _standings(position: dict[str, Any], most_pairs: PairCounter) -> list[tuple[int, ...]]:
    """HH-59: for each seat what decides, the larger the better.

    RULING: after a truncation the cards that a seat has at that moment are counted (C-8).
    """
    standings: list[tuple[int, ...]] = []
    for seat in range(position["players"]):
        cards = own_cards(position, seat)
        score = final_score(cards, most_pairs)
        standings.append((score, len(cards), most_of_one(cards, COLOURS, 0), most_of_one(cards, STYLES, 1)))
    return standings


def result(position: dict[str, Any], *, most_pairs: PairCounter | None = None) -> dict[str, Any]:
    """Winners, ranks, scores and rewards of a finished game: ``rewards[scheme][seat]`` (C-7, C-8, HH-58, HH-59).

    RULING: seats that are alike in all that HH-59 names share their rank, wherever they stand; if they are first
    there is no winner. A truncated game pays 0 under every scheme.
    """
    if position["phase"] != "over":
        raise ValueError("phase: the game is not over")
    count = most_pairs or getattr(position, "most_pairs", globals()["most_pairs"])
    standings = _standings(position, count)
    scores = [standing[0] for standing in standings]
    ranks = [1 + sum(other > own for other in standings) for own in standings]
    winners = list(position["winners"])
    rewards = payoffs(ranks, scores, winners, truncated=bool(position.get("truncated")))
    return {"winners": winners, "ranks": ranks, "scores": scores, "rewards": rewards}


# ------------------------------------------------------------------------------------------------------------------
# What a seat knows
# ------------------------------------------------------------------------------------------------------------------

HIDDEN = "hidden"  # a card that lies face down


def public_view(position: dict[str, Any], seat: int) -> dict[str, Any]:
    """All that a seat knows in a position, as seen from its place (C-9, C-10, "What a seat knows").

    Lists by seat begin with the own seat, its left neighbours follow; ``to_play``, ``start`` and ``winners`` count
    seats in the same way. Two positions with equal views differ only in what the seat can't know.

    RULING: how many cards of its crew another seat has laid is known, for the number of its hand cards is. Who has
    planned is known, the card lies on the table. The cards publicly known to be in the own hand are not in the view:
    the page speaks of the opponents. Of the hands of others the view shows no more after the end than before. Who has
    won is public.
    """
    players = position["players"]
    round_table = [(seat + k) % players for k in range(players)]

    def seen(other: int) -> int:
        return (other - seat) % players

    def crew(other: int) -> list[str | None]:
        if position["phase"] != "crew" or other == seat:
            return list(position["crews"][other])
        return [card and HIDDEN for card in position["crews"][other]]

    def plan(other: int) -> str | None:
        card: str | None = position["planned"][other]
        revealed = position["phase"] == "play" and other == position["to_play"]
        return card if other == seat or revealed else card and HIDDEN

    return {
        "players": players,
        "phase": position["phase"],
        "pending": position["pending"],
        "to_play": None if position["to_play"] is None else seen(position["to_play"]),
        "crews": [crew(other) for other in round_table],
        "hand": list(position["hands"][seat]),
        "hand_counts": [len(position["hands"][other]) for other in round_table],
        "known": [list(position["known"][other]) for other in round_table[1:]],
        "planned": [plan(other) for other in round_table],
        "audition": list(position["audition"]),
        "draw_count": len(position["draw"]),
        "discard": list(position["discard"]),
        "start": seen(position["start"]),
        "round": position["round"],
        "turn": position["turn"],
        "acted": [position["acted"][other] for other in round_table],
        "must_discard": position["must_discard"],
        "last_turn": position["last_turn"],
        "winners": sorted(seen(other) for other in position["winners"]),
        "truncated": position.get("truncated", False),
    }


def reshuffled(position: dict[str, Any], seat: int, rng: random.Random) -> Position:
    """A position of a running game that this seat can't tell from the given one: what it doesn't see is dealt anew.

    Each other seat keeps the cards that are known to be its own and gets others for the rest, and lays or plans any
    of its cards face down. The lists of known cards stay as they are.
    """
    assert position["phase"] != "over"
    changed = _copy(position)
    in_crew_phase = position["phase"] == "crew"
    unseen = list(position["draw"])
    face_down: dict[int, bool] = {}
    counts: dict[int, int] = {}
    for other in range(position["players"]):
        if other == seat:
            continue
        revealed = position["phase"] == "play" and other == position["to_play"]
        face_down[other] = position["planned"][other] is not None and not revealed
        cards = list(position["hands"][other])
        if in_crew_phase:
            cards += [card for card in position["crews"][other] if card is not None]
        if face_down[other]:
            cards.append(position["planned"][other])
        for card in position["known"][other]:
            cards.remove(card)
        unseen += cards
        counts[other] = len(cards)
    rng.shuffle(unseen)
    for other, count in counts.items():
        cards = [*position["known"][other], *(unseen.pop() for _ in range(count))]
        rng.shuffle(cards)
        if in_crew_phase:
            changed["crews"][other] = [card and cards.pop() for card in position["crews"][other]]
        if face_down[other]:
            changed["planned"][other] = cards.pop()
        changed["hands"][other] = in_index_order(cards)
    changed["draw"] = in_index_order(unseen)
    return changed


# ------------------------------------------------------------------------------------------------------------------
# Setting up
# ------------------------------------------------------------------------------------------------------------------


def set_up(
    crews: Sequence[Sequence[str | None]],
    *,
    hands: Sequence[Sequence[str]],
    audition: Sequence[str] = (),
    draw: Sequence[str] | None = None,
    discard: Sequence[str] = (),
    planned: Sequence[str | None] | None = None,
    known: Sequence[Sequence[str]] | None = None,
    phase: str = "play",
    to_play: int = 0,
    starter: int | None = None,
    turns_before: int | None = None,
    round_number: int = 1,
    acted: Sequence[int] = (),
    pending: str | None = None,
    must_discard: bool = False,
    last_turn: bool = False,
    max_turns: int = DEFAULT_MAX_TURNS,
    most_pairs: PairCounter = most_pairs,
) -> Position:
    """A position from its parts. Without ``draw`` all cards of the deck that are nowhere else lie in the draw pile.

    ``acted`` lists the seats that have acted in this round. Without ``turns_before`` and ``starter``, turn and
    starting seat are what they are in a game. Neither counts nor cards are checked: a situation may leave out what
    doesn't matter for it.
    """
    players = len(crews)
    rules = check_options(players)
    planned = planned or [None] * players
    if draw is None:
        left = whole_deck(players)
        used = [*all_of(crews), *all_of(hands), *audition, *discard, *planned]
        for card in used:
            if card in left:
                left.remove(card)
        draw = left
    if starter is None:
        starter = round_number % players if rules.planned else 0
    if turns_before is None:
        turns_before = round_number * players + (len(acted) if rules.planned else to_play)
    position = Position(
        game=GAME,
        family=FAMILY,
        players=players,
        phase=phase,
        to_play=None if phase == "over" else to_play,
        crews=[list(crew) for crew in crews],
        hands=[in_index_order(hand) for hand in hands],
        planned=list(planned),
        audition=in_index_order(audition),
        draw=in_index_order(draw),
        discard=list(discard),
        start=starter,
        round=round_number,
        turn=turns_before,
        acted=[seat in acted for seat in range(players)],
        pending=pending,
        must_discard=must_discard,
        last_turn=last_turn,
        known=[in_index_order(cards) for cards in known or [[] for _ in range(players)]],
        winners=[],
    )
    position.max_turns = max_turns
    position.most_pairs = most_pairs
    return position


# ------------------------------------------------------------------------------------------------------------------
# Counting and random play
# ------------------------------------------------------------------------------------------------------------------


def _no_pairs(cards: Sequence[str]) -> int:
    """A stand-in where only the tree matters and not who wins."""
    return 0


def children(node: Node | dict[str, Any]) -> list[tuple[int, Node]]:
    """All nodes one ply further, with the number of outcomes of C-2 that lead there; none after the end."""
    if isinstance(node, Chance):
        return outcomes(node)
    return [(1, _played(node, name)) for name in legal(node)]


def perft_both_ways(node: Node | dict[str, Any], depth: int) -> tuple[int, int]:
    """The number of paths of exactly ``depth`` plies from a node, plus those that end earlier: two counts.

    A decision is one ply and so is a chance outcome. A phase or a check that is skipped is no ply. A finished game
    counts as one leaf. The first count has an outcome for every card left at a chance point, copies too (C-2), the
    second one for every distinct card.
    """
    if depth == 0 or (not isinstance(node, Chance) and node["phase"] == "over"):
        return 1, 1
    if depth == 1:  # the last ply needs counting only
        if isinstance(node, Chance):
            return len(node.before["draw"]), len(set(node.before["draw"]))
        names = legal(node)
        return len(names), len(names)
    if not isinstance(node, Chance):
        node = _copy(node)
        node.most_pairs = _no_pairs
    every, distinct = 0, 0
    for weight, child in children(node):
        below = perft_both_ways(child, depth - 1)
        every += weight * below[0]
        distinct += below[1]
    return every, distinct


def perft_from(node: Node | dict[str, Any], depth: int) -> int:
    """The first count of `perft_both_ways`: outcomes numbered as in C-2."""
    return perft_both_ways(node, depth)[0]


def perft(players: int, depth: int, *, max_turns: int | None = None, **options: Any) -> int:
    """`perft_from` the start of a game."""
    return perft_from(start(players, max_turns=max_turns, **options), depth)


def random_game(
    players: int,
    rng: random.Random,
    *,
    max_turns: int | None = None,
    most_pairs: PairCounter = most_pairs,
    **options: Any,
) -> Iterator[tuple[Node, str | int | None]]:
    """Play one game at random: every (node, choice) on its way.

    The choice is an action name at a decision, the number of an outcome of C-2 (`outcomes_card_by_card`) at a chance
    point, and None at the end.
    """
    node = start(players, max_turns=max_turns, most_pairs=most_pairs, **options)
    while True:
        if isinstance(node, Chance):
            pile = node.before["draw"]
            index = rng.randrange(len(pile))
            yield node, index
            node = _happened(node, pile[index])
        elif node["phase"] == "over":
            yield node, None
            return
        else:
            name = rng.choice(legal(node))
            yield node, name
            node = _played(node, name)


def _deal_out(cards: list[str], piles: int, at_least: int, rng: random.Random) -> list[list[str]]:
    """All the cards on so many piles, each of at least so many cards."""
    cards = list(cards)
    dealt = [[cards.pop() for _ in range(at_least)] for _ in range(piles)]
    for card in cards:
        dealt[rng.randrange(piles)].append(card)
    return dealt


def _random_known(hands: Sequence[Sequence[str]], rng: random.Random) -> list[list[str]]:
    return [rng.sample(list(hand), rng.randint(0, len(hand))) for hand in hands]


def _random_crews(players: int, cards: list[str], rng: random.Random) -> list[list[str]]:
    """Crews that are In Sync about as often as not; their cards leave ``cards``."""
    crews = []
    for _ in range(players):
        crew = [cards.pop() for _ in range(4)]
        for _ in range(20):
            if crew_in_sync(crew) == (rng.random() < 0.5):
                break
            cards[:0] = crew
            crew = [cards.pop() for _ in range(4)]
        crews.append(crew)
    return crews


def random_position_for_three(rng: random.Random, phase: str) -> Position | None:
    """A position of a phase whose counts fit each other, whether or not play can reach it; None if it can't be."""
    cards = whole_deck(3)
    rng.shuffle(cards)
    crews = _random_crews(3, cards, rng)
    round_number, mover = rng.randint(0, 12), rng.randrange(3)
    pending = None
    if phase == "collect":
        pending = rng.choice(["start", "end"]) if round_number else "end"
    must_discard = phase == "discard" or (pending == "end" and rng.random() < 0.5)
    in_sync_now = crew_in_sync(crews[mover])
    draw_count = 0 if phase == "collect" or rng.random() < 0.3 else rng.randint(1, 8)
    line = rng.randint(0 if phase in ("play", "discard") else 1, LINE_LENGTH)
    if phase == "play" and line == 0 and (draw_count or not in_sync_now or round_number == 0):
        return None  # the game would be over
    if phase == "collect" and not in_sync_now:
        return None
    # the cards played from the line have been followed by a discard each; those collected were due from an empty pile
    gone = LINE_LENGTH - line
    discard_count = gone if draw_count else rng.randint(0, gone)
    if must_discard:
        discard_count -= 1
    if discard_count < 0:
        return None
    audition = [cards.pop() for _ in range(line)]
    draw = [cards.pop() for _ in range(draw_count)]
    discard = [cards.pop() for _ in range(discard_count)]
    hands = _deal_out(cards, 3, 3, rng)
    return set_up(
        crews,
        hands=hands,
        audition=audition,
        draw=draw,
        discard=discard,
        known=_random_known(hands, rng),
        phase=phase,
        to_play=mover,
        round_number=round_number,
        pending=pending,
        must_discard=must_discard,
        last_turn=line == 0,
    )


def random_position_for_more(players: int, rng: random.Random, phase: str) -> Position | None:
    """The same for four to six players."""
    rules = check_options(players)
    cards = whole_deck(players)
    rng.shuffle(cards)
    crews = _random_crews(players, cards, rng)
    round_number = rng.randrange(rules.rounds)
    starter = round_number % players
    order = [(starter + k) % players for k in range(players)]
    number = rng.randrange(players)  # of the seat to play, in turn order
    mover = order[number]
    pending = None
    if phase == "collect":
        pending = rng.choice(["start", "end", "round"]) if round_number else rng.choice(["end", "round"])
    in_sync_now = crew_in_sync(crews[mover])
    if phase == "collect" and not in_sync_now:
        return None
    draw_count = 0 if pending == "round" or rng.random() < 0.4 else rng.randint(1, 8)
    collected = phase == "play" and round_number > 0 and in_sync_now  # with its start check, if the line had a card
    if draw_count:
        line = LINE_LENGTH
        if collected or (pending == "end" and round_number > 0 and rng.random() < 0.5):
            line -= 1
    else:
        line = rng.randint(1 if phase == "collect" else 0, LINE_LENGTH - collected)
    audition = [cards.pop() for _ in range(line)]
    draw = [cards.pop() for _ in range(draw_count)]
    if len(cards) < 3 * players:
        return None
    hands = _deal_out(cards, players, 3, rng)
    acted: list[int] = order[:number] if phase != "plan" else []
    has_planned = order[:number] if phase == "plan" else order[number:]
    if pending in ("end", "round"):
        has_planned = order[number + 1 :]
    if pending == "round":
        has_planned, acted = [], order
    known = _random_known(hands, rng)
    planned: list[str | None] = [None] * players
    for seat in has_planned:
        planned[seat] = hands[seat].pop(rng.randrange(len(hands[seat])))
        if phase == "play" and seat == mover:  # revealed
            known[seat] = [card for card in known[seat] if card in hands[seat]]
            known[seat] = rng.sample(hands[seat], min(len(known[seat]), len(hands[seat])))
    return set_up(
        crews,
        hands=hands,
        audition=audition,
        draw=draw,
        planned=planned,
        known=known,
        phase=phase,
        to_play=mover,
        starter=starter,
        round_number=round_number,
        acted=acted,
        pending=pending,
    )


def random_position(players: int, rng: random.Random, phase: str) -> Position | None:
    """A position of a phase whose counts fit each other, whether or not play can reach it; None if it can't be."""
    if players == 3:
        return random_position_for_three(rng, phase)
    return random_position_for_more(players, rng, phase)


def random_positions(players: int, rng: random.Random, count: int) -> Iterator[Position]:
    """So many random positions after the set-up, of all phases in turn."""
    phases = ["play", "collect", "discard"] if players == 3 else ["plan", "play", "collect"]
    made = 0
    while made < count:
        position = random_position(players, rng, phases[made % len(phases)])
        if position is not None:
            made += 1
            yield position


# ------------------------------------------------------------------------------------------------------------------
# The frozen counts
# ------------------------------------------------------------------------------------------------------------------

Wanted = Callable[[Position], bool]


def _anything(position: Position) -> bool:
    return True


def _empty_draw(position: Position) -> bool:
    return not position["draw"]


def _little_to_draw(position: Position) -> bool:
    return 1 <= len(position["draw"]) <= 2


def _short_line(position: Position) -> bool:
    return 1 <= len(position["audition"]) <= 2


def _empty_line(position: Position) -> bool:
    return not position["audition"]


def _pile_to_play(position: Position) -> bool:
    return bool(position["discard"])


def _small(position: Position) -> bool:
    return len(legal(position)) <= 30


def _hop_planned(position: Position) -> bool:
    return "hop" in move_of(position["planned"][position["to_play"]])


def _far_from_the_end(position: Position) -> bool:
    rules = rules_of(position)
    return position["round"] < rules.rounds - 1 if rules.planned else len(position["audition"]) >= 2


def _last_to_act(position: Position) -> bool:
    return sum(position["acted"]) == position["players"] - 1


def _first_to_act(position: Position) -> bool:
    return bool(position["to_play"] == position["start"])


def _last_to_plan(position: Position) -> bool:
    return sum(card is not None for card in position["planned"]) == position["players"] - 1


def _last_round(position: Position) -> bool:
    return int(position["round"]) == rules_of(position).rounds - 1


def _pending(check: str) -> Wanted:
    return lambda position: position["pending"] == check


def _in_the_first_round(position: Position) -> bool:
    """The next seats to act are In Sync as things stand, but there is no start check yet."""
    return position["round"] == 0 and int(position["turn"]) < position["players"] - 1


def _must_discard(position: Position) -> bool:
    return bool(position["must_discard"])


def _crews_in_sync(position: Position) -> bool:
    """Most crews, so that checks matter."""
    return sum(crew_in_sync(crew) for crew in position["crews"]) >= position["players"] - 1


@dataclass(frozen=True)
class Wish:
    """A position to look for: the first random one (`random_position`, or along games) that shows what is wanted."""

    about: str
    players: int
    phase: str
    wanted: Sequence[Wanted]
    along_games: bool = False
    turns_to_the_cap: int | None = None


WISHES = (
    Wish("crews in the making", 3, "crew", (_anything,), along_games=True),
    Wish("crews in the making", 5, "crew", (_anything,), along_games=True),
    Wish("along a game", 3, "play", (_pile_to_play, _far_from_the_end), along_games=True),
    Wish("along a game", 4, "plan", (_last_to_plan, _far_from_the_end), along_games=True),
    Wish("along a game", 5, "play", (_hop_planned, _far_from_the_end), along_games=True),
    Wish("along a game", 6, "collect", (_pending("start"), _far_from_the_end), along_games=True),
    Wish("the last cards of the line", 3, "play", (_short_line, _empty_draw, _crews_in_sync)),
    Wish("the last card of the draw pile", 3, "play", (_little_to_draw, _crews_in_sync, _small)),
    Wish("the play after the line was emptied", 3, "play", (_empty_line, _pile_to_play)),
    Wish("start check from the line", 3, "collect", (_pending("start"), _far_from_the_end)),
    Wish("end check from the line, a discard due", 3, "collect", (_pending("end"), _short_line, _must_discard)),
    Wish("a discard", 3, "discard", (_little_to_draw, _crews_in_sync)),
    Wish("two turns before the cap", 3, "play", (_little_to_draw, _small), turns_to_the_cap=2),
    Wish("no start check in the first round", 3, "play", (_in_the_first_round, _crews_in_sync, _little_to_draw)),
    Wish("no start check in the first round", 5, "play", (_in_the_first_round, _crews_in_sync, _little_to_draw)),
    Wish("the last to act in a round", 4, "play", (_last_to_act, _crews_in_sync, _little_to_draw)),
    Wish("the last to act in the last round", 4, "play", (_last_to_act, _last_round, _empty_draw, _crews_in_sync)),
    Wish("the last to plan", 5, "plan", (_last_to_plan, _crews_in_sync, _little_to_draw)),
    Wish("an empty line", 5, "play", (_empty_line, _crews_in_sync, _hop_planned, _far_from_the_end)),
    Wish("the last to act in the last round", 5, "play", (_last_to_act, _last_round, _little_to_draw)),
    Wish("end check before the refill", 6, "collect", (_pending("end"), _little_to_draw, _crews_in_sync)),
    Wish("end of the round from the line", 6, "collect", (_pending("round"), _short_line, _crews_in_sync)),
    Wish("the game's end from the line", 4, "collect", (_pending("round"), _last_round, _first_to_act, _crews_in_sync)),
    Wish("start check from a short line", 6, "collect", (_pending("start"), _short_line, _far_from_the_end)),
    Wish("the last to plan", 6, "plan", (_last_to_plan, _last_round)),
)
# How many players, and to what depth
STARTS = ((3, 3), (4, 2), (5, 2), (6, 2))
ENOUGH_LEAVES = 6_000  # a position is counted ply by ply until this many leaves ..
DEEPEST = 10  # .. or this depth is reached, whichever comes first, ..
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
    for _ in range(50_000):
        found: list[Position] = []
        if wish.along_games:
            game = random_game(wish.players, rng, most_pairs=_no_pairs)
            nodes = [node for node, _ in game if isinstance(node, Position)]
            found = [node for node in nodes if node["phase"] == "crew" or node["round"] > 0]
        else:
            position = random_position(wish.players, rng, wish.phase)
            found = [position] if position is not None else []
        rng.shuffle(found)
        for position in found:
            if position["phase"] == wish.phase and all(wanted(position) for wanted in wish.wanted):
                return position
    raise LookupError(f"no position found: {wish.about}")


def frozen_counts() -> dict[str, Any]:
    """The content of the counts file.

    Under ``starts`` each entry holds players, options, depths and counts (`perft`), under ``positions`` a position,
    depths and counts (`perft_from`). A cap that is not the default stands beside them as ``max_turns``. Where copies
    make a difference, ``distinct`` holds the counts with copies counted once.
    """
    starts = []
    for players, deepest in STARTS:
        depths = list(range(1, deepest + 1))
        both = [perft_both_ways(start(players), depth) for depth in depths]
        entry: dict[str, Any] = {"players": players, "options": {}, "depths": depths}
        entry["counts"] = [every for every, _ in both]
        if any(every != distinct for every, distinct in both):
            entry["distinct"] = [distinct for _, distinct in both]
        starts.append(entry)
    positions = []
    for number, wish in enumerate(WISHES):
        began = time.perf_counter()
        position = find_position(wish, random.Random(1000 * number))
        entry = {"about": wish.about, "position": position}
        if wish.turns_to_the_cap is not None:
            position.max_turns = entry["max_turns"] = position["turn"] + wish.turns_to_the_cap
        counts, distinct = counts_ply_by_ply(position)
        entry |= {"depths": list(range(1, len(counts) + 1)), "counts": counts}
        if distinct != counts:
            entry["distinct"] = distinct
        positions.append(entry)
        print(wish.about, wish.players, counts, f"{time.perf_counter() - began:.1f} s", flush=True)
    return {"game": GAME, "family": FAMILY, "starts": starts, "positions": positions}


def main() -> None:
    """Rewrite the counts file."""
    began = time.perf_counter()
    write_counts(COUNTS_FILE, frozen_counts())
    print(f"wrote {COUNTS_FILE.name} in {time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
