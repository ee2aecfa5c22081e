"""The position as text: a map of the figure, every player's tiles, and what may be done."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from hopenvs.games.hexx_hopp.draw.faces import PALETTE
from hopenvs.games.hexx_hopp.draw.view import (
    SIDES,
    Action,
    Cell,
    View,
    colours,
    count_of,
    footnote,
    headline,
    ordinal,
)
from hopenvs.render.scene import Span, TextLine, plain, seat_colour

WIDEST: Final = 100  # characters

_LABEL: Final = 7  # characters before a row: which it is
_WIDE, _NARROW = 6, 4  # characters of a cell
# width of a cell -> the columns of its letters at the sides 0 to 5, in the middle line, below and above it
_COLUMNS: Final = {_WIDE: (5, 4, 1, 0, 1, 4), _NARROW: (3, 2, 0, 0, 0, 2)}
_LINES: Final = (1, 2, 2, 1, 0, 0)  # of its three, for the sides 0 to 5

Put = tuple[int, int, Span]  # line, column, what is written there


def lines(view: View) -> tuple[TextLine, ...]:
    """Return the lines, uncoloured text being enough to play."""
    who, what = headline(view)
    out: list[TextLine] = [
        (Span("Hexx & Hopp", bold=True), Span(" · "), Span(f"{who.rstrip('!')}: {what}", bold=True)),
        plain(" ".join(footnote(view))),
        *(_wrapped("last: ", [action.name for action in view.unseated], ", ") if view.unseated else ()),
        plain(""),
        *_map(view),
        plain(""),
    ]
    for seat in view.seats():
        out += _player(view, seat)
    if view.seat is not None and view.up[view.seat] is not None:
        out += [plain(""), *_turned(view.up[view.seat] or 0)]
    out += [plain(""), *_legend(view)]
    if view.legal:
        out += [plain(""), *_choices(view)]
    return tuple(out)


# ---- the map ---------------------------------------------------------------------------------------------------------
def _letter(letter: str) -> Span:
    return Span(letter, f"{PALETTE[letter]}-ink", PALETTE[letter], bold=True)


def _tile(letters: str, inside: str, width: int, *, bold: bool = False) -> list[Put]:
    """Return a tile from its upper left corner on."""
    puts = [(_LINES[side], _COLUMNS[width][side], _letter(letter)) for side, letter in enumerate(letters)]
    return [*puts, (1, 1, Span(inside.center(width - 2), bold=bold))]


def _shown(view: View) -> set[Cell]:
    return {*view.figure, *view.open_cells, *view.turns}


def _halves(cells: Iterable[Cell]) -> list[int]:
    """Return how far to the right of the middle cells lie, in halves of a cell's width."""
    return [2 * q + r for q, r in cells]


def _width(view: View) -> int:
    """Return how many characters wide a cell is: as many as there is room for."""
    halves = _halves(_shown(view)) or [0]
    return _WIDE if _LABEL + (max(halves) - min(halves) + 2) * _WIDE // 2 <= WIDEST else _NARROW


def _map(view: View) -> list[TextLine]:
    """Return the figure and the cells where a tile could touch two others; three lines a row."""
    cells = _shown(view)
    if not cells:
        return []
    first, width = min(_halves(cells)), _width(view)
    out: list[TextLine] = []
    for r in range(min(r for _, r in cells), max(r for _, r in cells) + 1):
        puts: list[Put] = [(1, 0, Span(f"r={r}"))]
        for cell in (cell for cell in cells if cell[1] == r):
            column = _LABEL + (2 * cell[0] + r - first) * width // 2
            puts += [(line, column + at, span) for line, at, span in _cell(view, cell, width)]
        out += [_line([(column, span) for line, column, span in puts if line == at]) for at in range(3)]
    return out


def _cell(view: View, cell: Cell, width: int) -> list[Put]:
    if cell in view.figure:
        tile, turn = view.figure[cell]
        new = any(placed.made and placed.cell == cell for placed in view.placements)
        number = f"[{tile}]" if new and width == _WIDE else str(tile)
        return _tile(colours(tile, turn), number, width, bold=new)
    name = f"{cell[0]},{cell[1]}" if width == _WIDE else str(cell[0])
    if cell not in view.turns:
        return [(1, 0, Span(name.center(width)))]
    turns = ("," if width == _WIDE else "").join(
        str(turn) for turn in dict.fromkeys(turn for _, turn in view.turns[cell])
    )
    mark = f"*{turns}*" if len(turns) + 2 <= width else turns[:width]
    return [
        (1, 0, Span(name.center(width), "accent", bold=True)),
        (2, 0, Span(mark.center(width), "accent", bold=True)),
    ]


def _line(puts: Sequence[tuple[int, Span]]) -> TextLine:
    """Return a line of spans at their columns."""
    out: list[Span] = []
    column = 0
    for at, span in sorted(puts, key=lambda put: put[0]):
        if at > column:
            out.append(Span(" " * (at - column)))
        out.append(span)
        column = at + len(span.text)
    return tuple(out)


def _turned(tile: int) -> list[TextLine]:
    """Return a tile in all its turns, one beside the other."""
    step = 11
    puts: list[Put] = [(1, 0, Span("turned"))]
    for turn in range(SIDES):
        inside = [
            (line, 9 + turn * step + column, span)
            for line, column, span in _tile(colours(tile, turn), str(turn), _WIDE)
        ]
        puts += inside
    return [_line([(column, span) for line, column, span in puts if line == at]) for at in range(3)]


# ---- players ---------------------------------------------------------------------------------------------------------
def _player(view: View, seat: int) -> list[TextLine]:
    facts = [f"Player {seat}"]
    if seat == view.seat:
        facts[0] += " (you)"
    elif view.seat is not None:
        facts[0] += f" (left{view.left(seat)})"
    if seat == view.dealer:
        facts.append("dealer")
    facts.append(count_of(view.penalties[seat], "penalty point"))
    if view.over:
        facts.append(ordinal(view.rank(seat)) + (" - winner" if seat in view.winners else ""))
    if view.gift_due[seat]:
        facts.append(f"may give {min(view.gift_due[seat], view.tiles_left(seat))} away")
    swatch = Span(f" {seat} ", seat_colour(seat, "ink"), seat_colour(seat), bold=True)
    mark = ">" if view.gift_due[seat] and not view.over else " "
    out: list[TextLine] = [(Span(f"{mark} "), swatch, Span(f" {', '.join(facts)}", bold=seat == view.seat))]
    tile = view.up[seat]
    spans = [Span("        face up: ")]
    spans += [Span("none")] if tile is None else [Span(f"{tile} "), *map(_letter, colours(tile))]
    spans.append(Span(f" · stack: {view.stack_counts[seat]} · discards: {view.discard_counts[seat]}"))
    out.append(tuple(spans))
    for did in view.done(seat)[-1:]:
        out += _wrapped("        last: ", did.split(" "), " ")
    discards = view.discards[seat]
    if discards:
        names = [f"{number} {colours(number)}" for number in discards]
        out += _wrapped("        discards, oldest first: ", names, ", ", 16)
    if view.stacks is not None and view.stacks[seat]:
        out += _wrapped("        stack, top first: ", [str(number) for number in view.stacks[seat]], " ", 16)
    return out


def _legend(view: View) -> list[TextLine]:
    if _width(view) == _WIDE:
        cells = "A free cell that touches two tiles or more shows its name q,r"
    else:
        cells = "A free cell that touches two tiles or more shows its q, its r stands at the left: its name is q,r"
    marks = "; below it, between stars, the turns that fit." if view.turns else "."
    sides = (
        "A tile shows its number, and round it the colours of its sides: R red, Y yellow, B blue, W white. They are "
        "listed clockwise: right, lower right, lower left, left, upper left, upper right. Turned by K, a tile has "
        "every colour K sides further."
    )
    return [*_wrapped("", sides.split(" "), " "), *_wrapped("", (cells + marks).split(" "), " ")]


# ---- what may be done ------------------------------------------------------------------------------------------------
def _choices(view: View) -> list[TextLine]:
    """Return what may be done, as the players' own names of actions say it."""
    out: list[TextLine] = []
    for seat in dict.fromkeys(action.seat for action in view.legal):
        mine = [action for action in view.legal if action.seat == seat]
        lead = "" if view.seat is not None or seat is None else f"player {seat}: "
        words: dict[str, list[str]] = {}
        for action in mine:
            words.setdefault(action.kind, []).append(_detail(view, action))
        simple = [kind for kind in ("wait", "next") if kind in words]
        if simple:
            out.append(plain(f"{lead}{', '.join(simple)}"))
        for kind in ("recall", "place", "give"):
            if kind in words:
                out += _wrapped(f"{lead}{kind}: ", words[kind], "; ")
        if "give" in words and seat is not None:
            lefts = [f"left{left} (player {(seat + left) % view.players})" for left in range(1, view.players)]
            out += _wrapped(f"{lead}the numbers are for ", lefts, ", ")
        if "other" in words:
            out += _wrapped(f"{lead}also: ", words["other"], "; ")
    return out


def _detail(view: View, action: Action) -> str:
    """Return an action's own name without its first word."""
    if action.kind == "recall":
        return str(action.tile)
    if action.kind == "place":
        return f"{action.cell[0]},{action.cell[1]} {action.turn}"
    if action.kind == "give" and action.seat is not None:
        counts = dict(action.gifts)
        return ",".join(str(counts.get((action.seat + left) % view.players, 0)) for left in range(1, view.players))
    return action.name


def _wrapped(lead: str, words: Sequence[str], between: str, indent: int | None = None) -> list[TextLine]:
    """Return words in lines that fit, the first one after `lead`."""
    rows: list[str] = []
    row = lead
    for at, word in enumerate(words):
        more = word + (between if at < len(words) - 1 else "")
        if len((row + more).rstrip()) > WIDEST and row.strip():
            rows.append(row.rstrip())
            row = " " * (len(lead) if indent is None else indent)
        row += more
    return [plain(line) for line in (*rows, row.rstrip())]
