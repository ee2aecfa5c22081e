"""What players that run compiled loops have in common: templates filled in with a game's rules, and what they hold."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hopenvs.core import jit, plain, rng, state
from hopenvs.core.choice import pick
from hopenvs.core.jit import instantiate
from hopenvs.core.options import options_record
from hopenvs.core.state import state_dtype

if TYPE_CHECKING:
    from hopenvs.core.game import Game

_CONSTANTS = {
    **{name: getattr(state, name) for name in ("CHANCE", "SIMULTANEOUS", "TERMINAL", "NOT_TRUNCATED")},
    **{rule.__name__: rule for rule in (pick, rng.below, state.pay, state.give_up)},
}
_RULES = (
    *("action_mask", "num_outcomes", "outcome_weight", "apply_chance"),
    *("result", "evaluate", "resample_hidden"),
)
_made: dict[tuple[str, str, str], Any] = {}


def fill_in(
    game: Game, kind: str, template: Any, constants: Mapping[str, Any], parts: Mapping[str, Any]
) -> Any:  # fmt: skip
    """A player's kernel for a game module, made once a process and compiled when first called.

    Args:
        game: the game module; its rules stand for their names in the template and its parts.
        kind: of player, for the names that compiled functions are cached under.
        template: the loop that Python calls.
        constants: what further names stand for.
        parts: the functions that the template calls, by name, callees before callers: a compiled function must find its
            callees made. A pair is for games in turns and for simultaneous ones.
    """
    which = (game.__name__, kind, template.__name__)
    if which not in _made:
        simultaneous = hasattr(game, "apply_joint")
        decision = "apply_joint" if simultaneous else "apply"
        names = {**_CONSTANTS, **constants, **{rule: getattr(game, rule) for rule in (*_RULES, decision)}}
        for name, part in parts.items():
            chosen = part[simultaneous] if isinstance(part, tuple) else part
            names[name] = instantiate(chosen, names, f"{game.ID}_{kind}_{name}", entry=False)
        label = f"{game.ID}_{kind}_{template.__name__.removeprefix(f'{kind}_')}"
        _made[which] = instantiate(template, names, label, entry=True)
    return _made[which]


class KernelPlayer:
    """A player of one game under some options; it can be pickled.

    Args:
        game: the game module.
        options: its compiled options.
    """

    def __init__(self, game: Game, options: Any) -> None:
        spec = game.spec(options)
        self._game = game
        self._options = options
        self._options_record = options_record(options)
        self._dtype = state_dtype(spec.record_seats, game.fields(options))
        self._players = spec.num_players

    @staticmethod
    def _call(kernel: Any, n: int, arrays: tuple[Any, ...]) -> None:
        """Run a kernel over n rows."""
        kernel(0, n, *(map(plain.wrap, arrays) if jit.BACKEND == "plain" else arrays))

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"_game": self._game.__name__}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        vars(self).update(saved)
        self._game = importlib.import_module(saved["_game"])
