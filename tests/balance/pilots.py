"""Trained agents for tests: small networks with a second of training, or none."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import torch

from agents import DQNPilot, TrainSettings, pilot_of
from balance import CardContest, Learner
from balance.learning.training import begin_training, provenance
from sim.engine.viewing import LAST_ACTION
from tests.balance.contests import RUSH_KEEP

TINY = TrainSettings(
    steps=6_000,
    n_environments=16,
    steps_per_update=16,
    batch=64,
    hidden=32,
    epsilon_steps=3_000,
    replay=6_000,
    warm_up=200,
    target_every=50,
)


@dataclass(frozen=True)
class Passive:
    """Agent that ends its turn at once."""

    name: str = "passive"

    def choose(self, observations, masks):
        return np.full(len(observations), LAST_ACTION)


def trained_pilot(contest: CardContest, *players: str, steps: int = TINY.steps) -> DQNPilot:
    """Return an agent trained with the decks of `players`, against all others and itself."""
    settings = TINY.model_copy(update={"steps": steps})
    others = tuple(p.name for p in contest.players if p.name not in players)
    learner = Learner(name=players[0], decks=players, opponents=("self", *others), leave_out=0.5)
    trainer = begin_training(contest, learner, settings, run_seed=1)
    trainer.run(settings.steps)
    pilot = pilot_of(trainer, f"pilot of {players[0]}")
    pilot.provenance = provenance(contest, learner, trainer, run_seed=1)
    return pilot


@cache
def rush_keep_piloted() -> CardContest:
    """Return the contest of Ember Rush and Tide Keep, each with a trained agent."""
    names = [player.name for player in RUSH_KEEP.players]
    return RUSH_KEEP.with_agents({name: trained_pilot(RUSH_KEEP, name) for name in names})


def weights(pilot: DQNPilot) -> np.ndarray:
    """Return all weights of an agent's network in one array."""
    return torch.nn.utils.parameters_to_vector(pilot.network.parameters()).detach().numpy()
