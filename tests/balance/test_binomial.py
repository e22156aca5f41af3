"""Clopper and Pearson's bound, against the binomial distribution itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from balance.statistics.binomial import most_that_shows, upper_share

errors = st.sampled_from([0.0125, 0.025, 0.05])


@given(st.integers(1, 10**7), st.floats(0, 0.999), errors)
def test_a_share_at_the_bound_would_have_given_so_few_with_the_chance_of_an_error(
    n_trials: int, part: float, error: float
) -> None:
    happened = int(part * n_trials)
    bound = upper_share(happened, n_trials, error)
    assert happened / n_trials < bound < 1
    # Twelve decimals tell a share well enough unless there are very many games.
    assert stats.binom.cdf(happened, n_trials, bound) == pytest.approx(error, rel=1e-3)


@given(st.integers(1, 10**7), st.floats(0.0005, 0.999), errors)
def test_the_most_that_shows_a_limit_shows_it_and_one_more_does_not(
    n_trials: int, limit: float, error: float
) -> None:
    most = most_that_shows(limit, n_trials, error)
    assert most < n_trials
    assert stats.binom.cdf(most, n_trials, limit) <= error * (1 + 1e-6)
    assert stats.binom.cdf(most + 1, n_trials, limit) > error * (1 - 1e-6)


def test_no_games_show_that_nothing_happens_and_all_that_everything_may() -> None:
    assert upper_share(10, 10, 0.05) == 1.0
    assert most_that_shows(0.0, 10**6, 0.05) == -1
    assert most_that_shows(1.0, 10, 0.05) == 10
    assert most_that_shows(0.01, 298, 0.05) == -1
    assert most_that_shows(0.01, 299, 0.05) == 0


def test_a_part_of_an_event_counts_as_a_part() -> None:
    whole = [upper_share(k, 100, 0.05) for k in (2, 3)]
    assert whole[0] < upper_share(2.5, 100, 0.05) < whole[1]
