"""The conventions of all games (hopenvs/games/CONVENTIONS.md) where Igel Ärgern exercises them."""

import numpy as np
import pytest

import hopenvs
from hopenvs.core import kernels
from hopenvs.core.batch import Batch
from hopenvs.core.errors import IllegalActionError
from hopenvs.core.record import GameRecord, play_record
from hopenvs.core.state import Payoff
from tests.games.igel_aergern.board_text import (
    GAME,
    SEATS,
    B,
    G,
    R,
    before_roll,
    new_game,
    options_of,
    places,
    position_of,
    race,
    roll,
    stacks,
)

PLAYERS = range(2, 7)

clause = pytest.mark.clause


@clause("C-1")
@pytest.mark.parametrize("players", PLAYERS)
def test_seat_0_starts_and_the_left_neighbour_follows(players):
    walk = new_game(players=players)
    assert walk.current_player == 0
    walk.play_named("place 1")
    assert walk.current_player == 1


@clause("C-2", "C-14")
def test_the_same_seed_and_decisions_give_the_same_game_in_any_batch():
    games = [drawn_dice(seed=5, rows=rows) for rows in (1, 3)]
    assert games[0][0] == games[1][0]
    assert len(set(map(tuple, games[1]))) == 3  # row i got seed 5 + i
    assert games[1][2] == drawn_dice(seed=7, rows=1)[0]


def drawn_dice(seed, rows):
    """The dice that rows of a batch see when the first legal action is always taken."""
    batch = Batch(GAME, options_of(), rows)
    batch.start(kernels.NEW_SEED, [seed + i for i in range(rows)])
    dice: list[list[int]] = [[] for _ in range(rows)]
    for _ in range(40):
        batch.step(np.argmax(batch.mask, axis=2).astype(np.int32))
        for i in range(rows):
            dice[i].append(batch.record(i).die)
    return dice


@clause("C-4")
def test_a_sidestep_phase_without_a_sidestep_is_skipped():
    walk = roll(before_roll("2:4 RB, 6:3 RB", to_play=R), 2)
    assert walk.position()["phase"] == "forward"
    assert walk.legal_names() == ["step 4"]


@clause("C-4", "IA-10", "IA-11")
def test_a_turn_without_any_choice_passes_by_itself():
    walk = roll(before_roll("2:4 RB, 6:3 RB", to_play=R, turn=12), 1)
    assert walk.is_chance
    assert roll(walk, 1).current_player == B
    assert walk.position()["turn"] == 13


@clause("C-4")
def test_a_decision_with_one_real_move_is_still_asked():
    walk = race("2:4 RB, 6:3 BR", to_play=R, die=2)
    walk.play_named("stay")
    assert walk.current_player == R
    assert walk.legal_names() == ["step 4"]


@clause("C-5")
def test_the_catalogue_has_111_names_in_order_that_parse_back():
    o = options_of(players=6)
    names = [GAME.action_name(o, a) for a in range(GAME.spec(o).num_actions)]
    assert len(names) == len(set(names)) == 111
    assert names[:8] == [*places(1, 2, 3, 4, 5, 6), "side 1.0 up", "side 1.0 down"]
    assert names[101:] == ["side 6.7 down", "stay", *(f"step {c}" for c in range(8))]
    assert [GAME.parse_action(o, name) for name in names] == list(range(111))
    for unknown in ("place 7", "side 1.8 up", "Stay", "step 8", "", None, 3):
        with pytest.raises(ValueError, match="unknown action"):
            GAME.parse_action(o, unknown)


@clause("C-5")
def test_sidesteps_off_the_board_are_in_the_catalogue_and_never_legal():
    walk = race("1:2 R, 6:2 R, 3:6 BB", to_play=R, die=3)
    for name in ("side 1.2 up", "side 6.2 down"):
        GAME.parse_action(walk.options, name)
        with pytest.raises(IllegalActionError):
            walk.play_named(name)


@clause("C-5")
def test_a_move_is_described_with_its_track():
    walk = race("2:4 RB, 6:3 BR", to_play=R, die=2, phase="forward")
    o, record = walk.options, walk.record
    described = [
        GAME.describe(o, record, GAME.parse_action(o, name)) for name in ("step 4", "side 6.3 up", "stay", "place 2")
    ]
    assert described == ["step 2.4", "side 6.3 up", "stay", "place 2"]


@clause("C-6")
def test_an_ended_game_keeps_everything_but_phase_and_to_play():
    walk = race("3:7 R, 5:3 R, 4:2 BB", to_play=B, die=3, phase="forward", turn=40, anarchy=True)
    before = walk.position()
    walk.play_named("step 7")
    assert walk.position() == before | {
        "phase": "over",
        "to_play": None,
        "winners": [R],
        "stacks": stacks(walk.options, "1:8 RRBB, 3:8 R, 5:3 R, 4:2 BB"),
    }
    assert walk.position()["options"] == {"anarchy": True}


def ended(players, payoff):
    """Seat 1 wins with 3 pieces; seats 2 and 3 have one each, the others none."""
    arrived = "BB" + "GY"[: max(0, players - 2)]
    rest = {seat: 4 - arrived.count(SEATS[seat]) - (seat == B) for seat in range(players)}
    text = f"1:8 {arrived}, 3:7 B, 2:3 " + "".join(SEATS[seat] * n for seat, n in rest.items())
    walk = race(text, players=players, to_play=0, die=3, phase="forward")
    walk.batch.settings[kernels.PAYOFF] = payoff
    walk.play_named("step 7")
    return walk.result()


@clause("C-7")
@pytest.mark.parametrize("players", PLAYERS)
def test_the_winner_gets_1_and_the_losers_share_the_loss(players):
    rewards = ended(players, Payoff.WIN)["rewards"]
    assert rewards == pytest.approx([1.0 if seat == 1 else -1 / (players - 1) for seat in range(players)])


@clause("C-7")
@pytest.mark.parametrize(
    ("players", "rewards"),
    [
        (2, [-1, 1]),
        (3, [-1, 1, 0]),
        (4, [-1, 1, 0, 0]),
        (5, [-3 / 4, 1, 1 / 4, 1 / 4, -3 / 4]),
        (6, [-3 / 5, 1, 2 / 5, 2 / 5, -3 / 5, -3 / 5]),
    ],
)
def test_ranks_are_paid_evenly_from_1_to_minus_1_and_ties_averaged(players, rewards):
    assert ended(players, Payoff.RANK)["rewards"] == pytest.approx(rewards)


@clause("C-7")
@pytest.mark.parametrize(
    ("players", "rewards"),
    [
        (2, [-3, 3]),
        (3, [-2, 2.5, -0.5]),
        (4, [-5 / 3, 7 / 3, -1 / 3, -1 / 3]),
        (5, [-5 / 4, 5 / 2, 0, 0, -5 / 4]),
        (6, [-1, 13 / 5, 1 / 5, 1 / 5, -1, -1]),
    ],
)
def test_a_score_is_paid_less_the_mean_of_the_others(players, rewards):
    assert ended(players, Payoff.SCORE)["rewards"] == pytest.approx(rewards)


@clause("C-9", "C-10")
@pytest.mark.parametrize("players", PLAYERS)
def test_a_position_with_its_seats_turned_looks_the_same_to_the_turned_seat(players):
    letters = SEATS[:players]
    text = f"1:0 {letters}{letters}, 3:2 {letters}, 6:4 R, 2:1 B" + (f", 1:8 {letters[2:]}" if players > 2 else "")
    seen = race(text, players=players, to_play=R, die=4)
    turned_text = text.translate(str.maketrans(letters, letters[1:] + letters[0]))
    turned = race(turned_text, players=players, to_play=B, die=4)
    for seat in range(players):
        here = seen.batch.view((0,), (seat,))[1]
        assert np.array_equal(here, turned.batch.view((0,), ((seat + 1) % players,))[1])
        assert not np.array_equal(here, turned.batch.view((0,), (seat,))[1])


@clause("C-9")
def test_positions_that_differ_look_different_to_every_seat():
    text = "1:2 RB, 4:4 BR"
    walks = [
        race(text, to_play=R, die=1),
        race(text, to_play=R, die=4),
        race(text, to_play=B, die=1),
        race(text, to_play=R, die=1, phase="forward"),
        race("1:2 BR, 4:4 BR", to_play=R, die=1),
        race("1:2 RB, 4:4 B, 5:4 R", to_play=R, die=1),
        race(text, to_play=R, die=1, doping=True, gone=R, goal_count=4),
        race(text, to_play=R, die=1, doping=True, gone=B, goal_count=4),
    ]
    for seat in (R, B):
        seen = {walk.batch.view((0,), (seat,))[1].tobytes() for walk in walks}
        assert len(seen) == len(walks)


@clause("C-11")
def test_an_illegal_action_is_refused_with_its_name_and_changes_nothing():
    walk = race("2:4 RB, 6:3 BR", to_play=R, die=2)
    before = walk.states.tobytes()
    with pytest.raises(IllegalActionError) as refused:
        walk.play_named("side 2.4 up")
    for part in (
        "player_0",
        str(GAME.parse_action(walk.options, "side 2.4 up")),
        "side 2.4 up",
        "sidestep",
        "stay",
    ):
        assert part in str(refused.value)
    for action in (-1, -2, 111):
        with pytest.raises(IllegalActionError):
            walk.play(action)
    assert walk.states.tobytes() == before


@clause("C-11")
def test_a_forfeit_ends_the_game_and_leaves_the_position():
    env = hopenvs.make("igel_aergern-4p-v0", illegal="forfeit")
    env.reset(seed=1, options={"position": position_of("1:8 RRB, 2:4 RRBBBYYYYGGGG", players=4, to_play=G)})
    before = env.position()
    env.step(env.parse_action("place 1"))
    assert env.position()["stacks"] == before["stacks"]
    assert env.position()["phase"] == "over"
    assert [env.rewards[agent] for agent in env.possible_agents] == pytest.approx([1 / 3, 1 / 3, -1, 1 / 3])
    assert [env.infos[agent]["rank"] for agent in env.possible_agents] == [1, 1, 4, 1]
    assert [env.infos[agent]["score"] for agent in env.possible_agents] == [2, 1, 0, 0]
    assert [env.infos[agent]["won"] for agent in env.possible_agents] == [1, 1, 0, 1]
    assert all(env.terminations.values())


@clause("C-12", "C-8")
def test_infos_tell_the_end_by_numbers_with_the_same_keys_throughout():
    env = hopenvs.make("igel_aergern-2p-v0", max_turns=31)
    env.reset(seed=1, options={"position": position_of("3:7 R, 5:3 RR, 4:2 BBBB", die=3)})
    keys = {"action_mask", "active", "rank", "score", "won", "truncated_by_max_turns"}
    assert set(env.infos["player_0"]) == keys
    assert [env.infos[a]["active"] for a in env.possible_agents] == [1, 0]
    assert [env.infos[a]["rank"] for a in env.possible_agents] == [0, 0]
    env.step(env.parse_action("stay"))
    env.step(env.parse_action("step 7"))
    assert set(env.infos["player_0"]) == keys
    assert [env.infos[a]["rank"] for a in env.possible_agents] == [1, 2]
    assert [env.infos[a]["score"] for a in env.possible_agents] == [2, 0]
    assert [env.infos[a]["won"] for a in env.possible_agents] == [0, 0]
    assert [env.infos[a]["truncated_by_max_turns"] for a in env.possible_agents] == [1, 1]
    assert all(env.truncations.values())
    assert not any(env.terminations.values())


@clause("C-13")
def test_a_game_from_a_position_is_written_and_replays():
    start = position_of("3:7 R, 5:7 R, 4:2 BB", die=3)
    record = play_record(
        walk=race("3:7 R, 5:7 R, 4:2 BB", die=3),
        header={"env": "igel_aergern-2p-v0", "options": {}, "players": 2, "seed": 3},
        choose=lambda walk: (walk.legal()[-1],),
        position=start,
    )
    assert record.header["position"] == start
    assert record.events[:2] == [{"seat": R, "action": "stay"}, {"seat": R, "action": "step 7"}]
    assert record.result == {"rewards": [1.0, -1.0], "ranks": [1, 2], "scores": [3, 2], "winners": [R]}
    again = GameRecord.of(list(record.lines())).replay(new_game())
    assert again.position()["winners"] == [R]
