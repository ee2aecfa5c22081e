"""The rules behind an id: every promise that a game makes to the core, and seats that are all alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hopenvs.core.check import check_game
from hopenvs.core.walk import Walk
from hopenvs.testing.oracle import play
from hopenvs.testing.suite import check, same

Relabel = Callable[[Mapping[str, Any], int], dict[str, Any]]  # (position, shift) -> every seat s becomes s + shift


@check("id", kinds=(14, 18, 19, 20, 32, 33, 34, 45), clauses=("C-4", "C-5", "C-6", "C-7", "C-9", "C-13"))
def check_promises_of_the_game(make: str, *, games: int, seed: int) -> None:
    """`check_game` on the id's module and options: masks, names, positions, records, blindness, endings."""
    from hopenvs.registry import entry_of

    entry = entry_of(make)
    check_game(entry.game(), games=games, seed=seed, **entry.options)


def check_seats_turn(env_id: str, relabel: Relabel, *, games: int = 1, seed: int = 0, every: int = 7) -> int:
    """Turned seats give turned views (C-10): what seat s sees, seat s + shift sees once all seats are relabelled.

    Args:
        env_id: a registered id.
        relabel: the same position with every seat s called (s + shift) modulo the number of players; it may raise
            ValueError where the rules name a seat.
        games: how many games are looked at.
        seed: of the first one.
        every: look at every so many decisions.

    Returns:
        How many positions were compared.

    Raises:
        AssertionError: naming the position and the seat.
    """
    from hopenvs.registry import resolve

    game, options = resolve(env_id, {})
    players = game.spec(options).num_players
    turned = Walk(game, options)
    turned.start(0)
    compared = 0
    for number in range(games):
        found = play(game, options, seed + number)[0]
        for k in range(0, found.decisions, every):
            frame = found.frames[k]
            position = found.walk_at(k).position()
            for shift in range(1, players):
                where = f"{found.where(k)}, seats turned by {shift}"
                try:
                    relabelled = relabel(position, shift)
                except ValueError:
                    continue
                turned.start_from(relabelled)
                for seat in range(players):
                    mask, observation = turned.batch.view((0,), ((seat + shift) % players,))
                    same(f"what seat {seat} sees", observation[0], frame.observations[seat], where)
                    same(f"the mask of seat {seat}", mask[0], frame.masks[seat], where)
                compared += 1
    return compared
