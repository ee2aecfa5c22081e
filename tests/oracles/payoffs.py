"""What a finished game pays (C-7), for all slow walkers: exact fractions, and nothing of the package."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction


def payoffs(
    ranks: Sequence[int], scores: Sequence[int], winners: Sequence[int], *, truncated: bool = False
) -> dict[str, list[float]]:
    """C-7: the rewards of every seat under each scheme.

    RULING: a truncated game pays 0 under every scheme, also ``rank`` and ``score`` (C-8).
    """
    players = len(ranks)
    shares = [Fraction(1, len(winners)) if seat in winners else Fraction(0) for seat in range(players)]
    win = [Fraction(players, players - 1) * (share - Fraction(1, players)) for share in shares]
    if not winners:
        win = [Fraction(0)] * players
    rank: list[Fraction] = []
    for own in ranks:
        tied = ranks.count(own)
        places = range(own, own + tied)  # the places that the tied seats take up together, 1 .. players
        rank.append(sum((1 - Fraction(2 * (place - 1), players - 1) for place in places), Fraction(0)) / tied)
    score = [own - Fraction(sum(scores) - own, players - 1) for own in scores]
    if truncated:
        win = rank = score = [Fraction(0)] * players
    return {
        "win": [float(value) for value in win],
        "rank": [float(value) for value in rank],
        "score": [float(value) for value in score],
    }
