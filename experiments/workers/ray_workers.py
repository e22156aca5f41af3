"""Workers of a Ray cluster; no other module of the project imports Ray.

Ray could retry failed tasks by itself, but it would not report how often. Tasks are therefore
submitted without retries, and a lost task is counted and submitted again, as with all workers.
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

# Size of the object store of a cluster that is started here, chosen by hand: the store holds only
# the payloads of jobs, and Ray would reserve 30 % of the machine's memory by default.
_STORE_BYTES = 200 * 2**20
_shelf = JobCache()  # each process of the cluster has its own


def _do(digest: str, contents: Sequence[Any], piece: Any) -> Answer:
    """Do a task of a job in a process of the cluster; fetch the job if it is not known here.

    Args:
        digest: hash of the job's payload.
        contents: the reference to the payload, in a list so that Ray does not fetch it always.
        piece: the task.
    """
    import ray  # noqa: PLC0415

    content = None if digest in _shelf else memoryview(ray.get(contents[0]))
    with working_with(Threads(1)):
        return do_task(_shelf, digest, content, piece)


def _ray() -> Any:
    """Return the module `ray`, loaded with our settings."""
    # Ray reads these variables when it is loaded: it sends no usage reports, leaves graphics cards
    # alone, and waits two minutes for its own processes, which on a busy machine need more than
    # the default of half a minute.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    os.environ.setdefault("RAY_raylet_start_wait_time_s", "120")
    try:
        import ray  # noqa: PLC0415
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
    """The cores of a Ray cluster."""

    @classmethod
    def connect(cls, note: Callable[[str], None]) -> RayWorkers:
        """Return all cores of a cluster, after a check that its nodes run the same code.

        It is the cluster at `RAY_ADDRESS`; without that variable, it is the one that runs on this
        machine, or a new one.

        Args:
            note: called with a line for the user before the connection, which takes long.

        Raises:
            InputError: Ray is not installed, no cluster answers, or a node has other code.
        """
        ray = _ray()
        address = os.environ.get("RAY_ADDRESS")
        _require_answer(address)
        note(f"connecting to Ray at {address or 'this machine'} (takes about 15 s)")
        try:
            # An interrupted start leaves Ray processes behind that outlive this process.
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
        """Yield each task with its answer, in the order in which the answers arrive."""
        ray = _ray()
        # Two tasks per core: while a result travels, the core already has its next task.
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
            for reference in submitted:  # left over when the caller stops early
                ray.cancel(reference, force=True)

    def close(self) -> None:
        """Disconnect from the cluster; a cluster that was started here stops."""
        _ray().shutdown()


def _begin(ray: Any, address: str | None) -> None:
    """Join the cluster at an address, else the one that runs on this machine, else start one."""
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    here = {"num_cpus": n_cores(), "num_gpus": 0, "include_dashboard": False}
    try:
        try:
            ray.init(address=address or "auto", **quiet)
        except ConnectionError:
            if address:
                raise
            ray.init(address="local", object_store_memory=_STORE_BYTES, **here, **quiet)
    except Exception as error:  # Ray also raises bare `Exception`s
        reason = " ".join(str(error).split())
        raise _no_cluster_error(address, reason) from error


def _no_cluster_error(address: str | None, reason: object) -> InputError:
    """Return the error for a cluster that cannot be joined or started."""
    where = f"at RAY_ADDRESS={address}" if address else "on this machine"
    return InputError(f"no cluster {where}: {reason}", place=_PLACE, value=address)


def _require_answer(address: str | None) -> None:
    """Refuse an address at which no program listens; Ray itself would try for two minutes.

    Raises:
        InputError: no program listens there.
    """
    host, _, port = (address or "").removeprefix("ray://").rpartition(":")
    if port.isdigit():
        try:
            socket.create_connection((host, int(port)), timeout=10).close()
        except OSError as error:
            raise _no_cluster_error(address, error.strerror or error) from None


def probes() -> list[Probe]:
    """Return the description of each node of the cluster.

    Raises:
        InputError: evenhand cannot be loaded on a node.
    """
    ray = _ray()
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy  # noqa: PLC0415

    requests = []
    for node in ray.nodes():
        if node["Alive"] and node["Resources"].get("CPU"):
            there = NodeAffinitySchedulingStrategy(node["NodeID"], soft=False)
            task = ray.remote(probe).options(scheduling_strategy=there)
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
