"""Agreement of simulated with observed win rates: planted truths, symmetry and intervals."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from balance.observed.agreement import MEASURES, MeasureRow, agreement_of
from balance.observed.list_agreement import N_LISTS_MIN, ListRates, list_agreement_of
from balance.observed.rate_pairs import RatePairs, rate_pairs
from balance.statistics.intervals import Floats
from sim import InputError
from tests.balance.observed_counts import counts_of

NAMES = tuple("ABCDEFGHIJKL")
MANY = 1e7  # games: noise far below all differences


def pairs_of(
    observed: Floats, simulated: Floats, n_players: int, n_games: float = MANY, half: float = 0.0
) -> RatePairs:
    """Return rates of all pairs of players."""
    games = np.full(len(observed), n_games)
    pairs = np.array([*combinations(range(n_players), 2)], dtype=np.intp).T
    widths = np.full(len(observed), half)
    return RatePairs(NAMES[:n_players], pairs, observed, games, widths, simulated, games)


def rates(n_players: int, seed: int, spread: float = 0.1) -> Floats:
    """Return random rates of all pairs of players."""
    n_pairs = n_players * (n_players - 1) // 2
    return 0.5 + spread * np.random.default_rng(seed).uniform(-1, 1, n_pairs)


def by_name(rows: tuple[MeasureRow, ...]) -> dict[str, MeasureRow]:
    return {row.measure: row for row in rows}


def test_equal_rates_agree_in_every_measure() -> None:
    same = rates(8, 1)
    found = by_name(agreement_of(pairs_of(same, same, 8), run_seed=1, n_resamples=50))
    assert [*found] == [*MEASURES]
    for name in ("rank_players", "rank_cells", "right_side", "slope", "spread"):
        assert float(found[name].value.estimate) == pytest.approx(1)
    for name in ("error_players_pp", "error_pp", "error_shrunk_pp"):
        assert float(found[name].value.estimate) == pytest.approx(0, abs=1e-9)
    assert float(found["gain_shrunk_pp"].value.low) > 0
    assert (found["rank_players"].n, found["rank_cells"].n) == (8, 28)


def test_rates_too_far_apart_are_corrected_by_the_slope() -> None:
    observed = rates(8, 2)
    wide = 0.5 + 3 * (observed - 0.5)
    found = by_name(agreement_of(pairs_of(observed, wide, 8), run_seed=1, n_resamples=200))
    assert float(found["slope"].value.estimate) == pytest.approx(1 / 3)
    assert float(found["spread"].value.estimate) == pytest.approx(3)
    even, error = (float(found[f"error_{name}pp"].value.estimate) for name in ("even_", ""))
    assert error == pytest.approx(2 * even)
    assert float(found["error_shrunk_pp"].value.high) < 0.1
    assert float(found["gain_shrunk_pp"].value.low) > 0


def test_the_reverse_order_is_shown() -> None:
    observed = rates(8, 3)
    found = by_name(agreement_of(pairs_of(observed, 1 - observed, 8), run_seed=1, n_resamples=50))
    assert float(found["rank_cells"].value.estimate) == pytest.approx(-1)
    assert float(found["rank_players"].value.high) < 0
    assert float(found["right_side"].value.estimate) == 0


@settings(max_examples=20)
@given(st.integers(0, 10_000), st.lists(st.booleans(), min_size=15, max_size=15))
def test_the_order_of_a_pair_does_not_matter(seed: int, turned: list[bool]) -> None:
    observed, simulated = rates(6, seed, 0.3), rates(6, seed + 1, 0.3)
    plain = pairs_of(observed, simulated, 6, 300.0)
    is_turned = np.array(turned)
    other = RatePairs(
        plain.names,
        np.where(is_turned, plain.pairs[::-1], plain.pairs),
        np.where(is_turned, 1 - observed, observed),
        plain.observed_games,
        plain.half_width,
        np.where(is_turned, 1 - simulated, simulated),
        plain.simulated_games,
    )
    values = [
        [float(row.value.estimate) for row in agreement_of(pairs, run_seed=1, n_resamples=1)]
        for pairs in (plain, other)
    ]
    np.testing.assert_allclose(*values, atol=1e-9)


def test_intervals_of_unrelated_rates_mostly_include_no_relation() -> None:
    included = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        strengths = rng.normal(0, 0.08, (2, 10))
        observed, simulated = (
            np.array([0.5 + own[a] - own[b] for a, b in combinations(range(10), 2)])
            for own in strengths
        )
        pairs = pairs_of(observed.clip(0.05, 0.95), simulated.clip(0.05, 0.95), 10, 400.0)
        found = by_name(agreement_of(pairs, run_seed=seed, n_resamples=200))["rank_players"]
        included += float(found.value.low) <= 0 <= float(found.value.high)
    # Of 40 intervals of 95 %, fewer than 34 include the truth in 1 % of all cases; those of few
    # resampled players tend to be wide.
    assert included >= 34


def test_a_band_that_includes_even_odds_decides_no_side() -> None:
    observed = np.array([0.51, 0.6, 0.4, 0.49, 0.55, 0.45])
    pairs = pairs_of(observed, observed, 4, 400.0, half=0.02)
    assert pairs.is_decided.tolist() == [False, True, True, False, True, True]
    assert by_name(agreement_of(pairs, run_seed=1, n_resamples=5))["right_side"].n == 4
    exact = pairs_of(observed, observed, 4, 400.0)
    wide, narrow = (one.observed_interval() for one in (pairs, exact))
    np.testing.assert_allclose(wide.high - narrow.high, 0.02)


def test_only_pairs_of_both_tables_are_compared() -> None:
    games = np.full((4, 4), 10.0)
    games[0, 3] = games[3, 0] = 0
    observed = counts_of(np.full((4, 4), 6.0), games)
    simulated = {("A", "B"): (30.0, 100.0), ("A", "D"): (50.0, 100.0), ("B", "C"): (80.0, 100.0)}
    found = rate_pairs(observed, simulated)
    assert found.pairs.T.tolist() == [[0, 1], [1, 2]]
    np.testing.assert_allclose(found.observed, 0.6)
    np.testing.assert_allclose(found.simulated, [0.3, 0.8])
    with pytest.raises(InputError) as refused:
        agreement_of(found, run_seed=1)
    assert (refused.value.value, refused.value.limit) == (3, 4)


def lists_of(observed: Floats, simulated: Floats, sizes: tuple[int, ...]) -> ListRates:
    """Return rates of lists, with a given number of lists for each archetype."""
    archetypes = tuple(NAMES[k] for k, size in enumerate(sizes) for _ in range(size))
    games = np.full(len(observed), MANY)
    names = tuple(map(str, range(len(observed))))
    return ListRates(names, archetypes, observed, games, simulated, games)


def test_lists_may_be_ordered_within_archetypes_and_not_between_them() -> None:
    sizes = (6, 6, 6, 2)
    rng = np.random.default_rng(4)
    own = rng.uniform(-0.05, 0.05, sum(sizes))
    level = np.repeat([0.3, 0.5, 0.7, 0.5], sizes)
    lists = lists_of(level + own, 1 - level + 2 * own, sizes)
    found = by_name(list_agreement_of(lists, run_seed=1, n_resamples=100))
    assert float(found["rank_within"].value.estimate) == pytest.approx(1)
    assert float(found["spread_within"].value.estimate) == pytest.approx(2)
    assert float(found["rank_lists"].value.estimate) < -0.5
    assert (found["rank_lists"].n, found["rank_within"].n) == (20, 18)  # one archetype is too small


def test_few_lists_have_no_order_within_archetypes() -> None:
    lists = lists_of(np.linspace(0.4, 0.6, 4), np.linspace(0.3, 0.7, 4), (2, 2))
    found = by_name(list_agreement_of(lists, run_seed=1, n_resamples=10))
    assert np.isnan(found["rank_within"].value.estimate)
    assert found["rank_within"].n == 0
    with pytest.raises(InputError) as refused:
        list_agreement_of(
            lists_of(np.full(3, 0.5), np.full(3, 0.5), (3,)), run_seed=1, n_resamples=10
        )
    assert refused.value.limit == N_LISTS_MIN
