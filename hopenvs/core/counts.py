"""Piles as counts: how often each kind of card is there."""

from __future__ import annotations

from typing import Any

from hopenvs.core.jit import rule

BLOCK = 12  # so many counts are added up at once, by vectors; it divides the numbers of kinds


@rule
def total(pile: Any) -> int:
    """How many cards a pile of counts [kinds] holds."""
    count = 0
    for kind in range(len(pile)):
        count += pile[kind]
    return count


@rule
def kth(pile: Any, k: int) -> int:
    """The kind of the k-th card of a pile of counts [kinds] that holds more, those of a kind side by side."""
    kind = 0
    while kind + BLOCK <= len(pile):
        inside = 0
        for offset in range(BLOCK):
            inside += pile[kind + offset]
        if k < inside:
            break
        k -= inside
        kind += BLOCK
    while k >= pile[kind]:
        k -= pile[kind]
        kind += 1
    return kind
