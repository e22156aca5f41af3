"""Trained networks as agents, and earlier states of a learner as opponents in its training."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from agents.dqn.network import QNetwork, architecture_of, best_legal
from agents.dqn.provenance import Provenance
from agents.dqn.settings import TrainSettings
from sim.observation.view import DUEL_SIZE
from sim.observation.view_size import ViewSize

BLOCK = 1024  # number of rows that a pilot evaluates at once; chosen by hand, not tuned
# Smaller block for opponents in training, since each opponent gets few rows at a time and a block
# has a fixed cost. Chosen by hand, not tuned.
FEW = 64


class DQNPilot:
    """Agent that plays the legal action to which its network gives the highest value.

    Of several such actions, the action with the lowest number is played.

    Rows are evaluated in blocks of one fixed size, and the last block is filled up with zeros. The
    rounding of a matrix product depends on its shape, so rows in a smaller block could get other
    values. Several threads may call the agent at once.

    Attributes:
        name: name of the agent in experiments and results.
        network: network that values the actions; it must not be trained further.
        provenance: origin of the network; `None` if the network was not loaded from a file.
    """

    def __init__(
        self,
        name: str,
        network: QNetwork,
        *,
        provenance: Provenance | None = None,
        block: int = BLOCK,
    ) -> None:
        self.name = name
        self.network = network
        self.provenance = provenance
        self._block = block
        self._device = next(network.parameters()).device

    @property
    def view(self) -> ViewSize:
        """Sizes of the view that the network reads; the pilot can play only games of this view."""
        return self.network.architecture.view

    def choose(
        self, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.bool_]
    ) -> npt.NDArray[np.int64]:
        """Return the legal action with the highest value for each row, shape ``[B]``.

        Args:
            observations: observed values, shape ``[B, n_values]``.
            masks: legal actions, shape ``[B, A]``.
        """
        actions = np.empty(len(observations), dtype=np.int64)
        with torch.inference_mode():
            for block, values in self._values_by_block(observations):
                legal = torch.from_numpy(masks[block]).to(self._device)
                actions[block] = best_legal(values, legal)[:, 0].cpu().numpy()
        return actions

    def values(self, observations: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Return the network's values of all actions, legal or not, shape ``[B, A]``.

        Args:
            observations: observed values, at least one row, shape ``[B, n_values]``.
        """
        with torch.inference_mode():
            blocks = [values.cpu().numpy() for _, values in self._values_by_block(observations)]
        return np.concatenate(blocks)

    def _values_by_block(
        self, observations: npt.NDArray[np.float32]
    ) -> Iterator[tuple[slice, Tensor]]:
        """Yield a slice of rows and the values of all actions in them, block by block.

        Yields:
            Slice of at most `block` rows, and values, shape ``[rows in the slice, A]``.
        """
        # Set again here, since OpenMP has a separate number for each calling thread.
        torch.set_num_threads(1)
        padded = torch.zeros((self._block, observations.shape[1]))
        for start in range(0, len(observations), self._block):
            block = slice(start, start + self._block)
            n_rows = len(observations[block])
            padded[:n_rows] = torch.from_numpy(observations[block])
            padded[n_rows:] = 0
            yield block, self.network(padded.to(self._device))[:n_rows]


class PastSelf(DQNPilot):
    """Opponent that holds an earlier state of a learner.

    A training has a fixed number of these opponents, and its line-ups name them. From time to time
    the trainer copies the learner's weights into one of them, in turn.
    """

    def __init__(self, name: str, settings: TrainSettings, view: ViewSize = DUEL_SIZE) -> None:
        super().__init__(name, QNetwork(architecture_of(settings, view)), block=FEW)

    def copy_weights(self, network: QNetwork) -> None:
        """Replace this opponent's weights by copies of the weights of `network`."""
        self.network.load_state_dict(network.state_dict())


def past_selves(settings: TrainSettings, view: ViewSize = DUEL_SIZE) -> list[PastSelf]:
    """Return `settings.past_selves` opponents that will hold earlier states of a learner.

    Until the trainer copies weights into them, they all have the same random initial weights.

    Args:
        settings: settings of the training.
        view: sizes of the view through which the games are observed.
    """
    return [
        PastSelf(f"past self {place + 1}", settings, view) for place in range(settings.past_selves)
    ]
