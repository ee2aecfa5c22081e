"""The rules of HOP!, clause by clause (hopenvs/games/hop/README.md); positions are written as in `table`."""

import random

import pytest

from hopenvs.core.errors import IllegalActionError, PositionError
from hopenvs.core.state import Payoff
from hopenvs.core.walk import Walk
from hopenvs.games.hop.dares import DARES
from tests.games.hop.table import (
    GAME,
    clouds,
    deck,
    new_game,
    options_of,
    outcomes_of,
    owner,
    play,
    row,
    stage,
    table,
)

clause = pytest.mark.clause
every_number = pytest.mark.parametrize("players", [3, 4, 5, 6])


# ---- set-up ----------------------------------------------------------------------------------------------------------
@clause("HP-1", "HP-2", "HP-4")
@every_number
def test_everybody_starts_on_level_1_with_5_balloons_and_nothing_else(players):
    position = new_game(players=players).position()
    assert position == {
        "game": "hop", "players": players, "phase": "skewerer", "to_play": 0, "hurler": 0, "skewerer": None,
        "assister": None, "turbulator": None, "dare": None, "bets": [None] * players, "levels": [1] * players,
        "balloons": [5] * players, "doves": [0] * players, "crows": [0] * players,
        "clouds": [[] for _ in range(players)], "cloud_pool": [12, 12, 12], "deck": list(range(50)), "put_away": [],
        "skills": [[0.0] * 4 for _ in range(players)], "turn": 0, "last_throw": None, "winners": [],
    }  # fmt: skip


@clause("HP-2")
def test_there_is_a_token_for_each_of_36_draws_and_12_have_each_value():
    walk = table(names=["skewerer left1", "dare 0", "bet happy", "success"])
    assert outcomes_of(walk) == ["cloud 0"] * 12 + ["cloud 1"] * 12 + ["cloud 2"] * 12


@clause("HP-3")
def test_the_50_dares_are_of_the_kinds_and_difficulties_that_are_stated():
    assert [dare.id for dare in DARES] == list(range(50))
    assert {(dare.difficulty, dare.base) for dare in DARES} == {("easy", 75), ("medium", 60), ("hard", 40)}

    def counts(**what):
        some = [dare for dare in DARES if all(getattr(dare, name) == value for name, value in what.items())]
        return [sum(dare.difficulty == word for dare in some) for word in ("easy", "medium", "hard")]

    alone = {"assister": False, "turbulator": False}
    assert counts(binds="hurler", **alone) == [5, 5, 5]
    assert counts(binds="skewerer", **alone) == [3, 4, 3]
    assert counts(binds="both", **alone) == [2, 1, 2]
    assert counts(assister=True) == [4, 3, 3]
    assert counts(turbulator=True) == [3, 3, 4]
    assert not any(dare.assister and dare.turbulator for dare in DARES)
    assert round(sum(dare.base for dare in DARES) / 50, 1) == 58.3
    assert len({dare.name for dare in DARES}) == len({dare.text for dare in DARES}) == 50
    assert all(dare.name and dare.text for dare in DARES)


# ---- a turn ----------------------------------------------------------------------------------------------------------
@clause("HP-4")
@every_number
def test_the_hurler_chooses_any_other_player_to_catch_before_the_dare_is_known(players):
    for hurler in range(players):
        walk = table(players, hurler=hurler)
        assert stage(walk) == ("skewerer", hurler)
        assert walk.legal_names() == [f"skewerer left{k}" for k in range(1, players)]
        for k in range(1, players):
            play(table(players, hurler=hurler), f"skewerer left{k}")
        play(walk, "skewerer left2")
        assert walk.record.skewerer == (hurler + 2) % players
        assert walk.is_chance
        assert outcomes_of(walk) == ["dare 0", "dare 1", "dare 2", "dare 3"]


@clause("HP-4", "HP-14")
def test_seat_0_hurls_first_and_then_the_next_clockwise():
    walk = new_game(players=3, dares="-")
    for turn in range(7):
        assert stage(walk) == ("skewerer", turn % 3)
        position = walk.position()
        assert (position["hurler"], position["turn"]) == (turn % 3, turn)
        bet = "bet unhappy" if turn % 2 else "bet happy"  # so nobody has three birds of a kind too soon
        play(walk, "skewerer left1", "dare 0", bet, "failure")


@clause("HP-5", "C-2")
def test_one_outcome_for_each_dare_left_by_id_all_alike():
    walk = table(put_away=[1], names=["skewerer left1"])
    assert outcomes_of(walk) == ["dare 0", "dare 2", "dare 3"]
    assert walk.outcomes() == [1, 1, 1]
    play(walk, "dare 2")
    position = walk.position()
    assert (position["dare"], position["deck"], position["put_away"]) == (2, [0, 3], [1])


@clause("HP-5")
def test_a_dare_that_needs_more_helpers_than_there_are_is_put_away_and_the_next_drawn():
    walk = table(names=["skewerer left1", "dare 3"])  # both helpers, but one player has no role
    assert walk.is_chance
    assert outcomes_of(walk) == ["dare 0", "dare 1", "dare 2"]
    play(walk, "dare 0")
    assert walk.position()["put_away"] == [3]
    assert stage(walk) == ("bet", 2)
    walk = table(4, names=["skewerer left1", "dare 3"])
    assert stage(walk) == ("assister", 0)


@clause("HP-5", "HP-14")
def test_a_dare_in_play_is_put_away_at_the_end_of_the_turn():
    walk = table(put_away=[2], names=["skewerer left1", "dare 0", "bet happy"])
    assert walk.record.deck[0] not in (0, 1)
    play(walk, "failure")
    position = walk.position()
    assert (position["dare"], position["deck"], position["put_away"]) == (None, [1, 3], [0, 2])


@clause("HP-5")
def test_the_deck_is_refilled_only_when_a_dare_must_be_drawn_and_none_is_left():
    walk = table(put_away=[0, 1, 2], dares="- - - -", names=["skewerer left1", "dare 3", "bet happy", "failure"])
    assert walk.position()["deck"] == []
    assert walk.position()["put_away"] == [0, 1, 2, 3]
    play(walk, "skewerer left2")
    assert outcomes_of(walk) == ["dare 0", "dare 1", "dare 2", "dare 3"]
    play(walk, "dare 1", "bet happy")
    assert walk.is_chance
    play(walk, "success", "cloud 0")
    assert (walk.position()["deck"], walk.position()["put_away"]) == ([0, 2, 3], [1])


@clause("HP-5")
def test_the_deck_is_also_refilled_when_the_last_dare_left_cannot_be_played():
    walk = table(put_away=[0], dares="- at", names=["skewerer left1", "dare 1"])
    assert outcomes_of(walk) == ["dare 0", "dare 1"]
    play(walk, "dare 1")
    assert outcomes_of(walk) == ["dare 0"]
    play(walk, "dare 0")
    assert stage(walk) == ("bet", 2)
    assert walk.position()["put_away"] == [1]


@clause("HP-6")
def test_the_hurler_names_the_assister_that_the_dare_asks_for_among_those_without_a_role():
    walk = table(5, hurler=3, names=["skewerer left2", "dare 1"])
    assert stage(walk) == ("assister", 3)
    assert walk.legal_names() == ["assister left1", "assister left3", "assister left4"]
    play(walk, "assister left4")
    position = walk.position()
    assert (position["skewerer"], position["assister"], position["turbulator"]) == (0, 2, None)
    assert stage(walk) == ("bet", 4)


@clause("HP-6")
def test_the_hurler_names_the_turbulator_that_the_dare_asks_for_among_those_without_a_role():
    walk = table(4, hurler=1, names=["skewerer left3", "dare 2"])
    assert stage(walk) == ("turbulator", 1)
    assert walk.legal_names() == ["turbulator left1", "turbulator left2"]
    play(walk, "turbulator left2")
    position = walk.position()
    assert (position["skewerer"], position["assister"], position["turbulator"]) == (0, None, 3)
    assert stage(walk) == ("bet", 2)


@clause("HP-6")
def test_of_both_helpers_the_assister_is_named_first():
    walk = table(5, names=["skewerer left2", "dare 3"])
    assert stage(walk) == ("assister", 0)
    play(walk, "assister left1")
    assert stage(walk) == ("turbulator", 0)
    assert walk.legal_names() == ["turbulator left3", "turbulator left4"]
    play(walk, "turbulator left3")
    assert stage(walk) == ("bet", 4)


@clause("HP-6", "HP-7")
def test_nobody_bets_if_everybody_has_a_role():
    walk = table(4, names=["skewerer left1", "dare 3", "assister left2", "turbulator left3"])
    assert outcomes_of(walk) == ["success", "failure"]


@clause("HP-7")
@every_number
def test_all_without_a_role_bet_clockwise_from_the_hurlers_left(players):
    for hurler in range(players):
        walk = table(players, hurler=hurler, names=["skewerer left2", "dare 0"])
        expected = [(hurler + k) % players for k in range(1, players) if k != 2]
        for seat in expected:
            assert stage(walk) == ("bet", seat)
            assert walk.legal_names() == ["bet happy", "bet unhappy"]
            play(walk, "bet happy" if seat % 2 else "bet unhappy")
        assert outcomes_of(walk) == ["success", "failure"]
        bets = [walk.record.bet[seat] for seat in range(players)]
        assert bets == [0 if seat not in expected else 2 - seat % 2 for seat in range(players)]


# ---- the throw -------------------------------------------------------------------------------------------------------
GIVEN = [[0.10, 0.20, 0.01, 0.02], [-0.05, 0.03, 0.07, 0.30], [0.15, -0.25, 0.04, -0.06], [0.0, 0.11, -0.13, 0.09]]


def odds(*names, players=4, **keywords):
    """The weights of the throw after some moves."""
    return table(players, names=names, **keywords).outcomes()


@clause("HP-8", "C-2")
@pytest.mark.parametrize(("base", "success"), [
    (0, 5), (4, 5), (5, 5), (6, 6), (40, 40), (60, 60), (75, 75), (94, 94), (95, 95), (96, 95), (100, 95),
])  # fmt: skip
def test_alike_players_succeed_with_the_dares_chance_from_5_to_95_hundredths(base, success):
    given = [{"id": 0, "base": base / 100, "assister": False, "turbulator": False}]
    walk = table(dares=given, names=["skewerer left1", "dare 0", "bet happy"])
    assert walk.outcomes() == [success, 100 - success]
    assert outcomes_of(walk) == ["success", "failure"]


@clause("HP-8")
@pytest.mark.parametrize(("names", "success"), [
    (["skewerer left1", "dare 0", "bet happy", "bet happy"], 50 + 10 + 3),
    (["skewerer left2", "dare 0", "bet happy", "bet happy"], 50 + 10 - 25),
    (["skewerer left3", "dare 1", "assister left1", "bet happy"], 50 + 10 + 11 + 7),
    (["skewerer left3", "dare 2", "turbulator left1", "bet happy"], 50 + 10 + 11 - 30),
    (["skewerer left3", "dare 2", "turbulator left2", "bet happy"], 50 + 10 + 11 + 6),
    (["skewerer left1", "dare 3", "assister left3", "turbulator left2"], 50 + 10 + 3 - 13 + 6),
])  # fmt: skip
def test_throw_catch_and_help_add_to_the_chance_and_hinder_takes_from_it(names, success):
    assert odds(*names, skills=GIVEN) == [success, 100 - success]


@clause("HP-8")
def test_the_chance_stays_within_its_bounds_whatever_the_skills():
    for skill, success in ((1.0, 95), (-1.0, 5), (0.44, 94), (0.45, 95), (0.46, 95), (-0.44, 6), (-0.46, 5)):
        skills = [[skill, 0, 0, 0], *[[0, 0, 0, 0]] * 2]
        names = ["skewerer left1", "dare 0", "bet happy"]
        assert odds(*names, players=3, skills=skills) == [success, 100 - success]


@clause("HP-8")
@pytest.mark.parametrize(("number", "rounded"), [
    (0.575, 0.58), (0.565, 0.56), (0.125, 0.12), (0.135, 0.14), (0.005, 0.0), (0.015, 0.02), (0.1249, 0.12),
    (0.12501, 0.13), (0.29, 0.29), (1, 1.0), (0, 0.0),
])  # fmt: skip
def test_given_numbers_are_rounded_to_hundredths_a_half_to_the_even_one(number, rounded):
    """As they are written: 0.575 is a half, whatever binary fraction stands for it."""
    skills = [[number, -number, 0.5, 0.5], *[[0.0] * 4] * 2]
    given = [{"id": 0, "base": number, "assister": False, "turbulator": False}]
    walk = new_game(players=3, skills=skills, dares=given)
    assert walk.position()["skills"][0] == [rounded, -rounded, 0.5, 0.5]
    assert walk.position()["options"]["dares"][0]["base"] == rounded


@clause("HP-8")
@pytest.mark.parametrize("players", [3, 6])
def test_skills_are_sampled_seat_by_seat_and_one_by_one(players):
    walk = new_game(players=players, skills="sampled")
    expected = [[((4 * seat + skill) % 7) for skill in range(4)] for seat in range(players)]
    for seat in range(players):
        for skill, word in enumerate(("throw", "catch", "help", "hinder")):
            assert owner(walk) == seat
            assert walk.outcomes() == [1] * 7
            numbers = ("-0.15", "-0.10", "-0.05", "+0.00", "+0.05", "+0.10", "+0.15")
            assert outcomes_of(walk) == [f"{word} {number}" for number in numbers]
            walk.happen(expected[seat][skill])
    assert stage(walk) == ("skewerer", 0)
    skills = [[(5 * k - 15) / 100 for k in line] for line in expected]
    assert walk.position()["skills"] == skills
    play(walk, "skewerer left1", "dare 0 Morning Salute", *["bet happy"] * (players - 2))
    success = round(75 + 100 * (skills[0][0] + skills[1][1]))
    assert walk.outcomes() == [success, 100 - success]


@clause("HP-8")
def test_skills_that_are_alike_or_given_leave_nothing_to_sample():
    assert stage(new_game(players=4, skills="equal")) == ("skewerer", 0)
    assert new_game(players=4).position()["skills"] == [[0.0] * 4] * 4
    assert new_game(players=4, skills=GIVEN).position()["skills"] == GIVEN


@clause("HP-8")
def test_skills_that_are_given_as_all_0_are_equal_ones():
    assert options_of(skills=[[0, 0, 0, 0.0]] * 3) == options_of(skills="equal") == options_of()


# ---- rewards ---------------------------------------------------------------------------------------------------------
def thrown(outcome, dare="dare 0", players=5, roles=(), bets="happy unhappy happy", **keywords):
    """A turn of seat 0 up to what follows the throw."""
    taken = 2 + len(roles)
    words = bets.split()[: players - taken]
    return table(players, names=["skewerer left1", dare, *roles, *[f"bet {bet}" for bet in words], outcome], **keywords)


@clause("HP-9")
def test_success_lifts_the_hurler_and_gives_skewerer_and_assister_a_cloud():
    walk = thrown("success", "dare 3", roles=["assister left3", "turbulator left2"])
    assert row(walk, "level") == [2, 1, 1, 1, 1]
    assert row(walk, "balloons") == [5] * 5
    assert owner(walk) == 1
    play(walk, "cloud 2")
    assert owner(walk) == 3
    play(walk, "cloud 0")
    assert clouds(walk) == "- 2 - 0 -"
    assert stage(walk) == ("skewerer", 1)


@clause("HP-10")
def test_failure_costs_the_hurler_a_balloon_and_gives_the_turbulator_a_cloud():
    walk = thrown("failure", "dare 3", roles=["assister left3", "turbulator left2"])
    assert row(walk, "level") == [1] * 5
    assert row(walk, "balloons") == [4, 5, 5, 5, 5]
    assert owner(walk) == 2
    play(walk, "cloud 1")
    assert clouds(walk) == "- - 1 - -"
    assert stage(walk) == ("skewerer", 1)


@clause("HP-10")
def test_after_a_failure_without_a_turbulator_nobody_draws():
    walk = thrown("failure", "dare 1", roles=["assister left2"])
    assert clouds(walk) == "- - - - -"
    assert stage(walk) == ("skewerer", 1)


@clause("HP-9", "HP-10")
@pytest.mark.parametrize(("outcome", "doves", "crows"), [
    ("success", [0, 0, 1, 0, 1], [0, 0, 0, 1, 0]), ("failure", [0, 0, 0, 1, 0], [0, 0, 1, 0, 1]),
])  # fmt: skip
def test_a_right_bet_brings_a_dove_and_a_wrong_one_a_crow(outcome, doves, crows):
    walk = thrown(outcome)
    assert (row(walk, "doves"), row(walk, "crows")) == (doves, crows)


@clause("HP-9")
def test_nobody_climbs_above_the_seventh_level():
    """Nobody can climb twice in a turn, so only a hurler on level 6 gets there."""
    walk = thrown("success", levels=[6, 1, 6, 1, 1], doves=[0, 0, 2, 0, 0])
    assert row(walk, "level") == [7, 1, 7, 1, 1]


@clause("HP-11", "C-2")
def test_one_outcome_for_each_token_left_by_value():
    walk = thrown("success", left=[2, 0, 3])
    assert outcomes_of(walk) == ["cloud 0"] * 2 + ["cloud 2"] * 3
    assert walk.outcomes() == [1] * 5
    play(walk, "cloud 2")
    assert walk.position()["cloud_pool"] == [2, 0, 2]


@clause("HP-11")
def test_if_no_cloud_is_left_none_is_gained():
    walk = thrown("success", left=[0, 0, 0])
    assert stage(walk) == ("skewerer", 1)
    assert clouds(walk).split()[1:] == ["-"] * 4
    assert row(walk, "level") == [2, 1, 1, 1, 1]
    walk = thrown("failure", "dare 2", roles=["turbulator left2"], left=[0, 0, 0])
    assert stage(walk) == ("skewerer", 1)


@clause("HP-11")
def test_the_last_cloud_goes_to_the_skewerer():
    walk = thrown("success", "dare 1", roles=["assister left2"], left=[0, 1, 0])
    assert outcomes_of(walk) == ["cloud 1"]
    play(walk, "cloud 1")
    assert stage(walk) == ("skewerer", 1)
    assert clouds(walk).split()[1:3] == ["1", "-"]
    assert walk.position()["cloud_pool"] == [0, 0, 0]


@clause("HP-12")
def test_levels_balloons_and_birds_settle_before_a_cloud_is_drawn():
    walk = thrown("success", doves=[0, 0, 2, 0, 0], crows=[0, 0, 0, 2, 0])
    assert walk.is_chance
    assert row(walk, "level") == [2, 1, 2, 1, 1]
    assert row(walk, "balloons") == [5, 5, 5, 4, 5]
    assert (row(walk, "doves"), row(walk, "crows")) == ([0, 0, 0, 0, 1], [0] * 5)


@clause("HP-12")
def test_three_doves_return_all_birds_for_a_level():
    walk = thrown("failure", bets="unhappy", players=3, doves=[2, 2, 2], crows=[1, 2, 2])
    assert row(walk, "level") == [1, 1, 2]
    assert (row(walk, "doves"), row(walk, "crows")) == ([2, 2, 0], [1, 2, 0])
    assert row(walk, "balloons") == [4, 5, 5]


@clause("HP-12")
def test_three_crows_return_all_birds_for_a_balloon():
    walk = thrown("failure", bets="happy", players=3, doves=[2, 2, 2], crows=[1, 2, 2])
    assert row(walk, "level") == [1, 1, 1]
    assert (row(walk, "doves"), row(walk, "crows")) == ([2, 2, 0], [1, 2, 0])
    assert row(walk, "balloons") == [4, 5, 4]


@clause("HP-12")
def test_two_birds_of_a_kind_stay():
    walk = thrown("success", bets="happy", players=3, doves=[0, 0, 1], crows=[0, 0, 2])
    assert (row(walk, "doves"), row(walk, "crows")) == ([0, 0, 2], [0, 0, 2])


@clause("HP-13")
def test_the_last_balloon_takes_the_figurine_beside_the_board():
    walk = thrown("failure", levels=[6, 2, 3, 4, 5], balloons=[1, 1, 2, 1, 1])
    assert row(walk, "balloons") == [0, 1, 2, 1, 1]
    assert row(walk, "level") == [0, 2, 3, 4, 5]


@clause("HP-13", "HP-12")
def test_so_does_a_balloon_that_crows_have_taken():
    walk = thrown("success", levels=[2, 2, 3, 4, 5], balloons=[2, 1, 2, 1, 1], crows=[0, 0, 0, 2, 2])
    assert row(walk, "balloons") == [2, 1, 2, 0, 1]
    assert row(walk, "level") == [3, 2, 3, 0, 5]
    assert not walk.is_over  # the skewerer still draws
    play(walk, "cloud 0")
    assert walk.is_over
    assert walk.result()["scores"] == [3, 2, 3, 0, 5]


# ---- the end ---------------------------------------------------------------------------------------------------------
@clause("HP-14")
def test_the_game_ends_after_all_rewards_if_somebody_stands_on_level_7():
    walk = thrown("success", "dare 1", roles=["assister left2"], levels=[6, 1, 1, 1, 1])
    assert row(walk, "level")[0] == 7
    play(walk, "cloud 2", "cloud 1")
    assert walk.is_over
    position = walk.position()
    assert (position["phase"], position["to_play"], position["turn"]) == ("over", None, 1)
    assert position["clouds"] == [[], [2], [1], [], []]


@clause("HP-14")
def test_it_ends_also_if_doves_lift_a_bettor_to_level_7():
    walk = thrown("failure", bets="unhappy", players=3, levels=[1, 1, 6], doves=[0, 0, 2])
    assert walk.is_over
    assert walk.result()["winners"] == [2]


@clause("HP-14")
@pytest.mark.parametrize("outcome", ["success", "failure"])
def test_roles_dare_and_bets_are_null_after_each_turn_the_last_too(outcome):
    for levels, balloons, over in (([1] * 5, [5] * 5, False), ([6, 1, 1, 1, 1], [1, 5, 5, 5, 5], True)):
        walk = thrown(outcome, "dare 2", roles=["turbulator left2"], levels=levels, balloons=balloons)
        play(walk, "cloud 0")
        position = walk.position()
        assert (position["phase"] == "over") == over
        assert [position[role] for role in ("skewerer", "assister", "turbulator", "dare")] == [None] * 4
        assert position["bets"] == [None] * 5
        assert position["hurler"] == (0 if over else 1)
        assert position["last_throw"] == {"success": outcome == "success"}
        assert position["put_away"] == [2]


def ended(levels, held, balloons=None):
    """The result after a failure of seat 0 that ends the game by seat 0's last balloon."""
    balloons = balloons or [1] + [5] * (len(levels) - 1)
    bets = "happy " * len(levels)
    return thrown("failure", players=len(levels), bets=bets, levels=levels, clouds=held, balloons=balloons).result()


@clause("HP-15")
def test_the_score_is_level_and_clouds_and_the_highest_wins():
    result = ended([6, 2, 3], "22 012 1")
    assert result["scores"] == [0 + 4, 2 + 3, 3 + 1]
    assert result["winners"] == [1]
    assert result["rewards"] == [-0.5, 1.0, -0.5]


@clause("HP-15")
def test_the_one_beside_the_board_may_win_by_its_clouds():
    result = ended([6, 2, 3], "222 0 -")
    assert result["scores"] == [6, 2, 3]
    assert result["winners"] == [0]


@clause("HP-15", "HP-16")
def test_of_a_tie_the_higher_figurine_wins():
    result = ended([6, 2, 3], "222 22 012")
    assert result["scores"] == [6, 6, 6]
    assert result["winners"] == [2]
    assert result["ranks"] == [3, 2, 1]


@clause("HP-15", "HP-16")
def test_still_tied_the_victory_is_shared():
    result = ended([6, 3, 3, 2, 2], "22 12 0012 12 12")
    assert result["scores"] == [4, 6, 6, 5, 5]
    assert result["winners"] == [1, 2]
    assert result["ranks"] == [5, 1, 1, 3, 3]


@clause("HP-15")
def test_level_7_alone_does_not_win():
    walk = thrown("success", players=3, bets="happy", levels=[6, 5, 6], clouds="- 2 2")
    play(walk, "cloud 2")
    assert walk.result()["scores"] == [7, 9, 8]
    assert walk.result()["winners"] == [1]


@clause("HP-16", "C-8")
def test_after_max_turns_the_game_is_truncated_and_nobody_wins():
    walk = table(max_turns=2, turn=1, clouds="- 2 -", names=["skewerer left1", "dare 0", "bet happy", "failure"])
    assert walk.is_over
    position = walk.position()
    assert (position["phase"], position["truncated"], position["winners"], position["turn"]) == ("over", True, [], 2)
    assert position["hurler"] == 0
    result = walk.result()
    assert result["truncated"] is True
    assert result["scores"] == [1, 3, 1]
    assert result["ranks"] == [2, 1, 2]
    assert (result["winners"], result["rewards"]) == ([], [0, 0, 0])


@clause("HP-16", "HP-14")
def test_a_game_that_ends_with_the_last_turn_before_the_cap_is_not_truncated():
    walk = table(max_turns=2, turn=1, balloons=[1, 5, 5], names=["skewerer left1", "dare 0", "bet happy", "failure"])
    assert "truncated" not in walk.position()
    assert walk.result()["winners"] == [1, 2]


@clause("HP-16")
@pytest.mark.parametrize(("players", "dares"), [(3, "a"), (4, "at")])
def test_the_longest_game_has_9n_and_1_turns(players, dares):
    """Nobody bets, everybody climbs to level 6 and loses all balloons but one: then the next throw ends the game."""
    for last in ("success", "failure"):
        walk = new_game(players=players, dares=dares)
        for turn in range(9 * players + 1):
            assert stage(walk) == ("skewerer", turn % players)
            play(walk, "skewerer left1", "dare 0")
            while not walk.is_chance:
                walk.play(walk.legal()[0])
            play(walk, last if turn == 9 * players else "success" if turn < 5 * players else "failure")
            while walk.is_chance:
                walk.happen(0)
        assert walk.is_over
        assert walk.position()["turn"] == 9 * players + 1
        assert "truncated" not in walk.position()


@clause("HP-16")
@pytest.mark.parametrize("players", [5, 6])
def test_a_longer_game_is_not_met_where_somebody_bets(players):
    rng = random.Random(players)
    for _ in range(5):
        walk = new_game(players=players)
        while not walk.is_over:
            if walk.is_chance:
                walk.happen(rng.randrange(len(walk.outcomes())))
            else:
                walk.play(rng.choice(walk.legal()))
        assert walk.position()["turn"] <= 9 * players + 1
        assert not walk.result().get("truncated")


# ---- common to all games ---------------------------------------------------------------------------------------------
@clause("C-7")
def test_payoffs_by_rank_and_score():
    walk = thrown("failure", players=3, bets="happy", levels=[6, 2, 3], clouds="2 2 012", balloons=[1, 5, 5])
    for payoff, rewards in ((Payoff.RANK, [-1.0, 0.0, 1.0]), (Payoff.SCORE, [2 - 5, 4 - 4, 6 - 3])):
        paid = Walk(GAME, walk.options, payoff=payoff)
        paid.batch.load(walk.states)
        assert paid.result()["rewards"] == rewards


@clause("C-5")
@every_number
def test_names_are_unique_in_the_stated_order_and_read_back(players):
    o = options_of(players=players)
    names = [GAME.action_name(o, a) for a in range(GAME.spec(o).num_actions)]
    roles = ("skewerer", "assister", "turbulator")
    assert names == [f"{role} left{k}" for role in roles for k in range(1, players)] + ["bet happy", "bet unhappy"]
    assert [GAME.parse_action(o, name) for name in names] == list(range(3 * players - 1))
    for wrong in ("skewerer left0", f"skewerer left{players}", "bet", "bet Happy", "hurler left1", ""):
        with pytest.raises(ValueError, match="unknown action"):
            GAME.parse_action(o, wrong)


@clause("C-11")
def test_an_action_that_is_not_legal_changes_nothing():
    walk = table(4, names=["skewerer left1", "dare 1"])
    before = walk.states.tobytes()
    for wrong in ("assister left1", "skewerer left2", "turbulator left2", "bet happy"):
        with pytest.raises(IllegalActionError):
            play(walk, wrong)
        assert walk.states.tobytes() == before


@clause("C-6")
def test_chance_points_have_no_position():
    for walk in (new_game(skills="sampled"), table(names=["skewerer left1"]), thrown("success")):
        with pytest.raises(PositionError, match="chance"):
            walk.position()


def test_decks_in_short_are_what_they_say():
    assert deck("a60 at") == [
        {"id": 0, "base": 0.6, "assister": True, "turbulator": False},
        {"id": 1, "base": 0.5, "assister": True, "turbulator": True},
    ]
