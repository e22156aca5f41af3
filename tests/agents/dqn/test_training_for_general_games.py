"""A pilot can be trained, stored and played in games by the general rules."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from agents import Trainer, TrainSettings, agent_named, load_pilot, save_pilot
from agents.dqn.network import Architecture, QNetwork
from agents.dqn.pilot import DQNPilot, past_selves
from agents.dqn.provenance import Provenance, Stamp
from sim import load_deck, stream_seed
from sim.environments.episodes import Episodes, Lineup
from sim.play import Agent, Batch, play
from tests.duels import DECKS, TABLE, batch_of, view_of_pool
from tests.legacy import legacy_rows, legacy_table, needs_package
from tests.refusals import refusal_of

pytestmark = needs_package

SETTINGS = TrainSettings(
    n_environments=64,
    steps=60_000,
    steps_per_update=64,
    batch=128,
    hidden=64,
    n_step=3,
    averaging=0.01,
    epsilon_steps=15_000,
    replay=40_000,
    warm_up=2_000,
    target_every=100,
)


def mirror(decks: np.ndarray, n_games: int) -> Batch:
    """Return games of one player in both seats against another with the same deck."""
    both = np.stack([decks, decks])
    return batch_of(both, [[0, 1], [1, 0]], n_games, stream=stream_seed(2, "match"))


def rate(pilot: Agent) -> float:
    """Return the pilot's win rate against aggro in the mirror."""
    batch = mirror(legacy_rows("mage")[0], 100)
    points = play(batch, legacy_table(), [pilot, agent_named("aggro")]).points
    return float(points[0, 0] + points[1, 1]) / 200


@pytest.mark.thorough
def test_training_beats_its_opponent() -> None:
    """Train the mage in both seats against aggro and its past selves, with the same deck."""
    view = view_of_pool(legacy_table())
    (mage,) = legacy_rows("mage")
    opponents = [agent_named("aggro"), *past_selves(SETTINGS, view.size)]
    lineups = [
        Lineup(mage, mage, opponent, seat) for opponent in range(len(opponents)) for seat in (0, 1)
    ]
    stream = stream_seed(1, "train/games")
    n = SETTINGS.n_environments
    episodes = Episodes(legacy_table(), lineups, opponents, n, stream, view=view, skip_forced=True)
    run = Trainer(SETTINGS, episodes, seed=1)
    before = rate(DQNPilot("pilot", run.learner.averaged))
    run.run(SETTINGS.steps)
    after = rate(DQNPilot("pilot", run.learner.averaged))
    assert before < 0.05
    assert after > 0.1


def test_a_pilot_keeps_its_view_and_is_refused_elsewhere(tmp_path: Path) -> None:
    table = legacy_table()
    deck = load_deck("legacy_mage")
    size = view_of_pool(table).size
    network = QNetwork(Architecture(hidden=16, dueling=True, one_hot=True, view=size), seed=4)
    origin = Provenance(
        ruleset=Stamp.of(table.ruleset),
        pool=table.pool.name,
        cards={},
        decks=(Stamp.of(deck),),
        settings=TrainSettings(hidden=16),
        seed=3,
        steps=1000,
        opponents="greedy",
        seat="either",
        leave_out=0.0,
        versions={"torch": "2"},
    )
    save_pilot(tmp_path / "mage.pt", network, origin)
    pilot = load_pilot(tmp_path / "mage.pt")
    assert pilot.view == size
    outcomes = play(mirror(legacy_rows("mage")[0], 3), table, [pilot, agent_named("greedy")])
    assert outcomes.n_games.sum() == 6
    refusal_of(play, mirror(DECKS[0], 3), TABLE, [pilot, agent_named("greedy")])
    lineups = [Lineup(DECKS[0], DECKS[0], 0, 0)]
    refusal_of(Episodes, TABLE, lineups, [pilot], 2, 1)
