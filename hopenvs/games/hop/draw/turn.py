"""The turn: who has which role in the throw, and the dare with its chance."""

from __future__ import annotations

from math import cos, pi, sin
from typing import Final

from hopenvs.games.hop.draw.animals import middle_of, portrait
from hopenvs.games.hop.draw.signs import pile, role_sign, verdict
from hopenvs.games.hop.draw.view import ROLES, View, dare_name
from hopenvs.games.hop.draw.words import article, fitted, wrapped
from hopenvs.render.scene import Circle, Group, Path, Rect, Shape, Text, seat_colour, text_width

WIDTH: Final = 600.0
HEIGHT: Final = 284.0

_EDGE: Final = 16.0
_ROLES_Y: Final = 84.0  # the middle of the heads
_SPOT: Final = 31.0  # radius of the plate behind a head
_CARD_Y: Final = 148.0
_CARD_H: Final = HEIGHT - _CARD_Y - _EDGE + 2
_PLACES: Final = {2: (170.0, 430.0), 3: (92.0, 276.0, 478.0), 4: (72.0, 232.0, 386.0, 524.0)}
_PIPS: Final = {"easy": 1, "medium": 2, "hard": 3}


def turn(view: View) -> Group:
    """Return the card of the turn, its upper left corner at (0, 0)."""
    shapes: list[Shape] = [
        Rect(0, 0, WIDTH, HEIGHT, 16, fill="panel", stroke="line", stroke_width=1.5),
        Group((Text(_EDGE + 2, 29, "The throw", 17, anchor="start", weight="bold"),)),
    ]
    wanted = [role for role in ROLES if view.wanted(role)]
    if wanted:
        shapes += _last_throw(view)
        shapes += _roles(view, wanted)
        shapes.append(_dare(view))
    else:
        shapes += _no_throw(view)
    return Group(tuple(shapes), role="turn")


def _last_throw(view: View) -> list[Shape]:
    """Return how the last throw went, in the upper right corner."""
    if view.success is None:
        return []
    words = _told(view)
    x = WIDTH - _EDGE - 2
    icon = verdict(view.success, x - text_width(words, 14) - 30, 23, 0.8)
    return [Group((icon, Text(x, 28, words, 14, "faint", anchor="end")), role="last throw")]


def _told(view: View) -> str:
    return f"player {view.thrower}'s throw: {'success' if view.success else 'failure'}"


# ---- roles -----------------------------------------------------------------------------------------------------------
def _roles(view: View, wanted: list[str]) -> list[Shape]:
    places = _PLACES[len(wanted)]
    shapes: list[Shape] = [_arc(places[0] + _SPOT + 8, places[1] - _SPOT - 8)]
    shapes += [_role(view, role, x) for role, x in zip(wanted, places)]
    return shapes


def _arc(left: float, right: float) -> Group:
    """Return the way of the ring from the hurler to the skewerer."""
    middle, y = (left + right) / 2, _ROLES_Y + 10
    shapes: list[Shape] = []
    for number, colour in enumerate(("bow-red", "bow-gold", "bow-green", "bow-blue")):
        rx, ry = (right - left) / 2 - 3.6 * number, 40 - 3.6 * number
        d = f"M{middle - rx:.1f} {y:g}A{rx:.1f} {ry:.1f} 0 0 1 {middle + rx:.1f} {y:g}"
        shapes.append(Path(d, stroke=colour, stroke_width=3.6))
    return Group(tuple(shapes), role="rainbow")


def _role(view: View, role: str, x: float) -> Group:
    """Return who has a role, or where it is still to be given."""
    holder = view.roles[role]
    label = Group((Text(0, _ROLES_Y + 53, role, 14.5, weight="bold"),), x)
    if holder is None:
        now = view.phase == role
        colour = "accent" if now else "faint"
        ring = Circle(0, 0, _SPOT - 1, stroke=colour, stroke_width=2.4 if now else 1.6, dash=(5, 5.5))
        empty = Group((ring, role_sign(role, 0, 0, 1.25)), x, _ROLES_Y)
        title = f"the {role} is still to be named"
        return Group((empty, label), role=f"open {role}", title=title)
    new = view.just_named(role)
    stroke, wide = ("accent", 3.2) if new else ("line", 1.6)
    number = (
        Circle(0, 0, 11, fill=seat_colour(holder), stroke=seat_colour(holder, "deep"), stroke_width=1.4),
        Text(0, 0, str(holder), 13.5, seat_colour(holder, "ink"), weight="bold", middle=True),
    )
    spot: tuple[Shape, ...] = (
        Group((Circle(0, 0, _SPOT, fill="paper", stroke=stroke, stroke_width=wide),), role="just named" if new else ""),
        portrait(holder, 0, middle_of(holder, 0.98), 0.98),
        Group(number, -25, 23),
        role_sign(role, 25, 23, 0.96),
    )
    title = f"player {holder} is the {role}"
    return Group((Group(spot, x, _ROLES_Y), label), role=f"{role} {holder}", title=title)


# ---- the dare --------------------------------------------------------------------------------------------------------
def _dare(view: View) -> Group:
    wide = WIDTH - 2 * _EDGE
    dare = view.dare
    stroke, thick = ("accent", 3.0) if view.just_drawn() else ("card-edge", 1.6)
    shapes: list[Shape] = [Rect(0, 0, wide, _CARD_H, 12, fill="card", stroke=stroke, stroke_width=thick)]
    if dare is None:
        shapes.append(pile(1, 46, _CARD_H / 2, "dare to come", "", 1.25))
        shapes.append(Text(100, _CARD_H / 2 - 10, "The dare is still face down:", 16, anchor="start", middle=True))
        after = "it is drawn when the skewerer is named."
        shapes.append(Text(100, _CARD_H / 2 + 14, after, 16, anchor="start", middle=True))
        return Group(tuple(shapes), _EDGE, _CARD_Y, role="no dare")
    left, room = 108.0, wide - 108.0 - 18
    shapes += [
        _gauge(view, 54, _CARD_H / 2),
        fitted(dare_name(dare), left, 28, 21, room - 92, bold=True),
        *_difficulty(dare.difficulty, wide - 16, 22),
        fitted(_facts(view), left, 49, 14, room, fill="faint"),
    ]
    lines, size = wrapped(dare.text, room, 15, 3)
    shapes += [Text(left, 72 + 19 * at, line, size, anchor="start") for at, line in enumerate(lines)]
    return Group(tuple(shapes), _EDGE, _CARD_Y, role=f"dare {dare.id}", title=dare.text)


def _facts(view: View) -> str:
    """Return what the chance is made of, and whom the dare binds."""
    dare = view.dare
    if dare is None:
        return ""
    facts = [view.sums] if view.sums else []
    if dare.binds:
        facts.append("binds hurler and skewerer" if dare.binds == "both" else f"binds the {dare.binds}")
    facts += [f"with {article(role)}" for role in ("assister", "turbulator") if getattr(dare, role)]
    return " · ".join(facts)


def _gauge(view: View, x: float, y: float) -> Group:
    """Return the chance as a ring that is filled so far, and as a number."""
    chance = view.chance or 0
    radius = 35.0
    angle = 2 * pi * chance / 100
    end_x, end_y = radius * sin(angle), -radius * cos(angle)
    d = f"M0 {-radius:g}A{radius:g} {radius:g} 0 {int(chance > 50)} 1 {end_x:.2f} {end_y:.2f}"
    shapes: tuple[Shape, ...] = (
        Circle(0, 0, radius, stroke="gauge", stroke_width=8),
        Path(d, stroke="gauge-on", stroke_width=8),
        Text(0, -3, f"{chance}%", 19, weight="bold", middle=True),
        Text(0, 14, "chance", 11.5, "faint", middle=True),
    )
    return Group(shapes, x, y, role="chance", title=f"the throw succeeds with {chance}%")


def _difficulty(word: str, right: float, y: float) -> list[Shape]:
    """Return a word and one, two or three pips, ending at x = right."""
    if word not in _PIPS:
        return []
    x = right - text_width(word, 14)
    shapes: list[Shape] = [Text(x, y, word, 14, anchor="start", middle=True)]
    for pip in range(3):
        on = pip < _PIPS[word]
        fill = "accent" if on else "none"
        shapes.append(
            Circle(x - 42 + 13 * pip, y, 4.4, fill=fill, stroke="accent" if on else "faint", stroke_width=1.4)
        )
    return [Group(tuple(shapes), role=f"difficulty {word}")]


def _no_throw(view: View) -> list[Shape]:
    """Return what stands there when nobody throws any more."""
    shapes: list[Shape] = []
    if view.success is not None:
        words = Text(WIDTH / 2, 182, f"the last was {_told(view)}", 15)
        shapes.append(Group((verdict(view.success, WIDTH / 2, 106, 2.8), words), role="last throw"))
    shapes.append(Text(WIDTH / 2, 217, "The game is over.", 19, weight="bold"))
    told = "Score: the value of the level and of the own clouds."
    shapes.append(Text(WIDTH / 2, 244, told, 15, "faint"))
    return shapes
