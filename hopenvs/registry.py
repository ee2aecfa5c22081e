"""Ids: which game and which options an id stands for, and what is made of it.

`import hopenvs` registers every id with Gymnasium and PettingZoo by name only: a game's module, and with it Numba, is
imported when the first environment of that game is made.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import TYPE_CHECKING, Any

from hopenvs.core.errors import OptionError, UnknownIdError, nearest

if TYPE_CHECKING:
    from hopenvs.core.game import Game
    from hopenvs.core.state import Payoff

NAMESPACE = "hopenvs"
ID_PATTERN = re.compile(r"[a-z0-9_]+(-[a-z0-9_]+)*-v\d+")


@dataclass(frozen=True)
class Entry:
    """A registered id.

    Attributes:
        id: such as `igel_aergern-4p-anarchy-v0`.
        module: the game module's import name.
        options: what the id implies; contradicting it is an error.
    """

    id: str
    module: str
    options: Mapping[str, Any] = field(default_factory=dict)

    def game(self) -> Game:
        """The game module, imported now."""
        return importlib.import_module(self.module)


_entries: dict[str, Entry] = {}


def _igel_aergern() -> Iterator[Entry]:
    module = "hopenvs.games.igel_aergern"
    for players in range(2, 7):
        yield Entry(f"igel_aergern-{players}p-v0", module, {"players": players})
    for players in (2, 4):
        for option in ("cylinder", "anarchy", "pillars", "repelling_pits", "shallow_pits", "doping"):
            suffix = option.replace("_", "-")
            yield Entry(f"igel_aergern-{players}p-{suffix}-v0", module, {"players": players, option: True})


def _hooop() -> Iterator[Entry]:
    module = "hopenvs.games.hooop"
    for players in range(2, 5):
        yield Entry(f"hooop-{players}p-v0", module, {"players": players})
    for players in range(2, 5):
        yield Entry(f"hooop-{players}p-nocards-v0", module, {"players": players, "cards": False})
    yield Entry("hooop-3p-triangle6-v0", module, {"players": 3, "board": "triangle6"})


def _hedgehog_hop() -> Iterator[Entry]:
    puzzler, battle = "hopenvs.games.hedgehog_hop.puzzler", "hopenvs.games.hedgehog_hop.battle"
    yield Entry("hedgehog_hop-2p-v0", puzzler, {"players": 2})
    for players in range(3, 7):
        yield Entry(f"hedgehog_hop-puzzler-{players}p-v0", puzzler, {"players": players})
    for promo in ("unicorn", "zombie", "vegan_zombie"):
        suffix = promo.replace("_", "-")
        yield Entry(f"hedgehog_hop-puzzler-2p-{suffix}-v0", puzzler, {"players": 2, "promo": promo})
    for players in range(3, 7):
        yield Entry(f"hedgehog_hop-battle-{players}p-v0", battle, {"players": players})


def _hop() -> Iterator[Entry]:
    module = "hopenvs.games.hop"
    for players in range(3, 7):
        yield Entry(f"hop-{players}p-v0", module, {"players": players})
    for players in range(3, 7):
        yield Entry(f"hop-{players}p-sampled-v0", module, {"players": players, "skills": "sampled"})


def _hexx_hopp() -> Iterator[Entry]:
    module = "hopenvs.games.hexx_hopp"
    for players in range(2, 6):
        yield Entry(f"hexx_hopp-{players}p-v0", module, {"players": players})
    for players in range(2, 6):
        yield Entry(f"hexx_hopp-{players}p-1r-v0", module, {"players": players, "rounds": 1})


def list_envs(game: str | None = None) -> list[str]:
    """All registered ids, in order of registration; with `game`, those whose id begins with it."""
    return [entry for entry in _entries if game is None or entry.split("-")[0] == game]


def entry_of(env_id: str) -> Entry:
    """The entry of an id, with or without the prefix `hopenvs/`.

    Raises:
        UnknownIdError: suggesting the nearest ids.
    """
    name = str(env_id).removeprefix(f"{NAMESPACE}/")
    try:
        return _entries[name]
    except (KeyError, TypeError):
        raise UnknownIdError(
            f"unknown id {env_id!r}{nearest(str(name), _entries)}; `hopenvs list` or hopenvs.list_envs() shows all"
        ) from None


def resolve(env_id: str, keywords: Mapping[str, Any]) -> tuple[Game, Any]:
    """The game and the compiled options of an id and further option keywords.

    Raises:
        UnknownIdError: for an unknown id.
        OptionError: for options that are unknown, impossible, or contradict the id.
    """
    from hopenvs.core.options import parse_options

    entry = entry_of(env_id)
    for name, value in keywords.items():
        if name in entry.options and value is not None and value != entry.options[name]:
            raise OptionError(
                f"option {name}={value!r} contradicts the id {entry.id}, which says {entry.options[name]!r}"
            )
    game = entry.game()
    return game, parse_options(game, {**keywords, **entry.options})


# ---- making ---------------------------------------------------------------------------------------------------------
def make(env_id: str, api: str = "aec", **keywords: Any) -> Any:
    """An environment by its id.

    Args:
        env_id: such as "igel_aergern-2p-v0".
        api: "aec" (PettingZoo's AECEnv) or "parallel" (its ParallelEnv).
        **keywords: `reward`, `illegal`, `max_cycles`, `chance`, `render_mode` (see `envs/table.py`), and the game's
            own options.

    Raises:
        UnknownIdError: for an unknown id.
        OptionError: for an unknown or impossible keyword.
    """
    if api == "aec":
        from hopenvs.envs.aec import GameAECEnv as Face
    elif api == "parallel":
        from hopenvs.envs.parallel import GameParallelEnv as Face  # type: ignore[assignment]
    else:
        raise OptionError(f"api={api!r}: expected 'aec' or 'parallel' (others: make_vec, make_gym)")
    face, own = _split(keywords, ("reward", "illegal", "max_cycles", "chance", "render_mode"))
    game, options = resolve(env_id, own)
    return Face(game, options, env_id=entry_of(env_id).id, **face)


def make_vec(env_id: str, num_envs: int = 1, **keywords: Any) -> Any:
    """N games of an id at once, all seats (`envs/vector.py`).

    Args:
        env_id: such as "igel_aergern-2p-v0".
        num_envs: N.
        **keywords: `threads`, `reward`, `illegal`, `max_episode_steps`, `autoreset_mode`, `copy`, and the game's own
            options.
    """
    from hopenvs.envs.vector import GameVectorEnv

    names = ("threads", "reward", "illegal", "max_episode_steps", "autoreset_mode", "copy")
    face, own = _split(keywords, names)
    game, options = resolve(env_id, own)
    return GameVectorEnv(game, options, num_envs, env_id=entry_of(env_id).id, **face)


def make_gym(env_id: str, seat: int | str = 0, opponents: Any = "uniform", **keywords: Any) -> Any:
    """One seat of an id against opponents, as a Gymnasium environment (`envs/gym.py`).

    Args:
        env_id: such as "igel_aergern-2p-v0".
        seat: the learner's seat, or "random".
        opponents: "uniform", an Agent, a function `f(observations, masks) -> actions`, or a sequence of P - 1 of them.
        **keywords: `reward`, `illegal`, `mask_in_observation`, `max_episode_steps`, `render_mode`, and the game's own
            options.
    """
    from hopenvs.envs.gym import SeatEnv

    face, own = _split(keywords, ("reward", "illegal", "mask_in_observation", "max_episode_steps", "render_mode"))
    game, options = resolve(env_id, own)
    return SeatEnv(game, options, env_id=entry_of(env_id).id, seat=seat, opponents=opponents, **face)


def make_gym_vec(env_id: str, num_envs: int = 1, **keywords: Any) -> Any:
    """N games, one seat each against opponents, as a Gymnasium VectorEnv: what `gymnasium.make_vec` calls."""
    from hopenvs.envs.gym import SeatVectorEnv

    names = ("seat", "opponents", "reward", "illegal", "mask_in_observation", "max_episode_steps", "autoreset_mode")
    face, own = _split(keywords, (*names, "threads", "render_mode"))
    game, options = resolve(env_id, own)
    return SeatVectorEnv(game, options, num_envs, env_id=entry_of(env_id).id, **face)


def _split(keywords: Mapping[str, Any], names: tuple[str, ...]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The face's keywords, and the rest: options of the game, which refuse what nobody knows."""
    face = {name: value for name, value in keywords.items() if name in names}
    return face, {name: value for name, value in keywords.items() if name not in names}


class PettingZooModule:
    """What PettingZoo's custom asks of a module: `raw_env`, `env` and `parallel_env` of one game.

    Args:
        game: the game module below `hopenvs.games`.
        version: its version.
    """

    def __init__(self, game: str, version: int = 0) -> None:
        self._game = game
        self._suffix = f"-v{version}"

    def _id(self, players: int | None) -> str:
        module = f"{__package__}.games.{self._game}"
        ids = [i for i in list_envs() if _entries[i].module == module and i.endswith(self._suffix)]
        if players is None:
            return ids[0]
        for candidate in ids:
            if dict(_entries[candidate].options) == {"players": players}:
                return candidate
        numbers = sorted({_entries[i].options["players"] for i in ids})
        raise OptionError(f"option players={players!r}: expected {numbers[0]} to {numbers[-1]}, as {', '.join(ids)}")

    def raw_env(self, players: int | None = None, **keywords: Any) -> Any:
        """The AEC environment that raises at an illegal action (C-11)."""
        return make(self._id(players), **{"illegal": "raise", **keywords})

    def env(self, players: int | None = None, **keywords: Any) -> Any:
        """The AEC environment in which an illegal action forfeits the game (C-11)."""
        return make(self._id(players), **{"illegal": "forfeit", **keywords})

    def parallel_env(self, players: int | None = None, **keywords: Any) -> Any:
        """The parallel environment, in which an illegal action forfeits the game."""
        return make(self._id(players), "parallel", **{"illegal": "forfeit", **keywords})


# ---- records --------------------------------------------------------------------------------------------------------
def record_header(env_id: str, game: Game, options: Any, seed: int, reward: str = "win") -> dict[str, Any]:
    """The first line of a game's record (C-13): every option that isn't the game's default, also what the id implies.

    Args:
        env_id: the id.
        game: its game module.
        options: the compiled options.
        seed: what the game begins from.
        reward: how it pays; it is no option of the game, and stands among them if it isn't "win".
    """
    from hopenvs.core.options import changed_options

    changed = changed_options(game, options)
    family = getattr(game, "FAMILY", None)  # of games that share their ID
    if family is not None:
        changed = {"family": family} | changed
    if reward != "win":
        changed["reward"] = reward
    return {"env": entry_of(env_id).id, "options": changed, "players": game.spec(options).num_players, "seed": seed}


def resolve_header(header: Mapping[str, Any]) -> tuple[Game, Any, Payoff]:
    """The game, the compiled options and the payoff of a record's header.

    Raises:
        UnknownIdError: for an unknown id.
        OptionError: for options or a number of players that are unknown, impossible, or contradict the id.
    """
    from hopenvs.envs.table import ILLEGAL, check_choice, payoff_named

    keywords = dict(header["options"])
    reward, illegal, family = (keywords.pop(name, None) for name in ("reward", "illegal", "family"))
    if illegal is not None:
        check_choice("illegal", illegal, ILLEGAL)  # a forfeit is an event of its own: it changes no rule
    players = keywords.setdefault("players", header["players"])
    if players != header["players"]:
        raise OptionError(f"option players={players!r}: the header says players {header['players']!r}")
    game, options = resolve(header["env"], keywords)
    expected = getattr(game, "FAMILY", None)
    if family not in (None, expected):
        raise OptionError(f"option family={family!r}: {header['env']} is of {expected or 'no family'}")
    return game, options, payoff_named(game, options, "win" if reward is None else reward)


# ---- registering ----------------------------------------------------------------------------------------------------
def register(game: ModuleType | Game, env_id: str | None = None, **options: Any) -> str:
    """Register an id for a game of your own: every face, command and check then takes it.

    Args:
        game: the game module (see `core/game.py`), importable by its name.
        env_id: the id; by default `<game.ID>-v<game.VERSION>`.
        **options: what the id implies.

    Returns:
        The id.

    Raises:
        ValueError: for a malformed or taken id, impossible options, or a module that lacks a member.
        ImportError: for a module that can't be found again by its name.
    """
    from hopenvs.core.check import missing_members
    from hopenvs.core.options import parse_options

    lacking = missing_members(game)
    if lacking:
        raise ValueError(f"{game.__name__} is no game: it lacks {', '.join(lacking)} (see hopenvs/core/game.py)")
    name = env_id or f"{game.ID}-v{game.VERSION}"
    if not ID_PATTERN.fullmatch(name):
        raise ValueError(f"id {name!r}: expected lower-case words joined by '-', ending in -vN")
    entry = Entry(name, game.__name__, options)
    if name in _entries and _entries[name] != entry:
        raise ValueError(f"id {name!r} is taken by {_entries[name].module}")
    parse_options(entry.game(), options)  # first: an id that cannot be made is none
    _add(entry)
    return name


def _add(entry: Entry) -> None:
    if entry.id not in _entries:
        _entries[entry.id] = entry
        _register_with_gymnasium(entry.id)
        _register_with_pettingzoo(entry.id)


def _register_with_gymnasium(env_id: str) -> None:
    import gymnasium

    name = f"{NAMESPACE}/{env_id}"
    if name not in gymnasium.registry:
        gymnasium.register(
            name,
            entry_point="hopenvs.registry:make_gym",
            vector_entry_point="hopenvs.registry:make_gym_vec",
            kwargs={"env_id": env_id},
            disable_env_checker=True,
        )


def _register_with_pettingzoo(env_id: str) -> None:
    """PettingZoo has a registry from 1.27 on."""
    import pettingzoo

    add = getattr(pettingzoo, "register", None)
    if add is None:
        return
    name = f"{NAMESPACE}/{env_id}"
    for api in ("aec", "parallel"):
        if name not in getattr(pettingzoo, f"{api}_registry"):
            add(api, name, entry_point="hopenvs.registry:make", kwargs={"env_id": env_id, "api": api})


for _family in (_igel_aergern, _hooop, _hedgehog_hop, _hop, _hexx_hopp):
    for _entry in _family():
        _add(_entry)
