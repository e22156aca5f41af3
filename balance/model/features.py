"""Features: each number up and each number down, counted in steps, and pairs of them.

A genome is a row of steps, some of them negative; as features it is twice as long and never
negative, so that a step up and a step down may do different things.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from balance.model.linear_algebra import Matrix, Vector
from balance.search_space import SearchSpace, Steps
from balance.statistics.intervals import Counts, Flags, Floats, Positions
from sim.engine.compiled import compiled, none


@dataclass(frozen=True)
class Features:
    """The ``F`` features of a space: one for each number and direction in which it may move.

    Attributes:
        gene: ``[F]`` the number.
        direction: ``[F]`` -1 or 1.
        most: ``[F]`` the most steps.
        n_genes: ``K``.
    """

    gene: Positions
    direction: Steps
    most: Counts
    n_genes: int

    @classmethod
    def of(cls, space: SearchSpace) -> Features:
        """All directions in which the space's numbers may move."""
        most = np.stack([-space.low.astype(np.int64), space.high.astype(np.int64)], axis=1)
        gene, side = np.nonzero(most > 0)
        direction = np.where(side == 1, 1, -1).astype(np.int16)
        return cls(gene, direction, most[gene, side], len(space.genes))

    def __len__(self) -> int:
        return len(self.gene)

    @cached_property
    def opposite(self) -> Positions:
        """``[F]`` the other direction of the same number; the feature itself if there is none."""
        same = self.gene[:, np.newaxis] == self.gene
        np.fill_diagonal(same, val=False)
        return np.where(same.any(axis=1), same.argmax(axis=1), np.arange(len(self)))

    def against(self, features: Floats) -> Flags:
        """``[P, F]`` whether a step of each would go against an edit of ``[P, F]`` features."""
        has_other = self.opposite != np.arange(len(self))
        return np.asarray(has_other & (features[:, self.opposite] > 0))

    def read(self, genomes: Steps) -> Floats:
        """``[P, F]`` features of ``[P, K]`` genomes: whole numbers, as floats."""
        return np.asarray(np.maximum(genomes[:, self.gene] * self.direction, 0), dtype=np.float64)

    def genomes(self, features: Floats) -> Steps:
        """``[P, K]`` genomes that have ``[P, F]`` features."""
        genomes = np.zeros((len(features), self.n_genes), dtype=np.int16)
        for side in (self.direction > 0, self.direction < 0):
            steps = features[:, side].astype(np.int16) * self.direction[side]
            genomes[:, self.gene[side]] += steps
        return genomes

    def single_steps(self, centre: Steps) -> tuple[Steps, Counts]:
        """Genomes one step from a ``[K]`` centre, and ``[...]`` the feature that each adds.

        A step against an edit of the centre takes one of its steps back; those of numbers that
        may move one way only are not taken back.
        """
        moved = np.tile(centre, (len(self), 1))
        moved[np.arange(len(self)), self.gene] += self.direction
        here = self.read(centre[np.newaxis])
        allowed = np.flatnonzero((here < self.most) | self.against(here))
        return moved[allowed], allowed


def with_level(features: Floats) -> Floats:
    """``[n, F + 1]`` with a one before each, for the level today."""
    return np.column_stack([np.ones(len(features)), features])


def pairs_shared(one: Floats, other: Floats) -> Floats:
    """``[A, B]`` how many pairs of steps each of ``[A, F]`` and each of ``[B, F]`` features share.

    Pairs of different features, and of two steps of the same. Sums of whole numbers: exact.
    """
    found = np.zeros((len(one), len(other)))
    rows = np.ascontiguousarray(one)
    others = np.ascontiguousarray(other.T)
    _count_pairs(rows, others, found, np.zeros(len(other)))
    return found


def pairs_of(features: Floats) -> Floats:
    """``[P]`` how many pairs each shares with itself."""
    squares = features * features
    twice = features * (features - 1) / 2
    all_pairs = squares.sum(axis=1) ** 2 - (squares * squares).sum(axis=1)
    return np.asarray(all_pairs / 2 + (twice * twice).sum(axis=1))


@compiled(none(Matrix, Matrix, Matrix, Vector), from_python=True)
def _count_pairs(one: Floats, steps: Floats, found: Floats, shared: Floats) -> None:
    """Of S steps shared, S^2 / 2 less what each feature's steps have too many in that.

    Few numbers of a genome move, so only those are gone through: a tenth of the time of products.

    Args:
        one: ``[A, F]``.
        steps: ``[F, B]``, the others.
        found: ``[A, B]`` zeros, then the counts.
        shared: ``[B]`` to work in.
    """
    for a in range(len(one)):
        pairs = found[a]
        shared[:] = 0.0
        for k in range(one.shape[1]):
            mine = one[a, k]
            if mine != 0.0:
                twice = mine * (mine - 1) / 4
                theirs = steps[k]
                for b in range(len(pairs)):
                    both = mine * theirs[b]
                    shared[b] += both
                    pairs[b] += twice * theirs[b] * (theirs[b] - 1) - both * both / 2
        for b in range(len(pairs)):
            pairs[b] += shared[b] * shared[b] / 2
