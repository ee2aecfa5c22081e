"""Names of actions and outcomes: one table gives the catalogue, its length and its documentation."""

from __future__ import annotations

import functools
from typing import Any

from hopenvs.core.errors import nearest
from hopenvs.core.jit import plain_twin
from hopenvs.games.hedgehog_hop.battle import phases, rules
from hopenvs.games.hedgehog_hop.battle.crews import NONE
from hopenvs.games.hedgehog_hop.battle.options import MIN_PLAYERS, Options
from hopenvs.games.hedgehog_hop.cards import CARDS, NAMES, take

SOURCES = ("hand", "audition", "pile")


@functools.cache
def catalogue(o: Options) -> tuple[str, ...]:
    """Every action's name, in order of its index (HH: Decisions)."""
    first, count = int(rules.FIRST_TARGET[o.players]), int(rules.TARGETS[o.players])
    hops = [f"c{column} left{left}" for column in range(2) for left in range(first, first + count)]
    crew, collect = [f"crew {name}" for name in NAMES], [f"collect {name}" for name in NAMES]
    if o.players > MIN_PLAYERS:
        plans = [f"plan {name}" for name in NAMES]
        return (*crew, *plans, "push r0", "push r1", *(f"push {hop}" for hop in hops), *collect)
    plays = [
        f"{source} {name} {way}"
        for source in SOURCES
        for card, name in enumerate(NAMES)
        for way in (hops if card < rules.HOPS else ("r0", "r1"))
    ]
    return (*crew, *plays, *collect, *(f"discard {name}" for name in NAMES))


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
        forms = (
            "crew CARD, hand|audition|pile CARD rR, hand|audition|pile CARD cC leftK, collect CARD or discard CARD"
            if o.players == MIN_PLAYERS
            else "crew CARD, plan CARD, push rR, push cC leftK or collect CARD"
        )
        raise ValueError(f"unknown action {name!r}{nearest(name, catalogue(o))}: expected {forms}") from None


def describe(o: Options, s: Any, action: int) -> str:
    """The action in absolute words: a hop names the seat it is against, a push the planned card (HH-55)."""
    words = action_name(o, action).split(" ")
    if words[0] == "push" and s.planned[s.mover] != NONE:
        words.insert(1, NAMES[s.planned[s.mover]])
    if words[-1].startswith("left"):
        words[-1] = f"player {(s.mover + int(words[-1].removeprefix('left'))) % o.players}"
    return " ".join(words)


def told_action(o: Options, s: Any, seat: int, action: int) -> str:
    """What a seat learns of another's action: crews are laid and plans made unseen (HH-40, HH-54)."""
    told = describe(o, s, action)
    hidden = s.phase in (phases.CREW, phases.PLAN) and seat != s.current_player
    return told.partition(" ")[0] if hidden else told


def told_outcome(o: Options, s: Any, seat: int, k: int) -> str:
    """What a seat learns of a card dealt or drawn: others' cards come to their hands unseen (HH-40, HH-47)."""
    told = outcome_name(o, s, k)
    if s.phase == phases.DEAL:
        owner = s.dealt // rules.HAND_SIZE
    elif s.phase == phases.DRAW:
        owner = s.mover
    else:
        return told
    return told if seat == owner else f"{told.partition(' ')[0]} a card for player {owner}"


def outcome_name(o: Options, s: Any, k: int) -> str:
    """`deal CARD` in the set-up, `audition CARD` when the line is filled, `draw CARD` for a hand."""
    pile = [s.draw[card] for card in range(CARDS)]
    verb = {phases.DEAL: "deal", phases.LINE: "audition", phases.REFILL: "audition"}.get(s.phase, "draw")
    return f"{verb} {NAMES[plain_twin(take)(pile, k)]}"
