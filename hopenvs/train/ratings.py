"""How strong players are, on one scale, from games of every two of them.

The model is Luce's choice model (R. D. Luce, "Individual Choice Behavior", 1959): a seat wins with a probability in
proportion to exp(r), r being the strength of who sits there. At a table of two that is the model of Bradley and Terry.
If two players share a table's seats, n and m of them, one of the first one's seats wins with probability
n exp(r) / (n exp(r) + m exp(q)): a logistic regression on r - q with the offset log(n / m). Its likelihood has one
maximum, which Newton's method finds in a few steps; the iteration of D. R. Hunter ("MM algorithms for generalized
Bradley-Terry models", Annals of Statistics 32, 2004) climbs to the same, but takes thousands where one player wins
nearly always, and that is what ladders look like.

To the games of every two players one more is added, whose win all seats share: so strengths stay finite where somebody
has won everything. It is as if each pair began with Jeffreys' prior.

Intervals are from the weighted likelihood bootstrap (M. A. Newton, A. E. Raftery, "Approximate Bayesian inference with
the weighted likelihood bootstrap", JRSS B 56, 1994): strengths are found again and again with random weights of mean 1,
exponential ones for what was played and gamma ones for the parts of the added games. Of two players and games that are
independent that is Jeffreys' interval of the share of wins, which covers well also near 0 and 1 (Brown, Cai and
DasGupta, 2001), where drawing games with replacement draws the same again and claims to know it all. A weight is that
of a unit: games that are not independent, such as the rotations of a table and all pairs' games of the same seeds, have
it in common. Of few units (ten, say) intervals are too narrow.

Libraries of such models (choix is the best known) take games one by one, in loops of Python, and whole wins only: a
thousand weighted fits of shared wins are out of their reach.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hopenvs.agents.match import CONFIDENCE

ELO = 400 / np.log(10)  # points of the Elo scale in a unit of strength
PRIOR = 1.0  # games added to those of each pair
SAMPLES = 2000
SAMPLING_SEED = 0
MOST_WEIGHTS = 4_000_000  # drawn at once
LARGEST_STEP, SMALLEST_STEP, MOST_STEPS = 2.0, 1e-9, 200


@dataclass(frozen=True)
class Encounters:
    """Games of two players each, E kinds of them, in U units that are independent of one another.

    Attributes:
        sides: [E, 2] int, the two players, as indices.
        seats: [E, 2] int, how many of the table's seats each has.
        games: [U, E], how many of every kind a unit holds, or one number for all.
        wins: [U, E] float, from 0 to `games`: the wins credited to the first one's seats.
    """

    sides: np.ndarray
    seats: np.ndarray
    games: int | np.ndarray
    wins: np.ndarray

    @property
    def losses(self) -> np.ndarray:
        """[U, E] float, the wins credited to the other one's seats."""
        return self.games - self.wins

    @property
    def added(self) -> np.ndarray:
        """[E, 2] the added wins: a pair that meets in several kinds of games has a part of them in each."""
        pairs = np.sort(self.sides, axis=1)
        kinds = (pairs[:, None] == pairs[None]).all(axis=2).sum(axis=1)  # [E]
        return PRIOR * self.seats / (self.seats.sum(axis=1) * kinds)[:, None]


@dataclass(frozen=True)
class Ratings:
    """Strengths of n players on the Elo scale, where 400 points are odds of ten to one.

    Attributes:
        rating: [n].
        low: [n] where it lies at least, with `CONFIDENCE`.
        high: [n] where it lies at most.
    """

    rating: np.ndarray
    low: np.ndarray
    high: np.ndarray


def rate(encounters: Encounters, players: int, anchor: int = 0, samples: int = SAMPLES) -> Ratings:
    """Rate players; all must be connected by games.

    Args:
        encounters: who has won how often against whom.
        players: how many there are.
        anchor: whose rating is 0, by definition: that of the others is the distance to it.
        samples: how often strengths are found again for the intervals.
    """
    counted = np.stack([side.sum(axis=0) for side in (encounters.wins, encounters.losses)], axis=1)
    strengths = fit(encounters, counted[None] + encounters.added, players)
    again = fit(encounters, _reweighted(encounters, samples), players)
    rating, likely = (ELO * (found - found[:, [anchor]]) for found in (strengths, again))
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(likely, [tail, 1 - tail], axis=0)
    return Ratings(rating[0], low, high)


def _reweighted(encounters: Encounters, samples: int) -> np.ndarray:
    """[samples, E, 2] wins of both sides, each sample with weights of its own."""
    chance = np.random.default_rng(SAMPLING_SEED)
    units = len(encounters.wins)
    losses = encounters.losses
    won = np.empty((samples, len(encounters.sides), 2))
    at_once = max(1, MOST_WEIGHTS // units)
    for k in range(0, samples, at_once):
        weights = chance.standard_exponential((min(at_once, samples - k), units))
        won[k : k + at_once, :, 0] = weights @ encounters.wins
        won[k : k + at_once, :, 1] = weights @ losses
    return won + chance.standard_gamma(encounters.added, won.shape)


def fit(encounters: Encounters, won: np.ndarray, players: int) -> np.ndarray:
    """The strengths of greatest likelihood, for many samples at once.

    Args:
        encounters: who meets whom.
        won: [S, E, 2] wins of both sides, parts included.
        players: how many there are.

    Returns:
        [S, players] float64, natural logarithms, of mean 0.
    """
    sides, number = encounters.sides, np.arange(len(encounters.sides))
    ahead = np.zeros((len(sides), players))  # [E, n] 1 for the first side, -1 for the other
    ahead[number, sides[:, 0]], ahead[number, sides[:, 1]] = 1, -1
    offset = np.log(encounters.seats[:, 0] / encounters.seats[:, 1])
    squares = (ahead[:, :, None] * ahead[:, None]).reshape(len(sides), -1)  # [E, n * n]
    played = won.sum(axis=2)  # [S, E]
    strengths = np.zeros((len(won), players))
    for _ in range(MOST_STEPS):
        expected = 1 / (1 + np.exp(-(strengths @ ahead.T + offset)))  # [S, E] the share of the first side
        gradient = (won[:, :, 0] - played * expected) @ ahead
        curvature = ((played * expected * (1 - expected)) @ squares).reshape(-1, players, players)
        # Only differences matter: adding 1 everywhere fixes the mean and leaves the solution alone.
        step = np.linalg.solve(curvature + 1, gradient[:, :, None])[:, :, 0]
        largest = np.abs(step).max(axis=1, keepdims=True)
        strengths += step * np.minimum(1, LARGEST_STEP / np.maximum(largest, SMALLEST_STEP))
        if largest.max() < SMALLEST_STEP:
            break
    return strengths - strengths.mean(axis=1, keepdims=True)
