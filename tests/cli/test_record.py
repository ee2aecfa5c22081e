import json
from pathlib import Path

import numpy as np
import pytest

import hopenvs
from hopenvs.agents import as_agent
from hopenvs.cli.players import seat_agents
from hopenvs.cli.record import chooser
from hopenvs.core import rng
from hopenvs.core.record import play_record, read_records
from hopenvs.core.walk import Walk
from hopenvs.registry import record_header, resolve
from tests.cli.program import GAMES, error_line, lines_of, run, run_apart

SAMPLE = Path(__file__).resolve().parents[1] / "records" / "igel_aergern-2p.jsonl"
ENV = "igel_aergern-2p-v0"

# The keys of a line in their order (C-13).
HEADER = ("env", "options", "players", "seed")
RESULT = ("rewards", "ranks", "scores", "winners")
STATED = {("position", "legal"), ("position",), ()}
GRAMMAR = {
    *(HEADER + more for more in STATED),
    *(("seat", "action", *more) for more in STATED),
    *(("joint", *more) for more in STATED),
    *(("chance", "of", *more) for more in STATED),
    RESULT,
    ("truncated", *RESULT),
}


def record(*arguments):
    result = run("record", *arguments)
    assert result.exit_code == 0, result.stderr
    return result.stdout


def test_the_form_is_that_of_the_sample():
    ours, sample = record(ENV, "--seed", 11, "--positions"), SAMPLE.read_text(encoding="utf-8")
    kinds = []
    for text in (ours, sample):
        assert text == "".join(json.dumps(line) + "\n" for line in lines_of(text)), "one line is one plain dump"
        kinds.append({tuple(line) for line in lines_of(text)})
        assert kinds[-1] <= GRAMMAR
    assert kinds[0] == kinds[1], "lines of the same kinds, their keys in the same order"


def test_the_header_the_events_and_the_result_are_as_specified():
    header, *events, result = lines_of(record(ENV, "--seed", 4))
    assert header == {"env": ENV, "options": {}, "players": 2, "seed": 4}
    assert {tuple(event) for event in events} == {("seat", "action"), ("chance", "of")}
    assert all(event["of"] == 6 for event in events if "chance" in event)
    assert sorted(result["rewards"]) == [-1.0, 1.0]
    assert [result["rewards"][seat] for seat in result["winners"]] == [1.0]


def test_with_positions_every_line_but_those_before_chance_states_one():
    header, *events, _ = lines_of(record(ENV, "--positions"))
    lines = [header, *events]
    for line, after in zip(lines, [*events, {}], strict=True):
        if "chance" in after:
            assert "position" not in line
            assert "legal" not in line
        else:
            assert "position" in line
            assert ("legal" in line) is (line["position"]["phase"] != "over")
    assert events[-1]["position"]["phase"] == "over"


@pytest.mark.parametrize(
    ("env", "arguments", "options"),
    [
        (ENV, [], {}),
        ("igel_aergern-2p-anarchy-v0", [], {"anarchy": True}),
        (
            "igel_aergern-2p-anarchy-v0",
            ["--option", "anarchy=true", "--reward", "rank"],
            {"anarchy": True, "reward": "rank"},
        ),
        (
            ENV,
            ["--option", "cylinder=True", "--option", "pits=[3,6,4,5,2,6]", "--option", "setup=random"],
            {"cylinder": True, "setup": "random", "pits": [3, 6, 4, 5, 2, 6]},
        ),
        (ENV, ["--option", "setup=choice", "--option", "max_turns=9", "--option", "goal_count=null"], {"max_turns": 9}),
    ],
)  # fmt: skip
def test_the_header_lists_every_option_that_is_not_the_games_default(env, arguments, options):
    text = record(env, *arguments)
    assert lines_of(text)[0]["options"] == options
    assert run("replay", "-", stdin=text).exit_code == 0


def test_a_truncated_game_says_so_first():
    result = lines_of(record(ENV, "--option", "max_turns=3"))[-1]
    assert tuple(result) == ("truncated", *RESULT)
    assert result["truncated"] is True
    assert result["winners"] == []
    assert result["rewards"] == [0.0, 0.0]


def test_game_k_has_seed_s_plus_k():
    text = record(ENV, "--seed", 2**64 - 2, "--games", 3)
    games = list(read_records(text.splitlines()))
    assert [game.header["seed"] for game in games] == [2**64 - 2, 2**64 - 1, 0]
    assert list(games[2].lines()) == record(ENV, "--seed", 0).splitlines(), "a game doesn't depend on those before it"


def test_the_same_arguments_write_the_same_file(tmp_path):
    arguments = ("record", ENV, "--seed", "5", "--games", "2", "--positions", "--agent", "uniform", "--out")
    run(*arguments, tmp_path / "one")
    apart = run_apart(*arguments, tmp_path / "two")
    assert (apart.returncode, apart.stdout) == (0, "")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert record(*arguments[1:-1]).encode() == (tmp_path / "one").read_bytes()


def test_seeds_differ():
    assert record(ENV, "--seed", 1).splitlines()[1:] != record(ENV, "--seed", 2).splitlines()[1:]


def test_chance_is_that_of_every_other_face():
    header, *events, result = lines_of(record(ENV, "--seed", 21, "--positions"))
    env = hopenvs.make(ENV)
    env.reset(seed=21)
    rows = hopenvs.make_vec(ENV, 3)
    rows.reset(seed=19)  # row 2 has seed 21
    assert env.position() == header["position"]
    for event in events:
        if "action" in event:
            action = env.parse_action(event["action"])
            env.step(action)
            actions = rows._batch.mask[:, 0].argmax(axis=1)
            actions[2] = action
            rows.step(actions)
        if "position" in event:
            assert env.position() == event["position"]
    assert [env.rewards[agent] for agent in env.possible_agents] == result["rewards"]
    assert rows.final_states["rewards"][2, :2].tolist() == result["rewards"]


def test_choices_are_drawn_from_a_stream_apart_from_the_games():
    """Whoever plays, the dice fall as they do for anybody else with this seed."""
    game, options = resolve(ENV, {})
    rolls = []
    for agent in ("uniform", lambda observations, masks: masks.argmax(axis=1)):
        walk = Walk(game, options)
        header = record_header(ENV, game, options, 8)
        choose = chooser([as_agent(agent)] * 2, 8)
        played = play_record(walk, header, choose)
        rolls.append([event["chance"] for event in played.events if "chance" in event])
    shared = min(map(len, rolls))
    assert shared > 10
    assert rolls[0][:shared] == rolls[1][:shared]


def test_an_agent_sees_its_own_view_and_no_coming_dice():
    game, options = resolve(ENV, {})
    seen = []

    class Watcher:
        def act(self, observations, masks, *, states, seats, streams):
            seen.append((observations.shape, masks.shape, states["rng"][0].copy(), seats.tolist(), streams.shape))
            return masks.argmax(axis=1)

    walk = Walk(game, options)
    walk.start(6)
    choose = chooser([Watcher()] * 2, 6)
    size, actions = game.spec(options).observation_size, game.spec(options).num_actions
    for _ in range(9):
        walk.play(*choose(walk))
        walk.draw_all()
        observations, masks, generator, _, streams = seen[-1]
        assert (observations, masks, streams) == ((1, size), (1, actions), (1, 4))
        assert not np.array_equal(generator, walk.states["rng"][0])
        assert not np.array_equal(generator, rng.generator(6, rng.GAME))
    assert seen[1][3] == [1]


def test_one_agent_plays_all_seats_or_each_its_own():
    game, options = resolve("igel_aergern-3p-v0", {})
    assert len(seat_agents(["uniform"], 3, game, options)) == 3
    assert len(seat_agents(["uniform"] * 3, 3, game, options)) == 3
    one = record("igel_aergern-3p-v0")
    assert record("igel_aergern-3p-v0", *["--agent", "uniform"] * 3) == one


def test_a_simultaneous_game_is_written_by_ticks():
    result = run_apart(
        "record", "tick_game-v0", "--module", f"{GAMES}.tick_game", "--positions", HOPENVS_BACKEND="plain"
    )
    assert result.stderr == ""
    lines = lines_of(result.stdout)
    assert {tuple(line) for line in lines} <= GRAMMAR
    ticks = [line for line in lines if "joint" in line]
    assert ticks
    assert all(len(line["joint"]) == 3 for line in ticks)
    assert len(lines[0]["legal"]) == 3
    again = run_apart("replay", "-", "--module", f"{GAMES}.tick_game", stdin=result.stdout, HOPENVS_BACKEND="plain")
    assert again.returncode == 0, again.stderr


def test_compiling_is_announced_on_stderr_alone(monkeypatch):
    monkeypatch.setattr("hopenvs.cli.cold.is_compiled", lambda kernel: False)
    result = run("record", ENV)
    (line,) = result.stderr.splitlines()
    assert line.startswith("Compiling igel_aergern")
    assert lines_of(result.stdout)[0]["env"] == ENV


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["igel_aergern-2q-v0"], "unknown id 'igel_aergern-2q-v0' (did you mean igel_aergern-2p-v0"),
        ([ENV, "--option", "anarchi=true"], "unknown option 'anarchi' of igel_aergern (did you mean anarchy?)"),
        ([ENV, "--option", "anarchy=7"], "option anarchy=7: expected True or False"),
        ([ENV, "--option", "setup=chance"], "option setup='chance': expected one of 'choice', 'random'"),
        ([ENV, "--option", "players=3"], "option players=3 contradicts the id igel_aergern-2p-v0, which says 2"),
        ([ENV, "--option", "goal_count=4", "--option", "pieces=3"], "option goal_count=4: expected at most pieces=3"),
        ([ENV, "--agent", "nobody"], "unknown agent 'nobody'"),
        ([ENV, "--agent", "human"], "agent 'human': people play with `hopenvs play` (its --out writes"),
        ([ENV, "--reward", "gold"], "option reward='gold': expected one of 'win', 'rank', 'score'"),
        ([ENV, "--out", "no/such/folder/file"], "no/such/folder/file: No such file or directory"),
    ],
)
def test_bad_input_is_named_with_what_was_expected(arguments, expected):
    assert expected in error_line(run("record", *arguments))


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ([], "ENV"),
        ([ENV, "--games", "-1"], "--games"),
        ([ENV, "--games", "0"], "--games"),
        ([ENV, "--games", "many"], "--games"),
        ([ENV, "--seed", "-1"], "--seed"),
        ([ENV, "--seed", str(2**64)], "--seed"),
        ([ENV, "--frobnicate"], "--frobnicate"),
        ([ENV, "--option", "anarchy"], "'anarchy': expected KEY=VALUE, such as anarchy=true"),
        ([ENV, "--option", "=true"], "'=true': expected KEY=VALUE"),
        ([ENV, "--option", "pieces=3", "--option", "pieces=3"], "'pieces' is given twice"),
        ([ENV, "--option", "reward=rank"], "'reward' is no option of a game: expected --reward"),
        ([ENV, *["--agent", "uniform"] * 3], "expected one, or one for each of the 2 seats, not 3"),
    ],
)
def test_bad_usage_is_exit_code_2_before_anything_is_played(arguments, named):
    result = run("record", *arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert named in result.stderr


def test_bad_input_leaves_an_existing_file_alone(tmp_path):
    file = tmp_path / "games.jsonl"
    file.write_text("precious")
    error_line(run("record", ENV, "--option", "anarchy=7", "--out", file))
    assert file.read_text() == "precious"
