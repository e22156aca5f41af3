"""The learned value as a torch module, for training."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from torch.nn import functional

from agents.search.value.encoder import Columns, ValueNetwork, n_table_cards, rounded
from agents.search.value.evaluate import HIDDEN, SECOND
from agents.search.value.position import CARDS_MAX, N_CARDS, N_DENSE, N_ZONES, ZONE_STRIDE

# The layers are small, and sums by several threads would depend on their number.
torch.set_num_threads(1)

Words16 = npt.NDArray[np.int16]
ROW_WIDTH = 32  # outputs of the layer over effect rows
CARD_WIDTH = 64  # outputs of the layer over cards
_SMALL = 0.01  # spread of first weights of cards: a sum of 50 cards begins near 0
_DENSE_SPREAD = 0.1  # spread of first weights of dense inputs, which are scaled to about 1


class TableInputs:
    """Inputs of all cards of a variant, as tensors."""

    def __init__(self, columns: Columns, words: Words16) -> None:
        """Read the inputs of all cards from the words of a variant's table."""
        of_card, of_row = columns.matrices(words, range(n_table_cards(words)))
        self.of_card = torch.from_numpy(of_card)
        self.of_row = torch.from_numpy(of_row)
        self.is_row = self.of_row.any(dim=2, keepdim=True)

    def __len__(self) -> int:
        return len(self.of_card)


class ValueModule(nn.Module):
    """Trainable form of `ValueNetwork`, with a logit of the probability to win as output."""

    mean: torch.Tensor
    spread: torch.Tensor

    def __init__(self, columns: Columns, dense: npt.NDArray[np.float32], drop: float) -> None:
        """Draw the first weights from torch's current generator.

        Args:
            columns: names of the inputs of the card encoder.
            dense: dense inputs of training positions, shape ``[n, N_DENSE]``, for their scales.
            drop: probability with which a listed card is left out in training.
        """
        super().__init__()
        self.columns = columns
        self.drop = drop
        self.row_layer = nn.Linear(len(columns.row), ROW_WIDTH)
        self.card_layer = nn.Linear(len(columns.card) + ROW_WIDTH, CARD_WIDTH)
        self.zone_layer = nn.Linear(CARD_WIDTH, N_ZONES * HIDDEN)
        nn.init.normal_(self.zone_layer.weight, std=_SMALL)
        nn.init.zeros_(self.zone_layer.bias)
        self.bias = nn.Parameter(torch.zeros(HIDDEN))
        self.dense = nn.Parameter(torch.randn(N_DENSE, HIDDEN) * _DENSE_SPREAD)
        self.second = nn.Linear(HIDDEN, SECOND)
        self.last = nn.Linear(SECOND, 1)
        self.direct = nn.Parameter(torch.zeros(N_DENSE))
        self.register_buffer("mean", torch.from_numpy(dense.mean(axis=0)))
        self.register_buffer("spread", torch.from_numpy(dense.std(axis=0) + 0.05))

    def card_rows(self, table: TableInputs) -> torch.Tensor:
        """Return the weights of all cards of a table by zone, shape [N_ZONES * n_cards, HIDDEN]."""
        rows = functional.relu(self.row_layer(table.of_row)) * table.is_row
        encoded = functional.relu(self.card_layer(torch.cat([table.of_card, rows.sum(1)], 1)))
        zones: torch.Tensor = self.zone_layer(encoded).view(len(table), N_ZONES, HIDDEN)
        return zones.transpose(0, 1).reshape(-1, HIDDEN)

    def forward(self, rows: torch.Tensor, table: TableInputs) -> torch.Tensor:
        """Return the logits of position rows of one table, shape [n].

        Args:
            rows: position rows, shape ``[n, ROW_SIZE]``.
            table: inputs of the cards of the table.
        """
        dense = (rows[:, :N_DENSE].float() - self.mean) / self.spread
        card_rows = torch.cat([self.card_rows(table), torch.zeros(1, HIDDEN)])
        padding = len(card_rows) - 1
        listed = rows[:, N_CARDS + 1 :].long()
        is_listed = torch.arange(CARDS_MAX)[None] < rows[:, N_CARDS, None]
        if self.training and self.drop:
            is_listed &= torch.rand(is_listed.shape) >= self.drop
        zone = torch.div(listed, ZONE_STRIDE, rounding_mode="floor")
        index = torch.where(is_listed, zone * len(table) + listed % ZONE_STRIDE, padding)
        cards = functional.embedding_bag(index, card_rows, mode="sum", padding_idx=padding)
        kept = 1 - self.drop if self.training else 1.0
        first = functional.relu(self.bias + dense @ self.dense + cards / kept)
        logits: torch.Tensor = self.last(functional.relu(self.second(first)))[:, 0]
        return logits + dense @ self.direct

    @torch.no_grad()
    def exported(self) -> ValueNetwork:
        """Return the weights for compiled code, with the scales of dense inputs multiplied in."""
        dense = self.dense / self.spread[:, None]
        direct = self.direct / self.spread
        bias = self.bias - self.mean @ dense
        last_bias = self.last.bias - self.mean @ direct
        first = rounded(torch.cat([bias, dense.flatten()]).numpy())
        others = (self.second.weight.T, self.second.bias, self.last.weight, direct, last_bias)
        return ValueNetwork(
            columns=self.columns,
            row_layer=_stacked(self.row_layer),
            card_layer=_stacked(self.card_layer),
            zone_layer=_stacked(self.zone_layer),
            weights=np.concatenate([first, *(part.flatten().numpy() for part in others)]),
        )


def _stacked(layer: nn.Linear) -> npt.NDArray[np.float32]:
    """Return the weights of a layer with its bias as the last row, shape [inputs + 1, outputs]."""
    stacked: npt.NDArray[np.float32] = torch.cat([layer.weight.T, layer.bias[None]]).numpy()
    return stacked
