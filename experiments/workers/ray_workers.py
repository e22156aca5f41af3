"""Workers of a Ray cluster; nothing else of the project knows Ray.

Ray could retry by itself, but would not tell how often: tasks are given out without retries, and a
lost one is counted and given out again as by all workers.
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

_STORE_BYTES = 200 * 2**20  # of a cluster that is started here
_shelf = JobCache()  # in each process of the cluster, its own


def _do(digest: str, contents: Sequence[Any], piece: Any) -> Answer:
    """Do a piece, in a process of the cluster; the job is fetched unless it is here."""
    import ray  # noqa: PLC0415

    content = None if digest in _shelf else memoryview(ray.get(contents[0]))
    with working_with(Threads(1)):
        return do_task(_shelf, digest, content, piece)


def _ray() -> Any:
    # Read when Ray is loaded: it reports nothing, leaves graphics cards alone, and waits for its
    # own processes for longer than half a minute, which a busy machine takes.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    os.environ.setdefault("RAY_raylet_start_wait_time_s", "120")
    try:
        import ray  # noqa: PLC0415
    except ImportError:
        raise InputError("--workers ray: needs Ray; pip install 'evenhand[ray]'") from None
    return ray


@dataclass
class RayWorkers(RemoteWorkers):
    """The cores of a Ray cluster."""

    @classmethod
    def connected(cls, note: Callable[[str], None]) -> RayWorkers:
        """All cores of the cluster at `RAY_ADDRESS`, else of one that runs here, else of a new one.

        Args:
            note: told what a person waits for.

        Raises:
            InputError: Ray is not installed, nobody answers, or a node has other code.
        """
        ray = _ray()
        address = os.environ.get("RAY_ADDRESS")
        _require_answer(address)
        note(f"connecting to Ray at {address or 'this machine'} (some 15 s)")
        try:
            with uninterrupted():  # what Ray has begun by half outlives this process
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
        ray = _ray()
        flying = dict[Any, tuple[Any, int]]()
        try:
            content = ray.put(np.frombuffer(parcel.content, dtype=np.uint8))
            task = ray.remote(_do).options(max_retries=0, num_cpus=1)
            while waiting or flying:
                while waiting and len(flying) < 2 * self.n_workers:
                    piece, n_lost = waiting.popleft()
                    flying[task.remote(parcel.digest, [content], piece)] = piece, n_lost
                (ready,), _ = ray.wait(list(flying), num_returns=1)
                piece, n_lost = flying.pop(ready)
                try:
                    answer = ray.get(ready)
                except ray.exceptions.RayError as error:
                    waiting.appendleft((piece, n_lost + 1))
                    self.effort.retry(n_lost + 1, type(error).__name__)
                else:
                    yield piece, answer
        finally:
            for reference in flying:  # nobody wants them any more
                ray.cancel(reference, force=True)

    def close(self) -> None:
        """Leave the cluster; one that was started here ends."""
        _ray().shutdown()


def _begin(ray: Any, address: str | None) -> None:
    """Join the cluster at an address, else one that runs here, else begin one."""
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    here = {"num_cpus": n_cores(), "num_gpus": 0, "include_dashboard": False}
    try:
        try:
            ray.init(address=address or "auto", **quiet)
        except ConnectionError:
            if address:
                raise
            ray.init(address="local", object_store_memory=_STORE_BYTES, **here, **quiet)
    except Exception as error:  # it raises bare ones too
        reason = " ".join(str(error).split())
        where = f"at RAY_ADDRESS={address}" if address else "on this machine"
        raise InputError(f"--workers ray: no cluster {where}: {reason}") from error


def _require_answer(address: str | None) -> None:
    """Refuse an address at which nobody listens; Ray would try for two minutes.

    Raises:
        InputError: nobody does.
    """
    host, _, port = (address or "").removeprefix("ray://").rpartition(":")
    if port.isdigit():
        try:
            socket.create_connection((host, int(port)), timeout=10).close()
        except OSError as error:
            reason = error.strerror or error
            raise InputError(
                f"--workers ray: no cluster at RAY_ADDRESS={address}: {reason}"
            ) from None


def probes() -> list[Probe]:
    """What the nodes of the cluster say of themselves.

    Raises:
        InputError: one has no evenhand; names it.
    """
    ray = _ray()
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy  # noqa: PLC0415

    asked = []
    for node in ray.nodes():
        if node["Alive"] and node["Resources"].get("CPU"):
            there = NodeAffinitySchedulingStrategy(node["NodeID"], soft=False)
            task = ray.remote(probe).options(scheduling_strategy=there)
            n_cpus = int(node["Resources"]["CPU"])
            asked.append((node["NodeManagerHostname"], n_cpus, task.remote()))
    found = []
    for name, n_cpus, reference in asked:
        try:
            found.append(ray.get(reference)._replace(node=name, cores=n_cpus))
        except ray.exceptions.RayError as error:
            reason = str(error).strip().splitlines()[-1]
            raise InputError(f"node {name!r}: cannot play: {reason}") from None
    return found
