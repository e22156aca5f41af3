"""Sums: weighted sums of a patch's steps that stay within bounds, such as buffs less nerfs.

A patch that keeps them may have to be made of steps that do not: the first buff of a zero sum
breaks it, and only a nerf mends it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from balance.statistics.intervals import Counts, Flags, Floats, Positions

_DIGITS = 9


@dataclass(frozen=True)
class Sums:
    """``R`` sums of the steps of ``[K]`` numbers; today's, 0, lie within their bounds.

    Attributes:
        weights: ``[R, K]`` what a step up of each number adds.
        low: ``[R]`` 0 or below.
        high: ``[R]`` 0 or above.
    """

    weights: Floats
    low: Floats
    high: Floats

    def off(self, steps: npt.NDArray[np.int16]) -> Floats:
        """``[P, R]`` how far sums of ``[P, K]`` genomes are above their bounds, or below (< 0)."""
        columns = np.ascontiguousarray(steps.T)
        sums = np.zeros((len(self.weights), len(steps)))
        for r, k in np.argwhere(self.weights).tolist():
            sums[r] += self.weights[r, k] * columns[k]
        found = sums.T.round(_DIGITS)
        return np.asarray((found - np.clip(found, self.low, self.high)).round(_DIGITS))

    def breaches(self, steps: npt.NDArray[np.int16]) -> Counts:
        """``[P]`` how many steps it takes at least to mend all sums."""
        return np.asarray(np.ceil(abs(self.off(steps)) / self._step).sum(axis=1), dtype=np.int64)

    def are_near(self, steps: npt.NDArray[np.int16]) -> Flags:
        """``[P]`` whether ``[P, K]`` genomes may be on the way to others that keep all sums.

        The steps of a genome that keeps a sum can be ordered so that on the way it is never out of
        bounds by more than a step: after one that leads beyond the middle comes one back.
        """
        slack = np.maximum(self._step - (self.high - self.low) / 2, 0.0)
        return np.asarray((abs(self.off(steps)) <= slack).all(axis=1))

    def restricted_to(self, kept: Positions) -> Sums:
        """The same for genomes of some of the numbers, while the others stay as they are."""
        return replace(self, weights=self.weights[:, kept])

    @property
    def _step(self) -> Floats:
        """``[R]`` the most that one step adds to each, or anything where none does."""
        return np.asarray(abs(self.weights).max(axis=1, initial=1e-9))
