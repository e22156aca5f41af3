"""Evaluation of the learned value by compiled code, one position at a time.

The first layer is a sum over cards and dense inputs (`agents.reading.first_layer`). Two small
layers follow. All sums have a fixed order, so every machine and thread gets the same result.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.reading.first_layer import WEIGHTS_AT, first_layer
from agents.reading.position import N_DENSE, N_ZONES, ROW_SIZE
from sim.engine.addresses import floats_at, floats_from, words_at
from sim.engine.compiled import Block, FloatBlock, Floats, Vector, Words, compiled, i64, none
from sim.engine.streams import load64

HIDDEN = 32  # outputs of the first layer, on which the time of an evaluation depends
SECOND = 16  # outputs of the second layer
LOGIT_MAX = 12  # larger logits count as this: chances of less than one in 100,000

# --- offsets in the weights ---
BIAS = 0  # first layer, shape [HIDDEN]
DENSE = BIAS + HIDDEN  # dense inputs, shape [N_DENSE, HIDDEN]
SECOND_LAYER = DENSE + N_DENSE * HIDDEN  # shape [HIDDEN, SECOND]
SECOND_BIAS = SECOND_LAYER + HIDDEN * SECOND
LAST = SECOND_BIAS + SECOND  # shape [SECOND]
DIRECT = LAST + SECOND  # dense inputs straight to the logit, shape [N_DENSE]
LAST_BIAS = DIRECT + N_DENSE
WEIGHTS_SIZE = LAST_BIAS + 1
SCRATCH_SIZE = HIDDEN + SECOND + 1  # number of floats of scratch memory: both layers, direct part


_, _sum_position = first_layer(HIDDEN, N_ZONES)


@compiled(i64(Floats, Floats, i64))
def _points_of(sums: Any, weights: Any, points: int) -> int:
    """Return the value in points from the sums of the first layer and the direct part.

    Args:
        sums: sums of the first layer; behind them room for `SECOND` sums, then the direct part.
        weights: weights, shape ``[WEIGHTS_SIZE]``.
        points: points of a logit of 1.
    """
    for k in range(SECOND):
        sums[HIDDEN + k] = weights[SECOND_BIAS + k]
    for j in range(HIDDEN):
        amount = sums[j]
        if amount > 0:
            for k in range(SECOND):
                sums[HIDDEN + k] += amount * weights[SECOND_LAYER + SECOND * j + k]
    logit = sums[HIDDEN + SECOND]
    for k in range(SECOND):
        if sums[HIDDEN + k] > 0:
            logit += sums[HIDDEN + k] * weights[LAST + k]
    limit = np.float32(LOGIT_MAX)
    return int(max(min(logit, limit), -limit) * np.float32(points))


@compiled(i64(Words, Words, Words, Floats, i64), apart=True)
def value_of_row(row: Any, header: Any, table: Any, sums: Any, points: int) -> int:
    """Return the learned value of a position row, in points of weighted features.

    Args:
        row: position row (`agents.reading.position`).
        header: words of the network, shape ``[HEADER_SIZE]``.
        table: card table of the game's variant.
        sums: scratch memory, shape ``[SCRATCH_SIZE]``.
        points: points of a logit of 1.
    """
    weights = floats_from(load64(header, WEIGHTS_AT), WEIGHTS_SIZE)
    direct = weights[LAST_BIAS]
    for j in range(N_DENSE):
        direct += np.float32(row[j]) * weights[DIRECT + j]
    sums[HIDDEN + SECOND] = direct
    _sum_position(row, header, table, weights, sums)
    return _points_of(sums, weights, points)


@compiled(none(Block, Block, Block, FloatBlock, i64, Vector), from_python=True)
def value_rows(rows: Any, header: Any, table: Any, sums: Any, points: int, values: Any) -> None:
    """Write the learned values of many position rows of one variant.

    Args:
        rows: position rows, one after the other, shape ``[n * ROW_SIZE]``.
        header: words of the network, shape ``[HEADER_SIZE]``.
        table: card table of the variant.
        sums: scratch memory, shape ``[SCRATCH_SIZE]``.
        points: points of a logit of 1.
        values: output, shape ``[n]``.
    """
    for k in range(len(values)):
        row = words_at(rows, ROW_SIZE * k)
        values[k] = value_of_row(
            row, words_at(header, 0), words_at(table, 0), floats_at(sums, 0), points
        )
