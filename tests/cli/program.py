"""Running the command line in tests: in this process, or as a program of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path

from typer.testing import CliRunner

from hopenvs.cli.app import app

ROOT = Path(__file__).resolve().parents[2]
GAMES = "tests.games_for_tests"  # third-party games, as far as the package is concerned


def run(*arguments, stdin=None):
    """`hopenvs ARGUMENTS` in this process: exit_code, stdout, stderr."""
    return CliRunner().invoke(app, [str(a) for a in arguments], input=stdin, prog_name="hopenvs")


def run_apart(*arguments, stdin="", **environment):
    """`python -m hopenvs ARGUMENTS` as a process of its own: returncode, stdout, stderr."""
    return subprocess.run(
        [sys.executable, "-m", "hopenvs", *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, "PYTHONWARNINGS": "error", **environment},
        input=stdin,
        capture_output=True,
        text=True,
        timeout=250,
        check=False,
    )


def lines_of(text):
    """JSON lines as objects."""
    return [json.loads(line) for line in text.splitlines()]


def error_line(result):
    """The one line that an error is told by; there must be no other, nothing on stdout, and exit code 2."""
    code = result.returncode if hasattr(result, "returncode") else result.exit_code
    assert code == 2, result.stderr
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert line.startswith("Error: ")
    return line
