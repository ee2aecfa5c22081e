"""A slow, plain walker of Igel Ärgern: an oracle for tests, written from the rule clauses alone.

Everything works on the *position* dict of the rule page, re-evaluated from scratch at every question. Nothing is
cached, nothing is fast, and nothing is shared with the engine: the two may only agree because both follow the
clauses. ``IA-n`` and ``C-n`` name clauses; ``RULING`` marks a place where the clauses leave something open and says
which reading is used here.

A *node* of the game is one of

* a position dict with phase ``place``, ``sidestep`` or ``forward``: somebody must choose (`legal`, `play`);
* a position dict with phase ``over``: the game is finished (`result`);
* a `Chance` object: a die roll or a placement by chance (`outcomes`). Chance points have no position (C-6).

``python -m tests.oracles.igel_aergern``, run from the root of the repository, rewrites ``perft_counts.json``.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.oracles.payoffs import payoffs

GAME = "igel_aergern"
STANDARD_PITS = (3, 6, 4, 5, 2, 7)  # IA-1: the pit column of track 1, 2, .. 6
DEFAULT_MAX_TURNS = 2000  # IA-13
COUNTS_FILE = Path(__file__).with_name("perft_counts.json")

Stacks = list[list[list[int]]]  # stacks[track - 1][column] = owners from bottom to top


class Position(dict[str, Any]):
    """A position dict that remembers the safety cap beside it.

    ``max_turns`` is no part of a position (C-6), so it is an attribute, not a key: a `Position` equals, and
    serialises like, the plain dict with the same keys. A plain dict counts as having the default cap.
    """

    max_turns: int = DEFAULT_MAX_TURNS


@dataclass(frozen=True)
class Chance:
    """A chance point.

    ``kind`` is ``"roll"`` (IA-5) or ``"place"`` (IA-27). ``before`` is how the table looks just before chance acts,
    in the form of a position (``to_play`` = the seat that rolls or whose piece is placed); its ``phase`` and ``die``
    mean nothing yet.
    """

    kind: str
    before: Position


Node = Position | Chance


# ------------------------------------------------------------------------------------------------------------------
# Options
# ------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rules:
    """One fully resolved configuration: every option has its value."""

    players: int
    goal_count: int
    cylinder: bool
    anarchy: bool
    pillars: bool
    repelling_pits: bool
    shallow_pits: bool
    doping: bool
    setup: str
    tracks: int
    columns: int
    pieces: int
    pits: tuple[int, ...]

    @property
    def goal_column(self) -> int:
        """The last column (IA-1)."""
        return self.columns - 1

    def pit_column(self, track: int) -> int:
        """The column of the one pit of a track (IA-1); tracks count from 1."""
        return self.pits[track - 1]

    def all_tracks(self) -> range:
        """The track numbers, 1 .. tracks."""
        return range(1, self.tracks + 1)

    def neighbour(self, track: int, direction: str) -> int | None:
        """The track next to ``track`` on its ``up`` (lower number) or ``down`` side; None beyond the edge (IA-8)."""
        other = track - 1 if direction == "up" else track + 1
        if 1 <= other <= self.tracks:
            return other
        if self.cylinder:  # IA-21: the first and the last track are neighbours
            return self.tracks if other == 0 else 1
        return None


OPTION_NAMES = (
    "goal_count",
    "cylinder",
    "anarchy",
    "pillars",
    "repelling_pits",
    "shallow_pits",
    "doping",
    "setup",
    "tracks",
    "columns",
    "pieces",
    "pits",
)
FLAG_NAMES = ("cylinder", "anarchy", "pillars", "repelling_pits", "shallow_pits", "doping")


def _whole_number(name: str, value: Any, lowest: int, highest: int | None) -> int:
    """``value`` if it is an int within the bounds; ValueError naming the option otherwise."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"{name} must be a whole number, not {value!r}")
    if value < lowest or (highest is not None and value > highest):
        bounds = f"at least {lowest}" if highest is None else f"{lowest}..{highest}"
        raise ValueError(f"{name} must be {bounds}, not {value}")
    return value


def _standard_pits(tracks: int, columns: int) -> tuple[int, ...] | None:
    """The default pits of a board, or None if one of them does not fit (IA-28)."""
    pits = STANDARD_PITS[:tracks]
    return pits if all(pit <= columns - 2 for pit in pits) else None


def _path_round_the_pits_exists(rules: Rules) -> bool:
    """Whether forward steps and sidesteps lead from column 0 to the goal without ever entering a pit (IA-23, IA-24).

    RULING: one way through is enough; it need not start on every track, because no pit lies in column 0 and
    sidesteps connect the whole start column anyway. A board may still have pockets in which a piece is lost for good.
    """
    reached = {(track, 0) for track in rules.all_tracks()}
    to_visit = sorted(reached)
    while to_visit:
        track, column = to_visit.pop()
        if column == rules.goal_column:
            return True  # no sidesteps in the goal column (IA-8), and none needed
        next_fields = [(track, column + 1)]
        for direction in ("up", "down"):
            beside = rules.neighbour(track, direction)
            if beside is not None:
                next_fields.append((beside, column))
        for field in next_fields:
            if field not in reached and rules.pit_column(field[0]) != field[1]:
                reached.add(field)
                to_visit.append(field)
    return False


def check_options(players: int, *, max_turns: int | None = None, **options: Any) -> Rules:
    """The resolved configuration; ValueError (with the name of the option at fault) if it is impossible.

    An option that is None counts as not given (C-6).
    """
    for name in options:
        if name not in OPTION_NAMES:
            raise ValueError(f"{name} is not an option of {GAME}")
    given = {name: value for name, value in options.items() if value is not None}

    _whole_number("players", players, 2, 6)
    if max_turns is not None:
        # RULING: the page gives no range for max_turns; a cap below one turn makes no sense and is refused.
        _whole_number("max_turns", max_turns, 1, None)
    for name in FLAG_NAMES:
        # RULING: flags are True or False only; 0 and 1 are refused.
        if not isinstance(given.get(name, False), bool):
            raise ValueError(f"{name} must be True or False, not {given[name]!r}")

    tracks = _whole_number("tracks", given.get("tracks", 6), 2, 6)
    columns = _whole_number("columns", given.get("columns", 9), 3, 9)
    pieces = _whole_number("pieces", given.get("pieces", 4), 2, 4)
    goal_count = _whole_number("goal_count", given.get("goal_count", min(3, pieces)), 2, 4)  # IA-20
    if goal_count > pieces:
        raise ValueError(f"goal_count must not exceed pieces ({goal_count} > {pieces})")

    cylinder = given.get("cylinder", False)
    if cylinder and tracks < 3:
        raise ValueError("cylinder needs 3 tracks or more")  # IA-21

    setup = given.get("setup", "choice")
    if setup not in ("choice", "random"):
        raise ValueError(f"setup must be 'choice' or 'random', not {setup!r}")

    pits = given.get("pits", _standard_pits(tracks, columns))
    if pits is None:
        raise ValueError(f"pits must be given: the default ones do not fit {columns} columns")
    if not isinstance(pits, (list, tuple)) or len(pits) != tracks:
        raise ValueError(f"pits must be a list with one column for each of the {tracks} tracks, not {pits!r}")
    for pit in pits:
        _whole_number("pits", pit, 1, columns - 2)

    rules = Rules(
        players=players,
        goal_count=goal_count,
        cylinder=cylinder,
        anarchy=given.get("anarchy", False),
        pillars=given.get("pillars", False),
        repelling_pits=given.get("repelling_pits", False),
        shallow_pits=given.get("shallow_pits", False),
        doping=given.get("doping", False),
        setup=setup,
        tracks=tracks,
        columns=columns,
        pieces=pieces,
        pits=tuple(pits),
    )
    if rules.pillars or rules.repelling_pits:
        culprit = "pillars" if rules.pillars else "repelling_pits"
        if not _path_round_the_pits_exists(rules):
            raise ValueError(f"{culprit} with the pits {list(rules.pits)} leave no path to the goal")
    return rules


def recorded_options(rules: Rules) -> dict[str, Any]:
    """What stands under ``options`` in a position: the options that differ from the default (C-6).

    RULING: the default of ``goal_count`` depends on ``pieces`` (IA-20), that of ``pits`` on ``tracks`` and ``columns``
    (IA-28). An option with exactly that dependent default is not recorded, even if it was given. Where the default
    pits do not fit there is no default, so ``pits`` is always recorded.
    """
    defaults = {
        "goal_count": min(3, rules.pieces),
        "setup": "choice",
        "tracks": 6,
        "columns": 9,
        "pieces": 4,
        "pits": _standard_pits(rules.tracks, rules.columns),
    }
    recorded: dict[str, Any] = {}
    for name in OPTION_NAMES:
        value = getattr(rules, name)
        if value != defaults.get(name, False):
            recorded[name] = list(value) if name == "pits" else value
    return recorded


def rules_of(position: dict[str, Any]) -> Rules:
    """The configuration that a position belongs to."""
    return check_options(position["players"], **position.get("options", {}))


def catalogue(players: int, *, max_turns: int | None = None, **options: Any) -> list[str]:
    """All action names of a configuration, in index order ("Action names" and IA-28)."""
    rules = check_options(players, max_turns=max_turns, **options)
    return _catalogue(rules)


def _catalogue(rules: Rules) -> list[str]:
    names = [f"place {track}" for track in rules.all_tracks()]
    for track in rules.all_tracks():
        for column in range(rules.goal_column):
            names += [f"side {track}.{column} up", f"side {track}.{column} down"]
    names.append("stay")
    names += [f"step {column}" for column in range(rules.goal_column)]
    return names


# ------------------------------------------------------------------------------------------------------------------
# Reading a position
# ------------------------------------------------------------------------------------------------------------------


def stack_at(position: dict[str, Any], track: int, column: int) -> list[int]:
    """The owners of the pieces on a field, from bottom to top."""
    stack: list[int] = position["stacks"][track - 1][column]
    return stack


def pieces_on_board(position: dict[str, Any]) -> int:
    """How many pieces stand anywhere on the board, the goal column included."""
    return sum(len(stack) for track in position["stacks"] for stack in track)


def goals(position: dict[str, Any]) -> list[int]:
    """For each seat, its pieces in the goal column, on whatever track."""
    in_goal = [owner for track in position["stacks"] for owner in track[-1]]
    return [in_goal.count(seat) for seat in range(position["players"])]


def pit_is_active(rules: Rules, position: dict[str, Any], track: int) -> bool:
    """IA-7: any piece, of anybody, in a lower column than this track's pit, on any track."""
    return any(
        stack_at(position, other_track, column)
        for other_track in rules.all_tracks()
        for column in range(rules.pit_column(track))
    )


def top_is_free(rules: Rules, position: dict[str, Any], track: int, column: int) -> bool:
    """IA-6: whether the field has a top piece that is neither arrived nor held by an active pit."""
    height = len(stack_at(position, track, column))
    if height == 0 or column == rules.goal_column:
        return False
    if column == rules.pit_column(track) and pit_is_active(rules, position, track):
        # RULING: "idle" is read as "switched off". It shows only in a position that was set up with pieces in a pit
        # under pillars or repelling pits (play never brings them there): shallow pits do nothing then, and an active
        # pit holds the whole stack (IA-7).
        shallow = rules.shallow_pits and not rules.pillars and not rules.repelling_pits
        return shallow and height >= 2  # IA-25: only the lowest piece is held
    return True


def placement_tracks(rules: Rules, position: dict[str, Any]) -> list[int]:
    """IA-3: the tracks on which ``to_play`` may place."""
    mover = position["to_play"]
    heights = {track: len(stack_at(position, track, 0)) for track in rules.all_tracks()}
    lowest = min(heights.values())
    lowest_tracks = [track for track in rules.all_tracks() if heights[track] == lowest]
    if all(mover in stack_at(position, track, 0) for track in lowest_tracks):
        return list(rules.all_tracks())
    return lowest_tracks


def sidestep_is_legal(rules: Rules, position: dict[str, Any], track: int, column: int, direction: str) -> bool:
    """IA-8 with IA-21, IA-22 and IA-23."""
    if not top_is_free(rules, position, track, column):
        return False
    if stack_at(position, track, column)[-1] != position["to_play"] and not rules.anarchy:
        return False
    target_track = rules.neighbour(track, direction)
    if target_track is None:
        return False
    return not (rules.pillars and column == rules.pit_column(target_track))


def step_is_legal(rules: Rules, position: dict[str, Any], column: int) -> bool:
    """IA-9 with IA-23: whether the top piece in this column of the rolled track may step forward."""
    track = position["die"]
    if not top_is_free(rules, position, track, column):
        return False
    return not (rules.pillars and column + 1 == rules.pit_column(track))


def legal(position: dict[str, Any]) -> list[str]:
    """The names of the legal actions in catalogue order; empty when the game is over."""
    rules = rules_of(position)
    phase = position["phase"]
    if phase == "over":
        return []
    if phase == "place":
        return [f"place {track}" for track in placement_tracks(rules, position)]
    if phase == "sidestep":
        names = _legal_sidesteps(rules, position)
        if not names:
            raise ValueError("phase: without a legal sidestep the sidestep phase is skipped (C-4)")
        return [*names, "stay"]
    if phase == "forward":
        names = _legal_steps(rules, position)
        if not names:
            raise ValueError("phase: without a free piece on the rolled track the forward phase is skipped (C-4)")
        return names
    raise ValueError(f"phase: {phase!r} is no phase of a position")


def _legal_sidesteps(rules: Rules, position: dict[str, Any]) -> list[str]:
    return [
        f"side {track}.{column} {direction}"
        for track in rules.all_tracks()
        for column in range(rules.goal_column)
        for direction in ("up", "down")
        if sidestep_is_legal(rules, position, track, column, direction)
    ]


def _legal_steps(rules: Rules, position: dict[str, Any]) -> list[str]:
    return [f"step {column}" for column in range(rules.goal_column) if step_is_legal(rules, position, column)]


# ------------------------------------------------------------------------------------------------------------------
# Moving
# ------------------------------------------------------------------------------------------------------------------


def _copy(position: dict[str, Any], **changes: Any) -> Position:
    """An independent copy of a position with some keys changed; the cap comes along."""
    copied = Position(position)
    copied["stacks"] = [[list(stack) for stack in track] for track in position["stacks"]]
    copied["winners"] = list(position["winners"])
    copied.max_turns = getattr(position, "max_turns", DEFAULT_MAX_TURNS)
    copied.update(changes)
    return copied


def start(players: int, *, max_turns: int | None = None, **options: Any) -> Node:
    """The beginning of a game (IA-2)."""
    rules = check_options(players, max_turns=max_turns, **options)
    position = Position(
        game=GAME,
        players=players,
        phase="place",
        to_play=0,
        die=0,
        stacks=[[[] for _ in range(rules.columns)] for _ in rules.all_tracks()],
        turn=0,
        winners=[],
    )
    if recorded_options(rules):
        position["options"] = recorded_options(rules)
    position.max_turns = DEFAULT_MAX_TURNS if max_turns is None else max_turns
    return Chance("place", position) if rules.setup == "random" else position


def play(position: dict[str, Any], name: str, *, max_turns: int | None = None) -> Node:
    """The node after a decision. ``max_turns`` overrides the cap that the position remembers."""
    if name not in legal(position):
        raise ValueError(f"{name!r} is not legal; legal are {legal(position)}")
    rules = rules_of(position)
    position = _copy(position)
    if max_turns is not None:
        position.max_turns = max_turns

    verb, *details = name.split()
    if verb == "place":
        return _placed(rules, position, track=int(details[0]))
    if verb == "stay":
        return _after_sidestep(rules, position)
    if verb == "side":
        track, column = (int(number) for number in details[0].split("."))
        target_track = rules.neighbour(track, details[1])
        assert target_track is not None
        piece = stack_at(position, track, column).pop()
        _set_down(rules, position, piece, target_track, column)
        return _after_sidestep(rules, position)
    assert verb == "step"
    return _stepped(rules, position, column=int(details[0]))


def outcomes(chance: Chance) -> list[tuple[int, Node]]:
    """The (weight, node) pairs of a chance point, in outcome order."""
    rules = rules_of(chance.before)
    if chance.kind == "place":  # IA-27: outcome k = the k-th track that IA-3 allows, all equally likely
        return [(1, _placed(rules, _copy(chance.before), track)) for track in placement_tracks(rules, chance.before)]
    return [(1, _rolled(rules, _copy(chance.before, die=track))) for track in rules.all_tracks()]  # IA-5


def outcome_count(chance: Chance) -> int:
    """How many outcomes a chance point has."""
    rules = rules_of(chance.before)
    return len(placement_tracks(rules, chance.before)) if chance.kind == "place" else rules.tracks


def _placed(rules: Rules, position: Position, track: int) -> Node:
    """IA-2, IA-4: put down a piece of ``to_play`` at the start of a track; then the next seat, or the race.

    RULING: the placement is over when players * pieces stand on the board.
    """
    stack_at(position, track, 0).append(position["to_play"])
    if pieces_on_board(position) == rules.players * rules.pieces:
        return Chance("roll", _copy(position, to_play=0))
    position["to_play"] = (position["to_play"] + 1) % rules.players
    return Chance("place", position) if rules.setup == "random" else position


def _rolled(rules: Rules, position: Position) -> Node:
    """The die shows its number: the sidestep, if there is one to choose (C-4), comes next."""
    if _legal_sidesteps(rules, position):
        return _copy(position, phase="sidestep")
    return _after_sidestep(rules, position)


def _after_sidestep(rules: Rules, position: Position) -> Node:
    """The forward step, if there is one (IA-9); otherwise the turn ends (IA-10)."""
    if _legal_steps(rules, position):
        return _copy(position, phase="forward")
    return _turn_completed(rules, position)


def _set_down(rules: Rules, position: Position, piece: int, track: int, column: int) -> None:
    """Put a piece on a field that it enters; a repelling pit sends it to the start of that track (IA-24)."""
    if rules.repelling_pits and column == rules.pit_column(track):
        column = 0
    stack_at(position, track, column).append(piece)


def _stepped(rules: Rules, position: Position, column: int) -> Node:
    """IA-9: the top piece in this column of the rolled track moves forward; IA-12 and IA-26 if it arrives.

    RULING: nothing in a position says whether the doped piece is gone, so it is read off the counts: a piece that
    arrives is the first one exactly if all players * pieces still stand on the board. (Pieces in the goal together
    with a full board contradict each other under doping; such a position is not considered here.)
    """
    track = position["die"]
    first_arrival_is_still_to_come = pieces_on_board(position) == rules.players * rules.pieces
    piece = stack_at(position, track, column).pop()
    if rules.doping and first_arrival_is_still_to_come and column + 1 == rules.goal_column:
        return _turn_completed(rules, position)  # the piece is out of the game
    _set_down(rules, position, piece, track, column + 1)
    winners = [seat for seat, count in enumerate(goals(position)) if count >= rules.goal_count]
    if winners:
        # RULING (C-6 names IA-12): the turn that ends the game is cut short, so `turn` stays.
        return _copy(position, phase="over", to_play=None, winners=winners)
    return _turn_completed(rules, position)


def _turn_completed(rules: Rules, position: Position) -> Node:
    """IA-11: the next seat rolls, unless the safety cap is reached (C-8, IA-13).

    RULING: a position that was set up with ``turn`` already at or beyond the cap is truncated when its current turn
    is completed.
    """
    position = _copy(position, turn=position["turn"] + 1)
    if position["turn"] >= position.max_turns:
        return _copy(position, phase="over", to_play=None, winners=[], truncated=True)
    return Chance("roll", _copy(position, to_play=(position["to_play"] + 1) % rules.players))


# ------------------------------------------------------------------------------------------------------------------
# Results
# ------------------------------------------------------------------------------------------------------------------


def result(position: dict[str, Any]) -> dict[str, Any]:
    """Winners, ranks, scores and rewards of a finished game: ``rewards[scheme][seat]`` (C-7, C-8, IA-12).

    RULING: a truncated game pays 0 under every scheme, also ``rank`` and ``score``; its ranks and scores are still
    those of the last position.
    """
    if position["phase"] != "over":
        raise ValueError("phase: the game is not over")
    winners: list[int] = position["winners"]
    scores = goals(position)
    ranks = [1 + sum(other > own for other in scores) for own in scores]
    rewards = payoffs(ranks, scores, winners, truncated=bool(position.get("truncated")))
    return {"winners": list(winners), "ranks": ranks, "scores": scores, "rewards": rewards}


# ------------------------------------------------------------------------------------------------------------------
# Counting and random play
# ------------------------------------------------------------------------------------------------------------------


def children(node: Node) -> list[Node]:
    """All nodes one ply further; none after the end."""
    if isinstance(node, Chance):
        return [child for _, child in outcomes(node)]
    return [play(node, name) for name in legal(node)]


def perft_from(node: Node | dict[str, Any], depth: int) -> int:
    """The number of paths of exactly ``depth`` plies from a node, plus those that end earlier.

    A decision is one ply and so is a chance outcome (counted once each, whatever its weight). A phase that is skipped
    is no ply. A finished game counts as one leaf.
    """
    if depth == 0:
        return 1
    if not isinstance(node, Chance | Position):
        node = _copy(node)
    if isinstance(node, Position) and node["phase"] == "over":
        return 1
    if depth == 1:  # the last ply needs counting only
        return outcome_count(node) if isinstance(node, Chance) else len(legal(node))
    return sum(perft_from(child, depth - 1) for child in children(node))


def perft(players: int, depth: int, *, max_turns: int | None = None, **options: Any) -> int:
    """`perft_from` the start of a game."""
    return perft_from(start(players, max_turns=max_turns, **options), depth)


def random_game(
    players: int, rng: random.Random, *, max_turns: int | None = None, **options: Any
) -> Iterator[tuple[Node, str | int | None]]:
    """Play one game at random: every (node, choice) on its way.

    The choice is an action name at a decision, an outcome index at a chance point, and None at the end.
    """
    node = start(players, max_turns=max_turns, **options)
    while True:
        if isinstance(node, Chance):
            following = outcomes(node)
            index = rng.randrange(len(following))
            yield node, index
            node = following[index][1]
        elif node["phase"] == "over":
            yield node, None
            return
        else:
            name = rng.choice(legal(node))
            yield node, name
            node = play(node, name)


# ------------------------------------------------------------------------------------------------------------------
# The frozen counts
# ------------------------------------------------------------------------------------------------------------------

Wanted = Callable[[Position], bool]


def _highest_stack(position: Position) -> int:
    """The height of the highest stack outside the start and goal columns."""
    return max(len(stack) for track in position["stacks"] for stack in track[1:-1])


def _tall_stack(position: Position) -> bool:
    return _highest_stack(position) >= 4


def _pieces_in_active_pits(position: Position) -> int:
    rules = rules_of(position)
    return sum(
        len(stack_at(position, track, rules.pit_column(track)))
        for track in rules.all_tracks()
        if pit_is_active(rules, position, track)
    )


def _pits_at_work(position: Position) -> bool:
    return _pieces_in_active_pits(position) >= 3 and _highest_stack(position) >= 3


def _one_short_of_winning(position: Position) -> bool:
    """Some seat needs one more piece, and one of its pieces stands on top just before the goal."""
    rules = rules_of(position)
    in_goal = goals(position)
    tops = [stack_at(position, track, rules.goal_column - 1)[-1:] for track in rules.all_tracks()]
    return any(top and in_goal[top[0]] == rules.goal_count - 1 for top in tops)


def _first_arrival_ahead(position: Position) -> bool:
    """Nobody has arrived yet, but the rolled track has a piece that can arrive now."""
    rules = rules_of(position)
    return (
        position["die"] > 0
        and pieces_on_board(position) == rules.players * rules.pieces
        and not any(goals(position))
        and f"step {rules.goal_column - 1}" in _legal_steps(rules, position)
    )


def _stuck_before_a_pit(position: Position) -> bool:
    """A free piece stands directly before the pit of the rolled track."""
    rules = rules_of(position)
    track = position["die"]
    return (
        track > 0 and rules.pit_column(track) > 1 and top_is_free(rules, position, track, rules.pit_column(track) - 1)
    )


def _deep_stack_in_a_pit(position: Position) -> bool:
    rules = rules_of(position)
    return any(
        len(stack_at(position, track, rules.pit_column(track))) >= 3 and pit_is_active(rules, position, track)
        for track in rules.all_tracks()
    )


def _sidestep_over_the_edge(position: Position) -> bool:
    rules = rules_of(position)
    return any(
        sidestep_is_legal(rules, position, track, column, direction)
        for column in range(1, rules.goal_column)
        for track, direction in ((1, "up"), (rules.tracks, "down"))
    )


def _in_the_race(position: Position) -> bool:
    return int(position["turn"]) >= 12


@dataclass(frozen=True)
class Wish:
    """A mid-game position to look for: the first decision of seeded random play that shows what is wanted.

    The counts of the position must change if any single option in ``depends_on`` is left out: a walker that forgets
    the option is then found out by the counts.
    """

    about: str
    players: int
    options: dict[str, Any]
    phase: str
    wanted: Wanted
    depends_on: tuple[str, ...] = ()
    turns_to_the_cap: int | None = None


TINY_BOARD = {"tracks": 2, "columns": 3, "pieces": 2, "pits": [1, 1]}
SMALL_BOARD = {"tracks": 3, "columns": 5, "pieces": 2, "pits": [2, 1, 3]}
WISHES = (
    Wish("default, early race", 2, {}, "sidestep", _in_the_race),
    Wish("default, active pits and stacks", 3, {}, "sidestep", _pits_at_work),
    Wish("default, active pits and stacks", 5, {}, "forward", _pits_at_work),
    Wish("default, a tall stack", 6, {}, "sidestep", _tall_stack),
    Wish("default, one step from the end", 2, {}, "sidestep", _one_short_of_winning),
    Wish("default, one step from the end", 4, {}, "sidestep", _one_short_of_winning),
    Wish("default, two turns before the cap", 2, {}, "sidestep", _pits_at_work, turns_to_the_cap=2),
    Wish("goal_count 2, near the end", 3, {"goal_count": 2}, "forward", _one_short_of_winning, ("goal_count",)),
    Wish("goal_count 4, near the end", 2, {"goal_count": 4}, "sidestep", _one_short_of_winning, ("goal_count",)),
    Wish("cylinder over the edge", 2, {"cylinder": True}, "sidestep", _sidestep_over_the_edge, ("cylinder",)),
    Wish("anarchy with active pits", 4, {"anarchy": True}, "sidestep", _pits_at_work, ("anarchy",)),
    Wish("pillars", 2, {"pillars": True}, "sidestep", _stuck_before_a_pit, ("pillars",)),
    Wish("repelling pits", 4, {"repelling_pits": True}, "sidestep", _stuck_before_a_pit, ("repelling_pits",)),
    Wish("shallow pits", 4, {"shallow_pits": True}, "sidestep", _deep_stack_in_a_pit, ("shallow_pits",)),
    Wish("doping, first arrival ahead", 2, {"doping": True}, "forward", _first_arrival_ahead),
    Wish("doping, first arrival ahead", 5, {"doping": True, "goal_count": 4}, "sidestep", _first_arrival_ahead),
    Wish("doping, near the end", 3, {"doping": True, "setup": "random"}, "sidestep", _one_short_of_winning),
    Wish(
        "doping on a small board",
        2,
        {**SMALL_BOARD, "pieces": 3, "goal_count": 2, "doping": True},
        "sidestep",
        _first_arrival_ahead,
        ("doping",),
    ),
    Wish(
        "pillars on a cylinder with a random setup",
        3,
        {"pillars": True, "cylinder": True, "setup": "random"},
        "sidestep",
        _stuck_before_a_pit,
        ("pillars", "cylinder"),
    ),
    Wish(
        "repelling pits make shallow ones idle, anarchy",
        2,
        {"repelling_pits": True, "shallow_pits": True, "anarchy": True},
        "sidestep",
        _stuck_before_a_pit,
        ("repelling_pits", "anarchy"),
    ),
    Wish(
        "shallow pits on a cylinder under anarchy",
        3,
        {"shallow_pits": True, "cylinder": True, "anarchy": True},
        "sidestep",
        _deep_stack_in_a_pit,
        ("shallow_pits", "cylinder", "anarchy"),
    ),
    Wish("a small board", 2, SMALL_BOARD, "sidestep", _one_short_of_winning),
    Wish(
        "a small cylinder, all options",
        2,
        {
            **SMALL_BOARD,
            "cylinder": True,
            "anarchy": True,
            "pillars": True,
            "repelling_pits": True,
            "shallow_pits": True,
            "doping": True,
        },
        "sidestep",
        _in_the_race,
        ("cylinder", "anarchy", "pillars"),
    ),
    Wish(
        "two long tracks with repelling pits",
        2,
        {"tracks": 2, "pieces": 3, "goal_count": 2, "repelling_pits": True},
        "sidestep",
        _stuck_before_a_pit,
        ("repelling_pits",),
    ),
    Wish("five tracks, own pits", 6, {"tracks": 5, "columns": 7, "pits": [1, 5, 3, 3, 2]}, "forward", _pits_at_work),
)
# (players, options and perhaps max_turns, depth)
STARTS: tuple[tuple[int, dict[str, Any], int], ...] = (
    (2, {}, 9),
    (3, {}, 7),
    (4, {}, 7),
    (5, {}, 7),
    (6, {}, 7),
    (2, {"setup": "random"}, 9),
    (3, {"setup": "random", "tracks": 4, "pieces": 2}, 8),
    (2, SMALL_BOARD, 8),
    (2, TINY_BOARD, 14),
    (2, {**TINY_BOARD, "max_turns": 2}, 12),
)
ENOUGH_LEAVES = 3000  # a position is counted ply by ply until this many leaves ..
DEEPEST = 8  # .. or this depth is reached, whichever comes first, ..
SHALLOWEST = 4  # .. but at least to this depth


def counts_ply_by_ply(position: Position) -> list[int]:
    """The counts to depth 1, 2, .. until there are enough leaves."""
    counts: list[int] = []
    while len(counts) < SHALLOWEST or (len(counts) < DEEPEST and counts[-1] < ENOUGH_LEAVES):
        counts.append(perft_from(position, len(counts) + 1))
    return counts


def depends_on_option(position: Position, name: str) -> bool:
    """Whether the counts of a position change when one of its options is left out."""
    remaining = {other: value for other, value in position["options"].items() if other != name}
    return counts_ply_by_ply(position) != counts_ply_by_ply(_copy(position, options=remaining))


def find_position(wish: Wish, seed: int) -> Position:
    """The first decision that fulfils a wish, in random games with the seeds from ``seed`` on."""
    for game in range(100):
        for node, _ in random_game(wish.players, random.Random(seed + game), **wish.options):
            if (
                isinstance(node, Position)
                and node["phase"] == wish.phase
                and wish.wanted(node)
                and all(depends_on_option(node, name) for name in wish.depends_on)
            ):
                return node
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
