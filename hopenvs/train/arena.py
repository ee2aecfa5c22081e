"""An arena: every two of some agents play many games of an id, and a ladder tells how strong they are.

The two share the table: of an odd number of seats each has the greater part in half of the games. Seats rotate, and all
pairs play the games of the same seeds, so that none of them has luckier dice. An arena lies in a folder
(`arena_folder.py`) and can be interrupted, resumed, and continued with more games and more agents.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hopenvs import registry
from hopenvs.agents import Agent
from hopenvs.agents.hall import always_alike, names_of, play_games
from hopenvs.core import rng
from hopenvs.core.errors import OptionError
from hopenvs.core.options import changed_options
from hopenvs.train.arena_folder import (
    CONFIG,
    GAMES,
    ArenaConfig,
    GamesFile,
    check_resumed,
    digest_of,
    read_config,
    write_config,
)
from hopenvs.train.evaluate import make_players
from hopenvs.train.ladder import Ladder, Meeting, count_ladder, write_ladder

if TYPE_CHECKING:
    from hopenvs.core.game import Game

# Words, paths of models or runs, or agents with names; a mapping gives them other names than their own.
Agents = Sequence[str | Agent] | Mapping[str, str | Agent]

AGENTS = ("uniform", "greedy")
DEFAULT_GAMES = 400

# A chunk of games is what a kill can lose. Nobody knows how slow an agent is: the first is small, others are as large
# as may be played in this time, but not larger than GROWTH times the one before.
CHUNK_SECONDS = 10.0
FIRST_CHUNK = 8  # rounds of the table
GROWTH = 4


def arena(
    env_id: str,
    agents: Agents | None = None,
    games: int | None = None,
    seed: int | None = None,
    *,
    folder: str | Path,
    options: Mapping[str, Any] | None = None,
    resume: bool = False,
    trust: bool = False,
    device: str = "cpu",
    progress: Callable[[int, tuple[str, str]], Any] | None = None,
) -> Ladder:
    """Play a round robin and rate the agents (`prepare`, `Arena.play`)."""
    prepared = prepare(
        env_id, agents, games, seed, folder=folder, options=options, resume=resume, trust=trust, device=device
    )
    return prepared.play(progress)


def prepare(
    env_id: str,
    agents: Agents | None = None,
    games: int | None = None,
    seed: int | None = None,
    *,
    folder: str | Path,
    options: Mapping[str, Any] | None = None,
    resume: bool = False,
    trust: bool = False,
    device: str = "cpu",
) -> Arena:
    """Everything that can go wrong before the first game.

    Args:
        env_id: the id.
        agents: words, paths of models or runs, or agents with names; by default `AGENTS`, or those of a resumed arena.
            A mapping says what they are called here: `{"trained": "runs/igel"}`.
        games: of every pair (`DEFAULT_GAMES`); the number is brought up to a multiple of the seats, of twice as many if
            that is odd.
        seed: of the first game of every pair (0); the others have the seeds that follow.
        folder: of the arena; made if it isn't there.
        options: further options of the game.
        resume: go on with the arena in the folder. What isn't given is as before; games and agents may be more.
        trust: also read models that hold code of their own (`agents/policy.py`).
        device: where models run.

    Raises:
        UnknownIdError: for an unknown id.
        OptionError: for agents that are unknown, fewer than two or twice the same, an impossible option, a folder that
            holds another arena, or one that is damaged.
    """
    if find_spec("matplotlib") is None:  # it draws at the end: better missed at the beginning
        raise OptionError("an arena's picture needs matplotlib: pip install 'hopenvs[train]'")
    folder = Path(folder)
    if not resume and (folder / GAMES).exists():
        raise OptionError(f"{folder}: holds an arena already: --resume goes on with it, or choose another folder")
    if not resume and (folder / CONFIG).exists():
        read_config(folder)  # one that was stopped before its first games: begun afresh; of anything else it's refused
    before = read_config(folder) if resume else None
    if before is not None:
        agents = agents if agents is not None else list(before.agents)
        games = games if games is not None else before.games
        seed = seed if seed is not None else before.seed
        options = options if options is not None else before.options
    agents = agents if agents is not None else AGENTS
    games, seed = games if games is not None else DEFAULT_GAMES, seed if seed is not None else 0
    game, parsed = registry.resolve(env_id, options or {})
    given = list(agents.values()) if isinstance(agents, Mapping) else list(agents)
    names, made = make_players(given, game, parsed, trust=trust, device=device)
    if isinstance(agents, Mapping):
        names = list(agents)
    digests = [digest_of(agent) for agent in given]
    # What agents given as words call themselves: one may be written in several ways.
    called = [
        names_of([agent])[0] if isinstance(word, str) and digest is None else None
        for word, agent, digest in zip(given, made, digests, strict=True)
    ]
    _check_agents(names, digests, called)
    tables = tables_of(game.spec(parsed).num_players)
    rng.check_seed(seed)
    if games < 1:
        raise OptionError(f"games={games!r}: expected 1 or more")
    digest_by_name = dict(zip(names, digests, strict=True))
    order = [*(before.agents if before is not None else ()), *names]  # whoever joined later comes later
    config = ArenaConfig(
        env=registry.entry_of(env_id).id,
        options=_as_written(game, parsed),
        seed=seed,
        games=whole_rotations(games, tables),
        agents={name: digest_by_name.get(name) for name in order if name in digest_by_name},
    )
    if before is not None:
        check_resumed(folder, before, config)
    by_name = dict(zip(names, made, strict=True))
    return Arena(folder, config, game, parsed, [by_name[name] for name in config.agents], tables)


def tables_of(players: int) -> list[list[int]]:
    """Who of two, 0 or 1, has how many of a table's seats: of an odd number now this one the more, now that one."""
    more = (players + 1) // 2
    tables = [[0] * more + [1] * (players - more)]
    return tables if players % 2 == 0 else [*tables, [0] * (players - more) + [1] * more]


def whole_rotations(games: int, tables: Sequence[Sequence[int]]) -> int:
    """How many games of a pair give everybody each seat as often (`tables_of`), so many at least."""
    size = len(tables) * len(tables[0])
    return -(-games // size) * size


def _as_written(game: Game, options: Any) -> dict[str, Any]:
    """Options as config.json has them: with the number of players, which not every id says."""
    changed = {"players": game.spec(options).num_players, **changed_options(game, options)}
    known = {option.name for option in game.OPTIONS}
    return json.loads(json.dumps({name: value for name, value in changed.items() if name in known}))


def _check_agents(names: Sequence[str], digests: Sequence[str | None], called: Sequence[str | None]) -> None:
    """Refuse fewer than two agents, and the same one twice; `called`: by what name those given as words go."""
    if len(names) < 2:
        raise OptionError(f"{len(names)} agents: expected two or more")
    for k, (name, digest) in enumerate(zip(names, digests, strict=True)):
        if name in names[:k]:
            raise OptionError(f"agent {name!r} is given twice: expected agents of different names")
        if called[k] is not None and called[k] in called[:k]:
            raise OptionError(f"agents {names[called.index(called[k])]!r} and {name!r} are the same")
        if digest is not None and digest in digests[:k]:
            raise OptionError(f"agents {names[digests.index(digest)]!r} and {name!r} are the same model")


class Arena:
    """An arena that is ready to be played, or to be played on.

    Args:
        folder: where it lies; made if it isn't there.
        config: what makes it this one.
        game: the game module.
        options: its compiled options.
        agents: as in `config`.
        tables: who shares the table of every two.
    """

    def __init__(
        self,
        folder: Path,
        config: ArenaConfig,
        game: Game,
        options: Any,
        agents: Sequence[Agent],
        tables: Sequence[Sequence[int]],
    ) -> None:
        self.folder, self.config, self.game, self.options, self.tables = folder, config, game, options, tables
        self.agents, self.names = list(agents), list(config.agents)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.file = GamesFile(folder / GAMES, self.names, tables, config.seed)
        most = max(map(len, self.file.meetings.values()))
        if most > config.games:
            raise OptionError(
                f"{folder / GAMES}: holds {most} games of a pair: expected {config.games}, as {CONFIG} says"
            )
        write_config(folder, config)

    @property
    def repeated(self) -> list[tuple[int, int]]:
        """The pairs whose games are one and the same, seating by seating (`hall.always_alike`)."""
        spec = self.game.spec(self.options)
        return [pair for pair in self.file.meetings if always_alike(spec, [self.agents[k] for k in pair])]

    @property
    def remaining(self) -> int:
        """How many games have yet to be played, of all pairs."""
        return sum(self.config.games - len(meeting) for meeting in self.file.meetings.values())

    def play(self, progress: Callable[[int, tuple[str, str]], Any] | None = None) -> Ladder:
        """Play what remains, chunk by chunk, and write the ladder.

        Args:
            progress: called with the number of games finished since the last call, and who plays.
        """
        for pair in self.file.meetings:
            self._play_pair(pair, progress)
        self.file.put_in_order()
        ladder = count_ladder(self.names, self.file.meetings, self.tables, self.repeated)
        about = {**self.config.fixed, "players": len(self.tables[0])}
        write_ladder(ladder, self.folder, about)
        return ladder

    def _play_pair(self, pair: tuple[int, int], progress: Callable[[int, tuple[str, str]], Any] | None) -> None:
        players, names = len(self.tables[0]), (self.names[pair[0]], self.names[pair[1]])

        def tell(finished: int) -> None:
            if progress is not None:
                progress(finished, names)

        chunk = FIRST_CHUNK * players
        while (first := len(self.file.meetings[pair])) < self.config.games:
            began = time.perf_counter()
            outcomes = play_games(
                self.game,
                self.options,
                [self.agents[k] for k in pair],
                min(chunk, self.config.games - first),
                self.config.seed,
                first=first,
                tables=self.tables,
                names=names,
                progress=tell,
            )
            self.file.add(pair, Meeting(outcomes.players, outcomes.winners, outcomes.ranks, outcomes.truncated))
            chunk = next_chunk(len(outcomes), time.perf_counter() - began, players)


def next_chunk(games: int, seconds: float, players: int) -> int:
    """How many games to play next, whole rounds of the table, after so many have taken so long."""
    in_time = games * min(GROWTH, CHUNK_SECONDS / max(seconds, 1e-9))
    return max(1, int(in_time / players)) * players
