"""Bradley-Terry ratings are those of most likelihood, and of everybody who won or lost all."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance.metagame.bradley_terry import bradley_terry

N_GAMES = 400
RATES = st.lists(st.integers(0, N_GAMES), min_size=10, max_size=10)
PAIRS = list(combinations(range(5), 2))


def slope_of_the_likelihood(ratings: np.ndarray, rates: np.ndarray) -> np.ndarray:
    """For each rating, what a little more of it adds; all zero at the top of this one hill."""
    a, b = np.array(PAIRS).T
    won, lost = N_GAMES * rates + 0.5, N_GAMES * (1 - rates) + 0.5
    gaps = ratings[a] - ratings[b]
    pull = won / (1 + np.exp(gaps)) - lost / (1 + np.exp(-gaps))
    return np.bincount(a, pull, 5) - np.bincount(b, pull, 5)


@given(RATES)
def test_they_are_the_likeliest(wins: list[int]) -> None:
    rates = np.array(wins) / N_GAMES
    ratings = bradley_terry(rates, PAIRS, 5, N_GAMES)
    np.testing.assert_allclose(slope_of_the_likelihood(ratings, rates), 0, atol=1e-3)
    assert ratings.sum() == pytest.approx(0, abs=1e-9)


def test_many_at_once_are_each_alone() -> None:
    rates = np.random.default_rng(1).random((7, len(PAIRS)))
    together = bradley_terry(rates, PAIRS, 5, N_GAMES)
    alone = [bradley_terry(one, PAIRS, 5, N_GAMES) for one in rates]
    np.testing.assert_allclose(together, alone, atol=1e-7)
