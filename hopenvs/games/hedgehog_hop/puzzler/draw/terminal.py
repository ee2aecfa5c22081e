"""The position as text: the mob as a grid of four letters a card, hands, piles, and what may be done."""

from __future__ import annotations

from hopenvs.games.hedgehog_hop.draw.words import (
    LEGEND,
    PROMO_LEGEND,
    WIDEST,
    code_span,
    code_spans,
    counted,
    in_lines,
    in_order,
    listed,
    player_spans,
    wrapped,
)
from hopenvs.games.hedgehog_hop.puzzler.draw.view import View, footnote, headline
from hopenvs.games.hedgehog_hop.puzzler.table import LIMIT
from hopenvs.render.scene import Span, TextLine, plain


def lines(view: View) -> tuple[TextLine, ...]:
    """Return the lines, uncoloured text being enough to play."""
    who, what = headline(view)
    out: list[TextLine] = [
        (Span("Hedgehog Hop", bold=True), Span(f" · {footnote(view)} · "), Span(f"{who} {what}", bold=True)),
        *(wrapped("last: ", [action.name for action in view.last], ", ") if view.last else [plain("")]),
        plain(""),
        *_mob(view),
        plain(""),
    ]
    for seat in range(view.players):
        out += _player(view, seat)
    out += [plain(""), *_piles(view), plain(""), *_legend(view)]
    if view.legal:
        out += [plain(""), *_choices(view)]
    return tuple(out)


def _mob(view: View) -> list[TextLine]:
    """Return the mob; a card just played is in brackets where there is room."""
    left, right, low, high = view.bounds
    columns = range(left, right + 1)
    apart = 6 if 6 * len(columns) + 10 <= WIDEST else 5 if 5 * len(columns) + 8 <= WIDEST else 4
    out: list[TextLine] = []
    for y in range(high, low - 1, -1):
        label = f"r{y}" if view.has_line(f"r{y}") else ""
        line = [Span(f"{label:>4} ")]
        for x in columns:
            name = view.mob.get((x, y))
            new = apart == 6 and (x, y) in view.played
            before, after = ("[", "]") if new else (" " * (apart > 5), " " * (apart > 4))
            line.append(Span(before, bold=new))
            line.append(code_span(name, bold=new) if name else Span(" ·  "))
            line.append(Span(after, bold=new))
        out.append((*line, Span(f" {label}")))
    numbers = "".join(_number(view, x, apart) for x in columns)
    out.append(plain(f"     {numbers}"))
    return out


def _number(view: View, x: int, apart: int) -> str:
    if not view.has_line(f"c{x}"):
        return " " * apart
    name = f"c{x}" if apart > 4 else str(x)
    return f"{' ' * (apart > 5)}{name:^4}{' ' * (apart > 4)}"


def _player(view: View, seat: int) -> list[TextLine]:
    """Return who it is, and the cards: the viewer's hand in full, as actions name them."""
    hand, backups = view.hands[seat], view.backups[seat]
    on = seat == view.to_play
    you = " (you)" if seat == view.seat else ""
    won = " - winner" if seat in view.winners else ""
    out: list[TextLine] = [player_spans(seat, f"Player {seat}{you}{won}", on=on)]
    seen = [name for name in hand if name is not None]
    if view.finale:
        out += listed("        lead dancer: ", seen)
    elif seen and (seat == view.seat or (view.seat is None and on)):
        out += listed(f"        hand {len(hand)}: ", seen)
    else:
        out += in_lines([Span(f"        hand {len(hand)}: ")], code_spans(hand), 16)
    if on:
        out += listed(f"        backup dancers {len(backups)}: ", backups)
    else:
        out += in_lines([Span(f"        backup dancers {len(backups)}: ")], code_spans(backups), 16)
    return out


def _piles(view: View) -> list[TextLine]:
    out = [plain(f"draw pile: {counted(view.draw_count, 'card')} face down")]
    if view.face_down:
        out += in_lines([Span("        they are: ")], code_spans(view.face_down), 16)
    out += in_lines([Span("        then face up: ")], code_spans(view.queue), 16)
    if view.pushes_out:
        out += in_lines([Span("pushed out, the latest last: ")], code_spans(view.discard), 16)
    if view.promo is not None and "zombie" in view.promo:
        words = "tagged out" if view.promo == "vegan_zombie" else "eaten"
        out += in_lines([Span(f"{words}: ")], code_spans(view.removed), 16)
    return out


def _legend(view: View) -> list[TextLine]:
    out = [plain(LEGEND)]
    if view.promo is not None:
        out.append(plain(PROMO_LEGEND["unicorn" if view.promo == "unicorn" else "zombie"]))
    out.append(plain("Hops enter columns from below, grooves rows from the left, slides rows from the right."))
    if view.pushes_out:
        out.append(plain(f"A line of {LIMIT} or more that is entered pushes its last card out."))
    return out


def _choices(view: View) -> list[TextLine]:
    """Return what may be done: plays by card, then cards to discard or to steal."""
    out: list[TextLine] = []
    plays: dict[tuple[str, str], list[int]] = {}
    for action in view.legal:
        if action.kind == "play":
            plays.setdefault((action.source, action.card), []).append(action.number)
    for source in ("hand", "backup"):
        for card in in_order(card for where, card in plays if where == source):
            letter = "c" if card.endswith("hop") else "r"
            entries = [f"{letter}{number}" for number in sorted(plays[source, card])]
            out += wrapped(f"{source} {card}: ", entries)
    dropped = in_order({action.card for action in view.legal if action.kind == "discard"})
    if dropped:
        out += wrapped("discard: ", dropped, ", ")
    mover = view.to_play or 0
    for left in range(1, view.players):  # actions name the victim as the mover sees it
        victim = (mover + left) % view.players
        stolen = in_order({action.card for action in view.legal if action.victim == victim})
        if stolen:
            out += wrapped(f"steal left{left} (player {victim}): ", stolen, ", ")
    if "no steal" in view.kinds():
        out.append(plain("no steal"))
    return out
