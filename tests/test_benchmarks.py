"""The benchmark beside peers: what it claims follows from its figures, and a stopped run goes on where it was."""

import importlib
import json
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parent.parent / "benchmarks"
ID = "hop-3p-v0"
MACHINE = {"processor": "some", "commit": "abc", "open_spiel": None, "pgx": None, "jax": None}


@pytest.fixture
def module(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module


def cases(**rates):
    found = {f"{face}/{ID}": {"rates": measured, "facts": {"bytes": 169}} for face, measured in rates.items()}
    return found | {"pgx/-": {"rates": {}, "facts": {}}}


def lines(module, found):
    return {line.split(",")[0]: line for line in module("speed.report").verdicts(found).splitlines()}


def test_a_ratio_is_the_median_of_those_within_each_repeat(module):
    own, nothing = [60.0, 10.0, 61.0], [100.0, 20.0, 100.0]
    assert "met by all 1" in lines(module, cases(aec={"hopenvs": own, "do nothing": nothing}))["- AEC / do nothing"]
    own[2] = 59.0
    missed = lines(module, cases(aec={"hopenvs": own, "do nothing": nothing}))["- AEC / do nothing"]
    assert f"**not met** by 1 of 1: {ID} 0.590" in missed


def test_the_best_batch_of_each_side_counts(module):
    vector = {
        "N=64, 1 thread: step and choice": [3.0, 3.0],
        "N=1024, 1 thread: step and choice": [5.0, 5.0],
        "pgx connect_four, 64": [4.0, 4.0],
        "pgx connect_four, 1024": [1.0, 1.0],
    }
    name = "- vector / pgx connect_four (below 1 KB)"
    assert "met by all 1 (1.25 to 1.25)" in lines(module, cases(vector=vector))[name]
    assert "not met" in lines(module, cases(vector=vector | {"pgx connect_four, 1": [6.0, 6.0]}))[name]


def test_openspiels_game_of_like_weight_is_the_nearest_in_size(module):
    nearest = module("speed.openspiel_games").nearest
    found = {cells: nearest(cells) for cells in (8, 678, 860, 861, 1301, 1302, 9000)}
    assert list(found.values()) == ["hanabi"] * 3 + ["chinese_checkers"] * 2 + ["backgammon"] * 2
    vector = {"N=64, 1 thread: step and choice": [30.0], "OpenSpiel hanabi": [3.0], "OpenSpiel backgammon": [300.0]}
    assert (
        "met by all 1 (10.0 to 10.0)"
        in lines(module, cases(vector=vector))["- vector / OpenSpiel's game of like weight"]
    )


def test_what_was_not_measured_is_said_to_be_so(module):
    assert all(line.endswith("not measured") for line in lines(module, cases()).values())
    text = module("speed.page").readme(
        {"machine": MACHINE, "settings": {"seconds": 1, "repeats": 1}, "cases": cases(state={"hopenvs": [1.0]})}
    )
    assert "Not installed, and so left out: open_spiel, pgx, jax." in text
    assert "| all | not installed |" in text


def test_a_stopped_run_goes_on_where_it_was(module, tmp_path, monkeypatch):
    peers, faces = module("peers"), module("speed.cases").FACES
    measured = []

    def face(run, env_id):
        measured.append(env_id)
        if env_id == stops_at:
            raise KeyboardInterrupt
        return {"rates": {"hopenvs": [1.0]}, "facts": {}}

    monkeypatch.setitem(faces, "state", face)
    monkeypatch.setattr(peers.machine, "facts", lambda: MACHINE)
    given = peers.parse(["hop-3p-v0", "hop-4p-v0", "--only", "state", "--out", str(tmp_path)])
    stops_at = "hop-4p-v0"
    with pytest.raises(KeyboardInterrupt):
        peers.measure(given, peers.begin(given))
    stops_at = ""
    peers.measure(given, peers.begin(given))
    assert measured == ["hop-3p-v0", "hop-4p-v0", "hop-4p-v0"]
    assert [*json.loads((tmp_path / "figures.json").read_text())["cases"]] == ["state/hop-3p-v0", "state/hop-4p-v0"]
    monkeypatch.setattr(peers.machine, "facts", lambda: MACHINE | {"commit": "def"})
    assert not peers.begin(given)["cases"], "figures of another commit are no part of this run"
