import copy
import itertools
import pickle
from typing import Any

import numpy as np
import pytest
from gymnasium import spaces
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

import hopenvs
from hopenvs.integrations.wrappers import cast, flatten, indicate_agent, stack_frames
from tests.integrations import examples

TURNS, TICKS = "igel_aergern-2p-v0", "hexx_hopp-2p-1r-v0"
OPTIONS: dict[str, dict[str, Any]] = {
    TURNS: {"tracks": 2, "columns": 3, "pieces": 2, "pits": [1, 1], "max_turns": 6},
    TICKS: {"max_ticks": 12},
}
KINDS = {
    "flatten": flatten,
    "stack_frames": lambda env: stack_frames(env, 3),
    "indicate_agent": indicate_agent,
    "cast": lambda env: cast(env, "float32", scale=True),
}
ORDERS = [*itertools.permutations(KINDS)]

each_kind = pytest.mark.parametrize("wrap", KINDS.values(), ids=[*KINDS])
# PettingZoo's tests warn of dict observations, and of masks of zeros for idle agents.
quietly = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be",
    "ignore:.*all zeros",
)
each_api = pytest.mark.parametrize("api", ["aec", "parallel"])


def made(api="aec", env_id=TURNS, **keywords):
    return hopenvs.make(env_id, api, **OPTIONS[env_id], **keywords)


def piled(env, order):
    for kind in order:
        env = KINDS[kind](env)
    return env


def legal(mask, generator):
    return int(generator.choice(np.flatnonzero(mask)))


def play(env, visit, seed=0):
    """A game by legal actions; `visit` is called with the env and what agents get, after reset and every step."""
    generator = np.random.default_rng(seed)
    if hasattr(env, "last"):
        env.reset(seed=seed)
        while env.agents:
            visit(env, {agent: env.observe(agent) for agent in env.possible_agents}, env.infos)
            over = env.terminations[env.agent_selection] or env.truncations[env.agent_selection]
            env.step(None if over else legal(env.infos[env.agent_selection]["action_mask"], generator))
        visit(env, {agent: env.observe(agent) for agent in env.possible_agents}, env.infos)
    else:
        observations, infos = env.reset(seed=seed)
        visit(env, observations, infos)
        while env.agents:
            observations, _, _, _, infos = env.step(
                {agent: legal(infos[agent]["action_mask"], generator) for agent in env.agents}
            )
            visit(env, observations, infos)


def parts(env, observation):
    """(observation part, mask) of what an agent gets."""
    if env.mask_cells:
        return observation[: -env.mask_cells], observation[-env.mask_cells :]
    return observation["observation"], observation["action_mask"]


def contents(env, agent):
    """What an agent sees, as lists: they can be compared, and later steps don't change them."""
    return [part.tolist() for part in parts(env, env.observe(agent))]


# ---- PettingZoo's own tests -----------------------------------------------------------------------------------------
@each_kind
@quietly
def test_pettingzoos_tests_pass(wrap):
    api_test(wrap(made()), num_cycles=30, verbose_progress=False)
    seed_test(lambda: wrap(made()), num_cycles=10)
    # these two look for masks in dicts only: of flat observations they play whatever comes
    parallel_api_test(wrap(made("parallel", illegal="forfeit")), num_cycles=30)
    parallel_seed_test(lambda: wrap(made("parallel", illegal="forfeit")), num_cycles=10)


@pytest.mark.parametrize("env_id", [TURNS, TICKS])
@quietly
def test_they_pass_with_all_wrappers_on_top_of_one_another(env_id):
    order = ("stack_frames", "indicate_agent", "cast", "flatten")
    api_test(piled(made("aec", env_id), order), num_cycles=20, verbose_progress=False)
    seed_test(lambda: piled(made("aec", env_id), order), num_cycles=6)
    parallel_api_test(piled(made("parallel", env_id, illegal="forfeit"), order), num_cycles=20)
    parallel_seed_test(lambda: piled(made("parallel", env_id, illegal="forfeit"), order), num_cycles=6)


# ---- masks and spaces -----------------------------------------------------------------------------------------------
@each_api
@pytest.mark.parametrize("order", ORDERS, ids="-".join)
def test_in_any_order_masks_and_infos_stay_and_spaces_hold_what_is_seen(api, order):
    """Idle agents, the end and what comes after included."""
    env, plain = piled(made(api), order), made(api)
    found, expected = [], []
    play(env, lambda env, seen, infos: found.append((seen, infos)))
    play(plain, lambda env, seen, infos: expected.append((seen, infos)))
    assert len(found) == len(expected) > 5
    for (seen, infos), (seen_below, infos_below) in zip(found, expected, strict=True):
        assert seen.keys() == seen_below.keys()
        for agent in seen:
            assert env.observation_space(agent).contains(seen[agent])
            assert (parts(env, seen[agent])[1] == seen_below[agent]["action_mask"]).all()
        for agent in infos:
            assert infos[agent].keys() == infos_below[agent].keys()
            assert infos[agent]["action_mask"].dtype == np.int8
            assert (infos[agent]["action_mask"] == infos_below[agent]["action_mask"]).all()
    if api == "aec":
        assert any(not parts(env, seen[agent])[1].any() for seen, _ in found for agent in seen), "nobody was idle"


@each_api
@pytest.mark.parametrize("order", ORDERS, ids="-".join)
def test_in_any_order_the_same_cells_come_out(api, order):
    """Scaled frames are frames scaled; only the indicator is stacked or not, depending on which comes first."""
    env = piled(made(api), order)
    cells = spaces.flatdim(made(api).observation_space("player_0")["observation"])
    agents_below = order.index("indicate_agent") < order.index("stack_frames")
    size = 3 * (cells + 2) if agents_below else 3 * cells + 2
    space = env.observation_space("player_0")
    assert space == env.observation_space("player_1")
    assert space is env.observation_space("player_0")
    assert env.observation_spaces["player_0"] is space
    assert isinstance(space, spaces.Box)
    assert space.shape == (size + env.action_space("player_0").n,)
    assert space.dtype == np.float32
    assert (space.low == 0).all()
    assert (space.high <= 1).all()


@each_api
def test_flat_observations_hold_the_observation_and_then_the_mask(api):
    below = made(api)
    env = flatten(made(api))
    seen, seen_below = [], []
    play(env, lambda env, observations, infos: seen.append(observations))
    play(below, lambda env, observations, infos: seen_below.append(observations))
    assert env.mask_cells == below.action_space("player_0").n
    for flat, parted in zip(seen, seen_below, strict=True):
        for agent in flat:
            assert flat[agent].dtype == np.int8
            joined = [*parted[agent]["observation"], *parted[agent]["action_mask"]]
            assert flat[agent].tolist() == joined


def test_axes_are_kept_until_flattened():
    class Planes(type(made())):  # type: ignore[misc]
        """Two planes of the first cells, as other environments show boards."""

        def observe(self, agent):
            seen = super().observe(agent)
            return {"observation": seen["observation"][:12].reshape(2, 3, 2), "action_mask": seen["action_mask"]}

        def observation_space(self, agent):
            low, high = (np.full((2, 3, 2), bound, np.int8) for bound in (-128, 127))
            mask = super().observation_space(agent)["action_mask"]
            return spaces.Dict({"observation": spaces.Box(low, high, dtype=np.int8), "action_mask": mask})

    below = made()
    env = Planes(below.game, below.options, env_id=TURNS)
    stacked = stack_frames(env, 2)
    stacked.reset(seed=0)
    assert stacked.observe("player_0")["observation"].shape == (2, 3, 4)
    assert stacked.observation_space("player_0")["observation"].shape == (2, 3, 4)
    assert flatten(stacked).observe("player_0").shape == (24 + env.action_space("player_0").n,)
    with pytest.raises(ValueError, match=r"shape \(2, 3, 2\): expected one axis"):
        indicate_agent(env)


# ---- frames ---------------------------------------------------------------------------------------------------------
def test_in_an_aec_environment_frames_are_an_agents_own_decisions():
    env = stack_frames(made(), 3)
    past: dict[str, list[np.ndarray]] = {}

    def visit(env, seen, infos):
        for agent in env.possible_agents:
            now = env.unwrapped.observe(agent)["observation"]
            frames = [*past.setdefault(agent, [now, now]), now][-3:]
            assert seen[agent]["observation"].tolist() == np.concatenate(frames).tolist()
        agent = env.agent_selection
        if env.agents and not (env.terminations[agent] or env.truncations[agent]):
            past[agent] = [*past[agent], env.unwrapped.observe(agent)["observation"]]

    for seed in (0, 1):
        past.clear()  # nothing of a game is left in the next one
        play(env, visit, seed)
        assert {len(frames) for frames in past.values()} != {2}
        assert len(past) == 2


@pytest.mark.parametrize("env_id", [TURNS, TICKS])
def test_in_a_parallel_environment_frames_are_the_steps(env_id):
    env = stack_frames(made("parallel", env_id), 3)
    past: dict[str, list[np.ndarray]] = {}

    def visit(env, seen, infos):
        for agent, observation in seen.items():
            now = env.unwrapped.observe(agent)["observation"]
            past[agent] = [*past.get(agent, [now, now]), now]
            assert observation["observation"].tolist() == np.concatenate(past[agent][-3:]).tolist()
            assert env.observe(agent)["observation"].tolist() == observation["observation"].tolist()

    for seed in (0, 1):
        past.clear()
        play(env, visit, seed)
        assert len(past) == 2


def test_looking_changes_nothing_and_editing_what_is_seen_neither():
    for order in (("stack_frames",), ("stack_frames", "flatten"), ("cast", "stack_frames")):
        env = piled(made(), order)
        env.reset(seed=0)
        before = contents(env, "player_0")
        for agent in ("player_0", "player_1", "player_0"):
            seen = env.observe(agent)
            parts(env, seen)[0][...] = 0
            parts(env, seen)[1][...] = 0
        assert contents(env, "player_0") == before


@pytest.mark.clause("C-11")
def test_an_illegal_action_adds_no_frame():
    env = stack_frames(made(), 3)
    env.reset(seed=0)
    env.step(0)
    before = env.observe(env.agent_selection)["observation"].tolist()
    with pytest.raises(hopenvs.IllegalActionError):
        env.step(env.action_space("player_0").n - 1)
    assert env.observe(env.agent_selection)["observation"].tolist() == before


# ---- indicators and types -------------------------------------------------------------------------------------------
@each_api
def test_the_indicator_is_one_at_the_agent_that_looks(api):
    env = indicate_agent(made(api))

    def visit(env, seen, infos):
        for agent, observation in seen.items():
            below = env.unwrapped.observe(agent)["observation"].tolist()
            own = [int(agent == other) for other in env.possible_agents]
            assert observation["observation"].tolist() == [*below, *own]

    play(env, visit)


def test_a_type_is_cast_and_cells_are_scaled_by_their_bounds():
    env, scaled = cast(made(), np.int32), cast(made(), np.float32, scale=True)
    box = made().observation_space("player_0")["observation"]
    span = np.maximum(1, box.high.astype(float) - box.low)
    for each in (env, scaled):
        each.reset(seed=3)
    below = env.unwrapped.observe("player_0")["observation"]
    assert env.observe("player_0")["observation"].dtype == np.int32
    assert env.observe("player_0")["observation"].tolist() == below.tolist()
    assert env.observation_space("player_0")["observation"].low.tolist() == box.low.tolist()
    np.testing.assert_allclose(scaled.observe("player_0")["observation"], (below - box.low) / span, rtol=1e-6)
    assert scaled.observe("player_0")["action_mask"].dtype == np.int8


# ---- everything else ------------------------------------------------------------------------------------------------
@each_api
@each_kind
def test_copies_go_on_alike_and_apart(api, wrap):
    env = wrap(made(api))
    generator = np.random.default_rng(0)

    def step(env, actions):
        return env.step(actions[env.agent_selection] if api == "aec" else actions)

    def actions():
        seen = {agent: env.unwrapped.observe(agent)["action_mask"] for agent in env.agents}
        return {agent: legal(mask, generator) if mask.any() else 0 for agent, mask in seen.items()}

    def look(env):
        return [contents(env, agent) for agent in env.possible_agents]

    env.reset(seed=1)
    for _ in range(6):
        step(env, actions())
    copies = [pickle.loads(pickle.dumps(env)), copy.deepcopy(env), env.clone()]
    before = look(env)
    for _ in range(4):
        chosen = actions()
        for each in (env, *copies[:-1]):
            step(each, chosen)
        assert look(env) == look(copies[0]) == look(copies[1])
    assert look(env) != before
    assert look(copies[-1]) == before, "a copy that nobody moved has moved"


@each_api
def test_a_state_that_is_set_begins_frames_anew(api):
    env = stack_frames(made(api), 2)
    env.reset(seed=0)
    saved = env.state()
    seen = env.observe("player_0")["observation"].tolist()
    env.step(0 if api == "aec" else {"player_0": 0, "player_1": 0})
    env.set_state(saved)
    assert env.observe("player_0")["observation"].tolist() == seen
    assert env.state_space.contains(env.state())


@each_api
@each_kind
def test_what_is_below_stays_in_reach(api, wrap):
    below = made(api, render_mode="ansi")
    env = wrap(below)
    env.reset(seed=0)
    assert env.unwrapped is below
    assert env.render() == below.render()
    assert env.render(seat=1) == below.render(seat=1)
    assert env.metadata is below.metadata
    assert env.legal_actions() == below.legal_actions()
    assert env.action_space("player_0") is below.action_space("player_0")
    assert str(env).endswith(f"<{below}>")
    env.close()


def test_what_does_not_fit_is_refused_with_a_reason():
    wrong: list[Any] = [0, 2.5, "2", None, True]
    for frames in wrong:
        with pytest.raises(ValueError, match=rf"frames={frames}: expected an integer, 1 or more"):
            stack_frames(made(), frames)
    with pytest.raises(ValueError, match="flat already"):
        flatten(cast(flatten(made()), "float32"))
    with pytest.raises(ValueError, match="dtype=uint8: it can't hold observations from -100"):
        cast(hopenvs.make("hop-3p-v0"), "uint8")
    with pytest.raises(ValueError, match="expected fractions, not int16"):
        cast(made(), "int16", scale=True)
    with pytest.raises(TypeError, match="expected an AECEnv or a ParallelEnv"):
        flatten(hopenvs.make_gym(TURNS))
    unmasked = made()
    unmasked.observation_spaces = dict.fromkeys(unmasked.possible_agents, spaces.Box(0, 1, (3,)))
    with pytest.raises(ValueError, match="expected a Dict of 'observation' and 'action_mask'"):
        stack_frames(unmasked, 2)


# ---- the example ----------------------------------------------------------------------------------------------------
def test_the_example_runs_and_sees_what_ignored_masks_do():
    said = examples.run("13_wrappers.py", "--steps", 200)
    assert (said["library"], said["steps"], said["illegal"]) == ("pettingzoo", 200, 0)
    assert examples.run("13_wrappers.py", "--steps", 200, "--ignore-masks")["illegal"] > 20
