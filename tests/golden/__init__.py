"""Golden records: a game of every id, written once; whatever changes, they must replay.

A record that no longer replays means that rules, catalogue, positions or results have changed: then the game's VERSION
rises and new ids get new records. `python -m tests.golden`, run from the root of the repository, writes those that are
missing and never touches one that is there.
"""

import gzip
from pathlib import Path
from typing import Any

from hopenvs.core import rng
from hopenvs.core.jit import plain_twin
from hopenvs.core.options import changed_options
from hopenvs.core.record import GameRecord, play_record
from hopenvs.core.state import SIMULTANEOUS
from hopenvs.core.walk import Walk
from hopenvs.registry import entry_of, list_envs, resolve

FOLDER = Path(__file__).parent


def golden_ids() -> list[str]:
    """The ids of the package itself; tests register others."""
    return [env_id for env_id in list_envs() if entry_of(env_id).module.startswith("hopenvs.")]


def path_of(env_id: str) -> Path:
    """Where the record of an id lies."""
    return FOLDER / f"{env_id}.jsonl.gz"


def read(env_id: str) -> GameRecord:
    """The record of an id."""
    with gzip.open(path_of(env_id), "rt", encoding="utf-8") as file:
        return GameRecord.of(file.read())


def write(env_id: str) -> None:
    """Play a game with random choices, and write it with every position.

    The seed differs from id to id and stays the same when ids are added.
    """
    seed = sum(env_id.encode())
    game, options = resolve(env_id, {})
    walk = Walk(game, options)
    header: dict[str, Any] = {"env": env_id, "options": changed_options(game, options)}
    header |= {"players": options.players, "seed": seed}
    stream = rng.generator(seed, rng.PLAYOUT)

    def choose(walk: Walk) -> tuple[int, ...]:
        seats = range(walk.spec.num_players) if walk.current_player == SIMULTANEOUS else [None]
        legal = [walk.legal(seat) for seat in seats]
        return tuple(actions[plain_twin(rng.below)(stream.data, len(actions))] for actions in legal)

    record = play_record(walk, header, choose, positions=True)
    text = "".join(f"{line}\n" for line in record.lines())
    path_of(env_id).write_bytes(gzip.compress(text.encode(), mtime=0))  # no time: the same bytes whenever it is written
