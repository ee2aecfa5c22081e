"""Baselines: a plan, its work that goes on after an interruption, and the results."""

import csv
import dataclasses
import json
import shutil
from typing import Any

import pytest

pytest.importorskip("sb3_contrib")
pytest.importorskip("matplotlib")

from hopenvs.core.errors import OptionError, UnknownIdError
from hopenvs.train import arena_folder, baselines
from hopenvs.train import run as training
from hopenvs.train.baselines import (
    DEFAULT_SET,
    Plan,
    all_runs,
    finished_ladder,
    ladder_agents,
    prepare_ladder,
    runs_of,
    train_run,
)
from hopenvs.train.baselines_pictures import Rating, draw_ladders
from hopenvs.train.baselines_report import BEGIN, END, check_readme, collect, write_results
from hopenvs.train.baselines_tables import mean_of_seeds
from hopenvs.train.config import TrainConfig

PAGE = f"# Title\n\n{BEGIN}\nwhat was there\n{END}\n\nThe end.\n"


@pytest.fixture(scope="module")
def plan(ids):
    """Two runs of a second each on the card game, and a ladder of few games."""
    from tests.train.conftest import TINY

    settings = {name: value for name, value in TINY.items() if name != "seed"}
    settings |= {"steps": 2 * 64, "evaluations": 1, "snapshots": 1}
    return Plan(ids=(ids["card_game"],), settings=settings, seeds=(0, 1), agents=("uniform", "greedy"), games=6)


@pytest.fixture(scope="module")
def done(plan, tmp_path_factory):
    """The folder of all that this plan asks for."""
    work = tmp_path_factory.mktemp("work")
    for run in all_runs(plan, work):
        train_run(run)
    prepare_ladder(plan, work, plan.ids[0]).play()
    return work


@pytest.fixture
def work(done, tmp_path):
    """A copy of it that may be changed."""
    shutil.copytree(done, tmp_path / "work")
    return tmp_path / "work"


@pytest.fixture
def results(plan, work, tmp_path):
    """The results of it."""
    assert write_results(plan, work, tmp_path / "results") == []
    return tmp_path / "results"


def content_of(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def table_in(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


# ---- the plan -------------------------------------------------------------------------------------------------------
def test_the_plan_is_the_default_set_for_ten_minutes_with_three_seeds_of_two_players():
    plan = Plan()
    igel, hooop, hop, hexx = ("igel_aergern-2p -4p", "hooop-2p -3p -4p", "hop-4p-sampled", "hexx_hopp-2p-1r -4p-1r")
    hedgehog = "hedgehog_hop-2p -puzzler-4p -battle-3p -battle-5p"
    expected = []
    for family in (igel, hooop, hedgehog, hop, hexx):
        first, *others = family.split()
        expected += [first, *(first.split("-")[0] + other for other in others)]
    assert plan.ids == DEFAULT_SET == tuple(f"{name}-v0" for name in expected)
    assert (plan.agents, plan.games) == (("uniform", "greedy", "mcts:100", "mcts:400"), 200)
    assert plan.changes == {}
    runs = all_runs(plan, "work")
    assert len(runs) == 12 + 2 * sum("-2p-" in env_id for env_id in DEFAULT_SET) == 20
    for run in runs:
        seed = run.config.seed
        assert run.config == TrainConfig(run.config.env, minutes=10.0, seed=seed), "all else as by default"
        assert run.folder.as_posix() == f"work/{run.config.env}/seed-{seed}"
        assert run.name == (f"trained:{seed}" if "-2p-" in run.config.env else "trained")


def test_what_was_changed_is_told():
    plan = Plan(ids=("hopenvs/hooop-2p-v0",), settings={"minutes": 1}, seeds=(4,))
    assert plan.ids == ("hooop-2p-v0",)
    assert plan.changes == {"ids": ["hooop-2p-v0"], "settings": {"minutes": 1}, "seeds": [4]}
    assert [run.name for run in all_runs(plan, "work")] == ["trained"]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"ids": ()}, "one or more"),
        ({"ids": ("hooop-2p-v0", "hooop-2p-v0")}, "each once"),
        ({"seeds": ()}, "seeds"),
        ({"games": 0}, "games=0"),
    ],
)
def test_an_impossible_plan_is_refused(changes, words):
    with pytest.raises(OptionError, match=words):
        Plan(**changes)


def test_an_unknown_id_or_setting_is_refused():
    with pytest.raises(UnknownIdError, match="did you mean hooop-2p-v0"):
        Plan(ids=("hoop-2p-v0",))
    with pytest.raises(OptionError, match="unknown setting 'minute'"):
        all_runs(Plan(settings={"minute": 1}), "work")


# ---- the work -------------------------------------------------------------------------------------------------------
def test_what_has_finished_is_left_alone(plan, work, monkeypatch):
    before = content_of(work)
    monkeypatch.setattr(training, "Run", None)
    assert all(run.result is not None for run in all_runs(plan, work))
    ladder = finished_ladder(plan, work, plan.ids[0])
    assert ladder is not None
    assert {agent["agent"] for agent in ladder["agents"]} == {"uniform", "greedy", "trained:0", "trained:1"}
    assert prepare_ladder(plan, work, plan.ids[0]).remaining == 0
    assert content_of(work) == before


def test_a_killed_run_goes_on_from_its_checkpoint(plan, work):
    first, second = runs_of(plan, work, plan.ids[0])
    for name in ("model.zip", "result.json"):
        (second.folder / name).unlink()
    told: list[Any] = []
    assert first.result is not None
    assert second.result is None
    assert train_run(second, told.append).steps == plan.settings["steps"]
    assert any("going on from" in getattr(news, "text", "") for news in told)
    assert second.result is not None


def test_a_run_killed_before_its_first_checkpoint_begins_afresh(plan, work):
    run = runs_of(plan, work, plan.ids[0])[0]
    for path in run.folder.iterdir():
        if path.name != "config.json":
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    assert train_run(run).steps == plan.settings["steps"]


def test_an_interrupted_ladder_goes_on(plan, work):
    folder = baselines.ladder_folder(work, plan.ids[0])
    expected = content_of(folder)
    (folder / "result.json").unlink()
    games = (folder / "games.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    (folder / "games.csv").write_text("".join(games[:9]), encoding="utf-8")
    assert finished_ladder(plan, work, plan.ids[0]) is None
    arena = prepare_ladder(plan, work, plan.ids[0])
    assert 0 < arena.remaining == 6 * 6 - 8
    arena.play()
    assert content_of(folder) == expected


def test_a_ladder_with_games_to_come_has_not_finished(plan, work):
    more = dataclasses.replace(plan, games=8)
    assert finished_ladder(more, work, plan.ids[0]) is None
    assert collect(more, work) == ([], list(plan.ids))
    assert prepare_ladder(more, work, plan.ids[0]).remaining == 6 * 2


@pytest.mark.parametrize(
    ("name", "value"), [("steps", 64), ("learning_rate", 0.5), ("seed", 7), ("env", "tick_game-v0")]
)
def test_a_run_of_other_settings_is_refused_by_name(plan, work, name, value):
    path = runs_of(plan, work, plan.ids[0])[1].folder / "config.json"
    saved = json.loads(path.read_text(encoding="utf-8"))
    saved["config"][name] = value
    path.write_text(json.dumps(saved), encoding="utf-8")
    with pytest.raises(OptionError, match=rf"seed-1: holds a run with {name}={value!r}: the plan says"):
        all_runs(plan, work)


def test_another_model_than_the_one_that_has_played_is_refused(plan, work):
    one, other = (run.folder / "model.zip" for run in runs_of(plan, work, plan.ids[0]))
    one.write_bytes(other.read_bytes() + b"\0")
    for look in (finished_ladder, collect_one):
        with pytest.raises(OptionError, match="agent 'trained:0': is another model"):
            look(plan, work, plan.ids[0])


def collect_one(plan, work, env_id):
    return collect(dataclasses.replace(plan, ids=(env_id,)), work)


def test_the_arena_keeps_the_models_digests_under_their_names(plan, work):
    kept = arena_folder.read_config(baselines.ladder_folder(work, plan.ids[0])).agents
    assert list(kept) == list(ladder_agents(plan, work, plan.ids[0])) == ["uniform", "greedy", "trained:0", "trained:1"]
    for run in runs_of(plan, work, plan.ids[0]):
        assert kept[run.name] == arena_folder.digest_of(str(run.folder / "model.zip")) is not None
    assert kept["greedy"] is None


# ---- the results ----------------------------------------------------------------------------------------------------
def test_results_hold_what_the_arena_and_the_runs_came_to(plan, work, results):
    (env_id,) = plan.ids
    arena = baselines.ladder_folder(work, env_id)
    for name in ("ratings.csv", "head_to_head.csv", "ladder.png"):
        assert (results / env_id / name).read_bytes() == (arena / name).read_bytes()
    assert (results / env_id / "curve.png").read_bytes()[:4] == b"\x89PNG"
    found = json.loads((results / env_id / "result.json").read_text(encoding="utf-8"))
    played = json.loads((arena / "result.json").read_text(encoding="utf-8"))
    assert played.items() <= found.items()
    assert [run["seed"] for run in found["training"]["runs"]] == [0, 1]
    for run, planned in zip(found["training"]["runs"], runs_of(plan, work, env_id), strict=True):
        result = planned.result
        assert result is not None
        assert (run["agent"], run["steps"]) == (planned.name, result.steps)
        assert run["win_rates"]["uniform"]["share"] == result.win_rates["uniform"].share
        assert {"hopenvs", "python", "numpy", "torch", "sb3_contrib"} <= set(run["versions"])
    assert found["training"]["settings_changed"]["num_envs"] == 8
    assert "gamma" not in found["training"]["settings_changed"]
    assert found["results"]["cpus"] >= 1


def test_curves_hold_every_evaluation_of_every_seed(plan, results):
    rows = table_in(results / plan.ids[0] / "curves.csv")
    assert list(rows[0]) == ["seed", "steps", "seconds", "uniform", "uniform_low", "uniform_high"]
    assert {row["seed"] for row in rows} == {"0", "1"}
    own = [row for row in rows if row["seed"] == "1"]
    assert [int(own[0]["steps"]), int(own[-1]["steps"])] == [0, plan.settings["steps"]]
    assert all(
        0 <= float(row["uniform_low"]) <= float(row["uniform"]) <= float(row["uniform_high"]) <= 1 for row in rows
    )


def test_the_page_shows_every_rating_and_what_was_changed(plan, work, results):
    page = (results / "README.md").read_text(encoding="utf-8")
    (baseline,), _ = collect(plan, work)
    own = baseline.ratings("trained")
    assert [r.value for r in own] == [
        rung["rating"] for seed in (0, 1) for rung in baseline.ladder["agents"] if rung["agent"] == f"trained:{seed}"
    ]
    (row,) = [line for line in page.splitlines() if "/ladder.png)" in line]
    assert row.count("|") == 2 + 1 + len(plan.agents)
    assert row.endswith(f"| {baseline.ratings('greedy')[0]} | **{mean_of_seeds(own)}** |")
    runs = [line for line in page.splitlines() if "/curve.png)" in line]
    assert [line.split(" | ")[1:3] for line in runs] == [[str(seed), str(own[seed])] for seed in (0, 1)]
    assert f"- ids: {plan.ids[0]}\n" in page
    assert "- games: 6\n" in page
    assert all(len(line) <= 120 for line in page.splitlines() if not line.startswith(("|", "-")))


def test_several_seeds_are_told_by_their_mean_and_the_ends_of_all_intervals():
    mean = mean_of_seeds([Rating(100, 80, 130), Rating(200, 190, 215)])
    assert str(mean) == "150 [80, 215]"
    assert str(Rating(0, 0, 0)) == "0", "the anchor needs no interval"


def test_all_ladders_are_one_picture_with_the_same_agents_in_the_same_places(monkeypatch):
    from matplotlib.figure import Figure

    drawn: list[Any] = []
    monkeypatch.setattr(Figure, "savefig", lambda self, *_, **__: drawn.append(self))
    one = {"uniform": [Rating(0, 0, 0)], "trained": [Rating(500, 400, 700)]}
    three = {"uniform": [Rating(0, 0, 0)], "trained": [Rating(100 * k, 100 * k - 50, 100 * k + 70) for k in (1, 2, 6)]}
    draw_ladders({"a": one, "b": three, "c": one, "d": three}, "uniform", None)
    shown = [axes for axes in drawn[0].axes if axes.get_visible()]
    assert [axes.get_title(loc="left") for axes in shown] == ["a", "b", "c", "d"]
    assert [[text.get_text() for text in axes.texts] for axes in shown] == [["0", "500"], ["0", "300"]] * 2
    assert [len(axes.containers) for axes in shown] == [2, 4] * 2, "an error bar for each rating"
    assert len({axes.get_xlim() for axes in shown}) == 1
    assert [label.get_text() for label in shown[0].get_yticklabels()] == ["uniform", "trained"]


def test_a_report_is_always_the_same(plan, work, results):
    before = content_of(results)
    write_results(plan, work, results)
    assert content_of(results) == before


def test_what_has_not_finished_is_left_out_and_named(plan, work, tmp_path, ids):
    both = dataclasses.replace(plan, ids=(*plan.ids, ids["tick_game"]))
    assert write_results(both, work, tmp_path / "results") == [ids["tick_game"]]
    page = (tmp_path / "results" / "README.md").read_text(encoding="utf-8")
    assert f"left out: {ids['tick_game']} (1 of 2 ids)" in page
    assert not (tmp_path / "results" / ids["tick_game"]).exists()
    nothing = dataclasses.replace(plan, ids=(ids["tick_game"],))
    assert write_results(nothing, work, tmp_path / "nothing") == [ids["tick_game"]]
    assert [path.name for path in (tmp_path / "nothing").iterdir()] == ["README.md"]


def test_the_part_of_a_readme_between_the_lines_is_replaced(plan, work, tmp_path):
    readme = tmp_path / "README.md"
    readme.write_text(PAGE, encoding="utf-8")
    write_results(plan, work, tmp_path / "deep" / "results", readme)
    text = readme.read_text(encoding="utf-8")
    assert text.startswith(f"# Title\n\n{BEGIN}\n\n| id | uniform | greedy | trained |\n")
    assert text.endswith(f"\n{END}\n\nThe end.\n")
    assert "what was there" not in text
    assert f"[{plan.ids[0]}](deep/results/{plan.ids[0]}/ladder.png)" in text
    write_results(plan, work, tmp_path / "deep" / "results", readme)
    assert readme.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("text", ["# Title\n", f"{END}\n{BEGIN}\n", f"{BEGIN} {END}\n", PAGE + PAGE])
def test_a_readme_without_the_lines_is_refused(plan, work, tmp_path, text):
    readme = tmp_path / "README.md"
    readme.write_text(text, encoding="utf-8")
    with pytest.raises(OptionError, match="expected the lines <!-- baselines: begin --> and"):
        write_results(plan, work, tmp_path / "results", readme)
    assert not (tmp_path / "results").exists()


def test_the_projects_readme_has_the_lines():
    from tests.cli.program import ROOT

    check_readme(ROOT / "README.md")
