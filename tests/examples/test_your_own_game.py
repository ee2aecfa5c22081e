"""The example of a game of one's own keeps all promises, and plays by the rules that its first lines tell."""

import importlib.util
import runpy
import sys
from pathlib import Path

import pytest

import hopenvs
from hopenvs import testing
from hopenvs.core.check import check_game, option_sets
from hopenvs.core.errors import PositionError
from hopenvs.core.jit import BACKEND
from hopenvs.core.walk import walk_of

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
needs_learning = pytest.mark.skipif(importlib.util.find_spec("sb3_contrib") is None, reason="needs the extra train")


@pytest.fixture(scope="module")
def pond_race():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(EXAMPLES)
        import pond_race

        yield pond_race


def position(frogs, die=2, to_play=0, **more):
    start = {"game": "pond_race", "players": len(frogs), "phase": "hop", "to_play": to_play, "frogs": frogs}
    return {**start, "die": die, "turn": 5, "winners": [], **more}


def played(game, frogs, names, players=2, **more):
    walk = walk_of(game, game.Options(players=players), position(frogs, **more), names)
    return walk, [[int(walk.record.frog[seat, frog]) for frog in range(2)] for seat in range(players)]


def test_it_keeps_the_promises_of_a_game(pond_race):
    for keywords in option_sets(pond_race):
        assert check_game(pond_race, games=1, **keywords) > 0
    assert check_game(pond_race, games=1, max_turns=5) == 5


def test_the_suite_passes(pond_race):
    env_id = hopenvs.register(pond_race)
    chapters = [chapter for chapter in testing.CHAPTERS if chapter != "rendering"]
    assert testing.check_env(env_id, games=1, faces=["aec"], chapters=chapters)


def test_a_frog_hops_as_far_as_the_die_says_and_chance_is_next(pond_race):  # PR-2, PR-3
    walk, frogs = played(pond_race, [[3, 0], [1, 1]], ["hop 1"])
    assert frogs == [[5, 0], [1, 1]]
    assert walk.is_chance
    assert walk.outcomes() == [1, 1, 1]
    walk.happen(2)
    assert (walk.current_player, walk.record.die) == (1, 3)


def test_beyond_the_last_pad_is_the_far_bank_for_good(pond_race):  # PR-3
    walk, frogs = played(pond_race, [[8, 0], [1, 1]], ["hop 1"], die=3)
    assert frogs == [[9, 0], [1, 1]]
    walk, _ = played(pond_race, [[9, 4], [1, 1]], [])
    assert walk.legal_names() == ["hop 2"]


def test_a_frog_sends_others_back_but_not_its_own(pond_race):  # PR-4
    _, frogs = played(pond_race, [[3, 5], [6, 6], [0, 7]], ["hop 1"], die=3, players=3)
    assert frogs == [[6, 5], [0, 0], [0, 7]]
    _, frogs = played(pond_race, [[3, 5], [6, 6]], ["hop 1"], die=2)
    assert frogs == [[5, 5], [6, 6]]


def test_who_has_both_frogs_across_wins(pond_race):  # PR-5
    walk, _ = played(pond_race, [[9, 7], [9, 8]], ["hop 2"])
    assert walk.is_over
    assert walk.result() == {"rewards": [1.0, -1.0], "ranks": [1, 2], "scores": None, "winners": [0]}
    walk, _ = played(pond_race, [[9, 6], [9, 8], [1, 2]], ["hop 2"], die=3, players=3)
    assert walk.result()["ranks"] == [1, 2, 3]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"die": 4}, "'die': 4"),
        ({"to_play": 2}, "'to_play': 2"),
        ({"frogs": [[0, 10], [0, 0]]}, r"'frogs\[0\]\[1\]': 10"),
        ({"frogs": [[3, 0], [3, 0]]}, "frogs of two players on one pad"),
        ({"frogs": [[9, 9], [0, 0]]}, "both frogs on the far bank"),
        ({"winners": [1]}, "'winners'"),
        ({"phase": "over"}, "'phase'"),
        ({"truncated": True}, "'truncated'"),
    ],
)
def test_impossible_positions_are_refused_by_the_key(pond_race, change, message):
    with pytest.raises(PositionError, match=message):
        walk_of(pond_race, pond_race.Options(), position([[0, 0], [0, 0]]) | change)


@pytest.mark.skipif(BACKEND == "plain", reason="800 games, half of them by a search, take minutes in plain Python")
@pytest.mark.parametrize("steps", [0, pytest.param(2000, marks=[needs_learning, pytest.mark.slow])])
def test_the_example_runs(pond_race, steps, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["14_your_own_game.py", "--steps", str(steps)])
    runpy.run_path(str(EXAMPLES / "14_your_own_game.py"), run_name="__main__")
    said = capsys.readouterr().out
    assert "positions keep the contract" in said
    assert "greedy wins" in said
    assert ("trained wins" in said) == bool(steps)
