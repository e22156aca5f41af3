"""Value of `--workers`, and the workers that the value describes."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from sim.play.workers.processes import Processes
from sim.play.workers.seam import Threads, Workers, n_cores

KINDS = ("threads", "processes", "ray")
N_MAX = 1024  # above the cores of any machine, but limits the damage of a typing error


class WorkersChoice(NamedTuple):
    """Kind and number of workers that are to play games.

    Attributes:
        kind: one of `KINDS`.
        n: number of workers; `None` for one per core of this machine or of the Ray cluster.
    """

    kind: str
    n: int | None = None

    @property
    def are_remote(self) -> bool:
        """Whether the workers are other processes, here or on other machines."""
        return self.kind != "threads"

    def connect(self, note: Callable[[str], None]) -> Workers:
        """Start or connect the workers, and return them.

        Args:
            note: called with a message for the user before a step that takes long.

        Raises:
            InputError: Ray is not installed, no cluster can be joined or started, or a node has
                other code.
        """
        if self.kind == "ray":
            from experiments.workers.ray_workers import RayWorkers  # noqa: PLC0415 (an extra)

            return RayWorkers.connect(note)
        n_workers = self.n or n_cores()
        return Processes(n_workers) if self.are_remote else Threads(n_workers)

    def __str__(self) -> str:
        return self.kind if self.n is None else f"{self.kind}:{self.n}"


def parse_workers(text: str) -> WorkersChoice:
    """Parse the value of `--workers`.

    Raises:
        ValueError: the text is no known kind of workers, or its number is not from 1 to `N_MAX`.
    """
    kind, colon, n = text.partition(":")
    if kind in KINDS and not colon:
        return WorkersChoice(kind)
    if kind in KINDS[:2] and re.fullmatch("[0-9]{1,9}", n) and 1 <= int(n) <= N_MAX:
        return WorkersChoice(kind, int(n))
    raise ValueError(
        f"{text!r} must be threads, processes or ray; a number from 1 to {N_MAX} may follow the "
        "first two, as in threads:4"
    )
