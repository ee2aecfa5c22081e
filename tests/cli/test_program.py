import contextlib
import os
import re
import shlex
import subprocess
import sys
from typing import Any

import pytest
import typer.main

import hopenvs
from hopenvs.cli import terminal
from hopenvs.cli.app import VERBS, app
from tests.cli.program import ROOT, error_line, lines_of, run, run_apart


@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_the_help_names_every_verb(flag):
    result = run(flag)
    assert result.exit_code == 0
    for verb in VERBS:
        assert f"\n  {verb} " in result.stdout
    assert "..." not in result.stdout.partition("Commands:")[2], "a verb's first sentence is cut off"


@pytest.mark.parametrize("verb", VERBS)
def test_a_verbs_help_ends_with_its_examples(verb):
    result = run(verb, "--help")
    assert result.exit_code == 0
    shown = [line.strip() for line in result.stdout.partition("Examples:\n")[2].splitlines()]
    assert shown == list(VERBS[verb].EXAMPLES)
    assert len(shown) > 0


@pytest.mark.parametrize("verb", VERBS)
def test_a_verbs_examples_parse(verb):
    program: Any = typer.main.get_command(app)
    used = set()
    for line in VERBS[verb].EXAMPLES:
        for part in line.split(" | "):
            name, *words = shlex.split(part)
            assert name == "hopenvs"
            used.add(words[0])
            with program.make_context(name, words) as context:
                program.commands[words[0]].make_context(words[0], words[1:], parent=context).close()
    assert verb in used


def test_version():
    assert run("--version").stdout == f"hopenvs {hopenvs.__version__}\n"


def test_without_a_verb_the_help_is_shown():
    result = run()
    assert "Usage: hopenvs" in result.stdout + result.stderr


def test_an_unknown_verb_is_refused():
    result = run("recrod")
    assert result.exit_code == 2
    assert "recrod" in result.stderr


def test_an_error_stays_one_line_in_a_narrow_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    line = error_line(run("record", "igel_aergern-9p-v0"))
    assert "did you mean igel_aergern-" in line


def test_debug_shows_the_traceback():
    result = run("--debug", "record", "igel_aergern-9p-v0")
    assert isinstance(result.exception, hopenvs.UnknownIdError)


def test_an_error_is_one_line_and_exit_code_2():
    assert error_line(run("replay", "no-such-file")) == "Error: no-such-file: No such file or directory"
    assert "no-such-file" in error_line(run_apart("replay", "no-such-file"))


def test_an_error_of_the_program_itself_is_not_hidden(monkeypatch):
    def fail(*_):
        raise ZeroDivisionError

    monkeypatch.setattr("hopenvs.registry.list_envs", fail)
    assert isinstance(run("list").exception, ZeroDivisionError)


def test_python_m_and_the_script_are_one_program():
    entry = typer.main.get_command(app)
    from hopenvs import cli

    assert callable(cli.main)
    assert entry.name == "hopenvs"
    assert run_apart("--help").stdout == run("--help").stdout


def test_the_reader_of_a_pipe_may_leave():
    command = f"{shlex.quote(sys.executable)} -m hopenvs record igel_aergern-2p-v0 --games 40 --positions | head -n 1"
    result = os.popen(f"cd {shlex.quote(str(ROOT))} && ({command}) 2>&1")
    (line,) = lines_of(result.read())
    assert result.close() is None
    assert line["seed"] == 0


def seen_in_a_terminal(*arguments, **environment):
    """What `hopenvs ARGUMENTS` shows where stdout and stderr are a terminal."""
    ours, theirs = os.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "hopenvs", *arguments],
        cwd=ROOT,
        env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "120", **environment},
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
    ) as process:
        os.close(theirs)
        seen = b""
        with contextlib.suppress(OSError):  # Linux reports the end so
            while part := os.read(ours, 65536):
                seen += part
        os.close(ours)
    assert process.returncode == 0
    return seen.decode()


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="no pseudo-terminals here")
@pytest.mark.parametrize(("no_color", "coloured"), [("", True), ("1", False)])
def test_a_terminal_gets_progress(tmp_path, no_color, coloured):
    arguments = ("record", "igel_aergern-2p-v0", "--games", "5", "--out", str(tmp_path / "games"))
    seen = seen_in_a_terminal(*arguments, NO_COLOR=no_color)
    assert "recording igel_aergern-2p-v0" in seen
    assert (re.search(r"\x1b\[[\d;]*3[\d;]*m", seen) is not None) is coloured


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="no pseudo-terminals here")
def test_a_terminal_gets_tables():
    seen = seen_in_a_terminal("list", "igel_aergern", NO_COLOR="1")
    assert "observation" in seen, "the heading"
    assert "2,000" in seen, "numbers for people"


def test_commands_to_come_are_told_as_the_shell_finds_them(tmp_path, monkeypatch):
    script = tmp_path / "hopenvs"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "elsewhere"))
    for called, told in ((str(script), str(script)), ("hopenvs/__main__.py", "hopenvs")):
        monkeypatch.setattr(sys, "argv", [called])
        assert terminal.program() == told
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "argv", [str(script)])
    if sys.platform != "win32":
        assert terminal.program() == "hopenvs"


def test_numbers_stand_to_the_right(capsys, monkeypatch):
    monkeypatch.setattr(terminal, "is_terminal", lambda stream: True)
    terminal.table(("share", "word"), [("9.5", "a"), ("100.0", "bbb")])
    assert "  9.5 " in capsys.readouterr().out


def test_a_table_in_a_pipe_is_tab_separated(capsys):
    terminal.table(("a", "b"), [(1, "x y"), (2, "z")])
    assert capsys.readouterr().out == "1\tx y\n2\tz\n"


def test_json_is_json(capsys):
    terminal.as_json({"a": [1, None]})
    assert lines_of(capsys.readouterr().out.replace("\n", "")) == [{"a": [1, None]}]
