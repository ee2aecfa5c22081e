"""Positions of Igel Ärgern that are made up for drawing; whether play can reach them doesn't matter here."""

from __future__ import annotations

import random
from typing import Any


def position(cells: dict[tuple[int, int], list[int]] | None = None, **keys: Any) -> dict[str, Any]:
    """Return a position with the given stacks by (track from 1, column); `tracks` and `columns` make the board."""
    tracks, columns = keys.pop("tracks", 6), keys.pop("columns", 9)
    stacks: list[list[list[int]]] = [[[] for _ in range(columns)] for _ in range(tracks)]
    for (track, column), owners in (cells or {}).items():
        stacks[track - 1][column] = list(owners)
    base = {"game": "igel_aergern", "players": 3, "phase": "sidestep", "to_play": 1, "die": 2, "turn": 5, "winners": []}
    return base | {"stacks": stacks} | keys


def scattered(seed: int, players: int, tracks: int = 6, columns: int = 9, pieces: int = 4) -> dict[str, Any]:
    """Return a position of a race with all pieces somewhere, often on top of each other."""
    draw = random.Random(seed)
    stacks: list[list[list[int]]] = [[[] for _ in range(columns)] for _ in range(tracks)]
    owners = [seat for seat in range(players) for _ in range(pieces)]
    draw.shuffle(owners)
    spots = [(draw.randrange(tracks), draw.randrange(columns)) for _ in range(max(3, len(owners) // 3))]
    for owner in owners:
        track, column = draw.choice(spots)
        stacks[track][column].append(owner)
    options: dict[str, Any] = {}
    if (tracks, columns, pieces) != (6, 9, 4):
        pits = [1 + draw.randrange(columns - 2) for _ in range(tracks)]
        options = {"tracks": tracks, "columns": columns, "pieces": pieces, "pits": pits}
    found = position(
        tracks=tracks,
        columns=columns,
        players=players,
        phase=draw.choice(["sidestep", "forward"]),
        to_play=draw.randrange(players),
        die=1 + draw.randrange(tracks),
        turn=seed,
    )
    return found | {"stacks": stacks} | ({"options": options} if options else {})


START = position(phase="place", to_play=0, die=0, turn=0)
PLACEMENT = position({(1, 0): [0, 1], (2, 0): [2], (5, 0): [0]}, phase="place", to_play=1, die=0, turn=0)
RACE = position(
    {(1, 3): [2], (2, 5): [0, 1, 2, 0, 1, 1], (3, 3): [1], (4, 8): [0], (6, 1): [2, 0], (5, 2): [2]}, die=3, turn=17
)
TALL = position({(1, 0): [0, 1, 2, 3, 4, 5] * 4}, players=6, phase="forward", to_play=4, die=1)
END = position(
    {(1, 8): [1, 1], (2, 8): [0, 1], (3, 2): [0, 2]}, phase="over", to_play=None, die=2, turn=60, winners=[1]
)
TRUNCATED = position({(1, 8): [1], (3, 2): [0, 2]}, phase="over", to_play=None, die=2, turn=2000, truncated=True)
FORFEITED = position({(1, 0): [1]}, phase="over", to_play=None, die=0, turn=0, winners=[0, 2])
STUDY = position({(1, 0): [0], (1, 1): [1], (2, 0): [0, 1]}, tracks=2, columns=3, players=2, die=2) | {
    "options": {"tracks": 2, "columns": 3, "pieces": 2, "goal_count": 2, "pits": [1, 1]}
}
ALL = {
    "start": START, "placement": PLACEMENT, "race": RACE, "tall": TALL, "end": END, "truncated": TRUNCATED,
    "forfeited": FORFEITED, "study": STUDY,
}  # fmt: skip
