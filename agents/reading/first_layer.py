"""First layer of networks that read cards, by compiled code: sums of rows of weights.

Rows are added one after the other in a fixed order, and their weights are rounded so that the sums
are exact (`agents.reading.card_network`). Every machine and thread gets the same sums.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from agents.reading.position import N_CARDS, N_DENSE, ZONE_STRIDE
from sim.engine import layout as at
from sim.engine.addresses import floats_from, words_from
from sim.engine.compiled import Floats, Words, compiled, i64, none
from sim.engine.layout import numbered
from sim.engine.streams import load32, load64

# --- header: words that describe a network to compiled code ---
(
    WEIGHTS_AT,  # address of the weights, which begin with those of the first layer
    CARD_ROWS_AT,  # address of the rows of cards, shape [n_rows, P, H]
    ROW_OF_CARD_AT,  # address of the number of each card's rows, shape [V, n_cards], 32 bits each
    PARTNER_AT,  # 1 + address of the policy that plays in a search with the network, 0 for none
    *_,
) = numbered(each=4)
N_TABLE_CARDS = PARTNER_AT + 4  # number of cards of the table
HEADER_SIZE = N_TABLE_CARDS + 1


class FirstLayer(NamedTuple):
    """Compiled functions for the first layer of one kind of network.

    Attributes:
        add_card: function of (header, table, card, place, sums, start), which adds the row of a
            card in a place to the sums from offset `start` on.
        sum_position: function of (row, header, table, weights, sums), which writes the sums of a
            position row from offset 0 on.
    """

    add_card: Callable[..., None]
    sum_position: Callable[..., None]


def first_layer(hidden: int, n_places: int) -> FirstLayer:
    """Return the compiled functions of a first layer.

    The weights of the network must begin with the bias, shape ``[H]``, and the weights of the dense
    inputs of positions, shape ``[N_DENSE, H]``.

    Args:
        hidden: number of sums, ``H``.
        n_places: number of places of a card, ``P``; the zones of position rows are the first.
    """
    place_bytes = 4 * hidden
    card_bytes = place_bytes * n_places

    @compiled(none(Words, Words, i64, i64, Floats, i64))
    def add_card(header: Any, table: Any, card: int, place: int, sums: Any, start: int) -> None:
        n_cards = header[N_TABLE_CARDS]
        first = 2 * n_cards * table[at.VARIANT]
        row_of_card = words_from(load64(header, ROW_OF_CARD_AT), first + 2 * n_cards)
        number = load32(row_of_card, first + 2 * card)
        offset = card_bytes * number + place_bytes * place
        weights = floats_from(load64(header, CARD_ROWS_AT) + offset, hidden)
        for k in range(hidden):
            sums[start + k] += weights[k]

    @compiled(none(Words, Words, Words, Floats, Floats), apart=True)
    def sum_position(row: Any, header: Any, table: Any, weights: Any, sums: Any) -> None:
        for k in range(hidden):
            sums[k] = weights[k]
        for j in range(N_DENSE):
            if row[j] != 0:
                amount = np.float32(row[j])
                for k in range(hidden):
                    sums[k] += amount * weights[hidden + hidden * j + k]
        for k in range(row[N_CARDS]):
            listed = row[N_CARDS + 1 + k]
            add_card(header, table, listed % ZONE_STRIDE, listed // ZONE_STRIDE, sums, 0)

    return FirstLayer(add_card, sum_position)
