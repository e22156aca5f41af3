"""The learned value: a card encoder and a small network over sums of the encoded cards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

import numpy as np
import numpy.typing as npt

from agents.search.value.card_inputs import ROWS_MAX, Inputs, card_inputs, row_inputs
from agents.search.value.evaluate import HIDDEN, WEIGHTS_SIZE
from agents.search.value.position import N_ZONES
from sim.engine import layout as at

Floats32 = npt.NDArray[np.float32]
Words16 = npt.NDArray[np.int16]

# Weights of the first layer are rounded to this fraction. Sums of them and of products with whole
# numbers are then exact in 32 bits, so that they depend neither on their order nor on the library
# that multiplied the matrices.
FRACTION = 2.0**-12


def n_table_cards(words: Words16) -> int:
    """Return the number of cards, tokens and plain tokens in the words of a card table."""
    first_row = int(words[at.CARDS + at.CARD_ROWS])
    return (first_row - at.CARDS) // at.CARD_SIZE


def rounded(weights: npt.NDArray[np.floating]) -> Floats32:
    """Return weights, rounded to multiples of `FRACTION`."""
    return (np.rint(weights.astype(np.float64) / FRACTION) * FRACTION).astype(np.float32)


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


@dataclass(frozen=True, eq=False)
class ValueNetwork:
    """Weights of a learned value.

    Attributes:
        columns: names of the inputs of the card encoder.
        row_layer: layer over an effect row, shape ``[R + 1, E]``; its last row is the bias.
        card_layer: layer over a card and the sum over its effect rows, shape ``[C + E + 1, D]``.
        zone_layer: layer that gives the weights of the card in each zone, shape
            ``[D + 1, N_ZONES * HIDDEN]``.
        weights: weights of the network over the sums, shape ``[WEIGHTS_SIZE]``
            (`agents.search.value.evaluate`).
    """

    columns: Columns
    row_layer: Floats32
    card_layer: Floats32
    zone_layer: Floats32
    weights: Floats32

    def __post_init__(self) -> None:
        """Check the shapes of the layers.

        Raises:
            ValueError: two shapes do not fit together.
        """
        n_row = self.row_layer.shape[1]
        if (
            self.row_layer.shape[0] != len(self.columns.row) + 1
            or self.card_layer.shape[0] != len(self.columns.card) + n_row + 1
            or self.zone_layer.shape != (self.card_layer.shape[1] + 1, N_ZONES * HIDDEN)
            or self.weights.shape != (WEIGHTS_SIZE,)
        ):
            raise ValueError("the layers of the learned value do not fit together")

    @cached_property
    def content(self) -> str:
        """SHA-256 of all weights and names of inputs, in hexadecimal."""
        layers = (self.row_layer, self.card_layer, self.zone_layer, self.weights)
        digest = sha256(repr(self.columns).encode())
        for layer in layers:
            digest.update(layer.tobytes())
        return digest.hexdigest()

    def card_rows(self, words: Words16, cards: Sequence[int]) -> Floats32:
        """Return the first layer's weights of cards in each zone, shape [n, N_ZONES, HIDDEN].

        Args:
            words: words of the card table of one variant, shape ``[size]``.
            cards: numbers of the cards, ``n`` in total.
        """
        of_card, of_row = self.columns.matrices(words, cards)
        is_row = of_row.any(axis=2, keepdims=True)
        rows = _rectified(of_row, self.row_layer) * is_row
        encoded = _rectified(np.concatenate([of_card, rows.sum(axis=1)], axis=1), self.card_layer)
        zones = _linear(encoded, self.zone_layer)
        return rounded(zones).reshape(len(cards), N_ZONES, HIDDEN)


def _linear(inputs: npt.NDArray[np.floating], layer: Floats32) -> npt.NDArray[np.float64]:
    """Return the outputs of a linear layer, with its bias as the last row, in 64 bits."""
    weights = layer.astype(np.float64)
    outputs: npt.NDArray[np.float64] = inputs @ weights[:-1] + weights[-1]
    return outputs


def _rectified(inputs: npt.NDArray[np.floating], layer: Floats32) -> npt.NDArray[np.float64]:
    """Return the outputs of a linear layer, with negative outputs replaced by 0."""
    return np.maximum(_linear(inputs, layer), 0)
