"""`hopenvs baselines`."""

import pytest

pytest.importorskip("sb3_contrib")
pytest.importorskip("matplotlib")

from hopenvs import registry
from hopenvs.agents.trained import read_compact
from hopenvs.train import baselines
from hopenvs.train import run as training
from hopenvs.train.arena import Arena
from tests.cli.program import error_line, run
from tests.games_for_tests import card_game
from tests.train.conftest import TINY


@pytest.fixture
def small(monkeypatch, tmp_path):
    """A plan of one short run in place of the real one; `small(*arguments)` runs the command in a folder of its own."""
    settings = {name: value for name, value in TINY.items() if name != "seed"}
    settings |= {"steps": 64, "evaluations": 0, "snapshots": 0}
    env_id = registry.register(card_game)
    plan = baselines.Plan(ids=(env_id,), settings=settings, seeds=(0,), agents=("uniform",), games=2)
    monkeypatch.setattr(baselines, "Plan", lambda: plan)
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: run("baselines", *arguments)


def forbidden(*_, **__):
    raise AssertionError("this has been done already")


def test_it_trains_rates_and_reports_and_does_nothing_twice(small, tmp_path, monkeypatch):
    result = small()
    assert result.exit_code == 0, result.stderr
    assert result.stdout == "card_game-v0\n"
    assert "run 1 of 1: card_game-v0, seed 0\n" in result.stderr
    assert "ladder 1 of 1: card_game-v0\n" in result.stderr
    assert result.stderr.endswith("results: benchmarks/results\n")
    assert (tmp_path / "baselines" / "card_game-v0" / "seed-0" / "model.zip").exists()
    assert (tmp_path / "benchmarks" / "results" / "card_game-v0" / "ladder.png").exists()
    monkeypatch.setattr(training, "Run", forbidden)
    monkeypatch.setattr(Arena, "play", forbidden)
    again = small("--policies", "policies")
    assert (again.exit_code, again.stdout) == (0, "card_game-v0\n"), again.exception
    assert again.stderr == "results: benchmarks/results\n"
    description, layers = read_compact(tmp_path / "policies" / "card_game-v0.npz")
    assert (description["env"], len(layers)) == ("card_game-v0", 3)


def test_an_interrupted_stage_goes_on(small, monkeypatch):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    for name in ("hopenvs.train.run.Run.save_model", "hopenvs.train.arena_folder.GamesFile.add"):
        with monkeypatch.context() as patch:
            patch.setattr(name, interrupt)
            result = small()
        assert result.exit_code == 130
        assert result.stderr.endswith("Interrupted: the same command goes on from here\n")
    assert small().stdout == "card_game-v0\n"


def test_stages_can_be_run_alone(small, tmp_path):
    waiting = small("--only", "ladders")
    assert waiting.stderr == "ladder 1 of 1: card_game-v0: waits for the run of seed 0\n"
    report = small("--only", "report", "--results", "here")
    assert report.stdout == ""
    assert report.stderr == "not finished: card_game-v0\nresults: here\n"
    assert small("--only", "train", "--work", "there").exit_code == 0
    assert [path.name for path in (tmp_path / "there" / "card_game-v0").iterdir()] == ["seed-0"]


def test_what_makes_no_sense_is_refused_before_anything_is_trained(small, tmp_path):
    (tmp_path / "page.md").write_text("# Title\n", encoding="utf-8")
    assert "--only all: expected train, ladders or report" in error_line(small("--only", "all"))
    assert "unknown id 'card_game-v9'" in error_line(small("--ids", "card_game-v9"))
    assert "expected the lines" in error_line(small("--readme", "page.md"))
    assert "no-such-page: No such file" in error_line(small("--readme", "no-such-page"))
    assert "minutes=0.0: expected a number" in error_line(small("--minutes", 0))
    assert not (tmp_path / "baselines").exists()


def test_a_run_of_another_plan_is_refused_by_name(small):
    assert small("--only", "train").exit_code == 0
    line = error_line(small("--minutes", 1))
    assert line.startswith("Error: baselines/card_game-v0/seed-0: holds a run with minutes=None: the plan says 1")


def test_the_help_says_what_is_planned():
    words = " ".join(run("baselines", "--help").stdout.split())
    plan = baselines.Plan()
    assert f"{plan.settings['minutes']:g} minutes a run" in words
    assert f"{', '.join(plan.agents)} and the trained models, {plan.games} games of every pair" in words
