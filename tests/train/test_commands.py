"""`hopenvs train` and `hopenvs eval`."""

import json
import shlex
import sys

import pytest

from hopenvs.cli.app import VERBS
from hopenvs.cli.train import Shown
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
    assert "a second (" in longer.stdout
    assert "compiling and evaluations not counted" in longer.stdout
    same = run("train", *CARDS, "--out", folder, "--resume")
    assert same.exit_code == 0, same.stderr
    assert same.stderr == f"{folder}: this run has finished: with more --steps or --minutes it would go on\n"
    for told in (same, longer):
        assert told.stdout.startswith("wins against uniform: ")
        assert told.stdout.splitlines()[-1].startswith("next: hopenvs eval card_game-v0 --agents ")
    assert "steps=64: the run has taken 192 already" in error_line(
        run("train", *CARDS, "--out", folder, "--resume", "--steps", 64)
    )


@pytest.mark.usefixtures("learning")
def test_the_next_command_knows_the_options_and_the_fair_share_is_told(tmp_path):
    folder = tmp_path / "a run"
    options = ("--option", "players=3", "--option", "goal=9")
    result = run("train", *CARDS, *options, "--steps", 64, "--out", folder, *SETTINGS)
    assert result.exit_code == 0, result.stderr
    assert "(of 3 players, a fair share is 33.3 %)" in result.stdout
    (line,) = [line for line in result.stdout.splitlines() if line.startswith("next: ")]
    words = shlex.split(line.removeprefix("next: "))
    assert words[:2] == ["hopenvs", "eval"]
    assert words[-6:] == [*options, *CARDS[1:]]
    evaluated = run(*words[1:], "--games", "3")
    assert evaluated.exit_code == 0, evaluated.stderr
    assert "Warning" not in evaluated.stderr


@pytest.mark.usefixtures("learning")
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--set", "device=foo"), "device='foo': Expected one of cpu"),
        (("--set", "mix=5"), "mix=5: expected a table"),
        (("--set", "trunk=5"), "trunk=5: expected a list"),
        (("--set", "seed=-1"), "seed=-1: expected an integer from 0"),
        (("--set", "yardsticks=greedy"), "yardsticks='greedy': expected a list"),
        (("--set", "env=igel_aergern-2p-v0"), "--set env='igel_aergern-2p-v0' contradicts 'card_game-v0'"),
        (("--set", "seed=3", "--seed", 4), "--set seed=3 contradicts 4"),
        (("--set", "steps=3", "--steps", 4), "--set steps=3 contradicts 4"),
        (("--set", "minutes=3", "--minutes", 4), "--set minutes=3 contradicts 4.0"),
        (("--set", "num_envs=3", "--num-envs", 4), "--set num_envs=3 contradicts 4"),
        (("--set", 'options={"goal": 3}', "--option", "goal=4"), "--set options={'goal': 3} contradicts {'goal': 4}"),
        (("--set", "reward=rnk"), "reward='rnk'"),
        (("--resume", "--set", "nonsense=1"), "unknown setting 'nonsense'"),
        (("--resume", "--set", "epochs=2"), "epochs=2: a resumed run goes on with 3"),
        (("--resume", "--minutes", "nan"), "minutes=nan: expected a number"),
    ],
)
def test_what_makes_no_sense_is_one_line_and_leaves_the_folder_as_it_is(tmp_path, arguments, told):
    folder = tmp_path / "run"
    if "--resume" in arguments:
        from hopenvs.train.config import TrainConfig
        from hopenvs.train.folder import write_config

        folder.mkdir()
        write_config(folder, "a", TrainConfig("card_game-v0", steps=64))
    before = [path.read_bytes() for path in folder.rglob("*")]
    assert told in error_line(run("train", *CARDS, "--out", folder, *arguments))
    assert [path.read_bytes() for path in folder.rglob("*")] == before
    assert folder.exists() == bool(before)


@pytest.mark.usefixtures("learning")
def test_a_setting_without_a_value_names_its_flag(tmp_path):
    result = run("train", *CARDS, "--out", tmp_path / "run", "--set", "learning_rate")
    assert result.exit_code == 2
    assert "'--set': 'learning_rate': expected KEY=VALUE, such as learning_rate=0.001" in result.stderr


@pytest.mark.usefixtures("learning")
def test_an_interruption_says_what_resuming_means(tmp_path, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("hopenvs.train.run.train", interrupted)
    folder = tmp_path / "a run"
    result = run("train", *CARDS, "--out", folder)
    assert result.exit_code == 130
    assert "before the first checkpoint: the same command begins afresh, as would --resume" in result.stderr
    (folder / "checkpoints").mkdir(parents=True)
    (folder / "checkpoints" / "checkpoint-000000000064.zip").write_bytes(b"")
    told = run("train", *CARDS, "--out", folder).stderr
    assert told.startswith("Interrupted. To go on from the last checkpoint: hopenvs train card_game-v0 ")
    assert shlex.split(told)[-5:] == ["--out", str(folder), "--resume", *CARDS[1:]]


@pytest.mark.usefixtures("learning")
def test_the_bar_keeps_its_figures_in_80_columns(monkeypatch, capsys):
    from hopenvs.agents.match import Interval
    from hopenvs.train.news import Evaluated, Progress, Told

    for name, value in {"COLUMNS": "80", "TERM": "xterm", "NO_COLOR": "1", "FORCE_COLOR": ""}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("hopenvs.cli.terminal.is_terminal", lambda stream: True)
    rates = {"uniform": Interval(0.995, 0.9, 1.0), "greedy": Interval(0.56, 0.5, 0.6)}
    with Shown("igel_aergern-2p-v0") as shown:
        shown.news(Told("going on", 0.75))
        assert shown._bar.tasks[0].completed == 0.75
        shown.news(Evaluated(1_000, rates, final=False))
        shown.news(Progress(0.8, 123_456_789, 100.0, 5, 12_345.0, {}))
        with shown._bar.console.capture() as seen:
            shown._bar.console.print(shown._bar.get_renderable())
    (line,) = seen.get().splitlines()
    assert len(line) <= 80
    assert "80%" in line
    assert line.rstrip().endswith("123 M decisions, 12.3 k/s, uniform 100 %, greedy 56 %")


@pytest.mark.usefixtures("learning")
def test_settings_that_make_no_sense_are_refused_in_one_line(tmp_path):
    out = ("--out", tmp_path / "run")
    assert "did you mean igel_aergern-2p" in error_line(run("train", "igel_aergern-2-v0", *out))
    assert "did you mean" in error_line(run("train", *CARDS, *out, "--set", "learning_rat=1"))
    assert "expected one of them" in error_line(run("train", *CARDS, *out, "--steps", "1", "--minutes", "1"))
    assert "there is no run to resume" in error_line(run("train", *CARDS, *out, "--resume"))
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("package", ["torch", "matplotlib"])
def test_without_the_extra_the_command_says_what_to_install(monkeypatch, package):
    monkeypatch.setitem(sys.modules, package, None)
    for module in ("hopenvs.train.run", "hopenvs.train.course"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    result = run("train", "igel_aergern-2p-v0", "--steps", "1")
    assert error_line(result) == f"Error: training needs {package}: pip install 'hopenvs[train]'"
