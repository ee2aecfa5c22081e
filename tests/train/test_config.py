import dataclasses
from typing import Any

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
        ({"trunk": (0,)}, r"trunk=\(0,\): expected a list such as \[256\], each an integer from 1 to 65536"),
        ({"trunk": 5}, "trunk=5: expected a list"),
        ({"heads": "8"}, "heads='8': expected a list"),
        ({"mix": 5}, "mix=5: expected a table"),
        ({"mix": {"self": "much"}}, r"mix=.*much.*: expected a table such as .*, each a number from 0"),
        ({"mix": {"self": float("inf")}}, "mix="),
        ({"options": [1]}, r"options=\[1\]: expected a table"),
        ({"env": 7}, "env=7: expected a word"),
        ({"reward": 1}, "reward=1: expected a word"),
        ({"device": 0}, "device=0: expected a word"),
        ({"minutes": float("nan")}, "minutes=nan: expected a number"),
        ({"yardsticks": "greedy"}, r"yardsticks='greedy': expected a list such as \[\"greedy\"\], each a word"),
        ({"yardsticks": ("greedy", "greedy")}, "yardsticks=.*: expected each once"),
        ({"activation": "gelu"}, "activation='gelu': expected 'relu' or 'tanh'"),
        ({"mix": {"gredy": 1.0}}, r"mix: 'gredy' \(did you mean greedy\?\)"),
        ({"mix": {"human": 1.0}}, "mix: 'human'"),
        ({"mix": {"self": 0.0}}, "not all 0"),
        ({"mix": {"self": -1.0, "pool": 2.0}}, "mix=.*each a number from 0"),
        ({"yardsticks": ("nobody",)}, "yardsticks: 'nobody'"),
        ({"seed": -1}, "seed=-1: expected an integer from 0"),
        ({"seed": 2**64}, "seed=18446744073709551616"),
    ],
)
def test_an_impossible_setting_is_named(settings, message):
    with pytest.raises(OptionError, match=message):
        TrainConfig(**{"env": "igel_aergern-2p-v0", **settings})


def test_every_setting_is_checked():
    for field in dataclasses.fields(TrainConfig):
        settings: dict[str, Any] = {"env": "igel_aergern-2p-v0", field.name: object()}
        with pytest.raises(OptionError, match=f"{field.name}="):
            TrainConfig(**settings)


def test_an_unknown_setting_suggests_the_nearest():
    with pytest.raises(OptionError, match=r"unknown setting 'learning_rat' \(did you mean .*learning_rate"):
        TrainConfig.from_dict({"env": "igel_aergern-2p-v0", "learning_rat": 1})
