"""Seeding: same seed and same decisions, same game, whatever was played before or happens elsewhere."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from hopenvs.testing.oracle import Trace, chain, opening, trace
from hopenvs.testing.side import Side, drift
from hopenvs.testing.suite import Make, bare, check, fail, refused, same


def _expect_trace(side: Side, game: Trace, what: str, until: int | None = None) -> None:
    for k, frame in side.follow(game, until):
        for seat, agent in enumerate(side.agents):
            same(
                f"what {agent} sees",
                side.observations[agent]["observation"],
                frame.observations[seat],
                f"{what}, {game.where(k)}",
            )


@check("aec", "parallel", kinds=(46,), points=(7,), clauses=("C-2", "C-14"))
def check_same_seed_same_game(make: Make, *, games: int, seed: int) -> None:
    """A seed gives its game on a new environment and on a used one, at the end of a game and in its middle."""
    side = Side(make())
    first = trace(side.env, seed)
    side.reset(seed=seed)
    _expect_trace(side, first, "a new environment")
    side.reset(seed=seed)
    _expect_trace(side, first, "after a whole game", first.decisions // 2)
    side.reset(seed=np.int64(seed))
    _expect_trace(side, first, "in the middle of a game, the seed a NumPy integer", first.decisions // 2)
    inner = bare(side.env)
    for other in (0, 1, 2**31, 2**32, 2**63, 2**64 - 1):
        side.reset(seed=other)
        for k, frame in enumerate(opening(inner.game, inner.options, other, 3)):
            same("state()", side.env.state(), frame.body, f"seed {other}, decision {k}")
            if frame.actions and k < 3:
                side.step(frame)


@check("aec", "parallel", kinds=(46,), clauses=("C-14",))
def check_reset_goes_on_with_the_generator(make: Make, *, games: int, seed: int) -> None:
    """`reset()` without a seed plays the generator's next game: a new one each time, the same for the same seed."""
    side = Side(make())
    following = chain(side.env, seed, 2)
    for number, game in enumerate(following):
        side.reset(seed=None if number else seed)
        _expect_trace(side, game, "a chain of games", None if number == 0 else game.decisions // 2)
    if bare(side.env).game.spec(bare(side.env).options).has_chance:
        starts = set()
        for _ in range(12):
            fresh = Side(make())
            fresh.reset()
            starts.add(b"".join(drift(fresh)))
            if len(starts) > 1:
                break
        else:
            fail("12 new environments that were never seeded see the same chance")


@check("aec", "parallel", kinds=(46, 47), clauses=("C-14",))
def check_states_set_on_new_environments(make: Make, *, games: int, seed: int) -> None:
    """A state that is set before any reset has chance of its own to come, in each environment another."""
    probe = Side(make())
    inner = bare(probe.env)
    if not inner.game.spec(inner.options).has_chance:
        return
    first = opening(inner.game, inner.options, seed)[0]
    lines = set()
    for _ in range(12):
        side = Side(make())
        bare(side.env).set_state(first.body)
        line = drift(side)
        side.reset()
        lines.add(b"".join(line + drift(side)))
        if len(lines) > 1:
            return
    fail("12 environments whose state was set before any reset see the same chance")


@check("aec", "parallel", kinds=(46,))
def check_seeds_matter(make: Make, *, games: int, seed: int) -> None:
    """Different seeds give different chance."""
    side = Side(make())
    if not bare(side.env).game.spec(bare(side.env).options).has_chance:
        return
    lines = set()
    for other in range(seed, seed + 12):
        side.reset(seed=other)
        lines.add(b"".join(drift(side)))
    if len(lines) < 3:
        fail(f"seeds {seed} to {seed + 11} give only {len(lines)} different games")


@check("aec", "parallel", kinds=(48,), clauses=("C-14",))
def check_global_generators_are_untouched(make: Make, *, games: int, seed: int) -> None:
    """Games depend on no global generator and leave Python's and NumPy's as they were."""
    before = random.getstate(), np.random.get_state()  # noqa: NPY002 (the global generators are what this looks at)
    try:
        for globally in (1, 2):
            random.seed(globally)
            np.random.seed(globally)  # noqa: NPY002
            side = Side(make())
            game = trace(side.env, seed)
            python, numpy = random.getstate(), np.random.get_state()  # noqa: NPY002
            side.reset(seed=seed)
            _expect_trace(side, game, f"the global generators seeded with {globally}", min(60, game.decisions))
            side.reset()
            side.env.close()
            if random.getstate() != python:
                fail(f"seed {seed}: a game moved Python's global generator on")
            if not _equal_states(np.random.get_state(), numpy):  # noqa: NPY002
                fail(f"seed {seed}: a game moved NumPy's global generator on")
    finally:
        random.setstate(before[0])
        np.random.set_state(before[1])  # noqa: NPY002


def _equal_states(a: Any, b: Any) -> bool:
    return all(np.array_equal(x, y) for x, y in zip(a, b, strict=True))


@check("aec", "parallel", kinds=(46, 49))
def check_spaces_can_be_seeded(make: Make, *, games: int, seed: int) -> None:
    """A seeded space gives the same samples, which don't depend on the game and which the game doesn't notice."""
    samples = []
    for played in (0, 10):
        side = Side(make())
        game = trace(side.env, seed)
        played = min(played, game.decisions - 1)
        side.play(game, played)
        agent = side.agents[-1]
        side.env.action_space(agent).seed(seed + 5)
        side.env.observation_space(agent).seed(seed + 5)
        drawn = [int(side.env.action_space(agent).sample()) for _ in range(20)]
        seen = side.env.observation_space(agent).sample()
        samples.append((drawn, seen["observation"].tobytes()))
        same("the game after sampling", side.env.state(), game.frames[played].body, game.where(played))
    same("samples of seeded spaces, before and in a game", samples[0], samples[1], f"seed {seed}")


@check("aec", "parallel", kinds=(46,))
def check_bad_seeds_are_refused(make: Make, *, games: int, seed: int) -> None:
    """What is no seed is refused, and the game goes on."""
    side = Side(make())
    game = trace(side.env, seed)
    k = min(5, game.decisions - 1)
    side.play(game, k)
    for bad in (-1, 2**64, 1.5, "1", True, [1]):
        refused(f"reset(seed={bad!r})", game.where(k), (ValueError, TypeError), side.env.reset, seed=bad)
        same("the state", side.env.state(), game.frames[k].body, f"{game.where(k)}, after refusing seed {bad!r}")
    for j, frame in side.follow(game, start=k):
        same("the state", side.env.state(), frame.body, f"{game.where(j)}, after refusing seeds")


@check("aec", "parallel", kinds=(46,), clauses=("C-2",))
def check_chance_can_be_decided(make: Make, *, games: int, seed: int) -> None:
    """`chance=f` decides every outcome: the same outcomes and decisions give the same game."""
    asked: list[tuple[int, int]] = []

    def decide(names: Any, weights: Any) -> int:
        if len(names) != len(weights) or min(weights) < 0:
            fail(f"chance is asked with outcomes {names} and weights {weights}")
        asked.append((len(weights), (7 * len(asked)) % len(weights)))
        return asked[-1][1]

    sides = [Side(make(chance=decide)) for _ in range(2)]
    if not bare(sides[0].env).game.spec(bare(sides[0].env).options).has_chance:
        return
    told = []
    for number, side in enumerate(sides):
        asked.clear()
        side.reset(seed=seed + number)
        seen = drift(side)
        told.append((list(asked), seen))
        if not asked:
            fail("chance=f is never asked")
    same("outcomes that were asked for", told[1][0], told[0][0], "two games of one chance")
    same("states", told[1][1], told[0][1], "two games of one chance, under two seeds")
    for bad in (-1, 10**6, True, 0.5):
        side = Side(make(chance=lambda names, weights, bad=bad: bad))
        refused(f"chance that chooses {bad!r}", "", (ValueError, TypeError), _chance_of_new, side, seed)


def _chance_of_new(side: Side, seed: int) -> list[bytes]:
    side.reset(seed=seed)
    return drift(side)
