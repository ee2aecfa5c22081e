"""Names of actions and outcomes: one table gives the catalogue, its length and its documentation."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

from hopenvs.core.errors import nearest
from hopenvs.core.jit import plain_twin
from hopenvs.games.hop import rules
from hopenvs.games.hop.options import Options

ROLES = ("skewerer", "assister", "turbulator")  # in the order of the phases
BETS = ("happy", "unhappy")
SKILL_NAMES = ("throw", "catch", "help", "hinder")


def catalogue(o: Options) -> tuple[str, ...]:
    """Every action's name, in order of its index, as the mover counts seats (HOP: Decisions)."""
    return _catalogue(o.players)


@functools.cache
def _catalogue(players: int) -> tuple[str, ...]:
    given = [f"{role} left{k}" for role in ROLES for k in range(1, players)]
    return (*given, *(f"bet {bet}" for bet in BETS))


def action_name(o: Options, action: int) -> str:
    """The catalogue's name of an action."""
    return catalogue(o)[action]


def parse_action(o: Options, name: str) -> int:
    """The action of a name; ValueError if there is none."""
    names = catalogue(o)
    if name not in names:
        raise ValueError(
            f"unknown action {name!r}{nearest(str(name), names)}: expected skewerer leftK, assister leftK, turbulator "
            f"leftK (K from 1 to {o.players - 1}), bet happy or bet unhappy"
        )
    return names.index(name)


def describe(o: Options, s: Any, action: int) -> str:
    """The action with the seat it names."""
    role, _, whom = action_name(o, action).partition(" left")
    if not whom:
        return role
    return f"{role} player {(s.hurler + int(whom)) % o.players}"


def told_action(o: Options, s: Any, seat: int, action: int) -> str:
    """HP-7: of another's bet a seat only learns that it was laid."""
    if s.phase == rules.BET and seat != s.current_player:
        return "bet"
    return describe(o, s, action)


def outcome_name(o: Options, s: Any, k: int) -> str:
    """The dare that is read, how the throw goes, the cloud that is drawn, or the skill sampled."""
    if s.phase == rules.DRAW_DARE:
        dare = o.dares.dares[plain_twin(rules.kth_dare)(o, s, k)]
        return f"dare {dare.id}" + (f" {dare.name}" if dare.name else "")
    if s.phase == rules.FLY:
        return ("success", "failure")[k]
    if s.phase == rules.SAMPLE:
        seat, skill = divmod(s.sampled, rules.SKILLS)
        return f"player {seat} {SKILL_NAMES[skill]} {(rules.SKILL_STEP * k - rules.MOST_SKILL) / 100:+.2f}"
    value = 0
    while k >= s.pool[value]:
        k -= s.pool[value]
        value += 1
    return f"player {s.collector} cloud {value}"


def told_outcome(o: Options, s: Any, seat: int, k: int) -> str:
    """HP-7: with the throw the bets are open; HP-11: only its owner learns a cloud's value."""
    name = outcome_name(o, s, k)
    if s.phase == rules.DRAW_CLOUD and seat != s.collector:
        return name.rpartition(" ")[0]
    if s.phase == rules.FLY:
        return "; ".join([name, *_rewards(o, s, k == 0)])
    return name


def _rewards(o: Options, s: Any, success: bool) -> Iterator[str]:
    """What settles at once after a throw (HP-9, HP-10, HP-12), clouds not counted."""
    yield f"player {s.hurler} " + ("climbs" if success else "loses a balloon")
    for seat in range(o.players):
        if s.bet[seat] == rules.NO_BET:
            continue
        happy = s.bet[seat] == rules.HAPPY
        birds, bird = (s.doves, "dove") if happy == success else (s.crows, "crow")
        told = f"player {seat} bet {'happy' if happy else 'unhappy'}: a {bird}"
        if birds[seat] + 1 == rules.FLOCK:
            told += ", the third: " + ("a level" if bird == "dove" else "a balloon is lost")
        yield told
