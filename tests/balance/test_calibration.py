"""Fit of a family of agents to observed rates: planted truths, misfits and unknown parameters."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from balance.observed.calibration import (
    MISFIT,
    Calibration,
    Calibrator,
    ObservedRates,
)
from balance.statistics.intervals import Floats

N_PLAYERS, N_PARAMETERS = 6, 3
PAIRS = np.array([*combinations(range(N_PLAYERS), 2)], dtype=np.intp).T
GAMES = 2_000


def strengths_of(seed: int) -> Floats:
    """Return strengths of the players at 0, and their changes with each parameter."""
    return np.random.default_rng(seed).normal(0, 0.6, (1 + N_PARAMETERS, N_PLAYERS))


def rates_at(points: Floats, seed: int, unseen: bool = False) -> Floats:
    """Return exact win rates of points in a family with logistic rates, shape [P, K].

    Args:
        points: points of the family, shape [P, Q].
        seed: seed of the strengths.
        unseen: whether the last parameter has no effect.
    """
    strengths = strengths_of(seed)
    effects = strengths[1:] * (np.arange(N_PARAMETERS) < N_PARAMETERS - unseen)[:, np.newaxis]
    of_points = strengths[0] + points @ effects
    return np.asarray(1 / (1 + np.exp(of_points[:, PAIRS[1]] - of_points[:, PAIRS[0]])))


def fit(observed: Floats, seed: int, unseen: bool = False) -> Calibration:
    """Fit the family to observed rates of 2,000 games each."""
    variance = observed * (1 - observed) / GAMES
    calibrator = Calibrator(
        ObservedRates(PAIRS, observed, variance),
        lambda points, _: rates_at(points, seed, unseen),
        N_PARAMETERS,
        100_000,
    )
    return calibrator.fit(n_points=60, run_seed=1)


def planted(seed: int, factor: float = 1.0) -> tuple[Floats, Floats]:
    """Return a random point, and observed rates of its games, moved towards 50 %."""
    rng = np.random.default_rng(1_000 + seed)
    truth = 0.6 * rng.standard_normal(N_PARAMETERS)
    exact = 0.5 + factor * (rates_at(truth[np.newaxis], seed)[0] - 0.5)
    return truth, rng.binomial(GAMES, exact) / GAMES


def test_planted_parameters_are_found_within_their_errors() -> None:
    inside = 0
    errors = []
    for seed in range(20):
        truth, observed = planted(seed)
        found = fit(observed, seed)
        inside += int((np.abs(found.point - truth) < 1.645 * found.errors).sum())
        exact = rates_at(truth[np.newaxis], seed)[0]
        errors.append(float(np.abs(found.fitted - exact).mean()))
    # 90 % regions of 60 parameters: between 46 and 59 in all but 1 % of such experiments, a little
    # more since the prior narrows them.
    assert 45 <= inside <= 60
    assert np.median(errors) < 0.02


def test_a_factor_is_fitted_where_simulated_rates_lie_too_far_apart() -> None:
    found = [fit(planted(seed, factor=0.4)[1], seed) for seed in range(6)]
    factors = np.array([one.factor for one in found])
    assert 0.3 < np.median(factors) < 0.5
    assert all(one.misfit > MISFIT for one in found[:1])


def test_tables_that_no_agent_of_the_family_plays_are_flagged() -> None:
    flagged = {"played": 0, "not": 0}
    for seed in range(15):
        _, observed = planted(seed)
        # Cyclic differences, which no strengths give: 8 points of each pair.
        cyclic = observed + 0.08 * np.where((PAIRS[1] - PAIRS[0]) % 2, 1, -1)
        flagged["played"] += fit(observed, seed).misfit < MISFIT
        flagged["not"] += fit(cyclic.clip(0.02, 0.98), seed).misfit < MISFIT
    assert flagged["played"] <= 1
    assert flagged["not"] >= 13


def test_a_parameter_without_effect_is_not_determined() -> None:
    _, observed = planted(3)
    found = fit(observed, 3, unseen=True)
    assert not found.is_determined[-1]
    assert found.is_determined[:-1].any()
    assert abs(found.point[-1]) < 0.7


def test_rates_held_out_are_better_than_even_for_an_agent_of_the_family() -> None:
    gains = []
    for seed in range(10):
        _, observed = planted(seed)
        found = fit(observed, seed)
        even, own, shrunk = (
            np.abs(predicted - observed).mean() for predicted in (0.5, found.held_out, found.shrunk)
        )
        gains.append((even - own, shrunk - own))
    assert np.median([gain for gain, _ in gains]) > 0.05
    assert np.median([gain for _, gain in gains]) > 0


def test_the_fit_is_the_same_again() -> None:
    _, observed = planted(5)
    one, other = fit(observed, 5), fit(observed, 5)
    np.testing.assert_array_equal(one.point, other.point)
    np.testing.assert_array_equal(one.held_out, other.held_out)
    assert one.misfit == pytest.approx(other.misfit)
