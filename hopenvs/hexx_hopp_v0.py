"""Hexx & Hopp by PettingZoo's custom: `hexx_hopp_v0.env(players=2)`."""

from hopenvs.registry import PettingZooModule

_module = PettingZooModule("hexx_hopp", 0)
raw_env, env, parallel_env = _module.raw_env, _module.env, _module.parallel_env

__all__ = ["env", "parallel_env", "raw_env"]
