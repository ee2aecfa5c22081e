"""Positions: any situation as a JSON-able dict and back (C-6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from hopenvs.core.errors import PositionError
from hopenvs.core.jit import plain_twin
from hopenvs.core.position import check_keys, integer, items, seats, word
from hopenvs.core.state import BY_MAX_TURNS, TERMINAL
from hopenvs.games.hedgehog_hop.battle import phases, rules
from hopenvs.games.hedgehog_hop.battle.crews import CELLS, NONE, is_in_sync
from hopenvs.games.hedgehog_hop.battle.options import MIN_PLAYERS, Options
from hopenvs.games.hedgehog_hop.cards import (
    CARDS,
    NAMES,
    check_all_there,
    decks,
    names_before,
    names_of,
    read_card,
    read_cards,
)

PHASES = {
    "crew": phases.CREW,
    "plan": phases.PLAN,
    "play": phases.PLAY,
    "collect": phases.COLLECT,
    "discard": phases.DISCARD,
}
PENDING = {None: phases.NOTHING, "start": phases.START, "end": phases.END, "round": phases.ROUND}
MAX_TURN = 2**31 - 1
KEYS = (
    "game", "family", "players", "phase", "to_play", "crews", "hands", "planned", "audition", "draw", "discard",
    "start", "round", "turn", "acted", "pending", "must_discard", "last_turn", "known", "winners",
)  # fmt: skip


def to_position(o: Options, s: Any) -> dict[str, Any]:
    """The position of a decision or a finished game, without `options`."""
    over, everyone = s.current_player == TERMINAL, range(o.players)
    return {
        "game": "hedgehog_hop",
        "family": "battle",
        "players": o.players,
        "phase": "over" if over else {code: name for name, code in PHASES.items()}[s.phase],
        "to_play": None if over else s.current_player,
        "crews": [[_name(s.crew[seat, cell]) for cell in range(CELLS)] for seat in everyone],
        "hands": [names_before(s.hand, seat) for seat in everyone],
        "planned": [_name(s.planned[seat]) for seat in everyone],
        "audition": names_of(s.audition),
        "draw": names_of(s.draw),
        "discard": [NAMES[s.discard[k]] for k in range(s.discard_count)],
        "start": s.start,
        "round": s.turn // o.players if o.players == MIN_PLAYERS else s.round,
        "turn": s.turn,
        "acted": [bool(s.acted[seat]) for seat in everyone],
        "pending": {code: name for name, code in PENDING.items()}[s.check],
        "must_discard": bool(s.must_discard),
        "last_turn": bool(s.last_turn),
        "known": [names_before(s.known, seat) for seat in everyone],
        "winners": [seat for seat in everyone if s.winners[seat]],
    } | ({"truncated": True} if s.truncated else {})


def _name(card: int) -> str | None:
    return None if card == NONE else NAMES[card]


def from_position(o: Options, position: Mapping[str, Any], s: Any) -> None:
    """Set the blank record `s` to a position.

    Raises:
        PositionError: naming the key that is malformed, or contradicts the rules or another key.
    """
    check_keys(position, KEYS, optional=("truncated", "options"))
    if position["family"] != "battle":
        raise PositionError(f"key 'family': {position['family']!r}: this environment has 'battle'")
    three = o.players == MIN_PLAYERS
    names = [name for name in PHASES if name != ("plan" if three else "discard")]
    phase = word(position, "phase", (*names, "over"))
    over = phase == "over"
    truncated = position.get("truncated", False)
    if not isinstance(truncated, bool) or (truncated and not over):
        raise PositionError(f"key 'truncated': {truncated!r} in phase {phase!r}: expected true, and only when over")
    to_play = position["to_play"]
    if over != (to_play is None):
        raise PositionError(f"key 'to_play': {to_play!r} in phase {phase!r}: expected null when over, else a seat")
    s.mover = 0 if over else integer(to_play, "to_play", 0, o.players - 1)
    s.phase = PHASES.get(phase, phases.PLAN)  # in PLAY a plan would lie open
    s.current_player = TERMINAL if over else s.mover
    s.truncated = BY_MAX_TURNS if truncated else 0
    s.start = integer(position["start"], "start", 0, o.players - 1)
    s.turn = integer(position["turn"], "turn", 0, MAX_TURN if over else MAX_TURN - 1)
    _read_step(o, position, s, truncated)
    found: Counter[int] = Counter()
    _read_crews(o, position, s, found)
    _read_hands(o, position, s, found)
    _read_piles(o, position, s, found)
    check_all_there(position, found, plain_twin(decks)(o.players))
    s.dealt = rules.HAND_SIZE * o.players + (0 if phase == "crew" else rules.LINE_SIZE)
    _check_round(o, position, s, over, truncated)
    if not over:
        _check_phase(o, s, phase)
    _check_winners(o, position, s, over and not truncated)


def _read_step(o: Options, position: Mapping[str, Any], s: Any, truncated: bool) -> None:
    """The check that is being settled and what else a turn still holds; a game cut short may hold any of it."""
    three, phase = o.players == MIN_PLAYERS, position["phase"]
    for key in ("must_discard", "last_turn"):
        if not isinstance(position[key], bool):
            raise PositionError(f"key '{key}': {position[key]!r}: expected true or false")
        if position[key] and not three:
            raise PositionError(f"key '{key}': true: expected false with 4 to 6 players")
    s.must_discard, s.last_turn = int(position["must_discard"]), int(position["last_turn"])
    pending = position["pending"]
    if not (pending is None or isinstance(pending, str)) or pending not in PENDING:
        raise PositionError(f"key 'pending': {pending!r}: expected start, end, round or null")
    s.check = PENDING[pending]
    if truncated:
        return
    if (s.check != phases.NOTHING) != (phase == "collect") or (three and s.check == phases.ROUND):
        raise PositionError(f"key 'pending': {pending!r} in phase {phase!r} with {o.players} players")
    if phase == "discard" and not s.must_discard:
        raise PositionError("key 'must_discard': false in phase 'discard'")
    if s.must_discard and not (phase == "discard" or s.check == phases.END):
        raise PositionError(f"key 'must_discard': true in phase {phase!r} with pending {pending!r}: expected false")


def _read_crews(o: Options, position: Mapping[str, Any], s: Any, found: Counter[int]) -> None:
    """Crews, full but while they are laid seat after seat (HH-40)."""
    crews = items(position["crews"], "crews", o.players, "one list for each seat")
    laying = position["phase"] == "crew" or (position.get("truncated", False) and position["turn"] == 0)
    for seat in range(o.players):
        cells = items(crews[seat], f"crews[{seat}]", CELLS, "the cards r0c0, r0c1, r1c0, r1c1")
        laid = 0
        for cell, name in enumerate(cells):
            s.crew[seat, cell] = NONE if name is None else read_card(name, f"crews[{seat}]")
            if name is not None:
                if laid != cell:
                    raise PositionError(f"key 'crews': {cells!r} of seat {seat}: cells are laid in order (HH-40)")
                laid += 1
                found[s.crew[seat, cell]] += 1
        if not laying and laid != CELLS:
            raise PositionError(f"key 'crews': {laid} cards of seat {seat}: expected {CELLS}")
        if laid != CELLS:
            s.phase = phases.CREW  # cut short while crews are laid, which others don't see
        if position["phase"] == "crew":
            expected = range(CELLS, CELLS + 1) if seat < s.mover else range(CELLS) if seat == s.mover else range(1)
            if laid not in expected:
                raise PositionError(
                    f"key 'crews': {laid} cards of seat {seat} while seat {s.mover} lays: seats lay one after another"
                )


def _read_hands(o: Options, position: Mapping[str, Any], s: Any, found: Counter[int]) -> None:
    """Hands, plans, and what is known of them."""
    hands = items(position["hands"], "hands", o.players, "one list for each seat")
    planned = items(position["planned"], "planned", o.players, "a card or null for each seat")
    known = items(position["known"], "known", o.players, "one list for each seat")
    for seat in range(o.players):
        for card in read_cards(hands[seat], f"hands[{seat}]"):
            s.hand[seat, card] += 1
            found[card] += 1
        s.planned[seat] = NONE if planned[seat] is None else read_card(planned[seat], f"planned[{seat}]")
        if s.planned[seat] != NONE:
            if o.players == MIN_PLAYERS:
                raise PositionError(f"key 'planned': {planned[seat]!r}: nobody plans with 3 players")
            found[s.planned[seat]] += 1
        for card in read_cards(known[seat], f"known[{seat}]"):
            s.known[seat, card] += 1
        for card in range(CARDS):
            hidden_plan = s.planned[seat] == card and not (position["phase"] == "play" and s.mover == seat)
            if s.known[seat, card] > s.hand[seat, card] + hidden_plan:
                raise PositionError(f"key 'known': seat {seat} doesn't hold {NAMES[card]} so often")


def _read_piles(o: Options, position: Mapping[str, Any], s: Any, found: Counter[int]) -> None:
    """The audition line, the draw pile, and with three players the discard pile."""
    audition = read_cards(position["audition"], "audition")
    if len(audition) > rules.LINE_SIZE:
        raise PositionError(f"key 'audition': {len(audition)} cards: expected at most {rules.LINE_SIZE}")
    for card in audition:
        s.audition[card] += 1
        found[card] += 1
    for card in read_cards(position["draw"], "draw"):
        s.draw[card] += 1
        found[card] += 1
    discard = read_cards(position["discard"], "discard", in_order=False)
    if discard and o.players > MIN_PLAYERS:
        raise PositionError(f"key 'discard': {position['discard']!r}: there is no discard pile with 4 to 6 players")
    if len(discard) + len(audition) + s.must_discard > rules.LINE_SIZE:
        raise PositionError(
            f"key 'discard': {len(discard)} cards beside {len(audition)} in the audition line: each card discarded "
            f"makes up for one of its {rules.LINE_SIZE} (HH-50)"
        )
    for k, card in enumerate(discard):
        s.discard[k] = card
        found[card] += 1
    s.discard_count = len(discard)


def _check_round(o: Options, position: Mapping[str, Any], s: Any, over: bool, truncated: bool) -> None:
    """Round, turn, who has acted and who has planned agree (HH-53 to HH-57)."""
    acted = items(position["acted"], "acted", o.players, "true or false for each seat")
    for seat, has in enumerate(acted):
        if not isinstance(has, bool):
            raise PositionError(f"key 'acted': {has!r}: expected true or false")
        s.acted[seat] = int(has)
    if o.players == MIN_PLAYERS:
        _check_three(o, position, s, over, truncated)
        return
    last = int(rules.ROUNDS[o.players])
    s.round = integer(position["round"], "round", 0, last if over and not truncated else last - 1)
    if over and not truncated and s.round != last:
        raise PositionError(f"key 'round': {s.round}: a finished game has {last}")
    if s.start != s.round % o.players:
        raise PositionError(f"key 'start': {s.start} in round {s.round}: expected {s.round % o.players} (HH-56)")
    if s.turn != o.players * s.round + sum(acted):
        raise PositionError(f"key 'turn': {s.turn} in round {s.round}: expected {o.players * s.round + sum(acted)}")
    phase, pending = position["phase"], position["pending"]
    if truncated:
        return
    order = [(s.start + k) % o.players for k in range(o.players)]
    before = order[: order.index(s.mover)]
    everyone = set(order)
    if phase in ("crew", "over"):
        have_acted: set[int] = set()
        have_planned: set[int] = set()
    elif phase == "plan":
        have_acted, have_planned = set(), set(before)
    elif pending == "round":
        have_acted, have_planned = everyone, set()
    else:
        have_acted = set(before)
        have_planned = everyone - have_acted - ({s.mover} if pending == "end" else set())
    for seat in order:
        if bool(s.acted[seat]) != (seat in have_acted):
            raise PositionError(f"key 'acted': {acted!r} in phase {phase!r} of seat {s.mover}: wrong for seat {seat}")
        if (s.planned[seat] != NONE) != (seat in have_planned):
            raise PositionError(
                f"key 'planned': {position['planned']!r} in phase {phase!r} of seat {s.mover}: wrong for seat {seat}"
            )


def _check_three(o: Options, position: Mapping[str, Any], s: Any, over: bool, truncated: bool) -> None:
    """Three players: the seat to play follows from the turn; the line's end and the last turn go together (HH-52)."""
    if integer(position["round"], "round", 0, MAX_TURN) != s.turn // o.players:
        raise PositionError(f"key 'round': {position['round']} in turn {s.turn}: expected {s.turn // o.players}")
    if s.start != 0:
        raise PositionError(f"key 'start': {s.start}: expected 0 with 3 players")
    if any(s.acted):
        raise PositionError(f"key 'acted': {position['acted']!r}: expected false for all with 3 players")
    laying = position["phase"] == "crew"
    if not over and not laying and s.mover != s.turn % o.players:
        raise PositionError(f"key 'to_play': {s.mover}: in turn {s.turn} it is seat {s.turn % o.players}'s turn")
    if laying and s.turn:
        raise PositionError(f"key 'turn': {s.turn}: expected 0 while crews are laid")
    is_last = not any(s.audition) and not laying and not (truncated and s.turn == 0)
    if bool(s.last_turn) != is_last:
        raise PositionError(
            f"key 'last_turn': {position['last_turn']}, but by the audition line it is {is_last} (HH-52)"
        )
    if over and not truncated and not is_last:
        raise PositionError("key 'audition': a finished game has none left (HH-52)")


def _check_phase(o: Options, s: Any, phase: str) -> None:
    """Refuse what contradicts the phase, and a phase that would have been skipped (C-4)."""
    three = o.players == MIN_PLAYERS
    if phase == "crew" and (any(s.audition) or s.discard_count or s.turn):
        raise PositionError("key 'phase': 'crew', but the game has begun")
    if phase == "crew" and any(s.known[seat, card] for seat in range(o.players) for card in range(CARDS)):
        raise PositionError("key 'known': no card has come to a hand face up while crews are laid")
    _check_hands(o, s, phase)
    playable = any(s.audition) or s.discard_count or any(s.hand[s.mover, card] for card in range(CARDS))
    if phase == "play" and three and not playable:
        raise PositionError(f"key 'hands': seat {s.mover} has nothing to play")
    if phase == "collect":
        if not any(s.audition):
            raise PositionError("key 'phase': 'collect', but the audition line is empty")
        if any(s.draw) and (three or s.check == phases.ROUND):
            raise PositionError("key 'phase': 'collect', but there are cards in the draw pile (HH-51, HH-56)")
        if s.check == phases.START and s.turn < o.players:
            raise PositionError("key 'pending': 'start' in the first round")
        if not plain_twin(is_in_sync)(s, s.mover):
            raise PositionError(f"key 'phase': 'collect', but the crew of seat {s.mover} is not In Sync (HH-46)")


def _check_hands(o: Options, s: Any, phase: str) -> None:
    """Everybody can lay a crew, plan and discard; whoever has pushed in this round has the card bumped out."""
    for seat in range(o.players):
        held = sum(s.hand[seat, card] for card in range(CARDS))
        laid = sum(s.crew[seat, cell] != NONE for cell in range(CELLS))
        if phase == "crew" and held + laid != rules.HAND_SIZE:
            raise PositionError(
                f"key 'hands': {held} cards of seat {seat}, {laid} laid: expected {rules.HAND_SIZE} in all (HH-40)"
            )
        needed = phase == "discard" and seat == s.mover if o.players == MIN_PLAYERS else s.planned[seat] == NONE
        if needed and not held:
            raise PositionError(f"key 'hands': seat {seat} has no card in phase {phase!r} of seat {s.mover}")


def _check_winners(o: Options, position: Mapping[str, Any], s: Any, finished: bool) -> None:
    """HH-58, HH-59: the seat that the finale makes the winner, if there is one."""
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
