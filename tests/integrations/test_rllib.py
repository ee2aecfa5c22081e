"""RLlib: the environment, the module that masks, and what reaches the learner."""

import copy
import pickle
import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
ray = pytest.importorskip("ray")
pytest.importorskip("ray.rllib")

from ray.rllib.core.columns import Columns  # noqa: E402
from ray.rllib.env.env_context import EnvContext  # noqa: E402
from ray.rllib.env.multi_agent_env_runner import MultiAgentEnvRunner  # noqa: E402

import hopenvs  # noqa: E402
from hopenvs import registry  # noqa: E402
from hopenvs.agents.policy import Policy, describe_model, weight_shapes  # noqa: E402
from hopenvs.core.errors import IllegalActionError, OptionError, UnknownIdError  # noqa: E402
from hopenvs.integrations.rllib import (  # noqa: E402
    SHARED,
    GameMultiAgentEnv,
    MaskedModule,
    env_config,
    everybody_own,
    everybody_shares,
    lane_seed,
    ppo_config,
)
from tests.games_for_tests import card_game, tick_game  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")  # Ray's own

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "06_rllib.py"
SMALL: dict[str, Any] = {"trunk": (16,), "heads": (8,), "activation": "relu"}


@pytest.fixture(scope="module")
def ids():
    """The test games, registered."""
    return {game.ID: registry.register(game) for game in (card_game, tick_game)}


def play(env, seed=None, decide=None):
    """A game of first or drawn legal actions: everything that `reset` and `step` gave, and what was done."""
    draw = np.random.default_rng(0)
    observations, infos = env.reset(seed=seed)
    told: list[Any] = [(observations, {}, {"__all__": False}, {"__all__": False}, infos)]
    done: list[Any] = []
    while not (told[-1][2]["__all__"] or told[-1][3]["__all__"]):
        actions = {a: int(draw.choice(np.flatnonzero(o["action_mask"]))) for a, o in told[-1][0].items()}
        done.append(actions)
        told.append(env.step(actions))
    return told, done


# ---- the environment ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("reward", ["win", "rank"])
def test_it_plays_the_games_of_the_other_faces(ids, reward):
    options: dict[str, Any] = {"players": 3}
    env = GameMultiAgentEnv({"env": ids["card_game"], "options": options, "reward": reward})
    told, done = play(env, seed=7)
    aec = hopenvs.make(ids["card_game"], reward=reward, **options)
    aec.reset(seed=7)
    for (observations, *_), actions in zip(told, done, strict=False):
        assert list(observations) == list(actions) == [aec.agent_selection], "only who decides next is asked"
        seen = aec.observe(aec.agent_selection)
        np.testing.assert_array_equal(observations[aec.agent_selection]["observations"], seen["observation"])
        np.testing.assert_array_equal(observations[aec.agent_selection]["action_mask"], seen["action_mask"])
        aec.step(actions[aec.agent_selection])
    observations, rewards, terminateds, truncateds, infos = told[-1]
    assert rewards == aec.rewards
    assert set(observations) == set(infos) == set(env.possible_agents)
    assert set(terminateds) == {"__all__", *env.possible_agents}
    assert all(terminateds.values())
    assert not truncateds["__all__"]
    for agent in env.possible_agents:
        np.testing.assert_array_equal(observations[agent]["observations"], aec.observe(agent)["observation"])
        assert observations[agent]["action_mask"].all(), "nobody is asked, but no policy is handed an empty mask"
        assert infos[agent]["rank"] == aec.infos[agent]["rank"]


def test_nobody_is_paid_before_the_end(ids):
    told, done = play(GameMultiAgentEnv({"env": ids["card_game"]}), seed=1)
    for (_, rewards, *_), actions in zip(told[1:-1], done, strict=False):
        assert rewards == dict.fromkeys(actions, 0.0)
    assert sum(told[-1][1].values()) == 0
    assert max(told[-1][1].values()) == 1


def test_in_a_simultaneous_game_all_are_asked(ids):
    env = GameMultiAgentEnv({"env": ids["tick_game"]})
    told, _ = play(env, seed=2)
    assert all(list(observations) == env.possible_agents for observations, *_ in told)


def test_a_game_that_was_cut_off_is_truncated(ids):
    env = GameMultiAgentEnv({"env": ids["card_game"], "options": {"max_turns": 2}})
    _, _, terminateds, truncateds, infos = play(env, seed=3)[0][-1]
    assert truncateds == {"__all__": True, "player_0": True, "player_1": True}
    assert terminateds == {"__all__": False}
    assert all(info["truncated_by_max_turns"] for info in infos.values())


@pytest.mark.parametrize("dtype", ["float32", "int8"])
@pytest.mark.parametrize("game", ["card_game", "tick_game"])
def test_observations_lie_in_their_spaces(ids, game, dtype):
    env = GameMultiAgentEnv({"env": ids[game], "dtype": dtype})
    for observations, *_ in play(env, seed=4)[0]:
        for agent, seen in observations.items():
            assert env.get_observation_space(agent).contains(seen)
            assert (seen["observations"].dtype, seen["action_mask"].dtype) == (np.dtype(dtype), np.int8)


def test_an_illegal_action_forfeits_or_is_refused(ids):
    env = GameMultiAgentEnv({"env": ids["card_game"]})
    observations, _ = env.reset(seed=5)
    ((agent, seen),) = observations.items()
    illegal = int(np.flatnonzero(seen["action_mask"] == 0)[0])
    _, rewards, terminateds, _, infos = env.step({agent: illegal})
    assert terminateds["__all__"]
    assert rewards[agent] == -1
    assert {name: info["forfeited"] for name, info in infos.items()} == {"player_0": 1, "player_1": 0}
    strict = GameMultiAgentEnv({"env": ids["card_game"], "illegal": "raise"})
    strict.reset(seed=5)
    with pytest.raises(IllegalActionError, match="player_0: action"):
        strict.step({agent: illegal})
    with pytest.raises(IllegalActionError, match="player_0 is asked, but there is no action of it"):
        strict.step({})
    with pytest.raises(ValueError, match="'player_1' was not asked, but player_0"):
        strict.step({agent: 0, "player_1": 0})
    with pytest.raises(ValueError, match="no game is going on"):
        env.step({agent: 0})


def test_a_copy_in_mid_game_goes_on_alike(ids):
    env = GameMultiAgentEnv({"env": ids["card_game"]})
    observations, _ = env.reset(seed=6)
    ((agent, seen),) = observations.items()
    env.step({agent: int(np.flatnonzero(seen["action_mask"])[0])})
    for twin in (pickle.loads(pickle.dumps(env)), copy.deepcopy(env)):
        assert twin._asked() == env._asked()
        np.testing.assert_array_equal(twin.batch.states.view(np.uint8), env.batch.states.view(np.uint8))
        found = [play(one)[1] for one in (twin, copy.deepcopy(env))]
        assert found[0] == found[1]


def test_env_runners_play_games_of_their_own(ids):
    """RLlib gives game i of runner w the seed s + w + i."""
    seeds = [lane_seed(10 + runner + game, runner) for runner in range(1, 4) for game in range(3)]
    assert len(set(seeds)) == 9
    assert lane_seed(10, 0) == 10
    context = EnvContext({"env": ids["card_game"]}, worker_index=2)
    found = [play(GameMultiAgentEnv(config), seed=8)[0][0][0] for config in (context, dict(context))]
    assert not np.array_equal(*(seen["player_0"]["observations"] for seen in found))


def test_a_game_of_ones_own_is_registered_where_it_is_not_known(ids, monkeypatch):
    config = env_config(ids["card_game"], options={"players": 3})
    monkeypatch.delitem(registry._entries, ids["card_game"])
    with pytest.raises(UnknownIdError):
        GameMultiAgentEnv({"env": ids["card_game"]})
    assert GameMultiAgentEnv(config).max_num_agents == 3


def test_what_there_is_not_is_named(ids):
    for config, told in (
        ({"enf": 1}, r"unknown key 'enf' \(did you mean env"),
        ({"illegal": "ignore"}, "illegal='ignore'"),
        ({"dtype": "float16"}, "dtype='float16'"),
        ({"options": {"cards": 2}}, "unknown option 'cards'"),
    ):
        with pytest.raises(OptionError, match=told):
            GameMultiAgentEnv({"env": ids["card_game"], **config})
    with pytest.raises(OptionError, match="policies='own'"):
        ppo_config(ids["card_game"], policies="own")


# ---- the module -----------------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def module(ids):
    """A network of random weights, and a batch that an environment has given."""
    env = GameMultiAgentEnv({"env": ids["card_game"]})
    torch.manual_seed(0)
    made = MaskedModule(
        observation_space=env.observation_spaces["player_0"],
        action_space=env.action_spaces["player_0"],
        model_config=SMALL,
    )
    seen = [seen for observations, *_ in play(env, seed=9)[0][:-1] for seen in observations.values()]
    return made, {key: torch.from_numpy(np.stack([one[key] for one in seen])) for key in seen[0]}


def test_logits_are_masked_in_exploration_inference_and_training(module):
    made, seen = module
    batch = {Columns.OBS: seen}
    legal = seen["action_mask"] != 0
    assert not legal.all()
    outputs = [forward(batch) for forward in (made.forward_exploration, made.forward_inference, made.forward_train)]
    for output in outputs:
        probabilities = torch.softmax(output[Columns.ACTION_DIST_INPUTS], dim=1)
        assert probabilities[~legal].max() < 1e-30
        torch.testing.assert_close(output[Columns.ACTION_DIST_INPUTS], outputs[0][Columns.ACTION_DIST_INPUTS])
    values = made.compute_values(batch)
    torch.testing.assert_close(values, made.compute_values(batch, outputs[2][Columns.EMBEDDINGS]))
    assert values.shape == (len(legal),)


def test_its_weights_play_as_a_policy_of_hopenvs_without_ray(module, ids):
    made, seen = module
    game, options = registry.resolve(ids["card_game"], {})
    description = describe_model(ids["card_game"], game, options, **SMALL)
    weights = made.state_dict()
    assert {name: tuple(weights[name].shape) for name in weight_shapes(description)} == weight_shapes(description)
    logits = Policy(description, weights).logits(seen["observations"].numpy().astype(np.int8))
    masked = made.forward_inference({Columns.OBS: seen})[Columns.ACTION_DIST_INPUTS]
    legal = seen["action_mask"] != 0
    torch.testing.assert_close(logits[legal], masked[legal])


def test_policies_are_shared_or_one_a_seat():
    assert [everybody_shares(f"player_{seat}", None) for seat in range(3)] == [SHARED] * 3
    assert [everybody_own(f"player_{seat}", None) for seat in range(3)] == ["player_0", "player_1", "player_2"]


# ---- what reaches the learner ---------------------------------------------------------------------------------------
class Telling(GameMultiAgentEnv):
    """Says in the infos what it pays."""

    def step(self, action_dict):
        *told, infos = super().step(action_dict)
        for agent, info in infos.items():
            info["paid"] = told[1].get(agent, 0.0)
        return *told, infos


@pytest.mark.parametrize("game", ["card_game", "tick_game"])
def test_every_decision_reaches_the_learner_once_and_every_seat_its_payoff(ids, game):
    """Samples are cut in mid-game, where turn games have decisions whose consequences aren't there yet."""
    config = ppo_config(ids[game], network=SMALL, env_class=Telling)
    config.env_runners(num_env_runners=0, num_envs_per_env_runner=3).debugging(seed=1)
    runner = MultiAgentEnvRunner(config=config, worker_index=0)
    paid: dict[tuple[str, str], float] = {}
    last: dict[tuple[str, str], Any] = {}
    due: dict[tuple[str, str], float] = {}
    decisions = games = 0
    for _ in range(30):
        for episode in runner.sample(num_timesteps=7):
            games += episode.is_done
            for agent, part in episode.agent_episodes.items():
                key = (episode.id_, agent)
                observations, actions = part.get_observations(), part.get_actions()
                assert len(observations["action_mask"]) == len(actions) + 1
                masks = observations["action_mask"][:-1]
                assert masks[np.arange(len(actions)), actions].all(), "each action beside the mask it was chosen by"
                if key in last:
                    np.testing.assert_array_equal(last[key], observations["observations"][0])
                last[key] = observations["observations"][-1]
                paid[key] = paid.get(key, 0.0) + part.get_return()
                decisions += len(actions)
                if episode.is_done:
                    due[key] = part.get_infos(-1)["paid"]
    counted = runner.get_metrics()
    assert games > 5
    assert int(counted["games"].peek()) == games
    assert int(counted["decisions"].peek()) == decisions
    assert int(counted["illegal"].peek()) == 0
    assert any(due.values())
    assert {key: value for key, value in paid.items() if key in due or value} == due
    runner.stop()


class Unmasked(MaskedModule):
    """What happens without masks."""

    def _logits(self, batch, features):
        return self.action_net(self.mlp_extractor.policy_net(features))


@pytest.mark.usefixtures("local_ray")
def test_the_example_counts_no_illegal_move_and_would_see_them():
    train = runpy.run_path(str(EXAMPLE), run_name="example")["train"]
    found = train("igel_aergern-2p-v0", 300, 0, runners=0, policies="seat")
    assert (found["library"], found["env"], found["illegal"]) == ("ray", "igel_aergern-2p-v0", 0)
    assert found["version"] == ray.__version__
    assert found["steps"] >= 300
    assert train("igel_aergern-2p-v0", 100, 0, runners=0, module=Unmasked)["illegal"] > 20
