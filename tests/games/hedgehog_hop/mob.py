"""Positions of Hedgehog Hop's Puzzlers in a few words.

A card is three letters: the first of its colour, the second of its style, the first of its move. `gah` is the green
rave hop, `bts` the blue street slide. The promo cards are `uni` and `zom`.

A mob is drawn as it lies: rows from the top, `/` or a line break between them, `.` where no card lies:
`"gah . bts / reg"`. The lower left place of the drawing is cell (0, 0) if nothing else is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from hopenvs.core.options import changed_options, parse_options
from hopenvs.core.walk import Walk, walk_of
from hopenvs.games.hedgehog_hop import puzzler

GAME: Any = puzzler  # Any: a package's imported names count as its own here

CODES = [colour + style + move for move in "hgs" for colour in "grb" for style in "eapt"]
FULL = [
    f"{colour}-{style}-{move}"
    for move in ("hop", "groove", "slide")
    for colour in ("green", "red", "blue")
    for style in ("retro", "rave", "spicy", "street")
]
LONG = dict(zip(CODES, FULL, strict=True)) | {"uni": "unicorn", "zom": "zombie"}
SHORT = {full: code for code, full in LONG.items()}

START_CELLS = {2: 9, 3: 5}  # of the starting mob; 13 with more players


def long(name: str) -> str:
    """Cards in a name (or in a list of cards) written out: `hand gah c0` is `hand green-rave-hop c0`."""
    return " ".join(LONG.get(word, word) for word in name.split())


def short(name: str) -> str:
    """The other way round."""
    return " ".join(SHORT.get(word, word) for word in name.split())


def cards(names: str) -> list[str]:
    """A list of cards, in the order given."""
    return long(names).split()


def in_order(names: Iterable[str]) -> list[str]:
    """Full names sorted by index."""
    return sorted(names, key=FULL.index)


def cells(drawing: str, at: tuple[int, int] = (0, 0)) -> dict[str, str]:
    """The mob of a drawing.

    Args:
        drawing: rows from the top.
        at: the cell of its lower left place.
    """
    rows = [row.split() for row in re.split(r"[/\n]", drawing.strip())]
    return {
        f"{at[0] + x},{at[1] + len(rows) - 1 - y}": LONG[code]
        for y, row in enumerate(rows)
        for x, code in enumerate(row)
        if code != "."
    }


def options_of(**keywords: Any) -> Any:
    """Compiled options; two players if nothing else is said."""
    return parse_options(GAME, keywords)


def new_game(**keywords: Any) -> Walk:
    """The start of a game, before the first card is dealt."""
    return walk_of(GAME, options_of(**keywords))


def hand_size(players: int) -> int:
    """HH-10."""
    return 7 if players == 2 else 6


def position_of(
    mob: str | Mapping[str, str],
    hands: Sequence[str] = (),
    *,
    at: tuple[int, int] = (0, 0),
    backups: Sequence[str] = (),
    draw: str | None = None,
    queue: str = "",
    discard: str = "",
    removed: str = "",
    rest: int | None = None,
    turn: int | None = None,
    to_play: int = 0,
    phase: str = "play",
    due: int = 0,
    must_discard: bool = False,
    winners: Sequence[int] = (),
    **options: Any,
) -> dict[str, Any]:
    """A position in which every card of the decks is somewhere.

    Args:
        mob: a drawing, or cells and full names.
        hands: a string of cards a seat; hands that are too small for the turn are filled with cards that are named
            nowhere, those of the greatest index first.
        at: see `cells`.
        backups: a string of cards a seat; missing seats have none.
        draw: the face-down cards; by default all that are named nowhere.
        queue: `draw_face_up`.
        discard: as in the position.
        removed: as in the position.
        rest: the seat whose backup dancers are all cards that are named nowhere (with `draw`, its default is "").
        turn: by default the last round is on, in which everybody still has two cards or one.
        to_play: the seat, if no `turn` is given.
        phase: as in the position.
        due: `steals_due`.
        must_discard: as in the position.
        winners: as in the position.
        **options: of the game; two players if nothing else is said.
    """
    o = options_of(**options)
    n, size = o.players, hand_size(o.players)
    last = n * (size - 1)
    if turn is None:
        turn = last if phase == "over" else last - n + to_play
    placed = cells(mob, at) if isinstance(mob, str) else dict(mob)
    rows = [cards(backups[seat]) if seat < len(backups) else [] for seat in range(n)]
    piles = {"draw_face_up": cards(queue), "discard": cards(discard), "removed": cards(removed)}
    held = [cards(hands[seat]) if seat < len(hands) else [] for seat in range(n)]
    lists = [placed.values(), *rows, *piles.values(), *held, cards(draw or "")]
    named = [card for some in lists for card in some]
    left = sorted(FULL * (2 if n >= 4 else 1), key=FULL.index)
    for card in named:
        if card not in ("unicorn", "zombie"):
            left.remove(card)  # ValueError: it is named too often
    for seat in range(n):
        played = len(range(seat, turn, n)) + (phase == "steal" and not must_discard and seat == turn % n)
        while len(held[seat]) < size - played:
            held[seat].append(left.pop())
    if rest is not None:
        rows[rest] += left
        left = []
    elif draw is not None:
        assert not left, f"these cards are nowhere: {[short(card) for card in left]}"
    position: dict[str, Any] = {
        "game": "hedgehog_hop",
        "family": "puzzler",
        "players": n,
        "promo": options.get("promo"),
        "phase": phase,
        "to_play": None if phase == "over" else turn % n,
        "mob": placed,
        "hands": [in_order(hand) for hand in held],
        "backups": [in_order(row) for row in rows],
        "draw": in_order([*left, *cards(draw or "")]),
        **piles,
        "steals_due": due,
        "must_discard": must_discard,
        "turn": turn,
        "winners": list(winners),
    }
    changed = changed_options(GAME, o, for_position=True)
    return position | {"options": changed} if changed else position


def set_up(position: Mapping[str, Any]) -> Walk:
    """A game at a position, whatever its options."""
    stated = {"players": position["players"], "promo": position["promo"], **position.get("options", {})}
    return walk_of(GAME, options_of(**stated), position)


def dance(mob: str | Mapping[str, str], *hands: str, **keywords: Any) -> Walk:
    """A game at a position: see `position_of`."""
    return set_up(position_of(mob, hands, **keywords))


def play(walk: Walk, *names: str) -> Walk:
    """Play some decisions and outcomes of chance (`draw gah`) by name; the same walk."""
    for name in names:
        if walk.is_chance:
            walk.happen(outcomes(walk).index(name))
        else:
            walk.play_named(long(name))
    return walk


def outcomes(walk: Walk) -> list[str]:
    """The names of the outcomes of a chance point, in the order of their numbers."""
    return [short(GAME.outcome_name(walk.options, walk.record, k)) for k in range(len(walk.outcomes()))]


def legal(walk: Walk, verb: str = "") -> list[str]:
    """The legal actions whose names begin with some words, cards in short."""
    return [short(name) for name in walk.legal_names() if name.startswith(long(verb))]


def mob_after(walk: Walk, *names: str) -> dict[str, str]:
    """The mob after a play that earns nothing, or whatever is drawn for it."""
    play(walk, *names)
    if walk.is_chance:
        walk.draw_all()
    found = walk.position()["mob"]
    assert isinstance(found, dict)
    return found


def earned(walk: Walk, name: str) -> int:
    """How many backup dancers a play earns, drawn one by one; the walk goes on."""
    play(walk, name)
    count = 0
    while walk.is_chance:
        walk.happen(0)
        count += 1
    return count
