"""The equilibrium of a symmetric game: exact, the most even one, and nobody's order matters."""

from __future__ import annotations

from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from balance.metagame import equilibrium as module
from balance.metagame.equilibrium import equilibria, equilibrium

CIRCLE = np.array([[0, 1, -1], [-1, 0, 1], [1, -1, 0]]) / 2


def antisymmetric(upper):
    above = np.triu(upper, 1)
    return above - above.T


@st.composite
def games(draw, kinds=("real", "coarse", "cloned")):
    """Games of 1 to 9 strategies; coarse payoffs and clones make many equilibria."""
    n = draw(st.integers(1, 9))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    kind = draw(st.sampled_from(kinds))
    game = antisymmetric(rng.uniform(-0.5, 0.5, (n, n)))
    if kind != "real":
        game = np.round(4 * game) / 4
    if kind == "cloned":
        who = rng.integers(0, n, n)
        game = game[np.ix_(who, who)]
    return game


def some_equilibrium(game, direction):
    """The equilibrium that goes farthest in some direction."""
    n = len(game)
    bounds = {"A_ub": game, "b_ub": np.zeros(n), "A_eq": np.ones((1, n)), "b_eq": [1.0]}
    return linprog(-direction, **bounds).x


def test_rock_paper_scissors_are_played_equally():
    np.testing.assert_allclose(equilibrium(CIRCLE), 1 / 3, atol=1e-15)


def test_what_beats_the_bully_is_played_as_often_as_the_bully_wins():
    # Each is played in proportion to what is at stake between the two others.
    a, b, c = 0.1, 0.2, 0.4
    game = antisymmetric(np.array([[0, a, -c], [0, 0, b], [0, 0, 0]]))
    np.testing.assert_allclose(equilibrium(game), np.array([b, c, a]) / (a + b + c), atol=1e-15)


def test_shares_are_rounded_once():
    game = antisymmetric(np.array([[0, 1003, -4711], [0, 0, 2999], [0, 0, 0]]))
    assert equilibrium(game).tolist() == [2999 / 8713, 4711 / 8713, 1003 / 8713]


def test_a_strategy_that_is_a_mix_of_others_shares_with_them():
    """Their payoffs depend on each other, which whole numbers say exactly."""
    parts = np.array([[3, 1, 0], [0, 3, 1], [1, 0, 3], [4, 4, 4]]) * 3
    circle = 2 * CIRCLE
    game = parts @ circle @ parts.T  # the last one is as good as all three together
    shares = equilibrium(game)
    assert game[3].tolist() == [0] * 4
    assert shares[0] == shares[1] == shares[2] > 0
    assert shares[3] == 1 / 4


def test_clones_share_what_the_strategy_had():
    who = [0, 1, 0, 2, 0]
    shares = equilibrium(CIRCLE[np.ix_(who, who)])
    np.testing.assert_allclose(shares, np.array([1, 3, 1, 3, 1]) / 9, atol=1e-14)


def test_a_strategy_that_beats_all_is_all():
    game = antisymmetric(np.array([[0, 0.1, 0.01], [0, 0, 0.4], [0, 0, 0]]))
    assert equilibrium(game).tolist() == [1, 0, 0]


@pytest.mark.parametrize("n", [1, 2, 5])
def test_equals_are_played_equally(n):
    np.testing.assert_array_equal(equilibrium(np.zeros((n, n))), np.full(n, 1 / n))


def test_of_two_the_better_one_is_played():
    assert equilibrium(np.array([[0, -1e-4], [1e-4, 0]])).tolist() == [0, 1]


def test_two_who_tie_and_beat_the_third_by_much_and_by_little_are_played_equally():
    game = antisymmetric(np.array([[0, 0, 0.01], [0, 0, 0.4], [0, 0, 0]]))
    np.testing.assert_allclose(equilibrium(game), [0.5, 0.5, 0], atol=1e-15)


@given(games())
def test_nobody_gains_against_the_mix(game):
    shares = equilibrium(game)
    assert (game @ shares).max() <= 1e-9
    assert shares.min() >= 0
    assert abs(shares.sum() - 1) < 1e-12


@given(games(), st.integers(0, 2**32))
def test_no_equilibrium_is_more_even(game, seed):
    shares = equilibrium(game)
    other = some_equilibrium(game, np.random.default_rng(seed).normal(size=len(game)))
    # The squares cannot fall on the way to another one: the set of equilibria is convex.
    assert shares @ (other - shares) > -1e-7


@given(games(), st.integers(0, 2**32))
def test_the_order_does_not_matter(game, seed):
    order = np.random.default_rng(seed).permutation(len(game))
    mixed = equilibrium(game[np.ix_(order, order)])
    np.testing.assert_array_equal(mixed, equilibrium(game)[order])


@given(games(), st.integers(0, 2**32))
def test_where_it_begins_does_not_matter(game, seed):
    """Rounded numbers tell where, which other processors may round otherwise."""
    anywhere = np.flatnonzero(np.random.default_rng(seed).random(2 * len(game) + 1) < 0.3).tolist()
    for binding in ([], anywhere):
        with mock.patch.object(module, "_likely", lambda _, binding=binding: binding):
            shares = equilibrium(game)
        np.testing.assert_array_equal(shares, equilibrium(game))


@given(games(), st.floats(1e-4, 1e4))
def test_only_the_proportions_of_payoffs_matter(game, factor):
    np.testing.assert_allclose(equilibrium(factor * game), equilibrium(game), atol=1e-9)


@given(games(), st.integers(0, 2**32), st.sampled_from([1e-3, 1e-2, 0.25]))
def test_similar_games_are_solved_one_by_one(game, seed, spread):
    rng = np.random.default_rng(seed)
    similar = np.stack(
        [game + spread * antisymmetric(rng.normal(size=game.shape)) for _ in range(6)]
    )
    alike = np.concatenate([similar, game[np.newaxis], similar[:2]])
    for mix, one in zip(equilibria(alike), alike, strict=True):
        np.testing.assert_array_equal(mix, equilibrium(one))
