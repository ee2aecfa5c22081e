"""Small games solved exactly, and how far an agent is from optimal play in them (README.md beside this file).

>>> from hopenvs import registry
>>> from hopenvs.agents import make_agent
>>> from hopenvs.solve import find_distance, find_positions, solve
>>> game, options = registry.resolve("igel_aergern-2p-v0", {"tracks": 2, "columns": 3, "pieces": 2, "pits": (1, 1)})
>>> solution = solve(find_positions(game, options))
>>> find_distance(solution, make_agent("greedy", game, options)).exploitability
"""

from hopenvs.solve.corners import CORNERS, Corner, default_corner
from hopenvs.solve.distance import Distance, find_distance
from hopenvs.solve.graph import Graph, check_solvable, find_positions
from hopenvs.solve.optimal import Optimal
from hopenvs.solve.values import Solution, solve

__all__ = [
    "CORNERS",
    "Corner",
    "Distance",
    "Graph",
    "Optimal",
    "Solution",
    "check_solvable",
    "default_corner",
    "find_distance",
    "find_positions",
    "solve",
]
