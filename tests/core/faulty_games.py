"""The tiny games with one fault each, to see that `check_game` finds it. Run in plain Python.

Prints, as JSON, what the check says of each: null if it finds nothing.
"""

import json
import random
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from hopenvs.core import check, jit
from hopenvs.core.check import GameCheckError, check_game
from hopenvs.core.errors import PositionError
from hopenvs.core.game import Section
from hopenvs.core.state import CHANCE, SIMULTANEOUS, TERMINAL
from tests.games_for_tests import card_game, tick_game

Fault = tuple[Any, dict[str, Any], dict[str, Any]]

FAULTS: dict[str, Callable[[], Fault]] = {}


def fault(of: Any, **keywords: Any) -> Callable[[Callable[[], dict[str, Any]]], None]:
    """A function that gives the members to replace in `of`; its name says what is wrong. `keywords`: options."""

    def note(make: Callable[[], dict[str, Any]]) -> None:
        FAULTS[make.__name__] = lambda: (of, make(), keywords)

    return note


def variant(game: Any, name: str, members: dict[str, Any]) -> Any:
    """The game with some members replaced, as a module of its own; None: left out."""
    module = types.ModuleType(f"faulty_{name}")
    vars(module).update({key: value for key, value in vars(game).items() if not key.startswith("__")})
    for key, value in members.items():
        if value is None:
            delattr(module, key)
        else:
            setattr(module, key, value)
    return module


def spec_with(game: Any, **changes: Any) -> Callable[[Any], Any]:
    """The game's `spec` with some facts replaced."""
    import dataclasses

    return lambda o: dataclasses.replace(game.spec(o), **changes)


def sections_with(game: Any, change: Callable[[Section], Section]) -> Callable[[Any], Any]:
    """The game's `spec` with its sections changed."""
    import dataclasses

    return lambda o: dataclasses.replace(game.spec(o), sections=tuple(map(change, game.spec(o).sections)))


def after(function: Callable[..., Any], act: Callable[..., None]) -> Callable[..., Any]:
    """The function, and then `act` with the same arguments."""

    def both(*arguments: Any) -> Any:
        result = function(*arguments)
        act(*arguments)
        return result

    return both


# ---- what people read -----------------------------------------------------------------------------------------------
@fault(card_game)
def member_missing():
    return {"evaluate": None}


@fault(card_game)
def two_actions_share_a_name():
    return {"action_name": lambda o, a: card_game.NAMES[min(a, 4)]}


@fault(card_game)
def names_parse_as_other_actions():
    return {"parse_action": lambda o, name: (card_game.parse_action(o, name) + 1) % 6}


@fault(card_game)
def any_name_parses():
    return {"parse_action": lambda o, name: card_game.NAMES.index(name) if name in card_game.NAMES else 0}


@fault(card_game)
def describe_fails():
    return {"describe": lambda o, s, a: card_game.NAMES[a + 1]}


@fault(card_game)
def outcome_name_changes_the_record():
    return {"outcome_name": lambda o, s, k: f"{s.bag.__setitem__(0, s.bag[0] - 1)}"}


@fault(card_game)
def outcome_name_is_no_text():
    return {"outcome_name": lambda o, s, k: k}


@fault(card_game)
def scene_shows_other_hands():
    return {"scene": lambda o, s, seat=None, last=(): card_game.scene(o, s, None, last)}


# ---- observations and masks -----------------------------------------------------------------------------------------
@fault(card_game)
def observation_shows_another_hand():
    def leak(o, s, seat, obs):
        obs[0] = s.hand[(seat + 1) % o.players, 2]

    return {"observe": after(card_game.observe, leak)}


@fault(card_game)
def mask_depends_on_the_bag():
    def leak(o, s, seat, mask):
        if s.bag[2] == 0 and sum(mask) > 1:
            mask[max(a for a in range(6) if mask[a])] = 0

    return {"action_mask": after(card_game.action_mask, leak)}


@fault(card_game)
def observation_out_of_bounds():
    return {"spec": sections_with(card_game, lambda s: s if s.name != "bag" else Section("bag", (1,), 0, 5, "."))}


@fault(tick_game)
def observation_out_of_bounds_at_the_end():
    return {"spec": sections_with(tick_game, lambda s: s if s.name != "tick" else Section("tick", (1,), 0, 4, "."))}


@fault(card_game)
def observation_longer_than_its_sections():
    return {"spec": spec_with(card_game, sections=card_game.spec(card_game.Options()).sections[:-1])}


@fault(card_game)
def sections_share_a_name():
    return {"spec": sections_with(card_game, lambda s: Section("x", s.shape, s.low, s.high, "."))}


@fault(card_game)
def section_bounds_beyond_a_byte():
    return {"spec": sections_with(card_game, lambda s: Section(s.name, s.shape, s.low, 200, "."))}


@fault(card_game)
def observing_changes_the_record():
    def touch(o, s, seat, obs):
        s.card = (s.card + 1) % 3

    return {"observe": after(card_game.observe, touch)}


@fault(card_game)
def mask_holds_a_two():
    def write(o, s, seat, mask):
        mask[0] *= 2

    return {"action_mask": after(card_game.action_mask, write)}


@fault(card_game)
def nothing_is_legal():
    def write(o, s, seat, mask):
        if s.points[seat] > 1:
            for a in range(6):
                mask[a] = 0

    return {"action_mask": after(card_game.action_mask, write)}


# ---- hidden things --------------------------------------------------------------------------------------------------
@fault(card_game)
def redealing_changes_the_own_hand():
    def swap(o, s, seat, rng):
        for card in range(2):
            s.hand[seat, card], s.hand[seat, card + 1] = s.hand[seat, card + 1], s.hand[seat, card]

    return {"resample_hidden": swap}


@fault(card_game)
def redealing_loses_a_card():
    def lose(o, s, seat, rng):
        for card in range(3):
            if s.bag[card] > 0 and s.bag[0] + s.bag[1] + s.bag[2] > 1:
                s.bag[card] -= 1
                s.bag[(card + 1) % 3] += 1
                return

    return {"resample_hidden": after(card_game.resample_hidden, lose)}


@fault(card_game)
def redealing_does_nothing():
    return {"resample_hidden": lambda o, s, seat, rng: None}


@fault(card_game)
def redealing_draws_from_the_games_generator():
    return {"resample_hidden": lambda o, s, seat, rng: card_game.resample_hidden(o, s, seat, s.rng)}


@fault(card_game)
def others_are_told_which_card_is_buried():
    return {"told_action": None}


@fault(card_game)
def others_are_told_which_card_is_drawn():
    return {"told_outcome": None}


@fault(card_game)
def a_hidden_game_calls_itself_open():
    return {"spec": spec_with(card_game, perfect_information=True)}


# ---- chance ---------------------------------------------------------------------------------------------------------
@fault(card_game)
def no_outcome_has_any_weight():
    return {"outcome_weight": lambda o, s, k: 0}


@fault(card_game)
def a_weight_is_negative():
    return {"outcome_weight": lambda o, s, k: 5 if k else -1}


@fault(card_game)
def there_is_no_outcome():
    return {"num_outcomes": lambda o, s: 0}


@fault(card_game)
def chance_never_ends():
    return {"apply_chance": lambda o, s, k: None}


@fault(tick_game)
def a_game_of_chance_calls_itself_one_without():
    return {"spec": spec_with(tick_game, has_chance=False)}


@fault(card_game)
def there_are_more_outcomes_than_the_facts_say():
    return {"spec": spec_with(card_game, max_outcomes=7)}


@fault(card_game)
def there_are_more_decisions_than_the_facts_say():
    return {"spec": spec_with(card_game, max_decisions=3)}


@fault(card_game)
def a_decision_draws():
    from hopenvs.core.rng import below

    def roll(o, s, action):
        below(s.rng, 6)

    return {"apply": after(card_game.apply, roll)}


@fault(card_game)
def setting_up_depends_on_the_global_generator():
    def begin_anywhere(o, s):
        s.mover = random.randrange(o.players)

    random.seed(1)
    return {"setup": after(card_game.setup, begin_anywhere)}


@fault(card_game)
def play_depends_on_what_was_played_before():
    count = iter(range(10**9))

    def sometimes(o, s, k):
        s.points[0] += next(count) % 2

    return {"apply_chance": after(card_game.apply_chance, sometimes)}


# ---- positions ------------------------------------------------------------------------------------------------------
@fault(card_game)
def positions_forget_the_turn():
    return {"to_position": lambda o, s: card_game.to_position(o, s) | {"turn": 0}}


@fault(card_game)
def reading_a_position_forgets_the_points():
    def read(o, position, s):
        card_game.from_position(o, position, s)
        for seat in range(o.players):
            s.points[seat] = 0

    return {"from_position": read}


@fault(card_game)
def positions_of_the_end_cannot_be_read():
    def read(o, position, s):
        if position.get("phase") == "over":
            raise PositionError("key 'phase': 'over': expected 'turn'")
        card_game.from_position(o, position, s)

    return {"from_position": read}


@fault(card_game)
def positions_hold_numpy_numbers():
    return {"to_position": lambda o, s: card_game.to_position(o, s) | {"turn": np.int64(s.turn)}}


@fault(card_game)
def the_end_is_called_otherwise():
    def write(o, s):
        position = card_game.to_position(o, s)
        return position | ({"phase": "end"} if position["phase"] == "over" else {})

    def read(o, position, s):
        phase = {"end": "over"}.get(position.get("phase"), position.get("phase"))
        card_game.from_position(o, {**position, "phase": phase} if "phase" in position else position, s)

    return {"to_position": write, "from_position": read}


@fault(card_game)
def a_position_may_hold_anything_else():
    def read(o, position, s):
        known = {key: value for key, value in position.items() if key in (*card_game.KEYS, "truncated", "options")}
        card_game.from_position(o, known, s)

    return {"from_position": read}


@fault(card_game)
def a_missing_key_is_no_position_error():
    def read(o, position, s):
        s.turn = position["turn"]
        card_game.from_position(o, position, s)

    return {"from_position": read}


# ---- keys and values ------------------------------------------------------------------------------------------------
@fault(card_game)
def key_leaves_out_the_hands():
    def key(o, s, out):
        out[0], out[1] = s.phase, s.mover
        for seat in range(o.players):
            out[2 + seat] = s.points[seat]
        return 2 + o.players

    return {"key": key}


@fault(card_game)
def value_is_not_a_number():
    return {"evaluate": lambda o, s, seat: float("nan") if s.points[seat] else 0.0}


@fault(card_game)
def evaluating_changes_the_record():
    def touch(o, s, seat):
        s.turn += 1

    return {"evaluate": after(card_game.evaluate, touch)}


# ---- the end --------------------------------------------------------------------------------------------------------
def ranked(game, change):
    def result(o, s, scores, ranks, winners):
        game.result(o, s, scores, ranks, winners)
        change(o, scores, ranks, winners)

    return {"result": result}


@fault(card_game, players=4)
def ranks_are_dense():
    def dense(o, scores, ranks, winners):
        order = sorted({ranks[seat] for seat in range(o.players)})
        for seat in range(o.players):
            ranks[seat] = 1 + order.index(ranks[seat])

    return ranked(card_game, dense)


@fault(card_game, players=4)
def ranks_are_upside_down():
    def turned(o, scores, ranks, winners):
        old = [ranks[seat] for seat in range(o.players)]
        for seat in range(o.players):
            ranks[seat] = 1 + sum(other > old[seat] for other in old)

    return ranked(card_game, turned)


@fault(card_game)
def score_out_of_its_range():
    def more(o, scores, ranks, winners):
        scores[0] += 50

    return ranked(card_game, more)


@fault(card_game)
def play_never_ends():
    def again(o, s, k):
        card_game.apply_chance(o, s, k)
        if s.current_player == TERMINAL:
            for card in range(3):
                for seat in range(o.players):
                    s.bag[card] += s.hand[seat, card] + s.played[seat, card] + s.buried[seat, card]
                    s.hand[seat, card] = s.played[seat, card] = s.buried[seat, card] = 0
            for seat in range(o.players):
                s.points[seat] = 0
            s.phase, s.mover, s.current_player, s.turn = 0, 0, CHANCE, 0

    return {"apply_chance": again}


@fault(card_game, max_turns=2)
def truncation_without_a_stated_cap():
    return {"spec": spec_with(card_game, max_turns=None)}


@fault(card_game)
def truncation_before_the_cap():
    def cut(o, s, k):
        card_game.apply_chance(o, s, k)
        if s.turn == 2 and s.current_player >= 0:
            s.current_player, s.truncated = TERMINAL, 1

    return {"apply_chance": cut}


# ---- turns ----------------------------------------------------------------------------------------------------------
@fault(card_game)
def a_seat_that_does_not_play_is_asked():
    def away(o, s, k):
        card_game.apply_chance(o, s, k)
        if s.current_player == 1:
            s.current_player = 2

    return {"apply_chance": away}


@fault(card_game)
def a_turn_game_asks_all_at_once():
    def away(o, s, k):
        card_game.apply_chance(o, s, k)
        if s.current_player == 1:
            s.current_player = SIMULTANEOUS

    return {"apply_chance": away}


@fault(tick_game)
def a_tick_game_asks_one_seat():
    return {"setup": after(tick_game.setup, lambda o, s: setattr(s, "current_player", 0))}


@fault(tick_game)
def the_facts_say_turns_and_the_rules_ticks():
    return {"spec": spec_with(tick_game, simultaneous=False)}


@fault(card_game, players=3)
def the_record_has_no_room_for_all_seats():
    return {"spec": spec_with(card_game, record_seats=2)}


@fault(tick_game)
def there_are_more_actions_than_a_pending_choice_can_hold():
    return {"spec": spec_with(tick_game, num_actions=40_000)}


@fault(card_game)
def a_field_is_unsigned():
    return {"fields": lambda o: [(n, np.uint8 if n == "bag" else t, *r) for n, t, *r in card_game.fields(o)]}


@fault(card_game)
def a_rule_stores_out_of_range():
    def much(o, s, k):
        if s.turn == 2:
            s.points[0] += 100
            s.points[0] += 100

    return {"apply_chance": after(card_game.apply_chance, much)}


@fault(card_game)
def a_rule_reads_out_of_bounds():
    def beyond(o, s, action):
        s.card += s.hand[s.mover + 7, 0]

    return {"apply": after(card_game.apply, beyond)}


def said(name: str) -> str | None:
    """What the check says of a fault."""
    game, members, keywords = FAULTS[name]()
    try:
        check_game(variant(game, name, members), games=12, **keywords)
    except GameCheckError as error:
        return str(error)
    return None


def main() -> dict[str, str | None]:
    """All faults, and what the check says of each."""
    assert jit.BACKEND == "plain"
    check.DECISIONS_PER_GAME = 300
    check.CHANCES_IN_A_ROW = 100
    return {name: said(name) for name in FAULTS}


if __name__ == "__main__":
    print(json.dumps(main(), indent=1))
