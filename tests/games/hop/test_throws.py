"""Throws of HOP!: decided outside (`throws="external"`), and how often they succeed by the model (HP-8)."""

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

import hopenvs
from hopenvs.core import kernels
from hopenvs.core import rng as streams
from hopenvs.core.batch import Batch
from hopenvs.core.errors import OptionError
from hopenvs.core.jit import BACKEND
from hopenvs.core.options import changed_options
from tests.cli.program import error_line, run
from tests.games.hop.table import GAME, deck, new_game, options_of, play, table

clause = pytest.mark.clause
every_number = pytest.mark.parametrize("players", [3, 4, 5, 6])

PLAIN = BACKEND == "plain"
DRAWS = 20_000
ROWS = 1_000 if PLAIN else 5_000  # games side by side
TURNS = 4
SKILLS = [[0.1, -0.2, 0.05, 0.3], [-0.05, 0.07, 0.2, 0.0], [0.02, 0.11, -0.15, 0.1], [0.0, 0.0, 0.12, -0.04]]


def external(players=4, api="aec", **keywords):
    """An environment whose throws are decided outside."""
    return hopenvs.make(f"hop-{players}p-v0", api, throws="external", **keywords)


def play_out(env, seed, look):
    """Play a game of random decisions; `look` is called at each, and at the end. Returns how many there were."""
    rng = random.Random(seed)
    env.reset(seed=seed)
    decisions = 0
    while True:
        look(env)
        agent = env.agent_selection
        if env.terminations[agent] or env.truncations[agent]:
            return decisions
        env.step(int(rng.choice(np.flatnonzero(env.infos[agent]["action_mask"]))))
        decisions += 1


# ---- decided outside -------------------------------------------------------------------------------------------------
@clause("HP-8")
@pytest.mark.parametrize("make", [
    lambda **keywords: hopenvs.make("hop-4p-v0", **keywords),
    lambda **keywords: hopenvs.make("hop-4p-v0", "parallel", **keywords),
    lambda **keywords: hopenvs.make("hop-3p-sampled-v0", **keywords),
    lambda **keywords: hopenvs.make_vec("hop-4p-v0", 2, **keywords),
    lambda **keywords: hopenvs.make_gym("hop-4p-v0", **keywords),
], ids=["aec", "parallel", "sampled", "vector", "gym"])  # fmt: skip
def test_whatever_cannot_ask_refuses_such_options_and_says_what_can(make):
    make()
    with pytest.raises(OptionError, match=r"hopenvs\.make\(id, \.\.\., chance=f\)"):
        make(throws="external")


@clause("HP-8")
@pytest.mark.parametrize("verb", [["record"], ["watch"], ["play"], ["eval", "--agents", "uniform,uniform"]])
def test_commands_refuse_such_options_and_say_what_can_play_them(verb):
    result = run(verb[0], "hop-4p-v0", *verb[1:], "--option", "throws=external")
    assert "hopenvs.make(id, ..., chance=f)" in error_line(result)


@clause("HP-8")
@pytest.mark.parametrize("make", [hopenvs.make_vec, hopenvs.make_gym])
def test_only_make_takes_chance(make):
    with pytest.raises(OptionError, match="chance"):
        make("hop-4p-v0", throws="external", chance=lambda names, weights: 0)


@clause("HP-8")
@pytest.mark.parametrize(("players", "skills"), [(3, "equal"), (4, SKILLS), (5, "sampled"), (6, "equal")])
def test_only_throws_are_asked_for_with_the_weights_of_the_model(players, skills):
    asked = []
    rng = random.Random(players)

    def decide(names, weights):
        asked.append((tuple(names), tuple(weights)))
        return rng.randrange(2)

    env = external(players, skills=skills, chance=decide)
    turns = []

    def look(env):
        position = env.position()
        assert position["turn"] == len(asked)  # a throw a turn
        turns.append(position["turn"])

    play_out(env, 1, look)
    assert max(turns) == len(asked) > 5
    assert {names for names, _ in asked} == {("success", "failure")}
    assert all(sum(weights) == 100 and 5 <= weights[0] <= 95 for _, weights in asked)


@clause("HP-8")
def test_the_weights_are_those_of_the_roles_and_the_dare():
    asked = []

    def decide(names, weights):
        asked.append(list(weights))
        return 1

    env = external(skills=SKILLS, dares=[{"id": 0, "base": 0.4, "assister": True, "turbulator": True}], chance=decide)
    env.reset(seed=0)
    o = options_of(players=4)
    for name in ("skewerer left2", "assister left1", "turbulator left3"):
        assert not asked
        env.step(GAME.parse_action(o, name))
    success = 40 + 10 + 11 + 20 + 4
    assert asked == [[success, 100 - success]]
    assert env.position()["last_throw"] == {"success": False}


@clause("HP-8", "C-14")
@every_number
@pytest.mark.parametrize("skills", ["equal", "sampled"])
def test_an_outside_that_draws_as_the_model_does_makes_the_models_game(players, skills):
    """It takes its numbers from the game's generator, where the model would take them: all else is drawn alike."""
    env_id = f"hop-{players}p-v0" if skills == "equal" else f"hop-{players}p-sampled-v0"
    model = hopenvs.make(env_id)
    outside: Any = hopenvs.make(
        env_id, throws="external", chance=lambda names, weights: streams.weighted(outside._record.rng, weights)
    )
    games: list[list[object]] = [[], []]
    for seen, env in zip(games, (model, outside), strict=True):
        for seed in range(2):
            play_out(env, seed, lambda env, seen=seen: seen.append((env.position(), dict(env.rewards))))
    assert games[0] == games[1]
    assert len(games[0]) > 40


@clause("HP-8", "C-14")
def test_all_else_is_drawn_by_the_generator_and_throws_draw_nothing():
    """The same game step by step: dares and clouds from the seed's generator, throws from a list."""
    rng = random.Random(5)
    throws = [rng.randrange(2) for _ in range(100)]
    rest = iter(throws)
    env = external(skills="sampled", chance=lambda names, weights: next(rest))
    walk = new_game(seed=3, players=4, skills="sampled")
    mine = iter(throws)
    choices = random.Random(3)  # as `play_out` chooses

    def draw():
        while walk.is_chance:
            thrown = len(walk.outcomes()) == 2 and GAME.outcome_name(walk.options, walk.record, 0) == "success"
            walk.happen(next(mine) if thrown else walk.draw())

    def look(env):
        draw()
        assert env.position() == walk.position()
        if not walk.is_over:
            walk.play(choices.choice(walk.legal()))

    assert play_out(env, 3, look) > 20
    assert walk.is_over


@clause("HP-8")
@pytest.mark.parametrize("outcome", [0, 1, np.int64(1)])
def test_what_is_answered_happens(outcome):
    env = external(chance=lambda names, weights: outcome)
    last = []
    play_out(env, 0, lambda env: last.append(env.position()["last_throw"]))
    assert last[0] is None
    assert {throw["success"] for throw in last if throw is not None} == {outcome == 0}


@clause("HP-8", "C-11")
@pytest.mark.parametrize("answer", [2, -1, None, "success", True, 0.0, [0]], ids=repr)
@pytest.mark.parametrize("api", ["aec", "parallel"])
def test_a_bad_answer_is_refused_and_changes_nothing(api, answer):
    answers = [answer, 0]
    env = external(3, api, dares=deck("- -"), chance=lambda names, weights: answers.pop(0))
    env.reset(seed=1)
    o = options_of(players=3)

    def step(name):
        action = GAME.parse_action(o, name)
        env.step(action if api == "aec" else dict.fromkeys(env.agents, action))

    step("skewerer left1")
    position = env.position()
    before = env._batch.states.tobytes(), env._batch.flags.tobytes()
    with pytest.raises(ValueError, match="chance chose"):
        step("bet happy")
    assert (env._batch.states.tobytes(), env._batch.flags.tobytes()) == before
    assert env.position() == position
    step("bet happy")
    assert env.position()["last_throw"] == {"success": True}
    assert env.position()["turn"] == 1


@clause("HP-8")
def test_throws_are_no_part_of_a_position_and_stand_in_records():
    o = options_of(throws="external")
    assert changed_options(GAME, o, for_position=True) == {}
    assert changed_options(GAME, o)["throws"] == "external"


# ---- how often -------------------------------------------------------------------------------------------------------
def chi_square(found, weights):
    """How far counts are from what weights make expected, and the degrees of freedom."""
    count, total = sum(found), sum(weights)
    expected = [count * weight / total for weight in weights]
    return sum((a - b) ** 2 / b for a, b in zip(found, expected, strict=True)), len(weights) - 1


def critical(freedom):
    """What a fair draw exceeds once in 30,000 times: Wilson and Hilferty's approximation, four deviations out."""
    a = 2 / (9 * freedom)
    return freedom * (1 - a + 4 * a**0.5) ** 3


def expect_fair(found, weights):
    statistic, freedom = chi_square(found, weights)
    assert statistic < critical(freedom), (found, weights)


def test_the_statistic_tells_fair_from_unfair():
    expect_fair([6_020, 3_980], [60, 40])
    for unfair in ([6_250, 3_750], [5_000, 5_000], [10_000, 0]):
        statistic, freedom = chi_square(unfair, [60, 40])
        assert statistic > critical(freedom)
    assert abs(critical(35) - 80) < 4


def drawn(walk, count):
    """How often each outcome of the chance point is drawn."""
    weights = walk.outcomes()
    generator = walk.record.rng
    found = Counter(streams.weighted(generator, weights) for _ in range(count))
    return [found[k] for k in range(len(weights))]


@clause("HP-8", "C-2")
@pytest.mark.parametrize(("base", "success"), [("0", 5), ("40", 40), ("60", 60), ("75", 75), ("100", 95)])
def test_throws_succeed_as_often_as_stated(base, success):
    dares = [{"id": 0, "base": int(base) / 100, "assister": False, "turbulator": False}]
    walk = table(dares=dares, names=["skewerer left1", "dare 0", "bet happy"])
    expect_fair(drawn(walk, DRAWS), [success, 100 - success])


@clause("HP-5", "HP-11", "C-2")
def test_each_token_and_each_dare_left_is_drawn_as_often():
    walk = table(left=[3, 1, 6], dares="- " * 20, put_away=[0, 7], names=["skewerer left1"])
    found = drawn(walk, DRAWS // 2)
    assert len(found) == 18
    expect_fair(found, [1] * 18)
    play(walk, "dare 3", "bet happy", "success")
    found = drawn(walk, DRAWS // 2)
    expect_fair(found, [1] * 10)
    expect_fair([sum(found[:3]), found[3], sum(found[4:])], [3, 1, 6])


@clause("HP-8", "C-2")
def test_each_skill_is_sampled_as_often():
    expect_fair(drawn(new_game(skills="sampled"), DRAWS // 2), [1] * 7)


@clause("HP-5", "HP-8", "HP-11")
def test_games_that_are_played_have_the_same_frequencies():
    """Four turns of many games in a row each: throws, dares and cloud values as the engine draws them."""
    batch = Batch(GAME, options_of(dares="-30 -30", skills="sampled"), ROWS)
    batch.start(kernels.NEW_SEED, list(range(ROWS)))
    throws: Counter[int] = Counter()
    dares: Counter[int] = Counter()
    first_values: Counter[int] = Counter()
    skills = Counter(batch.states["skill"][:, :3].flatten().tolist())
    expect_fair([skills[k] for k in range(-15, 20, 5)], [1] * 7)
    batch.states["skill"] = 0
    happy = 3 * 2
    for turn in range(TURNS):
        before = batch.states["clouds"].sum(axis=1)
        batch.step(np.zeros((ROWS, 1), np.int32))
        if turn == 0:
            dares.update(batch.states["dare"].tolist())
        batch.step(np.full((ROWS, 1), happy, np.int32))
        throws.update(batch.states["last_throw"].tolist())
        if turn == 0:
            gained = batch.states["clouds"].sum(axis=1) - before
            first_values.update(dict(enumerate(gained.sum(axis=0).tolist())))
            assert first_values.total() == throws[1]
    expect_fair([throws[1], throws[0]], [30, 70])
    expect_fair([dares[0], dares[1]], [1, 1])
    expect_fair([first_values[k] for k in range(3)], [1, 1, 1])
