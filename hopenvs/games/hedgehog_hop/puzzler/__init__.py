"""Hedgehog Hop's Puzzlers: the base game for 2, and for 3 to 6 players (README.md one folder up has the rules)."""

import sys
from collections.abc import Sequence
from typing import Any

from hopenvs.core.game import Spec, legal_moves
from hopenvs.core.position import write_position
from hopenvs.games.hedgehog_hop.cards import CARDS
from hopenvs.games.hedgehog_hop.puzzler.codec import (
    action_name,
    catalogue,
    describe,
    outcome_name,
    parse_action,
    told_outcome,
)
from hopenvs.games.hedgehog_hop.puzzler.observation import evaluate, observe, resample_hidden, sections
from hopenvs.games.hedgehog_hop.puzzler.options import NO_PROMO, OPTIONS, Options, check_options, complete_options
from hopenvs.games.hedgehog_hop.puzzler.position import from_position, to_position
from hopenvs.games.hedgehog_hop.puzzler.rules import (
    INTERCHANGEABLE,
    action_mask,
    apply,
    apply_chance,
    fields_for,
    key,
    num_outcomes,
    outcome_weight,
    result,
    setup,
)
from hopenvs.games.hedgehog_hop.puzzler.table import size_for

ID = "hedgehog_hop"
FAMILY = "puzzler"
VERSION = 0


def spec(o: Options) -> Spec:
    """The facts under these options."""
    size = size_for(o.players)
    cards = CARDS * size.decks + (o.promo != NO_PROMO)
    mob = len(size.start) + o.players * (size.hand - 1)
    return Spec(
        num_players=o.players,
        num_actions=len(catalogue(o)),
        sections=sections(o),
        record_seats=size.seats,
        perfect_information=False,
        ply_hides=False,  # `evaluate` counts backup dancers, whichever the next cards are
        # all of a full mob in each of the lead's three groups, all other cards backup dancers
        score_range=(0, 3 * mob + cards - mob - o.players),
        max_outcomes=CARDS * size.decks,
        max_decisions=o.players * (size.hand - 1) * 6,  # a turn: a play, up to four steals, a discard
    )


def fields(o: Options) -> list[tuple[Any, ...]]:
    """The record's fields, sized for two, three, or four to six players."""
    return fields_for(o.players)


def scene(o: Options, s: Any, seat: int | None = None, last: Sequence[str] = ()) -> Any:
    """The picture of a position; with `seat`, without what that seat can't know."""
    from hopenvs.games.hedgehog_hop.puzzler.draw import draw_position  # not needed to play

    game: Any = sys.modules[__name__]
    legal = legal_moves(game, o, s) if seat in (None, s.current_player) else []
    return draw_position(write_position(game, o, s), last, seat, legal)
