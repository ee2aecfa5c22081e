"""Options of HOP! (HP-1, HP-3, HP-8, HP-16)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import numpy as np

from hopenvs.core.errors import OptionError
from hopenvs.core.options import Option
from hopenvs.games.hop.dares import DARES, MAX_DARES, Deck, hundredths, read_deck

MIN_PLAYERS: Final = 3
MAX_PLAYERS: Final = 6

SKILLS: Final = 4  # throw, catch, help, hinder: in this order everywhere
EQUAL, SAMPLED, GIVEN = range(3)  # what the first int of the compiled `skills` says

MODEL, EXTERNAL = range(2)


class DeckOption(Option):
    """The deck of dares: a list of mappings, or the name of a JSON file with one."""

    def expected(self) -> str:
        """What values are taken, in words."""
        return f"a list of 1 to {MAX_DARES} dares, or a JSON file with one"

    def encode(self, value: Any) -> Deck:
        """The deck of a person's list."""
        return Deck(read_deck(value))

    def decode(self, code: Deck) -> list[dict[str, Any]]:
        """The list, JSON-able."""
        return [dare.as_dict() for dare in code.dares]

    def fill(self, code: Deck) -> Deck:
        """It is always filled."""
        return code


class SkillsOption(Option):
    """All equal, sampled, or a list of four numbers a seat."""

    def expected(self) -> str:
        """What values are taken, in words."""
        return "'equal', 'sampled', or [throw, catch, help, hinder] for each seat, numbers from -1 to 1"

    def encode(self, value: Any) -> tuple[int, ...]:
        """The kind, then the hundredths, seat by seat (only if they are given)."""
        if isinstance(value, str) and value in ("equal", "sampled"):
            return (EQUAL if value == "equal" else SAMPLED,)
        if isinstance(value, np.ndarray):
            value = value.tolist()
        if not isinstance(value, (list, tuple)):
            raise OptionError(f"option skills={value!r}: expected {self.expected()}")
        numbers: list[int] = []
        for seat, row in enumerate(value):
            if not isinstance(row, (list, tuple)) or len(row) != SKILLS:
                raise OptionError(f"option skills: {row!r} for seat {seat}: expected [throw, catch, help, hinder]")
            numbers += [hundredths(skill, -1.0, 1.0, f"option skills: seat {seat}:") for skill in row]
        if len(value) > MAX_PLAYERS:
            raise OptionError(f"option skills: {len(value)} rows: expected one a player")
        return (GIVEN, *numbers)

    def decode(self, code: tuple[int, ...]) -> Any:
        """The word, or the list of numbers."""
        if code[0] != GIVEN:
            return ("equal", "sampled")[code[0]]
        rows = [code[k : k + SKILLS] for k in range(1, len(code), SKILLS)]
        return [[skill / 100 for skill in row] for row in rows if NO_SKILL not in row]

    def fill(self, code: tuple[int, ...]) -> tuple[int, ...]:
        """A number for every seat there could be; which of them are given can be told from NO_SKILL."""
        return (*code, *[NO_SKILL] * (1 + MAX_PLAYERS * SKILLS - len(code)))


NO_SKILL: Final = 127

OPTIONS: tuple[Option, ...] = (
    Option("players", 4, "How many play.", MIN_PLAYERS, MAX_PLAYERS, clause="HP-1"),
    SkillsOption(
        "skills", "equal",
        "All alike, sampled for each seat at the start, or [throw, catch, help, hinder] for each seat.",
        in_position=False, clause="HP-8",
    ),
    DeckOption(
        "dares", None, "The deck; by default the 50 dares of `dares.json`.",
        always_stated=True, clause="HP-3, HP-5",
    ),
    Option(
        "throws", "model", "What decides a throw: the model's chance, or whoever `make(..., chance=f)` asks.",
        choices=("model", "external"), in_position=False, clause="HP-8",
    ),
    Option("max_turns", 500, "Turns until truncation.", 1, 2**31 - 1, in_position=False, clause="HP-16"),
)  # fmt: skip


class Options(NamedTuple):
    """The options as the rules read them."""

    players: int = 4
    skills: tuple[int, ...] = (EQUAL,) + (NO_SKILL,) * (MAX_PLAYERS * SKILLS)
    dares: Deck = Deck(DARES)
    throws: int = MODEL
    max_turns: int = 500


def complete_options(codes: Mapping[str, Any]) -> dict[str, Any]:
    """Derive `dares` where it is None; skills that are given as all 0 are equal."""
    completed = dict(codes)
    kind, *skills = completed["skills"]
    if kind == GIVEN and len(skills) == SKILLS * completed["players"] and not any(skills):
        completed["skills"] = (EQUAL,)
    if completed["dares"] is None:
        completed["dares"] = Deck(DARES)
    return completed


def check_options(o: Options) -> None:
    """Refuse skills for another number of players (HP-8), and a deck without a playable dare (HP-5)."""
    given = sum(number != NO_SKILL for number in o.skills[1:])
    if o.skills[0] == GIVEN and given != SKILLS * o.players:
        raise OptionError(f"option skills: {given // SKILLS} rows: expected {o.players}, one a player")
    if all(dare.helpers > o.players - 2 for dare in o.dares.dares):
        raise OptionError(f"option dares: no dare can be played by {o.players}: each needs more helpers than there are")
