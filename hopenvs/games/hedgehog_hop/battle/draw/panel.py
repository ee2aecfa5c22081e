"""Beside the table: whose turn it is, and every player's hand."""

from __future__ import annotations

from typing import Final

from hopenvs.games.hedgehog_hop.battle.draw.view import View, footnote, headline
from hopenvs.games.hedgehog_hop.draw.cards import slot
from hopenvs.games.hedgehog_hop.draw.panel import EDGE, HEAD, SPACE, STATUS, WIDTH, counted, name, status
from hopenvs.games.hedgehog_hop.draw.pieces import drop_mark, eye, plate, rim, row, spread, tick
from hopenvs.render.scene import Group, Rect, Shape, Text

_CARD: Final = {3: 88.0, 4: 80.0, 5: 68.0, 6: 53.0}  # players -> a card of the panel, pixels


def height(view: View) -> float:
    """Return how high the panel is, pixels."""
    return STATUS + view.players * (_player_height(view) + SPACE)


def panel(view: View) -> tuple[Shape, ...]:
    """Return the cards, the first one at (0, 0)."""
    step = _player_height(view) + SPACE
    return (_status(view), *(_player(view, seat, STATUS + SPACE + seat * step) for seat in range(view.players)))


def _player_height(view: View) -> float:
    return HEAD + _CARD[view.players] + 16


def _status(view: View) -> Group:
    seat = view.to_play if view.to_play is not None else view.winners[0] if view.winners else None
    return status(*headline(view), footnote(view), seat)


def _player(view: View, seat: int, y: float) -> Group:
    won = seat in view.winners
    head, x = name(seat, you=seat == view.seat, won=won)
    shapes: list[Shape] = [plate(WIDTH, _player_height(view), on=won or seat == view.to_play), *head]
    if not view.three and view.phase not in ("crew", "over") and seat == view.start:
        shapes.append(_starter(x, 23))
        x += 70
    if view.acted[seat]:
        shapes.append(tick(x + 9, 23, "has had its turn in this round"))
    shapes += [
        *counted("hand", view.hand_counts[seat], WIDTH - EDGE, 28, end=True),
        *_cards(view, seat, _CARD[view.players], WIDTH - 2 * EDGE),
    ]
    return Group(tuple(shapes), 0, y, role=f"player {seat}")


def _starter(x: float, y: float) -> Group:
    """Return the starting player's marker."""
    shapes = (
        Rect(0, -10, 62, 20, 6, fill="stage"),
        Text(31, 0, "starts", 12.5, "stage-ink", weight="bold", middle=True),
    )
    return Group(shapes, x, y, role="starts", title="the starting player")


def _cards(view: View, seat: int, size: float, room: float) -> list[Shape]:
    """Return a hand, with rims and marks on what may be laid, planned, played or discarded."""
    hand = view.hands[seat]
    if not hand:
        return [slot(EDGE, HEAD, size)]
    usable = {}
    if seat == view.to_play:
        usable = {
            "may be laid": view.usable("crew"),
            "may be planned": view.usable("plan"),
            "may be played": view.usable("play", "hand"),
            "may be discarded": view.usable("discard"),
        }
    shapes: list[Shape] = []
    marks: list[Shape] = []
    for card, known, at in zip(hand, view.known_flags(seat), spread(len(hand), size, room)):
        x = EDGE + at
        for role, names in usable.items():
            if card is not None and card in names:
                shapes.append(rim(x, HEAD, size, role, wide=3.4, title=f"{card} {role}"))
                if role != "may be played":
                    marks.append(drop_mark(x + size * 0.22, HEAD + size + 3, 0.6, role.removeprefix("may be "), card))
        if known:
            marks.append(eye(x + size * 0.56, HEAD + 1, 0.78))
    return [*shapes, *row(hand, EDGE, HEAD, size, room), *marks]
