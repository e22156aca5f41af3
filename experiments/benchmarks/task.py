"""Something whose speed can be measured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Against:
    """What a task is compared with: another task, measured in turn with it.

    Attributes:
        task: its name.
        label: how reports call it.
        of_time: whether the ratio is that of the times for the same work, not of the rates.
    """

    task: str
    label: str
    of_time: bool = False


@dataclass(frozen=True)
class Published:
    """What a task is compared with: a figure that somebody measured elsewhere.

    Attributes:
        per_s: the rate.
        label: how reports call it.
    """

    per_s: float
    label: str


@dataclass(frozen=True)
class Task:
    """The same work every time it is run.

    Attributes:
        name: the row of the report.
        unit: what is counted: `games`, `steps`, ...
        amount: how many of them one run does.
        run: does them; everything that is not to be measured has been done before.
        against: what it is compared with; left out of the report where that is not measured.
    """

    name: str
    unit: str
    amount: int
    run: Callable[[], None]
    against: Against | Published | None = None
