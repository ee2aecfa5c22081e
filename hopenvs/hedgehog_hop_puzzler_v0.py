"""Hedgehog Hop's Puzzlers by PettingZoo's custom: `hedgehog_hop_puzzler_v0.env(players=2)`."""

from hopenvs.registry import PettingZooModule

_module = PettingZooModule("hedgehog_hop.puzzler", 0)
raw_env, env, parallel_env = _module.raw_env, _module.env, _module.parallel_env

__all__ = ["env", "parallel_env", "raw_env"]
