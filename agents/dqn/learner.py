"""Deep Q-learning of a network from batches of stored transitions."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from agents.dqn.network import (
    QNetwork,
    architecture_of,
    best_legal,
    multiplies_by_half,
)
from agents.dqn.replay import Batch
from agents.dqn.settings import TrainSettings
from agents.reading.aligned_tensor import aligned_tensor
from agents.torch_device import device_named
from sim.observation.view import DUEL_SIZE
from sim.observation.view_size import ViewSize

_GRADIENT_NORM_MAX = 10.0  # as Wang et al. (2016) clip the gradients of their dueling networks


class Learner:
    """Network with its optimiser, which learns by deep Q-learning, one update at a time.

    The online network learns towards targets that a periodically updated copy computes, so that the
    targets stay fixed in between (Mnih et al., "Human-level control through deep reinforcement
    learning", 2015). In the improved variant the online network chooses the next action and the
    copy computes its value. This reduces overestimation by the maximum (van Hasselt, Guez and
    Silver, "Deep reinforcement learning with double Q-learning", 2016). Targets may sum `n_step`
    rewards (Sutton, "Learning to predict by the methods of temporal differences", 1988; Hessel et
    al., "Rainbow", 2018).

    Attributes:
        online: network that learns and acts.
        averaged: network with a running average of the online weights, which plays better than the
            online network (Polyak and Juditsky, "Acceleration of stochastic approximation by
            averaging", 1992). Pilots get these weights.
        target: copy of the online network, replaced every `target_every` updates.
        n_updates: number of updates so far.
        loss: loss of the latest update, a tensor without dimensions; 0 before the first update. It
            stays on the device, since reading it would block until the update is done.
    """

    def __init__(self, settings: TrainSettings, *, seed: int, view: ViewSize = DUEL_SIZE) -> None:
        self._settings = settings
        self._device = device_named(settings.device)
        self._is_half = multiplies_by_half(settings.precision, self._device)
        architecture = architecture_of(settings, view)
        self.online: QNetwork = QNetwork(architecture, seed=seed).to(self._device)
        self.target: QNetwork = QNetwork(architecture, seed=seed).to(self._device)
        self.averaged: QNetwork = QNetwork(architecture, seed=seed).to(self._device)
        self.n_updates: int = 0
        self.loss: Tensor = torch.zeros(())
        # The fused variant makes one pass over the weights instead of about a dozen; on a CPU it
        # takes a third of the time.
        self._optimiser = torch.optim.Adam(
            self.online.parameters(), lr=settings.learning_rate, fused=True
        )
        self._parts: dict[str, Any] = {
            "online": self.online,
            "target": self.target,
            "averaged": self.averaged,
            "optimiser": self._optimiser,
        }

    def start_from(self, network: QNetwork) -> None:
        """Copy the weights of `network` into the online, target and averaged networks.

        Call this before the first update.
        """
        for own in (self.online, self.target, self.averaged):
            own.load_state_dict(network.state_dict())

    def greedy(
        self, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.bool_]
    ) -> npt.NDArray[np.int64]:
        """Return the legal actions that the online network values highest, shape ``[B]``.

        Args:
            observations: observed values, shape ``[B, n_values]``.
            masks: legal actions, shape ``[B, A]``.
        """
        with torch.inference_mode(), self._arithmetic():
            values = self.online(self._tensor(observations))
            actions: npt.NDArray[np.int64] = (
                best_legal(values, self._tensor(masks))[:, 0].cpu().numpy()
            )
        return actions

    def update(self, batch: Batch, *, learning_rate: float) -> None:
        """Update the online network by one step of Adam on the loss of a batch.

        Also updates the averaged network, and every `target_every` updates the target network.

        Args:
            batch: transitions drawn from the memory.
            learning_rate: step size of Adam for this update.
        """
        targets = self._targets(batch)
        with self._arithmetic():
            values = self.online(self._tensor(batch.observations))
        chosen = values.gather(1, self._tensor(batch.actions)[:, None])[:, 0]
        # Huber's loss with a threshold of 1: the error clipping of Mnih et al. (2015).
        loss = nn.functional.smooth_l1_loss(chosen, targets)
        self._optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self.online.parameters(), _GRADIENT_NORM_MAX)
        for group in self._optimiser.param_groups:
            group["lr"] = learning_rate
        self._optimiser.step()
        self.loss = loss.detach()
        self.n_updates += 1
        self._average()
        if self.n_updates % self._settings.target_every == 0:
            self.target.load_state_dict(self.online.state_dict())

    def _average(self) -> None:
        """Move the averaged weights towards the online weights by the share `averaging`.

        The share is at least 1 / `n_updates`, so the weights of the first updates count equally. In
        the variant `dqn` the share is 1: the averaged weights equal the online weights.
        """
        share = self._settings.averaging if self._settings.is_improved else 1.0
        share = max(share, 1 / self.n_updates)
        with torch.no_grad():
            for mean, weight in zip(
                self.averaged.parameters(), self.online.parameters(), strict=True
            ):
                mean.lerp_(weight, share)

    def _targets(self, batch: Batch) -> Tensor:
        """Return the targets of the chosen actions, shape ``[B]``.

        A target is r + discount * Q(s', a'), with the returns r and discounts of the batch, the
        next observation s', and the best legal next action a'.
        """
        with torch.no_grad(), self._arithmetic():
            observations = self._tensor(batch.next_observations)
            values = self.target(observations)
            choosing = self.online(observations) if self._settings.is_improved else values
            # Illegal actions are masked in the next state, too, since no update ever corrects the
            # values of illegal actions.
            best = best_legal(choosing, self._tensor(batch.next_masks))
            next_values: Tensor = values.gather(1, best)[:, 0]
            return self._tensor(batch.returns) + self._tensor(batch.discounts) * next_values

    def _tensor(self, array: npt.NDArray[Any]) -> Tensor:
        """Return a copy of an array as a tensor on the device."""
        return aligned_tensor(array, self._device)

    def _arithmetic(self) -> torch.autocast:
        """Return a context manager that applies the settings' precision to matrix products."""
        return torch.autocast(self._device.type, dtype=torch.bfloat16, enabled=self._is_half)

    def state(self) -> dict[str, Any]:
        """Return the networks, the optimiser, `n_updates` and `loss` as tensors and plain types."""
        return {
            **{name: part.state_dict() for name, part in self._parts.items()},
            "n_updates": self.n_updates,
            "loss": self.loss,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Copy the `state` of another learner with equal settings into this one."""
        for name, part in self._parts.items():
            # Copied, since torch would otherwise share Adam's moments with the other optimiser.
            part.load_state_dict(deepcopy(state[name]))
        self.n_updates = state["n_updates"]
        self.loss = state["loss"]
