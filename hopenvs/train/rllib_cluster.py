"""The Ray that a run uses: one of its own on this machine, a cluster that is there already, or the one in use.

Ray's own one has no dashboard and reports nothing to Ray's makers (RAY_USAGE_STATS_ENABLED=0, unless it is set).
"""

from __future__ import annotations

import logging
import os
import socket

import ray

from hopenvs.core.errors import OptionError

OBJECT_STORE = 512 * 2**20  # bytes; the games between two updates pass through it


class Cluster:
    """A connection to Ray, closed by `close`.

    Args:
        address: of a Ray cluster (`HOST:PORT`, or "auto" for the one on this machine); None starts Ray here, for this
            run alone, or uses the connection that this process has.
        runners: how many processes the run needs, a CPU each.

    Raises:
        OptionError: if there is no cluster, or it is too small: Ray would wait for ever.
        ChildProcessError: if Ray does not start here.
    """

    def __init__(self, address: str | None, runners: int) -> None:
        self._own = not ray.is_initialized()
        if not self._own and address is not None:
            raise OptionError(f"ray_address={address!r}: this process is connected to Ray already")
        # Not of every actor whose arguments lie in its object store, where RLlib keeps them for as long as it needs.
        os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")
        logging.getLogger("ray.rllib").setLevel(logging.ERROR)
        quiet = {"log_to_driver": False, "logging_level": logging.ERROR}
        if self._own and address is None:
            os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
            cpus = max(1, runners)
            try:
                ray.init("local", num_cpus=cpus, object_store_memory=OBJECT_STORE, include_dashboard=False, **quiet)
            except Exception as error:  # a bare one, where the machine is too busy for Ray's patience
                ray.shutdown()
                raise ChildProcessError(f"Ray did not start: {error}") from None
        elif self._own:
            try:
                _knock(str(address))
                ray.init(address, **quiet)
            except (OSError, ValueError, RuntimeError) as error:
                reason = str(error).strip().splitlines()[0]
                raise OptionError(f"ray_address={address!r}: no Ray cluster there: {reason}") from None
        there = int(ray.cluster_resources().get("CPU", 0))
        if there < runners:
            self.close()
            raise OptionError(f"num_env_runners={runners}: expected at most {there}, the CPUs of the Ray cluster")

    def close(self) -> None:
        """Disconnect, and stop what was started."""
        if self._own:
            ray.shutdown()


def _knock(address: str) -> None:
    """Find out whether anybody listens at HOST:PORT: Ray itself tries for minutes.

    Raises:
        OSError: if not.
    """
    host, colon, port = address.rpartition(":")
    if colon and port.isdigit() and "/" not in host:
        socket.create_connection((host.strip("[]"), int(port)), timeout=10).close()
