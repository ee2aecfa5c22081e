"""Boards for study (IA-28) keep all promises of a game too."""

import pytest

from hopenvs.core.check import check_game
from hopenvs.core.jit import BACKEND
from tests.games.igel_aergern.board_text import GAME

TURNS = 6 if BACKEND == "plain" else 20


@pytest.mark.clause("IA-28")
@pytest.mark.parametrize(
    "keywords",
    [
        {"tracks": 2, "columns": 3, "pieces": 2, "pits": [1, 1]},
        {"tracks": 2, "columns": 3, "pieces": 2, "pits": [1, 1], "doping": True, "goal_count": 2, "players": 3},
        {"tracks": 3, "columns": 5, "pieces": 3, "pits": [2, 1, 3], "cylinder": True, "setup": "random"},
        {"tracks": 5, "columns": 8, "pieces": 2, "shallow_pits": True, "anarchy": True, "players": 4},
        {"tracks": 2, "pits": [3, 5], "pillars": True, "goal_count": 4},
        {"tracks": 6, "columns": 4, "pieces": 2, "pits": [1, 2, 1, 2, 1, 2], "players": 6},
    ],
    ids=lambda keywords: "x".join(str(keywords.get(name)) for name in ("tracks", "columns", "pieces", "players")),
)
def test_a_study_board_keeps_the_promises_of_a_game(keywords):
    assert check_game(GAME, games=1, max_turns=TURNS, **keywords) > 0
