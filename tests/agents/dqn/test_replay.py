"""The memory returns the transitions that happened, n steps long, and never across an end."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.dqn.replay import Batch, Replay

N_ACTIONS = 11
GAMMA = 0.5


@dataclass
class Entry:
    """Decision, as the plain reference stores it."""

    number: int
    action: int
    mask: list[bool]
    gain: float = 0.0
    ended: bool = False


class History:
    """Random events, recorded in a replay memory and in a plain list per environment."""

    def __init__(self, seed: int, *, n_environments: int, n_entries: int, n_ticks: int) -> None:
        draws = np.random.default_rng(seed)
        self.replay = Replay(n_environments, n_entries, 3, N_ACTIONS)
        self.entries: list[list[Entry]] = [[] for _ in range(n_environments)]
        number = 0
        for _ in range(n_ticks):
            moved = draws.random(n_environments) < 0.7
            observations = np.zeros((n_environments, 3), dtype=np.float32)
            actions = draws.integers(0, N_ACTIONS, n_environments)
            masks = draws.random((n_environments, N_ACTIONS)) < 0.5
            for environment in np.flatnonzero(moved):
                number += 1
                observations[environment] = [number % 100, number // 100, -environment]
                entry = Entry(number, int(actions[environment]), masks[environment].tolist())
                self.entries[environment].append(entry)
            self.replay.append(moved, observations, masks, actions)
            rewards = draws.integers(-1, 2, n_environments).astype(np.float32)
            ended = (draws.random(n_environments) < 0.2).astype(np.uint8)
            self.replay.settle(rewards, ended)
            for entries, reward, has_ended in zip(self.entries, rewards, ended, strict=True):
                if entries and not entries[-1].ended:
                    entries[-1].gain += reward
                    entries[-1].ended = bool(has_ended)

    def transitions(self, n_step: int, n_entries: int) -> dict[int, tuple]:
        """Return all transitions that may be drawn, by number of their entry.

        A transition is action, return, discount, number of the next entry, and its mask.
        """
        known = {}
        for entries in self.entries:
            for first in range(max(len(entries) - n_entries, 0), len(entries) - n_step):
                gain = 0.0
                discount = 1.0
                for entry in entries[first : first + n_step]:
                    gain += discount * entry.gain
                    discount *= 0 if entry.ended else GAMMA
                after = entries[first + n_step]
                action = entries[first].action
                known[entries[first].number] = action, gain, discount, after.number, after.mask
        return known


def numbers(observations: np.ndarray) -> list[int]:
    return (observations[:, 0] + 100 * observations[:, 1]).astype(int).tolist()


def rows(batch: Batch) -> list[tuple[int, tuple]]:
    return list(
        zip(
            numbers(batch.observations),
            zip(
                batch.actions.tolist(),
                batch.returns.tolist(),
                batch.discounts.tolist(),
                numbers(batch.next_observations),
                batch.next_masks.tolist(),
                strict=True,
            ),
            strict=True,
        )
    )


@settings(max_examples=60)
@given(
    seed=st.integers(0, 10**6),
    n_environments=st.integers(1, 4),
    n_entries=st.integers(4, 12),
    n_ticks=st.integers(12, 60),
    n_step=st.integers(1, 3),
)
def test_draws_are_exactly_the_transitions_that_happened(
    seed, n_environments, n_entries, n_ticks, n_step
) -> None:
    history = History(seed, n_environments=n_environments, n_entries=n_entries, n_ticks=n_ticks)
    known = history.transitions(n_step, n_entries)
    if not known:
        return
    batch = history.replay.draw(500, 0, seed=seed, n_step=n_step, gamma=GAMMA)
    drawn = rows(batch)
    # Compared exactly, since sums of powers of 1/2 are exact.
    assert all(known[number] == rest for number, rest in drawn)
    assert {number for number, _ in drawn} == set(known)


def test_every_transition_is_equally_likely() -> None:
    history = History(3, n_environments=3, n_entries=7, n_ticks=30)
    n_known = len(history.transitions(2, 7))
    batch = history.replay.draw(60_000, 0, seed=4, n_step=2, gamma=GAMMA)
    _, counts = np.unique(numbers(batch.observations), return_counts=True)
    assert len(counts) == n_known
    assert np.abs(counts / 60_000 * n_known - 1).max() < 0.08  # over four standard errors


def test_draws_are_counted() -> None:
    replay = History(3, n_environments=3, n_entries=20, n_ticks=50).replay
    whole = rows(replay.draw(64, 0, seed=9, n_step=3, gamma=GAMMA))
    first = rows(replay.draw(40, 0, seed=9, n_step=3, gamma=GAMMA))
    assert first + rows(replay.draw(24, 40, seed=9, n_step=3, gamma=GAMMA)) == whole
    assert rows(replay.draw(64, 64, seed=9, n_step=3, gamma=GAMMA)) != whole
    assert rows(replay.draw(64, 0, seed=2**63 + 9, n_step=3, gamma=GAMMA)) != whole


def record_decision(
    replay: Replay, observation: object, action: int, reward: float, ended: int
) -> None:
    """Record a decision of the only environment, and its reward and end."""
    masks = np.ones((1, N_ACTIONS), dtype=np.bool_)
    shown = np.array([observation], dtype=np.float32)
    replay.append(np.ones(1, dtype=np.bool_), shown, masks, np.array([action]))
    replay.settle(np.array([reward], dtype=np.float32), np.array([ended], dtype=np.uint8))


def test_a_game_that_ends_before_the_first_decision_concerns_no_earlier_one() -> None:
    replay = Replay(1, 8, 3, N_ACTIONS)
    record_decision(replay, np.zeros(3), 4, 1.0, 1)
    replay.settle(np.array([-1.0], dtype=np.float32), np.array([1], dtype=np.uint8))
    for _ in range(2):
        record_decision(replay, np.zeros(3), 4, 0.0, 0)
    batch = replay.draw(50, 0, seed=1, n_step=1, gamma=GAMMA)
    assert set(zip(batch.returns, batch.discounts, strict=True)) == {(1.0, 0.0), (0.0, GAMMA)}


@pytest.mark.parametrize("value", [-128, 127])
def test_any_whole_number_of_a_byte_is_kept(value: int) -> None:
    replay = Replay(1, 8, 3, N_ACTIONS)
    for _ in range(2):
        record_decision(replay, np.full(3, value), 0, 0.0, 0)
    assert (replay.draw(2, 0, seed=1, n_step=1, gamma=GAMMA).observations == value).all()


def test_a_restored_memory_draws_the_same() -> None:
    replay = History(3, n_environments=3, n_entries=20, n_ticks=50).replay
    other = Replay(3, 20, 3, N_ACTIONS)
    other.restore({name: array.copy() for name, array in replay.state_arrays().items()})
    wanted = rows(replay.draw(64, 0, seed=9, n_step=3, gamma=GAMMA))
    assert rows(other.draw(64, 0, seed=9, n_step=3, gamma=GAMMA)) == wanted


def test_shares_of_a_scale_and_numbers_of_texts_come_back_exactly() -> None:
    scales = np.array([30, 12, 7, 1], dtype=np.float32)
    replay = Replay(1, 40, 4, N_ACTIONS, scales=scales)
    whole = np.random.default_rng(3).integers(0, [31, 13, 8, 400], (40, 4))
    shown = (whole / scales.astype(float)).astype(np.float32)
    for place, observation in enumerate(shown):
        record_decision(replay, observation, place % N_ACTIONS, 0.0, 0)
    batch = replay.draw(64, 0, seed=5, n_step=1, gamma=0.9)
    rows = {row.tobytes(): place for place, row in enumerate(shown)}
    drawn = [rows[row.tobytes()] for row in batch.observations]
    assert len(set(drawn)) > 10
    assert [rows[row.tobytes()] for row in batch.next_observations] == [k + 1 for k in drawn]
