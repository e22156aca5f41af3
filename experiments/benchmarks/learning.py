"""Networks: playing in lock-step, and training. Needs torch."""

from __future__ import annotations

from functools import partial

import numpy as np
import torch

from agents.dqn.learner import Learner
from agents.dqn.network import QNetwork, architecture_of
from agents.dqn.pilot import DQNPilot
from agents.dqn.replay import Batch
from agents.dqn.settings import TrainSettings
from agents.dqn.trainer import Trainer
from balance.card_contest import CardContest
from experiments.benchmarks.duel import AGGRO, BARE, Against, Task, play_duel
from experiments.benchmarks.environments import MANY, learners_games, play_randomly
from sim.engine.duel_view import BOARD_PLACES, FIRST_ATTACK, HAND_PLACES, LAST_ACTION, TARGETS
from sim.observation.duel_view import N_ACTIONS
from sim.play.agent import Agent

GAMES = 10_000
WARM_GAMES = 2_000
UPDATES = 50
TICKS = 100  # of training in one run: steps of each environment

_SETTINGS = TrainSettings()  # the defaults
# Cards from the oldest, then every unit at the enemy player, then the end of the turn.
_PREFERRED = (
    *range(HAND_PLACES),
    *(FIRST_ATTACK + TARGETS * unit + TARGETS - 1 for unit in range(BOARD_PLACES)),
    LAST_ACTION,
)
_STEPS_INTO_THE_GAME = 20
_FAR_APART = 100.0  # more than all else that an untrained network adds to an action's value


def lockstep_tasks(contest: CardContest) -> list[Task]:
    """A network with aggro's deck against control, and against itself with the same deck."""
    agents: list[Agent] = list(contest.agents)
    agents[AGGRO] = rushing_pilot()

    against_control = partial(play_duel, contest, agents=agents)
    mirror = partial(against_control, decks=(AGGRO, AGGRO))
    against_control(WARM_GAMES)
    mirror(WARM_GAMES)
    bare = Against(BARE, f"full games ({BARE})")
    return [
        Task("lockstep_against_scripted", "games", GAMES, partial(against_control, GAMES), bare),
        Task("lockstep_mirror", "games", GAMES, partial(mirror, GAMES), bare),
    ]


def training_tasks(contest: CardContest) -> list[Task]:
    """Updates of the weights alone, and whole training, both with the default settings."""
    learner, batch = Learner(_SETTINGS, seed=0), _batch(contest)

    def update() -> None:
        for _ in range(UPDATES):
            learner.update(batch, learning_rate=_SETTINGS.learning_rate)

    n_environments = _SETTINGS.n_environments
    episodes = learners_games(contest, n_environments, skip_forced=_SETTINGS.skip_forced)
    trainer = Trainer(_SETTINGS, episodes, seed=0)
    trainer.run(_SETTINGS.warm_up + _SETTINGS.steps_per_update)  # up to the first update
    n_steps = TICKS * n_environments

    def train() -> None:
        trainer.run(trainer.n_steps + n_steps)

    update()
    return [
        Task("training_updates", "updates", UPDATES, update),
        Task("training_steps", "steps", n_steps, train, Against(MANY, "steps without learning")),
    ]


def rushing_pilot() -> DQNPilot:
    """An untrained network of the default architecture that plays like somebody in a hurry.

    Its random weights decide little: the actions' own constants are far apart. So its games are
    the same on every machine and as long as a trained pilot's, while those of a network that
    does whatever its weights say are not.
    """
    network = QNetwork(architecture_of(_SETTINGS), seed=0)
    with torch.no_grad():
        network.advantages.bias.fill_(-_FAR_APART * N_ACTIONS)
        for place, action in enumerate(_PREFERRED):
            network.advantages.bias[action] = -_FAR_APART * place
    return DQNPilot("rushing", network)


def _batch(contest: CardContest) -> Batch:
    """What one random action led to, some way into as many games as an update takes."""
    episodes = learners_games(contest, _SETTINGS.batch)
    episodes.reset()
    play_randomly(episodes, _STEPS_INTO_THE_GAME)
    observations = episodes.observations.copy()
    (actions,) = play_randomly(episodes, 1)
    return Batch(
        observations=observations,
        actions=actions,
        returns=episodes.rewards,
        discounts=_SETTINGS.gamma * (episodes.ended == 0).astype(np.float32),
        next_observations=episodes.observations,
        next_masks=episodes.masks,
    )
