"""Workers from what `--workers` says of them."""

from __future__ import annotations

from collections.abc import Callable

from experiments.workers.wanted import Wanted
from sim.play.workers.processes import Processes
from sim.play.workers.seam import Threads, Workers, n_cores


def connected(wanted: Wanted, note: Callable[[str], None]) -> Workers:
    """The workers that are wanted, ready to play.

    Args:
        wanted: who.
        note: told what a person waits for.

    Raises:
        InputError: there is no Ray, no cluster, or a node of it has other code.
    """
    if wanted.kind == "ray":
        from experiments.workers.ray_workers import RayWorkers  # noqa: PLC0415 (an extra)

        return RayWorkers.connected(note)
    n_workers = wanted.n or n_cores()
    return Threads(n_workers) if wanted.kind == "threads" else Processes(n_workers)
