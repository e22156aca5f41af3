"""Linear algebra in steps of fixed order, so that every processor comes to the same last bit.

BLAS and LAPACK add up in an order that they choose by the processor. What a search decides by is
reckoned here; products of whole numbers, and of numbers on a grid coarse enough that every sum of
them is exact (`on_grid`), may be left to them.
"""

from __future__ import annotations

import numpy as np
from numba import types

from balance.statistics.intervals import Floats
from sim.engine.compiled import compiled, none

_Matrix = types.Array(types.float64, 2, "C")
_Vector = types.Array(types.float64, 1, "C")
_FINE, _ROOT, _COARSE = 24, 20, 16  # bits behind the point


def on_grid(values: Floats) -> Floats:
    """The nearest multiples of 2^-24: sums are exact while they are smaller than 2^29."""
    return _rounded(values, _FINE)


def on_coarse_grid(values: Floats) -> Floats:
    """Of 2^-16: sums of products with an `inverse_root` are exact while smaller than 2^17."""
    return _rounded(values, _COARSE)


def _rounded(values: Floats, bits: int) -> Floats:
    return np.asarray(np.rint(np.ldexp(values, bits)) * 2.0**-bits)


def product(one: Floats, other: Floats) -> Floats:
    """A matrix product whose every sum is exact, in whatever order BLAS adds it up.

    The callers see to that: of whole numbers, or of those and numbers `on_grid`.
    """
    return np.asarray(one @ other)


def factor(matrix: Floats) -> Floats:
    """``[n, n]`` upper U of a positive definite matrix that is U'U (Cholesky)."""
    upper = np.ascontiguousarray(matrix, dtype=np.float64).copy()
    _factor(upper)
    return upper


def solve(upper: Floats, values: Floats) -> Floats:
    """``[n]`` x with U'U x = `values`."""
    solution = values.copy()
    _solve_transposed(upper, solution)
    _solve_upper(upper, solution)
    return solution


def inverse_root(upper: Floats) -> Floats:
    """``[n, n]`` R with R'R = (U'U)^-1, on a grid of 2^-20: its products with wholes are exact."""
    columns = np.eye(len(upper))
    _solve_rows(upper, columns)  # row k: (U')^-1 e_k
    return np.ascontiguousarray(_rounded(columns.T, _ROOT))


def explained(upper: Floats, columns: Floats) -> Floats:
    """``[B]`` c' (U'U)^-1 c of each of ``[B, n]`` vectors c."""
    squares = np.zeros(len(columns))
    _explained(upper, np.ascontiguousarray(columns, dtype=np.float64).copy(), squares)
    return squares


@compiled(none(_Matrix), from_python=True)
def _factor(upper: Floats) -> None:
    n = len(upper)
    for k in range(n):
        root = np.sqrt(upper[k, k])
        for column in range(k, n):
            upper[k, column] /= root
        for row in range(k + 1, n):
            share = upper[k, row]
            for column in range(row, n):
                upper[row, column] -= share * upper[k, column]


@compiled(none(_Matrix, _Vector), from_python=True)
def _solve_transposed(upper: Floats, values: Floats) -> None:
    n = len(values)
    for k in range(n):
        values[k] /= upper[k, k]
        for column in range(k + 1, n):
            values[column] -= upper[k, column] * values[k]


@compiled(none(_Matrix, _Vector), from_python=True)
def _solve_upper(upper: Floats, values: Floats) -> None:
    for k in range(len(values) - 1, -1, -1):
        for column in range(k + 1, len(values)):
            values[k] -= upper[k, column] * values[column]
        values[k] /= upper[k, k]


@compiled(none(_Matrix, _Matrix), from_python=True)
def _solve_rows(upper: Floats, rows: Floats) -> None:
    for row in range(len(rows)):
        _solve_transposed(upper, rows[row])


@compiled(none(_Matrix, _Matrix, _Vector), from_python=True)
def _explained(upper: Floats, columns: Floats, squares: Floats) -> None:
    for row in range(len(columns)):
        _solve_transposed(upper, columns[row])
        for value in columns[row]:
            squares[row] += value * value
