"""The compiled loop that finds all positions of a game: a template as in ``core/kernels.py``.

Letters of shapes: n nodes that there is room for, e edges that there is room for, A actions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hopenvs.core import kernels, state
from hopenvs.core.jit import instantiate

if TYPE_CHECKING:
    from hopenvs.core.game import Game

# Cells of `counts`: how many nodes, edges and bytes of keys there are so far, and how long the last key was.
NODES, EDGES, BYTES, LENGTH, NUM_COUNTS = 0, 1, 2, 3, 4

# What `expand_range` and `find_range` say of a slot or a record that holds no node.
NOWHERE = -1

# The hash of a key is FNV-1a with 32 bits (G. Fowler, L. C. Noll, P. Vo: "The FNV Non-Cryptographic Hash Algorithm").
# It only says where to look first: keys are compared byte by byte.
FNV_START, FNV_PRIME, WORD = 2166136261, 16777619, 0xFFFFFFFF

_CONSTANTS = {
    **{name: getattr(state, name) for name in ("CHANCE", "TERMINAL", "NOT_TRUNCATED")},
    **dict(NODES=NODES, EDGES=EDGES, BYTES=BYTES, LENGTH=LENGTH, NOWHERE=NOWHERE),
    **dict(FNV_START=FNV_START, FNV_PRIME=FNV_PRIME, WORD=WORD),
    **{rule.__name__: rule for rule in (state.pay, state.give_up)},
}
_RULES = ("action_mask", "num_outcomes", "outcome_weight", "apply_chance", "apply", "result", "key")


# mypy: disable-error-code="name-defined"
# ruff: noqa: F821


def expand_range(
    lo: int, hi: int, options: Any, states: Any, kinds: Any, rewards: Any, first_edge: Any, first_byte: Any,
    successors: Any, actions: Any, weights: Any, key_bytes: Any, slots: Any, counts: Any, mask: Any, scratch: Any,
    cells: Any,
) -> int:  # fmt: skip
    """Find the successors of nodes lo .. hi; returns the first that wasn't looked at, as there was no room for more.

    A node is a position, a chance point or an end; equal keys are one node, new ones are put at the end of `states`
    [n], so that nodes are numbered breadth first. Turns and decisions are not counted: in all records they are 0.

    `kinds` [n] is whose decision a node is (or CHANCE or TERMINAL), `rewards` [n] what an end pays seat 0 (C-7, by
    wins). The edges of node i are first_edge[i] .. first_edge[i + 1], in the order of actions or outcomes:
    `successors`, `actions` (or outcomes) and `weights` [e]. Its key is key_bytes[first_byte[i] : first_byte[i + 1]].
    `slots` is a table of nodes by their hash, its length a power of two. `mask` [A], `scratch` [1] record and
    `cells` (bytes enough for any key, zero) are scratch.
    """
    o = options[0]
    for i in range(lo, hi):
        current = states[i].current_player
        kinds[i] = current
        choices = 0
        if current == CHANCE:
            choices = num_outcomes(o, states[i])
        elif current != TERMINAL:
            for a in range(len(mask)):
                mask[a] = 0
            action_mask(o, states[i], current, mask)
            choices = len(mask)
        if (
            counts[NODES] + choices > len(states)
            or counts[EDGES] + choices > len(successors)
            or counts[BYTES] + choices * len(cells) > len(key_bytes)
        ):
            return i
        for a in range(choices):
            weight = 1
            if current == CHANCE:
                weight = outcome_weight(o, states[i], a)
            elif mask[a] == 0:
                weight = 0
            if weight == 0:
                continue
            scratch[0] = states[i]
            if current == CHANCE:
                apply_chance(o, scratch[0], a)
            else:
                apply(o, scratch[0], a)
            scratch[0].turn = 0
            edge = counts[EDGES]
            successors[edge] = node_of(o, states, scratch, rewards, first_byte, key_bytes, slots, counts, cells)
            actions[edge] = a
            weights[edge] = weight
            counts[EDGES] = edge + 1
        first_edge[i + 1] = counts[EDGES]
    return hi


def node_of(
    o: Any, states: Any, scratch: Any, rewards: Any, first_byte: Any, key_bytes: Any, slots: Any, counts: Any,
    cells: Any,
) -> int:  # fmt: skip
    """The node of the record in `scratch`, a new one if its key is new."""
    write_key(o, scratch[0], cells, counts)
    slot = seek(cells, counts, first_byte, key_bytes, slots)
    if slots[slot] != NOWHERE:
        return slots[slot]
    node = counts[NODES]
    if scratch[0].current_player == TERMINAL:
        settle(o, scratch[0], 0)
        rewards[node] = scratch[0].rewards[0]
    states[node] = scratch[0]
    start = counts[BYTES]
    for k in range(counts[LENGTH]):
        key_bytes[start + k] = cells[k]
    counts[BYTES] = start + counts[LENGTH]
    first_byte[node + 1] = counts[BYTES]
    slots[slot] = node
    counts[NODES] = node + 1
    return node


def write_key(o: Any, s: Any, cells: Any, counts: Any) -> None:
    """The record's key in `cells`, its length in `counts`."""
    for k in range(counts[LENGTH]):
        cells[k] = 0
    counts[LENGTH] = key(o, s, cells)


def seek(cells: Any, counts: Any, first_byte: Any, key_bytes: Any, slots: Any) -> int:
    """The slot of the node whose key is in `cells`, or the free one where it belongs."""
    length = counts[LENGTH]
    code = FNV_START
    for k in range(length):
        code = ((code ^ cells[k]) * FNV_PRIME) & WORD
    slot = code & (len(slots) - 1)
    while slots[slot] != NOWHERE:
        start = first_byte[slots[slot]]
        same = first_byte[slots[slot] + 1] - start == length
        k = 0
        while same and k < length:
            same = key_bytes[start + k] == cells[k]
            k += 1
        if same:
            break
        slot = (slot + 1) & (len(slots) - 1)
    return slot


def enter_range(
    lo: int, hi: int, first_byte: Any, key_bytes: Any, slots: Any, counts: Any, cells: Any
) -> None:  # fmt: skip
    """Enter nodes lo .. hi into a larger table of `slots`."""
    for node in range(lo, hi):
        counts[LENGTH] = first_byte[node + 1] - first_byte[node]
        for k in range(counts[LENGTH]):
            cells[k] = key_bytes[first_byte[node] + k]
        slots[seek(cells, counts, first_byte, key_bytes, slots)] = node


def find_range(
    lo: int, hi: int, options: Any, states: Any, first_byte: Any, key_bytes: Any, slots: Any, counts: Any, cells: Any,
    nodes: Any,
) -> None:  # fmt: skip
    """`nodes[i]`: the node of record `states[i]`, NOWHERE if it is none."""
    o = options[0]
    for i in range(lo, hi):
        write_key(o, states[i], cells, counts)
        nodes[i] = slots[seek(cells, counts, first_byte, key_bytes, slots)]


class GraphKernels:
    """The compiled loops of one game: `expand_range`, `enter_range`, `find_range`."""

    def __init__(self, game: Game) -> None:
        names: dict[str, Any] = _CONSTANTS | {rule: getattr(game, rule) for rule in _RULES}
        for part in (kernels.settle, write_key, seek, node_of):  # callees before callers
            names[part.__name__] = instantiate(part, names, f"{game.ID}_solve_{part.__name__}", entry=False)
        self.expand_range = self._entry(expand_range, names, game)
        self.enter_range = self._entry(enter_range, names, game)
        self.find_range = self._entry(find_range, names, game)

    @staticmethod
    def _entry(template: Any, names: dict[str, Any], game: Game) -> Any:
        return instantiate(template, names, f"{game.ID}_solve_{template.__name__}", entry=True)


_made: dict[str, GraphKernels] = {}


def graph_kernels(game: Game) -> GraphKernels:
    """The kernels of a game module, made once a process and compiled when first called."""
    if game.__name__ not in _made:
        _made[game.__name__] = GraphKernels(game)
    return _made[game.__name__]
