"""speed.png: decisions a second, by face, of every id and every peer."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from statistics import median

from speed import openspiel_games, pgx_games
from speed.cases import ONCE, PETTINGZOO
from speed.claims import Cases, best_own, rates_of
from speed.contest import best
from speed.report import ids_of

FACES = {
    "AEC loop": ("#1f77b4", "o"), "parallel loop": ("#17becf", "D"), "one state at a time": ("#9467bd", "s"),
    "vector, one core, choice included": ("#d62728", "^"), "playouts in compiled code": ("#2ca02c", "v"),
}  # fmt: skip


def points(cases: Cases) -> dict[str, dict[str, list[float]]]:
    """Who -> face -> rates."""
    aec, parallel, state, vector, playouts = FACES
    found: dict[str, dict[str, list[float] | None]] = {}
    for env_id in ids_of(cases):
        rates = {face: rates_of(cases, face, env_id) for face in ("aec", "parallel", "state", "vector", "playouts")}
        found[env_id] = {
            aec: rates["aec"].get("hopenvs"),
            parallel: rates["parallel"].get("hopenvs"),
            state: rates["state"].get("hopenvs"),
            vector: rates["vector"].get(best_own(rates["vector"], "step and choice") or ""),
            playouts: rates["playouts"].get("hopenvs"),
        }
    for name in PETTINGZOO:
        found[f"PettingZoo {name}"] = {aec: rates_of(cases, "pettingzoo", ONCE).get(name)}
    for game in openspiel_games.GAMES:
        name = f"OpenSpiel {game}"
        found[name] = {state: _first(cases, "state", name), playouts: _first(cases, "playouts", name)}
    for game in pgx_games.GAMES:
        rates_ = rates_of(cases, "pgx", ONCE)
        chosen = best(rates_, [f"{game}, {batch}: one core" for batch in pgx_games.BATCHES])
        found[f"pgx {game}"] = {vector: rates_.get(chosen or "")}
    shown = {who: {face: rates for face, rates in faces.items() if rates} for who, faces in found.items()}
    return {who: faces for who, faces in shown.items() if faces}


def _first(cases: Cases, face: str, name: str) -> list[float] | None:
    """A peer's rates beside the first id."""
    return next((rates for env_id in ids_of(cases) if (rates := rates_of(cases, face, env_id).get(name))), None)


def draw(cases: Cases, path: Path) -> None:
    """Write the picture; lines go from the lowest to the highest."""
    from matplotlib.figure import Figure  # without pyplot: no window system, nothing global

    shown: Mapping[str, Mapping[str, list[float]]] = points(cases)
    figure = Figure(figsize=(9, 1.6 + 0.28 * len(shown)), dpi=130, facecolor="white", layout="constrained")
    axes = figure.subplots()
    for row, faces in enumerate(shown.values()):
        for face, rates in faces.items():
            colour, marker = FACES[face]
            axes.plot([min(rates), max(rates)], [row, row], color=colour, linewidth=1.5)
            axes.plot([median(rates)], [row], color=colour, marker=marker, markersize=6, linestyle="")
    used = [face for face in FACES if any(face in faces for faces in shown.values())]
    for face in used:
        colour, marker = FACES[face]
        axes.plot([], [], color=colour, marker=marker, linestyle="", label=face)
    axes.set_xscale("log")
    axes.set_yticks(range(len(shown)), list(shown))
    axes.invert_yaxis()
    axes.grid(axis="both", color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.set_xlabel("decisions a second (median, lowest to highest)")
    figure.legend(loc="outside lower center", ncols=3, frameon=False)
    figure.savefig(path)
