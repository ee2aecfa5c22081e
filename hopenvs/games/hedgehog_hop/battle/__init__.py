"""Hedgehog Hop's Dance Battle Royale for 3 to 6 players (README.md one folder up has the rules)."""

import sys
from collections.abc import Sequence
from typing import Any

from hopenvs.core.game import Spec, legal_moves
from hopenvs.core.position import write_position
from hopenvs.games.hedgehog_hop.battle.codec import (
    action_name,
    catalogue,
    describe,
    outcome_name,
    parse_action,
    told_action,
    told_outcome,
)
from hopenvs.games.hedgehog_hop.battle.observation import evaluate, observe, resample_hidden, sections
from hopenvs.games.hedgehog_hop.battle.options import MIN_PLAYERS, OPTIONS, Options, check_options, complete_options
from hopenvs.games.hedgehog_hop.battle.position import from_position, to_position
from hopenvs.games.hedgehog_hop.battle.rules import (
    INTERCHANGEABLE,
    ROUNDS,
    action_mask,
    apply,
    apply_chance,
    fields_for,
    key,
    num_outcomes,
    outcome_weight,
    result,
    seats_for,
    setup,
)
from hopenvs.games.hedgehog_hop.cards import CARDS

ID = "hedgehog_hop"
FAMILY = "battle"
VERSION = 0

HIGHEST_SCORE = 24 + 3 * 38  # a whole move of two decks, and three such layouts (HH-58)


def most_decisions(o: Options) -> int:
    """A bound on the decisions after the crews are laid."""
    if o.players == MIN_PLAYERS:
        return 4 * o.max_turns  # a card of the start check, a play, a card of the end check, a discard
    return 5 * o.players * int(ROUNDS[o.players])  # a plan, those but the discard, a card at the end of the round


def spec(o: Options) -> Spec:
    """The facts under these options."""
    return Spec(
        num_players=o.players,
        num_actions=len(catalogue(o)),
        sections=sections(o),
        record_seats=seats_for(o.players),
        perfect_information=False,
        score_range=(0, HIGHEST_SCORE),
        max_turns=o.max_turns if o.players == MIN_PLAYERS else None,
        max_outcomes=CARDS * (1 if o.players == MIN_PLAYERS else 2),
        max_decisions=4 * o.players + most_decisions(o),
    )


def fields(o: Options) -> list[tuple[Any, ...]]:
    """The record's fields, sized for three, or four to six players."""
    return fields_for(o.players)


def scene(o: Options, s: Any, seat: int | None = None, last: Sequence[str] = ()) -> Any:
    """The picture of a position; with `seat`, without what that seat can't know."""
    from hopenvs.games.hedgehog_hop.battle.draw import draw_position  # not needed to play

    game: Any = sys.modules[__name__]
    legal = legal_moves(game, o, s) if seat in (None, s.current_player) else []
    return draw_position(write_position(game, o, s), last, seat, legal)
