"""A network that reads cards, made ready for a card table: the blocks that compiled code reads."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from agents.reading.card_inputs import text_offsets
from agents.reading.card_network import CardNetwork
from agents.reading.columns import Floats32, Words16, n_table_cards
from agents.reading.first_layer import (
    CARD_ROWS_AT,
    HEADER_SIZE,
    N_TABLE_CARDS,
    PARTNER_AT,
    ROW_OF_CARD_AT,
    WEIGHTS_AT,
)
from sim.engine import layout as at
from sim.engine.addresses import as_words
from sim.play.table import Table


@dataclass(frozen=True, eq=False)
class SeatedNetwork:
    """A network for all variants of a card table.

    Attributes:
        header: words that describe the network to compiled code, shape ``[HEADER_SIZE]``. They
            contain addresses of the other blocks, which are valid while this object lives.
        blocks: weights, rows of cards, and number of each card's rows.
    """

    header: Words16
    blocks: tuple[npt.NDArray[np.generic], ...]

    @property
    def address(self) -> int:
        """Address of the header."""
        return int(self.header.ctypes.data)

    def name_partner(self, address: int) -> None:
        """Write the address of the policy that plays in a search with the network."""
        self.header[PARTNER_AT:N_TABLE_CARDS] = as_words([1 + address])


def seated_network(network: CardNetwork, tables: Words16) -> SeatedNetwork:
    """Return a network for the variants of a card table.

    Cards that a variant does not change share their rows with the first variant.

    Args:
        network: weights of the network.
        tables: words of all variants, shape ``[V, size]``.
    """
    card_rows, row_of_card = _rows_of_cards(network, tables)
    header = np.zeros(HEADER_SIZE, dtype=np.int16)
    for place, address in (
        (WEIGHTS_AT, network.weights.ctypes.data),
        (CARD_ROWS_AT, card_rows.ctypes.data),
        (ROW_OF_CARD_AT, row_of_card.ctypes.data),
    ):
        header[place : place + 4] = as_words([address])
    header[N_TABLE_CARDS] = row_of_card.shape[1]
    return SeatedNetwork(header, (network.weights, card_rows, row_of_card))


def seats_of(
    networks: tuple[CardNetwork, CardNetwork], table: Table
) -> tuple[SeatedNetwork, SeatedNetwork]:
    """Return networks for the plain and for the other games of a table.

    If the table has games of one kind only, both are the network of that kind.

    Args:
        networks: networks for plain games and for all other games.
        table: card table.
    """
    kinds = table.kinds_of_games
    seats = {kind: seated_network(networks[kind], table.words) for kind in kinds}
    return seats.get(False, seats[kinds[-1]]), seats.get(True, seats[kinds[0]])


def _rows_of_cards(network: CardNetwork, tables: Words16) -> tuple[Floats32, npt.NDArray[np.int32]]:
    """Return the rows of all different cards, and the number of each card's row by variant.

    Args:
        network: weights of the network.
        tables: words of all variants, shape ``[V, size]``.

    Returns:
        Rows, shape ``[n_rows, N_PLACES, HIDDEN]``, and their numbers by the word `VARIANT` of a
        table, which compiled code reads, and by card, shape ``[V', n_cards]``.
    """
    first = tables[0]
    n_cards = n_table_cards(first)
    rows = [network.card_rows(first, range(n_cards))]
    numbers = np.arange(n_cards, dtype=np.int32)
    # A part of a table has the words `VARIANT` of the whole.
    row_of_card = np.tile(numbers, (int(tables[:, at.VARIANT].max()) + 1, 1))
    n_rows = n_cards
    offsets = [_words_of(first, card) for card in range(n_cards)] if len(tables) > 1 else []
    for words in tables[1:]:
        is_changed = words != first
        changed = [card for card in range(n_cards) if is_changed[offsets[card]].any()]
        if changed:
            rows.append(network.card_rows(words, changed))
            row_of_card[words[at.VARIANT], changed] = n_rows + np.arange(len(changed))
            n_rows += len(changed)
    return np.concatenate(rows), row_of_card


def _words_of(words: Words16, card: int) -> npt.NDArray[np.int64]:
    """Return the offsets of the words on which the inputs of a card depend.

    These are the words of the card and of its options, with their effect rows, and those of cards
    that an effect row makes.
    """
    parts = list[npt.NDArray[np.int64]]()
    for text in text_offsets(words, card):
        first_row = int(words[text + at.CARD_ROWS])
        n_rows = int(words[text + at.CARD_N_ROWS])
        parts.append(np.arange(text, text + at.CARD_SIZE))
        parts.append(np.arange(first_row, first_row + at.ROW_SIZE * n_rows))
        for row in range(first_row, first_row + at.ROW_SIZE * n_rows, at.ROW_SIZE):
            if words[row + at.ROW_N_CARDS] == 1:
                made = at.CARDS + at.CARD_SIZE * int(words[row + at.ROW_ARGUMENT])
                parts.append(np.arange(made, made + at.CARD_SIZE))
    return np.concatenate(parts)
