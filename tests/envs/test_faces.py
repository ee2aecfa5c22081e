"""What every face promises beside the game: beginnings, limits, states, refusals, autoreset, registration."""

import contextlib
import json
import types
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import hopenvs
from hopenvs import registry
from hopenvs.core.errors import IllegalActionError, OptionError, PositionError, RecordError, UnknownIdError
from hopenvs.core.state import SIMULTANEOUS
from tests.envs.conftest import all_by_what_is_seen, by_what_is_seen
from tests.games_for_tests import card_game, tick_game

NO_INTEGERS = [True, np.True_, 1.0, np.float64(1), "1", [1], (1,), {}, range(1), np.array([1]), np.array(1.0)]
INTEGERS = [int, np.int8, np.int64, np.uint8, lambda k: np.array(k), lambda k: np.array(k, np.int8)]


def first_legal(env):
    return env.legal_actions()[0]


def play(env, steps):
    """So many decisions of an AEC environment."""
    for _ in range(steps):
        seen = env.observe(env.agent_selection)
        seat = env.possible_agents.index(env.agent_selection)
        env.step(by_what_is_seen(seen["observation"], seen["action_mask"], seat))


def over(env):
    return any((*env.terminations.values(), *env.truncations.values()))


def fingerprint(env):
    """All that a refused call must leave as it was."""
    shown = {agent: {k: v.tobytes() for k, v in env.observe(agent).items()} for agent in env.possible_agents}
    book = ("agents", "agent_selection", "rewards", "_cumulative_rewards", "terminations", "truncations")
    return env.state().tobytes(), env._batch.states.tobytes(), shown, repr([getattr(env, name, None) for name in book])


@pytest.fixture
def env(env_id):
    made = hopenvs.make(env_id)
    made.reset(seed=1)
    return made


@pytest.fixture
def middle(env_id):
    """A position and a record in mid-game, at the beginning of a decision (of a tick)."""
    env = hopenvs.make(env_id)
    env.reset(seed=4)
    play(env, 3)  # a tick of three seats
    assert not over(env)
    return env.position()


def record_of(env_id, decisions=2):
    """A record that breaks off in mid-game, as dicts."""
    from hopenvs.core.record import play_record
    from hopenvs.core.walk import Walk

    game, options = registry.resolve(env_id, {})

    class Enough(Exception):  # noqa: N818 (it isn't an error)
        pass

    left = [decisions]

    def choose(walk):
        left[0] -= 1
        if left[0] < 0:
            raise Enough
        mask = walk.batch.mask[0]
        return tuple(by_what_is_seen(walk.batch.observation[0, k], mask[k], k) for k in range(walk.batch.seats_asked))

    events: list[Any] = []
    header = registry.record_header(env_id, game, options, 8)
    walk = Walk(game, options)
    with contextlib.suppress(Enough):
        play_record(walk, header, choose, visit=events.append)
    return [header, *events], walk.position()


# ---- beginning anywhere ---------------------------------------------------------------------------------------------
def faces(env_id):
    """One environment of each kind, and how to read the position of the first game."""
    gym = lambda env: env.position()  # noqa: E731
    return {
        "aec": (hopenvs.make(env_id), lambda env: env.position()),
        "parallel": (hopenvs.make(env_id, "parallel"), lambda env: env.position()),
        "vector": (hopenvs.make_vec(env_id, 3), lambda env: env.game.to_position(env.options, env._batch.record(2))),
        "gym": (hopenvs.make_gym(env_id, seat_to_play(env_id)), gym),
    }


def seat_to_play(env_id):
    position = record_of(env_id)[1]
    return position["to_play"] or 0


def without_options(position):
    return {key: value for key, value in position.items() if key != "options"}


@pytest.mark.parametrize("face", ["aec", "parallel", "vector", "gym"])
@pytest.mark.parametrize("kind", ["position", "record"])
def test_a_game_begins_at_a_position_or_where_a_record_breaks_off(env_id, face, kind):
    record, position = record_of(env_id)
    env, read = faces(env_id)[face]
    env.reset(seed=9, options={kind: position if kind == "position" else record, "something else": 5})
    assert without_options(read(env)) == without_options(position)
    env.reset(seed=9)
    assert without_options(read(env)) != without_options(position)


def test_a_game_that_begins_anywhere_has_the_seeds_dice(env_id, middle):
    states = []
    for seed in (1, 1, 2):
        env = hopenvs.make(env_id)
        env.reset(seed=seed, options={"position": middle})
        assert env.position() == middle
        play(env, 3)
        states.append(env._batch.states["rng"].tobytes())
    assert states[0] == states[1] != states[2]


def test_the_generator_goes_on_without_a_seed(env_id):
    games: list[list[bytes]] = []
    for _ in range(2):
        env = hopenvs.make(env_id)
        env.reset(seed=3)
        games.append([])
        for _ in range(3):
            while not over(env):
                play(env, 1)
            games[-1].append(env.state().tobytes())
            env.reset()
    assert games[0] == games[1]
    assert len(set(games[0])) == 3, "each game has chance of its own"


def test_all_rows_of_a_vector_environment_begin_there_and_chosen_ones_alone(env_id, middle):
    env = hopenvs.make_vec(env_id, 4)
    env.reset(seed=0)
    before = env.states.copy()
    env.reset(seed=5, options={"position": middle, "reset_mask": np.array([False, True, False, True])})
    for row in range(4):
        position = env.game.to_position(env.options, env._batch.record(row))
        assert (position == without_options(middle)) == (row in (1, 3))
    assert env.states[[0, 2]].tobytes() == before[[0, 2]].tobytes()
    assert env.states["rng"][1].tolist() != env.states["rng"][3].tolist(), "row i has seed + i"


@pytest.mark.parametrize("api", ["aec", "parallel"])
def test_a_broken_beginning_changes_nothing(env_id, api, middle):
    env = hopenvs.make(env_id, api)
    env.reset(seed=1)
    before = fingerprint(env)
    lines, _ = record_of(env_id)
    for options, error, message in (
        ({"position": middle, "record": lines}, ValueError, "position.*or.*record.*not both"),
        ({"position": {}}, PositionError, "key 'game' is missing"),
        ({"position": middle | {"turn": -1}}, PositionError, "key 'turn'"),
        ({"position": 5}, PositionError, "a position is a dict, not int"),
        ({"record": lines[:1] + lines[:1]}, RecordError, "expected one game, found 2"),
        ({"record": [*lines, {"chance": 0, "of": 99}]}, RecordError, f"line {len(lines) + 1}: "),
        ({"record": "no json"}, RecordError, "line 1: no JSON"),
    ):
        with pytest.raises(error, match=message):
            env.reset(seed=2, options=options)
        assert fingerprint(env) == before


def test_a_record_that_ends_at_a_chance_point_is_no_beginning():
    lines = [{"env": "tick_game-v0", "options": {}, "players": 3, "seed": 0}, {"joint": ["bid 1", "bid 2", "bid 3"]}]
    env = hopenvs.make("tick_game-v0")
    with pytest.raises(PositionError, match="ends at a chance point"):
        env.reset(seed=1, options={"record": lines})


def test_a_record_of_other_rules_is_no_beginning():
    lines, _ = record_of("card_game-v0")
    with pytest.raises(RecordError, match="players"):
        hopenvs.make("card_game-4p-v0").reset(seed=1, options={"record": lines})
    with pytest.raises(RecordError, match="goal=6: this environment has 9"):
        hopenvs.make("card_game-v0", goal=9).reset(seed=1, options={"record": lines})


@pytest.mark.parametrize("api", ["aec", "parallel"])
def test_a_finished_game_is_a_beginning_too(env_id, api):
    env = hopenvs.make(env_id)
    env.reset(seed=1)
    while not over(env):
        play(env, 1)
    paid = dict(env.rewards)
    again = hopenvs.make(env_id, api)
    again.reset(seed=2, options={"position": env.position()})
    assert again.over
    assert again.position() == env.position()
    if api == "aec":
        assert again.rewards == paid
        assert over(again)
        while again.agents:
            again.step(None)
    else:
        assert again.agents == []
        assert again.step({}) == ({}, {}, {}, {}, {})


def test_a_vector_environment_that_begins_at_the_end_goes_on_or_refuses(env_id):
    """A row whose game is over must not stand still for ever."""
    env = hopenvs.make(env_id)
    env.reset(seed=1)
    while not over(env):
        play(env, 1)
    for mode in (AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP):
        vector = hopenvs.make_vec(env_id, 2, autoreset_mode=mode)
        try:
            vector.reset(seed=2, options={"position": env.position()})
        except PositionError:
            continue
        shape = (2, vector.num_players) if vector._spec.simultaneous else 2
        for _ in range(2):
            vector.step(np.zeros(shape, np.int64) if vector.states["current_player"][0] < -2 else legal_rows(vector))
        assert (vector.states["current_player"] != -4).any()


def legal_rows(vector):
    """A legal action in every row of a vector environment."""
    mask = vector._batch.mask
    actions = np.argmax(mask, axis=-1)
    return actions if vector._spec.simultaneous else actions[:, 0]


# ---- chance decided from outside ------------------------------------------------------------------------------------
def test_a_function_may_decide_chance_and_is_told_names_and_weights(env_id):
    asked = []

    def last_possible(names, weights):
        asked.append((names, weights))
        return max(k for k, weight in enumerate(weights) if weight)

    env = hopenvs.make(env_id, chance=last_possible)
    env.reset(seed=1)
    generator = env._batch.states["rng"].tobytes()
    while len(asked) < 5 and not over(env):
        play(env, 1)
    assert asked
    for names, weights in asked:
        assert len(names) == len(weights) > 0
        assert all(isinstance(name, str) for name in names)
        assert all(type(weight) is int for weight in weights)
    assert env._batch.states["rng"].tobytes() == generator, "nothing is drawn"


def test_chance_decides_in_the_tick():
    told = []

    def choose(names, weights):
        told.append((names, weights))
        return 2

    for api in ("aec", "parallel"):
        env = hopenvs.make("tick_game-v0", api, chance=choose)
        env.reset(seed=0)
        if api == "aec":
            for action in (4, 1, 1):
                env.step(action)
        else:
            env.step({"player_0": 4, "player_1": 1, "player_2": 1})
        assert env.position()["points"] == [4, 0, 0]
    assert told == [(["prize 1", "prize 2", "prize 4"], [3, 2, 1])] * 2


def test_hands_may_be_dealt_from_outside():
    env = hopenvs.make("card_game-v0", chance=lambda names, weights: names.index("deal 3") if "deal 3" in names else 0)
    env.reset(seed=0)
    assert env.position()["hands"] == [[3, 3], [1, 3]]


@pytest.mark.parametrize("api", ["aec", "parallel"])
@pytest.mark.parametrize("answer", [3, -1, None, "prize 1", 1.0, True, [0]], ids=repr)
def test_a_wrong_answer_of_chance_is_refused_and_the_decision_may_be_made_again(api, answer):
    answers = [answer, 1]
    env = hopenvs.make("tick_game-v0", api, chance=lambda names, weights: answers.pop(0))
    env.reset(seed=0)
    if api == "aec":
        env.step(4)
        env.step(1)
    before = fingerprint(env)
    last = (lambda: env.step(1)) if api == "aec" else lambda: env.step({"player_0": 4, "player_1": 1, "player_2": 1})
    with pytest.raises((TypeError, ValueError), match=r"chance chose|cannot be interpreted as an integer"):
        last()
    assert fingerprint(env) == before, "nothing has changed"
    last()
    assert env.position()["points"] == [2, 0, 0]


def test_a_chance_that_fails_leaves_the_game_as_it_was():
    class Stop(Exception):  # noqa: N818
        pass

    rolls = iter([0, 1, 2, 3, Stop()])

    def roll(names, weights):
        found = next(rolls, 0)
        if isinstance(found, Exception):
            raise found
        return found

    env = hopenvs.make("card_game-v0", chance=roll)
    env.reset(seed=0)
    before = fingerprint(env)
    with pytest.raises(Stop):
        env.step(first_legal(env))
    assert fingerprint(env) == before
    env.step(first_legal(env))
    assert env.position()["turn"] == 1


@pytest.mark.parametrize("chance", [5, "dice", [0]], ids=repr)
def test_chance_must_be_a_function(env_id, chance):
    with pytest.raises(OptionError, match="option chance="):
        hopenvs.make(env_id, chance=chance)


# ---- limits ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("api", ["aec", "parallel"])
def test_max_cycles_truncates_all_agents_and_pays_nothing(env_id, api):
    env = hopenvs.make(env_id, api, max_cycles=2)
    env.reset(seed=1)
    if api == "aec":
        play(env, 2 * len(env.agents) if env._spec.simultaneous else 2)
        assert all(env.truncations.values())
        assert not any(env.terminations.values())
        assert set(env.rewards.values()) == {0.0}
        assert {info["truncated_by_max_turns"] for info in env.infos.values()} == {0}
    else:
        results = None
        for _ in range(2):
            results = env.step({agent: (env.legal_actions(agent) or [0])[0] for agent in env.agents})
        assert results is not None
        _, rewards, terminations, truncations, infos = results
        assert all(truncations.values())
        assert not any(terminations.values())
        assert set(rewards.values()) == {0.0}
        assert {info["truncated_by_max_turns"] for info in infos.values()} == {0}
    assert env._batch.states["plies"][0] == 2
    saved = env.state()
    env.set_state(saved)
    assert env.state().tobytes() == saved.tobytes()


def test_the_rules_cap_is_told_apart_from_a_limit_on_steps(env_id):
    env = hopenvs.make(env_id, max_turns=1)
    env.reset(seed=1)
    while not over(env):
        play(env, 1)
    assert all(env.truncations.values())
    assert {info["truncated_by_max_turns"] for info in env.infos.values()} == {1}
    assert env.position()["truncated"] is True


def test_max_episode_steps_truncates_rows_and_learners(env_id):
    vector = hopenvs.make_vec(env_id, 3, max_episode_steps=2, autoreset_mode="NextStep")
    vector.reset(seed=0)
    for step in range(2):
        _, rewards, terminated, truncated, _ = vector.step(legal_rows(vector))
        assert truncated.tolist() == [step == 1] * 3
        assert not terminated.any()
        assert not rewards.any()
    gym = hopenvs.make_gym(env_id, 0, all_by_what_is_seen, max_episode_steps=1)
    _, info = gym.reset(seed=0)
    _, reward, terminated, truncated, info = gym.step(int(np.argmax(info["action_mask"])))
    assert truncated or terminated
    assert truncated == (not terminated)
    assert info["truncated_by_max_turns"] == 0
    assert reward == 0 or terminated


@pytest.mark.parametrize("limit", [0, -1, True, 1.5, "3", 2**31], ids=repr)
def test_a_limit_is_a_positive_integer_or_none(env_id, limit):
    makers: list[tuple[Any, str]] = [(hopenvs.make, "max_cycles")]
    makers += [(maker, "max_episode_steps") for maker in (hopenvs.make_vec, hopenvs.make_gym, hopenvs.make_gym_vec)]
    for make, name in makers:
        with pytest.raises(OptionError, match=f"option {name}={limit!r}: expected a positive integer or None"):
            make(env_id, **{name: limit})
        make(env_id, **{name: None})


# ---- states ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("api", ["aec", "parallel"])
def test_a_state_is_bytes_without_the_generator_and_brings_the_game_back(env_id, api):
    env, other = hopenvs.make(env_id, api), hopenvs.make(env_id, api)
    env.reset(seed=1)
    saved = env.state()
    assert env.state_space.contains(saved)
    assert saved.dtype == np.uint8
    assert saved.flags.writeable
    saved[:] = 0
    assert env.state().any(), "it is a copy"
    saved = env.state()
    other.reset(seed=77)
    generator = other._batch.states["rng"].tolist()
    other.set_state(saved)
    assert other._batch.states["rng"].tolist() == generator, "the generator goes on from where it is"
    assert other.state().tobytes() == saved.tobytes()
    assert other.position() == env.position()
    for agent in env.possible_agents:
        for key, value in env.observe(agent).items():
            assert np.array_equal(value, other.observe(agent)[key])


def test_a_state_of_every_decision_can_be_set_even_on_a_fresh_environment(env_id):
    env = hopenvs.make(env_id)
    env.reset(seed=2)
    for _ in range(12):
        fresh = hopenvs.make(env_id)
        fresh.set_state(env.state())
        assert fresh.agent_selection == env.agent_selection
        assert fresh.legal_actions() == env.legal_actions()
        play(env, 1)
        if over(env):
            break


@pytest.mark.parametrize("wrong", ["short", "long", "signed", "flat", "list", "none", "text"])
def test_what_is_no_state_is_refused_and_nothing_changes(env, env_id, wrong):
    saved = env.state()
    given = {
        "short": saved[:-1], "long": np.append(saved, np.uint8(0)), "signed": saved.astype(np.int8),
        "flat": saved[None], "list": saved.tolist(), "none": None, "text": "state",
    }[wrong]  # fmt: skip
    before = fingerprint(env)
    with pytest.raises(ValueError, match=f"a state of {env_id} is uint8"):
        env.set_state(given)
    assert fingerprint(env) == before


def test_bytes_that_the_game_cannot_make_are_refused_and_nothing_changes(env):
    before = fingerprint(env)
    chooser = np.random.default_rng(0)
    refused, messages = 0, set()
    for _ in range(60):
        given = env.state()
        given[chooser.integers(len(given), size=3)] = chooser.integers(256, size=3)
        twin = env.clone()
        try:
            twin.set_state(given)
        except ValueError as error:
            refused += 1
            messages.add(str(error)[:11])
            assert fingerprint(twin) == before
    assert refused > 30
    assert messages == {"no state of"}
    assert fingerprint(env) == before


# ---- actions --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("kind", INTEGERS, ids=["int", "int8", "int64", "uint8", "0-d array", "0-d int8"])
def test_an_action_is_any_integer(env_id, kind):
    for api in ("aec", "parallel"):
        env, twin = hopenvs.make(env_id, api), hopenvs.make(env_id, api)
        env.reset(seed=1)
        twin.reset(seed=1)
        for made, convert in ((env, kind), (twin, int)):
            if api == "aec":
                made.step(convert(first_legal(made)))
            else:
                legal = {agent: made.legal_actions(agent) for agent in made.agents}
                made.step({agent: convert(actions[0]) for agent, actions in legal.items() if actions})
        assert env.state().tobytes() == twin.state().tobytes()
    gym, info = hopenvs.make_gym(env_id), None
    _, info = gym.reset(seed=1)
    gym.step(kind(int(np.argmax(info["action_mask"]))))


@pytest.mark.parametrize("wrong", [None, *NO_INTEGERS], ids=repr)
def test_what_is_no_integer_is_no_action_and_nothing_changes(env_id, wrong):
    for illegal in ("raise", "forfeit"):
        env = hopenvs.make(env_id, illegal=illegal)
        env.reset(seed=1)
        before = fingerprint(env)
        with pytest.raises(IllegalActionError, match=r"^player_0: action .*: expected an integer from 0 to \d+$"):
            env.step(wrong)
        assert fingerprint(env) == before
        parallel = hopenvs.make(env_id, "parallel", illegal=illegal)
        parallel.reset(seed=1)
        before = fingerprint(parallel)
        with pytest.raises(IllegalActionError, match=r"^player_0: action .*: expected an integer"):
            parallel.step(dict.fromkeys(parallel.agents, wrong))
        assert fingerprint(parallel) == before
        gym = hopenvs.make_gym(env_id, illegal=illegal)
        gym.reset(seed=1)
        position = gym.position()
        with pytest.raises(IllegalActionError, match=r"^player_0: action .*: expected an integer"):
            gym.step(wrong)
        assert gym.position() == position


def test_an_illegal_action_is_refused_by_name_and_nothing_changes(env, env_id):
    mask = env.observe(env.agent_selection)["action_mask"]
    size = len(mask)
    masked = np.flatnonzero(mask == 0)[:1].tolist()  # a first tick of the tick game has none
    for wrong in [*masked, -1, -2, size, size + 1, 10**30, -(10**30), np.int64(-1), np.uint64(2**63)]:
        before = fingerprint(env)
        with pytest.raises(IllegalActionError, match=rf"^player_0: .*{int(wrong)}"):
            env.step(wrong)
        assert fingerprint(env) == before
    parallel = hopenvs.make(env_id, "parallel")
    parallel.reset(seed=1)
    gym = hopenvs.make_gym(env_id)
    gym.reset(seed=1)
    for wrong in (*masked, -1, size, 2**31, -(2**31)):
        before = fingerprint(parallel)
        with pytest.raises(IllegalActionError, match=r"^player_0: "):
            parallel.step(dict.fromkeys(parallel.agents, wrong))
        assert fingerprint(parallel) == before
        position = gym.position()
        with pytest.raises(IllegalActionError, match=r"^player_0: "):
            gym.step(wrong)
        assert gym.position() == position


@pytest.mark.parametrize("wrong", [10**30, -(10**30), 2**63, -(2**63) - 1])
def test_even_a_huge_integer_is_an_illegal_action_in_every_face(env_id, wrong):
    gym = hopenvs.make_gym(env_id)
    gym.reset(seed=1)
    with pytest.raises(IllegalActionError, match=r"^player_0: there is no action"):
        gym.step(wrong)
    forfeiting = hopenvs.make_gym(env_id, illegal="forfeit")
    forfeiting.reset(seed=1)
    assert forfeiting.step(wrong)[1:3] == (-1.0, True)
    aec = hopenvs.make(env_id, illegal="forfeit")
    aec.reset(seed=1)
    aec.step(wrong)
    while not over(aec):  # the other seats of a tick
        play(aec, 1)
    assert aec.rewards["player_0"] == -1.0


def test_another_agents_action_is_refused_or_ignored(env_id):
    env = hopenvs.make(env_id, "parallel")
    env.reset(seed=1)
    before = fingerprint(env)
    with pytest.raises(ValueError, match="unknown agent 'player_9': expected one of player_0, player_1"):
        env.step({"player_0": env.legal_actions("player_0")[0], "player_9": 0})
    with pytest.raises(IllegalActionError, match="player_0 is asked, but there is no action of it"):
        env.step({"player_1": 0})
    with pytest.raises(TypeError, match="actions None: expected a mapping of agents to their actions"):
        env.step(None)
    with pytest.raises(IllegalActionError, match=r"player_0 is asked, but there is no action of it among \[\]"):
        env.step({})
    assert fingerprint(env) == before
    aec = hopenvs.make(env_id)
    aec.reset(seed=1)
    for ask in (aec.observe, aec.legal_actions, aec.observation_space, aec.action_space):
        with pytest.raises(ValueError, match="unknown agent 'player_9'"):
            ask("player_9")


def test_the_legal_actions_are_those_of_the_mask(env):
    for _ in range(6):
        for agent in env.agents:
            mask = env.observe(agent)["action_mask"]
            assert env.legal_actions(agent) == np.flatnonzero(mask).tolist()
            assert [type(action) for action in env.legal_actions(agent)] == [int] * int(mask.sum())
        assert env.legal_actions() == env.legal_actions(env.agent_selection) != []
        assert env.infos[env.agent_selection]["action_mask"].tolist() == mask_of(env).tolist()
        play(env, 1)
        if over(env):
            break


def mask_of(env):
    return env.observe(env.agent_selection)["action_mask"]


def test_names_of_actions_go_both_ways(env):
    for action in range(env.action_space("player_0").n):
        assert env.parse_action(env.action_name(action)) == action
    for wrong in (-1, env.action_space("player_0").n):
        with pytest.raises(ValueError, match="there is no action"):
            env.action_name(wrong)
    with pytest.raises(ValueError, match="unknown action"):
        env.parse_action("fly")


def test_nothing_works_before_reset(env_id):
    aec, parallel = hopenvs.make(env_id), hopenvs.make(env_id, "parallel")
    vector, gym = hopenvs.make_vec(env_id, 2), hopenvs.make_gym(env_id)
    for call in (
        lambda: aec.step(0),
        lambda: aec.observe("player_0"),
        lambda: parallel.step({"player_0": 0}),
        lambda: parallel.observe("player_0"),
        lambda: vector.step([0, 0] if not vector._spec.simultaneous else [[0] * 3] * 2),
        lambda: gym.step(0),
        lambda: gymnasium.make_vec(f"hopenvs/{env_id}", num_envs=2).step(np.zeros(2, np.int64)),
    ):
        with pytest.raises(ValueError, match=r"reset\(\) comes first"):
            call()


def test_nothing_but_none_is_a_step_after_the_end(env):
    while not over(env):
        play(env, 1)
    last = env.agent_selection
    for wrong in (0, 10**6, "x"):
        with pytest.raises(IllegalActionError, match=f"{last} has ended: its only step is None"):
            env.step(wrong)
    while env.agents:
        env.step(None)
    with pytest.raises(ValueError, match=r"the game is over: reset\(\) begins the next one"):
        env.step(None)


# ---- vectors --------------------------------------------------------------------------------------------------------
@pytest.fixture
def vector(env_id):
    made = hopenvs.make_vec(env_id, 4)
    made.reset(seed=0)
    return made


def test_actions_of_another_shape_or_type_are_refused_and_nothing_changes(vector):
    legal = legal_rows(vector)
    before = vector.states.tobytes()
    for wrong in (
        legal[:-1], legal[None], legal.tolist()[0], [], None, legal.astype(np.float64), legal.astype(bool),
        legal.astype(object), [["x"]] * 4, legal.reshape(-1, 1, 1), 0,
    ):  # fmt: skip
        with pytest.raises(ValueError, match="actions: expected integers of shape"):
            vector.step(wrong)
        assert vector.states.tobytes() == before
    for right in (legal.tolist(), legal.astype(np.int8), legal.astype(np.uint64), tuple(legal.tolist())):
        vector.reset(seed=0)
        vector.step(right)


@pytest.mark.parametrize("wrong", [-1, -2, -3, -4, 10**6, 2**31, -(2**31), 2**62])
def test_an_action_beyond_the_catalogue_is_refused_in_every_row(vector, wrong):
    before = vector.states.tobytes()
    for row in range(4):
        actions = legal_rows(vector).astype(np.int64)
        actions.reshape(4, -1)[row, -1] = wrong
        seat = actions.reshape(4, -1).shape[1] - 1
        with pytest.raises(IllegalActionError, match=rf"^row {row}, player_{seat}: there is no action {wrong}, "):
            vector.step(actions)
        assert vector.states.tobytes() == before


@pytest.mark.parametrize("env", ["hedgehog_hop-2p-v0", "hexx_hopp-2p-1r-v0"])  # 1441 and 2067 actions
@pytest.mark.parametrize("kind", ["i1", "u1", "<i2", ">i2", "i4", ">i8", "u8"])
def test_negative_actions_are_refused_whatever_holds_them(env, kind):
    vector = hopenvs.make_vec(env, 2)
    vector.reset(seed=0)
    before = vector.states.tobytes()
    for wrong in (-1, np.iinfo(kind).min) if np.dtype(kind).kind == "i" else (np.iinfo(kind).max,):
        actions = np.zeros_like(legal_rows(vector), np.dtype(kind))
        actions.reshape(2, -1)[0, 0] = wrong
        with pytest.raises(IllegalActionError, match=f"row 0, player_0: .*{wrong}"):
            vector.step(actions)
        assert vector.states.tobytes() == before


def test_the_first_row_with_an_illegal_action_is_named():
    vector = hopenvs.make_vec("hooop-2p-v0", 4)
    vector.reset(seed=0)
    actions = legal_rows(vector).astype(np.int64)
    actions[1], actions[3] = np.argmin(vector.observe(1, 0)["action_mask"]), -1
    with pytest.raises(IllegalActionError, match=r"^row 1, player_0: action \d+ "):
        vector.step(actions)


@pytest.mark.parametrize("wrong", [-1, -2, -3, -4, 10**6, 2**62])
def test_an_action_beyond_the_catalogue_forfeits_where_it_forfeits(env_id, wrong):
    vector = hopenvs.make_vec(env_id, 2, illegal="forfeit", autoreset_mode="NextStep")
    vector.reset(seed=0)
    actions = legal_rows(vector).astype(np.int64)
    actions.reshape(2, -1)[1, 0] = wrong
    _, rewards, terminated, _, _ = vector.step(actions)
    assert terminated.tolist() == [False, True]
    assert rewards[1, 0] == -1


@pytest.mark.parametrize("copied", [True, False])
def test_what_a_vector_environment_returns_is_fresh_or_a_read_only_view(env_id, copied):
    vector = hopenvs.make_vec(env_id, 3, copy=copied)
    seen, _ = vector.reset(seed=0)
    kept = {key: value.copy() for key, value in seen.items()}
    later, rewards, terminated, truncated, infos = vector.step(legal_rows(vector))
    for array in (*seen.values(), *later.values(), rewards, terminated, truncated, *infos.values()):
        assert array.flags.writeable == copied
        if not copied:
            with pytest.raises(ValueError, match="read-only"):
                array[...] = 0
    assert np.array_equal(seen["observation"], kept["observation"]) == copied, "a view follows the buffer"
    for array in (vector.states, vector.final_states):
        assert not array.flags.writeable
    assert set(later) == {"observation", "action_mask", "current_seat"}


def test_observations_have_the_stated_shapes_and_types(vector):
    n, spec = 4, vector._spec
    seen, infos = vector.reset(seed=1)
    lead = (n, spec.num_players) if spec.simultaneous else (n,)
    assert (seen["observation"].shape, seen["observation"].dtype) == ((*lead, spec.observation_size), np.int8)
    assert (seen["action_mask"].shape, seen["action_mask"].dtype) == ((*lead, spec.num_actions), np.int8)
    assert (seen["current_seat"].shape, seen["current_seat"].dtype) == ((n,), np.int8)
    if spec.simultaneous:
        assert set(seen["current_seat"].tolist()) == {SIMULTANEOUS}
        assert infos["active"].all()
    else:
        assert (infos["active"].sum(axis=1) == 1).all()
    _, rewards, terminated, truncated, infos = vector.step(legal_rows(vector))
    assert (rewards.shape, rewards.dtype) == ((n, spec.num_players), np.float32)
    assert (terminated.dtype, truncated.dtype) == (np.bool_, np.bool_)
    assert {key: value.shape for key, value in infos.items()} == {
        **dict.fromkeys(("active", "rank", "score", "won"), (n, spec.num_players)),
        "truncated_by_max_turns": (n,),
    }
    single = vector.single_observation_space
    view = vector.observe(0, 0)
    assert single.contains(view)


def until_one_ends(vector):
    """Step until a row ends; its number and what the step returned."""
    for _ in range(1000):
        result = vector.step(legal_rows(vector))
        ended = np.flatnonzero(result[2] | result[3])
        if len(ended):
            return int(ended[0]), result
    raise AssertionError("no end")


@pytest.mark.parametrize("mode", AutoresetMode)
def test_ends_are_kept_whatever_begins_afterwards(env_id, mode):
    vector = hopenvs.make_vec(env_id, 3, autoreset_mode=mode.value)
    vector.reset(seed=0)
    assert vector.metadata["autoreset_mode"] == mode
    with pytest.raises(ValueError, match="row 0 has not ended a game"):
        vector.final_observation(0, 0)
    row, (_, rewards, terminated, _, infos) = until_one_ends(vector)
    players = vector.num_players
    final = vector.final_states[row]
    assert terminated[row]
    assert final["current_player"] == -4
    assert rewards[row].tolist() == np.float32(final["rewards"][:players]).tolist()
    assert infos["rank"][row].tolist() == final["ranks"][:players].tolist()
    assert infos["won"][row].tolist() == final["winners"][:players].tolist()
    seen = [vector.final_observation(row, seat).tobytes() for seat in range(players)]
    assert (vector.states["current_player"][row] == -4) == (mode != AutoresetMode.SAME_STEP)
    if mode == AutoresetMode.DISABLED:
        with pytest.raises(ValueError, match=rf"rows \[{row}.*have ended: reset"):
            vector.step(legal_rows(vector))
        mask = np.zeros(3, np.bool_)
        mask[row] = True
        vector.reset(options={"reset_mask": mask})
        with pytest.raises(ValueError, match=f"row {row} has not ended a game"):
            vector.final_observation(row, 0)
        return
    _, rewards, terminated, _, infos = vector.step(legal_rows(vector))
    assert not terminated[row]
    assert not rewards[row].any()
    assert not infos["rank"][row].any()
    assert vector.states["plies"][row] == (1 if mode == AutoresetMode.SAME_STEP else 0)
    assert [vector.final_observation(row, seat).tobytes() for seat in range(players)] == seen
    for bad_row, bad_seat in ((row, players), (row, -1), (3, 0), (-1, 0)):
        with pytest.raises(ValueError, match=r"seat|row"):
            vector.final_observation(bad_row, bad_seat)


def test_resets_of_some_rows_are_checked(vector):
    for wrong in ([True] * 3, [1, 0, 0, 1], np.ones((4, 1), bool), "x"):
        with pytest.raises(ValueError, match=r"reset_mask: expected bool \[4\]"):
            vector.reset(options={"reset_mask": wrong})
    fresh = hopenvs.make_vec(vector.env_id, 4)
    with pytest.raises(ValueError, match="the first reset begins every row"):
        fresh.reset(seed=1, options={"reset_mask": np.array([True, False, True, True])})
    for seeds in ([1, 2, 3], [1, 2, 3, "x"], -1, 1.5, [1, 2, 3, None]):
        with pytest.raises((TypeError, ValueError)):
            vector.reset(seed=seeds)


def test_row_i_of_a_reset_gets_the_ith_seed(vector):
    vector.reset(seed=40)
    together = vector.states.copy()
    vector.reset(seed=[43, 42, 41, 40])
    assert vector.states[::-1].tobytes() == together.tobytes()


@pytest.mark.parametrize(
    "keyword", [{"num_envs": 0}, {"num_envs": True}, {"num_envs": 2.0}, {"threads": 0}, {"threads": "2"}]
)
def test_numbers_of_rows_and_threads_are_positive_integers(env_id, keyword):
    with pytest.raises(ValueError, match="expected a positive integer"):
        hopenvs.make_vec(env_id, **keyword)


def test_an_unknown_autoreset_mode_is_refused(env_id):
    for make in (hopenvs.make_vec, hopenvs.make_gym_vec):
        with pytest.raises(OptionError, match=r"autoreset_mode='Sometimes': expected .*'SameStep'"):
            make(env_id, 2, autoreset_mode="Sometimes")


# ---- one seat against others ----------------------------------------------------------------------------------------
def test_final_observations_and_infos_of_one_seat_are_where_gymnasium_says(env_id):
    n = 3
    env = gymnasium.make_vec(
        f"hopenvs/{env_id}", n, opponents=all_by_what_is_seen, autoreset_mode=AutoresetMode.SAME_STEP
    )
    seen, infos = env.reset(seed=0)
    ended = cut = np.zeros(n, np.bool_)
    for _ in range(500):
        seen, _, ended, cut, infos = env.step(np.argmax(infos["action_mask"], axis=1))
        assert ("final_obs" in infos) == bool((ended | cut).any())
        if (ended | cut).any():
            break
    rows = ended | cut
    assert infos["_final_obs"].tolist() == infos["_final_info"].tolist() == rows.tolist()
    for row in range(n):
        assert (infos["final_obs"][row] is not None) == rows[row]
        if rows[row]:
            assert env.single_observation_space.contains(infos["final_obs"][row])
            assert infos["final_info"]["rank"][row] > 0
            assert infos["final_info"]["action_mask"][row].all()
            assert infos["rank"][row] == 0, "the next game has begun"
    assert env.observation_space.contains(seen)
    env.close()


def test_resets_of_some_rows_of_one_seat_are_checked_too(env_id):
    env = gymnasium.make_vec(f"hopenvs/{env_id}", 4)
    with pytest.raises(ValueError, match="reset_mask"):
        env.reset(seed=1, options={"reset_mask": np.array([True, False, True, True])})
    env.reset(seed=1)
    for wrong in ([True] * 3, [0, 1, 2, 3], np.ones((4, 1), bool)):
        with pytest.raises(ValueError, match="reset_mask"):
            env.reset(options={"reset_mask": wrong})
    for actions in (np.zeros(3, int), np.zeros(4), np.zeros((4, 1), int), None, [0, 0, 0, "x"]):
        with pytest.raises(ValueError, match="actions: expected integers of shape"):
            env.step(actions)


def test_the_mask_can_be_part_of_the_observation(env_id):
    env = hopenvs.make_gym(env_id, mask_in_observation=True)
    seen, info = env.reset(seed=0)
    assert env.observation_space.contains(seen)
    assert seen["action_mask"].tolist() == info["action_mask"].tolist() == env.action_masks().astype(int).tolist()
    vector = hopenvs.make_gym_vec(env_id, 2, mask_in_observation=True)
    seen, _ = vector.reset(seed=0)
    assert vector.observation_space.contains(seen)


def test_a_random_seat_is_drawn_for_every_game_from_the_seed(env_id):
    env = hopenvs.make_gym(env_id, "random")
    seats = []
    for seed in range(12):
        env.reset(seed=seed)
        seats.append(env.learner)
    assert set(seats) == set(range(env._games.num_players))
    again = hopenvs.make_gym_vec(env_id, 12, seat="random")
    again.reset(seed=0)
    assert again._games.learner.tolist() == seats


@pytest.mark.parametrize("seat", [-1, 9, True, 1.5, "first", None], ids=repr)
def test_a_seat_that_there_is_not_is_refused(env_id, seat):
    with pytest.raises(OptionError, match=r"seat=.*or 'random'"):
        hopenvs.make_gym(env_id, seat)


@pytest.mark.parametrize("opponents", ["cleverest", 5, [], ["uniform"] * 9, None], ids=repr)
def test_opponents_that_there_are_not_are_refused(env_id, opponents):
    with pytest.raises(OptionError, match=r"opponents|agent"):
        hopenvs.make_gym(env_id, 0, opponents)


def test_an_opponents_illegal_action_names_the_opponent():
    env = hopenvs.make_gym("card_game-v0", 0, lambda seen, masks: np.full(len(seen), 99))
    env.reset(seed=1)
    with pytest.raises(IllegalActionError, match="player_1: there is no action 99"):
        env.step(int(np.argmax(env.action_masks())))


# ---- making ---------------------------------------------------------------------------------------------------------
def test_an_unknown_id_is_refused_with_suggestions():
    for make in (hopenvs.make, hopenvs.make_vec, hopenvs.make_gym, hopenvs.make_gym_vec):
        for unknown in ("card_gaem-v0", "hopenvs/card_gaem-v0"):
            with pytest.raises(UnknownIdError, match=r"unknown id .*did you mean card_game.*list_envs\(\) shows all"):
                make(unknown)
    no_ids: list[Any] = ["", None, 5, "zzz"]
    for no_id in no_ids:
        with pytest.raises(UnknownIdError, match="unknown id"):
            hopenvs.make(no_id)


def test_an_unknown_keyword_is_refused_with_a_suggestion(env_id):
    for make in (hopenvs.make, hopenvs.make_vec, hopenvs.make_gym, hopenvs.make_gym_vec):
        with pytest.raises(OptionError, match=r"unknown option 'max_turn' of .*did you mean max_turns"):
            make(env_id, max_turn=5)


@pytest.mark.parametrize(
    ("keyword", "message"),
    [
        ({"illegal": "ignore"}, "option illegal='ignore': expected one of 'raise', 'forfeit'"),
        ({"reward": "money"}, "option reward='money': expected one of 'win', 'rank', 'score'"),
        ({"render_mode": "hologram"}, "option render_mode='hologram': expected one of None, 'human'"),
        ({"api": "raw"}, "api='raw': expected 'aec' or 'parallel'"),
        ({"players": 9}, "players=9"),
        ({"max_turns": 0}, "option max_turns=0: expected an integer from 1"),
        ({"illegal": ["raise"]}, "option illegal="),
        ({"reward": None}, "option reward=None"),
    ],
    ids=str,
)
def test_an_impossible_keyword_is_refused_by_name(env_id, keyword, message):
    with pytest.raises(OptionError, match=message):
        hopenvs.make(env_id, **keyword)


def test_an_option_that_contradicts_the_id_is_refused_and_one_that_repeats_it_is_not():
    with pytest.raises(OptionError, match=r"option players=2 contradicts the id card_game-4p-v0, which says 4"):
        hopenvs.make("card_game-4p-v0", players=2)
    for repeated in (4, None, np.int64(4)):
        assert hopenvs.make("card_game-4p-v0", players=repeated).options.players == 4
    assert hopenvs.make("card_game-v0", players=3).options.players == 3


def test_options_reach_every_face():
    makes: list[Any] = [
        hopenvs.make("card_game-v0", goal=9),
        hopenvs.make("card_game-v0", "parallel", goal=9),
        hopenvs.make_vec("card_game-v0", 2, goal=9),
        hopenvs.make_gym("card_game-v0", goal=9),
        gymnasium.make("hopenvs/card_game-v0", goal=9).unwrapped,
    ]
    for made in makes:
        assert made.options.goal == 9
    vector: Any = gymnasium.make_vec("hopenvs/card_game-v0", num_envs=2, goal=9, seat=1)
    assert vector._games.batch.options.goal == 9
    assert vector._games.seat == 1


def test_gymnasium_limits_episodes_by_its_own_keyword():
    env = gymnasium.make("hopenvs/tick_game-v0", max_episode_steps=2)
    _, info = env.reset(seed=0)
    cuts = [env.step(0)[3] for _ in range(2)]
    assert cuts == [False, True]
    assert info["active"] == 1


# ---- registering ----------------------------------------------------------------------------------------------------
def a_module(name, **changes):
    module = types.ModuleType(name)
    vars(module).update({key: value for key, value in vars(card_game).items() if not key.startswith("__")})
    vars(module).update(changes)
    return module


def test_a_module_that_is_no_game_is_not_registered():
    before = hopenvs.list_envs()
    with pytest.raises(ValueError, match=r"json is no game: it lacks .*OPTIONS"):
        hopenvs.register(json)
    bare = a_module("bare")
    del bare.evaluate
    with pytest.raises(ValueError, match="bare is no game: it lacks evaluate"):
        hopenvs.register(bare)
    assert hopenvs.list_envs() == before


@pytest.mark.parametrize(
    "bad", ["Card-v0", "card game-v0", "card_game", "card_game-v", "-v0", "a--b-v0", "hopenvs/x-v0"]
)
def test_a_malformed_id_is_not_registered(bad):
    before = hopenvs.list_envs()
    with pytest.raises(ValueError, match=r"id .*: expected lower-case words joined by '-', ending in -vN"):
        hopenvs.register(card_game, bad)
    assert hopenvs.list_envs() == before


def test_a_taken_id_is_not_given_to_another_game_and_registering_twice_is_no_fault():
    before = hopenvs.list_envs()
    assert hopenvs.register(card_game) == "card_game-v0"
    with pytest.raises(ValueError, match=r"id 'card_game-v0' is taken by .*card_game"):
        hopenvs.register(tick_game, "card_game-v0")
    with pytest.raises(ValueError, match="id 'card_game-v0' is taken"):
        hopenvs.register(card_game, "card_game-v0", players=3)
    assert hopenvs.list_envs() == before


def test_an_id_whose_options_are_impossible_is_not_registered():
    before = hopenvs.list_envs(), set(gymnasium.registry)
    with pytest.raises(OptionError, match="option goal=99"):
        hopenvs.register(card_game, "card_game-far-v0", goal=99)
    with pytest.raises(OptionError, match="unknown option 'gaol'"):
        hopenvs.register(card_game, "card_game-jail-v0", gaol=5)
    assert (hopenvs.list_envs(), set(gymnasium.registry)) == before


def test_a_game_that_cannot_be_imported_by_its_name_is_not_registered():
    """Environments are found again by name: in another process, by a pickle."""
    before = hopenvs.list_envs(), set(gymnasium.registry)
    with pytest.raises((ImportError, ValueError), match="nowhere_to_be_found"):
        hopenvs.register(a_module("nowhere_to_be_found", ID="nowhere"))
    assert (hopenvs.list_envs(), set(gymnasium.registry)) == before
