"""`hopenvs train` and `hopenvs eval`."""

import json
import sys

import pytest

from hopenvs.cli.app import VERBS
from tests.cli.program import GAMES, error_line, run

pytestmark = pytest.mark.skipif(not {"train", "eval"} <= set(VERBS), reason="the program has no such verbs yet")

CARDS = ("card_game-v0", "--module", f"{GAMES}.card_game")
SHORT = {
    "num_envs": 8,
    "rollout": 8,
    "batch_size": 32,
    "trunk": [16],
    "heads": [8],
    "mix": {"self": 1},
    "threads": 1,
    "yardsticks": ["uniform"],
    "shaping": 0,
    "evaluations": 1,
    "evaluation_games": 4,
    "final_games": 8,
    "checkpoint_seconds": 0,
}
SETTINGS = [word for name, value in SHORT.items() for word in ("--set", f"{name}={json.dumps(value)}")]


@pytest.fixture
def learning():
    pytest.importorskip("torch")
    pytest.importorskip("sb3_contrib")


# ---- eval -----------------------------------------------------------------------------------------------------------
def test_each_agent_is_a_line_of_figures():
    result = run("eval", *CARDS, "--agents", "greedy,uniform", "--games", "20", "--seed", "3")
    assert result.exit_code == 0, result.stderr
    rows = [line.split("\t") for line in result.stdout.splitlines()]
    assert [row[0] for row in rows] == ["greedy", "uniform"]
    assert [row[1] for row in rows] == ["20", "20"]
    for row in rows:
        share, low, high = map(float, row[2:5])
        assert low <= share <= high
        assert len(row) == 9, "a column for each seat"
    assert float(rows[0][2]) > float(rows[1][2])


def test_json_says_it_all():
    result = run("eval", *CARDS, "--agents", "uniform", "--games", "7", "--option", "players=3", "--json")
    found = json.loads(result.stdout)
    assert found["games"] == 9
    assert found["options"] == {"players": 3}
    assert [seat["games"] for seat in found["agents"][0]["by_seat"]] == [9, 9, 9]
    assert run("eval", *CARDS, "--agents", "uniform", "--games", "9", "--option", "players=3", "--json").stdout == (
        result.stdout
    )


def test_what_makes_no_sense_is_refused_in_one_line():
    assert "did you mean greedy" in error_line(run("eval", *CARDS, "--agents", "gredy"))
    assert "3 agents: expected 1 to 2" in error_line(run("eval", *CARDS, "--agents", "uniform,uniform,uniform"))
    assert "nowhere.zip: No such file" in error_line(run("eval", *CARDS, "--agents", "nowhere.zip"))
    assert "reward='rnk'" in error_line(run("eval", *CARDS, "--reward", "rnk"))


# ---- train ----------------------------------------------------------------------------------------------------------
@pytest.mark.usefixtures("learning")
def test_a_run_tells_how_it_went_and_its_model_plays(tmp_path):
    folder = tmp_path / "run"
    result = run("train", *CARDS, "--steps", 128, "--out", folder, "--seed", 5, *SETTINGS)
    assert result.exit_code == 0, result.stderr
    assert result.stdout.startswith("wins against uniform: ")
    assert "trained for 128 decisions" in result.stdout
    assert "learning" in result.stdout
    evaluations = [line for line in result.stderr.splitlines() if "against uniform" in line]
    assert evaluations[0].strip().startswith("0 decisions: wins ")
    assert evaluations[-1].startswith("last evaluation: wins ")
    assert json.loads((folder / "config.json").read_text(encoding="utf-8"))["config"]["seed"] == 5
    played = run("eval", *CARDS, "--agents", f"{folder / 'model.zip'},uniform", "--games", "4")
    assert played.exit_code == 0, played.stderr
    again = run("train", *CARDS, "--steps", 128, "--out", folder, *SETTINGS)
    assert "holds a run already" in error_line(again)
    longer = run("train", *CARDS, "--steps", 192, "--out", folder, "--resume")
    assert longer.exit_code == 0, longer.stderr
    assert "trained for 192 decisions" in longer.stdout


@pytest.mark.usefixtures("learning")
def test_settings_that_make_no_sense_are_refused_in_one_line(tmp_path):
    out = ("--out", tmp_path / "run")
    assert "did you mean igel_aergern-2p" in error_line(run("train", "igel_aergern-2-v0", *out))
    assert "did you mean" in error_line(run("train", *CARDS, *out, "--set", "learning_rat=1"))
    assert "expected one of them" in error_line(run("train", *CARDS, *out, "--steps", "1", "--minutes", "1"))
    assert "there is no run to resume" in error_line(run("train", *CARDS, *out, "--resume"))
    assert not (tmp_path / "run").exists()


def test_without_the_extra_the_command_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "hopenvs.train.run", raising=False)
    result = run("train", "igel_aergern-2p-v0", "--steps", "1")
    assert error_line(result) == "Error: training needs torch: pip install 'hopenvs[train]'"
