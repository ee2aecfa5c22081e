import json

import hopenvs
from hopenvs.registry import resolve
from tests.cli.program import GAMES, error_line, run, run_apart


def test_every_id_is_listed_with_its_facts():
    rows = [line.split("\t") for line in run("list").stdout.splitlines()]
    assert [row[0] for row in rows] == hopenvs.list_envs()
    for env, players, actions, observation, cap in rows:
        game, options = resolve(env, {})
        spec = game.spec(options)
        assert [int(players), int(actions), int(observation)] == [
            spec.num_players,
            spec.num_actions,
            spec.observation_size,
        ]
        assert cap == ("-" if spec.max_turns is None else str(spec.max_turns))


def test_one_games_ids():
    rows = run("list", "igel_aergern").stdout.splitlines()
    assert [row.split("\t")[0] for row in rows] == hopenvs.list_envs("igel_aergern")


def test_json_holds_what_the_id_implies():
    facts = {fact["id"]: fact for fact in json.loads(run("list", "--json").stdout)}
    assert list(facts) == hopenvs.list_envs()
    anarchy = facts["igel_aergern-4p-anarchy-v0"]
    assert anarchy["options"] == {"players": 4, "anarchy": True}
    assert anarchy["game"] == "igel_aergern"
    assert anarchy["perfect_information"] is True
    assert anarchy["scores"] == [0, 3]


def test_an_unknown_game_is_refused():
    line = error_line(run("list", "igel_aergen"))
    assert "unknown game 'igel_aergen' (did you mean igel_aergern?)" in line


def test_a_game_of_ones_own_is_listed_too():
    result = run_apart("list", "tick_game", "--module", f"{GAMES}.tick_game")
    assert result.stdout.split("\t")[:2] == ["tick_game-v0", "3"], result.stderr


def test_a_module_that_is_no_game_is_refused():
    assert "json is no game: it lacks ID" in error_line(run("list", "--module", "json"))
    assert "No module named 'no_such'" in error_line(run("list", "--module", "no_such"))
