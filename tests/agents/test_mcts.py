"""Monte-Carlo tree search: right where the answer is known (test_search.py has what all searches share)."""

from typing import Any

import numpy as np
import pytest

from hopenvs.agents.greedy import Greedy
from hopenvs.agents.mcts import MCTS
from hopenvs.core import jit, state
from hopenvs.core.options import parse_options
from hopenvs.core.state import Payoff
from hopenvs.core.walk import walk_of
from tests.agents.conftest import CARDS, IGEL, TICKS, decide, streams_of, under_way

PLAIN = jit.BACKEND == "plain"
FEW = 20 if PLAIN else 60  # simulations


@pytest.fixture
def game(searched_game):
    """Each game in turn; what takes long to compile is slow."""
    return searched_game


def searched(agent: MCTS, batch: Any, streams: np.ndarray, place: int = 0) -> tuple[np.ndarray, np.ndarray]:
    seats = np.where(batch.seat >= 0, batch.seat, place).astype(np.int32)
    return agent.search(batch.states.copy(), seats, streams, batch.spec.num_actions)


@pytest.mark.parametrize("cut", [-1, 0, 3])
def test_every_simulation_begins_with_a_legal_action(game, options, cut):
    batch = under_way(game, options, 8, seed=3, most=5)
    visits, means = searched(MCTS(game, options, FEW, cut=cut), batch, streams_of(8))
    legal = batch.mask[:, 0] != 0
    np.testing.assert_array_equal(visits.sum(axis=1), FEW)
    assert not visits[~legal].any()
    assert not means[visits == 0].any()
    assert cut >= 0 or (np.abs(means) <= 1).all(), "the mean of what is paid"
    most = np.minimum(legal.sum(axis=1), FEW)
    np.testing.assert_array_equal((visits > 0).sum(axis=1), most, "what was never tried is tried first")


def test_other_seeds_give_other_searches():
    batch = under_way(CARDS, parse_options(CARDS, {}), 5, most=5)
    mcts = MCTS(CARDS, batch.options, FEW)
    one, other = (searched(mcts, batch, streams_of(5, seed))[0] for seed in (1, 20))
    assert (one != other).any()


# ---- where the answer is known --------------------------------------------------------------------------------------
def card_position(**keys: Any) -> Any:
    """A position of the card game, its bag made up of the cards that are nowhere else."""
    position: dict[str, Any] = {
        "game": "card_game", "players": 2, "phase": "turn", "to_play": 0, "hands": [[1], []], "buried": [[], []],
        "played": [[3], [1, 2]], "points": [3, 3], "turn": 3, "winners": [],
    } | keys  # fmt: skip
    left = [1] * 5 + [2] * 4 + [3] * 3
    for name in ("hands", "buried", "played"):
        for cards in position[name]:
            for card in cards:
                left.remove(card)
    return position | {"bag": left}


@pytest.mark.parametrize("cut", [-1, 0])
def test_the_value_of_a_last_card_is_its_expectation(cut):
    """Seat 0 is level and plays its only card, a 1: it is lost (weight 1), counts (3), or counts twice (1)."""
    options = parse_options(CARDS, {})
    walk = walk_of(CARDS, options, card_position())
    play = CARDS.parse_action(options, "play 1")
    n = 100 if PLAIN else 2000
    visits, means = MCTS(CARDS, options, n, cut=cut).search(walk.states, np.zeros(1, np.int32), streams_of(1), 6)
    assert visits[0, play] > n // 4
    level = 1 / 5  # the card is lost: a shared victory pays 0; else seat 0 wins
    assert means[0, play] == pytest.approx(1 - level, abs=0.15 if PLAIN else 0.05)


@pytest.mark.slow
def test_a_move_that_wins_at_once_is_found_and_gets_nearly_all_simulations():
    """Igel Ärgern's last step: the other moves leave the game open."""
    options = parse_options(IGEL, {})
    walk, greedy = walk_of(IGEL, options), Greedy(IGEL, options)
    found = 0
    for seed in range(60):
        walk.start(seed)
        while not walk.is_over:
            walk.draw_all()
            seat, before = walk.current_player, walk.states.copy()
            wins = []
            for action in walk.legal():
                walk.batch.load(before)
                walk.play(action)
                wins += [action] * int(walk.states["winners"][0, seat])
            walk.batch.load(before)
            if wins and len(wins) < len(walk.legal()):
                n = 60 if PLAIN else 400
                visits, means = MCTS(IGEL, options, n).search(
                    walk.states.copy(), np.array([seat], np.int32), streams_of(1), walk.spec.num_actions
                )
                assert int(visits[0].argmax()) in wins
                assert means[0, wins].tolist() == pytest.approx([1.0] * len(wins))
                found += 1
                break
            walk.play(int(decide(greedy, walk.batch, streams_of(1, seed))[0]))
        if found == (1 if PLAIN else 3):
            return
    raise AssertionError(f"only {found} such positions in these games")


@pytest.mark.parametrize("lead", [0.3, 0.01])
def test_evaluations_count_by_their_spread(lead):
    """Whatever a game measures in: none of the means is far beyond `lead` (the ends of games apart)."""
    options = parse_options(CARDS, {"goal": 12})
    batch = under_way(CARDS, options, 6, seed=3, most=2)
    visits, means = searched(MCTS(CARDS, options, 2 * FEW, lead=lead), batch, streams_of(6))
    assert 0.1 * lead < np.abs(means[visits > 0]).max() < 5 * lead


def test_an_ended_game_has_nothing_to_search():
    options = parse_options(CARDS, {})
    states = state.new_states(1, state.state_dtype(CARDS.spec(options).record_seats, CARDS.fields(options)))
    states["current_player"] = state.TERMINAL
    visits, _ = MCTS(CARDS, options, 3).search(states, np.zeros(1, np.int32), streams_of(1), 6)
    assert not visits.any()


@pytest.mark.slow
def test_in_a_tick_every_seat_searches_for_itself():
    options = parse_options(TICKS, {})
    batch = under_way(TICKS, options, 4, seed=3, most=3)
    for place in range(batch.seats_asked):
        visits, _ = searched(MCTS(TICKS, options, FEW), batch, streams_of(4), place)
        assert not visits[batch.mask[:, place] == 0].any()
        np.testing.assert_array_equal(visits.sum(axis=1), FEW)


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"simulations": 0}, "simulations=0"),
        ({"payoff": Payoff.SCORE}, "expected WIN or RANK"),
        ({"exploration": float("nan")}, "exploration=nan"),
        ({"lead": -1.0}, "lead=-1"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings, told):
    with pytest.raises(ValueError, match=told):
        MCTS(IGEL, parse_options(IGEL, {}), **settings)
