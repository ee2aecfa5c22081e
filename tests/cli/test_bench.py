import json

import numpy as np
import pytest

import hopenvs
from hopenvs.cli import bench
from hopenvs.registry import resolve
from tests.cli.program import GAMES, error_line, run, run_apart

ENV = "igel_aergern-2p-v0"


def test_figures_as_json():
    result = run("bench", ENV, "--seconds", 0.05, "--num-envs", 4, "--num-envs", 300, "--threads", 2, "--json")
    assert result.exit_code == 0, result.stderr
    facts = json.loads(result.stdout)
    found = facts["decisions_per_second"]
    assert [(one["face"], one["num_envs"], one["threads"]) for one in found] == [
        ("make (AEC)", 1, 1),
        ("make_vec", 4, 2),
        ("make_vec", 300, 2),
    ]
    for one in found:
        assert 0 < one["slowest"] <= one["median"] <= one["fastest"]
    spec = hopenvs.make(ENV)._spec
    assert facts["bytes"] == {
        "mask": spec.num_actions,
        "observation": spec.observation_size,
        "mask and observation": spec.num_actions + spec.observation_size,
        "record": hopenvs.make(ENV)._batch.states.dtype.itemsize,
    }
    assert facts["env"] == ENV
    assert facts["machine"]["hopenvs"] == hopenvs.__version__
    assert facts["machine"]["numpy"] == np.__version__


def test_figures_for_people():
    result = run("bench", ENV, "--seconds", 0.05, "--num-envs", 2, "--threads", 1, "--option", "pieces=2")
    assert result.exit_code == 0, result.stderr
    rows = [line.split("\t") for line in result.stdout.splitlines()]
    assert [row[0] for row in rows[:2]] == ["make (AEC)", "make_vec"]
    assert {"bytes: mask", "bytes: record", "processor", "python", "numpy", "counted"} <= {row[0] for row in rows}


@pytest.mark.parametrize(("load", "said"), [(1.5, True), (0.5, False), (None, False)])
def test_a_busy_machine_is_told_of(monkeypatch, load, said):
    facts = bench.machine() | {"load": load, "cores": 2}
    monkeypatch.setattr(bench, "machine", lambda: facts)
    result = run("bench", ENV, "--seconds", 0.05, "--num-envs", 2, "--threads", 1, "--json")
    assert ("The machine is busy (load 1.5 on 2 cores)" in result.stderr) == said
    assert json.loads(result.stdout)["machine"]["load"] == load


def test_a_simultaneous_game_is_measured_too():
    arguments = ("--seconds", 0.05, "--num-envs", 3, "--threads", 1, "--json", "--module", f"{GAMES}.tick_game")
    result = run_apart("bench", "tick_game-v0", *arguments, HOPENVS_BACKEND="plain")
    assert result.returncode == 0, result.stderr
    facts = json.loads(result.stdout)
    assert len(facts["decisions_per_second"]) == 2
    assert facts["machine"]["backend"] == "plain"


def test_decisions_are_counted_as_they_are_taken():
    game, options = resolve(ENV, {})
    env = hopenvs.make(ENV)
    env.reset(seed=0)
    taken = bench.aec(ENV, {})()
    assert taken > game.spec(options).num_players * 4, "a game has at least its placements"
    assert bench.vector(ENV, {}, 5, 1)() == bench.STEPS * 5


def test_rate_is_decisions_by_time(monkeypatch):
    clock = iter(range(1000))
    monkeypatch.setattr("time.perf_counter", lambda: next(clock) / 10)
    assert bench.rate(lambda: 7, 1.0) == {"median": 70, "slowest": 70, "fastest": 70}


@pytest.mark.parametrize("arguments", [["--seconds", "0"], ["--num-envs", "0"], ["--threads", "-1"]])
def test_bad_usage_is_exit_code_2(arguments):
    result = run("bench", ENV, *arguments)
    assert result.exit_code == 2
    assert arguments[0] in result.stderr


def test_bad_input_is_refused():
    assert "unknown id" in error_line(run("bench", "igel"))
    assert "unknown option 'speed'" in error_line(run("bench", ENV, "--option", "speed=9"))
