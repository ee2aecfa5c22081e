"""Comparing a game's rules with its slow walker (tests/oracles): what is the same for every game."""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import ModuleType
from typing import Any

import numpy as np

from hopenvs.core.state import Payoff
from hopenvs.core.walk import Walk


def keep_apart(seen: dict[bytes, str], key: bytes, what_matters: Any) -> None:
    """Equal keys mean equal positions, and the other way round.

    Args:
        seen: what has been seen so far, filled by this function.
        key: the engine's key of a position.
        what_matters: the walker's position, less what doesn't matter for play; JSON-able.
    """
    text = json.dumps(what_matters)
    assert seen.setdefault(key, text) == text
    assert seen.setdefault(text.encode(), key.hex()) == key.hex()


def compare_the_end(oracle: ModuleType, walk: Walk, node: Mapping[str, Any]) -> None:
    """The game is over with the walker's position and result, under every payoff."""
    assert walk.is_over
    assert walk.legal_names() == []
    assert walk.position() == node
    expected = oracle.result(node)
    for payoff in Payoff:
        ended = Walk(walk.game, walk.options, payoff=payoff)
        ended.batch.load(walk.states)
        result = ended.result()
        assert result.pop("truncated", False) == node.get("truncated", False)
        assert np.allclose(result.pop("rewards"), expected["rewards"][payoff.name.lower()], atol=1e-12)
        assert result == {name: expected[name] for name in ("ranks", "scores", "winners")}
