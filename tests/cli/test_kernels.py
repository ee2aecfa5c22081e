"""The verbs about compiled kernels: warmup and clear-cache, and the line that announces compiling."""

import types
from pathlib import Path

import pytest

from hopenvs.cli import clear_cache, cold
from hopenvs.core import jit
from hopenvs.core.kernels import kernels_of, uniform_kernel
from hopenvs.registry import resolve
from tests.cli.program import GAMES, ROOT, error_line, run, run_apart

ENV = "igel_aergern-2p-v0"
compiled_only = pytest.mark.skipif(jit.BACKEND == "plain", reason="plain Python compiles nothing")

OWN = [
    "kernels.hopenvs_igel_aergern_step_range_cbffccc1c4336d70-218.py311.nbi",
    "kernels.hopenvs_igel_aergern_step_range_cbffccc1c4336d70-218.py311.1.nbc",
    "kernels.hopenvs_uniform_range_3493c8c595386a7b-384.py313t.12.nbc",
    "kernels.hopenvs_my_game_view_range_3493c8c595386a7b-1.py314.nbi.tmp.0123456789abcdef",
]
FOREIGN = [
    "kernels.step_range-218.py311.nbi",
    "kernels.other_package_hopenvs_range-218.py311.1.nbc",
    "hopenvs_igel_aergern-218.py311.nbi",
    "kernels.hopenvs_igel_aergern_step_range-218.py311.nbi.backup",
    "kernels.cpython-311.pyc",
    "notes.txt",
]


# ---- warmup ---------------------------------------------------------------------------------------------------------
OWN_GAMES = [word for name in ("tick_game", "card_game") for word in ("--module", f"{GAMES}.{name}")]
PLAYERS = {"greedy_range", "expectimax_range", "mcts_range"}


def rows_of(result):
    assert result.returncode == 0, result.stderr
    return [line.split("\t") for line in result.stdout.splitlines()]


@compiled_only
def test_warmup_tells_where_each_kernel_came_from():
    rows = rows_of(run_apart("warmup", ENV))
    expected = {name for name in vars(kernels_of(resolve(ENV, {})[0])) if name.endswith("_range")}
    expected = expected - {"mask_range"} | {"uniform_range"} | PLAYERS  # no face uses the first
    assert {row[1] for row in rows} == expected
    assert len(rows) == len(expected), "each once"
    assert {row[3] for row in rows} <= {"compiled", "cache"}
    again = run_apart("warmup", ENV, "--no-players")
    assert again.stderr.startswith(f"0 kernels compiled, {len(expected - PLAYERS)} from the cache, ")
    assert again.stderr.endswith(f"; kept in {cold.cache_folder(uniform_kernel())}\n")
    assert {row[3] for row in rows_of(again)} == {"cache"}
    assert {row[1] for row in rows_of(again)} == expected - PLAYERS
    assert all(float(row[2]) < 20 for row in rows_of(again))


@compiled_only
def test_games_warmed_up_at_the_same_time_give_the_rows_they_give_in_turn():
    one, two = (run_apart("warmup", *OWN_GAMES, "--no-players", "--jobs", jobs) for jobs in (1, 2))
    # uniform_range, which needs no game, comes once in every process
    both, in_turn = (sorted(row[:2] for row in rows_of(result) if row[1] != "uniform_range") for result in (two, one))
    assert both == in_turn
    assert {game for game, _ in both} == {"tick_game", "card_game"}


@compiled_only
def test_a_warm_game_is_not_announced():
    kernel = kernels_of(resolve(ENV, {})[0]).step_range
    run("record", ENV)
    assert cold.is_compiled(kernel)
    assert run("record", ENV).stderr == ""


def test_plain_python_has_nothing_to_compile_or_clear():
    for verb in ("warmup", "clear-cache"):
        result = run_apart(verb, HOPENVS_BACKEND="plain")
        assert (result.returncode, result.stdout) == (0, "")
        assert result.stderr.startswith("plain Python serves as the back end: nothing is ")


def test_warmup_refuses_unknown_ids():
    assert "unknown id 'igel'" in error_line(run("warmup", "igel"))


# ---- announcing -----------------------------------------------------------------------------------------------------
def kernel_in(folder, signatures=()):
    def step_range():
        """Stands for a kernel."""

    step_range.__qualname__ = "hopenvs_igel_aergern_step_range_cbffccc1c4336d70"
    stats = types.SimpleNamespace(cache_path=None if folder is None else str(folder))
    return types.SimpleNamespace(
        py_func=step_range, __qualname__=step_range.__qualname__, signatures=list(signatures), stats=stats
    )


def test_a_kernel_is_compiled_if_its_index_lies_in_the_cache(tmp_path):
    kernel = kernel_in(tmp_path)
    assert not cold.is_compiled(kernel)
    (tmp_path / FOREIGN[0]).touch()
    assert not cold.is_compiled(kernel)
    (tmp_path / OWN[0]).touch()
    assert cold.is_compiled(kernel)


def test_a_kernel_used_in_this_process_is_compiled():
    assert cold.is_compiled(kernel_in(None, ["()"]))
    assert not cold.is_compiled(kernel_in(None))


@pytest.mark.parametrize(("kept", "words"), [(True, "(once, "), (False, "every time")])
def test_the_announcement_says_how_often(monkeypatch, tmp_path, capsys, kept, words):
    kernel = kernel_in(tmp_path if kept else None)
    monkeypatch.setattr("hopenvs.core.kernels.kernels_of", lambda game: types.SimpleNamespace(step_range=kernel))
    cold.announce(types.SimpleNamespace(ID="my_game"))
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("Compiling my_game ")
    assert words in captured.err


# ---- clear-cache ----------------------------------------------------------------------------------------------------
@pytest.fixture
def cache(tmp_path):
    for name in (*OWN, *FOREIGN):
        (tmp_path / name).write_text("12345", encoding="utf-8")
    (tmp_path / OWN[0].replace("218", "219")).mkdir()
    return tmp_path


def test_only_numbas_files_for_hopenvs_are_taken_for_own(cache):
    assert [file.name for file in clear_cache.own_files(cache)] == sorted(OWN)
    assert clear_cache.own_files(cache / "none") == []


@compiled_only
def test_what_numba_writes_is_recognised():
    folder = cold.cache_folder(uniform_kernel())
    assert folder is not None
    run("record", ENV)
    names = [file.name for file in folder.iterdir() if ".hopenvs_" in file.name and ".tmp." not in file.name]
    assert names
    assert all(clear_cache.OWN.fullmatch(name) for name in names)


@compiled_only
def test_clearing_leaves_what_is_not_its_own(cache, monkeypatch):
    monkeypatch.setattr(cold, "cache_folder", lambda kernel: cache)
    result = run("clear-cache", "--yes")
    assert result.stdout == f"removed 4 files (20 bytes) from {cache}\n"
    assert {file.name for file in cache.iterdir()} == {*FOREIGN, OWN[0].replace("218", "219")}
    assert run("clear-cache").stdout == f"removed 0 files (0 bytes) from {cache}\n"


@compiled_only
def test_nobody_asked_nothing_cleared(cache, monkeypatch):
    monkeypatch.setattr(cold, "cache_folder", lambda kernel: cache)
    assert "expected --yes" in error_line(run("clear-cache"))
    assert len(clear_cache.own_files(cache)) == len(OWN)


@compiled_only
@pytest.mark.parametrize(("answer", "left"), [("n", len(OWN)), ("y", 0)])
def test_somebody_is_asked(cache, monkeypatch, answer, left):
    monkeypatch.setattr(cold, "cache_folder", lambda kernel: cache)
    monkeypatch.setattr("hopenvs.cli.terminal.is_terminal", lambda stream: True)
    result = run("clear-cache", stdin=f"{answer}\n")
    assert "Remove 4 files (20 bytes)" in result.stderr
    assert len(clear_cache.own_files(cache)) == left


@compiled_only
def test_the_folders_are_those_that_numba_uses(tmp_path):
    result = run_apart("clear-cache", "--yes", NUMBA_CACHE_DIR=str(tmp_path))
    told = result.stdout.strip().removeprefix("removed 0 files (0 bytes) from ")
    folders = [Path(folder) for folder in told.split(" and ")]
    assert {folder.parent for folder in folders} == {tmp_path}
    packages = sorted(folder.name.partition("_")[0] for folder in folders)
    with_kernels = {path.parent.name for path in (ROOT / "hopenvs").rglob("*.py") if _makes_kernels(path)}
    assert packages == sorted(with_kernels), "every package whose kernels are kept has its folder"
    folder = folders[-1]
    (folder / OWN[0]).touch()
    (tmp_path / OWN[0]).touch()
    (folder / FOREIGN[0]).touch()
    assert run_apart("clear-cache", "--yes", NUMBA_CACHE_DIR=str(tmp_path)).stdout.startswith("removed 1 files")
    assert (tmp_path / OWN[0]).exists()
    assert [file.name for file in folder.iterdir()] == FOREIGN[:1]


def _makes_kernels(path):
    return "entry=True" in path.read_text(encoding="utf-8")
