"""Counts of observed games: win rates, the first seat's rate, and changes between two sets."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance import wilson
from balance.cards.card_contest import Matchup
from balance.observed.observed_changes import changes_between
from balance.observed.weighted_rate import weighted_rate
from balance.statistics.intervals import difference_of_shares
from tests.balance.observed_counts import counts_of

SIZES = st.integers(1, 500)
SHARES = st.floats(0, 1)


def test_pairs_without_games_are_missing_and_mirrors_are_counted_once() -> None:
    counts = counts_of([[0, 3, 0], [0, 0, 7], [0, 0, 0]], [[4, 10, 0], [0, 0, 7], [0, 0, 1]])
    assert counts.pairs == ((0, 1), (1, 2))
    assert counts.missing_pairs == ((0, 2),)
    assert (counts.n_games, counts.n_mirrors) == (22, 5)
    np.testing.assert_array_equal(counts.win_rates(), wilson([3, 7], [10, 7]))
    assert counts.most_played(2) == (0, 1)


def test_some_players_keep_their_games_in_any_order() -> None:
    counts = counts_of([[0, 3, 5], [0, 0, 7], [0, 0, 0]], [[0, 10, 20], [0, 2, 30], [0, 0, 0]])
    few = counts.among([2, 0])
    assert few.names == ("C", "A")
    assert few.win_rates().estimate == pytest.approx([15 / 20])
    assert few.n_games == 20


@given(st.data())
def test_of_one_group_the_weighted_rate_is_near_wilsons(data: st.DataObject) -> None:
    n_games = data.draw(SIZES)
    points = data.draw(st.integers(0, n_games))
    one = weighted_rate(np.array([points]), np.array([n_games]), np.array([2.0]))
    np.testing.assert_allclose(one, wilson(points, n_games), rtol=1e-9, atol=1e-9)


@given(st.lists(st.tuples(SHARES, SIZES, st.floats(0.01, 1)), min_size=1, max_size=6))
def test_the_weighted_rate_is_the_mean_inside_its_interval(groups: list) -> None:
    shares, n_games, weights = np.array(groups).T
    rate = weighted_rate(shares * n_games, n_games, weights)
    mean = (weights * shares).sum() / weights.sum()
    assert rate.estimate == pytest.approx(mean)
    assert 0 <= rate.low <= rate.estimate + 1e-12
    assert rate.estimate - 1e-12 <= rate.high <= 1


def test_the_interval_of_a_weighted_rate_covers_the_truth() -> None:
    rng = np.random.default_rng(1)
    truth = np.array([0.3, 0.5, 0.8])
    n_games = np.array([20, 200, 60])
    weights = np.array([0.5, 0.2, 0.3])
    mean = (weights * truth).sum()
    covered = 0
    for points in rng.binomial(n_games, truth, size=(500, 3)):
        rate = weighted_rate(points, n_games, weights)
        covered += int(rate.low <= mean <= rate.high)
    assert 0.92 <= covered / 500 <= 0.99


def test_the_first_seat_does_not_depend_on_which_deck_moved_first_more_often() -> None:
    """A beats B in 90 % and 70 % of games, moving first and second: the first seat has 60 %."""
    counts = counts_of(
        [[0, 970], [0, 0]],
        [[0, 1100], [0, 0]],
        first_points=[[0, 900], [30, 0]],
        first_games=[[0, 1000], [100, 0]],
    )
    assert counts.first_seat_of(Matchup(0, 1)).estimate == pytest.approx(0.6)
    assert counts.first_seat().estimate == pytest.approx(0.6)
    assert counts.n_first_seat_games == 1100


def test_mirrors_say_who_moves_first_and_one_seating_alone_does_not() -> None:
    mirrors = counts_of(np.zeros((2, 2)), [[40, 0], [0, 0]], first_points=[[25, 0], [0, 0]],
                        first_games=[[40, 0], [0, 0]])  # fmt: skip
    np.testing.assert_allclose(mirrors.first_seat(), wilson(25, 40))
    one = counts_of([[0, 9], [0, 0]], [[0, 10], [0, 0]], first_points=[[0, 9], [0, 0]],
                    first_games=[[0, 10], [0, 0]])  # fmt: skip
    assert one.first_seat() is None
    assert one.n_first_seat_games == 0


def test_changes_are_differences_with_joint_intervals_that_contain_those_of_each_pair() -> None:
    before = counts_of([[0, 40, 10], [0, 0, 0], [0, 0, 0]], [[0, 100, 20], [0, 0, 0], [0, 0, 0]])
    after = counts_of([[0, 70, 12], [0, 0, 5], [0, 0, 0]], [[0, 110, 20], [0, 0, 9], [0, 0, 0]])
    changes = changes_between(before, after)
    assert changes.pairs == ((0, 1), (0, 2))
    expected = difference_of_shares(wilson([70, 12], [110, 20]), wilson([40, 10], [100, 20]))
    np.testing.assert_allclose(changes.change, expected)
    joint = difference_of_shares(
        wilson([70, 12], [110, 20], 0.975), wilson([40, 10], [100, 20], 0.975)
    )
    np.testing.assert_allclose(changes.joint, joint)
    assert changes.differs.tolist() == changes.differs_alone.tolist() == [True, False]
    assert changes.n_before.tolist() == [100, 20]
    assert not changes_between(before, counts_of(np.zeros((3, 3)), np.zeros((3, 3)))).pairs


def test_of_unchanged_games_the_joint_intervals_rarely_say_that_any_differs() -> None:
    rng = np.random.default_rng(2)
    rates = np.full((6, 6), 0.5)
    games = 60 * (1 - np.eye(6))
    n_wrong = sum(
        changes_between(*(counts_of(rng.binomial(60, rates), games) for _ in range(2)))
        .differs.any()
        for _ in range(200)
    )  # fmt: skip
    assert n_wrong <= 20
