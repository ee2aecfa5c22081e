"""Protocols: what they fix stays fixed."""

from dataclasses import FrozenInstanceError

import pytest

import hopenvs
from hopenvs.agents import FunctionAgent
from hopenvs.agents.match import CONFIDENCE
from hopenvs.core import jit
from hopenvs.core.errors import OptionError
from hopenvs.train.evaluate import evaluate
from hopenvs.train.protocol import PROTOCOLS, Opponent, Protocol, about, games_of, measure, protocol_named

SMALL = Protocol((Opponent("uniform", 20), Opponent("greedy", 7)), PROTOCOLS["v0"].seed)


def test_protocol_v0_never_changes():
    """Whoever needs another one adds v1: figures found by v0 are in papers."""
    assert protocol_named("v0").as_dict() == {
        "opponents": [
            {"agent": "uniform", "games": 1000},
            {"agent": "greedy", "games": 1000},
            {"agent": "mcts:100", "games": 200},
            {"agent": "mcts:400", "games": 200},
        ],
        "first_seed": 50_000_000,
        "seats": "the agent on one, rotating, the opponent on all others",
        "options": "those of the id",
        "reward": "win",
        "interval": "Wilson",
        "confidence": 0.95,
    }
    with pytest.raises(FrozenInstanceError):
        PROTOCOLS["v0"].seed = 3  # type: ignore[misc]


def test_its_figures_never_change_either(ids):
    """These games were played once: seeds, seating and counting are what they were, or this fails."""
    found = measure(ids["card_game"], ["greedy", "uniform"], SMALL)
    figures = [
        (score.agent, score.opponent, standing.games, standing.shares.tolist(), str(standing.win_rate))
        for score in found
        for standing in score.match.standings[:1]
    ]
    assert figures == [
        ("greedy", "uniform", 20, [5.5, 6.0], "57.5 % [36.4, 76.2]"),
        ("greedy", "greedy", 8, [2.0, 2.0], "50.0 % [21.5, 78.5]"),
        ("uniform", "uniform", 20, [4.5, 4.5], "45.0 % [25.8, 65.8]"),
        ("uniform", "greedy", 8, [3.0, 2.5], "68.8 % [35.6, 89.8]"),
    ]


def test_each_agent_plays_by_itself_on_one_seat_of_a_table_of_opponents():
    env = "igel_aergern-3p-v0"
    protocol = Protocol((Opponent("uniform", 30 if jit.BACKEND == "numba" else 4),), 11)
    (score,) = measure(env, ["greedy"], protocol)
    standing, other = score.match.standings
    games = games_of(protocol, 3)
    assert standing.games == games
    assert standing.played.tolist() == [games // 3] * 3
    assert other.played.tolist() == [2 * games // 3] * 3
    same = evaluate(env, ["greedy", "uniform"], games, 11)
    assert score.match.as_dict() == same.as_dict()
    assert score.as_dict()["win_rate_low"] == standing.win_rate.low


def test_it_tells_all_that_a_paper_needs(ids):
    told = about("v0", ids["card_game"])
    assert told["env"] == ids["card_game"]
    assert (told["game_version"], told["hopenvs"]) == (0, hopenvs.__version__)
    assert told["protocol"] == {"name": "v0", **PROTOCOLS["v0"].as_dict()}
    assert told["protocol"]["confidence"] == CONFIDENCE


def test_progress_counts_the_games_it_says_there_are(ids):
    told: list[tuple[int, tuple[str, str]]] = []
    first = FunctionAgent(lambda observations, masks: masks.argmax(axis=1))
    measure(ids["card_game"], ["uniform", first], SMALL, progress=lambda count, who: told.append((count, who)))
    assert sum(count for count, _ in told) == 2 * games_of(SMALL, 2) == 2 * 28
    assert {who for _, who in told} == {
        (agent, opponent) for agent in ("uniform", "<lambda>") for opponent in ("uniform", "greedy")
    }


def test_an_unknown_protocol_is_refused():
    with pytest.raises(OptionError, match=r"protocol 'v1': there is none \(did you mean v0"):
        protocol_named("v1")


@pytest.mark.slow
def test_all_of_its_opponents_play(ids):
    small = Protocol(tuple(Opponent(opponent.agent, 2) for opponent in PROTOCOLS["v0"].opponents), 0)
    assert len(measure(ids["card_game"], ["uniform"], small)) == 4
