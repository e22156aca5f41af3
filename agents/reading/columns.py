"""Inputs of cards as matrices, with a column for each name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from agents.reading.card_inputs import ROWS_MAX, Inputs, card_inputs, row_inputs
from sim.engine import layout as at

Floats32 = npt.NDArray[np.float32]
Words16 = npt.NDArray[np.int16]


def n_table_cards(words: Words16) -> int:
    """Return the number of cards, tokens and plain tokens in the words of a card table."""
    first_row = int(words[at.CARDS + at.CARD_ROWS])
    return (first_row - at.CARDS) // at.CARD_SIZE


@dataclass(frozen=True)
class Columns:
    """Names of the inputs of a card encoder, in their order in its matrices.

    Attributes:
        card: names of the inputs of a card, ``C`` in total.
        row: names of the inputs of an effect row, ``R`` in total.
    """

    card: tuple[str, ...]
    row: tuple[str, ...]

    @classmethod
    def of_tables(cls, tables: Iterable[Words16]) -> Columns:
        """Return the sorted names of all inputs that occur in given tables.

        Args:
            tables: words of card tables, each of one variant.
        """
        of_card = set[str]()
        of_row = set[str]()
        for words in tables:
            for card in range(n_table_cards(words)):
                of_card.update(card_inputs(words, card))
                of_row.update(name for row in row_inputs(words, card) for name in row)
        return cls(tuple(sorted(of_card)), tuple(sorted(of_row)))

    def matrices(self, words: Words16, cards: Sequence[int]) -> tuple[Floats32, Floats32]:
        """Return the inputs of cards as arrays; inputs without a column are left out.

        Args:
            words: words of the card table of one variant, shape ``[size]``.
            cards: numbers of the cards, ``n`` in total.

        Returns:
            Inputs of the cards, shape ``[n, C]``, and of their effect rows, shape
            ``[n, ROWS_MAX, R]``.
        """
        of_card = np.zeros((len(cards), len(self.card)), dtype=np.float32)
        of_row = np.zeros((len(cards), ROWS_MAX, len(self.row)), dtype=np.float32)
        card_places = {name: place for place, name in enumerate(self.card)}
        row_places = {name: place for place, name in enumerate(self.row)}
        for k, card in enumerate(cards):
            _fill(of_card[k], card_inputs(words, card), card_places)
            for inputs, row in zip(of_row[k], row_inputs(words, card), strict=False):
                _fill(inputs, row, row_places)
        return of_card, of_row


def _fill(row: Floats32, inputs: Inputs, places: Mapping[str, int]) -> None:
    """Write inputs to their places in a row of a matrix, in place."""
    for name, value in inputs.items():
        if name in places:
            row[places[name]] = value
