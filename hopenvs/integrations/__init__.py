"""Thin adapters to other libraries, one file each; none is imported before it is asked for.

| module | library | gives |
|---|---|---|
| `layers` | PyTorch | layers for networks on board positions: a sparse one, masked logits |
| `rllib` | RLlib | a MultiAgentEnv of any id, an RLModule that masks, PPO set up with both |
| `wrappers` | PettingZoo | flat observations, stacked frames, an agent indicator, other dtypes, with masks kept right |
"""
