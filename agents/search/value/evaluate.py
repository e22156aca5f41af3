"""Evaluation of the learned value by compiled code, one position at a time.

The first layer is a sum: one row of weights for each listed card, by its zone, and one for each
dense input, multiplied by the input. Two small layers follow. All sums have a fixed order, so every
machine and thread gets the same result.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.search.value.position import N_CARDS, N_DENSE, N_ZONES, ROW_SIZE, ZONE_STRIDE
from sim.engine import layout as at
from sim.engine.addresses import floats_at, floats_from, words_at, words_from
from sim.engine.compiled import Block, FloatBlock, Floats, Vector, Words, compiled, i64, none
from sim.engine.layout import numbered
from sim.engine.streams import load32, load64

HIDDEN = 32  # outputs of the first layer, on which the time of an evaluation depends
SECOND = 16  # outputs of the second layer
ZONE_BYTES = 4 * HIDDEN  # size of the weights of a card in one zone
CARD_ROW_BYTES = ZONE_BYTES * N_ZONES  # size of the weights of a card
LOGIT_MAX = 12  # larger logits count as this: chances of less than one in 100,000

# --- words that describe a value to compiled code ---
(
    WEIGHTS_AT,  # address of the weights in the order below
    CARD_ROWS_AT,  # address of the rows of cards, shape [n_rows, N_ZONES, HIDDEN]
    ROW_OF_CARD_AT,  # address of the number of each card's row, shape [V, n_cards], 32 bits each
    REPLIER_AT,  # address of the agent that plays the replies to the best lines
    *_,
) = numbered(each=4)
N_TABLE_CARDS = REPLIER_AT + 4  # number of cards of the table
HEADER_SIZE = N_TABLE_CARDS + 1

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


@compiled(none(Words, Words, Words, Floats), apart=True)
def _add_cards(row: Any, header: Any, table: Any, sums: Any) -> None:
    """Add the weights of all listed cards of a position row to the sums.

    Args:
        row: position row.
        header: words of the value, shape ``[HEADER_SIZE]``.
        table: card table of the game's variant.
        sums: sums of the first layer, shape ``[HIDDEN]``.
    """
    n_cards = header[N_TABLE_CARDS]
    first = 2 * n_cards * table[at.VARIANT]
    row_of_card = words_from(load64(header, ROW_OF_CARD_AT), first + 2 * n_cards)
    for k in range(row[N_CARDS]):
        listed = row[N_CARDS + 1 + k]
        number = load32(row_of_card, first + 2 * (listed % ZONE_STRIDE))
        start = CARD_ROW_BYTES * number + ZONE_BYTES * (listed // ZONE_STRIDE)
        weights = floats_from(load64(header, CARD_ROWS_AT) + start, HIDDEN)
        for j in range(HIDDEN):
            sums[j] += weights[j]


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
        row: position row (`agents.search.value.position`).
        header: words of the value, shape ``[HEADER_SIZE]``.
        table: card table of the game's variant.
        sums: scratch memory, shape ``[SCRATCH_SIZE]``.
        points: points of a logit of 1.
    """
    weights = floats_from(load64(header, WEIGHTS_AT), WEIGHTS_SIZE)
    for k in range(HIDDEN):
        sums[k] = weights[BIAS + k]
    direct = weights[LAST_BIAS]
    for j in range(N_DENSE):
        if row[j] != 0:
            amount = np.float32(row[j])
            direct += amount * weights[DIRECT + j]
            for k in range(HIDDEN):
                sums[k] += amount * weights[DENSE + HIDDEN * j + k]
    sums[HIDDEN + SECOND] = direct
    _add_cards(row, header, table, sums)
    return _points_of(sums, weights, points)


@compiled(none(Block, Block, Block, FloatBlock, i64, Vector), from_python=True)
def value_rows(rows: Any, header: Any, table: Any, sums: Any, points: int, values: Any) -> None:
    """Write the learned values of many position rows of one variant.

    Args:
        rows: position rows, one after the other, shape ``[n * ROW_SIZE]``.
        header: words of the value, shape ``[HEADER_SIZE]``.
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
