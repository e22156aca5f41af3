"""Exploring actions are legal, as frequent as epsilon, and a function of a counter."""

from __future__ import annotations

import numpy as np
import pytest

from agents.dqn.sampler import explore

N_ROWS = 4000
LEGAL = [2, 5, 39]
MASKS = np.zeros((N_ROWS, 40), dtype=np.bool_)
MASKS[:, LEGAL] = True


def explored_actions(epsilon: float, seed: int = 2**63 + 5) -> np.ndarray:
    actions = np.full(N_ROWS, 39)
    explore(actions, MASKS, epsilon, seed, 0)
    return actions


def test_without_epsilon_nothing_is_random() -> None:
    assert (explored_actions(0.0) == 39).all()


def test_with_epsilon_1_every_legal_action_is_equally_likely() -> None:
    actions, counts = np.unique(explored_actions(1.0), return_counts=True)
    assert actions.tolist() == LEGAL
    assert np.abs(counts / N_ROWS - 1 / 3).max() < 0.03  # four standard errors


def test_epsilon_is_the_share_of_random_actions() -> None:
    assert (explored_actions(0.3) != 39).mean() == pytest.approx(0.2, abs=0.025)


def test_each_row_depends_on_its_counter_alone() -> None:
    at_once = explored_actions(0.5)
    first = np.full(1500, 39)
    rest = np.full(N_ROWS - 1500, 39)
    explore(first, MASKS[:1500], 0.5, 2**63 + 5, 0)
    explore(rest, MASKS[1500:], 0.5, 2**63 + 5, 1500)
    assert np.array_equal(np.concatenate([first, rest]), at_once)
    assert not np.array_equal(at_once, explored_actions(0.5, seed=6))
