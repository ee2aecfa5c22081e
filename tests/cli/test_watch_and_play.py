"""`hopenvs watch` and `hopenvs play`: games for people."""

import re
import sys
import xml.etree.ElementTree as ElementTree

import pytest

from hopenvs.agents import as_agent
from hopenvs.cli.record import chooser
from hopenvs.core.record import GameRecord, play_record
from hopenvs.core.walk import Walk
from hopenvs.registry import record_header, resolve
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
        (("nope.jsonl",), "Error: nope.jsonl: No such file or directory"),
        (("nope",), "nor is there a file of that name"),
        ((ENV, "--agent", "human"), "people play with `hopenvs play`"),
        *(
            ((SAMPLE, flag, value), f"Error: {flag}: {SAMPLE} is a record")
            for flag, value in (("--option", "anarchy=true"), ("--agent", "greedy"), ("--seed", 0))
        ),
        ((SAMPLE, "--trust"), "Error: --trust: "),
        ((ENV, "--game", 1), "Error: --game: igel_aergern-2p-v0 is an id"),
        ((SAMPLE, "--in", "terminal", "--out", "x.gif"), "Error: --in: with --out the pictures go to a file"),
        ((SAMPLE, "--dark"), "Error: --dark: the terminal has its own colours"),
        ((SAMPLE, "--delay", 1, "--out", "x.png"), "Error: --delay: a .png is a single picture"),
        ((SAMPLE, "--delay", 0, "--out", "x.gif"), "Error: --delay 0: expected 0.02 to 200 seconds"),
        ((SAMPLE, "--delay", 0, "--out", "x.SVG"), "Error: --delay 0: expected 0.02 to 200 seconds"),
        ((SAMPLE, "--delay", "1e9", "--out", "x.gif"), "Error: --delay 1e+09: expected 0.02"),
        ((SAMPLE, "--delay", "nan"), "Error: --delay nan: expected 0 to 200 seconds"),
        ((SAMPLE, "--delay", -1), "Error: --delay -1: expected 0"),
        ((SAMPLE, "--out", "no/such/folder/game.gif"), "no/such/folder/game.gif: No such file or directory"),
    ],
)
def test_what_can_not_be_watched(arguments, told):
    assert told in error_line(run("watch", *arguments))


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "no game: expected a header"),
        (b"PK\x03\x04\xff\xfe", "line 1: no UTF-8 text"),
        (b"hello", "line 1: no JSON"),
        (b'{"env": "igel-v0", "options": {}, "players": 2, "seed": 1}', "unknown id 'igel-v0'"),
        (b'{"env": "%s", "options": {}, "players": 2, "seed": 1}\n{"chance": 9, "of": 9}' % ENV.encode(), "line 2"),
    ],
)
def test_a_file_that_is_no_record_is_named(tmp_path, content, told):
    file = tmp_path / "games.zip"
    file.write_bytes(content)
    assert error_line(run("watch", file)).startswith(f"Error: {file}: {told}")


def test_what_is_not_installed_is_named(tmp_path, monkeypatch):
    for module in ("pygame", "pypdfium2"):
        monkeypatch.setitem(sys.modules, module, None)
    assert "--in window: a window needs pygame-ce: pip install" in error_line(
        run("watch", ENV, "--last", 1, "--in", "window", "--seed", 0)
    ).replace("pictures in pixels need pypdfium2 and Pillow", "a window needs pygame-ce")
    for name in ("game.gif", "game.png"):
        told = error_line(run("watch", SAMPLE, "--last", 2, "--out", tmp_path / name))
        assert f"{name}: pictures in pixels need pypdfium2 and Pillow: pip install hopenvs[render]" in told


def test_a_machine_without_a_display_shows_no_window(monkeypatch):
    def no_display():
        raise RuntimeError("No available video device")  # as pygame.error is one

    monkeypatch.setattr("hopenvs.render.window._pygame", no_display)
    assert error_line(run("watch", SAMPLE, "--in", "window")) == "Error: --in window: No available video device"


def test_pictures_are_counted(tmp_path):
    for name, last, told in (("a.svg", 1, "1 picture"), ("a.SVG", 2, "2 pictures"), ("b.Png", 2, "1 picture")):
        assert run("watch", SAMPLE, "--last", last, "--out", tmp_path / name).stderr == f"{tmp_path / name}: {told}\n"


def test_a_picture_of_an_unknown_kind_and_a_seat_that_is_not_there_are_refused():
    assert "expected a name ending in .gif, .svg or .png" in run("watch", SAMPLE, "--out", "game.bmp").stderr
    assert "expected 0 to 1" in run("watch", SAMPLE, "--seat", 2).stderr
    assert "expected 0 to 1" in run("play", ENV, "--seat", 2).stderr


def answers(seed, people=(0,), most=None):
    """What people say who always take the first legal action, against uniform players, a line each."""
    game, options = resolve(ENV, {})
    first = as_agent(lambda observations, masks: masks.argmax(axis=1))
    seats = [first if seat in people else as_agent("uniform") for seat in range(2)]
    record = play_record(Walk(game, options), record_header(ENV, game, options, seed), chooser(seats, seed))
    said = [event["action"] for event in record.events if event.get("seat") in people]
    return "".join(f"{line}\n" for line in said[:most])


def test_a_person_plays_a_whole_game_by_name_and_it_is_written_down(tmp_path):
    file = tmp_path / "mine.jsonl"
    result = run("play", ENV, "--seed", 5, "--out", file, stdin="fly\n" + answers(5))
    assert result.exit_code == 0, result.stderr
    assert "place 1   place 2" in result.stdout, "what is legal"
    assert "`quit` or Ctrl-D leaves" in result.stdout
    assert "'fly' is not legal here" in result.stdout
    assert "wins; scores" in result.stdout
    assert f"stands in {file}" in result.stderr
    record = GameRecord.of(file.read_text(encoding="utf-8"))
    assert {event["seat"] for event in record.events if "action" in event} == {0, 1}
    assert run("replay", file).exit_code == 0
    for event in record.events:
        if "action" in event and event["seat"] == 1:
            assert f"player_1: {event['action'].split(' ')[0]}" in result.stdout, "the others' moves are told"
            break


@pytest.mark.parametrize("last", ["", "quit\n"])
def test_leaving_the_table_is_no_fault_and_what_was_played_is_kept(tmp_path, last):
    file = tmp_path / "mine.jsonl"
    result = run("play", ENV, "--seed", 5, "--out", file, stdin=answers(5, most=3) + last)
    assert result.exit_code == 0
    assert f"left unfinished, and stands in {file}" in result.stderr
    assert "Traceback" not in result.stderr
    record = GameRecord.of(file.read_text(encoding="utf-8"))
    assert record.result is None
    assert sum(event.get("seat") == 0 for event in record.events) == 3
    watched = run("watch", file)
    assert watched.exit_code == 0, watched.stderr
    assert watched.stdout.endswith("the game was left unfinished\n")
    assert "left unfinished." in run("play", ENV, stdin=last).stderr


def test_a_person_reads_of_moves_by_the_names_of_the_own_view():
    """In Hooop! each seat sees the board from its own side, and types names of that view."""
    result = run("play", "hooop-3p-v0", "--seat", 1, "--seed", 1, stdin="jump H0>10\nend\n")
    assert "player_1: jump H0>10\n" in result.stdout
    assert "player_0: jump H2>14\n" in result.stdout
    assert "jump H2>14" in next(line for line in result.stdout.splitlines() if line.startswith("last: "))


def test_a_file_that_can_not_be_written_is_told_before_the_first_move(tmp_path):
    result = run("play", ENV, "--out", tmp_path / "nowhere" / "mine.jsonl", stdin=answers(5))
    assert error_line(result).endswith("No such file or directory")
    before = tmp_path / "before.jsonl"
    before.write_text("precious")
    assert "unknown agent" in error_line(run("play", ENV, "--out", before, "--against", "nobody"))
    assert before.read_text() == "precious"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--agent", "human", "--seat", 0), "--seat: --agent says who plays"),
        (("--agent", "human", "--against", "greedy"), "--against: --agent says who plays"),
        (("--agent", "greedy"), "nobody at the table is 'human'"),
    ],
)
def test_options_that_would_have_no_effect_are_refused(arguments, told):
    assert told in error_line(run("play", ENV, *arguments))


def test_a_seed_beyond_64_bits_is_refused():
    for verb in ("play", "watch"):
        result = run(verb, ENV, "--seed", 2**64)
        assert (result.exit_code, result.stdout) == (2, "")
        assert "--seed" in result.stderr


def test_two_people_at_one_table_see_what_each_may_see():
    stdin = answers(1, people=(0, 1))
    result = run("play", ENV, "--agent", "human", "--agent", "human", "--seed", 1, stdin=stdin)
    assert result.exit_code == 0, result.stderr
    assert "player_0> " in result.stdout
    assert "player_1> " in result.stdout


# ---- advice ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("adviser", ["greedy", pytest.param("mcts:20", marks=pytest.mark.slow)])
def test_an_adviser_tells_what_it_considers_before_a_person_decides(adviser):
    result = run("play", ENV, "--seed", 3, "--adviser", adviser, stdin="?\nquit\n")
    assert result.exit_code == 0, result.stderr
    said = result.stdout.splitlines()
    first = said.index(f"{adviser} considers 6 of 6 actions:")
    told = said[first + 1 : first + 6]
    assert all(re.match(r"  place \d: [+-]", line) for line in told)
    assert all(("simulations" in line) == (adviser != "greedy") for line in told)
    assert run("play", ENV, "--seed", 3, "--adviser", adviser, stdin="quit\n").stdout.count("considers") == 1


@pytest.mark.parametrize(
    ("adviser", "told"), [("uniform", "can't explain itself"), ("human", "people play"), ("mcts:0", "expected mcts:N")]
)
def test_an_adviser_that_has_nothing_to_tell_is_refused(adviser, told):
    result = run("play", ENV, "--adviser", adviser)
    assert result.exit_code == 2
    assert told in error_line(result)
