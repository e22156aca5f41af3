"""Targets and updates of the learner are those of the papers, computed by hand."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from agents.dqn.learner import Learner
from agents.dqn.network import QNetwork
from agents.dqn.replay import Batch
from agents.dqn.settings import TrainSettings
from sim.engine.viewing import N_ACTIONS, N_VALUES
from tests.refusals import refusal_of

SMALL = {"hidden": 16, "n_environments": 2, "replay": 100, "warm_up": 10, "batch": 4}


def learner(**changes) -> Learner:
    return Learner(TrainSettings(**(SMALL | {"precision": "float32"} | changes)), seed=1)


def always(network: QNetwork, values: dict[int, float]) -> None:
    """Set the weights so that a network always gives `values`, and 0 to all other actions."""
    is_dueling = network.architecture.dueling
    with torch.no_grad():
        for weights in network.parameters():
            weights.zero_()
        head = network.advantages if is_dueling else network.values
        for action, value in values.items():
            head.bias[action] = value
        if is_dueling:
            network.state_value.bias[:] = head.bias.mean()


def some_batch(n_rows: int = 4) -> Batch:
    draws = np.random.default_rng(5)
    batch = Batch.empty(n_rows, N_VALUES, N_ACTIONS)
    batch.observations[:] = draws.integers(0, 6, batch.observations.shape)
    batch.next_observations[:] = draws.integers(0, 6, batch.observations.shape)
    batch.actions[:] = draws.integers(0, N_ACTIONS, n_rows)
    batch.returns[:] = [1.0, 0.0, -1.0, 0.25][:n_rows]
    batch.discounts[:] = [0.0, 0.9, 0.9, 0.5][:n_rows]
    batch.next_masks[:, [1, 2]] = True
    return batch


@pytest.mark.parametrize(
    ("variant", "online", "target", "wanted"),
    [
        # The lagging network chooses and values; 7 is illegal.
        ("dqn", {1: 9.0}, {1: 2.0, 2: 4.0, 7: 100.0}, [1.0, 3.6, 2.6, 2.25]),
        # The online network chooses.
        ("improved", {1: 9.0, 7: 100.0}, {1: 2.0, 2: 4.0}, [1.0, 1.8, 0.8, 1.25]),
    ],
)
def test_targets_are_those_of_the_papers(variant, online, target, wanted) -> None:
    student = learner(variant=variant)
    always(student.online, online)
    always(student.target, target)
    torch.testing.assert_close(student._targets(some_batch()), torch.tensor(wanted))


def test_updates_lead_to_the_targets() -> None:
    student = learner(variant="dqn", target_every=10_000)
    batch = some_batch()
    wanted = student._targets(batch)
    for _ in range(300):
        student.update(batch, learning_rate=1e-2)
    values = student.online(torch.from_numpy(batch.observations))
    chosen = values.gather(1, torch.from_numpy(batch.actions)[:, None])[:, 0]
    torch.testing.assert_close(chosen, wanted, atol=0.02, rtol=0)
    assert student.loss.item() < 1e-3


def test_the_target_network_is_copied_every_so_many_updates() -> None:
    student = learner(target_every=3)
    observations = torch.from_numpy(some_batch().observations)
    first = student.target(observations)
    for n_updates in range(1, 7):
        student.update(some_batch(), learning_rate=1e-2)
        is_copy = torch.equal(student.target(observations), student.online(observations))
        assert is_copy == (n_updates % 3 == 0)
        assert torch.equal(student.target(observations), first) == (n_updates < 3)


def test_the_pilot_gets_averaged_weights_and_plain_dqn_the_present_ones() -> None:
    for variant, is_same in (("dqn", True), ("improved", False)):
        student = learner(variant=variant, averaging=0.01)
        for _ in range(5):
            student.update(some_batch(), learning_rate=1e-2)
        pairs = zip(student.averaged.parameters(), student.online.parameters(), strict=True)
        assert all(torch.equal(mean, weight) for mean, weight in pairs) == is_same


def test_a_learning_rate_of_zero_changes_nothing() -> None:
    student = learner()
    before = student.online(torch.from_numpy(some_batch().observations))
    student.update(some_batch(), learning_rate=0.0)
    assert torch.equal(student.online(torch.from_numpy(some_batch().observations)), before)


@pytest.mark.parametrize("variant", ["improved", "dqn"])
def test_a_restored_learner_goes_on_as_the_first_would_have(variant: str) -> None:
    student, other = (learner(variant=variant, target_every=3) for _ in range(2))
    for _ in range(4):
        student.update(some_batch(), learning_rate=1e-2)
    other.restore(student.state())
    for _ in range(4):
        student.update(some_batch(), learning_rate=1e-2)
        other.update(some_batch(), learning_rate=1e-2)
    assert other.n_updates == 8
    for own, restored in zip(student.online.parameters(), other.online.parameters(), strict=True):
        assert torch.equal(own, restored)


def test_half_precision_learns_nearly_the_same_and_keeps_whole_weights() -> None:
    whole = learner()
    half = learner(precision="bfloat16")
    for _ in range(20):
        whole.update(some_batch(), learning_rate=1e-2)
        half.update(some_batch(), learning_rate=1e-2)
    observations = torch.from_numpy(some_batch().observations)
    assert {weights.dtype for weights in half.online.parameters()} == {torch.float32}
    torch.testing.assert_close(
        half.online(observations), whole.online(observations), atol=0.3, rtol=0
    )
    assert not torch.equal(half.online(observations), whole.online(observations))


def test_a_gpu_that_is_not_there_is_named(monkeypatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    error = refusal_of(learner, device="cuda")
    assert error.place == 'device = "cuda"'
    assert error.remedy == 'set device = "cpu"'
