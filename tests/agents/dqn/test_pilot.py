"""The answer of a pilot to a position depends on nothing but the position."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch

from agents.conformance import LearnedAgentSuite
from agents.dqn.network import Architecture, QNetwork
from agents.dqn.pilot import DQNPilot, PastSelf
from agents.dqn.settings import TrainSettings
from sim.engine.viewing import N_ACTIONS, N_VALUES

IMPROVED = Architecture(hidden=256, dueling=True, one_hot=True)
N_ROWS = 2500


class Recorder(QNetwork):
    """Network that records the values it returns."""

    def forward(self, observations):
        values = super().forward(observations)
        self.recorded.append(values.clone())
        return values


def positions(n_rows: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    draws = np.random.default_rng(seed)
    observations = draws.integers(0, 21, (n_rows, N_VALUES)).astype(np.float32)
    masks = draws.random((n_rows, N_ACTIONS)) < 0.3
    masks[:, -1] = True
    return observations, masks


def values_of(pilot: DQNPilot, observations: np.ndarray) -> np.ndarray:
    """Return the exact values by which the pilot decides, shape ``[B, A]``."""
    network = pilot.network
    network.recorded = []
    pilot.choose(observations, np.ones((len(observations), N_ACTIONS), dtype=np.bool_))
    return torch.cat(network.recorded)[: len(observations)].numpy()


@pytest.fixture(params=[1024, 64])
def pilot(request) -> DQNPilot:
    return DQNPilot("test", Recorder(IMPROVED, seed=2), block=request.param)


def test_values_are_bit_identical_wherever_a_row_stands(pilot: DQNPilot) -> None:
    observations, _ = positions(N_ROWS)
    wanted = values_of(pilot, observations)
    order = np.random.default_rng(3).permutation(N_ROWS)
    assert np.array_equal(values_of(pilot, observations[order]), wanted[order])
    for start, stop in ((0, 1), (1, 2), (17, 400), (1023, 1025), (2499, 2500)):
        assert np.array_equal(values_of(pilot, observations[start:stop]), wanted[start:stop])


class TestPilot(LearnedAgentSuite):
    @pytest.fixture
    def agent(self) -> DQNPilot:
        return DQNPilot("test", QNetwork(IMPROVED, seed=2))


def test_threads_do_not_disturb_each_other() -> None:
    pilot = DQNPilot("test", QNetwork(IMPROVED, seed=2))
    requests = [positions(n_rows, seed=n_rows) for n_rows in (300, 1024, 1700, 2100) * 3]
    alone = [pilot.choose(*request) for request in requests]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda request: pilot.choose(*request), requests))
    assert all(np.array_equal(*pair) for pair in zip(alone, together, strict=True))


def test_a_past_self_keeps_the_weights_that_it_was_given() -> None:
    settings = TrainSettings(hidden=256)
    learner = QNetwork(IMPROVED, seed=5)
    past = PastSelf("past self 1", settings)
    past.copy_weights(learner)
    request = positions(200)
    wanted = DQNPilot("then", learner).choose(*request)
    with torch.no_grad():
        learner.advantages.weight.mul_(-1)
    assert np.array_equal(past.choose(*request), wanted)
    assert not np.array_equal(DQNPilot("now", learner).choose(*request), wanted)
