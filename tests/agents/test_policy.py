import io
import json
import os
import pickle
import zipfile
from typing import Any

import numpy as np
import pytest

from hopenvs.agents import make_agent
from hopenvs.agents.match import play_match
from hopenvs.core.errors import OptionError
from hopenvs.core.options import parse_options
from tests.agents.conftest import CARDS, IGEL, decide, streams_of, under_way

torch = pytest.importorskip("torch")

from hopenvs.agents.policy import (  # noqa: E402
    DESCRIPTION,
    SCALE,
    WEIGHTS,
    ModelError,
    OptionsWarning,
    Policy,
    describe_model,
    load_policy,
    read_description,
    weight_shapes,
)

GAME, OPTIONS = CARDS, parse_options(CARDS, {})
ABOUT = describe_model("card_game-v0", GAME, OPTIONS, trunk=[16], heads=[8], activation="relu")


def random_weights(about=ABOUT, seed=0):
    generator = torch.Generator().manual_seed(seed)
    weights = {name: 0.3 * torch.randn(shape, generator=generator) for name, shape in weight_shapes(about).items()}
    return weights | {SCALE: torch.ones_like(weights[SCALE])}


def saved(weights):
    content = io.BytesIO()
    torch.save(weights, content)
    return content.getvalue()


def write_model(path, about=ABOUT, weights=None, **entries):
    """A model file; entries given as None are left out, others replace or add."""
    weights = random_weights() if weights is None else weights
    content = {DESCRIPTION: json.dumps(about).encode(), WEIGHTS: saved(weights)}
    content |= {{"description": DESCRIPTION, "weights": WEIGHTS}.get(name, name): entries[name] for name in entries}
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in content.items():
            if data is not None:
                archive.writestr(name, data)
    return path


class Malicious:
    """Whoever unpickles this makes a file."""

    def __init__(self, path):
        self.path = str(path)

    def __reduce__(self):
        return os.mkdir, (self.path,)


@pytest.fixture
def model(tmp_path):
    return write_model(tmp_path / "model.zip")


# ---- playing --------------------------------------------------------------------------------------------------------
def test_a_saved_model_plays_whole_games_legally(model):
    agents = [make_agent(str(model), GAME, OPTIONS), make_agent("uniform")]
    match = play_match(GAME, OPTIONS, agents, 20, 0)
    assert match.standings[0].name == str(model)
    assert match.games == 20


def test_its_choice_is_the_likeliest_legal_action(model):
    batch = under_way(GAME, OPTIONS, 40, most=4)
    policy: Any = load_policy(model, GAME, OPTIONS)
    logits = policy.logits(batch.observation[:, 0]).numpy()
    expected = np.where(batch.mask[:, 0] != 0, logits, -np.inf).argmax(axis=1)
    np.testing.assert_array_equal(decide(policy, batch, streams_of(40)), expected)


def test_drawn_choices_follow_the_networks_probabilities(model):
    n = 4000
    start = under_way(GAME, OPTIONS, 1, most=1)
    batch = under_way(GAME, OPTIONS, n, most=1)
    batch.load(np.repeat(start.states, n))
    policy: Any = load_policy(model, GAME, OPTIONS, deterministic=False)
    streams = streams_of(n)
    chosen = decide(policy, batch, streams)
    logits = torch.where(torch.from_numpy(start.mask[0, 0]) != 0, policy.logits(start.observation[:, 0])[0], -np.inf)
    expected = torch.softmax(logits, 0).numpy()
    np.testing.assert_allclose(np.bincount(chosen, minlength=len(expected)) / n, expected, atol=0.03)
    again = decide(policy, batch, streams_of(n))
    np.testing.assert_array_equal(chosen, again)
    assert (decide(policy, batch, streams) != chosen).any(), "the streams have moved on"


def test_observations_are_scaled_as_the_weights_say():
    weights = random_weights()
    doubled = weights | {SCALE: 2 * weights[SCALE]}
    observations = under_way(GAME, OPTIONS, 5, most=4).observation[:, 0]
    one, other = Policy(ABOUT, doubled), Policy(ABOUT, weights)
    torch.testing.assert_close(one.logits(observations), other.logits(2 * observations))


def test_the_activation_is_that_of_the_description():
    weights = random_weights()
    observations = under_way(GAME, OPTIONS, 5, most=4).observation[:, 0]
    network = ABOUT["network"] | {"activation": "tanh"}
    bent = Policy(ABOUT | {"network": network}, weights).logits(observations)
    x = torch.from_numpy(observations).float()
    for layer in ("features_extractor.layers.0", "mlp_extractor.policy_net.0"):
        x = torch.tanh(x @ weights[f"{layer}.weight"].T + weights[f"{layer}.bias"])
    torch.testing.assert_close(bent, x @ weights["action_net.weight"].T + weights["action_net.bias"])


def test_a_model_says_what_it_is(model):
    assert read_description(model)["env"] == "card_game-v0"


# ---- files that can't be played -------------------------------------------------------------------------------------
def test_a_file_that_is_no_archive_or_a_part_of_one_is_refused(tmp_path, model):
    part = tmp_path / "part.zip"
    part.write_bytes(model.read_bytes()[:-200])
    text = tmp_path / "text.zip"
    text.write_text("no archive", encoding="utf-8")
    for path in (part, text):
        with pytest.raises(ModelError, match=f"{path.name}: damaged, or no model"):
            load_policy(path, GAME, OPTIONS)


@pytest.mark.parametrize("name", [DESCRIPTION, WEIGHTS])
def test_a_flipped_bit_is_found(tmp_path, model, name):
    content = bytearray(model.read_bytes())
    with zipfile.ZipFile(model) as archive:
        entry = archive.getinfo(name)
        content[entry.header_offset + 30 + len(name) + entry.file_size // 2] ^= 1
    model.write_bytes(content)
    with pytest.raises(ModelError, match=r"model\.zip: damaged"):
        load_policy(model, GAME, OPTIONS)


def test_an_archive_of_something_else_is_refused(tmp_path):
    path = write_model(tmp_path / "other.zip", description=None, weights=None, holiday=b"jpg")
    with pytest.raises(ModelError, match="no model"):
        load_policy(write_model(path, description=None), GAME, OPTIONS)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"game": "hop"}, "game='hop'; here it is 'card_game'"),
        ({"version": 7}, "version=7; here it is 0"),
        ({"players": 3}, "players=3; here it is 2"),
        ({"observation_size": 5}, "observation_size=5"),
        ({"num_actions": 5}, "num_actions=5"),
        ({"format": 2}, "has format 2: this version reads 1"),
        ({"network": {"trunk": [16], "heads": [8], "activation": "eval"}}, "network"),
        ({"network": {"trunk": [0.5], "heads": [8], "activation": "relu"}}, "network"),
        ({"network": [1]}, "network"),
        (
            {"network": {"trunk": [17], "heads": [8], "activation": "relu"}},
            r"expected the shape \(17, 21\), not \(16, 21\)",
        ),
        ({"network": {"trunk": [16, 4], "heads": [8], "activation": "relu"}}, r"layers\.2\.weight: .*not None"),
    ],
)
def test_a_model_for_something_else_is_refused(tmp_path, change, message):
    path = write_model(tmp_path / "model.zip", ABOUT | change)
    with pytest.raises(ModelError, match=rf"model\.zip: .*{message}"):
        load_policy(path, GAME, OPTIONS)


def test_a_description_that_is_no_json_is_refused(tmp_path):
    for content in (b"{", b"[1]", b"\xff"):
        with pytest.raises(ModelError, match=r"hopenvs\.json"):
            load_policy(write_model(tmp_path / "model.zip", description=content), GAME, OPTIONS)


def test_a_model_of_another_game_is_refused(model):
    with pytest.raises(OptionError, match="made for 'card_game-v0', with game='card_game'; here it is 'igel_aergern'"):
        load_policy(model, IGEL, parse_options(IGEL, {}))


def test_other_options_than_those_of_the_training_are_told(tmp_path):
    name, trained, here = "goal", 9, 6
    about = ABOUT | {"options": {name: trained}}
    path = write_model(tmp_path / "model.zip", about)
    with pytest.warns(OptionsWarning, match=rf"model\.zip: was trained with {name}={trained}, here {here}"):
        load_policy(path, GAME, OPTIONS)
    load_policy(path, GAME, parse_options(GAME, {name: trained}))
    with pytest.raises(ModelError, match=r"damaged: hopenvs\.json: options: unknown option 'nonsense'"):
        load_policy(write_model(path, ABOUT | {"options": {"nonsense": 1}}), GAME, OPTIONS)


# ---- code in files --------------------------------------------------------------------------------------------------
def test_objects_pickled_in_a_model_are_never_loaded(tmp_path):
    trap = tmp_path / "trap"
    path = write_model(tmp_path / "model.zip", data=pickle.dumps(Malicious(trap)))
    load_policy(path, GAME, OPTIONS)
    assert not trap.exists()


def test_weights_that_are_more_than_weights_are_refused(tmp_path):
    trap = tmp_path / "trap"
    for content in (pickle.dumps(Malicious(trap)), saved({"policy": Malicious(trap)}), saved([1, 2]), b""):
        path = write_model(tmp_path / "model.zip", weights=content)
        with pytest.raises(ModelError, match=r"model\.zip: policy\.pth") as refused:
            load_policy(path, GAME, OPTIONS)
        assert "weights_only" not in str(refused.value), "PyTorch's advice: to run the code"
        assert not trap.exists()


@pytest.fixture
def foreign(tmp_path):
    """A model as Stable-Baselines3 saves it, with a trap among its pickled objects; and what the trap makes."""
    sb3_contrib = pytest.importorskip("sb3_contrib")
    from hopenvs import registry

    name = registry.register(CARDS)
    env = registry.make_gym(name)
    env.reset(seed=0)
    made = sb3_contrib.MaskablePPO("MlpPolicy", env, n_steps=8, batch_size=8, device="cpu")
    trap = tmp_path / "trap"
    made.note = Malicious(trap)
    made.save(tmp_path / "foreign.zip")
    return tmp_path / "foreign.zip", trap


def test_a_foreign_model_is_refused_and_says_how_to_insist(foreign):
    path, trap = foreign
    with pytest.raises(ModelError, match=r"foreign\.zip: was not saved by `hopenvs train`.*--trust"):
        make_agent(str(path), GAME, OPTIONS)
    assert not trap.exists()


def test_a_foreign_model_plays_when_its_author_is_trusted(foreign):
    path, trap = foreign
    agent = make_agent(str(path), GAME, OPTIONS, trust=True)
    assert trap.exists(), "that is what trust means"
    trap.rmdir()
    play_match(GAME, OPTIONS, [agent, make_agent("uniform")], 4, 0)
    with pytest.raises(ModelError, match="takes observations of shape"):
        load_policy(path, GAME, parse_options(GAME, {"players": 3}), trust=True)
