"""The position as text: every crew as its owner sees it, the audition line, hands, and what may be done."""

from __future__ import annotations

from typing import Final

from hopenvs.games.hedgehog_hop.battle.draw.view import CELLS, View, footnote, headline
from hopenvs.games.hedgehog_hop.draw.words import (
    LEGEND,
    code_span,
    code_spans,
    counted,
    in_lines,
    in_order,
    listed,
    player_spans,
    wrapped,
)
from hopenvs.render.scene import Span, TextLine, plain

_WIDE: Final = 15  # characters of a crew


def lines(view: View) -> tuple[TextLine, ...]:
    """Return the lines, uncoloured text being enough to play."""
    who, what = headline(view)
    out: list[TextLine] = [
        (
            Span("Hedgehog Hop battle", bold=True),
            Span(f" · {footnote(view)} · "),
            Span(f"{who} {what}", bold=True),
        ),
        *(wrapped("last: ", [action.name for action in view.last], ", ") if view.last else [plain("")]),
        plain(""),
        *_crews(view),
        plain(""),
        *_middle(view),
        plain(""),
    ]
    for seat in range(view.players):
        out += _player(view, seat)
    out += [plain(""), *_legend(view)]
    if view.legal:
        out += [plain(""), *_choices(view)]
    return tuple(out)


def _crews(view: View) -> list[TextLine]:
    """Return the crews beside each other; a card just played is in brackets."""
    names = []
    for owner in range(view.players):
        you = " (you)" if owner == view.seat else ""
        names.append(f"Player {owner}{you}".ljust(_WIDE))
    out: list[TextLine] = [plain(f"     {''.join(names)}")]
    for row in range(2):
        line = [Span(f"  r{row} ")]
        for owner in range(view.players):
            for column in range(2):
                line += _cell(view, owner, CELLS.index((row, column)))
            line.append(Span(" " * (_WIDE - 12)))
        out.append(tuple(line))
    out.append(plain(f"     {(' c0    c1 ').ljust(_WIDE) * view.players}"))
    together = [owner for owner in range(view.players) if view.in_sync_pairs(owner)]
    if together:
        out.append(plain(f"     In Sync: {', '.join(f'player {owner}' for owner in together)}"))
    return out


def _cell(view: View, owner: int, cell: int) -> list[Span]:
    push = view.pushed
    new = push is not None and push.mover == owner and cell in push.cells
    before, after = ("[", "]") if new else (" ", " ")
    crew = view.crews[owner]
    inside = code_span(crew[cell], bold=new) if cell < len(crew) else Span(" .. ")
    return [Span(before, bold=new), inside, Span(after, bold=new)]


def _middle(view: View) -> list[TextLine]:
    out = listed(f"audition line {len(view.audition)}: ", view.audition)
    out.append(plain(f"draw pile: {counted(view.draw_count, 'card')} face down"))
    if view.face_down:
        out += in_lines([Span("        they are: ")], code_spans(view.face_down), 16)
    if view.three:
        out += in_lines([Span("discard pile, its top last: ")], code_spans(view.discard), 16)
    return out


def _player(view: View, seat: int) -> list[TextLine]:
    """Return who it is, and the cards: the viewer's hand in full, as actions name them."""
    on = seat == view.to_play
    facts = f"Player {seat}{' (you)' if seat == view.seat else ''}"
    facts += " - winner" if seat in view.winners else ""
    if not view.three and view.phase not in ("crew", "over") and seat == view.start:
        facts += ", starts"
    facts += ", has had its turn" if view.acted[seat] else ""
    spans = [*player_spans(seat, facts, on=on)]
    if view.planned[seat]:
        spans += [Span(", planned "), code_span(view.planned[seat][0])]
    out: list[TextLine] = [tuple(spans)]
    hand = view.hands[seat]
    seen = [name for name in hand if name is not None]
    if len(seen) == len(hand) and hand and (seat == view.seat or (view.seat is None and on)):
        out += listed(f"        hand {len(hand)}: ", seen)
    else:
        spare = len(hand) - view.hand_counts[seat]
        planned = [Span("  one of them is planned")] if spare else []
        out += in_lines([Span(f"        hand {view.hand_counts[seat]}: ")], [*code_spans(hand), *planned], 16)
    if view.seat in (None, seat) and view.known[seat] and not view.finale:
        out += in_lines([Span("        known to all: ")], code_spans(view.known[seat]), 16)
    return out


def _legend(view: View) -> list[TextLine]:
    out = [plain(LEGEND)]
    if view.seat is not None and not view.finale:
        out.append(plain("???? is a card that you don't know; what is open in other hands, everybody knows."))
        if any(plan == (None,) for plan in view.planned):
            out.append(plain("An open card of somebody who has planned may also be the planned one."))
    out.append(plain("r0 is a crew's far row, c0 its left column, as its owner sees them. Slides enter at c1,"))
    out.append(plain("grooves at c0, hops at r1 against another player."))
    return out


def _choices(view: View) -> list[TextLine]:
    """Return what may be done, by card, as actions are named by the player whose turn it is."""
    out: list[TextLine] = []
    for kind in ("crew", "plan", "collect", "discard"):
        names = in_order(view.usable(kind))
        if names:
            out += wrapped(f"{kind}: ", names, ", ")
    for source in ("hand", "audition", "pile"):
        for card in in_order(view.usable("play", source)):
            ways = [
                _way(view, action.line, action.target)
                for action in view.legal
                if (action.kind, action.source, action.card) == ("play", source, card)
            ]
            out += wrapped(f"{source} {card}: ", ways, ", ")
    pushes = [_way(view, action.line, action.target) for action in view.legal if action.kind == "push"]
    if pushes:
        out += wrapped("push: ", pushes, ", ")
    targets = sorted({action.target for action in view.legal if action.target >= 0}, key=lambda seat: _left(view, seat))
    if targets:
        out.append(plain(", ".join(f"left{_left(view, seat)} is player {seat}" for seat in targets)))
    return out


def _left(view: View, seat: int) -> int:
    return (seat - (view.to_play or 0)) % view.players


def _way(view: View, line: str, target: int) -> str:
    return line if target < 0 else f"{line} left{_left(view, target)}"
