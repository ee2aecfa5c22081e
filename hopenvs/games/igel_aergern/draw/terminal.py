"""The position as text: fields with their stacks from bottom to top, labelled as the actions' names want it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hopenvs.games.igel_aergern.draw.view import View, headline, ordinal
from hopenvs.render.scene import Span, TextLine, plain, seat_colour

_LEAST: Final = 4  # characters that a column is wide, at the least


def lines(view: View, last: Sequence[str], seat: int | None) -> tuple[TextLine, ...]:
    """Return the lines, uncoloured text being enough to play."""
    who, what = headline(view)
    widths = [max(_LEAST, *(len(row[column]) for row in view.stacks)) + 2 for column in range(view.columns)]
    labels = {0: "Start", view.columns - 1: "Ziel"}
    numbers = "".join(str(column).center(width) for column, width in enumerate(widths))
    names = "".join(labels.get(column, "").center(width) for column, width in enumerate(widths))
    out: list[TextLine] = [
        (Span("Igel Ärgern", bold=True), Span(f" · {_when(view)} · "), Span(f"{who} {what}", bold=True)),
        plain(f"last: {', '.join(last)}") if last else plain(""),
        plain(f"{'':8}{numbers}"),
        plain(f"{'':8}{names}"),
    ]
    out += [_track(view, track, widths) for track in range(view.tracks)]
    out.append(plain(""))
    out += [_player(view, player, seat) for player in range(view.players)]
    out.append(plain(""))
    out += [plain(line) for line in _legend(view)]
    return tuple(out)


def _when(view: View) -> str:
    return "setting up" if view.phase == "place" else f"turn {view.turn} · die {view.die}"


def _track(view: View, track: int, widths: Sequence[int]) -> TextLine:
    rolled = view.die == track + 1
    line = [Span(f"{'die > ' if rolled else '':6}{track + 1} ", bold=rolled)]
    for column, width in enumerate(widths):
        owners = view.stacks[track][column]
        before, after = " ", " "
        if column == view.pits[track]:
            before, after = "##" if view.pillars else "[]" if view.holds(track) else "()"
        spare = width - 2 - max(1, len(owners))
        line.append(Span(f"{'':{spare // 2}}{before}"))
        if owners:
            line += [
                Span(str(owner), seat_colour(owner, "ink"), seat_colour(owner), bold=level == len(owners) - 1)
                for level, owner in enumerate(owners)
            ]
        else:
            line.append(Span("·"))
        line.append(Span(f"{after}{'':{spare - spare // 2}}"))
    return tuple(line)


def _player(view: View, player: int, seat: int | None) -> TextLine:
    goals = view.in_goal(player)
    facts = [f"goal {goals}/{view.goal_count}"]
    if view.phase == "place":
        facts.append(f"in hand {view.in_hand(player)}")
    if view.phase == "over":
        facts.append(ordinal(view.rank(player)) + (" - winner" if player in view.winners else ""))
    if player == seat:
        facts.append("you")
    mark = ">" if player == view.to_play else " "
    swatch = Span(f" {player} ", seat_colour(player, "ink"), seat_colour(player), bold=True)
    return (Span(f"{mark} "), swatch, Span(f" Player {player}: {', '.join(facts)}", bold=player == view.to_play))


def _legend(view: View) -> tuple[str, str]:
    stacks = "Stacks stand bottom to top: only the last digit can move."
    if view.pillars:
        return stacks, "## is a pillar: no way through."
    if view.repelling:
        return stacks, "[ ] or ( ) is a pit: it throws back to the start."
    held = "the lowest of its stack" if view.shallow else "its stack"
    return stacks, f"[ ] is a pit that holds {held}, as somebody is further back; ( ) lets go."
