"""The colours of HOP!'s pictures, on light and on dark paper."""

from __future__ import annotations

from typing import Final

from hopenvs.render.scene import Colour

# the seven levels' bands of sky, the lowest first
SKY: Final = tuple(f"sky{level}" for level in range(1, 8))
RAINBOW: Final = ("bow-red", "bow-gold", "bow-green", "bow-blue")

COLOURS: Final = (
    Colour("sky1", "#dcefe9", "#22354a"),
    Colour("sky2", "#d1eaee", "#1f3147"),
    Colour("sky3", "#c4e2ef", "#1c2d44"),
    Colour("sky4", "#b6d9ee", "#1a2941"),
    Colour("sky5", "#a8ceec", "#17253d"),
    Colour("sky6", "#9bc2e8", "#152139"),
    Colour("sky7", "#8fb6e4", "#121c34"),
    Colour("sky-edge", "#6f9ccb", "#3a5478"),
    Colour("way", "#ffffff", "#8aa7cc"),
    Colour("bank", "#ffffff", "#4b6484"),
    Colour("bank-shade", "#dfeaf4", "#384e6c"),
    Colour("bank-edge", "#8fb0cf", "#7d9abd"),
    Colour("badge", "#2f5d8c", "#dbe8f6"),
    Colour("badge-ink", "#ffffff", "#142338"),
    Colour("sun", "#ffd45e", "#f4cf6a"),
    Colour("sun-edge", "#d99a1c", "#8a641a"),
    Colour("star", "#ffffff", "#f6ecc8"),
    Colour("meadow", "#cfe3b4", "#27402f"),
    Colour("meadow-edge", "#86ab60", "#5b8262"),
    Colour("blade", "#7ea556", "#6b9a63"),
    Colour("bow-red", "#e4574a", "#e8695b"),
    Colour("bow-gold", "#f2b632", "#f2bd48"),
    Colour("bow-green", "#58ad6a", "#62b976"),
    Colour("bow-blue", "#4a86d0", "#5b97e0"),
    # figurines
    Colour("sticker", "#fffdf8", "#f2ede2"),
    Colour("cream", "#fff3dd", "#f7e9cf"),
    Colour("pelt-ink", "#2a1d18", "#1a110d"),
    Colour("blush", "#f4a493", "#ee9d8c"),
    Colour("white", "#ffffff", "#ffffff"),
    Colour("trail", "#ffffff", "#ffffff"),
    Colour("trail-edge", "#31485a", "#04131a"),
    # tokens
    Colour("token", "#fffdf6", "#f3eee2"),
    Colour("token-edge", "#8d8470", "#5a5344"),
    Colour("token-ink", "#2c2a28", "#201d1a"),
    Colour("dove-sky", "#7fb4dd", "#4c83b3"),
    Colour("dove-edge", "#2b5c86", "#c9dff2"),
    Colour("crow-dusk", "#d9cbb2", "#b5a68a"),
    Colour("crow-edge", "#6a5c44", "#efe3cc"),
    Colour("crow", "#2b2931", "#1f1d25"),
    Colour("beak", "#f0a13a", "#f0a13a"),
    Colour("cloud", "#fdfeff", "#eaf1f8"),
    Colour("cloud-edge", "#4f7599", "#a9c3de"),
    Colour("cloud-back", "#b9d2e8", "#6d8fb4"),
    Colour("cloud-swirl", "#ffffff", "#d5e4f3"),
    Colour("cloud-ink", "#1f3f5f", "#17304a"),
    Colour("happy", "#ffd968", "#f6cf5c"),
    Colour("unhappy", "#a9bcd6", "#93a9c8"),
    Colour("unseen", "#e6dcc8", "#5a564c"),
    Colour("unseen-mark", "#8a7c62", "#c9c0ad"),
    # the dare
    Colour("card", "#fffaf0", "#2b3135"),
    Colour("card-edge", "#b9a578", "#7c7459"),
    Colour("card-back", "#35618f", "#2c5179"),
    Colour("card-back-light", "#7ea6d0", "#86abd3"),
    Colour("gauge", "#e7dcc4", "#434a4e"),
    Colour("gauge-on", "#3f7d3a", "#8fcf83"),
)
