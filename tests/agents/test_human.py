import numpy as np
import pytest

from hopenvs.agents.human import Human, matching
from hopenvs.core.options import parse_options
from hopenvs.core.walk import walk_of
from tests.agents.conftest import IGEL, decide, streams_of

OPTIONS = parse_options(IGEL, {})
NAMES = ["side 1.0 down", "side 2.0 up", "side 2.0 down", "stay"]


@pytest.mark.parametrize(
    ("answer", "meant"),
    [
        ("stay", [3]),
        ("STAY", [3]),
        ("st", [3]),
        ("3", [2]),
        ("side 2", [1, 2]),
        ("side 2.0 up", [1]),
        ("2.0 d", [2]),
        ("down", [0, 2]),
        ("0", [0, 1, 2]),
        ("9", []),
        ("jump", []),
    ],
)
def test_an_answer_is_a_name_or_a_number_or_a_part_of_a_name(answer, meant):
    assert matching(answer, NAMES) == meant


def test_a_whole_name_goes_before_longer_ones_and_numbers():
    assert matching("step 1", ["step 1", "step 10"]) == [0]
    assert matching("2", ["10", "2", "3"]) == [1]


def asked(*answers):
    """A person who gives these answers at the start of a game, and what was shown."""
    shown: list[str] = []
    left = iter(answers)

    def read(prompt):
        shown.append(prompt)
        return next(left)

    return Human(IGEL, OPTIONS, read=read, write=shown.append), shown


def test_it_asks_until_the_answer_fits_one_legal_action():
    human, shown = asked("fly", "place", "  place   3 ")
    walk = walk_of(IGEL, OPTIONS)
    chosen = decide(human, walk.batch, streams_of(1))
    assert IGEL.action_name(OPTIONS, int(chosen[0])) == "place 3"
    assert chosen.dtype == np.int32
    assert shown[0] == "player_0> "
    assert shown[1] == "'fly' is not legal here; ? lists what is"
    assert shown[3].startswith("'place' fits 'place 1', 'place 2', ")


def test_a_question_mark_lists_the_legal_actions_by_their_first_word():
    human, shown = asked("?", "", "2")
    walk = walk_of(IGEL, OPTIONS)
    while walk.legal_names()[0].startswith("place"):
        walk.play(walk.legal()[0])
        walk.draw_all()
    names = walk.legal_names()
    assert names[-1] == "stay"
    chosen = decide(human, walk.batch, streams_of(1))
    assert int(chosen[0]) == walk.legal()[1]
    listed = "\n".join(line for line in shown if line.startswith("  "))
    assert all(f"[{k}] {name}" in listed for k, name in enumerate(names, 1))
    assert f"\n  [{len(names)}] stay" in listed, "another first word, another line"


def test_the_end_of_input_passes_through():
    def read(prompt):
        raise EOFError

    with pytest.raises(EOFError):
        decide(Human(IGEL, OPTIONS, read=read), walk_of(IGEL, OPTIONS).batch, streams_of(1))
