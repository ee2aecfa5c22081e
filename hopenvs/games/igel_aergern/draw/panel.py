"""Beside the board: whose turn it is, the die, and every player's hedgehogs in the goal and in hand."""

from __future__ import annotations

from typing import Final

from hopenvs.games.igel_aergern.draw.figures import die, hedgehog
from hopenvs.games.igel_aergern.draw.view import View, headline, ordinal
from hopenvs.render.scene import Circle, Group, Path, Rect, Shape, Text, seat_colour, text_width

WIDTH: Final = 262.0
STATUS: Final = 116.0  # height of the card that says whose turn it is
CARD: Final = 88.0  # height of a player's card
SPACE: Final = 10.0


def height(view: View) -> float:
    """Return how high the panel is, pixels."""
    return STATUS + view.players * (CARD + SPACE)


def panel(view: View, seat: int | None) -> tuple[Shape, ...]:
    """Return the cards, the first one at (0, 0)."""
    cards = (_player(view, player, STATUS + SPACE + player * (CARD + SPACE), seat) for player in range(view.players))
    return (_status(view), *cards)


def _status(view: View) -> Group:
    who, what = headline(view)
    when = "setting up" if view.phase == "place" else f"turn {view.turn}"
    seat = view.to_play if view.to_play is not None else view.winners[0] if view.winners else None
    shapes: list[Shape] = [Rect(0, 0, WIDTH, STATUS, 16, fill="panel", stroke="line", stroke_width=1.5)]
    if seat is not None:
        edge = f"M0 16A16 16 0 0 1 12 .5V{STATUS - 0.5}A16 16 0 0 1 0 {STATUS - 16}Z"
        shapes.append(Path(edge, fill=seat_colour(seat)))
    shapes.append(Text(28, 38, who, 25, anchor="start", weight="bold"))
    shapes.append(Text(28, 64, what, 16, anchor="start"))
    shapes.append(Text(28, 95, when, 14, "faint", anchor="start"))
    if seat is not None and view.phase == "over":
        shapes.append(hedgehog(seat, WIDTH - 52, 84, 1.3, "happy"))
    elif seat is not None and view.phase == "place":
        shapes.append(hedgehog(seat, WIDTH - 46, 105, 0.95))
    elif view.die:
        shapes.append(die(view.die, WIDTH - 42, 80, 50))
    return Group(tuple(shapes), role="status")


def _player(view: View, player: int, y: float, seat: int | None) -> Group:
    won = player in view.winners
    stroke, stroke_width = ("accent", 3.0) if won or player == view.to_play else ("line", 1.5)
    goals = view.in_goal(player)
    shapes: list[Shape] = [
        Rect(0, 0, WIDTH, CARD, 14, fill="panel", stroke=stroke, stroke_width=stroke_width),
        hedgehog(player, 48, CARD / 2 + 17, 0.95, "happy" if won else "calm"),
        Text(98, 37, f"Player {player}", 17, anchor="start", weight="bold"),
        *(_slot(player, 106.0 + 21 * slot, slot < goals) for slot in range(max(view.goal_count, goals))),
    ]
    if player == seat:
        x = 98 + text_width(f"Player {player}", 17, "bold") + 8
        shapes.append(Text(x, 37, "you", 13, "faint", anchor="start"))
    right = WIDTH - 16
    if view.phase == "over":
        fill = "accent" if won else "faint"
        rank = ordinal(view.rank(player))
        shapes.append(Text(right, CARD / 2, rank, 22, fill, anchor="end", weight="bold", middle=True))
    elif view.phase == "place":
        shapes.append(Text(right, 65, f"{view.in_hand(player)} in hand", 15, anchor="end"))
    else:
        shapes.append(Text(right, 65, f"{goals}/{view.goal_count}", 17, "faint", anchor="end"))
    return Group(tuple(shapes), 0, y, role=f"player {player}")


def _slot(player: int, x: float, filled: bool) -> Group:
    """Return a place for a hedgehog in the goal."""
    if not filled:
        return Group((Circle(0, 0, 7, stroke="line", stroke_width=2),), x, 60)
    colour, deep, ink = seat_colour(player), seat_colour(player, "deep"), seat_colour(player, "ink")
    disc = Circle(0, 0, 7.5, fill=colour, stroke=deep, stroke_width=1.5)
    return Group((disc, Path("M-3.4 .2L-.8 2.8L3.6 -2.4", stroke=ink, stroke_width=2)), x, 60)
