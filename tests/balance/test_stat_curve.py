"""The stat curve: the line of least squares, and how far cards stand above it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance.card_space import StatCurve
from sim import Card
from tests.balance.contests import body

stats = st.tuples(st.integers(0, 10), st.integers(0, 12), st.integers(1, 12))
SPELL = Card(id="spell", name="Spell", kind="spell", cost=9)


@given(st.lists(stats, min_size=2, max_size=12))
def test_it_is_the_line_of_least_squares_of_minions(bodies: list[tuple[int, int, int]]) -> None:
    cards = [body(f"card_{k}", *each) for k, each in enumerate(bodies)]
    curve = StatCurve.of([*cards, SPELL])
    cost, *_ = np.array(bodies).T
    both = [attack + health for _, attack, health in bodies]
    if len(set(cost)) > 1:
        slope, at_no_cost = np.polyfit(cost, both, 1)
        assert curve.per_cost == pytest.approx(slope, abs=0.005001)
        assert curve.at_no_cost == pytest.approx(at_no_cost, abs=0.06)
    else:
        assert curve.per_cost == 0
    assert np.mean([curve.above(card) for card in cards]) == pytest.approx(0, abs=0.02)


def test_a_pool_by_hand() -> None:
    cards = [body("one", 1, 1, 2), body("two", 2, 2, 3), body("three", 3, 3, 4)]
    curve = StatCurve.of(cards)
    assert curve == StatCurve(1.0, 2.0)
    assert curve.above(body("big", 2, 4, 4)) == 3.0
    assert curve.above(body("free", 0, 0, 1)) == 0.0
