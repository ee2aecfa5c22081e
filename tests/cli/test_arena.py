"""`hopenvs arena`, and `hopenvs eval --protocol`."""

import json
from typing import Any

import numpy as np
import pytest

from hopenvs.agents.match import Match, Standing, wilson
from hopenvs.cli import arena, terminal
from hopenvs.cli import eval as eval_
from hopenvs.train.ladder import Ladder, Rung
from hopenvs.train.protocol import PROTOCOLS, Opponent, Protocol, Score
from tests.cli.program import GAMES, error_line, run

pytest.importorskip("matplotlib")

CARDS = ("card_game-v0", "--module", f"{GAMES}.card_game")


@pytest.fixture
def wide(monkeypatch):
    """A terminal of 80 columns."""
    monkeypatch.setattr(terminal, "is_terminal", lambda stream: True)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")


# ---- arena ----------------------------------------------------------------------------------------------------------
def test_each_agent_is_a_line_the_strongest_first(tmp_path):
    result = run("arena", *CARDS, "--games", 40, "--out", tmp_path / "arena")
    assert result.exit_code == 0, result.stderr
    assert result.stderr.endswith(f"folder: {tmp_path / 'arena'}\n")
    rows = [line.split("\t") for line in result.stdout.splitlines()]
    assert [row[0] for row in rows] == ["greedy", "uniform"]
    ahead, behind = rows
    assert len(ahead) == 6 + 2 + 2
    rating, low, high = map(int, behind[1:4])
    assert low < rating < high
    assert ahead[1:4] == ["0", "0", "0"]
    assert ahead[5] == "40"
    assert float(ahead[4]) == pytest.approx(np.mean([float(share) for share in ahead[6:8]]), abs=0.1)
    assert (ahead[8], behind[9]) == ("-", "-")
    assert float(ahead[9]) + float(behind[8]) == pytest.approx(100, abs=0.11)


def test_json_is_what_the_folder_holds_and_it_can_be_resumed(tmp_path):
    folder = tmp_path / "arena"
    options = ("--option", "players=3", "--seed", 5, "--out", folder)
    result = run("arena", *CARDS, *options, "--games", 6, "--json")
    assert json.loads(result.stdout) == json.loads((folder / "result.json").read_text(encoding="utf-8"))
    assert json.loads(result.stdout)["options"] == {"players": 3}
    assert "holds an arena already" in error_line(run("arena", *CARDS, *options))
    more = run("arena", *CARDS, "--out", folder, "--resume", "--games", 12, "--json")
    assert more.exit_code == 0, more.stderr
    found = json.loads(more.stdout)
    assert (found["games_per_pair"], found["seed"], found["options"]) == (12, 5, {"players": 3})


def test_its_folder_is_named_after_the_id_unless_told_otherwise(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("arena", *CARDS, "--games", 2).exit_code == 0
    assert (tmp_path / "arenas" / "card_game-v0" / "ladder.png").exists()


def test_an_interrupted_arena_tells_how_to_go_on(tmp_path, monkeypatch):
    from hopenvs.train import arena_folder

    def interrupt(*_: Any):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(arena_folder.GamesFile, "add", interrupt)
        result = run("arena", *CARDS, "--games", 6, "--out", tmp_path / "an arena")
    assert result.exit_code == 130
    again = f"hopenvs arena card_game-v0 --out '{tmp_path / 'an arena'}' --resume --module {CARDS[2]}\n"
    assert result.stderr.endswith(f"Interrupted, 6 games to go. To go on: {again}")
    assert run("arena", *CARDS, "--out", tmp_path / "an arena", "--resume").exit_code == 0


def test_what_makes_no_sense_is_refused_in_one_line(tmp_path):
    out = ("--out", tmp_path / "arena")
    assert "1 agents: expected two or more" in error_line(run("arena", *CARDS, *out, "--agents", "uniform"))
    assert "given twice" in error_line(run("arena", *CARDS, *out, "--agents", "uniform,uniform"))
    assert "did you mean greedy" in error_line(run("arena", *CARDS, *out, "--agents", "uniform,gredy"))
    assert "no arena to resume" in error_line(run("arena", *CARDS, *out, "--resume"))
    assert not (tmp_path / "arena").exists()


def test_a_bar_has_room_for_long_names():
    long = ("runs/igel_aergern-2p-v0-one/model.zip", "runs/igel_aergern-2p-v0-another")
    assert eval_.against(long) == "runs….zip against runs…ther"
    assert eval_.against(("uniform", "greedy")) == "uniform against greedy"


@pytest.mark.usefixtures("wide")
def test_a_ladder_of_six_players_and_eight_agents_fits_a_terminal_of_80_columns(capsys):
    names = ["runs/igel_aergern-6p-v0-another-one/model.zip", *"abcdefg"]
    rungs = tuple(Rung(name, 1500.4, 1400.0, -1600.0, 140_000, 0.5, (1.0,) * 6) for name in names)
    shares = {(one, other): wilson(1.0, 100) for one in names for other in names if one != other}
    arena._tell(Ladder(rungs, shares, 20_000, (), 0, "a"))
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert max(map(len, lines)) <= 80
    assert sum("…" in line for line in lines) == 3, "three tables, no line broken"
    assert any(line.split()[2:] == ["1,500", "1,400", "-1,600", "50.0", "140,000"] for line in lines)
    assert any("share % by seat (16.7 is fair)" in line for line in lines)


# ---- eval --protocol ------------------------------------------------------------------------------------------------
@pytest.fixture
def small(monkeypatch):
    """A protocol of few games in place of v0."""
    monkeypatch.setitem(PROTOCOLS, "v0", Protocol((Opponent("uniform", 7), Opponent("greedy", 4)), 50_000_000))


@pytest.mark.usefixtures("small")
def test_a_protocol_gives_a_line_for_every_agent_and_opponent():
    result = run("eval", *CARDS, "--agents", "greedy,uniform", "--protocol", "v0")
    assert result.exit_code == 0, result.stderr
    rows = [line.split("\t") for line in result.stdout.splitlines()]
    pairs = [[agent, opponent] for agent in ("greedy", "uniform") for opponent in ("uniform", "greedy")]
    assert [row[:2] for row in rows] == pairs
    assert [row[2] for row in rows] == ["8", "4"] * 2
    for row in rows:
        share, low, high, *by_seat = map(float, row[3:])
        assert low <= share <= high
        assert share == pytest.approx(np.mean(by_seat), abs=0.1)
    assert run("eval", *CARDS, "--agents", "greedy,uniform", "--protocol", "v0").stdout == result.stdout


@pytest.mark.usefixtures("small")
def test_a_protocols_json_says_what_was_fixed():
    found = json.loads(run("eval", *CARDS, "--agents", "greedy", "--protocol", "v0", "--json").stdout)
    assert found["protocol"] == {"name": "v0", **PROTOCOLS["v0"].as_dict()}
    assert {"env", "game_version", "hopenvs"} < set(found)
    assert [(score["opponent"], score["games"]) for score in found["scores"]] == [("uniform", 8), ("greedy", 4)]


@pytest.mark.parametrize("given", [("--games", 10), ("--seed", 0), ("--option", "goal=5"), ("--reward", "win")])
def test_what_a_protocol_fixes_cannot_be_given_beside_it(given):
    line = error_line(run("eval", *CARDS, "--protocol", "v0", *given))
    assert line == f"Error: {given[0]}: the protocol v0 says what is played"


def test_an_unknown_protocol_is_refused():
    assert "protocol 'v9': there is none (did you mean v0?)" in error_line(run("eval", *CARDS, "--protocol", "v9"))


def test_the_help_says_all_that_v0_fixes():
    words = " ".join(run("eval", "--help").stdout.split())
    for opponent in PROTOCOLS["v0"].opponents:
        assert f"{opponent.agent} ({opponent.games:,}" in words
    assert f"seeds from {PROTOCOLS['v0'].seed} on" in words


@pytest.mark.usefixtures("wide")
def test_scores_of_six_players_fit_a_terminal_of_80_columns(capsys):
    sat, ten = np.full(6, 20_000), np.full(6, 20_000.0)
    names = ("runs/igel_aergern-6p-v0-another-one/model.zip", "mcts:400")
    standings = tuple(Standing(name, 120_000, sat, sat, ten, -ten, ten, 1e5) for name in names)
    eval_._tell_scores([Score(*names, Match(standings, 120_000, 3, 1))] * 2, 6)
    told = capsys.readouterr()
    assert told.err == "6 games were cut off (max_turns)\n"
    assert max(len(line.rstrip()) for line in told.out.splitlines()) <= 80
    assert told.out.count("mcts:400") == 4
