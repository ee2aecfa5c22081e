"""What spawned workers of the conformance tests import by name."""

import gymnasium

import hopenvs  # noqa: F401 (registers the ids)


def make_env(env_id, seed):
    """A Gymnasium environment of one seat, its first game begun from a seed."""
    env = gymnasium.make(f"hopenvs/{env_id}", illegal="raise")
    env.reset(seed=seed)
    return env
