"""Training learns known values, and can stop and continue without any difference."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from agents import Trainer, TrainSettings
from tests.agents.dqn.corridor import LEFT, N_CELLS, RIGHT, Corridor, every_cell
from tests.refusals import refusal_of

SETTINGS = {
    "n_environments": 8,
    "steps": 6000,
    "steps_per_update": 8,
    "batch": 64,
    "hidden": 32,
    "learning_rate": 3e-3,
    "gamma": 0.8,
    "epsilon_steps": 3000,
    "epsilon_end": 0.0,
    "replay": 1600,
    "warm_up": 200,
    "target_every": 20,
}


def trainer(seed: int = 1, **changes) -> Trainer:
    settings = TrainSettings(**(SETTINGS | changes))
    return Trainer(settings, Corridor(settings.n_environments, seed), seed=seed)


def weights(run: Trainer) -> np.ndarray:
    return torch.nn.utils.parameters_to_vector(run.learner.online.parameters()).detach().numpy()


@pytest.mark.thorough
@pytest.mark.parametrize("variant", ["improved", "dqn"])
def test_the_values_of_a_corridor_are_learned(variant: str) -> None:
    run = trainer(variant=variant)
    run.run(6000)
    with torch.inference_mode():
        values = run.learner.online(torch.from_numpy(every_cell())).numpy()
    np.testing.assert_allclose(values[:, RIGHT], 0.8 ** np.arange(N_CELLS - 1, -1, -1), atol=0.05)
    assert (values[:, LEFT] < values[:, RIGHT]).all()


@pytest.mark.thorough
def test_progress_counts_steps_and_updates() -> None:
    run = trainer(steps=2000)
    assert (run.progress().n_steps, run.progress().epsilon) == (0, 1.0)
    progress = run.run(1001)  # whole ticks of eight
    assert (progress.n_steps, progress.n_updates) == (1008, (1008 - 200) // 8)
    assert progress.epsilon == pytest.approx(1 - 1008 / 3000)
    assert not run.is_done
    assert run.run(10**9).n_steps == 2000
    assert run.is_done


def test_a_seed_is_a_run_however_it_is_divided() -> None:
    whole = trainer()
    parts = trainer()
    other = trainer(seed=2)
    for until in range(0, 601, 37):
        parts.run(until)
    for run in (whole, parts, other):
        run.run(600)
    assert np.array_equal(weights(whole), weights(parts))
    assert not np.array_equal(weights(whole), weights(other))


def test_the_state_of_another_run_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "state.pt"
    run = trainer()
    run.run(300)
    run.save(path)
    for other in (trainer(seed=2), trainer(hidden=64)):
        assert refusal_of(other.load, path).place == str(path)
    path.write_bytes(path.read_bytes()[:5000])
    error = refusal_of(run.load, path)
    assert error.place == str(path)
    assert error.remedy


def test_games_and_settings_must_agree_on_how_many() -> None:
    with pytest.raises(ValueError, match=r"9 .* 8 environments"):
        Trainer(TrainSettings(**SETTINGS), Corridor(9, 1), seed=1)
