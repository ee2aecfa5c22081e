"""The batch core: records, chance, kernels. It knows no game, no PettingZoo and no torch (see core/README.md)."""
