"""The dares (HP-3): the deck of the package, and how another one is read."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from hopenvs.core.errors import OptionError, nearest

UNUSED: Final = -1  # fills a deck beyond its last dare
MAX_DARES: Final = 100  # the record has room for so many
BINDS: Final = ("hurler", "skewerer", "both")
DIFFICULTIES: Final = ("easy", "medium", "hard")

_NO_SIGN: Final = ("Cc", "Cs", "Zl", "Zp")  # what no line holds: control characters, line ends, half characters
_REQUIRED: Final = ("id", "base", "assister", "turbulator")
_WORDS: Final = ("difficulty", "binds", "name", "text")


class Dare(NamedTuple):
    """What the hurler draws.

    Attributes:
        id: its number, from 0 in the order of the deck.
        base: the chance of success before skills, hundredths (HP-8).
        assister: it asks for one.
        turbulator: it asks for one.
        difficulty: "easy", "medium", "hard", or "" if not stated.
        binds: whom it binds: "hurler", "skewerer", "both", or "" if not stated.
        name: a short name for people, or "".
        text: what is to be done, or "".
    """

    id: int
    base: int
    assister: bool = False
    turbulator: bool = False
    difficulty: str = ""
    binds: str = ""
    name: str = ""
    text: str = ""

    @property
    def helpers(self) -> int:
        """How many players it needs beside hurler and skewerer (HP-5)."""
        return int(self.assister) + int(self.turbulator)

    def as_dict(self) -> dict[str, Any]:
        """JSON-able, as `read_deck` takes it; words that aren't stated are left out."""
        given = {"id": self.id, "base": self.base / 100, "assister": self.assister, "turbulator": self.turbulator}
        return given | {word: getattr(self, word) for word in _WORDS if getattr(self, word)}


class Deck(tuple[int, ...]):
    """A deck as rules read it, an int a dare, with the dares themselves for people.

    The int is 4 * base + 2 * assister + turbulator, and UNUSED beyond the last dare. Decks with the same numbers are
    equal, whatever their words.
    """

    dares: tuple[Dare, ...]

    def __new__(cls, dares: Sequence[Dare]) -> Deck:
        """The deck of some dares, in order."""
        codes = [4 * dare.base + 2 * dare.assister + dare.turbulator for dare in dares]
        deck = super().__new__(cls, [*codes, *[UNUSED] * (MAX_DARES - len(codes))])
        deck.dares = tuple(dares)
        return deck

    def __reduce__(self) -> tuple[Any, ...]:
        return (Deck, (self.dares,))

    def __repr__(self) -> str:
        return f"Deck of {len(self.dares)} dares"


def read_deck(given: Any) -> tuple[Dare, ...]:
    """The dares of a list of mappings, or of a JSON file with such a list.

    Args:
        given: each dare has `id` (0, 1, 2, ... in order), `base` (from 0 to 1, rounded to hundredths), `assister` and
            `turbulator` (true or false), and may have `name`, `text`, `difficulty` and `binds`.

    Raises:
        OptionError: naming the dare and what is wrong with it.
    """
    if isinstance(given, Deck):
        return given.dares
    if isinstance(given, (str, Path)):
        given = _load(Path(given))
    if not isinstance(given, (list, tuple)) or not 1 <= len(given) <= MAX_DARES:
        what = f"{len(given)} of them" if isinstance(given, (list, tuple)) else repr(given)
        raise OptionError(f"option dares: {what}: expected a list of 1 to {MAX_DARES} dares, or a JSON file with one")
    return tuple(_read_dare(dare, number) for number, dare in enumerate(given))


def _load(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise OptionError(f"option dares: {path}: expected a JSON file with a list of dares: {error}") from None


def _read_dare(given: Any, number: int) -> Dare:
    if isinstance(given, Dare):
        given = given.as_dict()
    where = f"option dares: dare {number}"
    if not isinstance(given, Mapping):
        raise OptionError(f"{where}: {given!r}: expected a mapping with {', '.join(_REQUIRED)}")
    for key in _REQUIRED:
        if key not in given:
            raise OptionError(f"{where}: {key!r} is missing")
    for key in given:
        if key not in (*_REQUIRED, *_WORDS):
            raise OptionError(f"{where}: unknown key {key!r}{nearest(str(key), (*_REQUIRED, *_WORDS))}")
    if given["id"] != number or isinstance(given["id"], bool):
        raise OptionError(f"{where}: id {given['id']!r}: expected {number}, as ids count from 0 in the deck's order")
    base = hundredths(given["base"], 0.0, 1.0, f"{where}: base")
    for key in ("assister", "turbulator"):
        if not isinstance(given[key], bool):
            raise OptionError(f"{where}: {key} {given[key]!r}: expected true or false")
    words = {key: given.get(key, "") for key in _WORDS}
    for key, value in words.items():
        if not isinstance(value, str) or any(unicodedata.category(sign) in _NO_SIGN for sign in value):
            raise OptionError(f"{where}: {key} {value!r}: expected a text in one line")
    for key, choices in (("difficulty", DIFFICULTIES), ("binds", BINDS)):
        if words[key] not in ("", *choices):
            raise OptionError(f"{where}: {key} {words[key]!r}: expected one of {', '.join(choices)}")
    return Dare(number, base, given["assister"], given["turbulator"], **words)


def hundredths(value: Any, low: float, high: float, where: str) -> int:
    """A number as hundredths, a half rounded to the even one (HP-8).

    Raises:
        OptionError: if it is no number from `low` to `high`.
    """
    if isinstance(value, (np.integer, np.floating)):
        value = value.item()
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
        raise OptionError(f"{where} {value!r}: expected a number from {low:g} to {high:g}")
    return round(Decimal(repr(float(value))) * 100)


DARES: Final = read_deck(Path(__file__).with_name("dares.json"))
