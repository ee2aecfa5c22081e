"""Pictures in the games' READMEs: SVG drawn from stored positions and records, checked to be current.

`games/<game>/pictures/pictures.json` says what to draw: `{name: {"theme", "position", "last", "seat"}}` for a picture
(`last` and `seat`, who looks, may be left out), `{name: {"theme", "record", "pictures", "seconds"}}` for the last so
many positions of a record, animated.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hopenvs.core.game import Game

LARGEST = 300_000  # bytes: a README has to load


def drawn(game: Game, folder: Path) -> dict[Path, str]:
    """Every picture of a game, by the file it belongs in.

    Raises:
        ValueError: for a picture of more than LARGEST bytes.
    """
    listed = folder / "pictures.json"
    if not listed.exists():
        return {}
    found = {}
    for name, what in json.loads(listed.read_text(encoding="utf-8")).items():
        text = _animation(what, folder) if "record" in what else _picture(game, what)
        if len(text) > LARGEST:
            raise ValueError(f"{name}: {len(text)} bytes: expected at most {LARGEST}")
        found[folder / f"{name}.svg"] = text
    return found


def _picture(game: Game, what: dict[str, Any]) -> str:
    from hopenvs.core import state
    from hopenvs.core.options import parse_options
    from hopenvs.core.position import position_options, read_position
    from hopenvs.render.svg import scene_to_svg

    position = what["position"]
    options = parse_options(game, position_options(game, position))
    states = state.new_states(1, state.state_dtype(game.spec(options).record_seats, game.fields(options)))
    record = state.people_view(states)
    read_position(game, options, position, record)
    return scene_to_svg(game.scene(options, record, what.get("seat"), tuple(what.get("last", ()))), what["theme"])


def _animation(what: dict[str, Any], folder: Path) -> str:
    from hopenvs.cli.story import moments
    from hopenvs.core.record import GameRecord
    from hopenvs.render.svg import animate

    record = GameRecord.of((folder / what["record"]).read_text(encoding="utf-8"))
    scenes = [moment.scene for moment in moments(record)]
    return animate(scenes[-what["pictures"] :], what["seconds"], what["theme"])
