import copy
import json
import random
import shutil

import pytest

from tests.cli.program import ROOT, error_line, lines_of, run, run_apart

SAMPLE = ROOT / "tests" / "records" / "igel_aergern-2p.jsonl"
ENV = "igel_aergern-2p-v0"


@pytest.fixture(scope="module")
def recorded():
    """A short game with positions, as lines."""
    small = [word for option in ("tracks=3", "columns=6", "pits=[1,2,3]", "pieces=2") for word in ("--option", option)]
    return lines_of(run("record", ENV, *small, "--seed", 7, "--positions").stdout)


@pytest.fixture
def replay(tmp_path):
    """Replay lines (objects, or text as it stands) from the file `broken.jsonl`."""

    def replay(lines):
        file = tmp_path / "broken.jsonl"
        text = "".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines)
        file.write_text(text, encoding="utf-8")
        return run("replay", file)

    return replay


def at(lines, key, skip=0):
    """The index of the line number `skip` that has a key."""
    return [k for k, line in enumerate(lines) if key in line and k][skip]


# ---- what replays ---------------------------------------------------------------------------------------------------
def test_the_sample_replays():
    lines = lines_of(SAMPLE.read_text(encoding="utf-8"))
    result = run("replay", SAMPLE)
    assert result.exit_code == 0, result.stderr
    decisions, positions = (sum(key in line for line in lines) for key in ("action", "position"))
    assert result.stdout == f"{SAMPLE}: 1 game, {decisions} decisions, {positions} positions checked\n"
    assert result.stderr == ""


@pytest.mark.parametrize(
    "arguments",
    [
        [ENV],
        ["igel_aergern-3p-v0", "--reward", "rank"],
        ["igel_aergern-6p-v0", "--reward", "score", "--option", "setup=random"],
        ["igel_aergern-4p-doping-v0", "--option", "goal_count=4", "--option", "cylinder=true"],
        [ENV, "--option", "max_turns=5"],
        [ENV, "--option", "tracks=2", "--option", "columns=3", "--option", "pits=[1,1]", "--option", "pieces=2"],
    ],
    ids=" ".join,
)
def test_what_is_recorded_replays(tmp_path, arguments):
    file = tmp_path / "games.jsonl"
    for positions in (True, False):
        flags = ["--positions"] if positions else []
        assert run("record", *arguments, "--games", 2, "--seed", 30, "--out", file, *flags).exit_code == 0
        result = run("replay", file)
        assert result.exit_code == 0, result.stderr
        assert f"{file}: 2 games, " in result.stdout
        assert (", 0 positions" in result.stdout) is not positions


def test_several_files_and_stdin():
    text = SAMPLE.read_text(encoding="utf-8")
    result = run("replay", SAMPLE, "-", stdin=text)
    first, second = result.stdout.splitlines()
    assert first.removeprefix(str(SAMPLE)) == second.removeprefix("-")
    apart = run_apart("replay", "-", stdin=text)
    assert (apart.returncode, apart.stdout, apart.stderr) == (0, second + "\n", "")


def test_blank_lines_a_byte_order_mark_and_windows_line_ends_do_no_harm(tmp_path):
    lines = SAMPLE.read_text(encoding="utf-8").splitlines()
    file = tmp_path / "games.jsonl"
    file.write_bytes(("\ufeff" + "\r\n".join(["", *lines, "", *lines]) + "\r\n\r\n").encode())
    result = run("replay", file)
    assert "2 games" in result.stdout, result.stderr


def test_a_game_may_begin_at_a_position(replay, recorded):
    """The header's position is where the game begins (C-13)."""
    k = at(recorded, "legal", 30)
    header = {**recorded[0], "position": recorded[k]["position"], "legal": recorded[k]["legal"]}
    result = replay([header, *recorded[k + 1 :]])
    assert result.exit_code == 0, result.stderr


def test_rewards_may_be_written_short(replay):
    lines = lines_of(run("record", "igel_aergern-4p-v0").stdout)
    lines[-1]["rewards"] = [round(reward, 7) for reward in lines[-1]["rewards"]]
    assert any(reward != int(reward) for reward in lines[-1]["rewards"])
    assert replay(lines).exit_code == 0


@pytest.mark.parametrize(("env", "players"), [(ENV, 2), ("igel_aergern-3p-v0", 3)])
def test_a_forfeit_ends_a_game(replay, env, players):
    lines = lines_of(run("record", env, "--positions").stdout)
    k = at(lines, "legal", 60)
    arrived = [owner for track in lines[k]["position"]["stacks"] for owner in track[-1]]
    result = {  # C-11: the scores stay as they stood
        "rewards": [1 / (players - 1), -1.0, *[1 / (players - 1)] * (players - 2)],
        "ranks": [1, players, *[1] * (players - 2)],
        "scores": [arrived.count(seat) for seat in range(players)],
        "winners": [seat for seat in range(players) if seat != 1],
    }
    end = {**lines[k]["position"], "phase": "over", "to_play": None, "winners": result["winners"]}
    for stated in ({}, {"position": end}):
        found = replay([*lines[: k + 1], {"forfeit": 1, **stated}, result])
        assert found.exit_code == 0, found.stderr
    worse = {**result, "scores": [score + 1 for score in result["scores"]]}
    assert f"line {k + 3}: scores" in error_line(replay([*lines[: k + 1], {"forfeit": 1}, worse]))


def test_pictures(recorded, tmp_path):
    file = tmp_path / "games.jsonl"
    file.write_text("\n".join(map(json.dumps, recorded)), encoding="utf-8")
    result = run("replay", file, "--render", "ansi")
    assert result.exit_code == 0, result.stderr
    assert "\x1b" not in result.stdout, "no colours in a pipe"
    for line in recorded[1:-1]:
        assert json.dumps({k: v for k, v in line.items() if k not in ("position", "legal")}) in result.stdout
    assert result.stdout.count("Igel Ärgern") == sum("position" in line for line in recorded)


# ---- what does not --------------------------------------------------------------------------------------------------
def drop_result(lines):
    del lines[-1]
    return len(lines), "unfinished: expected more events, or the result"


def cut_line(lines):
    lines[9] = json.dumps(lines[9])[:-9]
    return 10, "no JSON"


def garbage(lines):
    lines.insert(5, "Lorem ipsum")
    return 6, "no JSON"


def a_list(lines):
    lines.insert(5, "[1, 2]")
    return 6, "expected a JSON object, not list"


def a_line_of_another_kind(lines):
    lines[5] = {"seat": 0, "move": "stay"}
    return 6, "expected one of action, joint, chance, forfeit or 'rewards'"


def no_header(lines):
    del lines[0]
    return 1, "expected a header"


def header_without(key, kind):
    def edit(lines):
        del lines[0][key]
        return 1, f"header key '{key}': None: expected {kind}"

    return edit


def unknown_id(lines):
    lines[0]["env"] = "igel_aergern-2q-v0"
    return 1, "unknown id 'igel_aergern-2q-v0' (did you mean igel_aergern-2p-v0"


def other_id(lines):
    lines[0]["env"] = "igel_aergern-3p-v0"
    return 1, "option players=2 contradicts the id igel_aergern-3p-v0, which says 3"


def wrong_players(lines):
    lines[0]["players"] = 3
    return 1, "option players=3 contradicts the id igel_aergern-2p-v0, which says 2"


def contradicting_players(lines):
    lines[0]["options"]["players"] = 3
    return 1, "option players=3: the header says players 2"


def unknown_option(lines):
    lines[0]["options"]["anarchi"] = True
    return 1, "unknown option 'anarchi' of igel_aergern (did you mean anarchy?)"


def impossible_option(lines):
    lines[0]["options"]["goal_count"] = 9
    return 1, "option goal_count=9: expected an integer from 2 to 4"


def unknown_reward(lines):
    lines[0]["options"]["reward"] = "gold"
    return 1, "option reward='gold': expected one of 'win', 'rank', 'score'"


def a_family(lines):
    lines[0]["options"]["family"] = "battle"
    return 1, "option family='battle': igel_aergern-2p-v0 is of no family"


def malformed_first_position(lines):
    lines[0]["position"]["die"] = "six"
    return 1, "key 'die': 'six'"


def wrong_options(lines):
    lines[0]["options"]["pieces"] = 3
    return 1, "key 'options': pieces=2: this environment has 3"


def unknown_action(lines):
    k = at(lines, "action", 12)
    lines[k]["action"] = "fly 3"
    return k + 1, "unknown action 'fly 3'"


def illegal_action(lines):
    k = at(lines, "action", 12)
    lines[k]["action"] = "place 1"
    return k + 1, "('place 1') is illegal in phase"


def another_legal_action(lines):
    k = at(lines, "action", 1)
    lines[k]["action"] = next(name for name in lines[k - 1]["legal"] if name != lines[k]["action"])
    return k + 1, "position: stacks: "


def wrong_seat(lines):
    k = at(lines, "action", 1)
    lines[k]["seat"] = 0
    return k + 1, "seat 0: it is the turn of 1"


def left_out_decision(lines):
    k = at(lines, "action", 1)
    del lines[k]
    return k + 1, "seat 0: it is the turn of 1"


def wrong_outcome(lines):
    k = at(lines, "chance", 5)
    lines[k]["chance"] = (lines[k]["chance"] + 1) % 3
    return k + 1, "position: die: "


def outcome_beyond(lines):
    k = at(lines, "chance", 5)
    lines[k]["chance"] = 3
    return k + 1, "outcome 3: expected 0 to 2"


def outcome_in_words(lines):
    k = at(lines, "chance", 5)
    lines[k]["chance"] = "roll 3"
    return k + 1, "outcome 'roll 3': expected an integer"


def wrong_of(lines):
    k = at(lines, "chance", 5)
    lines[k]["of"] = 7
    return k + 1, "chance of 7 outcomes: by the rules there are 3"


def without_of(lines):
    k = at(lines, "chance", 5)
    del lines[k]["of"]
    return k + 1, "chance of None outcomes: by the rules there are 3"


def chance_at_a_decision(lines):
    lines.insert(1, {"chance": 0, "of": 6})
    return 2, "chance, but a decision is due"


def decision_at_chance(lines):
    k = at(lines, "chance")
    del lines[k]
    return k + 1, "a decision, but chance comes first"


def a_tick_in_a_turn_game(lines):
    lines[1] = {"joint": ["place 1", "place 2"]}
    return 2, "joint: expected one action a seat, in a simultaneous game"


def wrong_position(lines):
    k = at(lines, "position", 20)
    found = lines[k]["position"]["turn"]
    lines[k]["position"]["turn"] += 1
    return k + 1, f"position: turn: {found + 1}, by the rules {found}"


def position_with_more(lines):
    k = at(lines, "position", 20)
    lines[k]["position"]["mood"] = "good"
    return k + 1, "position: mood: 'good', by the rules None"


def position_at_a_chance_point(lines):
    k = at(lines, "chance") - 1
    lines[k]["position"] = lines[k - 1]["position"]
    return k + 1, "a position at a chance point"


def wrong_legal(lines):
    k = at(lines, "legal", 20)
    lines[k]["legal"] = [*lines[k]["legal"], "stay"]
    return k + 1, "legal: ["


def legal_out_of_order(lines):
    k = next(k for k, line in enumerate(lines) if k and len(line.get("legal", ())) > 1)
    lines[k]["legal"].reverse()
    return k + 1, "legal: ["


def wrong(key, value):
    def edit(lines):
        lines[-1][key] = value
        return len(lines), f"{key} {value!r}: by the rules it is "

    return edit


def result_without(key):
    def edit(lines):
        del lines[-1][key]
        return len(lines), f"{key} None: by the rules it is " if key != "rewards" else "expected one of action"

    return edit


def with_more(lines):
    lines[-1]["mood"] = "good"
    return len(lines), "unknown key 'mood'"


def misspelt_position(lines):
    k = at(lines, "position", 20)
    lines[k]["positionx"] = lines[k].pop("position")
    return k + 1, "unknown key 'positionx' (did you mean position?)"


def truth_value_for_a_seat(lines):
    k = at(lines, "action", 1)
    lines[k]["seat"] = True
    return k + 1, "seat True: expected no truth value"


def legal_at_a_chance_point(lines):
    k = at(lines, "chance") - 1
    lines[k]["legal"] = []
    return k + 1, "legal actions, but no decision follows"


def header_without_a_seed(lines):
    del lines[0]["seed"]
    return 1, "header key 'seed': None: expected int"


def early_result(lines):
    k = len(lines) - 2
    del lines[k]
    return k + 1, "a result, but the game goes on"


def too_long(lines):
    lines.insert(-1, {"seat": 0, "action": "stay"})
    return len(lines) - 1, "the game is over: expected the result"


def after_the_result(lines):
    lines.append({"seat": 0, "action": "stay"})
    return len(lines), "after a result: expected the header of the next game"


def another_game_too_early(lines):
    del lines[-1]
    unfinished = len(lines)
    lines.append(dict(lines[0]))
    return unfinished, "unfinished"


def forfeit_of_nobody(lines):
    lines[1] = {"forfeit": 2}
    return 2, "forfeit of 2: expected a seat, at a decision"


def forfeit_at_chance(lines):
    k = at(lines, "chance")
    lines.insert(k, {"forfeit": 0})
    return k + 1, "forfeit of 0: expected a seat, at a decision"


def forfeit_with_another_result(lines):
    lines[:] = [*lines[:1], {"forfeit": 0}, lines[-1] | {"rewards": [1.0, -1.0]}]
    return 3, "rewards [1.0, -1.0]: by the rules it is [-1.0, 1.0]"


def forfeit_and_on(lines):
    lines.insert(1, {"forfeit": 0})
    return 3, "the game is over: expected the result"


EDITS = {
    edit.__name__: edit
    for edit in (
        *(drop_result, cut_line, garbage, a_list, a_line_of_another_kind, no_header, unknown_id, other_id),
        *(wrong_players, contradicting_players, unknown_option, impossible_option, unknown_reward, a_family),
        *(malformed_first_position, wrong_options, unknown_action, illegal_action, another_legal_action, wrong_seat),
        *(left_out_decision, wrong_outcome, outcome_beyond, outcome_in_words, wrong_of, without_of),
        *(chance_at_a_decision, decision_at_chance, a_tick_in_a_turn_game, wrong_position, position_with_more),
        *(position_at_a_chance_point, wrong_legal, legal_out_of_order, early_result, too_long, after_the_result),
        *(another_game_too_early, forfeit_of_nobody, forfeit_at_chance, forfeit_with_another_result, forfeit_and_on),
    )
} | {
    "no options": header_without("options", "dict"),
    "no players": header_without("players", "int"),
    "wrong rewards": wrong("rewards", [0.0, 0.0]),
    "rewards of three": wrong("rewards", [0.0, 0.0, 0.0]),
    "wrong ranks": wrong("ranks", [1, 1]),
    "wrong scores": wrong("scores", None),
    "wrong winners": wrong("winners", [0, 1]),
    "wrongly truncated": wrong("truncated", True),
    "a result with more": with_more,
    "an event with a misspelt key": misspelt_position,
    "a truth value for a seat": truth_value_for_a_seat,
    "legal actions at a chance point": legal_at_a_chance_point,
    "a header without a seed": header_without_a_seed,
    "no rewards": result_without("rewards"),
    "no ranks": result_without("ranks"),
    "no scores": result_without("scores"),
    "no winners": result_without("winners"),
}


@pytest.mark.parametrize("name", EDITS)
def test_a_broken_record_is_refused_by_line(name, recorded, replay, tmp_path):
    lines = copy.deepcopy(recorded)
    number, expected = EDITS[name](lines)
    told = error_line(replay(lines))
    assert told.startswith(f"Error: {tmp_path / 'broken.jsonl'}: line {number}: ")
    assert expected in told


def test_the_line_is_counted_in_the_file_not_in_the_game(recorded, replay):
    broken = copy.deepcopy(recorded)
    number, expected = wrong_of(broken)
    told = error_line(replay([*recorded, *recorded, *broken]))
    assert f" line {2 * len(recorded) + number}: " in told
    assert expected in told


@pytest.mark.parametrize("edit", [wrong_of, drop_result, wrong("ranks", [1, 1])])
def test_blank_lines_are_counted(recorded, replay, edit):
    broken = copy.deepcopy(recorded)
    number, expected = edit(broken)
    told = error_line(replay(["", broken[0], "", "", *broken[1:]]))
    assert f" line {number + 3}: " in told
    assert expected in told


@pytest.mark.parametrize("content", [b"", b"\n\n"])
def test_a_file_without_a_game_is_refused(tmp_path, content):
    file = tmp_path / "empty.jsonl"
    file.write_bytes(content)
    assert "no game: expected a header" in error_line(run("replay", file))


def test_what_is_no_text_is_refused(tmp_path, recorded):
    file = tmp_path / "binary.jsonl"
    file.write_bytes(json.dumps(recorded[0]).encode() + b"\n\xff\xfe\x00\x01\n")
    assert f"{file}: line 2: no UTF-8 text" in error_line(run("replay", file))


def test_a_broken_file_does_not_keep_the_others_from_being_checked(tmp_path):
    good, broken = tmp_path / "good.jsonl", tmp_path / "broken.jsonl"
    shutil.copy(SAMPLE, good)
    broken.write_text("{}\n", encoding="utf-8")
    result = run("replay", broken, good)
    assert result.exit_code == 2
    assert result.stdout.startswith(f"{good}: 1 game, ")
    assert result.stderr.startswith(f"Error: {broken}: line 1: ")


def test_a_missing_file_and_a_folder_are_refused(tmp_path):
    assert "no-such.jsonl: No such file" in error_line(run("replay", tmp_path / "no-such.jsonl"))
    assert "Is a directory" in error_line(run("replay", tmp_path))


def test_any_changed_action_or_outcome_of_the_sample_is_found(replay):
    lines = lines_of(SAMPLE.read_text(encoding="utf-8"))
    draw = random.Random(0)
    names = {line["action"] for line in lines if "action" in line}
    stated = [k for k, line in enumerate(lines[1:], 1) if "position" in line]
    for k in draw.sample(stated, 6):
        changed = copy.deepcopy(lines)
        if "action" in changed[k]:
            changed[k]["action"] = draw.choice(sorted(names - {changed[k]["action"]}))
        else:
            changed[k]["chance"] = (changed[k]["chance"] + draw.randrange(1, 6)) % 6
        assert f"broken.jsonl: line {k + 1}: " in error_line(replay(changed))
