"""Payoffs, ranks and forfeits against the definition of C-7, C-11 and C-12, in fractions."""

import itertools
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

from hopenvs.core import state
from hopenvs.core.game import Spec
from hopenvs.core.jit import plain_twin
from hopenvs.core.state import BY_MAX_TURNS, BY_STEP_LIMIT, Payoff
from tests.core.conftest import needs_numba

SEATS = range(2, 7)
pay, rank_by, give_up = plain_twin(state.pay), plain_twin(state.rank_by), plain_twin(state.give_up)


def finished(players, *, scores=(), ranks=(), winners=(), truncated=0):
    blank = [0] * players
    return SimpleNamespace(
        rewards=[9.0] * players,
        scores=list(scores) or blank[:],
        ranks=list(ranks) or blank[:],
        winners=list(winners) or blank[:],
        truncated=truncated,
        forfeit=0,
        current_player=0,
    )


def paid(players, payoff, **result):
    s = finished(players, **result)
    pay(players, s, payoff)
    return s.rewards


def competition_ranks(strengths):
    return [1 + sum(other > own for other in strengths) for own in strengths]


def rank_patterns(players):
    """All rankings with ties: 3, 13, 75, 541 and 4683 of them."""
    return sorted(
        {tuple(competition_ranks(strengths)) for strengths in itertools.product(range(players), repeat=players)}
    )


@pytest.mark.parametrize("n", SEATS)
def test_winners_share_what_the_others_pay(n):
    """C-7: n / (n - 1) * (share - 1 / n)."""
    for winners in itertools.product((0, 1), repeat=n):
        k = sum(winners)
        share = [Fraction(won, k) if k else Fraction(0) for won in winners]
        exact = [Fraction(n, n - 1) * (s - Fraction(1, n)) if k else Fraction(0) for s in share]
        assert sum(exact) == 0
        assert paid(n, Payoff.WIN, winners=winners) == [float(reward) for reward in exact]


@pytest.mark.parametrize("n", SEATS)
def test_a_sole_winner_gets_one_and_each_other_pays_its_part(n):
    assert paid(n, Payoff.WIN, winners=[1] + [0] * (n - 1)) == [1.0] + [-1 / (n - 1)] * (n - 1)


@pytest.mark.parametrize("n", SEATS)
def test_ranks_are_spaced_evenly_and_tied_ones_averaged(n):
    places = [1 - Fraction(2 * place, n - 1) for place in range(n)]  # +1 for the first, -1 for the last
    patterns = rank_patterns(n)
    assert len(patterns) == [3, 13, 75, 541, 4683][n - 2]
    for ranks in patterns:
        exact = []
        for rank in ranks:
            tied = places[rank - 1 : rank - 1 + ranks.count(rank)]
            exact.append(sum(tied, Fraction(0)) / len(tied))
        assert sum(exact) == 0
        assert paid(n, Payoff.RANK, ranks=ranks) == [float(reward) for reward in exact]


@pytest.mark.parametrize("n", SEATS)
def test_scores_pay_what_they_are_above_the_mean_of_the_others(n):
    chooser = np.random.default_rng(n)
    for _ in range(300):
        scores = [int(x) for x in chooser.integers(-50, 100, n)]
        exact = [own - Fraction(sum(scores) - own, n - 1) for own in scores]
        assert sum(exact) == 0
        assert paid(n, Payoff.SCORE, scores=scores) == [float(reward) for reward in exact]


@pytest.mark.parametrize("payoff", Payoff)
@pytest.mark.parametrize("truncated", [BY_MAX_TURNS, BY_STEP_LIMIT])
def test_a_truncated_game_pays_nothing(payoff, truncated):
    result = dict(scores=[5, 1, 0], ranks=[1, 2, 3], winners=[1, 0, 0], truncated=truncated)
    assert paid(3, payoff, **result) == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("n", SEATS)
def test_ranks_count_who_is_strictly_better(n):
    for strengths in itertools.product(range(n), repeat=n):
        ranks = [0] * n
        rank_by(n, strengths, ranks)
        assert ranks == competition_ranks(strengths)


def test_seats_beyond_the_players_are_not_looked_at():
    s = finished(6, scores=[1, 2, 99, 99, 99, 99], ranks=[2, 1, 1, 1, 1, 1], winners=[0, 1, 1, 1, 1, 1])
    for payoff, rewards in ((Payoff.WIN, [-1, 1]), (Payoff.RANK, [-1, 1]), (Payoff.SCORE, [-1, 1])):
        s.rewards = [9.0] * 6
        pay(2, s, payoff)
        assert s.rewards == [*rewards, 9, 9, 9, 9]


@pytest.mark.parametrize("n", SEATS)
def test_a_forfeit_costs_one_point_which_the_others_share(n):
    for offender in range(n):
        s = finished(n, scores=range(n))
        give_up(n, s, offender)
        others = [k for k in range(n) if k != offender]
        assert s.rewards[offender] == -1
        assert [s.rewards[k] for k in others] == [float(Fraction(1, n - 1))] * (n - 1)
        assert s.ranks == [n if k == offender else 1 for k in range(n)]
        assert s.winners == [int(k != offender) for k in range(n)]
        assert s.scores == list(range(n)), "scores stay as they stood"


def spec(players, score_range):
    return Spec(num_players=players, num_actions=1, sections=(), record_seats=players, score_range=score_range)


@pytest.mark.parametrize("n", SEATS)
def test_the_stated_reward_range_holds_every_payoff_and_no_more(n):
    assert spec(n, None).reward_range(Payoff.WIN) == (-1.0, 1.0)
    assert spec(n, (0, 5)).reward_range(Payoff.RANK) == (-1.0, 1.0)
    low, high = spec(n, (2, 7)).reward_range(Payoff.SCORE)
    assert paid(n, Payoff.SCORE, scores=[7] + [2] * (n - 1))[0] == high == 5
    assert paid(n, Payoff.SCORE, scores=[2] + [7] * (n - 1))[0] == low == -5
    assert spec(n, (0, 0)).reward_range(Payoff.SCORE) == (-1.0, 1.0), "a forfeit pays too"


def test_a_game_without_scores_pays_none():
    with pytest.raises(ValueError, match="reward='score': this game has no scores"):
        spec(2, None).reward_range(Payoff.SCORE)


@needs_numba
def test_compiled_payoffs_are_the_same_bits():
    from numba import njit

    @njit
    def pay_all(players, states, payoff):
        for i in range(len(states)):
            state.pay(players, states[i], payoff)

    for n in SEATS:
        patterns = rank_patterns(n)[:600]
        states = state.new_states(len(patterns), state.state_dtype(6, []))
        for i, ranks in enumerate(patterns):
            states["ranks"][i, :n] = ranks
            states["winners"][i, :n] = [rank == 1 for rank in ranks]
            states["scores"][i, :n] = [7 * rank - i for rank in ranks]
        for payoff in Payoff:
            slow = state.copy_states(states)
            for i in range(len(states)):
                pay(n, state.people_view(slow, i), payoff)
            fast = state.copy_states(states)
            pay_all(n, fast, int(payoff))
            assert fast.tobytes() == slow.tobytes()
