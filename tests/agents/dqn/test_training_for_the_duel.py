"""Training in duels against earlier states of the learner itself."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from agents import Trainer, TrainSettings, agent_named
from agents.dqn.pilot import past_selves
from sim.environments.episodes import Episodes, Lineup
from sim.seeds import stream_seed
from tests.duels import DECKS, TABLE

SETTINGS = TrainSettings(
    n_environments=32,
    steps=40_000,
    steps_per_update=32,
    batch=128,
    hidden=64,
    epsilon_steps=10_000,
    replay=40_000,
    warm_up=1000,
    target_every=100,
)


def against_its_past() -> Trainer:
    """Return the training of Ember Rush in both seats against aggro and its own past selves."""
    settings = SETTINGS.model_copy(update={"past_selves": 2, "snapshot_every": 700})
    opponents = [agent_named("aggro"), *past_selves(settings)]
    lineups = [
        Lineup(DECKS[0], DECKS[0], opponent, seat, 1.0)
        for opponent in range(len(opponents))
        for seat in (0, 1)
    ]
    stream = stream_seed(1, "train/games")
    episodes = Episodes(TABLE, lineups, opponents, 32, stream, skip_forced=True)
    return Trainer(settings, episodes, seed=1)


def everything(run: Trainer) -> list[np.ndarray]:
    networks = [run.learner.online, run.learner.target]
    networks += [past.network for past in run._past_selves]
    vectors = [torch.nn.utils.parameters_to_vector(network.parameters()) for network in networks]
    return [vector.detach().numpy() for vector in vectors]


def test_past_selves_are_refreshed_in_turn() -> None:
    run = against_its_past()
    now, _, first, second = everything(run)
    assert np.array_equal(first, now)
    assert np.array_equal(second, now)
    run.run(1100)
    changes = []
    for until in (1300, 1420, 2120, 2820):
        before = [vector.copy() for vector in everything(run)[2:]]
        run.run(until)
        after = everything(run)[2:]
        changes.append([not np.array_equal(*pair) for pair in zip(before, after, strict=True)])
    assert changes == [[False, False], [False, True], [True, False], [False, True]]


@pytest.mark.thorough
def test_a_run_against_its_past_goes_on_as_if_it_had_never_stopped(tmp_path: Path) -> None:
    whole = against_its_past()
    whole.run(4000)
    first = against_its_past()
    first.run(2000)
    first.save(tmp_path / "state.pt")
    second = against_its_past()
    second.load(tmp_path / "state.pt")
    second.run(4000)
    assert second.progress() == whole.progress()
    for continued, uninterrupted in zip(everything(second), everything(whole), strict=True):
        assert np.array_equal(continued, uninterrupted)
