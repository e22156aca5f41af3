"""`--workers`: what it may say, and the workers that it stands for."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from sim.play.workers.seam import Workers

KINDS = ("threads", "processes", "ray")
N_MAX = 1024


class Wanted(NamedTuple):
    """Who shall play.

    Attributes:
        kind: one of `KINDS`.
        n: how many; `None` for all cores, and for all that a Ray cluster has.
    """

    kind: str
    n: int | None = None

    @property
    def are_remote(self) -> bool:
        """Whether they are in other processes."""
        return self.kind != "threads"

    def connected(self, note: Callable[[str], None]) -> Workers:
        """These workers, ready to play.

        Args:
            note: told what a person waits for.

        Raises:
            InputError: there is no Ray, no cluster, or a node of it has other code.
        """
        if self.kind == "ray":
            from experiments.workers.ray_workers import RayWorkers  # noqa: PLC0415 (an extra)

            return RayWorkers.connected(note)
        from sim.play.workers.processes import Processes  # noqa: PLC0415 (loads slowly)
        from sim.play.workers.seam import Threads, n_cores  # noqa: PLC0415 (likewise)

        n_workers = self.n or n_cores()
        return Processes(n_workers) if self.are_remote else Threads(n_workers)

    def __str__(self) -> str:
        return self.kind if self.n is None else f"{self.kind}:{self.n}"


def wanted(text: str) -> Wanted:
    """What `--workers` says.

    Raises:
        ValueError: it says nothing that there is.
    """
    kind, colon, n = text.partition(":")
    if kind in KINDS and not colon:
        return Wanted(kind)
    if kind in KINDS[:2] and re.fullmatch("[0-9]{1,9}", n) and 1 <= int(n) <= N_MAX:
        return Wanted(kind, int(n))
    raise ValueError(
        f"{text!r} must be threads:N, processes:N (N from 1 to {N_MAX}; default all cores) or ray"
    )
