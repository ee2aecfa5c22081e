"""Names of actions and outcomes: one table gives the catalogue, its length and its documentation."""

from __future__ import annotations

import functools
from typing import Any

from hopenvs.core.errors import nearest
from hopenvs.core.jit import plain_twin
from hopenvs.games.igel_aergern import rules
from hopenvs.games.igel_aergern.options import Options

DIRECTIONS = ("up", "down")


@functools.cache
def catalogue(o: Options) -> tuple[str, ...]:
    """Every action's name, in order of its index (IA: Decisions and phases; IA-28)."""
    tracks, columns = range(1, o.tracks + 1), range(o.columns - 1)
    return (
        *(f"place {t}" for t in tracks),
        *(f"side {t}.{c} {direction}" for t in tracks for c in columns for direction in DIRECTIONS),
        "stay",
        *(f"step {c}" for c in columns),
    )


@functools.cache
def _index(o: Options) -> dict[str, int]:
    return {name: action for action, name in enumerate(catalogue(o))}


def action_name(o: Options, action: int) -> str:
    """The catalogue's name of an action."""
    return catalogue(o)[action]


def parse_action(o: Options, name: str) -> int:
    """The action of a name; ValueError if there is none."""
    try:
        return _index(o)[name]
    except (KeyError, TypeError):
        raise ValueError(
            f"unknown action {name!r}{nearest(name, catalogue(o))}: expected place T, side T.C up|down, stay or step C"
        ) from None


def describe(o: Options, s: Any, action: int) -> str:
    """The action in absolute words; `step C` also names its track."""
    name = action_name(o, action)
    return f"step {s.die}.{name.removeprefix('step ')}" if name.startswith("step") else name


def outcome_name(o: Options, s: Any, k: int) -> str:
    """`roll 4`, or `place 2` where chance places (IA-27)."""
    if s.phase == rules.PLACE:
        return f"place {1 + plain_twin(rules.nth_placement)(o, s, k)}"
    return f"roll {k + 1}"
