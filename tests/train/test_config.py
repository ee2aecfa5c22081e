import pytest

from hopenvs.core.errors import OptionError
from hopenvs.train.config import DEFAULT_MINUTES, TrainConfig


def test_without_a_length_a_run_takes_a_few_minutes():
    assert TrainConfig("igel_aergern-2p-v0").minutes == DEFAULT_MINUTES < 5
    assert TrainConfig("igel_aergern-2p-v0", steps=100).minutes is None


def test_settings_survive_json():
    config = TrainConfig("igel_aergern-2p-v0", options={"anarchy": True}, steps=7, trunk=(3, 4), mix={"self": 1.0})
    assert TrainConfig.from_dict(config.as_dict()) == config


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"minutes": 1, "steps": 1}, "minutes=1, steps=1: expected one of them"),
        ({"steps": 0}, "steps=0: expected an integer from 1"),
        ({"steps": 1.5}, "steps=1.5: expected an integer"),
        ({"minutes": -1}, "minutes=-1: expected a number"),
        ({"num_envs": True}, "num_envs=True"),
        ({"learning_rate": "fast"}, "learning_rate='fast'"),
        ({"gamma": 1.1}, "gamma=1.1: expected a number from 0 to 1"),
        ({"batch_size": 10**6}, "batch_size=1000000: expected at most num_envs"),
        ({"trunk": (0,)}, "trunk=0"),
        ({"activation": "gelu"}, "activation='gelu': expected 'relu' or 'tanh'"),
        ({"mix": {"gredy": 1.0}}, r"mix: 'gredy' \(did you mean greedy\?\)"),
        ({"mix": {"human": 1.0}}, "mix: 'human'"),
        ({"mix": {"self": 0.0}}, "not all 0"),
        ({"mix": {"self": -1.0, "pool": 2.0}}, "expected weights of 0 or more"),
        ({"yardsticks": ("nobody",)}, "yardsticks: 'nobody'"),
        ({"seed": -1}, "seed -1"),
    ],
)
def test_an_impossible_setting_is_named(settings, message):
    with pytest.raises(ValueError, match=message):
        TrainConfig("igel_aergern-2p-v0", **settings)


def test_an_unknown_setting_suggests_the_nearest():
    with pytest.raises(OptionError, match=r"unknown setting 'learning_rat' \(did you mean .*learning_rate"):
        TrainConfig.from_dict({"env": "igel_aergern-2p-v0", "learning_rat": 1})
