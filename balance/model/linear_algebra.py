"""Linear algebra in a fixed order of operations, so that results are equal on all processors.

BLAS and LAPACK sum in an order that depends on the processor. Values that decide a search are
therefore computed here. Products of whole numbers, and of numbers on a grid so coarse that all
their sums are exact (`on_grid`), may use BLAS.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numba import types
from scipy.sparse import csr_array
from threadpoolctl import ThreadpoolController

from balance.statistics.arithmetic import Floats, ordered_sum
from sim.engine.compiled import compiled, none

Matrix = types.Array(types.float64, 2, "C")
Vector = types.Array(types.float64, 1, "C")
_Column = types.Array(types.float64, 1, "A")
# Bits behind the point of a grid. A float has 53 bits.
_FINE = 24  # sums of multiples of 2^-24 are exact below 2^29
_ROOT = 20  # products of 20 and 16 bits have 36, so that their sums are exact below 2^17
_COARSE = 16  # the other factor of these products
# Rows of a panel: 32 rows of 1,000 floats (256 kB) stay in a core's cache while the other rows are
# read. It changes the time only.
_PANEL = 32


def on_grid(values: Floats) -> Floats:
    """Return the nearest multiples of 2^-24; their sums are exact below 2^29."""
    return _round_to_bits(values, _FINE)


def on_coarse_grid(values: Floats) -> Floats:
    """Return the nearest multiples of 2^-16.

    Sums of their products with an `inverse_root` are exact below 2^17.
    """
    return _round_to_bits(values, _COARSE)


def _round_to_bits(values: Floats, bits: int) -> Floats:
    """Return the nearest multiples of 2^-bits."""
    return np.asarray(np.rint(np.ldexp(values, bits)) * 2.0**-bits)


def product(one: Floats | csr_array, other: Floats) -> Floats:
    """Return a matrix product, computed by BLAS without rounding.

    The caller must ensure that all sums are exact in any order: both factors are whole numbers, or
    one is and the other is `on_grid`. BLAS uses one thread, because its threads wait for each other
    busily, which doubles the processor time of a search.

    Args:
        one: left factor, shape [A, B].
        other: right factor, shape [B, C] or [B].
    """
    with _libraries().limit(limits=1, user_api="blas"):
        return np.asarray(one @ other)


@cache
def _libraries() -> ThreadpoolController:
    """Return the controller of loaded BLAS libraries, cached because finding them is slow."""
    return ThreadpoolController()


def factor(matrix: Floats) -> Floats:
    """Return the Cholesky factor of a positive definite matrix, shape [n, n].

    Args:
        matrix: positive definite matrix, shape [n, n].

    Returns:
        Upper triangular U with U'U = matrix.
    """
    upper = np.ascontiguousarray(matrix, dtype=np.float64).copy()
    _factor(upper)
    return upper


def solve(upper: Floats, values: Floats) -> Floats:
    """Return the solution x of U'U x = values, shape [n].

    Args:
        upper: factor U, shape [n, n].
        values: right-hand side, shape [n].
    """
    solution = np.array(values, dtype=np.float64)
    _solve_transposed(upper, solution[np.newaxis])
    _solve_upper(upper, solution)
    return solution


def inverse_root(upper: Floats) -> Floats:
    """Return R with R'R = (U'U)^-1, shape [n, n].

    It is rounded to multiples of 2^-20, so that its products with whole numbers are exact.

    Args:
        upper: factor U, shape [n, n].
    """
    columns = np.eye(len(upper))
    _solve_transposed(upper, columns)  # row k: (U')^-1 e_k
    return np.ascontiguousarray(_round_to_bits(columns.T, _ROOT))


def explained_variance(upper: Floats, columns: Floats) -> Floats:
    """Return c' (U'U)^-1 c for each of some vectors c, shape [B].

    In a Gaussian process this is the variance that the data explain.

    Args:
        upper: factor U, shape [n, n].
        columns: the vectors c as rows, shape [B, n].
    """
    solved = np.array(columns, dtype=np.float64, order="C")
    _solve_transposed(upper, solved)
    return ordered_sum(solved * solved)


@compiled(none(Vector, Matrix, _Column))
def _subtract(target: Floats, rows: Floats, shares: Floats) -> None:
    """Subtract multiples of the ends of rows from a vector, one row after the other.

    Four rows are read in one pass, so that an element is loaded and stored once for all four. The
    order of subtractions is that of the rows in either case.

    Args:
        target: vector that is changed, shape [t].
        rows: rows, of which the last t columns count, shape [s, n].
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
    """Replace a matrix by its Cholesky factor, panel by panel (right-looking).

    Panels do not change the result: every element still subtracts the rows above it in their order.

    Args:
        upper: positive definite matrix; its upper triangle is replaced by U.
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
    """Replace each row x of `vectors` by the solution y of U'y = x.

    A panel of rows is solved at a time, so that U passes through the cache once per panel.

    Args:
        upper: factor U, shape [n, n].
        vectors: rows that are replaced, shape [B, n].
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
    """Replace `values` by the solution x of U x = values (back substitution)."""
    for k in range(len(values) - 1, -1, -1):
        for column in range(k + 1, len(values)):
            values[k] -= upper[k, column] * values[column]
        values[k] /= upper[k, k]
