"""What a seat sees, what it can't know, and what a position is worth to it."""

from __future__ import annotations

from typing import Any

from hopenvs.core.game import Section
from hopenvs.core.jit import rule
from hopenvs.core.rng import below
from hopenvs.core.state import relative
from hopenvs.games.hop.options import SKILLS
from hopenvs.games.hop.rules import (
    ASSISTER,
    BALLOONS,
    BET,
    CLOUD_VALUES,
    CLOUDS_EACH,
    FLOCK,
    HAPPY,
    HIGHEST_CHANCE,
    LEFT,
    NO_BET,
    NO_DARE,
    NOBODY,
    NOT_THROWN,
    PUT_AWAY,
    SKEWERER,
    TOP,
    TURBULATOR,
    UNHAPPY,
    base_of,
    chance_of_success,
    cloud_points,
    has_role,
    needs_assister,
    needs_turbulator,
    num_dares,
    take_token,
    tokens_left,
)

PHASES = 4  # skewerer, assister, turbulator, bet
ROLES = 4  # hurler, skewerer, assister, turbulator


def sections(o: Any) -> tuple[Section, ...]:
    """The layout of the observation; seats are counted from the observer, clockwise (C-10)."""
    seats, dares = o.players, len(o.dares.dares)
    tokens = CLOUD_VALUES * CLOUDS_EACH
    return (
        Section("levels", (seats,), 0, TOP, "Each seat's level; 0 beside the board."),
        Section("balloons", (seats,), 0, BALLOONS, "Each seat's balloons."),
        Section("doves", (seats,), 0, FLOCK - 1, "Each seat's doves."),
        Section("crows", (seats,), 0, FLOCK - 1, "Each seat's crows."),
        Section("clouds", (seats,), 0, tokens, "How many clouds each seat has."),
        Section("own_clouds", (CLOUD_VALUES,), 0, CLOUDS_EACH, "The observer's clouds of value 0, 1 and 2."),
        Section("pool", (1,), 0, tokens, "Clouds left."),
        Section(
            "skills", (seats, SKILLS), -100, 100,
            "Each seat's skills, hundredths: throw, catch, help, hinder (HP-8).",
        ),
        Section(
            "roles", (ROLES, seats), 0, 1,
            "1 at the hurler, skewerer, assister and turbulator; when over, the hurler stays.",
        ),
        Section("phase", (PHASES,), 0, 1, "1 at the phase: skewerer, assister, turbulator, bet; all 0 when over."),
        Section("to_play", (seats,), 0, 1, "1 at the seat to play; all 0 when over."),
        Section("has_bet", (seats,), 0, 1, "1 where a bet lies, whichever it is."),
        Section("own_bet", (2,), 0, 1, "The observer's bet: happy, unhappy."),
        Section("base", (1,), 0, 100, "The dare's base chance, hundredths; 0 without a dare."),
        Section("asks_for", (2,), 0, 1, "1 if the dare asks for an assister, a turbulator."),
        Section(
            "chance", (1,), 0, HIGHEST_CHANCE,
            "The chance of success with the roles given so far, hundredths (HP-8); 0 without a dare.",
        ),
        Section("last_throw", (2,), 0, 1, "1 at what the last throw was: a failure, a success."),
        Section("deck", (dares,), 0, 1, "1 for each dare that can still be drawn before the deck is refilled."),
        Section("put_away", (dares,), 0, 1, "1 for each dare put away."),
    )  # fmt: skip


@rule
def observe(o: Any, s: Any, seat: int, obs: Any) -> None:
    """Write the sections in order; `obs` [D]."""
    players = o.players
    for other in range(players):
        k = relative(players, seat, other)
        obs[k] = s.level[other]
        obs[players + k] = s.balloons[other]
        obs[2 * players + k] = s.doves[other]
        obs[3 * players + k] = s.crows[other]
        obs[4 * players + k] = count_clouds(s, other)
    n = 5 * players
    for value in range(CLOUD_VALUES):
        obs[n + value] = s.clouds[seat, value]
    obs[n + CLOUD_VALUES] = tokens_left(s)
    n += CLOUD_VALUES + 1
    for other in range(players):
        first = n + SKILLS * relative(players, seat, other)
        for skill in range(SKILLS):
            obs[first + skill] = s.skill[other, skill]
    n += SKILLS * players
    obs[n + relative(players, seat, s.hurler)] = 1
    if s.skewerer != NOBODY:
        obs[n + players + relative(players, seat, s.skewerer)] = 1
    if s.assister != NOBODY:
        obs[n + 2 * players + relative(players, seat, s.assister)] = 1
    if s.turbulator != NOBODY:
        obs[n + 3 * players + relative(players, seat, s.turbulator)] = 1
    n += ROLES * players
    if s.current_player >= 0:
        obs[n] = 1 if s.phase == SKEWERER else 0
        obs[n + 1] = 1 if s.phase == ASSISTER else 0
        obs[n + 2] = 1 if s.phase == TURBULATOR else 0
        obs[n + 3] = 1 if s.phase == BET else 0
        obs[n + PHASES + relative(players, seat, s.current_player)] = 1
    n += PHASES + players
    for other in range(players):
        obs[n + relative(players, seat, other)] = s.bet[other] != NO_BET
    obs[n + players] = 1 if s.bet[seat] == HAPPY else 0
    obs[n + players + 1] = 1 if s.bet[seat] == UNHAPPY else 0
    n += players + 2
    if s.dare != NO_DARE:
        obs[n] = base_of(o, s.dare)
        obs[n + 1] = 1 if needs_assister(o, s.dare) else 0
        obs[n + 2] = 1 if needs_turbulator(o, s.dare) else 0
        obs[n + 3] = chance_of_success(o, s)
    if s.last_throw != NOT_THROWN:
        obs[n + 4 + s.last_throw] = 1
    n += 6
    dares = num_dares(o)
    for dare in range(dares):  # no branches: a shuffled deck can't be guessed
        obs[n + dare] = s.deck[dare] == LEFT
    for dare in range(dares):
        obs[n + dares + dare] = s.deck[dare] == PUT_AWAY


@rule
def count_clouds(s: Any, seat: int) -> int:
    """How many clouds a seat has."""
    count = 0
    for value in range(CLOUD_VALUES):
        count += s.clouds[seat, value]
    return count


@rule
def resample_hidden(o: Any, s: Any, seat: int, rng: Any) -> None:
    """The others' clouds are thrown back into the pool and drawn again; each of their bets may be either."""
    counts = 0  # of clouds, a byte a seat
    for other in range(o.players):
        if other != seat:
            counts |= count_clouds(s, other) << (8 * other)
            for value in range(CLOUD_VALUES):
                s.pool[value] += s.clouds[other, value]
                s.clouds[other, value] = 0
            if s.bet[other] != NO_BET:
                s.bet[other] = HAPPY + below(rng, 2)
    for other in range(o.players):
        if other != seat:
            for _ in range((counts >> (8 * other)) & 255):
                s.clouds[other, take_token(s, below(rng, tokens_left(s)))] += 1


# Weights of `evaluate`, in levels. They matter little: from 0 to twice as much each, a greedy player won 24 to 26 % of
# 4,000 games against three with these.
BALLOON = 0.3
LAST_BALLOON = 1.0  # what the last one is worth besides
DOVE = 0.3
CROW = 0.15


@rule
def evaluate(o: Any, s: Any, seat: int) -> float:
    """How far the seat is ahead of the best other one, in points, as far as it can know.

    A seat has its level, its clouds (of others their mean value), its balloons and birds, and during a turn what the
    throw is expected to bring it.
    """
    own = 0.0
    best_other = -1.0e9
    for other in range(o.players):
        value = standing(s, other, other == seat)
        if s.dare != NO_DARE:
            value += prospect(o, s, other, other == seat)
        if other == seat:
            own = value
        elif value > best_other:
            best_other = value
    return own - best_other


@rule
def standing(s: Any, seat: int, own: bool) -> float:
    """What a seat has, in points."""
    value = s.level[seat] + DOVE * s.doves[seat] - CROW * s.crows[seat] + BALLOON * s.balloons[seat]
    if s.balloons[seat] > 0:
        value += LAST_BALLOON
    return value + (cloud_points(s, seat) if own else count_clouds(s, seat))


@rule
def prospect(o: Any, s: Any, seat: int, own: bool) -> float:
    """What this turn's throw is expected to bring a seat; bets of others aren't known."""
    success = chance_of_success(o, s) / 100.0
    if seat == s.hurler:
        loss = BALLOON if s.balloons[seat] > 1 else BALLOON + LAST_BALLOON + s.level[seat]
        return success - (1.0 - success) * loss
    if seat == s.skewerer or seat == s.assister:
        return success
    if seat == s.turbulator:
        return 1.0 - success
    if own and s.bet[seat] != NO_BET and not has_role(s, seat):
        right = success if s.bet[seat] == HAPPY else 1.0 - success
        return right * DOVE - (1.0 - right) * CROW
    return 0.0
