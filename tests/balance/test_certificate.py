"""Certificates: nothing else may be called balanced, so they must hardly ever be wrong."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from balance.certificate import Certificate, certify, matchup_confidence
from balance.intervals import wilson
from balance.matchups import play_matchups
from balance.settings import Guards
from tests.balance.contests import (
    THREE,
    coin_evaluator,
    counts_of,
    evaluator_of,
    fixed_evaluator,
    free_space,
    space_of,
)

N_GAMES = 20_000
EDIT = np.ones(1, np.int16)


def verdict_on(points: list[float], n_games: int = N_GAMES, **readings) -> Certificate:
    """The certificate of a patch that won so many games of each matchup; today is even."""
    guards = readings.pop("guards", Guards())
    targets = readings.pop("targets", np.full(len(points), 0.5))
    even = [n_games / 2] * len(points)
    counts = counts_of(np.array([points, even]), n_games, **readings)
    evaluator = fixed_evaluator(counts, guards=guards, targets=targets)
    return certify(evaluator, EDIT, n_games=n_games, band_pp=5.0)[0]


@given(st.integers(1, 1000))
def test_all_intervals_together_may_fail_in_5_of_100(n_matchups: int) -> None:
    assert n_matchups * (1 - matchup_confidence(n_matchups)) == pytest.approx(0.05)


def test_one_matchup_has_the_whole_95_percent() -> None:
    assert matchup_confidence(1) == 0.95


@pytest.mark.parametrize("n_matchups", [1, 3, 10])
@pytest.mark.parametrize("target", [0.5, 0.4])
def test_a_matchup_at_the_bands_edge_is_certified_too_rarely_to_matter(
    n_matchups: int, target: float
) -> None:
    """Exactly: the largest count that is certified, and how likely so small a count is."""
    n_games = 2000
    at_target = [target * n_games] * (n_matchups - 1)
    targets = np.full(n_matchups, target)

    def is_certified(points: int) -> bool:
        return verdict_on([points, *at_target], n_games, targets=targets).certified

    allowed = [
        k
        for k in range(int(n_games * (target - 0.06)), int(n_games * (target + 0.06)))
        if is_certified(k)
    ]
    assert allowed
    assert allowed == list(range(allowed[0], allowed[-1] + 1))
    too_high = stats.binom.cdf(allowed[-1], n_games, target + 0.05)
    too_low = stats.binom.sf(allowed[0] - 1, n_games, target - 0.05)
    assert 0 < too_high <= 0.05 / n_matchups
    assert 0 < too_low <= 0.05 / n_matchups


@pytest.mark.parametrize(("n_matchups", "true_pp"), [(1, 5.0), (1, -5.0), (3, 5.0)])
def test_blind_trials_at_the_edge_certify_at_most_5_of_100(n_matchups: int, true_pp: float) -> None:
    assert share_certified(n_matchups, true_pp, n_trials=1000) <= 0.05


@pytest.mark.parametrize(("n_matchups", "true_pp"), [(1, 0.0), (3, 0.0), (3, 3.0), (3, -3.0)])
def test_blind_trials_well_inside_are_nearly_always_certified(
    n_matchups: int, true_pp: float
) -> None:
    assert share_certified(n_matchups, true_pp, n_trials=200) >= 0.95


def share_certified(n_matchups: int, true_pp: float, n_trials: int) -> float:
    space = free_space([0], [1])
    verdicts = [
        certify(
            coin_evaluator(space, n_matchups, run_seed=trial, pp_per_step=true_pp),
            EDIT,
            n_games=N_GAMES,
            band_pp=5.0,
        )[0]
        for trial in range(n_trials)
    ]
    return float(np.mean([verdict.certified for verdict in verdicts]))


def test_one_matchup_outside_is_enough_and_is_named() -> None:
    verdict = verdict_on([10_000, 10_950, 10_000])  # 54.75 % needs an interval of 0.25 points
    assert verdict.inside.tolist() == [True, False, True]
    assert not verdict.certified
    assert all(guard.holds for guard in verdict.guards)


def test_bands_lie_around_each_matchups_own_target() -> None:
    assert verdict_on([12_000, 8000], targets=np.array([0.6, 0.4])).certified
    assert verdict_on([12_000, 8000]).inside.tolist() == [False, False]


CALM = {"first_seat": [0.51, 0.5], "draw_rate": [0.005, 0.0], "turns": [22, 20]}
BREACHES = [
    ({"draw_rate": [0.02, 0.0]}, "max_draw_rate", (0.02, 0.0, 0.0, 0.01)),
    ({"first_seat": [0.53, 0.5]}, "max_first_seat_pp", (3.0, 0.0, -2.0, 2.0)),
    ({"first_seat": [0.47, 0.5]}, "max_first_seat_pp", (-3.0, 0.0, -2.0, 2.0)),
    ({"first_seat": [0.58, 0.55]}, "max_first_seat_pp", (8.0, 5.0, -7.0, 7.0)),
    ({"first_seat": [0.42, 0.55]}, "max_first_seat_pp", (-8.0, 5.0, -7.0, 7.0)),
    ({"first_seat": [0.58, 0.45]}, "max_first_seat_pp", (8.0, -5.0, -7.0, 7.0)),
    ({"turns": [25, 20]}, "median_turns", (25, 20, 16, 24)),
    ({"turns": [15, 20]}, "median_turns", (15, 20, 16, 24)),
]


def test_with_even_matchups_and_calm_readings_a_patch_is_certified() -> None:
    verdict = verdict_on([10_000, 10_000], **CALM)
    assert verdict.certified
    assert [guard.name for guard in verdict.guards] == list(Guards.model_fields)


@pytest.mark.parametrize(("breach", "name", "reading"), BREACHES)
def test_each_guard_alone_prevents_a_certificate(breach, name: str, reading) -> None:
    verdict = verdict_on([10_000, 10_000], **{**CALM, **breach})
    assert not verdict.certified
    assert verdict.inside.all()
    [broken] = [guard for guard in verdict.guards if not guard.holds]
    assert broken.name == name
    shown = (broken.value, broken.before, broken.low, broken.high)
    assert shown == pytest.approx(reading)


@pytest.mark.parametrize(
    "first_seat",
    [[0.57, 0.56], [0.56, 0.56], [0.5, 0.56], [0.44, 0.56], [0.56, 0.44]],
)
def test_an_old_advantage_that_hardly_grows_breaks_no_guard(first_seat: list[float]) -> None:
    assert verdict_on([10_000], first_seat=first_seat).certified


def test_a_reading_at_a_guards_limit_holds() -> None:
    at_the_limit = {"first_seat": [0.52, 0.5], "draw_rate": [0.01, 0.0], "turns": [24, 20]}
    for name, reading in at_the_limit.items():
        assert verdict_on([10_000], **{name: reading}).certified
    assert verdict_on([10_000], turns=[16, 20]).certified


def test_the_imbalance_is_that_of_the_worst_matchup() -> None:
    verdict = verdict_on([10_000, 9_600, 10_300], targets=np.array([0.5, 0.5, 0.55]))
    assert verdict.imbalance_pp == pytest.approx(3.5)
    assert verdict.targets.tolist() == [0.5, 0.5, 0.55]


def test_a_certificate_of_real_games_shows_wilsons_intervals_before_and_after() -> None:
    space = space_of(THREE, fields=["attack"])
    genome = np.random.default_rng(1).integers(space.low, space.high + 1).astype(np.int16)
    evaluator = evaluator_of(THREE, space)
    verdict, counts = certify(evaluator, genome, n_games=400, band_pp=5.0)
    direct = play_matchups(
        THREE,
        THREE.table.vary(space.genes, np.stack([genome, 0 * genome])),
        n_games=400,
        run_seed=1,
        purpose="certify",
        threads=1,
    )
    np.testing.assert_array_equal(counts.points, direct.points)
    assert verdict.n_games == 400
    assert verdict.confidence == 1 - 0.05 / 3
    for interval, points in ((verdict.after, direct.points[0]), (verdict.before, direct.points[1])):
        np.testing.assert_array_equal(interval, wilson(points, 400, 1 - 0.05 / 3))
    np.testing.assert_array_equal(counts.winners, direct.winners)
