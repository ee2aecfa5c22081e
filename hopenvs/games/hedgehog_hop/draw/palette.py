"""The colours of Hedgehog Hop's pictures, on light and on dark paper."""

from __future__ import annotations

from typing import Final

from hopenvs.render.scene import Colour

COLOURS: Final = (
    # the three colours of the cards: border, outlines, and the paper inside
    Colour("card-green", "#3c9a48", "#4aa657"),
    Colour("card-green-deep", "#1c5428", "#143d1d"),
    Colour("card-green-pale", "#dcefd3", "#bfdcb6"),
    Colour("card-red", "#d8402f", "#dd5443"),
    Colour("card-red-deep", "#7a1a10", "#5c130b"),
    Colour("card-red-pale", "#fbdfd6", "#edc3b7"),
    Colour("card-blue", "#3472d4", "#4c84e0"),
    Colour("card-blue-deep", "#143a80", "#0f2c63"),
    Colour("card-blue-pale", "#d9e6fb", "#b9cdf0"),
    Colour("card-gold", "#e0a92e", "#dba933"),
    Colour("card-gold-deep", "#7c5510", "#5e400c"),
    Colour("card-gold-pale", "#fdf2d2", "#eadcae"),
    Colour("card-ink", "#2a2230", "#1f1826"),
    Colour("card-pattern", "#ffffff", "#f4efe6"),
    Colour("card-back", "#54397a", "#5b3f86"),
    Colour("card-back-deep", "#2f1d49", "#241439"),
    Colour("card-back-light", "#b59ad8", "#a98fcd"),
    # hedgehogs
    Colour("fur", "#f9e6cb", "#f3dcbb"),
    Colour("fur-edge", "#6d4a2e", "#553822"),
    Colour("undead", "#b9c9a0", "#a9ba90"),
    Colour("nose", "#2a1d18", "#1a110d"),
    Colour("cheek", "#f2a08e", "#ea9583"),
    Colour("tongue", "#d9536b", "#d9536b"),
    Colour("shoe", "#ffffff", "#f4efe6"),
    Colour("snow", "#ffffff", "#f6f2ea"),
    # what they wear
    Colour("vinyl", "#262229", "#1d1920"),
    Colour("vinyl-groove", "#7b7482", "#77707e"),
    Colour("lens", "#f08a24", "#ee8c2a"),
    Colour("lens-shine", "#ffd79a", "#ffd79a"),
    Colour("neon-pink", "#ff4fa8", "#ff5cb0"),
    Colour("neon-lime", "#c6f135", "#cdf53e"),
    Colour("neon-cyan", "#25d0e8", "#34d8ee"),
    Colour("chili", "#d92b1e", "#de3427"),
    Colour("chili-stem", "#3f7d2e", "#46872f"),
    Colour("flame", "#ff8a1e", "#ff8f28"),
    Colour("flame-heart", "#ffd84a", "#ffdd57"),
    Colour("box", "#4b4a57", "#474653"),
    Colour("box-light", "#c9c7d2", "#c3c1cc"),
    Colour("cap", "#2f2c3a", "#2b2836"),
    Colour("chain", "#f2c230", "#f2c230"),
    Colour("horn", "#ffd667", "#ffd667"),
    # where they dance
    Colour("floor", "#eee5f6", "#251f30"),
    Colour("floor-tile", "#e3d6ef", "#2e273b"),
    Colour("floor-line", "#cdbbe0", "#423757"),
    Colour("stage", "#5d4182", "#3a2a52"),
    Colour("stage-deep", "#452c66", "#281b3b"),
    Colour("stage-ink", "#ffffff", "#f1ece1"),
    Colour("bulb", "#ffd873", "#ffd873"),
    Colour("spot", "#fff3c2", "#8f79b8"),
    Colour("sync", "#c2187e", "#ff7cc4"),
    Colour("sync-ink", "#ffffff", "#2a0c1d"),
)
