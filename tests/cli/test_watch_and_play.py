"""`hopenvs watch` and `hopenvs play`: games for people."""

import xml.etree.ElementTree as ElementTree

import pytest

from hopenvs.core.record import GameRecord
from tests.cli.program import ROOT, error_line, lines_of, run

ENV = "igel_aergern-2p-v0"
SAMPLE = ROOT / "tests" / "records" / "igel_aergern-2p.jsonl"


def test_a_record_is_shown_picture_by_picture_and_its_end_told():
    positions = sum("position" in line for line in lines_of(SAMPLE.read_text(encoding="utf-8")))
    result = run("watch", SAMPLE)
    assert result.exit_code == 0, result.stderr
    assert result.stdout.count("Igel Ärgern · ") == positions
    assert "\x1b" not in result.stdout, "no colours and no clearing in a pipe"
    assert result.stdout.endswith("player_1 wins; scores 2, 3\n")
    assert "player_1: step 4.6" in result.stdout or "player_1: side" in result.stdout


def test_agents_play_and_are_watched():
    first = run("watch", ENV, "--agent", "uniform", "--seed", 3, "--last", 2)
    assert first.exit_code == 0, first.stderr
    assert first.stdout.count("Igel Ärgern · ") == 2
    assert run("watch", ENV, "--seed", 3, "--last", 2).stdout == first.stdout, "the same seed shows the same game"
    assert run("watch", ENV, "--seed", 4, "--last", 2).stdout != first.stdout


def test_pictures_are_written_by_the_ending_of_the_name(tmp_path):
    for name in ("game.gif", "game.svg", "game.png"):
        file = tmp_path / name
        result = run("watch", SAMPLE, "--last", 3, "--out", file, "--dark")
        assert result.exit_code == 0, result.stderr
        assert file.stat().st_size > 5_000
    assert (tmp_path / "game.gif").read_bytes().startswith(b"GIF8")
    assert (tmp_path / "game.png").read_bytes().startswith(b"\x89PNG")
    ElementTree.parse(tmp_path / "game.svg")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("igel_aergern-2q-v0",), "did you mean igel_aergern-2p-v0"),
        ((SAMPLE, "--game", 2), "there is no game 2"),
        ((SAMPLE, "--option", "anarchy=true"), "a record's options stand in its header"),
    ],
)
def test_what_can_not_be_watched(arguments, told):
    assert told in error_line(run("watch", *arguments))


def test_a_picture_of_an_unknown_kind_and_a_seat_that_is_not_there_are_refused():
    assert "expected a name ending in .gif, .svg or .png" in run("watch", SAMPLE, "--out", "game.bmp").stderr
    assert "expected 0 to 1" in run("watch", SAMPLE, "--seat", 2).stderr
    assert "expected 0 to 1" in run("play", ENV, "--seat", 2).stderr


def test_a_person_plays_a_whole_game_by_name_and_it_is_written_down(tmp_path):
    """The answer '1' is the first legal action of the list: a game can be played with it alone."""
    file = tmp_path / "mine.jsonl"
    result = run("play", ENV, "--seed", 5, "--out", file, stdin="?\nfly\n" + "1\n" * 2_000)
    assert result.exit_code == 0, result.stderr
    assert "[1] place 1" in result.stdout, "? lists what is legal"
    assert "'fly' is not legal here" in result.stdout
    assert "wins; scores" in result.stdout
    record = GameRecord.of(file.read_text(encoding="utf-8"))
    assert {event["seat"] for event in record.events if "action" in event} == {0, 1}
    assert run("replay", file).exit_code == 0
    for event in record.events:
        if "action" in event and event["seat"] == 1:
            assert f"player_1: {event['action'].split(' ')[0]}" in result.stdout, "the others' moves are told"
            break


def test_leaving_the_table_is_no_fault():
    result = run("play", ENV, "--seed", 5, stdin="1\n")
    assert result.exit_code == 1
    assert "left unfinished" in result.stderr
    assert "Traceback" not in result.stderr


def test_two_people_at_one_table_see_what_each_may_see():
    result = run("play", ENV, "--agent", "human", "--agent", "human", "--seed", 1, stdin="1\n" * 3_000)
    assert result.exit_code == 0, result.stderr
    assert "player_0> " in result.stdout
    assert "player_1> " in result.stdout
