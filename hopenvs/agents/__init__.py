"""Players of any game: a batched interface, and those that need no training."""

from hopenvs.agents.agent import Agent, FunctionAgent, OpenAgent, as_agent
from hopenvs.agents.specs import make_agent
from hopenvs.agents.uniform import Uniform

__all__ = ["Agent", "FunctionAgent", "OpenAgent", "Uniform", "as_agent", "make_agent"]
