"""Arenas: round robins in a folder that can be interrupted, resumed and continued."""

import csv
import importlib
import itertools
import json
import shutil
from collections import Counter
from typing import Any

import numpy as np
import pytest

from hopenvs import registry
from hopenvs.agents import FunctionAgent, Uniform
from hopenvs.agents.hall import seatings
from hopenvs.agents.match import wilson
from hopenvs.core.errors import OptionError, UnknownIdError
from hopenvs.train import arena_folder
from hopenvs.train.arena import CHUNK_SECONDS, FIRST_CHUNK, arena, next_chunk, prepare, tables_of
from hopenvs.train.arena_folder import digest_of

pytest.importorskip("matplotlib")

ARENA = importlib.import_module("hopenvs.train.arena")  # the package has the function by that name
FILES = ["config.json", "games.csv", "head_to_head.csv", "ladder.png", "ratings.csv", "result.json"]


def first(observations, masks):
    """The first legal action."""
    return masks.argmax(axis=1)


class Named:
    """The uniform player by another name."""

    def __init__(self, name):
        self.name = name
        self.act = Uniform().act


AGENTS = ("uniform", "greedy", FunctionAgent(first))
NAMES = ("uniform", "greedy", "first")


@pytest.fixture
def drawn():
    """Pictures are drawn; elsewhere they aren't, since that takes longer than everything else."""


@pytest.fixture(autouse=True)
def _quick(request, monkeypatch):
    if "drawn" not in request.fixturenames:
        monkeypatch.setattr("hopenvs.train.ladder.draw_ladder", lambda ladder, title, file: file.write(title.encode()))


@pytest.fixture
def play(ids, tmp_path):
    """`play(folder, **changes)`: a small arena of the card game; `options` are its own."""

    def played(folder="arena", agents=AGENTS, games=24, **more):
        return arena(ids["card_game"], agents, games, folder=tmp_path / folder, **more)

    return played


def content_of(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def games_in(folder):
    with (folder / "games.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def interrupted_after(monkeypatch, chunks, action):
    """Do something that plays games, and interrupt it in the chunk after so many."""
    add, done = arena_folder.GamesFile.add, iter(range(chunks))

    def stop_at_last(*arguments):
        if next(done, None) is None:
            raise KeyboardInterrupt
        add(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(arena_folder.GamesFile, "add", stop_at_last)
        with pytest.raises(KeyboardInterrupt):
            action()


# ---- who plays whom -------------------------------------------------------------------------------------------------
def test_two_agents_have_as_many_seats_over_all_games():
    assert tables_of(2) == [[0, 1]]
    assert tables_of(3) == [[0, 0, 1], [0, 1, 1]]
    assert tables_of(4) == [[0, 0, 1, 1]]
    for players in (2, 3, 4, 5, 6):
        counts = Counter(player for table in tables_of(players) for player in table)
        assert counts[0] == counts[1]


@pytest.mark.parametrize(("players", "games"), [(2, 24), (3, 24), (4, 24)])
def test_every_pair_plays_the_same_seeds_and_each_agent_has_each_seat_as_often(play, tmp_path, players, games):
    ladder = play(options={"players": players}, games=games - 1, seed=7)
    rows = games_in(tmp_path / "arena")
    assert ladder.games == games, "brought up to whole rotations"
    pairs = list(itertools.combinations(NAMES, 2))
    assert [(row["agent"], row["opponent"]) for row in rows] == [pair for pair in pairs for _ in range(games)]
    assert [int(row["seed"]) for row in rows] == list(range(7, 7 + games)) * len(pairs)
    sat = Counter((row["agent"], row["opponent"], seat, row[f"seat_{seat}"]) for row in rows for seat in range(players))
    assert set(sat.values()) == {games // 2}
    assert len(sat) == len(pairs) * players * 2


def test_games_are_those_that_a_match_plays(play, tmp_path, ids):
    """The line of a game tells what `play_games` of that seed and seating gives."""
    from hopenvs.agents import make_agent
    from hopenvs.agents.hall import play_games

    play(seed=3, agents=("uniform", "greedy"), games=8)
    game, options = registry.resolve(ids["card_game"], {})
    agents = [make_agent(word, game, options) for word in ("uniform", "greedy")]
    found = play_games(game, options, agents, 8, 3)
    for k, row in enumerate(games_in(tmp_path / "arena")):
        assert [row[f"seat_{seat}"] for seat in range(2)] == [NAMES[player] for player in found.players[k]]
        assert [int(row[f"won_{seat}"]) for seat in range(2)] == found.winners[k].tolist()
        assert [int(row[f"rank_{seat}"]) for seat in range(2)] == found.ranks[k].tolist()


class Fixed:
    """Takes the first legal action or the last, and says that it never draws."""

    deterministic = True

    def __init__(self, name):
        self.name = name

    def act(self, observations, masks, **_):
        return masks.argmax(axis=1) if self.name == "first" else masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)


def test_of_games_that_are_one_and_the_same_each_seating_counts_once(tmp_path, monkeypatch):
    small = {"board": "square3", "frogs": 1, "cards": False, "max_turns": 50}
    agents: list[Any] = [Fixed("first"), Fixed("last"), "uniform"]
    found = arena("hooop-2p-v0", agents, 40, folder=tmp_path / "fixed", options=small)
    rows = [row for row in games_in(tmp_path / "fixed") if "uniform" not in row.values()]
    assert len({tuple(row[name] for name in row if name not in ("game", "seed")) for row in rows}) == 2
    assert found.repeated == (("first", "last"),)
    share = found.shares["first", "last"]
    assert share == wilson(share.share, 2)
    assert {rung.agent: rung.games for rung in found.rungs} == {"first": 42, "last": 42, "uniform": 80}
    monkeypatch.setattr(Fixed, "deterministic", False)  # nobody would know
    taken = arena("hooop-2p-v0", agents, 40, folder=tmp_path / "taken", options=small)
    assert games_in(tmp_path / "taken") == games_in(tmp_path / "fixed")
    assert taken.repeated == ()
    widths = [{rung.agent: rung.high - rung.low for rung in ladder.rungs} for ladder in (found, taken)]
    assert widths[0]["first"] > widths[1]["first"]


# ---- what it comes to -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("players", [2, 3])
def test_the_figures_are_those_of_the_games(play, tmp_path, players):
    ladder = play(options={"players": players, "max_turns": 4}, games=48)
    folder = tmp_path / "arena"
    rows = games_in(folder)
    assert ladder.truncated == sum(int(row["truncated"]) for row in rows) > 0
    shares: dict[Any, list[float]] = {}
    for row in rows:
        won = [int(row[f"won_{seat}"]) for seat in range(players)]
        credits_ = [w / sum(won) if sum(won) else 1 / players for w in won]
        pair = (row["agent"], row["opponent"])
        own = [row[f"seat_{seat}"] for seat in range(players)]
        for one, other in (pair, pair[::-1]):
            shares.setdefault((one, other), []).append(
                sum(c for c, name in zip(credits_, own, strict=True) if name == one)
            )
        for seat, name in enumerate(own):
            shares.setdefault((name, seat), []).append(credits_[seat])
    for pair in itertools.permutations(NAMES, 2):
        found = ladder.shares[pair]
        assert found.share == pytest.approx(np.mean(shares[pair]))
        assert found.low <= found.share <= found.high
    for rung in ladder.rungs:
        assert rung.by_seat == pytest.approx([np.mean(shares[rung.agent, seat]) for seat in range(players)])
        assert rung.share == pytest.approx(np.mean(rung.by_seat))
        assert rung.games == 96
        assert rung.low <= rung.high
    ratings = [rung.rating for rung in ladder.rungs]
    assert ratings == sorted(ratings, reverse=True)
    assert {rung.agent: rung.rating for rung in ladder.rungs}["greedy"] == 0
    result = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    assert result["options"] == {"players": players, "max_turns": 4}
    assert [agent["agent"] for agent in result["agents"]] == list(ladder.agents)
    told = {(duel["agent"], duel["opponent"]): duel["share"] for duel in result["head_to_head"]}
    assert told == {pair: found.share for pair, found in ladder.shares.items()}


@pytest.mark.usefixtures("drawn")
def test_the_folder_holds_tables_for_programs_and_a_picture_for_people(play, tmp_path):
    ladder = play()
    folder = tmp_path / "arena"
    assert sorted(path.name for path in folder.iterdir()) == FILES
    with (folder / "ratings.csv").open(encoding="utf-8", newline="") as file:
        rungs = list(csv.DictReader(file))
    assert [row["agent"] for row in rungs] == list(ladder.agents)
    assert [float(row["rating"]) for row in rungs] == pytest.approx([r.rating for r in ladder.rungs], abs=0.01)
    with (folder / "head_to_head.csv").open(encoding="utf-8", newline="") as file:
        duels = list(csv.DictReader(file))
    assert [(row["agent"], row["opponent"]) for row in duels] == list(itertools.permutations(ladder.agents, 2))
    image = pytest.importorskip("matplotlib.image").imread(folder / "ladder.png")
    assert min(image.shape[:2]) > 200
    assert len(np.unique(image[:, :, :3].reshape(-1, 3), axis=0)) > 50, "more than an empty page"


def test_agents_that_play_alike_are_rated_alike(ids, tmp_path):
    agents = [Named(name) for name in "abc"]
    ladder = arena(ids["card_game"], agents, 60, folder=tmp_path)
    assert ladder.anchor == "a", "the first one, where neither greedy nor uniform plays"
    for rung in ladder.rungs:
        assert rung.low <= 0 <= rung.high or abs(rung.rating) < 150


# ---- interrupted, resumed, continued --------------------------------------------------------------------------------
def test_a_resumed_arena_is_the_same_as_one_that_was_not_interrupted(play, tmp_path, monkeypatch):
    monkeypatch.setattr(ARENA, "next_chunk", lambda games, seconds, players: 3 * players)
    play("whole")
    whole = content_of(tmp_path / "whole")
    for chunks in (0, 1, 5):
        folder = f"stopped-{chunks}"
        interrupted_after(monkeypatch, chunks, lambda folder=folder: play(folder))
        assert not (tmp_path / folder / "result.json").exists()
        if chunks:
            with pytest.raises(OptionError, match="holds an arena already: --resume"):
                play(folder)
        play(folder, resume=True)
        assert content_of(tmp_path / folder) == whole
    play("whole", resume=True)
    assert content_of(tmp_path / "whole") == whole, "there was nothing left to play"


def test_what_was_written_half_is_played_again(play, tmp_path):
    play("whole", options={"players": 3})
    whole = content_of(tmp_path / "whole")
    lines = whole["games.csv"].splitlines(keepends=True)
    for kept, rest in ((1, b""), (8, b"uniform,gre"), (30, lines[30][:-1]), (31, b"\0\0")):
        shutil.copytree(tmp_path / "whole", tmp_path / "cut", dirs_exist_ok=True)
        (tmp_path / "cut" / "games.csv").write_bytes(b"".join(lines[:kept]) + rest)
        play("cut", games=None, options=None, resume=True)
        assert content_of(tmp_path / "cut") == whole


def test_there_may_be_more_games_and_more_agents(play, tmp_path):
    play("at once", games=24)
    play("bit by bit", agents=AGENTS[:2], games=8)
    play("bit by bit", agents=AGENTS[:2], games=24, resume=True)
    before = games_in(tmp_path / "bit by bit")
    ladder = play("bit by bit", agents=(AGENTS[2], *AGENTS[:2]), games=None, resume=True)
    assert ladder.games == 24
    assert [row for row in games_in(tmp_path / "bit by bit") if "first" not in row.values()] == before
    assert content_of(tmp_path / "bit by bit") == content_of(tmp_path / "at once")


def test_other_settings_and_other_agents_are_refused_by_name(play, tmp_path, ids):
    play(options={"goal": 5}, seed=3)
    whole = content_of(tmp_path / "arena")
    for changes, message in (
        ({"seed": 4}, "seed=4: a resumed arena goes on with 3"),
        ({"options": {"goal": 7}}, r"options=\{.*'goal': 7\}: a resumed arena goes on with \{.*'goal': 5\}"),
        ({"games": 22}, "games=22: a resumed arena has 24 or more"),
        ({"agents": AGENTS[1:]}, "a resumed arena goes on with 'uniform', too"),
    ):
        with pytest.raises(OptionError, match=message):
            play(resume=True, **changes)
    with pytest.raises(OptionError, match="env='tick_game-v0': a resumed arena goes on with 'card_game-v0'"):
        arena(ids["tick_game"], AGENTS, folder=tmp_path / "arena", options={}, resume=True)
    with pytest.raises(OptionError, match="there is no arena to resume"):
        play("elsewhere", resume=True)
    config = json.loads(whole["config.json"])
    config["versions"]["hopenvs"] = "0.0.1"
    (tmp_path / "arena" / "config.json").write_text(json.dumps(config), encoding="utf-8")
    with pytest.raises(OptionError, match=r"was begun with hopenvs 0\.0\.1"):
        play(resume=True)
    (tmp_path / "arena" / "config.json").write_text("{", encoding="utf-8")
    with pytest.raises(OptionError, match="damaged"):
        play(resume=True)
    (tmp_path / "arena" / "config.json").write_bytes(whole["config.json"])
    assert content_of(tmp_path / "arena") == whole, "nothing was touched"
    assert play(games=None, options=None, resume=True).games == 24, "what isn't given is as before"


def test_games_of_another_arena_are_found_out(play, tmp_path):
    play()
    path = tmp_path / "arena" / "games.csv"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    for damaged, message in (
        (lines[1:], "expected the heading"),
        (lines[:3] + lines[4:], r"line 4: expected \['uniform', 'greedy', '2', '2', 'uniform', 'greedy'\] and the res"),
        ([*lines[:2], lines[2].replace(",1,", ",x,", 3), *lines[3:]], "line 3: expected"),
        (
            [*lines[:2], lines[2].replace("uniform", "nobody"), *lines[3:]],
            "is no game of two of uniform, greedy, first",
        ),
    ):
        path.write_text("".join(damaged), encoding="utf-8")
        with pytest.raises(OptionError, match=message):
            play(resume=True)


def test_a_model_is_known_by_what_is_in_its_file(tmp_path):
    run = tmp_path / "run"
    run.mkdir()
    (run / "model.zip").write_bytes(b"weights")
    (tmp_path / "copy.zip").write_bytes(b"weights")
    (tmp_path / "other.zip").write_bytes(b"others")
    assert digest_of(str(run)) == digest_of(str(tmp_path / "copy.zip")) != digest_of(str(tmp_path / "other.zip"))
    assert digest_of("greedy") is digest_of(Uniform()) is digest_of("mcts:400") is None


def test_a_changed_model_is_refused_and_the_same_one_twice(play, tmp_path, monkeypatch):
    """Files stand for models here: what plays is the uniform player."""
    monkeypatch.setattr(ARENA, "make_players", lambda agents, *_, **__: (list(agents), [Uniform() for _ in agents]))
    model, copy = tmp_path / "model.zip", tmp_path / "copy.zip"
    model.write_bytes(b"weights")
    copy.write_bytes(b"weights")
    with pytest.raises(OptionError, match=r"copy\.zip' are the same model"):
        play(agents=("uniform", str(model), str(copy)))
    play(agents=("uniform", str(model)))
    model.write_bytes(b"others")
    with pytest.raises(OptionError, match=r"model\.zip': is another model than the one that has played here"):
        play(agents=("uniform", str(model)), resume=True)


# ---- what makes no sense --------------------------------------------------------------------------------------------
def test_what_makes_no_sense_is_refused_before_anything_is_written(play, tmp_path):
    for changes, message in (
        ({"agents": ("uniform",)}, "1 agents: expected two or more"),
        ({"agents": ("uniform", Uniform())}, "agent 'uniform' is given twice"),
        ({"agents": ("uniform", "gredy")}, "did you mean greedy"),
        ({"agents": ("uniform", "human")}, "people play with"),
        ({"games": 0}, "games=0: expected 1 or more"),
        ({"options": {"gaol": 3}}, "did you mean goal"),
    ):
        with pytest.raises(OptionError, match=message):
            play(**changes)
    with pytest.raises(UnknownIdError):
        arena("card_game-v9", folder=tmp_path / "arena")
    assert not (tmp_path / "arena").exists()


def test_progress_tells_of_every_game_and_who_plays(ids, tmp_path):
    told: Counter[tuple[str, str]] = Counter()
    prepared = prepare(ids["card_game"], AGENTS, 8, folder=tmp_path)
    assert prepared.remaining == 24
    prepared.play(lambda count, pair: told.update({pair: count}))
    assert told == dict.fromkeys(itertools.combinations(NAMES, 2), 8)
    assert prepared.remaining == 0


def test_chunks_take_about_as_long_as_they_should():
    assert next_chunk(FIRST_CHUNK * 3, 1e-3, 3) == 4 * FIRST_CHUNK * 3, "no jumps"
    assert next_chunk(80, 2 * CHUNK_SECONDS, 2) == 40
    assert next_chunk(8, 100 * CHUNK_SECONDS, 4) == 4, "at least one rotation"


def test_all_act_at_once(ids, tmp_path):
    ladder = arena(ids["tick_game"], ("uniform", "greedy"), 6, folder=tmp_path)
    players = len(ladder.rungs[0].by_seat)
    rows = games_in(tmp_path)
    assert len(rows) == ladder.games
    seated = itertools.islice(seatings(*tables_of(players)), len(rows))
    assert [tuple(row[f"seat_{k}"] for k in range(players)) for row in rows] == [
        tuple(NAMES[player] for player in seating) for seating in seated
    ]


# ---- what an adversary has found ------------------------------------------------------------------------------------
def test_a_folder_of_something_else_is_refused_and_stays_as_it_is(ids, tmp_path):
    (tmp_path / "config.json").write_text('{"env": "card_game-v0"}', encoding="utf-8")
    with pytest.raises(OptionError, match=r"config\.json: damaged, or not of an arena"):
        prepare(ids["card_game"], ["uniform", "greedy"], 4, folder=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["config.json"]


def test_one_agent_under_two_words_is_refused(ids, tmp_path):
    with pytest.raises(OptionError, match="agents 'mcts:5' and 'mcts:05' are the same"):
        prepare(ids["card_game"], ["mcts:5", "uniform", "mcts:05"], 4, folder=tmp_path)


@pytest.mark.parametrize(
    ("column", "value"),
    [("won_0", "2"), ("rank_1", "7"), ("rank_1", 30 * "9"), ("truncated", "5"), ("agent", 200_000 * "x")],
)
def test_impossible_figures_are_refused_in_words(ids, tmp_path, column, value):
    arena(ids["card_game"], ["uniform", "greedy"], 4, folder=tmp_path)
    heading, first, *rest = (tmp_path / "games.csv").read_text(encoding="utf-8").splitlines()
    cells = first.split(",")
    cells[heading.split(",").index(column)] = value
    (tmp_path / "games.csv").write_text("\n".join([heading, ",".join(cells), *rest]) + "\n", encoding="utf-8")
    with pytest.raises(OptionError, match=r"games\.csv"):
        arena(ids["card_game"], folder=tmp_path, resume=True)


def test_an_impossible_config_is_refused_in_words(ids, tmp_path):
    arena(ids["card_game"], ["uniform", "greedy"], 4, folder=tmp_path)
    config = tmp_path / "config.json"
    whole = config.read_text(encoding="utf-8")
    for before, after, told in (('"seed": 0', '"seed": -1', "seed -1"), ('"games": 4', '"games": 2', "holds 4 games")):
        assert before in whole
        config.write_text(whole.replace(before, after), encoding="utf-8")
        with pytest.raises(OptionError, match=told):
            arena(ids["card_game"], folder=tmp_path, resume=True)
