"""Thin adapters to other libraries, one file each; none is imported before it is asked for.

| module | library | gives |
|---|---|---|
| `openspiel` | OpenSpiel | every game with explicit chance: MCTS, CFR, best responses |
| `wrappers` | PettingZoo | flat observations, stacked frames, an agent indicator, other dtypes, with masks kept right |
"""
