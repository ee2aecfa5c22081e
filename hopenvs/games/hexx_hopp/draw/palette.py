"""The colours of the pictures, on light and on dark paper."""

from __future__ import annotations

from typing import Final

from hopenvs.render.scene import Colour

COLOURS: Final = (
    # the segments, the pattern on each, and letters on it
    Colour("tile-red", "#cf5d47", "#c95c47"),
    Colour("tile-red-mark", "#fad2c4", "#f6cfc1"),
    Colour("tile-red-ink", "#ffffff", "#ffffff"),
    Colour("tile-yellow", "#eec04f", "#deb04a"),
    Colour("tile-yellow-mark", "#8a5f10", "#74500c"),
    Colour("tile-yellow-ink", "#3d2a02", "#332302"),
    Colour("tile-blue", "#2d5a92", "#315f98"),
    Colour("tile-blue-mark", "#a9c9ea", "#a6c6e8"),
    Colour("tile-blue-ink", "#ffffff", "#ffffff"),
    Colour("tile-white", "#fdfaf2", "#e9e4d6"),
    Colour("tile-white-ink", "#37322b", "#2d2923"),
    Colour("tile-edge", "#3b352c", "#0d0f10"),
    Colour("tile-hub", "#fffdf8", "#f1ece0"),
    Colour("tile-hub-ink", "#37322b", "#2d2923"),
    # face down
    Colour("tile-back", "#64776f", "#586b65"),
    Colour("tile-back-mark", "#a9b8b1", "#879a94"),
    Colour("tile-back-ink", "#ffffff", "#f6f2e8"),
    Colour("tile-back-edge", "#44534d", "#10171a"),
    # the table
    Colour("table", "#e6eadf", "#2d3839"),
    Colour("table-grid", "#d6dccd", "#3a4748"),
    Colour("table-rim", "#a9a08c", "#6f7678"),
    Colour("cell", "#f6f5ea", "#364344"),
    Colour("cell-edge", "#8f967f", "#7d8a86"),
    Colour("cell-ink", "#656b58", "#b4beb6"),
    Colour("chance", "#fff1dc", "#4a3420"),
)
