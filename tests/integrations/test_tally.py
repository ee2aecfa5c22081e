import json
import pickle

import numpy as np
import pytest

import hopenvs
from hopenvs.integrations.tally import Tally, tallied, tallied_gym

TURNS, TICKS = "igel_aergern-2p-v0", "hexx_hopp-2p-1r-v0"
OPTIONS = {TURNS: {"max_turns": 6}, TICKS: {}}


def legal(mask, generator):
    return int(generator.choice(np.flatnonzero(mask)))


def anything(mask, generator):
    return int(generator.integers(len(mask)))


def play_aec(env, choose, games):
    """Plays games; returns how many decisions it took."""
    generator, decisions = np.random.default_rng(1), 0
    for seed in range(games):
        env.reset(seed=seed)
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            over = terminated or truncated
            decisions += not over
            env.step(None if over else choose(observation["action_mask"], generator))
    return decisions


def play_parallel(env, choose, games):
    generator, decisions = np.random.default_rng(1), 0
    for seed in range(games):
        observations, infos = env.reset(seed=seed)
        while env.agents:
            decisions += sum(info["active"] for info in infos.values())
            actions = {agent: choose(seen["action_mask"], generator) for agent, seen in observations.items()}
            observations, _, _, _, infos = env.step(actions)
    return decisions


def play_gym(env, choose, games):
    generator, decisions = np.random.default_rng(1), 0
    for seed in range(games):
        env.reset(seed=seed)
        over = False
        while not over:
            _, _, terminated, truncated, _ = env.step(choose(env.action_masks(), generator))
            over = terminated or truncated
            decisions += 1
    return decisions


def play_gym_vec(env, choose, games, mode="NextStep"):
    """Three rows, each with its own game; those of a row follow one another."""
    generator, decisions, ended = np.random.default_rng(1), 0, 0
    _, infos = env.reset(seed=0)
    begins = np.zeros(env.num_envs, bool)
    while ended < games:
        actions = np.array([choose(mask, generator) for mask in infos["action_mask"]])
        decisions += (~begins).sum()
        _, _, terminated, truncated, infos = env.step(actions)
        over = terminated | truncated
        ended += over.sum()
        begins = over & (mode == "NextStep")
    return decisions, ended


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize("env_id", [TURNS, TICKS])
def test_a_vector_of_learners_counts_too(env_id, mode):
    keywords = {"illegal": "forfeit", "autoreset_mode": mode, **OPTIONS[env_id]}
    env = tallied(hopenvs.make_gym_vec(env_id, 3, **keywords))
    decisions, ended = play_gym_vec(env, legal, 4, mode)
    assert env.tally == Tally(decisions, ended, 0)
    env = tallied(hopenvs.make_gym_vec(env_id, 3, **keywords))
    decisions, ended = play_gym_vec(env, anything, 6, mode)
    assert (env.tally.decisions, env.tally.games) == (decisions, ended)
    assert env.tally.illegal > 3


def made(face, env_id):
    keywords = {"illegal": "forfeit", **OPTIONS[env_id]}
    if face is play_gym:
        return tallied(hopenvs.make_gym(env_id, seat="random", **keywords))
    return tallied(hopenvs.make(env_id, "aec" if face is play_aec else "parallel", **keywords))


@pytest.mark.parametrize("env_id", [TURNS, TICKS])
@pytest.mark.parametrize("face", [play_aec, play_parallel, play_gym])
def test_legal_play_forfeits_nothing_and_every_decision_counts(face, env_id):
    env = made(face, env_id)
    decisions = face(env, legal, 2)
    assert env.tally == Tally(decisions, games=2, illegal=0)


@pytest.mark.clause("C-11")
@pytest.mark.parametrize("env_id", [TURNS, TICKS])
@pytest.mark.parametrize("face", [play_aec, play_parallel, play_gym])
def test_play_that_ignores_masks_is_seen(face, env_id):
    env = made(face, env_id)
    decisions = face(env, anything, 6)
    assert (env.tally.decisions, env.tally.games) == (decisions, 6)
    assert env.tally.illegal > 3


def test_a_batch_tells_its_forfeits_without_a_wrapper():
    games = hopenvs.make_vec(TURNS, 8, illegal="forfeit")
    games.reset(seed=0)
    _, _, terminated, _, _ = games.step(np.full(8, games.single_action_space.n - 1))
    assert terminated.all()
    assert (games.final_states["forfeit"][terminated] > 0).all()


@pytest.mark.parametrize("face", [play_aec, play_parallel, play_gym])
def test_the_offender_is_named(face):
    env = made(face, TURNS)
    face(env, anything, 1)
    assert env.unwrapped.offender in (0, 1)
    env.reset(seed=3)
    assert env.unwrapped.offender is None


def test_tallies_cross_processes_and_add_up():
    env = tallied_gym(TURNS, max_turns=6)
    decisions = play_gym(env, legal, 1)
    there = pickle.loads(pickle.dumps(env.get_wrapper_attr("tally")))
    assert sum([there, Tally(1, 2, 3)], Tally()) == Tally(decisions + 1, 3, 3)


def test_the_line_for_logs_is_json():
    line = json.loads(Tally(10, 2, 1).line("numpy", TURNS, 1.23))
    expected = {"library": "numpy", "version": np.__version__, "env": TURNS, "steps": 10, "illegal": 1, "seconds": 1.2}
    assert line == expected


def test_other_environments_are_refused():
    with pytest.raises(TypeError, match="expected an environment from hopenvs"):
        tallied(hopenvs.make_vec(TURNS, 2))


@pytest.mark.parametrize("api", ["aec", "parallel"])
def test_a_copy_in_mid_game_has_a_tally_of_its_own(api):
    env = tallied(hopenvs.make(TURNS, api, max_turns=6))
    play = {"aec": play_aec, "parallel": play_parallel}[api]
    before = play(env, legal, 1)
    twin = env.clone()
    assert twin.tally == env.tally == Tally(before, 1, 0)
    more = play(twin, legal, 1)
    assert twin.tally == Tally(before + more, 2, 0)
    assert env.tally == Tally(before, 1, 0)


def test_decisions_after_another_state_was_set_are_counted():
    env = tallied(hopenvs.make(TURNS, "parallel", max_turns=6))
    env.reset(seed=0)
    saved = env.unwrapped.state()
    played = play_parallel(env, legal, 1)
    env.unwrapped.set_state(saved)
    asked = [agent for agent in env.possible_agents if env.unwrapped.legal_actions(agent)]
    env.step({agent: env.unwrapped.legal_actions(agent)[0] for agent in asked})
    assert env.tally.decisions == played + len(asked) == played + 1
