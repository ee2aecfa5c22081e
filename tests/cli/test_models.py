"""Saved models in the commands that load agents (`watch`, `record`, `play`, `eval`), and tables of how they did."""

import hashlib
import json
import zipfile
from typing import Any

import numpy as np
import pytest

from hopenvs import registry
from hopenvs.agents.match import Match, Standing
from hopenvs.cli import eval as eval_
from hopenvs.cli import terminal
from hopenvs.cli.eval import shortened
from hopenvs.core.options import parse_options
from tests.cli.program import GAMES, error_line, run
from tests.games_for_tests import card_game

CARD_GAME: Any = card_game  # a module, as far as mypy can tell no game
CARDS = ("card_game-v0", "--module", f"{GAMES}.card_game")


@pytest.fixture
def model(tmp_path):
    """A model of the card game, trained with goal=9, that knows nothing yet."""
    torch = pytest.importorskip("torch")
    from hopenvs.agents.policy import DESCRIPTION, WEIGHTS, describe_model, weight_shapes

    about = describe_model(
        CARDS[0], CARD_GAME, parse_options(CARD_GAME, {"goal": 9}), trunk=[4], heads=[4], activation="relu"
    )
    path = tmp_path / "model.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(DESCRIPTION, json.dumps(about))
        with archive.open(WEIGHTS, "w") as file:
            torch.save({name: torch.ones(shape) for name, shape in weight_shapes(about).items()}, file)
    return path


WITH_AGENTS = [  # every command that loads agents, and how it is told of one
    ("watch", ("--last", 1, "--agent")),
    ("record", ("--agent",)),
    ("play", ("--against",)),
    ("eval", ("--games", 2, "--agents")),
]


@pytest.mark.parametrize(("verb", "arguments"), WITH_AGENTS)
def test_a_model_under_other_options_than_its_own_says_so(model, verb, arguments):
    result = run(verb, *CARDS, *arguments, model)
    assert f"Warning: {model}: was trained with goal=9, here 6\n" in result.stderr
    assert "Traceback" not in result.stderr
    assert "Warning" not in run(verb, *CARDS, "--option", "goal=9", *arguments, model).stderr


@pytest.mark.parametrize(("verb", "arguments"), WITH_AGENTS)
def test_a_foreign_model_plays_where_its_author_is_trusted(tmp_path, verb, arguments):
    sb3_contrib = pytest.importorskip("sb3_contrib")
    registry.register(CARD_GAME)
    env = registry.make_gym(CARDS[0])
    env.reset(seed=0)
    path = tmp_path / "foreign.zip"
    sb3_contrib.MaskablePPO("MlpPolicy", env, n_steps=8, batch_size=8, device="cpu").save(path)
    assert "--trust" in error_line(run(verb, *CARDS, *arguments, path))
    result = run(verb, *CARDS, "--trust", *arguments, path)
    assert result.exit_code == 0, result.stderr
    assert "Error" not in result.stderr


def test_an_arena_knows_a_model_by_its_file(model, tmp_path):
    pytest.importorskip("matplotlib")
    arguments = ("arena", *CARDS, "--games", 4, "--out", tmp_path / "arena", "--agents", f"uniform,{model}")
    result = run(*arguments)
    assert result.exit_code == 0, result.stderr
    assert f"Warning: {model}: was trained with goal=9, here 6\n" in result.stderr
    config = json.loads((tmp_path / "arena" / "config.json").read_text(encoding="utf-8"))
    digest = hashlib.sha256(model.read_bytes()).hexdigest()
    assert config["agents"] == [{"agent": "uniform", "sha256": None}, {"agent": str(model), "sha256": digest}]
    with zipfile.ZipFile(model, "a") as file:
        file.writestr("remark", "another file")
    refused = run(*arguments, "--resume")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert f"agent {str(model)!r}: is another model than the one that has played here" in refused.stderr


# ---- tables ---------------------------------------------------------------------------------------------------------
def test_long_names_are_cut_in_the_middle_unless_two_become_the_same():
    assert shortened(["greedy", "runs/igel_aergern-2p-v0/model.zip"], 21) == ["greedy", "runs/igel_…/model.zip"]
    alike = ["runs/a-very-long-name-1/model.zip", "runs/a-very-long-name-2/model.zip"]
    assert shortened(alike, 21) == alike
    assert shortened(["uniform", "uniform"], 3) == ["uniform", "uniform"]


def test_figures_of_six_players_fit_a_terminal_of_80_columns(capsys, monkeypatch):
    monkeypatch.setattr(terminal, "is_terminal", lambda stream: True)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    sat, ten = np.full(6, 20_000), np.full(6, 20_000.0)
    names = ["runs/igel_aergern-6p-v0-another-one/model.zip", *"abcde"]
    standings = tuple(Standing(name, 120_000, sat, sat, ten, -ten, ten, 1e5) for name in names)
    eval_._tell(Match(standings, 120_000, 0, 1), 6)
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert max(map(len, lines)) <= 80
    cut = [line.split() for line in lines if "…" in line]
    assert [len(words) for words in cut] == [7, 7], "two tables, no line broken"
    assert cut[0][1:] == ["120,000", "100.0", "100.0", "100.0", "-1.000", "1.00"]
    assert any("16.7 is a fair share" in line for line in lines)
