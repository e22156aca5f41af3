"""Sequential halving: the candidates of each round, their seeds, and the winner."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance.decks.halving import Race, halve
from balance.statistics.intervals import Floats, Positions

RATES = st.lists(st.integers(0, 100), min_size=1, max_size=40)
KEEP = st.integers(1, 8)


class Round(NamedTuple):
    candidates: tuple[int, ...]
    n_games: int
    first: int


def race_of(rates: list[int], keep: int, first_round: int = 10) -> tuple[Race, list[Round]]:
    """Return a race and its rounds; every game shows the candidates' true rates exactly."""
    rounds: list[Round] = []

    def play(racing: Positions, n_games: int, first: int) -> Floats:
        rounds.append(Round(tuple(racing.tolist()), n_games, first))
        return np.array(rates)[racing] / 100 * n_games

    return halve(len(rates), play, first_round=first_round, keep=keep), rounds


@given(rates=RATES, keep=KEEP)
def test_everybody_has_one_place_and_exact_games_find_the_true_order(rates, keep):
    race, rounds = race_of(rates, keep)
    assert sorted(race.order.tolist()) == list(range(len(rates)))
    assert bool(rounds) == (len(rates) > keep)  # nobody plays where all may stay
    if rounds:
        assert [rates[k] for k in race.order] == sorted(rates, reverse=True)
        assert np.allclose(race.rates, np.array(rates) / 100)


@given(rates=RATES, keep=KEEP)
def test_each_round_has_twice_the_games_on_the_seeds_that_follow(rates, keep):
    _, rounds = race_of(rates, keep)
    sizes = [10 * 2**k for k in range(len(rounds))]
    firsts = [sum(sizes[:k]) // 2 for k in range(len(rounds))]
    assert [(n_games, first) for _, n_games, first in rounds] == [*zip(sizes, firsts, strict=True)]


@given(rates=RATES, keep=KEEP)
def test_racing_candidates_have_played_every_seed_so_far(rates, keep):
    race, rounds = race_of(rates, keep)
    for earlier, later in pairwise(rounds):
        assert set(later.candidates) < set(earlier.candidates)
        assert len(later.candidates) == max(keep, -(-len(earlier.candidates) // 2))
    assert race.n_games.tolist() == [
        sum(one.n_games for one in rounds if k in one.candidates) for k in range(len(rates))
    ]


def test_equals_keep_their_order():
    for n in (2, 9):
        race, _ = race_of([50] * n, keep=2)
        assert race.order[:2].tolist() == [0, 1]


def test_later_games_can_turn_a_lead_but_do_not_erase_earlier_ones():
    points = iter(np.array([[9, 5, 4, 8], [0, 20, 12, 10], [0, 40, 0, 0]], dtype=float))

    def play(racing: Positions, n_games: int, first: int) -> Floats:
        return next(points)[racing]

    race = halve(4, play, first_round=10, keep=1)
    assert race.order.tolist() == [3, 0, 1, 2]  # 1, dropped after 5 of 10 points, never returns
    assert race.rates[[3, 0]] == pytest.approx([18 / 30, 9 / 30])
