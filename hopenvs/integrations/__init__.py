"""Thin adapters to other libraries, one file each; none is imported before it is asked for.

| module | library | gives |
|---|---|---|
| `tally` | Gymnasium, PettingZoo | environments that count decisions and illegal moves |
| `wrappers` | PettingZoo | flat observations, stacked frames, an agent indicator, other dtypes, with masks kept right |
"""
