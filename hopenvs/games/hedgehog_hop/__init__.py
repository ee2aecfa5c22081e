"""Hedgehog Hop: two games over the same cards, `puzzler` and `battle` (README.md beside this file has the rules)."""
