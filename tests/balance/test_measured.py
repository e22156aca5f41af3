"""Statements about all patches never contradict a patch that was measured."""

from __future__ import annotations

import numpy as np
import pytest

from balance import Demands, Interval
from balance.run.explanation import Explanation, Relaxation
from balance.search.measured import MeasuredPatch

DEMANDS = Demands.around([0.5, 0.5, 0.5], 5, names=["a", "b", "c"])
EXPLANATION = Explanation(
    imbalance_pp=12.1,
    low_pp=10.0,
    high_pp=None,
    impossible=("a",),
    contradicting=("b", "c"),
    relaxations=(
        Relaxation("no tune.lock", 11.0, is_tried=True),
        Relaxation("x", 4.0, is_tried=True),
    ),
    n_games=0,
)


def measured(*rates: float) -> MeasuredPatch:
    """Return a patch with given measured rates."""
    off_pp = max(abs(rate - 0.5) for rate in rates) * 100
    interval = Interval(*map(np.array, (off_pp, off_pp - 1, off_pp + 1)))
    return MeasuredPatch("certificate", 4.0, rates, interval, 5_000)


def test_nothing_comes_nearer_than_what_was_measured() -> None:
    outcome = EXPLANATION.consistent_with(
        DEMANDS, [measured(0.609, 0.5, 0.5), measured(0.7, 0.6, 0.6)]
    )
    assert outcome.imbalance_pp == measured(0.609, 0.5, 0.5).imbalance_pp.estimate
    assert outcome.low_pp <= outcome.imbalance_pp <= (outcome.high_pp or 0)
    assert outcome.nearest is not None
    assert outcome.nearest.rates[0] == 0.609
    assert [one.setting for one in outcome.relaxations] == ["x"]  # the other helps no more


def test_demands_that_a_measured_patch_satisfies_are_not_impossible() -> None:
    outcome = EXPLANATION.consistent_with(
        DEMANDS, [measured(0.54, 0.7, 0.7), measured(0.7, 0.52, 0.48)]
    )
    assert (outcome.impossible, outcome.contradicting) == ((), ())
    apart = EXPLANATION.consistent_with(DEMANDS, [measured(0.7, 0.7, 0.5), measured(0.7, 0.5, 0.7)])
    assert (apart.impossible, apart.contradicting) == (("a",), ("b", "c"))


def test_a_model_may_expect_less_than_was_measured() -> None:
    outcome = EXPLANATION.consistent_with(DEMANDS, [measured(0.7, 0.7, 0.7)])
    assert (outcome.imbalance_pp, outcome.low_pp) == (12.1, 10.0)
    assert outcome.high_pp == pytest.approx(21.0)
    assert outcome.consistent_with(DEMANDS, [measured(0.7, 0.7, 0.7)]) == outcome
