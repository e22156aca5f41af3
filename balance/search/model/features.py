"""Features of genomes: numbers of steps up and down, and the pairs of steps that genomes share.

A genome is a row of signed steps. A feature counts the steps of one number in one direction and is
never negative, so that a model can give a step up and a step down different effects.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from balance.search.model.linear_algebra import Matrix, Vector
from balance.space.search_space import SearchSpace, Steps
from balance.statistics.intervals import Counts, Flags, Floats, Positions
from sim.engine.compiled import compiled, none


@dataclass(frozen=True)
class Features:
    """The ``F`` features of a search space: one for each number and permitted direction.

    Attributes:
        gene: position of the number in the genome, shape [F].
        direction: 1 for steps up, -1 for steps down, shape [F].
        most: maximum number of steps in that direction, shape [F].
        n_genes: number of genes ``K``, including genes that may not move.
    """

    gene: Positions
    direction: Steps
    most: Counts
    n_genes: int

    @classmethod
    def of(cls, space: SearchSpace) -> Features:
        """Return the features of a search space, in the order of its genes, downwards first.

        Args:
            space: search space with the permitted steps of each number.
        """
        most = np.stack([-space.low.astype(np.int64), space.high.astype(np.int64)], axis=1)
        gene, side = np.nonzero(most > 0)
        direction = np.where(side == 1, 1, -1).astype(np.int16)
        return cls(gene, direction, most[gene, side], len(space.genes))

    def __len__(self) -> int:
        return len(self.gene)

    @cached_property
    def opposite(self) -> Positions:
        """Position of the feature with the same number and the opposite direction, shape [F].

        It is the feature's own position if the number may move in one direction only.
        """
        same = self.gene[:, np.newaxis] == self.gene
        np.fill_diagonal(same, val=False)
        return np.where(same.any(axis=1), same.argmax(axis=1), np.arange(len(self)))

    def against(self, features: Floats) -> Flags:
        """Return whether one more step of each feature would undo an opposite step, shape [P, F].

        Args:
            features: features of the genomes, shape [P, F].
        """
        has_other = self.opposite != np.arange(len(self))
        return np.asarray(has_other & (features[:, self.opposite] > 0))

    def read(self, genomes: Steps) -> Floats:
        """Return the features of genomes as floats with whole values, shape [P, F].

        Args:
            genomes: signed steps of each number, shape [P, K].
        """
        return np.asarray(np.maximum(genomes[:, self.gene] * self.direction, 0), dtype=np.float64)

    def genomes(self, features: Floats) -> Steps:
        """Return the genomes that have the given features, shape [P, K].

        Args:
            features: numbers of steps, of which a number has one direction only, shape [P, F].
        """
        genomes = np.zeros((len(features), self.n_genes), dtype=np.int16)
        for side in (self.direction > 0, self.direction < 0):
            steps = features[:, side].astype(np.int16) * self.direction[side]
            genomes[:, self.gene[side]] += steps
        return genomes

    def single_steps(self, centre: Steps) -> tuple[Steps, Counts]:
        """Return the genomes that are one step away from a centre.

        The step may undo one step of an edit of the centre, unless the number may move in one
        direction only: no feature describes the opposite step then.

        Args:
            centre: genome around which steps are taken, shape [K].

        Returns:
            The genomes, shape [L, K], and the position of the feature that moved in each of them,
            shape [L].
        """
        moved = np.tile(centre, (len(self), 1))
        moved[np.arange(len(self)), self.gene] += self.direction
        centre_features = self.read(centre[np.newaxis])
        allowed = np.flatnonzero((centre_features < self.most) | self.against(centre_features))
        return moved[allowed], allowed


def with_level(features: Floats) -> Floats:
    """Return features with a leading column of ones, the regressor of the level, shape [n, F + 1].

    Args:
        features: features of the genomes, shape [n, F].
    """
    return np.column_stack([np.ones(len(features)), features])


def pairs_shared(first: Floats, second: Floats) -> Floats:
    """Return the number of pairs of steps that each two genomes of two sets share, shape [A, B].

    A pair consists of steps of two different features, or of two steps of one feature. Counts are
    whole numbers, so the result is exact in any order of summation.

    Args:
        first: features of the first set, shape [A, F].
        second: features of the second set, shape [B, F].
    """
    counts = np.zeros((len(first), len(second)))
    rows = np.ascontiguousarray(first)
    others = np.ascontiguousarray(second.T)
    _count_pairs(rows, others, counts, np.zeros(len(second)))
    return counts


def pairs_of(features: Floats) -> Floats:
    """Return the number of pairs of steps that each genome shares with itself, shape [P].

    It is the diagonal of ``pairs_shared(features, features)``, without the other elements.

    Args:
        features: features of the genomes, shape [P, F].
    """
    squares = features * features
    twice = features * (features - 1) / 2
    all_pairs = squares.sum(axis=1) ** 2 - (squares * squares).sum(axis=1)
    return np.asarray(all_pairs / 2 + (twice * twice).sum(axis=1))


@compiled(none(Matrix, Matrix, Matrix, Vector), from_python=True)
def _count_pairs(first: Floats, steps: Floats, counts: Floats, shared: Floats) -> None:
    """Add the number of pairs of steps that each two genomes of two sets share to `counts`.

    With s_k = a_k b_k the number of pairs of different features is ((sum s_k)^2 - sum s_k^2) / 2.
    The number of pairs of steps of one feature is sum a_k (a_k - 1) b_k (b_k - 1) / 4. Genomes have
    few edits, so skipping zeros takes a tenth of the time of matrix products.

    Args:
        first: features of the first set, shape [A, F].
        steps: features of the second set, transposed, shape [F, B].
        counts: zeros, to which the counts are added, shape [A, B].
        shared: work space that is overwritten, shape [B].
    """
    for a in range(len(first)):
        pairs = counts[a]
        shared[:] = 0.0
        for k in range(first.shape[1]):
            steps_here = first[a, k]
            if steps_here != 0.0:
                pairs_here = steps_here * (steps_here - 1) / 4
                steps_there = steps[k]
                for b in range(len(pairs)):
                    product = steps_here * steps_there[b]
                    shared[b] += product
                    pairs[b] += (
                        pairs_here * steps_there[b] * (steps_there[b] - 1) - product * product / 2
                    )
        for b in range(len(pairs)):
            pairs[b] += shared[b] * shared[b] / 2
