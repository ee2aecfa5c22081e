"""Positions of Dance Battle Royale in a few words.

A card is three letters: the first of its colour, the second of its style, the first of its move. `"gah"` is
green-rave-hop, `"rpg"` red-spicy-groove, `"bts"` blue-street-slide. A crew is its four cards, far row first:
`"geh rag / bps gth"`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from hopenvs.core.options import parse_options
from hopenvs.core.walk import Walk, walk_of
from hopenvs.games.hedgehog_hop import battle

GAME: Any = battle  # Any: a package's imported names count as its own here

MOVES = ("hop", "groove", "slide")
COLOURS = ("green", "red", "blue")
STYLES = ("retro", "rave", "spicy", "street")
CARDS = [f"{colour}-{style}-{move}" for move in MOVES for colour in COLOURS for style in STYLES]
SHORT = {name: "".join((name[0], name.split("-")[1][1], name.split("-")[2][0])) for name in CARDS}
LONG = {short: name for name, short in SHORT.items()}

# Crews of six seats, none In Sync; of one deck the first three.
DULL = (
    "geh rag / bps gth",
    "reg gps / rts beg",
    "bah rps / gag bts",
    "rah gtg / beg bas",
    "btg res / gas rpg",
    "gpg bes / rth geg",
)
IN_SYNC = "bth bph / rpg res"  # two blue hops
LINE_SIZE = 7


def options_of(**keywords: Any) -> Any:
    """Compiled options."""
    return parse_options(GAME, keywords)


def new_game(players: int, **options: Any) -> Walk:
    """The start of a game: the first card is dealt."""
    return walk_of(GAME, options_of(players=players, **options))


def by_index(names: Sequence[str]) -> list[str]:
    """Sorted as positions sort them."""
    return sorted(names, key=CARDS.index)


def long(text: str) -> list[str]:
    """The names of cards in short, in the order given."""
    return [LONG[short] for short in text.split() if short != "/"]


def short(names: Sequence[str | None]) -> str:
    """Cards in short."""
    return " ".join("-" if name is None else SHORT[name] for name in names)


def decks(players: int) -> int:
    """How many there are of each card."""
    return 1 if players == 3 else 2


def position_of(
    *crews: str,
    hands: Sequence[str] = (),
    planned: str | None = None,
    audition: str | None = None,
    draw: str | None = None,
    discard: str = "",
    known: Sequence[str] = (),
    phase: str = "play",
    to_play: int | None = None,
    start: int | None = None,
    round: int | None = None,  # noqa: A002 (the key's name)
    acted: Sequence[int] | None = None,
    pending: str | None = None,
    must_discard: bool = False,
    last_turn: bool | None = None,
    winners: Sequence[int] = (),
    rest: int | None = None,
    players: int | None = None,
) -> dict[str, Any]:
    """A position. What isn't said follows from the rest.

    Args:
        crews: a string a seat; `-` for a cell not laid. Seats that aren't named (see `players`) have dull ones, or
            none while crews are laid.
        hands: a string a seat; empty ones get as many cards as the seat must have, any that are left.
        planned: `-`, a card, or `?` for any, for each seat; or only the mover's card. Those who must have planned have
            `?` if nothing is said.
        audition: the audition line; by default cards that are left, up to seven in all with the discard pile.
        draw: the draw pile; by default all that is left.
        discard: the discard pile, bottom first.
        known: a string a seat.
        phase: as in the position.
        to_play: as in the position; by default the starting seat.
        start: as in the position; by default the one of the round.
        round: as in the position; by default 1, while crews are laid 0.
        acted: the seats that have acted in this round; by default those before the mover.
        pending: as in the position.
        must_discard: as in the position.
        last_turn: as in the position.
        winners: as in the position.
        rest: whose hand gets the cards that are left, if `draw` is given; by default the one before the mover's.
        players: how many; by default as many as there are crews.
    """
    n = players or len(crews)
    laying = phase == "crew"
    if round is None:
        round = 0 if laying else 1  # noqa: A001
    if start is None:
        start = 0 if n == 3 else round % n
    left = Counter({name: decks(n) for name in CARDS})

    def taken(names: list[Any]) -> list[Any]:
        left.subtract(name for name in names if name is not None)
        assert min(left.values()) >= 0, f"too many of {[SHORT[name] for name in CARDS if left[name] < 0]}"
        return names

    def any_left(count: int) -> list[str]:
        """The last ones by index: blue slides first."""
        return taken([name for name in reversed(CARDS) for _ in range(left[name])][:count])

    order = [(start + k) % n for k in range(n)]
    mover = order[0] if to_play is None else to_play
    before = order[: order.index(mover)]
    if acted is None:
        acted = {"crew": [], "plan": [], "over": []}.get(phase, order if pending == "round" else before)
    plans = (planned or "").split()
    if n > 3 and len(plans) < 2:
        after = {"plan": before, "play": order[len(before) :], "collect": order[len(before) + (pending == "end") :]}
        yet = [] if pending == "round" else after.get(phase, [])
        plans = ["?" if seat in yet else "-" for seat in range(n)]
        plans[mover] = planned or plans[mover]
    laid = [taken([None if card == "-" else LONG[card] for card in crew.replace("/", " ").split()]) for crew in crews]
    laid += [[None] * 4 if laying else taken(long(DULL[seat])) for seat in range(len(laid), n)]
    held = [taken(long(hands[seat] if seat < len(hands) else "")) for seat in range(n)]
    named = [taken([LONG[plan]])[0] if plan in LONG else None for plan in plans or ["-"] * n]
    pile = taken(long(discard))
    line = None if audition is None else taken(long(audition))
    drawn = None if draw is None else taken(long(draw))
    named = [any_left(1)[0] if plan == "?" else card for plan, card in zip(plans or named, named, strict=True)]
    for seat in range(n):
        if laying:
            held[seat] += any_left(7 - len(held[seat]) - sum(card is not None for card in laid[seat]))
        elif n > 3 and phase != "over" and not held[seat] and named[seat] is None:
            held[seat] = any_left(1)
    if line is None:
        line = [] if laying or (phase == "over" and n == 3) else any_left(LINE_SIZE - len(pile) - must_discard)
    if drawn is None:
        drawn = any_left(72)
    else:
        holder = (mover - 1) % n if rest is None else rest
        held[holder] += any_left(72)
    return {
        "game": "hedgehog_hop",
        "family": "battle",
        "players": n,
        "phase": phase,
        "to_play": None if phase == "over" else mover,
        "crews": laid,
        "hands": [by_index(cards) for cards in held],
        "planned": named,
        "audition": by_index(line),
        "draw": by_index(drawn),
        "discard": pile,
        "start": start,
        "round": round,
        "turn": 3 * round + mover if n == 3 and not laying else n * round + len(acted),
        "acted": [n > 3 and seat in acted for seat in range(n)],
        "pending": pending,
        "must_discard": must_discard,
        "last_turn": (n == 3 and not laying and not line) if last_turn is None else last_turn,
        "known": [by_index(long(known[seat] if seat < len(known) else "")) for seat in range(n)],
        "winners": list(winners),
    }


def table(*crews: str, names: Sequence[str] = (), max_turns: int | None = None, **keywords: Any) -> Walk:
    """A game at a position (see `position_of`), some moves and outcomes played (see `play`)."""
    position = position_of(*crews, **keywords)
    return play(walk_of(GAME, options_of(players=position["players"], max_turns=max_turns), position), *names)


def play(walk: Walk, *names: str) -> Walk:
    """Play moves and outcomes by name, cards in short; the same walk."""
    for name in names:
        words = " ".join(LONG.get(word, word) for word in name.split())
        if walk.is_chance:
            outcomes = outcomes_of(walk)
            assert words in outcomes, f"{words} isn't among {sorted(set(outcomes))}"
            walk.happen(outcomes.index(words))
        else:
            walk.play_named(words)
    return walk


def outcomes_of(walk: Walk) -> list[str]:
    """The names of all outcomes of the chance point."""
    return [GAME.outcome_name(walk.options, walk.record, k) for k in range(len(walk.outcomes()))]


def legal(walk: Walk) -> list[str]:
    """The legal moves, cards in short."""
    return [" ".join(SHORT.get(word, word) for word in name.split()) for name in walk.legal_names()]


def crew(walk: Walk, seat: int) -> str:
    """A seat's crew, at chance points too."""
    cells = [walk.record.crew[seat, cell] for cell in range(4)]
    far, near = (short([None if card < 0 else CARDS[card] for card in row]) for row in (cells[:2], cells[2:]))
    return f"{far} / {near}"


def hand(walk: Walk, seat: int) -> str:
    """A seat's hand, at chance points too."""
    return short(_names(walk.record.hand, seat))


def known(walk: Walk, seat: int) -> str:
    """What is known of a seat's hand, at chance points too."""
    return short(_names(walk.record.known, seat))


def _names(piles: Any, seat: int) -> list[str]:
    return [CARDS[card] for card in range(len(CARDS)) for _ in range(piles[seat, card])]


def audition(walk: Walk) -> str:
    """The audition line, at chance points too."""
    return short([CARDS[card] for card in range(len(CARDS)) for _ in range(walk.record.audition[card])])
