"""Many random games: the same bytes with one thread and with two, and every position there and back.

    python benchmarks/many_games.py [FAMILY] [--games 10000] [--positions 1000]

For each plain id of a game (one a number of players) it plays `--games` seeded random games in a batch, serially and
with two threads, and compares a digest of every record, mask, observation and reward of every step. Then it plays
`--positions` games, sets every position up again from its JSON, and compares position, key, mask and observations.
Exits with an error at the first difference.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import time

import numpy as np

import hopenvs
from hopenvs import registry
from hopenvs.agents.uniform import uniform_actions
from hopenvs.core import kernels, rng, state
from hopenvs.core.batch import Batch
from hopenvs.core.position import read_position, write_position
from hopenvs.core.state import TERMINAL

ROWS = 1_000  # games side by side


def play(env_id: str, games: int, threads: int) -> tuple[str, int]:
    """The digest of `games` random games, and how many decisions they took."""
    digest, decisions = hashlib.blake2b(digest_size=16), 0
    for first in range(0, games, ROWS):
        rows = min(ROWS, games - first)
        env = hopenvs.make_vec(env_id, rows, threads=threads, autoreset_mode="Disabled", copy=False)
        env.reset(seed=first)
        batch = env._batch
        streams = np.array([rng.generator(first + row, rng.PLAYOUT) for row in range(rows)])
        while (batch.seat != TERMINAL).any():
            actions = uniform_actions(batch.mask[:, 0], streams)
            actions[batch.seat == TERMINAL] = kernels.SKIP
            decisions += int((actions >= 0).sum())
            batch.step(actions[:, None])
            for array in (batch.states, batch.mask, batch.observation, batch.rewards, batch.flags):
                digest.update(array.view(np.uint8) if array.dtype.names else array)
        env.close()
    return digest.hexdigest(), decisions


def there_and_back(env_id: str, games: int) -> int:
    """How many positions of `games` random games were set up again, each found the same."""
    game, options = registry.resolve(env_id, {})
    batch, again = Batch(game, options, games), Batch(game, options, games)
    batch.start(kernels.NEW_SEED, range(games))
    streams = np.array([rng.generator(row, rng.PLAYOUT) for row in range(games)])
    looked, over = 0, np.zeros(games, np.bool_)
    every = [(row, seat) for row in range(games) for seat in range(batch.spec.num_players)]
    rows, seats = [row for row, _ in every], [seat for _, seat in every]
    while not over.all():
        fresh = state.new_states(games, batch.states.dtype)
        for row in np.flatnonzero(~over):
            position = write_position(game, options, batch.record(int(row)))
            text = json.dumps(position)
            read_position(game, options, json.loads(text), state.people_view(fresh, int(row)))
            found = write_position(game, options, state.people_view(fresh, int(row)))
            assert found == position, f"{position} reads {found}"
            looked += 1
        fresh[over] = batch.states[over]
        again.load(fresh)
        live = ~over
        running = live & (batch.seat != TERMINAL)  # an ended record also holds who moved last
        assert np.array_equal(again.mask[live], batch.mask[live])
        assert [k for k, r in zip(again.keys(), running, strict=True) if r] == [
            k for k, r in zip(batch.keys(), running, strict=True) if r
        ]
        seen = [each.view(rows, seats)[1] for each in (batch, again)]
        assert np.array_equal(*(s.reshape(games, -1)[live] for s in seen))
        over = batch.seat == TERMINAL
        actions = uniform_actions(batch.mask[:, 0], streams)
        actions[over] = kernels.SKIP
        batch.step(actions[:, None])
    return looked


def main() -> None:
    """Play, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("family", nargs="?", default="igel_aergern")
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--positions", type=int, default=1_000)
    given = parser.parse_args()
    for env_id in hopenvs.list_envs(given.family):
        if set(registry.entry_of(env_id).options) != {"players"}:
            continue
        begun = time.perf_counter()
        serial, decisions = play(env_id, given.games, 1)
        threaded, _ = play(env_id, given.games, 2)
        assert serial == threaded, f"{env_id}: {serial} with one thread, {threaded} with two"
        looked = there_and_back(env_id, given.positions)
        print(
            f"{env_id}: {given.games} games, {decisions} decisions, digest {serial} with 1 and 2 threads; "
            f"{looked} positions of {given.positions} games there and back; {time.perf_counter() - begun:.0f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
