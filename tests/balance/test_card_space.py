"""Search spaces of cards: precedence of directions, and the line of stats by cost."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance.cards.card_space import StatCurve, ways_of
from balance.space.tune import Way
from sim import Card, Effect
from tests.balance.contests import body

CARD = Card(
    id="bolt",
    name="Bolt",
    cost=2,
    attack=2,
    health=2,
    effects=(Effect(on="play", do="damage", amount=3),),
    tags=("rare", "fire"),
)
DECKS = {"rush": ["bolt"], "keep": ["bolt", "wall"], "march": ["wall"]}
DOWN = (-1,)
UP = (1,)
BOTH = (-1, 1)
STAYS = ()


@pytest.mark.parametrize(
    ("directions", "cost", "attack", "amount"),
    [
        ({}, BOTH, BOTH, BOTH),
        ({"all": "buffs"}, DOWN, UP, STAYS),
        ({"all": "nerfs"}, UP, DOWN, STAYS),
        ({"all": "down"}, DOWN, DOWN, DOWN),
        ({"all": "buffs", "amount": "up"}, DOWN, UP, UP),
        ({"all": "buffs", "cost": "both"}, BOTH, UP, STAYS),
        ({"all": "up", "cost": "nerfs", "amount": "nerfs"}, UP, UP, UP),
        ({"march": "nerfs"}, BOTH, BOTH, BOTH),
        ({"rush": "nerfs", "cost": "down"}, UP, DOWN, STAYS),
        ({"rush": "nerfs", "amount": "down"}, UP, DOWN, DOWN),
        ({"rush": "nerfs", "keep": "buffs"}, STAYS, STAYS, STAYS),
        ({"rush": "nerfs", "keep": "up"}, UP, STAYS, UP),
        ({"rush": "nerfs", "tag:fire": "buffs"}, DOWN, UP, STAYS),
        ({"tag:rare": "up", "tag:fire": "down", "all": "both"}, STAYS, STAYS, STAYS),
        ({"bolt": "both", "tag:fire": "up", "rush": "up", "cost": "up", "all": "up"}, *(BOTH,) * 3),
    ],
)
def test_the_most_specific_word_decides(
    directions: dict[str, Way],
    cost: tuple[int, ...],
    attack: tuple[int, ...],
    amount: tuple[int, ...],
) -> None:
    ways = [
        ways_of(CARD, field, directions, DECKS) for field in ("cost", "attack", "amount", "health")
    ]
    assert ways == [cost, attack, amount, attack]


# --- the stat curve ---

stats = st.tuples(st.integers(0, 10), st.integers(0, 12), st.integers(1, 12))
SPELL = Card(id="spell", name="Spell", kind="spell", cost=9)


@given(st.lists(stats, min_size=2, max_size=12))
def test_the_stat_curve_is_the_least_squares_line_of_minions(
    bodies: list[tuple[int, int, int]],
) -> None:
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
    curve = StatCurve.of([body("one", 1, 1, 2), body("two", 2, 2, 3), body("three", 3, 3, 4)])
    assert curve == StatCurve(1.0, 2.0)
    assert [curve.above(body("x", *one)) for one in ((2, 4, 4), (0, 0, 1))] == [3.0, 0.0]
