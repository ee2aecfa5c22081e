"""The batch loops: templates, made into the kernels of a game by giving their free names that game's functions.

Every template below is ordinary source that is never run as it stands: `Kernels` instantiates it with the rules of one
game (`jit.instantiate`). Names in capitals and the rule names (`setup`, `apply`, ...) are what is filled in.

Letters of shapes: N rows (games), S seats asked at once in a row (1 in turn games, P in simultaneous ones), P seats,
A actions, D observation cells.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np

from hopenvs.core import rng, state
from hopenvs.core.choice import pick
from hopenvs.core.jit import BACKEND, instantiate

if TYPE_CHECKING:
    from hopenvs.core.game import Game

# What may stand in column 0 of `orders` instead of an action.
SKIP = -1  # the row is left exactly as it is
NEW_GAME = -2  # a new game, the row's generator going on (C-14)
NEW_SEED = -3  # a new game from the row's seed
RESUME = -4  # the record is given: write what belongs to it

# Rows of `flags` [ASKED + 2 P, N]: from ASKED on a row a seat, then one more a seat for who has won.
SEAT, TERMINATED, TRUNCATED, CAPPED, ASKED = 0, 1, 2, 3, 4

# Cells of `settings`.
PAYOFF, STEP_LIMIT, AUTORESET, DRAW, FORFEIT, NUM_SETTINGS = 0, 1, 2, 3, 4, 5

# Values of settings[AUTORESET].
DISABLED, NEXT_STEP, SAME_STEP = 0, 1, 2

# Chance points that may follow one another without a decision; more is a fault of the game.
CHANCE_LIMIT = 1_000_000

_CONSTANTS = {
    **{name: getattr(state, name) for name in ("CHANCE", "SIMULTANEOUS", "TERMINAL", "NOT_CHOSEN")},
    **{name: getattr(state, name) for name in ("NOT_TRUNCATED", "BY_MAX_TURNS", "BY_STEP_LIMIT")},
    **dict(SKIP=SKIP, NEW_GAME=NEW_GAME, NEW_SEED=NEW_SEED, RESUME=RESUME),
    **dict(SEAT=SEAT, TERMINATED=TERMINATED, TRUNCATED=TRUNCATED, CAPPED=CAPPED, ASKED=ASKED),
    **dict(PAYOFF=PAYOFF, STEP_LIMIT=STEP_LIMIT, AUTORESET=AUTORESET, DRAW=DRAW, FORFEIT=FORFEIT),
    **dict(DISABLED=DISABLED, NEXT_STEP=NEXT_STEP, SAME_STEP=SAME_STEP, CHANCE_LIMIT=CHANCE_LIMIT),
    **{rule.__name__: rule for rule in (pick, rng.below, rng.seed_words)},
    **{rule.__name__: rule for rule in (state.pay, state.give_up, state.forget_choices)},
}
_RULES = (
    *("setup", "action_mask", "num_outcomes", "outcome_weight", "apply_chance"),
    *("observe", "result", "evaluate", "resample_hidden", "key"),
)


# mypy: disable-error-code="name-defined"
# ruff: noqa: F821


# ---- chance and the end ---------------------------------------------------------------------------------------------
def draw_outcome(o: Any, s: Any, stream: Any) -> int:
    """An outcome of the chance point, drawn by weight from `stream` [4]."""
    n = num_outcomes(o, s)
    total = 0
    for k in range(n):
        total += outcome_weight(o, s, k)
    left = below(stream, total)
    k = 0
    weight = outcome_weight(o, s, 0)
    while left >= weight:
        left -= weight
        k += 1
        weight = outcome_weight(o, s, k)
    return k


def settle(o: Any, s: Any, payoff: int) -> None:
    """A game that has just ended: result and rewards."""
    players = o.players
    result(o, s, s.scores, s.ranks, s.winners)
    if s.truncated != NOT_TRUNCATED:
        for seat in range(players):
            s.winners[seat] = 0
    if s.forfeit:
        give_up(players, s, s.forfeit - 1)
    else:
        pay(players, s, payoff)


def advance(o: Any, s: Any, settings: Any) -> None:
    """From wherever the rules stopped to the next decision or the end."""
    if settings[DRAW]:
        drawn = 0
        while s.current_player == CHANCE:
            apply_chance(o, s, draw_outcome(o, s, s.rng))
            drawn += 1
            if drawn > CHANCE_LIMIT:
                return
    if s.current_player != TERMINAL and s.current_player != CHANCE and 0 < settings[STEP_LIMIT] <= s.plies:
        s.current_player = TERMINAL
        s.truncated = BY_STEP_LIMIT
    if s.current_player == TERMINAL:
        settle(o, s, settings[PAYOFF])


def report(o: Any, s: Any, i: int, over: bool, flags: Any, standings: Any) -> None:
    """How row `i`'s game has ended (C-12); zeros if it hasn't."""
    players = o.players
    flags[TERMINATED, i] = over and s.truncated == NOT_TRUNCATED
    flags[TRUNCATED, i] = over and s.truncated != NOT_TRUNCATED
    flags[CAPPED, i] = over and s.truncated == BY_MAX_TURNS
    for seat in range(players):
        flags[ASKED + players + seat, i] = s.winners[seat] if over else 0
        standings[seat, i] = s.ranks[seat] if over else 0
        standings[players + seat, i] = s.scores[seat] if over else 0


def concede(o: Any, s: Any, guilty: int) -> None:
    """An illegal action under illegal='forfeit' (C-11); `advance` settles it."""
    s.current_player = TERMINAL
    s.forfeit = 1 + guilty
    forget_choices(s)


# ---- no legal action: a fault of the game ---------------------------------------------------------------------------
def is_empty(row: Any) -> bool:
    """Whether the mask `row` [A] offers nothing."""
    for a in range(len(row)):
        if row[a] != 0:
            return False
    return True


# ---- one row, turn games --------------------------------------------------------------------------------------------
def offender_turn(o: Any, s: Any, i: int, actions: Any, mask: Any) -> int:
    """The seat whose action is illegal, or -1."""
    a = actions[i, 0]
    if a < 0 or a >= len(mask[i, 0]) or mask[i, 0, a] == 0:
        return s.current_player
    return -1


def decide_turn(o: Any, s: Any, i: int, actions: Any) -> None:
    """Carry the decision out."""
    apply(o, s, actions[i, 0])


def stuck_turn(o: Any, s: Any, i: int, mask: Any) -> int:
    """The seat that is asked and has no legal action, or -1."""
    return s.current_player if s.current_player >= 0 and is_empty(mask[i, 0]) else -1


def write_turn(o: Any, s: Any, i: int, mover: int, mask: Any, obs: Any, flags: Any) -> None:
    """Mask and observation of the seat to act; of an ended game, all ones and what `mover` sees."""
    seat = s.current_player
    mask[i] = 0
    obs[i] = 0
    if flags[SEAT, i] >= 0:
        flags[ASKED + flags[SEAT, i], i] = 0
    flags[SEAT, i] = seat
    if seat >= 0:
        flags[ASKED + seat, i] = 1
        action_mask(o, s, seat, mask[i, 0])
    elif seat == TERMINAL:
        mask[i] = 1
        seat = mover
    if seat >= 0:
        observe(o, s, seat, obs[i, 0])


# ---- one row, simultaneous games ------------------------------------------------------------------------------------
def offender_tick(o: Any, s: Any, i: int, actions: Any, mask: Any) -> int:
    """The first seat whose action is illegal, or -1."""
    for seat in range(o.players):
        a = actions[i, seat]
        if a < 0 or a >= len(mask[i, seat]) or mask[i, seat, a] == 0:
            return seat
    return -1


def decide_tick(o: Any, s: Any, i: int, actions: Any) -> None:
    """Carry the tick out."""
    apply_joint(o, s, actions[i])
    forget_choices(s)


def stuck_tick(o: Any, s: Any, i: int, mask: Any) -> int:
    """The first seat that is asked and has no legal action, or -1."""
    if s.current_player == SIMULTANEOUS:
        for seat in range(o.players):
            if is_empty(mask[i, seat]):
                return seat
    return -1


def write_tick(o: Any, s: Any, i: int, mover: int, mask: Any, obs: Any, flags: Any) -> None:
    """Mask and observation of every seat."""
    mask[i] = 0
    obs[i] = 0
    flags[SEAT, i] = s.current_player
    for seat in range(o.players):
        flags[ASKED + seat, i] = s.current_player == SIMULTANEOUS
        if s.current_player == SIMULTANEOUS:
            action_mask(o, s, seat, mask[i, seat])
        observe(o, s, seat, obs[i, seat])
    if s.current_player == TERMINAL:
        mask[i] = 1


# ---- games ----------------------------------------------------------------------------------------------------------
def blank(states: Any, i: int, finals: Any) -> None:
    """Row `i` made blank, but for its generator."""
    s = states[i]
    a = s.rng[0]
    b = s.rng[1]
    c = s.rng[2]
    d = s.rng[3]
    states[i] = finals[len(finals) - 1]
    s.rng[0] = a
    s.rng[1] = b
    s.rng[2] = c
    s.rng[3] = d


def check_range(lo: int, hi: int, options: Any, states: Any, actions: Any, mask: Any, flags: Any) -> int:
    """The first row with an illegal action (at a chance point: outcome), or -1; rows that are over don't count.

    Nor do skipped ones, unless a seat without a legal action is asked there: nobody could ever go on.
    """
    o = options[0]
    for i in range(lo, hi):
        s = states[i]
        seat = flags[SEAT, i]  # what the record says as well; these lie side by side
        order = actions[i, 0]
        if seat == TERMINAL:
            continue
        if order == SKIP:
            if stuck(o, s, i, mask) >= 0:
                return i
            continue
        if seat == CHANCE:
            if order < 0 or order >= num_outcomes(o, s):
                return i
        elif offender(o, s, i, actions, mask) >= 0:
            return i
    return -1


def step_range(
    lo: int, hi: int, options: Any, states: Any, finals: Any, settings: Any, orders: Any, seeds: Any, mask: Any,
    obs: Any, rewards: Any, flags: Any, standings: Any,
) -> int:  # fmt: skip
    """Carry out `orders` [N, S]: a decision in every row, or what SKIP, NEW_GAME, NEW_SEED, RESUME say.

    Returns the first row with an illegal action, or -1. That row and those after it are left as they were (unless
    settings[FORFEIT] and another action would be legal). `finals` [N + 1]: the ended record of each row, and last a
    blank one. `seeds` [N, 2]: uint32 words, low first. `standings` [2 P, N] int32: ranks, then scores, of games that
    this step has ended, else 0. With settings[DRAW] off nothing is drawn: at a chance point the order is the outcome.
    One kernel does it all, and calls each rule from one place, since every copy costs compile time.
    """
    o = options[0]
    for i in range(lo, hi):
        order = orders[i, 0]
        if order == SKIP:
            continue
        s = states[i]
        current = s.current_player
        new_game = order in (NEW_GAME, NEW_SEED)
        if new_game or order == RESUME:
            if order == NEW_SEED:
                seed_words(s.rng, seeds[i, 0], seeds[i, 1], 0)
        elif current == TERMINAL:
            if settings[AUTORESET] != NEXT_STEP:
                continue
            new_game = True
        elif current == CHANCE:
            if order < 0 or order >= num_outcomes(o, s):
                return i
            apply_chance(o, s, order)
        else:
            guilty = offender(o, s, i, orders, mask)
            if guilty < 0:
                decide(o, s, i, orders)
                s.plies += 1
            elif settings[FORFEIT] and stuck(o, s, i, mask) < 0:
                concede(o, s, guilty)
            else:
                return i
        reset_after = False
        while True:
            if new_game:
                blank(states, i, finals)
                forget_choices(s)
                setup(o, s)
            advance(o, s, settings)
            if reset_after:
                break
            over = s.current_player == TERMINAL
            if over or flags[TERMINATED, i] != 0 or flags[TRUNCATED, i] != 0:
                report(o, s, i, over, flags, standings)
            for seat in range(o.players):
                rewards[i, seat] = s.rewards[seat]
            if not over or new_game or order == RESUME or settings[AUTORESET] == DISABLED:
                break
            finals[i] = s
            if settings[AUTORESET] == NEXT_STEP:
                break
            new_game = True
            reset_after = True
        write(o, s, i, max(current, 0), mask, obs, flags)
    return -1


# ---- looking --------------------------------------------------------------------------------------------------------
def view_range(
    lo: int, hi: int, options: Any, states: Any, rows: Any, seats: Any, mask: Any, obs: Any
) -> None:  # fmt: skip
    """What seat `seats[i]` may do and sees in record `rows[i]`: `mask` [n, A] (zero if not asked), `obs` [n, D]."""
    o = options[0]
    for i in range(lo, hi):
        s = states[rows[i]]
        seat = seats[i]
        mask[i] = 0
        obs[i] = 0
        if s.current_player == seat or s.current_player == SIMULTANEOUS:
            action_mask(o, s, seat, mask[i])
        observe(o, s, seat, obs[i])


def mask_range(lo: int, hi: int, options: Any, states: Any, rows: Any, seats: Any, mask: Any, obs: Any) -> None:
    """`view_range` without the observation: for measuring shares."""
    o = options[0]
    for i in range(lo, hi):
        s = states[rows[i]]
        seat = seats[i]
        mask[i] = 0
        if s.current_player == seat or s.current_player == SIMULTANEOUS:
            action_mask(o, s, seat, mask[i])


def weights_range(lo: int, hi: int, options: Any, states: Any, weights: Any) -> int:
    """The weights of the outcomes of the chance point in record `lo`; returns how many there are."""
    o = options[0]
    s = states[lo]
    n = num_outcomes(o, s)
    for k in range(min(n, len(weights))):
        weights[k] = outcome_weight(o, s, k)
    return n


def evaluate_range(lo: int, hi: int, options: Any, states: Any, rows: Any, seats: Any, values: Any) -> None:
    """`values[i]`: the game's evaluation of record `rows[i]` for seat `seats[i]`."""
    o = options[0]
    for i in range(lo, hi):
        values[i] = evaluate(o, states[rows[i]], seats[i])


def resample_range(lo: int, hi: int, options: Any, states: Any, seats: Any, streams: Any) -> None:
    """Redraw what seat `seats[i]` can't know in record i, from `streams` [n, 4] uint32."""
    o = options[0]
    for i in range(lo, hi):
        resample_hidden(o, states[i], seats[i], streams[i])


def key_range(lo: int, hi: int, options: Any, states: Any, keys: Any, lengths: Any) -> None:
    """`keys` [n, bytes] uint8 and how many of them count: `lengths` [n]."""
    o = options[0]
    for i in range(lo, hi):
        keys[i] = 0
        lengths[i] = key(o, states[i], keys[i])


def playout_range(
    lo: int, hi: int, options: Any, states: Any, settings: Any, streams: Any, mask: Any, joint: Any, limit: int
) -> int:  # fmt: skip
    """Uniform random play from every record to its end, or `limit` decisions; returns the decisions taken.

    Choices and chance are drawn from `streams` [n, 4], never from the record's generator (C-14); `mask` [n, A] and
    `joint` [n, P] int32 are scratch. In a row where nothing is legal it stops and returns -1 less the row.
    """
    o = options[0]
    taken = 0
    for i in range(lo, hi):
        s = states[i]
        stream = streams[i]
        left = limit
        while s.current_player != TERMINAL and left > 0:
            if s.current_player == CHANCE:
                apply_chance(o, s, draw_outcome(o, s, stream))
                continue
            if not choose(o, s, i, stream, mask, joint):
                return -1 - i
            s.plies += 1
            taken += 1
            left -= 1
        if s.current_player == TERMINAL:
            settle(o, s, settings[PAYOFF])
    return taken


def choose_turn(o: Any, s: Any, i: int, stream: Any, mask: Any, joint: Any) -> bool:
    """A random decision of the seat to act, carried out; False if it has none."""
    mask[i] = 0
    action_mask(o, s, s.current_player, mask[i])
    action = pick(mask[i], stream)
    if action < 0:
        return False
    apply(o, s, action)
    return True


def choose_tick(o: Any, s: Any, i: int, stream: Any, mask: Any, joint: Any) -> bool:
    """A random action of every seat, carried out; False if one has none."""
    for seat in range(o.players):
        mask[i] = 0
        action_mask(o, s, seat, mask[i])
        joint[i, seat] = pick(mask[i], stream)
        if joint[i, seat] < 0:
            return False
    apply_joint(o, s, joint[i])
    return True


def uniform_range(lo: int, hi: int, streams: Any, mask: Any, actions: Any) -> None:
    """Uniform random actions: row i draws from `streams[i]` [4] a nonzero cell of `mask[i]` [A], else SKIP."""
    for i in range(lo, hi):
        actions[i] = pick(mask[i], streams[i])


_PARTS = (draw_outcome, settle, advance, report, concede, blank, is_empty)
_PART_NAMES = ("offender", "decide", "stuck", "write", "choose")
_TURN_PARTS = dict(zip(_PART_NAMES, (offender_turn, decide_turn, stuck_turn, write_turn, choose_turn), strict=True))
_TICK_PARTS = dict(zip(_PART_NAMES, (offender_tick, decide_tick, stuck_tick, write_tick, choose_tick), strict=True))
_ENTRIES = (
    *(step_range, check_range, view_range, mask_range),
    *(weights_range, evaluate_range, resample_range, key_range, playout_range),
)


class Kernels:
    """The compiled loops of one game: an attribute an entry kernel, compiled when first called."""

    def __init__(self, game: Game) -> None:
        self.simultaneous = hasattr(game, "apply_joint")
        self.rules = _rules_of(game)
        names: dict[str, Any] = _CONSTANTS | self.rules
        parts: dict[str, Any] = {part.__name__: part for part in _PARTS}
        parts |= _TICK_PARTS if self.simultaneous else _TURN_PARTS
        for name in _in_order_of_use(parts):
            names[name] = instantiate(parts[name], names, f"{game.ID}_{name}", entry=False, inline=True)
        for entry in _ENTRIES:
            setattr(self, entry.__name__, instantiate(entry, names, f"{game.ID}_{entry.__name__}", entry=True))

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...


def _rules_of(game: Game) -> dict[str, Any]:
    decision = "apply_joint" if hasattr(game, "apply_joint") else "apply"
    return {name: getattr(game, name) for name in (*_RULES, decision)}


def _in_order_of_use(parts: dict[str, Any]) -> list[str]:
    """Callees before callers, as a compiled function must find its callees made."""
    order: list[str] = []

    def visit(name: str) -> None:
        if name not in order:
            for used in parts[name].__code__.co_names:
                if used in parts:
                    visit(used)
            order.append(name)

    for name in parts:
        visit(name)
    return order


_made: dict[str, Kernels] = {}


def kernels_of(game: Game) -> Kernels:
    """The kernels of a game module, made once a process, and again if its rules are others (a module reloaded)."""
    made = _made.get(game.__name__)
    if made is None or made.rules != _rules_of(game):
        made = _made[game.__name__] = Kernels(game)
    return made


@functools.cache
def uniform_kernel() -> Any:
    """The compiled `uniform_range`, which needs no game."""
    return instantiate(uniform_range, {"pick": pick}, "uniform_range", entry=True)


def kernel_name(kernel: Any) -> str:
    """The name under which a kernel is cached; it holds the fingerprint of all it reaches."""
    return str(kernel.__qualname__) if BACKEND == "plain" else str(kernel.py_func.__qualname__)


NO_ROWS = np.zeros(0, np.int32)
