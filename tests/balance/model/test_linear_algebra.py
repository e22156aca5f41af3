"""Linear algebra in fixed order against LAPACK, and sums that must be exact."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance.search.model.linear_algebra import (
    explained_variance,
    factor,
    inverse_root,
    on_coarse_grid,
    on_grid,
    product,
    solve,
)

sizes = pytest.mark.parametrize("n", [0, 1, 2, 7, 40])


def positive_definite(n: int) -> np.ndarray:
    root = np.random.default_rng(n).normal(size=(n, n + 3))
    return root @ root.T / max(n, 1) + np.eye(n) / 10


@sizes
def test_a_factor_is_choleskys(n: int) -> None:
    matrix = positive_definite(n)
    kept = matrix.copy()
    np.testing.assert_allclose(np.triu(factor(matrix)), np.linalg.cholesky(matrix).T, rtol=1e-9)
    np.testing.assert_array_equal(matrix, kept)


@sizes
def test_solutions_and_explained_variances_are_those_of_the_inverse(n: int) -> None:
    matrix = positive_definite(n)
    columns = np.random.default_rng(1).normal(size=(5, n))
    upper = factor(matrix)
    inverse = np.linalg.inv(matrix)
    np.testing.assert_allclose(solve(upper, columns[0]), inverse @ columns[0], rtol=1e-7)
    expected = np.einsum("bi,ij,bj->b", columns, inverse, columns)
    np.testing.assert_allclose(explained_variance(upper, columns), expected, rtol=1e-7)
    root = inverse_root(upper)
    np.testing.assert_allclose(root.T @ root, inverse, atol=1e-4 * np.abs(inverse).max(initial=0))


@given(st.integers(0, 2**32))
def test_sums_of_numbers_on_a_grid_do_not_depend_on_their_order(seed: int) -> None:
    rng = np.random.default_rng(seed)
    wholes = rng.integers(0, 5, (3, 400)).astype(float)
    fine = on_grid(rng.normal(0, 100, 400))
    root = on_grid(rng.normal(size=(3, 400)) / 16)
    coarse = on_coarse_grid(rng.normal(0, 9, 400))
    root = np.rint(root * 2**20) / 2**20
    order = rng.permutation(400)
    for one, other in ((wholes, fine), (root, coarse), (root, root.T)):
        np.testing.assert_array_equal(product(one, other), product(one[:, order], other[order]))
