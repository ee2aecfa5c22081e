"""Thin adapters to other libraries, one file each; none is imported before it is asked for.

| module | library | gives |
|---|---|---|
| `openspiel` | OpenSpiel | every game with explicit chance: MCTS, CFR, best responses |
| `counts` | none | what was counted: decisions, games, illegal moves |
| `tally` | Gymnasium, PettingZoo | environments that count decisions and illegal moves |
| `sb3` | Stable-Baselines3 | DQN and PPO that keep to the mask |
| `torchrl` | TorchRL | a parallel environment as one of its own |
| `tianshou` | Tianshou | networks that read observations and keep to the mask |
| `pufferlib` | PufferLib | many games as one native environment, a policy that keeps to the mask |
| `layers` | PyTorch | layers for networks on board positions: a sparse one, masked logits |
| `rllib` | RLlib | a MultiAgentEnv of any id, an RLModule that masks, PPO set up with both |
| `wrappers` | PettingZoo | flat observations, stacked frames, an agent indicator, other dtypes, with masks kept right |
"""
