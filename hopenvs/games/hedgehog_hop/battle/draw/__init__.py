"""A Dance Battle as a picture: crews round the table, the audition line, hands, and what may be done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from hopenvs.games.hedgehog_hop.battle.draw import panel, table, terminal
from hopenvs.games.hedgehog_hop.battle.draw.view import View, headline
from hopenvs.games.hedgehog_hop.draw import key
from hopenvs.games.hedgehog_hop.draw.hedgehogs import logo
from hopenvs.games.hedgehog_hop.draw.legend import Sample, legend
from hopenvs.games.hedgehog_hop.draw.palette import COLOURS
from hopenvs.render.scene import Group, Scene, Shape, Text, text_width

_MARGIN: Final = 28.0
_TITLE: Final = 66.0


def draw_position(
    position: Mapping[str, Any], last: Sequence[str] = (), seat: int | None = None, legal: Sequence[str] = ()
) -> Scene:
    """Return the scene of a position.

    Args:
        position: the position, as `to_position` gives it or a file holds it.
        last: absolute names of the actions just played, oldest first (`push red-rave-hop c0 player 2`), to be pointed
            at. Which cards others have laid or planned isn't told to a seat.
        seat: who looks: its crew lies at the bottom, and what it can't know is hidden; None: everything is open.
        legal: absolute names of what the seat to play may do, to be marked; they are left out for another viewer, as
            they would tell what that seat holds.
    """
    view = View.of(position, last, seat, legal)
    width = _MARGIN + table.WIDTH + _MARGIN + panel.WIDTH + _MARGIN
    words, words_height = legend(_samples(view), [action.name for action in view.last], table.WIDTH)
    top = _MARGIN + _TITLE
    tall = max(table.HEIGHT + 12 + words_height, panel.height(view) + panel.SPACE + key.HEIGHT)
    shapes: tuple[Shape, ...] = (
        _title(view),
        Group(table.bare_table(view.players), _MARGIN, top),
        Group(table.table(view), _MARGIN, top, role="table"),
        Group(panel.panel(view), _MARGIN + table.WIDTH + _MARGIN, top),
        Group(key.key(panel.WIDTH), _MARGIN + table.WIDTH + _MARGIN, top + tall - key.HEIGHT, role="key"),
        Group(words, _MARGIN, top + table.HEIGHT + 12, role="legend"),
    )
    title = f"Hedgehog Hop, Dance Battle Royale: {' '.join(headline(view))}"
    return Scene(round(width), round(top + tall + _MARGIN), shapes, title, terminal.lines(view), COLOURS)


def _title(view: View) -> Group:
    shapes: list[Shape] = [
        logo(34, 30, 0.86),
        Text(76, 40, "Hedgehog Hop", 38, anchor="start", weight="bold"),
        Text(76 + text_width("Hedgehog Hop", 38, "bold") + 18, 40, "Dance Battle Royale", 17, "faint", anchor="start"),
    ]
    if view.seat is not None:
        shapes.append(Text(table.WIDTH - 4, 40, f"view of player {view.seat}", 15, "faint", anchor="end"))
    return Group(tuple(shapes), _MARGIN, _MARGIN - 8)


def _samples(view: View) -> list[Sample]:
    kinds = view.kinds()
    found: list[Sample] = []
    can = "may be taken" if "collect" in kinds else "may be played" if kinds & {"play", "push"} else "may be chosen"
    if view.pushed is not None:
        found.append(("rim", f"just played, or {can}" if kinds else "just played"))
        if view.pushed.move:
            found.append(("push", "pushed"))
    elif kinds:
        found.append(("rim", can))
    if any(view.in_sync_pairs(owner) for owner in range(view.players)):
        found.append(("sync", "In Sync"))
    if kinds & {"play", "push"}:
        found.append(("entry", "a card may enter here"))
    if any(True in view.known_flags(owner) for owner in range(view.players)):
        found.append(("eye", "everybody knows it" + (" (or planned)" if (None,) in view.planned else "")))
    return found
