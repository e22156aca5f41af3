"""Equilibrium of a symmetric game: exact, most even, and independent of the order."""

from __future__ import annotations

from unittest import mock

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from balance.metagame import equilibrium as module
from balance.metagame.equilibrium import equilibrium

CIRCLE = np.array([[0, 1, -1], [-1, 0, 1], [1, -1, 0]]) / 2


def antisymmetric(upper):
    above = np.triu(upper, 1)
    return above - above.T


@st.composite
def games(draw):
    """Draw games of 1 to 9 strategies; coarse payoffs and clones give many equilibria."""
    n = draw(st.integers(1, 9))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    kind = draw(st.sampled_from(("real", "coarse", "cloned")))
    game = antisymmetric(rng.uniform(-0.5, 0.5, (n, n)))
    if kind == "real":
        return game
    who = rng.integers(0, n, n) if kind == "cloned" else np.arange(n)
    return (np.round(4 * game) / 4)[np.ix_(who, who)]


def some_equilibrium(game, direction):
    """Return the equilibrium that is farthest in some direction."""
    n = len(game)
    bounds = {"A_ub": game, "b_ub": np.zeros(n), "A_eq": np.ones((1, n)), "b_eq": [1.0]}
    return linprog(-direction, **bounds).x


def test_shares_are_rounded_once():
    game = antisymmetric(np.array([[0, 1003, -4711], [0, 0, 2999], [0, 0, 0]]))
    assert equilibrium(game).tolist() == [2999 / 8713, 4711 / 8713, 1003 / 8713]


def test_a_strategy_that_is_a_mix_of_others_shares_with_them():
    """Payoffs that depend on each other are exact only as whole numbers."""
    parts = np.array([[3, 1, 0], [0, 3, 1], [1, 0, 3], [4, 4, 4]]) * 3
    game = parts @ (2 * CIRCLE) @ parts.T  # the last one is as good as all three together
    assert game[3].tolist() == [0] * 4
    assert equilibrium(game).tolist() == [1 / 4] * 4


@given(games())
def test_no_strategy_gains_against_the_mix(game):
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
def test_the_first_guess_does_not_affect_the_equilibrium(game, seed):
    """The first guess uses rounded numbers, which depend on the processor."""
    anywhere = np.flatnonzero(np.random.default_rng(seed).random(2 * len(game) + 1) < 0.3).tolist()
    for binding in ([], anywhere):
        with mock.patch.object(module, "_guess_binding", lambda _, binding=binding: binding):
            shares = equilibrium(game)
        np.testing.assert_array_equal(shares, equilibrium(game))
