"""The conformance suite finds faults: each mutant has one, and a check of its kind must say so.

Faces with a fault run on compiled rules; games with a fault run in a process of their own, in plain Python.
"""

import functools
import importlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from hopenvs import testing
from hopenvs.testing import CHECKS, KINDS, ConformanceError
from tests.mutants import games
from tests.mutants.mutant import FACES, MUTANTS, make_face

ROOT = Path(__file__).resolve().parent.parent

for _face in ("aec", "parallel", "vector", "gym"):
    importlib.import_module(f"tests.mutants.{_face}")

# A crash of one of these says that the mutant is broken, not that it was found out.
BROKEN = re.compile(r"unexpected (Attribute|Import|Name|Recursion|Syntax|Type|UnboundLocal)Error")


def checks_against(mutant):
    """The quick checks of the mutant's face that must find it."""
    if mutant.checks:
        return [CHECKS[name] for name in mutant.checks]
    return [entry for entry in testing.select(mutant.face) if set(entry.kinds) & set(mutant.kinds)]


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_face_with_a_fault_is_found_out(mutant):
    checks = checks_against(mutant)
    assert checks, "no check looks for this kind"
    said = []
    for entry in checks:
        assert mutant.face in entry.faces
        try:
            entry.run(mutant.make, games=1)
        except ConformanceError as error:
            said.append(str(error))
            if mutant.crashes or not BROKEN.search(said[-1]):
                return
    pytest.fail(f"{len(checks)} checks found nothing: " + ("; ".join(said) or ", ".join(c.name for c in checks)))


@pytest.mark.parametrize("face", FACES)
def test_a_face_without_a_fault_passes(face):
    chapters = [chapter for chapter in testing.CHAPTERS if chapter != "rendering"]
    for entry in testing.select(face, chapters):
        entry.run(functools.partial(make_face, FACES[face]), games=1)


@pytest.fixture(scope="module")
def said_of_games():
    """What the suite says of every game with a fault, and of those without."""
    environment = {**os.environ, "HOPENVS_BACKEND": "plain", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-m", "tests.mutants.games"],
        cwd=ROOT, env=environment, capture_output=True, text=True, timeout=280, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("name", games.FAULTS)
def test_a_game_with_a_fault_is_found_out(said_of_games, name):
    assert said_of_games[name], "the suite found nothing"


def test_games_without_a_fault_pass(said_of_games):
    sound = {name: said for name, said in said_of_games.items() if name not in games.FAULTS}
    assert len(sound) == 3
    assert not any(sound.values()), sound


def test_mutants_are_of_many_kinds():
    faults = [mutant.kinds for mutant in MUTANTS] + [kinds for _, kinds, _, _ in games.FAULTS.values()]
    assert len(faults) >= 60
    imitated = {kind for kinds in faults for kind in kinds}
    assert imitated <= set(KINDS)
    # The rest is found by slow checks (processes, windows), by reading sources, or outside this package.
    without = {
        number for number, kind in KINDS.items() if any(not CHECKS[name].slow for name in kind.checks)
    } - imitated
    assert without <= {18, 24, 31, 33, 42, 52, 66, 67} | imitated, sorted(without)
