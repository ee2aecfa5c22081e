import pytest

from tests.integrations.examples import run

BASICS = {"01_random_play.py": "pettingzoo", "02_gymnasium.py": "gymnasium", "03_pettingzoo.py": "pettingzoo"}


@pytest.mark.parametrize("env_id", ["igel_aergern-2p-v0", "hexx_hopp-2p-1r-v0"])
@pytest.mark.parametrize("name", BASICS)
def test_a_basic_example_plays_without_an_illegal_move_and_would_see_one(name, env_id):
    common = [name, env_id, "--steps", 100, *(["--opponents", "uniform"] if name.startswith("02") else [])]
    line = run(*common)
    assert (line["library"], line["env"], line["illegal"]) == (BASICS[name], env_id, 0)
    assert line["steps"] >= 100
    assert run(*common, "--ignore-masks")["illegal"] > 20
