"""Learning Big Two: by the duel's trainer, exactly resumable; pilots as agents and as files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from agents.big_two import agent_named
from sim.big_two.games import play_games
from sim.big_two.observers import BigTwoView, LogObserver, Seen, observer_named
from sim.big_two.rules import rules_of
from tests.refusals import complaint_of
from tests.sim.big_two.tables import STANDARD, dealt, played_on, with_hidden_exchanged

pytest.importorskip("torch")

from agents import TrainSettings, load_pilot
from agents.big_two.training import BigTwoTraining, load_big_two_pilot

TINY = TrainSettings(
    steps=3_000, n_environments=32, steps_per_update=64, batch=32, hidden=16, replay=2_000
)
LOWEST = agent_named("lowest")


def begun(observer="counts", rules=STANDARD) -> BigTwoTraining:
    named = observer_named(observer) if isinstance(observer, str) else observer
    return BigTwoTraining.begin(BigTwoView(rules, named), [LOWEST], TINY, run_seed=5)


@pytest.fixture(scope="module")
def trained() -> BigTwoTraining:
    training = begun()
    training.trainer.run(TINY.steps)
    return training


def weights(training: BigTwoTraining) -> np.ndarray:
    learned = training.trainer.learner.averaged.state_dict().values()
    return np.concatenate([weight.numpy().ravel() for weight in learned])


def test_a_training_that_was_kept_goes_on_as_if_nothing_had_been(
    trained: BigTwoTraining, tmp_path: Path
) -> None:
    first = begun()
    second = begun()
    first.trainer.run(1_000)
    first.trainer.save(tmp_path / "state")
    second.trainer.load(tmp_path / "state")
    assert second.trainer.run(TINY.steps) == trained.trainer.progress()
    np.testing.assert_array_equal(weights(second), weights(trained))
    progress = trained.trainer.progress()
    assert progress.n_wins + progress.n_losses == progress.n_episodes > 100


def test_a_pilot_is_an_agent_that_sees_what_it_may(trained: BigTwoTraining) -> None:
    pilot = trained.pilot("learned")
    games = dealt(60)
    for tick, rows in enumerate(played_on(games, "together")):
        chosen = pilot.choose(games, rows)
        assert games.masks(rows)[np.arange(len(rows)), chosen].all()
        blind = with_hidden_exchanged(games, rows, tick)
        np.testing.assert_array_equal(pilot.choose(blind, rows), chosen)
        np.testing.assert_array_equal(pilot.choose(games, rows[:3]), chosen[:3])


def test_a_file_holds_the_pilot(trained: BigTwoTraining, tmp_path: Path) -> None:
    path = tmp_path / "learned.pilot"
    pilot = trained.pilot("learned")
    pilot.save(path)
    found = agent_named(f"dqn:{path}")
    assert found.name == f"dqn:{path}"
    assert load_big_two_pilot(path).provenance == pilot.provenance
    assert pilot.provenance.opponents == ("lowest",)
    seeds = np.arange(40)
    played = [
        play_games(STANDARD, [one, LOWEST, LOWEST, LOWEST], seeds, threads=1).winner
        for one in (pilot, found)
    ]
    np.testing.assert_array_equal(*played)
    assert "not an evenhand pilot" in complaint_of(load_pilot, path)


def of_the_log(one: Seen) -> list[int]:
    return [len(one.log) % 100, one.hand.bit_count()]


def test_what_does_not_fit_is_refused(trained: BigTwoTraining, tmp_path: Path) -> None:
    fours = dealt(2, rules_of("fours"))
    path = tmp_path / "own.pilot"
    assert "learned 1,365 actions, and these rules have 1,375" in complaint_of(
        trained.pilot("learned").choose, fours, np.arange(2)
    )
    assert "cannot be read" in complaint_of(agent_named, f"dqn:{path}")
    own = begun(LogObserver("own", 2, of_the_log))
    own.trainer.run(200)
    own.pilot("own").save(path)
    assert "unknown observer 'own'" in complaint_of(agent_named, f"dqn:{path}")
