"""The curve of effects over costs: robust, and with intervals that cover the true curve."""

from __future__ import annotations

import numpy as np

from balance.decks.cost_curve import CostCurve, fit_cost_curve
from balance.statistics.intervals import Counts, Floats
from sim.seeds import generator

COSTS = np.repeat(np.arange(1, 6), 8)
TRUTH = np.array([0.0, 0.09, 0.02, -0.02, -0.03, -0.06])
SPREAD = 0.012


def drawn(run: int) -> Floats:
    return TRUTH[COSTS] + generator(3, f"cards/{run}").normal(0, SPREAD, len(COSTS))


def fitted(effects: Floats, costs: Counts = COSTS) -> CostCurve:
    return fit_cost_curve(effects, np.full(len(costs), 1e-6), costs)


def test_the_curve_follows_the_costs_and_its_variance_covers_the_truth():
    every = np.arange(1, 6)
    deviations = []
    for run in range(40):
        curve = fitted(drawn(run))
        deviations.append((curve.at(every) - TRUTH[1:]) / np.sqrt(curve.variance(every, every)))
        assert 0.4 * SPREAD < curve.spread < 1.4 * SPREAD
    assert 0.85 <= np.mean(np.abs(deviations) < 1.96) <= 0.99


def test_a_fifth_of_misplaced_cards_hardly_moves_the_curve():
    effects = drawn(0)
    before = fitted(effects)
    effects[::10] += 0.2
    effects[5::10] -= 0.1
    after = fitted(effects)
    every = np.arange(1, 6)
    assert np.abs(after.at(every) - before.at(every)).max() < SPREAD


def test_a_cost_with_few_cards_has_the_curve_of_the_line():
    costs = np.append(COSTS, [0, 0])
    lonely = np.append(drawn(1), [0.4, 0.4])
    curve = fitted(lonely, costs)
    assert curve.supports(np.arange(7)).tolist() == [False, *[True] * 5, False]
    slope = curve.values[1]
    assert slope < 0
    np.testing.assert_allclose(curve.at(np.array([0])), curve.at(np.array([1])) - slope)


def test_one_cost_and_one_card_have_a_curve():
    assert np.isfinite(fitted(np.zeros(1), np.array([3])).at(np.array([3, 9]))).all()
    level = fitted(np.full(5, 0.1) + drawn(2)[:5] * 0, np.full(5, 2)).at(np.array([2]))
    np.testing.assert_allclose(level, 0.1, atol=0.01)
