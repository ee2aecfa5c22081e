"""Options of a game: one table, from which keywords are checked, compiled options made and documentation printed.

People write `setup="random", cylinder=True, pits=(3, 6, 4)`; compiled rules read a record of ints with the same names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hopenvs.core.errors import OptionError, nearest

if TYPE_CHECKING:
    from hopenvs.core.game import Game

UNUSED = -1  # fills a fixed-length tuple beyond the values given


@dataclass(frozen=True)
class Option:
    """One keyword of a game.

    Attributes:
        name: the keyword, and the field of the compiled options.
        default: a bool, an int, one of `choices`, or None where `Game.complete_options` derives it from the others.
        text: a sentence for people.
        low: smallest value (ints, and the items of tuples).
        high: largest value.
        choices: the words of an enum, in the order of their codes.
        length: for tuples of ints: how many the record has room for.
        in_position: False for what is no part of a position (C-6), or has a key of its own there.
        always_stated: records state it though it is the default (C-13).
        clause: the rule's number.
    """

    name: str
    default: Any
    text: str
    low: int = 0
    high: int = 1
    choices: tuple[str, ...] = ()
    length: int = 0
    in_position: bool = True
    always_stated: bool = False
    clause: str = ""

    def expected(self) -> str:
        """What values are taken, in words."""
        if self.choices:
            return "one of " + ", ".join(repr(c) for c in self.choices)
        if isinstance(self.default, bool):
            return "True or False"
        if self.length:
            return f"a sequence of at most {self.length} integers from {self.low} to {self.high}"
        return f"an integer from {self.low} to {self.high}"

    def encode(self, value: Any) -> Any:
        """A person's value as an int or a tuple of ints (without filling).

        Raises:
            OptionError: naming the option, the value and what was expected.
        """
        if self.choices:
            if isinstance(value, str) and value in self.choices:
                return self.choices.index(value)
        elif isinstance(self.default, bool):
            if isinstance(value, (bool, np.bool_)):
                return int(value)
        elif self.length:
            is_row = isinstance(value, (tuple, list)) or (isinstance(value, np.ndarray) and value.ndim == 1)
            if is_row and len(value) <= self.length and all(self._fits(v) for v in value):
                return tuple(int(v) for v in value)
        elif self._fits(value):
            return int(value)
        raise OptionError(f"option {self.name}={value!r}: expected {self.expected()}")

    def _fits(self, value: Any) -> bool:
        is_int = isinstance(value, (int, np.integer)) and not isinstance(value, (bool, np.bool_))
        return is_int and self.low <= int(value) <= self.high

    def decode(self, code: Any) -> Any:
        """The inverse of `encode`, for headers and positions: JSON-able."""
        if self.choices:
            return self.choices[code]
        if isinstance(self.default, bool):
            return bool(code)
        if self.length:
            return [c for c in code if c != UNUSED]
        return code

    def fill(self, code: Any) -> Any:
        """Tuples brought to their fixed length."""
        return tuple(code) + (UNUSED,) * (self.length - len(code)) if self.length else code


def parse_options(game: Game, keywords: Mapping[str, Any]) -> Any:
    """The game's compiled options from people's keywords; a value of None counts as not given (C-6).

    Raises:
        OptionError: for an unknown keyword, a value that does not fit, or an impossible combination.
    """
    table = {option.name: option for option in game.OPTIONS}
    for name in keywords:
        if name not in table:
            hint = nearest(name, table)
            raise OptionError(f"unknown option {name!r} of {_called(game)}{hint}; it takes {', '.join(table)}")
    codes: dict[str, Any] = {}
    for name, option in table.items():
        value = keywords.get(name)
        if value is None:
            value = option.default
        codes[name] = None if value is None else option.encode(value)
    completed = game.complete_options(codes)
    options = game.Options(**{name: table[name].fill(code) for name, code in completed.items()})
    game.check_options(options)
    return options


def changed_options(game: Game, options: Any, *, for_position: bool = False) -> dict[str, Any]:
    """Options that differ from the game's default at this number of players, as people write them, JSON-able.

    Those that are always stated are among them, but not for a position.
    """
    derived = {
        option.name: getattr(options, option.name) if option.default is not None else None for option in game.OPTIONS
    }
    usual = game.complete_options(derived)
    changed = {}
    for option in game.OPTIONS:
        if option.name == "players" or (for_position and not option.in_position):
            continue
        code = getattr(options, option.name)
        default = usual[option.name] if option.default is None else option.encode(option.default)
        if code != option.fill(default) or (option.always_stated and not for_position):
            changed[option.name] = option.decode(code)
    return changed


def options_record(options: Any) -> np.ndarray:
    """[1] structured array: the options as kernels take them."""
    fields = []
    for name in options._fields:
        value = getattr(options, name)
        fields.append((name, np.int32, (len(value),)) if isinstance(value, tuple) else (name, np.int32))
    record = np.zeros(1, np.dtype(fields, align=True))
    for name in options._fields:
        record[name][0] = getattr(options, name)
    return record


def _called(game: Game) -> str:
    """A game's name, with its family where several games share it."""
    return f"{game.ID} ({family})" if (family := getattr(game, "FAMILY", None)) else game.ID
