"""Intervals hold what they promise, and pairing makes them narrow."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from balance.card_contest import play_matchups
from balance.matchups import MatchupCounts
from balance.statistics.intervals import (
    copy_rate,
    difference_of_shares,
    paired_mean,
    rate_over_seeds,
    t_score,
    wilson,
    z_score,
)
from sim.play.table import Gene
from tests.balance.contests import RUSH_KEEP

confidences = st.floats(0.5, 0.9999)
counts = st.integers(1, 10**6).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(counts, confidences)
def test_wilson_is_scipys(count: tuple[int, int], confidence: float) -> None:
    k, n = count
    theirs = stats.binomtest(k, n).proportion_ci(confidence, method="wilson")
    ours = wilson(k, n, confidence)
    assert ours.estimate == k / n
    assert ours.low == pytest.approx(theirs.low, rel=1e-9, abs=1e-12)
    assert ours.high == pytest.approx(theirs.high, rel=1e-9, abs=1e-12)


@given(st.lists(counts, min_size=1, max_size=5), confidences)
def test_wilson_of_arrays_is_that_of_each_number(
    pairs: list[tuple[int, int]], confidence: float
) -> None:
    points, n_games = np.array(pairs).T
    of_all = wilson(points, n_games, confidence)
    for place, (k, n) in enumerate(pairs):
        assert [bound[place] for bound in of_all] == list(wilson(k, n, confidence))


@given(counts)
def test_wilson_ends_within_0_and_1_around_the_estimate(count: tuple[int, int]) -> None:
    estimate, low, high = wilson(*count)
    assert 0 <= low <= estimate + 1e-15
    assert estimate - 1e-15 <= high <= 1


@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.99])
@pytest.mark.parametrize("n", [100, 400])
def test_wilson_covers_the_truth_as_often_as_it_says(n: int, confidence: float) -> None:
    k = np.arange(n + 1)
    _, low, high = wilson(k, n, confidence)
    rates = np.linspace(0.2, 0.8, 601)[:, np.newaxis]
    is_inside = (low <= rates) & (rates <= high)
    coverage = (stats.binom.pmf(k, n, rates) * is_inside).sum(axis=1)  # exact, for each rate
    assert coverage.mean() == pytest.approx(confidence, abs=0.003)
    assert coverage.min() > confidence - 0.03


def test_95_percent_is_1_96_standard_errors() -> None:
    assert z_score(0.95) == pytest.approx(1.959964, abs=1e-6)


@given(
    st.lists(st.floats(-2, 2), min_size=2, max_size=50).filter(lambda xs: np.std(xs) > 1e-3),
    confidences,
)
def test_paired_mean_is_scipys_normal_interval(differences: list[float], confidence: float) -> None:
    ours = paired_mean(np.array([differences, differences]), confidence)
    theirs = stats.norm.interval(confidence, np.mean(differences), stats.sem(differences))
    for row in range(2):
        assert ours.estimate[row] == pytest.approx(np.mean(differences))
        assert ours.low[row] == pytest.approx(theirs[0])
        assert ours.high[row] == pytest.approx(theirs[1])


@pytest.mark.parametrize("together", [-1.0, 0.0, 0.5])
@pytest.mark.parametrize("rate", [0.5, 0.9, 0.97, 1.0])
@pytest.mark.parametrize("n_seeds", [10, 50, 200])
def test_a_mean_rate_is_covered_near_the_ends_too(
    rate: float, n_seeds: int, together: float
) -> None:
    """Whether the two seatings of a seed share their luck, or what one wins the other loses."""
    rng = np.random.default_rng(1)
    luck = rng.random((2000, n_seeds, 2))
    other = luck[:, :, 0] if together > 0 else 1 - luck[:, :, 0]
    is_alike = rng.random((2000, n_seeds)) < abs(together)
    luck[:, :, 1] = np.where(is_alike, other, luck[:, :, 1])
    found = rate_over_seeds((luck < rate).mean(axis=2))
    covered = (found.low <= rate + 1e-12) & (rate - 1e-12 <= found.high)
    assert covered.mean() >= 0.92
    assert (found.low >= 0).all()
    assert (found.high <= 1).all()
    assert ((found.low <= found.estimate) & (found.estimate <= found.high)).all()


def test_a_mean_rate_of_many_seeds_is_their_normal_interval() -> None:
    rates = np.random.default_rng(2).choice([0, 0.25, 0.5, 1], size=(3, 100_000))
    np.testing.assert_allclose(rate_over_seeds(rates), paired_mean(rates), atol=2e-5)


@pytest.mark.parametrize("n_opponents", range(1, 31))
def test_seeds_that_all_agree_prove_as_much_as_so_many_games(n_opponents: int) -> None:
    weights = np.full(n_opponents, 1 / n_opponents)  # whose sum is 1 but for rounding
    for points in (1.0, 0.5, 0.0):
        found = rate_over_seeds(weights @ np.full((n_opponents, 20), points))
        np.testing.assert_allclose(found, wilson(20 * points, 20), atol=1e-9)


def test_few_seeds_have_students_interval() -> None:
    for freedom in (3, 9, 30, 1000):
        assert t_score(0.95, freedom) == pytest.approx(stats.t.ppf(0.975, freedom), rel=0.02)


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


def test_copies_that_turn_up_together_are_covered_as_often_as_it_says() -> None:
    """Where three copies share every result, an interval over copies would be far too narrow."""
    won = np.random.default_rng(1).binomial(200, 0.6, 2000)
    cautious = np.array([copy_rate(3 * k, 600, 3) for k in won])
    naive = wilson(3 * won, 600)
    inside = (cautious[:, 1] <= 0.6) & (cautious[:, 2] >= 0.6)
    assert inside.mean() == pytest.approx(0.95, abs=0.02)
    assert ((naive.low <= 0.6) & (naive.high >= 0.6)).mean() < 0.8


def test_nothing_is_known_of_a_card_that_never_turned_up() -> None:
    estimate, low, high = copy_rate(0.0, 0, 2)
    assert np.isnan(estimate)
    assert (low, high) == (0, 1)


def one_step_edits(n_games: int, run_seed: int) -> MatchupCounts:
    """Today's cards, then attack one lower for each card of ember_rush that has some."""
    pool = RUSH_KEEP.table.pool
    cards = dict.fromkeys(RUSH_KEEP.players[0].deck.slots(pool))
    genes = [Gene(card, "attack") for card in cards if pool.cards[card].attack > 0]
    steps = np.concatenate([np.zeros((1, len(genes)), dtype=int), -np.eye(len(genes), dtype=int)])
    return play_matchups(
        RUSH_KEEP,
        RUSH_KEEP.table.vary(genes, steps),
        n_games=n_games,
        run_seed=run_seed,
        purpose="test",
        threads=1,
    )


def test_pairing_narrows_the_interval_of_every_one_step_edit() -> None:
    today, *edited = one_step_edits(2000, 1).rates_by_seed()[:, 0]
    paired = [stats.sem(edit - today) for edit in edited]
    unpaired = [np.hypot(stats.sem(edit), stats.sem(today)) for edit in edited]
    assert (np.array(paired) < unpaired).all()
    assert np.mean(paired) < 0.7 * np.mean(unpaired)


def test_a_paired_interval_is_as_wide_as_fresh_games_scatter() -> None:
    repeats = [one_step_edits(100, seed).rates_by_seed()[:, 0] for seed in range(60)]
    means, claimed = [], []
    for today, *edited in repeats:
        mean, _, high = paired_mean(np.array(edited) - today)
        means.append(mean)
        claimed.append((high - mean) / z_score(0.95))
    scatter = np.std(means, axis=0, ddof=1).mean()  # over the edits
    assert scatter == pytest.approx(np.mean(claimed), rel=0.15)


def test_equal_luck_in_both_seatings_never_widens_a_win_rate() -> None:
    rates = np.array([one_step_edits(100, seed).win_rate().estimate[0, 0] for seed in range(200)])
    binomial = np.sqrt(rates.mean() * (1 - rates.mean()) / 100)
    assert rates.std(ddof=1) < 1.1 * binomial


def test_an_interval_prints_its_bounds_and_no_unit() -> None:
    assert str(wilson(50, 100)) == "0.5 (0.404 to 0.596)"
    several = wilson([50, 60], 100)
    assert str(several) == repr(several)
