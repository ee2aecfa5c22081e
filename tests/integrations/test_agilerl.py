"""Runs in AgileRL's own environment (examples/09_agilerl_environment.sh)."""

import pytest

pytest.importorskip("agilerl")

from tests.integrations.examples import run

ENV = "igel_aergern-2p-v0"

pytestmark = pytest.mark.filterwarnings("ignore")  # the library warns about itself and what it stands on


def test_the_example_learns_without_an_illegal_move_and_would_see_one():
    common = ["09_agilerl.py", ENV, "--steps", 640, "--games", 2]
    line = run(*common)
    assert (line["env"], line["illegal"]) == (ENV, 0)
    assert line["steps"] >= 640
    assert run(*common, "--ignore-masks")["illegal"] > 100
