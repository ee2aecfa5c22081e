"""Beside the board: whose turn it is, and what every player has; below it, what lies beside the board."""

from __future__ import annotations

from collections import Counter
from typing import Final

from hopenvs.games.hop.draw import turn
from hopenvs.games.hop.draw.animals import Mood, figurine, middle_of, portrait
from hopenvs.games.hop.draw.signs import badge, cup, pile, role_sign
from hopenvs.games.hop.draw.tokens import (
    BALLOON_W,
    BET,
    BIRD,
    CLOUD_W,
    balloon,
    bet,
    burst,
    cloud,
    crow,
    dove,
    lost_balloon,
    no_bet,
    perch,
)
from hopenvs.games.hop.draw.view import (
    ANIMALS,
    BALLOONS,
    BIRD_LIMIT,
    BIRDS,
    ROLES,
    SKILLS,
    View,
    footnote,
    headline,
    ordinal,
    signed,
)
from hopenvs.games.hop.draw.words import counted, label
from hopenvs.render.scene import Circle, Group, Path, Rect, Shape, Text, seat_colour, text_width

WIDTH: Final = turn.WIDTH
STATUS: Final = 96.0
SPACE: Final = 9.0
SUPPLY: Final = 92.0  # height of the supply below the board

_EDGE: Final = 16.0
_LEFT: Final = 90.0  # where a player's names and tokens begin
_ROW: Final = {3: 124.0, 4: 104.0, 5: 92.0, 6: 82.0}  # players -> height of a player's card
_TOKEN: Final = {3: 1.06, 4: 1.0, 5: 1.0, 6: 0.96}  # players -> scale of the tokens on it
_SKILL_LINE: Final = 21.0
_CLOSEST: Final = 19.0  # from a cloud to the next, so that its value is still read


def height(view: View) -> float:
    """Return how high the panel is, pixels."""
    return STATUS + SPACE + turn.HEIGHT + view.players * (_row_height(view) + SPACE)


def panel(view: View) -> tuple[Shape, ...]:
    """Return the cards, the first one at (0, 0); the viewer's own comes first, then its left neighbour's."""
    first = STATUS + SPACE + turn.HEIGHT + SPACE
    step = _row_height(view) + SPACE
    return (
        _status(view),
        Group((turn.turn(view),), 0, STATUS + SPACE),
        *(_player(view, seat, first + place * step) for place, seat in enumerate(view.order)),
    )


def _row_height(view: View) -> float:
    return _ROW[view.players] + (_SKILL_LINE if view.skilled else 0.0)


def _status(view: View) -> Group:
    who, what = headline(view)
    seat = view.to_play if view.to_play is not None else view.winners[0] if view.winners else None
    shapes: list[Shape] = [Rect(0, 0, WIDTH, STATUS, 16, fill="panel", stroke="line", stroke_width=1.5)]
    if seat is not None:
        edge = f"M0 16A16 16 0 0 1 12 .5V{STATUS - 0.5}A16 16 0 0 1 0 {STATUS - 16}Z"
        shapes.append(Path(edge, fill=seat_colour(seat)))
        shapes.append(
            portrait(
                seat, WIDTH - 60, STATUS / 2 + middle_of(seat, 1.4), 1.4, "happy" if view.phase == "over" else "calm"
            )
        )
    shapes.append(Group((Text(28, 37, who, 26, anchor="start", weight="bold"),)))
    shapes.append(Group((Text(28, 64, what, 17, anchor="start"),)))
    shapes.append(Text(28, 85, footnote(view), 14, "faint", anchor="start"))
    return Group(tuple(shapes), role="status")


# ---- a player --------------------------------------------------------------------------------------------------------
def _player(view: View, seat: int, y: float) -> Group:
    won = seat in view.winners
    on = won or seat == view.to_play
    stroke, wide = ("accent", 3.0) if on else ("line", 1.5)
    high = _ROW[view.players]
    first, second = high * 0.3, high * 0.715
    mood: Mood = "happy" if won else "calm" if view.levels[seat] else "sad"
    scale = (high - 20) / 76
    shapes: list[Shape] = [
        Rect(0, 0, WIDTH, _row_height(view), 14, fill="panel", stroke=stroke, stroke_width=wide),
        figurine(seat, 46, high - 10, min(scale, 1.12), mood),
        *_name(view, seat, first),
        *_standing(view, seat, first, second),
        *_part(view, seat, first),
        *_tokens(view, seat, second),
    ]
    if view.skilled:
        shapes.append(_skills(view, seat, high + 4))
    return Group(tuple(shapes), 0, y, role=f"player {seat}")


def _name(view: View, seat: int, y: float) -> list[Shape]:
    x = _LEFT + text_width("Player ", 17, "bold")
    shapes: list[Shape] = [
        label("Player", _LEFT, y, 17, "ink", bold=True),
        label(str(seat), x, y, 17, "ink", bold=True),
    ]
    x += text_width(str(seat), 17, "bold") + 9
    words = f"{ANIMALS[seat]}{', you' if seat == view.seat else ''}"
    shapes.append(label(words, x, y))
    if seat in view.winners:
        shapes.append(cup(x + text_width(words, 14) + 20, y - 1, 0.9))
    return shapes


def _standing(view: View, seat: int, first: float, second: float) -> list[Shape]:
    """Return level, points as far as they are known, and the rank at the end."""
    right = WIDTH - _EDGE
    level, points = view.levels[seat], view.points(seat)
    shapes: list[Shape] = [label(f"level {level}", right, first, 15, "ink", end=True, bold=True)]
    if points is not None:
        shapes.append(label(counted(points, "point"), right, second, end=True))
    if view.phase == "over":
        fill = "accent" if seat in view.winners else "faint"
        shapes.append(label(ordinal(view.rank(seat)), right - 76, first, 18, fill, end=True, bold=True))
    return shapes


def _part(view: View, seat: int, y: float) -> list[Shape]:
    """Return a player's part in the throw: role or bet, and what it may become or choose now."""
    x = 300.0
    if view.nameable(seat):
        return [_offer(view, seat, x, y)]
    role = view.role(seat)
    if role:
        name = label(role, x + 32, y, 15, "ink", bold=True)
        return [Group((role_sign(role, x + 13, y, 1.08), name), role=f"is {role}")]
    shapes: list[Shape] = []
    offered = view.faces(seat)
    for at, face in enumerate(offered):
        shapes.append(_face_offer(face, x + 14 + 100 * at, y))
    token_x = x + (214 if offered else 14)
    made = view.bets[seat]
    if made is not None:
        if view.just_bet(seat):
            shapes.append(Group((Circle(token_x, y, BET + 4.4, fill="accent"),), role="just bet"))
        shapes.append(bet(made, token_x, y, 1.02))
        word = "bet hidden" if made == "hidden" else f"bets {made}"
        shapes.append(label(word, token_x + 23, y))
    elif view.may_bet(seat) and not offered:
        shapes += [no_bet(token_x, y, 0.95), label("to bet", token_x + 23, y)]
    return shapes


def _offer(view: View, seat: int, x: float, y: float) -> Group:
    """Return that a player may be named now, with the words that name it."""
    role = view.nameable(seat)
    words = f"{role} left{view.left(seat)}"
    wide = text_width(words, 14, "bold") + 46
    shapes: tuple[Shape, ...] = (
        Rect(0, -14, wide, 28, 14, fill="accent"),
        role_sign(role, 16, 0, 0.92),
        Text(34, 0, words, 14, "accent-ink", anchor="start", weight="bold", middle=True),
    )
    return Group(shapes, x, y, role=f"legal {role}", title=f"{words}: player {seat}")


def _face_offer(face: str, x: float, y: float) -> Group:
    """Return a bet that may be made now."""
    shapes: tuple[Shape, ...] = (
        Circle(0, 0, BET + 4, fill="accent"),
        bet(face, 0, 0, 1.02, role="offer"),
        Text(23, 0, face, 14, anchor="start", weight="bold", middle=True),
    )
    return Group(shapes, x, y, role="legal bet", title=f"bet {face}")


# ---- what a player has -----------------------------------------------------------------------------------------------
def _tokens(view: View, seat: int, y: float) -> list[Shape]:
    scale = _TOKEN[view.players]
    step = (BALLOON_W + 2.6) * scale
    x = _LEFT + BALLOON_W * scale / 2
    shapes: list[Shape] = []
    count = view.balloons[seat]
    for at in range(BALLOONS):
        if at < count:
            shapes.append(balloon(seat, x + at * step, y - 3, scale))
        else:
            shapes.append(lost_balloon(x + at * step, y - 3, scale))
    if view.settled and view.success is False and seat == view.thrower and count < BALLOONS:
        shapes.append(burst(x + count * step, y - 3, scale))
    bird_step = (2 * BIRD + 2.6) * scale
    x += (BALLOONS - 1) * step + BALLOON_W * scale / 2 + 14 + BIRD * scale
    for kind, draw, number in (("dove", dove, view.doves[seat]), ("crow", crow, view.crows[seat])):
        for at in range(BIRD_LIMIT):
            third = kind if at == BIRD_LIMIT - 1 else ""
            at_x = x + at * bird_step
            shapes.append(draw(at_x, y, scale) if at < number else perch(at_x, y, scale, third))
        x += BIRD_LIMIT * bird_step + 10
    left = x - BIRD * scale + 2
    points = view.points(seat)
    room = WIDTH - _EDGE - left - (0 if points is None else text_width(f"{points} points", 14) + 10)
    if view.just_got_cloud(seat) and view.clouds[seat]:
        rim = Rect(-4, -15, room + 4, 30, 12, stroke="accent", stroke_width=2.4)
        shapes.append(Group((rim,), left, y, role="just got a cloud"))
    shapes.append(Group(_clouds(view.clouds[seat], room, scale), left, y, role="clouds"))
    return shapes


def _clouds(values: tuple[int | None, ...], room: float, scale: float) -> tuple[Shape, ...]:
    """Return clouds in a row that overlap where they must, or, where there are too many, with their numbers."""
    wide = CLOUD_W * scale
    if not values:
        return ()
    step = min(wide + 3, (room - wide) / (len(values) - 1)) if len(values) > 1 else 0.0
    if step >= _CLOSEST or len(values) == 1:
        return tuple(cloud(value, wide / 2 + at * step, 0, scale) for at, value in enumerate(values))
    counts = Counter(values)
    cell = min(wide + 30 * scale, room / len(counts))
    scale *= min(1.0, cell / (wide + 24 * scale))
    shapes: list[Shape] = []
    for at, (value, count) in enumerate(counts.items()):
        x = at * cell
        shapes.append(cloud(value, x + CLOUD_W * scale / 2, 0, scale))
        shapes.append(
            Text(x + CLOUD_W * scale + 2, 1, f"×{count}", 13.5 * scale, anchor="start", weight="bold", middle=True)
        )
    return tuple(shapes)


def _skills(view: View, seat: int, y: float) -> Group:
    """Return the four skills, the one that counts in this throw in bold."""
    shapes: list[Shape] = []
    x = _LEFT
    for skill, role, value in zip(SKILLS, ROLES, view.skills[seat]):
        counts = view.role(seat) == role
        shapes.append(label(skill, x, y, fill="ink" if counts else "faint", bold=counts))
        number_x = x + text_width(skill, 14, "bold") + 6
        shapes.append(label(signed(value), number_x, y, fill="ink" if counts else "faint", bold=counts))
        x += 104
    return Group(tuple(shapes), role="skills", title="percent that they add to the chance; hinder is taken off")


# ---- the supply ------------------------------------------------------------------------------------------------------
def supply(view: View, width: float) -> tuple[Shape, ...]:
    """Return the dares left and put away, the clouds and the birds left."""
    deck, gone = len(view.deck), len(view.put_away)
    birds = BIRDS - sum(view.doves) - sum(view.crows)
    shapes: list[Shape] = [
        Rect(0, 0, width, SUPPLY, 14, fill="panel", stroke="line", stroke_width=1.5),
        pile(deck, 38, 48, "deck", f"{deck} dares face down"),
        *_count("dares", deck, 70),
        pile(min(gone, 1), 172, 48, "put away", f"{gone} dares put away"),
        *_count("put away", gone, 202),
    ]
    if view.cloud_pool is None:
        shapes += [Group((cloud(None, 300, 48, 1.3),), role="cloud pool"), *_count("clouds", view.clouds_left, 328)]
    else:
        for value, count in enumerate(view.cloud_pool):
            x = 292 + 44.0 * value
            parts = (cloud(value, x, 34, 1.1), badge(x, 66, str(count), 13))
            shapes.append(Group(parts, role=f"cloud pool {value}", title=f"{count} clouds of value {value} left"))
    shapes += [dove(434, 36, 1.1), crow(448, 58, 1.1), *_count("birds", birds, 470)]
    return tuple(shapes)


def _count(what: str, count: int, x: float) -> list[Shape]:
    return [
        Group((Text(0, 0, what, 13.5, "faint", anchor="start", middle=True),), x, 36),
        Group((Text(0, 0, str(count), 20, anchor="start", weight="bold", middle=True),), x, 58, role=f"count {what}"),
    ]
