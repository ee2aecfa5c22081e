"""A Puzzler as a picture: the mob on the dance floor, hands and backup dancers, piles, and what may be done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from hopenvs.games.hedgehog_hop.draw import key
from hopenvs.games.hedgehog_hop.draw.hedgehogs import logo
from hopenvs.games.hedgehog_hop.draw.legend import Sample, legend
from hopenvs.games.hedgehog_hop.draw.palette import COLOURS
from hopenvs.games.hedgehog_hop.puzzler.draw import mob, panel, terminal
from hopenvs.games.hedgehog_hop.puzzler.draw.view import View, headline
from hopenvs.render.scene import Group, Scene, Shape, Text, text_width

_MARGIN: Final = 28.0
_TITLE: Final = 66.0


def draw_position(
    position: Mapping[str, Any], last: Sequence[str] = (), seat: int | None = None, legal: Sequence[str] = ()
) -> Scene:
    """Return the scene of a position.

    Args:
        position: the position, as `to_position` gives it or a file holds it.
        last: absolute names of the actions just played, oldest first (`hand green-rave-hop c-1`), to be pointed at.
        seat: who looks: what that seat can't know is hidden; None: everything is open.
        legal: absolute names of what the seat to play may do, to be marked; they are left out for another viewer, as
            they would tell what that seat holds.
    """
    view = View.of(position, last, seat, legal)
    width = _MARGIN + mob.WIDTH + _MARGIN + panel.WIDTH + _MARGIN
    below = mob.HEIGHT + panel.SPACE
    words, words_height = legend(_samples(view), [action.name for action in view.last], mob.WIDTH)
    top = _MARGIN + _TITLE
    tall = max(below + panel.PILES + 12 + words_height, panel.height(view) + panel.SPACE + key.HEIGHT)
    height = top + tall + _MARGIN
    shapes: tuple[Shape, ...] = (
        _title(view),
        Group(mob.floor(), _MARGIN, top),
        Group(mob.mob(view), _MARGIN, top, role="mob"),
        Group(panel.piles(view, mob.WIDTH), _MARGIN, top + below, role="piles"),
        Group(panel.panel(view), _MARGIN + mob.WIDTH + _MARGIN, top),
        Group(key.key(panel.WIDTH), _MARGIN + mob.WIDTH + _MARGIN, top + tall - key.HEIGHT, role="key"),
        Group(words, _MARGIN, top + below + panel.PILES + 12, role="legend"),
    )
    title = f"Hedgehog Hop: {' '.join(headline(view))}"
    return Scene(round(width), round(height), shapes, title, terminal.lines(view), COLOURS)


def _title(view: View) -> Group:
    names = {2: "The Puzzler", 3: "Three-Player Puzzler"}
    subtitle = names.get(view.players, "Puzzler with two decks")
    shapes: list[Shape] = [
        logo(34, 30, 0.86),
        Text(76, 40, "Hedgehog Hop", 38, anchor="start", weight="bold"),
        Text(76 + text_width("Hedgehog Hop", 38, "bold") + 18, 40, subtitle, 17, "faint", anchor="start"),
    ]
    if view.seat is not None:
        shapes.append(Text(mob.WIDTH - 4, 40, f"view of player {view.seat}", 15, "faint", anchor="end"))
    return Group(tuple(shapes), _MARGIN, _MARGIN - 8)


def _samples(view: View) -> list[Sample]:
    kinds = view.kinds()
    found: list[Sample] = []
    can = "may be played" if "play" in kinds else "may be chosen"
    if view.played:
        found.append(("rim", f"just played, or {can}" if kinds else "just played"))
    elif kinds:
        found.append(("rim", can))
    if view.latest is not None:
        found.append(("push", "pushed"))
        if view.in_sync_with(view.latest):
            found.append(("sync", "In Sync"))
    if "play" in kinds:
        found.append(("entry", "a card may enter here"))
    if "steal" in kinds:
        found.append(("take", "may be stolen"))
    if "discard" in kinds:
        found.append(("drop", "may be discarded"))
    return found
