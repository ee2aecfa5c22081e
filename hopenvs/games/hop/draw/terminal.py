"""The position as text: the levels, the throw with its dare, what everybody has, and what may be done."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Sequence
from typing import Final

from hopenvs.games.hop.dares import Dare
from hopenvs.games.hop.draw.view import (
    ANIMALS,
    BALLOONS,
    BIRDS,
    ROLES,
    SKILLS,
    TOP,
    View,
    dare_name,
    footnote,
    headline,
    ordinal,
    signed,
)
from hopenvs.games.hop.draw.words import article, counted
from hopenvs.render.scene import Span, TextLine, plain, seat_colour

WIDEST: Final = 100  # characters of a line


def lines(view: View) -> tuple[TextLine, ...]:
    """Return the lines, uncoloured text being enough to play."""
    who, what = headline(view)
    out: list[TextLine] = [
        (Span("HOP!", bold=True), Span(f" · {footnote(view)} · "), Span(f"{who} {what}", bold=True)),
        *(_listed("last: ", [action.name for action in view.last]) if view.last else [plain("")]),
        plain(""),
        *_sky(view),
        plain(""),
        *_throw(view),
        plain(""),
    ]
    out += [*_players(view), plain(""), *_supply(view)]
    if view.legal:
        out += [plain(""), *_choices(view)]
    return tuple(out)


def _wrapped(start: str, words: str) -> list[TextLine]:
    """Return some words after a beginning, in as many lines as they need."""
    found = textwrap.wrap(start + words, WIDEST, subsequent_indent=" " * min(len(start), 10), break_on_hyphens=False)
    return [plain(line) for line in found]


def _listed(start: str, parts: Sequence[str]) -> list[TextLine]:
    """Return a list in as many lines as it needs; none of its parts is broken."""
    lines = [start]
    for at, part in enumerate(parts):
        part += "," if at < len(parts) - 1 else ""
        if len(lines[-1]) + len(part) > WIDEST:
            lines.append(" " * min(len(start), 10))
        lines[-1] += f"{part} "
    return [plain(line.rstrip()) for line in lines]


def _swatch(seat: int) -> Span:
    return Span(f" {seat} ", seat_colour(seat, "ink"), seat_colour(seat), bold=True)


# ---- the sky and the throw -------------------------------------------------------------------------------------------
def _sky(view: View) -> list[TextLine]:
    out: list[TextLine] = []
    for level in range(TOP, -1, -1):
        spans = [Span(f"  level {level} " if level else "  beside  ", bold=True), Span("|" if level else " ")]
        for seat in view.order:
            if view.levels[seat] == level:
                spans += [Span(" "), _swatch(seat), Span(f"{ANIMALS[seat]} ")]
        if level in (0, TOP):
            spans.append(Span("  worth 0, out of the sky" if level == 0 else "  the top: the game ends"))
        out.append(tuple(spans))
    return out


def _throw(view: View) -> list[TextLine]:
    """Return roles, dare and chance, and how the last throw went."""
    out: list[TextLine] = []
    if view.success is not None:
        how = "success" if view.success else "failure"
        out.append(plain(f"last throw: {how} (player {view.thrower})"))
    spans: list[Span] = [Span("throw: ")]
    for role in ROLES:
        if view.wanted(role):
            holder = view.roles[role]
            spans.append(Span(f"{role} "))
            spans += [Span("not named yet") if holder is None else _swatch(holder), Span("  ")]
    if len(spans) > 1:
        out.append(tuple(spans))
    dare = view.dare
    if dare is not None:
        out += _wrapped("dare: ", f"{dare_name(dare)} ({', '.join(_dare_facts(dare))})")
        out += _wrapped("      ", dare.text) if dare.text else []
        out.append(plain(f"chance of success: {view.chance}%" + (f" = {view.sums}" if view.sums else "")))
    elif view.phase == "skewerer":
        out.append(plain("dare: drawn when the skewerer is named"))
    return out


def _dare_facts(dare: Dare) -> list[str]:
    facts = [f"number {dare.id}"]
    if dare.difficulty:
        facts.append(dare.difficulty)
    if dare.binds:
        facts.append("binds hurler and skewerer" if dare.binds == "both" else f"binds the {dare.binds}")
    return facts + [f"with {article(role)}" for role in ("assister", "turbulator") if getattr(dare, role)]


# ---- players ---------------------------------------------------------------------------------------------------------
def _players(view: View) -> list[TextLine]:
    """Return a table of what everybody has; points where the viewer knows them."""
    out: list[TextLine] = [(Span("      player          level  points  balloons  doves  crows  part          clouds"),)]
    for seat in view.order:
        on = seat == view.to_play
        name = f"{ANIMALS[seat]}{' (you)' if seat == view.seat else ''}"
        points = view.points(seat)
        balloons = f"{view.balloons[seat]}/{BALLOONS}"
        facts = f" {name:<15} {view.levels[seat]:>5}  {'?' if points is None else points:>6}  {balloons:>8}"
        facts += (
            f"  {view.doves[seat]:>5}  {view.crows[seat]:>5}  {_part(view, seat):<12}  {_clouds(view.clouds[seat])}"
        )
        out.append((Span("> " if on else "  "), _swatch(seat), Span(facts, bold=on)))
        if view.skilled:
            skills = ", ".join(f"{skill} {signed(value)}" for skill, value in zip(SKILLS, view.skills[seat]))
            out.append(plain(f"      skills in percent: {skills}"))
    return out


def _part(view: View, seat: int) -> str:
    """Return a player's role or bet, or the rank at the end."""
    made = view.bets[seat]
    if view.phase == "over":
        return ordinal(view.rank(seat)) + (", winner" if seat in view.winners else "")
    if made is not None:
        return f"bet {made}"
    return view.role(seat) or ("still to bet" if view.may_bet(seat) else "")


def _clouds(values: Sequence[int | None]) -> str:
    """Write clouds as `2 (0 2)`, or where they are hidden as `2 (? ?)`."""
    if not values:
        return "0"
    if len(values) <= 6:
        return f"{len(values)} ({' '.join('?' if value is None else str(value) for value in values)})"
    counts = Counter("?" if value is None else str(value) for value in values)
    return f"{len(values)} ({' '.join(f'{count}x{value}' for value, count in sorted(counts.items()))})"


def _supply(view: View) -> list[TextLine]:
    birds = BIRDS - sum(view.doves) - sum(view.crows)
    clouds = counted(view.clouds_left, "cloud")
    if view.cloud_pool is not None:
        clouds += f" ({', '.join(f'{count} of value {value}' for value, count in enumerate(view.cloud_pool))})"
    out = [plain(f"left: {counted(len(view.deck), 'dare')}; {clouds}; {counted(birds, 'bird')}")]
    mix = Counter(dare.base for dare in view.deck)
    if mix:
        parts = ", ".join(f"{count} of {base}%" for base, count in sorted(mix.items(), reverse=True))
        helped = [f"{sum(bool(getattr(dare, role)) for dare in view.deck)} with {article(role)}" for role in ROLES[2:]]
        out += _wrapped("in the deck: ", f"{parts}; {', '.join(helped)}")
    if view.put_away:
        out += _listed("put away: ", [dare_name(dare) for dare in view.put_away])
    return out


def _choices(view: View) -> list[TextLine]:
    """Return what may be done, as actions are named by the player whose turn it is."""
    out: list[TextLine] = []
    for role in ROLES[1:]:
        named = sorted({action.target for action in view.legal if action.kind == role}, key=view.left)
        if named:
            parts = [f"left{view.left(seat)} (player {seat}, {ANIMALS[seat]})" for seat in named]
            out += _listed(f"{role}: ", parts)
    faces = [action.face for action in view.legal if action.kind == "bet"]
    if faces:
        meaning = {"happy": "happy (it succeeds)", "unhappy": "unhappy (it fails)"}
        out.append(plain(f"bet: {', '.join(meaning[face] for face in faces)}"))
    return out
