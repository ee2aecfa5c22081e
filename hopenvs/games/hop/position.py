"""Positions: any situation as a JSON-able dict and back (C-6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hopenvs.core.errors import OptionError, PositionError
from hopenvs.core.jit import plain_twin
from hopenvs.core.position import check_keys, integer, items, seats, word
from hopenvs.core.state import BY_MAX_TURNS, TERMINAL
from hopenvs.games.hop import rules
from hopenvs.games.hop.codec import BETS, ROLES
from hopenvs.games.hop.dares import hundredths
from hopenvs.games.hop.options import EQUAL, SAMPLED, SKILLS, Options

PHASES = (*ROLES, "bet")  # in the order of the rules' numbers
MAX_TURN = 2**31 - 1
KEYS = (
    "game", "players", "phase", "to_play", "hurler", "skewerer", "assister", "turbulator", "dare", "bets", "levels",
    "balloons", "doves", "crows", "clouds", "cloud_pool", "deck", "put_away", "skills", "turn", "last_throw", "winners",
)  # fmt: skip


def to_position(o: Options, s: Any) -> dict[str, Any]:
    """The position of a decision or a finished game."""
    players = range(o.players)
    over = s.current_player == TERMINAL
    if not over and s.current_player < 0:
        raise ValueError("a chance point has no position (C-6)")
    position: dict[str, Any] = {
        "game": "hop",
        "players": o.players,
        "phase": "over" if over else PHASES[s.phase],
        "to_play": None if over else s.current_player,
        "hurler": s.hurler,
        **{role: _or_null(getattr(s, role), rules.NOBODY) for role in ROLES},
        "dare": _or_null(s.dare, rules.NO_DARE),
        "bets": [None if s.bet[seat] == rules.NO_BET else BETS[s.bet[seat] - rules.HAPPY] for seat in players],
        "levels": [s.level[seat] for seat in players],
        "balloons": [s.balloons[seat] for seat in players],
        "doves": [s.doves[seat] for seat in players],
        "crows": [s.crows[seat] for seat in players],
        "clouds": [
            [value for value in range(rules.CLOUD_VALUES) for _ in range(s.clouds[seat, value])] for seat in players
        ],
        "cloud_pool": [s.pool[value] for value in range(rules.CLOUD_VALUES)],
        "deck": [dare.id for dare in o.dares.dares if s.deck[dare.id] == rules.LEFT],
        "put_away": [dare.id for dare in o.dares.dares if s.deck[dare.id] == rules.PUT_AWAY],
        "skills": [[s.skill[seat, skill] / 100 for skill in range(SKILLS)] for seat in players],
        "turn": s.turn,
        "last_throw": None if s.last_throw == rules.NOT_THROWN else {"success": bool(s.last_throw)},
        "winners": [seat for seat in players if s.winners[seat]],
    }
    if s.truncated:
        position["truncated"] = True
    return position


def _or_null(value: int, null: int) -> int | None:
    return None if value == null else value


def from_position(o: Options, position: Mapping[str, Any], s: Any) -> None:
    """Set the blank record `s` to a position.

    Raises:
        PositionError: naming the key that is malformed, or contradicts the rules or another key.
    """
    check_keys(position, KEYS, optional=("truncated", "options"))
    phase = word(position, "phase", (*PHASES, "over"))
    over = phase == "over"
    truncated = position.get("truncated", False)
    if not isinstance(truncated, bool) or (truncated and not over):
        raise PositionError(f"key 'truncated': {truncated!r} in phase {phase!r}: expected true, and only when over")
    to_play = position["to_play"]
    if over != (to_play is None):
        raise PositionError(f"key 'to_play': {to_play!r} in phase {phase!r}: expected null when over, else a seat")
    s.turn = integer(position["turn"], "turn", 0, MAX_TURN if over else MAX_TURN - 1)
    s.hurler = integer(position["hurler"], "hurler", 0, o.players - 1)
    s.current_player = TERMINAL if over else integer(to_play, "to_play", 0, o.players - 1)
    s.phase = rules.SKEWERER if over else PHASES.index(phase)
    s.truncated = BY_MAX_TURNS if truncated else 0
    s.collector = s.collector_2 = rules.NOBODY
    _read_last_throw(position, s)
    _read_skills(o, position, s)
    _read_figurines(o, position, s)
    _read_clouds(o, position, s)
    _read_deck(o, position, s)
    _read_roles(o, position, s)
    _read_bets(o, position, s)
    _check_end(o, position, s, over, truncated)


def _read_last_throw(position: Mapping[str, Any], s: Any) -> None:
    """Every completed turn had a throw."""
    last = position["last_throw"]
    if last is None:
        if s.turn > 0:
            raise PositionError(f"key 'last_throw': null after turn {s.turn}: expected {{'success': true or false}}")
        s.last_throw = rules.NOT_THROWN
        return
    if not isinstance(last, Mapping) or set(last) != {"success"} or not isinstance(last["success"], bool):
        raise PositionError(f"key 'last_throw': {last!r}: expected {{'success': true or false}} or null")
    if s.turn == 0:
        raise PositionError(f"key 'last_throw': {last!r}, but no turn is completed")
    s.last_throw = int(last["success"])


def _read_skills(o: Options, position: Mapping[str, Any], s: Any) -> None:
    """HP-8: what the options say, or what could be sampled."""
    for seat, row in enumerate(items(position["skills"], "skills", o.players, "[throw, catch, help, hinder] a seat")):
        for skill, number in enumerate(items(row, f"skills[{seat}]", SKILLS, "throw, catch, help, hinder")):
            where = f"key 'skills[{seat}]'"
            try:
                value = hundredths(number, -1.0, 1.0, f"{where}:")
            except OptionError as error:
                raise PositionError(str(error)) from None
            if o.skills[0] == SAMPLED:
                if abs(value) > rules.MOST_SKILL or value % rules.SKILL_STEP:
                    raise PositionError(f"{where}: {number!r}: expected one of -0.15, -0.10 .. 0.15 (sampled)")
            else:
                expected = 0 if o.skills[0] == EQUAL else o.skills[1 + seat * SKILLS + skill]
                if value != expected:
                    raise PositionError(f"{where}: {number!r}: this environment has {expected / 100:g}")
            s.skill[seat, skill] = value


def _read_figurines(o: Options, position: Mapping[str, Any], s: Any) -> None:
    """HP-1, HP-12, HP-13: levels, balloons and birds."""
    fields = {
        "levels": (s.level, rules.TOP),
        "balloons": (s.balloons, rules.BALLOONS),
        "doves": (s.doves, rules.FLOCK - 1),
        "crows": (s.crows, rules.FLOCK - 1),
    }
    for key, (field, most) in fields.items():
        for seat, number in enumerate(items(position[key], key, o.players, "a number a seat")):
            field[seat] = integer(number, f"{key}[{seat}]", 0, most)
    for seat in range(o.players):
        if (s.level[seat] == 0) != (s.balloons[seat] == 0):
            raise PositionError(
                f"key 'levels[{seat}]': {s.level[seat]} with {s.balloons[seat]} balloons: expected 0 (beside the "
                "board) just if no balloon is left (HP-13)"
            )


def _read_clouds(o: Options, position: Mapping[str, Any], s: Any) -> None:
    """HP-2, HP-11: twelve tokens of each value, with the players or in the pool."""
    for seat, row in enumerate(items(position["clouds"], "clouds", o.players, "values a seat")):
        values = [
            integer(value, f"clouds[{seat}]", 0, rules.CLOUD_VALUES - 1)
            for value in items(row, f"clouds[{seat}]", None, "values in ascending order")
        ]
        if values != sorted(values):
            raise PositionError(f"key 'clouds[{seat}]': {values}: expected values in ascending order")
        for value in range(rules.CLOUD_VALUES):
            if values.count(value) > rules.CLOUDS_EACH:
                raise PositionError(f"key 'clouds[{seat}]': more than {rules.CLOUDS_EACH} of value {value} (HP-2)")
            s.clouds[seat, value] = values.count(value)
    pool = items(position["cloud_pool"], "cloud_pool", rules.CLOUD_VALUES, "how many of value 0, 1, 2")
    for value in range(rules.CLOUD_VALUES):
        left = rules.CLOUDS_EACH - sum(s.clouds[seat, value] for seat in range(o.players))
        if left < 0:
            raise PositionError(f"key 'clouds': more than {rules.CLOUDS_EACH} tokens of value {value} (HP-2)")
        s.pool[value] = integer(pool[value], f"cloud_pool[{value}]", left, left)


def _read_deck(o: Options, position: Mapping[str, Any], s: Any) -> None:
    """HP-5: every dare is left, put away or in play."""
    dares = len(o.dares.dares)
    s.dare = rules.NO_DARE if position["dare"] is None else integer(position["dare"], "dare", 0, dares - 1)
    placed = {} if s.dare == rules.NO_DARE else {s.dare: rules.IN_PLAY}
    for key, where in (("deck", rules.LEFT), ("put_away", rules.PUT_AWAY)):
        ids = [integer(dare, key, 0, dares - 1) for dare in items(position[key], key, None, "ids of dares, sorted")]
        if ids != sorted(set(ids)):
            raise PositionError(f"key '{key}': {ids}: expected ids in ascending order, each once")
        for dare in ids:
            if dare in placed:
                raise PositionError(f"key '{key}': dare {dare} is elsewhere too: expected each dare in one place")
            placed[dare] = where
    for dare in range(dares):
        if dare not in placed:
            raise PositionError(f"key 'deck': dare {dare} is nowhere: expected it left, put away or in play")
        s.deck[dare] = placed[dare]


def _read_roles(o: Options, position: Mapping[str, Any], s: Any) -> None:
    """HP-4 to HP-6: the roles that the phase and the dare ask for, each a seat of its own."""
    taken = [s.hurler]
    for role in ROLES:
        value = position[role]
        seat = rules.NOBODY if value is None else integer(value, role, 0, o.players - 1)
        if seat in taken:
            raise PositionError(f"key '{role}': seat {seat} has a role already")
        if seat != rules.NOBODY:
            taken.append(seat)
        setattr(s, role, seat)
    begun = s.current_player != TERMINAL and s.phase != rules.SKEWERER
    if begun != (s.dare != rules.NO_DARE):
        raise PositionError(f"key 'dare': {position['dare']!r} in phase {position['phase']!r}")
    needs = [begun, False, False]
    if begun:
        if not plain_twin(rules.is_playable)(o, s.dare):
            raise PositionError(f"key 'dare': {s.dare} needs more helpers than there are players (HP-5)")
        needs[rules.ASSISTER] = plain_twin(rules.needs_assister)(o, s.dare)
        needs[rules.TURBULATOR] = plain_twin(rules.needs_turbulator)(o, s.dare)
        if s.phase != rules.BET and not needs[s.phase]:
            raise PositionError(f"key 'phase': {position['phase']!r}, but dare {s.dare} asks for none (HP-6)")
    for phase, role in enumerate(ROLES):
        given = begun and needs[phase] and phase < s.phase
        if given != (getattr(s, role) != rules.NOBODY):
            expected = "a seat" if given else "null"
            raise PositionError(f"key '{role}': {position[role]!r} in phase {position['phase']!r}: expected {expected}")
    if begun and s.phase != rules.BET and s.current_player != s.hurler:
        raise PositionError(f"key 'to_play': {s.current_player}: expected the hurler, {s.hurler}")
    if s.current_player >= 0 and s.phase == rules.SKEWERER and s.current_player != s.hurler:
        raise PositionError(f"key 'to_play': {s.current_player}: expected the hurler, {s.hurler}")


def _read_bets(o: Options, position: Mapping[str, Any], s: Any) -> None:
    """HP-7: those without a role bet one after another, from the hurler's left."""
    bets = items(position["bets"], "bets", o.players, "happy, unhappy or null a seat")
    betting = s.current_player >= 0 and s.phase == rules.BET
    has_role = plain_twin(rules.has_role)
    if betting and has_role(s, s.current_player):
        raise PositionError(f"key 'to_play': seat {s.current_player} has a role: expected one that bets")
    turn_of = (s.current_player - s.hurler) % o.players if betting else 0
    for seat, bet in enumerate(bets):
        if bet is not None and bet not in BETS:
            raise PositionError(f"key 'bets[{seat}]': {bet!r}: expected happy, unhappy or null")
        due = betting and not has_role(s, seat) and (seat - s.hurler) % o.players < turn_of
        if due != (bet is not None):
            expected = "happy or unhappy" if due else "null"
            raise PositionError(f"key 'bets[{seat}]': {bet!r}: expected {expected}")
        s.bet[seat] = rules.NO_BET if bet is None else rules.HAPPY + BETS.index(bet)


def _check_end(o: Options, position: Mapping[str, Any], s: Any, over: bool, truncated: bool) -> None:
    """HP-14 to HP-16: whether it is over, and who has won."""
    decided = plain_twin(rules.is_decided)(o, s)
    if decided and (not over or truncated):
        raise PositionError(
            "key 'phase': a figurine stands on top or has no balloon left: expected 'over', and not truncated"
        )
    if over and not decided and not truncated:
        raise PositionError("key 'phase': 'over', but nobody stands on top or has lost all balloons (HP-14)")
    if over and s.turn == 0:
        raise PositionError("key 'turn': 0, but a game ends with a turn")
    stated = seats(position["winners"], "winners", o.players)
    if decided:
        plain_twin(rules.result)(o, s, s.scores, s.ranks, s.winners)
    found = [seat for seat in range(o.players) if s.winners[seat]]
    if stated != found:
        raise PositionError(f"key 'winners': {stated}, but by levels and clouds it is {found}")
