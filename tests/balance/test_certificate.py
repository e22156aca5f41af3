"""Certificates: nothing else may be called balanced, so they must hardly ever be wrong."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from balance.card_contest import play_matchups
from balance.certificate import Certificate, certify
from balance.demands import Demands
from balance.settings import Guards
from balance.statistics.intervals import wilson
from tests.balance.contests import (
    NO_GUARDS,
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
    side = readings.pop("first_side", 1)
    targets = readings.pop("targets", np.full(len(points), 0.5))
    even = [n_games / 2] * len(points)
    counts = counts_of(np.array([points, even]), n_games, **readings)
    evaluator = fixed_evaluator(counts, guards=guards, targets=targets)
    return certify(evaluator, EDIT, n_games=n_games, first_side=side)[0]


@given(st.integers(1, 1000))
def test_all_intervals_together_may_fail_in_5_of_100(n_matchups: int) -> None:
    demands = Demands.around(np.full(n_matchups, 0.5), 5.0)
    assert n_matchups * (1 - demands.confidence) == pytest.approx(0.05)


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
        told = {"targets": targets, "guards": NO_GUARDS}
        return verdict_on([points, *at_target], n_games, **told).certified

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
        )[0]
        for trial in range(n_trials)
    ]
    return float(np.mean([verdict.certified for verdict in verdicts]))


def test_one_matchup_outside_is_enough_and_is_named() -> None:
    verdict = verdict_on([10_000, 10_950, 10_000])  # 54.75 % needs an interval of 0.25 points
    assert verdict.inside.tolist() == [True, False, True]
    assert not verdict.certified
    assert all(guard.holds for guard in verdict.guards)


# The first seat has an advantage of 10 points, so that growth is that of one side alone.
CALM = {"first_seat": [0.61, 0.6], "draw_rate": [0.005, 0.0], "turns": [22, 20]}
BREACHES = [
    ({"draw_rate": [0.02, 0.0]}, "max_draw_rate", (2, 0, 0, 1), 2.0),
    ({"first_seat": [0.63, 0.6]}, "max_first_seat_pp", (13, 10, -12, 12), 3.0),
    ({"first_seat": [0.37, 0.6]}, "max_first_seat_pp", (-13, 10, -12, 12), 3.0),
    ({"first_seat": [0.63, 0.4]}, "max_first_seat_pp", (13, -10, -12, 12), 3.0),
    ({"turns": [25, 20]}, "median_turns", (25, 20, 16, 24), 0.25),
    ({"turns": [15, 20]}, "median_turns", (15, 20, 16, 24), 0.25),
]


def test_with_even_matchups_and_calm_readings_a_patch_is_certified() -> None:
    verdict = verdict_on([10_000, 10_000], **CALM)
    assert verdict.certified
    assert [guard.name for guard in verdict.guards] == list(Guards.model_fields)
    assert verdict.n_games_played == N_GAMES


@pytest.mark.parametrize(("breach", "name", "readings", "estimate"), BREACHES)
def test_each_guard_alone_prevents_a_certificate(breach, name: str, readings, estimate) -> None:
    side = -1 if breach.get("first_seat", [0, 1])[1] < 0.5 else 1
    verdict = verdict_on([10_000, 10_000], **{**CALM, **breach}, first_side=side)
    assert not verdict.certified
    assert verdict.inside.all()
    [broken] = [guard for guard in verdict.guards if not guard.holds]
    assert broken.name == name
    assert broken.is_broken
    shares = 100 if name == "max_draw_rate" else 1
    shown = (broken.after.estimate, broken.before.estimate, broken.low, broken.high)
    assert [shares * float(value) for value in shown] == pytest.approx(readings)
    assert shares * broken.estimate == pytest.approx(estimate)
    assert broken.bound > broken.estimate
    assert verdict.n_games_played == N_GAMES  # more games are not expected to show it


@pytest.mark.parametrize(
    "first_seat", [[0.57, 0.56], [0.56, 0.56], [0.5, 0.56], [0.44, 0.56], [0.56, 0.44]]
)
def test_an_old_advantage_that_hardly_grows_breaks_no_guard(first_seat: list[float]) -> None:
    side = 1 if first_seat[1] > 0.5 else -1
    assert verdict_on([10_000], first_seat=first_seat, first_side=side).certified


AT_THE_LIMITS = [
    ("max_draw_rate", {"draw_rate": [0.01, 0.0]}),
    ("max_first_seat_pp", {"first_seat": [0.62, 0.6]}),
    ("median_turns", {"turns": [24, 20]}),
    ("median_turns", {"turns": [16, 20]}),
]


@pytest.mark.parametrize(("name", "reading"), AT_THE_LIMITS)
def test_a_reading_at_a_guards_limit_shows_nothing_however_many_games(name, reading) -> None:
    verdict = verdict_on([10_000], **{**CALM, **reading})
    assert not verdict.certified
    [guard] = [guard for guard in verdict.guards if not guard.holds]
    assert (guard.name, guard.is_broken) == (name, False)
    assert guard.n_games == verdict.n_games_played == 4 * N_GAMES
    assert verdict.n_games == N_GAMES
    assert {one.n_games for one in verdict.guards if one.holds} == {N_GAMES}


def test_a_guard_that_is_close_to_its_limit_takes_more_games_until_it_holds() -> None:
    taken = {
        drawn: verdict_on([10_000], **{**CALM, "draw_rate": [drawn, 0.0]}).n_games_played
        for drawn in (0.0078, 0.0084, 0.0088, 0.0096)
    }
    assert list(taken.values()) == [N_GAMES, 2 * N_GAMES, 4 * N_GAMES, 4 * N_GAMES]


def test_matchups_outside_their_bands_spare_the_guards_further_games() -> None:
    verdict = verdict_on([11_000], **{**CALM, "draw_rate": [0.0096, 0.0]})
    assert not verdict.certified
    assert verdict.n_games_played == N_GAMES


def test_without_an_edit_nothing_grows_and_nothing_needs_to_be_shown() -> None:
    none_at_all = Guards(max_first_seat_pp=0, median_turns=0)
    counts = counts_of(np.array([[1000.0], [1000.0]]), 2000)
    for genome, holds in ((0 * EDIT, True), (EDIT, False)):
        evaluator = fixed_evaluator(counts, guards=none_at_all)
        verdict = certify(evaluator, genome, n_games=2000)[0]
        _, seat, turns = verdict.guards
        assert (seat.holds, turns.holds) == (holds, holds)


def test_guards_go_on_with_fresh_games_and_matchups_keep_to_theirs() -> None:
    space = space_of(THREE, fields=["attack"])
    genome = np.random.default_rng(1).integers(space.low, space.high + 1).astype(np.int16)
    allowed = Guards(max_draw_rate=0.01, max_first_seat_pp=100, median_turns=100)
    evaluator = evaluator_of(THREE, space, guards=allowed, band_pp=50.0)
    verdict, counts = certify(evaluator, genome, n_games=200)
    whole = evaluator.play(genome[np.newaxis], n_games=800, purpose="certify")
    draws, _, _ = verdict.guards
    assert draws.n_games == 800  # 100 seeds without a draw cannot show that 1 % is not exceeded
    np.testing.assert_array_equal(counts.winners, whole.winners[..., :100])
    rest = evaluator.play(genome[np.newaxis], n_games=600, purpose="certify", first_game=100)
    np.testing.assert_array_equal(rest.winners, whole.winners[..., 100:])
    np.testing.assert_array_equal(counts.turns + rest.turns, whole.turns)
    np.testing.assert_array_equal(verdict.after.estimate, counts.points[0] / 200)


def test_the_imbalance_is_that_of_the_worst_matchup() -> None:
    verdict = verdict_on([10_000, 9_600, 10_300], targets=np.array([0.5, 0.5, 0.55]))
    assert verdict.imbalance_pp == pytest.approx(3.5)
    assert verdict.targets.tolist() == [0.5, 0.5, 0.55]


def test_a_certificate_of_real_games_shows_wilsons_intervals_before_and_after() -> None:
    space = space_of(THREE, fields=["attack"])
    genome = np.random.default_rng(1).integers(space.low, space.high + 1).astype(np.int16)
    evaluator = evaluator_of(THREE, space)
    verdict, counts = certify(evaluator, genome, n_games=400)
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
