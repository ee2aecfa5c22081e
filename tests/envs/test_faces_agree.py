"""Every face plays the same games, move for move; the seats of a tick are asked blind, and may be left in mid-tick."""

import copy
import json
import pickle
from dataclasses import dataclass, field
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import hopenvs
from hopenvs.core import state
from hopenvs.core.batch import Batch
from hopenvs.core.errors import IllegalActionError
from hopenvs.core.record import GameRecord
from hopenvs.core.state import NOT_CHOSEN, SIMULTANEOUS
from hopenvs.core.walk import Walk
from hopenvs.registry import resolve
from tests.envs.conftest import by_what_is_seen, players_by_what_is_seen

SEEDS = range(3)


@dataclass
class Trace:
    """One game: what each seat saw and did in turn, and how it ended."""

    decisions: list[tuple[int, bytes, bytes, int]] = field(default_factory=list)  # seat, observation, mask, action
    states: list[bytes] = field(default_factory=list)  # bodies, before each decision or tick, and at the end
    rewards: list[float] = field(default_factory=list)
    ranks: list[int] = field(default_factory=list)
    seen_at_the_end: list[bytes] = field(default_factory=list)  # by each seat

    def of(self, seat):
        """The decisions of one seat."""
        return [decision for decision in self.decisions if decision[0] == seat]


def players_of(env_id):
    game, options = resolve(env_id, {})
    return game.spec(options).num_players


def decide(trace, seat, observation, mask):
    """Choose, and note it."""
    action = by_what_is_seen(observation, mask, seat)
    trace.decisions.append((seat, observation.tobytes(), mask.tobytes(), action))
    return action


def by_the_core(env_id, seed):
    """The game as the core plays it, every outcome a step of its own."""
    game, options = resolve(env_id, {})
    walk, trace = Walk(game, options), Trace()
    seats = range(walk.spec.num_players)
    walk.start(seed)
    walk.draw_all()
    while not walk.is_over:
        trace.states.append(state.body(walk.states).tobytes())
        asked = seats if walk.current_player == SIMULTANEOUS else [walk.current_player]
        views = walk.batch.view([0] * len(asked), asked)
        walk.play(*(decide(trace, seat, views[1][k], views[0][k]) for k, seat in enumerate(asked)))
        walk.draw_all()
    trace.states.append(state.body(walk.states).tobytes())
    trace.seen_at_the_end = [walk.batch.view([0], [seat])[1][0].tobytes() for seat in seats]
    trace.rewards, trace.ranks = walk.result()["rewards"], walk.result()["ranks"]
    return trace


@pytest.fixture(scope="module")
def expected(registered):
    """`expected(env_id, seed)`: the core's trace, made once."""
    made = {}

    def trace(env_id, seed):
        if (env_id, seed) not in made:
            made[env_id, seed] = by_the_core(env_id, seed)
        return made[env_id, seed]

    return trace


def played_in_turns(env, trace):
    """Play an AEC environment on to the end."""
    while env.agents and not any((*env.terminations.values(), *env.truncations.values())):
        if env.agent_selection == env.possible_agents[0] or not env._spec.simultaneous:
            trace.states.append(env.state().tobytes())
        seen = env.observe(env.agent_selection)
        seat = env.possible_agents.index(env.agent_selection)
        env.step(decide(trace, seat, seen["observation"], seen["action_mask"]))
    trace.states.append(env.state().tobytes())
    trace.seen_at_the_end = [env.observe(agent)["observation"].tobytes() for agent in env.possible_agents]
    trace.rewards = [env.rewards[agent] for agent in env.possible_agents]
    trace.ranks = [env.infos[agent]["rank"] for agent in env.possible_agents]
    return trace


def test_the_games_compared_have_chance_and_winners(env_id, expected):
    """Else agreement would show little."""
    traces = [expected(env_id, seed) for seed in SEEDS]
    assert len({trace.states[-1] for trace in traces}) == len(traces)
    assert any(any(trace.rewards) for trace in traces)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_aec_environment_plays_the_cores_game(env_id, seed, expected):
    env = hopenvs.make(env_id)
    for _ in range(2):  # on a fresh environment and on a used one
        env.reset(seed=seed)
        assert played_in_turns(env, Trace()) == expected(env_id, seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_parallel_environment_plays_the_cores_game(env_id, seed, expected):
    env, trace = hopenvs.make(env_id, "parallel"), Trace()
    seen, infos = env.reset(seed=seed)
    rewards = {}
    while env.agents:
        trace.states.append(env.state().tobytes())
        actions = dict.fromkeys(env.agents, 10**6)  # of agents that aren't asked: ignored, whatever it is
        for seat, agent in enumerate(env.possible_agents):
            if infos[agent]["active"]:
                actions[agent] = decide(trace, seat, seen[agent]["observation"], seen[agent]["action_mask"])
        seen, rewards, _, _, infos = env.step(actions)
    trace.states.append(env.state().tobytes())
    trace.seen_at_the_end = [seen[agent]["observation"].tobytes() for agent in env.possible_agents]
    trace.rewards = [rewards[agent] for agent in env.possible_agents]
    trace.ranks = [infos[agent]["rank"] for agent in env.possible_agents]
    assert trace == expected(env_id, seed)


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize("threads", [1, 3])
def test_every_row_of_the_vector_environment_plays_the_cores_game(env_id, mode, threads, expected, monkeypatch):
    monkeypatch.setattr("hopenvs.core.batch.ROWS_PER_THREAD", 1)  # so that few rows are shared among threads
    n = 5
    env = hopenvs.make_vec(env_id, n, autoreset_mode=mode, threads=threads)
    env.reset(seed=0)
    traces, running = [Trace() for _ in range(n)], set(range(n))
    players = env.num_players
    while running:
        actions = np.zeros((n, players) if env._spec.simultaneous else n, np.int64)
        for row in range(n):
            seat = int(env.states["current_player"][row])
            for asked in range(players) if seat == SIMULTANEOUS else [seat] if seat >= 0 else []:
                seen = env.observe(row, asked)
                index = (row, asked) if env._spec.simultaneous else row
                if row in running:
                    actions[index] = decide(traces[row], asked, seen["observation"], seen["action_mask"])
                else:
                    actions[index] = by_what_is_seen(seen["observation"], seen["action_mask"])
            if row in running:
                traces[row].states.append(state.body(env.states[row : row + 1].copy()).tobytes())
        _, rewards, terminated, truncated, infos = env.step(actions)
        for row in [row for row in running if terminated[row] or truncated[row]]:
            trace = traces[row]
            trace.states.append(state.body(env.final_states[row : row + 1].copy()).tobytes())
            trace.seen_at_the_end = [env.final_observation(row, seat).tobytes() for seat in range(players)]
            trace.rewards = env.final_states["rewards"][row, :players].tolist()
            assert rewards[row].tolist() == np.array(trace.rewards, np.float32).tolist()
            trace.ranks = infos["rank"][row].tolist()
            running.remove(row)
        if mode == AutoresetMode.DISABLED and (terminated | truncated).any():
            env.reset(options={"reset_mask": terminated | truncated})
    for row in range(n):
        assert traces[row] == expected(env_id, row)
    env.close()


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_gymnasium_environment_plays_the_cores_game_from_one_seat(env_id, seat, seed, expected):
    whole = expected(env_id, seed)
    others = players_by_what_is_seen(seat, players_of(env_id))
    env, trace = hopenvs.make_gym(env_id, seat, others), Trace()
    seen, info = env.reset(seed=seed)
    if not whole.of(seat):
        return  # the game ended before this seat's first turn: it was replayed
    while True:
        seen, reward, ended, cut, info = env.step(decide(trace, seat, seen, info["action_mask"]))
        if ended or cut:
            break
        assert reward == 0
    assert trace.decisions == whole.of(seat)
    assert (reward, info["rank"], seen.tobytes()) == (
        whole.rewards[seat],
        whole.ranks[seat],
        whole.seen_at_the_end[seat],
    )


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize("seat", [0, 1])
def test_every_row_of_the_gymnasium_vector_environment_does_too(env_id, seat, mode, expected):
    n = 4
    others = players_by_what_is_seen(seat, players_of(env_id))
    env = gymnasium.make_vec(f"hopenvs/{env_id}", n, seat=seat, opponents=others, autoreset_mode=mode)
    seen, infos = env.reset(seed=0)
    traces = [Trace() for _ in range(n)]
    running = {row for row in range(n) if expected(env_id, row).of(seat)}
    while running:
        actions = np.zeros(n, np.int64)
        for row in range(n):
            trace = traces[row] if row in running else Trace()
            actions[row] = decide(trace, seat, seen[row], infos["action_mask"][row])
        seen, rewards, ended, cut, infos = env.step(actions)
        for row in [row for row in running if ended[row] or cut[row]]:
            whole = expected(env_id, row)
            final = infos["final_info"]["rank"][row] if mode == AutoresetMode.SAME_STEP else infos["rank"][row]
            last = infos["final_obs"][row] if mode == AutoresetMode.SAME_STEP else seen[row]
            assert traces[row].decisions == whole.of(seat)
            assert (rewards[row], final, last.tobytes()) == (
                whole.rewards[seat], whole.ranks[seat], whole.seen_at_the_end[seat],
            )  # fmt: skip
            running.remove(row)
        if mode == AutoresetMode.DISABLED and (ended | cut).any():
            seen, infos = env.reset(options={"reset_mask": ended | cut})
    env.close()


@pytest.mark.parametrize("reward", ["win", "rank", "score"])
def test_all_faces_pay_the_same_by_every_scheme(env_id, reward, expected):
    seed = 1
    whole = expected(env_id, seed)
    game, options = resolve(env_id, {})
    walk = Walk(game, options, payoff=state.Payoff[reward.upper()])
    walk.start(0)
    final = state.copy_states(walk.states)
    state.body(final)[0] = np.frombuffer(whole.states[-1], np.uint8)
    walk.batch.load(final)
    env = hopenvs.make(env_id, reward=reward)
    env.reset(seed=seed)
    paid = played_in_turns(env, Trace()).rewards
    assert paid == walk.result()["rewards"]
    gym = hopenvs.make_gym(env_id, 0, players_by_what_is_seen(0, players_of(env_id)), reward=reward)
    seen, info = gym.reset(seed=seed)
    done, last = False, 0.0
    while not done:
        seen, last, ended, cut, info = gym.step(by_what_is_seen(seen, info["action_mask"]))
        done = ended or cut
    assert last == paid[0]


# ---- copies ---------------------------------------------------------------------------------------------------------
COPIES = {
    "clone": lambda env: env.clone(),
    "deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
}


@pytest.mark.parametrize("api", ["aec", "parallel"])
@pytest.mark.parametrize("duplicate", COPIES.values(), ids=COPIES)
def test_a_copy_at_any_decision_goes_on_alike_and_leaves_the_original_alone(env_id, api, duplicate, expected):
    """In a simultaneous AEC game that is in mid-tick too: the choices made so far are copied with it."""
    if api == "parallel":
        env = hopenvs.make(env_id, api)
        env.reset(seed=2)
        twin = duplicate(env)
        assert twin.state().tobytes() == env.state().tobytes()
        before = env.state().tobytes()
        twin.step({agent: twin.legal_actions(agent)[0] for agent in twin.agents if twin.legal_actions(agent)})
        assert env.state().tobytes() == before != twin.state().tobytes()
        return
    whole = expected(env_id, 2)
    env = hopenvs.make(env_id)
    env.reset(seed=2)
    steps = range(len(whole.decisions))
    for k in steps:
        if k in (0, 1, 2, 4, steps[-1]):
            before = env.state().tobytes(), env.agent_selection
            twin = duplicate(env)
            assert (twin.state().tobytes(), twin.agent_selection) == before
            for agent_step in range(k, len(whole.decisions)):
                seat, observation, mask, action = whole.decisions[agent_step]
                assert twin.agent_selection == twin.possible_agents[seat]
                seen = twin.observe(twin.agent_selection)
                assert (seen["observation"].tobytes(), seen["action_mask"].tobytes()) == (observation, mask)
                twin.step(action)
            assert twin.state().tobytes() == whole.states[-1]
            assert [twin.rewards[agent] for agent in twin.possible_agents] == whole.rewards
            assert (env.state().tobytes(), env.agent_selection) == before
        env.step(whole.decisions[k][3])


@pytest.mark.parametrize("duplicate", [copy.deepcopy, COPIES["pickle"]], ids=["deepcopy", "pickle"])
@pytest.mark.parametrize("face", ["vector", "gym", "gym vector"])
def test_copies_of_the_other_faces_go_on_alike_too(env_id, face, duplicate):
    env: Any = {
        "vector": lambda: hopenvs.make_vec(env_id, 3, threads=2),
        "gym": lambda: hopenvs.make_gym(env_id, "random"),
        "gym vector": lambda: hopenvs.make_gym_vec(env_id, 3, seat="random"),
    }[face]()
    env.reset(seed=1)
    batch = env._batch if face == "vector" else env._games.batch
    for _ in range(2):
        step_anyhow(env, face)
    twin = duplicate(env)
    before = batch.states.tobytes()
    told = [step_anyhow(twin, face) for _ in range(8)]
    assert batch.states.tobytes() == before
    assert [step_anyhow(env, face) for _ in range(8)] == told
    assert (twin._batch if face == "vector" else twin._games.batch).states.tobytes() == batch.states.tobytes()


def step_anyhow(env, face):
    """A legal action everywhere; what came of it, as text."""
    if face == "vector":
        actions = np.argmax(env._batch.mask, axis=-1)
        return repr(env.step(actions if env._spec.simultaneous else actions[:, 0]))
    if face == "gym vector":
        return repr(env.step(np.argmax(env.action_masks(), axis=1)))
    if env._games.flags(env._row)[0][0]:
        return repr(env.reset())
    return repr(env.step(int(np.argmax(env.action_masks()))))


# ---- ticks, seat by seat --------------------------------------------------------------------------------------------
def test_later_seats_of_a_tick_do_not_see_earlier_choices():
    """Whatever seat 0 has chosen: what the others see, and are told, is the same, bit for bit."""
    told = []
    for choice in range(5):
        env = hopenvs.make("tick_game-v0")
        env.reset(seed=0)
        env.step(choice)
        assert env.agent_selection == "player_1"
        told.append(everything_shown(env))
        env.step(2)
        told[-1] |= {"third": everything_shown(env)}
    assert all(one == told[0] for one in told)


def everything_shown(env):
    """What an honest player of the later seats has to go by."""
    shown = {
        agent: [env.observe(agent)[key].tobytes() for key in ("observation", "action_mask")]
        for agent in env.possible_agents
    }
    infos = {
        agent: {key: value.tobytes() if isinstance(value, np.ndarray) else value for key, value in info.items()}
        for agent, info in env.infos.items()
    }
    scenes = [env.scene(seat) for seat in range(3)]
    return {"shown": shown, "infos": infos, "rewards": dict(env.rewards), "scenes": scenes, "last": str(env.last())}


def test_a_seat_that_has_chosen_is_not_asked_again_in_this_tick():
    env = hopenvs.make("tick_game-v0")
    env.reset(seed=0)
    assert [env.infos[agent]["active"] for agent in env.agents] == [1, 1, 1]
    env.step(3)
    assert [env.infos[agent]["active"] for agent in env.agents] == [0, 1, 1]
    assert env.legal_actions("player_0") == []
    assert not env.observe("player_0")["action_mask"].any()
    assert env.legal_actions() == env.legal_actions("player_1") == [0, 1, 2, 3, 4]
    assert env._record.pending[0] == 3
    env.step(0)
    env.step(0)
    assert env.agent_selection == "player_0"
    assert set(env._record.pending) == {NOT_CHOSEN}
    assert env.state().tobytes() != b""


def test_a_tick_is_one_decision_however_it_is_asked():
    env = hopenvs.make("tick_game-v0", max_cycles=2)
    env.reset(seed=0)
    for _ in range(6):
        assert not any(env.truncations.values())
        env.step(0)
    assert all(env.truncations.values())
    assert env._record.plies == 2


def test_a_state_saved_in_mid_tick_brings_the_choices_back():
    env, other = hopenvs.make("tick_game-v0"), hopenvs.make("tick_game-v0")
    env.reset(seed=0)
    other.reset(seed=5)
    env.step(4)
    env.step(1)
    other.set_state(env.state())
    assert other.agent_selection == "player_2"
    assert other.state().tobytes() == env.state().tobytes()
    other.step(0)
    assert other.position()["hands"] == [[1, 2, 3], [2, 3, 4], [1, 2, 3, 4]]
    assert sum(other.position()["points"][1:]) == 0
    assert other.position()["points"][0] > 0


def test_a_parallel_environment_takes_a_state_in_mid_tick_or_refuses_it():
    """Two seats have chosen: the third's choice must not be taken for all of theirs."""
    env, parallel = hopenvs.make("tick_game-v0"), hopenvs.make("tick_game-v0", "parallel")
    env.reset(seed=0)
    parallel.reset(seed=0)
    env.step(4)
    env.step(1)
    try:
        parallel.set_state(env.state())
    except ValueError:
        return
    parallel.step(dict.fromkeys(parallel.agents, 2))
    played = [4 - len(hand) for hand in parallel.position()["hands"]]
    assert played == [1, 1, 1]
    assert parallel.position()["hands"] == [[1, 2, 3], [2, 3, 4], [1, 3, 4]]


def test_an_illegal_choice_in_a_tick_is_refused_at_once_and_nothing_changes():
    env = hopenvs.make("tick_game-v0")
    env.reset(seed=0)
    for action in (1, 2, 3):
        env.step(action)
    env.step(0)
    before = env.state().tobytes(), env.agent_selection
    for wrong in (2, 5, -1, 10**30, None, True, 1.0, "wait", [1], np.array([1])):
        with pytest.raises(IllegalActionError, match=r"^player_1: "):
            env.step(wrong)
        assert (env.state().tobytes(), env.agent_selection) == before
    env.step(1)
    assert env.agent_selection == "player_2"


@pytest.mark.parametrize("offender", [0, 1, 2])
def test_an_illegal_choice_in_a_tick_forfeits_alike_in_every_face(offender):
    actions = [1, 2, 3]
    actions[offender] = 7
    expected = [-1.0 if seat == offender else 0.5 for seat in range(3)]

    aec = hopenvs.make("tick_game-v0", illegal="forfeit")
    aec.reset(seed=0)
    for action in actions:
        aec.step(action)
    assert [aec.rewards[agent] for agent in aec.possible_agents] == expected
    assert aec.infos[f"player_{offender}"]["rank"] == 3

    parallel = hopenvs.make("tick_game-v0", "parallel", illegal="forfeit")
    parallel.reset(seed=0)
    _, rewards, ended, _, _ = parallel.step({f"player_{seat}": action for seat, action in enumerate(actions)})
    assert list(rewards.values()) == expected
    assert all(ended.values())

    vector = hopenvs.make_vec("tick_game-v0", 2, illegal="forfeit", autoreset_mode="NextStep")
    vector.reset(seed=0)
    _, paid, ended, _, infos = vector.step([[0, 0, 0], actions] if offender else [actions, [0, 0, 0]])
    row = 1 if offender else 0
    assert paid[row].tolist() == expected
    assert ended.tolist() == [row == 0, row == 1]
    assert infos["rank"][row].tolist() == [3 if seat == offender else 1 for seat in range(3)]

    gym = hopenvs.make_gym("tick_game-v0", offender, lambda seen, masks: np.zeros(len(seen), int), illegal="forfeit")
    gym.reset(seed=0)
    _, reward, ended, _, info = gym.step(7)
    assert (reward, ended, info["rank"], info["won"]) == (-1.0, True, 3, 0)

    assert aec.position() == parallel.position()
    assert aec.state().tobytes() == parallel.state().tobytes()
    assert vector.final_states["hand"][row].all(), "no bid was carried out"


def test_the_first_of_several_offenders_forfeits():
    vector = hopenvs.make_vec("tick_game-v0", 1, illegal="forfeit", autoreset_mode="NextStep")
    vector.reset(seed=0)
    assert vector.step([[0, 9, 9]])[1].tolist() == [[0.5, -1.0, 0.5]]
    aec = hopenvs.make("tick_game-v0", illegal="forfeit")
    aec.reset(seed=0)
    for action in (0, 9, 9):
        aec.step(action)
    assert list(aec.rewards.values()) == [0.5, -1.0, 0.5]


def test_a_tick_is_recorded_as_joint_lines_that_every_face_can_begin_from():
    lines = [
        {"env": "tick_game-v0", "options": {}, "players": 3, "seed": 0},
        {"joint": ["bid 1", "bid 2", "bid 2"]},
        {"chance": 2, "of": 3},
        {"joint": ["wait", "wait", "bid 4"]},
        {"chance": 0, "of": 3},
    ]
    position = {
        "game": "tick_game", "players": 3, "phase": "tick", "to_play": None,
        "hands": [[2, 3, 4], [1, 3, 4], [1, 3]], "points": [4, 0, 1], "turn": 2, "winners": [],
    }  # fmt: skip
    for given in (lines, "\n".join(map(json.dumps, lines)), GameRecord.of(lines)):
        for env in (
            hopenvs.make("tick_game-v0"),
            hopenvs.make("tick_game-v0", "parallel"),
            hopenvs.make_gym("tick_game-v0"),
        ):
            env.reset(seed=3, options={"record": given})
            assert env.position() == position
        vector = hopenvs.make_vec("tick_game-v0", 2)
        vector.reset(seed=3, options={"record": given})
        assert vector.states["points"].tolist() == [[4, 0, 1]] * 2


def test_ids_of_registered_games_are_listed_and_made_by_all_libraries(env_id):
    import pettingzoo

    assert env_id in hopenvs.list_envs()
    assert env_id in hopenvs.list_envs(env_id.split("-")[0])
    name = f"hopenvs/{env_id}"
    for made in (hopenvs.make(env_id), hopenvs.make(name), *by_pettingzoo(pettingzoo, name)):
        made.reset(seed=0)
        assert made.env_id == env_id if hasattr(made, "env_id") else True
    gym: Any = gymnasium.make(name)
    seen, _ = gym.reset(seed=0)
    assert gym.observation_space.contains(seen)
    assert gym.unwrapped.env_id == env_id
    vector = gymnasium.make_vec(name, num_envs=3)
    seen, _ = vector.reset(seed=0)
    assert vector.observation_space.contains(seen)
    vector.close()


def by_pettingzoo(pettingzoo, name):
    """Environments by PettingZoo's own registry, which it has from 1.27 on."""
    if not hasattr(pettingzoo, "register"):
        return []
    return [pettingzoo.make("aec", name), pettingzoo.make("parallel", name)]


def test_batches_of_the_core_and_of_the_faces_are_of_the_same_kind(env_id):
    game, options = resolve(env_id, {})
    env = hopenvs.make(env_id)
    assert env._batch.states.dtype == Batch(game, options, 1).states.dtype
    assert env.state_space.contains(env.state())
