"""Linear algebra in steps of fixed order, so that every processor comes to the same last bit.

BLAS and LAPACK add up in an order that they choose by the processor. What a search decides by is
reckoned here; products of whole numbers, and of numbers on a grid coarse enough that every sum of
them is exact (`on_grid`), may be left to them.
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
_FINE = 24
_ROOT = 20
_COARSE = 16  # bits behind the point
_PANEL = 32  # rows that stay in the cache while all others pass by


def on_grid(values: Floats) -> Floats:
    """The nearest multiples of 2^-24: sums are exact while they are smaller than 2^29."""
    return _rounded(values, _FINE)


def on_coarse_grid(values: Floats) -> Floats:
    """Of 2^-16: sums of products with an `inverse_root` are exact while smaller than 2^17."""
    return _rounded(values, _COARSE)


def _rounded(values: Floats, bits: int) -> Floats:
    return np.asarray(np.rint(np.ldexp(values, bits)) * 2.0**-bits)


def product(one: Floats | csr_array, other: Floats) -> Floats:
    """A matrix product whose every sum is exact, in whatever order BLAS adds it up.

    The callers see to that: of whole numbers, or of those and numbers `on_grid`. BLAS works in one
    thread: its threads wait for each other busily, which doubles the CPU time of a search.
    """
    with _libraries().limit(limits=1, user_api="blas"):
        return np.asarray(one @ other)


@cache
def _libraries() -> ThreadpoolController:
    """The loaded libraries that have threads of their own; looking for them takes a while."""
    return ThreadpoolController()


def factor(matrix: Floats) -> Floats:
    """``[n, n]`` upper U of a positive definite matrix that is U'U (Cholesky)."""
    upper = np.ascontiguousarray(matrix, dtype=np.float64).copy()
    _factor(upper)
    return upper


def solve(upper: Floats, values: Floats) -> Floats:
    """``[n]`` x with U'U x = `values`."""
    solution = np.array(values, dtype=np.float64)
    _solve_transposed(upper, solution[np.newaxis])
    _solve_upper(upper, solution)
    return solution


def inverse_root(upper: Floats) -> Floats:
    """``[n, n]`` R with R'R = (U'U)^-1, on a grid of 2^-20: its products with wholes are exact."""
    columns = np.eye(len(upper))
    _solve_transposed(upper, columns)  # row k: (U')^-1 e_k
    return np.ascontiguousarray(_rounded(columns.T, _ROOT))


def explained(upper: Floats, columns: Floats) -> Floats:
    """``[B]`` c' (U'U)^-1 c of each of ``[B, n]`` vectors c."""
    solved = np.array(columns, dtype=np.float64, order="C")
    _solve_transposed(upper, solved)
    return ordered_sum(solved * solved)


@compiled(none(Vector, Matrix, _Column))
def _subtract(target: Floats, rows: Floats, shares: Floats) -> None:
    """From a vector shares of the ends of some rows, one row after the other.

    Four rows pass at a time, so that a number is fetched and put back once for four of them.
    """
    first = rows.shape[1] - len(target)
    n = len(shares)
    for k in range(0, n - 3, 4):
        a = shares[k]
        b = shares[k + 1]
        c = shares[k + 2]
        d = shares[k + 3]
        one = rows[k, first:]
        two = rows[k + 1, first:]
        three = rows[k + 2, first:]
        four = rows[k + 3, first:]
        for i in range(len(target)):
            target[i] = target[i] - a * one[i] - b * two[i] - c * three[i] - d * four[i]
    for k in range(n - n % 4, n):
        share = shares[k]
        row = rows[k, first:]
        for i in range(len(target)):
            target[i] -= share * row[i]


@compiled(none(Matrix), from_python=True)
def _factor(upper: Floats) -> None:
    """Panel by panel: every number is still reckoned with in the order of the rows above it."""
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
    """Each row x of some becomes the y with U'y = x; a panel of them at a time, likewise."""
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
    for k in range(len(values) - 1, -1, -1):
        for column in range(k + 1, len(values)):
            values[k] -= upper[k, column] * values[column]
        values[k] /= upper[k, k]
