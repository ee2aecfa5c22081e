import subprocess
import sys

import pytest

from hopenvs.agents import Uniform
from hopenvs.core.errors import OptionError, UnknownIdError
from hopenvs.train.evaluate import evaluate


def test_agents_are_named_as_given():
    match = evaluate("igel_aergern-2p-v0", ["uniform", Uniform()], 4, 1)
    assert [standing.name for standing in match.standings] == ["uniform", "uniform"]
    assert match.games == 4


def test_options_and_payoff_are_heeded():
    match = evaluate("igel_aergern-3p-v0", ["uniform"], 6, 1, options={"max_turns": 3})
    assert match.truncated == 6
    one, other = evaluate("igel_aergern-2p-v0", ["uniform", "uniform"], 4, 1, reward="score").standings
    assert one.reward == pytest.approx(-other.reward)
    assert one.reward_error > 0.3


def test_what_makes_no_sense_is_refused():
    with pytest.raises(UnknownIdError):
        evaluate("igel-v9", ["uniform"])
    with pytest.raises(OptionError, match="3 agents"):
        evaluate("igel_aergern-2p-v0", ["uniform"] * 3)
    with pytest.raises(OptionError, match="'human': people play with `hopenvs play`"):
        evaluate("igel_aergern-2p-v0", ["human", "uniform"])
    with pytest.raises(OptionError, match="did you mean uniform"):
        evaluate("igel_aergern-2p-v0", ["unform"])
    with pytest.raises(OptionError, match="games=0"):
        evaluate("igel_aergern-2p-v0", ["uniform"], 0)


def test_simple_players_need_no_learning_library():
    code = (
        "import sys\n"
        "from hopenvs.train import evaluate\n"
        "evaluate('igel_aergern-2p-v0', ['uniform'], 2)\n"
        "print(sorted({'torch', 'stable_baselines3', 'matplotlib'} & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=200, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "[]"), done.stderr
