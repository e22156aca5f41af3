"""Workers of a Ray cluster; no other module of the project imports Ray.

Ray could retry failed tasks itself, but it would not report the number of retries. Tasks are
therefore submitted without retries, and a lost task is counted and submitted again, as by other
workers.
"""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from experiments.workers.probe import Probe, probe, require_same
from sim.errors import InputError
from sim.interruption import uninterrupted
from sim.play.workers.current import working_with
from sim.play.workers.processes import Answer, RemoteWorkers, Waiting, do_task
from sim.play.workers.seam import JobCache, Payload, Threads, n_cores

# Size in bytes of the object store of a cluster that is started here, chosen by hand. The store
# contains only the payloads of jobs; by default, Ray would reserve 30 % of the machine's memory.
_STORE_BYTES = 200 * 2**20
_shelf = JobCache()  # each process of the cluster has its own


def _do(digest: str, contents: Sequence[Any], piece: Any) -> Answer:
    """Do a task in a process of the cluster, and return its answer.

    The payload of the job is fetched only if the process has not cached the job.

    Args:
        digest: hash of the job's payload.
        contents: reference to the payload, in a list so that Ray does not fetch it automatically.
        piece: task of the job.
    """
    content = None if digest in _shelf else memoryview(_ray().get(contents[0]))
    with working_with(Threads(1)):
        return do_task(_shelf, digest, content, piece)


def _ray() -> Any:
    """Return the module `ray`, imported with suitable settings.

    Raises:
        InputError: Ray is not installed.
    """
    # Ray reads these variables when it is imported. They disable usage reports, keep Ray from
    # changing the visible graphics cards, and allow two minutes for the start of its processes,
    # because a busy machine needs more than the default of half a minute.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    os.environ.setdefault("RAY_raylet_start_wait_time_s", "120")
    try:
        import ray  # noqa: PLC0415 - an extra
    except ImportError:
        raise InputError(
            "Ray is not installed",
            place=_PLACE,
            remedy="run: pip install 'evenhand[ray]'",
        ) from None
    return ray


_PLACE = "--workers ray"


@dataclass
class RayWorkers(RemoteWorkers):
    """Workers on all cores of a Ray cluster."""

    @classmethod
    def connect(cls, note: Callable[[str], None]) -> RayWorkers:
        """Return workers on all cores of a cluster, after a check that its nodes run the same code.

        The cluster is the one at `RAY_ADDRESS`; if the variable is not set, the one that runs on
        this machine; if there is none, a new one on this machine.

        Args:
            note: called with a message for the user before the connection, which takes long.

        Raises:
            InputError: Ray is not installed, no cluster can be joined or started, or a node has
                other code.
        """
        ray = _ray()
        address = os.environ.get("RAY_ADDRESS")
        _require_answer(address)
        note(f"connecting to Ray at {address or 'this machine'} (takes about 15 s)")
        try:
            # An interrupted start would leave Ray processes running after this process ends.
            with uninterrupted():
                _begin(ray, address)
            for node in probes():
                require_same(node)
            return cls(int(ray.cluster_resources().get("CPU", 0)) or 1)
        except BaseException:
            ray.shutdown()
            raise

    def _answers(
        self, parcel: Payload, waiting: Waiting
    ) -> Generator[tuple[Any, Answer], None, None]:
        """Yield each task with its answer, in order of completion; submit lost tasks again."""
        ray = _ray()
        # Two tasks per core, so that a core has its next task while a result is transferred.
        submitted = dict[Any, tuple[Any, int]]()
        try:
            content = ray.put(np.frombuffer(parcel.content, dtype=np.uint8))
            task = ray.remote(_do).options(max_retries=0, num_cpus=1)
            while waiting or submitted:
                while waiting and len(submitted) < 2 * self.n_workers:
                    piece, n_lost = waiting.popleft()
                    submitted[task.remote(parcel.digest, [content], piece)] = piece, n_lost
                (ready,), _ = ray.wait(list(submitted), num_returns=1)
                piece, n_lost = submitted.pop(ready)
                try:
                    answer = ray.get(ready)
                except ray.exceptions.RayError as error:
                    waiting.appendleft((piece, n_lost + 1))
                    self.effort.retry(n_lost + 1, type(error).__name__)
                else:
                    yield piece, answer
        finally:
            for reference in submitted:  # some are left if the caller stops early
                ray.cancel(reference, force=True)

    def close(self) -> None:
        """Disconnect from the cluster, and stop it if it was started by this process."""
        _ray().shutdown()


def _begin(ray: Any, address: str | None) -> None:
    """Join the cluster at an address; without an address, join or start one on this machine.

    Raises:
        InputError: the cluster at the address cannot be joined, or none can be started.
    """
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    resources = {"num_cpus": n_cores(), "num_gpus": 0, "include_dashboard": False}
    try:
        try:
            ray.init(address=address or "auto", **quiet)
        except ConnectionError:
            if address:
                raise
            ray.init(address="local", object_store_memory=_STORE_BYTES, **resources, **quiet)
    except Exception as error:  # Ray also raises bare `Exception`s
        reason = " ".join(str(error).split())
        raise _no_cluster_error(address, reason) from error


def _no_cluster_error(address: str | None, reason: object) -> InputError:
    """Return the error for a cluster that cannot be joined or started.

    Args:
        address: value of `RAY_ADDRESS`; `None` for a cluster on this machine.
        reason: reason for the failure, as text or as an exception.
    """
    location = f"at RAY_ADDRESS={address}" if address else "on this machine"
    return InputError(f"no cluster {location}: {reason}", place=_PLACE, value=address)


def _require_answer(address: str | None) -> None:
    """Check that a program accepts connections at an address.

    The check fails after at most 10 s, while Ray would try for two minutes. An address without a
    port number is not checked.

    Raises:
        InputError: no program accepts connections at the address.
    """
    host, _, port = (address or "").removeprefix("ray://").rpartition(":")
    if port.isdigit():
        try:
            socket.create_connection((host, int(port)), timeout=10).close()
        except OSError as error:
            raise _no_cluster_error(address, error.strerror or error) from None


def probes() -> list[Probe]:
    """Return the description of each node of the cluster that is alive and has cores.

    Raises:
        InputError: evenhand cannot be imported or run on a node.
    """
    ray = _ray()
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy  # noqa: PLC0415 - an extra

    requests = []
    for node in ray.nodes():
        if node["Alive"] and node["Resources"].get("CPU"):
            on_this_node = NodeAffinitySchedulingStrategy(node["NodeID"], soft=False)
            task = ray.remote(probe).options(scheduling_strategy=on_this_node)
            n_cpus = int(node["Resources"]["CPU"])
            requests.append((node["NodeManagerHostname"], n_cpus, task.remote()))
    nodes = []
    for name, n_cpus, reference in requests:
        try:
            nodes.append(ray.get(reference)._replace(node=name, cores=n_cpus))
        except ray.exceptions.RayError as error:
            reason = str(error).strip().splitlines()[-1]
            raise InputError(f"cannot play: {reason}", place=f"node {name!r}") from None
    return nodes
