"""Settings that limit patches of contests without cards, in the table `[tune]`."""

from __future__ import annotations

from pydantic import Field

from balance.space.tune import Directions
from sim.files.validation import StrictModel


class ContestLimits(StrictModel):
    """Settings of `[tune]` that limit patches.

    Owners and numbers are named as in patch notes: `marine`, or `marine.hp`.

    Attributes:
        lock: owners and numbers that do not move.
        direction: directions in which numbers may move: one for all, or a table by owner or number.
        max_steps: maximum number of steps of a number; `None` for its whole range.
        max_owners: maximum number of owners with a changed number; `None` for no limit.
        max_change: maximum change of a patch, weighted; `None` for no limit.
        max_owner_change: maximum number of steps of any one owner, unweighted; `None` for no limit.
        zero_sum: maximum difference between the weighted steps of all buffs and those of all nerfs;
            `None` for no limit.
    """

    lock: tuple[str, ...] = ()
    direction: Directions = Field(default_factory=dict)
    max_steps: int | None = Field(default=None, ge=1)
    max_owners: int | None = Field(default=None, ge=1)
    max_change: float | None = Field(default=None, gt=0)
    max_owner_change: int | None = Field(default=None, ge=1)
    zero_sum: float | None = Field(default=None, ge=0)
