import itertools

import numpy as np
import pytest

from hopenvs.agents.human import SHORT, Human, matching
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
        ("side 2", [1, 2]),
        ("side 2.0 up", [1]),
        ("2.0 d", [2]),
        ("2 . 0 d", [2]),
        ("down", [0, 2]),
        ("2", [1, 2]),
        ("0", [0, 1, 2]),
        ("3", []),
        ("ide", []),
        ("side down", []),
        ("jump", []),
        ("?", []),
        ("", []),
    ],
)
def test_an_answer_is_a_name_or_a_part_of_one(answer, meant):
    assert matching(answer, NAMES) == meant


def test_a_number_is_never_a_place_in_the_list():
    assert matching("2", ["place 1", "place 3", "place 2"]) == [2]
    assert matching("1", ["place 2", "place 3"]) == []


def test_numbers_are_whole_and_a_whole_name_goes_before_longer_ones():
    assert matching("2", ["step 12", "step 20", "step 2"]) == [2]
    assert matching("step 1", ["step 1", "step 1 twice"]) == [0]
    assert matching("H1", ["jump H1>3", "jump H12>3"]) == [0]
    assert matching("1>", ["jump 1>3", "jump 11>3", "bridge 1-3"]) == [0]


def test_a_word_cut_short_counts_only_where_no_name_has_it_whole():
    assert matching("up", ["upper 1", "side up"]) == [1]
    assert matching("upp", ["upper 1", "side up"]) == [0]


def asked(*answers, game=IGEL, options=OPTIONS):
    """A person who gives these answers, and what was shown."""
    shown: list[str] = []
    left = iter(answers)

    def read(prompt):
        shown.append(prompt)
        return next(left)

    return Human(game, options, read=read, write=shown.append), shown


def test_it_asks_until_the_answer_fits_one_legal_action():
    human, shown = asked("fly", "place", "  place   3 ")
    walk = walk_of(IGEL, OPTIONS)
    chosen = decide(human, walk.batch, streams_of(1))
    assert IGEL.action_name(OPTIONS, int(chosen[0])) == "place 3"
    assert chosen.dtype == np.int32
    places = "  " + "   ".join(walk.legal_names())
    assert shown[1:] == [
        *(places, "player_0> ", "'fly' is not legal here; ? lists what is"),
        *("player_0> ", f"'place' fits {len(walk.legal())} legal actions; which one?", places, "player_0> "),
    ]


def test_the_first_question_says_how_to_leave():
    human, shown = asked("place 3", "place 3")
    for _ in range(2):
        decide(human, walk_of(IGEL, OPTIONS).batch, streams_of(1))
    assert "`quit` or Ctrl-D leaves" in shown[0]
    assert sum("quit" in line for line in shown) == 1


def side_steps():
    """A position whose legal actions have several first words."""
    walk = walk_of(IGEL, OPTIONS)
    while walk.legal_names()[0].startswith("place"):
        walk.play(walk.legal()[0])
        walk.draw_all()
    return walk


@pytest.mark.parametrize("word", ["?", "help", "HELP", ""])
def test_the_legal_actions_are_listed_by_their_first_word_within_the_terminals_width(monkeypatch, word):
    monkeypatch.setenv("COLUMNS", "40")
    walk = side_steps()
    names = walk.legal_names()
    human, shown = asked(word, names[1])
    assert int(decide(human, walk.batch, streams_of(1))[0]) == walk.legal()[1]
    listed = shown[shown.index("player_0> ") + 1 : -1]
    assert [name for line in listed for name in line.strip().split("   ")] == names
    assert all(len(line) <= 40 and line.startswith("  ") for line in listed)
    firsts = [[name.split(" ")[0] for name in line.strip().split("   ")] for line in listed]
    assert all(len(set(words)) == 1 for words in firsts), "another first word, another line"
    assert len(listed) > len({words[0] for words in firsts}), "too long for a line"


class ManyNames:
    """Stands for a game with more legal actions than are shown unasked."""

    @staticmethod
    def action_name(o, action):
        return f"play {action}"


def test_a_long_list_is_shown_only_when_asked_for():
    human, shown = asked("play 3", game=ManyNames)
    masks = np.ones((1, SHORT + 1), np.int8)
    rest = {"states": masks, "seats": np.zeros(1, np.int32), "streams": streams_of(1)}
    assert human.act(masks, masks, **rest).tolist() == [3]
    assert shown[1:] == [f"{SHORT + 1} legal actions; ? lists them", "player_0> "]
    human, shown = asked("play 3", game=ManyNames)
    masks[0, -1] = 0
    human.act(masks, masks, **rest)
    assert list(itertools.chain(*(line.strip().split("   ") for line in shown[1:-1]))) == [
        f"play {k}" for k in range(SHORT)
    ]


@pytest.mark.parametrize("word", ["quit", "exit", "q", "Quit"])
def test_a_word_leaves_like_the_end_of_input(word):
    with pytest.raises(EOFError):
        decide(asked(word)[0], walk_of(IGEL, OPTIONS).batch, streams_of(1))


def test_a_word_that_fits_an_action_is_the_action():
    class Quarrel:
        @staticmethod
        def action_name(o, action):
            return ("quarrel", "help 1")[action]

    masks = np.ones((1, 2), np.int8)
    rest = {"states": masks, "seats": np.zeros(1, np.int32), "streams": streams_of(1)}
    assert [asked(word, game=Quarrel)[0].act(masks, masks, **rest).tolist() for word in ("q", "help")] == [[0], [1]]


def test_the_end_of_input_passes_through():
    def read(prompt):
        raise EOFError

    with pytest.raises(EOFError):
        decide(Human(IGEL, OPTIONS, read=read, write=print), walk_of(IGEL, OPTIONS).batch, streams_of(1))
