"""Trainable form of networks that read cards, as torch modules."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from torch.nn import functional

from agents.reading.aligned_tensor import CPU, aligned_tensor
from agents.reading.card_network import CardNetwork, rounded
from agents.reading.columns import Columns, Floats32, Words16, n_table_cards
from agents.reading.position import CARDS_MAX, N_CARDS, N_DENSE, ZONE_STRIDE

Network = TypeVar("Network", bound=CardNetwork)

# The layers are small, and sums by several threads would depend on their number.
torch.set_num_threads(1)

ROW_WIDTH = 32  # outputs of the layer over effect rows
CARD_WIDTH = 64  # outputs of the layer over cards
_SMALL = 0.01  # spread of first weights of cards: a sum of 50 cards begins near 0
_DENSE_SPREAD = 0.1  # spread of first weights of dense inputs, which are scaled to about 1
_LEAST_SPREAD = 0.05  # added to spreads: an input that hardly varies would count too much


class TableInputs:
    """Inputs of all cards of a variant, as tensors."""

    def __init__(self, columns: Columns, words: Words16, device: torch.device = CPU) -> None:
        """Read the inputs of all cards from the words of a variant's table.

        Args:
            columns: names of the inputs.
            words: words of the table, shape ``[size]``.
            device: device of the tensors.
        """
        of_card, of_row = columns.matrices(words, range(n_table_cards(words)))
        self.of_card = aligned_tensor(of_card, device)
        self.of_row = aligned_tensor(of_row, device)
        self.is_row = self.of_row.any(dim=2, keepdim=True)

    def __len__(self) -> int:
        return len(self.of_card)


class DenseInputs(nn.Module):
    """Weights of dense inputs in the first layer, which are scaled by their mean and spread."""

    mean: torch.Tensor
    spread: torch.Tensor

    def __init__(self, examples: Floats32, hidden: int) -> None:
        """Draw the first weights from torch's current generator.

        Args:
            examples: inputs of training positions, for their scales, shape ``[n, N]``.
            hidden: number of sums of the first layer, ``H``.
        """
        super().__init__()
        self.weights = nn.Parameter(torch.randn(examples.shape[1], hidden) * _DENSE_SPREAD)
        self.direct = nn.Parameter(torch.zeros(examples.shape[1]))
        self.register_buffer("mean", aligned_tensor(examples.mean(axis=0)))
        self.register_buffer("spread", aligned_tensor(examples.std(axis=0) + _LEAST_SPREAD))

    def scaled(self, inputs: torch.Tensor) -> torch.Tensor:
        """Return inputs with a mean of about 0 and a spread of about 1."""
        return (inputs.float() - self.mean) / self.spread

    @torch.no_grad()
    def take(self, weights: torch.Tensor, direct: torch.Tensor) -> torch.Tensor:
        """Take over weights for inputs without scales, and return what they add to the bias.

        Args:
            weights: weights in the first layer, shape ``[N, H]``.
            direct: direct weights, shape ``[N]``.
        """
        self.weights.copy_(weights * self.spread[:, None])
        self.direct.copy_(direct * self.spread)
        return self.mean @ weights

    def unscaled(self) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return weights for inputs without scales.

        Returns:
            Weights in the first layer and what they add to its bias, then the direct weights and
            what they add to the bias of the output.
        """
        weights = self.weights / self.spread[:, None]
        direct = self.direct / self.spread
        return weights, -(self.mean @ weights), direct, -(self.mean @ direct)


class CardModule(nn.Module):
    """First layer of a network that reads cards; a subclass adds the layers of one kind."""

    def __init__(
        self, kind: type[CardNetwork], columns: Columns, dense: Floats32, drop: float
    ) -> None:
        """Draw the first weights from torch's current generator.

        Args:
            kind: kind of the network.
            columns: names of the inputs of the card encoder.
            dense: dense inputs of training positions, shape ``[n, N_DENSE]``, for their scales.
            drop: probability with which a listed card is left out in training.
        """
        super().__init__()
        self.columns = columns
        self.drop = drop
        self.hidden = kind.HIDDEN
        self.n_places = kind.N_PLACES
        self.row_layer = nn.Linear(len(columns.row), ROW_WIDTH)
        self.card_layer = nn.Linear(len(columns.card) + ROW_WIDTH, CARD_WIDTH)
        self.place_layer = nn.Linear(CARD_WIDTH, self.n_places * self.hidden)
        nn.init.normal_(self.place_layer.weight, std=_SMALL)
        nn.init.zeros_(self.place_layer.bias)
        self.bias = nn.Parameter(torch.zeros(self.hidden))
        self.dense = DenseInputs(dense, self.hidden)

    def card_rows(self, table: TableInputs) -> torch.Tensor:
        """Return the rows of all cards by place, then one of zeros, [N_PLACES * n_cards + 1, H]."""
        rows = functional.relu(self.row_layer(table.of_row)) * table.is_row
        encoded = functional.relu(self.card_layer(torch.cat([table.of_card, rows.sum(1)], 1)))
        places: torch.Tensor = self.place_layer(encoded)
        by_place = places.view(len(table), self.n_places, self.hidden).transpose(0, 1)
        return functional.pad(by_place.reshape(-1, self.hidden), (0, 0, 0, 1))

    def position_sums(
        self, rows: torch.Tensor, table: TableInputs, card_rows: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the first layer's sums of position rows of one table, and their dense inputs.

        Args:
            rows: position rows, shape ``[n, ROW_SIZE]``.
            table: inputs of the cards of the table.
            card_rows: result of `card_rows`.

        Returns:
            Sums, shape ``[n, H]``, and scaled dense inputs, shape ``[n, N_DENSE]``.
        """
        dense = self.dense.scaled(rows[:, :N_DENSE])
        padding = len(card_rows) - 1
        listed = rows[:, N_CARDS + 1 :].long()
        is_listed = torch.arange(CARDS_MAX, device=rows.device)[None] < rows[:, N_CARDS, None]
        if self.training and self.drop:
            is_listed &= torch.rand(is_listed.shape, device=rows.device) >= self.drop
        zone = torch.div(listed, ZONE_STRIDE, rounding_mode="floor")
        index = torch.where(is_listed, zone * len(table) + listed % ZONE_STRIDE, padding)
        cards = functional.embedding_bag(index, card_rows, mode="sum", padding_idx=padding)
        kept = 1 - self.drop if self.training else 1.0
        return self.bias + dense @ self.dense.weights + cards / kept, dense

    @torch.no_grad()
    def take_encoder(self, network: CardNetwork) -> None:
        """Take over the card encoder of a network with the same inputs."""
        for layer, weights in (
            (self.row_layer, network.row_layer),
            (self.card_layer, network.card_layer),
            (self.place_layer, network.place_layer),
        ):
            both = aligned_tensor(weights)
            layer.weight.copy_(both[:-1].T)
            layer.bias.copy_(both[-1])

    def exported_as(self, kind: type[Network], *weights: torch.Tensor, n_first: int) -> Network:
        """Return the network for compiled code.

        Args:
            kind: kind of the network.
            weights: weights in the order of compiled code.
            n_first: number of these tensors that belong to the first layer; their weights are
                rounded.
        """
        parts = [part.detach().cpu().flatten().numpy() for part in weights]
        first = rounded(np.concatenate(parts[:n_first]))
        return kind(
            columns=self.columns,
            row_layer=_stacked(self.row_layer),
            card_layer=_stacked(self.card_layer),
            place_layer=_stacked(self.place_layer),
            weights=np.concatenate([first, *parts[n_first:]]),
        )


def _stacked(layer: nn.Linear) -> npt.NDArray[np.float32]:
    """Return the weights of a layer with its bias as the last row, shape [inputs + 1, outputs]."""
    stacked: npt.NDArray[np.float32] = (
        torch.cat([layer.weight.T, layer.bias[None]]).detach().cpu().numpy()
    )
    return stacked
