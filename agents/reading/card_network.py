"""Networks with a sum over cards as first layer, with weights that a card encoder computes."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from agents.reading.columns import Columns, Floats32, Words16

# Weights of the first layer are rounded to this fraction. Sums of them and of products with whole
# numbers are then exact in 32 bits, so that they depend neither on their order nor on the library
# that multiplied the matrices.
FRACTION = 2.0**-12


def rounded(weights: npt.NDArray[np.floating]) -> Floats32:
    """Return weights, rounded to multiples of `FRACTION`."""
    return (np.rint(weights.astype(np.float64) / FRACTION) * FRACTION).astype(np.float32)


@dataclass(frozen=True, eq=False)
class CardNetwork:
    """Weights of a network that reads cards; a subclass is one kind of network.

    The first layer is a sum of rows of ``H`` weights: of all cards, and of dense inputs. A card has
    a row for each of ``P`` places, such as zones. The card encoder computes these rows from the
    numbers and texts of the cards, so that unknown and edited cards have rows as well.

    Attributes:
        columns: names of the inputs of the card encoder.
        row_layer: layer over an effect row, shape ``[R + 1, E]``; its last row is the bias.
        card_layer: layer over a card and the sum over its effect rows, shape ``[C + E + 1, D]``.
        place_layer: layer that gives the rows of a card, shape ``[D + 1, P * H]``.
        weights: weights of dense inputs and of all later layers, in the order of compiled code.
    """

    KIND: ClassVar[str]  # word for the kind in messages and files
    N_PLACES: ClassVar[int]
    HIDDEN: ClassVar[int]
    WEIGHTS_SIZE: ClassVar[int]

    columns: Columns
    row_layer: Floats32
    card_layer: Floats32
    place_layer: Floats32
    weights: Floats32

    def __post_init__(self) -> None:
        """Check the shapes of the layers.

        Raises:
            ValueError: two shapes do not fit together.
        """
        n_row = self.row_layer.shape[1]
        n_rows = self.N_PLACES * self.HIDDEN
        if (
            self.row_layer.shape[0] != len(self.columns.row) + 1
            or self.card_layer.shape[0] != len(self.columns.card) + n_row + 1
            or self.place_layer.shape != (self.card_layer.shape[1] + 1, n_rows)
            or self.weights.shape != (self.WEIGHTS_SIZE,)
        ):
            raise ValueError("the layers of the network do not fit together")

    @cached_property
    def content(self) -> str:
        """SHA-256 of all weights and names of inputs, in hexadecimal."""
        layers = (self.row_layer, self.card_layer, self.place_layer, self.weights)
        digest = sha256(repr(self.columns).encode())
        for layer in layers:
            digest.update(layer.tobytes())
        return digest.hexdigest()

    def without_places(self, places: Collection[int]) -> Self:
        """Return the network with weights of 0 for cards in given places."""
        by_place = self.place_layer.reshape(-1, self.N_PLACES, self.HIDDEN).copy()
        by_place[:, list(places)] = 0
        return replace(self, place_layer=by_place.reshape(self.place_layer.shape))

    def card_rows(self, words: Words16, cards: Sequence[int]) -> Floats32:
        """Return the first layer's weights of cards in each place, shape [n, N_PLACES, HIDDEN].

        Args:
            words: words of the card table of one variant, shape ``[size]``.
            cards: numbers of the cards, ``n`` in total.
        """
        of_card, of_row = self.columns.matrices(words, cards)
        is_row = of_row.any(axis=2, keepdims=True)
        rows = _rectified(of_row, self.row_layer) * is_row
        encoded = _rectified(np.concatenate([of_card, rows.sum(axis=1)], axis=1), self.card_layer)
        places = _linear(encoded, self.place_layer)
        return rounded(places).reshape(len(cards), self.N_PLACES, self.HIDDEN)


def _linear(inputs: npt.NDArray[np.floating], layer: Floats32) -> npt.NDArray[np.float64]:
    """Return the outputs of a linear layer, with its bias as the last row, in 64 bits."""
    weights = layer.astype(np.float64)
    outputs: npt.NDArray[np.float64] = inputs @ weights[:-1] + weights[-1]
    return outputs


def _rectified(inputs: npt.NDArray[np.floating], layer: Floats32) -> npt.NDArray[np.float64]:
    """Return the outputs of a linear layer, with negative outputs replaced by 0."""
    return np.maximum(_linear(inputs, layer), 0)
