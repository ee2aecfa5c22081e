"""Random changes to the bytes of records: each must be refused, or played on strictly. Run in plain Python.

Prints, as JSON, what went wrong and how many records were refused and accepted.
"""

import collections
import json
import sys
from typing import Any

import numpy as np

from hopenvs.core import jit, state
from hopenvs.core.batch import Batch
from hopenvs.core.options import parse_options
from hopenvs.core.state import TERMINAL
from hopenvs.core.trust import check_record
from hopenvs.core.walk import Walk
from tests.core.conftest import GAMES, pick

ODD = (-128, -3, -1, 0, 1, 2, 3, 4, 7, 9, 50, 127)
LONGEST = 2000


def records_of(walk: Walk, chooser: np.random.Generator, games: int) -> list[np.ndarray]:
    """Every decision and end of some random games."""
    found = []
    for seed in range(games):
        walk.start(seed)
        walk.draw_all()
        while not walk.is_over:
            found.append(state.copy_states(walk.states))
            walk.play(*map(int, pick(walk.batch.mask, chooser)[0]))
            walk.draw_all()
        found.append(state.copy_states(walk.states))
    return found


def mangle(record: np.ndarray, chooser: np.random.Generator) -> str:
    """Change a cell of a field, or one to three bytes anywhere but in the generator; says what."""
    if chooser.random() < 0.6:
        name = str(chooser.choice([name for name in record.dtype.names or () if name != "rng"]))
        cells = record[name].reshape(-1)
        k = int(chooser.integers(len(cells)))
        cells[k] = chooser.choice(ODD)
        return f"{name}[{k}] = {cells[k]}"
    raw = state.body(record)[0]
    where = chooser.integers(len(raw), size=chooser.integers(1, 4))
    raw[where] = chooser.integers(256, size=len(where))
    return f"bytes {where.tolist()} = {raw[where].tolist()}"


def play_on(batch: Batch, chooser: np.random.Generator) -> None:
    """Look from everywhere, and play to the end."""
    seats = range(batch.spec.num_players)
    batch.view([0] * len(seats), seats)
    for _ in range(LONGEST):
        if batch.seat[0] == TERMINAL:
            return
        batch.keys()
        batch.evaluate([0] * len(seats), seats)
        batch.step(pick(batch.mask, chooser))
    raise RuntimeError("no end")


def main(count: int) -> dict[str, Any]:
    """Mangle `count` records of each game."""
    assert jit.BACKEND == "plain"
    faults: list[str] = []
    told: collections.Counter[str] = collections.Counter()
    for game in GAMES.values():
        options = parse_options(game, {"players": 3})
        chooser = np.random.default_rng(2024)
        originals = records_of(Walk(game, options), chooser, 8)
        batch = Batch(game, options, 1)
        for original in originals[:: max(1, len(originals) // 60)]:
            check_record(batch, original)  # what play makes is accepted
        for _ in range(count):
            record = state.copy_states(originals[chooser.integers(len(originals))])
            what = f"{game.ID}: {mangle(record, chooser)}"
            before = batch.states.tobytes()
            try:
                check_record(batch, record)
            except ValueError as error:
                told["refused"] += 1
                if not str(error).startswith(f"no state of {game.ID}"):
                    faults.append(f"{what}: the message is {error}")
            except Exception as error:
                faults.append(f"{what}: checking it ended in {error!r}")
            else:
                told["accepted"] += 1
                if batch.states.tobytes() != before:
                    faults.append(f"{what}: checking it changed the batch")
                try:
                    batch.load(record)
                    play_on(batch, chooser)
                except Exception as error:
                    faults.append(f"{what}: was accepted, but play ended in {error!r}")
    return {"faults": faults, **told}


if __name__ == "__main__":
    print(json.dumps(main(int(sys.argv[1]))))
