"""Games with one fault each in their rules, found through the faces. Run in plain Python: a copy needs no compiling.

    python -m tests.mutants.games

prints, as JSON, what the suite says of each: null if it finds nothing.
"""

from __future__ import annotations

import json
import random
import sys
import types
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

import hopenvs
from hopenvs import testing
from hopenvs.core.state import CHANCE
from hopenvs.games import igel_aergern
from hopenvs.games.igel_aergern import rules
from hopenvs.testing import ConformanceError
from tests.games_for_tests import card_game, tick_game
from tests.mutants.mutant import SHORT
from tests.relabelled import relabelled

IGEL = igel_aergern
FAULTS: dict[str, tuple[Any, tuple[int, ...], tuple[str, ...], Callable[[], dict[str, Any]]]] = {}


def fault(of: Any, *kinds: int, checks: tuple[str, ...] = ()) -> Callable[[Callable[[], dict[str, Any]]], None]:
    """A function that gives the members to replace in the game `of`; its name says what is wrong."""

    def note(members: Callable[[], dict[str, Any]]) -> None:
        FAULTS[members.__name__] = (of, kinds, checks, members)

    return note


# ---- endings --------------------------------------------------------------------------------------------------------
@fault(IGEL, 14)
def the_cap_is_ignored():
    def going_on(name):
        rule = getattr(IGEL, name)

        def wrapped(o, s, choice):
            rule(o, s, choice)
            if s.truncated:
                s.truncated = 0
                s.mover = (s.mover + 1) % o.players
                s.phase = rules.ROLL
                s.current_player = CHANCE

        return wrapped

    return {"apply": going_on("apply"), "apply_chance": going_on("apply_chance")}


@fault(IGEL, 7, 12)
def the_cap_ends_the_game_without_a_flag():
    def apply(o, s, action):
        IGEL.apply(o, s, action)
        s.truncated = 0

    return {"apply": apply}


@fault(IGEL, checks=("check_promises_of_the_game",))
def ranks_skip_nobody():
    def result(o, s, scores, ranks, winners):
        IGEL.result(o, s, scores, ranks, winners)
        for seat in range(o.players):
            ranks[seat] = 1 + seat

    return {"result": result}


@fault(IGEL, 15)
def everybody_wins():
    def result(o, s, scores, ranks, winners):
        IGEL.result(o, s, scores, ranks, winners)
        for seat in range(o.players):
            winners[seat] = 2 * winners[seat]

    return {"result": result}


# ---- masks and names ------------------------------------------------------------------------------------------------
@fault(IGEL, 19)
def nothing_is_legal_when_one_action_is():
    def action_mask(o, s, seat, mask):
        IGEL.action_mask(o, s, seat, mask)
        if sum(mask) == 1:
            mask[mask.tolist().index(1)] = 0

    return {"action_mask": action_mask}


@fault(IGEL, 17, 45)
def the_mask_changes_from_look_to_look():
    looks = [0]

    def action_mask(o, s, seat, mask):
        IGEL.action_mask(o, s, seat, mask)
        looks[0] += 1
        if looks[0] % 50 == 0 and sum(mask) > 1:
            mask[mask.tolist().index(1)] = 0

    return {"action_mask": action_mask}


@fault(IGEL, 20)
def two_actions_have_one_name():
    return {"action_name": lambda o, a: IGEL.action_name(o, max(a, 1))}


@fault(IGEL, 20)
def names_are_read_as_the_next_action():
    return {"parse_action": lambda o, name: (IGEL.parse_action(o, name) + 1) % IGEL.spec(o).num_actions}


@fault(tick_game, checks=("check_ticks_are_blind",))
def the_mask_shows_what_others_chose():
    def action_mask(o, s, seat, mask):
        tick_game.action_mask(o, s, seat, mask)
        if seat > 0 and s.pending[seat - 1] > 0 and sum(mask) > 1:
            mask[s.pending[seat - 1]] = 0

    return {"action_mask": action_mask}


# ---- observations ---------------------------------------------------------------------------------------------------
@fault(IGEL, 32)
def all_pieces_look_like_ones_own():
    def observe(o, s, seat, obs):
        IGEL.observe(o, s, seat, obs)
        layout = IGEL.spec(o).layout
        part, shape = layout["pieces"]
        cells = np.frombuffer(obs, np.int8)
        pieces = cells[part].reshape(shape)
        pieces[0] = pieces.sum(0)
        pieces[1:] = 0
        levels = cells[layout["levels"][0]]
        levels[levels > 0] = 1
        cells[layout["free"][0]] = 0

    return {"observe": observe}


@fault(IGEL, checks=("check_seats_turn",))
def observations_are_not_turned():
    return {"observe": lambda o, s, seat, obs: IGEL.observe(o, s, 0, obs)}


@fault(IGEL, checks=("check_seats_turn",))
def whose_turn_it_is_is_not_turned():
    def observe(o, s, seat, obs):
        IGEL.observe(o, s, seat, obs)
        part, _ = IGEL.spec(o).layout["to_play"]
        for other in range(o.players):
            obs[part.start + other] = 1 if s.current_player == other else 0

    return {"observe": observe}


@fault(card_game, 33)
def the_next_hand_is_seen():
    def observe(o, s, seat, obs):
        card_game.observe(o, s, seat, obs)
        for card in range(3):
            obs[card] = s.hand[(seat + 1) % o.players, card]

    return {"observe": observe}


@fault(card_game, 33)
def one_hidden_card_is_seen_late_in_the_game():
    def observe(o, s, seat, obs):
        card_game.observe(o, s, seat, obs)
        if s.turn >= 2:
            obs[0] = min(2, s.hand[(seat + 1) % o.players, 0])

    return {"observe": observe}


@fault(card_game, 33)
def nothing_hidden_is_redrawn():
    return {"resample_hidden": lambda o, s, seat, rng: None}


@fault(tick_game, checks=("check_ticks_are_blind",))
def choices_of_others_are_seen():
    def observe(o, s, seat, obs):
        tick_game.observe(o, s, seat, obs)
        if any(s.pending[other] >= 0 for other in range(o.players)):
            obs[0] = 0 if obs[0] else 1

    return {"observe": observe}


@fault(IGEL, 34)
def the_die_is_out_of_bounds():
    def observe(o, s, seat, obs):
        IGEL.observe(o, s, seat, obs)
        part, _ = IGEL.spec(o).layout["die"]
        for cell in range(part.start, part.stop):
            obs[cell] *= s.die

    return {"observe": observe}


@fault(IGEL, checks=("check_observe_is_pure",))
def observing_counts_turns():
    def observe(o, s, seat, obs):
        s.turn += 1
        IGEL.observe(o, s, seat, obs)

    return {"observe": observe}


@fault(IGEL, 34, 37)
def the_key_forgets_the_die():
    def key(o, s, out):
        n = IGEL.key(o, s, out)
        out[2] = 0
        return n

    return {"key": key}


# ---- positions ------------------------------------------------------------------------------------------------------
@fault(IGEL, 17)
def positions_set_the_die_to_one():
    def from_position(o, position, s):
        IGEL.from_position(o, position, s)
        s.die = min(s.die, 1)

    return {"from_position": from_position}


@fault(IGEL, 37)
def positions_forget_counts():
    def from_position(o, position, s):
        IGEL.from_position(o, position, s)
        for column in range(len(s.in_column)):
            s.in_column[column] = 0

    return {"from_position": from_position}


# ---- chance ---------------------------------------------------------------------------------------------------------
@fault(IGEL, 46, 48)
def the_rules_roll_by_themselves():
    def apply_chance(o, s, k):
        IGEL.apply_chance(o, s, random.randrange(IGEL.num_outcomes(o, s)))

    return {"apply_chance": apply_chance}


@fault(IGEL, checks=("check_chance_can_be_decided",))
def the_rules_roll_with_the_games_generator():
    def apply_chance(o, s, k):
        IGEL.apply_chance(o, s, (k + s.rng[0]) % IGEL.num_outcomes(o, s))

    return {"apply_chance": apply_chance}


@fault(IGEL, 46)
def games_leave_something_behind():
    games = [0]

    def setup(o, s):
        IGEL.setup(o, s)
        games[0] += 1
        s.mover = s.current_player = (games[0] // 3) % o.players

    return {"setup": setup}


def wanted(kinds: tuple[int, ...], checks: tuple[str, ...]) -> list[str]:
    """The quick checks that must find a fault."""
    if checks:
        return list(checks)
    return [name for name, entry in testing.CHECKS.items() if set(entry.kinds) & set(kinds) and not entry.slow]


def first_failure(env_id: str, names: list[str]) -> str | None:
    """What the first of some checks that fails says."""
    makers: Mapping[str, Callable[..., Any]] = {
        "aec": lambda **keywords: hopenvs.make(env_id, "aec", **keywords),
        "parallel": lambda **keywords: hopenvs.make(env_id, "parallel", **keywords),
    }
    for name in names:
        try:
            if name == "check_seats_turn":
                testing.check_seats_turn(env_id, relabelled)
                continue
            entry = testing.CHECKS[name]
            for face in entry.faces:
                if face in makers:
                    entry.run(makers[face], games=1)
                elif face == "id":
                    entry.run(env_id, games=1)
        except (ConformanceError, AssertionError) as error:
            return str(error)
    return None


def main() -> dict[str, str | None]:
    """What the suite says of every fault, and of the games without any."""
    said = {}
    for name, (game, kinds, checks, members) in FAULTS.items():
        module = types.ModuleType(f"mutant_{name}")
        vars(module).update({k: v for k, v in vars(game).items() if not k.startswith("__")})
        vars(module).update(members())
        sys.modules[module.__name__] = module
        env_id = hopenvs.register(module, f"{name}-v0", **(SHORT if game is IGEL else {}))
        said[name] = first_failure(env_id, wanted(kinds, checks))
    for game in (IGEL, card_game, tick_game):
        env_id = hopenvs.register(game, f"sound_{game.ID}-v0", **(SHORT if game is IGEL else {}))
        names = sorted({c for _, kinds, checks, _ in FAULTS.values() for c in wanted(kinds, checks)})
        if game is not IGEL:
            names.remove("check_seats_turn")
        said[f"sound {game.ID}"] = first_failure(env_id, names)
    return said


if __name__ == "__main__":
    print(json.dumps(main()))
