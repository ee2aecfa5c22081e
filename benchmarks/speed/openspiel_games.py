"""OpenSpiel's games: one state at a time through Python, and whole games in C++."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable
from typing import Any

from speed.contest import Contestant, cpu_rate

CELLS = {"hanabi": 20 + 658, "backgammon": 1352 + 200, "chinese_checkers": 727 + 365}  # of actions and observation
LIKE_OURS = tuple(CELLS)  # of like weight as the games here
GAMES = (*LIKE_OURS, "connect_four")
DECISIONS = 32  # between two looks at the clock


def one_state(game: Any, *, tensors: bool) -> Callable[[], int]:
    """Random play by legal actions, a choice and `apply_action`, the next game after the end; how many decisions.

    Args:
        game: OpenSpiel's.
        tensors: the observation tensor of the player to move is written for every decision, the quicker of OpenSpiel's
            two ways: `Observation.set_from` into one NumPy array.
    """
    from open_spiel.python.observation import make_observation

    observation = make_observation(game) if tensors else None
    chooser = random.Random(0)
    state, moves = game.new_initial_state(), 0

    def settle() -> None:
        """The next game if this one is over, and chance until a decision is due."""
        nonlocal state, moves
        while True:
            if state.is_terminal():
                assert len(state.full_history()) == moves
                state, moves = game.new_initial_state(), 0
            if not state.is_chance_node():
                return
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(chooser.choices(outcomes, weights)[0])
            moves += 1

    def look(player: int) -> int:
        if observation is not None:
            observation.set_from(state, player)
        legal = state.legal_actions(player)
        return legal[chooser.randrange(len(legal))]

    def play() -> int:
        nonlocal moves
        taken = 0
        while taken < DECISIONS:
            settle()
            if state.is_simultaneous_node():
                chosen = [look(player) for player in range(game.num_players())]
                state.apply_actions(chosen)
                moves += len(chosen)
                taken += len(chosen)
            else:
                state.apply_action(look(state.current_player()))
                moves += 1
                taken += 1
        assert observation is None or observation.tensor.any()
        return taken

    return play


def states_of(names: tuple[str, ...], *, tensors: bool) -> dict[str, Contestant]:
    """Decisions a second of CPU time of each game."""
    import pyspiel

    games = {name: pyspiel.load_game(name) for name in names}
    for name, cells in CELLS.items():
        if name in games:
            assert games[name].num_distinct_actions() + games[name].observation_tensor_size() == cells, name
    return {f"OpenSpiel {name}": cpu_rate(one_state(game, tensors=tensors)) for name, game in games.items()}


def nearest(cells: int) -> str:
    """Which of the games is most like one with so many cells of mask and observation, by the ratio of the two."""
    return min(CELLS, key=lambda name: abs(math.log(CELLS[name] / cells)))


def games_in_cpp(name: str) -> Contestant:
    """Decisions a second of CPU time of whole random games, played by OpenSpiel's own uniform players in C++."""
    import pyspiel

    game = pyspiel.load_game(name)
    players = [pyspiel.make_uniform_random_bot(player, player) for player in range(game.num_players())]
    seed = 0

    def measure(seconds: float) -> float:
        nonlocal seed
        taken, spent, until = 0, 0.0, time.perf_counter() + seconds
        while time.perf_counter() < until:
            state = game.new_initial_state()
            began = time.process_time()
            pyspiel.evaluate_bots(state, players, seed)
            spent += time.process_time() - began
            assert state.is_terminal()
            taken += sum(move.player >= 0 for move in state.full_history())  # the others are chance
            seed += 1
        assert taken > 0
        return taken / spent

    return measure
