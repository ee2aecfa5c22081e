"""The games: each a package of rules, names, positions and drawing (see games/README.md)."""
