"""Networks see the values of their view, and their initial weights depend only on a seed."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from agents.dqn.network import (
    BOARDS,
    HAND,
    TEXT_FEATURES,
    Architecture,
    Encoding,
    QNetwork,
    TextEncoding,
    best_legal,
)
from sim.engine.viewing import N_ACTIONS, N_VALUES
from sim.observation.view_size import ViewSize

PLAIN = Architecture(hidden=16, dueling=False, one_hot=False)
IMPROVED = Architecture(hidden=16, dueling=True, one_hot=True)
GENERAL = ViewSize(name="general", n_values=9, n_actions=5, n_indices=4, texts=(("a",),) * 3)


def some_observations(n_rows: int) -> torch.Tensor:
    values = np.random.default_rng(1).integers(0, 6, (n_rows, N_VALUES))
    return torch.from_numpy(values.astype(np.float32))


SEEN = [
    (PLAIN.view, some_observations(4)),
    (GENERAL, torch.tensor([[0.0, 1.0, 0.5, 0.0, 0.0, 1, 2, 3, 0]] * 2)),
]


def test_each_effect_of_the_hand_gets_a_place_of_its_own() -> None:
    observations = torch.zeros((2, N_VALUES))
    observations[0, HAND.start + 3] = 1  # first card: summon
    observations[0, HAND.start + 4 * 8 + 3] = 5  # ninth card: haste
    one_hot = Encoding(one_hot=True)(observations)[:, N_VALUES : N_VALUES + 45]
    assert one_hot[0].nonzero().flatten().tolist() == [0, 44]
    assert not one_hot[1].any()


def test_attack_and_health_of_units_are_encoded_as_levels() -> None:
    observations = torch.zeros((1, N_VALUES))
    observations[0, BOARDS.start] = 3  # the oldest own unit's health
    observations[0, BOARDS.stop - 1] = 9  # the youngest enemy unit's attack
    levels = Encoding(one_hot=True)(observations)[:, N_VALUES + 45 :]
    assert levels.shape == (1, 20 * 6)
    assert levels[0].nonzero().flatten().tolist() == [0, 1, 2, *range(114, 120)]


def test_scaled_values_of_a_whole_game_lie_near_0_to_1() -> None:
    largest = torch.tensor(
        [20, 20, 5, 5] + [5, 5, 5, 5] * 9 + [5, 5] * 10 + [1] * 5 + [30, 30], dtype=torch.float32
    )
    torch.testing.assert_close(Encoding(one_hot=False)(largest[None]), torch.ones((1, N_VALUES)))


def test_a_text_means_the_same_wherever_it_stands_and_none_means_nothing() -> None:
    encoding = TextEncoding(GENERAL, torch.Generator().manual_seed(1))
    observations = torch.tensor([[0.1, 0.2, 0.3, 0.4, 0.5, 0, 2, 3, 2]])
    features = encoding(observations)
    assert features.shape == (1, encoding.n_features) == (1, 5 + 4 * TEXT_FEATURES)
    assert torch.equal(features[:, :5], observations[:, :5])
    nothing, first, other, second = features[0, 5:].view(4, TEXT_FEATURES)
    assert not nothing.any()
    assert torch.equal(first, second)
    assert not torch.equal(first, other)
    features.sum().backward()
    learned = encoding.texts.weight.grad
    assert learned[0].eq(0).all()  # nothing is never learned about
    assert learned[2].eq(2).all()


def test_advantages_of_the_dueling_head_average_to_zero() -> None:
    network = QNetwork(IMPROVED, seed=3)
    observations = some_observations(6)
    values = network(observations)
    activations = torch.relu(network.first(network.encoding(observations)))
    of_state, _ = torch.relu(network.second(activations)).chunk(2, dim=1)
    assert values.shape == (6, N_ACTIONS)
    torch.testing.assert_close(values.mean(dim=1), network.state_value(of_state)[:, 0])
    assert values.std(dim=1).min() > 0


@pytest.mark.parametrize("dueling", [False, True])
@pytest.mark.parametrize(("view", "seen"), SEEN)
def test_a_network_is_as_large_as_its_view_and_a_function_of_its_seed_alone(
    view: ViewSize, seen: torch.Tensor, dueling: bool
) -> None:
    architecture = Architecture(hidden=16, dueling=dueling, one_hot=dueling, view=view)
    before = torch.get_rng_state()
    first, again, other = (QNetwork(architecture, seed=seed) for seed in (7, 7, 8))
    assert torch.equal(torch.get_rng_state(), before)
    assert first(seen).shape == (len(seen), view.n_actions)
    assert torch.equal(first(seen), again(seen))
    assert not torch.equal(first(seen), other(seen))


def test_weights_start_as_torch_starts_them() -> None:
    layer = QNetwork(PLAIN).second
    assert layer.weight.abs().max() <= 16**-0.5
    assert layer.weight.std().item() == pytest.approx(16**-0.5 / 3**0.5, rel=0.1)


def test_the_best_action_is_legal_and_of_equals_the_lowest() -> None:
    values = torch.tensor([[5.0, 1.0, 2.0, 2.0], [-3e3, -2e3, -1e3, -1e3]])
    masks = torch.tensor([[False, True, True, True], [True, True, False, False]])
    assert best_legal(values, masks).tolist() == [[2], [1]]


def test_networks_compute_on_one_thread() -> None:
    assert torch.get_num_threads() == 1
