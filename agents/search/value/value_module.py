"""The learned value as a torch module, for training."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional

from agents.reading.card_module import CardModule, TableInputs
from agents.reading.columns import Columns, Floats32
from agents.search.value.evaluate import SECOND
from agents.search.value.value_network import ValueNetwork


class ValueModule(CardModule):
    """Trainable form of `ValueNetwork`, with a logit of the probability to win as output."""

    def __init__(self, columns: Columns, dense: Floats32, drop: float) -> None:
        """Draw the first weights from torch's current generator.

        Args:
            columns: names of the inputs of the card encoder.
            dense: dense inputs of training positions, shape ``[n, N_DENSE]``, for their scales.
            drop: probability with which a listed card is left out in training.
        """
        super().__init__(ValueNetwork, columns, dense, drop)
        self.second = nn.Linear(self.hidden, SECOND)
        self.last = nn.Linear(SECOND, 1)

    def forward(self, rows: torch.Tensor, table: TableInputs) -> torch.Tensor:
        """Return the logits of position rows of one table, shape [n].

        Args:
            rows: position rows, shape ``[n, ROW_SIZE]``.
            table: inputs of the cards of the table.
        """
        sums, dense = self.position_sums(rows, table, self.card_rows(table))
        later = functional.relu(self.second(functional.relu(sums)))
        logits: torch.Tensor = self.last(later)[:, 0]
        return logits + dense @ self.dense.direct

    @torch.no_grad()
    def exported(self) -> ValueNetwork:
        """Return the weights for compiled code, with the scales of dense inputs multiplied in."""
        dense, to_bias, direct, to_last = self.dense.unscaled()
        return self.exported_as(
            ValueNetwork,
            *(self.bias + to_bias, dense),
            *(self.second.weight.T, self.second.bias, self.last.weight, direct),
            self.last.bias + to_last,
            n_first=2,
        )
