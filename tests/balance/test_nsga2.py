"""NSGA-II's own choices: the order of equal genomes and of infeasible ones."""

from __future__ import annotations

import numpy as np
import pytest
from pymoo.operators.survival.rank_and_crowding.metrics import calc_crowding_distance

from balance.search.optimisers.nsga2 import Nsga2
from tests.balance.contests import scores_of


@pytest.mark.parametrize("n_places", [1, 3, 20])
def test_ties_are_in_the_order_of_the_generator(n_places):
    """Above 16 values numpy's default sort orders ties differently on other processors."""
    place = np.arange(100) % n_places
    scores = scores_of(place, n_places - 1 - place)
    survivors = Nsga2().survivors(scores, 50, np.random.default_rng(4))
    distance = calc_crowding_distance(np.column_stack([scores.imbalance_pp, scores.change]))
    shuffled = np.random.default_rng(4).permutation(100).tolist()
    assert survivors.tolist() == sorted(shuffled, key=distance.__getitem__)[::-1][:50]


def test_infeasible_genomes_come_last_by_their_violation():
    scores = scores_of(np.zeros(90), np.zeros(90), np.tile([0.0, 2.0, 1.0], 30))
    survivors = Nsga2().survivors(scores, 80, np.random.default_rng(4)).tolist()
    assert sorted(survivors[:30]) == list(range(0, 90, 3))
    assert survivors[30:] == [*range(2, 90, 3), *range(1, 60, 3)]
