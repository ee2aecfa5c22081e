"""Cards and players as text, for the terminal and for titles."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from hopenvs.games.hedgehog_hop.cards import COLOURS, MOVES, NUMBERS, STYLES
from hopenvs.games.hedgehog_hop.draw.cards import parts
from hopenvs.render.scene import Span, TextLine, plain, seat_colour

WIDEST: Final = 100  # characters of a line

_COLOUR_LETTERS: Final = dict(zip(COLOURS, "GRB"))
_STYLE_LETTERS: Final = dict(zip(STYLES, ("re", "ra", "sp", "st")))
_ARROWS: Final = dict(zip(MOVES, "^><"))
_PROMO_CODES: Final = {"unicorn": "Uni*", "zombie": "Zom!"}
LEGEND: Final = "Gra^ is green-rave-hop: G R B, then re(tro) ra(ve) sp(icy) st(reet), then ^ hop, > groove, < slide."
PROMO_LEGEND: Final = {
    "unicorn": "Uni* is the unicorn, In Sync with all.",
    "zombie": "Zom! is the zombie, red and street.",
}


def code(name: str) -> str:
    """Return four letters for a card: `Gra^` is green-rave-hop."""
    if name in _PROMO_CODES:
        return _PROMO_CODES[name]
    colour, style, move = parts(name)
    return f"{_COLOUR_LETTERS[colour]}{_STYLE_LETTERS[style]}{_ARROWS[move]}"


def code_span(name: str | None, bold: bool = False) -> Span:
    """Return a card's four letters on its colour; None is face down."""
    if name is None:
        return Span("????", "snow", "card-back")
    if name == "unicorn":
        return Span(code(name), "card-ink", "card-gold", bold=bold)
    colour = "red" if name == "zombie" else parts(name)[0]
    return Span(code(name), "snow", f"card-{colour}", bold=bold)


def code_spans(names: Sequence[str | None], none: str = "none") -> list[Span]:
    """Return cards as four letters each, with spaces between them."""
    if not names:
        return [Span(none)]
    out: list[Span] = []
    for name in names:
        out += [code_span(name), Span(" ")]
    return out[:-1]


def listed(start: str, names: Sequence[str], none: str = "none") -> list[TextLine]:
    """Return cards by their full names, as actions want them, in as many lines as they need; copies are counted."""
    counts = Counter(names)
    words = [name + (f" x{counts[name]}" if counts[name] > 1 else "") for name in counts]
    return wrapped(start, words or [none], ", ")


def wrapped(start: str, words: Iterable[str], between: str = " ") -> list[TextLine]:
    """Return a beginning and some words, none of them broken, in as many lines as they need."""
    glued = between.join(word.replace(" ", "\0") for word in words)
    lines = textwrap.wrap(
        start + glued,
        WIDEST,
        subsequent_indent=" " * min(len(start), 8),
        break_on_hyphens=False,
        break_long_words=False,
    )
    return [plain(line.replace("\0", " ")) for line in lines]


def in_lines(start: Sequence[Span], spans: Sequence[Span], indent: int) -> list[TextLine]:
    """Return some spans after a beginning, broken where a line is full."""
    lines: list[list[Span]] = [list(start)]
    room = WIDEST - sum(len(span.text) for span in start)
    for span in spans:
        if len(span.text) > room:
            lines.append([Span(" " * indent)])
            room = WIDEST - indent
            if not span.text.strip():
                continue
        lines[-1].append(span)
        room -= len(span.text)
    return [tuple(line) for line in lines]


def player_spans(seat: int, facts: str, *, on: bool) -> tuple[Span, ...]:
    """Return a player's number on its colour and what there is to say of it; `on`: it is that player's turn."""
    swatch = Span(f" {seat} ", seat_colour(seat, "ink"), seat_colour(seat), bold=True)
    return Span("> " if on else "  "), swatch, Span(f" {facts}", bold=on)


def in_order(names: Iterable[str]) -> list[str]:
    """Return cards sorted by their index."""
    return sorted(names, key=NUMBERS.__getitem__)


def players_words(seats: Sequence[int]) -> str:
    """Write `Player 1` or `Players 0, 2`."""
    return f"Player{'s' if len(seats) != 1 else ''} {', '.join(map(str, seats))}"


def counted(number: int, what: str) -> str:
    """Write `1 card`, `2 cards`."""
    return f"{number} {what}{'' if number == 1 else 's'}"
