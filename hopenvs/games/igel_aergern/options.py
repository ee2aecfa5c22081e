"""Options of Igel Ärgern (IA-13, IA-20 to IA-28)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from hopenvs.core.errors import OptionError
from hopenvs.core.options import UNUSED, Option

MAX_PLAYERS = 6
MAX_TRACKS = 6
MAX_COLUMNS = 9
MAX_PIECES = 4
PRINTED_PITS = (3, 6, 4, 5, 2, 7)  # IA-1: the pit's column on track 1, 2, ...

SETUP_CHOICE, SETUP_RANDOM = 0, 1

OPTIONS: tuple[Option, ...] = (
    Option("players", 2, "How many play.", 2, MAX_PLAYERS, clause="IA-2"),
    Option("goal_count", None, "Pieces in the goal that win; 3, or `pieces` if smaller.", 2, 4, clause="IA-20"),
    Option("cylinder", False, "The first and the last track are neighbours.", clause="IA-21"),
    Option("anarchy", False, "The sidestep may take any player's free piece.", clause="IA-22"),
    Option("pillars", False, "Pits can't be entered.", clause="IA-23"),
    Option("repelling_pits", False, "A piece that enters a pit goes back to the start.", clause="IA-24"),
    Option("shallow_pits", False, "An active pit holds only the lowest piece of its stack.", clause="IA-25"),
    Option("doping", False, "The first piece that reaches the goal is taken out of the game.", clause="IA-26"),
    Option("setup", "choice", "Who places the pieces.", choices=("choice", "random"), clause="IA-27"),
    Option("tracks", MAX_TRACKS, "Tracks of the board, and sides of the die.", 2, MAX_TRACKS, clause="IA-28"),
    Option("columns", MAX_COLUMNS, "Columns from start to goal, both counted.", 3, MAX_COLUMNS, clause="IA-28"),
    Option("pieces", MAX_PIECES, "Pieces a player.", 2, MAX_PIECES, clause="IA-28"),
    Option(
        "pits", None, "The pit's column on each track; by default the printed ones, if they fit.", 1, MAX_COLUMNS - 2,
        length=MAX_TRACKS, clause="IA-28",
    ),
    Option("max_turns", 2000, "Turns until truncation.", 1, 2**31 - 1, in_position=False, clause="IA-13"),
)  # fmt: skip


class Options(NamedTuple):
    """The options as the rules read them."""

    players: int = 2
    goal_count: int = 3
    cylinder: int = 0
    anarchy: int = 0
    pillars: int = 0
    repelling_pits: int = 0
    shallow_pits: int = 0
    doping: int = 0
    setup: int = SETUP_CHOICE
    tracks: int = MAX_TRACKS
    columns: int = MAX_COLUMNS
    pieces: int = MAX_PIECES
    pits: tuple[int, ...] = PRINTED_PITS
    max_turns: int = 2000


def complete_options(codes: Mapping[str, Any]) -> dict[str, Any]:
    """Derive `goal_count` and `pits` where they are None."""
    completed = dict(codes)
    if completed["goal_count"] is None:
        completed["goal_count"] = min(3, completed["pieces"])  # IA-20
    if completed["pits"] is None:
        printed = PRINTED_PITS[: completed["tracks"]]
        fits = max(printed) <= completed["columns"] - 2
        completed["pits"] = printed if fits else ()  # IA-28: then there is no default
    return completed


def check_options(o: Options) -> None:
    """Refuse impossible combinations (IA-20, IA-21, IA-23, IA-24, IA-28)."""
    if o.goal_count > o.pieces:
        raise OptionError(f"option goal_count={o.goal_count}: expected at most pieces={o.pieces}")
    pits = tuple(p for p in o.pits if p != UNUSED)
    if not pits:
        raise OptionError(
            f"option pits is required with tracks={o.tracks}, columns={o.columns}: "
            f"the printed pits {PRINTED_PITS[: o.tracks]} don't fit"
        )
    if len(pits) != o.tracks:
        raise OptionError(f"option pits={pits}: expected one column for each of the {o.tracks} tracks")
    if max(pits) > o.columns - 2:
        raise OptionError(f"option pits={pits}: expected columns from 1 to columns-2={o.columns - 2}")
    if o.cylinder and o.tracks < 3:
        raise OptionError(f"option cylinder=True: expected at least 3 tracks, not tracks={o.tracks}")
    if (o.pillars or o.repelling_pits) and not _goal_can_be_reached(o):
        name = "pillars" if o.pillars else "repelling_pits"
        raise OptionError(f"option {name}=True: no path leads round the pits {pits} to the goal")


def _goal_can_be_reached(o: Options) -> bool:
    """Whether steps and sidesteps lead from every start field to the goal without entering a pit."""
    pits = o.pits[: o.tracks]
    reached = {(t, 0) for t in range(o.tracks)}  # IA-3: a piece can be made to start on any track
    frontier = list(reached)
    while frontier:
        track, column = frontier.pop()
        if column == o.columns - 1:
            return True
        beside = [track - 1, track + 1]
        if o.cylinder:
            beside = [t % o.tracks for t in beside]
        fields = [(t, column) for t in beside if 0 <= t < o.tracks] + [(track, column + 1)]
        for field in fields:
            if field[1] != pits[field[0]] and field not in reached:
                reached.add(field)
                frontier.append(field)
    return False
