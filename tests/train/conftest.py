"""What the tests of training share: settings for runs of a few seconds."""

import pytest

pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")

from hopenvs import registry
from hopenvs.train.config import TrainConfig
from tests.games_for_tests import card_game, tick_game

TINY = {
    "steps": 4 * 64,
    "num_envs": 8,
    "rollout": 8,
    "batch_size": 32,
    "epochs": 2,
    "trunk": (16,),
    "heads": (8,),
    "mix": {"self": 1.0, "pool": 1.0, "uniform": 1.0},
    "pool_size": 2,
    "snapshots": 3,
    "evaluations": 2,
    "evaluation_games": 4,
    "final_games": 8,
    "yardsticks": ("uniform",),
    "shaping": 0.0,
    "checkpoint_seconds": 0.0,
    "threads": 1,
    "seed": 3,
}


@pytest.fixture(scope="session")
def ids():
    """The test games, registered: {"card_game": id, "tick_game": id}."""
    return {game.ID: registry.register(game) for game in (card_game, tick_game)}


@pytest.fixture
def tiny(ids):
    """`tiny(**changes)`: settings of a short run on the card game."""
    return lambda **changes: TrainConfig(**{"env": ids["card_game"], **TINY, **changes})
