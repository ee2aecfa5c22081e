"""The position as text: leaves, bridges as lines, homes, frogs as their owners' digits, and what may be done."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from itertools import groupby
from typing import Final

from hopenvs.games.hooop.draw.view import CARDS, Place, View, headline, is_home, ordinal
from hopenvs.render.scene import Span, TextLine, plain, seat_colour

WIDEST: Final = 100  # characters

_ACROSS: Final = 11  # from a leaf to the next in a square; in a triangle one more, as rows are shifted by half of it
_MIDDLE: Final = 3  # of a leaf's characters: where its frog is
_CARD_WORDS: Final = dict(zip(CARDS, ("again", "chute", "bridge+", "bridge-"), strict=True))


def lines(view: View) -> tuple[TextLine, ...]:
    """Return the lines, uncoloured text being enough to play."""
    who, what = headline(view)
    last = f"last: {', '.join(action.name for action in view.last)}" if view.last else ""
    out: list[TextLine] = [
        (Span("Hooop!", bold=True), Span(f" · turn {view.turn} · "), Span(f"{who} {what}", bold=True)),
        *(plain(line) for line in textwrap.wrap(last, WIDEST, subsequent_indent="      ") or [""]),
        plain(""),
        *_board(view),
        plain(""),
    ]
    out += [_player(view, player) for player in range(view.players)]
    out += [plain(""), *(plain(line) for line in _legend(view))]
    if view.legal:
        out += [plain(""), *(plain(line) for line in _choices(view))]
    return tuple(out)


class _Sheet:
    """Characters on squared paper, each with its style; rows and columns may be negative."""

    def __init__(self) -> None:
        self._rows: dict[int, dict[int, tuple[str, Span]]] = {}  # row -> column -> character, and who wrote it

    def put(self, row: int, column: int, spans: Sequence[Span]) -> None:
        """Write some spans from a square on."""
        cells = self._rows.setdefault(row, {})
        for span in spans:
            for char in span.text:
                cells[column] = (char, span)
                column += 1

    def lines(self) -> list[TextLine]:
        """Return what is written, the leftmost column first."""
        left = min(min(cells) for cells in self._rows.values())
        return [
            self._line(self._rows.get(row, {left: (" ", Span(" "))}), left)
            for row in range(min(self._rows), max(self._rows) + 1)
        ]

    def _line(self, cells: dict[int, tuple[str, Span]], left: int) -> TextLine:
        blank = (" ", Span(" "))
        row = [cells.get(column, blank) for column in range(left, max(cells) + 1)]
        runs = groupby(row, key=lambda cell: (cell[1].colour, cell[1].background, cell[1].bold))
        return tuple(Span("".join(char for char, _ in run), *style) for style, run in runs)


def _frog(owner: int) -> Span:
    return Span(str(owner), seat_colour(owner, "ink"), seat_colour(owner), bold=True)


def _board(view: View) -> list[TextLine]:
    square = len(view.layout.rows[0]) > 1
    across = _ACROSS if square else _ACROSS + 1
    size = len(view.layout.rows)
    spots: dict[int, tuple[int, int]] = {}
    for row, leaves in enumerate(view.layout.rows):
        shift = 0 if square else (size - 1 - row) * across // 2
        spots |= {number: (2 * row, shift + col * across) for col, number in enumerate(leaves)}
    sheet = _Sheet()
    for number, (row, column) in spots.items():
        sheet.put(row, column, _leaf(view, str(number)))
    for a, b in view.bridges:
        (row, column), (below, to) = spots[a], spots[b]
        if row == below:
            start = column + (8 if view.pushed is not None and view.pushed[0] == str(a) else 6)
            sheet.put(row, start, [Span("─" * (to - 1 - start))])
        else:
            side = (to > column) - (to < column)
            sheet.put(row + 1, column + _MIDDLE + 3 * side, [Span({0: "│", 1: "\\", -1: "/"}[side])])
    for home, front in enumerate(view.layout.homes):
        _home(view, sheet, home, *spots[front], square, size)
    return sheet.lines()


def _leaf(view: View, place: Place) -> list[Span]:
    """Return a leaf: its number, and its frog in brackets; of two frogs the second has to go on."""
    owners = view.standing.get(place, ())
    if not owners:
        return [Span(f"{place:>2} · ")]
    inside = [_frog(owners[0])]
    for owner in owners[1:]:
        inside += [Span("!", bold=True), _frog(owner)]
    return [Span(f"{place:>2}("), *inside, Span(")")]


def _home(view: View, sheet: _Sheet, home: int, row: int, column: int, square: bool, size: int) -> None:
    """Write a home beside the leaf in front of it, with its bridge."""
    place = f"H{home}"
    frogs = [_frog(owner) for owner in view.standing.get(place, ())]
    spans = [Span(f"{place}[", bold=True), *frogs, Span("]", bold=True)]
    width = sum(len(span.text) for span in spans)
    middle = column + _MIDDLE
    above = row == 0
    if above or (square and row == 2 * (size - 1)):
        way = -1 if above else 1
        sheet.put(row + way, middle, [Span("║")])
        sheet.put(row + 2 * way, middle - width // 2, spans)
    elif column == 0:
        sheet.put(row, -4 - width, [*spans, Span(" ══ ")])
    else:
        start = column + (8 if view.pushed is not None and view.pushed[0] == str(view.layout.homes[home]) else 6)
        sheet.put(row, start, [Span("══ "), *spans])


def _player(view: View, player: int) -> TextLine:
    homes = [view.home((player + other) % view.players) for other in range(1, view.players)]
    places = " ".join(f"{home} {view.arrived(player, home)}/{view.quota}" for home in homes)
    facts = [f"{view.arrived(player)} of {view.goal} arrived ({places})"]
    if view.phase == "over":
        facts.append(ordinal(view.rank(player)) + (" - winner" if player in view.winners else ""))
    elif view.with_cards:
        left = [_CARD_WORDS[name] for name in CARDS if name in view.cards[player]]
        facts.append(f"cards: {' '.join(left) or 'none'}")
    name = f"Player {player} ({view.home(player)}{', you' if player == view.seat else ''})"
    mark = ">" if player == view.to_play else " "
    swatch = Span(f" {player} ", seat_colour(player, "ink"), seat_colour(player), bold=True)
    return (Span(f"{mark} "), swatch, Span(f" {name}: {', '.join(facts)}", bold=player == view.to_play))


def _legend(view: View) -> list[str]:
    lines = "─ │" if len(view.layout.rows[0]) > 1 else "─ / \\"
    what = [f"{lines} are bridges, ═ ║ those of the homes; (n) is a frog of player n."]
    if view.sent_on is not None:
        what.append("Of the two frogs on a leaf the one behind ! has to go on.")
    return what


def _choices(view: View) -> list[str]:
    """Return what may be done: jumps by frog, then bridges."""
    out: list[str] = []
    for kind in ("jump", "chute"):
        targets: dict[Place, list[Place]] = {}
        for action in view.legal:
            if action.kind == kind:
                targets.setdefault(action.source, []).append(action.target)
        for source in sorted(targets, key=_order):
            ways = " ".join(f">{target}" for target in sorted(targets[source], key=_order))
            out.append(f"{kind} {source}: {ways}")
    for kind in ("bridge", "remove"):
        edges = sorted(action.edge for action in view.legal if action.kind == kind and action.edge)
        if edges:
            words = f"{kind}: {' '.join(f'{a}-{b}' for a, b in edges)}"
            # no break at the hyphens of the names
            out += textwrap.wrap(words, WIDEST, subsequent_indent=" " * (len(kind) + 2), break_on_hyphens=False)
    if "end" in view.kinds():
        out.append("end")
    return out


def _order(place: Place) -> tuple[bool, int]:
    return is_home(place), int(place.strip("H"))
