"""Options of the Puzzlers (HH-10 to HH-26)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from hopenvs.core.options import Option

MAX_PLAYERS = 6

NO_PROMO, UNICORN_PROMO, ZOMBIE_PROMO, VEGAN_ZOMBIE_PROMO = range(4)
PROMOS = ("none", "unicorn", "zombie", "vegan_zombie")
RIGID, CONTACT = range(2)

OPTIONS: tuple[Option, ...] = (
    Option("players", 2, "How many play.", 2, MAX_PLAYERS, clause="HH-10"),
    Option("promo", "none", "The promo card in the centre.", choices=PROMOS, in_position=False, clause="HH-24"),
    Option(
        "push", "rigid", "Whether a push moves the whole line, or only the cards that touch.",
        choices=("rigid", "contact"), clause="HH-15",
    ),
)  # fmt: skip


class Options(NamedTuple):
    """The options as the rules read them."""

    players: int = 2
    promo: int = NO_PROMO
    push: int = RIGID


def complete_options(codes: Mapping[str, Any]) -> dict[str, Any]:
    """Nothing is derived."""
    return dict(codes)


def check_options(o: Options) -> None:
    """Every combination is possible (HH-24: `promo` names one card or none)."""
