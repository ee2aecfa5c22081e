"""The tables of the results, and what was reached."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable
from typing import Any

from speed import openspiel_games
from speed.cases import CONNECT_FOUR, ONCE
from speed.claims import CLAIMS, Cases, beside_openspiel, best_own, best_writing, facts_of, rates_of, writing_like
from speed.contest import ratios

SCALES = ((1e6, " M"), (1e3, " k"), (1.0, ""))
SIZES = ("mask", "observation", "record", "row of a batch", "AEC environment")


def spread(values: list[float] | None) -> str:
    """The median, with the lowest and the highest."""
    if values is None:
        return ""
    middle = statistics.median(values)
    size, unit = next(((size, unit) for size, unit in SCALES if abs(middle) >= size), (1.0, ""))
    low, mid, high = (figure(value / size) for value in (min(values), middle, max(values)))
    return f"{mid}{unit}" if len(values) == 1 else f"{mid}{unit} ({low} to {high})"


def figure(value: float) -> str:
    """Three digits that count, without an exponent."""
    digits = 2 - math.floor(math.log10(abs(value))) if value else 0
    return f"{value:,.{max(0, digits)}f}"


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Markdown, figures to the right; columns in which nothing stands are left out."""
    lines = [list(head), *map(list, rows)]
    kept = [k for k in range(len(lines[0])) if k == 0 or any(line[k] for line in lines[1:])]
    lines = [[line[k] for k in kept] for line in lines]
    lines.insert(1, ["---", *["--:"] * (len(kept) - 1)])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def by_id(cases: Cases, face: str, columns: dict[str, str]) -> str:
    """A table of a face's rates: a row an id; `columns` name contestants by their headings."""
    ids = [key.partition("/")[2] for key in cases if key.startswith(f"{face}/")]
    rows = []
    for env_id in ids:
        rates = rates_of(cases, face, env_id)
        rows.append([env_id, *(spread(rates.get(name)) for name in columns.values())])
    return table(["id", *columns], rows) if rows else "Not measured.\n"


def ids_of(cases: Cases) -> list[str]:
    """All ids of which anything was measured."""
    return [env_id for env_id in dict.fromkeys(key.partition("/")[2] for key in cases) if env_id != ONCE]


def verdicts(cases: Cases) -> str:
    """A line for each claim: who meets it and who doesn't."""
    lines = []
    for claim in CLAIMS:
        found = {env_id: claim.values(cases, env_id) for env_id in ids_of(cases)}
        measured = {env_id: values for env_id, values in found.items() if values}
        missed = {e: statistics.median(values) for e, values in measured.items() if not claim.met(values)}
        if not measured:
            lines.append(f"- {claim.heading}: not measured")
        elif missed:
            named = ", ".join(f"{env_id} {figure(value)}" for env_id, value in missed.items())
            lines.append(f"- {claim.heading}: **not met** by {len(missed)} of {len(measured)}: {named}")
        else:
            lowest = sorted(statistics.median(values) for values in measured.values())
            lines.append(f"- {claim.heading}: met by all {len(measured)} ({figure(lowest[0])} to {figure(lowest[-1])})")
    return "\n".join(lines) + "\n"


def reached(cases: Cases) -> str:
    """Every claim for every id."""
    rows = []
    for env_id in ids_of(cases):
        row = [env_id]
        for claim in CLAIMS:
            values = claim.values(cases, env_id)
            row.append("" if values is None else spread(values) + ("" if claim.met(values) else ", **not met**"))
        rows.append(row)
    return table(["id", *(claim.heading for claim in CLAIMS)], rows)


def bytes_written(cases: Cases) -> str:
    """How near the vector face comes to merely writing its masks and observations."""
    rows = []
    for env_id in ids_of(cases):
        rates = rates_of(cases, "vector", env_id)
        step = best_own(rates, "step")
        if step is None:
            continue
        row = [env_id, f"{facts_of(cases, 'vector', env_id)['bytes']:,}", spread(rates[step])]
        for writing in (best_writing(rates, "fresh"), best_writing(rates, "kept"), writing_like(step)):
            row += [spread(rates.get(writing or "")), spread(ratios(rates, step, writing))]
        rows.append(row)
    of = "step / that"
    into = ("fresh arrays", of, "kept arrays", of, "kept arrays at the step's N", of)
    return table(("id", "bytes a decision", "step", *into), rows) if rows else "Not measured.\n"


def openspiel_table(cases: Cases) -> str:
    """Ratios to each of OpenSpiel's games; the one of like weight is marked."""
    rows = []
    for env_id in ids_of(cases):
        rates, facts = rates_of(cases, "vector", env_id), facts_of(cases, "vector", env_id)
        if facts:
            like = openspiel_games.nearest(facts["bytes"])
            row = [env_id]
            for name in openspiel_games.LIKE_OURS:
                found = spread(beside_openspiel(rates, name))
                row.append(f"**{found}**" if found and name == like else found)
            rows.append(row)
    return table(["id", *openspiel_games.LIKE_OURS], rows) if rows else "Not measured.\n"


def sizes(cases: Cases) -> str:
    """Memory."""
    rows = []
    for env_id in ids_of(cases):
        facts = facts_of(cases, "memory", env_id)
        if facts:
            rows.append([env_id, *("" if facts[name] is None else f"{facts[name]:,.0f}" for name in SIZES)])
    peer = facts_of(cases, "memory", ONCE).get(f"PettingZoo {CONNECT_FOUR}")
    rows.append(
        [f"PettingZoo {CONNECT_FOUR}", *[""] * (len(SIZES) - 1), "not measured" if peer is None else f"{peer:,.0f}"]
    )
    return table(["id", *SIZES], rows)


def others(cases: Cases) -> str:
    """How busy others kept the machine."""
    shares = {key: case["others"] for key, case in cases.items() if case.get("others") is not None}
    if not shares:
        return "Whether others used the machine meanwhile isn't known."
    threads = [share for key, share in shares.items() if key.startswith("vector/")] or [0.0]
    return (
        f"Other processes took {100 * statistics.mean(shares.values()):.0f} % of all cores' time meanwhile, and while "
        f"threads were compared {100 * min(threads):.0f} to {100 * max(threads):.0f} %."
    )


def facts_table(cases: Cases, face: str, words: dict[str, str]) -> str:
    """A table of what was found once an id: `words` are headings and the facts they show."""
    rows = []
    for env_id in ids_of(cases):
        facts = facts_of(cases, face, env_id)
        if "missing" in facts:
            rows.append([env_id, facts["missing"], *[""] * (len(words) - 1)])
        elif facts:
            rows.append([env_id, *(figure(facts[name]) if name in facts else "" for name in words.values())])
    return table(["id", *words], rows) if rows else "Not measured.\n"


def missing(machine: dict[str, Any]) -> str:
    """Which peers aren't there."""
    absent = [name for name in ("open_spiel", "pgx", "jax") if machine[name] is None]
    return f"Not installed, and so left out: {', '.join(absent)}.\n\n" if absent else ""


def once(cases: Cases, face: str, names: Iterable[str] | None) -> str:
    """The rates of a case that is about no id; a peer that isn't there is said to be missing."""
    rates = rates_of(cases, face, ONCE)
    shown = rates if names is None else names
    rows = [[name, spread(rates.get(name)) or "not installed"] for name in shown]
    return table(["game", "decisions/s"], rows or [["all", "not installed"]]) if f"{face}/{ONCE}" in cases else ""
