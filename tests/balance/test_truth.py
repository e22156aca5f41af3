"""The truth of a patch is its rates taken at their word, and guards besides."""

from __future__ import annotations

import numpy as np
import pytest

from balance.certificate import truth_of
from tests.balance.contests import coin_evaluator, free_space

SPACE = free_space([-9], [9])


@pytest.mark.parametrize(("step", "holds"), [(-5, True), (4, True), (6, False), (-7, False)])
def test_a_patch_holds_that_is_inside_its_band(step: int, *, holds: bool) -> None:
    truth = truth_of(coin_evaluator(SPACE), np.array([step], np.int16), 4_000_000)
    assert truth.imbalance_pp == pytest.approx(abs(step), abs=0.2)
    assert truth.violation == 0
    assert truth.holds == holds
