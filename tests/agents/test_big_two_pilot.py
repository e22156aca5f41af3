"""Training for Big Two by the duel's trainer, exactly resumable; pilots as agents and as files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from agents.big_two import agent_named
from sim import InputError
from sim.big_two.games import play_games
from sim.big_two.observers import BigTwoView, LogObserver, Seen, observer_named
from sim.big_two.rules import rules_of
from tests.refusals import refusal_of
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


def test_a_saved_training_continues_exactly(trained: BigTwoTraining, tmp_path: Path) -> None:
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
    loaded = agent_named(f"dqn:{path}")
    assert loaded.name == f"dqn:{path}"
    assert load_big_two_pilot(path).provenance == pilot.provenance
    assert pilot.provenance.opponents == ("lowest",)
    seeds = np.arange(40)
    played = [
        play_games(STANDARD, [agent, LOWEST, LOWEST, LOWEST], seeds, threads=1).winner
        for agent in (pilot, loaded)
    ]
    np.testing.assert_array_equal(*played)
    refusal_of(load_pilot, path)


def of_the_log(information: Seen) -> list[int]:
    return [len(information.log) % 100, information.hand.bit_count()]


def test_a_pilot_of_other_games_or_observers_is_refused(
    trained: BigTwoTraining, tmp_path: Path
) -> None:
    fours = dealt(2, rules_of("fours"))
    path = tmp_path / "own.pilot"
    error = refusal_of(trained.pilot("learned").choose, fours, np.arange(2))
    assert (error.place, error.value, error.limit) == ("agent 'learned'", 1_365, 1_375)
    refusal_of(agent_named, f"dqn:{path}")
    own = begun(LogObserver("own", 2, of_the_log))
    own.trainer.run(200)
    own.pilot("own").save(path)
    with pytest.raises(InputError) as caught:  # the known observers depend on the tests before
        agent_named(f"dqn:{path}")
    assert caught.value.value == "own"
