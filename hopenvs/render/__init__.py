"""Pictures of positions: games describe scenes of shapes, from which SVG, PDF, pixels, text and windows are made.

`scene` is what games import, and needs nothing but Python, as `svg`, `pdf` and `text` do. `raster` (arrays, PNG, GIF)
needs the extra `render`, `window` the extra `window` on top of it. None of them knows any game.
"""
