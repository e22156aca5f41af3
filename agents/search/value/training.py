"""Training of the learned value from recorded games, by temporal differences.

The target of a position is its lambda-return: a mean of later predictions and of the game's result
(R. Sutton, "Learning to predict by the methods of temporal differences", Machine Learning 3, 1988).
The predictions come from networks that were not trained on the same game. With results alone as
targets, the network learns above all which deck is better, which does not help to choose a move.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import torch
from torch.nn import functional

from agents.reading.aligned_tensor import aligned_tensor
from agents.reading.card_module import TableInputs
from agents.reading.columns import Columns, Words16
from agents.reading.position import N_DENSE
from agents.search.value.recording import GAME, RESULT, SEAT, Recorded
from agents.search.value.value_module import ValueModule
from sim.engine import layout as at

Floats32 = npt.NDArray[np.float32]

BATCH = 1_024  # positions of a step of training
RATE = 3e-3  # learning rate of the first step; chosen by hand, not tuned
_LAST_RATE = 0.03  # share of `RATE` to which the rate falls linearly; chosen by hand
DECAY = 0.05  # weight decay
DROP = 0.2  # probability that a listed card is left out: a network without it overfits
LAMBDA = 0.8  # weight of later targets in a target; with 1, targets are results
_FOLD_EPOCHS = 2  # passes over the games in the training of a network for targets
EPOCHS = 3  # passes over the games in the last training
_PREDICTED_AT_ONCE = 4_096  # positions


def results_of(about: npt.NDArray[np.int64]) -> Floats32:
    """Return the points of the seat to move in each position's game: 1, 0, or half for a draw."""
    points = np.where(about[:, RESULT] == about[:, SEAT], 1.0, 0.0)
    return np.where(about[:, RESULT] == at.DRAWN, 0.5, points).astype(np.float32)


def lambda_returns(about: npt.NDArray[np.int64], predicted: Floats32, share: float) -> Floats32:
    """Return the lambda-return of each position, as a probability to win.

    Args:
        about: numbers of the positions, in the order of play within each game.
        predicted: predicted probability to win of each position, shape ``[n]``.
        share: weight of the next position's lambda-return; its prediction has the rest.
    """
    returns = results_of(about)
    following = dict[tuple[int, int], int]()  # next position of each game and seat
    for k in range(len(about) - 1, -1, -1):
        key = (int(about[k, GAME]), int(about[k, SEAT]))
        later = following.get(key)
        if later is not None:
            returns[k] = (1 - share) * predicted[later] + share * returns[later]
        following[key] = k
    return returns


def train_value(
    games: Sequence[Recorded], seed: int, *, share: float = LAMBDA
) -> tuple[ValueModule, float]:
    """Train a learned value on recorded games, and return it with its error on unseen games.

    Args:
        games: recorded games by table.
        seed: seed of the first weights and of the order of positions.
        share: weight of later targets in a target; with 1, targets are results.

    Returns:
        The value, and the mean logarithmic loss of the results by networks that were trained on
        the other half of the games.
    """
    columns = Columns.of_tables([recorded.words for recorded in games])
    predicted = _predicted_by_folds(games, columns, seed)
    results = [results_of(recorded.about) for recorded in games]
    loss = _log_loss(np.concatenate(predicted), np.concatenate(results))
    targets = [
        lambda_returns(recorded.about, chances, share)
        for recorded, chances in zip(games, predicted, strict=True)
    ]
    return _fitted(games, targets, columns, epochs=EPOCHS, seed=seed), loss


def _predicted_by_folds(games: Sequence[Recorded], columns: Columns, seed: int) -> list[Floats32]:
    """Return the chances of all positions, by networks that were not trained on their games."""
    predicted = [np.zeros(len(recorded.rows), dtype=np.float32) for recorded in games]
    for fold in (0, 1):
        kept = [recorded.of_fold(fold) for recorded in games]
        targets = [results_of(recorded.about) for recorded in kept]
        network = _fitted(kept, targets, columns, epochs=_FOLD_EPOCHS, seed=seed)
        for recorded, chances in zip(games, predicted, strict=True):
            is_other = recorded.about[:, GAME] % 2 != fold
            chances[is_other] = predict(network, recorded.words, recorded.rows[is_other])
    return predicted


@torch.no_grad()
def predict(network: ValueModule, words: Words16, rows: Words16) -> Floats32:
    """Return the predicted probability to win of position rows of one table, shape [n]."""
    inputs = TableInputs(network.columns, words)
    positions = torch.from_numpy(np.ascontiguousarray(rows))
    parts = [
        torch.sigmoid(network(part, inputs)) for part in torch.split(positions, _PREDICTED_AT_ONCE)
    ]
    return torch.cat(parts).numpy() if parts else np.zeros(0, dtype=np.float32)


def _fitted(
    games: Sequence[Recorded],
    targets: Sequence[Floats32],
    columns: Columns,
    *,
    epochs: int,
    seed: int,
) -> ValueModule:
    """Return a network that is fitted to targets; each step uses positions of one table.

    Args:
        games: recorded games by table.
        targets: target of each position, by table.
        columns: names of the inputs of the card encoder.
        epochs: number of passes over the positions.
        seed: seed of the first weights and of the order of positions.
    """
    rng = np.random.default_rng(seed)
    dense = np.concatenate([recorded.rows[:, :N_DENSE] for recorded in games]).astype(np.float32)
    # torch draws first weights and left-out cards from its global generator, which is put back.
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return _trained(ValueModule(columns, dense, DROP), games, targets, epochs, rng)


def _trained(
    network: ValueModule,
    games: Sequence[Recorded],
    targets: Sequence[Floats32],
    epochs: int,
    rng: np.random.Generator,
) -> ValueModule:
    """Fit a network to targets, and return it ready for predictions.

    Args:
        network: network with its first weights, changed in place.
        games: recorded games by table.
        targets: target of each position, by table.
        epochs: number of passes over the positions.
        rng: generator of the order of positions, which is advanced.
    """
    columns = network.columns
    inputs = [TableInputs(columns, recorded.words) for recorded in games]
    rows = [torch.from_numpy(recorded.rows) for recorded in games]
    wanted = [aligned_tensor(of_table) for of_table in targets]
    optimiser = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=DECAY)
    batches = [batch for _ in range(epochs) for batch in _batches(games, rng)]
    for step, (table, chosen) in enumerate(batches):
        for group in optimiser.param_groups:
            group["lr"] = RATE * (1 - (1 - _LAST_RATE) * step / len(batches))
        index = torch.from_numpy(chosen)
        logits = network(rows[table][index], inputs[table])
        loss = functional.binary_cross_entropy_with_logits(logits, wanted[table][index])
        optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]  # torch is typed in part
        optimiser.step()
    return network.eval()


def _batches(
    games: Sequence[Recorded], rng: np.random.Generator
) -> list[tuple[int, npt.NDArray[np.int64]]]:
    """Return the batches of one pass in random order: a table, and positions of it."""
    batches = [
        (table, part)
        for table, recorded in enumerate(games)
        for part in np.array_split(rng.permutation(len(recorded.rows)), _n_parts(recorded))
    ]
    return [batches[k] for k in rng.permutation(len(batches))]


def _n_parts(recorded: Recorded) -> int:
    """Return the number of batches into which the positions of a table are divided."""
    return len(recorded.rows) // BATCH + 1


def _log_loss(chances: Floats32, results: Floats32) -> float:
    """Return the mean logarithmic loss of predicted chances."""
    clipped = np.clip(chances.astype(np.float64), 1e-6, 1 - 1e-6)
    return float(-(results * np.log(clipped) + (1 - results) * np.log(1 - clipped)).mean())
