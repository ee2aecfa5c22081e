from typing import Any

import pytest

from hopenvs.train.metrics import MetricsFile, columns, draw_curve, draw_curves, read_metrics

NAMES = columns(("uniform",), ("reward", "entropy", "training_self"), ("acting", "learning"))


def row(steps, **more):
    return {"steps": steps, "seconds": steps / 7, **more}


def test_rows_come_back_as_written(tmp_path):
    file = MetricsFile(tmp_path / "metrics.csv", NAMES, -1)
    file.add(row(0, uniform=0.25, uniform_low=0.1, uniform_high=0.5))
    file.add(row(1_234_567, entropy=float("nan"), unknown=3))
    file.close()
    first, second = read_metrics(tmp_path / "metrics.csv")
    assert first == {"steps": 0, "seconds": 0, "uniform": 0.25, "uniform_low": 0.1, "uniform_high": 0.5}
    assert second == {"steps": 1_234_567, "seconds": pytest.approx(176367)}


def test_a_row_is_on_the_disk_at_once(tmp_path):
    file = MetricsFile(tmp_path / "metrics.csv", NAMES, -1)
    file.add(row(5))
    assert read_metrics(tmp_path / "metrics.csv")[0]["steps"] == 5
    file.close()


def test_what_came_after_the_checkpoint_is_dropped_and_a_line_cut_off_too(tmp_path):
    path = tmp_path / "metrics.csv"
    file = MetricsFile(path, NAMES, -1)
    for steps in (0, 64, 128, 192):
        file.add(row(steps))
    file.close()
    path.write_text(path.read_text(encoding="utf-8")[:-3] + "\n256,4e", encoding="utf-8")
    again = MetricsFile(path, NAMES, 128)
    again.add(row(192, entropy=1.5))
    again.close()
    assert [r["steps"] for r in read_metrics(path)] == [0, 64, 128, 192]
    assert read_metrics(path)[-1]["entropy"] == 1.5


def test_a_curve_is_drawn_whatever_there_is(tmp_path):
    pytest.importorskip("matplotlib")
    measured = {"uniform": 0.9, "uniform_low": 0.8, "uniform_high": 0.95}
    for k, rows in enumerate(
        ([], [row(0)], [row(0) | measured], [row(0) | measured, row(5), row(9_000_000) | measured])
    ):
        path = tmp_path / f"{k}.png"
        draw_curve(rows, ("uniform", "greedy"), "title", path)
        assert path.read_bytes()[:4] == b"\x89PNG"


@pytest.mark.parametrize(("players", "lines"), [(2, 0), (4, 1)])
def test_a_curve_names_its_band_and_of_more_than_two_players_the_fair_share(tmp_path, monkeypatch, players, lines):
    figure_module = pytest.importorskip("matplotlib.figure")
    drawn: list[Any] = []
    monkeypatch.setattr(figure_module.Figure, "savefig", lambda self, *_, **__: drawn.append(self))
    draw_curve([row(0)], ("uniform",), "title", tmp_path / "curve.png", players=players)
    (axes,) = drawn[0].axes
    assert "band: 95 % interval" in axes.get_ylabel()
    assert [line.get_ydata()[0] for line in axes.get_lines()] == [100 / players] * lines
    assert [text.get_text() for text in axes.texts] == [f"fair share of {players}"] * lines


def test_the_curves_of_several_runs_are_a_line_each_with_their_mean_beside_them(tmp_path, monkeypatch):
    figure_module = pytest.importorskip("matplotlib.figure")
    drawn: list[Any] = []
    monkeypatch.setattr(figure_module.Figure, "savefig", lambda self, *_, **__: drawn.append(self))
    runs = [[row(k, uniform=share, uniform_low=0.0, uniform_high=1.0) for k in (0, 5)] for share in (0.25, 0.75)]
    draw_curves(runs, ("uniform", "greedy"), "title", tmp_path / "curve.png", players=2)
    (axes,) = drawn[0].axes
    assert [list(line.get_ydata()) for line in axes.get_lines()] == [[25.0] * 2, [75.0] * 2]
    assert [text.get_text().strip() for text in axes.texts] == ["uniform: mean 50 %"]
