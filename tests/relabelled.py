"""Positions with every seat called another: for tests that all seats are alike (C-10)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def relabelled(position: Mapping[str, Any], shift: int) -> dict[str, Any]:
    """The same position of Igel Ärgern with seat s called (s + shift) modulo the number of players.

    Raises:
        ValueError: while pieces are placed, which seat 0 begins (IA-2).
    """
    if position["game"] != "igel_aergern" or position["phase"] == "place":
        raise ValueError("seat 0 places first")
    n = position["players"]
    turned = dict(position)
    turned["stacks"] = [[[(seat + shift) % n for seat in stack] for stack in track] for track in position["stacks"]]
    if position["to_play"] is not None:
        turned["to_play"] = (position["to_play"] + shift) % n
    turned["winners"] = sorted((seat + shift) % n for seat in position["winners"])
    return turned
