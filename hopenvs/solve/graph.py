"""All positions of a game, found breadth first from its start, and what leads from each to which.

The game that a graph holds is the one *without its cap of turns* (C-8): a position is what `Game.key` says that it is,
and no key counts turns. Play may then go on for ever, which pays nothing.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from hopenvs.core import jit, plain
from hopenvs.core.errors import OptionError
from hopenvs.core.options import changed_options, options_record
from hopenvs.core.state import CHANCE
from hopenvs.core.walk import Walk
from hopenvs.solve.graph_kernel import BYTES, EDGES, LENGTH, NODES, NOWHERE, NUM_COUNTS, graph_kernels

if TYPE_CHECKING:
    from hopenvs.core.game import Game

# Nodes looked at between two reports of progress.
CHUNK = 20_000
# Room that a graph begins with; it doubles when used up.
ROOM = 4_096
# More nodes than this are refused: a node takes some 800 bytes.
MOST = 4_000_000

NO_CAP = 2**31 - 1


class Graph:
    """The nodes that play can reach: positions in which somebody decides, chance points, and ends.

    Nodes are told apart by the exact bytes of their keys, and numbered breadth first; node 0 is the start. In their
    records neither turns nor decisions are counted. `find_positions` makes one.

    Attributes:
        game: the game module.
        options: its compiled options, the cap of turns among them as given.
        states: [N] a record of each node, the first that was found.
        kinds: [N] int8, the seat that decides there, or CHANCE or TERMINAL.
        rewards: [N] float64, what an end pays seat 0 (seat 1 gets the opposite); 0 elsewhere.
        first_edge: [N + 1] int64, the edges of node i are those from first_edge[i] up to first_edge[i + 1].
        successors: [E] int32, the node that an edge leads to.
        actions: [E] int16, the action or outcome of an edge; those of a node ascend.
        weights: [E] int32, the weight of an outcome; 1 for an action.
    """

    def __init__(self, game: Game, options: Any) -> None:
        self.game = game
        self.options = options
        self._kernels = graph_kernels(game)
        self._options = options_record(uncapped(options))
        walk = Walk(game, options)
        walk.start(0)
        start = walk.states.copy()
        start["rng"], start["turn"], start["plies"] = 0, 0, 0
        self.states = _longer(start, ROOM)
        self.kinds = np.zeros(ROOM, np.int8)
        self.rewards = np.zeros(ROOM, np.float64)
        self.first_edge = np.zeros(ROOM + 1, np.int64)
        self.successors = np.zeros(ROOM, np.int32)
        self.actions = np.zeros(ROOM, np.int16)
        self.weights = np.zeros(ROOM, np.int32)
        self._cells = np.zeros(self.states.dtype.itemsize * 2 + 64, np.uint8)  # as long as Batch.keys allows
        self._mask = np.zeros(game.spec(options).num_actions, np.int8)
        self._scratch = start.copy()
        self._counts = np.zeros(NUM_COUNTS, np.int64)
        (key,) = walk.batch.keys()
        self._first_byte = np.zeros(ROOM + 1, np.int64)
        self._first_byte[1] = len(key)
        self._key_bytes = np.zeros(ROOM * len(self._cells), np.uint8)
        self._key_bytes[: len(key)] = np.frombuffer(key, np.uint8)
        self._counts[[NODES, BYTES]] = 1, len(key)
        self._slots = np.zeros(0, np.int32)
        self._arguments: tuple[Any, ...] = ()  # of `expand_range`: they take long to wrap in plain Python
        self._enter_all()

    # ---- what it holds ----------------------------------------------------------------------------------------------
    @property
    def num_nodes(self) -> int:
        """N."""
        return len(self.kinds)

    @property
    def num_positions(self) -> int:
        """How many nodes are positions in which a seat decides."""
        return int((self.kinds >= 0).sum())

    @property
    def num_chance_points(self) -> int:
        """How many nodes are chance points."""
        return int((self.kinds == CHANCE).sum())

    @functools.cached_property
    def sources(self) -> np.ndarray:
        """[E] int32: the node that an edge comes from."""
        return np.repeat(np.arange(self.num_nodes, dtype=np.int32), np.diff(self.first_edge))

    def share(self, amounts: np.ndarray) -> np.ndarray:
        """[E] float64: the share that each edge has of the `amounts` [E] of its node's edges."""
        totals = np.bincount(self.sources, amounts, self.num_nodes)
        return amounts / totals[self.sources]

    def find(self, states: np.ndarray) -> np.ndarray:
        """[n] int32: the nodes of records [n].

        Raises:
            ValueError: for a record that play from the start doesn't lead to.
        """
        nodes = np.zeros(len(states), np.int32)
        arrays = (self._options, states, self._first_byte, self._key_bytes, self._slots, self._counts, self._cells)
        self._forget_key()
        self._kernels.find_range(0, len(states), *_as_arguments(*arrays, nodes))
        if (nodes == NOWHERE).any():
            raise ValueError(f"record {int(np.argmax(nodes == NOWHERE))}: play from the start doesn't lead there")
        return nodes

    # ---- finding it -------------------------------------------------------------------------------------------------
    def _expand(self, lo: int, hi: int) -> int:
        """Look at nodes lo .. hi; the first that there was no room for, or hi."""
        if not self._arguments:
            self._arguments = _as_arguments(
                *(self._options, self.states, self.kinds, self.rewards, self.first_edge, self._first_byte),
                *(self.successors, self.actions, self.weights, self._key_bytes, self._slots, self._counts),
                *(self._mask, self._scratch, self._cells),
            )
        self._forget_key()
        return int(self._kernels.expand_range(lo, hi, *self._arguments))

    def _grow(self) -> None:
        """Double what is more than half used up, or everything if nothing is."""
        self._arguments = ()
        used = {NODES: len(self.states), EDGES: len(self.successors), BYTES: len(self._key_bytes)}
        full = [what for what, room in used.items() if 2 * self._counts[what] > room] or list(used)
        if NODES in full:
            for name in ("states", "kinds", "rewards"):
                setattr(self, name, _longer(getattr(self, name), 2 * used[NODES]))
            for name in ("first_edge", "_first_byte"):
                setattr(self, name, _longer(getattr(self, name), 2 * used[NODES] + 1))
            self._enter_all()
        if EDGES in full:
            for name in ("successors", "actions", "weights"):
                setattr(self, name, _longer(getattr(self, name), 2 * used[EDGES]))
        if BYTES in full:
            self._key_bytes = _longer(self._key_bytes, 2 * used[BYTES])

    def _enter_all(self) -> None:
        """Make the table of slots anew, at most half full."""
        self._slots = np.full(1 << (2 * len(self.states) - 1).bit_length(), NOWHERE, np.int32)
        arrays = _as_arguments(self._first_byte, self._key_bytes, self._slots, self._counts, self._cells)
        self._forget_key()
        self._kernels.enter_range(0, int(self._counts[NODES]), *arrays)

    def _trim(self) -> None:
        """Let go of the room that is not used."""
        self._arguments = ()
        nodes, edges = int(self._counts[NODES]), int(self._counts[EDGES])
        for name, length in (("states", nodes), ("kinds", nodes), ("rewards", nodes), ("first_edge", nodes + 1),
                             ("_first_byte", nodes + 1), ("_key_bytes", int(self._counts[BYTES])),
                             ("successors", edges), ("actions", edges), ("weights", edges)):  # fmt: skip
            setattr(self, name, getattr(self, name)[:length].copy())

    def _forget_key(self) -> None:
        """Whatever the cells for a key hold is wiped before the next one is written."""
        self._counts[LENGTH] = len(self._cells)


def find_positions(game: Game, options: Any, *, most: int = MOST, tell: Callable[[str], Any] | None = None) -> Graph:
    """The graph of a game of two players who take turns and see everything.

    Args:
        game: the game module.
        options: its compiled options. The cap of turns among them isn't played by (see above).
        most: refuse a game with more nodes.
        tell: is told now and then, in words, how far it is.

    Raises:
        OptionError: for another game, or one with too many positions.
    """
    check_solvable(game, options)
    graph = Graph(game, options)
    done = 0
    while done < graph._counts[NODES]:
        end = min(done + CHUNK, int(graph._counts[NODES]))
        reached = graph._expand(done, end)
        if graph._counts[NODES] > most:
            raise OptionError(
                f"{described(game, options)}: more than {most} positions and chance points: expected at most "
                f"so many; smaller options have fewer (hopenvs/solve/README.md)"
            )
        if reached < end:
            graph._grow()
        done = reached
        if tell is not None:
            tell(f"{graph._counts[NODES]:,} positions found")
    graph._trim()
    return graph


def check_solvable(game: Game, options: Any) -> None:
    """OptionError, in words, if a game is none of two players in turns who see everything."""
    spec = game.spec(options)
    expected = "only games of two players who take turns and see everything are solved"
    if spec.num_players != 2:
        raise OptionError(f"{game.ID} has {spec.num_players} players: {expected}")
    if spec.simultaneous:
        raise OptionError(f"{game.ID}: all act at once: {expected}")
    if not spec.perfect_information:
        raise OptionError(f"{game.ID}: seats can't know everything: {expected}")


def described(game: Game, options: Any) -> str:
    """The game and its options that aren't the usual ones, in words."""
    changed = changed_options(game, options)
    return " ".join([game.ID, *(f"{name}={value}" for name, value in changed.items())])


def uncapped(options: Any) -> Any:
    """The options without a cap of turns, if they have one."""
    return options._replace(max_turns=NO_CAP) if "max_turns" in options._fields else options


def _as_arguments(*arrays: np.ndarray) -> tuple[Any, ...]:
    """Arrays as kernels take them."""
    return tuple(map(plain.wrap, arrays)) if jit.BACKEND == "plain" else arrays


def _longer(array: np.ndarray, length: int) -> np.ndarray:
    """The array with blank rows up to `length`."""
    grown = np.zeros(length, array.dtype)
    grown.view(np.uint8)[: array.nbytes] = array.view(np.uint8)
    return grown
