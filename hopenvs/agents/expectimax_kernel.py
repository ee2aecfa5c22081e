"""The compiled loop of expectimax: a template as in ``core/kernels.py``, filled in with one game's rules.

The tree of a decision is walked depth first, on a stack of frames; frame k holds what is known of the record
`scratch[k]` while its children are looked at in `scratch[k + 1]`:

* a decision (DECIDES): each seat takes what is best for itself (max^n: C. A. Luckhardt and K. B. Irani, "An algorithmic
  solution of n-person games", AAAI 1986; for two seats and a zero sum that is minimax);
* a chance point: the average over its outcomes, all of them (SUMS) while the budget lasts, else over as many as it
  allows, drawn by weight (DRAWS);
* a tick: the searching seat takes what is best on average over some joint actions of the others, each drawn from all
  that are legal.

Letters of shapes: n decisions, P seats, A actions, L frames, W joint actions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hopenvs.agents.greedy_kernel import END_WORTH, TIE, best, draw, lowest_tie, num_ties, worth
from hopenvs.agents.kernel_player import fill_in
from hopenvs.core import kernels

if TYPE_CHECKING:
    from hopenvs.core.game import Game

# Cells of `settings`. DEPTH: decisions looked ahead; WORLDS: ways that hidden things may be; OUTCOMES: the budget
# between two decisions; WAYS: joint actions of the others, W.
PAYOFF, DEPTH, WORLDS, OUTCOMES, WAYS, NUM_SETTINGS = 0, 1, 2, 3, 4, 5

# Columns of `frames`. KIND: one of those below; NEXT: the child to look at next; COUNT: how many children there are;
# TOTAL: the sum of the outcomes' weights; BUDGET: outcomes that may be looked at from here to the next decision; LEFT:
# decisions to look ahead; WAY: which joint action of the others comes next.
KIND, NEXT, COUNT, TOTAL, BUDGET, LEFT, WAY, FRAME_COLUMNS = 0, 1, 2, 3, 4, 5, 6, 7
LEAF, DECIDES, SUMS, DRAWS = 0, 1, 2, 3

# What can be had now or later is worth a little more now: without this a player puts off for ever what it can do any
# time, as all orders of its actions come to the same.
SOON = 0.01

_CONSTANTS = {
    **dict(PAYOFF=PAYOFF, DEPTH=DEPTH, WORLDS=WORLDS, OUTCOMES=OUTCOMES, WAYS=WAYS),
    **dict(KIND=KIND, NEXT=NEXT, COUNT=COUNT, TOTAL=TOTAL, BUDGET=BUDGET, LEFT=LEFT, WAY=WAY),
    **dict(LEAF=LEAF, DECIDES=DECIDES, SUMS=SUMS, DRAWS=DRAWS, END_WORTH=END_WORTH, TIE=TIE, SOON=SOON),
}


# mypy: disable-error-code="name-defined"
# ruff: noqa: F821


def expectimax_range(
    lo: int, hi: int, options: Any, states: Any, seats: Any, masks: Any, streams: Any, settings: Any, scratch: Any,
    frames: Any, sums: Any, bests: Any, found: Any, mask: Any, joint: Any, values: Any, actions: Any,
) -> None:  # fmt: skip
    """`values[i]` [A]: what seat `seats[i]` expects of each action of `masks[i]` [A] in record `states[i]`.

    And `actions[i]`, the best of them. What is drawn comes from `streams[i]` [4]. Scratch: `scratch` [L] records,
    `frames` [L, 7] int64, `sums` and `bests` [L, P] float64, `found` [P] float64, `mask` [L, A] int8, `joint` [LW, P]
    int32.
    """
    o = options[0]
    for i in range(lo, hi):
        seat = seats[i]
        stream = streams[i]
        for a in range(len(values[i])):
            values[i, a] = 0.0
        for _ in range(settings[WORLDS]):
            scratch[0] = states[i]
            resample_hidden(o, scratch[0], seat, stream)
            look_ahead(
                o, seat, stream, settings, scratch, frames, sums, bests, found, mask, joint, values[i]
            )  # fmt: skip
        actions[i] = best(masks[i], values[i], stream)


def look_ahead(
    o: Any, seat: int, stream: Any, settings: Any, scratch: Any, frames: Any, sums: Any, bests: Any, found: Any,
    mask: Any, joint: Any, values: Any,
) -> None:  # fmt: skip
    """Add to `values` [A] what `seat` expects of each action in `scratch[0]`, the mean over all worlds."""
    level = 0
    enter(o, 0, settings[DEPTH], settings[OUTCOMES], seat, stream, settings, scratch, frames, sums, bests, mask, joint)
    while level >= 0:
        if descend(o, level, seat, stream, settings, scratch, frames, mask, joint):
            budget = settings[OUTCOMES]
            left = frames[level, LEFT]
            if frames[level, KIND] == DECIDES:
                left -= 1
            else:
                budget = frames[level, BUDGET] // frames[level, COUNT]
            level += 1
            enter(o, level, left, budget, seat, stream, settings, scratch, frames, sums, bests, mask, joint)
            if frames[level, KIND] != LEAF:
                continue
            for other in range(o.players):
                found[other] = worth(o, scratch[level], other, settings[PAYOFF])
        else:
            for other in range(o.players):
                found[other] = bests[level, other]
                if frames[level, KIND] == DECIDES and level > 0:
                    found[other] += SOON * worth(o, scratch[level], other, settings[PAYOFF])
        # `found` is what the record of this level comes to: its parent enters it.
        level -= 1
        if level >= 0:
            enter_result(o, level, seat, settings, scratch, frames, sums, bests, found, values)


def enter(
    o: Any, level: int, left: int, budget: int, seat: int, stream: Any, settings: Any, scratch: Any, frames: Any,
    sums: Any, bests: Any, mask: Any, joint: Any,
) -> None:  # fmt: skip
    """Set up the frame of `scratch[level]`, with `left` decisions to look ahead and a budget of outcomes."""
    s = scratch[level]
    while s.current_player == CHANCE:
        outcomes = num_outcomes(o, s)
        weights = 0
        for k in range(outcomes):
            weights += outcome_weight(o, s, k)
        if outcomes > 1 and budget > 1:
            frames[level, KIND] = SUMS if outcomes <= budget else DRAWS
            frames[level, COUNT] = min(outcomes, budget)
            frames[level, TOTAL] = weights
            frames[level, BUDGET] = budget
            break
        apply_chance(o, s, draw(o, s, weights, stream))  # one outcome needs no frame
    if s.current_player != CHANCE:
        frames[level, KIND] = LEAF if s.current_player == TERMINAL or left == 0 else DECIDES
        if frames[level, KIND] == DECIDES:
            frames[level, COUNT] = len(mask[level])
            mask[level] = 0
            imagine(o, s, seat, stream, mask[level], joint, level * settings[WAYS], settings[WAYS])
    frames[level, NEXT] = 0
    frames[level, WAY] = 0
    frames[level, LEFT] = left
    for other in range(o.players):
        sums[level, other] = 0.0
        bests[level, other] = -1.0e300 if frames[level, KIND] == DECIDES else 0.0


def descend(
    o: Any, level: int, seat: int, stream: Any, settings: Any, scratch: Any, frames: Any, mask: Any, joint: Any
) -> bool:  # fmt: skip
    """Make the next child of a frame in the record below; False if there is none left."""
    kind = frames[level, KIND]
    k = frames[level, NEXT]
    if kind == DECIDES:
        while k < frames[level, COUNT] and mask[level, k] == 0:
            k += 1
    elif kind == SUMS:
        while k < frames[level, COUNT] and outcome_weight(o, scratch[level], k) == 0:
            k += 1
    frames[level, NEXT] = k
    if k >= frames[level, COUNT]:
        return False
    scratch[level + 1] = scratch[level]
    if kind == DECIDES:
        decide(o, scratch[level + 1], k, seat, joint[level * settings[WAYS] + frames[level, WAY]])
    elif kind == SUMS:
        apply_chance(o, scratch[level + 1], k)
    else:
        apply_chance(o, scratch[level + 1], draw(o, scratch[level], frames[level, TOTAL], stream))
    return True


def enter_result(
    o: Any, level: int, seat: int, settings: Any, scratch: Any, frames: Any, sums: Any, bests: Any, found: Any,
    values: Any,
) -> None:  # fmt: skip
    """Enter in a frame what the child that was looked at came to, `found` [P]; at the root also in `values` [A]."""
    s = scratch[level]
    if frames[level, KIND] != DECIDES:
        share = 1.0 / frames[level, COUNT]
        if frames[level, KIND] == SUMS:
            share = outcome_weight(o, s, frames[level, NEXT]) / frames[level, TOTAL]
        for other in range(o.players):
            bests[level, other] += share * found[other]
        frames[level, NEXT] += 1
        return
    ways = settings[WAYS]
    for other in range(o.players):
        sums[level, other] += found[other] / ways
    frames[level, WAY] += 1
    if frames[level, WAY] < ways:
        return
    who = s.current_player if s.current_player >= 0 else seat
    if level == 0:
        values[frames[0, NEXT]] += sums[0, who] / settings[WORLDS]
    better = sums[level, who] > bests[level, who]
    for other in range(o.players):
        if better:
            bests[level, other] = sums[level, other]
        sums[level, other] = 0.0
    frames[level, WAY] = 0
    frames[level, NEXT] += 1


# ---- turn games -----------------------------------------------------------------------------------------------------
def imagine_turn(o: Any, s: Any, seat: int, stream: Any, mask: Any, joint: Any, first: int, ways: int) -> None:
    """What the seat to act may do."""
    action_mask(o, s, s.current_player, mask)


def decide_turn(o: Any, s: Any, a: int, seat: int, joint: Any) -> None:
    """Carry the decision out."""
    apply(o, s, a)


# ---- simultaneous games ---------------------------------------------------------------------------------------------
def imagine_tick(o: Any, s: Any, seat: int, stream: Any, mask: Any, joint: Any, first: int, ways: int) -> None:
    """The others' actions, any legal one, each as likely, in `ways` rows of `joint` [LW, P]; what `seat` may do."""
    for way in range(first, first + ways):
        for other in range(o.players):
            if other != seat:
                for a in range(len(mask)):
                    mask[a] = 0
                action_mask(o, s, other, mask)
                joint[way, other] = pick(mask, stream)
    for a in range(len(mask)):
        mask[a] = 0
    action_mask(o, s, seat, mask)


def decide_tick(o: Any, s: Any, a: int, seat: int, joint: Any) -> None:
    """Carry the tick out, with a row of joint actions [P]."""
    joint[seat] = a
    apply_joint(o, s, joint)


_PARTS = {
    **{part.__name__: part for part in (kernels.settle, draw, worth, lowest_tie, num_ties, best)},
    **dict(imagine=(imagine_turn, imagine_tick), decide=(decide_turn, decide_tick)),
    **{part.__name__: part for part in (enter, descend, enter_result, look_ahead)},
}


def expectimax_kernel(game: Game) -> Any:
    """The kernel of a game module (`kernel_player.fill_in`)."""
    return fill_in(game, "expectimax", expectimax_range, _CONSTANTS, _PARTS)
