"""Training of the policy network to choose as a teacher chose in recorded decisions.

The loss is the mean negative log-probability of the teacher's action, with probabilities
proportional to the exponentials of the scores (imitation by maximum likelihood; D. Pomerleau,
"Efficient training of artificial neural networks for autonomous navigation", 1991).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch

from agents.policy.action_inputs import DENSE
from agents.policy.policy_module import PolicyModule
from agents.policy.recording import CHOSEN, FIRST, GAME, N_ACTIONS, Decisions
from agents.reading.aligned_tensor import CPU
from agents.reading.card_module import TableInputs
from agents.reading.columns import Columns
from agents.reading.position import N_DENSE

Integers = npt.NDArray[np.int64]

BATCH = 512  # decisions of a step of training
RATE = 3e-3  # learning rate of the first step; chosen by hand, not tuned
_LAST_RATE = 0.03  # share of `RATE` to which the rate falls linearly; chosen by hand
DECAY = 0.02  # weight decay
DROP = 0.1  # probability that a listed card is left out
EPOCHS = 3  # passes over the decisions
_EVERY = 20  # one game in so many is not trained on, to measure agreement
_SCALED_BY = 10  # one decision in so many determines the scales of the dense inputs


class DecisionBatch(NamedTuple):
    """Decisions of one table, as tensors.

    Attributes:
        rows: position rows, shape ``[n, ROW_SIZE]``.
        actions: action rows of all decisions, shape ``[n_actions, ACTION_SIZE]``.
        decision: number of the decision of each action, shape ``[n_actions]``.
        chosen: place of the teacher's actions among all actions, shape ``[n]``.
    """

    rows: torch.Tensor
    actions: torch.Tensor
    decision: torch.Tensor
    chosen: torch.Tensor


def batch_of(decisions: Decisions, numbers: Integers, device: torch.device) -> DecisionBatch:
    """Return given decisions as tensors.

    Args:
        decisions: recorded decisions of one table.
        numbers: numbers of the chosen decisions.
        device: device of the tensors.
    """
    about = decisions.about[numbers]
    n_actions = about[:, N_ACTIONS]
    decision = np.repeat(np.arange(len(numbers)), n_actions)
    start = np.cumsum(n_actions) - n_actions
    place = np.arange(len(decision)) - start[decision] + about[:, FIRST][decision]
    arrays = (
        decisions.rows[numbers],
        decisions.actions[place],
        decision,
        start + about[:, CHOSEN],
    )
    return DecisionBatch(*(torch.from_numpy(array).to(device) for array in arrays))


def log_probabilities(scores: torch.Tensor, decision: torch.Tensor, n: int) -> torch.Tensor:
    """Return the log-probability of each action among those of its decision, [n_actions].

    Args:
        scores: scores of the actions, shape ``[n_actions]``.
        decision: number of the decision of each action, shape ``[n_actions]``.
        n: number of decisions.
    """
    most = torch.full((n,), -torch.inf, device=scores.device)
    most = most.scatter_reduce(0, decision, scores.detach(), "amax")
    shifted = scores - most[decision]
    total = torch.zeros(n, device=scores.device).index_add(0, decision, torch.exp(shifted))
    return shifted - torch.log(total)[decision]


def train_policy(
    decisions: Sequence[Decisions], seed: int, *, device: torch.device = CPU
) -> tuple[PolicyModule, float]:
    """Train a policy network on recorded decisions.

    Args:
        decisions: recorded decisions by table.
        seed: seed of the first weights and of the order of decisions.
        device: device on which the network is trained.

    Returns:
        The network, and the share of decisions of other games in which it agrees with the teacher.
    """
    # torch draws first weights and left-out cards from its global generator, which is put back.
    with torch.random.fork_rng(devices=[device] if device.type == "cuda" else []):
        torch.manual_seed(seed)
        network = _new_module(decisions).to(device)
        _fit(network, decisions, np.random.default_rng(seed), device)
    return network.eval(), _agreement(network, decisions, device)


def _new_module(decisions: Sequence[Decisions]) -> PolicyModule:
    """Return a network with first weights, and the scales of recorded decisions."""
    columns = Columns.of_tables([part.words for part in decisions])
    dense = [part.rows[::_SCALED_BY, :N_DENSE] for part in decisions]
    action_dense = [part.actions[::_SCALED_BY, DENSE:] for part in decisions]
    return PolicyModule(
        columns,
        np.concatenate(dense).astype(np.float32),
        np.concatenate(action_dense).astype(np.float32),
        DROP,
    )


def _is_held_out(decisions: Decisions) -> npt.NDArray[np.bool_]:
    """Return whether each decision is of a game that is not trained on, shape [n]."""
    return np.asarray(decisions.about[:, GAME] % _EVERY == 0)


def _batches(
    decisions: Sequence[Decisions], rng: np.random.Generator
) -> Iterator[tuple[int, Integers]]:
    """Yield the batches of one pass in random order: a table, and decisions of it."""
    batches = []
    for table, part in enumerate(decisions):
        numbers = rng.permutation(np.flatnonzero(~_is_held_out(part)))
        n_batches = len(numbers) // BATCH + 1
        batches += [(table, batch) for batch in np.array_split(numbers, n_batches)]
    for k in rng.permutation(len(batches)).tolist():
        yield batches[k]


def _fit(
    network: PolicyModule,
    decisions: Sequence[Decisions],
    rng: np.random.Generator,
    device: torch.device,
) -> None:
    """Fit a network to recorded decisions; each step uses decisions of one table.

    Args:
        network: network with its first weights, changed in place.
        decisions: recorded decisions by table.
        rng: generator of the order of decisions, which is advanced.
        device: device of the network.
    """
    inputs = [TableInputs(network.columns, part.words, device) for part in decisions]
    optimiser = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=DECAY)
    batches = [batch for _ in range(EPOCHS) for batch in _batches(decisions, rng)]
    for step, (table, numbers) in enumerate(batches):
        for group in optimiser.param_groups:
            group["lr"] = RATE * (1 - (1 - _LAST_RATE) * step / len(batches))
        batch = batch_of(decisions[table], numbers, device)
        scores, _ = network(batch.rows, batch.actions, batch.decision, inputs[table])
        chances = log_probabilities(scores, batch.decision, len(numbers))
        loss = -chances[batch.chosen].mean()
        optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]  # torch is typed in part
        optimiser.step()


@torch.no_grad()
def _agreement(
    network: PolicyModule, decisions: Sequence[Decisions], device: torch.device
) -> float:
    """Return the share of held-out decisions in which the teacher's action has the best score."""
    n_agreed = 0
    n_decisions = 0
    for part in decisions:
        numbers = np.flatnonzero(_is_held_out(part))
        batch = batch_of(part, numbers, device)
        inputs = TableInputs(network.columns, part.words, device)
        scores, _ = network(batch.rows, batch.actions, batch.decision, inputs)
        chances = log_probabilities(scores, batch.decision, len(numbers))
        best = torch.full((len(numbers),), -torch.inf, device=device)
        best = best.scatter_reduce(0, batch.decision, chances, "amax")
        n_agreed += int((chances[batch.chosen] >= best).sum())
        n_decisions += len(numbers)
    return n_agreed / max(n_decisions, 1)
