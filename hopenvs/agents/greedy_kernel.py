"""The compiled loop of the greedy player: a template as in ``core/kernels.py``, filled in with one game's rules.

Letters of shapes: n decisions, P seats, A actions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hopenvs.agents.kernel_player import fill_in
from hopenvs.core import kernels

if TYPE_CHECKING:
    from hopenvs.core.game import Game

# Cells of `settings`.
PAYOFF, WORLDS, LEAVES, NUM_SETTINGS = 0, 1, 2, 3

# Records of `scratch`: the world looked at, a chance point being expanded, and the stack of what is still to be
# expanded, which never holds more than `LEAVES`.
WORLD, HELD, STACK = 0, 1, 2

# A reward of 1 at the end outweighs whatever `evaluate` says.
END_WORTH = 1000.0

# Values this close are a tie (they are sums of the same numbers, perhaps in another order).
TIE = 1e-9

_CONSTANTS = {
    **dict(PAYOFF=PAYOFF, WORLDS=WORLDS, LEAVES=LEAVES, WORLD=WORLD, HELD=HELD, STACK=STACK),
    **dict(END_WORTH=END_WORTH, TIE=TIE),
}


# mypy: disable-error-code="name-defined"
# ruff: noqa: F821


def greedy_range(
    lo: int, hi: int, options: Any, states: Any, seats: Any, masks: Any, streams: Any, settings: Any, scratch: Any,
    shares: Any, budgets: Any, joint: Any, other_mask: Any, values: Any, actions: Any,
) -> None:  # fmt: skip
    """`actions[i]`: the action of `masks[i]` [A] after which seat `seats[i]` expects most in record `states[i]`.

    `scratch` [STACK + leaves] records, `shares` and `budgets` [STACK + leaves], `joint` [P] int32, `other_mask` and
    `values` [A] are scratch. What is drawn comes from `streams[i]` [4].
    """
    o = options[0]
    for i in range(lo, hi):
        weigh(
            o, states[i], seats[i], masks[i], streams[i], settings, scratch, shares, budgets, joint, other_mask, values
        )
        actions[i] = best(masks[i], values, streams[i])


def chances_range(
    lo: int, hi: int, options: Any, states: Any, seats: Any, masks: Any, streams: Any, settings: Any, scratch: Any,
    shares: Any, budgets: Any, joint: Any, other_mask: Any, values: Any, chances: Any,
) -> None:  # fmt: skip
    """How likely `greedy_range` takes each action, given what it draws before: `chances` [n, A], zero before."""
    o = options[0]
    for i in range(lo, hi):
        weigh(
            o, states[i], seats[i], masks[i], streams[i], settings, scratch, shares, budgets, joint, other_mask, values
        )
        bar = lowest_tie(masks[i], values)
        count = num_ties(masks[i], values, bar)
        for a in range(len(values)):
            if masks[i, a] != 0 and values[a] >= bar:
                chances[i, a] = 1.0 / count


def weigh(
    o: Any, s: Any, seat: int, mask: Any, stream: Any, settings: Any, scratch: Any, shares: Any, budgets: Any,
    joint: Any, other_mask: Any, values: Any,
) -> None:  # fmt: skip
    """What `seat` expects in record `s` after each action of `mask` [A]: `values` [A], summed over all worlds."""
    worlds = settings[WORLDS]
    for a in range(len(values)):
        values[a] = 0.0
    for _ in range(worlds):
        scratch[WORLD] = s
        resample_hidden(o, scratch[WORLD], seat, stream)
        imagine(o, scratch[WORLD], seat, stream, joint, other_mask)
        for a in range(len(values)):
            if mask[a] != 0:
                scratch[STACK] = scratch[WORLD]
                decide(o, scratch[STACK], seat, a, joint)
                values[a] += expectation(o, scratch, shares, budgets, seat, stream, settings)


def expectation(
    o: Any, scratch: Any, shares: Any, budgets: Any, seat: int, stream: Any, settings: Any
) -> float:  # fmt: skip
    """What `scratch[STACK]` is worth to `seat`, averaged over all that chance may do before the next decision.

    A chance point with a budget of b leaves is expanded in full if it has at most b outcomes, which share the budget;
    else b outcomes are drawn.
    """
    total = 0.0
    top = STACK
    shares[top] = 1.0
    budgets[top] = settings[LEAVES]
    while top >= STACK:
        share = shares[top]
        budget = budgets[top]
        if scratch[top].current_player != CHANCE:
            total += share * worth(o, scratch[top], seat, settings[PAYOFF])
            top -= 1
            continue
        scratch[HELD] = scratch[top]
        outcomes = num_outcomes(o, scratch[HELD])
        weights = 0
        for k in range(outcomes):
            weights += outcome_weight(o, scratch[HELD], k)
        exact = outcomes <= budget
        count = outcomes if exact else budget
        for n in range(count):
            if exact:
                k = n
                weight = outcome_weight(o, scratch[HELD], k)
                if weight == 0:
                    continue
                shares[top] = share * weight / weights
            else:
                k = draw(o, scratch[HELD], weights, stream)
                shares[top] = share / count
            budgets[top] = budget // count
            scratch[top] = scratch[HELD]
            apply_chance(o, scratch[top], k)
            top += 1
        top -= 1
    return total


def draw(o: Any, s: Any, weights: int, stream: Any) -> int:
    """An outcome of the chance point, drawn by weight; `weights` is their sum."""
    left = below(stream, weights)
    k = 0
    weight = outcome_weight(o, s, 0)
    while left >= weight:
        left -= weight
        k += 1
        weight = outcome_weight(o, s, k)
    return k


def worth(o: Any, s: Any, seat: int, payoff: int) -> float:
    """The game's evaluation; at the end the payoff outweighs it."""
    if s.current_player != TERMINAL:
        return evaluate(o, s, seat)
    settle(o, s, payoff)
    return END_WORTH * s.rewards[seat] + evaluate(o, s, seat)


def lowest_tie(mask: Any, values: Any) -> float:
    """The least value that still counts as the largest one."""
    largest = -1.0e300
    for a in range(len(values)):
        if mask[a] != 0 and values[a] > largest:
            largest = values[a]
    return largest - TIE * max(1.0, abs(largest))


def num_ties(mask: Any, values: Any, bar: float) -> int:
    """How many legal actions have at least that value."""
    count = 0
    for a in range(len(values)):
        if mask[a] != 0 and values[a] >= bar:
            count += 1
    return count


def best(mask: Any, values: Any, stream: Any) -> int:
    """The legal action of the largest value; ties are drawn."""
    bar = lowest_tie(mask, values)
    left = below(stream, num_ties(mask, values, bar))
    for a in range(len(values)):
        if mask[a] != 0 and values[a] >= bar:
            if left == 0:
                return a
            left -= 1
    return -1


# ---- turn games -----------------------------------------------------------------------------------------------------
def imagine_turn(o: Any, s: Any, seat: int, stream: Any, joint: Any, mask: Any) -> None:
    """Nobody else acts."""


def decide_turn(o: Any, s: Any, seat: int, a: int, joint: Any) -> None:
    """Carry the decision out."""
    apply(o, s, a)


# ---- simultaneous games ---------------------------------------------------------------------------------------------
def imagine_tick(o: Any, s: Any, seat: int, stream: Any, joint: Any, mask: Any) -> None:
    """The others' actions in this world: any legal one, each as likely."""
    for other in range(o.players):
        if other != seat:
            for a in range(len(mask)):
                mask[a] = 0
            action_mask(o, s, other, mask)
            joint[other] = pick(mask, stream)


def decide_tick(o: Any, s: Any, seat: int, a: int, joint: Any) -> None:
    """Carry the tick out."""
    joint[seat] = a
    apply_joint(o, s, joint)


_PARTS = {
    **{part.__name__: part for part in (kernels.settle, draw, worth, lowest_tie, num_ties, best, expectation)},
    **dict(imagine=(imagine_turn, imagine_tick), decide=(decide_turn, decide_tick), weigh=weigh),
}


def greedy_kernel(game: Game, template: Any = greedy_range) -> Any:
    """The kernel of a game module (`kernel_player.fill_in`).

    Args:
        game: the game module.
        template: `greedy_range` or `chances_range`.
    """
    return fill_in(game, "greedy", template, _CONSTANTS, _PARTS)
