"""The value of `--workers`, and the workers that it stands for."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from sim.play.workers.seam import Workers

KINDS = ("threads", "processes", "ray")
N_MAX = 1024  # more than any machine has cores, so that a typing error cannot start as many


class WorkersChoice(NamedTuple):
    """A kind of workers, and their number.

    Attributes:
        kind: one of `KINDS`.
        n: number of workers; `None` for as many as there are cores, here or in the Ray cluster.
    """

    kind: str
    n: int | None = None

    @property
    def are_remote(self) -> bool:
        """Whether the workers are other processes, here or on other machines."""
        return self.kind != "threads"

    def connect(self, note: Callable[[str], None]) -> Workers:
        """Return the workers, ready to play.

        Args:
            note: called with a line for the user before a step that takes long.

        Raises:
            InputError: Ray is not installed, no cluster answers, or a node has other code.
        """
        if self.kind == "ray":
            from experiments.workers.ray_workers import RayWorkers  # noqa: PLC0415 (an extra)

            return RayWorkers.connect(note)
        from sim.play.workers.processes import Processes  # noqa: PLC0415 (loads slowly)
        from sim.play.workers.seam import Threads, n_cores  # noqa: PLC0415 (loads slowly)

        n_workers = self.n or n_cores()
        return Processes(n_workers) if self.are_remote else Threads(n_workers)

    def __str__(self) -> str:
        return self.kind if self.n is None else f"{self.kind}:{self.n}"


def parse_workers(text: str) -> WorkersChoice:
    """Parse the value of `--workers`.

    Raises:
        ValueError: the text names no kind of workers, or no permitted number.
    """
    kind, colon, n = text.partition(":")
    if kind in KINDS and not colon:
        return WorkersChoice(kind)
    if kind in KINDS[:2] and re.fullmatch("[0-9]{1,9}", n) and 1 <= int(n) <= N_MAX:
        return WorkersChoice(kind, int(n))
    raise ValueError(
        f"{text!r} must be threads:N, processes:N (N from 1 to {N_MAX}; default all cores) or ray"
    )
