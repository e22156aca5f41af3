"""`--workers`: what it may say, and the workers that it stands for."""

from __future__ import annotations

import re
from typing import NamedTuple

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
    def are_elsewhere(self) -> bool:
        """Whether they are in other processes."""
        return self.kind != "threads"

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
