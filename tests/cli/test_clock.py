"""`hopenvs play --clock`: a game in real time, and the person who is too slow for it."""

import os
import time
from io import StringIO

import pytest

from hopenvs.cli.clock import Clock
from hopenvs.core.record import read_records
from tests.cli.program import error_line, run

ENV = "hexx_hopp-2p-1r-v0"
LONG = 0.01  # ticks a second: nothing here waits so long
SHORT = 50.0


@pytest.fixture
def keyboard():
    """Something to type into, and a stream of what is typed."""
    reading, writing = os.pipe()
    with os.fdopen(reading, encoding="utf-8") as stream:
        yield writing, stream


def test_what_is_typed_is_read_line_by_line_also_its_last_piece(keyboard):
    writing, stream = keyboard
    clock = Clock(LONG, stream)
    os.write(writing, b"wa")
    os.write(writing, "it\nnächster".encode())
    os.close(writing)
    assert clock.read("> ") == "wait"
    assert clock.read("> ") == "nächster"
    for _ in range(2):
        with pytest.raises(EOFError):
            clock.read("> ")


def test_no_answer_in_time_and_a_late_one_counts_in_the_next_tick(keyboard):
    writing, stream = keyboard
    clock = Clock(SHORT, stream)
    with pytest.raises(TimeoutError):
        clock.read("> ")
    os.write(writing, b"next\n")
    while clock._lines.empty():
        time.sleep(0.001)
    clock.wait_for_end()
    assert clock.read("> ") == "next"
    os.close(writing)


def test_a_tick_lasts_as_long_as_it_is_said_to():
    clock = Clock(SHORT, StringIO("a\nb\n"))
    began = time.monotonic()
    for line in ("a\n", "b\n"):
        assert clock.read("> ") == line
        clock.wait_for_end()
    assert time.monotonic() - began >= 2 / SHORT


def test_answers_in_time_are_played_and_ticks_go_on_without_any(tmp_path, monkeypatch):
    monkeypatch.setattr(Clock, "_listen", lambda self, stream: self._lines.put("next"))  # and then silence
    file = tmp_path / "mine.jsonl"
    result = run("play", ENV, "--seed", 3, "--against", "greedy", "--clock", SHORT, "--out", file)
    assert result.exit_code == 0, result.stderr
    (record,) = read_records(file.read_text(encoding="utf-8").splitlines())
    mine = [event["joint"][0] for event in record.events if "joint" in event]
    assert mine[0] == "next"
    assert {action.split(" ")[0] for action in mine[1:]} <= {"wait", "give"}
    assert "no answer: wait" in result.stdout
    assert run("replay", file).exit_code == 0


def test_the_end_of_input_leaves_the_table():
    result = run("play", ENV, "--clock", SHORT, stdin="wait\nwait\n")
    assert result.exit_code == 0
    assert result.stdout.count("player_1: ") == 2
    assert "left unfinished" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("igel_aergern-2p-v0", "--clock", 1), "Error: --clock 1: igel_aergern-2p-v0 has no ticks"),
        ((ENV, "--agent", "human", "--clock", 0.5), "Error: --clock 0.5: expected one person at the table, not 2"),
    ],
)
def test_what_has_no_sense_is_refused(arguments, told):
    assert told in error_line(run("play", *arguments))
