"""What the tests of the core share: fresh Python processes, and games on their way."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from hopenvs.core import jit
from hopenvs.core.options import parse_options
from hopenvs.games import igel_aergern
from tests.games_for_tests import card_game, tick_game

ROOT = Path(__file__).resolve().parents[2]
GAMES = {"tick_game": tick_game, "card_game": card_game, "igel_aergern": igel_aergern}

needs_numba = pytest.mark.skipif(jit.BACKEND == "plain", reason="about compiled code")

RunPython = Callable[..., str]


def start_python(code: str, *arguments: str, path: str | None = None, **settings: str) -> subprocess.Popen[str]:
    """A process of its own for `code`, which finds the package and the tests and no setting of ours."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "HOPENVS_", "PYTHON"))}
    env |= {"PYTHONPATH": str(ROOT) if path is None else path, "PYTHONDONTWRITEBYTECODE": "1", **settings}
    command = [sys.executable, "-P", "-W", "error", "-c", code, *arguments]  # -P: the working folder isn't searched
    return subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish(process: subprocess.Popen[str]) -> str:
    """What the process printed; it must have ended well."""
    out, errors = process.communicate(timeout=240)
    assert process.returncode == 0, errors
    return out.strip()


@pytest.fixture
def run_python() -> RunPython:
    """`run_python(code, *arguments, path=None, **settings)`: what the code prints in a process of its own."""
    return lambda *arguments, **settings: finish(start_python(*arguments, **settings))


@pytest.fixture(params=GAMES)
def game(request):
    """Each game in turn: simultaneous and open, in turns and hidden, in turns and open."""
    return GAMES[request.param]


@pytest.fixture
def options(game):
    return parse_options(game, {})


@pytest.fixture
def outside(tmp_path):
    """A copy of the tick game, importable as `outside_game` from the returned folder: a game of somebody else's."""
    shutil.copytree(
        Path(str(tick_game.__file__)).parent, tmp_path / "outside_game", ignore=shutil.ignore_patterns("__pycache__")
    )
    return tmp_path


def pick(mask: np.ndarray, chooser: np.random.Generator) -> np.ndarray:
    """[N, S] int32: for each mask of [N, S, A] a legal action, each as likely; 0 where nothing is legal."""
    return np.argmax(mask * (1 + chooser.random(mask.shape)), axis=-1).astype(np.int32)
