"""A slow, plain walker of HOP!: an oracle for tests, written from the rule clauses alone.

Everything works on the *position* dict of the rule page, re-evaluated from scratch at every question. Nothing is
cached, nothing is fast, and nothing is shared with the engine: the two may only agree because both follow the clauses.
``HP-n`` and ``C-n`` name clauses; ``RULING`` marks a place where the clauses leave something open and says which
reading is used here.

A *node* of the game is one of

* a position dict with phase ``skewerer``, ``assister``, ``turbulator`` or ``bet``: somebody must choose (`legal`,
  `play`);
* a position dict with phase ``over``: the game is finished (`result`);
* a `Chance` object: a skill, a dare, a throw or a cloud (`outcomes`). Chance points have no position (C-6).

``python -m tests.oracles.hop``, run from the root of the repository, rewrites ``hop_perft_counts.json``.
"""

from __future__ import annotations

import json
import math
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from tests.oracles.payoffs import payoffs

GAME = "hop"
DEFAULT_MAX_TURNS = 500  # HP-16
TOP_LEVEL = 7  # HP-1
BALLOONS = 5  # HP-1
TOKENS_OF_A_VALUE = 12  # HP-2
CLOUD_VALUES = (0, 1, 2)  # HP-2
BIRDS_OF_A_KIND = 3  # HP-12
SAMPLED_SKILLS = tuple(hundredths / 100 for hundredths in range(-15, 20, 5))  # HP-8, in order of the outcomes
SKILL_NAMES = ("throw", "catch", "help", "hinder")  # HP-8, in the order of a seat's row
COUNTS_FILE = Path(__file__).with_name("hop_perft_counts.json")

Dare = dict[str, Any]  # {"id", "base", "assister", "turbulator"}


# ------------------------------------------------------------------------------------------------------------------
# The deck
# ------------------------------------------------------------------------------------------------------------------


def default_deck() -> list[Dare]:
    """HP-3: easy, medium and hard dares of each kind.

    RULING: the order in which the clause lists the kinds is the file order, and within a kind easy comes before medium
    before hard: so it is in the sample record.
    """
    kinds = (
        ((5, 5, 5), False, False),  # binds the hurler
        ((3, 4, 3), False, False),  # binds the skewerer
        ((2, 1, 2), False, False),  # binds both
        ((4, 3, 3), True, False),
        ((3, 3, 4), False, True),
    )
    deck: list[Dare] = []
    for counts, assister, turbulator in kinds:
        for count, base in zip(counts, (0.75, 0.60, 0.40), strict=True):
            for _ in range(count):
                deck.append({"id": len(deck), "base": base, "assister": assister, "turbulator": turbulator})
    return deck


DEFAULT_DECK = default_deck()


def helpers(dare: Dare) -> int:
    """How many helpers a dare asks for."""
    return int(dare["assister"]) + int(dare["turbulator"])


def is_playable(dare: Dare, players: int) -> bool:
    """HP-5: hurler and skewerer can't help."""
    return helpers(dare) <= players - 2


# ------------------------------------------------------------------------------------------------------------------
# Options
# ------------------------------------------------------------------------------------------------------------------


class Position(dict[str, Any]):
    """A position dict that remembers the safety cap beside it.

    The cap is no part of a position (C-6), so it is an attribute, not a key: a `Position` equals, and serialises like,
    the plain dict with the same keys. A plain dict counts as having the default cap.
    """

    max_turns: int = DEFAULT_MAX_TURNS


@dataclass(frozen=True)
class Chance:
    """A chance point.

    ``kind`` is ``"skill"`` (HP-8, at the start), ``"dare"`` (HP-5), ``"throw"`` (HP-8) or ``"cloud"`` (HP-11).
    ``before`` is how the table looks just before, in the form of a position: its ``phase`` and ``to_play`` mean
    nothing. ``receivers`` are the seats that still get a cloud, the next one first.
    """

    kind: str
    before: Position
    receivers: tuple[int, ...] = ()


Node = Position | Chance


@dataclass(frozen=True)
class Rules:
    """One fully resolved configuration: every option has its value."""

    players: int
    skills: str | list[list[float]] = "equal"
    dares: list[Dare] = field(default_factory=default_deck)


def whole_number(name: str, value: Any, lowest: int, highest: int | None) -> int:
    """``value`` if it is an int within the bounds; ValueError naming the option otherwise."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"{name} must be a whole number, not {value!r}")
    if value < lowest or (highest is not None and value > highest):
        bounds = f"at least {lowest}" if highest is None else f"{lowest}..{highest}"
        raise ValueError(f"{name} must be {bounds}, not {value}")
    return value


def hundredths(name: str, value: Any) -> int:
    """HP-8: a base or a skill in whole hundredths, a half to the even one.

    RULING: a number is what is written, not the binary fraction that stands for it: 0.575 is a half and becomes 0.58.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"{name} must be a number, not {value!r}")
    return round(100 * Fraction(str(value)))


def _check_deck(players: int, dares: Any) -> list[Dare]:
    """The deck with rounded bases, by id.

    RULING: ids are any distinct whole numbers from 0 on, and a base is a chance from 0 to 1. A dare may have other keys
    (its text); they don't matter for the game and aren't kept.
    """
    if isinstance(dares, str) or not isinstance(dares, Sequence):
        raise ValueError(f"dares must be a list, not {dares!r}")
    deck: list[Dare] = []
    for given in dares:
        if not isinstance(given, dict) or not {"id", "base", "assister", "turbulator"} <= given.keys():
            raise ValueError(f"dares: each needs id, base, assister and turbulator, not {given!r}")
        base = hundredths("dares: base", given["base"])
        if not 0 <= base <= 100:
            raise ValueError(f"dares: base must be from 0 to 1, not {given['base']!r}")
        if not isinstance(given["assister"], bool) or not isinstance(given["turbulator"], bool):
            raise ValueError(f"dares: assister and turbulator must be true or false in {given!r}")
        number = whole_number("dares: id", given["id"], 0, None)
        deck.append(
            {
                "id": number,
                "base": base / 100,
                "assister": given["assister"],
                "turbulator": given["turbulator"],
            }
        )
    deck.sort(key=lambda dare: int(dare["id"]))
    if len({dare["id"] for dare in deck}) < len(deck):
        raise ValueError("dares: ids must differ")
    if not any(is_playable(dare, players) for dare in deck):  # HP-5
        raise ValueError(f"dares: none can be played by {players} players")
    return deck


def _check_skills(players: int, skills: Any) -> str | list[list[float]]:
    """RULING: the page gives no range for a given skill; more than a whole chance either way is refused."""
    if skills in ("equal", "sampled"):
        return str(skills)
    if isinstance(skills, str) or not isinstance(skills, Sequence) or len(skills) != players:
        raise ValueError(f"skills must be 'equal', 'sampled' or a row of four for each player, not {skills!r}")
    rows: list[list[float]] = []
    for row in skills:
        if isinstance(row, str) or not isinstance(row, Sequence) or len(row) != len(SKILL_NAMES):
            raise ValueError(f"skills: a row has four numbers, not {row!r}")
        values = [hundredths(f"skills: {name}", value) for name, value in zip(SKILL_NAMES, row, strict=True)]
        if not all(-100 <= value <= 100 for value in values):
            raise ValueError(f"skills must be from -1 to 1, not {row!r}")
        rows.append([value / 100 for value in values])
    return rows


def check_options(players: int, *, max_turns: int | None = None, **options: Any) -> Rules:
    """The resolved configuration; ValueError (with the name of the option at fault) if it is impossible.

    An option that is None counts as not given (C-6).
    """
    for name in options:
        if name not in ("skills", "dares"):
            raise ValueError(f"{name} is not an option of {GAME}")
    given = {name: value for name, value in options.items() if value is not None}
    whole_number("players", players, 3, 6)
    if max_turns is not None:
        # RULING: the page gives no range for max_turns; a cap below one turn makes no sense and is refused.
        whole_number("max_turns", max_turns, 1, None)
    return Rules(
        players=players,
        skills=_check_skills(players, given.get("skills", "equal")),
        dares=_check_deck(players, given.get("dares", DEFAULT_DECK)),
    )


def recorded_options(rules: Rules) -> dict[str, Any]:
    """What stands under ``options`` in a position (C-6): a deck that isn't the default; skills have a key of their own.

    RULING: a deck that differs from the default in texts only is the default; one that differs stands with the four
    keys that matter, rounded bases, by id.
    """
    return {} if rules.dares == DEFAULT_DECK else {"dares": [dict(dare) for dare in rules.dares]}


def header_options(rules: Rules, max_turns: int | None = None) -> dict[str, Any]:
    """What stands under ``options`` in the header of a record (C-13): all that isn't default, and always the deck."""
    options: dict[str, Any] = {"dares": [dict(dare) for dare in rules.dares]}
    if rules.skills != "equal":
        options["skills"] = rules.skills
    if max_turns not in (None, DEFAULT_MAX_TURNS):
        options["max_turns"] = max_turns
    return options


def dares_of(position: dict[str, Any]) -> list[Dare]:
    """The deck of the game that a position belongs to."""
    dares: list[Dare] = position.get("options", {}).get("dares", DEFAULT_DECK)
    return dares


def dare_of(position: dict[str, Any], number: int) -> Dare:
    """The dare with an id."""
    return next(dare for dare in dares_of(position) if dare["id"] == number)


def catalogue(players: int, *, max_turns: int | None = None, **options: Any) -> list[str]:
    """All action names of a configuration, in index order ("Decisions")."""
    check_options(players, max_turns=max_turns, **options)
    return _catalogue(players)


def _catalogue(players: int) -> list[str]:
    lefts = [f"left{k}" for k in range(1, players)]
    roles = [f"{role} {left}" for role in ("skewerer", "assister", "turbulator") for left in lefts]
    return [*roles, "bet happy", "bet unhappy"]


# ------------------------------------------------------------------------------------------------------------------
# Choosing
# ------------------------------------------------------------------------------------------------------------------


def seats_without_a_role(position: dict[str, Any]) -> list[int]:
    """Clockwise from the hurler's left: in this order they bet (HP-7)."""
    roles = [position[role] for role in ("hurler", "skewerer", "assister", "turbulator")]
    clockwise = [(position["hurler"] + k) % position["players"] for k in range(1, position["players"])]
    return [seat for seat in clockwise if seat not in roles]


def legal(position: dict[str, Any]) -> list[str]:
    """The names of the legal actions in catalogue order; empty when the game is over."""
    phase = position["phase"]
    if phase == "over":
        return []
    if phase == "bet":
        return ["bet happy", "bet unhappy"]
    if phase not in ("skewerer", "assister", "turbulator"):
        raise ValueError(f"phase: {phase!r} is no phase of a position")
    lefts = {(seat - position["hurler"]) % position["players"] for seat in seats_without_a_role(position)}
    return [f"{phase} left{k}" for k in sorted(lefts)]


# ------------------------------------------------------------------------------------------------------------------
# Chance
# ------------------------------------------------------------------------------------------------------------------


def chance_of_success(position: dict[str, Any]) -> int:
    """HP-8: the chance of a throw, in hundredths."""

    def skill(role: str, name: str) -> int:
        seat = position[role]
        if seat is None:
            return 0
        return hundredths("skills", position["skills"][seat][SKILL_NAMES.index(name)])

    base = hundredths("dares: base", dare_of(position, position["dare"])["base"])
    chance = base + skill("hurler", "throw") + skill("skewerer", "catch")
    chance += skill("assister", "help") - skill("turbulator", "hinder")
    return min(max(chance, 5), 95)


def cloud_tokens(position: dict[str, Any]) -> list[int]:
    """The values of the tokens that are left, in index order, copies side by side (C-2)."""
    return [value for value in CLOUD_VALUES for _ in range(position["cloud_pool"][value])]


def what_can_happen(chance: Chance) -> list[tuple[int, Any]]:
    """(weight, what it is) for each outcome of a chance point, in the numbering of records (C-2).

    It is a skill, the id of a dare, whether the throw succeeds, or the value of a cloud. A throw's weights are
    hundredths, all others are 1.
    """
    position = chance.before
    if chance.kind == "skill":
        return [(1, skill) for skill in SAMPLED_SKILLS]
    if chance.kind == "dare":
        return [(1, number) for number in position["deck"]]
    if chance.kind == "throw":
        success = chance_of_success(position)
        return [(success, True), (100 - success, False)]
    assert chance.kind == "cloud"
    return [(1, value) for value in cloud_tokens(position)]


def named_outcomes(chance: Chance) -> list[tuple[int, str, Node]]:
    """The (weight, name, node) triples of a chance point, in the numbering of records.

    Names are ``skill -0.15``, ``dare 12``, ``success``, ``failure``, ``cloud 2``.
    """
    return [(weight, outcome_name(chance, what), _happened(chance, what)) for weight, what in what_can_happen(chance)]


def outcome_name(chance: Chance, what: Any) -> str:
    """What happens, as people say it."""
    if chance.kind == "throw":
        return "success" if what else "failure"
    return f"{chance.kind} {what}"


def outcomes(chance: Chance) -> list[tuple[int, Node]]:
    """The (weight, node) pairs of a chance point, in the numbering of records: one for each card or token left."""
    return [(weight, node) for weight, _, node in named_outcomes(chance)]


def outcome(chance: Chance, number: int) -> Node:
    """The node after the outcome of that number."""
    return _happened(chance, what_can_happen(chance)[number][1])


def _happened(chance: Chance, what: Any) -> Node:
    position = _copy(chance.before)
    if chance.kind == "skill":
        return _skill_sampled(position, what)
    if chance.kind == "dare":
        return _dare_drawn(position, what)
    if chance.kind == "throw":
        return _thrown(position, what)
    assert chance.kind == "cloud"
    seat, *others = chance.receivers
    position["cloud_pool"][what] -= 1
    position["clouds"][seat] = sorted([*position["clouds"][seat], what])
    return _next_cloud(position, others)


def _skill_sampled(position: Position, skill: float) -> Node:
    """HP-8: seat by seat, in the order throw, catch, help, hinder."""
    seat = next(seat for seat, row in enumerate(position["skills"]) if len(row) < len(SKILL_NAMES))
    position["skills"][seat].append(skill)
    done = all(len(row) == len(SKILL_NAMES) for row in position["skills"])
    return position if done else Chance("skill", position)


# ------------------------------------------------------------------------------------------------------------------
# Playing
# ------------------------------------------------------------------------------------------------------------------


def _copy(position: dict[str, Any], **changes: Any) -> Position:
    """An independent copy of a position with some keys changed; the cap comes along."""
    copied = Position(position)
    for key in ("clouds", "skills"):
        copied[key] = [list(row) for row in position[key]]
    for key in ("bets", "levels", "balloons", "doves", "crows", "cloud_pool", "deck", "put_away", "winners"):
        copied[key] = list(position[key])
    copied.max_turns = getattr(position, "max_turns", DEFAULT_MAX_TURNS)
    copied.update(changes)
    return copied


def start(players: int, *, max_turns: int | None = None, **options: Any) -> Node:
    """The beginning of a game (HP-1 to HP-5): the first decision, or the first skill to be sampled."""
    rules = check_options(players, max_turns=max_turns, **options)
    skills = rules.skills
    if isinstance(skills, str):
        skills = [[] if skills == "sampled" else [0.0] * len(SKILL_NAMES) for _ in range(players)]
    position = set_up(players, skills=skills, dares=rules.dares)
    position.max_turns = DEFAULT_MAX_TURNS if max_turns is None else max_turns
    return Chance("skill", position) if rules.skills == "sampled" else position


def play(position: dict[str, Any], name: str, *, max_turns: int | None = None) -> Node:
    """The node after a decision. ``max_turns`` overrides the cap that the position remembers."""
    if name not in legal(position):
        raise ValueError(f"{name!r} is not legal; legal are {legal(position)}")
    position = _copy(position)
    if max_turns is not None:
        position.max_turns = max_turns
    return _played(position, name)


def _played(position: dict[str, Any], name: str) -> Node:
    """The node after a decision that is known to be legal."""
    position = _copy(position)
    verb, choice = name.split()
    if verb == "bet":
        position["bets"][position["to_play"]] = choice
        return _next_choice(position)
    position[verb] = (position["hurler"] + int(choice.removeprefix("left"))) % position["players"]
    return _draw_a_dare(position) if verb == "skewerer" else _next_choice(position)


def _draw_a_dare(position: Position) -> Chance:
    """HP-5: the deck is refilled only when a dare must be drawn and none is left."""
    if not position["deck"]:
        position = _copy(position, deck=sorted(position["put_away"]), put_away=[])
    return Chance("dare", position)


def _dare_drawn(position: Position, number: int) -> Node:
    """HP-5: a dare that needs too many helpers is put away and the next drawn."""
    position["deck"].remove(number)
    if not is_playable(dare_of(position, number), position["players"]):
        position["put_away"] = sorted([*position["put_away"], number])
        return _draw_a_dare(position)
    return _next_choice(_copy(position, dare=number))


def _next_choice(position: Position) -> Node:
    """HP-6, HP-7: what is still to be chosen before the throw.

    RULING: a dare that asks for both helpers has the assister named first: so the phases and the names are ordered.
    """
    dare = dare_of(position, position["dare"])
    for role in ("assister", "turbulator"):
        if dare[role] and position[role] is None:
            return _copy(position, phase=role, to_play=position["hurler"])
    for seat in seats_without_a_role(position):
        if position["bets"][seat] is None:
            return _copy(position, phase="bet", to_play=seat)
    return Chance("throw", position)


def _thrown(position: Position, success: bool) -> Node:
    """HP-9, HP-10, HP-12: levels, balloons and birds settle at once; then the clouds are drawn."""
    position = _copy(position, last_throw={"success": success})
    players = range(position["players"])
    right_bet = "happy" if success else "unhappy"
    climbs, losses = [0 for _ in players], [0 for _ in players]
    if success:
        climbs[position["hurler"]] += 1
    else:
        losses[position["hurler"]] += 1
    for seat in players:
        bet = position["bets"][seat]
        if bet is not None:
            position["doves" if bet == right_bet else "crows"][seat] += 1
        for birds, gains in (("doves", climbs), ("crows", losses)):
            if position[birds][seat] == BIRDS_OF_A_KIND:
                gains[seat] += 1
                position["doves"][seat] = position["crows"][seat] = 0  # HP-12: all its birds
    for seat in players:
        position["levels"][seat] = min(position["levels"][seat] + climbs[seat], TOP_LEVEL)
        position["balloons"][seat] -= losses[seat]
        if position["balloons"][seat] == 0:
            position["levels"][seat] = 0  # HP-13
    receivers = [position["skewerer"], position["assister"]] if success else [position["turbulator"]]
    return _next_cloud(position, [seat for seat in receivers if seat is not None])


def _next_cloud(position: Position, receivers: Sequence[int]) -> Node:
    """HP-11: a cloud for each of these seats in turn, as long as there are any."""
    if receivers and cloud_tokens(position):
        return Chance("cloud", position, tuple(receivers))
    return _turn_completed(position)


def _turn_completed(position: Position) -> Position:
    """HP-5, HP-14, HP-16: the dare is put away, roles and bets are over; the end, the cap, or the next hurler.

    RULING: a game that ends by its rules with the last turn before the cap isn't truncated. When it is truncated
    ``hurler`` stays, too (C-6: all stays as the last move left it).
    """
    position = _copy(
        position,
        put_away=sorted([*position["put_away"], position["dare"]]),
        dare=None,
        skewerer=None,
        assister=None,
        turbulator=None,
        bets=[None] * position["players"],
        turn=position["turn"] + 1,
    )
    if TOP_LEVEL in position["levels"] or 0 in position["balloons"]:
        position = _copy(position, phase="over", to_play=None)
        standings = _standings(position)
        winners = [seat for seat, standing in enumerate(standings) if standing == max(standings)]
        return _copy(position, winners=winners)
    if position["turn"] >= position.max_turns:
        return _copy(position, phase="over", to_play=None, winners=[], truncated=True)
    hurler = (position["hurler"] + 1) % position["players"]
    return _copy(position, phase="skewerer", to_play=hurler, hurler=hurler)


def _standings(position: dict[str, Any]) -> list[tuple[int, int]]:
    """HP-15: for each seat what decides, the larger the better: score, then figurine."""
    return [(level + sum(clouds), level) for level, clouds in zip(position["levels"], position["clouds"], strict=True)]


def result(position: dict[str, Any]) -> dict[str, Any]:
    """Winners, ranks, scores and rewards of a finished game: ``rewards[scheme][seat]`` (C-7, C-8, HP-15, HP-16)."""
    if position["phase"] != "over":
        raise ValueError("phase: the game is not over")
    standings = _standings(position)
    scores = [score for score, _ in standings]
    ranks = [1 + sum(other > own for other in standings) for own in standings]
    winners = list(position["winners"])
    rewards = payoffs(ranks, scores, winners, truncated=bool(position.get("truncated")))
    return {"winners": winners, "ranks": ranks, "scores": scores, "rewards": rewards}


# ------------------------------------------------------------------------------------------------------------------
# What a seat knows
# ------------------------------------------------------------------------------------------------------------------

HIDDEN = "hidden"  # a bet under a hand


def public_view(position: dict[str, Any], seat: int) -> dict[str, Any]:
    """All that a seat knows in a position, as seen from its place (C-9, C-10, "A seat knows").

    Lists by seat begin with the own seat, its left neighbours follow; ``to_play``, ``hurler``, roles and ``winners``
    count seats in the same way. Two positions with equal views differ only in what the seat can't know.

    RULING: who has bet is known, only the bet isn't. When the game is over all clouds are shown (HP-11: "until the
    end"), and so is what is left of them.
    """
    players = position["players"]
    round_table = [(seat + k) % players for k in range(players)]
    over = position["phase"] == "over"

    def seen(other: int | None) -> int | None:
        return None if other is None else (other - seat) % players

    def bet(other: int) -> str | None:
        return position["bets"][other] if other == seat else position["bets"][other] and HIDDEN

    shown = round_table if over else round_table[:1]
    return {
        "players": players,
        "phase": position["phase"],
        "to_play": seen(position["to_play"]),
        "hurler": seen(position["hurler"]),
        "skewerer": seen(position["skewerer"]),
        "assister": seen(position["assister"]),
        "turbulator": seen(position["turbulator"]),
        "dare": position["dare"],
        "bets": [bet(other) for other in round_table],
        "levels": [position["levels"][other] for other in round_table],
        "balloons": [position["balloons"][other] for other in round_table],
        "doves": [position["doves"][other] for other in round_table],
        "crows": [position["crows"][other] for other in round_table],
        "clouds": [list(position["clouds"][other]) for other in shown],
        "cloud_counts": [len(position["clouds"][other]) for other in round_table],
        "clouds_left": sum(position["cloud_pool"]),
        "deck": list(position["deck"]),
        "put_away": list(position["put_away"]),
        "skills": [list(position["skills"][other]) for other in round_table],
        "turn": position["turn"],
        "last_throw": position["last_throw"],
        "winners": sorted((other - seat) % players for other in position["winners"]),
        "truncated": position.get("truncated", False),
    }


def reshuffled(position: dict[str, Any], seat: int, rng: random.Random) -> Position:
    """A position of a running game that this seat can't tell from the given one: what it doesn't see is drawn anew."""
    assert position["phase"] != "over"
    changed = _copy(position)
    others = [other for other in range(position["players"]) if other != seat]
    unseen = cloud_tokens(position) + [value for other in others for value in position["clouds"][other]]
    rng.shuffle(unseen)
    for other in others:
        changed["clouds"][other] = sorted(unseen.pop() for _ in position["clouds"][other])
        if position["bets"][other] is not None:
            changed["bets"][other] = rng.choice(["happy", "unhappy"])
    changed["cloud_pool"] = [unseen.count(value) for value in CLOUD_VALUES]
    return changed


# ------------------------------------------------------------------------------------------------------------------
# Setting up
# ------------------------------------------------------------------------------------------------------------------


def set_up(
    players: int,
    *,
    phase: str = "skewerer",
    hurler: int = 0,
    to_play: int | None = None,
    skewerer: int | None = None,
    assister: int | None = None,
    turbulator: int | None = None,
    dare: int | None = None,
    bets: Sequence[str | None] | None = None,
    levels: Sequence[int] | None = None,
    balloons: Sequence[int] | None = None,
    doves: Sequence[int] | None = None,
    crows: Sequence[int] | None = None,
    clouds: Sequence[Sequence[int]] | None = None,
    cloud_pool: Sequence[int] | None = None,
    put_away: Sequence[int] = (),
    deck: Sequence[int] | None = None,
    skills: Sequence[Sequence[float]] | None = None,
    dares: Sequence[Dare] | None = None,
    turn: int | None = None,
    last_throw: bool = False,
    max_turns: int = DEFAULT_MAX_TURNS,
) -> Position:
    """A position from its parts; what isn't given is as at the start.

    By default, the hurler is to play, the clouds that nobody has are in the pool, and the dares that are neither put
    away nor in play are in the deck. Nothing is checked.
    """
    given = clouds or [[] for _ in range(players)]
    drawn = [value for row in given for value in row]
    if turn is None:
        turn = hurler
    position = Position(
        game=GAME,
        players=players,
        phase=phase,
        to_play=hurler if to_play is None else to_play,
        hurler=hurler,
        skewerer=skewerer,
        assister=assister,
        turbulator=turbulator,
        dare=dare,
        bets=list(bets or [None] * players),
        levels=list(levels or [1] * players),
        balloons=list(balloons or [BALLOONS] * players),
        doves=list(doves or [0] * players),
        crows=list(crows or [0] * players),
        clouds=[sorted(row) for row in given],
        cloud_pool=list(cloud_pool or [TOKENS_OF_A_VALUE - drawn.count(value) for value in CLOUD_VALUES]),
        deck=[],
        put_away=sorted(put_away),
        skills=[list(row) for row in skills or [[0.0] * len(SKILL_NAMES) for _ in range(players)]],
        turn=turn,
        last_throw={"success": last_throw} if turn else None,
        winners=[],
    )
    if dares is not None and list(dares) != DEFAULT_DECK:
        position["options"] = {"dares": [dict(dare) for dare in dares]}
    if deck is None:
        deck = [row["id"] for row in dares_of(position) if row["id"] not in (*put_away, dare)]
    position["deck"] = sorted(deck)
    position.max_turns = max_turns
    return position


# ------------------------------------------------------------------------------------------------------------------
# Counting and random play
# ------------------------------------------------------------------------------------------------------------------


def children(node: Node | dict[str, Any]) -> list[tuple[int, Node]]:
    """All nodes one ply further, with the number of outcomes of C-2 that lead there; none after the end."""
    if not isinstance(node, Chance):
        return [(1, _played(node, name)) for name in legal(node)]
    whats = [what for _, what in what_can_happen(node)]
    return [(whats.count(what), _happened(node, what)) for what in dict.fromkeys(whats)]


def perft_from(node: Node | dict[str, Any], depth: int) -> int:
    """The number of paths of exactly ``depth`` plies from a node, plus those that end earlier.

    A decision is one ply and so is a chance outcome, numbered as in C-2. A phase that is skipped is no ply. A finished
    game counts as one leaf.
    """
    if depth == 0 or (not isinstance(node, Chance) and node["phase"] == "over"):
        return 1
    if depth == 1:  # the last ply needs counting only
        return len(what_can_happen(node)) if isinstance(node, Chance) else len(legal(node))
    return sum(copies * perft_from(child, depth - 1) for copies, child in children(node))


def perft(players: int, depth: int, *, max_turns: int | None = None, **options: Any) -> int:
    """`perft_from` the start of a game."""
    return perft_from(start(players, max_turns=max_turns, **options), depth)


def random_game(
    players: int, rng: random.Random, *, max_turns: int | None = None, **options: Any
) -> Iterator[tuple[Node, str | int | None]]:
    """Play one game at random: every (node, choice) on its way.

    The choice is an action name at a decision, the number of an outcome of C-2 at a chance point, and None at the end.
    """
    node = start(players, max_turns=max_turns, **options)
    while True:
        if isinstance(node, Chance):
            weights = [weight for weight, _ in what_can_happen(node)]
            (number,) = rng.choices(range(len(weights)), weights)
            yield node, number
            node = outcome(node, number)
        elif node["phase"] == "over":
            yield node, None
            return
        else:
            name = rng.choice(legal(node))
            yield node, name
            node = _played(node, name)


def random_position(
    players: int, rng: random.Random, phase: str, *, max_turns: int | None = None, **options: Any
) -> Position | None:
    """A position of a phase whose counts fit each other, whether or not play can reach it; None if it can't be.

    What random games seldom come to is as likely as the rest: few clouds left, an empty deck, several seats about to
    reach the top or to lose their last balloon (in every other position).
    """
    rules = check_options(players, max_turns=max_turns, **options)
    skills = rules.skills
    if isinstance(skills, str):
        some = SAMPLED_SKILLS if skills == "sampled" else (0.0,)
        skills = [[rng.choice(some) for _ in SKILL_NAMES] for _ in range(players)]
    hurler = rng.randrange(players)
    others = [seat for seat in range(players) if seat != hurler]
    rng.shuffle(others)
    roles: dict[str, int] = {}
    ids = [dare["id"] for dare in rules.dares]
    dare = None
    bets: list[str | None] = [None] * players
    to_play = hurler
    if phase != "skewerer":
        asked = {"assister": ("assister",), "turbulator": ("turbulator",), "bet": ()}[phase]
        room = players - 2 if phase != "bet" else players - 3  # somebody must be left to bet
        fitting = [row for row in rules.dares if all(row[role] for role in asked) and helpers(row) <= room]
        if not fitting:
            return None
        row = rng.choice(fitting)
        dare = row["id"]
        ids.remove(dare)
        roles["skewerer"] = others.pop()
        for role in ("assister", "turbulator"):
            if phase == role:
                break
            if row[role]:
                roles[role] = others.pop()
    if phase == "bet":
        bettors = sorted(others, key=lambda seat: (seat - hurler) % players)
        number = rng.randrange(len(bettors))
        to_play = bettors[number]
        for seat in bettors[:number]:
            bets[seat] = rng.choice(["happy", "unhappy"])
    near_the_end = rng.random() < 0.5
    level, balloon = (TOP_LEVEL - 1, 1) if near_the_end else (TOP_LEVEL - 2, 2)
    rng.shuffle(ids)
    gone = rng.choice([0, len(ids), rng.randint(0, len(ids))])
    tokens = [value for value in CLOUD_VALUES for _ in range(TOKENS_OF_A_VALUE)]
    rng.shuffle(tokens)
    clouds: list[list[int]] = [[] for _ in range(players)]
    for _ in range(rng.choice([rng.randint(0, len(tokens)), len(tokens) - rng.randint(0, 3)])):
        clouds[rng.randrange(players)].append(tokens.pop())
    return set_up(
        players,
        phase=phase,
        hurler=hurler,
        to_play=to_play,
        dare=dare,
        bets=bets,
        **roles,
        levels=[rng.choice([rng.randint(1, level), level]) for _ in range(players)],
        balloons=[rng.choice([rng.randint(balloon, BALLOONS), balloon]) for _ in range(players)],
        doves=[rng.randrange(BIRDS_OF_A_KIND) for _ in range(players)],
        crows=[rng.randrange(BIRDS_OF_A_KIND) for _ in range(players)],
        clouds=clouds,
        cloud_pool=[tokens.count(value) for value in CLOUD_VALUES],
        put_away=ids[:gone],
        deck=ids[gone:],
        skills=skills,
        dares=rules.dares,
        turn=hurler + players * rng.randint(1, 8),
        last_throw=rng.random() < 0.5,
        max_turns=DEFAULT_MAX_TURNS if max_turns is None else max_turns,
    )


PHASES = ("skewerer", "assister", "turbulator", "bet")


def random_positions(players: int, rng: random.Random, count: int, **options: Any) -> Iterator[Position]:
    """So many random positions, of all phases in turn that the deck allows."""
    made = tried = 0
    while made < count:
        position = random_position(players, rng, PHASES[tried % len(PHASES)], **options)
        tried += 1
        if position is not None:
            made += 1
            yield position


# ------------------------------------------------------------------------------------------------------------------
# The frozen counts
# ------------------------------------------------------------------------------------------------------------------

Wanted = Callable[[Position], bool]


def small_deck(*needs: str) -> list[Dare]:
    """A deck of one dare for each word, which names the helpers: ``-``, ``a``, ``t`` or ``at``."""
    return [
        {"id": number, "base": 0.4 + 0.05 * (number % 8), "assister": "a" in need, "turbulator": "t" in need}
        for number, need in enumerate(needs)
    ]


ONE_DARE: dict[str, Any] = {"dares": small_deck("-")}
TWO_DARES: dict[str, Any] = {"dares": small_deck("-", "at")}
ALL_HELP: dict[str, Any] = {"dares": small_deck("at", "at", "a")}
ALL_KINDS: dict[str, Any] = {"dares": small_deck("at", "-", "a", "at", "t")}
SAMPLED: dict[str, Any] = {"skills": "sampled"}
GIVEN: dict[str, Any] = {"skills": [[0.3, -0.2, 0.07, 0], [-0.5, 0.11, 0.2, 0.4], [0.01, 0.02, -0.03, 0.04]]}


def _anything(position: Position) -> bool:
    return True


def _late(position: Position) -> bool:
    return bool(position["turn"] >= 4 * position["players"])


def _deck_runs_out(position: Position) -> bool:
    return len(position["deck"]) <= 1


def _deck_is_empty(position: Position) -> bool:
    return not position["deck"]


def _about_to_climb_by_birds(position: Position) -> bool:
    return any(position["doves"][seat] == BIRDS_OF_A_KIND - 1 for seat in seats_without_a_role(position))


def _about_to_fall_by_birds(position: Position) -> bool:
    return any(position["crows"][seat] == BIRDS_OF_A_KIND - 1 for seat in seats_without_a_role(position))


def _below_the_top(position: Position) -> bool:
    return bool(position["levels"][position["hurler"]] == TOP_LEVEL - 1)


def _last_balloon(position: Position) -> bool:
    return bool(position["balloons"][position["hurler"]] == 1)


def _far_from_the_end(position: Position) -> bool:
    return max(position["levels"]) < TOP_LEVEL - 1 and min(position["balloons"]) > 1


def _all_at_the_end(position: Position) -> bool:
    return position["levels"].count(TOP_LEVEL - 1) + position["balloons"].count(1) >= position["players"]


def _all_to_bet(position: Position) -> bool:
    return position["bets"].count(None) == position["players"]


def _some_have_bet(position: Position) -> bool:
    return position["bets"].count(None) <= position["players"] - 2


def _asks_for_both(position: Position) -> bool:
    return helpers(dare_of(position, position["dare"])) == 2


def _clouds_left(*counts: int) -> Wanted:
    return lambda position: len(cloud_tokens(position)) in counts


@dataclass(frozen=True)
class Wish:
    """A position to look for: the first one that shows what is wanted, in random games or in `random_position`."""

    about: str
    players: int
    phase: str
    wanted: Sequence[Wanted] = (_anything,)
    options: dict[str, Any] = field(default_factory=dict)
    scattered: bool = False
    turns_to_the_cap: int | None = None


WISHES = (
    Wish("a skewerer", 3, "skewerer", (_late,)),
    Wish("an assister", 3, "assister", (_late,)),
    Wish("a turbulator", 4, "turbulator", (_late,)),
    Wish("the first bet", 5, "bet", (_late, _all_to_bet)),
    Wish("a later bet", 6, "bet", (_late, _some_have_bet, _far_from_the_end)),
    Wish("an assister, skills sampled", 5, "assister", options=SAMPLED),
    Wish("a turbulator, skills sampled", 6, "turbulator", (_late,), SAMPLED),
    Wish("a bet, skills given", 3, "bet", options=GIVEN),
    Wish("a bettor about to climb by its birds", 4, "bet", (_about_to_climb_by_birds,)),
    Wish("a bettor about to lose a balloon by its birds", 4, "bet", (_about_to_fall_by_birds,)),
    Wish("both by their birds", 5, "bet", (_about_to_climb_by_birds, _about_to_fall_by_birds)),
    Wish("the hurler just below the top", 3, "bet", (_below_the_top,)),
    Wish("the hurler with its last balloon", 3, "turbulator", (_last_balloon,)),
    Wish("the hurler with its last balloon", 6, "bet", (_last_balloon, _all_to_bet)),
    Wish("both helpers to be named", 4, "assister", (_asks_for_both,), ALL_HELP),
    Wish("the second helper to be named", 5, "turbulator", (_asks_for_both,), ALL_KINDS),
    Wish("a bet beside both helpers", 6, "bet", (_asks_for_both, _all_to_bet), ALL_KINDS),
    Wish("dares that three players can't play", 3, "skewerer", (_deck_runs_out,), ALL_KINDS),
    Wish("one dare that three players can't play", 3, "skewerer", (_late,), TWO_DARES),
    Wish("the deck is empty", 4, "skewerer", (_deck_is_empty,), ALL_KINDS),
    Wish("the deck is empty", 5, "assister", (_deck_is_empty,), ALL_HELP),
    Wish("the same dare turn after turn", 3, "skewerer", (_below_the_top, _late), ONE_DARE),
    Wish("two turns before the cap", 3, "bet", (_late,), TWO_DARES, turns_to_the_cap=2),
    Wish("the last turn before the cap", 4, "bet", (_late,), turns_to_the_cap=1),
    Wish("no cloud left", 3, "assister", (_clouds_left(0), _far_from_the_end), ALL_KINDS, scattered=True),
    Wish("one cloud left for two", 4, "assister", (_clouds_left(1), _far_from_the_end), ALL_HELP, scattered=True),
    Wish(
        "few clouds left", 5, "bet", (_clouds_left(2, 3), _some_have_bet, _far_from_the_end), ALL_KINDS, scattered=True
    ),
    Wish(
        "all about to end the game",
        6,
        "bet",
        (_all_at_the_end, _all_to_bet, _clouds_left(*range(5, 37))),
        SAMPLED,
        scattered=True,
    ),
    Wish("an empty deck to be refilled", 6, "skewerer", (_deck_is_empty,), scattered=True),
)
# How many players, options, the cap, and to what depth
STARTS: tuple[tuple[int, dict[str, Any], int | None, int], ...] = (
    (3, {}, None, 6),
    (4, {}, None, 6),
    (5, {}, None, 6),
    (6, {}, None, 6),
    (4, SAMPLED, None, 6),
    (3, GIVEN, None, 6),
    (3, ONE_DARE, None, 11),
    (3, TWO_DARES, None, 11),
    (3, ALL_KINDS, None, 8),
    (4, ALL_KINDS, None, 7),
    (5, ALL_KINDS, None, 7),
    (4, ALL_HELP, None, 9),
    (3, ONE_DARE, 1, 7),
    (3, ALL_KINDS, 1, 10),
    (3, ONE_DARE, 2, 11),
)
ENOUGH_LEAVES = 40_000  # a position is counted ply by ply until this many leaves ..
DEEPEST = 14  # .. or this depth is reached, whichever comes first


def counts_ply_by_ply(position: Position) -> list[int]:
    """The counts to depth 1, 2, .. until there are enough leaves, or no more come up."""
    counts: list[int] = []
    while len(counts) < DEEPEST and (not counts or counts[-1] < ENOUGH_LEAVES):
        counts.append(perft_from(position, len(counts) + 1))
        if len(counts) >= 4 and counts[-1] == counts[-4]:
            break
    return counts


def find_position(wish: Wish, rng: random.Random) -> Position:
    """The first random position that fulfils a wish."""
    for _ in range(20_000):
        found: list[Position] = []
        if wish.scattered:
            position = random_position(wish.players, rng, wish.phase, **wish.options)
            found = [position] if position is not None else []
        else:
            game = random_game(wish.players, rng, **wish.options)
            found = [node for node, _ in game if isinstance(node, Position)]
        rng.shuffle(found)
        for position in found:
            if position["phase"] == wish.phase and all(wanted(position) for wanted in wish.wanted):
                return position
    raise LookupError(f"no position found: {wish.about}")


def frozen_counts() -> dict[str, Any]:
    """The content of the counts file.

    Under ``starts`` each entry holds players, options, depths and counts (`perft`), under ``positions`` a position,
    depths and counts (`perft_from`). A cap that is not the default stands beside them as ``max_turns``.
    """
    starts = []
    for players, options, max_turns, deepest in STARTS:
        began = time.perf_counter()
        depths = list(range(1, deepest + 1))
        entry: dict[str, Any] = {"players": players, "options": options}
        if max_turns is not None:
            entry["max_turns"] = max_turns
        counts = [perft(players, depth, max_turns=max_turns, **options) for depth in depths]
        starts.append(entry | {"depths": depths, "counts": counts})
        print("start", players, counts, f"{time.perf_counter() - began:.1f} s", flush=True)
    positions = []
    for number, wish in enumerate(WISHES):
        began = time.perf_counter()
        position = find_position(wish, random.Random(1000 * number))
        entry = {"about": wish.about, "position": position}
        if wish.turns_to_the_cap is not None:
            position.max_turns = entry["max_turns"] = position["turn"] + wish.turns_to_the_cap
        counts = counts_ply_by_ply(position)
        positions.append(entry | {"depths": list(range(1, len(counts) + 1)), "counts": counts})
        print(wish.about, wish.players, counts, f"{time.perf_counter() - began:.1f} s", flush=True)
    return {"game": GAME, "starts": starts, "positions": positions}


def main() -> None:
    """Rewrite the counts file, an entry a line."""
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
