"""Limits: what the steps of numbers have to keep together, as rows of a linear program."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from balance.model.features import Features
from balance.search_space import SearchSpace
from balance.statistics.intervals import Floats
from sim.play.table import OF_RULES


class Limits(NamedTuple):
    """Rows over ``F`` features and then ``C`` owners of numbers, which are edited or not.

    Attributes:
        rows: ``[L, F + C]``.
        low: ``[L]`` the least that each may come to.
        high: ``[L]`` the most.
        counts: ``[F + C]`` what each counts in a patch's change.
        n_owners: ``C``.
    """

    rows: Floats
    low: Floats
    high: Floats
    counts: Floats
    n_owners: int

    @classmethod
    def of(cls, features: Features, space: SearchSpace) -> Limits:
        """Those of a space: most cards, most change, and sums; a number moves only one way."""
        owner_of = np.array([gene.owner for gene in space.genes])[features.gene]
        owners, owner = np.unique(owner_of, return_inverse=True)
        n, is_card = len(features), np.asarray(owners != OF_RULES, dtype=np.float64)
        counts = np.append(space.weights[features.gene], space.card_weight * is_card)
        edited = np.zeros((n, len(owners)))
        edited[np.arange(n), owner] = -features.most
        one_way = (features.gene == np.unique(features.gene)[:, np.newaxis]) / features.most
        rows, low, high = [np.hstack([np.eye(n), edited])], [np.full(n, -np.inf)], [np.zeros(n)]

        def keep(table: Floats, least: npt.ArrayLike, most: npt.ArrayLike) -> None:
            rows.append(np.hstack([table, np.zeros((len(table), len(counts) - table.shape[1]))]))
            low.append(np.broadcast_to(least, len(table)))
            high.append(np.broadcast_to(most, len(table)))

        keep(one_way, -np.inf, 1.0)
        keep(np.append(np.zeros(n), is_card)[np.newaxis], -np.inf, space.most_cards)
        keep(counts[np.newaxis], -np.inf, space.most_change)
        if space.sums is not None:
            signed = space.sums.weights[:, features.gene] * features.direction
            keep(signed, space.sums.low, space.sums.high)
        return cls(
            np.concatenate(rows), np.concatenate(low), np.concatenate(high), counts, len(owners)
        )
