"""Reading parts of a position: each check names the key that is wrong (C-6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hopenvs.core.errors import OptionError, PositionError, nearest
from hopenvs.core.options import changed_options

if TYPE_CHECKING:
    from hopenvs.core.game import Game


def integer(value: Any, key: str, low: int, high: int) -> int:
    """An int in [low, high]."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        expected = f"an integer from {low} to {high}" if low < high else str(low)
        raise PositionError(f"key '{key}': {value!r}: expected {expected}")
    return value


def word(position: Mapping[str, Any], key: str, choices: Sequence[str]) -> str:
    """One of some words."""
    value = position[key]
    if not isinstance(value, str) or value not in choices:
        raise PositionError(f"key '{key}': {value!r}: expected one of {', '.join(choices)}")
    return value


def items(value: Any, key: str, length: int | None, what: str) -> list[Any]:
    """A list, of a given length if there is one."""
    if not isinstance(value, (list, tuple)) or (length is not None and len(value) != length):
        of = "a list" if length is None else f"a list of {length}"
        raise PositionError(f"key '{key}': {value!r}: expected {of}: {what}")
    return list(value)


def seats(value: Any, key: str, players: int) -> list[int]:
    """An ascending list of seats."""
    found = [integer(seat, key, 0, players - 1) for seat in items(value, key, None, "seats in ascending order")]
    if found != sorted(set(found)):
        raise PositionError(f"key '{key}': {value!r}: expected seats in ascending order, each once")
    return found


def check_keys(position: Any, keys: Sequence[str], optional: Sequence[str] = ()) -> None:
    """Refuse what is no dict, lacks a key or has an unknown one."""
    if not isinstance(position, Mapping):
        raise PositionError(f"a position is a dict with the keys {', '.join(keys)}, not {type(position).__name__}")
    for key in keys:
        if key not in position:
            raise PositionError(f"key '{key}' is missing")
    for key in position:
        if key not in keys and key not in optional:
            raise PositionError(f"unknown key {key!r}{nearest(key, [*keys, *optional])}")


def write_position(game: Game, options: Any, record: Any) -> dict[str, Any]:
    """The position of a record, with its `options` if any differ from the game's default."""
    position = game.to_position(options, record)
    changed = changed_options(game, options, for_position=True)
    return position | {"options": changed} if changed else position


def read_position(game: Game, options: Any, position: Mapping[str, Any], record: Any) -> None:
    """Set a blank record to a position.

    Raises:
        PositionError: naming the key; also if game, players or options are not those of this environment.
    """
    check_keys_present(position, ("game", "players"))
    if position["game"] != game.ID:
        raise PositionError(f"key 'game': {position['game']!r}: expected {game.ID!r}")
    integer(position["players"], "players", options.players, options.players)
    given = position.get("options", {})
    if not isinstance(given, Mapping):
        raise PositionError(f"key 'options': {given!r}: expected a dict")
    given = {name: value for name, value in given.items() if value is not None}
    expected = changed_options(game, options, for_position=True)
    table = {option.name: option for option in game.OPTIONS}
    for name in (*given, *expected):
        if name not in table:
            raise PositionError(f"key 'options': unknown option {name!r}{nearest(name, table)}")
        if name == "players" or not table[name].in_position:
            raise PositionError(f"key 'options': {name!r} is no part of a position's options")
        option = table[name]
        here = getattr(options, name)
        if name in given:
            try:
                there = option.fill(option.encode(given[name]))
            except OptionError as error:
                raise PositionError(f"key 'options': {error}") from None
        else:
            there = None
        if there != here:
            stated = given.get(name, "the default")
            raise PositionError(f"key 'options': {name}={stated!r}: this environment has {option.decode(here)!r}")
    game.from_position(options, position, record)


def position_options(game: Game, position: Mapping[str, Any]) -> dict[str, Any]:
    """The option keywords a position tells of: its players, its `options`, and those with a key of their own (C-6)."""
    own = [o.name for o in game.OPTIONS if o.name in position and (o.name == "players" or not o.in_position)]
    return {name: position[name] for name in own} | dict(position.get("options", {}))


def check_keys_present(position: Any, keys: Sequence[str]) -> None:
    """Refuse what is no dict or lacks one of some keys."""
    if not isinstance(position, Mapping):
        raise PositionError(f"a position is a dict, not {type(position).__name__}")
    for key in keys:
        if key not in position:
            raise PositionError(f"key '{key}' is missing")
