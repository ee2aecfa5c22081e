"""HOP! by PettingZoo's custom: `hop_v0.env(players=4)`."""

from hopenvs.registry import PettingZooModule

_module = PettingZooModule("hop", 0)
raw_env, env, parallel_env = _module.raw_env, _module.env, _module.parallel_env

__all__ = ["env", "parallel_env", "raw_env"]
