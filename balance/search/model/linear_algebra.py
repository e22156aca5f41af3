"""Linear algebra in a fixed order of operations, so that results are equal on all processors.

BLAS and LAPACK sum in an order that depends on the processor. Values that decide a search are
therefore computed by this module. BLAS is used only where all sums are exact: for products of whole
numbers, and of numbers rounded to a coarse grid (`on_grid`).
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numba import types
from scipy.sparse import csr_array
from threadpoolctl import ThreadpoolController

from balance.statistics.arithmetic import Floats, ordered_sum
from sim.engine.compiled import compiled, none

Matrix: Any = types.Array(types.float64, 2, "C")
Vector: Any = types.Array(types.float64, 1, "C")
_Column = types.Array(types.float64, 1, "A")
# Bits after the binary point of each grid. A float has 53 bits.
_FINE = 24  # sums of multiples of 2^-24 are exact below 2^29
_ROOT = 20  # products with values of 16 bits have 36 bits, so that their sums are exact below 2^17
_COARSE = 16  # bits of the second factor of these products
# Rows of a panel: 32 rows of 1,000 floats (256 kB) stay in a core's cache while the remaining rows
# are read. The number changes the time only, not the results.
_PANEL = 32


def on_grid(values: Floats) -> Floats:
    """Return values rounded to the nearest multiples of 2^-24; their sums are exact below 2^29."""
    return _round_to_bits(values, _FINE)


def on_coarse_grid(values: Floats) -> Floats:
    """Return values rounded to the nearest multiples of 2^-16.

    Sums of products of the results with elements of an `inverse_root` are exact below 2^17.
    """
    return _round_to_bits(values, _COARSE)


def _round_to_bits(values: Floats, bits: int) -> Floats:
    """Return values rounded to the nearest multiples of 2^-bits."""
    return np.asarray(np.rint(np.ldexp(values, bits)) * 2.0**-bits)


def product(left: Floats | csr_array, right: Floats) -> Floats:
    """Return a matrix product computed by BLAS, shape [A, C] or [A].

    The caller must ensure that all sums are exact in any order: both factors consist of whole
    numbers, or one of whole numbers and the other of values on a grid. BLAS is limited to one
    thread, because its threads spin while idle, which doubles the processor time of a search.

    Args:
        left: left factor, shape [A, B].
        right: right factor, shape [B, C] or [B].
    """
    with _libraries().limit(limits=1, user_api="blas"):
        return np.asarray(left @ right)


@cache
def _libraries() -> ThreadpoolController:
    """Return the controller of the loaded BLAS libraries, cached because its creation is slow."""
    return ThreadpoolController()


def factor(matrix: Floats) -> Floats:
    """Return the Cholesky factor U of a matrix, with U'U = matrix, shape [n, n].

    Only the upper triangle of the result is meaningful; elements below it are not cleared.

    Args:
        matrix: positive definite matrix, shape [n, n].
    """
    upper = np.ascontiguousarray(matrix, dtype=np.float64).copy()
    _factor(upper)
    return upper


def solve(upper: Floats, values: Floats) -> Floats:
    """Return the solution x of U'U x = values, shape [n].

    Args:
        upper: Cholesky factor U, of which the upper triangle is read, shape [n, n].
        values: right-hand side of the equation, shape [n].
    """
    solution = np.array(values, dtype=np.float64)
    _solve_transposed(upper, solution[np.newaxis])
    _solve_upper(upper, solution)
    return solution


def inverse_root(upper: Floats) -> Floats:
    """Return a matrix R with R'R = (U'U)^-1, shape [n, n].

    R is rounded to multiples of 2^-20, so that its products with whole numbers are exact.

    Args:
        upper: Cholesky factor U, of which the upper triangle is read, shape [n, n].
    """
    columns = np.eye(len(upper))
    _solve_transposed(upper, columns)  # row k: (U')^-1 e_k
    return np.ascontiguousarray(_round_to_bits(columns.T, _ROOT))


def explained_variance(upper: Floats, columns: Floats) -> Floats:
    """Return c' (U'U)^-1 c for each row c of a matrix, shape [B].

    In a Gaussian process with the covariance U'U this is the variance that the data explain.

    Args:
        upper: Cholesky factor U, of which the upper triangle is read, shape [n, n].
        columns: vectors c as rows, shape [B, n].
    """
    solved = np.array(columns, dtype=np.float64, order="C")
    _solve_transposed(upper, solved)
    return ordered_sum(solved * solved)


@compiled(none(Vector, Matrix, _Column))
def _subtract(target: Floats, rows: Floats, shares: Floats) -> None:
    """Subtract multiples of the last columns of a matrix from a vector, in the order of its rows.

    Four rows are read in one pass, so that an element is loaded and stored once for all four.

    Args:
        target: vector that is changed in place, shape [t].
        rows: matrix of which the last t columns are subtracted, shape [s, n].
        shares: factor of each row, shape [s].
    """
    first = rows.shape[1] - len(target)
    n = len(shares)
    for k in range(0, n - 3, 4):
        a = shares[k]
        b = shares[k + 1]
        c = shares[k + 2]
        d = shares[k + 3]
        row_a = rows[k, first:]
        row_b = rows[k + 1, first:]
        row_c = rows[k + 2, first:]
        row_d = rows[k + 3, first:]
        for i in range(len(target)):
            target[i] = target[i] - a * row_a[i] - b * row_b[i] - c * row_c[i] - d * row_d[i]
    for k in range(n - n % 4, n):
        share = shares[k]
        row = rows[k, first:]
        for i in range(len(target)):
            target[i] -= share * row[i]


@compiled(none(Matrix), from_python=True)
def _factor(upper: Floats) -> None:
    """Replace the upper triangle of a matrix by its Cholesky factor, panel by panel.

    Panels do not change the result, because the rows above an element are subtracted from it in
    their order (right-looking algorithm).

    Args:
        upper: positive definite matrix that is changed in place, shape [n, n].
    """
    n = len(upper)
    for first in range(0, n, _PANEL):
        last = min(first + _PANEL, n)
        for k in range(first, last):
            _subtract(upper[k, k:], upper[first:k], upper[first:k, k])
            root = np.sqrt(upper[k, k])
            for column in range(k, n):
                upper[k, column] /= root
        for row in range(last, n):
            _subtract(upper[row, row:], upper[first:last], upper[first:last, row])


@compiled(none(Matrix, Matrix), from_python=True)
def _solve_transposed(upper: Floats, vectors: Floats) -> None:
    """Replace each row x of `vectors` by the solution y of U'y = x (forward substitution).

    A panel of rows is solved at a time, so that U passes through the cache once per panel.

    Args:
        upper: Cholesky factor U, of which the upper triangle is read, shape [n, n].
        vectors: right-hand sides as rows, which are changed in place, shape [B, n].
    """
    n = len(upper)
    for begin in range(0, len(vectors), _PANEL):
        for first in range(0, n, 4):
            last = min(first + 4, n)
            for row in range(begin, min(begin + _PANEL, len(vectors))):
                for k in range(first, last):
                    vectors[row, k] /= upper[k, k]
                    for column in range(k + 1, last):
                        vectors[row, column] -= upper[k, column] * vectors[row, k]
                _subtract(vectors[row, last:], upper[first:last], vectors[row, first:last])


@compiled(none(Matrix, Vector), from_python=True)
def _solve_upper(upper: Floats, values: Floats) -> None:
    """Replace `values` by the solution x of U x = values (back substitution).

    Args:
        upper: Cholesky factor U, of which the upper triangle is read, shape [n, n].
        values: right-hand side, which is changed in place, shape [n].
    """
    for k in range(len(values) - 1, -1, -1):
        for column in range(k + 1, len(values)):
            values[k] -= upper[k, column] * values[column]
        values[k] /= upper[k, k]
