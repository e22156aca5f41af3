"""The policy network as a torch module, for training."""

from __future__ import annotations

from math import prod

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from agents.policy.action_inputs import DENSE, ROLE_STRIDE
from agents.policy.evaluate import SECOND
from agents.policy.policy_network import PolicyNetwork
from agents.reading.aligned_tensor import aligned_tensor
from agents.reading.card_module import CardModule, DenseInputs, TableInputs
from agents.reading.columns import Columns, Floats32
from agents.reading.position import N_ZONES


class PolicyModule(CardModule):
    """Trainable form of `PolicyNetwork`, with a score of each action as output."""

    def __init__(
        self, columns: Columns, dense: Floats32, action_dense: Floats32, drop: float
    ) -> None:
        """Draw the first weights from torch's current generator.

        Args:
            columns: names of the inputs of the card encoder.
            dense: dense inputs of training positions, shape ``[n, N_DENSE]``, for their scales.
            action_dense: the same for actions, shape ``[n, N_ACTION_DENSE]``.
            drop: probability with which a listed card is left out in training.
        """
        super().__init__(PolicyNetwork, columns, dense, drop)
        self.action_dense = DenseInputs(action_dense, self.hidden)
        self.second = nn.Linear(self.hidden, SECOND)
        self.last = nn.Linear(SECOND, 1, bias=False)

    @classmethod
    @torch.no_grad()
    def of_network(
        cls, network: PolicyNetwork, dense: Floats32, action_dense: Floats32
    ) -> PolicyModule:
        """Return the trainable form of a network, which leaves out no cards.

        Args:
            network: weights of the network.
            dense: dense inputs of positions, shape ``[n, N_DENSE]``, for their scales.
            action_dense: the same for actions, shape ``[n, N_ACTION_DENSE]``.
        """
        module = cls(network.columns, dense, action_dense, 0.0)
        module.take_encoder(network)
        hidden = module.hidden
        shapes = {
            "bias": (hidden,),
            "dense": (dense.shape[1], hidden),
            "action_dense": (action_dense.shape[1], hidden),
            "second": (hidden, SECOND),
            "second_bias": (SECOND,),
            "last": (1, SECOND),
            "direct": (action_dense.shape[1],),
        }
        sizes = [prod(shape) for shape in shapes.values()]
        flat = np.split(network.weights, np.cumsum(sizes)[:-1])
        parts = {
            name: aligned_tensor(part.reshape(shape))
            for (name, shape), part in zip(shapes.items(), flat, strict=True)
        }
        bias = module.dense.take(parts["dense"], torch.zeros(dense.shape[1]))
        bias += module.action_dense.take(parts["action_dense"], parts["direct"])
        module.bias.copy_(parts["bias"] + bias)
        module.second.weight.copy_(parts["second"].T)
        module.second.bias.copy_(parts["second_bias"])
        module.last.weight.copy_(parts["last"])
        return module

    def forward(
        self, rows: torch.Tensor, actions: torch.Tensor, decision: torch.Tensor, table: TableInputs
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the scores of actions, and the first layer's sums of their positions.

        Args:
            rows: position rows of decisions with one table, shape ``[n, ROW_SIZE]``.
            actions: action rows of all decisions, shape ``[n_actions, ACTION_SIZE]``.
            decision: number of the decision of each action, shape ``[n_actions]``.
            table: inputs of the cards of the table.

        Returns:
            Scores, shape ``[n_actions]``, and sums, shape ``[n, HIDDEN]``.
        """
        card_rows = self.card_rows(table)
        sums, _ = self.position_sums(rows, table, card_rows)
        dense = self.action_dense.scaled(actions[:, DENSE:])
        cards = actions[:, :DENSE].long()
        place = N_ZONES + torch.div(cards, ROLE_STRIDE, rounding_mode="floor")
        padding = len(card_rows) - 1
        index = torch.where(cards >= 0, place * len(table) + cards % ROLE_STRIDE, padding)
        of_cards = functional.embedding_bag(index, card_rows, mode="sum", padding_idx=padding)
        first = functional.relu(sums[decision] + dense @ self.action_dense.weights + of_cards)
        scores: torch.Tensor = self.last(functional.relu(self.second(first)))[:, 0]
        return scores + dense @ self.action_dense.direct, sums

    @torch.no_grad()
    def exported(self) -> PolicyNetwork:
        """Return the weights for compiled code, with the scales of dense inputs multiplied in."""
        dense, to_bias, _, _ = self.dense.unscaled()
        action_dense, action_to_bias, direct, _ = self.action_dense.unscaled()
        return self.exported_as(
            PolicyNetwork,
            *(self.bias + to_bias + action_to_bias, dense, action_dense),
            *(self.second.weight.T, self.second.bias, self.last.weight, direct),
            n_first=3,
        )
