"""Positions of HOP! in a few words.

A deck is a word a dare: the helpers it asks for, `-`, `a`, `t` or `at`, and if it matters the hundredths of its chance:
`"- a t60 at"`. Clouds are a word a seat: their values ascending, `-` for none: `"- 012 22"`. Bets are a word a seat:
`"h u -"`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from hopenvs.core.options import changed_options, parse_options
from hopenvs.core.walk import Walk, walk_of
from hopenvs.games import hop

GAME: Any = hop  # Any: a package's imported names count as its own here

KINDS = "- a t at"
BETS = {"-": None, "h": "happy", "u": "unhappy"}
ROLES = ("skewerer", "assister", "turbulator")


def deck(words: str) -> list[dict[str, Any]]:
    """The `dares` of a deck in short; a chance that isn't given is 0.5."""
    dares = []
    for number, word in enumerate(words.split()):
        helpers = word.rstrip("0123456789")
        base = int(word[len(helpers) :] or 50) / 100
        dares.append({"id": number, "base": base, "assister": "a" in helpers, "turbulator": "t" in helpers})
    return dares


def options_of(*, dares: Any = None, **keywords: Any) -> Any:
    """Compiled options; three players if nothing else is said, a deck in short or as a list."""
    given = {"dares": deck(dares)} if isinstance(dares, str) else {"dares": dares}
    return parse_options(GAME, {"players": 3} | given | keywords)


def new_game(seed: int = 0, **keywords: Any) -> Walk:
    """The start of a game."""
    walk = Walk(GAME, options_of(**keywords))
    walk.start(seed)
    return walk


def position_of(
    players: int = 3,
    *,
    phase: str = "skewerer",
    hurler: int = 0,
    to_play: int | None = None,
    dare: int | None = None,
    bets: str | None = None,
    levels: Sequence[int] | None = None,
    balloons: Sequence[int] | None = None,
    doves: Sequence[int] | None = None,
    crows: Sequence[int] | None = None,
    clouds: str | None = None,
    left: Sequence[int] | None = None,
    put_away: Sequence[int] = (),
    turn: int | None = None,
    success: bool = True,
    winners: Sequence[int] = (),
    skills: Sequence[Sequence[float]] | None = None,
    dares: Any = KINDS,
    **roles: int,
) -> dict[str, Any]:
    """A position. What isn't said is as at the start, or follows from the rest.

    Args:
        players: how many.
        phase: as in the position.
        hurler: as in the position.
        to_play: by default the hurler; while they bet, the first who can.
        dare: as in the position.
        bets: a word a seat.
        levels: as in the position.
        balloons: as in the position.
        doves: as in the position.
        crows: as in the position.
        clouds: a word a seat.
        left: how many tokens of each value are left; seat `hurler` has the rest, besides its `clouds`.
        put_away: as in the position; what is neither there nor in play is in the deck.
        turn: by default the hurler's first turn, when over one more.
        success: of the last throw, if there was one.
        winners: as in the position.
        skills: as in the position.
        dares: the deck.
        **roles: `skewerer`, `assister`, `turbulator`.
    """
    o = options_of(players=players, dares=dares)
    over = phase == "over"
    taken = [hurler, *roles.values()]
    order = [(hurler + k) % players for k in range(players)]
    if to_play is None:
        to_play = next(seat for seat in order if seat not in taken) if phase == "bet" else hurler
    held = [[int(value) for value in word if value != "-"] for word in (clouds or "- " * players).split()]
    if left is not None:
        gone = Counter(value for row in held for value in row)
        for value in range(3):
            held[hurler] += [value] * (12 - left[value] - gone[value])
        held[hurler].sort()
    gone = Counter(value for row in held for value in row)
    if turn is None:
        turn = hurler + over
    position = {
        "game": "hop",
        "players": players,
        "phase": phase,
        "to_play": None if over else to_play,
        "hurler": hurler,
        **{role: roles.get(role) for role in ROLES},
        "dare": dare,
        "bets": [BETS[word] for word in (bets or "- " * players).split()],
        "levels": list(levels or [1] * players),
        "balloons": list(balloons or [5] * players),
        "doves": list(doves or [0] * players),
        "crows": list(crows or [0] * players),
        "clouds": held,
        "cloud_pool": [12 - gone[value] for value in range(3)],
        "deck": [row.id for row in o.dares.dares if row.id not in (*put_away, dare)],
        "put_away": list(put_away),
        "skills": [list(row) for row in skills or [[0.0] * 4] * players],
        "turn": turn,
        "last_throw": {"success": success} if turn else None,
        "winners": list(winners),
    }
    changed = changed_options(GAME, o, for_position=True)
    return position | {"options": changed} if changed else position


def table(
    players: int = 3,
    *,
    names: Sequence[str] = (),
    max_turns: int | None = None,
    skills: Sequence[Sequence[float]] | None = None,
    dares: Any = KINDS,
    **keywords: Any,
) -> Walk:
    """A game at a position (see `position_of`), some moves and outcomes played (see `play`); skills are given ones."""
    o = options_of(players=players, dares=dares, skills=skills, max_turns=max_turns)
    position = position_of(players, skills=skills, dares=dares, **keywords)
    return play(walk_of(GAME, o, position), *names)


def play(walk: Walk, *names: str) -> Walk:
    """Play moves and outcomes by name, clouds without their owner (`cloud 2`); the same walk."""
    for name in names:
        if walk.is_chance:
            outcomes = outcomes_of(walk)
            assert name in outcomes, f"{name} isn't among {sorted(set(outcomes))}"
            walk.happen(outcomes.index(name))
        else:
            walk.play_named(name)
    return walk


def outcomes_of(walk: Walk) -> list[str]:
    """The names of all outcomes of the chance point, clouds and skills without their owner."""
    names = [GAME.outcome_name(walk.options, walk.record, k) for k in range(len(walk.outcomes()))]
    return [" ".join(name.split()[2:]) if name.startswith("player") else name for name in names]


def owner(walk: Walk) -> int:
    """Who draws the cloud, or has the skill, that is due."""
    return int(GAME.outcome_name(walk.options, walk.record, 0).split()[1])


def row(walk: Walk, field: str) -> list[int]:
    """A number a seat: `level`, `balloons`, `doves`, `crows`; at chance points too."""
    return [int(getattr(walk.record, field)[seat]) for seat in range(walk.options.players)]


def clouds(walk: Walk) -> str:
    """Everybody's clouds, in short; at chance points too."""
    held = walk.record.clouds
    words = ["".join(str(v) * held[seat, v] for v in range(3)) for seat in range(walk.options.players)]
    return " ".join(word or "-" for word in words)


def stage(walk: Walk) -> tuple[str, int | None]:
    """Phase, and who is to play."""
    position = walk.position()
    return position["phase"], position["to_play"]
