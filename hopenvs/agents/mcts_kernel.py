"""The compiled loop of Monte-Carlo tree search: a template as in ``core/kernels.py``, filled in with one game's rules.

One tree a decision, grown by simulations. Each begins in a world that fits what the searching seat knows, descends by
UCB1 (Auer, Cesa-Bianchi and Fischer, 2002; as UCT: Kocsis and Szepesvari, 2006) to the first new node, plays on at
random and adds what every seat got to the choices on its way: every seat wants the most for itself (max^n).

* Chance points are nodes: outcomes are drawn by weight and lead to nodes of their own. Of a point with more than
  EXPLICIT outcomes they share one, as a node visited once teaches nothing.
* Hidden things: every simulation has its own world, and all share one tree, in which a choice counts how often it was
  there to be made; that stands for the node's visits in UCB1 (single-observer ISMCTS: Cowling, Powley and Whitehouse,
  2012, with moves that everybody sees). What others do in secret is told apart all the same: further down the tree the
  seat decides as if it had seen it. At the root it knows no more than it may.
* Ticks: every seat chooses for itself (decoupled UCT); the joint choice leads to the next node.

Letters of shapes: n decisions, P seats, A actions, N nodes, E edges, T choices on one way down.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from hopenvs.agents.greedy_kernel import draw
from hopenvs.agents.kernel_player import fill_in
from hopenvs.core import kernels

if TYPE_CHECKING:
    from hopenvs.core.game import Game

# Cells of `settings`.
PAYOFF, SIMULATIONS, CUT, NUM_SETTINGS = 0, 1, 2, 3

# Cells of `weights`.
EXPLORATION, LEAD, NUM_WEIGHTS = 0, 1, 2

# Columns of `nodes` and `edges`, of `totals` and `values`.
FIRST, NODE_COLUMNS = 0, 1  # a node's newest edge, or NONE
LABEL, NEXT, CHILD, VISITS, OPEN, EDGE_COLUMNS = 0, 1, 2, 3, 4, 5
# LABEL: what the edge stands for: seat * A + action, beyond those a joint choice, -2 - k an outcome; NEXT: the node's
# edge before; CHILD: where it leads; VISITS: how often it was taken; OPEN: how often it could have been.
PAID, LED, TOTAL_COLUMNS = 0, 1, 2
# PAID: what the ends of games paid; LED: by how much evaluations of positions short of the end exceed the root's.

NONE = -1
EXPLICIT = 36  # outcomes of a chance point that get nodes of their own: two dice

_CONSTANTS = {
    **dict(PAYOFF=PAYOFF, SIMULATIONS=SIMULATIONS, CUT=CUT, EXPLORATION=EXPLORATION, LEAD=LEAD, FIRST=FIRST),
    **dict(LABEL=LABEL, NEXT=NEXT, CHILD=CHILD, VISITS=VISITS, OPEN=OPEN, NONE=NONE, EXPLICIT=EXPLICIT),
    **dict(PAID=PAID, LED=LED),
    **dict(log=math.log, sqrt=math.sqrt),
}


# mypy: disable-error-code="name-defined"
# ruff: noqa: F821


def mcts_range(
    lo: int, hi: int, options: Any, states: Any, seats: Any, streams: Any, settings: Any, weights: Any,
    scratch: Any, nodes: Any, edges: Any, totals: Any, path: Any, base: Any, values: Any, mask: Any, slots: Any,
    joint: Any, visits: Any, means: Any,
) -> None:  # fmt: skip
    """`visits[i]` and `means[i]` [A]: how often each action of seat `seats[i]` was tried in record `states[i]`.

    And what it got on average (0 if it never was). What is drawn comes from `streams[i]` [4]. `weights` [2]: of what is
    uncertain in UCB1, and of evaluations. Scratch: `scratch` [1] records, `nodes` [N, 1] and `edges` [E, 5] int64,
    `totals` [E, 2] float64, `path` [T] int64 edges, `base` [P] and `values` [P, 2] float64, `mask` [1, A] int8, `slots`
    [A] int64 (all NONE, and left so), `joint` [1, P] int32.
    """
    o = options[0]
    s = scratch[0]
    for i in range(lo, hi):
        seat = seats[i]
        stream = streams[i]
        nodes[0, FIRST] = NONE
        used_nodes = 1
        used_edges = 0  # each simulation adds a node, and at most an edge for every seat and one for a joint choice
        squares = 0.0  # of all leads, and how many there were
        leads = 0
        for _ in range(settings[SIMULATIONS]):
            scratch[0] = states[i]
            resample_hidden(o, s, seat, stream)
            if settings[CUT] >= 0:
                for other in range(o.players):
                    base[other] = evaluate(o, s, other)
            worth = worth_of_lead(weights, squares, leads)
            node = 0
            taken = 0
            grown = False
            while not grown and s.current_player != TERMINAL:
                if s.current_player == CHANCE:
                    edge, used_edges = happen(o, s, node, stream, nodes, edges, totals, used_edges)
                else:
                    edge, used_edges, taken = act(
                        o, s, node, stream, nodes, edges, totals, used_edges, path, taken, mask, slots, joint,
                        weights[EXPLORATION], worth,
                    )  # fmt: skip
                if edges[edge, CHILD] == NONE:
                    nodes[used_nodes, FIRST] = NONE
                    edges[edge, CHILD] = used_nodes
                    used_nodes += 1
                    grown = True
                node = edges[edge, CHILD]
            play_on(o, s, stream, settings, base, values, mask, joint)
            if s.current_player != TERMINAL:
                for other in range(o.players):
                    squares += values[other, LED] * values[other, LED]
                    leads += 1
            for step in range(taken):
                edge = path[step]
                who = edges[edge, LABEL] // len(slots)
                edges[edge, VISITS] += 1
                totals[edge, PAID] += values[who, PAID]
                totals[edge, LED] += values[who, LED]
        tell(nodes, edges, totals, seat, worth_of_lead(weights, squares, leads), visits[i], means[i])


def worth_of_lead(weights: Any, squares: float, leads: int) -> float:
    """What a lead of 1 counts beside a reward of 1, after so many leads with this sum of squares."""
    return weights[LEAD] / sqrt(squares / leads) if squares > 0.0 else 0.0


# ---- the tree -------------------------------------------------------------------------------------------------------
def find(nodes: Any, edges: Any, totals: Any, used: int, node: int, label: int) -> tuple[int, int]:
    """The edge of a node with a label, made if there is none; and how many edges there are then."""
    edge = nodes[node, FIRST]
    while edge != NONE and edges[edge, LABEL] != label:
        edge = edges[edge, NEXT]
    if edge != NONE:
        return edge, used
    edges[used, LABEL] = label
    edges[used, NEXT] = nodes[node, FIRST]
    edges[used, CHILD] = NONE
    edges[used, VISITS] = 0
    edges[used, OPEN] = 0
    totals[used, PAID] = 0.0
    totals[used, LED] = 0.0
    nodes[node, FIRST] = used
    return used, used + 1


def happen(
    o: Any, s: Any, node: int, stream: Any, nodes: Any, edges: Any, totals: Any, used: int
) -> tuple[int, int]:  # fmt: skip
    """An outcome of the chance point, drawn by weight and carried out: its edge."""
    count = num_outcomes(o, s)
    weights = 0
    for k in range(count):
        weights += outcome_weight(o, s, k)
    k = draw(o, s, weights, stream)
    apply_chance(o, s, k)
    return find(nodes, edges, totals, used, node, -2 - k if count <= EXPLICIT else -2)


def select(
    o: Any, s: Any, seat: int, node: int, stream: Any, nodes: Any, edges: Any, totals: Any, used: int, mask: Any,
    slots: Any, exploration: float, worth: float,
) -> tuple[int, int]:  # fmt: skip
    """The edge of a seat's next choice: one that was never made here, any as likely, else the largest UCB1."""
    actions = len(slots)
    mask[0] = 0
    action_mask(o, s, seat, mask[0])
    edge = nodes[node, FIRST]
    while edge != NONE:
        a = edges[edge, LABEL] - seat * actions
        if 0 <= a < actions and mask[0, a] != 0:
            slots[a] = edge
        edge = edges[edge, NEXT]
    untried = 0
    for a in range(actions):
        if mask[0, a] != 0 and slots[a] == NONE:
            untried += 1
    left = below(stream, untried) if untried > 0 else -1
    chosen = NONE
    highest = 0.0
    for a in range(actions):
        if mask[0, a] == 0:
            continue
        edge = slots[a]
        slots[a] = NONE
        if edge == NONE:
            if left == 0:
                edge, used = find(nodes, edges, totals, used, node, seat * actions + a)
                edges[edge, OPEN] = 1
                chosen = edge
            left -= 1
            continue
        edges[edge, OPEN] += 1
        if untried == 0:
            tried = edges[edge, VISITS]
            mean = (totals[edge, PAID] + worth * totals[edge, LED]) / tried
            bound = mean + exploration * sqrt(log(edges[edge, OPEN]) / tried)
            if chosen == NONE or bound > highest:
                chosen = edge
                highest = bound
    return chosen, used


def tell(nodes: Any, edges: Any, totals: Any, seat: int, worth: float, visits: Any, means: Any) -> None:
    """What is known of the root's actions: `visits` and `means` [A]."""
    for a in range(len(visits)):
        visits[a] = 0
        means[a] = 0.0
    edge = nodes[0, FIRST]
    while edge != NONE:
        a = edges[edge, LABEL] - seat * len(visits)
        if 0 <= a < len(visits) and edges[edge, VISITS] > 0:
            visits[a] = edges[edge, VISITS]
            means[a] = (totals[edge, PAID] + worth * totals[edge, LED]) / edges[edge, VISITS]
        edge = edges[edge, NEXT]


# ---- beyond the tree ------------------------------------------------------------------------------------------------
def play_on(o: Any, s: Any, stream: Any, settings: Any, base: Any, values: Any, mask: Any, joint: Any) -> None:
    """Random play to the end, or for settings[CUT] decisions: `values` [P, 2] is what every seat comes to.

    At the end that is what it is paid, before by how much its evaluation exceeds the root's, `base` [P].
    """
    left = settings[CUT]
    while s.current_player != TERMINAL:
        if s.current_player == CHANCE:
            weights = 0
            for k in range(num_outcomes(o, s)):
                weights += outcome_weight(o, s, k)
            apply_chance(o, s, draw(o, s, weights, stream))
            continue
        if left == 0 or not move_at_random(o, s, 0, stream, mask, joint):
            break
        left -= 1
    if s.current_player == TERMINAL:
        settle(o, s, settings[PAYOFF])
        for seat in range(o.players):
            values[seat, PAID] = s.rewards[seat]
            values[seat, LED] = 0.0
    else:
        for seat in range(o.players):
            values[seat, PAID] = 0.0
            values[seat, LED] = evaluate(o, s, seat) - base[seat]


# ---- turn games -----------------------------------------------------------------------------------------------------
def act_turn(
    o: Any, s: Any, node: int, stream: Any, nodes: Any, edges: Any, totals: Any, used: int, path: Any, taken: int,
    mask: Any, slots: Any, joint: Any, exploration: float, worth: float,
) -> tuple[int, int, int]:  # fmt: skip
    """The seat's choice, carried out: its edge, how many edges there are, how many choices have been made."""
    seat = s.current_player
    edge, used = select(o, s, seat, node, stream, nodes, edges, totals, used, mask, slots, exploration, worth)
    path[taken] = edge
    apply(o, s, edges[edge, LABEL] - seat * len(slots))
    return edge, used, taken + 1


# ---- simultaneous games ---------------------------------------------------------------------------------------------
def act_tick(
    o: Any, s: Any, node: int, stream: Any, nodes: Any, edges: Any, totals: Any, used: int, path: Any, taken: int,
    mask: Any, slots: Any, joint: Any, exploration: float, worth: float,
) -> tuple[int, int, int]:  # fmt: skip
    """Every seat's choice, carried out: the joint choice's edge, which is labelled beyond those of single seats."""
    actions = len(slots)
    label = o.players * actions
    scale = 1
    for seat in range(o.players):
        edge, used = select(o, s, seat, node, stream, nodes, edges, totals, used, mask, slots, exploration, worth)
        path[taken] = edge
        taken += 1
        a = edges[edge, LABEL] - seat * actions
        joint[0, seat] = a
        label += scale * a
        scale *= actions
    apply_joint(o, s, joint[0])
    edge, used = find(nodes, edges, totals, used, node, label)
    return edge, used, taken


_PARTS = {
    **{part.__name__: part for part in (kernels.settle, draw)},
    **dict(move_at_random=(kernels.choose_turn, kernels.choose_tick)),
    **{part.__name__: part for part in (worth_of_lead, find, happen, select, tell, play_on)},
    **dict(act=(act_turn, act_tick)),
}


def mcts_kernel(game: Game) -> Any:
    """The kernel of a game module (`kernel_player.fill_in`)."""
    return fill_in(game, "mcts", mcts_range, _CONSTANTS, _PARTS)
