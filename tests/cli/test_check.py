import sys

import pytest

from tests.cli.program import GAMES, ROOT, error_line, run, run_apart

PLAIN = {"HOPENVS_BACKEND": "plain"}  # games that nothing else compiles


@pytest.mark.slow
def test_an_id_is_checked():
    result = run("check", "igel_aergern-2p-v0", "--seed", 3)
    assert result.exit_code == 0, result.stdout
    (row,) = result.stdout.splitlines()
    env, seconds, found = row.split("\t")
    assert env == "igel_aergern-2p-v0"
    assert float(seconds) > 0
    looked, word = found.split(" ", 1)
    assert int(looked) > 50
    assert word.startswith("positions")


@pytest.mark.slow
def test_games_of_ones_own_are_checked():
    modules = [f"{GAMES}.card_game", f"{GAMES}.tick_game"]
    result = run_apart("check", "--module", modules[0], "--module", modules[1], "--games", 2, **PLAIN)
    assert result.returncode == 0, result.stdout + result.stderr
    assert [row.split("\t")[0] for row in result.stdout.splitlines()] == ["card_game-v0", "tick_game-v0"]


@pytest.fixture
def broken_game(tmp_path):
    """A module that is a game but for its names of actions, which don't all differ."""
    source = (
        "from tests.games_for_tests.card_game import *\n"
        "from tests.games_for_tests import card_game as sound\n"
        "ID = 'broken_game'\n"
        "def action_name(o, action):\n"
        "    return sound.action_name(o, min(action, 1))\n"
    )
    (tmp_path / "broken_game.py").write_text(source, encoding="utf-8")
    return tmp_path


def test_a_broken_promise_is_told_with_exit_code_1(broken_game):
    modules = ["--module", "broken_game", "--module", f"{GAMES}.tick_game"]
    result = run_apart("check", *modules, PYTHONPATH=str(broken_game), **PLAIN)
    assert result.returncode == 1, result.stderr
    broken, sound = result.stdout.splitlines()
    assert broken.startswith("broken_game-v0\t")
    assert broken.endswith("FAULT: two actions have the same name")
    assert "FAULT" not in sound, "the others are checked all the same"


def test_rules_that_fail_are_told_too_or_show_their_traceback(broken_game):
    with (broken_game / "broken_game.py").open("a", encoding="utf-8") as source:
        source.write("def action_name(o, action):\n    return 1 // 0\n")
    arguments = ("check", "--module", "broken_game")
    result = run_apart(*arguments, PYTHONPATH=str(broken_game), **PLAIN)
    assert result.returncode == 1, result.stderr
    assert "ZeroDivisionError: integer division" in result.stdout
    result = run_apart("--debug", *arguments, PYTHONPATH=str(broken_game), **PLAIN)
    assert "broken_game.py" in result.stderr, "a line of the traceback"


@pytest.mark.slow
def test_a_module_may_register_its_ids_itself(tmp_path):
    source = (
        "import sys\n"
        "import hopenvs\n"
        "from tests.games_for_tests.tick_game import *\n"
        "hopenvs.register(sys.modules[__name__], 'tick_game-own-v0', ticks=5)\n"
    )
    (tmp_path / "own_game.py").write_text(source, encoding="utf-8")
    result = run_apart("check", "--module", "own_game", PYTHONPATH=str(tmp_path), **PLAIN)
    assert result.returncode == 0, result.stdout + result.stderr
    assert [row.split("\t")[0] for row in result.stdout.splitlines()] == ["tick_game-own-v0"]


def test_modules_are_found_in_the_working_directory(monkeypatch):
    from hopenvs.cli.arguments import register_modules

    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if entry not in ("", str(ROOT))])
    monkeypatch.setattr("hopenvs.registry.register", lambda module: module.__name__)
    assert register_modules([f"{GAMES}.tick_game.tables"]) == [f"{GAMES}.tick_game.tables"]


def test_bad_input_is_refused():
    assert "unknown id 'igel'" in error_line(run("check", "igel"))
    assert run("check", "--games", "0").exit_code == 2
