"""The rules of HOP!, compiled. Clauses are those of README.md beside this file."""

from __future__ import annotations

from typing import Any

import numpy as np

from hopenvs.core.jit import rule
from hopenvs.core.state import CHANCE, TERMINAL, finish_turn
from hopenvs.games.hop.dares import MAX_DARES, UNUSED
from hopenvs.games.hop.options import EQUAL, MAX_PLAYERS, SAMPLED, SKILLS

TOP = 7  # HP-1: the highest level
BALLOONS = 5
FLOCK = 3  # HP-12: so many birds of a kind are returned
CLOUD_VALUES = 3  # 0, 1, 2
CLOUDS_EACH = 12  # HP-2: tokens of each value
LOWEST_CHANCE, HIGHEST_CHANCE = 5, 95  # HP-8, hundredths

SKILL_OUTCOMES = 7  # HP-8: -15, -10 .. 15 hundredths
SKILL_STEP = 5
MOST_SKILL = 15
THROW, CATCH, HELP, HINDER = range(SKILLS)

SKEWERER, ASSISTER, TURBULATOR, BET, SAMPLE, DRAW_DARE, FLY, DRAW_CLOUD = range(8)  # phases; the last four are chance's
NOBODY = -1
NO_DARE = -1
NO_BET, HAPPY, UNHAPPY = range(3)
NOT_THROWN = -1
LEFT, PUT_AWAY, IN_PLAY = range(3)  # where a dare is

FIELDS = [
    ("level", np.int8, (MAX_PLAYERS,)),  # 0 beside the board
    ("balloons", np.int8, (MAX_PLAYERS,)),
    ("doves", np.int8, (MAX_PLAYERS,)),
    ("crows", np.int8, (MAX_PLAYERS,)),
    ("clouds", np.int8, (MAX_PLAYERS, CLOUD_VALUES)),  # how many of each value; only the owner knows
    ("pool", np.int8, (CLOUD_VALUES,)),  # tokens left of each value
    ("skill", np.int8, (MAX_PLAYERS, SKILLS)),  # hundredths
    ("bet", np.int8, (MAX_PLAYERS,)),
    ("deck", np.int8, (MAX_DARES,)),  # where each dare is
    ("phase", np.int8),
    ("hurler", np.int8),
    ("skewerer", np.int8),
    ("assister", np.int8),
    ("turbulator", np.int8),
    ("dare", np.int8),  # its id, or NO_DARE
    ("last_throw", np.int8),  # 1 success, 0 failure, NOT_THROWN
    ("sampled", np.int8),  # skills sampled so far
    ("collector", np.int8),  # who draws a cloud now, or NOBODY
    ("collector_2", np.int8),  # who draws the next one
]


# ---- dares -----------------------------------------------------------------------------------------------------------
@rule
def base_of(o: Any, dare: int) -> int:
    """HP-3: the chance before skills, hundredths."""
    return o.dares[dare] >> 2


@rule
def needs_assister(o: Any, dare: int) -> bool:
    """Whether the dare asks for an assister."""
    return o.dares[dare] & 2 != 0


@rule
def needs_turbulator(o: Any, dare: int) -> bool:
    """Whether the dare asks for a turbulator."""
    return o.dares[dare] & 1 != 0


@rule
def is_playable(o: Any, dare: int) -> bool:
    """HP-5: there are enough players for its helpers."""
    return (o.dares[dare] & 1) + (o.dares[dare] >> 1 & 1) <= o.players - 2


@rule
def num_dares(o: Any) -> int:
    """How many dares the deck has."""
    count = 0
    while count < MAX_DARES and o.dares[count] != UNUSED:
        count += 1
    return count


@rule
def dares_left(o: Any, s: Any) -> int:
    """How many can be drawn."""
    count = 0
    for dare in range(num_dares(o)):
        count += s.deck[dare] == LEFT  # no branch: a shuffled deck can't be guessed
    return count


# ---- start -----------------------------------------------------------------------------------------------------------
@rule
def setup(o: Any, s: Any) -> None:
    """HP-1, HP-2, HP-8: everybody on level 1, all tokens in the pool, skills given or to be sampled."""
    for seat in range(o.players):
        s.level[seat] = 1
        s.balloons[seat] = BALLOONS
        for skill in range(SKILLS):
            if o.skills[0] != EQUAL and o.skills[0] != SAMPLED:
                s.skill[seat, skill] = o.skills[1 + seat * SKILLS + skill]
    for value in range(CLOUD_VALUES):
        s.pool[value] = CLOUDS_EACH
    s.last_throw = NOT_THROWN
    s.collector = NOBODY
    s.collector_2 = NOBODY
    clear_roles(s)
    if o.skills[0] == SAMPLED:
        s.phase = SAMPLE
        s.current_player = CHANCE
    else:
        s.phase = SKEWERER
        s.current_player = 0


@rule
def clear_roles(s: Any) -> None:
    """HP-14: after a turn."""
    s.skewerer = NOBODY
    s.assister = NOBODY
    s.turbulator = NOBODY
    s.dare = NO_DARE
    for seat in range(MAX_PLAYERS):
        s.bet[seat] = NO_BET


# ---- decisions -------------------------------------------------------------------------------------------------------
@rule
def has_role(s: Any, seat: int) -> bool:
    """Whether a seat takes part in this turn's throw."""
    return seat == s.hurler or seat == s.skewerer or seat == s.assister or seat == s.turbulator


@rule
def action_mask(o: Any, s: Any, seat: int, mask: Any) -> None:
    """HP-4, HP-6: anybody without a role; HP-7: happy or unhappy."""
    others = o.players - 1
    if s.phase == BET:
        mask[3 * others] = 1
        mask[3 * others + 1] = 1
        return
    for k in range(others):
        if not has_role(s, (s.hurler + 1 + k) % o.players):
            mask[s.phase * others + k] = 1


@rule
def apply(o: Any, s: Any, action: int) -> None:
    """A role is given away, or a bet laid."""
    others = o.players - 1
    if s.phase == BET:
        s.bet[s.current_player] = HAPPY + (action - 3 * others)
        ask_bettor(o, s, s.current_player)
        return
    chosen = (s.hurler + 1 + action % others) % o.players
    if s.phase == SKEWERER:
        s.skewerer = chosen
        draw_dare(o, s)
    else:
        if s.phase == ASSISTER:
            s.assister = chosen
        else:
            s.turbulator = chosen
        cast(o, s)


@rule
def draw_dare(o: Any, s: Any) -> None:
    """HP-5: a dare is due; an empty deck is refilled from those put away."""
    if dares_left(o, s) == 0:
        for dare in range(num_dares(o)):
            s.deck[dare] = LEFT
    s.phase = DRAW_DARE
    s.current_player = CHANCE


@rule
def cast(o: Any, s: Any) -> None:
    """HP-6: the next role that the dare asks for; when all are given, the bets."""
    if needs_assister(o, s.dare) and s.assister == NOBODY:
        s.phase = ASSISTER
        s.current_player = s.hurler
    elif needs_turbulator(o, s.dare) and s.turbulator == NOBODY:
        s.phase = TURBULATOR
        s.current_player = s.hurler
    else:
        ask_bettor(o, s, s.hurler)


@rule
def ask_bettor(o: Any, s: Any, after: int) -> None:
    """HP-7: the next seat without a role bets, clockwise from the hurler's left; after the last the throw is due."""
    seat = (after + 1) % o.players
    while seat != s.hurler and has_role(s, seat):
        seat = (seat + 1) % o.players
    if seat == s.hurler:
        s.phase = FLY
        s.current_player = CHANCE
    else:
        s.phase = BET
        s.current_player = seat


# ---- chance ----------------------------------------------------------------------------------------------------------
@rule
def num_outcomes(o: Any, s: Any) -> int:
    """HP-5: the dares left; HP-8: success, failure, or a skill; HP-11: the tokens left."""
    if s.phase == DRAW_DARE:
        return dares_left(o, s)
    if s.phase == FLY:
        return 2
    if s.phase == SAMPLE:
        return SKILL_OUTCOMES
    return tokens_left(s)


@rule
def outcome_weight(o: Any, s: Any, k: int) -> int:
    """A throw's hundredths; all else is equally likely."""
    if s.phase == FLY:
        return chance_of_success(o, s) if k == 0 else 100 - chance_of_success(o, s)
    return 1


@rule
def chance_of_success(o: Any, s: Any) -> int:
    """HP-8, hundredths; roles not yet given count 0."""
    chance = base_of(o, s.dare) + s.skill[s.hurler, THROW] + s.skill[s.skewerer, CATCH]
    if s.assister != NOBODY:
        chance += s.skill[s.assister, HELP]
    if s.turbulator != NOBODY:
        chance -= s.skill[s.turbulator, HINDER]
    return min(max(chance, LOWEST_CHANCE), HIGHEST_CHANCE)


@rule
def decided_outside(o: Any, s: Any) -> bool:
    """Whether it is a throw: with `throws="external"` somebody else decides it."""
    return s.phase == FLY


@rule
def apply_chance(o: Any, s: Any, k: int) -> None:
    """A dare is read, the throw succeeds or fails, a cloud is drawn, or a skill is sampled."""
    if s.phase == DRAW_DARE:
        s.dare = kth_dare(o, s, k)
        if is_playable(o, s.dare):
            s.deck[s.dare] = IN_PLAY
            cast(o, s)
        else:
            s.deck[s.dare] = PUT_AWAY
            s.dare = NO_DARE
            draw_dare(o, s)
    elif s.phase == FLY:
        reward(o, s, k == 0)
    elif s.phase == SAMPLE:
        s.skill[s.sampled // SKILLS, s.sampled % SKILLS] = SKILL_STEP * k - MOST_SKILL
        s.sampled += 1
        if s.sampled == SKILLS * o.players:
            s.sampled = 0
            s.phase = SKEWERER
            s.current_player = 0
    else:
        s.clouds[s.collector, take_token(s, k)] += 1
        s.collector = NOBODY
        collect(o, s)


@rule
def kth_dare(o: Any, s: Any, k: int) -> int:
    """The k-th dare left, by id."""
    dare = -1
    for _ in range(k + 1):
        dare += 1
        while s.deck[dare] != LEFT:
            dare += 1
    return dare


@rule
def tokens_left(s: Any) -> int:
    """How many clouds the pool holds."""
    count = 0
    for value in range(CLOUD_VALUES):
        count += s.pool[value]
    return count


@rule
def take_token(s: Any, k: int) -> int:
    """Take the k-th token out of the pool, values side by side; returns its value."""
    value = 0
    while k >= s.pool[value]:
        k -= s.pool[value]
        value += 1
    s.pool[value] -= 1
    return value


# ---- rewards ---------------------------------------------------------------------------------------------------------
@rule
def reward(o: Any, s: Any, success: bool) -> None:
    """HP-9, HP-10, HP-12: levels, balloons and birds settle at once; then clouds are drawn (HP-11)."""
    s.last_throw = 1 if success else 0
    if success:
        climb(s, s.hurler)
        s.collector = s.skewerer
        s.collector_2 = s.assister
    else:
        lose_balloon(s, s.hurler)
        s.collector = s.turbulator
        s.collector_2 = NOBODY
    for seat in range(o.players):
        if s.bet[seat] != NO_BET:
            take_bird(s, seat, (s.bet[seat] == HAPPY) == success)
    collect(o, s)


@rule
def climb(s: Any, seat: int) -> None:
    """HP-9: one level up, to the top at most; HP-13: a figurine beside the board stays there."""
    if 0 < s.level[seat] < TOP:
        s.level[seat] += 1


@rule
def lose_balloon(s: Any, seat: int) -> None:
    """HP-13: with the last one the figurine goes beside the board."""
    s.balloons[seat] -= 1
    if s.balloons[seat] == 0:
        s.level[seat] = 0


@rule
def take_bird(s: Any, seat: int, dove: bool) -> None:
    """HP-12: three of a kind send all birds away, for a level or a balloon."""
    if dove:
        s.doves[seat] += 1
    else:
        s.crows[seat] += 1
    if s.doves[seat] == FLOCK or s.crows[seat] == FLOCK:
        s.doves[seat] = 0
        s.crows[seat] = 0
        if dove:
            climb(s, seat)
        else:
            lose_balloon(s, seat)


@rule
def collect(o: Any, s: Any) -> None:
    """HP-11: who is due a cloud draws one while there are any; after the last one the turn ends."""
    if s.collector == NOBODY:
        s.collector = s.collector_2
        s.collector_2 = NOBODY
    if s.collector == NOBODY or tokens_left(s) == 0:
        s.collector = NOBODY
        s.collector_2 = NOBODY
        end_turn(o, s)
    else:
        s.phase = DRAW_CLOUD
        s.current_player = CHANCE


@rule
def end_turn(o: Any, s: Any) -> None:
    """HP-14: the dare is put away; the game ends if anybody is on top or has no balloon; else the next seat hurls."""
    s.deck[s.dare] = PUT_AWAY
    clear_roles(s)
    s.phase = SKEWERER
    if is_decided(o, s):
        s.turn += 1
        s.current_player = TERMINAL
    elif not finish_turn(o, s):
        s.hurler = (s.hurler + 1) % o.players
        s.current_player = s.hurler


@rule
def is_decided(o: Any, s: Any) -> bool:
    """HP-14: somebody stands on level 7 or has no balloon left."""
    for seat in range(o.players):
        if s.level[seat] == TOP or s.balloons[seat] == 0:
            return True
    return False


# ---- the end ---------------------------------------------------------------------------------------------------------
@rule
def cloud_points(s: Any, seat: int) -> int:
    """The values of a seat's clouds."""
    points = 0
    for value in range(CLOUD_VALUES):
        points += value * s.clouds[seat, value]
    return points


@rule
def result(o: Any, s: Any, scores: Any, ranks: Any, winners: Any) -> None:
    """HP-15, HP-16: level and clouds; ties go to the higher figurine, else the victory is shared."""
    for seat in range(o.players):
        scores[seat] = s.level[seat] + cloud_points(s, seat)
    for seat in range(o.players):
        better = 0
        for other in range(o.players):
            if scores[other] > scores[seat] or (scores[other] == scores[seat] and s.level[other] > s.level[seat]):
                better += 1
        ranks[seat] = 1 + better
        winners[seat] = 1 if better == 0 else 0


@rule
def key(o: Any, s: Any, out: Any) -> int:
    """All that matters for play: who decides what, figurines, tokens, deck, roles, bets, skills and the last throw."""
    out[0] = s.current_player - TERMINAL
    out[1] = s.phase
    out[2] = s.hurler
    out[3] = 1 + s.skewerer
    out[4] = 1 + s.assister
    out[5] = 1 + s.turbulator
    out[6] = 1 + s.dare
    out[7] = 1 + s.last_throw
    out[8] = 1 + s.collector
    out[9] = 1 + s.collector_2
    out[10] = s.sampled
    n = 11
    for seat in range(o.players):
        out[n] = s.level[seat]
        out[n + 1] = s.balloons[seat]
        out[n + 2] = s.doves[seat] + FLOCK * s.crows[seat]
        out[n + 3] = s.bet[seat]
        n += 4
        for value in range(CLOUD_VALUES):
            out[n] = s.clouds[seat, value]
            n += 1
        for skill in range(SKILLS):
            out[n] = 128 + s.skill[seat, skill]
            n += 1
    for dare in range(num_dares(o)):
        out[n] = s.deck[dare]
        n += 1
    return n
