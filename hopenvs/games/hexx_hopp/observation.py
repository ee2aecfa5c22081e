"""What a seat sees, what it can't know, and what a position is worth to it."""

from __future__ import annotations

from typing import Any

from hopenvs.core.game import Section
from hopenvs.core.jit import rule
from hopenvs.core.rng import below
from hopenvs.core.state import SIMULTANEOUS
from hopenvs.games.hexx_hopp.figure import most_contacts
from hopenvs.games.hexx_hopp.piles import (
    DISCARDS,
    NO_TILE,
    STACK,
    append,
    in_box,
    take_first,
    take_from_box,
    tiles_of,
)
from hopenvs.games.hexx_hopp.rules import is_stuck
from hopenvs.games.hexx_hopp.table import NUM_CELLS, NUM_TILES, SIDES, colour_at

DIGIT = 64  # numbers that can pass 127 take two cells: the number // DIGIT and the rest
MOST_DIGIT = 127


def sections(o: Any) -> tuple[Section, ...]:
    """The layout of the observation; seats are counted from the observer, clockwise (C-10)."""
    seats, cells = o.players, int(NUM_CELLS[o.table_radius])
    return (
        Section(
            "sides", (SIDES, cells), 0, 4,
            "The colour at each side of a cell's tile: 1 red, 2 yellow, 3 blue, 4 white; 0 without a tile. Sides by "
            "direction (HX-2), cells by r, then q.",
        ),
        Section("contacts", (cells,), 0, SIDES, "How many neighbours of a free cell are occupied."),
        Section(
            "face_up", (seats, SIDES), 0, 4,
            "The segments of each seat's tile face up, unturned: colours as in `sides`; 0 without one.",
        ),
        Section("stacks", (seats,), 0, NUM_TILES, "Tiles in each seat's stack."),
        Section("discards", (seats,), 0, NUM_TILES, "Tiles each seat has discarded."),
        Section(
            "own_discards", (NUM_TILES,), 0, NUM_TILES,
            "Where a tile lies among the observer's discards, from 1 for the oldest; 0 elsewhere.",
        ),
        Section("gift_due", (seats,), 0, 6, "Tiles each seat may give away now (HX-9)."),
        Section("penalties", (seats, 2), 0, MOST_DIGIT, "Each seat's penalty points: // 64, and the rest."),
        Section("round", (1,), 0, MOST_DIGIT, "Rounds before this one."),
        Section("tick", (2,), 0, MOST_DIGIT, "Ticks of the round so far: // 64, and the rest."),
    )  # fmt: skip


@rule
def observe(o: Any, s: Any, seat: int, obs: Any) -> None:
    """Write the sections in order; `obs` [D]."""
    players = o.players
    cells = NUM_CELLS[o.table_radius]
    for k in range(s.num_placed):
        cell = s.placed[k]
        turned = s.turned[cell]
        for side in range(SIDES):
            obs[side * cells + cell] = 1 + colour_at(turned, side)
    n = SIDES * cells
    for cell in range(cells):
        obs[n + cell] = s.contacts[cell]
    n += cells
    for k in range(players):
        other = (seat + k) % players
        if s.up[other] != NO_TILE:
            for side in range(SIDES):
                obs[n + side] = 1 + colour_at(SIDES * s.up[other], side)
        n += SIDES
    for k in range(players):
        other = (seat + k) % players
        obs[n + k] = s.count[other, STACK]
        obs[n + players + k] = s.count[other, DISCARDS]
    n += 2 * players
    tile = s.first[seat, DISCARDS]
    for k in range(s.count[seat, DISCARDS]):
        obs[n + tile] = 1 + k
        tile = s.after[tile]
    n += NUM_TILES
    for k in range(players):
        other = (seat + k) % players
        obs[n + k] = s.gift_due[other]
        obs[n + players + 2 * k] = s.penalties[other] // DIGIT
        obs[n + players + 2 * k + 1] = s.penalties[other] % DIGIT
    n += 3 * players
    obs[n] = s.round
    obs[n + 1] = s.turn // DIGIT
    obs[n + 2] = s.turn % DIGIT


@rule
def resample_hidden(o: Any, s: Any, seat: int, rng: Any) -> None:
    """All stacks, the others' discards and the box are shuffled together; every pile gets as many tiles back.

    Play goes on, so everybody knows that some tile fits (HX-12): what leaves none is shuffled again.
    """
    shuffle(o, s, seat, rng)
    if s.current_player == SIMULTANEOUS:
        while is_stuck(o, s):
            shuffle(o, s, seat, rng)


@rule
def shuffle(o: Any, s: Any, seat: int, rng: Any) -> None:
    """The tiles that the seat doesn't know change places."""
    stacks = 0  # how many tiles each seat had there, seven bits a seat
    discards = 0
    for other in range(o.players):
        for pile in range(2):
            if pile == STACK or other != seat:
                for _ in range(s.count[other, pile]):
                    s.boxed[take_first(s, other, pile)] = 1
                    if pile == STACK:
                        stacks += 1 << (7 * other)
                    else:
                        discards += 1 << (7 * other)
    left = in_box(s)
    for other in range(o.players):
        for pile in range(2):
            if pile == STACK or other != seat:
                for _ in range((stacks if pile == STACK else discards) >> (7 * other) & 127):
                    append(s, other, pile, take_from_box(s, below(rng, left)))
                    left -= 1


# Weights of `evaluate`, in tiles.
FITS = 0.5  # the tile face up fits somewhere
CONTACT = 0.25  # for each contact beyond the second that it can make there


@rule
def evaluate(o: Any, s: Any, seat: int) -> float:
    """How far the seat is ahead of the others' mean, in tiles and penalty points.

    A gift that is due counts as given, and a tile face up that fits as half placed.
    """
    own = 0.0
    others = 0.0
    for other in range(o.players):
        load = float(s.penalties[other] + tiles_of(s, other))
        gift = min(s.gift_due[other], tiles_of(s, other))
        if other == seat:
            own += load - gift
            others += gift
        else:
            own += gift / (o.players - 1)
            others += load - gift / (o.players - 1)
    value = others / (o.players - 1) - own
    if s.up[seat] != NO_TILE:
        most = most_contacts(s, s.up[seat])
        if most > 0:
            value += FITS + CONTACT * (most - 2)
    return value
