"""A slow, plain walker of Hexx & Hopp: an oracle for tests, written from the rule clauses alone.

Everything works on the *position* dict of the rule page, re-evaluated from scratch at every question. Nothing of a
position is cached, nothing is fast, and nothing is shared with the engine: the two may only agree because both follow
the clauses. ``HX-n`` and ``C-n`` name clauses; ``RULING`` marks a place where the clauses leave something open and
says which reading is used here.

The game is simultaneous. A *node* is one of

* a position dict with phase ``play``: every seat names an action (`legal`: a list a seat; `play`: a name a seat);
* a position dict with phase ``over``: the game is finished (`result`);
* a `Chance` object: a tile is dealt or turned, or the order of the seats in a tick is drawn (`outcomes`, `happen`).
  Chance points have no position (C-6). All outcomes of one chance point are equally likely.

``python -m tests.oracles.hexx_hopp``, run from the root of the repository, rewrites ``hexx_hopp_perft_counts.json``.
"""

from __future__ import annotations

import functools
import itertools
import json
import math
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.oracles.payoffs import payoffs

GAME = "hexx_hopp"
DEFAULTS = {"rounds": 10, "max_ticks": 300, "table_radius": 10}  # HX-14, HX-12, HX-3
COLOURS = "RYBW"  # red, yellow, blue, white, in the order of HX-1
# HX-2: the step to the neighbour at each side, clockwise with r downwards
DIRECTIONS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
# HX-4 and the chance order of HX-5: the centre, then each arm from the inside out
STAR = ((0, 0), (1, 0), (2, 0), (-1, 1), (-2, 2), (0, -1), (0, -2))
GIFTS = {2: 0, 3: 2, 4: 4, 5: 6, 6: 0}  # HX-9: tiles that may be given, by contacts
MOST_GIVEN = 6
COUNTS_FILE = Path(__file__).with_name("hexx_hopp_perft_counts.json")

Cell = tuple[int, int]
Figure = Mapping[str, Sequence[int]]  # as in a position: "q,r" -> [tile, rotation]
Asked = dict[int, str]  # what a cell asks of a tile: the colour at each touching side


# ------------------------------------------------------------------------------------------------------------------
# Tiles
# ------------------------------------------------------------------------------------------------------------------


def _all_tiles() -> list[str]:
    """HX-1: the segments of every tile in clockwise order."""
    tiles = []
    for pattern in ("AAABCD", "AABBCD", "ABABCD"):
        for colours in itertools.permutations(COLOURS):  # lexicographic, as COLOURS is in order
            meaning = dict(zip("ABCD", colours, strict=True))
            tiles.append("".join(meaning[letter] for letter in pattern))
    return tiles


TILES = _all_tiles()


def colour_at(tile: int, rotation: int, side: int) -> str:
    """HX-2: the colour at a side of a turned tile: segment s lies at side (s + rotation) mod 6."""
    return TILES[tile][(side - rotation) % 6]


# ------------------------------------------------------------------------------------------------------------------
# Options
# ------------------------------------------------------------------------------------------------------------------


class Position(dict[str, Any]):
    """A position dict. It has nothing beside its keys; the class only tells it from a chance point."""


@dataclass(frozen=True)
class Chance:
    """A chance point.

    ``kind`` is ``"figure"`` (a tile of the start figure is drawn), ``"rotation"`` (the tile just drawn, ``tile``, is
    turned), ``"stack"`` (a tile for a stack is drawn; all HX-5) or ``"order"`` (of the seats in a tick, HX-7; ``joint``
    holds the action that each seat has named). ``before`` is how the table looks just before, in the form of a
    position; in a deal nothing is face up yet.
    """

    kind: str
    before: Position
    tile: int | None = None
    joint: tuple[str, ...] = ()


Node = Position | Chance


@dataclass(frozen=True)
class Rules:
    """One fully resolved configuration: every option has its value."""

    players: int
    rounds: int
    max_ticks: int
    table_radius: int

    @property
    def hand_size(self) -> int:
        """HX-5: how many tiles each seat gets."""
        return 13 if self.players == 5 else 15

    @property
    def tiles_in_play(self) -> int:
        """How many tiles the figure and the seats have between them, all through a round."""
        return len(STAR) + self.hand_size * self.players


def _whole_number(name: str, value: Any, lowest: int, highest: int | None) -> int:
    """``value`` if it is an int within the bounds; ValueError naming the option otherwise."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"{name} must be a whole number, not {value!r}")
    if value < lowest or (highest is not None and value > highest):
        bounds = f"at least {lowest}" if highest is None else f"{lowest}..{highest}"
        raise ValueError(f"{name} must be {bounds}, not {value}")
    return value


def check_options(players: int, **options: Any) -> Rules:
    """The resolved configuration; ValueError (with the name of the option at fault) if it is impossible.

    An option that is None counts as not given (C-6).

    RULING: HX-12 gives lower bounds only, so there is no upper one here.
    """
    given = {name: value for name, value in options.items() if value is not None}
    for name in options:
        # RULING: a `max_turns` of None counts as not given, as in the games that have the option (C-8: not this one).
        if name not in DEFAULTS and (name != "max_turns" or name in given):
            raise ValueError(f"{name} is not an option of {GAME}")
    _whole_number("players", players, 2, 5)
    chosen = DEFAULTS | given
    _whole_number("rounds", chosen["rounds"], 1, None)
    _whole_number("max_ticks", chosen["max_ticks"], 1, None)
    _whole_number("table_radius", chosen["table_radius"], 2, None)
    return Rules(players=players, **chosen)


def recorded_options(rules: Rules) -> dict[str, Any]:
    """What stands under ``options`` in a position (C-6): all that differ from the defaults."""
    return {name: getattr(rules, name) for name, default in DEFAULTS.items() if getattr(rules, name) != default}


def header_options(rules: Rules) -> dict[str, Any]:
    """What stands under ``options`` in the header of a record (C-13): the same here."""
    return recorded_options(rules)


def rules_of(position: Mapping[str, Any]) -> Rules:
    """The configuration that a position belongs to."""
    return check_options(position["players"], **position.get("options", {}))


def gift_name(numbers: Sequence[int]) -> str:
    """The name of giving left1, left2, .. so many tiles."""
    return "give " + ",".join(map(str, numbers))


def divisions(players: int, total: int) -> list[tuple[int, ...]]:
    """All ways to divide so many tiles among the other seats, lexicographically."""
    return [numbers for numbers in itertools.product(range(total + 1), repeat=players - 1) if sum(numbers) == total]


def catalogue(players: int, **options: Any) -> list[str]:
    """All action names of a configuration, in index order ("Decisions")."""
    rules = check_options(players, **options)
    names = ["wait", "next"]
    names += [f"recall {tile}" for tile in range(len(TILES))]
    names += [f"place {q},{r} {rotation}" for q, r in table(rules.table_radius) for rotation in range(6)]
    for total in range(MOST_GIVEN + 1):
        names += [gift_name(numbers) for numbers in divisions(players, total)]
    return names


# ------------------------------------------------------------------------------------------------------------------
# The figure
# ------------------------------------------------------------------------------------------------------------------


@functools.cache
def table(radius: int) -> tuple[Cell, ...]:
    """HX-3: the cells of the table, by r then q: those at most ``radius`` steps from (0, 0)."""
    span = range(-radius, radius + 1)
    return tuple((q, r) for r in span for q in span if abs(q + r) <= radius)


def cell_name(cell: Cell) -> str:
    """A cell as in a position."""
    return f"{cell[0]},{cell[1]}"


def cell_called(name: str) -> Cell:
    """The cell of that name."""
    q, r = name.split(",")
    return int(q), int(r)


def asked_at(figure: Mapping[Cell, Sequence[int]], cell: Cell) -> Asked:
    """HX-2: the colour that a tile at the cell would have to show at each side where it touches the figure."""
    asked = {}
    for side, (dq, dr) in enumerate(DIRECTIONS):
        neighbour = figure.get((cell[0] + dq, cell[1] + dr))
        if neighbour is not None:
            tile, rotation = neighbour
            asked[side] = colour_at(tile, rotation, (side + 3) % 6)
    return asked


def openings(figure: Figure, table_radius: int) -> list[tuple[Cell, Asked]]:
    """HX-6: the empty cells with two occupied neighbours at least, by r then q, and what each asks for."""
    lying = {cell_called(name): tile for name, tile in figure.items()}
    asking = [(cell, asked_at(lying, cell)) for cell in table(table_radius) if cell not in lying]
    return [(cell, asked) for cell, asked in asking if len(asked) >= 2]


def matches(tile: int, rotation: int, asked: Asked) -> bool:
    """HX-6: whether every touching pair of segments has the same colour."""
    return all(colour_at(tile, rotation, side) == colour for side, colour in asked.items())


def _placements(tile: int, where: Sequence[tuple[Cell, Asked]]) -> Iterator[tuple[int, int, int]]:
    for (q, r), asked in where:
        for rotation in range(6):
            if matches(tile, rotation, asked):
                yield q, r, rotation


def placements(figure: Figure, tile: int, table_radius: int) -> list[tuple[int, int, int]]:
    """HX-6: every (q, r, rotation) in which a tile may be placed, in catalogue order."""
    return list(_placements(tile, openings(figure, table_radius)))


def contacts(figure: Figure, cell: Cell) -> int:
    """HX-9: how many occupied neighbours a cell has."""
    return len(asked_at({cell_called(name): tile for name, tile in figure.items()}, cell))


# ------------------------------------------------------------------------------------------------------------------
# The seats' tiles
# ------------------------------------------------------------------------------------------------------------------


def tiles_of(position: Mapping[str, Any], seat: int) -> list[int]:
    """All tiles of a seat in the order in which they are given away (HX-10): stack, discards, face up."""
    up = position["up"][seat]
    return [*position["stacks"][seat], *position["discards"][seat], *([] if up is None else [up])]


def nothing_fits(position: Mapping[str, Any]) -> bool:
    """HX-12: no tile of any player fits anywhere."""
    where = openings(position["figure"], rules_of(position).table_radius)
    tiles = [tile for seat in range(position["players"]) for tile in tiles_of(position, seat)]
    return not any(True for tile in tiles for _ in _placements(tile, where))


def _turn_up(position: Position, seat: int) -> None:
    """HX-8: the top of the stack is turned up, or the oldest discard, or nothing."""
    source = position["stacks"][seat] or position["discards"][seat]
    position["up"][seat] = source.pop(0) if source else None


# ------------------------------------------------------------------------------------------------------------------
# Choosing
# ------------------------------------------------------------------------------------------------------------------


def legal(position: Mapping[str, Any]) -> list[list[str]]:
    """The names of the legal actions in catalogue order, a list a seat; an empty list when the game is over."""
    if position["phase"] == "over":
        return []
    if position["phase"] != "play":
        raise ValueError(f"phase: {position['phase']!r} is no phase of a position")
    where = openings(position["figure"], rules_of(position).table_radius)
    return [_legal_of(position, seat, where) for seat in range(position["players"])]


def _legal_of(position: Mapping[str, Any], seat: int, where: Sequence[tuple[Cell, Asked]]) -> list[str]:
    players, due = position["players"], position["gift_due"][seat]
    if due:  # HX-10
        total = min(due, len(tiles_of(position, seat)))
        return [gift_name([0] * (players - 1)), *map(gift_name, divisions(players, total))]
    names = ["wait"]  # HX-8
    if position["stacks"][seat] or position["discards"][seat]:
        names.append("next")
    names += [f"recall {tile}" for tile in sorted(position["discards"][seat])]
    tile = position["up"][seat]
    return names + [f"place {q},{r} {rotation}" for q, r, rotation in _placements(tile, where)]


# ------------------------------------------------------------------------------------------------------------------
# A round is dealt
# ------------------------------------------------------------------------------------------------------------------


def _copy(position: Mapping[str, Any], **changes: Any) -> Position:
    """An independent copy of a position with some keys changed."""
    copied = Position(position)
    copied["figure"] = dict(position["figure"])  # what lies in a cell is never changed
    for key in ("stacks", "discards"):
        copied[key] = [list(tiles) for tiles in position[key]]
    for key in ("up", "gift_due", "penalties", "winners"):
        copied[key] = list(position[key])
    copied.update(changes)
    return copied


def start(players: int, **options: Any) -> Node:
    """The beginning of a game: the first tile of the figure is drawn (HX-5)."""
    rules = check_options(players, **options)
    position = Position(game=GAME, players=players, penalties=[0] * players, winners=[])
    if recorded_options(rules):
        position["options"] = recorded_options(rules)
    return _round_is_dealt(position, 0)


def _round_is_dealt(position: Mapping[str, Any], number: int) -> Chance:
    """HX-5, HX-14: all tiles come back into the box, and the first tile of the figure is drawn."""
    players = position["players"]
    fresh = Position(position)
    fresh.update(
        phase="play",
        round=number,
        tick=0,
        figure={},
        up=[None] * players,
        stacks=[[] for _ in range(players)],
        discards=[[] for _ in range(players)],
        gift_due=[0] * players,
        dealer=number % players,
    )
    return Chance("figure", _copy(fresh))


def in_the_box(position: Mapping[str, Any]) -> list[int]:
    """The tiles that lie nowhere else, by index."""
    used = {tile for tile, _ in position["figure"].values()}
    for seat in range(position["players"]):
        used.update(tiles_of(position, seat))
    return [tile for tile in range(len(TILES)) if tile not in used]


def _matching_rotations(chance: Chance) -> list[int]:
    """HX-4: the rotations in which the tile just drawn matches the one it touches, ascending."""
    assert chance.tile is not None
    figure = chance.before["figure"]
    lying = {cell_called(name): tile for name, tile in figure.items()}
    asked = asked_at(lying, STAR[len(figure)])
    return [rotation for rotation in range(6) if matches(chance.tile, rotation, asked)]


# ------------------------------------------------------------------------------------------------------------------
# Chance
# ------------------------------------------------------------------------------------------------------------------


def _possible(chance: Chance) -> list[Any]:
    """What may happen, in the order of the outcomes' numbers."""
    if chance.kind == "rotation":
        return _matching_rotations(chance)
    if chance.kind == "order":
        return list(itertools.permutations(range(chance.before["players"])))  # HX-7: lexicographic
    return in_the_box(chance.before)  # C-2: the k-th tile left, by index


def outcome_count(chance: Chance) -> int:
    """How many outcomes a chance point has."""
    return len(_possible(chance))


def named_outcomes(chance: Chance) -> list[tuple[int, str, Node]]:
    """The (weight, name, node) triples of a chance point in the order of C-2; all weights are 1.

    The name is the tile, the rotation, or the order of the seats, as in ``1,0``.
    """
    triples: list[tuple[int, str, Node]] = []
    for what in _possible(chance):
        name = ",".join(map(str, what)) if chance.kind == "order" else str(what)
        triples.append((1, name, _happened(chance, what)))
    return triples


def outcomes(chance: Chance) -> list[tuple[int, Node]]:
    """The (weight, node) pairs of a chance point in the order of C-2."""
    return [(1, _happened(chance, what)) for what in _possible(chance)]


def happen(chance: Chance, number: int) -> Node:
    """The node after the outcome of that number."""
    return _happened(chance, _possible(chance)[number])


def _happened(chance: Chance, what: Any) -> Node:
    position = _copy(chance.before)
    if chance.kind == "order":
        return _tick(position, chance.joint, what)
    if chance.kind == "figure":
        if position["figure"]:
            return Chance("rotation", position, tile=what)
        return _figure_grows(position, what, 0)  # HX-5: the centre has rotation 0, by no chance point
    if chance.kind == "rotation":
        assert chance.tile is not None
        return _figure_grows(position, chance.tile, what)
    assert chance.kind == "stack"
    size = rules_of(position).hand_size
    seat = next(seat for seat, stack in enumerate(position["stacks"]) if len(stack) < size)
    position["stacks"][seat].append(what)  # from top to bottom
    if any(len(stack) < size for stack in position["stacks"]):
        return Chance("stack", position)
    for seat in range(position["players"]):
        _turn_up(position, seat)
    if nothing_fits(position):  # HX-12: checked when a round begins, too
        return _round_over(position, None)
    return position


def _figure_grows(position: Position, tile: int, rotation: int) -> Chance:
    """HX-4: the next cell of the star is filled."""
    position["figure"][cell_name(STAR[len(position["figure"])])] = [tile, rotation]
    return Chance("figure" if len(position["figure"]) < len(STAR) else "stack", position)


# ------------------------------------------------------------------------------------------------------------------
# Playing
# ------------------------------------------------------------------------------------------------------------------


def play(position: Mapping[str, Any], names: Sequence[str]) -> Chance:
    """The node after every seat has named its action: the order of the seats is drawn (HX-7)."""
    options = legal(position)
    if not options:
        raise ValueError("phase: the game is over")
    if len(names) != len(options):
        raise ValueError(f"{len(options)} names are needed, one a seat, not {len(names)}")
    for seat, (name, known) in enumerate(zip(names, options, strict=True)):
        if name not in known:
            raise ValueError(f"{name!r} is not legal for seat {seat}; legal are {known}")
    return Chance("order", _copy(position), joint=tuple(names))


def _tick(position: Position, joint: Sequence[str], order: Sequence[int]) -> Node:
    """HX-7: the actions are carried out in this order; then what HX-11 and HX-12 check."""
    position = _copy(position)
    winner = None
    for seat in order:
        won = _acts(position, seat, joint[seat])
        if won or not tiles_of(position, seat):  # HX-9, HX-11; only the seat that acts loses tiles
            winner = seat
            break  # HX-11: what happens later in that tick is void
    position["tick"] += 1  # C-6: the tick that ends a round counts
    if winner is not None:
        return _round_over(position, winner)
    if position["tick"] >= rules_of(position).max_ticks:  # HX-12: also when a gift is due
        return _round_over(position, None)
    if not any(position["gift_due"]) and nothing_fits(position):
        return _round_over(position, None)
    return position


def _acts(position: Position, seat: int, name: str) -> bool:
    """One action on the position at its turn (HX-8, in place); whether it wins by six contacts (HX-9)."""
    verb, *details = name.split()
    discards = position["discards"][seat]
    if verb == "next":
        discards.append(position["up"][seat])
        _turn_up(position, seat)
    elif verb == "recall":
        tile = int(details[0])
        discards.remove(tile)
        discards.append(position["up"][seat])
        position["up"][seat] = tile
    elif verb == "place":
        return _places(position, seat, details[0], int(details[1]))
    elif verb == "give":
        _gives(position, seat, [int(number) for number in details[0].split(",")])
    else:
        assert verb == "wait"
    return False


def _places(position: Position, seat: int, cell: str, rotation: int) -> bool:
    """HX-6, HX-7, HX-9: the face-up tile is placed if that is still possible; whether it has six contacts.

    RULING: three contacts or more with the last tile: the gift is due all the same, void (HX-12) as the round is won
    at once (HX-11); so `gift_due` keeps it in the last position.
    """
    tile = position["up"][seat]
    now_open = dict(openings(position["figure"], rules_of(position).table_radius))
    asked = now_open.get(cell_called(cell))
    if asked is None or not matches(tile, rotation, asked):
        return False
    position["figure"][cell] = [tile, rotation]
    position["gift_due"][seat] = GIFTS[len(asked)]
    _turn_up(position, seat)
    return len(asked) == 6


def _gives(position: Position, seat: int, numbers: Sequence[int]) -> None:
    """HX-10: left1 gets its whole number first; each tile goes under the receiver's stack, below the one before."""
    players = position["players"]
    position["gift_due"][seat] = 0
    for left, number in enumerate(numbers, start=1):
        receiver = (seat + left) % players
        for _ in range(number):
            source = position["stacks"][seat] or position["discards"][seat]
            if source:
                tile = source.pop(0)
            else:
                tile = position["up"][seat]
                position["up"][seat] = None
            assert tile is not None, "no more tiles are given than there are"
            position["stacks"][receiver].append(tile)


def _round_over(position: Position, winner: int | None) -> Node:
    """HX-13: the penalties; HX-14: the next round, or the end of the game."""
    position = _copy(position)
    for seat in range(position["players"]):
        if seat != winner:
            position["penalties"][seat] += len(tiles_of(position, seat))
    if position["round"] + 1 < rules_of(position).rounds:
        return _round_is_dealt(position, position["round"] + 1)
    fewest = min(position["penalties"])
    best = [seat for seat, points in enumerate(position["penalties"]) if points == fewest]
    return _copy(position, phase="over", winners=best)


def result(position: Mapping[str, Any]) -> dict[str, Any]:
    """Winners, ranks, scores and rewards of a finished game: ``rewards[scheme][seat]`` (C-7, HX-14).

    There is no safety cap in this game (C-8), so no game is truncated by rule; a position with the key pays 0.
    """
    if position["phase"] != "over":
        raise ValueError("phase: the game is not over")
    scores = [-points for points in position["penalties"]]
    ranks = [1 + sum(other > own for other in scores) for own in scores]
    winners = list(position["winners"])
    rewards = payoffs(ranks, scores, winners, truncated=bool(position.get("truncated")))
    return {"winners": winners, "ranks": ranks, "scores": scores, "rewards": rewards}


# ------------------------------------------------------------------------------------------------------------------
# What a seat knows
# ------------------------------------------------------------------------------------------------------------------


def public_view(position: Mapping[str, Any], seat: int) -> dict[str, Any]:
    """All that a seat knows in a position, as seen from its place (C-9, C-10, "What a seat knows").

    Lists by seat begin with the own seat, its left neighbours follow; ``winners`` counts seats in the same way. Two
    positions with equal views differ only in what the seat can't know.

    RULING: penalties, round and tick are public (C-9), though "What a seat knows" doesn't list them. The order of the
    own discards is known, as `next` may turn up the oldest. The dealer is left out: it follows from the round and has
    no bearing on play (HX-5). Nothing is remembered of tiles given or received, nor of tiles seen face up.
    """
    players = position["players"]
    round_table = [(seat + k) % players for k in range(players)]
    return {
        "players": players,
        "phase": position["phase"],
        "round": position["round"],
        "tick": position["tick"],
        "figure": {name: list(position["figure"][name]) for name in sorted(position["figure"])},
        "up": [position["up"][other] for other in round_table],
        "stack_counts": [len(position["stacks"][other]) for other in round_table],
        "discard_counts": [len(position["discards"][other]) for other in round_table],
        "own_discards": list(position["discards"][seat]),
        "gift_due": [position["gift_due"][other] for other in round_table],
        "penalties": [position["penalties"][other] for other in round_table],
        "winners": sorted((other - seat) % players for other in position["winners"]),
    }


def reshuffled(position: Mapping[str, Any], seat: int, rng: random.Random) -> Position:
    """A position of a running game that this seat can't tell from the given one: what it doesn't see is dealt anew.

    That are all stacks, the discards of the others, and the box. As the round goes on, something must fit (HX-12).
    """
    assert position["phase"] == "play"
    others = [other for other in range(position["players"]) if other != seat]
    while True:
        changed = _copy(position)
        hidden = [*changed["stacks"], *(changed["discards"][other] for other in others)]
        unseen = in_the_box(position) + [tile for tiles in hidden for tile in tiles]
        rng.shuffle(unseen)
        for tiles in hidden:
            tiles[:] = [unseen.pop() for _ in tiles]
        if any(changed["gift_due"]) or not nothing_fits(changed):
            return changed


# ------------------------------------------------------------------------------------------------------------------
# Setting up
# ------------------------------------------------------------------------------------------------------------------


def set_up(
    figure: Figure,
    up: Sequence[int | None],
    *,
    stacks: Sequence[Sequence[int]] | None = None,
    discards: Sequence[Sequence[int]] | None = None,
    gift_due: Sequence[int] | None = None,
    penalties: Sequence[int] | None = None,
    round_number: int = 0,
    tick: int = 5,
    **options: Any,
) -> Position:
    """A position from its parts. Nothing is checked: a situation may leave out tiles that don't matter for it."""
    players = len(up)
    position = Position(
        game=GAME,
        players=players,
        phase="play",
        round=round_number,
        tick=tick,
        figure={name: list(tile) for name, tile in figure.items()},
        up=list(up),
        stacks=[list(tiles) for tiles in stacks or [[]] * players],
        discards=[list(tiles) for tiles in discards or [[]] * players],
        gift_due=list(gift_due or [0] * players),
        penalties=list(penalties or [0] * players),
        dealer=round_number % players,
        winners=[],
    )
    recorded = recorded_options(check_options(players, **options))
    if recorded:
        position["options"] = recorded
    return position


# ------------------------------------------------------------------------------------------------------------------
# Counting and random play
# ------------------------------------------------------------------------------------------------------------------


def joint_count(position: Mapping[str, Any]) -> int:
    """In how many ways all seats can act together."""
    return math.prod(map(len, legal(position)))


def children(node: Node | Mapping[str, Any]) -> list[Node]:
    """All nodes one ply further, in the order of the catalogue (the last seat's action changes fastest)."""
    if isinstance(node, Chance):
        return [following for _, following in outcomes(node)]
    if node["phase"] == "over":
        return []
    return [Chance("order", _copy(node), joint=joint) for joint in itertools.product(*legal(node))]


def perft_from(node: Node | Mapping[str, Any], depth: int) -> int:
    """The number of paths of exactly ``depth`` plies from a node, plus those that end earlier.

    A joint choice of all seats is one ply and so is a chance outcome. A finished game counts as one leaf.
    """
    if depth == 0 or (not isinstance(node, Chance) and node["phase"] == "over"):
        return 1
    if depth == 1:  # the last ply needs counting only
        return outcome_count(node) if isinstance(node, Chance) else joint_count(node)
    if depth == 2 and not isinstance(node, Chance):
        return joint_count(node) * math.factorial(node["players"])
    return sum(perft_from(child, depth - 1) for child in children(node))


def perft(players: int, depth: int, **options: Any) -> int:
    """`perft_from` the start of a game."""
    return perft_from(start(players, **options), depth)


def random_game(players: int, rng: random.Random, **options: Any) -> Iterator[tuple[Node, list[str] | int | None]]:
    """Play one game at random: every (node, choice) on its way.

    The choice is a list of names, one a seat, at a decision, the number of an outcome at a chance point, and None at
    the end.
    """
    node = start(players, **options)
    while True:
        if isinstance(node, Chance):
            number = rng.randrange(outcome_count(node))
            yield node, number
            node = happen(node, number)
        elif node["phase"] == "over":
            yield node, None
            return
        else:
            names = [rng.choice(known) for known in legal(node)]
            yield node, names
            node = Chance("order", node, joint=tuple(names))


# ------------------------------------------------------------------------------------------------------------------
# Random positions
# ------------------------------------------------------------------------------------------------------------------


def scattered_figure(rng: random.Random, count: int, table_radius: int) -> dict[str, list[int]]:
    """Tiles on any cells in any rotation, touching or not, matching or not: only good for questions to `placements`."""
    cells = rng.sample(table(table_radius), count)
    tiles = rng.sample(range(len(TILES)), count)
    return {cell_name(cell): [tile, rng.randrange(6)] for cell, tile in zip(cells, tiles, strict=True)}


def _random_star(box: list[int], rng: random.Random) -> dict[str, list[int]]:
    """HX-4, with tiles that leave the end of ``box``."""
    figure = {cell_name(STAR[0]): [box.pop(), 0]}
    for cell in STAR[1:]:
        tile = box.pop()
        asked = asked_at({cell_called(name): lying for name, lying in figure.items()}, cell)
        figure[cell_name(cell)] = [tile, rng.choice([k for k in range(6) if matches(tile, k, asked)])]
    return figure


def grow(figure: dict[str, list[int]], box: list[int], number: int, table_radius: int, rng: random.Random) -> int:
    """Up to ``number`` tiles of the box are placed as HX-6 allows, at cells with many contacts rather than few.

    How many tiles found a place.
    """
    placed = 0
    while placed < number:
        where = openings(figure, table_radius)
        rng.shuffle(where)
        if rng.random() < 0.7:
            where.sort(key=lambda opening: -len(opening[1]))
        found = next(
            (
                (cell, tile, rotation)
                for cell, asked in where
                for tile in box
                for rotation in range(6)
                if matches(tile, rotation, asked)
            ),
            None,
        )
        if found is None:
            break
        cell, tile, rotation = found
        figure[cell_name(cell)] = [tile, rotation]
        box.remove(tile)
        placed += 1
    return placed


def _lift(figure: dict[str, list[int]], number: int, rng: random.Random) -> list[int]:
    """Some tiles are taken out of the figure again, those with many contacts first: they leave holes they fit in."""
    names = [name for name in figure if cell_called(name) not in STAR]
    rng.shuffle(names)
    names.sort(key=lambda name: -contacts(figure, cell_called(name)))
    return [figure.pop(name)[0] for name in names[:number]]


def _shares(players: int, total: int, rng: random.Random) -> list[int]:
    """How many tiles each seat has: one at least; often some seats have one or two only."""
    shares = [1] * players
    rich = rng.sample(range(players), rng.randint(1, players))
    for _ in range(total - players):
        shares[rng.choice(rich)] += 1
    return shares


def random_position(players: int, rng: random.Random, **options: Any) -> Position | None:
    """A position whose counts fit each other, whether or not play can reach it; None if it came to nothing.

    The figure holds the star and is grown as the rules say, but for holes that are left by tiles taken out again;
    these are face up before some seats. Figure and seats have as many tiles as in a game.
    """
    rules = check_options(players, **options)
    box = list(range(len(TILES)))
    rng.shuffle(box)
    figure = _random_star(box, rng)
    most = rules.tiles_in_play - len(STAR) - players
    grow(figure, box, rng.choice([rng.randint(0, most), most]), rules.table_radius, rng)
    lifted = _lift(figure, rng.randint(0, players), rng)
    face_down = [box.pop() for _ in range(rules.tiles_in_play - len(figure) - len(lifted))]
    shares = _shares(players, len(lifted) + len(face_down), rng)
    up: list[int] = []
    stacks: list[list[int]] = []
    discards: list[list[int]] = []
    for share in shares:
        up.append(lifted.pop() if lifted else face_down.pop())
        rest = [face_down.pop() if face_down else lifted.pop() for _ in range(share - 1)]
        cut = rng.choice([0, 0, len(rest), rng.randint(0, len(rest))])
        discards.append(rest[:cut])
        stacks.append(rest[cut:])
    tick = -(-(len(figure) - len(STAR)) // players) + rng.randint(1, 12)
    gift_due = [0] * players
    if rng.random() < 0.5:
        gift_due = [rng.choice([0, 2, 4, 6]) for _ in range(players)]
    number = rng.randrange(rules.rounds)
    position = set_up(
        figure,
        up,
        stacks=stacks,
        discards=discards,
        gift_due=gift_due,
        penalties=[rng.randint(0, 12 * number) for _ in range(players)],
        round_number=number,
        tick=tick,
        **options,
    )
    if tick >= rules.max_ticks or (not any(gift_due) and nothing_fits(position)):
        return None
    return position


def random_positions(players: int, rng: random.Random, count: int, **options: Any) -> Iterator[Position]:
    """So many random positions."""
    made = 0
    while made < count:
        position = random_position(players, rng, **options)
        if position is not None:
            made += 1
            yield position


# ------------------------------------------------------------------------------------------------------------------
# The frozen counts
# ------------------------------------------------------------------------------------------------------------------

Wanted = Callable[[Position], bool]


def _placing(position: Position, seat: int) -> list[tuple[str, int]]:
    """The cells where a seat may place its face-up tile now, and the contacts there."""
    names = [name.split()[1] for name in legal(position)[seat] if name.startswith("place")]
    return [(cell, contacts(position["figure"], cell_called(cell))) for cell in names]


def _contacts_on_offer(number: int) -> Wanted:
    def wanted(position: Position) -> bool:
        seats = range(position["players"])
        return any(count == number for seat in seats for _, count in _placing(position, seat))

    return wanted


def _contested(position: Position) -> bool:
    """Two seats may place their tiles on one cell."""
    cells = [{cell for cell, _ in _placing(position, seat)} for seat in range(position["players"])]
    return any(one & other for one, other in itertools.combinations(cells, 2))


def _side_by_side(position: Position) -> bool:
    """Two seats may place their tiles on neighbouring cells: one changes the contacts of the other."""
    cells = [{cell_called(cell) for cell, _ in _placing(position, seat)} for seat in range(position["players"])]
    return any(
        (q + dq, r + dr) in other
        for one, other in itertools.combinations(cells, 2)
        for q, r in one
        for dq, dr in DIRECTIONS
    )


def _gift_due(number: int) -> Wanted:
    return lambda position: number in position["gift_due"]


def _two_gifts_due(position: Position) -> bool:
    return sum(due > 0 for due in position["gift_due"]) >= 2


def _can_give_all(position: Position) -> bool:
    """A seat may win by giving its last tiles away."""
    return any(due >= len(tiles_of(position, seat)) for seat, due in enumerate(position["gift_due"]) if due)


def _few_for_a_gift(position: Position) -> bool:
    """A gift may be more than the seat's stack, so discards go too."""
    return any(
        len(position["stacks"][seat]) < due < len(tiles_of(position, seat))
        for seat, due in enumerate(position["gift_due"])
        if due
    )


def _last_tile_fits(position: Position) -> bool:
    return any(
        len(tiles_of(position, seat)) == 1 and bool(_placing(position, seat)) for seat in range(position["players"])
    )


def _no_stack(position: Position) -> bool:
    """A seat has an empty stack and discards: `next` turns up the oldest of them."""
    return any(not stack and discards for stack, discards in zip(position["stacks"], position["discards"], strict=True))


def _recalls(position: Position) -> bool:
    return any(len(discards) >= 2 for discards in position["discards"])


def _nothing_fits_but_a_gift_is_due(position: Position) -> bool:
    return any(position["gift_due"]) and nothing_fits(position)


def _may_come_to_a_stop(position: Position) -> bool:
    """After some tick nothing fits any more."""
    if any(position["gift_due"]):
        return False
    _, nodes = _one_tick_on(position)
    return any(not isinstance(node, Chance) and node["phase"] == "over" and _lost_by_all(node) for node in nodes)


def _lost_by_all(position: Position) -> bool:
    """Nobody has won the round that has just ended the game."""
    rules = rules_of(position)
    filled = position["tick"] < rules.max_ticks and not any(position["gift_due"])
    everyone_has_tiles = all(tiles_of(position, seat) for seat in range(rules.players))
    return filled and everyone_has_tiles and nothing_fits(position)


def _one_tick_on(position: Position) -> tuple[int, list[Node]]:
    nodes = [node for chance in children(position) for node in children(chance)]
    return len(nodes), nodes


def _no_gift(position: Position) -> bool:
    return not any(position["gift_due"])


def _choice(position: Position) -> bool:
    return joint_count(position) > 1


def _another_round(position: Position) -> bool:
    return int(position["round"]) + 1 < rules_of(position).rounds


def _branching(least: int, most: int) -> Wanted:
    return lambda position: least <= joint_count(position) * math.factorial(position["players"]) <= most


def _hole(position: Position) -> bool:
    """An empty cell within the figure."""
    return any(len(asked) >= 5 for _, asked in openings(position["figure"], rules_of(position).table_radius))


def _at_the_edge(position: Position) -> bool:
    """The edge of the table keeps a tile from being placed."""
    radius = rules_of(position).table_radius
    return any(
        tile is not None
        and placements(position["figure"], tile, radius) != placements(position["figure"], tile, radius + 1)
        for tile in position["up"]
    )


@dataclass(frozen=True)
class Wish:
    """A position to look for: the first random one (`random_position`, or along games) that shows what is wanted."""

    about: str
    players: int
    wanted: Sequence[Wanted]
    options: dict[str, Any] = field(default_factory=dict)
    along_games: bool = False
    ticks_left: int | None = None  # before max_ticks, which is set to fit
    branching: tuple[int, int] = (8, 250)  # nodes after one tick: few enough to see the next one, too


ONE = {"rounds": 1}
SMALL = {"table_radius": 2}
WISHES = (
    Wish("along a game", 2, (), along_games=True),
    Wish("along a game of one round", 2, (_recalls,), ONE, along_games=True),
    Wish("along a game on a small table", 2, (_at_the_edge,), {"table_radius": 3}, along_games=True),
    Wish("along a game", 3, (_no_gift,), along_games=True, branching=(100, 400)),
    Wish("a gift along a game", 3, (_gift_due(2),), along_games=True),
    Wish("along a game on a small table", 4, (_no_gift,), SMALL | ONE, along_games=True, branching=(96, 800)),
    Wish("along a game on a small table", 5, (_recalls,), SMALL, along_games=True, branching=(3840, 20_000)),
    Wish("three contacts on offer", 2, (_contacts_on_offer(3), _no_gift)),
    Wish("three contacts on offer, few choices", 2, (_contacts_on_offer(3), _no_gift), branching=(4, 24)),
    Wish("four contacts on offer", 2, (_contacts_on_offer(4), _hole)),
    Wish("five contacts on offer", 2, (_contacts_on_offer(5), _no_gift)),
    Wish("six contacts on offer", 2, (_contacts_on_offer(6), _no_gift)),
    Wish("six contacts on offer, last round", 2, (_contacts_on_offer(6), _no_gift), ONE, branching=(4, 24)),
    Wish("six contacts on offer, last round", 3, (_contacts_on_offer(6), _no_gift), ONE, branching=(20, 600)),
    Wish("a contested cell", 2, (_contested, _choice)),
    Wish("a contested cell, few choices", 2, (_contested, _choice), ONE, branching=(4, 24)),
    Wish("neighbouring cells", 2, (_side_by_side,)),
    Wish("neighbouring cells", 3, (_side_by_side, _contested), branching=(20, 600)),
    Wish("two gifts due", 2, (_two_gifts_due,)),
    Wish("two gifts due", 3, (_two_gifts_due,)),
    Wish("a gift of four", 4, (_gift_due(4),), SMALL, branching=(96, 1500)),
    Wish("a gift of six", 3, (_gift_due(6), _few_for_a_gift)),
    Wish("the last tiles may be given", 2, (_can_give_all,)),
    Wish("the last tiles may be given", 3, (_can_give_all, _gift_due(6)), ONE, branching=(20, 600)),
    Wish("stack and discards are given", 2, (_few_for_a_gift, _can_give_all)),
    Wish("the last tile fits", 2, (_last_tile_fits, _no_gift), branching=(4, 24)),
    Wish("the last tile fits", 3, (_last_tile_fits, _no_stack), ONE, branching=(20, 600)),
    Wish("discards only", 2, (_no_stack, _no_gift), ONE),
    Wish("discards only, few choices", 2, (_no_stack, _no_gift), {"table_radius": 4}, branching=(4, 24)),
    Wish("nothing fits, but a gift is due", 2, (_nothing_fits_but_a_gift_is_due,), SMALL),
    Wish("nothing fits, but a gift is due", 3, (_nothing_fits_but_a_gift_is_due,), ONE | SMALL),
    Wish("play may come to a stop", 2, (_may_come_to_a_stop,), ONE | SMALL),
    Wish("play may come to a stop", 3, (_may_come_to_a_stop,), ONE | SMALL),
    Wish("the last tick", 2, (_no_gift, _choice, _another_round), ticks_left=1),
    Wish("the last tick with a gift due, last round", 2, (_gift_due(2),), ONE, ticks_left=1),
    Wish("two ticks left", 2, (_no_gift,), {"rounds": 2, "table_radius": 3}, ticks_left=2),
    Wish("five at the table", 5, (_no_gift,), SMALL, branching=(240, 1500)),
    Wish("five and a gift", 5, (_gift_due(2),), SMALL | ONE, branching=(240, 3900)),
)
STARTS: tuple[tuple[int, dict[str, Any], int], ...] = (  # players, options, to what depth
    (2, {}, 4),
    (3, {"rounds": 1}, 3),
    (4, {"max_ticks": 20}, 3),
    (5, {"table_radius": 2}, 3),
)
# Players, options, how many outcomes of the deal happen before counting begins: the last of them turn up the tiles
LINES: tuple[tuple[int, dict[str, Any], int], ...] = (
    (2, {}, 43 - 2),
    (2, {"rounds": 1, "table_radius": 2}, 43 - 1),
    (3, {"rounds": 3, "max_ticks": 1}, 58 - 1),
    (4, {"table_radius": 2}, 73 - 1),
    (5, {"rounds": 1, "max_ticks": 2, "table_radius": 2}, 78 - 3),
)
MOST_NODES = 3_000  # a tree is counted ply by ply as long as no more nodes than this have to be played on ..
DEEPEST = 8  # .. and no deeper than this


def counts_ply_by_ply(node: Node, most_nodes: int = MOST_NODES) -> list[int]:
    """The counts to depth 1, 2, .. as long as that is cheap and more nodes come up."""
    counts: list[int] = []
    while len(counts) < DEEPEST and (not counts or counts[-1] <= most_nodes):
        counts.append(perft_from(node, len(counts) + 1))
        if len(counts) >= 4 and counts[-1] == counts[-3]:
            break
    return counts


def find_position(wish: Wish, rng: random.Random) -> Position:
    """The first random position that fulfils a wish."""
    for _ in range(20_000):
        found: list[Position] = []
        if wish.along_games:
            nodes = [node for node, choice in random_game(wish.players, rng, **wish.options) if choice is not None]
            found = [node for node in nodes if isinstance(node, Position)]
            rng.shuffle(found)
        else:
            position = random_position(wish.players, rng, **wish.options)
            found = [position] if position is not None else []
        for position in found:
            if all(wanted(position) for wanted in (_branching(*wish.branching), *wish.wanted)):
                if wish.ticks_left is not None:
                    position.setdefault("options", {})["max_ticks"] = position["tick"] + wish.ticks_left
                return position
    raise LookupError(f"no position found: {wish.about}")


def after_outcomes(players: int, options: dict[str, Any], choices: Sequence[int]) -> Node:
    """The node that these outcomes lead to from the start."""
    node = start(players, **options)
    for number in choices:
        assert isinstance(node, Chance)
        node = happen(node, number)
    return node


def frozen_counts() -> dict[str, Any]:
    """The content of the counts file.

    Under ``starts`` each entry holds players, options, depths and counts; its ``choices``, if any, are the numbers of
    the outcomes that happen first, so counting begins in the midst of a deal. Under ``positions`` each entry holds a
    position, depths and counts (`perft_from`).
    """
    starts: list[dict[str, Any]] = []
    for players, options, deepest in STARTS:
        counts = [perft(players, depth, **options) for depth in range(1, deepest + 1)]
        starts.append({"players": players, "options": options, "depths": list(range(1, deepest + 1)), "counts": counts})
    for number, (players, options, length) in enumerate(LINES):
        rng = random.Random(number)
        node, choices = start(players, **options), list[int]()
        while len(choices) < length:
            assert isinstance(node, Chance)
            choices.append(rng.randrange(outcome_count(node)))
            node = happen(node, choices[-1])
        began = time.perf_counter()
        counts = counts_ply_by_ply(node, most_nodes=2_000)
        print("line", players, counts, f"{time.perf_counter() - began:.1f} s", flush=True)
        entry: dict[str, Any] = {"players": players, "options": options, "choices": choices}
        starts.append(entry | {"depths": list(range(1, len(counts) + 1)), "counts": counts})
    positions = []
    for number, wish in enumerate(WISHES):
        began = time.perf_counter()
        position = find_position(wish, random.Random(1000 * number))
        found = time.perf_counter()
        counts = counts_ply_by_ply(position)
        entry = {"about": wish.about, "position": position, "depths": list(range(1, len(counts) + 1)), "counts": counts}
        positions.append(entry)
        seconds = f"{found - began:.1f} s, {time.perf_counter() - found:.1f} s"
        print(wish.about, wish.players, counts, seconds, flush=True)
    return {"game": GAME, "starts": starts, "positions": positions}


def write_counts(file: Path, counts: Mapping[str, Any]) -> None:
    """Write a counts file, an entry a line."""
    lines = ["{", f'"game": {json.dumps(counts["game"])},']
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
