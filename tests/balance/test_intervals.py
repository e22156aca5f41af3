"""Intervals and exact bounds against oracles, and their coverage."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from balance.statistics.intervals import (
    Interval,
    cautious_rate,
    copy_rate,
    difference_of_shares,
    most_that_shows,
    paired_change,
    paired_mean,
    rank_correlation,
    rate_over_seeds,
    t_score,
    upper_share,
    wilson,
)

confidences = st.floats(0.5, 0.9999)
counts = st.integers(1, 10**6).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(counts, confidences)
def test_wilson_is_scipys(count: tuple[int, int], confidence: float) -> None:
    k, n = count
    theirs = stats.binomtest(k, n).proportion_ci(confidence, method="wilson")
    ours = wilson(k, n, confidence)
    assert ours == pytest.approx((k / n, *theirs), rel=1e-9, abs=1e-12)
    assert 0 <= ours.low <= ours.estimate + 1e-15
    assert ours.estimate - 1e-15 <= ours.high <= 1


@given(
    st.lists(st.floats(-2, 2), min_size=2, max_size=50).filter(lambda xs: np.std(xs) > 1e-3),
    confidences,
)
def test_paired_mean_is_scipys_normal_interval(differences: list[float], confidence: float) -> None:
    ours = paired_mean(np.array([differences, differences]), confidence)
    mean = np.mean(differences)
    theirs = mean, *stats.norm.interval(confidence, mean, stats.sem(differences))
    np.testing.assert_allclose(ours, np.repeat(theirs, 2).reshape(3, 2), rtol=1e-6, atol=1e-12)


@pytest.mark.parametrize("together", [-1.0, 0.0, 0.5])
@pytest.mark.parametrize("rate", [0.5, 0.9, 0.97, 1.0])
@pytest.mark.parametrize("n_seeds", [10, 50, 200])
def test_a_mean_rate_is_covered_near_the_ends_too(
    rate: float, n_seeds: int, together: float
) -> None:
    """Both if the seatings of a seed share their noise, and if they have opposite results."""
    rng = np.random.default_rng(1)
    luck = rng.random((2000, n_seeds, 2))
    other = luck[:, :, 0] if together > 0 else 1 - luck[:, :, 0]
    is_alike = rng.random((2000, n_seeds)) < abs(together)
    luck[:, :, 1] = np.where(is_alike, other, luck[:, :, 1])
    found = rate_over_seeds((luck < rate).mean(axis=2))
    covered = (found.low <= rate + 1e-12) & (rate - 1e-12 <= found.high)
    assert covered.mean() >= 0.92
    assert ((found.low >= 0) & (found.low <= found.estimate)).all()
    assert ((found.estimate <= found.high) & (found.high <= 1)).all()


@pytest.mark.parametrize(
    ("read", "outcomes"), [(rate_over_seeds, [0, 0.25, 0.5, 1]), (paired_change, [-0.5, 0, 0.5])]
)
def test_of_very_many_seeds_a_mean_has_their_normal_interval(read, outcomes) -> None:
    seeds = np.random.default_rng(2).choice(outcomes, size=(3, 100_000))
    np.testing.assert_allclose(read(seeds), paired_mean(seeds), atol=5e-5)


@pytest.mark.parametrize("n_opponents", range(1, 31))
def test_seeds_that_all_agree_prove_as_much_as_so_many_games(n_opponents: int) -> None:
    weights = np.full(n_opponents, 1 / n_opponents)  # their sum is 1 except for rounding
    for points in (1.0, 0.5, 0.0):
        found = rate_over_seeds(weights @ np.full((n_opponents, 20), points))
        np.testing.assert_allclose(found, wilson(20 * points, 20), atol=1e-9)


def test_few_seeds_have_students_interval() -> None:
    for freedom in (3, 9, 30, 1000):
        assert t_score(0.95, freedom) == pytest.approx(stats.t.ppf(0.975, freedom), rel=0.02)


@pytest.mark.parametrize("n_pairs", [60, 125, 500])
@pytest.mark.parametrize("flipped", [0.002, 0.01, 0.05, 0.2])
@pytest.mark.parametrize("upwards", [0.5, 0.8, 1.0])
def test_a_change_of_few_pairs_has_its_coverage(
    n_pairs: int, flipped: float, upwards: float
) -> None:
    chances = [1 - flipped, flipped * upwards, flipped * (1 - upwards)]
    rng = np.random.default_rng(int(1000 * flipped) + n_pairs)
    up, down = (rng.multinomial(n_pairs, chances, size=20_000)[:, 1:]).T
    pair = np.arange(n_pairs)
    pairs = 1.0 * (pair < up[:, None]) - (pair >= n_pairs - down[:, None])
    _, low, high = paired_change(pairs)
    truth = flipped * (2 * upwards - 1)
    assert ((low <= truth) & (truth <= high)).mean() > 0.92


def test_without_a_differing_pair_a_change_stays_possible_unless_excluded() -> None:
    nothing = np.zeros((3, 500))
    found = paired_change(nothing, [1.0, 0.5, 0.0])
    assert (found.estimate == 0).all()
    assert found.high == pytest.approx([0.0038, 0.0019, 0.0], abs=1e-4)
    assert (found.low == -found.high).all()
    assert paired_mean(nothing).high.max() == 0  # which is why it will not do


@given(st.lists(st.sampled_from([-1.0, -0.5, 0.0, 0.5, 1.0]), min_size=2, max_size=60))
def test_a_change_lies_within_its_bounds_and_the_bounds_within_the_possible(
    pairs: list[float],
) -> None:
    estimate, low, high = paired_change(np.array(pairs))
    assert -1 <= low <= estimate <= high <= 1
    down, low_down, high_down = paired_change(-np.array(pairs))
    assert (down, low_down, high_down) == (-estimate, -high, -low)


def test_a_difference_of_shares_is_newcombes() -> None:
    found = difference_of_shares(wilson(56, 70), wilson(48, 80))
    # The first example of his table II, method 10.
    assert [float(bound) for bound in found] == pytest.approx([0.2, 0.0524, 0.3339], abs=5e-5)


@given(counts, st.integers(1, 6))
def test_copies_count_as_few_games_as_there_can_have_been(
    count: tuple[int, int], n_copies: int
) -> None:
    n_won, n_games = count  # in each of which all the copies turned up
    of_copies = copy_rate(n_won * n_copies, n_games * n_copies, n_copies)
    np.testing.assert_allclose(of_copies, wilson(n_won, n_games), rtol=1e-9, atol=1e-12)


def test_nothing_is_known_of_a_card_that_never_turned_up() -> None:
    estimate, low, high = copy_rate(0.0, 0, 2)
    assert np.isnan(estimate)
    assert (low, high) == (0, 1)


@given(st.tuples(*[st.floats(allow_nan=False)] * 3), st.sampled_from(["win_rate", "pp"]))
def test_an_interval_is_read_from_its_entry(bounds: tuple[float, ...], name: str) -> None:
    entry = Interval(*map(np.float64, bounds)).as_entry(name, n=8)
    assert Interval.from_entry(entry, name) == bounds
    assert entry["n"] == 8


def test_an_interval_prints_its_bounds_and_no_unit() -> None:
    assert str(wilson(50, 100)) == "0.5 (0.404 to 0.596)"
    several = wilson([50, 60], 100)
    assert str(several) == repr(several)


errors = st.sampled_from([0.0125, 0.025, 0.05])


@given(st.integers(1, 10**7), st.floats(0, 0.999), errors)
def test_a_share_at_the_bound_would_have_given_so_few_with_the_chance_of_an_error(
    n_trials: int, part: float, error: float
) -> None:
    happened = int(part * n_trials)
    bound = upper_share(happened, n_trials, error)
    assert happened / n_trials < bound < 1
    # Twelve decimals suffice for a share unless there are very many games.
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
    asked = [(0.0, 10**6), (1.0, 10), (0.01, 298), (0.01, 299)]
    assert [most_that_shows(*one, 0.05) for one in asked] == [-1, 10, -1, 0]


def test_a_part_of_an_event_counts_as_a_part() -> None:
    whole = [upper_share(k, 100, 0.05) for k in (2, 3)]
    assert whole[0] < upper_share(2.5, 100, 0.05) < whole[1]


ranked = st.lists(st.integers(-5, 5), min_size=4, max_size=12).filter(lambda v: len(set(v)) > 1)


@given(ranked, st.data())
def test_the_correlation_is_that_of_scipy_ties_included(x, data):
    other = st.lists(st.integers(-5, 5), min_size=len(x), max_size=len(x))
    y = data.draw(other.filter(lambda v: len(set(v)) > 1))
    agreement = rank_correlation(np.array(x, float), np.array(y, float))
    assert agreement.estimate == pytest.approx(stats.spearmanr(x, y).statistic, abs=1e-12)
    assert -1 <= agreement.low <= agreement.estimate + 1e-9
    assert agreement.estimate - 1e-9 <= agreement.high <= 1


@pytest.mark.parametrize(("x", "y"), [([1, 2, 3], [1, 2, 3]), ([1, 1, 1, 1], [1, 2, 3, 4])])
def test_three_things_or_a_measure_without_order_say_nothing(x, y):
    assert rank_correlation(np.array(x, float), np.array(y, float)) is None


def test_the_interval_has_about_its_coverage():
    rng = np.random.default_rng(3)
    rho = 0.6
    truth = 6 / np.pi * np.arcsin(rho / 2)  # Spearman's for two normal variables
    draws = rng.multivariate_normal([0, 0], [[1, rho], [rho, 1]], size=(1000, 15))
    covered = [
        found.low <= truth <= found.high for found in (rank_correlation(*one.T) for one in draws)
    ]
    assert 0.92 < np.mean(covered) < 0.98


# --- rates with bounds that are valid one by one ---


@given(st.integers(2, 5000), st.floats(0.0001, 0.05))
def test_equal_seeds_give_no_certainty(n_seeds: int, error: float) -> None:
    won = cautious_rate(np.ones(n_seeds), 1 - 2 * error)
    lost = cautious_rate(np.zeros(n_seeds), 1 - 2 * error)
    exact = 1 - error ** (1 / n_seeds)  # the largest share of which none is not too little
    assert exact <= float(lost.high) == pytest.approx(float(1 - won.low))
    assert (won.estimate, won.high, lost.estimate, lost.low) == (1, 1, 0, 0)
    split = cautious_rate(np.full(n_seeds, 0.5), 1 - 2 * error)
    assert exact / 2 <= float(split.high - 0.5) == pytest.approx(float(0.5 - split.low))


@pytest.mark.parametrize("rate", [0.55, 0.95])
@pytest.mark.parametrize("both", ["alike", "apart", "opposed"])
@pytest.mark.parametrize("error", [0.05, 0.005])
def test_either_bound_errs_as_rarely_as_claimed(rate: float, both: str, error: float) -> None:
    first, second = np.random.default_rng(1).random((2, 8_000, 500))
    second = {"alike": first, "apart": second, "opposed": 1 - first}[both]
    means = ((first < rate) * 1.0 + (second < rate)) / 2
    found = cautious_rate(means, 1 - 2 * error)
    for misses in (found.high < rate, found.low > rate):
        assert np.mean(misses) <= error + 2 * np.sqrt(error / 8_000)
    if rate == 0.55:
        assert np.mean(found.high < rate) >= error / 4  # nor much more seldom
