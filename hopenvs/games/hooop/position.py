"""Positions: any situation as a JSON-able dict and back (C-6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hopenvs.core.errors import PositionError
from hopenvs.core.jit import plain_twin
from hopenvs.core.position import check_keys, integer, items, seats, word
from hopenvs.core.state import BY_MAX_TURNS, TERMINAL
from hopenvs.games.hooop import moves, rules, table
from hopenvs.games.hooop.board import NONE
from hopenvs.games.hooop.chain import HOME, quota
from hopenvs.games.hooop.codec import CARD_NAMES, board_of
from hopenvs.games.hooop.options import BOARDS, MAX_FROGS, MAX_PLAYERS, Options

PHASES = {"turn": table.TURN, "push": table.PUSH, "extra": table.EXTRA}
KINDS = {None: table.NOTHING, "jump": table.JUMP, "chute": table.CHUTE, "bridge": table.BRIDGE}
MAX_TURN = 2**31 - 1  # the record's field holds no larger number; every max_turns ends a game by then
KEYS = (
    "game", "players", "board", "phase", "to_play", "turn", "frogs", "bridges", "cards", "card_used", "pushed",
    "last_jump", "action_kind", "winners",
)  # fmt: skip


def to_position(o: Options, s: Any) -> dict[str, Any]:
    """The position of a decision or a finished game, without `options`."""
    over = s.current_player == TERMINAL
    position = {
        "game": "hooop",
        "players": o.players,
        "board": BOARDS[o.board],
        "phase": "over" if over else _word_of(PHASES, s.phase),
        "to_play": None if over else s.current_player,
        "turn": s.turn,
        "frogs": [
            [_place_name(place) for place in sorted(s.place[MAX_FROGS * seat + i] for i in range(o.frogs))]
            for seat in range(o.players)
        ],
        "bridges": [f"{a}-{b}" for edge, (a, b) in enumerate(board_of(o).edges) if s.bridges >> edge & 1],
        "cards": [
            [name for card, name in enumerate(CARD_NAMES) if s.cards[seat] >> card & 1] for seat in range(o.players)
        ],
        "card_used": bool(s.card_used),
        "pushed": None if s.pushed == NONE else {"leaf": s.place[s.pushed], "owner": s.pushed // MAX_FROGS},
        "last_jump": None if s.last_jump == NONE else s.last_jump,
        "action_kind": _word_of(KINDS, s.kind),
        "winners": [seat for seat in range(o.players) if s.winners[seat]],
    }
    if s.truncated:
        position["truncated"] = True
    return position


def _word_of(words: Mapping[Any, int], code: int) -> Any:
    return {number: word for word, number in words.items()}[code]


def _place_name(place: int) -> int | str:
    return place if place < HOME else f"H{place - HOME}"


def from_position(o: Options, position: Mapping[str, Any], s: Any) -> None:
    """Set the blank record `s` to a position.

    Raises:
        PositionError: naming the key that is malformed, or contradicts the rules or another key.
    """
    check_keys(position, KEYS, optional=("truncated", "options"))
    if position["board"] != BOARDS[o.board]:
        raise PositionError(f"key 'board': {position['board']!r}: this environment has {BOARDS[o.board]!r}")
    phase = word(position, "phase", (*PHASES, "over"))
    over = phase == "over"
    truncated = position.get("truncated", False)
    if not isinstance(truncated, bool) or (truncated and not over):
        raise PositionError(f"key 'truncated': {truncated!r} in phase {phase!r}: expected true, and only when over")
    turn = integer(position["turn"], "turn", 0, MAX_TURN if over else MAX_TURN - 1)
    to_play = position["to_play"]
    if over != (to_play is None):
        raise PositionError(f"key 'to_play': {to_play!r} in phase {phase!r}: expected null when over, else a seat")
    s.turn = turn
    s.mover = turn % o.players if over else integer(to_play, "to_play", 0, o.players - 1)
    s.phase = PHASES.get(phase, table.TURN)
    s.current_player = TERMINAL if over else s.mover
    s.truncated = BY_MAX_TURNS if truncated else 0
    _read_bridges(o, position, s)
    plain_twin(table.link)(o, s)
    _read_cards(o, position, s)
    s.pushed = s.last_jump = NONE
    pushed = _read_pushed(o, position, phase)
    _place_frogs(o, position, s, pushed)
    _read_last_jump(o, position, s, phase)
    _check_end(o, position, s, over, truncated)
    _check_card(o, s)
    if over:
        _check_last_move(o, s, truncated)
    else:
        _check_phase(o, s, phase)


def _read_bridges(o: Options, position: Mapping[str, Any], s: Any) -> None:
    """Each edge at most once, in the board's order (HO-3)."""
    number = {f"{a}-{b}": edge for edge, (a, b) in enumerate(board_of(o).edges)}
    last = -1
    for name in items(position["bridges"], "bridges", None, "the bridges as 'a-b'"):
        if not isinstance(name, str) or name not in number:
            raise PositionError(f"key 'bridges': {name!r}: expected 'a-b' with neighbouring leaves a < b")
        if number[name] <= last:
            raise PositionError(
                f"key 'bridges': {name!r}: expected each bridge once, in the order of the board's edges"
            )
        last = number[name]
        s.bridges |= 1 << last


def _read_cards(o: Options, position: Mapping[str, Any], s: Any) -> None:
    """HO-4: each card at most once; HO-20: none; and what this turn's card and action agree with."""
    for seat, hand in enumerate(items(position["cards"], "cards", o.players, "one list for each seat")):
        names = items(hand, f"cards[{seat}]", None, "unused cards")
        if not o.cards and names:
            raise PositionError(f"key 'cards': {names!r} of seat {seat}: expected no cards with cards=False")
        for name in names:
            if name not in CARD_NAMES:
                raise PositionError(f"key 'cards': {name!r}: expected some of {', '.join(CARD_NAMES)}")
        if names != [name for name in CARD_NAMES if name in names]:
            raise PositionError(f"key 'cards': {names!r} of seat {seat}: expected each once, in HO-4's order")
        s.cards[seat] = sum(1 << CARD_NAMES.index(name) for name in names)
    used = position["card_used"]
    if not isinstance(used, bool):
        raise PositionError(f"key 'card_used': {used!r}: expected true or false")
    kind = position["action_kind"]
    if not (kind is None or isinstance(kind, str)) or kind not in KINDS:
        raise PositionError(f"key 'action_kind': {kind!r}: expected jump, chute, bridge or null")
    s.card_used, s.kind = int(used), KINDS[kind]


def _read_pushed(o: Options, position: Mapping[str, Any], phase: str) -> tuple[int, int] | None:
    """(leaf, owner) of the frog that must jump on, in phase push (HO-7)."""
    pushed = position["pushed"]
    if (phase == "push") != (pushed is not None):
        raise PositionError(
            f"key 'pushed': {pushed!r} in phase {phase!r}: expected a leaf and an owner in phase 'push'"
        )
    if pushed is None:
        return None
    if not isinstance(pushed, Mapping) or set(pushed) != {"leaf", "owner"}:
        raise PositionError(f"key 'pushed': {pushed!r}: expected {{'leaf': leaf, 'owner': seat}}")
    leaves = board_of(o).leaves
    return integer(pushed["leaf"], "pushed.leaf", 0, leaves - 1), integer(
        pushed["owner"], "pushed.owner", 0, o.players - 1
    )


def _place_frogs(o: Options, position: Mapping[str, Any], s: Any, pushed: tuple[int, int] | None) -> None:
    """One frog a leaf, but for the pushed one; homes hold their quota (HO-8 to HO-11)."""
    for leaf in range(len(s.occupant)):
        s.occupant[leaf] = NONE
    for frog in range(MAX_PLAYERS * MAX_FROGS):
        s.place[frog] = NONE
    frogs = items(position["frogs"], "frogs", o.players, "one list for each seat")
    for seat in range(o.players):
        places = [
            _read_place(o, place, seat) for place in items(frogs[seat], f"frogs[{seat}]", o.frogs, "leaves or homes")
        ]
        if places != sorted(places):
            raise PositionError(
                f"key 'frogs': {frogs[seat]!r} of seat {seat}: expected leaves first, in ascending order"
            )
        for i, place in enumerate(places):
            frog = MAX_FROGS * seat + i
            s.place[frog] = place
            if place >= HOME:
                s.in_home[seat, place - HOME] += 1
            elif (place, seat) == pushed and s.pushed == NONE:
                s.pushed = frog
            elif s.occupant[place] == NONE:
                s.occupant[place] = frog
            else:
                raise PositionError(f"key 'frogs': two frogs on leaf {place}: expected one, or one more that is pushed")
        limit = plain_twin(quota)(o)
        for home in range(o.players):
            if home != seat and s.in_home[seat, home] > limit:
                raise PositionError(
                    f"key 'frogs': {s.in_home[seat, home]} of seat {seat} in H{home}: expected at most {limit} (HO-10)"
                )
    if pushed is not None and (s.pushed == NONE or s.occupant[pushed[0]] == NONE):
        raise PositionError(
            f"key 'pushed': seat {pushed[1]} on leaf {pushed[0]}: expected two frogs there, one of them that seat's"
        )


def _read_place(o: Options, place: Any, seat: int) -> int:
    homes = {f"H{home}": HOME + home for home in range(o.players)}
    if isinstance(place, str) and place in homes:
        return homes[place]
    leaves = board_of(o).leaves
    if isinstance(place, bool) or not isinstance(place, int) or not 0 <= place < leaves:
        raise PositionError(
            f"key 'frogs': {place!r} of seat {seat}: expected a leaf from 0 to {leaves - 1}, or H0 to H{o.players - 1}"
        )
    return place


def _read_last_jump(o: Options, position: Mapping[str, Any], s: Any, phase: str) -> None:
    """The leaf of a frog of the mover's that has just jumped without a push, in phase extra."""
    last = position["last_jump"]
    if last is None:
        return
    leaf = integer(last, "last_jump", 0, board_of(o).leaves - 1)
    if phase != "extra" or s.kind != table.JUMP:
        raise PositionError(f"key 'last_jump': {leaf}: expected null but in phase 'extra' after a jump")
    if s.occupant[leaf] == NONE or s.occupant[leaf] // MAX_FROGS != s.mover:
        raise PositionError(f"key 'last_jump': {leaf}: expected a leaf with a frog of seat {s.mover}'s")
    s.last_jump = leaf


def _check_end(o: Options, position: Mapping[str, Any], s: Any, over: bool, truncated: bool) -> None:
    """HO-18: the first seat with all frogs in opponents' homes has won."""
    winners = seats(position["winners"], "winners", o.players)
    done = [seat for seat in range(o.players) if plain_twin(rules.arrived)(o, s, seat) == o.frogs]
    if len(done) > 1:
        raise PositionError(
            f"key 'frogs': seats {done} have all frogs in opponents' homes: the first one ends the game"
        )
    if winners != done:
        raise PositionError(f"key 'winners': {winners}, but by the frogs it is {done}")
    if done and not over:
        raise PositionError(f"key 'phase': expected 'over', since seat {done[0]} has won")
    if truncated and done:
        raise PositionError(f"key 'truncated': true, but seat {done[0]} has won")
    if over and not truncated and not done:
        raise PositionError("key 'winners': nobody has won: expected a winner or \"truncated\": true")
    for seat in winners:
        s.winners[seat] = 1


def _check_card(o: Options, s: Any) -> None:
    """HO-13, HO-20: without cards none is used, and no parachute jump made; with them a parachute is a card used."""
    if not o.cards and (s.card_used or s.kind == table.CHUTE):
        key = "card_used" if s.card_used else "action_kind"
        raise PositionError(f"key '{key}': a card was used, but with cards=False there are none (HO-20)")
    if s.kind == table.CHUTE and not s.card_used:
        raise PositionError("key 'card_used': false after a parachute jump")


def _check_last_move(o: Options, s: Any, truncated: bool) -> None:
    """When over, the last turn's action stands there still: a jump, if somebody has won (HO-18).

    A game that a limit on decisions cuts (C-8) may end anywhere in a turn.
    """
    if not truncated and s.kind not in (table.JUMP, table.CHUTE):
        raise PositionError(f"key 'action_kind': {_word_of(KINDS, s.kind)!r}: expected the jump or chute that has won")
    if s.card_used and all(s.cards[seat] == table.ALL_CARDS for seat in range(o.players)):
        raise PositionError("key 'cards': a card was used in this turn, but everybody holds all four")


def _check_phase(o: Options, s: Any, phase: str) -> None:
    """Refuse what contradicts the phase, a phase that would have been skipped (C-4), and a chain that can't end."""
    kinds = {"turn": (table.NOTHING,), "push": (table.JUMP, table.CHUTE), "extra": (table.JUMP, table.BRIDGE)}[phase]
    if s.kind not in kinds:
        expected = " or ".join(repr(_word_of(KINDS, kind)) for kind in kinds)
        raise PositionError(f"key 'action_kind': {_word_of(KINDS, s.kind)!r} in phase {phase!r}: expected {expected}")
    if phase != "push" and s.card_used:
        raise PositionError(f"key 'card_used': true in phase {phase!r}: the turn would have ended")
    if phase == "push":
        _check_card_of_push(s)
    if phase == "extra" and s.kind == table.BRIDGE and not s.bridges:
        raise PositionError("key 'bridges': none, but one has just been placed")
    if phase == "extra" and not plain_twin(moves.any_extra)(o, s):
        raise PositionError(f"key 'phase': 'extra', but seat {s.mover} can use no card: it would have been skipped")
    if phase == "push" and not plain_twin(moves.any_jump)(o, s, s.pushed):
        raise PositionError(f"key 'pushed': the frog on leaf {s.place[s.pushed]} can't jump on (HO-12)")


def _check_card_of_push(s: Any) -> None:
    """During a push a card in use is the parachute, or the extra jump after a jump (HO-13, HO-14)."""
    in_use = table.PARACHUTE if s.kind == table.CHUTE else table.EXTRA_JUMP
    if s.card_used and s.cards[s.mover] & in_use:
        name = CARD_NAMES[in_use.bit_length() - 1]
        raise PositionError(f"key 'cards': seat {s.mover} still has {name!r}, but has used it in this turn")
