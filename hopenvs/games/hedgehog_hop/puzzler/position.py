"""Positions: any situation as a JSON-able dict and back (C-6)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from hopenvs.core.errors import PositionError
from hopenvs.core.jit import plain_twin
from hopenvs.core.position import check_keys, integer, items, seats, word
from hopenvs.core.state import BY_MAX_TURNS, TERMINAL
from hopenvs.games.hedgehog_hop.cards import (
    CARDS,
    HOP,
    NAMES,
    check_all_there,
    move_of,
    names_before,
    names_of,
    read_card,
    read_cards,
)
from hopenvs.games.hedgehog_hop.puzzler import rules
from hopenvs.games.hedgehog_hop.puzzler.options import (
    NO_PROMO,
    PROMOS,
    UNICORN_PROMO,
    Options,
)
from hopenvs.games.hedgehog_hop.puzzler.push import UNICORN, ZOMBIE, add
from hopenvs.games.hedgehog_hop.puzzler.table import size_for

PHASES = {"play": rules.PLAY, "steal": rules.STEAL, "discard": rules.DISCARD}
KEYS = (
    "game", "family", "players", "promo", "phase", "to_play", "mob", "hands", "backups", "draw", "draw_face_up",
    "discard", "removed", "steals_due", "must_discard", "turn", "winners",
)  # fmt: skip
PROMO_NAMES = {UNICORN: "unicorn", ZOMBIE: "zombie"}


def promo_card(o: Options) -> str | None:
    """What the promo card is called in the mob, or None: the zombies differ in words only (HH-26)."""
    if o.promo == NO_PROMO:
        return None
    return "unicorn" if o.promo == UNICORN_PROMO else "zombie"


def to_position(o: Options, s: Any) -> dict[str, Any]:
    """The position of a decision or a finished game, without `options`."""
    size, over = size_for(o.players), s.current_player == TERMINAL
    mob = sorted(
        (s.mob_column[slot] + size.left, s.mob_row[slot] + size.bottom, s.mob_card[slot]) for slot in range(s.mob_count)
    )
    return {
        "game": "hedgehog_hop",
        "family": "puzzler",
        "players": o.players,
        "promo": None if o.promo == NO_PROMO else PROMOS[o.promo],
        "phase": "over" if over else {code: name for name, code in PHASES.items()}[s.phase],
        "to_play": None if over else s.current_player,
        "mob": {f"{x},{y}": _name(card) for x, y, card in mob},
        "hands": [names_before(s.hand, seat) for seat in range(o.players)],
        "backups": [names_before(s.backup, seat) for seat in range(o.players)],
        "draw": names_of(s.draw),
        "draw_face_up": [NAMES[s.queue[k]] for k in range(s.queue_count)],
        "discard": [_name(s.discard[k]) for k in range(s.discard_count)],
        "removed": [_name(s.removed[k]) for k in range(s.removed_count)],
        "steals_due": s.due,
        "must_discard": bool(s.must_discard),
        "turn": s.turn,
        "winners": [seat for seat in range(o.players) if s.winners[seat]],
    } | ({"truncated": True} if s.truncated else {})


def _name(card: int) -> str:
    return NAMES[card] if card < CARDS else PROMO_NAMES[card]


def from_position(o: Options, position: Mapping[str, Any], s: Any) -> None:
    """Set the blank record `s` to a position.

    Raises:
        PositionError: naming the key that is malformed, or contradicts the rules or another key.
    """
    check_keys(position, KEYS, optional=("truncated", "options"))
    size = size_for(o.players)
    if position["family"] != "puzzler":
        raise PositionError(f"key 'family': {position['family']!r}: this environment has 'puzzler'")
    promo = None if o.promo == NO_PROMO else PROMOS[o.promo]
    if position["promo"] != promo:
        raise PositionError(f"key 'promo': {position['promo']!r}: this environment has {promo!r}")
    phase = word(position, "phase", (*PHASES, "over"))
    over = phase == "over"
    truncated = position.get("truncated", False)
    if not isinstance(truncated, bool) or (truncated and not over):
        raise PositionError(f"key 'truncated': {truncated!r} in phase {phase!r}: expected true, and only when over")
    last_turn = o.players * (size.hand - 1)
    finished = over and not truncated
    s.turn = integer(position["turn"], "turn", last_turn if finished else 0, last_turn if finished else last_turn - 1)
    to_play = position["to_play"]
    if over != (to_play is None):
        raise PositionError(f"key 'to_play': {to_play!r} in phase {phase!r}: expected null when over, else a seat")
    s.mover = s.turn % o.players
    if not over and integer(to_play, "to_play", 0, o.players - 1) != s.mover:
        raise PositionError(f"key 'to_play': {to_play}: in turn {s.turn} it is seat {s.mover}'s turn")
    s.phase = PHASES.get(phase, rules.PLAY)
    s.current_player = TERMINAL if over else s.mover
    s.truncated = BY_MAX_TURNS if truncated else 0
    s.due = integer(position["steals_due"], "steals_due", 0, rules.MOST_DUE)
    if not isinstance(position["must_discard"], bool):
        raise PositionError(f"key 'must_discard': {position['must_discard']!r}: expected true or false")
    s.must_discard = int(position["must_discard"])
    found: Counter[int] = Counter()
    _read_mob(o, position, s, found)
    _read_piles(o, position, s, found)
    _read_hands(o, position, s, found)
    check_all_there(position, found, size.decks)
    s.dealt = o.players * size.hand + len(size.start)
    _check_phase(o, s, phase, truncated)
    _check_winners(o, position, s, finished)


def _plays(position: Mapping[str, Any], s: Any) -> int:
    """How many cards have been played: one a turn, and perhaps one in the turn under way."""
    return int(s.turn) + (position["phase"] in ("steal", "discard") or position.get("truncated", False))


def _read_mob(o: Options, position: Mapping[str, Any], s: Any, found: Counter[int]) -> None:
    """The mob's cells on the table (HH-21); the promo card once, here or pushed out."""
    size, promo = size_for(o.players), promo_card(o)
    mob = position["mob"]
    if not isinstance(mob, Mapping) or not mob:
        raise PositionError(f"key 'mob': {mob!r}: expected a dict of cells 'x,y' and cards, not empty")
    room = len(size.start) + _plays(position, s)
    if len(mob) > room:
        raise PositionError(f"key 'mob': {len(mob)} cards in turn {s.turn}: expected at most {room}")
    for cell, name in mob.items():
        match = re.fullmatch(r"(0|-?[1-9][0-9]*),(0|-?[1-9][0-9]*)", cell) if isinstance(cell, str) else None
        if match is None:
            raise PositionError(f"key 'mob': cell {cell!r}: expected 'x,y'")
        column, row = int(match[1]) - size.left, int(match[2]) - size.bottom
        if not (0 <= column < size.columns and 0 <= row < size.rows):
            raise PositionError(
                f"key 'mob': cell {cell!r} is off the table: x from {size.left} to {-size.left}, "
                f"y from {size.bottom} to {size.top} (HH-21)"
            )
        card = _read_card_or_promo(name, "mob", promo)
        found[card] += 1
        plain_twin(add)(s, card, column, row)


def _read_card_or_promo(name: Any, key: str, promo: str | None) -> int:
    if promo is not None and name == promo:
        return {text: card for card, text in PROMO_NAMES.items()}[promo]
    return read_card(name, key)


def _read_piles(o: Options, position: Mapping[str, Any], s: Any, found: Counter[int]) -> None:
    """The draw pile's two parts, what was pushed out and what was eaten."""
    promo = promo_card(o)
    for card in read_cards(position["draw"], "draw"):
        s.draw[card] += 1
        found[card] += 1
    piles = {
        "draw_face_up": (s.queue, read_cards(position["draw_face_up"], "draw_face_up", in_order=False)),
        "discard": (
            s.discard,
            [
                _read_card_or_promo(name, "discard", promo)
                for name in items(position["discard"], "discard", None, "cards")
            ],
        ),
        "removed": (s.removed, read_cards(position["removed"], "removed", in_order=False)),
    }
    for key, (field, cards) in piles.items():
        if len(cards) > (s.turn if key == "draw_face_up" else _plays(position, s)):
            raise PositionError(f"key '{key}': {len(cards)} cards in turn {s.turn}: expected one a turn at most")
        for k, card in enumerate(cards):
            field[k] = card
            found[card] += 1
    s.queue_count, s.discard_count, s.removed_count = (len(cards) for _, cards in piles.values())
    if s.discard_count and o.players < 4:
        raise PositionError(
            f"key 'discard': {position['discard']!r}: nothing is pushed out with 3 players or fewer (HH-20)"
        )
    if s.removed_count and promo != "zombie":
        raise PositionError(f"key 'removed': {position['removed']!r}: only the zombie removes cards (HH-26)")
    if promo is not None:
        number = {text: card for card, text in PROMO_NAMES.items()}[promo]
        if found[number] != 1:
            raise PositionError(f"key 'mob': the {promo} is there {found[number]} times: expected once")


def _read_hands(o: Options, position: Mapping[str, Any], s: Any, found: Counter[int]) -> None:
    """Hands as large as the turns played leave them (HH-18), and the backup dancers."""
    size = size_for(o.players)
    hands = items(position["hands"], "hands", o.players, "one list for each seat")
    rows = items(position["backups"], "backups", o.players, "one list for each seat")
    for seat in range(o.players):
        cards = read_cards(hands[seat], f"hands[{seat}]")
        left = size.hand - (s.turn + o.players - 1 - seat) // o.players
        sizes = [left]
        if seat == s.mover and position["phase"] not in ("play", "discard") and not s.must_discard:
            sizes = [left - 1] if position["phase"] == "steal" else [left, left - 1]
        if position["phase"] == "over" and not position.get("truncated"):
            sizes = [1]
        if len(cards) not in sizes:
            raise PositionError(f"key 'hands': {len(cards)} cards of seat {seat} in turn {s.turn}: expected {sizes[0]}")
        for card in cards:
            s.hand[seat, card] += 1
            found[card] += 1
        for card in read_cards(rows[seat], f"backups[{seat}]"):
            s.backup[seat, card] += 1
            found[card] += 1


def _check_phase(o: Options, s: Any, phase: str, truncated: bool) -> None:
    """Refuse what contradicts the phase, and a phase that would have been skipped (C-4)."""
    if phase == "steal":
        if not s.due:
            raise PositionError(f"key 'steals_due': 0 in phase 'steal': expected 1 to {rules.MOST_DUE}")
        if any(s.draw) or s.queue_count:
            raise PositionError("key 'phase': 'steal', but there are cards in the draw pile (HH-17)")
        if not plain_twin(rules.any_to_steal)(o, s):
            raise PositionError("key 'phase': 'steal', but no opponent has a backup dancer (HH-17)")
    elif s.due and not truncated:
        raise PositionError(f"key 'steals_due': {s.due} in phase {phase!r}: expected 0")
    if phase == "discard" and not s.must_discard:
        raise PositionError("key 'must_discard': false in phase 'discard'")
    if phase in ("play", "over") and s.must_discard and not truncated:
        raise PositionError(f"key 'must_discard': true in phase {phase!r}: expected false")
    moves = {plain_twin(move_of)(card) for card in range(CARDS) if s.hand[s.mover, card] or s.backup[s.mover, card]}
    columns, rows = plain_twin(rules.lines_of_mob)(s)
    lines = {move: columns if move == HOP else rows for move in moves}
    if phase == "play" and not any(plain_twin(rules.open_lines)(o, s, *line) for line in lines.items()):
        raise PositionError(f"key 'mob': every play of seat {s.mover} would leave the table (HH-21)")


def _check_winners(o: Options, position: Mapping[str, Any], s: Any, finished: bool) -> None:
    """HH-22, HH-23: the one seat that the finale makes the winner."""
    winners = seats(position["winners"], "winners", o.players)
    expected: list[int] = []
    if finished:
        scores, ranks, won = ([0] * o.players for _ in range(3))
        plain_twin(rules.result)(o, s, scores, ranks, won)
        expected = [seat for seat in range(o.players) if won[seat]]
    if winners != expected:
        raise PositionError(f"key 'winners': {winners}, but by the finale it is {expected}")
    for seat in winners:
        s.winners[seat] = 1
