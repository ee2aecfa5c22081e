"""Positions of Igel Ärgern in a line of text, as the rules page writes them.

`"2:4 RB, 6:2 B"` is a red piece under a blue one on track 2, column 4, and a blue one on track 6, column 2. Seats 0
to 5 are called R B G Y P W.
"""

from __future__ import annotations

from typing import Any

from hopenvs.core.options import changed_options, parse_options
from hopenvs.core.state import CHANCE
from hopenvs.core.walk import Walk, walk_of
from hopenvs.games import igel_aergern
from hopenvs.games.igel_aergern import rules
from hopenvs.games.igel_aergern.options import MAX_PIECES

GAME: Any = igel_aergern  # Any: a package's imported names count as its own here

SEATS = "RBGYPW"
R, B, G, Y, P, W = range(6)


def options_of(**keywords: Any) -> Any:
    """Compiled options; two players if nothing else is said."""
    return parse_options(GAME, keywords)


def new_game(**keywords: Any) -> Walk:
    """The start of a game."""
    return walk_of(GAME, options_of(**keywords))


def stacks(o: Any, text: str, gone: int | None = None) -> list[list[list[int]]]:
    """The `stacks` of a position.

    Args:
        o: compiled options.
        text: the fields with pieces on them. Pieces of a seat that it doesn't name have arrived: they lie in the goal
            on track 1. (A seat with `goal_count` pieces there would have won, so name enough of them.)
        gone: the seat whose piece was taken out of the game (IA-26).
    """
    laid: list[list[list[int]]] = [[[] for _ in range(o.columns)] for _ in range(o.tracks)]
    left = {seat: o.pieces - (seat == gone) for seat in range(o.players)}
    for field in filter(None, text.split(", ")):
        place, letters = field.split(" ")
        track, column = map(int, place.split(":"))
        for letter in letters:
            laid[track - 1][column].append(SEATS.index(letter))
            left[SEATS.index(letter)] -= 1
    assert min(left.values()) >= 0, f"{text!r} names too many pieces of a seat: left are {left}"
    laid[0][-1] += [seat for seat, n in left.items() for _ in range(n)]
    return laid


def position_of(
    text: str,
    *,
    phase: str = "sidestep",
    to_play: int | None = R,
    die: int = 1,
    turn: int = 30,
    winners: tuple[int, ...] = (),
    gone: int | None = None,
    **keywords: Any,
) -> dict[str, Any]:
    """The position dict of a moment in the race; `keywords` are the options."""
    o = options_of(**keywords)
    position: dict[str, Any] = {
        "game": "igel_aergern",
        "players": o.players,
        "phase": phase,
        "to_play": to_play,
        "die": die,
        "stacks": stacks(o, text, gone),
        "turn": turn,
        "winners": list(winners),
    }
    changed = changed_options(GAME, o, for_position=True)
    return position | {"options": changed} if changed else position


def race(text: str, *, max_turns: int | None = None, **given: Any) -> Walk:
    """A decision of the race, set up as `position_of` says."""
    keywords = {k: v for k, v in given.items() if k in GAME.Options._fields}
    return walk_of(GAME, options_of(max_turns=max_turns, **keywords), position_of(text, **given))


def before_roll(text: str, *, to_play: int = R, max_turns: int | None = None, **given: Any) -> Walk:
    """The moment before `to_play` rolls.

    Chance points have no position: an ended game is set up, where no phase can contradict the stacks, and goes on.
    """
    ended = position_of(text, phase="over", to_play=None, **given)
    keywords = {k: v for k, v in given.items() if k in GAME.Options._fields}
    walk = walk_of(GAME, options_of(max_turns=max_turns, **keywords), ended | {"truncated": True})
    record = walk.record
    record.truncated, record.phase, record.mover, record.current_player = 0, rules.ROLL, to_play, CHANCE
    for seat in range(len(record.ranks)):
        record.ranks[seat] = record.scores[seat] = 0
    walk.batch.load(walk.states.copy())
    return walk


def placing_position(text: str, **keywords: Any) -> dict[str, Any]:
    """The position dict of a placement.

    Args:
        text: the start stack of each track, `-` for an empty one; who places follows from how many pieces there are.
        **keywords: the options.
    """
    fields = [f"{track}:0 {letters}" for track, letters in enumerate(text.split(" "), 1) if letters != "-"]
    o = options_of(**keywords)
    laid = stacks(o, ", ".join(fields))
    laid[0][-1] = []  # what isn't named is still in hand
    count = sum(len(stack) for track in laid for stack in track)
    return position_of("", phase="place", to_play=count % o.players, die=0, turn=0, **keywords) | {"stacks": laid}


def placing(text: str, **keywords: Any) -> Walk:
    """A placement decision, set up as `placing_position` says."""
    return walk_of(GAME, options_of(**keywords), placing_position(text, **keywords))


def stack(walk: Walk, field: str) -> str:
    """The letters of the pieces on a field such as `2:4`, from bottom to top; at chance points too."""
    track, column = map(int, field.split(":"))
    letters, piece = "", walk.record.top[track - 1, column]
    while piece != rules.NONE:
        letters = SEATS[piece // MAX_PIECES] + letters
        piece = walk.record.below[piece]
    return letters


def board(walk: Walk) -> str:
    """The whole board as text, without the goal column."""
    o = walk.options
    fields = [f"{track}:{column}" for track in range(1, o.tracks + 1) for column in range(o.columns - 1)]
    return ", ".join(f"{field} {stack(walk, field)}" for field in fields if stack(walk, field))


def goal(walk: Walk) -> list[int]:
    """How many pieces of each seat lie in the goal column."""
    o = walk.options
    letters = "".join(stack(walk, f"{track}:{o.columns - 1}") for track in range(1, o.tracks + 1))
    return [letters.count(SEATS[seat]) for seat in range(o.players)]


def roll(walk: Walk, number: int) -> Walk:
    """The die shows `number`."""
    assert walk.is_chance
    walk.happen(number - 1)
    return walk


def sides(walk: Walk) -> list[str]:
    """The legal sidesteps of a sidestep decision, without the word: `["2.4 up", ...]`."""
    names = walk.legal_names()
    assert names[-1] == "stay"
    return [name.removeprefix("side ") for name in names[:-1]]


def steps(walk: Walk) -> list[str]:
    """The legal steps of the turn if its sidestep is declined."""
    if walk.legal_names()[-1] == "stay":
        walk.play_named("stay")
    return [] if walk.is_chance else walk.legal_names()


def places(*tracks: int) -> list[str]:
    """The names of placements."""
    return [f"place {track}" for track in tracks]


def place_all(walk: Walk) -> list[int]:
    """Place on the first open track to the end of the placement; returns who placed."""
    movers = []
    while not walk.is_chance:
        movers.append(walk.current_player)
        walk.play_named(walk.legal_names()[0])
    return movers
