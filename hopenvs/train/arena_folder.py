"""An arena's folder: what makes it this one, and the games played so far.

config.json says which arena it is. games.csv has a line for every game and grows while it is played, chunk by chunk;
each line stands for itself, so whatever was written before a kill counts, and a line that was cut off is dropped. The
other files (`ladder.py`) are made of it at the end.
"""

from __future__ import annotations

import csv
import hashlib
import itertools
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from hopenvs.agents.hall import seatings
from hopenvs.agents.specs import KINDS, MODEL_SUFFIX, models_of
from hopenvs.core.errors import OptionError
from hopenvs.train.files import versions, write_whole
from hopenvs.train.ladder import Meeting, as_csv

CONFIG, GAMES = "config.json", "games.csv"


@dataclass(frozen=True)
class ArenaConfig:
    """What makes an arena this one.

    Attributes:
        env: the id.
        options: the game's, as far as they aren't the default.
        seed: of game 0 of every pair.
        games: of every pair; a resumed arena may have more.
        agents: by name, the SHA-256 of a model's file, None for what has none; a resumed arena may have more.
    """

    env: str
    options: Mapping[str, Any]
    seed: int
    games: int
    agents: Mapping[str, str | None]

    @property
    def fixed(self) -> dict[str, Any]:
        """What a resumed arena can't change."""
        return {"env": self.env, "options": dict(self.options), "seed": self.seed}


def digest_of(agent: Any) -> str | None:
    """The SHA-256 of the file of a model, or of the models in a run's folder; None for any other agent."""
    if not isinstance(agent, str) or agent in KINDS:
        return None
    files = models_of(agent)
    if not files or not all(file.suffix.lower() == MODEL_SUFFIX and file.is_file() for file in files):
        return None
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


# ---- config.json ----------------------------------------------------------------------------------------------------
def write_config(folder: Path, config: ArenaConfig) -> None:
    """Write config.json."""
    agents = [{"agent": name, "sha256": digest} for name, digest in config.agents.items()]
    content = {**config.fixed, "games": config.games, "agents": agents, "versions": versions()}
    write_whole(folder / CONFIG, (json.dumps(content, indent=2) + "\n").encode())


def read_config(folder: Path) -> ArenaConfig:
    """Which arena a folder holds.

    Raises:
        OptionError: if there is none, it can't be read, or it was begun with another version of hopenvs.
    """
    path = folder / CONFIG
    if not path.exists():
        raise OptionError(f"{folder}: there is no arena to resume: {CONFIG} is missing")
    try:
        saved = json.loads(path.read_text(encoding="utf-8"))
        agents = {str(agent["agent"]): agent["sha256"] for agent in saved["agents"]}
        begun = saved["versions"].get("hopenvs")
        config = ArenaConfig(str(saved["env"]), dict(saved["options"]), int(saved["seed"]), int(saved["games"]), agents)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        what = f"{error} is missing" if isinstance(error, KeyError) else error
        raise OptionError(f"{path}: damaged, or not of an arena: {what}") from None
    if not 0 <= config.seed < 2**64 or config.games < 1:
        raise OptionError(f"{path}: damaged: seed {config.seed}, games {config.games}")
    if begun != versions().get("hopenvs"):
        raise OptionError(f"{path}: was begun with hopenvs {begun}, this is {versions().get('hopenvs')}")
    return config


def check_resumed(folder: Path, before: ArenaConfig, config: ArenaConfig) -> None:
    """Refuse to resume another arena than the folder's; there may be more games and more agents.

    Raises:
        OptionError: naming what differs.
    """
    for name, value in before.fixed.items():
        given = config.fixed[name]
        if given != value:
            raise OptionError(f"{folder}: {name}={given!r}: a resumed arena goes on with {value!r}")
    for agent, digest in before.agents.items():
        if agent not in config.agents:
            raise OptionError(f"{folder}: agents: a resumed arena goes on with {agent!r}, too: leave nobody out")
        if config.agents[agent] != digest:
            raise OptionError(f"{folder}: agent {agent!r}: is another model than the one that has played here")
    if config.games < before.games:
        raise OptionError(f"{folder}: games={config.games}: a resumed arena has {before.games} or more")


# ---- games.csv ------------------------------------------------------------------------------------------------------
class GamesFile:
    """games.csv and what stands in it.

    Args:
        path: the file; begun with the first games.
        names: of the agents.
        tables: who shares the table of every two (`hall.seatings`).
        seed: of game 0.

    Raises:
        OptionError: if a line is not that of the next game of its pair.
    """

    def __init__(self, path: Path, names: Sequence[str], tables: Sequence[Sequence[int]], seed: int) -> None:
        self.path, self.names, self.tables, self.seed = path, list(names), tables, seed
        self.players = len(tables[0])
        nothing = np.zeros((0, self.players), np.int64)
        none = Meeting(nothing, nothing.astype(np.bool_), nothing, np.zeros(0, np.bool_))
        self.meetings = dict.fromkeys(itertools.combinations(range(len(self.names)), 2), none)
        if path.exists():
            self._read()

    @property
    def columns(self) -> list[str]:
        """The heading."""
        parts = ("seat", "won", "rank")
        by_seat = [f"{part}_{seat}" for part in parts for seat in range(self.players)]
        return ["agent", "opponent", "game", "seed", *by_seat, "truncated"]

    def add(self, pair: tuple[int, int], games: Meeting) -> None:
        """The next games of a pair: on the disk when this returns."""
        if not self.path.exists():
            write_whole(self.path, as_csv([self.columns]))
        text = as_csv(self._lines(pair, games, len(self.meetings[pair])))
        with self.path.open("ab") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        self.meetings[pair] = self.meetings[pair].then(games)

    def put_in_order(self) -> None:
        """Write pair after pair, as if nothing had been interrupted or come later."""
        lines = (line for pair, games in self.meetings.items() for line in self._lines(pair, games, 0))
        content = as_csv(itertools.chain([self.columns], lines))
        if content != self.path.read_bytes():
            write_whole(self.path, content)

    def _lines(self, pair: tuple[int, int], games: Meeting, first: int) -> Iterator[list[Any]]:
        own = [self.names[k] for k in pair]
        for k, players in enumerate(games.players.tolist()):
            seats = [own[player] for player in players]
            figures = [*games.winners[k].astype(int).tolist(), *games.ranks[k].tolist(), int(games.truncated[k])]
            yield [*own, first + k, (self.seed + first + k) % 2**64, *seats, *figures]

    def _read(self) -> None:
        """Take over whole lines, of every pair whole rounds of the table; the rest is dropped from the file."""
        content = self.path.read_bytes()
        whole = content[: content.rfind(b"\n") + 1].decode("utf-8", errors="replace")
        reader = csv.reader(whole.splitlines(keepends=True))
        if next(reader, None) != self.columns:
            raise OptionError(f"{self.path}: damaged, or of another arena: expected the heading {self.columns}")
        found: dict[tuple[int, int], list[list[int]]] = {pair: [] for pair in self.meetings}
        expected = {pair: seatings(*self.tables) for pair in self.meetings}
        for line in self._lines_of(reader):
            pair = self._pair_of(line)
            seated = next(expected[pair])
            number = len(found[pair])
            names = [line[player] for player in seated]
            own = [*line[:2], str(number), str((self.seed + number) % 2**64), *names]
            figures = line[len(own) :]
            if line[: len(own)] != own or len(line) != len(self.columns) or not self._are_result(figures):
                where = f"{self.path}, line {reader.line_num}"
                raise OptionError(f"{where}: expected {own} and the result, not {line}: cut it off there to go on")
            found[pair].append([*seated, *map(int, figures)])
        P, kept = self.players, 0
        for pair, lines in found.items():
            rows = np.array(lines[: len(lines) // P * P], np.int64).reshape(-1, 3 * P + 1)
            seats, won, ranks = rows[:, :P], rows[:, P : 2 * P] > 0, rows[:, 2 * P : 3 * P]
            self.meetings[pair] = Meeting(seats, won, ranks, rows[:, 3 * P] > 0)
            kept += len(rows)
        if len(whole.encode()) < len(content) or kept < sum(map(len, found.values())):
            self.put_in_order()

    def _lines_of(self, reader: Any) -> Iterator[list[str]]:
        try:
            yield from reader
        except csv.Error as error:
            raise OptionError(f"{self.path}, line {reader.line_num}: damaged: {error}") from None

    def _are_result(self, figures: Sequence[str]) -> bool:
        """Whether a line's end says who won, every rank, and whether the game was cut off."""
        P = self.players
        flags, ranks = [*figures[:P], *figures[2 * P :]], figures[P : 2 * P]
        return set(flags) <= {"0", "1"} and set(ranks) <= {str(rank) for rank in range(P + 1)}

    def _pair_of(self, line: Sequence[str]) -> tuple[int, int]:
        try:
            pair = (self.names.index(line[0]), self.names.index(line[1]))
        except (ValueError, IndexError):
            pair = (0, 0)
        if pair not in self.meetings:
            raise OptionError(f"{self.path}: damaged: {line} is no game of two of {', '.join(self.names)}")
        return pair
