"""Which sets exist, which set beats which, and which moves are legal."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest

from sim.big_two.cards import FIRST_FOUR, N_ACTIONS, N_CARDS, places_of, read_set
from sim.big_two.rules import VARIANTS, rules_of
from sim.big_two.sets import KIND_SHIFT, KINDS, strength, strength_of_five
from sim.engine.compiled import Vector, compiled, i64
from sim.seeds import generator
from tests.sim.big_two.plain_rules import all_sets, legal_actions, strength_by
from tests.sim.big_two.tables import STANDARD, dealt, played_on, position_of

N_POSITIONS = 8_000


@compiled(i64(Vector, Vector), from_python=True)
def count_kinds(order, counts) -> int:
    """Count all sets of five cards by kind, and return the number of sets."""
    n_sets = 0
    for e in range(N_CARDS):
        for d in range(e):
            for c in range(d):
                for b in range(c):
                    for a in range(b):
                        counts[strength_of_five(order, a, b, c, d, e) >> KIND_SHIFT] += 1
                        n_sets += 1
    return n_sets


def test_all_sets_of_five_cards_are_counted() -> None:
    counts = np.zeros(len(KINDS), dtype=np.int64)
    assert count_kinds(STANDARD.order, counts) == 2_598_960
    count_by_kind = dict(zip(KINDS, counts.tolist(), strict=True))
    assert {kind: n for kind, n in count_by_kind.items() if n and kind != "nothing"} == {
        "straight flush": 40,
        "four and one": 624,
        "full house": 3_744,
        "flush": 5_108,
        "straight": 10_200,
    }


def test_every_action_is_a_set_of_places_of_its_own() -> None:
    assert (FIRST_FOUR, N_ACTIONS) == (1 + 13 + 33 + 31 + 1_287, 1_375)
    assert {places_of(action) for action in range(1, N_ACTIONS)} == all_sets(13)


@pytest.mark.parametrize("variant", ["standard", "hong_kong", "fours"])
def test_sets_of_a_size_are_ordered_as_by_the_plain_rules(variant: str) -> None:
    rules = rules_of(variant)
    key_of = strength_by(rules)
    cards = sorted(generator(3, "test/sets").permutation(52)[:20])
    for size in (1, 2, 3, *([4] if rules.fours_alone else []), 5):
        sets = list(combinations(map(int, cards), size))
        numbers = [strength(rules.order, sum(1 << card for card in cards)) for cards in sets]
        assert [number > 0 for number in numbers] == [key_of(cards) is not None for cards in sets]
        known = sorted((n, key_of(cards)) for n, cards in zip(numbers, sets, strict=True) if n)
        for (number, key), (higher, better) in pairwise(known):
            assert (number < higher) == (key < better)
            assert (number == higher) == (key == better)


@pytest.mark.parametrize(
    ("variant", "low", "high"),
    [
        ("standard", "3d 4d 5c 6h 7s", "4d 5c 6h 7s 8d"),
        ("standard", "Ad 2d 3d 4d 5c", "2d 3d 4d 5c 6d"),
        ("standard", "2d 3d 4d 5c 6d", "3d 4d 5c 6d 7d"),
        ("hong_kong", "Td Jd Qd Kd Ac", "2d 3d 4d 5c 6d"),
        ("hong_kong", "2s 3d 4d 5c 6d", "Ad 2d 3d 4d 5c"),
        ("standard", "Kd Jd 9d 7d 5d", "Kd Jd 9d 7d 6d"),
        ("standard", "Kd Qd 9d 7d 5d", "As 3s 4s 5s 6s"),
        ("hong_kong", "Ad Qd 9d 7d 5d", "8s 3s 4s 5s 6s"),
        ("standard", "Ad Ac Ah 3d 3c", "3d 3c 3h 3s 4d"),
        ("standard", "2d 2c 2h 2s 3d", "Ad 2d 3d 4d 5d"),
        ("standard", "3d 3c", "3h 3s"),
        ("standard", "Ah As", "2d 2c"),
    ],
)
def test_the_higher_set_has_the_higher_number(variant: str, low: str, high: str) -> None:
    order = rules_of(variant).order
    assert 0 < strength(order, read_set(low)) < strength(order, read_set(high))


@pytest.mark.thorough
@pytest.mark.parametrize("variant", VARIANTS)
def test_legal_moves_are_those_of_the_plain_rules(variant: str) -> None:
    rules = rules_of(variant)
    n_left = N_POSITIONS // len(VARIANTS) + 1
    key_of = strength_by(rules)
    games = dealt(n_left // 60, rules)
    for rows in played_on(games):
        for row, mask in zip(rows.tolist(), games.masks(rows), strict=True):
            expected = legal_actions(position_of(games, row), rules.n_actions, key_of)
            assert np.flatnonzero(mask).tolist() == expected
            n_left -= 1
        if n_left <= 0:
            break
    assert n_left <= 0
