"""Pilots: trained networks at the table, and the learner as it once was, as an opponent."""

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

BLOCK = 1024  # rows that a pilot values at once
FEW = 64  # the same where few ask, since each block costs time, filled or not


class DQNPilot:
    """An agent that plays the legal action its network values highest, of equals the lowest.

    Rows are answered in blocks of one fixed size, the last one filled up with zeros: how a
    matrix product rounds depends on its shape, so rows of a smaller block could be answered
    differently. May be asked from several threads at once.

    Attributes:
        name: what experiments and results call it.
        network: what it values actions with; not to be trained further.
        provenance: where it comes from, if it was loaded.
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
        """What it sees and does; it can play no game that shows another."""
        return self.network.architecture.view

    def choose(
        self, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.bool_]
    ) -> npt.NDArray[np.int64]:
        """``[B]`` best legal actions for ``[B, n_values]`` observations and ``[B, A]`` masks."""
        actions = np.empty(len(observations), dtype=np.int64)
        with torch.inference_mode():
            for block, values in self._valued(observations):
                legal = torch.from_numpy(masks[block]).to(self._device)
                actions[block] = best_legal(values, legal)[:, 0].cpu().numpy()
        return actions

    def values(self, observations: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """``[B, A]`` what it values all actions at, legal or not; what `choose` chooses by."""
        with torch.inference_mode():
            found = [values.cpu().numpy() for _, values in self._valued(observations)]
        return np.concatenate(found)

    def _valued(self, observations: npt.NDArray[np.float32]) -> Iterator[tuple[slice, Tensor]]:
        """The blocks of rows, and what they are valued at."""
        torch.set_num_threads(1)  # OpenMP keeps this number for each thread that asks
        padded = torch.zeros((self._block, observations.shape[1]))
        for start in range(0, len(observations), self._block):
            block = slice(start, start + self._block)
            n_rows = len(observations[block])
            padded[:n_rows] = torch.from_numpy(observations[block])
            padded[n_rows:] = 0
            yield block, self.network(padded.to(self._device))[:n_rows]


class PastSelf(DQNPilot):
    """One place in a pool of earlier states of the learner.

    Line-ups name each place as an opponent, so that every episode meets one of them and keeps
    it to its end, but for a refresh in between. The trainer copies its weights into the places
    in turn.
    """

    def __init__(self, name: str, settings: TrainSettings, view: ViewSize = DUEL_SIZE) -> None:
        super().__init__(name, QNetwork(architecture_of(settings, view)), block=FEW)

    def become(self, network: QNetwork) -> None:
        """Take over the weights of `network`."""
        self.network.load_state_dict(network.state_dict())


def past_selves(settings: TrainSettings, view: ViewSize = DUEL_SIZE) -> list[PastSelf]:
    """The opponents for `settings.past_selves` places; to be named in line-ups."""
    return [
        PastSelf(f"past self {place + 1}", settings, view) for place in range(settings.past_selves)
    ]
