"""Beside the floor: whose turn it is, and every player's hand and backup dancers. Below it: the piles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hopenvs.games.hedgehog_hop.draw.cards import slot
from hopenvs.games.hedgehog_hop.draw.panel import EDGE, HEAD, SMALL, SPACE, STATUS, WIDTH, counted, name, status
from hopenvs.games.hedgehog_hop.draw.pieces import draw_pile, drop_mark, plate, rim, row, spread, take_mark
from hopenvs.games.hedgehog_hop.puzzler.draw.view import View, footnote, headline
from hopenvs.render.scene import Group, Line, Shape, Text

PILES: Final = 106.0  # height of the piles below the floor

_CARD: Final = {2: 62.0, 3: 60.0, 4: 60.0, 5: 58.0, 6: 54.0}  # players -> a card of the panel, pixels
_CAPTION: Final = 26.0
_SPLIT: Final = 258.0  # four players or more: where the backup dancers begin, beside the hand


def height(view: View) -> float:
    """Return how high the panel is, pixels."""
    return STATUS + view.players * (_player_height(view) + SPACE)


def panel(view: View) -> tuple[Shape, ...]:
    """Return the cards, the first one at (0, 0)."""
    step = _player_height(view) + SPACE
    return (_status(view), *(_player(view, seat, STATUS + SPACE + seat * step) for seat in range(view.players)))


def _two_rows(view: View) -> bool:
    return view.players < 4


def _player_height(view: View) -> float:
    size = _CARD[view.players]
    return HEAD + size + (_CAPTION + size if _two_rows(view) else 0.0) + 14


def _status(view: View) -> Group:
    seat = view.to_play if view.to_play is not None else view.winners[0] if view.winners else None
    return status(*headline(view), footnote(view), seat)


def _player(view: View, seat: int, y: float) -> Group:
    won = seat in view.winners
    size = _CARD[view.players]
    head, _ = name(seat, you=seat == view.seat, won=won)
    shapes: list[Shape] = [plate(WIDTH, _player_height(view), on=won or seat == view.to_play), *head]
    hand, dancers = view.hands[seat], view.backups[seat]
    holds, number = ("lead dancer", None) if view.finale else ("hand", len(hand))
    if _two_rows(view):
        room = WIDTH - 2 * EDGE
        lower = HEAD + size + _CAPTION
        shapes += [
            *counted(holds, number, WIDTH - EDGE, 28, end=True),
            *_cards(view, seat, "hand", hand, EDGE, HEAD, size, room),
            *counted("backup dancers", len(dancers), EDGE, lower - 8),
            *_cards(view, seat, "backup", dancers, EDGE, lower, size, room),
        ]
    else:
        shapes += [
            *counted(holds, number, _SPLIT - 22, 28, end=True),
            *_cards(view, seat, "hand", hand, EDGE, HEAD, size, _SPLIT - 20 - EDGE),
            Line(_SPLIT - 10, 16, _SPLIT - 10, HEAD + size, stroke="line", stroke_width=1.5),
            *counted("backup dancers", len(dancers), _SPLIT, 28),
            *_cards(view, seat, "backup", dancers, _SPLIT, HEAD, size, WIDTH - EDGE - _SPLIT),
        ]
    return Group(tuple(shapes), 0, y, role=f"player {seat}")


def _cards(
    view: View, seat: int, source: str, names: Sequence[str | None], x: float, y: float, size: float, room: float
) -> list[Shape]:
    """Return a hand or backup dancers, with rims and marks on what may be played, stolen or discarded."""
    playable = view.usable("play", seat, source)
    stolen = view.usable("steal", seat) if source == "backup" else frozenset()
    dropped = view.usable("discard", seat) if source == "hand" else frozenset()
    shapes: list[Shape] = []
    marks: list[Shape] = []
    if not names:
        shapes.append(slot(x, y, size))
    for card, at in zip(names, spread(len(names), size, room)):
        if card is None:
            continue
        if source == "backup" and card in view.stolen(seat) - playable - stolen:
            shapes.append(rim(x + at, y, size, "just stolen", wide=3.4, title=f"{card} just stolen"))
        if card in playable | stolen | dropped:
            role = "may be played" if card in playable else "may be stolen" if card in stolen else "may be discarded"
            shapes.append(rim(x + at, y, size, role, wide=3.4, title=f"{card} {role}"))
        spot = (x + at + size * 0.2, y + size + 3, 0.6)
        if card in stolen:
            marks.append(take_mark(*spot, "steal", f"steal {card} of player {seat}"))
        elif card in dropped:
            marks.append(drop_mark(*spot, "discard", f"discard {card}"))
    return [*shapes, *row(names, x, y, size, room), *marks]


# ---- the piles -------------------------------------------------------------------------------------------------------
def piles(view: View, width: float) -> tuple[Shape, ...]:
    """Return the draw pile with the cards that lie face up below it, what was pushed out and what was removed."""
    size = 60.0
    top = 34.0
    shapes: list[Shape] = [
        plate(width, PILES),
        Text(EDGE, 23, "draw pile", SMALL, "faint", anchor="start"),
        draw_pile(view.draw_count, EDGE + 2, top, size),
    ]
    parts = [("draw face up", "below it, face up: first drawn at the left", view.queue, 1.0)]
    if view.pushes_out:
        parts.append(("discard pile", "pushed out: the latest at the right", view.discard, 0.9))
    if view.promo is not None and "zombie" in view.promo:
        fate = "tagged out" if view.promo == "vegan_zombie" else "eaten"
        parts.append(("removed", fate, view.removed, 0.55))
    x = EDGE + size + 34
    room = width - x - EDGE - 26 * (len(parts) - 1)
    share = room / sum(weight for *_, weight in parts)
    for role, caption, names, weight in parts:
        wide = share * weight
        content: list[Shape] = [Text(0, 23, caption, SMALL, "faint", anchor="start")]
        if role == "draw face up" and view.discarded:
            left = spread(len(names), size, wide)[-1]
            content.append(rim(left, top, size, "just discarded", wide=3.4, title=f"just discarded: {names[-1]}"))
        content += row(names, 0, top, size, wide) if names else [slot(0, top, size)]
        shapes.append(Group(tuple(content), x, 0, role=role))
        x += wide + 26
    return tuple(shapes)
