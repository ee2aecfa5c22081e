"""Policies that come with hopenvs, played by NumPy alone."""

import json

import numpy as np
import pytest

from hopenvs import registry
from hopenvs.agents import make_agent, trained
from hopenvs.agents.match import play_match
from hopenvs.core.errors import OptionError
from hopenvs.core.options import parse_options
from tests.agents.conftest import CARDS, IGEL, decide, streams_of, under_way

torch = pytest.importorskip("torch")

from hopenvs.agents.policy import ModelError, OptionsWarning, Policy, describe_model  # noqa: E402
from tests.agents.test_policy import ABOUT, OPTIONS, random_weights, write_model  # noqa: E402

SHIPPED = sorted(path.stem for path in trained.FOLDER.glob("*.npz"))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with one policy, for the card game."""
    monkeypatch.setattr(trained, "FOLDER", tmp_path)
    trained.write_compact(write_model(tmp_path / "model.zip"), tmp_path / "card_game-v0.npz")
    return tmp_path


def test_a_compact_policy_is_the_models_in_half_the_precision(folder):
    batch = under_way(CARDS, OPTIONS, 30, seed=3, most=5)
    seen = np.ascontiguousarray(batch.observation[:, 0])
    full = Policy(ABOUT, random_weights()).logits(seen).numpy()
    compact = trained.load_trained(CARDS, OPTIONS).logits(seen)
    np.testing.assert_allclose(compact, full, rtol=0.01, atol=0.05)
    assert (compact != full).any()
    gap = np.sort(np.where(batch.mask[:, 0] != 0, full, -np.inf))
    clear = gap[:, -1] - gap[:, -2] > 0.1
    mine = decide(trained.load_trained(CARDS, OPTIONS), batch, streams_of(30))
    yours = decide(Policy(ABOUT, random_weights()), batch, streams_of(30))
    assert clear.sum() > 10
    np.testing.assert_array_equal(mine[clear], yours[clear])
    assert batch.mask[np.arange(30), 0, mine].all()


@pytest.mark.parametrize("activation", ["relu", "tanh"])
def test_layers_of_all_kinds_are_played(tmp_path, activation):
    about = describe_model("card_game-v0", CARDS, OPTIONS, trunk=[6, 5], heads=[], activation=activation)
    weights = random_weights(about)
    trained.write_compact(write_model(tmp_path / "m.zip", about, weights), tmp_path / "p.npz")
    player = trained.Trained(*trained.read_compact(tmp_path / "p.npz"))
    seen = np.ascontiguousarray(under_way(CARDS, OPTIONS, 9, most=5).observation[:, 0])
    np.testing.assert_allclose(player.logits(seen), Policy(about, weights).logits(seen).numpy(), rtol=0.01, atol=0.05)


def test_under_other_options_it_plays_with_a_warning(folder):
    with pytest.warns(OptionsWarning, match="goal=6, here 7"):
        trained.load_trained(CARDS, parse_options(CARDS, {"goal": 7}))


def test_of_several_that_of_the_same_options_plays(folder):
    options = parse_options(CARDS, {"goal": 7})
    about = describe_model("card_game-v0", CARDS, options, trunk=[16], heads=[8], activation="relu")
    model = write_model(folder / "other.zip", about, random_weights(about, seed=1))
    trained.write_compact(model, folder / "card_game-seven-v0.npz")
    assert trained.load_trained(CARDS, options).description["options"] == {"goal": 7}
    assert trained.load_trained(CARDS, OPTIONS).description["options"] == {}


def test_where_there_is_none_those_that_there_are_are_named(folder):
    with pytest.raises(
        OptionError, match=r"none comes with hopenvs for card_game of 3 .* there are some for card_game-v0"
    ):
        trained.load_trained(CARDS, parse_options(CARDS, {"players": 3}))
    with pytest.raises(OptionError, match="none comes with hopenvs for igel_aergern of 2"):
        make_agent("trained", IGEL, parse_options(IGEL, {}))


@pytest.mark.parametrize("content", [b"", b"no archive", b"PK\x05\x06" + 18 * b"\x00"])
def test_a_damaged_file_is_named(folder, content):
    (folder / "card_game-v0.npz").write_bytes(content)
    with pytest.raises(ModelError, match=r"card_game-v0\.npz: damaged"):
        trained.load_trained(CARDS, OPTIONS)


def test_all_that_come_with_hopenvs_are_small_and_fit_their_ids():
    assert SHIPPED
    assert sum(path.stat().st_size for path in trained.FOLDER.iterdir()) < 20_000_000
    for env in SHIPPED:
        game, options = registry.resolve(env, {})
        player = trained.load_trained(game, options)
        assert player.description["env"] == env
        assert json.dumps(player.description["options"]) == "{}" or player.description["options"]


def test_one_that_comes_with_hopenvs_beats_uniform_play():
    options = parse_options(IGEL, {})
    agents = [make_agent(word, IGEL, options) for word in ("trained", "uniform")]
    assert play_match(IGEL, options, agents, 20, 3).standings[0].win_rate.share > 0.7
