"""Bradley-Terry ratings maximise the likelihood, and are finite for all results."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from balance.metagame.bradley_terry import bradley_terry

N_GAMES = 400
WINS = st.lists(st.integers(0, N_GAMES), min_size=10, max_size=10)
PAIRS = list(combinations(range(5), 2))


def slope_of_the_likelihood(ratings: np.ndarray, rates: np.ndarray) -> np.ndarray:
    """Return the derivative of the likelihood by each rating; all are 0 at its only maximum."""
    a, b = np.array(PAIRS).T
    won = N_GAMES * rates + 0.5
    lost = N_GAMES * (1 - rates) + 0.5
    gaps = ratings[a] - ratings[b]
    pull = won / (1 + np.exp(gaps)) - lost / (1 + np.exp(-gaps))
    return np.bincount(a, pull, 5) - np.bincount(b, pull, 5)


@given(st.lists(WINS, min_size=1, max_size=3))
def test_they_are_the_likeliest_also_of_many_at_once(wins: list[list[int]]) -> None:
    rates = np.array(wins) / N_GAMES
    ratings = bradley_terry(rates, PAIRS, 5, N_GAMES)
    slopes = [slope_of_the_likelihood(*one) for one in zip(ratings, rates, strict=True)]
    np.testing.assert_allclose(slopes, 0, atol=1e-3)
    np.testing.assert_allclose(ratings.sum(axis=1), 0, atol=1e-9)
    np.testing.assert_allclose(bradley_terry(rates[0], PAIRS, 5, N_GAMES), ratings[0], atol=1e-7)
