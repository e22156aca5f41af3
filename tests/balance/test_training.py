"""Training for a contest: who is met, what comes out, and that it can be done again."""

from __future__ import annotations

import numpy as np
import pytest

from agents.dqn.pilot import DQNPilot, PastSelf
from agents.dqn.provenance import Stamp, stamps_of_cards
from agents.dqn.settings import TrainSettings
from agents.dqn.trainer import pilot_of
from balance.learning.learner import Learner
from balance.learning.training import (
    begin_training,
    foreign_to_power,
    learned_pilots,
    provenance,
    settings_of,
    shortened,
)
from sim.play.agent import CompiledAgent
from tests.balance.contests import RUSH_KEEP, THREE
from tests.balance.pilots import TINY, rush_keep_piloted, weights

pytestmark = pytest.mark.thorough

LEARNER = Learner(name="rush", decks=("ember_rush",), opponents=("self", "tide_keep"))
SHORT = TINY.model_copy(update={"steps": 1_500})


def test_opponents_are_the_players_and_past_selves_only_where_they_are_met():
    trainer = begin_training(THREE, LEARNER, SHORT, run_seed=1)
    *players, past = trainer.episodes.opponents
    assert players == [player.agent for player in THREE.players]
    assert isinstance(past, PastSelf)
    alone = Learner(name="rush", decks=("ember_rush",), opponents=("tide_keep",))
    trainer = begin_training(THREE, alone, SHORT, run_seed=1)
    assert [type(one) for one in trainer.episodes.opponents] == [CompiledAgent] * 3


def test_a_pilot_among_the_opponents_answers_as_it_does_at_the_table():
    contest = rush_keep_piloted()
    trainer = begin_training(contest, LEARNER, SHORT, run_seed=1)
    met, pilot = trainer.episodes.opponents[1], contest.players[1].agent
    assert isinstance(met, DQNPilot)
    trainer.run(200)
    observations, masks = trainer.episodes.observations, trainer.episodes.masks
    assert np.array_equal(met.choose(observations, masks), pilot.choose(observations, masks))


def test_the_same_seed_gives_the_same_pilot_and_another_seed_another():
    found = []
    for run_seed in (1, 1, 2):
        trainer = begin_training(THREE, LEARNER, SHORT, run_seed=run_seed)
        trainer.run(SHORT.steps)
        found.append(weights(pilot_of(trainer, "rush")))
    assert np.array_equal(found[0], found[1])
    assert not np.array_equal(found[0], found[2])


def test_learners_of_one_run_have_games_of_their_own():
    games = []
    for name in ("one", "two"):
        learner = LEARNER.model_copy(update={"name": name})
        trainer = begin_training(THREE, learner, SHORT, run_seed=1)
        games.append(trainer.episodes.observations.copy())
    assert not np.array_equal(*games)


def test_a_pilot_stays_as_it_is_while_its_learner_goes_on():
    trainer = begin_training(THREE, LEARNER, TINY, run_seed=1)
    trainer.run(1_000)
    pilot = pilot_of(trainer, "rush")
    before = weights(pilot)
    trainer.run(2_000)
    assert np.array_equal(weights(pilot), before)
    assert not np.array_equal(weights(pilot_of(trainer, "rush")), before)


def test_provenance_tells_what_was_learned_from():
    trainer = begin_training(THREE, LEARNER, SHORT, run_seed=9)
    trainer.run(SHORT.steps)
    found = provenance(THREE, LEARNER, trainer, run_seed=9)
    assert found.pool == "core"
    assert found.cards == stamps_of_cards(THREE.table.pool, THREE.reached)
    assert found.decks == (Stamp.of(THREE.players[0].deck),)
    assert found.opponents == "self, tide_keep"
    assert (found.seed, found.steps, found.settings) == (9, trainer.n_steps, SHORT)
    assert set(found.versions) == {"evenhand", "numpy", "torch"}


@pytest.mark.parametrize("steps", [1_000, 2_500_000, 40_000_000])
def test_a_shortened_training_keeps_its_proportions(steps):
    settings = TrainSettings()
    fewer = shortened(settings, steps)
    assert fewer.steps == steps
    assert fewer.epsilon_steps == pytest.approx(
        settings.epsilon_steps * steps / settings.steps, abs=1
    )
    assert fewer == TrainSettings.model_validate(fewer.model_dump())  # it may still be told so
    assert shortened(settings, settings.steps) == settings


def test_pilots_are_told_from_scripts_and_say_how_they_were_trained():
    assert learned_pilots(RUSH_KEEP) == []
    contest = rush_keep_piloted()
    mixed = contest.with_agents({"ember_rush": RUSH_KEEP.players[0].agent})
    ((player, pilot),) = learned_pilots(mixed)
    assert player.name == "tide_keep"
    assert settings_of(pilot) == TINY
    unknown = DQNPilot("unknown", pilot.network)
    assert settings_of(unknown).hidden == TINY.hidden


def test_what_a_pilot_never_met_is_said_before_it_measures_power():
    contest = rush_keep_piloted()
    assert foreign_to_power(contest) == []
    (player, pilot), *_ = learned_pilots(contest)
    one_sided = DQNPilot(pilot.name, pilot.network)
    one_sided.provenance = pilot.provenance.model_copy(update={"seat": "second", "leave_out": 0.0})
    (sentence,) = foreign_to_power(contest.with_agents({player.name: one_sided}))
    assert sentence.startswith(f"{player.name}: {pilot.name} learned with only the second seat and")
    assert "no decks that lack a card" in sentence
