"""What the tests of RLlib share: one Ray, small and quiet."""

import logging

import pytest


@pytest.fixture(scope="session")
def local_ray():
    """Ray on this machine with two CPUs, for all tests of this process."""
    ray = pytest.importorskip("ray")
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("RAY_USAGE_STATS_ENABLED", "0")
        environment.setenv("RAY_BACKEND_LOG_LEVEL", "fatal")
        quiet = {"log_to_driver": False, "logging_level": logging.ERROR, "include_dashboard": False}
        ray.init("local", num_cpus=2, object_store_memory=100 * 2**20, **quiet)
        yield
        ray.shutdown()
