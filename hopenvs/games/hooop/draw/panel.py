"""Beside the board: whose turn it is, how far every player has got, and the cards that are left."""

from __future__ import annotations

from typing import Final

from hopenvs.games.hooop.draw.figures import CARD_W, Mood, card, frog
from hopenvs.games.hooop.draw.view import CARDS, View, headline, ordinal
from hopenvs.render.scene import Circle, Group, Path, Rect, Shape, Text, seat_colour, text_width

WIDTH: Final = 276.0
STATUS: Final = 116.0  # height of the card that says whose turn it is
PLAYER: Final = 92.0  # height of a player's card
CARDS_HEIGHT: Final = 70.0  # what the four cards add to it
SPACE: Final = 10.0


def height(view: View) -> float:
    """Return how high the panel is, pixels."""
    return STATUS + view.players * (_player_height(view) + SPACE)


def panel(view: View) -> tuple[Shape, ...]:
    """Return the cards, the first one at (0, 0)."""
    step = _player_height(view) + SPACE
    return (_status(view), *(_player(view, player, STATUS + SPACE + player * step) for player in range(view.players)))


def _player_height(view: View) -> float:
    return PLAYER + (CARDS_HEIGHT if view.with_cards else 0.0)


def _status(view: View) -> Group:
    who, what = headline(view)
    seat = view.to_play if view.to_play is not None else view.winners[0] if view.winners else None
    shapes: list[Shape] = [Rect(0, 0, WIDTH, STATUS, 16, fill="panel", stroke="line", stroke_width=1.5)]
    if seat is not None:
        edge = f"M0 16A16 16 0 0 1 12 .5V{STATUS - 0.5}A16 16 0 0 1 0 {STATUS - 16}Z"
        shapes.append(Path(edge, fill=seat_colour(seat)))
    size = min(16.0, 16.0 * (WIDTH - 28 - 14) / text_width(what, 16))
    shapes.append(Group((Text(28, 38, who, 25, anchor="start", weight="bold"),)))
    shapes.append(Group((Text(28, 68, what, size, anchor="start"),)))
    shapes.append(Text(28, 97, f"turn {view.turn}", 14, "faint", anchor="start"))
    if view.sent_on is not None:
        shapes.append(frog(view.sent_on[1], WIDTH - 42, 30, 0.78, "startled"))
    elif seat is not None:
        mood: Mood = "happy" if view.phase == "over" else "calm"
        shapes.append(frog(seat, WIDTH - 42, 30, 0.78, mood))
    return Group(tuple(shapes), role="status")


def _player(view: View, player: int, y: float) -> Group:
    won = player in view.winners
    stroke, stroke_width = ("accent", 3.0) if won or player == view.to_play else ("line", 1.5)
    shapes: list[Shape] = [
        Rect(0, 0, WIDTH, _player_height(view), 14, fill="panel", stroke=stroke, stroke_width=stroke_width),
        frog(player, 44, 50, 1.0, "happy" if won else "calm"),
        Text(86, 34, f"Player {player}", 17, anchor="start", weight="bold"),
        *_quotas(view, player),
    ]
    if player == view.seat:
        x = 86 + text_width(f"Player {player}", 17, "bold") + 8
        shapes.append(Text(x, 34, "you", 13, "faint", anchor="start"))
    right = WIDTH - 16
    if view.phase == "over":
        fill = "accent" if won else "faint"
        shapes.append(Text(right, 36, ordinal(view.rank(player)), 20, fill, anchor="end", weight="bold"))
    else:
        shapes.append(Text(right, 34, f"{view.arrived(player)} of {view.goal}", 15, "faint", anchor="end"))
    if view.with_cards:
        left, step = 16 + CARD_W / 2, (WIDTH - 32 - CARD_W) / (len(CARDS) - 1)
        offered = view.offered()
        for at, name in enumerate(CARDS):
            shapes.append(
                card(
                    name,
                    name in view.cards[player],
                    player == view.to_play and name in offered,
                    left + at * step,
                    PLAYER + 20,
                )
            )
    return Group(tuple(shapes), 0, y, role=f"player {player}")


def _quotas(view: View, player: int) -> list[Shape]:
    """Return for every opponent's home the places that it has for the player's frogs, and which are taken."""
    shapes: list[Shape] = []
    x = 86.0
    for other in range(1, view.players):
        owner = (player + other) % view.players
        home = view.home(owner)
        there = view.arrived(player, home)
        places: list[Shape] = [
            Rect(0, -9, 25, 18, 5, fill=seat_colour(owner), stroke=seat_colour(owner, "deep")),
            Text(12.5, 0, home, 11.5, seat_colour(owner, "ink"), weight="bold", middle=True),
        ]
        places += [_slot(player, 35.0 + 17 * slot, slot < there) for slot in range(max(view.quota, there))]
        title = f"{there} in home {home}, which takes {view.quota}"
        shapes.append(Group(tuple(places), x, 59, role=f"quota {home}", title=title))
        x += 35.0 + 17 * max(view.quota, there)
    return shapes


def _slot(player: int, x: float, filled: bool) -> Group:
    """Return a place for a frog in a home."""
    if not filled:
        return Group((Circle(0, 0, 6, stroke="faint", stroke_width=1.6),), x, 0, role="free place")
    colour, deep, ink = seat_colour(player), seat_colour(player, "deep"), seat_colour(player, "ink")
    disc = Circle(0, 0, 7, fill=colour, stroke=deep, stroke_width=1.5)
    return Group((disc, Path("M-3.2 .2L-.8 2.6L3.4 -2.2", stroke=ink, stroke_width=2)), x, 0, role="taken place")
