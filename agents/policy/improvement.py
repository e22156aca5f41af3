"""Improvement of a policy network by play: actions that led to better results become more probable.

Proximal policy optimisation (J. Schulman et al., "Proximal policy optimization algorithms", 2017)
with generalised advantage estimates (J. Schulman et al., "High-dimensional continuous control using
generalized advantage estimation", ICLR 2016). A critic over the network's first layer predicts the
result; it is used in training only.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from agents.policy.action_inputs import DENSE
from agents.policy.policy_module import PolicyModule
from agents.policy.policy_network import PolicyNetwork
from agents.policy.recording import GAME, RESULT, SEAT, Decisions
from agents.policy.training import DecisionBatch, batch_of, log_probabilities
from agents.reading.aligned_tensor import CPU, aligned_tensor
from agents.reading.card_module import TableInputs
from agents.reading.position import N_DENSE
from sim.engine import layout as at

Floats32 = npt.NDArray[np.float32]
Integers = npt.NDArray[np.int64]

# Chosen by hand from usual values, not tuned.
BATCH = 2_048  # decisions of a step
CRITIC_RATE = 3e-3  # learning rate of the critic
CRITIC_WIDTH = 64
CLIP = 0.2  # change of a probability, as a share, beyond which it is not rewarded
LAMBDA = 0.95  # weight of later predictions in an advantage
ENTROPY = 0.003  # reward for choices that stay random, which keeps the network exploring
CRITIC_SHARE = 0.5  # weight of the critic's error in the loss
GRADIENT_MAX = 0.5  # norm to which gradients are cut
_LEAST = 1e-6  # smallest spread of advantages


class _Played(NamedTuple):
    """Decisions of one table, with what is needed to improve the network.

    Attributes:
        decisions: recorded decisions.
        inputs: inputs of the cards of the table.
        chances: log-probability with which each action was chosen, shape ``[n]``.
        advantages: how much better each decision turned out than predicted, shape ``[n]``.
        returns: what the critic should have predicted, from -1 to 1, shape ``[n]``.
    """

    decisions: Decisions
    inputs: TableInputs
    chances: torch.Tensor
    advantages: torch.Tensor
    returns: torch.Tensor


def advantages_of(about: Integers, predicted: Floats32) -> Floats32:
    """Return the generalised advantage estimate of each decision, shape [n].

    Args:
        about: numbers of the decisions, in the order of play within each game.
        predicted: predicted result of each decision for its seat, from -1 to 1, shape ``[n]``.
    """
    won = np.where(about[:, RESULT] == about[:, SEAT], 1.0, -1.0)
    results = np.where(about[:, RESULT] == at.DRAWN, 0.0, won)
    advantages = np.zeros(len(about), dtype=np.float32)
    following = dict[tuple[int, int], int]()  # next decision of each game and seat
    for k in range(len(about) - 1, -1, -1):
        key = (int(about[k, GAME]), int(about[k, SEAT]))
        later = following.get(key)
        if later is None:
            advantages[k] = results[k] - predicted[k]
        else:
            advantages[k] = predicted[later] - predicted[k] + LAMBDA * advantages[later]
        following[key] = k
    return advantages


class PolicyImprover:
    """Training of one policy network by its own decisions, iteration by iteration."""

    def __init__(
        self,
        network: PolicyNetwork,
        examples: Sequence[Decisions],
        seed: int,
        *,
        passes: int = 2,
        rate: float = 7e-4,
        device: torch.device = CPU,
    ) -> None:
        """Begin with a network.

        Args:
            network: network to improve.
            examples: recorded decisions, for the scales of dense inputs.
            seed: seed of the critic's first weights and of the order of decisions.
            passes: passes over the decisions of an iteration.
            rate: learning rate of the network.
            device: device on which the network is trained.
        """
        dense = np.concatenate([part.rows[:, :N_DENSE] for part in examples])
        action_dense = np.concatenate([part.actions[:, DENSE:] for part in examples])
        self._passes = passes
        self._device = device
        self._rng = np.random.default_rng(seed)
        # torch draws first weights from its global generator, which is put back.
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self._module = PolicyModule.of_network(
                network, dense.astype(np.float32), action_dense.astype(np.float32)
            ).to(device)
            self._critic = nn.Sequential(
                nn.ReLU(),
                nn.Linear(self._module.hidden, CRITIC_WIDTH),
                nn.ReLU(),
                nn.Linear(CRITIC_WIDTH, 1),
                nn.Tanh(),
                nn.Flatten(0),
            ).to(device)
        self._parameters = [*self._module.parameters(), *self._critic.parameters()]
        self._optimiser = torch.optim.Adam(
            [
                {"params": self._module.parameters(), "lr": rate},
                {"params": self._critic.parameters(), "lr": CRITIC_RATE},
            ]
        )

    def network(self) -> PolicyNetwork:
        """Return the network with its current weights."""
        return self._module.exported()

    def learn(self, decisions: Sequence[Decisions], *, critic_only: bool = False) -> None:
        """Learn from decisions that the network with its current weights has sampled.

        Args:
            decisions: recorded decisions by table.
            critic_only: whether only the critic learns, which at first predicts nothing.
        """
        played = [self._played(part) for part in decisions]
        spread = torch.cat([part.advantages for part in played])
        mean = spread.mean()
        scale = 1 / (spread.std() + _LEAST)
        for _ in range(self._passes):
            for table, numbers in self._batches(decisions):
                part = played[table]
                batch = batch_of(part.decisions, numbers, self._device)
                advantages = (part.advantages[numbers] - mean) * scale
                loss = self._loss(part, batch, numbers, advantages, is_policy_fixed=critic_only)
                self._optimiser.zero_grad(set_to_none=True)
                loss.backward()  # type: ignore[no-untyped-call]  # torch is typed in part
                nn.utils.clip_grad_norm_(self._parameters, GRADIENT_MAX)
                self._optimiser.step()

    @torch.no_grad()
    def _played(self, decisions: Decisions) -> _Played:
        """Return decisions with their probabilities, advantages and returns."""
        inputs = TableInputs(self._module.columns, decisions.words, self._device)
        chances = list[torch.Tensor]()
        predicted = list[torch.Tensor]()
        n = len(decisions.rows)
        for numbers in np.array_split(np.arange(n), n // BATCH + 1):
            batch = batch_of(decisions, numbers, self._device)
            scores, sums = self._module(batch.rows, batch.actions, batch.decision, inputs)
            of_actions = log_probabilities(scores, batch.decision, len(numbers))
            chances.append(of_actions[batch.chosen])
            predicted.append(self._critic(sums))
        results = torch.cat(predicted)
        advantages = aligned_tensor(
            advantages_of(decisions.about, results.cpu().numpy()), self._device
        )
        return _Played(decisions, inputs, torch.cat(chances), advantages, advantages + results)

    def _batches(self, decisions: Sequence[Decisions]) -> list[tuple[int, Integers]]:
        """Return the batches of one pass in random order: a table, and decisions of it."""
        batches = [
            (table, numbers)
            for table, part in enumerate(decisions)
            for numbers in np.array_split(
                self._rng.permutation(len(part.rows)), len(part.rows) // BATCH + 1
            )
        ]
        return [batches[k] for k in self._rng.permutation(len(batches))]

    def _loss(
        self,
        part: _Played,
        batch: DecisionBatch,
        numbers: Integers,
        advantages: torch.Tensor,
        *,
        is_policy_fixed: bool,
    ) -> torch.Tensor:
        """Return the loss of a batch.

        Args:
            part: decisions of the table.
            batch: decisions of the batch, as tensors.
            numbers: numbers of these decisions.
            advantages: their advantages, with mean 0 and spread 1 over all decisions.
            is_policy_fixed: whether the loss is that of the critic alone.
        """
        scores, sums = self._module(batch.rows, batch.actions, batch.decision, part.inputs)
        predicted = self._critic(sums.detach() if is_policy_fixed else sums)
        error: torch.Tensor = ((predicted - part.returns[numbers]) ** 2).mean()
        if is_policy_fixed:
            return error
        of_actions = log_probabilities(scores, batch.decision, len(numbers))
        ratio = torch.exp(of_actions[batch.chosen] - part.chances[numbers])
        clipped = torch.clamp(ratio, 1 - CLIP, 1 + CLIP)
        gain = torch.minimum(ratio * advantages, clipped * advantages).mean()
        entropy = -(of_actions.exp() * of_actions).sum() / len(numbers)
        loss: torch.Tensor = CRITIC_SHARE * error - gain - ENTROPY * entropy
        return loss
