import numpy as np
import pytest

import hopenvs
from hopenvs.agents import FunctionAgent, Uniform, as_agent, make_agent
from hopenvs.agents.expectimax import Expectimax
from hopenvs.agents.greedy import Greedy
from hopenvs.agents.human import Human
from hopenvs.agents.mcts import MCTS
from hopenvs.agents.specs import KINDS
from hopenvs.agents.trained import Trained
from hopenvs.core.options import parse_options
from tests.agents.conftest import IGEL, streams_of

OPTIONS = parse_options(IGEL, {})


def test_every_word_makes_a_player():
    made = {word: make_agent(word, IGEL, OPTIONS) for word in KINDS}
    players = {
        "uniform": Uniform,
        "greedy": Greedy,
        "expectimax": Expectimax,
        "mcts": MCTS,
        "trained": Trained,
        "human": Human,
    }
    assert {word: type(agent) for word, agent in made.items()} == players


@pytest.mark.parametrize(("wrong", "suggested"), [("gredy", "greedy"), ("unifrom", "uniform"), ("Human", "human")])
def test_an_unknown_word_suggests_the_nearest(wrong, suggested):
    with pytest.raises(hopenvs.OptionError, match=rf"unknown agent '{wrong}' \(did you mean {suggested}\?\)"):
        make_agent(wrong, IGEL, OPTIONS)


def test_a_word_that_needs_the_game_says_so():
    assert isinstance(as_agent("uniform"), Uniform)
    with pytest.raises(hopenvs.OptionError, match="'greedy': needs to know the game"):
        as_agent("greedy")


def test_agents_and_functions_stay_what_they_are():
    agent = Uniform()
    assert as_agent(agent) is agent
    assert isinstance(as_agent(lambda observations, masks: masks.argmax(axis=1)), FunctionAgent)
    with pytest.raises(hopenvs.OptionError, match="agent 7"):
        as_agent(7)


def test_a_model_that_isnt_there_is_named():
    with pytest.raises(FileNotFoundError, match=r"nowhere\.zip"):
        make_agent("nowhere.zip", IGEL, OPTIONS)


def test_a_folder_of_a_run_stands_for_its_model(tmp_path, monkeypatch):
    loaded: list[str] = []
    monkeypatch.setattr("hopenvs.agents.policy.load_policy", lambda path, *_, **__: loaded.append(str(path)))
    with pytest.raises(hopenvs.OptionError, match=r"a folder without model\.zip"):
        make_agent(str(tmp_path), IGEL, OPTIONS)
    (tmp_path / "model.zip").write_bytes(b"")
    make_agent(str(tmp_path), IGEL, OPTIONS)
    make_agent("OTHER.ZIP", IGEL, OPTIONS)
    assert loaded == [str(tmp_path / "model.zip"), "OTHER.ZIP"]


def test_where_nobody_can_be_asked_people_are_sent_to_play():
    with pytest.raises(hopenvs.OptionError, match="'human': people play with `hopenvs play`"):
        make_agent("human", IGEL, OPTIONS, people=False)
    with pytest.raises(hopenvs.OptionError) as refused:
        make_agent("humam", IGEL, OPTIONS, people=False)
    assert "human" not in str(refused.value)


def test_uniform_actions_are_legal_and_all_occur():
    masks = np.tile(np.array([[0, 1, 0, 1, 1]], np.int8), (300, 1))
    unseen = {"states": masks, "seats": np.zeros(300, np.int32), "streams": streams_of(300)}
    assert set(Uniform().act(masks, masks, **unseen).tolist()) == {1, 3, 4}
